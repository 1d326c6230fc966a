// Numbers of a run in writing one record: words that are put together of bits of cells.

package interp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// chunk is up to eight bytes of a run. Behind its last byte it writes zeros, which later bytes replace.
type chunk struct {
	at     int
	big    bool   // the highest byte is first
	rest   uint64 // bits that are the same in all records
	bits   []putBit
	counts []putCount
}

// putBit is the number of a cell at its bits of a chunk.
type putBit struct {
	cell  uint32 // place in bytes
	kinds uint16 // bit k is set if a cell of kind k may be here
	left  uint8  // bits below the number
	width uint8  // bits of the number, up to 63
}

// putCount is the number of parts of a cell, plus a number.
type putCount struct {
	cell  uint32
	kinds uint16
	left  uint8
	most  uint64
	add   uint64
}

// kinds of cells.
const (
	integerKinds = 1<<Int | 1<<Uint
	truthKinds   = 1 << Bool
	partsKinds   = 1<<List | 1<<Map | 1<<Packed
)

// putWord is a word of a run before the chunks are made.
type putWord struct {
	word  loadForm
	off   int
	parts pieces
	count *putCount
}

// absorb adds a column to the run that the rows end with. It reports false if the column needs a row.
func (s *writeSteps) absorb(c *writeCol) bool {
	if s.run < 0 || c.word.scalar.Odd() {
		return false
	}
	width := uint(8 * c.word.scalar.Width())
	w := putWord{word: c.word, off: c.off, parts: c.pieces}
	switch c.op {
	case putInt:
		if c.word.scalar.Signed() || width == 64 {
			return false
		}
		w.parts = pieces{list: []piece{{cell: c.cell, bits: width}}}
	case putBits:
		if !w.parts.apart(width - uint(truth(c.word.scalar.Signed()))) {
			return false
		}
	default:
		return false
	}
	row := &s.rows[s.run]
	row.puts = append(row.puts, w)
	return true
}

// apart reports whether the parts of a word and the number that is added to them have bits of their own.
func (p *pieces) apart(width uint) bool {
	if width < 64 && len(p.list) == 0 {
		return true // a constant that fits
	}
	if p.rest < 0 || bits.Len64(uint64(p.rest)) > int(width) {
		return false
	}
	used := uint64(p.rest)
	for _, x := range p.list {
		mask := (uint64(1)<<x.bits - 1) << x.shift
		if x.bits+x.shift > width || used&mask != 0 {
			return false
		}
		used |= mask
	}
	return true
}

// finish makes the chunks of runs. Words that hold the number of parts of a cell become part of their run.
func (s *writeSteps) finish(m *Machine) {
	s.run = -1
	rows := s.rows[:0]
	for _, row := range s.rows {
		if row.op == rowWord && s.absorbCount(m, rows, &row) {
			continue
		}
		s.absorbValue(rows, &row)
		if rows = append(rows, row); row.op == rowRun {
			s.run = len(rows) - 1
		}
	}
	s.rows = rows
	for i := range rows {
		rows[i].chunks = chunksOf(rows[i].puts)
	}
}

// chunksOf returns the chunks of words.
func chunksOf(words []putWord) (out []chunk) {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b putWord) int { return a.off - b.off })
	order := false // the order of the last chunk is chosen
	for _, w := range words {
		size := w.word.scalar.Width()
		last := len(out) - 1
		if last < 0 || w.off+size > out[last].at+8 || order && size > 1 && out[last].big != w.word.big {
			out, order = append(out, chunk{at: w.off}), false
			last++
		}
		c := &out[last]
		if size > 1 && !order {
			order = true
			if w.word.big {
				c.swap()
			}
		}
		c.add(&w, size)
	}
	return out
}

// swap makes a chunk of single bytes one whose highest byte is first.
func (c *chunk) swap() {
	place := func(left uint8) uint8 { return 56 - left&^7 + left&7 }
	for i := range c.bits {
		c.bits[i].left = place(c.bits[i].left)
	}
	for i := range c.counts {
		c.counts[i].left = place(c.counts[i].left)
	}
	c.big, c.rest = true, bits.ReverseBytes64(c.rest)
}

// add adds a word of some bytes to a chunk.
func (c *chunk) add(w *putWord, size int) {
	left := uint8(8 * (w.off - c.at))
	if c.big {
		left = uint8(64 - 8*(w.off-c.at) - 8*size)
	}
	rest := uint64(w.parts.rest)
	if size < 8 {
		rest &= 1<<(8*size) - 1
	}
	c.rest |= rest << left
	for _, x := range w.parts.list {
		kinds := uint16(integerKinds)
		if x.truth {
			kinds = truthKinds
		}
		c.bits = append(c.bits, putBit{cell: uint32(x.cell) * uint32(unsafe.Sizeof(Value{})), kinds: kinds, left: left + uint8(x.shift), width: uint8(x.bits)})
	}
	if w.count != nil {
		n := *w.count
		n.left = left
		c.counts = append(c.counts, n)
	}
}

// putRun writes the chunks of a run at a place. It reports whether all numbers are of the kinds that are
// expected and fit.
func (g *writing) putRun(chunks []chunk, at int, cells *Value) bool {
	out := memory.Of(g.out)
	over, fine := uint64(0), uint16(1)
	for i := range chunks {
		c := &chunks[i]
		word := c.rest
		for j := range c.bits {
			p := &c.bits[j]
			v := (*Value)(unsafe.Add(unsafe.Pointer(cells), p.cell))
			over |= v.u >> (p.width & 63)
			fine &= p.kinds >> (v.kind & 15)
			word |= v.u << (p.left & 63)
		}
		for j := range c.counts {
			p := &c.counts[j]
			v := (*Value)(unsafe.Add(unsafe.Pointer(cells), p.cell))
			n := uint64(v.n)
			fine &= p.kinds >> (v.kind & 15)
			if n > p.most {
				return false
			}
			word |= (n + p.add) << (p.left & 63)
		}
		if c.big {
			word = bits.ReverseBytes64(word)
		}
		out.Store64(at+c.at, word)
	}
	return over == 0 && fine != 0
}

// absorbCount makes a word that holds the number of parts of a cell part of the run that the rows end with.
func (s *writeSteps) absorbCount(m *Machine, rows []writeRow, row *writeRow) bool {
	h := row.holds
	if s.run < 0 || h == nil || h.Op == bytecode.ExprLen && m.p.Encodings[h.Enc].NUL == bytecode.NULCounted {
		return false
	}
	kinds := uint16(partsKinds)
	if h.Op == bytecode.ExprLen {
		kinds = 1 << Text
	}
	n := putCount{cell: h.Cell * uint32(unsafe.Sizeof(Value{})), kinds: kinds, most: row.most, add: h.Add}
	run := &rows[s.run]
	run.puts = append(run.puts, putWord{word: row.word, off: row.off, count: &n})
	return true
}

// absorbValue makes a word whose number a register gets too part of the run that the rows end with. The row
// is left with the register.
func (s *writeSteps) absorbValue(rows []writeRow, row *writeRow) {
	width := uint(8 * row.word.scalar.Width())
	w := putWord{word: row.word, off: row.off}
	switch {
	case s.run < 0 || row.word.scalar.Signed():
		return
	case row.op == rowWord && row.valued && width < 64:
		w.parts = pieces{list: []piece{{cell: row.cell, bits: width}}}
		row.op = rowValue
	case row.op == rowBits && row.in != nil && row.col.pieces.apart(width):
		w.parts = row.col.pieces
		row.op = rowSumOf
	default:
		return
	}
	rows[s.run].puts = append(rows[s.run].puts, w)
}
