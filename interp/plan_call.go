// Calls between plans.

package interp

import (
	"sync/atomic"

	"github.com/octable/octable/compile/bytecode"
)

// link is a call of a routine by a row. It has the plan of the routine and its arguments, as far as they are known
// when the plan is made.
type link struct {
	routine uint32
	args    []argument
	regs    []int32              // of each argument: the register whose number it is, or none
	to      atomic.Pointer[plan] // found when it is first needed, since plans may call each other
}

// argument is a number that a call passes. It follows from registers alone.
type argument struct {
	number regNumber
	known  bool   // it is n
	n      uint64 // if it is known
}

// linkOf returns the link of a call, or nil if an argument looks at more than registers. Some registers may be known.
func (m *Machine) linkOf(in *bytecode.Instr, known []bytecode.Known) *link {
	l := &link{routine: in.A}
	for _, expr := range m.p.Args[in.C] {
		e := m.p.Exprs[expr]
		a := argument{number: m.computed[expr].regs}
		if a.number.op == numNone {
			return nil
		}
		n, ok := e.Fold(func(leaf *bytecode.Expr) (int64, bool) {
			for _, k := range known {
				if leaf.Op == bytecode.ExprReg && uint32(leaf.Arg) == k.Reg {
					return int64(k.Word), true
				}
			}
			return 0, false
		})
		a.known, a.n = ok, uint64(n)
		reg := int32(none)
		if a.number.op == numReg && !a.known {
			reg = int32(a.number.a)
		}
		l.args, l.regs = append(l.args, a), append(l.regs, reg)
	}
	return l
}

// linked returns the plan that a row leads to, if it has led there before, or nil.
func (row *readRow) linked() *plan {
	if row.link == nil {
		return nil
	}
	return row.link.to.Load()
}

// plan returns the plan of the routine. If the arguments that decide conditions are known, it is the plan in which
// these are decided. It is nil if the routine has no plan.
func (l *link) plan(m *Machine) *plan {
	if p := l.to.Load(); p != nil {
		return p
	}
	p := m.plans[l.routine]
	if p == nil {
		return nil
	}
	args := make([]uint64, len(l.args))
	known := p.decides != nil
	for i := range l.args {
		args[i] = l.args[i].n
	}
	for _, reg := range p.decides {
		known = known && l.args[reg].known
	}
	if known {
		p = p.variant(m, args)
	}
	l.to.Store(p) // another goroutine may have found the same
	return p
}

// pass puts the arguments of a call onto the stack of registers. They are above the registers of the caller, which
// begin at regs0. ok is false if a number does not fit its bits.
func (l *link) pass(regs []uint64, regs0 int) (stack []uint64, ok bool) {
	ok = true
	for i, reg := range l.regs {
		if reg != none {
			regs = append(regs, regs[regs0+int(reg)])
			continue
		}
		x, fine := l.args[i].of(regs[regs0:])
		regs, ok = append(regs, x), ok && fine
	}
	return regs, ok
}

// of returns the argument for the registers of the caller. It is not ok if a number does not fit its bits.
func (a *argument) of(regs []uint64) (x uint64, ok bool) {
	if a.known {
		return a.n, true
	}
	n, ok := a.number.of(regs)
	return uint64(n), ok
}
