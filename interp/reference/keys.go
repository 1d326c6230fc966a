// Keys: which keys of a map are equal.

package reference

import (
	"bytes"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// same reports whether two values are equal as keys, or inside of keys. A number is equal
// to one of another sign or form of zero, and NaN to any NaN, unless a rule says else.
func (m *meaning) same(a, b interp.Value, inside bool) bool {
	rules, tag := m.schema, a.Tag()
	switch {
	case tag != b.Tag():
		texts := a.Kind() == interp.Text && b.Kind() == interp.Text && a.Text() == b.Text()
		return texts && !inside && m.ruled(rules.Equal, tag) && m.ruled(rules.Equal, b.Tag())
	case m.ruled(rules.Differ, tag):
		return false
	}
	a, b = m.core(a), m.core(b)
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case interp.Float:
		if math.IsNaN(a.Float()) && math.IsNaN(b.Float()) {
			return !(inside && m.ruled(rules.Apart, tag))
		}
		return a.Float() == b.Float()
	case interp.Bool, interp.Int, interp.Uint:
		return a.Uint() == b.Uint()
	case interp.Text:
		return a.Text() == b.Text()
	case interp.Lanes, interp.Packed:
		return sameNumbers(a, b, m.ruled(rules.Exact, tag))
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		key := a.Kind() == interp.Map && i%2 == 0 // which is compared as a key again
		if !m.same(x[i], y[i], !key) {
			return false
		}
	}
	return true
}

// ruled reports whether a rule for keys names the arm of a tag.
func (m *meaning) ruled(arms []*schema.Arm, tag uint16) bool {
	return slices.ContainsFunc(arms, func(a *schema.Arm) bool { return m.Tags[a.Record] == tag })
}

// core returns the list or map in a record that it may represent, or v itself.
func (m *meaning) core(v interp.Value) interp.Value {
	if v.Kind() != interp.Record {
		return v
	}
	represents := func(f *schema.Field) bool { return f.Alone && sequence(f.Kind) }
	inside := slices.IndexFunc(v.Cells(), func(c interp.Value) bool { return sequence(c.Kind()) })
	for rec, tag := range m.Tags {
		if tag == v.Tag() && inside >= 0 && len(rec.Stored) > 1 && slices.ContainsFunc(rec.Stored, represents) {
			return v.At(inside)
		}
	}
	return v
}

func sequence(k builtin.Kind) bool { return k == interp.List || k == interp.Map }

// sameNumbers compares tuples or arrays of as many elements.
func sameNumbers(a, b interp.Value, exact bool) bool {
	if a.Width() != b.Width() {
		return false
	}
	if a.Scalar() == b.Scalar() && (exact || !a.Scalar().IsFloat()) {
		return bytes.Equal(a.Bytes(), b.Bytes())
	}
	for i := range a.Len() * elements(a) {
		x, y := real(a.Scalar(), a.LaneBits(i)), real(b.Scalar(), b.LaneBits(i))
		if exact && math.Float64bits(x) != math.Float64bits(y) || x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			return false
		}
	}
	return true
}

// real returns the real number that the bits of a scalar are.
func real(s builtin.Scalar, bits uint64) float64 {
	switch v := numeral(s, bits); v.Kind() {
	case interp.Float:
		return v.Float()
	case interp.Int:
		return float64(v.Int())
	default:
		return float64(v.Uint())
	}
}

// elements returns the numbers of one of the parts that [interp.Value.Len] counts.
func elements(v interp.Value) int {
	if v.Kind() == interp.Packed {
		return v.Width()
	}
	return 1
}

// merged returns a map in which each key is once: in the place and the form of the
// first, with the value of the last.
func (m *meaning) merged(v interp.Value) interp.Value {
	var out []interp.Value
next:
	for pair := range slices.Chunk(v.Cells(), 2) {
		for i := 0; i < len(out); i += 2 {
			if m.same(out[i], pair[0], false) {
				out[i+1] = pair[1]
				continue next
			}
		}
		out = append(out, pair...)
	}
	if len(out) == 2*v.Len() {
		return v
	}
	return interp.MakeMap(v.Tag(), out)
}
