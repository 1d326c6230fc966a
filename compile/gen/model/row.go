// Rows: values, regions, conditions and padding.

package model

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Value makes a row that is not kept as a number.
func (b *body) Value(row *schema.Row, rule int) {
	f, t := row.Field, row.Type
	if t.Form == schema.Text && t.Big != nil { // in UTF-16
		b.inOrder(t, rule, func(t *schema.Type) {
			ordered := *row
			ordered.Type = t
			b.Value(&ordered, rule)
		})
		return
	}
	switch t.Form {
	case schema.Number:
		b.numbers(t, row.Wide, rule, func(n number) {
			b.emit(OpScalars, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Coding: t.Coding, Longer: t.Longer, Wide: n.wide, Cell: b.slots.Cell(f)})
		})
	case schema.Truth:
		b.numbers(t, false, rule, func(n number) {
			b.emit(OpTruth, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Cell: b.slots.Cell(f), Nonzero: row.Nonzero})
		})
	case schema.Text:
		b.emit(OpText, rule, Stmt{Encoding: b.encoding(t.Encoding), Expr: b.expr(t.Size), Cell: b.slots.Cell(f), End: delimiter(t)})
	case schema.Array:
		if t.Delimited() {
			b.emit(OpPacked, rule, Stmt{Scalar: builtin.U8, Width: 1, Expr: b.expr(t.Size), Cell: b.slots.Cell(f), End: delimiter(t)})
			break
		}
		b.packed(t, t.Size, f, nil, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		b.call(f, t, rule)
	}
}

// delimiter returns the bytes that text or bytes end before, or nil.
func delimiter(t *schema.Type) *Delimiter {
	end, unit := t.Delimiter()
	if end == "" {
		return nil
	}
	last, loose, stops := t.Fill != "" && !t.FillAny, false, false
	if t.Form == schema.Text {
		loose, stops = t.Encoding.Charset == builtin.UTF8Loose, t.Encoding.NUL != schema.NULKeep
	}
	return &Delimiter{Bytes: end, Unit: unit, Fill: t.Fill != "", Last: last, Check: loose || stops && !last, Zero: stops && last}
}

// call makes a value of a record or a union.
func (b *body) call(f *schema.Field, t *schema.Type, rule int) {
	s := Stmt{Cell: b.slots.Cell(f), Step: f.Name}
	s.Elem = b.given(t, &s)
	b.emit(OpCall, rule, s)
}

// given returns the routine of a type, and adds its arguments to those of a statement.
func (b *body) given(t *schema.Type, s *Stmt) *Routine {
	r := b.routineOf(t)
	var args []*Expr
	for _, a := range t.Args {
		args = append(args, b.expr(a))
	}
	b.called(r, args)
	s.Args = append(s.Args, args...)
	return r
}

// List makes a list.
func (b *body) List(n *schema.List, rule int) {
	f := n.Field
	if n.Elem.Form == schema.Array {
		b.packed(n.Elem, n.Count, f, n.Element.Tuple.Names, false, b.Rule(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
		return
	}
	op, s := OpList, Stmt{Expr: b.expr(n.Count), Cell: b.slots.Cell(f), Step: b.step(f)}
	switch {
	case n.Map:
		op, s.Key = OpMap, b.given(n.Key, &s)
	case n.Count == nil:
		op, s.Stops = OpRest, n.Last
		if n.Spare != nil {
			s.Spare = int(n.Spare.Bytes)
		}
	}
	s.Elem = b.given(n.Elem, &s)
	b.emit(op, rule, s)
	if n.Spare != nil && n.Spare.TooFew {
		reg := b.slots.Reg(n.Spare.Last)
		b.known[reg] = inMemory
		b.emit(OpLet, rule, Stmt{Reg: reg, Expr: &Expr{Op: ExprFinal, Min: inMemory.lo, Max: inMemory.hi}, Unread: true})
	}
}

// Spared makes the conditions of a list that ends when few bytes are left.
func (b *body) Spared(n *schema.List, rule int) {
	for _, c := range n.Demands(false) {
		b.emit(OpCheck, rule, Stmt{Expr: b.expr(c.Cond), Text: c.Message, Unread: true})
	}
}

// numbers emits a statement for the scalar of a type. If a bit of the arm selects the
// scalar, it emits one for each of two. wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule int, emit func(n number)) {
	if t.Big != nil {
		b.inOrder(t, rule, func(t *schema.Type) { b.numbers(t, wide, rule, emit) })
		return
	}
	give := func(s builtin.Scalar, wide bool) { emit(number{s, t.Swapped && s.Width() > 1, wide}) }
	if t.Narrow == builtin.NoScalar {
		give(t.Scalar, wide)
		return
	}
	b.either(rule, terms{b}.Reg(b.rec.Selector),
		func() { give(t.Wide, true) },
		func() { give(t.Narrow, wide) })
}

// inOrder makes a value of a type whose order of bytes a field chooses, once for each order.
func (b *body) inOrder(t *schema.Type, rule int, make func(t *schema.Type)) {
	read := 0
	b.either(rule, b.expr(t.Big),
		func() { make(t.In(true, b.m.Big)); read = b.width },
		func() { make(t.In(false, b.m.Big)) })
	b.width = read // the same in both orders
}

// number is the form of a number.
type number struct {
	scalar        builtin.Scalar
	swapped, wide bool
}

// packed makes an array of tuples of numbers, which may have names. count is nil if the array goes on to the
// end of the region.
func (b *body) packed(t *schema.Type, count *schema.Expr, f *schema.Field, names []string, wide bool, rule int) {
	size := b.expr(count)
	b.numbers(t, wide, rule, func(n number) {
		b.emit(OpPacked, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Wide: n.wide, Width: t.Width, Names: names, Expr: size, Cell: b.slots.Cell(f)})
	})
}

// Inside returns the body of a record with one stored field, as if its rows were here.
func (b *body) Inside(f *schema.Field, t *schema.Type, rule int) schema.Builder {
	inner := *b
	inner.rec, inner.path, inner.slots = t.Record, b.path+"."+f.Name, b.slots.Inside(f)
	for i, a := range t.Args {
		e, reg := b.expr(a), inner.slots.Reg(t.Record.Params[i])
		b.emit(OpLet, rule, Stmt{Reg: reg, Expr: e})
		b.known[reg] = bound{e.Min, e.Max}
	}
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
	b.emit(OpCheck, rule, Stmt{Expr: b.expr(cond), Args: b.subject(cond), Text: message, Back: b.width})
}

// Stop makes the condition under which the record is the last element of a list.
func (b *body) Stop(cond *schema.Expr, rule int) { b.emit(OpStop, rule, Stmt{Expr: b.expr(cond)}) }

// Require makes a demand that a gate is open.
func (b *body) Require(g *schema.Gate, rule int) {
	b.emit(OpGate, rule, Stmt{Gate: g.Index})
}

// Seek makes steps at the place of a part.
func (b *body) Seek(at *schema.Part, rule int, steps func()) {
	s := Stmt{Base: b.named(at.Base.BaseName()), Part: b.named(at.Type), Expr: b.expr(at.Value), Last: at.Last, View: at.View}
	if at.Place != nil {
		s.Reg, s.Align, s.Any = b.slots.Kept(at.Place), max(at.Align, 1), at.Any
	}
	b.emit(OpSeek, rule, s)
	steps()
	b.emit(OpBack, rule, Stmt{})
}

// Gaps makes the bytes between parts.
func (b *body) Gaps(row *schema.Row, rule int) {
	b.emit(OpGaps, rule, Stmt{})
	b.emit(OpPacked, rule, Stmt{Scalar: builtin.U8, Width: 1, Cell: b.slots.Cell(row.Field)})
}

// Enter begins a region.
func (b *body) Enter(size *schema.Expr, rule int) {
	b.emit(OpEnter, rule, Stmt{Expr: b.expr(size)})
}

// Leave ends a region.
func (b *body) Leave(rule int) { b.emit(OpLeave, rule, Stmt{}) }

// Sized makes steps of which padding that follows, and a field if there is one, take the
// size.
func (b *body) Sized(f *schema.Field, rule int, steps func()) {
	reg := b.slots.RegOrNew(f)
	b.emit(OpMark, rule, Stmt{Reg: reg})
	b.known[reg] = inMemory
	steps()
	b.emit(OpSize, rule, Stmt{Reg: reg, Place: reg})
}

// Pad makes padding, if there is some.
func (b *body) Pad(p *schema.Pad, rule int) {
	if p != nil {
		b.emit(OpPad, rule, Stmt{Align: p.To, OrEnd: p.OrEnd, Exact: p.Exact, Fill: p.Fill})
	}
}
