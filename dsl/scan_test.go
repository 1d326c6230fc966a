package dsl

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/octable/octable/dsl/long"
)

// TestScan compares the tokens of texts with those that the patterns of lexical match.
func TestScan(t *testing.T) {
	var rules []lexer.SimpleRule
	for _, r := range lexical {
		rules = append(rules, lexer.SimpleRule{Name: r.name, Pattern: r.pattern})
	}
	patterns := lexer.MustSimple(rules)
	names, symbols := lexer.SymbolsByRune(patterns), tokens{}.Symbols()
	want := func(text string) (list []lexer.Token) {
		lex, err := patterns.LexString("scan.oct", text)
		if err != nil {
			t.Fatal(err)
		}
		for {
			tok, err := lex.Next()
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if tok.EOF() {
				return list
			}
			switch name := names[tok.Type]; name {
			case "Whitespace":
				continue
			case "Doc", "Comment":
				tok.Value = strings.TrimRight(tok.Value, " \t\r")
				fallthrough
			default:
				tok.Type = symbols[name]
			}
			list = append(list, tok)
		}
	}
	compare := func(text string) {
		got, want := scan("scan.oct", text), want(text)
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%q: token %d is\n%#v, want\n%#v", text, i, got[min(i, len(got)):min(i+1, len(got))], want[min(i, len(want)):min(i+1, len(want))])
			}
		}
	}
	var lines []string
	for _, text := range schemas(t) {
		lines = append(lines, strings.SplitAfter(string(text), "\n")...)
	}
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		compare(line)
	}
	// Short texts of the parts by which tokens begin, go on and end.
	parts := []string{"/", "//", "///", "\"", "'", "\\", "\n", " ", "\t", "\r", "0", "9", "x", "X", "e", "E", "_", "a", "F", "z", "Z", ".", "..", "+", "-", "*", "%", "&", "^", "|", "!", "<", ">", "=",
		"(", ")", "{", "}", "[", "]", ",", ":", "@", "`", "~", "#", "$", ";", "?", "\f", "\v", "\x00", "\x7f", "é", "☃", "\U0001f600", "\xff", "\xc3", "\xe2\x98"}
	for _, a := range parts {
		for _, b := range parts {
			compare(a + b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range long.Number(5000, 200000) {
		var text strings.Builder
		for range 1 + r.IntN(12) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		compare(text.String())
	}
}
