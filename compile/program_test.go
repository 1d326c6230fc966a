package compile

import (
	"errors"
	"strings"
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/dsl/schema/schematest"
)

// cases are schemas with mistakes, and some without.
const cases = "../dsl/schema/testdata/errors"

// programs compiles a resolved schema for every choice of its option.
func programs(t testing.TB, s *schema.Schema) []*bytecode.Program {
	t.Helper()
	if s.Root == nil {
		return nil // a library for other schemas
	}
	var all []*bytecode.Program
	for _, choice := range s.Choices() {
		other, err := s.With(choice)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Schema(other)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// rare has expressions with operations that no schema of the project needs.
const rare = `
schema "rare" { order little root T }
type T {
    | 0 | 4 | u32 | x |
    | 4 | 4 | u32 | a = x * 3 / 2 % 5 | any
    check -(a ^ 1) < a || a > 3 "the numbers do not fit"
    repeat until y == 0 as list {
        | P | 1 | u8 | y |
    }
    | Q   | 2 | Pair | pair |
    | Q+2 | 1 | u8   | z | check z < pair.second
    | Q+3 | 4 | u8[4] | s | check sum(s) > last(s)
    | Q+7 | M | leb128 | m = size(v) |
    | Q+7+M | end-1 | u8[until end] | v |
    | end-1 | 1 | u8 | w |
}
type Pair {
    | 0 | 1 | u8 | first  |
    | 1 | 1 | u8 | second |
}
`

// spare has a list that ends when few bytes are left.
const spare = `
schema "spare" { order little root T }
type T {
    | 0 | N | E[until left() <= 3] | list |
    | N | M | u8[until end]        | rest |
}
type E {
    | 0 | 1 | u8 | x |
}
`

// TestPrograms compiles all schemas that resolve. Every operation must be in some
// program, else it could not be tested.
func TestPrograms(t *testing.T) {
	ops, exprs := map[bytecode.Op]bool{}, map[bytecode.ExprOp]bool{}
	texts := schematest.Texts(t, cases, "../spec/formats", "../spec/next", "bytecode/testdata", "gen/model/testdata")
	texts["rare"], texts["spare"] = rare, spare
	compiled := 0
	for name, text := range texts {
		s, err := resolve(name, text)
		if err != nil {
			continue
		}
		for _, p := range programs(t, s) {
			compiled++
			for i := range p.Code {
				ops[p.Code[i].Op] = true
			}
			for _, e := range p.Exprs {
				e.Walk(func(x *bytecode.Expr) { exprs[x.Op] = true })
			}
		}
	}
	if compiled < 30 {
		t.Errorf("only %d programs", compiled)
	}
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

func resolve(name, text string) (*schema.Schema, error) {
	f, err := dsl.Parse(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return schema.Resolve(f, embedded)
}

// A schema without a root is a library: it resolves, and has no program.
func TestLibrary(t *testing.T) {
	_, err := Text("x.oct", []byte("schema \"x\" {\n}\n"), "")
	var ds dsl.Diagnostics
	want := `x.oct:1:1: E205: schema "x" has no root, so there is nothing to read
    schema "x" {
    ^~~~~~
    hint: add ` + "`root NAME`" + ` to it, or load a schema that extends it`
	if !errors.As(err, &ds) || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestChoice(t *testing.T) {
	p, err := Program("godot-4.4", "double")
	if err != nil || p.Choice != "double" {
		t.Errorf("%v", err)
	}
	if _, err := Program("godot-4.4", "triple"); err == nil || !strings.Contains(err.Error(), "triple") {
		t.Errorf("%v", err)
	}
}

// Operations on numbers only are computed by the compiler, as the interpreter does.
func TestFolded(t *testing.T) {
	num := bytecode.Num
	for _, c := range []struct {
		got  *bytecode.Expr
		want int64
	}{
		{apply(builtin.Add, num(1), apply(builtin.Mul, num(2), num(3))), 7},
		{apply(builtin.Sub, num(1), num(3)), -2},
		{apply(builtin.Div, num(7), num(0)), 0},
		{apply(builtin.Div, num(-7), num(2)), -3},
		{apply(builtin.Mod, num(7), num(0)), 0},
		{apply(builtin.Mod, num(-7), num(2)), -1},
		{apply(builtin.Shl, num(1), num(65)), 2},
		{apply(builtin.Shr, num(-1), num(63)), 1},
		{apply(builtin.Xor, num(6), num(3)), 5},
		{apply(builtin.Both, num(2), num(4)), 1},
		{apply(builtin.Either, num(0), num(0)), 0},
		{apply(builtin.Neg, num(5)), -5},
		{apply(builtin.Not, num(5)), 0},
		{apply(builtin.Min, num(-1), num(1)), -1},
		{apply(builtin.Max, num(-1), num(1)), 1},
	} {
		if n, ok := c.got.Constant(); !ok || n != c.want {
			t.Errorf("got %+v, want %d", c.got, c.want)
		}
	}
	for _, e := range []*bytecode.Expr{terms{}.Fit(num(1), 8), apply(builtin.Add, bytecode.Reg(0), num(0))} {
		if _, ok := e.Constant(); ok {
			t.Errorf("%+v is a number", e)
		}
	}
}
