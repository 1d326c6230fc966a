// Rows: one row, or several that are forms of one field.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// forms makes the rows of one field: the first whose condition holds, if one does.
func (b *body) forms(n *schema.Forms) {
	first := n.Rows[0]
	rule := b.at(first.Pos, n.Field.Name, first.Doc)
	absent := func(row *schema.Row) {
		for _, f := range n.Absent(row) {
			b.emit(bytecode.Absent, b.at(first.Pos, f.Name, first.Doc), b.cellOf(f))
		}
	}
	row := func(row *schema.Row) {
		b.row(row)
		absent(row)
	}
	var form func(rows []*schema.Row)
	form = func(rows []*schema.Row) {
		switch {
		case len(rows) == 0:
			absent(nil)
		case len(rows) == 1 && n.Total:
			row(rows[0])
		default:
			b.either(rule, b.expr(rows[0].When), func() { row(rows[0]) }, func() { form(rows[1:]) })
		}
	}
	form(n.Rows)
}

// row makes one row.
func (b *body) row(row *schema.Row) {
	f, t := row.Field, row.Type
	rule := b.at(row.Pos, f.Name, row.Doc)
	b.mark(f, rule)
	if row.Pad != nil && !sized(t) {
		b.measured(rule, func() { b.content(row, rule) })
	} else {
		b.content(row, rule)
	}
	b.pad(row.Pad, rule)
	b.patch(f, rule)
}

// sized reports whether padding after a row of a type goes by the size of its one
// instruction.
func sized(t *schema.Type) bool {
	switch t.Form {
	case schema.Text, schema.Array, schema.OfUnion:
		return true
	}
	return t.Form == schema.OfRecord && !t.InPlace
}

// measured makes instructions of which padding that follows takes the size.
func (b *body) measured(rule uint32, emit func()) {
	reg := b.newReg()
	b.emit(bytecode.Mark, rule, reg)
	emit()
	b.emit(bytecode.Size, rule, reg, reg)
}

// content makes a row without its padding.
func (b *body) content(row *schema.Row, rule uint32) {
	f, t := row.Field, row.Type
	switch t.Form {
	case schema.Number:
		b.number(row, rule)
	case schema.Truth:
		b.truth(row, rule)
	case schema.ArmID:
		b.word(row, rule)
		if stored(f) {
			b.emit(bytecode.ArmRef, rule, b.cellOf(f), b.reg(f), b.union(t.Union), b.width)
		}
	case schema.Text:
		b.emit(bytecode.Text, rule, b.encoding(t.Encoding), b.expr(t.Size), b.cellOf(f))
	case schema.Array:
		b.packed(t, b.exprOrNone(t.Size), f, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		if t.InPlace {
			b.inPlace(f, t.Record)
		} else {
			b.emit(bytecode.Call, rule, b.routineOf(t), b.cellOf(f), b.args(t))
		}
	}
	b.musts(f, row.Must, rule, row.Doc)
}

// number makes a row that is one number.
func (b *body) number(row *schema.Row, rule uint32) {
	f, t := row.Field, row.Type
	switch {
	case len(row.Bits) > 0:
		b.bits(row, rule)
	case !row.Kept():
		b.numbers(t, row.Wide, rule, func(scalar uint32) {
			b.emit(bytecode.Scalars, rule, scalar, b.cellOf(f))
		})
	default:
		b.word(row, rule)
		if stored(f) {
			how := uint32(bytecode.TakeUint)
			if t.Scalar.Signed() {
				how = bytecode.TakeInt
			}
			b.emit(bytecode.Take, rule, b.cellOf(f), b.reg(f), how)
		}
	}
}

// truth makes a row that is true or false.
func (b *body) truth(row *schema.Row, rule uint32) {
	if row.Kept() {
		b.word(row, rule)
		return
	}
	flags := uint32(0)
	if row.Nonzero {
		flags = bytecode.TruthNonzero
	}
	b.emit(bytecode.Truth, rule, uint32(row.Type.Scalar), b.cellOf(row.Field), flags)
}

// numbers emits an instruction for the scalar of a type or, if a bit of the arm selects
// it, one for each of two. Wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule uint32, emit func(scalar uint32)) {
	flag := uint32(0)
	if wide {
		flag = bytecode.FlagWide
	}
	if t.Narrow == builtin.NoScalar {
		emit(uint32(t.Scalar) | flag)
		return
	}
	b.either(rule, b.add(bytecode.Reg(int(b.reg(b.rec.Selector)))),
		func() { emit(uint32(t.Wide) | bytecode.FlagWide) },
		func() { emit(uint32(t.Narrow) | flag) })
}

// packed makes an array of tuples of numbers.
func (b *body) packed(t *schema.Type, count uint32, f *schema.Field, wide bool, rule uint32) {
	b.numbers(t, wide, rule, func(scalar uint32) {
		b.emit(bytecode.Packed, rule, scalar, uint32(t.Width), count, b.cellOf(f))
	})
}

// args makes the arguments of a record or a union.
func (b *body) args(t *schema.Type) uint32 {
	var list []uint32
	for _, a := range t.Args {
		list = append(list, b.expr(a))
	}
	b.p.Args = append(b.p.Args, list)
	return uint32(len(b.p.Args) - 1)
}

// inPlace makes a record with one stored field as if its rows were here.
func (b *body) inPlace(f *schema.Field, rec *schema.Record) {
	inner := *b
	inner.rec, inner.path, inner.cell = rec, b.path+"."+f.Name, b.cellOf(f)
	inner.regs, inner.size = map[*schema.Field]uint32{}, map[*schema.Field]sizes{}
	inner.nodes(rec.Body)
}

// musts makes the conditions of a row or of bits.
func (b *body) musts(f *schema.Field, conds []*schema.Expr, rule uint32, doc string) {
	if doc == "" {
		doc = f.Name + " has a number that is not allowed"
	}
	for _, e := range conds {
		b.refuse(rule, b.expr(e), doc)
	}
}

// pad makes padding, if there is some.
func (b *body) pad(p *schema.Pad, rule uint32) {
	if p == nil {
		return
	}
	flags := uint32(0)
	if p.OrEnd {
		flags |= bytecode.PadOrEnd
	}
	if p.Exact {
		flags |= bytecode.PadExact
	}
	b.emit(bytecode.Pad, rule, uint32(p.To), flags, uint32(p.Fill))
}
