// The loop that runs the operations of reading.

package codec

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// get runs operations for the Go value at x, whose registers begin at base. If fresh is true, slices in x may not use
// their memory again.
func (r *planReader) get(ops []getOp, x place, pos, base int, fresh bool) int {
	in, frame, run := r.in, registersOf(r.regs[base:]), pos
	for i := 0; i < len(ops); i++ {
		op := &ops[i]
		switch op.code {
		case getFail:
			return wrong
		case getRun:
			if r.end-pos < int(op.off) {
				return wrong
			}
			run = pos
			pos += int(op.off)
		case get8:
			x.field(op.at, op.field).put8(in.Load8(run + int(op.off)))
		case get16:
			x.field(op.at, op.field).put16(in.Load16(run + int(op.off)))
		case get16Big:
			x.field(op.at, op.field).put16(bits.ReverseBytes16(in.Load16(run + int(op.off))))
		case get32:
			x.field(op.at, op.field).put32(in.Load32(run + int(op.off)))
		case get32Big:
			x.field(op.at, op.field).put32(bits.ReverseBytes32(in.Load32(run + int(op.off))))
		case get64: // also two numbers of 32 bits
			x.field(op.at, op.field).put64(in.Load64(run + int(op.off)))
		case get64Big:
			x.field(op.at, op.field).put64(bits.ReverseBytes64(in.Load64(run + int(op.off))))
		case getPair16Big:
			x.field(op.at, op.field).put32(bits.RotateLeft32(bits.ReverseBytes32(in.Load32(run+int(op.off))), 16))
		case getPair32Big:
			x.field(op.at, op.field).put64(loadPairs(in.Load64(run+int(op.off)), op.shift, uint8(op.n)))
		case getBits:
			x.field(op.at, op.field).putSize(uint32(op.size), op.word(in, run+int(op.off))>>(op.shift&63)&op.mask)
		case getGather:
			op.more.move.gather.move(in, run+int(op.off), x.field(op.at, op.field))
		case getDouble:
			x.field(op.at, op.field).lanes16(in, run+int(op.off))
		case getPointed:
			at := x.field(op.at, op.field)
			to, ok := at.pointed()
			if !ok {
				to = r.reached(at, op.more.move.slab)
			}
			to.putSize(uint32(op.size), op.word(in, run+int(op.off))>>(op.shift&63)&op.mask)
		case getAny:
			if !op.more.move.move(r, in, run, x.field(op.at, op.field)) {
				return wrong
			}
		case getLoad:
			*frame.at(op.reg) = interp.LoadNumber(in, run+int(op.off), op.more.scalar, op.more.big)
		case getLoad8:
			*frame.at(op.reg) = uint64(in.Load8(run + int(op.off)))
		case getLoad16:
			*frame.at(op.reg) = uint64(in.Load16(run + int(op.off)))
		case getLoad16Big:
			*frame.at(op.reg) = uint64(bits.ReverseBytes16(in.Load16(run + int(op.off))))
		case getLoad32:
			*frame.at(op.reg) = uint64(in.Load32(run + int(op.off)))
		case getLoad32Big:
			*frame.at(op.reg) = uint64(bits.ReverseBytes32(in.Load32(run + int(op.off))))
		case getTake:
			if !op.more.move.set(r, *frame.at(op.a), x.field(op.at, op.field)) {
				return wrong
			}
		case getTakeBits:
			x.field(op.at, op.field).putSize(uint32(op.size), *frame.at(op.a)>>(op.shift&63)&op.mask)
		case getSet:
			*frame.at(op.reg) = uint64(op.n)
		case getLinear:
			*frame.at(op.reg) = *frame.at(op.a)>>(op.shift&63)&op.mask*uint64(op.times) + uint64(op.n)
		case getQuick:
			*frame.at(op.reg) = uint64(op.more.expr.quick(r.regs[base+int(op.base):]))
		case getHolds, getCheckHolds, getUnlessHolds, getStopHolds:
			holds := false
			if n := *frame.at(op.a); n < 256 {
				holds = op.more.expr.holds[n>>6]>>(n&63)&1 != 0
			} else if m, ok := r.operate(op.more.expr, pos, base+int(op.base)); ok {
				holds = m != 0
			} else {
				return wrong
			}
			switch op.code {
			case getHolds:
				*frame.at(op.reg) = uint64(truth(holds))
			case getStopHolds:
				r.stop = holds
			case getUnlessHolds:
				if !holds {
					i += int(op.off)
				}
			default:
				if !holds {
					return wrong
				}
			}
		case getEqual:
			*frame.at(op.reg) = uint64(truth(*frame.at(op.a)>>(op.shift&63)&op.mask == uint64(op.n)))
		case getAdd:
			*frame.at(op.reg) = *frame.at(op.a) + *frame.at(op.b)
		case getSub:
			*frame.at(op.reg) = *frame.at(op.a) - *frame.at(op.b)
		case getMul:
			*frame.at(op.reg) = *frame.at(op.a) * *frame.at(op.b)
		case getOp2:
			*frame.at(op.reg) = uint64(bytecode.ExprOp(op.mask).Compute(int64(*frame.at(op.a)), int64(*frame.at(op.b)), 0))
		case getEval:
			n, ok := r.operate(op.more.expr, pos, base+int(op.base))
			if !ok {
				return wrong
			}
			*frame.at(op.reg) = uint64(n)
		case getCheckEq:
			if *frame.at(op.a)>>(op.shift&63)&op.mask != uint64(op.n) {
				return wrong
			}
		case getCheck:
			if n, ok := r.evaluate(op.more.expr, pos, base+int(op.base)); !ok || n == 0 {
				return wrong
			}
		case getSame:
			if *frame.at(op.a) != *frame.at(op.b) {
				return wrong
			}
		case getUnlessEq:
			if *frame.at(op.a)>>(op.shift&63)&op.mask != uint64(op.n) {
				i += int(op.off)
			}
		case getUnless:
			if n, ok := r.evaluate(op.more.expr, pos, base+int(op.base)); !ok {
				return wrong
			} else if n == 0 {
				i += int(op.off)
			}
		case getJump:
			i += int(op.off)
		case getKeep:
			*frame.at(op.reg) = uint64(run)
		case getBack:
			run = int(*frame.at(op.a))
		case getMark:
			*frame.at(op.reg) = uint64(pos)
		case getMarkRun:
			*frame.at(op.reg) = uint64(run + int(op.off))
		case getSize:
			*frame.at(op.reg) = uint64(pos) - *frame.at(op.a)
		case getSizeRun:
			*frame.at(op.reg) = uint64(run+int(op.off)) - *frame.at(op.a)
		case getSum:
			*frame.at(op.reg) = op.more.step.sum.Of(r.b, r.regs[base+int(op.base):])
		case getEnter:
			n := op.amount(frame)
			if uint64(n) > uint64(r.end-pos) {
				return wrong
			}
			r.ends = append(r.ends, r.end)
			r.end = pos + int(n)
		case getLeave:
			if pos != r.end {
				return wrong
			}
			r.end = r.ends[len(r.ends)-1]
			r.ends = r.ends[:len(r.ends)-1]
		case getStop:
			n, ok := r.evaluate(op.more.expr, pos, base+int(op.base))
			if !ok {
				return wrong
			}
			r.stop = n != 0
		case getAbsent:
			if r.clear && !fresh {
				op.more.step.zero(x.field(op.at, op.field))
			}
		case getNil:
			if r.clear && !fresh {
				x.field(op.at, op.field).forget()
			}
		case getPadding:
			begin := pos
			if op.a >= 0 {
				begin = int(*frame.at(op.a))
			}
			if pos = op.more.step.padding(r, pos, pos-begin); pos < 0 {
				return wrong
			}
		case getFixed:
			at, n := run+int(op.off), int(op.n)
			if to := x.field(op.at, op.field); r.alias {
				to.share(r.b[at : at+n : at+n])
			} else {
				r.bytes(op.more.step, to, at, n, fresh)
			}
		case getText:
			n := op.amount(frame)
			if uint64(n) > math.MaxInt32 {
				return wrong
			}
			if pos = r.textOf(op.more.step, x.field(op.at, op.field), pos, int(n)); pos < 0 {
				return wrong
			}
		case getBytes:
			n := r.end - pos
			if op.size == 0 {
				if m := op.amount(frame); uint64(m) > uint64(n) {
					return wrong
				} else {
					n = int(m)
				}
			}
			if pos = r.bytes(op.more.step, x.field(op.at, op.field), pos, n, fresh); pos < 0 {
				return wrong
			}
		case getUnion:
			rec := op.more.step.elem
			if rec.clears {
				clear(r.regs[base+int(op.n)+rec.args : base+int(op.n)+rec.regs])
			}
			if pos = r.union(rec, x.field(op.at, op.field), pos, base+int(op.n), fresh); pos < 0 {
				return wrong
			}
			frame = registersOf(r.regs[base:])
		default:
			from := pos
			if op.size != 0 {
				from = run + int(op.off)
			}
			to := r.part(op.more.step, x.field(op.at, op.field), from, run+int(op.n), base+int(op.base), fresh)
			if to < 0 {
				return wrong
			}
			if frame = registersOf(r.regs[base:]); op.size == 0 {
				pos = to
			}
		}
	}
	return pos
}

// amount returns the number of an operation: constant, or of a register.
func (op *getOp) amount(frame registers) int64 {
	if op.a < 0 {
		return op.n
	}
	return int64(*frame.at(op.a)>>(op.shift&63)&op.mask*uint64(op.times)) + op.n
}

// word returns the word that an operation takes bits of.
func (op *getOp) word(in memory.View, at int) uint64 {
	switch op.form {
	case 1:
		return uint64(in.Load8(at))
	case 2:
		return uint64(in.Load16(at))
	case 2 | formBig:
		return uint64(bits.ReverseBytes16(in.Load16(at)))
	case 4:
		return uint64(in.Load32(at))
	default:
		return uint64(bits.ReverseBytes32(in.Load32(at)))
	}
}

// padding reads the padding behind a part of a number of bytes and returns where it ends, or wrong.
func (s *recordStep) padding(r *planReader, pos, last int) int {
	n := (s.size - last%s.size) % s.size
	if n > r.end-pos {
		if !s.bare {
			return wrong
		}
		n = r.end - pos
	}
	for k := 0; s.fill >= 0 && k < n; k++ {
		if int(r.b[pos+k]) != s.fill {
			return wrong
		}
	}
	return pos + n
}
