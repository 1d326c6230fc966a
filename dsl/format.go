// Writing: syntax tree to text, in the one style of the language.

package dsl

import (
	"sort"
	"strconv"
)

// Format prints a file in the one style of the language. It keeps every comment,
// and of several blank lines in a row inside a body one. Format is idempotent, and
// its output parses to the same tree.
//
// The style: a declaration begins at the start of a line, with one blank line
// before it; the lines in braces are indented by 4 spaces. Rows that follow each
// other have their cells aligned: to the left, but offsets and lengths that
// differ only in the number they begin with to the right. Operators have a space
// on both sides, but for arithmetic in offsets and lengths, which has none. The
// keys of a schema, the parts of bit fields, and the lines of change are aligned as
// well.
//
// A comment alone on a line stays before what follows it, and one at the end
// of a line stays at the end of what it follows. A comment from within what is
// now one line moves to the line before it.
//
// A file that Parse reported an error for is returned unchanged, since the
// declarations with errors are not in its tree.
func Format(f *File) []byte {
	if f.broken {
		return []byte(f.Source)
	}
	p := &printer{limit: -1}
	p.readSource(f)
	var begins []Pos
	var prints []func()
	for _, d := range f.Decls {
		begins = append(begins, d.Pos)
		prints = append(prints, func() { p.decl(d) })
	}
	for _, d := range f.Page {
		begins = append(begins, d.Pos)
		prints = append(prints, func() { p.pageDecl(d) })
	}
	short := false // the declaration before is a note in one line
	for i, print := range prints {
		p.seek(begins[i], begins[i+1:])
		first := len(p.lines)
		print()
		for p.limit >= 0 && p.next < p.limit {
			p.take() // unreachable: a printer takes all tokens of its declaration
		}
		was := short
		short = f.Page != nil && f.Page[i].Note != nil && len(p.lines) == first+1
		p.settle(p.lines[first:], i > 0 && !(was && short && !p.lines[first].parted()))
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
	fieldLine  // bits of a word: numbers, name, value; the rest
	choiceLine // name, scalar; the rest
	keyLine    // key of a schema, an encoding or an erratum; the rest
	changeLine // old name, new name, number; label
)

// line is one line of output.
type line struct {
	kind   lineKind
	indent int
	lead   string // before the cells of a row
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
// comments and blank lines are before and after each token.
type printer struct {
	source   []Pos // of each token
	text     []string
	comments [][]sourceComment // before each token, and after the last
	blanks   []bool            // whether a blank line is right before the token
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

// isTrailing reports whether the first comment before token i is at the end of
// the line of token i-1.
func (p *printer) isTrailing(i int) bool {
	return i > 0 && len(p.comments[i]) > 0 && p.comments[i][0].Pos.Line == p.source[i-1].Line
}

// seek finds the first and the last token of a declaration in the source.
func (p *printer) seek(begins Pos, after []Pos) {
	p.decls++
	p.limit = -1
	find := func(at Pos) int {
		i := sort.Search(len(p.source), func(i int) bool { return p.source[i].Offset >= at.Offset })
		if i < len(p.source) && p.source[i] == at {
			return i
		}
		return -1
	}
	begin := find(begins)
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

// add adds text to the cell, after a space if it has some already.
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

// keyed adds a word and what follows it, if there is something.
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

// block adds braces around n parts. With no part and no comment, they are
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
