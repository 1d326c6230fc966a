// The fast loop of reading: values of a fused union, one step each, with a
// stack of its own instead of recursion.
//
// It knows nothing of errors. Whatever is not plain (another form of header
// word, text that is not ASCII, a count that does not fit) is handed to the
// instructions for that one value; whatever is wrong ends the loop, and the
// whole input is read again by the instructions, which say what and where.

package interp

import (
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
)

// readFrame is a container that waits while one inside it is read.
type readFrame struct {
	cells []Value
	i     uint   // the next cell
	seen  uint64 // of a map: filter of its keys
	mode  uint8
}

// what is known of the container being read
const (
	modeMap     = 1 << iota // cells are keys and values in turn; this bit is 1
	modeSuspect             // some key may stand in it twice
)

// fewKeys is how many keys a filter of 64 bits is good for.
const fewKeys = 24

type fastReader struct {
	stack  []readFrame
	depth  int        // frames in use
	root   *fastUnion // of the outermost value, or nil
	cell   [1]Value
	limit  int // greatest depth
	memory int // bytes that may still be taken
}

// prepare notes what the options mean for the fast loop.
func (r *Reader) prepare() {
	r.fast.root = nil
	if !r.opt.Unfused {
		r.fast.root = r.m.fast[r.m.p.Root]
	}
	r.fast.limit = r.m.depth(&r.opt)
}

const (
	textOnes = 0x0101010101010101
	textHigh = 0x8080808080808080
)

// odd marks the high bit of each byte of w that is NUL or not ASCII. It may also
// mark a byte 1 above a NUL.
func odd(w uint64) uint64 { return ((w - textOnes) | w) & textHigh }

// oddText is odd for n > 8 bytes of text.
func oddText(in view, at, n int) uint64 {
	end := at + n - 8
	t := odd(in.load64(end))
	for ; at < end; at += 8 {
		t |= odd(in.load64(at))
	}
	return t
}

// keyBit is the bit of the filter for a key whose last eight bytes are w, with
// zeros above shorter ones.
func keyBit(w uint64) uint64 { return 1 << (w * 0xff51afd7ed558ccd >> 58) }

// fastValue reads one value of a fused union at a depth, from pos to end.
func (r *Reader) fastValue(u *fastUnion, b []byte, pos, end, depth int, out *Value) (int, bool) {
	f := &r.fast
	in := viewOf(b)
	bottom := f.depth
	limit := f.limit - depth + bottom // greatest number of frames
	if depth > f.limit {
		return 0, false
	}
	var (
		cells []Value
		i     uint
		seen  uint64
		mode  uint8
		sp    = bottom
	)
	if bottom == 0 {
		cells = f.cell[:]
	} else {
		cells = make([]Value, 1)
	}
	rootCell := &cells[0]
	var w uint64
	var e *fastRead
	for {
		for i < uint(len(cells)) {
			v := &cells[i]
			i++
			if end-pos < 8 {
				// no word after the header: mostly the last value
				if end-pos < 4 {
					return 0, false
				}
				h := in.load32(pos)
				if mode&modeMap != 0 && i&1 == 1 {
					mode |= modeSuspect
				}
				if h < 64 && u.read[2*h].op == fastUnit {
					v.set(nil, 0, 0, u.read[2*h].meta)
					pos += 4
					continue
				}
				f.depth = sp
				val, p, ok := r.slowValue(u, b, pos, end, depth+sp-bottom)
				if !ok {
					return 0, false
				}
				*v, pos = val, p
				continue
			}
			w = in.load64(pos)
			if mode&uint8(i)&1 != 0 {
				// a key: mostly short plain text
				if uint32(w) != u.keyHead {
					mode |= modeSuspect
					goto value
				}
				n := int(w >> 32)
				start := pos + 8
				next := start + (n+3)&^3
				if uint(n) > uint(end-start) || next > end {
					return 0, false
				}
				last := in.load64(start + n - 8) // the header stands before the text
				dirty := odd(last)
				if n <= 8 {
					cut := (8 - uint(n)) * 8
					last >>= cut
					dirty >>= cut
				} else if dirty == 0 {
					dirty = oddText(in, start, n)
				}
				if dirty != 0 {
					mode |= modeSuspect
					goto value
				}
				var p unsafe.Pointer // never past the end
				if n > 0 {
					p = in.at(start)
				}
				v.set(p, 0, uint32(n), u.keyMeta)
				bit := keyBit(last)
				if seen&bit != 0 && sameTextBefore(cells[:i]) {
					mode |= modeSuspect
				}
				seen |= bit
				pos = next
				continue
			}
		value:
			if uint32(w)&u.other != 0 {
				goto slow
			}
			e = &u.read[uint32(w)*u.spread>>25]
			switch e.op {
			case fastInt:
				wide := int(uint32(w) * u.spread >> 25 & 1)
				if end-pos < 12 {
					if wide != 0 {
						return 0, false
					}
					v.set(nil, uint64(int64(w)>>32), 0, e.meta)
					pos += 8
					continue
				}
				// without a branch: which width comes next cannot be foreseen
				x, full := uint64(int64(w)>>32), in.load64(pos+4)
				if wide != 0 {
					x = full
				}
				v.set(nil, x, 0, e.meta)
				pos += 8 + wide*4
			case fastInt32:
				v.set(nil, uint64(int64(w)>>32), 0, e.meta)
				pos += 8
			case fastF32:
				x := float64(math.Float32frombits(uint32(w >> 32)))
				if x != x {
					x = widen(uint32(w >> 32))
				}
				v.set(nil, math.Float64bits(x), 0, e.meta)
				pos += 8
			case fastF64, fastUint64, fastInt64:
				if end-pos < 12 {
					return 0, false
				}
				v.set(nil, in.load64(pos+4), 0, e.meta)
				pos += 12
			case fastText:
				n := int(w >> 32)
				start := pos + 8
				if uint(n) > uint(end-start) {
					return 0, false
				}
				next := start + (n+3)&^3
				if next > end {
					return 0, false
				}
				var p unsafe.Pointer // never past the end
				if n > 0 {
					p = in.at(start)
				}
				v.set(p, 0, uint32(n), e.meta)
				dirty := uint64(0)
				if n <= 8 {
					dirty = odd(in.load64(start+n-8)) >> (64 - 8*uint(n))
				} else {
					dirty = oddText(in, start, n)
				}
				if dirty != 0 && !r.fastTextSlow(v, b, start, n, e.meta, uint32(e.enc)) {
					return 0, false
				}
				pos = next
			case fastLanes8:
				if end-pos < 12 {
					return 0, false
				}
				v.set(nil, in.load64(pos+4), uint32(e.lanes), e.meta)
				pos += 12
			case fastLanes:
				if end-pos-4 < int(e.size) {
					return 0, false
				}
				v.set(in.at(pos+4), 0, uint32(e.lanes), e.meta)
				pos += 4 + int(e.size)
			case fastBool:
				x := uint64(0)
				if w>>32 != 0 {
					x = 1
				}
				v.set(nil, x, 0, e.meta)
				pos += 8
			case fastUnit:
				v.set(nil, 0, 0, e.meta)
				pos += 4
			case fastPacked:
				n := uint(w >> 32)
				left := uint(end - pos - 8)
				if n > left/uint(e.size) {
					return 0, false
				}
				size := n * uint(e.size)
				var p unsafe.Pointer
				if n > 0 {
					p = in.at(pos + 8)
				}
				v.set(p, uint64(e.lanes)<<formLanesBits, uint32(n), e.meta)
				if e.pad != 0 {
					if size = (size + 3) &^ 3; size > left {
						if e.pad == 1 || end != len(b) {
							return 0, false
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
				pos += 8
				v.set(nil, 0, n, e.meta)
				if n == 0 {
					continue
				}
				size, inner := uint64(n), uint8(0)
				if e.op == fastMap {
					size *= 2
					inner = modeMap
					if n > fewKeys {
						inner |= modeSuspect
					}
				}
				if size > uint64(end-pos)>>2 { // a value has 4 bytes or more
					return 0, false
				}
				if sp >= limit {
					return 0, false // nested too deeply
				}
				if r.opt.MaxMemory > 0 {
					if f.memory -= int(size) * cellSize; f.memory < 0 {
						return 0, false
					}
				}
				var children []Value
				if s, a := int(size), r.slab.used; s <= len(r.slab.cur)-a { // alloc, by hand
					children = r.slab.cur[a : a+s : a+s]
					r.slab.used = a + s
				} else {
					children = r.slab.more(int(size))
				}
				v.p = unsafe.Pointer(unsafe.SliceData(children))
				if sp == len(f.stack) {
					f.stack = append(f.stack, readFrame{})
				}
				frame := &f.stack[sp]
				frame.cells = cells
				frame.i = i
				frame.seen = seen
				frame.mode = mode
				sp++
				cells, i, seen, mode = children, 0, 0, inner
			case fastTexts:
				p, ok := r.fastTexts(v, e, b, pos, end)
				if !ok {
					return 0, false
				}
				pos = p
			default:
				goto slow
			}
			continue
		slow:
			// The instructions read this one value. A value inside it may come back here.
			if mode&modeMap != 0 && i&1 == 1 {
				mode |= modeSuspect
			}
			f.depth = sp
			val, p, ok := r.slowValue(u, b, pos, end, depth+sp-bottom)
			if !ok {
				return 0, false
			}
			*v, pos = val, p
		}
		if sp == bottom {
			f.depth = bottom
			*out = *rootCell
			return pos, true
		}
		suspect := mode&modeSuspect != 0
		full := cells
		sp--
		frame := &f.stack[sp]
		cells, i, seen, mode = frame.cells, frame.i, frame.seen, frame.mode
		if suspect {
			owner := &cells[i-1]
			owner.form = owner.form&^formDistinct | r.keys.distinct(full)
		}
	}
}

// sameTextBefore reports whether the last key in cells, a text, may stand in
// them before.
//
//go:noinline
func sameTextBefore(cells []Value) bool {
	last := &cells[len(cells)-1]
	s := last.Text()
	for i := 0; i < len(cells)-1; i += 2 {
		if cells[i].kind == Text && cells[i].Text() == s {
			return true
		}
	}
	return false
}

// slowValue reads one value by the instructions.
func (r *Reader) slowValue(u *fastUnion, b []byte, pos, end, depth int) (Value, int, bool) {
	saved := r.run
	g := &r.run
	*g = reading{r: r, m: r.m, p: r.m.p, in: b, pos: pos, end: end, depth: depth, nest: saved.nest, limit: r.fast.limit, memory: -1,
		regs: saved.regs, cells: saved.cells, path: saved.path, steps: math.MaxInt, fast: true}
	if r.opt.MaxMemory > 0 {
		g.memory = r.fast.memory
	}
	v, ok := g.routine(u.routine, nil)
	p, memory := g.pos, g.memory
	saved.regs, saved.cells, saved.path = g.regs[:len(saved.regs)], g.cells[:len(saved.cells)], g.path[:len(saved.path)]
	r.run = saved
	if r.opt.MaxMemory > 0 {
		r.fast.memory = memory
	}
	return v, p, ok
}

// fastTextSlow reads text that is not plain.
//
//go:noinline
func (r *Reader) fastTextSlow(v *Value, b []byte, at, n int, meta, enc uint32) bool {
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
	in := viewOf(b)
	n := in.load32(pos + 4)
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
		size := int(in.load32(pos))
		pos += 4
		if uint(size) > uint(end-pos) {
			return 0, false
		}
		next := pos + (size+3)&^3
		if next > end {
			return 0, false
		}
		n := size
		if counted && n > 0 && in.load8(pos+n-1) == 0 {
			n--
		}
		var p unsafe.Pointer
		if n > 0 {
			p = in.at(pos)
		}
		cells[i].set(p, 0, uint32(n), meta)
		dirty := uint64(0)
		if n <= 8 {
			dirty = odd(in.load64(pos+n-8)) >> (64 - 8*uint(n))
		} else {
			dirty = oddText(in, pos, n)
		}
		if dirty != 0 && !r.fastTextSlow(&cells[i], b, pos, size, meta, uint32(e.enc)) {
			return 0, false
		}
		pos = next
	}
	return pos, true
}
