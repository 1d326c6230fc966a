// The types that a Variant can have, in every version of the format.

package variant

import "strconv"

// Type is the type of a Variant. It has one number for each type in the whole
// history of the format, independent of its number on the wire in a version,
// so that a value read with one schema can be written with another. The names
// are those of Godot 4; the older names of the same types are aliases
// ("PoolByteArray" and "RawArray" are [PackedByteArray]).
type Type uint16

// The types. Other schemas number theirs from [FirstOwn].
const (
	Invalid = iota // the zero Value
	Nil
	Bool
	Int
	Float
	String
	Vector2Type
	Vector2iType
	Rect2Type
	Rect2iType
	Vector3Type
	Vector3iType
	Transform2DType
	Vector4Type
	Vector4iType
	PlaneType
	QuaternionType
	AABBType
	BasisType
	Transform3DType
	ProjectionType
	ColorType
	StringNameType
	NodePathType
	RIDType
	ObjectType
	CallableType
	SignalType
	DictionaryType
	ArrayType
	PackedByteArray
	PackedInt32Array
	PackedInt64Array
	PackedFloat32Array
	PackedFloat64Array
	PackedStringArray
	PackedVector2Array
	PackedVector3Array
	PackedColorArray
	PackedVector4Array
	PackedVector2iArray  // Pandemonium 3.5 and later
	PackedVector3iArray  // Pandemonium 3.5 and later
	PackedVector4iArray  // Pandemonium 3.8 and later
	TypedArrayType       // Pandemonium 5
	PackedTypedArrayType // Pandemonium 5
	ImageType            // Godot 2
	InputEventType       // Godot 2
	TypeBuiltin          // element type of a typed container: a type of the format
	typeClass            // element type of a typed container: a native class
	typeScript           // element type of a typed container: a script
	typeUntyped          // element type of one side of a typed dictionary: none
	NumTypes
	FirstOwn = 256
)

var typeNames = [NumTypes]string{
	Invalid: "invalid", Nil: "Nil", Bool: "bool", Int: "int", Float: "float", String: "String",
	Vector2Type: "Vector2", Vector2iType: "Vector2i", Rect2Type: "Rect2", Rect2iType: "Rect2i",
	Vector3Type: "Vector3", Vector3iType: "Vector3i", Transform2DType: "Transform2D",
	Vector4Type: "Vector4", Vector4iType: "Vector4i", PlaneType: "Plane", QuaternionType: "Quaternion",
	AABBType: "AABB", BasisType: "Basis", Transform3DType: "Transform3D", ProjectionType: "Projection",
	ColorType: "Color", StringNameType: "StringName", NodePathType: "NodePath", RIDType: "RID",
	ObjectType: "Object", CallableType: "Callable", SignalType: "Signal",
	DictionaryType: "Dictionary", ArrayType: "Array",
	PackedByteArray: "PackedByteArray", PackedInt32Array: "PackedInt32Array",
	PackedInt64Array: "PackedInt64Array", PackedFloat32Array: "PackedFloat32Array",
	PackedFloat64Array: "PackedFloat64Array", PackedStringArray: "PackedStringArray",
	PackedVector2Array: "PackedVector2Array", PackedVector3Array: "PackedVector3Array",
	PackedColorArray: "PackedColorArray", PackedVector4Array: "PackedVector4Array",
	PackedVector2iArray: "PackedVector2iArray", PackedVector3iArray: "PackedVector3iArray",
	PackedVector4iArray: "PackedVector4iArray", TypedArrayType: "TypedArray",
	PackedTypedArrayType: "PackedTypedArray", ImageType: "Image", InputEventType: "InputEvent",
	TypeBuiltin: "builtin", typeClass: "class", typeScript: "script", typeUntyped: "untyped",
}

// aliases are the names that other versions and documents use for the same types.
var aliases = map[string]Type{
	"null": Nil, "real": Float,
	"Matrix32": Transform2DType, "Matrix3": BasisType, "Quat": QuaternionType, "Transform": Transform3DType,
	"RawArray": PackedByteArray, "IntArray": PackedInt32Array, "RealArray": PackedFloat32Array,
	"StringArray": PackedStringArray, "Vector2Array": PackedVector2Array,
	"Vector3Array": PackedVector3Array, "ColorArray": PackedColorArray,
	"PoolByteArray": PackedByteArray, "PoolIntArray": PackedInt32Array, "PoolRealArray": PackedFloat32Array,
	"PoolStringArray": PackedStringArray, "PoolVector2Array": PackedVector2Array,
	"PoolVector3Array": PackedVector3Array, "PoolColorArray": PackedColorArray,
	"PoolVector2iArray": PackedVector2iArray, "PoolVector3iArray": PackedVector3iArray,
	"PoolVector4Array": PackedVector4Array, "PoolVector4iArray": PackedVector4iArray,
}

// TypesByName holds the types by their names in all versions of the format.
var TypesByName = func() map[string]Type {
	m := make(map[string]Type, int(NumTypes)+len(aliases))
	for t := Type(Nil); t < NumTypes; t++ {
		m[typeNames[t]] = t
	}
	for name, t := range aliases {
		m[name] = t
	}
	return m
}()

// String returns the type's name in Godot 4.
func (t Type) String() string {
	if t < NumTypes {
		return typeNames[t]
	}
	return "type " + strconv.Itoa(int(t))
}

// TypeNamed returns the type with the given name in any version of the format.
func TypeNamed(name string) (Type, bool) {
	t, ok := TypesByName[name]
	return t, ok
}
