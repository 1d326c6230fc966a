// The outcome of a case, and whether two outcomes can be
// apart.

package mutants

import (
	"bytes"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Outcome is the result of reading or writing.
type Outcome struct {
	Value interp.Value // of reading
	Used  int          // bytes that were read
	Bytes []byte       // of writing
	Err   *interp.Error
}

// Level selects the parts of an outcome that are compared.
type Level uint8

// The levels. Each compares what the one before it does, and more.
const (
	// Results is the outcome that any implementation shows. It is the value and the number of
	// bytes read, the bytes written, or that the schema has none.
	Results Level = iota
	// Kinds are the kinds of errors, too.
	Kinds
	// Offsets are the bytes at which errors were found in reading, too.
	Offsets
)

// Same reports whether two outcomes of the same direction cannot be distinguished.
func Same(d interp.Direction, a, b Outcome, l Level) bool {
	if (a.Err == nil) != (b.Err == nil) {
		return false
	}
	switch {
	case a.Err != nil && l == Results:
		return true
	case a.Err != nil:
		return a.Err.Kind == b.Err.Kind && (l < Offsets || d == interp.Writing || a.Err.Offset == b.Err.Offset)
	case d == interp.Writing:
		return bytes.Equal(a.Bytes, b.Bytes)
	}
	return a.Used == b.Used && SameValue(a.Value, b.Value)
}

// SameValue reports whether two values are the same in all that a notation of
// values can say: type, content, order. The sign of zero and the payload of NaN
// count; the width of a number on the wire does not, and neither does
// whether it was signed, if it is the same number.
func SameValue(a, b interp.Value) bool {
	if a.Tag() != b.Tag() || a.Len() != b.Len() {
		return false
	}
	if a.Kind() != b.Kind() {
		whole := func(v interp.Value) bool { return v.Kind() == interp.Int || v.Kind() == interp.Uint }
		return whole(a) && whole(b) && a.Uint() == b.Uint() && a.Int() >= 0
	}
	switch a.Kind() {
	case interp.Bool, interp.Int, interp.Uint, interp.Float:
		return a.Uint() == b.Uint()
	case interp.Text:
		return bytes.Equal(a.Bytes(), b.Bytes())
	case interp.Lanes, interp.Packed:
		return sameNumbers(a, b)
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		if !SameValue(x[i], y[i]) {
			return false
		}
	}
	return true
}

// sameNumbers compares tuples and arrays by their numbers.
func sameNumbers(a, b interp.Value) bool {
	if a.Width() != b.Width() {
		return false
	}
	s, t := a.Scalar(), b.Scalar()
	if s == t {
		return bytes.Equal(a.Bytes(), b.Bytes())
	}
	for i := range len(a.Bytes()) / max(1, s.Width()) {
		same := false
		switch {
		case s.IsFloat() && t.IsFloat():
			same = double(a, i) == double(b, i)
		case s.IsFloat() || t.IsFloat():
			f := a.LaneFloat(i)
			same = f == b.LaneFloat(i) && !(f == 0 && (math.Signbit(f) || math.Signbit(b.LaneFloat(i)))) && math.Abs(f) < 1<<53
		default:
			x, y := a.LaneInt(i), b.LaneInt(i)
			same = x == y && (x >= 0 || s.Signed() == t.Signed())
		}
		if !same {
			return false
		}
	}
	return true
}

// double returns the bits of a real as a double.
func double(v interp.Value, i int) uint64 {
	bits := v.LaneBits(i)
	switch v.Scalar() {
	case bytecode.F16:
		return math.Float64bits(interp.RealOf(bytecode.F16, bits))
	case bytecode.F64:
		return bits
	}
	if f := math.Float32frombits(uint32(bits)); f == f {
		return math.Float64bits(float64(f))
	}
	return bits>>31<<63 | 0x7ff8<<48 | bits&0x7fffff<<29
}
