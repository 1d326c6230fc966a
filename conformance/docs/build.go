// Building a page of a schema.

package docs

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/diff"
	"github.com/octable/octable/conformance/picture"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// Options say what a page holds.
type Options struct {
	// Plain leaves out all but the page itself: the packets beside their meaning,
	// the errata, and what changed.
	Plain bool
	// Page has the statements of documents beside the schema, or is nil.
	Page *page.Page
	// Base is the schema that this one is compared with, or nil for none.
	Base *schema.Schema
	// Framing describes the bytes around values, or is nil.
	Framing *schema.Schema
}

// builder makes one page.
type builder struct {
	s       *schema.Schema
	p       *bytecode.Program
	opt     Options
	notes   *notes
	page    *Page
	anchors map[string]string // of types, by their names
	inline  map[string]bool   // records whose rows are shown in the tables that use them
	letters bool              // numbers are codes of letters
	dumps   *dumper
	orders  orders
	report  *diff.Report
}

// Build makes the page of a schema.
func Build(s *schema.Schema, opt Options) (*Page, error) {
	p, err := compile.Schema(s)
	if err != nil {
		return nil, err
	}
	b := &builder{s: s, p: p, opt: opt, notes: notesOf(s), anchors: map[string]string{}, inline: map[string]bool{}}
	b.page = &Page{ID: s.ID, Title: b.notes.title, Label: b.notes.label}
	if b.page.Title == "" {
		b.page.Title = s.Title
	}
	if b.page.Title == "" {
		b.page.Title = s.ID
	}
	if b.page.Label == "" {
		b.page.Label = "format_" + anchor(s.ID)
	}
	if b.dumps, err = newDumper(b); err != nil {
		return nil, err
	}
	if opt.Base != nil && !opt.Plain {
		if b.report, err = diff.Schemas(opt.Base.ID, opt.Base, s.ID, s); err != nil {
			return nil, err
		}
	}
	if isDocument(s) {
		b.page.Title = capital(b.page.Title)
		about := opt.Page
		if about == nil {
			about = &page.Page{Schema: s}
		}
		want, err := audit.FromPage(about)
		if err != nil {
			return nil, err
		}
		b.page.bare = opt.Plain
		b.document(want)
	} else {
		b.schema()
	}
	if !opt.Plain {
		b.errata()
		b.changes()
	}
	return b.page, nil
}

// isDocument reports whether the page is the document again that a schema follows. It has a section for each arm of the
// root.
func isDocument(s *schema.Schema) bool {
	return s.Role == builtin.DocumentRole && s.Root.Form == schema.OfUnion
}

// anchor makes a text one that can be part of an address and of a label.
func anchor(s string) string {
	out := []byte{}
	for _, c := range []byte(strings.ToLower(s)) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			out = append(out, c)
		} else if len(out) > 0 && out[len(out)-1] != '_' {
			out = append(out, '_')
		}
	}
	return strings.Trim(string(out), "_")
}

// section begins a section.
func (b *builder) section(into *[]*Section, title Text, name string) *Section {
	s := &Section{Title: title, Anchor: b.page.Label + "_" + anchor(name), Number: -1}
	*into = append(*into, s)
	return s
}

// note adds the note under a heading, and reports whether there is one.
func (b *builder) note(s *Section, head string) bool {
	text := b.notes.part(head)
	s.add(b.blocks(text)...)
	return strings.TrimSpace(text) != ""
}

// schema makes the sections of a schema that says how engines, or others, do it.
func (b *builder) schema() {
	root := b.s.Root.Union
	b.plan(root)
	intro := b.section(&b.page.Sections, plain("Introduction"), "introduction")
	if !b.note(intro, "intro") {
		if b.docs(intro, b.s.Doc); len(b.s.Doc) == 0 && b.s.Title != "" {
			intro.paragraph(sentence(plain(b.s.Title)))
		}
	}
	if b.s.Source != "" && !b.opt.Plain {
		intro.paragraph(sentence(plain("Source: " + b.s.Source)))
	}
	if len(intro.Blocks) == 0 {
		b.page.Sections = nil // the schema says nothing of itself
	}
	packet := b.section(&b.page.Sections, plain("Packet specification"), "packet")
	b.packet(packet, root)
	if root != nil {
		for _, a := range root.Sorted() {
			b.arm(packet, a)
		}
	} else {
		b.record(packet, b.s.Root.Record)
	}
	b.others(&packet.Sections)
	b.textRules()
	b.precision()
	b.limits()
	b.unconfirmed()
	b.framing()
	if text := b.notes.part("after"); text != "" {
		b.page.Sections = append(b.page.Sections, b.afterSections(text)...)
	}
}

// plan decides which records and unions have a section, and where
// types can be referred to.
func (b *builder) plan(root *schema.Union) {
	for _, r := range b.s.Records {
		b.inline[r.Name] = root != nil
	}
	for _, body := range b.s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			if row, ok := n.(*schema.Row); ok && row.Bound != nil && row.Type.Form == schema.OfRecord {
				b.inline[row.Type.Record.Name] = false // its table is that of a region
			}
			return true
		})
	}
	place := func(name string) { b.anchors[name] = b.page.Label + "_type_" + anchor(name) }
	for _, u := range b.s.Unions {
		if u == root {
			for _, a := range u.Arms {
				place(a.Name)
			}
			continue
		}
		place(u.Name)
	}
	for _, r := range b.s.Records {
		if !b.inline[r.Name] {
			place(r.Name)
		}
	}
}

// paragraphs joins the lines of a comment.
func paragraphs(lines []string) []string {
	var out []string
	fresh := true
	for _, l := range lines {
		l = strings.TrimSpace(strings.TrimPrefix(l, "///"))
		switch {
		case l == "":
			fresh = true
		case fresh:
			out = append(out, l)
			fresh = false
		default:
			out[len(out)-1] += " " + l
		}
	}
	return out
}

func (b *builder) docs(s *Section, lines []string) {
	for _, d := range paragraphs(lines) {
		s.paragraph(sentence(plain(d)))
	}
}

// packet says what every value begins with, and lists the types.
func (b *builder) packet(s *Section, root *schema.Union) {
	order := "little-endian: the lowest byte comes first"
	if b.s.Big {
		order = "big-endian: the highest byte comes first"
	}
	b.note(s, "packet")
	subject := "All numbers are "
	if b.otherOrders() {
		subject = "Numbers of which a table says nothing else are "
	}
	s.paragraph(plain(subject + order + "."))
	if root == nil {
		return
	}
	b.docs(s, root.Doc)
	b.figure(s, picture.Union(b.s, root))
	blocks, _ := b.rows(root.Body)
	s.add(blocks...)
	b.note(s, "header")
	var rows [][]Text
	for _, a := range root.Sorted() {
		label := a.Label
		if label == "" {
			label = a.Name
		}
		if isDocument(b.s) {
			rows = append(rows, []Text{plain(number(a)), plain(label)})
			continue
		}
		rows = append(rows, []Text{plain(number(a)), {{Style: Link, Text: a.Name, Ref: b.anchors[a.Name]}}})
	}
	s.add(Table{Head: []string{"Type", "Value"}, Rows: rows})
	s.paragraph(plain("A table below gives the offset and the length of each part in bytes, from the beginning of the value with its header. " +
		"Letters such as X and N represent lengths and places that depend on the content before them; i is the index of an element, from 0."))
}

// otherOrders reports whether there are numbers in another order than that of the schema.
func (b *builder) otherOrders() bool {
	found := false
	for _, body := range b.s.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Order:
				found = true
			case *schema.Row:
				found = found || n.Type.Swapped
			}
			return !found
		})
	}
	return found
}

// arm makes the section of a type with a number.
func (b *builder) arm(into *Section, a *schema.Arm) *Section {
	title := plain(a.Name)
	if b.notes.classes && !slices.Contains(b.notes.plain, a.Name) {
		title = Text{b.class(a.Name, a.Name)}
	}
	s := &Section{Title: join(plain(number(a)+": "), title), Anchor: b.anchors[a.Name], Number: int(a.ID)}
	into.Sections = append(into.Sections, s)
	b.typeDocs(s, a.Name, a.Doc)
	b.says(s, a.Pos)
	b.figure(s, picture.Arm(b.s, a))
	b.body(s, a.Body)
	b.note(s, "type "+a.Name)
	b.about(s, a.Record)
	return s
}

// typeDocs adds what a type is: the comment on it, unless there is a note that
// says it better.
func (b *builder) typeDocs(s *Section, name string, doc []string) {
	if !b.note(s, "doc "+name) {
		b.docs(s, doc)
	}
}

// says adds the sentences of the page about an arm or a type.
func (b *builder) says(s *Section, at dsl.Pos) {
	for _, text := range b.opt.Page.Note(at).Says {
		s.paragraph(sentence(plain(text)))
	}
}

// body adds the tables of a type.
func (b *builder) body(s *Section, nodes []schema.Node) {
	blocks, double := b.rows(nodes)
	s.add(blocks...)
	if double && b.option() != nil {
		s.paragraph(join(plain("Offsets and lengths are those in single precision; see "), Text{{Style: Link, Text: "double precision", Ref: b.page.Label + "_precision"}}, plain(" for the others.")))
	}
}

// figure adds the byte layout of a type.
func (b *builder) figure(s *Section, p *picture.Picture) {
	if b.opt.Plain || len(p.Parts) == 0 {
		return
	}
	s.add(Figure{template.HTML(p.SVG(picture.Options{Inline: true, ID: s.Anchor}))}) // #nosec: all text in it is escaped
}

// record makes the section of a record.
func (b *builder) record(into *Section, r *schema.Record) {
	s := &Section{Title: plain(r.Name), Anchor: b.anchors[r.Name], Number: -1}
	into.Sections = append(into.Sections, s)
	b.typeDocs(s, r.Name, r.Doc)
	b.says(s, r.Pos)
	b.figure(s, picture.Record(b.s, r))
	b.body(s, r.Body)
	b.note(s, "type "+r.Name)
	b.about(s, r)
}

// others makes the sections of records and unions that are parts of others.
func (b *builder) others(into *[]*Section) {
	for _, u := range b.s.Unions {
		if u == b.s.Root.Union {
			continue
		}
		s := b.section(into, plain(u.Name), u.Name)
		s.Anchor = b.anchors[u.Name]
		b.typeDocs(s, u.Name, u.Doc)
		b.note(s, "type "+u.Name)
		if u.Word != nil {
			b.figure(s, picture.Union(b.s, u))
		}
		if blocks, _ := b.rows(u.Body); len(blocks) > 0 {
			s.add(blocks...)
		}
		var rows [][]Text
		for _, a := range u.Sorted() {
			rows = append(rows, []Text{plain(number(a)), plain(a.Name)})
		}
		if len(u.Params) > 0 {
			s.paragraph(join(plain("The argument "), code(u.By.Name), plain(" selects the form:")))
		}
		s.add(Table{Head: []string{"Number", "Form"}, Rows: rows})
		for _, a := range u.Sorted() {
			sub := &Section{Title: plain(number(a) + ": " + a.Name), Anchor: s.Anchor + "_" + anchor(a.Name), Number: -1}
			s.Sections = append(s.Sections, sub)
			b.typeDocs(sub, u.Name+"."+a.Name, a.Doc)
			b.says(sub, a.Pos)
			b.figure(sub, picture.Arm(b.s, a))
			b.body(sub, a.Body)
			b.note(sub, "type "+u.Name+"."+a.Name)
			b.about(sub, a.Record)
		}
	}
	for _, r := range b.s.Records {
		if !b.inline[r.Name] && r != b.s.Root.Record {
			holder := &Section{}
			b.record(holder, r)
			*into = append(*into, holder.Sections...)
		}
	}
}

// text says how text is written.
func (b *builder) textRules() {
	used := map[string]bool{}
	for i := range b.p.Encodings {
		used[b.p.Encodings[i].Name] = true
	}
	if len(used) == 0 && b.notes.part("text") == "" {
		return
	}
	s := b.section(&b.page.Sections, plain("Text"), "text")
	b.note(s, "text")
	var items []Text
	for i := range b.p.Encodings {
		e := &b.p.Encodings[i]
		words := []string{[builtin.NumCharsets]string{
			"UTF-8 as RFC 3629 has it: what is not well formed is refused",
			"UTF-8 with forms of 1 to 6 bytes: surrogates and most overlong forms pass",
			"any bytes",
			"ASCII: a byte above 7f is refused",
			"ISO 8859-1 (Latin-1): each byte is the character with its number",
			"Mac OS Roman, as the table ROMAN.TXT of Apple has it",
			"UTF-16, the lowest byte of each unit first: half of a surrogate pair is refused",
			"UTF-16, the highest byte of each unit first: half of a surrogate pair is refused"}[e.Charset]}
		if e.DropBOM {
			words = append(words, "a byte order mark at the beginning is left out")
		}
		switch {
		case e.Charset.IsUTF16():
			words = append(words, "lengths are in bytes")
		case !e.Charset.Verbatim():
			words = append(words, "a writer refuses other characters")
		}
		if !e.Charset.IsUTF16() {
			words = append(words, [...]string{
				"a zero byte is a character",
				"a zero byte ends the text, and what follows it is not looked at",
				"a writer puts one zero byte at the end, which the length counts; a reader takes the text with it or without, and stops at the first one"}[e.NUL])
		}
		t := plain(strings.Join(words, "; "))
		if len(b.p.Encodings) > 1 {
			t = join(code(e.Name), plain(", in "+b.usedIn(e.Name)+": "), t)
		}
		items = append(items, sentence(t))
	}
	s.add(List{items})
}

// usedIn lists the types with text of an encoding by their numbers. Those with text outside of
// lists are first, then those with text in lists.
func (b *builder) usedIn(encoding string) string {
	var names []string
	for _, lists := range []bool{false, true} {
		add := func(r *schema.Record) {
			if !slices.Contains(names, r.Name) && b.hasText(r, encoding, lists, map[*schema.Record]bool{}) {
				names = append(names, r.Name)
			}
		}
		for _, u := range b.s.Unions {
			for _, a := range u.Sorted() {
				add(a.Record)
			}
		}
		for _, r := range b.s.Records {
			if !b.inline[r.Name] {
				add(r)
			}
		}
	}
	return strings.Join(names, ", ")
}

// hasText reports whether a record has text of an encoding. The text may be in its rows, in
// those of records without a section, and, if lists is set, in elements of lists.
func (b *builder) hasText(r *schema.Record, encoding string, lists bool, seen map[*schema.Record]bool) bool {
	found := false
	seen[r] = true
	schema.Walk(r.Body, func(n schema.Node) bool {
		switch n := n.(type) {
		case *schema.Row:
			switch t := n.Type; t.Form {
			case schema.Text:
				found = found || t.Encoding.Name == encoding
			case schema.OfRecord:
				found = found || b.inline[t.Record.Name] && !seen[t.Record] && b.hasText(t.Record, encoding, lists, seen)
			}
		case *schema.List:
			return lists
		}
		return !found
	})
	return found
}

// option returns the option of the schema if it has a choice, or nil.
func (b *builder) option() *schema.Option {
	if a := b.s.Option; a != nil && len(a.Choices) > 1 {
		return a
	}
	return nil
}

func (b *builder) precision() {
	option := b.option()
	if option == nil {
		return
	}
	s := b.section(&b.page.Sections, plain("Double precision"), "precision")
	b.note(s, "precision")
	first := option.Choices[0]
	for _, c := range option.Choices[1:] {
		s.paragraph(join(plain("Under "), code(c.Name), plain(fmt.Sprintf(" a Float of these types has %d bytes (%s) instead of %d (%s). Offsets after it change by the difference.",
			c.Scalar.Width(), scalarWords(c.Scalar), first.Scalar.Width(), scalarWords(first.Scalar)))))
	}
	var names []Text
	for _, u := range b.s.Unions {
		for _, a := range u.Sorted() {
			if a.Selector != nil {
				names = append(names, Text{{Style: Link, Text: a.Name, Ref: b.anchors[a.Name]}})
			}
		}
	}
	if names != nil {
		t := plain("The types that have a flag for it: ")
		for i, n := range names {
			if i > 0 {
				t = join(t, plain(", "))
			}
			t = join(t, n)
		}
		s.paragraph(join(t, plain(". Every reader takes both forms.")))
	}
}

// framing describes the bytes around values.
func (b *builder) framing() {
	f := b.opt.Framing
	if f == nil || f.Root == nil || f.Root.Record == nil {
		return
	}
	s := b.section(&b.page.Sections, plain("Values in files and streams"), "framing")
	b.note(s, "framing")
	other := &builder{s: f, opt: b.opt, notes: b.notes, page: b.page, anchors: map[string]string{}, inline: map[string]bool{}}
	blocks, _ := other.rows(f.Root.Record.Body)
	s.add(blocks...)
	if !b.opt.Plain {
		if d := b.dumps.framed(f); d != nil {
			s.add(*d)
		}
	}
}

// afterSections reads notes that are whole sections: a line "= Title" begins
// one.
func (b *builder) afterSections(text string) []*Section {
	var out []*Section
	body := ""
	flush := func() {
		if len(out) > 0 {
			out[len(out)-1].add(b.blocks(body)...)
		}
		body = ""
	}
	for line := range strings.Lines(text) {
		if title, ok := strings.CutPrefix(line, "= "); ok {
			flush()
			title = strings.TrimSpace(title)
			b.section(&out, plain(title), title)
			continue
		}
		body += line
	}
	flush()
	return out
}

// document makes the sections of a schema that follows a document, as the document
// has them, its mistakes included.
func (b *builder) document(want *audit.Expectation) {
	for _, t := range want.Types {
		b.anchors[t.Name] = b.page.Label + "_type_" + anchor(t.Name)
	}
	said := func(list []audit.Said, cell, own string) Text {
		for _, s := range list {
			if s.Cell == cell {
				return plain(s.Text)
			}
		}
		return plain(own)
	}
	intro := b.section(&b.page.Sections, plain("Packet specification"), "packet")
	if len(want.Facts) > 0 {
		intro.paragraph(sentence(plain(strings.Join(want.Facts, " "))))
	}
	var rows [][]Text
	for _, t := range want.Types {
		label := t.Name
		if len(t.Labels) > 0 {
			label = t.Labels[0]
		}
		rows = append(rows, []Text{said(t.Said, "id", fmt.Sprint(t.ID)), said(t.Said, "label", label)})
	}
	intro.add(Table{Head: []string{"Type", "Value"}, Rows: rows})
	for _, x := range want.Sections {
		title := said(x.Said, "title", x.Title)
		s := &Section{Title: join(plain(fmt.Sprintf("%d: ", x.ID)), title), Anchor: b.anchors[x.Title], Number: x.ID}
		intro.Sections = append(intro.Sections, s)
		for _, t := range x.Subtables {
			if t.Caption != "" {
				s.paragraph(plain(t.Caption))
			}
			rows := [][]Text{}
			for _, r := range t.Rows {
				doc := r.Description
				if doc == "" {
					doc = r.Name
				}
				rows = append(rows, []Text{said(r.Said, "offset", r.Offset), said(r.Said, "length", r.Length), said(r.Said, "type", r.Type), said(r.Said, "description", doc)})
			}
			s.add(Table{Head: documentHead, Rows: rows})
			for _, f := range t.Facts {
				s.paragraph(sentence(plain(f)))
			}
		}
		for _, f := range x.Facts {
			s.paragraph(sentence(plain(f)))
		}
		if a := b.s.Root.Union.Arm(x.Title); a != nil {
			b.about(s, a.Record)
		}
	}
}

// about adds what is beside the rows of a type: packets, what changed, errata.
func (b *builder) about(s *Section, r *schema.Record) {
	if b.opt.Plain {
		return
	}
	for _, d := range b.dumps.of(r) {
		s.add(d)
	}
	if c := b.changeOf(r.Name); c != nil {
		t := plain("Since " + b.opt.Base.ID + ": " + c.Summary() + ".")
		s.add(Note{join(t, plain(" See "), Text{{Style: Link, Text: "Changes", Ref: b.page.Label + "_changes"}}, plain("."))})
	}
	if ids := b.errataOf(&schema.Body{Pos: r.Pos, Nodes: r.Body, Mentions: r.Mentions}); len(ids) > 0 {
		t := plain("Errata of documents: ")
		for i, id := range ids {
			if i > 0 {
				t = join(t, plain(", "))
			}
			t = join(t, Text{{Style: Link, Text: id, Ref: b.page.Label + "_" + anchor(id)}})
		}
		s.paragraph(join(t, plain(".")))
	}
}

func (b *builder) changeOf(name string) *diff.Change {
	if b.report == nil {
		return nil
	}
	for i := range b.report.Changes {
		c := &b.report.Changes[i]
		if c.Sort == diff.Arm && c.New != nil && c.New.Name == name {
			return c
		}
	}
	return nil
}

// errataOf lists the errata that a body mentions.
func (b *builder) errataOf(body *schema.Body) []string {
	var ids []string
	b.opt.Page.EachMark(body, func(m *page.Mark, _ schema.Node) {
		if !slices.Contains(ids, m.Name) {
			ids = append(ids, m.Name)
		}
	})
	slices.SortStableFunc(ids, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
	return ids
}
