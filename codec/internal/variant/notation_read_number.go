// Reading Godot's notation: numbers, and what is made of them.

package variant

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// numberKind says what a number in a text is.
type numberKind uint8

const (
	isInt     numberKind = iota // bits are an int64
	isFloat                     // bits are a float64
	isSingle                    // bits are a float32: a NaN of which a note gave the bits
	isInvalid                   // none, the reader has failed
)

// number is one number of a text.
type number struct {
	bits uint64
	kind numberKind
}

func (n number) float() float64 {
	switch n.kind {
	case isInt:
		return float64(int64(n.bits))
	case isSingle:
		return float64(math.Float32frombits(uint32(n.bits)))
	}
	return math.Float64frombits(n.bits)
}

// number reads a number, inf, inf_neg or nan, a NaN with its note.
func (r *textReader) number() number {
	r.space()
	start := r.pos
	if r.pos < len(r.s) && r.s[r.pos] == '-' {
		r.pos++
	}
	if r.pos < len(r.s) && isLetter(r.s[r.pos]) {
		return r.special(start)
	}
	digits := func() int {
		from := r.pos
		for r.pos < len(r.s) && isDigit(r.s[r.pos]) {
			r.pos++
		}
		return r.pos - from
	}
	if digits() == 0 {
		r.pos = start
		r.fail(start, "there should be a number, not %s", r.found())
		return number{kind: isInvalid}
	}
	whole := true
	if r.pos < len(r.s) && r.s[r.pos] == '.' {
		whole = false
		r.pos++
		digits()
	}
	if r.pos < len(r.s) && (r.s[r.pos] == 'e' || r.s[r.pos] == 'E') {
		whole = false
		r.pos++
		if r.pos < len(r.s) && (r.s[r.pos] == '-' || r.s[r.pos] == '+') {
			r.pos++
		}
		if digits() == 0 {
			r.fail(start, "the exponent of %s has no digits; write them, or leave out the e", QuoteShort(r.s[start:r.pos]))
			return number{kind: isInvalid}
		}
	}
	if r.pos < len(r.s) && (isLetter(r.s[r.pos]) || r.s[r.pos] == '.') {
		hint := "; a number has at most one point and one exponent, and no sign of its type"
		if c := r.s[r.pos]; c == 'x' || c == 'X' {
			hint = "; hexadecimal numbers are no part of the notation (engines read 0), write it in decimal"
		} else if c == '_' {
			hint = "; write the digits without _"
		}
		r.fail(start, "after the number %s there is %s%s", QuoteShort(r.s[start:r.pos]), r.found(), hint)
		return number{kind: isInvalid}
	}
	if whole {
		i, err := strconv.ParseInt(r.s[start:r.pos], 10, 64)
		if err != nil {
			r.fail(start, "the int %s is outside of 64 bits; as a float it is written with .0 at its end", QuoteShort(r.s[start:r.pos]))
		}
		return number{uint64(i), isInt}
	}
	f, _ := strconv.ParseFloat(r.s[start:r.pos], 64) // too large is inf, as in the engines
	return number{math.Float64bits(f), isFloat}
}

// float returns a number as a float of the given tag.
func (r *textReader) float(start int, tag uint16, n number) interp.Value {
	if n.kind == isSingle {
		r.fail(start, "a float is of double precision; write the bits of the NaN in 16 digits")
	}
	return interp.MakeFloat(tag, n.float())
}

// special reads a number that is a name; start is where its sign is, if it has one.
func (r *textReader) special(start int) number {
	name := r.word()
	neg := r.s[start] == '-'
	f := math.Inf(1)
	switch {
	case name == "inf":
	case name == "inf_neg" && !neg:
		neg = true
	case name == "nan":
		f = math.Float64frombits(OrdinaryNaN64)
	default:
		r.pos = start
		r.fail(start, "there should be a number, not %s", QuoteShort(r.s[start:start+len(name)]))
		return number{kind: isInvalid}
	}
	if neg {
		f = -f
	}
	if strings.HasPrefix(r.s[r.pos:], ".0") { // Godot 3.2 writes inf.0
		r.pos += 2
	}
	if name == "nan" {
		at := r.pos
		if bits, ok := r.note("bits="); ok {
			u, err := strconv.ParseUint(bits, 16, 64)
			n := number{u, isFloat}
			if len(bits) == 8 {
				n.kind = isSingle
			}
			if err != nil || len(bits) != 8 && len(bits) != 16 || n.float() == n.float() {
				r.fail(at, "%s are not the bits of a NaN; write 8 hexadecimal digits for single precision, 16 for double", QuoteShort(bits))
			}
			return n
		}
	}
	return number{math.Float64bits(f), isFloat}
}

// color reads a color in the notation of web pages.
func (r *textReader) color() interp.Value {
	start := r.pos
	r.pos++
	for r.pos < len(r.s) && hexDigit(r.s[r.pos]) >= 0 {
		r.pos++
	}
	digits := r.s[start+1 : r.pos]
	lanes := [4]float32{3: 1}
	switch len(digits) {
	case 3, 4:
		for i := range digits {
			lanes[i] = float32(hexDigit(digits[i])) / 15
		}
	case 6, 8:
		for i := 0; i < len(digits); i += 2 {
			lanes[i/2] = float32(hexDigit(digits[i])<<4|hexDigit(digits[i+1])) / 255
		}
	default:
		r.fail(start, "a color after # has 3, 4, 6 or 8 hexadecimal digits, not %d", len(digits))
	}
	return makeColor(lanes)
}

// numeric reads a math type or a packed array of numbers, with its note.
func (r *textReader) numeric(t Type, name string) interp.Value {
	l := LayoutOf(t)
	start := r.pos
	r.expect('(', name)
	r.space()
	if t == PackedByteArray && r.pos < len(r.s) && r.s[r.pos] == '"' {
		at := r.pos
		b, err := base64.StdEncoding.DecodeString(r.quoted())
		if err != nil && r.err == nil {
			r.fail(at, "the text is no base64 with padding: %v", err)
		}
		r.expect(')', name)
		return interp.MakePacked(uint16(t), bytecode.U8, 1, b).WithWide(r.wide())
	}
	if t == ColorType && r.pos < len(r.s) && r.s[r.pos] == '"' {
		r.fail(r.pos, "Color takes four numbers here; a color in hexadecimal digits is written #ff8800")
	}
	var numbers []number
	if !r.take(')') {
		for r.err == nil {
			numbers = append(numbers, r.number())
			if !r.take(',') {
				r.expect(')', "after a number "+name)
				break
			}
		}
	}
	wide := r.wide()
	if r.err != nil {
		return interp.Value{}
	}
	if !l.Packed() && len(numbers) != l.Lanes {
		r.fail(start, "%s is made of %d numbers, not %d", name, l.Lanes, len(numbers))
	}
	if len(numbers)%l.Lanes != 0 {
		r.fail(start, "%s takes %d numbers for each element, and %d are left over", name, l.Lanes, len(numbers)%l.Lanes)
	}
	scalar := l.Scalar
	if wide && l.Real {
		scalar = bytecode.F64
	}
	b := r.pack(start, name, scalar, numbers)
	if l.Packed() {
		return interp.MakePacked(uint16(t), scalar, l.Lanes, b).WithWide(wide)
	}
	return interp.MakeLanes(uint16(t), scalar, b).WithWide(wide)
}

// pack returns numbers as little-endian scalars. Ints that are too large lose
// their upper bits and fractions are cut off, as in the engines.
func (r *textReader) pack(start int, name string, scalar bytecode.Scalar, numbers []number) []byte {
	b := make([]byte, 0, len(numbers)*scalar.Width())
	for i, n := range numbers {
		if !scalar.IsFloat() && n.kind != isInt {
			whole := math.Trunc(n.float())
			limit := float64(1 << 31)
			if scalar.Width() == 8 {
				limit = 1 << 63
			}
			if !(whole >= -limit && whole < limit) {
				r.fail(start, "number %d of %s is %v, which is no %d-bit integer", i+1, name, n.float(), 8*scalar.Width())
				return nil
			}
			n = number{uint64(int64(whole)), isInt}
		}
		switch scalar {
		case bytecode.F32, bytecode.F16:
			var f float32
			switch n.kind {
			case isInt:
				f = single(int64(n.bits))
			case isSingle:
				f = math.Float32frombits(uint32(n.bits))
			default:
				f = float32(n.float())
				if f != f {
					f = math.Float32frombits(OrdinaryNaN32 | uint32(n.bits>>32)&(1<<31))
				}
				if f != f && n.bits != OrdinaryNaN64 && n.bits != 1<<63|OrdinaryNaN64 {
					r.fail(start, "number %d of %s has the bits of a NaN of double precision; single precision has 8 digits", i+1, name)
					return nil
				}
			}
			if scalar == bytecode.F32 {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
				break
			}
			half, ok := interp.HalfOfSingle(math.Float32bits(f))
			if !ok {
				r.fail(start, "number %d of %s is %v, which f16 does not hold exactly", i+1, name, n.float())
				return nil
			}
			b = binary.LittleEndian.AppendUint16(b, half)
		case bytecode.F64:
			if n.kind == isSingle {
				r.fail(start, "number %d of %s has the bits of a NaN of single precision; double precision has 16 digits", i+1, name)
				return nil
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(n.float()))
		default:
			for range scalar.Width() {
				b = append(b, byte(n.bits))
				n.bits >>= 8
			}
		}
	}
	return b
}

// single is the single nearest to i. The conversion in one step is a bit off on
// some machines of 32 bits. In two steps it is right where a double holds i, and
// for larger numbers when the bits that a double has no room for leave their mark
// in its last one.
func single(i int64) float32 {
	if -1<<53 <= i && i <= 1<<53 {
		return float32(float64(i))
	}
	high := i >> 11
	if i&(1<<11-1) != 0 {
		high |= 1
	}
	return float32(float64(high) * (1 << 11))
}
