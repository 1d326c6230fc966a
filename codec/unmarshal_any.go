// Values into `any`: the natural Go form of each.

package codec

import (
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// natural returns the Go value that stands for v, as To says. What it does not
// know stays a Value.
func (r *reader) natural(v Value) (any, error) {
	switch v.Type() {
	case Invalid, Nil:
		return nil, nil
	case Bool:
		return faithful(v, Value.AsBool), nil
	case Int:
		return faithful(v, Value.AsInt), nil
	case Float:
		return faithful(v, Value.AsFloat), nil
	case String:
		return faithful(v, Value.AsString), nil
	case StringNameType:
		return faithful(v, Value.AsStringName), nil
	case Vector2Type:
		return faithful(v, Value.AsVector2), nil
	case Vector2iType:
		return faithful(v, Value.AsVector2i), nil
	case Rect2Type:
		return faithful(v, Value.AsRect2), nil
	case Rect2iType:
		return faithful(v, Value.AsRect2i), nil
	case Vector3Type:
		return faithful(v, Value.AsVector3), nil
	case Vector3iType:
		return faithful(v, Value.AsVector3i), nil
	case Transform2DType:
		return faithful(v, Value.AsTransform2D), nil
	case Vector4Type:
		return faithful(v, Value.AsVector4), nil
	case Vector4iType:
		return faithful(v, Value.AsVector4i), nil
	case PlaneType:
		return faithful(v, Value.AsPlane), nil
	case QuaternionType:
		return faithful(v, Value.AsQuaternion), nil
	case AABBType:
		return faithful(v, Value.AsAABB), nil
	case BasisType:
		return faithful(v, Value.AsBasis), nil
	case Transform3DType:
		return faithful(v, Value.AsTransform3D), nil
	case ProjectionType:
		return faithful(v, Value.AsProjection), nil
	case ColorType:
		return faithful(v, Value.AsColor), nil
	case NodePathType:
		return faithful(v, Value.AsNodePath), nil
	case RIDType:
		return faithful(v, Value.AsRID), nil
	case ObjectType:
		if isNullObject(v) {
			return Object{}, nil
		}
		if v.raw.Kind() == interp.Uint {
			return faithful(v, Value.AsObjectID), nil
		}
		return faithful(v, Value.AsObject), nil
	case CallableType:
		return Callable{}, nil
	case SignalType:
		return faithful(v, Value.AsSignal), nil
	case PackedByteArray:
		return faithful(v, Value.AsPackedByteArray), nil
	case PackedInt32Array:
		return faithful(v, Value.AsPackedInt32Array), nil
	case PackedInt64Array:
		return faithful(v, Value.AsPackedInt64Array), nil
	case PackedFloat32Array:
		return faithful(v, Value.AsPackedFloat32Array), nil
	case PackedFloat64Array:
		return faithful(v, Value.AsPackedFloat64Array), nil
	case PackedStringArray:
		return faithful(v, Value.AsPackedStringArray), nil
	case PackedVector2Array:
		return faithful(v, Value.AsPackedVector2Array), nil
	case PackedVector3Array:
		return faithful(v, Value.AsPackedVector3Array), nil
	case PackedColorArray:
		return faithful(v, Value.AsPackedColorArray), nil
	case PackedVector4Array:
		return faithful(v, Value.AsPackedVector4Array), nil
	case PackedVector2iArray:
		return faithful(v, Value.AsPackedVector2iArray), nil
	case PackedVector3iArray:
		return faithful(v, Value.AsPackedVector3iArray), nil
	case PackedVector4iArray:
		return faithful(v, Value.AsPackedVector4iArray), nil
	case ArrayType:
		return r.naturalArray(v)
	case DictionaryType:
		return r.naturalDictionary(v)
	}
	return v, nil
}

// faithful returns what an accessor does, or v itself where that is not all of it.
func faithful[T any](v Value, as func(Value) (T, bool)) any {
	x, ok := as(v)
	if !ok || !v.isSingle() {
		return v
	}
	return x
}

// isSingle reports whether the numbers of a math type or packed array fit into
// single precision where its Go type has that.
func (v Value) isSingle() bool {
	if v.raw.Scalar() != bytecode.F64 || v.Type().laneForm().scalar != bytecode.F32 {
		return true
	}
	for i := range numbersIn(v.raw) {
		if !exactSingle(v.raw.LaneFloat(i)) {
			return false
		}
	}
	return true
}

var anyPlan = &plan{typ: reflect.TypeFor[any](), form: formInterface}

func (r *reader) naturalArray(v Value) (any, error) {
	if err := r.enter(anyPlan); err != nil {
		return nil, err
	}
	elems := v.Elems()
	out := make([]any, len(elems))
	for i, e := range elems {
		var err error
		if out[i], err = r.natural(e); err != nil {
			return nil, within(indexStep(i), err)
		}
	}
	r.depth--
	return out, nil
}

func (r *reader) naturalDictionary(v Value) (any, error) {
	if err := r.enter(anyPlan); err != nil {
		return nil, err
	}
	defer func() { r.depth-- }()
	keys, texts := naturalKeys(v)
	if keys == nil {
		return pairsOf(v), nil
	}
	byText := make(map[string]any, len(keys))
	byAny := map[any]any{}
	i := 0
	for k, val := range v.Pairs() {
		x, err := r.natural(val)
		if err != nil {
			return nil, within(keyStep(k), err)
		}
		if texts {
			byText[keys[i].(string)] = x
		} else {
			byAny[keys[i]] = x
		}
		i++
	}
	if texts {
		return byText, nil
	}
	return byAny, nil
}

// naturalKeys returns the keys of a Dictionary in order, and whether all of them
// are Strings. It returns nil when a map cannot hold them all: some have no
// equality in Go, or are one for the engine, or not even equal to themselves.
func naturalKeys(v Value) (keys []any, texts bool) {
	keys = make([]any, 0, v.Len())
	seen := make(map[any]bool, v.Len())
	texts = true
	for k := range v.Pairs() {
		if t := k.Type(); t == ArrayType || t == DictionaryType {
			return nil, false
		}
		x, _ := (*reader)(nil).natural(k) // needs a reader only for containers
		if _, stays := x.(Value); stays || x != nil && !reflect.ValueOf(x).Comparable() {
			return nil, false
		}
		same := x
		switch s := x.(type) {
		case string:
		case StringName:
			same, texts = string(s), false
		default:
			texts = false
		}
		if seen[same] || same != same {
			return nil, false
		}
		seen[same] = true
		keys = append(keys, x)
	}
	return keys, texts
}
