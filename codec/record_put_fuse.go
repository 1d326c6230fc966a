// Fusion of neighboring operations of writing into one.

package codec

import (
	"math/bits"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// fuse makes one operation of two or three. Registers in keep are read behind the operations.
func (l *putList) fuse(keep []int32) {
	for again := true; again; {
		again = false
		dead, targets, live := make([]bool, len(l.ops)), l.targets(), liveAfter(l.ops, keep)
		for i := range l.ops {
			op := &l.ops[i]
			switch {
			case dead[i]:
			case op.isCopy() && op.reg == op.a:
				dead[i] = true
			case op.code >= putLoad8 && op.code <= putLoad32Big:
				if dead[i] = l.intoStore(i, targets, dead); !dead[i] && i+1 < len(l.ops) && !targets[i+1] && op.checksByte(&l.ops[i+1], live[i+1]) {
					dead[i+1] = true
				}
			case i+1 < len(l.ops) && !targets[i+1] && op.with(&l.ops[i+1], live[i+1]):
				dead[i+1] = true
			case l.sumPatch(i, targets, live):
				for k := 1; k < 5; k++ {
					dead[i+k] = true
				}
			case i+2 < len(l.ops) && !targets[i+1] && !targets[i+2] && (op.code == putSize || op.code == putSizeSince) && op.withPatch(&l.ops[i+1], &l.ops[i+2], live[i+2]):
				dead[i+1], dead[i+2] = true, true
			}
			again = again || dead[i]
			if i+1 < len(l.ops) && dead[i+1] {
				again = true
			}
		}
		l.ops = withoutDead(l.ops, dead)
	}
	l.overwritten()
	for i := range l.ops {
		op := &l.ops[i]
		op.fits()
		if op.code == putTerms && l.bound > 0 {
			l.gather(op)
			if t := op.more.terms; len(t) == 1 && (t[0].kind == termText || t[0].kind == termList) {
				op.code, op.shift, op.mask, op.at = putLength, t[0].shift, ^uint64(0)<<t[0].width, uintptr(t[0].at)
			}
		}
	}
}

// fits notes the form of the number of an operation, and which of its bits are 0 if it must fit.
func (op *putOp) fits() {
	if op.scalar == bytecode.NoScalar {
		return
	}
	w := op.scalar.Width()
	if op.form = uint8(w); op.big && w > 1 {
		op.form |= formBig
	}
	switch op.code {
	case putFit, putPatch, putSizePatch, putSizePatchRun, putSumPatch, putInt:
		if op.mask |= ^uint64(0) << (8 * w); op.scalar.Signed() && w < 8 {
			op.shift = uint8(8 * w)
		}
	}
}

// finish ends the list. Parts that padding follows are written by one function, which tells their size.
func (l *putList) finish() {
	for i := range l.ops {
		op := &l.ops[i]
		switch op.code {
		case putText, putOctets, putInner, putElems, putPairs:
			if i+1 < len(l.ops) && l.ops[i+1].code == putPadding || op.code == putOctets && op.more.step.encoding != none {
				op.code = putPart
			}
		}
	}
	l.add(putOp{code: putEnd, reg: none, a: none, b: none})
}

// with makes one operation of op and the next one. It reports false if no operation does both. The registers that are
// read behind both are in after.
func (op *putOp) with(next *putOp, after regSet) bool {
	single := op.reg != none && next.a == op.reg && !after.has(op.reg) // the next one alone reads the result
	switch {
	case op.code == putTable && next.code == putCheck && single:
		op.code, op.reg = putCheckTable, none
	case (op.code == putEqN || op.code == putLessN || op.code == putLeastN) && next.code == putCheck && single:
		op.code, op.reg = op.code+putCheckEq-putEqN, none
	case op.code == putEqN && next.code == putStop && single:
		op.code, op.reg = putStopEq, none
	case op.limits() && next.code == putCheckLess && next.a == op.reg && next.shift == 0 && next.mask == ^uint64(0) && next.n > 0 && next.n&(next.n-1) == 0:
		if op.mask |= -uint64(next.n); !after.has(op.reg) {
			op.reg = none
		}
	case op.code == putTable && next.code == putStop && single:
		op.code, op.reg = putStopTable, none
	case op.code == putEq && next.code == putCheck && single:
		op.code, op.reg = putCheckSame, none
	case op.code == putHold && op.b == none && next.code == putMarkRun && next.b == none:
		op.code, op.b, op.n = putHoldMark, next.reg, int64(next.off)
	case op.code == putMark && next.code == putMark && op.b == none && next.b == none:
		op.b = next.reg
	case op.code == putMarkRun && next.code == putMarkRun && op.b == none && next.b == none && op.off == next.off:
		op.b = next.reg
	case op.code == putSize && next.code == putPatch && next.b == op.reg && next.a != op.reg && !after.has(op.reg):
		op.patch(next, 0)
	case op.code == putSizeSince && next.code == putFit && next.a == op.reg && (!after.has(op.reg) || next.reg == none):
		reg := op.reg
		if op.patch(next, 0); after.has(reg) {
			op.reg = reg
		}
	case op.code == putNil && next.code == putNil && rawMemory && next.at == op.at+uintptr(max(op.n, 1))*bits.UintSize/8:
		op.n = max(op.n, 1) + max(next.n, 1)
	case op.code == putConst && next.code == putConst && op.reg == none && next.reg == none && op.neighbor(next):
	case rawMemory && op.code == next.code && op.double() != putFail && next.off == op.off+op.storeWidth() && next.at == op.at+uintptr(op.storeWidth()):
		op.code = op.double()
	default:
		return false
	}
	return true
}

// neighbor makes one known number of two in neighboring bytes. It reports false if no number has as many bytes.
func (op *putOp) neighbor(next *putOp) bool {
	a, b := op.scalar.Width(), next.scalar.Width()
	wide := map[int]bytecode.Scalar{2: bytecode.U16, 4: bytecode.U32, 8: bytecode.U64}[a+b]
	if next.off != op.off+int32(a) || wide == bytecode.NoScalar {
		return false
	}
	op.n = int64(op.littleEndian() | next.littleEndian()<<(8*a))
	op.scalar, op.big = wide, false
	return true
}

// littleEndian returns the bytes of a known number of an operation, of which the first is lowest.
func (op *putOp) littleEndian() uint64 {
	shift := 64 - 8*op.scalar.Width()
	if n := uint64(op.n) << shift; op.big {
		return bits.ReverseBytes64(n)
	} else {
		return n >> shift
	}
}

// checksByte makes a load of a byte one that checks it as the next operation does, which alone reads it.
func (op *putOp) checksByte(check *putOp, after regSet) bool {
	if op.code != putLoad8 || check.a != op.reg || after.has(op.reg) {
		return false
	}
	table := new([256]int64)
	for n := range uint64(256) {
		switch check.code {
		case putCheckTable:
			if table[n] = check.more.table[n]; table[n] == tableLack {
				return false
			}
		case putCheckIn:
			table[n] = truth(n-uint64(check.n) <= check.mask)
		case putCheckLess:
			table[n] = truth(int64(bitsAt(n, check.shift, check.mask)) < check.n)
		case putCheckLeast:
			table[n] = truth(int64(bitsAt(n, check.shift, check.mask)) >= check.n)
		default:
			return false
		}
	}
	op.code, op.reg, op.more = putCheckByte, none, &putMore{table: table}
	return true
}

// overwritten drops what writes a number that another operation writes again, before anything looks at it.
func (l *putList) overwritten() {
	targets, dead := l.targets(), make([]bool, len(l.ops))
	for i := range l.ops {
		op := &l.ops[i]
		if op.code != putConst && op.code != putTerms || op.off < 0 {
			continue
		}
		for k := i + 1; k < len(l.ops) && !targets[k] && l.ops[k].keepsRun(); k++ {
			over := &l.ops[k]
			if (over.code != putFit && over.code != putSizePatchRun) || over.off != op.off || over.scalar.Width() != op.scalar.Width() {
				continue
			}
			switch {
			case op.code == putTerms:
				op.off = none
			case op.reg != none:
				op.code, op.off, op.scalar = putSet, 0, bytecode.NoScalar
			default:
				dead[i] = true
			}
			break
		}
	}
	l.ops = withoutDead(l.ops, dead)
}

// keepsRun reports whether an operation neither begins another run nor reads bytes of this one, nor jumps.
func (op *putOp) keepsRun() bool {
	switch op.code {
	case put8, put16, put16Big, put32, put32Big, put64, put64Big, putPair16Big, putPair32Big, putReg8, putReg16, putReg16Big, putReg32, putReg32Big,
		putPointed, putBytes, putConst, putTerms, putLength, putHead, putFit, putPatch, putSizePatch, putSizePatchRun, putMark, putMarkRun, putSize, putSizeSince, putSizeRun,
		putSet, putPick, putAddN, putMulN, putEqN, putLessN, putLeastN, putTable, putAdd, putSub, putMul, putEq, putMin, putMax,
		putCheck, putCheckEq, putCheckLess, putCheckLeast, putCheckTable, putCheckSame, putCheckIn, putNil:
		return true
	case putText, putOctets, putInner, putElems, putPairs:
		return !op.placed
	}
	return false
}

// limits reports whether an operation stores a number whose bits in its mask must be 0.
func (op *putOp) limits() bool {
	return (op.code == putFit || op.code == putPatch || op.code == putSizePatch || op.code == putSizePatchRun) && op.reg != none && !op.scalar.Signed()
}

// withPatch makes one operation of a size, a number that is added to it, and a patch.
func (op *putOp) withPatch(add, patch *putOp, after regSet) bool {
	place, number := patch.a, patch.b
	if op.code == putSizeSince {
		place, number = none, patch.a
	}
	if add.code != putAddN || patch.code != putPatch && op.code == putSize || patch.code != putFit && op.code == putSizeSince || add.a != op.reg || add.shift != 0 || add.mask != ^uint64(0) ||
		number != add.reg || place == op.reg || place == add.reg || after.has(op.reg) && patch.reg != op.reg || after.has(add.reg) && patch.reg != add.reg {
		return false
	}
	op.patch(patch, add.n)
	return true
}

// patch makes op, a size, one that patches a place with it and a number.
func (op *putOp) patch(patch *putOp, n int64) {
	if op.code == putSizeSince {
		op.code, op.n, op.off = putSizePatchRun, n-int64(op.off), patch.off
	} else {
		op.code, op.n, op.b = putSizePatch, n, patch.a
	}
	op.reg, op.scalar, op.big = patch.reg, patch.scalar, patch.big
}

// sumPatch fuses five operations into one. They write a word of zeros, note its place, compute the checksum of the bytes
// before it, and store the checksum in the word.
func (l *putList) sumPatch(i int, targets []bool, live []regSet) bool {
	if i+5 > len(l.ops) || !rawMemory {
		return false
	}
	run, mark, word, sum, patch := &l.ops[i], &l.ops[i+1], &l.ops[i+2], &l.ops[i+3], &l.ops[i+4]
	if run.code != putRun || mark.code != putMarkRun || word.code != putConst || sum.code != putSum || patch.code != putFit || slices.Contains(targets[i+1:i+5], true) {
		return false
	}
	if mark.off != 0 || mark.b >= 0 || word.off != 0 || word.n != 0 || word.reg >= 0 || patch.off != 0 || patch.reg >= 0 || patch.a != sum.reg || live[i+4].has(sum.reg) ||
		int(run.off) != word.scalar.Width() || word.scalar != patch.scalar || word.big != patch.big {
		return false
	}
	for k := i + 5; k < len(l.ops); k++ { // the run that begins here must not be looked at
		op := &l.ops[k]
		if op.code == putRun {
			break
		}
		if op.inRun() {
			return false
		}
	}
	*run = putOp{code: putSumPatch, reg: mark.reg, a: none, b: none, off: run.off, scalar: patch.scalar, big: patch.big, more: sum.more}
	return true
}

// inRun reports whether an operation may look at the run before it.
func (op *putOp) inRun() bool {
	switch op.code {
	case putEnd, putStop, putStopEq, putStopTable, putEqN, putLessN, putLeastN, putPick, putAddN, putMulN, putSet, putAdd, putSub, putMul, putEq, putMin, putMax, putTable,
		putCheck, putCheckEq, putCheckLess, putCheckLeast, putCheckTable, putCheckSame, putCheckIn, putMark, putSize, putNil:
		return false
	case putText, putOctets, putInner, putElems, putPairs:
		return op.placed
	}
	return true
}

// intoStore lets the operation that writes a number of the run set the register that operation i loads it into.
func (l *putList) intoStore(i int, targets, dead []bool) bool {
	load := &l.ops[i]
	store, into := putFail, putFail
	switch load.code {
	case putLoad8:
		store, into = put8, putReg8
	case putLoad16:
		store, into = put16, putReg16
	case putLoad16Big:
		store, into = put16Big, putReg16Big
	case putLoad32:
		store, into = put32, putReg32
	case putLoad32Big:
		store, into = put32Big, putReg32Big
	}
	for k := i - 1; k >= 0 && !targets[k+1]; k-- {
		op := &l.ops[k]
		if dead[k] {
			continue
		}
		if op.code == store && op.off == load.off {
			op.code, op.reg = into, load.reg
			return true
		}
		if _, ok := op.target(k); ok || op.moves() || op.touches(load.reg) {
			return false
		}
	}
	return false
}

// double returns the operation for two neighboring numbers, or putFail.
func (op *putOp) double() putCode {
	switch op.code {
	case put8:
		return put16
	case put16:
		return put32
	case put32:
		return put64
	}
	return putFail
}

// storeWidth returns the bytes that an operation with a double writes.
func (op *putOp) storeWidth() int32 {
	switch op.code {
	case put8:
		return 1
	case put16:
		return 2
	}
	return 4
}

// gather makes one term of neighboring bytes of one bit each, of which the first has the highest bit of the word.
func (l *putList) gather(op *putOp) {
	var out []putTerm
	for _, t := range op.more.terms {
		one := t.kind == termByte && t.width == 1
		if n := len(out) - 1; one && n >= 0 && rawMemory {
			if b := &out[n]; b.kind == termByte && b.width == 1 && b.at+8 <= uint32(l.bound) {
				b.kind = termGather
			}
			if b := &out[n]; b.kind == termGather && b.width < 8 && t.at == b.at+uint32(b.width) && t.shift+1 == b.shift {
				b.width, b.shift = b.width+1, t.shift
				continue
			}
			if b := &out[n]; b.kind == termGather && b.width == 1 {
				b.kind = termByte
			}
		}
		out = append(out, t)
	}
	op.more = &putMore{terms: out}
}
