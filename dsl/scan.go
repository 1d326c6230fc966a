// Scanning: text to tokens.

package dsl

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// lexical describes the tokens: a text begins with the first of them whose pattern matches. [tokenAt] takes
// the same tokens without the patterns. Those without an explanation are never part of a correct schema.
var lexical = []struct{ name, pattern, what string }{
	{"Doc", `///[^\n]*`, "documents the declaration after it, from the first column of a line"},
	{"Comment", `//[^\n]*`, "a comment, at the end of a line or on separate lines"},
	{"String", `"(\\.|[^"\\\n])*"`, "a quoted text, with the escapes of Go"},
	{"Code", `'[^'\n]*'`, "a code of 1 to 8 letters"},
	{"Number", `0[xX][0-9A-Fa-f_]+|[0-9][0-9_]*(\.[0-9]+)?([eE][-+]?[0-9]+)?`, "a number, decimal or hexadecimal"},
	{"Ident", namePattern, "a name, or a word of the language"},
	{"Op", `\|\||&&|==|!=|<=|>=|<<|>>|\.\.|[-+*/%&^|!<>=(){}\[\],.:@]`, "an operator or a bracket"},
	{"Whitespace", `[ \t\r\n]+`, "separates other tokens"},
	{"Open", `"(\\.|[^"\\\n])*\\?|'[^'\n]*`, ""},
	{"Bad", `[^ \t\r\n]`, ""},
}

// The types of tokens, in the order of lexical.
const (
	docToken = lexer.EOF - 1 - iota
	commentToken
	stringToken
	codeToken
	numberToken
	identToken
	opToken
	whitespaceToken
	openToken
	badToken
)

// tokens is the lexer of the notations.
type tokens struct{}

// Symbols returns the types of tokens by their names.
func (tokens) Symbols() map[string]lexer.TokenType {
	symbols := map[string]lexer.TokenType{"EOF": lexer.EOF}
	for i, r := range lexical {
		symbols[r.name] = docToken - lexer.TokenType(i)
	}
	return symbols
}

// Lex is not called: parsers get lists of tokens.
func (tokens) Lex(string, io.Reader) (lexer.Lexer, error) { panic("tokens are scanned by scan") }

// scan returns the tokens of a text but for white space. Comments are without
// the spaces at their end.
func scan(name, text string) []lexer.Token {
	list := make([]lexer.Token, 0, len(text)/6)
	for pos := (Pos{Filename: name, Line: 1, Column: 1}); pos.Offset < len(text); {
		rest := text[pos.Offset:]
		kind, n := tokenAt(rest)
		t := lexer.Token{Type: kind, Value: rest[:n], Pos: pos}
		pos.Advance(t.Value)
		switch kind {
		case whitespaceToken:
			continue
		case docToken, commentToken:
			t.Value = strings.TrimRight(t.Value, " \t\r")
		}
		list = append(list, t)
	}
	return list
}

// tokenAt returns the type of the token at the beginning of a text, and its length in bytes. The text is not empty.
func tokenAt(s string) (lexer.TokenType, int) {
	switch c := s[0]; {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return whitespaceToken, run(s, isSpace)
	case isLetter(c) || c == '_':
		return identToken, run(s, isNameByte)
	case isDigit(c):
		return numberToken, numberLength(s)
	case c == '"':
		n, closed := quotedLength(s)
		if !closed {
			return openToken, n
		}
		return stringToken, n
	case c == '\'':
		n := 1 + strings.IndexAny(s[1:], "'\n")
		if n == 0 {
			return openToken, len(s)
		} else if s[n] == '\n' {
			return openToken, n
		}
		return codeToken, n + 1
	case strings.HasPrefix(s, "///"):
		return docToken, lineLength(s)
	case strings.HasPrefix(s, "//"):
		return commentToken, lineLength(s)
	}
	if len(s) > 1 {
		switch s[:2] {
		case "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "..":
			return opToken, 2
		}
	}
	if strings.IndexByte("-+*/%&^|!<>=(){}[],.:@", s[0]) >= 0 {
		return opToken, 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return badToken, n
}

// run returns the number of bytes at the beginning of a text that are of a class.
func run(s string, of func(byte) bool) int {
	n := 0
	for n < len(s) && of(s[n]) {
		n++
	}
	return n
}

func isSpace(c byte) bool    { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' }

func lineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

// numberLength returns the length of the number at the beginning of a text.
func numberLength(s string) int {
	if s[0] == '0' && len(s) > 1 && s[1]|0x20 == 'x' {
		if n := run(s[2:], func(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' || c == '_' }); n > 0 {
			return 2 + n
		}
	}
	n := run(s, func(c byte) bool { return isDigit(c) || c == '_' })
	if n < len(s) && s[n] == '.' {
		if digits := run(s[n+1:], isDigit); digits > 0 {
			n += 1 + digits
		}
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		sign := 0
		if n+1 < len(s) && (s[n+1] == '+' || s[n+1] == '-') {
			sign = 1
		}
		if digits := run(s[n+1+sign:], isDigit); digits > 0 {
			n += 1 + sign + digits
		}
	}
	return n
}

// quotedLength returns the length of the quoted text at the beginning of a text. closed reports whether a quote ends it
// on its line.
func quotedLength(s string) (n int, closed bool) {
	for n = 1; n < len(s) && s[n] != '\n'; n++ {
		switch s[n] {
		case '"':
			return n + 1, true
		case '\\':
			if n+1 < len(s) && s[n+1] != '\n' {
				n++
			}
		}
	}
	return n, false
}

// CodeNumber returns the number of a code of up to 8 letters: its first letter is the lowest byte.
func CodeNumber(letters string) (n uint64) {
	for i := 0; i < len(letters) && i < 8; i++ {
		n |= uint64(letters[i]) << (8 * i)
	}
	return n
}
