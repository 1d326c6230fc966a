// The loop of the operations of reading that call nothing.

package codec

import (
	"math/bits"

	"github.com/octable/octable/interp/memory"
)

// getLevel is a record around an arm or an element that the loop reads.
type getLevel struct {
	o      getAt // the operation behind the union or the list
	x      place
	run    int
	base   int
	regs   int // registers of all records
	depth  int
	fresh  bool
	nested bool

	// of a list
	list    bool
	counted bool  // the number of elements is known
	start   getAt // the operations of an element
	elem    *recordPlan
	step    *recordStep
	slot    place // the slice
	elems   elems
	next    int // the element that is being read
	have    int // elements that there is room for, or that are counted
	kept    int // elements that may use memory again
	had     int // elements that may hold what was read before
	more    int
}

// getLevels is the number of arms and lists in each other that the loop enters by itself.
const getLevels = 12

// leaf runs operations from o on, up to one that needs a call. It returns that one with the Go value that it is of. It
// calls nothing, so that the places it works with are in registers of the processor. A negative pos says that Values
// have to read the record.
//
//go:noinline
func (r *planReader) leaf(o getAt, x place, run, pos int) (getAt, place, int, int) {
	in, frame := r.in, registersOf(r.regs[r.base:])
records:
	for ; ; o = o.skip(1) {
		op := o.op()
		var at place // of a number that is bits of a word
		switch op.code {
		case getFail:
			return o, x, run, wrong
		case getRun:
			if r.end-pos < int(op.off) {
				return o, x, run, wrong
			}
			run = pos
			pos += int(op.off)
			continue
		case get8:
			x.field(op.at, op.field).put8(in.Load8(run + int(op.off)))
			continue
		case get16:
			x.field(op.at, op.field).put16(in.Load16(run + int(op.off)))
			continue
		case get16Big:
			x.field(op.at, op.field).put16(bits.ReverseBytes16(in.Load16(run + int(op.off))))
			continue
		case get32:
			x.field(op.at, op.field).put32(in.Load32(run + int(op.off)))
			continue
		case get32Big:
			x.field(op.at, op.field).put32(bits.ReverseBytes32(in.Load32(run + int(op.off))))
			continue
		case get64: // also two numbers of 32 bits
			x.field(op.at, op.field).put64(in.Load64(run + int(op.off)))
			continue
		case get64Big:
			x.field(op.at, op.field).put64(bits.ReverseBytes64(in.Load64(run + int(op.off))))
			continue
		case getPair16Big:
			x.field(op.at, op.field).put32(bits.RotateLeft32(bits.ReverseBytes32(in.Load32(run+int(op.off))), 16))
			continue
		case getPair32Big:
			x.field(op.at, op.field).put64(loadPairs(in.Load64(run+int(op.off)), op.shift, uint8(op.n)))
			continue
		case getBits:
			at = x.field(op.at, op.field)
		case getSigned:
			u := bitsAt(op.word(in, run+int(op.off)), op.shift, op.mask)
			x.field(op.at, op.field).putSize(uint32(op.size), extended(u, uint64(op.n)))
			continue
		case getPointed:
			to := x.field(op.at, op.field)
			var ok bool
			if at, ok = to.pointed(); !ok || r.nested {
				slab := op.more.move.slab
				s := &r.slabs[slab.chunk]
				if s.left == 0 || r.tracks && !r.nested { // the memory of the slab is not for one call alone
					return o, x, run, pos
				}
				if s.used++; s.used == 1 {
					r.touched = r.touched[:len(r.touched)+1]
					r.touched[len(r.touched)-1] = slab.chunk
				}
				at = s.one(uintptr(slab.size))
				to.pointTo(at)
			}
		case getDouble:
			x.field(op.at, op.field).lanes16(in, run+int(op.off))
			continue
		case getGather:
			g := op.more.move.gather
			from := run + int(op.off)
			var sum uint64
			if g.mask != 0 {
				switch g.load { // a word of one byte has no mask
				case 1:
					sum = uint64(in.Load16(from))
				case 2:
					sum = uint64(in.Load32(from))
				default:
					sum = in.Load64(from)
				}
				if g.big {
					sum = bits.ReverseBytes64(sum)
				}
				sum = bits.RotateLeft64(sum, g.rotate) & g.mask
			}
			for i := range g.tables {
				t := &g.tables[i]
				sum |= t.bits[in.Load8(from+t.off)]
			}
			if g.half != 0 {
				sum = g.extend(sum)
			}
			x.field(op.at, op.field).putSize(1<<(g.store&3), sum)
			continue
		case getLoad8:
			*frame.at(op.reg) = uint64(in.Load8(run + int(op.off)))
			continue
		case getLoad16:
			*frame.at(op.reg) = uint64(in.Load16(run + int(op.off)))
			continue
		case getLoad16Big:
			*frame.at(op.reg) = uint64(bits.ReverseBytes16(in.Load16(run + int(op.off))))
			continue
		case getLoad32:
			*frame.at(op.reg) = uint64(in.Load32(run + int(op.off)))
			continue
		case getLoad32Big:
			*frame.at(op.reg) = uint64(bits.ReverseBytes32(in.Load32(run + int(op.off))))
			continue
		case getTakeBits:
			x.field(op.at, op.field).putSize(uint32(op.size), bitsAt(*frame.at(op.a), op.shift, op.mask))
			continue
		case getSet:
			*frame.at(op.reg) = uint64(op.n)
			continue
		case getLinear:
			*frame.at(op.reg) = bitsAt(*frame.at(op.a), op.shift, op.mask)*uint64(op.times) + uint64(op.n)
			continue
		case getCheckHolds:
			n := *frame.at(op.a)
			if n > 255 {
				return o, x, run, pos
			}
			if !op.more.expr.holds.has(n) {
				return o, x, run, wrong
			}
			continue
		case getUnlessHolds:
			n := *frame.at(op.a)
			if n > 255 {
				return o, x, run, pos
			}
			if !op.more.expr.holds.has(n) {
				o = o.skip(int(op.off))
			}
			continue
		case getStopHolds:
			n := *frame.at(op.a)
			if n > 255 {
				return o, x, run, pos
			}
			r.stop = op.more.expr.holds.has(n)
			continue
		case getIn:
			*frame.at(op.reg) = uint64(truth(bitsAt(*frame.at(op.a), op.shift, op.mask)-uint64(op.n) <= op.span))
			continue
		case getCheckIn:
			if bitsAt(*frame.at(op.a), op.shift, op.mask)-uint64(op.n) > op.span {
				return o, x, run, wrong
			}
			continue
		case getUnlessIn:
			if bitsAt(*frame.at(op.a), op.shift, op.mask)-uint64(op.n) > op.span {
				o = o.skip(int(op.off))
			}
			continue
		case getStopIn:
			r.stop = bitsAt(*frame.at(op.a), op.shift, op.mask)-uint64(op.n) <= op.span
			continue
		case getAdd:
			*frame.at(op.reg) = *frame.at(op.a) + *frame.at(op.b)
			continue
		case getSub:
			*frame.at(op.reg) = *frame.at(op.a) - *frame.at(op.b)
			continue
		case getMul:
			*frame.at(op.reg) = *frame.at(op.a) * *frame.at(op.b)
			continue
		case getMin:
			*frame.at(op.reg) = uint64(min(int64(*frame.at(op.a)), int64(*frame.at(op.b))))
			continue
		case getEqual:
			*frame.at(op.reg) = uint64(truth(*frame.at(op.a) == *frame.at(op.b)))
			continue
		case getSame:
			if *frame.at(op.a) != *frame.at(op.b) {
				return o, x, run, wrong
			}
			continue
		case getJump:
			o = o.skip(int(op.off))
			continue
		case getKeep:
			*frame.at(op.reg) = uint64(run)
			continue
		case getBack:
			run = int(*frame.at(op.a))
			continue
		case getMark:
			*frame.at(op.reg) = uint64(pos)
			continue
		case getMarkRun:
			*frame.at(op.reg) = uint64(run + int(op.off))
			continue
		case getSize:
			*frame.at(op.reg) = uint64(pos) - *frame.at(op.a)
			continue
		case getSizeRun:
			*frame.at(op.reg) = uint64(run+int(op.off)) - *frame.at(op.a)
			continue
		case getEnter:
			n := op.amount(frame)
			if uint64(n) > uint64(r.end-pos) {
				return o, x, run, wrong
			}
			*frame.at(op.reg) = uint64(r.end)
			r.end = pos + int(n)
			continue
		case getLeave:
			if pos != r.end {
				return o, x, run, wrong
			}
			r.end = int(*frame.at(op.a))
			continue
		case getNil:
			if !r.fresh {
				x.field(op.at, op.field).forget()
			}
			continue
		case getFixed:
			if !r.alias {
				return o, x, run, pos
			}
			from := run + int(op.off)
			to := from + int(op.n)
			x.field(op.at, op.field).share(r.b[from:to:to])
			continue
		case getText:
			m := op.amount(frame)
			if uint64(m) > uint64(r.end-pos) {
				return o, x, run, wrong
			}
			n := int(m)
			if n == 0 {
				x.field(op.at, op.field).putText("")
				continue
			}
			if !r.alias || pos+n < 8 || !asciiText(in, pos, n) {
				return o, x, run, pos
			}
			x.field(op.at, op.field).putText(in.Text(pos, n))
			pos += n
			continue
		case getBytes:
			n := r.end - pos
			if op.size == 0 {
				if m := op.amount(frame); uint64(m) > uint64(n) {
					return o, x, run, wrong
				} else {
					n = int(m)
				}
			}
			if !r.alias || op.more.step.encoding != none {
				return o, x, run, pos
			}
			to := pos + n
			x.field(op.at, op.field).share(r.b[pos:to:to])
			pos = to
			continue
		case getUnion:
			u := op.more.union
			if u == nil {
				return o, x, run, pos
			}
			f, next := (*unionForm)(nil), pos
			switch id := uint64(0); {
			case u.words != nil:
				if pos >= r.end {
					return o, x, run, wrong
				}
				word := in.Load8(pos)
				*frame.at(int32(op.n) + int32(u.reg)) = uint64(word)
				f, next = &u.words[word], pos+1
			default:
				if id = bitsAt(*frame.at(op.a), op.shift, op.mask); id < uint64(len(u.forms)) {
					f = &u.forms[id]
					break
				}
				k := unionHash(id, len(u.slots))
				for ; k < len(u.slots); k = (k + 1) & (len(u.slots) - 1) {
					if s := &u.slots[k]; s.form.arm == nil || s.id == id {
						f = &s.form
						break
					}
				}
			}
			if f == nil || !f.enters {
				return o, x, run, pos
			}
			s, label := &r.slabs[f.chunk], f.label
			if s.left == 0 || s.again && !f.covered {
				return o, x, run, pos
			}
			if label == nil && op.size == 0 && r.top == len(r.levels) || f.rest && !r.alias {
				return o, x, run, pos
			}
			n := 0
			if label != nil {
				n = int(bitsAt(*frame.at(int32(op.n) + int32(u.reg)), label.shift, label.mask))
				if n > r.end-next {
					return o, x, run, wrong
				}
				if !r.alias || next+n < 8 || !asciiText(in, next, n) {
					return o, x, run, pos
				}
			}
			if s.used++; s.used == 1 {
				r.touched = r.touched[:len(r.touched)+1]
				r.touched[len(r.touched)-1] = f.chunk
			}
			value := s.one(uintptr(f.size))
			f.arm.box.put(x.field(op.at, op.field), value)
			if label != nil {
				word := in.Load8(pos)
				if r.stop = label.stops != nil && label.stops.has(uint64(word)); n == 0 {
					value.putText("")
				} else {
					value.putText(in.Text(next, n))
				}
				pos = next + n
				continue
			}
			if f.rest {
				value.share(r.b[next:r.end:r.end])
				pos = r.end
				continue
			}
			if f.empty {
				pos = next
				continue
			}
			if op.size == 0 {
				l := &r.levels[r.top]
				r.top++
				l.o, l.x, l.run, l.base, l.regs, l.depth, l.fresh, l.nested, l.list = o.skip(1), x, run, r.base, len(r.regs), r.depth, r.fresh, r.nested, false
				r.base += int(op.n)
				frame = registersOf(r.regs[r.base:])
			}
			r.fresh, r.nested = !s.again, true
			x, pos, o = value, next, f.first
			goto records
		case getElems:
			if op.size == elemsRest && pos == r.end || op.size == elemsCounted && op.amount(frame) == 0 {
				x.field(op.at, op.field).empty(r.fresh)
				continue
			}
			if op.more.first == nil || r.fresh || r.top == len(r.levels) {
				return o, x, run, pos
			}
			slot, elem := x.field(op.at, op.field), op.more.step.elem
			if elem.stale && !r.same && (!r.keep || slot.length() == 0) {
				return o, x, run, pos
			}
			before, had := slot.spread()
			if had == 0 {
				return o, x, run, pos
			}
			l := &r.levels[r.top]
			r.top++
			l.o, l.x, l.run, l.base, l.regs, l.depth, l.fresh, l.nested, l.list = o.skip(1), x, run, r.base, len(r.regs), r.depth, r.fresh, r.nested, true
			l.counted, l.start, l.elem, l.step, l.slot, l.next, l.have, l.more = false, getsAt(op.more.first), elem, op.more.step, slot, 0, had, r.more
			if l.kept, l.had = 0, 0; elem.stale {
				if l.kept, l.had = before, had; r.same {
					l.kept = had
				}
			}
			l.elems = slot.slice(uintptr(op.more.step.op.size))
			r.base += op.more.own
			frame = registersOf(r.regs[r.base:])
			r.nested, r.stop, r.more, r.fresh = true, false, 1, l.kept == 0
			x, o = l.elems.at(0), l.start
			goto records
		case getEnd:
			if r.top == r.floor {
				return o, x, run, pos
			}
			l := &r.levels[r.top-1]
			if l.list {
				k := l.next + 1
				if l.counted && k < l.have || !l.counted && (l.step.through && !r.stop || !l.step.through && pos < r.end) {
					if r.more = 1; l.counted {
						r.more = l.have - k - 1
					} else if k == l.have || k >= l.kept && k < l.had {
						return o, x, run, pos
					}
					l.next, r.stop, r.fresh = k, false, k >= l.kept
					x, o = l.elems.at(k), l.start
					goto records
				}
				if r.more = l.more; !l.counted {
					l.slot.room(k)
				}
			}
			r.top--
			o, x, run, r.base, r.regs, r.depth, r.fresh, r.nested = l.o, l.x, l.run, l.base, r.regs[:l.regs], l.depth, l.fresh, l.nested
			frame = registersOf(r.regs[r.base:])
			goto records
		default:
			return o, x, run, pos
		}
		at.putSize(uint32(op.size), bitsAt(op.word(in, run+int(op.off)), op.shift, op.mask))
	}
}

// asciiText reports whether n bytes at pos are ASCII and not NUL. The text must end behind the first eight bytes of the
// view. The result may be false for such text.
func asciiText(in memory.View, pos, n int) bool {
	last := pos + n - 8
	marks := odd(in.Load64(last)) >> uint(64-8*min(n, 8))
	for i := pos; i < last; i += 8 {
		marks |= odd(in.Load64(i))
	}
	return marks == 0
}
