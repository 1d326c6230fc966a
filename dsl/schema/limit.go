// Limits: a program for the schema has no more of anything than programs may have.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// tooMuch reports that a limit of programs is passed.
func (p *prover) tooMuch(pos dsl.Pos, width int, format string, args ...any) {
	p.r.errorf(pos, width, dsl.CodeRange, format, args...).
		WithHint("the schema asks for more than an interpreter allows; make it smaller, or split a record in two")
}

// records checks every record by itself.
func (p *prover) records() {
	for _, rec := range p.s.Records {
		p.limitsOf(rec, rec.Name, 1)
	}
	for _, u := range p.s.Unions {
		for _, a := range u.Arms {
			p.limitsOf(a.Record, a.Name, 3)
		}
	}
}

// units checks the records and unions that the root contains together.
func (p *prover) units() {
	types, code := 0, 0
	for _, u := range p.s.Unions {
		types += len(u.Arms)
	}
	p.reached = p.s.reachable()
	units := p.reached
	for _, u := range units {
		if u.union == nil {
			types++
			code += u.record.needs.code
			continue
		}
		code += 2
		for _, a := range u.union.Arms {
			code += a.Record.needs.code + 1
		}
	}
	for _, limit := range []struct {
		n, most int
		name    string
	}{{len(units), builtin.MaxRoutines, "routines"}, {types, builtin.MaxTypes, "types"}, {code, builtin.MaxCode, "instructions"}} {
		if limit.n > limit.most {
			p.tooMuch(p.s.Pos, 0, "%d %s; at least 1 and at most %d are allowed", limit.n, limit.name, limit.most)
		}
	}
}

// limitsOf checks one record, and those of the elements of its lists.
func (p *prover) limitsOf(rec *Record, name string, blocks int) {
	l := &limiter{p: p, rec: rec, kept: map[*Field]bool{}}
	if rec.Arm != nil {
		l.arm(rec.Arm)
	}
	if rec.Tuple != nil {
		l.tuple(rec.Tuple, rec.Tuple.Rows[0].Pos)
	}
	if rec.Based() {
		l.code += 2
		blocks++
	}
	if rec.Total != nil {
		l.code += 2
		l.numbers++
	}
	l.body(rec.Body, blocks, 0)
	l.redundant(blocks)
	numbers := len(rec.Params) + l.numbers
	switch {
	case len(rec.Stored) > builtin.MaxFields:
		p.r.errorf(rec.Pos, 1, dsl.CodeRange, "%s has %d fields, and at most %d are allowed", name, len(rec.Stored), builtin.MaxFields).WithHint("put some of them into a separate type")
	case numbers > builtin.MaxNumbers:
		p.r.errorf(rec.Pos, 1, dsl.CodeRange, "%s has %d numbers to keep while it is read, and at most %d are allowed", name, numbers, builtin.MaxNumbers).WithHint("put some of them into a separate type")
	case l.blocks > builtin.MaxBlocks:
		p.tooMuch(rec.Pos, 1, "%s has %d nested blocks; at most %d are allowed", name, l.blocks, builtin.MaxBlocks)
	}
	l.code += 2 + len(rec.Stored) // that substitute one
	if rec.stop() != nil {
		l.code++
	}
	rec.needs = l.needs
}

// needs is what a program needs for one record.
type needs struct {
	numbers int // that are kept while the record is read
	code    int // instructions, at most
	blocks  int // inside of each other
}

// limiter counts what a program needs for one record.
type limiter struct {
	p     *prover
	rec   *Record
	outer *limiter // of the record that rec is in the place of a row of
	kept  map[*Field]bool
	needs
}

// within reports whether a record is one of those around. Only a mistake causes that: a computed row of the type of its record.
func (l *limiter) within(rec *Record) bool {
	return l != nil && (l.rec == rec || l.outer.within(rec))
}

// Kept reports whether a reader keeps the number of a row, to use it in expressions or
// to store it. Other rows are stored at once.
func (r *Row) Kept() bool {
	f := r.Field
	switch {
	case len(r.Bits) > 0 || r.Type.Form == ArmID:
		return true
	case r.Type.Form == Truth:
		return f.Index < 0
	case r.Type.Form == Number:
		return f.Index < 0 || !r.Type.Scalar.IsFloat() && f.Used
	}
	return false
}

// Kept reports whether a reader keeps the number in the bits.
func (b *Bit) Kept() bool {
	return b.Field.Index >= 0 || b.Field.Used || b.Field.kept || b.Field.Selects || len(b.Checks) > 0
}

func (l *limiter) keep(f *Field) {
	if !l.kept[f] {
		l.kept[f] = true
		l.numbers++
	}
}

// arm counts the word of a union with the bits of an arm.
func (l *limiter) arm(a *Arm) {
	word := a.Union.Word
	if word == nil {
		return
	}
	l.numbers++
	l.code += 3 + len(word.Checks)
	l.bits(a.Bits, word.Field.Name, a.Pos)
}

// body counts the nodes of a body that is inside some blocks and regions.
func (l *limiter) body(body []Node, blocks, regions int) {
	l.blocks = max(l.blocks, blocks)
	for _, n := range body {
		switch n := n.(type) {
		case *Row:
			l.row(n, blocks, regions)
		case *Forms:
			l.blocks = max(l.blocks, blocks+len(n.Rows))
			for i, row := range n.Rows {
				l.row(row, blocks+i+1, regions)
				l.code += 3
			}
			l.code += 1 + len(n.Absent())
		case *List:
			l.list(n, blocks, regions)
		case *If:
			l.code += 3 + len(n.Absent[0]) + len(n.Absent[1])
			if n.More != nil {
				l.numbers++
				l.code++
			}
			l.body(n.Then, blocks+1, regions)
			l.body(n.Else, blocks+1, regions)
		case *Refuse, *Require, *Order:
			l.code++
		case *SumStep:
			l.code += 3
		}
	}
}

// row counts one row that is inside some blocks and regions.
func (l *limiter) row(row *Row, blocks, regions int) {
	f, t := row.Field, row.Type
	if row.At != nil {
		l.code += 3 + 3*len(row.At.Sums)
		blocks++
		l.blocks = max(l.blocks, blocks)
	}
	if row.Bound != nil {
		if !l.region(row, blocks, regions) {
			return
		}
		blocks++
		regions++
	}
	l.code += 9 + len(row.Checks) // mark, size, patch; a block with two forms; padding
	l.places(f)
	l.bytes(f)
	l.measured(f, blocks)
	l.pad(row.Pad)
	if t.Big != nil { // the number and the patch have two forms each, or four
		l.code += 12
		l.blocks = max(l.blocks, blocks+2)
	}
	l.numbers += len(row.Words)
	l.code += 2 * len(row.Words)
	if row.Kept() && l.rec.Tuple == nil {
		l.keep(f)
		if f.Measures != nil {
			l.numbers += 2
			l.code += len(row.Bits)
		}
		if f.PlaceOf != nil {
			l.numbers += 2
			l.code++
		}
		if f.Sum != nil && (f.Sum.Base != nil || f.Sum.Hole != nil) {
			l.code++
		}
		if f.Sum != nil && f.Sum.Base == nil {
			l.numbers += 3 + 2*len(f.Sum.Parts()) // at most
		}
	}
	if t.Narrow != builtin.NoScalar {
		l.blocks = max(l.blocks, blocks+1)
	}
	switch {
	case len(row.Bits) > 0:
		l.bits(row.Bits, f.Name, row.Pos)
	case t.InPlace && !l.within(t.Record):
		l.code += len(t.Args)
		l.numbers += len(t.Args)
		inner := &limiter{p: l.p, rec: t.Record, outer: l, kept: map[*Field]bool{}}
		inner.body(t.Record.Body, blocks, regions)
		inner.redundant(blocks)
		l.numbers += inner.numbers
		l.code += inner.code
		l.blocks = max(l.blocks, inner.blocks)
	}
}

// region counts the region of a row, unless too many are open.
func (l *limiter) region(row *Row, blocks, regions int) bool {
	if regions == builtin.MaxRegions {
		l.p.tooMuch(row.Pos, 0, "more than %d regions are open", builtin.MaxRegions)
		return false
	}
	l.code += 2
	l.blocks = max(l.blocks, blocks+1)
	if row.Stated {
		l.code++
	}
	if row.Tail != nil {
		l.numbers++
		l.code++
	}
	return true
}

// bytes counts what measures a row or a list that an expression needs the size of.
func (l *limiter) bytes(f *Field) {
	if f.Bytes != nil {
		l.code += 2
		l.keep(f.Bytes)
	}
}

// measured counts the steps by which a size is put into one of several forms.
func (l *limiter) measured(f *Field, blocks int) {
	if f.Measured == nil || f.Measured.Forms == nil {
		return
	}
	for i, word := range f.Measured.Forms.Rows {
		l.code += 3
		l.blocks = max(l.blocks, blocks+i+1)
		if word.Type.Big != nil {
			l.code += 6
			l.blocks = max(l.blocks, blocks+i+3)
		}
	}
}

// places counts the marks of a row or a list that checksums need.
func (l *limiter) places(f *Field) {
	for _, place := range f.Places {
		if place {
			l.code++
		}
	}
}

// redundant counts what compares numbers that a reader does not need.
func (l *limiter) redundant(blocks int) {
	for _, f := range l.rec.Fields {
		if f.Redundant != nil {
			l.numbers++
			l.code += 5
			l.blocks = max(l.blocks, blocks+1)
		}
	}
}

// pad counts what measures the bytes before padding.
func (l *limiter) pad(p *Pad) {
	if p != nil {
		l.code += 2
		l.numbers++
	}
}

// list counts a list, and checks the record of its elements.
func (l *limiter) list(n *List, blocks, regions int) {
	l.code += 9 + len(n.Checks)
	if n.Spare != nil {
		l.code += 5
		l.numbers += 3
	}
	l.places(n.Field)
	l.bytes(n.Field)
	l.measured(n.Field, blocks+1) // in a region
	if n.Row != nil && n.Row.At != nil {
		l.code += 3 + 3*len(n.Row.At.Sums)
		blocks++
		l.blocks = max(l.blocks, blocks)
	}
	if n.Row != nil && n.Row.Bound != nil {
		l.pad(n.Pad)
		if !l.region(n.Row, blocks, regions) {
			return // unreachable: a record with a list is not in place of a row
		}
	}
	if n.Elem == nil {
		return // unreachable: a map with a mistake has been reported
	}
	if n.Elem.Narrow != builtin.NoScalar || n.Elem.Big != nil {
		l.code += 8
		l.blocks = max(l.blocks, blocks+2)
	}
	if n.Elem.Form == Array {
		l.tuple(n.Element.Tuple, n.Pos)
		return
	}
	for _, t := range []*Type{n.Key, n.Elem} {
		if t == nil {
			continue
		}
		l.numbers += len(t.Args)
		l.code += len(t.Args)
		if t.Form == OfRecord && t.Record.Name == "" {
			l.p.limitsOf(t.Record, t.Record.Path, 1)
		}
	}
	l.code++ // before a list with arguments
}

func (l *limiter) tuple(t *Tuple, pos dsl.Pos) {
	if len(t.Names) > builtin.MaxWidth {
		l.p.tooMuch(pos, 0, "%d numbers in a tuple; at least 1 and at most %d are allowed", len(t.Names), builtin.MaxWidth)
	}
}

// bits counts the bits of a word.
func (l *limiter) bits(bits []*Bit, word string, pos dsl.Pos) {
	l.code += 2
	for _, b := range bits {
		l.code += 2 + len(b.Checks)
		if b.Kept() {
			l.keep(b.Field)
		}
	}
	if len(l.p.r.diags) == 0 { // no definition leads back to itself
		l.computed(bits, word, pos)
	}
}

// computed checks the expression of a word: the sum of its bits.
func (l *limiter) computed(bits []*Bit, word string, pos dsl.Pos) {
	steps, depth := 0, 0
	for i, b := range bits {
		size := extent{1, 1}
		if b.Field.Derive != nil {
			size = b.Field.Derive.written()
		}
		if b.Signed {
			size = extent{size.steps + 4, size.depth + 2} // add a number, exclusive or with it
		}
		steps += size.steps + 4 // fit, shift by a number, add
		depth = max(depth, size.depth+3+len(bits)-i)
	}
	if steps+4 > builtin.MaxSteps || depth+2 > builtin.MaxNesting {
		l.p.tooMuch(pos, 1, "the bits of %s are computed in %d operations, nested %d deep; at most %d and %d are allowed", word, steps+4, depth+2, builtin.MaxSteps, builtin.MaxNesting)
	}
}

// extent is the size of an expression with all definitions in it.
type extent struct{ steps, depth int }

// written returns the extent of what a writer computes.
func (e *Expr) written() extent {
	if f := e.Field; e.Op == builtin.Ref && f.Derive != nil {
		return f.Derive.written()
	}
	size := extent{1, 0}
	if e.Op == builtin.Keep {
		size.steps = 2 // the question whether widths are kept, and the choice
	}
	for _, a := range e.Args {
		inner := a.written()
		size.steps += inner.steps
		size.depth = max(size.depth, inner.depth)
	}
	size.depth++
	return size
}
