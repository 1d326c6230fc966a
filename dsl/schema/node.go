// Expressions without the levels of their grammar.

package schema

import (
	"github.com/octable/octable/dsl"
)

// NodeOp is what a node of an expression computes. Operators carry their symbol.
type NodeOp string

// The operations that are not operators.
const (
	OpNum     NodeOp = "number"
	OpName    NodeOp = "name"
	OpCall    NodeOp = "call"
	OpOutside NodeOp = "outside" // Args[0] outside the scalar Name
	OpNeg     NodeOp = "neg"
	OpNot     NodeOp = "!"
)

// Node is a folded expression. Numbers are 64-bit two's complement.
type Node struct {
	Op   NodeOp
	Pos  dsl.Pos
	Num  int64
	OK   bool // OpNum: the number fits
	Name *dsl.Name
	Args []*Node
}

// Fold turns the grammar's tree into nodes, from the left.
func Fold(e *dsl.Expr) *Node {
	n := foldAnd(e.Left)
	for _, r := range e.Right {
		n = binary("||", r.Pos, n, foldAnd(r))
	}
	return n
}

func binary(op NodeOp, pos dsl.Pos, a, b *Node) *Node {
	return &Node{Op: op, Pos: a.Pos, Args: []*Node{a, b}}
}

func foldAnd(e *dsl.AndExpr) *Node {
	n := foldCmp(e.Left)
	for _, r := range e.Right {
		n = binary("&&", r.Pos, n, foldCmp(r))
	}
	return n
}

func foldCmp(e *dsl.CmpExpr) *Node {
	n := foldSum(e.Left)
	if e.Op == "" {
		return n
	}
	right := foldSum(e.Right)
	if e.Op == "outside" {
		return &Node{Op: OpOutside, Pos: e.Pos, Name: right.Name, Args: []*Node{n, right}}
	}
	return binary(NodeOp(e.Op), e.Pos, n, right)
}

func foldSum(e *dsl.Sum) *Node {
	n := foldProduct(e.Left)
	for _, r := range e.Right {
		n = binary(NodeOp(r.Op), r.Pos, n, foldProduct(r.X))
	}
	return n
}

func foldProduct(e *dsl.Product) *Node {
	n := foldUnary(e.Left)
	for _, r := range e.Right {
		n = binary(NodeOp(r.Op), r.Pos, n, foldUnary(r.X))
	}
	return n
}

func foldUnary(e *dsl.Unary) *Node {
	n := foldPrimary(e.X)
	switch e.Op {
	case "-":
		return &Node{Op: OpNeg, Pos: e.Pos, Args: []*Node{n}}
	case "!":
		return &Node{Op: OpNot, Pos: e.Pos, Args: []*Node{n}}
	}
	return n
}

func foldPrimary(e *dsl.Primary) *Node {
	switch {
	case e.Num != nil:
		u, ok := Uint(e.Num)
		return &Node{Op: OpNum, Pos: e.Pos, Num: int64(u), OK: ok}
	case e.Code != "":
		return &Node{Op: OpNum, Pos: e.Pos, Num: int64(CodeID(e.Code)), OK: true}
	case e.Sub != nil:
		return Fold(e.Sub)
	}
	n := &Node{Op: OpName, Pos: e.Pos, Name: e.Call.Name}
	if e.Call.IsCall {
		n.Op = OpCall
		for _, a := range e.Call.Args {
			n.Args = append(n.Args, Fold(a))
		}
	}
	return n
}

// Apply computes an operator. Division by zero gives 0; shifts are by the low 6
// bits; conditions are 1 or 0. The same rules hold in compiled programs.
func Apply(op NodeOp, a, b int64) int64 {
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
	case OpNeg:
		return -a
	case OpNot:
		return truth(a == 0)
	}
	return 0
}
