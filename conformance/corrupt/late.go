// Values of other sizes: those whose packets can be cut inside the last element of a list, those with other padding, and
// those for which conditions on a size hold.

package corrupt

import (
	"iter"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Bounds of [Engine.Late].
const (
	lateElements = 3 // of a list, as the first or the last one
	lateParts    = 4 // of an element, each of other sizes
)

// Late returns copies of v, each with one of its lists and maps reduced to two elements. A part of the first element
// has each number of bytes or elements in turn. A reader refuses a list if the bytes that remain are fewer than its
// elements take at least. So a packet can only be cut inside the last element if those before it take more. Not all
// can be written.
func (e *Engine) Late(v interp.Value, sizes []int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			step := 1
			switch n.v.Kind() {
			case interp.List:
			case interp.Map:
				step = 2
			default:
				continue
			}
			for cells := range lateCells(n.v.Cells(), step, sizes) {
				if !yield(replace(v, n.path, n.v.WithCells(cells))) {
					return
				}
			}
		}
	}
}

// lateCells returns two elements or pairs out of some, of which the first has a part of other sizes.
func lateCells(all []interp.Value, step int, sizes []int) iter.Seq[[]interp.Value] {
	return func(yield func([]interp.Value) bool) {
		n := min(len(all)/step, lateElements)
		for i := range n * n {
			first, last := all[i/n*step:][:step], all[i%n*step:][:step]
			if i/n == i%n && n > 1 {
				continue
			}
			for long := range ofSizes(first, sizes) {
				if step == 2 && n == 1 {
					key, ok := another(long[0])
					if !ok {
						return
					}
					long = []interp.Value{key, long[1]}
				}
				if !yield(slices.Concat(long, last)) {
					return
				}
			}
		}
	}
}

// ofSizes returns values, and then the same values with one part of each size.
func ofSizes(cells []interp.Value, sizes []int) iter.Seq[[]interp.Value] {
	return func(yield func([]interp.Value) bool) {
		if !yield(cells) {
			return
		}
		parts := 0
		for k, c := range cells {
			for _, n := range nodes(c) {
				sized := false
				for w := range withSizes(n.v, sizes) {
					out := slices.Clone(cells)
					out[k] = replace(c, n.path, w)
					if !yield(out) {
						return
					}
					sized = true
				}
				if sized {
					parts++
				}
				if parts >= lateParts {
					return
				}
			}
		}
	}
}

// Grown returns v with each of its texts, arrays and lists, in turn, longer by 1 to more. The unit is bytes, tuples or
// elements.
func (e *Engine) Grown(v interp.Value, more int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			for by := 1; by <= more; by++ {
				if w, ok := ofSize(n.v, n.v.Len()+by); !ok {
					break
				} else if !yield(replace(v, n.path, w)) {
					return
				}
			}
		}
	}
}

// Resized returns v with each of its texts, arrays and lists, in turn, with each number of bytes or elements.
func (e *Engine) Resized(v interp.Value, sizes []int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			for w := range withSizes(n.v, sizes) {
				if !yield(replace(v, n.path, w)) {
					return
				}
			}
		}
	}
}

// Oversized returns copies of v, each with one of its texts, arrays and lists enlarged. The number of bytes or
// elements is too large for those of [Engine.Resized]. Lists have at most 256 elements, and values at most 8 such
// parts.
func (e *Engine) Oversized(v interp.Value, size int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		parts := 0
		for _, n := range nodes(v) {
			w, ok := n.v, false
			if n.v.Kind() != interp.List {
				w, ok = ofSize(n.v, size)
			} else if size <= 256 {
				w, ok = cycled(n.v, size)
			}
			if !ok {
				continue
			}
			if parts++; parts > oversizedParts || !yield(replace(v, n.path, w)) {
				return
			}
		}
	}
}

// oversizedParts is how many parts of a value are made larger, one in each value.
const oversizedParts = 8

// withSizes returns a text, an array or a list with each number of elements. It also returns an array with each number
// of bytes.
func withSizes(v interp.Value, sizes []int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, size := range sizes {
			w, ok := ofSize(v, size)
			if !ok || !yield(w) {
				return
			}
			if v.Kind() != interp.Packed {
				continue
			}
			if width := v.Scalar().Width() * v.Width(); width > 1 && size%width == 0 {
				if w, _ = ofSize(v, size/width); !yield(w) {
					return
				}
			}
		}
	}
}

// Bounds of [Engine.Compared].
const (
	comparedBytes   = 1 << 10 // of a part
	comparedOffsets = 8       // that words add to sizes
)

// Compared returns sizes that put words of the program at the limits of the condition of an instruction. For each
// number that the condition compares with, it returns the numbers of bytes for which a word has the number, or one
// more or less. It is empty if the condition is not about a number that depends on a size.
func (e *Engine) Compared(pc int) (sizes []int) {
	in := &e.p.Code[pc]
	if in.Op != bytecode.If && in.Op != bytecode.Check && in.Op != bytecode.Stop || !e.sized(pc, e.p.Exprs[in.A]) {
		return nil
	}
	offsets := e.offsets()
	e.p.Exprs[in.A].Walk(func(x *bytecode.Expr) {
		n, ok := x.Constant()
		if !ok || n < 0 || n > 2*comparedBytes {
			return
		}
		for _, offset := range offsets {
			for size := n + offset - 1; size <= n+offset+1; size++ {
				if size > 0 && size <= comparedBytes {
					sizes = append(sizes, int(size))
				}
			}
		}
	})
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// sized reports whether a number in an expression of an instruction may depend on the size of a part. The number is a
// size, an argument, or in a word that a writer computes from a size or fills in later.
func (e *Engine) sized(pc int, x *bytecode.Expr) bool {
	i := e.p.RoutineAt(pc)
	var regs [bytecode.MaxRegs]bool
	for i := range e.p.Routines[i].Args {
		regs[i] = true
	}
	holds := func(x *bytecode.Expr) (found bool) {
		x.Walk(func(x *bytecode.Expr) {
			found = found || x.Op == bytecode.ExprCount || x.Op == bytecode.ExprLen || x.Op == bytecode.ExprReg && regs[x.Arg]
		})
		return found
	}
	e.p.Walk(e.p.Body(i), func(_ int, in *bytecode.Instr, _ int) bool {
		switch in.Op {
		case bytecode.Word:
			regs[in.B] = regs[in.B] || in.C == bytecode.None || holds(e.p.Exprs[in.C])
		case bytecode.Let:
			regs[in.A] = regs[in.A] || holds(e.p.Exprs[in.B])
		case bytecode.Size:
			regs[in.A] = true
		}
		return true
	})
	return holds(x)
}

// offsets returns 0 and some of the numbers that words add to a size, or take from it. Each number has both signs.
func (e *Engine) offsets() []int64 {
	out := []int64{0}
	for i := range e.p.Code {
		in := &e.p.Code[i]
		if in.Op != bytecode.Word && in.Op != bytecode.Header && in.Op != bytecode.Patch || in.C == bytecode.None {
			continue
		}
		e.p.Exprs[in.C].Walk(func(x *bytecode.Expr) {
			if n, ok := x.Constant(); ok && n != 0 && -100 < n && n < 100 && len(out) <= 2*comparedOffsets && !slices.Contains(out, n) {
				out = append(out, n, -n)
			}
		})
	}
	return out
}

// ofSize returns a text, an array or a list with a number of bytes or elements.
func ofSize(v interp.Value, size int) (interp.Value, bool) {
	switch v.Kind() {
	case interp.Text:
		return interp.MakeText(v.Tag(), string(resized(nil, size))), true
	case interp.Packed:
		return interp.MakePacked(v.Tag(), v.Scalar(), v.Width(), resized(v.Bytes(), size*v.Scalar().Width()*v.Width())).WithWide(v.Wide()), true
	case interp.List:
		return repeated(v, size)
	}
	return v, false
}

// another returns a value that differs in its first number, text or array of numbers.
func another(v interp.Value) (interp.Value, bool) {
	for _, n := range nodes(v) {
		var w interp.Value
		switch n.v.Kind() {
		case interp.Int:
			w = interp.MakeInt(n.v.Tag(), n.v.Int()+1)
		case interp.Uint:
			w = interp.MakeUint(n.v.Tag(), n.v.Uint()^1)
		case interp.Float:
			w = interp.MakeFloat(n.v.Tag(), n.v.Float()+1)
		case interp.Text:
			w = interp.MakeText(n.v.Tag(), n.v.Text()+"a")
		case interp.Bool:
			w = interp.MakeBool(n.v.Tag(), !n.v.Bool())
		case interp.Lanes, interp.Packed:
			b := slices.Clone(n.v.Bytes())
			if len(b) == 0 {
				continue
			}
			b[0] ^= 1
			if n.v.Kind() == interp.Packed {
				w = interp.MakePacked(n.v.Tag(), n.v.Scalar(), n.v.Width(), b)
			} else {
				w = interp.MakeLanes(n.v.Tag(), n.v.Scalar(), b)
			}
		default:
			continue
		}
		return replace(v, n.path, w), true
	}
	return v, false
}
