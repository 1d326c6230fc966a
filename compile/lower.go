// Lowering: rows to instructions.

package compile

import (
	"fmt"
	"sort"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// kinds of value, in the numbering of package interp.
const (
	kindBool   = 2
	kindInt    = 3
	kindUint   = 4
	kindFloat  = 5
	kindText   = 6
	kindLanes  = 7
	kindPacked = 8
	kindList   = 9
	kindMap    = 10
)

// unionRoutine returns the routine of a union, which is compiled when its turn comes.
func (c *compiler) unionRoutine(u *schema.Union) uint32 {
	key := "union " + u.Name
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: u.Name, Args: uint32(len(u.Args))})
	c.pending = append(c.pending, func() { c.lowerUnion(i, u) })
	return i
}

// typeRoutine returns the routine of a named record.
func (c *compiler) typeRoutine(t *schema.Type) uint32 {
	key := "type " + t.Name
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: t.Name, Args: uint32(len(t.Args))})
	c.pending = append(c.pending, func() { c.lowerRecord(i, t.Name, t.Name, t.Args, t.Items, t.Pos) })
	return i
}

// lowerRecord makes the code of a routine that is one record.
func (c *compiler) lowerRecord(index uint32, name, typeName string, args []*dsl.Name, items []*dsl.Item, pos dsl.Pos) {
	start := len(c.p.Code)
	typ := uint32(len(c.p.Types))
	c.p.Types = append(c.p.Types, bytecode.Type{Name: typeName})
	b := c.newBody(name, args)
	rule := b.rule(pos, "", nil)
	fields := c.emit(bytecode.Fields, rule, 0, typ)
	b.declareAll(items)
	b.lowerItems(items)
	b.finish(typ, fields, rule)
	c.limits(pos, name, b.rec)
	r := &c.p.Routines[index]
	r.Start, r.End, r.Regs, r.Cells = uint32(start), uint32(len(c.p.Code)), uint32(b.rec.regs), uint32(len(b.rec.cells))
}

func (c *compiler) newBody(name string, args []*dsl.Name) *body {
	b := &body{c: c, name: name, rec: &record{}, uses: map[string]bool{}, patches: map[string]*patch{}, before: len(c.diags)}
	for _, a := range args {
		f := b.declare(a)
		f.reg, f.isArg, f.used = b.newReg(), true, true
	}
	return b
}

// finish ends a record: the type learns its fields, and unused fields are reported.
func (b *body) finish(typ uint32, fields int, rule uint32) {
	c := b.c
	t := &c.p.Types[typ]
	t.Fields = b.rec.cells
	t.Lanes = b.rec.lanes
	alone := b.alone()
	flags := uint32(0)
	for i := range t.Fields {
		t.Fields[i].Alone = alone[i]
		if alone[i] {
			flags = bytecode.DoneAlone
		}
	}
	c.p.Code[fields].A = uint32(len(t.Fields))
	c.emit(bytecode.Done, rule, typ, flags)
	b.derivable()
	for _, d := range c.diags[b.before:] {
		if d.Code == dsl.CodeUnknown || d.Code == dsl.CodeArgs {
			return // a use may be misspelt
		}
	}
	for _, f := range b.fields {
		if f.derive != nil && !f.used && !f.ignored && !f.checked {
			c.errorf(f.pos, len(f.name), dsl.CodeInverse, "a writer computes %s, but a reader neither uses nor checks it", f.name).
				WithHint("add `read any` if what is read is to be ignored, or `must …` to check it")
		}
	}
}

// alone says which fields may stand for their record when no other is present:
// those whose kind tells them from all others.
func (b *body) alone() []bool {
	cells := b.rec.cells
	out := make([]bool, len(cells))
	for i, f := range cells {
		out[i] = f.Kind != 0
		for j, g := range cells {
			if i != j && g.Kind == f.Kind {
				out[i] = false
			}
		}
	}
	return out
}

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

// lanesField is the field that keeps all numbers of a tuple. No name is spelt so.
const lanesField = "all numbers"

// declareAll gives the fields of the items their cells before any code is made,
// since a writer computes words from fields that stand after them.
func (b *body) declareAll(items []*dsl.Item) {
	items = solid(items)
	usedNames(items, b.uses)
	if names, _, ok := b.c.tuple(items); ok && len(names) > 1 {
		f := &field{name: lanesField, pos: items[0].Pos, reg: -1, cell: b.newCell(""), encoding: -1}
		b.rec.cells[f.cell].Kind = kindLanes
		b.rec.lanes = names
		b.fields = append(b.fields, f)
		for _, i := range items {
			if i.Bits != nil {
				b.declareBits(i.Bits)
			}
		}
		b.choices(items)
		return
	}
	b.declareItems(items, "")
	b.choices(items)
}

func (b *body) declareItems(items []*dsl.Item, prev string) {
	for _, i := range solid(items) {
		switch {
		case i.Bits != nil:
			b.declareBits(i.Bits)
		case i.Row != nil:
			if i.Row.Name.Text == prev && whenOf(i.Row.Attrs) != nil {
				continue // the other form of one field
			}
			prev = i.Row.Name.Text
			b.declareRow(i.Row)
		case i.Repeat != nil:
			f := b.declare(i.Repeat.Name)
			f.cell = b.newCell(f.name)
			b.rec.cells[f.cell].Kind = kindList
			if i.Repeat.Map {
				b.rec.cells[f.cell].Kind = kindMap
			} else if _, _, ok := b.c.tuple(i.Repeat.Items); ok {
				b.rec.cells[f.cell].Kind = kindPacked
			}
		case i.Within != nil:
			b.declareItems(i.Within.Items, "")
		case i.If != nil:
			b.declareItems(i.If.Then, "")
			b.declareItems(i.If.Else, "")
		case i.Let != nil:
			f := b.declare(i.Let.Name)
			f.let = schema.Fold(i.Let.Value)
		}
	}
}

func (b *body) declareBits(i *dsl.Bits) {
	if b.rec.word == nil {
		b.c.errorf(i.Pos, 3, dsl.CodeBits, "bits of a union's word stand in its arms only").
			WithHint("write the bits in braces after the row of the word")
		return
	}
	f := b.declare(i.Name)
	b.derived(f, i.Value, i.Attrs)
	if i.Selects != nil {
		if b.c.axis == nil || i.Selects.Text != b.c.axis.Name.Text {
			d := b.c.errorf(i.Selects.Pos, len(i.Selects.Text), dsl.CodeUnknown, "there is no axis %s", i.Selects.Text).WithHint("declare it in the schema: axis %s { … }", i.Selects.Text)
			if b.c.axis != nil && dsl.Nearest(i.Selects.Text, []string{b.c.axis.Name.Text}) != "" {
				d.WithHint("did you mean %s?", b.c.axis.Name.Text)
			}
		} else if len(b.c.axis.Choices) < 2 {
			b.c.errorf(i.Selects.Pos, len(i.Selects.Text), dsl.CodeArgs, "axis %s has one choice, so there is nothing to select", i.Selects.Text)
		} else {
			b.selects = f
			f.used = true
			on := int64(0)
			if b.c.choice > 0 {
				on = 1
			}
			f.derive = &schema.Node{Op: schema.OpNum, Pos: i.Pos, Num: on, OK: true}
		}
	} else if i.Value == nil {
		f.cell = b.newCell(f.name)
	}
}

// derived notes what a writer computes for a field.
func (b *body) derived(f *field, value *dsl.Expr, attrs []*dsl.Attr) {
	if value != nil {
		f.derive = schema.Fold(value)
	}
	for _, a := range attrs {
		if a.Write != nil {
			f.derive = schema.Fold(a.Write)
		}
		if a.Read == "any" {
			f.ignored = true
		}
	}
}

func whenOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.When != nil {
			return a.When
		}
	}
	return nil
}

func (b *body) declareRow(row *dsl.Row) {
	c := b.c
	named := false
	for _, bf := range row.Bits {
		if bf.Name == nil {
			continue
		}
		named = true
		f := b.declare(bf.Name)
		b.derived(f, bf.Value, bf.Attrs)
		if bf.Value == nil {
			f.cell = b.newCell(f.name)
		}
	}
	f := b.declare(row.Name)
	b.derived(f, row.Value, row.Attrs)
	t := row.Type
	if enc := c.encoding(t.Name.Text); enc >= 0 && t.Size != nil {
		f.encoding = enc
	}
	if u := c.s.Union(t.Name.Text); u != nil {
		if t.ID {
			f.armOf = u
		} else {
			f.union = u
		}
	}
	switch {
	case row.Value != nil || named || len(row.Bits) > 0:
		f.used = f.used || named // its bits are
		return
	}
	f.cell = b.newCell(f.name)
	if f.union != nil {
		b.rec.calls[f.cell] = f.union
	}
	b.rec.cells[f.cell].Kind = c.rowKind(t)
}

// rowKind is the kind of value in a row, or 0 where it varies.
func (c *compiler) rowKind(t *dsl.TypeRef) uint8 {
	name := t.Name.Text
	if t.ID {
		return 0
	}
	if t.Size != nil {
		if c.encoding(name) >= 0 {
			return kindText
		}
		return kindPacked
	}
	if truthWidth(name) != bytecode.NoScalar {
		return kindBool
	}
	if s := c.scalar(name); s != bytecode.NoScalar {
		switch {
		case s.IsFloat():
			return kindFloat
		case s.Signed():
			return kindInt
		}
		return kindUint
	}
	if rec := c.s.Type(name); rec != nil && len(rec.Args) == 0 {
		if row := single(rec.Items); row != nil {
			return c.rowKind(row.Type)
		}
	}
	return 0
}

// single returns the one stored row of a record that is written in place.
func single(items []*dsl.Item) *dsl.Row {
	var found *dsl.Row
	for _, i := range items {
		switch {
		case i.Row != nil && len(i.Row.Bits) > 0:
			return nil
		case i.Row != nil && i.Row.Value != nil:
		case i.Row != nil:
			if found != nil {
				return nil
			}
			found = i.Row
		case i.Erratum != nil, i.Says != nil, i.Caption != nil, i.Check != nil, i.Example != nil:
		default:
			return nil
		}
	}
	return found
}

func truthWidth(name string) bytecode.Scalar {
	switch name {
	case "bool8":
		return bytecode.U8
	case "bool16":
		return bytecode.U16
	case "bool32":
		return bytecode.U32
	}
	return bytecode.NoScalar
}

// scalar returns the scalar of a type name: its own, or the axis' for its choice.
func (c *compiler) scalar(name string) bytecode.Scalar {
	if s, ok := bytecode.ScalarNamed(name); ok {
		return s
	}
	if c.axis != nil && name == c.axis.Name.Text {
		s, _ := bytecode.ScalarNamed(c.axis.Choices[c.choice].Scalar.Text)
		return s
	}
	return bytecode.NoScalar
}

// encoding returns the index of a text encoding, or -1. "utf8" and "bytes" are
// there without being declared.
func (c *compiler) encoding(name string) int {
	if i, ok := c.encodings[name]; ok {
		return int(i)
	}
	e := bytecode.Encoding{Name: name}
	decl := c.s.Encoding(name)
	switch {
	case decl != nil:
		for _, rule := range decl.Rules {
			switch {
			case rule.UTF8 != "":
				e.UTF8 = map[string]bytecode.UTF8{"strict": bytecode.UTF8Strict, "loose": bytecode.UTF8Loose, "unchecked": bytecode.UTF8Unchecked}[rule.UTF8]
			case rule.BOM != "":
				e.DropBOM = rule.BOM == "drop"
			case rule.NUL != "":
				e.NUL = map[string]bytecode.NUL{"keep": bytecode.NULKeep, "stop": bytecode.NULStop, "counted": bytecode.NULCounted}[rule.NUL]
			}
		}
	case name == "utf8":
	default:
		return -1
	}
	c.p.Encodings = append(c.p.Encodings, e)
	c.encodings[name] = uint32(len(c.p.Encodings) - 1)
	return len(c.p.Encodings) - 1
}

// tuple reports whether items are nothing but stored numbers of one form, and
// returns their names and the name of the form.
func (c *compiler) tuple(items []*dsl.Item) (names []string, form string, ok bool) {
	for _, i := range items {
		switch {
		case i.Row != nil:
			r := i.Row
			if r.Value != nil || len(r.Bits) > 0 || r.Type.Size != nil || r.Type.ID || len(r.Type.Args) > 0 {
				return nil, "", false
			}
			for _, a := range r.Attrs {
				if a.Err == nil && a.At == nil {
					return nil, "", false
				}
			}
			name := r.Type.Name.Text
			if c.scalar(name) == bytecode.NoScalar || form != "" && form != name {
				return nil, "", false
			}
			form = name
			names = append(names, r.Name.Text)
		case i.Bits != nil && i.Bits.Selects != nil:
		case i.Erratum != nil, i.Says != nil, i.Caption != nil, i.Example != nil, i.Writes != nil:
		default:
			return nil, "", false
		}
	}
	return names, form, len(names) > 0
}

// unknownType reports a type name that means nothing.
func (c *compiler) unknownType(n *dsl.Name) {
	all := []string{"bool8", "bool16", "bool32", "utf8"}
	for s := bytecode.U8; s.Valid(); s++ {
		all = append(all, s.String())
	}
	for _, t := range c.s.Types {
		all = append(all, t.Name)
	}
	for _, u := range c.s.Unions {
		all = append(all, u.Name)
	}
	for _, e := range c.s.Encodings {
		all = append(all, e.Name.Text)
	}
	if c.axis != nil {
		all = append(all, c.axis.Name.Text)
	}
	d := c.errorf(n.Pos, len(n.Text), dsl.CodeUnknown, "there is no type %s", n.Text)
	if near := c.near(n.Text, func() []string { return all }); near != "" {
		d.WithHint("did you mean %s?", near)
	} else {
		d.WithHint("a type is a scalar such as u32, an encoding with a length in brackets, a type, a union or an axis of the schema")
	}
}

// choices turns the flags that choose between two forms of one row into flags
// that also obey a caller who keeps widths.
func (b *body) choices(items []*dsl.Item) {
	for k := 0; k+1 < len(items); k++ {
		first, second := items[k].Row, items[k+1].Row
		if first == nil || second == nil || first.Name.Text != second.Name.Text {
			continue
		}
		w1, w2 := whenOf(first.Attrs), whenOf(second.Attrs)
		if w1 == nil || w2 == nil || !opposite(schema.Fold(w1), schema.Fold(w2)) {
			continue
		}
		n := schema.Fold(w2)
		narrowRow := first
		if n.Op == schema.OpNot {
			n, narrowRow = n.Args[0], second
		}
		if n.Op != schema.OpName {
			continue
		}
		flag, value := b.lookup(n.Name.Text), b.lookup(first.Name.Text)
		s := b.c.scalar(narrowRow.Type.Name.Text)
		if flag == nil || value == nil || value.cell < 0 || flag.derive == nil || s == bytecode.NoScalar {
			continue
		}
		name := &dsl.Name{Pos: first.Pos, Text: value.name}
		flag.derive = &schema.Node{Op: nodeKeep, Pos: first.Pos, Name: name, Num: int64(s), Args: []*schema.Node{flag.derive}}
	}
	if b.selects != nil {
		b.selects.derive = &schema.Node{Op: nodeKeepWide, Pos: b.selects.pos, Args: []*schema.Node{b.selects.derive}}
	}
}

// Operations that the compiler puts around what a schema says.
const (
	nodeKeep     schema.NodeOp = "keep"      // keeping widths: is Name wide, or outside scalar Num? else Args[0]
	nodeKeepWide schema.NodeOp = "keep wide" // keeping widths: is the first number cell wide? else Args[0]
)

func opposite(a, b *schema.Node) bool {
	if a.Op == schema.OpNot {
		a, b = b, a
	}
	return b.Op == schema.OpNot && same(a, b.Args[0])
}

func same(a, b *schema.Node) bool {
	if a.Op != b.Op || a.Num != b.Num || a.Name.String() != b.Name.String() || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if !same(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}

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
			c.emit(bytecode.Check, b.rule(i.Pos, "", nil), b.expr(i.Check.Cond, both), c.text(i.Check.Message.String()))
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
	test := c.emit(bytecode.If, rule, c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(b.selects.reg)}}), 0)
	emit(uint32(wide) | bytecode.FlagWide)
	jump := c.emit(bytecode.Jump, rule, 0)
	c.p.Code[test].B = uint32(len(c.p.Code))
	emit(uint32(narrow))
	c.p.Code[jump].A = uint32(len(c.p.Code))
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
	var ends []int
	total := false // the last two conditions are opposites, so one of them holds
	for k := range n {
		r := items[k].Row
		w := whenOf(r.Attrs)
		if k == n-1 && k > 0 && opposite(schema.Fold(whenOf(items[k-1].Row.Attrs)), schema.Fold(w)) {
			total = true
			b.row(r, c.wider(items[k].Row, items[:n]))
			break
		}
		test := c.emit(bytecode.If, rule, b.expr(w, both), 0)
		b.row(r, c.wider(r, items[:n]))
		ends = append(ends, c.emit(bytecode.Jump, rule, 0))
		c.p.Code[test].B = uint32(len(c.p.Code))
	}
	if !total {
		if f := b.lookup(row.Name.Text); f != nil && f.cell >= 0 {
			c.emit(bytecode.Absent, rule, uint32(f.cell))
		} else {
			c.emit(bytecode.Nop, rule)
		}
	}
	for _, j := range ends {
		c.p.Code[j].A = uint32(len(c.p.Code))
	}
	if len(ends) > 0 && total {
		c.emit(bytecode.Nop, rule)
	}
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
			c.emit(bytecode.ArmRef, rule, uint32(f.cell), uint32(f.reg), c.unionRoutine(union))
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
		list = append(list, c.number(0))
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
	x := &exprCompiler{b: b, dir: writing}
	switch {
	case f.derive != nil:
		x.emit(f.derive, 0)
	case f.armOf != nil:
		x.push(bytecode.ExprArm, int64(f.cell), c.unionRoutine(f.armOf))
	default:
		x.push(bytecode.ExprValue, int64(f.cell), 0)
	}
	c.emit(bytecode.Word, rule, uint32(s), uint32(f.reg), c.addExpr(x.code), bytecode.None)
}

// measuredBy returns the rows whose size an expression takes.
func measuredBy(n *schema.Node) []string {
	if n == nil {
		return nil
	}
	if n.Op == schema.OpCall && n.Name.Text == "size" && len(n.Args) == 1 && n.Args[0].Op == schema.OpName {
		return []string{n.Args[0].Name.Text}
	}
	var out []string
	for _, a := range n.Args {
		out = append(out, measuredBy(a)...)
	}
	return out
}

func (b *body) beforeMeasured(name string, rule uint32) *patch {
	p := b.patches[name]
	if p != nil {
		b.c.emit(bytecode.Mark, rule, p.size)
	}
	return p
}

func (b *body) afterMeasured(p *patch, rule uint32) {
	if p == nil {
		return
	}
	c := b.c
	c.emit(bytecode.Size, rule, p.size, p.size)
	x := &exprCompiler{b: b, dir: writing, sizes: map[string]uint32{}}
	for _, t := range measuredBy(p.word.derive) {
		x.sizes[t] = p.size
	}
	x.emit(p.word.derive, 0)
	word := c.scalar(p.row.Type.Name.Text)
	c.emit(bytecode.Patch, rule, uint32(word), p.at, c.addExpr(x.code), uint32(p.word.reg))
	p.word.derive = &schema.Node{Op: schema.OpNum, OK: true}
	for name, q := range b.patches {
		if q == p {
			delete(b.patches, name)
		}
	}
}

// bits lowers a word that is made of fields.
func (b *body) bits(row *dsl.Row, f *field, s bytecode.Scalar, rule uint32) {
	c := b.c
	width := 8 * s.Width()
	var e bytecode.Expr
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
		e = append(e, b.bitExpr(b.lookup(bf.Name.Text), n)...)
		e = append(e, bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: int64(lo)}, bytecode.ExprInstr{Op: bytecode.ExprShl})
		if taken != m {
			e = append(e, bytecode.ExprInstr{Op: bytecode.ExprAdd})
		}
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
		x := c.addExpr(bytecode.Expr{{Op: bytecode.ExprReg, Arg: int64(f.reg)}, {Op: bytecode.ExprNum, Arg: int64(rest)}, {Op: bytecode.ExprAnd}, {Op: bytecode.ExprNot}})
		c.emit(bytecode.Check, b.rule(restPos, f.name, nil), x, c.text("bits are set that have no meaning"))
	}
	f.used = true
}

// signFold brings an unsigned word into the range of a signed scalar.
func signFold(e bytecode.Expr, s bytecode.Scalar) bytecode.Expr {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return e
	}
	half := int64(1) << (bits - 1)
	return append(e, bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: half}, bytecode.ExprInstr{Op: bytecode.ExprXor},
		bytecode.ExprInstr{Op: bytecode.ExprNum, Arg: half}, bytecode.ExprInstr{Op: bytecode.ExprSub})
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

// branch lowers rows under a condition. A field of one branch is absent in the
// other.
func (b *body) branch(i *dsl.If) {
	c := b.c
	rule := b.rule(i.Pos, "", nil)
	test := c.emit(bytecode.If, rule, b.expr(i.Cond, both), 0)
	then, other := b.cellsOf(i.Then), b.cellsOf(i.Else)
	absent := func(from, except map[int]string) {
		for cell := range len(b.rec.cells) {
			if name, ok := from[cell]; ok {
				if _, here := except[cell]; !here {
					c.emit(bytecode.Absent, b.rule(i.Pos, name, nil), uint32(cell))
				}
			}
		}
	}
	b.lowerItems(i.Then)
	absent(other, then)
	jump := c.emit(bytecode.Jump, rule, 0)
	c.p.Code[test].B = uint32(len(c.p.Code))
	b.lowerItems(i.Else)
	absent(then, other)
	c.emit(bytecode.Nop, rule)
	c.p.Code[jump].A = uint32(len(c.p.Code))
}

// cellsOf returns the cells that items keep values in, with their names.
func (b *body) cellsOf(items []*dsl.Item) map[int]string {
	out := map[int]string{}
	add := func(name string) {
		if f := b.lookup(name); f != nil && f.cell >= 0 {
			out[f.cell] = name
		}
	}
	for _, i := range items {
		switch {
		case i.Row != nil:
			add(i.Row.Name.Text)
			for _, bf := range i.Row.Bits {
				add(bf.Name.String())
			}
		case i.Repeat != nil:
			add(i.Repeat.Name.Text)
		case i.Within != nil:
			for cell, name := range b.cellsOf(i.Within.Items) {
				out[cell] = name
			}
		case i.If != nil:
			for _, branch := range [][]*dsl.Item{i.If.Then, i.If.Else} {
				for cell, name := range b.cellsOf(branch) {
					out[cell] = name
				}
			}
		}
	}
	return out
}

// repeat lowers a list.
func (b *body) repeat(r *dsl.Repeat) {
	c := b.c
	f := b.lookup(r.Name.Text)
	rule := b.rule(r.Pos, r.Name.Text, r.Doc)
	measured := b.beforeMeasured(r.Name.Text, rule)
	if r.Count != nil {
		if _, fixed := schema.ConstExpr(c.s, r.Count); !fixed {
			b.probe(r.Count, f, "count")
		}
	}
	switch {
	case r.Map && r.ToEnd:
		c.errorf(r.Pos, 6, dsl.CodeArgs, "a map needs a count").WithHint("write repeat COUNT as %s map { … }", r.Name.Text)
	case r.Map:
		var pair []*dsl.Row
		for _, i := range r.Items {
			if i.Row != nil {
				pair = append(pair, i.Row)
			}
		}
		if len(pair) != 2 || len(r.Items) != 2 {
			c.errorf(r.Pos, 6, dsl.CodeArgs, "an element of a map is two rows, the key and the value").WithHint("use a list without map for other elements")
			return
		}
		c.emit(bytecode.Map, rule, b.expr(r.Count, both), b.element(pair[:1], r), uint32(f.cell), b.element(pair[1:], r))
	default:
		if names, form, ok := c.tuple(r.Items); ok {
			rowRule := rule
			for _, i := range r.Items {
				if i.Row != nil {
					rowRule = c.rule(r.Pos, b.name+"."+r.Name.Text, i.Row.Doc.String())
					break
				}
			}
			count := uint32(bytecode.None)
			if !r.ToEnd {
				count = b.expr(r.Count, both)
			}
			b.widths(form, rowRule, func(s uint32) {
				c.emit(bytecode.Packed, rowRule, s, uint32(len(names)), count, uint32(f.cell))
			})
			break
		}
		elem := b.elementItems(r)
		if r.ToEnd {
			c.emit(bytecode.Rest, rule, elem, uint32(f.cell))
		} else {
			c.emit(bytecode.List, rule, b.expr(r.Count, both), elem, uint32(f.cell))
		}
	}
	b.pad(r.Attrs, rule)
	b.afterMeasured(measured, rule)
}

// elementItems returns the routine of a list's elements.
func (b *body) elementItems(r *dsl.Repeat) uint32 {
	var rows []*dsl.Row
	plain := true
	for _, i := range r.Items {
		switch {
		case i.Row != nil:
			rows = append(rows, i.Row)
		case i.Erratum != nil || i.Says != nil || i.Caption != nil:
		default:
			plain = false
		}
	}
	if plain && len(rows) == 1 {
		return b.element(rows, r)
	}
	return b.anonymous(r.Name.Text, r.Items, r.Pos)
}

// element returns the routine of one row: the union or record that it is of, or
// a record of its own.
func (b *body) element(rows []*dsl.Row, r *dsl.Repeat) uint32 {
	row := rows[0]
	plain := len(row.Type.Args) == 0 && row.Type.Size == nil && !row.Type.ID && row.Value == nil && len(row.Bits) == 0
	for _, a := range row.Attrs {
		plain = plain && a.Err != nil
	}
	if plain {
		if u := b.c.s.Union(row.Type.Name.Text); u != nil && len(u.Args) == 0 {
			return b.c.unionRoutine(u)
		}
		if t := b.c.s.Type(row.Type.Name.Text); t != nil && len(t.Args) == 0 {
			return b.c.typeRoutine(t)
		}
	}
	return b.anonymous(r.Name.Text+"."+row.Name.Text, []*dsl.Item{{Pos: row.Pos, Row: row}}, row.Pos)
}

func (b *body) anonymous(name string, items []*dsl.Item, pos dsl.Pos) uint32 {
	c := b.c
	full := b.name + "." + name
	key := fmt.Sprintf("element %s at %s:%d:%d", full, pos.Filename, pos.Line, pos.Column)
	if i, ok := c.routines[key]; ok {
		return i
	}
	i := uint32(len(c.p.Routines))
	c.routines[key] = i
	c.p.Routines = append(c.p.Routines, bytecode.Routine{Name: full})
	c.pending = append(c.pending, func() { c.lowerRecord(i, full, "", nil, items, pos) })
	return i
}
