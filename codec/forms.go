// Forms of Go values that tags and options choose: structs as Arrays, numbers as text, times as seconds, names of fields; and the tags.

package codec

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/octable/octable/codec/internal/variant"
	"github.com/octable/octable/interp"
)

// Naming is a rule for the keys of Go fields without a name in their tag.
type Naming uint8

// The namings.
const (
	GoNames    Naming = iota // MaxHP, unchanged
	SnakeNames               // max_hp
	CamelNames               // maxHP
)

// name returns the key of a Go field.
func (n Naming) name(field string) string {
	words := words(field)
	switch n {
	case SnakeNames:
		return strings.ToLower(strings.Join(words, "_"))
	case CamelNames:
		words[0] = strings.ToLower(words[0])
		return strings.Join(words, "")
	}
	return field
}

// naming returns the Naming by which a Go field has a known name, or "".
func naming(field string, known func(name string) bool) string {
	switch {
	case known(SnakeNames.name(field)):
		return "SnakeNames"
	case known(CamelNames.name(field)):
		return "CamelNames"
	}
	return ""
}

// words splits a Go name before each capital that begins a word. The capital follows a small letter or a digit,
// or it is the last of several capitals before a small letter, as in HTTPPort.
func words(name string) []string {
	var out []string
	letters, from := []rune(name), 0
	for i := 1; i < len(letters); i++ {
		begins := unicode.IsUpper(letters[i]) && (!unicode.IsUpper(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins && letters[i-1] != '_' {
			out, from = append(out, string(letters[from:i])), i
		}
	}
	return append(out, string(letters[from:]))
}

// marks are the options of a whole struct, which are in the tag of its field _.
type marks struct{ array, loose bool }

// markers returns the options of a struct.
func markers(t reflect.Type) (m marks) {
	for i := range t.NumField() {
		sf := t.Field(i)
		if sf.Name != "_" {
			continue
		}
		for _, option := range splitTag(sf.Tag.Get("octable"))[1:] {
			m.array = m.array || option == "array"
			m.loose = m.loose || option == "ignoreunknown"
		}
	}
	return m
}

// checkMarkers returns the mistake in the tag of the field _, or "".
func checkMarkers(text string) string {
	parts := splitTag(text)
	if parts[0] != "" {
		return fmt.Sprintf("has a tag on field _ with the name %q; it takes only the options array and ignoreunknown", parts[0])
	}
	for _, option := range parts[1:] {
		if option != "array" && option != "ignoreunknown" {
			return fmt.Sprintf("has a tag on field _ with the option %q; it takes array and ignoreunknown", option)
		}
	}
	return ""
}

// parseTag reads a tag "name,option,…". Commas inside brackets do not count.
func parseTag(text string) (f field, w want, problem string) {
	parts := splitTag(text)
	f.name = parts[0]
	for _, option := range parts[1:] {
		name, arg, _ := strings.Cut(option, "=")
		switch {
		case option == "omitempty":
			f.omitEmpty = true
		case option == "omitzero":
			f.omitZero = true
		case option == "required":
			f.required = true
		case option == "rest":
			f.rest = true
		case option == "round":
			w.round = true
		case option == "exact":
			w.exact = true
		case option == "array":
			w.array = true
		case option == "string":
			w.text = true
		case option == "unix":
			w.unix = true
		case option == "ignoreunknown":
			w.loose = true
		case name == "type":
			asked, ok := parseWant(arg)
			if !ok {
				return f, w, fmt.Sprintf("the unknown type %q", arg)
			}
			w.typ, w.key, w.elem = asked.typ, asked.key, asked.elem
		default:
			return f, w, fmt.Sprintf("the unknown option %q; there are array, exact, ignoreunknown, inline, omitempty, omitzero, required, rest, round, string, type=… and unix", option)
		}
	}
	if f.rest && (f.name != "" || f.required || f.omitEmpty || f.omitZero || w.typ != variant.Invalid) {
		return f, w, "more than rest; remove the other options, since such a field has no key"
	}
	return f, w, ""
}

func splitTag(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, c := range text {
		switch {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == ',' && depth <= 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}

// positional returns why a struct cannot be an Array.
func (sp *structPlan) positional() string {
	if sp.rest != nil {
		return "has a field for the rest, which an Array has no keys for"
	}
	for _, f := range sp.fields {
		if f.omitEmpty || f.omitZero {
			return fmt.Sprintf("has field %s that may be left out, but the places of an Array are fixed", f.goName)
		}
	}
	return ""
}

// array converts a struct to an Array of its fields.
func (w *writer) array(p *plan, rv reflect.Value) (Value, error) {
	if p.problem != "" {
		return w.fail(p, ErrGoType, "the type %s", p.problem)
	}
	if err := w.enter(p); err != nil {
		return Value{}, err
	}
	cells := make([]interp.Value, len(p.fields.fields))
	for i := range p.fields.fields {
		f := &p.fields.fields[i]
		v := orNil(Value{})
		if fv, ok := f.in(rv); ok {
			var err error
			if v, err = w.value(f.plan, fv); err != nil {
				return Value{}, within(indexStep(i), err)
			}
		}
		cells[i] = v.raw
	}
	w.depth--
	return wrap(interp.MakeList(variant.ArrayType, cells)), nil
}

// array sets the fields of a struct to the elements of an Array.
func (r *reader) array(p *plan, v Value, rv reflect.Value) error {
	if p.problem != "" {
		return r.fail(p, ErrGoType, "the type %s", p.problem)
	}
	if !v.isSequence() {
		return r.mismatch(p, v, "an array")
	}
	if n := v.list().Len(); n != len(p.fields.fields) {
		return r.fail(p, ErrMismatch, "it has %d elements, and the struct %d fields", n, len(p.fields.fields))
	}
	if err := r.enter(p); err != nil {
		return err
	}
	parts := r.parts()
	for i := range p.fields.fields {
		f := &p.fields.fields[i]
		r.src = parts.next()
		fv, err := r.field(p, f, rv)
		if err == nil {
			err = r.value(f.plan, v.elem(i), fv)
		}
		if err != nil {
			return within(indexStep(i), err)
		}
	}
	r.depth--
	return nil
}

// digits returns the form of a number that is written as text.
func (p *plan) digits(k reflect.Kind) form {
	if k < reflect.Bool || k > reflect.Float64 || k == reflect.Uintptr {
		p.problem = "is no bool and no number, as the option string asks"
		return formNone
	}
	if p.godot == variant.StringNameType {
		return formDigits
	}
	return p.as(variant.String, formDigits)
}

// digits writes a number as text.
func (w *writer) digits(p *plan, rv reflect.Value) (Value, error) {
	text := fmt.Sprint(rv.Interface())
	switch {
	case rv.Kind() == reflect.Bool:
		text = strconv.FormatBool(rv.Bool())
	case rv.CanInt():
		text = strconv.FormatInt(rv.Int(), 10)
	case rv.CanUint():
		text = strconv.FormatUint(rv.Uint(), 10)
	case rv.CanFloat():
		text = strconv.FormatFloat(rv.Float(), 'g', -1, rv.Type().Bits())
	}
	if p.godot == variant.StringNameType {
		return wrap(variant.MakeStringName(text)), nil
	}
	return wrap(variant.MakeString(text)), nil
}

// digits sets a number to what a text says.
func (r *reader) digits(p *plan, v Value, rv reflect.Value) error {
	s, ok := v.AsString()
	if !ok {
		return r.mismatch(p, v, "String, as the option string asks")
	}
	var err error
	switch {
	case rv.Kind() == reflect.Bool:
		var b bool
		if b, err = strconv.ParseBool(s); err == nil {
			rv.SetBool(b)
		}
	case rv.CanInt():
		var i int64
		if i, err = strconv.ParseInt(s, 10, rv.Type().Bits()); err == nil {
			rv.SetInt(i)
		}
	case rv.CanUint():
		var u uint64
		if u, err = strconv.ParseUint(s, 10, rv.Type().Bits()); err == nil {
			rv.SetUint(u)
		}
	default:
		var f float64
		if f, err = strconv.ParseFloat(s, rv.Type().Bits()); err == nil {
			rv.SetFloat(f)
		}
	}
	if err != nil {
		return r.fail(p, ErrInexact, "the text %s is no %v", shortQuote(s), rv.Type())
	}
	return nil
}

var timeType = reflect.TypeFor[time.Time]()

// time returns the form of a time that is written as seconds.
func (p *plan) time() form {
	if p.typ != timeType {
		p.problem = "is no time.Time, as the option unix asks"
		return formNone
	}
	if p.godot == variant.Float {
		return formTime
	}
	return p.as(variant.Int, formTime)
}

// time writes the seconds since 1970. An int has no fraction.
func (w *writer) time(p *plan, t time.Time) (Value, error) {
	if p.godot == variant.Float {
		return wrap(variant.MakeFloat(float64(t.Unix()) + float64(t.Nanosecond())/1e9)), nil
	}
	return wrap(variant.MakeInt(t.Unix())), nil
}

// time sets a time to the seconds since 1970, in UTC.
func (r *reader) time(p *plan, v Value, rv reflect.Value) error {
	var t time.Time
	if i, ok := v.AsInt(); ok && v.Type() == variant.Int {
		t = time.Unix(i, 0)
	} else if f, ok := v.AsFloat(); ok {
		whole, part := math.Modf(f)
		i, ok := exactInt(whole)
		if !ok {
			return r.fail(p, ErrInexact, "float %v is no time", f)
		}
		t = time.Unix(i, int64(math.Round(part*1e9)))
	} else {
		return r.mismatch(p, v, "int or float, as the option unix asks")
	}
	rv.Set(reflect.ValueOf(t.UTC()))
	return nil
}
