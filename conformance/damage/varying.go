// Numbers of varying width, with the sizes of the regions around them repaired.

package damage

import (
	"bytes"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// varying damages a number of varying width: with more bits than a number has, and with more bytes than it needs.
func (w *work) varying(ev *interp.Event, c bytecode.Coding) {
	put := func(kind Kind, with []byte) {
		w.put(kind, ev, ev.Rule, ev.Offset, ev.Len, with...)
		w.inRegions(kind, ev, with)
	}
	for _, last := range []byte{0x00, 0x01, 0x7f} {
		for _, rest := range []byte{0x80, 0xff} {
			put(BeyondWord, append(bytes.Repeat([]byte{rest}, builtin.MaxCoded-1), last))
		}
	}
	put(BeyondWord, append(bytes.Repeat([]byte{0xff}, builtin.MaxCoded), 0x7f))
	longer := append([]byte{0x80}, w.b[ev.Offset:ev.Offset+ev.Len]...)
	if c != builtin.VLQ {
		longer = append(bytes.Clone(longer[1:]), 0)
		longer[ev.Len-1] |= 0x80
	}
	put(LongerForm, longer)
}

// region is a part of a packet that an expression says the size of.
type region struct {
	from int
	size uint64
	rows int // events before it
}

// inRegions replaces the bytes of an event, and enlarges the regions around it. The size of a region is the last
// word before it that is the size unchanged. Without regions, or if the size of one is not such a word, nothing is reported.
func (w *work) inRegions(kind Kind, ev *interp.Event, with []byte) {
	more := uint64(len(with) - ev.Len)
	out := slices.Concat(w.b[:ev.Offset], with, w.b[ev.Offset+ev.Len:])
	inside := false
	for _, r := range w.regions {
		if ev.Offset < r.from || uint64(ev.Offset-r.from) >= r.size {
			continue
		}
		inside = true
		if !w.enlarge(out, r, more) {
			return
		}
	}
	if inside {
		w.report(kind, ev, ev.Rule, ev.Offset, ev.Len, out)
	}
}

// enlarge adds to the size of a region in a changed packet. It reports false if no word before the region is its size.
func (w *work) enlarge(out []byte, r region, more uint64) bool {
	for _, before := range slices.Backward(w.events[:r.rows]) {
		if before.Kind != interp.Row || !before.Derived || before.End() > r.from {
			continue
		}
		found := w.e.find(&before)
		if found == nil || found.scalar.Width() != before.Len {
			continue
		}
		for _, p := range found.parts {
			if p.role != length || !p.direct || before.Number&p.mask()>>p.shift != r.size || r.size+more > p.mask()>>p.shift {
				continue
			}
			number := before.Number&^p.mask() | (r.size+more)<<p.shift
			copy(out[before.Offset:], w.scalar(&before, found.scalar, number))
			return true
		}
	}
	return false
}
