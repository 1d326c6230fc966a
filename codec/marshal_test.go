package codec_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Fields that are not exported are only read here: the codec leaves them out.
var _ = []any{entity{}.plain}

type (
	team   uint8
	ids    []team
	grades map[godot.Vector2i]string

	entity struct {
		Name  string        `octable:"name"`
		HP    int           `octable:"hp,required"`
		Pos   godot.Vector3 `octable:"pos"`
		Tags  []string
		Next  *entity `octable:"next,omitempty"`
		plain int
		Off   chan int `octable:"-"`
	}
	base struct {
		ID   int64  `octable:"id"`
		Kind string `octable:"kind"`
	}
	deep struct {
		base
		Kind godot.StringName `octable:"kind"` // hides the one in base
	}
	viaPointer struct {
		*Base2
		Last bool `octable:"last"`
	}
	Base2 struct {
		First bool `octable:"first"`
	}
	asked struct {
		F    int                  `octable:"f,type=float"`
		I    float64              `octable:"i,type=int"`
		Name string               `octable:"name,type=StringName"`
		RID  uint64               `octable:"rid,type=RID"`
		ID   uint64               `octable:"id,type=Object"`
		V    [3]float64           `octable:"v,type=Vector3"`
		P    struct{ A, B int16 } `octable:"p,type=Vector2i"`
		B    [3][3]float32        `octable:"b,type=Basis"`
		Wide [9]float64           `octable:"wide,type=Basis"`
		I32  []int                `octable:"i32,type=PackedInt32Array"`
		F32  []float64            `octable:"f32,type=PackedFloat32Array,round"`
		Path [][2]float32         `octable:"path,type=PackedVector2Array"`
		Far  [][3]float64         `octable:"far,type=PackedVector3Array"`
		Byte []byte               `octable:"byte,type=Array"`
		Ints []int                `octable:"ints,type=Array[int]"`
		Tags []string             `octable:"tags,type=Array[StringName]"`
		Vecs [][2]float32         `octable:"vecs,type=Array[Vector2]"`
		Map  map[string]int       `octable:"map,type=Dictionary[StringName, float]"`
		Any  []any                `octable:"any,type=Array[int]"`
		Strs []godot.StringName   `octable:"strs,type=PackedStringArray"`
		Near [2]float64           `octable:"near,type=Vector2i"`
		Grid [2]uint16            `octable:"grid,type=Vector2"`
		Bits []int                `octable:"bits,type=PackedByteArray"`
		Pair struct {
			X int8
			Y int64
		} `octable:"pair,type=Vector2i"`
		I64 []uint64  `octable:"i64,type=PackedInt64Array"`
		F64 []float32 `octable:"f64,type=PackedFloat64Array"`
	}
	withRest struct {
		A    int            `octable:"a"`
		Rest map[string]any `octable:",rest"`
	}
	withPairs struct {
		A    int          `octable:"a"`
		Rest []codec.Pair `octable:",rest"`
	}
	omits struct {
		A int             `octable:"a,omitempty"`
		B []int           `octable:"b,omitempty"`
		C godot.Vector2   `octable:"c,omitzero"`
		D time.Time       `octable:"d,omitzero"`
		E *int            `octable:"e,omitempty"`
		F struct{ X int } `octable:"f,omitempty"` // as in encoding/json, a struct is not empty
	}
	tree struct {
		Left, Right *tree           `octable:",omitempty"`
		Kids        []tree          `octable:",omitempty"`
		ByName      map[string]tree `octable:",omitempty"`
	}
)

func pairsValue(pairs ...any) codec.Value {
	var out []codec.Pair
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, codec.Pair{Key: toValue(pairs[i]), Value: toValue(pairs[i+1])})
	}
	return godot.NewDictionary(out...)
}

func array(elems ...any) codec.Value {
	out := make([]codec.Value, len(elems))
	for i, e := range elems {
		out[i] = toValue(e)
	}
	return godot.NewArray(out...)
}

// toValue is ValueOf for a few types, made by hand.
func toValue(x any) codec.Value {
	switch x := x.(type) {
	case nil:
		return godot.NewNil()
	case bool:
		return godot.NewBool(x)
	case int:
		return godot.NewInt(int64(x))
	case float64:
		return godot.NewFloat(x)
	case string:
		return godot.NewString(x)
	case godot.StringName:
		return godot.NewStringName(string(x))
	case codec.Value:
		return x
	}
	panic(fmt.Sprintf("toValue: %T", x))
}

func ptr[T any](x T) *T { return &x }

var everyMath = []any{
	godot.Vector2{X: 1, Y: 2}, godot.Vector2i{X: -1, Y: 2}, godot.Rect2{Position: godot.Vector2{X: 1, Y: 2}, Size: godot.Vector2{X: 3, Y: 4}}, godot.Rect2i{Position: godot.Vector2i{X: 1, Y: 2}, Size: godot.Vector2i{X: 3, Y: -4}},
	godot.Vector3{X: 1, Y: 2, Z: 3}, godot.Vector3i{X: 1, Y: 2, Z: -3}, godot.Vector4{X: 1, Y: 2, Z: 3, W: 4}, godot.Vector4i{X: 1, Y: 2, Z: 3, W: -4},
	godot.Transform2D{X: godot.Vector2{X: 1, Y: 2}, Y: godot.Vector2{X: 3, Y: 4}, Origin: godot.Vector2{X: 5, Y: 6}}, godot.Plane{Normal: godot.Vector3{X: 1, Y: 2, Z: 3}, D: 4}, godot.Quaternion{X: 1, Y: 2, Z: 3, W: 4},
	godot.AABB{Position: godot.Vector3{X: 1, Y: 2, Z: 3}, Size: godot.Vector3{X: 4, Y: 5, Z: 6}}, godot.Basis{X: godot.Vector3{X: 1, Y: 2, Z: 3}, Y: godot.Vector3{X: 4, Y: 5, Z: 6}, Z: godot.Vector3{X: 7, Y: 8, Z: 9}},
	godot.Transform3D{Basis: godot.Basis{X: godot.Vector3{X: 1, Y: 2, Z: 3}, Y: godot.Vector3{X: 4, Y: 5, Z: 6}, Z: godot.Vector3{X: 7, Y: 8, Z: 9}}, Origin: godot.Vector3{X: 10, Y: 11, Z: 12}},
	godot.Projection{X: godot.Vector4{X: 1, Y: 2, Z: 3, W: 4}, Y: godot.Vector4{X: 5, Y: 6, Z: 7, W: 8}, Z: godot.Vector4{X: 9, Y: 10, Z: 11, W: 12}, W: godot.Vector4{X: 13, Y: 14, Z: 15, W: 16}},
	godot.Color{R: 0.5, G: 1, B: 2, A: 0.25},
}

// The same value in Go and in the format. Every case is converted in both
// directions, except where oneWay says otherwise, and seeds the fuzz target.
type pairCase struct {
	name   string
	goes   any
	value  codec.Value
	oneWay string // "write" or "read"
}

var pairCases = func() []pairCase {
	cases := []pairCase{
		{"nil", nil, godot.NewNil(), "write"},
		{"nil pointer", (*int)(nil), godot.NewNil(), ""},
		{"bool", true, godot.NewBool(true), ""},
		{"int", -5, godot.NewInt(-5), ""},
		{"int8", int8(-128), godot.NewInt(-128), ""},
		{"int64 smallest", int64(math.MinInt64), godot.NewInt(math.MinInt64), ""},
		{"uint64 largest int", uint64(math.MaxInt64), godot.NewInt(math.MaxInt64), ""},
		{"named uint8", team(7), godot.NewInt(7), ""},
		{"float64", 0.1, godot.NewFloat(0.1), ""},
		{"float32", float32(0.1), godot.NewFloat(float64(float32(0.1))), ""},
		{"float64 infinite", math.Inf(-1), godot.NewFloat(math.Inf(-1)), ""},
		{"int from whole float", 3, godot.NewFloat(3), "read"},
		{"float from int", 3.0, godot.NewInt(3), "read"},
		{"string", "héllo", godot.NewString("héllo"), ""},
		{"string from StringName", "x", godot.NewStringName("x"), "read"},
		{"StringName", godot.StringName("jump"), godot.NewStringName("jump"), ""},
		{"NodePath", godot.NodePath{Names: []string{"root", "a"}, Subnames: []string{"x"}, Absolute: true},
			godot.NodePath{Names: []string{"root", "a"}, Subnames: []string{"x"}, Absolute: true}.Value(), ""},
		{"RID", godot.RID(13), godot.NewRID(13), ""},
		{"ObjectID", godot.ObjectID(1 << 63), godot.NewObjectID(1 << 63), ""},
		{"ObjectID of Nil", godot.ObjectID(0), godot.NewNil(), "read"},
		{"Object", godot.Object{Class: "Node", Properties: []godot.Property{{Name: "name", Value: godot.NewString("n")}}},
			godot.Object{Class: "Node", Properties: []godot.Property{{Name: "name", Value: godot.NewString("n")}}}.Value(), ""},
		{"Object null", godot.Object{}, godot.Object{}.Value(), ""},
		{"Object of Nil", godot.Object{}, godot.NewNil(), "read"},
		{"Callable", godot.Callable{}, godot.NewCallable(), ""},
		{"Signal", godot.Signal{Name: "hit", Object: 1}, godot.Signal{Name: "hit", Object: 1}.Value(), ""},
		{"Value", godot.WithElemType(godot.NewInt(1), godot.ElemType{}), godot.NewInt(1), ""},
		{"zero Value", codec.Value{}, godot.NewNil(), "write"},
		{"pointer to pointer", ptr(ptr(5)), godot.NewInt(5), ""},

		{"[]byte", []byte{1, 2, 255}, godot.NewPackedByteArray([]byte{1, 2, 255}), ""},
		{"[3]byte", [3]byte{1, 2, 255}, godot.NewPackedByteArray([]byte{1, 2, 255}), ""},
		{"named bytes", ids{1, 2}, godot.NewPackedByteArray([]byte{1, 2}), ""},
		{"[]int32", []int32{1, -1}, godot.NewPackedInt32Array([]int32{1, -1}), ""},
		{"[]int64", []int64{1, math.MinInt64}, godot.NewPackedInt64Array([]int64{1, math.MinInt64}), ""},
		{"[]float32", []float32{1, 0.1}, godot.NewPackedFloat32Array([]float32{1, 0.1}), ""},
		{"[]float64", []float64{1, 0.1}, godot.NewPackedFloat64Array([]float64{1, 0.1}), ""},
		{"[]string", []string{"a", ""}, godot.NewPackedStringArray([]string{"a", ""}), ""},
		{"[]Vector2", []godot.Vector2{{X: 1, Y: 2}}, godot.NewPackedVector2Array([]godot.Vector2{{X: 1, Y: 2}}), ""},
		{"[]Vector3", []godot.Vector3{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}}, godot.NewPackedVector3Array([]godot.Vector3{{X: 1, Y: 2, Z: 3}, {X: 4, Y: 5, Z: 6}}), ""},
		{"[]Vector4", []godot.Vector4{{X: 1, Y: 2, Z: 3, W: 4}}, godot.NewPackedVector4Array([]godot.Vector4{{X: 1, Y: 2, Z: 3, W: 4}}), ""},
		{"[]Color", []godot.Color{{R: 1, G: 2, B: 3, A: 4}}, godot.NewPackedColorArray([]godot.Color{{R: 1, G: 2, B: 3, A: 4}}), ""},
		{"[]Vector2i", []godot.Vector2i{{X: 1, Y: -2}}, godot.NewPackedVector2iArray([]godot.Vector2i{{X: 1, Y: -2}}), ""},
		{"[]Vector3i", []godot.Vector3i{{X: 1, Y: -2, Z: 3}}, godot.NewPackedVector3iArray([]godot.Vector3i{{X: 1, Y: -2, Z: 3}}), ""},
		{"[]Vector4i", []godot.Vector4i{{X: 1, Y: -2, Z: 3, W: 4}}, godot.NewPackedVector4iArray([]godot.Vector4i{{X: 1, Y: -2, Z: 3, W: 4}}), ""},
		{"empty packed", []godot.Vector3{}, godot.NewPackedVector3Array(nil), ""},
		{"nil slice", []godot.Vector3(nil), godot.NewPackedVector3Array(nil), "write"},
		{"slice of Nil", []godot.Vector3(nil), godot.NewNil(), "read"},
		{"[]int", []int{1, 2}, array(1, 2), ""},
		{"[]int from packed", []int{1, 2}, godot.NewPackedInt32Array([]int32{1, 2}), "read"},
		{"[]uint8 from int64s", []uint8{1, 255}, godot.NewPackedInt64Array([]int64{1, 255}), "read"},
		{"[]float32 from float64s", []float32{1, 0.5}, godot.NewPackedFloat64Array([]float64{1, 0.5}), "read"},
		{"[]int32 from Array", []int32{1, -2}, array(1, -2.0), "read"},
		{"[]string from Array", []string{"a", "b"}, array("a", godot.StringName("b")), "read"},
		{"[]Vector2 from Array", []godot.Vector2{{X: 1, Y: 2}}, array(godot.Vector2{X: 1, Y: 2}.Value()), "read"},
		{"[]any from packed", []any{godot.Vector2{X: 1, Y: 2}}, godot.NewPackedVector2Array([]godot.Vector2{{X: 1, Y: 2}}), "read"},
		{"[]bool", []bool{true, false}, array(true, false), ""},
		{"[]RID", []godot.RID{1}, array(godot.NewRID(1)), ""},
		{"[]StringName", []godot.StringName{"a"}, array(godot.StringName("a")), ""},
		{"[][]int32", [][]int32{{1}, {}}, array(godot.NewPackedInt32Array([]int32{1}), godot.NewPackedInt32Array(nil)), ""},
		{"[2]bool", [2]bool{true, false}, array(true, false), ""},
		{"[]any", []any{nil, true, int64(1), 1.5, "s", godot.StringName("n")}, array(nil, true, 1, 1.5, "s", godot.StringName("n")), ""},
		{"[]*int", []*int{nil, ptr(1)}, array(nil, 1), ""},
		{"typed Array read", []int{1}, godot.WithElemType(array(1), godot.ElemType{Type: godot.Int}), "read"},

		{"map sorted", map[string]int{"b": 1, "a": 2, "": 3}, pairsValue("", 3, "a", 2, "b", 1), ""},
		{"map of ints", map[int8]string{3: "c", -1: "a"}, pairsValue(-1, "a", 3, "c"), ""},
		{"map of vectors", grades{{X: 2, Y: 0}: "b", {X: -1, Y: 5}: "a"}, pairsValue(godot.Vector2i{X: -1, Y: 5}.Value(), "a", godot.Vector2i{X: 2, Y: 0}.Value(), "b"), ""},
		{"map of any", map[any]any{"s": int64(1), int64(2): nil, true: 1.5, godot.StringName("n"): "x", godot.Vector2{X: 1, Y: 2}: "v"},
			pairsValue(true, 1.5, 2, nil, godot.StringName("n"), "x", "s", 1, godot.Vector2{X: 1, Y: 2}.Value(), "v"), ""},
		{"map of bools", map[bool]int{true: 1, false: 2}, pairsValue(false, 2, true, 1), ""},
		{"map of ids", map[godot.RID]int{9: 1, 1 << 63: 2}, pairsValue(godot.NewRID(9), 1, godot.NewRID(1<<63), 2), ""},
		{"map of floats", map[godot.Vector2]int{{X: 1, Y: 2}: 1, {X: 1, Y: -2}: 2}, pairsValue(godot.Vector2{X: 1, Y: -2}.Value(), 2, godot.Vector2{X: 1, Y: 2}.Value(), 1), ""},
		{"map of bytes", map[[2]byte]int{{2, 1}: 1, {1, 255}: 2}, pairsValue(godot.NewPackedByteArray([]byte{1, 255}), 2, godot.NewPackedByteArray([]byte{2, 1}), 1), ""},
		{"map of arrays", map[[2]bool]int{{true, false}: 1, {false, true}: 2}, pairsValue(array(false, true), 2, array(true, false), 1), ""},
		{"map of lengths", map[any]int{[2]int64{1, 0}: 1, [1]int64{1}: 2}, pairsValue(godot.NewPackedInt64Array([]int64{1}), 2, godot.NewPackedInt64Array([]int64{1, 0}), 1), "write"},
		{"map nil", map[string]int(nil), pairsValue(), "write"},
		{"map of Nil", map[string]int(nil), godot.NewNil(), "read"},
		{"map by text method", map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, pairsValue("::1", 1), ""},
		{"map of structs", map[string]base{"x": {1, "k"}}, pairsValue("x", pairsValue("id", 1, "kind", "k")), ""},
		{"[]Pair", []codec.Pair{{Key: godot.NewInt(2), Value: godot.NewNil()}, {Key: array(), Value: godot.NewInt(1)}, {Key: godot.NewInt(2), Value: godot.NewBool(true)}},
			pairsValue(2, nil, array(), 1, 2, true), ""},

		{"struct", entity{Name: "orc", HP: 5, Pos: godot.Vector3{X: 1, Y: 2, Z: 3}, Tags: []string{"a"}},
			pairsValue("name", "orc", "hp", 5, "pos", godot.Vector3{X: 1, Y: 2, Z: 3}.Value(), "Tags", godot.NewPackedStringArray([]string{"a"})), ""},
		{"struct in another order", entity{Name: "orc", HP: 5}, pairsValue(godot.StringName("hp"), 5.0, "name", godot.StringName("orc")), "read"},
		{"struct that contains itself", entity{Tags: []string{}, Next: &entity{HP: 1, Tags: []string{}}},
			pairsValue("name", "", "hp", 0, "pos", godot.Vector3{}.Value(), "Tags", godot.NewPackedStringArray(nil),
				"next", pairsValue("name", "", "hp", 1, "pos", godot.Vector3{}.Value(), "Tags", godot.NewPackedStringArray(nil))), ""},
		{"embedded", deep{base{ID: 1}, "k"}, pairsValue("id", 1, "kind", godot.StringName("k")), ""},
		{"embedded pointer", viaPointer{&Base2{true}, true}, pairsValue("first", true, "last", true), ""},
		{"embedded pointer nil", viaPointer{nil, true}, pairsValue("last", true), ""},
		{"tree", tree{Kids: []tree{{}}, ByName: map[string]tree{"a": {Left: &tree{}}}},
			pairsValue("Kids", array(pairsValue()), "ByName", pairsValue("a", pairsValue("Left", pairsValue()))), ""},
		{"omitted", omits{}, pairsValue("f", pairsValue("X", 0)), ""},
		{"not omitted", omits{1, []int{0}, godot.Vector2{X: 0, Y: 1}, time.Unix(0, 0).UTC(), ptr(0), struct{ X int }{1}},
			pairsValue("a", 1, "b", array(0), "c", godot.Vector2{X: 0, Y: 1}.Value(), "d", "1970-01-01T00:00:00Z", "e", 0, "f", pairsValue("X", 1)), ""},
		{"rest map", withRest{1, map[string]any{"b": int64(2), "c": []any{}}}, pairsValue("a", 1, "b", 2, "c", array()), ""},
		{"rest map nil", withRest{1, nil}, pairsValue("a", 1), ""},
		{"rest pairs", withPairs{1, []codec.Pair{{Key: godot.NewInt(5), Value: godot.NewNil()}, {Key: godot.NewInt(5), Value: godot.NewNil()}}}, pairsValue("a", 1, 5, nil, 5, nil), ""},
		{"asked", asked{
			F: 1, I: 2, Name: "n", RID: 3, ID: 4, V: [3]float64{1, 2, 3}, P: struct{ A, B int16 }{5, -6},
			B: [3][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, Wide: [9]float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
			I32: []int{1}, F32: []float64{float64(float32(0.1))}, Path: [][2]float32{{1, 2}, {3, 4}}, Far: [][3]float64{{1, 2, 3}},
			Byte: []byte{1}, Ints: []int{1}, Tags: []string{"t"}, Vecs: [][2]float32{{1, 2}},
			Map: map[string]int{"b": 1, "a": 2}, Any: []any{int64(1)}, Strs: []godot.StringName{"s"},
			Near: [2]float64{1, -2}, Grid: [2]uint16{3, 4}, Pair: struct {
				X int8
				Y int64
			}{-5, 6}, Bits: []int{0, 255}, I64: []uint64{math.MaxInt64}, F64: []float32{0.5},
		}, pairsValue(
			"f", 1.0, "i", 2, "name", godot.StringName("n"), "rid", godot.NewRID(3), "id", godot.NewObjectID(4),
			"v", godot.Vector3{X: 1, Y: 2, Z: 3}.Value(), "p", godot.Vector2i{X: 5, Y: -6}.Value(),
			"b", godot.Basis{X: godot.Vector3{X: 1, Y: 2, Z: 3}, Y: godot.Vector3{X: 4, Y: 5, Z: 6}, Z: godot.Vector3{X: 7, Y: 8, Z: 9}}.Value(),
			"wide", godot.Basis{X: godot.Vector3{X: 1, Y: 2, Z: 3}, Y: godot.Vector3{X: 4, Y: 5, Z: 6}, Z: godot.Vector3{X: 7, Y: 8, Z: 9}}.Value(),
			"i32", godot.NewPackedInt32Array([]int32{1}), "f32", godot.NewPackedFloat32Array([]float32{0.1}),
			"path", godot.NewPackedVector2Array([]godot.Vector2{{X: 1, Y: 2}, {X: 3, Y: 4}}), "far", godot.NewPackedVector3Array([]godot.Vector3{{X: 1, Y: 2, Z: 3}}),
			"byte", array(1), "ints", godot.WithElemType(array(1), godot.ElemType{Type: godot.Int}),
			"tags", godot.WithElemType(array(godot.StringName("t")), godot.ElemType{Type: godot.StringNameType}),
			"vecs", godot.WithElemType(array(godot.Vector2{X: 1, Y: 2}.Value()), godot.ElemType{Type: godot.Vector2Type}),
			"map", godot.WithPairTypes(pairsValue(godot.StringName("a"), 2.0, godot.StringName("b"), 1.0), godot.ElemType{Type: godot.StringNameType}, godot.ElemType{Type: godot.Float}),
			"any", godot.WithElemType(array(1), godot.ElemType{Type: godot.Int}), "strs", godot.NewPackedStringArray([]string{"s"}),
			"near", godot.Vector2i{X: 1, Y: -2}.Value(), "grid", godot.Vector2{X: 3, Y: 4}.Value(), "bits", godot.NewPackedByteArray([]byte{0, 255}), "pair", godot.Vector2i{X: -5, Y: 6}.Value(),
			"i64", godot.NewPackedInt64Array([]int64{math.MaxInt64}), "f64", godot.NewPackedFloat64Array([]float64{0.5}),
		), ""},
		{"text method", netip.MustParseAddr("10.0.0.1"), godot.NewString("10.0.0.1"), ""},
		{"struct of many fields", manyFields, manyPairs, ""},
		{"slice of a text method", []tick{1, 2}, array("tick 1", "tick 2"), ""},
		{"text method as StringName", struct {
			A shout `octable:"a,type=StringName"`
		}{"HI"}, pairsValue("a", godot.StringName("hi")), ""},
		{"own method", celsius{20}, godot.NewString("20°"), ""},
		{"own method in a map", map[string]celsius{"a": {1}}, pairsValue("a", "1°"), ""},
		{"own method behind a pointer", &celsius{20}, godot.NewString("20°"), ""},
		{"own method, nil pointer", (*celsius)(nil), godot.NewNil(), ""},
	}
	for _, m := range everyMath {
		cases = append(cases, pairCase{fmt.Sprintf("%T", m), m, m.(interface{ Value() codec.Value }).Value(), ""})
	}
	return cases
}()

// tick is a number that makes its own text.
type tick int64

func (k tick) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "tick %d", k), nil }

func (k *tick) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "tick %d", k)
	return err
}

// manyFields is a struct with more fields than a reader has room for without an allocation.
var manyFields, manyPairs = func() (any, codec.Value) {
	var fields []reflect.StructField
	var pairs []any
	for i := range 70 {
		name := fmt.Sprintf("F%d", i)
		fields, pairs = append(fields, reflect.StructField{Name: name, Type: reflect.TypeFor[int]()}), append(pairs, name, 0)
	}
	return reflect.Zero(reflect.StructOf(fields)).Interface(), pairsValue(pairs...)
}()

// celsius converts itself, with methods that have pointer receivers.
type celsius struct{ degrees int }

func (c *celsius) MarshalOctable() (codec.Value, error) {
	if c.degrees < -273 {
		return codec.Value{}, errors.New("too cold")
	}
	return godot.NewString(fmt.Sprintf("%d°", c.degrees)), nil
}

func (c *celsius) UnmarshalOctable(v codec.Value) error {
	s, _ := v.AsString()
	_, err := fmt.Sscanf(s, "%d°", &c.degrees)
	return err
}

func TestPairs(t *testing.T) {
	for _, c := range pairCases {
		t.Run(c.name, func(t *testing.T) {
			if c.oneWay != "read" {
				got, err := with(codec.Options{Exact: true}).ValueOf(c.goes)
				if err != nil {
					t.Fatal(err)
				}
				if !codec.Equal(got, c.value) {
					t.Errorf("ValueOf gives %s, want %s", shown(got), shown(c.value))
				}
			}
			if c.oneWay != "write" {
				got := reflect.New(reflect.TypeOf(c.goes))
				if err := c.value.To(got.Interface()); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got.Elem().Interface(), c.goes) {
					t.Errorf("To gives %#v, want %#v", got.Elem().Interface(), c.goes)
				}
			}
		})
	}
}

// shown is a value in words, with what is in it.
func shown(v codec.Value) string {
	s := codec.Describe(v)
	if f := v.Floats(); f != nil {
		s += fmt.Sprint(f)
	}
	if i := v.Ints(); i != nil {
		s += fmt.Sprint(i)
	}
	for _, e := range v.Elems() {
		s += " " + shown(e) + ","
	}
	for k, e := range v.Pairs() {
		s += " " + shown(k) + ": " + shown(e) + ","
	}
	return s
}

func TestNatural(t *testing.T) {
	wide, path := newWideLanes(godot.Vector2Type, 0.1, 0), godot.NodePath{}.Value()
	malformed := parseRaw("Raw(PackedByteArray, packed, f64, 1, 0.5)")
	cases := []struct {
		name  string
		value codec.Value
		want  any
	}{
		{"keys are Strings", pairsValue("a", 1, "b", array(1.5)), map[string]any{"a": int64(1), "b": []any{1.5}}},
		{"empty", pairsValue(), map[string]any{}},
		{"other keys", pairsValue("a", 1, 2, "b", nil, true), map[any]any{"a": int64(1), int64(2): "b", nil: true}},
		{"int and float keys differ", pairsValue(1, "i", 1.0, "f"), map[any]any{int64(1): "i", 1.0: "f"}},
		{"StringName keys", pairsValue(godot.StringName("a"), 1), map[any]any{godot.StringName("a"): int64(1)}},
		{"key twice", pairsValue("a", 1, "a", 2), []codec.Pair{{Key: godot.NewString("a"), Value: godot.NewInt(1)}, {Key: godot.NewString("a"), Value: godot.NewInt(2)}}},
		{"key twice for the engine", pairsValue("a", 1, godot.StringName("a"), 2), []codec.Pair{{Key: godot.NewString("a"), Value: godot.NewInt(1)}, {Key: godot.NewStringName("a"), Value: godot.NewInt(2)}}},
		{"zeros are one key", pairsValue(0.0, 1, math.Copysign(0, -1), 2), []codec.Pair{{Key: godot.NewFloat(0), Value: godot.NewInt(1)}, {Key: godot.NewFloat(math.Copysign(0, -1)), Value: godot.NewInt(2)}}},
		{"key without equality", pairsValue(array(), 1), []codec.Pair{{Key: array(), Value: godot.NewInt(1)}}},
		{"NodePath key", pairsValue(path, 1), []codec.Pair{{Key: path, Value: godot.NewInt(1)}}},
		{"exact doubles", newWideLanes(godot.Vector2Type, 0.5, 0), godot.Vector2{X: 0.5, Y: 0}},
		{"inexact doubles", wide, wide},
		{"packed", godot.NewPackedInt32Array([]int32{1}), []int32{1}},
		{"malformed bool", parseRaw("Raw(bool, unit)"), parseRaw("Raw(bool, unit)")},
		{"malformed array", malformed, malformed},
		{"null object", godot.Object{}.Value(), godot.Object{}},
		{"object id", godot.NewObjectID(5), godot.ObjectID(5)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got any
			if err := c.value.To(&got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %#v, want %#v", got, c.want)
			}
		})
	}
	for _, c := range pairCases {
		if c.value.IsNil() {
			continue
		}
		var got any
		if err := c.value.To(&got); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		back, err := godot.ValueOf(got)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var again any
		if err := back.To(&again); err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%s: %#v comes back as %#v, %v", c.name, got, again, err)
		}
	}
	var nan any
	if err := pairsValue(math.NaN(), 1).To(&nan); err != nil {
		t.Fatal(err)
	} else if _, ok := nan.([]codec.Pair); !ok {
		t.Errorf("NaN as a key gives %T", nan)
	}
}

// Types that contain themselves: as an Array in a Dictionary, as Dictionaries, and as Arrays by place.
type (
	nests struct{ A []nests }
	level struct {
		Next *level `octable:",omitempty"`
	}
	place struct {
		_    struct{} `octable:",array"`
		Next *place
	}
	rests struct {
		Rest map[string]any `octable:",rest"`
	}
)

func TestDepth(t *testing.T) {
	var x any
	if err := nested(1025).To(&x); err != nil {
		t.Error(err)
	}
	if v, err := godot.ValueOf(x); err != nil || !codec.Equal(v, nested(1025)) {
		t.Errorf("1025 levels: %v", err)
	}
	two, three := with(codec.Options{MaxDepth: 2}), with(codec.Options{MaxDepth: 3})
	one := 1
	for _, x := range []struct{ fits, deep any }{
		{[]*int{&one, &one}, [][]*[][]*int{{{{&one}}}}},
		{[]any{&one, map[any]any{one: []any{}}}, [][][]any{{{[]any{}}}}},
		{rests{map[string]any{"a": []any{[]any{}}}}, rests{map[string]any{"a": []any{[]any{[]any{}}}}}},
		{[]any{rests{map[string]any{"a": one}}, []any{[]any{}}}, []any{rests{map[string]any{"a": one}}, []any{[]any{[]any{}}}}},
		{[][][]bool{{{true}}}, [][][][]bool{{{{}}}}},
		{[]map[string][]bool{{"a": {true}}}, []map[string]map[string][]bool{{"a": {"b": {}}}}},
		{map[string]map[string]map[string]int{"a": {"b": {"c": 1}}}, map[string]map[string]map[string]map[string]int{"a": {"b": {"c": {}}}}},
		{nests{A: []nests{}}, nests{A: []nests{{A: []nests{}}}}},
		{level{&level{&level{}}}, level{&level{&level{&level{}}}}},
		{place{Next: &place{Next: &place{}}}, place{Next: &place{Next: &place{Next: &place{}}}}},
	} {
		if _, err := two.ValueOf(x.fits); err != nil {
			t.Errorf("%T: %v", x.fits, err)
		}
		if _, err := two.ValueOf(x.deep); !errors.Is(err, codec.ErrNesting) {
			t.Errorf("%T: got %v", x.deep, err)
		}
		v, err := godot.ValueOf(x.deep)
		if err != nil {
			t.Fatal(err)
		}
		for _, to := range []any{reflect.New(reflect.TypeOf(x.deep)).Interface(), new(any)} {
			if err := two.To(v, to); !errors.Is(err, codec.ErrNesting) {
				t.Errorf("into %T: got %v", to, err)
			}
		}
		many := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(x.fits)), 0, 20)
		for range 20 {
			many = reflect.Append(many, reflect.ValueOf(x.fits))
		}
		if v, err = three.ValueOf(many.Interface()); err != nil {
			t.Errorf("many %T: %v", x.fits, err)
		}
		for _, to := range []any{reflect.New(many.Type()).Interface(), new(any)} {
			if err := three.To(v, to); err != nil {
				t.Errorf("into %T: %v", to, err)
			}
		}
	}
}

func TestConversion(t *testing.T) {
	lenient := with(codec.Options{IgnoreUnknown: true})
	var b base
	if err := lenient.To(pairsValue("more", 1, "id", 2), &b); err != nil || b.ID != 2 {
		t.Errorf("%v, %v", b, err)
	}
	var f float32
	if err := lenient.To(godot.NewFloat(0.1), &f); err != nil || f != 0.1 {
		t.Errorf("%v, %v", f, err)
	}
	if err := lenient.To(godot.NewFloat(1e300), &f); !errors.Is(err, codec.ErrInexact) {
		t.Errorf("rounding to infinity: %v", err)
	}
	var i int
	if err := lenient.To(godot.NewFloat(1.5), &i); !errors.Is(err, codec.ErrInexact) {
		t.Errorf("rounding to an integer: %v", err)
	}
	var v godot.Vector3
	if err := lenient.To(newWideLanes(godot.Vector3Type, 0.1, 2, 3), &v); err != nil || v != (godot.Vector3{X: 0.1, Y: 2, Z: 3}) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestBasisOrder(t *testing.T) {
	b := godot.Basis{X: godot.Vector3{X: 1, Y: 2, Z: 3}, Y: godot.Vector3{X: 4, Y: 5, Z: 6}, Z: godot.Vector3{X: 7, Y: 8, Z: 9}}
	if got := b.Value().Floats(); !reflect.DeepEqual(got, []float64{1, 4, 7, 2, 5, 8, 3, 6, 9}) {
		t.Errorf("Basis row by row: %v", got)
	}
	x := godot.Transform3D{Basis: b, Origin: godot.Vector3{X: 10, Y: 11, Z: 12}}
	if got := x.Value().Floats(); !reflect.DeepEqual(got, []float64{1, 4, 7, 2, 5, 8, 3, 6, 9, 10, 11, 12}) {
		t.Errorf("Transform3D: %v", got)
	}
	wide := newWideLanes(godot.BasisType, 1, 4, 7, 2, 5, 8, 3, 6, 9)
	var columns [9]float64
	if err := with(codec.Options{}).To(pairsValue("b", wide), &struct {
		B *[9]float64 `octable:"b,type=Basis"`
	}{&columns}); err != nil || columns != [9]float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
		t.Errorf("columns %v, %v", columns, err)
	}
}

// TestDoubles reads the wide form of every math type and packed array.
func TestDoubles(t *testing.T) {
	for _, m := range everyMath {
		v := m.(interface{ Value() codec.Value }).Value()
		if v.Type() == godot.ColorType || v.Floats() == nil {
			continue
		}
		got := reflect.New(reflect.TypeOf(m))
		if err := newWideLanes(v.Type(), v.Floats()...).To(got.Interface()); err != nil {
			t.Error(err)
		} else if got.Elem().Interface() != m {
			t.Errorf("%v became %v", m, got.Elem().Interface())
		}
	}
	b := newWideLanes(godot.Vector3Type, 0.1, 2, 3)
	if got, ok := godot.AsVector3(b); !ok || got != (godot.Vector3{X: 0.1, Y: 2, Z: 3}) {
		t.Errorf("AsVector3: %v, %v", got, ok)
	}
	packed := raw.Wrap(interp.MakePacked(uint16(godot.PackedVector2Array), bytecode.F64, 2,
		binary.LittleEndian.AppendUint64(make([]byte, 8), math.Float64bits(0.1))))
	if got, ok := godot.AsPackedVector2Array(packed); !ok || !reflect.DeepEqual(got, []godot.Vector2{{X: 0, Y: 0.1}}) {
		t.Errorf("AsPackedVector2Array: %v, %v", got, ok)
	}
	var s []godot.Vector2
	if err := with(codec.Options{Exact: true}).To(packed, &s); !errors.Is(err, codec.ErrInexact) || err.(*codec.TypeError).Path != "[0].Y" {
		t.Errorf("got %v", err)
	}
	if err := packed.To(&s); err != nil || !reflect.DeepEqual(s, []godot.Vector2{{X: 0, Y: 0.1}}) {
		t.Errorf("got %v, %v", s, err)
	}
}

// TestBits: every bit of the numbers of math types and packed arrays survives.
func TestBits(t *testing.T) {
	signaling := math.Float32frombits(0x7fa00001)
	x := godot.Transform3D{Basis: godot.Basis{X: godot.Vector3{X: signaling, Y: 0, Z: 0}}, Origin: godot.Vector3{X: 0, Y: 0, Z: math.Float32frombits(0xffc12345)}}
	var y godot.Transform3D
	if err := x.Value().To(&y); err != nil {
		t.Fatal(err)
	}
	for _, y := range []godot.Transform3D{y, as3D(must(godot.ValueOf(x)))} {
		if math.Float32bits(y.Basis.X.X) != 0x7fa00001 || math.Float32bits(y.Origin.Z) != 0xffc12345 {
			t.Errorf("%x %x", math.Float32bits(y.Basis.X.X), math.Float32bits(y.Origin.Z))
		}
	}
}

func as3D(v codec.Value) godot.Transform3D { x, _ := godot.AsTransform3D(v); return x }

// with returns a codec for Variants with some options.
func with(o codec.Options) *codec.Codec { return must(codec.MustLoad("godot-4.4").With(o)) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// newWideLanes makes a math type from numbers of double precision. It has the
// wide form that Godot 4 builds with double precision write.
func newWideLanes(t codec.Type, lanes ...float64) codec.Value {
	b := make([]byte, 0, 128)
	for _, f := range lanes {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return raw.Wrap(interp.MakeLanes(uint16(t), bytecode.F64, b).WithWide(true))
}
