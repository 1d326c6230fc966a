// Parts while generating: places are drawn one behind the other, with room for what is not known
// yet. If parts overlap, the record is drawn again with more room.

package interp

import (
	"bytes"
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// roomy is how often a record is drawn again with twice the room for its parts.
const roomy = 7

// places are the stored numbers from which the places of parts in one base are computed.
type places struct {
	base  string
	view  bool
	cells *counting
}

// findPlaces returns the stored numbers that are places, for each base.
func findPlaces(p *bytecode.Program) []places {
	var out []places
	for i := range p.Code {
		in := &p.Code[i]
		if in.Op != bytecode.Seek {
			continue
		}
		name, view := p.Strings[in.A], in.D&bytecode.SeekView != 0
		if slices.ContainsFunc(out, func(x places) bool { return x.base == name && x.view == view }) {
			continue
		}
		out = append(out, places{name, view, findCounts(p, func(in *bytecode.Instr) uint32 {
			if in.Op == bytecode.Seek && p.Strings[in.A] == name && in.D&bytecode.SeekView != 0 == view {
				return in.B
			}
			return bytecode.None
		})})
	}
	slices.SortStableFunc(out, func(a, b places) int { // a place of both is that of a part
		switch {
		case a.view == b.view:
			return 0
		case a.view:
			return 1
		}
		return none
	})
	return out
}

// placed returns the innermost open base in which a cell is a place. The cell is one of the record
// at an instruction; view reports whether it is the place of views only.
func (g *generating) placed(pc int, cell uint32) (base int, view, ok bool) {
	for _, x := range g.g.paths.places {
		if !x.cells.has(pc, cell) {
			continue
		}
		for i := len(g.bases) - 1; i >= 0; i-- {
			if g.p.Strings[g.bases[i].name] == x.base {
				return i, x.view, true
			}
		}
	}
	return 0, false, false
}

// place draws the place of a part or a view in an open base, or any number.
func (g *generating) place(base int, view bool, s bytecode.Scalar, bits int, want uint64) uint64 {
	if g.choosing {
		g.put(0xf7)
		g.putRaw(8, want)
		return want
	}
	b := g.byte()
	if b >= 0xf0 {
		return cut(s, bits, g.raw(int(b&7)+1))
	}
	if view { // of bytes that are there already, or of a few behind them
		return cut(s, bits, uint64(int(b)%(max(0, g.at-g.bases[base].begin)+4)))
	}
	next, roomy := &g.room[base], g.roomy>>base // a base has room for those inside of it
	if *next == 0 {
		*next = max(0, g.at-g.bases[base].begin) + 16<<(b>>4&1)<<roomy
	}
	x := *next
	*next += 8 << (b & 1) << roomy
	return cut(s, bits, uint64(x))
}

// progress is how far parts were drawn.
type progress struct {
	aways       int
	parts, room []int // of each open base
}

// drawnPart is a part that was drawn. A word has no value.
type drawnPart struct {
	kind  uint32
	value Value
}

// same reports whether parts may share a place: they are of one kind, and of one value.
func (x *drawnPart) same(y *drawnPart) bool {
	return x.kind == y.kind && x.value.kind != None && Identical(x.value, y.value, true)
}

// partsSoFar returns how far parts were drawn.
func (g *generating) partsSoFar() progress {
	p := progress{aways: len(g.aways)}
	for i := range g.bases {
		p.parts = append(p.parts, len(g.bases[i].parts))
		p.room = append(p.room, g.room[i])
	}
	return p
}

// partsBack forgets the parts that were drawn since.
func (g *generating) partsBack(p progress) {
	g.chosen = nil
	g.bases, g.drawn, g.room, g.aways = g.bases[:len(p.parts)], g.drawn[:len(p.parts)], g.room[:len(p.parts)], g.aways[:p.aways]
	for i, n := range p.parts {
		g.bases[i].parts, g.drawn[i], g.room[i] = g.bases[i].parts[:n], g.drawn[i][:n], p.room[i]
	}
}

// span identifies the parts of a cell that was drawn before the instruction that writes it. In each
// open base they are those behind the number from, up to the number to.
type span struct{ from, to []int }

// begun returns the number of parts of each open base.
func (g *generating) begun() (seen []int) {
	for i := range g.bases {
		seen = append(seen, g.bases[i].seen)
	}
	return seen
}

// reach comes to a cell that was drawn before. Its parts are behind those that were drawn since,
// as those of a writer are: with alignment, the size of the base depends on their order.
func (g *generating) reach(f *frame, c uint32) {
	x := f.ahead[c]
	for i, from := range x.from {
		b, to := &g.bases[i], x.to[i]
		for k := range b.parts {
			if p := &b.parts[k]; from < p.order && p.order <= to {
				p.order += b.seen - from
			}
		}
		b.seen += to - from
	}
}

// visit runs an instruction of the parts of a record.
func (g *generating) visit(f *frame, in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Base:
		g.open(in)
	case bytecode.Chosen:
		g.chosen = &chosen{id: int(f.regs[in.A]), align: int(in.B)}
	case bytecode.Seek:
		return g.seek(f, in)
	case bytecode.Back:
		g.back(f)
	case bytecode.Close:
		return g.close(f)
	}
	return true
}

// open begins a base.
func (g *generating) open(in *bytecode.Instr) {
	g.bases, g.room = append(g.bases, base{name: g.m.texts[in.A], begin: g.at}), append(g.room, 0)
	g.drawn = append(g.drawn, nil)
}

// seek begins a part.
func (g *generating) seek(f *frame, in *bytecode.Instr) bool {
	from, ok := g.eval(f, in.B)
	c := g.chosen
	if g.chosen = nil; c != nil {
		c.rest, from = from, 0
	}
	i := innermost(g.bases, g.m.texts[in.A])
	if !ok || i < 0 || from < 0 || from > maxPlace {
		return g.fail("%s has no place", g.rule(f))
	}
	from = min(from, math.MaxInt/2) // in 32 bits; the gap before such a place is too large anyway
	x := part{from: int(from), kind: g.m.texts[in.C], rule: in.Rule, order: g.bases[i].count(), chosen: c, last: g.m.last[f.pc], view: in.D&bytecode.SeekView != 0}
	g.aways = append(g.aways, away{part: x, base: i, begin: g.at})
	f.part = nil
	return true
}

// back ends a part.
func (g *generating) back(f *frame) {
	a := g.aways[len(g.aways)-1]
	g.aways = g.aways[:len(g.aways)-1]
	b := &g.bases[a.base]
	if a.view { // see generate_views.go
		g.at = a.begin
		return
	}
	a.to = a.from + g.at - a.begin
	x := drawnPart{kind: a.kind}
	if f.part != nil {
		x.value = *f.part
	}
	if !g.choosing {
		a.kind = g.group(a.base, &x)
	}
	g.drawn[a.base] = append(g.drawn[a.base], x)
	b.parts = append(b.parts, a.part)
	g.at = a.begin
}

// group returns the number of the first part of a base with the same content. Parts of one group may
// share a place.
func (g *generating) group(base int, x *drawnPart) uint32 {
	for i := range g.drawn[base] {
		if g.drawn[base][i].same(x) {
			return uint32(i)
		}
	}
	return uint32(len(g.drawn[base]))
}

// gaps draws the bytes between the parts of the innermost base, some of them behind the last part.
func (g *generating) gaps(f *frame, c uint32) (Value, bool) {
	b := g.bases[len(g.bases)-1]
	b.parts = slices.Clone(b.parts)
	room, open, n := 0, true, none
	end, overlap := b.arrange(g.at-b.begin, func(from, to int) bool {
		room += to - from
		return true
	})
	for i := range b.parts {
		open = open && !b.parts[i].last
	}
	if g.p.Code[f.pc+1].Op == bytecode.Close && overlap == nil && open {
		if left := g.remainder(f, f.pc+1); left >= 0 { // up to the end of the region
			open = false
			if left += g.at - b.begin - end; left > 0 {
				n = room + left
			}
		}
	}
	v, ok := g.packed(f, c, &bytecode.Instr{A: uint32(bytecode.U8), B: 1}, n)
	if !ok || overlap != nil {
		return v, ok // close fails if parts overlap
	}
	if n >= 0 {
		g.bases[len(g.bases)-1].gaps = n - room
		return v, true
	}
	content := slices.Clone(v.Bytes())
	if g.flag(false) && open {
		content = append(make([]byte, room), append(content, 0)...)
	}
	if !open {
		content = content[:min(room, len(content))]
	}
	if len(content) <= room {
		content = bytes.TrimRight(content, "\x00")
	}
	if g.choosing && len(content) != int(v.n) {
		return v, g.fail("%s has bytes that are not between parts", g.rule(f))
	}
	g.bases[len(g.bases)-1].gaps = max(0, len(content)-room) // behind the last part
	return MakePacked(0, bytecode.U8, 1, content), true
}

// close ends a base.
func (g *generating) close(f *frame) bool {
	last := len(g.bases) - 1
	b := &g.bases[last]
	if b.chooses() {
		_, ok := b.expected(g.at-b.begin, func(x *part, from int) bool {
			x.from, x.to = from, from+x.to-x.from
			s := bytecode.Scalar(x.chosen.id)
			return s.IsInteger() && fits(s, int64(from)-x.chosen.rest)
		})
		if !ok {
			return g.fail("%s has a place that does not fit its bytes", g.rule(f))
		}
	}
	end, t := b.arrange(g.at-b.begin, func(int, int) bool { return true })
	if t != nil {
		g.narrow = t.part != nil
		return g.fail("%s has parts that overlap", g.rule(f))
	}
	g.at = b.begin + end + b.gaps
	g.bases, g.drawn, g.room = g.bases[:last], g.drawn[:last], g.room[:last]
	return true
}
