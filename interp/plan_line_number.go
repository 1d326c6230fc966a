// Numbers of writers: operations that compute expressions of registers.

package interp

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// check adds the operations of a condition that must hold.
func (l *liner) check(e *bytecode.Expr, row *writeRow) bool {
	if e.Op == bytecode.ExprBoth {
		return l.check(e.Args[0], row) && l.check(e.Args[1], row)
	}
	if x, ok := comparison(e); ok {
		op := lineOp{a: row.register(int32(x.a)), b: row.register(int32(x.b)), m: x.m, n: uint64(x.n)}
		switch x.op {
		case numEq:
			op.code = lineCheckEq
		case numLe:
			op.code = lineCheckLe
		case numGe:
			op.code = lineCheckGe
		case numSame:
			op.code = lineCheckSame
		}
		if op.code != lineEnd {
			l.add(op)
			return true
		}
	}
	if n, ok := dividend(e); ok {
		a, ok := l.operand(e.Args[0].Args[0], row.shift)
		l.add(lineOp{code: lineCheckEq, a: a, m: n - 1})
		return ok
	}
	a, ok := l.operand(e, row.shift)
	l.add(lineOp{code: lineCheck, a: a})
	return ok
}

// dividend returns the power of two of which an expression says that a number is a multiple.
func dividend(e *bytecode.Expr) (n int64, ok bool) {
	if e.Op != bytecode.ExprEq || e.Args[0].Op != bytecode.ExprMod {
		return 0, false
	}
	rest, ok := e.Args[1].Constant()
	n, fixed := e.Args[0].Args[1].Constant()
	return n, ok && fixed && rest == 0 && n > 0 && n&(n-1) == 0
}

// operand returns the register that has the number of an expression. It may add operations that give the number to a
// new register.
func (l *liner) operand(e *bytecode.Expr, shift int) (reg int32, ok bool) {
	if e.Op == bytecode.ExprReg {
		return int32(8 * (shift + int(e.Arg))), true
	}
	reg = l.temp()
	return reg, l.number(e, shift, reg)
}

// pairs are the operations on two registers.
var pairs = map[bytecode.ExprOp]lineCode{
	bytecode.ExprAdd: lineAdd, bytecode.ExprSub: lineSub, bytecode.ExprMul: lineMul, bytecode.ExprEq: lineEq,
	bytecode.ExprBoth: lineBoth, bytecode.ExprEither: lineEither, bytecode.ExprMin: lineMin,
}

// number adds the operations that give a register the number of an expression. It reports false if the expression needs a call.
func (l *liner) number(e *bytecode.Expr, shift int, to int32) bool {
	op := lineOp{reg: to}
	if n, ok := e.Constant(); ok {
		op.code, op.n = lineSet, uint64(n)
		l.add(op)
		return true
	}
	if e.Op == bytecode.ExprReg {
		op.code, op.a = lineCopy, int32(8*(shift+int(e.Arg)))
		l.add(op)
		return true
	}
	if b, ok := registerBits(e); ok {
		op.code, op.a, op.left, op.n = linePick, int32(8*(shift+int(b.Reg))), uint8(b.Shift&63), b.Mask
		l.add(op)
		return true
	}
	if ok, done := l.scale(e, shift, to); done {
		return ok
	}
	sum := regNumber{op: numSum}
	if sum.add(e, 1) && (sum.k != 0 || sum.m != 1 && sum.n != 0) && sum.n == int64(int32(sum.n)) {
		l.add(lineOp{code: lineLine, reg: to, a: int32(8 * (shift + int(sum.a))), b: int32(8 * (shift + int(sum.b))), m: sum.m, n: uint64(sum.k), off: int32(sum.n)})
		return true
	}
	if len(e.Args) != 2 {
		return false
	}
	a, ok := l.operand(e.Args[0], shift)
	if !ok {
		return false
	}
	op.a = a
	if n, ok := e.Args[1].Constant(); ok {
		op.n, op.m = uint64(n), none
		switch e.Op {
		case bytecode.ExprAdd:
			op.code = lineAddN
		case bytecode.ExprSub:
			op.code, op.n = lineAddN, -op.n
		case bytecode.ExprMul:
			op.code = lineMulN
		case bytecode.ExprEq:
			op.code = lineEqN
		case bytecode.ExprLe:
			op.code = lineLeN
		case bytecode.ExprGe:
			op.code = lineGeN
		case bytecode.ExprShl:
			op.code, op.n = lineMulN, 1<<(op.n&63)
		}
		if op.code != lineEnd {
			l.add(op)
			return true
		}
	}
	if op.code = pairs[e.Op]; op.code == lineEnd {
		return false
	}
	op.b, ok = l.operand(e.Args[1], shift)
	l.add(op)
	return ok
}

// scale adds the operation for a number that is divided, incremented,
// masked and multiplied. The divisor and the factor are powers of
// two. done is false if the expression has a step of another kind.
func (l *liner) scale(e *bytecode.Expr, shift int, to int32) (ok, done bool) {
	op := lineOp{code: lineScale, reg: to}
	power := func(of bytecode.ExprOp) (uint8, bool) {
		if e.Op != of {
			return 0, false
		}
		n, ok := e.Args[1].Constant()
		if !ok || n <= 0 || n&(n-1) != 0 {
			return 0, false
		}
		e = e.Args[0]
		return uint8(bits.TrailingZeros64(uint64(n))), true
	}
	op.width, _ = power(bytecode.ExprMul)
	if e.Op == bytecode.ExprShl && op.width == 0 {
		if n, ok := e.Args[1].Constant(); ok {
			op.width, e = uint8(n&63), e.Args[0]
		}
	}
	fits := e.Op == bytecode.ExprFit
	if fits {
		if e.Arg < 64 {
			op.m = int64(^uint64(0) << e.Arg)
		}
		e = e.Args[0]
	}
	if e.Op == bytecode.ExprAdd {
		if n, ok := e.Args[1].Constant(); ok {
			op.n, e = uint64(n), e.Args[0]
		}
	}
	left, divides := power(bytecode.ExprDiv)
	if op.left = left; !fits && !divides {
		return false, false
	}
	op.a, ok = l.operand(e, shift)
	l.add(op)
	return ok, true
}
