package codec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

func TestTypedContainers(t *testing.T) {
	type typed struct {
		Nodes []godot.ObjectID       `octable:"nodes,type=Array[Node2D]"`
		Keys  map[string]codec.Value `octable:"keys,type=Dictionary[StringName, Object]"`
		Inner struct{ A int }        `octable:"inner,type=Dictionary[StringName, int]"`
		Any   map[any]*godot.Object  `octable:"any,type=Dictionary[Variant, Node]"`
	}
	x := typed{Nodes: []godot.ObjectID{1}, Keys: map[string]codec.Value{"a": godot.NewObjectID(5), "b": godot.NewNil()}, Any: map[any]*godot.Object{int64(1): nil}}
	v, err := godot.ValueOf(x)
	if err != nil {
		t.Fatal(err)
	}
	want := pairsValue(
		"nodes", godot.WithElemType(array(godot.NewObjectID(1)), godot.ElemType{Type: godot.ObjectType, Class: "Node2D", Script: ""}),
		"keys", godot.WithPairTypes(pairsValue(godot.StringName("a"), godot.NewObjectID(5), godot.StringName("b"), nil), godot.ElemType{Type: godot.StringNameType}, godot.ElemType{Type: godot.ObjectType, Class: "Object", Script: ""}),
		"inner", godot.WithPairTypes(pairsValue(godot.StringName("A"), 0), godot.ElemType{Type: godot.StringNameType}, godot.ElemType{Type: godot.Int}),
		"any", godot.WithPairTypes(pairsValue(1, nil), godot.ElemType{}, godot.ElemType{Type: godot.ObjectType, Class: "Node", Script: ""}),
	)
	if !codec.Equal(v, want) {
		t.Errorf("got %s", shown(v))
	}
	var y typed
	if err := v.To(&y); err != nil || !reflect.DeepEqual(x, y) {
		t.Errorf("got %+v, %v", y, err)
	}

	for name, bad := range map[string]any{
		"values have to be int": struct {
			A struct{ B string } `octable:"a,type=Dictionary[String, int]"`
		}{},
		"but the tag asks for Object": struct {
			A map[string]codec.Value `octable:"a,type=Dictionary[String, Node]"`
		}{map[string]codec.Value{"x": godot.NewInt(1)}},
		"int 1, but the tag asks for String": struct {
			A codec.Value `octable:"a,type=String"`
		}{godot.NewInt(1)},
		"has String keys, not int": struct {
			A struct{} `octable:"a,type=Dictionary[int, int]"`
		}{},
		"cannot be PackedVector2Array": struct {
			A [][3]float32 `octable:"a,type=PackedVector2Array"`
		}{},
		"cannot be bool": struct {
			A int `octable:"a,type=bool"`
		}{},
		"cannot be PackedStringArray": struct {
			A []int `octable:"a,type=PackedStringArray"`
		}{},
		"cannot be int": struct {
			A []int `octable:"a,type=int"`
		}{},
		"cannot be int, as": struct {
			A struct{ B int } `octable:"a,type=int"`
		}{},
		"point, which cannot be int": struct {
			A point `octable:"a,type=int"`
		}{},
		"cannot be Vector2": struct {
			A [20]float32 `octable:"a,type=Vector2"`
		}{},
		"cannot be Vector2,": struct {
			A [2]string `octable:"a,type=Vector2"`
		}{},
		"cannot be Vector2, which": struct {
			A struct {
				X float32
				Y string
			} `octable:"a,type=Vector2"`
		}{},
		"cannot be Vector2, whi": struct {
			A struct{ X, y float32 } `octable:"a,type=Vector2"`
		}{},
		"cannot be PackedInt32Array, as": struct {
			A []*int32 `octable:"a,type=PackedInt32Array"`
		}{},
		"more than rest": struct {
			A map[string]int `octable:"a,rest"`
		}{},
		"two fields for the rest": struct {
			A map[string]int `octable:",rest"`
			B []codec.Pair   `octable:",rest"`
		}{},
	} {
		if _, err := godot.ValueOf(bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
}

// TestEmbeddedConflicts: which of several fields of one name counts.
func TestEmbeddedConflicts(t *testing.T) {
	type L struct{ N int }
	type R struct{ N int }
	type Tagged struct {
		M int `octable:"N"`
	}
	if _, err := godot.ValueOf(struct {
		L
		R
	}{}); err == nil || !strings.Contains(err.Error(), `"N"`) {
		t.Errorf("two of the same depth: %v", err)
	}
	for name, x := range map[string]any{
		"outer hides": struct {
			L
			R
			N int
		}{N: 5},
		"tagged hides": struct {
			L
			Tagged
		}{Tagged: Tagged{5}},
		"tagged before hides": struct {
			Tagged
			L
		}{Tagged: Tagged{5}},
	} {
		if v, err := godot.ValueOf(x); err != nil || !codec.Equal(v, pairsValue("N", 5)) {
			t.Errorf("%s: %s, %v", name, shown(v), err)
		}
	}
	type Number int
	vector, err := godot.ValueOf(godot.Vector2{X: 1})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := godot.ValueOf(struct {
		Number
		godot.Vector2
		N int
	}{3, godot.Vector2{X: 1}, 5}); err != nil || !codec.Equal(v, pairsValue("Number", 3, "Vector2", vector, "N", 5)) {
		t.Errorf("embedded types without fields: %s, %v", shown(v), err)
	}
	type hidden struct{ N int }
	type holder struct{ *hidden }
	if err := pairsValue("N", 1).To(new(holder)); err == nil || !strings.Contains(err.Error(), "not exported") {
		t.Errorf("embedded pointer that cannot be set: %v", err)
	}
	if err := pairsValue("N", 1).To(&holder{&hidden{}}); err != nil {
		t.Error(err)
	}
}
