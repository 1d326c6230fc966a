// Equality of values, bit by bit, and the shapes that the text forms know.

package codec

import (
	"bytes"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Equal reports whether a and b are the same value to the last bit: the same
// type, the same numbers (-0.0 is not 0.0, and a NaN equals only a NaN of the
// same bits), the same texts byte for byte, the same elements in the same
// order, the same pairs in the same order with repeated keys included, and the
// same element types of typed containers.
//
// The wide form counts where it is a choice: an int or float that would fit the
// narrow form, and everything else that can be marked wide, differs from the
// same number without the mark. Where a number needs the wide form anyway the
// mark says nothing and is ignored. The scalar that an int or float was read as
// ([interp.Value.Scalar]) is ignored.
//
// What means the same to every schema is equal: an RID without a number and
// RID 0; a null Object that is a type without content and one that is an empty
// class name.
func Equal(a, b Value) bool { return equalRaw(a.raw, b.raw) }

func equalRaw(a, b interp.Value) bool {
	s := shapeOf(a)
	if a.Tag() != b.Tag() || s != shapeOf(b) || markedWide(a) != markedWide(b) {
		return false
	}
	switch s {
	case shapeBool:
		return a.Bool() == b.Bool()
	case shapeInt, shapeRID, shapeObjectID:
		return a.Uint() == b.Uint()
	case shapeFloat:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	case shapeText:
		return a.Text() == b.Text()
	case shapeNil, shapeNullObject, shapeCallable:
		return true
	case shapeStrings:
		return equalTexts(a, b)
	case shapeNodePath:
		return a.At(0).Bool() == b.At(0).Bool() && equalTexts(a.At(1), b.At(1)) && equalTexts(a.At(2), b.At(2))
	case shapeSignal:
		return a.At(0).Text() == b.At(0).Text() && a.At(1).Uint() == b.At(1).Uint()
	case shapeObject:
		p, q := a.At(2).Cells(), b.At(2).Cells()
		if a.At(1).Text() != b.At(1).Text() || len(p) != len(q) {
			return false
		}
		for i := range p {
			if p[i].At(0).Text() != q[i].At(0).Text() || !equalRaw(p[i].At(1), q[i].At(1)) {
				return false
			}
		}
		return true
	case shapeTypedArray:
		return equalElem(a.At(0), b.At(0)) && equalCells(a.At(1), b.At(1))
	case shapeTypedDictionary:
		return equalElem(a.At(0), b.At(0)) && equalElem(a.At(1), b.At(1)) && equalCells(a.At(2), b.At(2))
	}
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case interp.Lanes, interp.Packed:
		return a.Scalar() == b.Scalar() && a.Width() == b.Width() && bytes.Equal(a.Bytes(), b.Bytes())
	case interp.Text:
		return a.Text() == b.Text()
	case interp.Bool:
		return a.Bool() == b.Bool()
	case interp.Int, interp.Uint:
		return a.Uint() == b.Uint()
	case interp.Float:
		return math.Float64bits(a.Float()) == math.Float64bits(b.Float())
	}
	return equalCells(a, b)
}

func equalCells(a, b interp.Value) bool {
	p, q := a.Cells(), b.Cells()
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if !equalRaw(p[i], q[i]) {
			return false
		}
	}
	return true
}

func equalTexts(a, b interp.Value) bool {
	p, q := a.Cells(), b.Cells()
	if len(p) != len(q) {
		return false
	}
	for i := range p {
		if p[i].Text() != q[i].Text() {
			return false
		}
	}
	return true
}

func equalElem(a, b interp.Value) bool {
	return isUntyped(a) && isUntyped(b) || equalRaw(a, b)
}

// isUntyped reports whether an element type names no type.
func isUntyped(elem interp.Value) bool {
	return elem.IsNone() || Type(elem.Tag()) == typeUntyped && elem.Kind() == interp.Unit
}

// markedWide reports whether v is marked to be written in the wide form though
// the narrow form would hold it.
func markedWide(v interp.Value) bool {
	if !v.Wide() {
		return false
	}
	switch shapeOf(v) {
	case shapeInt:
		return v.Int() == int64(int32(v.Int()))
	case shapeFloat:
		return float64(float32(v.Float())) == v.Float()
	}
	return true
}

// shape says which form a value takes in the text forms. Anything that does not
// have the inner layout that this package gives to its type is shapeRaw, so the
// text forms can say every value that there can be.
type shape uint8

const (
	shapeRaw shape = iota
	shapeNil
	shapeBool
	shapeInt
	shapeFloat
	shapeText
	shapeNodePath
	shapeRID
	shapeNullObject
	shapeObjectID
	shapeObject
	shapeCallable
	shapeSignal
	shapeArray
	shapeTypedArray
	shapeElements // a TypedArray or PackedTypedArray of Pandemonium without a class
	shapeDictionary
	shapeTypedDictionary
	shapeStrings
	shapeLanes
	shapePacked
)

// isReference reports whether a part of a record given by its parts names the type
// Object or RID: the text forms of a null object would read as one with an empty
// class, and those of an RID without a number as RID 0.
func isReference(v interp.Value) bool {
	return v.Kind() == interp.Unit && (Type(v.Tag()) == ObjectType || Type(v.Tag()) == RIDType)
}

// isNamed reports whether a type has a name.
func isNamed(t Type) bool { return t != Invalid && t < numTypes && typeNames[t] != "" }

// layout is how the numbers of a math type or packed array lie in memory.
type layout struct {
	scalar bytecode.Scalar
	lanes  int  // numbers of the value, or of each element
	packed bool // a packed array
	real   bool // has a wide form, of doubles
}

var layouts = [numTypes]layout{
	Vector2Type:        {bytecode.F32, 2, false, true},
	Vector2iType:       {bytecode.I32, 2, false, false},
	Rect2Type:          {bytecode.F32, 4, false, true},
	Rect2iType:         {bytecode.I32, 4, false, false},
	Vector3Type:        {bytecode.F32, 3, false, true},
	Vector3iType:       {bytecode.I32, 3, false, false},
	Transform2DType:    {bytecode.F32, 6, false, true},
	Vector4Type:        {bytecode.F32, 4, false, true},
	Vector4iType:       {bytecode.I32, 4, false, false},
	PlaneType:          {bytecode.F32, 4, false, true},
	QuaternionType:     {bytecode.F32, 4, false, true},
	AABBType:           {bytecode.F32, 6, false, true},
	BasisType:          {bytecode.F32, 9, false, true},
	Transform3DType:    {bytecode.F32, 12, false, true},
	ProjectionType:     {bytecode.F32, 16, false, true},
	ColorType:          {bytecode.F32, 4, false, false},
	PackedByteArray:    {bytecode.U8, 1, true, false},
	PackedInt32Array:   {bytecode.I32, 1, true, false},
	PackedInt64Array:   {bytecode.I64, 1, true, false},
	PackedFloat32Array: {bytecode.F32, 1, true, false},
	PackedFloat64Array: {bytecode.F64, 1, true, false},
	PackedVector2Array: {bytecode.F32, 2, true, true},
	PackedVector3Array: {bytecode.F32, 3, true, true},
	PackedColorArray:   {bytecode.F32, 4, true, false},
	PackedVector4Array: {bytecode.F32, 4, true, true},

	PackedVector2iArray: {bytecode.I32, 2, true, false},
	PackedVector3iArray: {bytecode.I32, 3, true, false},
	PackedVector4iArray: {bytecode.I32, 4, true, false},
}

// layoutOf returns the layout of a type; lanes is 0 for types without one.
func layoutOf(t Type) layout {
	if t < numTypes {
		return layouts[t]
	}
	return layout{}
}

func shapeOf(v interp.Value) shape {
	kind := v.Kind()
	t := Type(v.Tag())
	switch t {
	case Nil:
		if kind == interp.Unit {
			return shapeNil
		}
	case Bool:
		if kind == interp.Bool {
			return shapeBool
		}
	case Int:
		if kind == interp.Int {
			return shapeInt
		}
	case Float:
		if kind == interp.Float {
			return shapeFloat
		}
	case String, StringNameType:
		if kind == interp.Text {
			return shapeText
		}
	case RIDType:
		if kind == interp.Uint || kind == interp.Unit {
			return shapeRID
		}
	case CallableType:
		if kind == interp.Unit {
			return shapeCallable
		}
	case ObjectType:
		switch {
		case kind == interp.Uint:
			return shapeObjectID
		case kind == interp.Unit, kind == interp.Text && v.Len() == 0:
			return shapeNullObject
		case kind == interp.Record && v.Len() == 3 && v.At(0).IsNone() && v.At(1).Kind() == interp.Text &&
			v.At(1).Len() > 0 && isProperties(v.At(2)):
			return shapeObject
		}
	case NodePathType:
		if kind == interp.Record && v.Len() == 3 && v.At(0).Kind() == interp.Bool && isTexts(v.At(1)) && isTexts(v.At(2)) {
			return shapeNodePath
		}
	case SignalType:
		if kind == interp.Record && v.Len() == 2 && v.At(0).Kind() == interp.Text && v.At(1).Kind() == interp.Uint {
			return shapeSignal
		}
	case ArrayType:
		switch {
		case kind == interp.List:
			return shapeArray
		case kind == interp.Record && v.Len() == 2 && !isUntyped(v.At(0)) && v.At(1).Kind() == interp.List:
			return shapeTypedArray
		}
	case DictionaryType:
		switch {
		case kind == interp.Map:
			return shapeDictionary
		case kind == interp.Record && v.Len() == 3 && v.At(2).Kind() == interp.Map &&
			!(isUntyped(v.At(0)) && isUntyped(v.At(1))):
			return shapeTypedDictionary
		}
	case TypedArrayType, PackedTypedArrayType:
		if kind == interp.Record && v.Len() == 3 && v.At(0).Kind() == interp.Unit && isNamed(Type(v.At(0).Tag())) &&
			v.At(1).IsNone() && v.At(2).Kind() == interp.List {
			return shapeElements
		}
	case PackedStringArray:
		if isTexts(v) {
			return shapeStrings
		}
	default:
		l := layoutOf(t)
		scalar := l.scalar
		if l.real && v.Wide() {
			scalar = bytecode.F64
		}
		switch {
		case l.lanes == 0 || v.Scalar() != scalar || v.Width() != l.lanes:
		case l.packed && kind == interp.Packed:
			return shapePacked
		case !l.packed && kind == interp.Lanes:
			return shapeLanes
		}
	}
	return shapeRaw
}

func isTexts(v interp.Value) bool {
	if v.Kind() != interp.List {
		return false
	}
	for _, c := range v.Cells() {
		if c.Kind() != interp.Text {
			return false
		}
	}
	return true
}

func isProperties(v interp.Value) bool {
	if v.Kind() != interp.List {
		return false
	}
	for _, c := range v.Cells() {
		if c.Kind() != interp.Record || c.Len() != 2 || c.At(0).Kind() != interp.Text {
			return false
		}
	}
	return true
}
