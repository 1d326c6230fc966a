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
func (m *walk) same(a, b interp.Value, inside bool) bool {
	tag := a.Tag()
	switch {
	case tag != b.Tag():
		texts := a.Kind() == interp.Text && b.Kind() == interp.Text && a.Text() == b.Text()
		return texts && !inside && m.ruled(builtin.KeyEqual, tag) && m.ruled(builtin.KeyEqual, b.Tag())
	case m.ruled(builtin.KeyDiffer, tag):
		return false
	case m.ruled(builtin.KeyEmpty, tag) && contents(a) == 0 && contents(b) == 0:
		return true
	}
	a, b = m.core(a), m.core(b)
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case interp.Float:
		if math.IsNaN(a.Float()) && math.IsNaN(b.Float()) {
			return !(inside && m.ruled(builtin.KeyApart, tag))
		}
		return a.Float() == b.Float()
	case interp.Bool, interp.Int, interp.Uint:
		return a.Uint() == b.Uint()
	case interp.Text:
		return a.Text() == b.Text()
	case interp.Lanes, interp.Packed:
		return sameNumbers(a, b, m.ruled(builtin.KeyExact, tag), m.ruled(builtin.KeyApart, tag))
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
func (m *walk) ruled(rule builtin.KeyRule, tag uint16) bool {
	return slices.ContainsFunc(m.schema.Keys[rule], func(a *schema.Arm) bool { return m.Tags[a.Record] == tag })
}

// contents counts the bytes of texts and the elements of arrays, lists and maps in a record.
// It is -1 for another value.
func contents(v interp.Value) int {
	if v.Kind() != interp.Record {
		return -1
	}
	n := 0
	for _, c := range v.Cells() {
		if c.Kind() == interp.Text || c.Kind() == interp.Packed || sequence(c.Kind()) {
			n += c.Len()
		}
	}
	return n
}

// core returns the list or map in a record that it may represent, or v itself.
func (m *walk) core(v interp.Value) interp.Value {
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

// sameNumbers compares tuples or arrays of as many elements. Numbers of two scalars are
// compared if both are floats. A NaN is equal to any NaN, or if apart to nothing.
func sameNumbers(a, b interp.Value, exact, apart bool) bool {
	s, t := a.Scalar(), b.Scalar()
	switch {
	case a.Width() != b.Width():
		return false
	case s == t && (exact && !apart || !s.IsFloat()):
		return bytes.Equal(a.Bytes(), b.Bytes())
	case !s.IsFloat() || !t.IsFloat():
		return false
	}
	for i := range a.Len() * elements(a) {
		x, y := numeral(s, a.LaneBits(i)).Float(), numeral(t, b.LaneBits(i)).Float()
		if exact && math.Float64bits(x) != math.Float64bits(y) || x != y && (apart || !math.IsNaN(x) || !math.IsNaN(y)) {
			return false
		}
	}
	return true
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
func (m *walk) merged(v interp.Value) interp.Value {
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
