// Values of packages with Go types of the schema, converted to values of the interpreter and back.

package main

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// errUnlike says that a value is not one of the Go types.
var errUnlike = errors.New("the Go types have no such value")

// typedShapes describes Go types. The first shape is that of the root.
type typedShapes struct {
	shapes  []shape
	records []record
}

// shape is a [model.Shape]; other shapes and records are given by their numbers.
type shape struct {
	kind      model.Kind
	scalars   []bytecode.Scalar
	width     int
	key, elem int
	record    int // -1 without one
	arms      []arm
}

type arm struct {
	record int
	id     uint64
	other  bool // for all other numbers
	typ    reflect.Type
}

type record struct {
	tag    uint16
	named  bool // it has a Go type
	alone  bool // its only field represents it
	lanes  bool
	fields []field
}

type field struct {
	shape           int
	kind            builtin.Kind
	alone, optional bool
}

// value returns a Go value as one of the interpreter.
func (t *typedShapes) value(v reflect.Value, shape int) interp.Value {
	s := &t.shapes[shape]
	if s.record >= 0 {
		return t.recordValue(v, &t.records[s.record])
	}
	switch s.kind {
	case model.Bool:
		return interp.MakeBool(0, v.Bool())
	case model.Number:
		n := s.scalars[0]
		bits := numberBits(v, bytecode.F64)
		switch {
		case n.IsFloat():
			return interp.MakeFloat(0, math.Float64frombits(bits))
		case n.Signed():
			return interp.MakeInt(0, int64(bits))
		}
		return interp.MakeUint(0, bits)
	case model.Text:
		return interp.MakeText(0, v.String())
	case model.Lanes:
		return interp.MakeLanes(0, s.scalars[0], t.numbers(v, s))
	case model.Packed:
		return interp.MakePacked(0, s.scalars[0], s.width, t.numbers(v, s))
	case model.List:
		cells := make([]interp.Value, v.Len())
		for i := range cells {
			cells[i] = t.value(v.Index(i), s.elem)
		}
		return interp.MakeList(0, cells)
	case model.Map:
		cells := make([]interp.Value, 0, 2*v.Len())
		for i := range v.Len() {
			cells = append(cells, t.value(v.Index(i).Field(0), s.key), t.value(v.Index(i).Field(1), s.elem))
		}
		return interp.MakeMap(0, cells)
	case model.Union:
		if v.IsNil() {
			return interp.Value{}
		}
		for _, a := range s.arms {
			if a.typ == v.Elem().Type() {
				return t.recordValue(v.Elem(), &t.records[a.record])
			}
		}
		panic("a type that is no arm: " + v.Elem().Type().String())
	case model.ArmName:
		for _, a := range s.arms {
			if a.id == v.Uint() && !a.other {
				return interp.MakeUnit(t.records[a.record].tag)
			}
		}
		panic("a number without an arm")
	}
	return interp.Value{}
}

// isStruct reports whether the only field of a record or arm is in a struct.
func (r *record) isStruct(v reflect.Value) bool {
	return r.named && v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[struct{}]()
}

// recordValue returns a record or arm.
func (t *typedShapes) recordValue(v reflect.Value, r *record) interp.Value {
	tagged := func(x interp.Value) interp.Value {
		if r.tag != 0 {
			return x.WithTag(r.tag)
		}
		return x
	}
	switch {
	case len(r.fields) == 0:
		return interp.MakeUnit(r.tag)
	case r.lanes:
		s := &t.shapes[r.fields[0].shape]
		return tagged(interp.MakeLanes(0, s.scalars[0], t.numbers(v, s)))
	case r.alone:
		if r.isStruct(v) {
			v = v.Field(0)
		}
		return tagged(t.value(v, r.fields[0].shape))
	}
	cells := make([]interp.Value, len(r.fields))
	present, last := 0, 0
	for i, f := range r.fields {
		x := v.Field(i)
		if f.optional {
			if x.IsNil() {
				continue
			}
			if x.Kind() == reflect.Pointer {
				x = x.Elem()
			}
		}
		cells[i] = t.value(x, f.shape)
		present, last = present+1, i
	}
	if present == 1 && r.fields[last].alone {
		return tagged(cells[last])
	}
	return interp.MakeRecord(r.tag, cells)
}

// numberBits returns the bits of a number: of a real one in a scalar.
func numberBits(v reflect.Value, n bytecode.Scalar) uint64 {
	switch v.Kind() {
	case reflect.Float32:
		same := reflect.New(v.Type()).Elem()
		same.Set(v)
		f := interp.RealOf(bytecode.F32, uint64(*(*uint32)(same.Addr().UnsafePointer())))
		bits, _ := interp.BitsOf(n, f)
		return bits
	case reflect.Float64:
		bits, _ := interp.BitsOf(n, v.Float())
		return bits
	case reflect.Struct: // an Integer
		return v.FieldByName("Bits").Uint()
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int())
	}
	return v.Uint()
}

// numbers returns the bytes of the numbers of a tuple or an array.
func (t *typedShapes) numbers(v reflect.Value, s *shape) []byte {
	var b []byte
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Struct && v.Type().Name() != "Integer":
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		default:
			b = append(b, binary.LittleEndian.AppendUint64(nil, numberBits(v, s.scalars[0]))[:s.scalars[0].Width()]...)
		}
	}
	walk(v)
	return b
}

// set sets a Go value. It returns false if its type does not have the value.
func (t *typedShapes) set(v reflect.Value, shape int, x interp.Value) bool {
	s := &t.shapes[shape]
	if s.record >= 0 {
		return t.setRecord(v, &t.records[s.record], x)
	}
	switch s.kind {
	case model.Bool:
		v.SetBool(x.Bool())
		return x.Kind() == interp.Bool
	case model.Number:
		return setNumber(v, x)
	case model.Text:
		if x.Kind() != interp.Text {
			return false
		}
		v.SetString(x.Text())
		return true
	case model.Lanes:
		return x.Kind() == interp.Lanes && t.setNumbers(v, s, x)
	case model.Packed:
		if x.Kind() != interp.Packed || x.Width() != s.width {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), x.Len(), x.Len()))
		return t.setNumbers(v, s, x)
	case model.List:
		if x.Kind() != interp.List {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), x.Len(), x.Len()))
		for i, c := range x.Cells() {
			if !t.set(v.Index(i), s.elem, c) {
				return false
			}
		}
		return true
	case model.Map:
		cells := x.Cells()
		if x.Kind() != interp.Map || len(cells)%2 != 0 {
			return false
		}
		v.Set(reflect.MakeSlice(v.Type(), len(cells)/2, len(cells)/2))
		for i := range len(cells) / 2 {
			if !t.set(v.Index(i).Field(0), s.key, cells[2*i]) || !t.set(v.Index(i).Field(1), s.elem, cells[2*i+1]) {
				return false
			}
		}
		return true
	case model.Union:
		if x.IsNone() {
			return x.Tag() == 0 // nil
		}
		for _, a := range s.arms {
			if t.records[a.record].tag == x.Tag() {
				y := reflect.New(a.typ).Elem()
				if !t.setRecord(y, &t.records[a.record], x) {
					return false
				}
				v.Set(y)
				return true
			}
		}
	case model.ArmName:
		for _, a := range s.arms {
			if t.records[a.record].tag == x.Tag() && x.Kind() == interp.Unit && !a.other {
				v.SetUint(a.id)
				return true
			}
		}
	}
	return false
}

// setRecord sets a record or arm.
func (t *typedShapes) setRecord(v reflect.Value, r *record, x interp.Value) bool {
	switch {
	case len(r.fields) == 0:
		return x.Kind() == interp.Unit
	case r.lanes:
		return x.Kind() == interp.Lanes && t.setNumbers(v, &t.shapes[r.fields[0].shape], x)
	case r.alone:
		if x.Kind() == interp.Record && x.Len() == 1 && x.Cells()[0].IsNone() {
			return false
		}
		if r.isStruct(v) {
			v = v.Field(0)
		}
		return t.set(v, r.fields[0].shape, x)
	}
	if x.IsNone() {
		return false
	}
	cells := make([]interp.Value, len(r.fields))
	sole := len(cells) == 1 && r.fields[0].alone && x.Kind() == interp.Record && x.Len() == 1 && !x.Cells()[0].IsNone()
	if x.Kind() == interp.Record && x.Len() == len(cells) && !sole {
		copy(cells, x.Cells())
	} else {
		i := slices.IndexFunc(r.fields, func(f field) bool { return f.alone && (f.kind == x.Kind() || len(cells) == 1) })
		if i < 0 || x.Kind() == interp.Record && !sole {
			return false
		}
		cells[i] = x.WithTag(0)
	}
	for i, f := range r.fields {
		to := v.Field(i)
		if cells[i].IsNone() {
			if !f.optional || cells[i].Tag() != 0 {
				return false
			}
			continue
		}
		if to.Kind() == reflect.Pointer {
			to.Set(reflect.New(to.Type().Elem()))
			to = to.Elem()
		}
		if !t.set(to, f.shape, cells[i]) {
			return false
		}
	}
	return true
}

// setNumber sets a number.
func setNumber(v reflect.Value, x interp.Value) bool {
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		return x.Kind() == interp.Float && setReal(v, x.Float())
	}
	if x.Kind() != interp.Int && x.Kind() != interp.Uint {
		return false
	}
	return setWhole(v, x.Uint(), x.Kind() == interp.Int && x.Int() < 0)
}

func setReal(v reflect.Value, f float64) bool {
	if v.Kind() == reflect.Float64 {
		v.SetFloat(f)
		return true
	}
	bits, _ := interp.BitsOf(bytecode.F32, f)
	*(*uint32)(v.Addr().UnsafePointer()) = uint32(bits)
	return math.Float64bits(interp.RealOf(bytecode.F32, bits)) == math.Float64bits(f)
}

func setWhole(v reflect.Value, bits uint64, negative bool) bool {
	switch v.Kind() {
	case reflect.Struct: // an Integer
		v.FieldByName("Bits").SetUint(bits)
		v.FieldByName("Negative").SetBool(negative)
		return true
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if v.OverflowInt(int64(bits)) || !negative && bits > math.MaxInt64 {
			return false
		}
		v.SetInt(int64(bits))
		return true
	}
	if negative || v.OverflowUint(bits) {
		return false
	}
	v.SetUint(bits)
	return true
}

// setNumbers sets the numbers of a tuple or an array.
func (t *typedShapes) setNumbers(v reflect.Value, s *shape, x interp.Value) bool {
	if x.Width() != s.width || !slices.Contains(s.scalars, x.Scalar()) {
		return false
	}
	i := 0
	var walk func(v reflect.Value) bool
	walk = func(v reflect.Value) bool {
		switch {
		case v.Kind() == reflect.Struct && v.Type().Name() != "Integer":
			for k := range v.NumField() {
				if !walk(v.Field(k)) {
					return false
				}
			}
			return true
		case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
			for k := range v.Len() {
				if !walk(v.Index(k)) {
					return false
				}
			}
			return true
		}
		k := i
		i++
		if n := x.Scalar(); n.IsFloat() {
			if v.Kind() == reflect.Float32 && n == bytecode.F32 {
				*(*uint32)(v.Addr().UnsafePointer()) = uint32(x.LaneBits(k))
				return true
			}
			return setReal(v, x.LaneFloat(k))
		} else if n.Signed() {
			return setWhole(v, uint64(x.LaneInt(k)), x.LaneInt(k) < 0)
		}
		return setWhole(v, x.LaneBits(k), false)
	}
	return walk(v)
}
