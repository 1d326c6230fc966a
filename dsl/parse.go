// Reading: text to tokens to declarations.

package dsl

import (
	"errors"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

var tokens = lexer.MustSimple([]lexer.SimpleRule{
	{Name: "Doc", Pattern: `///[^\n]*`},
	{Name: "Comment", Pattern: `//[^\n]*`},
	{Name: "String", Pattern: `"(\\.|[^"\\\n])*"`},
	{Name: "Code", Pattern: `'[^'\n]*'`},
	{Name: "Number", Pattern: `0[xX][0-9A-Fa-f_]+|[0-9][0-9_]*(\.[0-9]+)?([eE][-+]?[0-9]+)?`},
	{Name: "Ident", Pattern: `[A-Za-z_][A-Za-z0-9_]*`},
	{Name: "Op", Pattern: `\|\||&&|==|!=|<=|>=|<<|>>|\.\.|[-+*/%&^|!<>=(){}\[\],.:]`},
	{Name: "Whitespace", Pattern: `[ \t\r\n]+`},
	{Name: "Bad", Pattern: `[^ \t\r\n]`},
})

var parser = participle.MustBuild[Decl](
	participle.Lexer(tokens),
	participle.Unquote("String"),
	participle.Elide("Comment", "Whitespace"),
	participle.UseLookahead(3),
)

// keywords begin a declaration. They are words of the language only there, so
// that a format may use them as names of its fields.
var keywords = []string{"schema", "replace", "extend", "remove", "renumber", "rename", "erratum", "encoding", "const", "type", "union", "arm"}

// maxSource bounds the length of a schema file, in bytes.
const maxSource = 4 << 20

// maxDepth bounds how deeply brackets may be nested, since the parser recurses.
const maxDepth = 200

// Parse reads a schema file. The name is used in positions only. Where the text
// is in error, the error is a [Diagnostics] with an entry for each declaration
// that cannot be read, and the File holds the others.
func Parse(name string, text []byte) (*File, error) {
	f := &File{Name: name, Source: string(text)}
	var diags Diagnostics
	if len(text) > maxSource {
		diags.add(f, Pos{Filename: name, Line: 1, Column: 1}, 0, CodeSyntax, "the file has %d bytes; a schema has at most %d", len(text), maxSource).
			hint("split it, or check that this is a schema")
		return f, diags.err()
	}
	lex, err := tokens.LexString(name, f.Source)
	if err != nil {
		diags.add(f, Pos{Filename: name, Line: 1, Column: 1}, 0, CodeSyntax, "the text cannot be read: %v", err)
		return f, diags.err()
	}
	symbols := tokens.Symbols()
	var chunk []lexer.Token
	depth, bad := 0, false
	flush := func() {
		if len(chunk) > 0 && !bad {
			f.parseDecl(chunk, &diags)
		}
		chunk, depth, bad = nil, 0, false
	}
	for {
		t, err := lex.Next()
		if err != nil || t.EOF() {
			break
		}
		switch t.Type {
		case symbols["Whitespace"]:
			continue
		case symbols["Comment"]:
			f.Comments = append(f.Comments, &Comment{Pos: t.Pos, Text: strings.TrimRight(t.Value, " \t\r")})
			continue
		case symbols["Doc"]:
			t.Value = strings.TrimRight(t.Value, " \t\r")
			if t.Pos.Column != 1 {
				if !bad {
					diags.add(f, t.Pos, len(t.Value), CodeSyntax, "a comment with three slashes stands before a declaration, at the start of a line").
						hint("write // here")
				}
				continue
			}
		case symbols["Code"]:
			if n := len(t.Value) - 2; n < 1 || n > 8 {
				diags.add(f, t.Pos, len(t.Value), CodeSyntax, "a code has 1 to 8 letters between its quotes, this one has %d", n)
				bad = true
			}
		}
		if t.Pos.Column == 1 && startsDecl(t, symbols) && (len(chunk) == 0 || chunk[len(chunk)-1].Type != symbols["Doc"] || t.Type != symbols["Doc"] && depth > 0) {
			flush()
		}
		switch t.Value {
		case "{", "(", "[":
			if depth++; depth > maxDepth && !bad {
				diags.add(f, t.Pos, 1, CodeSyntax, "brackets are nested more than %d deep", maxDepth).hint("name the inner part in a type or constant of its own")
				bad = true
			}
		case "}", ")", "]":
			depth--
		case "-", "!":
			// a run of signs recurses as brackets do
		}
		chunk = append(chunk, t)
	}
	flush()
	diags.sort()
	return f, diags.err()
}

func startsDecl(t lexer.Token, symbols map[string]lexer.TokenType) bool {
	if t.Type == symbols["Doc"] {
		return true
	}
	if t.Type != symbols["Ident"] {
		return false
	}
	for _, k := range keywords {
		if t.Value == k {
			return true
		}
	}
	return false
}

// tokenList hands a list of tokens to the parser.
type tokenList struct {
	tokens []lexer.Token
	end    Pos
}

func (l *tokenList) Next() (lexer.Token, error) {
	if len(l.tokens) == 0 {
		return lexer.EOFToken(l.end), nil
	}
	t := l.tokens[0]
	l.tokens = l.tokens[1:]
	return t, nil
}

func (f *File) parseDecl(chunk []lexer.Token, diags *Diagnostics) {
	last := chunk[len(chunk)-1]
	end := last.Pos
	end.Advance(last.Value)
	for i, t := range chunk {
		if t.Type == tokens.Symbols()["String"] {
			var err error
			if chunk[i].Value, err = unquote(t.Value); err != nil {
				diags.add(f, t.Pos, len(t.Value), CodeSyntax, "the quoted text has a wrong escape: %v", err).hint(`write \\ for a backslash and \" for a quote`)
				return
			}
		}
	}
	pl, err := lexer.Upgrade(&tokenList{chunk, end})
	if err != nil {
		diags.add(f, chunk[0].Pos, 0, CodeSyntax, "%v", err)
		return
	}
	decl, err := parser.ParseFromLexer(pl)
	if err == nil {
		f.Decls = append(f.Decls, decl)
		return
	}
	var perr participle.Error
	if !errors.As(err, &perr) {
		diags.add(f, chunk[0].Pos, 0, CodeSyntax, "%v", err)
		return
	}
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		found := unexpected.Unexpected
		what := "`" + found.Value + "`"
		width := len(found.Value)
		if found.EOF() {
			what, width = "the end of the declaration", 1
		}
		d := diags.add(f, perr.Position(), width, CodeSyntax, "%s cannot stand here", what)
		if e := expectation(unexpected); e != "" {
			d.Message += "; " + e + " is expected"
		}
		if best := Nearest(found.Value, words); best != "" && !found.EOF() && best != found.Value {
			d.hint("did you mean `%s`?", best)
		} else if found.EOF() {
			d.hint("close the declaration with `}`")
		} else {
			d.hint("`octable grammar` shows what may stand where")
		}
		return
	}
	diags.add(f, perr.Position(), 1, CodeSyntax, "%s", perr.Message()).hint("`octable grammar` shows what may stand where")
}
