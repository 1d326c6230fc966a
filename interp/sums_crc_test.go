package interp

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// TestCRC compares the CRC-32 of bytes of any length with the one of the standard library.
func TestCRC(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, 300)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for n := range b {
		if have, want := crcOf(b[:n]), crc32.ChecksumIEEE(b[:n]); have != want {
			t.Errorf("%d bytes: have %#x, want %#x", n, have, want)
		}
	}
}
