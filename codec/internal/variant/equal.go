// Equality of values, bit by bit, and the shapes that the text forms know.

package variant

import (
	"bytes"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Equal reports whether a and b are the same value to the last bit. They have the same type, the same numbers, and the
// same texts byte for byte. -0.0 is not 0.0, and a NaN equals only a NaN of the same bits. They have the same elements
// and pairs in the same order, with repeated keys included, and typed containers have the same element types.
//
// The wide form counts where it is a choice: an int or float that would fit the
// narrow form, and everything else that can be marked wide, differs from the
// same number without the mark. If a number needs the wide form anyway the
// mark says nothing and is ignored. The scalar that an int or float was read as
// ([interp.Value.Scalar]) is ignored.
//
// Values that every schema writes the same are equal: an RID without a number and
// RID 0; a null Object that is a type without content and one that is an empty
// class name.
func Equal(a, b interp.Value) bool {
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
			if p[i].At(0).Text() != q[i].At(0).Text() || !Equal(p[i].At(1), q[i].At(1)) {
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
		if !Equal(p[i], q[i]) {
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
	return isUntyped(a) && isUntyped(b) || Equal(a, b)
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

// isReference reports whether a part of a record given by its parts is an Object or RID without content. In the text
// forms such a null object would read as one with an empty class, and such an RID as RID 0.
func isReference(v interp.Value) bool {
	return v.Kind() == interp.Unit && (Type(v.Tag()) == ObjectType || Type(v.Tag()) == RIDType)
}

// isNamed reports whether a type has a name.
func isNamed(t Type) bool { return t != Invalid && t < NumTypes && typeNames[t] != "" }

// Layout is the order of the numbers of a math type or packed array in memory.
type Layout struct {
	Scalar bytecode.Scalar
	Lanes  int  // numbers of the value, or of each element
	Elem   Type // of a packed array: the type of its elements
	Real   bool // has a wide form, of doubles
}

var layouts = [NumTypes]Layout{
	Vector2Type:        {Scalar: bytecode.F32, Lanes: 2, Real: true},
	Vector2iType:       {Scalar: bytecode.I32, Lanes: 2},
	Rect2Type:          {Scalar: bytecode.F32, Lanes: 4, Real: true},
	Rect2iType:         {Scalar: bytecode.I32, Lanes: 4},
	Vector3Type:        {Scalar: bytecode.F32, Lanes: 3, Real: true},
	Vector3iType:       {Scalar: bytecode.I32, Lanes: 3},
	Transform2DType:    {Scalar: bytecode.F32, Lanes: 6, Real: true},
	Vector4Type:        {Scalar: bytecode.F32, Lanes: 4, Real: true},
	Vector4iType:       {Scalar: bytecode.I32, Lanes: 4},
	PlaneType:          {Scalar: bytecode.F32, Lanes: 4, Real: true},
	QuaternionType:     {Scalar: bytecode.F32, Lanes: 4, Real: true},
	AABBType:           {Scalar: bytecode.F32, Lanes: 6, Real: true},
	BasisType:          {Scalar: bytecode.F32, Lanes: 9, Real: true},
	Transform3DType:    {Scalar: bytecode.F32, Lanes: 12, Real: true},
	ProjectionType:     {Scalar: bytecode.F32, Lanes: 16, Real: true},
	ColorType:          {Scalar: bytecode.F32, Lanes: 4},
	PackedByteArray:    {Scalar: bytecode.U8, Lanes: 1, Elem: Int},
	PackedInt32Array:   {Scalar: bytecode.I32, Lanes: 1, Elem: Int},
	PackedInt64Array:   {Scalar: bytecode.I64, Lanes: 1, Elem: Int},
	PackedFloat32Array: {Scalar: bytecode.F32, Lanes: 1, Elem: Float},
	PackedFloat64Array: {Scalar: bytecode.F64, Lanes: 1, Elem: Float},
	PackedVector2Array: {Scalar: bytecode.F32, Lanes: 2, Elem: Vector2Type, Real: true},
	PackedVector3Array: {Scalar: bytecode.F32, Lanes: 3, Elem: Vector3Type, Real: true},
	PackedColorArray:   {Scalar: bytecode.F32, Lanes: 4, Elem: ColorType},
	PackedVector4Array: {Scalar: bytecode.F32, Lanes: 4, Elem: Vector4Type, Real: true},

	PackedVector2iArray: {Scalar: bytecode.I32, Lanes: 2, Elem: Vector2iType},
	PackedVector3iArray: {Scalar: bytecode.I32, Lanes: 3, Elem: Vector3iType},
	PackedVector4iArray: {Scalar: bytecode.I32, Lanes: 4, Elem: Vector4iType},
}

// MaxLanes is the most numbers that a math type has.
const MaxLanes = 16

// Packed reports whether a type is a packed array.
func (l Layout) Packed() bool { return l.Elem != Invalid }

// IsMath reports whether a type is a math type.
func (l Layout) IsMath() bool { return l.Lanes > 0 && !l.Packed() }

// LayoutOf returns the layout of a type; lanes is 0 for types without one.
func LayoutOf(t Type) Layout {
	if t < NumTypes {
		return layouts[t]
	}
	return Layout{}
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
			v.At(1).Len() > 0 && IsProperties(v.At(2)):
			return shapeObject
		}
	case NodePathType:
		if kind == interp.Record && v.Len() == 3 && v.At(0).Kind() == interp.Bool && IsTexts(v.At(1)) && IsTexts(v.At(2)) {
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
		if IsTexts(v) {
			return shapeStrings
		}
	default:
		l := LayoutOf(t)
		scalar := l.Scalar
		if l.Real && v.Wide() {
			scalar = bytecode.F64
		}
		switch {
		case l.Lanes == 0 || v.Scalar() != scalar || v.Width() != l.Lanes:
		case l.Packed() && kind == interp.Packed:
			return shapePacked
		case !l.Packed() && kind == interp.Lanes:
			return shapeLanes
		}
	}
	return shapeRaw
}

// IsTexts reports whether a value is a list of texts.
func IsTexts(v interp.Value) bool {
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

// IsProperties reports whether a value is the list of an object's properties.
func IsProperties(v interp.Value) bool {
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
