// Runs of several records in writing: one loop for each number, over up to a block of records.

package interp

import (
	"math/bits"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// leastColumns is how many records are written number by number; fewer are written one after another.
const leastColumns = 4

// inColumns reports whether chunks can be written for several records, one chunk after another. Then no chunk
// writes behind the end of its run.
func inColumns(chunks []chunk, size int) bool {
	for i := range chunks {
		c := &chunks[i]
		if len(c.counts) > 0 || c.op == chunkBits && c.tail(size) == 0 {
			return false
		}
	}
	return true
}

// tail returns how many bytes a chunk of numbers stores so that it leaves the bytes behind the run unchanged. It
// returns 0 if one store cannot do that.
func (c *chunk) tail(size int) int {
	switch n := min(8, size-c.at); n {
	case 1, 2, 4, 8:
		return n
	}
	return 0
}

// columns writes a chunk of records whose runs have a size and begin at a place.
func (c *chunk) columns(out memory.View, at, size int, list []Value) bool {
	switch {
	case c.op == chunkBits:
		var words [blockSize]uint64
		for i := range c.bits {
			if !c.bits[i].gather(&words, list) {
				return false
			}
		}
		if c.tail(size) == 8 && !c.big {
			storeWords(out, at+c.at, size, words[:len(list)], c.rest)
		} else {
			c.store(out, at+c.at, size, words[:len(list)])
		}
		return true
	case c.op == chunkWide && c.col.word.scalar == bytecode.U64 && !c.col.word.big:
		if storeWide(out, at+c.at, size, list, c.col.at) {
			return true
		}
	}
	for i := range list {
		if !c.put(out, at+c.at, (*Value)(list[i].p)) {
			return false
		}
		at += size
	}
	return true
}

// gather adds the number of each record to the word of the record. It reports whether all are of the kinds that are
// expected and fit.
func (b *putBit) gather(words *[blockSize]uint64, list []Value) bool {
	over, other := gather(words, list, int(b.cell), b.left, b.kind)
	if other != 0 {
		for i := range list {
			if v := (*Value)(unsafe.Add(list[i].p, b.cell)); !b.takes(v.kind) {
				return false
			}
		}
	}
	return over>>b.width == 0
}

// gather adds a number of each record to its word. It returns the bits of all numbers, and 0 if all have a kind. It is
// not inlined so that all it works with is in registers, and takes two records at a time and a product for a shift, so
// that its speed depends less on where its code lies.
//
//go:noinline
func gather(words *[blockSize]uint64, list []Value, at int, left uint8, kind Kind) (over uint64, other Kind) {
	times := uint64(1) << (left & 63)
	i := uint(0)
	for ; i+1 < uint(len(list)); i += 2 {
		v, w := (*Value)(unsafe.Add(list[i].p, at)), (*Value)(unsafe.Add(list[i+1].p, at))
		over |= v.u | w.u
		other |= (v.kind ^ kind) | (w.kind ^ kind)
		words[i%blockSize] |= v.u * times
		words[(i+1)%blockSize] |= w.u * times
	}
	if i < uint(len(list)) {
		v := (*Value)(unsafe.Add(list[i].p, at))
		over |= v.u
		other |= v.kind ^ kind
		words[i%blockSize] |= v.u * times
	}
	return over, other
}

// storeWide stores numbers of 64 bits with the lowest byte first. It reports false if one of them is signed.
//
//go:noinline
func storeWide(out memory.View, at, size int, list []Value, cell int) bool {
	kinds := Kind(0)
	for i := range list {
		v := (*Value)(unsafe.Add(list[i].p, cell))
		kinds |= v.kind ^ Uint
		out.Store64(at, v.u)
		at += size
	}
	return kinds == 0
}

// storeWords stores words of 64 bits with the lowest byte first, in which the bits of rest are set too.
func storeWords(out memory.View, at, size int, words []uint64, rest uint64) {
	for _, x := range words {
		out.Store64(at, x|rest)
		at += size
	}
}

// store stores the words of records.
func (c *chunk) store(out memory.View, at, size int, words []uint64) {
	n := c.tail(size)
	for _, x := range words {
		x |= c.rest
		if c.big {
			x = bits.ReverseBytes64(x)
		}
		switch n {
		case 8:
			out.Store64(at, x)
		case 4:
			out.Store32(at, uint32(x))
		case 2:
			out.Store16(at, uint16(x))
		default:
			out.Store8(at, uint8(x))
		}
		at += size
	}
}
