//go:build amd64 || arm64

package container

import "testing"

// tooLarge is a variable, so that no test clears 1 GiB of memory to allocate it.
var tooLarge [MaxData + 1]byte

// TestTooLarge refuses more data than Open accepts.
func TestTooLarge(t *testing.T) {
	if _, err := (Layer{Format: Compressed, Mode: GZip}).Seal(tooLarge[:], nil); err == nil {
		t.Error("more than 1 GiB is written")
	}
}
