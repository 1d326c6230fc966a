// Folding: from the syntax of expressions to operations.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Operations of expressions that mean nothing.
const (
	unknownFunction = builtin.NumOps + iota // a call of a function that the language lacks
	strayRange                              // an argument of a checksum that is not in one
)

// fold returns the operations of an expression before its names are bound. A name is a Ref without a field,
// also as the operand of a function.
func fold(e *dsl.Expr) *Expr {
	x := &Expr{Pos: e.Pos}
	switch {
	case e.Num != nil:
		u, ok := parseUint(e.Num)
		x.Op, x.Num, x.bad = builtin.Num, int64(u), !ok
		return x
	case e.Code != "":
		x.Op, x.Num, x.code = builtin.Num, int64(codeID(e.Code)), e.Code
		return x
	case e.Str != nil:
		x.Op, x.text = builtin.Num, e.Str
		return x
	case e.Sub != nil:
		return fold(e.Sub)
	case e.IsCall:
		x.Op, _ = builtin.FunctionNamed(e.Name.Text)
		x.Name = e.Name.Text
		if of, ok := builtin.ChecksumNamed(x.Name); ok {
			x.Sum, x.rows = &Sum{Of: of}, e.Args
			return x
		}
	case e.Op == ".." || e.Op == "with":
		x.Op = strayRange
		return x
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
	if (x.Op == builtin.Eq || x.Op == builtin.Ne) && x.Args[1].text != nil {
		x.Args[0] = &Expr{Op: builtin.Match, Pos: x.Args[0].Pos, Args: []*Expr{x.Args[0]}}
	}
	return x
}

func binary(op builtin.Op, a, b *Expr) *Expr {
	return &Expr{Op: op, Pos: a.Pos, Args: []*Expr{a, b}}
}

// name returns the name of a reference at its place.
func (x *Expr) name() *dsl.Name { return &dsl.Name{Pos: x.Pos, Text: x.Name} }
