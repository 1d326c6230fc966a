// Numbers on the wire.

package reference

import (
	"math"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// significance returns the power of 256 of the byte at an index of a number. Letters are
// never in another order than on the wire.
func (m *meaning) significance(s builtin.Scalar, index int) int {
	if m.schema.Big && s != builtin.Code4 {
		return s.Width() - 1 - index
	}
	return index
}

// bitsOf returns the number in the bytes of a scalar, without a sign.
func (m *meaning) bitsOf(s builtin.Scalar, b []byte) uint64 {
	bits := uint64(0)
	for i := range s.Width() {
		bits |= uint64(b[i]) << (8 * m.significance(s, i))
	}
	return bits
}

// bytesOf returns the bytes of a number.
func (m *meaning) bytesOf(s builtin.Scalar, bits uint64) []byte {
	b := make([]byte, s.Width())
	for i := range b {
		b[i] = byte(bits >> (8 * m.significance(s, i)))
	}
	return b
}

// little returns the bytes of numbers as values hold them: the lowest byte first.
func (m *meaning) little(s builtin.Scalar, b []byte) []byte {
	var out []byte
	for ; len(b) > 0; b = b[s.Width():] {
		bits := m.bitsOf(s, b)
		for range s.Width() {
			out = append(out, byte(bits))
			bits >>= 8
		}
	}
	return out
}

// extended returns the number in the bits of a scalar, with its sign.
func extended(s builtin.Scalar, bits uint64) int64 {
	if width := 8 * s.Width(); s.Signed() && width < 64 && bits>>(width-1) != 0 {
		return int64(bits) - 1<<width
	}
	return int64(bits)
}

// numeral returns the value of a number.
func numeral(s builtin.Scalar, bits uint64) interp.Value {
	switch {
	case s == builtin.F32:
		return interp.MakeFloat(0, math.Float64frombits(widened(uint32(bits))))
	case s == builtin.F64:
		return interp.MakeFloat(0, math.Float64frombits(bits))
	case s.Signed():
		return interp.MakeInt(0, extended(s, bits))
	}
	return interp.MakeUint(0, bits)
}

// The parts of numbers in single and double precision that are not numbers. The highest
// bit of the fraction is set in a quiet one.
const (
	singleExponent, singleFraction, singleQuiet = 0xff << 23, 1<<23 - 1, 1 << 22
	doubleExponent, doubleFraction, doubleQuiet = 0x7ff << 52, 1<<52 - 1, 1 << 51
)

// widened converts single precision to double. What is not a number keeps its sign and
// its fraction, and becomes quiet.
func widened(bits uint32) uint64 {
	if bits&singleExponent == singleExponent && bits&singleFraction != 0 {
		return uint64(bits)>>31<<63 | doubleExponent | doubleQuiet | uint64(bits&singleFraction)<<29
	}
	return math.Float64bits(float64(math.Float32frombits(bits)))
}

// narrowed converts double precision to single, to the nearest. What is not a number
// keeps its sign and the highest bits of its fraction, and becomes quiet.
func narrowed(bits uint64) uint32 {
	if bits&doubleExponent == doubleExponent && bits&doubleFraction != 0 {
		return uint32(bits>>63)<<31 | singleExponent | singleQuiet | uint32(bits&doubleFraction>>29)
	}
	return math.Float32bits(float32(math.Float64frombits(bits)))
}
