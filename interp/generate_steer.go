// Steering: the numbers of a record that select an arm of a union.
//
// An argument selects the arm, so the arm follows from numbers that were drawn before. Seldom do these select one of
// many arms. So an arm is drawn at the call, and if the argument selects another one, the record is drawn again with a
// number that the expression of the argument needs for the arm. An expression may need several numbers, one in each try.

package interp

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// aim is the number that a cell is to have in another try, or the sum of an array.
type aim struct {
	cell   uint32
	number uint64
}

// mostAims is how many tries of a record have an aim.
const mostAims = 16

// drawSteer is the first choice that draws an arm.
const drawSteer = 0x80

// steer draws an arm of a union that an argument selects, or none. It reports false if the arguments select another
// one, and a number of the record is to be changed for it.
func (g *generating) steer(f *frame, in *bytecode.Instr, args []uint64) bool {
	numbers := g.g.paths.selects[in.A]
	if len(numbers) == 0 {
		return true
	}
	if g.choosing {
		g.put(0)
		return true
	}
	b := int(g.byte())
	if b < drawSteer || f.again.aims == mostAims {
		return true
	}
	n := numbers[(b-drawSteer)%len(numbers)]
	first := &g.p.Code[g.p.Routines[in.A].Start]
	now, _ := (&scope{m: g.m, regs: args}).run(g.p.Exprs[first.C])
	t := &g.p.Tables[first.D]
	is, _ := t.ByID(uint64(now))
	if wanted, _ := t.ByID(n); wanted == is {
		return true
	}
	arg := g.p.Args[in.C][g.p.Exprs[first.C].Arg]
	if f.aim = g.solving(f).aimAt(g.p.Exprs[arg], int64(n)); f.aim == nil {
		return true
	}
	return g.fail("number %d selects another arm", now)
}

// hold returns a number that makes a condition hold which did not, or nil.
func (g *generating) hold(f *frame) *aim {
	if in := &g.p.Code[f.pc]; in.Op == bytecode.Check && f.again.aims < mostAims {
		return g.solving(f).aimAt(g.p.Exprs[in.A], 1)
	}
	return nil
}

// solving looks for a number of a record that makes an expression another number.
type solving struct {
	scope
	g *generating
	f *frame
}

func (g *generating) solving(f *frame) *solving {
	return &solving{g.scope(f), g, f}
}

// aimAt returns what makes an expression a number, or makes a part of it what that needs, or nil. The expression is
// another number.
func (s *solving) aimAt(e *bytecode.Expr, n int64) *aim {
	switch e.Op {
	case bytecode.ExprReg:
		if c, ok := s.source(uint32(e.Arg)); ok {
			return s.cell(c, n)
		}
		return nil
	case bytecode.ExprTotal:
		return s.aimed(uint32(e.Arg), n)
	case bytecode.ExprEq:
		for side, x := range slices.Backward(e.Args) { // the number before is more often a size, which follows from content
			other, _ := s.run(e.Args[1-side])
			if a := s.aimAt(x, other); a != nil && n != 0 {
				return a
			}
		}
	case bytecode.ExprBoth:
		for _, x := range e.Args {
			if is, _ := s.run(x); is == 0 {
				return s.aimAt(x, n)
			}
		}
	case bytecode.ExprEither:
		if all := equations(e, nil); len(all) > 0 {
			return s.aimAt(all[(s.f.again.seed+uint64(s.f.again.aims))%uint64(len(all))], n)
		}
	case bytecode.ExprMul:
		for side, x := range e.Args {
			switch factor, _ := s.run(e.Args[1-side]); {
			case factor == 1:
				return s.aimAt(x, n)
			case factor == 0 && n != 0:
				return s.aimAt(e.Args[1-side], 1)
			}
		}
	}
	return s.line(e, n)
}

// line solves an expression of two operands of which one is a constant.
func (s *solving) line(e *bytecode.Expr, n int64) *aim {
	if len(e.Args) != 2 {
		return nil
	}
	for side, x := range e.Args {
		c, ok := e.Args[1-side].Constant()
		if !ok {
			continue
		}
		switch {
		case e.Op == bytecode.ExprAdd:
			return s.aimAt(x, n-c)
		case e.Op == bytecode.ExprSub && side == 0:
			return s.aimAt(x, n+c)
		case e.Op == bytecode.ExprSub:
			return s.aimAt(x, c-n)
		case e.Op == bytecode.ExprMul && c != 0 && n%c == 0:
			return s.aimAt(x, n/c)
		}
	}
	return nil
}

// cell returns the aim that a cell has a number, or nil. It is nil if another row decides the number, or if the cell
// had that aim before.
func (s *solving) cell(c uint32, n int64) *aim {
	if !s.f.drawn.has(c) {
		return nil
	}
	return s.aimed(c, n)
}

// aimed returns the aim that a cell has a number, or an array a sum. It is nil if the cell had that aim before.
func (s *solving) aimed(c uint32, n int64) *aim {
	if a := s.f.again; a.bump != nil && a.bump[c] == bumpEqual && a.equal[c] == uint64(n) {
		return nil
	}
	return &aim{c, uint64(n)}
}

// source returns the cell whose number a register has.
func (s *solving) source(reg uint32) (cell uint32, ok bool) {
	for pc := s.f.pc; pc >= int(s.g.p.Routines[s.f.routine].Start); pc-- {
		in := &s.g.p.Code[pc]
		if in.Op == bytecode.Take && in.B == reg {
			return in.Cell(), true
		}
		if in.Op == bytecode.Fields {
			break
		}
	}
	return 0, false
}
