// Reading by plans.

package interp

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// readSteps is a list of steps without conditions between them.
type readSteps struct {
	rows  []readRow // in the order of the bytes, with columns among them
	cols  []readCol // all columns, for blocks
	runs  int
	block bool // several records are read at a time: the first row has their places, and the others are columns
}

// readRow is one operation. What is looked at most comes first.
type readRow struct {
	op       rowOp
	filled   bool     // rowRun, rowRunText: there are fills
	compares bool     // rowSum: a register must be the checksum
	reads    bool     // rowSum: the word behind the summed bytes must be the checksum
	crc      bool     // rowSum, reads: the word is the CRC-32 of one part
	stops    bool     // rowSum, reads: the element ends its list if the number, which compares a register, is not 0
	inner    bool     // the row is that of another record, in place of its call
	tag      uint16   // inner: of the value
	word     loadForm // rowWord, rowPacked
	run      int      // whose place is noted; -1 if nothing looks at it
	size     int      // bytes of the run
	cell     int
	off      int
	reg      int32           // the register that gets a number
	from     int32           // rowList, rowMap, rowRest, rowThrough: the first register that the elements get; rowSize, crc: with a place
	skip     int             // rowIf, rowJump: rows to leave out
	number   regNumber       // the number, if it is one of registers
	fills    fills           // rowRun, rowRunText: columns and words of the run
	in       *bytecode.Instr // of columns nil
	col      *readCol        // rowColumn
	region   *readRow        // rowRegion: its content
	args     uint32          // rowList, rowMap, rowRest, rowThrough: registers that the elements get
	link     *link           // rowCall: nil if an argument looks at more than registers; rowList, rowRest, rowThrough: elements without arguments
	n        count
	value    Value // rowTake: if the number is known
	align    int   // rowRunText: of the padding behind it, or 1
	sum      *sumPlan
	then     *readSteps
	els      *readSteps
}

// plainRows has the operations of instructions that have one step without more operands.
var plainRows = map[bytecode.Op]rowOp{
	bytecode.Size: rowSize, bytecode.Enter: rowEnter, bytecode.Leave: rowLeave, bytecode.Compare: rowCompare,
	bytecode.Until: rowUntil, bytecode.Filled: rowFilled, bytecode.ArmRef: rowArmRef,
}

// readSteps resolves the steps of a form.
func (c *planner) readSteps(out *readSteps, s *bytecode.Steps) {
	out.runs = len(s.Runs)
	begun := none
	for i := range s.List {
		x := &s.List[i]
		if x.Run > begun {
			begun = x.Run
			c.readRun(out, begun, s.Runs[begun])
		}
		if col, ok := c.readColumn(x); ok {
			out.cols = append(out.cols, col)
			if !out.fillColumn(&col) {
				out.rows = append(out.rows, readRow{op: rowColumn, col: &col})
			}
			continue
		}
		if row, ok := c.readStep(out, s.List, i); ok {
			out.rows = append(out.rows, row)
		}
	}
	for i := range out.rows {
		row := &out.rows[i]
		row.filled = row.fills.any()
		row.fills.ready()
	}
}

// readStep makes the row of a step. It is not ok if the step needs none: another row does its work, or a reader has nothing to do.
func (c *planner) readStep(out *readSteps, steps []bytecode.Step, i int) (row readRow, ok bool) {
	x := &steps[i]
	row = readRow{in: x.Instr}
	switch x.Op {
	case bytecode.Word:
		if x.Run == none {
			row.op, row.cell = rowNumber, none
			break
		}
		c.readWord(out, x)
		return row, false
	case bytecode.Let:
		if row.op = rowLet; !c.form.Needs(x.A) || c.known(steps, i) {
			return row, false
		}
		if b := x.From; b != nil && !b.Floor && out.fillWord(c.once[x.A] == 1, x.A, c.load(b.Scalar, b.Swapped), b.Run, b.Off, b.Shift, b.Mask) {
			return row, false
		}
	case bytecode.Check:
		if row.op = rowCheck; c.filled(steps, i) || c.checkRun(out, steps, i) {
			return row, false
		}
	case bytecode.Gate:
		row.op = rowGate
	case bytecode.Absent:
		if !c.covered {
			return row, false // cells are empty before
		}
		row.op, row.cell, row.size = rowAbsent, int(x.A), 1
		if last := len(out.rows) - 1; last >= 0 && out.rows[last].op == rowAbsent && out.rows[last].cell+out.rows[last].size == row.cell {
			out.rows[last].size++
			return row, false
		}
	case bytecode.Take:
		row.op, row.cell, row.n = rowTake, int(x.A), count{fixed: x.Const, number: x.N}
		row.value = taken(x.Instr, uint64(x.N))
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
	case bytecode.Pass:
		return row, false // the list looks at it
	case bytecode.Sum:
		if row.op, row.sum = rowSum, c.m.sumPlan(x.PC); x.D&bytecode.SumWrite != 0 {
			return row, false
		}
	case bytecode.Mark:
		if row.op, row.run, row.off = rowMark, x.Run, x.Off; x.Run != none && c.once[x.A] == 1 {
			out.fillMark(x.A, x.Run, x.Off)
			return row, false
		}
	case bytecode.Stop:
		row.op, row.n = rowStop, count{fixed: x.Const, number: x.N}
	case bytecode.Pad:
		row.op = rowPad
	case bytecode.Call:
		row.op, row.cell = rowCall, int(x.B)
		c.inlineRead(x, &row)
	case bytecode.If:
		row.op, row.then, row.els = rowIf, new(readSteps), new(readSteps)
		c.readSteps(row.then, x.Then)
		c.readSteps(row.els, x.Else)
	default:
		row.op, row.cell = plainRows[x.Op], int(x.Cell())
	}
	return row, true
}

// readRun begins a run of fixed bytes. Places before it that are set once are places of the run.
func (c *planner) readRun(out *readSteps, run, size int) {
	row := readRow{op: rowRun, run: run, size: size}
	for len(out.rows) > 0 {
		last := &out.rows[len(out.rows)-1]
		if last.op != rowMark || last.run != none || c.once[last.in.A] != 1 {
			break
		}
		row.fills.marks = append(row.fills.marks, fillMark{int32(last.in.A), 0})
		out.rows = out.rows[:len(out.rows)-1]
	}
	out.rows = append(out.rows, row)
}

// readWord adds the row of a word of a run that other rows need.
func (c *planner) readWord(out *readSteps, x *bytecode.Step) {
	if !c.form.Needs(x.B) {
		return
	}
	row := readRow{in: x.Instr, op: rowWord, run: x.Run, off: x.Off, word: c.load(x.Scalar(), x.Swapped())}
	if !out.fillWord(c.once[x.B] == 1, x.B, row.word, x.Run, x.Off, 0, 1<<64-1) {
		out.rows = append(out.rows, row)
	}
}

// readColumn returns the column of a step that has a place in a run and gives a cell its value.
func (c *planner) readColumn(x *bytecode.Step) (col readCol, ok bool) {
	col.run, col.off = x.Run, x.Off
	switch {
	case x.Op == bytecode.Take && x.From != nil:
		col.op, col.cell, col.run, col.off, col.bits = colBits, int(x.A), x.From.Run, x.From.Off, x.From
		col.word = c.load(x.From.Scalar, x.From.Swapped)
		v := taken(x.Instr, 0)
		col.meta, col.shift, col.mask = metaOf(0, v.kind, v.form), uint8(x.From.Shift), x.From.Mask
	case x.Op == bytecode.Scalars && x.Run != none:
		col.word, col.cell = c.load(x.Scalar(), x.Swapped()), int(x.B)
		col.op = scalarCol(col.word)
		col.meta = metaOf(0, kindOf(col.word.scalar), formOf(x.A))
	case x.Op == bytecode.Truth:
		col.op, col.word, col.cell, col.meta = colTruth, c.load(x.Scalar(), x.Swapped()), int(x.B), metaOf(0, Bool, 0)
		col.any = x.C&bytecode.TruthNonzero != 0
	case x.Op == bytecode.Packed && x.Run != none:
		col.op, col.word, col.cell = colLanes, loadForm{scalar: bytecode.U8}, int(x.D)
		col.n, col.width, col.size = uint32(x.N), uint64(x.B)<<widthShift, int(x.N)*int(x.B)
		col.meta = metaOf(0, Packed, formOf(x.A))
	case x.Op == bytecode.Lanes:
		col.word, col.cell = c.load(x.Scalar(), x.Swapped()), int(x.C)
		col.n, col.size = x.B, int(x.B)*col.word.scalar.Width()
		col.meta = metaOf(0, Lanes, formOf(x.A))
		switch {
		case col.word.big:
			col.op = colLanesBig
		case col.size <= 8:
			col.op = colLanes8
		default:
			col.op = colLanes
		}
	default:
		return col, false
	}
	return col, true
}

// fuseText finds records that are a run of fields. It makes one row of a run and the text whose length is in it.
func (m *Machine) fuseText(p *plan) {
	var rows, cols []readRow
	for _, row := range p.read.rows {
		if row.op == rowColumn {
			cols = append(cols, row)
		} else {
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 && rows[0].fills.checked() {
		return // blocks have no checks
	}
	if len(rows) == 1 && rows[0].op == rowRun {
		p.read.block = true
		return
	}
	if len(rows) < 2 || rows[0].op != rowRun || rows[1].op != rowText || len(rows) > 3 || p.leave != none || p.regs > 0 {
		return
	}
	text := rows[1]
	align := 1
	if len(rows) == 3 {
		pad := rows[2].in
		if rows[2].op != rowPad || pad.B != 0 || pad.A&(pad.A-1) != 0 {
			return
		}
		align = int(pad.A)
	}
	w := text.n.word.scalar
	if text.n.bits == nil || !text.n.plain || w.Width() > 4 || w == bytecode.Code4 {
		return
	}
	text.op, text.run, text.size, text.align = rowRunText, rows[0].run, rows[0].size, align
	text.word, text.off, text.fills = text.n.word, text.n.off, rows[0].fills
	text.filled = rows[0].filled
	p.read.rows, p.read.block = append([]readRow{text}, cols...), true
}

// planned reads the outermost value by its plan into the first cell.
func (r *Reader) planned(b []byte) (used int, ok bool) {
	f, g := &r.fast, &r.run
	regs, cells, path, bases, aways, regions := g.regs[:0], g.cells[:0], g.path[:0], g.bases[:0], g.aways[:0], g.regions[:0]
	*g = reading{} // without a copy of a new one
	g.r, g.m, g.p, g.in, g.end, g.limit, g.memory = r, r.m, r.m.p, b, len(b), f.limit, none
	g.regs, g.cells, g.path, g.bases, g.aways, g.regions = regs, cells, path, bases, aways, regions
	g.steps, g.work, g.fast = math.MaxInt, partWork(len(b)), true
	if r.opt.MaxMemory > 0 {
		g.memory = r.opt.MaxMemory
	}
	ok = g.planned(f.plan, f.top[:])
	g.regions = g.regions[:0]
	g.err = nil
	return g.pos, ok
}

// planned reads one value by a plan into dst[0]. It takes its arguments from the stack of registers.
func (g *reading) planned(p *plan, dst []Value) bool {
	return g.enter(p, dst, len(g.regs)-p.args)
}

// enter reads one value by a plan, whose arguments are on the stack of registers from base on. It takes them from there.
func (g *reading) enter(p *plan, dst []Value, base int) bool {
	if p.decides != nil {
		p = p.variant(g.m, g.regs[base:])
	}
	if p.byLeaves() {
		g.regs = g.regs[:base]
		_, ok := g.leaves(p, dst, modeAll)
		return ok
	}
	if p.tooDeep(g.depth, g.nest, g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	var ok bool
	if p.union != nil {
		ok = g.unionPlan(p, &dst[0], base)
	} else {
		if p.regs > p.args {
			g.regs = lengthen(g.regs, base+p.regs, p.zeros)
		}
		ok = g.record(p, &dst[0], base)
	}
	g.regs = g.regs[:base]
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

// unionPlan reads the word of a union and its arm.
func (g *reading) unionPlan(p *plan, dst *Value, base int) bool {
	u := p.union
	if u.size == 0 {
		var id uint64
		if u.id >= 0 {
			id = g.regs[base+u.id]
		} else {
			id = uint64(g.evaluate(u.word.C, base, nil))
		}
		i := u.arm(id)
		if i < 0 {
			return false
		}
		arm := u.arms[i]
		if arm.regs > p.args {
			g.regs = lengthen(g.regs, base+arm.regs, arm.zeros)
		}
		return g.record(arm, dst, base)
	}
	if g.end-g.pos < u.size {
		return false
	}
	word := loadWord(memory.Of(g.in), g.pos, u.load)
	g.pos += u.size
	g.regs = lengthen(g.regs, base+u.regs, true)
	g.regs[base+int(u.word.B)] = word
	i, ok := u.table.ByID(uint64(g.evaluate(u.word.C, base, nil)))
	return ok && g.record(u.arms[i], dst, base)
}

// record reads one record into dst. Its registers begin at regs0 of the stack.
func (g *reading) record(p *plan, dst *Value, regs0 int) bool {
	cells := unsafe.Slice(dst, 1)
	if !p.single {
		if p.cells == 0 && p.leave == none {
			*dst = MakeUnit(p.tag)
		}
		cells = g.r.slab.alloc(p.cells)
	}
	if !p.covered {
		clear(cells)
	}
	if !g.line(&p.read, cells, regs0) {
		return false
	}
	switch {
	case p.leave != none:
		return g.leave(p, cells, regs0, dst)
	case p.single:
		dst.tag = p.tag
		return true
	case p.alone || g.memory >= 0 || len(cells) == 0:
		return g.made(p, cells, dst)
	}
	dst.set(unsafe.Pointer(unsafe.SliceData(cells)), 0, uint32(len(cells)), metaOf(p.tag, Record, 0))
	return true
}

// leave reads the rest of a record by the instructions.
func (g *reading) leave(p *plan, cells []Value, regs0 int, dst *Value) (ok bool) {
	r := &g.p.Routines[p.routine]
	cells0 := len(g.cells)
	g.cells = extend(append(g.cells, cells...), cells0+int(r.Cells))
	*dst, ok = g.code(p.leave, regs0, cells0)
	g.cells = g.cells[:cells0]
	return ok
}

// made stores the value of a record whose cells have been read. It is not for a record that is the value of its one cell.
func (g *reading) made(p *plan, cells []Value, dst *Value) bool {
	if p.cells == 0 {
		return true
	}
	if p.alone {
		alone := none
		for i := range cells {
			if cells[i].kind != None {
				if alone >= 0 {
					alone = -2
					break
				}
				alone = i
			}
		}
		if alone >= 0 && g.p.Types[p.typ].Fields[alone].Alone {
			*dst = cells[alone]
			dst.tag = p.tag
			return true
		}
	}
	if !g.afford(len(cells)) {
		return false
	}
	dst.set(unsafe.Pointer(unsafe.SliceData(cells)), 0, uint32(len(cells)), metaOf(p.tag, Record, 0))
	return true
}

// afford takes memory for n cells off the budget.
func (g *reading) afford(n int) bool {
	if g.memory < 0 {
		return true
	}
	if g.memory -= n * cellSize; g.memory < 0 {
		g.memory = 0
		return false
	}
	return true
}

// columns reads records of a block column by column. The cells of record k begin at cells[k*stride].
func (g *reading) columns(s *readSteps, cells []Value, stride, n int) bool {
	places := g.r.places[:n]
	if row := &s.rows[0]; row.op == rowRun {
		if !g.fixedRows(row, places) {
			return false
		}
	} else if !g.textRows(row, cells, stride, places) {
		return false
	}
	in := memory.Of(g.in)
	for i := range s.cols {
		if !s.cols[i].read(in, places, cells, stride) {
			return false
		}
	}
	return true
}

// fixedRows finds the places of records of a fixed size.
func (g *reading) fixedRows(row *readRow, places []int) bool {
	if (g.end-g.pos)/max(row.size, 1) < len(places) {
		return false
	}
	at := g.pos
	for k := range places {
		places[k] = at
		at += row.size
	}
	g.pos = at
	return true
}

// textRows reads the texts of records that are a run of fields and one text.
func (g *reading) textRows(row *readRow, cells []Value, stride int, places []int) bool {
	in, pos, end := memory.Of(g.in), g.pos, g.end
	size, off, mask := row.size, row.off, row.align-1
	at := row.cell
	const meta = uint32(Text) << 16
	for k := range places {
		if end-pos < size {
			return false
		}
		places[k] = pos
		var length int
		switch {
		case row.word.scalar == bytecode.U16:
			x := in.Load16(pos + off)
			if row.word.big {
				x = bits.ReverseBytes16(x)
			}
			length = int(x)
		default:
			length = int(loadWord(in, pos+off, row.word))
		}
		start := pos + size
		if uint(length) > uint(end-start) {
			return false
		}
		next := start + (length+mask)&^mask
		if next > end {
			return false
		}
		v := &cells[at]
		at += stride
		pos = next
		if plainText(in, start, length) {
			v.set(in.Addr(start), 0, uint32(length), meta)
		} else if !g.r.fastTextSlow(v, g.in, start, length, meta, row.in.A) {
			return false
		}
	}
	g.pos = pos
	return true
}

// plainText reports whether text is ASCII without NUL, and not empty. It is not certain
// for short text at the very beginning of the input.
func plainText(in memory.View, at, n int) bool {
	last := at + n - 8
	if last < 0 || n == 0 {
		return false
	}
	dirty := odd(in.Load64(last))
	if n <= 8 {
		return dirty>>(64-8*uint(n)) == 0
	}
	for ; at < last; at += 8 {
		dirty |= odd(in.Load64(at))
	}
	return dirty == 0
}

// partsOf computes the number of parts. The places are those of the runs.
func (g *reading) partsOf(n *count, places []int, regs0 int, cells []Value) int64 {
	switch {
	case n.fixed:
		return n.number
	case n.bits != nil:
		return n.bits.Of(loadWord(memory.Of(g.in), places[n.run]+n.off, n.word))
	}
	return g.evaluate(n.expr, regs0, cells)
}

func (g *reading) evaluate(expr uint32, regs0 int, cells []Value) int64 {
	if number := &g.m.computed[expr].regs; number.op != numNone {
		x, _ := number.of(g.regs[regs0:])
		return x
	}
	s := &g.scope
	if s.cells, s.regs = cells, g.regs[regs0:]; s.m == nil {
		s.m, s.open, s.reader = g.m, g.r.opt.Open, g
	}
	x, _ := s.compute(expr)
	return x
}
