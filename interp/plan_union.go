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
		if arm.single && arm.leave < 0 && len(rows) == 1 && rows[0].op == rowPacked && rows[0].in.C == bytecode.None {
			if in := rows[0].in; in.Scalar() == bytecode.U8 && in.B <= math.MaxUint8 {
				*e = leaf{op: leafRest, size: int(in.B), plan: arm, meta: metaOf(arm.tag, Packed, formOf(in.A))}
			}
		}
		u.simple = append(u.simple, e)
	}
}

// arm reads a value of a union whose arm follows from an argument. The registers of the caller begin at regs0.
func (g *reading) arm(l *link, p *plan, v *Value, regs0 int) bool {
	u := p.union
	var id uint64
	if a := &l.args[u.id]; a.number.op == numReg && !a.known {
		id = g.regs[regs0+int(a.number.a)]
	} else {
		id, _ = a.of(g.regs[regs0:])
	}
	i := u.arm(id)
	if i < 0 || p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	e := u.simple[i]
	switch e.op {
	case leafValue:
		v.set(nil, e.value.u, 0, e.meta)
		return true
	case leafRest:
		n := g.end - g.pos
		if e.size > 1 {
			n /= e.size
		}
		if n > math.MaxInt32 {
			return false
		}
		var first unsafe.Pointer // never past the end
		if n > 0 {
			first = memory.Of(g.in).Addr(g.pos)
		}
		v.set(first, uint64(e.size)<<widthShift, uint32(n), e.meta)
		g.pos += n * e.size
		return true
	}
	arm, base := u.arms[i], len(g.regs)
	if arm.regs > 0 || arm.leave >= 0 { // else nothing looks at the arguments
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
