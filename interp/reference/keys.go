// Keys: which keys of a map are equal.

package reference

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// merged returns a map in which each key of a type is once: in the place and the form of the first, with
// the value of the last. Keys are compared as they are written.
func (m *walk) merged(v interp.Value, key *schema.Type) interp.Value {
	var out []interp.Value
	places := map[string]int{}
	for pair := range slices.Chunk(v.Cells(), 2) {
		id := m.identity(m.rounded(key, pair[0]), false)
		if at, again := places[id]; again {
			out[at+1] = pair[1]
			continue
		}
		places[id] = len(out)
		out = append(out, pair...)
	}
	return interp.MakeMap(v.Tag(), out).WithWide(v.Wide())
}

// keyOf returns the type of the keys in a field, or nil if it is no map.
func keyOf(f *schema.Field) *schema.Type {
	switch n := f.Node.(type) {
	case *schema.List:
		return n.Key
	case *schema.Row:
		if n.Type.InPlace {
			return keyOf(n.Type.Record.Stored[0])
		}
	}
	return nil
}

// rounded returns the value of a unit in which floats are as a reader gets them back: rounded if
// they are written in single precision.
func (m *walk) rounded(t *schema.Type, v interp.Value) interp.Value {
	if t == nil {
		return v
	}
	rec := t.Record
	if t.Form == schema.OfUnion {
		arm := m.tagged(t.Union, v.Tag())
		if arm == nil {
			return v
		}
		rec = arm.Record
	}
	f := newFrame(rec, nil, nil)
	if !f.holds(v) {
		return v
	}
	whole := v.Kind() == interp.Record && !slices.ContainsFunc(rec.Stored, func(field *schema.Field) bool { return f.value[field] == v })
	for _, field := range rec.Fields {
		if !later(field) {
			f.number[field] = m.written(field, f)
		}
	}
	if rec.Tuple != nil {
		return single(m.wire(rec.Tuple.Type, f).Scalar, v)
	}
	m.roundedRows(rec.Body, f)
	var all []interp.Value
	for _, field := range rec.Stored {
		if x := f.value[field]; whole {
			all = append(all, x)
		} else if !x.IsNone() {
			return x.WithTag(v.Tag())
		}
	}
	if whole {
		return interp.MakeRecord(v.Tag(), all).WithWide(v.Wide())
	}
	return v
}

// roundedRows rounds the floats in the fields of some nodes.
func (m *walk) roundedRows(nodes []schema.Node, f *frame) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *schema.Row:
			f.value[n.Field] = m.roundedRow(n, f, f.value[n.Field])
		case *schema.Forms:
			if m.precisions(n, f) > 1 && !fixed(n.Selector) {
				break
			}
			for i, row := range n.Rows {
				if n.Total && i == len(n.Rows)-1 || m.known(row.When, f) != 0 {
					f.value[n.Field] = m.roundedRow(row, f, f.value[n.Field])
					break
				}
			}
		case *schema.If:
			m.roundedRows(n.Then, f)
			m.roundedRows(n.Else, f)
		case *schema.List:
			v := f.value[n.Field]
			if n.Elem.Form == schema.Array {
				f.value[n.Field] = single(m.wire(n.Elem, f).Scalar, v)
			} else if v.Kind() == interp.List && !n.Map || v.Kind() == interp.Map && n.Map {
				cells := slices.Clone(v.Cells())
				for i := range cells {
					if cells[i] = m.rounded(n.Elem, v.Cells()[i]); n.Map && i%2 == 0 {
						cells[i] = m.rounded(n.Key, v.Cells()[i])
					}
				}
				if f.value[n.Field] = interp.MakeList(v.Tag(), cells); n.Map {
					f.value[n.Field] = interp.MakeMap(v.Tag(), cells)
				}
			}
		}
	}
}

// precisions counts the scalars of the forms of a row of numbers that a writer writes unless it
// keeps widths.
func (m *walk) precisions(n *schema.Forms, f *frame) int {
	all := map[builtin.Scalar]bool{}
	for _, row := range n.Rows {
		t := row.Type
		if t.Form != schema.Number && t.Form != schema.Array {
			continue
		}
		s := t.Scalar
		if t.Narrow != builtin.NoScalar {
			if s = t.Narrow; m.known(usual(f.rec.Selector.Derive), f) != 0 {
				s = t.Wide
			}
		}
		all[s] = true
	}
	return len(all)
}

// usual returns the number that a writer computes unless it keeps widths.
func usual(x *schema.Expr) *schema.Expr {
	if x.Op == builtin.Keep {
		return x.Args[0]
	}
	return x
}

// fixed reports whether a writer computes the same number for a field in any case, unless it keeps
// widths.
func fixed(e *schema.Expr) bool {
	return e != nil && e.Op == builtin.Ref && e.Field.Derive != nil && constant(usual(e.Field.Derive))
}

// constant reports whether an expression has no fields.
func constant(e *schema.Expr) bool {
	return e.Op == builtin.Num || operations[e.Op] != nil && !slices.ContainsFunc(e.Args, func(a *schema.Expr) bool { return !constant(a) })
}

// roundedRow returns the value of a row with rounded floats.
func (m *walk) roundedRow(row *schema.Row, f *frame, v interp.Value) interp.Value {
	switch t := row.Type; {
	case t.InPlace:
		inner, only := newFrame(t.Record, nil, nil), t.Record.Stored[0]
		inner.value[only] = v
		m.roundedRows(t.Record.Body, inner)
		return inner.value[only]
	case t.Form == schema.OfRecord || t.Form == schema.OfUnion:
		return m.rounded(t, v)
	case t.Form == schema.Number || t.Form == schema.Array:
		return single(m.wire(t, f).Scalar, v)
	}
	return v
}

// single returns floats rounded if they are written as f32.
func single(s builtin.Scalar, v interp.Value) interp.Value {
	round := func(bits uint64, from builtin.Scalar) uint64 {
		out, _ := converted(bits, from, builtin.F32)
		return out
	}
	switch {
	case s != builtin.F32:
	case v.Kind() == interp.Float:
		return interp.MakeFloat(v.Tag(), math.Float64frombits(double(s, round(math.Float64bits(v.Float()), builtin.F64)))).WithWide(v.Wide())
	case (v.Kind() == interp.Lanes || v.Kind() == interp.Packed) && v.Scalar() == builtin.F64:
		var b []byte
		for i := range v.Len() * elements(v) {
			b = binary.LittleEndian.AppendUint32(b, uint32(round(v.LaneBits(i), builtin.F64)))
		}
		if v.Kind() == interp.Lanes {
			return interp.MakeLanes(v.Tag(), s, b).WithWide(v.Wide())
		}
		return interp.MakePacked(v.Tag(), s, v.Width(), b).WithWide(v.Wide())
	}
	return v
}

// identity returns a text that two values have in common if they are equal as keys, or inside of
// keys: their arms and contents are equal, unless a rule of the schema says else.
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
	for i, c := range v.Cells() {
		key := v.Kind() == interp.Map && i%2 == 0 // which is compared as a key again
		add(m.identity(c, !key))
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
