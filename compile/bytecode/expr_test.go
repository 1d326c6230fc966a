package bytecode

import (
	"math"
	"testing"
)

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

// TestInvalidOperations prints numbers that are in no table, as those of a damaged program are.
func TestInvalidOperations(t *testing.T) {
	if op := numExprOps; op.Doc() != "" || op.String() != "invalid" {
		t.Errorf("an operation of expressions is %s, %s", op, op.Doc())
	}
	if op := numOps; op.Doc() != "" || op.String() != "invalid" {
		t.Errorf("an instruction is %s, %s", op, op.Doc())
	}
	if k := Operand(255); k.String() != "invalid" {
		t.Errorf("an operand is %s", k)
	}
	p := &Program{Exprs: []*Expr{Num(1)}, Routines: []Routine{{}}, Code: []Instr{{Op: Fields}, {Op: Patch, B: 5}}}
	if got := p.ExprText(1); got != "expression 1, which does not exist" {
		t.Errorf("an expression is %s", got)
	}
	if table, ok := p.UnionTable(1); table != nil || ok {
		t.Errorf("a routine that does not exist has the table %v", table)
	}
	if p.InBare(2) {
		t.Error("an instruction behind the last one is in a record")
	}
	record := &Program{Types: []Type{{}}, Routines: []Routine{{End: 2}}, Code: []Instr{{Op: Fields}, {Op: Done}}}
	if got := record.InBare(1); got != record.Types[0].Bare() {
		t.Errorf("an instruction of a record without fields: %t", got)
	}
	if word, ok := p.Patched(1); word != 0 || ok {
		t.Errorf("a patch of no word completes %d", word)
	}
	if got := flagText(Sum, 3, 1|1<<31); got != "write, flags 0x80000000" {
		t.Errorf("unknown flags are %s", got)
	}
}

// TestPatched checks which word an instruction completes. It is the last one that keeps the place in its register, or
// that is behind a mark of it.
func TestPatched(t *testing.T) {
	p := &Program{Code: []Instr{{Op: Fields}, {Op: Word, D: 1}, {Op: Mark, A: 2}, {Op: Word, D: None}, {Op: Word, D: 3}, {Op: Word, D: None},
		{Op: Scalars, D: 1}, {Op: Patch, B: 1}, {Op: Patch, B: 2}, {Op: Patch, B: 3}, {Op: Patch, B: 4}}}
	for patch, want := range map[int]int{7: 1, 8: 3, 9: 4, 10: 0} {
		if word, ok := p.Patched(patch); word != want || ok != (want > 0) {
			t.Errorf("instruction %d completes %d, %t, want %d", patch, word, ok, want)
		}
	}
}

// TestLines finds the lines of expressions of one number, and no lines of others.
func TestLines(t *testing.T) {
	x := Reg(0)
	is := func(op ExprOp, n int64) *Expr { return Apply(op, x, Num(n)) }
	for i, c := range []struct {
		e     *Expr
		lines int
	}{
		{is(ExprEq, 3), 3},
		{is(ExprNe, 3), 3},
		{is(ExprLt, 3), 2},
		{is(ExprGt, 3), 2},
		{Apply(ExprMul, Apply(ExprNot, is(ExprEq, 3)), x), 3},
		{Apply(ExprMul, x, is(ExprGe, 3)), 2},
		{Apply(ExprSub, Apply(ExprMul, x, Num(2)), is(ExprLe, 3)), 2},
		{Apply(ExprBoth, is(ExprGe, 2), Apply(ExprNot, is(ExprGt, 5))), 3},
		{Apply(ExprEither, is(ExprLt, 2), is(ExprEq, 5)), 4},
		{Apply(ExprEq, is(ExprLt, 2), Num(0)), 2},
		{x, 0},
		{Apply(ExprNot, x), 0},
		{Apply(ExprBoth, x, is(ExprEq, 3)), 0},
		{Apply(ExprMul, x, Apply(ExprAdd, x, is(ExprEq, 3))), 0},
		{Apply(ExprEq, Apply(ExprAdd, x, Num(1)), Num(3)), 0},
		{Apply(ExprEq, x, Reg(1)), 0},
		{is(ExprLe, math.MaxInt64), 0},
		{is(ExprGe, math.MinInt64), 0},
	} {
		lines, leaf := c.e.Lines()
		if len(lines) != c.lines || c.lines > 0 && leaf != x {
			t.Errorf("expression %d has lines %v", i, lines)
			continue
		}
		for n := int64(-3); n < 9 && lines != nil; n++ {
			if want, _ := c.e.Fold(func(*Expr) (int64, bool) { return n, true }); lines.At(n) != want {
				t.Errorf("expression %d is %d for %d, want %d", i, lines.At(n), n, want)
			}
		}
	}
}

// TestOperations computes expressions that the compiler makes only as parts of others.
func TestOperations(t *testing.T) {
	reg := Reg(0)
	if _, ok := (&Expr{Op: ExprCount}).OfWord(1); ok {
		t.Error("a count is one of a word")
	}
	if n, ok := Apply(ExprAdd, Apply(ExprAnd, reg, Num(12)), Num(3)).OfWord(31); n != 15 || !ok {
		t.Errorf("an expression of a word is %d, %t", n, ok)
	}
	if got := ExprCount.Compute(1, 2, 3); got != 1 {
		t.Errorf("an operation without numbers is %d", got)
	}
	if got := Lines(nil).At(5); got != 0 {
		t.Errorf("no lines are %d", got)
	}
	for shift, ok := range map[int64]bool{0: true, 23: true, 24: false} {
		if b, got := Apply(ExprShr, Apply(ExprShr, reg, Num(40)), Num(shift)).Bits(0); got != ok || ok && b.Shift != 40+uint(shift) {
			t.Errorf("a shift by 40 and %d: %+v, %t", shift, b, got)
		}
	}
	p := &Program{Encodings: []Encoding{{}}}
	if h := p.holds(Apply(ExprShl, &Expr{Op: ExprCount, Arg: 2}, Num(0))); h == nil || h.Cell != 2 {
		t.Errorf("a count that is shifted by 0: %+v", h)
	}
	if h := p.holds(Apply(ExprShl, &Expr{Op: ExprCount, Arg: 2}, Num(1))); h != nil {
		t.Errorf("a count that is shifted by 1: %+v", h)
	}
}
