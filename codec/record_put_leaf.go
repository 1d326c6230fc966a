// The loop of the operations of writing that call nothing.
//
// Values of the loop that a call does not keep would be stored in memory before each operation, as Go has no registers
// that a function preserves. So the loop returns the operation that needs a call ([planWriter.put] runs it), copies texts
// of up to [putCopied] bytes by itself, and enters records, elements, pairs and arms by itself: an operation is about a
// dozen instructions. A list whose elements depend on arguments has a plan for each of their values; the loop selects it.

package codec

import (
	"math"
	"math/bits"
)

// putCopied is the number of bytes of the longest text that the loop copies.
const putCopied = 512

// leaf runs operations from o on, up to the end or to one that needs a call. It returns that operation and its Go value. A
// negative pos says that Values have to write the record.
//
//go:noinline
func (w *planWriter) leaf(o putAt, x place, run, pos int) (putAt, place, int, int) {
	mem, frame := w.mem, frameAt(w.regs, w.base)
	var op *putOp
	var n uint64   // a number to store at a place
	var from place // a text of a size to copy to a place
	var at, size int
	var stop bool // it ends a list
records:
	op = o.op()
	switch op.code {
	case putFail:
		return o, x, run, wrong
	case putRun:
		if w.end-pos < int(op.off)+slack {
			return o, x, run, pos
		}
		run = pos
		pos += int(op.off)
		o = o.skip(1)
		goto records
	case put8:
		mem.Store8(run+int(op.off), x.field(op.at, op.field).get8())
		o = o.skip(1)
		goto records
	case put16:
		mem.Store16(run+int(op.off), x.field(op.at, op.field).get16())
		o = o.skip(1)
		goto records
	case put16Big:
		mem.Store16(run+int(op.off), bits.ReverseBytes16(x.field(op.at, op.field).get16()))
		o = o.skip(1)
		goto records
	case put32:
		mem.Store32(run+int(op.off), x.field(op.at, op.field).get32())
		o = o.skip(1)
		goto records
	case put32Big:
		mem.Store32(run+int(op.off), bits.ReverseBytes32(x.field(op.at, op.field).get32()))
		o = o.skip(1)
		goto records
	case put64:
		mem.Store64(run+int(op.off), x.field(op.at, op.field).get64())
		o = o.skip(1)
		goto records
	case put64Big:
		mem.Store64(run+int(op.off), bits.ReverseBytes64(x.field(op.at, op.field).get64()))
		o = o.skip(1)
		goto records
	case putPair16Big:
		mem.Store32(run+int(op.off), bits.ReverseBytes32(bits.RotateLeft32(x.field(op.at, op.field).get32(), 16)))
		o = o.skip(1)
		goto records
	case putPair32Big:
		mem.Store64(run+int(op.off), loadPairs(x.field(op.at, op.field).get64(), op.shift, uint8(op.n)))
		o = o.skip(1)
		goto records
	case putSingle, putSingleBig:
		u := x.field(op.at, op.field).get32()
		if 0x7f800000-u&0x7fffffff >= 1<<31 {
			return o, x, run, wrong
		}
		n, at = uint64(u), run+int(op.off)
	case putInt:
		m := op.more.move
		n, at = x.field(op.at, op.field).integer(m.size, m.signed), run+int(op.off)
		if op.check && int64(n) < 0 || op.over(n) {
			return o, x, run, wrong
		}
	case putNarrow:
		f := x.field(op.at, op.field).getFloat()
		single := float32(f)
		if f != f || float64(single) != f && w.c.opt.Exact {
			return o, x, run, wrong
		}
		n, at = uint64(math.Float32bits(single)), run+int(op.off)
	case putBytes:
		from := x.field(op.at, op.field)
		n, to := int(op.n), run+int(op.off)
		if from.length() != n {
			return o, x, run, wrong
		}
		if !rawMemory || n > 16 || n < 4 {
			return o, x, run, pos
		}
		if in := from.content(); n >= 8 {
			mem.Store64(to, in.Load64(0))
			mem.Store64(to+n-8, in.Load64(n-8))
		} else {
			mem.Store32(to, in.Load32(0))
			mem.Store32(to+n-4, in.Load32(n-4))
		}
		o = o.skip(1)
		goto records
	case putConst:
		n, at = uint64(op.n), run+int(op.off)
		if op.reg != none {
			frame.set(op.reg, n)
		}
	case putTerms:
		n = uint64(op.n)
		over := uint64(0)
		terms := op.more.terms
		for i := range terms {
			t := &terms[i]
			from := x.field(uintptr(t.at), nil)
			kind := t.kind
			if kind&termPointer != 0 {
				var ok bool
				if from, ok = from.pointed(); !ok {
					return o, x, run, wrong
				}
				kind &^= termPointer
			}
			var u uint64
			switch kind {
			case termByte:
				u = uint64(from.get8())
			case termText, termList:
				u = uint64(from.length())
			case termGather:
				u = from.get64() << ((64 - 8*t.width) & 63)
				over |= u & 0xfefefefefefefefe
				n += (u * 0x8040201008040201 >> 56) << (t.shift & 63)
				continue
			case termSigned | 1, termSigned | 2, termSigned | 4, termSigned | 8:
				half := uint64(1) << ((t.width - 1) & 63)
				u = from.integer(kind&^termSigned, true) + half
				over |= u >> (t.width & 63)
				n += (u ^ half) << (t.shift & 63)
				continue
			case 2:
				u = uint64(from.get16())
			case 4:
				u = uint64(from.get32())
			default:
				u = from.get64()
			}
			over |= u >> (t.width & 63)
			n += u << (t.shift & 63)
		}
		if over != 0 {
			return o, x, run, wrong
		}
		if op.reg != none {
			frame.set(op.reg, n)
		}
		if op.off < 0 {
			o = o.skip(1)
			goto records
		}
		at = run + int(op.off)
	case putLength:
		if n = uint64(x.field(op.at, nil).length()); n&op.mask != 0 {
			return o, x, run, wrong
		}
		n = n<<(op.shift&63) + uint64(op.n)
		if op.reg != none {
			frame.set(op.reg, n)
		}
		if op.off < 0 {
			o = o.skip(1)
			goto records
		}
		at = run + int(op.off)
	case putLoad8:
		frame.set(op.reg, uint64(mem.Load8(run+int(op.off))))
		o = o.skip(1)
		goto records
	case putLoad16:
		frame.set(op.reg, uint64(mem.Load16(run+int(op.off))))
		o = o.skip(1)
		goto records
	case putLoad16Big:
		frame.set(op.reg, uint64(bits.ReverseBytes16(mem.Load16(run+int(op.off)))))
		o = o.skip(1)
		goto records
	case putLoad32:
		frame.set(op.reg, uint64(mem.Load32(run+int(op.off))))
		o = o.skip(1)
		goto records
	case putLoad32Big:
		frame.set(op.reg, uint64(bits.ReverseBytes32(mem.Load32(run+int(op.off)))))
		o = o.skip(1)
		goto records
	case putHead:
		n, at = frame.get(op.a), run+int(op.off)
	case putHold:
		n, at = 0, run+int(op.off)
		frame.set(op.reg, uint64(at))
		if op.b != none {
			frame.set(op.b, 0)
		}
	case putFit, putPatch, putPatchSize:
		switch n = frame.get(op.a); op.code {
		case putFit:
			at = run + int(op.off)
		case putPatch:
			n, at = frame.get(op.b), int(n)
		default:
			n, at = uint64(pos)-frame.get(op.b)-uint64(op.n), int(n)
		}
		if op.reg != none {
			frame.set(op.reg, n)
		}
		if op.over(n) {
			return o, x, run, wrong
		}
	case putMark:
		frame.set(op.reg, uint64(pos))
		o = o.skip(1)
		goto records
	case putMarkRun:
		frame.set(op.reg, uint64(run+int(op.off)))
		o = o.skip(1)
		goto records
	case putSize:
		frame.set(op.reg, uint64(pos)-frame.get(op.a)-uint64(op.n))
		o = o.skip(1)
		goto records
	case putSizeRun:
		frame.set(op.reg, uint64(run+int(op.off))-frame.get(op.a))
		o = o.skip(1)
		goto records
	case putSet:
		frame.set(op.reg, uint64(op.n))
		o = o.skip(1)
		goto records
	case putPick:
		frame.set(op.reg, bitsAt(frame.get(op.a), op.shift, op.mask))
		o = o.skip(1)
		goto records
	case putAddN:
		frame.set(op.reg, bitsAt(frame.get(op.a), op.shift, op.mask)+uint64(op.n))
		o = o.skip(1)
		goto records
	case putMulN:
		frame.set(op.reg, bitsAt(frame.get(op.a), op.shift, op.mask)*uint64(op.n))
		o = o.skip(1)
		goto records
	case putEqN:
		frame.set(op.reg, uint64(truth(bitsAt(frame.get(op.a), op.shift, op.mask) == uint64(op.n))))
		o = o.skip(1)
		goto records
	case putLessN:
		frame.set(op.reg, uint64(truth(int64(bitsAt(frame.get(op.a), op.shift, op.mask)) < op.n)))
		o = o.skip(1)
		goto records
	case putLeastN:
		frame.set(op.reg, uint64(truth(int64(bitsAt(frame.get(op.a), op.shift, op.mask)) >= op.n)))
		o = o.skip(1)
		goto records
	case putAdd:
		frame.set(op.reg, frame.get(op.a)+frame.get(op.b))
		o = o.skip(1)
		goto records
	case putSub, putMul, putEq, putMin, putMax:
		a, b := frame.get(op.a), frame.get(op.b)
		switch op.code {
		case putSub:
			a -= b
		case putMul:
			a *= b
		case putEq:
			a = uint64(truth(a == b))
		case putMin:
			a = uint64(min(int64(a), int64(b)))
		default:
			a = uint64(max(int64(a), int64(b)))
		}
		frame.set(op.reg, a)
		o = o.skip(1)
		goto records
	case putCheck:
		if frame.get(op.a) == 0 {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putCheckEq:
		if bitsAt(frame.get(op.a), op.shift, op.mask) != uint64(op.n) {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putCheckLess:
		if int64(bitsAt(frame.get(op.a), op.shift, op.mask)) >= op.n {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putCheckLeast:
		if int64(bitsAt(frame.get(op.a), op.shift, op.mask)) < op.n {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putCheckSame:
		if frame.get(op.a) != frame.get(op.b) {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putCheckIn:
		if frame.get(op.a)-uint64(op.n) > op.mask {
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putTable, putCheckTable, putStopTable:
		k := frame.get(op.a)
		if k > 255 {
			return o, x, run, pos
		}
		entry := op.more.table[k]
		if entry == tableLack {
			return o, x, run, pos
		}
		switch {
		case op.code == putTable:
			frame.set(op.reg, uint64(entry))
		case op.code == putStopTable:
			w.stop = entry != 0
		case entry == 0:
			return o, x, run, wrong
		}
		o = o.skip(1)
		goto records
	case putUnless:
		if frame.get(op.a) == 0 {
			o = o.skip(int(op.off))
		}
		o = o.skip(1)
		goto records
	case putUnlessEq:
		if bitsAt(frame.get(op.a), op.shift, op.mask) != uint64(op.n) {
			o = o.skip(int(op.off))
		}
		o = o.skip(1)
		goto records
	case putJump:
		o = o.skip(int(op.off))
		o = o.skip(1)
		goto records
	case putStopEq:
		w.stop = bitsAt(frame.get(op.a), op.shift, op.mask) == uint64(op.n)
		o = o.skip(1)
		goto records
	case putStop:
		w.stop = frame.get(op.a) != 0
		o = o.skip(1)
		goto records
	case putNil:
		from = x.field(op.at, op.field)
		for k := op.n; ; k-- {
			if _, ok := from.pointed(); ok {
				return o, x, run, wrong
			}
			if k == 0 {
				break
			}
			from = from.field(pointerSize, nil)
		}
		o = o.skip(1)
		goto records
	case putPointed:
		from, ok := x.field(op.at, op.field).pointed()
		if !ok {
			return o, x, run, wrong
		}
		switch at = run + int(op.off); op.form {
		case 1:
			mem.Store8(at, from.get8())
		case 2:
			mem.Store16(at, from.get16())
		case 2 | formBig:
			mem.Store16(at, bits.ReverseBytes16(from.get16()))
		case 4:
			mem.Store32(at, from.get32())
		case 4 | formBig:
			mem.Store32(at, bits.ReverseBytes32(from.get32()))
		case 8:
			mem.Store64(at, from.get64())
		default:
			mem.Store64(at, bits.ReverseBytes64(from.get64()))
		}
		o = o.skip(1)
		goto records
	case putInner, putElems, putPairs:
		m, to := op.more, x.field(op.at, op.field)
		rec, size := m.enter, 1
		if op.point {
			var ok bool
			if to, ok = to.pointed(); !ok {
				return o, x, run, wrong
			}
		}
		if op.code != putInner {
			size = to.length()
			if op.refuses(size, frame) || size > math.MaxInt32/2 {
				return o, x, run, pos
			}
			if size == 0 {
				if m.flags&putThrough != 0 {
					return o, x, run, wrong
				}
				o = o.skip(1)
				goto records
			}
			if rec == nil {
				rec = m.variant(frame)
			}
		}
		top, base := uint(w.top), w.base+m.top
		if rec == nil || top >= putCalls {
			return o, x, run, pos
		}
		regs := rec.regs
		if op.code == putPairs {
			regs = max(regs, m.values.regs)
		}
		if base+regs >= cap(w.regs) {
			return o, x, run, pos
		}
		if op.code == putPairs {
			if size > 1 && !w.differs {
				return o, x, run, pos
			}
			w.differs = false // the pairs are entered: after another return, [planWriter.put] would prove it again
			size *= 2
		}
		flags := m.flags
		if flags&putNests != 0 {
			if w.depth >= w.limit/depthPart {
				return o, x, run, wrong
			}
			w.depth++
		}
		w.top = int(top) + 1
		c := &w.calls[top]
		c.next, c.n, c.base, c.flags, c.run, c.x, c.o = 1, int32(size), int32(w.base), flags, run, x, o
		if x = to; op.code != putInner {
			c.puts, c.list = putsAt(rec.puts), to.slice(m.size)
			if x = c.list.at(0); flags&putApart != 0 {
				x = m.step.pair.place(0, x)
			}
		}
		inner := frameAt(w.regs, base)
		if len(m.args) > 0 {
			m.pass(frame, inner)
		}
		w.base, w.stop, frame = base, false, inner
		o = putsAt(rec.puts)
		if op = o.op(); op.code == putUnion {
			goto union
		}
		goto records
	case putEnd:
		goto end
	case putUnion:
		goto union
	case putClear:
		for r := op.a; r < op.b; r++ {
			frame.set(r, 0)
		}
		o = o.skip(1)
		goto records
	case putText, putOctets:
		if from = x.field(op.at, op.field); op.point {
			var ok bool
			if from, ok = from.pointed(); !ok {
				return o, x, run, wrong
			}
		}
		at, size = pos, from.length()
		if op.refuses(size, frame) {
			return o, x, run, wrong
		}
		if size > putCopied || w.end-pos < size+2*slack {
			return o, x, run, pos
		}
		goto text
	default:
		return o, x, run, pos
	}
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
	case 8:
		mem.Store64(at, n)
	case 8 | formBig:
		mem.Store64(at, bits.ReverseBytes64(n))
	default:
		width := op.form &^ formBig
		if width != op.form {
			n = bits.ReverseBytes64(n << ((64 - 8*width) & 63))
		}
		if width&4 != 0 {
			mem.Store32(at, uint32(n))
			n, at = n>>32, at+4
		}
		if width&2 != 0 {
			mem.Store16(at, uint16(n))
			n, at = n>>16, at+2
		}
		if width&1 != 0 {
			mem.Store8(at, uint8(n))
		}
	}
	o = o.skip(1)
	goto records
union:
	{
		types := op.more.types
		if types == nil {
			return o, x, run, pos
		}
		a := types[boxHash(x, op.more.factor)]
		if a == nil {
			return o, x, run, wrong
		}
		to, ok := a.box.holds(x)
		if !ok {
			return o, x, run, wrong
		}
		plan := a.plan
		switch {
		case a.by != byNothing:
			number := uint64(0)
			if from = to.field(a.at, a.atField); a.by == byParts { // most arms are texts, lists or wide numbers
				number = uint64(from.length())
			} else if a.by == by64 {
				number = from.get64()
			} else {
				switch a.by {
				case by8:
					number = uint64(from.get8())
				case by16:
					number = uint64(from.get16())
				case by32:
					number = uint64(from.get32())
				case bySigned8:
					number = uint64(int8(from.get8()))
				case bySigned16:
					number = uint64(int16(from.get16()))
				case bySigned32:
					number = uint64(int32(from.get32()))
				case byOutside:
					f := from.getFloat()
					if number = uint64(truth(float64(float32(f)) != f)); f != f {
						number = math.MaxUint64
					}
				}
			}
			h := &noBegin
			if number < uint64(len(a.begins)) {
				h = &a.begins[number]
			} else if a.lines != nil {
				if word := uint64(a.lines.At(int64(number))); word < uint64(len(a.byWord)) {
					h, number = &a.byWord[word], 0
				}
			}
			p := pos + int(h.size)
			if w.end-p < int(number&0xff)+2*slack {
				h = &noBegin
			}
			switch h.then {
			case beginText:
				mem.Store64(pos, h.bytes)
				at, size, stop = p, int(number), h.stop
				goto text
			case beginEnd:
				mem.Store64(pos, h.bytes)
				w.stop = h.stop
				o, pos = o.skip(1), p
				goto end
			case beginRest:
				mem.Store64(pos, h.bytes)
				w.stop = h.stop
				run, pos = pos, p
				x, o = to, putsAt(a.rests[h.rest].ops)
				goto records
			}
			if a.head != nil {
				return o, x, run, pos
			}
		case a.head != nil:
			return o, x, run, pos
		case op.a != none:
			if id := frame.get(op.a); (!a.known || id != a.id) && id <= a.above {
				return o, x, run, pos
			}
		case !a.sure:
			return o, x, run, pos
		}
		x, o = to, putsAt(plan.puts)
		goto records
	}
text:
	{
		in, marks := from.content(), uint64(0)
		switch {
		case size > 16 && op.code == putOctets:
			for k := 0; k < size-16; k += 16 {
				a, b := in.Load64(k), in.Load64(k+8)
				mem.Store64(at+k, a)
				mem.Store64(at+k+8, b)
			}
			a, b := in.Load64(size-16), in.Load64(size-8)
			mem.Store64(at+size-16, a)
			mem.Store64(at+size-8, b)
		case size > 16:
			last := in.Load64(size - 8)
			marks = odd(last)
			for k := 0; k < size-8; k += 8 {
				a := in.Load64(k)
				marks |= odd(a)
				mem.Store64(at+k, a)
			}
			mem.Store64(at+size-8, last)
		case size >= 8:
			a, b := in.Load64(0), in.Load64(size-8)
			marks = odd(a) | odd(b)
			mem.Store64(at, a)
			mem.Store64(at+size-8, b)
		case size >= 4:
			a, b := uint64(in.Load32(0)), uint64(in.Load32(size-4))
			marks = odd(a | b<<32)
			mem.Store32(at, uint32(a))
			mem.Store32(at+size-4, uint32(b))
		case size > 0:
			k := uint32(in.Load8(0)) | uint32(in.Load8(size>>1))<<(8*(uint(size)>>1)&31) | uint32(in.Load8(size-1))<<(8*(uint(size)-1)&31)
			marks = odd(uint64(k) | textOnes<<(8*uint(size)&63))
			mem.Store32(at, k)
		}
		if marks != 0 && op.code != putOctets {
			return o, x, run, pos
		}
		if o, pos = o.skip(1), at+size; op.code == putUnion {
			w.stop = stop
			goto end
		}
		goto records
	}
end:
	if w.top == w.floor {
		return o, x, run, pos
	}
	{
		c := &w.calls[uint(w.top-1)%putCalls]
		if c.next < c.n {
			if o = c.puts; c.flags&putApart == 0 {
				x = c.list.at(int(c.next))
			} else if m := c.o.op().more; c.next&1 == 0 {
				x = m.step.pair.place(0, c.list.at(int(c.next>>1)))
			} else {
				o, x = putsAt(m.values.puts), m.step.pair.place(1, c.list.at(int(c.next>>1)))
			}
			if c.flags&(putThrough|putArgs) != 0 {
				if c.flags&putThrough != 0 && w.stop {
					return o, x, run, wrong
				}
				if c.flags&putArgs != 0 {
					c.o.op().more.pass(frameAt(w.regs, int(c.base)), frame)
				}
			}
			c.next++
			w.stop = false
			if op = o.op(); op.code == putUnion {
				goto union
			}
			goto records
		}
		if c.flags&(putThrough|putNests) != 0 {
			if c.flags&putThrough != 0 && !w.stop {
				return o, x, run, wrong
			}
			if c.flags&putNests != 0 {
				w.depth--
			}
		}
		o, x, run, w.base = c.o, c.x, c.run, int(c.base)
		frame = frameAt(w.regs, w.base)
		w.top--
		o = o.skip(1)
		goto records
	}
}
