// Notations: the grammars of schemas and of pages, which share tokens, messages and style.

package dsl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// notation is the grammar of one sort of file.
type notation struct {
	keywords    []string          // begin a declaration
	named       bool              // a name may begin a declaration as well
	productions string            // the grammar as text; participle knows no lookahead and no expressions
	words       []string          // the words of the productions, sorted
	shapes      map[string]string // show how lines are written, by the word they begin with
	old         map[string]string // words that the language had, with the notation that replaces them

	// parse reads one declaration. If it cannot, it returns nil and the index of the
	// unexpected token, which is the number of tokens at an unexpected end.
	parse func(list []lexer.Token) (decl any, at int)
}

// lookaheads removes the lookaheads from the productions.
var lookaheads = strings.NewReplacer(`((?= <ident> "{") Word)`, "Word", `((?= "if") Item)`, "If", `(?= <ident> "." (?! "id") <ident>) `, "")

// lazyNotation returns a function that makes the notation whose declarations are of type D when it is first called.
// Its parsers take ten milliseconds, and most commands read no schema.
func lazyNotation[D any](named bool, keywords []string, shapes, old map[string]string) func() *notation {
	return sync.OnceValue(func() *notation { return newNotation[D](named, keywords, shapes, old) })
}

// newNotation returns the notation whose declarations are of type D.
func newNotation[D any](named bool, keywords []string, shapes, old map[string]string) *notation {
	build := func(lookahead int) *participle.Parser[D] {
		return participle.MustBuild[D](participle.Lexer(tokens{}), participle.Elide("Comment", "Whitespace"), participle.UseLookahead(lookahead))
	}
	// The parser without lookahead commits itself to a line by the first word, and so
	// reports where in the line an error is. The other one reports only that there is one.
	parser, hasty := build(3), build(0)
	n := &notation{named: named, keywords: keywords, shapes: shapes, old: old}
	n.productions = lookaheads.Replace(parser.String()) + "\n" + exprGrammar
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(n.productions, -1) {
		n.words = append(n.words, m[1])
	}
	slices.Sort(n.words)
	n.words = slices.Compact(n.words)
	n.parse = func(list []lexer.Token) (any, int) {
		decl, at := parseWith(parser, list)
		if decl != nil {
			return decl, at
		}
		if _, further := parseWith(hasty, list); further > at {
			at = further
		}
		return nil, at
	}
	return n
}

func parseWith[D any](parser *participle.Parser[D], list []lexer.Token) (*D, int) {
	end := endOf(list)
	pl, err := lexer.Upgrade(&tokenList{list, end})
	if err != nil {
		return nil, 0 // unreachable: a list of tokens has no error
	}
	decl, err := parser.ParseFromLexer(pl)
	if err == nil {
		return decl, len(list)
	}
	offset := end.Offset
	if e, ok := err.(participle.Error); ok {
		offset = e.Position().Offset
	}
	for i, t := range list {
		if t.Pos.Offset >= offset {
			return nil, i
		}
	}
	return nil, len(list)
}

// starts reports whether a token begins a declaration if it begins a line.
func (n *notation) starts(t lexer.Token) bool {
	if t.Type == docToken {
		return true
	}
	return t.Type == identToken && (n.named || slices.Contains(n.keywords, t.Value))
}

// read reads a file. The name is used in positions only.
func (n *notation) read(name string, text []byte) (*File, error) {
	f := &File{Name: name, Source: strings.TrimPrefix(string(text), "\ufeff")}
	p := &reader{notation: n, file: f}
	p.read()
	f.broken = len(p.diags) > 0
	p.diags.sort()
	return f, p.diags.err()
}

// add takes a declaration into the file.
func (p *reader) add(decl any, list []lexer.Token) {
	Walk(decl, func(node any) bool {
		if s, ok := node.(*Str); ok {
			s.Text, _ = strconv.Unquote(s.Text) // was checked
		}
		return true
	})
	switch d := decl.(type) {
	case *Decl:
		p.file.Decls = append(p.file.Decls, d)
	case *PageDecl:
		p.file.Page = append(p.file.Page, d)
		if d.Erratum != nil {
			p.twice(list)
		}
	}
}

// twice reports texts that an erratum has twice.
func (p *reader) twice(list []lexer.Token) {
	seen := map[string]bool{}
	for i, t := range list[:len(list)-1] {
		if t.Type == identToken && list[i+1].Type == stringToken {
			if seen[t.Value] {
				p.errorf(t.Pos, len(t.Value), "`%s` is in this erratum twice", t.Value).hint("join the two texts")
			}
			seen[t.Value] = true
		}
	}
}
