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
	if t.Form == schema.Text && t.Big != nil { // in UTF-16
		b.inOrder(t, rule, func(t *schema.Type) {
			ordered := *row
			ordered.Type = t
			b.Value(&ordered, rule)
		})
		return
	}
	if t.Delimited() {
		b.delimited(f, t, rule)
		return
	}
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
		b.selected(t, rule, func(scalar uint32) { b.emit(bytecode.Truth, rule, scalar, b.cellOf(f), flags) })
	case schema.Text:
		b.emit(bytecode.Text, rule, b.encoding(t.Encoding), b.expr(t.Size), b.cellOf(f))
	case schema.Array:
		b.packed(t, b.exprOrNone(t.Size), f, row.Wide, rule)
	case schema.OfRecord, schema.OfUnion:
		b.emit(bytecode.Call, rule, b.routineOf(t), b.cellOf(f), b.args(t))
	}
}

// Member makes a number in the value of a row.
func (b *body) Member(row *schema.Row, m *schema.Member, rule int) {
	b.emit(bytecode.Let, rule, b.reg(m.Field), b.add(terms{b}.cell(bytecode.ExprMember, row.Field, uint32(m.Index))))
}

// delimited makes text or bytes that end before others, or at the end of the region. The others
// are a terminator, or bytes that fill their row.
func (b *body) delimited(f *schema.Field, t *schema.Type, rule int) {
	encoding := uint32(bytecode.None)
	if t.Form == schema.Text {
		encoding = b.encoding(t.Encoding)
	}
	if t.Fill == "" {
		b.emit(bytecode.Until, rule, encoding, b.text(t.Until), b.cellOf(f))
		return
	}
	fill := uint32(t.Fill[0])
	if t.FillAny {
		fill |= bytecode.FillAny
	}
	b.emit(bytecode.Filled, rule, encoding, b.expr(t.Size), b.cellOf(f), fill)
}

// List makes a list.
func (b *body) List(n *schema.List, rule int) {
	f := n.Field
	b.pass(rule, n.Key, n.Elem)
	switch {
	case n.Map:
		b.emit(bytecode.Map, rule, b.expr(n.Count), b.routineOf(n.Key), b.cellOf(f), b.routineOf(n.Elem))
	case n.Elem.Form == schema.Array:
		b.packed(n.Elem, b.exprOrNone(n.Count), f, false, b.Rule(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
	case n.Last:
		b.emit(bytecode.Through, rule, b.routineOf(n.Elem), b.cellOf(f))
	case n.Spare != nil:
		b.emit(bytecode.Spare, rule, b.routineOf(n.Elem), b.cellOf(f), uint32(n.Spare.Bytes), b.reg(n.Spare.Last))
	case n.Count == nil:
		b.emit(bytecode.Rest, rule, b.routineOf(n.Elem), b.cellOf(f))
	default:
		b.emit(bytecode.List, rule, b.expr(n.Count), b.routineOf(n.Elem), b.cellOf(f))
	}
}

// Spared makes the conditions of a list that ends when few bytes are left.
func (b *body) Spared(n *schema.List, rule int) {
	b.Left(n.Spare.Left, rule)
	for _, c := range n.Demands(true) {
		b.Check(c.Cond, c.Message, rule)
	}
}

// pass makes the arguments of the elements of a list, whose types may be nil.
func (b *body) pass(rule int, types ...*schema.Type) {
	var args []*schema.Expr
	for _, t := range types {
		if t != nil {
			args = append(args, t.Args...)
		}
	}
	if len(args) == 0 {
		return
	}
	var exprs []uint32
	for _, a := range args {
		exprs = append(exprs, b.expr(a))
	}
	from := uint32(b.slots.Regs())
	for _, e := range exprs {
		b.emit(bytecode.Let, rule, uint32(b.slots.New()), e)
	}
	b.emit(bytecode.Pass, rule, from, uint32(len(args)))
}

// numbers emits an instruction for the scalar of a type. If a bit of the arm selects the
// scalar, it emits one for each of two. Wide marks the wider one of the forms of a field.
func (b *body) numbers(t *schema.Type, wide bool, rule int, emit func(scalar uint32)) {
	if t.Big != nil {
		b.inOrder(t, rule, func(t *schema.Type) { b.numbers(t, wide, rule, emit) })
		return
	}
	flag := uint32(0)
	if wide {
		flag = bytecode.FlagWide
	}
	if t.Narrow == builtin.NoScalar {
		emit(wire(t) | flag)
		return
	}
	b.either(rule, b.add(terms{b}.Reg(b.rec.Selector)),
		func() { emit(ordered(t, t.Wide) | bytecode.FlagWide) },
		func() { emit(ordered(t, t.Narrow) | flag) })
}

// inOrder makes a value of a type whose order of bytes a field chooses, once for each order.
func (b *body) inOrder(t *schema.Type, rule int, make func(t *schema.Type)) {
	read := uint32(0)
	b.either(rule, b.expr(t.Big),
		func() { make(t.In(true, b.s.Big)); read = b.width },
		func() { make(t.In(false, b.s.Big)) })
	b.width = read // the same in both orders
}

// wire returns the scalar of a type with its order of bytes or its coding, as an operand.
func wire(t *schema.Type) uint32 {
	if t.Coding != builtin.Fixed {
		return bytecode.Coded(t.Coding, t.Longer)
	}
	return ordered(t, t.Scalar)
}

// ordered returns a scalar with the order of bytes of a type, as an operand.
func ordered(t *schema.Type, s builtin.Scalar) uint32 {
	if t.Swapped && s.Width() > 1 {
		return uint32(s) | bytecode.FlagSwapped
	}
	return uint32(s)
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
func (b *body) Inside(f *schema.Field, t *schema.Type, rule int) schema.Builder {
	inner := *b
	inner.rec, inner.path, inner.slots = t.Record, b.path+"."+f.Name, b.slots.Inside(f)
	for i, a := range t.Args {
		b.emit(bytecode.Let, rule, inner.reg(t.Record.Params[i]), b.expr(a))
	}
	return &inner
}

// More makes the number that says whether bytes are left.
func (b *body) More(m *schema.More, rule int) {
	b.emit(bytecode.Let, rule, b.reg(m.Field), b.add(terms{b}.cell(bytecode.ExprMore, m.Of, 0)))
}

// Left makes the number of bytes that are left.
func (b *body) Left(f *schema.Field, rule int) {
	b.emit(bytecode.Let, rule, b.reg(f), b.add(&bytecode.Expr{Op: bytecode.ExprLeft}))
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

// Stop makes the condition under which the record is the last element of a list.
func (b *body) Stop(cond *schema.Expr, rule int) { b.emit(bytecode.Stop, rule, b.expr(cond)) }

// Require makes a demand that a gate is open.
func (b *body) Require(g *schema.Gate, rule int) { b.emit(bytecode.Gate, rule, uint32(g.Index)) }

// Seek makes steps at the place of a part.
func (b *body) Seek(at *schema.Part, rule int, steps func()) {
	if at.Place != nil {
		flags := uint32(0)
		if at.Any {
			flags = bytecode.ChosenAny
		}
		b.emit(bytecode.Chosen, rule, uint32(b.slots.Kept(at.Place)), uint32(max(at.Align, 1)), flags)
	}
	flags := uint32(0)
	if at.View {
		flags = bytecode.SeekView
	}
	b.emit(bytecode.Seek, rule, b.text(at.Base.BaseName()), b.expr(at.Value), b.text(at.Type), flags)
	steps()
	b.emit(bytecode.Back, rule)
}

// Gaps makes the bytes between parts.
func (b *body) Gaps(row *schema.Row, rule int) { b.emit(bytecode.Gaps, rule, b.cellOf(row.Field)) }

// Enter begins a region.
func (b *body) Enter(size *schema.Expr, rule int) { b.emit(bytecode.Enter, rule, b.expr(size)) }

// Leave ends a region.
func (b *body) Leave(rule int) { b.emit(bytecode.Leave, rule) }

// Sized makes steps of which padding that follows, and a field if there is one, take the
// size.
func (b *body) Sized(f *schema.Field, rule int, steps func()) {
	reg := uint32(b.slots.RegOrNew(f))
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
	b.emit(bytecode.Pad, rule, uint32(p.To), flags, uint32(p.Fill))
}
