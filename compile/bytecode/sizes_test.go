package bytecode

import (
	"math"
	"testing"
)

// TestSizeArithmetic: sums and products of sizes end at Unbounded.
func TestSizeArithmetic(t *testing.T) {
	const most = math.MaxUint64 - 1
	for _, c := range []struct{ a, b, sum, product uint64 }{
		{0, 0, 0, 0}, {2, 3, 5, 6}, {most, 0, most, 0}, {most, 1, Unbounded, most}, {most, most, Unbounded, Unbounded},
		{1 << 63, 1 << 63, Unbounded, Unbounded}, {1 << 32, 1 << 32, 1 << 33, Unbounded}, {Unbounded, 0, Unbounded, 0}, {Unbounded, 1, Unbounded, Unbounded},
		{Unbounded, 2, Unbounded, Unbounded}, {Unbounded, Unbounded, Unbounded, Unbounded},
	} {
		for range 2 {
			if sum, product := addSize(c.a, c.b), mulSize(c.a, c.b); sum != c.sum || product != c.product {
				t.Errorf("%#x and %#x: sum %#x, product %#x, want %#x and %#x", c.a, c.b, sum, product, c.sum, c.product)
			}
			c.a, c.b = c.b, c.a
		}
	}
}
