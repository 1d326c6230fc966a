// Expressions as trees, to be changed in one part.

package mutate

import "github.com/octable/octable/compile/bytecode"

// tree is an expression: a step, and what it takes.
type tree struct {
	op   bytecode.ExprInstr
	args []*tree
}

// treeOf returns the tree of an expression, which has passed the verifier.
func treeOf(x bytecode.Expr) *tree {
	var stack []*tree
	for _, s := range x {
		n := s.Op.Takes()
		t := &tree{op: s, args: append([]*tree(nil), stack[len(stack)-n:]...)}
		stack = append(stack[:len(stack)-n], t)
	}
	return stack[0]
}

// steps returns the expression of a tree.
func (t *tree) steps() bytecode.Expr {
	var x bytecode.Expr
	for _, a := range t.args {
		x = append(x, a.steps()...)
	}
	return append(x, t.op)
}

// walk calls f for every part.
func (t *tree) walk(f func(*tree)) {
	f(t)
	for _, a := range t.args {
		a.walk(f)
	}
}

// number returns the number that a tree is.
func (t *tree) number() (int64, bool) { return t.op.Arg, t.op.Op == bytecode.ExprNum }

// terms returns the parts of a sum.
func (t *tree) terms() []*tree {
	if t.op.Op != bytecode.ExprAdd {
		return []*tree{t}
	}
	return append(t.args[0].terms(), t.args[1].terms()...)
}

// bits returns what a term puts into bits of a word, if it does: the value, how many
// bits it has, and from which one on they are.
func (t *tree) bits() (value *tree, width, shift int64, ok bool) {
	if t.op.Op != bytecode.ExprShl || t.args[0].op.Op != bytecode.ExprFit {
		return nil, 0, 0, false
	}
	shift, ok = t.args[1].number()
	return t.args[0].args[0], t.args[0].op.Arg, shift, ok
}
