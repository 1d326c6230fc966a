// Parts: rows at places that count from the beginning of a record.

package interp

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// base is a record that parts count from, while it is read or written.
type base struct {
	name  uint32 // text of the program; texts that are the same have one number
	begin int    // in the input, or in the output
	end   int    // reading: of its region
	parts []part
	views []part
	seen  int    // number of parts and views that the cursor has come to
	keeps bool   // reading: the gaps are read; writing: the output from gaps on is for them
	gaps  int    // from begin
	rule  uint32 // of the gaps
	in    []byte // reading: the input
	notes []note // of the words that hold its checksum; writing: without those in parts
}

// part is a part that was read or written, or the rows of its base behind each other.
type part struct {
	from, to int    // from the first byte of the base
	kind     uint32 // text of the program: parts of one kind may share a place
	rule     uint32
	bytes    []byte // writing: its content
	order    int    // among the parts of the base, as the cursor comes to them
	chosen   *chosen
	last     bool   // writing: no byte of the base is behind it
	view     bool   // its bytes are those of other parts
	alone    bool   // it shares its place with no other part: it has a word that holds the checksum of its base
	notes    []note // writing: of words in it, counted from its begin
}

// inSequence is the kind of the rows of a base that are not parts.
const inSequence = math.MaxUint32

// chosen is a place that a writer chooses.
type chosen struct {
	id    int // writing: of the place
	align int
	any   bool  // a reader accepts others
	rest  int64 // writing: the place, if the number that the record writes for it is 0
}

// expected calls f for the places that a writer chooses, with the part that is to be there. The
// rows of the base behind each other have some bytes.
func (b *base) expected(sequence int, f func(x *part, from int) bool) (end int, ok bool) {
	slices.SortStableFunc(b.parts, func(x, y part) int { return cmp.Compare(x.order, y.order) })
	end = sequence
	for i := range b.parts {
		x := &b.parts[i]
		if x.chosen == nil {
			continue
		}
		end += (x.chosen.align - end%x.chosen.align) % x.chosen.align
		if !f(x, end) {
			return end, false
		}
		end += x.to - x.from
	}
	return end, true
}

// chooses reports whether a writer chooses the places of a base.
func (b *base) chooses() bool {
	return slices.ContainsFunc(b.parts, func(x part) bool { return x.chosen != nil })
}

// choose begins a place that the writer chooses. It returns the number of the place.
func (g *writing) choose() uint64 {
	if g.measuring {
		g.held = append(g.held, 0)
	}
	g.places++
	return uint64(g.places - 1)
}

// heldFor returns what the record writes for a place: 0 while the places are not known.
func (g *writing) heldFor(place uint64) uint64 {
	if place < uint64(len(g.held)) {
		return uint64(g.held[place])
	}
	return 0 // unreachable: measuring has begun the same places
}

// choosing notes that the writer chooses the place of the next part.
func (g *writing) choosing(in *bytecode.Instr, id uint64) bool {
	if id >= uint64(g.places) {
		return g.fail(ErrMismatch, in.Rule, "the number of a place", "")
	}
	g.chosen = &chosen{id: int(id), align: int(in.B)}
	return true
}

// measure writes a value for the places that the writer chooses. They depend on the sizes of parts,
// which do not depend on them. The error, if there is one, is that of the second run.
func (w *Writer) measure(dst []byte, v Value) {
	g := &w.run
	*g = writing{w: w, m: w.m, p: w.m.p, out: dst, base: len(dst), limit: w.m.depth(&w.opt), measuring: true,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0], held: g.held[:0]}
	g.routine(g.p.Root, v, nil)
	g.err = nil
}

// away is a part around the cursor.
type away struct {
	part
	base     int // of the bases that are open
	begin    int // in the input, or in the output
	pos, end int // reading: the cursor and the end of its region before the part
}

// maxPlace bounds the places that a writer accepts. Readers have shorter inputs.
const maxPlace = 1 << 40

// count numbers the parts of a base in the order in which the cursor comes to them.
func (b *base) count() int {
	b.seen++
	return b.seen
}

// innermost returns the index of the innermost open base with a name, or -1.
func innermost(bases []base, name uint32) int {
	for i, b := range slices.Backward(bases) {
		if b.name == name {
			return i
		}
	}
	return none // unreachable: the verifier asks for an open base around a part and around a checksum
}

// same reports whether two parts may share their place.
func (a *part) same(b *part) bool {
	return a.from == b.from && a.to == b.to && a.kind == b.kind && !a.alone && !b.alone
}

// trouble is a reason why the parts of a base cannot be where they are.
type trouble struct {
	part  *part // that overlaps, nil if a gap is the reason
	other *part // that it overlaps or, if it is the same, has other content than; nil if bytes are behind the part
	gap   int   // place of the gap
}

// arrange puts the parts of a base into the order of their places. It calls gap for the bytes
// between them. The first bytes of the base, up to sequence, are rows behind each other. It returns
// the end of the last one.
func (b *base) arrange(sequence int, gap func(from, to int) bool) (end int, t *trouble) {
	b.parts = append(b.parts, part{to: sequence, kind: inSequence})
	slices.SortStableFunc(b.parts, func(x, y part) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	var last *part // with bytes
	gaps := 0
	for i := range b.parts {
		x := &b.parts[i]
		if x.from > end {
			if gaps += x.from - end; gaps > builtin.MaxGaps {
				return end, &trouble{gap: end}
			}
			if !gap(end, x.from) {
				return end, nil
			}
			end = x.from
		}
		if x.from == x.to {
			continue
		}
		if last != nil && x.same(last) {
			if !bytes.Equal(x.bytes, last.bytes) {
				return end, &trouble{part: x, other: last}
			}
			continue
		}
		if x.from < end {
			return end, &trouble{part: x, other: last}
		}
		last, end = x, x.to
	}
	for i := range b.parts {
		if x := &b.parts[i]; x.last && x.to != end {
			return end, &trouble{part: x}
		}
	}
	return end, nil
}

// unlike returns the first view that does not show bytes of a base which ends at some place, or nil.
// Of a writer, out has the bytes of the base; it is nil for a reader.
func (b *base) unlike(end int, out []byte) *part {
	for i := range b.views {
		x := &b.views[i]
		if x.to > end || out != nil && (!bytes.Equal(x.bytes, out[x.from:x.to]) || x.last && x.to != end) {
			return x
		}
	}
	return nil
}

// keep notes a part or a view of the base.
func (b *base) keep(x *part) {
	if x.view {
		b.views = append(b.views, *x)
	} else {
		b.parts = append(b.parts, *x)
	}
}

// describe returns the rule that an error is about, the expected and the found text, and its kind.
// row returns the name of a row.
func (t *trouble) describe(row func(rule uint32) string, rule uint32) (at uint32, expected, found string, kind error) {
	if t.part == nil {
		return rule, fmt.Sprintf("at most %d bytes between the parts", builtin.MaxGaps), "more, from byte " + strconv.Itoa(t.gap), ErrLimit
	}
	name := func(x *part) string {
		if x.kind == inSequence {
			return "the rows before it"
		}
		return lastName(row(x.rule))
	}
	x, other := t.part, t.other
	if other == nil {
		return x.rule, "the last bytes of its record", fmt.Sprintf("bytes %d to %d", x.from, x.to), ErrValue
	}
	if x.kind == inSequence {
		x, other = other, x
	}
	place := fmt.Sprintf("%s at bytes %d to %d", name(other), other.from, other.to)
	if t.part.same(t.other) {
		return x.rule, "the content of " + place, "another content at the same place", ErrValue
	}
	return x.rule, "a place outside of " + place, fmt.Sprintf("bytes %d to %d", x.from, x.to), ErrValue
}

// openBase begins a base, some bytes before the cursor.
func (g *reading) openBase(name uint32, back int) {
	g.bases = append(g.bases, base{name: name, begin: max(0, g.pos-back), end: g.end})
}

// seek goes to the place of a part or a view. c is not nil if a writer chooses the place.
func (g *reading) seek(name uint32, from int64, kind, rule uint32, c *chosen, view bool) bool {
	i := innermost(g.bases, name)
	if i < 0 {
		return g.fail(ErrMismatch, g.pos, rule, "a part inside of its base", "") // unreachable: the verifier asks for that
	}
	b := &g.bases[i]
	if from < 0 || from > int64(b.end-b.begin) {
		return g.fail(ErrTruncated, g.pos, rule, fmt.Sprintf("a place up to %d for %s", b.end-b.begin, g.row(rule)), strconv.FormatInt(from, 10))
	}
	x := part{from: int(from), kind: kind, rule: rule, order: b.count(), chosen: c, view: view}
	g.aways = append(g.aways, away{part: x, base: i, begin: b.begin + x.from, pos: g.pos, end: g.end})
	g.pos, g.end = b.begin+x.from, b.end
	return true
}

// back notes a part that was read, and goes back.
func (g *reading) back() bool {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	n := g.pos - a.begin
	if g.work -= n + 1; g.work < 0 {
		return g.fail(ErrLimit, a.begin, a.rule, "parts that share fewer bytes", "")
	}
	a.to = a.from + n
	g.bases[a.base].keep(&a.part)
	g.pos, g.end = a.pos, a.end
	return true
}

// settle finds out where the parts of the innermost base are, and returns the end of the last one.
// It calls gap for the bytes between them.
func (g *reading) settle(rule uint32, gap func(from, to int) bool) (end int, ok bool) {
	b, ok := &g.bases[len(g.bases)-1], true
	end, t := b.arrange(g.pos-b.begin, func(from, to int) bool {
		ok = gap(b.begin+from, b.begin+to)
		return ok
	})
	if t == nil || !ok {
		return end, ok
	}
	at, expected, found, kind := t.describe(g.row, rule)
	offset := b.begin + t.gap
	if t.part != nil {
		offset = b.begin + t.part.from
	}
	return end, g.fail(kind, offset, at, expected, found)
}

// gaps returns the bytes of the innermost base that no part has, up to its end. If no byte is behind
// the last part, it leaves out zeros at the end.
func (g *reading) gaps(rule uint32) ([]byte, bool) {
	b, kept := &g.bases[len(g.bases)-1], []byte{}
	end, ok := g.settle(rule, func(from, to int) bool {
		kept = append(kept, g.in[from:to]...)
		return true
	})
	if tail := g.in[min(b.begin+end, b.end):b.end]; len(tail) > 0 {
		kept = append(kept, tail...)
	} else {
		kept = bytes.TrimRight(kept, "\x00")
	}
	b.keeps, b.in = true, g.in
	return kept, ok
}

// closeBase ends a base. The cursor goes to its end.
func (g *reading) closeBase(rule uint32) bool {
	b := &g.bases[len(g.bases)-1]
	if b.keeps {
		g.in, g.pos, g.end = b.in, b.end, b.end
		g.closed, g.bases = *b, g.bases[:len(g.bases)-1]
		return true
	}
	sequence := g.pos - b.begin
	end, ok := g.settle(rule, func(from, to int) bool {
		for i, x := range g.in[from:to] {
			if x != 0 {
				return g.fail(ErrValue, from+i, rule, "zeros between the parts", hex(x))
			}
		}
		return true
	})
	if !ok {
		return false
	}
	_, ok = b.expected(sequence, func(x *part, from int) bool {
		if x.from == from || x.chosen.any {
			return true
		}
		return g.fail(ErrValue, b.begin+x.from, x.rule, fmt.Sprintf("the place %d, which a writer chooses", from), strconv.Itoa(x.from))
	})
	if x := b.unlike(end, nil); ok && x != nil {
		return g.fail(ErrTruncated, b.begin+x.from, x.rule, fmt.Sprintf("bytes up to %d, where the rows and parts of its record end", end), fmt.Sprintf("bytes %d to %d", x.from, x.to))
	}
	g.pos = b.begin + end
	g.closed, g.bases = *b, g.bases[:len(g.bases)-1]
	return ok
}

// openBase begins a base.
func (g *writing) openBase(name uint32) {
	g.bases = append(g.bases, base{name: name, begin: len(g.out)})
}

// seek begins a part or a view. c is not nil if the writer chooses its place; no byte of the base is
// behind the part if it is the last one.
func (g *writing) seek(name uint32, from int64, kind, rule uint32, c *chosen, last, view bool) bool {
	i := innermost(g.bases, name)
	if i < 0 {
		return g.fail(ErrMismatch, rule, "a part inside of its base", "") // unreachable: the verifier asks for that
	}
	if c != nil && g.measuring {
		c.rest, from = from, 0
	}
	if from < 0 || from > maxPlace {
		return g.fail(ErrRange, rule, "a place for "+g.row(rule), strconv.FormatInt(from, 10))
	}
	from = min(from, math.MaxInt/2) // in 32 bits; the gap before such a place is too large anyway
	x := part{from: int(from), kind: kind, rule: rule, order: g.bases[i].count(), chosen: c, last: last, view: view}
	g.aways = append(g.aways, away{part: x, base: i, begin: len(g.out)})
	return true
}

// back keeps the bytes of a part for the end of its base.
func (g *writing) back() {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	a.bytes = slices.Clone(g.out[a.begin:])
	a.to = a.from + len(a.bytes)
	a.notes = g.cutNotes(a.begin)
	g.out = g.out[:a.begin]
	g.bases[a.base].keep(&a.part)
}

// misfit describes a fault of the bytes that are kept between the parts of a base. These include the bytes
// behind the last part. The gaps between the parts have some room. The results are "" if the bytes fit.
func (b *base) misfit(kept []byte, room int) (expected, found string) {
	if n := len(kept); n > room {
		for i := range b.parts {
			if b.parts[i].last {
				return "no bytes behind the last part, which goes up to the end", countOf(n-room, "byte")
			}
		}
	} else if n > 0 && kept[n-1] == 0 {
		return "no zeros at the end of the bytes between the parts", countOf(n, "byte")
	}
	return "", ""
}

// keepGaps notes that the output from here on is the bytes that no part of the innermost base has.
func (g *writing) keepGaps(rule uint32) {
	b := &g.bases[len(g.bases)-1]
	b.keeps, b.gaps, b.rule = true, len(g.out)-b.begin, rule
}

// closeBase puts the parts of a base into their places.
func (g *writing) closeBase(rule uint32) bool {
	b := &g.bases[len(g.bases)-1]
	kept := []byte(nil)
	if b.keeps {
		kept = slices.Clone(g.out[b.begin+b.gaps:])
		g.out = g.out[:b.begin+b.gaps]
	}
	sequence := len(g.out) - b.begin
	if g.measuring && b.chooses() {
		end, _ := b.expected(sequence, func(x *part, from int) bool {
			g.held[x.chosen.id] = int64(from) - x.chosen.rest
			return true
		})
		g.out = append(g.out, make([]byte, max(0, end-sequence))...)
		g.bases = g.bases[:len(g.bases)-1]
		return true
	}
	var gaps [][2]int
	room := 0
	end, t := b.arrange(sequence, func(from, to int) bool {
		gaps, room = append(gaps, [2]int{from, to}), room+to-from
		return true
	})
	if t != nil {
		at, expected, found, kind := t.describe(g.row, rule)
		return g.fail(kind, at, expected, found)
	}
	if expected, found := b.misfit(kept, room); expected != "" {
		return g.fail(ErrValue, b.rule, expected, found)
	}
	g.out = append(g.out, make([]byte, end-sequence)...)
	for _, x := range b.parts {
		copy(g.out[b.begin+x.from:], x.bytes)
		g.putNotes(x.notes, b.begin+x.from)
	}
	for _, gap := range gaps {
		kept = kept[copy(g.out[b.begin+gap[0]:b.begin+gap[1]], kept):]
	}
	g.out = append(g.out, kept...) // behind the last part
	if !g.measuring {              // otherwise views may show places that are not known yet
		if x := b.unlike(len(g.out)-b.begin, g.out[b.begin:]); x != nil {
			return g.fail(ErrValue, x.rule, fmt.Sprintf("the bytes %d to %d of its record", x.from, x.to), "other bytes")
		}
	}
	g.closed, g.bases = *b, g.bases[:len(g.bases)-1]
	return true
}
