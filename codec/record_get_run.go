// Running the operations of reading: those that need a call.

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
	outer, floor, before := r.base, r.floor, r.fresh
	r.base, r.floor, r.fresh = base, r.top, fresh
	o, run := getsAt(ops), pos
	for {
		if o, x, run, pos = r.leaf(o, x, run, pos); pos == wrong {
			return r.abandon()
		}
		jump := 1
		r.leaves++
		switch op := o.op(); {
		case op.code == getElems:
			o, x, pos = r.begin(o, x, run, pos)
			jump = 0
		case op.code == getInto:
			o, x, pos = r.inside(o, x, run, pos)
			jump = 0
		case op.code != getEnd:
			pos, jump = r.called(op, x, run, pos)
		case r.top > r.floor:
			o, x = r.advance()
			jump = 0
		default:
			r.base, r.floor, r.fresh = outer, floor, before
			return pos
		}
		if pos == wrong {
			return r.abandon()
		}
		o = o.skip(jump)
	}
}

// abandon leaves the lists that are being read. Values read the packet again.
func (r *planReader) abandon() int {
	for ; r.top > r.floor; r.top-- {
		if l := &r.levels[r.top-1]; l.list && !l.counted {
			l.slot.room(min(l.next, l.have))
		}
	}
	return wrong
}

// begin begins the list of an operation. It returns the next operation, and the Go value that it is of: those of the first
// element if the loop reads the list.
func (r *planReader) begin(o getAt, x place, run, pos int) (getAt, place, int) {
	op := o.op()
	s, at, next := op.more.step, x.field(op.at, op.field), o.skip(1)
	base, regs, depth := r.base+int(op.base), len(r.regs), r.depth
	own := r.base + op.more.own
	if r.top == len(r.levels) {
		return next, x, r.recordList(s, at, pos, run+int(op.off), base, r.fresh)
	}
	n, counted := 0, !s.through && !s.tail
	if counted {
		if n = (r.end - pos) / max(1, s.size); op.size == elemsCounted {
			n = countOf(op.amount(registersOf(r.regs[r.base:])))
		}
	}
	if op.more.own == none {
		own = regs
		r.pass(s.args, pos, base)
	}
	elem := s.element(r.regs[own:])
	if op.more.own == none {
		if elem.clears || !elem.covered {
			r.regs = r.regs[:regs]
			return next, x, r.recordList(s, at, pos, run+int(op.off), base, r.fresh)
		}
		if _, ok := r.push(elem); !ok {
			return next, x, wrong
		}
	}
	l := &r.levels[r.top]
	l.list, l.counted, l.step, l.elem, l.slot, l.had = true, counted, s, elem, at, 0
	if counted {
		if !s.holds(n, r.end-pos) {
			return next, x, wrong
		}
		kept, again := 0, false
		if r.same && !r.fresh && elem.covered {
			if _, again = at.room(n); again {
				kept = n
			}
		}
		if !again {
			kept = r.listed(s, at, n, r.fresh)
		}
		if flat := elem.flat && (elem.whole || kept == 0); flat || n == 0 {
			if flat {
				pos = r.columns(elem, at.slice(uintptr(s.op.size)), n, pos)
			}
			r.regs, r.depth = r.regs[:regs], depth
			return next, x, pos
		}
		l.have, l.kept = n, kept
	} else {
		if r.fresh {
			at.drop()
		}
		if l.kept, l.have = at.spread(); !r.keep || !elem.stale {
			l.kept = 0
		}
		if elem.stale {
			if l.had = l.have; r.same && !r.fresh && elem.covered {
				l.kept = l.have
			}
		}
		if l.have == 0 {
			l.have = r.extend(s, at, 0)
		}
		n = 2
	}
	l.o, l.x, l.run, l.base, l.regs, l.depth, l.fresh, l.nested, l.more = next, x, run, r.base, regs, depth, r.fresh, r.nested, r.more
	l.start, l.elems = getsAt(elem.entered()), at.slice(uintptr(s.op.size))
	r.top++
	r.base, r.nested = own, true
	r.more = n - 1
	o, x = r.enterElement(l, 0)
	return o, x, pos
}

// inside begins the union of an operation, as begin does.
func (r *planReader) inside(o getAt, x place, run, pos int) (getAt, place, int) {
	op := o.op()
	s, at, next := op.more.step, x.field(op.at, op.field), o.skip(1)
	base, regs, depth := r.base+int(op.base), len(r.regs), r.depth
	if r.top == len(r.levels) {
		return next, x, r.part(s, at, pos, 0, base, r.fresh)
	}
	r.pass(s.args, pos, base)
	own, ok := r.push(s.elem)
	if !ok {
		return next, x, wrong
	}
	l := &r.levels[r.top]
	l.o, l.x, l.run, l.base, l.regs, l.depth, l.fresh, l.nested, l.list = next, x, run, r.base, regs, depth, r.fresh, r.nested, false
	r.top++
	r.base = own
	return getsAt(s.elem.entry), at, pos
}

// advance begins the next element of a list, for which there may be no room.
func (r *planReader) advance() (o getAt, x place) {
	l := &r.levels[r.top-1]
	k := l.next + 1
	if k == l.have {
		l.have = r.extend(l.step, l.slot, k)
		l.elems = l.slot.slice(uintptr(l.step.op.size))
	}
	return r.enterElement(l, k)
}

// enterElement begins an element of a list.
func (r *planReader) enterElement(l *getLevel, k int) (o getAt, x place) {
	x = l.elems.at(k)
	if k >= l.kept && k < l.had {
		x.of(&l.elem.zero).SetZero()
	}
	l.next, r.stop, r.fresh = k, false, k >= l.kept
	return l.start, x
}

// entered returns the operations of a value that the loop enters.
func (rec *recordPlan) entered() []getOp {
	if rec.union != nil {
		return rec.entry
	}
	return rec.gets
}

// countOf returns a number of parts, or -1 if it is too large or negative.
func countOf(n int64) int {
	if uint64(n) > math.MaxInt32 {
		return none
	}
	return int(n)
}

// holds reports whether a region of some bytes may have n elements.
func (s *recordStep) holds(n, bytes int) bool {
	return n >= 0 && uint64(n)*uint64(s.least) <= uint64(bytes) && (!s.count.rest || n*s.size == bytes)
}

// called runs an operation that needs a call. It returns the place behind it, and how many operations further the next one
// is.
func (r *planReader) called(op *getOp, x place, run, pos int) (next, jump int) {
	in, base, frame := r.in, r.base, registersOf(r.regs[r.base:])
	jump = 1
	switch op.code {
	case getAny:
		if !op.more.move.move(r, in, run, x.field(op.at, op.field)) {
			return wrong, 0
		}
	case getPointed:
		to := r.reached(x.field(op.at, op.field), op.more.move.slab)
		to.putSize(uint32(op.size), bitsAt(op.word(in, run+int(op.off)), op.shift, op.mask))
	case getLoad:
		*frame.at(op.reg) = interp.LoadNumber(in, run+int(op.off), op.more.scalar, op.more.big)
	case getTake:
		if !op.more.move.set(r, *frame.at(op.a), x.field(op.at, op.field)) {
			return wrong, 0
		}
	case getQuick:
		*frame.at(op.reg) = uint64(op.more.expr.quick(r.regs[base+int(op.base):]))
	case getOp2:
		*frame.at(op.reg) = uint64(bytecode.ExprOp(op.mask).Compute(int64(*frame.at(op.a)), int64(*frame.at(op.b)), 0))
	case getEval, getCheck, getCheckHolds, getUnless, getUnlessHolds, getStop, getStopHolds:
		n := r.evaluate(op.more.expr, x.field(op.at, nil), pos, base+int(op.base))
		switch op.code {
		case getEval:
			*frame.at(op.reg) = uint64(n)
		case getStop, getStopHolds:
			r.stop = n != 0
		case getUnless, getUnlessHolds:
			if n == 0 {
				jump += int(op.off)
			}
		default:
			if n == 0 {
				return wrong, 0
			}
		}
	case getSum:
		*frame.at(op.reg) = op.more.step.sum.Of(r.b, r.regs[base+int(op.base):])
	case getTotal:
		*frame.at(op.reg) = r.total(op.more.step, pos, r.regs[base+int(op.base):])
	case getAbsent:
		if !r.fresh {
			op.more.step.zero(x.field(op.at, op.field))
		}
	case getPadding:
		pos = op.more.step.padding(r, pos, int(*frame.at(op.a)))
	case getFixed:
		r.bytes(op.more.step, x.field(op.at, op.field), run+int(op.off), int(op.n), r.fresh)
	case getText:
		pos = r.textOf(op.more.step, x.field(op.at, op.field), pos, int(op.amount(frame)))
	case getBytes:
		n := r.end - pos
		if op.size == 0 {
			n = int(op.amount(frame))
		}
		pos = r.bytes(op.more.step, x.field(op.at, op.field), pos, n, r.fresh)
	case getCoded:
		pos = r.coded(op, x, pos)
	case getUnion:
		pos = r.unionIn(op, x.field(op.at, op.field), pos, base+int(op.n))
	default:
		from := pos
		if op.size != 0 {
			from = run + int(op.off)
		}
		to := r.part(op.more.step, x.field(op.at, op.field), from, run+int(op.n), base+int(op.base), r.fresh)
		if op.size == 0 || to == wrong {
			pos = to
		}
	}
	return pos, jump
}

// amount returns the number of an operation: constant, or of a register.
func (op *getOp) amount(frame registers) int64 {
	if op.a == none {
		return op.n
	}
	return int64(bitsAt(*frame.at(op.a), op.shift, op.mask)*uint64(op.times)) + op.n
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
