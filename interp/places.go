// Rows at places, for programs that read bytes by themselves.

package interp

import "github.com/octable/octable/compile/bytecode"

// ReadPlaces is the state of a reader about the rows at places of one packet. A program that reads by itself says where its cursor is,
// and where the region around it ends, whenever such a row or the record that it counts from begins or ends. What
// ReadPlaces refuses is to be read by a [Reader], which makes the error.
type ReadPlaces struct {
	g    reading
	made []chosen // that parts of the packet point to
}

// NewReadPlaces returns an empty ReadPlaces, which [ReadPlaces.Reset] makes ready.
func (m *Machine) NewReadPlaces() *ReadPlaces { return &ReadPlaces{g: reading{m: m, p: m.p}} }

// Reset begins a packet, or, if it is nil, forgets the last one.
func (p *ReadPlaces) Reset(b []byte) {
	g := &p.g
	g.in, g.work, g.err, g.closed = b, partWork(len(b)), nil, base{}
	g.bases, g.aways, p.made = g.bases[:0], g.aways[:0], p.made[:0]
	for i := range g.bases[:cap(g.bases)] {
		g.bases[:cap(g.bases)][i].in = nil
	}
}

// Open begins the record of a base instruction.
func (p *ReadPlaces) Open(in *bytecode.Instr, pos, end int) {
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
func (p *ReadPlaces) Seek(in, choice *bytecode.Instr, from int64, pos, end int) (at, to int, ok bool) {
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
func (p *ReadPlaces) Back(pos int) (at, to int, ok bool) {
	p.g.pos = pos
	ok = p.g.back()
	return p.g.pos, p.g.end, ok
}

// Gaps returns the bytes that no row of the record has which began last. Nothing but its end is behind them.
func (p *ReadPlaces) Gaps(in *bytecode.Instr, pos, end int) (b []byte, ok bool) {
	p.g.pos, p.g.end = pos, end
	return p.g.gaps(in.Rule)
}

// Close ends the record that began last. It returns the place of its end, and the end of the region there.
func (p *ReadPlaces) Close(in *bytecode.Instr, pos, end int) (at, to int, ok bool) {
	p.g.pos, p.g.end = pos, end
	ok = p.g.closeBase(in.Rule)
	return p.g.pos, p.g.end, ok
}

// Note notes the word of a note instruction, which ends at pos and has a number.
func (p *ReadPlaces) Note(in *bytecode.Instr, pos int, number uint64) bool {
	p.g.pos = pos
	return p.g.note(p.g.m.texts[in.B], in.Width(), number, in.Rule)
}

// Sum returns the checksum of the sum instruction at pc, whose parts are in registers.
func (p *ReadPlaces) Sum(pc int, regs []uint64) uint64 { return p.g.m.sum(pc, p.g.in, regs, p.g.bases) }

// Total returns the checksum of a total instruction, for the record that has ended at pos. It returns 0 if no word
// holds it.
func (p *ReadPlaces) Total(in *bytecode.Instr, pos int) uint64 {
	if p.g.pos = pos; len(p.g.closed.notes) == 0 {
		return 0
	}
	return p.g.m.total(in, p.g.totalled(byte(in.C)))
}

// Settle reports whether the words that were noted for the record hold a number.
func (p *ReadPlaces) Settle(number int64) bool {
	return p.g.totals(uint64(number))
}

// WritePlaces is the state of a writer about the rows at places of one value. A program that writes by itself gives it what was written
// so far whenever such a row or the record that it counts from begins or ends. If a writer chooses places, the value is
// written twice: the first time for the sizes of the rows. What WritePlaces refuses is to be written by a [Writer], which makes the error.
type WritePlaces struct{ g writing }

// NewWritePlaces returns an empty WritePlaces, which [WritePlaces.Reset] makes ready.
func (m *Machine) NewWritePlaces() *WritePlaces { return &WritePlaces{writing{m: m, p: m.p}} }

// Chooses reports whether writers of the program choose places.
func (m *Machine) Chooses() bool { return m.chooses }

// Reset begins a value. If sizes is true, it begins the run that only finds the sizes of its rows. The next Reset
// begins with the places that follow from them.
func (p *WritePlaces) Reset(sizes bool) {
	g := &p.g
	g.measuring, g.places, g.err, g.out, g.closed = sizes, 0, nil, nil, base{}
	clear(g.bases[:cap(g.bases)])
	clear(g.aways[:cap(g.aways)])
	if g.bases, g.aways = g.bases[:0], g.aways[:0]; sizes {
		g.held = g.held[:0]
	}
}

// Open begins the record of a base instruction.
func (p *WritePlaces) Open(in *bytecode.Instr, out []byte) {
	p.g.out = out
	p.g.openBase(p.g.m.texts[in.A])
}

// Choose begins a place that the writer chooses. It returns the number of the place, and what the record writes for it.
func (p *WritePlaces) Choose() (place, held uint64) {
	place = p.g.choose()
	return place, p.g.heldFor(place)
}

// Seek begins the row of the seek instruction at pc, which counts from bytes of its record. choice is the chosen instruction before
// it, whose place has a number, or nil.
func (p *WritePlaces) Seek(pc int, choice *bytecode.Instr, place uint64, from int64, out []byte) bool {
	g, in := &p.g, &p.g.p.Code[pc]
	g.out, g.chosen = out, nil
	if choice != nil && !g.choosing(choice, place) {
		return false // unreachable: the instruction before it has begun the place
	}
	return g.seek(g.m.texts[in.A], from, g.m.texts[in.C], in.Rule, g.chosen, g.m.last[pc], in.D&bytecode.SeekView != 0)
}

// Back ends the row that began last. It returns the output before it.
func (p *WritePlaces) Back(out []byte) []byte {
	p.g.out = out
	p.g.back()
	return p.g.out
}

// Keep says that the output from here on is the bytes between rows. They are those of the record that began last.
func (p *WritePlaces) Keep(in *bytecode.Instr, out []byte) {
	p.g.out = out
	p.g.keepGaps(in.Rule)
}

// Close ends the record that began last. It returns the output with the rows in their places.
func (p *WritePlaces) Close(in *bytecode.Instr, out []byte) ([]byte, bool) {
	p.g.out = out
	ok := p.g.closeBase(in.Rule)
	return p.g.out, ok
}

// Note notes the word of a note instruction, which was written last.
func (p *WritePlaces) Note(in *bytecode.Instr, out []byte) bool {
	p.g.out = out
	return p.g.note(p.g.m.texts[in.B], in.Width(), in.Rule)
}

// Shift says that bytes were inserted.
func (p *WritePlaces) Shift(at, bytes int) { p.g.shiftNotes(at, bytes) }

// Sum returns the checksum of the sum instruction at pc, whose parts are in registers.
func (p *WritePlaces) Sum(pc int, regs []uint64, out []byte) uint64 {
	return p.g.m.sum(pc, out, regs, p.g.bases)
}

// Total returns the checksum of a total instruction, for the record that has ended. It returns 0 if no word holds it,
// or if only the sizes of rows are wanted.
func (p *WritePlaces) Total(in *bytecode.Instr, out []byte) uint64 {
	if p.g.out = out; p.g.measuring || len(p.g.closed.notes) == 0 {
		return 0
	}
	return p.g.m.total(in, p.g.totalled(byte(in.C)))
}

// Settle puts a number into the words that were noted for the record.
func (p *WritePlaces) Settle(in *bytecode.Instr, number int64, out []byte) bool {
	p.g.out = out
	return p.g.measuring || p.g.settle(in, number)
}
