package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/quick"
	"time"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

type (
	team   uint8
	ids    []team
	grades map[Vector2i]string

	entity struct {
		Name  string  `godot:"name"`
		HP    int     `godot:"hp,required"`
		Pos   Vector3 `godot:"pos"`
		Tags  []string
		Next  *entity `godot:"next,omitempty"`
		plain int
		Off   chan int `godot:"-"`
	}
	base struct {
		ID   int64  `godot:"id"`
		Kind string `godot:"kind"`
	}
	deep struct {
		base
		Kind StringName `godot:"kind"` // hides the one in base
	}
	viaPointer struct {
		*Base2
		Last bool `godot:"last"`
	}
	Base2 struct {
		First bool `godot:"first"`
	}
	asked struct {
		F    int                  `godot:"f,type=float"`
		I    float64              `godot:"i,type=int"`
		Name string               `godot:"name,type=StringName"`
		RID  uint64               `godot:"rid,type=RID"`
		ID   uint64               `godot:"id,type=Object"`
		V    [3]float64           `godot:"v,type=Vector3"`
		P    struct{ A, B int16 } `godot:"p,type=Vector2i"`
		B    [3][3]float32        `godot:"b,type=Basis"`
		Wide [9]float64           `godot:"wide,type=Basis"`
		I32  []int                `godot:"i32,type=PackedInt32Array"`
		F32  []float64            `godot:"f32,type=PackedFloat32Array,round"`
		Path [][2]float32         `godot:"path,type=PackedVector2Array"`
		Far  [][3]float64         `godot:"far,type=PackedVector3Array"`
		Byte []byte               `godot:"byte,type=Array"`
		Ints []int                `godot:"ints,type=Array[int]"`
		Tags []string             `godot:"tags,type=Array[StringName]"`
		Vecs [][2]float32         `godot:"vecs,type=Array[Vector2]"`
		Map  map[string]int       `godot:"map,type=Dictionary[StringName, float]"`
		Any  []any                `godot:"any,type=Array[int]"`
		Strs []StringName         `godot:"strs,type=PackedStringArray"`
	}
	withRest struct {
		A    int            `godot:"a"`
		Rest map[string]any `godot:",rest"`
	}
	withPairs struct {
		A    int    `godot:"a"`
		Rest []Pair `godot:",rest"`
	}
	omits struct {
		A int             `godot:"a,omitempty"`
		B []int           `godot:"b,omitempty"`
		C Vector2         `godot:"c,omitzero"`
		D time.Time       `godot:"d,omitzero"`
		E *int            `godot:"e,omitempty"`
		F struct{ X int } `godot:"f,omitempty"` // as in encoding/json, a struct is not empty
	}
	tree struct {
		Left, Right *tree           `godot:",omitempty"`
		Kids        []tree          `godot:",omitempty"`
		ByName      map[string]tree `godot:",omitempty"`
	}
)

func pairsValue(pairs ...any) Value {
	var out []Pair
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, Pair{toValue(pairs[i]), toValue(pairs[i+1])})
	}
	return NewDictionary(out...)
}

func array(elems ...any) Value {
	out := make([]Value, len(elems))
	for i, e := range elems {
		out[i] = toValue(e)
	}
	return NewArray(out...)
}

// toValue is ValueOf for a few types, made by hand.
func toValue(x any) Value {
	switch x := x.(type) {
	case nil:
		return NewNil()
	case bool:
		return NewBool(x)
	case int:
		return NewInt(int64(x))
	case float64:
		return NewFloat(x)
	case string:
		return NewString(x)
	case StringName:
		return NewStringName(string(x))
	case Value:
		return x
	}
	panic(fmt.Sprintf("toValue: %T", x))
}

func ptr[T any](x T) *T { return &x }

var everyMath = []any{
	Vector2{1, 2}, Vector2i{-1, 2}, Rect2{Vector2{1, 2}, Vector2{3, 4}}, Rect2i{Vector2i{1, 2}, Vector2i{3, -4}},
	Vector3{1, 2, 3}, Vector3i{1, 2, -3}, Vector4{1, 2, 3, 4}, Vector4i{1, 2, 3, -4},
	Transform2D{Vector2{1, 2}, Vector2{3, 4}, Vector2{5, 6}}, Plane{Vector3{1, 2, 3}, 4}, Quaternion{1, 2, 3, 4},
	AABB{Vector3{1, 2, 3}, Vector3{4, 5, 6}}, Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}},
	Transform3D{Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}, Vector3{10, 11, 12}},
	Projection{Vector4{1, 2, 3, 4}, Vector4{5, 6, 7, 8}, Vector4{9, 10, 11, 12}, Vector4{13, 14, 15, 16}},
	Color{0.5, 1, 2, 0.25},
}

// The same value in Go and in the format. Every case is converted in both
// directions, except where oneWay says otherwise, and seeds the fuzz target.
type pairCase struct {
	name   string
	goes   any
	value  Value
	oneWay string // "write" or "read"
}

var pairCases = func() []pairCase {
	cases := []pairCase{
		{"nil pointer", (*int)(nil), NewNil(), ""},
		{"bool", true, NewBool(true), ""},
		{"int", -5, NewInt(-5), ""},
		{"int8", int8(-128), NewInt(-128), ""},
		{"int64 smallest", int64(math.MinInt64), NewInt(math.MinInt64), ""},
		{"uint64 largest int", uint64(math.MaxInt64), NewInt(math.MaxInt64), ""},
		{"named uint8", team(7), NewInt(7), ""},
		{"float64", 0.1, NewFloat(0.1), ""},
		{"float32", float32(0.1), NewFloat(float64(float32(0.1))), ""},
		{"float64 infinite", math.Inf(-1), NewFloat(math.Inf(-1)), ""},
		{"int from whole float", 3, NewFloat(3), "read"},
		{"float from int", 3.0, NewInt(3), "read"},
		{"string", "héllo", NewString("héllo"), ""},
		{"string from StringName", "x", NewStringName("x"), "read"},
		{"StringName", StringName("jump"), NewStringName("jump"), ""},
		{"NodePath", NodePath{Names: []string{"root", "a"}, Subnames: []string{"x"}, Absolute: true},
			NodePath{Names: []string{"root", "a"}, Subnames: []string{"x"}, Absolute: true}.Value(), ""},
		{"RID", RID(13), NewRID(13), ""},
		{"ObjectID", ObjectID(1 << 63), NewObjectID(1 << 63), ""},
		{"ObjectID of Nil", ObjectID(0), NewNil(), "read"},
		{"Object", Object{Class: "Node", Properties: []Property{{"name", NewString("n")}}},
			Object{Class: "Node", Properties: []Property{{"name", NewString("n")}}}.Value(), ""},
		{"Object null", Object{}, Object{}.Value(), ""},
		{"Object of Nil", Object{}, NewNil(), "read"},
		{"Callable", Callable{}, NewCallable(), ""},
		{"Signal", Signal{"hit", 1}, Signal{"hit", 1}.Value(), ""},
		{"Value", NewInt(1).WithElemType(ElemType{}), NewInt(1), ""},
		{"zero Value", Value{}, NewNil(), "write"},
		{"pointer to pointer", ptr(ptr(5)), NewInt(5), ""},

		{"[]byte", []byte{1, 2, 255}, NewPackedByteArray([]byte{1, 2, 255}), ""},
		{"[3]byte", [3]byte{1, 2, 255}, NewPackedByteArray([]byte{1, 2, 255}), ""},
		{"named bytes", ids{1, 2}, NewPackedByteArray([]byte{1, 2}), ""},
		{"[]int32", []int32{1, -1}, NewPackedInt32Array([]int32{1, -1}), ""},
		{"[]int64", []int64{1, math.MinInt64}, NewPackedInt64Array([]int64{1, math.MinInt64}), ""},
		{"[]float32", []float32{1, 0.1}, NewPackedFloat32Array([]float32{1, 0.1}), ""},
		{"[]float64", []float64{1, 0.1}, NewPackedFloat64Array([]float64{1, 0.1}), ""},
		{"[]string", []string{"a", ""}, NewPackedStringArray([]string{"a", ""}), ""},
		{"[]Vector2", []Vector2{{1, 2}}, NewPackedVector2Array([]Vector2{{1, 2}}), ""},
		{"[]Vector3", []Vector3{{1, 2, 3}, {4, 5, 6}}, NewPackedVector3Array([]Vector3{{1, 2, 3}, {4, 5, 6}}), ""},
		{"[]Vector4", []Vector4{{1, 2, 3, 4}}, NewPackedVector4Array([]Vector4{{1, 2, 3, 4}}), ""},
		{"[]Color", []Color{{1, 2, 3, 4}}, NewPackedColorArray([]Color{{1, 2, 3, 4}}), ""},
		{"[]Vector2i", []Vector2i{{1, -2}}, NewPackedVector2iArray([]Vector2i{{1, -2}}), ""},
		{"[]Vector3i", []Vector3i{{1, -2, 3}}, NewPackedVector3iArray([]Vector3i{{1, -2, 3}}), ""},
		{"[]Vector4i", []Vector4i{{1, -2, 3, 4}}, NewPackedVector4iArray([]Vector4i{{1, -2, 3, 4}}), ""},
		{"empty packed", []Vector3{}, NewPackedVector3Array(nil), ""},
		{"nil slice", []Vector3(nil), NewPackedVector3Array(nil), "write"},
		{"slice of Nil", []Vector3(nil), NewNil(), "read"},
		{"[]int", []int{1, 2}, array(1, 2), ""},
		{"[]int from packed", []int{1, 2}, NewPackedInt32Array([]int32{1, 2}), "read"},
		{"[]uint8 from int64s", []uint8{1, 255}, NewPackedInt64Array([]int64{1, 255}), "read"},
		{"[]float32 from float64s", []float32{1, 0.5}, NewPackedFloat64Array([]float64{1, 0.5}), "read"},
		{"[]int32 from Array", []int32{1, -2}, array(1, -2.0), "read"},
		{"[]string from Array", []string{"a", "b"}, array("a", StringName("b")), "read"},
		{"[]Vector2 from Array", []Vector2{{1, 2}}, array(Vector2{1, 2}.Value()), "read"},
		{"[]any from packed", []any{Vector2{1, 2}}, NewPackedVector2Array([]Vector2{{1, 2}}), "read"},
		{"[]bool", []bool{true, false}, array(true, false), ""},
		{"[]RID", []RID{1}, array(NewRID(1)), ""},
		{"[]StringName", []StringName{"a"}, array(StringName("a")), ""},
		{"[][]int32", [][]int32{{1}, {}}, array(NewPackedInt32Array([]int32{1}), NewPackedInt32Array(nil)), ""},
		{"[2]bool", [2]bool{true, false}, array(true, false), ""},
		{"[]any", []any{nil, true, int64(1), 1.5, "s", StringName("n")}, array(nil, true, 1, 1.5, "s", StringName("n")), ""},
		{"[]*int", []*int{nil, ptr(1)}, array(nil, 1), ""},
		{"typed Array read", []int{1}, array(1).WithElemType(ElemType{Type: Int}), "read"},

		{"map sorted", map[string]int{"b": 1, "a": 2, "": 3}, pairsValue("", 3, "a", 2, "b", 1), ""},
		{"map of ints", map[int8]string{3: "c", -1: "a"}, pairsValue(-1, "a", 3, "c"), ""},
		{"map of vectors", grades{{2, 0}: "b", {-1, 5}: "a"}, pairsValue(Vector2i{-1, 5}.Value(), "a", Vector2i{2, 0}.Value(), "b"), ""},
		{"map of any", map[any]any{"s": int64(1), int64(2): nil, true: 1.5, StringName("n"): "x", Vector2{1, 2}: "v"},
			pairsValue(true, 1.5, 2, nil, StringName("n"), "x", "s", 1, Vector2{1, 2}.Value(), "v"), ""},
		{"map nil", map[string]int(nil), pairsValue(), "write"},
		{"map of Nil", map[string]int(nil), NewNil(), "read"},
		{"map by text method", map[netip.Addr]int{netip.MustParseAddr("::1"): 1}, pairsValue("::1", 1), ""},
		{"map of structs", map[string]base{"x": {1, "k"}}, pairsValue("x", pairsValue("id", 1, "kind", "k")), ""},
		{"[]Pair", []Pair{{NewInt(2), NewNil()}, {array(), NewInt(1)}, {NewInt(2), NewBool(true)}},
			pairsValue(2, nil, array(), 1, 2, true), ""},

		{"struct", entity{Name: "orc", HP: 5, Pos: Vector3{1, 2, 3}, Tags: []string{"a"}},
			pairsValue("name", "orc", "hp", 5, "pos", Vector3{1, 2, 3}.Value(), "Tags", NewPackedStringArray([]string{"a"})), ""},
		{"struct in another order", entity{Name: "orc", HP: 5}, pairsValue(StringName("hp"), 5.0, "name", StringName("orc")), "read"},
		{"struct that contains itself", entity{Tags: []string{}, Next: &entity{HP: 1, Tags: []string{}}},
			pairsValue("name", "", "hp", 0, "pos", Vector3{}.Value(), "Tags", NewPackedStringArray(nil),
				"next", pairsValue("name", "", "hp", 1, "pos", Vector3{}.Value(), "Tags", NewPackedStringArray(nil))), ""},
		{"embedded", deep{base{ID: 1}, "k"}, pairsValue("id", 1, "kind", StringName("k")), ""},
		{"embedded pointer", viaPointer{&Base2{true}, true}, pairsValue("first", true, "last", true), ""},
		{"embedded pointer nil", viaPointer{nil, true}, pairsValue("last", true), ""},
		{"tree", tree{Kids: []tree{{}}, ByName: map[string]tree{"a": {Left: &tree{}}}},
			pairsValue("Kids", array(pairsValue()), "ByName", pairsValue("a", pairsValue("Left", pairsValue()))), ""},
		{"omitted", omits{}, pairsValue("f", pairsValue("X", 0)), ""},
		{"not omitted", omits{1, []int{0}, Vector2{0, 1}, time.Unix(0, 0).UTC(), ptr(0), struct{ X int }{1}},
			pairsValue("a", 1, "b", array(0), "c", Vector2{0, 1}.Value(), "d", "1970-01-01T00:00:00Z", "e", 0, "f", pairsValue("X", 1)), ""},
		{"rest map", withRest{1, map[string]any{"b": int64(2), "c": []any{}}}, pairsValue("a", 1, "b", 2, "c", array()), ""},
		{"rest map nil", withRest{1, nil}, pairsValue("a", 1), ""},
		{"rest pairs", withPairs{1, []Pair{{NewInt(5), NewNil()}, {NewInt(5), NewNil()}}}, pairsValue("a", 1, 5, nil, 5, nil), ""},
		{"asked", asked{
			F: 1, I: 2, Name: "n", RID: 3, ID: 4, V: [3]float64{1, 2, 3}, P: struct{ A, B int16 }{5, -6},
			B: [3][3]float32{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, Wide: [9]float64{1, 2, 3, 4, 5, 6, 7, 8, 9},
			I32: []int{1}, F32: []float64{float64(float32(0.1))}, Path: [][2]float32{{1, 2}, {3, 4}}, Far: [][3]float64{{1, 2, 3}},
			Byte: []byte{1}, Ints: []int{1}, Tags: []string{"t"}, Vecs: [][2]float32{{1, 2}},
			Map: map[string]int{"b": 1, "a": 2}, Any: []any{int64(1)}, Strs: []StringName{"s"},
		}, pairsValue(
			"f", 1.0, "i", 2, "name", StringName("n"), "rid", NewRID(3), "id", NewObjectID(4),
			"v", Vector3{1, 2, 3}.Value(), "p", Vector2i{5, -6}.Value(),
			"b", Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}.Value(),
			"wide", Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}.Value(),
			"i32", NewPackedInt32Array([]int32{1}), "f32", NewPackedFloat32Array([]float32{0.1}),
			"path", NewPackedVector2Array([]Vector2{{1, 2}, {3, 4}}), "far", NewPackedVector3Array([]Vector3{{1, 2, 3}}),
			"byte", array(1), "ints", array(1).WithElemType(ElemType{Type: Int}),
			"tags", array(StringName("t")).WithElemType(ElemType{Type: StringNameType}),
			"vecs", array(Vector2{1, 2}.Value()).WithElemType(ElemType{Type: Vector2Type}),
			"map", pairsValue(StringName("a"), 2.0, StringName("b"), 1.0).WithPairTypes(ElemType{Type: StringNameType}, ElemType{Type: Float}),
			"any", array(1).WithElemType(ElemType{Type: Int}), "strs", NewPackedStringArray([]string{"s"}),
		), ""},
		{"text method", netip.MustParseAddr("10.0.0.1"), NewString("10.0.0.1"), ""},
		{"own method", celsius{20}, NewString("20°"), ""},
		{"own method in a map", map[string]celsius{"a": {1}}, pairsValue("a", "1°"), ""},
		{"own method behind a pointer", &celsius{20}, NewString("20°"), ""},
		{"own method, nil pointer", (*celsius)(nil), NewNil(), ""},
	}
	for _, m := range everyMath {
		cases = append(cases, pairCase{fmt.Sprintf("%T", m), m, m.(interface{ Value() Value }).Value(), ""})
	}
	return cases
}()

// celsius converts itself, with methods that have pointer receivers.
type celsius struct{ degrees int }

func (c *celsius) MarshalGodot() (Value, error) {
	if c.degrees < -273 {
		return Value{}, errors.New("too cold")
	}
	return NewString(fmt.Sprintf("%d°", c.degrees)), nil
}

func (c *celsius) UnmarshalGodot(v Value) error {
	s, _ := v.AsString()
	_, err := fmt.Sscanf(s, "%d°", &c.degrees)
	return err
}

func TestPairs(t *testing.T) {
	for _, c := range pairCases {
		t.Run(c.name, func(t *testing.T) {
			if c.oneWay != "read" {
				got, err := ValueOf(c.goes)
				if err != nil {
					t.Fatal(err)
				}
				if !Equal(got, c.value) {
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
func shown(v Value) string {
	s := describe(v)
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
	wide, path := newWideLanes(Vector2Type, 0.1, 0), NodePath{}.Value()
	cases := []struct {
		name  string
		value Value
		want  any
	}{
		{"keys are Strings", pairsValue("a", 1, "b", array(1.5)), map[string]any{"a": int64(1), "b": []any{1.5}}},
		{"empty", pairsValue(), map[string]any{}},
		{"other keys", pairsValue("a", 1, 2, "b", nil, true), map[any]any{"a": int64(1), int64(2): "b", nil: true}},
		{"int and float keys differ", pairsValue(1, "i", 1.0, "f"), map[any]any{int64(1): "i", 1.0: "f"}},
		{"StringName keys", pairsValue(StringName("a"), 1), map[any]any{StringName("a"): int64(1)}},
		{"key twice", pairsValue("a", 1, "a", 2), []Pair{{NewString("a"), NewInt(1)}, {NewString("a"), NewInt(2)}}},
		{"key twice for the engine", pairsValue("a", 1, StringName("a"), 2), []Pair{{NewString("a"), NewInt(1)}, {NewStringName("a"), NewInt(2)}}},
		{"zeros are one key", pairsValue(0.0, 1, math.Copysign(0, -1), 2), []Pair{{NewFloat(0), NewInt(1)}, {NewFloat(math.Copysign(0, -1)), NewInt(2)}}},
		{"key without equality", pairsValue(array(), 1), []Pair{{array(), NewInt(1)}}},
		{"NodePath key", pairsValue(path, 1), []Pair{{path, NewInt(1)}}},
		{"exact doubles", newWideLanes(Vector2Type, 0.5, 0), Vector2{0.5, 0}},
		{"inexact doubles", wide, wide},
		{"packed", NewPackedInt32Array([]int32{1}), []int32{1}},
		{"null object", Object{}.Value(), Object{}},
		{"object id", NewObjectID(5), ObjectID(5)},
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
		back, err := ValueOf(got)
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
	} else if _, ok := nan.([]Pair); !ok {
		t.Errorf("NaN as a key gives %T", nan)
	}
}

func TestErrors(t *testing.T) {
	type twice struct {
		A int `godot:"x"`
		B int `godot:"x"`
	}
	type secret struct {
		a int `godot:"a"`
	}
	type option struct {
		A int `godot:"a,omitemtpy"`
	}
	type unknownType struct {
		A int `godot:"a,type=Vektor"`
	}
	type unfit struct {
		A [4]float32 `godot:"a,type=Vector3"`
	}
	type badRest struct {
		A int `godot:",rest"`
	}
	type pp *pp
	type m = map[string]any
	type loop struct{ Next *loop }
	ring := &loop{}
	ring.Next = ring
	var self any
	self = &self
	selfMap := m{}
	selfMap["me"] = selfMap
	selfSlice := []any{nil}
	selfSlice[0] = selfSlice

	write := []struct {
		name string
		goes any
		is   error
		path string
		says string
	}{
		{"uint64", []uint64{1, 1 << 63}, ErrInexact, "[1]", "9223372036854775808"},
		{"channel", m{"a": []any{make(chan int)}}, ErrGoType, ".a[0]", "no form"},
		{"complex", 1i, ErrGoType, "", "no form"},
		{"method", map[string]celsius{"x": {-300}}, nil, ".x", "too cold"},
		{"float as int", struct {
			A float64 `godot:"a,type=int"`
		}{1.5}, ErrInexact, ".a", "1.5"},
		{"int as float", struct {
			A int64 `godot:"a,type=float"`
		}{1<<53 + 1}, ErrInexact, ".a", "round"},
		{"lanes", struct {
			A [2]float64 `godot:"a,type=Vector2"`
		}{[2]float64{1, 0.1}}, ErrInexact, ".a[1]", "round"},
		{"packed", struct {
			A []int64 `godot:"a,type=PackedInt32Array"`
		}{[]int64{0, math.MaxInt32, math.MinInt32 - 1}}, ErrInexact, ".a[2]", "-2147483649"},
		{"typed array", struct {
			A []any `godot:"a,type=Array[int]"`
		}{[]any{1, "x"}}, ErrGoType, ".a[1]", "cannot be int"},
		{"typed array of Values", struct {
			A []Value `godot:"a,type=Array[int]"`
		}{[]Value{NewInt(1), NewFloat(1)}}, ErrMismatch, ".a[1]", "float 1"},
		{"Value", struct {
			A Value `godot:"a,type=Vector2"`
		}{NewInt(1)}, ErrMismatch, ".a", "Vector2"},
		{"keys alike", map[any]int{"a": 1, StringName("a"): 2}, ErrDuplicateKey, "", `"a"`},
		{"NaN keys", map[float64]int{math.NaN(): 1, math.Float64frombits(0x7ff8000000000002): 2}, ErrDuplicateKey, "", "NaN"},
		{"rest hides a field", withRest{1, m{"a": 2}}, ErrDuplicateKey, "", `"a"`},
		{"cyclic struct", ring, ErrNesting, strings.Repeat(".Next", 1025), "itself"},
		{"cyclic pointer", self, ErrNesting, "", "itself"},
		{"cyclic map", selfMap, ErrNesting, strings.Repeat(".me", 1025), "itself"},
		{"cyclic slice", selfSlice, ErrNesting, strings.Repeat("[0]", 1025), "itself"},
		{"key twice in a struct", twice{}, ErrGoType, "", `"x"`},
		{"tag on a field that is not exported", secret{}, ErrGoType, "", "not exported"},
		{"unknown option", option{}, ErrGoType, "", "omitemtpy"},
		{"unknown type", unknownType{}, ErrGoType, "", "Vektor"},
		{"unfit type", unfit{}, ErrGoType, "", "Vector3, which is 3 numbers"},
		{"rest", badRest{}, ErrGoType, "", "map"},
		{"pointers without end", struct{ P pp }{}, ErrGoType, ".P", "without end"},
	}
	for _, c := range write {
		t.Run("write "+c.name, func(t *testing.T) {
			_, err := ValueOf(c.goes)
			checkError(t, err, true, c.is, c.path, c.says)
		})
	}

	var file fmt.Stringer
	read := []struct {
		name  string
		value Value
		into  any
		is    error
		path  string
		says  string
	}{
		{"int too large", pairsValue("entities", array(0, 300)), new(struct {
			E []uint8 `godot:"entities"`
		}), ErrInexact, ".entities[1]", "int 300 does not fit into uint8"},
		{"negative", NewInt(-1), new(uint), ErrInexact, "", "signed"},
		{"fraction", NewFloat(1.5), new(int), ErrInexact, "", "float 1.5"},
		{"NaN", NewFloat(math.NaN()), new(int), ErrInexact, "", "NaN"},
		{"float too large", NewFloat(1e300), new(int64), ErrInexact, "", "1e+300"},
		{"inexact float32", NewFloat(0.1), new(float32), ErrInexact, "", "round"},
		{"inexact from int", NewInt(1<<53 + 1), new(float64), ErrInexact, "", "int64"},
		{"inexact from int to float32", NewInt(1<<24 + 1), new(float32), ErrInexact, "", "int64"},
		{"doubles", newWideLanes(Vector3Type, 1, 0.1, 2), new(Vector3), ErrInexact, ".Y", "round"},
		{"String", NewString("5"), new(int), ErrMismatch, "", `String "5" and not int; its Go type is string`},
		{"Nil", NewNil(), new(int), ErrMismatch, "", "pointer"},
		{"Vector3", Vector3{1, 2, 3}.Value(), new(Vector2), ErrMismatch, "", "Vector3(1, 2, 3) and not Vector2; its Go type is codec.Vector3"},
		{"unknown key", pairsValue("id", 1, "sort", 2), new(base), ErrUnknownKey, "", `String "sort"`},
		{"unknown key, not text", pairsValue(5, 1), new(base), ErrUnknownKey, "", "int 5"},
		{"key in other case", pairsValue("ID", 1), new(base), ErrUnknownKey, "", `one takes "id"`},
		{"missing key", pairsValue("name", ""), new(entity), ErrMissingKey, "", `"hp"`},
		{"key twice, struct", pairsValue("id", 1, "id", 2), new(base), ErrDuplicateKey, "", "Pair"},
		{"key twice, map", pairsValue("id", 1, StringName("id"), 2), new(map[string]int), ErrDuplicateKey, "", "Pair"},
		{"key without equality", pairsValue(array(), 1), new(map[any]int), ErrMismatch, "", "Pair"},
		{"key of another type", pairsValue("a", 1, 5, 1), new(map[string]int), ErrMismatch, "[key int 5]", "String"},
		{"in a map", pairsValue(Vector2i{1, 2}.Value(), pairsValue("a b", "x")), new(map[Vector2i]map[string]int), ErrMismatch, `[Vector2i(1, 2)]["a b"]`, "int"},
		{"length", array(1, 2), new([3]int), ErrMismatch, "", "2 elements"},
		{"not an array", NewInt(1), new([]int), ErrMismatch, "", "an array"},
		{"object id", NewObjectID(1), new(Object), ErrMismatch, "", "codec.ObjectID"},
		{"object", Object{Class: "Node"}.Value(), new(ObjectID), ErrMismatch, "", "codec.Object"},
		{"interface", NewInt(1), &file, ErrGoType, "", "pointer"},
		{"not a pointer", NewInt(1), 5, ErrGoType, "", "pointer"},
		{"nil", NewInt(1), nil, ErrGoType, "", "nil"},
		{"nil pointer", NewInt(1), (*int)(nil), ErrGoType, "", "nil"},
		{"points to itself", NewInt(1), self, ErrNesting, "", "itself"},
		{"nested", nested(1026), new(any), ErrNesting, strings.Repeat("[0]", 1025), "1024"},
		{"method", pairsValue("x", "warm"), new(map[string]celsius), nil, ".x", "UnmarshalGodot"},
		{"text method", NewString("x"), new(netip.Addr), nil, "", "UnmarshalText"},
		{"tag", pairsValue(), new(option), ErrGoType, "", "omitemtpy"},
	}
	for _, c := range read {
		t.Run("read "+c.name, func(t *testing.T) {
			checkError(t, c.value.To(c.into), false, c.is, c.path, c.says)
		})
	}
}

// nested returns n Arrays in one another.
func nested(n int) Value {
	v := NewArray()
	for range n - 1 {
		v = NewArray(v)
	}
	return v
}

func checkError(t *testing.T, err error, writing bool, is error, path, says string) {
	t.Helper()
	var e *TypeError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a TypeError", err)
	}
	if e.Writing != writing || e.Path != path || is != nil && !errors.Is(err, is) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v (path %q, %v), want path %q, %v, with %q", err, e.Path, e.Err, path, is, says)
	}
}

func TestDepth(t *testing.T) {
	var x any
	if err := nested(1025).To(&x); err != nil {
		t.Error(err)
	}
	if v, err := ValueOf(x); err != nil || !Equal(v, nested(1025)) {
		t.Errorf("1025 levels: %v", err)
	}
	two := Conversion{MaxDepth: 2}
	if _, err := two.ValueOf([][][]bool{{{true}}}); err != nil {
		t.Error(err)
	}
	if _, err := two.ValueOf([][][][]bool{{{{}}}}); !errors.Is(err, ErrNesting) {
		t.Errorf("got %v", err)
	}
}

func TestConversion(t *testing.T) {
	lenient := Conversion{IgnoreUnknown: true, Round: true}
	var b base
	if err := lenient.To(pairsValue("more", 1, "id", 2), &b); err != nil || b.ID != 2 {
		t.Errorf("%v, %v", b, err)
	}
	var f float32
	if err := lenient.To(NewFloat(0.1), &f); err != nil || f != 0.1 {
		t.Errorf("%v, %v", f, err)
	}
	if err := lenient.To(NewFloat(1e300), &f); !errors.Is(err, ErrInexact) {
		t.Errorf("rounding to infinity: %v", err)
	}
	var i int
	if err := lenient.To(NewFloat(1.5), &i); !errors.Is(err, ErrInexact) {
		t.Errorf("rounding to an integer: %v", err)
	}
	var v Vector3
	if err := lenient.To(newWideLanes(Vector3Type, 0.1, 2, 3), &v); err != nil || v != (Vector3{0.1, 2, 3}) {
		t.Errorf("%v, %v", v, err)
	}
}

func TestReuse(t *testing.T) {
	s := []base{{1, "old"}, {2, "old"}, {3, "old"}}
	first := &s[0]
	if err := array(pairsValue("id", 9)).To(&s); err != nil {
		t.Fatal(err)
	}
	if len(s) != 1 || s[0] != (base{ID: 9}) || first != &s[0] {
		t.Errorf("got %v, want the same memory, cleared", s)
	}
	n := 5
	p := &n
	if err := NewInt(6).To(&p); err != nil || n != 6 {
		t.Errorf("pointer not kept: %v", err)
	}
	var in any = &n
	if err := NewInt(7).To(&in); err != nil || n != 7 {
		t.Errorf("pointer in an interface not kept: %v", err)
	}
	m := map[string]int{"old": 1}
	if err := pairsValue("new", 2).To(&m); err != nil || !reflect.DeepEqual(m, map[string]int{"new": 2}) {
		t.Errorf("got %v, %v", m, err)
	}
}

func TestSlicesAreCopies(t *testing.T) {
	s := []int32{1, 2}
	v, _ := ValueOf(s)
	s[0] = 9
	var back []int32
	if err := v.To(&back); err != nil || back[0] != 1 {
		t.Errorf("the Value changed with the slice: %v", back)
	}
	back[1] = 9
	if got, _ := v.AsPackedInt32Array(); got[1] != 2 {
		t.Errorf("the Value changed with the slice read from it: %v", got)
	}
	got, _ := v.AsPackedInt32Array()
	got[1] = 9
	if got, _ := v.AsPackedInt32Array(); got[1] != 2 {
		t.Errorf("the Value changed with the accessor's slice: %v", got)
	}
}

// TestBulkAllocs: one copy for a packed array, none into memory that is there.
func TestBulkAllocs(t *testing.T) {
	s := make([]Vector3, 1000)
	v := NewPackedVector3Array(s)
	if n := testing.AllocsPerRun(10, func() { _ = v.To(&s) }); n > 0 && bytesAreMemory {
		t.Errorf("%v allocations reading into a slice with room", n)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = v.AsPackedVector3Array() }); n > 1 && bytesAreMemory {
		t.Errorf("%v allocations reading", n)
	}
	if n := testing.AllocsPerRun(10, func() { NewPackedVector3Array(s) }); n > 1 && bytesAreMemory {
		t.Errorf("%v allocations writing", n)
	}
}

// bytesAreMemory tells the two builds of the memory functions apart.
var bytesAreMemory = testing.AllocsPerRun(5, func() { bytesOf([]Vector3{{}}) }) <= 1

// TestUnaligned reads 64-bit numbers from wherever in a packet they stand.
func TestUnaligned(t *testing.T) {
	b := make([]byte, 64)
	for at := range 16 {
		want := []int64{math.MinInt64 + 5, 1 << 40, -1}
		for i, n := range want {
			binary.LittleEndian.PutUint64(b[at+8*i:], uint64(n))
		}
		v := newPacked(PackedInt64Array, bytecode.I64, 1, b[at:at+24])
		got, ok := v.AsPackedInt64Array()
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("at %d: %v", at, got)
		}
		var to []int64
		if err := v.To(&to); err != nil || !reflect.DeepEqual(to, want) {
			t.Errorf("at %d: To gives %v, %v", at, to, err)
		}
	}
}

func TestBasisOrder(t *testing.T) {
	b := Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}
	if got := b.Value().Floats(); !reflect.DeepEqual(got, []float64{1, 4, 7, 2, 5, 8, 3, 6, 9}) {
		t.Errorf("Basis row by row: %v", got)
	}
	x := Transform3D{b, Vector3{10, 11, 12}}
	if got := x.Value().Floats(); !reflect.DeepEqual(got, []float64{1, 4, 7, 2, 5, 8, 3, 6, 9, 10, 11, 12}) {
		t.Errorf("Transform3D: %v", got)
	}
	wide := newWideLanes(BasisType, 1, 4, 7, 2, 5, 8, 3, 6, 9)
	var columns [9]float64
	if err := (Conversion{}).To(pairsValue("b", wide), &struct {
		B *[9]float64 `godot:"b,type=Basis"`
	}{&columns}); err != nil || columns != [9]float64{1, 2, 3, 4, 5, 6, 7, 8, 9} {
		t.Errorf("columns %v, %v", columns, err)
	}
}

// TestDoubles reads the wide form of every math type and packed array.
func TestDoubles(t *testing.T) {
	for _, m := range everyMath {
		v := m.(interface{ Value() Value }).Value()
		if v.Type() == ColorType || v.Floats() == nil {
			continue
		}
		got := reflect.New(reflect.TypeOf(m))
		if err := newWideLanes(v.Type(), v.Floats()...).To(got.Interface()); err != nil {
			t.Error(err)
		} else if got.Elem().Interface() != m {
			t.Errorf("%v became %v", m, got.Elem().Interface())
		}
	}
	b := newWideLanes(Vector3Type, 0.1, 2, 3)
	if got, ok := b.AsVector3(); !ok || got != (Vector3{0.1, 2, 3}) {
		t.Errorf("AsVector3: %v, %v", got, ok)
	}
	packed := FromRaw(interp.MakePacked(uint16(PackedVector2Array), bytecode.F64, 2,
		binary.LittleEndian.AppendUint64(make([]byte, 8), math.Float64bits(0.1))))
	if got, ok := packed.AsPackedVector2Array(); !ok || !reflect.DeepEqual(got, []Vector2{{0, 0.1}}) {
		t.Errorf("AsPackedVector2Array: %v, %v", got, ok)
	}
	var s []Vector2
	if err := packed.To(&s); !errors.Is(err, ErrInexact) || err.(*TypeError).Path != "[0].Y" {
		t.Errorf("got %v", err)
	}
	if err := (Conversion{Round: true}).To(packed, &s); err != nil || !reflect.DeepEqual(s, []Vector2{{0, 0.1}}) {
		t.Errorf("got %v, %v", s, err)
	}
}

// TestBits: every bit of the numbers of math types and packed arrays survives.
func TestBits(t *testing.T) {
	signaling := math.Float32frombits(0x7fa00001)
	x := Transform3D{Basis{X: Vector3{signaling, 0, 0}}, Vector3{0, 0, math.Float32frombits(0xffc12345)}}
	var y Transform3D
	if err := x.Value().To(&y); err != nil {
		t.Fatal(err)
	}
	for _, y := range []Transform3D{y, must(ValueOf(x)).as3D()} {
		if math.Float32bits(y.Basis.X.X) != 0x7fa00001 || math.Float32bits(y.Origin.Z) != 0xffc12345 {
			t.Errorf("%x %x", math.Float32bits(y.Basis.X.X), math.Float32bits(y.Origin.Z))
		}
	}
}

func (v Value) as3D() Transform3D { x, _ := v.AsTransform3D(); return x }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// everything has a field of every kind that testing/quick can fill.
type everything struct {
	Bool    bool
	Int     int
	Int8    int8
	Uint32  uint32
	Float   float64
	Single  float32
	Text    string
	Name    StringName
	Path    NodePath
	RID     RID
	Object  ObjectID
	Signal  Signal
	V2      Vector2
	R2i     Rect2i
	T3      Transform3D
	P       Projection
	Bytes   []byte
	Int32s  []int32
	Int64s  []int64
	Singles []float32
	Floats  []float64
	Texts   []string
	V2s     []Vector2
	V3is    []Vector3i
	Colors  []Color
	Array   [3]int64
	Ints    []int
	ByText  map[string]int16
	ByVec   map[Vector3i][]bool
	Ptr     *int
	Inner   struct{ A, B []uint16 }
	Columns [3][3]float64  `godot:"columns,type=Basis,round"`
	Square  [][2]int32     `godot:"square,type=PackedVector2iArray"`
	Longs   []int32        `godot:"longs,type=PackedInt64Array"`
	Typed   map[int]string `godot:"typed,type=Dictionary[int, StringName]"`
}

func TestQuick(t *testing.T) {
	roundTrip := func(x everything) bool {
		for i := range x.Columns { // so that nothing is rounded
			for j := range x.Columns[i] {
				x.Columns[i][j] = float64(int8(i*7 - j))
			}
		}
		v, err := ValueOf(x)
		if err != nil {
			t.Log(err)
			return false
		}
		var y everything
		if err := v.To(&y); err != nil {
			t.Log(err)
			return false
		}
		again, err := ValueOf(&y)
		return err == nil && Equal(v, again)
	}
	if err := quick.Check(roundTrip, &quick.Config{MaxCount: 200}); err != nil {
		t.Error(err)
	}
}

// TestConcurrentPlans makes the plans of types that contain each other from
// several goroutines at once; it is for the race detector.
func TestConcurrentPlans(t *testing.T) {
	type b struct {
		A []*struct {
			B map[string]*struct{ C []any }
		}
		Self *b
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, x := range []any{b{Self: &b{}}, tree{}, []b{{}}} {
				v, err := ValueOf(x)
				if err != nil {
					t.Error(err)
				}
				if err := v.To(reflect.New(reflect.TypeOf(x)).Interface()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// draw makes a value of choices, so that a fuzzer that shrinks its input
// shrinks the value.
func draw(choices *[]byte, depth int) Value {
	next := func() int {
		if len(*choices) == 0 {
			return 0
		}
		b := (*choices)[0]
		*choices = (*choices)[1:]
		return int(b)
	}
	words := []string{"Bool", "Int", "Inner", "A", "B", "ByText", "Texts", "id", "kind", "name", "hp", "pos", "next", ""}
	switch n := next(); n % 16 {
	case 0:
		return NewNil()
	case 1:
		return NewInt(int64(int8(next())))
	case 2:
		return NewFloat(float64(int8(next())) / 4)
	case 3:
		return NewFloat(math.Float64frombits(uint64(next())<<56 | uint64(next())<<48 | uint64(next())))
	case 4:
		return NewString(words[next()%len(words)])
	case 5:
		return NewStringName(words[next()%len(words)])
	case 6:
		return newWideLanes(Vector2Type, float64(next())/16, float64(next())*1e-9)
	case 7, 8:
		if depth == 0 {
			return NewArray()
		}
		elems := make([]Value, next()%8)
		for i := range elems {
			elems[i] = draw(choices, depth-1)
		}
		return NewArray(elems...)
	case 9, 10, 11:
		if depth == 0 {
			return NewDictionary()
		}
		pairs := make([]Pair, next()%8)
		for i := range pairs {
			pairs[i] = Pair{draw(choices, depth-1), draw(choices, depth-1)}
		}
		return NewDictionary(pairs...)
	case 12:
		return NewBool(next()%2 == 1)
	case 13:
		return NewPackedInt32Array([]int32{int32(next()) << 24, int32(next())})
	default:
		return pairCases[next()%len(pairCases)].value
	}
}

// FuzzTo reads any value into Go types of all kinds: it must not panic, and
// what was read must be written and read again as the same.
func FuzzTo(f *testing.F) {
	for i := range pairCases {
		f.Add([]byte{15, byte(i)})
	}
	f.Add([]byte{9, 2, 4, 0, 12, 1, 4, 1, 1, 5})
	f.Fuzz(func(t *testing.T, choices []byte) {
		v := draw(&choices, 6)
		_ = describe(v)
		for _, into := range []any{new(any), new(Value), new(everything), new(entity), new(deep), new(withRest), new(withPairs),
			new(asked), new(tree), new([]any), new(map[any]any), new(map[string]any), new(map[Value]Value), new([]Pair),
			new([]float32), new([]int), new([][2]float64), new(*int), new(float32), new(string), new(celsius), new(netip.Addr)} {
			if v.To(into) != nil {
				continue
			}
			a, err := ValueOf(into)
			if err != nil {
				// Only a Go map may hold keys that are one for the engine.
				if errors.Is(err, ErrDuplicateKey) {
					continue
				}
				t.Fatalf("%T: read from %s, not written: %v", into, shown(v), err)
			}
			fresh := reflect.New(reflect.TypeOf(into).Elem()).Interface()
			if err := a.To(fresh); err != nil {
				t.Fatalf("%T: written as %s, not read again: %v", into, shown(a), err)
			}
			b, err := ValueOf(fresh)
			if err != nil || !Equal(a, b) {
				t.Fatalf("%T: %s became %s, %v", into, shown(a), shown(b), err)
			}
		}
	})
}

// newWideLanes makes a math type from numbers of double precision, in the wide
// form that Godot 4 builds with double precision write.
func newWideLanes(t Type, lanes ...float64) Value {
	b := make([]byte, 0, 128)
	for _, f := range lanes {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return FromRaw(interp.MakeLanes(uint16(t), bytecode.F64, b).WithWide(true))
}

// newIntLanes makes an integer math type.
func newIntLanes(t Type, lanes ...int32) Value {
	b := make([]byte, 0, 16)
	for _, i := range lanes {
		b = binary.LittleEndian.AppendUint32(b, uint32(i))
	}
	return FromRaw(interp.MakeLanes(uint16(t), bytecode.I32, b))
}
