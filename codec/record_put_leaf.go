// The loop of the operations of writing that call nothing.

package codec

import (
	"math"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// leaf runs operations from o on, up to one that needs a call, which it returns with the record that it is of. It calls
// nothing, so that the places it works with are in registers of the processor. A negative pos says that Values have to
// write the record.
//
//go:noinline
func (w *planWriter) leaf(o putAt, x place, run, pos int) (putAt, place, int, int) {
	mem, frame := w.mem, frameAt(w.regs, w.base)
records:
	for ; ; o = o.skip(1) {
		op := o.op()
		var n uint64 // a number to store, at a place
		var at int
		switch op.code {
		case putFail:
			return o, x, run, wrong
		case putRun:
			if w.end-pos < int(op.off)+slack {
				return o, x, run, pos
			}
			run = pos
			pos += int(op.off)
			continue
		case put8:
			mem.Store8(run+int(op.off), x.field(op.at, op.field).get8())
			continue
		case put16:
			mem.Store16(run+int(op.off), x.field(op.at, op.field).get16())
			continue
		case put16Big:
			mem.Store16(run+int(op.off), bits.ReverseBytes16(x.field(op.at, op.field).get16()))
			continue
		case put32:
			mem.Store32(run+int(op.off), x.field(op.at, op.field).get32())
			continue
		case put32Big:
			mem.Store32(run+int(op.off), bits.ReverseBytes32(x.field(op.at, op.field).get32()))
			continue
		case put64:
			mem.Store64(run+int(op.off), x.field(op.at, op.field).get64())
			continue
		case put64Big:
			mem.Store64(run+int(op.off), bits.ReverseBytes64(x.field(op.at, op.field).get64()))
			continue
		case putReg8:
			u := x.field(op.at, op.field).get8()
			mem.Store8(run+int(op.off), u)
			frame.set(op.reg, uint64(u))
			continue
		case putReg16:
			u := x.field(op.at, op.field).get16()
			mem.Store16(run+int(op.off), u)
			frame.set(op.reg, uint64(u))
			continue
		case putReg16Big:
			u := x.field(op.at, op.field).get16()
			mem.Store16(run+int(op.off), bits.ReverseBytes16(u))
			frame.set(op.reg, uint64(u))
			continue
		case putReg32:
			u := x.field(op.at, op.field).get32()
			mem.Store32(run+int(op.off), u)
			frame.set(op.reg, uint64(u))
			continue
		case putReg32Big:
			u := x.field(op.at, op.field).get32()
			mem.Store32(run+int(op.off), bits.ReverseBytes32(u))
			frame.set(op.reg, uint64(u))
			continue
		case putPair16Big:
			mem.Store32(run+int(op.off), bits.ReverseBytes32(bits.RotateLeft32(x.field(op.at, op.field).get32(), 16)))
			continue
		case putPair32Big:
			mem.Store64(run+int(op.off), loadPairs(x.field(op.at, op.field).get64(), op.shift, uint8(op.n)))
			continue
		case putSingle, putSingleBig:
			u := x.field(op.at, op.field).get32()
			if 0x7f800000-u&0x7fffffff >= 1<<31 {
				return o, x, run, wrong // a NaN
			}
			if op.code == putSingleBig {
				u = bits.ReverseBytes32(u)
			}
			mem.Store32(run+int(op.off), u)
			continue
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
			continue
		case putConst:
			n, at = uint64(op.n), run+int(op.off)
			if op.reg >= 0 {
				frame.set(op.reg, n)
			}
		case putTerms:
			n = uint64(op.n)
			over := uint64(0)
			terms := op.more.terms
			for i := range terms {
				t := &terms[i]
				from := x.field(uintptr(t.at), nil)
				var u uint64
				switch t.kind {
				case termByte:
					u = uint64(from.get8())
				case termText, termList:
					u = uint64(from.length())
				case termGather:
					u = from.get64() << ((64 - 8*t.width) & 63)
					over |= u & 0xfefefefefefefefe
					n += (u * 0x8040201008040201 >> 56) << (t.shift & 63)
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
			if op.reg >= 0 {
				frame.set(op.reg, n)
			}
			if op.off < 0 {
				continue
			}
			at = run + int(op.off)
		case putLength:
			if n = uint64(x.field(op.at, nil).length()); n&op.mask != 0 {
				return o, x, run, wrong
			}
			n = n<<(op.shift&63) + uint64(op.n)
			if op.reg >= 0 {
				frame.set(op.reg, n)
			}
			if op.off < 0 {
				continue
			}
			at = run + int(op.off)
		case putLoad8:
			frame.set(op.reg, uint64(mem.Load8(run+int(op.off))))
			continue
		case putLoad16:
			frame.set(op.reg, uint64(mem.Load16(run+int(op.off))))
			continue
		case putLoad16Big:
			frame.set(op.reg, uint64(bits.ReverseBytes16(mem.Load16(run+int(op.off)))))
			continue
		case putLoad32:
			frame.set(op.reg, uint64(mem.Load32(run+int(op.off))))
			continue
		case putLoad32Big:
			frame.set(op.reg, uint64(bits.ReverseBytes32(mem.Load32(run+int(op.off)))))
			continue
		case putHead:
			n, at = frame.get(op.a), run+int(op.off)
		case putHold:
			at = run + int(op.off)
			frame.set(op.reg, uint64(at))
			if op.b >= 0 {
				frame.set(op.b, 0)
			}
		case putHoldMark:
			at = run + int(op.off)
			frame.set(op.reg, uint64(at))
			frame.set(op.b, uint64(run)+uint64(op.n))
		case putFit, putPatch, putSizePatch:
			switch op.code {
			case putFit:
				n, at = frame.get(op.a), run+int(op.off)
			case putPatch:
				n, at = frame.get(op.b), int(frame.get(op.a))
			default:
				n, at = uint64(pos)-frame.get(op.a)+uint64(op.n), int(frame.get(op.b))
			}
			if op.reg >= 0 {
				frame.set(op.reg, n)
			}
			if (n+1<<(op.shift&63)>>1)&op.mask != 0 {
				return o, x, run, wrong
			}
		case putMark:
			frame.set(op.reg, uint64(pos))
			if op.b >= 0 {
				frame.set(op.b, uint64(pos))
			}
			continue
		case putMarkRun:
			frame.set(op.reg, uint64(run+int(op.off)))
			if op.b >= 0 {
				frame.set(op.b, uint64(run+int(op.off)))
			}
			continue
		case putSize:
			frame.set(op.reg, uint64(pos)-frame.get(op.a))
			continue
		case putSizeRun:
			frame.set(op.reg, uint64(run+int(op.off))-frame.get(op.a))
			continue
		case putSet:
			frame.set(op.reg, uint64(op.n))
			continue
		case putPick:
			frame.set(op.reg, frame.get(op.a)>>(op.shift&63)&op.mask)
			continue
		case putAddN:
			frame.set(op.reg, frame.get(op.a)>>(op.shift&63)&op.mask+uint64(op.n))
			continue
		case putMulN:
			frame.set(op.reg, (frame.get(op.a)>>(op.shift&63)&op.mask)*uint64(op.n))
			continue
		case putEqN:
			frame.set(op.reg, uint64(truth(frame.get(op.a)>>(op.shift&63)&op.mask == uint64(op.n))))
			continue
		case putLessN:
			frame.set(op.reg, uint64(truth(int64(frame.get(op.a)>>(op.shift&63)&op.mask) < op.n)))
			continue
		case putLeastN:
			frame.set(op.reg, uint64(truth(int64(frame.get(op.a)>>(op.shift&63)&op.mask) >= op.n)))
			continue
		case putAdd:
			frame.set(op.reg, frame.get(op.a)+frame.get(op.b))
			continue
		case putSub:
			frame.set(op.reg, frame.get(op.a)-frame.get(op.b))
			continue
		case putMul:
			frame.set(op.reg, frame.get(op.a)*frame.get(op.b))
			continue
		case putEq:
			frame.set(op.reg, uint64(truth(frame.get(op.a) == frame.get(op.b))))
			continue
		case putMin:
			frame.set(op.reg, uint64(min(int64(frame.get(op.a)), int64(frame.get(op.b)))))
			continue
		case putMax:
			frame.set(op.reg, uint64(max(int64(frame.get(op.a)), int64(frame.get(op.b)))))
			continue
		case putFits:
			if frame.get(op.a)>>(op.n&63) != 0 {
				return o, x, run, wrong
			}
			continue
		case putCheck:
			if frame.get(op.a) == 0 {
				return o, x, run, wrong
			}
			continue
		case putCheckEq:
			if frame.get(op.a)>>(op.shift&63)&op.mask != uint64(op.n) {
				return o, x, run, wrong
			}
			continue
		case putCheckLess:
			if int64(frame.get(op.a)>>(op.shift&63)&op.mask) >= op.n {
				return o, x, run, wrong
			}
			continue
		case putCheckLeast:
			if int64(frame.get(op.a)>>(op.shift&63)&op.mask) < op.n {
				return o, x, run, wrong
			}
			continue
		case putCheckSame:
			if frame.get(op.a) != frame.get(op.b) {
				return o, x, run, wrong
			}
			continue
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
			continue
		case putUnless:
			if frame.get(op.a) == 0 {
				o = o.skip(int(op.off))
			}
			continue
		case putUnlessEq:
			if frame.get(op.a)>>(op.shift&63)&op.mask != uint64(op.n) {
				o = o.skip(int(op.off))
			}
			continue
		case putJump:
			o = o.skip(int(op.off))
			continue
		case putKeep:
			frame.set(op.reg, uint64(run))
			continue
		case putBack:
			run = int(frame.get(op.a))
			continue
		case putStop:
			w.stop = frame.get(op.a) != 0
			continue
		case putNil:
			if op.n > 1 {
				if !x.field(op.at, nil).allNil(int(op.n)) {
					return o, x, run, wrong
				}
			} else if _, ok := x.field(op.at, op.field).pointed(); ok {
				return o, x, run, wrong
			}
			continue
		case putPointed:
			from, ok := x.field(op.at, op.field).pointed()
			if !ok {
				return o, x, run, wrong
			}
			at = run + int(op.off)
			switch op.form &^ formBig {
			case 1:
				n = uint64(from.get8())
			case 2:
				n = uint64(from.get16())
			case 4:
				n = uint64(from.get32())
			default:
				n = from.get64()
			}
		case putInner, putElems:
			m, to := op.more, x.field(op.at, op.field)
			rec, size := m.enter, 1
			if op.point {
				var ok bool
				if to, ok = to.pointed(); !ok {
					return o, x, run, wrong
				}
			}
			if op.code == putElems {
				size = to.length()
				if op.check && (op.a < 0 && op.n != int64(size) || op.a >= 0 && frame.get(op.a) != uint64(size)) || size > math.MaxInt32 {
					return o, x, run, wrong
				}
				if size == 0 {
					if m.step.through {
						return o, x, run, wrong
					}
					continue
				}
			}
			base := w.base + m.top
			if rec == nil || len(w.calls) == cap(w.calls) || base+rec.regs >= cap(w.regs) {
				return o, x, run, pos
			}
			if rec.nests {
				if w.depth >= w.limit/depthPart {
					return o, x, run, wrong
				}
				w.depth++
			}
			w.calls = w.calls[:len(w.calls)+1]
			w.most = max(w.most, len(w.calls))
			c := &w.calls[len(w.calls)-1]
			c.o, c.x, c.base, c.run, c.rec, c.next, c.n = o, x, w.base, run, rec, 1, size
			if x = to; op.code == putElems {
				c.list = to.slice(uintptr(m.step.op.size))
				x = c.list.at(0)
			}
			inner := frameAt(w.regs, base)
			for k, r := range m.args {
				if r < 0 {
					inner.set(int32(k), m.given[-1-r])
				} else {
					inner.set(int32(k), frame.get(r))
				}
			}
			w.base, w.stop, frame = base, false, inner
			o = putsAt(rec.puts)
			goto records
		case putEnd:
			if len(w.calls) == w.floor {
				return o, x, run, pos
			}
			c := &w.calls[len(w.calls)-1]
			m := c.o.op().more
			if c.next < c.n {
				if m.step.through && w.stop {
					return o, x, run, wrong
				}
				x = c.list.at(c.next)
				c.next++
				if len(m.args) > 0 {
					around := frameAt(w.regs, c.base)
					for k, r := range m.args {
						if r < 0 {
							frame.set(int32(k), m.given[-1-r])
						} else {
							frame.set(int32(k), around.get(r))
						}
					}
				}
				w.stop = false
				o = putsAt(c.rec.puts)
				goto records
			}
			if m.step.through && !w.stop {
				return o, x, run, wrong
			}
			if c.rec.nests {
				w.depth--
			}
			o, x, run, w.base = c.o, c.x, c.run, c.base
			frame = frameAt(w.regs, w.base)
			w.calls = w.calls[:len(w.calls)-1]
			continue
		case putUnion:
			u := op.more.enter.union
			if u.byType == nil {
				return o, x, run, pos
			}
			a := u.byType[boxHash(x, u.shift)&uintptr(len(u.byType)-1)]
			if a == nil {
				return o, x, run, wrong
			}
			to, ok := a.box.holds(x)
			if !ok {
				return o, x, run, wrong
			}
			plan := a.plan
			switch {
			case a.length != nil:
				part := a.length
				from := to.field(part.at, nil)
				size := uint(from.length())
				word := uint8(size<<(part.shift&63) + uint(part.n))
				if size > 16 || uint64(size)&part.mask != 0 || w.end-pos < 17+slack {
					break
				}
				in, marks := from.content(), uint64(0)
				mem.Store8(pos, word)
				switch {
				case size >= 8:
					a, b := in.Load64(0), in.Load64(int(size)-8)
					marks = odd(a) | odd(b)
					mem.Store64(pos+1, a)
					mem.Store64(pos+int(size)-7, b)
				case size >= 4:
					a, b := uint64(in.Load32(0)), uint64(in.Load32(int(size)-4))
					marks = odd(a | b<<32)
					mem.Store32(pos+1, uint32(a))
					mem.Store32(pos+int(size)-3, uint32(b))
				case size > 0:
					k := uint32(in.Load8(0)) | uint32(in.Load8(int(size>>1)))<<(8*(size>>1)&31) | uint32(in.Load8(int(size-1)))<<(8*(size-1)&31)
					marks = odd(uint64(k) | textOnes<<(8*size&63))
					mem.Store32(pos+1, k)
				}
				if marks != 0 {
					break
				}
				w.stop = a.stops != nil && a.stops[word] != 0
				pos += 1 + int(size)
				continue
			case a.head != nil:
				part := a.look
				if part == nil {
					return o, x, run, pos
				}
				from := to.field(part.offset, part.field)
				switch {
				case part.text || part.list:
					n = uint64(from.length())
				case part.size == 1:
					n = uint64(from.get8())
				case part.size == 2:
					n = uint64(from.get16())
				case part.size == 4:
					n = uint64(from.get32())
				default:
					n = from.get64()
				}
				if part.signed {
					unused := (64 - 8*part.size) & 63
					n = uint64(int64(n<<unused) >> unused)
				}
				if n >= uint64(len(a.words)) {
					return o, x, run, pos
				}
				if plan = a.words[n].plan; plan == nil {
					return o, x, run, pos
				}
				frame.set(int32(u.reg), a.words[n].word)
			case u.size == 0:
				if e := u.id; e.op != bytecode.ExprReg || e.n < 0 || !a.known || frame.get(int32(e.n)) != a.id {
					return o, x, run, pos
				}
			case !a.sure:
				return o, x, run, pos
			}
			x, o = to, putsAt(plan.puts)
			goto records
		case putClear:
			for r := op.a; r < op.b; r++ {
				frame.set(r, 0)
			}
			continue
		case putText, putOctets:
			from := x.field(op.at, op.field)
			if op.point {
				var ok bool
				if from, ok = from.pointed(); !ok {
					return o, x, run, wrong
				}
			}
			size := from.length()
			if op.check && (op.a < 0 && op.n != int64(size) || op.a >= 0 && frame.get(op.a) != uint64(size)) {
				return o, x, run, wrong
			}
			if size > 16 || w.end-pos < 16+slack {
				return o, x, run, pos
			}
			in, marks := from.content(), uint64(0)
			switch {
			case size >= 8:
				a, b := in.Load64(0), in.Load64(size-8)
				marks = odd(a) | odd(b)
				mem.Store64(pos, a)
				mem.Store64(pos+size-8, b)
			case size >= 4:
				a, b := uint64(in.Load32(0)), uint64(in.Load32(size-4))
				marks = odd(a | b<<32)
				mem.Store32(pos, uint32(a))
				mem.Store32(pos+size-4, uint32(b))
			case size > 0:
				k := uint32(in.Load8(0)) | uint32(in.Load8(size>>1))<<(8*(uint(size)>>1)&31) | uint32(in.Load8(size-1))<<(8*(uint(size)-1)&31)
				marks = odd(uint64(k) | textOnes<<(8*uint(size)&63))
				mem.Store32(pos, k)
			}
			if marks != 0 && op.code == putText {
				return o, x, run, pos
			}
			pos += size
			continue
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
		default:
			mem.Store64(at, bits.ReverseBytes64(n))
		}
	}
}
