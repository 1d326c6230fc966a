package godot_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestAccessors checks that every accessor takes the values of its type, and
// gives back what was put in. It refuses the values of every other type.
func TestAccessors(t *testing.T) {
	accessors := []struct {
		of codec.Type
		as any // func(Value) (T, bool)
		in any // T
	}{
		{godot.Vector2Type, godot.AsVector2, godot.Vector2{1, 2}},
		{godot.Vector2iType, godot.AsVector2i, godot.Vector2i{1, -2}},
		{godot.Rect2Type, godot.AsRect2, godot.Rect2{godot.Vector2{1, 2}, godot.Vector2{3, 4}}},
		{godot.Rect2iType, godot.AsRect2i, godot.Rect2i{godot.Vector2i{1, 2}, godot.Vector2i{3, -4}}},
		{godot.Vector3Type, godot.AsVector3, godot.Vector3{1, 2, 3}},
		{godot.Vector3iType, godot.AsVector3i, godot.Vector3i{1, 2, -3}},
		{godot.Vector4Type, godot.AsVector4, godot.Vector4{1, 2, 3, 4}},
		{godot.Vector4iType, godot.AsVector4i, godot.Vector4i{1, 2, 3, -4}},
		{godot.Transform2DType, godot.AsTransform2D, godot.Transform2D{godot.Vector2{1, 2}, godot.Vector2{3, 4}, godot.Vector2{5, 6}}},
		{godot.PlaneType, godot.AsPlane, godot.Plane{godot.Vector3{1, 2, 3}, 4}},
		{godot.QuaternionType, godot.AsQuaternion, godot.Quaternion{1, 2, 3, 4}},
		{godot.AABBType, godot.AsAABB, godot.AABB{godot.Vector3{1, 2, 3}, godot.Vector3{4, 5, 6}}},
		{godot.BasisType, godot.AsBasis, godot.Basis{godot.Vector3{1, 2, 3}, godot.Vector3{4, 5, 6}, godot.Vector3{7, 8, 9}}},
		{godot.Transform3DType, godot.AsTransform3D, godot.Transform3D{godot.Basis{godot.Vector3{1, 2, 3}, godot.Vector3{4, 5, 6}, godot.Vector3{7, 8, 9}}, godot.Vector3{10, 11, 12}}},
		{godot.ProjectionType, godot.AsProjection, godot.Projection{godot.Vector4{1, 2, 3, 4}, godot.Vector4{5, 6, 7, 8}, godot.Vector4{9, 10, 11, 12}, godot.Vector4{13, 14, 15, 16}}},
		{godot.ColorType, godot.AsColor, godot.Color{0.5, 1, 2, 0.25}},
		{godot.StringNameType, godot.AsStringName, godot.StringName("s")},
		{godot.RIDType, godot.AsRID, godot.RID(13)},
		{godot.ObjectType, godot.AsObjectID, godot.ObjectID(1 << 63)},
		{godot.PackedByteArray, godot.AsPackedByteArray, []byte{1, 255}},
		{godot.PackedInt32Array, godot.AsPackedInt32Array, []int32{1, -1}},
		{godot.PackedInt64Array, godot.AsPackedInt64Array, []int64{1, -1 << 63}},
		{godot.PackedFloat32Array, godot.AsPackedFloat32Array, []float32{1, 0.1}},
		{godot.PackedFloat64Array, godot.AsPackedFloat64Array, []float64{1, 0.1}},
		{godot.PackedStringArray, godot.AsPackedStringArray, []string{"a", ""}},
		{godot.PackedVector2Array, godot.AsPackedVector2Array, []godot.Vector2{{1, 2}, {3, 4}}},
		{godot.PackedVector3Array, godot.AsPackedVector3Array, []godot.Vector3{{1, 2, 3}, {4, 5, 6}}},
		{godot.PackedColorArray, godot.AsPackedColorArray, []godot.Color{{1, 2, 3, 4}}},
		{godot.PackedVector4Array, godot.AsPackedVector4Array, []godot.Vector4{{1, 2, 3, 4}}},
		{godot.PackedVector2iArray, godot.AsPackedVector2iArray, []godot.Vector2i{{1, -2}}},
		{godot.PackedVector3iArray, godot.AsPackedVector3iArray, []godot.Vector3i{{1, -2, 3}}},
		{godot.PackedVector4iArray, godot.AsPackedVector4iArray, []godot.Vector4i{{1, -2, 3, 4}}},
	}
	values := make([]codec.Value, len(accessors))
	for i, a := range accessors {
		v, err := godot.ValueOf(a.in)
		if err != nil || v.Type() != a.of {
			t.Fatalf("%v: %v, %v", a.of, v.Type(), err)
		}
		if own, ok := a.in.(interface{ Value() codec.Value }); ok && !codec.Equal(own.Value(), v) {
			t.Errorf("%v: method Value gives another value than ValueOf", a.of)
		}
		values[i] = v
	}
	values = append(values, godot.NewNil(), codec.Value{}, godot.NewInt(1), godot.NewString("s"), godot.NewArray(), godot.Object{}.Value(),
		raw.Wrap(interp.MakeLanes(uint16(godot.Vector2Type), bytecode.I32, make([]byte, 8))), raw.Wrap(interp.MakePacked(uint16(godot.PackedVector2Array), bytecode.I32, 2, make([]byte, 8))))
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
	if godot.NewCallable().Type() != (godot.Callable{}).Value().Type() {
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
			w, err := godot.ValueOf(y.Interface())
			if err != nil || !codec.Equal(v, w) || string(variant.RawBytes(y.Elem())) != string(b[:typ.Size()]) {
				t.Fatalf("%v: %v became %v, %v", own.Type, x.Elem(), y.Elem(), err)
			}
		}
	})
}

func ExampleBasis() {
	// The columns of the matrix, as a script sees them …
	b := godot.Basis{X: godot.Vector3{1, 2, 3}, Y: godot.Vector3{4, 5, 6}, Z: godot.Vector3{7, 8, 9}}
	// … and its numbers in the order of the wire.
	fmt.Println(b.Value().Floats())
	// Output: [1 4 7 2 5 8 3 6 9]
}

func ExampleNewPackedVector2Array() {
	v := godot.NewPackedVector2Array([]godot.Vector2{{1, 2}, {3, 4}})
	path, ok := godot.AsPackedVector2Array(v)
	fmt.Println(v.Type(), path, ok)
	// Output: PackedVector2Array [{1 2} {3 4}] true
}
