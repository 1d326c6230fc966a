// Values into `any`: the natural Go form of each.

package codec

import (
	"reflect"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/compile/bytecode"
)

// natural returns the Go value that represents v, as To says. What it does not
// know stays a Value.
func (r *reader) natural(v Value) (any, error) {
	switch v.Type() {
	case variant.Invalid, variant.Nil:
		return nil, nil
	case variant.Bool:
		return faithful(v, Value.AsBool), nil
	case variant.Int:
		return faithful(v, Value.AsInt), nil
	case variant.Float:
		return faithful(v, Value.AsFloat), nil
	case variant.String:
		return faithful(v, Value.AsString), nil
	case variant.PackedStringArray:
		return v.Strings(), nil
	case variant.PackedByteArray:
		return numbersOf[byte](v), nil
	case variant.PackedInt32Array:
		return numbersOf[int32](v), nil
	case variant.PackedInt64Array:
		return numbersOf[int64](v), nil
	case variant.PackedFloat32Array:
		return numbersOf[float32](v), nil
	case variant.PackedFloat64Array:
		return numbersOf[float64](v), nil
	case variant.ArrayType:
		return r.naturalArray(v)
	case variant.DictionaryType:
		return r.naturalDictionary(v)
	}
	if x, ok := variant.Natural(v.raw); ok && v.isSingle() {
		return x, nil
	}
	return v, nil
}

// faithful returns the result of an accessor, or v itself without one.
func faithful[T any](v Value, as func(Value) (T, bool)) any {
	x, ok := as(v)
	if !ok {
		return v
	}
	return x
}

// numbersOf returns the elements of a packed array, or v itself if they do not fit.
func numbersOf[T any](v Value) any {
	x, ok := variant.AsPacked[T](v.raw, variant.Type(v.Type()))
	if !ok || !v.isSingle() {
		return v
	}
	return x
}

// isSingle reports whether the numbers of a math type or packed array fit into
// single precision. It is true if its Go type has double precision.
func (v Value) isSingle() bool {
	if v.raw.Scalar() != bytecode.F64 || v.Type().layout().Scalar != bytecode.F32 {
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
		if t := k.Type(); t == variant.ArrayType || t == variant.DictionaryType {
			return nil, false
		}
		x, _ := (*reader)(nil).natural(k) // needs a reader only for containers
		if _, stays := x.(Value); stays || x != nil && !reflect.ValueOf(x).Comparable() {
			return nil, false
		}
		same := x
		if texts = texts && k.Type() == variant.String; k.Type() == variant.StringNameType {
			same, _ = k.AsString() // one for the engine
		}
		if seen[same] || same != same {
			return nil, false
		}
		seen[same] = true
		keys = append(keys, x)
	}
	return keys, texts
}
