// The fast loop of writing: the counterpart of the fast loop of reading.
//
// It writes values whose tag has a fused form and whose kind is the one of that
// form, with the width that the schema says. Any other value is written by the
// instructions; whatever cannot be written ends the loop, and the instructions
// write the whole value again, and say what and where is wrong.

package interp

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// writeFrame is a container whose cells are being written.
type writeFrame struct {
	cells []Value
	i     uint
}

type fastWriter struct {
	stack []writeFrame
	depth int // frames in use
	cell  [1]Value
	root  *fastUnion // of the outermost value, or nil
	limit int        // greatest depth
}

// prepare notes what the options mean for the fast loop.
func (w *Writer) prepare() {
	w.fast.root = nil
	if !w.opt.Unfused && !w.opt.KeepWidths {
		w.fast.root = w.m.fast[w.m.p.Root]
	}
	w.fast.limit = w.m.depth(&w.opt)
}

// headroom is what a value needs at most that has no length of its own: a header
// word and 16 numbers of 8 bytes, or text of up to 64 bytes and what is written
// behind it.
const headroom = 4 + 16*8

// room returns out, of which pos bytes are in use, with n more bytes behind them,
// at its full capacity.
//
//go:noinline
func room(out []byte, pos, n int) []byte {
	out = slices.Grow(out[:pos], n)
	return out[:cap(out)]
}

// fastValue appends one value of a fused union at a depth. base is where the
// output of this call begins in out. Bytes behind the result, up to its capacity,
// may have been written to.
func (w *Writer) fastValue(u *fastUnion, dst []byte, base int, root Value, depth int) ([]byte, bool) {
	f := &w.fast
	bottom := f.depth
	if depth > f.limit {
		return dst, false
	}
	limit := f.limit - depth + bottom
	var (
		cells []Value
		i     uint
		out   = dst[:cap(dst)]
		pos   = len(dst)
		mem   = viewOf(out)
		sp    = bottom
	)
	if bottom == 0 {
		f.cell[0] = root
		cells = f.cell[:]
	} else {
		cells = []Value{root}
	}
	for {
		for i < uint(len(cells)) {
			v := &cells[i]
			i++
			if len(out)-pos < headroom {
				out = room(out, pos, headroom)
				mem = viewOf(out)
			}
			var e *fastWrite
			if v.tag >= uint16(len(u.write)) {
				goto slow
			}
			e = &u.write[v.tag]
			if v.kind != e.kind {
				goto slow
			}
			switch e.op {
			case fastInt32:
				// without a branch: what comes next is written over the upper half
				x := v.u
				wide := uint32(0)
				if x+1<<31 >= 1<<32 {
					wide = 1
				}
				mem.store32(pos, e.head+wide*(e.wide-e.head))
				mem.store64(pos+4, x)
				pos += int(8 + wide*4)
			case fastF32:
				x := math.Float64frombits(v.u)
				if s := float32(x); float64(s) == x {
					mem.store64(pos, uint64(e.head)|uint64(math.Float32bits(s))<<32)
					pos += 8
				} else {
					mem.store32(pos, e.wide)
					mem.store64(pos+4, v.u)
					pos += 12
				}
			case fastText:
				n := int(v.n)
				mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
				src := viewOfText(v)
				at := pos + 8
				var bad uint64
				switch {
				case n > 16:
					if len(out)-at < n+headroom {
						out = room(out, at, n+headroom)
						mem = viewOf(out)
					}
					if !w.text(mem, at, v, e.enc) {
						return dst, false
					}
				case n >= 8:
					x, y := src.load64(0), src.load64(n-8)
					bad = (odd(x) | odd(y))
					mem.store64(at+8, 0)
					mem.store64(at, x)
					mem.store64(at+n-8, y)
				case n >= 4:
					x, y := src.load32(0), src.load32(n-4)
					bad = odd(uint64(x) | uint64(y)<<32)
					mem.store32(at+4, 0)
					mem.store32(at, x)
					mem.store32(at+n-4, y)
				case n > 0:
					x := uint64(src.load8(0)) | uint64(src.load8(n>>1))<<(8*uint(n>>1)) | uint64(src.load8(n-1))<<(8*uint(n-1))
					bad = odd(x) & (1<<(8*uint(n)) - 1)
					mem.store32(at, uint32(x))
				}
				if bad != 0 && !w.oddText(v, e.enc) {
					return dst, false
				}
				pos = at + (n+3)&^3
			case fastLanes8:
				if v.form&formScalar != e.scalar || v.n != e.lanes {
					goto slow
				}
				mem.store32(pos, e.head)
				mem.store64(pos+4, v.u)
				pos += 12
			case fastLanes:
				if v.form&formScalar != e.scalar || v.n != e.lanes {
					goto slow
				}
				n := int(e.size)
				mem.store32(pos, e.head)
				pos += 4
				if n > headroom-4 {
					if len(out)-pos < n {
						out = room(out, pos, n)
						mem = viewOf(out)
					}
				}
				src := viewOfText(v)
				k := 0
				for ; k+8 <= n; k += 8 {
					mem.store64(pos+k, src.load64(k))
				}
				if n&4 != 0 {
					mem.store32(pos+k, src.load32(k))
				}
				pos += n
			case fastBool:
				mem.store64(pos, uint64(e.head)|(v.u&1)<<32)
				pos += 8
			case fastUnit:
				mem.store32(pos, e.head)
				pos += 4
			case fastUint64:
				mem.store32(pos, e.head)
				mem.store64(pos+4, v.u)
				pos += 12
			case fastPacked:
				if v.form&formScalar != e.scalar || v.u>>formLanesBits != uint64(e.lanes) {
					goto slow
				}
				size := uint64(v.n) * uint64(e.size)
				if size > math.MaxInt32 {
					return dst, false
				}
				n := int(size)
				if len(out)-pos < 12+n {
					out = room(out, pos, 12+n)
					mem = viewOf(out)
				}
				mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8
				if n > 0 {
					if e.pad != 0 {
						mem.store32(pos+n&^3, 0)
					}
					copy(out[pos:], v.Bytes())
					pos += n
					if e.pad != 0 {
						pos += -n & 3
					}
				}
			case fastList, fastMap:
				if v.n >= 1<<31 {
					return dst, false
				}
				if e.op == fastMap && v.form&formDistinct == 0 && v.n > 1 {
					if v.form&formRepeats != 0 || w.keys.distinct(v.Cells()) == formRepeats {
						goto slow
					}
				}
				mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8
				if v.n == 0 {
					continue
				}
				if sp >= limit {
					return dst, false
				}
				if sp == len(f.stack) {
					f.stack = append(f.stack, writeFrame{})
				}
				frame := &f.stack[sp]
				frame.cells = cells
				frame.i = i
				sp++
				cells, i = v.Cells(), 0
			case fastTexts:
				var ok bool
				if out, pos, ok = w.texts(out, pos, v, e); !ok {
					return dst, false
				}
				mem = viewOf(out)
			default:
				goto slow
			}
			continue
		slow:
			f.depth = sp
			more, ok := w.slowValue(u, out[:pos], base, *v, depth+sp-bottom)
			f.depth = bottom
			if !ok {
				return dst, false
			}
			pos = len(more)
			out = more[:cap(more)]
			mem = viewOf(out)
		}
		if sp == bottom {
			return out[:pos], true
		}
		sp--
		frame := &f.stack[sp]
		cells, i = frame.cells, frame.i
	}
}

// texts writes a list of texts at pos.
func (w *Writer) texts(out []byte, pos int, v *Value, e *fastWrite) ([]byte, int, bool) {
	if v.n >= 1<<31 {
		return out, pos, false
	}
	mem := viewOf(out)
	mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
	pos += 8
	counted := 0
	if w.m.p.Encodings[e.enc].NUL == bytecode.NULCounted {
		counted = 1
	}
	texts := v.Cells()
	for k := range texts {
		t := &texts[k]
		if t.kind != Text {
			return out, pos, false
		}
		n := int(t.n)
		if len(out)-pos < n+headroom {
			out = room(out, pos, n+headroom)
			mem = viewOf(out)
		}
		mem.store32(pos, uint32(n+counted))
		mem.store64(pos+4+n&^3, 0)
		if !w.text(mem, pos+4, t, e.enc) {
			return out, pos, false
		}
		pos += 4 + (n+counted+3)&^3
	}
	return out, pos, true
}

// slowValue appends one value by the instructions.
func (w *Writer) slowValue(u *fastUnion, out []byte, base int, v Value, depth int) ([]byte, bool) {
	saved := w.run
	g := &w.run
	*g = writing{w: w, m: w.m, p: w.m.p, out: out, base: base, depth: depth, nest: saved.nest, limit: w.m.depth(&w.opt),
		regs: saved.regs, cells: saved.cells, path: saved.path, fast: true}
	ok := g.routine(u.routine, v, nil)
	out = g.out
	saved.regs, saved.cells, saved.path = g.regs[:len(saved.regs)], g.cells[:len(saved.cells)], g.path[:len(saved.path)]
	w.run = saved
	return out, ok
}

// oddText reports whether a text that is not plain can be written.
//
//go:noinline
func (w *Writer) oddText(v *Value, enc uint16) bool {
	bad, _ := checkText(&w.m.p.Encodings[enc], v.Bytes())
	return bad < 0
}

// text writes the bytes of a text at a place that has room for them and 8 more,
// and zeros up to a multiple of 4. It reports whether a reader gets them back.
func (w *Writer) text(mem view, at int, v *Value, enc uint16) bool {
	n := int(v.n)
	if n == 0 {
		return true
	}
	src := viewOfText(v)
	mem.store32(at+(n-1)&^3, 0)
	bad := uint64(0)
	switch {
	case n >= 8:
		for k := 0; k+8 <= n; k += 8 {
			x := src.load64(k)
			bad |= odd(x)
			mem.store64(at+k, x)
		}
		x := src.load64(n - 8)
		bad |= odd(x)
		mem.store64(at+n-8, x)
	case n >= 4:
		x, y := src.load32(0), src.load32(n-4)
		bad = odd(uint64(x) | uint64(y)<<32)
		mem.store32(at, x)
		mem.store32(at+n-4, y)
	default:
		for k := range n {
			x := src.load8(k)
			if x-1 >= 0x7f {
				bad = 1
			}
			mem.store8(at+k, x)
		}
	}
	return bad == 0 || w.oddText(v, enc)
}
