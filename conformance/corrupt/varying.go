// Numbers of varying width, with the sizes of the regions around them repaired.

package corrupt

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// varying damages a number of varying width. The result has more bits than a number has, or more bytes than it needs.
func (w *work) varying(ev *interp.Event, c bytecode.Coding) {
	put := func(kind Kind, with []byte) {
		w.put(kind, ev, ev.Rule, ev.Offset, ev.Len, with...)
		w.inRegions(kind, ev, ev.Offset, ev.Len, with)
	}
	if c.End() != "" {
		w.endedDigits(ev, c, put)
		return
	}
	switch c {
	case builtin.QUIC, builtin.CompactSize, builtin.EBML:
		w.led(ev, c, put)
		return
	case builtin.BER:
		number := w.b[ev.Offset : ev.Offset+ev.Len]
		if ev.Len > 1 {
			number = number[1:]
		}
		put(BeyondWord, []byte{0x80})
		put(BeyondWord, append([]byte{0x80 | builtin.MaxCoded}, bytes.Repeat([]byte{0}, builtin.MaxCoded)...))
		put(BeyondWord, append([]byte{0x80 | (builtin.MaxCoded - 1), 1}, bytes.Repeat([]byte{0}, builtin.MaxCoded-2)...))
		put(LongerForm, slices.Concat([]byte{0x80 | byte(len(number)+1), 0}, number))
		if ev.Len == 1 {
			put(LongerForm, append([]byte{0x81}, number...))
		}
		return
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

// endedDigits damages a number in digits before a terminator. It writes more digits than a number has, no digits,
// other bytes, and another form.
func (w *work) endedDigits(ev *interp.Event, c bytecode.Coding, put func(Kind, []byte)) {
	end, last := c.End(), c.Alphabet()[c.Base()-1:]
	number := string(w.b[ev.Offset : ev.Offset+ev.Len-len(end)])
	digits, sign := strings.TrimPrefix(number, "-"), ""
	if len(digits) < len(number) {
		sign = "-"
	}
	for _, text := range []string{strings.Repeat(last, 22), strings.Repeat("0", builtin.MaxDigits+1), "", "-", "-" + digits, digits + "-", "+" + digits, digits + "g"} {
		put(BeyondWord, []byte(text+end))
	}
	if c.Base() == 10 {
		for _, text := range []string{"18446744073709551616", "9223372036854775808", "-9223372036854775809"} {
			put(BeyondWord, []byte(text+end))
		}
	}
	for _, text := range []string{sign + "0" + digits, "-0", sign + strings.ToUpper(digits), sign + strings.ToLower(digits), sign + strings.Repeat("0", builtin.MaxDigits-len(digits)) + digits} {
		if text != number && (c.Signed() || !strings.HasPrefix(text, "-")) {
			put(LongerForm, []byte(text+end))
		}
	}
	if other := end[:len(end)-1] + string(end[len(end)-1]^1); ev.Len > 0 {
		put(BeyondWord, []byte(number+other))
	}
}

// led damages a number whose first byte says how many bytes follow. It writes a first byte that no number has, and
// more bytes than the number needs.
func (w *work) led(ev *interp.Event, c bytecode.Coding, put func(Kind, []byte)) {
	x := uint64(ev.Value.Int())
	if ev.Value.Kind() == interp.None {
		x = ev.Number
	}
	low := binary.LittleEndian.AppendUint64(nil, x)
	high := reversed(low)
	switch c {
	case builtin.QUIC:
		for size := uint(1); size < 4; size++ {
			if n := 1 << size; n > ev.Len {
				longer := slices.Clone(high[8-n:])
				longer[0] |= byte(size << 6)
				put(LongerForm, longer)
			}
		}
	case builtin.CompactSize:
		for size := range byte(3) {
			if n := 2 << size; n >= ev.Len {
				put(LongerForm, append([]byte{0xfd + size}, low[:n]...))
			}
		}
	case builtin.EBML:
		put(BeyondWord, []byte{0})
		for n := 1; n <= 8; n++ {
			put(BeyondWord, append([]byte{0xff >> (n - 1)}, bytes.Repeat([]byte{0xff}, n-1)...))
			if n > ev.Len {
				longer := slices.Clone(high[8-n:])
				longer[0] |= 0x80 >> (n - 1)
				put(LongerForm, longer)
			}
		}
	}
}

// region is a part of a packet that an expression says the size of.
type region struct {
	from int
	size uint64
	rows int // events before it
}

// end returns the offset of the first byte after the region.
func (r *region) end() int { return r.from + int(r.size) }

// holds reports whether a byte of the packet is in the region.
func (r *region) holds(offset int) bool { return r.from <= offset && offset < r.end() }

// edit is a change of a packet: n bytes at an offset are replaced.
type edit struct {
	offset, n int
	with      []byte
}

// inRegions replaces n bytes at an offset in the row of an event. It also changes the sizes of the regions around them.
// The size of a region is computed from the last word before it that gives the size. Without regions, or if there is no
// such word, nothing is reported.
func (w *work) inRegions(kind Kind, ev *interp.Event, offset, n int, with []byte) {
	edits := []edit{{offset: offset, n: n, with: with}}
	for _, r := range w.regions { // the inner ones first
		if r.holds(offset) && !w.enlarge(&edits, r) {
			return
		}
	}
	if len(edits) == 1 {
		return
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.offset - b.offset })
	var out []byte
	at := 0
	for _, x := range edits {
		out = append(append(out, w.b[at:x.offset]...), x.with...)
		at = x.offset + x.n
	}
	w.report(kind, ev, ev.Rule, offset, n, append(out, w.b[at:]...))
}

// Ended returns packets in which a region ends too early, before each of some bytes in turn. It cuts the innermost
// region around the byte: the rest of the region is left out, and the sizes of the regions around it are reduced.
// Without regions it is the packet that ends. In a second packet all other bytes of the region are 0, so that numbers
// in it say that nothing is behind its end. In a third one parts whose places are behind the end are at the beginning
// of their record.
func (e *Engine) Ended(b []byte, before []int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w := &work{e: e, b: b, yield: func(c Change) bool { return yield(c.Packet) }}
		w.events, w.regions, _ = e.trace(b)
		for _, at := range before {
			from, end, inside := at, len(b), false
			for _, r := range w.regions {
				if r.holds(at) && r.end() <= end {
					from, end, inside = r.from, r.end(), true
				}
			}
			for i, form := range [][]byte{b, cleared(b, from, at), w.moved(at)} {
				if i > 0 && bytes.Equal(form, b) {
					continue
				}
				if w.b = form; inside {
					w.inRegions(CutBefore, &w.events[0], at, end-at, nil)
				} else {
					w.put(CutBefore, &w.events[0], w.events[0].Rule, at, end-at)
				}
				w.b = b
			}
		}
	}
}

// cleared returns a packet with bytes that are 0.
func cleared(b []byte, from, to int) []byte {
	b = slices.Clone(b)
	clear(b[from:to])
	return b
}

// moved returns the packet with the places of parts at 0, in the words before an offset.
func (w *work) moved(end int) []byte {
	b := slices.Clone(w.b)
	for i := range w.events {
		ev := &w.events[i]
		if ev.Kind != interp.Row || ev.End() > end {
			continue
		}
		found := w.e.sizes(ev)
		if found == nil {
			continue
		}
		number := ev.Number
		for _, p := range found.parts {
			if p.role != place {
				continue
			}
			n := number & p.mask() >> p.shift
			if at, ok := p.value(n); ok && p.gives(n-at, 0) {
				n -= at
			} else {
				n = 0
			}
			number = number&^p.mask() | n<<p.shift&p.mask()
		}
		if with, ok := w.e.number(b, ev, found.scalar, number); ok && len(with) == ev.Len {
			copy(b[ev.Offset:], with)
		}
	}
	return b
}

// enlarge adds the change of the size of a region to those of a packet. It reports false if no word before the region is its
// size.
func (w *work) enlarge(edits *[]edit, r region) bool {
	more := uint64(0) // in two's complement
	for _, x := range *edits {
		if r.holds(x.offset) {
			more += uint64(len(x.with) - x.n)
		}
	}
	for _, before := range slices.Backward(w.events[:r.rows]) {
		if before.Kind != interp.Row || !before.Derived || before.End() > r.from {
			continue
		}
		found := w.e.sizes(&before)
		if found == nil || slices.ContainsFunc(*edits, func(x edit) bool { return x.offset == before.Offset }) {
			continue
		}
		for _, p := range found.parts {
			n := before.Number & p.mask() >> p.shift
			if p.role != length || n+more > p.mask()>>p.shift || !p.gives(n, r.size) || !p.gives(n+more, r.size+more) {
				continue
			}
			with, ok := w.e.number(w.b, &before, found.scalar, before.Number&^p.mask()|(n+more)<<p.shift)
			*edits = append(*edits, edit{before.Offset, before.Len, with})
			return ok
		}
	}
	return false
}
