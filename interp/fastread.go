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

// readFrame is a container that is being filled.
type readFrame struct {
	cells []Value // all of it
	i     int     // the next cell to fill
	pairs bool    // a map, whose keys are compared at the end
	owner *Value
}

type fastReader struct {
	stack  []readFrame
	root   Value
	in     view
	end    int
	limit  int // greatest depth
	memory int // bytes that may still be taken
	active bool
}

func (r *Reader) readFast(b []byte) (Value, int, bool) {
	u := r.m.fast[r.m.p.Root]
	if u == nil {
		return Value{}, 0, false
	}
	f := &r.fast
	f.in, f.end, f.limit = viewOf(b), len(b), r.m.depth(&r.opt)
	f.memory = math.MaxInt
	if r.opt.MaxMemory > 0 {
		f.memory = r.opt.MaxMemory
	}
	f.stack = f.stack[:0]
	f.active = true
	v, pos, ok := r.fastValue(u, b, 0, len(b), 0)
	f.active = false
	return v, pos, ok
}

// fastValue reads one value of a fused union at a depth.
func (r *Reader) fastValue(u *fastUnion, b []byte, pos, end, depth int) (Value, int, bool) {
	f := &r.fast
	in := f.in
	bottom := len(f.stack)
	limit := f.limit - depth + bottom // greatest length of the stack
	if depth > f.limit {
		return Value{}, 0, false
	}
	var root [1]Value
	cells, i := root[:], 0
	pairs := false
	for {
		if i >= len(cells) {
			// a container is full, or the root is there
			for {
				if len(f.stack) == bottom {
					return root[0], pos, true
				}
				if pairs && len(cells) >= 4 {
					top := &f.stack[len(f.stack)-1]
					top.owner.form |= r.keys.distinct(cells)
				}
				top := &f.stack[len(f.stack)-1]
				cells, i, pairs = top.cells, top.i, top.pairs
				f.stack = f.stack[:len(f.stack)-1]
				if i < len(cells) {
					break
				}
			}
		}
		v := &cells[i]
		i++
		if end-pos < 8 {
			// not even one word after the header: rare, and mostly the last value
			if end-pos < 4 {
				return Value{}, 0, false
			}
			if h := in.load32(pos); h < 64 && u.plain[h].op == fastUnit {
				*v = Value{kind: Unit, tag: u.plain[h].tag}
				pos += 4
				continue
			}
			return Value{}, 0, false
		}
		h := in.load32(pos)
		var e *fastRead
		if h < 64 {
			e = &u.plain[h]
		} else if h ^= u.flag; h < 64 {
			e = &u.flagged[h]
		} else {
			e = &u.plain[0]
			goto slow
		}
		switch e.op {
		case fastUnit:
			*v = Value{kind: Unit, tag: e.tag}
			pos += 4
		case fastBool:
			x := uint64(0)
			if in.load32(pos+4) != 0 {
				x = 1
			}
			*v = Value{kind: Bool, tag: e.tag, u: x}
			pos += 8
		case fastInt32:
			*v = Value{kind: Int, tag: e.tag, form: e.form, u: uint64(int32(in.load32(pos + 4)))}
			pos += 8
		case fastF32:
			bits := in.load32(pos + 4)
			x := float64(math.Float32frombits(bits))
			if x != x {
				x = widen(bits)
			}
			*v = Value{kind: Float, tag: e.tag, form: e.form, u: math.Float64bits(x)}
			pos += 8
		case fastInt64, fastF64, fastUint64:
			if end-pos < 12 {
				return Value{}, 0, false
			}
			kind := Int
			if e.op == fastF64 {
				kind = Float
			} else if e.op == fastUint64 {
				kind = Uint
			}
			*v = Value{kind: kind, tag: e.tag, form: e.form, u: in.load64(pos + 4)}
			pos += 12
		case fastLanes8:
			if end-pos < 12 {
				return Value{}, 0, false
			}
			*v = Value{kind: Lanes, tag: e.tag, form: e.form, n: e.lanes, u: in.load64(pos + 4)}
			pos += 12
		case fastLanes:
			if end-pos < 4+int(e.size) {
				return Value{}, 0, false
			}
			*v = Value{p: in.at(pos + 4), kind: Lanes, tag: e.tag, form: e.form, n: e.lanes}
			pos += 4 + int(e.size)
		case fastText:
			n := uint(in.load32(pos + 4))
			if n >= uint(end) || (n+3)&^3 > uint(end-pos-8) {
				return Value{}, 0, false
			}
			if n == 0 {
				*v = Value{kind: Text, tag: e.tag}
				pos += 8
				break
			}
			if !plainText(in, pos+8, int(n)) {
				if !r.fastTextSlow(v, b, pos+8, int(n), e.tag, uint32(e.enc)) {
					return Value{}, 0, false
				}
			} else {
				*v = Value{p: in.at(pos + 8), n: uint32(n), kind: Text, tag: e.tag}
			}
			pos += 8 + int((n+3)&^3)
		case fastPacked:
			n := uint(in.load32(pos + 4))
			left := uint(end - pos - 8)
			if n > left/uint(e.size) {
				return Value{}, 0, false
			}
			size := n * uint(e.size)
			*v = Value{kind: Packed, tag: e.tag, form: e.form, n: uint32(n), u: uint64(e.lanes) << formLanesBits}
			if n > 0 {
				v.p = in.at(pos + 8)
			}
			if e.pad != 0 {
				if size = (size + 3) &^ 3; size > left {
					if e.pad == 1 || end != len(b) {
						return Value{}, 0, false
					}
					size = left
				}
			}
			pos += 8 + int(size)
		case fastList, fastMap:
			n := in.load32(pos + 4)
			switch e.count {
			case countLow31:
				n &= 0x7fffffff
			case countSigned:
				if int32(n) < 0 {
					n = 0
				}
			}
			kind, form, number := List, uint8(0), int(n)
			if e.op == fastMap {
				kind = Map
				if n < 2 {
					form = formDistinct
				}
			}
			pos += 8
			if n == 0 {
				*v = Value{kind: kind, tag: e.tag, form: form}
				break
			}
			if uint64(n) > uint64(end-pos)/uint64(u.least) {
				return Value{}, 0, false
			}
			if kind == Map {
				if number *= 2; uint64(number) > uint64(end-pos)/uint64(u.least) {
					return Value{}, 0, false
				}
			}
			if len(f.stack) >= limit {
				return Value{}, 0, false // nested too deeply
			}
			if f.memory -= number * cellSize; f.memory < 0 {
				return Value{}, 0, false
			}
			inner := r.slab.alloc(number)
			*v = Value{p: unsafe.Pointer(unsafe.SliceData(inner)), n: n, kind: kind, tag: e.tag, form: form}
			f.stack = append(f.stack, readFrame{cells: cells, i: i, pairs: pairs, owner: v})
			cells, i, pairs = inner, 0, kind == Map
		case fastTexts:
			p, ok := r.fastTexts(v, e, b, pos, end)
			if !ok {
				return Value{}, 0, false
			}
			pos = p
		default:
			goto slow
		}
		continue
	slow:
		// The instructions read this one value. A value inside it may come back here.
		val, p, ok := r.slowValue(u, b, pos, end, depth+len(f.stack)-bottom)
		if !ok {
			return Value{}, 0, false
		}
		*v = val
		pos = p
	}
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

// plainText reports whether n > 0 bytes, which are followed by padding to a
// multiple of 4 inside the input, are ASCII without NUL.
func plainText(in view, at, n int) bool {
	const high, ones = 0x8080808080808080, 0x0101010101010101
	if n >= 8 {
		for i := 0; i+8 <= n; i += 8 {
			w := in.load64(at + i)
			if (w|(w-ones))&high != 0 {
				return false
			}
		}
		w := in.load64(at + n - 8)
		return (w|(w-ones))&high == 0
	}
	if n > 4 {
		w := uint64(in.load32(at)) | uint64(in.load32(at+n-4))<<32
		return (w|(w-ones))&high == 0
	}
	w := in.load32(at)
	// bytes of the padding do not count
	mask := uint32(1)<<(8*(uint(n)&3)) - 1
	if n == 4 {
		mask = math.MaxUint32
	}
	w = w&mask | 0x01010101&^mask
	return (w|(w-0x01010101))&0x80808080 == 0
}

// fastTextSlow reads text that is not plain.
func (r *Reader) fastTextSlow(v *Value, b []byte, at, n int, tag uint16, enc uint32) bool {
	text, _, why := readText(&r.m.p.Encodings[enc], b[at:at+n:at+n])
	if why != "" {
		return false
	}
	*v = Value{kind: Text, tag: tag, n: uint32(len(text))}
	if len(text) > 0 {
		v.p = unsafe.Pointer(unsafe.SliceData(text))
	}
	return true
}

// fastTexts reads a list of texts.
func (r *Reader) fastTexts(v *Value, e *fastRead, b []byte, pos, end int) (int, bool) {
	in := r.fast.in
	n := in.load32(pos + 4)
	switch e.count {
	case countLow31:
		n &= 0x7fffffff
	case countSigned:
		if int32(n) < 0 {
			n = 0
		}
	}
	pos += 8
	*v = Value{kind: List, tag: e.tag, n: n}
	if n == 0 {
		return pos, true
	}
	if uint64(n) > uint64(end-pos)/4 {
		return 0, false
	}
	if r.fast.memory -= int(n) * cellSize; r.fast.memory < 0 {
		return 0, false
	}
	cells := r.slab.alloc(int(n))
	v.p = unsafe.Pointer(unsafe.SliceData(cells))
	counted := r.m.p.Encodings[e.enc].NUL == bytecode.NULCounted
	for i := range cells {
		if end-pos < 4 {
			return 0, false
		}
		size := uint(in.load32(pos))
		pos += 4
		if size >= uint(end)+1 || (size+3)&^3 > uint(end-pos) {
			return 0, false
		}
		n := int(size)
		if counted && n > 0 && in.load8(pos+n-1) == 0 {
			n--
		}
		switch {
		case n == 0:
			cells[i] = Value{kind: Text}
		case !plainText(in, pos, n):
			if !r.fastTextSlow(&cells[i], b, pos, int(size), 0, uint32(e.enc)) {
				return 0, false
			}
		default:
			cells[i] = Value{p: in.at(pos), n: uint32(n), kind: Text}
		}
		pos += int((size + 3) &^ 3)
	}
	return pos, true
}
