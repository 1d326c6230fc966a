// Registers of operations of reading: those that nothing reads are not set.

package codec

import "slices"

// target returns the operation that operation i jumps to.
func (op *getOp) target(i int) (to int, ok bool) {
	switch op.code {
	case getJump, getUnless, getUnlessEq, getUnlessHolds:
		return i + 1 + int(op.off), true
	}
	return 0, false
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

// used returns the number of registers of the operations.
func (l *getList) used() (n int) {
	for i := range l.ops {
		op := &l.ops[i]
		for _, r := range append(op.reads(), op.reg) {
			n = max(n, int(r)+1)
		}
		if op.code == getUnion {
			n = max(n, int(op.n)+op.more.step.elem.regs)
		}
	}
	return n
}

// drop removes what sets registers that nothing reads. Jumps lead forward.
func (l *getList) drop() {
	size := l.used()>>6 + 1
	before := make([]regSet, len(l.ops)+1)
	before[len(l.ops)] = make(regSet, size)
	place := make([]int, len(l.ops)+1)
	dead := make([]bool, len(l.ops))
	for i := len(l.ops) - 1; i >= 0; i-- {
		op := &l.ops[i]
		live := slices.Clone(before[i+1])
		if to, ok := op.target(i); ok {
			if op.code == getJump {
				clear(live)
			}
			for k, bits := range before[to] {
				live[k] |= bits
			}
		}
		before[i] = live
		if dead[i] = op.pure() && !live.has(op.reg); dead[i] {
			continue
		}
		if op.reg >= 0 {
			live.remove(op.reg)
		}
		for _, r := range op.reads() {
			live.add(r)
		}
	}
	var ops []getOp
	for i := range l.ops {
		if place[i] = len(ops); !dead[i] {
			ops = append(ops, l.ops[i])
		}
	}
	place[len(l.ops)] = len(ops)
	for i := range l.ops {
		if to, ok := l.ops[i].target(i); ok {
			ops[place[i]].off = int32(place[to] - place[i] - 1)
		}
	}
	l.ops = ops
}

// unset reports whether operations may read a register before they set it. Arguments, and the word of a union, are set.
func (l *getList) unset(routine *recordPlan) bool {
	size := l.used()>>6 + 1
	set := make(regSet, size+routine.args>>6)
	for r := range routine.args {
		set.add(int32(r))
	}
	if u := routine.union; u != nil && u.size > 0 && u.reg>>6 < len(set) {
		set.add(int32(u.reg))
	}
	from := map[int]regSet{} // registers that are set before the operations that jumps go to
	reached := true
	for i := range l.ops {
		op := &l.ops[i]
		if other, ok := from[i]; ok && reached {
			for k := range set {
				set[k] &= other[k]
			}
		} else if ok {
			set, reached = other, true
		}
		if slices.ContainsFunc(op.reads(), func(r int32) bool { return !set.has(r) }) {
			return true
		}
		if op.reg >= 0 {
			set.add(op.reg)
		}
		if to, ok := op.target(i); ok {
			at := slices.Clone(set)
			if other, ok := from[to]; ok {
				for k := range at {
					at[k] &= other[k]
				}
			}
			from[to], reached = at, op.code != getJump
		}
	}
	return false
}
