// Expressions: the same field is a register to a reader and, in what a writer computes,
// the value that is written or what that is computed from.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// direction is what the fields in an expression are.
type direction bool

const (
	reading direction = false // what has been read or written so far
	writing direction = true  // the fields of the value that is written
)

// add returns the number of an expression in the program.
func (l *lowering) add(e *bytecode.Expr) uint32 {
	l.p.Exprs = append(l.p.Exprs, e)
	return uint32(len(l.p.Exprs) - 1)
}

// expr adds an expression of what has been read or written so far.
func (b *body) expr(e *schema.Expr) uint32 { return b.add(b.tree(e, reading)) }

// exprOrNone adds an expression that may be left out.
func (b *body) exprOrNone(e *schema.Expr) uint32 {
	if e == nil {
		return bytecode.None
	}
	return b.expr(e)
}

// tree returns an expression.
func (b *body) tree(e *schema.Expr, dir direction) *bytecode.Expr {
	switch e.Op {
	case builtin.Num:
		return bytecode.Num(e.Num)
	case builtin.Ref:
		return b.field(e.Field, dir)
	case builtin.Count:
		return b.ask(bytecode.ExprCount, e.Field, 0)
	case builtin.Len:
		return b.ask(bytecode.ExprLen, e.Field, b.encoding(e.Field.Text))
	case builtin.Arm:
		return b.ask(bytecode.ExprArm, e.Field, b.union(e.Union))
	case builtin.Present:
		return b.ask(bytecode.ExprPresent, e.Field, 0)
	case builtin.Outside:
		return b.ask(bytecode.ExprOutside, e.Field, uint32(e.Scalar))
	case builtin.Size:
		return bytecode.Reg(int(b.size[e.Field.Measured].size))
	case builtin.Closed:
		return &bytecode.Expr{Op: bytecode.ExprClosed, Arg: int64(e.Gate.Index)}
	case builtin.Keep:
		wide := bytecode.Apply(bytecode.ExprEither, b.ask(bytecode.ExprWide, e.Field, 0), b.ask(bytecode.ExprOutside, e.Field, uint32(e.Scalar)))
		return kept(wide, b.tree(e.Args[0], dir))
	case builtin.KeepAll:
		return kept(b.ask(bytecode.ExprWide, e.Field, 0), b.tree(e.Args[0], dir))
	}
	args := make([]*bytecode.Expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.tree(a, dir)
	}
	return apply(e.Op, args...)
}

// ask returns what an operation gives for a cell.
func (b *body) ask(op bytecode.ExprOp, f *schema.Field, arg uint32) *bytecode.Expr {
	return &bytecode.Expr{Op: op, Arg: int64(b.cellOf(f)), Arg2: arg}
}

// kept returns a condition for the wide form of a number: one if widths are kept, else
// another one.
func kept(wide, declared *bytecode.Expr) *bytecode.Expr {
	return bytecode.Apply(bytecode.ExprSelect, &bytecode.Expr{Op: bytecode.ExprExact}, wide, declared)
}

// field returns the number of a field.
func (b *body) field(f *schema.Field, dir direction) *bytecode.Expr {
	switch {
	case dir == reading || f.Param:
	case stored(f):
		return b.value(f)
	case f.Let != nil:
		return b.tree(f.Let, writing)
	case f.Derive != nil:
		return b.tree(f.Derive, writing)
	}
	return bytecode.Reg(int(b.reg(f)))
}

// value returns the number in the cell of a field.
func (b *body) value(f *schema.Field) *bytecode.Expr {
	if f.ArmOf != nil {
		return b.ask(bytecode.ExprArm, f, b.union(f.ArmOf))
	}
	return b.ask(bytecode.ExprValue, f, 0)
}

// written returns the number that a writer puts into a word or into bits.
func (b *body) written(f *schema.Field) *bytecode.Expr {
	if f.Derive != nil {
		return b.tree(f.Derive, writing)
	}
	return b.value(f)
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

// fit returns an expression that must be of at most some bits.
func fit(e *bytecode.Expr, bits int) *bytecode.Expr {
	return &bytecode.Expr{Op: bytecode.ExprFit, Arg: int64(bits), Args: []*bytecode.Expr{e}}
}
