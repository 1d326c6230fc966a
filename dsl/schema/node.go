// Expressions without the levels of their grammar.

package schema

import (
	"github.com/octable/octable/dsl"
)

// NodeOp is what a node of an expression computes. Operators carry their symbol.
type nodeOp string

// The operations that are not operators.
const (
	opNum     nodeOp = "number"
	opName    nodeOp = "name"
	opCall    nodeOp = "call"
	opOutside nodeOp = "outside" // Args[0] outside the scalar Name
	opNeg     nodeOp = "neg"
	opNot     nodeOp = "!"
)

// Node is a folded expression. Numbers are 64-bit two's complement.
type folded struct {
	Op   nodeOp
	Pos  dsl.Pos
	Num  int64
	OK   bool // opNum: the number fits
	Name *dsl.Name
	Args []*folded
}

// Fold turns the grammar's tree into nodes, from the left.
func fold(e *dsl.Expr) *folded {
	n := foldAnd(e.Left)
	for _, r := range e.Right {
		n = binary("||", r.Pos, n, foldAnd(r))
	}
	return n
}

func binary(op nodeOp, pos dsl.Pos, a, b *folded) *folded {
	return &folded{Op: op, Pos: a.Pos, Args: []*folded{a, b}}
}

func foldAnd(e *dsl.AndExpr) *folded {
	n := foldCmp(e.Left)
	for _, r := range e.Right {
		n = binary("&&", r.Pos, n, foldCmp(r))
	}
	return n
}

func foldCmp(e *dsl.CmpExpr) *folded {
	n := foldSum(e.Left)
	if e.Op == "" {
		return n
	}
	right := foldSum(e.Right)
	if e.Op == "outside" {
		return &folded{Op: opOutside, Pos: e.Pos, Name: right.Name, Args: []*folded{n, right}}
	}
	return binary(nodeOp(e.Op), e.Pos, n, right)
}

func foldSum(e *dsl.Sum) *folded {
	n := foldProduct(e.Left)
	for _, r := range e.Right {
		n = binary(nodeOp(r.Op), r.Pos, n, foldProduct(r.X))
	}
	return n
}

func foldProduct(e *dsl.Product) *folded {
	n := foldUnary(e.Left)
	for _, r := range e.Right {
		n = binary(nodeOp(r.Op), r.Pos, n, foldUnary(r.X))
	}
	return n
}

func foldUnary(e *dsl.Unary) *folded {
	n := foldPrimary(e.X)
	switch e.Op {
	case "-":
		return &folded{Op: opNeg, Pos: e.Pos, Args: []*folded{n}}
	case "!":
		return &folded{Op: opNot, Pos: e.Pos, Args: []*folded{n}}
	}
	return n
}

func foldPrimary(e *dsl.Primary) *folded {
	switch {
	case e.Num != nil:
		u, ok := parseUint(e.Num)
		return &folded{Op: opNum, Pos: e.Pos, Num: int64(u), OK: ok}
	case e.Code != "":
		return &folded{Op: opNum, Pos: e.Pos, Num: int64(codeID(e.Code)), OK: true}
	case e.Sub != nil:
		return fold(e.Sub)
	}
	n := &folded{Op: opName, Pos: e.Pos, Name: e.Call.Name}
	if e.Call.IsCall {
		n.Op = opCall
		for _, a := range e.Call.Args {
			n.Args = append(n.Args, fold(a))
		}
	}
	return n
}

// Apply computes an operator. Division by zero gives 0; shifts are by the low 6
// bits; conditions are 1 or 0. The same rules hold in compiled programs.
func apply(op nodeOp, a, b int64) int64 {
	truth := func(c bool) int64 {
		if c {
			return 1
		}
		return 0
	}
	switch op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		if b == 0 {
			return 0
		}
		return a / b
	case "%":
		if b == 0 {
			return 0
		}
		return a % b
	case "&":
		return a & b
	case "^":
		return a ^ b
	case "<<":
		return a << (uint64(b) & 63)
	case ">>":
		return int64(uint64(a) >> (uint64(b) & 63))
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "&&":
		return truth(a != 0 && b != 0)
	case "||":
		return truth(a != 0 || b != 0)
	case opNeg:
		return -a
	case opNot:
		return truth(a == 0)
	}
	return 0
}
