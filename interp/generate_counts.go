// Stored counts: numbers of a value that say how many parts something else has.

package interp

import "github.com/octable/octable/compile/bytecode"

// counting finds the cells that hold the number of parts of a text, an array, a list or a map.
// The parts may be in the record of the cell, or in one that gets the number as an argument. It
// also finds the arrays from whose integers such a number is computed.
type counting struct {
	p       *bytecode.Program
	of      func(*bytecode.Instr) uint32 // the expression of an instruction that is such a number, or None
	fields  []int                        // of each instruction: the one that begins its record
	cells   map[int]cellSet              // of the instructions that begin records
	args    []map[int64]bool             // of each routine: arguments that count
	regs    map[int64]bool               // of the record at hand: registers that count
	changed bool
}

// findCounts returns the stored counts of a program. It may return other stored numbers
// from which an expression of some instructions is computed.
func findCounts(p *bytecode.Program, of func(*bytecode.Instr) uint32) *counting {
	c := &counting{p: p, of: of, fields: make([]int, len(p.Code)), cells: map[int]cellSet{}, args: make([]map[int64]bool, len(p.Routines))}
	for i := range p.Routines {
		c.args[i] = map[int64]bool{}
	}
	record := 0
	for pc := range p.Code {
		if p.Code[pc].Op == bytecode.Fields {
			record = pc
		}
		c.fields[pc] = record
	}
	for c.changed = true; c.changed; {
		c.changed = false
		for i := range p.Routines {
			c.routine(i)
		}
	}
	return c
}

// has reports whether a cell of the record at an instruction is a stored count.
func (c *counting) has(pc int, cell uint32) bool {
	if len(c.cells) == 0 {
		return false
	}
	set := c.cells[c.fields[pc]]
	return set.has(cell)
}

// routine goes through the records of a routine from their ends. A register counts if one that
// is computed from it later does.
func (c *counting) routine(i int) {
	r := &c.p.Routines[i]
	c.regs = map[int64]bool{}
	for pc := int(r.End) - 1; pc >= int(r.Start); pc-- {
		in := &c.p.Code[pc]
		if n := c.of(in); n != bytecode.None {
			c.expr(pc, n)
		}
		switch in.Op {
		case bytecode.Fields:
			for reg := range c.regs {
				if reg < int64(r.Args) && !c.args[i][reg] {
					c.args[i][reg], c.changed = true, true
				}
			}
			c.regs = map[int64]bool{}
		case bytecode.Word:
			c.word(pc, in)
		case bytecode.Let:
			if c.regs[int64(in.A)] {
				c.expr(pc, in.B)
			}
		case bytecode.Call:
			for k, e := range c.p.Args[in.C] {
				if c.args[in.A][int64(k)] {
					c.expr(pc, e)
				}
			}
		case bytecode.List, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Map:
			from, _ := c.p.Passed(pc)
			for _, callee := range in.Calls() {
				for k := range c.p.Routines[callee].Args {
					if c.args[callee][int64(k)] {
						c.regs[int64(from+k)] = true
					}
				}
				from += c.p.Routines[callee].Args
			}
		}
	}
}

// word notes the cells in a word that counts, unless it is computed from the parts.
func (c *counting) word(pc int, in *bytecode.Instr) {
	if in.C == bytecode.None || !c.regs[int64(in.B)] {
		return
	}
	stored, derived := c.cells[c.fields[pc]], false
	before := stored
	c.p.Exprs[in.C].Walk(func(e *bytecode.Expr) {
		switch e.Op {
		case bytecode.ExprValue, bytecode.ExprTotal, bytecode.ExprLast:
			stored.put(uint32(e.Arg))
		case bytecode.ExprCount, bytecode.ExprLen:
			derived = true
		}
	})
	if !derived && stored != before {
		c.cells[c.fields[pc]], c.changed = stored, true
	}
}

// expr notes that the result of an expression of an instruction counts.
func (c *counting) expr(pc int, expr uint32) {
	stored := c.cells[c.fields[pc]]
	before := stored
	c.p.Exprs[expr].Walk(func(e *bytecode.Expr) {
		switch e.Op {
		case bytecode.ExprReg:
			c.regs[e.Arg] = true
		case bytecode.ExprTotal, bytecode.ExprLast:
			stored.put(uint32(e.Arg))
		}
	})
	if stored != before {
		c.cells[c.fields[pc]], c.changed = stored, true
	}
}
