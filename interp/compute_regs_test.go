package interp

import (
	"fmt"
	"testing"

	"github.com/octable/octable/compile/bytecode"
)

// TestRegNumber compares the forms of expressions of registers with the expressions, for registers with small and large numbers.
func TestRegNumber(t *testing.T) {
	binary := func(op bytecode.ExprOp) func(a, b *bytecode.Expr) *bytecode.Expr {
		return func(a, b *bytecode.Expr) *bytecode.Expr { return &bytecode.Expr{Op: op, Args: []*bytecode.Expr{a, b}} }
	}
	add, sub, mul, and := binary(bytecode.ExprAdd), binary(bytecode.ExprSub), binary(bytecode.ExprMul), binary(bytecode.ExprAnd)
	eq, ne, le, ge := binary(bytecode.ExprEq), binary(bytecode.ExprNe), binary(bytecode.ExprLe), binary(bytecode.ExprGe)
	reg := func(n int64) *bytecode.Expr { return &bytecode.Expr{Op: bytecode.ExprReg, Arg: n} }
	num := bytecode.Num
	for _, c := range []struct {
		e  *bytecode.Expr
		op numberOp
	}{
		{num(5), numConst},
		{reg(1), numReg},
		{add(reg(0), num(5)), numSum},
		{sub(num(5), reg(1)), numSum},
		{mul(add(reg(0), num(5)), num(3)), numSum},
		{sub(reg(0), mul(sub(reg(1), num(4)), num(2))), numSum},
		{add(reg(0), add(reg(1), reg(0))), numSum},
		{add(reg(0), sub(mul(reg(1), num(4)), reg(1))), numSum},
		{sub(add(reg(0), num(7)), reg(0)), numConst},
		{add(reg(0), add(reg(1), reg(2))), numCall},
		{mul(reg(0), reg(1)), numCall},
		{eq(reg(0), num(3)), numEq},
		{eq(and(reg(0), num(7)), num(3)), numEq},
		{ne(and(reg(1), num(1)), num(1)), numNe},
		{le(reg(1), num(3)), numLe},
		{ge(reg(1), num(3)), numGe},
		{eq(reg(0), reg(1)), numSame},
		{ne(reg(0), reg(1)), numCall},
		{eq(and(reg(0), reg(1)), num(3)), numCall},
		{mul(reg(0), eq(reg(1), num(3))), numIf},
		{mul(eq(reg(1), num(3)), reg(0)), numIf},
		{mul(eq(reg(1), reg(2)), reg(0)), numIf},
		{mul(eq(reg(1), num(3)), le(reg(0), num(3))), numCall},
		{&bytecode.Expr{Op: bytecode.ExprClosed}, numNone},
		{add(reg(0), &bytecode.Expr{Op: bytecode.ExprMore}), numNone},
		{&bytecode.Expr{Op: bytecode.ExprFit, Arg: 64, Args: []*bytecode.Expr{mul(reg(0), reg(1))}}, numCall},
	} {
		x := (&Machine{}).regNumber(c.e)
		name := fmt.Sprintf("%+v", *c.e)
		if x.op != c.op {
			t.Errorf("%s: form %d, want %d", name, x.op, c.op)
			continue
		}
		for i := range 512 {
			regs := []uint64{uint64(i & 7), uint64(i >> 3 & 7), uint64(i >> 6)}
			if i == 511 {
				regs = []uint64{1 << 40, 3, 1 << 63}
			}
			want, ok := c.e.Fold(func(e *bytecode.Expr) (int64, bool) {
				if e.Op == bytecode.ExprReg {
					return int64(regs[e.Arg]), true
				}
				return 0, false
			})
			if x.op == numNone {
				break
			}
			if got, ok2 := x.of(regs); got != want || !ok || !ok2 {
				t.Errorf("%s of registers %v is %d, %t, want %d", name, regs, got, ok2, want)
			}
		}
	}
}
