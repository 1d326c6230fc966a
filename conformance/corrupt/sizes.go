// Sizes of texts, arrays, lists and maps at the limits of the words that hold them.

package corrupt

import (
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// The most bytes of a text or an array, and elements of a list, that [Engine.Sized] makes.
const (
	maxBytes    = 1 << 16
	maxElements = 260
)

// Sized returns v with a text, array, list or map at a size around the limit of a word. The program can
// just hold the size in the word, or cannot. ok is false if there is no such part or word.
func (e *Engine) Sized(r *rand.Rand, v interp.Value) (w interp.Value, ok bool) {
	if e.limits == nil {
		e.limits = sizesOf(e.p)
	}
	all := slices.DeleteFunc(nodes(v), func(n node) bool {
		switch n.v.Kind() {
		case interp.Text, interp.Packed:
			return false
		case interp.List, interp.Map:
			return n.v.Len() == 0
		}
		return true
	})
	if len(all) == 0 || len(e.limits) == 0 {
		return v, false
	}
	n, size := all[r.IntN(len(all))], e.limits[r.IntN(len(e.limits))]
	if size > maxElements && r.IntN(4) > 0 { // a large value takes long
		size = e.limits[0]
	}
	switch c := n.v; c.Kind() {
	case interp.Text:
		w = interp.MakeText(c.Tag(), string(slices.Repeat([]byte{'a'}, size)))
	case interp.Packed:
		one := c.Scalar().Width() * c.Width()
		if size*one > maxBytes {
			return v, false
		}
		w = interp.MakePacked(c.Tag(), c.Scalar(), c.Width(), resized(c.Bytes(), size*one))
	default:
		if size > maxElements {
			return v, false
		}
		step := 1
		if c.Kind() == interp.Map {
			step = 2
		}
		cells, out := c.Cells(), make([]interp.Value, size*step)
		for i := range out {
			out[i] = cells[i%len(cells)]
		}
		w = c.WithCells(out)
	}
	return replace(v, n.path, w.WithWide(n.v.Wide())), true
}

// sizesOf returns the sizes that the words of a program with a number of parts can just hold. It also
// returns the next ones. The result is not nil.
func sizesOf(p *bytecode.Program) []int {
	out := []int{}
	add := func(bits int, offsets []int64) {
		if bits > 16 {
			return
		}
		for _, offset := range offsets {
			for _, size := range []int64{1<<bits - 1 - offset, 1<<bits - offset} {
				if size > 0 && size <= maxBytes {
					out = append(out, int(size))
				}
			}
		}
	}
	for i := range p.Code {
		in := &p.Code[i]
		if in.Op != bytecode.Word && in.Op != bytecode.Header && in.Op != bytecode.Patch || in.C == bytecode.None {
			continue
		}
		counts, fits, offsets := in.Op == bytecode.Patch, []int64(nil), []int64{0}
		p.Exprs[in.C].Walk(func(x *bytecode.Expr) {
			switch x.Op {
			case bytecode.ExprCount, bytecode.ExprLen:
				counts = true
			case bytecode.ExprFit:
				fits = append(fits, x.Arg)
			}
			if n, ok := x.Constant(); ok && -100 < n && n < 100 && n != 0 && len(offsets) < 4 {
				offsets = append(offsets, n)
			}
		})
		if !counts {
			continue
		}
		for _, bits := range fits {
			add(int(bits), offsets)
		}
		bits := 8 * in.Scalar().Width()
		if in.Coding().Varies() {
			add(14, offsets)
			bits = 7
		} else if in.Scalar().Signed() {
			bits--
		}
		add(bits, offsets)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
