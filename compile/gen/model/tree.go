// Expressions of a schema: the same field is a register to a reader and, in what a
// writer computes, the value that is written or what that is computed from.

package model

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// direction is what the fields in an expression are.
type direction bool

const (
	reading direction = false // what has been read or written so far
	writing direction = true  // the fields of the value that is written
)

// expr returns an expression of what has been read or written so far, or nil if it is
// left out.
func (b *body) expr(e *schema.Expr) *Expr {
	if e == nil {
		return nil
	}
	return b.tree(e, reading)
}

// tree returns an expression.
func (b *body) tree(e *schema.Expr, dir direction) *Expr {
	switch e.Op {
	case builtin.Num:
		return num(e.Num)
	case builtin.Ref:
		return b.field(e.Field, dir)
	case builtin.Count:
		return b.ask(builtin.Count, e.Field)
	case builtin.Len:
		return (&Expr{Op: builtin.Len, Cell: b.cellOf(e.Field), Encoding: b.encoding(e.Field.Text)}).finish()
	case builtin.Arm:
		return b.armOf(e.Field, e.Union)
	case builtin.Present:
		return b.ask(builtin.Present, e.Field)
	case builtin.Outside:
		return b.outside(e)
	case builtin.Size:
		return b.register(b.size[e.Field.Measured].size)
	case builtin.Closed:
		return (&Expr{Op: builtin.Closed, Gate: e.Gate.Index}).finish()
	case builtin.Keep:
		wide := (&Expr{Op: builtin.Either, Args: []*Expr{b.ask(ExprWide, e.Field), b.outside(e)}}).finish()
		return kept(wide, b.tree(e.Args[0], dir))
	case builtin.KeepAll:
		return kept(b.ask(ExprWide, e.Field), b.tree(e.Args[0], dir))
	}
	args := make([]*Expr, len(e.Args))
	for i, a := range e.Args {
		args[i] = b.tree(a, dir)
	}
	return apply(e.Op, args...)
}

// ask returns what an operation gives for a cell.
func (b *body) ask(op builtin.Op, f *schema.Field) *Expr {
	return (&Expr{Op: op, Cell: b.cellOf(f)}).finish()
}

// outside returns whether a scalar cannot hold the number of a field.
func (b *body) outside(e *schema.Expr) *Expr {
	return (&Expr{Op: builtin.Outside, Cell: b.cellOf(e.Field), Scalar: e.Scalar}).finish()
}

// armOf returns the number of the arm of a field's value in a union.
func (b *body) armOf(f *schema.Field, u *schema.Union) *Expr {
	e := (&Expr{Op: builtin.Arm, Cell: b.cellOf(f), Routine: b.union(u).Index}).finish()
	most := uint64(0)
	for _, a := range u.Arms {
		most = max(most, a.ID)
	}
	if n := int64(most); n >= 0 {
		e.Min, e.Max = -1, n
	}
	return e
}

// kept returns a condition for the wide form of a number: one if widths are kept, else
// another one.
func kept(wide, declared *Expr) *Expr {
	exact := (&Expr{Op: ExprExact}).finish()
	return (&Expr{Op: ExprSelect, Args: []*Expr{exact, wide, declared}}).finish()
}

// register returns the number in a register.
func (b *body) register(reg int) *Expr {
	known, ok := b.known[reg]
	if !ok {
		return num(0) // no row sets it
	}
	return &Expr{Op: builtin.Ref, Reg: reg, Min: known.lo, Max: known.hi}
}

// field returns the number of a field.
func (b *body) field(f *schema.Field, dir direction) *Expr {
	switch {
	case dir == reading || f.Param:
	case stored(f):
		return b.value(f)
	case f.Let != nil:
		return b.tree(f.Let, writing)
	case f.Derive != nil:
		return b.tree(f.Derive, writing)
	}
	return b.register(b.reg(f))
}

// value returns the number in the cell of a field.
func (b *body) value(f *schema.Field) *Expr {
	if f.ArmOf != nil {
		return b.armOf(f, f.ArmOf)
	}
	return b.ask(ExprValue, f)
}

// written returns the number that a writer puts into a word or into bits.
func (b *body) written(f *schema.Field) *Expr {
	if f.Derive != nil {
		return b.tree(f.Derive, writing)
	}
	return b.value(f)
}

// apply returns an operation on operands. An operation on numbers only becomes its
// result.
func apply(op builtin.Op, args ...*Expr) *Expr {
	var n [2]int64
	for i, a := range args {
		if a.Op != builtin.Num {
			return (&Expr{Op: op, Args: args}).finish()
		}
		n[i] = a.Num
	}
	result, _ := op.Apply(n[0], n[1])
	return num(result)
}
