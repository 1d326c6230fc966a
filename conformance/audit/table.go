package audit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// roles are the headings of columns in documents other than the page of Godot, in
// lower case and without parentheses.
var roles = map[string]string{
	"offset": "offset", "byte offset": "offset", "byte": "offset", "position": "offset", "pos": "offset", "start": "offset", "address": "offset",
	"len": "len", "length": "len", "size": "len", "bytes": "len", "octets": "len", "width": "len",
	"type": "type", "data type": "type", "datatype": "type", "format": "type",
	"name": "name", "field": "name", "field name": "name", "row": "name",
	"description": "description", "meaning": "description", "contents": "description", "content": "description",
	"purpose": "description", "notes": "description", "comment": "description", "comments": "description", "value": "description",
}

var inParentheses = regexp.MustCompile(`\s*\([^)]*\)`)

// columnsOf returns the role of each column of a table by its head; "" is a column that
// is part of the description.
func columnsOf(head []cell) (found []string) {
	for _, c := range head {
		role, _ := headerName(c.text)
		if role == "" || role == "value" {
			role = roles[strings.ToLower(strings.TrimSpace(inParentheses.ReplaceAllString(plain(c.text), "")))]
		}
		if slices.Contains(found, role) {
			role = ""
		}
		found = append(found, role)
	}
	return found
}

// ofFields reports whether a table whose columns have these roles is one of fields.
func ofFields(found []string) bool {
	described := slices.Contains(found, "description") || slices.Contains(found, "name")
	return described && slices.Contains(found, "offset") && slices.Contains(found, "len")
}

// span is a place in bytes, or the first and the last of several: 4, 4-7, 4..7.
var span = regexp.MustCompile(`^([0-9]+|0[xX][0-9A-Fa-f]+)(?:\s*(?:-|–|—|\.\.|to)\s*([0-9]+|0[xX][0-9A-Fa-f]+))?$`)

// spanOf returns the first byte and the number of bytes of a span. Several is false for a single place.
func spanOf(text string) (first, n int64, several, ok bool) {
	m := span.FindStringSubmatch(plain(text))
	if m == nil {
		return 0, 0, false, false
	}
	first, err := strconv.ParseInt(m[1], 0, 32)
	last, err2 := first, error(nil)
	if several = m[2] != ""; several {
		last, err2 = strconv.ParseInt(m[2], 0, 32)
	}
	return first, last - first + 1, several, err == nil && err2 == nil && last >= first
}

// spans gives the rows of a table offsets and lengths if it has the first and the last byte of each, instead of a length or
// beside it. Rows have as many cells as the head. It returns the roles of the columns, with that of the length at their end if
// the table has no such column.
func spans(rows [][]cell, found []string) ([][]cell, []string) {
	at, sized := slices.Index(found, "offset"), slices.Contains(found, "len")
	if at < 0 && sized {
		at, sized = slices.Index(found, "len"), false
	}
	if at < 0 {
		return rows, found
	}
	ranges := false
	for _, r := range rows[1:] {
		if len(r) != len(rows[0]) {
			return rows, found
		}
		_, _, several, ok := spanOf(r[at].text)
		if !ok {
			return rows, found
		}
		ranges = ranges || several
	}
	if !ranges {
		return rows, found
	}
	found = slices.Clone(found)
	found[at] = "offset"
	if !sized {
		found = append(found, "len")
	}
	out := [][]cell{slices.Clip(rows[0])}
	if !sized {
		out[0] = append(out[0], cell{"Length", rows[0][0].line})
	}
	for _, r := range rows[1:] {
		first, n, _, _ := spanOf(r[at].text)
		r = slices.Clone(r)
		r[at].text = strconv.FormatInt(first, 10)
		if !sized {
			r = append(r, cell{strconv.FormatInt(n, 10), r[at].line})
		}
		out = append(out, r)
	}
	return out, found
}

// table reads a table of which the rows are known. The first is the head.
func (p *parser) table(rows [][]cell, caption string) {
	if k, glossed := headAt(rows[0]); k != noTable && len(rows[0]) == len(columns[k]) {
		p.startTable(k, rows[0][0].line, caption, glossed)
		for _, r := range rows[1:] {
			p.addRow(k, r)
		}
		return
	}
	rows, found := spans(rows, columnsOf(rows[0]))
	if !ofFields(found) {
		first := len(p.doc.Problems)
		for _, r := range rows {
			p.lost(r, "the head of this table is not one of the two that are known")
		}
		for i := range p.doc.Problems[first:] {
			p.doc.Problems[first+i].Other = true
		}
		return
	}
	p.startTable(fieldTable, rows[0][0].line, caption, nil)
	t := &p.section.Tables[len(p.section.Tables)-1]
	t.Columns = nil
	for _, name := range columns[fieldTable] {
		if slices.Contains(found, name) || name == "description" {
			t.Columns = append(t.Columns, name)
		}
	}
	for _, r := range rows[1:] {
		if len(r) != len(rows[0]) {
			p.addRow(fieldTable, r)
			continue
		}
		p.addRow(fieldTable, inOrder(r, found, rows[0]))
		t.Rows[len(t.Rows)-1].Name = cellOf(r, found, "name")
	}
}

func cellOf(r []cell, found []string, role string) string {
	if i := slices.Index(found, role); i >= 0 {
		return r[i].text
	}
	return ""
}

// inOrder returns the four cells of a row in the order of [Row]. Columns without a role
// are parts of the description, so that nothing of the row is lost. A row without a
// description is described by its name.
func inOrder(r []cell, found []string, head []cell) []cell {
	cells := make([]cell, len(columns[fieldTable]))
	for i := range cells {
		cells[i].line = r[0].line
	}
	for i, role := range found {
		if k := slices.Index(columns[fieldTable], role); k >= 0 {
			cells[k] = r[i]
		}
	}
	about := &cells[len(cells)-1]
	if about.text == "" {
		about.text = cellOf(r, found, "name")
	}
	for i, role := range found {
		if role == "" && r[i].text != "" {
			about.text = strings.TrimPrefix(about.text+"; "+plain(head[i].text)+": "+r[i].text, "; ")
		}
	}
	return cells
}

// markdownTable reads a table of Markdown: a head, a line of dashes, and a row a line.
func (p *parser) markdownTable() bool {
	head := rowCells(p.lines[p.i])
	if len(head) < 2 || p.i+1 >= len(p.lines) {
		return false
	}
	if dashes := p.lines[p.i+1].text; !strings.Contains(dashes, "|") || !headSeparator.MatchString(dashes) {
		return false
	}
	caption := p.captionAbove()
	rows := [][]cell{head}
	for p.i += 2; p.i < len(p.lines) && strings.Contains(p.lines[p.i].text, "|"); p.i++ {
		rows = append(rows, rowCells(p.lines[p.i]))
	}
	p.markdown = true
	p.table(rows, caption)
	p.caption = p.i
	return true
}

func rowCells(l line) []cell {
	var cells []cell
	for _, c := range splitCells(strings.TrimSuffix(strings.TrimPrefix(l.text, "|"), "|")) {
		cells = append(cells, cell{c, l.n})
	}
	return cells
}

var simpleBorder = regexp.MustCompile(`^=+(?:\s+=+)+$`)

// simpleTable reads a simple table of reStructuredText: columns between borders of "=",
// by their places in the line. A row without a first cell continues the one before it.
func (p *parser) simpleTable() bool {
	if !simpleBorder.MatchString(p.lines[p.i].text) {
		return false
	}
	border := p.lines[p.i]
	end, borders := p.i+1, 1
	for ; end < len(p.lines) && borders < 3; end++ {
		if simpleBorder.MatchString(p.lines[end].text) {
			borders++
		} else if p.lines[end].text == "" && borders > 1 {
			break
		}
	}
	if borders < 3 {
		return false
	}
	var starts []int
	for _, m := range regexp.MustCompile(`=+`).FindAllStringIndex(border.raw, -1) {
		starts = append(starts, m[0])
	}
	caption := p.captionAbove()
	var rows [][]cell
	for _, l := range p.lines[p.i+1 : end] {
		if l.text == "" || simpleBorder.MatchString(l.text) {
			continue
		}
		var r []cell
		for k, from := range starts {
			to := len(l.raw)
			if k+1 < len(starts) {
				to = min(to, starts[k+1])
			}
			r = append(r, cell{strings.TrimSpace(l.raw[min(from, to):to]), l.n})
		}
		if last := len(rows) - 1; r[0].text == "" && last > 0 {
			for k := range r {
				rows[last][k].text = strings.TrimSpace(rows[last][k].text + " " + r[k].text)
			}
			continue
		}
		rows = append(rows, r)
	}
	p.i = end
	p.grid = true
	p.table(rows, caption)
	p.caption = p.i
	return true
}

// cellsUnder splits a row of a grid table at the bars below the corners of a border, so that
// a cell may contain bars. A row that has other bars is split at each.
func cellsUnder(border, row string) []string {
	rs, corners := []rune(row), []rune(border)
	var cells []string
	from := 1
	for i := 1; len(rs) == len(corners) && i < len(rs); i++ {
		if corners[i] != '+' {
			continue
		}
		if rs[i] != '|' {
			cells = nil
			break
		}
		cells = append(cells, strings.TrimSpace(strings.ReplaceAll(string(rs[from:i]), `\|`, "|")))
		from = i + 1
	}
	if cells == nil {
		return splitCells(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"))
	}
	return cells
}
