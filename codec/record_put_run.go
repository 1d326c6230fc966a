// The loop that runs the operations of writing that need calls.

package codec

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// put runs operations for the record in x, whose registers begin at base.
func (w *planWriter) put(ops []putOp, x place, pos, base int) int {
	around, floor := w.base, w.floor
	w.base, w.floor = base, len(w.calls)
	pos = w.leaf(putsAt(ops), x, pos)
	w.base, w.floor = around, floor
	return pos
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
		if op.reg >= 0 {
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
		n, ok := w.evaluate(op.more.expr, x, base)
		switch {
		case !ok:
			return wrong
		case op.code == putCheckTable:
			if n == 0 {
				return wrong
			}
		case op.code == putStopTable:
			w.stop = n != 0
		default:
			frame[op.reg] = uint64(n)
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
		n := (s.size - w.last%s.size) % s.size
		if w.end-pos < n+slack {
			w.grow(pos, n+slack)
		}
		for k := range n {
			w.mem.Store8(pos+k, byte(s.fill))
		}
		return pos + n
	default:
		from := pos
		if op.placed {
			from = run + int(op.off)
		}
		to := w.part(op, x, from, base)
		if to < 0 {
			return wrong
		}
		if !op.placed {
			w.last = to - from
			return to
		}
	}
	return pos
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
