// Measures of readings: the share of random bytes that a format reads, and the number of bytes that are its signature.

package identify

import (
	"bytes"
	"errors"
	"iter"
	"math/rand/v2"

	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// minHeld is how many bytes a refused reading must hold to be the guess. Other bytes have them by chance in one of 2^32 inputs.
const minHeld = 4

// damaged returns the refused reading that holds the most bytes, or nil. Those bytes must be a signature, and the
// accepted readings must hold fewer.
func (r *Report) damaged(b []byte) *Reading {
	most := minHeld - 1
	if len(r.Groups) > 0 {
		best := r.Groups[0].Readings[0]
		if best.candidate.family < example && best.tier() == 0 || best.Text {
			return nil
		}
		if !best.byChance() {
			most = max(most, best.Held)
		}
	}
	var found *Reading
	for _, x := range r.Refused {
		if x.Held = x.heldBefore(b); x.Held > most && !x.reached(len(b)) {
			found, most = x, x.Held
		}
	}
	return found
}

// maxRandom is the length of random inputs, which are a hundred.
const maxRandom = 4096

// random returns the random inputs for an input of n bytes. Each is valid up to the next one.
func random(n int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		r := rand.NewChaCha8([32]byte{})
		b := make([]byte, min(n, maxRandom))
		for range 100 {
			if _, _ = r.Read(b); !yield(b) { // it has no errors
				return
			}
		}
	}
}

// chance returns how many of a hundred random inputs the candidate reads as well as the bytes of the reading. If it
// read these n bytes to their end, or as a writer writes them, it must do the same with the random ones.
func (x *Reading) chance(n int) int {
	if x.Framed != "" || x.Text || n == 0 {
		return 0
	}
	hits := 0
	for b := range random(n) {
		v, used, err := raw.Machine(x.candidate.Codec).Decode(b, interp.Options{})
		if err != nil || x.Left == 0 && used < len(b) {
			continue
		}
		if !x.Written || x.candidate.differs(b[:used], v, used, false) == "" {
			hits++
		}
	}
	return hits
}

// maxHeld is the number of bytes of the input that are inverted. It is less if the input is so long that all readings
// together would have more than maxReread bytes.
const (
	maxHeld   = 64
	maxReread = 64 << 20
)

// inverted returns how many of the first n bytes the candidate refuses if they are inverted. The function refuses
// judges the result of decoding.
func (x *Reading) inverted(b []byte, n int, refuses func(used int, err error) bool) int {
	b = bytes.Clone(b)
	held := 0
	for i := range b[:min(n, maxHeld, 1+maxReread/max(len(b), 1))] {
		b[i] ^= 0xff
		if _, used, err := raw.Machine(x.candidate.Codec).Decode(b, interp.Options{}); refuses(used, err) {
			held++
		}
		b[i] ^= 0xff
	}
	return held
}

// held returns how many of the first bytes the candidate refuses if they are inverted. A format
// with a signature holds more bytes than one that begins with any number. The versions of
// engines differ in other ways.
func (x *Reading) held(b []byte) int {
	if x.candidate.family < example || x.Framed != "" {
		return 0
	}
	return x.inverted(b, len(b), func(used int, err error) bool { return err != nil || used != x.Used })
}

// heldBefore is held for a refused reading. It returns how many of the first bytes are refused before the byte in error
// if they are inverted.
func (x *Reading) heldBefore(b []byte) int {
	if x.candidate.family < example || x.Kind == "" {
		return 0
	}
	return x.inverted(b, x.Offset, func(_ int, err error) bool {
		var e *interp.Error
		return errors.As(err, &e) && e.Offset < x.Offset
	})
}

// reached reports whether one of a hundred random inputs is read to the byte in error of a refused reading. Then the
// bytes before it are not a signature.
func (x *Reading) reached(n int) bool {
	for b := range random(n) {
		var e *interp.Error
		if _, _, err := raw.Machine(x.candidate.Codec).Decode(b, interp.Options{}); !errors.As(err, &e) || e.Offset >= x.Offset {
			return true
		}
	}
	return false
}

// byChance reports whether a reading says nothing about the bytes, since every other random input is read as well. Of readings
// that leave bytes over, or have fewer bytes than a signature, every tenth is enough.
func (x *Reading) byChance() bool {
	return x.Random >= 50 || x.Random >= 10 && (x.Left > 0 || x.Used < minHeld)
}
