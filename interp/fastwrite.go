// The fast loop of writing: the counterpart of the fast loop of reading.
//
// It writes values whose tag has a fused form and whose kind is the one of that
// form, with the width that the schema says. Any other value is written by the
// instructions; a value that cannot be written ends the loop, and the instructions
// write the whole value again, and say what and where is wrong.

package interp

import (
	"math"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// writeFrame is a container whose cells are being written.
type writeFrame struct {
	cells []Value
	i     uint
}

// innerWrite is a loop for values inside of those that are written by other means.
type innerWrite struct {
	loop writeLoop
	cell [1]Value
}

type fastWriter struct {
	stack  []writeFrame
	depth  int // frames in use
	cell   [1]Value
	root   *fastUnion // of the outermost value, or nil
	plan   *plan      // of the outermost value, or nil
	top    [1]Value   // read or written by it
	first  writeLoop
	inside bool // a value is being written by other means, and first is in use
	limit  int  // greatest depth
	spare  []*innerWrite
	leaves int // counts what fast loops leave to functions
}

// prepare notes what the options mean for the fast loop.
func (w *Writer) prepare() {
	w.fast.root, w.fast.plan = nil, nil
	if !w.opt.KeepWidths && w.obs == nil && !w.m.chooses {
		w.fast.root, w.fast.plan = w.m.fast[w.m.p.Root], w.m.plans[w.m.p.Root]
	}
	w.fast.limit = w.m.depth(&w.opt)
}

// headroom is the most bytes that a value without a length field needs. That is a header word
// and 16 numbers of 8 bytes, or text of up to 64 bytes and the bytes written after it.
const headroom = 4 + 16*8

// writeLoop is the fast loop between two of the things that it leaves to others,
// as readLoop is.
type writeLoop struct {
	u      *fastUnion
	out    []byte      // at its full capacity
	mem    memory.View // of out
	pos    int         // bytes in use
	bottom int
	limit  int
	cells  []Value
	i      uint
	sp     int
	need   int    // leaveRoom: bytes
	clean  *Value // a map whose keys have been compared
}

// fastValue appends one value of a fused union at a depth. base is where the
// output of this call begins in out. Bytes behind the result, up to its capacity,
// may have been written to.
func (w *Writer) fastValue(u *fastUnion, dst []byte, base int, root *Value, depth int) ([]byte, bool) {
	f := &w.fast
	if depth > f.limit {
		return dst, false
	}
	if !f.inside {
		return w.loops(&f.first, &f.cell, u, dst, base, root, depth)
	}
	if len(f.spare) == 0 {
		f.spare = append(f.spare, new(innerWrite))
	}
	last := len(f.spare) - 1
	inner := f.spare[last]
	f.spare = f.spare[:last]
	out, ok := w.loops(&inner.loop, &inner.cell, u, dst, base, root, depth)
	f.spare = append(f.spare, inner)
	return out, ok
}

// loops is fastValue with a loop that is free.
func (w *Writer) loops(l *writeLoop, cell *[1]Value, u *fastUnion, dst []byte, base int, root *Value, depth int) ([]byte, bool) {
	f := &w.fast
	cell[0] = *root
	l.u = u
	l.out = dst[:cap(dst)]
	l.mem = memory.Of(l.out)
	l.bottom = f.depth
	l.sp = f.depth
	l.limit = f.limit - depth + f.depth
	l.clean = nil
	cells, i, pos := cell[:], uint(0), len(dst)
	for {
		var why leave
		if why, cells, i, pos = w.loop(l, u, cells, i, pos); why == leaveDone {
			return l.out[:pos], true
		}
		l.cells, l.i, l.pos = cells, i, pos
		switch why {
		case leaveRoom:
			if l.sp == len(f.stack) {
				f.stack = append(f.stack, writeFrame{})
			}
			if len(l.out)-l.pos < l.need {
				l.grow(l.need)
			}
		case leaveKeys:
			f.leaves++
			v := &l.cells[l.i]
			if !w.keys.repeats(v) {
				l.clean = v
				continue
			}
			l.i++
			i++
			fallthrough
		case leaveRare:
			f.leaves++
			if !w.rare(l, base, depth) {
				f.depth = l.bottom
				return dst, false
			}
			pos = l.pos
		default:
			return dst, false
		}
	}
}

// grow makes room for n more bytes.
func (l *writeLoop) grow(n int) {
	l.out = slices.Grow(l.out[:l.pos], n)
	l.out = l.out[:cap(l.out)]
	l.mem = memory.Of(l.out)
}

// rare writes the value of the cell before i by other means.
func (w *Writer) rare(l *writeLoop, base, depth int) bool {
	v := &l.cells[l.i-1]
	if e := &l.u.write[uint8(v.tag)]; v.tag == e.tag && v.kind == e.kind {
		switch e.op {
		case fastText:
			n := int(v.n)
			if len(l.out)-l.pos < n+headroom {
				l.grow(n + headroom)
			}
			l.mem.Store64(l.pos, uint64(e.head)|uint64(v.n)<<32)
			if !w.text(l.mem, l.pos+8, v, e.enc) {
				return false
			}
			l.pos += 8 + (n+3)&^3
			return true
		case fastTexts:
			return w.texts(l, v, e)
		case fastPacked:
			if v.form&formScalar == e.scalar && v.u>>widthShift == uint64(e.lanes) {
				l.packed(v, e)
				return true
			}
		}
	}
	f, inside := &w.fast, w.fast.inside
	f.depth, f.inside = l.sp, true
	out, ok := w.slowValue(l.u, l.out[:l.pos], base, l.cells[l.i-1:l.i], depth+l.sp-l.bottom)
	f.depth, f.inside = l.bottom, inside
	l.pos = len(out)
	l.out = out[:cap(out)]
	l.mem = memory.Of(l.out)
	return ok
}

// packed writes an array of numbers.
func (l *writeLoop) packed(v *Value, e *fastWrite) {
	n := int(v.n) * int(e.size)
	if len(l.out)-l.pos < 12+n {
		l.grow(12 + n)
	}
	l.mem.Store64(l.pos, uint64(e.head)|uint64(v.n)<<32)
	l.pos += 8
	if n > 0 {
		if e.pad != 0 {
			l.mem.Store32(l.pos+n&^3, 0)
		}
		copy(l.out[l.pos:], v.Bytes())
		l.pos += n
		if e.pad != 0 {
			l.pos += -n & 3
		}
	}
}

func (w *Writer) loop(l *writeLoop, u *fastUnion, cells []Value, i uint, pos int) (leave, []Value, uint, int) {
	var (
		mem  = l.mem
		room = len(l.out) - headroom
		e    *fastWrite
		why  leave
	)
	for {
		for i < uint(len(cells)) {
			v := &cells[i]
			if pos > room {
				l.need = headroom
				why = leaveRoom
				goto out
			}
			i++
			e = &u.write[uint8(v.tag)]
			if v.tag != e.tag || v.kind != e.kind {
				why = leaveRare
				goto out
			}
			switch e.op {
			case fastInt32:
				// without a branch: what comes next is written over the upper half
				x := v.u
				wide := uint32(0)
				if x+1<<31 >= 1<<32 {
					wide = 1
				}
				mem.Store32(pos, e.head+wide*(e.wide-e.head))
				mem.Store64(pos+4, x)
				pos += int(8 + wide*4)
			case fastF32:
				x := math.Float64frombits(v.u)
				if s := float32(x); float64(s) == x {
					mem.Store64(pos, uint64(e.head)|uint64(math.Float32bits(s))<<32)
					pos += 8
				} else {
					mem.Store32(pos, e.wide)
					mem.Store64(pos+4, v.u)
					pos += 12
				}
			case fastText:
				n := int(v.n)
				src := memory.At(v.p, int(v.n))
				var bad uint64
				switch {
				case n > 64:
					why = leaveRare
					goto out
				case n >= 8:
					x, y := src.Load64(0), src.Load64(n-8)
					bad = odd(x) | odd(y)
					mem.Store64(pos+8+(n-1)&^7, 0)
					mem.Store64(pos+8, x)
					for k := 8; k < n-8; k += 8 {
						z := src.Load64(k)
						bad |= odd(z)
						mem.Store64(pos+8+k, z)
					}
					mem.Store64(pos+n, y)
				case n >= 4:
					x, y := src.Load32(0), src.Load32(n-4)
					bad = odd(uint64(x) | uint64(y)<<32)
					mem.Store32(pos+12, 0)
					mem.Store32(pos+8, x)
					mem.Store32(pos+4+n, y)
				case n > 0:
					x := uint64(src.Load8(0)) | uint64(src.Load8(n>>1))<<(8*uint(n>>1)) | uint64(src.Load8(n-1))<<(8*uint(n-1))
					bad = odd(x) & (1<<(8*uint(n)) - 1)
					mem.Store32(pos+8, uint32(x))
				}
				if bad != 0 {
					why = leaveRare
					goto out
				}
				mem.Store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8 + (n+3)&^3
			case fastLanes8:
				if v.form&formScalar != e.scalar || v.n != e.lanes {
					why = leaveRare
					goto out
				}
				mem.Store32(pos, e.head)
				mem.Store64(pos+4, v.u)
				pos += 12
			case fastLanes:
				if v.form&formScalar != e.scalar || v.n != e.lanes || e.size > headroom-4 {
					why = leaveRare
					goto out
				}
				n := int(e.size)
				mem.Store32(pos, e.head)
				pos += 4
				src := memory.At(v.p, n)
				k := 0
				for ; k+8 <= n; k += 8 {
					mem.Store64(pos+k, src.Load64(k))
				}
				if n&4 != 0 {
					mem.Store32(pos+k, src.Load32(k))
				}
				pos += n
			case fastBool:
				mem.Store64(pos, uint64(e.head)|(v.u&1)<<32)
				pos += 8
			case fastUnit:
				mem.Store32(pos, e.head)
				pos += 4
			case fastUint64:
				mem.Store32(pos, e.head)
				mem.Store64(pos+4, v.u)
				pos += 12
			case fastList, fastMap:
				if v.n >= 1<<31 {
					goto fail
				}
				if e.op == fastMap && v.form&formDistinct == 0 && v.n > 1 && v != l.clean {
					i--
					why = leaveKeys
					goto out
				}
				if v.n == 0 {
					mem.Store64(pos, uint64(e.head))
					pos += 8
					continue
				}
				sp := l.sp
				if sp >= l.limit {
					goto fail
				}
				if sp >= len(w.fast.stack) {
					i--
					l.need = 0
					why = leaveRoom
					goto out
				}
				mem.Store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8
				frame := &w.fast.stack[sp]
				frame.cells = cells
				frame.i = i
				l.sp = sp + 1
				n := int(v.n)
				if e.op == fastMap {
					n *= 2
				}
				cells, i = unsafe.Slice((*Value)(v.p), n), 0
			default:
				why = leaveRare
				goto out
			}
		}
		sp := l.sp
		if sp == l.bottom {
			return leaveDone, nil, 0, pos
		}
		sp--
		l.sp = sp
		frame := &w.fast.stack[sp]
		cells, i = frame.cells, frame.i
	}
out:
	return why, cells, i, pos
fail:
	return leaveFail, nil, 0, pos
}

// texts writes a list of texts. There is room for its count.
func (w *Writer) texts(l *writeLoop, v *Value, e *fastWrite) bool {
	if v.n >= 1<<31 {
		return false
	}
	l.mem.Store64(l.pos, uint64(e.head)|uint64(v.n)<<32)
	l.pos += 8
	counted := 0
	if w.m.p.Encodings[e.enc].NUL == bytecode.NULCounted {
		counted = 1
	}
	texts := v.Cells()
	for k := range texts {
		t := &texts[k]
		if t.kind != Text {
			return false
		}
		n := int(t.n)
		if len(l.out)-l.pos < n+headroom {
			l.grow(n + headroom)
		}
		l.mem.Store32(l.pos, uint32(n+counted))
		l.mem.Store64(l.pos+4+n&^3, 0)
		if !w.text(l.mem, l.pos+4, t, e.enc) {
			return false
		}
		l.pos += 4 + (n+counted+3)&^3
	}
	return true
}

// slowValue appends one value, which is v[0], by the plan of the union.
func (w *Writer) slowValue(u *fastUnion, out []byte, base int, v []Value, depth int) ([]byte, bool) {
	saved := w.run
	g := &w.run
	*g = writing{w: w, m: w.m, p: w.m.p, out: out, base: base, depth: depth, nest: saved.nest, limit: w.m.depth(&w.opt),
		regs: saved.regs, cells: saved.cells, path: saved.path, fast: true}
	ok := g.planned(u.rest(), &v[0])
	out = g.out
	saved.regs, saved.cells, saved.path = g.regs[:len(saved.regs)], g.cells[:len(saved.cells)], g.path[:len(saved.path)]
	w.run = saved
	return out, ok
}

// oddText reports whether a text that is not plain can be written.
//
//go:noinline
func (w *Writer) oddText(v *Value, enc uint16) bool {
	w.fast.leaves++
	bad, _ := checkText(&w.m.p.Encodings[enc], v.Bytes())
	return bad < 0
}

// text writes the bytes of a text and zeros up to a multiple of 4. The place has room for them
// and 8 more bytes. It reports whether a reader gets them back.
func (w *Writer) text(mem memory.View, at int, v *Value, enc uint16) bool {
	n := int(v.n)
	if n == 0 {
		return true
	}
	src := memory.At(v.p, int(v.n))
	mem.Store32(at+(n-1)&^3, 0)
	bad := uint64(0)
	switch {
	case n >= 8:
		for k := 0; k+8 <= n; k += 8 {
			x := src.Load64(k)
			bad |= odd(x)
			mem.Store64(at+k, x)
		}
		x := src.Load64(n - 8)
		bad |= odd(x)
		mem.Store64(at+n-8, x)
	case n >= 4:
		x, y := src.Load32(0), src.Load32(n-4)
		bad = odd(uint64(x) | uint64(y)<<32)
		mem.Store32(at, x)
		mem.Store32(at+n-4, y)
	default:
		for k := range n {
			x := src.Load8(k)
			if x-1 >= 0x7f {
				bad = 1
			}
			mem.Store8(at+k, x)
		}
	}
	return bad == 0 || w.oddText(v, enc)
}
