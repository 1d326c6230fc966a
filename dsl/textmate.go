// Syntax highlighting: the grammar in the form that editors read.

package dsl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// scope says how text of one pattern looks: the names are those that colour themes
// of editors know.
type scope struct {
	Name     string           `json:"name,omitempty"`
	Match    string           `json:"match,omitempty"`
	Begin    string           `json:"begin,omitempty"`
	End      string           `json:"end,omitempty"`
	Captures map[string]scope `json:"captures,omitempty"`
	Opening  map[string]scope `json:"beginCaptures,omitempty"`
	Include  string           `json:"include,omitempty"`
	Patterns []scope          `json:"patterns,omitempty"`
}

// TextMate returns the grammar of schemas and pages as a TextMate grammar in
// JSON. Most editors read this form of syntax highlighting. Its words are those
// of the parsers. Editors look at one line at a time, so a name that is spelt
// like a word of the language is taken for the word, but in the cells of rows.
func TextMate() []byte {
	grammar := struct {
		Schema     string           `json:"$schema"`
		Name       string           `json:"name"`
		ScopeName  string           `json:"scopeName"`
		FileTypes  []string         `json:"fileTypes"`
		Patterns   []scope          `json:"patterns"`
		Repository map[string]scope `json:"repository"`
	}{
		Schema:     "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
		Name:       "Octable schema",
		ScopeName:  "source.octable",
		FileTypes:  []string{"oct", "page"},
		Patterns:   includes("doc", "comment", "row", "arm", "declaration", "field", "string", "code", "erratum", "number", "type", "call", "word", "operator"),
		Repository: map[string]scope{},
	}
	for _, part := range []map[string]scope{tokenScopes(), rowScopes(), declarationScopes()} {
		maps.Copy(grammar.Repository, part)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(grammar) // strings and maps of them
	return b.Bytes()
}

// includes returns references to scopes by their names.
func includes(names ...string) (out []scope) {
	for _, n := range names {
		out = append(out, scope{Include: "#" + n})
	}
	return out
}

// tokenScopes returns the scopes of single tokens.
func tokenScopes() map[string]scope {
	var types []string
	for _, t := range builtin.Types() {
		types = append(types, t.Name)
	}
	for _, t := range builtin.OrderedTypes() {
		types = append(types, t.Name)
	}
	pattern := map[string]string{}
	for _, r := range lexical {
		pattern[r.name] = r.pattern
	}
	words := slices.Concat(schemaNotation().words, pageNotation().words)
	for _, r := range builtin.TextRules {
		words = append(append(words, r.Name), r.Names()...)
	}
	slices.Sort(words)
	words = slices.Compact(words)
	return map[string]scope{
		"doc":     {Name: "comment.line.documentation.octable", Match: "^" + pattern["Doc"]},
		"comment": {Name: "comment.line.double-slash.octable", Match: pattern["Comment"]},
		"string": {Name: "string.quoted.double.octable", Begin: `"`, End: `"|$`, Patterns: []scope{
			{Name: "constant.character.escape.octable", Match: `\\([abfnrtv\\"]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[0-7]{3})`},
			{Name: "invalid.illegal.escape.octable", Match: `\\.`},
		}},
		"code":   {Name: "string.quoted.single.octable", Match: pattern["Code"]},
		"number": {Name: "constant.numeric.octable", Match: `\b(` + pattern["Number"] + ")"},
		"erratum": {Match: `(!)(` + namePattern + ")", Captures: map[string]scope{
			"1": {Name: "keyword.operator.octable"}, "2": {Name: "entity.other.attribute-name.octable"},
		}},
		"type":     {Name: "storage.type.octable", Match: `\b(?:` + strings.Join(types, "|") + `)\b`},
		"call":     {Match: `\b(` + strings.Join(builtin.Functions(), "|") + `)\s*\(`, Captures: map[string]scope{"1": {Name: "support.function.octable"}}},
		"word":     {Name: "keyword.control.octable", Match: `\b(?:` + strings.Join(words, "|") + `)\b`},
		"operator": {Name: "keyword.operator.octable", Match: `\|\||&&|[=!<>]=|<<|>>|\.\.|[-+*/%&^!<>=]`},
	}
}

// rowScopes returns the scopes of rows and their cells.
func rowScopes() map[string]scope {
	return map[string]scope{
		// The cells of a row, up to its name: the letters in offsets and lengths are
		// no fields, and names are no words of the language.
		"row": {
			Begin: `^\s*(?:row\s*)?(\|)([^|"]*)(\|)([^|"]*)(\|)\s*(` + namePattern + `)([^|"]*)(\|)\s*(` + namePattern + ")",
			End:   "$",
			Opening: map[string]scope{
				"1": {Name: "punctuation.separator.table.octable"}, "3": {Name: "punctuation.separator.table.octable"},
				"5": {Name: "punctuation.separator.table.octable"}, "8": {Name: "punctuation.separator.table.octable"},
				"2": {Patterns: includes("place")}, "4": {Patterns: includes("place")},
				"6": {Patterns: includes("kind")}, "7": {Patterns: includes("number", "type", "call", "operator")},
				"9": {Name: "variable.other.member.octable"},
			},
			Patterns: append(includes("comment", "string", "code", "erratum", "number", "type", "call", "word"),
				scope{Name: "punctuation.separator.table.octable", Match: `\|`}, scope{Include: "#operator"}),
		},
		"place": {Patterns: append(includes("number"), scope{Name: "variable.parameter.octable", Match: namePattern}, scope{Include: "#operator"})},
		"kind":  {Patterns: []scope{{Include: "#type"}, {Name: "entity.name.type.octable", Match: namePattern}}},
	}
}

// declarationScopes returns the scopes of the first lines of declarations, and of bits.
func declarationScopes() map[string]scope {
	first := slices.Concat(schemaNotation().keywords, pageNotation().keywords)
	slices.Sort(first)
	first = slices.Compact(first)
	const id = `(?:[0-9][0-9A-Fa-fxX_]*|'[^']*'|else)`
	return map[string]scope{
		"arm": {
			Match: `^((?:replace\s+)?arm)\s+(` + namePattern + `)(?:\s+(` + id + `(?:\s*(?:,|\.\.)\s*` + id + `)*))?\s+(` + namePattern + ")",
			Captures: map[string]scope{
				"1": {Name: "keyword.declaration.octable"}, "2": {Name: "entity.name.type.octable"},
				"3": {Name: "constant.numeric.octable"}, "4": {Name: "entity.name.type.octable"},
			},
		},
		"declaration": {
			Match: "^((?:replace\\s+)?(?:" + strings.Join(first, "|") + `))\b(?:\s+(` + namePattern + `)(?:\.(` + namePattern + "))?)?",
			Captures: map[string]scope{
				"1": {Name: "keyword.declaration.octable"}, "2": {Name: "entity.name.type.octable"}, "3": {Name: "entity.name.type.octable"},
			},
		},
		// Bits: a number, or two with dots between them, then a name; in an arm, after the
		// name of the word and a brace.
		"field": {
			Match: `^\s*(?:(` + namePattern + `)\s*\{\s*)?([0-9]+)(?:(\.\.)([0-9]+))?\s+(` + namePattern + ")",
			Captures: map[string]scope{
				"1": {Name: "variable.other.member.octable"}, "2": {Name: "constant.numeric.octable"}, "3": {Name: "keyword.operator.octable"},
				"4": {Name: "constant.numeric.octable"}, "5": {Name: "variable.other.member.octable"},
			},
		},
	}
}
