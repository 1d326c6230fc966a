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
	pos = w.operate(putsAt(ops), x, pos)
	w.base, w.floor = around, floor
	return pos
}

// operate runs the operations of a list.
func (w *planWriter) operate(o putAt, x place, pos int) int {
	run, last := pos, 0
	for ; ; o = o.skip(1) {
		if o, x, run, pos = w.leaf(o, x, run, pos); pos < 0 {
			return wrong
		}
		op, base := o.op(), w.base
		frame := w.regs[base:cap(w.regs)]
		if op.more != nil {
			w.regs = w.regs[:base+op.more.top]
		}
		switch op.code {
		case putEnd:
			return pos
		case putRun:
			w.grow(pos, int(op.off)+slack)
			run = pos
			pos += int(op.off)
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
		case putOp2:
			frame[op.reg] = uint64(bytecode.ExprOp(op.mask).Compute(int64(frame[op.a]), int64(frame[op.b]), 0))
		case putQuick, putEval, putTable, putCheckTable, putStopTable:
			n, ok := w.evaluate(op.more.expr, x, base)
			if !ok {
				return wrong
			}
			switch op.code {
			case putCheckTable:
				if n == 0 {
					return wrong
				}
			case putStopTable:
				w.stop = n != 0
			default:
				frame[op.reg] = uint64(n)
			}
		case putBytes:
			x.field(op.at, op.field).slice(1).wireFew(w.mem, run+int(op.off), int(op.n))
		case putUnion:
			if pos = w.union(op.more.enter, x, pos, base); pos < 0 {
				return wrong
			}
		case putLeft:
			if s := op.more.step; s.left(x.field(op.at, op.field)) != (s.code == recordAbsent) {
				return wrong
			}
		case putPadding:
			s := op.more.step
			n := (s.size - last%s.size) % s.size
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
			if last = 0; !op.placed {
				last, pos = to-from, to
			}
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
