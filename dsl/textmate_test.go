package dsl

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// highlighter reads a TextMate grammar as an editor does, as far as ours uses the form. It has a stack of
// begun patterns, and applies at each place of a line the pattern that matches first.
type highlighter struct {
	repository map[string]scope
	top        []scope
	compiled   map[string]*regexp.Regexp
}

func newHighlighter(t *testing.T) *highlighter {
	var g struct {
		Patterns   []scope
		Repository map[string]scope
	}
	if err := json.Unmarshal(TextMate(), &g); err != nil {
		t.Fatal(err)
	}
	return &highlighter{g.Repository, g.Patterns, map[string]*regexp.Regexp{}}
}

func (h *highlighter) re(s string) *regexp.Regexp {
	if h.compiled[s] == nil {
		h.compiled[s] = regexp.MustCompile(s)
	}
	return h.compiled[s]
}

func (h *highlighter) flat(list []scope) (out []scope) {
	for _, s := range list {
		switch {
		case s.Include != "":
			inner, ok := h.repository[strings.TrimPrefix(s.Include, "#")]
			if !ok {
				panic("no pattern " + s.Include)
			}
			out = append(out, h.flat([]scope{inner})...)
		case s.Match == "" && s.Begin == "":
			out = append(out, h.flat(s.Patterns)...)
		default:
			out = append(out, s)
		}
	}
	return out
}

// line gives every byte of a line the innermost scope that it has.
func (h *highlighter) line(line string, scopes []string) {
	h.text(line, 0, len(line), h.top, "", scopes)
}

// text gives scopes to line[from:to], in which patterns may begin.
func (h *highlighter) text(line string, from, to int, patterns []scope, around string, scopes []string) {
	list := h.flat(patterns)
	for at := from; at < to; {
		best, loc := scope{}, []int(nil)
		for _, p := range list {
			pattern := p.Match + p.Begin
			if strings.HasPrefix(pattern, "^") && at > 0 {
				continue
			}
			m := h.re(pattern).FindStringSubmatchIndex(line[at:to])
			if m == nil || loc != nil && m[0]+at >= loc[0] || m[1] == m[0] {
				continue
			}
			if strings.HasPrefix(pattern, `\b`) && m[0] == 0 && at > 0 && isWordByte(line[at-1]) {
				continue // the boundary that the pattern saw is where it began to look
			}
			for i := range m {
				if m[i] >= 0 {
					m[i] += at
				}
			}
			best, loc = p, m
		}
		if loc == nil {
			h.paint(scopes, at, to, around)
			return
		}
		h.paint(scopes, at, loc[0], around)
		name := best.Name
		if name == "" {
			name = around
		}
		h.paint(scopes, loc[0], loc[1], name)
		for _, captures := range []map[string]scope{best.Captures, best.Opening} {
			for number, c := range captures {
				n, _ := strconv.Atoi(number)
				if loc[2*n] < 0 {
					continue
				}
				if c.Name != "" {
					h.paint(scopes, loc[2*n], loc[2*n+1], c.Name)
				}
				if c.Patterns != nil {
					h.text(line, loc[2*n], loc[2*n+1], c.Patterns, name, scopes)
				}
			}
		}
		at = loc[1]
		if best.Begin != "" {
			end := to
			if best.End != "$" {
				end = h.end(line, at, to, best)
			}
			h.text(line, at, end, best.Patterns, name, scopes)
			if at = end; at < to && best.End != "$" {
				h.paint(scopes, at, at+1, name)
				at++
			}
		}
	}
}

// end finds the end of what begins before at, past what patterns in it match.
func (h *highlighter) end(line string, at, to int, p scope) int {
	for at < to && line[at] != p.End[0] {
		skip := 1
		for _, inner := range h.flat(p.Patterns) {
			if m := h.re(inner.Match).FindStringIndex(line[at:to]); m != nil && m[0] == 0 {
				skip = m[1]
				break
			}
		}
		at += skip
	}
	return at
}

func (h *highlighter) paint(scopes []string, from, to int, name string) {
	for i := from; i < to; i++ {
		scopes[i] = name
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Every token of every schema there is looks like what the parser takes it for.
func TestTextMate(t *testing.T) {
	golden(t, "testdata/oct.tmLanguage.json", TextMate())
	h := newHighlighter(t)
	seen := map[string]int{}
	for name, text := range schemas(t) {
		source := string(text)
		scopes := make([]string, len(source))
		for at := 0; at < len(source); {
			end := at + strings.IndexByte(source[at:], '\n')
			if end < at {
				end = len(source)
			}
			h.line(source[at:end], scopes[at:end])
			at = end + 1
		}
		for _, tok := range scan(name, source) {
			want := ""
			switch tok.Type {
			case docToken:
				want = "comment.line.documentation"
			case commentToken:
				want = "comment.line.double-slash"
			case stringToken:
				want = "string.quoted.double"
			case codeToken:
				want = "string.quoted.single"
				if scopes[tok.Pos.Offset] == "constant.numeric.octable" {
					want = "constant.numeric" // of an arm
				}
			case numberToken:
				want = "constant.numeric"
			case identToken:
				want = ""
				if tok.Pos.Column == 1 && schemaNotation().starts(tok) {
					want = "keyword.declaration"
				}
			default:
				continue
			}
			got := scopes[tok.Pos.Offset]
			seen[got]++
			if want != "" && !strings.HasPrefix(got, want) {
				t.Errorf("%s:%d:%d: %.40q looks like %q, not %s", name, tok.Pos.Line, tok.Pos.Column, tok.Value, got, want)
			}
		}
		if t.Failed() {
			return
		}
	}
	for _, s := range []string{"variable.other.member", "entity.name.type", "storage.type", "support.function", "variable.parameter", "keyword.control", "entity.other.attribute-name"} {
		if seen[s+".octable"] == 0 {
			t.Errorf("nothing is %s: %v", s, seen)
		}
	}
}

func TestTextMateLines(t *testing.T) {
	h := newHighlighter(t)
	for _, c := range []struct{ line, want string }{
		{`    | 4 | N | text[length] | type = len(text) | "a \x00 \q" pad 4 any !E9 // end`, `number:4 place:N type:text field:type call:len string:"a escape:\x00 bad:\q word:pad number:4 word:any erratum:E9 comment:// comment:end`},
		{"arm Variant 'RIFF' Riff \"riff\" {", `decl:arm type:Variant number:'RIFF' type:Riff string:"riff`},
		{"arm Message 0x80..0x8f,0xf0 note {", "decl:arm type:Message number:0x80..0x8f number:0xf0 type:note"},
		{"extend Variant.Nil {", "decl:extend type:Variant.Nil"},
		{"change Variant {", "decl:change type:Variant"},
		{"replace type string {", "decl:replace decl:type type:string"},
		{"    header { 16..17 key_kind = arm(key_type) }", "field:header number:16 number:17 field:key_kind call:arm"},
		{"    | 4 | 4 | u32 | n |", "number:4 number:4 scalar:u32 field:n"},
		{"    repeat count as items {", "word:repeat word:as"},
		{"/// Documents it.", "doc:/// doc:Documents doc:it."},
	} {
		short := map[string]string{"constant.numeric": "number", "variable.parameter": "place", "entity.name.type": "type", "variable.other.member": "field",
			"support.function": "call", "string.quoted.double": "string", "constant.character.escape": "escape", "invalid.illegal.escape": "bad",
			"keyword.control": "word", "entity.other.attribute-name": "erratum", "comment.line.double-slash": "comment", "keyword.declaration": "decl",
			"storage.type": "scalar", "comment.line.documentation": "doc"}
		scopes := make([]string, len(c.line))
		h.line(c.line, scopes)
		var got []string
		for _, loc := range regexp.MustCompile(`\\x00|\\q|'\w+'|///?|"?[\w.]+`).FindAllStringIndex(c.line, -1) {
			if s, ok := short[strings.TrimSuffix(scopes[loc[0]], ".octable")]; ok && c.line[loc[0]:loc[1]] != "." {
				got = append(got, fmt.Sprintf("%s:%s", s, strings.Trim(c.line[loc[0]:loc[1]], ".")))
			}
		}
		text := strings.ReplaceAll(strings.Join(got, " "), "number:16..17", "number:16 number:17")
		if want := strings.ReplaceAll(c.want, "it.", "it"); text != want {
			t.Errorf("%s\n got %s\nwant %s", c.line, text, want)
		}
	}
}
