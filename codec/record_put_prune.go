// Registers of operations of writing: those that nothing reads are not set.

package codec

import "slices"

// regSet is a set of registers.
type regSet []uint64

func (s regSet) has(r int32) bool { return r >= 0 && s[r>>6]>>(r&63)&1 != 0 }
func (s regSet) add(r int32)      { s[r>>6] |= 1 << (r & 63) }
func (s regSet) remove(r int32)   { s[r>>6] &^= 1 << (r & 63) }

// prune simplifies the operations. Those in keep are the registers that are read behind them.
func (l *putList) prune(keep []int32) {
	l.drop(keep)
	l.share()
	l.trust()
	l.drop(keep)
	l.fuse(keep)
	for i := range l.ops {
		op := &l.ops[i]
		for _, r := range op.sets() {
			l.most = max(l.most, int(r)+1)
		}
		for _, r := range op.reads() {
			l.most = max(l.most, int(r)+1)
		}
	}
}

// drop removes what sets registers that nothing reads.
func (l *putList) drop(keep []int32) {
	dead := make([]bool, len(l.ops))
	for i, after := range l.live(keep) {
		op := &l.ops[i]
		switch dead[i] = op.pure() && !op.isRead(after); {
		case dead[i]:
		case op.reg >= 0 && !after.has(op.reg):
			op.reg = -1
			if op.code == putMark || op.code == putMarkRun {
				op.reg, op.b = op.b, -1
			}
		case op.b >= 0 && op.setsB() && !after.has(op.b):
			op.b = -1
		}
	}
	l.compact(dead)
}

// live returns the registers that are read behind each operation. Jumps lead forward.
func (l *putList) live(keep []int32) []regSet {
	n := 0
	for _, r := range keep {
		n = max(n, int(r))
	}
	for i := range l.ops {
		for _, r := range append(l.ops[i].reads(), l.ops[i].sets()...) {
			n = max(n, int(r))
		}
	}
	size := n>>6 + 1
	before := make([]regSet, len(l.ops)+1)
	out := make([]regSet, len(l.ops))
	before[len(l.ops)] = make(regSet, size)
	for _, r := range keep {
		before[len(l.ops)].add(r)
	}
	for i := len(l.ops) - 1; i >= 0; i-- {
		op := &l.ops[i]
		after := slices.Clone(before[i+1])
		if to, ok := op.target(i); ok {
			if op.code == putJump {
				clear(after)
			}
			for k, bits := range before[to] {
				after[k] |= bits
			}
		}
		out[i] = after
		if op.pure() && !op.isRead(after) {
			before[i] = after
			continue
		}
		before[i] = slices.Clone(after)
		for _, r := range op.sets() {
			before[i].remove(r)
		}
		for _, r := range op.reads() {
			before[i].add(r)
		}
	}
	return out
}

// isRead reports whether one of the registers that an operation sets is read after it.
func (op *putOp) isRead(after regSet) bool {
	return slices.ContainsFunc(op.sets(), after.has)
}

// compact removes dead operations.
func (l *putList) compact(dead []bool) {
	place := make([]int, len(l.ops)+1)
	var ops []putOp
	for i := range l.ops {
		if place[i] = len(ops); !dead[i] {
			ops = append(ops, l.ops[i])
		}
	}
	place[len(l.ops)] = len(ops)
	for i := range l.ops {
		if to, ok := l.ops[i].target(i); ok && !dead[i] {
			ops[place[i]].off = int32(place[to] - place[i] - 1)
		}
	}
	l.ops = ops
}

// target returns the operation that operation i jumps to.
func (op *putOp) target(i int) (to int, ok bool) {
	switch op.code {
	case putJump, putUnless, putUnlessEq:
		return i + 1 + int(op.off), true
	}
	return 0, false
}

// targets returns which operations are jumped to.
func (l *putList) targets() []bool {
	out := make([]bool, len(l.ops)+1)
	for i := range l.ops {
		if to, ok := l.ops[i].target(i); ok {
			out[to] = true
		}
	}
	return out
}

// setsB reports whether register b of an operation is set.
func (op *putOp) setsB() bool {
	switch op.code {
	case putMark, putMarkRun, putHold, putHoldMark:
		return true
	}
	return false
}

// sets returns the registers that an operation sets.
func (op *putOp) sets() (out []int32) {
	if op.reg >= 0 {
		out = append(out, op.reg)
	}
	if op.b >= 0 && op.setsB() {
		out = append(out, op.b)
	}
	return out
}

// pure reports whether an operation does nothing but set a register.
func (op *putOp) pure() bool {
	switch op.code {
	case putLoad, putLoad8, putLoad16, putLoad16Big, putLoad32, putLoad32Big, putMark, putMarkRun, putSize, putSizeRun, putSum, putSet, putPick, putAddN, putMulN, putEqN,
		putLessN, putLeastN, putTable, putQuick, putAdd, putSub, putMul, putEq, putMin, putMax, putOp2, putKeep:
		return true
	}
	return false
}

// reads returns the registers that an operation reads.
func (op *putOp) reads() (out []int32) {
	if op.a >= 0 {
		out = append(out, op.a)
	}
	if op.b >= 0 && !op.setsB() {
		out = append(out, op.b)
	}
	if m := op.more; m != nil {
		for _, r := range m.args {
			if r >= 0 {
				out = append(out, r)
			}
		}
		if m.expr != nil {
			out = m.expr.registers(out)
		}
		if op.code == putSum {
			for _, r := range m.step.sum.Registers() {
				out = append(out, int32(r))
			}
		}
	}
	return out
}

// setsFirst reports whether an operation before any jump sets a register.
func setsFirst(ops []putOp, reg int) bool {
	for i := range ops {
		if _, ok := ops[i].target(i); ok {
			return false
		}
		if int(ops[i].reg) == reg {
			return true
		}
	}
	return false
}

// readsUnset reports whether operations may read a register before they set it. Arguments and the register given are
// set before.
func readsUnset(ops []putOp, args, given int) bool {
	var set uint64
	mark := func(r int32) {
		if r >= 0 && r < 64 {
			set |= 1 << r
		}
	}
	for r := range args {
		mark(int32(r))
	}
	mark(int32(given))
	from := map[int]uint64{} // registers that are set before the operations that jumps go to
	reached := true
	for i := range ops {
		op := &ops[i]
		if before, ok := from[i]; ok && reached {
			set &= before
		} else if ok {
			set, reached = before, true
		}
		for _, r := range op.reads() {
			if r >= 64 || set>>r&1 == 0 {
				return true
			}
		}
		for _, r := range op.sets() {
			mark(r)
		}
		if to, ok := op.target(i); ok {
			if before, ok := from[to]; ok {
				from[to] = before & set
			} else {
				from[to] = set
			}
			reached = op.code != putJump
		}
	}
	return false
}
