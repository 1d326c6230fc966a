// Registers of operations of writing: those that nothing reads are not set.

package codec

import "slices"

// prune simplifies the operations. Those in keep are the registers that are read behind them.
func (l *putList) prune(keep []int32) {
	l.joinMarks()
	l.drop(keep)
	l.fuse(keep)
	l.most = max(l.most, registersIn(l.ops))
}

// spot is a place in the output: off bytes behind the end of a part.
type spot struct{ part, off int }

// joinMarks counts sizes from one mark of several whose distance is known, so that nothing reads the others. It takes
// the place of a number that is written later, whose register is needed anyway, or else the first mark.
func (l *putList) joinMarks() {
	var marks, holds []int32 // registers with places
	at := map[int32]spot{}   // the places in them
	from := map[int]int{}    // the first jump to an operation
	part, run, pos := 0, spot{}, spot{}
	forget := func(op *putOp) {
		for _, r := range op.sets() {
			delete(at, r)
		}
	}
	for i := range l.ops {
		op := &l.ops[i]
		if first, ok := from[i]; ok {
			for k := first; k < i; k++ {
				forget(&l.ops[k])
			}
			part++
			pos = spot{part: part}
			run = pos
		}
		if op.code == putSize {
			if to, ok := at[op.a]; ok {
				for _, r := range slices.Concat(holds, marks) {
					if first, ok := at[r]; ok && first.part == to.part {
						op.a, op.n = r, int64(to.off-first.off)
						break
					}
				}
			}
		}
		forget(op)
		switch op.code {
		case putRun:
			run = pos
			pos.off += int(op.off)
		case putMark:
			at[op.reg] = pos
			marks = append(marks, op.reg)
		case putMarkRun, putHold:
			at[op.reg] = spot{run.part, run.off + int(op.off)}
			if op.code == putHold {
				holds = append(holds, op.reg)
			} else {
				marks = append(marks, op.reg)
			}
		case putInner, putUnion, putText, putOctets, putElems, putPairs, putPart, putPadding, putCoded, putPatchCoded, putPlaces, putGaps:
			part++
			pos = spot{part: part}
		}
		if to, ok := op.target(i); ok {
			if _, ok := from[to]; !ok {
				from[to] = i
			}
		}
	}
}

// drop removes what sets registers that nothing reads.
func (l *putList) drop(keep []int32) {
	dead := make([]bool, len(l.ops))
	for i, after := range liveAfter(l.ops, keep) {
		op := &l.ops[i]
		switch dead[i] = op.pure() && !op.isRead(after); {
		case dead[i]:
		case op.code == putHold && !after.has(op.b):
			op.b = none
		case op.code != putHold && !after.has(op.reg):
			op.reg = none
		}
	}
	l.ops = withoutDead(l.ops, dead)
}

// isRead reports whether one of the registers that an operation sets is read after it.
func (op *putOp) isRead(after regSet) bool {
	return slices.ContainsFunc(op.sets(), after.has)
}

// target returns the operation that operation i jumps to.
func (op *putOp) target(i int) (to int, ok bool) {
	switch op.code {
	case putJump, putUnless, putUnlessEq:
		return i + 1 + int(op.off), true
	}
	return 0, false
}

func (op *putOp) jump(by int)  { op.off = int32(by) }
func (op *putOp) always() bool { return op.code == putJump }

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
func (op *putOp) setsB() bool { return op.code == putHold || op.code == putChoose }

// sets returns the registers that an operation sets.
func (op *putOp) sets() (out []int32) {
	if op.reg != none {
		out = append(out, op.reg)
	}
	if op.b != none && op.setsB() {
		out = append(out, op.b)
	}
	return out
}

// pure reports whether an operation does nothing but set a register.
func (op *putOp) pure() bool {
	switch op.code {
	case putLoad, putLoad8, putLoad16, putLoad16Big, putLoad32, putLoad32Big, putMark, putMarkRun, putSize, putSizeRun, putSum, putTotal, putSet, putPick, putAddN, putMulN, putEqN,
		putLessN, putLeastN, putTable, putQuick, putAdd, putSub, putMul, putEq, putMin, putMax, putOp2:
		return true
	}
	return false
}

// reads returns the registers that an operation reads.
func (op *putOp) reads() (out []int32) {
	if op.a != none {
		out = append(out, op.a)
	}
	if op.b != none && !op.setsB() {
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
		if op.code == putSum || op.code == putTotal {
			for _, r := range m.step.summed() {
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
