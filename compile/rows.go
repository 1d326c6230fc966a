// Rows: one row, or several that are forms of one field, to instructions.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// lowerItems makes the instructions of a record's items, in order.
func (b *body) lowerItems(items []*dsl.Item) {
	c := b.c
	items = solid(items)
	if names, form, ok := c.tuple(items); ok && len(names) > 1 && b.lookup(lanesField) != nil {
		b.lanes(items, names, form)
		return
	}
	for k := 0; k < len(items); k++ {
		i := items[k]
		switch {
		case i.Row != nil:
			k += b.rows(items[k:]) - 1
		case i.Repeat != nil:
			b.repeat(i.Repeat)
		case i.Within != nil:
			rule := b.rule(i.Within.Pos, "region", nil)
			b.probeRegion(i.Within)
			c.emit(bytecode.Enter, rule, b.expr(i.Within.Size, both))
			b.lowerItems(i.Within.Items)
			c.emit(bytecode.Leave, rule)
			b.pad(i.Within.Attrs, rule)
		case i.If != nil:
			b.branch(i.If)
		case i.Let != nil:
			f := b.lookup(i.Let.Name.Text)
			x := b.expr(i.Let.Value, both)
			f.reg = b.newReg()
			c.emit(bytecode.Let, b.rule(i.Pos, f.name, nil), uint32(f.reg), x)
		case i.Check != nil:
			c.refuse(b.rule(i.Pos, "", nil), b.expr(i.Check.Cond, both), i.Check.Message.String())
		case i.Require != nil:
			g := c.s.Gate(i.Require.Text)
			if g < 0 {
				c.unknownGate(i.Require)
				continue
			}
			c.emit(bytecode.Gate, b.rule(i.Pos, "", nil), uint32(g))
		}
	}
}

// lanes makes a tuple of numbers.
func (b *body) lanes(items []*dsl.Item, names []string, form string) {
	c := b.c
	f := b.lookup(lanesField)
	var rule uint32
	for _, i := range items {
		if i.Row != nil {
			rule = c.rule(i.Row.Pos, b.name, "")
			break
		}
	}
	b.widths(form, rule, func(s uint32) {
		c.emit(bytecode.Lanes, rule, s, uint32(len(names)), uint32(f.cell))
	})
}

// widths emits an instruction for the form of a number, or, where a flag of the
// arm selects the form, one for each.
func (b *body) widths(form string, rule uint32, emit func(scalar uint32)) {
	c := b.c
	s := c.scalar(form)
	if b.selects == nil || c.axis == nil || form != c.axis.Name.Text {
		emit(uint32(s))
		return
	}
	narrow, _ := bytecode.ScalarNamed(c.axis.Choices[0].Scalar.Text)
	wide, _ := bytecode.ScalarNamed(c.axis.Choices[1].Scalar.Text)
	c.either(rule, c.addExpr(bytecode.Reg(b.selects.reg)),
		func() { emit(uint32(wide) | bytecode.FlagWide) },
		func() { emit(uint32(narrow)) })
}

// rows lowers the row at the beginning of items, with the rows after it that
// are other forms of the same field, and returns how many they were.
func (b *body) rows(items []*dsl.Item) int {
	c := b.c
	row := items[0].Row
	when := whenOf(row.Attrs)
	if when == nil {
		b.row(row, false)
		return 1
	}
	n := 1
	for n < len(items) && items[n].Row != nil && items[n].Row.Name.Text == row.Name.Text && whenOf(items[n].Row.Attrs) != nil {
		n++
	}
	rule := b.rule(row.Pos, row.Name.Text, row.Doc)
	var form func(k int)
	form = func(k int) {
		if k == n { // no condition holds
			if f := b.lookup(row.Name.Text); f != nil && f.cell >= 0 {
				c.emit(bytecode.Absent, rule, uint32(f.cell))
			}
			return
		}
		r := items[k].Row
		w := whenOf(r.Attrs)
		if k == n-1 && k > 0 && opposite(schema.Fold(whenOf(items[k-1].Row.Attrs)), schema.Fold(w)) {
			b.row(r, c.wider(r, items[:n]))
			return
		}
		c.either(rule, b.expr(w, both), func() { b.row(r, c.wider(r, items[:n])) }, func() { form(k + 1) })
	}
	form(0)
	return n
}

// wider reports whether a row is the wider of the forms of a field.
func (c *compiler) wider(row *dsl.Row, forms []*dsl.Item) bool {
	w := c.scalar(row.Type.Name.Text).Width()
	for _, i := range forms {
		if i.Row != nil && c.scalar(i.Row.Type.Name.Text).Width() < w {
			return true
		}
	}
	return false
}

// row lowers one row.
func (b *body) row(row *dsl.Row, wide bool) {
	c := b.c
	f := b.lookup(row.Name.Text)
	rule := b.rule(row.Pos, row.Name.Text, row.Doc)
	t := row.Type
	name := t.Name.Text
	measured := b.beforeMeasured(row.Name.Text, rule)
	nonzero := uint32(0)
	for _, a := range row.Attrs {
		if a.Read == "nonzero" {
			nonzero = bytecode.TruthNonzero
		}
	}
	s := c.scalar(name)
	union, rec := c.s.Union(name), c.s.Type(name)
	switch {
	case t.ID:
		if union == nil {
			c.unknownType(t.Name)
			return
		}
		b.word(row, f, bytecode.U32, rule)
		if f.cell >= 0 {
			c.emit(bytecode.ArmRef, rule, uint32(f.cell), uint32(f.reg), c.unionRoutine(union), c.back())
		}
	case t.Size != nil:
		b.sized(row, f, s, rule)
	case len(row.Bits) > 0:
		if s == bytecode.NoScalar || s.IsFloat() {
			c.errorf(t.Pos, len(name), dsl.CodeBits, "bits are of an integer, and %s is none", name).WithHint("use a type such as u32")
			return
		}
		b.bits(row, f, s, rule)
	case truthWidth(name) != bytecode.NoScalar:
		if f.cell < 0 {
			b.word(row, f, truthWidth(name), rule)
			break
		}
		c.emit(bytecode.Truth, rule, uint32(truthWidth(name)), uint32(f.cell), nonzero)
	case s != bytecode.NoScalar:
		switch {
		case f.cell < 0 || b.uses[f.name] && !s.IsFloat() || f.derive != nil && !s.IsFloat():
			b.word(row, f, s, rule)
			if f.cell >= 0 {
				how := uint32(bytecode.TakeUint)
				if s.Signed() {
					how = bytecode.TakeInt
				}
				c.emit(bytecode.Take, rule, uint32(f.cell), uint32(f.reg), how)
			}
		default:
			b.widths(name, rule, func(s uint32) {
				if wide {
					s |= bytecode.FlagWide
				}
				c.emit(bytecode.Scalars, rule, s, uint32(f.cell))
			})
		}
	case union != nil:
		c.emit(bytecode.Call, rule, c.unionRoutine(union), uint32(f.cell), b.args(t, len(union.Args), rule))
	case rec != nil && len(rec.Args) == 0 && len(t.Args) == 0 && single(rec.Items) != nil:
		b.inPlace(f, rec, rule)
	case rec != nil:
		c.emit(bytecode.Call, rule, c.typeRoutine(rec), uint32(f.cell), b.args(t, len(rec.Args), rule))
	default:
		c.unknownType(t.Name)
		return
	}
	b.musts(f, row.Attrs, rule, row.Doc)
	b.pad(row.Attrs, rule)
	b.afterMeasured(measured, rule)
}

func (b *body) args(t *dsl.TypeRef, want int, rule uint32) uint32 {
	c := b.c
	if len(t.Args) != want {
		c.errorf(t.Pos, len(t.Name.Text), dsl.CodeArgs, "%s takes %d argument%s, not %d", t.Name.Text, want, plural(want), len(t.Args)).WithHint("they stand in parentheses after the name, in the order of the declaration")
	}
	if want > bytecode.MaxArgs {
		c.errorf(t.Pos, len(t.Name.Text), dsl.CodeArgs, "at most %d arguments are allowed, and %s takes %d", bytecode.MaxArgs, t.Name.Text, want).WithHint("let it read some of them itself")
	}
	var list []uint32
	for i, a := range t.Args {
		if i < want {
			list = append(list, b.expr(a, both))
		}
	}
	for len(list) < want {
		list = append(list, c.addExpr(bytecode.Num(0)))
	}
	c.p.Args = append(c.p.Args, list)
	return uint32(len(c.p.Args) - 1)
}

// sized lowers text and arrays whose length stands in brackets.
func (b *body) sized(row *dsl.Row, f *field, s bytecode.Scalar, rule uint32) {
	c := b.c
	rest := false
	if n := schema.Fold(row.Type.Size); n.Op == schema.OpName && n.Name.Text == "rest" && b.lookup("rest") == nil {
		rest = true
	}
	switch {
	case f.encoding >= 0:
		if rest {
			c.errorf(row.Type.Pos, len(row.Type.Name.Text), dsl.CodeArgs, "text needs a length").WithHint("u8[rest] takes all bytes that are left")
			return
		}
		b.probe(row.Type.Size, f, "len")
		c.emit(bytecode.Text, rule, uint32(f.encoding), b.expr(row.Type.Size, both), uint32(f.cell))
		f.read = true
	case s != bytecode.NoScalar:
		count := uint32(bytecode.None)
		if !rest {
			if _, fixed := schema.ConstExpr(c.s, row.Type.Size); !fixed {
				b.probe(row.Type.Size, f, "count")
			}
			count = b.expr(row.Type.Size, both)
		}
		b.widths(row.Type.Name.Text, rule, func(s uint32) {
			c.emit(bytecode.Packed, rule, s, 1, count, uint32(f.cell))
		})
	default:
		c.unknownType(row.Type.Name)
	}
}

// word lowers a number that is kept in a register.
func (b *body) word(row *dsl.Row, f *field, s bytecode.Scalar, rule uint32) {
	c := b.c
	f.reg = b.newReg()
	f.used = f.used || b.uses[f.name]
	for _, p := range b.patches {
		if p.row == row {
			p.at, p.size, p.word = uint32(b.newReg()), uint32(b.newReg()), f
			c.emit(bytecode.Word, rule, uint32(s), uint32(f.reg), bytecode.None, p.at)
			return
		}
	}
	if targets := measuredBy(f.derive); len(targets) > 0 {
		p := &patch{row: row, word: f, at: uint32(b.newReg()), size: uint32(b.newReg())}
		b.patches[targets[0]] = p
		if len(targets) > 1 {
			c.errorf(row.Pos, 1, dsl.CodeUnderived, "a word can hold the size of one row, not of %d", len(targets)).WithHint("put the rows into a type, and take the size of the row that holds it")
		}
		c.emit(bytecode.Word, rule, uint32(s), uint32(f.reg), bytecode.None, p.at)
		return
	}
	var e *bytecode.Expr
	switch {
	case f.derive != nil:
		e = b.tree(f.derive, writing)
	case f.armOf != nil:
		e = leaf(bytecode.ExprArm, int64(f.cell), c.unionRoutine(f.armOf))
	default:
		e = leaf(bytecode.ExprValue, int64(f.cell), 0)
	}
	c.emit(bytecode.Word, rule, uint32(s), uint32(f.reg), c.addExpr(e), bytecode.None)
}

// bits lowers a word that is made of fields.
func (b *body) bits(row *dsl.Row, f *field, s bytecode.Scalar, rule uint32) {
	c := b.c
	width := 8 * s.Width()
	var e *bytecode.Expr
	taken := uint64(0)
	ignore, restPos := false, row.Pos
	for _, bf := range row.Bits {
		if bf.Rest != "" {
			ignore, restPos = bf.Rest == "ignore", bf.Pos
			continue
		}
		lo, n := c.bitRange(bf.Lo, bf.Hi, width, bf.Pos)
		m := uint64(mask(n)) << lo
		if taken&m != 0 {
			c.errorf(bf.Pos, 1, dsl.CodeBits, "the bits of %s overlap others of the word", bf.Name.Text).WithHint("every bit belongs to one field")
		}
		taken |= m
		e = b.addBits(e, b.lookup(bf.Name.Text), lo, n)
	}
	if e == nil {
		e = bytecode.Num(0)
	}
	if row.Value != nil {
		c.errorf(row.Pos, 1, dsl.CodeBits, "%s is made of its bits, so it cannot be computed as a whole", f.name).WithHint("give values to its bits instead")
	}
	f.reg = b.newReg()
	c.emit(bytecode.Word, rule, uint32(s), uint32(f.reg), c.addExpr(signFold(e, s)), bytecode.None)
	for _, bf := range row.Bits {
		if bf.Rest == "" {
			lo, n := c.bitRange(bf.Lo, bf.Hi, width, bf.Pos)
			b.takeBits(b.lookup(bf.Name.Text), lo, n, f.reg, bf.Pos, bf.Doc, bf.Attrs)
		}
	}
	if rest := uint64(mask(width)) &^ taken; rest != 0 && !ignore {
		c.refuse(b.rule(restPos, f.name, nil), c.addExpr(without(f.reg, rest)), "bits are set that have no meaning")
	}
	f.used = true
}

// signFold brings an unsigned word into the range of a signed scalar.
func signFold(e *bytecode.Expr, s bytecode.Scalar) *bytecode.Expr {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return e
	}
	half := int64(1) << (bits - 1)
	return apply(bytecode.ExprSub, apply(bytecode.ExprXor, e, bytecode.Num(half)), bytecode.Num(half))
}

// inPlace lowers a record with one stored field as if its rows stood here.
func (b *body) inPlace(f *field, rec *schema.Type, rule uint32) {
	b.c.inPlace[rec.Name] = true
	inner := &body{c: b.c, name: b.name + "." + f.name, rec: b.rec, uses: map[string]bool{}, patches: map[string]*patch{}}
	usedNames(rec.Items, inner.uses)
	stored := single(rec.Items)
	for _, i := range rec.Items {
		if i.Row == nil {
			continue
		}
		g := inner.declare(i.Row.Name)
		inner.derived(g, i.Row.Value, i.Row.Attrs)
		t := i.Row.Type
		if enc := b.c.encoding(t.Name.Text); enc >= 0 && t.Size != nil {
			g.encoding = enc
		}
		if u := b.c.s.Union(t.Name.Text); u != nil {
			if t.ID {
				g.armOf = u
			} else {
				g.union = u
			}
		}
		if i.Row == stored {
			g.cell = f.cell
		}
	}
	inner.lowerItems(rec.Items)
	inner.derivable()
}

// pad lowers padding.
func (b *body) pad(attrs []*dsl.Attr, rule uint32) {
	c := b.c
	for _, a := range attrs {
		p := a.Pad
		if p == nil {
			continue
		}
		to, ok := schema.Uint(p.To)
		if !ok || to < 2 || to > 4096 {
			c.errorf(p.To.Pos, len(p.To.Text), dsl.CodeRange, "padding is to a multiple of 2 to 4096 bytes").WithHint("for example: pad 4")
			continue
		}
		fill := uint64(0)
		if p.Fill != nil {
			if fill, ok = schema.Uint(p.Fill); !ok || fill > 255 {
				c.errorf(p.Fill.Pos, len(p.Fill.Text), dsl.CodeRange, "padding is filled with a byte, 0 to 255").WithHint("for example: pad 4 fill 0")
				continue
			}
		}
		flags := uint32(0)
		if p.OrEnd {
			flags |= bytecode.PadOrEnd
		}
		if p.Exact {
			flags |= bytecode.PadExact
		}
		c.emit(bytecode.Pad, rule, uint32(to), flags, uint32(fill))
	}
}
