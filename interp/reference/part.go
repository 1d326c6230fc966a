// Parts: rows at places that count from the beginning of a record.

package reference

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// base is a record that parts count from, while it is read or written.
type base struct {
	rec        *schema.Record
	begin, end int // end: of the region of a reader
	pieces     []piece
	views      []piece
	begun      int // number of parts
}

// piece is a part, or the rows of a base behind each other, which have no type.
type piece struct {
	from, to int // from the begin of the base
	typ      string
	content  []byte // of a writer
	order    int    // among the parts of the base, as they are begun
	at       *schema.Part
	id       int // of the place, if a writer chooses it
	rest     int // the place, if the number for it is 0
	notes    []note
}

// maxPlace is the highest place that a writer accepts.
const maxPlace = 1 << 40

// based walks a record that begins at an offset. Parts may count from it.
func (m *meaning) based(f *frame, begin int, walk func()) {
	rec := f.rec
	if !rec.Base && rec.Total == nil {
		walk()
		return
	}
	b := &base{rec: rec, begin: begin}
	m.bases = append(m.bases, b)
	m.opened(b)
	walk()
	b.pieces = append(b.pieces, piece{to: m.here() - begin})
	m.closed(b, f)
	m.whole(b, f)
	m.bases = m.bases[:len(m.bases)-1]
}

// part walks a row, which is at the place of a part unless that is nil, and computes the checksums of
// a part.
func (m *meaning) part(at *schema.Part, field *schema.Field, f *frame, walk func()) {
	if at == nil {
		walk()
		return
	}
	place, id := m.known(at.Value, f), f.chosen[at.Place]
	for i := len(m.bases) - 1; ; i-- {
		if b := m.bases[i]; b.rec == at.Base {
			m.block(func() {
				b.begun++
				order, rest := b.begun, 0
				if m.measuring && at.Place != nil {
					rest, place = int(place), 0
				}
				noted := m.noted
				m.noted = false
				p := m.placed(b, place, func() {
					m.spanning(field, f, walk)
					for _, step := range at.Sums {
						m.sum(step, f)
					}
				})
				p.typ, p.at, p.order, p.id, p.rest = at.Type, at, order, id, rest
				if m.noted { // its checksum is not complete, so it shares its place with no other part
					p.typ = fmt.Sprintf("%s, part %d", at.Type, order)
				}
				m.noted = noted
				if at.View {
					b.views = append(b.views, p)
				} else {
					b.pieces = append(b.pieces, p)
				}
			})
			return
		}
	}
}

// chosen returns the pieces whose places a writer chooses, in their order, with these places.
func (b *base) chosen() (out []piece, want []int) {
	for order := range b.begun + 1 {
		for _, p := range b.pieces {
			if p.at != nil && p.at.Place != nil && p.order == order {
				out = append(out, p)
			}
		}
	}
	next := b.pieces[len(b.pieces)-1].to // of the rows behind each other
	for _, p := range out {
		for p.at.Align > 0 && next%p.at.Align != 0 {
			next++
		}
		want = append(want, next)
		next += p.to - p.from
	}
	return out, want
}

// distinct returns the pieces of a base that have bytes. Parts of one type at one place are one
// piece.
func (b *base) distinct() (out []piece) {
	for _, p := range b.pieces {
		shared := p.from == p.to
		for _, q := range out {
			shared = shared || p.typ != "" && p.typ == q.typ && p.from == q.from && p.to == q.to
		}
		if !shared {
			out = append(out, p)
		}
	}
	return out
}

// settle goes through the bytes of a base and returns its end. It calls overlap for the first place
// that two pieces have, and gap for bytes that no piece has.
func (b *base) settle(overlap func(from int), gap func(from, to, total int)) (end int) {
	stops := map[int]bool{} // places at which something begins or ends
	for _, p := range b.pieces {
		end = max(end, p.to)
		stops[p.from], stops[p.to] = true, true
	}
	all, total, open := b.distinct(), 0, -1
	for _, at := range slices.Sorted(maps.Keys(stops)) {
		if open >= 0 {
			total += at - open
			gap(open, at, total)
			open = -1
		}
		over := 0
		for _, p := range all {
			if p.from <= at && at < p.to {
				over++
			}
		}
		switch {
		case over > 1:
			overlap(at)
		case over == 0 && at < end:
			open = at
		}
	}
	return end
}

func (r *reader) opened(b *base) { b.end = r.end }

// placed reads a part.
func (r *reader) placed(b *base, place int64, walk func()) piece {
	if place < 0 || place > int64(b.end-b.begin) {
		fail(interp.ErrTruncated, r.pos, "a place in %d bytes, found %d", b.end-b.begin, place)
	}
	pos, end := r.pos, r.end
	r.pos, r.end, r.before = b.begin+int(place), b.end, 0
	walk()
	p := piece{from: int(place), to: r.pos - b.begin}
	if r.work -= p.to - p.from + 1; r.work < 0 {
		fail(interp.ErrLimit, b.begin+p.from, "parts that share fewer bytes")
	}
	r.pos, r.end = pos, end
	return p
}

// closed refuses parts that overlap, and bytes between them that are not 0 unless the record has a
// row of them.
func (r *reader) closed(b *base, f *frame) {
	row := b.rec.Gaps
	kept := []byte{}
	end := b.settle(func(from int) {
		fail(interp.ErrValue, b.begin+from, "bytes of one part")
	}, func(from, to, total int) {
		if total > builtin.MaxGaps {
			fail(interp.ErrLimit, b.begin+from, "at most %d bytes between parts", builtin.MaxGaps)
		}
		kept = append(kept, r.in[b.begin+from:b.begin+to]...)
		for i, x := range r.in[b.begin+from : b.begin+to] {
			if x != 0 && row == nil {
				fail(interp.ErrValue, b.begin+from+i, "zeros between parts")
			}
		}
	})
	parts, want := b.chosen()
	for i, p := range parts {
		if p.from != want[i] && !p.at.Any {
			fail(interp.ErrValue, b.begin+p.from, "the place %d", want[i])
		}
	}
	for _, v := range b.views {
		if v.to > end && row == nil { // else all bytes of the base belong to it
			fail(interp.ErrTruncated, b.begin+v.from, "bytes up to %d", end)
		}
	}
	r.pos, r.before = b.begin+end, 0
	if row == nil {
		return
	}
	for r.pos == b.end && len(kept) > 0 && kept[len(kept)-1] == 0 {
		kept = kept[:len(kept)-1]
	}
	kept = append(kept, r.in[r.pos:b.end]...)
	f.value[row.Field] = interp.MakePacked(0, builtin.U8, 1, kept)
	r.pos = b.end
}

func (w *writer) opened(*base) {}

// placed writes a part, whose bytes are kept for the end of its base.
func (w *writer) placed(_ *base, place int64, walk func()) piece {
	if place < 0 || place > maxPlace {
		fail(interp.ErrRange, len(w.out), "a place, found %d", place)
	}
	place = min(place, math.MaxInt/2) // in 32 bits; the gap before such a place is too large anyway
	begin := len(w.out)
	walk()
	p := piece{from: int(place), to: int(place) + len(w.out) - begin, content: append([]byte(nil), w.out[begin:]...)}
	w.out = w.out[:begin]
	kept := w.notes
	w.notes = nil
	for _, n := range kept {
		if n.begin < begin {
			w.notes = append(w.notes, n)
		} else {
			p.notes = append(p.notes, n.moved(-begin))
		}
	}
	return p
}

// closed puts parts into their places, with zeros or the bytes of a row between.
func (w *writer) closed(b *base, f *frame) {
	kept := []byte(nil)
	if row := b.rec.Gaps; row != nil {
		v := f.value[row.Field]
		if w.must(v, interp.Packed); v.Width() != 1 || v.Scalar() != builtin.U8 {
			w.mismatch("bytes, found %s", v.Scalar())
		}
		kept = v.Bytes()
	}
	if parts, want := b.chosen(); w.measuring && len(parts) > 0 {
		end := len(w.out) - b.begin
		for i, p := range parts {
			w.places[p.id] = int64(want[i] - p.rest)
			end = want[i] + p.to - p.from
		}
		w.out = append(w.out, make([]byte, end-(len(w.out)-b.begin))...)
		return
	}
	between := 0
	end := b.settle(func(int) {
		fail(interp.ErrValue, len(w.out), "parts that do not overlap")
	}, func(_, _, total int) {
		if between = total; total > builtin.MaxGaps {
			fail(interp.ErrLimit, len(w.out), "at most %d bytes between parts", builtin.MaxGaps)
		}
	})
	for _, p := range b.pieces {
		if p.at != nil && p.at.Last && p.to != end {
			fail(interp.ErrValue, len(w.out), "no bytes behind a part that goes up to the end")
		}
		if p.at != nil && p.at.Last && len(kept) > between {
			fail(interp.ErrValue, len(w.out), "no bytes behind a part that goes up to the end")
		}
	}
	if n := len(kept); n > 0 && n <= between && kept[n-1] == 0 {
		fail(interp.ErrValue, len(w.out), "no zeros at the end of the bytes between parts")
	}
	out := make([]byte, end, end+len(kept))
	copy(out, w.out[b.begin:])
	for _, p := range b.pieces {
		if p.typ == "" {
			continue
		}
		for _, q := range b.pieces {
			if p.from == q.from && p.to == q.to && q.typ != "" && !bytes.Equal(p.content, q.content) {
				fail(interp.ErrValue, len(w.out), "the same content in parts at one place")
			}
		}
		copy(out[p.from:], p.content)
		for _, n := range p.notes {
			w.notes = append(w.notes, n.moved(b.begin+p.from))
		}
	}
	b.settle(func(int) {}, func(from, to, _ int) {
		kept = kept[copy(out[from:to], kept):]
	})
	w.out = append(append(w.out[:b.begin], out...), kept...)
	end, out = len(w.out)-b.begin, w.out[b.begin:]
	for _, v := range b.views {
		if v.to > end || !bytes.Equal(v.content, out[v.from:v.to]) || v.at.Last && v.to != end {
			fail(interp.ErrValue, len(w.out), "the bytes %d to %d", v.from, v.to)
		}
	}
}
