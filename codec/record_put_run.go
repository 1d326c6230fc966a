// The loop that runs the operations of writing.

package codec

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// put runs operations for the record in x, whose registers begin at base.
func (w *planWriter) put(ops []putOp, x place, pos, base int) int {
	w.frame, w.last = w.regs[base:], 0
	run := pos
	for i := 0; i < len(ops); i++ {
		op := &ops[i]
		switch op.code {
		case putFail:
			return wrong
		case putRun:
			if n := int(op.off) + slack; w.end-pos < n {
				w.grow(pos, n)
			}
			run = pos
			pos += int(op.off)
		case put8:
			w.mem.Store8(run+int(op.off), x.field(op.at, op.field).get8())
		case put16:
			w.mem.Store16(run+int(op.off), x.field(op.at, op.field).get16())
		case put16Big:
			w.mem.Store16(run+int(op.off), bits.ReverseBytes16(x.field(op.at, op.field).get16()))
		case put32:
			w.mem.Store32(run+int(op.off), x.field(op.at, op.field).get32())
		case put32Big:
			w.mem.Store32(run+int(op.off), bits.ReverseBytes32(x.field(op.at, op.field).get32()))
		case put64:
			w.mem.Store64(run+int(op.off), x.field(op.at, op.field).get64())
		case put64Big:
			w.mem.Store64(run+int(op.off), bits.ReverseBytes64(x.field(op.at, op.field).get64()))
		case putPair16Big:
			w.mem.Store32(run+int(op.off), bits.ReverseBytes32(bits.RotateLeft32(x.field(op.at, op.field).get32(), 16)))
		case putPair32Big:
			w.mem.Store64(run+int(op.off), loadPairs(x.field(op.at, op.field).get64(), op.shift, uint8(op.n)))
		case putSingle, putSingleBig:
			u := x.field(op.at, op.field).get32()
			if 0x7f800000-u&0x7fffffff >= 1<<31 {
				return wrong // a NaN
			}
			if op.code == putSingleBig {
				u = bits.ReverseBytes32(u)
			}
			w.mem.Store32(run+int(op.off), u)
		case putAny:
			if !op.more.move.store(w.mem, run, x.field(op.at, op.field), !w.c.opt.Exact) {
				return wrong
			}
		case putBytes:
			at := x.field(op.at, op.field)
			if at.length() != int(op.n) {
				return wrong
			}
			at.slice(1).wireFew(w.mem, run+int(op.off), int(op.n))
		case putConst:
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, uint64(op.n))
			if op.reg >= 0 {
				w.frame[op.reg] = uint64(op.n)
			}
		case putTerms, putWord:
			n, ok := uint64(0), false
			if op.code == putTerms {
				n, ok = op.sum(x)
			} else {
				n, ok = op.more.word.number(x)
			}
			if !ok {
				return wrong
			}
			if op.off >= 0 {
				interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, n)
			}
			if op.reg >= 0 {
				w.frame[op.reg] = n
			}
		case putLoad:
			w.frame[op.reg] = interp.LoadNumber(w.mem, run+int(op.off), op.scalar, op.big)
		case putLoad8:
			w.frame[op.reg] = uint64(w.mem.Load8(run + int(op.off)))
		case putLoad16:
			w.frame[op.reg] = uint64(w.mem.Load16(run + int(op.off)))
		case putLoad16Big:
			w.frame[op.reg] = uint64(bits.ReverseBytes16(w.mem.Load16(run + int(op.off))))
		case putLoad32:
			w.frame[op.reg] = uint64(w.mem.Load32(run + int(op.off)))
		case putLoad32Big:
			w.frame[op.reg] = uint64(bits.ReverseBytes32(w.mem.Load32(run + int(op.off))))
		case putHead:
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, w.frame[op.a])
		case putHold:
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, 0)
			w.frame[op.reg] = uint64(run + int(op.off))
			if op.b >= 0 {
				w.frame[op.b] = 0
			}
		case putFit:
			n := w.frame[op.a]
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, n)
			if op.reg >= 0 {
				w.frame[op.reg] = n
			}
			if !interp.Fits(op.scalar, int64(n)) {
				return wrong
			}
		case putPatch:
			n := w.frame[op.b]
			interp.StoreNumber(w.mem, int(w.frame[op.a]), op.scalar, op.big, n)
			if op.reg >= 0 {
				w.frame[op.reg] = n
			}
			if !interp.Fits(op.scalar, int64(n)) {
				return wrong
			}
		case putMark:
			w.frame[op.reg] = uint64(pos)
			if op.b >= 0 {
				w.frame[op.b] = uint64(pos)
			}
		case putMarkRun:
			w.frame[op.reg] = uint64(run + int(op.off))
		case putSize:
			w.frame[op.reg] = uint64(pos) - w.frame[op.a]
		case putSizeRun:
			w.frame[op.reg] = uint64(run+int(op.off)) - w.frame[op.a]
		case putSum:
			w.frame[op.reg] = op.more.step.sum.Of(w.mem.Bytes(0, pos), w.frame)
		case putSet:
			w.frame[op.reg] = uint64(op.n)
		case putPick:
			w.frame[op.reg] = w.frame[op.a] >> (op.shift & 63) & op.mask
		case putAddN:
			w.frame[op.reg] = w.frame[op.a]>>(op.shift&63)&op.mask + uint64(op.n)
		case putEqN:
			w.frame[op.reg] = uint64(truth(w.frame[op.a]>>(op.shift&63)&op.mask == uint64(op.n)))
		case putQuick:
			w.frame[op.reg] = uint64(op.more.expr.quick(w.frame))
		case putEval:
			n, ok := w.evaluate(op.more.expr, x, base)
			if !ok {
				return wrong
			}
			w.frame[op.reg] = uint64(n)
		case putAdd:
			w.frame[op.reg] = w.frame[op.a] + w.frame[op.b]
		case putSub:
			w.frame[op.reg] = w.frame[op.a] - w.frame[op.b]
		case putMul:
			w.frame[op.reg] = w.frame[op.a] * w.frame[op.b]
		case putEq:
			w.frame[op.reg] = uint64(truth(w.frame[op.a] == w.frame[op.b]))
		case putOp2:
			w.frame[op.reg] = uint64(bytecode.ExprOp(op.mask).Compute(int64(w.frame[op.a]), int64(w.frame[op.b]), 0))
		case putFits:
			if w.frame[op.a]>>(op.n&63) != 0 {
				return wrong
			}
		case putCheck:
			if w.frame[op.a] == 0 {
				return wrong
			}
		case putCheckEq:
			if w.frame[op.a]>>(op.shift&63)&op.mask != uint64(op.n) {
				return wrong
			}
		case putUnless:
			if w.frame[op.a] == 0 {
				i += int(op.off)
			}
		case putUnlessEq:
			if w.frame[op.a]>>(op.shift&63)&op.mask != uint64(op.n) {
				i += int(op.off)
			}
		case putJump:
			i += int(op.off)
		case putKeep:
			w.frame[op.reg] = uint64(run)
		case putBack:
			run = int(w.frame[op.a])
		case putStop:
			w.stop = w.frame[op.a] != 0
		case putNil:
			if _, ok := x.field(op.at, op.field).pointed(); ok {
				return wrong
			}
		case putPointed:
			at, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return wrong
			}
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, at.integer(uint8(op.scalar.Width()), false))
		case putTable:
			if n := w.frame[op.a]; n < 256 {
				w.frame[op.reg] = uint64(op.more.table[n])
			} else {
				n, ok := w.evaluate(op.more.expr, x, base)
				if !ok {
					return wrong
				}
				w.frame[op.reg] = uint64(n)
			}
		case putInner:
			at := x.field(op.at, op.field)
			if op.point {
				var ok bool
				if at, ok = at.pointed(); !ok {
					return wrong
				}
			}
			w.pass(op.more, base)
			begin := pos
			if pos = w.record(op.more.step.elem, at, pos); pos < 0 {
				return wrong
			}
			w.frame, w.last = w.regs[base:], pos-begin
		case putText, putOctets:
			at := x.field(op.at, op.field)
			if op.point {
				var ok bool
				if at, ok = at.pointed(); !ok {
					return wrong
				}
			}
			n := 0
			if op.code == putText {
				n = len(at.getText())
			} else {
				n = at.length()
			}
			if op.check {
				want := op.n
				if op.a >= 0 {
					want = int64(w.frame[op.a])
				}
				if want != int64(n) {
					return wrong
				}
			}
			if n > math.MaxInt32 {
				return wrong
			}
			begin, s := pos, op.more.step
			if op.code == putText {
				pos = w.plainText(s, at.getText(), pos)
			} else {
				pos = w.bytes(s, at, n, pos)
			}
			if pos < 0 {
				return wrong
			}
			w.last = pos - begin
		case putLeft:
			if s := op.more.step; s.left(x.field(op.at, op.field)) != (s.code == recordAbsent) {
				return wrong
			}
		case putPadding:
			s := op.more.step
			n := (s.size - w.last%s.size) % s.size
			if w.end-pos < n+slack {
				w.grow(pos, n+slack)
			}
			for k := range n {
				w.mem.Store8(pos+k, byte(s.fill))
			}
			pos += n
		default:
			from := pos
			if op.placed {
				from = run + int(op.off)
			}
			to := w.part(op, x, from, base)
			if to < 0 {
				return wrong
			}
			w.frame, w.last = w.regs[base:], 0
			if !op.placed {
				w.last, pos = to-from, to
			}
		}
	}
	return pos
}

// pass makes the arguments of an operation the last registers.
func (w *planWriter) pass(m *putMore, base int) {
	for _, r := range m.args {
		if r < 0 {
			w.regs = append(w.regs, m.given[-1-r])
		} else {
			w.regs = append(w.regs, w.regs[base+int(r)])
		}
	}
}

// sum returns the word of numbers of fields of a record. It is not ok if one does not fit.
func (op *putOp) sum(x place) (n uint64, ok bool) {
	n = uint64(op.n)
	over := uint64(0)
	terms := op.more.terms
	for i := range terms {
		t := &terms[i]
		at := x.field(uintptr(t.at), nil)
		var u uint64
		switch t.kind {
		case termByte:
			u = uint64(at.get8())
		case termText:
			u = uint64(len(at.getText()))
		case termList:
			u = uint64(at.length())
		default:
			u = at.integer(t.kind, false)
		}
		over |= u >> (t.width & 63)
		n += u << (t.shift & 63)
	}
	return n, over == 0
}
