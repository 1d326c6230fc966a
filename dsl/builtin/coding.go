// Codings: numbers whose width on the wire depends on the number, and numbers in digits.

package builtin

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Coding is the way in which a number is written in bytes. Its lowest 4 bits are its kind.
// Numbers of a varying width have 64 bits and take 1 to MaxCoded bytes. Those in digits have
// a width, a fill and a side in the bits above the kind; see [InDigits]. Digits before a
// terminator have it in these bits instead, and their number has a varying width; see [Ended].
// So a coding is complete without a program, and an operand of an instruction holds it.
type Coding uint32

// The kinds of codings. Order matters only in that it is saved in program files.
const (
	Fixed       Coding = iota // the bytes of its scalar
	LEB128                    // groups of 7 bits, the lowest first
	SLEB128                   // as LEB128; the highest bit of the last group is the sign
	Zigzag                    // LEB128 of 2n for n of 0 or more, and of -2n-1 for others
	VLQ                       // groups of 7 bits, the highest first
	Octal                     // digits 0 to 7 as text
	Decimal                   // digits 0 to 9 as text
	BER                       // below 128 a byte; else 128 plus the number of bytes after it, the highest first
	Hex                       // digits 0 to 9 and a to f as text
	HexUpper                  // digits 0 to 9 and A to F as text
	QUIC                      // the two highest bits are the number of bytes, the highest first
	CompactSize               // below 253 a byte; else 253 to 255 before 2, 4 or 8 bytes, the lowest first
	EBML                      // the highest bit that is set is the number of bytes, the highest first
	SDecimal                  // a sign and digits 0 to 9 as text, before a terminator
	numCodings
)

// MaxCoded is the most bytes of a number of varying width that has no terminator; see [Coding.Longest].
const MaxCoded = 10

// MaxEnd is the most bytes of a terminator after digits.
const MaxEnd = 2

// Limits of numbers in digits: bytes of a number, and those of them after its digits.
const (
	MaxDigits     = 31
	MaxDigitsFill = 3
)

// Side is the end of a row that digits are at, without zeros before them. Spaces are in place of
// the other digits.
type Side string

// The sides. Without one, zeros are before the digits.
const (
	NoSide Side = ""
	Left   Side = "left"
	Right  Side = "right"
)

// Sides are all sides.
var Sides = [...]Side{NoSide, Left, Right}

// The bits of a coding of numbers in digits. In order, they are the kind, the bytes of the number,
// its bytes after the digits, a bit for each of those that is a space, and the side of the digits.
const (
	kindBits, widthBits, fillBits, sideBits = 4, 5, 2, 2

	widthShift = kindBits
	fillShift  = widthShift + widthBits
	spaceShift = fillShift + fillBits
	sideShift  = spaceShift + MaxDigitsFill
)

// The bits of a coding of digits before a terminator. In order, they are the kind, the last byte of
// the terminator, the byte before it, and the highest bit. A terminator of one byte has noByte
// before it, a digit, with which no terminator begins.
const (
	endShift = kindBits
	endBits  = 8 * MaxEnd
	endBit   = 1 << (endShift + endBits)
	noByte   = '0'
)

// CodingBits is the number of bits of a coding.
const CodingBits = endShift + endBits + 1

var codings = [numCodings]struct {
	name   string
	scalar Scalar // of its numbers; NoScalar if it depends on the width
	digits string // from 0 on
	fill   string // after digits unless a row says otherwise
	most   uint64 // the highest number, 0 if it is that of 64 bits or of digits
	doc    string
}{
	Fixed:       {name: "fixed"},
	LEB128:      {name: "leb128", scalar: U64, doc: "unsigned integer of at most 64 bits in groups of 7 bits, the lowest first; 1 to 10 bytes"},
	SLEB128:     {name: "sleb128", scalar: I64, doc: "signed integer of at most 64 bits in groups of 7 bits, the lowest first; 1 to 10 bytes"},
	Zigzag:      {name: "zigzag", scalar: I64, doc: "signed integer of at most 64 bits, as leb128 of 2n, or of -2n-1 if n is negative; 1 to 10 bytes"},
	VLQ:         {name: "vlq", scalar: U64, doc: "unsigned integer of at most 64 bits in groups of 7 bits, the highest first; 1 to 10 bytes"},
	Octal:       {name: "octal", digits: "01234567", fill: "\x00", doc: "unsigned integer of at most 64 bits in octal digits, of the number of bytes in brackets, or up to the terminator in them; a zero byte ends those of a number of bytes, or what `fill` says"},
	Decimal:     {name: "decimal", digits: "0123456789", doc: "unsigned integer of at most 64 bits in decimal digits, of the number of bytes in brackets, or up to the terminator in them; `fill` gives bytes after those of a number of bytes"},
	BER:         {name: "ber", scalar: U64, doc: "unsigned integer of at most 64 bits as a length of ASN.1: a byte below 128, or 128 plus the number of bytes after it, the highest first; 1 to 10 bytes"},
	Hex:         {name: "hex", digits: "0123456789abcdef", doc: "unsigned integer of at most 64 bits in hexadecimal digits with small letters, of the number of bytes in brackets, or up to the terminator in them; `fill` gives bytes after those of a number of bytes"},
	HexUpper:    {name: "HEX", digits: "0123456789ABCDEF", doc: "unsigned integer of at most 64 bits in hexadecimal digits with capital letters, of the number of bytes in brackets, or up to the terminator in them; `fill` gives bytes after those of a number of bytes"},
	QUIC:        {name: "quic", scalar: U64, most: 1<<62 - 1, doc: "unsigned integer of at most 62 bits as in QUIC: 1, 2, 4 or 8 bytes, the highest first, of which the two highest bits are the number of bytes"},
	CompactSize: {name: "compactsize", scalar: U64, doc: "unsigned integer of at most 64 bits as in Bitcoin: a byte below 253, or 253, 254 or 255 and 2, 4 or 8 bytes, the lowest first"},
	SDecimal:    {name: "sdecimal", digits: "0123456789", doc: "signed integer of at most 64 bits in decimal digits after a minus sign if it is negative, up to the terminator in brackets"},
	EBML:        {name: "ebml", scalar: U64, most: 1<<56 - 2, doc: "unsigned integer of at most 56 bits as in EBML and Matroska: 1 to 8 bytes, the highest first, of which the highest bit that is set is the number of bytes"},
}

// Kind returns the coding without the width, the fill and the side of numbers in digits.
func (c Coding) Kind() Coding { return c & (1<<kindBits - 1) }

// Valid reports whether c is one of the declared codings, and has a width if it is in digits.
func (c Coding) Valid() bool {
	k := c.Kind()
	if end := c.End(); end != "" {
		own, ok := Ended(k, end)
		return ok && own == c
	}
	if k >= numCodings || codings[k].digits == "" {
		return k < numCodings && c == k
	}
	if c>>sideShift >= Coding(len(Sides)) {
		return false
	}
	side := int(c >> sideShift)
	own, ok := InDigits(k, c.Width(), c.Fill())
	return ok && own.At(Sides[side]) == c
}

// Varies reports whether the width of numbers depends on the number.
func (c Coding) Varies() bool {
	k := c.Kind()
	return k < numCodings && (codings[k].scalar.Valid() || c.End() != "")
}

// Ended returns the coding of numbers in digits before a terminator. It is not ok if the terminator
// has no bytes or more than MaxEnd, or begins with a digit of the base, in either case, or a sign.
func Ended(kind Coding, end string) (c Coding, ok bool) {
	if end == "" || len(end) > MaxEnd || kind.Alphabet() == "" || end[0] == '-' || strings.Contains(kind.Alphabet(), end[:1]) ||
		kind.Base() == 16 && strings.Contains(Hex.Alphabet()+HexUpper.Alphabet(), end[:1]) {
		return kind, false
	}
	c = kind | endBit | Coding(end[len(end)-1])<<endShift
	if len(end) == MaxEnd {
		return c | Coding(end[0])<<(endShift+8), true
	}
	return c | noByte<<(endShift+8), true
}

// End returns the terminator after digits, "" if numbers have none.
func (c Coding) End() string {
	if c&endBit == 0 {
		return ""
	}
	first, last := byte(c>>(endShift+8)), byte(c>>endShift)
	if first == noByte {
		return string([]byte{last})
	}
	return string([]byte{first, last})
}

// Signed reports whether numbers have a sign.
func (c Coding) Signed() bool { return c.Scalar().Signed() }

// InDigits returns the coding of unsigned numbers in digits, which take a number of bytes. The last of
// these are the fill: zero bytes and spaces. It is not ok if the width is out of range, no
// digit is left, or the fill has other bytes or more than MaxDigitsFill.
func InDigits(kind Coding, width int, fill string) (c Coding, ok bool) {
	if kind == SDecimal || width < 1 || width > MaxDigits || len(fill) >= width || len(fill) > MaxDigitsFill || strings.Trim(fill, "\x00 ") != "" {
		return kind, false
	}
	c = kind | Coding(width)<<widthShift | Coding(len(fill))<<fillShift
	for i := range len(fill) {
		if fill[i] == ' ' {
			c |= 1 << (spaceShift + i)
		}
	}
	return c, true
}

// At returns the coding with its digits at a side.
func (c Coding) At(side Side) Coding {
	return c&(1<<sideShift-1) | Coding(slices.Index(Sides[:], side))<<sideShift
}

// Side returns the side that digits are at.
func (c Coding) Side() Side {
	if c.End() != "" {
		return NoSide
	}
	return Sides[c>>sideShift]
}

// Alphabet returns the digits from 0 on, "" if numbers are not in digits.
func (c Coding) Alphabet() string {
	if k := c.Kind(); k < numCodings {
		return codings[k].digits
	}
	return ""
}

// Base returns the base of digits, 0 if numbers are not in digits.
func (c Coding) Base() uint64 { return uint64(len(c.Alphabet())) }

// InDigits reports whether numbers are written in digits without a terminator.
func (c Coding) InDigits() bool { return c.Alphabet() != "" && c.End() == "" }

// Width returns the bytes of numbers of a constant width in digits, 0 of others.
func (c Coding) Width() int {
	if c.End() != "" {
		return 0
	}
	return int(c >> widthShift & (1<<widthBits - 1))
}

// Least returns the fewest bytes of a number of a coding.
func (c Coding) Least() int {
	if end := c.End(); end != "" {
		return 1 + len(end)
	}
	return max(1, c.Width())
}

// Longest returns the most bytes of a number of a coding. With longer it is in a form that a writer does not write.
func (c Coding) Longest(longer bool) int {
	switch end := c.End(); {
	case end != "" && c.Signed() && longer:
		return 1 + MaxDigits + len(end)
	case end != "" && longer:
		return MaxDigits + len(end)
	case end != "" && c.Signed():
		return len(strconv.FormatInt(math.MinInt64, 10)) + len(end)
	case end != "":
		return len(strconv.FormatUint(math.MaxUint64, int(c.Base()))) + len(end)
	case c.Varies():
		return MaxCoded
	}
	return c.Width()
}

// Fill returns the bytes after the digits of a number of a constant width.
func (c Coding) Fill() string {
	if c.End() != "" {
		return ""
	}
	b := make([]byte, c>>fillShift&(1<<fillBits-1))
	for i := range b {
		if c>>(spaceShift+i)&1 != 0 {
			b[i] = ' '
		}
	}
	return string(b)
}

// Digits returns the number of digits.
func (c Coding) Digits() int { return c.Width() - len(c.Fill()) }

// Most returns the highest number of a coding of unsigned numbers.
func (c Coding) Most() uint64 {
	most := uint64(0)
	if !c.InDigits() {
		if k := c.Kind(); k < numCodings && codings[k].most > 0 {
			return codings[k].most
		}
		return math.MaxUint64
	}
	for range c.Digits() {
		high, low := bits.Mul64(most, c.Base())
		sum, carry := bits.Add64(low, c.Base()-1, 0)
		if high+carry != 0 {
			return math.MaxUint64
		}
		most = sum
	}
	return most
}

// Bits returns how many bits every number of that many bits has digits for.
func (c Coding) Bits() int {
	most := c.Most()
	if most == math.MaxUint64 {
		return 64
	}
	return bits.Len64(most+1) - 1
}

// Holds reports whether a coding holds a number.
func (c Coding) Holds(x uint64) bool { return x <= c.Most() }

// String returns the type as schemas write it. It includes the width or the terminator, and leaves out the fill and the
// side.
func (c Coding) String() string {
	k := c.Kind()
	if k >= numCodings {
		return "invalid"
	}
	if end := c.End(); end != "" {
		return fmt.Sprintf("%s[until \"%x\"]", codings[k].name, end)
	}
	if c.Width() > 0 {
		return fmt.Sprintf("%s[%d]", codings[k].name, c.Width())
	}
	return codings[k].name
}

// DefaultFill returns the bytes after the digits of a number unless a row says otherwise.
func (c Coding) DefaultFill() string { return codings[c.Kind()].fill }

// Scalar returns the scalar of the numbers of a coding. For numbers in digits it is the
// smallest that holds them, for Fixed it is NoScalar.
func (c Coding) Scalar() Scalar {
	switch k := c.Kind(); {
	case k >= numCodings:
		return NoScalar
	case k == SDecimal:
		return I64
	case c.End() != "":
		return U64
	case !c.InDigits():
		return codings[k].scalar
	}
	for _, s := range []Scalar{U8, U16, U32} {
		if c.Most()>>(8*s.Width()) == 0 {
			return s
		}
	}
	return U64
}

// Codings returns every coding of varying width without a terminator in the order of their numbers.
func Codings() []Coding { return []Coding{LEB128, SLEB128, Zigzag, VLQ, BER, QUIC, CompactSize, EBML} }

// DigitCodings returns the kinds of codings in digits that have a constant width or a terminator.
func DigitCodings() []Coding { return []Coding{Octal, Decimal, Hex, HexUpper} }

// EndedCodings returns the kinds of codings in digits that have a terminator.
func EndedCodings() []Coding { return append(DigitCodings(), SDecimal) }
