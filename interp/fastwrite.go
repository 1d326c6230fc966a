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
	i     int
}

type fastWriter struct {
	stack []writeFrame
}

func (w *Writer) appendFast(dst []byte, v Value) ([]byte, bool) {
	u := w.m.fast[w.m.p.Root]
	if u == nil || w.opt.KeepWidths {
		return nil, false
	}
	w.fast.stack = w.fast.stack[:0]
	return w.fastValue(u, dst, len(dst), v, 0)
}

// room returns out with at least n more bytes of capacity.
func room(out []byte, n int) []byte {
	if cap(out)-len(out) >= n {
		return out
	}
	return slices.Grow(out, max(n, 64))
}

// fastValue appends one value of a fused union at a depth. base is where the
// output of this call begins in out.
func (w *Writer) fastValue(u *fastUnion, out []byte, base int, root Value, depth int) ([]byte, bool) {
	f := &w.fast
	bottom := len(f.stack)
	most := w.m.depth(&w.opt)
	if depth > most {
		return out, false
	}
	limit := most - depth + bottom
	rootCell := [1]Value{root}
	cells, i := rootCell[:], 0
	table := u.write
	pos := len(out)
	mem := viewOf(out)
	end := cap(out)
	for {
		if i >= len(cells) {
			for {
				if len(f.stack) == bottom {
					return out[:pos], true
				}
				top := &f.stack[len(f.stack)-1]
				cells, i = top.cells, top.i
				f.stack = f.stack[:len(f.stack)-1]
				if i < len(cells) {
					break
				}
			}
		}
		v := &cells[i]
		i++
		if end-pos < 24 {
			out = room(out[:pos], 24)
			mem, end = viewOf(out), cap(out)
		}
		if int(v.tag) >= len(table) {
			goto slow
		}
		{
			e := &table[v.tag]
			if e.op == fastNone || v.kind != e.kind {
				goto slow
			}
			switch e.op {
			case fastUnit:
				mem.store32(pos, e.head)
				pos += 4
			case fastBool:
				mem.store64(pos, uint64(e.head)|(v.u&1)<<32)
				pos += 8
			case fastInt32:
				if x := int64(v.u); x == int64(int32(x)) {
					mem.store64(pos, uint64(e.head)|uint64(uint32(x))<<32)
					pos += 8
				} else {
					mem.store32(pos, e.wide)
					mem.store64(pos+4, v.u)
					pos += 12
				}
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
			case fastUint64:
				mem.store32(pos, e.head)
				mem.store64(pos+4, v.u)
				pos += 12
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
				if end-pos < 4+n {
					out = room(out[:pos], 4+n)
					mem, end = viewOf(out), cap(out)
				}
				mem.store32(pos, e.head)
				copy(out[pos+4:end:end], v.Bytes())
				pos += 4 + n
			case fastText:
				n := int(v.n)
				if end-pos < 24+n {
					out = room(out[:pos], 24+n)
					mem, end = viewOf(out), cap(out)
				}
				mem.store64(pos, uint64(e.head)|uint64(n)<<32)
				if !w.text(mem, out, pos+8, v, e.enc) {
					return out, false
				}
				pos += 8 + (n+3)&^3
			case fastPacked:
				if v.form&formScalar != e.scalar || v.u>>formLanesBits != uint64(e.lanes) {
					goto slow
				}
				n := int(v.n) * int(e.size)
				if n < 0 || n > math.MaxInt32 {
					return out, false
				}
				if end-pos < 12+n {
					out = slices.Grow(out[:pos], 12+n)
					mem, end = viewOf(out), cap(out)
				}
				mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8
				if n > 0 {
					if e.pad != 0 {
						mem.store32(pos+n&^3, 0)
					}
					copy(out[pos:end:end], v.Bytes())
					pos += n
					if e.pad != 0 {
						pos += -n & 3
					}
				}
			case fastList, fastMap:
				if v.n >= 1<<31 {
					return out, false
				}
				if e.op == fastMap && v.n > 1 && v.form&formDistinct == 0 {
					if v.form&formRepeats != 0 || w.keys.distinct(v.Cells()) == formRepeats {
						goto slow
					}
				}
				mem.store64(pos, uint64(e.head)|uint64(v.n)<<32)
				pos += 8
				if v.n == 0 {
					break
				}
				if len(f.stack) >= limit {
					return out, false
				}
				inner := v.Cells()
				f.stack = append(f.stack, writeFrame{cells, i})
				cells, i = inner, 0
			case fastTexts:
				if v.n >= 1<<31 {
					return out, false
				}
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
						return out, false
					}
					n := int(t.n)
					if end-pos < 24+n {
						out = room(out[:pos], 24+n)
						mem, end = viewOf(out), cap(out)
					}
					mem.store32(pos, uint32(n+counted))
					if counted != 0 {
						mem.store64(pos+4+n&^3, 0)
					}
					if !w.text(mem, out, pos+4, t, e.enc) {
						return out, false
					}
					pos += 4 + (n+counted+3)&^3
				}
			default:
				goto slow
			}
		}
		continue
	slow:
		var ok bool
		out, ok = w.slowValue(u, out[:pos], base, *v, depth+len(f.stack)-bottom)
		if !ok {
			return out, false
		}
		pos = len(out)
		mem, end = viewOf(out), cap(out)
	}
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

// text writes the bytes of a text at a place that has room for them and 8 more,
// and zeros up to a multiple of 4. It reports whether a reader gets them back.
func (w *Writer) text(mem view, out []byte, at int, v *Value, enc uint16) bool {
	const high, ones = 0x8080808080808080, 0x0101010101010101
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
			bad |= x | (x - ones)
			mem.store64(at+k, x)
		}
		x := src.load64(n - 8)
		bad |= x | (x - ones)
		mem.store64(at+n-8, x)
	case n >= 4:
		x, y := src.load32(0), src.load32(n-4)
		z := uint64(x) | uint64(y)<<32
		bad = z | (z - ones)
		mem.store32(at, x)
		mem.store32(at+n-4, y)
	default:
		x, y, z := src.load8(0), src.load8(n/2), src.load8(n-1)
		q := uint64(x) | uint64(y)<<8 | uint64(z)<<16 | 0x0101010101000000
		bad = q | (q - ones)
		mem.store8(at, x)
		mem.store8(at+n/2, y)
		mem.store8(at+n-1, z)
	}
	if bad&high == 0 {
		return true
	}
	at8, _ := checkText(&w.m.p.Encodings[enc], v.Bytes())
	return at8 < 0
}
