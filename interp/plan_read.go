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
	rows []readRow
	cols []readCol
	runs int
}

type readRow struct {
	op    rowOp
	run   int // whose place is noted
	size  int // bytes of the run
	cell  int
	word  loadForm // rowWord
	off   int
	n     count
	in    *bytecode.Instr
	align int // rowRunText: of the padding behind it, or 1
	then  *readSteps
	els   *readSteps
}

// colOp is one operation of columns.
type colOp uint8

const (
	colNumber colOp = iota // any scalar
	colU8                  // scalars with the lowest byte first
	colU16
	colI16
	colU32
	colI32
	col64
	colF32
	colU16Big // scalars with the highest byte first
	colI16Big
	colU32Big
	colI32Big
	col64Big
	colF32Big
	colTruth
	colBits
	colLanes8
	colLanes
	colLanesBig
)

type readCol struct {
	op   colOp
	run  int
	off  int
	cell int
	meta uint32
	word loadForm
	size int            // lanes: bytes
	n    uint32         // lanes
	bits *bytecode.Bits // colBits
	any  bool           // colTruth: any nonzero number is true
}

// kindOf returns the kind of a scalar's values.
func kindOf(s bytecode.Scalar) Kind {
	switch {
	case s.IsFloat():
		return Float
	case s.Signed():
		return Int
	}
	return Uint
}

func formOf(width uint32) uint8 {
	form := uint8(width & formScalar)
	if width&bytecode.FlagWide != 0 {
		form |= formWide
	}
	return form
}

// scalarCol returns the operation for a column of numbers.
func scalarCol(f loadForm) colOp {
	little := map[bytecode.Scalar]colOp{
		bytecode.U8: colU8, bytecode.U16: colU16, bytecode.I16: colI16, bytecode.U32: colU32, bytecode.I32: colI32, bytecode.Code4: colU32,
		bytecode.U64: col64, bytecode.I64: col64, bytecode.F64: col64, bytecode.F32: colF32,
	}
	big := map[bytecode.Scalar]colOp{
		bytecode.U8: colU8, bytecode.U16: colU16Big, bytecode.I16: colI16Big, bytecode.U32: colU32Big, bytecode.I32: colI32Big,
		bytecode.U64: col64Big, bytecode.I64: col64Big, bytecode.F64: col64Big, bytecode.F32: colF32Big,
	}
	if f.big {
		return big[f.scalar]
	}
	return little[f.scalar]
}

// load returns how a scalar is loaded.
func (c *planner) load(s bytecode.Scalar) loadForm {
	return loadForm{s, c.big && s != bytecode.Code4 && s.Width() > 1}
}

// readSteps resolves the steps of a form.
func (c *planner) readSteps(out *readSteps, s *bytecode.Steps) {
	out.runs = len(s.Runs)
	begun := -1
	for i := range s.List {
		x := &s.List[i]
		if x.Run > begun {
			begun = x.Run
			out.rows = append(out.rows, readRow{op: rowRun, run: begun, size: s.Runs[begun]})
		}
		row := readRow{in: x.Instr}
		col := readCol{run: x.Run, off: x.Off}
		switch x.Op {
		case bytecode.Word:
			if c.form.Needs(x.B) {
				row.op, row.run, row.off, row.word = rowWord, x.Run, x.Off, c.load(x.Scalar())
				out.rows = append(out.rows, row)
			}
			continue
		case bytecode.Let:
			if row.op = rowLet; !c.form.Needs(x.A) {
				continue
			}
		case bytecode.Check:
			row.op = rowCheck
		case bytecode.Gate:
			row.op = rowGate
		case bytecode.Absent:
			continue // cells are empty before
		case bytecode.Take:
			if x.From == nil {
				row.op, row.cell, row.n = rowTake, int(x.A), count{fixed: x.Const, number: x.N}
				break
			}
			col.op, col.cell, col.run, col.off, col.bits = colBits, int(x.A), x.From.Run, x.From.Off, x.From
			col.word = c.load(x.From.Scalar)
			v := taken(x.Instr, 0)
			col.meta = metaOf(0, v.kind, v.form)
			out.cols = append(out.cols, col)
			continue
		case bytecode.Scalars:
			col.word, col.cell = c.load(x.Scalar()), int(x.B)
			col.op = scalarCol(col.word)
			col.meta = metaOf(0, kindOf(col.word.scalar), formOf(x.A))
			out.cols = append(out.cols, col)
			continue
		case bytecode.Truth:
			col.op, col.word, col.cell, col.meta = colTruth, c.load(x.Scalar()), int(x.B), metaOf(0, Bool, 0)
			col.any = x.C&bytecode.TruthNonzero != 0
			out.cols = append(out.cols, col)
			continue
		case bytecode.Lanes:
			col.word, col.cell = c.load(x.Scalar()), int(x.C)
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
			out.cols = append(out.cols, col)
			continue
		case bytecode.Text:
			row.op, row.cell, row.n = rowText, int(x.C), c.count(x, x.B)
		case bytecode.Packed:
			row.op, row.cell, row.n = rowPacked, int(x.D), c.count(x, x.C)
		case bytecode.List:
			row.op, row.cell, row.n = rowList, int(x.C), c.count(x, x.A)
		case bytecode.Map:
			row.op, row.cell, row.n = rowMap, int(x.C), c.count(x, x.A)
		case bytecode.Pad:
			row.op = rowPad
		case bytecode.Call:
			row.op, row.cell = rowCall, int(x.B)
		case bytecode.If:
			row.op, row.then, row.els = rowIf, new(readSteps), new(readSteps)
			c.readSteps(row.then, x.Then)
			c.readSteps(row.els, x.Else)
		}
		out.rows = append(out.rows, row)
	}
}

// fuseText makes one row of a run and the text whose length is in it.
func (m *Machine) fuseText(p *plan) {
	rows := p.read.rows
	if len(rows) < 2 || rows[0].op != rowRun || rows[1].op != rowText || len(rows) > 3 || p.leave >= 0 || p.regs > 0 {
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
	text.word, text.off = text.n.word, text.n.off
	p.read.rows = []readRow{text}
}

// loadWord loads a number as the bits of a register: signed ones sign-extended.
func loadWord(in memory.View, at int, f loadForm) uint64 {
	switch f.scalar {
	case bytecode.U8:
		return uint64(in.Load8(at))
	case bytecode.I8:
		return uint64(int8(in.Load8(at)))
	case bytecode.U16, bytecode.I16:
		x := in.Load16(at)
		if f.big {
			x = bits.ReverseBytes16(x)
		}
		if f.scalar == bytecode.I16 {
			return uint64(int16(x))
		}
		return uint64(x)
	case bytecode.U64, bytecode.I64, bytecode.F64:
		x := in.Load64(at)
		if f.big {
			x = bits.ReverseBytes64(x)
		}
		return x
	}
	x := in.Load32(at)
	if f.big {
		x = bits.ReverseBytes32(x)
	}
	if f.scalar == bytecode.I32 {
		return uint64(int32(x))
	}
	return uint64(x)
}

// planned reads the outermost value by its plan into the first cell.
func (r *Reader) planned(b []byte) (used int, ok bool) {
	f, g := &r.fast, &r.run
	f.depth, f.inside, f.memory = 0, false, r.opt.MaxMemory
	*g = reading{r: r, m: r.m, p: r.m.p, in: b, end: len(b), limit: f.limit, memory: -1,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], steps: math.MaxInt, fast: true}
	if r.opt.MaxMemory > 0 {
		g.memory = r.opt.MaxMemory
	}
	r.places = r.places[:0]
	ok = g.planned(f.plan, f.top[:])
	g.err = nil
	return g.pos, ok
}

// planned reads one value by a plan into dst[0].
func (g *reading) planned(p *plan, dst []Value) bool {
	if p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	var ok bool
	if p.union != nil {
		ok = g.unionPlan(p, dst)
	} else {
		ok = g.record(p, dst, 0)
	}
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

// unionPlan reads the word of a union and its arm.
func (g *reading) unionPlan(p *plan, dst []Value) bool {
	u := p.union
	s := bytecode.Scalar(u.word.A)
	if g.end-g.pos < s.Width() {
		return false
	}
	word := loadWord(memory.Of(g.in), g.pos, loadForm{s, g.p.Big && s != bytecode.Code4})
	g.pos += s.Width()
	var arm *plan
	if u.known != nil {
		if arm = u.known[word].Load(); arm != nil && arm.regs == 0 && arm.leave < 0 {
			return g.record(arm, dst, 0)
		}
	}
	regs0 := len(g.regs)
	g.regs = extend(g.regs, regs0+u.regs)
	g.regs[regs0+int(u.word.B)] = word
	ok := true
	if arm == nil {
		var i int
		if i, ok = g.p.Tables[u.word.D].ByID(uint64(g.evaluate(u.word.C, regs0, nil))); ok {
			arm = u.armFor(g.m, p.routine, word, i)
		}
	}
	ok = ok && g.record(arm, dst, regs0+1)
	g.regs = g.regs[:regs0]
	return ok
}

// record reads one record into dst[0]. Its registers begin at place regs1-1 of the
// stack, or are made if regs1 is 0.
func (g *reading) record(p *plan, dst []Value, regs1 int) bool {
	cells := dst[:1]
	if !p.single {
		if p.cells == 0 && p.leave < 0 {
			dst[0] = MakeUnit(p.tag)
		}
		cells = g.r.slab.alloc(p.cells)
	}
	if !p.fixed {
		clear(cells)
	}
	regs0, made := regs1-1, false
	if p.regs > 0 && regs0 < 0 {
		regs0, made = len(g.regs), true
		g.regs = extend(g.regs, regs0+p.regs)
	}
	ok := g.execute(&p.read, cells, len(cells), 1, regs0)
	if ok && p.leave >= 0 {
		ok = g.leave(p, cells, regs0, dst)
	} else if ok {
		ok = g.made(p, cells, dst)
	}
	if made {
		g.regs = g.regs[:regs0]
	}
	return ok
}

// leave reads the rest of a record by the instructions.
func (g *reading) leave(p *plan, cells []Value, regs0 int, dst []Value) (ok bool) {
	r := &g.p.Routines[p.routine]
	cells0 := len(g.cells)
	g.cells = extend(append(g.cells, cells...), cells0+int(r.Cells))
	if regs0 < 0 {
		regs0 = len(g.regs)
	}
	dst[0], ok = g.code(p.leave, regs0, cells0)
	g.cells = g.cells[:cells0]
	return ok
}

// made stores the value of a record whose cells have been read.
func (g *reading) made(p *plan, cells, dst []Value) bool {
	if p.single {
		dst[0].tag = p.tag
		return true
	}
	if p.cells == 0 {
		return true
	}
	if p.alone {
		alone := -1
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
			dst[0] = cells[alone]
			dst[0].tag = p.tag
			return true
		}
	}
	if !g.afford(len(cells)) {
		return false
	}
	dst[0] = MakeRecord(p.tag, cells)
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

// execute reads n records. The cells of record k begin at cells[k*stride].
func (g *reading) execute(s *readSteps, cells []Value, stride, n, regs0 int) bool {
	base := len(g.r.places)
	if need := base + s.runs*n; need <= cap(g.r.places) {
		g.r.places = g.r.places[:need]
	} else {
		g.r.places = append(g.r.places, make([]int, s.runs*n)...)
	}
	ok := true
	if len(s.rows) == 1 && s.rows[0].op <= rowRun {
		ok = g.fixedRows(&s.rows[0], base, n)
	} else if len(s.rows) == 1 && s.rows[0].op == rowRunText {
		ok = g.textRows(&s.rows[0], cells, stride, base, n)
	} else {
		for k := 0; k < n && ok; k++ {
			if k > 0 {
				clear(g.regs[regs0:])
			}
			ok = g.rows(s, cells[k*stride:k*stride+stride], base+k, n, regs0)
		}
	}
	if ok {
		places := g.r.places[base:]
		in := memory.Of(g.in)
		for i := range s.cols {
			c := &s.cols[i]
			if !c.read(in, places[c.run*n:c.run*n+n], cells, stride) {
				ok = false
				break
			}
		}
	}
	g.r.places = g.r.places[:base]
	return ok
}

// fixedRows finds the places of records of a fixed size.
func (g *reading) fixedRows(row *readRow, base, n int) bool {
	if (g.end-g.pos)/max(row.size, 1) < n {
		return false
	}
	at := g.pos
	places := g.r.places[base : base+n]
	for k := range places {
		places[k] = at
		at += row.size
	}
	g.pos = at
	return true
}

// textRows reads the texts of records that are a run of fields and one text.
func (g *reading) textRows(row *readRow, cells []Value, stride, base, n int) bool {
	in, pos, end := memory.Of(g.in), g.pos, g.end
	places := g.r.places[base : base+n]
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

// partsOf computes the number of parts. place is the index at which the place of run 0
// is noted, and step the distance to that of the next run.
func (g *reading) partsOf(n *count, place, step, regs0 int, cells []Value) int64 {
	switch {
	case n.fixed:
		return n.number
	case n.bits != nil:
		return n.bits.Of(loadWord(memory.Of(g.in), g.r.places[place+n.run*step]+n.off, n.word))
	}
	return g.evaluate(n.expr, regs0, cells)
}

func (g *reading) evaluate(expr uint32, regs0 int, cells []Value) int64 {
	s := &g.scope
	s.m, s.cells, s.open, s.regs = g.m, cells, g.r.opt.Open, nil
	if regs0 >= 0 {
		s.regs = g.regs[regs0:]
	}
	x, _ := s.compute(expr)
	return x
}

// rows executes the rows of one record.
func (g *reading) rows(s *readSteps, cells []Value, place, step, regs0 int) bool {
	for i := range s.rows {
		row := &s.rows[i]
		switch row.op {
		case rowRun:
			if g.end-g.pos < row.size {
				return false
			}
			g.r.places[place+row.run*step] = g.pos
			g.pos += row.size
		case rowText:
			n := g.partsOf(&row.n, place, step, regs0, cells)
			if n < 0 || n > int64(g.end-g.pos) {
				return false
			}
			g.last = int(n)
			if in, v := memory.Of(g.in), &cells[row.cell]; n <= math.MaxInt32 && plainText(in, g.pos, int(n)) {
				v.set(in.Addr(g.pos), 0, uint32(n), uint32(Text)<<16)
			} else if n > math.MaxInt32 || !g.r.fastTextSlow(v, g.in, g.pos, int(n), uint32(Text)<<16, row.in.A) {
				return false
			}
			g.pos += int(n)
		case rowPacked:
			if !g.packedRow(row, cells, place, step, regs0) {
				return false
			}
		case rowList:
			if !g.listRow(row, g.partsOf(&row.n, place, step, regs0, cells), cells) {
				return false
			}
		case rowMap:
			if !g.mapRow(row, g.partsOf(&row.n, place, step, regs0, cells), cells) {
				return false
			}
		case rowPad:
			if !g.pad(row.in) {
				return false
			}
		case rowCall:
			if !g.callRow(row, cells, regs0) {
				return false
			}
		case rowIf:
			branch := row.then
			if g.evaluate(row.in.A, regs0, cells) == 0 {
				branch = row.els
			}
			if !g.execute(branch, cells, len(cells), 1, regs0) {
				return false
			}
		case rowWord:
			g.regs[regs0+int(row.in.B)] = loadWord(memory.Of(g.in), g.r.places[place+row.run*step]+row.off, row.word)
		case rowLet:
			g.regs[regs0+int(row.in.A)] = uint64(g.evaluate(row.in.B, regs0, cells))
		case rowCheck:
			if g.evaluate(row.in.A, regs0, cells) == 0 {
				return false
			}
		case rowGate:
			if g.r.opt.Open>>row.in.A&1 == 0 {
				return false
			}
		case rowTake:
			x := uint64(row.n.number)
			if !row.n.fixed {
				x = g.regs[regs0+int(row.in.B)]
			}
			cells[row.cell] = taken(row.in, x)
		}
	}
	return true
}

func (g *reading) packedRow(row *readRow, cells []Value, place, step, regs0 int) bool {
	in := row.in
	s := in.Scalar()
	size := s.Width() * int(in.B)
	n := int64((g.end - g.pos) / size)
	if in.C != bytecode.None {
		if k := g.partsOf(&row.n, place, step, regs0, cells); k < 0 || k > n {
			return false
		} else {
			n = k
		}
	}
	b := g.in[g.pos : g.pos+int(n)*size : g.pos+int(n)*size]
	g.last = len(b)
	g.pos += len(b)
	v := MakePacked(0, s, int(in.B), g.little(in, b))
	if in.A&bytecode.FlagWide != 0 {
		v.form |= formWide
	}
	cells[row.cell] = v
	return true
}

// room checks a count against the bytes that are left, and the memory for its cells.
func (g *reading) room(n int64, least uint64, cells int64) bool {
	return n >= 0 && uint64(n) <= uint64(g.end-g.pos)/least && g.afford(int(n*cells))
}

func (g *reading) listRow(row *readRow, n int64, cells []Value) bool {
	elem := row.in.B
	if !g.room(n, g.p.Bounds(elem).Min, 1) {
		return false
	}
	begin := g.pos
	list := g.r.slab.alloc(int(n))
	if !g.elementsOf(elem, list) {
		return false
	}
	g.last = g.pos - begin
	cells[row.cell] = MakeList(0, list)
	return true
}

// elementsOf reads values of a routine until list is full.
func (g *reading) elementsOf(elem uint32, list []Value) bool {
	p := g.m.plans[elem]
	if p == nil {
		for i := range list {
			v, ok := g.value(elem, nil)
			if !ok {
				return false
			}
			list[i] = v
		}
		return true
	}
	if p.union != nil || p.leave >= 0 || p.alone || p.cells == 0 {
		for i := range list {
			if !g.planned(p, list[i:i+1]) {
				return false
			}
		}
		return true
	}
	if len(list) == 0 {
		return true
	}
	if p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	for len(list) > 0 {
		n := min(len(list), blockSize)
		if !g.block(p, list[:n]) {
			return false
		}
		list = list[n:]
	}
	g.nest--
	if p.nests {
		g.depth--
	}
	return true
}

// block reads records until list is full, column by column.
func (g *reading) block(p *plan, list []Value) bool {
	cells, stride := list, 1
	if !p.single {
		stride = p.cells
		if !g.afford(stride * len(list)) {
			return false
		}
		cells = g.r.slab.alloc(stride * len(list))
	}
	if !p.fixed {
		clear(cells)
	}
	regs0 := len(g.regs)
	g.regs = extend(g.regs, regs0+p.regs)
	ok := g.execute(&p.read, cells, stride, len(list), regs0)
	g.regs = g.regs[:regs0]
	if !ok {
		return false
	}
	if p.single {
		if p.tag != 0 {
			for k := range list {
				list[k].tag = p.tag
			}
		}
		return true
	}
	meta := metaOf(p.tag, Record, 0)
	for k := range list {
		list[k].set(unsafe.Pointer(&cells[k*stride]), 0, uint32(stride), meta)
	}
	return true
}

func (g *reading) mapRow(row *readRow, n int64, cells []Value) bool {
	in := row.in
	if !g.room(n, g.p.Bounds(in.B).Min+g.p.Bounds(in.D).Min, 2) {
		return false
	}
	begin := g.pos
	pairs := g.r.slab.alloc(2 * int(n))
	for i := 0; i < len(pairs); i += 2 {
		if !g.into1(in.B, pairs[i:i+1]) || !g.into1(in.D, pairs[i+1:i+2]) {
			return false
		}
	}
	g.last = g.pos - begin
	v := MakeMap(0, pairs)
	v.form |= g.r.keys.distinct(pairs)
	cells[row.cell] = v
	return true
}

// into1 reads one value of a routine into dst[0].
func (g *reading) into1(routine uint32, dst []Value) (ok bool) {
	if p := g.m.plans[routine]; p != nil {
		return g.planned(p, dst)
	}
	dst[0], ok = g.value(routine, nil)
	return ok
}

func (g *reading) callRow(row *readRow, cells []Value, regs0 int) (ok bool) {
	begin := g.pos
	at := row.cell
	if list := g.p.Args[row.in.C]; len(list) > 0 {
		var args [16]uint64
		n := 0
		for _, e := range list {
			if n < len(args) {
				args[n] = uint64(g.evaluate(e, regs0, cells))
				n++
			}
		}
		cells[at], ok = g.routine(row.in.A, args[:n])
	} else {
		ok = g.into1(row.in.A, cells[at:at+1])
	}
	g.last = g.pos - begin
	return ok
}

// read reads a column: one field of several records, at places of the input.
func (c *readCol) read(in memory.View, places []int, cells []Value, stride int) bool {
	at, off, meta := c.cell, c.off, c.meta
	switch c.op {
	case colU8:
		for _, p := range places {
			cells[at].set(nil, uint64(in.Load8(p+off)), 0, meta)
			at += stride
		}
	case colU16:
		for _, p := range places {
			cells[at].set(nil, uint64(in.Load16(p+off)), 0, meta)
			at += stride
		}
	case colU16Big:
		for _, p := range places {
			cells[at].set(nil, uint64(bits.ReverseBytes16(in.Load16(p+off))), 0, meta)
			at += stride
		}
	case colI16:
		for _, p := range places {
			cells[at].set(nil, uint64(int16(in.Load16(p+off))), 0, meta)
			at += stride
		}
	case colI16Big:
		for _, p := range places {
			cells[at].set(nil, uint64(int16(bits.ReverseBytes16(in.Load16(p+off)))), 0, meta)
			at += stride
		}
	case colU32:
		for _, p := range places {
			cells[at].set(nil, uint64(in.Load32(p+off)), 0, meta)
			at += stride
		}
	case colU32Big:
		for _, p := range places {
			cells[at].set(nil, uint64(bits.ReverseBytes32(in.Load32(p+off))), 0, meta)
			at += stride
		}
	case colI32:
		for _, p := range places {
			cells[at].set(nil, uint64(int32(in.Load32(p+off))), 0, meta)
			at += stride
		}
	case colI32Big:
		for _, p := range places {
			cells[at].set(nil, uint64(int32(bits.ReverseBytes32(in.Load32(p+off)))), 0, meta)
			at += stride
		}
	case col64:
		for _, p := range places {
			cells[at].set(nil, in.Load64(p+off), 0, meta)
			at += stride
		}
	case col64Big:
		for _, p := range places {
			cells[at].set(nil, bits.ReverseBytes64(in.Load64(p+off)), 0, meta)
			at += stride
		}
	case colF32:
		for _, p := range places {
			cells[at].set(nil, doubleBits(in.Load32(p+off)), 0, meta)
			at += stride
		}
	case colF32Big:
		for _, p := range places {
			cells[at].set(nil, doubleBits(bits.ReverseBytes32(in.Load32(p+off))), 0, meta)
			at += stride
		}
	case colLanes8:
		for _, p := range places {
			x := uint64(0)
			switch {
			case c.size == 8:
				x = in.Load64(p + off)
			case c.size == 4:
				x = uint64(in.Load32(p + off))
			default:
				for k := range c.size {
					x |= uint64(in.Load8(p+off+k)) << (8 * k)
				}
			}
			cells[at].set(nil, x, c.n, meta)
			at += stride
		}
	case colLanes:
		for _, p := range places {
			cells[at].set(in.Addr(p+off), 0, c.n, meta)
			at += stride
		}
	default:
		return c.readOther(in, places, cells, stride)
	}
	return true
}

// doubleBits returns the bits of a single as those of a double.
func doubleBits(x uint32) uint64 {
	f := float64(math.Float32frombits(x))
	if f != f {
		f = widen(x)
	}
	return math.Float64bits(f)
}

// readOther reads columns that are not common.
func (c *readCol) readOther(in memory.View, places []int, cells []Value, stride int) bool {
	at := c.cell
	for _, p := range places {
		v := &cells[at]
		at += stride
		switch c.op {
		case colTruth:
			x := loadWord(in, p+c.off, c.word)
			if x > 1 && !c.any {
				return false
			}
			v.set(nil, uint64(truth(x != 0)), 0, c.meta)
		case colBits:
			x := uint64(c.bits.Of(loadWord(in, p+c.off, c.word)))
			if Kind(c.meta>>16) == Bool {
				x = uint64(truth(x != 0))
			}
			v.set(nil, x, 0, c.meta)
		case colLanesBig:
			w := c.word.scalar.Width()
			b := make([]byte, c.size)
			for i := 0; i < c.size; i += w {
				for k := range w {
					b[i+k] = in.Load8(p + c.off + i + w - 1 - k)
				}
			}
			*v = MakeLanes(0, c.word.scalar, b)
			v.form = uint8(c.meta >> 24)
		default:
			x := loadWord(in, p+c.off, c.word)
			v.set(nil, x, 0, c.meta)
		}
	}
	return true
}
