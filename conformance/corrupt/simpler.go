// Simpler values, for making what shows a bug small.

package corrupt

import (
	"iter"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Simpler returns values that are simpler than v, the simplest first. They are the parts of v
// alone, v without some of its elements, and v with one part replaced by the least of its kind.
// Not all of them can be written. None is as large as v or larger, or has as much in it, so
// going on from one to the next ends.
func (e *Engine) Simpler(v interp.Value) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		all := nodes(v)
		for _, n := range all[1:] {
			if n.v.Tag() != 0 && !yield(n.v) {
				return
			}
		}
		for _, n := range all {
			step := 1
			switch n.v.Kind() {
			case interp.Map:
				step = 2
			case interp.List:
			case interp.Record:
				for i, c := range n.v.Cells() {
					if c.IsNone() {
						continue
					}
					cells := slices.Clone(n.v.Cells())
					cells[i] = interp.Value{}
					if !yield(replace(v, n.path, n.v.WithCells(cells))) {
						return
					}
				}
				continue
			default:
				for _, w := range least(n.v) {
					if !yield(replace(v, n.path, w)) {
						return
					}
				}
				continue
			}
			cells := n.v.Cells()
			for run := n.v.Len(); run > 0; run /= 2 {
				for at := 0; at+run <= n.v.Len(); at += run {
					if !yield(replace(v, n.path, n.v.WithCells(slices.Delete(slices.Clone(cells), at*step, (at+run)*step)))) {
						return
					}
				}
			}
		}
	}
}

// least returns simpler values of the same kind, the simplest first.
func least(v interp.Value) []interp.Value {
	var out []interp.Value
	tag := v.Tag()
	if v.Wide() {
		out = append(out, v.WithWide(false))
	}
	keep := func(w interp.Value) { out = append(out, w.WithWide(v.Wide())) }
	switch v.Kind() {
	case interp.Bool:
		if v.Bool() {
			keep(interp.MakeBool(tag, false))
		}
	case interp.Int:
		for _, x := range []int64{0, 1, -1, v.Int() / 2} {
			if x != v.Int() && (x >= 0 || v.Int() < 0) && abs(x) < abs(v.Int()) {
				keep(interp.MakeInt(tag, x))
			}
		}
	case interp.Uint:
		for _, x := range []uint64{0, 1, v.Uint() / 2} {
			if x < v.Uint() {
				keep(interp.MakeUint(tag, x))
			}
		}
	case interp.Float:
		if v.Uint() != 0 {
			keep(interp.MakeFloat(tag, 0))
			if v.Float() != 1 {
				keep(interp.MakeFloat(tag, 1))
			}
		}
	case interp.Text:
		s := v.Text()
		for _, t := range []string{"", "a", s[:len(s)/2], s[len(s)/2:], s[:max(0, len(s)-1)]} {
			if len(t) < len(s) {
				keep(interp.MakeText(tag, t))
			}
		}
	case interp.Lanes:
		b := v.Bytes()
		if w := v.Scalar().Width(); w > 0 {
			out = append(out, zeroed(b, w, func(b []byte) interp.Value {
				return interp.MakeLanes(tag, v.Scalar(), b).WithWide(v.Wide())
			})...)
		}
	case interp.Packed:
		b, size := v.Bytes(), v.Scalar().Width()*v.Width()
		remake := func(b []byte) interp.Value {
			return interp.MakePacked(tag, v.Scalar(), v.Width(), b).WithWide(v.Wide())
		}
		for _, n := range []int{0, 1, v.Len() / 2, v.Len() - 1} {
			if n >= 0 && n < v.Len() {
				out = append(out, remake(b[:n*size:n*size]))
			}
		}
		if v.Len() <= 64 && v.Scalar() != bytecode.NoScalar {
			out = append(out, zeroed(b, v.Scalar().Width(), remake)...)
		}
	}
	return out
}

func abs(x int64) uint64 {
	if x < 0 {
		return uint64(-x)
	}
	return uint64(x)
}

// zeroed returns values with all numbers 0, and with one of them.
func zeroed(b []byte, width int, remake func([]byte) interp.Value) []interp.Value {
	var out []interp.Value
	if !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
		return nil
	}
	out = append(out, remake(make([]byte, len(b))))
	for at := 0; at+width <= len(b); at += width {
		if slices.ContainsFunc(b[at:at+width], func(x byte) bool { return x != 0 }) {
			c := slices.Clone(b)
			clear(c[at : at+width])
			out = append(out, remake(c))
		}
	}
	return out
}
