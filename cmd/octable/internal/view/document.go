// The document of a schema, and the description of a row.

package view

import (
	"context"
	"path"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/compile"
	"github.com/octable/octable/conformance/docs"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// document makes the page of a schema.
func (s *Service) document(_ context.Context, q DocumentParams) (*Document, error) {
	f, err := s.load(q.Schema)
	if err != nil {
		return nil, err
	}
	opt := docs.Options{Page: f.page()}
	if base := f.schema.Base(); q.Changes && base != nil && base.Root != nil {
		opt.Base = base
	}
	p, err := docs.Build(f.schema, opt)
	if err != nil {
		return nil, schemaError(err)
	}
	return &Document{Schema: q.Schema, Title: p.Title, Sections: docSections(append([]*docs.Section{{Blocks: p.About, Anchor: "about"}}, p.Sections...))}, nil
}

// page returns what documents say beside the schema, or nil.
func (f *format) page() *page.Page {
	p, err := page.Load(f.schema, page.Embedded)
	if err != nil {
		return nil // a text has no page
	}
	return p
}

func docSections(list []*docs.Section) []DocSection {
	out := []DocSection{}
	for _, s := range list {
		if len(s.Title)+len(s.Blocks)+len(s.Sections) == 0 {
			continue
		}
		one := DocSection{Title: docText(s.Title), Anchor: s.Anchor, Blocks: []DocBlock{}, Sections: docSections(s.Sections)}
		for _, b := range s.Blocks {
			one.Blocks = append(one.Blocks, docBlock(b))
		}
		out = append(out, one)
	}
	return out
}

func docBlock(b docs.Block) DocBlock {
	out := DocBlock{Text: []DocSpan{}, Items: [][]DocSpan{}, Head: []string{}, Rows: []DocRow{}}
	switch b := b.(type) {
	case docs.Paragraph:
		out.Sort, out.Text = "paragraph", docText(b.Text)
	case docs.Note:
		out.Sort, out.Text = "note", docText(b.Text)
	case docs.List:
		out.Sort = "list"
		for _, i := range b.Items {
			out.Items = append(out.Items, docText(i))
		}
	case docs.Table:
		out.Sort, out.Head = "table", b.Head
		for i, r := range b.Rows {
			row := DocRow{Cells: [][]DocSpan{}}
			for _, c := range r {
				row.Cells = append(row.Cells, docText(c))
			}
			if i < len(b.At) {
				row.Row = placeAt(b.At[i])
			}
			out.Rows = append(out.Rows, row)
		}
	case docs.Listing:
		out.Sort, out.Lines = "listing", b.Text
	case docs.Dump:
		out.Sort, out.Lines, out.About, out.Data = "dump", b.Text, b.About, b.Packet
	}
	return out
}

// placeAt returns a place in a schema.
func placeAt(p dsl.Pos) *Place {
	if p.Line == 0 {
		return nil
	}
	return &Place{path.Base(p.Filename), p.Line}
}

func docText(t docs.Text) []DocSpan {
	out := []DocSpan{}
	for _, s := range t {
		span := DocSpan{Text: s.Text}
		switch s.Style {
		case docs.Code:
			span.Sort = "code"
		case docs.Emph:
			span.Sort = "emph"
		case docs.Link:
			span.Sort, span.Ref = "link", s.Ref
		}
		out = append(out, span)
	}
	return out
}

// row describes a row, with its errata and its versions.
func (s *Service) row(_ context.Context, q RowParams) (*RowInfo, error) {
	f, err := s.load(q.Schema)
	if err != nil {
		return nil, err
	}
	out := &RowInfo{Errata: []Erratum{}, Versions: []RowVersion{}}
	first, part := f.laneAt(q.Row)
	for i := range f.program.Rules {
		if r := &f.program.Rules[i]; r.File == first.File && int(r.Line) == first.Line {
			out.Name, out.Doc = r.Name, r.Doc
			out.Versions = f.versions(r.Name, f.schema.Line(first.File, first.Line)) // of a tuple: those of its first row
			if row := f.lane(&first, part); row != nil && row.Field != nil {
				out.Name, out.Doc = r.Name+"."+row.Field.Name, row.Doc
			}
			break
		}
	}
	if p := f.page(); p != nil {
		seen := map[string]bool{}
		for _, b := range f.schema.Bodies() {
			p.EachMark(&b, func(m *page.Mark, at schema.Node) {
				e := p.Erratum(m.Name)
				if pos, ok := posOf(at); ok && e != nil && !seen[e.Name] && path.Base(pos.Filename) == q.Row.File && pos.Line == q.Row.Line {
					seen[e.Name] = true
					out.Errata = append(out.Errata, Erratum{e.Name, e.In, e.Says, e.Engine, e.Here})
				}
			})
		}
	}
	return out, nil
}

// posOf returns where a part of a schema is declared.
func posOf(n schema.Node) (dsl.Pos, bool) {
	switch n := n.(type) {
	case *schema.Row:
		return n.Pos, true
	case *schema.Bit:
		return n.Pos, true
	case *schema.List:
		return n.Pos, true
	}
	return dsl.Pos{}, false
}

// versions returns the row of a name in the other schemas of the family.
func (f *format) versions(name, text string) []RowVersion {
	family := f.schema.Lineage()[0].ID
	out := []RowVersion{}
	for _, id := range spec.All() {
		if id == f.schema.ID || familyOf(id) != family {
			continue
		}
		other, err := compile.Load(id)
		if err != nil || other.Root == nil {
			continue
		}
		c, err := codec.Load(id)
		if err != nil {
			continue
		}
		v := RowVersion{Schema: id, Title: other.Title}
		rules := raw.Program(c).Rules
		for i := range rules {
			if rules[i].Name == name {
				if v.Text = other.Line(rules[i].File, int(rules[i].Line)); v.Text == text {
					break // a row of this name with the same text
				}
			}
		}
		v.Same = v.Text != "" && strings.Join(strings.Fields(v.Text), " ") == strings.Join(strings.Fields(text), " ")
		out = append(out, v)
	}
	return out
}
