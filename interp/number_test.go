package interp

import (
	"math"
	"testing"

	"github.com/octable/octable/compile/bytecode"
)

// TestHalves converts every number of 16 bits to a double and back. It refuses the numbers
// half way to the next.
func TestHalves(t *testing.T) {
	for h := range 1 << 16 {
		half := uint16(h)
		f := widenHalf(half)
		if f != f {
			if quiet, ok := narrowHalf(f); !ok || quiet != half|0x200 {
				t.Errorf("%#04x becomes %#04x", half, quiet)
			}
		} else if got, ok := narrowHalf(f); !ok || got != half {
			t.Errorf("%#04x is %v, and that is %#04x, %t", half, f, got, ok)
		}
		if got, ok := HalfOfSingle(SingleOfHalf(half)); !ok || got != half {
			t.Errorf("%#04x is %#04x after single precision, %t", half, got, ok)
		}
		if next := widenHalf(half + 1); half&0x7fff < 0x7bff && f == f {
			if got, ok := narrowHalf((f + next) / 2); ok {
				t.Errorf("%v, between %#04x and the next, is held as %#04x", (f+next)/2, half, got)
			}
		}
	}
	for _, f := range []float64{65520, -65520, 0x1p-25, 1e300, math.SmallestNonzeroFloat64} {
		if got, ok := narrowHalf(f); ok {
			t.Errorf("%v is held as %#04x", f, got)
		}
	}
	for f, want := range map[float64]uint16{1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 0x1p-24: 1, 0x1p-14: 0x400, 1.0 / 3: 0} {
		if got, ok := narrowHalf(f); ok != (want != 0) || ok && got != want {
			t.Errorf("%v is %#04x, %t", f, got, ok)
		}
	}
}

// TestOddWidths reads and writes integers of 3, 5, 6 and 7 bytes in both orders.
func TestOddWidths(t *testing.T) {
	b := []byte{0x81, 2, 3, 4, 5, 0x96, 0x87}
	for _, c := range []struct {
		s           bytecode.Scalar
		little, big int64
	}{
		{bytecode.U24, 0x030281, 0x810203}, {bytecode.I24, 0x030281, 0x810203 - 1<<24},
		{bytecode.U40, 0x0504030281, 0x8102030405}, {bytecode.I40, 0x0504030281, 0x8102030405 - 1<<40},
		{bytecode.U48, 0x960504030281, 0x810203040596}, {bytecode.I48, 0x960504030281 - 1<<48, 0x810203040596 - 1<<48},
		{bytecode.U56, 0x87960504030281, 0x81020304059687}, {bytecode.I56, 0x87960504030281 - 1<<56, 0x81020304059687 - 1<<56},
	} {
		for big, want := range map[bool]int64{false: c.little, true: c.big} {
			if got := int64(scalarBits(c.s, b, big)); got != want {
				t.Errorf("%s is %#x, want %#x", c.s, got, want)
			}
			if out := appendScalar(nil, c.s, uint64(want), big); string(out) != string(b[:c.s.Width()]) {
				t.Errorf("%s is written as %x", c.s, out)
			}
		}
	}
}

// TestNumber converts values of each kind to the numbers of expressions.
func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v    Value
		want int64
	}{
		{MakeUnit(1), 0}, {MakeBool(1, true), 1}, {MakeBool(1, false), 0}, {MakeInt(1, -5), -5}, {MakeInt(1, math.MinInt64), math.MinInt64},
		{MakeUint(1, 1<<63), math.MinInt64}, {MakeFloat(1, -2.9), -2}, {MakeFloat(1, 0x1p62), 1 << 62}, {MakeFloat(1, 0x1.8p62), 3 << 61},
		{MakeFloat(1, 0x1p63), 0}, {MakeFloat(1, -0x1p63), math.MinInt64}, {MakeFloat(1, -0x1p64), 0}, {MakeFloat(1, math.NaN()), 0},
		{MakeText(1, "12"), 0}, {MakeList(1, []Value{MakeInt(1, 2)}), 0},
	} {
		if got := number(c.v); got != c.want {
			t.Errorf("%v is the number %d, want %d", c.v, got, c.want)
		}
	}
}

// TestOutside tries the edges of each scalar with values of each kind.
func TestOutside(t *testing.T) {
	for _, s := range []bytecode.Scalar{bytecode.U8, bytecode.I8, bytecode.U16, bytecode.I16, bytecode.U24, bytecode.I24, bytecode.U32, bytecode.I32, bytecode.U64, bytecode.I64} {
		bits := 8 * s.Width()
		top := uint64(1) << (bits - 1) // of the unsigned scalar: its highest bit
		for _, c := range []struct {
			v    Value
			want bool
		}{
			{MakeInt(1, 0), false}, {MakeUint(1, 0), false}, {MakeBool(1, true), false}, {MakeText(1, "text"), false}, {MakeUnit(1), false},
			{MakeInt(1, -1), !s.Signed()}, {MakeUint(1, top-1), false}, {MakeUint(1, top), s.Signed()}, {MakeInt(1, int64(top-1)), false},
			{MakeInt(1, -int64(top)), !s.Signed()}, {MakeUint(1, math.MaxUint64), s.Signed() || bits < 64},
			{MakeInt(1, -int64(top)-1), bits < 64}, {MakeInt(1, int64(top)), s.Signed() && bits < 64 || bits == 64 && !s.Signed()},
			{MakeUint(1, top<<1), bits < 64}, {MakeUint(1, top<<1-1), s.Signed()},
		} {
			if got := outside(c.v, s); got != c.want {
				t.Errorf("%s cannot hold %v %d: %v", s, c.v.Kind(), int64(c.v.u), got)
			}
		}
	}
	for _, c := range []struct {
		f      float64
		single bool
		half   bool
	}{{1, false, false}, {65504, false, false}, {65520, false, true}, {0.1, true, true}, {float64(float32(0.1)), false, true}, {1e300, true, true}} {
		if got := outside(MakeFloat(1, c.f), bytecode.F32); got != c.single {
			t.Errorf("f32 cannot hold %v: %v", c.f, got)
		}
		if got := outside(MakeFloat(1, c.f), bytecode.F16); got != c.half {
			t.Errorf("f16 cannot hold %v: %v", c.f, got)
		}
		if outside(MakeFloat(1, c.f), bytecode.F64) {
			t.Errorf("f64 cannot hold %v", c.f)
		}
	}
}

// TestFloatKey: real numbers are the same key if they are equal, or are both not a number.
func TestFloatKey(t *testing.T) {
	list := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1, math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(math.Float64bits(math.NaN()) ^ 1<<63)}
	for _, x := range list {
		for _, y := range list {
			if same := x == y || x != x && y != y; (floatKey(x) == floatKey(y)) != same {
				t.Errorf("%v and %v are the same key: %v", x, y, !same)
			}
		}
	}
}
