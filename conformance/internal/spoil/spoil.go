// Package spoil changes packets without knowing what they mean, for the laws.
package spoil

import (
	"bytes"
	"math/rand/v2"
)

// Bytes returns bytes that differ from b in one or two places.
func Bytes(rng *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + rng.IntN(2) {
		if len(b) == 0 {
			return []byte{byte(rng.Uint32()), 0, 0, 0}
		}
		i := rng.IntN(len(b))
		switch rng.IntN(8) {
		case 0:
			b = b[:i]
		case 1:
			b[i] ^= 1 << rng.IntN(8)
		case 2:
			b[i] = byte(rng.Uint32())
		case 3:
			if i &^= 3; i+4 <= len(b) {
				n := []uint32{0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x10000, 0xa0000, 3, 0x10004}[rng.IntN(9)]
				b[i], b[i+1], b[i+2], b[i+3] = byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
			}
		case 4:
			b = append(b[:i:i], b[min(len(b), i+4):]...)
		case 5:
			b = append(b[:i:i], append([]byte{0, 0, 0, 0}, b[i:]...)...)
		case 6:
			b = append(b, b[i:min(len(b), i+12)]...)
		case 7:
			b[i&^3]++
		}
	}
	return b
}
