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
	rows []writeRow
	cols []writeCol
	runs int
	done int // columns that rows write
}

type writeRow struct {
	op     rowOp
	run    int
	size   int
	cell   int
	word   loadForm
	off    int
	holds  *bytecode.Holds // rowWord: the number is that of the parts of a cell
	most   uint64          // the most parts that the word has room for
	sure   bool            // the word before gives the number of parts
	n      count
	in     *bytecode.Instr
	align  int
	from   uint32     // rowList, rowMap, rowRest, rowThrough: the first register that the elements get
	args   uint32     // their number
	valued bool       // rowWord: the number is that of a cell, which fits it
	pc     int        // rowSum
	cols   []writeCol // rowSum: the columns before it
	then   *writeSteps
	els    *writeSteps
}

// writeSteps resolves the steps of a form.
func (c *planner) writeSteps(out *writeSteps, s *bytecode.Steps) {
	out.runs = len(s.Runs)
	begun := -1
	for i := range s.List {
		x := &s.List[i]
		if x.Run > begun {
			begun = x.Run
			out.rows = append(out.rows, writeRow{op: rowRun, run: begun, size: s.Runs[begun]})
		}
		row := writeRow{in: x.Instr, sure: x.Sure}
		col := writeCol{run: x.Run, off: x.Off}
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
			row.op, row.cell = rowAbsent, int(x.A)
		case bytecode.Scalars:
			if x.Run < 0 {
				row.op, row.cell = rowNumber, int(x.B)
				break
			}
			col.word, col.cell = c.load(x.Scalar(), x.Swapped()), int(x.B)
			switch col.word.scalar {
			case bytecode.F32:
				col.op = putFloat32
			case bytecode.F64:
				col.op = putFloat64
			}
			out.column(col)
			continue
		case bytecode.Truth:
			col.op, col.word, col.cell = putTruth, c.load(x.Scalar(), x.Swapped()), int(x.B)
			out.column(col)
			continue
		case bytecode.Lanes:
			col.op, col.word, col.cell = putLanes, c.load(x.Scalar(), x.Swapped()), int(x.C)
			col.n, col.size = x.B, int(x.B)*col.word.scalar.Width()
			out.column(col)
			continue
		case bytecode.Text:
			row.op, row.cell, row.n = rowText, int(x.C), c.count(x, x.B)
		case bytecode.Packed:
			row.op, row.cell, row.n = rowPacked, int(x.D), c.count(x, x.C)
		case bytecode.List:
			row.op, row.cell, row.n = rowList, int(x.C), c.count(x, x.A)
			row.from, row.args = c.m.p.Passed(x.PC)
		case bytecode.Map:
			row.op, row.cell, row.n = rowMap, int(x.C), c.count(x, x.A)
			row.from, row.args = c.m.p.Passed(x.PC)
		case bytecode.Rest, bytecode.Through:
			row.op, row.cell = rowRest, int(x.B)
			if x.Op == bytecode.Through {
				row.op = rowThrough
			}
			row.from, row.args = c.m.p.Passed(x.PC)
		case bytecode.Pass, bytecode.Enter, bytecode.Leave, bytecode.Compare:
			continue // the list looks at it, or a reader
		case bytecode.Sum:
			if x.D&bytecode.SumRead != 0 {
				continue
			}
			row.op, row.pc, row.cols = rowSum, x.PC, out.cols[out.done:]
			out.done = len(out.cols)
		case bytecode.Patch:
			row.op, row.word, row.size = rowPatch, c.load(x.Scalar(), x.Swapped()), x.Scalar().Width()
		case bytecode.Pad:
			row.op = rowPad
		case bytecode.Call:
			row.op, row.cell = rowCall, int(x.B)
		case bytecode.If:
			row.op, row.then, row.els = rowIf, new(writeSteps), new(writeSteps)
			c.writeSteps(row.then, x.Then)
			c.writeSteps(row.els, x.Else)
		default:
			row.op, row.cell = plainRows[x.Op], int(x.Cell())
		}
		out.rows = append(out.rows, row)
	}
}

// fuseWrite makes one row of a run, the length of a text in it, and the text.
func (m *Machine) fuseWrite(p *plan) {
	rows := p.write.rows
	if len(rows) < 3 || len(rows) > 4 || rows[0].op != rowRun || rows[1].op != rowWord || rows[2].op != rowText || p.quit >= 0 || p.keeps > 0 {
		return
	}
	word, text := rows[1], rows[2]
	if word.holds == nil || !text.sure || word.holds.Add != 0 || m.p.Encodings[text.in.A].NUL == bytecode.NULCounted {
		return
	}
	align := 1
	if len(rows) == 4 {
		pad := rows[3].in
		if rows[3].op != rowPad || pad.A&(pad.A-1) != 0 || pad.A > 8 || pad.C != 0 {
			return
		}
		align = int(pad.A)
	}
	text.op, text.run, text.size, text.align = rowRunText, rows[0].run, rows[0].size, align
	text.word, text.off, text.most = word.word, word.off, word.most
	p.write.rows = []writeRow{text}
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

// cells returns all cells of a record.
func (r *records) cells(k int) []Value {
	if r.lone {
		return r.list[k : k+1]
	}
	return r.list[k].Cells()
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
	*g = writing{w: w, m: w.m, p: w.m.p, out: dst, base: len(dst), limit: f.limit,
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0], bases: g.bases[:0], aways: g.aways[:0], fast: true}
	w.places = w.places[:0]
	ok := g.planned(f.plan, f.top[:])
	out := g.out
	g.out, g.err = nil, nil
	return out, ok
}

// planned writes one value, which is v[0], by a plan. It takes its arguments from the stack of registers.
func (g *writing) planned(p *plan, v []Value) bool {
	base := len(g.regs) - p.args
	if p.decides != nil {
		p = p.variant(g.m, g.regs[base:])
	}
	if u := p.union; u != nil {
		arm, ok := g.m.arm(p.routine, v[0].tag)
		if !ok {
			return false
		}
		if u.word.Op == bytecode.Switch {
			id, ok := g.evaluate(u.word.C, base, nil)
			if want, known := u.table.ByID(uint64(id)); !ok || !known || want != arm {
				return false
			}
		}
		if p = u.arms[arm]; u.put != nil && u.heads[arm] != bytecode.None && (p.cells == 0 || p.takes(&v[0])) {
			var cells []Value
			if r := (records{v[:1], p.lone}); p.cells > 0 {
				cells = r.cells(0)
			}
			if word, ok := g.evaluate(u.heads[arm], base, cells); ok && uint64(word) < 256 {
				p = u.putFor(g.m, p.routine, uint64(word), arm)
			}
		}
	}
	if p.cells > 0 && !p.takes(&v[0]) {
		ok := g.routine(p.routine, v[0], g.regs[base:])
		g.regs = g.regs[:base]
		return ok
	}
	if p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	ok := g.record(p, v, base)
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}

// record writes one record. Its registers begin at regs0 of the stack, with the arguments.
func (g *writing) record(p *plan, v []Value, regs0 int) bool {
	r := records{v[:1], p.lone}
	if p.cells == 0 {
		r.list = nil
	}
	if p.keeps > 0 {
		g.regs = extend(g.regs, regs0+p.keeps)
	}
	ok := g.execute(&p.write, r, 1, regs0)
	if ok && p.quit >= 0 {
		cells0 := len(g.cells)
		if p.cells > 0 {
			g.cells = append(g.cells, r.cells(0)...)
		}
		g.cells = extend(g.cells, cells0+int(g.p.Routines[p.routine].Cells))
		for _, c := range g.cells[cells0:] {
			if c.kind == Map && c.form&formDistinct == 0 {
				ok = false // keys may be there twice
			}
		}
		ok = ok && g.code(p.routine, p.quit, v[0], regs0, cells0)
		g.cells = g.cells[:cells0]
	}
	g.regs = g.regs[:regs0]
	return ok
}

// execute writes n records.
func (g *writing) execute(s *writeSteps, r records, n, regs0 int) bool {
	base := len(g.w.places)
	if need := base + s.runs*n; need <= cap(g.w.places) {
		g.w.places = g.w.places[:need]
	} else {
		g.w.places = append(g.w.places, make([]int, s.runs*n)...)
	}
	ok := true
	switch {
	case len(s.rows) == 1 && s.rows[0].op == rowRun:
		g.fixedRows(&s.rows[0], base, n)
	case len(s.rows) == 1 && s.rows[0].op == rowRunText:
		ok = g.textRows(&s.rows[0], r, base, n)
	default:
		for k := 0; k < n && ok; k++ {
			if k > 0 {
				clear(g.regs[regs0:])
			}
			ok = g.rows(s, r, k, base+k, n, regs0)
		}
	}
	if ok {
		places := g.w.places[base:]
		out := memory.Of(g.out)
		if n == 1 {
			ok = writeOne(s.cols[s.done:], out, places, r)
			g.w.places = g.w.places[:base]
			return ok
		}
		for i := s.done; i < len(s.cols); i++ {
			c := &s.cols[i]
			if !c.write(out, places[c.run*n:c.run*n+n], r) {
				ok = false
				break
			}
		}
	}
	g.w.places = g.w.places[:base]
	return ok
}

// reserve appends n bytes and returns their place.
func (g *writing) reserve(n int) int {
	at := len(g.out)
	g.out = slices.Grow(g.out, n+headroom)[:at+n]
	return at
}

func (g *writing) fixedRows(row *writeRow, base, n int) {
	at := g.reserve(row.size * n)
	places := g.w.places[base : base+n]
	for k := range places {
		places[k] = at
		at += row.size
	}
}

// textRows writes the texts of records that are a run of fields and one text.
func (g *writing) textRows(row *writeRow, r records, base, n int) bool {
	out := g.out[:cap(g.out)]
	mem, pos := memory.Of(out), len(g.out)
	places := g.w.places[base : base+n]
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
	if x, ok := g.m.computed[expr].ofRegs(g.regs[regs0:]); ok {
		return x, true
	}
	s := &g.scope
	if s.cells, s.regs = cells, g.regs[regs0:]; s.m == nil {
		s.m, s.open = g.m, g.w.opt.Open
	}
	return s.compute(expr)
}

// parts returns how many parts of a cell a word counts.
func parts(m *Machine, h *bytecode.Holds, v *Value) (uint64, bool) {
	if h.Op == bytecode.ExprLen {
		return uint64(v.n) + uint64(truth(m.p.Encodings[h.Enc].NUL == bytecode.NULCounted)), v.kind == Text
	}
	return uint64(v.n), v.kind == List || v.kind == Map || v.kind == Packed
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

// rows executes the rows of one record.
func (g *writing) rows(s *writeSteps, r records, k, place, step, regs0 int) bool {
	var cells []Value
	if len(r.list) > 0 {
		cells = r.cells(k)
	}
	for i := range s.rows {
		row := &s.rows[i]
		ok := true
		switch row.op {
		case rowRun:
			g.w.places[place+row.run*step] = g.reserve(row.size)
		case rowWord:
			ok = g.wordRow(row, g.w.places[place+row.run*step]+row.off, regs0, cells)
		case rowLet:
			var x int64
			x, ok = g.evaluate(row.in.B, regs0, cells)
			g.regs[regs0+int(row.in.A)] = uint64(x)
		case rowCheck:
			var x int64
			x, ok = g.evaluate(row.in.A, regs0, cells)
			ok = ok && x != 0
		case rowGate:
			ok = g.w.opt.Open>>row.in.A&1 != 0
		case rowExpect:
			ok = g.expect(row.in, &cells[row.cell])
		case rowAbsent:
			ok = cells[row.cell].kind == None
		case rowText:
			ok = g.textRow(row, &cells[row.cell], regs0, cells)
		case rowPacked:
			c := cells[row.cell]
			ok = c.kind == Packed && c.Width() == int(row.in.B) && (row.in.C == bytecode.None || g.agrees(row, int64(c.n), regs0, cells))
			at := len(g.out)
			ok = ok && g.numbers(row.in.Scalar(), c, g.big(row.in), row.in.Rule)
			g.last = len(g.out) - at
		case rowList:
			c := &cells[row.cell]
			at := len(g.out)
			ok = c.kind == List && g.agrees(row, int64(c.n), regs0, cells) && g.elementsOf(row.in.B, c.Cells(), g.passedBy(row, regs0))
			g.last = len(g.out) - at
		case rowMap:
			ok = g.mapRow(row, &cells[row.cell], regs0, cells)
		case rowPad:
			n := (int(row.in.A) - g.last%int(row.in.A)) % int(row.in.A)
			for ; n > 0; n-- {
				g.out = append(g.out, byte(row.in.C))
			}
		case rowCall:
			ok = g.callRow(row, &cells[row.cell], regs0, cells)
		case rowIf:
			var x int64
			if x, ok = g.evaluate(row.in.A, regs0, cells); ok {
				branch := row.then
				if x == 0 {
					branch = row.els
				}
				one := r
				if len(r.list) > 0 {
					one.list = r.list[k : k+1]
				}
				ok = g.execute(branch, one, 1, regs0)
			}
		default:
			ok = g.moreRows(row, r, k, place, step, regs0, cells)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (g *writing) wordRow(row *writeRow, at, regs0 int, cells []Value) bool {
	if h := row.holds; h != nil {
		n, ok := parts(g.m, h, &cells[h.Cell])
		if !ok || n > row.most {
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
	x, ok := g.evaluate(row.in.C, regs0, cells)
	if !ok || !fits(row.word.scalar, x) {
		return false
	}
	if len(g.regs) > regs0 {
		g.regs[regs0+int(row.in.B)] = uint64(x)
	}
	storeWord(memory.Of(g.out), at, row.word, uint64(x))
	return true
}

func (g *writing) textRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	enc := &g.p.Encodings[row.in.A]
	if c.kind != Text {
		return false
	}
	if bad, _ := checkText(enc, c.Bytes()); bad >= 0 {
		return false
	}
	n := int64(c.n) + truth(enc.NUL == bytecode.NULCounted)
	if !g.agrees(row, n, regs0, cells) {
		return false
	}
	g.out = append(g.out, c.Bytes()...)
	if n > int64(c.n) {
		g.out = append(g.out, 0)
	}
	g.last = int(n)
	return true
}

func (g *writing) mapRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	if c.kind != Map || !g.agrees(row, int64(c.n), regs0, cells) {
		return false
	}
	pairs := c.Cells()
	if c.form&formDistinct == 0 && (c.form&formRepeats != 0 || g.w.keys.distinct(pairs) == formRepeats) {
		return false
	}
	at := len(g.out)
	args := g.passedBy(row, regs0)
	keys := args
	if len(args) > 0 {
		keys = args[:g.p.Routines[row.in.B].Args]
		args = args[len(keys):]
	}
	for i := 0; i < len(pairs); i += 2 {
		if !g.element(row.in.B, pairs[i:i+1], keys) || !g.element(row.in.D, pairs[i+1:i+2], args) {
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

// element writes v[0] by a routine.
func (g *writing) element(routine uint32, v []Value, args []uint64) bool {
	if p := g.m.plans[routine]; p != nil {
		g.regs = append(g.regs, args...)
		return g.planned(p, v)
	}
	return g.value(routine, v[0], args)
}

func (g *writing) callRow(row *writeRow, c *Value, regs0 int, cells []Value) bool {
	if c.kind == None {
		return false
	}
	at := len(g.out)
	ok := true
	if list := g.p.Args[row.in.C]; len(list) > 0 {
		top := len(g.regs)
		for _, e := range list {
			x, fine := g.evaluate(e, regs0, cells)
			g.regs, ok = append(g.regs, uint64(x)), ok && fine
		}
		if p := g.m.plans[row.in.A]; p != nil {
			ok = ok && g.planned(p, unsafe.Slice(c, 1))
		} else {
			ok = ok && g.routine(row.in.A, *c, g.regs[top:])
			g.regs = g.regs[:top]
		}
	} else {
		ok = g.element(row.in.A, unsafe.Slice(c, 1), nil)
	}
	g.last = len(g.out) - at
	return ok
}

// elementsOf writes values by a routine.
func (g *writing) elementsOf(elem uint32, list []Value, args []uint64) bool {
	p := g.m.plans[elem]
	if p == nil || p.union != nil || p.quit >= 0 || p.cells == 0 || p.args > 0 {
		for i := range list {
			if !g.element(elem, list[i:i+1], args) {
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
			if n++; !g.routine(elem, list[0], nil) {
				return false
			}
		} else if !g.block(p, list[:n]) {
			return false
		}
		list = list[n:]
	}
	return true
}

// block writes records column by column.
func (g *writing) block(p *plan, list []Value) bool {
	if p.nests && g.depth > g.limit || g.nest >= maxNest(g.limit) {
		return false
	}
	g.nest++
	if p.nests {
		g.depth++
	}
	regs0 := len(g.regs)
	g.regs = extend(g.regs, regs0+p.keeps)
	ok := g.execute(&p.write, records{list, p.lone}, len(list), regs0)
	g.regs = g.regs[:regs0]
	g.nest--
	if p.nests {
		g.depth--
	}
	return ok
}
