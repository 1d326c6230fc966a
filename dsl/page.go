// Pages: the syntax of files with what documents say beside a schema.

package dsl

import (
	"sort"
	"strings"
)

// PageDecl is one declaration of a page. Exactly one of the fields after Doc is set.
type PageDecl struct {
	Pos     Pos
	Doc     []string `parser:"@Doc*"`
	Page    *Page    `parser:"( @@"`
	Erratum *Erratum `parser:"| @@"`
	Drop    []*Name  `parser:"| 'drop' @@+"`
	Note    *Note    `parser:"| @@ )"`
	EndPos  Pos
}

// Page names the schema that the page is beside, and the page that it extends.
type Page struct {
	Pos     Pos
	Name    *Str      `parser:"'page' @@"`
	Extends *Str      `parser:"( 'extends' @@ )?"`
	Remarks []*Remark `parser:"'{' @@* '}'"`
}

// Erratum is a mistake of a document.
type Erratum struct {
	Pos    Pos
	Name   *Name `parser:"'erratum' @@"`
	In     *Str  `parser:"( 'in' @@ )?"`
	Says   *Str  `parser:"'{' ( 'says' @@"`
	Engine *Str  `parser:"  | 'engine' @@"`
	Here   *Str  `parser:"  | 'here' @@ )* '}'"`
}

// Note has remarks about parts of the schema.
type Note struct {
	Pos     Pos
	Paths   []*PartPath `parser:"@@+"`
	Remarks []*Remark   `parser:"'{' @@* '}'"`
}

// PartPath names a part of a schema. The number is that of a form of a row.
type PartPath struct {
	Pos  Pos
	Path *Path `parser:"@@"`
	Form *Num  `parser:"( '.' @@ )?"`
}

// Remark is one line of a page or of a note. Exactly one field is set.
type Remark struct {
	Pos     Pos
	Caption *Str      `parser:"( 'caption' @@"`
	Says    *Str      `parser:"| 'says' @@"`
	Row     *Row      `parser:"| 'row' @@"`
	Mark    *PageMark `parser:"| '!' @@ )"`
	EndPos  Pos
}

// PageMark names an erratum. The document may lack the part, or says something else in
// its cells.
type PageMark struct {
	Pos    Pos
	Name   *Name   `parser:"@@"`
	Absent bool    `parser:"( @'absent'"`
	Said   []*Said `parser:"| @@+ )?"`
}

// Said is the text of one cell of a document.
type Said struct {
	Pos  Pos
	Cell string `parser:"@( 'offset' | 'length' | 'type' | 'name' | 'description' | 'label' )"`
	Text *Str   `parser:"@@"`
}

// pageNotation returns the grammar of pages.
var pageNotation = lazyNotation[PageDecl](true, []string{"page", "erratum", "drop"}, map[string]string{
	"page":    `page "name" extends "other" { … }`,
	"erratum": `erratum NAME in "document" { says "…" engine "…" here "…" }`,
	"drop":    `drop NAME …`,
	"caption": `caption "the sentence before a table"`,
	"says":    `says "a sentence of the document"`,
	"row":     `row | offset | length | type | name | "description"`,
}, nil)

// ParsePage reads a page, as [Parse] reads a schema. The declarations are in Page of the
// file.
func ParsePage(name string, text []byte) (*File, error) { return pageNotation().read(name, text) }

// IsPage reports whether a file is a page by its name, which ends in .page.
func IsPage(name string) bool { return strings.HasSuffix(name, ".page") }

// ParseFile reads a page or a schema, by the name of the file.
func ParseFile(name string, text []byte) (*File, error) {
	if IsPage(name) {
		return ParsePage(name, text)
	}
	return Parse(name, text)
}

// PageGrammar returns the grammar of pages as EBNF. Rows, types and expressions are those
// of [Grammar].
func PageGrammar() string {
	return "PageFile = PageDecl* .\n" + pageNotation().productions + "\n"
}

func (p *printer) pageDecl(d *PageDecl) {
	for _, doc := range d.Doc {
		p.start(docLine, 0)
		p.word(doc)
	}
	p.start(plainLine, 0)
	switch {
	case d.Page != nil:
		p.word("page")
		p.str(d.Page.Name)
		p.keyed("extends", d.Page.Extends)
		p.remarks(d.Page.Remarks, false)
	case d.Erratum != nil:
		p.erratum(d.Erratum)
	case d.Note != nil:
		for _, x := range d.Note.Paths {
			p.paths([]*Path{x.Path})
			if x.Form != nil {
				p.glue(p.token(".") + p.token(x.Form.Text))
			}
		}
		p.remarks(d.Note.Remarks, true)
	default:
		p.word("drop")
		for _, n := range d.Drop {
			p.name(n)
		}
	}
}

// remarks adds remarks in braces. Marks that follow each other share a line; if all is one
// line, it may be on the line of the braces.
func (p *printer) remarks(list []*Remark, inline bool) {
	var lines [][]*Remark
	for i, r := range list {
		if i > 0 && r.Mark != nil && list[i-1].Mark != nil {
			lines[len(lines)-1] = append(lines[len(lines)-1], r)
		} else {
			lines = append(lines, []*Remark{r})
		}
	}
	if inline && len(lines) == 1 && list[0].Row == nil {
		p.word("{")
		p.remarkLine(lines[0])
		p.word("}")
		return
	}
	p.block(len(lines), func(i, indent int) {
		if lines[i][0].Row != nil {
			p.start(rowLine, indent)
			p.line.lead = p.token("row") + " "
			p.rowCells(lines[i][0].Row)
			return
		}
		p.start(plainLine, indent)
		p.remarkLine(lines[i])
	})
}

func (p *printer) remarkLine(list []*Remark) {
	for _, r := range list {
		switch {
		case r.Caption != nil:
			p.keyed("caption", r.Caption)
		case r.Says != nil:
			p.keyed("says", r.Says)
		case r.Mark != nil:
			p.mark(r.Mark.Name)
			if r.Mark.Absent {
				p.word("absent")
			}
			for _, s := range r.Mark.Said {
				p.word(s.Cell)
				p.str(s.Text)
			}
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
