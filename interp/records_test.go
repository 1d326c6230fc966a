package interp_test

import (
	"bytes"
	"testing"

	"github.com/octable/octable/interp"
)

// TestRecordsMemory: the elements of a stream that stay valid share memory.
func TestRecordsMemory(t *testing.T) {
	m := machineOf(t, "schema \"stream\" { root T }\ntype T { | 0 | R | Pair[until end] | list | }\ntype Pair { | 0 | 1 | u8 | a | | 1 | 1 | i8 | b | }\n")
	x, err := m.Records(bytes.NewReader(make([]byte, 200<<10)), interp.Options{}, interp.RecordOptions{MaxBytes: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	read := func(n int) func() {
		return func() {
			for range n {
				if _, err := x.Next(); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	read(40 << 10)() // the first of the blocks, and more
	if n := testing.AllocsPerRun(5, read(5000)); n > 100 {
		t.Errorf("%v allocations for 5000 elements", n)
	}
}
