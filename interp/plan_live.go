// Registers that nothing looks at: steps that only give them a number are left out of a plan.

package interp

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// liveness finds the registers of one record that steps look at.
type liveness struct {
	m    *Machine
	used map[uint32]bool
	pads bool // the size of the last part is looked at
	puts bool // rows write: those of words do more than give a number to a register
}

// expr notes the registers of an expression of the program.
func (l *liveness) expr(expr uint32) {
	l.number(l.m.p.Exprs[expr])
}

// number notes the registers of an expression.
func (l *liveness) number(e *bytecode.Expr) {
	for _, reg := range e.Registers() {
		l.used[reg] = true
	}
}

// gives returns the register of an instruction that does nothing but give it a number.
func (l *liveness) gives(op rowOp, in *bytecode.Instr) (reg uint32, ok bool) {
	switch op {
	case rowLet:
		fits := !l.m.p.Exprs[in.B].Any(func(e *bytecode.Expr) bool { return e.Op == bytecode.ExprFit })
		return in.A, fits // else a writer refuses what does not fit
	case rowMark, rowSum:
		return in.A, true
	case rowSize:
		return in.A, !l.pads
	case rowWord:
		return in.B, !l.puts
	case rowHead:
		return in.B, true
	}
	return 0, false
}

// keeps reports whether a row that is left gives a register a number.
func (l *liveness) keeps(op rowOp, in *bytecode.Instr) bool {
	if in == nil {
		return false
	}
	_, ok := l.gives(op, in)
	return ok || op == rowLet || op == rowSize
}

// looks notes the registers that an instruction of a row looks at.
// If counted is true, the number of its parts is taken from elsewhere.
func (l *liveness) looks(op rowOp, in *bytecode.Instr, counted bool, from, args uint32) {
	for i := range args {
		l.used[from+i] = true
	}
	switch op {
	case rowText, rowPacked, rowList, rowMap:
		if expr := in.Count(); expr != bytecode.None && !counted {
			l.expr(expr)
		}
	case rowIf, rowCheck, rowEnter:
		l.expr(in.A)
	case rowStop:
		if !counted {
			l.expr(in.A)
		}
	case rowLet, rowFilled:
		l.expr(in.B)
	case rowSize, rowArmRef:
		l.used[in.B] = true
	case rowTake:
		if !counted {
			l.used[in.B] = true
		}
	case rowCall:
		for _, e := range l.m.p.Args[in.C] {
			l.expr(e)
		}
	case rowSum:
		for part := range l.m.p.SumParts(in) {
			l.used[uint32(part.From)], l.used[uint32(part.To)] = true, true
		}
	case rowCompare:
		l.used[in.A] = true
		l.expr(in.B)
	}
}

// settle calls mark until no register is new.
func (l *liveness) settle(mark func()) {
	for n := -1; n < len(l.used); {
		n = len(l.used)
		mark()
	}
}

// needless reports whether a row does nothing but give a register a number that nothing looks at.
func (l *liveness) needless(op rowOp, in *bytecode.Instr) bool {
	if in == nil {
		return false
	}
	reg, ok := l.gives(op, in)
	return ok && !l.used[reg]
}

// prune leaves steps out of a record that is read as a whole. It reports whether registers are left,
// and whether they must be 0 at first.
func (s *readSteps) prune(m *Machine, routine uint32) (regs, zeros bool) {
	l := liveness{m: m, used: map[uint32]bool{}}
	s.each(func(row *readRow) { l.pads = l.pads || row.op == rowPad })
	l.settle(func() {
		s.each(func(row *readRow) {
			if row.in != nil && !l.needless(row.op, row.in) {
				l.looks(row.op, row.in, row.n.fixed || row.n.bits != nil, uint32(row.from), row.args)
				regs = regs || row.op == rowNumber
			}
		})
	})
	s.leave(&l)
	s.each(func(row *readRow) { regs = regs || l.keeps(row.op, row.in) })
	first := map[uint32]bool{}
	s.defines(&l, true, first)
	return regs || len(l.used) > 0, l.zeros(routine, first)
}

// zeros reports whether a register may be read before a row gives it a number. Then it must be 0. Such a register is
// set only after a condition. Arguments have numbers.
func (l *liveness) zeros(routine uint32, first map[uint32]bool) bool {
	for reg := range l.used {
		if reg >= l.m.p.Routines[routine].Args && !first[reg] {
			return true
		}
	}
	return false
}

// defines notes the registers that rows give a number. The note is true if the first row that does so is outside of
// conditions.
func (s *readSteps) defines(l *liveness, outside bool, first map[uint32]bool) {
	note := func(reg uint32) {
		if _, ok := first[reg]; !ok {
			first[reg] = outside
		}
	}
	for i := range s.rows {
		row := &s.rows[i]
		row.fills.registers(func(list *[]fill) {
			for _, f := range *list {
				note(f.to)
			}
		})
		for _, m := range row.fills.marks {
			note(uint32(m.reg))
		}
		if row.in != nil {
			if reg, ok := l.gives(row.op, row.in); ok || row.op == rowLet || row.op == rowSize {
				note(reg)
			}
		}
		if row.then != nil {
			row.then.defines(l, false, first)
			row.els.defines(l, false, first)
		}
	}
}

// defines is that of a record that is written.
func (s *writeSteps) defines(l *liveness, outside bool, first map[uint32]bool) {
	note := func(reg uint32) {
		if _, ok := first[reg]; !ok {
			first[reg] = outside
		}
	}
	for i := range s.rows {
		row := &s.rows[i]
		for k := range row.numbers {
			note(uint32(row.numbers[k].reg))
		}
		switch in := row.in; {
		case in == nil:
		case row.op == rowPlace || row.op == rowPatch:
			note(in.D)
		case row.op == rowWord || row.op == rowBits:
			note(in.B)
		default:
			if reg, ok := l.gives(row.op, in); ok || row.op == rowLet || row.op == rowSize {
				note(reg)
			}
		}
		if row.then != nil {
			row.then.defines(l, false, first)
			row.els.defines(l, false, first)
		}
	}
}

// each calls f with each row.
func (s *readSteps) each(f func(row *readRow)) {
	if s == nil {
		return
	}
	for i := range s.rows {
		f(&s.rows[i])
		s.rows[i].then.each(f)
		s.rows[i].els.each(f)
	}
}

// leave deletes rows and registers that are not needed.
func (s *readSteps) leave(l *liveness) {
	if s == nil {
		return
	}
	s.rows = slices.DeleteFunc(s.rows, func(row readRow) bool { return l.needless(row.op, row.in) })
	for i := range s.rows {
		row := &s.rows[i]
		row.fills.registers(func(list *[]fill) {
			*list = slices.DeleteFunc(*list, func(f fill) bool { return !l.used[f.to] })
		})
		row.fills.marks = slices.DeleteFunc(row.fills.marks, func(m fillMark) bool { return !l.used[uint32(m.reg)] })
		row.filled = row.fills.any()
		row.fills.ready()
		row.then.leave(l)
		row.els.leave(l)
	}
}

// prune leaves steps out of a record that is written as a whole. It reports whether registers are left,
// and whether they must be 0 at first.
func (s *writeSteps) prune(m *Machine, routine uint32) (regs, zeros bool) {
	l := liveness{m: m, used: map[uint32]bool{}, puts: true}
	s.each(func(row *writeRow) { l.pads = l.pads || row.op == rowPad })
	l.settle(func() {
		s.each(func(row *writeRow) {
			if row.in == nil || l.needless(row.op, row.in) {
				return
			}
			l.looks(row.op, row.in, row.sure || row.n.fixed, uint32(row.from), row.args)
			switch in := row.in; row.op {
			case rowWord, rowNumber:
				if in.Op != bytecode.Scalars {
					l.expr(in.C)
				}
				regs = regs || row.holds == nil
			case rowBits, rowPlace:
				regs = true
			case rowPatch:
				l.used[in.B], regs = true, true
				l.expr(in.C)
			}
		})
	})
	l.writes(s)
	s.each(func(row *writeRow) { regs = regs || l.keeps(row.op, row.in) || len(row.numbers) > 0 })
	first := map[uint32]bool{}
	s.defines(&l, true, first)
	return regs || len(l.used) > 0, l.zeros(routine, first)
}

// each calls f with each row.
func (s *writeSteps) each(f func(row *writeRow)) {
	if s == nil {
		return
	}
	for i := range s.rows {
		f(&s.rows[i])
		s.rows[i].then.each(f)
		s.rows[i].els.each(f)
	}
}

// writes deletes rows that are not needed.
func (l *liveness) writes(s *writeSteps) {
	if s == nil {
		return
	}
	s.rows = slices.DeleteFunc(s.rows, func(row writeRow) bool {
		return l.needless(row.op, row.in)
	})
	for i := range s.rows {
		row := &s.rows[i]
		row.numbers = slices.DeleteFunc(row.numbers, func(n runNumber) bool { return !l.used[uint32(n.reg)] })
		l.writes(s.rows[i].then)
		l.writes(s.rows[i].els)
	}
}

// known reports whether the register of a let has its number already, by the same let before.
func (c *planner) known(list []bytecode.Step, i int) bool {
	x := &list[i]
	for k := i - 1; k >= 0; k-- {
		y := &list[k]
		if y.Op == bytecode.Let && y.A == x.A {
			return c.m.p.Exprs[y.B].Equal(c.m.p.Exprs[x.B]) && c.kept(list, k+1, i, x.A, c.m.p.Exprs[x.B])
		}
	}
	return false
}

// filled reports whether a check that is read always holds. It compares the size of a region with the number of bytes
// that the region has.
func (c *planner) filled(list []bytecode.Step, i int) bool {
	e := c.m.p.Exprs[list[i].A]
	reg, size := c.sizeBefore(list, i)
	return size != nil && e.Op == bytecode.ExprEq && e.Args[0].Op == bytecode.ExprReg && uint32(e.Args[0].Arg) == reg && size.Equal(e.Args[1])
}

// sizeBefore returns the register that has the size of the region which ends before a step. It also returns the
// expression that is this size too. The expression is nil without such a region, or if what it looks at has changed
// since.
func (c *planner) sizeBefore(list []bytecode.Step, i int) (reg uint32, expr *bytecode.Expr) {
	if i < 4 {
		return 0, nil
	}
	size, k := &list[i-1], i-3
	for k > 0 && list[k].Op != bytecode.Enter && list[k].Op != bytecode.Leave {
		k--
	}
	reg = size.A
	if size.Op != bytecode.Size || size.B != reg || list[i-2].Op != bytecode.Leave || list[k].Op != bytecode.Enter || k == 0 || list[k-1].Op != bytecode.Mark || list[k-1].A != reg {
		return 0, nil
	}
	if expr = c.m.p.Exprs[list[k].A]; !c.kept(list, k+1, i-2, reg, expr) {
		return 0, nil
	}
	return reg, expr
}

// kept reports whether steps of a list change neither a register nor the inputs of an expression. The steps are those
// from one on and before another one.
func (c *planner) kept(list []bytecode.Step, from, to int, reg uint32, e *bytecode.Expr) bool {
	if e.Any(func(x *bytecode.Expr) bool {
		return x.Op == bytecode.ExprFit || x.Op.Takes() == 0 && x.Op != bytecode.ExprReg && x.Op != bytecode.ExprNum
	}) {
		return false
	}
	changes := func(r uint32) bool {
		return r == reg || e.Any(func(x *bytecode.Expr) bool { return x.Op == bytecode.ExprReg && uint32(x.Arg) == r })
	}
	for i := from; i < to; i++ {
		x := &list[i]
		if x.Op == bytecode.If {
			return false
		}
		for _, r := range x.Sets() {
			if r != bytecode.None && changes(r) {
				return false
			}
		}
	}
	return true
}
