// Expressions of a program, which package schema makes with [terms].

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// add returns the number of an expression in the program.
func (l *lowering) add(e *bytecode.Expr) uint32 {
	l.p.Exprs = append(l.p.Exprs, e)
	return uint32(len(l.p.Exprs) - 1)
}

// expr adds an expression of the numbers that were read or written so far.
func (b *body) expr(e *schema.Expr) uint32 { return b.add(schema.Read(e, terms{b})) }

// exprOrNone adds an expression that may be left out.
func (b *body) exprOrNone(e *schema.Expr) uint32 {
	if e == nil {
		return bytecode.None
	}
	return b.expr(e)
}

// terms makes the parts of expressions.
type terms struct{ *body }

func (t terms) Num(n int64) *bytecode.Expr         { return bytecode.Num(n) }
func (t terms) Reg(f *schema.Field) *bytecode.Expr { return bytecode.Reg(t.slots.Reg(f)) }
func (t terms) Size(f *schema.Field) *bytecode.Expr {
	return bytecode.Reg(t.slots.Sizes(f.Measured).Size)
}
func (t terms) Sum(s *schema.Sum) *bytecode.Expr     { return bytecode.Reg(t.slots.Kept(s)) }
func (t terms) Value(f *schema.Field) *bytecode.Expr { return t.cell(bytecode.ExprValue, f, 0) }
func (t terms) Wide(f *schema.Field) *bytecode.Expr  { return t.cell(bytecode.ExprWide, f, 0) }

func (t terms) Ask(op builtin.Op, f *schema.Field) *bytecode.Expr {
	switch op {
	case builtin.Count:
		return t.cell(bytecode.ExprCount, f, 0)
	case builtin.Len:
		return t.cell(bytecode.ExprLen, f, t.encoding(f.Text))
	case builtin.Total:
		return t.cell(bytecode.ExprTotal, f, 0)
	case builtin.Last:
		return t.cell(bytecode.ExprLast, f, 0)
	}
	return t.cell(bytecode.ExprPresent, f, 0)
}

func (t terms) Equals(f *schema.Field, literal string) *bytecode.Expr {
	return t.cell(bytecode.ExprEquals, f, t.text(literal))
}

func (t terms) Arm(f *schema.Field, u *schema.Union) *bytecode.Expr {
	return t.cell(bytecode.ExprArm, f, t.union(u))
}

func (t terms) Outside(f *schema.Field, s builtin.Scalar) *bytecode.Expr {
	return t.cell(bytecode.ExprOutside, f, uint32(s))
}

func (t terms) Keep(wide, declared *bytecode.Expr) *bytecode.Expr {
	return bytecode.Apply(bytecode.ExprSelect, &bytecode.Expr{Op: bytecode.ExprExact}, wide, declared)
}

func (t terms) Closed(g *schema.Gate) *bytecode.Expr {
	return &bytecode.Expr{Op: bytecode.ExprClosed, Arg: int64(g.Index)}
}

func (t terms) Apply(op builtin.Op, args ...*bytecode.Expr) *bytecode.Expr { return apply(op, args...) }

func (t terms) Fit(x *bytecode.Expr, bits int) *bytecode.Expr {
	return &bytecode.Expr{Op: bytecode.ExprFit, Arg: int64(bits), Args: []*bytecode.Expr{x}}
}

// cell returns the result of an operation on the cell of a field.
func (t terms) cell(op bytecode.ExprOp, f *schema.Field, arg uint32) *bytecode.Expr {
	return &bytecode.Expr{Op: op, Arg: int64(t.slots.Cell(f)), Arg2: arg}
}

// apply returns an operation on operands. An operation on numbers only becomes its
// result.
func apply(op builtin.Op, args ...*bytecode.Expr) *bytecode.Expr {
	var n [2]int64
	for i, a := range args {
		var ok bool
		if n[i], ok = a.Constant(); !ok {
			return bytecode.Apply(bytecode.Operators[op], args...)
		}
	}
	result, _ := op.Apply(n[0], n[1])
	return bytecode.Num(result)
}
