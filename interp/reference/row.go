// Rows: the nodes of a body.

package reference

import (
	"bytes"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// body walks the nodes of a body in order. A condition after a block, several forms or a gate
// is not about a number before it or in it.
func (m *walk) body(nodes []schema.Node, f *frame) {
	for i, n := range nodes {
		switch n := n.(type) {
		case *schema.Row:
			if n != f.rec.Gaps { // which is of the whole record
				m.spanning(n.Field, f, func() { m.row(n, f) })
			}
		case *schema.List:
			m.spanning(n.Field, f, func() { m.list(n, f) })
			if n.Spare != nil {
				m.spared(n, nodes[i+1:], f)
				return
			}
		case *schema.Forms:
			m.spanning(n.Field, f, func() { m.forms(n, f) })
			if len(n.Rows) > 1 || !n.Total {
				m.before = 0
			}
		case *schema.If:
			m.branch(n, f)
			m.before = 0
		case *schema.Require:
			m.need(m.Open>>n.Gate.Index&1 != 0, interp.ErrClosed, m.pos, "an open gate %s", n.Gate.Name)
			m.before = 0
		case *schema.SumStep:
			m.sum(n, f)
		case *schema.Order:
			if n.Check != nil {
				m.demand(f, n.Check)
			}
		case *schema.Refuse:
			m.need(false, interp.ErrValue, m.about(), "no value")
		}
	}
}

// spared walks the nodes behind a list that ends when few bytes are left. A writer refuses a list that a reader would
// end before its last element, or not yet.
func (m *walk) spared(n *schema.List, nodes []schema.Node, f *frame) {
	begin, last, most := m.pos, m.last, int(n.Spare.Bytes)
	m.body(nodes, f)
	behind := m.pos - begin
	m.need(!m.writes || behind <= most, interp.ErrValue, m.pos, "at most %d bytes behind the list, found %d", most, behind)
	m.need(!m.writes || last == 0 || last+behind > most, interp.ErrValue, m.pos, "more than %d bytes from the last element on, found %d", most, last+behind)
}

// demand refuses unless the conditions of a row or of bits hold.
func (m *walk) demand(f *frame, checks ...*schema.Check) {
	for _, c := range checks {
		m.need(m.known(c.Cond, f) != 0, interp.ErrValue, m.about(), "a condition that holds")
	}
}

// spanning walks a row or a list, and notes its bytes. A condition after a place that a
// checksum needs is not about a number before it.
func (m *walk) spanning(field *schema.Field, f *frame, content func()) {
	if field.Places[0] {
		m.before = 0
	}
	begin := m.pos
	content()
	f.span[field] = span{begin, m.pos}
	if field.Places[1] {
		m.before = 0
	}
}

// branch walks one branch of an if. The fields of the other one have no value. The condition
// more() is whether bytes are left; a writer decides it by the first field of the rows.
func (m *walk) branch(n *schema.If, f *frame) {
	if n.More != nil {
		f.number[n.More.Field] = truth(m.writes && !f.value[n.More.Of].IsNone() || !m.writes && m.left() > 0)
	}
	nodes, absent := n.Then, n.Absent[0]
	if m.known(n.Cond, f) == 0 {
		nodes, absent = n.Else, n.Absent[1]
	}
	m.body(nodes, f)
	m.absent(f, absent...)
}

// absent refuses values of fields that have no row here.
func (m *walk) absent(f *frame, fields ...*schema.Field) {
	for _, field := range fields {
		m.must(f.value[field], interp.None)
	}
}

// forms walks the first row whose condition holds. If there is a row in any case, it is the
// last one if no other is.
func (m *walk) forms(n *schema.Forms, f *frame) {
	if n.Check != nil {
		m.demand(f, n.Check)
	}
	for i, row := range n.Rows {
		if n.Total && i == len(n.Rows)-1 || m.known(row.When, f) != 0 {
			m.row(row, f)
			return
		}
	}
	m.absent(f, n.Field)
	for _, b := range n.Rows[0].Bits {
		m.absent(f, b.Field)
	}
}

// row walks a row with its padding. Conditions follow the content, and those about the size of
// the row follow the padding.
func (m *walk) row(row *schema.Row, f *frame) {
	demand := func(sized bool) {
		for _, c := range row.Checks {
			if measures(c.Cond, row.Field) == sized {
				m.demand(f, c)
			}
		}
	}
	m.part(row.At, row.Field, f, func() {
		m.bounded(row.Field, row, row.Pad, f, func() {
			begin := m.pos
			m.content(row, f)
			m.total(row.Field, f, begin)
			for _, one := range row.Members {
				f.number[one.Field] = memberOf(f.value[row.Field], one.Index)
			}
			demand(false)
		})
		demand(true)
	})
}

// measures reports whether a condition needs the size of a row.
func measures(e *schema.Expr, field *schema.Field) bool {
	return e.Op == builtin.Size && e.Field == field || slices.ContainsFunc(e.Args, func(a *schema.Expr) bool { return measures(a, field) })
}

// bounded walks the content of a row or a list with its padding. If the row has a region, the
// content uses up its bytes; a writer compares them if they are not computed from the content.
// The size of a row is that of its region, or else includes the padding.
func (m *walk) bounded(field *schema.Field, row *schema.Row, pad *schema.Pad, f *frame, content func()) {
	begin, end := m.pos, m.end
	if row == nil || row.Bound == nil {
		content()
		m.pad(pad, m.pos-begin)
		m.measured(field, begin, f)
		return
	}
	if !m.writes {
		if row.Tail != nil {
			f.number[row.Tail.Field] = int64(m.left())
		}
		size := m.known(row.Bound, f)
		m.need(size >= 0 && size <= int64(m.left()), interp.ErrTruncated, m.pos, "a region of %d bytes, found %d", size, m.left())
		m.end, m.before = m.pos+int(size), 0
	}
	content()
	m.measured(field, begin, f)
	m.need(m.writes || m.pos == m.end, interp.ErrTrailing, m.pos, "the end of the region")
	m.need(!m.writes || !row.Stated || m.known(row.Bound, f) == f.size[field], interp.ErrValue, m.pos, "as many bytes as the length says, found %d", f.size[field])
	m.end, m.before = end, 0
	m.pad(pad, int(f.size[field]))
}

// pad walks the bytes after content, up to a multiple of its size.
func (m *walk) pad(p *schema.Pad, size int) {
	if p == nil {
		return
	}
	at, n := m.pos, (p.To-size%p.To)%p.To
	if m.writes {
		m.put(bytes.Repeat([]byte{p.Fill}, n)...)
		return
	}
	if n > m.left() && p.OrEnd {
		n = m.left()
	}
	for i, b := range m.take(int64(n), 1) {
		m.need(b == p.Fill || !p.Exact, interp.ErrValue, at+i, "padding of %#02x", p.Fill)
	}
}

// measured notes the size of a row or list that begins at an offset. A writer learns the number
// of the word that holds it.
func (m *walk) measured(field *schema.Field, begin int, f *frame) {
	f.size[field] = int64(m.pos - begin)
	if field.Bytes != nil {
		m.before = 0
	}
	if m.writes && field.Measured != nil {
		row := m.formOfWord(field.Measured, f)
		x := m.composed(row, f, true)
		for _, b := range row.Bits {
			f.number[b.Field] = int64(bitsOf(b, x))
		}
		m.learn(row, x, f)
	}
}

// formOfWord returns the row of a field, in the form that is there.
func (m *walk) formOfWord(field *schema.Field, f *frame) *schema.Row {
	if n := field.Forms; n != nil {
		for _, row := range n.Rows[:len(n.Rows)-1] {
			if m.known(row.When, f) != 0 {
				return row
			}
		}
		return n.Rows[len(n.Rows)-1]
	}
	return field.Node.(*schema.Row)
}

// constant walks a row that is always the same, four bytes at a time, and then two and one.
func (m *walk) constant(row *schema.Row) {
	for rest := row.Constant; len(rest) > 0; {
		part := rest[:[]int{1, 1, 2, 2, 4}[min(len(rest), 4)]]
		rest = rest[len(part):]
		if m.writes {
			m.put(part...)
			continue
		}
		at := m.pos
		found := m.take(int64(len(part)), 1)
		m.need(row.Any || bytes.Equal(found, part), interp.ErrValue, at, "the bytes % x", part)
		m.before = len(part) // as of a number
	}
}

// content walks the content of a row. The value of its field is the one that a reader finds, or
// that a writer writes.
func (m *walk) content(row *schema.Row, f *frame) {
	field, t, v := row.Field, row.Type, f.value[row.Field]
	switch {
	case row.Constant != nil:
		m.constant(row)
	case t.Form == schema.Text || t.Until+t.Fill != "":
		v = m.text(t, f, v)
	case t.Form == schema.Array:
		v = m.array(t, t.Size, f, row.Wide, v)
	case t.InPlace:
		inner, only := newFrame(t.Record, t.Record.Params, m.arguments(t, f)), t.Record.Stored[0]
		inner.value[only] = v
		m.body(t.Record.Body, inner)
		m.redundant(inner)
		v = inner.value[only]
	case t.Form == schema.OfRecord || t.Form == schema.OfUnion:
		args := m.arguments(t, f)
		m.need(!m.writes || !v.IsNone(), interp.ErrMismatch, m.pos, "a value of %s", field.Name)
		v = m.unit(t, args, v)
		m.before = 0
	default:
		v = m.numeral(row, f, v)
	}
	f.value[field] = v
}

// array walks tuples of numbers, as many as count says or as are left.
func (m *walk) array(t *schema.Type, count *schema.Expr, f *frame, wide bool, v interp.Value) interp.Value {
	s := m.wire(t, f)
	size := s.Width() * t.Width
	if m.writes {
		m.must(v, interp.Packed)
		m.need(v.Width() == t.Width, interp.ErrMismatch, m.pos, "tuples of %d numbers, found %d", t.Width, v.Width())
		m.counted(count, int64(v.Len()), f)
		m.numbers(s, 0, size, v)
		return v
	}
	n := int64(m.left() / size)
	if count != nil {
		n = m.known(count, f)
	}
	return interp.MakePacked(0, s.Scalar, t.Width, m.numbers(s, n, size, v)).WithWide(wide || s.wide)
}

// counted refuses a value that is written unless it has the number of parts that a reader takes.
func (m *walk) counted(count *schema.Expr, n int64, f *frame) {
	m.need(count == nil || m.known(count, f) == n, interp.ErrRange, m.pos, "as many parts as the fields before it say, found %d", n)
}

// list walks a list, a map, or an array in the form of a list, with its padding.
func (m *walk) list(n *schema.List, f *frame) {
	var at *schema.Part
	if n.Row != nil {
		at = n.Row.At
	}
	m.part(at, n.Field, f, func() {
		m.bounded(n.Field, n.Row, n.Pad, f, func() {
			v := f.value[n.Field]
			switch {
			case n.Map:
				v = interp.MakeMap(0, m.cells(n, v, f, interp.Map, n.Key, n.Elem))
			case n.Elem.Form == schema.Array:
				v = m.array(n.Elem, n.Count, f, false, v)
			default:
				v = interp.MakeList(0, m.cells(n, v, f, interp.List, n.Elem))
			}
			f.value[n.Field] = v
			m.before = 0
		})
		m.demand(f, n.Checks...)
	})
}

// cells walks the units of a list, of which an element of a map has two. The list has as many
// elements as its count says, or goes up to one that ends it, or up to the end of the region. A
// reader compares a count with the bytes that are left before the first element.
func (m *walk) cells(n *schema.List, v interp.Value, f *frame, kind interp.Kind, types ...*schema.Type) (cells []interp.Value) {
	count := len(v.Cells())
	if m.writes {
		m.must(v, kind)
		m.counted(n.Count, int64(v.Len()), f)
		m.need(!n.Last || count > 0, interp.ErrValue, m.pos, "an element")
	} else if n.Count != nil {
		elements, bytes := m.known(n.Count, f), uint64(0)
		for _, t := range types {
			bytes += least(t)
		}
		m.need(elements >= 0 && uint64(elements) <= uint64(m.left())/bytes, interp.ErrTruncated, m.pos, "%d elements of at least %d bytes, found %d", elements, bytes, m.left())
		count = int(elements) * len(types)
		m.spend(count)
	}
	spare := 0
	if n.Spare != nil {
		spare = int(n.Spare.Bytes)
	}
	more := func(i int) bool {
		switch {
		case m.writes || n.Count != nil:
			return i < count
		case n.Last:
			return i == 0 || !m.stops
		}
		return m.left() > spare
	}
	m.last = 0
	for i := 0; more(i); i++ {
		begin := m.pos
		if n.Count == nil {
			m.spend(1)
		}
		t := types[i%len(types)]
		cells = append(cells, m.unit(t, m.arguments(t, f), v.At(i)))
		m.last = m.pos - begin
		m.need(!m.writes || !n.Last || m.stops == (i == count-1), interp.ErrValue, m.pos, "the last element, and no other, ends the list")
	}
	return cells
}

// least returns the fewest bytes of a unit.
func least(t *schema.Type) uint64 {
	if t.Form == schema.OfUnion {
		return t.Union.Least
	}
	return t.Record.Least
}
