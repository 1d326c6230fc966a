// Writing: syntax tree to text, in the one style of the language.

package dsl

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format prints a file in the one style of the language. It keeps every comment,
// and blank lines inside a body, of several in a row one. Text that Format has
// printed it prints again as it is, and it reads as the same tree.
//
// The style: a declaration begins at the start of a line, with one blank line
// before it; what stands in braces is indented by 4 spaces. Rows that follow each
// other have their cells aligned: to the left, but offsets and lengths that
// differ only in the number they begin with to the right. Operators have a space
// on both sides, but for arithmetic in offsets and lengths, which has none. The
// keys of a schema, the parts of bit fields, and the lines of renumber and rename
// are aligned as well.
//
// A comment on a line of its own stays before what follows it, and one at the end
// of a line stays at the end of what it follows. A comment from within what is
// now one line moves to the line before it.
//
// A file that Parse reported an error for is returned as it is, since what could
// not be read is not in its tree.
func Format(f *File) []byte {
	if f.broken {
		return []byte(f.Source)
	}
	p := &printer{limit: -1}
	p.readSource(f)
	for i, d := range f.Decls {
		p.seek(d, f.Decls[i+1:])
		first := len(p.lines)
		p.decl(d)
		for p.limit >= 0 && p.next < p.limit {
			p.take()
		}
		p.settle(p.lines[first:], i > 0)
	}
	if rest := p.comments[len(p.source)]; len(rest) > 0 {
		p.start(plainLine, 0)
		if trailing := p.isTrailing(len(p.source)); trailing && len(p.lines) > 1 {
			rest = rest[1:] // the last line has it
		}
		for _, c := range rest {
			p.line.notes = append(p.line.notes, note{text: c.Text, blank: c.blank})
		}
		p.settle(p.lines[len(p.lines)-1:], len(p.lines) > 1)
	}
	align(p.lines)
	return render(p.lines)
}

// lineKind says what a line is, and thereby with which lines it is aligned.
type lineKind int

const (
	plainLine lineKind = iota
	docLine
	closeLine  // begins with the brace that closes a block
	rowLine    // offset, length, type, name with value; the rest
	fieldLine  // bits of a row: numbers, name, value; the rest
	bitsLine   // bits of the header: numbers, name, value; the rest
	choiceLine // name, scalar; the rest
	keyLine    // key of a schema, an encoding or an erratum; the rest
	numberLine // name, number
	renameLine // old name, new name; label
)

// line is one line of output.
type line struct {
	kind   lineKind
	indent int
	cells  []string
	begun  bool // has tokens of the source
	opens  bool // ends with the brace that opens a block
	blank  bool // has a blank line before it
	decl   int  // number of the declaration
	notes  []note
	above  []note // after settle: the comments before it
	behind string // after settle: the comment at its end
}

// note is a comment of a line.
type note struct {
	text     string
	blank    bool // has a blank line before it
	inside   bool // from between the tokens of the line
	trailing bool // from the end of a line of the source
}

type sourceComment struct {
	*Comment
	blank bool
}

// printer makes lines of a tree. Since the tree does not hold every token, such
// as the brace that ends a body, the printer follows the tokens of the source
// beside it: each token it prints is the next one there. That tells which
// comments and blank lines stand before and after each token.
type printer struct {
	source   []Pos // of each token
	text     []string
	comments [][]sourceComment // before each token, and after the last
	blanks   []bool            // whether a blank line stands right before the token
	next     int               // the token of the source that is printed next
	limit    int               // where the tokens of this declaration end; -1 without a source

	lines []*line
	line  *line
	decls int
}

func (p *printer) readSource(f *File) {
	comments := f.Comments
	last := 0 // line on which the token or comment before ends
	addComments := func(before int) {
		var list []sourceComment
		for len(comments) > 0 && (before < 0 || comments[0].Pos.Offset < before) {
			c := comments[0]
			list = append(list, sourceComment{c, last > 0 && c.Pos.Line-last > 1})
			last = c.Pos.Line
			comments = comments[1:]
		}
		p.comments = append(p.comments, list)
	}
	for _, t := range scan(f.Name, f.Source) {
		if t.Type == commentToken {
			continue
		}
		addComments(t.Pos.Offset)
		p.blanks = append(p.blanks, last > 0 && t.Pos.Line-last > 1)
		p.source = append(p.source, t.Pos)
		p.text = append(p.text, t.Value)
		last = t.Pos.Line
	}
	addComments(-1)
}

// isTrailing reports whether the first comment before token i stands at the end
// of the line of the token before that.
func (p *printer) isTrailing(i int) bool {
	return i > 0 && len(p.comments[i]) > 0 && p.comments[i][0].Pos.Line == p.source[i-1].Line
}

// seek finds the first and the last token of a declaration in the source.
func (p *printer) seek(d *Decl, after []*Decl) {
	p.decls++
	p.limit = -1
	find := func(d *Decl) int {
		i := sort.Search(len(p.source), func(i int) bool { return p.source[i].Offset >= d.Pos.Offset })
		if i < len(p.source) && p.source[i] == d.Pos {
			return i
		}
		return -1
	}
	begin := find(d)
	if begin < p.next {
		return // not from this source, or moved
	}
	p.next, p.limit = begin, len(p.source)
	for _, a := range after {
		if end := find(a); end > begin {
			p.limit = end
			return
		}
	}
}

func (p *printer) start(kind lineKind, indent int) {
	p.line = &line{kind: kind, indent: indent, cells: []string{""}, decl: p.decls}
	if p.limit >= 0 && p.next < p.limit {
		p.line.blank = p.blanks[p.next]
	}
	p.lines = append(p.lines, p.line)
}

// take moves past one token of the source, with the comments around it.
func (p *printer) take() {
	i := p.next
	p.next++
	list := p.comments[i]
	if p.isTrailing(i) {
		list = list[1:]
	}
	for _, c := range list {
		p.line.notes = append(p.line.notes, note{text: c.Text, blank: c.blank, inside: p.line.begun})
	}
	p.line.begun = true
	if p.isTrailing(i + 1) {
		p.line.notes = append(p.line.notes, note{text: p.comments[i+1][0].Text, inside: true, trailing: true})
	}
}

// token returns a token that is printed next. The source may spell it otherwise,
// or have a few tokens more where they mean nothing.
func (p *printer) token(text string) string {
	if p.limit >= 0 {
		for skip := range 3 {
			if p.next+skip < p.limit && p.text[p.next+skip] == text {
				for range skip {
					p.take()
				}
				break
			}
		}
		if p.next < p.limit {
			p.take()
		}
	}
	return text
}

// peek reports whether the source has a token next, where the tree does not tell.
func (p *printer) peek(text string) bool {
	return p.limit >= 0 && p.next < p.limit && p.text[p.next] == text
}

// glue adds text to the cell.
func (p *printer) glue(s string) { p.line.cells[len(p.line.cells)-1] += s }

// add adds text to the cell, after a space where it has some already.
func (p *printer) add(s string) {
	if c := p.line.cells[len(p.line.cells)-1]; c != "" && s != "" {
		s = " " + s
	}
	p.glue(s)
}

// word adds tokens to the cell.
func (p *printer) word(tokens ...string) {
	for _, t := range tokens {
		p.add(p.token(t))
	}
}

func (p *printer) cell() { p.line.cells = append(p.line.cells, "") }

func (p *printer) str(s *Str) {
	if s != nil {
		p.word(strconv.Quote(s.Text))
	}
}

func (p *printer) name(n *Name) {
	if n != nil {
		p.word(n.Text)
	}
}

// keyed adds a word and what follows it, where there is something.
func (p *printer) keyed(word string, s *Str) {
	if s != nil {
		p.word(word)
		p.str(s)
	}
}

func (p *printer) names(list []*Name) {
	for i, n := range list {
		if i > 0 {
			p.glue(p.token(","))
		}
		p.name(n)
	}
}

// params adds names in parentheses.
func (p *printer) params(list []*Name) {
	if len(list) == 0 {
		return
	}
	s := p.token("(")
	for i, n := range list {
		if i > 0 {
			s += p.token(",") + " "
		}
		s += p.token(n.Text)
	}
	p.glue(s + p.token(")"))
}

// block adds braces around n parts. With none, and no comment, they stand
// together. More may be added after the closing brace.
func (p *printer) block(n int, part func(i, indent int)) {
	indent := p.line.indent
	p.word("{")
	if n == 0 && !(p.limit >= 0 && p.next < p.limit && len(p.comments[p.next]) > 0) {
		p.glue(p.token("}"))
		return
	}
	p.line.opens = true
	for i := range n {
		part(i, indent+1)
	}
	p.start(closeLine, indent)
	p.word("}")
}

func (p *printer) items(items []*Item) {
	p.block(len(items), func(i, indent int) { p.item(items[i], indent) })
}

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

// reference makes the line of an erratum that is no key.
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
	switch {
	case x.Row != nil:
		p.row(x.Row, indent)
		return
	case x.Bits != nil:
		p.bits(x.Bits, indent)
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
	case x.Check != nil:
		p.word("check")
		p.expr(x.Check.Cond)
		p.str(x.Check.Message)
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
			p.word("when")
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
	p.typeRef(x.Type)
	bar()
	p.cell()
	p.name(x.Name)
	p.value(x.Value)
	bar()
	p.cell()
	p.str(x.Doc)
	p.attrs(x.Attrs)
	if len(x.Bits) > 0 {
		p.block(len(x.Bits), func(i, indent int) { p.field(x.Bits[i], indent) })
	}
}

func (p *printer) value(e *Expr) {
	if e != nil {
		p.word("=")
		p.expr(e)
	}
}

func (p *printer) typeRef(x *TypeRef) {
	if x == nil {
		return
	}
	p.name(x.Name)
	if x.ID {
		p.glue(p.token(".") + p.token("id"))
	}
	if x.Size != nil {
		p.glue(p.token("[") + p.exprText(x.Size, false) + p.token("]"))
	}
	if len(x.Args) > 0 {
		p.glue(p.token("(") + p.exprList(x.Args, false) + p.token(")"))
	}
}

func (p *printer) attrs(list []*Attr) {
	for _, a := range list {
		switch {
		case a.Pad != nil:
			p.word("pad", a.Pad.To.Text)
			if a.Pad.Fill != nil {
				p.word("fill", a.Pad.Fill.Text)
			}
			if a.Pad.Exact {
				p.word("exact")
			}
			if a.Pad.OrEnd {
				p.word("or", "end")
			}
		case a.Read != "":
			p.word("read", a.Read)
		case a.Write != nil:
			p.word("write")
			p.expr(a.Write)
		case a.Must != nil:
			p.word("must")
			p.expr(a.Must)
		case a.When != nil:
			p.word("when")
			p.expr(a.When)
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

func (p *printer) field(x *BitField, indent int) {
	p.start(fieldLine, indent)
	if x.Rest != "" {
		p.word("rest")
		p.cell()
		p.word(x.Rest)
		return
	}
	p.numbers(x.Lo, x.Hi)
	p.cell()
	p.name(x.Name)
	p.cell()
	p.value(x.Value)
	p.cell()
	p.str(x.Doc)
	p.attrs(x.Attrs)
}

func (p *printer) bits(x *Bits, indent int) {
	p.start(bitsLine, indent)
	if x.Hi != nil {
		p.word("bits")
	} else {
		p.word("bit")
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

func (p *printer) expr(e *Expr) { p.add(p.exprText(e, false)) }

// exprText prints an expression: tight without spaces around arithmetic.
func (p *printer) exprText(e *Expr, tight bool) string {
	if e == nil {
		return ""
	}
	s := p.and(e.Left, tight)
	for _, r := range e.Right {
		s += " " + p.token("||") + " " + p.and(r, tight)
	}
	return s
}

func (p *printer) exprList(list []*Expr, tight bool) string {
	s := ""
	for i, e := range list {
		if i > 0 {
			s += p.token(",") + " "
		}
		s += p.exprText(e, tight)
	}
	return s
}

func (p *printer) and(e *AndExpr, tight bool) string {
	s := p.cmp(e.Left, tight)
	for _, r := range e.Right {
		s += " " + p.token("&&") + " " + p.cmp(r, tight)
	}
	return s
}

func (p *printer) cmp(e *CmpExpr, tight bool) string {
	s := p.sum(e.Left, tight)
	if e.Op != "" {
		s += " " + p.token(e.Op) + " " + p.sum(e.Right, tight)
	}
	return s
}

func (p *printer) operator(op string, tight bool) string {
	if tight {
		return p.token(op)
	}
	return " " + p.token(op) + " "
}

func (p *printer) sum(e *Sum, tight bool) string {
	s := p.product(e.Left, tight)
	for _, t := range e.Right {
		s += p.operator(t.Op, tight) + p.product(t.X, tight)
	}
	return s
}

func (p *printer) product(e *Product, tight bool) string {
	s := p.unary(e.Left, tight)
	for _, f := range e.Right {
		s += p.operator(f.Op, tight) + p.unary(f.X, tight)
	}
	return s
}

func (p *printer) unary(e *Unary, tight bool) string {
	s := ""
	if e.Op != "" {
		s = p.token(e.Op)
	}
	switch x := e.X; {
	case x.Num != nil:
		s += p.token(x.Num.Text)
	case x.Code != "":
		s += p.token(x.Code)
	case x.Call != nil:
		s += p.token(x.Call.Name.Text)
		if x.Call.IsCall {
			s += p.token("(") + p.exprList(x.Call.Args, tight) + p.token(")")
		}
	case x.Sub != nil:
		s += p.token("(") + p.exprText(x.Sub, tight) + p.token(")")
	}
	return s
}

// settle decides for the lines of one declaration where their comments and blank
// lines go.
func (p *printer) settle(lines []*line, first bool) {
	for i, l := range lines {
		notes := l.notes
		if n := len(notes); n > 0 && notes[n-1].trailing {
			l.behind = notes[n-1].text
			notes = notes[:n-1]
		}
		moved := false
		for _, c := range notes {
			if c.inside {
				c.blank = false
				if !moved {
					c.blank, l.blank = l.blank, false
				}
				moved = true
			}
			l.above = append(l.above, c)
		}
		if l.kind == closeLine {
			l.blank = false
		}
		if i > 0 && lines[i-1].kind == docLine {
			l.blank = false
			for j := range l.above {
				l.above[j].blank = false
			}
		}
		switch {
		case i == 0:
			l.setBlank(first)
		case lines[i-1].opens:
			l.setBlank(false)
		}
	}
}

// setBlank says whether a blank line stands before a line and its comments.
func (l *line) setBlank(blank bool) {
	if len(l.above) > 0 {
		l.above[0].blank = blank
	} else {
		l.blank = blank
	}
}

// hasBlank reports whether a blank line parts a line from the one before it.
func (l *line) hasBlank() bool {
	for _, c := range l.above {
		if c.blank {
			return true
		}
	}
	return l.blank
}

// align pads the cells of lines that belong together.
func align(lines []*line) {
	for i := 0; i < len(lines); {
		l := lines[i]
		group := []*line{l}
		next := i + 1
		switch l.kind {
		case plainLine, docLine, closeLine:
		case keyLine:
			// the keys of a declaration, whatever stands between them
			for ; next < len(lines) && lines[next].decl == l.decl; next++ {
				if lines[next].kind == keyLine {
					group = append(group, lines[next])
				}
			}
			alignGroup(group)
			for ; i < next; i++ {
				if lines[i].kind == choiceLine && lines[i-1].kind != choiceLine {
					end := i + 1
					for end < next && lines[end].kind == choiceLine && !lines[end].hasBlank() {
						end++
					}
					alignGroup(lines[i:end])
				}
			}
			continue
		default:
			for next < len(lines) && lines[next].kind == l.kind && lines[next].indent == l.indent && !lines[next].hasBlank() {
				group = append(group, lines[next])
				next++
			}
			alignGroup(group)
		}
		i = next
	}
}

func alignGroup(group []*line) {
	kind := group[0].kind
	columns := 0
	for _, l := range group {
		columns = max(columns, len(l.cells))
	}
	for c := range columns {
		var cells []string
		width := 0
		for _, l := range group {
			if c < len(l.cells) && (kind == rowLine && c < 4 || kind == numberLine || !l.endsAt(c)) {
				cells = append(cells, l.cells[c])
				width = max(width, utf8.RuneCountInString(l.cells[c]))
			}
		}
		right := kind == rowLine && c < 2 && countUp(cells) || kind == numberLine && c == 1
		for _, l := range group {
			if c >= len(l.cells) || kind != rowLine && kind != numberLine && l.endsAt(c) {
				continue
			}
			space := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(l.cells[c])))
			switch {
			case kind == rowLine && c == 4:
			case right:
				l.cells[c] = space + l.cells[c]
			default:
				l.cells[c] += space
			}
		}
	}
}

// endsAt reports whether nothing stands after a cell.
func (l *line) endsAt(c int) bool {
	for _, s := range l.cells[c+1:] {
		if s != "" {
			return false
		}
	}
	return true
}

// countUp reports whether the cells differ only in the number they begin with.
func countUp(cells []string) bool {
	var rest string
	for i, c := range cells {
		tail := strings.TrimLeft(c, "0123456789")
		if len(tail) == len(c) || i > 0 && tail != rest {
			return false
		}
		rest = tail
	}
	return true
}

const indentation = "    "

func render(lines []*line) []byte {
	var b strings.Builder
	for _, l := range lines {
		indent := strings.Repeat(indentation, l.indent)
		for _, c := range l.above {
			if c.blank {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			if l.kind == closeLine {
				b.WriteString(indentation)
			}
			b.WriteString(c.text + "\n")
		}
		text := l.text()
		if text == "" {
			continue // the end of the file
		}
		if l.blank {
			b.WriteByte('\n')
		}
		b.WriteString(indent + text)
		if l.behind != "" {
			b.WriteString(" " + l.behind)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// text returns the line without its indentation and comments.
func (l *line) text() string {
	if l.kind == rowLine {
		return strings.TrimRight("| "+strings.Join(l.cells[:4], " | ")+" | "+l.cells[4], " ")
	}
	var b strings.Builder
	for i, c := range l.cells {
		if c == "" {
			continue
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if i == 1 && l.kind == fieldLine {
			b.WriteByte(' ')
		}
		b.WriteString(c)
	}
	return strings.TrimRight(b.String(), " ")
}
