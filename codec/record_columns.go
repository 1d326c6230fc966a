// Lists of records of fixed size, and of those with one text, field by field.

package codec

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// columns reads n records that are a run of fields, and a text if there is a second step. The texts
// are read record by record, and then each number for a block of records at a time, since a branch
// for each field of each record costs more than the field.
func (r *planReader) columns(rec *recordPlan, list elems, n, pos int) int {
	run, in, fixed := &rec.steps[0], r.in, len(rec.steps) == 1
	if fixed && n > (r.end-pos)/max(1, run.size) {
		return wrong // unreachable: [recordStep.holds] has compared the bytes of the elements; this guards loads from memory behind the packet
	}
	places := r.places[:min(n, len(r.places))]
	for k := 0; fixed && k < len(places); k++ {
		places[k] = k * run.size
	}
	for first := 0; first < n; first += len(places) {
		block := places[:min(len(places), n-first)]
		if fixed {
			in = r.in.From(pos)
			pos += len(block) * run.size
		} else if pos = r.runTextColumn(run.size, &rec.steps[1], list, first, block, pos); pos == wrong {
			return wrong
		}
		for j := range run.moves {
			if !run.moves[j].column(r, in, block, list, first) {
				return wrong
			}
		}
	}
	return pos
}

// runTextColumn notes the places of records whose run has a number of bytes, and reads their texts.
func (r *planReader) runTextColumn(size int, s *recordStep, list elems, first int, block []int, pos int) int {
	c := &s.count
	at := list.column(first, s.offset, s.field)
	short := r.alias && size >= 8 && c.from != nil && c.scalar == bytecode.U16 && c.from.Plain()
	for k := 0; k < len(block); k++ {
		if short {
			var read int
			if read, pos = aliasedTexts(r.in, r.end, pos, size, c.from.Off, c.big, at.from(k), block[k:]); k+read == len(block) {
				break
			}
			k += read
			r.leaves++
		}
		if r.end-pos < size {
			return wrong
		}
		block[k] = pos
		if pos = r.textInto(s, at.at(k), pos+size, pos, 0); pos == wrong {
			return wrong
		}
	}
	return pos
}

// aliasedTexts does the work of [planReader.runTextColumn] for the first records. It ends at the first one that
// is not ASCII or that the input does not have. It calls nothing, so that all it works with is in registers.
//
//go:noinline
func aliasedTexts(in memory.View, end, pos, size, off int, big bool, at column, block []int) (read, next int) {
	for k := range block {
		block[k] = pos
		start := pos + size
		if start > end {
			return k, pos
		}
		x := in.Load16(pos + off)
		if big {
			x = bits.ReverseBytes16(x)
		}
		n := int(x)
		last := start + n - 8 // not negative, since the run has at least eight bytes
		if n > end-start {
			return k, pos
		}
		w := in.Load64(last)
		marks := (w - textOnes) | w
		switch {
		case n >= 8:
			w = in.Load64(start)
			marks |= (w - textOnes) | w
			for i := start + 8; i < last; i += 8 {
				w = in.Load64(i)
				marks |= (w - textOnes) | w
			}
			marks &= textHigh
		case n > 0:
			marks = marks & textHigh >> (64 - 8*uint(n))
		default:
			return k, pos
		}
		if marks != 0 {
			return k, pos
		}
		at.at(k).putText(in.Text(start, n))
		pos = last + 8
	}
	return len(block), pos
}
