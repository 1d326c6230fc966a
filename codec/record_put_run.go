// The loop that runs the operations of writing.

package codec

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// put runs operations for the record in x, whose registers begin at base.
func (w *planWriter) put(ops []putOp, x place, pos, base int) int {
	mem, frame, last := w.mem, w.regs[base:], 0
	run := pos
	for i := 0; i < len(ops); i++ {
		op := &ops[i]
		switch op.code {
		case putFail:
			return wrong
		case putRun:
			if n := int(op.off) + slack; w.end-pos < n {
				w.grow(pos, n)
				mem = w.mem
			}
			run = pos
			pos += int(op.off)
		case put8:
			mem.Store8(run+int(op.off), x.field(op.at, op.field).get8())
		case put16:
			mem.Store16(run+int(op.off), x.field(op.at, op.field).get16())
		case put16Big:
			mem.Store16(run+int(op.off), bits.ReverseBytes16(x.field(op.at, op.field).get16()))
		case put32:
			mem.Store32(run+int(op.off), x.field(op.at, op.field).get32())
		case put32Big:
			mem.Store32(run+int(op.off), bits.ReverseBytes32(x.field(op.at, op.field).get32()))
		case put64:
			mem.Store64(run+int(op.off), x.field(op.at, op.field).get64())
		case put64Big:
			mem.Store64(run+int(op.off), bits.ReverseBytes64(x.field(op.at, op.field).get64()))
		case putReg8:
			u := x.field(op.at, op.field).get8()
			mem.Store8(run+int(op.off), u)
			frame[op.reg] = uint64(u)
		case putReg16:
			u := x.field(op.at, op.field).get16()
			mem.Store16(run+int(op.off), u)
			frame[op.reg] = uint64(u)
		case putReg16Big:
			u := x.field(op.at, op.field).get16()
			mem.Store16(run+int(op.off), bits.ReverseBytes16(u))
			frame[op.reg] = uint64(u)
		case putReg32:
			u := x.field(op.at, op.field).get32()
			mem.Store32(run+int(op.off), u)
			frame[op.reg] = uint64(u)
		case putReg32Big:
			u := x.field(op.at, op.field).get32()
			mem.Store32(run+int(op.off), bits.ReverseBytes32(u))
			frame[op.reg] = uint64(u)
		case putPair16Big:
			mem.Store32(run+int(op.off), bits.ReverseBytes32(bits.RotateLeft32(x.field(op.at, op.field).get32(), 16)))
		case putPair32Big:
			mem.Store64(run+int(op.off), loadPairs(x.field(op.at, op.field).get64(), op.shift, uint8(op.n)))
		case putSingle, putSingleBig:
			u := x.field(op.at, op.field).get32()
			if 0x7f800000-u&0x7fffffff >= 1<<31 {
				return wrong // a NaN
			}
			if op.code == putSingleBig {
				u = bits.ReverseBytes32(u)
			}
			mem.Store32(run+int(op.off), u)
		case putAny:
			if !op.more.move.store(mem, run, x.field(op.at, op.field), !w.c.opt.Exact) {
				return wrong
			}
		case putBytes:
			at := x.field(op.at, op.field)
			if at.length() != int(op.n) {
				return wrong
			}
			at.slice(1).wireFew(mem, run+int(op.off), int(op.n))
		case putConst:
			op.store(mem, run+int(op.off), uint64(op.n))
			if op.reg >= 0 {
				frame[op.reg] = uint64(op.n)
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
				op.store(mem, run+int(op.off), n)
			}
			if op.reg >= 0 {
				frame[op.reg] = n
			}
		case putLength:
			n := uint64(x.field(op.at, nil).length())
			if n&op.mask != 0 {
				return wrong
			}
			n = n<<(op.shift&63) + uint64(op.n)
			if op.off >= 0 {
				op.store(mem, run+int(op.off), n)
			}
			if op.reg >= 0 {
				frame[op.reg] = n
			}
		case putLoad:
			frame[op.reg] = interp.LoadNumber(mem, run+int(op.off), op.scalar, op.big)
		case putLoad8:
			frame[op.reg] = uint64(mem.Load8(run + int(op.off)))
		case putLoad16:
			frame[op.reg] = uint64(mem.Load16(run + int(op.off)))
		case putLoad16Big:
			frame[op.reg] = uint64(bits.ReverseBytes16(mem.Load16(run + int(op.off))))
		case putLoad32:
			frame[op.reg] = uint64(mem.Load32(run + int(op.off)))
		case putLoad32Big:
			frame[op.reg] = uint64(bits.ReverseBytes32(mem.Load32(run + int(op.off))))
		case putHead:
			op.store(mem, run+int(op.off), frame[op.a])
		case putHold:
			op.store(mem, run+int(op.off), 0)
			frame[op.reg] = uint64(run + int(op.off))
			if op.b >= 0 {
				frame[op.b] = 0
			}
		case putHoldMark:
			op.store(mem, run+int(op.off), 0)
			frame[op.reg] = uint64(run + int(op.off))
			frame[op.b] = uint64(run) + uint64(op.n)
		case putFit:
			n := frame[op.a]
			op.store(mem, run+int(op.off), n)
			if op.reg >= 0 {
				frame[op.reg] = n
			}
			if !interp.Fits(op.scalar, int64(n)) {
				return wrong
			}
		case putPatch:
			n := frame[op.b]
			op.store(mem, int(frame[op.a]), n)
			if op.reg >= 0 {
				frame[op.reg] = n
			}
			if !interp.Fits(op.scalar, int64(n)) {
				return wrong
			}
		case putSizePatch:
			n := uint64(pos) - frame[op.a] + uint64(op.n)
			op.store(mem, int(frame[op.b]), n)
			if op.reg >= 0 {
				frame[op.reg] = n
			}
			if !interp.Fits(op.scalar, int64(n)) {
				return wrong
			}
		case putMark:
			frame[op.reg] = uint64(pos)
			if op.b >= 0 {
				frame[op.b] = uint64(pos)
			}
		case putMarkRun:
			frame[op.reg] = uint64(run + int(op.off))
			if op.b >= 0 {
				frame[op.b] = uint64(run + int(op.off))
			}
		case putSize:
			frame[op.reg] = uint64(pos) - frame[op.a]
		case putSizeRun:
			frame[op.reg] = uint64(run+int(op.off)) - frame[op.a]
		case putSum:
			frame[op.reg] = op.more.step.sum.Of(mem.Bytes(0, pos), frame)
		case putSet:
			frame[op.reg] = uint64(op.n)
		case putPick:
			frame[op.reg] = frame[op.a] >> (op.shift & 63) & op.mask
		case putAddN:
			frame[op.reg] = frame[op.a]>>(op.shift&63)&op.mask + uint64(op.n)
		case putEqN:
			frame[op.reg] = uint64(truth(frame[op.a]>>(op.shift&63)&op.mask == uint64(op.n)))
		case putQuick:
			frame[op.reg] = uint64(op.more.expr.quick(frame))
		case putEval:
			n, ok := w.evaluate(op.more.expr, x, base)
			if !ok {
				return wrong
			}
			frame[op.reg] = uint64(n)
		case putAdd:
			frame[op.reg] = frame[op.a] + frame[op.b]
		case putSub:
			frame[op.reg] = frame[op.a] - frame[op.b]
		case putMul:
			frame[op.reg] = frame[op.a] * frame[op.b]
		case putEq:
			frame[op.reg] = uint64(truth(frame[op.a] == frame[op.b]))
		case putOp2:
			frame[op.reg] = uint64(bytecode.ExprOp(op.mask).Compute(int64(frame[op.a]), int64(frame[op.b]), 0))
		case putFits:
			if frame[op.a]>>(op.n&63) != 0 {
				return wrong
			}
		case putCheck:
			if frame[op.a] == 0 {
				return wrong
			}
		case putCheckEq:
			if frame[op.a]>>(op.shift&63)&op.mask != uint64(op.n) {
				return wrong
			}
		case putCheckTable:
			if n := frame[op.a]; n < 256 && op.more.table[n] != tableLack {
				if op.more.table[n] == 0 {
					return wrong
				}
			} else if n, ok := w.evaluate(op.more.expr, x, base); !ok || n == 0 {
				return wrong
			}
		case putCheckSame:
			if frame[op.a] != frame[op.b] {
				return wrong
			}
		case putUnless:
			if frame[op.a] == 0 {
				i += int(op.off)
			}
		case putUnlessEq:
			if frame[op.a]>>(op.shift&63)&op.mask != uint64(op.n) {
				i += int(op.off)
			}
		case putJump:
			i += int(op.off)
		case putKeep:
			frame[op.reg] = uint64(run)
		case putBack:
			run = int(frame[op.a])
		case putStop:
			w.stop = frame[op.a] != 0
		case putStopTable:
			if n := frame[op.a]; n < 256 && op.more.table[n] != tableLack {
				w.stop = op.more.table[n] != 0
			} else {
				n, ok := w.evaluate(op.more.expr, x, base)
				if !ok {
					return wrong
				}
				w.stop = n != 0
			}
		case putNil:
			if op.n > 1 {
				if !x.field(op.at, nil).allNil(int(op.n)) {
					return wrong
				}
			} else if _, ok := x.field(op.at, op.field).pointed(); ok {
				return wrong
			}
		case putPointed8:
			at, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return wrong
			}
			mem.Store8(run+int(op.off), at.get8())
		case putPointed16Big:
			at, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return wrong
			}
			mem.Store16(run+int(op.off), bits.ReverseBytes16(at.get16()))
		case putPointed32Big:
			at, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return wrong
			}
			mem.Store32(run+int(op.off), bits.ReverseBytes32(at.get32()))
		case putPointed:
			at, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return wrong
			}
			op.store(mem, run+int(op.off), at.integer(uint8(op.scalar.Width()), false))
		case putTable:
			if n := frame[op.a]; n < 256 && op.more.table[n] != tableLack {
				frame[op.reg] = uint64(op.more.table[n])
			} else {
				n, ok := w.evaluate(op.more.expr, x, base)
				if !ok {
					return wrong
				}
				frame[op.reg] = uint64(n)
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
			mem, frame, last = w.mem, w.regs[base:], pos-begin
		case putElems:
			at := x.field(op.at, op.field)
			n := at.length()
			if n > math.MaxInt32 || op.check && op.a < 0 && op.n != int64(n) || op.check && op.a >= 0 && frame[op.a] != uint64(n) {
				return wrong
			}
			if n == 0 && !op.more.step.through {
				last = 0
				continue
			}
			begin := pos
			if pos = w.recordList(op, at, n, pos, base); pos < 0 {
				return wrong
			}
			mem, frame, last = w.mem, w.regs[base:], pos-begin
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
					want = int64(frame[op.a])
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
			mem, last = w.mem, pos-begin
		case putLeft:
			if s := op.more.step; s.left(x.field(op.at, op.field)) != (s.code == recordAbsent) {
				return wrong
			}
		case putPadding:
			s := op.more.step
			n := (s.size - last%s.size) % s.size
			if w.end-pos < n+slack {
				w.grow(pos, n+slack)
				mem = w.mem
			}
			for k := range n {
				mem.Store8(pos+k, byte(s.fill))
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
			mem, frame, last = w.mem, w.regs[base:], 0
			if !op.placed {
				last, pos = to-from, to
			}
		}
	}
	return pos
}

// store writes a number of the operation.
func (op *putOp) store(mem memory.View, at int, n uint64) {
	switch op.form {
	case 1:
		mem.Store8(at, uint8(n))
	case 2:
		mem.Store16(at, uint16(n))
	case 2 | formBig:
		mem.Store16(at, bits.ReverseBytes16(uint16(n)))
	case 4:
		mem.Store32(at, uint32(n))
	case 4 | formBig:
		mem.Store32(at, bits.ReverseBytes32(uint32(n)))
	default:
		interp.StoreNumber(mem, at, op.scalar, op.big, n)
	}
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
		case termGather:
			u = at.get64() << ((64 - 8*t.width) & 63)
			over |= u & 0xfefefefefefefefe
			n += (u * 0x8040201008040201 >> 56) << (t.shift & 63)
			continue
		default:
			u = at.integer(t.kind, false)
		}
		over |= u >> (t.width & 63)
		n += u << (t.shift & 63)
	}
	return n, over == 0
}
