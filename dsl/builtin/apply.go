package builtin

import (
	"math"
	"math/bits"
)

// Apply computes an operation on numbers. Division by zero gives 0; shifts are by the
// low 6 bits; conditions are 1 or 0. It reports whether the operation is one on numbers
// only: an operator, min or max.
func (o Op) Apply(a, b int64) (int64, bool) {
	truth := func(c bool) (int64, bool) {
		if c {
			return 1, true
		}
		return 0, true
	}
	switch o {
	case Add:
		return a + b, true
	case Sub:
		return a - b, true
	case Mul:
		return a * b, true
	case Div:
		if b == 0 {
			return 0, true
		}
		return a / b, true
	case Mod:
		if b == 0 {
			return 0, true
		}
		return a % b, true
	case And:
		return a & b, true
	case Xor:
		return a ^ b, true
	case Shl:
		return a << (uint64(b) & 63), true
	case Shr:
		return int64(uint64(a) >> (uint64(b) & 63)), true
	case Eq:
		return truth(a == b)
	case Ne:
		return truth(a != b)
	case Lt:
		return truth(a < b)
	case Le:
		return truth(a <= b)
	case Gt:
		return truth(a > b)
	case Ge:
		return truth(a >= b)
	case Both:
		return truth(a != 0 && b != 0)
	case Either:
		return truth(a != 0 || b != 0)
	case Neg:
		return -a, true
	case Not:
		return truth(a == 0)
	case Min:
		return min(a, b), true
	case Max:
		return max(a, b), true
	}
	return 0, false
}

// SaturatedAdd returns a + b, or the nearest number of 64 bits.
func SaturatedAdd(a, b int64) int64 {
	c := a + b
	if a > 0 && b > 0 && c < 0 {
		return math.MaxInt64
	}
	if a < 0 && b < 0 && c >= 0 {
		return math.MinInt64
	}
	return c
}

// SaturatedMul returns a * b, or the nearest number of 64 bits.
func SaturatedMul(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case (hi != 0 || lo > math.MaxInt64) && negative:
		return math.MinInt64
	case hi != 0 || lo > math.MaxInt64:
		return math.MaxInt64
	case negative:
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
