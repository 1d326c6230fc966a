// The loop that runs the operations of writing that need calls.

package codec

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// put runs operations for the record in x, whose registers begin at base.
func (w *planWriter) put(ops []putOp, x place, pos, base int) int {
	around, floor := w.base, w.floor
	w.base, w.floor = base, w.top
	o, run := putsAt(ops), pos
	for {
		if o, x, run, pos = w.leaf(o, x, run, pos); pos == wrong {
			break
		}
		op := o.op()
		w.leaves++
		if op.code == putEnd {
			break
		}
		if op.code == putPairs && w.apart(op, x) {
			continue
		}
		if pos = w.call(op, x, run, pos); pos == wrong {
			break
		}
		if op.code == putRun {
			run = pos - int(op.off)
		}
		o = o.skip(1)
	}
	w.base, w.floor = around, floor
	return pos
}

// apart reports whether the loop may write the pairs of an operation, as their keys differ. The loop has left them for
// that.
func (w *planWriter) apart(op *putOp, x place) bool {
	if w.differs || op.more.enter == nil {
		w.differs = false
		return false
	}
	to := x.field(op.at, op.field)
	size := to.length()
	w.differs = size > 1 && size <= math.MaxInt32/2 && w.differ(op.more.step, to.slice(uintptr(op.more.step.op.size)), size)
	return w.differs
}

// call runs an operation that needs calls, for the record in x, and returns the place behind it.
func (w *planWriter) call(op *putOp, x place, run, pos int) int {
	base := w.base
	frame := w.regs[base:cap(w.regs)]
	if op.more != nil {
		w.regs = w.regs[:base+op.more.top]
	}
	switch op.code {
	case putRun:
		w.grow(pos, int(op.off)+slack)
		return pos + int(op.off)
	case putAny:
		if !op.more.move.store(w.mem, run, x.field(op.at, op.field), !w.c.opt.Exact) {
			return wrong
		}
	case putWord:
		n, ok := op.more.word.number(x)
		if !ok {
			return wrong
		}
		if op.off >= 0 {
			interp.StoreNumber(w.mem, run+int(op.off), op.scalar, op.big, n)
		}
		if op.reg != none {
			frame[op.reg] = n
		}
	case putLoad:
		frame[op.reg] = interp.LoadNumber(w.mem, run+int(op.off), op.scalar, op.big)
	case putSum:
		frame[op.reg] = op.more.step.sum.Of(w.mem.Bytes(0, pos), frame)
	case putFits:
		if frame[op.a]>>(op.n&63) != 0 {
			return wrong
		}
	case putOp2:
		frame[op.reg] = uint64(bytecode.ExprOp(op.mask).Compute(int64(frame[op.a]), int64(frame[op.b]), 0))
	case putQuick, putEval, putTable, putCheckTable, putStopTable:
		if !w.compute(op, x, base, frame) {
			return wrong
		}
	case putBytes:
		x.field(op.at, op.field).slice(1).wireFew(w.mem, run+int(op.off), int(op.n))
	case putUnion:
		return w.union(op.more.enter, x, pos, base)
	case putLeft:
		if s := op.more.step; s.left(x.field(op.at, op.field)) != (s.code == recordAbsent) {
			return wrong
		}
	case putPadding:
		s := op.more.step
		n := (s.size - int(frame[op.a])%s.size) % s.size
		if w.end-pos < n+slack {
			w.grow(pos, n+slack)
		}
		for k := range n {
			w.mem.Store8(pos+k, byte(s.fill))
		}
		return pos + n
	case putCoded:
		return w.coded(op, x, pos, frame)
	case putPatchCoded:
		return w.patchCoded(op, pos, frame)
	case putChoose:
		place, held := w.placed.Choose()
		if op.reg != none {
			frame[op.reg] = place
		}
		if op.b != none {
			frame[op.b] = held
		}
	case putTotal:
		frame[op.reg] = w.total(op.more.step, pos, frame)
	case putPlaces:
		if op.placed {
			return w.place(op, run+int(op.off), pos, frame)
		}
		return w.place(op, pos, pos, frame)
	case putGaps:
		return w.gaps(op, x, pos)
	default:
		from := pos
		if op.placed {
			from = run + int(op.off)
		}
		to := w.part(op, x, from, base)
		if to == wrong {
			return wrong
		}
		if !op.placed {
			return to
		}
	}
	return pos
}

// compute evaluates the expression of an operation, and reports whether the record may go on.
func (w *planWriter) compute(op *putOp, x place, base int, frame []uint64) bool {
	n, ok := w.evaluate(op.more.expr, x, base)
	switch {
	case !ok:
		return false
	case op.code == putCheckTable:
		return n != 0
	case op.code == putStopTable:
		w.stop = n != 0
	default:
		frame[op.reg] = uint64(n)
	}
	return true
}

// refuses reports whether a list may not have a number of elements.
func (op *putOp) refuses(size int, frame putFrame) bool {
	return op.check && (op.a == none && op.n != int64(size) || op.a != none && frame.get(op.a) != uint64(size))
}

// over reports whether a number does not fit its row.
func (op *putOp) over(n uint64) bool { return (n+1<<(op.shift&63)>>1)&op.mask != 0 }

// variant returns the plan of the elements of a list for arguments in registers, or nil without one.
func (m *putMore) variant(frame putFrame) *recordPlan {
	key, over := uint64(0), uint64(0)
	for i, r := range m.decides {
		n := frame.get(r)
		key, over = key|n<<(i&63), over|n
	}
	if over > 1 || key >= uint64(len(m.variants)) {
		return nil
	}
	return m.variants[key]
}

// pass gives the arguments of an operation, which are registers or numbers, to the registers of a record.
func (m *putMore) pass(from, to putFrame) {
	for k, r := range m.args {
		if r < 0 {
			to.set(int32(k), m.given[-1-r])
		} else {
			to.set(int32(k), from.get(r))
		}
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
