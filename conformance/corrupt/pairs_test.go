// Packets with equal numbers that are both changed.

package corrupt

import (
	"slices"
	"testing"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// TestPairs: words with the same number are one more together, in their order of bytes.
func TestPairs(t *testing.T) {
	c := compiled(t, `
schema "pairs" {
    order big
    root Root
}

type Root {
    | 0 | 2 | u16       | size   | "bytes"
    | 2 | 1 | u8        | kind   | "a kind" check kind != 9
    | 3 | 2 | u16       | length | "bytes again" check length == size
    | 5 | N | u8[size]  | data   | "data"
}
`)
	e := New(raw.Machine(c), interp.Options{})
	for packet, want := range map[string][]string{
		"0000070000":     {"0001070001"},
		"0001010001aa":   {"0001020002aa", "0002010002aa", "0002020001aa"},
		"0002010002aabb": {"0003010003aabb"},
	} {
		got := digits(e.Pairs(unhex(t, packet)))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", packet, got, want)
		}
	}
}
