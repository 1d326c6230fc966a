package audit

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func said(erratum, cell, text string) Said { return Said{Erratum: erratum, Cell: cell, Text: text} }

func row(offset, length, class, name, description string, said ...Said) WantRow {
	return WantRow{Offset: offset, Length: length, Type: class, Name: name, Description: description,
		Pos: "types.octable:" + fmt.Sprint(len(name)), Said: said}
}

// fixture returns an expectation with everything that occurs in the
// documents: errata in every cell, conditions, absent rows, prose.
func fixture() *Expectation {
	e := &Expectation{
		Schema: "fixture",
		Facts: []string{
			"Everything is padded to 4 bytes",
			"The type is val & 0xFFFF, the flags are val >> 16, which is two bytes each",
			"A wide Float has length 8 and lies at (offset - 4) * 2 + 4",
		},
	}
	add := func(title, label string, s WantSection) {
		s.ID, s.Title, s.Pos = len(e.Sections), title, fmt.Sprintf("types.octable:%d", 100+len(e.Sections))
		e.Types = append(e.Types, WantType{ID: s.ID, Name: title, Labels: []string{label}, Pos: s.Pos})
		e.Sections = append(e.Sections, s)
	}
	tables := func(ts ...WantTable) WantSection { return WantSection{Subtables: ts} }
	table := func(rows ...WantRow) WantSection { return tables(WantTable{Rows: rows}) }
	text := row("X+4", "X", "Bytes", "text", "text in UTF-8")

	add("null", "null", WantSection{})
	add("bool", "bool", table(row("4", "4", "Integer", "value", "0 false, 1 true")))
	add("int", "integer", tables(
		WantTable{Caption: "If flags == 0, in 32 bits:",
			Rows: []WantRow{row("4", "4", "Integer", "value", "signed, 32 bits")}},
		WantTable{Caption: "If ENCODE_FLAG_64 is set (flags & 1 == 1), in 64 bits:",
			Rows: []WantRow{row("4", "8", "Integer", "value", "signed, 64 bits")}}))
	add("String", "string", tables(WantTable{
		Rows:  []WantRow{row("4", "4", "Integer", "length", "length"), row("8", "X", "Bytes", "text", "UTF-8")},
		Facts: []string{"Padded to 4 bytes"}}))
	add("Vector2", "vector2", table(
		row("4", "4", "Float", "x", "X"), row("8", "4", "Float", "y", "Y")))
	add("Rect2", "rect2", table(
		row("4", "4", "Float", "position.x", ""), row("8", "4", "Float", "position.y", ""),
		row("12", "4", "Float", "size.x", ""), row("16", "4", "Float", "size.y", "")))
	add("Plane", "plane", table(
		row("4", "4", "Float", "normal.x", ""), row("8", "4", "Float", "normal.y", ""),
		row("12", "4", "Float", "normal.z", ""), row("16", "4", "Float", "distance", "")))
	add("Basis2", "basis2", table(
		row("4", "4", "Float", "x.x", "X of column X, [0][0]"),
		row("8", "4", "Float", "x.y", "Y of column X, [0][1]"),
		row("12", "4", "Float", "y.x", "X of column Y, [1][0]"),
		row("16", "4", "Float", "y.y", "Y of column Y, [1][1]")))
	add("Color", "color", table(
		row("4", "4", "Float", "red", "Red (0..1)"), row("8", "4", "Float", "alpha", "Alpha (0..1)")))
	add("NodePath", "node path", tables(
		WantTable{Rows: []WantRow{row("4", "4", "Integer", "head", "length, or new form (val&0x80000000!=0, NameCount=val&0x7FFFFFFF)")}},
		WantTable{Caption: "In the old form:", Facts: []string{"It is padded to 4 bytes"},
			Rows: []WantRow{row("8", "X", "Bytes", "text", "UTF-8")}},
		WantTable{Caption: "In the new form:", Rows: []WantRow{
			row("8", "4", "Integer", "sub_name_count", "", said("E7", "offset", "4")),
			row("12", "4", "Integer", "flags", "flags, absolute: val&1 != 0", said("E7", "offset", "8"))}},
		WantTable{Caption: "For each name and sub-name:", Rows: []WantRow{row("X+0", "4", "Integer", "length", ""), text},
			Facts: []string{"Each is padded to 4 bytes"}}))
	add("RID", "rid", WantSection{Said: []Said{said("E14", "title", "RID (unsupported)")}})
	add("Object", "object", tables(
		WantTable{Caption: "A null value:", Rows: []WantRow{row("4", "4", "Integer", "zero", "zero, in 32 bits")}},
		WantTable{Caption: "For each property:", Rows: []WantRow{
			row("Y", "4", "Integer", "name_length", "length of the property name"),
			row("Y+4", "Z", "Bytes", "name", "property name"),
			row("Y+4+Z", "W", "<variable>", "value", "")}}))
	add("PackedByteArray", "raw array", table(
		row("4", "4", "Integer", "length", ""),
		row("8+i", "1", "Byte", "element", "Byte (0..255)", said("E12", "offset", "8..8+length"))))
	add("PackedInt64Array", "int64 array", table(
		row("4", "4", "Integer", "length", "", said("E51", "length", "8")),
		row("8+i*8", "8", "Integer", "element", "signed, 64 bits")))
	add("PackedFloat32Array", "float32 array", table(
		row("4", "4", "Integer", "length", ""),
		row("8+i*4", "4", "Float", "element", "32 bits, IEEE 754", said("E12", "offset", "8..8+length*4"), said("E13", "type", "Integer"))))
	add("PackedVector2Array", "vector2 array", table(
		row("4", "4", "Integer", "length", ""),
		row("8+i*8", "4", "Float", "x", "X", said("E12", "offset", "8..8+length*8")),
		row("12+i*8", "4", "Float", "y", "Y", said("E12", "offset", "8..12+length*8"))))
	add("PackedStringArray", "string array", tables(
		WantTable{Rows: []WantRow{row("4", "4", "Integer", "length", "")}},
		WantTable{Caption: "For each string:", Rows: []WantRow{row("X+0", "4", "Integer", "length", ""), text}}))
	e.Sections[len(e.Sections)-1].Facts = []string{"Each is padded to 4 bytes"}
	e.Types = append(e.Types, WantType{ID: len(e.Types), Name: "none", Said: []Said{said("E17", "label", "max")}})

	// E32: some copies have no titles and lack two tables.
	for i := range e.Sections {
		s := &e.Sections[i]
		if i > 0 {
			s.Absent = "E32"
		}
		for j := range s.Subtables {
			for k := range s.Subtables[j].Rows {
				if s.Title == "Basis2" || s.Title == "NodePath" && j > 0 {
					s.Subtables[j].Rows[k].Absent = "E32"
				}
			}
		}
	}
	return e
}

// withoutAbsent returns e without the rows that some documents lack.
func withoutAbsent(e *Expectation) *Expectation {
	c := e.Corrected()
	for i := range c.Sections {
		s := &c.Sections[i]
		var ts []WantTable
		for j, t := range s.Subtables {
			if e.Sections[i].Subtables[j].Rows[0].Absent == "" {
				for k := range t.Rows {
					t.Rows[k].Said = e.Sections[i].Subtables[j].Rows[k].Said
				}
				ts = append(ts, t)
			}
		}
		s.Subtables = ts
		s.Said = e.Sections[i].Said
	}
	c.Types = e.Types
	return c
}

// A block is a part of a page: a title, a paragraph or a table.
type block struct {
	title, text string
	rows        [][]string
}

// blocks takes a page of RenderRST apart.
func blocks(rst []byte) []block {
	var bs []block
	lines := strings.Split(string(rst), "\n")
	reference := regexp.MustCompile(":ref:`([A-Za-z0-9]+)<[^>]*>`")
	for i := 0; i < len(lines); i++ {
		switch l := lines[i]; {
		case l == "":
		case l[0] == '+':
			var rows [][]string
			for ; lines[i] != ""; i++ {
				if lines[i][0] == '|' {
					cells := strings.Split(strings.Trim(lines[i], "|"), "|")
					for j := range cells {
						cells[j] = strings.TrimSpace(strings.ReplaceAll(cells[j], `\`, ""))
					}
					rows = append(rows, cells)
				}
			}
			bs = append(bs, block{rows: rows})
		case isUnderline(lines[i+1]):
			bs = append(bs, block{title: reference.ReplaceAllString(l, "$1")})
			i++
		default:
			bs = append(bs, block{text: l})
		}
	}
	return bs
}

// ukrainian translates the cells of a table as the translated pages do.
func ukrainian(rows [][]string) [][]string {
	back := func(cell, text string) string {
		for _, ps := range glossary.phrases {
			for _, p := range ps {
				// "Length" has two headings; the pages use the broken one.
				if p.Cell == cell && p.Means == text && (cell != "header" || p.Text != "Довжина") {
					return p.Text
				}
			}
		}
		return text
	}
	var out [][]string
	for i, r := range rows {
		cells := append([]string(nil), r...)
		for j := range cells {
			switch {
			case i == 0:
				cells[j] = back("header", cells[j])
			case len(cells) == 2 && j == 1:
				cells[j] = back("label", cells[j])
			case len(cells) == 4 && j == 0 && (strings.Contains(cells[j], "..") || strings.Contains(cells[j], "i")):
				cells[j] = "Довжина"
			case len(cells) == 4 && j >= 2:
				if cells[j] == "normal x" {
					cells[j] = "Normal X"
				}
				cells[j] = back(cellNames[j], cells[j])
			}
		}
		out = append(out, cells)
	}
	return out
}

// A form is a way to write a page.
type form struct {
	name   string
	exempt *regexp.Regexp // numbers of the scraping
	render func(e *Expectation) string
}

var forms = []form{
	{"plain reStructuredText", nil, func(e *Expectation) string { return string(RenderRST(e)) }},
	{"numbered lines", regexp.MustCompile(`^page\.rst.*|^[0-9]{20,}$|^ *[0-9]+\.`), func(e *Expectation) string {
		var b, run strings.Builder
		n := 0
		for _, l := range strings.Split(string(RenderRST(e)), "\n") {
			if l = strings.Join(strings.Fields(l), " "); l != "" {
				n++
				fmt.Fprint(&run, n)
				fmt.Fprintf(&b, "%3d. %s\n", n, l)
			}
		}
		return "page.rst 31 KB\n\n" + run.String() + "\n" + b.String()
	}},
	{"cells with bars", nil, func(e *Expectation) string {
		var b strings.Builder
		for _, bl := range blocks(RenderRST(e)) {
			switch {
			case bl.title != "":
				b.WriteString(bl.title + "¶\n")
			case bl.text != "":
				b.WriteString(strings.Replace(bl.text, " ", "\n", 1) + "\n")
			}
			for i, r := range ukrainian(bl.rows) {
				for _, c := range r {
					b.WriteString(c + " |\n")
				}
				if i == 0 {
					b.WriteString(strings.Repeat("---|", len(r)) + "\n")
				}
			}
		}
		return b.String()
	}},
	{"cells with bars, no titles", nil, func(e *Expectation) string {
		var b strings.Builder
		sections := 0
		for _, bl := range blocks(RenderRST(withoutAbsent(e))) {
			switch {
			case numberedTitle.MatchString(bl.title):
				if sections++; sections == 1 {
					b.WriteString(bl.title + "\n")
				}
			case bl.text != "":
				b.WriteString(bl.text + "\n")
			}
			for _, r := range ukrainian(bl.rows) {
				b.WriteString(strings.Join(r, " |\n") + " |\n")
			}
		}
		return b.String()
	}},
	{"cells between blank lines", nil, func(e *Expectation) string {
		var b strings.Builder
		for _, bl := range blocks(RenderRST(e)) {
			b.WriteString(bl.title + bl.text + "\n\n")
			for _, r := range bl.rows {
				b.WriteString(strings.Join(r, "\n\n") + "\n\n")
			}
		}
		return b.String()
	}},
	{"grids, some in one line", regexp.MustCompile(`^25 KiB$`), func(e *Expectation) string {
		var b strings.Builder
		b.WriteString("25 KiB\n")
		for n, bl := range blocks(RenderRST(e)) {
			if m := numberedTitle.FindStringSubmatch(bl.title); m != nil && !strings.Contains(bl.title, "(") {
				bl.title = fmt.Sprintf("%s: `%s( %s )`", m[1], m[2], strings.ToLower(m[2]))
			}
			b.WriteString(bl.title + bl.text)
			if n%3 == 0 && bl.title != "" {
				b.WriteString("\n~~~~~~~~")
			}
			sep := "\n"
			if n%2 == 0 {
				sep = " "
			}
			for i, r := range bl.rows {
				border := strings.Repeat("+-----", len(r)) + "+"
				if i == 0 {
					b.WriteString(border + sep)
				} else if i == 1 {
					b.WriteString(strings.ReplaceAll(border, "-", "=") + sep)
				} else {
					b.WriteString(border + sep)
				}
				b.WriteString("| " + strings.Join(r, " | ") + " |" + sep)
				if i == len(bl.rows)-1 {
					b.WriteString(border)
				}
			}
			b.WriteString("\n")
		}
		return b.String()
	}},
}

// audit parses and compares.
func audit(t *testing.T, text string, e *Expectation) *Report {
	t.Helper()
	doc, err := Parse("page", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return Compare(doc, e)
}

// rendering returns the text of a report.
func rendering(r *Report) string {
	var b strings.Builder
	r.WriteText(&b)
	return b.String()
}
