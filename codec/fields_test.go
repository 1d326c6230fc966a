package codec

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"
)

func TestParseWant(t *testing.T) {
	object := func(class, script string) ElemType { return ElemType{ObjectType, class, script} }
	cases := []struct {
		text string
		want want // typ is Invalid where the text is a mistake
	}{
		{"Vector2", want{typ: Vector2Type}},
		{"PoolIntArray", want{typ: PackedInt32Array}},
		{"Array", want{typ: ArrayType}},
		{"Array[int]", want{typ: ArrayType, elem: ElemType{Type: Int}}},
		{"Array[Variant]", want{typ: ArrayType}},
		{"Array[Object]", want{typ: ArrayType, elem: object("Object", "")}},
		{"Array[Node2D]", want{typ: ArrayType, elem: object("Node2D", "")}},
		{"Array[res://a b.gd]", want{typ: ArrayType, elem: object("", "res://a b.gd")}},
		{"Dictionary[String, Variant]", want{typ: DictionaryType, key: ElemType{Type: String}}},
		{"Dictionary[StringName,Node]", want{typ: DictionaryType, key: ElemType{Type: StringNameType}, elem: object("Node", "")}},
		{"", want{}},
		{"Vektor", want{}},
		{"invalid", want{}},
		{"builtin", want{}},
		{"Array[", want{}},
		{"Array[]", want{}},
		{"Array[Nil]", want{}},
		{"Array[vector]", want{}},
		{"Array[untyped]", want{}},
		{"Array[int, int]", want{}},
		{"Array[Array[int]]", want{}},
		{"Dictionary[int]", want{}},
		{"Dictionary[Vektor x, int]", want{}},
		{"Vector2[int]", want{}},
	}
	for _, c := range cases {
		got, ok := parseWant(c.text)
		if ok != (c.want.typ != Invalid) || ok && got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
}

func TestTypedContainers(t *testing.T) {
	type typed struct {
		Nodes []ObjectID       `godot:"nodes,type=Array[Node2D]"`
		Keys  map[string]Value `godot:"keys,type=Dictionary[StringName, Object]"`
		Inner struct{ A int }  `godot:"inner,type=Dictionary[StringName, int]"`
		Any   map[any]*Object  `godot:"any,type=Dictionary[Variant, Node]"`
	}
	x := typed{Nodes: []ObjectID{1}, Keys: map[string]Value{"a": NewObjectID(5), "b": NewNil()}, Any: map[any]*Object{int64(1): nil}}
	v, err := ValueOf(x)
	if err != nil {
		t.Fatal(err)
	}
	want := pairsValue(
		"nodes", array(NewObjectID(1)).WithElemType(ElemType{ObjectType, "Node2D", ""}),
		"keys", pairsValue(StringName("a"), NewObjectID(5), StringName("b"), nil).WithPairTypes(ElemType{Type: StringNameType}, ElemType{ObjectType, "Object", ""}),
		"inner", pairsValue(StringName("A"), 0).WithPairTypes(ElemType{Type: StringNameType}, ElemType{Type: Int}),
		"any", pairsValue(1, nil).WithPairTypes(ElemType{}, ElemType{ObjectType, "Node", ""}),
	)
	if !Equal(v, want) {
		t.Errorf("got %s", shown(v))
	}
	var y typed
	if err := v.To(&y); err != nil || !reflect.DeepEqual(x, y) {
		t.Errorf("got %+v, %v", y, err)
	}

	for name, bad := range map[string]any{
		"values have to be int": struct {
			A struct{ B string } `godot:"a,type=Dictionary[String, int]"`
		}{},
		"but the tag asks for Object": struct {
			A map[string]Value `godot:"a,type=Dictionary[String, Node]"`
		}{map[string]Value{"x": NewInt(1)}},
		"int 1, but the tag asks for String": struct {
			A map[Value]int `godot:"a,type=Dictionary[String, int]"`
		}{map[Value]int{NewInt(1): 1}},
		"has String keys, not int": struct {
			A struct{} `godot:"a,type=Dictionary[int, int]"`
		}{},
		"cannot be PackedVector2Array": struct {
			A [][3]float32 `godot:"a,type=PackedVector2Array"`
		}{},
		"cannot be bool": struct {
			A int `godot:"a,type=bool"`
		}{},
		"cannot be PackedInt32Array, as": struct {
			A []*int32 `godot:"a,type=PackedInt32Array"`
		}{},
		"more than rest": struct {
			A map[string]int `godot:"a,rest"`
		}{},
		"two fields for the rest": struct {
			A map[string]int `godot:",rest"`
			B []Pair         `godot:",rest"`
		}{},
	} {
		if _, err := ValueOf(bad); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
}

// TestOffsets: the offset of a field is where reflection finds it.
func TestOffsets(t *testing.T) {
	type Inner struct{ A, B int32 }
	type Middle struct {
		X bool
		Inner
	}
	type outer struct {
		First byte
		Middle
		*Base2
		Last string
	}
	p := planFor(reflect.TypeFor[outer](), want{})
	x := outer{Base2: &Base2{}}
	rv := reflect.ValueOf(&x).Elem()
	names := ""
	for i := range p.fields.fields {
		f := &p.fields.fields[i]
		names += f.name + " "
		fv, _ := f.in(rv)
		if at := uintptr(unsafe.Pointer(fv.UnsafeAddr())) - uintptr(unsafe.Pointer(&x)); !f.indirect && at != f.offset {
			t.Errorf("%s: at %d, not %d", f.name, at, f.offset)
		} else if f.indirect != (f.name == "first") {
			t.Errorf("%s: indirect is %v", f.name, f.indirect)
		}
	}
	if names != "First X A B first Last " {
		t.Errorf("fields %s", names)
	}
}

// TestEmbeddedConflicts: which of several fields of one name counts.
func TestEmbeddedConflicts(t *testing.T) {
	type L struct{ N int }
	type R struct{ N int }
	type Tagged struct {
		M int `godot:"N"`
	}
	if _, err := ValueOf(struct {
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
	} {
		if v, err := ValueOf(x); err != nil || !Equal(v, pairsValue("N", 5)) {
			t.Errorf("%s: %s, %v", name, shown(v), err)
		}
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
