package audit

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// RenderRST writes an expectation as a page of reStructuredText with grid
// tables, in the layout of the original. The page says what the documents
// say, errata included, and agrees with e:
//
//	doc, _ := Parse("page", RenderRST(e))
//	Compare(doc, e).OK() // true
//
// For a page that is right use RenderRST(e.Corrected()).
func RenderRST(e *Expectation) []byte {
	var b bytes.Buffer
	heading := func(text string, mark string) {
		fmt.Fprintf(&b, "%s\n%s\n\n", text, strings.Repeat(mark, max(3, utf8.RuneCountInString(text))))
	}
	facts := func(facts []string) {
		for _, f := range facts {
			fmt.Fprintf(&b, "%s\n\n", sentence(f))
		}
	}
	heading("Binary serialization", "=")
	if e.Schema != "" && len(numbers(e.Schema)) == 0 {
		fmt.Fprintf(&b, "The format as the schema %s has it.\n\n", e.Schema)
	}
	facts(e.Facts)
	rows := [][]string{{"Type", "Value"}}
	for _, t := range e.Types {
		label := t.Name
		if len(t.Labels) > 0 {
			label = t.Labels[0]
		}
		rows = append(rows, []string{
			says(t.Said, "id", fmt.Sprint(t.ID)), says(t.Said, "label", label)})
	}
	grid(&b, rows)
	for _, s := range e.Sections {
		name, rest, _ := strings.Cut(says(s.Said, "title", s.Title), " (")
		title := fmt.Sprintf("%d: %s", s.ID, name)
		if len(s.Subtables) > 0 || rest != "" {
			title = fmt.Sprintf("%d: :ref:`%s<class_%s>`", s.ID, name, name)
		}
		if rest != "" {
			title += " (" + rest
		}
		heading(title, "^")
		for _, t := range s.Subtables {
			if t.Caption != "" {
				fmt.Fprintf(&b, "%s\n\n", flat(t.Caption))
			}
			rows := [][]string{{"Offset", "Len", "Type", "Description"}}
			for _, r := range t.Rows {
				rows = append(rows, []string{
					strings.ReplaceAll(says(r.Said, "offset", r.Offset), "*", `\*`),
					strings.ReplaceAll(says(r.Said, "length", r.Length), "*", `\*`),
					says(r.Said, "type", r.Type), says(r.Said, "description", r.describe())})
			}
			grid(&b, rows)
			facts(t.Facts)
		}
		facts(s.Facts)
	}
	return b.Bytes()
}

// says returns what a document says in a cell.
func says(said []Said, cell, own string) string {
	for _, s := range said {
		if s.Cell == cell {
			return s.Text
		}
	}
	return own
}

// flat returns text in one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// sentence returns text in one line with a full stop.
func sentence(text string) string {
	text = flat(text)
	if text != "" && !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// grid writes a grid table; the first row is the head.
func grid(b *bytes.Buffer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i := range r {
			r[i] = strings.ReplaceAll(flat(r[i]), "|", `\|`)
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i]))
		}
	}
	border := func(mark string) {
		for _, w := range widths {
			b.WriteString("+" + strings.Repeat(mark, w+2))
		}
		b.WriteString("+\n")
	}
	border("-")
	for n, r := range rows {
		for i, c := range r {
			b.WriteString("| " + c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)) + " ")
		}
		b.WriteString("|\n")
		if n == 0 {
			border("=")
		} else {
			border("-")
		}
	}
	b.WriteString("\n")
}
