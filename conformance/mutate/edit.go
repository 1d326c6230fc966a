// Changing a copy of a program: instructions are exchanged, inserted and moved, and
// everything that points at them follows.

package mutate

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// edit is a copy of a program that is being changed.
type edit struct {
	p  *bytecode.Program
	at []int // where each instruction of the original is now
	// fresh is set once tables are copies, too.
	fresh bool
}

func editOf(p *bytecode.Program) *edit {
	q := *p
	q.Code = slices.Clone(p.Code)
	q.Routines = slices.Clone(p.Routines)
	q.Types = slices.Clone(p.Types)
	q.Exprs = slices.Clip(p.Exprs)
	q.Args = slices.Clip(p.Args)
	q.Encodings = slices.Clip(p.Encodings)
	e := &edit{p: &q, at: make([]int, len(p.Code))}
	for i := range e.at {
		e.at[i] = i
	}
	return e
}

// in returns instruction pc of the original.
func (e *edit) in(pc int) *bytecode.Instr { return &e.p.Code[e.at[pc]] }

// expr adds an expression.
func (e *edit) expr(x ...bytecode.ExprInstr) uint32 {
	e.p.Exprs = append(e.p.Exprs, x)
	return uint32(len(e.p.Exprs) - 1)
}

// encoding adds an encoding.
func (e *edit) encoding(x bytecode.Encoding) uint32 {
	e.p.Encodings = append(e.p.Encodings, x)
	return uint32(len(e.p.Encodings) - 1)
}

// reg adds a register to the routine of instruction pc of the original.
func (e *edit) reg(pc int) uint32 {
	for i := range e.p.Routines {
		if r := &e.p.Routines[i]; uint32(e.at[pc]) < r.End {
			r.Regs++
			return r.Regs - 1
		}
	}
	return bytecode.MaxRegs // which the verifier refuses
}

// tables makes copies of the tables, to be changed.
func (e *edit) tables() []bytecode.Table {
	if !e.fresh {
		e.fresh = true
		e.p.Tables = slices.Clone(e.p.Tables)
		for i := range e.p.Tables {
			e.p.Tables[i].Arms = slices.Clone(e.p.Tables[i].Arms)
		}
	}
	return e.p.Tables
}

// before inserts instructions before pc of the original, so that every way to pc
// leads through them.
func (e *edit) before(pc int, ins ...bytecode.Instr) { e.insert(e.at[pc], 1, ins) }

// after inserts instructions behind pc of the original, so that only those who
// come from pc run them.
func (e *edit) after(pc int, ins ...bytecode.Instr) { e.insert(e.at[pc]+1, 0, ins) }

// insert puts instructions at a place. Who jumps there still does where keep is 1,
// and steps over them where it is 0. Targets in the new instructions are places in
// the code with them.
func (e *edit) insert(place int, keep uint32, ins []bytecode.Instr) {
	n := uint32(len(ins))
	move := func(target *uint32) {
		if *target >= uint32(place)+keep {
			*target += n
		}
	}
	e.targets(move)
	for i := range e.p.Routines {
		r := &e.p.Routines[i]
		if r.Start > uint32(place) {
			r.Start += n
		}
		if r.End > uint32(place) {
			r.End += n
		}
	}
	for i := range e.at {
		if e.at[i] >= place {
			e.at[i] += int(n)
		}
	}
	e.p.Code = slices.Insert(e.p.Code, place, ins...)
}

// targets calls move for every place that instructions lead to.
func (e *edit) targets(move func(target *uint32)) {
	for i := range e.p.Code {
		switch in := &e.p.Code[i]; in.Op {
		case bytecode.Jump:
			move(&in.A)
		case bytecode.If:
			move(&in.B)
		}
	}
	for _, t := range e.tables() {
		for i := range t.Arms {
			move(&t.Arms[i].Target)
		}
	}
}

// reorder puts instructions first to last of the original, to which nobody jumps
// from outside but to the first, in another order.
func (e *edit) reorder(first int, order []int) {
	old := slices.Clone(e.p.Code)
	base := e.at[first]
	places := make([]int, len(order))
	for i, pc := range order {
		e.p.Code[base+i] = old[e.at[pc]]
		places[i] = base + i
	}
	for i, pc := range order {
		e.at[pc] = places[i]
	}
}

// nop makes nothing of an instruction.
func (e *edit) nop(pc int) {
	in := e.in(pc)
	*in = bytecode.Instr{Op: bytecode.Nop, Rule: in.Rule}
}

// num, reg and the like are steps of expressions.
func num(n int64) bytecode.ExprInstr { return bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: n} }
func register(r uint32) bytecode.ExprInstr {
	return bytecode.ExprInstr{Op: bytecode.ExprReg, Arg: int64(r)}
}
func op(o bytecode.ExprOp) bytecode.ExprInstr { return bytecode.ExprInstr{Op: o} }

// let is an instruction that computes a register.
func (e *edit) let(rule, reg uint32, x ...bytecode.ExprInstr) bytecode.Instr {
	return bytecode.Instr{Op: bytecode.Let, A: reg, B: e.expr(x...), Rule: rule}
}
