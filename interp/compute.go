// Compiled expressions: functions that compute what [scope.value] computes from the tree.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// computation computes an expression in a scope. If a number does not fit its bits it sets misfit.
type computation func(*scope) int64

// compiled is an expression of the program.
type compiled struct {
	run  computation
	regs regNumber
}

// compute computes an expression of the program as [scope.eval] does.
func (s *scope) compute(index uint32) (int64, bool) {
	if s.m.computed == nil {
		return s.eval(index)
	}
	s.misfit = false
	x := s.m.computed[index].run(s)
	if s.misfit {
		return 0, false
	}
	return x, true
}

// makeComputations compiles the expressions of the program.
func (m *Machine) makeComputations() {
	m.computed = make([]compiled, len(m.p.Exprs))
	for i, e := range m.p.Exprs {
		c := compiled{regs: m.regNumber(e)}
		if c.regs.op == numNone {
			c.run = m.computation(e)
		} else {
			c.run = func(s *scope) int64 {
				x, ok := c.regs.of(s.regs)
				s.misfit = s.misfit || !ok
				return x
			}
		}
		m.computed[i] = c
	}
}

// computation compiles an expression. What has no faster form is computed from its tree.
func (m *Machine) computation(e *bytecode.Expr) computation {
	switch e.Op {
	case bytecode.ExprNum:
		n := e.Arg
		return func(*scope) int64 { return n }
	case bytecode.ExprReg:
		reg := e.Arg
		return func(s *scope) int64 { return int64(s.regs[reg]) }
	case bytecode.ExprValue, bytecode.ExprCount, bytecode.ExprLen, bytecode.ExprPresent, bytecode.ExprOutside:
		return m.cellComputation(e)
	case bytecode.ExprAdd:
		if sum, ok := sumOf(e); ok && len(sum.list) > 0 {
			return sumComputation(sum)
		}
	case bytecode.ExprFit:
		if c := m.piecewise(e); c != nil {
			return c
		}
		x, bits := m.computation(e.Args[0]), uint(e.Arg)
		return func(s *scope) int64 {
			n := x(s)
			if uint64(n)>>bits != 0 {
				s.misfit = true
			}
			return n
		}
	case bytecode.ExprNot:
		x := m.computation(e.Args[0])
		return func(s *scope) int64 { return truth(x(s) == 0) }
	}
	if len(e.Args) == 2 {
		if c := m.bitsComputation(e); c != nil {
			return c
		}
		if n, ok := e.Args[1].Constant(); ok {
			return m.constantComputation(e, n)
		}
		return m.pairComputation(e)
	}
	return func(s *scope) int64 { return s.value(e) }
}

// cellComputation compiles a look at a cell.
func (m *Machine) cellComputation(e *bytecode.Expr) computation {
	cell := int(e.Arg)
	switch {
	case e.Op == bytecode.ExprValue:
		return func(s *scope) int64 {
			if cell >= len(s.cells) {
				return 0
			}
			v := &s.cells[cell]
			if v.kind == Float {
				return number(*v)
			}
			if v.kind > Float {
				return 0
			}
			return int64(v.u)
		}
	case e.Op == bytecode.ExprCount:
		return func(s *scope) int64 {
			if cell >= len(s.cells) {
				return 0
			}
			switch v := &s.cells[cell]; v.kind {
			case List, Map, Packed:
				return int64(v.n)
			}
			return 0
		}
	case e.Op == bytecode.ExprOutside:
		scalar := bytecode.Scalar(e.Arg2)
		return func(s *scope) int64 {
			if cell >= len(s.cells) || s.exact && s.cells[cell].Scalar() == scalar {
				return 0
			}
			return truth(outside(s.cells[cell], scalar))
		}
	case e.Op == bytecode.ExprPresent:
		return func(s *scope) int64 { return truth(cell < len(s.cells) && s.cells[cell].kind != None) }
	case m.p.Encodings[e.Arg2].Charset.Verbatim():
		more := truth(m.p.Encodings[e.Arg2].NUL == bytecode.NULCounted)
		return func(s *scope) int64 {
			if cell >= len(s.cells) || s.cells[cell].kind != Text {
				return 0
			}
			return int64(s.cells[cell].n) + more
		}
	}
	return func(s *scope) int64 { return s.value(e) }
}

// pieces is the sum of the numbers of cells and a constant. Each number has some bits at its place of a word.
type pieces struct {
	list []piece
	rest int64
}

type piece struct {
	cell  int
	bits  uint
	shift uint
	truth bool // in a plan: the cell must be true or false
}

// sumOf returns the parts of an expression that is such a sum.
func sumOf(e *bytecode.Expr) (p pieces, ok bool) {
	ok = p.add(e, 0)
	return p, ok
}

func (p *pieces) add(e *bytecode.Expr, shift uint) bool {
	switch e.Op {
	case bytecode.ExprNum:
		p.rest += e.Arg << shift
		return true
	case bytecode.ExprAdd:
		return shift == 0 && p.add(e.Args[0], 0) && p.add(e.Args[1], 0)
	case bytecode.ExprShl:
		n, ok := e.Args[1].Constant()
		return ok && shift == 0 && uint64(n) < 64 && p.add(e.Args[0], uint(n))
	case bytecode.ExprFit:
		x := e.Args[0]
		if n, ok := x.Constant(); ok && uint64(n)>>uint(e.Arg) == 0 {
			p.rest += n << shift
			return true
		}
		if x.Op != bytecode.ExprValue || e.Arg >= 64 {
			return false
		}
		p.list = append(p.list, piece{cell: int(x.Arg), bits: uint(e.Arg), shift: shift})
		return true
	}
	return false
}

// sumComputation compiles such a sum.
func sumComputation(p pieces) computation {
	list, rest := p.list, p.rest
	return func(s *scope) int64 {
		sum := rest
		for i := range list {
			p := &list[i]
			if p.cell >= len(s.cells) {
				continue
			}
			v := &s.cells[p.cell]
			x := v.u
			if v.kind >= Float {
				x = uint64(number(*v))
			}
			if x>>p.bits != 0 {
				s.misfit = true
			}
			sum += int64(x << p.shift)
		}
		return sum
	}
}

// registerBits returns the bits of a register that an expression is.
func registerBits(e *bytecode.Expr) (bytecode.Bits, bool) {
	x := e
	for len(x.Args) > 0 {
		x = x.Args[0]
	}
	if x.Op != bytecode.ExprReg {
		return bytecode.Bits{}, false
	}
	bits, ok := e.Bits(uint32(x.Arg))
	return bits, ok && !bits.Floor
}

// bitsComputation compiles bits of a register; nil if the expression is something else.
func (m *Machine) bitsComputation(e *bytecode.Expr) computation {
	bits, ok := registerBits(e)
	if !ok {
		return nil
	}
	reg, shift, mask := bits.Reg, bits.Shift&63, bits.Mask
	return func(s *scope) int64 { return int64(s.regs[reg] >> shift & mask) }
}

// constantComputation compiles an operation whose second operand is a number.
func (m *Machine) constantComputation(e *bytecode.Expr, n int64) computation {
	if e.Args[0].Op == bytecode.ExprReg {
		reg := e.Args[0].Arg
		switch e.Op {
		case bytecode.ExprEq:
			return func(s *scope) int64 { return truth(int64(s.regs[reg]) == n) }
		case bytecode.ExprNe:
			return func(s *scope) int64 { return truth(int64(s.regs[reg]) != n) }
		case bytecode.ExprLe:
			return func(s *scope) int64 { return truth(int64(s.regs[reg]) <= n) }
		case bytecode.ExprGe:
			return func(s *scope) int64 { return truth(int64(s.regs[reg]) >= n) }
		}
	}
	x := m.computation(e.Args[0])
	switch e.Op {
	case bytecode.ExprAdd:
		return func(s *scope) int64 { return x(s) + n }
	case bytecode.ExprSub:
		return func(s *scope) int64 { return x(s) - n }
	case bytecode.ExprMul:
		return func(s *scope) int64 { return x(s) * n }
	case bytecode.ExprDiv:
		if n > 0 {
			return func(s *scope) int64 { return x(s) / n }
		}
	case bytecode.ExprMod:
		if n > 0 {
			return func(s *scope) int64 { return x(s) % n }
		}
	case bytecode.ExprAnd:
		return func(s *scope) int64 { return x(s) & n }
	case bytecode.ExprShl:
		return func(s *scope) int64 { return x(s) << (uint64(n) & 63) }
	case bytecode.ExprEq:
		return func(s *scope) int64 { return truth(x(s) == n) }
	case bytecode.ExprNe:
		return func(s *scope) int64 { return truth(x(s) != n) }
	case bytecode.ExprLt:
		return func(s *scope) int64 { return truth(x(s) < n) }
	case bytecode.ExprLe:
		return func(s *scope) int64 { return truth(x(s) <= n) }
	case bytecode.ExprGt:
		return func(s *scope) int64 { return truth(x(s) > n) }
	case bytecode.ExprGe:
		return func(s *scope) int64 { return truth(x(s) >= n) }
	}
	op := e.Op
	return func(s *scope) int64 { return op.Compute(x(s), n, 0) }
}

// pairComputation compiles an operation on two operands. The second one is left out if the first
// decides the result and the second cannot set misfit.
func (m *Machine) pairComputation(e *bytecode.Expr) computation {
	op, a, b := e.Op, m.computation(e.Args[0]), m.computation(e.Args[1])
	lazy := !e.Args[1].Any(func(x *bytecode.Expr) bool { return x.Op == bytecode.ExprFit })
	switch {
	case lazy && op == bytecode.ExprBoth:
		return func(s *scope) int64 { return truth(a(s) != 0 && b(s) != 0) }
	case lazy && op == bytecode.ExprEither:
		return func(s *scope) int64 { return truth(a(s) != 0 || b(s) != 0) }
	case lazy && op == bytecode.ExprMul && e.Args[0].Op == bytecode.ExprReg:
		reg := e.Args[0].Arg
		return func(s *scope) int64 {
			x := int64(s.regs[reg])
			if x != 0 {
				x *= b(s)
			}
			return x
		}
	case lazy && op == bytecode.ExprMul:
		return func(s *scope) int64 {
			x := a(s)
			if x != 0 {
				x *= b(s)
			}
			return x
		}
	case op == bytecode.ExprAdd:
		if e.Args[0].Op == bytecode.ExprReg {
			reg := e.Args[0].Arg
			return func(s *scope) int64 { return int64(s.regs[reg]) + b(s) }
		}
		return func(s *scope) int64 { return a(s) + b(s) }
	case op == bytecode.ExprSub && e.Args[0].Op == bytecode.ExprReg:
		reg := e.Args[0].Arg
		return func(s *scope) int64 { return int64(s.regs[reg]) - b(s) }
	case op == bytecode.ExprSub:
		return func(s *scope) int64 { return a(s) - b(s) }
	case op == bytecode.ExprEq && e.Args[0].Op == bytecode.ExprReg && e.Args[1].Op == bytecode.ExprReg:
		i, j := e.Args[0].Arg, e.Args[1].Arg
		return func(s *scope) int64 { return truth(s.regs[i] == s.regs[j]) }
	case op == bytecode.ExprEq:
		return func(s *scope) int64 { return truth(a(s) == b(s)) }
	}
	return func(s *scope) int64 {
		x := a(s)
		return op.Compute(x, b(s), 0)
	}
}

// piecewise compiles an expression of some bits that is piecewise linear in a number of a cell, or returns nil.
// An example is the header word that depends on a length.
func (m *Machine) piecewise(e *bytecode.Expr) computation {
	lines, leaf := headLinesOf(e)
	if lines == nil {
		return nil
	}
	x, bits := m.cellComputation(leaf), uint(e.Arg)
	return func(s *scope) int64 {
		n := lines.At(x(s))
		if uint64(n)>>bits != 0 {
			s.misfit = true
		}
		return n
	}
}

// headLinesOf returns the lines of an expression of some bits, and the number of a cell that they are of.
func headLinesOf(e *bytecode.Expr) (lines bytecode.Lines, leaf *bytecode.Expr) {
	if e.Op != bytecode.ExprFit {
		return nil, nil
	}
	if lines, leaf = e.Args[0].Lines(); lines == nil || leaf.Op == bytecode.ExprReg {
		return nil, nil
	}
	return lines, leaf
}
