package audit

import (
	"sort"
	"strings"
	"unicode"
)

// numberWords are the words that count as numbers. "one" is left out: in
// English prose it mostly is a pronoun.
var numberWords = map[string]string{
	"zero": "0", "two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}

// A token is a piece of a text: a number, a word or something else.
type token struct {
	kind byte // 'n' number, 'w' word, 0 other
	text string
	bare bool // for a word: no digit touches it
}

// tokens splits text into runs of digits, hexadecimal numbers with 0x, and
// words. Words are split where a capital follows a small letter.
func tokens(text string) []token {
	rs := []rune(text)
	number := func(i int) bool { return i >= 0 && i < len(rs) && unicode.IsNumber(rs[i]) }
	hex := func(i int) bool {
		return i < len(rs) && (unicode.Is(unicode.ASCII_Hex_Digit, rs[i]))
	}
	var ts []token
	for i := 0; i < len(rs); {
		start := i
		switch {
		case number(i):
			if rs[i] == '0' && i+1 < len(rs) && (rs[i+1] == 'x' || rs[i+1] == 'X') && hex(i+2) {
				for i += 2; hex(i); i++ {
				}
			} else {
				for ; number(i); i++ {
				}
			}
			ts = append(ts, token{'n', strings.ToLower(string(rs[start:i])), false})
		case unicode.IsLetter(rs[i]):
			for i++; i < len(rs) && unicode.IsLetter(rs[i]) &&
				!(unicode.IsUpper(rs[i]) && unicode.IsLower(rs[i-1])); i++ {
			}
			word := strings.ToLower(string(rs[start:i]))
			if n, ok := numberWords[word]; ok {
				ts = append(ts, token{'n', n, false})
				break
			}
			ts = append(ts, token{'w', word, !number(start-1) && !number(i)})
		default:
			i++
		}
	}
	return ts
}

// numbers returns the numbers in text as they are written. Letters of
// hexadecimal numbers are in lower case, and number words are digits.
func numbers(text string) []string {
	var ns []string
	for _, t := range tokens(text) {
		if t.kind == 'n' {
			ns = append(ns, t.text)
		}
	}
	return ns
}

// A meaning is the normal form of a description.
type meaning struct {
	numbers string // in their order
	axes    string // in their order
	words   string // sorted
}

// meaningOf returns the normal form of a description with the key words in
// vocabulary.
func meaningOf(text string, vocabulary map[string]string) meaning {
	var ns, axes []string
	words := map[string]bool{}
	for _, t := range tokens(text) {
		switch {
		case t.kind == 'n':
			ns = append(ns, t.text)
		case len(t.text) == 1 && strings.Contains("xyzw", t.text) && t.bare:
			axes = append(axes, strings.ToUpper(t.text))
		case t.text == "subname" && vocabulary["sub"] != "":
			words["sub"] = true
			if vocabulary["name"] != "" {
				words["name"] = true
			}
		case vocabulary[t.text] != "":
			words[vocabulary[t.text]] = true
		}
	}
	var sorted []string
	for w := range words {
		sorted = append(sorted, w)
	}
	sort.Strings(sorted)
	return meaning{strings.Join(ns, " "), strings.Join(axes, " "), strings.Join(sorted, " ")}
}

// difference says in words how the document's meaning d differs from m.
func (m meaning) difference(d meaning) string {
	var parts []string
	part := func(what, want, got string) {
		if want != got {
			parts = append(parts, what+": expected "+orNone(want)+", found "+orNone(got))
		}
	}
	part("numbers", m.numbers, d.numbers)
	part("axis letters", m.axes, d.axes)
	part("key words", m.words, d.words)
	return strings.Join(parts, "; ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// plain returns text with single spaces and without the backslashes and
// backquotes of markup. The result is for comparing text exactly.
func plain(text string) string {
	if strings.ContainsAny(text, "\\`") {
		text = markup.Replace(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

var markup = strings.NewReplacer(`\`, "", "`", "")
