package interp_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"weak"

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

// TestDecodeLetsGo checks that a machine does not keep the packet that it decoded. The fast loop, a plan or the
// instructions read it.
func TestDecodeLetsGo(t *testing.T) {
	union, record := fusedMachine(t), machineOf(t, "schema \"text\" {\n    root T\n}\ntype T {\n    | 0 | 4 | u32 | n = len(s) |\n    | 4 | n | utf8[n] | s |\n}\n")
	for name, c := range map[string]struct {
		m *interp.Machine
		b []byte
	}{
		"a loop":           {union, words(2, 1, 8, 0x61616161, 0x61616161)},
		"instructions":     {unfused(t, union), words(2, 1, 8, 0x61616161, 0x61616161)},
		"a plan":           {record, words(8, 0x61616161, 0x61616161)},
		"without the plan": {unfused(t, record), words(8, 0x61616161, 0x61616161)},
	} {
		kept := func() weak.Pointer[byte] {
			b := append(bytes.Clone(c.b), make([]byte, 64)...)
			if _, n, err := c.m.Decode(b, interp.Options{}); err != nil || n != len(c.b) {
				t.Fatalf("%s: %d bytes, %v", name, n, err)
			}
			return weak.Make(&b[0])
		}()
		if runtime.GC(); kept.Value() != nil {
			t.Errorf("%s: the packet is kept", name)
		}
	}
}
