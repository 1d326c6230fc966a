// Values with names to Go values.

package codec

import (
	"encoding"
	"fmt"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// goReader sets Go values to parts of a value with names.
type goReader struct {
	reader
	n *notation.Notation
}

// toNamed is To for a value with names.
func (c conversion) toNamed(v Value, rv reflect.Value) error {
	r := goReader{reader: reader{conversion: c, max: c.maxDepth()}, n: v.of}
	return r.value(v.raw, rv, false)
}

// wrong says why a Go value cannot be set.
func (r *goReader) wrong(rv reflect.Value, err error, format string, args ...any) error {
	return &TypeError{GoType: rv.Type(), Problem: fmt.Sprintf(format, args...), Err: err}
}

// unlike says that a value is not what a Go type can hold.
func (r *goReader) unlike(v interp.Value, rv reflect.Value, goTypes string) error {
	return r.wrong(rv, ErrMismatch, "it is %s; its Go type is %s, any or codec.Value", r.n.Clipped(v, interp.MaxClip), goTypes)
}

// value sets a Go value. Round lets numbers lose precision.
func (r *goReader) value(v interp.Value, rv reflect.Value, round bool) error {
	if rv.Type() == valueType {
		*rv.Addr().Interface().(*Value) = Value{raw: v, of: r.n}
		return nil
	}
	switch rv.Kind() {
	case reflect.Pointer:
		if v.IsNone() {
			rv.SetZero()
			return nil
		}
		if rv.IsNil() {
			rv.Set(reflect.New(rv.Type().Elem()))
		}
		if r.hops++; r.hops > 4*r.max {
			return r.wrong(rv, ErrNesting, "the Go value is %d pointers deep, or points to itself", r.hops)
		}
		err := r.value(v, rv.Elem(), round)
		r.hops--
		return err
	case reflect.Interface:
		if i := r.interfaces[rv.Type()]; i != nil {
			return r.named(i, v, rv, round)
		}
		if rv.NumMethod() > 0 {
			return r.wrong(rv, ErrGoType, "it is an interface with methods; use any or a pointer to a type, or declare its types in Options.Interfaces")
		}
		x, err := r.natural(v)
		if err == nil && x != nil {
			rv.Set(reflect.ValueOf(x))
		} else if err == nil {
			rv.SetZero()
		}
		return err
	}
	if m, ok := rv.Addr().Interface().(Unmarshaler); ok {
		if err := m.UnmarshalOctable(Value{raw: v, of: r.n}); err != nil {
			return r.wrong(rv, err, "its UnmarshalOctable: %v", err)
		}
		return nil
	}
	if r.depth++; r.depth > r.max+1 {
		return r.wrong(rv, ErrNesting, "it is nested over %d levels deep; %s to allow more", r.max, r.set("MaxDepth", "Codec.To"))
	}
	defer func() { r.depth-- }()
	t := r.n.Type(v)
	if t != nil && t.Union != "" {
		return r.arm(t, v, rv, round)
	}
	return r.record(t, v, rv, round)
}

// arm sets a string to the name of an arm. In a struct or a map it sets the field or the key with the name to the
// content of the arm.
func (r *goReader) arm(t *bytecode.Type, v interp.Value, rv reflect.Value, round bool) error {
	unit := v.Kind() == interp.Unit
	switch rv.Kind() {
	case reflect.String:
		if unit {
			rv.SetString(t.Name)
			return nil
		}
	case reflect.Map:
		if !isNameMap(rv.Type()) {
			break
		}
		content := reflect.New(rv.Type().Elem()).Elem()
		if err := r.content(t, v, content, round); err != nil {
			return within(nameStep(t.Name), err)
		}
		rv.Set(reflect.MakeMap(rv.Type()))
		rv.SetMapIndex(reflect.ValueOf(t.Name).Convert(rv.Type().Key()), content)
		return nil
	case reflect.Struct:
		p := planFor(rv.Type(), want{names: r.Names})
		if err := r.usable(p, rv); err != nil {
			return err
		}
		if p.form != formStruct {
			break
		}
		i, ok := p.fields.byName[t.Name]
		if !ok {
			return r.wrong(rv, ErrUnknownKey, "it is the arm %s of %s, which no field takes; add one, a pointer to its content", t.Name, t.Union)
		}
		rv.SetZero()
		fv, err := r.field(p, &p.fields.fields[i], rv)
		if err != nil {
			return err
		}
		if err := r.content(t, v, fv, round || p.fields.fields[i].plan.want.round); err != nil {
			return within(nameStep(t.Name), err)
		}
		return nil
	}
	return r.unlike(v, rv, "a struct with a field for each arm, a map of string")
}

// content sets a Go value to the content of an arm.
func (r *goReader) content(t *bytecode.Type, v interp.Value, rv reflect.Value, round bool) error {
	if v.Kind() == interp.Unit && rv.Kind() == reflect.Bool {
		rv.SetBool(true)
		return nil
	}
	switch rv.Kind() {
	case reflect.Pointer:
		if rv.IsNil() {
			rv.Set(reflect.New(rv.Type().Elem()))
		}
		return r.content(t, v, rv.Elem(), round)
	case reflect.Interface:
		if rv.NumMethod() == 0 {
			x, err := r.bare(t, v)
			if err == nil && x != nil {
				rv.Set(reflect.ValueOf(x))
			}
			return err
		}
	}
	if rv.Type() == valueType {
		return r.value(v, rv, round)
	}
	return r.record(t, v, rv, round)
}

// record sets a Go value to a record, or to a value that has no name. The type may be nil.
func (r *goReader) record(t *bytecode.Type, v interp.Value, rv reflect.Value, round bool) error {
	if rv.Kind() == reflect.Struct {
		return r.structure(t, v, rv)
	}
	if v.Kind() == interp.Record || v.Kind() == interp.Unit {
		return r.mapOf(t, v, rv, round)
	}
	if t != nil {
		if text, ok := r.n.Letters(v, notation.Alone(t, v)); ok && setLetters(text, rv) {
			return nil
		}
	}
	return r.bareInto(v, rv, round)
}

// fields calls f for the fields of a record that have a value. For a tuple with names, it calls f for the numbers.
// Text is not empty for the letters of a code.
func (r *goReader) fields(t *bytecode.Type, v interp.Value, f func(name, text string, field interp.Value) error) error {
	one := func(i int, c interp.Value) error {
		text, _ := r.n.Letters(v, i)
		return f(t.Fields[i].Name, text, c)
	}
	switch i := notation.Alone(t, v); {
	case v.Kind() == interp.Lanes && v.Len() == len(t.Lanes):
		for i, number := range (Value{raw: v, of: r.n}).All() {
			if err := f(t.Lanes[i], "", number.raw); err != nil {
				return err
			}
		}
	case i >= 0:
		return one(i, v.WithTag(0))
	case v.Kind() == interp.Record:
		for i, c := range v.Cells() {
			if i < len(t.Fields) && !c.IsNone() {
				if err := one(i, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// part sets a Go value to a field.
func (r *goReader) part(text string, v interp.Value, rv reflect.Value, round bool) error {
	if text != "" && setLetters(text, rv) {
		return nil
	}
	return r.value(v, rv, round)
}

// setLetters sets a Go value to the letters of a code, if it can hold them.
func setLetters(text string, rv reflect.Value) bool {
	switch {
	case rv.Kind() == reflect.String:
		rv.SetString(text)
	case rv.Kind() == reflect.Interface && rv.NumMethod() == 0:
		rv.Set(reflect.ValueOf(text))
	case rv.Kind() == reflect.Array && rv.Type().Elem().Kind() == reflect.Uint8 && rv.Len() == len(text):
		reflect.Copy(rv, reflect.ValueOf([]byte(text)))
	case rv.Kind() == reflect.Pointer && !rv.IsNil():
		return setLetters(text, rv.Elem())
	case rv.Kind() == reflect.Pointer:
		to := reflect.New(rv.Type().Elem())
		if !setLetters(text, to.Elem()) {
			return false
		}
		rv.Set(to)
	default:
		return false
	}
	return true
}

// usable returns why no named values go into the fields of a struct type.
func (r *goReader) usable(p *plan, rv reflect.Value) error {
	switch {
	case p.form != formStruct:
	case p.problem != "":
		return r.wrong(rv, ErrGoType, "the type %s", p.problem)
	case p.fields.variant != "":
		return r.wrong(rv, ErrGoType, "field %s has a tag with array, exact, string or unix, which are for Variants; Options.Exact is for all schemas", p.fields.variant)
	case p.fields.rest != nil && !isNameMap(p.fields.rest.plan.typ):
		return r.wrong(rv, ErrGoType, "field %s for the rest has to be a map of string, since fields of records have names", p.fields.rest.goName)
	}
	return nil
}

// structure sets a struct to the fields of a record. Those that are absent are zero.
func (r *goReader) structure(t *bytecode.Type, v interp.Value, rv reflect.Value) error {
	p := planFor(rv.Type(), want{names: r.Names})
	if err := r.usable(p, rv); err != nil {
		return err
	}
	if p.form != formStruct || t == nil || v.Kind() != interp.Record && v.Kind() != interp.Unit && notation.Alone(t, v) < 0 {
		return r.unlike(v, rv, "another one")
	}
	seen := map[string]bool{}
	var rest reflect.Value
	if f := p.fields.rest; f != nil {
		fv, err := r.field(p, f, rv)
		if err != nil {
			return err
		}
		fv.SetZero()
		rest = fv
	}
	err := r.fields(t, v, func(name, text string, c interp.Value) error {
		seen[name] = true
		i, ok := p.fields.byName[name]
		if !ok && rest.IsValid() {
			if rest.IsNil() {
				rest.Set(reflect.MakeMap(rest.Type()))
			}
			return r.member(rest, name, text, c, p.fields.rest.plan.want.round)
		}
		if !ok {
			if r.IgnoreUnknown || p.fields.loose {
				return nil
			}
			for _, f := range p.fields.fields {
				if n := naming(f.goName, func(key string) bool { return key == name }); n != "" {
					return r.wrong(rv, ErrUnknownKey, "no field takes its field %s; %s, by which %s takes it", shortQuote(name), r.set("Names = "+n, "Codec.To"), f.goName)
				}
			}
			return r.wrong(rv, ErrUnknownKey, "no field takes its field %s; add one with the tag `octable:%q`, or %s", shortQuote(name), name, r.set("IgnoreUnknown", "Codec.To"))
		}
		f := &p.fields.fields[i]
		fv, err := r.field(p, f, rv)
		if err == nil {
			err = r.part(text, c, fv, f.plan.want.round)
		}
		return within(nameStep(name), err)
	})
	if err != nil {
		return err
	}
	for _, f := range p.fields.fields {
		if f.required && !seen[f.name] {
			return r.wrong(rv, ErrMissingKey, "the field %s is absent, which the tag says is required", shortQuote(f.name))
		}
	}
	for _, f := range t.Fields {
		if i, ok := p.fields.byName[f.Name]; ok && !seen[f.Name] {
			if fv, err := rv.FieldByIndexErr(p.fields.fields[i].index); err == nil { // else it is in what a nil pointer would have
				fv.SetZero()
			}
		}
	}
	return nil
}

// isNameMap reports whether fields of a record are keys of a map type.
func isNameMap(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
}

// member sets a key of a map to a field.
func (r *goReader) member(m reflect.Value, name, text string, v interp.Value, round bool) error {
	elem := reflect.New(m.Type().Elem()).Elem()
	if err := r.part(text, v, elem, round); err != nil {
		return within(nameStep(name), err)
	}
	m.SetMapIndex(reflect.ValueOf(name).Convert(m.Type().Key()), elem)
	return nil
}

// mapOf sets a map of string to the fields of a record.
func (r *goReader) mapOf(t *bytecode.Type, v interp.Value, rv reflect.Value, round bool) error {
	if t == nil || !isNameMap(rv.Type()) {
		return r.unlike(v, rv, "a struct, a map of string")
	}
	m := reflect.MakeMap(rv.Type())
	err := r.fields(t, v, func(name, text string, c interp.Value) error { return r.member(m, name, text, c, round) })
	if err == nil {
		rv.Set(m)
	}
	return err
}

// bareInto sets a Go value to a value that is no record.
func (r *goReader) bareInto(v interp.Value, rv reflect.Value, round bool) error {
	number := &plan{typ: rv.Type(), want: want{round: round}}
	isNumber := rv.CanInt() || rv.CanUint() || rv.CanFloat()
	switch v.Kind() {
	case interp.Bool:
		if rv.Kind() == reflect.Bool {
			rv.SetBool(v.Bool())
			return nil
		}
		return r.unlike(v, rv, "bool")
	case interp.Int, interp.Uint:
		switch {
		case v.Scalar() == bytecode.Code4 && setLetters(notation.Code(v.Uint()), rv):
			return nil
		case !isNumber:
			return r.unlike(v, rv, "an integer")
		case v.Kind() == interp.Int || v.Int() >= 0:
			return r.setInt(number, v.Int(), rv)
		case rv.Kind() == reflect.Uint64 || rv.Kind() == reflect.Uint && rv.Type().Size() == 8:
			rv.SetUint(v.Uint())
			return nil
		}
		return r.wrong(rv, ErrInexact, "%d does not fit into %v; use uint64", v.Uint(), rv.Type())
	case interp.Float:
		if isNumber {
			return r.setFloat(number, v.Float(), rv)
		}
		return r.unlike(v, rv, "float64")
	case interp.Text:
		return r.text(v, rv)
	case interp.Lanes, interp.Packed, interp.List:
		return r.list(v, rv, round)
	case interp.Map:
		return r.pairs(v, rv, round)
	}
	return r.wrong(rv, ErrMismatch, "it has no value; its Go type is a pointer, any or codec.Value")
}

func (r *goReader) text(v interp.Value, rv reflect.Value) error {
	if m, ok := rv.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := m.UnmarshalText([]byte(v.Text())); err != nil {
			return r.wrong(rv, err, "its UnmarshalText: %v", err)
		}
		return nil
	}
	switch {
	case rv.Kind() == reflect.String:
		rv.SetString(v.Text())
	case rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Uint8:
		rv.SetBytes(r.bytes(nil, v))
	default:
		return r.unlike(v, rv, "string, []byte")
	}
	return nil
}

// bytes returns the bytes of a value, in the memory of b if they are copied.
func (r *goReader) bytes(b []byte, v interp.Value) []byte {
	if own := v.Bytes(); r.alias {
		b = own[:len(own):len(own)]
	} else {
		b = append(b[:0], own...)
	}
	if b == nil {
		b = []byte{}
	}
	return b
}

// list sets a slice or an array to the elements of a list, an array or a tuple.
func (r *goReader) list(v interp.Value, rv reflect.Value, round bool) error {
	whole := Value{raw: v, of: r.n}
	n := v.Len()
	switch {
	case rv.Kind() == reflect.Slice && rv.Type().Elem().Kind() == reflect.Uint8 && v.Scalar() == bytecode.U8:
		rv.SetBytes(r.bytes(rv.Bytes(), v))
		return nil
	case rv.Kind() == reflect.Slice && n <= rv.Cap() && rv.Cap() > 0:
		rv.SetLen(n)
		rv.Clear()
	case rv.Kind() == reflect.Slice:
		rv.Set(reflect.MakeSlice(rv.Type(), n, n))
	case rv.Kind() != reflect.Array:
		return r.unlike(v, rv, "a slice or an array")
	case rv.Len() != n:
		return r.wrong(rv, ErrMismatch, "it has %d elements, and the Go array %d; a slice takes any number", n, rv.Len())
	}
	for i, e := range whole.All() {
		if err := r.value(e.raw, rv.Index(i), round); err != nil {
			return within(indexStep(i), err)
		}
	}
	return nil
}

// isPair reports whether values of a type are pairs of a map: structs of Key and Value.
func isPair(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() == 2 && t.Field(0).Name == "Key" && t.Field(1).Name == "Value"
}

// pairs sets a map or a slice of pairs to the pairs of a map.
func (r *goReader) pairs(v interp.Value, rv reflect.Value, round bool) error {
	whole := Value{raw: v, of: r.n}
	if rv.Kind() == reflect.Slice && rv.Type().Elem() == pairType {
		rv.Set(reflect.ValueOf(pairsOf(whole)).Convert(rv.Type()))
		return nil
	}
	if rv.Kind() == reflect.Slice && isPair(rv.Type().Elem()) {
		out := reflect.MakeSlice(rv.Type(), v.Len(), v.Len())
		i := 0
		for k, x := range whole.Pairs() {
			for part, raw := range []interp.Value{k.raw, x.raw} {
				if err := r.value(raw, out.Index(i).Field(part), round); err != nil {
					return within(indexStep(i), err)
				}
			}
			i++
		}
		rv.Set(out)
		return nil
	}
	if rv.Kind() != reflect.Map {
		return r.unlike(v, rv, "a map, []codec.Pair, a slice of structs with Key and Value")
	}
	m := reflect.MakeMapWithSize(rv.Type(), v.Len())
	for k, x := range whole.Pairs() {
		step := "[" + k.String() + "]"
		key, elem := reflect.New(rv.Type().Key()).Elem(), reflect.New(rv.Type().Elem()).Elem()
		if err := r.value(k.raw, key, round); err != nil {
			return within(step, err)
		}
		switch {
		case !key.Comparable():
			return r.wrong(rv, ErrMismatch, "its key %s has no equality in Go; []codec.Pair takes any keys", k)
		case m.MapIndex(key).IsValid():
			return r.wrong(rv, ErrDuplicateKey, "key %s occurs twice; []codec.Pair takes all pairs", k)
		}
		if err := r.value(x.raw, elem, round); err != nil {
			return within(step, err)
		}
		m.SetMapIndex(key, elem)
	}
	rv.Set(m)
	return nil
}

// natural returns the Go value for an empty interface. A record is a map[string]any, an arm a map with one key, and
// an arm without content its name.
func (r *goReader) natural(v interp.Value) (any, error) {
	t := r.n.Type(v)
	if t == nil || t.Union == "" {
		return r.bare(t, v)
	}
	if v.Kind() == interp.Unit {
		return t.Name, nil
	}
	x, err := r.bare(t, v)
	return map[string]any{t.Name: x}, within(nameStep(t.Name), err)
}

// bare is natural without the name of an arm. The type may be nil.
func (r *goReader) bare(t *bytecode.Type, v interp.Value) (any, error) {
	if r.depth++; r.depth > r.max+1 {
		return nil, &TypeError{GoType: anyPlan.typ, Err: ErrNesting, Problem: fmt.Sprintf("it is nested over %d levels deep; %s to allow more", r.max, r.set("MaxDepth", "Codec.To"))}
	}
	defer func() { r.depth-- }()
	whole := Value{raw: v, of: r.n}
	switch v.Kind() {
	case interp.Bool:
		return v.Bool(), nil
	case interp.Int:
		return v.Int(), nil
	case interp.Uint:
		if t != nil {
			if text, ok := r.n.Letters(v, notation.Alone(t, v)); ok {
				return text, nil
			}
		}
		if v.Scalar() == bytecode.Code4 {
			return notation.Code(v.Uint()), nil
		}
		return v.Uint(), nil
	case interp.Float:
		return v.Float(), nil
	case interp.Text:
		return v.Text(), nil
	case interp.Unit, interp.Record:
		m := map[string]any{}
		return m, r.fields(t, v, func(name, text string, c interp.Value) error {
			if m[name] = text; text != "" {
				return nil
			}
			var err error
			m[name], err = r.natural(c)
			return within(nameStep(name), err)
		})
	case interp.Map:
		return pairsOf(whole), nil
	case interp.Packed:
		if v.Scalar() == bytecode.U8 && v.Width() == 1 {
			return append([]byte{}, v.Bytes()...), nil
		}
	case interp.None:
		return nil, nil
	}
	out := make([]any, 0, v.Len())
	for i, e := range whole.All() {
		x, err := r.natural(e.raw)
		if err != nil {
			return nil, within(indexStep(i), err)
		}
		out = append(out, x)
	}
	return out, nil
}
