package godot_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/compiler"
	"github.com/octable/octable/codec/godot"
)

// TestElemTypes gives Arrays and Dictionaries types of elements, and other values none.
func TestElemTypes(t *testing.T) {
	ints := godot.ElemType{Type: godot.Int}
	enemy := godot.ElemType{Type: godot.ObjectType, Script: "res://enemy.gd"}
	one := godot.NewInt(1)
	array := godot.WithElemType(godot.NewArray(one), ints)
	pairs := godot.WithPairTypes(godot.NewDictionary(codec.Pair{Key: one, Value: one}), ints, enemy)
	for elem, want := range map[godot.ElemType]string{{}: "Variant", {Type: godot.ObjectType, Class: "Node"}: "Node", {Type: godot.ObjectType, Class: "Node", Script: "res://x.gd"}: "res://x.gd"} {
		if got := elem.String(); got != want {
			t.Errorf("the type of elements %+v is %s, want %s", elem, got, want)
		}
	}
	if array.Len() != 1 || pairs.Len() != 1 {
		t.Errorf("%d elements, %d pairs", array.Len(), pairs.Len())
	}
	if got := godot.ElemTypeOf(array); got != ints || got.String() != "int" || got.IsUntyped() {
		t.Errorf("elements of type %+v", got)
	}
	if key, value := godot.PairTypesOf(pairs); key != ints || value != enemy || !strings.Contains(value.String(), "enemy.gd") {
		t.Errorf("pairs of types %+v, %+v", key, value)
	}
	if got := godot.WithElemType(one, ints); !got.Equal(one) || !godot.ElemTypeOf(pairs).IsUntyped() || !godot.ElemTypeOf(godot.NewArray()).IsUntyped() {
		t.Errorf("%v has a type of elements", got)
	}
	key, value := godot.PairTypesOf(array)
	if got := godot.WithPairTypes(one, ints, ints); !got.Equal(one) || !key.IsUntyped() || !value.IsUntyped() {
		t.Errorf("%v has types of pairs", got)
	}
}

// TestParts takes values apart that are made of parts. Others have none.
func TestParts(t *testing.T) {
	one := godot.NewInt(1)
	path := godot.NodePath{Names: []string{"root", "Level"}, Subnames: []string{"x"}, Absolute: true}
	if p, ok := godot.AsNodePath(path.Value()); !ok || len(p.Names) != 2 || p.Names[1] != "Level" || p.Subnames[0] != "x" || !p.Absolute {
		t.Errorf("%+v, %v", p, ok)
	}
	object := godot.Object{Class: "Timer", Properties: []godot.Property{{Name: "wait", Value: one}}}
	if o, ok := godot.AsObject(object.Value()); !ok || o.Class != "Timer" || len(o.Properties) != 1 || o.Properties[0].Name != "wait" || !o.Properties[0].Value.Equal(one) {
		t.Errorf("%+v, %v", o, ok)
	}
	if o, ok := godot.AsObject(godot.Object{}.Value()); !ok || o.Class != "" || o.Properties != nil {
		t.Errorf("the null object is %+v, %v", o, ok)
	}
	signal := godot.Signal{Name: "timeout", Object: 7}
	if s, ok := godot.AsSignal(signal.Value()); !ok || s != signal {
		t.Errorf("%+v, %v", s, ok)
	}
	if _, ok := godot.AsNodePath(one); ok {
		t.Error("1 is a NodePath")
	}
	for _, v := range []godot.Value{one, godot.NewObjectID(7)} {
		if o, ok := godot.AsObject(v); ok {
			t.Errorf("%v is the object %+v", v, o)
		}
	}
	if _, ok := godot.AsSignal(one); ok {
		t.Error("1 is a Signal")
	}
}

// TestStyleOf: text has the names of types of the engine that the schema is of.
func TestStyleOf(t *testing.T) {
	for id, want := range map[string]godot.TextNames{"godot-4.4": godot.Godot4Names, "godot-3": godot.Godot3Names, "pandemonium-5": godot.PandemoniumNames} {
		if got := godot.StyleOf(codec.MustLoad(id)); got.Names != want {
			t.Errorf("%s: %+v, want names %d", id, got, want)
		}
	}
}

// TestFrameErrors: the error of a frame has its size and the option that allows it.
func TestFrameErrors(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	limited, err := c.With(codec.Options{MaxFrame: 16})
	if err != nil {
		t.Fatal(err)
	}
	read := func(stream string) error {
		_, err := godot.NewDecoder(limited, strings.NewReader(stream)).DecodeValue()
		return err
	}
	for want, err := range map[string]error{
		"takes 4 of the 8 bytes":                read("\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
		"a length of 16777216 at byte 0":        read("\x00\x00\x00\x01"),
		"has 28 bytes, and a frame at most 16;": godot.NewEncoder(limited, io.Discard).Encode("a text of 20 letters"),
	} {
		var e *godot.FrameError
		if !errors.As(err, &e) || !errors.Is(err, godot.ErrFrame) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// lazy takes up to a number of bytes of each write, without an error.
type lazy struct {
	bytes.Buffer
	most int
}

func (l *lazy) Write(b []byte) (int, error) { return l.Buffer.Write(b[:min(len(b), l.most)]) }

// TestLargeFrames sends small frames after a large one, by a writer that does not take all at once.
func TestLargeFrames(t *testing.T) {
	c := codec.MustLoad("godot-4.4")
	large := strings.Repeat("a", 1<<20+1)
	out := &lazy{most: 1 << 20}
	e := godot.NewEncoder(c, out)
	if err := e.Encode(large); !errors.Is(err, io.ErrShortWrite) {
		t.Fatal(err)
	}
	for _, err := range []error{e.Flush(), e.Encode(large[:1000]), e.Encode("b"), e.Flush()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d := godot.NewDecoder(c, &out.Buffer)
	for _, n := range []int{len(large), 1000} {
		if b, err := d.ReadFrame(); err != nil || len(b) < n {
			t.Fatal(len(b), err)
		}
	}
	if v, err := d.DecodeValue(); err != nil || !v.Equal(godot.NewString("b")) {
		t.Error(v, err)
	}
}

// TestOtherLayouts reads values of a schema whose NodePath, Object and Signal have other fields. They are not taken for
// those of the engines.
func TestOtherLayouts(t *testing.T) {
	c, err := compiler.New(`schema "other" {
    root Variant
}

union Variant by type {
    | 0 | 1 | u8 | type |
}

arm Variant 4 String {
    | 1 | 1 | u8      | n = len(text) |
    | 2 | n | utf8[n] | text          |
}

arm Variant 1 NodePath {
    | 1 | 1 | u8 | absolute |
    | 2 | 1 | i8 | names    |
    | 3 | 1 | u8 | subnames |
}

arm Variant 2 Object {
    | 1 | 1 | u8 | a |
    | 2 | 1 | i8 | b |
    | 3 | 1 | u8 | c |
}

arm Variant 3 Signal {
    | 1 | 1 | u8 | a |
    | 2 | 1 | i8 | b |
}

arm Variant 5 Dictionary {
    | 1 | 1 | u8 | n = count(pairs) |
    map n as pairs {
        | P   | K | Variant | key   |
        | P+K | V | Variant | value |
    }
}

arm Variant 6 Array {
    | 1 | 1 | u8 | n = count(elements) |
    repeat n as elements {
        | P | V | Variant | element |
    }
}
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []string{"\x01\x01\x02\x03", "\x02\x01\x02\x03", "\x03\x01\x02"} {
		v, _, err := c.Decode([]byte(b))
		if err != nil {
			t.Fatal(err)
		}
		if v.Type() >= godot.FirstOwn {
			t.Errorf("%v has the type %v, want one of Variants", v, v.Type())
		}
		_, path := godot.AsNodePath(v)
		_, object := godot.AsObject(v)
		_, signal := godot.AsSignal(v)
		if path || object || signal {
			t.Errorf("%v (%v) is taken for a NodePath %v, an Object %v, a Signal %v", v, v.Type(), path, object, signal)
		}
	}
	old, _, err := codec.MustLoad("godot-3.2-doc").Decode([]byte("\x0f\x00\x00\x00\x03\x00\x00\x00a/b\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := godot.AsNodePath(old); ok {
		t.Errorf("%v, a text of the older form, is taken for the path %v", old, p)
	}
}
