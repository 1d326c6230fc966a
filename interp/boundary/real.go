package boundary

import "math"

// Real is a real number.
type Real struct {
	Name   string // short, of letters and digits
	About  string // what it is
	Bits   uint64 // in double precision
	Class  Class
	Common bool // a usual mistake: every suite has a case of it
}

// Float returns the number.
func (r Real) Float() float64 { return math.Float64frombits(r.Bits) }

// Single returns the bits of the number in single precision, and whether they are the same number. A
// NaN keeps its sign and the upper bits of its payload, and stays signaling.
func (r Real) Single() (bits uint32, exact bool) {
	f := r.Float()
	if f != f {
		bits = uint32(r.Bits>>63)<<31 | 0x7f800000 | uint32(r.Bits>>29)&0x7fffff
		return bits, uint64(bits>>31)<<63|0x7ff<<52|uint64(bits&0x7fffff)<<29 == r.Bits
	}
	return math.Float32bits(float32(f)), float64(float32(f)) == f
}

// Reals are the numbers around which a precision changes, and what has no literal in many notations.
var Reals = []Real{
	number(0, "0", "the number 0.0", Range).common(),
	number(1, "1", "the number 1.0, which is whole and yet no int", Whole).common(),
	number(math.Copysign(0, -1), "-0", "negative zero", Zero).common(),
	number(0.1, "0.1", "the number 0.1, which single precision does not hold", Width).common(),
	number(math.Inf(1), "inf", "infinity", Infinite).common(),
	number(math.Inf(-1), "-inf", "negative infinity", Infinite).common(),
	nan(0x7ff8000000000000, "nan", "the ordinary NaN", NaN).common(),
	nan(0x7ff8000000000001, "nan-payload", "a NaN with a payload", Payload).common(),
	nan(0x7ff8000020000000, "nan-payload-single", "a NaN with a payload that single precision holds", Payload),
	nan(0x7ff0000000000001, "nan-signaling", "a signaling NaN", Payload),
	nan(0x7ff0000020000000, "nan-signaling-single", "a signaling NaN of single precision", Payload),
	nan(0xfff8000000000000, "nan-negative", "a NaN with its sign set", Payload),
	number(math.MaxFloat32, "max-single", "the greatest number of single precision", Width).common(),
	number(2*math.MaxFloat32, "beyond-single", "twice the greatest number of single precision", Width).common(),
	number(0x1.ffffffp127, "rounds-to-inf", "a number that rounds to the infinity of single precision", Width),
	number(math.SmallestNonzeroFloat32, "min-single", "the least number of single precision above 0, a subnormal", Subnormal).common(),
	number(math.SmallestNonzeroFloat32/2, "below-single", "half the least number of single precision", Subnormal).common(),
	number(1<<24+1, "2^24+1", "the number 16777217, the first whole one that single precision does not hold", Width).common(),
	number(math.MaxFloat64, "max-double", "the greatest number of double precision", Range),
	number(math.SmallestNonzeroFloat64, "min-double", "the least number of double precision above 0, a subnormal", Subnormal).common(),
	number(1.0/3, "third", "a third", Width),
	number(-1, "-1", "the number -1.0", Range),
	number(0.5, "0.5", "a half", Range),
	number(-2.25, "-2.25", "the number -2.25, which every precision holds", Range),
	number(123456.789, "123456.789", "the number 123456.789", Width),
	nan(0x7fffffffffffffff, "nan-ones", "a NaN with all bits of its payload set", Payload),
	nan(0xffffffffffffffff, "nan-negative-ones", "a NaN with all bits set", Payload),
	number(-math.MaxFloat32, "-max-single", "the least number of single precision", Width),
	number(0x1.fffffe0000001p127, "above-single", "the number after the greatest of single precision", Width),
	number(0x1.fffffcp-127, "subnormal-single", "the greatest subnormal number of single precision", Subnormal),
	number(0x1p-126, "normal-single", "the least normal number of single precision", Subnormal),
	number(0x1.fffffffffffffp-150, "below-min-single", "the number before the least of single precision", Subnormal),
	number(0x1p-1022-math.SmallestNonzeroFloat64, "subnormal-double", "the greatest subnormal number of double precision", Subnormal),
	number(0x1p-1022, "normal-double", "the least normal number of double precision", Subnormal),
	number(-math.SmallestNonzeroFloat64, "-min-double", "the greatest number of double precision below 0, a subnormal", Subnormal),
	number(1+0x1p-52, "after-1", "the number after 1.0", Width),
	number(1<<24, "2^24", "the number 16777216, from which single precision holds even numbers only", Width),
	number(1<<24+2, "2^24+2", "the number 16777218", Width),
	number(1<<31, "2^31", "the number 2147483648, which 32 bits with a sign do not hold", Width),
	number(-1<<31, "-2^31", "the number -2147483648", Width),
	number(-1<<31-1, "-2^31-1", "the number -2147483649, which 32 bits do not hold", Width),
	number(1<<53, "2^53", "the number 2^53, from which double precision holds even numbers only", Double),
	number(1<<53+2, "2^53+2", "the number 2^53+2", Double),
	number(1<<63, "2^63", "the number 2^63, which 64 bits with a sign do not hold", Width),
	number(1e15, "1e15", "the number 10^15", Range),
	number(1e16, "1e16", "the number 10^16, which many notations write with an exponent", Range),
	number(1e300, "1e300", "the number 10^300", Range),
	number(1e-300, "1e-300", "the number 10^-300", Range),
	number(65504, "max-half", "the greatest number of half precision", Width),
	number(-65504, "-max-half", "the least number of half precision", Width),
	number(0x1p-24, "min-half", "the least number of half precision above 0, a subnormal", Subnormal),
	number(-0x1p-24, "-min-half", "the greatest number of half precision below 0, a subnormal", Subnormal),
	number(0x1.ff8p-15, "subnormal-half", "the greatest subnormal number of half precision", Subnormal),
	number(0x1p-14, "normal-half", "the least normal number of half precision", Subnormal),
}

// number returns a table entry for a number that is not a NaN.
func number(f float64, name, about string, c Class) Real {
	return nan(math.Float64bits(f), name, about, c)
}

// nan returns a table entry by its bits, of which a NaN has several.
func nan(bits uint64, name, about string, c Class) Real { return Real{name, about, bits, c, false} }

func (r Real) common() Real {
	r.Common = true
	return r
}
