package draft

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/audit"
)

// Mark begins the comments for what a person has to decide.
const Mark = "// draft: "

// A source is the text of a schema, and the rows that its lines are.
type source struct {
	text strings.Builder
	rows map[int]*field // by line
	of   map[int]*table
	line int
}

func (s *source) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.text.WriteString(text + "\n")
	s.line += 1 + strings.Count(text, "\n")
}

// at returns a line of the document for a comment.
func (d *draft) at(line int) string { return fmt.Sprintf("%s:%d", d.doc.Name, line) }

func (d *draft) mark(s *source, line int, text string) {
	s.add("%s%s: %s", Mark, d.at(line), strings.ReplaceAll(text, "\n", " "))
}

// schema writes the schema.
func (d *draft) schema() *source {
	s := &source{rows: map[int]*field{}, of: map[int]*table{}}
	s.add("// A draft of the tables of %s, by octable draft.", d.doc.Name)
	s.add("// A comment that begins with draft: is for you to decide, and then to delete.")
	s.add("")
	for _, text := range d.marks {
		s.add("%s%s", Mark, text)
	}
	order := "little"
	if d.big {
		order = "big"
	}
	s.add("schema %s {\n title %s\n source %s\n order %s", strconv.Quote(d.id), strconv.Quote(d.title), strconv.Quote(d.doc.Name), order)
	if d.root != "" {
		s.add(" root %s", d.root)
	}
	s.add("}\n")
	if d.union != "" {
		s.add("union %s by type {\n | 0 | %d | u%d | type | \"the number of the type\"\n}\n", d.union, d.header, 8*d.header)
	}
	for _, t := range d.tables {
		d.table(s, t)
	}
	return s
}

func (d *draft) table(s *source, t *table) {
	if t.from != nil {
		title := t.from.Heading
		if t.from.Caption != "" && t.arm == nil {
			title = t.from.Caption
		}
		if title != "" {
			s.add("/// %s", strings.TrimRight(cellText(sectionHead.ReplaceAllString(title, "")), ":.")+".")
		}
	}
	switch {
	case t.arm != nil:
		errata := ""
		if t.arm.absent {
			errata = " !D3"
		}
		s.add("arm %s %d %s %s%s {", d.union, t.arm.id, t.name, strconv.Quote(t.arm.label), errata)
	case len(t.params) > 0:
		s.add("type %s(%s) {", t.name, strings.Join(t.params, ", "))
	default:
		s.add("type %s {", t.name)
	}
	for _, text := range t.marks {
		s.add("%s%s", Mark, text)
	}
	if lines := t.unsigned(); len(lines) > 0 {
		d.mark(s, t.from.Line, fmt.Sprintf("the page does not say whether the %s of line %s %s a sign; unsigned is taken",
			plural(len(lines), "number", "numbers"), strings.Join(lines, ", "), plural(len(lines), "has", "have")))
	}
	for i, f := range t.fields {
		if t.list != nil && i == t.list.from {
			count := t.list.count
			if count == "" {
				count = "until end"
			}
			s.add("repeat %s as %s {", count, t.list.name)
		}
		d.field(s, t, f)
		if t.list != nil && i == t.list.to-1 {
			s.add("}")
		}
	}
	s.add("}\n")
}

func (d *draft) field(s *source, t *table, f *field) {
	for _, text := range f.marks {
		d.mark(s, f.row.Line, text)
	}
	if f.beside {
		return
	}
	name := f.name
	if f.value != "" {
		name += " = " + f.value
	}
	errata := ""
	about := "not in the document"
	if f.isGap() {
		errata = " !D2"
	} else {
		about = audit.Translated("description", f.row.Description)
	}
	s.add("| %s | %s | %s | %s | %s%s%s", f.offset, f.length, f.kind, name, strconv.Quote(cellText(about)), f.attr, errata)
	s.rows[s.line], s.of[s.line] = f, t
}

// page writes the page beside the schema; it is empty if the schema says all of the document.
func (d *draft) page() string {
	var b strings.Builder
	errata := map[string]bool{}
	for _, t := range d.tables {
		d.notes(&b, t, errata)
	}
	head := ""
	for _, text := range d.facts {
		head += "    says " + strconv.Quote(text) + "\n"
	}
	for _, label := range d.labels {
		head += "    !D1 label " + strconv.Quote(label) + "\n"
		errata["D1"] = true
	}
	if b.Len() == 0 && head == "" {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "// The document %s beside the schema %s, by octable draft.\n\npage %s {\n%s}\n\n", d.doc.Name, d.id, strconv.Quote(d.id), head)
	for _, e := range [][3]string{
		{"D1", "The document has other cells.", "Read in another way."},
		{"D2", "The document has no row for these bytes.", "Bytes."},
		{"D3", "The document has no section for this type.", "A type without rows."},
	} {
		if errata[e[0]] {
			fmt.Fprintf(&out, "erratum %s in %s {\n says %s\n here %s\n}\n\n", e[0], strconv.Quote(d.doc.Name), strconv.Quote(e[1]), strconv.Quote(e[2]))
		}
	}
	return out.String() + b.String()
}

func (d *draft) notes(b *strings.Builder, t *table, errata map[string]bool) {
	about := t.name
	if t.arm != nil {
		about = d.union + "." + t.name
		note := ""
		for _, text := range t.arm.says {
			note += " says " + strconv.Quote(text) + "\n"
		}
		if t.arm.title != "" {
			note += " !D1 name " + strconv.Quote(t.arm.title) + "\n"
			errata["D1"] = true
		}
		if t.arm.absent {
			note += " !D3 absent\n"
			errata["D3"] = true
		}
		if note != "" {
			fmt.Fprintf(b, "%s {\n%s}\n\n", about, note)
		}
	}
	before := ""
	if d.union != "" && t.from != nil && t.from.Caption+t.numbers != "" {
		before = " caption " + strconv.Quote(strings.TrimSpace(t.numbers+" "+cellText(t.from.Caption))) + "\n"
	}
	for i, f := range t.fields {
		if f.beside {
			before += fmt.Sprintf(" row | %s | %s | %s | %s | %s\n", f.offset, f.length, f.kind, f.name, strconv.Quote(cellText(f.row.Description)))
			continue
		}
		note := ""
		if f.isGap() {
			note += " !D2 absent\n"
			errata["D2"] = true
		}
		if len(f.said) > 0 {
			note += " !D1 " + strings.Join(f.said, " ") + "\n"
			errata["D1"] = true
		}
		if i == len(t.fields)-1 {
			for _, text := range t.says {
				note += " says " + strconv.Quote(text) + "\n"
			}
		}
		note += before // last, as a row takes the marks after it
		before = ""
		if note == "" {
			continue
		}
		path := about + "."
		if t.list != nil && i >= t.list.from && i < t.list.to {
			path += t.list.name + "."
		}
		fmt.Fprintf(b, "%s%s {\n%s}\n\n", path, f.name, note)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
