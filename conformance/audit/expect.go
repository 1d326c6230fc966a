package audit

import (
	"fmt"
	"math"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
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
	u := s.Union(s.Root)
	if u == nil || len(u.Args) > 0 {
		return nil, fmt.Errorf("schema %q describes no types with numbers: its root is not a union; audit against a schema that has such a root", s.ID)
	}
	arms := slices.Clone(u.Arms)
	sort.SliceStable(arms, func(i, j int) bool { return arms[i].ID < arms[j].ID })

	e := &Expectation{Schema: s.ID, Facts: texts(s.Says)}
	next := 0 // the number after the last
	for _, a := range arms {
		if a.Else || a.ID >= math.MaxInt32 {
			return nil, fmt.Errorf("%s: %s of schema %q has the number %s, which no table of type ids has", position(a.Pos), a.Name, s.ID, a.IDText())
		}
		m := sectionMaker{s: s, WantSection: WantSection{ID: int(a.ID), Title: a.Name, Pos: position(a.Pos)}, table: -1}
		t := WantType{ID: int(a.ID), Name: a.Name, Pos: position(a.Pos)}
		if a.Label != "" {
			t.Labels = []string{a.Label}
		}
		for _, i := range a.Items {
			if r := m.erratum(i.Erratum); r != nil {
				m.Said = append(m.Said, saidAs(r, "name", "title")...)
				t.Said = append(t.Said, saidAs(r, "label", "label")...)
				if r.Absent {
					m.Absent = r.Name.Text
				}
			}
		}
		if m.items(a.Items, nil); m.rows > maxRows {
			return nil, fmt.Errorf("%s: %s of schema %q has more than %d rows, or records that hold themselves", position(a.Pos), a.Name, s.ID, maxRows)
		}
		e.Types = append(e.Types, t)
		e.Sections = append(e.Sections, m.WantSection)
		next = int(a.ID) + 1
	}
	for _, r := range s.Refs {
		if s.Erratum(r.Name.Text) == nil {
			continue
		}
		for _, said := range saidAs(r, "label", "label") {
			e.Types = append(e.Types, WantType{ID: next, Name: said.Text, Pos: position(r.Pos), Said: []Said{said}})
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

// A sectionMaker fills a section from the items of an arm.
type sectionMaker struct {
	s *schema.Schema
	WantSection
	table int // index of the current table, -1 before the first
	rows  int // so far
}

// items adds what the items of an arm, or of a block in it, say. The base holds
// the offsets of the rows of records that they stand in.
func (m *sectionMaker) items(items []*dsl.Item, base []string) {
	for _, i := range items {
		switch {
		case i.Caption != nil:
			m.Subtables = append(m.Subtables, WantTable{Caption: i.Caption.Text})
			m.table = len(m.Subtables) - 1
		case i.Says != nil && m.table >= 0:
			t := &m.Subtables[m.table]
			t.Facts = append(t.Facts, i.Says.Text)
		case i.Says != nil:
			m.Facts = append(m.Facts, i.Says.Text)
		case i.Row != nil:
			m.row(i.Row, base)
		case i.Repeat != nil:
			if !m.onlyUnions(i.Repeat.Items) {
				m.items(i.Repeat.Items, base)
			}
		case i.Within != nil:
			m.items(i.Within.Items, base)
		case i.If != nil:
			m.items(i.If.Then, base)
			m.items(i.If.Else, base)
		}
	}
}

// onlyUnions reports whether items are rows of unions and nothing else.
func (m *sectionMaker) onlyUnions(items []*dsl.Item) bool {
	rows := 0
	for _, i := range items {
		switch {
		case i.Row != nil && m.class(i.Row.Type) == variable:
			rows++
		case i.Erratum == nil:
			return false
		}
	}
	return rows > 0
}

func (m *sectionMaker) row(r *dsl.Row, base []string) {
	if m.rows++; m.rows > maxRows {
		return
	}
	offset := notation(m.s, schema.Fold(r.Offset), 0)
	class := m.class(r.Type)
	if t := m.s.Type(r.Type.Name.Text); class == "" && t != nil {
		m.items(t.Items, append(slices.Clip(base), offset))
		return
	}
	w := WantRow{
		Offset:      strings.Join(append(slices.Clip(base), offset), "+"),
		Length:      notation(m.s, schema.Fold(r.Length), 0),
		Type:        class,
		Name:        r.Name.Text,
		Description: r.Doc.String(),
		Pos:         position(r.Pos),
	}
	for _, at := range r.Attrs {
		e := m.erratum(at.Err)
		if e == nil {
			continue
		}
		for _, cell := range cellNames {
			w.Said = append(w.Said, saidAs(e, cell, cell)...)
		}
		if e.Absent {
			w.Absent = e.Name.Text
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

// variable is the type of a row whose bytes are of any type.
const variable = "<variable>"

// class returns the word that a document has for a type, "" for a record.
func (m *sectionMaker) class(t *dsl.TypeRef) string {
	name := t.Name.Text
	if a := m.s.Axis(name); a != nil {
		name = a.Choices[0].Scalar.Text
	}
	scalar, isScalar := bytecode.ScalarNamed(name)
	switch {
	case t.ID:
		return "Integer"
	case m.s.Union(name) != nil:
		return variable
	case m.s.Type(name) != nil:
		return ""
	case name == "utf8", m.s.Encoding(name) != nil, isScalar && scalar.Width() == 1 && t.Size != nil:
		return "Bytes"
	case isScalar && scalar.IsFloat():
		return "Float"
	case name == "u8":
		return "Byte"
	}
	return "Integer"
}

// erratum returns a mention of an erratum that the schema has, or nil.
func (m *sectionMaker) erratum(r *dsl.ErrRef) *dsl.ErrRef {
	if r == nil || m.s.Erratum(r.Name.Text) == nil {
		return nil
	}
	return r
}

// saidAs returns what a document said in a cell that the schema calls by one name
// and this package by another.
func saidAs(r *dsl.ErrRef, cell, as string) []Said {
	var some []Said
	for _, said := range r.Said {
		if said.Cell == cell {
			some = append(some, Said{Erratum: r.Name.Text, Cell: as, Text: said.Text.Text})
		}
	}
	return some
}

func texts(ss []*dsl.Str) []string {
	var out []string
	for _, s := range ss {
		out = append(out, s.Text)
	}
	return out
}

func position(p dsl.Pos) string {
	if p.Filename == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(p.Filename), p.Line)
}

// notation writes an offset or a length as pages do, with numbers for constants.
// What is no sum or product comes out as something that no page can say.
func notation(s *schema.Schema, n *schema.Node, level int) string {
	binary := func(op string, own, right int) string {
		text := notation(s, n.Args[0], own) + op + notation(s, n.Args[1], right)
		if own < level {
			return "(" + text + ")"
		}
		return text
	}
	switch n.Op {
	case schema.OpNum:
		return strconv.FormatUint(uint64(n.Num), 10)
	case schema.OpName:
		if v, ok := s.Constant(n.Name.Text); ok {
			return strconv.FormatInt(v, 10)
		}
		return n.Name.Text
	case "+":
		return binary("+", 0, 0)
	case "-":
		return binary("-", 0, 1)
	case "*":
		return binary("*", 1, 1)
	}
	return fmt.Sprintf("(%s)", n.Op)
}
