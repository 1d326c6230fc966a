// Numbers on the wire.

package reference

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// wire is the form of a number in bytes.
type wire struct {
	builtin.Scalar
	swapped bool // the bytes are in the other order than those of the schema
	coding  builtin.Coding
	longer  bool // more bytes of the coding than necessary are accepted
}

// wireOf returns the form of the numbers of a type.
func (m *meaning) wireOf(t *schema.Type, f *frame) wire {
	if t.Big != nil {
		return wire{t.Scalar, (m.known(t.Big, f) != 0) != m.schema.Big, t.Coding, t.Longer}
	}
	return wire{t.Scalar, t.Swapped, t.Coding, t.Longer}
}

// ordering returns the type of a row; that of a text has its order of bytes.
func (m *meaning) ordering(t *schema.Type, f *frame) *schema.Type {
	if t.Big == nil || t.Form != schema.Text {
		return t
	}
	ordered, encoding := *t, *t.Encoding
	if encoding.Charset = builtin.UTF16Little; m.known(t.Big, f) != 0 {
		encoding.Charset = builtin.UTF16Big
	}
	ordered.Encoding = &encoding
	return &ordered
}

// ordered returns the bytes of a number with the lowest first, given those on the wire,
// or the inverse. Letters are in the same order in both.
func (m *meaning) ordered(s wire, b []byte) []byte {
	b = slices.Clone(b)
	if m.schema.Big != s.swapped && s.Scalar != builtin.Code4 {
		slices.Reverse(b)
	}
	return b
}

// bitsOf returns the number in the bytes of a scalar, without a sign.
func (m *meaning) bitsOf(s wire, b []byte) uint64 {
	var low [8]byte
	copy(low[:], m.ordered(s, b))
	return binary.LittleEndian.Uint64(low[:])
}

// bytesOf returns the bytes of a number.
func (m *meaning) bytesOf(s wire, bits uint64) []byte {
	switch {
	case s.coding.Varies():
		return codedBytes(s.coding, int64(bits))
	case s.coding != builtin.Fixed:
		return inDigits(s.coding, bits)
	}
	return m.ordered(s, binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()])
}

// little returns the bytes of numbers as values hold them: the lowest byte first.
func (m *meaning) little(s wire, b []byte) []byte {
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
	if from == to {
		return bits
	}
	switch from {
	case builtin.F32:
		bits = widened(uint32(bits))
	case builtin.F16:
		bits = halfWidened(uint16(bits))
	}
	switch to {
	case builtin.F32:
		return uint64(narrowed(bits))
	case builtin.F16:
		half, _ := halfOf(bits)
		return uint64(half)
	}
	return bits
}

// holds reports whether a scalar can be written with a real number of another one. Single
// precision rounds; 16 bits hold a number exactly or not at all.
func holds(from, to builtin.Scalar, bits uint64) bool {
	if to != builtin.F16 {
		return true
	}
	_, ok := halfOf(converted(from, builtin.F64, bits))
	return ok
}

// halves has the double of every number of 16 bits that is not a NaN, by its bits.
var halves = sync.OnceValue(func() map[uint64]uint16 {
	out := map[uint64]uint16{}
	for h := range 1 << 16 {
		if h&halfExponent != halfExponent || h&halfFraction == 0 {
			out[halfWidened(uint16(h))] = uint16(h)
		}
	}
	return out
})

// halfOf returns the number of 16 bits that is equal to a double. It is not ok if there is
// no such number. A NaN keeps its sign and the highest bits of its fraction, and becomes
// quiet.
func halfOf(bits uint64) (half uint16, ok bool) {
	if bits&doubleExponent == doubleExponent && bits&doubleFraction != 0 {
		return uint16(bits>>63)<<15 | halfExponent | halfQuiet | uint16(bits&doubleFraction>>42), true
	}
	half, ok = halves()[bits]
	return half, ok
}

// halfWidened converts a number of 16 bits to double precision: 1 bit of sign, 5 of the
// exponent and 10 of the fraction.
func halfWidened(half uint16) uint64 {
	exponent, fraction := int(half&halfExponent>>10), float64(half&halfFraction)
	var f float64
	switch {
	case exponent == 0:
		f = math.Ldexp(fraction, -24)
	case exponent < 0x1f:
		f = math.Ldexp(1024+fraction, exponent-25)
	case fraction == 0:
		f = math.Inf(1)
	default:
		return uint64(half)>>15<<63 | doubleExponent | doubleQuiet | uint64(half&halfFraction)<<42
	}
	return uint64(half)>>15<<63 | math.Float64bits(f)
}

// The parts of numbers in half, single and double precision that are not numbers. The highest
// bit of the fraction is set in a quiet one.
const (
	halfExponent, halfFraction, halfQuiet       = 0x1f << 10, 1<<10 - 1, 1 << 9
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
