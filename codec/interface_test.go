package codec_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
)

type Shape interface{ Area() float64 }

type Circle struct {
	Radius float64 `octable:"radius"`
}

type Box struct {
	Width  float64 `octable:"width"`
	Height float64 `octable:"height"`
}

// Word is a shape that is written as a String.
type Word struct{}

func (Word) Area() float64                        { return 0 }
func (Word) MarshalOctable() (codec.Value, error) { return godot.NewString("word"), nil }

func (c Circle) Area() float64 { return 3 * c.Radius * c.Radius }
func (b *Box) Area() float64   { return b.Width * b.Height }

// The values of an interface are Dictionaries that name their type.
func ExampleInterfaceOf() {
	c, err := codec.MustLoad("godot-4").With(codec.Options{Interfaces: []codec.Interface{
		codec.InterfaceOf("kind", map[string]Shape{"circle": Circle{}, "box": &Box{}}),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal([]Shape{Circle{1}, &Box{2, 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	v, _, _ := c.Decode(b)
	fmt.Println(v)
	var shapes []Shape
	if err := c.Unmarshal(b, &shapes); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range shapes {
		fmt.Printf("%T %v\n", s, s.Area())
	}
	// Output:
	// [{"kind": "circle", "radius": 1.0}, {"kind": "box", "width": 2.0, "height": 3.0}]
	// codec_test.Circle 3
	// *codec_test.Box 6
}

// TestInterfaces reads and writes interfaces in every place, and names what is wrong.
func TestInterfaces(t *testing.T) {
	with := func(all ...codec.Interface) (*codec.Codec, error) {
		return codec.MustLoad("godot-4").With(codec.Options{Interfaces: all})
	}
	shapes := codec.InterfaceOf("kind", map[string]Shape{"circle": Circle{}, "box": &Box{}})
	c, err := with(shapes)
	if err != nil {
		t.Fatal(err)
	}
	type scene struct {
		Main  Shape
		All   map[string]Shape
		Other Shape `octable:",omitempty"`
	}
	for _, want := range []any{&scene{Circle{1}, map[string]Shape{"a": &Box{1, 2}, "b": nil}, nil}, &[]Shape{nil, Circle{2}}, &[2]Shape{&Box{}, Circle{}}} {
		b, err := c.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(want).Elem()).Interface()
		if err := c.Unmarshal(b, got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	unnamed, err := with(codec.InterfaceOf("kind", map[string]Shape{"": Circle{}}))
	if err != nil {
		t.Fatal(err)
	}
	var unread Shape
	if err := unnamed.To(parse(t, unnamed, `{"radius": 1.0}`), &unread); !errors.Is(err, codec.ErrMissingKey) {
		t.Error(unread, err)
	}
	words, err := with(codec.InterfaceOf("kind", map[string]Shape{"word": Word{}}))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := words.Marshal([]Shape{Word{}}); err == nil || !strings.Contains(err.Error(), "has no place for the name of its type") {
		t.Errorf("% x, %v", b, err)
	}
	for text, want := range map[string]string{
		`{"radius": 1.0}`:                 `"kind" is Nil, which names none of its types: box, circle`,
		`{"kind": "cone"}`:                `"kind" is String "cone", which names none of its types: box, circle`,
		`5`:                               `it is int 5 and not Dictionary`,
		`{"kind": "circle", "height": 1}`: `no field takes its key String "height"`,
	} {
		v, err := godot.ParseText(text)
		if err != nil {
			t.Fatal(err)
		}
		var s Shape
		if err := c.To(v, &s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	type clash struct {
		Circle
		Kind string `octable:"kind"`
	}
	for want, x := range map[error]any{codec.ErrGoType: []Shape{clash{}}, codec.ErrDuplicateKey: []Shape{clash{}}} {
		d := c
		if want == codec.ErrDuplicateKey {
			if d, err = with(codec.InterfaceOf("kind", map[string]Shape{"clash": clash{}})); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Marshal(x); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	for want, all := range map[string][]codec.Interface{
		"is no interface type":      {{}},
		"is declared twice":         {shapes, shapes},
		"has no key":                {codec.InterfaceOf[Shape]("", nil)},
		"a type with two names":     {codec.InterfaceOf("a", map[string]Shape{"x": Circle{}, "y": Circle{}})},
		"only structs and pointers": {codec.InterfaceOf("a", map[string]any{"x": 5})},
		`"y" of codec_test.Shape`:   {codec.InterfaceOf("a", map[string]Shape{"y": nil})},
	} {
		if _, err := with(all...); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "codec: option Interfaces: ") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// Arms have no key, and a type each.
	arms := compiled(t, "../spec/formats/cbor.oct")
	for want, i := range map[string]codec.Interface{
		`codec_test.Shape has the key "kind"`: shapes,
		`"y" of codec_test.Shape is nil`:      codec.InterfaceOf("", map[string]Shape{"y": nil}),
	} {
		if _, err := arms.With(codec.Options{Interfaces: []codec.Interface{i}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// without a declaration the error names the option
	var s Shape
	if err := codec.MustLoad("godot-4").To(godot.NewInt(5), &s); err == nil || !strings.Contains(err.Error(), "Options.Interfaces") {
		t.Error(err)
	}
}
