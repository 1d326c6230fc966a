package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/dsl/schema"
)

// maxDocument is the size from which Parse refuses a text. The page is a
// few dozen kilobytes in every form.
const maxDocument = 8 << 20

// Parse reads a document. The name is used in messages only. The form of the
// document is found out from the text, see the package documentation.
//
// Damage in a document that is otherwise readable does not make Parse fail;
// it is listed in [Document.Problems]. The error is for texts that are not a
// document of this kind at all.
func Parse(name string, text []byte) (*Document, error) {
	if len(text) > maxDocument {
		return nil, fmt.Errorf("%s: the document has %d bytes, more than the %d that are read; is this the right file?",
			name, len(text), maxDocument)
	}
	if !utf8.Valid(text) {
		line, rest := 1, text
		for len(rest) > 0 {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				break
			}
			if r == '\n' {
				line++
			}
			rest = rest[n:]
		}
		return nil, fmt.Errorf("%s:%d: the document is not UTF-8 text; convert it to UTF-8 first", name, line)
	}
	p := parser{doc: &Document{Name: name, Intro: Section{Number: -1}}}
	p.section = &p.doc.Intro
	if isHTML(text) {
		p.parseHTML(text)
	} else {
		p.readLines(text)
		p.parse()
	}
	p.doc.Form = p.form()
	if len(p.doc.Types) == 0 && p.doc.FieldRows() == 0 {
		return nil, fmt.Errorf("%s: the document has neither a table of type ids (columns Type and Value) "+
			"nor a table of fields (columns Offset, Len, Type and Description, of which some may be missing); "+
			"is this the document of a binary format?", name)
	}
	return p.doc, nil
}

// A line is a line of the document without white space around it.
type line struct {
	n     int
	text  string
	raw   string // with the white space before it
	title bool   // marked as a title by a pilcrow
}

type parser struct {
	doc     *Document
	section *Section
	lines   []line
	i       int // next line
	caption int // index of the first line that can belong to a caption
	heading string

	numbered, grid, joined, pipes, blank, markdown, html bool // forms seen
}

var (
	printedNumber = pattern.New(`^[0-9]{1,6}\.(?:\s+|$)`)
	fileSize      = pattern.New(`^(?:[A-Za-z_.-]+\s+)?[0-9]+(?:\.[0-9]+)?\s*(?:B|KB|KiB|MB|MiB)$`)
	numberedTitle = pattern.New(`^([0-9]+):\s*(\S.*)$`)
	partBorder    = pattern.New(`^\+[-=]{2,}\+.*\|$`)
	borderInLine  = pattern.New(`\+[-=]{2}[-=+]*\+`)
	headSeparator = pattern.New(`^\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)*\|?$`)
	underHead     = pattern.New(`^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$`) // of a table of Markdown
)

// readLines splits the text into lines and takes off what the scraping added.
// That is pilcrows, printed line numbers, and a file size at the top.
func (p *parser) readLines(text []byte) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	var filled, numbered int
	for i, s := range strings.Split(string(text), "\n") {
		s = strings.Map(func(r rune) rune {
			switch {
			case r == '\u200B' || r == '\uFEFF':
				return -1
			case unicode.IsSpace(r):
				return ' '
			}
			return r
		}, s)
		l := line{n: i + 1, text: strings.TrimSpace(s), raw: s}
		if t, ok := strings.CutSuffix(l.text, "¶"); ok {
			l.text, l.title = strings.TrimSpace(t), true
		}
		if l.text != "" {
			filled++
			if printedNumber.MatchString(l.text) {
				numbered++
			}
		}
		p.lines = append(p.lines, l)
	}
	p.numbered = numbered >= 10 && numbered*10 >= filled*6
	top := true
	for i := range p.lines {
		l := &p.lines[i]
		switch {
		case l.text == "":
		case top && fileSize.MatchString(l.text):
			l.text = ""
		case p.numbered && top && len(l.text) > 20 && strings.Trim(l.text, "0123456789") == "":
			l.text = "" // all printed line numbers in one run
		case p.numbered && printedNumber.MatchString(l.text):
			l.text = l.text[len(printedNumber.FindString(l.text)):]
			top = false
		default:
			top = false
		}
	}
}

func (p *parser) form() string {
	var parts []string
	add := func(seen bool, what string) {
		if seen {
			parts = append(parts, what)
		}
	}
	add(p.numbered, "numbered lines")
	add(p.grid, "grid tables")
	add(p.joined, "grid tables in one line")
	add(p.pipes, "one cell a line with |")
	add(p.blank, "one cell a line")
	add(p.markdown, "Markdown")
	add(p.html, "HTML")
	if len(p.doc.Sections) < 2 {
		parts = append(parts, "without section titles")
	}
	return strings.Join(parts, ", ")
}

func (p *parser) problem(line int, format string, args ...any) {
	p.doc.Problems = append(p.doc.Problems, Problem{Line: line, Text: fmt.Sprintf(format, args...)})
}

// parse goes through the lines and hands each to what it belongs to.
func (p *parser) parse() {
	for p.i < len(p.lines) {
		l := p.lines[p.i]
		switch {
		case l.text == "":
			p.i++
		case isBorder(l.text):
			p.gridTable()
		case strings.HasPrefix(l.text, "+--") && strings.Contains(l.text, "|"):
			p.joinedTable()
		case p.markdownTable():
		case isCells(l.text):
			p.cellRun()
		case p.simpleTable():
		case p.plainTable():
		case isUnderline(l.text):
			p.i++
		default:
			p.proseOrTitle(l)
			p.i++
		}
	}
}

var atx = pattern.New(`^#{1,6}\s+(\S.*?)(?:\s+#+)?$`)

// proseOrTitle reads a line that is in no table.
func (p *parser) proseOrTitle(l line) {
	if m := atx.FindStringSubmatch(l.text); m != nil {
		l.text, l.title = m[1], true
	}
	if m := numberedTitle.FindStringSubmatch(l.text); m != nil {
		p.title(l, m[1], m[2])
		return
	}
	if l.title || p.i+1 < len(p.lines) && isUnderline(p.lines[p.i+1].text) {
		p.heading = plain(l.text)
	} else if name, _ := headerName(l.text); name != "" && l.text != strings.ToLower(l.text) {
		p.problem(l.n, "%q looks like the head of a table, but the table is not complete", l.text)
	}
	p.section.Prose = append(p.section.Prose, ProseLine{l.n, l.text})
}

// title starts a section.
func (p *parser) title(l line, number, text string) {
	n, err := strconv.Atoi(number)
	if err != nil || len(number) > 1 && number[0] == '0' {
		p.problem(l.n, "the section number %s is not a number as ids are written", number)
		n = -1
	}
	name, target := readTitle(text)
	p.doc.Sections = append(p.doc.Sections,
		Section{Number: n, Title: name, Target: target, Raw: l.text, Line: l.n})
	p.section = &p.doc.Sections[len(p.doc.Sections)-1]
	p.caption, p.heading = p.i+1, name
}

var (
	rstReference = pattern.New(`^([^<]*[^<\s])\s*<class_([^>]*)>(.*)$`)
	callLike     = pattern.New(`^([A-Za-z0-9_]+)\(\s*([A-Za-z0-9_]+)\s*\)(.*)$`)
)

// readTitle separates the name in a title from the class it refers to.
func readTitle(text string) (name, target string) {
	text = plain(strings.ReplaceAll(text, ":ref:", ""))
	for _, re := range []*pattern.Pattern{rstReference, callLike} {
		if m := re.FindStringSubmatch(text); m != nil {
			return plain(m[1] + " " + m[3]), m[2]
		}
	}
	return text, ""
}

// captionAbove returns the sentence or subtitle above the current line.
func (p *parser) captionAbove() string {
	text := ""
	for i := p.i - 1; i >= p.caption; i-- {
		l := p.lines[i]
		if l.text == "" || isUnderline(l.text) {
			if text != "" {
				break
			}
			continue
		}
		if strings.HasSuffix(l.text, ".") {
			break
		}
		if m := atx.FindStringSubmatch(l.text); m != nil {
			l.text = m[1]
		}
		text = l.text + " " + text
	}
	return strings.TrimSpace(text)
}

// A cell is a cell of a table with its line.
type cell struct {
	text string
	line int
}

// A kind is the kind of a table, by its columns.
type kind int

const (
	noTable kind = iota
	typeTable
	fieldTable
)

var columns = map[kind][]string{
	typeTable:  {"type", "value"},
	fieldTable: {"offset", "len", "type", "description"},
}

// headAt reports whether cells begin with a head of a table.
func headAt(cells []cell) (kind, []Glossed) {
	for _, k := range []kind{fieldTable, typeTable} {
		names := columns[k]
		if len(cells) < len(names) {
			continue
		}
		var glossed []Glossed
		matched := 0
		for i, name := range names {
			got, ph := headerName(cells[i].text)
			if got != name {
				break
			}
			if ph != nil && ph.Erratum != "" {
				glossed = append(glossed, Glossed{cells[i].line, ph.Text, ph.Means, ph.Erratum})
			}
			matched++
		}
		if matched == len(names) {
			return k, glossed
		}
	}
	return noTable, nil
}

// startTable begins a table whose head is on the given line.
func (p *parser) startTable(k kind, line int, caption string, glossed []Glossed) {
	p.doc.Glossed = append(p.doc.Glossed, glossed...)
	if k == fieldTable {
		p.section.Tables = append(p.section.Tables, Table{Line: line, Caption: caption, Heading: p.heading, Columns: columns[k]})
	}
}

// addRow adds a row to the last table of the kind, unless it is empty.
func (p *parser) addRow(k kind, cells []cell) {
	want := len(columns[k])
	if !slices.ContainsFunc(cells, func(c cell) bool { return c.text != "" }) {
		return
	}
	if len(cells) != want {
		p.problem(cells[0].line, "the table row has %d cells instead of %d: %s", len(cells), want, join(cells))
		// Cells that do not fit into the row must not be lost.
		for _, c := range cells[min(want, len(cells)):] {
			p.section.Prose = append(p.section.Prose, ProseLine{c.line, c.text})
		}
	}
	cells = append(cells[:min(want, len(cells)):min(want, len(cells))], make([]cell, max(0, want-len(cells)))...)
	switch k {
	case typeTable:
		p.doc.Types = append(p.doc.Types, TypeRow{
			ID: cells[0].text, Label: cells[1].text, Line: cells[0].line,
			LabelLine: cells[1].line, Row: len(p.doc.Types) + 1})
	case fieldTable:
		t := &p.section.Tables[len(p.section.Tables)-1]
		r := Row{Offset: cells[0].text, Length: cells[1].text, Type: cells[2].text,
			Description: cells[3].text, Line: cells[0].line, Row: len(t.Rows) + 1}
		for i, c := range cells {
			r.Lines[i] = c.line
		}
		t.Rows = append(t.Rows, r)
	}
}

func join(cells []cell) string {
	var texts []string
	for _, c := range cells {
		texts = append(texts, strconv.Quote(c.text))
	}
	return strings.Join(texts, ", ")
}

// lost keeps the text of cells that belong to no table as prose, so that
// their numbers are noticed.
func (p *parser) lost(cells []cell, why string) {
	if len(cells) == 0 {
		return
	}
	p.problem(cells[0].line, "%s: %s", why, join(cells[:min(4, len(cells))]))
	for _, c := range cells {
		p.section.Prose = append(p.section.Prose, ProseLine{c.line, c.text})
	}
}

// stream reads cells that come one after the other, without marks where a
// row or a table begins.
func (p *parser) stream(cells []cell, caption string) {
	k := noTable
	for len(cells) > 0 {
		if next, glossed := headAt(cells); next != noTable {
			k = next
			p.startTable(k, cells[0].line, caption, glossed)
			caption = ""
			cells = cells[len(columns[k]):]
			continue
		}
		if k == noTable {
			n := 1
			for n < len(cells) {
				if next, _ := headAt(cells[n:]); next != noTable {
					break
				}
				n++
			}
			p.lost(cells[:n], "table cells are before any head of a table")
			cells = cells[n:]
			continue
		}
		n := 1
		for n < len(columns[k]) && n < len(cells) {
			if next, _ := headAt(cells[n:]); next != noTable {
				break
			}
			n++
		}
		p.addRow(k, cells[:n])
		cells = cells[n:]
	}
}

// isCells reports whether a line holds cells marked by "|".
func isCells(text string) bool {
	return strings.HasSuffix(text, "|") || strings.HasPrefix(text, "|")
}

// cellRun reads lines that hold cells marked by "|" until some other line.
func (p *parser) cellRun() {
	caption := p.captionAbove()
	var cells []cell
	for ; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if l.text == "" {
			continue
		}
		if strings.Contains(l.text, "|") && headSeparator.MatchString(l.text) {
			continue
		}
		if !isCells(l.text) {
			break
		}
		text := l.text
		if text != "|" {
			text = strings.TrimPrefix(text, "|")
		}
		for _, c := range splitCells(strings.TrimSuffix(text, "|")) {
			cells = append(cells, cell{c, l.n})
		}
	}
	p.pipes = true
	p.stream(cells, caption)
	p.caption = p.i
}

// splitCells splits a line at each "|" that has no backslash before it.
func splitCells(text string) []string {
	var cells []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '|':
			b.WriteByte('|')
			i++
		case text[i] == '|':
			cells = append(cells, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	return append(cells, strings.TrimSpace(b.String()))
}

// plainTable reads a table whose cells are separate lines without any mark. The
// current line must be the first cell of the table's head.
func (p *parser) plainTable() bool {
	// next returns up to n cells from line i on and the line after them.
	next := func(i, n int) ([]cell, int) {
		var cells []cell
		for ; i < len(p.lines) && len(cells) < n; i++ {
			l := p.lines[i]
			if l.text == "" {
				continue
			}
			if isCells(l.text) || isBorder(l.text) || l.title || numberedTitle.MatchString(l.text) {
				break
			}
			cells = append(cells, cell{l.text, l.n})
		}
		return cells, i
	}
	if name, _ := headerName(p.lines[p.i].text); name == "" {
		return false
	}
	head, after := next(p.i, 4)
	k, glossed := headAt(head)
	if k == noTable {
		return false
	}
	if len(columns[k]) < len(head) {
		_, after = next(p.i, len(columns[k]))
	}
	p.startTable(k, p.lines[p.i].n, p.captionAbove(), glossed)
	p.blank = true
	for p.i = after; p.i < len(p.lines); {
		if ahead, _ := next(p.i, 4); len(ahead) == 0 || !startsRow(k, ahead[0].text) {
			break
		}
		cells, end := next(p.i, len(columns[k]))
		for n := 1; n < len(cells); n++ {
			ahead, _ := next(indexOf(p.lines, cells[n].line), 4)
			if h, _ := headAt(ahead); h != noTable {
				cells, end = next(p.i, n)
				break
			}
		}
		p.addRow(k, cells)
		p.i = end
	}
	p.caption = p.i
	return true
}

// indexOf returns the index of the line with number n.
func indexOf(lines []line, n int) int { return n - lines[0].n }

// startsRow reports whether text can be the first cell of a row.
func startsRow(k kind, text string) bool {
	if k == typeTable {
		return strings.Trim(text, "0123456789") == ""
	}
	if len(glossary.phrases[[2]string{"offset", text}]) > 0 {
		return true
	}
	pl, err := parsePlace(text)
	if err != nil {
		return false
	}
	for _, l := range []schema.Linear{pl.from, pl.to} {
		for v := range l.Coef {
			if v != arrayLength && !(len(v) <= 1 && strings.Contains("XYZWin", v)) {
				return false // a word of prose
			}
		}
	}
	return true
}

// isBorder reports whether a line is a border of a grid table.
func isBorder(text string) bool {
	return len(text) > 3 && text[0] == '+' && strings.Trim(text, "+-=") == "" && strings.ContainsAny(text, "-=")
}

// isUnderline reports whether a line underlines a title.
func isUnderline(text string) bool {
	return len(text) >= 3 && strings.ContainsRune("=-~^\"'`#*+", rune(text[0])) &&
		strings.Trim(text, text[:1]) == ""
}

// gridTable reads a grid table in separate lines.
func (p *parser) gridTable() {
	caption := p.captionAbove()
	var pieces []string // borders and rows
	var nums []int
	for ; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if !isBorder(l.text) && !strings.HasPrefix(l.text, "|") && !partBorder.MatchString(l.text) {
			break
		}
		// Two borders in a row separate tables that touch each other.
		if n := len(pieces); n > 1 && isBorder(l.text) && isBorder(pieces[n-1]) {
			break
		}
		pieces, nums = append(pieces, l.text), append(nums, l.n)
	}
	p.grid = true
	p.gridRows(pieces, nums, caption)
	p.caption = p.i
}

// joinedTable reads a grid table that was joined into one line.
func (p *parser) joinedTable() {
	l := p.lines[p.i]
	var pieces []string
	var nums []int
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			pieces, nums = append(pieces, s), append(nums, l.n)
		}
	}
	at := 0
	for _, m := range borderInLine.FindAllStringIndex(l.text, -1) {
		add(l.text[at:m[0]])
		add(l.text[m[0]:m[1]])
		at = m[1]
	}
	add(l.text[at:])
	p.joined = true
	caption := p.captionAbove()
	p.i++
	p.gridRows(pieces, nums, caption)
	p.caption = p.i
}

// gridRows reads the borders and rows of one grid table.
func (p *parser) gridRows(pieces []string, nums []int, caption string) {
	if g := gridOf(pieces); g != nil {
		p.table(unmerge(g.cells(nums)), caption)
		return
	}
	var rows [][]cell
	fresh := true // the next line starts a row
	border := ""
	for i, s := range pieces {
		if isBorder(s) {
			fresh, border = true, s
			continue
		}
		if len(s) < 2 || s[0] != '|' || s[len(s)-1] != '|' {
			p.problem(nums[i], "a line of a grid table does not start and end with |: %q", s)
		}
		var cells []cell
		for _, c := range cellsUnder(border, s) {
			cells = append(cells, cell{c, nums[i]})
		}
		if last := len(rows) - 1; !fresh && len(rows[last]) == len(cells) {
			// The row goes on in a further line.
			for j, c := range cells {
				rows[last][j].text = strings.TrimSpace(rows[last][j].text + " " + c.text)
			}
			continue
		}
		rows = append(rows, cells)
		fresh = false
	}
	if len(rows) == 0 {
		p.problem(nums[0], "a grid table has no rows")
		return
	}
	p.table(rows, caption)
}
