// Go values as sources of values with names.

package codec

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// namedValue returns the Value of a schema with names that a Go value represents.
func (c *Codec) namedValue(x any) (Value, error) {
	w := &goWriter{n: c.notation, exact: c.opt.Exact, names: c.opt.Names, interfaces: c.interfaces}
	raw, err := c.notation.Build(w.source(nil, "", reflect.ValueOf(x)))
	if err != nil {
		return Value{}, err
	}
	return c.named(raw), nil
}

// goWriter is one conversion of a Go value.
type goWriter struct {
	n     *notation.Notation
	exact bool // numbers keep their precision, unless a tag has round
	names Naming

	interfaces map[reflect.Type]*Interface
}

// goSource is a part of a Go value as a [notation.Source].
type goSource struct {
	w      *goWriter
	rv     reflect.Value // pointers and interfaces are dereferenced; invalid for nil
	parent *goSource
	step   string // from the parent
	arm    string // rv is an interface that holds the content of this arm
	flag   bool   // rv is a field for the content of an arm
	round  bool   // numbers may lose precision
}

// source returns a part of a Go value. It dereferences pointers and interfaces.
func (w *goWriter) source(parent *goSource, step string, rv reflect.Value) *goSource {
	s := &goSource{w: w, parent: parent, step: step, round: !w.exact || parent != nil && parent.round}
	for n := 0; n < maxPointers && (rv.Kind() == reflect.Pointer || rv.Kind() == reflect.Interface); n++ {
		if _, text := textOf(rv); text && rv.Kind() == reflect.Pointer {
			break
		}
		if i := w.interfaces[rv.Type()]; i != nil && !rv.IsNil() {
			if name, ok := i.names[rv.Elem().Type()]; ok {
				s.arm = name
				break
			}
		}
		rv = rv.Elem()
	}
	s.rv = rv
	return s
}

// textOf returns the text of a value that makes its own.
func textOf(rv reflect.Value) (encoding.TextMarshaler, bool) {
	if !rv.IsValid() || rv.Type() == valueType || !rv.CanInterface() || rv.Kind() == reflect.Pointer && rv.IsNil() {
		return nil, false
	}
	m, ok := rv.Interface().(encoding.TextMarshaler)
	return m, ok
}

// Errorf returns a [*TypeError] with the path of the part.
func (s *goSource) Errorf(format string, args ...any) error {
	e := &TypeError{Writing: true, Problem: fmt.Sprintf(format, args...), Err: ErrMismatch}
	if s.rv.IsValid() {
		e.GoType = s.rv.Type()
	}
	for p := s; p != nil; p = p.parent {
		e.Path = p.step + e.Path
	}
	return e
}

// String describes the part.
func (s *goSource) String() string {
	if m, ok := textOf(s.rv); ok {
		b, err := m.MarshalText()
		if err != nil {
			return fmt.Sprintf("a %v, whose MarshalText fails (%v),", s.rv.Type(), err)
		}
		return shortQuote(string(b))
	}
	switch {
	case !s.rv.IsValid():
		return "nil"
	case s.rv.Kind() == reflect.String:
		return shortQuote(s.rv.String())
	case s.rv.CanInt(), s.rv.CanUint(), s.rv.CanFloat(), s.rv.Kind() == reflect.Bool:
		return fmt.Sprint(s.rv)
	}
	return "a " + s.rv.Type().String()
}

// Absent reports whether the part is a nil pointer or interface, or the zero Value.
func (s *goSource) Absent() bool {
	return !s.rv.IsValid() || s.rv.Type() == valueType && s.rv.IsZero()
}

// Value returns a [Value] of the same schema.
func (s *goSource) Value() (interp.Value, bool) {
	if s.Absent() || s.rv.Type() != valueType {
		return interp.Value{}, false
	}
	v := get[Value](s.rv)
	return v.raw, v.of == nil || v.of == s.w.n
}

// Arm returns the name of an arm: that of the type in an interface, or the text of a string. Of a struct or a map it is
// the only field or key that is set.
func (s *goSource) Arm() (name string, args []notation.Source, ok bool) {
	if !s.rv.IsValid() {
		return "", nil, false
	}
	if s.arm != "" {
		return s.arm, []notation.Source{s.w.source(s, nameStep(s.arm), s.rv.Elem())}, true
	}
	if s.rv.Kind() == reflect.String {
		return s.rv.String(), nil, true
	}
	members, ok := s.members(true)
	if !ok || len(members) != 1 {
		return "", nil, false
	}
	content := members[0].Source.(*goSource)
	content.flag = s.rv.Kind() == reflect.Struct
	return members[0].Name, []notation.Source{content}, true
}

// Flag reports whether the part is a bool of a struct with a field for each arm, and true.
func (s *goSource) Flag() bool {
	return s.flag && s.rv.IsValid() && s.rv.Kind() == reflect.Bool && s.rv.Bool()
}

// Renamed returns the option by which a field of a struct has a known name.
func (s *goSource) Renamed(name string, known func(name string) bool) string {
	if n := naming(name, known); n != "" && s.parent != nil && s.parent.rv.Kind() == reflect.Struct {
		return "; set Options.Names = " + n
	}
	return ""
}

// Fields returns the fields of a struct, or the pairs of a map whose keys are strings.
func (s *goSource) Fields() ([]notation.Member, bool) { return s.members(false) }

// members returns fields; set leaves out those of structs that are zero.
func (s *goSource) members(set bool) ([]notation.Member, bool) {
	if !s.rv.IsValid() {
		return nil, false
	}
	var out []notation.Member
	add := func(name string, rv reflect.Value, round bool) {
		part := s.w.source(s, nameStep(name), rv)
		part.round = part.round || round
		out = append(out, notation.Member{Name: name, Source: part})
	}
	switch s.rv.Kind() {
	case reflect.Struct:
		p := planFor(s.rv.Type(), want{names: s.w.names})
		if p.form != formStruct || p.problem != "" || p.fields.variant != "" {
			return nil, false
		}
		for i := range p.fields.fields {
			f := &p.fields.fields[i]
			if fv, ok := f.in(s.rv); ok && !f.omitted(fv) && (!set || !fv.IsZero()) {
				add(f.name, fv, f.plan.want.round)
			}
		}
		if f := p.fields.rest; f != nil {
			if fv, ok := f.in(s.rv); ok {
				rest, ok := s.w.source(s, "", fv).members(set)
				return append(out, rest...), ok
			}
		}
		return out, true
	case reflect.Map:
		if s.rv.Type().Key().Kind() != reflect.String {
			return nil, false
		}
		for _, k := range s.keys() {
			add(k.String(), s.rv.MapIndex(k), false)
		}
		return out, true
	}
	return nil, false
}

// keys returns the keys of a map in order.
func (s *goSource) keys() []reflect.Value {
	keys := s.rv.MapKeys()
	slices.SortFunc(keys, compareGo)
	return keys
}

// compareGo orders keys of a map of one type: signed integers, unsigned ones, then other keys by their text. Keys of an
// interface that are alike are in the order of their Go types.
func compareGo(a, b reflect.Value) int {
	if a.Kind() == reflect.Interface {
		a, b = a.Elem(), b.Elem()
	}
	order := 0
	switch {
	case a.CanInt() && b.CanInt():
		order = cmp.Compare(a.Int(), b.Int())
	case a.CanUint() && b.CanUint():
		order = cmp.Compare(a.Uint(), b.Uint())
	}
	if order != 0 {
		return order
	}
	text := func(v reflect.Value) string {
		if !v.IsValid() {
			return "nil"
		}
		return fmt.Sprint(!v.CanInt(), !v.CanUint(), v, "\x00", v.Type())
	}
	return strings.Compare(text(a), text(b))
}

// List returns the elements of a slice or an array.
func (s *goSource) List() ([]notation.Source, bool) {
	if !s.rv.IsValid() || s.rv.Kind() != reflect.Slice && s.rv.Kind() != reflect.Array {
		return nil, false
	}
	out := make([]notation.Source, s.rv.Len())
	for i := range out {
		out[i] = s.w.source(s, indexStep(i), s.rv.Index(i))
	}
	return out, true
}

// Pairs returns the keys and values of a map, in the order of its keys, or those of a []Pair.
func (s *goSource) Pairs() ([]notation.Source, bool) {
	var out []notation.Source
	switch {
	case !s.rv.IsValid():
	case s.rv.Kind() == reflect.Map:
		for _, k := range s.keys() {
			step := "[" + fmt.Sprint(k) + "]"
			out = append(out, s.w.source(s, step, k), s.w.source(s, step, s.rv.MapIndex(k)))
		}
		return out, true
	case s.rv.Kind() == reflect.Slice && isPair(s.rv.Type().Elem()):
		for i := range s.rv.Len() {
			p := s.rv.Index(i)
			out = append(out, s.w.source(s, indexStep(i), p.Field(0)), s.w.source(s, indexStep(i), p.Field(1)))
		}
		return out, true
	}
	return nil, false
}

// Bool returns the value of a bool.
func (s *goSource) Bool() (value, ok bool) {
	if !s.rv.IsValid() || s.rv.Kind() != reflect.Bool {
		return false, false
	}
	return s.rv.Bool(), true
}

// Whole returns the value of an integer.
func (s *goSource) Whole() (bits uint64, negative, ok bool) {
	switch {
	case !s.rv.IsValid():
	case s.rv.CanInt():
		return uint64(s.rv.Int()), s.rv.Int() < 0, true
	case s.rv.CanUint():
		return s.rv.Uint(), false, true
	}
	return 0, false, false
}

// Real returns the value of a number, which the scalar holds exactly unless rounding is allowed.
func (s *goSource) Real(scalar bytecode.Scalar) (bits uint64, ok bool) {
	f, exact := 0.0, true
	switch whole, negative, ok := s.Whole(); {
	case !s.rv.IsValid():
		return 0, false
	case s.rv.CanFloat():
		f = s.rv.Float()
	case ok && negative:
		f, exact = exactFloat(int64(whole))
	case ok:
		f = float64(whole)
		exact = f < 1<<64 && uint64(f) == whole
	default:
		return 0, false
	}
	bits, ok = interp.BitsOf(scalar, f)
	if back := interp.RealOf(scalar, bits); !s.round && (!exact || back != f && f == f) {
		return 0, false
	}
	return bits, ok
}

// Text returns a string, bytes, or the text that a type makes itself.
func (s *goSource) Text() (string, bool) {
	if m, ok := textOf(s.rv); ok {
		b, err := m.MarshalText()
		return string(b), err == nil
	}
	if s.rv.IsValid() && s.rv.Kind() == reflect.String {
		return s.rv.String(), true
	}
	b, ok := s.Bytes()
	return string(b), ok
}

// Bytes returns the content of a []byte, or of an array of bytes.
func (s *goSource) Bytes() ([]byte, bool) {
	if !s.rv.IsValid() || s.rv.Kind() != reflect.Slice && s.rv.Kind() != reflect.Array || s.rv.Type().Elem().Kind() != reflect.Uint8 {
		return nil, false
	}
	out := make([]byte, s.rv.Len())
	reflect.Copy(reflect.ValueOf(out), s.rv)
	return out, true
}
