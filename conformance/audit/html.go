package audit

import (
	"bytes"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/octable/octable/conformance/internal/pattern"
)

var tableTag = pattern.New(`(?i)<table\b`)

// isHTML reports whether a document is HTML: it has a table in tags.
func isHTML(text []byte) bool { return tableTag.Match(text) }

// An htmlPage reads the tokens of a document in HTML and gives titles, prose and tables to
// the parser. The line of a cell is that of its tag.
type htmlPage struct {
	*parser
	line   int // of the token
	tables []*htmlTable
	block  strings.Builder // text since the last tag that ends a block
	start  int             // line of the block
	above  string          // the block before, which may be the caption of a table
	title  bool            // the block is a title
	skip   int             // depth in elements without text
}

type htmlTable struct {
	rows    [][]mergedCell
	open    bool // a cell is open
	head    bool // in the head of the table
	caption string
}

// parseHTML reads a document in HTML.
func (p *parser) parseHTML(text []byte) {
	h := htmlPage{parser: p, line: 1}
	p.html = true
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := z.Raw()
		lines := bytes.Count(raw, []byte("\n"))
		switch kind {
		case html.TextToken:
			if h.skip == 0 {
				h.text(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			h.startTag(atom.Lookup(name), z)
		case html.EndTagToken:
			name, _ := z.TagName()
			h.endTag(atom.Lookup(name))
		}
		h.line += lines
	}
	for len(h.tables) > 0 {
		h.endTag(atom.Table)
	}
	h.endBlock()
}

// text adds text to the cell or the block that is open.
func (h *htmlPage) text(s string) {
	if n := len(h.tables); n > 0 && h.tables[n-1].open {
		t := h.tables[n-1]
		r := t.rows[len(t.rows)-1]
		r[len(r)-1].text += s
		return
	}
	if h.block.Len() == 0 {
		h.start = h.line
		trimmed := strings.TrimLeft(s, " \t\r\n")
		h.start += strings.Count(s[:len(s)-len(trimmed)], "\n")
		s = trimmed
	}
	h.block.WriteString(s)
}

// endBlock gives the text of a block to the parser.
func (h *htmlPage) endBlock() {
	text := clean(h.block.String())
	h.block.Reset()
	title := h.title
	h.title = false
	if text == "" {
		return
	}
	h.above = text
	switch m := numberedTitle.FindStringSubmatch(text); {
	case title && m != nil:
		h.parser.title(line{n: h.start, text: text}, m[1], m[2])
		h.above = ""
		return
	case title:
		h.heading, h.above = text, ""
	}
	h.section.Prose = append(h.section.Prose, ProseLine{h.start, text})
}

// clean returns text in one line, without marks of permanent links.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\u200B' || r == '\uFEFF' || r == '¶' {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func (h *htmlPage) startTag(a atom.Atom, z *html.Tokenizer) {
	switch a {
	case atom.Script, atom.Style, atom.Head:
		h.skip++
	case atom.Table:
		caption := clean(h.block.String())
		h.endBlock()
		if caption == "" {
			caption = h.above
		}
		if strings.HasSuffix(caption, ".") {
			caption = ""
		}
		h.above = ""
		h.tables = append(h.tables, &htmlTable{caption: caption})
	case atom.Tr:
		if n := len(h.tables); n > 0 {
			h.tables[n-1].open = false
			h.tables[n-1].rows = append(h.tables[n-1].rows, nil)
		}
	case atom.Td, atom.Th:
		n := len(h.tables)
		if n == 0 {
			return
		}
		t := h.tables[n-1]
		if len(t.rows) == 0 {
			t.rows = append(t.rows, nil)
		}
		last := &t.rows[len(t.rows)-1]
		c := mergedCell{cell: cell{"", h.line}, rows: 1, cols: 1, head: a == atom.Th || t.head}
		for more := true; more; {
			var key, value []byte
			key, value, more = z.TagAttr()
			n, err := strconv.Atoi(string(value))
			switch {
			case err != nil || n < 1:
			case string(key) == "rowspan":
				c.rows = n
			case string(key) == "colspan":
				c.cols = n
			}
		}
		*last = append(*last, c)
		t.open = true
	case atom.Thead, atom.Tbody:
		if n := len(h.tables); n > 0 {
			h.tables[n-1].head = a == atom.Thead
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		h.endBlock()
		h.title = true
	case atom.Li, atom.Br, atom.Ul, atom.Ol, atom.P:
		h.space()
		if len(h.tables) == 0 {
			h.endBlock()
		}
	case atom.Div, atom.Center, atom.Pre, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote, atom.Section, atom.Caption:
		if len(h.tables) == 0 {
			h.endBlock()
		}
	}
}

// space separates words in a cell.
func (h *htmlPage) space() {
	if len(h.tables) > 0 {
		h.text(" ")
	}
}

func (h *htmlPage) endTag(a atom.Atom) {
	switch a {
	case atom.Script, atom.Style, atom.Head:
		h.skip = max(0, h.skip-1)
	case atom.Td, atom.Th, atom.Tr:
		if n := len(h.tables); n > 0 {
			h.tables[n-1].open = false
		}
	case atom.Thead:
		if n := len(h.tables); n > 0 {
			h.tables[n-1].head = false
		}
	case atom.Caption:
		if n := len(h.tables); n > 0 {
			h.tables[n-1].caption = clean(h.block.String())
			h.endBlock()
		}
	case atom.Table:
		h.endTable()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Div, atom.Center, atom.Pre,
		atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote, atom.Section:
		if len(h.tables) == 0 {
			h.endBlock()
		}
	}
}

// endTable reads the innermost table. A table in a cell of another one is read by itself.
func (h *htmlPage) endTable() {
	n := len(h.tables)
	if n == 0 {
		return
	}
	t := h.tables[n-1]
	h.tables = h.tables[:n-1]
	h.endBlock()
	for _, r := range t.rows {
		for i := range r {
			r[i].text = clean(r[i].text)
		}
	}
	if rows := unmerge(t.rows); len(rows) > 0 {
		h.table(rows, t.caption)
	}
	h.above = ""
}
