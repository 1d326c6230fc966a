package audit

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

// A Status says how an entry of a report came out.
type Status string

const (
	// Matched: document and schema agree.
	Matched Status = "matched"
	// Erratum: the document says what the named errata say it does.
	Erratum Status = "erratum"
	// Absent: the document lacks this by the named erratum.
	Absent Status = "absent"
	// Failed: document and schema differ.
	Failed Status = "failed"
)

// A Kind says what an entry of a report is about.
type Kind string

const (
	// FieldRow is a row of a field table, of the document or, if it has no
	// line, of the schema.
	FieldRow Kind = "field row"
	// TypeIDRow is a row of the table of type ids.
	TypeIDRow Kind = "type row"
	// SectionTitle is a section with its title.
	SectionTitle Kind = "section"
	// TableHead is the head or the caption of a table.
	TableHead Kind = "table head"
	// Prose is a number in the prose.
	Prose Kind = "prose"
	// Damage is a part of the document that could not be read, or a
	// mistake in the expectation.
	Damage Kind = "damage"
)

// An Entry is one thing in the document or the schema and how it came out.
type Entry struct {
	Kind   Kind   `json:"kind"`
	Status Status `json:"status"`
	// Line is the line of the document, 0 for what is in the schema only.
	Line int `json:"line,omitempty"`
	// Row is the number of the row in its table, counted from 1.
	Row int `json:"row,omitempty"`
	// Section is the title of the section the schema has it in. It is that of
	// the document if the schema has it nowhere.
	Section string `json:"section,omitempty"`
	// Name is the schema's name for the field or type.
	Name string `json:"name,omitempty"`
	// Pos is the position in the schema, as "file:line".
	Pos string `json:"pos,omitempty"`
	// Errata are the errata by which document and schema differ.
	Errata []string `json:"errata,omitempty"`
	// Differences are the cells in which they differ otherwise.
	Differences []Difference `json:"differences,omitempty"`
	// Message is a sentence for a failure: where, what is wrong, what to
	// do about it.
	Message string `json:"message,omitempty"`
}

// A Difference is a cell in which document and schema differ.
type Difference struct {
	Cell     string `json:"cell"`
	Expected string `json:"expected"`
	Found    string `json:"found"`
}

// Totals counts the rows of a kind.
type Totals struct {
	// Rows is the number of rows in the document.
	Rows int `json:"rows"`
	// Accounted is the number of them that match, errata included.
	Accounted int `json:"accounted"`
	// Missing is the number of rows of the schema that the document should
	// have and has not.
	Missing int `json:"missing"`
}

// An ErratumCount says how often an erratum explained a difference.
type ErratumCount struct {
	Erratum string `json:"erratum"`
	// Shown counts rows, titles and table heads of the document.
	Shown int `json:"shown,omitempty"`
	// Absent counts rows and titles that the document lacks.
	Absent int `json:"absent,omitempty"`
}

// A Report is the outcome of Compare.
type Report struct {
	Document string         `json:"document"`
	Form     string         `json:"form,omitempty"`
	Schema   string         `json:"schema,omitempty"`
	Passed   bool           `json:"ok"`
	Fields   Totals         `json:"fields"`
	Types    Totals         `json:"types"`
	Errata   []ErratumCount `json:"errata,omitempty"`
	Entries  []Entry        `json:"entries"`
}

// OK reports whether the document is accounted for in full: no entry failed.
func (r *Report) OK() bool { return r.Passed }

// Failures returns the entries that failed.
func (r *Report) Failures() []Entry {
	var fs []Entry
	for _, e := range r.Entries {
		if e.Status == Failed {
			fs = append(fs, e)
		}
	}
	return fs
}

// finish counts the entries.
func (r *Report) finish() {
	r.Fields, r.Types, r.Errata, r.Passed = Totals{}, Totals{}, nil, true
	counts := map[string]*ErratumCount{}
	for _, e := range r.Entries {
		if e.Status == Failed {
			r.Passed = false
		}
		var t *Totals
		switch e.Kind {
		case FieldRow:
			t = &r.Fields
		case TypeIDRow:
			t = &r.Types
		default:
			t = new(Totals)
		}
		switch {
		case e.Line > 0:
			t.Rows++
			if e.Status != Failed {
				t.Accounted++
			}
		case e.Status == Failed:
			t.Missing++
		}
		for _, id := range e.Errata {
			if counts[id] == nil {
				counts[id] = &ErratumCount{Erratum: id}
			}
			if e.Status == Absent {
				counts[id].Absent++
			} else {
				counts[id].Shown++
			}
		}
	}
	for _, c := range counts {
		r.Errata = append(r.Errata, *c)
	}
	sort.Slice(r.Errata, func(i, j int) bool {
		a, b := r.Errata[i].Erratum, r.Errata[j].Erratum
		if len(a) != len(b) {
			return len(a) < len(b) // E7 before E12
		}
		return a < b
	})
}

// WriteText writes the report for a terminal: the totals, the errata, and
// each failure in full.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s against %s: %d of %d field rows and %d of %d type rows accounted for",
		r.Document, orUnnamed(r.Schema), r.Fields.Accounted, r.Fields.Rows, r.Types.Accounted, r.Types.Rows)
	if n := r.Fields.Missing + r.Types.Missing; n > 0 {
		fmt.Fprintf(&b, ", %d missing", n)
	}
	b.WriteString("\n")
	for _, c := range r.Errata {
		var parts []string
		if c.Shown > 0 {
			parts = append(parts, fmt.Sprintf("%d", c.Shown))
		}
		if c.Absent > 0 {
			parts = append(parts, fmt.Sprintf("%d absent", c.Absent))
		}
		fmt.Fprintf(&b, "  %-5s %s\n", c.Erratum, strings.Join(parts, ", "))
	}
	if fs := r.Failures(); len(fs) > 0 {
		fmt.Fprintf(&b, "%d %s:\n", len(fs), plural(len(fs), "failure"))
		for _, f := range fs {
			b.WriteString(f.Message + "\n")
		}
	} else {
		b.WriteString("ok\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orUnnamed(s string) string {
	if s == "" {
		return "the schema"
	}
	return s
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
