// The generic value, and how to make and read one.

package codec

import (
	"encoding/binary"
	"iter"
	"math"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// Value is any value of a format: everything the wire can say, in 32 bytes
// that are passed by copy. Dictionaries keep their order; int, float, String,
// StringName and the rest are distinct. The zero Value is [Invalid].
//
// Values are immutable and may be shared between goroutines. A decoded Value
// shares memory with the private copy of the packet that decoding made, or,
// with [Options.Alias], with the packet itself.
type Value struct {
	raw interp.Value
	of  *notation.Notation // names of the schema; nil for Variants
}

// FromRaw wraps a value of the interpreter, whose tag must be a [Type].
func FromRaw(v interp.Value) Value { return Value{raw: v} }

// Raw returns the interpreter's form of v, for programs that work with schemas
// of their own.
func (v Value) Raw() interp.Value { return v.raw }

// Type returns what v is.
func (v Value) Type() Type { return Type(v.raw.Tag()) }

// IsNil reports whether v is Nil or the zero Value.
func (v Value) IsNil() bool { return v.Type() <= Nil }

func rawCells(cells []Value) []interp.Value {
	out := make([]interp.Value, len(cells))
	for i, c := range cells {
		out[i] = c.raw
	}
	return out
}

// NewNil returns Nil.
func NewNil() Value { return FromRaw(interp.MakeUnit(uint16(Nil))) }

// NewBool returns a bool.
func NewBool(b bool) Value { return FromRaw(interp.MakeBool(uint16(Bool), b)) }

// NewInt returns an int. The writer takes the 32-bit form where the number fits.
func NewInt(i int64) Value { return FromRaw(interp.MakeInt(uint16(Int), i)) }

// NewFloat returns a float. The writer takes the 32-bit form where that loses nothing.
func NewFloat(f float64) Value { return FromRaw(interp.MakeFloat(uint16(Float), f)) }

// NewString returns a String, which should be UTF-8 without NUL.
func NewString(s string) Value { return FromRaw(interp.MakeText(uint16(String), s)) }

// NewStringName returns a StringName.
func NewStringName(s string) Value { return FromRaw(interp.MakeText(uint16(StringNameType), s)) }

// NewRID returns an RID. Versions before Godot 4 write only that it is an RID.
func NewRID(id uint64) Value { return FromRaw(interp.MakeUint(uint16(RIDType), id)) }

// NewCallable returns a Callable, of which the format holds nothing but the type.
func NewCallable() Value { return FromRaw(interp.MakeUnit(uint16(CallableType))) }

// NewArray returns an untyped Array with the given elements.
func NewArray(elems ...Value) Value {
	return FromRaw(interp.MakeList(uint16(ArrayType), rawCells(elems)))
}

// Pair is one entry of a Dictionary.
type Pair struct{ Key, Value Value }

// NewDictionary returns an untyped Dictionary with the given pairs, in order.
// Where two keys are equal for the engine, the writer keeps the place of the
// first and the value of the last, as the engine does.
func NewDictionary(pairs ...Pair) Value {
	cells := make([]interp.Value, 0, 2*len(pairs))
	for _, p := range pairs {
		cells = append(cells, p.Key.raw, p.Value.raw)
	}
	return FromRaw(interp.MakeMap(uint16(DictionaryType), cells))
}

// ElemType is the type that the elements of a typed container must have.
// The zero ElemType means untyped. Class and Script name what an Object is
// further; where either is set, Type is ObjectType.
type ElemType struct {
	Type   Type
	Class  string // native class
	Script string // path of a script, beginning with res://
}

// IsUntyped reports whether elements may be of any type.
func (t ElemType) IsUntyped() bool { return t == ElemType{} }

func (t ElemType) raw() interp.Value {
	switch {
	case t.Script != "":
		return interp.MakeText(uint16(typeScript), t.Script)
	case t.Class != "":
		return interp.MakeText(uint16(typeClass), t.Class)
	case t.Type != Invalid:
		return interp.MakeRecord(uint16(typeBuiltin), []interp.Value{interp.MakeUnit(uint16(t.Type))})
	}
	return interp.Value{}
}

func elemType(v interp.Value) ElemType {
	switch Type(v.Tag()) {
	case typeBuiltin:
		return ElemType{Type: Type(v.At(0).Tag())}
	case typeClass:
		return ElemType{Type: ObjectType, Class: v.Text()}
	case typeScript:
		return ElemType{Type: ObjectType, Script: v.Text()}
	}
	return ElemType{}
}

// WithElemType returns an Array typed with t (Godot 4.3 and later), or untyped
// for the zero ElemType. It does not check the elements. It returns v as it is
// when v is not an Array.
func (v Value) WithElemType(t ElemType) Value {
	if v.Type() != ArrayType {
		return v
	}
	list := v.list()
	if t.IsUntyped() {
		return FromRaw(list)
	}
	return FromRaw(interp.MakeRecord(uint16(ArrayType), []interp.Value{t.raw(), list}))
}

// WithPairTypes returns a Dictionary with typed keys and values (Godot 4.4 and
// later); a zero ElemType leaves that side untyped. It does not check the pairs.
// It returns v as it is when v is not a Dictionary.
func (v Value) WithPairTypes(key, value ElemType) Value {
	if v.Type() != DictionaryType {
		return v
	}
	m := v.list()
	if key.IsUntyped() && value.IsUntyped() {
		return FromRaw(m)
	}
	return FromRaw(interp.MakeRecord(uint16(DictionaryType), []interp.Value{key.raw(), value.raw(), m}))
}

// list returns the List or Map in a container, which is v itself when it is untyped.
func (v Value) list() interp.Value {
	if v.raw.Kind() == interp.Record && (v.of == nil || v.Type() < FirstOwn) {
		return v.raw.At(v.raw.Len() - 1).WithTag(v.raw.Tag())
	}
	return v.raw
}

// ElemType returns the element type of a typed Array; it is zero for others.
func (v Value) ElemType() ElemType {
	if v.raw.Kind() != interp.Record || v.Type() != ArrayType {
		return ElemType{}
	}
	return elemType(v.raw.At(0))
}

// PairTypes returns the key and value type of a typed Dictionary.
func (v Value) PairTypes() (key, value ElemType) {
	if v.raw.Kind() != interp.Record || v.Type() != DictionaryType {
		return
	}
	return elemType(v.raw.At(0)), elemType(v.raw.At(1))
}

// AsBool returns a bool's value; ok is false for other types.
func (v Value) AsBool() (b, ok bool) { return v.raw.Bool(), v.raw.Kind() == interp.Bool }

// AsInt returns the value of an int, or of an integer of another schema that fits; ok is false for
// other values.
func (v Value) AsInt() (i int64, ok bool) {
	return v.raw.Int(), v.raw.Kind() == interp.Int || v.of != nil && v.raw.Kind() == interp.Uint && v.raw.Int() >= 0
}

// AsFloat returns a float's value; ok is false for other types. An int is not a float.
func (v Value) AsFloat() (f float64, ok bool) { return v.raw.Float(), v.raw.Kind() == interp.Float }

// AsString returns the text of a String or StringName, or a text of another schema; ok is false
// for other values. The string shares memory with v.
func (v Value) AsString() (s string, ok bool) {
	t := v.Type()
	return v.raw.Text(), t == String || t == StringNameType || v.of != nil && v.raw.Kind() == interp.Text
}

// AsUint returns the number of an RID, or of an Object given by its instance
// id, or an integer of another schema that is not negative; ok is false for other values.
func (v Value) AsUint() (id uint64, ok bool) {
	return v.raw.Uint(), v.raw.Kind() == interp.Uint || v.of != nil && v.raw.Kind() == interp.Int && v.raw.Int() >= 0
}

// Len returns the number of elements of an Array or packed array, of pairs of a
// Dictionary, of bytes of a String or StringName, of numbers of a vector or
// other math type; 0 for other values.
func (v Value) Len() int {
	if v.Type() == ArrayType || v.Type() == DictionaryType {
		return v.list().Len()
	}
	return v.raw.Len()
}

// Elems returns the elements of a list, an Array (typed or not) or a PackedStringArray, in a
// new slice; nil for other values. [Value.All] needs no memory.
func (v Value) Elems() []Value {
	l := v.list()
	if l.Kind() != interp.List {
		return nil
	}
	out := make([]Value, l.Len())
	for i, c := range l.Cells() {
		if v.Type() == PackedStringArray {
			c = c.WithTag(uint16(String))
		}
		out[i] = Value{c, v.of}
	}
	return out
}

// Pairs ranges over the keys and values of a Dictionary in order, every one
// that was sent: keys that are equal for the engine are not merged.
func (v Value) Pairs() iter.Seq2[Value, Value] {
	cells := v.list()
	return func(yield func(k, v Value) bool) {
		if cells.Kind() != interp.Map {
			return
		}
		c := cells.Cells()
		for i := 0; i+1 < len(c); i += 2 {
			if !yield(Value{c[i], v.of}, Value{c[i+1], v.of}) {
				return
			}
		}
	}
}

// Get returns the value under the last String or StringName key that is the
// given text, and whether there is one.
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

// Floats returns the numbers of a math type (Vector2 … Color) or of a packed
// array of floats or vectors, in wire order and in one slice, as float64;
// nil for other values. Basis is row by row, Projection column by column.
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

// Ints returns the numbers of an integer math type (Vector2i …) or of a packed
// array of integers; nil for other values. Bytes count from 0 to 255.
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

// Bytes returns the contents of a PackedByteArray, or of an array of bytes of another schema, which the caller must not
// change; nil for other values.
func (v Value) Bytes() []byte {
	if v.Type() != PackedByteArray && (v.of == nil || v.raw.Kind() != interp.Packed || v.raw.Scalar() != bytecode.U8) {
		return nil
	}
	return v.raw.Bytes()
}

// Strings returns the elements of a PackedStringArray; nil for other values.
func (v Value) Strings() []string {
	if v.Type() != PackedStringArray {
		return nil
	}
	cells := v.raw.Cells()
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c.Text()
	}
	return out
}

// newLanes makes a math type from numbers of single precision.
func newLanes(t Type, lanes ...float32) Value {
	b := make([]byte, 0, 64)
	for _, f := range lanes {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return FromRaw(interp.MakeLanes(uint16(t), bytecode.F32, b))
}

// newPacked makes a packed array from little-endian bytes, which it shares.
func newPacked(t Type, s bytecode.Scalar, lanes int, b []byte) Value {
	return FromRaw(interp.MakePacked(uint16(t), s, lanes, b))
}

// newTextList makes a PackedStringArray.
func newTextList(texts []string) Value {
	cells := make([]interp.Value, len(texts))
	for i, s := range texts {
		cells[i] = interp.MakeText(0, s)
	}
	return FromRaw(interp.MakeList(uint16(PackedStringArray), cells))
}

// NodePath is a path to a node and to a property of it, as
// "/root/Level:position:x" is: absolute, two names, two subnames.
type NodePath struct {
	Names    []string // the nodes from the first to the last
	Subnames []string // the property, and what is inside it
	Absolute bool     // begins at the root of the tree
}

// Value returns the path as a Value.
func (p NodePath) Value() Value {
	texts := func(names []string) interp.Value {
		cells := make([]interp.Value, len(names))
		for i, s := range names {
			cells[i] = interp.MakeText(0, s)
		}
		return interp.MakeList(0, cells)
	}
	return FromRaw(interp.MakeRecord(uint16(NodePathType), []interp.Value{
		interp.MakeBool(0, p.Absolute), texts(p.Names), texts(p.Subnames)}))
}

// AsNodePath returns a NodePath's parts; ok is false for other types.
func (v Value) AsNodePath() (p NodePath, ok bool) {
	if v.Type() != NodePathType || v.raw.Len() < 3 {
		return NodePath{}, false
	}
	texts := func(l interp.Value) []string {
		cells := l.Cells()
		if len(cells) == 0 {
			return nil
		}
		out := make([]string, len(cells))
		for i, c := range cells {
			out[i] = c.Text()
		}
		return out
	}
	n := v.raw.Len() // schemas as documented have the text of an older form before these
	return NodePath{Absolute: v.raw.At(n - 3).Bool(), Names: texts(v.raw.At(n - 2)), Subnames: texts(v.raw.At(n - 1))}, true
}

// Property is one property of an [Object].
type Property struct {
	Name  string
	Value Value
}

// Object is an object written in full: its class and its stored properties.
// Class "" is the null object.
type Object struct {
	Class      string
	Properties []Property
}

// Value returns the object as a Value. Writing it needs [Options.Objects].
func (o Object) Value() Value {
	if o.Class == "" {
		return FromRaw(interp.MakeText(uint16(ObjectType), ""))
	}
	props := make([]interp.Value, len(o.Properties))
	for i, p := range o.Properties {
		props[i] = interp.MakeRecord(0, []interp.Value{interp.MakeText(0, p.Name), p.Value.raw})
	}
	return FromRaw(interp.MakeRecord(uint16(ObjectType), []interp.Value{
		{}, interp.MakeText(0, o.Class), interp.MakeList(0, props)}))
}

// NewObjectID returns an Object that is known only by its instance id, as
// objects are sent where full objects are off.
func NewObjectID(id uint64) Value { return FromRaw(interp.MakeUint(uint16(ObjectType), id)) }

// AsObject returns an object written in full; ok is false for other values,
// also for objects given by instance id (see [Value.AsUint]).
func (v Value) AsObject() (o Object, ok bool) {
	if v.Type() != ObjectType {
		return Object{}, false
	}
	switch v.raw.Kind() {
	case interp.Text:
		return Object{Class: v.raw.Text()}, true
	case interp.Record:
		o.Class = v.raw.At(1).Text()
		for _, p := range v.raw.At(2).Cells() {
			o.Properties = append(o.Properties, Property{p.At(0).Text(), FromRaw(p.At(1))})
		}
		return o, true
	}
	return Object{}, false
}

// Signal is a signal of an object.
type Signal struct {
	Name   string
	Object uint64 // instance id of the object, which need not exist
}

// Value returns the signal as a Value.
func (s Signal) Value() Value {
	return FromRaw(interp.MakeRecord(uint16(SignalType), []interp.Value{
		interp.MakeText(0, s.Name), interp.MakeUint(0, s.Object)}))
}

// AsSignal returns a Signal's parts; ok is false for other types.
func (v Value) AsSignal() (s Signal, ok bool) {
	if v.Type() != SignalType || v.raw.Len() < 2 {
		return Signal{}, false
	}
	return Signal{Name: v.raw.At(0).Text(), Object: v.raw.At(1).Uint()}, true
}

func itoa(i int) string { return strconv.Itoa(i) }
