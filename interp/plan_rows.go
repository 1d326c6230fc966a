// Rows of plans that are executed record by record: regions, marks, checksums, lists without a count.

package interp

import (
	"bytes"
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// region is a region that a plan has begun.
type region struct{ begin, end int }

// moreRows executes a row that is not common.
func (g *reading) moreRows(row *readRow, cells []Value, regs0 int) (ok bool) {
	in := row.in
	switch row.op {
	case rowUntil:
		return g.untilRow(in, &cells[row.cell])
	case rowFilled:
		cells[row.cell], ok = g.filled(in, g.evaluate(in.B, regs0, cells))
		return ok
	case rowArmRef:
		t := g.m.tables[in.C]
		arm, ok := t.ByID(g.regs[regs0+int(in.B)])
		if !ok || t.Arms[arm].Else {
			return false
		}
		cells[row.cell] = MakeUnit(g.m.tags[t.Arms[arm].Type])
	case rowNumber:
		x, ok := g.scalarOf(in)
		if !ok {
			return false
		}
		if row.cell < 0 {
			g.regs[regs0+int(in.B)] = x
			break
		}
		v := scalarValue(in.Scalar(), x)
		cells[row.cell] = v.WithWide(in.A&bytecode.FlagWide != 0)
	}
	return true
}

// untilRow reads content up to its terminator. Plain text means itself, also in an encoding that makes other text
// shorter.
func (g *reading) untilRow(in *bytecode.Instr, v *Value) (ok bool) {
	if end := g.p.Strings[in.B]; len(end) <= 1 && bytewise(g.p, in.A) {
		n := g.end - g.pos
		if end != "" {
			n = bytes.IndexByte(g.in[g.pos:g.end], end[0])
		}
		if n > 0 && n <= math.MaxInt32 && plainText(memory.Of(g.in), g.pos, n) {
			v.set(memory.Of(g.in).Addr(g.pos), 0, uint32(n), metaOf(0, Text, 0))
			g.last = n + len(end)
			g.pos += g.last
			return true
		}
	}
	*v, ok = g.until(in)
	return ok
}

// bytewise reports whether ASCII without NUL means itself in an encoding, and is written as itself.
func bytewise(p *bytecode.Program, enc uint32) bool {
	return enc != bytecode.None && !p.Encodings[enc].Charset.IsUTF16() && p.Encodings[enc].NUL != bytecode.NULCounted
}

// restRow reads elements up to the end of the region, or up to one that ends the list.
func (g *reading) restRow(row *readRow, cells []Value, regs0 int) bool {
	if row.op == rowRest && g.pos >= g.end && !row.inner {
		cells[row.cell].setNumber(0, metaOf(row.tag, List, 0))
		g.last = 0
		return true
	}
	elem, args := row.in.A, g.passedBy(row, regs0)
	p := row.elements(g, elem, args)
	blocks := row.op == rowRest && p.inBlocks() && g.p.Bounds(elem).Min == g.p.Bounds(elem).Max
	if p.byLeaves() || p != nil && p.union == nil && !blocks {
		return g.sequenceRow(row, p, args, &cells[row.cell])
	}
	if row.inner && g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest += int(truth(row.inner))
	ok := g.restList(row, p, cells, args, blocks)
	g.nest -= int(truth(row.inner))
	return ok
}

// sequenceRow reads a list up to the end of the region or up to an element that ends it. The elements are records, or
// values of a union of one byte.
func (g *reading) sequenceRow(row *readRow, p *plan, args []uint64, v *Value) bool {
	begin, until := g.pos, modeRest
	if row.op == rowThrough {
		until = modeThrough
	}
	if row.inner {
		if g.nest >= maxNest(g.limit) {
			return false
		}
		g.nest++
	}
	var list []Value
	n := 0
	if until == modeThrough || g.pos < g.end {
		var ok bool
		if list = g.r.slab.alloc(4); p.union != nil {
			n, ok = g.leaves(p, list, until)
		} else {
			n, ok = g.records(p, list, args, until)
		}
		if ok && n == len(list) && (until == modeRest && g.pos < g.end || until == modeThrough && !g.stop) {
			list, n, ok = g.sequence(p, list, args, until)
		}
		if !ok {
			return false
		}
	}
	g.nest -= int(truth(row.inner))
	g.last = g.pos - begin
	v.set(unsafe.Pointer(unsafe.SliceData(list)), 0, uint32(n), metaOf(row.tag, List, 0))
	return true
}

// restList reads other elements.
func (g *reading) restList(row *readRow, p *plan, cells []Value, args []uint64, blocks bool) bool {
	begin, elem := g.pos, row.in.A
	if row.op == rowRest && g.pos >= g.end {
		cells[row.cell].setNumber(0, metaOf(row.tag, List, 0))
		g.last = 0
		return true
	}
	if blocks {
		n := (g.end - g.pos) / int(g.p.Bounds(elem).Min)
		if !g.afford(n) {
			return false
		}
		list := g.r.slab.alloc(n)
		if !g.elementsOf(elem, list, nil) || g.pos < g.end {
			return false
		}
		g.last = g.pos - begin
		cells[row.cell] = MakeList(row.tag, list)
		return true
	}
	list, n := g.r.slab.alloc(4), 0
	for row.op == rowThrough || g.pos < g.end {
		if !g.afford(1) {
			return false
		}
		if n == len(list) {
			more := g.r.slab.alloc(2 * n)
			copy(more, list)
			list = more
		}
		g.stop = false
		ok := false
		if p != nil && len(args) == 0 {
			ok = g.planned(p, list[n:n+1])
		} else {
			ok = g.into1(elem, list[n:n+1], args)
		}
		if !ok {
			return false
		}
		if n++; row.op == rowThrough && g.stop {
			break
		}
	}
	g.last = g.pos - begin
	cells[row.cell] = MakeList(row.tag, list[:n:n])
	return true
}

// elements returns the plan of the elements of a row. If they have no arguments, the row knows it.
func (row *readRow) elements(g *reading, routine uint32, args []uint64) *plan {
	if row.link != nil {
		return row.link.plan(g.m)
	}
	return g.m.plans[routine].given(g.m, args)
}

// records reads records of a plan, in which what arguments decide is decided, into the cells of a list. It returns how many
// there are: the list may be full before the sequence ends.
func (g *reading) records(p *plan, list []Value, args []uint64, until mode) (n int, ok bool) {
	if p.tooDeep(g.depth, g.nest, g.limit) {
		return 0, len(list) == 0
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	base := len(g.regs)
	g.regs = lengthen(g.regs, base+max(p.regs, p.args), false)
	ok = true
	plain := p.plain && g.memory < 0
	for n < len(list) && (until != modeRest || g.pos < g.end) {
		if until != modeAll {
			if g.stop = false; !g.afford(1) {
				return n, false
			}
		}
		if p.zeros {
			clear(g.regs[base:])
		}
		if n == 0 || p.zeros || !p.steady {
			for i, x := range args {
				g.regs[base+i] = x
			}
		}
		if plain {
			cells := g.r.slab.alloc(p.cells)
			if !g.line(&p.read, cells, base) {
				return n, false
			}
			list[n].set(unsafe.Pointer(unsafe.SliceData(cells)), 0, uint32(len(cells)), metaOf(p.tag, Record, 0))
		} else if !g.record(p, &list[n], base) {
			return n, false
		}
		if n++; until == modeThrough && g.stop {
			break
		}
	}
	g.regs = g.regs[:base]
	g.nest--
	if p.nests {
		g.depth--
	}
	return n, ok
}

// sequence reads more values than a list has room for, which is full. It returns a list with all of them, and their
// number.
func (g *reading) sequence(p *plan, list []Value, args []uint64, until mode) (all []Value, n int, ok bool) {
	for n = len(list); ; {
		more := g.r.slab.alloc(2 * n)
		copy(more, list)
		list = more
		k, ok := 0, false
		if p.union != nil {
			k, ok = g.leaves(p, list[n:], until)
		} else {
			k, ok = g.records(p, list[n:], args, until)
		}
		if n += k; !ok || n < len(list) || until == modeThrough && g.stop || until == modeRest && g.pos >= g.end {
			return list, n, ok
		}
	}
}

// given returns the plan for arguments, if they decide all conditions, or p.
func (p *plan) given(m *Machine, args []uint64) *plan {
	if p == nil || len(args) == 0 || p.decides == nil {
		return p
	}
	return p.variant(m, args)
}

// byLeaves reports whether values are read by a loop over the bytes of a union.
func (p *plan) byLeaves() bool { return p != nil && p.union != nil && p.union.leaves != nil }

// moreRows executes a row that is not common.
func (g *writing) moreRows(row *writeRow, regs0 int, cells []Value) bool {
	in := row.in
	switch row.op {
	case rowUntil:
		return g.untilRow(in, &cells[row.cell])
	case rowFilled:
		return g.filled(in, &cells[row.cell], func() (int64, bool) { return g.evaluate(in.B, regs0, cells) })
	case rowArmRef:
		c := &cells[row.cell]
		arm, ok := g.m.arm(in.C, c.tag)
		return ok && c.kind == Unit && !g.m.tables[in.C].Arms[arm].Else
	}
	return g.numberRow(in, regs0, cells)
}

// untilRow writes content and its terminator. Plain text that does not hold the terminator is copied.
func (g *writing) untilRow(in *bytecode.Instr, v *Value) bool {
	end := g.p.Strings[in.B]
	if n := int(v.n); len(end) <= 1 && v.kind == Text && n > 0 && bytewise(g.p, in.A) {
		text := unsafe.Slice((*byte)(v.p), n)
		if (end == "" || bytes.IndexByte(text, end[0]) < 0) && plainBytes(text) {
			at := g.reserve(n + len(end))
			copy(g.out[at:], text)
			copy(g.out[at+n:], end)
			g.last = n + len(end)
			return true
		}
	}
	return g.until(in, v)
}

// plainBytes reports whether text is ASCII without NUL.
func plainBytes(b []byte) bool {
	dirty := uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		dirty |= odd(memory.Of(b).Load64(0))
	}
	for _, c := range b {
		if c-1 >= 0x7f {
			return false
		}
	}
	return dirty == 0
}

// numberRow writes an unusual number.
func (g *writing) numberRow(in *bytecode.Instr, regs0 int, cells []Value) bool {
	if in.Op == bytecode.Word {
		x, ok := g.evaluate(in.C, regs0, cells)
		if !ok || !g.fitting(in, x) {
			return false
		}
		g.regs[regs0+int(in.B)] = uint64(x)
		g.putNumber(in, uint64(x))
		return true
	}
	c := &cells[in.B]
	if !in.Coded() {
		return g.scalar(in.Scalar(), *c, g.big(in), in.Rule)
	}
	if !g.integer(in.Scalar(), *c, in.Rule) || !g.fitting(in, int64(c.u)) {
		return false
	}
	g.putNumber(in, c.u)
	return true
}

// restList writes a list without a count.
func (g *writing) restList(row *writeRow, c *Value, regs0 int) bool {
	begin, elem, args := len(g.out), row.in.A, g.passedBy(row, regs0)
	if c.kind != List || row.op == rowThrough && c.n == 0 {
		return false
	}
	if g.last = 0; c.n == 0 {
		return true
	}
	list := c.parts()
	if p := g.m.plans[elem].given(g.m, args); row.op == rowThrough && p.byLeaves() {
		if !g.putLeaves(p, list, true) {
			return false
		}
	} else if row.op == rowRest {
		if !g.elementsOf(elem, list, args) {
			return false
		}
	} else {
		for i := range list {
			g.stop = false
			if !g.element(elem, &list[i], args) || g.stop != (i == len(list)-1) {
				return false
			}
		}
	}
	g.last = len(g.out) - begin
	return true
}
