// Registers of operations of reading: those that nothing reads are not set.

package codec

// target returns the operation that operation i jumps to.
func (op *getOp) target(i int) (to int, ok bool) {
	switch op.code {
	case getJump, getUnless, getUnlessEq, getUnlessHolds:
		return i + 1 + int(op.off), true
	}
	return 0, false
}

func (op *getOp) jump(by int)  { op.off = int32(by) }
func (op *getOp) always() bool { return op.code == getJump }

// sets returns the registers that an operation sets.
func (op *getOp) sets() []int32 {
	if op.reg < 0 {
		return nil
	}
	return []int32{op.reg}
}

// pure reports whether an operation does nothing but set a register.
func (op *getOp) pure() bool {
	switch op.code {
	case getLoad, getLoad8, getLoad16, getLoad16Big, getLoad32, getLoad32Big, getSet, getLinear, getQuick, getHolds, getEqual, getAdd, getSub, getMul, getOp2, getKeep, getMark, getMarkRun, getSize, getSizeRun:
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
	if op.code == getPart {
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

// used returns the number of registers of the operations and of the records inside.
func (l *getList) used() int {
	n := registersIn(l.ops)
	for i := range l.ops {
		if op := &l.ops[i]; op.code == getUnion {
			n = max(n, int(op.n)+op.more.step.elem.regs)
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
	given := -1
	if u := routine.union; u != nil && u.size > 0 {
		given = u.reg
	}
	return readsUnset(l.ops, routine.args, given)
}
