package interp_test

import (
	"strings"
	"testing"

	"github.com/octable/octable/interp"
)

// TestEncodeMemory checks that a large result is not copied if its size is about that of the last one. It does not
// keep much more memory than it has bytes.
func TestEncodeMemory(t *testing.T) {
	m := machineOf(t, "schema \"text\" {\n    root T\n}\ntype T {\n    | 0 | 4 | u32 | n = len(s) |\n    | 4 | n | utf8[n] | s |\n}\n")
	value := func(n int) interp.Value { return interp.MakeText(m.Tag(int(m.Program().Root)), strings.Repeat("x", n)) }
	large := value(1 << 18)
	allocs := testing.AllocsPerRun(20, func() {
		if _, err := m.Encode(large, interp.Options{}); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 1.5 {
		t.Errorf("%v allocations", allocs)
	}
	for range 3 {
		for _, n := range []int{1 << 18, 1 << 17, 1 << 15} {
			b, err := m.Encode(value(n), interp.Options{})
			if err != nil || len(b) != n+4 || cap(b) > len(b)+len(b)/4 {
				t.Errorf("%d bytes: %d in memory of %d, %v", n+4, len(b), cap(b), err)
			}
		}
	}
}
