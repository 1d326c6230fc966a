// Semantic tokens: the meaning of each word of a file, for highlighting.

package lsp

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// legend has the types and modifiers of tokens. Their names are those of the protocol.
var legend = tokenLegend{
	Types:     []string{"keyword", "type", "enum", "enumMember", "property", "parameter", "variable", "function", "decorator", "string", "number", "comment", "namespace"},
	Modifiers: []string{"declaration", "documentation", "defaultLibrary"},
}

// tokenTypes holds the type of the token of a name, by its sort. Other sorts are variables.
var tokenTypes = map[schema.Sort]string{
	schema.TypeName: "type", schema.UnionName: "enum", schema.ArmName: "enumMember", schema.EncodingName: "type",
	schema.OptionName: "type", schema.ChoiceName: "enumMember",
	schema.ImportName: "namespace", schema.ArgumentName: "parameter", schema.FieldName: "property",
}

// kinds holds the type of the token of other tokens.
var kinds = map[dsl.TokenKind]string{
	dsl.CommentKind: "comment", dsl.DocKind: "comment", dsl.StringKind: "string", dsl.NumberKind: "number",
}

// semanticTokens returns the tokens of a document in the form of the protocol. For each it has the lines and
// characters since the one before, its length, its type and its modifiers.
func (s *server) semanticTokens(_ call, params documentParams) (any, error) {
	p := s.place(positionParams{TextDocument: params.TextDocument})
	out := semanticTokens{Data: []int{}}
	var last position
	for _, t := range p.tokens() {
		at := p.span(t.from, t.to)
		move := at.Start.Character
		if at.Start.Line == last.Line {
			move -= last.Character
		}
		bits := 0
		for _, m := range t.modifiers {
			bits |= 1 << slices.Index(legend.Modifiers, m)
		}
		out.Data = append(out.Data, at.Start.Line-last.Line, move, at.End.Character-at.Start.Character, slices.Index(legend.Types, t.sort), bits)
		last = at.Start
	}
	return out, nil
}

// token is a highlighted part of a text.
type token struct {
	from, to  int
	sort      string // one of the types of the legend
	modifiers []string
}

// tokens returns the tokens of a document in their order.
func (p *place) tokens() []token {
	var out []token
	names, builtins := p.words(p.name)
	for _, t := range dsl.Tokens(p.name, p.text.s) {
		sort, modifiers := kinds[t.Kind], []string(nil)
		switch name := names[t.Pos.Offset]; {
		case t.Kind == dsl.DocKind:
			modifiers = []string{"documentation"}
		case t.Kind != dsl.WordKind:
		case name != nil:
			if sort = tokenTypes[name.To.Sort]; sort == "" {
				sort = "variable"
			}
			if name.Declares {
				modifiers = append(modifiers, "declaration")
			}
		case builtins[t.Pos.Offset] == "decorator":
			sort = "decorator"
		case builtins[t.Pos.Offset] != "":
			sort, modifiers = builtins[t.Pos.Offset], []string{"defaultLibrary"}
		default:
			sort = "keyword"
		}
		if sort != "" && sort != "unknown" {
			out = append(out, token{t.Pos.Offset, t.Pos.Offset + len(t.Text), sort, modifiers})
		}
	}
	return out
}

// words returns the names of a file that have a declaration, and the token types of the
// others. Both are by their offsets. The other names are built into the language, or unknown.
func (s *snapshot) words(name string) (names map[int]*schema.Name, others map[int]string) {
	names, others = map[int]*schema.Name{}, map[int]string{}
	files, err := s.lineage(name)
	if err != nil {
		return names, others
	}
	x := s.index(name, files)
	for i := range x.Names {
		names[x.Names[i].Pos.Offset] = &x.Names[i]
	}
	known := map[int]string{} // by their places
	dsl.Walk(x.file(), func(node any) bool {
		inPlace(node, known)
		n, ok := node.(*dsl.Name)
		if !ok {
			return true
		}
		switch _, function := builtin.FunctionNamed(n.Text); {
		case builtin.TypeNamed(n.Text) != nil:
			others[n.Pos.Offset] = "type"
		case function:
			others[n.Pos.Offset] = "function"
		default:
			others[n.Pos.Offset] = "unknown"
		}
		return true
	})
	for at, sort := range known {
		if others[at] == "unknown" || sort == "keyword" {
			others[at] = sort
		}
	}
	for _, n := range marks(x.file()) {
		others[n.Pos.Offset] = "decorator"
	}
	return names, others
}

// inPlace notes the types of the tokens of names in a node that have a meaning there only.
func inPlace(node any, sorts map[int]string) {
	note := func(sort string, names ...*dsl.Name) {
		for _, n := range names {
			if n != nil {
				sorts[n.Pos.Offset] = sort
			}
		}
	}
	switch n := node.(type) {
	case *dsl.KeyRule:
		note("keyword", n.Rule)
	case *dsl.Encoding:
		note("keyword", n.Words...)
	case *dsl.Example:
		note("keyword", n.Refuse)
		for _, open := range n.Open {
			if open.Text == "strict" {
				note("keyword", open)
			}
		}
	case *dsl.Literal:
		switch n.Name.String() {
		case "true", "false", "nan":
			note("keyword", n.Name)
		default:
			note("enumMember", n.Name)
		}
	case *dsl.LitPair:
		note("property", n.Key.Name)
	case *dsl.Word:
		note("property", n.Name)
	case *dsl.Path:
		note("enumMember", n.Names...)
	case *dsl.Expr:
		if n.Name == nil {
			return
		}
		note("variable", n.Name)
		for i, c := range []byte(n.Name.Text) {
			if c == '.' {
				sorts[n.Name.Pos.Offset+i+1] = "property"
			}
		}
	}
}
