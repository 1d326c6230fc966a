package audit

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// FromSchema returns what a schema says, in the terms of the document.
//
// The types are the arms of the union that is the schema's root, in the order of
// their numbers; each arm is a section with the name of the arm as its title. Of
// an arm these items count, wherever they stand in it:
//
//   - A row is a row of a table, with its description as what it means. Rows of
//     one table that have the same offset and description are one row, as where a
//     page describes names and sub-names at once. A row of a named record stands
//     for the rows of that record.
//   - caption begins a table. Rows before the first caption are a table as well.
//   - says is a fact: of the table it follows, or of the section where there is
//     none yet.
//   - An erratum with what the document said is expected to be said. Said of the
//     arm itself, name is the title of the section and label is the type's name in
//     the table of type ids. An erratum that says absent lets the row, or the title
//     of the section, be missing.
//
// The facts of the introduction are those that the schema states itself; an
// erratum of the schema as a whole that said a label is one more row of the table
// of type ids, after the last.
//
// Offsets and lengths are those of the first choice of an axis. Errata that the
// schema has removed count nowhere. A list that holds nothing but values of unions
// has no table: pages describe it in prose.
func FromSchema(s *schema.Schema) (*Expectation, error) {
	if s == nil {
		return nil, fmt.Errorf("there is no schema to audit against")
	}
	if s.Root == nil || s.Root.Union == nil {
		return nil, fmt.Errorf("schema %q describes no types with numbers: its root is not a union; audit against a schema that has such a root", s.ID)
	}
	e := &Expectation{Schema: s.ID, Facts: s.Facts}
	next := 0 // the number after the last
	for _, a := range s.Root.Union.Sorted() {
		if a.ID >= math.MaxInt32 {
			return nil, fmt.Errorf("%s: %s of schema %q has the number %s, which no table of type ids has", position(a.Pos), a.Name, s.ID, a.IDText())
		}
		m := sectionMaker{WantSection: WantSection{ID: int(a.ID), Title: a.Name, Pos: position(a.Pos)}, table: -1}
		t := WantType{ID: int(a.ID), Name: a.Name, Pos: position(a.Pos)}
		if a.Label != "" {
			t.Labels = []string{a.Label}
		}
		for _, n := range a.Body {
			if x, ok := n.(*schema.Mention); ok && x.Erratum != nil {
				m.Said = append(m.Said, saidAs(x, "name", "title")...)
				t.Said = append(t.Said, saidAs(x, "label", "label")...)
				if x.Absent {
					m.Absent = x.Name
				}
			}
		}
		if m.body(a.Body, nil); m.rows > maxRows {
			return nil, fmt.Errorf("%s: %s of schema %q has more than %d rows, or records that hold themselves", position(a.Pos), a.Name, s.ID, maxRows)
		}
		e.Types = append(e.Types, t)
		e.Sections = append(e.Sections, m.WantSection)
		next = int(a.ID) + 1
	}
	for _, m := range s.Mentions {
		if m.Erratum == nil {
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

// maxRows bounds the rows of a section, with those of records in them.
const maxRows = 2000

// A sectionMaker fills a section from the body of an arm.
type sectionMaker struct {
	WantSection
	table int // index of the current table, -1 before the first
	rows  int // so far
}

// body adds the rows, captions and facts of a body. The base holds the offsets of the
// rows of records that it is in.
func (m *sectionMaker) body(nodes []schema.Node, base []string) {
	schema.Walk(nodes, func(n schema.Node) bool {
		switch n := n.(type) {
		case *schema.Caption:
			m.Subtables = append(m.Subtables, WantTable{Caption: n.Text})
			m.table = len(m.Subtables) - 1
		case *schema.Fact:
			facts := &m.Facts
			if m.table >= 0 {
				facts = &m.Subtables[m.table].Facts
			}
			*facts = append(*facts, n.Text)
		case *schema.Row:
			m.row(n, base)
			return false
		case *schema.List:
			return !onlyUnions(n.Element.Body)
		}
		return true
	})
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
			if !onlyUnions(n.Body) {
				return false
			}
			rows += len(n.Rows)
		case *schema.Mention:
		default:
			return false
		}
	}
	return rows > 0
}

// cells is the notation of offsets and lengths in documents.
var cells = schema.Notation{Tight: true}

func (m *sectionMaker) row(r *schema.Row, base []string) {
	if m.rows++; m.rows > maxRows {
		return
	}
	base = append(slices.Clip(base), cells.Text(r.Offset))
	if r.Type.Form == schema.OfRecord {
		m.body(r.Type.Record.Body, base)
		return
	}
	w := WantRow{
		Offset:      strings.Join(base, "+"),
		Length:      cells.Text(r.Length),
		Type:        class(r.Type),
		Name:        r.Field.Name,
		Description: r.Doc,
		Pos:         position(r.Pos),
	}
	for _, e := range r.Mentions {
		if e.Erratum == nil {
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
		m.table = 0
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
	case t.Form == schema.Text, t.Form == schema.Array && t.Scalar.Width() == 1:
		return "Bytes"
	case t.Scalar.IsFloat():
		return "Float"
	case t.Form == schema.Number && t.Scalar == builtin.U8:
		return "Byte"
	}
	return "Integer"
}

// saidAs returns what a document said in a cell, under the name that this package has
// for the cell.
func saidAs(m *schema.Mention, cell, as string) []Said {
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
