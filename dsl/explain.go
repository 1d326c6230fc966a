// Errors of syntax in words: what is wrong, and what to do about it.
//
// The parser says where it cannot go on. What would help is found by trying: the
// declaration is read again with a token put in, left out or replaced at that
// place, and the change with which the parser gets furthest is what is advised.

package dsl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/octable/octable/dsl/builtin"
)

// Limits of trials: the tokens of a declaration, and the errors of a run.
const (
	maxTrialTokens = 1000
	maxTrials      = 10
)

// seeGrammar is the advice where no other is better.
func (n *notation) seeGrammar() string {
	if n == pageNotation() {
		return "`octable grammar -page` prints the grammar"
	}
	return "`octable grammar` prints the grammar"
}

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

// unclosed returns the bracket that most likely lacks its other half. That is one whose line is
// indented more than the line with the bracket that closes it. Without one it is the innermost
// that is open.
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
				continue // unreachable: the parser has accepted all brackets
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
		p.errorf(t.Pos, 1, "`%s` closes nothing", t.Value).hint("leave it out, or look for a bracket closed too early above").Replace(t.Value, "")
		return
	}
	if r := Replacement(t.Value); r != "" {
		p.oldWord(t, r)
		return
	}
	d := p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "%s does not begin a declaration", describe(t))
	if same, ok := foreign[t.Value]; ok {
		d.hint("write `%s`", same).Replace(t.Value, same)
		return
	}
	if best := builtin.Nearest(t.Value, p.keywords); best != "" && t.Type == identToken {
		d.hint("did you mean `%s`?", best).Replace(t.Value, best)
		return
	}
	d.hint("a declaration begins with one of: %s", strings.Join(p.keywords, ", "))
}

// foreign are words of other languages, and what they are here.
var foreign = map[string]string{
	"struct": "type", "record": "type", "variant": "arm", "case": "arm",
	"include": "extends", "using": "import",
	"and": "&&", "or": "||", "&": "&&", "=": "==", ":": "=",
}

// replacements are words that the language had, and the notation that replaces them. A key
// of two words matches them together, or the second one on a line that begins with the first.
var replacements = map[string]string{
	"bit":         "write the bits in braces after the name of the word: header { 16 name }",
	"bits":        "write the bits in braces after the name of the word: header { 16..17 name }",
	"erratum":     "write !NAME after the name or label of the arm, type, encoding or schema, and declare it in a page",
	"caption":     "write it in a page: Union.Arm.row { caption \"…\" }",
	"says":        "write it in a page: Union.Arm.row { says \"…\" }, or page \"id\" { says \"…\" }",
	"said":        "write it in a page: Union.Arm.row { !E1 offset \"…\" }",
	"absent":      "write it in a page: Union.Arm.row { !E1 absent }",
	"same":        "write it in a page: Union.Arm.row { row | … }",
	"when":        "write if condition",
	"elif":        "write else if condition { … }",
	"elsif":       "write else if condition { … }",
	"elseif":      "write else if condition { … }",
	"must":        "write check condition, or nothing for a constant such as id = 'RIFF'",
	"read":        "write any",
	"extend arm":  "write extend Union.Arm",
	"remove":      "write drop Union.Arm, or drop and the name of a type or a union",
	"rename":      `write change Union { Arm NewName "label" }`,
	"renumber":    "write change Union { Arm 1 }",
	"to end":      "write until end",
	"[rest]":      "write until end",
	"repeat map":  "write map count as name { … }",
	"within":      "write the size in the length cell of the row: | 8 | size | Body | body |; put several rows into a type",
	"rest ignore": "write rest any",
	"rest zero":   "leave it out: unused bits must be zero unless `rest any` follows",
	"const":       "write the number where it is used",
	"let":         "write the expression where the name is used",
	"write":       "leave it out: a writer writes what the value or the expression after = says",
	"exact":       "leave it out of padding, which must be zeros unless `any` follows; for keys write keys { exact Arm }",
	"equal":       "write keys { equal Arm, Arm }",
	"differ":      "write keys { differ Arm }",
	"apart":       "write keys { apart Arm }",
	"axis":        "write option name { choice scalar … } without offset, length and element, which are computed",
	"outside":     "write form(value), and one row with both forms: | … | 4 or 8 | by flag { 0 i32, 1 i64 } | value |",
	"enum":        "write the meanings of a number into the description of its row; if each number has other rows, write a union",
	"endian":      "write order little, or order big",
	"switch":      "write if kind == 1 { … } else { … }, or a union: union Content(kind) by kind {}, with an arm for each number",
	"match":       "write if kind == 1 { … } else { … }, or a union: union Content(kind) by kind {}, with an arm for each number",
	"assert":      "write check condition",
	"while":       "write repeat until condition as name { … }, whose last element is the first one for which the condition holds",
	"for":         "write repeat count as name { … }, or TYPE[count] in the type cell of a row",
	"skip":        "write a row for the bytes: | … | 4 | u8[4] | unused |",
	"seek":        "write the place in the offset cell of a row: | @offset | size | u8[size] | data |",
	"align":       "write the multiple in the row that holds the place: offset = place(row, 16)",
	"at":          "leave it out: offsets under other choices of the option are computed",
}

// direct are the old words of replacements that a text can take the place of. The text "" removes
// the word.
var direct = map[string]string{
	"when": "if", "must": "check", "read": "", "write": "", "to end": "until end",
	"rest ignore": "rest any", "rest zero": "", "exact": "",
}

// replacement returns an old word and the notation that replaces it. The word is at a
// token, or at the beginning of a line before it.
func (n *notation) replacement(list []lexer.Token, at int) (old lexer.Token, notation string) {
	before := list[at-1]
	if r, ok := n.old[before.Value+" "+list[at].Value]; ok {
		before.Value += " " + list[at].Value
		return before, r
	}
	for i := at - 1; i >= 0 && list[i].Pos.Line == list[at].Pos.Line; i-- {
		if r, ok := n.old[list[i].Value+" "+list[at].Value]; ok && beginsItem(list, i) {
			return list[at], r
		}
	}
	if r, ok := n.old[list[at].Value]; ok && list[at].Type == identToken {
		return list[at], r
	}
	if old = before; beginsItem(list, at-1) && old.Type == identToken {
		notation = n.old[old.Value]
	}
	return old, notation
}

// Replacement returns the notation that replaces an old word of the language, or "".
func Replacement(old string) string { return replacements[old] }

// oldWord reports a word that the language had.
func (p *reader) oldWord(t lexer.Token, notation string) {
	d := p.errorf(t.Pos, utf8.RuneCountInString(t.Value), "%s is not part of the language", describe(t)).hint("%s", notation)
	if text, ok := direct[t.Value]; ok {
		d.Replace(t.Value, text)
	}
}

// missing proposes to insert the token that is missing, with some text before and after it. There
// is no replacement if it is one of a kind, such as a name.
func missing(d *Diagnostic, before, what, after string) {
	if token := strings.Trim(what, "`"); token != what {
		d.Replace("", before+token+after)
	}
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
			hint("write // for a comment that documents nothing").Replace("///", "//")
		return
	}
	if at == docs && !p.starts(list[at]) {
		p.explainStart(list[at])
		return
	}
	var trial trial
	tried := false
	if p.explain++; p.explain <= maxTrials && len(list) <= maxTrialTokens {
		trial, tried = p.try(list, at), true
	}
	if at >= len(list) {
		p.explainEnd(list, trial)
		return
	}
	found := list[at]
	width := utf8.RuneCountInString(found.Value)
	before := list[at-1]
	end := endOf(list[:at])
	row := rowAdvice(list, at)
	switch old, notation := p.replacement(list, at); {
	case notation != "":
		p.oldWord(old, notation)
	case before.Value == "|" && before.Pos.Line > list[max(at-2, 0)].Pos.Line && p.barHelps(list, at):
		end := endOf(list[:at-1])
		d := p.errorf(end, 1, "`|` is missing at the end of this line").hint("%s", p.advice(list[:at], trial))
		missing(d, " ", "`|`", "")
	case found.Type == stringToken && at == docs+2 && list[docs].Value == "arm":
		p.errorf(found.Pos, width, "%s is a text, and the arms of a union have numbers", describe(found)).
			hint("no text selects an arm; up to 8 letters of a fixed length are a code: 'abcd'")
	case found.Type == stringToken && at+2 < len(list) && list[at+2].Type == identToken && (list[at+1].Value == "==" || list[at+1].Value == "!="):
		p.errorf(found.Pos, width, "the text of a comparison is after the operator").
			hint("it is written: %s %s %s", list[at+2].Value, list[at+1].Value, found.Value)
	case found.Type == stringToken && (before.Value == "||" || before.Value == "&&") && comparedText(list[:at-1]) != "":
		p.errorf(found.Pos, width, "%s is a text, and nothing is compared with it", describe(found)).
			hint("name the row again: %s %s", comparedText(list[:at-1]), found.Value).Replace(found.Value, comparedText(list[:at-1])+" "+found.Value)
	case found.Type == stringToken && slices.Contains(beforeOperand, before.Value):
		p.errorf(found.Pos, width, "%s is a text, and expressions have numbers", describe(found)).
			hint("%s", CodeAdvice(unquoted(found.Value)))
	case row != "":
		p.errorf(found.Pos, width, "%s is unexpected here", describe(found)).hint("%s", row)
	case found.Value == "[" && before.Value == ")" && columns(list[:at]) == 3:
		p.errorf(found.Pos, width, "the count is before the arguments of a type").hint("it is written: Type[count](argument)")
	case found.Type == identToken && p.starts(found) && p.isDecl(list[:at]):
		p.errorf(found.Pos, width, "%s cannot follow another declaration", describe(found)).
			hint("put it at the start of a new line").Replace(found.Value, "\n"+found.Value)
	case before.Type == numberToken && found.Type == identToken && end.Offset == found.Pos.Offset:
		p.errorf(before.Pos, utf8.RuneCountInString(before.Value)+width, "`%s%s` is neither a number nor a name", before.Value, found.Value).
			hint("a name begins with a letter or _, and a hexadecimal number with 0x")
	case trial.kind == tryReplace:
		p.errorf(found.Pos, width, "%s is unexpected here", describe(found)).hint("did you mean `%s`?", trial.what).Replace(found.Value, trial.what)
	case trial.kind == tryInsert && trial.what == "}":
		open := p.innermost(list[:at])
		d := p.errorf(found.Pos, width, "%s is unexpected before the `%s` of line %d is closed", describe(found), open.Value, open.Pos.Line).
			hint("put `%s` before it", closing[open.Value])
		missing(d, "", "`"+closing[open.Value]+"`", " ")
	case trial.kind == tryInsert && found.Pos.Line > end.Line:
		d := p.errorf(end, 1, "%s is missing at the end of this line", trial.what).hint("%s", p.advice(list[:at], trial))
		missing(d, " ", trial.what, "")
	case trial.kind == tryInsert:
		advice := p.advice(list[:at], trial)
		if found.Value == "|" && inOperand(list[:at]) {
			advice = "`|` separates columns and is no operation"
		}
		d := p.errorf(found.Pos, width, "%s is missing before %s", trial.what, describe(found)).hint("%s", advice)
		missing(d, "", trial.what, " ")
	case found.Value == "}" && len(openBrackets(list[:at])) == 0:
		p.explainStart(found)
	default:
		d := p.errorf(found.Pos, width, "%s is unexpected here", describe(found))
		if trial.expected != "" {
			d.Message += "; " + trial.expected + " is expected"
		}
		switch best := builtin.Nearest(found.Value, p.words); {
		case found.Value == "-" && strings.Contains(trial.expected, "`else`"):
			d.hint("%s", unsignedAdvice(list, at))
		case trial.kind == tryRemove:
			d.hint("leave it out").Replace(found.Value, "")
		case found.Type == identToken && best != "" && best != found.Value && !tried:
			d.hint("did you mean `%s`?", best).Replace(found.Value, best)
		default:
			d.hint("%s", p.advice(list[:at], trial))
		}
	}
}

// unsignedAdvice says which number an arm or a form has in place of a negative one. The sign of that is at at.
func unsignedAdvice(list []lexer.Token, at int) string {
	const advice = "the numbers of arms and forms have no sign"
	if at+1 == len(list) {
		return advice
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(list[at+1].Value, "_", ""), 0, 32)
	if err != nil || n == 0 {
		return advice
	}
	width := 8
	for n > 1<<(width-1) {
		width *= 2
	}
	return fmt.Sprintf("%s; of a u%d, the number of -%d is %#x", advice, width, n, uint64(1)<<width-n)
}

// columns returns the number of columns of a row that begin before the end of the tokens. It is 3 in that of the type.
func columns(list []lexer.Token) (n int) {
	for _, t := range slices.Backward(list) {
		if t.Pos.Line != list[len(list)-1].Pos.Line {
			break
		}
		if t.Value == "|" {
			n++
		}
	}
	return n
}

// inOperand reports whether a bracket of an expression is open.
func inOperand(list []lexer.Token) bool {
	open := openBrackets(list)
	return len(open) > 0 && strings.Contains("([", open[len(open)-1].Value)
}

// EscapedCode returns the number of a code that is written with the escapes of a text, such as 'PK\x03\x04'.
func EscapedCode(code string) (number string, ok bool) {
	text, err := strconv.Unquote(`"` + code[1:len(code)-1] + `"`)
	if err != nil || !strings.Contains(code, `\`) || len(text) < 1 || len(text) > 8 {
		return "", false
	}
	return fmt.Sprintf("0x%0*x", 2*len(text), CodeNumber(text)), true
}

// unquoted returns a quoted text without its quotes, which was checked.
func unquoted(quoted string) string {
	text, _ := strconv.Unquote(quoted)
	return text
}

// CodeAdvice says how a row of a number is compared with a text.
func CodeAdvice(text string) string {
	other := func(b byte) bool { return b < ' ' || b > '~' || b == '\'' }
	switch n := len(text); {
	case n == 0 || n > 8 || slices.ContainsFunc([]byte(text), other):
		return "a row of text is compared with == or !=: check NAME == \"text\", or always has one: | … | ascii[4] | NAME = \"text\" |; up to 8 letters are also a number, such as u64le = 'abcdefgh'"
	case n == 1:
		return fmt.Sprintf("one letter is a number in a row of u8: '%s'", text)
	case n == 4:
		return fmt.Sprintf("4 letters are a number in a row of code4: '%s'", text)
	default:
		return fmt.Sprintf("%d letters are a number in a row of u%dle: '%s'", n, 8*n, text)
	}
}

// beforeOperand has the tokens that only an operand of an expression can follow.
var beforeOperand = []string{"=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&", "&&", "||", "^", "<<", ">>", "!"}

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

// barHelps reports whether the bar before a token belongs to the next row. Then
// the bar that ends the row before is missing.
func (p *reader) barHelps(list []lexer.Token, at int) bool {
	changed := append([]lexer.Token(nil), list[:at]...)
	changed = append(changed, list[at-1:]...)
	for i := range changed {
		changed[i].Pos.Offset = i
	}
	decl, got := p.parse(changed)
	return decl != nil || got > at+2
}

func (p *reader) isDecl(list []lexer.Token) bool {
	decl, _ := p.parse(list)
	return decl != nil
}

func (p *reader) innermost(list []lexer.Token) lexer.Token {
	if open := openBrackets(list); len(open) > 0 {
		return open[len(open)-1]
	}
	return list[0] // unreachable: a bracket is proposed only if one is open
}

// advice says how the thing is written in which the tokens end.
func (p *reader) advice(list []lexer.Token, trial trial) string {
	for i := len(list) - 1; i >= 0 && list[i].Pos.Line == list[len(list)-1].Pos.Line; i-- {
		if shape, ok := p.shapes[list[i].Value]; ok && (list[i].Type == identToken || list[i].Value == "|") && beginsItem(list, i) {
			return "it is written: " + shape
		}
	}
	return p.seeGrammar()
}

// beginsItem reports whether a token is the first of its line or of its block.
func beginsItem(list []lexer.Token, i int) bool {
	return i == 0 || list[i-1].Pos.Line < list[i].Pos.Line || list[i-1].Value == "{"
}

// schemaShapes show how lines of schemas are written, by the word they begin with.
var schemaShapes = map[string]string{
	"|":        `| offset | length | type | name | "description"`,
	"by":       `by number { 0 type, 1 type }`,
	"schema":   `schema "name" extends "other" { … }`,
	"import":   `import "schema" as name { gate, option choice }`,
	"arm":      `arm Union 1 Name "label" { … }`,
	"union":    `union Name by field { … }`,
	"type":     `type Name { … }`,
	"encoding": `encoding name { utf8 strict … }`,
	"replace":  `replace arm …, or type, union, encoding`,
	"extend":   `extend Union.Arm … { … }, or the name of a type or a union`,
	"drop":     `drop Union.Arm …, Type.row …, or the name of a type or a union`,
	"change":   `change Union { Arm NewName 1 "label" … }`,
	"repeat":   `repeat count as name { … }, or repeat until end as name { … }`,
	"map":      `map count as name { … }`,
	"if":       `if condition { … } else { … }`,
	"order":    `order little, order big, or in a body order by field { 1 little, 2 little, 3 big }`,
	"refuse":   `refuse "the reason"`,
	"example":  `example "<Name> 01" is Name(1), or example name "<Name>" with strict refused trailing`,
	"role":     `role document, or role framing`,
	"option":   `option name { choice scalar … }`,
	"keys":     `keys { equal Arm, Arm  differ Arm … }`,
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
func (p *reader) try(list []lexer.Token, at int) trial {
	var best trial
	reach := at + 1 // a change must let the parser get past the token and the next one
	attempt := func(kind trialKind, what string, grown int, put ...lexer.Token) {
		changed := append([]lexer.Token(nil), list[:at]...)
		changed = append(changed, put...)
		changed = append(changed, list[min(len(list), at+len(put)-grown):]...)
		if len(changed) == 0 {
			return // unreachable: the first token begins a declaration
		}
		// Places tell the parser's error; they must be in order.
		for i := range changed {
			changed[i].Pos.Offset = i
		}
		decl, got := p.parse(changed)
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
		decl, got := p.parse(head)
		return decl != nil || got > at
	}
	if found.Type == identToken {
		limit := 3
		if len(found.Value) < 4 {
			limit = 2
		}
		for _, w := range p.words {
			if w != found.Value && builtin.EditDistance(strings.ToLower(found.Value), w, limit) < limit {
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
	for _, w := range p.words {
		if w != "x" && !contains(expected, "a name") && accepted(lexer.Token{Type: identToken, Value: w}) {
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
