//go:build (linux || darwin) && (amd64 || arm64)

package interp_test

import (
	"math"
	"syscall"
	"testing"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// TestTooLong makes values of the most bytes and elements that a value has, and none of more. Their memory is mapped and never
// touched.
func TestTooLong(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, math.MaxUint32+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("this machine maps no 4 GiB of memory; .ci/run runs this test where it does: ", err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	for n, want := range map[int]bool{math.MaxUint32: true, math.MaxUint32 + 1: false} {
		text := interp.MakeText(1, unsafe.String(&b[0], n))
		packed := interp.MakePacked(1, bytecode.U8, 1, b[:n])
		if text.IsNone() == want || packed.IsNone() == want || want && (text.Len() != n || packed.Len() != n) {
			t.Errorf("%d bytes: a text of %d bytes, an array of %d numbers", n, text.Len(), packed.Len())
		}
	}
}
