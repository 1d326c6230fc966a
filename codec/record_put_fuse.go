// Fusion of neighboring operations of writing into one.

package codec

import "github.com/octable/octable/compile/bytecode"

// fuse makes one operation of two. Registers in keep are read behind the operations.
func (l *putList) fuse(keep []int32) {
	dead, targets, live := make([]bool, len(l.ops)), l.targets(), liveAfter(l.ops, keep)
	for i, next := 0, 0; i < len(l.ops); i = next {
		for next = i + 1; next < len(l.ops) && !targets[next] && l.ops[i].with(&l.ops[next], live[next]); next++ {
			dead[next] = true
		}
	}
	l.ops = withoutDead(l.ops, dead)
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

// fits notes the form of the number of an operation. It also notes which of its bits are 0 if it must fit.
func (op *putOp) fits() {
	if op.scalar == bytecode.NoScalar {
		return
	}
	w := op.scalar.Width()
	if op.form = uint8(w); op.big && w > 1 {
		op.form |= formBig
	}
	switch op.code {
	case putFit, putPatch, putPatchSize, putInt:
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

// with makes one operation of op and the next one, which alone reads the result. It reports false if no operation does both.
// The registers that are read behind both are in after.
func (op *putOp) with(next *putOp, after regSet) bool {
	switch {
	case op.code == putNil && next.code == putNil && rawMemory && next.at == op.at+pointerSize*uintptr(op.n+1):
		op.n++
		return true
	case op.reg == none || after.has(op.reg):
		return false
	case op.code == putSize && next.code == putPatch && next.b == op.reg && next.a != op.reg:
		from, less := op.a, op.n
		*op = *next
		op.code, op.b, op.n = putPatchSize, from, less
		return true
	case next.a != op.reg:
		return false
	case op.code == putSize && next.code == putAddN && next.shift == 0 && next.mask == ^uint64(0):
		op.reg, op.n = next.reg, op.n-next.n
		return true
	case op.code == putTable && next.code == putCheck:
		op.code = putCheckTable
	case (op.code == putEqN || op.code == putLessN || op.code == putLeastN) && next.code == putCheck:
		op.code += putCheckEq - putEqN
	case op.code == putEqN && next.code == putStop:
		op.code = putStopEq
	case op.code == putTable && next.code == putStop:
		op.code = putStopTable
	case op.code == putEq && next.code == putCheck:
		op.code = putCheckSame
	default:
		return false
	}
	op.reg = none
	return true
}

// gather makes one term of neighboring bytes of one bit each. The first of them has the highest bit of the word.
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
