// Expressions that are changed in one part.

package mutants

import "github.com/octable/octable/compile/bytecode"

// register returns the expression of a register.
func register(r uint32) *bytecode.Expr { return bytecode.Reg(int(r)) }

// calc returns an operation on an expression and a number.
func calc(x *bytecode.Expr, op bytecode.ExprOp, n int64) *bytecode.Expr {
	return bytecode.Apply(op, x, bytecode.Num(n))
}

// parts calls f for every node of an expression, operations before operands.
func parts(x *bytecode.Expr, f func(*bytecode.Expr)) {
	f(x)
	for _, a := range x.Args {
		parts(a, f)
	}
}

// rewritten returns a copy of an expression with some of its nodes replaced. The
// results of f replace the nodes for which it returns one.
func rewritten(x *bytecode.Expr, f func(*bytecode.Expr) *bytecode.Expr) *bytecode.Expr {
	if y := f(x); y != nil {
		return y
	}
	c := *x
	c.Args = nil
	for _, a := range x.Args {
		c.Args = append(c.Args, rewritten(a, f))
	}
	return &c
}

// replaced returns a copy of an expression with another node in place of one.
func replaced(x, part, by *bytecode.Expr) *bytecode.Expr {
	return rewritten(x, func(n *bytecode.Expr) *bytecode.Expr {
		if n == part {
			return by
		}
		return nil
	})
}

// terms returns the operands of a sum.
func terms(x *bytecode.Expr) []*bytecode.Expr {
	if x.Op != bytecode.ExprAdd {
		return []*bytecode.Expr{x}
	}
	return append(terms(x.Args[0]), terms(x.Args[1])...)
}

// bitsOf matches a term of a word that is a value in some of its bits. It returns the value with the check
// that it fits, and the first bit.
func bitsOf(x *bytecode.Expr) (fit *bytecode.Expr, shift int64, ok bool) {
	if x.Op == bytecode.ExprFit {
		return x, 0, true
	}
	if x.Op != bytecode.ExprShl || x.Args[0].Op != bytecode.ExprFit {
		return nil, 0, false
	}
	shift, ok = x.Args[1].Constant()
	return x.Args[0], shift, ok
}
