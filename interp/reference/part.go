// Parts: rows at places that count from the beginning of a record, their base.

package reference

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// base is a record that parts count from, while it is read or written.
type base struct {
	rec        *schema.Record
	begin, end int      // end: of the region of a reader
	pieces     []*piece // in the order in which they are begun; the last one is the rows behind each other
	views      []*piece
	totals     []total
}

// piece is a part, or the rows of a base behind each other, which have no type.
type piece struct {
	from, to int // from the begin of the base
	typ      string
	content  []element // of a writer
	at       *schema.Part
	word     int   // of a writer: the word of the place
	rest     int64 // of a writer: the place, if the number in the word is 0
}

// same reports whether two pieces are the same bytes of their base.
func (p *piece) same(q *piece) bool { return p.from == q.from && p.to == q.to }

// maxPlace is the highest place that a writer accepts.
const maxPlace = 1 << 40

// based walks a record that begins at an offset. Parts, and the checksum of the whole record, may
// count from it.
func (m *walk) based(f *frame, begin int, content func()) {
	rec := f.rec
	if !rec.Base && rec.Total == nil {
		content()
		return
	}
	b := &base{rec: rec, begin: begin, end: m.end}
	m.bases = append(m.bases, b)
	content()
	b.pieces = append(b.pieces, &piece{to: m.pos - begin})
	m.close(b, f)
	m.whole(b, f)
	m.bases = m.bases[:len(m.bases)-1]
}

// baseOf returns the innermost base that is a record.
func (m *walk) baseOf(rec *schema.Record) *base {
	for i := len(m.bases) - 1; ; i-- {
		if m.bases[i].rec == rec {
			return m.bases[i]
		}
	}
}

// part walks a row with its checksums, at the place of a part unless that is nil.
func (m *walk) part(at *schema.Part, field *schema.Field, f *frame, content func()) {
	if at == nil {
		content()
		return
	}
	b, place := m.baseOf(at.Base), m.known(at.Value, f)
	p := &piece{at: at, typ: at.Type}
	if at.View {
		b.views = append(b.views, p)
	} else {
		b.pieces = append(b.pieces, p)
	}
	if m.writes && at.Place != nil {
		p.word, p.rest = f.word[at.Place], place-f.number[at.Place]
		if _, known := m.learned[p.word]; !known {
			place = 0
		}
	}
	noted, pos, end := m.noted, m.pos, m.end
	m.noted, m.before = false, 0
	if m.writes {
		m.need(place >= 0 && place <= maxPlace, interp.ErrRange, m.pos, "a place, found %d", place)
	} else {
		m.need(place >= 0 && place <= int64(b.end-b.begin), interp.ErrTruncated, m.pos, "a place in %d bytes, found %d", b.end-b.begin, place)
		m.pos, m.end = b.begin+int(place), b.end
	}
	begin := m.pos
	m.spanning(field, f, content)
	for _, step := range at.Sums {
		m.sum(step, f)
	}
	p.from = int(min(place, math.MaxInt/2)) // in 32 bits; the gap before such a place is too large anyway
	p.to = p.from + m.pos - begin
	if m.noted { // its checksum is not complete, so it shares its place with no other part
		p.typ = fmt.Sprintf("%s, part %d", at.Type, len(b.pieces))
	}
	if m.writes { // the bytes are kept for the end of the base
		p.content = slices.Clone(m.packet[begin:])
		m.packet = m.packet[:begin]
	} else {
		m.work -= p.to - p.from + 1
		m.need(m.work >= 0, interp.ErrLimit, b.begin+p.from, "parts that share fewer bytes")
	}
	m.noted, m.pos, m.end, m.before = noted, pos, end, 0
}

// chosen calls each for the parts whose places a writer chooses. Each begins at the next multiple
// of its alignment after the rows behind each other and the parts before it.
func (b *base) chosen(each func(p *piece, place int)) {
	next := b.pieces[len(b.pieces)-1].to
	for _, p := range b.pieces {
		if p.at == nil || p.at.Place == nil {
			continue
		}
		for p.at.Align > 0 && next%p.at.Align != 0 {
			next++
		}
		each(p, next)
		next += p.to - p.from
	}
}

// settle returns the bytes of a base that no piece has, in order, and the end of the base. It
// refuses places that two pieces have; parts of one type at one place are one piece.
func (m *walk) settle(b *base) (gaps []span, end int) {
	all, total := slices.Clone(b.pieces), 0
	slices.SortStableFunc(all, func(p, q *piece) int { return cmp.Compare(p.from, q.from) })
	for i, p := range all {
		if p.from > end {
			total += p.from - end
			m.need(total <= builtin.MaxGaps, interp.ErrLimit, b.begin+end, "at most %d bytes between parts", builtin.MaxGaps)
			gaps = append(gaps, span{end, p.from})
			for at := b.begin + end; !m.writes && b.rec.Gaps == nil && at < b.begin+p.from; at++ {
				m.need(m.packet[at].x == 0, interp.ErrValue, at, "zeros between parts")
			}
		}
		shared := p.from == p.to || slices.ContainsFunc(all[:i], func(q *piece) bool { return q.same(p) && q.typ == p.typ && p.typ != "" })
		m.need(p.from >= end || shared, interp.ErrValue, b.begin+p.from, "bytes of one part")
		end = max(end, p.to)
	}
	return gaps, end
}

// close settles the parts of a base that has been walked. A reader refuses bytes between them
// that are not 0 unless the record has a row of them.
func (m *walk) close(b *base, f *frame) {
	if m.writes {
		m.assemble(b, f)
		return
	}
	gaps, end := m.settle(b)
	b.chosen(func(p *piece, place int) {
		m.need(p.from == place || p.at.Any, interp.ErrValue, b.begin+p.from, "the place %d", place)
	})
	row := b.rec.Gaps
	for _, v := range b.views {
		inside := v.to <= end || row != nil // to which all bytes of the base belong
		m.need(inside, interp.ErrTruncated, b.begin+v.from, "bytes up to %d", end)
	}
	m.pos, m.before = b.begin+end, 0
	if row == nil {
		return
	}
	kept := []byte{}
	for _, g := range gaps {
		kept = append(kept, plain(m.packet[b.begin+g.begin:b.begin+g.end])...)
	}
	if m.pos == b.end { // a writer fills gaps with zeros
		kept = bytes.TrimRight(kept, "\x00")
	}
	kept = append(kept, m.take(int64(b.end-m.pos), 1)...)
	f.value[row.Field] = interp.MakePacked(0, builtin.U8, 1, kept)
}

// assemble puts parts into their places, with zeros or the bytes of a row between.
func (m *walk) assemble(b *base, f *frame) {
	var kept []byte
	if row := b.rec.Gaps; row != nil {
		kept = m.octets(f.value[row.Field])
	}
	b.chosen(func(p *piece, place int) {
		if _, known := m.learned[p.word]; !known { // not refused before it is in its word
			p.from, p.to = place, place+p.to-p.from
		}
		m.learned[p.word] = int64(place) - p.rest
	})
	gaps, end := m.settle(b)
	between := 0
	for _, g := range gaps {
		between += g.end - g.begin
	}
	for _, p := range b.pieces {
		behind := p.to < end || len(kept) > between
		m.need(!behind || p.at == nil || !p.at.Last, interp.ErrValue, m.pos, "no bytes behind a part that goes up to the end")
	}
	n := len(kept)
	m.need(n == 0 || n > between || kept[n-1] != 0, interp.ErrValue, m.pos, "no zeros at the end of the bytes between parts")
	out := make([]element, end)
	copy(out, m.packet[b.begin:])
	for i, p := range b.pieces {
		for _, q := range b.pieces[:i] {
			differ := p.typ != "" && q.typ != "" && q.same(p) && !bytes.Equal(plain(p.content), plain(q.content))
			m.need(!differ, interp.ErrValue, m.pos, "the same content in parts at one place")
		}
		copy(out[p.from:], p.content)
	}
	for _, g := range gaps {
		for at := g.begin; at < g.end && len(kept) > 0; at++ {
			out[at].x, kept = kept[0], kept[1:]
		}
	}
	m.packet = append(m.packet[:b.begin], out...)
	m.put(kept...)
	for _, v := range b.views {
		whole := plain(m.packet[b.begin:])
		shown := v.to <= len(whole) && bytes.Equal(plain(v.content), whole[v.from:v.to]) && (v.to == len(whole) || !v.at.Last)
		if !shown && m.refused == nil { // the places of bases around it follow from it nevertheless
			m.refused = m.failure(interp.ErrValue, m.pos, "the bytes %d to %d", v.from, v.to)
		}
	}
}
