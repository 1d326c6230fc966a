// Folding: from the syntax of expressions to operations.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// unknownFunction is the operation of a call of a function that the language lacks.
const unknownFunction = builtin.NumOps

// fold returns the operations of an expression, without the meaning of its names: each
// is a Ref without a field, and the operand of a function or of outside is one too.
func fold(e *dsl.Expr) *Expr {
	x := &Expr{Pos: e.Pos}
	switch {
	case e.Num != nil:
		u, ok := parseUint(e.Num)
		x.Op, x.Num, x.bad = builtin.Num, int64(u), !ok
		return x
	case e.Code != "":
		x.Op, x.Num = builtin.Num, int64(codeID(e.Code))
		return x
	case e.Sub != nil:
		return fold(e.Sub)
	case e.IsCall:
		x.Op, _ = builtin.FunctionNamed(e.Name.Text)
		x.Name = e.Name.Text
	case e.Name != nil:
		x.Op, x.Name = builtin.Ref, e.Name.Text
		return x
	case len(e.Args) == 2:
		x.Op, _ = builtin.OperatorNamed(e.Op)
	case e.Op == "-":
		x.Op = builtin.Neg
	default:
		x.Op = builtin.Not
	}
	for _, a := range e.Args {
		x.Args = append(x.Args, fold(a))
	}
	if len(e.Args) == 2 && !e.IsCall && !builtin.Operations[x.Op].Compares() {
		x.Pos = x.Args[0].Pos
	}
	return x
}

func binary(op builtin.Op, a, b *Expr) *Expr {
	return &Expr{Op: op, Pos: a.Pos, Args: []*Expr{a, b}}
}

// name returns the name of a reference at its place.
func (x *Expr) name() *dsl.Name { return &dsl.Name{Pos: x.Pos, Text: x.Name} }

// equal reports whether two expressions are the same operations on the same operands.
func (x *Expr) equal(y *Expr) bool {
	if x == nil || y == nil {
		return x == y
	}
	if x.Op != y.Op || x.Num != y.Num || x.Field != y.Field || x.Gate != y.Gate || x.Scalar != y.Scalar || len(x.Args) != len(y.Args) {
		return false
	}
	for i := range x.Args {
		if !x.Args[i].equal(y.Args[i]) {
			return false
		}
	}
	return x.Op != builtin.Letter || x.Name == y.Name
}

// opposite reports whether one of two conditions is the negation of the other.
func (x *Expr) opposite(y *Expr) bool {
	if x.Op == builtin.Not {
		x, y = y, x
	}
	return y.Op == builtin.Not && x.equal(y.Args[0])
}
