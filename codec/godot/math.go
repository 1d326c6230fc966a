// Godot's math types, names and packed arrays as Go types.

package godot

import (
	"math"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// Vector2 is a pair of numbers: a point, a direction, a size.
type Vector2 struct{ X, Y float32 }

// Vector2i is a pair of integers.
type Vector2i struct{ X, Y int32 }

// Rect2 is a rectangle along the axes.
type Rect2 struct{ Position, Size Vector2 }

// Rect2i is a rectangle along the axes with integer corners.
type Rect2i struct{ Position, Size Vector2i }

// Vector3 is three numbers.
type Vector3 struct{ X, Y, Z float32 }

// Vector3i is three integers.
type Vector3i struct{ X, Y, Z int32 }

// Vector4 is four numbers.
type Vector4 struct{ X, Y, Z, W float32 }

// Vector4i is four integers.
type Vector4i struct{ X, Y, Z, W int32 }

// Transform2D is a matrix of two axes and an origin, each a column.
type Transform2D struct{ X, Y, Origin Vector2 }

// Plane is all points p with Normal·p = D.
type Plane struct {
	Normal Vector3
	D      float32
}

// Quaternion is a rotation in space.
type Quaternion struct{ X, Y, Z, W float32 }

// AABB is a box along the axes.
type AABB struct{ Position, Size Vector3 }

// Basis is a 3×3 matrix as a Godot script sees it: X, Y and Z are its columns.
// On the wire, and so in [Value.Floats], it is row by row:
//
//	X.X Y.X Z.X  X.Y Y.Y Z.Y  X.Z Y.Z Z.Z
type Basis struct{ X, Y, Z Vector3 }

// Transform3D is a Basis and an origin. On the wire the basis is row by
// row, as [Basis] says, and the origin follows.
type Transform3D struct {
	Basis  Basis
	Origin Vector3
}

// Projection is a 4×4 matrix of four columns, which also is its order on the wire.
type Projection struct{ X, Y, Z, W Vector4 }

// Color is a color; numbers over 1 are allowed.
type Color struct{ R, G, B, A float32 }

// StringName is a String that the engine keeps once. It is a separate type
// in the format, though Godot 4 takes it for equal to a String of the same text.
type StringName string

// RID is the id of a resource of a server, which means nothing elsewhere.
type RID uint64

// ObjectID is an Object that is known only by its instance id; see [Object].
type ObjectID uint64

// Callable is a Callable, of which the format holds nothing but the type.
type Callable struct{}

// transposed turns rows into columns and columns into rows.
func (b Basis) transposed() Basis {
	return Basis{
		Vector3{b.X.X, b.Y.X, b.Z.X},
		Vector3{b.X.Y, b.Y.Y, b.Z.Y},
		Vector3{b.X.Z, b.Y.Z, b.Z.Z},
	}
}

// makeLanes makes a math type of a Go type with the same numbers in wire order.
func makeLanes[T any](t Type, x T) Value {
	s := [1]T{x}
	return raw.Wrap(interp.MakeLanes(uint16(t), variant.LayoutOf(variant.Type(t)).Scalar, variant.BytesOf(s[:])))
}

// asLanes is the reverse of makeLanes. Numbers of double precision are rounded.
func asLanes[T any](v Value, t Type) (x T, ok bool) {
	var buf [4 * variant.MaxLanes]byte
	b, ok := variant.Lanes(raw.Value(v), variant.Type(t), &buf)
	if ok {
		variant.Load(&x, b)
	}
	return x, ok
}

// Value returns x as a Value.
func (x Vector2) Value() Value { return makeLanes(Vector2Type, x) }

// Value returns x as a Value.
func (x Vector2i) Value() Value { return makeLanes(Vector2iType, x) }

// Value returns x as a Value.
func (x Rect2) Value() Value { return makeLanes(Rect2Type, x) }

// Value returns x as a Value.
func (x Rect2i) Value() Value { return makeLanes(Rect2iType, x) }

// Value returns x as a Value.
func (x Vector3) Value() Value { return makeLanes(Vector3Type, x) }

// Value returns x as a Value.
func (x Vector3i) Value() Value { return makeLanes(Vector3iType, x) }

// Value returns x as a Value.
func (x Vector4) Value() Value { return makeLanes(Vector4Type, x) }

// Value returns x as a Value.
func (x Vector4i) Value() Value { return makeLanes(Vector4iType, x) }

// Value returns x as a Value.
func (x Transform2D) Value() Value { return makeLanes(Transform2DType, x) }

// Value returns x as a Value.
func (x Plane) Value() Value { return makeLanes(PlaneType, x) }

// Value returns x as a Value.
func (x Quaternion) Value() Value { return makeLanes(QuaternionType, x) }

// Value returns x as a Value.
func (x AABB) Value() Value { return makeLanes(AABBType, x) }

// Value returns x as a Value.
func (x Basis) Value() Value { return makeLanes(BasisType, x.transposed()) }

// Value returns x as a Value.
func (x Transform3D) Value() Value {
	x.Basis = x.Basis.transposed()
	return makeLanes(Transform3DType, x)
}

// Value returns x as a Value.
func (x Projection) Value() Value { return makeLanes(ProjectionType, x) }

// Value returns x as a Value.
func (x Color) Value() Value { return makeLanes(ColorType, x) }

// Value returns s as a Value.
func (s StringName) Value() Value { return NewStringName(string(s)) }

// Value returns id as a Value.
func (id RID) Value() Value { return NewRID(uint64(id)) }

// Value returns id as a Value.
func (id ObjectID) Value() Value { return NewObjectID(uint64(id)) }

// Value returns a Callable as a Value.
func (Callable) Value() Value { return NewCallable() }

// AsVector2 returns the value of a Vector2; ok is false for other types.
// Numbers of double precision are rounded.
func AsVector2(v Value) (x Vector2, ok bool) { return asLanes[Vector2](v, Vector2Type) }

// AsVector2i returns the value of a Vector2i; ok is false for other types.
func AsVector2i(v Value) (x Vector2i, ok bool) { return asLanes[Vector2i](v, Vector2iType) }

// AsRect2 returns the value of a Rect2; ok is false for other types.
// Numbers of double precision are rounded.
func AsRect2(v Value) (x Rect2, ok bool) { return asLanes[Rect2](v, Rect2Type) }

// AsRect2i returns the value of a Rect2i; ok is false for other types.
func AsRect2i(v Value) (x Rect2i, ok bool) { return asLanes[Rect2i](v, Rect2iType) }

// AsVector3 returns the value of a Vector3; ok is false for other types.
// Numbers of double precision are rounded.
func AsVector3(v Value) (x Vector3, ok bool) { return asLanes[Vector3](v, Vector3Type) }

// AsVector3i returns the value of a Vector3i; ok is false for other types.
func AsVector3i(v Value) (x Vector3i, ok bool) { return asLanes[Vector3i](v, Vector3iType) }

// AsVector4 returns the value of a Vector4; ok is false for other types.
// Numbers of double precision are rounded.
func AsVector4(v Value) (x Vector4, ok bool) { return asLanes[Vector4](v, Vector4Type) }

// AsVector4i returns the value of a Vector4i; ok is false for other types.
func AsVector4i(v Value) (x Vector4i, ok bool) { return asLanes[Vector4i](v, Vector4iType) }

// AsTransform2D returns the value of a Transform2D; ok is false for other
// types. Numbers of double precision are rounded.
func AsTransform2D(v Value) (x Transform2D, ok bool) {
	return asLanes[Transform2D](v, Transform2DType)
}

// AsPlane returns the value of a Plane; ok is false for other types. Numbers
// of double precision are rounded.
func AsPlane(v Value) (x Plane, ok bool) { return asLanes[Plane](v, PlaneType) }

// AsQuaternion returns the value of a Quaternion; ok is false for other types.
// Numbers of double precision are rounded.
func AsQuaternion(v Value) (x Quaternion, ok bool) { return asLanes[Quaternion](v, QuaternionType) }

// AsAABB returns the value of an AABB; ok is false for other types. Numbers of
// double precision are rounded.
func AsAABB(v Value) (x AABB, ok bool) { return asLanes[AABB](v, AABBType) }

// AsBasis returns the value of a Basis; ok is false for other types. Numbers of
// double precision are rounded.
func AsBasis(v Value) (x Basis, ok bool) {
	x, ok = asLanes[Basis](v, BasisType)
	return x.transposed(), ok
}

// AsTransform3D returns the value of a Transform3D; ok is false for other
// types. Numbers of double precision are rounded.
func AsTransform3D(v Value) (x Transform3D, ok bool) {
	x, ok = asLanes[Transform3D](v, Transform3DType)
	x.Basis = x.Basis.transposed()
	return x, ok
}

// AsProjection returns the value of a Projection; ok is false for other types.
// Numbers of double precision are rounded.
func AsProjection(v Value) (x Projection, ok bool) { return asLanes[Projection](v, ProjectionType) }

// AsColor returns the value of a Color; ok is false for other types.
func AsColor(v Value) (x Color, ok bool) { return asLanes[Color](v, ColorType) }

// AsStringName returns the text of a StringName; ok is false for other types,
// also for a String. The text shares memory with v.
func AsStringName(v Value) (s StringName, ok bool) {
	if v.Type() != StringNameType {
		return "", false
	}
	return StringName(raw.Value(v).Text()), true
}

// AsRID returns the id of an RID, which is 0 if the version writes none. For other types ok is
// false.
func AsRID(v Value) (id RID, ok bool) {
	if v.Type() != RIDType {
		return 0, false
	}
	return RID(raw.Value(v).Uint()), true
}

// AsObjectID returns the instance id of an Object that is known only by it; ok
// is false for other values.
func AsObjectID(v Value) (id ObjectID, ok bool) {
	if r := raw.Value(v); v.Type() == ObjectType && r.Kind() == interp.Uint {
		return ObjectID(r.Uint()), true
	}
	return 0, false
}

// makePacked makes a packed array of a slice, in one copy.
func makePacked[T any](t Type, s []T) Value {
	if len(s) > math.MaxInt32 {
		panic("codec: packed array of more than 2147483647 elements, which no version can hold")
	}
	return raw.Wrap(variant.MakePacked(variant.Type(t), s))
}

// asPacked is the reverse of makePacked. Numbers of double precision are
// rounded where the array is one of single precision.
func asPacked[T any](v Value, t Type) ([]T, bool) {
	return variant.AsPacked[T](raw.Value(v), variant.Type(t))
}

// NewPackedByteArray returns a PackedByteArray with a copy of s.
func NewPackedByteArray(s []byte) Value { return makePacked(PackedByteArray, s) }

// NewPackedInt32Array returns a PackedInt32Array with a copy of s.
func NewPackedInt32Array(s []int32) Value { return makePacked(PackedInt32Array, s) }

// NewPackedInt64Array returns a PackedInt64Array with a copy of s.
func NewPackedInt64Array(s []int64) Value { return makePacked(PackedInt64Array, s) }

// NewPackedFloat32Array returns a PackedFloat32Array with a copy of s.
func NewPackedFloat32Array(s []float32) Value { return makePacked(PackedFloat32Array, s) }

// NewPackedFloat64Array returns a PackedFloat64Array with a copy of s.
func NewPackedFloat64Array(s []float64) Value { return makePacked(PackedFloat64Array, s) }

// NewPackedStringArray returns a PackedStringArray with the texts of s.
func NewPackedStringArray(s []string) Value {
	return raw.Wrap(variant.MakeTexts(variant.PackedStringArray, s))
}

// NewPackedVector2Array returns a PackedVector2Array with a copy of s.
func NewPackedVector2Array(s []Vector2) Value { return makePacked(PackedVector2Array, s) }

// NewPackedVector3Array returns a PackedVector3Array with a copy of s.
func NewPackedVector3Array(s []Vector3) Value { return makePacked(PackedVector3Array, s) }

// NewPackedColorArray returns a PackedColorArray with a copy of s.
func NewPackedColorArray(s []Color) Value { return makePacked(PackedColorArray, s) }

// NewPackedVector4Array returns a PackedVector4Array with a copy of s.
func NewPackedVector4Array(s []Vector4) Value { return makePacked(PackedVector4Array, s) }

// NewPackedVector2iArray returns a PackedVector2iArray with a copy of s.
func NewPackedVector2iArray(s []Vector2i) Value { return makePacked(PackedVector2iArray, s) }

// NewPackedVector3iArray returns a PackedVector3iArray with a copy of s.
func NewPackedVector3iArray(s []Vector3i) Value { return makePacked(PackedVector3iArray, s) }

// NewPackedVector4iArray returns a PackedVector4iArray with a copy of s.
func NewPackedVector4iArray(s []Vector4i) Value { return makePacked(PackedVector4iArray, s) }

// AsPackedByteArray returns a copy of the elements of a PackedByteArray; ok is
// false for other types. [codec.Value.Bytes] does not copy.
func AsPackedByteArray(v Value) (s []byte, ok bool) { return asPacked[byte](v, PackedByteArray) }

// AsPackedInt32Array returns a copy of the elements of a PackedInt32Array; ok
// is false for other types.
func AsPackedInt32Array(v Value) (s []int32, ok bool) {
	return asPacked[int32](v, PackedInt32Array)
}

// AsPackedInt64Array returns a copy of the elements of a PackedInt64Array; ok
// is false for other types.
func AsPackedInt64Array(v Value) (s []int64, ok bool) {
	return asPacked[int64](v, PackedInt64Array)
}

// AsPackedFloat32Array returns a copy of the elements of a PackedFloat32Array;
// ok is false for other types.
func AsPackedFloat32Array(v Value) (s []float32, ok bool) {
	return asPacked[float32](v, PackedFloat32Array)
}

// AsPackedFloat64Array returns a copy of the elements of a PackedFloat64Array;
// ok is false for other types.
func AsPackedFloat64Array(v Value) (s []float64, ok bool) {
	return asPacked[float64](v, PackedFloat64Array)
}

// AsPackedStringArray returns the elements of a PackedStringArray; ok is false
// for other types. The texts share memory with v.
func AsPackedStringArray(v Value) (s []string, ok bool) {
	return v.Strings(), v.Type() == PackedStringArray
}

// AsPackedVector2Array returns a copy of the elements of a PackedVector2Array;
// ok is false for other types. Numbers of double precision are rounded.
func AsPackedVector2Array(v Value) (s []Vector2, ok bool) {
	return asPacked[Vector2](v, PackedVector2Array)
}

// AsPackedVector3Array returns a copy of the elements of a PackedVector3Array;
// ok is false for other types. Numbers of double precision are rounded.
func AsPackedVector3Array(v Value) (s []Vector3, ok bool) {
	return asPacked[Vector3](v, PackedVector3Array)
}

// AsPackedColorArray returns a copy of the elements of a PackedColorArray; ok
// is false for other types.
func AsPackedColorArray(v Value) (s []Color, ok bool) {
	return asPacked[Color](v, PackedColorArray)
}

// AsPackedVector4Array returns a copy of the elements of a PackedVector4Array;
// ok is false for other types. Numbers of double precision are rounded.
func AsPackedVector4Array(v Value) (s []Vector4, ok bool) {
	return asPacked[Vector4](v, PackedVector4Array)
}

// AsPackedVector2iArray returns a copy of the elements of a
// PackedVector2iArray; ok is false for other types.
func AsPackedVector2iArray(v Value) (s []Vector2i, ok bool) {
	return asPacked[Vector2i](v, PackedVector2iArray)
}

// AsPackedVector3iArray returns a copy of the elements of a
// PackedVector3iArray; ok is false for other types.
func AsPackedVector3iArray(v Value) (s []Vector3i, ok bool) {
	return asPacked[Vector3i](v, PackedVector3iArray)
}

// AsPackedVector4iArray returns a copy of the elements of a
// PackedVector4iArray; ok is false for other types.
func AsPackedVector4iArray(v Value) (s []Vector4i, ok bool) {
	return asPacked[Vector4i](v, PackedVector4iArray)
}
