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
	default:
		if bits = binary.LittleEndian.Uint64(b); swap {
			bits = binary.BigEndian.Uint64(b)
		}
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
	}
	return int64(bits)
}

// scalarValue returns a scalar, as scalarBits reads it, as a value.
func scalarValue(s bytecode.Scalar, bits uint64) Value {
	v := Value{kind: Uint, form: uint8(s), u: bits}
	switch {
	case s == bytecode.F32:
		v.kind, v.u = Float, math.Float64bits(widen(uint32(bits)))
	case s == bytecode.F64:
		v.kind = Float
	case s.Signed():
		v.kind = Int
	}
	return v
}

// appendScalar appends a number in the order of the format.
func appendScalar(out []byte, s bytecode.Scalar, bits uint64, big bool) []byte {
	if big && s != bytecode.Code4 {
		switch s.Width() {
		case 2:
			return binary.BigEndian.AppendUint16(out, uint16(bits))
		case 4:
			return binary.BigEndian.AppendUint32(out, uint32(bits))
		case 8:
			return binary.BigEndian.AppendUint64(out, bits)
		}
	}
	switch s.Width() {
	case 1:
		return append(out, byte(bits))
	case 2:
		return binary.LittleEndian.AppendUint16(out, uint16(bits))
	case 4:
		return binary.LittleEndian.AppendUint32(out, uint32(bits))
	}
	return binary.LittleEndian.AppendUint64(out, bits)
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

// clampInt returns a number as an int. A number beyond 32 bits is reduced to the nearest.
func clampInt(n int64) int { return int(min(max(n, -1), math.MaxInt32)) }
