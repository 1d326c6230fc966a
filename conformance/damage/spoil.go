// Spoiling: values that no writer can write.

package damage

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Spoil returns v with one part that most likely has no place there: another kind,
// another number of fields, numbers of another form, a text that is not well formed.
// A writer has to refuse it, or to write what stands for it.
func (e *Engine) Spoil(r *rand.Rand, v interp.Value) interp.Value {
	all := nodes(v)
	n := all[r.IntN(len(all))]
	tag := n.v.Tag()
	with := n.v
	switch r.IntN(9) {
	case 8: // as many numbers of another form
		switch s := scalars[r.IntN(len(scalars))]; n.v.Kind() {
		case interp.Lanes:
			with = interp.MakeLanes(tag, s, make([]byte, s.Width()*n.v.Len()))
		case interp.Packed:
			with = interp.MakePacked(tag, s, n.v.Width(), make([]byte, s.Width()*n.v.Width()*n.v.Len()))
		}
	case 0:
		with = interp.Value{}
	case 1:
		with = e.anyKind(r, tag)
	case 2:
		if len(e.p.Types) > 0 {
			with = n.v.WithTag(e.m.Tag(r.IntN(len(e.p.Types))))
		}
	case 3:
		with = n.v.WithTag(uint16(r.IntN(1 << 16)))
	case 4:
		with = interp.MakeText(tag, badTexts[r.IntN(len(badTexts))].text)
	case 5: // another number of parts
		cells := slices.Clone(n.v.Cells())
		if len(cells) == 0 {
			return e.Spoil(r, interp.MakeRecord(tag, []interp.Value{v, v}))
		}
		i := r.IntN(len(cells))
		if r.IntN(2) == 0 {
			cells = slices.Delete(cells, i, i+1)
		} else {
			cells = slices.Insert(cells, i, e.anyKind(r, 0))
		}
		with = withCells(n.v, cells)
	case 6: // a field that is there or is not
		if n.v.Kind() == interp.Record && n.v.Len() > 0 {
			cells := slices.Clone(n.v.Cells())
			i := r.IntN(len(cells))
			if cells[i].IsNone() {
				cells[i] = e.anyKind(r, 0)
			} else {
				cells[i] = interp.Value{}
			}
			with = withCells(n.v, cells)
		}
	default:
		fields := make([]interp.Value, r.IntN(5))
		for i := range fields {
			if r.IntN(3) > 0 {
				fields[i] = e.anyKind(r, 0)
			}
		}
		with = interp.MakeRecord(tag, fields)
	}
	return replace(v, n.path, with)
}

var scalars = []bytecode.Scalar{bytecode.U8, bytecode.I8, bytecode.U16, bytecode.I16, bytecode.U32, bytecode.I32, bytecode.U64, bytecode.I64,
	bytecode.F32, bytecode.F64}

// anyKind returns a value of some kind under a tag, and often at the limits of what
// fields hold.
func (e *Engine) anyKind(r *rand.Rand, tag uint16) interp.Value {
	s := scalars[r.IntN(len(scalars))]
	switch r.IntN(12) {
	case 0:
		return interp.MakeUnit(tag)
	case 1:
		return interp.MakeBool(tag, r.IntN(2) == 0)
	case 2:
		return interp.MakeInt(tag, []int64{0, -1, math.MinInt64, math.MaxInt64, 1 << 40, -1 << 40}[r.IntN(6)])
	case 3:
		return interp.MakeUint(tag, []uint64{0, 1, math.MaxUint64, 1 << 63, 1 << 32, math.MaxUint32}[r.IntN(6)])
	case 4:
		return interp.MakeFloat(tag, math.Float64frombits(doubles[r.IntN(len(doubles))]))
	case 5:
		return interp.MakeText(tag, specials[r.IntN(len(specials))])
	case 6:
		return interp.MakeLanes(tag, s, make([]byte, s.Width()*r.IntN(20)))
	case 7:
		lanes := 1 + r.IntN(4)
		return interp.MakePacked(tag, s, lanes, make([]byte, s.Width()*lanes*r.IntN(4)))
	case 8:
		return interp.MakeList(tag, make([]interp.Value, r.IntN(3)))
	case 9:
		return interp.MakeMap(tag, []interp.Value{e.draw(r), e.draw(r), e.draw(r), e.draw(r)}[:2*r.IntN(3)])
	case 10:
		return interp.MakeList(tag, []interp.Value{e.draw(r)})
	}
	return e.draw(r)
}
