// Numbers in bytes: scalars, real numbers, and codings.

package reference

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// wire is the form of a number in bytes.
type wire struct {
	builtin.Scalar
	big    bool // the highest byte is first
	coding builtin.Coding
	longer bool // more bytes of the coding than necessary are accepted
	wide   bool // the wider one of the two scalars that a bit of the arm selects between
}

// wire returns the form of the numbers of a type.
func (m *walk) wire(t *schema.Type, f *frame) wire {
	s := wire{t.Scalar, m.schema.Big != t.Swapped, t.Coding, t.Longer, false}
	if t.Big != nil {
		s.big = m.known(t.Big, f) != 0
	}
	if t.Narrow != builtin.NoScalar {
		if s.Scalar = t.Narrow; f.number[f.rec.Selector] != 0 {
			s.Scalar, s.wide = t.Wide, true
		}
	}
	return s
}

// number walks a number: a reader returns what it takes, and a writer writes x. Conditions after
// it can be about it if it has one width.
func (m *walk) number(s wire, x int64) int64 {
	switch {
	case m.writes:
		m.fitting(s, x)
		m.put(s.bytes(uint64(x))...)
	case s.coding.Varies():
		x = m.varying(s)
	case s.coding != builtin.Fixed:
		x = int64(m.digits(s))
	default:
		x = extended(s.Scalar, unsigned(s.ordered(m.take(1, s.Width()))))
		m.before = s.Width()
	}
	return x
}

// holds reports whether a number fits the bytes or digits of a wire form.
func (s wire) holds(x int64) bool {
	if most, limited := highest[s.coding]; limited && uint64(x) > most {
		return false
	}
	return fits(s.Scalar, x) && (s.coding.Base() == 0 || s.coding.End() != "" || len(digitsOf(s.coding, uint64(x))) <= s.coding.Digits())
}

// fitting refuses a number that is written unless its form holds it.
func (m *walk) fitting(s wire, x int64) {
	m.need(s.holds(x), interp.ErrRange, m.pos, "a number that fits %s, found %d", s.Scalar, x)
}

// numbers walks numbers as values hold them, with the lowest byte first. A reader walks n
// times some bytes, a writer those of a value. Real numbers are converted.
func (m *walk) numbers(s wire, n int64, size int, v interp.Value) (out []byte) {
	if !m.writes {
		for b := range slices.Chunk(m.take(n, size), s.Width()) {
			out = append(out, s.ordered(b)...)
		}
		return out
	}
	have := v.Scalar()
	m.need(have == s.Scalar || have.IsFloat() && s.IsFloat(), interp.ErrMismatch, m.pos, "numbers of %s, found %s", s.Scalar, have)
	for i := range v.Len() * elements(v) {
		m.put(s.bytes(m.exactly(v.LaneBits(i), have, s.Scalar))...)
	}
	return nil
}

// exactly returns the bits of a real number in another scalar, which must hold it.
func (m *walk) exactly(bits uint64, from, to builtin.Scalar) uint64 {
	out, ok := converted(bits, from, to)
	m.need(ok, interp.ErrValue, m.pos, "a number that %s holds exactly", to)
	return out
}

// ordered returns the bytes of a number with the lowest first, given those on the wire,
// or the inverse. Letters are in the same order in both.
func (s wire) ordered(b []byte) []byte {
	b = slices.Clone(b)
	if s.big && s.Scalar != builtin.Code4 {
		slices.Reverse(b)
	}
	return b
}

// unsigned returns the number in bytes, of which the lowest is first.
func unsigned(b []byte) (x uint64) {
	for _, next := range slices.Backward(b) {
		x = x<<8 | uint64(next)
	}
	return x
}

// bytes returns the bytes of a number.
func (s wire) bytes(bits uint64) []byte {
	switch {
	case s.coding.Varies():
		return shortest(s.coding, int64(bits))
	case s.coding != builtin.Fixed:
		return []byte(inDigits(s.coding, bits))
	}
	return s.ordered(binary.LittleEndian.AppendUint64(nil, bits)[:s.Width()])
}

// ones returns a number whose lowest n bits are set.
func ones(n int) uint64 { return 1<<n - 1 }

// extended returns the number in the bits of a scalar, with its sign.
func extended(s builtin.Scalar, bits uint64) int64 {
	if width := 8 * s.Width(); s.Signed() && width < 64 && bits>>(width-1) != 0 {
		return int64(bits) - 1<<width
	}
	return int64(bits)
}

// fits reports whether the bits of a scalar can hold a number. A number for a scalar of
// 64 bits is the bits.
func fits(s builtin.Scalar, x int64) bool {
	return extended(s, uint64(x)&ones(8*s.Width())) == x
}

// numeral returns the value of a number.
func numeral(s builtin.Scalar, bits uint64) interp.Value {
	switch {
	case s.IsFloat():
		return interp.MakeFloat(0, math.Float64frombits(double(s, bits)))
	case s.Signed():
		return interp.MakeInt(0, int64(bits))
	}
	return interp.MakeUint(0, bits)
}

// reals has the bits of the exponent and of the fraction of each real number.
var reals = map[builtin.Scalar]struct{ exponent, fraction int }{
	builtin.F16: {5, 10}, builtin.F32: {8, 23}, builtin.F64: {11, 52},
}

// double returns the bits of a real number in double precision. What is not a number keeps its
// sign and its fraction, and becomes quiet: the highest bit of its fraction is set.
func double(s builtin.Scalar, bits uint64) uint64 {
	if s == builtin.F64 {
		return bits
	}
	r := reals[s]
	exponent, fraction := int(bits>>r.fraction&ones(r.exponent)), bits&ones(r.fraction)
	lowest := 2 - 1<<(r.exponent-1) - r.fraction // power of two of the lowest bit, if the exponent is 0 or 1
	x := math.Ldexp(float64(fraction), lowest)
	switch {
	case exponent == int(ones(r.exponent)) && fraction != 0:
		x = math.Float64frombits(ones(11)<<52 | 1<<51 | fraction<<(52-r.fraction))
	case exponent == int(ones(r.exponent)):
		x = math.Inf(1)
	case exponent > 0:
		x = math.Ldexp(float64(fraction|1<<r.fraction), lowest+exponent-1)
	}
	return bits>>(r.exponent+r.fraction)<<63 | math.Float64bits(x)
}

// converted returns the bits of a real number in another scalar. Single precision is rounded to the
// nearest; it is not ok if half precision does not hold the number. What is not a number keeps
// its sign and the highest bits of its fraction, and becomes quiet.
func converted(bits uint64, from, to builtin.Scalar) (out uint64, ok bool) {
	if from == to {
		return bits, true
	}
	bits = double(from, bits)
	r, x := reals[to], math.Float64frombits(bits)
	sign := bits >> 63 << (r.exponent + r.fraction)
	switch {
	case to == builtin.F64:
		return bits, true
	case math.IsNaN(x):
		return sign | ones(r.exponent)<<r.fraction | 1<<(r.fraction-1) | bits&ones(52)>>(52-r.fraction), true
	case to == builtin.F32:
		return uint64(math.Float32bits(float32(x))), true
	}
	// Numbers that are not negative are ordered as their bits, up to infinity.
	half := uint64(sort.Search(0x7c00, func(h int) bool { return math.Float64frombits(double(to, uint64(h))) >= math.Abs(x) }))
	return sign | half, math.Float64frombits(double(to, half)) == math.Abs(x)
}

// varying reads a number of varying width: bytes up to the first one whose highest bit is not
// set.
func (m *walk) varying(s wire) int64 {
	if s.coding.End() != "" {
		return m.ended(s)
	}
	switch s.coding {
	case builtin.BER:
		return m.length(s)
	case builtin.QUIC, builtin.CompactSize, builtin.EBML:
		return m.announced(s)
	}
	begin := m.pos
	var all []byte
	for len(all) == 0 || all[len(all)-1] >= 0x80 {
		m.need(len(all) < builtin.MaxCoded, interp.ErrValue, begin, "at most %d bytes", builtin.MaxCoded)
		m.need(m.left() > 0, interp.ErrTruncated, begin, "another byte of a number")
		all = append(all, m.take(1, 1)...)
	}
	x := ungrouped(s.coding, all)
	m.need(bytes.Equal(grouped(s.coding, x, len(all)), all), interp.ErrValue, begin, "a number of 64 bits")
	m.need(s.longer || len(all) == len(shortest(s.coding, x)), interp.ErrValue, begin, "fewer bytes, found %d", len(all))
	return x
}

// ended reads a number in digits up to a terminator. The longest forms have a sign and 31 digits.
func (m *walk) ended(s wire) int64 {
	begin, rest := m.pos, string(plain(m.packet[m.pos:m.end]))
	sign := ""
	if s.Signed() && strings.HasPrefix(rest, "-") {
		sign = "-"
	}
	digits := map[uint64]string{8: "01234567", 10: "0123456789", 16: "0123456789abcdefABCDEF"}[s.coding.Base()]
	after := strings.TrimLeft(rest[len(sign):], digits)
	number := rest[:len(rest)-len(after)]
	m.need(len(number)-len(sign) <= 31, interp.ErrValue, begin, "at most 31 digits")
	m.need(after != "", interp.ErrTruncated, begin, "a number with its terminator")
	m.need(number != sign, interp.ErrValue, begin, "digits")
	end := s.coding.End()
	m.need(!strings.HasPrefix(end, after) || after == end, interp.ErrTruncated, begin, "a terminator")
	m.need(strings.HasPrefix(after, end), interp.ErrValue, begin, "the bytes %x", end)
	x, err := int64(0), error(nil)
	if s.Signed() {
		x, err = strconv.ParseInt(number, int(s.coding.Base()), 64)
	} else {
		var bits uint64
		bits, err = strconv.ParseUint(number, int(s.coding.Base()), 64)
		x = int64(bits)
	}
	m.need(err == nil, interp.ErrValue, begin, "a number of 64 bits")
	m.need(s.longer || string(shortest(s.coding, x)) == number+end, interp.ErrValue, begin, "another form")
	m.take(int64(len(number)+len(end)), 1)
	return x
}

// length reads a length of ASN.1. It is a byte below 128, or the number of bytes after it, of which the highest is
// first.
func (m *walk) length(s wire) (x int64) {
	begin := m.pos
	m.need(m.left() > 0, interp.ErrTruncated, begin, "a length")
	first := m.take(1, 1)[0]
	if first < 0x80 {
		return int64(first)
	}
	n := int(first) - 0x80
	m.need(0 < n && n < builtin.MaxCoded, interp.ErrValue, begin, "1 to %d bytes", builtin.MaxCoded-1)
	m.need(m.left() >= n, interp.ErrTruncated, begin, "%d bytes of a length", n)
	all := m.take(int64(n), 1)
	leading := 0
	for leading < n && all[leading] == 0 {
		leading++
	}
	m.need(n-leading <= 8, interp.ErrValue, begin, "a number of 64 bits")
	for _, b := range all {
		x = x<<8 + int64(b)
	}
	m.need(s.longer || leading == 0 && (n > 1 || all[0] >= 0x80), interp.ErrValue, begin, "fewer bytes, found %d", n+1)
	return x
}

// highest has the highest numbers of codings with fewer than 64 bits.
var highest = map[builtin.Coding]uint64{builtin.QUIC: 1<<62 - 1, builtin.EBML: 1<<56 - 2}

// announced reads a number whose first byte tells how many bytes it has. It tries the forms of the number in each
// width.
func (m *walk) announced(s wire) int64 {
	begin := m.pos
	m.need(m.left() > 0, interp.ErrTruncated, begin, "a number")
	first := m.take(1, 1)[0]
	n := 0
	switch s.coding {
	case builtin.QUIC:
		n = []int{1, 2, 4, 8}[first/64]
	case builtin.CompactSize:
		n = map[byte]int{0xfd: 3, 0xfe: 5, 0xff: 9}[first]
		if n == 0 {
			n = 1
		}
	case builtin.EBML:
		for n = 1; n < 9 && first < 1<<(8-n); n++ {
		}
		m.need(n < 9, interp.ErrValue, begin, "a number of at most 8 bytes")
	}
	m.need(m.left() >= n-1, interp.ErrTruncated, begin, "%d bytes", n)
	all := append([]byte{first}, m.take(int64(n-1), 1)...)
	var x uint64
	switch s.coding {
	case builtin.QUIC:
		x = binary.BigEndian.Uint64(append(make([]byte, 8-n), all...)) & ones(8*n-2)
	case builtin.CompactSize:
		if x = uint64(first); n > 1 {
			x = unsigned(all[1:])
		}
	case builtin.EBML:
		x = binary.BigEndian.Uint64(append(make([]byte, 8-n), all...)) & ones(7*n)
		m.need(x != ones(7*n), interp.ErrValue, begin, "a number, found one that is not known")
	}
	least := len(shortest(s.coding, int64(x)))
	m.need(s.longer || n == least, interp.ErrValue, begin, "%d bytes, found %d", least, n)
	return int64(x)
}

// announcing returns a number with a first byte that tells how many bytes it has.
func announcing(c builtin.Coding, x uint64) []byte {
	high := binary.BigEndian.AppendUint64(nil, x)
	switch c {
	case builtin.QUIC:
		size := 0
		for x > ones(8<<size-2) {
			size++
		}
		high = high[8-1<<size:]
		high[0] += byte(size) * 64
		return high
	case builtin.CompactSize:
		low := binary.LittleEndian.AppendUint64(nil, x)
		switch {
		case x < 253:
			return low[:1]
		case x < 1<<16:
			return append([]byte{253}, low[:2]...)
		case x < 1<<32:
			return append([]byte{254}, low[:4]...)
		}
		return append([]byte{255}, low...)
	}
	n := 1
	for x >= ones(7*n) {
		n++
	}
	high = high[8-n:]
	high[0] += 1 << (8 - n)
	return high
}

// grouped returns a number in n groups of 7 bits: the lowest group is first but in VLQ. All but the last one have their highest
// bit set. Groups above the number are the sign in SLEB128. Zigzag is 2x for x that is not negative, and -2x-1 for others.
func grouped(c builtin.Coding, x int64, n int) (out []byte) {
	if c == builtin.Zigzag {
		x = x<<1 ^ x>>63
	}
	for i := range n {
		group := byte(uint64(x) >> (7 * i))
		if c == builtin.SLEB128 {
			group = byte(x >> (7 * i))
		}
		out = append(out, 0x80|group)
	}
	if c == builtin.VLQ {
		slices.Reverse(out)
	}
	out[n-1] &= 0x7f
	return out
}

// ungrouped returns the number in groups, or its lowest 64 bits.
func ungrouped(c builtin.Coding, groups []byte) (x int64) {
	groups = slices.Clone(groups)
	if c == builtin.VLQ {
		slices.Reverse(groups)
	}
	for i, b := range groups {
		x |= int64(b&0x7f) << (7 * i)
	}
	above := max(0, 64-7*len(groups))
	switch c {
	case builtin.SLEB128:
		x = x << above >> above
	case builtin.Zigzag:
		x = int64(uint64(x)>>1) ^ -(x & 1)
	}
	return x
}

// shortest returns the fewest groups that are a number.
func shortest(c builtin.Coding, x int64) []byte {
	if c.End() != "" {
		sign, most := "", uint64(x)
		if c.Signed() && x < 0 {
			sign, most = "-", -most
		}
		return []byte(sign + digitsOf(c, most) + c.End())
	}
	switch c {
	case builtin.QUIC, builtin.CompactSize, builtin.EBML:
		return announcing(c, uint64(x))
	case builtin.BER:
		all := bytes.TrimLeft(binary.BigEndian.AppendUint64(nil, uint64(x)), "\x00")
		if uint64(x) < 0x80 {
			return []byte{byte(x)}
		}
		return append([]byte{byte(0x80 + len(all))}, all...)
	}
	n := 1
	for ungrouped(c, grouped(c, x, n)) != x {
		n++
	}
	return grouped(c, x, n)
}

// digitsOf returns the digits of a number, without zeros before them.
func digitsOf(c builtin.Coding, x uint64) string {
	digits := strconv.FormatUint(x, int(c.Base()))
	if c.Kind() == builtin.HexUpper {
		return strings.ToUpper(digits)
	}
	return digits
}

// inDigits returns the bytes of a number in digits.
func inDigits(c builtin.Coding, x uint64) string {
	digits := digitsOf(c, x)
	rest := max(0, c.Digits()-len(digits))
	switch c.Side() {
	case builtin.Left:
		digits += strings.Repeat(" ", rest)
	case builtin.Right:
		digits = strings.Repeat(" ", rest) + digits
	default:
		digits = strings.Repeat("0", rest) + digits
	}
	return digits + c.Fill()
}

// digits reads a number in digits. Any accepts other spaces, letters of the other size, and zero
// bytes for the fill.
func (m *walk) digits(s wire) uint64 {
	begin, c := m.pos, s.coding
	text := string(m.take(int64(c.Width()), 1))
	digits := strings.TrimLeft(strings.TrimRight(text, "\x00 "), " ")
	valid := strings.Trim(digits, "0123456789abcdefABCDEF") == ""
	if digits == "" {
		digits = "0"
	}
	x, err := strconv.ParseUint(digits, int(c.Base()), 64)
	valid = valid && err == nil && (s.longer || inDigits(c, x) == text)
	m.need(valid, interp.ErrValue, begin, "%d digits of base %d, found %q", c.Digits(), c.Base(), text)
	return x
}
