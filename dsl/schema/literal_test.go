package schema

import (
	"math"
	"testing"
)

// TestLiteralFloat: numerals and the names inf and nan are real numbers, and no other literals are.
func TestLiteralFloat(t *testing.T) {
	for _, x := range []struct {
		literal Literal
		want    float64
		ok      bool
	}{
		{Literal{Kind: Numeral, Num: "1_000.5"}, 1000.5, true},
		{Literal{Kind: Numeral, Num: "-2e3"}, -2000, true},
		{Literal{Kind: Named, Name: "inf"}, math.Inf(1), true},
		{Literal{Kind: Named, Name: "nan"}, math.NaN(), true},
		{Literal{Kind: Named, Name: "none"}, 0, false},
	} {
		f, ok := x.literal.Float()
		if ok != x.ok || f != x.want && !(f != f && x.want != x.want) {
			t.Errorf("%+v: %v, %v", x.literal, f, ok)
		}
	}
}
