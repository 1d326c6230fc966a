// Numbers on the wire.

package reference

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// ordered returns the bytes of a number with the lowest first, given those on the wire,
// or the inverse. Letters are in the same order in both.
func (m *meaning) ordered(s builtin.Scalar, b []byte) []byte {
	b = slices.Clone(b)
	if m.schema.Big && s != builtin.Code4 {
		slices.Reverse(b)
	}
	return b
}

// bitsOf returns the number in the bytes of a scalar, without a sign.
func (m *meaning) bitsOf(s builtin.Scalar, b []byte) uint64 {
	var low [8]byte
	copy(low[:], m.ordered(s, b))
	return binary.LittleEndian.Uint64(low[:])
}

// bytesOf returns the bytes of a number.
func (m *meaning) bytesOf(s builtin.Scalar, bits uint64) []byte {
	return m.ordered(s, binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()])
}

// little returns the bytes of numbers as values hold them: the lowest byte first.
func (m *meaning) little(s builtin.Scalar, b []byte) []byte {
	var out []byte
	for number := range slices.Chunk(b, s.Width()) {
		out = append(out, m.ordered(s, number)...)
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
	case s.IsFloat():
		return interp.MakeFloat(0, math.Float64frombits(converted(s, builtin.F64, bits)))
	case s.Signed():
		return interp.MakeInt(0, extended(s, bits))
	}
	return interp.MakeUint(0, bits)
}

// fits reports whether the bits of a scalar can hold a number. A number for a scalar of
// 64 bits is the bits.
func fits(s builtin.Scalar, x int64) bool {
	return extended(s, uint64(x)&ones(8*s.Width())) == x
}

// converted returns the bits of a real number in another scalar.
func converted(from, to builtin.Scalar, bits uint64) uint64 {
	switch {
	case from == to:
		return bits
	case to == builtin.F32:
		return uint64(narrowed(bits))
	}
	return widened(uint32(bits))
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
