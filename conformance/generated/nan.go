// NaN: the one value of which some languages do not keep all bits.

package generated

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/vectors"
	"github.com/octable/octable/interp"
)

// SameButNaN reports whether values differ in the bits of what is not a number, and in
// nothing else.
func SameButNaN(a, b codec.Value) bool {
	relation, _, _ := vectors.Compare(raw.Wrap(ordinary(raw.Value(a))), raw.Wrap(ordinary(raw.Value(b))))
	return relation == vectors.Exact
}

// The bits of the ordinary NaN in either precision.
const (
	ordinary16 = 0x7e00
	ordinary32 = 0x7fc00000
	ordinary64 = 0x7ff8 << 48
)

// ordinary returns a value in which all that is not a number is the same.
func ordinary(v interp.Value) interp.Value {
	out := v
	switch v.Kind() {
	case interp.Float:
		if v.Float() != v.Float() {
			out = interp.MakeFloat(v.Tag(), math.Float64frombits(ordinary64))
		}
	case interp.Lanes:
		out = interp.MakeLanes(v.Tag(), v.Scalar(), ordinaryBytes(v))
	case interp.Packed:
		out = interp.MakePacked(v.Tag(), v.Scalar(), v.Width(), ordinaryBytes(v))
	case interp.List, interp.Map, interp.Record:
		cells := slices.Clone(v.Cells())
		for i, c := range cells {
			cells[i] = ordinary(c)
		}
		out = v.WithCells(cells)
	}
	return out.WithWide(v.Wide())
}

// ordinaryBytes is that for the numbers of a tuple or array.
func ordinaryBytes(v interp.Value) []byte {
	b := slices.Clone(v.Bytes())
	if !v.Scalar().IsFloat() {
		return b
	}
	for i := range lanes(v) {
		switch f := v.LaneFloat(i); {
		case f == f:
		case v.Scalar() == bytecode.F16:
			binary.LittleEndian.PutUint16(b[2*i:], ordinary16)
		case v.Scalar() == bytecode.F32:
			binary.LittleEndian.PutUint32(b[4*i:], ordinary32)
		default:
			binary.LittleEndian.PutUint64(b[8*i:], ordinary64)
		}
	}
	return b
}

// Loses reports whether a value has a NaN in it of which the language does not keep
// all bits.
func (s *Shower) Loses(v interp.Value) bool {
	switch v.Kind() {
	case interp.Float:
		return v.Float() != v.Float() && s.NaN(math.Float64bits(v.Float())) != math.Float64bits(v.Float())
	case interp.Packed, interp.Lanes:
		if v.Kind() == interp.Packed && !v.Wide() && v.Scalar() != bytecode.F16 {
			if _, bytes := tagged(s.Packed(v), "p"); bytes {
				return false
			}
		}
		for i := range lanes(v) {
			if bits := v.LaneBits(i); v.LaneFloat(i) != v.LaneFloat(i) {
				switch v.Scalar() {
				case bytecode.F16:
					bits = bits>>15<<63 | 0x7ff<<52 | bits&0x3ff<<42
				case bytecode.F32:
					bits = widened(uint32(bits))
				}
				if s.NaN(bits) != bits {
					return true
				}
			}
		}
	}
	for _, c := range v.Cells() {
		if s.Loses(c) {
			return true
		}
	}
	return false
}

// widened returns the bits of a NaN of single precision in double precision.
func widened(bits uint32) uint64 {
	return uint64(bits>>31)<<63 | 0x7ff<<52 | uint64(bits&0x7fffff)<<29
}

// lanes returns how many numbers a tuple or array has.
func lanes(v interp.Value) int { return len(v.Bytes()) / v.Scalar().Width() }
