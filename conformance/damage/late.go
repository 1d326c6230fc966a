// Longer values: those whose packets can be cut inside the last element of a list, and those with other padding.

package damage

import (
	"iter"
	"slices"

	"github.com/octable/octable/interp"
)

// Bounds of [Engine.Late].
const (
	lateElements = 3 // of a list, as the first or the last one
	lateParts    = 4 // of an element, each made longer
)

// lateSizes are the bytes and elements of a part that is made longer.
var lateSizes = []int{60, 250}

// Late returns v with each of its lists and maps, in turn, made of two elements, of which the first is made
// longer. A reader refuses a list if the bytes that remain are fewer than its elements take at
// least. So a packet can only be cut inside the last element if those before it take more. Not all can be
// written.
func (e *Engine) Late(v interp.Value) iter.Seq[interp.Value] {
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
			for cells := range lateCells(n.v.Cells(), step) {
				if !yield(replace(v, n.path, n.v.WithCells(cells))) {
					return
				}
			}
		}
	}
}

// lateCells returns two elements or pairs out of some, of which the first is made longer.
func lateCells(all []interp.Value, step int) iter.Seq[[]interp.Value] {
	return func(yield func([]interp.Value) bool) {
		n := min(len(all)/step, lateElements)
		for i := range n * n {
			first, last := all[i/n*step:][:step], all[i%n*step:][:step]
			if i/n == i%n && n > 1 {
				continue
			}
			for long := range longer(first) {
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

// longer returns values, and then the same values with one part longer.
func longer(cells []interp.Value) iter.Seq[[]interp.Value] {
	return func(yield func([]interp.Value) bool) {
		if !yield(cells) {
			return
		}
		parts := 0
		for k, c := range cells {
			for _, n := range nodes(c) {
				for _, size := range lateSizes {
					w, ok := ofSize(n.v, size)
					if !ok {
						break
					}
					out := slices.Clone(cells)
					out[k] = replace(c, n.path, w)
					if !yield(out) {
						return
					}
					parts++
				}
				if parts >= lateParts*len(lateSizes) {
					return
				}
			}
		}
	}
}

// Grown returns v with each of its texts, arrays and lists, in turn, longer by 1 to more bytes, tuples or elements.
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

// another returns a value that differs in its first number or text.
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
		default:
			continue
		}
		return replace(v, n.path, w), true
	}
	return v, false
}
