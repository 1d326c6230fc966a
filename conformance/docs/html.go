// Pages as one HTML file that needs no other.

package docs

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/octable/octable/conformance/picture"
)

//go:embed page.tmpl
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// WriteHTML writes the page as one HTML file. Beside the page is a list of its sections with a search over
// all of its text.
func (p *Page) WriteHTML(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"text": htmlText,
		"kind": func(b Block) string {
			return strings.TrimPrefix(fmt.Sprintf("%T", b), "docs.")
		},
		"level": func(n int) int { return n + 1 },
		"at":    func(s *Section, level int) map[string]any { return map[string]any{"S": s, "Level": level} },
		"heading": func(level int, title Text, anchor string) template.HTML {
			level = min(level, 6)
			return template.HTML(fmt.Sprintf(`<h%d>%s<a class="anchor" href="#%s" aria-label="Link to this section">¶</a></h%d>`,
				level, htmlText(title), template.HTMLEscapeString(anchor), level)) // #nosec: htmlText escapes
		},
		"hex": func(b []byte) string { return fmt.Sprintf("%x", b) },
	}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		*Page
		Style  template.CSS
		Script template.JS
	}{p, template.CSS(pageStyle + picture.Style), template.JS(pageScript)}) // #nosec: these are files of this project
}

// htmlText writes running text.
func htmlText(t Text) template.HTML {
	var b strings.Builder
	for _, s := range t {
		text := template.HTMLEscapeString(s.Text)
		ref := template.HTMLEscapeString(s.Ref)
		switch s.Style {
		case Code:
			b.WriteString("<code>" + text + "</code>")
		case Emph:
			b.WriteString("<em>" + text + "</em>")
		case Link:
			b.WriteString(`<a href="#` + ref + `">` + text + "</a>")
		case Class:
			b.WriteString(`<a href="` + template.HTMLEscapeString(classURL(s.Ref)) + `">` + text + "</a>")
		default:
			b.WriteString(text)
		}
	}
	return template.HTML(b.String()) // #nosec: every part is escaped
}
