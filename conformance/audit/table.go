package audit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/conformance/internal/pattern"
)

// roles are the headings of columns in documents other than the page of Godot, in
// lower case and without parentheses.
var roles = map[string]string{
	"offset": "offset", "byte offset": "offset", "byte": "offset", "position": "offset", "pos": "offset", "start": "offset", "address": "offset",
	"len": "len", "length": "len", "size": "len", "bytes": "len", "octets": "len", "width": "len",
	"type": "type", "data type": "type", "datatype": "type", "field type": "type", "format": "type",
	"name": "name", "field": "name", "field name": "name", "row": "name",
	"description": "description", "meaning": "description", "contents": "description", "content": "description",
	"purpose": "description", "notes": "description", "comment": "description", "comments": "description", "value": "description",
	"what": "description", "details": "description", "remarks": "description", "explanation": "description",
}

// unitOfHead is the unit behind the name of a column.
var unitOfHead = pattern.New(`\s+(?:in\s+)?(?:dec|decimal|hex|hexadecimal|bytes|bits)$`)

var inParentheses = pattern.New(`\s*\([^)]*\)`)

// columnsOf returns the role of each column of a table by its head. The role "" is that of a column
// that is part of the description. A column of values is one if another column describes the rows. A column of contents
// then has the names, unless another column has them.
func columnsOf(head []cell) (found []string) {
	is := func(c cell, words ...string) bool { return slices.Contains(words, strings.ToLower(plain(c.text))) }
	value := func(c cell) bool { return is(c, "value") }
	contents := func(c cell) bool { return is(c, "contents", "content") }
	describes := func(but func(cell) bool) bool {
		return slices.ContainsFunc(head, func(c cell) bool { return roleOf(c.text) == "description" && !value(c) && !but(c) })
	}
	described := describes(value)
	named := !describes(contents) || slices.ContainsFunc(head, func(c cell) bool { return roleOf(c.text) == "name" })
	for _, c := range head {
		role := roleOf(c.text)
		if contents(c) && !named {
			role = "name"
		}
		if slices.Contains(found, role) || described && value(c) {
			role = ""
		}
		found = append(found, role)
	}
	return found
}

// roleOf returns the role of a column by its head.
func roleOf(head string) string {
	if role, _ := headerName(head); role != "" && role != "value" {
		return role
	}
	text := strings.ToLower(strings.TrimSpace(inParentheses.ReplaceAllString(plain(head), "")))
	return roles[strings.TrimSpace(unitOfHead.ReplaceAllString(text, ""))]
}

// ofFields reports whether a table whose columns have these roles is one of fields.
func ofFields(found []string) bool {
	return describes(found) && slices.Contains(found, "offset") && slices.Contains(found, "len")
}

// describes reports whether a column has descriptions or names.
func describes(found []string) bool {
	return slices.Contains(found, "description") || slices.Contains(found, "name")
}

// span is a place in bytes, or the first and the last of several: 4, 4-7, 4..7.
var span = pattern.New(`^([0-9]+|0[xX][0-9A-Fa-f]+)(?:\s*(?:-|–|—|\.\.|to)\s*([0-9]+|0[xX][0-9A-Fa-f]+))?$`)

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

var (
	byteHead    = pattern.New(`(?i)^byte$`)
	andMore     = pattern.New(`^([0-9]+|0[xX][0-9A-Fa-f]+) ?(?:\+|\.\.+|…|-|–)$`)
	hexHead     = pattern.New(`(?i)\bhex`)
	bitsHead    = pattern.New(`(?i)\bbits\b`)
	hexDigits   = pattern.New(`^[0-9A-Fa-f]+$`)
	hexSuffix   = pattern.New(`^\+?([0-9][0-9A-Fa-f]*)[hH]$`)
	signedAt    = pattern.New(`^\+\s*([0-9]+|0[xX][0-9A-Fa-f]+)$`)
	bytesLength = pattern.New(`^([0-9]+ ?|[A-Za-z_]\w* )(?:B|[bB]ytes?|[oO]ctets?)$`)
	bitsLength  = pattern.New(`^([0-9]+)[ -]bits?$`)
)

// measures writes places in decimal and lengths in bytes. A table may have them in hexadecimal digits, in bits, or as
// the name of a number, such as DWORD.
func measures(rows [][]cell, found []string) [][]cell {
	at, length := slices.Index(found, "offset"), slices.Index(found, "len")
	out := [][]cell{rows[0]}
	for _, r := range rows[1:] {
		if r = slices.Clone(r); len(r) == len(rows[0]) {
			if at >= 0 {
				r[at].text = placeText(r[at].text, hexHead.MatchString(rows[0][at].text))
			}
			if length >= 0 {
				r[length].text = lengthText(r[length].text, rows[0][length].text)
			}
		}
		out = append(out, r)
	}
	return out
}

// placeText returns a place in decimal if it is in hexadecimal digits.
func placeText(text string, digits bool) string {
	hex := plain(text)
	if strings.Contains(text, "`") && span.MatchString(hex) {
		text = hex
	}
	switch m := hexSuffix.FindStringSubmatch(hex); {
	case m != nil:
		hex = m[1]
	case signedAt.MatchString(hex):
		return signedAt.FindStringSubmatch(hex)[1]
	case !digits || !hexDigits.MatchString(hex):
		return text
	}
	n, err := strconv.ParseInt(hex, 16, 32)
	if err != nil {
		return text
	}
	return strconv.FormatInt(n, 10)
}

// lengthText returns a length in bytes if it is in bits, or the name of a number.
func lengthText(text, head string) string {
	bits := plain(text)
	if n := bytesOf(strings.ToLower(bits)); n > 0 {
		return strconv.Itoa(n)
	}
	if m := bytesLength.FindStringSubmatch(bits); m != nil {
		return strings.TrimSpace(m[1])
	}
	if m := bitsLength.FindStringSubmatch(bits); m != nil {
		bits = m[1]
	} else if !bitsHead.MatchString(head) {
		return text
	}
	if n, err := strconv.ParseUint(bits, 10, 31); err == nil && n%8 == 0 && n > 0 {
		return strconv.FormatUint(n/8, 10)
	}
	return text
}

// bytesOf returns the bytes of a number by its name in C and in assemblers. It returns 0 if it is no such name. A long
// has 4. A name of two letters is that of a length.
func bytesOf(name string) int {
	if name == "long" {
		return 4
	}
	if n := NamedType(name); n != nil && n.Count == 0 && !n.Type.Truth && len(name) > 2 {
		return n.Bytes()
	}
	return 0
}

// spans gives the rows of a table offsets and lengths. The table must have the first and the last byte of each row.
// These may be in place of a length or beside it. Rows have as many cells as the head. It returns the roles of the
// columns, with that of the length at their end if the table has no such column.
func spans(rows [][]cell, found []string) ([][]cell, []string) {
	at, sized := slices.Index(found, "offset"), slices.Contains(found, "len")
	if at < 0 && sized {
		at, sized = slices.Index(found, "len"), false
	}
	if at < 0 {
		return rows, found
	}
	ranges := !sized && byteHead.MatchString(plain(rows[0][at].text))
	for _, r := range rows[1:] {
		if len(r) != len(rows[0]) {
			return rows, found
		}
		_, _, several, _ := spanOf(r[at].text)
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
		first, n, several, ok := spanOf(r[at].text)
		r = slices.Clone(r)
		length := "" // of "4…", which is up to the end
		if ok {
			r[at].text, length = strconv.FormatInt(first, 10), strconv.FormatInt(n, 10)
		}
		if !sized {
			r = append(r, cell{length, r[at].line})
		} else if at := slices.Index(found, "len"); several && r[at].text == "" {
			r[at].text = length
		}
		out = append(out, r)
	}
	return out, found
}

// sizes gives the rows of a table without a column of lengths those of their types. At least one type must have a
// length. In a table that has no offsets either, most types must have one and the rows must have names: then each row is behind
// the one before. It returns the roles of the columns, with that of the length at their end.
func sizes(rows [][]cell, found []string) ([][]cell, []string) {
	at, turn := slices.Index(found, "type"), !slices.Contains(found, "offset")
	if at < 0 || slices.Contains(found, "len") || !describes(found) || turn && !slices.Contains(found, "name") {
		return rows, found
	}
	known := 0
	out, ok := withColumn(rows, "Length", func(r []cell) string {
		n := NamedType(r[at].text)
		if n == nil || n.Count < 0 {
			return ""
		}
		known++
		return strconv.Itoa(n.Bytes())
	})
	if !ok || known == 0 || turn && 2*known < len(rows) {
		return rows, found
	}
	return out, append(slices.Clip(found), "len")
}

// withColumn adds a column to a table. It fails if a row has another number of cells than the head.
func withColumn(rows [][]cell, head string, text func(r []cell) string) (out [][]cell, ok bool) {
	for i, r := range rows {
		if len(r) != len(rows[0]) {
			return nil, false
		}
		c := cell{head, r[0].line}
		if i > 0 {
			c.text = text(r)
		}
		out = append(out, append(slices.Clip(r), c))
	}
	return out, true
}

// begun gives rows of a table whose bytes go on the place where they begin. These are rows such as those from 4+ or 4….
func begun(rows [][]cell, found []string) [][]cell {
	at := slices.Index(found, "offset")
	out := slices.Clone(rows)
	for i, r := range rows {
		if i > 0 && 0 <= at && at < len(r) {
			if m := andMore.FindStringSubmatch(plain(r[at].text)); m != nil {
				out[i] = slices.Clone(r)
				out[i][at].text = m[1]
			}
		}
	}
	return out
}

// inTurn gives a table of lengths without a column of offsets one without text. That means that each row is behind the
// one before.
func inTurn(rows [][]cell, found []string) ([][]cell, []string) {
	at := slices.Index(found, "len")
	if at < 0 || slices.Contains(found, "offset") || !describes(found) {
		return rows, found
	}
	numbers := 0
	out, ok := withColumn(rows, "Offset", func(r []cell) string {
		if _, err := strconv.ParseUint(plain(r[at].text), 0, 31); err == nil {
			numbers++
		}
		return ""
	})
	if !ok || 2*numbers < len(rows) {
		return rows, found
	}
	return out, append(slices.Clip(found), "offset")
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
	found := columnsOf(rows[0])
	sized := !slices.Contains(found, "len")
	rows, found = spans(measures(rows, found), found)
	rows = begun(rows, found)
	turn := !slices.Contains(found, "offset")
	rows, found = sizes(rows, found)
	rows, found = inTurn(rows, found)
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
	t.Columns, t.Sized = nil, sized
	for _, name := range columns[fieldTable] {
		if slices.Contains(found, name) && (name != "offset" || !turn) || name == "description" {
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
		if role == "" && r[i].text != "" && !repeats(r, found, head, i) {
			about.text = strings.TrimPrefix(about.text+"; "+plain(head[i].text)+": "+r[i].text, "; ")
		}
	}
	return cells
}

// repeats reports whether a cell has the same number as another column of the same name. An example is a size in
// decimal and in hexadecimal.
func repeats(r []cell, found []string, head []cell, i int) bool {
	k := slices.Index(found, roleOf(head[i].text))
	if k < 0 {
		return false
	}
	a, n, _, ok := spanOf(r[i].text)
	b, m, _, same := spanOf(r[k].text)
	return ok && same && a == b && n == m
}

// markdownTable reads a table of Markdown: a head, a line of dashes, and a row a line.
func (p *parser) markdownTable() bool {
	head := rowCells(p.lines[p.i])
	if len(head) < 2 || p.i+1 >= len(p.lines) {
		return false
	}
	if dashes := p.lines[p.i+1].text; !strings.Contains(dashes, "|") || !underHead.MatchString(dashes) {
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

var simpleBorder = pattern.New(`^=+(?:\s+=+)+$`)

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

// cellsUnder splits a row of a grid table at the bars below the corners of a border. So a
// cell may contain bars. A row that has other bars is split at each.
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
