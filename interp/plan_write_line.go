// Writing by plans: the rows of one record.

package interp

import (
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// execute executes a row by a call. It returns how many rows to leave out.
func (g *writing) execute(row *writeRow, s *lineState, base int) (skip int, ok bool) {
	first, regs0 := s.frames[row.frame%maxFrames], base+row.shift
	cell := cellAt(first, row.cell)
	ok = true
	g.w.fast.leaves++
	switch row.op {
	case rowBits:
		ok = g.bitsRow(row, s.at+row.off, regs0, row.of(first))
	case rowWord:
		ok = g.wordRow(row, s.at+row.off, regs0, row.of(first))
	case rowLet:
		var x int64
		x, ok = g.numberOf(row, row.in.B, regs0, row.of(first))
		g.regs[regs0+int(row.reg)] = uint64(x)
	case rowPlace:
		clear(g.out[s.at+row.off : s.at+row.off+row.size])
		g.regs[regs0+int(row.reg)] = uint64(s.at + row.off)
	case rowStop:
		x := row.n.number
		if !row.n.fixed {
			x, ok = g.numberOf(row, row.in.A, regs0, row.of(first))
		}
		g.stop = x != 0
	case rowCheck:
		var x int64
		x, ok = g.numberOf(row, row.in.A, regs0, row.of(first))
		ok = ok && x != 0
	case rowGate:
		ok = g.w.opt.Open>>row.in.A&1 != 0
	case rowExpect:
		ok = g.expect(row.in, cell)
	case rowText:
		ok = g.textRow(row, cell, regs0, row.of(first))
	case rowPacked:
		if ok = cell.kind == Packed && cell.Width() == int(row.in.B) && (row.in.C == bytecode.None || g.agrees(row, int64(cell.n), regs0, row.of(first))); !ok {
			return 0, false
		}
		at := len(g.out)
		ok = g.numbers(row.word.scalar, *cell, row.word.big, row.in.Rule)
		g.ends(row, at, regs0)
	case rowList:
		at := len(g.out)
		if ok = cell.kind == List && (row.sure || g.agrees(row, int64(cell.n), regs0, row.of(first))); ok && cell.n > 0 {
			g.nest += int(row.nest)
			ok = g.elementsOf(row.in.B, cell.parts(), g.passedBy(row, regs0))
			g.nest -= int(row.nest)
		}
		g.last = len(g.out) - at
	case rowMap:
		g.nest += int(row.nest)
		ok = g.mapRow(row, cell, regs0, row.of(first))
		g.nest -= int(row.nest)
	case rowPad:
		n := (int(row.in.A) - g.last%int(row.in.A)) % int(row.in.A)
		for ; n > 0; n-- {
			g.out = append(g.out, byte(row.in.C))
		}
	case rowCall:
		at := len(g.out)
		g.nest += int(row.nest)
		ok = g.callRow(row, cell, regs0, row.of(first))
		g.nest -= int(row.nest)
		g.ends(row, at, regs0)
	case rowRest, rowThrough:
		nest, at := int(row.nest)+int(truth(row.inner)), len(g.out)
		g.nest += nest
		if p := row.leaves; p == nil {
			ok = g.restList(row, cell, regs0)
		} else if ok = cell.kind == List && (cell.n > 0 || row.op == rowRest); ok && cell.n > 0 {
			ok = g.putLeaves(p, cell.parts(), row.op == rowThrough)
		}
		g.nest -= nest
		g.ends(row, at, regs0)
	case rowPatch:
		var x int64
		x, ok = g.numberOf(row, row.in.C, regs0, row.of(first))
		if row.adds {
			x += int64(loadWord(memory.Of(g.out), int(g.regs[regs0+int(row.from)]), row.word))
		}
		ok = ok && g.patchRow(row, uint64(x), regs0)
	case rowIf:
		var x int64
		if x, ok = g.numberOf(row, row.in.A, regs0, row.of(first)); x == 0 {
			skip = row.skip
		}
	case rowInto, rowSwitch:
		g.nest += int(row.nest)
		s.frames[(row.frame+1)%maxFrames], skip, ok = g.begin(row, cell, regs0)
		g.nest -= int(row.nest)
	default:
		ok = g.moreRows(row, regs0, row.of(first))
	}
	return skip, ok
}

// ends notes how many bytes a row has written.
func (g *writing) ends(row *writeRow, at, regs0 int) {
	if g.last = len(g.out) - at; row.sizes {
		g.regs[regs0+int(row.reg)] = uint64(g.last)
	}
}

// patchRow completes a word.
func (g *writing) patchRow(row *writeRow, x uint64, regs0 int) bool {
	at := int(g.regs[regs0+int(row.from)])
	if !fits(row.word.scalar, int64(x)) || at < g.base || at+row.size > len(g.out) {
		return false
	}
	storeWord(memory.Of(g.out), at, row.word, x)
	g.regs[regs0+int(row.reg)] = x
	return true
}

// cellAt returns a later cell of the same record.
func cellAt(c *Value, i int) *Value {
	return (*Value)(unsafe.Add(unsafe.Pointer(c), i*int(unsafe.Sizeof(Value{}))))
}

// parts returns the parts of a list that has some.
func (v *Value) parts() []Value { return unsafe.Slice((*Value)(v.p), v.n) }

// of returns the cells of the record of a row.
func (row *writeRow) of(first *Value) []Value { return unsafe.Slice(first, row.width) }

// numberOf computes the number of a row.
func (g *writing) numberOf(row *writeRow, expr uint32, regs0 int, cells []Value) (int64, bool) {
	if row.run != nil {
		return row.run.of(g.regs[regs0:])
	}
	return g.evaluate(expr, regs0, cells)
}

// bitsRow writes a word of bits of cells.
func (g *writing) bitsRow(row *writeRow, at, regs0 int, cells []Value) bool {
	x, ok := row.col.pieces.sum(cells)
	if !ok || !fits(row.word.scalar, x) {
		return false
	}
	if row.in != nil {
		g.regs[regs0+int(row.in.B)] = uint64(x)
	}
	storeWord(memory.Of(g.out), at, row.word, uint64(x))
	return true
}

func (g *writing) wordRow(row *writeRow, at, regs0 int, cells []Value) bool {
	if h := row.holds; h != nil { // a text with a zero byte that is counted
		v := &cells[h.Cell]
		n := uint64(v.n) + 1
		if v.kind != Text || n > row.most {
			return false
		}
		storeWord(memory.Of(g.out), at, row.word, n+h.Add)
		return true
	}
	if row.valued {
		v := &cells[row.cell]
		if v.kind != Int && v.kind != Uint || outside(*v, row.word.scalar) {
			return false
		}
		g.regs[regs0+int(row.in.B)] = v.u
		storeWord(memory.Of(g.out), at, row.word, v.u)
		return true
	}
	x, ok := g.numberOf(row, row.in.C, regs0, cells)
	if !ok || !fits(row.word.scalar, x) {
		return false
	}
	g.regs[regs0+int(row.in.B)] = uint64(x)
	storeWord(memory.Of(g.out), at, row.word, uint64(x))
	return true
}

func (g *writing) textRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	enc := &g.p.Encodings[row.in.A]
	if c.kind != Text {
		return false
	}
	n := int64(c.n) + truth(enc.NUL == bytecode.NULCounted)
	if !g.agrees(row, n, regs0, cells) {
		return false
	}
	at := g.reserve(int(n))
	g.last = int(n)
	if n > int64(c.n) {
		g.out[at+int(n)-1] = 0
	}
	return g.w.text(memory.Of(g.out), at, c, uint16(row.in.A))
}

// octetRow appends n bytes.
func (g *writing) octetRow(b memory.View, n int) {
	at := g.reserve(n)
	memory.CopyShort(memory.Of(g.out), at, b, n)
}

func (g *writing) mapRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	if c.kind != Map || !g.agrees(row, int64(c.n), regs0, cells) {
		return false
	}
	pairs := c.Cells()
	if g.w.keys.repeats(c) {
		return false
	}
	at := len(g.out)
	args, ofKeys := g.passedBy(row, regs0), g.p.Routines[row.in.B].Args
	keys, args := args[:ofKeys], args[ofKeys:]
	if p := g.m.plans[row.in.B].given(g.m, keys); row.in.B == row.in.D && p.byLeaves() && slices.Equal(keys, args) {
		if len(pairs) > 0 && !g.putLeaves(p, pairs, false) {
			return false
		}
		g.last = len(g.out) - at
		return true
	}
	for i := 0; i < len(pairs); i += 2 {
		if !g.element(row.in.B, &pairs[i], keys) || !g.element(row.in.D, &pairs[i+1], args) {
			return false
		}
	}
	g.last = len(g.out) - at
	return true
}

// passedBy returns the arguments of the elements of a list. They stay valid while these are written.
func (g *writing) passedBy(row *writeRow, regs0 int) []uint64 {
	if row.args == 0 {
		return nil
	}
	at := regs0 + int(row.from)
	return g.regs[at : at+int(row.args) : at+int(row.args)]
}

// element writes a value by a routine.
func (g *writing) element(routine uint32, v *Value, args []uint64) bool {
	if p := g.m.plans[routine]; p != nil {
		g.regs = append(g.regs, args...)
		return g.planned(p, v)
	}
	return g.value(routine, *v, args)
}

func (g *writing) callRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	if c.kind == None {
		return false
	}
	at, base, ok := len(g.out), len(g.regs), true
	var p *plan
	if l := row.link; l != nil {
		g.regs, ok = l.pass(g.regs, regs0)
		p = l.plan(g.m)
	} else {
		for _, e := range g.p.Args[row.in.C] {
			x, fine := g.evaluate(e, regs0, cells)
			g.regs, ok = append(g.regs, uint64(x)), ok && fine
		}
		p = g.m.plans[row.in.A]
	}
	if p != nil {
		ok = ok && g.enter(p, c, base)
	} else {
		ok = ok && g.value(row.in.A, *c, g.regs[base:])
		g.regs = g.regs[:base]
	}
	g.last = len(g.out) - at
	return ok
}

// elementsOf writes values by a routine.
func (g *writing) elementsOf(elem uint32, list []Value, args []uint64) bool {
	p := g.m.plans[elem].given(g.m, args)
	if p.byLeaves() {
		return len(list) == 0 || g.putLeaves(p, list, false)
	}
	if p != nil && p.args == 0 && p.union != nil {
		for i := range list {
			if !g.planned(p, &list[i]) {
				return false
			}
		}
		return true
	}
	if p == nil || p.quit != none || p.cells == 0 || p.union != nil || p.decides != nil {
		for i := range list {
			if !g.element(elem, &list[i], args) {
				return false
			}
		}
		return true
	}
	for len(list) > 0 {
		n := 0
		for block := list[:min(len(list), blockSize)]; n < len(block) && p.takes(&block[n]); n++ {
		}
		if n == 0 {
			if n++; !g.routine(elem, list[0], args) {
				return false
			}
		} else if !g.block(p, list[:n], args) {
			return false
		}
		list = list[n:]
	}
	return true
}

// columns writes records of a block column by column.
func (g *writing) columns(s *writeSteps, r records) bool {
	places := g.w.places[:len(r.list)]
	if !g.textRows(&s.first, r, places) {
		return false
	}
	out := memory.Of(g.out)
	for i := range s.cols {
		if !s.cols[i].write(out, places, r) {
			return false
		}
	}
	return true
}

// block writes records with the same arguments.
func (g *writing) block(p *plan, list []Value, args []uint64) bool {
	flat := p.flat(g.m)
	if p.tooDeep(g.depth, g.nest+flat.deepest, g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	ok, regs0 := true, len(g.regs)
	g.regs = lengthen(g.regs, regs0+flat.regs, false)
	switch {
	case p.write.block:
		ok = g.columns(&p.write, records{list, p.lone})
	case p.write.whole:
		ok = g.runs(&p.write.rows[0], list, p.lone)
	default:
		for k := 0; k < len(list) && ok; k++ {
			if p.clears {
				clear(g.regs[regs0:])
			}
			copy(g.regs[regs0:], args)
			ok = g.line(flat, p.cellsOf(&list[k]), regs0)
		}
	}
	g.regs = g.regs[:regs0]
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

// runs writes records that are a run.
func (g *writing) runs(row *writeRow, list []Value, lone bool) bool {
	at := g.reserve(row.size * len(list))
	if !lone && row.size > 0 && len(list) >= leastColumns && inColumns(row.chunks, row.size) {
		for i := range row.chunks {
			if !row.chunks[i].columns(memory.Of(g.out), at, row.size, list) {
				return false
			}
		}
		return true
	}
	for k := range list {
		cells := &list[k]
		if !lone {
			cells = (*Value)(cells.p)
		}
		if !g.putRun(row.chunks, at, cells) {
			return false
		}
		at += row.size
	}
	return true
}
