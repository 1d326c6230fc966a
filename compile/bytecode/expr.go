// Expressions: trees of operations.

package bytecode

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Expr is an operation with its operands. Expressions of a program are not shared:
// each belongs to one instruction, argument or rule for writing.
type Expr struct {
	Op   ExprOp
	Arg  int64   // of the operation itself, such as the number of a register
	Arg2 uint32  // of the operation itself, such as an encoding
	Args []*Expr // operands, as many as Op.Takes
}

// MaxExprDepth is the deepest nesting of expressions.
const MaxExprDepth = builtin.MaxNesting

// Num returns the expression of a number.
func Num(n int64) *Expr { return &Expr{Op: ExprNum, Arg: n} }

// Reg returns the expression of the number in a register.
func Reg(r int) *Expr { return &Expr{Op: ExprReg, Arg: int64(r)} }

// Apply returns the expression of an operation on operands.
func Apply(op ExprOp, args ...*Expr) *Expr { return &Expr{Op: op, Args: args} }

// Walk calls f for every node of an expression, operands before operations. The
// position of a node in this order is its number within the expression.
func (e *Expr) Walk(f func(*Expr)) {
	if e == nil {
		return
	}
	for _, x := range e.Args {
		x.Walk(f)
	}
	f(e)
}

// Any reports whether a node meets a condition.
func (e *Expr) Any(meets func(*Expr) bool) bool {
	found := false
	e.Walk(func(x *Expr) { found = found || meets(x) })
	return found
}

// Registers returns the registers that the expression reads, one for each time.
func (e *Expr) Registers() (out []uint32) {
	e.Walk(func(x *Expr) {
		if x.Op == ExprReg {
			out = append(out, uint32(x.Arg))
		}
	})
	return out
}

// Subject returns the register whose number the expression is about. It is the only register in it, if the expression
// looks at no cell.
func (e *Expr) Subject() (reg uint32, ok bool) {
	regs := e.Registers()
	if len(regs) == 0 || e.Any(func(x *Expr) bool { return x.Op.NeedsCells() }) {
		return 0, false
	}
	return regs[0], !slices.ContainsFunc(regs, func(reg uint32) bool { return reg != regs[0] })
}

// Size returns the number of nodes.
func (e *Expr) Size() int {
	n := 0
	e.Walk(func(*Expr) { n++ })
	return n
}

// Node returns the node with a number, or nil.
func (e *Expr) Node(n int) (node *Expr) {
	e.Walk(func(x *Expr) {
		if n == 0 {
			node = x
		}
		n--
	})
	return node
}

// Constant returns the number that an expression consists of.
func (e *Expr) Constant() (int64, bool) {
	if e == nil || e.Op != ExprNum {
		return 0, false
	}
	return e.Arg, true
}

// Compared returns the constants in the condition of an instruction, with which numbers of its record are
// compared. An instruction without a condition has none.
func (p *Program) Compared(in *Instr) (all []int64) {
	switch in.Op {
	case Check, If, Stop:
		p.Exprs[in.A].Walk(func(e *Expr) {
			if n, ok := e.Constant(); ok {
				all = append(all, n)
			}
		})
	}
	return all
}

// OfWord computes an expression of numbers and one register. The number of an arm is such
// an expression of the word of its union. It reports whether there is nothing else in it.
func (e *Expr) OfWord(word uint64) (int64, bool) {
	switch e.Op {
	case ExprNum:
		return e.Arg, true
	case ExprReg:
		return int64(word), true
	}
	op := exprOps[e.Op].of
	if op == builtin.Num || len(e.Args) != 2 {
		return 0, false
	}
	a, okA := e.Args[0].OfWord(word)
	b, okB := e.Args[1].OfWord(word)
	n, ok := op.Apply(a, b)
	return n, ok && okA && okB
}

// Equal reports whether two expressions are the same tree.
func (e *Expr) Equal(o *Expr) bool {
	if e == nil || o == nil {
		return e == o
	}
	if e.Op != o.Op || e.Arg != o.Arg || e.Arg2 != o.Arg2 || len(e.Args) != len(o.Args) {
		return false
	}
	for i := range e.Args {
		if !e.Args[i].Equal(o.Args[i]) {
			return false
		}
	}
	return true
}

// Clone returns a copy that shares nothing with the expression.
func (e *Expr) Clone() *Expr {
	if e == nil {
		return nil
	}
	c := *e
	c.Args = nil
	for _, x := range e.Args {
		c.Args = append(c.Args, x.Clone())
	}
	return &c
}

// Operators are the operations on numbers by the operations of the language.
var Operators = func() map[builtin.Op]ExprOp {
	all := map[builtin.Op]ExprOp{}
	for op := range numExprOps {
		if of := exprOps[op].of; of != builtin.Num {
			all[of] = op
		}
	}
	return all
}()
