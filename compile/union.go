// Unions: the word that tells arms apart, its flags, and the arms.

package compile

import (
	"sort"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// lowerUnion makes the code of a union: the word that tells its arms apart, if
// it reads one, then every arm.
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
			discriminator = c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(wordReg)}, {Op: bytecode.ExprNum, Arg: int64(lo)}, {Op: bytecode.ExprShr}, {Op: bytecode.ExprNum, Arg: mask(n)}, {Op: bytecode.ExprAnd}})
		case by == row.Name.Text:
			discriminator = c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(wordReg)}})
		default:
			c.errorf(u.By.Pos, len(by), dsl.CodeUnknown, "%s is neither the word of the union nor some of its bits", by).WithHint("by names what tells the arms apart, here %s", row.Name.Text)
		}
		c.emit(bytecode.Union, rule, uint32(word), uint32(wordReg), discriminator, table)
	} else {
		if f := head.lookup(by); f == nil {
			c.errorf(u.By.Pos, len(by), dsl.CodeUnknown, "%s is not an argument of the union", by).WithHint("by names what tells the arms apart: an argument, or a word that is the first row of the union")
		} else {
			discriminator = c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(f.reg)}})
		}
		c.emit(bytecode.Switch, rule, 0, 0, discriminator, table)
	}
	if len(u.Arms) == 0 {
		c.errorf(u.Pos, 5, dsl.CodeArm, "union %s has no arms", u.Name).WithHint("add one: arm %s 0 NAME { … }", u.Name)
	}
	arms := make([]bytecode.TableArm, 0, len(u.Arms))
	for _, a := range u.Arms {
		if width < 64 && !a.Else && a.ID >= 1<<width {
			c.errorf(a.Pos, 3, dsl.CodeUnreachable, "arm %s has number %s, which %d bits cannot hold", a.Name, a.IDText(), width).WithHint("no input reaches it; give it a number below %d, or the union more bits", uint64(1)<<width)
		}
		typ := c.armTypes[a]
		arms = append(arms, bytecode.TableArm{ID: a.ID, Else: a.Else, Type: typ, Target: uint32(len(c.p.Code))})
		b := c.newBody(a.Name, u.Args)
		armRule := b.rule(a.Pos, "", nil)
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
	sortArms(arms)
	c.p.Tables[table].Arms = arms
	r := &c.p.Routines[index]
	r.Start, r.End, r.Regs, r.Cells = uint32(start), uint32(len(c.p.Code)), uint32(max(maxRegs, head.rec.regs)), uint32(maxCells)
}

func sortArms(arms []bytecode.TableArm) {
	sort.SliceStable(arms, func(i, j int) bool {
		return arms[j].Else && !arms[i].Else || !arms[i].Else && !arms[j].Else && arms[i].ID < arms[j].ID
	})
	out := arms[:0]
	for i := range arms { // doubles have been reported
		if i == 0 || arms[i].Else != arms[i-1].Else || !arms[i].Else && arms[i].ID != arms[i-1].ID {
			out = append(out, arms[i])
		}
	}
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
			for _, step := range c.p.Exprs[out.When] {
				if step.Op == bytecode.ExprReg {
					c.errorf(w.Pos, 6, dsl.CodeDirection, "the condition looks at a number that is not a field of the arm").WithHint("use stored fields of the arm, or closed(GATE)")
					return
				}
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
	e := bytecode.Expr{{Op: bytecode.ExprNum, Arg: int64(a.ID << lo)}}
	if a.Else {
		e = bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(b.rec.wordAt)}}
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
		e = append(e, b.bitExpr(f, n)...)
		e = append(e, bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: int64(lo)}, bytecode.ExprInstr{Op: bytecode.ExprShl}, bytecode.ExprInstr{Op: bytecode.ExprAdd})
		flags = append(flags, flag{f, lo, n, i.Bits})
	}
	c.emit(bytecode.Header, rule, uint32(word), uint32(b.rec.wordAt), c.addExpr(e))
	for _, fl := range flags {
		b.takeBits(fl.f, fl.lo, fl.n, b.rec.wordAt, fl.item.Pos, fl.item.Doc, fl.item.Attrs)
	}
	if rest := uint64(mask(width)) &^ taken; rest != 0 && !ignoreRest {
		x := c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(b.rec.wordAt)}, {Op: bytecode.ExprNum, Arg: int64(rest)}, {Op: bytecode.ExprAnd}, {Op: bytecode.ExprNot}})
		c.emit(bytecode.Check, rule, x, c.text("bits are set that have no meaning here"))
	}
}

// bitExpr is what a writer puts into bits.
func (b *body) bitExpr(f *field, n int) bytecode.Expr {
	x := &exprCompiler{b: b, dir: writing}
	switch {
	case f.derive != nil:
		x.emit(f.derive, 0)
	case f.cell >= 0:
		x.push(bytecode.ExprValue, int64(f.cell), 0)
	default:
		x.push(bytecode.ExprNum, 0, 0)
	}
	x.push(bytecode.ExprFit, int64(n), 0)
	return x.code
}

// takeBits brings bits of a word to where they are needed: a register, a cell.
func (b *body) takeBits(f *field, lo, n, word int, pos dsl.Pos, doc *dsl.Str, attrs []*dsl.Attr) {
	c := b.c
	rule := b.rule(pos, f.name, doc)
	if b.uses[f.name] || f.cell >= 0 || f == b.selects || hasMust(attrs) {
		f.reg = b.newReg()
		x := bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(word)}}
		if lo > 0 {
			x = append(x, bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: int64(lo)}, bytecode.ExprInstr{Op: bytecode.ExprShr})
		}
		x = append(x, bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: mask(n)}, bytecode.ExprInstr{Op: bytecode.ExprAnd})
		c.emit(bytecode.Let, rule, uint32(f.reg), c.addExpr(x))
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
			b.c.emit(bytecode.Check, rule, b.expr(a.Must, both), b.c.text(text))
			f.checked = true
		}
	}
}
