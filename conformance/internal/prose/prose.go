// Package prose finds phrases in comments, messages and pages that the project does not use, and names better ones.
package prose

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// A Rule is a phrase that is not used.
type Rule struct {
	Pattern *regexp.Regexp
	Instead string
	Start   bool // only at the start of a comment or heading
}

// Rules are the phrases, from the rules of plain technical English.
var Rules = []Rule{
	{words(`(What|Which|Where|How)`), "name the thing: a subject, a verb, an object", true},
	{words(`(stands?|stood|standing)`), "a row is in a table, a value represents, a field holds", false},
	{words(`so many`), "n bytes, up to n", false},
	{words(`(is|are|was|be|has|have) none`), "say what it is not, such as malformed text", false},
	{words(`(what|that|it) (came|come|comes) of`), "result", false},
	{words(`makes? (something |anything )?of`), "interpret, convert", false},
	{words(`(told|tell|tells|telling) (\w+ )?apart`), "distinguish", false},
	{words(`all\sthe\ssame`), "still", false},
	{words(`as\sit\sis`), "unchanged", false},
	{words(`whatever`), "any", false},
	{words(`of (one's|its|their|your) own`), "custom, separate, private", false},
	{words(`in thought`), "symbolically", false},
	{words(`other\sway\s(a)?round`), "inverted, reversed", false},
	{words(`another\sway\sround`), "inverted, reversed", false},
	{words(`by\shand\sof`), "custom", false},
	{words(`a mistake (in|of) octable itself`), "internal error", false},
	{words(`[Ee]xit codes?`), "exit status", false},
}

func words(pattern string) *regexp.Regexp { return regexp.MustCompile(`\b` + pattern + `\b`) }

// A Finding is a phrase in a file.
type Finding struct {
	Path   string
	Line   int
	Phrase string
	Rule   *Rule
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %q: write instead: %s", f.Path, f.Line, f.Phrase, f.Rule.Instead)
}

// text is a piece of prose and the line that it begins in.
type text struct {
	line  int
	text  string
	start bool // it begins a comment or heading
}

// Markdown returns the findings of a page. Blocks and spans of code are left out.
func Markdown(path string, page []byte) []Finding {
	var texts []text
	fenced := false
	n := 0
	for line := range strings.Lines(string(page)) {
		n++
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") && n > 1 && !strings.Contains(line, ". ") {
			continue
		}
		heading := strings.HasPrefix(line, "#")
		texts = append(texts, text{n, strings.TrimSpace(strings.TrimLeft(codeSpan.ReplaceAllString(line, "CODE"), "#")), heading})
	}
	return find(path, texts)
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// Go returns the findings of the comments and messages of a Go file. A message is a string literal of several words.
// Generated files are left out.
func Go(path string, source []byte) ([]Finding, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	var texts []text
	for _, group := range file.Comments {
		at := fset.Position(group.Pos()).Line
		for i, c := range group.List {
			for j, line := range strings.Split(c.Text, "\n") {
				texts = append(texts, text{fset.Position(c.Pos()).Line + j, strings.TrimSpace(strings.TrimLeft(line, "/* ")), i == 0 && j == 0 && alone(source, fset, group, at)})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Count(lit.Value, " ") > 1 {
			for i, line := range strings.Split(lit.Value, "\n") {
				texts = append(texts, text{fset.Position(lit.Pos()).Line + i, line, false})
			}
		}
		return true
	})
	return find(path, texts), nil
}

// alone reports whether a comment begins its line, and so is not a remark behind code.
func alone(source []byte, fset *token.FileSet, group *ast.CommentGroup, line int) bool {
	start := fset.File(group.Pos()).LineStart(line)
	before := source[fset.Position(start).Offset:fset.Position(group.Pos()).Offset]
	return len(bytes.TrimSpace(before)) == 0
}

// anyRule matches where a rule may match: one pattern is faster than all of them.
var anyRule = func() *regexp.Regexp {
	var all []string
	for _, r := range Rules {
		all = append(all, r.Pattern.String())
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}()

func find(path string, texts []text) []Finding {
	var out []Finding
	for _, t := range texts {
		if !anyRule.MatchString(t.text) {
			continue
		}
		for i := range Rules {
			r := &Rules[i]
			at := r.Pattern.FindStringIndex(t.text)
			if at == nil || r.Start && (!t.start || at[0] != 0) {
				continue
			}
			out = append(out, Finding{path, t.line, t.text[at[0]:at[1]], r})
		}
	}
	return out
}
