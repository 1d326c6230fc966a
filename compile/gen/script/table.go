// Tables: the templates of a language.

package script

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"text/template"
	"unicode"
)

// table holds the rows of a language. A row is a template, which begins after a line with
// ### and its name, and ends with an empty line before the next one.
type table struct {
	rows  *template.Template
	names []string // of the rows, in order
}

// directive matches a line that is only a directive, or only text that has its own line
// breaks. It does not become a line of the output.
var directive = regexp.MustCompile(`(?m)^[ \t]*(\{\{(?:if|else|end|range|with|lines|doc)\b[^\n]*\}\})[ \t]*\n`)

// parse returns the table in the text of a file.
func parse(text string, funcs template.FuncMap) *table {
	t := &table{rows: template.New("").Funcs(funcs)}
	for _, row := range strings.Split("\n"+text, "\n### ")[1:] {
		name, body, _ := strings.Cut(row, "\n")
		body = directive.ReplaceAllString(strings.TrimSuffix(body, "\n")+"\n", "$1")
		template.Must(t.rows.New(name).Parse(body))
		t.names = append(t.names, name)
	}
	return t
}

// Row returns the text of a row of the language for some data.
func (g *Module) Row(name string, data any) string {
	var out bytes.Buffer
	if err := g.table.rows.ExecuteTemplate(&out, name, data); err != nil {
		panic(fmt.Sprintf("%s: row %q: %v", g.l.Target, name, err))
	}
	return out.String()
}

// helpers returns the rows of helpers.
func (g *Module) helpers() string {
	var out strings.Builder
	for _, name := range g.table.names {
		if strings.HasPrefix(name, "helper ") {
			out.WriteString(g.Row(name, g) + "\n")
		}
	}
	return out.String()
}

// uses reports whether a text has some code. Parts of longer names, members and the beginning of a quoted
// text do not count, unless the text is a type in a cast.
func uses(text, code string) bool {
	for {
		before, after, ok := strings.Cut(text, code)
		if !ok {
			return false
		}
		begins := before == "" || strings.HasSuffix(before, `cast("`) || !strings.ContainsRune("._\"", rune(before[len(before)-1])) && !unicode.IsLetter(rune(before[len(before)-1]))
		longer := after != "" && inName(code[len(code)-1]) && inName(after[0])
		if begins && !longer {
			return true
		}
		text = after
	}
}

// inName reports whether a byte is part of a name.
func inName(b byte) bool { return b == '_' || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)) }

// Wrap returns the lines of a text, of at most width letters unless a word is longer.
func Wrap(text string, width int) []string {
	var lines []string
	for para := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, w := range strings.Fields(para) {
			if line != "" && len([]rune(line))+1+len([]rune(w)) > width {
				lines = append(lines, line)
				line = ""
			}
			if line != "" {
				line += " "
			}
			line += w
		}
		lines = append(lines, line)
	}
	return lines
}
