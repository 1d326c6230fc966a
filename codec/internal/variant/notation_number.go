// Decimal numbers that survive Godot's own reader.
//
// The engines of all versions read a decimal number with a routine that is not
// correctly rounded: of the shortest decimal numbers for doubles of everyday
// size more than a fifth come back one bit off. This file knows that routine,
// and looks for digits that it reads right and that a correct reader reads
// right as well.

package variant

import (
	"sort"
	"strconv"
)

// decimal is ±0.d1d2d3... × 10^exp in at most 18 digits.
type decimal struct {
	neg    bool
	digits [20]byte
	n      int
	exp    int
}

// newDecimal returns f, which is finite and not zero, in n digits. If n is -1 it takes as few
// as distinguish f from its neighbors.
func newDecimal(f float64, n, bitSize int) decimal {
	if n > 0 {
		n-- // digits after the first one
	}
	var buf [32]byte
	text := strconv.AppendFloat(buf[:0], f, 'e', n, bitSize)
	var d decimal
	for i, c := range text {
		switch {
		case c == '-':
			d.neg = true
		case c == 'e':
			e, _ := strconv.Atoi(string(text[i+1:]))
			d.exp = e + 1
			return d
		case c != '.':
			d.digits[d.n] = c
			d.n++
		}
	}
	return d // unreachable: a finite number has an exponent in this form
}

// appendDecimal writes d the way Godot 4 does: with an exponent only for
// numbers below 0.0001 and from 10^15 on. scientific asks for an exponent anyway.
func appendDecimal(dst []byte, d decimal, scientific bool) []byte {
	if d.neg {
		dst = append(dst, '-')
	}
	digits := d.digits[:d.n]
	if scientific || d.exp < -3 || d.exp > 15 {
		dst = append(dst, digits[0])
		if d.n > 1 {
			dst = append(dst, '.')
			dst = append(dst, digits[1:]...)
		}
		e := d.exp - 1
		dst = append(dst, 'e')
		if e < 0 {
			dst = append(dst, '-')
			e = -e
		} else {
			dst = append(dst, '+')
		}
		if e < 10 {
			dst = append(dst, '0')
		}
		return strconv.AppendInt(dst, int64(e), 10)
	}
	if d.exp <= 0 {
		dst = append(dst, "0."...)
		for range -d.exp {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	for i := range max(d.n, d.exp) {
		if i == d.exp {
			dst = append(dst, '.')
		}
		if i < d.n {
			dst = append(dst, digits[i])
		} else {
			dst = append(dst, '0')
		}
	}
	return dst
}

// AppendEngineDouble writes f, which is finite and not zero. The text always
// is f to a correct reader. If there are digits, at most 18, for which it is
// f to the engines as well, such digits are taken: the shortest form, 17, or 18.
func AppendEngineDouble(dst []byte, f float64) []byte {
	start := len(dst)
	try := func(d decimal, scientific bool) bool {
		dst = appendDecimal(dst[:start], d, scientific)
		return EngineNumber(dst[start:]) == f
	}
	shortest := newDecimal(f, -1, 64)
	if try(shortest, false) || try(shortest, true) {
		return dst
	}
	for n := 17; n <= 18; n++ {
		if d := newDecimal(f, n, 64); try(d, false) || try(d, true) {
			return dst
		}
	}
	// Walk from the 17 digits nearest to f outward, as far as they still mean f, then
	// from the 18. A number of 17 digits is not that of 18 with a zero at the end: the
	// engines take it times or through another power of ten.
	for n := 17; n <= 18; n++ {
		middle := newDecimal(f, n, 64)
		// Numbers that mean f are neighbors.
		most := func(sign int64) int64 {
			return int64(sort.Search(255, func(i int) bool {
				d, ok := middle.plus(sign * int64(i+1))
				return !ok || exactly(d) != f
			}))
		}
		up, down := most(1), most(-1)
		for step := int64(1); step <= max(up, down); step++ {
			if step <= up {
				if d, ok := middle.plus(step); ok && try(d, true) {
					return dst
				}
			}
			if step <= down {
				if d, ok := middle.plus(-step); ok && try(d, true) {
					return dst
				}
			}
		}
	}
	return appendDecimal(dst[:start], shortest, false)
}

// exactly returns what a correct reader reads a number as.
func exactly(d decimal) float64 {
	f, _ := strconv.ParseFloat(string(appendDecimal(nil, d, true)), 64)
	return f
}

// plus returns d with its last digit changed by step. ok is false if that would
// change the number of digits.
func (d decimal) plus(step int64) (sum decimal, ok bool) {
	m, _ := strconv.ParseInt(string(d.digits[:d.n]), 10, 64)
	digits := strconv.AppendInt(make([]byte, 0, 20), m+step, 10)
	if len(digits) != d.n {
		return d, false
	}
	copy(d.digits[:], digits)
	return d, true
}

// enginePowers are 10 to the powers of two.
var enginePowers = [...]float64{1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256}

// EngineNumber returns what the engines read a decimal number as. They look at
// its first 18 digits, leading zeros included, take the digits as a whole
// number in two halves of nine, and multiply or divide that, in double
// precision, by a power of ten put together from the powers above.
func EngineNumber(text []byte) float64 {
	neg := false
	if len(text) > 0 && text[0] == '-' {
		neg, text = true, text[1:]
	}
	digits, point := 0, -1
	var halves [2]float64 // the digits before the last nine, the last nine
	end := len(text)
	for i, c := range text {
		if c == '.' {
			point = digits
		} else if c >= '0' && c <= '9' {
			digits++
		} else {
			end = i
			break
		}
	}
	if point < 0 {
		point = digits
	}
	exp := point - min(digits, 18)
	left := min(digits, 18)
	for _, c := range text[:end] {
		if c == '.' || left == 0 {
			continue
		}
		half := 0
		if left <= 9 {
			half = 1
		}
		halves[half] = 10*halves[half] + float64(c-'0')
		left--
	}
	f := 1e9*halves[0] + halves[1]
	if end < len(text) {
		e, _ := strconv.Atoi(string(text[end+1:]))
		exp += e
	}
	power := 1.0
	size := min(max(exp, -exp), 511)
	for i := 0; size != 0; size >>= 1 {
		if size&1 != 0 {
			power *= enginePowers[i]
		}
		i++
	}
	if exp < 0 {
		f /= power
	} else {
		f *= power
	}
	if neg {
		return -f
	}
	return f
}
