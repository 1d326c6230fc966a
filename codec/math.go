// Godot's math types, names and packed arrays as Go types.

package codec

import (
	"encoding/binary"
	"math"

	"github.com/octable/octable/compile/bytecode"
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
// On the wire, and so in [Value.Floats], it stands row by row:
//
//	X.X Y.X Z.X  X.Y Y.Y Z.Y  X.Z Y.Z Z.Z
type Basis struct{ X, Y, Z Vector3 }

// Transform3D is a Basis and an origin. On the wire the basis stands row by
// row, as [Basis] says, and the origin follows.
type Transform3D struct {
	Basis  Basis
	Origin Vector3
}

// Projection is a 4×4 matrix of four columns, which also is its order on the wire.
type Projection struct{ X, Y, Z, W Vector4 }

// Color is a color; numbers over 1 are allowed.
type Color struct{ R, G, B, A float32 }

// StringName is a String that the engine keeps once. It is a type of its own
// in the format, though Godot 4 takes it for equal to a String of the same text.
type StringName string

// RID is the id of a resource of a server, which means nothing elsewhere.
type RID uint64

// ObjectID is an Object that is known only by its instance id; see [Object].
type ObjectID uint64

// Callable is a Callable, of which the format holds nothing but the type.
type Callable struct{}

// laneForm is what a math type or a packed array is made of.
type laneForm struct {
	lanes  int // numbers in the math type, or in each element of the array; 0 for other types
	scalar bytecode.Scalar
	elem   Type // packed: the type of an element
}

var laneForms = [numTypes]laneForm{
	Vector2Type:     {lanes: 2, scalar: bytecode.F32},
	Vector2iType:    {lanes: 2, scalar: bytecode.I32},
	Rect2Type:       {lanes: 4, scalar: bytecode.F32},
	Rect2iType:      {lanes: 4, scalar: bytecode.I32},
	Vector3Type:     {lanes: 3, scalar: bytecode.F32},
	Vector3iType:    {lanes: 3, scalar: bytecode.I32},
	Transform2DType: {lanes: 6, scalar: bytecode.F32},
	Vector4Type:     {lanes: 4, scalar: bytecode.F32},
	Vector4iType:    {lanes: 4, scalar: bytecode.I32},
	PlaneType:       {lanes: 4, scalar: bytecode.F32},
	QuaternionType:  {lanes: 4, scalar: bytecode.F32},
	AABBType:        {lanes: 6, scalar: bytecode.F32},
	BasisType:       {lanes: 9, scalar: bytecode.F32},
	Transform3DType: {lanes: 12, scalar: bytecode.F32},
	ProjectionType:  {lanes: 16, scalar: bytecode.F32},
	ColorType:       {lanes: 4, scalar: bytecode.F32},

	PackedByteArray:     {1, bytecode.U8, Int},
	PackedInt32Array:    {1, bytecode.I32, Int},
	PackedInt64Array:    {1, bytecode.I64, Int},
	PackedFloat32Array:  {1, bytecode.F32, Float},
	PackedFloat64Array:  {1, bytecode.F64, Float},
	PackedVector2Array:  {2, bytecode.F32, Vector2Type},
	PackedVector3Array:  {3, bytecode.F32, Vector3Type},
	PackedColorArray:    {4, bytecode.F32, ColorType},
	PackedVector4Array:  {4, bytecode.F32, Vector4Type},
	PackedVector2iArray: {2, bytecode.I32, Vector2iType},
	PackedVector3iArray: {3, bytecode.I32, Vector3iType},
	PackedVector4iArray: {4, bytecode.I32, Vector4iType},
}

const maxLanes = 16

// laneForm returns the form of a math type or packed array; lanes is 0 for other types.
func (t Type) laneForm() laneForm {
	if t < numTypes {
		return laneForms[t]
	}
	return laneForm{}
}

// rowwise reports whether the type begins with a basis, whose nine numbers
// stand row by row on the wire and column by column in Go.
func (t Type) rowwise() bool { return t == BasisType || t == Transform3DType }

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
	return FromRaw(interp.MakeLanes(uint16(t), laneForms[t].scalar, bytesOf(s[:])))
}

// asLanes is the reverse of makeLanes. Numbers of double precision are rounded.
func asLanes[T any](v Value, t Type) (x T, ok bool) {
	var buf [4 * maxLanes]byte
	b, ok := v.lanes(t, &buf)
	if ok {
		load(&x, b)
	}
	return x, ok
}

// lanes returns the numbers of a math type of type t in single precision, as
// little-endian bytes; buf is where it may put them.
func (v Value) lanes(t Type, buf *[4 * maxLanes]byte) ([]byte, bool) {
	form := t.laneForm()
	if v.Type() != t || v.raw.Kind() != interp.Lanes || v.raw.Width() != form.lanes {
		return nil, false
	}
	if v.raw.Scalar() == form.scalar {
		if form.lanes > 2 {
			return v.raw.Bytes(), true
		}
		for i := range form.lanes {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(v.raw.LaneBits(i)))
		}
		return buf[:4*form.lanes], true
	}
	if form.scalar != bytecode.F32 || v.raw.Scalar() != bytecode.F64 {
		return nil, false
	}
	for i := range form.lanes {
		binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(float32(v.raw.LaneFloat(i))))
	}
	return buf[:4*form.lanes], true
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
func (v Value) AsVector2() (x Vector2, ok bool) { return asLanes[Vector2](v, Vector2Type) }

// AsVector2i returns the value of a Vector2i; ok is false for other types.
func (v Value) AsVector2i() (x Vector2i, ok bool) { return asLanes[Vector2i](v, Vector2iType) }

// AsRect2 returns the value of a Rect2; ok is false for other types.
// Numbers of double precision are rounded.
func (v Value) AsRect2() (x Rect2, ok bool) { return asLanes[Rect2](v, Rect2Type) }

// AsRect2i returns the value of a Rect2i; ok is false for other types.
func (v Value) AsRect2i() (x Rect2i, ok bool) { return asLanes[Rect2i](v, Rect2iType) }

// AsVector3 returns the value of a Vector3; ok is false for other types.
// Numbers of double precision are rounded.
func (v Value) AsVector3() (x Vector3, ok bool) { return asLanes[Vector3](v, Vector3Type) }

// AsVector3i returns the value of a Vector3i; ok is false for other types.
func (v Value) AsVector3i() (x Vector3i, ok bool) { return asLanes[Vector3i](v, Vector3iType) }

// AsVector4 returns the value of a Vector4; ok is false for other types.
// Numbers of double precision are rounded.
func (v Value) AsVector4() (x Vector4, ok bool) { return asLanes[Vector4](v, Vector4Type) }

// AsVector4i returns the value of a Vector4i; ok is false for other types.
func (v Value) AsVector4i() (x Vector4i, ok bool) { return asLanes[Vector4i](v, Vector4iType) }

// AsTransform2D returns the value of a Transform2D; ok is false for other
// types. Numbers of double precision are rounded.
func (v Value) AsTransform2D() (x Transform2D, ok bool) {
	return asLanes[Transform2D](v, Transform2DType)
}

// AsPlane returns the value of a Plane; ok is false for other types. Numbers
// of double precision are rounded.
func (v Value) AsPlane() (x Plane, ok bool) { return asLanes[Plane](v, PlaneType) }

// AsQuaternion returns the value of a Quaternion; ok is false for other types.
// Numbers of double precision are rounded.
func (v Value) AsQuaternion() (x Quaternion, ok bool) { return asLanes[Quaternion](v, QuaternionType) }

// AsAABB returns the value of an AABB; ok is false for other types. Numbers of
// double precision are rounded.
func (v Value) AsAABB() (x AABB, ok bool) { return asLanes[AABB](v, AABBType) }

// AsBasis returns the value of a Basis; ok is false for other types. Numbers of
// double precision are rounded.
func (v Value) AsBasis() (x Basis, ok bool) {
	x, ok = asLanes[Basis](v, BasisType)
	return x.transposed(), ok
}

// AsTransform3D returns the value of a Transform3D; ok is false for other
// types. Numbers of double precision are rounded.
func (v Value) AsTransform3D() (x Transform3D, ok bool) {
	x, ok = asLanes[Transform3D](v, Transform3DType)
	x.Basis = x.Basis.transposed()
	return x, ok
}

// AsProjection returns the value of a Projection; ok is false for other types.
// Numbers of double precision are rounded.
func (v Value) AsProjection() (x Projection, ok bool) { return asLanes[Projection](v, ProjectionType) }

// AsColor returns the value of a Color; ok is false for other types.
func (v Value) AsColor() (x Color, ok bool) { return asLanes[Color](v, ColorType) }

// AsStringName returns the text of a StringName; ok is false for other types,
// also for a String. The text shares memory with v.
func (v Value) AsStringName() (s StringName, ok bool) {
	if v.Type() != StringNameType {
		return "", false
	}
	return StringName(v.raw.Text()), true
}

// AsRID returns the id of an RID, which is 0 where the version writes none; ok
// is false for other types.
func (v Value) AsRID() (id RID, ok bool) {
	if v.Type() != RIDType {
		return 0, false
	}
	return RID(v.raw.Uint()), true
}

// AsObjectID returns the instance id of an Object that is known only by it; ok
// is false for other values.
func (v Value) AsObjectID() (id ObjectID, ok bool) {
	if v.Type() != ObjectType || v.raw.Kind() != interp.Uint {
		return 0, false
	}
	return ObjectID(v.raw.Uint()), true
}

// makePacked makes a packed array of a slice, in one copy.
func makePacked[T any](t Type, s []T) Value {
	if len(s) > math.MaxInt32 {
		panic("codec: packed array of more than 2147483647 elements, which no version can hold")
	}
	return newPacked(t, laneForms[t].scalar, laneForms[t].lanes, bytesOf(s))
}

// asPacked is the reverse of makePacked. Numbers of double precision are
// rounded where the array is one of single precision.
func asPacked[T any](v Value, t Type) ([]T, bool) {
	b, ok := v.packed(t)
	if !ok {
		return nil, false
	}
	return sliceOf[T](b), true
}

// packed returns the numbers of a packed array of type t as little-endian bytes.
func (v Value) packed(t Type) ([]byte, bool) {
	form := t.laneForm()
	if v.Type() != t || v.raw.Kind() != interp.Packed || v.raw.Width() != form.lanes {
		return nil, false
	}
	if v.raw.Scalar() == form.scalar {
		return v.raw.Bytes(), true
	}
	if form.scalar != bytecode.F32 || v.raw.Scalar() != bytecode.F64 {
		return nil, false
	}
	wide := v.raw.Bytes()
	b := make([]byte, 0, len(wide)/2)
	for ; len(wide) >= 8; wide = wide[8:] {
		f := math.Float64frombits(binary.LittleEndian.Uint64(wide))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	}
	return b, true
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
func NewPackedStringArray(s []string) Value { return newTextList(s) }

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
// false for other types. [Value.Bytes] does not copy.
func (v Value) AsPackedByteArray() (s []byte, ok bool) { return asPacked[byte](v, PackedByteArray) }

// AsPackedInt32Array returns a copy of the elements of a PackedInt32Array; ok
// is false for other types.
func (v Value) AsPackedInt32Array() (s []int32, ok bool) {
	return asPacked[int32](v, PackedInt32Array)
}

// AsPackedInt64Array returns a copy of the elements of a PackedInt64Array; ok
// is false for other types.
func (v Value) AsPackedInt64Array() (s []int64, ok bool) {
	return asPacked[int64](v, PackedInt64Array)
}

// AsPackedFloat32Array returns a copy of the elements of a PackedFloat32Array;
// ok is false for other types.
func (v Value) AsPackedFloat32Array() (s []float32, ok bool) {
	return asPacked[float32](v, PackedFloat32Array)
}

// AsPackedFloat64Array returns a copy of the elements of a PackedFloat64Array;
// ok is false for other types.
func (v Value) AsPackedFloat64Array() (s []float64, ok bool) {
	return asPacked[float64](v, PackedFloat64Array)
}

// AsPackedStringArray returns the elements of a PackedStringArray; ok is false
// for other types. The texts share memory with v.
func (v Value) AsPackedStringArray() (s []string, ok bool) {
	return v.Strings(), v.Type() == PackedStringArray
}

// AsPackedVector2Array returns a copy of the elements of a PackedVector2Array;
// ok is false for other types. Numbers of double precision are rounded.
func (v Value) AsPackedVector2Array() (s []Vector2, ok bool) {
	return asPacked[Vector2](v, PackedVector2Array)
}

// AsPackedVector3Array returns a copy of the elements of a PackedVector3Array;
// ok is false for other types. Numbers of double precision are rounded.
func (v Value) AsPackedVector3Array() (s []Vector3, ok bool) {
	return asPacked[Vector3](v, PackedVector3Array)
}

// AsPackedColorArray returns a copy of the elements of a PackedColorArray; ok
// is false for other types.
func (v Value) AsPackedColorArray() (s []Color, ok bool) {
	return asPacked[Color](v, PackedColorArray)
}

// AsPackedVector4Array returns a copy of the elements of a PackedVector4Array;
// ok is false for other types. Numbers of double precision are rounded.
func (v Value) AsPackedVector4Array() (s []Vector4, ok bool) {
	return asPacked[Vector4](v, PackedVector4Array)
}

// AsPackedVector2iArray returns a copy of the elements of a
// PackedVector2iArray; ok is false for other types.
func (v Value) AsPackedVector2iArray() (s []Vector2i, ok bool) {
	return asPacked[Vector2i](v, PackedVector2iArray)
}

// AsPackedVector3iArray returns a copy of the elements of a
// PackedVector3iArray; ok is false for other types.
func (v Value) AsPackedVector3iArray() (s []Vector3i, ok bool) {
	return asPacked[Vector3i](v, PackedVector3iArray)
}

// AsPackedVector4iArray returns a copy of the elements of a
// PackedVector4iArray; ok is false for other types.
func (v Value) AsPackedVector4iArray() (s []Vector4i, ok bool) {
	return asPacked[Vector4i](v, PackedVector4iArray)
}
