// Reading: text to tokens to declarations.

package dsl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// namePattern matches a name.
const namePattern = `[A-Za-z_][A-Za-z0-9_]*`

var wholeName = regexp.MustCompile(`^` + namePattern + `$`)

// IsName reports whether a text can be a name in a schema.
func IsName(s string) bool { return wholeName.MatchString(s) }

// schemaNotation returns the grammar of schemas. Its keywords are words of the language only where a
// declaration begins, so that a format may use them as names of its fields.
var schemaNotation = lazyNotation[Decl](
	false, []string{"schema", "import", "replace", "extend", "drop", "change", "encoding", "type", "union", "arm"},
	schemaShapes, replacements,
)

// maxSource bounds the length of a schema file, in bytes.
const maxSource = 1 << 20

// maxDepth bounds how deeply brackets may be nested, since the parser recurses.
const maxDepth = 200

// maxTokens bounds the length of a declaration, in tokens.
const maxTokens = 20000

// maxErrors bounds how many errors of syntax are reported in one run.
const maxErrors = 50

// maxWrong bounds how many wrong tokens are reported in one declaration.
const maxWrong = 3

// Parse reads a schema file. The name is used in positions only. If the text
// is in error, the error is a [Diagnostics] with an entry for each declaration
// that cannot be read, and the File holds the others. A byte order mark at the
// beginning is not part of the text.
func Parse(name string, text []byte) (*File, error) { return schemaNotation().read(name, text) }

// reader is one run of Parse.
type reader struct {
	*notation
	file    *File
	diags   Diagnostics
	explain int // how many errors were explained by trials
}

func (p *reader) errorf(pos Pos, width int, format string, args ...any) *Diagnostic {
	return p.diags.add(p.file, pos, width, CodeSyntax, format, args...)
}

func (p *reader) read() {
	f := p.file
	begin := Pos{Filename: f.Name, Line: 1, Column: 1}
	if len(f.Source) > maxSource {
		p.errorf(begin, 0, "the file has %d bytes; a schema has at most %d", len(f.Source), maxSource).
			hint("split it with `extends`, or check that this is a schema")
		return
	}
	f.indexLines()
	if !p.checkText() {
		return
	}
	list := scan(f.Name, f.Source)
	var chunk []lexer.Token // the tokens of a declaration read so far
	depth, errs := 0, 0     // open brackets, and wrong tokens, in the chunk
	flush := func() {
		if len(chunk) > 0 && errs == 0 {
			p.declarations(chunk)
		}
		chunk, depth, errs = nil, 0, 0
	}
	wrong := func(before int) { // there were fewer errors before the wrong token
		if errs++; errs > maxWrong {
			p.diags = p.diags[:before]
		}
	}
	for i, t := range list {
		if len(p.diags) >= maxErrors {
			p.errorf(t.Pos, 0, "there are more errors than the %d above", maxErrors)
			return
		}
		switch t.Type {
		case commentToken:
			f.Comments = append(f.Comments, &Comment{Pos: t.Pos, Text: t.Value})
			continue
		case docToken:
			if t.Pos.Column != 1 || depth > 0 && !p.documents(list[i:]) {
				// Not a wrong token: the tokens around it can be read.
				p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "a comment with three slashes must be before a declaration, at the start of a line").
					hint("write // here").Replace("///", "//")
				continue
			}
		}
		if before := len(p.diags); p.wrongToken(list, i) {
			wrong(before)
		}
		if t.Pos.Column == 1 && p.starts(t) && (len(chunk) == 0 || chunk[len(chunk)-1].Type != docToken) {
			flush()
		}
		switch t.Value {
		case "{", "(", "[":
			if depth++; depth == maxDepth+1 {
				p.errorf(t.Pos, 1, "brackets are nested more than %d deep", maxDepth).
					hint("name the inner part in a type")
				wrong(len(p.diags) - 1)
			}
		case "}", ")", "]":
			depth--
		}
		if len(chunk) == maxTokens {
			p.errorf(chunk[0].Pos, utf8.RuneCountInString(chunk[0].Value), "the declaration has more than %d words and signs", maxTokens).
				hint("split it into several, or check that this is a schema")
			wrong(len(p.diags) - 1)
		}
		chunk = append(chunk, t)
	}
	flush()
}

// wrongToken reports whether a token of a list is wrong by itself. All but bytes that are not UTF-8 are reported as errors.
func (p *reader) wrongToken(list []lexer.Token, at int) bool {
	t := list[at]
	switch t.Type {
	case stringToken:
		if at, problem := checkQuoted(t.Value); problem != "" {
			pos := t.Pos
			pos.Advance(t.Value[:at])
			p.errorf(pos, 2, "the quoted text has %s", problem).
				hint(`write \\ for a backslash, \" for a quote, \n for the end of a line, \x00 for a byte`)
			return true
		}
	case codeToken:
		if n := utf8.RuneCountInString(t.Value) - 2; n < 1 || len(t.Value)-2 > 8 {
			d := p.errorf(t.Pos, n+2, "a code has 1 to 8 letters between its quotes, this one has %d", n)
			number, escaped := EscapedCode(t.Value)
			switch {
			case escaped:
				d.hint("a code has no escapes; these bytes are the number %s", number).Replace(t.Value, number)
			case at > 0 && slices.Contains(beforeOperand, list[at-1].Value):
				d.hint("%s", CodeAdvice(t.Value[1:len(t.Value)-1]))
			case n > 0:
				text := strconv.Quote(t.Value[1 : len(t.Value)-1])
				d.hint("put text in double quotes: %s", text).Replace(t.Value, text)
			}
			return true
		}
	case openToken:
		if t.Value[0] == '"' {
			p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "the quoted text is not closed on its line").
				hint(`put a " at its end; a quote inside is written \"`)
		} else {
			p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "the code is not closed on its line").
				hint("put a ' at its end")
		}
		return true
	case badToken:
		if !utf8.ValidString(t.Value) {
			return true // checkText has reported the first such byte
		}
		p.badCharacter(t)
		return true
	case opToken:
		if t.Value == "/" && at+1 < len(list) && list[at+1].Value == "*" && list[at+1].Pos.Offset == t.Pos.Offset+1 {
			d := p.errorf(t.Pos, 2, "a comment begins with // and ends with its line").
				hint("write // before each line of it")
			if text, _, ok := strings.Cut(p.file.Source[t.Pos.Offset:], "*/"); ok {
				d.Replace(text+"*/", "//"+strings.ReplaceAll(text[2:], "\n", "\n//")+"\n")
			}
			return true
		}
	}
	return false
}

// TokenKind is the sort of a token.
type TokenKind string

// The kinds of tokens. Brackets and wrong characters are operators.
const (
	CommentKind  TokenKind = "comment" // from // to the end of the line
	DocKind      TokenKind = "doc"     // from /// to the end of the line
	StringKind   TokenKind = "string"
	NumberKind   TokenKind = "number" // also a code in single quotes
	WordKind     TokenKind = "word"   // a name or a word of the language
	OperatorKind TokenKind = "operator"
)

// Token is a token of a text.
type Token struct {
	Kind TokenKind
	Pos  Pos
	Text string // comments are without the spaces at their end
}

// Tokens returns the tokens of a text, which may have mistakes. A byte order mark at its
// beginning is not part of the text.
func Tokens(name, text string) []Token {
	list := scan(name, strings.TrimPrefix(text, "\ufeff"))
	out := make([]Token, 0, len(list))
	for _, t := range list {
		kind := OperatorKind
		switch t.Type {
		case commentToken:
			kind = CommentKind
		case docToken:
			kind = DocKind
		case stringToken:
			kind = StringKind
		case numberToken, codeToken:
			kind = NumberKind
		case identToken:
			kind = WordKind
		}
		out = append(out, Token{kind, t.Pos, t.Value})
	}
	return out
}

// documents reports whether a declaration follows a doc comment, which is the
// first of the tokens.
func (n *notation) documents(list []lexer.Token) bool {
	for _, t := range list {
		if t.Type != docToken && t.Type != commentToken {
			return t.Pos.Column == 1 && n.starts(t)
		}
	}
	return false
}

// checkText reports what is not text, and whether there is a point in reading on.
func (p *reader) checkText() bool {
	source := p.file.Source
	at := func(offset int) Pos {
		pos := Pos{Filename: p.file.Name, Line: 1, Column: 1}
		pos.Advance(source[:offset])
		return pos
	}
	if strings.HasPrefix(source, "\xff\xfe") || strings.HasPrefix(source, "\xfe\xff") {
		p.errorf(at(0), 0, "the file is in UTF-16").hint("save it as UTF-8").Line = ""
		return false
	}
	if i := strings.IndexByte(source, 0); i >= 0 {
		p.errorf(at(i), 0, "the file has a zero byte at offset %d: it is not text", i).hint("check that this is a schema").Line = ""
		return false
	}
	if utf8.ValidString(source) {
		return true
	}
	for i := 0; i < len(source); {
		r, n := utf8.DecodeRuneInString(source[i:])
		if r == utf8.RuneError && n == 1 {
			p.errorf(at(i), 1, "the byte 0x%02x is not UTF-8", source[i]).hint("save the file as UTF-8")
			break // one is enough: there are many of them, or one
		}
		i += n
	}
	return true
}

// checkQuoted returns what is wrong with a quoted text, and where.
func checkQuoted(s string) (at int, problem string) {
	rest := s[1 : len(s)-1]
	for rest != "" {
		_, _, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return len(s) - 1 - len(rest), escapeProblem(rest)
		}
		rest = tail
	}
	return 0, ""
}

func escapeProblem(rest string) string {
	_, n := utf8.DecodeRuneInString(rest[min(1, len(rest)):])
	switch escape := rest[:min(1+n, len(rest))]; escape {
	case `\x`, `\u`, `\U`:
		return "an escape `" + escape + "` without its " + map[string]string{`\x`: "2", `\u`: "4", `\U`: "8"}[escape] + " hexadecimal digits"
	default:
		return "the escape `" + escape + "`, which means nothing"
	}
}

// ofOtherLanguages is a line that declares a field as C and languages like it do.
var ofOtherLanguages = regexp.MustCompile(`^\s*(?:(?:unsigned|signed|const|struct)\s+)?(\w+)\s+(\w+)\s*(\[\w+\])?\s*;`)

func (p *reader) badCharacter(t lexer.Token) {
	r, _ := utf8.DecodeRuneInString(t.Value)
	line := p.file.Line(t.Pos.Line)
	before, _, _ := strings.Cut(line, string(r))
	switch {
	case r == ';' && ofOtherLanguages.MatchString(line):
		row := ofOtherLanguages.FindStringSubmatch(line)
		p.errorf(t.Pos, 1, "`;` is not used: rows have cells").hint(`a row is written: | offset | length | %s | %s | "description"`, row[1]+row[3], row[2])
	case r == ';':
		p.errorf(t.Pos, 1, "`;` is not used: a line needs nothing at its end").hint("leave it out").Replace(";", "")
	case r == '#':
		p.errorf(t.Pos, 1, "`#` is not used").hint("a comment begins with //").Replace("#", "//")
	case r == '“' || r == '”' || r == '„' || r == '«' || r == '»':
		p.errorf(t.Pos, 1, "`%c` is not used", r).hint(`put quoted text in straight quotes: "`).Replace(string(r), `"`)
	case r == '`':
		p.errorf(t.Pos, 1, "`%c` is not used", r).hint("leave it out of names; a code of letters is in straight quotes: '").Replace(string(r), "")
	case r == '‘' || r == '’':
		p.errorf(t.Pos, 1, "`%c` is not used", r).hint("put a code of letters in straight quotes: '").Replace(string(r), "'")
	case r < ' ' || r == 0x7f || !strconv.IsPrint(r):
		p.errorf(t.Pos, 1, "the invisible character U+%04X is not allowed here", r).hint("replace it by a space").Replace(string(r), " ")
	case r > 0x7f:
		p.errorf(t.Pos, 1, "`%c` is unexpected here", r).hint("names are made of A to Z, a to z, 0 to 9 and _; any letter is allowed in quoted text and in comments")
	case r == '?' && strings.HasSuffix(strings.TrimSpace(before), "|"):
		p.errorf(t.Pos, 1, "`?` is not used").hint(letterAdvice).Replace("?", "N")
	case r == '?':
		p.errorf(t.Pos, 1, "`?` is not used").hint("a comparison is 1 or 0, so a number is (n > 0) * a + (n == 0) * b; rows are in blocks: if n > 0 { … } else { … }")
	case r == '~':
		p.errorf(t.Pos, 1, "`~` is not used").hint("of a u8 write n ^ 0xff; the next multiple of 4 is (n + 3) / 4 * 4")
	default:
		p.errorf(t.Pos, 1, "`%c` is not used", r).hint("`octable grammar` prints the grammar")
	}
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

func endOf(list []lexer.Token) Pos {
	last := list[len(list)-1]
	end := last.Pos
	end.Advance(last.Value)
	return end
}

// declarations reads the tokens from the beginning of one declaration to that of the next. They are
// more than a declaration if a keyword is misspelt.
func (p *reader) declarations(list []lexer.Token) {
	decl, at := p.parse(list)
	if decl == nil && at > 0 && at < len(list) && list[at].Pos.Column == 1 && len(openBrackets(list[:at])) == 0 {
		if head, _ := p.parse(list[:at]); head != nil {
			p.add(head, list[:at])
			p.explainStart(list[at])
			return
		}
	}
	if decl == nil {
		p.explainError(list, at)
		return
	}
	p.add(decl, list)
}
