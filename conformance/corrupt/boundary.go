// Boundary values: the least and the greatest numbers, sizes and depths, and equal keys.

package corrupt

import (
	"bytes"
	"encoding/binary"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

// edges returns the numbers around which a scalar changes, as the bits of a register.
func edges(s bytecode.Scalar) []uint64 {
	var out []uint64
	if !s.IsFloat() {
		for _, x := range boundary.Integers(s) {
			out = append(out, x.Number)
		}
		return out
	}
	for _, x := range boundary.Reals {
		bits, _ := interp.BitsOf(s, x.Float())
		if x := math.Float64bits(interp.RealOf(s, bits)); !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// Boundaries yields copies of v, each with one part at a boundary of its row. It tries numbers at the limits of their
// widths and of conditions, each number of tuples and the first and last of arrays, texts with special characters,
// and sizes around which padding changes. Not all can be written. If only is not nil, it changes the parts at places
// for which only returns true.
func (e *Engine) Boundaries(v interp.Value, only func(Place) bool) iter.Seq[interp.Value] {
	return values(e.AtBoundaries(v, only))
}

// AtBoundaries is Boundaries without the copies of v.
func (e *Engine) AtBoundaries(v interp.Value, only func(Place) bool) iter.Seq[Replacement] {
	return func(yield func(Replacement) bool) {
		for n := range e.parts(v, only) {
			for w := range e.boundaries(n) {
				if !yield(Replacement{v, n.path, w}) {
					return
				}
			}
		}
	}
}

// Boundary returns v with one of its parts at one of the boundaries of its row.
func (e *Engine) Boundary(r *rand.Rand, v interp.Value) interp.Value {
	all := nodes(v)
	n := all[r.IntN(len(all))]
	boundaries := slices.Collect(e.boundaries(n))
	if len(boundaries) == 0 {
		return v
	}
	return replace(v, n.path, boundaries[r.IntN(len(boundaries))])
}

// boundaries returns what a part is at the boundaries of its row.
func (e *Engine) boundaries(n node) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		e.forms()
		v, tag := n.v, n.v.Tag()
		put := func(w interp.Value) bool { return yield(w.WithWide(v.Wide())) }
		if tag != 0 && !e.inRoot(tag) { // an arm of another union, which may have others
			for typ := range e.p.Types {
				if e.inRoot(e.m.Tag(typ)) {
					continue
				}
				if w, ok := e.retype(v, typ); ok && !put(w) {
					return
				}
			}
		}
		switch v.Kind() {
		case interp.Unit: // which may be a type by its id
			for _, s := range e.samples() {
				if n.field && s.Tag() != tag && !put(interp.MakeUnit(s.Tag())) {
					return
				}
			}
		case interp.Bool:
			put(interp.MakeBool(tag, !v.Bool()))
		case interp.Int, interp.Uint, interp.Float:
			for _, x := range e.edge[n.tag] {
				w := interp.MakeInt(tag, int64(x))
				switch v.Kind() {
				case interp.Uint:
					w = interp.MakeUint(tag, x)
				case interp.Float:
					w = interp.MakeFloat(tag, math.Float64frombits(x))
				}
				if !put(w) {
					return
				}
			}
		case interp.Lanes:
			for i := range v.Len() {
				for b := range atLimits(v.Bytes(), v.Scalar(), i) {
					if !put(interp.MakeLanes(tag, v.Scalar(), b)) {
						return
					}
				}
			}
		case interp.Packed:
			numbers := v.Len() * v.Width()
			for _, i := range []int{0, numbers - 1} {
				if i < 0 || i >= numbers {
					break
				}
				for b := range atLimits(v.Bytes(), v.Scalar(), i) {
					if !put(interp.MakePacked(tag, v.Scalar(), v.Width(), b)) {
						return
					}
				}
			}
			for _, size := range sizes {
				if !put(interp.MakePacked(tag, v.Scalar(), v.Width(), resized(v.Bytes(), size*v.Scalar().Width()*v.Width()))) {
					return
				}
			}
		case interp.Text:
			for _, special := range specials {
				if !put(interp.MakeText(tag, special)) || !put(interp.MakeText(tag, v.Text()+special)) {
					return
				}
			}
			for _, size := range sizes {
				if !put(interp.MakeText(tag, string(resized(nil, size)))) {
					return
				}
			}
		case interp.List, interp.Map:
			for _, size := range sizes {
				if w, ok := repeated(v, size); ok && !put(w) {
					return
				}
			}
		}
	}
}

// SameKeys yields copies of v, each with equal or nearly equal keys in one map. Keys are values of each type, alone and in a
// list: the same key twice, around another one, and with the content of another type; zeros of both signs, and NaNs. A
// writer may merge them. If only is not nil, it changes the maps at places for which only returns true.
func (e *Engine) SameKeys(v interp.Value, only func(Place) bool) iter.Seq[interp.Value] {
	return values(e.WithSameKeys(v, only))
}

// WithSameKeys is SameKeys without the copies of v.
func (e *Engine) WithSameKeys(v interp.Value, only func(Place) bool) iter.Seq[Replacement] {
	return func(yield func(Replacement) bool) {
		for n := range e.parts(v, only) {
			if n.v.Kind() != interp.Map || len(e.samples()) == 0 {
				continue
			}
			put := func(cells ...interp.Value) bool { return yield(Replacement{v, n.path, n.v.WithCells(cells)}) }
			own := n.v.Cells()
			if len(own) == 0 {
				own = []interp.Value{e.sample[0], e.sample[0]}
			}
			x := own[1]
			for _, keys := range append(e.keys(), [2]interp.Value{own[0], own[0]}) {
				a, b := keys[0], keys[1]
				if !put(a, x, b, a) || !put(a, x, own[0], x, b, b) {
					return
				}
				la, ok := e.Nest(a, 1)
				lb, _ := e.Nest(b, 1)
				if ok && !put(la, x, lb, a) {
					return
				}
			}
		}
	}
}

// keys returns pairs of keys that are equal or nearly so.
func (e *Engine) keys() [][2]interp.Value {
	var all [][2]interp.Value
	for _, v := range e.samples() {
		all = append(all, [2]interp.Value{v, v})
		switch v.Kind() {
		case interp.Text:
			for typ := range e.p.Types {
				if w, ok := e.retype(v, typ); ok && w.Kind() == v.Kind() && e.inRoot(w.Tag()) {
					all = append(all, [2]interp.Value{v, w})
				}
			}
		case interp.Float:
			zero, nan := interp.MakeFloat(v.Tag(), 0), interp.MakeFloat(v.Tag(), math.NaN())
			all = append(all, [2]interp.Value{zero, interp.MakeFloat(v.Tag(), math.Copysign(0, -1))}, [2]interp.Value{nan, nan})
		case interp.Lanes, interp.Packed:
			s := v.Scalar()
			if !s.IsFloat() {
				break
			}
			size := len(v.Bytes())
			if v.Kind() == interp.Packed {
				size = s.Width() * v.Width()
			}
			remake := func(bits uint64) interp.Value {
				b := make([]byte, size)
				copy(b, littleEndian(s, bits))
				if v.Kind() == interp.Packed {
					return interp.MakePacked(v.Tag(), s, v.Width(), b)
				}
				return interp.MakeLanes(v.Tag(), s, b)
			}
			sign := uint64(1) << (8*s.Width() - 1)
			nan := sign - 1
			all = append(all, [2]interp.Value{remake(0), remake(sign)}, [2]interp.Value{remake(nan), remake(nan)})
		}
	}
	return all
}

func littleEndian(s bytecode.Scalar, bits uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()]
}

// samples returns the simplest value of each type that is in the root's union.
func (e *Engine) samples() []interp.Value {
	if e.sample == nil {
		g, err := e.m.NewGenerator(interp.GenerateOptions{Open: e.opt.Open})
		if err != nil {
			return nil
		}
		types := 1
		if t, ok := e.p.UnionTable(e.p.Root); ok {
			types = len(t.Arms)
		}
		seen, failed := map[uint16]bool{}, 0
		for b := 0; b < 256 && len(seen) < types && failed < 16; b++ { // each failure takes long
			v, _, ok := g.Try(interp.Choices{byte(b)})
			if !ok {
				failed++
			}
			if !seen[v.Tag()] {
				seen[v.Tag()] = true
				e.sample = append(e.sample, v)
			}
		}
	}
	return e.sample
}

// Deeper returns values in which a part is inside another one of its type, with
// that repeated for n levels.
func (e *Engine) Deeper(v interp.Value, levels int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		for _, n := range nodes(v) {
			around := v
			for k, i := range n.path {
				if around.Tag() == n.v.Tag() && around.Kind() == n.v.Kind() && n.v.Tag() != 0 {
					w := n.v
					for range levels {
						w = replace(around, n.path[k:], w)
					}
					if !yield(replace(v, n.path[:k], w)) {
						return
					}
				}
				around = around.Cells()[i]
			}
		}
	}
}

// Nest returns a value as the only element of a list. The list is the only
// element of another, and so on for a number of levels. It is not ok if no type
// of the root's union is a list of others.
func (e *Engine) Nest(v interp.Value, levels int) (interp.Value, bool) {
	wrap := e.wrapper()
	if wrap == nil {
		return v, false
	}
	outer, _, err := e.m.Decode(append(bytes.Clone(wrap), e.leaf...), e.opt)
	if err != nil {
		return v, false
	}
	all := nodes(outer)
	path := all[len(all)-1].path
	for range levels {
		v = replace(outer, path, v)
	}
	return v, true
}

// Depth returns how many lists the engine's options let a value be in.
func (e *Engine) Depth() int {
	if e.opt.MaxDepth > 0 {
		return e.opt.MaxDepth
	}
	return int(e.p.Depth)
}

// boundary sets a part to one of its boundaries.
func (e *Engine) boundary(r *rand.Rand, n node) (interp.Value, bool) {
	out, seen := n.v, 0
	for w := range e.boundaries(n) {
		if seen++; r.IntN(seen) == 0 {
			out = w
		}
	}
	return out, seen > 0
}

// atLimits returns numbers of which one is at each of its limits.
func atLimits(b []byte, s bytecode.Scalar, i int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, x := range edges(s) {
			if s.IsFloat() {
				x, _ = interp.BitsOf(s, math.Float64frombits(x))
			}
			out := slices.Clone(b)
			var w [8]byte
			binary.LittleEndian.PutUint64(w[:], x)
			copy(out[i*s.Width():], w[:s.Width()])
			if !yield(out) {
				return
			}
		}
	}
}

// resized returns n bytes, which begin with those given.
func resized(b []byte, size int) []byte {
	out := make([]byte, size)
	for i := range out {
		out[i] = 'a' + byte(i%26)
	}
	copy(out, b)
	return out
}

// repeated returns a list or map with n elements, those that it has again and
// again.
func repeated(v interp.Value, size int) (interp.Value, bool) {
	if size > maxRepeated {
		return v, false
	}
	return cycled(v, size)
}

// cycled is repeated for any size.
func cycled(v interp.Value, size int) (interp.Value, bool) {
	step := 1
	if v.Kind() == interp.Map {
		step = 2
	}
	cells := v.Cells()
	if len(cells) == 0 {
		return v, size == 0
	}
	out := make([]interp.Value, size*step)
	for i := range out {
		out[i] = cells[i%len(cells)]
	}
	return v.WithCells(out), true
}

// maxRepeated is how many elements a list gets.
const maxRepeated = 17

// sizes of texts and arrays around which padding, and widths of lengths, change.
var sizes = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 255, 256, 257}

// specials are texts that are easy to get wrong.
var specials = []string{"", "é", "日本", "😀", "\n", "\t", "\\", "\"", "\u007f", "\u0080", "\u07ff", "\u0800", "\ufffd", "\uffff", "\U00010000", "\U0010ffff",
	"a\u0301", "/", ":", "%", "@", "res://a.gd", "../..", " ", "0", "null"}
