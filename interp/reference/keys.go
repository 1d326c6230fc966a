// Keys: which keys of a map are equal.

package reference

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// merged returns a map without repeated keys. A key has the place and the form of the first pair
// with it, and the value of the last. ids are the identities of its keys: those of keys inside of keys are made once.
func (m *walk) merged(v interp.Value) (out interp.Value, ids []string) {
	var cells []interp.Value
	places := map[string]int{}
	for pair := range slices.Chunk(v.Cells(), 2) {
		id := m.identity(pair[0], false)
		if at, again := places[id]; again {
			cells[at+1] = pair[1]
			continue
		}
		places[id] = len(cells)
		cells, ids = append(cells, pair...), append(ids, id)
	}
	return interp.MakeMap(v.Tag(), cells).WithWide(v.Wide()), ids
}

// identity returns a text that is the same for two values that are equal as keys, or inside of
// keys. Their arms and contents are equal, unless a rule of the schema says otherwise.
func (m *walk) identity(v interp.Value, inside bool) string {
	tag, id := v.Tag(), ""
	add := func(args ...any) { // with its length, so that different parts are different texts
		part := fmt.Sprint(args...)
		id += fmt.Sprint(len(part), ":", part)
	}
	switch {
	case m.ruled(builtin.KeyDiffer, tag):
		return m.unique()
	case v.Kind() == interp.Text && !inside && m.ruled(builtin.KeyEqual, tag):
		return "text " + v.Text()
	}
	if v = m.core(v); v.Kind() == interp.Record && m.ruled(builtin.KeyEmpty, tag) && empty(v) {
		return fmt.Sprint(tag, " is empty")
	}
	add(tag, v.Kind(), v.Width())
	switch v.Kind() {
	case interp.Bool, interp.Int, interp.Uint:
		add(v.Uint())
	case interp.Float:
		add(m.realIdentity(builtin.F64, math.Float64bits(v.Float()), false, inside && m.ruled(builtin.KeyApart, tag)))
	case interp.Text:
		add(v.Text())
	case interp.Lanes, interp.Packed:
		s := v.Scalar()
		if !s.IsFloat() {
			add(int(s), v.Bytes())
			break
		}
		for i := range v.Len() * elements(v) {
			add(m.realIdentity(s, v.LaneBits(i), m.ruled(builtin.KeyExact, tag), m.ruled(builtin.KeyApart, tag)))
		}
	}
	var keys []string
	if v.Kind() == interp.Map {
		v, keys = m.merged(v) // a writer writes each key once
	}
	for i, c := range v.Cells() {
		if len(keys) > 0 && i%2 == 0 {
			add(keys[i/2])
		} else {
			add(m.identity(c, true))
		}
	}
	if len(id) > 2*sha256.Size { // else texts of deep values grow with each level
		return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
	}
	return id
}

// realIdentity returns the identity of a real number. Zeros of both signs are equal, and what is
// not a number to any other, unless only equal bits are exact, or it is apart.
func (m *walk) realIdentity(s builtin.Scalar, bits uint64, exact, apart bool) string {
	switch x := math.Float64frombits(double(s, bits)); {
	case math.IsNaN(x) && apart:
		return m.unique()
	case math.IsNaN(x) && exact:
		return fmt.Sprint(int(s), " ", bits)
	case exact:
		return fmt.Sprint(math.Float64bits(x))
	case x == 0:
		return "0"
	default:
		return fmt.Sprint(x)
	}
}

// unique returns the identity of a value that is equal to no other.
func (m *walk) unique() string {
	m.uniques++
	return fmt.Sprint("unique ", m.uniques)
}

// ruled reports whether a rule for keys names the arm of a tag.
func (m *walk) ruled(rule builtin.KeyRule, tag uint16) bool {
	return slices.ContainsFunc(m.schema.Keys[rule], func(a *schema.Arm) bool { return m.Tags[a.Record] == tag })
}

// empty reports whether the texts, arrays, lists and maps in a record are empty.
func empty(v interp.Value) bool {
	return !slices.ContainsFunc(v.Cells(), func(c interp.Value) bool {
		return c.Len() > 0 && (c.Kind() == interp.Text || c.Kind() == interp.Packed || sequence(c.Kind()))
	})
}

// core returns the list or map in a record that it may represent, or v itself.
func (m *walk) core(v interp.Value) interp.Value {
	represents := func(f *schema.Field) bool { return f.Alone && sequence(f.Kind) }
	inside := slices.IndexFunc(v.Cells(), func(c interp.Value) bool { return sequence(c.Kind()) })
	for rec, tag := range m.Tags {
		if v.Kind() == interp.Record && tag == v.Tag() && inside >= 0 && len(rec.Stored) > 1 && slices.ContainsFunc(rec.Stored, represents) {
			return v.At(inside)
		}
	}
	return v
}

func sequence(k interp.Kind) bool { return k == interp.List || k == interp.Map }

// elements returns the numbers of one of the parts that [interp.Value.Len] counts.
func elements(v interp.Value) int {
	if v.Kind() == interp.Packed {
		return v.Width()
	}
	return 1
}
