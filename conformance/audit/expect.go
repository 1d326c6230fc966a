package audit

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// FromPage returns what a schema says with its page, in the terms of the document.
//
// The types are the arms of the union that is the schema's root, in the order of
// their numbers; each arm is a section with the name of the arm as its title. Of
// an arm these count, in the order of its rows:
//
//   - A row is a row of a table, with its description as what it means. Rows of
//     one table that have the same offset and description are one row, as where a
//     page describes names and sub-names at once. A row of a named record represents
//     the rows of that record.
//   - A caption of the page begins a table. Rows before the first caption are a table
//     as well. A row of the page is a row of the table that it is in.
//   - A sentence of the page is a fact: of the table it follows, or of the section if
//     it is about the arm or follows a row before the first caption.
//   - A mark of an erratum with cells is expected to be said. At the arm itself, name
//     is the title of the section and label is the type's name in the table of type
//     ids. A mark with absent lets the row, or the title of the section, be missing.
//
// The facts of the introduction are the sentences about the schema as a whole; a mark
// about it that says a label is one more row of the table of type ids, after the last.
//
// Types of the schema's own file that nothing contains are further tables of the arm
// before them in the file, as where a page has two tables and does not say when each holds.
//
// A schema whose root is not a union is compared with the tables of fields alone: one for
// each type and arm of the schema's file, in the order of the file. Titles, captions and prose
// do not count, and a type cell counts if it names an integer, a float or bytes.
//
// Offsets and lengths are those of the first choice of an option. Errata that the page
// drops count nowhere. A list that holds nothing but values of unions has no table:
// pages describe it in prose.
func FromPage(p *page.Page) (*Expectation, error) {
	if p == nil || p.Schema == nil {
		return nil, fmt.Errorf("there is no schema to audit against")
	}
	s := p.Schema
	if s.Root == nil || s.Root.Union == nil {
		return fromTables(p)
	}
	loose := unused(s)
	e := &Expectation{Schema: s.ID, Facts: p.Says}
	next := 0 // the number after the last
	for _, a := range s.Root.Union.Sorted() {
		if a.ID >= math.MaxInt32 {
			return nil, fmt.Errorf("%s: %s of schema %q has the number %s, which no table of type ids has", position(a.Pos), a.Name, s.ID, a.IDText())
		}
		m := sectionMaker{WantSection: WantSection{ID: int(a.ID), Title: a.Name, Pos: position(a.Pos)}, page: p, table: -1}
		t := WantType{ID: int(a.ID), Name: a.Name, Pos: position(a.Pos)}
		if a.Label != "" {
			t.Labels = []string{a.Label}
		}
		about := p.Note(a.Pos)
		for _, x := range about.Marks {
			if p.Erratum(x.Name) == nil {
				continue
			}
			m.Said = append(m.Said, saidAs(x, "name", "title")...)
			t.Said = append(t.Said, saidAs(x, "label", "label")...)
			if x.Absent {
				m.Absent = x.Name
			}
		}
		m.Facts = slices.Clone(about.Says)
		if m.body(a.Body, nil); m.rows > maxRows {
			return nil, tooManyRows(s, a.Name, a.Pos)
		}
		for _, r := range after(a, loose) {
			m.table = -1
			m.body(r.Body, nil)
		}
		e.Types = append(e.Types, t)
		e.Sections = append(e.Sections, m.WantSection)
		next = int(a.ID) + 1
	}
	for _, m := range p.Marks {
		if p.Erratum(m.Name) == nil {
			continue
		}
		for _, said := range saidAs(m, "label", "label") {
			e.Types = append(e.Types, WantType{ID: next, Name: said.Text, Pos: position(m.Pos), Said: []Said{said}})
			next++
		}
	}
	if wrong := e.check(); len(wrong) > 0 {
		return nil, fmt.Errorf("schema %q cannot be audited: %s", s.ID, strings.Join(wrong, "; "))
	}
	return e, nil
}

func tooManyRows(s *schema.Schema, name string, pos dsl.Pos) error {
	return fmt.Errorf("%s: %s of schema %q has more than %d rows, or records that hold themselves", position(pos), name, s.ID, maxRows)
}

// maxRows bounds the rows of a section, with those of records in them.
const maxRows = 2000

// A sectionMaker fills a section from the body of an arm.
type sectionMaker struct {
	WantSection
	page  *page.Page
	table int  // index of the current table, -1 before the first
	rows  int  // so far
	whole bool // a row of a record is one row
}

// body adds the rows of a body, with the captions, rows and facts of the page. The base
// holds the offsets of the rows of records that it is in.
func (m *sectionMaker) body(nodes []schema.Node, base []string) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *schema.Row:
			m.noted(n.Pos, base, func() { m.row(n, base) })
		case *schema.Forms:
			for _, row := range n.Rows {
				m.noted(row.Pos, base, func() { m.row(row, base) })
			}
		case *schema.List:
			m.noted(n.Pos, base, func() {
				if n.Row != nil {
					m.cells(n.Row, base)
				} else if !onlyUnions(n.Element.Body) {
					m.body(n.Element.Body, base)
				}
			})
		case *schema.If:
			m.body(n.Then, base)
			m.body(n.Else, base)
		}
	}
}

// noted adds a row or a list with what the page notes about it.
func (m *sectionMaker) noted(at dsl.Pos, base []string, add func()) {
	note := m.page.Note(at)
	for _, b := range note.Before {
		if r := b.Row; r != nil {
			w := WantRow{Offset: r.Offset, Length: r.Length, Type: class(r.Type), Name: r.Name, Description: r.Doc, Pos: position(r.Pos)}
			m.add(w, base, r.Marks)
			continue
		}
		m.Subtables = append(m.Subtables, WantTable{Caption: b.Caption})
		m.table = len(m.Subtables) - 1
	}
	add()
	facts := &m.Facts
	if m.table >= 0 {
		facts = &m.Subtables[m.table].Facts
	}
	*facts = append(*facts, note.Says...)
}

// onlyUnions reports whether a body is rows of unions and nothing else.
func onlyUnions(nodes []schema.Node) bool {
	rows := 0
	for _, n := range nodes {
		switch n := n.(type) {
		case *schema.Row:
			if n.Type.Form != schema.OfUnion {
				return false
			}
			rows++
		case *schema.Forms:
			for _, row := range n.Rows {
				if row.Type.Form != schema.OfUnion {
					return false
				}
				rows++
			}
		default:
			return false
		}
	}
	return rows > 0
}

// cells is the notation of offsets and lengths in documents.
var cells = schema.Notation{Tight: true}

func (m *sectionMaker) row(r *schema.Row, base []string) {
	if r.Type.Form == schema.OfRecord && !m.whole {
		if m.rows++; m.rows <= maxRows {
			m.body(r.Type.Record.Body, append(slices.Clip(base), cells.Place(r)))
		}
		return
	}
	m.cells(r, base)
}

// cells adds the row itself.
func (m *sectionMaker) cells(r *schema.Row, base []string) {
	m.add(WantRow{
		Offset:      cells.Place(r),
		Length:      cells.Text(r.Length),
		Type:        class(r.Type),
		Name:        r.Field.Name,
		Description: r.Doc,
		Pos:         position(r.Pos),
	}, base, m.page.Note(r.Pos).Marks)
}

// add adds a row to the current table.
func (m *sectionMaker) add(w WantRow, base []string, marks []*page.Mark) {
	if m.rows++; m.rows > maxRows {
		return
	}
	w.Offset = strings.Join(append(slices.Clip(base), w.Offset), "+")
	for _, e := range marks {
		if m.page.Erratum(e.Name) == nil {
			continue
		}
		for _, cell := range cellNames {
			w.Said = append(w.Said, saidAs(e, cell, cell)...)
		}
		if e.Absent {
			w.Absent = e.Name
		}
	}
	if m.table < 0 {
		m.Subtables = append(m.Subtables, WantTable{})
		m.table = len(m.Subtables) - 1
	}
	t := &m.Subtables[m.table]
	for _, old := range t.Rows {
		if old.Offset == w.Offset && old.Description == w.Description {
			return
		}
	}
	t.Rows = append(t.Rows, w)
}

// class returns the word of documents for a type that is not a record.
func class(t *schema.Type) string {
	switch {
	case t.Form == schema.OfUnion:
		return "<variable>"
	case t.Form == schema.OfRecord:
		return t.Name
	case t.Form == schema.Text, t.Form == schema.Array && t.Scalar.Width() == 1:
		return "Bytes"
	case t.Scalar.IsFloat():
		return "Float"
	case t.Form == schema.Number && t.Scalar == builtin.U8 && t.Coding == builtin.Fixed:
		return "Byte"
	}
	return "Integer"
}

// saidAs returns what a document said in a cell, under the name that this package has
// for the cell.
func saidAs(m *page.Mark, cell, as string) []Said {
	var some []Said
	for _, said := range m.Said {
		if said.Cell == cell {
			some = append(some, Said{Erratum: m.Name, Cell: as, Text: said.Text})
		}
	}
	return some
}

func position(p dsl.Pos) string {
	if p.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(p.Filename), p.Line)
}
