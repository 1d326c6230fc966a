// Compiled expressions of registers alone, which need no scope.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// regComputation computes an expression of registers. It is not ok if a number does not fit its bits.
type regComputation func(regs []uint64) (x int64, ok bool)

// regNumber is an expression of registers alone. Its frequent forms are computed without a call of a function.
type regNumber struct {
	op   numberOp
	a, b uint32 // registers
	m, k int64  // factors of them; of a comparison with a number, m has the bits of a that count
	n    int64
	cond *regNumber
	run  regComputation
}

// numberOp is the form of such an expression.
type numberOp uint8

const (
	numNone  numberOp = iota // it looks at more than registers
	numConst                 // n
	numReg                   // register a
	numSum                   // a*m + b*k + n
	numEq                    // a & m == n
	numNe                    // a & m != n
	numLe                    // a & m <= n
	numGe                    // a & m >= n
	numSame                  // a == b
	numIf                    // a if cond is not 0, else 0
	numCall                  // any other
)

// comparisons are the operations that compare a register with a number.
var comparisons = map[bytecode.ExprOp]numberOp{bytecode.ExprEq: numEq, bytecode.ExprNe: numNe, bytecode.ExprLe: numLe, bytecode.ExprGe: numGe}

// regNumber returns the form of an expression, which is numNone if it looks at anything but registers.
func (m *Machine) regNumber(e *bytecode.Expr) regNumber {
	if e.Op == bytecode.ExprReg {
		return regNumber{op: numReg, a: uint32(e.Arg)}
	}
	if n, ok := e.Constant(); ok {
		return regNumber{op: numConst, n: n}
	}
	x := regNumber{op: numSum}
	if x.add(e, 1) {
		if x.m == 0 && x.k == 0 {
			x.op = numConst
		}
		return x
	}
	if x, ok := comparison(e); ok {
		return x
	}
	if e.Op == bytecode.ExprMul {
		for i, arg := range e.Args {
			if cond, ok := comparison(e.Args[1-i]); ok && arg.Op == bytecode.ExprReg {
				return regNumber{op: numIf, a: uint32(arg.Arg), cond: &cond}
			}
		}
	}
	if run := m.regComputation(e); run != nil {
		return regNumber{op: numCall, run: run}
	}
	return regNumber{}
}

// comparison returns the form of a comparison of a register, or bits of it, with a number or another register.
func comparison(e *bytecode.Expr) (x regNumber, ok bool) {
	if x.op = comparisons[e.Op]; x.op == numNone {
		return x, false
	}
	first, second := e.Args[0], e.Args[1]
	if first.Op == bytecode.ExprReg && second.Op == bytecode.ExprReg && e.Op == bytecode.ExprEq {
		return regNumber{op: numSame, a: uint32(first.Arg), b: uint32(second.Arg)}, true
	}
	if x.m = none; first.Op == bytecode.ExprAnd {
		if x.m, ok = first.Args[1].Constant(); !ok {
			return x, false
		}
		first = first.Args[0]
	}
	x.a = uint32(first.Arg)
	x.n, ok = second.Constant()
	return x, ok && first.Op == bytecode.ExprReg
}

// add adds an expression times a factor to a sum. It reports false if the result is not the sum of two registers, each
// with a factor, and a number.
func (x *regNumber) add(e *bytecode.Expr, factor int64) bool {
	switch e.Op {
	case bytecode.ExprNum:
		x.n += e.Arg * factor
		return true
	case bytecode.ExprReg:
		reg := uint32(e.Arg)
		switch {
		case x.m == 0 || x.a == reg:
			x.a, x.m = reg, x.m+factor
		case x.k == 0 || x.b == reg:
			x.b, x.k = reg, x.k+factor
		default:
			return false
		}
		if x.k == 0 {
			x.b = x.a // a register that there is
		}
		return true
	case bytecode.ExprAdd:
		return x.add(e.Args[0], factor) && x.add(e.Args[1], factor)
	case bytecode.ExprSub:
		return x.add(e.Args[0], factor) && x.add(e.Args[1], -factor)
	case bytecode.ExprMul:
		n, ok := e.Args[1].Constant()
		return ok && x.add(e.Args[0], n*factor)
	}
	return false
}

// equals returns whether the bits of a register are equal to n, of numEq.
func (x *regNumber) equals(regs []uint64) bool { return int64(regs[x.a])&x.m == x.n }

// of returns the number for registers. If that does not fit its bits, it is 0 and not ok.
func (x *regNumber) of(regs []uint64) (n int64, ok bool) {
	switch x.op {
	case numReg:
		return int64(regs[x.a]), true
	case numSum:
		return int64(regs[x.a])*x.m + int64(regs[x.b])*x.k + x.n, true
	case numConst:
		return x.n, true
	case numEq:
		return truth(x.equals(regs)), true
	case numNe:
		return truth(int64(regs[x.a])&x.m != x.n), true
	case numLe:
		return truth(int64(regs[x.a])&x.m <= x.n), true
	case numGe:
		return truth(int64(regs[x.a])&x.m >= x.n), true
	case numSame:
		return truth(regs[x.a] == regs[x.b]), true
	case numIf:
		if n, _ := x.cond.of(regs); n == 0 {
			return 0, true
		}
		return int64(regs[x.a]), true
	}
	if n, ok = x.run(regs); !ok {
		n = 0
	}
	return n, ok
}

// regComputation compiles an expression, or returns nil if it looks at anything but registers.
func (m *Machine) regComputation(e *bytecode.Expr) regComputation {
	switch e.Op {
	case bytecode.ExprNum:
		n := e.Arg
		return func([]uint64) (int64, bool) { return n, true }
	case bytecode.ExprReg:
		reg := e.Arg
		return func(regs []uint64) (int64, bool) { return int64(regs[reg]), true }
	}
	if bits, ok := registerBits(e); ok {
		reg, shift, mask := bits.Reg, bits.Shift&63, bits.Mask
		return func(regs []uint64) (int64, bool) { return int64(regs[reg] >> shift & mask), true }
	}
	if e.Op.NeedsCells() || len(e.Args) == 0 {
		return nil
	}
	a := m.regComputation(e.Args[0])
	if a == nil {
		return nil
	}
	switch {
	case e.Op == bytecode.ExprFit:
		bits := uint(e.Arg)
		if bits >= 64 {
			return a
		}
		return func(regs []uint64) (int64, bool) {
			x, ok := a(regs)
			return x, ok && uint64(x)>>bits == 0
		}
	case len(e.Args) == 1:
		op := e.Op
		return func(regs []uint64) (int64, bool) {
			x, ok := a(regs)
			return op.Compute(x, 0, 0), ok
		}
	case len(e.Args) != 2:
		return nil
	}
	if n, ok := e.Args[1].Constant(); ok {
		return regConstant(e, a, n)
	}
	b := m.regComputation(e.Args[1])
	if b == nil {
		return nil
	}
	return regPair(e, a, b)
}

// regConstant compiles an operation whose second operand is a number.
func regConstant(e *bytecode.Expr, a regComputation, n int64) regComputation {
	if e.Args[0].Op == bytecode.ExprReg {
		reg := e.Args[0].Arg
		switch e.Op {
		case bytecode.ExprEq:
			return func(regs []uint64) (int64, bool) { return truth(int64(regs[reg]) == n), true }
		case bytecode.ExprNe:
			return func(regs []uint64) (int64, bool) { return truth(int64(regs[reg]) != n), true }
		case bytecode.ExprLe:
			return func(regs []uint64) (int64, bool) { return truth(int64(regs[reg]) <= n), true }
		case bytecode.ExprGe:
			return func(regs []uint64) (int64, bool) { return truth(int64(regs[reg]) >= n), true }
		case bytecode.ExprAdd:
			return func(regs []uint64) (int64, bool) { return int64(regs[reg]) + n, true }
		case bytecode.ExprSub:
			return func(regs []uint64) (int64, bool) { return int64(regs[reg]) - n, true }
		case bytecode.ExprMul:
			return func(regs []uint64) (int64, bool) { return int64(regs[reg]) * n, true }
		}
	}
	switch {
	case e.Op == bytecode.ExprAdd:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return x + n, ok }
	case e.Op == bytecode.ExprSub:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return x - n, ok }
	case e.Op == bytecode.ExprMul:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return x * n, ok }
	case e.Op == bytecode.ExprDiv && n > 0:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return x / n, ok }
	case e.Op == bytecode.ExprMod && n > 0:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return x % n, ok }
	case e.Op == bytecode.ExprEq:
		return func(regs []uint64) (int64, bool) { x, ok := a(regs); return truth(x == n), ok }
	}
	op := e.Op
	return func(regs []uint64) (int64, bool) {
		x, ok := a(regs)
		return op.Compute(x, n, 0), ok
	}
}

// regPair compiles an operation on two operands. The second one is left out if the first decides the result.
func regPair(e *bytecode.Expr, a, b regComputation) regComputation {
	lazy := !e.Args[1].Any(func(x *bytecode.Expr) bool { return x.Op == bytecode.ExprFit })
	if e.Args[0].Op == bytecode.ExprReg {
		reg := e.Args[0].Arg
		switch {
		case e.Op == bytecode.ExprEq && e.Args[1].Op == bytecode.ExprReg:
			other := e.Args[1].Arg
			return func(regs []uint64) (int64, bool) { return truth(regs[reg] == regs[other]), true }
		case e.Op == bytecode.ExprAdd:
			return func(regs []uint64) (int64, bool) { y, ok := b(regs); return int64(regs[reg]) + y, ok }
		case e.Op == bytecode.ExprSub:
			return func(regs []uint64) (int64, bool) { y, ok := b(regs); return int64(regs[reg]) - y, ok }
		case e.Op == bytecode.ExprMul:
			return func(regs []uint64) (int64, bool) { y, ok := b(regs); return int64(regs[reg]) * y, ok }
		}
	}
	switch {
	case lazy && e.Op == bytecode.ExprBoth:
		return func(regs []uint64) (int64, bool) {
			x, ok := a(regs)
			if x != 0 {
				x, _ = b(regs)
			}
			return truth(x != 0), ok
		}
	case lazy && e.Op == bytecode.ExprEither:
		return func(regs []uint64) (int64, bool) {
			x, ok := a(regs)
			if x == 0 {
				x, _ = b(regs)
			}
			return truth(x != 0), ok
		}
	}
	if e.Op == bytecode.ExprMin && e.Args[0].Op == bytecode.ExprReg && e.Args[1].Op == bytecode.ExprReg {
		reg, other := e.Args[0].Arg, e.Args[1].Arg
		return func(regs []uint64) (int64, bool) { return min(int64(regs[reg]), int64(regs[other])), true }
	}
	op := e.Op
	return func(regs []uint64) (int64, bool) {
		x, ok := a(regs)
		y, ok2 := b(regs)
		return op.Compute(x, y, 0), ok && ok2
	}
}
