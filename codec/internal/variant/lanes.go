// Numbers of math types and packed arrays.

package variant

import (
	"encoding/binary"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Rowwise reports whether the type begins with a basis. Its nine numbers are row by row in the packet and column by
// column in Go.
func (t Type) Rowwise() bool { return t == BasisType || t == Transform3DType }

// Lanes returns the numbers of a math type of type t as little-endian bytes, those of double precision rounded. It may
// put them into buf.
func Lanes(v interp.Value, t Type, buf *[4 * MaxLanes]byte) ([]byte, bool) {
	l := LayoutOf(t)
	if Type(v.Tag()) != t || v.Kind() != interp.Lanes || v.Width() != l.Lanes {
		return nil, false
	}
	if v.Scalar() == l.Scalar {
		if l.Lanes > 2 {
			return v.Bytes(), true
		}
		for i := range l.Lanes {
			binary.LittleEndian.PutUint32(buf[4*i:], uint32(v.LaneBits(i)))
		}
		return buf[:4*l.Lanes], true
	}
	if l.Scalar != bytecode.F32 || v.Scalar() != bytecode.F64 {
		return nil, false
	}
	for i := range l.Lanes {
		binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(float32(v.LaneFloat(i))))
	}
	return buf[:4*l.Lanes], true
}

// Packed returns the numbers of a packed array of type t as little-endian bytes. Those of double precision are rounded
// if the array is one of single precision.
func Packed(v interp.Value, t Type) ([]byte, bool) {
	l := LayoutOf(t)
	if Type(v.Tag()) != t || v.Kind() != interp.Packed || v.Width() != l.Lanes {
		return nil, false
	}
	if v.Scalar() == l.Scalar {
		return v.Bytes(), true
	}
	if l.Scalar != bytecode.F32 || v.Scalar() != bytecode.F64 {
		return nil, false
	}
	wide := v.Bytes()
	b := make([]byte, 0, len(wide)/2)
	for ; len(wide) >= 8; wide = wide[8:] {
		f := math.Float64frombits(binary.LittleEndian.Uint64(wide))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(f)))
	}
	return b, true
}

// MakePacked returns a packed array of a copy of the elements of a slice.
func MakePacked[T any](t Type, s []T) interp.Value {
	l := LayoutOf(t)
	return interp.MakePacked(uint16(t), l.Scalar, l.Lanes, BytesOf(s))
}

// AsPacked is the reverse of MakePacked.
func AsPacked[T any](v interp.Value, t Type) ([]T, bool) {
	b, ok := Packed(v, t)
	if !ok {
		return nil, false
	}
	return sliceOf[T](b), true
}
