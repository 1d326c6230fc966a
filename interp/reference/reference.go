// What readers and writers share: options, frames, and the nodes that select others.

package reference

import (
	"fmt"

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
	r := &reader{meaning: newMeaning(s, o), in: in, end: len(in), memory: o.MaxMemory}
	r.side = r
	defer recovered(&err, func() { v, n = interp.Value{}, 0 })
	v = r.unit(s.Root, nil)
	return v, r.pos, nil
}

// Encode writes a value of the root of a schema.
func Encode(s *schema.Schema, v interp.Value, o Options) (out []byte, err error) {
	w := &writer{meaning: newMeaning(s, o)}
	w.side = w
	defer recovered(&err, func() { out = nil })
	w.unit(s.Root, v, nil)
	return w.out, nil
}

// recovered turns the panic of a failure into an error.
func recovered(err *error, clear func()) {
	switch x := recover().(type) {
	case nil:
	case *interp.Error:
		clear()
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
	rules map[uint16]keyRule
	limit int // of depth
	depth int // units around that count towards it
	units int // units around
	side
}

// side is what differs between a reader and a writer.
type side interface {
	row(*schema.Row, *frame)
	list(*schema.List, *frame)
	region(*schema.Region, *frame)
	absent([]*schema.Field, *frame) // fields that have no row here
	here() int                      // offset of the next byte
	about() int                     // offset of what a condition is about
	block(func())                   // rows that are there under a condition
}

func newMeaning(s *schema.Schema, o Options) *meaning {
	m := &meaning{schema: s, Options: o, limit: builtin.DefaultDepth}
	if s.Depth > 0 {
		m.limit = s.Depth
	}
	if o.MaxDepth > 0 {
		m.limit = min(o.MaxDepth, builtin.MaxDepth)
	}
	m.rules = m.keyRules()
	return m
}

// frame holds the numbers and values of a record while it is read or written.
type frame struct {
	rec    *schema.Record
	number map[*schema.Field]int64
	value  map[*schema.Field]interp.Value
	size   map[*schema.Field]int64 // of rows and lists that are measured
	place  map[*schema.Field]int   // of words that get the size of a later row
}

func newFrame(rec *schema.Record, params []*schema.Field, args []int64) *frame {
	f := &frame{rec, map[*schema.Field]int64{}, map[*schema.Field]interp.Value{}, map[*schema.Field]int64{}, map[*schema.Field]int{}}
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
	m.units++
	if nests {
		m.depth++
	}
	return func() {
		m.units--
		if nests {
			m.depth--
		}
	}
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
			if n.Same == nil {
				m.row(n, f)
			}
		case *schema.Forms:
			m.block(func() { m.forms(n, f) })
		case *schema.List:
			m.list(n, f)
		case *schema.Region:
			m.region(n, f)
		case *schema.If:
			m.block(func() { m.branch(n, f) })
		case *schema.Let:
			f.number[n.Field] = m.known(n.Value, f)
		case *schema.Check:
			m.demand(n.Cond, f)
		case *schema.Require:
			if m.Open>>n.Gate.Index&1 == 0 {
				fail(interp.ErrClosed, m.here(), "an open gate %s", n.Gate.Name)
			}
		}
	}
}

// forms walks the first row whose condition holds. If there is a row in any case, it is
// the last one if no other is.
func (m *meaning) forms(n *schema.Forms, f *frame) {
	var there *schema.Row
	for i, row := range n.Rows {
		if n.Total && i == len(n.Rows)-1 || m.known(row.When, f) != 0 {
			there = row
			break
		}
	}
	if there != nil {
		m.row(there, f)
	}
	var others []*schema.Field
	for _, row := range n.Rows {
		for _, field := range storedIn(row) {
			if !declares(there, field) {
				others = append(others, field)
			}
		}
	}
	m.absent(others, f)
}

// storedIn returns the stored fields that a row declares: its own, and those of bits.
func storedIn(row *schema.Row) []*schema.Field {
	var out []*schema.Field
	if row.Field.Index >= 0 {
		out = append(out, row.Field)
	}
	for _, b := range row.Bits {
		if b.Field.Index >= 0 {
			out = append(out, b.Field)
		}
	}
	return out
}

// declares reports whether a row, which may be nil, declares a stored field.
func declares(row *schema.Row, field *schema.Field) bool {
	if row != nil {
		for _, f := range storedIn(row) {
			if f == field {
				return true
			}
		}
	}
	return false
}

// branch walks one branch of an if. The fields of the other one are absent.
func (m *meaning) branch(n *schema.If, f *frame) {
	if m.known(n.Cond, f) != 0 {
		m.body(n.Then, f)
		m.absent(n.Absent[0], f)
	} else {
		m.body(n.Else, f)
		m.absent(n.Absent[1], f)
	}
}

// demand refuses unless a condition holds.
func (m *meaning) demand(cond *schema.Expr, f *frame) {
	if m.known(cond, f) == 0 {
		fail(interp.ErrValue, m.about(), "a condition that holds")
	}
}

// musts refuses unless the conditions of a row or of bits hold.
func (m *meaning) musts(conds []*schema.Expr, f *frame) {
	for _, c := range conds {
		m.demand(c, f)
	}
}

// scalar returns the scalar of the numbers of a type, and whether it is the wider one
// of the two that a bit of the arm selects between.
func (f *frame) scalar(t *schema.Type) (s builtin.Scalar, wide bool) {
	switch {
	case t.Narrow == builtin.NoScalar:
		return t.Scalar, false
	case f.number[f.rec.Selector] != 0:
		return t.Wide, true
	}
	return t.Narrow, false
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
		case !a.Else && a.ID == id:
			found = a
		}
	}
	return found
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

// meaningless returns the bits of a word of which no field is, except those given.
func meaningless(s builtin.Scalar, bits []*schema.Bit, except uint64) uint64 {
	free := ones(8*s.Width()) &^ except
	for _, b := range bits {
		free &^= ones(b.N) << b.Lo
	}
	return free
}

// padding returns the bytes from n to the next multiple.
func padding(p *schema.Pad, n int) int {
	if n%p.To == 0 {
		return 0
	}
	return p.To - n%p.To
}

// pairs calls f for the key and the value of each pair of a map.
func pairs(v interp.Value, f func(key, value interp.Value)) {
	cells := v.Cells()
	for i := 0; i+1 < len(cells); i += 2 {
		f(cells[i], cells[i+1])
	}
}
