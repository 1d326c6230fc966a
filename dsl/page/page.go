// The bound page: what other packages know of a page.

package page

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Page holds the statements of documents beside a schema.
type Page struct {
	Schema *schema.Schema
	Says   []string   // sentences about the format
	Marks  []*Mark    // errata about the schema as a whole, without those that the schema marks
	Errata []*Erratum // in the order of declaration

	notes   map[dsl.Pos]*Note // by the place of the part
	dropped map[string]bool   // errata that were declared and dropped
}

// Erratum is a mistake of a document.
type Erratum struct {
	Name   string
	Pos    dsl.Pos
	In     string // the document
	Says   string // the document's statement
	Engine string // the behaviour of engines
	Here   string // the behaviour of the schemas
}

// Note holds the statements of documents about a part of the schema.
type Note struct {
	Before []Before // in front of a row or a list, in order
	Says   []string // sentences: after a row or a list, before the rows of an arm or a type
	Marks  []*Mark  // errata, without those that the schema marks
}

// Before is a caption, which begins a table, or a row that the document has in addition.
// Exactly one field is set.
type Before struct {
	Caption string
	Row     *Row
}

// Row is a row that a document has for bytes that the schema describes with other rows.
type Row struct {
	Pos    dsl.Pos
	Offset string
	Length string
	Type   *schema.Type // a number, a truth, text or a union
	Name   string
	Doc    string
	Marks  []*Mark
}

// Mark is an erratum at a part of the schema.
type Mark struct {
	Name   string
	Pos    dsl.Pos
	Absent bool   // the document may lack the part
	Said   []Said // the document's own cells
}

// Said is the text of one cell of a document.
type Said struct {
	Cell string // offset, length, type, name, description or label
	Text string
}

// Erratum returns the named erratum, or nil.
func (p *Page) Erratum(name string) *Erratum {
	if p != nil {
		for _, e := range p.Errata {
			if e.Name == name {
				return e
			}
		}
	}
	return nil
}

// Note returns the note about the row, bits, list, arm, type or union that is declared at
// a place. A part without a note has an empty one.
func (p *Page) Note(at dsl.Pos) *Note {
	if p != nil {
		if n := p.notes[at]; n != nil {
			return n
		}
	}
	return &Note{}
}

// About returns the marks of errata about the schema as a whole. First are those of the
// schema, then those of the page. Marks of errata that no page declares are left out.
func (p *Page) About() []*Mark {
	if p == nil {
		return nil
	}
	return p.declared(p.Schema.Mentions, p.Marks)
}

// declared returns mentions and marks of errata that the page has.
func (p *Page) declared(mentions []*schema.Mention, marks []*Mark) []*Mark {
	var out []*Mark
	for _, m := range mentions {
		out = append(out, &Mark{Name: m.Name, Pos: m.Pos})
	}
	return slices.DeleteFunc(append(out, marks...), func(m *Mark) bool { return p.Erratum(m.Name) == nil })
}

// EachMark calls f for every mark of an erratum in a body, of the schema and of the page.
// Marks about the body as a whole and at rows of the page have a nil at. The others are at a
// [schema.Row], a [schema.Bit] or a [schema.List]. Marks of errata that no page declares are
// left out.
func (p *Page) EachMark(b *schema.Body, f func(m *Mark, at schema.Node)) {
	if p == nil {
		return
	}
	each := func(mentions []*schema.Mention, marks []*Mark, at schema.Node) {
		for _, m := range p.declared(mentions, marks) {
			f(m, at)
		}
	}
	note := func(pos dsl.Pos, at schema.Node) {
		n := p.Note(pos)
		for _, b := range n.Before {
			if b.Row != nil {
				each(nil, b.Row.Marks, nil)
			}
		}
		each(nil, n.Marks, at)
	}
	each(b.Mentions, p.Note(b.Pos).Marks, nil)
	for i := range b.Nodes {
		var at schema.Node
		schema.Walk(b.Nodes[i:i+1], func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Row:
				at = n
				note(n.Pos, at)
			case *schema.Bit:
				at = n
				note(n.Pos, at)
			case *schema.List:
				note(n.Pos, n)
			case *schema.Mention:
				each([]*schema.Mention{n}, nil, at)
			}
			return true
		})
	}
}

// Undeclared returns the marks of errata in the schema's own file that no page declares, as
// mistakes of the schema.
func (p *Page) Undeclared() dsl.Diagnostics {
	var out dsl.Diagnostics
	check := func(m *schema.Mention, _ schema.Node) {
		if p.Erratum(m.Name) == nil && !p.dropped[m.Name] && m.Pos.Filename == p.Schema.File {
			d := p.Schema.Errorf(m.Pos, len(m.Name), dsl.CodeUnknown, "no page declares the erratum %s", m.Name)
			out = append(out, p.hint(d, m.Name))
		}
	}
	for _, m := range p.Schema.Mentions {
		check(m, nil)
	}
	for _, e := range p.Schema.Encodings {
		for _, m := range e.Mentions {
			check(m, nil)
		}
	}
	for _, b := range p.Schema.Bodies() {
		b.EachMention(check)
	}
	return out
}

// hint gives a mistake about an erratum that is not declared the hint what to do.
func (p *Page) hint(d *dsl.Diagnostic, name string) *dsl.Diagnostic {
	var names []string
	for _, e := range p.Errata {
		names = append(names, e.Name)
	}
	if p.dropped[name] {
		return d.WithHint("the page drops it; take the mark away")
	}
	if near := builtin.Nearest(name, names); near != "" {
		return d.Suggest(name, near)
	}
	return d.WithHint("declare it in a page beside the schema: erratum %s { says \"…\" }", name)
}
