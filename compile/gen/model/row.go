// Rows: one row, several that are forms of one field, and lists.

package model

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
)

// forms makes the rows of one field: the first whose condition holds, or none.
func (b *body) forms(n *schema.Forms) {
	first := n.Rows[0]
	rule := b.at(first.Pos, n.Field.Name, first.Doc)
	var form func(rows []*schema.Row)
	form = func(rows []*schema.Row) {
		switch {
		case len(rows) == 0 && stored(n.Field):
			b.emit(bytecode.Absent, rule, Stmt{Cell: b.cellOf(n.Field)})
		case len(rows) == 0:
		case len(rows) == 1 && n.Total:
			b.row(rows[0])
		default:
			b.either(rule, b.expr(rows[0].When), func() { b.row(rows[0]) }, func() { form(rows[1:]) })
		}
	}
	form(n.Rows)
}

// row makes one row.
func (b *body) row(row *schema.Row) {
	f, t := row.Field, row.Type
	rule := b.at(row.Pos, f.Name, row.Doc)
	b.mark(f, rule)
	if row.Pad != nil && (t.InPlace || t.Form == schema.Number || t.Form == schema.Truth || t.Form == schema.ArmID) {
		b.measured(rule, func() { b.content(row, rule) })
	} else {
		b.content(row, rule)
	}
	b.pad(row.Pad, rule)
	b.patch(f, rule)
}

// measured makes statements of which padding that follows takes the size.
func (b *body) measured(rule int, emit func()) {
	reg := b.newReg()
	b.emit(bytecode.Mark, rule, Stmt{Reg: reg})
	b.known[reg] = inMemory
	emit()
	b.emit(bytecode.Size, rule, Stmt{Reg: reg, Place: reg})
}

// content makes a row without its padding.
func (b *body) content(row *schema.Row, rule int) {
	f, t := row.Field, row.Type
	switch t.Form {
	case schema.Number:
		b.number(row, rule)
	case schema.Truth:
		b.truth(row, rule)
	case schema.ArmID:
		b.word(row, rule)
		if stored(f) {
			b.emit(bytecode.ArmRef, rule, Stmt{Cell: b.cellOf(f), Reg: b.reg(f), Elem: b.union(t.Union), Back: b.width})
		}
	case schema.Text:
		b.emit(bytecode.Text, rule, Stmt{Encoding: b.encoding(t.Encoding), Expr: b.expr(t.Size), Cell: b.cellOf(f)})
	case schema.Array:
		b.packed(t, t.Size, f, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		if t.InPlace {
			b.inPlace(f, t.Record)
		} else {
			b.call(f, t, rule)
		}
	}
	b.musts(f, row.Must, rule, row.Doc)
}

// call makes a value of a record or a union.
func (b *body) call(f *schema.Field, t *schema.Type, rule int) {
	s := Stmt{Elem: b.routineOf(t), Cell: b.cellOf(f), Step: f.Name}
	for _, a := range t.Args {
		s.Args = append(s.Args, b.expr(a))
	}
	b.called(s.Elem, s.Args)
	b.emit(bytecode.Call, rule, s)
}

// number makes a row that is one number.
func (b *body) number(row *schema.Row, rule int) {
	f, t := row.Field, row.Type
	switch {
	case len(row.Bits) > 0:
		b.bits(row, rule)
	case !row.Kept():
		b.numbers(t, row.Wide, rule, func(scalar bytecode.Scalar, wide bool) {
			b.emit(bytecode.Scalars, rule, Stmt{Scalar: scalar, Wide: wide, Cell: b.cellOf(f)})
		})
	default:
		b.word(row, rule)
		if stored(f) {
			take := bytecode.TakeUint
			if t.Scalar.Signed() {
				take = bytecode.TakeInt
			}
			b.emit(bytecode.Take, rule, Stmt{Cell: b.cellOf(f), Reg: b.reg(f), Take: take})
		}
	}
}

// truth makes a row that is true or false.
func (b *body) truth(row *schema.Row, rule int) {
	if row.Kept() {
		b.word(row, rule)
		return
	}
	b.emit(bytecode.Truth, rule, Stmt{Scalar: row.Type.Scalar, Cell: b.cellOf(row.Field), Nonzero: row.Nonzero})
}

// numbers emits a statement for the scalar of a type or, if a bit of the arm selects it,
// one for each of two. wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule int, emit func(scalar bytecode.Scalar, wide bool)) {
	if t.Narrow == bytecode.NoScalar {
		emit(t.Scalar, wide)
		return
	}
	b.either(rule, b.register(b.reg(b.rec.Selector)),
		func() { emit(t.Wide, true) },
		func() { emit(t.Narrow, wide) })
}

// packed makes an array of tuples of numbers; count is nil if it goes on to the end of
// the region.
func (b *body) packed(t *schema.Type, count *schema.Expr, f *schema.Field, wide bool, rule int) {
	n := b.expr(count)
	b.numbers(t, wide, rule, func(scalar bytecode.Scalar, wide bool) {
		b.emit(bytecode.Packed, rule, Stmt{Scalar: scalar, Wide: wide, Width: t.Width, Expr: n, Cell: b.cellOf(f)})
	})
}

// list makes a list.
func (b *body) list(n *schema.List) {
	f := n.Field
	rule := b.at(n.Pos, f.Name, n.Doc)
	b.mark(f, rule)
	switch {
	case n.Map:
		b.emit(bytecode.Map, rule, Stmt{Expr: b.expr(n.Count), Key: b.routineOf(n.Key), Cell: b.cellOf(f), Elem: b.routineOf(n.Elem), Step: b.step(f)})
	case n.Elem.Form == schema.Array:
		b.packed(n.Elem, n.Count, f, false, b.at(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
	case n.Count == nil:
		b.emit(bytecode.Rest, rule, Stmt{Elem: b.routineOf(n.Elem), Cell: b.cellOf(f), Step: b.step(f)})
	default:
		b.emit(bytecode.List, rule, Stmt{Expr: b.expr(n.Count), Elem: b.routineOf(n.Elem), Cell: b.cellOf(f), Step: b.step(f)})
	}
	b.pad(n.Pad, rule)
	b.patch(f, rule)
}

// inPlace makes a record with one stored field as if its rows were here.
func (b *body) inPlace(f *schema.Field, rec *schema.Record) {
	inner := *b
	inner.rec, inner.path, inner.cell = rec, b.path+"."+f.Name, b.cellOf(f)
	inner.regs, inner.size = map[*schema.Field]int{}, map[*schema.Field]sizes{}
	inner.nodes(rec.Body)
}

// musts makes the conditions of a row or of bits.
func (b *body) musts(f *schema.Field, conds []*schema.Expr, rule int, doc string) {
	if doc == "" {
		doc = f.Name + " has a number that is not allowed"
	}
	for _, e := range conds {
		b.refuse(rule, b.expr(e), doc)
	}
}

// pad makes padding, if there is some.
func (b *body) pad(p *schema.Pad, rule int) {
	if p != nil {
		b.emit(bytecode.Pad, rule, Stmt{Align: p.To, OrEnd: p.OrEnd, Exact: p.Exact, Fill: p.Fill})
	}
}
