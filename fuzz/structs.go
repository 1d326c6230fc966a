// The law about Go structs: a type is made for each schema, and for each packet of Variants.

package fuzz

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

var (
	valueType = reflect.TypeFor[codec.Value]()
	anyType   = reflect.TypeFor[any]()
)

// maxTypes bounds the types that are made, since they stay in memory for ever. It is enough for some 8,000 drawn
// schemas.
const maxTypes = 1 << 16

var (
	typesMade atomic.Int64
	typesSeen sync.Map // of reflect.Type
)

// goType returns a Go type that a value fits. It is a struct for a Dictionary whose keys are names, a slice for an Array
// of such ones, and the type that an any gets for other values. exact is true if the type keeps all of the value.
func goType(v codec.Value, depth int) (t reflect.Type, exact bool) {
	if depth == 0 {
		return valueType, true
	}
	switch v.Type() {
	case godot.DictionaryType:
		var fields []reflect.StructField
		seen := map[string]bool{}
		k, e := godot.PairTypesOf(v)
		exact = k.IsUntyped() && e.IsUntyped() && raw.Value(v).Kind() == interp.Map
		for key, value := range v.Pairs() {
			name, ok := key.AsString()
			if !ok || key.Type() != godot.String || name == "" || name == "-" || seen[name] || strconv.Quote(name) != `"`+name+`"` ||
				strings.ContainsAny(name, ",`") || len(fields) > 40 {
				return anyType, false
			}
			seen[name] = true
			ft, ok := goType(value, depth-1)
			exact = exact && ok
			fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(len(fields)), Type: ft, Tag: reflect.StructTag(`octable:"` + name + `"`)})
		}
		if typesMade.Load() >= maxTypes {
			return anyType, false
		}
		t = reflect.StructOf(fields)
		if _, known := typesSeen.LoadOrStore(t, true); !known {
			typesMade.Add(1)
		}
		return t, exact
	case godot.ArrayType:
		var elem reflect.Type
		for _, e := range v.Elems() {
			et, _ := goType(e, depth-1)
			if elem != nil && et != elem {
				return reflect.TypeFor[[]codec.Value](), false
			}
			elem = et
		}
		if elem == nil {
			elem = valueType
		}
		return reflect.SliceOf(elem), false
	}
	var x any
	if v.To(&x) != nil || x == nil || reflect.TypeOf(x) == valueType {
		return valueType, true
	}
	// A Go type of the format has single precision.
	double := raw.Value(v).Scalar() == bytecode.F64 && raw.Value(v).Kind() >= interp.Lanes && v.Type() != godot.PackedFloat64Array
	return reflect.TypeOf(x), v.Type() < godot.FirstOwn && !raw.Value(v).Wide() && !double && !older(v)
}

// older reports whether a NodePath is of a document, which has the text of an older form before the others.
func older(v codec.Value) bool {
	return v.Type() == godot.NodePathType && raw.Value(v).Kind() == interp.Record && raw.Value(v).Len() > 3
}

// structs checks that reading a packet into a Go type gives the same result as storing its value there. The type is
// made for the schema, or for the packet. Both results are written with the same bytes. If the type for a packet is
// exact, the result is the value.
func structs(s *Schema, b []byte) error {
	s.goOnce.Do(func() { s.goTypes = newGoTypes(s) })
	if s.goTypes != nil {
		return s.goTypes.check(b)
	}
	v, used, err := s.Codec.Decode(b)
	if err != nil || used > 1<<12 {
		return nil
	}
	t, exact := goType(v, 4)
	generic, direct := reflect.New(t).Interface(), reflect.New(t).Interface()
	err, err2 := v.To(generic), s.Codec.Unmarshal(b[:used], direct)
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		return fmt.Errorf("into %v: error %v, by way of a value %v", t, err2, err)
	}
	if err != nil {
		return nil
	}
	x, err := s.Codec.ValueOf(generic)
	y, err2 := s.Codec.ValueOf(direct)
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		return fmt.Errorf("from %v: error %v, by way of a value %v", t, err2, err)
	}
	if err != nil {
		return nil
	}
	if err := differ(fmt.Sprintf("into %v", t), x, y); err != nil {
		return err
	}
	if exact {
		if err := differ(fmt.Sprintf("through %v", t), v, x); err != nil {
			return err
		}
	}
	out, err := s.Codec.Encode(x)
	out2, err2 := s.Codec.Marshal(direct)
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		return fmt.Errorf("writing %v: error %v, by way of a value %v", t, err2, err)
	}
	return differBytes(fmt.Sprintf("writing %v", t), out, out2)
}
