// Rows of plans that are executed record by record: regions, marks, checksums, lists without a count.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// region is a region that a plan has begun.
type region struct{ begin, end int }

// moreRows executes a row that is not common.
func (g *reading) moreRows(row *readRow, cells []Value, regs0 int) (ok bool) {
	in := row.in
	switch row.op {
	case rowSum:
		g.regs[regs0+int(in.A)] = g.m.sum(row.run, g.in, g.regs[regs0:], nil)
	case rowRest, rowThrough:
		return g.restRow(row, cells, regs0)
	case rowUntil:
		cells[row.cell], ok = g.until(in)
		return ok
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

// restRow reads elements up to the end of the region, or up to one that ends the list.
func (g *reading) restRow(row *readRow, cells []Value, regs0 int) bool {
	begin, elem, args := g.pos, row.in.A, g.passedBy(row, regs0)
	size := g.p.Bounds(elem)
	if row.op == rowRest && len(args) == 0 && size.Min == size.Max && g.m.plans[elem].inBlocks() {
		n := (g.end - g.pos) / int(size.Min)
		if !g.afford(n) {
			return false
		}
		list := g.r.slab.alloc(n)
		if !g.elementsOf(elem, list, nil) || g.pos < g.end {
			return false
		}
		g.last = g.pos - begin
		cells[row.cell] = MakeList(0, list)
		return true
	}
	list, n := g.r.slab.alloc(4), 0
	p := g.m.plans[elem].given(g.m, args)
	if p.byLeaves() {
		if list, n = g.sequence(row, p, list); n < 0 {
			return false
		}
		g.last = g.pos - begin
		cells[row.cell] = MakeList(0, list[:n:n])
		return true
	}
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
	cells[row.cell] = MakeList(0, list[:n:n])
	return true
}

// sequence reads values of a union of one byte up to the end of the region, or up to one that ends the list. It
// returns a list that is large enough, and the number of values in it, which is negative if they are not read.
func (g *reading) sequence(row *readRow, p *plan, list []Value) ([]Value, int) {
	until := modeRest
	if row.op == rowThrough {
		until = modeThrough
	}
	for n := 0; ; {
		if until == modeRest && g.pos >= g.end {
			return list, n
		}
		if n == len(list) {
			more := g.r.slab.alloc(2 * n)
			copy(more, list)
			list = more
		}
		k, ok := g.leaves(p, list[n:], until)
		if n += k; !ok {
			return list, -1
		}
		if n < len(list) || until == modeThrough && g.stop {
			return list, n
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
	case rowPatch:
		x, ok := g.evaluate(in.C, regs0, cells)
		if !ok || !fits(row.word.scalar, x) {
			return false
		}
		at := int(g.regs[regs0+int(in.B)])
		if at < g.base || at+row.size > len(g.out) {
			return false
		}
		storeWord(memory.Of(g.out), at, row.word, uint64(x))
		g.regs[regs0+int(in.D)] = uint64(x)
	case rowSum:
		g.regs[regs0+int(in.A)] = g.m.sum(row.pc, g.out, g.regs[regs0:], nil)
	case rowRest, rowThrough:
		return g.restRow(row, &cells[row.cell], regs0)
	case rowUntil:
		return g.until(in, &cells[row.cell])
	case rowFilled:
		return g.filled(in, &cells[row.cell], func() (int64, bool) { return g.evaluate(in.B, regs0, cells) })
	case rowArmRef:
		c := &cells[row.cell]
		arm, ok := g.m.arm(in.C, c.tag)
		return ok && c.kind == Unit && !g.m.tables[in.C].Arms[arm].Else
	case rowNumber:
		return g.numberRow(in, regs0, cells)
	}
	return true
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

// restRow writes a list without a count.
func (g *writing) restRow(row *writeRow, c *Value, regs0 int) bool {
	begin, elem, args := len(g.out), row.in.A, g.passedBy(row, regs0)
	if c.kind != List || row.op == rowThrough && c.n == 0 {
		return false
	}
	list := c.Cells()
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
