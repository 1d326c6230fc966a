// Making Variants, and reading those that are more than numbers.

package godot

import (
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// NewNil returns Nil.
func NewNil() Value { return raw.Wrap(variant.MakeNil()) }

// NewBool returns a bool.
func NewBool(b bool) Value { return raw.Wrap(variant.MakeBool(b)) }

// NewInt returns an int. The writer takes the 32-bit form if the number fits.
func NewInt(i int64) Value { return raw.Wrap(variant.MakeInt(i)) }

// NewFloat returns a float. The writer takes the 32-bit form if that loses nothing.
func NewFloat(f float64) Value { return raw.Wrap(variant.MakeFloat(f)) }

// NewString returns a String, which should be UTF-8 without NUL.
func NewString(s string) Value { return raw.Wrap(variant.MakeString(s)) }

// NewStringName returns a StringName.
func NewStringName(s string) Value { return raw.Wrap(variant.MakeStringName(s)) }

// NewRID returns an RID. Versions before Godot 4 write only that it is an RID.
func NewRID(id uint64) Value { return raw.Wrap(interp.MakeUint(variant.RIDType, id)) }

// NewCallable returns a Callable, of which the format holds nothing but the type.
func NewCallable() Value { return raw.Wrap(interp.MakeUnit(variant.CallableType)) }

// NewArray returns an untyped Array with the given elements.
func NewArray(elems ...Value) Value {
	return raw.Wrap(interp.MakeList(variant.ArrayType, cells(elems)))
}

// NewDictionary returns an untyped Dictionary with the given pairs, in order.
// If two keys are equal for the engine, the writer keeps the place of the
// first and the value of the last, as the engine does.
func NewDictionary(pairs ...codec.Pair) Value {
	out := make([]interp.Value, 0, 2*len(pairs))
	for _, p := range pairs {
		out = append(out, raw.Value(p.Key), raw.Value(p.Value))
	}
	return raw.Wrap(interp.MakeMap(variant.DictionaryType, out))
}

func cells(values []Value) []interp.Value {
	out := make([]interp.Value, len(values))
	for i, v := range values {
		out[i] = raw.Value(v)
	}
	return out
}

// NewObjectID returns an Object that is known only by its instance id. Objects
// are sent in this form if full objects are off.
func NewObjectID(id uint64) Value { return raw.Wrap(interp.MakeUint(variant.ObjectType, id)) }

// ElemType is the type that the elements of a typed container must have.
// The zero ElemType means untyped. Class and Script name what an Object is
// further; if either is set, Type is ObjectType.
type ElemType struct {
	Type   Type
	Class  string // native class
	Script string // path of a script, beginning with res://
}

// IsUntyped reports whether elements may be of any type.
func (t ElemType) IsUntyped() bool { return t == ElemType{} }

// String returns the name of the element type as Godot scripts write it.
func (t ElemType) String() string { return t.inner().String() }

func (t ElemType) inner() variant.ElemType {
	return variant.ElemType{Type: variant.Type(t.Type), Class: t.Class, Script: t.Script}
}

func elemType(v interp.Value) ElemType {
	t := variant.ElemTypeOf(v)
	return ElemType{Type(t.Type), t.Class, t.Script}
}

// WithElemType returns an Array typed with t (Godot 4.3 and later), or untyped
// for the zero ElemType. It does not check the elements. It returns v unchanged
// if v is not an Array.
func WithElemType(v Value, t ElemType) Value {
	if v.Type() != ArrayType {
		return v
	}
	return raw.Wrap(variant.TypedArray(variant.List(raw.Value(v)), t.inner()))
}

// WithPairTypes returns a Dictionary with typed keys and values (Godot 4.4 and
// later); a zero ElemType leaves that side untyped. It does not check the pairs.
// It returns v unchanged if v is not a Dictionary.
func WithPairTypes(v Value, key, value ElemType) Value {
	if v.Type() != DictionaryType {
		return v
	}
	return raw.Wrap(variant.TypedDictionary(variant.List(raw.Value(v)), key.inner(), value.inner()))
}

// ElemTypeOf returns the element type of a typed Array; it is zero for others.
func ElemTypeOf(v Value) ElemType {
	r := raw.Value(v)
	if r.Kind() != interp.Record || v.Type() != ArrayType {
		return ElemType{}
	}
	return elemType(r.At(0))
}

// PairTypesOf returns the key and value type of a typed Dictionary; they are zero for others.
func PairTypesOf(v Value) (key, value ElemType) {
	r := raw.Value(v)
	if r.Kind() != interp.Record || v.Type() != DictionaryType {
		return
	}
	return elemType(r.At(0)), elemType(r.At(1))
}

// NodePath is a path to a node and to a property of it. For example, "/root/Level:position:x"
// is absolute, with two names and two subnames.
type NodePath struct {
	Names    []string // the nodes from the first to the last
	Subnames []string // the property, then parts of it
	Absolute bool     // begins at the root of the tree
}

// Value returns the path as a Value.
func (p NodePath) Value() Value {
	return raw.Wrap(variant.MakeNodePath(p.Absolute, variant.MakeTexts(0, p.Names).Cells(), variant.MakeTexts(0, p.Subnames).Cells()))
}

// AsNodePath returns a NodePath's parts; ok is false for other types.
func AsNodePath(v Value) (p NodePath, ok bool) {
	r := raw.Value(v)
	n := r.Len() // 4 in schemas of documents, which have the text of an older form before the others
	if v.Type() != NodePathType || r.Kind() != interp.Record || n < 3 || n > 4 {
		return NodePath{}, false
	}
	absolute, names, subnames := r.At(n-3), r.At(n-2), r.At(n-1)
	if absolute.Kind() != interp.Bool || !variant.IsTexts(names) || !variant.IsTexts(subnames) {
		return NodePath{}, false
	}
	return NodePath{Absolute: absolute.Bool(), Names: variant.Texts(names), Subnames: variant.Texts(subnames)}, true
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

// Value returns the object as a Value. Writing it needs [codec.Options.Objects].
func (o Object) Value() Value {
	props := make([]interp.Value, len(o.Properties))
	for i, p := range o.Properties {
		props[i] = variant.MakeProperty(p.Name, raw.Value(p.Value))
	}
	return raw.Wrap(variant.MakeObject(o.Class, props))
}

// AsObject returns an object written in full. ok is false for other values, also for objects
// given by instance id (see [codec.Value.AsUint]).
func AsObject(v Value) (o Object, ok bool) {
	if v.Type() != ObjectType {
		return Object{}, false
	}
	switch r := raw.Value(v); r.Kind() {
	case interp.Text:
		return Object{Class: r.Text()}, true
	case interp.Record:
		if r.Len() != 3 || r.At(1).Kind() != interp.Text || !variant.IsProperties(r.At(2)) {
			return Object{}, false
		}
		o.Class = r.At(1).Text()
		for _, p := range r.At(2).Cells() {
			o.Properties = append(o.Properties, Property{p.At(0).Text(), raw.Wrap(p.At(1))})
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
func (s Signal) Value() Value { return raw.Wrap(variant.MakeSignal(s.Name, s.Object)) }

// AsSignal returns a Signal's parts; ok is false for other types.
func AsSignal(v Value) (s Signal, ok bool) {
	r := raw.Value(v)
	if v.Type() != SignalType || r.Len() != 2 || r.At(0).Kind() != interp.Text || r.At(1).Kind() != interp.Uint {
		return Signal{}, false
	}
	return Signal{Name: r.At(0).Text(), Object: r.At(1).Uint()}, true
}
