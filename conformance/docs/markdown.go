// Pages as Markdown, of the kind that has tables.

package docs

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the page as Markdown.
func (p *Page) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", mdEscape(p.Title))
	mdBlocks(&b, p.About)
	for _, s := range p.Sections {
		mdSection(&b, s, 2)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func mdSection(b *strings.Builder, s *Section, level int) {
	b.WriteString("\n")
	if s.Anchor != "" {
		fmt.Fprintf(b, "<a id=\"%s\"></a>\n\n", s.Anchor)
	}
	fmt.Fprintf(b, "%s %s\n", strings.Repeat("#", min(level, 6)), mdText(s.Title))
	mdBlocks(b, s.Blocks)
	for _, sub := range s.Sections {
		mdSection(b, sub, level+1)
	}
}

func mdBlocks(b *strings.Builder, list []Block) {
	for _, x := range list {
		if _, ok := x.(Figure); ok { // its tables say the same
			continue
		}
		b.WriteString("\n")
		switch x := x.(type) {
		case Paragraph:
			b.WriteString(mdText(x.Text) + "\n")
		case List:
			for _, item := range x.Items {
				b.WriteString("- " + mdText(item) + "\n")
			}
		case Note:
			b.WriteString("> " + mdText(x.Text) + "\n")
		case Listing:
			mdFence(b, x.Text)
		case Table:
			mdTable(b, x)
		case Dump:
			if x.About != "" {
				b.WriteString("For example, " + mdText(code(x.About)) + ":\n\n")
			}
			mdFence(b, x.Text)
		}
	}
}

func mdFence(b *strings.Builder, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	b.WriteString(fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n")
}

func mdTable(b *strings.Builder, t Table) {
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(t.Head)
	row(strings.Split(strings.Repeat("---,", len(t.Head)-1)+"---", ","))
	for _, r := range t.Rows {
		var cells []string
		for i := range t.Head {
			text := ""
			if i < len(r) {
				text = mdText(r[i])
			}
			cells = append(cells, strings.ReplaceAll(text, "\n", " "))
		}
		row(cells)
	}
}

func mdText(t Text) string {
	var b strings.Builder
	for _, s := range t {
		switch s.Style {
		case Code:
			fence := "`"
			for strings.Contains(s.Text, fence) {
				fence += "`"
			}
			text := strings.ReplaceAll(s.Text, "|", "\\|")
			if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
				text = " " + text + " "
			}
			b.WriteString(fence + text + fence)
		case Emph:
			b.WriteString("*" + mdEscape(s.Text) + "*")
		case Link:
			fmt.Fprintf(&b, "[%s](#%s)", mdEscape(s.Text), s.Ref)
		case Class:
			fmt.Fprintf(&b, "[%s](%s)", mdEscape(s.Text), classURL(s.Ref))
		default:
			b.WriteString(mdEscape(s.Text))
		}
	}
	return b.String()
}

// mdEscape keeps text from being taken for markup.
func mdEscape(s string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", ">", "&gt;", "[", "\\[", "]", "\\]", "|", "\\|", "#", "\\#", "&", "&amp;").Replace(s)
}

// classURL is where the engine's manual has a class or a part of one.
func classURL(ref string) string {
	class, _, part := strings.Cut(ref, "_method_")
	url := "https://docs.godotengine.org/en/stable/classes/class_" + strings.ToLower(class) + ".html"
	if part {
		url += "#class-" + strings.ToLower(strings.NewReplacer("_", "-", "@", "").Replace(ref))
	}
	return url
}
