// Registers of operations of writing: those that nothing reads are not set.

package codec

// prune drops what sets registers that nothing reads, but for those in keep. It counts the registers.
func (l *putList) prune(keep []int32) {
	read := map[int32]bool{}
	for _, r := range keep {
		read[r] = true
	}
	for again := true; again; {
		n := len(read)
		for i := range l.ops {
			if op := &l.ops[i]; !op.pure() || read[op.reg] || op.b >= 0 && op.code == putMark && read[op.b] {
				for _, r := range op.reads() {
					read[r] = true
				}
			}
		}
		again = len(read) > n
	}
	place := make([]int, len(l.ops)+1)
	var ops []putOp
	from := 0
	for i := range l.ops {
		op := l.ops[i]
		place[i] = len(ops)
		if op.pure() && !read[op.reg] {
			continue
		}
		if op.reg >= 0 && !read[op.reg] {
			op.reg = -1
		}
		if n := len(ops) - 1; op.code == putMark && n >= 0 && ops[n].code == putMark && ops[n].b < 0 && !l.targets(from, i) {
			ops[n].b = op.reg
			continue
		}
		if op.code == putHold && op.b >= 0 && !read[op.b] {
			op.b = -1
		}
		ops, from = append(ops, op), i
	}
	place[len(l.ops)] = len(ops)
	for i := range l.ops {
		switch op := &l.ops[i]; op.code {
		case putJump, putUnless, putUnlessEq:
			ops[place[i]].off = int32(place[i+1+int(op.off)] - place[i] - 1)
		}
	}
	l.ops = ops
	for i := range ops {
		op := &ops[i]
		l.most = max(l.most, int(op.reg)+1)
		if op.code == putMark || op.code == putHold {
			l.most = max(l.most, int(op.b)+1)
		}
		for _, r := range op.reads() {
			l.most = max(l.most, int(r)+1)
		}
	}
}

// targets reports whether a jump leads to an operation behind from, up to i.
func (l *putList) targets(from, i int) bool {
	for k := range l.ops {
		switch op := &l.ops[k]; op.code {
		case putJump, putUnless, putUnlessEq:
			if to := k + 1 + int(op.off); to > from && to <= i {
				return true
			}
		}
	}
	return false
}

// pure reports whether an operation does nothing but set a register.
func (op *putOp) pure() bool {
	switch op.code {
	case putLoad, putLoad8, putLoad16, putLoad16Big, putLoad32, putLoad32Big, putMark, putMarkRun, putSize, putSizeRun, putSum, putSet, putPick, putAddN, putEqN,
		putTable, putQuick, putAdd, putSub, putMul, putEq, putOp2, putKeep:
		return true
	}
	return false
}

// reads returns the registers that an operation reads.
func (op *putOp) reads() (out []int32) {
	switch op.code {
	case putMark, putHold:
	default:
		for _, r := range []int32{op.a, op.b} {
			if r >= 0 {
				out = append(out, r)
			}
		}
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
		switch op := &ops[i]; op.code {
		case putJump, putUnless, putUnlessEq:
			return false
		default:
			if int(op.reg) == reg {
				return true
			}
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
		mark(op.reg)
		if op.code == putMark || op.code == putHold {
			mark(op.b)
		}
		switch op.code {
		case putJump, putUnless, putUnlessEq:
			to := i + 1 + int(op.off)
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
