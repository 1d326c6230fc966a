package boundary

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Integer is a whole number.
type Integer struct {
	Number uint64 // in two's complement of 64 bits
	Class  Class
	Common bool // a usual mistake: every suite has a case of it
}

// Integers returns the numbers around which an integer scalar changes, each one once. Some are
// outside of what the scalar holds.
func Integers(s builtin.Scalar) []Integer {
	var all []Integer
	add := func(class Class, common bool, numbers ...uint64) {
		for _, n := range numbers {
			if !slices.ContainsFunc(all, func(x Integer) bool { return x.Number == n }) {
				all = append(all, Integer{n, class, common})
			}
		}
	}
	bits := 8 * s.Width()
	half := uint64(1) << (bits - 1)
	top := half<<1 - 1 // all bits of the scalar
	add(Range, true, 0)
	add(Range, false, 1)
	if s.Signed() {
		add(Range, true, ^uint64(0))
		add(Width, true, -half, half-1, half, -half-1)
		add(Range, false, ^uint64(1), -half+1)
	} else {
		add(Width, true, top, top+1)
		add(Sign, false, half-1)
		add(Sign, true, half)
	}
	add(Range, false, 2, half+1)
	add(Width, true, top) // of the other sign
	add(Width, false, top+1, top+2)
	if bits == 64 {
		add(Width, false, 1<<31, 1<<32)
		add(Width, true, 1<<32-1)
		add(Double, false, 1<<53)
		add(Double, true, 1<<53+1)
		if s.Signed() {
			add(Double, false, ^uint64(1<<53)) // -(2^53+1)
		}
	}
	add(Order, false, 0x0102030405060708>>(64-bits))
	return all
}

// ended returns the least number of each number of digits above 1, and the negatives of signed ones.
func ended(c builtin.Coding, signed bool) (out []uint64) {
	most := c.Most()
	if signed {
		most = math.MaxInt64
	}
	for n := c.Base(); ; n *= c.Base() {
		if out = append(out, n); signed {
			out = append(out, -n)
		}
		if n > most/c.Base() {
			return out
		}
	}
}

// Coded returns boundaries of numbers with a coding. They are the least number of each width above 1 byte, and the
// numbers around the most that digits hold. A coding of fixed width has no such numbers.
func Coded(c builtin.Coding, signed bool) []uint64 {
	switch {
	case c == builtin.Fixed:
		return nil
	case c.InDigits() && c.Holds(^uint64(0)):
		return []uint64{^uint64(0)}
	case c.InDigits():
		return []uint64{c.Most() / c.Base(), c.Most(), c.Most() + 1}
	case c.End() != "":
		return ended(c, signed)
	}
	var out []uint64
	switch c {
	case builtin.QUIC:
		return []uint64{1 << 6, 1 << 14, 1 << 30, c.Most(), c.Most() + 1}
	case builtin.CompactSize:
		return []uint64{0xfd, 1 << 16, 1 << 32}
	case builtin.EBML:
		for n := range 7 {
			out = append(out, 1<<(7*(n+1))-1)
		}
		return append(out, c.Most(), c.Most()+1)
	case builtin.BER:
		out = append(out, 1<<7)
		for n := range 7 {
			out = append(out, 1<<(8*(n+1)))
		}
		return out
	}
	for n := range builtin.MaxCoded - 1 {
		bit := 7 * (n + 1)
		if signed {
			bit--
		}
		out = append(out, 1<<bit)
	}
	return out
}
