package draft

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// A Draft is a schema and its page.
type Draft struct {
	Schema []byte
	Page   []byte // nil if the schema needs none
	Types  int
	Rows   int // of tables of fields
	Marks  int // comments for a person
	Report *audit.Report
}

type draft struct {
	doc    *audit.Document
	id     string
	title  string
	big    bool
	root   string
	union  string // "" for a document without a table of type ids
	header int    // bytes of the word of the union
	tables []*table
	types  map[string]string // of the document's titles, by the name made of the title
	marks  []string
	facts  []string // sentences of the introduction
	labels []string // rows of the table of type ids that are no types
}

// An arm is a type with a number.
type arm struct {
	id     int
	label  string
	title  string // the document's title, if it is not the name
	absent bool   // the document has no section for it
	says   []string
}

// New writes a schema with the id from a document.
func New(doc *audit.Document, id string) (*Draft, error) {
	if doc.FieldRows() == 0 {
		return nil, fmt.Errorf("%s: no table has the columns offset, length and description; give the document's tables these headings", doc.Name)
	}
	if numbers(doc.Types) {
		out, err := written(doc, id, (*draft).numbered)
		if err == nil && out.Report.OK() {
			return out, nil
		}
	}
	return written(doc, id, (*draft).listed)
}

// written writes a schema of the tables that a function finds in a document.
func written(doc *audit.Document, id string, tables func(*draft)) (*Draft, error) {
	d := &draft{doc: doc, id: id, title: id, types: map[string]string{}}
	d.order()
	tables(d)
	s, err := d.settle()
	if err != nil {
		return nil, err
	}
	report, about, err := d.audit(s)
	if err != nil {
		return nil, err
	}
	f, err := dsl.Parse(id+".oct", []byte(d.schema().text.String()))
	if err != nil {
		return nil, err
	}
	out := &Draft{Schema: dsl.Format(f), Rows: doc.FieldRows(), Types: len(d.tables), Report: report}
	out.Marks = strings.Count(string(out.Schema), Mark)
	if about != "" {
		f, err := dsl.ParsePage(id+".page", []byte(about))
		if err != nil {
			return nil, err
		}
		out.Page = dsl.Format(f)
	}
	return out, nil
}

// numbers reports whether a table of type ids has numbers.
func numbers(rows []audit.TypeRow) bool {
	n := 0
	for _, r := range rows {
		if _, err := strconv.Atoi(r.ID); err == nil {
			n++
		}
	}
	return n > len(rows)/2
}

// order finds the order of the bytes in the prose.
func (d *draft) order() {
	var big, little []int // lines
	each(d.doc, func(s *audit.Section) {
		for _, l := range s.Prose {
			if saysBig.MatchString(l.Text) {
				big = append(big, l.Line)
			}
			if saysLittle.MatchString(l.Text) {
				little = append(little, l.Line)
			}
		}
	})
	d.big = len(big) > len(little)
	switch {
	case len(big) > 0 && len(little) > 0:
		d.marks = append(d.marks, fmt.Sprintf("%s and line %d: the page speaks of both orders of bytes, the highest byte first and the lowest; the more frequent one is taken",
			d.at(big[0]), little[0]))
	case len(big) == 0 && len(little) == 0:
		d.marks = append(d.marks, fmt.Sprintf("%s: the page does not say the order of bytes; little is taken", d.at(1)))
	}
}

func each(doc *audit.Document, f func(*audit.Section)) {
	f(&doc.Intro)
	for i := range doc.Sections {
		f(&doc.Sections[i])
	}
}

var (
	markdownLink = pattern.New(`\[([^\]]*)\]\([^)]*\)`)
	target       = pattern.New(`\s*<[A-Za-z0-9_.:/#@-]+>`)
	escape       = pattern.New(`\\([*|_<>\[\]` + "`" + `])`)
)

// cellText returns a cell without links and marks of code, in one line.
func cellText(text string) string {
	text = strings.ReplaceAll(markdownLink.ReplaceAllString(text, "$1"), "**", "")
	if strings.Contains(text, "`") { // targets of reStructuredText
		text = strings.NewReplacer("`__", "", "`_", "", ":ref:", "", "`", "").Replace(target.ReplaceAllString(text, ""))
	}
	return strings.Join(strings.Fields(escape.ReplaceAllString(text, "$1")), " ")
}

// kindOfTable is the last word of a title behind the name of the type.
var kindOfTable = pattern.New(`(?i) (structures?|structs?|records?|entry|entries|layout|fields|table)$`)

// listed writes a type for each table.
func (d *draft) listed() {
	taken := map[string]bool{}
	each(d.doc, func(s *audit.Section) {
		for i := range s.Tables {
			t := &s.Tables[i]
			name := typeName(t.Heading)
			if c := typeName(t.Caption); c != "" && strings.Count(t.Caption, " ") < 6 && !strings.HasSuffix(t.Caption, ":") {
				name = c
			}
			if name == "" {
				name = "Table"
			}
			got := unique(name, taken)
			for _, title := range []string{t.Heading, kindOfTable.ReplaceAllString(t.Heading, "")} {
				if d.types[typeName(title)] == "" {
					d.types[typeName(title)] = got
				}
			}
			d.tables = append(d.tables, &table{name: got, from: t})
		}
	})
	other := false
	for _, p := range d.doc.Problems { // one for each row of a table
		if p.Other && !other {
			_, head, _ := strings.Cut(p.Text, ": ")
			d.marks = append(d.marks, fmt.Sprintf("%s: a table whose columns are not an offset, a length and a name or a description is left out: %s", d.at(p.Line), head))
		}
		other = p.Other
	}
	if rows := d.doc.Types; len(rows) > 0 {
		d.marks = append(d.marks, fmt.Sprintf("%s: the table of %d types is for you to write as a union; the schema has the tables of fields alone", d.at(rows[0].Line), len(rows)))
	}
	for i, t := range d.tables {
		if i > 0 && len(d.tables[i-1].params) == 0 {
			t.before = d.tables[i-1]
		}
		d.layout(t, 0)
	}
	d.packet()
}

// packet finds the table of the packet: the first one, and those that continue it.
func (d *draft) packet() {
	i := slices.IndexFunc(d.tables, func(t *table) bool { return len(t.params) == 0 })
	if i < 0 {
		return
	}
	which, last := "the first table is", i
	for last+1 < len(d.tables) && d.tables[last+1].before != nil && len(d.tables[last+1].params) == 0 {
		which, last = "the first tables are", last+1
	}
	d.root = d.tables[last].name
	if len(d.tables) > last-i+1 {
		d.marks = append(d.marks, fmt.Sprintf("%s: %s taken for the packet (root); the page does not say it", d.at(d.tables[i].from.Line), which))
	}
}

// settle writes the schema until it has no errors, and returns it resolved.
func (d *draft) settle() (*schema.Schema, error) {
	for range 2000 {
		src := d.schema()
		f, err := dsl.Parse(d.id+".oct", []byte(src.text.String()))
		var s *schema.Schema
		if err == nil {
			s, err = schema.Resolve(f, func(string) (*dsl.File, error) { return nil, errors.New("a draft extends nothing") })
		}
		if err == nil {
			return s, nil
		}
		var diags dsl.Diagnostics
		if !errors.As(err, &diags) {
			return nil, err
		}
		changed := false
		for _, diag := range diags {
			f, t := src.rows[diag.Pos.Line], src.of[diag.Pos.Line]
			if f != nil && t.simpler(f, f == t.fields[len(t.fields)-1]) {
				t.detach(f)
				changed = true
				break
			}
		}
		if !changed {
			return nil, fmt.Errorf("%s: no schema was found for the tables: %w", d.doc.Name, err)
		}
	}
	return nil, fmt.Errorf("%s: no schema was found for the tables", d.doc.Name)
}

// detach takes away what rows compute of a row that was made simpler.
func (t *table) detach(f *field) {
	for _, other := range t.fields {
		if slices.Contains([]string{"len(" + f.name + ")", "count(" + f.name + ")"}, other.value) {
			other.value, other.marks = "", nil
		}
	}
}

// maxNotes is how often cells that differ are noted. Notes can make rows pair in another way.
const maxNotes = 8

// audit compares the document with the schema, and notes the cells that differ on the page.
// It returns the report and the page.
func (d *draft) audit(s *schema.Schema) (*audit.Report, string, error) {
	for n := 0; ; n++ {
		about := d.page()
		p, err := d.pageOf(s, about)
		if err != nil {
			return nil, "", err
		}
		want, err := audit.FromPage(p)
		if err != nil {
			return nil, "", err
		}
		report := audit.Compare(d.doc, want)
		if report.OK() || n == maxNotes || !d.note(report) {
			return report, about, nil
		}
		if s, err = d.settle(); err != nil {
			return nil, "", err
		}
	}
}

func (d *draft) pageOf(s *schema.Schema, text string) (*page.Page, error) {
	return page.Load(s, func(id string) (*dsl.File, error) {
		if text == "" || id != d.id {
			return nil, nil
		}
		return dsl.ParsePage(d.id+".page", []byte(text))
	})
}

// note adds the cells that differ in a report to the page, and reports whether there are any.
func (d *draft) note(report *audit.Report) bool {
	changed, rows := false, d.schema().rows
	for _, e := range report.Failures() {
		if e.Kind != audit.FieldRow || e.Name == "" || len(e.Differences) == 0 {
			continue
		}
		f := rows[lineOf(e.Pos)]
		if f == nil || f.isGap() || len(f.said) > 0 {
			continue
		}
		cells := map[string]string{"offset": f.row.Offset, "length": f.row.Length, "type": f.row.Type, "description": f.row.Description}
		var names []string
		for _, diff := range e.Differences {
			text, ok := cells[diff.Cell]
			if !ok {
				continue
			}
			f.said = append(f.said, diff.Cell+" "+strconv.Quote(audit.Translated(diff.Cell, text)))
			name := "no " + diff.Cell
			if text = cellText(text); text != "" {
				name = fmt.Sprintf("%s %q", diff.Cell, text)
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			f.mark("the page gives " + strings.Join(names, ", "))
			changed = true
		}
	}
	return changed
}

// lineOf returns the line of a position in the schema, as "file:line".
func lineOf(pos string) int {
	_, line, _ := strings.Cut(pos, ":")
	n, err := strconv.Atoi(line)
	if err != nil {
		return 0
	}
	return n
}
