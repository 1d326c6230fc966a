// Printing: each production of the grammar.

package dsl

import (
	"sort"
	"strconv"
)

func (p *printer) decl(d *Decl) {
	for _, doc := range d.Doc {
		p.start(docLine, 0)
		p.word(doc)
	}
	p.start(plainLine, 0)
	switch {
	case d.Schema != nil:
		p.word("schema")
		p.str(d.Schema.Name)
		p.keyed("extends", d.Schema.Extends)
		props := d.Schema.Props
		p.block(len(props), func(i, indent int) { p.prop(props[i], indent) })
	case d.Change != nil:
		p.change(d.Change)
	case d.Erratum != nil:
		p.erratum(d.Erratum)
	case d.Encoding != nil:
		p.encoding(d.Encoding)
	case d.Const != nil:
		p.word("const")
		p.name(d.Const.Name)
		p.word("=")
		p.expr(d.Const.Value)
	case d.Type != nil:
		p.typ(d.Type)
	case d.Union != nil:
		p.union(d.Union)
	case d.Arm != nil:
		p.arm(d.Arm)
	}
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
	case x.Order != "":
		key("order")
		p.word(x.Order)
	case x.Root != nil:
		key("root")
		p.name(x.Root)
	case x.Depth != nil:
		key("depth")
		p.expr(x.Depth)
	case x.Gate != nil:
		key("gate")
		p.name(x.Gate.Name)
		p.str(x.Gate.Doc)
	case x.Axis != nil:
		key("axis")
		p.name(x.Axis.Name)
		p.block(len(x.Axis.Choices), func(i, indent int) { p.choice(x.Axis.Choices[i], indent) })
	case len(x.Equal) > 0:
		key("equal")
		p.names(x.Equal)
	case len(x.Differ) > 0:
		key("differ")
		p.names(x.Differ)
	case len(x.Exact) > 0:
		key("exact")
		p.names(x.Exact)
	case len(x.Apart) > 0:
		key("apart")
		p.names(x.Apart)
	case x.Says != nil:
		key("says")
		p.str(x.Says)
	case x.Erratum != nil:
		p.reference(x.Erratum)
	}
}

// reference makes the line of an erratum that is not a key.
func (p *printer) reference(x *ErrRef) {
	p.line.kind = plainLine
	p.word("erratum")
	p.name(x.Name)
	p.said(x)
}

func (p *printer) choice(x *Choice, indent int) {
	p.start(choiceLine, indent)
	p.name(x.Name)
	p.cell()
	p.name(x.Scalar)
	p.cell()
	for _, c := range []struct {
		word string
		e    *Expr
	}{{"offset", x.Offset}, {"length", x.Length}, {"element", x.Elem}} {
		if c.e != nil {
			p.word(c.word)
			p.expr(c.e)
		}
	}
}

func (p *printer) erratum(x *Erratum) {
	p.word("erratum")
	p.name(x.Name)
	p.keyed("in", x.In)
	type part struct {
		word string
		s    *Str
	}
	var parts []part
	for _, q := range []part{{"says", x.Says}, {"engine", x.Engine}, {"here", x.Here}} {
		if q.s != nil {
			parts = append(parts, q)
		}
	}
	sort.SliceStable(parts, func(i, j int) bool { return parts[i].s.Pos.Offset < parts[j].s.Pos.Offset })
	p.block(len(parts), func(i, indent int) {
		p.start(keyLine, indent)
		p.word(parts[i].word)
		p.cell()
		p.str(parts[i].s)
	})
}

func (p *printer) encoding(x *Encoding) {
	p.word("encoding")
	p.name(x.Name)
	p.block(len(x.Rules), func(i, indent int) {
		r := x.Rules[i]
		p.start(keyLine, indent)
		switch {
		case r.UTF8 != "":
			p.word("utf8")
			p.cell()
			p.word(r.UTF8)
		case r.BOM != "":
			p.word("bom")
			p.cell()
			p.word(r.BOM)
		case r.NUL != "":
			p.word("nul")
			p.cell()
			p.word(r.NUL)
		case r.Erratum != nil:
			p.reference(r.Erratum)
		}
	})
}

func (p *printer) typ(x *Type) {
	p.word("type")
	p.name(x.Name)
	p.params(x.Args)
	p.items(x.Items)
}

func (p *printer) union(x *Union) {
	p.word("union")
	p.name(x.Name)
	p.params(x.Args)
	p.word("by")
	p.name(x.By)
	p.items(x.Items)
}

func (p *printer) arm(x *Arm) {
	p.word("arm")
	p.name(x.Union)
	switch {
	case x.ID == nil:
	case x.ID.Num != nil:
		p.word(x.ID.Num.Text)
	case x.ID.Else:
		p.word("else")
	default:
		p.word(x.ID.Code)
	}
	p.name(x.Name)
	p.str(x.Label)
	p.items(x.Items)
}

func (p *printer) change(x *Change) {
	switch {
	case x.Replace != nil:
		r := x.Replace
		p.word("replace")
		switch {
		case r.Encoding != nil:
			p.encoding(r.Encoding)
		case r.Type != nil:
			p.typ(r.Type)
		case r.Union != nil:
			p.union(r.Union)
		case r.Erratum != nil:
			p.erratum(r.Erratum)
		case r.Arm != nil:
			p.arm(r.Arm)
		}
	case x.Extend != nil:
		p.word("extend", "arm")
		p.name(x.Extend.Union)
		for _, n := range x.Extend.Arms {
			p.name(n)
		}
		p.items(x.Extend.Items)
	case x.Remove != nil:
		p.word("remove", x.Remove.Kind)
		for _, n := range x.Remove.Names {
			p.name(n)
		}
	case x.Renumber != nil:
		p.word("renumber")
		p.name(x.Renumber.Union)
		p.block(len(x.Renumber.Lines), func(i, indent int) {
			l := x.Renumber.Lines[i]
			p.start(numberLine, indent)
			p.name(l.Name)
			p.cell()
			p.word(l.ID.Text)
		})
	case x.Rename != nil:
		p.word("rename")
		p.name(x.Rename.Union)
		p.block(len(x.Rename.Lines), func(i, indent int) {
			l := x.Rename.Lines[i]
			p.start(renameLine, indent)
			p.name(l.Old)
			p.cell()
			p.name(l.New)
			p.cell()
			p.str(l.Label)
		})
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
		p.word("repeat")
		if r.ToEnd {
			p.word("to", "end")
		} else {
			p.expr(r.Count)
		}
		p.word("as")
		p.name(r.Name)
		if r.Map {
			p.word("map")
		}
		p.str(r.Doc)
		p.items(r.Items)
		p.attrs(r.Attrs)
	case x.Within != nil:
		p.word("within")
		p.expr(x.Within.Size)
		p.items(x.Within.Items)
		p.attrs(x.Within.Attrs)
	case x.If != nil:
		p.word("if")
		p.expr(x.If.Cond)
		p.items(x.If.Then)
		if len(x.If.Else) > 0 || p.peek("else") {
			p.word("else")
			p.items(x.If.Else)
		}
	case x.Let != nil:
		p.word("let")
		p.name(x.Let.Name)
		p.word("=")
		p.expr(x.Let.Value)
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
			p.expr(x.Writes.When)
		}
	case x.Caption != nil:
		p.keyed("caption", x.Caption)
	case x.Says != nil:
		p.keyed("says", x.Says)
	case x.Example != nil:
		p.example(x.Example)
	case x.Erratum != nil:
		p.reference(x.Erratum)
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
	bar := func() { p.token("|") } // printed by line.text
	bar()
	p.add(p.exprText(x.Offset, true))
	bar()
	p.cell()
	p.add(p.exprText(x.Length, true))
	bar()
	p.cell()
	p.add(p.typeText(x.Type))
	bar()
	p.cell()
	p.name(x.Name)
	p.value(x.Value)
	bar()
	p.cell()
	p.str(x.Doc)
	if len(x.Bits) > 0 {
		p.fields(x.Bits)
	}
	p.attrs(x.Attrs)
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
	s := p.token(x.Name.Text)
	if x.ID {
		s += p.token(".") + p.token("id")
	}
	if x.Size != nil {
		s += p.token("[") + p.exprText(x.Size, false) + p.token("]")
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
			if a.Pad.Any {
				p.word("any")
			}
			if a.Pad.OrEnd {
				p.word("or", "end")
			}
		case a.Any:
			p.word("any")
		case a.Write != nil:
			p.word("write")
			p.expr(a.Write)
		case a.Check != nil:
			p.word("check")
			p.expr(a.Check.Cond)
			p.str(a.Check.Message)
		case a.When != nil:
			p.word("if")
			p.expr(a.When.Cond)
		case a.Same != nil:
			p.word("same")
			p.name(a.Same)
		case a.At != nil:
			p.word("at")
			p.name(a.At.Choice)
			p.add(p.exprText(a.At.Offset, true))
		case a.Err != nil:
			p.word("!")
			p.glue(p.token(a.Err.Name.Text))
			p.said(a.Err)
		}
	}
}

func (p *printer) said(x *ErrRef) {
	if x.Absent {
		p.word("absent")
	}
	for i, s := range x.Said {
		if i > 0 {
			p.glue(p.token(","))
		} else {
			p.word("said")
		}
		p.word(s.Cell)
		p.str(s.Text)
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
	if x.Selects != nil {
		p.word("selects")
		p.name(x.Selects)
	}
	p.value(x.Value)
	p.cell()
	p.str(x.Doc)
	p.attrs(x.Attrs)
}

func (p *printer) example(x *Example) {
	p.keyed("example", x.Bytes)
	if len(x.Open) > 0 {
		p.word("with")
		p.names(x.Open)
	}
	if x.Value != nil {
		p.word("is")
		p.add(p.literal(x.Value))
	}
	if x.Refuse != nil {
		p.word("refused")
		p.name(x.Refuse)
		if x.At != nil {
			p.word("at", x.At.Text)
		}
	}
	p.keyed("again", x.Again)
}

func (p *printer) literal(x *Literal) string {
	switch {
	case x.Name != nil:
		s := p.token(x.Name.Text)
		if len(x.Args) > 0 || p.peek("(") {
			s += p.token("(") + p.literals(x.Args) + p.token(")")
		}
		return s
	case x.Num != nil:
		s := ""
		if x.Neg {
			s = p.token("-")
		}
		return s + p.token(x.Num.Text)
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
	return ""
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
