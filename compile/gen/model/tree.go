// Expressions of statements, which package schema makes with [terms].

package model

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// expr returns an expression of the numbers that were read or written so far. It
// returns nil for one that is left out.
func (b *body) expr(e *schema.Expr) *Expr {
	if e == nil {
		return nil
	}
	return schema.Read(e, terms{b})
}

// subject returns the number that a condition is about, in a list. It is the only register in it before it is
// simplified, if it looks at no cell. [bytecode.Expr.Subject] is the same of a program.
func (b *body) subject(cond *schema.Expr) []*Expr {
	regs := schema.Read(cond, registers{b.slots})
	if len(regs) == 0 || slices.ContainsFunc(regs, func(reg int) bool { return reg != regs[0] || reg == ofCell }) {
		return nil
	}
	return []*Expr{b.register(regs[0])}
}

// registers lists the registers in an expression, and ofCell for what looks at a cell.
type registers struct{ slots *schema.Slots }

const ofCell = -1

func (r registers) Num(int64) []int                             { return nil }
func (r registers) Reg(f *schema.Field) []int                   { return []int{r.slots.Reg(f)} }
func (r registers) Size(f *schema.Field) []int                  { return []int{r.slots.Sizes(f.Measured).Size} }
func (r registers) Sum(s *schema.Sum) []int                     { return []int{r.slots.Kept(s)} }
func (r registers) Ask(builtin.Op, *schema.Field) []int         { return []int{ofCell} }
func (r registers) Equals(*schema.Field, string) []int          { return []int{ofCell} }
func (r registers) Value(*schema.Field) []int                   { return []int{ofCell} }
func (r registers) Arm(*schema.Field, *schema.Union) []int      { return []int{ofCell} }
func (r registers) Outside(*schema.Field, builtin.Scalar) []int { return []int{ofCell} }
func (r registers) Wide(*schema.Field) []int                    { return []int{ofCell} }
func (r registers) Keep(wide, declared []int) []int             { return slices.Concat(wide, declared) }
func (r registers) Closed(*schema.Gate) []int                   { return nil }
func (r registers) Apply(_ builtin.Op, args ...[]int) []int     { return slices.Concat(args...) }
func (r registers) Fit(x []int, _ int) []int                    { return x }

// terms makes the parts of expressions.
type terms struct{ *body }

func (t terms) Num(n int64) *Expr           { return num(n) }
func (t terms) Reg(f *schema.Field) *Expr   { return t.register(t.slots.Reg(f)) }
func (t terms) Size(f *schema.Field) *Expr  { return t.register(t.slots.Sizes(f.Measured).Size) }
func (t terms) Sum(s *schema.Sum) *Expr     { return t.register(t.slots.Kept(s)) }
func (t terms) Value(f *schema.Field) *Expr { return t.cell(ExprValue, f) }
func (t terms) Wide(f *schema.Field) *Expr  { return t.cell(ExprWide, f) }

func (t terms) Ask(op builtin.Op, f *schema.Field) *Expr {
	e := &Expr{Op: op, Cell: t.slots.Cell(f)}
	switch op {
	case builtin.Len:
		e.Encoding = t.encoding(f.Text)
	case builtin.Total, builtin.Last:
		e.Scalar = f.Integers
	}
	return e.finish()
}

func (t terms) Equals(f *schema.Field, literal string) *Expr {
	return (&Expr{Op: ExprEquals, Cell: t.slots.Cell(f), Text: literal}).finish()
}

func (t terms) Arm(f *schema.Field, u *schema.Union) *Expr {
	e := (&Expr{Op: builtin.Arm, Cell: t.slots.Cell(f), Routine: t.union(u).Index}).finish()
	most := uint64(0)
	for _, a := range u.Arms {
		most = max(most, a.ID)
	}
	if n := int64(most); n >= 0 {
		e.Min, e.Max = -1, n
	}
	return e
}

func (t terms) Outside(f *schema.Field, s builtin.Scalar) *Expr {
	return (&Expr{Op: builtin.Outside, Cell: t.slots.Cell(f), Scalar: s}).finish()
}

func (t terms) Keep(wide, declared *Expr) *Expr {
	exact := (&Expr{Op: ExprExact}).finish()
	return (&Expr{Op: ExprSelect, Args: []*Expr{exact, wide, declared}}).finish()
}

func (t terms) Closed(g *schema.Gate) *Expr {
	return (&Expr{Op: builtin.Closed, Gate: g.Index}).finish()
}

func (t terms) Apply(op builtin.Op, args ...*Expr) *Expr { return apply(op, args...) }

func (t terms) Fit(x *Expr, bits int) *Expr {
	return (&Expr{Op: ExprFit, Num: int64(bits), Args: []*Expr{x}}).finish()
}

// cell returns the result of an operation on the cell of a field.
func (t terms) cell(op builtin.Op, f *schema.Field) *Expr {
	return (&Expr{Op: op, Cell: t.slots.Cell(f)}).finish()
}

// register returns the number in a register.
func (b *body) register(reg int) *Expr {
	known, ok := b.known[reg]
	if !ok {
		return num(0) // no row sets it
	}
	return &Expr{Op: builtin.Ref, Reg: reg, Min: known.lo, Max: known.hi}
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
