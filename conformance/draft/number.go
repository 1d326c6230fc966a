package draft

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/audit"
	"github.com/octable/octable/conformance/internal/pattern"
)

var number = pattern.New(`[0-9]|\b(?i:zero|two|three|four|five|six|seven|eight|nine|ten)\b`)

// numbered writes a union for the table of type ids, with an arm for each of its rows. It writes further
// types for tables that do not continue the first one of their section.
func (d *draft) numbered() {
	d.union, d.root = "Value", "Value"
	d.header = d.firstOffset()
	d.marks = append(d.marks, fmt.Sprintf("%s: the first %d bytes are taken for the number of the type; bits that the page calls flags are for you to add",
		d.at(d.doc.Types[0].Line), d.header))
	d.facts = numbersOf(d.doc.Intro.Prose, 0, 1<<30)
	sections := map[int]*audit.Section{}
	for i := range d.doc.Sections {
		sections[d.doc.Sections[i].Number] = &d.doc.Sections[i]
	}
	taken := map[string]bool{d.union: true, "type": true}
	last := 0
	for i, r := range d.doc.Types {
		if id, err := strconv.Atoi(r.ID); err == nil && sections[id] != nil || i < len(sections) {
			last = i
		}
	}
	if len(sections) < len(d.doc.Types)/2 {
		last = len(d.doc.Types) - 2
	}
	for i, r := range d.doc.Types {
		label := audit.Translated("label", r.Label)
		id, err := strconv.Atoi(r.ID)
		if err != nil {
			continue
		}
		if i > last && sections[id] == nil {
			d.labels = append(d.labels, label)
			continue
		}
		d.arm(id, label, sections[id], taken)
	}
	for _, t := range d.tables {
		at := 0
		if t.arm != nil {
			at = d.header
		}
		d.layout(t, at)
	}
}

// arm adds an arm and the further tables of its section.
func (d *draft) arm(id int, label string, s *audit.Section, taken map[string]bool) {
	a := &arm{id: id, label: label, absent: s == nil}
	t := &table{arm: a}
	d.tables = append(d.tables, t)
	name := label
	if s != nil {
		name = s.Title
	}
	ident := strings.Join(words.FindAllString(parentheses.ReplaceAllString(name, ""), -1), "_")
	if ident == "" || ident[0] >= '0' && ident[0] <= '9' {
		ident = fmt.Sprintf("type%d", id)
	}
	t.name = unique(ident, taken)
	if s == nil {
		t.marks = append(t.marks, fmt.Sprintf("%s: the page has no section for %d: %s", d.at(d.doc.Types[0].Line), id, label))
		return
	}
	if !strings.EqualFold(t.name, s.Title) {
		a.title = s.Title
	}
	d.types[typeName(s.Title)] = d.union
	from := 0
	for i := range s.Tables {
		one := &s.Tables[i]
		if i > 0 {
			t = &table{name: unique(typeName(s.Title)+"Table", taken)}
			t.marks = append(t.marks, fmt.Sprintf("%s: a further table of %d: %s; the page does not say in the table when it holds", d.at(one.Line), id, name))
			d.tables = append(d.tables, t)
		}
		t.from = one
		t.numbers = d.before(s, from, one)
		from = one.Line
	}
	rest := numbersOf(s.Prose, from, 1<<30)
	if len(s.Tables) == 0 || t.from == nil || len(t.from.Rows) == 0 {
		a.says = rest
	} else {
		t.says = rest
	}
}

// before returns the prose with numbers between two tables, without the caption of the second.
func (d *draft) before(s *audit.Section, from int, t *audit.Table) string {
	var out []string
	for _, text := range numbersOf(s.Prose, from, t.Line) {
		if !strings.Contains(t.Caption, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// numbersOf returns the lines of prose that have a number, between two lines.
func numbersOf(prose []audit.ProseLine, from, to int) []string {
	var out []string
	for _, l := range prose {
		if l.Line > from && l.Line < to && number.MatchString(l.Text) {
			out = append(out, l.Text)
		}
	}
	return out
}

// firstOffset returns the least offset of a first row of a section. It is the number of
// bytes before the content of all types.
func (d *draft) firstOffset() int {
	least := 0
	for i := range d.doc.Sections {
		for _, t := range d.doc.Sections[i].Tables {
			if len(t.Rows) == 0 {
				continue
			}
			if n, err := strconv.Atoi(t.Rows[0].Offset); err == nil && (least == 0 || n < least) {
				least = n
			}
		}
	}
	if !slices.Contains([]int{1, 2, 4, 8}, least) {
		return 4
	}
	return least
}
