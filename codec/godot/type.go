// The types of Variants.

package godot

import (
	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/internal/variant"
)

// Value is any value of a format, here a Variant.
type Value = codec.Value

// Type is the type of a [Value].
type Type = codec.Type

// The types that a Variant can have, in every version of the format. The names are those of
// Godot 4; the older names of the same types are aliases ("PoolByteArray" and "RawArray" are
// [PackedByteArray]). Other schemas number their types from FirstOwn.
const (
	Invalid              Type = variant.Invalid // the zero Value
	Nil                  Type = variant.Nil
	Bool                 Type = variant.Bool
	Int                  Type = variant.Int
	Float                Type = variant.Float
	String               Type = variant.String
	Vector2Type          Type = variant.Vector2Type
	Vector2iType         Type = variant.Vector2iType
	Rect2Type            Type = variant.Rect2Type
	Rect2iType           Type = variant.Rect2iType
	Vector3Type          Type = variant.Vector3Type
	Vector3iType         Type = variant.Vector3iType
	Transform2DType      Type = variant.Transform2DType
	Vector4Type          Type = variant.Vector4Type
	Vector4iType         Type = variant.Vector4iType
	PlaneType            Type = variant.PlaneType
	QuaternionType       Type = variant.QuaternionType
	AABBType             Type = variant.AABBType
	BasisType            Type = variant.BasisType
	Transform3DType      Type = variant.Transform3DType
	ProjectionType       Type = variant.ProjectionType
	ColorType            Type = variant.ColorType
	StringNameType       Type = variant.StringNameType
	NodePathType         Type = variant.NodePathType
	RIDType              Type = variant.RIDType
	ObjectType           Type = variant.ObjectType
	CallableType         Type = variant.CallableType
	SignalType           Type = variant.SignalType
	DictionaryType       Type = variant.DictionaryType
	ArrayType            Type = variant.ArrayType
	PackedByteArray      Type = variant.PackedByteArray
	PackedInt32Array     Type = variant.PackedInt32Array
	PackedInt64Array     Type = variant.PackedInt64Array
	PackedFloat32Array   Type = variant.PackedFloat32Array
	PackedFloat64Array   Type = variant.PackedFloat64Array
	PackedStringArray    Type = variant.PackedStringArray
	PackedVector2Array   Type = variant.PackedVector2Array
	PackedVector3Array   Type = variant.PackedVector3Array
	PackedColorArray     Type = variant.PackedColorArray
	PackedVector4Array   Type = variant.PackedVector4Array
	PackedVector2iArray  Type = variant.PackedVector2iArray  // Pandemonium 3.5 and later
	PackedVector3iArray  Type = variant.PackedVector3iArray  // Pandemonium 3.5 and later
	PackedVector4iArray  Type = variant.PackedVector4iArray  // Pandemonium 3.8 and later
	TypedArrayType       Type = variant.TypedArrayType       // Pandemonium 5
	PackedTypedArrayType Type = variant.PackedTypedArrayType // Pandemonium 5
	ImageType            Type = variant.ImageType            // Godot 2
	InputEventType       Type = variant.InputEventType       // Godot 2
	FirstOwn             Type = variant.FirstOwn
)

// TypeNamed returns the type with the given name in any version of the format.
func TypeNamed(name string) (Type, bool) {
	t, ok := variant.TypeNamed(name)
	return Type(t), ok
}
