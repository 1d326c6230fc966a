package codec

import (
	"fmt"
	"reflect"
	"testing"
)

// TestAccessors: every accessor takes the values of its own type, gives back
// what was put in, and refuses the values of every other type.
func TestAccessors(t *testing.T) {
	accessors := []struct {
		of Type
		as any // func(Value) (T, bool)
		in any // T
	}{
		{Vector2Type, Value.AsVector2, Vector2{1, 2}},
		{Vector2iType, Value.AsVector2i, Vector2i{1, -2}},
		{Rect2Type, Value.AsRect2, Rect2{Vector2{1, 2}, Vector2{3, 4}}},
		{Rect2iType, Value.AsRect2i, Rect2i{Vector2i{1, 2}, Vector2i{3, -4}}},
		{Vector3Type, Value.AsVector3, Vector3{1, 2, 3}},
		{Vector3iType, Value.AsVector3i, Vector3i{1, 2, -3}},
		{Vector4Type, Value.AsVector4, Vector4{1, 2, 3, 4}},
		{Vector4iType, Value.AsVector4i, Vector4i{1, 2, 3, -4}},
		{Transform2DType, Value.AsTransform2D, Transform2D{Vector2{1, 2}, Vector2{3, 4}, Vector2{5, 6}}},
		{PlaneType, Value.AsPlane, Plane{Vector3{1, 2, 3}, 4}},
		{QuaternionType, Value.AsQuaternion, Quaternion{1, 2, 3, 4}},
		{AABBType, Value.AsAABB, AABB{Vector3{1, 2, 3}, Vector3{4, 5, 6}}},
		{BasisType, Value.AsBasis, Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}},
		{Transform3DType, Value.AsTransform3D, Transform3D{Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}, Vector3{10, 11, 12}}},
		{ProjectionType, Value.AsProjection, Projection{Vector4{1, 2, 3, 4}, Vector4{5, 6, 7, 8}, Vector4{9, 10, 11, 12}, Vector4{13, 14, 15, 16}}},
		{ColorType, Value.AsColor, Color{0.5, 1, 2, 0.25}},
		{StringNameType, Value.AsStringName, StringName("s")},
		{RIDType, Value.AsRID, RID(13)},
		{ObjectType, Value.AsObjectID, ObjectID(1 << 63)},
		{PackedByteArray, Value.AsPackedByteArray, []byte{1, 255}},
		{PackedInt32Array, Value.AsPackedInt32Array, []int32{1, -1}},
		{PackedInt64Array, Value.AsPackedInt64Array, []int64{1, -1 << 63}},
		{PackedFloat32Array, Value.AsPackedFloat32Array, []float32{1, 0.1}},
		{PackedFloat64Array, Value.AsPackedFloat64Array, []float64{1, 0.1}},
		{PackedStringArray, Value.AsPackedStringArray, []string{"a", ""}},
		{PackedVector2Array, Value.AsPackedVector2Array, []Vector2{{1, 2}, {3, 4}}},
		{PackedVector3Array, Value.AsPackedVector3Array, []Vector3{{1, 2, 3}, {4, 5, 6}}},
		{PackedColorArray, Value.AsPackedColorArray, []Color{{1, 2, 3, 4}}},
		{PackedVector4Array, Value.AsPackedVector4Array, []Vector4{{1, 2, 3, 4}}},
		{PackedVector2iArray, Value.AsPackedVector2iArray, []Vector2i{{1, -2}}},
		{PackedVector3iArray, Value.AsPackedVector3iArray, []Vector3i{{1, -2, 3}}},
		{PackedVector4iArray, Value.AsPackedVector4iArray, []Vector4i{{1, -2, 3, 4}}},
	}
	values := make([]Value, len(accessors))
	for i, a := range accessors {
		v, err := ValueOf(a.in)
		if err != nil || v.Type() != a.of {
			t.Fatalf("%v: %v, %v", a.of, v.Type(), err)
		}
		if own, ok := a.in.(interface{ Value() Value }); ok && !Equal(own.Value(), v) {
			t.Errorf("%v: method Value gives another value than ValueOf", a.of)
		}
		values[i] = v
	}
	values = append(values, NewNil(), Value{}, NewInt(1), NewString("s"), NewArray(), Object{}.Value())
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

// TestLaneForms: the Go types have as many numbers as the format's.
func TestLaneForms(t *testing.T) {
	for typ, own := range ownTypes {
		form := own.laneForm()
		if form.lanes == 0 {
			continue
		}
		n, kind, ok := leaves(typ)
		if !ok || n != form.lanes || kind != scalarKinds[form.scalar] || int(typ.Size()) != n*form.scalar.Width() {
			t.Errorf("%v: %d of %v, want %d of %v", typ, n, kind, form.lanes, form.scalar)
		}
	}
}

// FuzzMath: any bits in a math type survive, in Go and back.
func FuzzMath(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"))
	f.Add([]byte{0x01, 0x00, 0xa0, 0x7f, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		b = append(b, make([]byte, 64)...)
		for typ, own := range ownTypes {
			form := own.laneForm()
			if form.lanes == 0 {
				continue
			}
			x := reflect.New(typ)
			setRaw(x.Elem(), b[:typ.Size()])
			v := x.Interface().(interface{ Value() Value }).Value()
			y := reflect.New(typ)
			if err := v.To(y.Interface()); err != nil {
				t.Fatal(err)
			}
			w, err := ValueOf(y.Interface())
			if err != nil || !Equal(v, w) || string(rawBytes(y.Elem())) != string(b[:typ.Size()]) {
				t.Fatalf("%v: %v became %v, %v", own, x.Elem(), y.Elem(), err)
			}
		}
	})
}

func ExampleBasis() {
	// The columns of the matrix, as a script sees them …
	b := Basis{X: Vector3{1, 2, 3}, Y: Vector3{4, 5, 6}, Z: Vector3{7, 8, 9}}
	// … and its numbers as they stand on the wire.
	fmt.Println(b.Value().Floats())
	// Output: [1 4 7 2 5 8 3 6 9]
}

func ExampleNewPackedVector2Array() {
	v := NewPackedVector2Array([]Vector2{{1, 2}, {3, 4}})
	path, ok := v.AsPackedVector2Array()
	fmt.Println(v.Type(), path, ok)
	// Output: PackedVector2Array [{1 2} {3 4}] true
}
