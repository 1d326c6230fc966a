// Printing: statements, blocks and functions.

package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// Fn returns the name of a function.
func (g *Module) Fn(words ...string) string { return g.l.Private + g.l.Join(words...) }

// Boolean returns a truth value.
func (g *Module) Boolean(b bool) string {
	if b {
		return g.l.Bools[1]
	}
	return g.l.Bools[0]
}

// Quote returns a text in double quotes.
func Quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b) // whose escapes the languages have, unlike some of Go
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text has no error
	return strings.TrimSuffix(b.String(), "\n")
}

// Raw prints lines.
func (g *Module) Raw(lines string) { g.out.WriteString(lines) }

// Do prints a statement.
func (g *Module) Do(format string, args ...any) {
	fmt.Fprintf(g.out, format+g.l.End+"\n", args...)
}

// Set prints the setting of a variable, which declares it if it is set once.
func (g *Module) Set(v, value string) {
	if k := g.Record.vars[v]; k != nil && k.Once {
		g.Do(g.l.Let, v, value)
		return
	}
	g.Do("%s = %s", v, value)
}

// Capture returns what a function prints.
func (g *Module) Capture(print func()) string {
	before := g.out
	g.out = &strings.Builder{}
	defer func() { g.out = before }()
	print()
	return g.out.String()
}

// Block prints a block, indented.
func (g *Module) Block(body func()) {
	text := g.Capture(body)
	if text == "" && g.l.Pass != "" {
		text = g.l.Pass + "\n"
	}
	for line := range strings.Lines(text) {
		if line != "\n" {
			g.Raw(g.l.Indent)
		}
		g.Raw(line)
	}
}

// If prints a condition with one or two blocks.
func (g *Module) If(cond string, then, otherwise func()) {
	g.Raw(fmt.Sprintf(g.l.If, cond) + "\n")
	g.Block(then)
	if otherwise != nil {
		g.Raw(g.l.Else + "\n")
		g.Block(otherwise)
	}
	g.Raw(g.l.Close)
}

// When prints a statement that is executed if a condition holds.
func (g *Module) When(cond, format string, args ...any) {
	g.Do(g.l.Guard, cond, fmt.Sprintf(format, args...))
}

// Refuse prints an error if a condition holds: in reading about the byte at a place.
// expected is text, and found an expression.
func (g *Module) Refuse(cond, kind, at string, rule int, expected, found string) {
	if g.Record.Writing {
		g.When(cond, "w.fail(%q, %d, %q, %s)", kind, rule, expected, found)
		return
	}
	g.When(cond, g.l.Fail, fmt.Sprintf("%q, %s, %d, %q, %s", kind, at, rule, expected, found))
}

// refused returns the description of a condition that does not hold.
func (g *Module) refused(s *model.Stmt) string {
	if len(s.Args) > 0 {
		return fmt.Sprintf("%s(%q, %s)", g.Fn("refused", "text"), s.Text, g.p.Print(s.Args[0]))
	}
	return Quote(s.Text)
}

// Mismatch prints the check that refuses the value x under a condition. want describes the
// expected value.
func (g *Module) Mismatch(cond string, rule int, x, want string) {
	g.When(cond, "w.mismatch(%d, %s, %q)", rule, x, want)
}

// Param is a parameter of a function.
type Param struct{ Name, Type string }

// token matches a text or a name.
var token = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"|\w+`)

// function prints a function. The name of a parameter that it does not use gets an underscore.
func (g *Module) function(name string, params []Param, result, doc string, body func()) {
	text := g.Capture(func() { g.Block(body) })
	used := map[string]bool{}
	for _, name := range token.FindAllString(text, -1) {
		used[name] = true
	}
	var list []string
	for _, p := range params {
		if !used[p.Name] {
			p.Name = "_" + p.Name
		}
		list = append(list, p.Name+": "+p.Type)
	}
	g.Raw(g.Row("function", map[string]string{"Name": name, "Params": strings.Join(list, ", "), "Result": result, "Doc": doc, "Body": text}) + "\n")
}
