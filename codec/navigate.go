// Navigation in values by names and places.

package codec

import (
	"iter"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Name returns the name of v's type. It is that of an arm of a union or of a record in its schema, or of a Variant in
// Godot 4. It is "" if the type has none.
func (v Value) Name() string {
	if v.of == nil {
		return v.Type().String()
	}
	if t := v.of.Type(v.raw); t != nil {
		return t.Name
	}
	return ""
}

// Field returns the field of a record that has a name in its schema. It is the zero Value if there
// is no such field, or if it is absent.
func (v Value) Field(name string) Value {
	for n, f := range v.Fields() {
		if n == name {
			return f
		}
	}
	return Value{}
}

// Fields ranges over the fields of a record that have a value, in the order of the schema. A
// value that represents its record, such as the text of Say("hi"), is its only field.
func (v Value) Fields() iter.Seq2[string, Value] {
	return func(yield func(name string, field Value) bool) {
		if v.of == nil {
			return
		}
		t := v.of.Type(v.raw)
		if t == nil {
			return
		}
		if i := notation.Alone(t, v.raw); i >= 0 {
			yield(t.Fields[i].Name, Value{raw: v.raw.WithTag(0), of: v.of})
			return
		}
		if v.raw.Kind() != interp.Record {
			return
		}
		for i, c := range v.raw.Cells() {
			if i < len(t.Fields) && !c.IsNone() && !yield(t.Fields[i].Name, Value{raw: c, of: v.of}) {
				return
			}
		}
	}
}

// Index returns element i of a list or array, or number i of a tuple. It returns the zero Value if
// i is out of range.
func (v Value) Index(i int) Value {
	switch l := v.list(); {
	case i < 0 || i >= l.Len():
	case v.of == nil && v.isSequence():
		return v.elem(i)
	case l.Kind() == interp.List:
		return Value{raw: l.At(i), of: v.of}
	case l.Kind() == interp.Packed && l.Width() > 1:
		size := l.Width() * l.Scalar().Width()
		return Value{raw: interp.MakeLanes(0, l.Scalar(), l.Bytes()[i*size:(i+1)*size]), of: v.of}
	case l.Kind() == interp.Packed, l.Kind() == interp.Lanes:
		return Value{raw: v.number(i), of: v.of}
	}
	return Value{}
}

// number returns number i of a tuple or array.
func (v Value) number(i int) interp.Value {
	s, tag := v.raw.Scalar(), uint16(0)
	if v.of == nil {
		if tag = variant.Int; s.IsFloat() {
			tag = variant.Float
		}
	}
	bits := v.raw.LaneBits(i)
	if s.Signed() {
		bits = uint64(v.raw.LaneInt(i))
	}
	return interp.MakeScalar(tag, s, bits)
}

// All ranges over the elements of a list or array, or the numbers of a tuple.
func (v Value) All() iter.Seq2[int, Value] {
	return func(yield func(i int, elem Value) bool) {
		for i := range v.elements() {
			if !yield(i, v.Index(i)) {
				return
			}
		}
	}
}
