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
	name  uint32 // text of the program
	begin int    // in the input, or in the output
	end   int    // reading: of its region
	parts []part
	seen  int  // number of parts that the cursor has come to
	ahead bool // generating: parts were drawn before the cursor came to them
}

// part is a part that was read or written, or the rows of its base behind each other.
type part struct {
	from, to int    // from the first byte of the base
	kind     uint32 // text of the program: parts of one kind may share a place; None for the rows of the base
	rule     uint32
	bytes    []byte // writing: its content
	order    int    // among the parts of the base, as the cursor comes to them
	chosen   *chosen
}

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

// choose begins a place that the writer chooses. It returns the number of the place, and what the
// record writes for it: 0 while the places are not known.
func (g *writing) choose() (id, number uint64) {
	id = uint64(g.places)
	g.places++
	if g.measuring {
		g.w.chosen = append(g.w.chosen, 0)
	}
	if id < uint64(len(g.w.chosen)) {
		number = uint64(g.w.chosen[id])
	}
	return id, number
}

// choosing notes that the writer chooses the place of the next part.
func (g *writing) choosing(in *bytecode.Instr, id uint64) bool {
	if id >= uint64(g.places) {
		return g.fail(ErrMismatch, in.Rule, "the number of a place", "")
	}
	g.chosen = &chosen{id: int(id), align: int(in.B)}
	return true
}

// measure writes a value for the places that the writer chooses: they depend on the sizes of parts,
// which do not depend on them. The error, if there is one, is that of the second run.
func (w *Writer) measure(dst []byte, v Value) {
	w.chosen = w.chosen[:0]
	g := &w.run
	*g = writing{w: w, m: w.m, p: w.m.p, out: dst, base: len(dst), limit: w.m.depth(&w.opt), measuring: true,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0]}
	g.routine(g.p.Root, v, nil)
	g.err = nil
}

// away is a cursor that is at the place of a part.
type away struct {
	base     int // of the bases that are open
	from     int // place of the part in it
	begin    int // in the input, or in the output
	pos, end int // reading: where the cursor was
	seek     *bytecode.Instr
	order    int
	chosen   *chosen
}

// maxPlace bounds the places that a writer accepts. Readers have shorter inputs.
const maxPlace = 1 << 40

// count numbers the parts of a base in the order in which the cursor comes to them.
func (b *base) count() int {
	b.seen++
	return b.seen
}

// innermost returns the number of the innermost open base with a name.
func innermost(p *bytecode.Program, bases []base, name uint32) (int, bool) {
	for i, b := range slices.Backward(bases) {
		if p.Strings[b.name] == p.Strings[name] {
			return i, true
		}
	}
	return 0, false
}

// same reports whether two parts may share their place.
func (a *part) same(b *part) bool { return a.from == b.from && a.to == b.to && a.kind == b.kind }

// trouble is a reason why the parts of a base cannot be where they are.
type trouble struct {
	part  *part // that overlaps, nil if a gap is the reason
	other *part // that it overlaps or, if it is the same, has other content than
	gap   int   // place of the gap
}

// arrange puts the parts of a base, which has some bytes of rows behind each other, into the order
// of their places, and calls gap for the bytes between them. It returns the end of the last one.
func (b *base) arrange(sequence int, gap func(from, to int) bool) (end int, t *trouble) {
	b.parts = append(b.parts, part{to: sequence, kind: bytecode.None})
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
	return end, nil
}

// describe returns the rule that an error is about, its kind, what is expected and what is found.
func (t *trouble) describe(p *bytecode.Program, rule uint32) (at uint32, kind error, expected, found string) {
	if t.part == nil {
		return rule, ErrLimit, fmt.Sprintf("at most %d bytes between the parts", builtin.MaxGaps), "more, from byte " + strconv.Itoa(t.gap)
	}
	name := func(x *part) string {
		if x.kind == bytecode.None {
			return "the rows before it"
		}
		return lastName(p.Rules[x.rule].Name)
	}
	x, other := t.part, t.other
	if x.kind == bytecode.None {
		x, other = other, x
	}
	place := fmt.Sprintf("%s at bytes %d to %d", name(other), other.from, other.to)
	if t.part.same(t.other) {
		return x.rule, ErrValue, "the content of " + place, "another content at the same place"
	}
	return x.rule, ErrValue, "a place outside of " + place, fmt.Sprintf("bytes %d to %d", x.from, x.to)
}

// open begins a base.
func (g *reading) open(in *bytecode.Instr) {
	g.bases = append(g.bases, base{name: in.A, begin: max(0, g.pos-int(in.B)), end: g.end})
}

// seek goes to the place of a part.
func (g *reading) seek(in *bytecode.Instr, from int64) bool {
	i, ok := innermost(g.p, g.bases, in.A)
	if !ok {
		return g.fail(ErrMismatch, g.pos, in.Rule, "a part inside of "+g.p.Strings[in.A], "")
	}
	b := &g.bases[i]
	if from < 0 || from > int64(b.end-b.begin) {
		return g.fail(ErrTruncated, g.pos, in.Rule, fmt.Sprintf("a place up to %d for %s", b.end-b.begin, g.row(in.Rule)), strconv.FormatInt(from, 10))
	}
	g.aways = append(g.aways, away{base: i, from: int(from), begin: b.begin + int(from), pos: g.pos, end: g.end, seek: in, order: b.count(), chosen: g.chosen})
	g.chosen = nil
	g.pos, g.end = b.begin+int(from), b.end
	return true
}

// back notes a part that was read, and goes back.
func (g *reading) back() bool {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	n := g.pos - a.begin
	if g.work -= n + 1; g.work < 0 {
		return g.fail(ErrLimit, a.begin, a.seek.Rule, "parts that share fewer bytes", "")
	}
	b := &g.bases[a.base]
	b.parts = append(b.parts, part{from: a.from, to: a.from + n, kind: g.m.texts[a.seek.C], rule: a.seek.Rule, order: a.order, chosen: a.chosen})
	g.pos, g.end = a.pos, a.end
	return true
}

// close ends a base. The cursor goes to its end.
func (g *reading) close(rule uint32) bool {
	b := &g.bases[len(g.bases)-1]
	end, t := b.arrange(g.pos-b.begin, func(from, to int) bool {
		for i, x := range g.in[b.begin+from : b.begin+to] {
			if x != 0 {
				return g.fail(ErrValue, b.begin+from+i, rule, "zeros between the parts", hex(x))
			}
		}
		return true
	})
	switch {
	case g.err != nil:
		return false
	case t != nil:
		at, kind, expected, found := t.describe(g.p, rule)
		offset := b.begin + t.gap
		if t.part != nil {
			offset = b.begin + t.part.from
		}
		return g.fail(kind, offset, at, expected, found)
	}
	sequence := g.pos - b.begin
	_, ok := b.expected(sequence, func(x *part, from int) bool {
		if x.from == from || x.chosen.any {
			return true
		}
		return g.fail(ErrValue, b.begin+x.from, x.rule, fmt.Sprintf("the place %d, which a writer chooses", from), strconv.Itoa(x.from))
	})
	g.pos = b.begin + end
	g.bases = g.bases[:len(g.bases)-1]
	return ok
}

// open begins a base.
func (g *writing) open(in *bytecode.Instr) {
	g.bases = append(g.bases, base{name: in.A, begin: len(g.out)})
}

// seek begins a part.
func (g *writing) seek(in *bytecode.Instr, from int64) bool {
	i, ok := innermost(g.p, g.bases, in.A)
	if !ok {
		return g.fail(ErrMismatch, in.Rule, "a part inside of "+g.p.Strings[in.A], "")
	}
	if c := g.chosen; c != nil && g.measuring {
		c.rest, from = from, 0
	}
	if from < 0 || from > maxPlace {
		return g.fail(ErrRange, in.Rule, "a place for "+g.p.Rules[in.Rule].Name, strconv.FormatInt(from, 10))
	}
	from = min(from, math.MaxInt/2) // in 32 bits; the gap before such a place is too large anyway
	g.aways = append(g.aways, away{base: i, from: int(from), begin: len(g.out), seek: in, order: g.bases[i].count(), chosen: g.chosen})
	g.chosen = nil
	return true
}

// back keeps the bytes of a part for the end of its base.
func (g *writing) back() {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	content := slices.Clone(g.out[a.begin:])
	g.out = g.out[:a.begin]
	b := &g.bases[a.base]
	b.parts = append(b.parts, part{from: a.from, to: a.from + len(content), kind: g.m.texts[a.seek.C], rule: a.seek.Rule, bytes: content, order: a.order, chosen: a.chosen})
}

// close puts the parts of a base into their places.
func (g *writing) close(rule uint32) bool {
	b := &g.bases[len(g.bases)-1]
	sequence := len(g.out) - b.begin
	if g.measuring && b.chooses() {
		end, _ := b.expected(sequence, func(x *part, from int) bool {
			g.w.chosen[x.chosen.id] = int64(from) - x.chosen.rest
			return true
		})
		g.out = append(g.out, make([]byte, max(0, end-sequence))...)
		g.bases = g.bases[:len(g.bases)-1]
		return true
	}
	end, t := b.arrange(sequence, func(int, int) bool { return true })
	if t != nil {
		at, kind, expected, found := t.describe(g.p, rule)
		return g.fail(kind, at, expected, found)
	}
	g.out = append(g.out, make([]byte, end-sequence)...)
	for _, x := range b.parts {
		copy(g.out[b.begin+x.from:], x.bytes)
	}
	g.bases = g.bases[:len(g.bases)-1]
	return true
}
