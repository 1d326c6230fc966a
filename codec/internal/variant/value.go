// Values of the types that are more than numbers and texts.

package variant

import (
	"encoding/binary"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// MakeNil returns Nil.
func MakeNil() interp.Value { return interp.MakeUnit(Nil) }

// MakeBool returns a bool.
func MakeBool(b bool) interp.Value { return interp.MakeBool(Bool, b) }

// MakeInt returns an int.
func MakeInt(i int64) interp.Value { return interp.MakeInt(Int, i) }

// MakeFloat returns a float.
func MakeFloat(f float64) interp.Value { return interp.MakeFloat(Float, f) }

// MakeString returns a String.
func MakeString(s string) interp.Value { return interp.MakeText(String, s) }

// MakeStringName returns a StringName.
func MakeStringName(s string) interp.Value { return interp.MakeText(StringNameType, s) }

// makeColor returns a Color.
func makeColor(lanes [4]float32) interp.Value {
	var b []byte
	for _, f := range lanes {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return interp.MakeLanes(ColorType, bytecode.F32, b)
}

// MakeTexts returns a list of texts.
func MakeTexts(tag uint16, texts []string) interp.Value {
	cells := make([]interp.Value, len(texts))
	for i, s := range texts {
		cells[i] = interp.MakeText(0, s)
	}
	return interp.MakeList(tag, cells)
}

// Texts returns the texts of a list; nil without any.
func Texts(v interp.Value) []string {
	cells := v.Cells()
	if len(cells) == 0 {
		return nil
	}
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = c.Text()
	}
	return out
}

// MakeSignal returns a Signal.
func MakeSignal(name string, object uint64) interp.Value {
	return interp.MakeRecord(SignalType, []interp.Value{interp.MakeText(0, name), interp.MakeUint(0, object)})
}

// MakeProperty returns a property of an Object.
func MakeProperty(name string, v interp.Value) interp.Value {
	return interp.MakeRecord(0, []interp.Value{interp.MakeText(0, name), v})
}

// MakeObject returns an object in full, or the null object if it has no class.
func MakeObject(class string, properties []interp.Value) interp.Value {
	if class == "" {
		return interp.MakeText(ObjectType, "")
	}
	return interp.MakeRecord(ObjectType, []interp.Value{
		{}, interp.MakeText(0, class), interp.MakeList(0, properties)})
}

// IsNullObject reports whether v is an Object without a class, which older versions send where
// newer ones send Nil.
func IsNullObject(v interp.Value) bool {
	return Type(v.Tag()) == ObjectType && (v.Kind() == interp.Unit || v.Kind() == interp.Text && v.Len() == 0)
}

// List returns the List or Map in a container, which is v itself if it is untyped.
func List(v interp.Value) interp.Value {
	if v.Kind() == interp.Record {
		return v.At(v.Len() - 1).WithTag(v.Tag())
	}
	return v
}

// ElemType is the type that the elements of a typed container must have. The zero ElemType means
// untyped.
type ElemType struct {
	Type   Type
	Class  string // native class
	Script string // path of a script
}

// ElemTypeOf returns the type that a part of a typed container represents.
func ElemTypeOf(v interp.Value) ElemType {
	switch Type(v.Tag()) {
	case TypeBuiltin:
		return ElemType{Type: Type(v.At(0).Tag())}
	case typeClass:
		return ElemType{Type: ObjectType, Class: v.Text()}
	case typeScript:
		return ElemType{Type: ObjectType, Script: v.Text()}
	}
	return ElemType{}
}

// Value returns the part of a typed container that represents t.
func (t ElemType) Value() interp.Value {
	switch {
	case t.Script != "":
		return interp.MakeText(typeScript, t.Script)
	case t.Class != "":
		return interp.MakeText(typeClass, t.Class)
	case t.Type != Invalid:
		return interp.MakeRecord(TypeBuiltin, []interp.Value{interp.MakeUnit(uint16(t.Type))})
	}
	return interp.Value{}
}

// String returns the name of the element type as Godot scripts write it.
func (t ElemType) String() string {
	switch {
	case t.Script != "":
		return t.Script
	case t.Class != "":
		return t.Class
	case t.Type == Invalid:
		return "Variant"
	}
	return t.Type.String()
}

// TypedArray returns an Array whose elements have the type t, or an untyped one.
func TypedArray(list interp.Value, t ElemType) interp.Value {
	if t == (ElemType{}) {
		return list
	}
	return interp.MakeRecord(ArrayType, []interp.Value{t.Value(), list})
}

// TypedDictionary returns a Dictionary with types for keys and values, or an untyped one.
func TypedDictionary(m interp.Value, key, value ElemType) interp.Value {
	if key == (ElemType{}) && value == (ElemType{}) {
		return m
	}
	return interp.MakeRecord(DictionaryType, []interp.Value{key.Value(), value.Value(), m})
}
