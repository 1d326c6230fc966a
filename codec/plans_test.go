package codec

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/octable/octable/codec/internal/variant"
)

// Base2 is embedded by pointer.
type Base2 struct {
	First string `octable:"first"`
}

func TestParseWant(t *testing.T) {
	object := func(class, script string) variant.ElemType {
		return variant.ElemType{Type: variant.ObjectType, Class: class, Script: script}
	}
	cases := []struct {
		text string
		want want // typ is Invalid where the text is a mistake
	}{
		{"Vector2", want{typ: variant.Vector2Type}},
		{"PoolIntArray", want{typ: variant.PackedInt32Array}},
		{"Array", want{typ: variant.ArrayType}},
		{"Array[int]", want{typ: variant.ArrayType, elem: variant.ElemType{Type: variant.Int}}},
		{"Array[Variant]", want{typ: variant.ArrayType}},
		{"Array[Object]", want{typ: variant.ArrayType, elem: object("Object", "")}},
		{"Array[Node2D]", want{typ: variant.ArrayType, elem: object("Node2D", "")}},
		{"Array[res://a b.gd]", want{typ: variant.ArrayType, elem: object("", "res://a b.gd")}},
		{"Dictionary[String, Variant]", want{typ: variant.DictionaryType, key: variant.ElemType{Type: variant.String}}},
		{"Dictionary[StringName,Node]", want{typ: variant.DictionaryType, key: variant.ElemType{Type: variant.StringNameType}, elem: object("Node", "")}},
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
		if ok != (c.want.typ != variant.Invalid) || ok && got != c.want {
			t.Errorf("%q: %+v, %v", c.text, got, ok)
		}
	}
}

// TestParseTag reads each option of a tag, and refuses what does not go together.
func TestParseTag(t *testing.T) {
	for text, want := range map[string]field{
		"":                            {},
		"a":                           {name: "a"},
		"a,omitempty":                 {name: "a", omitEmpty: true},
		",omitzero":                   {omitZero: true},
		"a,required,type=Array[int]":  {name: "a", required: true},
		",rest":                       {rest: true},
		"a,type=Dictionary[int, int]": {name: "a"},
	} {
		f, w, problem := parseTag(text)
		if problem != "" || f.name != want.name || f.omitEmpty != want.omitEmpty || f.omitZero != want.omitZero || f.required != want.required || f.rest != want.rest {
			t.Errorf("%q: %+v, %+v, %s", text, f, w, problem)
		}
		if (w.typ != variant.Invalid) != strings.Contains(text, "type=") {
			t.Errorf("%q: type %v", text, w.typ)
		}
	}
	for _, option := range []string{"round", "exact", "array", "string", "unix", "ignoreunknown"} {
		_, w, problem := parseTag("," + option)
		is := map[string]bool{"round": w.round, "exact": w.exact, "array": w.array, "string": w.text, "unix": w.unix, "ignoreunknown": w.loose}
		for name, set := range is {
			if problem != "" || set != (name == option) {
				t.Errorf("%s: %s is %v, %s", option, name, set, problem)
			}
		}
	}
	for _, text := range []string{"a,rest", ",rest,required", ",rest,omitempty", ",rest,omitzero", ",rest,type=int", ",type=Nothing", ",type", ",Rest", ","} {
		if _, _, problem := parseTag(text); problem == "" {
			t.Errorf("%q: no problem", text)
		}
	}
}

// TestPointers: a type may have as many pointers around it as reading follows, and no more.
func TestPointers(t *testing.T) {
	typ := reflect.TypeFor[int]()
	for n := range maxPointers + 2 {
		if p := planFor(typ, want{}); (p.problem == "") != (n <= maxPointers) {
			t.Errorf("%d pointers: %q", n, p.problem)
		}
		typ = reflect.PointerTo(typ)
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
