// Registration of Go types, by which package codec converts them.

package godot

import (
	"slices"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

func init() {
	register(Vector2Type, AsVector2, nil)
	register(Vector2iType, AsVector2i, nil)
	register(Rect2Type, AsRect2, nil)
	register(Rect2iType, AsRect2i, nil)
	register(Vector3Type, AsVector3, nil)
	register(Vector3iType, AsVector3i, nil)
	register(Transform2DType, AsTransform2D, nil)
	register(Vector4Type, AsVector4, nil)
	register(Vector4iType, AsVector4i, nil)
	register(PlaneType, AsPlane, nil)
	register(QuaternionType, AsQuaternion, nil)
	register(AABBType, AsAABB, nil)
	register(BasisType, AsBasis, nil)
	register(Transform3DType, AsTransform3D, nil)
	register(ProjectionType, AsProjection, nil)
	register(ColorType, AsColor, nil)
	register(StringNameType, AsStringName, nil)
	register(RIDType, AsRID, nil)
	register(NodePathType, AsNodePath, NodePath.Value)
	register(SignalType, AsSignal, Signal.Value)
	register(CallableType, func(Value) (c Callable, ok bool) { return c, true }, Callable.Value)
	register(ObjectType, AsObject, func(o Object) Value {
		o.Properties = slices.Clone(o.Properties)
		for i := range o.Properties {
			if p := &o.Properties[i]; p.Value.Type() == Invalid && raw.Value(p.Value).IsNone() {
				p.Value = NewNil()
			}
		}
		return o.Value()
	})
	variant.Register[ObjectID](variant.ObjectType, nil)
	natural(ObjectType, func(v Value) (any, bool) {
		switch r := raw.Value(v); {
		case variant.IsNullObject(r):
			return Object{}, true
		case r.Kind() == interp.Uint:
			return AsObjectID(v)
		}
		return AsObject(v)
	})
	natural(PackedVector2Array, AsPackedVector2Array)
	natural(PackedVector3Array, AsPackedVector3Array)
	natural(PackedColorArray, AsPackedColorArray)
	natural(PackedVector4Array, AsPackedVector4Array)
	natural(PackedVector2iArray, AsPackedVector2iArray)
	natural(PackedVector3iArray, AsPackedVector3iArray)
	natural(PackedVector4iArray, AsPackedVector4iArray)
}

// register declares a Go type for a type of Variants. makes is nil for numbers and texts.
func register[T any](t Type, as func(Value) (T, bool), makes func(T) Value) {
	if makes == nil {
		variant.Register[T](variant.Type(t), nil)
	} else {
		variant.Register(variant.Type(t), func(x T) interp.Value { return raw.Value(makes(x)) })
	}
	natural(t, as)
}

// natural declares the Go value for an empty interface.
func natural[T any](t Type, as func(Value) (T, bool)) {
	variant.RegisterNatural(variant.Type(t), func(v interp.Value) (T, bool) { return as(raw.Wrap(v)) })
}
