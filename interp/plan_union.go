// Arms of unions that a plan reads, if the arm follows from an argument.

package interp

import (
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// armForms returns the forms of the arms. Those of a simple form are read without a list of rows.
func (u *unionPlan) armForms(routine uint32) {
	for _, arm := range u.arms {
		e := arm.leafOf(routine)
		rows := arm.read.rows
		if arm.single && arm.leave == none && len(rows) == 1 && rows[0].op == rowPacked && rows[0].in.C == bytecode.None {
			if in := rows[0].in; in.Scalar() == bytecode.U8 && in.B <= math.MaxUint8 {
				*e = leaf{op: leafRest, size: int(in.B), plan: arm, meta: metaOf(arm.tag, Packed, formOf(in.A))}
			}
		}
		if e.stops { // unreachable: the resolver refuses a condition on elements whose arm an argument selects
			*e = leaf{} // rows say whether a list ends
		}
		u.simple = append(u.simple, e)
	}
}

// armRow reads the value of a row that calls a union whose arm follows from an argument. The row is a call, or a region with
// nothing else in it. The registers of the caller begin at regs0.
func (g *reading) armRow(row *readRow, p *plan, cells []Value, regs0 int) bool {
	call, begin, outer := row, g.pos, g.end
	if row.op == rowRegion {
		if !g.beginRegion(row, cells, regs0) {
			return false
		}
		call = row.region
	}
	u, l, v := p.union, call.link, &cells[call.cell]
	var id uint64
	if reg := l.regs[u.id]; reg != none {
		id = g.regs[regs0+int(reg)]
	} else {
		id, _ = l.args[u.id].of(g.regs[regs0:])
	}
	var i int
	if u.slots != nil {
		i = u.slotted(id)
	} else {
		i = u.arm(id)
	}
	if i < 0 || p.tooDeep(g.depth, g.nest, g.limit) {
		return false
	}
	switch e := u.simple[i]; {
	case e.op == leafValue:
		v.setNumber(e.value.u, e.meta)
	case e.op == leafRest:
		n := g.end - begin
		if e.size > 1 {
			n /= e.size
		}
		if n > math.MaxInt32 {
			return false
		}
		var first unsafe.Pointer // never past the end
		if n > 0 {
			first = memory.Of(g.in).Addr(begin)
		}
		v.set(first, uint64(e.size)<<widthShift, uint32(n), e.meta)
		g.pos += n * e.size
	case e.op == leafRun && len(e.takes) == 0 && g.memory < 0:
		if !g.armRun(e, v) {
			return false
		}
	default:
		if !g.armRecord(l, p, u.arms[i], v, regs0) {
			return false
		}
	}
	g.last = g.pos - begin
	if row.op != rowRegion {
		return true
	}
	ok := g.pos >= g.end
	g.end = outer
	return ok
}

// armRun reads the record of an arm that is a run of numbers.
func (g *reading) armRun(e *leaf, v *Value) bool {
	at := g.pos
	if g.end-at < e.size {
		return false
	}
	g.pos = at + e.size
	if e.single {
		ok := g.fill(&e.row.fills, at, e.size, v, 0)
		v.tag = e.plan.tag
		return ok
	}
	cells := g.r.slab.alloc(e.plan.cells)
	v.set(unsafe.Pointer(unsafe.SliceData(cells)), 0, uint32(len(cells)), metaOf(e.plan.tag, Record, 0))
	return g.fill(&e.row.fills, at, e.size, unsafe.SliceData(cells), 0)
}

// armRecord reads the record of an arm.
func (g *reading) armRecord(l *link, p, arm *plan, v *Value, regs0 int) bool {
	base := len(g.regs)
	if arm.regs > 0 || arm.leave != none { // else nothing looks at the arguments
		if g.regs, _ = l.pass(g.regs, regs0); arm.regs > p.args {
			g.regs = lengthen(g.regs, base+arm.regs, arm.zeros)
		}
	}
	g.nest++ // if anything fails, all is read again
	if p.nests {
		g.depth++
	}
	ok := g.record(arm, v, base)
	g.regs = g.regs[:base]
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}
