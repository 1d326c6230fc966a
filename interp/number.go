// Numbers: their bits in the bytes of a format, in values, and in the registers of a
// program.

package interp

import (
	"encoding/binary"
	"math"

	"github.com/octable/octable/compile/bytecode"
)

// scalarBits returns the scalar at the beginning of b as 64 bits; a signed one is
// sign-extended.
func scalarBits(s bytecode.Scalar, b []byte, big bool) uint64 {
	var bits uint64
	switch swap := big && s != bytecode.Code4; s.Width() {
	case 1:
		bits = uint64(b[0])
	case 2:
		if bits = uint64(binary.LittleEndian.Uint16(b)); swap {
			bits = uint64(binary.BigEndian.Uint16(b))
		}
	case 4:
		if bits = uint64(binary.LittleEndian.Uint32(b)); swap {
			bits = uint64(binary.BigEndian.Uint32(b))
		}
	case 8:
		if bits = binary.LittleEndian.Uint64(b); swap {
			bits = binary.BigEndian.Uint64(b)
		}
	default:
		bits = joined(b[:s.Width()], swap)
	}
	return uint64(signExtended(s, bits))
}

// signExtended returns the bits of a scalar as a signed integer.
func signExtended(s bytecode.Scalar, bits uint64) int64 {
	switch s {
	case bytecode.I8:
		return int64(int8(bits))
	case bytecode.I16:
		return int64(int16(bits))
	case bytecode.I32:
		return int64(int32(bits))
	case bytecode.I24, bytecode.I40, bytecode.I48, bytecode.I56:
		return int64(bits<<(64-8*s.Width())) >> (64 - 8*s.Width())
	}
	return int64(bits)
}

// joined returns the number in the bytes of b, of which the first is the highest if big is
// true.
func joined(b []byte, big bool) (bits uint64) {
	for i, x := range b {
		if big {
			bits = bits<<8 | uint64(x)
		} else {
			bits |= uint64(x) << (8 * i)
		}
	}
	return bits
}

// scalarValue returns a scalar, as scalarBits reads it, as a value.
func scalarValue(s bytecode.Scalar, bits uint64) Value {
	v := Value{kind: Uint, form: uint8(s), u: bits}
	switch {
	case s.IsFloat():
		v.kind, v.u = Float, math.Float64bits(RealOf(s, bits))
	case s.Signed():
		v.kind = Int
	}
	return v
}

// appendScalar appends a number in the order of the format.
func appendScalar(out []byte, s bytecode.Scalar, bits uint64, big bool) []byte {
	swap, width := big && s != bytecode.Code4, s.Width()
	switch width {
	case 1:
		return append(out, byte(bits))
	case 2:
		if swap {
			return binary.BigEndian.AppendUint16(out, uint16(bits))
		}
		return binary.LittleEndian.AppendUint16(out, uint16(bits))
	case 4:
		if swap {
			return binary.BigEndian.AppendUint32(out, uint32(bits))
		}
		return binary.LittleEndian.AppendUint32(out, uint32(bits))
	case 8:
		if swap {
			return binary.BigEndian.AppendUint64(out, bits)
		}
		return binary.LittleEndian.AppendUint64(out, bits)
	}
	for i := range width {
		if swap {
			i = width - 1 - i
		}
		out = append(out, byte(bits>>(8*i)))
	}
	return out
}

// inOrder returns numbers of a scalar in the order of the format as little-endian ones,
// or inverted. It returns b itself if both orders are the same.
func inOrder(s bytecode.Scalar, b []byte, big bool) []byte {
	if !big || s.Width() == 1 || s == bytecode.Code4 {
		return b
	}
	return swapped(b, s.Width())
}

// swapped returns numbers of w bytes with the bytes of each in reverse order.
func swapped(b []byte, w int) []byte {
	out := make([]byte, len(b))
	for i := 0; i+w <= len(b); i += w {
		for k := range w {
			out[i+k] = b[i+w-1-k]
		}
	}
	return out
}

// fits reports whether a number, as an expression computes it, fits a scalar.
func fits(s bytecode.Scalar, x int64) bool {
	bits := 8 * s.Width()
	switch {
	case bits == 64:
		return true
	case s.Signed():
		return x >= -1<<(bits-1) && x < 1<<(bits-1)
	}
	return uint64(x)>>bits == 0
}

// outside reports whether a scalar cannot hold a number exactly.
func outside(v Value, s bytecode.Scalar) bool {
	if v.kind == Float {
		f := v.Float()
		if s == bytecode.F16 {
			half, ok := narrowHalf(f)
			return !ok || math.Float64bits(widenHalf(half)) != v.u
		}
		return s == bytecode.F32 && float64(float32(f)) != f
	}
	bits := 8 * s.Width()
	switch {
	case v.kind != Int && v.kind != Uint && v.kind != Bool:
		return false // not one number
	case bits == 64 && s.Signed():
		return v.kind == Uint && v.u > math.MaxInt64
	case bits == 64:
		return v.kind == Int && int64(v.u) < 0
	case s.Signed() && v.kind != Uint:
		i := int64(v.u)
		return i < -1<<(bits-1) || i >= 1<<(bits-1)
	case s.Signed():
		return v.u>>(bits-1) != 0
	}
	return v.u>>bits != 0 // a negative Int has its highest bit set
}

// widen converts a single to a double. The payload of a NaN is kept and made
// quiet, as the processors do that engines run on.
func widen(bits uint32) float64 {
	f := math.Float32frombits(bits)
	if f != f {
		return math.Float64frombits(uint64(bits>>31)<<63 | 0x7ff8<<48 | uint64(bits&0x7fffff)<<29)
	}
	return float64(f)
}

// narrow converts a double to a single, keeping what fits of a NaN's payload.
func narrow(f float64) uint32 {
	if f != f {
		bits := math.Float64bits(f)
		return uint32(bits>>63)<<31 | 0x7fc00000 | uint32(bits>>29)&0x7fffff
	}
	return math.Float32bits(float32(f))
}

// RealOf returns the real number that the bits of a scalar represent.
func RealOf(s bytecode.Scalar, bits uint64) float64 {
	switch s {
	case bytecode.F32:
		return widen(uint32(bits))
	case bytecode.F16:
		return widenHalf(uint16(bits))
	}
	return math.Float64frombits(bits)
}

// BitsOf returns the bits of a real number in a scalar, to which single precision rounds.
// It reports whether a number of 16 bits holds it.
func BitsOf(s bytecode.Scalar, f float64) (bits uint64, ok bool) {
	switch s {
	case bytecode.F32:
		return uint64(narrow(f)), true
	case bytecode.F16:
		half, ok := narrowHalf(f)
		return uint64(half), ok
	}
	return math.Float64bits(f), true
}

// widenHalf converts a number of 16 bits to a double. The payload of a NaN is kept and
// made quiet.
func widenHalf(bits uint16) float64 {
	sign, exponent, fraction := uint64(bits>>15)<<63, uint64(bits>>10&0x1f), uint64(bits&0x3ff)
	switch {
	case exponent == 0:
		return math.Float64frombits(sign | math.Float64bits(float64(fraction)*0x1p-24))
	case exponent == 0x1f && fraction != 0:
		return math.Float64frombits(sign | 0x7ff8<<48 | fraction<<42)
	case exponent == 0x1f:
		return math.Float64frombits(sign | 0x7ff<<52)
	}
	return math.Float64frombits(sign | (exponent+1023-15)<<52 | fraction<<42)
}

// narrowHalf converts a double to a number of 16 bits, keeping what fits of a NaN's
// payload. It reports whether the 16 bits hold the number.
func narrowHalf(f float64) (bits uint16, ok bool) {
	double := math.Float64bits(f)
	sign, exponent, fraction := uint16(double>>63)<<15, int(double>>52&0x7ff)-1023+15, double&(1<<52-1)
	switch {
	case f != f:
		return sign | 0x7e00 | uint16(fraction>>42), true
	case math.IsInf(f, 0):
		return sign | 0x7c00, true
	case exponent > 0 && exponent < 0x1f:
		return sign | uint16(exponent)<<10 | uint16(fraction>>42), fraction<<22 == 0
	}
	steps := math.Abs(f) * 0x1p24
	return sign | uint16(min(steps, 0x3ff)), steps == math.Trunc(steps) && steps <= 0x3ff
}

// SingleOfHalf converts the bits of half precision to those of single precision. A NaN keeps
// its bits.
func SingleOfHalf(half uint16) uint32 {
	if half&0x7c00 == 0x7c00 {
		return uint32(half>>15)<<31 | 0x7f800000 | uint32(half&0x3ff)<<13
	}
	return math.Float32bits(float32(widenHalf(half)))
}

// HalfOfSingle is the inverse of SingleOfHalf. It reports whether half precision holds the
// number.
func HalfOfSingle(single uint32) (half uint16, ok bool) {
	if f := math.Float32frombits(single); f == f {
		return narrowHalf(float64(f))
	}
	half = uint16(single>>31)<<15 | 0x7c00 | uint16(single>>13&0x3ff)
	return half, SingleOfHalf(half) == single
}

// clampInt returns a number as an int. A number beyond 32 bits is reduced to the nearest.
func clampInt(n int64) int { return int(min(max(n, -1), math.MaxInt32)) }
