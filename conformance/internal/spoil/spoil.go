// Package spoil changes packets and values without regard to their schema, for the laws.
package spoil

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp/boundary"
)

// words are the numbers that take the place of four bytes.
var words = boundary.Integers(builtin.U32)

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
				binary.LittleEndian.PutUint32(b[i:], uint32(words[rng.IntN(len(words))].Number))
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
