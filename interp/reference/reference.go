// What readers and writers share: options, frames, and the nodes that select others.

package reference

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// Options are the choices of a caller.
type Options struct {
	// Tags are the tags of values, for every arm and every other record. They are required.
	Tags map[*schema.Record]uint16
	// Open has bit i set if the gate with index i is open.
	Open uint8
	// MaxDepth limits the depth; 0 is the schema's own limit.
	MaxDepth int
	// MaxMemory limits the bytes of memory for values, 24 for each; 0 is no limit. A
	// writer ignores it.
	MaxMemory int
	// KeepWidths writes numbers in the form that they were read in. A reader ignores it.
	KeepWidths bool
}

// Decode reads the root of a schema at the beginning of in, and returns the number of
// bytes that it took.
func Decode(s *schema.Schema, in []byte, o Options) (v interp.Value, n int, err error) {
	r := &reader{meaning: newMeaning(s, o), in: in, end: len(in), memory: o.MaxMemory, work: 16*len(in) + 1<<20}
	r.side = r
	defer recovered(&err)
	v = r.unit(s.Root, nil)
	return v, r.pos, nil
}

// Encode writes a value of the root of a schema.
func Encode(s *schema.Schema, v interp.Value, o Options) (out []byte, err error) {
	places := measured(s, v, o)
	w := &writer{meaning: newMeaning(s, o), places: places}
	w.side = w
	defer recovered(&err)
	w.unit(s.Root, v, nil)
	return w.out, nil
}

// measured returns the numbers for the places that a writer chooses, in the order of their rows, as
// far as there is no failure.
func measured(s *schema.Schema, v interp.Value, o Options) (places []int64) {
	w := &writer{meaning: newMeaning(s, o)}
	w.side, w.measuring = w, true
	var err error
	defer func() { places = w.places }()
	defer recovered(&err)
	w.unit(s.Root, v, nil)
	return w.places
}

// recovered turns the panic of a failure into an error.
func recovered(err *error) {
	switch x := recover().(type) {
	case nil:
	case *interp.Error:
		*err = x
	default:
		panic(x)
	}
}

// fail ends the walk with an error.
func fail(kind error, offset int, format string, args ...any) {
	panic(&interp.Error{Kind: kind, Offset: offset, Expected: fmt.Sprintf(format, args...)})
}

// meaning is one call in progress.
type meaning struct {
	schema *schema.Schema
	Options
	limit     int  // of depth
	depth     int  // units around that count towards it
	units     int  // units around
	stops     bool // the last unit ends a list
	bases     []*base
	measuring bool // a writer does not know yet the places that it chooses
	notes     []note
	noted     bool // the innermost part has a note
	side
}

// stop notes whether a record ends a list.
func (m *meaning) stop(rec *schema.Record, f *frame) {
	cond := rec.Stop
	if rec.Arm != nil {
		cond = rec.Arm.Union.Stop
	}
	if cond != nil {
		m.stops = m.known(cond, f) != 0
	}
}

// side is what differs between a reader and a writer.
type side interface {
	content(*schema.Row, *frame)
	list(*schema.List, *frame)
	region(row *schema.Row, f *frame, content func())  // content that has the length of the row
	pad(p *schema.Pad, size int)                       // padding of content of a size
	measured(field *schema.Field, begin int, f *frame) // the size of what begins at an offset
	absent([]*schema.Field, *frame)                    // fields that have no row here
	more(first interp.Value) int64                     // 1 if bytes are left; a writer knows it by the first field of the rows for them
	here() int                                         // offset of the next byte
	about() int                                        // offset of what a condition is about
	block(func())                                      // rows that are there under a condition
	bytes() []byte                                     // of the input, or those written so far
	sum(*schema.SumStep, *frame)                       // a checksum, after the rows that it covers
	total(*note, *schema.Field, int64, *frame)         // the checksum of a whole record
	opened(*base)                                      // a record that parts count from begins
	closed(*base, *frame)                              // and ends
	placed(b *base, place int64, walk func()) piece    // a part
}

func newMeaning(s *schema.Schema, o Options) *meaning {
	m := &meaning{schema: s, Options: o, limit: builtin.DefaultDepth}
	if s.Depth > 0 {
		m.limit = s.Depth
	}
	if o.MaxDepth > 0 {
		m.limit = min(o.MaxDepth, builtin.MaxDepth)
	}
	return m
}

// frame holds the numbers and values of a record while it is read or written.
type frame struct {
	rec    *schema.Record
	number map[*schema.Field]int64
	value  map[*schema.Field]interp.Value
	size   map[*schema.Field]int64 // of rows and lists that are measured
	place  map[*schema.Field]int   // of words that get the size of a later row, or a checksum
	span   map[*schema.Field]span  // of rows and lists
	chosen map[*schema.Field]int   // numbers of places that a writer chooses, by the fields for them
}

func newFrame(rec *schema.Record, params []*schema.Field, args []int64) *frame {
	f := &frame{rec: rec, number: map[*schema.Field]int64{}, value: map[*schema.Field]interp.Value{}}
	f.size, f.place, f.span = map[*schema.Field]int64{}, map[*schema.Field]int{}, map[*schema.Field]span{}
	f.chosen = map[*schema.Field]int{}
	for i, p := range params {
		f.number[p] = args[i]
	}
	return f
}

// enter begins a unit; the function that it returns ends it.
func (m *meaning) enter(t *schema.Type) (leave func()) {
	nests := t.Form == schema.OfUnion && t.Union.Nests || t.Form == schema.OfRecord && t.Record.Nests
	if nests && m.depth > m.limit {
		fail(interp.ErrDepth, m.here(), "at most %d levels", m.limit)
	}
	if m.units >= 4*m.limit+64 {
		fail(interp.ErrDepth, m.here(), "at most %d levels of records", 4*m.limit+64)
	}
	depth, units := m.depth, m.units
	m.units++
	if nests {
		m.depth++
	}
	return func() { m.depth, m.units = depth, units }
}

// arguments computes the arguments of a unit.
func (m *meaning) arguments(t *schema.Type, f *frame) []int64 {
	var args []int64
	for _, a := range t.Args {
		args = append(args, m.known(a, f))
	}
	return args
}

// body walks the nodes of a body in order.
func (m *meaning) body(nodes []schema.Node, f *frame) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *schema.Row:
			if n == f.rec.Gaps {
				break // of the whole record
			}
			m.spanning(n.Field, f, func() { m.row(n, f) })
		case *schema.Forms:
			m.spanning(n.Field, f, func() {
				m.block(func() { m.forms(n, f) })
			})
		case *schema.List:
			m.spanning(n.Field, f, func() {
				var at *schema.Part
				if n.Row != nil {
					at = n.Row.At
				}
				m.part(at, n.Field, f, func() {
					m.bounded(n.Field, n.Row, n.Pad, f, func() { m.list(n, f) })
					m.demand(f, n.Checks...)
				})
			})
		case *schema.SumStep:
			m.sum(n, f)
		case *schema.If:
			m.block(func() { m.branch(n, f) })
		case *schema.Order:
			if n.Check != nil {
				m.demand(f, n.Check)
			}
		case *schema.Refuse:
			fail(interp.ErrValue, m.about(), "no value")
		case *schema.Require:
			m.block(func() {
				if m.Open>>n.Gate.Index&1 == 0 {
					fail(interp.ErrClosed, m.here(), "an open gate %s", n.Gate.Name)
				}
			})
		}
	}
}

// row walks a row with its padding.
func (m *meaning) row(row *schema.Row, f *frame) {
	m.part(row.At, row.Field, f, func() { m.placedRow(row, f) })
}

func (m *meaning) placedRow(row *schema.Row, f *frame) {
	own := func(c *schema.Check) bool { return measures(c.Cond, row.Field) }
	m.bounded(row.Field, row, row.Pad, f, func() {
		begin := m.here()
		m.content(row, f)
		if s := row.Field.Sum; s != nil && s.Base != nil {
			m.note(row.Field, f, begin)
		}
		for _, one := range row.Members {
			f.number[one.Field] = memberOf(f.value[row.Field], one.Index)
		}
		for _, c := range row.Checks {
			if !own(c) {
				m.demand(f, c)
			}
		}
	})
	for _, c := range row.Checks {
		if own(c) {
			m.demand(f, c)
		}
	}
}

// measures reports whether a condition needs the size of a row. It follows the row.
func measures(e *schema.Expr, field *schema.Field) bool {
	return e.Op == builtin.Size && e.Field == field || slices.ContainsFunc(e.Args, func(a *schema.Expr) bool { return measures(a, field) })
}

// bounded walks the content of a row or a list with its padding, in the region of the row if
// it has one.
func (m *meaning) bounded(field *schema.Field, row *schema.Row, pad *schema.Pad, f *frame, content func()) {
	begin := m.here()
	if row == nil || row.Bound == nil {
		content()
		m.pad(pad, m.here()-begin)
		m.measured(field, begin, f)
		return
	}
	size := 0
	m.region(row, f, func() {
		content()
		size = m.here() - begin
		m.measured(field, begin, f)
	})
	m.pad(pad, size)
}

// forms walks the first row whose condition holds. If there is a row in any case, it is
// the last one if no other is.
func (m *meaning) forms(n *schema.Forms, f *frame) {
	if n.Check != nil {
		m.demand(f, n.Check)
	}
	for i, row := range n.Rows {
		if n.Total && i == len(n.Rows)-1 || m.known(row.When, f) != 0 {
			m.row(row, f)
			return
		}
	}
	var fields []*schema.Field
	if row := n.Rows[0]; row.Field.Index >= 0 {
		fields = append(fields, row.Field)
	}
	for _, b := range n.Rows[0].Bits {
		if b.Field.Index >= 0 {
			fields = append(fields, b.Field)
		}
	}
	m.absent(fields, f)
}

// branch walks one branch of an if. The fields of the other one are absent.
func (m *meaning) branch(n *schema.If, f *frame) {
	if n.More != nil {
		f.number[n.More.Field] = m.more(f.value[n.More.Of])
	}
	if m.known(n.Cond, f) != 0 {
		m.body(n.Then, f)
		m.absent(n.Absent[0], f)
	} else {
		m.body(n.Else, f)
		m.absent(n.Absent[1], f)
	}
}

// demand refuses unless the conditions of a row or of bits hold.
func (m *meaning) demand(f *frame, checks ...*schema.Check) {
	for _, c := range checks {
		if m.known(c.Cond, f) == 0 {
			fail(interp.ErrValue, m.about(), "a condition that holds")
		}
	}
}

// scalar returns the scalar of the numbers of a type, and whether it is the wider one
// of the two that a bit of the arm selects between.
func (m *meaning) scalar(t *schema.Type, f *frame) (s wire, wide bool) {
	s = m.wireOf(t, f)
	switch {
	case t.Narrow == builtin.NoScalar:
	case f.number[f.rec.Selector] != 0:
		s.Scalar, wide = t.Wide, true
	default:
		s.Scalar = t.Narrow
	}
	return s, wide
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
		switch {
		case a.Else && other && found == nil:
			found = a
		case within(a.IDs, id):
			found = a
		}
	}
	return found
}

// within reports whether a number is in a range.
func within(ids builtin.Ranges, id uint64) bool {
	for _, r := range ids {
		if r.Lo <= id && id <= r.Hi {
			return true
		}
	}
	return false
}

// tagged returns the arm of a union whose values have a tag, or nil.
func (m *meaning) tagged(u *schema.Union, tag uint16) *schema.Arm {
	for _, a := range u.Arms {
		if m.Tags[a.Record] == tag {
			return a
		}
	}
	return nil
}

// ones returns a number whose lowest n bits are set.
func ones(n int) uint64 { return 1<<n - 1 }

// padding returns the bytes from n to the next multiple.
func padding(p *schema.Pad, n int) int {
	return (p.To - n%p.To) % p.To
}

// least returns the fewest bytes of a unit.
func least(t *schema.Type) uint64 {
	if t.Form == schema.OfUnion {
		return t.Union.Least
	}
	return t.Record.Least
}

// units returns the types of the units that each element of a list is: of a map a key and
// a value.
func units(n *schema.List) []*schema.Type {
	if n.Map {
		return []*schema.Type{n.Key, n.Elem}
	}
	return []*schema.Type{n.Elem}
}
