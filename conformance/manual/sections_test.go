package manual

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noConstructs are the sections that describe nothing that a reader or a writer does, with the reason.
var noConstructs = map[string]string{
	"Notation of the examples": "about the manual",
	"A first schema":           "an introduction",
	"Text of a schema":         "has sections for its parts",
	"Files":                    "about the text of a schema",
	"Lines and declarations":   "about the text of a schema",
	"Tokens":                   "about the text of a schema",
	"Doc comments":             "about the text of a schema",
	"Schema declaration":       "has sections for its properties",
	"Types":                    "has sections for its parts",
	"Conditions":               "has sections for its forms",
	"Bits":                     "has sections for its forms",
	"Lists":                    "has sections for its forms",
	"Examples":                 "about tests in schemas",
	"Pages":                    "without a meaning for bytes",
	"Proof of the layout":      "about errors of schemas alone",
	"Proof of termination":     "about errors of schemas alone",
	"Limits":                   "a table of all limits",
	"Out of scope":             "about what schemas cannot say",
	"Errors of schemas":        "a table of all codes",
	"Grammar":                  "about the text of a schema",
}

// section is a part of the manual below one heading and above the next one.
type section struct {
	name   string
	level  int
	prose  string
	fences []string
}

func sectionsOf(text string) []section {
	var out []section
	inFence := false
	for line := range strings.Lines(text) {
		marks := strings.IndexFunc(line, func(r rune) bool { return r != '#' })
		switch {
		case strings.HasPrefix(line, "\x60\x60\x60"):
			if inFence = !inFence; inFence && len(out) > 0 {
				last := &out[len(out)-1]
				last.fences = append(last.fences, "")
			}
		case !inFence && marks >= 2:
			out = append(out, section{name: strings.TrimSpace(line[marks:]), level: marks})
		case len(out) == 0:
		case inFence:
			fences := out[len(out)-1].fences
			fences[len(fences)-1] += line
		default:
			out[len(out)-1].prose += line
		}
	}
	return out
}

var (
	saysReader  = regexp.MustCompile(`(?i)\breaders?\b`)
	saysWriter  = regexp.MustCompile(`(?i)\bwriters?\b`)
	saysError   = regexp.MustCompile(`\bE[1-5]\d\d\b|(?:\(|kind )(?:truncated|trailing|type|value|range|mismatch|text|depth|closed|limit|checksum|canonical)\b`)
	accepts     = regexp.MustCompile(`(?m)^(?:write|""|[0-9a-f]{2}).* (?:is|gives) `)
	refuses     = regexp.MustCompile(`(?m)^(?:write|""|[0-9a-f]{2}).* refused [a-z]+ at \d|^line \d+: E\d`)
	subsections = map[string]bool{"Values": true, "Unions": true, "Types of rows": true}
)

// lacks returns what a section does not say of a construct.
func (s *section) lacks() []string {
	var out []string
	for _, q := range []struct {
		says *regexp.Regexp
		what string
	}{{saysReader, "a reader does"}, {saysWriter, "a writer does"}, {saysError, "is refused, by kind or code"}} {
		if !q.says.MatchString(s.prose) {
			out = append(out, q.what)
		}
	}
	if subsections[s.name] {
		return out
	}
	var results string
	for _, f := range s.fences {
		_, r, _ := strings.Cut(f, "\n---\n")
		results += r
	}
	if !accepts.MatchString(results) {
		out = append(out, "is accepted, in an example")
	}
	if !refuses.MatchString(results) {
		out = append(out, "is refused, in an example")
	}
	return out
}

// TestSections checks that each section about a construct says what it means for a reader and for a writer.
// It also says which errors the construct gives, and shows a packet that is accepted and an error.
func TestSections(t *testing.T) {
	text, err := os.ReadFile(manualFile)
	if err != nil {
		t.Fatal(err)
	}
	all := sectionsOf(string(text))
	for i := range all {
		s := &all[i]
		lacks := s.lacks()
		switch {
		case noConstructs[s.name] == "" && len(lacks) > 0:
			t.Errorf("section %q does not say what %s", s.name, strings.Join(lacks, ", or what "))
		case noConstructs[s.name] != "" && len(lacks) == 0:
			t.Errorf("section %q says all that one about a construct says; take it out of noConstructs", s.name)
		}
		if subsections[s.name] && (i+1 == len(all) || all[i+1].level <= s.level) {
			t.Errorf("section %q has no sections below it", s.name)
		}
	}
	for name := range noConstructs {
		if !slices.ContainsFunc(all, func(s section) bool { return s.name == name }) {
			t.Errorf("there is no section %q", name)
		}
	}
}
