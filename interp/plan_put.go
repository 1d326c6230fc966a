// Numbers of a run in writing one record: words that are put together of bits of cells.

package interp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// chunk is a part of a run.
type chunk struct {
	op     chunkOp
	big    bool // the highest byte is first
	at     int
	rest   uint64 // bits that are the same in all records
	bits   []putBit
	counts []putCount
	col    *writeCol // chunkColumn, chunkWide, chunkArray
}

// chunkOp is the form of a chunk.
type chunkOp uint8

const (
	chunkBits   chunkOp = iota // up to eight bytes; behind its last byte it writes zeros, which later chunks replace
	chunkWide                  // an integer of 64 bits
	chunkArray                 // bytes of a known number
	chunkColumn                // any other field
)

// putBit is the number of a cell at its bits of a chunk.
type putBit struct {
	cell  uint32 // place in bytes
	kind  Kind   // Bool, or Uint for integers
	left  uint8  // bits below the number
	width uint8  // bits of the number, up to 63
	over  uint64 // the bits that the number must not have
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

// putWord is a field of a run before the chunks are made.
type putWord struct {
	word  loadForm
	off   int
	parts pieces
	count *putCount
	col   *writeCol // if it is a separate chunk
}

// runNumber is a number that a register gets when a run is written. It is a place in the run, or a word of it.
type runNumber struct {
	reg   int32
	place bool
	word  loadForm
	off   int
}

// absorb adds a column to the run that the rows end with. It reports false if the column needs a row.
func (s *writeSteps) absorb(c *writeCol) bool {
	width := uint(8 * c.word.scalar.Width())
	w := putWord{word: c.word, off: c.off, parts: c.pieces}
	switch {
	case c.op == putBits:
		if c.word.scalar.Odd() || !w.parts.apart(c.word.scalar) {
			return false
		}
	case c.op == putInt && !c.word.scalar.Signed() && width < 64 && !c.word.scalar.Odd():
		w.parts = pieces{list: []piece{{cell: c.cell, bits: width}}}
	case c.op == putTruth:
		w.parts = pieces{list: []piece{{cell: c.cell, bits: 1, truth: true}}}
	default:
		w.col = c
	}
	row := &s.rows[s.run]
	row.puts = append(row.puts, w)
	return true
}

// gives makes a number of the run that the rows end with one that a register gets.
func (s *writeSteps) gives(n runNumber) {
	row := &s.rows[s.run]
	row.numbers = append(row.numbers, n)
}

// apart reports whether a word holds its parts and the number that is added to them in separate bits.
func (p *pieces) apart(s bytecode.Scalar) bool {
	if len(p.list) == 0 {
		return fits(s, p.rest)
	}
	width := uint(8*s.Width()) - uint(truth(s.Signed()))
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

// chunksOf returns the chunks of words.
func chunksOf(words []putWord) (out []chunk) {
	words = slices.Clone(words)
	slices.SortFunc(words, func(a, b putWord) int { return a.off - b.off })
	order := false // the order of the last chunk is chosen
	for _, w := range words {
		if w.col != nil {
			out = append(out, w.col.chunk())
			continue
		}
		size := w.word.scalar.Width()
		last := len(out) - 1
		for last >= 0 && out[last].op != chunkBits {
			last--
		}
		if last < 0 || w.off+size > out[last].at+8 || order && size > 1 && out[last].big != w.word.big {
			out, order = append(out, chunk{at: w.off}), false
			last = len(out) - 1
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

// chunk returns the separate chunk of a column.
func (c *writeCol) chunk() chunk {
	own := *c
	own.off = 0
	out := chunk{op: chunkColumn, at: c.off, col: &own}
	switch {
	case c.op == putOctets:
		out.op = chunkArray
	case c.op == putInt && (c.word.scalar == bytecode.U64 || c.word.scalar == bytecode.I64):
		out.op = chunkWide
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
		kind := Uint
		if x.truth {
			kind = Bool
		}
		c.bits = append(c.bits, putBit{cell: uint32(x.cell) * uint32(unsafe.Sizeof(Value{})), kind: kind, left: left + uint8(x.shift), width: uint8(x.bits), over: ^uint64(0) << x.bits})
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
	over, other, fine := uint64(0), Kind(0), uint16(1)
	for i := range chunks {
		c := &chunks[i]
		if c.op != chunkBits {
			if !c.put(out, at+c.at, cells) {
				return false
			}
			continue
		}
		word := c.rest
		for j := range c.bits {
			p := &c.bits[j]
			v := (*Value)(unsafe.Add(unsafe.Pointer(cells), p.cell))
			over |= v.u & p.over
			other |= v.kind ^ p.kind
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
	return over == 0 && fine != 0 && (other == 0 || ofKinds(chunks, cells))
}

// takes reports whether a cell of a kind has such a number.
func (b *putBit) takes(kind Kind) bool { return kind == b.kind || b.kind == Uint && kind == Int }

// ofKinds reports whether all numbers of chunks are of the kinds that are expected.
func ofKinds(chunks []chunk, cells *Value) bool {
	for i := range chunks {
		for j := range chunks[i].bits {
			p := &chunks[i].bits[j]
			if !p.takes((*Value)(unsafe.Add(unsafe.Pointer(cells), p.cell)).kind) {
				return false
			}
		}
	}
	return true
}

// put writes a separate chunk at a place.
func (c *chunk) put(out memory.View, at int, cells *Value) bool {
	col := c.col
	v := (*Value)(unsafe.Add(unsafe.Pointer(cells), col.at))
	switch c.op {
	case chunkWide:
		if x := v.u; v.kind != Uint || col.word.scalar == bytecode.I64 {
			if v.kind != Int && v.kind != Uint || outside(*v, col.word.scalar) {
				return false
			}
			storeWord(out, at, col.word, x)
		} else if col.word.big {
			out.Store64(at, bits.ReverseBytes64(x))
		} else {
			out.Store64(at, x)
		}
		return true
	case chunkArray:
		if !col.holds(v) {
			return false
		}
		memory.CopyShort(out, at, memory.At(v.p, col.size), col.size)
		return true
	}
	place := [1]int{at}
	return col.write(out, place[:], records{unsafe.Slice(v, 1), true})
}

// holds reports whether a value is an array of as many bytes as the column has.
func (c *writeCol) holds(v *Value) bool {
	return v.kind == Packed && v.n == c.n && v.Scalar() == bytecode.U8 && v.u>>widthShift == uint64(c.width)
}

// countOf returns the number of parts of a cell as a part of a run. It returns nil if it is not one.
func (m *Machine) countOf(h *bytecode.Holds, most uint64) *putCount {
	if h.Op == bytecode.ExprLen && m.p.Encodings[h.Enc].NUL == bytecode.NULCounted {
		return nil
	}
	kinds := uint16(partsKinds)
	if h.Op == bytecode.ExprLen {
		kinds = 1 << Text
	}
	return &putCount{cell: h.Cell * uint32(unsafe.Sizeof(Value{})), kinds: kinds, most: most, add: h.Add}
}
