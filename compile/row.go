// Rows: values, regions, conditions and padding.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Value makes a row that is not kept as a number.
func (b *body) Value(row *schema.Row, rule int) {
	f, t := row.Field, row.Type
	switch t.Form {
	case schema.Number:
		b.numbers(t, row.Wide, rule, func(scalar uint32) {
			b.emit(bytecode.Scalars, rule, scalar, b.cellOf(f))
		})
	case schema.Truth:
		flags := uint32(0)
		if row.Nonzero {
			flags = bytecode.TruthNonzero
		}
		b.emit(bytecode.Truth, rule, uint32(t.Scalar), b.cellOf(f), flags)
	case schema.Text:
		b.emit(bytecode.Text, rule, b.encoding(t.Encoding), b.expr(t.Size), b.cellOf(f))
	case schema.Array:
		b.packed(t, b.exprOrNone(t.Size), f, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		b.emit(bytecode.Call, rule, b.routineOf(t), b.cellOf(f), b.args(t))
	}
}

// List makes a list.
func (b *body) List(n *schema.List, rule int) {
	f := n.Field
	switch {
	case n.Map:
		b.emit(bytecode.Map, rule, b.expr(n.Count), b.routineOf(n.Key), b.cellOf(f), b.routineOf(n.Elem))
	case n.Elem.Form == schema.Array:
		b.packed(n.Elem, b.exprOrNone(n.Count), f, false, b.Rule(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
	case n.Count == nil:
		b.emit(bytecode.Rest, rule, b.routineOf(n.Elem), b.cellOf(f))
	default:
		b.emit(bytecode.List, rule, b.expr(n.Count), b.routineOf(n.Elem), b.cellOf(f))
	}
}

// numbers emits an instruction for the scalar of a type or, if a bit of the arm selects
// it, one for each of two. Wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule int, emit func(scalar uint32)) {
	flag := uint32(0)
	if wide {
		flag = bytecode.FlagWide
	}
	if t.Narrow == builtin.NoScalar {
		emit(uint32(t.Scalar) | flag)
		return
	}
	b.either(rule, b.add(terms{b}.Reg(b.rec.Selector)),
		func() { emit(uint32(t.Wide) | bytecode.FlagWide) },
		func() { emit(uint32(t.Narrow) | flag) })
}

// packed makes an array of tuples of numbers.
func (b *body) packed(t *schema.Type, count uint32, f *schema.Field, wide bool, rule int) {
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

// Inside returns the body of a record with one stored field, as if its rows were here.
func (b *body) Inside(f *schema.Field, rec *schema.Record) schema.Builder {
	inner := *b
	inner.rec, inner.path, inner.slots = rec, b.path+"."+f.Name, b.slots.Inside(f)
	return &inner
}

// Absent makes a field that has no value.
func (b *body) Absent(f *schema.Field, rule int) { b.emit(bytecode.Absent, rule, b.cellOf(f)) }

// Either makes a condition and its branches.
func (b *body) Either(cond *schema.Expr, rule int, then, other func()) {
	b.either(rule, b.expr(cond), then, other)
}

// Check makes a condition that must hold.
func (b *body) Check(cond *schema.Expr, message string, rule int) {
	b.refuse(rule, b.expr(cond), message)
}

// Require makes a demand that a gate is open.
func (b *body) Require(g *schema.Gate, rule int) { b.emit(bytecode.Gate, rule, uint32(g.Index)) }

// Enter begins a region.
func (b *body) Enter(size *schema.Expr, rule int) { b.emit(bytecode.Enter, rule, b.expr(size)) }

// Leave ends a region.
func (b *body) Leave(rule int) { b.emit(bytecode.Leave, rule) }

// Sized makes steps of which padding that follows takes the size.
func (b *body) Sized(rule int, steps func()) {
	reg := uint32(b.slots.New())
	b.emit(bytecode.Mark, rule, reg)
	steps()
	b.emit(bytecode.Size, rule, reg, reg)
}

// Pad makes padding, if there is some.
func (b *body) Pad(p *schema.Pad, rule int) {
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
	b.emit(bytecode.Pad, rule, uint32(p.To), flags, 0)
}
