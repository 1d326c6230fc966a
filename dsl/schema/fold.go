// Folding: from the levels of the grammar to operations.

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
	x := foldAnd(e.Left)
	for _, r := range e.Right {
		x = binary(builtin.Either, x, foldAnd(r))
	}
	return x
}

func binary(op builtin.Op, a, b *Expr) *Expr {
	return &Expr{Op: op, Pos: a.Pos, Args: []*Expr{a, b}}
}

func foldAnd(e *dsl.AndExpr) *Expr {
	x := foldComparison(e.Left)
	for _, r := range e.Right {
		x = binary(builtin.Both, x, foldComparison(r))
	}
	return x
}

func foldComparison(e *dsl.CmpExpr) *Expr {
	x := foldSum(e.Left)
	if e.Op == "" {
		return x
	}
	x = binary(operator(e.Op), x, foldSum(e.Right))
	x.Pos = e.Pos
	return x
}

func foldSum(e *dsl.Sum) *Expr {
	x := foldProduct(e.Left)
	for _, r := range e.Right {
		x = binary(operator(r.Op), x, foldProduct(r.X))
	}
	return x
}

func foldProduct(e *dsl.Product) *Expr {
	x := foldUnary(e.Left)
	for _, r := range e.Right {
		x = binary(operator(r.Op), x, foldUnary(r.X))
	}
	return x
}

// operator returns the operation of a symbol that the grammar allows.
func operator(symbol string) builtin.Op {
	op, _ := builtin.OperatorNamed(symbol)
	return op
}

func foldUnary(e *dsl.Unary) *Expr {
	x := foldPrimary(e.X)
	switch e.Op {
	case "-":
		return &Expr{Op: builtin.Neg, Pos: e.Pos, Args: []*Expr{x}}
	case "!":
		return &Expr{Op: builtin.Not, Pos: e.Pos, Args: []*Expr{x}}
	}
	return x
}

func foldPrimary(e *dsl.Primary) *Expr {
	switch {
	case e.Num != nil:
		u, ok := parseUint(e.Num)
		return &Expr{Op: builtin.Num, Pos: e.Pos, Num: int64(u), bad: !ok}
	case e.Code != "":
		return &Expr{Op: builtin.Num, Pos: e.Pos, Num: int64(codeID(e.Code))}
	case e.Sub != nil:
		return fold(e.Sub)
	case !e.Call.IsCall:
		return &Expr{Op: builtin.Ref, Pos: e.Pos, Name: e.Call.Name.Text}
	}
	op, _ := builtin.FunctionNamed(e.Call.Name.Text)
	x := &Expr{Op: op, Pos: e.Pos, Name: e.Call.Name.Text}
	for _, a := range e.Call.Args {
		x.Args = append(x.Args, fold(a))
	}
	return x
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
