package builtin

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestInvalid prints numbers that are no element of a table, as they may come from a damaged program.
func TestInvalid(t *testing.T) {
	for _, x := range []fmt.Stringer{Scalar(255), Checksum(255), Kind(255), Op(255), numCodings} {
		if x.String() != "invalid" {
			t.Errorf("%T %d is printed as %s", x, x, x)
		}
	}
	if c := numCodings; c.Base() != 0 || c.Scalar() != NoScalar || c.Width() != 0 {
		t.Errorf("an invalid coding has base %d, scalar %v and width %d", c.Base(), c.Scalar(), c.Width())
	}
}

// TestHeld compares the scalar that holds each scalar with its width and sort.
func TestHeld(t *testing.T) {
	for s := NoScalar + 1; s < numScalars; s++ {
		h := s.Held()
		if h.Width() < s.Width() || h.Signed() != s.Signed() || h.IsFloat() != s.IsFloat() || h.Held() != h || h.Odd() {
			t.Errorf("%v is held by %v", s, h)
		}
	}
}

func TestSaturatedMul(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct{ a, b, want int64 }{
		{0, least, 0}, {3, -4, -12}, {-3, -4, 12}, {1 << 40, 1 << 40, most}, {-1 << 40, 1 << 40, least}, {least, -1, most}, {least, 1, least},
		{most, 1, most}, {1 << 62, 2, most}, {1 << 62, -2, least}, {1 << 31, 1 << 31, 1 << 62},
	} {
		if got := SaturatedMul(c.a, c.b); got != c.want {
			t.Errorf("%d * %d = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestCodingBits compares the bits of numbers in digits with the highest number.
func TestCodingBits(t *testing.T) {
	for width, want := range map[int]int{1: 3, 2: 6, 3: 9, 10: 33, 19: 63, 20: 64, 31: 64} {
		c, ok := InDigits(Decimal, width, "")
		if got := c.Bits(); !ok || got != want {
			t.Errorf("%v has %d bits, want %d", c, got, want)
		}
	}
	if got := LEB128.Bits(); got != 64 {
		t.Errorf("leb128 has %d bits", got)
	}
}

// TestEnded holds which terminators are allowed after digits, and that a coding keeps them.
func TestEnded(t *testing.T) {
	for _, c := range []struct {
		kind   Coding
		end    string
		want   string
		scalar Scalar
	}{
		{Octal, "8", `octal[until "38"]`, U64}, {Decimal, ":", `decimal[until "3a"]`, U64}, {Decimal, "\r\n", `decimal[until "0d0a"]`, U64},
		{Decimal, "e0", `decimal[until "6530"]`, U64}, {Hex, "g", `hex[until "67"]`, U64}, {HexUpper, "\xff0", `HEX[until "ff30"]`, U64},
		{SDecimal, "\x00", `sdecimal[until "00"]`, I64}, {SDecimal, "\x00\x00", `sdecimal[until "0000"]`, I64},
		{Octal, "7", "", 0}, {Decimal, "9:", "", 0}, {SDecimal, "-", "", 0}, {Octal, "-", "", 0}, {Hex, "A", "", 0}, {HexUpper, "f", "", 0}, {Decimal, "", "", 0},
		{Decimal, "\r\n\r", "", 0}, {LEB128, ":", "", 0},
	} {
		e, ok := Ended(c.kind, c.end)
		if ok != (c.want != "") {
			t.Errorf("%s before %q: %t", c.kind, c.end, ok)
		}
		if !ok {
			continue
		}
		if e.String() != c.want || e.End() != c.end || e.Kind() != c.kind || e.Scalar() != c.scalar || e.Signed() != c.scalar.Signed() || !e.Valid() || !e.Varies() || e.InDigits() {
			t.Errorf("%s is %s before %q, of %s, valid: %t", c.want, e, e.End(), e.Scalar(), e.Valid())
		}
		if e.Least() != 1+len(c.end) || e.Width() != 0 || e.Fill() != "" || e.Side() != NoSide || e.Most() != math.MaxUint64 || e.Bits() != 64 {
			t.Errorf("%s has the width %d, at least %d, the fill %q, the side %q, and numbers up to %d of %d bits", e, e.Width(), e.Least(), e.Fill(), e.Side(), e.Most(), e.Bits())
		}
		sign := map[bool]int{true: 1}[c.kind == SDecimal]
		digits := map[uint64]int{8: 22, 10: 20 - sign, 16: 16}[c.kind.Base()]
		if any, own := e.Longest(true), e.Longest(false); any != sign+MaxDigits+len(c.end) || own != sign+digits+len(c.end) {
			t.Errorf("%s has %d bytes, as a writer writes it %d", e, any, own)
		}
	}
	wide, _ := InDigits(Octal, 8, "\x00")
	if wide.Longest(true) != 8 || LEB128.Longest(true) != MaxCoded || wide.End() != "" {
		t.Errorf("octal[8] has %d bytes, leb128 %d", wide.Longest(true), LEB128.Longest(true))
	}
	if _, ok := InDigits(SDecimal, 8, ""); ok {
		t.Error("signed digits have a constant width")
	}
	for _, c := range []Coding{LEB128 | endBit, Decimal | endBit | '-'<<endShift | noByte<<(endShift+8), Octal | 3<<sideShift | 8<<widthShift} {
		if c.Valid() {
			t.Errorf("%#x is valid, as %s", uint32(c), c)
		}
	}
}

func TestEditDistance(t *testing.T) {
	long := strings.Repeat("a", 64)
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 3, 0}, {"type", "tpye", 3, 1}, {"type", "typo", 3, 1}, {"type", "types", 3, 1}, {"type", "tp", 3, 2}, {"type", "abcd", 3, 3},
		{"a", "abcd", 3, 3}, {long, long, 3, 0}, {long, long + "a", 3, 3}, {long + "a", long, 3, 3},
	} {
		if got := EditDistance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q and %q differ by %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
