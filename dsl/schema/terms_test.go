package schema

import (
	"testing"

	"github.com/octable/octable/dsl/builtin"
)

// arithmetic computes expressions of numbers.
type arithmetic struct{ Terms[int64] }

func (arithmetic) Num(n int64) int64 { return n }

func (arithmetic) Apply(op builtin.Op, args ...int64) int64 {
	if op == builtin.Xor {
		return args[0] ^ args[1]
	}
	return args[0] - args[1]
}

// TestSigned brings words with all bits, the highest bit and all others into the ranges of scalars.
func TestSigned(t *testing.T) {
	for s, width := range map[builtin.Scalar]int{builtin.I8: 8, builtin.I16: 16, builtin.I32: 32, builtin.U8: 8, builtin.U32: 32, builtin.I64: 64, builtin.U64: 64} {
		top := int64(1) << (width - 1)
		for _, c := range []struct{ word, want int64 }{{0, 0}, {1, 1}, {top - 1, top - 1}, {top, -top}, {top - 1 | top, -1}} {
			if !s.Signed() {
				c.want = c.word
			}
			if got := Signed(c.word, s, arithmetic{}); got != c.want {
				t.Errorf("%s of %#x is %d, want %d", s, c.word, got, c.want)
			}
		}
	}
}
