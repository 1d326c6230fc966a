// Reading records into structs by their plans. Anything unusual is wrong, and the whole packet is
// read again through Values, which define the semantics and the errors.

package codec

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/memory"
)

// of returns the number of parts, -1 if it is negative or too large. run is the place of the last run.
func (c *partCount) of(in memory.View, run int) int {
	if c.from == nil {
		return int(c.n)
	}
	n := c.from.Of(interp.LoadNumber(in, run+c.from.Off, c.scalar, c.big))
	if n < 0 || n > math.MaxInt32 {
		return -1
	}
	return int(n)
}

// record reads a record at pos and returns where it ends. If fresh is true, slices in x may not use
// their memory again.
func (r *planReader) record(rec *recordPlan, x place, pos int, fresh bool) int {
	if rec.regs == 0 {
		return r.steps(rec.steps, x, pos, 0, fresh)
	}
	regs := len(r.regs)
	r.regs = append(r.regs, make([]uint64, rec.regs)...)
	pos = r.steps(rec.steps, x, pos, regs, fresh)
	r.regs = r.regs[:regs]
	return pos
}

// steps reads the steps of a record, whose registers begin at regs.
func (r *planReader) steps(steps []recordStep, x place, pos, regs int, fresh bool) int {
	in, run, last := r.in, pos, 0
	for i := range steps {
		s := &steps[i]
		switch s.code {
		case recordRun:
			if r.end-pos < s.size {
				return wrong
			}
			if run = pos; !moveAll(s.moves, in, run, x) {
				return wrong
			}
			for j := range s.words {
				w := &s.words[j]
				r.regs[regs+w.reg] = interp.LoadNumber(in, run+w.off, w.scalar, w.big)
			}
			pos += s.size
		case recordText:
			begin := pos
			if pos = r.textInto(s, x.field(s.offset, s.field), pos, run); pos < 0 {
				return wrong
			}
			last = pos - begin
		case recordPad:
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
			pos += n
		case recordLet, recordCheck, recordIf:
			n, ok := evaluate(s.expr, r.regs[regs:])
			switch {
			case !ok || s.code == recordCheck && n == 0:
				return wrong
			case s.code == recordLet:
				r.regs[regs+s.reg] = uint64(n)
			case s.code == recordIf:
				branch := s.then
				if n == 0 {
					branch = s.els
				}
				if pos = r.steps(branch, x, pos, regs, fresh); pos < 0 {
					return wrong
				}
			}
		default:
			begin := pos
			if pos = r.part(s, x.field(s.offset, s.field), pos, run, fresh); pos < 0 {
				return wrong
			}
			last = pos - begin
		}
	}
	return pos
}

// evaluate computes an expression of registers.
func evaluate(e *bytecode.Expr, regs []uint64) (int64, bool) {
	return e.Fold(func(e *bytecode.Expr) (int64, bool) { return int64(regs[e.Arg]), true })
}

// textInto reads a text into a string.
func (r *planReader) textInto(s *recordStep, at place, pos, run int) int {
	n := s.count.of(r.in, run)
	if uint(n) > uint(r.end-pos) {
		return wrong
	}
	switch {
	case n == 0:
		at.putText("")
	case pos+n >= 8 && plainText(r.in, pos, n):
		at.putText(r.string(pos, n))
	case r.oddText(at, s.encoding, pos, n, 0) == wrong:
		return wrong
	}
	return pos + n
}

// part reads a part of variable size into x.
func (r *planReader) part(s *recordStep, x place, pos, run int, fresh bool) int {
	switch s.code {
	case recordInner:
		return r.record(s.elem, x, pos, fresh)
	case recordText:
		return r.textInto(s, x, pos, run)
	case recordPointer:
		return r.part(s.inner, x.reached(s.typ), pos, run, fresh)
	}
	n := (r.end - pos) / max(1, s.size)
	if !s.count.rest {
		if n = s.count.of(r.in, run); n < 0 {
			return wrong
		}
	}
	if s.code != recordList && uint(n) > uint(r.end-pos)/uint(max(1, s.size)) {
		return wrong
	}
	switch s.code {
	case recordSkip:
		return pos + n*s.size
	case recordBytes:
		return r.bytes(s, x, pos, n, fresh)
	case recordNumber:
		return r.numbers(s, x, pos, n, fresh)
	}
	if uint64(n)*uint64(s.least) > uint64(r.end-pos) {
		return wrong
	}
	kept := r.listed(s, x, n, fresh)
	list := x.slice(uintptr(s.op.size))
	if s.elem.flat && (s.elem.whole || kept == 0) {
		return r.columns(s.elem, list, n, pos)
	}
	more := r.more
	for k := range n {
		r.more = n - k - 1
		at, again := list.at(k), k >= kept
		if k < kept && !s.elem.whole {
			at.value(s.elem.zero).SetZero()
			again = true
		}
		if pos = r.record(s.elem, at, pos, again || !r.keep); pos < 0 {
			break
		}
	}
	r.more = more
	return pos
}

// columns reads n records that are a run of fields, and a text if there is a second step. The texts
// are read record by record, and then each number for a block of records at a time, since a branch
// for each field of each record costs more than the field.
func (r *planReader) columns(rec *recordPlan, list elems, n, pos int) int {
	run := &rec.steps[0]
	if len(rec.steps) == 1 && n > (r.end-pos)/max(1, run.size) {
		return wrong
	}
	places := r.places[:]
	for first := 0; first < n; first += len(places) {
		block := places[:min(len(places), n-first)]
		if len(rec.steps) == 1 {
			for k := range block {
				block[k] = pos
				pos += run.size
			}
		} else if pos = r.runTextColumn(run.size, &rec.steps[1], list, first, block, pos); pos < 0 {
			return wrong
		}
		for j := range run.moves {
			if !run.moves[j].column(r.in, block, list, first) {
				return wrong
			}
		}
	}
	return pos
}

// runTextColumn notes the places of records whose run has a number of bytes, and reads their texts.
func (r *planReader) runTextColumn(size int, s *recordStep, list elems, first int, block []int, pos int) int {
	c := &s.count
	at := list.column(first, s.offset, s.field)
	short := r.alias && size >= 8 && c.from != nil && c.scalar == bytecode.U16 && c.from.Plain()
	for k := 0; k < len(block); k++ {
		if short {
			var read int
			if read, pos = aliasedTexts(r.in, r.end, pos, size, c.from.Off, c.big, at.from(k), block[k:]); k+read == len(block) {
				break
			}
			k += read
		}
		if r.end-pos < size {
			return wrong
		}
		block[k] = pos
		if pos = r.textInto(s, at.at(k), pos+size, pos); pos < 0 {
			return wrong
		}
	}
	return pos
}

// aliasedTexts does the work of [planReader.runTextColumn] for records up to the first one that is
// not ASCII or that the input does not have. It calls nothing, so that all it works with is in registers.
//
//go:noinline
func aliasedTexts(in memory.View, end, pos, size, off int, big bool, at column, block []int) (read, next int) {
	for k := range block {
		block[k] = pos
		start := pos + size
		if start > end {
			return k, pos
		}
		x := in.Load16(pos + off)
		if big {
			x = bits.ReverseBytes16(x)
		}
		n := int(x)
		last := start + n - 8 // not negative, since the run has at least eight bytes
		if n > end-start {
			return k, pos
		}
		w := in.Load64(last)
		marks := (w - textOnes) | w
		switch {
		case n >= 8:
			w = in.Load64(start)
			marks |= (w - textOnes) | w
			for i := start + 8; i < last; i += 8 {
				w = in.Load64(i)
				marks |= (w - textOnes) | w
			}
			marks &= textHigh
		case n > 0:
			marks = marks & textHigh >> (64 - 8*uint(n))
		default:
			return k, pos
		}
		if marks != 0 {
			return k, pos
		}
		at.at(k).putText(in.Text(start, n))
		pos = last + 8
	}
	return len(block), pos
}

// listed gives the slice at x a length. It returns how many of the elements still hold what they held.
func (r *planReader) listed(s *recordStep, x place, n int, fresh bool) (kept int) {
	if fresh {
		x.value(s.op.plan.typ).SetZero()
	}
	return r.sized(s.op, x, n)
}

// bytes reads bytes or text into a []byte.
func (r *planReader) bytes(s *recordStep, x place, pos, n int, fresh bool) int {
	b := r.b[pos : pos+n]
	if s.encoding >= 0 {
		text, ok := r.c.m.ReadText(s.encoding, b)
		if !ok {
			return wrong
		}
		b = text
	}
	if _, ok := x.room(len(b)); ok && !fresh {
		x.setOf(b)
	} else {
		x.makeOf(s.op.plan.typ, 1, b)
	}
	return pos + n
}

// numbers reads an array of numbers into a slice or array.
func (r *planReader) numbers(s *recordStep, x place, pos, n int, fresh bool) int {
	if s.array >= 0 {
		if n != s.array {
			return wrong
		}
		for k := range n {
			if !s.number.move(r.in, pos+k*s.size, x.index(s.typ, k)) {
				return wrong
			}
		}
		return pos + n*s.size
	}
	r.listed(s, x, n, fresh)
	list := x.slice(uintptr(s.op.size))
	for k := range n {
		if !s.number.move(r.in, pos+k*s.size, list.at(k)) {
			return wrong
		}
	}
	return pos + n*s.size
}

// reached returns the place that the pointer at x points to. A nil pointer gets a new value.
func (x place) reached(t reflect.Type) place {
	to, ok := x.pointed()
	if !ok {
		x.point(reflect.New(t.Elem()))
		to, _ = x.pointed()
	}
	return to
}
