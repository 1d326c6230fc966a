// Unions: the word that selects an arm, its flags, and the arms.

package compile

import (
	"cmp"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// lowerUnion makes the code of a union: the word that selects an arm, if it reads one,
// then every arm in the order of their numbers.
func (c *compiler) lowerUnion(index uint32, u *schema.Union) {
	start := len(c.p.Code)
	table := uint32(len(c.p.Tables))
	c.p.Tables = append(c.p.Tables, bytecode.Table{})
	head := c.newBody(u.Name, u.Args)
	var row *dsl.Row
	for _, i := range u.Items {
		switch {
		case i.Row != nil && row == nil:
			row = i.Row
		case i.Erratum != nil || i.Says != nil || i.Caption != nil:
		default:
			c.errorf(i.Pos, 1, dsl.CodeArgs, "a union begins with one word, or with none and takes an argument").
				WithHint("put further rows into a type around a union with an argument")
		}
	}
	maxRegs, maxCells := 0, 0
	rule := c.rule(u.Pos, u.Name, "")
	word := bytecode.NoScalar
	wordReg := 0
	if row != nil {
		var ok bool
		word, ok = bytecode.ScalarNamed(row.Type.Name.Text)
		if !ok || word.IsFloat() || row.Type.Size != nil {
			c.errorf(row.Type.Pos, len(row.Type.Name.Text), dsl.CodeArgs, "the word of a union is an integer, and %s is none", row.Type.Name.Text).WithHint("use a type such as u32")
			word = bytecode.U32
		}
		rule = c.rule(row.Pos, u.Name+"."+row.Name.Text, row.Doc.String())
		wordReg = head.newReg()
		f := head.declare(row.Name)
		f.reg, f.used = wordReg, true
	}
	by := u.By.Text
	var discriminator uint32
	width := 64
	byBits := (*dsl.BitField)(nil)
	if row != nil {
		width = 8 * word.Width()
		for _, bf := range row.Bits {
			if bf.Name != nil && bf.Name.Text == by {
				byBits = bf
			}
		}
		switch {
		case byBits != nil:
			lo, n := c.bitRange(byBits.Lo, byBits.Hi, 8*word.Width(), byBits.Pos)
			width = n
			shifted := apply(bytecode.ExprShr, bytecode.Reg(wordReg), bytecode.Num(int64(lo)))
			discriminator = c.addExpr(apply(bytecode.ExprAnd, shifted, bytecode.Num(mask(n))))
		case by == row.Name.Text:
			discriminator = c.addExpr(bytecode.Reg(wordReg))
		default:
			c.errorf(u.By.Pos, len(by), dsl.CodeUnknown, "%s is neither the word of the union nor some of its bits", by).WithHint("by names what tells the arms apart, here %s", row.Name.Text)
		}
		c.emit(bytecode.Union, rule, uint32(word), uint32(wordReg), discriminator, table)
	} else {
		if f := head.lookup(by); f == nil {
			c.errorf(u.By.Pos, len(by), dsl.CodeUnknown, "%s is not an argument of the union", by).WithHint("by names what tells the arms apart: an argument, or a word that is the first row of the union")
		} else {
			discriminator = c.addExpr(bytecode.Reg(f.reg))
		}
		c.emit(bytecode.Switch, rule, 0, 0, discriminator, table)
	}
	if len(u.Arms) == 0 {
		c.errorf(u.Pos, 5, dsl.CodeArm, "union %s has no arms", u.Name).WithHint("add one: arm %s 0 NAME { … }", u.Name)
	}
	arms := make([]bytecode.TableArm, 0, len(u.Arms))
	for i, a := range sortedArms(u) {
		if width < 64 && !a.Else && a.ID >= 1<<width {
			c.errorf(a.Pos, 3, dsl.CodeUnreachable, "arm %s has number %s, which %d bits cannot hold", a.Name, a.IDText(), width).WithHint("no input reaches it; give it a number below %d, or the union more bits", uint64(1)<<width)
		}
		typ := c.armTypes[a]
		arms = append(arms, bytecode.TableArm{ID: a.ID, Else: a.Else, Type: typ})
		b := c.newBody(a.Name, u.Args)
		armRule := b.rule(a.Pos, "", nil)
		c.emit(bytecode.Arm, armRule, uint32(i))
		fields := c.emit(bytecode.Fields, armRule, 0, typ)
		if row != nil {
			b.rec.word, b.rec.wordAt = u, b.newReg()
			f := b.declare(row.Name)
			f.reg, f.used = b.rec.wordAt, true
		}
		b.declareAll(a.Items)
		b.substitutions(armRule)
		if row != nil {
			b.header(u, a, row, word, byBits, armRule)
		}
		b.lowerItems(a.Items)
		b.finish(typ, fields, armRule)
		b.writes(a, typ)
		c.limits(a.Pos, a.Name, b.rec)
		maxRegs, maxCells = max(maxRegs, b.rec.regs), max(maxCells, len(b.rec.cells))
	}
	c.emit(bytecode.End, rule)
	c.p.Tables[table].Arms = arms
	r := &c.p.Routines[index]
	r.Start, r.End, r.Regs, r.Cells = uint32(start), uint32(len(c.p.Code)), uint32(max(maxRegs, head.rec.regs)), uint32(maxCells)
}

// sortedArms returns the arms of a union by number; the arm for all others is last.
func sortedArms(u *schema.Union) []*schema.Arm {
	arms := slices.Clone(u.Arms)
	slices.SortStableFunc(arms, func(a, b *schema.Arm) int {
		switch {
		case a.Else && b.Else:
			return 0
		case a.Else:
			return 1
		case b.Else:
			return -1
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return arms
}

func mask(bits int) int64 {
	if bits >= 64 {
		return -1
	}
	return 1<<bits - 1
}

// bitRange checks the bits of a field and returns the lowest and how many.
func (c *compiler) bitRange(lo, hi *dsl.Num, width int, pos dsl.Pos) (int, int) {
	a, ok := schema.Uint(lo)
	z, ok2 := a, true
	if hi != nil {
		z, ok2 = schema.Uint(hi)
	}
	if !ok || !ok2 || z < a || z >= uint64(width) {
		c.errorf(pos, 1, dsl.CodeBits, "bits go from 0 to %d, the lower one first", width-1).WithHint("write 3 for one bit, 0..7 for eight")
		return 0, 0
	}
	return int(a), int(z-a) + 1
}

// writes compiles what a writer puts in place of the arm.
func (b *body) writes(a *schema.Arm, typ uint32) {
	c := b.c
	for _, i := range a.Items {
		w := i.Writes
		if w == nil {
			continue
		}
		out := bytecode.Write{When: bytecode.None, Absent: w.Absent}
		if w.When != nil {
			out.When = b.expr(w.When, writing)
			reg := false
			c.p.Exprs[out.When].Walk(func(e *bytecode.Expr) { reg = reg || e.Op == bytecode.ExprReg })
			if reg {
				c.errorf(w.Pos, 6, dsl.CodeDirection, "the condition looks at a number that is not a field of the arm").WithHint("use stored fields of the arm, or closed(GATE)")
				return
			}
		}
		if !w.Absent {
			target := c.s.Union(a.Union).Arm(w.Arm.Text)
			if target == nil {
				var all []string
				for _, a := range c.s.Union(a.Union).Arms {
					all = append(all, a.Name)
				}
				d := c.errorf(w.Arm.Pos, len(w.Arm.Text), dsl.CodeUnknown, "union %s has no arm %s", a.Union, w.Arm.Text).WithHint("name the arm that is written in place of this one")
				if near := c.near(w.Arm.Text, func() []string { return all }); near != "" {
					d.WithHint("did you mean %s?", near)
				}
				return
			}
			out.Type, out.Text = c.armTypes[target], w.Text.String()
		}
		c.p.Types[typ].Writes = append(c.p.Types[typ].Writes, out)
	}
}

// hasWrites reports whether any arm of a union is written as something else.
func hasWrites(u *schema.Union) bool {
	for _, a := range u.Arms {
		for _, i := range a.Items {
			if i.Writes != nil {
				return true
			}
		}
	}
	return false
}

func (b *body) substitutions(rule uint32) {
	for i, u := range b.rec.calls {
		if u != nil && hasWrites(u) {
			b.c.emit(bytecode.Subst, rule, uint32(i), b.c.unionRoutine(u))
		}
	}
}

// header writes the word of the union with the number and the flags of the arm.
func (b *body) header(u *schema.Union, a *schema.Arm, row *dsl.Row, word bytecode.Scalar, byBits *dsl.BitField, rule uint32) {
	c := b.c
	width := 8 * word.Width()
	taken := uint64(0)
	claim := func(lo, n int, pos dsl.Pos) {
		m := uint64(mask(n)) << lo
		if taken&m != 0 {
			d := c.errorf(pos, 1, dsl.CodeBits, "the bits overlap others of the word").WithHint("every bit belongs to one field")
			if byBits == nil {
				d.Message = "all bits of the word tell the arms of " + u.Name + " apart, so none is left"
				d.WithHint("say which bits do, after the row of the word: { 0..15 %s  rest ignore }, with another name for the word", u.By.Text)
			}
		}
		taken |= m
	}
	lo := 0
	if byBits != nil {
		var n int
		lo, n = c.bitRange(byBits.Lo, byBits.Hi, width, byBits.Pos)
		claim(lo, n, byBits.Pos)
	} else {
		taken = uint64(mask(width))
	}
	ignoreRest := byBits == nil
	for _, bf := range row.Bits {
		if bf.Rest == "ignore" {
			ignoreRest = true
		}
		if bf.Rest == "" && bf != byBits {
			c.errorf(bf.Pos, 1, dsl.CodeBits, "bits of a union's word belong to its arms").
				WithHint("write `bit %s %s` in the arms that have it", bf.Lo.Text, bf.Name.Text)
		}
	}
	e := bytecode.Num(int64(a.ID << lo))
	if a.Else {
		e = bytecode.Reg(b.rec.wordAt)
		c.errorf(a.Pos, 3, dsl.CodeUnderived, "an else arm of a union that reads its own word does not keep the number").
			WithHint("read the number in a type around a union with an argument")
	}
	type flag struct {
		f     *field
		lo, n int
		item  *dsl.Bits
	}
	var flags []flag
	for _, i := range a.Items {
		if i.Bits == nil {
			continue
		}
		f := b.lookup(i.Bits.Name.Text)
		lo, n := c.bitRange(i.Bits.Lo, i.Bits.Hi, width, i.Bits.Pos)
		claim(lo, n, i.Bits.Pos)
		e = b.addBits(e, f, lo, n)
		flags = append(flags, flag{f, lo, n, i.Bits})
	}
	c.emit(bytecode.Header, rule, uint32(word), uint32(b.rec.wordAt), c.addExpr(e))
	for _, fl := range flags {
		b.takeBits(fl.f, fl.lo, fl.n, b.rec.wordAt, fl.item.Pos, fl.item.Doc, fl.item.Attrs)
	}
	if rest := uint64(mask(width)) &^ taken; rest != 0 && !ignoreRest {
		c.refuse(rule, c.addExpr(without(b.rec.wordAt, rest)), "bits are set that have no meaning here")
	}
}

// addBits adds the bits of a field, n from the bit lo on, to those that a writer has
// computed before, which are nil at first.
func (b *body) addBits(before *bytecode.Expr, f *field, lo, n int) *bytecode.Expr {
	e := bytecode.Num(0)
	switch {
	case f.derive != nil:
		e = b.tree(f.derive, writing)
	case f.cell >= 0:
		e = leaf(bytecode.ExprValue, int64(f.cell), 0)
	}
	e = apply(bytecode.ExprShl, fit(e, n), bytecode.Num(int64(lo)))
	if before == nil {
		return e
	}
	return apply(bytecode.ExprAdd, before, e)
}

// without returns the condition that a register has none of some bits.
func without(reg int, bits uint64) *bytecode.Expr {
	return apply(bytecode.ExprNot, apply(bytecode.ExprAnd, bytecode.Reg(reg), bytecode.Num(int64(bits))))
}

// takeBits brings bits of a word to where they are needed: a register, a cell.
func (b *body) takeBits(f *field, lo, n, word int, pos dsl.Pos, doc *dsl.Str, attrs []*dsl.Attr) {
	c := b.c
	rule := b.rule(pos, f.name, doc)
	if b.uses[f.name] || f.cell >= 0 || f == b.selects || hasMust(attrs) {
		f.reg = b.newReg()
		x := bytecode.Reg(word)
		if lo > 0 {
			x = apply(bytecode.ExprShr, x, bytecode.Num(int64(lo)))
		}
		c.emit(bytecode.Let, rule, uint32(f.reg), c.addExpr(apply(bytecode.ExprAnd, x, bytecode.Num(mask(n)))))
		f.used = f.used || b.uses[f.name] || f == b.selects
	}
	b.musts(f, attrs, rule, doc)
	if f.cell >= 0 {
		how := uint32(bytecode.TakeUint)
		b.rec.cells[f.cell].Kind = kindUint
		if n == 1 {
			how = bytecode.TakeBool
			b.rec.cells[f.cell].Kind = kindBool
		}
		c.emit(bytecode.Take, rule, uint32(f.cell), uint32(f.reg), how)
	}
}

func hasMust(attrs []*dsl.Attr) bool {
	for _, a := range attrs {
		if a.Must != nil {
			return true
		}
	}
	return false
}

// musts emits the conditions of a row.
func (b *body) musts(f *field, attrs []*dsl.Attr, rule uint32, doc *dsl.Str) {
	for _, a := range attrs {
		if a.Must != nil {
			text := doc.String()
			if text == "" {
				text = f.name + " has a number that is not allowed"
			}
			b.c.refuse(rule, b.expr(a.Must, both), text)
			f.checked = true
		}
	}
}
