// The generic value, and how to make and read one.

package codec

import (
	"iter"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Value is any value of a format: everything the wire can say, in 32 bytes
// that are passed by copy. Dictionaries keep their order; int, float, String,
// StringName and the rest are distinct. The zero Value represents no value.
//
// Values are immutable and may be shared between goroutines. A decoded Value
// shares memory with the private copy of the packet that decoding made, or,
// with [Options.Alias], with the packet itself.
//
// Values are compared with [Value.Equal] and not with ==, which would compare places in memory.
type Value struct {
	_   [0]func() // not comparable
	raw interp.Value
	of  *notation.Notation // names of the schema; nil for Variants
}

// Type returns what v is.
func (v Value) Type() Type { return Type(v.raw.Tag()) }

// wrap returns a Variant.
func wrap(v interp.Value) Value { return Value{raw: v} }

// IsNil reports whether v is Nil or the zero Value.
func (v Value) IsNil() bool { return v.Type() <= variant.Nil }

func rawCells(cells []Value) []interp.Value {
	out := make([]interp.Value, len(cells))
	for i, c := range cells {
		out[i] = c.raw
	}
	return out
}

// Pair is one entry of a Dictionary.
type Pair struct{ Key, Value Value }

// dictionary returns an untyped Dictionary.
func dictionary(pairs []Pair) Value {
	cells := make([]Value, 0, 2*len(pairs))
	for _, p := range pairs {
		cells = append(cells, p.Key, p.Value)
	}
	return wrap(interp.MakeMap(variant.DictionaryType, rawCells(cells)))
}

// list returns the List or Map in a container, which is v itself when it is untyped.
func (v Value) list() interp.Value {
	if v.raw.Kind() == interp.Record && (v.of == nil || v.Type() < variant.FirstOwn) {
		return variant.List(v.raw)
	}
	return v.raw
}

// AsBool returns a bool's value; ok is false for other types.
func (v Value) AsBool() (b, ok bool) { return v.raw.Bool(), v.raw.Kind() == interp.Bool }

// AsInt returns the value of an int, or of an integer of another schema that fits. For other values ok is false.
func (v Value) AsInt() (i int64, ok bool) {
	return v.raw.Int(), v.raw.Kind() == interp.Int || v.of != nil && v.raw.Kind() == interp.Uint && v.raw.Int() >= 0
}

// AsFloat returns a float's value; ok is false for other types. An int is not a float.
func (v Value) AsFloat() (f float64, ok bool) { return v.raw.Float(), v.raw.Kind() == interp.Float }

// AsString returns the text of a String or StringName, or a text of another schema. For other values ok is false. The
// string shares memory with v.
func (v Value) AsString() (s string, ok bool) {
	t := v.Type()
	return v.raw.Text(), t == variant.String || t == variant.StringNameType || v.of != nil && v.raw.Kind() == interp.Text
}

// AsUint returns the number of an RID or of an Object given by its instance id. Of a value of another schema it returns
// an integer that is not negative. For other values ok is false.
func (v Value) AsUint() (id uint64, ok bool) {
	return v.raw.Uint(), v.raw.Kind() == interp.Uint || v.of != nil && v.raw.Kind() == interp.Int && v.raw.Int() >= 0
}

// Len returns the number of parts of v. They are elements of an Array or packed array, pairs of a Dictionary, bytes of
// a String or StringName, or numbers of a math type. It is 0 for other values.
func (v Value) Len() int {
	if v.Type() == variant.ArrayType || v.Type() == variant.DictionaryType {
		return v.list().Len()
	}
	return v.raw.Len()
}

// Elems returns the elements of a list, an Array (typed or not) or a PackedStringArray, in a new slice. It returns nil
// for other values. [Value.All] needs no memory.
func (v Value) Elems() []Value {
	l := v.list()
	if l.Kind() != interp.List {
		return nil
	}
	out := make([]Value, l.Len())
	for i := range out {
		out[i] = v.Index(i)
	}
	return out
}

// Pairs ranges over the keys and values of a Dictionary in order, every one that was sent. It does not merge keys that
// are equal for the engine.
func (v Value) Pairs() iter.Seq2[Value, Value] {
	cells := v.list()
	return func(yield func(k, v Value) bool) {
		if cells.Kind() != interp.Map {
			return
		}
		c := cells.Cells()
		for i := 0; i+1 < len(c); i += 2 {
			if !yield(Value{raw: c[i], of: v.of}, Value{raw: c[i+1], of: v.of}) {
				return
			}
		}
	}
}

// Get returns the value under the last String or StringName key that is the
// given text. It reports whether there is one.
func (v Value) Get(key string) (Value, bool) {
	var found Value
	ok := false
	for k, val := range v.Pairs() {
		if s, isText := k.AsString(); isText && s == key {
			found, ok = val, true
		}
	}
	return found, ok
}

// Floats returns the numbers of a math type (Vector2 … Color) or of a packed array of floats or vectors. They are
// float64, in wire order and in one slice; nil for other values. Basis is row by row, Projection column by column.
func (v Value) Floats() []float64 {
	if !v.raw.Scalar().IsFloat() || v.raw.Kind() < interp.Lanes || v.raw.Kind() > interp.Packed {
		return nil
	}
	n := len(v.raw.Bytes()) / v.raw.Scalar().Width()
	out := make([]float64, n)
	for i := range out {
		out[i] = v.raw.LaneFloat(i)
	}
	return out
}

// Ints returns the numbers of an integer math type (Vector2i …) or of a packed array of integers. It returns nil for
// other values. Bytes count from 0 to 255.
func (v Value) Ints() []int64 {
	if s := v.raw.Scalar(); s == bytecode.NoScalar || s.IsFloat() || v.raw.Kind() < interp.Lanes || v.raw.Kind() > interp.Packed {
		return nil
	}
	n := len(v.raw.Bytes()) / v.raw.Scalar().Width()
	out := make([]int64, n)
	for i := range out {
		out[i] = v.raw.LaneInt(i)
	}
	return out
}

// Bytes returns the contents of a PackedByteArray, or of an array of bytes of another schema. It is nil for other
// values. The caller must not change it.
func (v Value) Bytes() []byte {
	if v.Type() != variant.PackedByteArray && (v.of == nil || v.raw.Kind() != interp.Packed || v.raw.Scalar() != bytecode.U8) {
		return nil
	}
	return v.raw.Bytes()
}

// Strings returns the elements of a PackedStringArray; nil for other values.
func (v Value) Strings() []string {
	if v.Type() != variant.PackedStringArray {
		return nil
	}
	cells := v.raw.Cells()
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c.Text()
	}
	return out
}
