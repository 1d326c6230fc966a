// Rows: values, regions, conditions and padding.

package model

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Value makes a row that is not kept as a number.
func (b *body) Value(row *schema.Row, rule int) {
	f, t := row.Field, row.Type
	switch t.Form {
	case schema.Number:
		b.numbers(t, row.Wide, rule, func(scalar builtin.Scalar, wide bool) {
			b.emit(OpScalars, rule, Stmt{Scalar: scalar, Wide: wide, Cell: b.slots.Cell(f)})
		})
	case schema.Truth:
		b.emit(OpTruth, rule, Stmt{Scalar: t.Scalar, Cell: b.slots.Cell(f), Nonzero: row.Nonzero})
	case schema.Text:
		b.emit(OpText, rule, Stmt{Encoding: b.encoding(t.Encoding), Expr: b.expr(t.Size), Cell: b.slots.Cell(f)})
	case schema.Array:
		b.packed(t, t.Size, f, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		b.call(f, t, rule)
	}
}

// call makes a value of a record or a union.
func (b *body) call(f *schema.Field, t *schema.Type, rule int) {
	s := Stmt{Elem: b.routineOf(t), Cell: b.slots.Cell(f), Step: f.Name}
	for _, a := range t.Args {
		s.Args = append(s.Args, b.expr(a))
	}
	b.called(s.Elem, s.Args)
	b.emit(OpCall, rule, s)
}

// List makes a list.
func (b *body) List(n *schema.List, rule int) {
	f := n.Field
	switch {
	case n.Map:
		b.emit(OpMap, rule, Stmt{Expr: b.expr(n.Count), Key: b.routineOf(n.Key), Cell: b.slots.Cell(f), Elem: b.routineOf(n.Elem), Step: b.step(f)})
	case n.Elem.Form == schema.Array:
		b.packed(n.Elem, n.Count, f, false, b.Rule(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
	case n.Count == nil:
		b.emit(OpRest, rule, Stmt{Elem: b.routineOf(n.Elem), Cell: b.slots.Cell(f), Step: b.step(f)})
	default:
		b.emit(OpList, rule, Stmt{Expr: b.expr(n.Count), Elem: b.routineOf(n.Elem), Cell: b.slots.Cell(f), Step: b.step(f)})
	}
}

// numbers emits a statement for the scalar of a type or, if a bit of the arm selects it,
// one for each of two. wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule int, emit func(scalar builtin.Scalar, wide bool)) {
	if t.Narrow == builtin.NoScalar {
		emit(t.Scalar, wide)
		return
	}
	b.either(rule, terms{b}.Reg(b.rec.Selector),
		func() { emit(t.Wide, true) },
		func() { emit(t.Narrow, wide) })
}

// packed makes an array of tuples of numbers; count is nil if it goes on to the end of
// the region.
func (b *body) packed(t *schema.Type, count *schema.Expr, f *schema.Field, wide bool, rule int) {
	n := b.expr(count)
	b.numbers(t, wide, rule, func(scalar builtin.Scalar, wide bool) {
		b.emit(OpPacked, rule, Stmt{Scalar: scalar, Wide: wide, Width: t.Width, Expr: n, Cell: b.slots.Cell(f)})
	})
}

// Inside returns the body of a record with one stored field, as if its rows were here.
func (b *body) Inside(f *schema.Field, rec *schema.Record) schema.Builder {
	inner := *b
	inner.rec, inner.path, inner.slots = rec, b.path+"."+f.Name, b.slots.Inside(f)
	return &inner
}

// Absent makes a field that has no value.
func (b *body) Absent(f *schema.Field, rule int) {
	b.emit(OpAbsent, rule, Stmt{Cell: b.slots.Cell(f)})
}

// Either makes a condition and its branches.
func (b *body) Either(cond *schema.Expr, rule int, then, other func()) {
	b.either(rule, b.expr(cond), then, other)
}

// Check makes a condition that must hold.
func (b *body) Check(cond *schema.Expr, message string, rule int) {
	b.emit(OpCheck, rule, Stmt{Expr: b.expr(cond), Text: message, Back: b.width})
}

// Require makes a demand that a gate is open.
func (b *body) Require(g *schema.Gate, rule int) {
	b.emit(OpGate, rule, Stmt{Gate: g.Index})
}

// Enter begins a region.
func (b *body) Enter(size *schema.Expr, rule int) {
	b.emit(OpEnter, rule, Stmt{Expr: b.expr(size)})
}

// Leave ends a region.
func (b *body) Leave(rule int) { b.emit(OpLeave, rule, Stmt{}) }

// Sized makes steps of which padding that follows takes the size.
func (b *body) Sized(rule int, steps func()) {
	reg := b.slots.New()
	b.emit(OpMark, rule, Stmt{Reg: reg})
	b.known[reg] = inMemory
	steps()
	b.emit(OpSize, rule, Stmt{Reg: reg, Place: reg})
}

// Pad makes padding, if there is some.
func (b *body) Pad(p *schema.Pad, rule int) {
	if p != nil {
		b.emit(OpPad, rule, Stmt{Align: p.To, OrEnd: p.OrEnd, Exact: p.Exact})
	}
}
