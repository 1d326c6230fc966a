package codec_test

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

// parseRaw makes a value that no reader returns.
func parseRaw(text string) codec.Value { return must(godot.ParseText(text)) }

func TestWriteErrors(t *testing.T) {
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
		{"uint64", []uint64{1, 1 << 63}, codec.ErrInexact, "[1]", "9223372036854775808"},
		{"channel", m{"a": []any{make(chan int)}}, codec.ErrGoType, ".a[0]", "no form"},
		{"complex", 1i, codec.ErrGoType, "", "no form"},
		{"method", map[string]celsius{"x": {-300}}, nil, ".x", "too cold"},
		{"float as int", struct {
			A float64 `octable:"a,type=int"`
		}{1.5}, codec.ErrInexact, ".a", "1.5"},
		{"int as float", struct {
			A int64 `octable:"a,type=float"`
		}{1<<53 + 1}, codec.ErrInexact, ".a", "round"},
		{"lanes", struct {
			A [2]float64 `octable:"a,type=Vector2"`
		}{[2]float64{1, 0.1}}, codec.ErrInexact, ".a[1]", "round"},
		{"packed", struct {
			A []int64 `octable:"a,type=PackedInt32Array"`
		}{[]int64{0, math.MaxInt32, math.MinInt32 - 1}}, codec.ErrInexact, ".a[2]", "-2147483649"},
		{"lanes in a struct", struct {
			A struct{ X, Y float64 } `octable:"a,type=Vector2"`
		}{struct{ X, Y float64 }{1, 0.1}}, codec.ErrInexact, ".a.Y", "round"},
		{"lanes of integers", struct {
			A [2]float64 `octable:"a,type=Vector2i"`
		}{[2]float64{1, 1.5}}, codec.ErrInexact, ".a[1]", "1.5 does not fit into the i32 that Vector2i is made of"},
		{"lanes of floats", struct {
			A [2]int64 `octable:"a,type=Vector2"`
		}{[2]int64{1<<53 + 1, 0}}, codec.ErrInexact, ".a[0]", "round"},
		{"packed unsigned", struct {
			A []uint64 `octable:"a,type=PackedInt64Array"`
		}{[]uint64{1 << 63}}, codec.ErrInexact, ".a[0]", "9223372036854775808"},
		{"packed bytes", struct {
			A []int `octable:"a,type=PackedByteArray"`
		}{[]int{255, 256}}, codec.ErrInexact, ".a[1]", "256"},
		{"typed array", struct {
			A []any `octable:"a,type=Array[int]"`
		}{[]any{1, "x"}}, codec.ErrGoType, ".a[1]", "cannot be int"},
		{"typed array of pointers", struct {
			A []*int `octable:"a,type=Array[int]"`
		}{[]*int{nil}}, codec.ErrMismatch, ".a[0]", "it is Nil, but the elements have to be int"},
		{"typed keys", struct {
			A []codec.Pair `octable:"a,type=Dictionary[int, int]"`
		}{[]codec.Pair{{Key: godot.NewString("x"), Value: godot.NewInt(1)}}}, codec.ErrMismatch, ".a", `its key String "x" has to be int`},
		{"key", map[any]int{1i: 1}, codec.ErrGoType, "[a key]", "no form"},
		{"long key", map[[30]int64]any{{}: 1i}, codec.ErrGoType, "[PackedInt64Array(0, 0, 0, 0, 0, 0, 0, 0,…]", "no form"},
		{"text method", m{"x": shout("")}, nil, ".x", "its MarshalText: it is empty"},
		{"typed array of Values", struct {
			A []codec.Value `octable:"a,type=Array[int]"`
		}{[]codec.Value{godot.NewInt(1), godot.NewFloat(1)}}, codec.ErrMismatch, ".a[1]", "float 1"},
		{"Value", struct {
			A codec.Value `octable:"a,type=Vector2"`
		}{godot.NewInt(1)}, codec.ErrMismatch, ".a", "Vector2"},
		{"keys alike", map[any]int{"a": 1, godot.StringName("a"): 2}, codec.ErrDuplicateKey, "", `"a"`},
		{"NaN keys", map[float64]int{math.NaN(): 1, math.Float64frombits(0x7ff8000000000002): 2}, codec.ErrDuplicateKey, "", "NaN"},
		{"rest hides a field", withRest{1, m{"a": 2}}, codec.ErrDuplicateKey, "", `"a"`},
		{"cyclic struct", ring, codec.ErrNesting, strings.Repeat(".Next", 1025), "itself"},
		{"cyclic pointer", self, codec.ErrNesting, "", "itself"},
		{"cyclic map", selfMap, codec.ErrNesting, strings.Repeat(".me", 1025), "itself"},
		{"cyclic slice", selfSlice, codec.ErrNesting, strings.Repeat("[0]", 1025), "itself"},
	}
	for _, c := range write {
		t.Run("write "+c.name, func(t *testing.T) {
			_, err := with(codec.Options{Exact: true}).ValueOf(c.goes)
			checkError(t, err, true, c.is, c.path, c.says)
			if _, err := godot.ValueOf(c.goes); c.says == "round" && err != nil {
				t.Errorf("without Exact: %v", err)
			}
		})
	}
}

// TestTypeErrors are errors of Go types that no value can be made of.
func TestTypeErrors(t *testing.T) {
	type twice struct {
		A int `octable:"x"`
		B int `octable:"x"`
	}
	type secret struct {
		a int `octable:"a"`
	}
	_ = secret{}.a
	type option struct {
		A int `octable:"a,omitemtpy"`
	}
	type unknownType struct {
		A int `octable:"a,type=Vektor"`
	}
	type unfit struct {
		A [4]float32 `octable:"a,type=Vector3"`
	}
	type badRest struct {
		A int `octable:",rest"`
	}
	type pp *pp
	for _, c := range []struct {
		name string
		goes any
		path string
		says string
	}{
		{"key twice in a struct", twice{}, "", `"x"`},
		{"tag on a field that is not exported", secret{}, "", "not exported"},
		{"unknown option", option{}, "", "omitemtpy"},
		{"unknown type", unknownType{}, "", "Vektor"},
		{"unfit type", unfit{}, "", "Vector3, which is 3 numbers"},
		{"rest", badRest{}, "", "map"},
		{"pointers without end", struct{ P pp }{}, ".P", "without end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := with(codec.Options{Exact: true}).ValueOf(c.goes)
			checkError(t, err, true, codec.ErrGoType, c.path, c.says)
		})
	}
}

// TestReadErrors are errors of Go values that a value does not go into.
func TestReadErrors(t *testing.T) {
	var file fmt.Stringer
	var self any
	self = &self
	type option struct {
		A int `octable:"a,omitemtpy"`
	}
	read := []struct {
		name  string
		value codec.Value
		into  any
		is    error
		path  string
		says  string
	}{
		{"int too large", pairsValue("entities", array(0, 300)), new(struct {
			E []uint8 `octable:"entities"`
		}), codec.ErrInexact, ".entities[1]", "int 300 does not fit into uint8"},
		{"negative", godot.NewInt(-1), new(uint), codec.ErrInexact, "", "signed"},
		{"fraction", godot.NewFloat(1.5), new(int), codec.ErrInexact, "", "float 1.5"},
		{"NaN", godot.NewFloat(math.NaN()), new(int), codec.ErrInexact, "", "NaN"},
		{"float too large", godot.NewFloat(1e300), new(int64), codec.ErrInexact, "", "1e+300"},
		{"inexact float32", godot.NewFloat(0.1), new(float32), codec.ErrInexact, "", "round"},
		{"inexact from int", godot.NewInt(1<<53 + 1), new(float64), codec.ErrInexact, "", "int64"},
		{"inexact from int to float32", godot.NewInt(1<<24 + 1), new(float32), codec.ErrInexact, "", "int64"},
		{"doubles", newWideLanes(godot.Vector3Type, 1, 0.1, 2), new(godot.Vector3), codec.ErrInexact, ".Y", "round"},
		{"String", godot.NewString("5"), new(int), codec.ErrMismatch, "", `String "5" and not int; its Go type is string`},
		{"Nil", godot.NewNil(), new(int), codec.ErrMismatch, "", "pointer"},
		{"Vector3", godot.Vector3{X: 1, Y: 2, Z: 3}.Value(), new(godot.Vector2), codec.ErrMismatch, "", "Vector3(1, 2, 3) and not Vector2; its Go type is godot.Vector3"},
		{"unknown key", pairsValue("id", 1, "sort", 2), new(base), codec.ErrUnknownKey, "", `String "sort"`},
		{"unknown key, not text", pairsValue(5, 1), new(base), codec.ErrUnknownKey, "", "int 5"},
		{"key in other case", pairsValue("ID", 1), new(base), codec.ErrUnknownKey, "", `one takes "id"`},
		{"missing key", pairsValue("name", ""), new(entity), codec.ErrMissingKey, "", `"hp"`},
		{"missing key behind an optional one", pairsValue(), new(entity), codec.ErrMissingKey, "", `"hp"`},
		{"key twice, struct", pairsValue("id", 1, "id", 2), new(base), codec.ErrDuplicateKey, "", "Pair"},
		{"key twice, map", pairsValue("id", 1, godot.StringName("id"), 2), new(map[string]int), codec.ErrDuplicateKey, "", "Pair"},
		{"key without equality", pairsValue(array(), 1), new(map[any]int), codec.ErrMismatch, "", "Pair"},
		{"key of another type", pairsValue("a", 1, 5, 1), new(map[string]int), codec.ErrMismatch, "[key int 5]", "String"},
		{"in a map", pairsValue(godot.Vector2i{X: 1, Y: 2}.Value(), pairsValue("a b", "x")), new(map[godot.Vector2i]map[string]int), codec.ErrMismatch, `[Vector2i(1, 2)]["a b"]`, "int"},
		{"channel", godot.NewInt(1), new(chan int), codec.ErrGoType, "", "no form"},
		{"id too large", pairsValue("a", godot.NewRID(300)), new(struct {
			A uint8 `octable:"a,type=RID"`
		}), codec.ErrInexact, ".a", "RID 300 does not fit into uint8"},
		{"lanes in an array", pairsValue("a", newWideLanes(godot.Vector2Type, 1, 0.1)), new(struct {
			A [2]float32 `octable:"a,type=Vector2"`
		}), codec.ErrInexact, ".a[1]", "round"},
		{"rest in a nil pointer", pairsValue("a", 1), new(struct{ *rests }), codec.ErrGoType, "", "cannot be set"},
		{"a value of a map", pairsValue("a", nested(1026)), new(any), codec.ErrNesting, ".a" + strings.Repeat("[0]", 1024), "1024"},
		{"length", array(1, 2), new([3]int), codec.ErrMismatch, "", "2 elements"},
		{"not an array", godot.NewInt(1), new([]int), codec.ErrMismatch, "", "an array"},
		{"object id", godot.NewObjectID(1), new(godot.Object), codec.ErrMismatch, "", "godot.ObjectID"},
		{"object", godot.Object{Class: "Node"}.Value(), new(godot.ObjectID), codec.ErrMismatch, "", "godot.Object"},
		{"interface", godot.NewInt(1), &file, codec.ErrGoType, "", "pointer"},
		{"not a pointer", godot.NewInt(1), 5, codec.ErrGoType, "", "pointer"},
		{"nil", godot.NewInt(1), nil, codec.ErrGoType, "", "nil"},
		{"nil pointer", godot.NewInt(1), (*int)(nil), codec.ErrGoType, "", "nil"},
		{"points to itself", godot.NewInt(1), self, codec.ErrNesting, "", "itself"},
		{"nested", nested(1026), new(any), codec.ErrNesting, strings.Repeat("[0]", 1025), "1024"},
		{"method", pairsValue("x", "warm"), new(map[string]celsius), nil, ".x", "UnmarshalOctable"},
		{"text method", godot.NewString("x"), new(netip.Addr), nil, "", "UnmarshalText"},
		{"tag", pairsValue(), new(option), codec.ErrGoType, "", "omitemtpy"},
	}
	for _, c := range read {
		t.Run("read "+c.name, func(t *testing.T) {
			checkError(t, with(codec.Options{Exact: true}).To(c.value, c.into), false, c.is, c.path, c.says)
		})
	}
}

// nested returns n Arrays in one another.
func nested(n int) codec.Value {
	v := godot.NewArray()
	for range n - 1 {
		v = godot.NewArray(v)
	}
	return v
}

func checkError(t *testing.T, err error, writing bool, is error, path, says string) {
	t.Helper()
	var e *codec.TypeError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a TypeError", err)
	}
	if e.Writing != writing || e.Path != path || is != nil && !errors.Is(err, is) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v (path %q, %v), want path %q, %v, with %q", err, e.Path, e.Err, path, is, says)
	}
}
