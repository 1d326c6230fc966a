package compile

import (
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/spec"
)

// rare has expressions with operations that no schema of the project needs.
const rare = `
schema "rare" { order little root T }
type T {
    | 0 | 4 | u32 | x |
    let a = x * 3 / 2 % 5
    let b = -(a ^ 1)
    check b < a || a > 3 "the numbers do not fit"
}
`

// TestEmitted compiles all schemas. Every operation must be in some program, since
// one that is in none could not be tested.
func TestEmitted(t *testing.T) {
	ops, exprs := map[bytecode.Op]bool{}, map[bytecode.ExprOp]bool{}
	add := func(p *bytecode.Program) {
		for i := range p.Code {
			ops[p.Code[i].Op] = true
		}
		for _, e := range p.Exprs {
			e.Walk(func(x *bytecode.Expr) { exprs[x.Op] = true })
		}
	}
	for _, id := range spec.IDs() {
		s, err := Load(id)
		if err != nil {
			t.Fatal(err)
		}
		if s.Root == "" {
			continue // a library, which describes no bytes
		}
		for _, choice := range Choices(s) {
			p, err := Schema(s, choice)
			if err != nil {
				t.Fatal(err)
			}
			add(p)
		}
	}
	p, err := Text("rare.oct", []byte(rare), "")
	if err != nil {
		t.Fatal(err)
	}
	add(p)
	for _, op := range bytecode.Ops() {
		if !ops[op] {
			t.Errorf("no program has instruction %s", op)
		}
	}
	for op := bytecode.ExprOp(0); op.String() != "invalid"; op++ {
		if !exprs[op] {
			t.Errorf("no program has operation %s of expressions", op)
		}
	}
}

// Operations on numbers only are computed by the compiler, as the interpreter does.
func TestFolded(t *testing.T) {
	num := bytecode.Num
	for _, c := range []struct {
		got  *bytecode.Expr
		want int64
	}{
		{apply(bytecode.ExprAdd, num(1), apply(bytecode.ExprMul, num(2), num(3))), 7},
		{apply(bytecode.ExprSub, num(1), num(3)), -2},
		{apply(bytecode.ExprDiv, num(7), num(0)), 0},
		{apply(bytecode.ExprDiv, num(-7), num(2)), -3},
		{apply(bytecode.ExprMod, num(7), num(0)), 0},
		{apply(bytecode.ExprMod, num(-7), num(2)), -1},
		{apply(bytecode.ExprShl, num(1), num(65)), 2},
		{apply(bytecode.ExprShr, num(-1), num(63)), 1},
		{apply(bytecode.ExprXor, num(6), num(3)), 5},
		{apply(bytecode.ExprBoth, num(2), num(4)), 1},
		{apply(bytecode.ExprEither, num(0), num(0)), 0},
		{apply(bytecode.ExprNeg, num(5)), -5},
		{apply(bytecode.ExprNot, num(5)), 0},
		{apply(bytecode.ExprMin, num(-1), num(1)), -1},
		{apply(bytecode.ExprMax, num(-1), num(1)), 1},
		{apply(bytecode.ExprSelect, num(0), num(2), num(3)), 3},
	} {
		if n, ok := c.got.Constant(); !ok || n != c.want {
			t.Errorf("got %+v, want %d", c.got, c.want)
		}
	}
	for _, e := range []*bytecode.Expr{fit(num(1), 8), apply(bytecode.ExprAdd, bytecode.Reg(0), num(0))} {
		if _, ok := e.Constant(); ok {
			t.Errorf("%+v is a number", e)
		}
	}
}
