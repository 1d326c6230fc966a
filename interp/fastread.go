// The fast loop of reading: values of a fused union, one step each, with an
// explicit stack instead of recursion.
//
// It knows nothing of errors. A value that is not plain (another form of header
// word, text that is not ASCII, a count that does not fit) is handed to the
// instructions for that one value; any mistake ends the loop, and the
// whole input is read again by the instructions, which say what and where.

package interp

import (
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// readFrame is a container that waits while one inside it is read.
type readFrame struct {
	cells []Value
	i     uint   // the next cell
	seen  uint64 // of a map: filter of its keys
	mode  uint
}

// what is known of the container being read
const (
	modeMap     = 1 << iota // cells are keys and values in turn; this bit is 1
	modeSuspect             // some key may occur twice
)

// innerRead is a loop for values inside of those that are read by other means.
type innerRead struct {
	loop readLoop
	cell [1]Value
}

type fastReader struct {
	stack  []readFrame
	depth  int        // frames in use
	root   *fastUnion // of the outermost value, or nil
	plan   *plan      // of the outermost value, or nil
	top    [1]Value   // read or written by it
	cell   [1]Value
	first  readLoop // of the outermost value
	inside bool     // a value is being read by other means, and first is in use
	spare  []*innerRead
	limit  int // greatest depth
	memory int // bytes that may still be taken
	leaves int // counts what loops leave to functions
}

// prepare notes what the options mean for the fast loop.
func (r *Reader) prepare() {
	r.fast.root, r.fast.plan = nil, nil
	if r.obs == nil {
		r.fast.root, r.fast.plan = r.m.fast[r.m.p.Root], r.m.plans[r.m.p.Root]
	}
	r.fast.limit = r.m.depth(&r.opt)
}

// readLoop is the fast loop between two of the things that it leaves to others.
// It calls nothing, so that what it works with stays in registers.
type readLoop struct {
	u      *fastUnion
	in     memory.View
	end    int
	bottom int // frames that belong to others
	limit  int // greatest number of frames
	cells  []Value
	i      uint // the next cell
	pos    int
	seen   uint64
	mode   uint
	sp     int
	need   int // leaveRoom: cells
}

// why the loop was left
type leave uint8

const (
	leaveDone leave = iota // the value is there
	leaveFail              // the input is wrong, or not for this loop
	leaveRare              // the value of the cell before i, at pos, is for others to read
	leaveRoom              // there are no cells, or no frame, for the container at pos
	leaveKeys              // a map is full whose keys have to be compared
)

// fastValue reads one value of a fused union at a depth, from pos to end.
func (r *Reader) fastValue(u *fastUnion, b []byte, pos, end, depth int, out *Value) (int, bool) {
	f := &r.fast
	if depth > f.limit {
		return 0, false
	}
	if !f.inside {
		pos, ok := r.loops(&f.first, &f.cell, u, b, pos, end, depth)
		*out = f.cell[0]
		return pos, ok
	}
	if len(f.spare) == 0 {
		f.spare = append(f.spare, new(innerRead))
	}
	last := len(f.spare) - 1
	inner := f.spare[last]
	f.spare = f.spare[:last]
	pos, ok := r.loops(&inner.loop, &inner.cell, u, b, pos, end, depth)
	*out = inner.cell[0]
	f.spare = append(f.spare, inner)
	return pos, ok
}

// loops is fastValue into a cell, with a loop that is free.
func (r *Reader) loops(l *readLoop, cell *[1]Value, u *fastUnion, b []byte, pos, end, depth int) (int, bool) {
	f := &r.fast
	l.u = u
	l.in = memory.Of(b)
	l.end = end
	l.bottom = f.depth
	l.sp = f.depth
	l.limit = f.limit - depth + f.depth
	l.seen = 0
	l.mode = 0
	cells, i := cell[:], uint(0)
	for {
		var why leave
		if why, cells, i, pos = r.loop(l, u, cells, i, pos); why == leaveDone {
			f.depth = l.bottom
			return pos, true
		}
		l.cells, l.i, l.pos = cells, i, pos
		switch why {
		case leaveRare:
			inside := f.inside
			f.depth, f.inside = l.sp, true
			p, ok := r.rare(l, b, depth)
			f.depth, f.inside = l.bottom, inside
			if !ok {
				return 0, false
			}
			pos = p
		case leaveRoom:
			if l.sp == len(f.stack) {
				f.stack = append(f.stack, readFrame{})
			}
			r.slab.ensure(l.need)
		case leaveKeys:
			form := r.keys.distinct(cells)
			l.sp--
			frame := &f.stack[l.sp]
			cells, i, l.seen, l.mode = frame.cells, frame.i, frame.seen, frame.mode
			owner := &cells[i-1]
			owner.form = owner.form&^formDistinct | form
		default:
			f.depth = l.bottom
			return 0, false
		}
	}
}

// rare reads the value of the cell before i, which is at pos, by other means.
func (r *Reader) rare(l *readLoop, b []byte, depth int) (int, bool) {
	v := &l.cells[l.i-1]
	if l.mode&modeMap != 0 && l.i&1 == 1 {
		l.mode |= modeSuspect
	}
	if l.end-l.pos >= 8 {
		h := l.in.Load32(l.pos)
		e := &l.u.read[h*l.u.spread>>25]
		if h&l.u.other == 0 {
			switch e.op {
			case fastText:
				// of a length that has been tested
				n := int(l.in.Load32(l.pos + 4))
				at := l.pos + 8
				return at + (n+3)&^3, r.fastTextSlow(v, b, at, n, e.meta, uint32(e.enc))
			case fastTexts:
				return r.fastTexts(v, e, b, l.pos, l.end)
			}
		}
	}
	return r.slowValue(l.u, b, l.pos, l.end, depth+l.sp-l.bottom, l.cells[l.i-1:l.i])
}

func (r *Reader) loop(l *readLoop, u *fastUnion, cells []Value, i uint, pos int) (leave, []Value, uint, int) {
	var (
		in   = l.in
		end  = l.end
		seen = l.seen
		mode = l.mode
		w    uint64
		e    *fastRead
		why  leave
	)
	for {
		for i < uint(len(cells)) {
			v := &cells[i]
			i++
			if end-pos < 8 {
				// no word after the header: mostly the last value
				if end-pos < 4 {
					goto fail
				}
				if h := in.Load32(pos); h&u.other == 0 && mode&i&1 == 0 {
					if e := &u.read[h*u.spread>>25]; e.op == fastUnit {
						v.setNumber(0, e.meta)
						pos += 4
						continue
					}
				}
				why = leaveRare
				goto out
			}
			w = in.Load64(pos)
			if mode&i&1 != 0 {
				// a key: mostly plain text
				if uint32(w) != u.keyHead {
					mode |= modeSuspect
					goto value
				}
				n := int(w >> 32)
				start := pos + 8
				next, ok := memory.Padded(start, w>>32, end)
				if !ok {
					goto fail
				}
				last := in.Load64(start + n - 8) // the header precedes the text
				dirty := odd(last)
				if n <= 8 {
					cut := (8 - uint(n)) * 8
					last >>= cut
					dirty >>= cut
				} else {
					for at := start; at < start+n-8; at += 8 {
						dirty |= odd(in.Load64(at))
					}
				}
				if dirty != 0 {
					why = leaveRare
					goto out
				}
				var p unsafe.Pointer // never past the end
				if n > 0 {
					p = in.Addr(start)
				}
				v.set(p, 0, uint32(n), u.keyMeta)
				bit := keyBit(last)
				if seen&bit != 0 && mode&modeSuspect == 0 { // so at most fewKeys are looked at
					for j := uint(0); j+1 < i && j < uint(len(cells)); j += 2 {
						if cells[j].n == uint32(n) {
							mode |= modeSuspect
						}
					}
				}
				seen |= bit
				pos = next
				continue
			}
		value:
			if uint32(w)&u.other != 0 {
				why = leaveRare
				goto out
			}
			e = &u.read[uint32(w)*u.spread>>25]
			switch e.op {
			case fastInt:
				wide := int(uint32(w) * u.spread >> 25 & 1)
				if end-pos < 12 {
					if wide != 0 {
						goto fail
					}
					v.setNumber(uint64(int64(w)>>32), e.meta)
					pos += 8
					continue
				}
				// without a branch: which width comes next cannot be foreseen
				x, full := uint64(int64(w)>>32), in.Load64(pos+4)
				if wide != 0 {
					x = full
				}
				v.setNumber(x, e.meta)
				pos += 8 + wide*4
			case fastF32:
				x := float64(math.Float32frombits(uint32(w >> 32)))
				if x != x {
					x = widen(uint32(w >> 32))
				}
				v.setNumber(math.Float64bits(x), e.meta)
				pos += 8
			case fastText:
				n := int(w >> 32)
				start := pos + 8
				next, ok := memory.Padded(start, w>>32, end)
				if !ok {
					goto fail
				}
				var p unsafe.Pointer // never past the end
				if n > 0 {
					p = in.Addr(start)
				}
				dirty := odd(in.Load64(start + n - 8))
				if n <= 8 {
					dirty >>= 64 - 8*uint(n)
				} else {
					for at := start; at < start+n-8; at += 8 {
						dirty |= odd(in.Load64(at))
					}
				}
				if dirty != 0 {
					why = leaveRare
					goto out
				}
				v.set(p, 0, uint32(n), e.meta)
				pos = next
			case fastF64, fastUint64, fastInt64:
				if end-pos < 12 {
					goto fail
				}
				v.setNumber(in.Load64(pos+4), e.meta)
				pos += 12
			case fastInt32:
				v.setNumber(uint64(int64(w)>>32), e.meta)
				pos += 8
			case fastLanes8:
				if end-pos < 12 {
					goto fail
				}
				v.set(nil, in.Load64(pos+4), uint32(e.lanes), e.meta)
				pos += 12
			case fastLanes:
				if end-pos-4 < int(e.size) {
					goto fail
				}
				v.set(in.Addr(pos+4), 0, uint32(e.lanes), e.meta)
				pos += 4 + int(e.size)
			case fastBool:
				x := uint64(0)
				if w>>32 != 0 {
					x = 1
				}
				v.setNumber(x, e.meta)
				pos += 8
			case fastUnit:
				v.setNumber(0, e.meta)
				pos += 4
			case fastPacked:
				n := uint(w >> 32)
				left := uint(end - pos - 8)
				if n > left/uint(e.size) {
					goto fail
				}
				size := n * uint(e.size)
				var p unsafe.Pointer
				if n > 0 {
					p = in.Addr(pos + 8)
				}
				v.set(p, uint64(e.lanes)<<widthShift, uint32(n), e.meta)
				if e.pad != 0 {
					if size = (size + 3) &^ 3; size > left {
						if e.pad == 1 {
							goto fail
						}
						size = left
					}
				}
				pos += 8 + int(size)
			case fastList, fastMap:
				n := uint32(w >> 32)
				if e.count == countLow31 {
					n &= 0x7fffffff
				} else if e.count == countSigned && int32(n) < 0 {
					n = 0
				}
				if n == 0 {
					v.setNumber(0, e.meta)
					pos += 8
					continue
				}
				size, inner := uint64(n), uint(0)
				if e.op == fastMap {
					size *= 2
					inner = u.mapMode
					if n > fewKeys {
						inner |= modeSuspect
					}
				}
				if size > uint64(end-pos-8)>>2 { // a value has 4 bytes or more
					goto fail
				}
				sp := l.sp
				if sp >= l.limit {
					goto fail // nested too deeply
				}
				f, cur, used := &r.fast, r.slab.cur, r.slab.used
				if uint64(len(cur)-used) < size || sp >= len(f.stack) {
					l.need = int(size)
					i--
					why = leaveRoom
					goto out
				}
				if r.opt.MaxMemory > 0 {
					if f.memory -= int(size) * cellSize; f.memory < 0 {
						goto fail
					}
				}
				children := cur[used : used+int(size) : used+int(size)]
				r.slab.used = used + int(size)
				v.set(unsafe.Pointer(unsafe.SliceData(children)), 0, n, e.meta)
				frame := &f.stack[sp]
				frame.cells = cells
				frame.i = i
				frame.seen = seen
				frame.mode = mode
				l.sp = sp + 1
				pos += 8
				cells, i, seen, mode = children, 0, 0, inner
			default:
				why = leaveRare
				goto out
			}
		}
		sp := l.sp
		if sp == l.bottom {
			return leaveDone, nil, 0, pos
		}
		if mode&modeSuspect != 0 {
			why = leaveKeys
			goto out
		}
		sp--
		l.sp = sp
		frame := &r.fast.stack[sp]
		cells, i, seen, mode = frame.cells, frame.i, frame.seen, frame.mode
	}
out:
	l.seen, l.mode = seen, mode
	return why, cells, i, pos
fail:
	return leaveFail, nil, 0, pos
}

// slowValue reads one value into dst[0] by the plan of the union.
func (r *Reader) slowValue(u *fastUnion, b []byte, pos, end, depth int, dst []Value) (int, bool) {
	saved := r.run
	g := &r.run
	*g = reading{r: r, m: r.m, p: r.m.p, in: b, pos: pos, end: end, depth: depth, nest: saved.nest, limit: r.fast.limit, memory: none,
		regs: saved.regs, cells: saved.cells, path: saved.path, steps: math.MaxInt, fast: true}
	if r.opt.MaxMemory > 0 {
		g.memory = r.fast.memory
	}
	ok := g.planned(u.rest(), dst)
	p, memory := g.pos, g.memory
	saved.regs, saved.cells, saved.path = g.regs[:len(saved.regs)], g.cells[:len(saved.cells)], g.path[:len(saved.path)]
	r.run = saved
	if r.opt.MaxMemory > 0 {
		r.fast.memory = memory
	}
	return p, ok
}

// fastTextSlow reads text that is not plain.
//
//go:noinline
func (r *Reader) fastTextSlow(v *Value, b []byte, at, n int, meta, enc uint32) bool {
	r.fast.leaves++
	text, _, why := readText(&r.m.p.Encodings[enc], b[at:at+n:at+n])
	if why != "" {
		return false
	}
	v.set(nil, 0, uint32(len(text)), meta)
	if len(text) > 0 {
		v.p = unsafe.Pointer(unsafe.SliceData(text))
	}
	return true
}

// fastTexts reads a list of texts.
func (r *Reader) fastTexts(v *Value, e *fastRead, b []byte, pos, end int) (int, bool) {
	in := memory.Of(b)
	n := in.Load32(pos + 4)
	if e.count == countLow31 {
		n &= 0x7fffffff
	} else if e.count == countSigned && int32(n) < 0 {
		n = 0
	}
	pos += 8
	v.set(nil, 0, n, e.meta)
	if n == 0 {
		return pos, true
	}
	if uint64(n) > uint64(end-pos)/4 {
		return 0, false
	}
	if r.fast.memory -= int(n) * cellSize; r.opt.MaxMemory > 0 && r.fast.memory < 0 {
		return 0, false
	}
	cells := r.slab.alloc(int(n))
	v.p = unsafe.Pointer(unsafe.SliceData(cells))
	counted := r.m.p.Encodings[e.enc].NUL == bytecode.NULCounted
	const meta = uint32(Text) << 16
	for i := range cells {
		if end-pos < 4 {
			return 0, false
		}
		size := int(in.Load32(pos))
		pos += 4
		next, ok := memory.Padded(pos, uint64(uint32(size)), end)
		if !ok {
			return 0, false
		}
		n := size
		if counted && n > 0 && in.Load8(pos+n-1) == 0 {
			n--
		}
		var p unsafe.Pointer
		if n > 0 {
			p = in.Addr(pos)
		}
		cells[i].set(p, 0, uint32(n), meta)
		dirty := uint64(0)
		if n <= 8 {
			dirty = odd(in.Load64(pos+n-8)) >> (64 - 8*uint(n))
		} else {
			dirty = odd(in.Load64(pos + n - 8))
			for at := pos; at < pos+n-8; at += 8 {
				dirty |= odd(in.Load64(at))
			}
		}
		if dirty != 0 && !r.fastTextSlow(&cells[i], b, pos, size, meta, uint32(e.enc)) {
			return 0, false
		}
		pos = next
	}
	return pos, true
}
