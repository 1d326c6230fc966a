// Writing by plans: the loop over the operations of a list of rows.

package interp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// lineState is what a list of rows works with.
type lineState struct {
	frames [maxFrames]*Value // the cells of each record
	items  [maxFrames]*Value // the element of a list that the record of a frame is
	at     int               // the place of the last run
	sums   []lineTotal       // checksums of the operations
	base   int               // the first register on the stack
}

// longOctets is the number of bytes from which on copying them is a call.
const longOctets = 64

// line writes one record. Its registers begin at base of the stack.
func (g *writing) line(f *flatRows, cells []Value, base int) bool {
	var s lineState
	s.frames[0], s.sums, s.base = unsafe.SliceData(cells), f.sums, base
	o := &f.ops[0]
	for {
		var regs unsafe.Pointer // never past the end
		if base < len(g.regs) {
			regs = unsafe.Pointer(&g.regs[base])
		}
		pos, ok := 0, false
		if o, pos, ok = g.steps(o, &s, regs, memory.Of(g.out), len(g.out), cap(g.out)-headroom); !ok {
			return false
		}
		g.out = g.out[:pos]
		switch o.code {
		case lineEnd:
			return true
		case lineRun, lineRunConst, lineRunOne, lineRunOneBig, lineRunBits, lineRunArray:
			g.out = slices.Grow(g.out, int(o.size)+headroom)
			continue
		case lineOctets:
			c := o.value(&s)
			g.octetRow(memory.At(c.p, int(c.n)), int(c.n))
		case lineChunk:
			row := &f.rows[o.a]
			c := &row.chunks[o.b]
			if !c.put(memory.Of(g.out), s.at+c.at, s.frames[row.frame%maxFrames]) {
				return false
			}
		case lineNumber:
			row := &f.rows[o.a]
			n := &row.numbers[o.b]
			g.regs[base+row.shift+int(n.reg)] = loadWord(memory.Of(g.out), s.at+n.off, n.word)
		default:
			skip, ok := g.execute(&f.rows[o.a], &s, base)
			if !ok {
				return false
			}
			if skip != 0 {
				o = &f.ops[f.places[int(o.a)+1+skip]]
				continue
			}
		}
		o = o.skip(1)
	}
}

// lineTotal is a checksum in a list of operations.
type lineTotal struct {
	sum  sumPlan
	reg  int32
	word *writeRow // the word that the checksum becomes, or nil
	form uint8     // of the word, or 0
	at   placeAt   // of the word
	to   int32     // the register of the word
}

// total writes a checksum.
func (g *writing) total(t *lineTotal, base int) bool {
	regs := g.regs[base:]
	x := t.sum.sum(g.out, regs)
	if regs[t.reg] = x; t.word == nil {
		return true
	}
	at := t.at.of(regs)
	if !fits(t.word.word.scalar, int64(x)) || at < g.base || at+t.word.size > len(g.out) {
		return false // unreachable: the compiler makes the checksum fit its word, which has been written
	}
	switch out := memory.Of(g.out); t.form {
	case 3:
		out.Store16(at, bits.ReverseBytes16(uint16(x)))
	case 5:
		out.Store32(at, bits.ReverseBytes32(uint32(x)))
	default:
		storeWord(out, at, t.word.word, x)
	}
	regs[t.to] = x
	return true
}

// value returns the cell of an operation.
func (o *lineOp) value(s *lineState) *Value {
	return (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
}

// steps executes operations up to one that may append bytes or leave operations out by a call. It calls nothing else than
// checksums, long copies and lists of values of one byte, so that it keeps what it works with in registers of the processor.
func (g *writing) steps(o *lineOp, s *lineState, regs unsafe.Pointer, out memory.View, pos, limit int) (next *lineOp, end int, ok bool) {
	word := uint64(0) // the counts of a word
	for ; ; o = (*lineOp)(unsafe.Add(unsafe.Pointer(o), unsafe.Sizeof(lineOp{}))) {
		switch o.code {
		case lineRun:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
		case lineRunConst:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
			fallthrough
		case lineConst:
			out.Store64(s.at+int(o.off), o.n)
		case lineRunOne:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
			fallthrough
		case lineOne:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.u&uint64(o.m) != 0 || o.kinds>>(v.kind&15)&1 == 0 {
				return o, pos, false
			}
			out.Store64(s.at+int(o.off), o.n|v.u<<(o.left&63))
			*(*uint64)(unsafe.Add(regs, o.reg)) = v.u
		case lineRunOneBig:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
			fallthrough
		case lineOneBig:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.u&uint64(o.m) != 0 || o.kinds>>(v.kind&15)&1 == 0 {
				return o, pos, false
			}
			out.Store64(s.at+int(o.off), bits.ReverseBytes64(o.n|v.u<<(o.left&63)))
			*(*uint64)(unsafe.Add(regs, o.reg)) = v.u
		case lineRunBits:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
			fallthrough
		case lineBits:
			x := o.n | word
			word = 0
			cells := unsafe.Pointer(s.frames[o.frame%maxFrames])
			over, other := uint64(0), Kind(0)
			for k, p := o.b, o.bits; k > 0; k-- {
				v := (*Value)(unsafe.Add(cells, p.cell))
				over |= v.u & p.over
				other |= v.kind ^ p.kind
				x |= v.u << (p.left & 63)
				if k > 1 { // never past the end
					p = (*putBit)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(putBit{})))
				}
			}
			if over != 0 {
				return o, pos, false
			}
			if other != 0 {
				for k := range int(o.b) {
					p := (*putBit)(unsafe.Add(unsafe.Pointer(o.bits), k*int(unsafe.Sizeof(putBit{}))))
					if kind := (*Value)(unsafe.Add(cells, p.cell)).kind; kind != p.kind && (p.kind != Uint || kind != Int) {
						return o, pos, false
					}
				}
			}
			if o.form != 0 {
				x = bits.ReverseBytes64(x)
			}
			out.Store64(s.at+int(o.off), x)
		case lineFlags:
			x, over, other := uint64(0), uint64(0), Kind(0)
			first := unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell)
			for k := range int(o.b) {
				v := (*Value)(unsafe.Add(first, k*int(unsafe.Sizeof(Value{}))))
				x = x<<1 | v.u
				over |= v.u
				other |= v.kind ^ Bool
			}
			if over > 1 || other != 0 {
				return o, pos, false
			}
			word |= x << (o.left & 63)
		case lineCount:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if o.kinds>>(v.kind&15)&1 == 0 || uint64(v.n) > o.n {
				return o, pos, false
			}
			word |= (uint64(v.n) + uint64(o.m)) << (o.left & 63)
		case lineWide, lineWideBig:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.kind != Uint {
				if v.kind != Int || int64(v.u) < 0 {
					return o, pos, false
				}
			}
			x := v.u
			if o.code == lineWideBig {
				x = bits.ReverseBytes64(x)
			}
			out.Store64(s.at+int(o.off), x)
		case lineCell:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			*(*uint64)(unsafe.Add(regs, o.reg)) = v.u
		case lineLoad:
			x, p := uint64(0), s.at+int(o.off)
			switch o.form {
			case 1:
				x = uint64(out.Load8(p))
			case 2:
				x = uint64(out.Load16(p))
			case 3:
				x = uint64(bits.ReverseBytes16(out.Load16(p)))
			case 4:
				x = uint64(out.Load32(p))
			case 5:
				x = uint64(bits.ReverseBytes32(out.Load32(p)))
			case 8:
				x = out.Load64(p)
			default:
				x = bits.ReverseBytes64(out.Load64(p))
			}
			*(*uint64)(unsafe.Add(regs, o.reg)) = x
		case lineFit, linePatch, linePatchSize:
			x, p := *(*uint64)(unsafe.Add(regs, o.a)), s.at+int(o.off)
			if o.code != lineFit {
				if o.code == linePatchSize {
					x = uint64(pos) - x - uint64(o.m)
					g.last = int(x)
					*(*uint64)(unsafe.Add(regs, o.size)) = x
				}
				p = int(*(*uint64)(unsafe.Add(regs, o.b))) + int(o.off)
				if p < g.base || p+int(o.width) > pos {
					return o, pos, false
				}
			}
			switch o.form {
			case 1:
				if o.adds {
					x += uint64(out.Load8(p))
				}
				out.Store8(p, uint8(x))
			case 2:
				if o.adds {
					x += uint64(out.Load16(p))
				}
				out.Store16(p, uint16(x))
			case 3:
				if o.adds {
					x += uint64(bits.ReverseBytes16(out.Load16(p)))
				}
				out.Store16(p, bits.ReverseBytes16(uint16(x)))
			case 4:
				if o.adds {
					x += uint64(out.Load32(p))
				}
				out.Store32(p, uint32(x))
			case 5:
				if o.adds {
					x += uint64(bits.ReverseBytes32(out.Load32(p)))
				}
				out.Store32(p, bits.ReverseBytes32(uint32(x)))
			case 8:
				if o.adds {
					x += out.Load64(p)
				}
				out.Store64(p, x)
			default:
				if o.adds {
					x += bits.ReverseBytes64(out.Load64(p))
				}
				out.Store64(p, bits.ReverseBytes64(x))
			}
			if x&o.n != 0 {
				return o, pos, false
			}
			*(*uint64)(unsafe.Add(regs, o.reg)) = x
		case lineMark:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(s.at + int(o.off))
		case linePos:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(pos)
		case lineSize:
			g.last = pos - int(*(*uint64)(unsafe.Add(regs, o.a))) - int(o.off)
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(g.last)
		case lineSum:
			if g.out = g.out[:pos]; !g.total(&s.sums[o.a], s.base) {
				return o, pos, false // unreachable: see total
			}
		case lineSet:
			*(*uint64)(unsafe.Add(regs, o.reg)) = o.n
		case lineCopy:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a))
		case linePick:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) >> (o.left & 63) & o.n
		case lineAddN:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) + o.n
		case lineMulN:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) * o.n
		case lineScale:
			x := int64(*(*uint64)(unsafe.Add(regs, o.a)))
			x = (x+x>>63&(1<<(o.left&63)-1))>>(o.left&63) + int64(o.n)
			if x&o.m != 0 {
				return o, pos, false
			}
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(x << (o.width & 63))
		case lineLine:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a))*uint64(o.m) + *(*uint64)(unsafe.Add(regs, o.b))*o.n + uint64(o.off)
		case lineEqN:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(uint64(o.m)&*(*uint64)(unsafe.Add(regs, o.a)) == o.n))
		case lineLeN:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(int64(*(*uint64)(unsafe.Add(regs, o.a)))&o.m <= int64(o.n)))
		case lineGeN:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(int64(*(*uint64)(unsafe.Add(regs, o.a)))&o.m >= int64(o.n)))
		case lineAdd:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) + *(*uint64)(unsafe.Add(regs, o.b))
		case lineSub:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) - *(*uint64)(unsafe.Add(regs, o.b))
		case lineMul:
			*(*uint64)(unsafe.Add(regs, o.reg)) = *(*uint64)(unsafe.Add(regs, o.a)) * *(*uint64)(unsafe.Add(regs, o.b))
		case lineEq:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(*(*uint64)(unsafe.Add(regs, o.a)) == *(*uint64)(unsafe.Add(regs, o.b))))
		case lineBoth:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(*(*uint64)(unsafe.Add(regs, o.a)) != 0 && *(*uint64)(unsafe.Add(regs, o.b)) != 0))
		case lineEither:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(truth(*(*uint64)(unsafe.Add(regs, o.a))|*(*uint64)(unsafe.Add(regs, o.b)) != 0))
		case lineMin:
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(min(int64(*(*uint64)(unsafe.Add(regs, o.a))), int64(*(*uint64)(unsafe.Add(regs, o.b)))))
		case lineCheck:
			if *(*uint64)(unsafe.Add(regs, o.a)) == 0 {
				return o, pos, false
			}
		case lineCheckEq:
			if uint64(o.m)&*(*uint64)(unsafe.Add(regs, o.a)) != o.n {
				return o, pos, false
			}
		case lineCheckLe:
			if int64(*(*uint64)(unsafe.Add(regs, o.a)))&o.m > int64(o.n) {
				return o, pos, false
			}
		case lineCheckGe:
			if int64(*(*uint64)(unsafe.Add(regs, o.a)))&o.m < int64(o.n) {
				return o, pos, false
			}
		case lineCheckSame:
			if *(*uint64)(unsafe.Add(regs, o.a)) != *(*uint64)(unsafe.Add(regs, o.b)) {
				return o, pos, false
			}
		case lineStop:
			g.stop = *(*uint64)(unsafe.Add(regs, o.a)) != 0
		case lineStopEq:
			g.stop = uint64(o.m)&*(*uint64)(unsafe.Add(regs, o.a)) == o.n
		case lineStay:
			g.stop = false
		case lineUnless:
			if *(*uint64)(unsafe.Add(regs, o.a)) == 0 {
				o = o.skip(o.b)
			}
		case lineUnlessEq:
			if uint64(o.m)&*(*uint64)(unsafe.Add(regs, o.a)) != o.n {
				o = o.skip(o.b)
			}
		case lineJump:
			o = o.skip(o.b)
		case lineAbsent:
			kinds, first := None, unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell)
			for k := range int(o.b) {
				kinds |= (*Value)(unsafe.Add(first, k*int(unsafe.Sizeof(Value{})))).kind
			}
			if kinds != None {
				return o, pos, false
			}
		case lineRunArray:
			if pos += int(o.size); pos > limit {
				return o, pos - int(o.size), true
			}
			s.at = pos - int(o.size)
			*(*uint64)(unsafe.Add(regs, o.a)) = uint64(s.at)
			fallthrough
		case lineArray, lineOctets:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.kind != Packed || v.form&formScalar != uint8(bytecode.U8) || v.u>>widthShift != uint64(o.m) {
				return o, pos, false
			}
			n, p := int(o.b), s.at+int(o.off)
			if o.code != lineOctets {
				if uint64(v.n) != o.n {
					return o, pos, false
				}
			} else {
				n, p = int(v.n), pos
				if g.last = n; o.reg >= 0 {
					*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(n)
				}
				if pos+n > limit {
					return o, pos, true
				}
				pos += n
			}
			from := memory.At(v.p, n)
			switch {
			case n >= longOctets:
				copy(out.Bytes(p, n), from.Bytes(0, n))
			case n >= 8:
				y := from.Load64(n - 8)
				for i := 0; i < n-8; i += 8 {
					out.Store64(p+i, from.Load64(i))
				}
				out.Store64(p+n-8, y)
			case n >= 4:
				x, y := from.Load32(0), from.Load32(n-4)
				out.Store32(p, x)
				out.Store32(p+n-4, y)
			default:
				for i := range n {
					out.Store8(p+i, from.Load8(i))
				}
			}
		case lineLeaves:
			list := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if list.kind != List || list.n == 0 && o.n != 0 {
				return o, pos, false
			}
			puts := o.arms.puts
			if o.arms.given != nil {
				x := *(*uint64)(unsafe.Add(regs, o.b))
				if x >= uint64(len(o.arms.given)) {
					return o, pos, true
				}
				puts = o.arms.given[x]
			}
			p, ok := leaves(puts, list, o.n != 0, out, pos, limit)
			if !ok {
				return o, pos, true
			}
			if g.last = p - pos; o.reg >= 0 {
				*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(g.last)
			}
			pos = p
		case lineDeeper:
			if g.depth > g.limit {
				return o, pos, false
			}
			g.depth++
		case lineBack:
			g.depth--
		case lineInto:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.kind != Record || uint64(v.n) != o.n {
				return o, pos, true
			}
			s.frames[(o.frame+1)%maxFrames] = (*Value)(v.p)
		case lineSwitch:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if int(v.tag) >= len(o.arms.tags) {
				return o, pos, true
			}
			arm := &o.arms.list[o.arms.tags[v.tag]]
			if !arm.known {
				return o, pos, true
			}
			id := *(*uint64)(unsafe.Add(regs, o.b))
			if id < uint64(len(o.arms.ids)) {
				if int32(o.arms.ids[id]) != arm.arm {
					return o, pos, false
				}
			} else if (!arm.alone || arm.id != id) && o.arms.rest != arm.arm {
				return o, pos, true
			}
			switch {
			case v.kind == Record && arm.cells != 0:
				if v.n != arm.cells {
					return o, pos, true
				}
				v = (*Value)(v.p)
			case v.kind == None || v.kind == Record || arm.cells != 0:
				return o, pos, true
			}
			s.frames[(o.frame+1)%maxFrames] = v
			o = o.skip(arm.skip)
		case lineEach:
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.frames[o.frame%maxFrames]), o.cell))
			if v.kind != List {
				return o, pos, false
			}
			if v.n == 0 {
				if o.n != 0 {
					return o, pos, false
				}
				g.last = 0
				o = o.skip(o.b)
				continue
			}
			*(*uint64)(unsafe.Add(regs, o.reg)) = uint64(v.n)
			s.items[(o.frame+1)%maxFrames] = (*Value)(v.p)
		case lineElement:
			v := s.items[o.frame%maxFrames]
			if v.kind != Record || uint64(v.n) != o.n {
				return o, pos, false
			}
			s.frames[o.frame%maxFrames] = (*Value)(v.p)
		case lineLone:
			v := s.items[o.frame%maxFrames]
			if v.kind == None || v.kind == Record {
				return o, pos, false
			}
			s.frames[o.frame%maxFrames] = v
		case lineNextStopEq:
			g.stop = uint64(o.m)&*(*uint64)(unsafe.Add(regs, o.a)) == o.n
			fallthrough
		case lineNext, lineNextStop:
			n := *(*uint64)(unsafe.Add(regs, o.reg)) - 1
			if o.code != lineNext && g.stop != (n == 0) {
				return o, pos, false
			}
			if n == 0 {
				continue
			}
			*(*uint64)(unsafe.Add(regs, o.reg)) = n
			v := (*Value)(unsafe.Add(unsafe.Pointer(s.items[o.frame%maxFrames]), unsafe.Sizeof(Value{})))
			if s.items[o.frame%maxFrames] = v; o.size != 0 {
				if v.kind != Record || v.n != uint32(o.size) {
					return o, pos, false
				}
				s.frames[o.frame%maxFrames] = (*Value)(v.p)
			}
			o = o.skip(o.b)
		default:
			return o, pos, true
		}
	}
}

// skip returns the operation n operations after one.
func (o *lineOp) skip(n int32) *lineOp {
	return (*lineOp)(unsafe.Add(unsafe.Pointer(o), int(n)*int(unsafe.Sizeof(lineOp{}))))
}
