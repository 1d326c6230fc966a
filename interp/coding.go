// Codings: numbers whose width on the wire depends on the number, and numbers in digits.

package interp

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
)

// codedBits returns the number of a coding of varying width at the beginning of b. It also returns its
// bytes, and the fewest bytes that hold it. No bytes mean that the number has no end in b. ok is false if
// the number has more than 64 bits or more than MaxCoded bytes.
func codedBits(c bytecode.Coding, b []byte) (x uint64, n, least int, ok bool) {
	if len(b) > 0 && inByte(c, uint64(b[0])) {
		return uint64(b[0]), 1, 1, true
	}
	if led(c) {
		return ledBits(c, b)
	}
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

// inByte reports whether a number, or the first byte of one, is a byte with the same number.
func inByte(c bytecode.Coding, x uint64) bool {
	return x < 0x40 && c != bytecode.Zigzag && c != bytecode.EBML
}

// led reports whether the first byte of a number of a coding says how many bytes follow.
func led(c bytecode.Coding) bool {
	return c == bytecode.BER || c == bytecode.QUIC || c == bytecode.CompactSize || c == bytecode.EBML
}

// lead returns how many bytes follow the first byte of a number. It also returns the bits of
// that byte that belong to the number. ok is false if no number begins with it.
func lead(c bytecode.Coding, first byte) (after int, high uint64, ok bool) {
	switch c {
	case bytecode.QUIC:
		return 1<<(first>>6) - 1, uint64(first & 0x3f), true
	case bytecode.CompactSize:
		if first >= 0xfd {
			return 2 << (first - 0xfd), 0, true
		}
	case bytecode.EBML:
		after = bits.LeadingZeros8(first)
		return after, uint64(first &^ (0x80 >> after)), after < 8
	default: // BER; 0x80 is a length that is not given
		if first >= 0x80 {
			after = int(first & 0x7f)
			return after, 0, after > 0 && after < bytecode.MaxCoded
		}
	}
	return 0, uint64(first), true
}

// ledBits is codedBits of a coding whose first byte says how many bytes follow.
func ledBits(c bytecode.Coding, b []byte) (x uint64, n, least int, ok bool) {
	if len(b) == 0 {
		return 0, 0, 0, true
	}
	after, x, ok := lead(c, b[0])
	switch n = 1 + after; {
	case !ok:
		return 0, n, n, false
	case n > len(b):
		return 0, 0, 0, true
	}
	for i, next := range b[1:n] {
		if x>>56 != 0 && c != bytecode.CompactSize {
			return 0, n, n, false
		}
		if c == bytecode.CompactSize {
			x |= uint64(next) << (8 * i)
		} else {
			x = x<<8 | uint64(next)
		}
	}
	if c == bytecode.EBML && x == 1<<(7*n)-1 { // a size that is not known
		return 0, n, n, false
	}
	return x, n, codedLen(c, x), true
}

// codedLen returns the fewest bytes of a number of a coding.
func codedLen(c bytecode.Coding, x uint64) int {
	switch c {
	case bytecode.BER:
		if x < 0x80 {
			return 1
		}
		return 1 + (bits.Len64(x)+7)/8
	case bytecode.QUIC:
		switch {
		case x < 1<<6:
			return 1
		case x < 1<<14:
			return 2
		case x < 1<<30:
			return 4
		}
		return 8
	case bytecode.CompactSize:
		switch {
		case x < 0xfd:
			return 1
		case x>>16 == 0:
			return 3
		case x>>32 == 0:
			return 5
		}
		return 9
	case bytecode.EBML: // all bits of a size that is not known are set
		return (bits.Len64(x+1) + 6) / 7
	case bytecode.SLEB128: // a bit of the last byte is the sign
		return (bits.Len64(x^uint64(int64(x)>>63)) + 7) / 7
	case bytecode.Zigzag:
		x = zigzag(x)
	}
	return max(1, (bits.Len64(x)+6)/7)
}

// zigzag returns the number as which a signed one is written.
func zigzag(x uint64) uint64 { return x<<1 ^ uint64(int64(x)>>63) }

// AppendCoded appends a number of a coding of varying width in the fewest bytes, and returns
// the result.
func AppendCoded(out []byte, c bytecode.Coding, x uint64) []byte {
	if inByte(c, x) {
		return append(out, byte(x))
	}
	n := codedLen(c, x)
	switch c {
	case bytecode.BER:
		if n > 1 {
			out = append(out, 0x80|byte(n-1))
			n--
		}
		return appendHighFirst(out, n, x)
	case bytecode.QUIC:
		return appendHighFirst(out, n, x|uint64(bits.Len8(uint8(n))-1)<<(8*n-2))
	case bytecode.EBML:
		return appendHighFirst(out, n, x|1<<(7*n))
	case bytecode.CompactSize:
		if n > 1 {
			out = append(out, 0xfb+byte(bits.Len8(uint8(n))))
			n--
		}
		return append(out, binary.LittleEndian.AppendUint64(nil, x)[:n]...)
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

// appendHighFirst appends the lowest n bytes of a number, the highest of them first, and returns the result.
func appendHighFirst(out []byte, n int, x uint64) []byte {
	for i := n - 1; i >= 0; i-- {
		out = append(out, byte(x>>(8*i)))
	}
	return out
}

// digitsIn returns the number in a row of n digits at a side, followed by the bytes of fill. Any
// accepts letters of both sizes, spaces before fewer digits, spaces and zero bytes after them, and
// no digits for 0. ok is false if the number has another form or more than 64 bits.
func digitsIn(b, alphabet string, n int, side, fill string, any bool) (x uint64, ok bool) {
	base := uint64(len(alphabet))
	from := 0
	for from < len(b) && b[from] == ' ' {
		from++
	}
	to := from
	for ; to < len(b); to++ {
		digit := digitOf(b[to])
		if digit >= base {
			break
		}
		if x > (math.MaxUint64-digit)/base {
			return 0, false
		}
		x = x*base + digit
	}
	for _, c := range []byte(b[to:]) {
		if c != 0 && c != ' ' {
			return 0, false
		}
	}
	var row [32]byte // no row of digits is longer
	return x, any || to-from <= n && string(AppendDigits(row[:0], alphabet, n, side, fill, x)) == b
}

// digitOf returns the number of a digit with a letter of either size. For other bytes it returns a higher
// number than that of all digits.
func digitOf(c byte) uint64 {
	switch {
	case '0' <= c && c <= '9':
		return uint64(c - '0')
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10
	}
	return math.MaxUint64
}

// AppendDigits appends a number in n digits, which must hold it, and the bytes of fill, and returns
// the result. The alphabet has the digits from 0 on. At a side there are spaces in place of zeros
// before the number.
func AppendDigits(out []byte, alphabet string, n int, side, fill string, x uint64) []byte {
	base := uint64(len(alphabet))
	used := 1
	for y := x / base; y > 0; y /= base {
		used++
	}
	before, after := byte('0'), 0
	switch side {
	case "left":
		after = n - used
	case "right":
		before = ' '
	}
	for range n - used - after {
		out = append(out, before)
	}
	for range used {
		out = append(out, 0)
	}
	for i := range used {
		out[len(out)-1-i] = alphabet[x%base]
		x /= base
	}
	for range after {
		out = append(out, ' ')
	}
	return append(out, fill...)
}

// endedDigits returns the number in digits before a terminator at the beginning of b, and its bytes. No
// bytes mean that b ends before the terminator does. A canonical number is one in the bytes that a
// writer writes. ok is false if other bytes are there, after which n is how many of them show it, or if
// the number has more than 64 bits or more than MaxDigits digits.
func endedDigits(alphabet, end string, signed bool, b []byte) (x uint64, n int, canonical, ok bool) {
	base, from, most := uint64(len(alphabet)), 0, uint64(math.MaxUint64)
	negative := signed && len(b) > 0 && b[0] == '-'
	switch {
	case negative:
		from, most = 1, 1<<63
	case signed:
		most = math.MaxInt64
	}
	to := from
	for to < len(b) && to-from < bytecode.MaxDigits && digitOf(b[to]) < base {
		to++
	}
	n = min(to+len(end), len(b))
	switch {
	case to == from && to < len(b) || string(b[to:n]) != end[:n-to]:
		return 0, n, false, false
	case n < to+len(end):
		return 0, 0, false, true
	}
	for _, c := range b[from:to] {
		digit := digitOf(c)
		if x > (most-digit)/base {
			return 0, n, false, false
		}
		x = x*base + digit
	}
	if negative {
		x = -x
	}
	var own [32]byte // no canonical number is longer
	return x, n, string(appendEnded(own[:0], alphabet, end, signed, x)) == string(b[:n]), true
}

// appendEnded appends a number in digits before a terminator, and returns the result.
func appendEnded(out []byte, alphabet, end string, signed bool, x uint64) []byte {
	if signed && int64(x) < 0 {
		out, x = append(out, '-'), -x
	}
	return AppendDigits(out, alphabet, 1, "", end, x)
}

// digitsText describes n digits of an alphabet at a side.
func digitsText(alphabet string, n int, side string) string {
	name := "decimal digit"
	switch {
	case len(alphabet) == 8:
		name = "octal digit"
	case strings.HasSuffix(alphabet, "F"):
		name = "uppercase hexadecimal digit"
	case strings.HasSuffix(alphabet, "f"):
		name = "lowercase hexadecimal digit"
	}
	switch side {
	case "left":
		return "up to " + countOf(n, name) + " before spaces"
	case "right":
		return "up to " + countOf(n, name) + " after spaces"
	}
	return countOf(n, name)
}

// AppendNumber appends a number of a coding, and returns the result.
func AppendNumber(out []byte, c bytecode.Coding, x uint64) []byte {
	if end := c.End(); end != "" {
		return appendEnded(out, c.Alphabet(), end, c.Signed(), x)
	}
	if c.Varies() {
		return AppendCoded(out, c, x)
	}
	return AppendDigits(out, c.Alphabet(), c.Digits(), string(c.Side()), c.Fill(), x)
}

// fillText describes the bytes after digits.
func fillText(fill string) string {
	if fill == "" {
		return ""
	}
	return " and the bytes " + hexText(fill)
}

// ReadNumber returns the number of a coding at the beginning of b, and its bytes. Longer accepts other forms of it. The
// result is not ok if no such number is at the beginning of b.
func ReadNumber(c bytecode.Coding, longer bool, b []byte) (x uint64, n int, ok bool) {
	if end := c.End(); end != "" {
		x, n, canonical, ok := endedDigits(c.Alphabet(), end, c.Signed(), b)
		return x, n, ok && n > 0 && (canonical || longer)
	}
	if c.Varies() {
		x, n, least, ok := codedBits(c, b)
		return x, n, ok && n > 0 && (n == least || longer)
	}
	if n = c.Width(); n > len(b) {
		return 0, 0, false
	}
	x, ok = digitsIn(string(b[:n]), c.Alphabet(), c.Digits(), string(c.Side()), c.Fill(), longer)
	return x, n, ok
}

// digits reads a number in n digits at a side, with the bytes of fill after them.
func (g *reading) digits(alphabet string, n int, side, fill string, any bool, rule uint32) (uint64, bool) {
	at := g.pos
	b, ok := g.take(n+len(fill), rule)
	if !ok {
		return 0, false
	}
	x, ok := digitsIn(string(b), alphabet, n, side, fill, any)
	if !ok {
		found := "the bytes " + hexText(string(b))
		if b[0] >= 0x80 && len(alphabet) == 8 {
			found = "a number in base 256, which is not supported"
		}
		g.pos = at
		return 0, g.fail(ErrValue, at, rule, digitsText(alphabet, n, side)+fillText(fill)+" for "+g.row(rule), found)
	}
	return x, true
}

// ended reads a number in digits before a terminator.
func (g *reading) ended(alphabet, end string, signed, longer bool, rule uint32) (uint64, bool) {
	b := g.in[g.pos:g.end]
	x, n, canonical, ok := endedDigits(alphabet, end, signed, b)
	switch {
	case !ok:
		return 0, g.fail(ErrValue, g.pos, rule, "a number of at most 64 bits in at most "+digitsText(alphabet, bytecode.MaxDigits, "")+fillText(end)+" for "+g.row(rule), "the bytes "+hexText(string(b[:n])))
	case n == 0: // it has no end
		n = len(b) + 1
	case !canonical && !longer:
		return 0, g.fail(ErrValue, g.pos, rule, "the bytes "+hexText(string(appendEnded(nil, alphabet, end, signed, x)))+" for "+g.row(rule), "the bytes "+hexText(string(b[:n])))
	}
	_, ok = g.take(n, rule)
	return x, ok
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
	if in.Coded() {
		switch c := in.Coding(); {
		case c.End() != "":
			return g.ended(c.Alphabet(), c.End(), c.Signed(), in.Longer(), in.Rule)
		case !c.Varies():
			return g.digits(c.Alphabet(), c.Digits(), string(c.Side()), c.Fill(), in.Longer(), in.Rule)
		}
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
	switch c := in.Coding(); {
	case c.End() != "":
		var number [32]byte // no canonical number is longer
		return len(AppendNumber(number[:0], c, bits))
	case c.Varies():
		return codedLen(c, bits)
	}
	return in.Width()
}

// holds reports whether the number of an instruction, as an expression computes it, fits its
// scalar and its digits.
func holds(in *bytecode.Instr, x int64) bool {
	return fits(in.Scalar(), x) && in.Coding().Holds(uint64(x))
}

// fitting refuses a number that does not fit the scalar or the digits of an instruction.
func (g *writing) fitting(in *bytecode.Instr, x int64) bool {
	if !fits(in.Scalar(), x) {
		return g.fail(ErrRange, in.Rule, "a number that fits "+in.Scalar().String(), fmt.Sprint(x))
	}
	c := in.Coding()
	if c.Varies() {
		return g.atMost(c.Most(), uint64(x), in.Rule)
	}
	return !c.InDigits() || g.inDigits(c.Alphabet(), c.Digits(), uint64(x), in.Rule)
}

// atMost refuses a number above the highest one of a coding.
func (g *writing) atMost(most, x uint64, rule uint32) bool {
	if x > most {
		return g.fail(ErrRange, rule, "a number of at most "+strconv.FormatUint(most, 10), strconv.FormatUint(x, 10))
	}
	return true
}

// inDigits refuses a number of more than n digits.
func (g *writing) inDigits(alphabet string, n int, x uint64, rule uint32) bool {
	left := x
	for range n {
		left /= uint64(len(alphabet))
	}
	if left > 0 {
		return g.fail(ErrRange, rule, "a number of at most "+digitsText(alphabet, n, ""), strconv.FormatUint(x, 10))
	}
	return true
}

// putNumber appends the number of an instruction.
func (g *writing) putNumber(in *bytecode.Instr, bits uint64) {
	if in.Coded() {
		g.out = AppendNumber(g.out, in.Coding(), bits)
		return
	}
	g.put(in.Scalar(), bits, g.big(in))
}
