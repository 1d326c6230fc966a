// Notes: words that hold checksums of bases, until these are complete.

package interp

import (
	"fmt"
	"slices"
)

// note is a word that holds the checksum of a base, which is not complete.
type note struct {
	from, to int    // in the input, or in the output
	number   uint64 // reading: that was read
	rule     uint32
	base     int // writing, of a part: the base for which it is noted, among those that are open
}

func (x note) moved(by int) note {
	x.from += by
	x.to += by
	return x
}

// without returns the bytes between two places. Those of some words are replaced.
func without(b []byte, from, to int, holes []note, with byte) []byte {
	b = b[from:to]
	copied := false
	for _, x := range holes {
		for i := max(x.from, from); i < min(x.to, to); i++ {
			if !copied {
				b, copied = slices.Clone(b), true
			}
			b[i-from] = with
		}
	}
	return b
}

// notesOf returns the words that are noted for the innermost base with a name.
func notesOf(bases []base, name uint32) []note {
	if i := innermost(bases, name); i >= 0 {
		return bases[i].notes
	}
	return nil // unreachable: the verifier asks for an open base around a checksum
}

// note notes the word before the cursor, which has a width and some number.
func (g *reading) note(name uint32, width int, number uint64, rule uint32) bool {
	i := innermost(g.bases, name)
	if i < 0 {
		return g.fail(ErrMismatch, g.pos, rule, "a checksum inside of its base", "") // unreachable: the verifier asks for that
	}
	b := &g.bases[i]
	b.notes = append(b.notes, note{from: g.pos - width, to: g.pos, number: number, rule: rule})
	if n := len(g.aways); n > 0 {
		g.aways[n-1].alone = true
	}
	return true
}

// totalled returns the bytes of the base that was closed last. Those of the words that hold its checksum
// are replaced.
func (g *reading) totalled(with byte) []byte {
	return without(g.in, g.closed.begin, g.pos, g.closed.notes, with)
}

// totals refuses words that do not hold the checksum of the base that was closed last.
func (g *reading) totals(want uint64) bool {
	for _, x := range g.closed.notes {
		if x.number != want {
			return g.fail(ErrChecksum, x.from, x.rule, "", fmt.Sprintf("%s is %#x, but the bytes give %#x", lastName(g.row(x.rule)), x.number, want))
		}
	}
	return true
}

// note notes the word that was written last, which has a width.
func (g *writing) note(name uint32, width int, rule uint32) bool {
	i := innermost(g.bases, name)
	if i < 0 {
		return g.fail(ErrMismatch, rule, "a checksum inside of its base", "") // unreachable: the verifier asks for that
	}
	b := &g.bases[i]
	b.notes = append(b.notes, note{from: len(g.out) - width, to: len(g.out), rule: rule})
	if n := len(g.aways); n > 0 {
		g.aways[n-1].alone = true
	}
	return true
}

// totalled returns the bytes of the base that was closed last. Those of the words that hold its checksum
// are replaced.
func (g *writing) totalled(with byte) []byte {
	return without(g.out, g.closed.begin, len(g.out), g.closed.notes, with)
}

// cutNotes takes the notes of all bases from a place on, counted from there.
func (g *writing) cutNotes(from int) (cut []note) {
	for i := range g.bases {
		b := &g.bases[i]
		b.notes = slices.DeleteFunc(b.notes, func(x note) bool {
			if x.from < from {
				return false
			}
			x.base = i
			cut = append(cut, x.moved(-from))
			return true
		})
	}
	return cut
}

// putNotes gives bases back the notes of a part, which is at a place of the output now.
func (g *writing) putNotes(cut []note, at int) {
	for _, x := range cut {
		b := &g.bases[x.base]
		b.notes = append(b.notes, x.moved(at))
	}
}

// shiftNotes moves the notes of all bases from a place on, where bytes were inserted.
func (g *writing) shiftNotes(from, by int) {
	for i := range g.bases {
		for k, x := range g.bases[i].notes {
			if x.from >= from {
				g.bases[i].notes[k] = x.moved(by)
			}
		}
	}
}
