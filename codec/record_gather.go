// Several numbers of a record that one store moves.

package codec

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/octable/octable/interp/memory"
)

// gather moves numbers and bits by one store. They are neighbors in Go memory and near each other in the packet. The
// bits that keep their distance to each other are a word that is rotated. Each other byte has a table of its bits in
// their places.
type gather struct {
	load   uint8 // bytes of the word, as a power of 2
	store  uint8 // bytes of the store, as a power of 2
	big    bool  // the first byte of the word is the highest of eight
	rotate int
	mask   uint64 // of the word, rotated
	half   uint64 // the signs in the store, of numbers that are extended
	top    uint64 // the highest bits of these numbers in the store
	tables []gatherTable
}

// gatherTable is a byte of the packet and the bits to store for each of its values. The byte is counted from the word.
type gatherTable struct {
	off  int
	bits *[256]uint64
}

// gatherTables is the largest number of tables of a store. More of them cost as much as stores for each field.
const gatherTables = 3

// gatherTerm is bits that are rotated by the same distance.
type gatherTerm struct {
	rotate int
	mask   uint64 // of the bits in their places
}

// gathered makes one move of several if that is possible. A run has a number of bytes.
func gathered(moves []move, size int) []move {
	if !rawMemory {
		return moves // unreachable: but with the build tag octable_safe, with which .ci/run runs the tests as well
	}
	slices.SortStableFunc(moves, func(a, b move) int { return cmp.Compare(a.offset, b.offset) })
	var out []move
	for i := 0; i < len(moves); {
		n := 1
		m := moves[i]
		for _, bytes := range []int{8, 4, 2} {
			if fused, of := gatherOf(moves[i:], size, bytes); of > 1 {
				m, n = fused, of
				break
			}
		}
		out = append(out, m)
		i += n
	}
	return out
}

// gatherOf returns the move that stores a number of bytes instead of the first n moves, or n = 0.
func gatherOf(moves []move, size, store int) (out move, n int) {
	first := moves[0].offset
	end, low, high := first, moves[0].off, 0
	order, plain := 0, true
	for ; n < len(moves) && end-first < uintptr(store); n++ {
		m := &moves[n]
		width, ok := m.gathers()
		if !ok || m.offset != end {
			return out, 0
		}
		if m.scalar.Width() > 1 {
			order |= 1 << truth(m.big)
		}
		pair, _ := m.code.paired()
		plain = plain && pair != 0
		end, low, high = end+uintptr(width), min(low, m.off), max(high, m.off+m.scalar.Width())
	}
	load := 1 << bits.Len(uint(high-low-1))
	if n < 2 || plain || end-first != uintptr(store) || load > 8 || load > size || order == 3 {
		return out, 0
	}
	if size >= 8 {
		load = 8
	}
	g := &gather{load: uint8(bits.Len(uint(load)) - 1), store: uint8(bits.Len(uint(store)) - 1), big: order == 2}
	out = move{code: moveGather, off: min(low, size-load), offset: first, field: moves[0].field, gather: g}
	var terms []gatherTerm
	for i := range n {
		term := g.term(&moves[i], moves[i].off-out.off, int(moves[i].offset-first))
		if k := slices.IndexFunc(terms, func(t gatherTerm) bool { return t.rotate == term.rotate }); k >= 0 {
			terms[k].mask |= term.mask
		} else {
			terms = append(terms, term)
		}
	}
	if !g.fill(terms) {
		return out, 0
	}
	return out, n
}

// gathers returns how many bytes of Go memory a move sets. ok reports whether it moves all bits of a number without a
// look at them.
func (m *move) gathers() (width int, ok bool) {
	switch m.code {
	case move8, move16, move16Big, move32, move32Big, move64, move64Big:
		return m.scalar.Width(), m.field != nil
	case moveBits:
		return int(m.size), m.field != nil
	case moveAny: // into a wider type
		return int(m.size), m.field != nil && m.from == nil && !m.int && int(m.size) > m.scalar.Width()
	}
	return 0, false
}

// term returns the bits of a move. Its number begins at byte from of the word, and its Go value at byte to of
// the store.
func (g *gather) term(m *move, from, to int) gatherTerm {
	width := m.scalar.Width()
	low, mask := 8*from, ^uint64(0)>>(64-8*width)
	if g.big {
		low = 8 * (8 - from - width)
	}
	if m.from != nil {
		low, mask = low+int(m.from.Shift), mask>>m.from.Shift&m.from.Mask
	}
	if m.from != nil && m.from.Half != 0 && bits.Len64(mask) < 8*int(m.size) {
		g.half |= m.from.Half << (8 * to)
		g.top |= 1 << (8*(to+int(m.size)) - 1)
	}
	return gatherTerm{(8*to - low) & 63, mask << (8 * to)}
}

// fill makes the word of the term with the most bits, and tables of the others. It reports false if there are too many.
func (g *gather) fill(terms []gatherTerm) bool {
	most := slices.MaxFunc(terms, func(a, b gatherTerm) int { return bits.OnesCount64(a.mask) - bits.OnesCount64(b.mask) })
	if g.rotate = most.rotate; bits.OnesCount64(most.mask) > 8 {
		g.mask = most.mask
	}
	for off := range 1 << g.load {
		at := 8 * off
		if g.big {
			at = 8 * (7 - off)
		}
		table := gatherTable{off: off}
		for _, t := range terms {
			if t.rotate == g.rotate && g.mask != 0 || bits.RotateLeft64(t.mask, -t.rotate)>>at&0xff == 0 {
				continue
			}
			if table.bits == nil {
				table.bits = new([256]uint64)
			}
			for b := range table.bits {
				table.bits[b] |= bits.RotateLeft64(uint64(b)<<at, t.rotate) & t.mask
			}
		}
		if table.bits != nil {
			g.tables = append(g.tables, table)
		}
	}
	return len(g.tables) <= gatherTables
}

// move moves the numbers of a record, whose word begins at a byte of the packet, to a place.
func (g *gather) move(in memory.View, at int, x place) {
	var sum uint64
	if g.mask != 0 {
		switch g.load { // a word of one byte has no mask
		case 1:
			sum = uint64(in.Load16(at))
		case 2:
			sum = uint64(in.Load32(at))
		default:
			sum = in.Load64(at)
		}
		if g.big {
			sum = bits.ReverseBytes64(sum)
		}
		sum = bits.RotateLeft64(sum, g.rotate) & g.mask
	}
	for i := range g.tables {
		t := &g.tables[i]
		sum |= t.bits[in.Load8(at+t.off)]
	}
	x.putSize(1<<g.store, g.extend(sum))
}

// extend extends the numbers of a store that have a sign. Each takes its highest bit from none of its neighbors.
func (g *gather) extend(sum uint64) uint64 { return ((sum ^ g.half ^ g.top) - g.half) ^ g.top }

// column moves the numbers of several records.
func (g *gather) column(in memory.View, places []int, at column, off int) {
	if g.load < 3 || g.big || g.rotate != 0 || g.half != 0 || len(g.tables) == 0 || len(g.tables) > 2 || len(places) == 0 {
		for k, p := range places {
			g.move(in, p+off, at.at(k))
		}
		return
	}
	switch g.store {
	case 1:
		gatherColumn[uint16](g, in, places, at, off)
	case 2:
		gatherColumn[uint32](g, in, places, at, off)
	default:
		gatherColumn[uint64](g, in, places, at, off)
	}
}

// gatherColumn moves the numbers of several records by a word that is not rotated and one or two tables.
func gatherColumn[T uint8 | uint16 | uint32 | uint64](g *gather, in memory.View, places []int, at column, off int) {
	mask, first, last := g.mask, g.tables[0], g.tables[len(g.tables)-1]
	in, one, two := in.From(off), in.From(off+first.off), in.From(off+last.off)
	for k, p := range places {
		put(at.at(k), T(in.Load64(p)&mask|first.bits[one.Load8(p)]|last.bits[two.Load8(p)]))
	}
}

// doubles makes one move of two numbers of 64 bits that are neighbors, in the packet and in Go memory.
func doubles(moves []move) []move {
	if !rawMemory {
		return moves // unreachable: but with the build tag octable_safe, with which .ci/run runs the tests as well
	}
	out := moves[:0]
	for _, m := range moves {
		if n := len(out); n > 0 && m.code == move64 && m.field != nil {
			if last := &out[n-1]; last.code == move64 && last.field != nil && last.off+8 == m.off && last.offset+8 == m.offset {
				last.code = moveDouble
				continue
			}
		}
		out = append(out, m)
	}
	return out
}
