package godot

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestAccessors: every accessor takes the values of its type, gives back
// what was put in, and refuses the values of every other type.
func TestAccessors(t *testing.T) {
	accessors := []struct {
		of codec.Type
		as any // func(Value) (T, bool)
		in any // T
	}{
		{Vector2Type, AsVector2, Vector2{1, 2}},
		{Vector2iType, AsVector2i, Vector2i{1, -2}},
		{Rect2Type, AsRect2, Rect2{Vector2{1, 2}, Vector2{3, 4}}},
		{Rect2iType, AsRect2i, Rect2i{Vector2i{1, 2}, Vector2i{3, -4}}},
		{Vector3Type, AsVector3, Vector3{1, 2, 3}},
		{Vector3iType, AsVector3i, Vector3i{1, 2, -3}},
		{Vector4Type, AsVector4, Vector4{1, 2, 3, 4}},
		{Vector4iType, AsVector4i, Vector4i{1, 2, 3, -4}},
		{Transform2DType, AsTransform2D, Transform2D{Vector2{1, 2}, Vector2{3, 4}, Vector2{5, 6}}},
		{PlaneType, AsPlane, Plane{Vector3{1, 2, 3}, 4}},
		{QuaternionType, AsQuaternion, Quaternion{1, 2, 3, 4}},
		{AABBType, AsAABB, AABB{Vector3{1, 2, 3}, Vector3{4, 5, 6}}},
		{BasisType, AsBasis, Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}},
		{Transform3DType, AsTransform3D, Transform3D{Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}, Vector3{10, 11, 12}}},
		{ProjectionType, AsProjection, Projection{Vector4{1, 2, 3, 4}, Vector4{5, 6, 7, 8}, Vector4{9, 10, 11, 12}, Vector4{13, 14, 15, 16}}},
		{ColorType, AsColor, Color{0.5, 1, 2, 0.25}},
		{StringNameType, AsStringName, StringName("s")},
		{RIDType, AsRID, RID(13)},
		{ObjectType, AsObjectID, ObjectID(1 << 63)},
		{PackedByteArray, AsPackedByteArray, []byte{1, 255}},
		{PackedInt32Array, AsPackedInt32Array, []int32{1, -1}},
		{PackedInt64Array, AsPackedInt64Array, []int64{1, -1 << 63}},
		{PackedFloat32Array, AsPackedFloat32Array, []float32{1, 0.1}},
		{PackedFloat64Array, AsPackedFloat64Array, []float64{1, 0.1}},
		{PackedStringArray, AsPackedStringArray, []string{"a", ""}},
		{PackedVector2Array, AsPackedVector2Array, []Vector2{{1, 2}, {3, 4}}},
		{PackedVector3Array, AsPackedVector3Array, []Vector3{{1, 2, 3}, {4, 5, 6}}},
		{PackedColorArray, AsPackedColorArray, []Color{{1, 2, 3, 4}}},
		{PackedVector4Array, AsPackedVector4Array, []Vector4{{1, 2, 3, 4}}},
		{PackedVector2iArray, AsPackedVector2iArray, []Vector2i{{1, -2}}},
		{PackedVector3iArray, AsPackedVector3iArray, []Vector3i{{1, -2, 3}}},
		{PackedVector4iArray, AsPackedVector4iArray, []Vector4i{{1, -2, 3, 4}}},
	}
	values := make([]codec.Value, len(accessors))
	for i, a := range accessors {
		v, err := ValueOf(a.in)
		if err != nil || v.Type() != a.of {
			t.Fatalf("%v: %v, %v", a.of, v.Type(), err)
		}
		if own, ok := a.in.(interface{ Value() codec.Value }); ok && !codec.Equal(own.Value(), v) {
			t.Errorf("%v: method Value gives another value than ValueOf", a.of)
		}
		values[i] = v
	}
	values = append(values, NewNil(), codec.Value{}, NewInt(1), NewString("s"), NewArray(), Object{}.Value(),
		raw.Wrap(interp.MakeLanes(uint16(Vector2Type), bytecode.I32, make([]byte, 8))), raw.Wrap(interp.MakePacked(uint16(PackedVector2Array), bytecode.I32, 2, make([]byte, 8))))
	for i, a := range accessors {
		for j, v := range values {
			out := reflect.ValueOf(a.as).Call([]reflect.Value{reflect.ValueOf(v)})
			if ok := out[1].Bool(); ok != (i == j) {
				t.Errorf("accessor of %v: ok is %v for %v", a.of, ok, v.Type())
			} else if ok && !reflect.DeepEqual(out[0].Interface(), a.in) {
				t.Errorf("%v: got %v, want %v", a.of, out[0], a.in)
			} else if !ok && !out[0].IsZero() {
				t.Errorf("accessor of %v: not zero for %v", a.of, v.Type())
			}
		}
	}
	if NewCallable().Type() != (Callable{}).Value().Type() {
		t.Error("Callable")
	}
}

// TestLayouts: the Go types have as many numbers as those of the format.
func TestLayouts(t *testing.T) {
	for typ, own := range variant.GoTypes() {
		if l := variant.LayoutOf(own.Type); l.Lanes > 0 && int(typ.Size()) != l.Lanes*l.Scalar.Width() {
			t.Errorf("%v: %d bytes, want %d of %v", typ, typ.Size(), l.Lanes, l.Scalar)
		}
	}
}

// FuzzMath: any bits in a math type survive, in Go and back.
func FuzzMath(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))
	f.Add([]byte{0x01, 0x00, 0xa0, 0x7f, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append(b, make([]byte, 64)...)
		for typ, own := range variant.GoTypes() {
			if variant.LayoutOf(own.Type).Lanes == 0 {
				continue
			}
			x := reflect.New(typ)
			variant.SetRaw(x.Elem(), b[:typ.Size()])
			v := x.Interface().(interface{ Value() codec.Value }).Value()
			y := reflect.New(typ)
			if err := v.To(y.Interface()); err != nil {
				t.Fatal(err)
			}
			w, err := ValueOf(y.Interface())
			if err != nil || !codec.Equal(v, w) || string(variant.RawBytes(y.Elem())) != string(b[:typ.Size()]) {
				t.Fatalf("%v: %v became %v, %v", own.Type, x.Elem(), y.Elem(), err)
			}
		}
	})
}

func ExampleBasis() {
	// The columns of the matrix, as a script sees them …
	b := Basis{X: Vector3{1, 2, 3}, Y: Vector3{4, 5, 6}, Z: Vector3{7, 8, 9}}
	// … and its numbers in the order of the wire.
	fmt.Println(b.Value().Floats())
	// Output: [1 4 7 2 5 8 3 6 9]
}

func ExampleNewPackedVector2Array() {
	v := NewPackedVector2Array([]Vector2{{1, 2}, {3, 4}})
	path, ok := AsPackedVector2Array(v)
	fmt.Println(v.Type(), path, ok)
	// Output: PackedVector2Array [{1 2} {3 4}] true
}
