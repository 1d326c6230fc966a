// Rows at places, for programs that read bytes by themselves.

package interp

import "github.com/octable/octable/compile/bytecode"

// Places is what a reader knows of the rows at places of one packet. A program that reads by itself says where its cursor is,
// and where the region around it ends, whenever such a row or the record that it counts from begins or ends. What
// Places refuses is to be read by a [Reader], which makes the error.
type Places struct {
	g    reading
	made []chosen // that parts of the packet point to
}

// NewPlaces returns an empty Places, which [Places.Reset] makes ready.
func (m *Machine) NewPlaces() *Places { return &Places{g: reading{m: m, p: m.p}} }

// Reset begins a packet, or, if it is nil, forgets the last one.
func (p *Places) Reset(b []byte) {
	g := &p.g
	g.in, g.work, g.err, g.closed = b, partWork(len(b)), nil, base{}
	g.bases, g.aways, p.made = g.bases[:0], g.aways[:0], p.made[:0]
	for i := range g.bases[:cap(g.bases)] {
		g.bases[:cap(g.bases)][i].in = nil
	}
}

// Left reports whether rows or records have begun that have not ended.
func (p *Places) Left() bool { return len(p.g.bases)+len(p.g.aways) > 0 }

// Open begins the record of a base instruction.
func (p *Places) Open(in *bytecode.Instr, pos, end int) {
	g := &p.g
	g.pos, g.end = pos, end
	var used base // whose memory is free
	if n := len(g.bases); n < cap(g.bases) {
		used = g.bases[:n+1][n]
	}
	g.openBase(g.m.texts[in.A], int(in.B))
	b := &g.bases[len(g.bases)-1]
	b.parts, b.views = used.parts[:0], used.views[:0]
}

// Seek begins the row of a seek instruction, which counts from bytes of its record. choice is the chosen instruction before it,
// or nil. It returns the place of the row and the end of the region there.
func (p *Places) Seek(in, choice *bytecode.Instr, from int64, pos, end int) (at, to int, ok bool) {
	g, c := &p.g, (*chosen)(nil)
	if choice != nil {
		p.made = append(p.made, chosen{align: int(choice.B), any: choice.C&bytecode.ChosenAny != 0})
		c = &p.made[len(p.made)-1]
	}
	g.pos, g.end = pos, end
	ok = g.seek(g.m.texts[in.A], from, g.m.texts[in.C], in.Rule, c, in.D&bytecode.SeekView != 0)
	return g.pos, g.end, ok
}

// Back ends the row that began last. It returns where the cursor was before, and the end of the region there.
func (p *Places) Back(pos int) (at, to int, ok bool) {
	p.g.pos = pos
	ok = p.g.back()
	return p.g.pos, p.g.end, ok
}

// Gaps returns the bytes that no row of the record has which began last. Nothing but its end is behind them.
func (p *Places) Gaps(in *bytecode.Instr, pos, end int) (b []byte, ok bool) {
	p.g.pos, p.g.end = pos, end
	return p.g.gaps(in.Rule)
}

// Close ends the record that began last. It returns the place of its end, and the end of the region there.
func (p *Places) Close(in *bytecode.Instr, pos, end int) (at, to int, ok bool) {
	p.g.pos, p.g.end = pos, end
	ok = p.g.closeBase(in.Rule)
	return p.g.pos, p.g.end, ok
}
