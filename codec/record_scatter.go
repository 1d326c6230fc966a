// Neighboring fields of Go memory that are bits of one word of a packet.

package codec

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/octable/octable/interp/memory"
)

// putRows is how the fields of records of a fixed size are written, field by field.
type putRows struct {
	scatters []scatter // before the others, which may write some of the same bytes
	copies   []move    // little-endian numbers
	moves    []move
	words    []word
}

// scatter writes the fields in 8 bytes of Go memory to their places in 8 bytes of the packet. Fields that keep their
// distance to each other are a term.
type scatter struct {
	off    int     // in the packet
	offset uintptr // in Go memory
	field  *field
	big    bool // the highest byte is first in the packet
	base   uint64
	over   uint64 // the bits of Go memory that no field may set
	same   uint64 // the bits of Go memory that must be equal to the next lower one: they repeat a sign
	terms  [scatterTerms]gatherTerm
}

// scatterTerms is the largest number of terms. More of them cost as much as a store for each field.
const scatterTerms = 4

// scatterField is a field that a scatter can write: a number, or bits of a word.
type scatterField struct {
	off, bytes   int // of the word in the packet
	shift, width uint
	offset       uintptr
	size         int // in Go memory
	field        *field
	big          bool
	move, word   int // the index of one of them; the other is -1
	signed       bool
}

// rows returns how the fields of a run are written for many records, whose Go type has bound bytes. It is nil if
// no scatter is of use.
func (s *recordStep) rows(bound uintptr) *putRows {
	fields := s.scatterFields()
	if !rawMemory || len(fields) < 3 {
		return nil
	}
	out := &putRows{}
	done := map[[2]int]bool{}
	for i := 0; i < len(fields); i++ {
		sc, n := s.scatterOf(fields[i:], bound)
		if n < 3 {
			continue
		}
		for _, f := range fields[i : i+n] {
			done[[2]int{f.move, f.word}] = true
		}
		out.scatters = append(out.scatters, sc)
		i += n - 1
	}
	if len(out.scatters) == 0 {
		return nil
	}
	for i, m := range s.moves {
		if !done[[2]int{i, none}] {
			out.moves = append(out.moves, m)
		}
	}
	for i, w := range s.words {
		if !done[[2]int{-1, i}] {
			out.words = append(out.words, w)
		}
	}
	out.moves = doubles(out.moves)
	out.moves = slices.DeleteFunc(out.moves, func(m move) bool {
		copied := m.code == move16 || m.code == move32 || m.code == move64 || m.code == moveDouble
		if copied {
			out.copies = append(out.copies, m)
		}
		return copied
	})
	return out
}

// column writes what needs no list of places for n records of a number of bytes. The first record begins at pos. It
// reports false if a field does not fit.
func (r *putRows) column(out memory.View, pos, size int, list elems, first, n int) bool {
	for i := range r.scatters {
		if !r.scatters[i].column(out, pos, size, list, first, n) {
			return false
		}
	}
	for i := range r.copies {
		m := &r.copies[i]
		from, to := list.column(first, m.offset, m.field), pos+m.off
		switch m.code {
		case move16:
			for k := range n {
				out.Store16(to, from.at(k).get16())
				to += size
			}
		case move32:
			for k := range n {
				out.Store32(to, from.at(k).get32())
				to += size
			}
		case move64:
			for k := range n {
				out.Store64(to, from.at(k).get64())
				to += size
			}
		default:
			storeDoubles(out.From(to), size, from, n)
		}
	}
	return true
}

// storeDoubles stores two numbers of 64 bits of each of n records. It takes two records at a time: else a record takes up to
// half as long again where the code of the loop lies across the lines of the processor's cache.
//
//go:noinline
func storeDoubles(out memory.View, size int, from column, n int) {
	k := 0
	for ; k+1 < n; k += 2 {
		x, y := from.at(k), from.at(k+1)
		out.Store64(k*size, x.get64())
		out.Store64(k*size+8, x.field(8, nil).get64())
		out.Store64(k*size+size, y.get64())
		out.Store64(k*size+size+8, y.field(8, nil).get64())
	}
	if k < n {
		x := from.at(k)
		out.Store64(k*size, x.get64())
		out.Store64(k*size+8, x.field(8, nil).get64())
	}
}

// scatterFields returns the fields of a run that a scatter can write, in the order of Go memory.
func (s *recordStep) scatterFields() (out []scatterField) {
	for i := range s.moves {
		m := &s.moves[i]
		switch m.code {
		case move8, move16, move16Big, move32, move32Big:
			n := m.scalar.Width()
			out = append(out, scatterField{off: m.off, bytes: n, width: uint(8 * n), offset: m.offset, size: n, field: m.field, big: m.big, move: i, word: none})
		}
	}
	for i := range s.words {
		w := &s.words[i]
		for j := range w.bits {
			p := &w.bits[j]
			if w.count != nil || w.moved || p.pointer != nil || p.text || p.list || p.signed && p.half == 0 || p.size != 1 && p.size != 2 && p.size != 4 || p.width > 8*uint(p.size) {
				return nil
			}
			out = append(out, scatterField{w.off, w.scalar.Width(), p.shift, p.width, p.offset, int(p.size), p.field, w.big, none, i, p.half != 0})
		}
	}
	slices.SortStableFunc(out, func(a, b scatterField) int { return cmp.Compare(a.offset, b.offset) })
	return out
}

// scatterOf returns the scatter that writes the first n fields, some of which are bits, or n = 0.
func (s *recordStep) scatterOf(fields []scatterField, bound uintptr) (out scatter, n int) {
	first := &fields[0]
	low, high := first.off, first.off
	order, narrow := 0, false
	parts := map[int]int{}
	for ; n < len(fields); n++ {
		f := &fields[n]
		l, h := min(low, f.off), max(high, f.off+f.bytes)
		if f.offset+uintptr(f.size) > first.offset+8 || h-l > 8 {
			break
		}
		if f.bytes > 1 {
			order |= 1 << truth(f.big)
		}
		if f.word >= 0 {
			parts[f.word]++
		}
		low, high, narrow = l, h, narrow || f.word >= 0
	}
	for w, k := range parts {
		if k != len(s.words[w].bits) {
			return out, 0
		}
	}
	if first.offset+8 > bound || s.size < 8 || order == 3 || !narrow {
		return out, 0
	}
	out.off, out.offset, out.field, out.big = min(low, s.size-8), first.offset, first.field, order == 2
	if !out.fill(s, fields[:n]) {
		return out, 0
	}
	return out, n
}

// fill makes the terms. It reports false if there are too many.
func (c *scatter) fill(s *recordStep, fields []scatterField) bool {
	place := func(off, bytes int) uint {
		if c.big {
			return uint(8 * (8 - (off - c.off) - bytes))
		}
		return uint(8 * (off - c.off))
	}
	terms := c.terms[:0]
	for i := range fields {
		f := &fields[i]
		to, from := place(f.off, f.bytes)+f.shift, uint(8*(f.offset-c.offset))
		mask := uint64(1)<<f.width - 1
		if unused := (uint64(1)<<(8*f.size) - 1) &^ mask << from; f.signed {
			c.same |= unused
		} else {
			c.over |= unused
		}
		term := gatherTerm{int(to-from) & 63, mask << to}
		if k := slices.IndexFunc(terms, func(t gatherTerm) bool { return t.rotate == term.rotate }); k >= 0 {
			terms[k].mask |= term.mask
		} else if len(terms) == len(c.terms) {
			return false
		} else {
			terms = append(terms, term)
		}
	}
	for i := range s.words {
		if slices.ContainsFunc(fields, func(f scatterField) bool { return f.word == i }) {
			c.base |= s.words[i].base << place(s.words[i].off, s.words[i].scalar.Width())
		}
	}
	return true
}

// word returns the word of a record, given that of the Go value.
func (c *scatter) word(w uint64) uint64 {
	t := &c.terms // in memory, since the loop has no registers left for them
	return bits.RotateLeft64(w, t[0].rotate)&t[0].mask | bits.RotateLeft64(w, t[1].rotate)&t[1].mask |
		bits.RotateLeft64(w, t[2].rotate)&t[2].mask | bits.RotateLeft64(w, t[3].rotate)&t[3].mask | c.base
}

// column writes n records of a number of bytes, the first of which begins at pos. It reports false if a field does not
// fit.
func (c *scatter) column(out memory.View, pos, size int, list elems, first, n int) bool {
	from, over := list.column(first, c.offset, c.field), uint64(0)
	out = out.From(pos + c.off)
	k := 0
	for ; k+1 < n; k += 2 { // as in [storeDoubles]
		u, w := from.at(k).get64(), from.at(k+1).get64()
		over |= u | w
		out.Store64(k*size, c.word(u)) // a place that is added to would be in memory, and each record wait for the one before
		out.Store64(k*size+size, c.word(w))
	}
	if k < n {
		w := from.at(k).get64()
		over |= w
		out.Store64(k*size, c.word(w))
	}
	for k = 0; c.same != 0 && k < n; k++ {
		w := from.at(k).get64()
		if (w^w<<1)&c.same != 0 {
			return false
		}
	}
	for k = 0; c.big && k < n; k++ {
		out.Store64(k*size, bits.ReverseBytes64(memory.Load[uint64](out, k*size)))
	}
	return over&c.over == 0
}
