// Spoiling: values that no writer can write.

package corrupt

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

// Spoil returns v with one part replaced by something that is most likely invalid. It may be of another kind, or have
// another number of fields, numbers of another form, or malformed text. A writer must refuse it, or write its replacement.
func (e *Engine) Spoil(r *rand.Rand, v interp.Value) interp.Value {
	all := nodes(v)
	n := pick(r, all)
	if r.IntN(4) == 0 { // records, of which few values have many, have the most that can be wrong
		for range 8 {
			if n.v.Kind() == interp.Record {
				break
			}
			n = pick(r, all)
		}
	}
	tag := n.v.Tag()
	return replace(v, n.path, e.spoiled(r, n.v).WithWide(r.IntN(2) == 0).WithTag(otherTag(r, e, tag)))
}

// Spoils yields copies of v, each with one part replaced by something invalid. That is malformed text, another form of
// numbers, another number of parts, an added or a removed field, a value of another kind, no value, or an unknown tag. The
// order is the same for the same value. If only is not nil, it replaces the parts at places for which only returns true.
func (e *Engine) Spoils(v interp.Value, only func(Place) bool) iter.Seq[interp.Value] {
	return values(e.Spoiled(v, only))
}

// Spoiled is Spoils without the copies of v.
func (e *Engine) Spoiled(v interp.Value, only func(Place) bool) iter.Seq[Replacement] {
	return func(yield func(Replacement) bool) {
		for n := range e.parts(v, only) {
			for w := range e.spoils(n.v) {
				if !yield(Replacement{v, n.path, w}) {
					return
				}
			}
		}
	}
}

// spoils returns the replacements of a part.
func (e *Engine) spoils(v interp.Value) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		tag := v.Tag()
		put := func(w interp.Value) bool { return yield(w.WithTag(tag)) && yield(w.WithTag(tag).WithWide(true)) }
		switch v.Kind() {
		case interp.Text:
			for _, bad := range badTexts {
				if !put(interp.MakeText(tag, bad.text)) {
					return
				}
			}
		case interp.Lanes, interp.Packed:
			for _, s := range scalars {
				w := interp.MakeLanes(tag, s, make([]byte, s.Width()*v.Len()))
				if v.Kind() == interp.Packed {
					w = interp.MakePacked(tag, s, v.Width(), make([]byte, s.Width()*v.Width()*v.Len()))
				}
				if !put(w) {
					return
				}
			}
			for _, n := range []int{max(0, v.Len()-1), v.Len() + 1} {
				if w, ok := ofSize(v, n); ok && !yield(w) {
					return
				}
			}
		case interp.Record, interp.List, interp.Map:
			cells := v.Cells()
			for i := range spread(len(cells), mostListCells/(1+len(cells)), 0) {
				others := append([]interp.Value{{}, interp.Value{}.WithTag(cells[i].Tag())}, e.kinds()...)
				if !cells[i].IsNone() {
					others = others[:2]
				}
				for _, w := range others {
					if !yield(replace(v, []int{i}, w)) {
						return
					}
				}
				if !yield(v.WithCells(slices.Delete(slices.Clone(cells), i, i+1))) {
					return
				}
			}
			if !yield(v.WithCells(append(slices.Clone(cells), cells...))) {
				return
			}
		}
		for _, w := range e.kinds() {
			if !put(w) {
				return
			}
		}
		yield(v.WithTag(math.MaxUint16))
	}
}

// kinds returns one value of each kind, and records of no and of some fields.
func (e *Engine) kinds() []interp.Value {
	one := interp.MakeInt(0, 1)
	eight := make([]byte, 8)
	return []interp.Value{
		{}, interp.MakeUnit(0), interp.MakeBool(0, true), interp.MakeInt(0, math.MinInt64), interp.MakeInt(0, -1), interp.MakeUint(0, math.MaxUint64),
		interp.MakeFloat(0, 0.1), interp.MakeText(0, "a"), interp.MakeLanes(0, bytecode.I16, eight), interp.MakeLanes(0, bytecode.F64, eight),
		interp.MakePacked(0, bytecode.I16, 1, eight), interp.MakePacked(0, bytecode.F64, 1, eight), interp.MakeList(0, []interp.Value{one}),
		interp.MakeMap(0, []interp.Value{one, one, one, one}), interp.MakeRecord(0, nil), interp.MakeRecord(0, []interp.Value{one}),
		interp.MakeRecord(0, []interp.Value{one, one}), interp.MakeRecord(0, []interp.Value{one, one, one}), interp.MakeRecord(0, make([]interp.Value, 2)),
		interp.MakeRecord(0, make([]interp.Value, 3)),
	}
}

// otherTag returns a tag, which is mostly the same.
func otherTag(r *rand.Rand, e *Engine, tag uint16) uint16 {
	switch r.IntN(8) {
	case 0:
		if len(e.p.Types) > 0 {
			return e.m.Tag(r.IntN(len(e.p.Types)))
		}
	case 1:
		return uint16(r.IntN(1 << 16))
	}
	return tag
}

// spoiled returns something in the place of v.
func (e *Engine) spoiled(r *rand.Rand, v interp.Value) interp.Value {
	tag := v.Tag()
	switch r.IntN(8) {
	case 0:
		return interp.Value{}
	case 1, 2:
		return e.anyKind(r, tag)
	case 3:
		return interp.MakeText(tag, pick(r, badTexts).text)
	case 4: // another number of parts
		if v.Kind() == interp.Packed {
			w, _ := ofSize(v, r.IntN(2*v.Len()+2))
			return w
		}
		cells := slices.Clone(v.Cells())
		if len(cells) == 0 {
			return interp.MakeRecord(tag, []interp.Value{v, v}[:r.IntN(3)])
		}
		i := r.IntN(len(cells))
		if r.IntN(2) == 0 {
			cells = slices.Delete(cells, i, i+1)
		} else {
			cells = slices.Insert(cells, i, e.anyKind(r, 0))
		}
		return v.WithCells(cells)
	case 5: // a field that is there or is not
		if v.Kind() == interp.Record && v.Len() > 0 {
			cells := slices.Clone(v.Cells())
			i := r.IntN(len(cells))
			switch {
			case cells[i].IsNone():
				cells[i] = e.anyKind(r, 0)
			case r.IntN(2) == 0:
				cells[i] = interp.Value{}
			default:
				cells[i] = interp.Value{}.WithTag(cells[i].Tag())
			}
			return v.WithCells(cells)
		}
	case 6: // as many numbers of another form
		switch s := pick(r, scalars); v.Kind() {
		case interp.Int, interp.Uint:
			return []interp.Value{interp.MakeInt(tag, -1), interp.MakeUint(tag, math.MaxUint64), interp.MakeInt(tag, math.MinInt64)}[r.IntN(3)]
		case interp.Lanes:
			return interp.MakeLanes(tag, s, make([]byte, s.Width()*v.Len()))
		case interp.Packed:
			return interp.MakePacked(tag, s, v.Width(), make([]byte, s.Width()*v.Width()*v.Len()))
		}
	}
	fields := make([]interp.Value, r.IntN(5))
	for i := range fields {
		if r.IntN(3) > 0 {
			fields[i] = e.anyKind(r, 0)
		}
	}
	return interp.MakeRecord(tag, fields)
}

var scalars = builtin.Scalars()

// anyKind returns a value of some kind under a tag, and often at the limits of what
// fields hold.
func (e *Engine) anyKind(r *rand.Rand, tag uint16) interp.Value {
	s := pick(r, scalars)
	switch r.IntN(12) {
	case 0:
		return interp.MakeUnit(tag)
	case 1:
		return interp.MakeBool(tag, r.IntN(2) == 0)
	case 2:
		return interp.MakeInt(tag, int64(pick(r, boundary.Integers(bytecode.I64)).Number))
	case 3:
		return interp.MakeUint(tag, pick(r, boundary.Integers(bytecode.U64)).Number)
	case 4:
		return interp.MakeFloat(tag, pick(r, boundary.Reals).Float())
	case 5:
		return interp.MakeText(tag, pick(r, specials))
	case 6:
		return interp.MakeLanes(tag, s, make([]byte, s.Width()*r.IntN(20)))
	case 7:
		lanes := 1 + r.IntN(4)
		return interp.MakePacked(tag, s, lanes, make([]byte, s.Width()*lanes*r.IntN(4)))
	case 8:
		return interp.MakeList(tag, make([]interp.Value, r.IntN(3)))
	case 9:
		key := e.draw(r)
		return interp.MakeMap(tag, []interp.Value{key, e.draw(r), key, e.draw(r)}[:2*r.IntN(3)])
	case 10:
		return interp.MakeList(tag, []interp.Value{e.draw(r)})
	}
	return e.draw(r)
}

// pick returns one of several things.
func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }
