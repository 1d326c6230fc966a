// Errors of syntax in words: what is wrong, and what to do about it.
//
// The parser says where it cannot go on. What would help is found by trying: the
// declaration is read again with a token put in, left out or replaced at that
// place, and the change with which the parser gets furthest is what is advised.

package dsl

import (
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// What trials may cost: the tokens of a declaration, and the errors of a run.
const (
	maxTrialTokens = 1000
	maxTrials      = 10
)

const seeGrammar = "`octable grammar` prints the grammar"

// openBrackets returns the brackets that are not closed.
func openBrackets(list []lexer.Token) []lexer.Token {
	var open []lexer.Token
	for _, t := range list {
		if t.Type != opToken {
			continue
		}
		switch t.Value {
		case "{", "(", "[":
			open = append(open, t)
		case "}", ")", "]":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return open
}

// unclosed returns the bracket that most likely lacks its other half: one whose
// line is indented more than the line with the bracket that closes it, or else
// the innermost that is open.
func (p *reader) unclosed(list []lexer.Token) (lexer.Token, bool) {
	indent := func(t lexer.Token) int {
		line := p.file.Line(t.Pos.Line)
		return len(line) - len(strings.TrimLeft(line, " \t"))
	}
	var open []lexer.Token
	var suspect *lexer.Token
	for _, t := range list {
		if t.Type != opToken {
			continue
		}
		switch t.Value {
		case "{", "(", "[":
			open = append(open, t)
		case "}", ")", "]":
			if len(open) == 0 {
				continue
			}
			o := open[len(open)-1]
			open = open[:len(open)-1]
			if i := indent(t); suspect == nil && t.Value == "}" && i < indent(o) && t.Pos.Column == i+1 {
				suspect = &o
			}
		}
	}
	if len(open) == 0 {
		return lexer.Token{}, false
	}
	if suspect != nil {
		return *suspect, true
	}
	return open[len(open)-1], true
}

var closing = map[string]string{"{": "}", "(": ")", "[": "]"}

// explainStart reports a word that should begin a declaration and does not.
func (p *reader) explainStart(t lexer.Token) {
	if t.Type == opToken && (t.Value == "}" || t.Value == ")" || t.Value == "]") {
		p.errorf(t.Pos, 1, "`%s` closes nothing", t.Value).hint("leave it out, or look for a bracket closed too early above")
		return
	}
	d := p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "%s does not begin a declaration", describe(t))
	if same, ok := foreign[t.Value]; ok {
		d.hint("write `%s`", same)
		return
	}
	if best := Nearest(t.Value, keywords); best != "" && t.Type == identToken {
		d.hint("did you mean `%s`?", best)
		return
	}
	d.hint("a declaration begins with one of: %s", strings.Join(keywords, ", "))
}

// foreign are words of other languages, and what they are here.
var foreign = map[string]string{
	"struct": "type", "record": "type", "enum": "union", "variant": "arm", "case": "arm",
	"include": "extends", "import": "extends", "define": "const",
	"and": "&&", "or": "||", "&": "&&", "=": "==", ":": "=",
}

// replacements are words that the language had, and the notation that replaces them. A key
// of two words matches the second one.
var replacements = map[string]string{
	"bit":         "write the bits in braces after the name of the word: header { 16 name }",
	"bits":        "write the bits in braces after the name of the word: header { 16..17 name }",
	"when":        "write if condition",
	"must":        "write check condition, or nothing for a constant such as id = 'RIFF'",
	"read":        "write any",
	"rest ignore": "write rest any",
	"rest zero":   "leave it out: unused bits must be zero unless `rest any` follows",
	"fill":        "leave it out: padding is written as zeros",
	"exact":       "leave it out: padding must be zeros unless `any` follows its number",
}

// replacement returns the old word at a token, or at the beginning of a line before it, and
// the notation that replaces it.
func replacement(list []lexer.Token, at int) (old lexer.Token, notation string) {
	if r, ok := replacements[list[at-1].Value+" "+list[at].Value]; ok {
		return list[at], r
	}
	if r, ok := replacements[list[at].Value]; ok && list[at].Type == identToken {
		return list[at], r
	}
	if old = list[at-1]; beginsLine(list, at-1) && old.Type == identToken {
		notation = replacements[old.Value]
	}
	return old, notation
}

// describe names a token as it was written.
func describe(t lexer.Token) string {
	if t.Type == stringToken && len(t.Value) > 24 {
		return "the quoted text"
	}
	return "`" + t.Value + "`"
}

// explainError reports the error at a token of a declaration.
func (p *reader) explainError(list []lexer.Token, at int) {
	docs := 0
	for docs < len(list) && list[docs].Type == docToken {
		docs++
	}
	if docs == len(list) {
		p.errorf(list[0].Pos, utf8.RuneCountInString(list[0].Value), "this comment with three slashes documents no declaration").
			hint("write // for a comment that documents nothing")
		return
	}
	if at == docs && !startsDecl(list[at]) {
		p.explainStart(list[at])
		return
	}
	var trial trial
	tried := false
	if p.explain++; p.explain <= maxTrials && len(list) <= maxTrialTokens {
		trial, tried = try(list, at), true
	}
	if at >= len(list) {
		p.explainEnd(list, trial)
		return
	}
	found := list[at]
	width := utf8.RuneCountInString(found.Value)
	before := list[at-1]
	end := endOf(list[:at])
	switch old, notation := replacement(list, at); {
	case notation != "":
		p.errorf(old.Pos, utf8.RuneCountInString(old.Value), "%s is not a word of the language any more", describe(old)).hint("%s", notation)
	case before.Value == "|" && before.Pos.Line > list[max(at-2, 0)].Pos.Line && barHelps(list, at):
		end := endOf(list[:at-1])
		p.errorf(end, 1, "`|` is missing at the end of this line").hint("%s", p.advice(list[:at], trial))
	case found.Type == identToken && startsDecl(found) && isDecl(list[:at]):
		p.errorf(found.Pos, width, "%s cannot follow another declaration", describe(found)).
			hint("put it at the start of a line of its own")
	case before.Type == numberToken && found.Type == identToken && end.Offset == found.Pos.Offset:
		p.errorf(before.Pos, utf8.RuneCountInString(before.Value)+width, "`%s%s` is neither a number nor a name", before.Value, found.Value).
			hint("a name begins with a letter or _, and a hexadecimal number with 0x")
	case trial.kind == tryReplace:
		p.errorf(found.Pos, width, "%s is unexpected here", describe(found)).hint("did you mean `%s`?", trial.what)
	case trial.kind == tryInsert && trial.what == "}":
		open := p.innermost(list[:at])
		p.errorf(found.Pos, width, "%s is unexpected before the `%s` of line %d is closed", describe(found), open.Value, open.Pos.Line).
			hint("put `%s` before it", closing[open.Value])
	case trial.kind == tryInsert && found.Pos.Line > end.Line:
		p.errorf(end, 1, "%s is missing at the end of this line", trial.what).hint("%s", p.advice(list[:at], trial))
	case trial.kind == tryInsert:
		p.errorf(found.Pos, width, "%s is missing before %s", trial.what, describe(found)).hint("%s", p.advice(list[:at], trial))
	case found.Value == "}" && len(openBrackets(list[:at])) == 0:
		p.explainStart(found)
	default:
		d := p.errorf(found.Pos, width, "%s is unexpected here", describe(found))
		if trial.expected != "" {
			d.Message += "; " + trial.expected + " is expected"
		}
		switch best := Nearest(found.Value, words); {
		case trial.kind == tryRemove:
			d.hint("leave it out")
		case found.Type == identToken && best != "" && best != found.Value && !tried:
			d.hint("did you mean `%s`?", best)
		default:
			d.hint("%s", p.advice(list[:at], trial))
		}
	}
}

// explainEnd reports a declaration that ends too early.
func (p *reader) explainEnd(list []lexer.Token, trial trial) {
	if open, ok := p.unclosed(list); ok {
		p.errorf(open.Pos, 1, "this `%s` is never closed", open.Value).
			hint("put `%s` where it ends", closing[open.Value])
		return
	}
	d := p.errorf(endOf(list), 1, "the declaration ends too early")
	if trial.expected != "" {
		d.Message += "; " + trial.expected + " is expected"
	}
	d.hint("%s", p.advice(list, trial))
}

// barHelps reports whether the bar before a token belongs to the next row, and
// one is missing that ends the row before.
func barHelps(list []lexer.Token, at int) bool {
	changed := append([]lexer.Token(nil), list[:at]...)
	changed = append(changed, list[at-1:]...)
	for i := range changed {
		changed[i].Pos.Offset = i
	}
	decl, got := parseTokens(changed)
	return decl != nil || got > at+2
}

func isDecl(list []lexer.Token) bool {
	decl, _ := parseTokens(list)
	return decl != nil
}

func (p *reader) innermost(list []lexer.Token) lexer.Token {
	if open := openBrackets(list); len(open) > 0 {
		return open[len(open)-1]
	}
	return list[0]
}

// advice says how the thing is written in which the tokens end.
func (p *reader) advice(list []lexer.Token, trial trial) string {
	for i := len(list) - 1; i >= 0 && list[i].Pos.Line == list[len(list)-1].Pos.Line; i-- {
		if shape, ok := shapes[list[i].Value]; ok && (list[i].Type == identToken || list[i].Value == "|") && beginsLine(list, i) {
			return "it is written: " + shape
		}
	}
	return seeGrammar
}

func beginsLine(list []lexer.Token, i int) bool {
	return i == 0 || list[i-1].Pos.Line < list[i].Pos.Line
}

// shapes show how lines are written, by the word they begin with.
var shapes = map[string]string{
	"|":        `| offset | length | type | name | "description"`,
	"schema":   `schema "name" extends "other" { … }`,
	"arm":      `arm Union 1 Name "label" { … }`,
	"union":    `union Name by field { … }`,
	"type":     `type Name { … }`,
	"encoding": `encoding name { utf8 strict … }`,
	"const":    `const NAME = 1`,
	"erratum":  `erratum NAME in "group" { says "…" engine "…" here "…" }, or erratum NAME inside an arm`,
	"replace":  `replace arm …, or type, union, encoding, erratum`,
	"extend":   `extend arm Union Name … { … }`,
	"remove":   `remove arm Name …, or type, union, erratum`,
	"renumber": `renumber Union { Name 1 … }`,
	"rename":   `rename Union { Old New "label" … }`,
	"repeat":   `repeat count as name { … }, or repeat to end as name { … }`,
	"within":   `within size { … }`,
	"if":       `if condition { … } else { … }`,
	"let":      `let name = expression`,
	"refuse":   `refuse "the reason"`,
	"example":  `example "00 01" is Name(1), or example "00" refused truncated at 1`,
	"order":    `order little, or order big`,
	"axis":     `axis name { choice scalar … }`,
}

type trialKind int

const (
	tryNothing trialKind = iota
	tryInsert            // a token of this sort is missing
	tryReplace           // the word is a slip of this one
	tryRemove            // the token is too many
)

// trial is a change of the tokens that lets more of a declaration be parsed.
type trial struct {
	kind     trialKind
	what     string
	expected string // the tokens allowed there, "" if they are many
}

// samples are tokens of each sort, in the order in which they are advised.
var samples = []struct {
	token lexer.Token
	name  string
}{
	{lexer.Token{Type: opToken, Value: "|"}, "`|`"},
	{lexer.Token{Type: opToken, Value: "="}, "`=`"},
	{lexer.Token{Type: opToken, Value: ")"}, "`)`"},
	{lexer.Token{Type: opToken, Value: "]"}, "`]`"},
	{lexer.Token{Type: opToken, Value: "}"}, "}"},
	{lexer.Token{Type: opToken, Value: "{"}, "`{`"},
	{lexer.Token{Type: opToken, Value: "("}, "`(`"},
	{lexer.Token{Type: opToken, Value: ","}, "`,`"},
	{lexer.Token{Type: opToken, Value: ":"}, "`:`"},
	{lexer.Token{Type: identToken, Value: "x"}, "a name"},
	{lexer.Token{Type: numberToken, Value: "1"}, "a number"},
	{lexer.Token{Type: stringToken, Value: `"x"`}, "a quoted text"},
	{lexer.Token{Type: codeToken, Value: `'x'`}, "a code"},
}

// try finds the change at an unexpected token that lets the parser get furthest.
func try(list []lexer.Token, at int) trial {
	var best trial
	reach := at + 1 // a change must let the parser get past the token and the next one
	attempt := func(kind trialKind, what string, grown int, put ...lexer.Token) {
		changed := append([]lexer.Token(nil), list[:at]...)
		changed = append(changed, put...)
		changed = append(changed, list[min(len(list), at+len(put)-grown):]...)
		if len(changed) == 0 {
			return
		}
		// Places tell the parser's error; they must be in order.
		for i := range changed {
			changed[i].Pos.Offset = i
		}
		decl, got := parseTokens(changed)
		if got -= grown; decl != nil {
			got = len(list) + 1
		}
		if got > reach || got == reach && what == "a number or a name" {
			reach, best = got, trial{kind: kind, what: what}
		}
	}
	var found lexer.Token
	if at < len(list) {
		found = list[at]
	}
	// The tokens that are allowed there.
	accepted := func(t lexer.Token) bool {
		head := append(append([]lexer.Token(nil), list[:at]...), t)
		for i := range head {
			head[i].Pos.Offset = i
		}
		decl, got := parseTokens(head)
		return decl != nil || got > at
	}
	if found.Type == identToken {
		limit := 3
		if len(found.Value) < 4 {
			limit = 2
		}
		for _, w := range words {
			if w != found.Value && editDistance(strings.ToLower(found.Value), w, limit) < limit {
				attempt(tryReplace, w, 0, lexer.Token{Type: identToken, Value: w})
			}
		}
	}
	if same, ok := foreign[found.Value]; ok && at > 0 && found.Type != stringToken {
		typ := opToken
		if same[0] >= 'a' {
			typ = identToken
		}
		attempt(tryReplace, same, 0, lexer.Token{Type: typ, Value: same})
	}
	var expected []string
	operator := accepted(lexer.Token{Type: opToken, Value: "%"})
	for _, s := range samples {
		if !accepted(s.token) || operator && (s.token.Value == "(") {
			continue
		}
		name := s.name
		if name == "}" {
			name = "`}`"
		}
		what := s.name
		if what == "a number" && contains(expected, "a name") {
			what = "a number or a name"
		}
		expected = append(expected, name)
		if at < len(list) {
			attempt(tryInsert, what, 1, s.token)
		}
	}
	if at < len(list) && found.Type != identToken {
		attempt(tryRemove, found.Value, -1)
	}
	for _, w := range words {
		if w != "x" && w != "outside" && !contains(expected, "a name") && accepted(lexer.Token{Type: identToken, Value: w}) {
			expected = append(expected, "`"+w+"`")
		}
	}
	if len(expected) > 0 && len(expected) <= 6 {
		best.expected = join(expected)
	}
	return best
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func join(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
