package interp

import (
	"testing"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// TestComputation compares compiled expressions with their trees, for cells and registers of many values.
func TestComputation(t *testing.T) {
	m := &Machine{p: &bytecode.Program{Encodings: []bytecode.Encoding{{Charset: builtin.UTF8Strict}, {Charset: builtin.UTF8Strict, NUL: bytecode.NULCounted}, {Charset: builtin.UTF16Little}}}}
	leaf := func(op bytecode.ExprOp, arg, arg2 uint32) *bytecode.Expr {
		return &bytecode.Expr{Op: op, Arg: int64(arg), Arg2: arg2}
	}
	fit := func(bits int64, x *bytecode.Expr) *bytecode.Expr {
		return &bytecode.Expr{Op: bytecode.ExprFit, Arg: bits, Args: []*bytecode.Expr{x}}
	}
	leaves := []*bytecode.Expr{
		bytecode.Num(3), bytecode.Num(0), bytecode.Num(-2), bytecode.Reg(0), bytecode.Reg(1),
		leaf(bytecode.ExprValue, 0, 0), leaf(bytecode.ExprValue, 1, 0), leaf(bytecode.ExprCount, 2, 0), leaf(bytecode.ExprPresent, 1, 0),
		leaf(bytecode.ExprLen, 3, 0), leaf(bytecode.ExprLen, 3, 1), leaf(bytecode.ExprLen, 3, 2), leaf(bytecode.ExprOutside, 0, uint32(bytecode.U8)),
	}
	for _, x := range leaves[5:] {
		leaves = append(leaves, fit(2, x), fit(64, x), bytecode.Apply(bytecode.ExprNot, x), bytecode.Apply(bytecode.ExprAnd, x, bytecode.Num(6)))
	}
	leaves = append(leaves, bytecode.Apply(bytecode.ExprAnd, bytecode.Reg(0), bytecode.Num(5)), bytecode.Apply(bytecode.ExprShl, fit(2, leaves[5]), bytecode.Num(4)))
	exprs := append(leaves, fit(1, bytecode.Apply(bytecode.ExprMul, bytecode.Apply(bytecode.ExprLt, leaves[5], bytecode.Num(3)), bytecode.Num(5))))
	for op := bytecode.ExprAdd; op <= bytecode.ExprMax; op++ {
		for _, a := range leaves {
			for _, b := range leaves[:16] {
				if op.Takes() == 2 {
					x := bytecode.Apply(op, a, b)
					exprs = append(exprs, x, fit(1, x))
				}
			}
		}
	}
	cells := [][]Value{
		{},
		{MakeInt(0, 5), MakeFloat(0, 2.5), MakeList(0, []Value{{}, {}}), MakeText(0, "aé")},
		{MakeUint(0, 1<<63), {}, MakeInt(0, 1), MakeInt(0, 1)},
		{MakeScalar(0, bytecode.U8, 200), MakeBool(0, true), MakeMap(0, []Value{{}, {}}), MakeText(0, "😀")},
		{MakeFloat(0, -3), MakeText(0, "x"), MakePacked(0, bytecode.U8, 1, []byte{1, 2, 3}), {}},
	}
	for _, e := range exprs {
		run := m.computation(e)
		for _, cells := range cells {
			for _, regs := range [][]uint64{{0, 0}, {3, 1}, {1 << 63, 3}} {
				for _, exact := range []bool{false, true} {
					want, got := &scope{m: m, regs: regs, cells: cells, exact: exact}, &scope{m: m, regs: regs, cells: cells, exact: exact}
					x, y := want.value(e), run(got)
					if want.misfit != got.misfit || !want.misfit && x != y {
						t.Fatalf("%+v of %v, registers %v, exact %t: %d, misfit %t; want %d, %t", e, cells, regs, exact, y, got.misfit, x, want.misfit)
					}
				}
			}
		}
	}
}

// TestIntegers: the sum and the last integer of values.
func TestIntegers(t *testing.T) {
	for _, x := range []struct {
		v          Value
		total, end int64
	}{
		{Value{}, 0, 0},
		{MakePacked(0, bytecode.U8, 1, nil), 0, 0},
		{MakePacked(0, bytecode.U8, 1, []byte{255, 255, 7}), 517, 7},
		{MakePacked(0, bytecode.I8, 1, []byte{255, 254}), -3, -2},
		{MakePacked(0, bytecode.I24, 1, []byte{0, 0, 1, 255, 255, 255}), 65535, -1},
		{MakePacked(0, bytecode.U32, 1, []byte{255, 255, 255, 255, 1, 0, 0, 0}), 1 << 32, 1},
		{MakePacked(0, bytecode.U64, 1, append(make([]byte, 7), 0x80, 0, 0, 0, 0, 0, 0, 0, 0x80)), 0, -1 << 63},
		{MakePacked(0, bytecode.U8, 2, []byte{1, 2}), 0, 0},
		{MakePacked(0, bytecode.F32, 1, []byte{0, 0, 128, 63}), 0, 0},
		{MakeLanes(0, bytecode.U8, []byte{1, 2}), 0, 0},
		{MakeList(0, []Value{MakeUint(0, 3)}), 0, 0},
		{MakeText(0, "a"), 0, 0},
		{MakeUint(0, 9), 0, 0},
	} {
		if total, end := totalOf(x.v), lastOf(x.v); total != x.total || end != x.end {
			t.Errorf("%+v: the sum is %d and the last integer %d; want %d and %d", x.v, total, end, x.total, x.end)
		}
	}
}

// TestApart checks whether a word holds parts and a number that is added to them. It does if no bit is in two
// of them, and all are in the word.
func TestApart(t *testing.T) {
	part := func(bits, shift uint) piece { return piece{bits: bits, shift: shift} }
	for _, c := range []struct {
		parts pieces
		in    bytecode.Scalar
		apart bool
	}{
		{pieces{[]piece{part(3, 2)}, 0x80}, bytecode.U8, true},
		{pieces{[]piece{part(3, 2)}, 0x80}, bytecode.I8, false},
		{pieces{[]piece{part(3, 2)}, 0x100}, bytecode.U8, false},
		{pieces{[]piece{part(3, 2)}, -1}, bytecode.U64, false},
		{pieces{[]piece{part(3, 2)}, 4}, bytecode.U8, false},
		{pieces{[]piece{part(3, 2), part(4, 4)}, 0}, bytecode.U8, false},
		{pieces{[]piece{part(3, 1), part(4, 4)}, 1}, bytecode.U8, true},
		{pieces{[]piece{part(3, 6)}, 0}, bytecode.U8, false},
		{pieces{nil, 255}, bytecode.U8, true},
		{pieces{nil, 256}, bytecode.U8, false},
		{pieces{nil, -1}, bytecode.I8, true},
	} {
		if got := c.parts.apart(c.in); got != c.apart {
			t.Errorf("%+v in %v: %v, want %v", c.parts, c.in, got, c.apart)
		}
	}
}
