// Package prose finds phrases in comments, messages, schemas and templates that the project does not use, and names
// better ones. The phrases are those of .vale, by which vale checks pages and comments in .ci/run; vale reads neither
// string literals nor schemas. The package also finds doc comments whose first sentence is long.
package prose

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Rule is a phrase that is not used.
type Rule struct {
	Pattern *regexp.Regexp
	Instead string
	Start   bool // only at the start of a comment
}

// Rules reads the phrases from a style of vale: all swaps of Phrases.yml, and the tokens of Start.yml.
func Rules(style fs.FS) ([]Rule, error) {
	var phrases struct {
		Swap map[string]string
	}
	var start struct {
		Message string
		Tokens  []string
	}
	for name, to := range map[string]any{"Phrases.yml": &phrases, "Start.yml": &start} {
		text, err := fs.ReadFile(style, name)
		if err != nil {
			return nil, err
		}
		if err := yaml.Unmarshal(text, to); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	var out []Rule
	add := func(pattern, instead string, start bool) error {
		re, err := regexp.Compile(pattern)
		if err == nil {
			out = append(out, Rule{re, instead, start})
		}
		return err
	}
	for _, pattern := range slices.Sorted(maps.Keys(phrases.Swap)) {
		if err := add(`\b(?:`+pattern+`)\b`, phrases.Swap[pattern], false); err != nil {
			return nil, err
		}
	}
	_, instead, _ := strings.Cut(start.Message, ": ")
	for _, pattern := range start.Tokens {
		if err := add(pattern, instead, true); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A Finding is a phrase or a first sentence in a file.
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
	start bool // it begins a comment
}

// Text returns the findings of a schema or a template, in which each line is prose.
func Text(rules []Rule, path string, source []byte) []Finding {
	var texts []text
	n := 0
	for line := range strings.Lines(string(source)) {
		n++
		trimmed := strings.TrimLeft(line, "/#* \t")
		texts = append(texts, text{n, strings.TrimSpace(trimmed), trimmed != line && strings.ContainsAny(line[:len(line)-len(trimmed)], "/#")})
	}
	return find(rules, path, texts)
}

// Go returns the findings of the comments and messages of a Go file. A message is a string literal of several words.
// Generated files are left out.
func Go(rules []Rule, path string, source []byte) ([]Finding, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	var texts []text
	var out []Finding
	for _, group := range file.Comments {
		at := fset.Position(group.Pos()).Line
		last := ""
		for i, c := range group.List {
			for j, line := range strings.Split(c.Text, "\n") {
				t := text{fset.Position(c.Pos()).Line + j, strings.TrimSpace(strings.TrimLeft(line, "/* ")), i == 0 && j == 0 && alone(source, fset, group, at)}
				texts = append(texts, t)
				if strings.HasPrefix(line, "//\t") { // an example
					last = ""
					continue
				}
				for word := range strings.FieldsSeq(t.text) {
					if word == last && strings.Trim(word, letters) == "" {
						out = append(out, Finding{path, t.line, word + " " + word, &twice})
					}
					last = word
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CommentGroup: // of a declaration; the tree has no others
			if first := new(doc.Package).Synopsis(n.Text()); len(strings.Fields(first)) > mostWords {
				out = append(out, Finding{path, fset.Position(n.Pos()).Line, first, &long})
			}
		case *ast.BasicLit:
			if n.Kind != token.STRING || strings.Count(n.Value, " ") < 2 {
				break
			}
			for i, line := range strings.Split(n.Value, "\n") {
				texts = append(texts, text{fset.Position(n.Pos()).Line + i, line, false})
			}
		}
		return true
	})
	return append(out, find(rules, path, texts)...), nil
}

// letters are those of words that are not written twice in a row.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// twice is the rule about words that a comment has twice in a row. The two may be at the end of a line and at the
// beginning of the next one. Vale would also compare the last word of a remark behind code with the first one of the
// next remark.
var twice = Rule{Instead: "the word once"}

// mostWords is the largest number of words in the first sentence of a doc comment.
const mostWords = 20

// long is the rule about the first sentence of a doc comment, which is the synopsis that go doc shows.
var long = Rule{Instead: fmt.Sprintf("a first sentence of at most %d words, and a second one", mostWords)}

// alone reports whether a comment begins its line, and so is not a remark behind code.
func alone(source []byte, fset *token.FileSet, group *ast.CommentGroup, line int) bool {
	start := fset.File(group.Pos()).LineStart(line)
	before := source[fset.Position(start).Offset:fset.Position(group.Pos()).Offset]
	return len(bytes.TrimSpace(before)) == 0
}

func find(rules []Rule, path string, texts []text) []Finding {
	var out []Finding
	for _, t := range texts {
		for i := range rules {
			r := &rules[i]
			if r.Start && !t.start {
				continue
			}
			if at := r.Pattern.FindStringIndex(t.text); at != nil {
				out = append(out, Finding{path, t.line, t.text[at[0]:at[1]], r})
			}
		}
	}
	return out
}
