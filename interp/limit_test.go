//go:build (linux || darwin) && (amd64 || arm64)

package interp_test

import (
	"errors"
	"math"
	"syscall"
	"testing"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestTooLong makes values of the most bytes and elements that a value has, and none of more. It reads and writes
// such values with too many parts. Their memory is mapped and never touched.
func TestTooLong(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, 24<<31, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("this machine maps no 48 GiB of memory; .ci/run runs this test where it does: ", err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	for n, want := range map[int]bool{math.MaxUint32: true, math.MaxUint32 + 1: false} {
		text := interp.MakeText(1, unsafe.String(&b[0], n))
		packed := interp.MakePacked(1, bytecode.U8, 1, b[:n])
		if text.IsNone() == want || packed.IsNone() == want || want && (text.Len() != n || packed.Len() != n) {
			t.Errorf("%d bytes: a text of %d bytes, an array of %d numbers", n, text.Len(), packed.Len())
		}
	}
	m := fusedMachine(t)
	for kind := range byte(2) {
		v, _, err := m.Decode([]byte{1 + kind, 0, 0, 0, 0, 0, 0, 0}, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v = v.WithCells(unsafe.Slice((*interp.Value)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(v))))
		if out, err := m.Encode(v, interp.Options{}); err == nil || v.Len() != math.MaxInt32+1 {
			t.Errorf("a list of %d elements is %d bytes", v.Len(), len(out))
		}
	}
	for types, fine := range map[string]bool{
		"| 0 | 1 | u8 | x |":            true, // a reader does not look at later bytes
		"| 0 | N | u8[until end] | x |": false,
	} {
		r := shapeOf(t, "long", "big", "type T { "+types+" }").NewReader(interp.Options{})
		for how, read := range map[string]func([]byte) (interp.Value, int, error){"Read": r.Read, "ReadSparse": r.ReadSparse} {
			for n, want := range map[int]bool{math.MaxUint32: true, math.MaxUint32 + 1: fine} {
				if v, used, err := read(b[:n]); want && err != nil || !want && (!errors.Is(err, interp.ErrLimit) || !v.IsNone() || used != 0) {
					t.Errorf("%s of %q, %d bytes: %d, %v", how, types, n, used, err)
				}
			}
		}
	}
	for name, types := range map[string]string{
		"bytes": "type T { | 0 | N | u8[until end] | x | }",
		"arms":  "type T {\n    | 0 | 1 | u8 | k |\n    | 1 | N | U(k) | x |\n}\nunion U(k) by k {}\narm U 0 rest { | 0 | N | u8[until end] | x | }\narm U else other { | 0 | 1 | u8 | x | }",
	} {
		m := shapeOf(t, "long", "big", types)
		for _, n := range []int{2, math.MaxInt32 + 1, math.MaxInt32 + 2} { // a plan knows the arms from the first one on
			v, used, err := m.Decode(b[:n], interp.Options{})
			v2, used2, err2 := m.DecodeObserved(b[:n], interp.Options{}, interp.ObserverFunc(func(*interp.Event) {}))
			if err != nil || err2 != nil || used != n || used2 != n || v.Len() != v2.Len() {
				t.Errorf("%s, %d bytes: %d, %v; by the instructions %d, %v", name, n, used, err, used2, err2)
			}
		}
	}
}
