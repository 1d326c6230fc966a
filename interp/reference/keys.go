// Keys: which keys of a map are equal.

package reference

import (
	"bytes"
	"math"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// keyRule is how values of a tag compare in keys.
type keyRule struct {
	equal  bool // with values of other tags that have it: by their text
	differ bool // never equal
	exact  bool // numbers are equal if their bits are
	apart  bool // inside a key, NaN is not equal to itself
	core   bool // a record whose list or map alone counts, since it may represent the record
}

// keyRules returns the rules by tag.
func (m *meaning) keyRules() map[uint16]keyRule {
	rules := map[uint16]keyRule{}
	set := func(arms []*schema.Arm, f func(*keyRule)) {
		for _, a := range arms {
			rule := rules[m.Tags[a.Record]]
			f(&rule)
			rules[m.Tags[a.Record]] = rule
		}
	}
	s := m.schema
	set(s.Equal, func(r *keyRule) { r.equal = true })
	set(s.Differ, func(r *keyRule) { r.differ = true })
	set(s.Exact, func(r *keyRule) { r.exact = true })
	set(s.Apart, func(r *keyRule) { r.apart = true })
	for rec, tag := range m.Tags {
		for _, f := range rec.Stored {
			if f.Alone && len(rec.Stored) > 1 && (f.Kind == interp.List || f.Kind == interp.Map) {
				rule := rules[tag]
				rule.core = true
				rules[tag] = rule
			}
		}
	}
	return rules
}

// same reports whether two values are equal as keys, or inside of keys. A number is equal
// to one of another sign or form of zero, and NaN to any NaN, unless a rule says else.
func (m *meaning) same(a, b interp.Value, inside bool) bool {
	rule, other := m.rules[a.Tag()], m.rules[b.Tag()]
	if a.Tag() != b.Tag() {
		return !inside && rule.equal && other.equal && a.Kind() == interp.Text && b.Kind() == interp.Text && a.Text() == b.Text()
	}
	if rule.differ {
		return false
	}
	if rule.core {
		a, b = core(a), core(b)
	}
	if a.Kind() != b.Kind() || a.Len() != b.Len() {
		return false
	}
	switch a.Kind() {
	case interp.Float:
		if math.IsNaN(a.Float()) && math.IsNaN(b.Float()) {
			return !(inside && rule.apart)
		}
		return a.Float() == b.Float()
	case interp.Bool, interp.Int, interp.Uint:
		return a.Uint() == b.Uint()
	case interp.Text:
		return a.Text() == b.Text()
	case interp.Lanes, interp.Packed:
		return sameNumbers(a, b, rule.exact)
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

// core returns the list or map of a record, or v itself.
func core(v interp.Value) interp.Value {
	if v.Kind() == interp.Record {
		for _, c := range v.Cells() {
			if c.Kind() == interp.List || c.Kind() == interp.Map {
				return c
			}
		}
	}
	return v
}

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
	pairs(v, func(key, value interp.Value) {
		for i := 0; i < len(out); i += 2 {
			if m.same(out[i], key, false) {
				out[i+1] = value
				return
			}
		}
		out = append(out, key, value)
	})
	if len(out) == 2*v.Len() {
		return v
	}
	return interp.MakeMap(v.Tag(), out)
}
