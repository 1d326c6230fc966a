// Parts: rows at places that count from the beginning of a record.

package interp

import (
	"bytes"
	"cmp"
	"fmt"
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
}

// part is a part that was read or written, or the rows of its base behind each other.
type part struct {
	from, to int    // from the first byte of the base
	kind     uint32 // text of the program: parts of one kind may share a place; None for the rows of the base
	rule     uint32
	bytes    []byte // writing: its content
}

// away is a cursor that is at the place of a part.
type away struct {
	base     int // of the bases that are open
	from     int // place of the part in it
	begin    int // in the input, or in the output
	pos, end int // reading: where the cursor was
	seek     *bytecode.Instr
}

// maxPlace bounds the places that a writer accepts. Readers have shorter inputs.
const maxPlace = 1 << 40

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
	g.aways = append(g.aways, away{base: i, from: int(from), begin: b.begin + int(from), pos: g.pos, end: g.end, seek: in})
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
	b.parts = append(b.parts, part{from: a.from, to: a.from + n, kind: g.m.texts[a.seek.C], rule: a.seek.Rule})
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
	g.pos = b.begin + end
	g.bases = g.bases[:len(g.bases)-1]
	return true
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
	if from < 0 || from > maxPlace {
		return g.fail(ErrRange, in.Rule, "a place for "+g.p.Rules[in.Rule].Name, strconv.FormatInt(from, 10))
	}
	g.aways = append(g.aways, away{base: i, from: int(from), begin: len(g.out), seek: in})
	return true
}

// back keeps the bytes of a part for the end of its base.
func (g *writing) back() {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	content := slices.Clone(g.out[a.begin:])
	g.out = g.out[:a.begin]
	b := &g.bases[a.base]
	b.parts = append(b.parts, part{from: a.from, to: a.from + len(content), kind: g.m.texts[a.seek.C], rule: a.seek.Rule, bytes: content})
}

// close puts the parts of a base into their places.
func (g *writing) close(rule uint32) bool {
	b := &g.bases[len(g.bases)-1]
	sequence := len(g.out) - b.begin
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

// hasParts reports whether a program has parts. Such programs are run by their instructions.
func hasParts(p *bytecode.Program) bool {
	return slices.ContainsFunc(p.Code, func(in bytecode.Instr) bool { return in.Op == bytecode.Base })
}
