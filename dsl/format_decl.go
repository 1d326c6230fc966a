// Printing: each production of the grammar.

package dsl

import "strconv"

func (p *printer) decl(d *Decl) {
	for _, doc := range d.Doc {
		p.start(docLine, 0)
		p.word(doc)
	}
	p.start(plainLine, 0)
	if d.Replace {
		p.word("replace")
	}
	switch {
	case d.Schema != nil:
		p.word("schema")
		p.str(d.Schema.Name)
		p.keyed("extends", d.Schema.Extends)
		p.marks(d.Schema.Marks)
		props := d.Schema.Props
		p.block(len(props), func(i, indent int) { p.prop(props[i], indent) })
	case d.Import != nil:
		p.imports(d.Import)
	case d.Extend != nil:
		p.word("extend")
		p.paths(d.Extend.Paths)
		p.marks(d.Extend.Marks)
		if len(d.Extend.Items) > 0 || p.peek("{") {
			p.items(d.Extend.Items)
		}
	case d.Drop != nil:
		p.word("drop")
		p.paths(d.Drop)
	case d.Change != nil:
		p.change(d.Change)
	case d.Encoding != nil:
		p.encoding(d.Encoding)
	case d.Type != nil:
		p.typ(d.Type)
	case d.Union != nil:
		p.union(d.Union)
	case d.Arm != nil:
		p.arm(d.Arm)
	}
}

func (p *printer) imports(x *Import) {
	p.word("import")
	p.str(x.Schema)
	p.word("as")
	p.name(x.Name)
	if len(x.Settings) == 0 {
		return
	}
	p.word("{")
	for i, s := range x.Settings {
		if i > 0 {
			p.glue(p.token(","))
		}
		p.name(s.Name)
		p.name(s.Choice)
	}
	p.word("}")
}

func (p *printer) prop(x *Prop, indent int) {
	p.start(keyLine, indent)
	key := func(word string) {
		p.word(word)
		p.cell()
	}
	switch {
	case x.Title != nil:
		key("title")
		p.str(x.Title)
	case x.Source != nil:
		key("source")
		p.str(x.Source)
	case x.Role != "":
		key("role")
		p.word(x.Role)
	case x.Order != "":
		key("order")
		p.word(x.Order)
	case x.Root != nil:
		key("root")
		p.name(x.Root)
	case x.Depth != nil:
		key("depth")
		p.word(x.Depth.Text)
	case x.Gate != nil:
		key("gate")
		p.name(x.Gate.Name)
		p.str(x.Gate.Doc)
	case x.Option != nil:
		key("option")
		p.name(x.Option.Name)
		p.block(len(x.Option.Choices), func(i, indent int) { p.choice(x.Option.Choices[i], indent) })
	case x.Keys != nil:
		key("keys")
		p.block(len(x.Keys.Rules), func(i, indent int) {
			p.start(keyLine, indent)
			p.name(x.Keys.Rules[i].Rule)
			p.cell()
			p.names(x.Keys.Rules[i].Arms)
		})
	}
}

// marks adds the errata of a declaration.
func (p *printer) marks(list []*Name) {
	for _, m := range list {
		p.mark(m)
	}
}

func (p *printer) mark(erratum *Name) {
	p.word("!")
	p.glue(p.token(erratum.Text))
}

func (p *printer) choice(x *Choice, indent int) {
	p.start(choiceLine, indent)
	p.name(x.Name)
	p.cell()
	p.name(x.Scalar)
	if p.peek(",") {
		p.glue(p.token(","))
	}
}

func (p *printer) encoding(x *Encoding) {
	p.word("encoding")
	p.name(x.Name)
	p.marks(x.Marks)
	rules := x.Rules()
	p.block(len(rules), func(i, indent int) {
		p.start(keyLine, indent)
		p.name(rules[i].Name)
		if rules[i].Word != nil {
			p.cell()
			p.name(rules[i].Word)
		}
	})
}

func (p *printer) typ(x *Type) {
	p.word("type")
	p.name(x.Name)
	p.params(x.Args)
	p.marks(x.Marks)
	p.items(x.Items)
}

func (p *printer) union(x *Union) {
	p.word("union")
	p.name(x.Name)
	p.params(x.Args)
	p.word("by")
	p.name(x.By)
	p.marks(x.Marks)
	p.items(x.Items)
}

func (p *printer) arm(x *Arm) {
	p.word("arm")
	p.name(x.Union)
	p.ids(x.IDs)
	p.name(x.Name)
	p.str(x.Label)
	p.marks(x.Marks)
	p.items(x.Items)
}

// branches prints rows under a condition, and the others.
func (p *printer) branches(x *If) {
	p.word("if")
	p.expr(x.Cond)
	p.items(x.Then)
	switch {
	case len(x.Else) == 1 && x.Else[0].If != nil:
		p.word("else")
		p.branches(x.Else[0].If)
	case len(x.Else) > 0 || p.peek("else"):
		p.word("else")
		p.items(x.Else)
	}
}

// ids adds the numbers of an arm.
func (p *printer) order(x *Order) {
	p.word("order")
	if x.By == nil {
		p.word(x.Fixed)
		return
	}
	p.word("by")
	p.name(x.By)
	p.word("{")
	for _, c := range x.Cases {
		p.ids([]*ID{c.ID})
		p.word(c.Order)
		if p.peek(",") {
			p.glue(p.token(","))
		}
	}
	p.word("}")
}

func (p *printer) ids(list []*ID) {
	for i, id := range list {
		if i > 0 {
			p.glue(p.token(","))
		}
		switch {
		case id.Num != nil:
			p.numbers(id.Num, id.High)
		case id.Else:
			p.word("else")
		default:
			p.word(id.Code)
		}
	}
}

func (p *printer) change(x *Change) {
	p.word("change")
	p.name(x.Union)
	p.block(len(x.Arms), func(i, indent int) {
		a := x.Arms[i]
		p.start(changeLine, indent)
		p.name(a.Old)
		p.cell()
		p.name(a.New)
		p.cell()
		if a.ID != nil {
			p.word(a.ID.Text)
		}
		p.cell()
		p.str(a.Label)
	})
}

func (p *printer) paths(list []*Path) {
	for _, path := range list {
		for i, n := range path.Names {
			if i == 0 {
				p.name(n)
			} else {
				p.glue(p.token(".") + p.token(n.Text))
			}
		}
	}
}

func (p *printer) item(x *Item, indent int) {
	if x.Row != nil {
		p.row(x.Row, indent)
		return
	}
	p.start(plainLine, indent)
	switch {
	case x.Repeat != nil:
		r := x.Repeat
		if r.Map {
			p.word("map")
		} else {
			p.word("repeat")
		}
		switch e := r.Extent; {
		case e.End:
			p.word("until", "end")
		case e.Until != nil:
			p.word("until")
			p.str(e.Until)
		case e.Cond != nil:
			p.word("until")
			p.expr(e.Cond)
		default:
			p.expr(e.Count)
		}
		p.word("as")
		p.name(r.Name)
		p.str(r.Doc)
		p.items(r.Items)
		p.attrs(r.Attrs)
	case x.If != nil:
		p.branches(x.If)
	case x.Order != nil:
		p.order(x.Order)
	case x.Refuse != nil:
		p.keyed("refuse", x.Refuse)
	case x.Require != nil:
		p.word("requires")
		p.name(x.Require)
	case x.Writes != nil:
		p.word("writes")
		if x.Writes.Absent {
			p.word("absent")
		} else {
			p.name(x.Writes.Arm)
			p.str(x.Writes.Text)
		}
		if x.Writes.When != nil {
			p.word("if")
			p.expr(x.Writes.When.Cond)
		}
	case x.Example != nil:
		p.example(x.Example)
	case x.Word != nil:
		p.name(x.Word.Name)
		if len(x.Word.Bits) == 1 {
			p.word("{")
			p.bits(x.Word.Bits[0])
			p.word("}")
			return
		}
		p.fields(x.Word.Bits)
	}
}

func (p *printer) row(x *Row, indent int) {
	p.start(rowLine, indent)
	p.rowCells(x)
}

func (p *printer) rowCells(x *Row) {
	bar := func() { p.token("|") } // printed by line.text
	bar()
	p.add(p.place(x))
	bar()
	p.cell()
	p.add(p.exprText(x.Length, true))
	for _, other := range x.Others {
		p.word("or")
		p.add(p.exprText(other, true))
	}
	bar()
	p.cell()
	if x.By != nil {
		p.forms(x.By)
	} else {
		p.add(p.typeText(x.Type))
	}
	bar()
	p.cell()
	p.name(x.Name)
	p.value(x.Computed())
	bar()
	p.cell()
	p.str(x.Doc)
	if len(x.Bits) > 0 {
		p.fields(x.Bits)
	}
	p.attrs(x.Attrs)
}

// Place prints the offset cell of a row.
func (x *Row) Place() string { return (&printer{limit: -1}).place(x) }

func (p *printer) place(x *Row) string {
	if x.At == nil {
		return p.exprText(x.Offset, true)
	}
	s := p.token("@")
	if x.At.Value != nil {
		s += p.exprText(x.At.Value, true)
	}
	if x.At.Base != nil {
		s += " " + p.token("from")
		for i, n := range x.At.Base.Names {
			if i == 0 {
				s += " "
			} else {
				s += p.token(".")
			}
			s += p.token(n.Text)
		}
	}
	return s
}

// forms adds the forms of a row.
func (p *printer) forms(x *By) {
	p.word("by")
	p.expr(x.Selector)
	p.word("{")
	for i, form := range x.Forms {
		if i > 0 {
			p.glue(p.token(","))
		}
		p.ids(form.IDs)
		if form.Value != nil {
			p.value(form.Value)
		} else {
			p.add(p.typeText(form.Type))
		}
		p.str(form.Doc)
	}
	p.word("}")
}

func (p *printer) value(e *Expr) {
	if e != nil {
		p.word("=")
		p.expr(e)
	}
}

// String prints a type in the one style of the language.
func (x *TypeRef) String() string { return (&printer{limit: -1}).typeText(x) }

func (p *printer) typeText(x *TypeRef) string {
	if x == nil {
		return ""
	}
	s := ""
	if x.Import != nil {
		s = p.token(x.Import.Text) + p.token(".")
	}
	s += p.token(x.Name.Text)
	if x.ID {
		s += p.token(".") + p.token("id")
	}
	switch e := x.Extent; {
	case e == nil:
	case e.End:
		s += p.token("[") + p.token("until") + " " + p.token("end") + p.token("]")
	case e.Until != nil:
		s += p.token("[") + p.token("until") + " " + p.token(strconv.Quote(e.Until.Text)) + p.token("]")
	case e.Cond != nil:
		s += p.token("[") + p.token("until") + " " + p.exprText(e.Cond, false) + p.token("]")
	default:
		s += p.token("[") + p.exprText(e.Count, false) + p.token("]")
	}
	if len(x.Args) > 0 {
		s += p.token("(") + p.exprList(x.Args, false) + p.token(")")
	}
	return s
}

func (p *printer) attrs(list []*Attr) {
	for _, a := range list {
		switch {
		case a.Pad != nil:
			p.word("pad", a.Pad.To.Text)
			if a.Pad.With != nil {
				p.keyed("with", a.Pad.With)
			}
			if a.Pad.Any {
				p.word("any")
			}
			if a.Pad.OrEnd {
				p.word("or", "end")
			}
		case a.Any:
			p.word("any")
		case a.Fill != nil:
			p.keyed("fill", a.Fill)
		case a.View:
			p.word("view")
		case a.Side != "":
			p.word(a.Side)
		case a.Check != nil:
			p.word("check")
			p.expr(a.Check.Cond)
			p.str(a.Check.Message)
		case a.When != nil:
			p.word("if")
			p.expr(a.When.Cond)
		case a.Err != nil:
			p.mark(a.Err)
		}
	}
}

// numbers adds the bits that a field takes.
func (p *printer) numbers(lo, hi *Num) {
	if lo != nil {
		p.word(lo.Text)
	}
	if hi != nil {
		p.glue(p.token("..") + p.token(hi.Text))
	}
}

// fields adds bits in braces, on a line each.
func (p *printer) fields(list []*BitField) {
	p.block(len(list), func(i, indent int) {
		p.start(fieldLine, indent)
		p.bits(list[i])
	})
}

func (p *printer) bits(x *BitField) {
	if x.Rest {
		p.word("rest")
		p.cell()
		p.word("any")
		return
	}
	p.numbers(x.Lo, x.Hi)
	p.cell()
	p.name(x.Name)
	p.cell()
	if x.Signed {
		p.word("signed")
	}
	if x.Selects != nil {
		p.word("selects")
		p.add(p.typeText(x.Selects))
	}
	p.value(x.Value)
	p.cell()
	p.str(x.Doc)
	p.attrs(x.Attrs)
}

func (p *printer) example(x *Example) {
	p.word("example")
	p.name(x.Name)
	p.str(x.Bytes)
	if len(x.Open) > 0 {
		p.word("with")
		p.names(x.Open)
	}
	if x.Value != nil {
		p.word("is")
		p.add(p.literal(x.Value))
		p.keyed("again", x.Again)
	}
	if x.Refuse != nil {
		p.word("refused")
		p.name(x.Refuse)
	}
}

func (p *printer) literal(x *Literal) string {
	switch {
	case x.Name != nil, x.Num != nil:
		s := ""
		if x.Neg {
			s = p.token("-")
		}
		if x.Num != nil {
			return s + p.token(x.Num.Text)
		}
		s += p.token(x.Name.Text)
		if len(x.Args) > 0 || p.peek("(") {
			s += p.token("(") + p.literals(x.Args) + p.token(")")
		}
		return s
	case x.Text != nil:
		return p.token(strconv.Quote(x.Text.Text))
	case x.IsList:
		return p.token("[") + p.literals(x.Elems) + p.token("]")
	case x.IsMap:
		s := p.token("{")
		for i, q := range x.Pairs {
			if i > 0 {
				s += p.token(",") + " "
			}
			s += p.literal(q.Key) + p.token(":") + " " + p.literal(q.Value)
		}
		return s + p.token("}")
	}
	return "" // unreachable: a literal of the parser has one of these forms
}

func (p *printer) literals(list []*Literal) string {
	s := ""
	for i, x := range list {
		if i > 0 {
			s += p.token(",") + " "
		}
		s += p.literal(x)
	}
	return s
}
