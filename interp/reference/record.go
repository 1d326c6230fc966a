// Records and unions: the units of a packet.

package reference

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// frame holds the numbers and values of a record while it is read or written.
type frame struct {
	rec    *schema.Record
	number map[*schema.Field]int64
	value  map[*schema.Field]interp.Value
	size   map[*schema.Field]int64 // of rows and lists that are measured
	span   map[*schema.Field]span  // of rows and lists
	word   map[*schema.Field]int   // of a writer: words whose numbers it learns
}

// span is the bytes of a row or a list.
type span struct{ begin, end int }

func newFrame(rec *schema.Record, params []*schema.Field, args []int64) *frame {
	f := &frame{rec: rec, number: map[*schema.Field]int64{}, value: map[*schema.Field]interp.Value{}}
	f.size, f.span, f.word = map[*schema.Field]int64{}, map[*schema.Field]span{}, map[*schema.Field]int{}
	for i, p := range params {
		f.number[p] = args[i]
	}
	return f
}

// arguments computes the arguments of a unit.
func (m *walk) arguments(t *schema.Type, f *frame) []int64 {
	var args []int64
	for _, a := range t.Args {
		args = append(args, m.known(a, f))
	}
	return args
}

// unit walks a record or a union: a reader returns its value, and a writer writes v.
func (m *walk) unit(t *schema.Type, args []int64, v interp.Value) interp.Value {
	nests := t.Form == schema.OfUnion && t.Union.Nests || t.Form == schema.OfRecord && t.Record.Nests
	deep := nests && m.depth > m.limit || m.units >= 4*m.limit+64
	m.need(!deep, interp.ErrDepth, m.pos, "at most %d levels, and %d of records", m.limit, 4*m.limit+64)
	m.units++
	m.depth += int(truth(nests))
	m.before = 0
	begin, f := m.pos, (*frame)(nil)
	if t.Form == schema.OfUnion {
		f = newFrame(nil, t.Union.Params, args)
		m.header(t.Union, f, v)
	} else {
		f = newFrame(t.Record, t.Record.Params, args)
		m.distribute(f, v)
	}
	m.based(f, begin, func() {
		if f.rec.Tuple != nil {
			m.tuple(f)
		} else {
			m.body(f.rec.Body, f)
			m.redundant(f)
		}
	})
	stop := f.rec.Stop
	if f.rec.Arm != nil {
		stop = f.rec.Arm.Union.Stop
	}
	if stop != nil {
		m.stops = m.known(stop, f) != 0
	}
	m.units--
	m.depth -= int(truth(nests))
	if !m.writes {
		v = m.collected(f)
	}
	return v
}

// header walks the word of a union, if it has one. It sets the record of the frame to the arm. A
// reader selects the arm by the word or an argument; a writer takes the arm that a value is of,
// whose number must be the argument, or goes into the word.
func (m *walk) header(u *schema.Union, f *frame, v interp.Value) {
	begin, word := m.pos, u.Word
	if word != nil && !m.writes {
		f.number[word.Field] = m.number(m.wire(word.Type, f), 0)
	}
	arm := selected(u, f)
	if m.writes {
		own := m.tagged(u, v.Tag())
		m.need(own != nil && (word != nil || own == arm), interp.ErrMismatch, m.pos, "an arm of %s that is selected", u.Name)
		arm = own
	}
	m.need(arm != nil, interp.ErrType, begin, "the number of an arm of %s", u.Name)
	f.rec = arm.Record
	m.distribute(f, v)
	m.substitute(f)
	if word == nil {
		return
	}
	if m.writes {
		f.number[word.Field] = m.number(m.wire(word.Type, f), m.headerOf(arm, f))
	}
	f.span[word.Field] = span{begin, m.pos}
	x := f.number[word.Field]
	m.bits(arm.Bits, f, x)
	m.need(selected(u, f) == arm, interp.ErrValue, m.pos, "bits that give a number of %s", arm.Name)
	zeros := free(word.Type.Scalar, arm.Bits) &^ (ones(u.N) << u.Lo)
	m.need(m.writes || !u.Closed || uint64(x)&zeros == 0, interp.ErrValue, m.about(), "zeros in bits without a field")
	m.demand(f, word.Checks...)
	for _, b := range arm.Bits {
		if b.Field.Redundant != nil {
			m.before = 0
		}
	}
}

// headerOf returns the word of an arm: its number and its bits, unless the arm says what it is.
func (m *walk) headerOf(arm *schema.Arm, f *frame) int64 {
	mask := uint64(0)
	for _, b := range arm.Bits {
		mask |= ones(b.N) << b.Lo
	}
	word := arm.ID<<arm.Union.Lo&^mask | m.join(arm.Bits, f, true)
	if arm.Form != nil {
		return m.computed(arm.Form, f)
	}
	return extended(arm.Union.Word.Type.Scalar, word)
}

// selected returns the arm that a word or an argument selects, or nil.
func selected(u *schema.Union, f *frame) *schema.Arm {
	id := uint64(f.number[u.By])
	if u.Word != nil {
		id = uint64(f.number[u.Word.Field])
		if u.By != u.Word.Field {
			id = id >> u.Lo & ones(u.N)
		}
	}
	return armOf(u, id, true)
}

// armOf returns the arm with a number or, if it may, the arm for all other numbers.
func armOf(u *schema.Union, id uint64, other bool) (found *schema.Arm) {
	for _, a := range u.Arms {
		if a.Else && other && found == nil || within(a.IDs, id) {
			found = a
		}
	}
	return found
}

// within reports whether a number is in a range.
func within(ids builtin.Ranges, id uint64) bool {
	return slices.ContainsFunc(ids, func(r builtin.Range) bool { return r.Lo <= id && id <= r.Hi })
}

// tagged returns the arm of a union whose values have a tag, or nil.
func (m *walk) tagged(u *schema.Union, tag uint16) *schema.Arm {
	for _, a := range u.Arms {
		if m.Tags[a.Record] == tag {
			return a
		}
	}
	return nil
}

// tuple walks a record that is nothing but numbers of one scalar.
func (m *walk) tuple(f *frame) {
	field, n := f.rec.Stored[0], len(f.rec.Tuple.Names)
	v := f.value[field]
	if m.writes {
		m.must(v, interp.Lanes)
		m.need(v.Len() == n, interp.ErrMismatch, m.pos, "%d numbers, found %d", n, v.Len())
	}
	s := m.wire(f.rec.Tuple.Type, f)
	if b := m.numbers(s, 1, s.Width()*n, v); !m.writes {
		f.value[field] = interp.MakeLanes(0, s.Scalar, b).WithWide(s.wide)
	}
}

// redundant compares the numbers of a record that a reader does not need with those that a
// writer computes.
func (m *walk) redundant(f *frame) {
	for _, field := range f.rec.Fields {
		d := field.Redundant
		if m.writes || d == nil || d.There != nil && m.known(d.There, f) == 0 {
			continue
		}
		at := f.span[d.At.Field].begin
		if d.At.End {
			at = f.span[d.At.Field].end
		}
		want := m.compute(field.Derive, f, verifying)
		m.need(f.number[field] == want, interp.ErrValue, at-d.Back, "%d, found %d", want, f.number[field])
	}
}

// collected returns the value of a record that was read. A record that stores nothing has a value
// without content. If one field is present and may represent the record, its value is that of the
// record. Otherwise the value has those of all fields.
func (m *walk) collected(f *frame) interp.Value {
	var all []interp.Value
	var present []*schema.Field
	for _, field := range f.rec.Stored {
		all = append(all, f.value[field])
		if !f.value[field].IsNone() {
			present = append(present, field)
		}
	}
	tag := m.Tags[f.rec]
	switch {
	case len(all) == 0:
		return interp.MakeUnit(tag)
	case len(present) == 1 && bare(present[0]):
		return f.value[present[0]]
	case len(present) == 1 && present[0].Alone:
		return f.value[present[0]].WithTag(tag)
	}
	m.spend(len(all))
	return interp.MakeRecord(tag, all)
}

// distribute gives the stored fields of a record that is written their values. A map is
// written without repeated keys.
func (m *walk) distribute(f *frame, v interp.Value) {
	if !m.writes {
		return
	}
	m.need(f.holds(v), interp.ErrMismatch, m.pos, "the fields of %s, found %s", f.rec.Path, v.Kind())
	for field, v := range f.value {
		if v.Kind() == interp.Map && v.Len() > 1 {
			f.value[field], _ = m.merged(v)
		}
	}
}

// holds takes the values of the stored fields from the value of a record. It takes all of
// them, or one that represents the record. It reports whether the value is of that form.
func (f *frame) holds(v interp.Value) bool {
	fields := f.rec.Stored
	n := len(fields)
	switch {
	case n == 0:
		return true
	case v.Kind() == interp.Record && v.Len() == n && !(n == 1 && (bare(fields[0]) || fields[0].Alone && !v.Cells()[0].IsNone())):
		for i, field := range fields {
			f.value[field] = v.At(i)
		}
		return true
	case v.Kind() == interp.Unit && n > 1: // all fields are absent
		return true
	}
	for _, field := range fields { // the only field of a record takes a value of any kind
		if field.Alone && !v.IsNone() && (n == 1 || field.Kind == v.Kind() && v.Kind() != interp.Record) {
			f.value[field] = v
			return true
		}
	}
	return false
}

// bare reports whether the value of a record is that of a field, which is of a declared type.
func bare(f *schema.Field) bool { return f.Alone && f.Kind == interp.None }

// substitute puts another value in place of fields of an arm that is written. It does so if
// the union of the value says so. The other value may itself be replaced, up to four times.
func (m *walk) substitute(f *frame) {
	for _, field := range f.rec.Stored {
		for range 4 {
			write := m.replacement(field.Union, f.value[field])
			if write == nil {
				break
			}
			f.value[field] = interp.Value{}
			if !write.Absent {
				f.value[field] = interp.MakeText(m.Tags[write.Arm.Record], write.Text)
			}
		}
	}
}

// replacement returns the first rule whose condition holds, of the arm that a value is of, or
// nil.
func (m *walk) replacement(u *schema.Union, v interp.Value) *schema.Write {
	if u == nil || v.IsNone() || m.tagged(u, v.Tag()) == nil {
		return nil
	}
	arm := m.tagged(u, v.Tag())
	f := newFrame(arm.Record, nil, nil)
	if !f.holds(v) {
		return nil
	}
	for _, write := range arm.Writes {
		if write.When == nil || m.computed(write.When, f) != 0 {
			return write
		}
	}
	return nil
}
