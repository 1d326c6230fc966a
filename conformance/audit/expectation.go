package audit

import (
	"fmt"
	"slices"
	"strings"
)

// An Expectation is the content of a schema in the terms of the document. It has the type ids
// and, for each type, the tables of its fields. [FromPage] fills it from a resolved schema.
type Expectation struct {
	// Schema is the name of the schema, for messages.
	Schema string `json:"schema"`
	// Types lists the rows of the table of type ids in their order. Some rows,
	// such as "max", name no type.
	Types []WantType `json:"types"`
	// Facts are sentences with the numbers in the introduction, in their
	// order. The sentences are the schema's own; what counts is the
	// sequence of numbers in them.
	Facts []string `json:"facts,omitempty"`
	// Sections lists the sections in the order of the document.
	Sections []WantSection `json:"sections"`
	// Tables says that the tables of the sections count and nothing else.
	Tables bool `json:"tables,omitempty"`
}

// A WantType is an expected row of the table of type ids.
type WantType struct {
	ID int `json:"id"`
	// Name is the name of the type in the schema.
	Name string `json:"name"`
	// Labels are what documents may call the type, case aside. Without
	// labels it is Name.
	Labels []string `json:"labels,omitempty"`
	// Pos is where the schema says so, as "file:line".
	Pos string `json:"pos,omitempty"`
	// Said holds errata of the cells "id" and "label".
	Said []Said `json:"said,omitempty"`
}

// A WantSection is an expected section.
type WantSection struct {
	// ID is the number in the section's title.
	ID int `json:"id"`
	// Title is the title after the number: "Vector2".
	Title string `json:"title"`
	// Pos is where the schema defines the type, as "file:line".
	Pos string `json:"pos,omitempty"`
	// Said holds errata of the cell "title".
	Said []Said `json:"said,omitempty"`
	// Absent is the erratum by which some documents lack the title. What
	// the section holds may still be there, after that of the section
	// before it.
	Absent string `json:"absent,omitempty"`
	// Facts are sentences with the numbers in the prose of
	// the section that do not belong to its tables. They
	// count after those of the tables.
	Facts []string `json:"facts,omitempty"`
	// Subtables are the tables of the section in their order.
	Subtables []WantTable `json:"subtables,omitempty"`
}

// A WantTable is an expected table of fields.
type WantTable struct {
	// Caption is the condition or subtitle before the table. Its numbers
	// count as prose before those in Facts; and of the caption words in
	// the glossary (old, new, null, enabled, disabled, each, property, sub)
	// the document's caption has to have the same.
	Caption string `json:"caption,omitempty"`
	// Facts are sentences with the numbers in the prose after the table.
	// If a document lacks the table by an erratum, it lacks them too.
	Facts []string `json:"facts,omitempty"`
	// Rows are the rows of the table in their order.
	Rows []WantRow `json:"rows"`
}

// A WantRow is an expected row of a table of fields.
type WantRow struct {
	// Offset and Length are linear expressions such as "8" or "X+4". That of
	// the element with the index i of an array is like "12+i*8".
	Offset string `json:"offset"`
	Length string `json:"length"`
	// Type is Integer, Float, Bytes, Byte or <variable>.
	Type string `json:"type"`
	// Name is the name of the field in the schema.
	Name string `json:"name"`
	// Description describes the field. If it is empty Name is used.
	Description string `json:"description,omitempty"`
	// Pos is where the schema defines the field, as "file:line".
	Pos string `json:"pos,omitempty"`
	// Said holds what the document says where it is wrong.
	Said []Said `json:"said,omitempty"`
	// Absent is the erratum by which some documents lack the row. A
	// document lacks all rows and titles of an erratum or none.
	Absent string `json:"absent,omitempty"`
}

// A Said is what a document says in a cell where the schema knows better.
// The document has to say exactly this. If a cell has several of them, it
// has to say one.
type Said struct {
	// Erratum is the id of the erratum.
	Erratum string `json:"erratum"`
	// Cell is offset, length, type or description in a field row. It is id or
	// label in a type row, and title in a section.
	Cell string `json:"cell"`
	// Text is the text of the document without white space and markup.
	Text string `json:"text"`
	// Optional says that some copies of the document are right in this
	// cell. Then a number that changes from Text to what the schema says
	// is not noticed.
	Optional bool `json:"optional,omitempty"`
}

// Corrected returns a copy of e without errata: a document that agrees with
// it in every cell is right.
func (e *Expectation) Corrected() *Expectation {
	c := *e
	c.Types = slices.Clone(e.Types)
	for i := range c.Types {
		c.Types[i].Said = nil
	}
	c.Sections = slices.Clone(e.Sections)
	for i := range c.Sections {
		s := &c.Sections[i]
		s.Said, s.Absent = nil, ""
		s.Subtables = slices.Clone(s.Subtables)
		for j := range s.Subtables {
			t := &s.Subtables[j]
			t.Rows = slices.Clone(t.Rows)
			for k := range t.Rows {
				t.Rows[k].Said, t.Rows[k].Absent = nil, ""
			}
		}
	}
	return &c
}

// typeClasses are the words in the type column.
var typeClasses = []string{"Integer", "Float", "Bytes", "Byte", "<variable>"}

// check returns what is wrong with the expectation itself, as sentences with
// the position in front.
func (e *Expectation) check() []string {
	var wrong []string
	add := func(pos, format string, args ...any) {
		wrong = append(wrong, at(pos)+fmt.Sprintf(format, args...))
	}
	said := func(pos, what string, ss []Said, cells ...string) {
		for _, s := range ss {
			if !slices.Contains(cells, s.Cell) {
				add(pos, "an erratum of %s is about the cell %q; give one of %s", what, s.Cell, strings.Join(cells, ", "))
			}
			if s.Erratum == "" {
				add(pos, "%s notes that the document says %q but names no erratum; give its id", what, s.Text)
			}
		}
	}
	for _, t := range e.Types {
		said(t.Pos, fmt.Sprintf("type row %d %s", t.ID, t.Name), t.Said, "id", "label")
	}
	for _, s := range e.Sections {
		section := fmt.Sprintf("section %d: %s", s.ID, s.Title)
		said(s.Pos, section, s.Said, "title")
		for _, t := range s.Subtables {
			for _, r := range t.Rows {
				row := fmt.Sprintf("the row %s of %s", r.Name, section)
				said(r.Pos, row, r.Said, cellNames[:]...)
				if e.Tables {
					continue
				}
				if !slices.Contains(typeClasses, r.Type) {
					add(r.Pos, "%s has the type %q; give one of %s", row, r.Type, strings.Join(typeClasses, ", "))
				}
				for _, c := range []struct{ name, text string }{{"offset", r.Offset}, {"length", r.Length}} {
					if _, err := parsePlace(c.text); err != nil {
						add(r.Pos, "the %s %q of %s %v; write it like \"X+4\" or \"8+i*12\"", c.name, c.text, row, err)
					}
				}
			}
		}
	}
	return wrong
}

func at(pos string) string {
	if pos == "" {
		return ""
	}
	return pos + ": "
}
