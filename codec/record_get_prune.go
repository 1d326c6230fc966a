// Registers of operations of reading: those that nothing reads are not set.

package codec

import "slices"

// target returns the operation that operation i jumps to.
func (op *getOp) target(i int) (to int, ok bool) {
	switch op.code {
	case getJump, getUnless, getUnlessIn, getUnlessHolds:
		return i + 1 + int(op.off), true
	}
	return 0, false
}

func (op *getOp) jump(by int)  { op.off = int32(by) }
func (op *getOp) always() bool { return op.code == getJump }

// sets returns the registers that an operation sets.
func (op *getOp) sets() []int32 {
	if op.reg == none {
		return nil
	}
	return []int32{op.reg}
}

// pure reports whether an operation does nothing but set a register.
func (op *getOp) pure() bool {
	switch op.code {
	case getLoad, getLoad8, getLoad16, getLoad16Big, getLoad32, getLoad32Big, getSet, getLinear, getQuick, getIn, getEqual, getAdd, getSub, getMul, getMin, getOp2, getKeep, getMark, getMarkRun, getSize, getSizeRun, getTotal:
		return true
	}
	return false
}

// reads returns the registers that an operation reads.
func (op *getOp) reads() (out []int32) {
	for _, r := range []int32{op.a, op.b} {
		if r >= 0 {
			out = append(out, r)
		}
	}
	m := op.more
	if m == nil {
		return out
	}
	out = append(out, m.reads...)
	from := len(out)
	if m.expr != nil {
		out = m.expr.registers(out)
	}
	if op.code == getPart || op.code == getInto || op.code == getElems && m.own < 0 {
		out = m.step.registers(out)
	}
	for i := range out[from:] {
		out[from+i] += op.base
	}
	return out
}

// registers appends the registers that a part looks at.
func (s *recordStep) registers(out []int32) []int32 {
	for i := range s.args {
		out = s.args[i].registers(out)
	}
	if s.count.expr != nil {
		out = s.count.expr.registers(out)
	}
	if s.inner != nil {
		out = s.inner.registers(out)
	}
	return out
}

// givenTo returns the arguments, counted from 0, that reading a value reads or changes. id includes the argument with the
// number of the arm of a union.
func (rec *recordPlan) givenTo(id bool) (out []int32) {
	seen := make(regSet, rec.args>>6+1)
	note := func(regs []int32) {
		for _, r := range regs {
			if int(r) < rec.args && !seen.has(r) {
				seen.add(r)
				out = append(out, r)
			}
		}
	}
	ops := func(ops []getOp) {
		for i := range ops {
			note(ops[i].reads())
			note(ops[i].sets())
		}
	}
	ops(rec.gets)
	if u := rec.union; u != nil {
		if u.size > 0 && u.order >= 0 {
			note([]int32{int32(u.order)})
		}
		if id {
			note(u.id.registers(nil))
		}
		for i := range u.arms {
			if p := u.arms[i].plan; p != nil {
				ops(p.gets)
			}
		}
		for _, f := range u.forms {
			if f.plan != nil {
				ops(f.plan.gets)
			}
		}
	}
	return out
}

// keepsArgs reports whether reading a value sets none of its arguments.
func (rec *recordPlan) keepsArgs() bool {
	sets := func(ops []getOp) bool {
		return slices.ContainsFunc(ops, func(op getOp) bool { return op.reg != none && int(op.reg) < rec.args })
	}
	u := rec.union
	return !sets(rec.gets) && (u == nil || (u.size == 0 || u.reg >= rec.args) &&
		!slices.ContainsFunc(u.arms, func(a recordArm) bool { return a.plan != nil && sets(a.plan.gets) }) &&
		!slices.ContainsFunc(u.forms, func(f unionForm) bool { return f.plan != nil && sets(f.plan.gets) }))
}

// elements returns the plans of the elements of a list.
func (s *recordStep) elements() []*recordPlan {
	if s.variants == nil {
		return []*recordPlan{s.elem}
	}
	return append(slices.Clone(s.variants), s.elem)
}

// used returns the number of registers of the operations and of the records inside.
func (l *getList) used() int {
	n := registersIn(l.ops)
	for i := range l.ops {
		op := &l.ops[i]
		if op.more != nil && (op.more.expr != nil || op.more.step != nil) {
			n = max(n, int(op.base)) // also of an expression without registers
		}
		switch op.code {
		case getUnion:
			n = max(n, int(op.n)+op.more.step.elem.regs)
		case getElems:
			for _, e := range op.more.step.elements() {
				if op.more.own != none {
					n = max(n, op.more.own+e.regs)
				}
			}
		}
	}
	return n
}

// drop removes what sets registers that nothing reads.
func (l *getList) drop() {
	dead := make([]bool, len(l.ops))
	for i, after := range liveAfter(l.ops, nil) {
		dead[i] = l.ops[i].pure() && !after.has(l.ops[i].reg)
	}
	l.ops = withoutDead(l.ops, dead)
}

// unset reports whether operations may read a register before they set it. Arguments, and the word of a union, are set.
func (l *getList) unset(routine *recordPlan) bool {
	given := none
	if u := routine.union; u != nil && u.size > 0 {
		given = u.reg
	}
	return readsUnset(l.ops, routine.args, given)
}
