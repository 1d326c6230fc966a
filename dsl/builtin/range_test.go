package builtin_test

import (
	"math"
	"slices"
	"testing"

	"github.com/octable/octable/dsl/builtin"
)

// TestRanges compares sets of ranges with sets of numbers, for all sets of numbers below 6.
func TestRanges(t *testing.T) {
	set := func(mask int) (rs builtin.Ranges) {
		for n := range 6 {
			if mask>>n&1 == 1 {
				rs = append(rs, builtin.One(uint64(n)))
			}
		}
		return builtin.Join(rs...)
	}
	for a := range 64 {
		for b := range 64 {
			if got := set(a).Without(set(b)); !slices.Equal(got, set(a&^b)) {
				t.Errorf("%s without %s is %s", set(a), set(b), got)
			}
			if got := builtin.Join(slices.Concat(set(a), set(b))...); !slices.Equal(got, set(a|b)) {
				t.Errorf("%s with %s is %s", set(a), set(b), got)
			}
			for _, r := range set(b) {
				n, ok := set(a).Shared(r)
				first := slices.IndexFunc([]int{0, 1, 2, 3, 4, 5}, func(n int) bool { return a>>n&1 == 1 && r.Lo <= uint64(n) && uint64(n) <= r.Hi })
				if ok != (first >= 0) || ok && n != uint64(first) {
					t.Errorf("%s and %s share %d, %v", set(a), r, n, ok)
				}
			}
		}
	}
	all := builtin.Ranges{{Hi: math.MaxUint64}}
	if left := all.Without(builtin.Ranges{builtin.One(0), builtin.One(math.MaxUint64)}); left.String() != "1..18446744073709551614" || left.Contains(0) {
		t.Errorf("%s", left)
	}
}

// TestSigned compares ranges of integers, which may begin below 0, with their comparisons.
func TestSigned(t *testing.T) {
	for lo := int64(-3); lo <= 3; lo++ {
		for hi := lo; hi <= 3; hi++ {
			set := builtin.Integers(lo, hi)
			if signed := set.Signed(); len(signed) != 1 || int64(signed[0].Lo) != lo || int64(signed[0].Hi) != hi {
				t.Errorf("%d to %d is compared as %v", lo, hi, signed)
			}
			for n := int64(-5); n <= 5; n++ {
				if set.Contains(uint64(n)) != (lo <= n && n <= hi) {
					t.Errorf("%d to %d and %d", lo, hi, n)
				}
			}
		}
	}
	all := builtin.Integers(math.MinInt64, math.MaxInt64)
	if len(all) != 1 || len(all.Signed()) != 1 || int64(all.Signed()[0].Lo) != math.MinInt64 {
		t.Errorf("all integers are compared as %v", all.Signed())
	}
	two := builtin.Join(slices.Concat(builtin.Integers(-5, -4), builtin.Integers(-2, 1))...)
	if got := two.Signed(); len(got) != 2 || int64(got[0].Lo) != -2 || got[0].Hi != 1 {
		t.Errorf("two ranges are compared as %v", got)
	}
}
