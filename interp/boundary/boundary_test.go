package boundary_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/boundary"
)

func ExampleIntegers() {
	for _, x := range boundary.Integers(builtin.I8) {
		fmt.Print(int64(x.Number), " ")
	}
	fmt.Println()
	// Output: 0 1 -1 -128 127 128 -129 -2 -127 2 129 255 256 257
}

// TestIntegers: of each scalar there are the numbers at both limits, and on both sides of each, once.
func TestIntegers(t *testing.T) {
	for _, s := range builtin.Scalars() {
		if s.IsFloat() {
			continue
		}
		var numbers []uint64
		for _, x := range boundary.Integers(s) {
			if slices.Contains(numbers, x.Number) {
				t.Errorf("%s: %d is there twice", s, x.Number)
			}
			numbers = append(numbers, x.Number)
		}
		least, most := uint64(0), uint64(math.MaxUint64)>>(64-8*s.Width())
		if s.Signed() {
			least, most = -(most>>1 + 1), most>>1
		}
		wanted := []uint64{least, least + 1, most, most + 1, 0, 1}
		if s.Signed() {
			wanted = append(wanted, least-1, math.MaxUint64)
		} else {
			wanted = append(wanted, most>>1, most>>1+1)
		}
		for _, n := range wanted {
			if !slices.Contains(numbers, n) {
				t.Errorf("%s: %d is not there", s, int64(n))
			}
		}
	}
}

// TestCoded: each width has its least number, and digits have their most.
func TestCoded(t *testing.T) {
	three, _ := builtin.InDigits(builtin.Decimal, 3, "")
	all, _ := builtin.InDigits(builtin.Decimal, 20, "")
	ended, _ := builtin.Ended(builtin.Hex, ":")
	signed, _ := builtin.Ended(builtin.SDecimal, ":")
	var hex, decimal []uint64
	for n := range 15 {
		hex = append(hex, 1<<(4*n+4))
	}
	for n := uint64(10); n <= 1e18; n *= 10 {
		decimal = append(decimal, n, -n)
	}
	for _, x := range []struct {
		coding builtin.Coding
		signed bool
		want   []uint64
	}{
		{builtin.Fixed, false, nil},
		{builtin.LEB128, false, []uint64{1 << 7, 1 << 14, 1 << 21, 1 << 28, 1 << 35, 1 << 42, 1 << 49, 1 << 56, 1 << 63}},
		{builtin.BER, false, []uint64{1 << 7, 1 << 8, 1 << 16, 1 << 24, 1 << 32, 1 << 40, 1 << 48, 1 << 56}},
		{builtin.QUIC, false, []uint64{1 << 6, 1 << 14, 1 << 30, 1<<62 - 1, 1 << 62}},
		{builtin.CompactSize, false, []uint64{0xfd, 1 << 16, 1 << 32}},
		{builtin.EBML, false, []uint64{1<<7 - 1, 1<<14 - 1, 1<<21 - 1, 1<<28 - 1, 1<<35 - 1, 1<<42 - 1, 1<<49 - 1, 1<<56 - 2, 1<<56 - 1}},
		{three, false, []uint64{99, 999, 1000}},
		{all, false, []uint64{math.MaxUint64}},
		{ended, false, hex},
		{signed, true, decimal},
		{builtin.SLEB128, true, []uint64{1 << 6, 1 << 13, 1 << 20, 1 << 27, 1 << 34, 1 << 41, 1 << 48, 1 << 55, 1 << 62}},
	} {
		if got := boundary.Coded(x.coding, x.signed); !slices.Equal(got, x.want) {
			t.Errorf("%v: %d, want %d", x.coding, got, x.want)
		}
	}
}

// TestReals checks that names and bits are there once. Each precision must have its greatest number, the least
// above 0 and the greatest subnormal one.
func TestReals(t *testing.T) {
	names, bits := map[string]bool{}, map[uint64]bool{}
	for _, r := range boundary.Reals {
		if names[r.Name] || bits[r.Bits] {
			t.Errorf("%s is there twice", r.Name)
		}
		names[r.Name], bits[r.Bits] = true, true
	}
	for s, wanted := range map[builtin.Scalar][]uint64{
		builtin.F16: {0x7bff, 0x0001, 0x03ff, 0x0400},
		builtin.F32: {0x7f7fffff, 0x00000001, 0x007fffff, 0x00800000},
		builtin.F64: {0x7fefffffffffffff, 1, 0x000fffffffffffff, 0x0010000000000000},
	} {
		for _, w := range wanted {
			if !bits[math.Float64bits(interp.RealOf(s, w))] {
				t.Errorf("%s: %#x is not there", s, w)
			}
		}
	}
}

// TestSingle: a number that single precision holds comes back, and a NaN keeps what fits of its bits.
func TestSingle(t *testing.T) {
	for _, r := range boundary.Reals {
		bits, exact := r.Single()
		f := float64(math.Float32frombits(bits))
		switch {
		case !math.IsNaN(r.Float()):
			if exact != (f == r.Float()) {
				t.Errorf("%s: exact is %t, and the number is %v", r.Name, exact, f)
			}
		case bits>>31 != uint32(r.Bits>>63) || bits>>22&1 != uint32(r.Bits>>51&1):
			t.Errorf("%s: %#x has another sign, or another quiet bit", r.Name, bits)
		case exact != (r.Bits<<35 == 0):
			t.Errorf("%s: exact is %t", r.Name, exact)
		}
	}
}
