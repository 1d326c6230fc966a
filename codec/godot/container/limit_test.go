//go:build (linux || darwin) && (amd64 || arm64)

package container

import (
	"syscall"
	"testing"
)

// TestTooLarge refuses more data than Open accepts. The data is mapped memory that is never touched: an allocation may
// clear 1 GiB, and a variable of that size breaks the measurement of coverage.
func TestTooLarge(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, MaxData+1, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = syscall.Munmap(b) }()
	if _, err := (Layer{Format: Compressed, Mode: GZip}).Seal(b, nil); err == nil {
		t.Error("more than 1 GiB is written")
	}
}
