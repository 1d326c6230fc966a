// Pages as reStructuredText, in the layout of the engine's manual.

package docs

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// marks are the characters under titles, by the level of the section.
const marks = "=-^~"

// rstWriter writes one page.
type rstWriter struct {
	b    strings.Builder
	bare bool
}

// WriteRST writes the page as reStructuredText. Its only markup that is not of the
// language itself is the role ref, for classes of the engine.
func (p *Page) WriteRST(w io.Writer) error {
	r := &rstWriter{bare: p.bare}
	if !p.bare {
		fmt.Fprintf(&r.b, ".. _%s:\n\n", p.Label)
	}
	r.title(rstEscape(p.Title), 0)
	r.blocks(p.About)
	for _, s := range p.Sections {
		r.section(s, 1)
	}
	_, err := io.WriteString(w, strings.TrimRight(r.b.String(), "\n")+"\n")
	return err
}

func (r *rstWriter) title(text string, level int) {
	mark := string(marks[min(level, len(marks)-1)])
	fmt.Fprintf(&r.b, "%s\n%s\n\n", text, strings.Repeat(mark, max(3, utf8.RuneCountInString(text))))
}

func (r *rstWriter) section(s *Section, level int) {
	if s.Anchor != "" && !r.bare {
		fmt.Fprintf(&r.b, ".. _%s:\n\n", s.Anchor)
	}
	r.title(rstText(s.Title), level)
	r.blocks(s.Blocks)
	for _, sub := range s.Sections {
		r.section(sub, level+1)
	}
}

func (r *rstWriter) blocks(list []Block) {
	for _, b := range list {
		switch x := b.(type) {
		case Paragraph:
			r.b.WriteString(fill(rstText(x.Text), "", "") + "\n")
		case List:
			for _, item := range x.Items {
				r.b.WriteString(fill(rstText(item), "- ", "  "))
			}
			r.b.WriteString("\n")
		case Note:
			r.b.WriteString(".. note::\n\n" + fill(rstText(x.Text), "    ", "    ") + "\n")
		case Listing:
			r.literal(x.Text)
		case Table:
			r.table(x)
		case Dump:
			if x.About != "" {
				r.b.WriteString(fill(rstText(join(plain("For example, "), code(x.About), plain(":"))), "", "") + "\n")
			}
			r.literal(x.Text)
		}
	}
}

func (r *rstWriter) literal(text string) {
	r.b.WriteString("::\n\n")
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\n"); line == "" {
			r.b.WriteString("\n")
		} else {
			r.b.WriteString("    " + line + "\n")
		}
	}
	r.b.WriteString("\n")
}

// table writes a grid table.
func (r *rstWriter) table(t Table) {
	rows := [][]string{t.Head}
	for _, row := range t.Rows {
		var cells []string
		for i := range t.Head {
			text := ""
			if i < len(row) {
				text = rstText(row[i])
			}
			cells = append(cells, strings.Join(strings.Fields(text), " "))
		}
		rows = append(rows, cells)
	}
	widths := make([]int, len(t.Head))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	border := func(mark string) {
		for _, w := range widths {
			r.b.WriteString("+" + strings.Repeat(mark, w+2))
		}
		r.b.WriteString("+\n")
	}
	border("-")
	for n, row := range rows {
		for i, c := range row {
			r.b.WriteString("| " + c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)) + " ")
		}
		r.b.WriteString("|\n")
		if n == 0 {
			border("=")
		} else {
			border("-")
		}
	}
	r.b.WriteString("\n")
}

// fill breaks a text into lines of up to 80 columns.
func fill(text, first, indent string) string {
	var b strings.Builder
	line, begun := first, false
	for word := range strings.FieldsSeq(text) {
		if begun && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > 80 {
			b.WriteString(line + "\n")
			line, begun = indent, false
		}
		if begun {
			line += " "
		}
		line += word
		begun = true
	}
	return b.String() + line + "\n"
}

// rstText writes running text. Markup must have a blank or a mark around it; a
// backslash and a blank print nothing, and separate where there is neither.
func rstText(t Text) string {
	var b strings.Builder
	for i, s := range t {
		var out string
		switch s.Style {
		case Code:
			out = "``" + s.Text + "``"
			if strings.Contains(s.Text, "``") || strings.HasPrefix(s.Text, "`") || strings.HasSuffix(s.Text, "`") || s.Text == "" || strings.TrimSpace(s.Text) != s.Text {
				out = rstEscape(s.Text)
			}
		case Emph:
			out = "*" + rstEscape(s.Text) + "*"
		case Link:
			out = "`" + rstEscape(s.Text) + " <" + s.Ref + "_>`__"
		case Class:
			out = ":ref:`" + s.Text + "<class_" + s.Ref + ">`"
		default:
			b.WriteString(rstEscape(s.Text))
			continue
		}
		if i > 0 && t[i-1].Style == Plain && t[i-1].Text != "" && !strings.HasSuffix(t[i-1].Text, " ") && !strings.HasSuffix(t[i-1].Text, "(") && b.Len() > 0 {
			b.WriteString("\\ ")
		}
		b.WriteString(out)
		if i+1 < len(t) && t[i+1].Text != "" {
			if c := t[i+1].Text[0]; t[i+1].Style != Plain || !strings.ContainsRune(" .,:;!?)-", rune(c)) {
				b.WriteString("\\ ")
			}
		}
	}
	return b.String()
}

// rstEscape keeps text from being taken for markup.
func rstEscape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch c {
		case '\\', '*', '`', '|':
			b.WriteByte('\\')
		case '_':
			// A word that ends with it is a reference.
			if i+1 == len(s) || !isWord(s[i+1]) {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}
