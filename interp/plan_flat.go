// Plans as flat lists of rows: conditions are jumps, sizes belong to what they measure, and records that are one list
// are part of the record around them.

package interp

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// lengthen returns s with n numbers. New ones are 0 if zeros is true, else anything: each is given a number before
// it is looked at.
func lengthen(s []uint64, n int, zeros bool) []uint64 {
	if zeros && n > len(s) {
		return extend(s, n)
	}
	if n > cap(s) {
		s = slices.Grow(s, n-len(s))
	}
	return s[:n]
}

// passed returns the registers that the elements of a list get.
func (c *planner) passed(x *bytecode.Step) (from int32, args uint32) {
	first, n := c.m.p.Passed(x.PC)
	return int32(first), n
}

// flatten makes one list of rows and resolves what they look at.
func (s *writeSteps) flatten(m *Machine, known []bytecode.Known) {
	s.rows = flatWrite(nil, s.rows)
	for i := range s.rows {
		s.rows[i].resolve(m, known)
	}
	s.measure()
	s.fuse()
	if !s.block {
		s.cols = nil
	}
}

// fuse joins marks at the same place, and a checksum and the word that it becomes.
func (s *writeSteps) fuse() {
	for i := 0; i+1 < len(s.rows); i++ {
		row, next := &s.rows[i], &s.rows[i+1]
		if s.jumpsTo(i + 1) {
			continue
		}
		switch {
		case row.op == rowMark && next.op == rowMark && !row.valued && !next.valued:
			row.numbers = append(row.numbers, runNumber{reg: next.reg, place: true})
		case row.op == rowMark && next.op == rowRun && !row.valued:
			next.numbers = append(slices.Clone(next.numbers), runNumber{reg: row.reg, place: true})
			next.numbers = append(next.numbers, row.numbers...)
			s.delete(i)
			i--
			continue
		case row.op == rowSum && next.op == rowPatch && row.patch == nil && !next.adds && row.gives(next):
			patch := *next
			row.patch = &patch
		default:
			continue
		}
		s.delete(i + 1)
		i--
	}
}

// gives reports whether the word that a row completes is the checksum.
func (row *writeRow) gives(patch *writeRow) bool {
	return patch.number.Op == bytecode.ExprReg && uint32(patch.number.Arg) == row.in.A && patch.from != int32(row.in.A)
}

func flatWrite(out, rows []writeRow) []writeRow {
	for _, row := range rows {
		out = append(out, row)
		if row.op != rowIf {
			continue
		}
		at := len(out) - 1
		if out = flatWrite(out, row.then.rows); len(row.els.rows) > 0 {
			out = append(out, writeRow{op: rowJump})
			jump := len(out) - 1
			out = flatWrite(out, row.els.rows)
			out[jump].skip = len(out) - 1 - jump
			out[at].skip = jump - at
		} else {
			out[at].skip = len(out) - 1 - at
		}
		out[at].then, out[at].els = nil, nil
	}
	return out
}

// resolve resolves the registers and the number of a row.
func (row *writeRow) resolve(m *Machine, known []bytecode.Known) {
	in := row.in
	if in == nil {
		return
	}
	number := func(expr uint32) {
		if row.run = &m.computed[expr].regs; row.run.op == numNone {
			row.run = nil
		}
	}
	switch row.op {
	case rowLet:
		row.reg, row.number = int32(in.A), m.p.Exprs[in.B]
		number(in.B)
	case rowCheck, rowIf, rowStop:
		number(in.A)
	case rowMark:
		row.reg = int32(in.A)
	case rowSize:
		row.reg, row.from = int32(in.A), int32(in.B)
	case rowHead:
		row.reg = int32(in.B)
	case rowPlace:
		row.reg = int32(in.D)
	case rowPatch:
		if row.reg, row.from = int32(in.D), int32(in.B); !row.adds {
			row.number = m.p.Exprs[in.C]
			number(in.C)
		}
	case rowWord:
		if row.holds == nil && !row.valued {
			number(in.C)
		}
	case rowCall:
		row.link = m.linkOf(in, known)
	}
}

// measure makes sizes part of the rows that write what they measure.
func (s *writeSteps) measure() {
	for i := 0; i+1 < len(s.rows); i++ { // marks go behind lets, which write nothing
		mark, let := &s.rows[i], &s.rows[i+1]
		if mark.op == rowMark && !mark.valued && let.op == rowLet && let.run != nil && let.reg != mark.reg && !let.looksAt(mark.reg) && !s.jumpsTo(i+1) {
			*mark, *let = *let, *mark
		}
	}
	for i := 0; i+2 < len(s.rows); i++ {
		mark, row, size := &s.rows[i], &s.rows[i+1], &s.rows[i+2]
		if mark.op != rowMark || mark.valued || size.op != rowSize || size.from != mark.reg || size.reg != mark.reg || s.jumpsTo(i+1) || s.jumpsTo(i+2) {
			continue
		}
		switch row.op {
		case rowCall, rowRest, rowThrough, rowPacked:
			row.sizes, row.reg = true, size.reg
			s.delete(i + 2)
			s.delete(i)
		}
	}
}

// looksAt reports whether the number of a row depends on a register.
func (row *writeRow) looksAt(reg int32) bool {
	return row.number.Any(func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprReg && int32(e.Arg) == reg })
}

// jumpsTo reports whether a jump leads to a row.
func (s *writeSteps) jumpsTo(at int) bool {
	for i := range s.rows {
		if op := s.rows[i].op; (op == rowIf || op == rowJump) && i+1+s.rows[i].skip == at {
			return true // unreachable: the compiler puts a mark directly before what it measures; a program by hand may end a condition with it
		}
	}
	return false
}

// delete deletes a row.
func (s *writeSteps) delete(at int) {
	for i := range s.rows[:at] {
		if op := s.rows[i].op; (op == rowIf || op == rowJump) && i+s.rows[i].skip >= at {
			s.rows[i].skip--
		}
	}
	s.rows = slices.Delete(s.rows, at, at+1)
}

// inlineWrite makes the row of a call that of the record that is called. The record must be one list
// without arguments.
func (c *planner) inlineWrite(x *bytecode.Step, row *writeRow) {
	in, _, ok := c.m.onlyList(x.Instr)
	if !ok {
		return
	}
	row.op, row.in, row.inner = rowRest, in, true
	if in.Op == bytecode.Through {
		row.op = rowThrough
	}
}

// onlyList returns the list without a count that is all that a called record consists of. It also returns the
// type of the record.
func (m *Machine) onlyList(call *bytecode.Instr) (in *bytecode.Instr, typ uint32, ok bool) {
	r := &m.p.Routines[call.A]
	pc := int(r.Start)
	first := &m.p.Code[pc]
	if first.Op != bytecode.Fields || r.Args > 0 || r.Nests || len(m.p.Args[call.C]) > 0 || m.p.End(pc) != pc+2 {
		return nil, typ, false
	}
	in = &m.p.Code[pc+1]
	done := &m.p.Code[pc+2]
	t := &m.p.Types[done.A]
	if in.Op != bytecode.Rest && in.Op != bytecode.Through || done.B&bytecode.DoneAlone == 0 || len(t.Fields) != 1 || !t.Fields[0].Alone {
		return nil, typ, false
	}
	return in, done.A, true
}

// inlineRead is inlineWrite for a record that is read.
func (c *planner) inlineRead(x *bytecode.Step, row *readRow) {
	in, typ, ok := c.m.onlyList(x.Instr)
	if !ok {
		return
	}
	row.op, row.in, row.inner, row.tag = rowRest, in, true, c.m.tags[typ]
	if in.Op == bytecode.Through {
		row.op = rowThrough
	}
}

// survey counts how often registers are given a number. It also finds whether each path through a record that is read
// gives every cell a value or marks it as absent.
func (c *planner) survey(routine uint32, cells int) {
	c.once = map[uint32]int{}
	r := &c.m.p.Routines[routine]
	for reg := range r.Args {
		c.once[reg]++
	}
	if in := &c.m.p.Code[r.Start]; in.Op == bytecode.Union {
		c.once[in.B]++
	}
	lens := false
	covered := c.surveyed(&c.form.Steps, &lens)
	c.covered = !lens
	for cell := range uint32(cells) {
		c.covered = c.covered && covered[cell]
	}
}

// surveyed counts the registers of steps, and returns the cells of which each path says something.
func (c *planner) surveyed(s *bytecode.Steps, lens *bool) map[uint32]bool {
	covered := map[uint32]bool{}
	for i := range s.List {
		x := &s.List[i]
		again := x.Op == bytecode.Size && x.A == x.B || x.Op == bytecode.Patch || x.Op == bytecode.Let && c.known(s.List, i)
		if !again { // else the mark, the word or the let before counts
			for _, reg := range x.Sets() {
				c.once[reg]++
			}
		}
		switch x.Op {
		case bytecode.Absent, bytecode.Take, bytecode.ArmRef:
			covered[x.A] = true
		case bytecode.If:
			then, els := c.surveyed(x.Then, lens), c.surveyed(x.Else, lens)
			for cell := range then {
				covered[cell] = covered[cell] || els[cell]
			}
		case bytecode.Let:
			*lens = *lens || c.looksAtLengths(x.B)
		default:
			if cell := x.Cell(); cell != bytecode.None {
				covered[cell] = true
			}
		}
		switch x.Op {
		case bytecode.Check, bytecode.If, bytecode.Enter, bytecode.Stop:
			*lens = *lens || c.looksAtLengths(x.A)
		case bytecode.Compare, bytecode.Filled:
			*lens = *lens || c.looksAtLengths(x.B)
		case bytecode.Call:
			for _, e := range c.m.p.Args[x.C] {
				*lens = *lens || c.looksAtLengths(e)
			}
		}
		if expr := x.Count(); expr != bytecode.None {
			*lens = *lens || c.looksAtLengths(expr)
		}
	}
	return covered
}

// looksAtLengths reports whether an expression looks at the length of a text that has been read, or of none.
func (c *planner) looksAtLengths(expr uint32) bool {
	return c.m.p.Exprs[expr].Any(func(e *bytecode.Expr) bool { return e.Op.NeedsCells() })
}

// flatten makes one list of rows and resolves what they look at. If whole is false, the instructions read the rest of the
// record and may look at any register.
func (s *readSteps) flatten(m *Machine, known []bytecode.Known, whole bool) {
	defer func() { s.rows = slices.Grow(s.rows, 1) }() // for a pointer behind the last one
	if s.block {
		return
	}
	runs := s.runs
	s.rows = flatRead(nil, s.rows, 0, &runs)
	s.runs = runs
	for i := range s.rows {
		s.rows[i].resolve(m, known)
	}
	s.places()
	s.fuse(m, whole)
	s.cols = nil // blocks alone have columns
}

// fuse joins a checksum, the comparison with it, and the run that is only its word.
func (s *readSteps) fuse(m *Machine, whole bool) {
	for i := 0; i+1 < len(s.rows); i++ {
		sum, compare := &s.rows[i], &s.rows[i+1]
		if sum.op != rowSum || compare.op != rowCompare || compare.in.A == sum.in.A || s.jumpsTo(i+1) {
			continue
		}
		if e := m.p.Exprs[compare.in.B]; e.Op != bytecode.ExprReg || uint32(e.Arg) != sum.in.A {
			continue
		}
		sum.reg, sum.compares = int32(compare.in.A), true
		if s.delete(i + 1); whole && i > 0 && !s.jumpsTo(i) && s.joins(m, &s.rows[i-1], i) {
			s.delete(i - 1)
			i--
			s.stops(i)
		}
	}
}

// stops merges the row after a checksum that is read into that of the checksum. The row must end a list by the comparison
// of a register.
func (s *readSteps) stops(at int) {
	if at+1 == len(s.rows) || s.jumpsTo(at+1) {
		return
	}
	if stop := &s.rows[at+1]; stop.op == rowStop && !stop.n.fixed && stop.number.op == numEq {
		s.rows[at].stops, s.rows[at].number = true, stop.number
		s.delete(at + 1)
	}
}

// joins makes a run part of the checksum after it. The run must be the word of the checksum, and the sum must end with
// the byte before it. Nothing else looks at the registers that the run gives a number.
func (s *readSteps) joins(m *Machine, run *readRow, at int) bool {
	sum := &s.rows[at]
	f := &run.fills
	marks := run.fills.marks
	last := len(sum.sum.parts) - 1
	if run.op != rowRun || run.run != none || len(f.regs) != 1 || f.other != nil || len(f.cells)+len(f.views) > 0 || run.fills.checked() || len(marks) != 1 || marks[0].off != 0 {
		return false
	}
	word := loadForm{wordScalars[run.size], f.big && run.size > 1}
	whole := fills{}
	part := sum.sum.parts[last]
	if word.scalar == bytecode.NoScalar || !whole.register(uint32(sum.reg), word, run.size, 0, 0, 1<<64-1) || whole.regs[0] != f.regs[0] ||
		part.To != int(marks[0].reg) || part.With >= 0 {
		return false
	}
	l := liveness{m: m, used: map[uint32]bool{}}
	for i := range s.rows {
		if i != at {
			l.row(&s.rows[i])
		}
	}
	for i, p := range sum.sum.parts {
		l.used[uint32(p.From)] = true
		l.used[uint32(p.To)] = l.used[uint32(p.To)] || i < last
	}
	if l.used[uint32(sum.reg)] || l.used[uint32(part.To)] || l.used[sum.in.A] {
		return false
	}
	sum.compares, sum.reads, sum.size, sum.word, sum.reg = false, true, run.size, word, int32(part.To)
	sum.crc, sum.from = sum.sum.whole && sum.sum.of == builtin.CRC32 && run.size == 4, int32(part.From)
	return true
}

// wordScalars are the numbers of some bytes.
var wordScalars = map[int]bytecode.Scalar{1: bytecode.U8, 2: bytecode.U16, 4: bytecode.U32, 8: bytecode.U64}

// row notes the registers that a row reads, and those that the one row inside of its region reads.
func (l *liveness) row(row *readRow) {
	if row.in != nil {
		l.looks(row.op, row.in, row.n.fixed || row.n.bits != nil, uint32(row.from), row.args)
	}
	if row.compares {
		l.used[uint32(row.reg)] = true
	}
	if row.region != nil {
		l.expr(row.in.A)
		l.row(row.region)
	}
}

// delete deletes a row.
func (s *readSteps) delete(at int) {
	for i := range s.rows[:at] {
		if op := s.rows[i].op; (op == rowIf || op == rowJump) && i+s.rows[i].skip >= at {
			s.rows[i].skip--
		}
	}
	s.rows = slices.Delete(s.rows, at, at+1)
}

// jumpsTo reports whether a jump leads to a row.
func (s *readSteps) jumpsTo(at int) bool {
	for i := range s.rows {
		if op := s.rows[i].op; (op == rowIf || op == rowJump) && i+1+s.rows[i].skip == at {
			return true
		}
	}
	return false
}

// flatRead appends rows. The runs of a condition get the numbers after those that are there.
func flatRead(out, rows []readRow, base int, runs *int) []readRow {
	for _, row := range regions(rows) {
		if row.op == rowRun || row.op == rowRunText || row.op == rowWord || row.op == rowMark && row.run != none {
			row.run += base
		}
		if row.col != nil {
			col := *row.col
			col.run += base
			row.col = &col
		}
		row.n.run += base
		out = append(out, row)
		if row.op != rowIf {
			continue
		}
		at := len(out) - 1
		branch := func(s *readSteps) {
			first := *runs
			*runs += s.runs
			out = flatRead(out, s.rows, first, runs)
		}
		if branch(row.then); len(row.els.rows) > 0 {
			out = append(out, readRow{op: rowJump, run: none})
			jump := len(out) - 1
			branch(row.els)
			out[jump].skip = len(out) - 1 - jump
			out[at].skip = jump - at
		} else {
			out[at].skip = len(out) - 1 - at
		}
		out[at].then, out[at].els = nil, nil
	}
	return out
}

// regions makes a region and the one row in it one row.
func regions(rows []readRow) (out []readRow) {
	for i := 0; i < len(rows); i++ {
		row := rows[i]
		if row.op == rowEnter && i+2 < len(rows) && rows[i+2].op == rowLeave {
			switch content := rows[i+1]; content.op {
			case rowCall, rowRest, rowThrough, rowPacked:
				row.op, row.region = rowRegion, &content
				i += 2
			}
		}
		out = append(out, row)
	}
	return out
}

// resolve resolves the registers and the number of a row.
func (row *readRow) resolve(m *Machine, known []bytecode.Known) {
	in := row.in
	if in == nil {
		return
	}
	number := func(expr uint32) { row.number = m.computed[expr].regs }
	switch row.op {
	case rowLet:
		row.reg = int32(in.A)
		number(in.B)
	case rowCompare:
		number(in.B)
	case rowCheck, rowIf, rowStop, rowEnter, rowRegion:
		number(in.A)
	case rowMark:
		row.reg = int32(in.A)
	case rowSize:
		row.reg, row.from = int32(in.A), int32(in.B)
	case rowWord:
		row.reg = int32(in.B)
	case rowCall:
		row.link = m.linkOf(in, known)
	case rowRest, rowThrough, rowList:
		if row.args == 0 {
			row.link = &link{routine: in.A}
		}
		if row.link != nil && row.op == rowList {
			row.link.routine = in.B
		}
	}
	if row.region != nil {
		row.region.resolve(m, known)
	}
}

// places numbers the runs whose places are looked at.
func (s *readSteps) places() {
	used := map[int]int{}
	note := func(run int) int {
		if _, ok := used[run]; !ok {
			used[run] = len(used)
		}
		return used[run]
	}
	look := func(row *readRow) {
		switch {
		case row.op == rowColumn:
			row.col.run = note(row.col.run)
		case row.op == rowWord || row.op == rowMark && row.run != none:
			row.run = note(row.run)
		case row.in != nil && row.n.bits != nil && row.op != rowRunText:
			row.n.run = note(row.n.run)
		}
	}
	for i := range s.rows {
		look(&s.rows[i])
		if x := s.rows[i].region; x != nil {
			look(x)
		}
	}
	for i := range s.rows {
		if row := &s.rows[i]; row.op == rowRun || row.op == rowRunText {
			run, ok := used[row.run]
			if row.run = run; !ok {
				row.run = none
			}
		}
	}
	s.runs = len(used)
}
