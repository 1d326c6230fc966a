// Writing by plans.

package interp

import (
	"math/bits"
	"slices"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// writeSteps is a list of steps without conditions between them.
type writeSteps struct {
	rows  []writeRow // in the order of the bytes, with columns among them
	cols  []writeCol // all columns, for blocks
	block bool       // several records with a text are written at a time: first has their places, and the others are columns
	first writeRow   // of a block
	whole bool       // the only row is a run
	run   int        // the last row that begins a run, or -1
}

// writeRow is one operation. What is looked at most comes first.
type writeRow struct {
	op      rowOp
	sure    bool // the word before gives the number of parts
	valued  bool // rowWord: the number is that of a cell, which fits it; rowMark: the place is in the run
	adds    bool // rowPatch: the number is added to the word
	stops   bool // rowEach, rowNext: the last element ends the list
	word    loadForm
	sizes   bool            // the size of what is written goes into a register
	inner   bool            // the row is that of another record, in place of its call
	frame   uint8           // of the cells, in a list of rows with those of called records
	nest    uint8           // levels of records in which the row is
	width   uint16          // cells of the record
	cell    int             // also of a column
	shift   int             // the first register of the record, from the first one of the outermost record
	off     int             // from the place of the run
	size    int             // rowAbsent: the number of cells
	reg     int32           // the register that gets a number
	from    int32           // rowList, rowMap, rowRest, rowThrough: the first register that the elements get; rowSize, rowPatch: with a place
	skip    int             // rowIf, rowJump: rows to leave out
	run     *regNumber      // the number, if it is one of registers, or nil
	into    *into           // rowInto, rowSwitch
	leaves  *plan           // rowRest, rowThrough: the union of the elements, if they are written in one loop
	given   []*plan         // rowRest, rowThrough: the same by the number of their argument, which decides conditions
	chunks  []chunk         // rowRun
	numbers []runNumber     // rowRun, rowMark: what registers get
	in      *bytecode.Instr // of columns nil
	holds   *bytecode.Holds // rowWord: the number is that of the parts of a cell
	most    uint64          // the most parts that the word has room for
	n       count
	align   int
	args    uint32 // rowList, rowMap, rowRest, rowThrough: registers that the elements get
	link    *link  // rowCall: nil if an argument looks at more than registers
	sum     *sumPlan
	col     *writeCol
	then    *writeSteps
	els     *writeSteps
	puts    []putWord      // rowRun: its words
	number  *bytecode.Expr // rowPatch, rowLet
	patch   *writeRow      // rowSum: the word that the checksum becomes
}

// writeSteps resolves the steps of a form.
func (c *planner) writeSteps(out *writeSteps, s *bytecode.Steps) {
	begun := none
	out.run = none
	for i := range s.List {
		x := &s.List[i]
		if x.Run > begun {
			begun = x.Run
			out.run = len(out.rows)
			out.rows = append(out.rows, writeRow{op: rowRun, size: s.Runs[begun]})
		}
		if col, ok := c.writeCol(x); ok {
			out.column(col)
			continue
		}
		row := writeRow{in: x.Instr, sure: x.Sure}
		switch x.Op {
		case bytecode.Word, bytecode.Header:
			if !c.writeWord(out, s, i, &row) {
				continue
			}
		case bytecode.Let:
			if row.op = rowLet; !c.form.Needs(x.A) {
				continue
			}
		case bytecode.Check:
			row.op = rowCheck
		case bytecode.Gate:
			row.op = rowGate
		case bytecode.Expect:
			if row.op, row.cell = rowExpect, int(x.B); c.inColumn(s.List, i, x.B) {
				continue
			}
		case bytecode.Absent:
			row.op, row.cell, row.size = rowAbsent, int(x.A), 1
			if last := len(out.rows) - 1; last >= 0 && out.rows[last].op == rowAbsent && out.rows[last].cell+out.rows[last].size == row.cell {
				out.rows[last].size++
				continue
			}
		case bytecode.Scalars:
			row.op, row.cell = rowNumber, int(x.B)
		case bytecode.Text:
			row.op, row.cell, row.n = rowText, int(x.C), c.count(x, x.B)
		case bytecode.Packed:
			row.op, row.cell, row.n = rowPacked, int(x.D), c.count(x, x.C)
			row.word = c.load(x.Scalar(), x.Swapped())
		case bytecode.List:
			row.op, row.cell, row.n = rowList, int(x.C), c.count(x, x.A)
			row.from, row.args = c.passed(x)
		case bytecode.Map:
			row.op, row.cell, row.n = rowMap, int(x.C), c.count(x, x.A)
			row.from, row.args = c.passed(x)
		case bytecode.Rest, bytecode.Through:
			row.op, row.cell = rowRest, int(x.B)
			if x.Op == bytecode.Through {
				row.op = rowThrough
			}
			row.from, row.args = c.passed(x)
		case bytecode.Pass, bytecode.Enter, bytecode.Leave, bytecode.Compare:
			continue // the list looks at it, or a reader
		case bytecode.Sum:
			if x.D&bytecode.SumRead != 0 {
				continue
			}
			row.op, row.sum = rowSum, c.m.sumPlan(x.PC)
		case bytecode.Mark:
			if x.Run != none && c.once[x.A] == 1 {
				out.gives(runNumber{reg: int32(x.A), place: true, off: x.Off})
				continue
			}
			row.op, row.off = rowMark, x.Off
			row.valued = x.Run != none
		case bytecode.Stop:
			row.op, row.n = rowStop, count{fixed: x.Const, number: x.N}
		case bytecode.Size:
			row.op = rowSize
		case bytecode.Patch:
			row.op, row.word, row.size = rowPatch, c.load(x.Scalar(), x.Swapped()), x.Scalar().Width()
			if late, ok := c.late(s.List, i); ok {
				number := c.m.regNumber(late)
				row.run, row.adds, row.number = &number, true, late
			}
		case bytecode.Pad:
			row.op = rowPad
		case bytecode.Call:
			row.op, row.cell = rowCall, int(x.B)
			c.inlineWrite(x, &row)
		case bytecode.If:
			row.op, row.then, row.els = rowIf, new(writeSteps), new(writeSteps)
			c.writeSteps(row.then, x.Then)
			c.writeSteps(row.els, x.Else)
		default:
			row.op, row.cell = plainRows[x.Op], int(x.Cell())
		}
		out.rows = append(out.rows, row)
	}
	for i := range out.rows {
		out.rows[i].chunks = chunksOf(out.rows[i].puts)
	}
}

// writeCol returns the column of a step that writes fixed bytes of a run.
func (c *planner) writeCol(x *bytecode.Step) (col writeCol, ok bool) {
	if x.Run == none && (x.Op == bytecode.Scalars || x.Op == bytecode.Packed) {
		return col, false
	}
	col.off = x.Off
	switch x.Op {
	case bytecode.Scalars:
		col.word, col.cell = c.load(x.Scalar(), x.Swapped()), int(x.B)
		switch col.word.scalar {
		case bytecode.F32:
			col.op = putFloat32
		case bytecode.F64:
			col.op = putFloat64
		}
	case bytecode.Truth:
		col.op, col.word, col.cell = putTruth, c.load(x.Scalar(), x.Swapped()), int(x.B)
	case bytecode.Lanes:
		col.op, col.word, col.cell = putLanes, c.load(x.Scalar(), x.Swapped()), int(x.C)
		col.n, col.size = x.B, int(x.B)*col.word.scalar.Width()
	case bytecode.Packed:
		col.op, col.word, col.cell, col.n, col.width, col.size = putOctets, loadForm{scalar: bytecode.U8}, int(x.D), uint32(x.N), x.B, int(x.N)*int(x.B)
	default:
		return col, false
	}
	return col, true
}

// fuseWrite finds records that are a run of fields and a text, of which several are written at a time.
func (m *Machine) fuseWrite(p *plan) {
	rows := p.write.rows
	if len(rows) < 2 || len(rows) > 3 || rows[0].op != rowRun || rows[1].op != rowText || p.quit != none || p.keeps > 0 {
		return
	}
	text := rows[1]
	at := slices.IndexFunc(rows[0].puts, func(w putWord) bool {
		return w.count != nil && w.count.cell == uint32(text.cell)*uint32(unsafe.Sizeof(Value{}))
	})
	if at < 0 || !text.sure || rows[0].puts[at].count.add != 0 || m.p.Encodings[text.in.A].NUL == bytecode.NULCounted {
		return
	}
	align := 1
	if len(rows) == 3 {
		pad := rows[2].in
		if rows[2].op != rowPad || pad.A&(pad.A-1) != 0 || pad.A > 8 || pad.C != 0 {
			return
		}
		align = int(pad.A)
	}
	word := rows[0].puts[at]
	text.op, text.size, text.align = rowRunText, rows[0].size, align
	text.word, text.off, text.most = word.word, word.off, word.count.most
	p.write.first, p.write.block = text, true
}

// cellIn returns a cell of a record.
func cellIn(v *Value, i int) *Value {
	return (*Value)(unsafe.Add(v.p, i*int(unsafe.Sizeof(Value{}))))
}

// records are values whose cells are written: records, or, if lone, the cells
// themselves.
type records struct {
	list []Value
	lone bool
}

func (r *records) cell(k, i int) *Value {
	if r.lone {
		return &r.list[k]
	}
	return cellIn(&r.list[k], i)
}

// cellsOf returns the cells of a record, which is v or, if its value is its one cell, has v.
func (p *plan) cellsOf(v *Value) []Value {
	if p.lone {
		return unsafe.Slice(v, 1)
	}
	if p.cells == 0 {
		return nil
	}
	return unsafe.Slice((*Value)(v.p), p.cells)
}

// takes reports whether the cells of a record can be taken from a value without a change. A
// record in place of the one cell of another has to be taken apart.
func (p *plan) takes(v *Value) bool {
	return p.lone && v.kind != None && v.kind != Record || !p.lone && v.kind == Record && int(v.n) == p.cells
}

// planned appends the outermost value by its plan.
func (w *Writer) planned(dst []byte, v Value) ([]byte, bool) {
	f, g := &w.fast, &w.run
	f.depth, f.inside, f.top[0] = 0, false, v
	regs, cells, path, bases, aways := g.regs[:0], g.cells[:0], g.path[:0], g.bases[:0], g.aways[:0]
	*g = writing{} // without a copy of a new one
	g.w, g.m, g.p, g.out, g.base, g.limit, g.fast = w, w.m, w.m.p, dst, len(dst), f.limit, true
	g.regs, g.cells, g.path, g.bases, g.aways = regs, cells, path, bases, aways
	ok := g.planned(f.plan, &f.top[0])
	out := g.out
	g.out, g.err = nil, nil
	return out, ok
}

// planned writes one value by a plan. It takes its arguments from the stack of registers.
func (g *writing) planned(p *plan, v *Value) bool {
	return g.enter(p, v, len(g.regs)-p.args)
}

// enter writes one value by a plan, whose arguments are on the stack of registers from base on. It takes them from there.
func (g *writing) enter(p *plan, v *Value, base int) bool {
	if p.decides != nil {
		p = p.variant(g.m, g.regs[base:])
	}
	if p.union != nil {
		if p.union.leaves != nil {
			g.regs = g.regs[:base]
			return g.putLeaves(p, unsafe.Slice(v, 1), false)
		}
		if p = g.armOf(p, v, base); p == nil {
			return false
		}
	}
	if p.cells > 0 && !p.takes(v) {
		ok := g.routine(p.routine, *v, g.regs[base:])
		g.regs = g.regs[:base]
		return ok
	}
	flat := p.flat(g.m)
	if p.tooDeep(g.depth, g.nest+flat.deepest, g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	if flat.regs > p.args {
		g.regs = lengthen(g.regs, base+flat.regs, p.clears)
	}
	ok := g.line(flat, p.cellsOf(v), base)
	if ok && p.quit != none {
		ok = g.leave(p, v, base)
	}
	g.regs = g.regs[:base]
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

// armOf returns the plan of the arm of a union that a value has, or nil.
func (g *writing) armOf(p *plan, v *Value, base int) *plan {
	u := p.union
	if int(v.tag) >= len(u.byTag) || u.byTag[v.tag] == 0 {
		return nil
	}
	arm := int(u.byTag[v.tag]) - 1
	if u.size == 0 {
		id, ok := int64(0), true
		if u.id >= 0 {
			id = int64(g.regs[base+u.id])
		} else {
			id, ok = g.evaluate(u.word.C, base, nil)
		}
		if !ok || u.arm(uint64(id)) != arm {
			return nil
		}
	}
	return u.arms[arm]
}

// leave writes the rest of a record by the instructions.
func (g *writing) leave(p *plan, v *Value, regs0 int) bool {
	cells0 := len(g.cells)
	g.cells = append(g.cells, p.cellsOf(v)...)
	g.cells = extend(g.cells, cells0+int(g.p.Routines[p.routine].Cells))
	for i := cells0; i < len(g.cells); i++ {
		if c := &g.cells[i]; c.kind == Map && g.w.keys.repeats(c) {
			return false
		}
	}
	ok := g.code(p.routine, p.quit, *v, regs0, cells0)
	g.cells = g.cells[:cells0]
	return ok
}

// reserve appends n bytes and returns their place.
func (g *writing) reserve(n int) int {
	at := len(g.out)
	if cap(g.out)-at < n+headroom {
		g.out = slices.Grow(g.out, n+headroom)
	}
	g.out = g.out[:at+n]
	return at
}

// textRows writes the texts of records that are a run of fields and one text.
func (g *writing) textRows(row *writeRow, r records, places []int) bool {
	out := g.out[:cap(g.out)]
	mem, pos := memory.Of(out), len(g.out)
	size, off, mask := row.size, row.off, row.align-1
	most, cell := row.most, row.cell*int(unsafe.Sizeof(Value{}))
	for k := range places {
		v := &r.list[k]
		if !r.lone {
			v = (*Value)(unsafe.Add(v.p, cell))
		}
		length := int(v.n)
		if v.kind != Text || uint64(v.n) > most {
			return false
		}
		if len(out)-pos < size+length+headroom {
			out = slices.Grow(out[:pos], size+length+headroom)
			out = out[:cap(out)]
			mem = memory.Of(out)
		}
		places[k] = pos
		at := pos + size
		src := memory.At(v.p, int(v.n))
		var bad uint64
		switch {
		case length > 32 || length == 0:
			if !g.w.text(mem, at, v, uint16(row.in.A)) {
				return false
			}
		case length >= 8:
			x, y := src.Load64(0), src.Load64(length-8)
			bad = odd(x) | odd(y)
			mem.Store64(at, x)
			for i := 8; i < length-8; i += 8 {
				z := src.Load64(i)
				bad |= odd(z)
				mem.Store64(at+i, z)
			}
			mem.Store64(at+length-8, y)
		case length >= 4:
			x, y := src.Load32(0), src.Load32(length-4)
			bad = odd(uint64(x) | uint64(y)<<32)
			mem.Store32(at, x)
			mem.Store32(at+length-4, y)
		default:
			x := uint64(src.Load8(0)) | uint64(src.Load8(length>>1))<<(8*uint(length>>1)) | uint64(src.Load8(length-1))<<(8*uint(length-1))
			bad = odd(x) & (1<<(8*uint(length)) - 1)
			mem.Store32(at, uint32(x))
		}
		if bad != 0 && !g.w.oddText(v, uint16(row.in.A)) {
			return false
		}
		switch {
		case row.word.scalar != bytecode.U16:
			storeWord(mem, pos+off, row.word, uint64(length))
		case row.word.big:
			mem.Store16(pos+off, bits.ReverseBytes16(uint16(length)))
		default:
			mem.Store16(pos+off, uint16(length))
		}
		mem.Store64(at+length, 0) // padding, and room of what comes next
		pos = at + (length+mask)&^mask
	}
	g.out = out[:pos]
	return true
}

func (g *writing) evaluate(expr uint32, regs0 int, cells []Value) (int64, bool) {
	if number := &g.m.computed[expr].regs; number.op != numNone {
		return number.of(g.regs[regs0:])
	}
	s := &g.scope
	if s.cells, s.regs = cells, g.regs[regs0:]; s.m == nil {
		s.m, s.open = g.m, g.w.opt.Open
	}
	return s.compute(expr)
}

// agrees reports whether a reader takes the number of parts from what was written.
func (g *writing) agrees(row *writeRow, n int64, regs0 int, cells []Value) bool {
	switch {
	case row.sure:
		return true
	case row.n.fixed:
		return n == row.n.number
	}
	x, ok := g.evaluate(row.n.expr, regs0, cells)
	return ok && x == n
}
