// Numbers that conditions are about: candidates for the numbers of a record.

package interp

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// mostEdges is how many numbers of a routine are candidates.
const mostEdges = 100

// edges are different numbers, in the order of their places in a program.
type edges []uint64

func (s *edges) add(all ...uint64) {
	for _, n := range all {
		if len(*s) < mostEdges && !slices.Contains(*s, n) {
			*s = append(*s, n)
		}
	}
}

// findEdges finds the numbers with which the conditions of each routine compare, and those that select an arm. It
// includes those of routines to which the routine passes arguments. It also finds the equations of its numbers.
func (s *paths) findEdges() {
	p := s.p
	s.edges, s.equals = make([]edges, len(p.Routines)), make([]map[uint32][]*bytecode.Expr, len(p.Routines))
	passed := make([]edges, len(p.Routines)) // of each routine: what its arguments are compared with
	for changed := true; changed; {
		changed = false
		for i := range p.Routines {
			before := len(passed[i])
			s.ofArguments(&p.Routines[i], &passed[i], passed)
			changed = changed || len(passed[i]) > before
		}
	}
	for i := range p.Routines {
		s.ofRecords(&p.Routines[i], &s.edges[i], passed)
		s.equals[i] = s.equated(&p.Routines[i])
	}
}

// compared adds the numbers that an instruction compares with.
func (s *paths) compared(in *bytecode.Instr, to *edges) {
	for _, n := range s.p.Compared(in) {
		to.add(uint64(n))
	}
}

// ofRecords adds the numbers for the records of a routine.
func (s *paths) ofRecords(r *bytecode.Routine, to *edges, passed []edges) {
	if first := &s.p.Code[r.Start]; first.Op == bytecode.Union { // whose arms may have their number in cells
		t := &s.p.Tables[first.D]
		for i := range t.Arms {
			if a := &t.Arms[i]; a.IDs != nil || t.Arms[len(t.Arms)-1].Else {
				for _, n := range a.Ends() {
					to.add(n, n+1)
				}
			}
		}
	}
	for pc := int(r.Start); pc < int(r.End); pc++ {
		in := &s.p.Code[pc]
		for _, callee := range in.Calls() {
			to.add(passed[callee]...)
		}
		s.compared(in, to)
	}
}

// ofArguments adds the numbers with which a routine compares what follows from its arguments.
func (s *paths) ofArguments(r *bytecode.Routine, to *edges, passed []edges) {
	p := s.p
	follows := make([]bool, r.Regs)
	for reg := range r.Args {
		follows[reg] = true
	}
	about := func(expr uint32) bool {
		return slices.ContainsFunc(p.Exprs[expr].Registers(), func(reg uint32) bool { return follows[reg] })
	}
	for pc := int(r.Start); pc < int(r.End); pc++ {
		switch in := &p.Code[pc]; in.Op {
		case bytecode.Let:
			follows[in.A] = about(in.B)
		case bytecode.Switch:
			if about(in.C) {
				for _, a := range p.Tables[in.D].Arms {
					to.add(a.Ends()...)
				}
			}
		case bytecode.Check, bytecode.If, bytecode.Stop:
			if about(in.A) {
				s.compared(in, to)
			}
		case bytecode.Call:
			if slices.ContainsFunc(p.Args[in.C], about) {
				to.add(passed[in.A]...)
			}
		case bytecode.List, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Map:
			from, n := p.Passed(pc)
			if slices.Contains(follows[from:from+n], true) {
				for _, callee := range in.Calls() {
					to.add(passed[callee]...)
				}
			}
		}
	}
}

// equated returns, by cell, the other sides of equations of which one side is the number of the cell.
func (s *paths) equated(r *bytecode.Routine) map[uint32][]*bytecode.Expr {
	out := map[uint32][]*bytecode.Expr{}
	of := map[uint32]uint32{} // registers: the cells whose numbers they have
	for pc := int(r.Start); pc < int(r.End); pc++ {
		in := &s.p.Code[pc]
		if in.Op == bytecode.Word || in.Op == bytecode.Header {
			if in.C != bytecode.None && s.p.Exprs[in.C].Op == bytecode.ExprValue {
				of[in.B] = uint32(s.p.Exprs[in.C].Arg)
			}
		}
		for _, expr := range exprsOf(s.p, Writing, in) {
			s.p.Exprs[expr].Walk(func(e *bytecode.Expr) {
				if e.Op != bytecode.ExprEq {
					return
				}
				for side, x := range e.Args {
					c, ok := uint32(x.Arg), x.Op == bytecode.ExprValue
					if x.Op == bytecode.ExprReg {
						c, ok = of[uint32(x.Arg)]
					}
					if _, constant := e.Args[1-side].Constant(); ok && !constant {
						out[c] = append(out[c], e.Args[1-side])
					}
				}
			})
		}
	}
	return out
}

// around returns candidates for the number of a cell. They are those of its routine, and the other sides of its equations,
// as far as the numbers in them are known. Half of them are such sides, since an equation needs one number of all.
func (g *generating) around(f *frame, c uint32) []uint64 {
	numbers := g.g.paths.edges[f.routine]
	equals := g.g.paths.equals[f.routine][c]
	if len(equals) == 0 {
		return numbers
	}
	var sides edges
	s := g.scope(f)
	for _, e := range equals {
		if e.Any(func(x *bytecode.Expr) bool { return x.Op.NeedsCells() && f.state[x.Arg]&isFull == 0 }) {
			continue
		}
		if x, ok := s.run(e); ok {
			sides.add(uint64(x))
		}
	}
	if len(sides) == 0 {
		return numbers
	}
	all := slices.Clone(numbers)
	for i := range max(1, len(numbers)) {
		all = append(all, sides[i%len(sides)])
	}
	return all
}
