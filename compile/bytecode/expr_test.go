package bytecode

import "testing"

// TestEqual: expressions are equal if each part is.
func TestEqual(t *testing.T) {
	all := []*Expr{nil}
	for _, op := range []ExprOp{ExprReg, ExprAdd} {
		for arg := range int64(2) {
			for arg2 := range int64(2) {
				for _, args := range [][]*Expr{nil, {Num(1)}, {Num(2)}, {Num(1), Num(2)}} {
					e := &Expr{Op: op, Arg: arg, Args: args}
					if arg2 > 0 {
						e.Arg2++
					}
					all = append(all, e)
				}
			}
		}
	}
	for i, a := range all {
		for k, b := range all {
			if got := a.Equal(b.Clone()); got != (i == k) {
				t.Errorf("%+v equals %+v: %v", a, b, got)
			}
		}
	}
}

// TestUnknownOperation: an operation that a program file may have and the table has not takes nothing.
func TestUnknownOperation(t *testing.T) {
	for _, op := range []ExprOp{numExprOps, numExprOps + 1, 1<<8 - 1} {
		if op.Takes() != 0 || op.NeedsCells() {
			t.Errorf("%d takes %d operands", op, op.Takes())
		}
	}
}
