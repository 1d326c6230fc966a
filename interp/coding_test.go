package interp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// TestCodings compares codings with the examples of their documents. These are DWARF 5,
// section 7.6; the encoding page of protocol buffers; the specification of MIDI files.
func TestCodings(t *testing.T) {
	for _, c := range []struct {
		coding bytecode.Coding
		number int64
		bytes  string
	}{
		{bytecode.LEB128, 2, "02"}, {bytecode.LEB128, 127, "7f"}, {bytecode.LEB128, 128, "8001"}, {bytecode.LEB128, 129, "8101"}, {bytecode.LEB128, 12857, "b964"},
		{bytecode.LEB128, -1, "ffffffffffffffffff01"},
		{bytecode.SLEB128, 2, "02"}, {bytecode.SLEB128, -2, "7e"}, {bytecode.SLEB128, 127, "ff00"}, {bytecode.SLEB128, -127, "817f"},
		{bytecode.SLEB128, 128, "8001"}, {bytecode.SLEB128, -128, "807f"}, {bytecode.SLEB128, 129, "8101"}, {bytecode.SLEB128, -129, "ff7e"},
		{bytecode.SLEB128, math.MinInt64, "8080808080808080807f"}, {bytecode.SLEB128, math.MaxInt64, "ffffffffffffffffff00"},
		{bytecode.Zigzag, 0, "00"}, {bytecode.Zigzag, -1, "01"}, {bytecode.Zigzag, 1, "02"}, {bytecode.Zigzag, math.MaxInt32, "feffffff0f"}, {bytecode.Zigzag, math.MinInt32, "ffffffff0f"},
		{bytecode.Zigzag, math.MinInt64, "ffffffffffffffffff01"},
		{bytecode.VLQ, 0, "00"}, {bytecode.VLQ, 0x40, "40"}, {bytecode.VLQ, 0x7f, "7f"}, {bytecode.VLQ, 0x80, "8100"}, {bytecode.VLQ, 0x2000, "c000"}, {bytecode.VLQ, 0x3fff, "ff7f"},
		{bytecode.VLQ, 0x4000, "818000"}, {bytecode.VLQ, 0xfffffff, "ffffff7f"}, {bytecode.VLQ, -1, "81ffffffffffffffff7f"},
		{bytecode.BER, 0, "00"}, {bytecode.BER, 0x7f, "7f"}, {bytecode.BER, 0x80, "8180"}, {bytecode.BER, 0xff, "81ff"}, {bytecode.BER, 0x100, "820100"}, {bytecode.BER, 0x10000, "83010000"},
		{bytecode.BER, math.MaxInt64, "887fffffffffffffff"}, {bytecode.BER, -1, "88ffffffffffffffff"},
		// The examples of RFC 9000, section A.1.
		{bytecode.QUIC, 151288809941952652, "c2197c5eff14e88c"}, {bytecode.QUIC, 494878333, "9d7f3e7d"}, {bytecode.QUIC, 15293, "7bbd"}, {bytecode.QUIC, 37, "25"},
		{bytecode.QUIC, 0, "00"}, {bytecode.QUIC, 1<<6 - 1, "3f"}, {bytecode.QUIC, 1 << 6, "4040"}, {bytecode.QUIC, 1<<14 - 1, "7fff"}, {bytecode.QUIC, 1 << 14, "80004000"},
		{bytecode.QUIC, 1<<30 - 1, "bfffffff"}, {bytecode.QUIC, 1 << 30, "c000000040000000"}, {bytecode.QUIC, 1<<62 - 1, "ffffffffffffffff"},
		{bytecode.CompactSize, 0, "00"}, {bytecode.CompactSize, 252, "fc"}, {bytecode.CompactSize, 253, "fdfd00"}, {bytecode.CompactSize, 515, "fd0302"}, {bytecode.CompactSize, 65535, "fdffff"},
		{bytecode.CompactSize, 65536, "fe00000100"}, {bytecode.CompactSize, 1<<32 - 1, "feffffffff"}, {bytecode.CompactSize, 1 << 32, "ff0000000001000000"}, {bytecode.CompactSize, -1, "ffffffffffffffffff"},
		{bytecode.EBML, 0, "80"}, {bytecode.EBML, 2, "82"}, {bytecode.EBML, 126, "fe"}, {bytecode.EBML, 127, "407f"}, {bytecode.EBML, 1<<14 - 2, "7ffe"}, {bytecode.EBML, 1<<14 - 1, "203fff"},
		{bytecode.EBML, 0xa45dfa3, "1a45dfa3"}, {bytecode.EBML, 1<<49 - 1, "0101ffffffffffff"}, {bytecode.EBML, 1<<56 - 2, "01fffffffffffffe"},
	} {
		b := AppendCoded(nil, c.coding, uint64(c.number))
		if got := fmt.Sprintf("%x", b); got != c.bytes {
			t.Errorf("%s of %d is %s, not %s", c.coding, c.number, got, c.bytes)
		}
		if x, n, least, ok := codedBits(c.coding, b); int64(x) != c.number || n != len(b) || least != n || !ok {
			t.Errorf("%s %s is %d in %d bytes, %d at least, %t", c.coding, c.bytes, int64(x), n, least, ok)
		}
	}
}

// TestOddCodings holds that longer forms, numbers of more than 64 bits and numbers without an
// end are recognized.
func TestOddCodings(t *testing.T) {
	for _, c := range []struct {
		coding   bytecode.Coding
		bytes    string
		n, least int
		ok       bool
	}{
		{bytecode.LEB128, "8000", 2, 1, true}, {bytecode.LEB128, "ff808000", 4, 1, true}, {bytecode.LEB128, "80808080808080808002", 10, 10, false},
		{bytecode.LEB128, "ffffffffffffffffff80", 10, 10, false}, {bytecode.LEB128, "ffff", 0, 0, true}, {bytecode.LEB128, "", 0, 0, true},
		{bytecode.Zigzag, "80808080808080808000", 10, 1, true}, {bytecode.Zigzag, "ffffffffffffffffff02", 10, 10, false},
		{bytecode.SLEB128, "ff7f", 2, 1, true}, {bytecode.SLEB128, "c000", 2, 2, true}, {bytecode.SLEB128, "bf00", 2, 1, true}, {bytecode.SLEB128, "c07f", 2, 1, true}, {bytecode.SLEB128, "bf7f", 2, 2, true},
		{bytecode.SLEB128, "80808080808080808001", 10, 10, false}, {bytecode.SLEB128, "ffffffffffffffffff7f", 10, 1, true}, {bytecode.SLEB128, "ffffffffffffffffff7e", 10, 10, false},
		{bytecode.VLQ, "8000", 2, 1, true}, {bytecode.VLQ, "80808080808080808000", 10, 1, true}, {bytecode.VLQ, "8180808080808080800000", 10, 10, true},
		{bytecode.VLQ, "82808080808080808000", 10, 10, false}, {bytecode.VLQ, "8080808080808080808000", 10, 10, false},
		{bytecode.BER, "8100", 2, 1, true}, {bytecode.BER, "817f", 2, 1, true}, {bytecode.BER, "820080", 3, 2, true}, {bytecode.BER, "8900ffffffffffffffff", 10, 9, true},
		{bytecode.BER, "890100000000000000ff", 10, 10, false}, {bytecode.BER, "80", 1, 1, false}, {bytecode.BER, "8a", 11, 11, false}, {bytecode.BER, "ff", 128, 128, false},
		{bytecode.QUIC, "4025", 2, 1, true}, {bytecode.QUIC, "80000040", 4, 2, true}, {bytecode.QUIC, "c000000000000000", 8, 1, true}, {bytecode.QUIC, "", 0, 0, true}, {bytecode.QUIC, "bf0000", 0, 0, true},
		{bytecode.CompactSize, "fdfc00", 3, 1, true}, {bytecode.CompactSize, "feffff0000", 5, 3, true}, {bytecode.CompactSize, "ffffffffff00000000", 9, 5, true}, {bytecode.CompactSize, "fd00", 0, 0, true},
		{bytecode.EBML, "4000", 2, 1, true}, {bytecode.EBML, "01000000000000fe", 8, 2, true}, {bytecode.EBML, "ff", 1, 1, false}, {bytecode.EBML, "7fff", 2, 2, false}, {bytecode.EBML, "01ffffffffffffff", 8, 8, false},
		{bytecode.EBML, "00", 9, 9, false}, {bytecode.EBML, "40", 0, 0, true},
		{bytecode.BER, "81", 0, 0, true}, {bytecode.BER, "8201", 0, 0, true}, {bytecode.BER, "", 0, 0, true},
	} {
		var b []byte
		if _, err := fmt.Sscanf(c.bytes, "%x", &b); err != nil && c.bytes != "" {
			t.Fatal(err)
		}
		if _, n, least, ok := codedBits(c.coding, b); n != c.n || ok != c.ok || ok && least != c.least {
			t.Errorf("%s %s has %d bytes, %d at least, %t", c.coding, c.bytes, n, least, ok)
		}
	}
}

// TestUvarint compares unsigned numbers with those of package encoding/binary.
func TestUvarint(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 10000 {
		x := r.Uint64() >> r.IntN(64)
		b := AppendCoded(nil, bytecode.LEB128, x)
		if !bytes.Equal(b, binary.AppendUvarint(nil, x)) {
			t.Fatalf("%d is %x", x, b)
		}
		for i := range b {
			b[i] |= byte(r.IntN(8) / 7 << 7)
		}
		b = append(b, byte(r.Uint32()), byte(r.Uint32())&3)
		got, n, _, ok := codedBits(bytecode.LEB128, b)
		want, size := binary.Uvarint(b)
		if ok && (got != want || n != size) || !ok && size > 0 {
			t.Fatalf("%x is %d in %d bytes, %t; not %d in %d", b, got, n, ok, want, size)
		}
	}
}

// TestDigits holds which forms of a number in digits are read, alone and with other spaces and
// zero bytes.
func TestDigits(t *testing.T) {
	const wrong = math.MaxUint64
	for _, c := range []struct {
		kind       bytecode.Coding
		text, fill string
		side       builtin.Side
		exact, any uint64
	}{
		{bytecode.Octal, "0000644\x00", "\x00", "", 0o644, 0o644},
		{bytecode.Octal, "006416\x00 ", "\x00 ", "", 0o6416, 0o6416},
		{bytecode.Octal, "006416 \x00", "\x00 ", "", wrong, 0o6416},
		{bytecode.Octal, "   644 \x00", "\x00", "", wrong, 0o644},
		{bytecode.Octal, "00000644", "\x00", "", wrong, 0o644},
		{bytecode.Octal, "00000644", "", "", 0o644, 0o644},
		{bytecode.Octal, "\x00\x00\x00\x00", "\x00", "", wrong, 0},
		{bytecode.Octal, "    ", "", "", wrong, 0},
		{bytecode.Octal, " \x00 \x00", "", "", wrong, 0},
		{bytecode.Octal, "0008\x00", "\x00", "", wrong, wrong},
		{bytecode.Octal, "6 44\x00", "\x00", "", wrong, wrong},
		{bytecode.Octal, "\x0044\x00", "\x00", "", wrong, wrong},
		{bytecode.Octal, "\x80\x00\x00\x01", "", "", wrong, wrong},
		{bytecode.Octal, "-644\x00", "\x00", "", wrong, wrong},
		{bytecode.Octal, "1777777777777777777776", "", "", math.MaxUint64 - 1, math.MaxUint64 - 1},
		{bytecode.Octal, "2000000000000000000000", "", "", wrong, wrong},
		{bytecode.Decimal, "0089", "", "", 89, 89},
		{bytecode.Decimal, "89  ", "  ", "", 89, 89},
		{bytecode.Decimal, "89  ", "", "", wrong, 89},
		{bytecode.Decimal, "18446744073709551614", "", "", math.MaxUint64 - 1, math.MaxUint64 - 1},
		{bytecode.Decimal, "18446744073709551616", "", "", wrong, wrong},
		{bytecode.Decimal, "89  ", "", "left", 89, 89},
		{bytecode.Decimal, "089 ", "", "left", wrong, 89},
		{bytecode.Decimal, " 89 ", "", "left", wrong, 89},
		{bytecode.Decimal, "0   ", "", "left", 0, 0},
		{bytecode.Decimal, "00  ", "", "left", wrong, 0},
		{bytecode.Decimal, "    ", "", "left", wrong, 0},
		{bytecode.Decimal, "89\x00\x00", "", "left", wrong, 89},
		{bytecode.Octal, "64 \x00", "\x00", "left", 0o64, 0o64},
		{bytecode.Octal, "644\x00", "\x00", "left", 0o644, 0o644},
		{bytecode.Octal, "6444", "\x00", "left", wrong, 0o6444},
		{bytecode.Octal, " 64\x00", "\x00", "right", 0o64, 0o64},
		{bytecode.Octal, "064\x00", "\x00", "right", wrong, 0o64},
		{bytecode.Octal, "  0\x00", "\x00", "right", 0, 0},
		{bytecode.Octal, "   \x00", "\x00", "right", wrong, 0},
		{bytecode.Octal, "64 \x00", "\x00", "right", wrong, 0o64},
		{bytecode.Hex, "00ff", "", "", 0xff, 0xff},
		{bytecode.Hex, "00FF", "", "", wrong, 0xff},
		{bytecode.Hex, "00fg", "", "", wrong, wrong},
		{bytecode.Hex, "00f`", "", "", wrong, wrong},
		{bytecode.Hex, "a9 \x00", "\x00", "left", 0xa9, 0xa9},
		{bytecode.Hex, "fffffffffffffffe", "", "", math.MaxUint64 - 1, math.MaxUint64 - 1},
		{bytecode.Hex, "10000000000000000", "", "", wrong, wrong},
		{bytecode.HexUpper, "0AFF", "", "", 0xaff, 0xaff},
		{bytecode.HexUpper, "0aFF", "", "", wrong, 0xaff},
		{bytecode.HexUpper, "0A@F", "", "", wrong, wrong},
	} {
		coding, ok := builtin.InDigits(c.kind, len(c.text), c.fill)
		if !ok {
			t.Fatalf("%q with %q", c.text, c.fill)
		}
		coding = coding.At(c.side)
		n := coding.Digits()
		for _, any := range []bool{false, true} {
			want := c.exact
			if any {
				want = c.any
			}
			if x, ok := digitsIn(c.text, coding.Alphabet(), n, string(c.side), c.fill, any); ok != (want != wrong) || ok && x != want {
				t.Errorf("%s %q, any %t: %d, %t", coding, c.text, any, x, ok)
			}
		}
		if c.exact == wrong {
			continue
		}
		if b := string(AppendNumber(nil, coding, c.exact)); b != c.text {
			t.Errorf("%s of %d is %q, not %q", coding, c.exact, b, c.text)
		}
	}
}

// TestEndedDigits reads numbers in digits before a terminator, and writes those that are canonical.
func TestEndedDigits(t *testing.T) {
	decimal, _ := builtin.Ended(builtin.Decimal, ":")
	signed, _ := builtin.Ended(builtin.SDecimal, "\r\n")
	octal, _ := builtin.Ended(builtin.Octal, " ")
	hex, _ := builtin.Ended(builtin.Hex, "\r\n")
	upper, _ := builtin.Ended(builtin.HexUpper, "::")
	const malformed, unended, canonical, other = "malformed", "unended", "canonical", "other"
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for _, c := range []struct {
		coding bytecode.Coding
		text   string
		number int64
		n      int // bytes of the number, or those that show that it is malformed
		form   string
	}{
		{decimal, "0:", 0, 2, canonical}, {decimal, "12:7", 12, 3, canonical}, {decimal, "18446744073709551615:", -1, 21, canonical},
		{decimal, "18446744073709551616:", 0, 21, malformed}, {decimal, "012:", 12, 4, other}, {decimal, "00:", 0, 3, other},
		{decimal, zeros(30) + "7:", 7, 32, other}, {decimal, zeros(31) + "7:", 0, 32, malformed}, {decimal, zeros(31), 0, 0, unended},
		{decimal, "", 0, 0, unended}, {decimal, "1", 0, 0, unended}, {decimal, ":", 0, 1, malformed}, {decimal, "1;", 0, 2, malformed}, {decimal, "-1:", 0, 1, malformed},
		{decimal, "1a:", 0, 2, malformed},
		{signed, "-10\r\n", -10, 5, canonical}, {signed, "0\r\n", 0, 3, canonical}, {signed, "-0\r\n", 0, 4, other}, {signed, "-00\r\n", 0, 5, other},
		{signed, "-9223372036854775808\r\n", math.MinInt64, 22, canonical}, {signed, "9223372036854775807\r\n", math.MaxInt64, 21, canonical},
		{signed, "-9223372036854775809\r\n", 0, 22, malformed}, {signed, "9223372036854775808\r\n", 0, 21, malformed}, {signed, "-\r\n", 0, 3, malformed},
		{signed, "-", 0, 0, unended}, {signed, "--1\r\n", 0, 3, malformed}, {signed, "1\r", 0, 0, unended}, {signed, "1\n", 0, 2, malformed}, {signed, "1\r\r", 0, 3, malformed},
		{octal, "1777777777777777777777 ", -1, 23, canonical}, {octal, "2000000000000000000000 ", 0, 23, malformed}, {octal, "8 ", 0, 1, malformed},
		{hex, "1a\r\n", 26, 4, canonical}, {hex, "1A\r\n", 26, 4, other}, {upper, "1A::", 26, 4, canonical}, {upper, "1a::", 26, 4, other}, {upper, "g::", 0, 2, malformed},
	} {
		x, n, exact, ok := endedDigits(c.coding.Alphabet(), c.coding.End(), c.coding.Signed(), []byte(c.text))
		form := other
		switch {
		case !ok:
			form = malformed
		case n == 0:
			form = unended
		case exact:
			form = canonical
		}
		if int64(x) != c.number || n != c.n || form != c.form {
			t.Errorf("%s %q is %d in %d bytes, %s", c.coding, c.text, int64(x), n, form)
		}
		for _, longer := range []bool{false, true} {
			x, n, ok := ReadNumber(c.coding, longer, []byte(c.text))
			if want := c.form == canonical || longer && c.form == other; ok != want || ok && (int64(x) != c.number || n != c.n) {
				t.Errorf("%s %q is %d in %d bytes, %t", c.coding, c.text, int64(x), n, ok)
			}
		}
		if got := string(AppendNumber(nil, c.coding, uint64(c.number))); c.form == canonical && got != c.text[:c.n] {
			t.Errorf("%s of %d is %q, not %q", c.coding, c.number, got, c.text[:c.n])
		}
	}
}

// TestDigitsText holds how errors describe the digits of each alphabet and side.
func TestDigitsText(t *testing.T) {
	for _, c := range []struct {
		kind builtin.Coding
		side builtin.Side
		want string
	}{
		{builtin.Octal, builtin.NoSide, "7 octal digits"}, {builtin.Decimal, builtin.Left, "up to 8 decimal digits before spaces"},
		{builtin.Hex, builtin.Right, "up to 8 lowercase hexadecimal digits after spaces"}, {builtin.HexUpper, builtin.NoSide, "8 uppercase hexadecimal digits"},
	} {
		coding, _ := builtin.InDigits(c.kind, 8, c.kind.DefaultFill())
		if got := digitsText(coding.Alphabet(), coding.Digits(), string(c.side)); got != c.want {
			t.Errorf("%s, %q: %q, want %q", coding, c.side, got, c.want)
		}
	}
}
