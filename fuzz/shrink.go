// Shrinking: simpler inputs of which a law does not hold.

package fuzz

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/octable/octable/interp"
)

// Smallest goes from x to a simpler value for as long as bad holds, and returns the last one.
// It calls bad at most calls times.
func Smallest[T any](x T, simpler func(T) iter.Seq[T], bad func(T) bool, calls int) T {
	for again := true; again; {
		again = false
		for y := range simpler(x) {
			if calls--; calls < 0 {
				return x
			}
			if bad(y) {
				x, again = y, true
				break
			}
		}
	}
	return x
}

// Simpler yields choices that are simpler than c, the simplest first. They are
// without runs of bytes, with runs of zeros, or with smaller bytes. Every one is
// shorter, or as long and lower at the first byte that differs, so shrinking ends.
func Simpler(c interp.Choices) iter.Seq[interp.Choices] {
	return func(yield func(interp.Choices) bool) {
		next := simpler(c)
		for x, ok := next(); ok && yield(x); x, ok = next() {
		}
	}
}

// simpler returns a function that returns the choices of Simpler one by one.
func simpler(c interp.Choices) func() (interp.Choices, bool) {
	// One pass is a run length; below 1 the passes change single bytes.
	type try struct{ pass, run, at int }
	next := try{0, len(c), 0}
	const passes = 4
	return func() (interp.Choices, bool) {
		for {
			t := next
			if t.run == 0 {
				if t.pass == passes-1 || len(c) == 0 {
					return nil, false
				}
				next = try{t.pass + 1, len(c), 0}
				if t.pass+1 >= 2 {
					next.run = 1
				}
				continue
			}
			if t.at+t.run > len(c) {
				next = try{t.pass, t.run / 2, 0}
				continue
			}
			next.at = t.at + max(1, t.run/2)
			out := append(interp.Choices(nil), c...)
			run := out[t.at : t.at+t.run]
			switch t.pass {
			case 0: // without the run
				out = append(out[:t.at], out[t.at+t.run:]...)
			case 1: // the run is zeros
				clear(run)
			case 2: // half the byte
				run[0] /= 2
			case 3: // one less
				if run[0] > 0 {
					run[0]--
				}
			}
			if string(out) == string(c) {
				continue
			}
			return out, true
		}
	}
}

// Smaller yields packets that are shorter than b or have smaller bytes, the shortest first.
// It ignores the schema: runs of bytes are left out; words that may be lengths or counts become
// smaller, together with the bytes behind them; and words and bytes become zero.
func Smaller(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for run := len(b); run > 0; run /= 2 {
			for at := 0; at+run <= len(b); at += max(1, run/2) {
				if !yield(slices.Delete(bytes.Clone(b), at, at+run)) {
					return
				}
			}
		}
		for _, some := range []func([]byte) iter.Seq[[]byte]{smallerLengths, smallerCounts, smallerWords} {
			for out := range some(b) {
				if !yield(out) {
					return
				}
			}
		}
	}
}

// smallerLengths makes a word that may be a length smaller. It leaves out as many bytes at the
// end, with padding or without.
func smallerLengths(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at+4 <= len(b); at += 4 {
			word := binary.LittleEndian.Uint32(b[at:])
			if word == 0 || int64(word) > int64(len(b)-at-4) {
				continue
			}
			for _, x := range []uint32{0, 1, 2, 3, 4, word / 2, word - 1} {
				for _, less := range []int{int(word - x), (int(word)+3)&^3 - (int(x)+3)&^3} {
					if x < word && less > 0 && less <= len(b)-at-4 {
						out := bytes.Clone(b[:len(b)-less])
						binary.LittleEndian.PutUint32(out[at:], x)
						if !yield(out) {
							return
						}
					}
				}
			}
		}
	}
}

// smallerCounts makes a word that may be a count smaller by one. It leaves out the bytes of one
// element behind it.
func smallerCounts(b []byte) iter.Seq[[]byte] {
	const element = 24 // bytes of the largest element that is tried
	return func(yield func([]byte) bool) {
		for at := 0; at+4 <= len(b); at += 4 {
			word := binary.LittleEndian.Uint32(b[at:])
			for less := 4; less <= element && word > 0 && word < uint32(len(b)) && at+4+less <= len(b); less += 4 {
				out := slices.Delete(bytes.Clone(b), at+4, at+4+less)
				binary.LittleEndian.PutUint32(out[at:], word-1)
				if !yield(out) {
					return
				}
			}
		}
	}
}

// smallerWords makes words and bytes smaller, and leaves the length unchanged.
func smallerWords(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; at+4 <= len(b); at += 4 {
			word := binary.LittleEndian.Uint32(b[at:])
			for _, x := range []uint32{0, 1, word & 0xff} {
				if x < word {
					out := bytes.Clone(b)
					binary.LittleEndian.PutUint32(out[at:], x)
					if !yield(out) {
						return
					}
				}
			}
		}
		for at := range b {
			if b[at] != 0 {
				out := bytes.Clone(b)
				out[at] = 0
				if !yield(out) {
					return
				}
			}
		}
	}
}
