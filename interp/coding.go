// Codings: numbers whose width on the wire depends on the number.

package interp

import (
	"encoding/binary"
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// codedBits returns the number of a coding at the beginning of b, its bytes, and the fewest
// bytes that hold it. No bytes mean that the number has no end in b. ok is false if the number
// has more than 64 bits or more than MaxCoded bytes.
func codedBits(c bytecode.Coding, b []byte) (x uint64, n, least int, ok bool) {
	for n < len(b) && n < bytecode.MaxCoded && b[n]&0x80 != 0 {
		n++
	}
	switch {
	case n == bytecode.MaxCoded:
		return 0, n, n, false
	case n == len(b):
		return 0, 0, 0, true
	}
	n++
	last := b[n-1]
	if c == bytecode.VLQ {
		for _, group := range b[:n] {
			if x>>57 != 0 {
				return 0, n, n, false
			}
			x = x<<7 | uint64(group&0x7f)
		}
		return x, n, codedLen(c, x), true
	}
	for i, group := range b[:n] {
		x |= uint64(group&0x7f) << (7 * i)
	}
	switch c {
	case bytecode.SLEB128:
		if n == bytecode.MaxCoded && last != 0 && last != 0x7f {
			return 0, n, n, false
		}
		if n < bytecode.MaxCoded && last&0x40 != 0 {
			x |= ^uint64(0) << (7 * n)
		}
	default:
		if n == bytecode.MaxCoded && last > 1 {
			return 0, n, n, false
		}
		if c == bytecode.Zigzag {
			x = x>>1 ^ -(x & 1)
		}
	}
	return x, n, codedLen(c, x), true
}

// codedLen returns the fewest bytes of a number of a coding.
func codedLen(c bytecode.Coding, x uint64) int {
	switch c {
	case bytecode.SLEB128: // a bit of the last byte is the sign
		return (bits.Len64(x^uint64(int64(x)>>63)) + 7) / 7
	case bytecode.Zigzag:
		x = zigzag(x)
	}
	return max(1, (bits.Len64(x)+6)/7)
}

// zigzag returns the number as which a signed one is written.
func zigzag(x uint64) uint64 { return x<<1 ^ uint64(int64(x)>>63) }

// AppendCoded appends a number of a coding in the fewest bytes, and returns the result.
func AppendCoded(out []byte, c bytecode.Coding, x uint64) []byte {
	n := codedLen(c, x)
	switch c {
	case bytecode.VLQ:
		for i := n - 1; i > 0; i-- {
			out = append(out, byte(x>>(7*i))|0x80)
		}
		return append(out, byte(x)&0x7f)
	case bytecode.SLEB128:
		for range n - 1 {
			out = append(out, byte(x)|0x80)
			x = uint64(int64(x) >> 7)
		}
		return append(out, byte(x)&0x7f)
	case bytecode.Zigzag:
		x = zigzag(x)
	}
	return binary.AppendUvarint(out, x)
}

// coded reads a number of varying width.
func (g *reading) coded(c bytecode.Coding, longer bool, rule uint32) (uint64, bool) {
	x, n, least, ok := codedBits(c, g.in[g.pos:g.end])
	switch {
	case !ok:
		return 0, g.fail(ErrValue, g.pos, rule, "a number of at most 64 bits in at most 10 bytes for "+g.row(rule), countOf(n, "byte"))
	case n == 0: // it has no end
		n = g.end - g.pos + 1
	case n > least && !longer:
		return 0, g.fail(ErrValue, g.pos, rule, countOf(least, "byte")+" for "+g.row(rule), countOf(n, "byte"))
	}
	_, ok = g.take(n, rule)
	return x, ok
}

// scalarOf reads the number of an instruction as the bits of a register: signed ones
// sign-extended.
func (g *reading) scalarOf(in *bytecode.Instr) (uint64, bool) {
	if in.Varying() {
		return g.coded(in.Coding(), in.Longer(), in.Rule)
	}
	b, ok := g.take(in.Scalar().Width(), in.Rule)
	if !ok {
		return 0, false
	}
	return g.number(in, b), true
}

// numberSize returns the bytes that a writer uses for the number of an instruction.
func numberSize(in *bytecode.Instr, bits uint64) int {
	if c := in.Coding(); c != builtin.Fixed {
		return codedLen(c, bits)
	}
	return in.Scalar().Width()
}

// putNumber appends the number of an instruction.
func (g *writing) putNumber(in *bytecode.Instr, bits uint64) {
	if in.Varying() {
		g.out = AppendCoded(g.out, in.Coding(), bits)
		return
	}
	g.put(in.Scalar(), bits, g.big(in))
}
