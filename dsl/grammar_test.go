package dsl

import (
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/builtin"
)

func TestGrammar(t *testing.T) {
	text := Grammar()
	golden(t, "testdata/grammar.want", []byte(text))
	for _, k := range schemaNotation().keywords {
		if !strings.Contains(text, `"`+k+`"`) {
			t.Errorf("the grammar lacks the keyword %s", k)
		}
	}
	// Every production that is used is there, and every token has a rule.
	for _, m := range regexp.MustCompile(`\b[A-Z][A-Za-z]+\b`).FindAllString(text[strings.Index(text, "File ="):], -1) {
		if !strings.Contains(text, "\n"+m+" = ") {
			t.Errorf("no production for %s", m)
		}
	}
	for _, m := range regexp.MustCompile(`<[a-z]+>`).FindAllString(text, -1) {
		if !strings.Contains(text, "//   "+m+" ") {
			t.Errorf("no rule for %s", m)
		}
	}
	t.Logf("%d productions, %d words", strings.Count(text, " = "), len(schemaNotation().words))
	if strings.Contains(text, "<bad>") || strings.Contains(text, "<open>") {
		t.Error("the grammar has tokens that are never right")
	}
}

func TestShapesAreWords(t *testing.T) {
	for word := range schemaNotation().shapes {
		if word != "|" && !contains(schemaNotation().words, word) {
			t.Errorf("%s is not a word of the language", word)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct{ slip, want string }{
		{"tpye", "type"}, {"unoin", "union"}, {"repaet", "repeat"}, {"Encoding", "encoding"},
		{"schem", "schema"}, {"uni", "union"}, {"q", ""}, {"xyz", ""}, {"", ""}, {strings.Repeat("a", 100), ""},
	} {
		if got := builtin.Nearest(c.slip, schemaNotation().words); got != c.want {
			t.Errorf("builtin.Nearest(%q) = %q, want %q", c.slip, got, c.want)
		}
	}
}

// TestStyleHasAllWords keeps the case of the formatter as rich as the grammar. A
// word that Format does not know is seen there.
func TestStyleHasAllWords(t *testing.T) {
	seen := map[string]bool{}
	for _, tok := range scan("style.oct", string(schemas(t)["style.oct"])) {
		seen[tok.Value] = true
	}
	for _, w := range schemaNotation().words {
		if !seen[w] {
			t.Errorf("testdata/format/style.oct lacks %s", w)
		}
	}
}

// TestWordsAreDescribed lets the language server describe every word.
func TestWordsAreDescribed(t *testing.T) {
	for _, w := range schemaNotation().words {
		if builtin.WordNamed(w) == "" {
			t.Errorf("%s has no description", w)
		}
	}
}
