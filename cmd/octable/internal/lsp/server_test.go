package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

func TestMain(m *testing.M) {
	delay = time.Millisecond
	if os.Getenv(asServer) != "" {
		if err := Serve(context.Background(), stdio{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const base = `// A format to try things with.

schema "base" {
    title  "Base"
    order  little
    root   Message
    gate   secrets "what is kept"
    option real {
        single f32
        double f64
    }
}

// Texts are short.

/// Text with its length.
type string {
    | 0 | 4 | u32          | length = len(text) | "length in bytes"
    | 4 | N | utf8[length] | text               | "the text – größe 😀" pad 4 any
}

/// What is sent.
union Message by kind {
    | 0 | 4 | u32 | kind | "what it is"
}

arm Message 0 Ping "ping" {
    example "00000000" is Ping
}

arm Message 1 Point "point" {
    | 4 | 4 | real | x | "to the right"
    | 8 | 4 | real | y | "down"
    example "01000000 0000803f 00000040" with single is Point(1, 2)
}

arm Message 2 Names "names" {
    | 4 | 4 | u32 | number = count(names) | "how many" check number <= 16
    | 8 | 4 | u32 | extra                 | "more of it"
    repeat number as names {
        | P | L | string | name | "one of them"
    }
    example "<Names> 01000000 07000000 01000000 61000000" is Names({extra: 7, names: ["a"]})
}
`

const derived = `schema "derived" extends "base" {
    title "Derived"
}

change Message {
    Point Place
}

replace arm Message 2 Names "names" {
    | 4 | 4 | u32 | total = count(names) | "how many" check total <= 16
    | 8 | 4 | u32 | extra                | "more of it"
    repeat total as names {
        | P | L | string | name | "one of them"
    }
}

extend Message.Place {
    example "01000000 0000803f 00000040" with single is Place(1, 2)
}
`

func both(t *testing.T) *client {
	c := start(t, map[string]string{"base.oct": base, "derived.oct": derived})
	c.open("base.oct", base)
	c.open("derived.oct", derived)
	for _, name := range []string{"base.oct", "derived.oct"} {
		if d := c.diagnostics(name, 1); len(d) > 0 {
			t.Fatalf("%s: %+v", name, d)
		}
	}
	return c
}

func TestDiagnostics(t *testing.T) {
	c := both(t)
	// An offset that is wrong, after a character that is two units of UTF-16.
	changed := strings.Replace(base, "| 8 | 4 | real | y", "| 9 | 4 | real | y", 1)
	p := c.at("base.oct", "8 | 4 | real | y", 1)
	c.texts["base.oct"] = changed
	end := p.Position
	end.Character++
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri("base.oct"), Version: 2}, []contentChange{{&textRange{p.Position, end}, "9"}}})
	got := c.diagnostics("base.oct", 2)
	if len(got) == 0 || got[0].Code != string(dsl.CodeOffset) || got[0].Range != (textRange{p.Position, end}) || !strings.Contains(got[0].Message, "Point.y is declared at 9") {
		t.Errorf("%+v, not at %+v", got, p.Position)
	}
	// The schema that extends it is told so, too.
	for range 100 {
		c.mu.Lock()
		n := len(c.wrong[c.uri("derived.oct")].Diagnostics)
		c.mu.Unlock()
		if n > 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if d := c.diagnostics("derived.oct", 1); len(d) == 0 || !strings.Contains(d[0].Message, "base.oct:") {
		t.Errorf("%+v", d)
	}
	// An example, a syntax error, then all right again.
	for i, step := range []struct{ from, to, code, message string }{
		{"is Point(1, 2)", "is Point(1, 3)", string(dsl.CodeExample), "Point(1, 2)"},
		{"arm Message 0 Ping", "arm Message 0 Ping {", string(dsl.CodeSyntax), ""},
		{"repeat number", "repeat numbr", string(dsl.CodeUnknown), "numbr"},
		{"", "", "", ""},
	} {
		text := strings.Replace(base, step.from, step.to, 1)
		c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri("base.oct"), Version: 3 + i}, []contentChange{{nil, text}}})
		got := c.diagnostics("base.oct", 3+i)
		if step.code == "" && len(got) > 0 || step.code != "" && (len(got) == 0 || got[0].Code != step.code || !strings.Contains(got[0].Message, step.message)) {
			t.Errorf("%s: %+v", step.to, got)
		}
	}
	c.notify("textDocument/didClose", documentParams{textDocument{URI: c.uri("base.oct")}})
}

// bounded has a row with a region, whose size is the number of a field.
const bounded = `schema "bounded" { root T }

type T {
    | 0 | 1    | u8       | size = size(body) | "bytes of the body"
    | 1 | size | u8[until end] | body              | "the body"
    | R | 1    | u8            | n = count(pairs) | "a count"
    | P | L    | Pair[n]       | pairs            | "the pairs"
    | Q | size | Pair[until end] | others | "which fill size bytes"
}

type Pair {
    | 0 | 1 | u8 | a | "one"
    | 1 | 1 | u8 | b | "two"
}
`

// left has a list that ends when few bytes are left, and one that ends with an element.
const left = `schema "left" { root T }

type T {
    repeat until x == 0 as others {
        | P | 1 | u8 | x | "a number"
    }
    repeat until left() <= 2 as pairs {
        | Q | 1 | u8 | y | "a number"
        | R | 1 | u8 | z | "a number"
    }
    | S | 2 | u8[2] | digest | "the digest"
}
`

func TestHover(t *testing.T) {
	c := both(t)
	c.open("bounded.oct", bounded)
	c.open("left.oct", left)
	c.diagnostics("bounded.oct", 1)
	c.open("drops.oct", "schema \"drops\" extends \"base\" {\n}\n\ndrop Message.Names.extra\n\nextend Message.Names.names {\n    | P | L | string | name | \"another\"\n}\n")
	for _, q := range []struct {
		file, mark string
		n          int
		want       []string
	}{
		{"base.oct", "real | ¦y", 1, []string{"**Point.y**, field", "offset `8`, 4 bytes, type `real`", "double: offset `12`, 8 bytes", "down", "declared at base.oct:33"}},
		{"base.oct", "len(¦text)", 1, []string{"**string.text**", "type `utf8[length]`", "`N` bytes", "padded to a multiple of 4 bytes", "größe 😀"}},
		{"base.oct", "L | ¦string", 1, []string{"**string**, type", "Text with its length.", "declared at base.oct:17"}},
		{"base.oct", "repeat ¦number", 1, []string{"a writer computes it: `count(names)`", "must be `number <= 16`"}},
		{"base.oct", "arm ¦Message 1", 1, []string{"**Message**, union", "3 arms by `kind`", "What is sent."}},
		{"base.oct", "is ¦Point(", 1, []string{"**Point**, arm of Message", "number 1, 12 bytes", "“point” in the document"}},
		{"base.oct", "¦u32 | kind", 1, []string{"**u32**: unsigned integer of 4 bytes"}},
		{"base.oct", "¦repeat number", 1, []string{"**repeat**", "a list of records"}},
		{"base.oct", "number ¦<= 16", 1, []string{"1 if the first number is"}},
		{"base.oct", "number <= ¦16", 1, []string{"`16`, `0x10`"}},
		{"base.oct", "= ¦count(names)", 1, []string{"the number of elements of a list"}},
		{"base.oct", "7, ¦names:", 1, []string{"**Names.names**", "list of `number` elements"}},
		{"bounded.oct", "[until end] | ¦body", 1, []string{"**T.body**", "`size` bytes", "it must fill `size` bytes"}},
		{"drops.oct", "Names.¦extra", 1, []string{"**Names.extra**, field", "more of it", "declared at base.oct:39"}},
		{"drops.oct", "string | ¦name", 1, []string{"**Names.names.name**, field", "another", "declared at drops.oct:7"}},
		{"drops.oct", "extend Message.¦Names", 1, []string{"**Names**, arm of Message"}},
		{"bounded.oct", "[n]       | ¦pairs", 1, []string{"**T.pairs**", "`L` bytes, type `Pair[n]`", "the pairs"}},
		{"bounded.oct", "[until end] | ¦others", 1, []string{"**T.others**", "it must fill `size` bytes"}},
		{"left.oct", "as ¦pairs", 1, []string{"**T.pairs**", "list that ends before an element when `left() <= 2` holds"}},
		{"left.oct", "as ¦others", 1, []string{"**T.others**", "list up to the first element for which `x == 0` holds"}},
		{"bounded.oct", "L    | ¦Pair[n]", 1, []string{"**Pair**, type"}},
		{"bounded.oct", "1 | ¦size", 1, []string{"**T.size**", "a writer computes it: `size(body)`", "declared at bounded.oct:4"}},
		{"derived.oct", "is ¦Place", 1, []string{"**Place**, arm of Message", "number 1"}},
		{"derived.oct", "check ¦total", 1, []string{"**Names.total**", "declared at derived.oct:10"}},
	} {
		var h hover
		if err := c.call("textDocument/hover", c.at(q.file, q.mark, q.n), &h); err != nil {
			t.Fatal(err)
		}
		for _, w := range q.want {
			if !strings.Contains(h.Contents.Value, w) {
				t.Errorf("%s %s: %q is not in\n%s", q.file, q.mark, w, h.Contents.Value)
			}
		}
	}
	var h *hover
	if err := c.call("textDocument/hover", c.at("base.oct", "A format", 1), &h); err != nil || h != nil {
		t.Errorf("in a comment: %+v %v", h, err)
	}
}

func TestDefinition(t *testing.T) {
	c := both(t)
	for _, q := range []struct{ file, mark, want string }{
		{"base.oct", "u¦tf8[length]", ""},
		{"base.oct", "utf8[¦length]", "base.oct:18 length"},
		{"base.oct", "L | ¦string", "base.oct:17 string"},
		{"base.oct", "root   ¦Message", "base.oct:23 Message"},
		{"base.oct", "by ¦kind", "base.oct:24 kind"},
		{"derived.oct", "L | ¦string", "base.oct:17 string"},
		{"derived.oct", "¦Point Place", "base.oct:31 Point"},
		{"base.oct", "<¦Names>", "base.oct:37 Names"},
		{"derived.oct", "is ¦Place", "derived.oct:6 Place"},
		{"derived.oct", "2 ¦Names", "base.oct:37 Names"},
		{"derived.oct", "repeat ¦total", "derived.oct:10 total"},
		{"derived.oct", `extends "¦base"`, `base.oct:3 "base"`},
	} {
		var l *location
		if err := c.call("textDocument/definition", c.at(q.file, q.mark, 1), &l); err != nil {
			t.Fatal(err)
		}
		got := ""
		if l != nil {
			got = c.where(*l)
		}
		if got != q.want {
			t.Errorf("%s %s leads to %q, not %q", q.file, q.mark, got, q.want)
		}
	}
}

// A file that octable holds is shown in a copy.
func TestDefinitionInOurs(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	c := start(t, nil)
	c.open("mine.oct", `schema "mine" extends "godot-4.4" { title "Mine" }

extend Variant.Vector2 {
    example "05000000 00000000 00000000" is Vector2(0, 0)
}
`)
	if d := c.diagnostics("mine.oct", 1); len(d) > 0 {
		t.Errorf("%+v", d)
	}
	var l location
	if err := c.call("textDocument/definition", c.at("mine.oct", "is ¦Vector2", 1), &l); err != nil {
		t.Fatal(err)
	}
	if got := c.where(l); !strings.HasPrefix(got, "godot-") || !strings.HasSuffix(got, " Vector2") {
		t.Error(got)
	}
	err := c.call("textDocument/rename", renameParams{c.at("mine.oct", "is ¦Vector2", 1), "Vec"}, nil)
	var failure *jsonrpc2.Error
	if !errors.As(err, &failure) || failure.Code != codeRequestFailed || !strings.Contains(failure.Message, "part of octable") {
		t.Error(err)
	}
}

func TestRename(t *testing.T) {
	for _, q := range []struct{ file, mark, to, want, refused string }{
		{"base.oct", "utf8[¦length]", "size", "base.oct: 18 19", ""},
		{"base.oct", "¦kind | ", "tag", "base.oct: 23 24", ""},
		{"base.oct", "arm ¦Message 1", "Packet", "base.oct: 6 23 27 31 37; derived.oct: 5 9 17", ""},
		{"base.oct", "L | ¦string", "Text", "base.oct: 17 41; derived.oct: 13", ""},
		{"base.oct", "7, ¦names:", "list", "base.oct: 38 40 43", ""},
		{"derived.oct", "Point ¦Place", "Spot", "derived.oct: 6 17 18", ""},
		{"derived.oct", "¦Point Place", "Dot", "base.oct: 31 34; derived.oct: 6", ""},
		{"base.oct", "| ¦N |", "T", "base.oct: 19", ""},
		{"derived.oct", "2 ¦Names", "Words", "base.oct: 37 43; derived.oct: 9", ""},
		{"base.oct", "single", "simple", "base.oct: 9 34; derived.oct: 18", ""},
		{"base.oct", "utf8[¦length]", "text", "", "base.oct would be wrong in line 19"},
		{"base.oct", "utf8[¦length]", "2x", "", "is no name"},
		{"base.oct", "A f¦ormat", "x", "", "nothing here"},
		{"base.oct", "L | ¦string", "Message", "", "there is a type Message already"},
	} {
		c := both(t)
		var edit workspaceEdit
		err := c.call("textDocument/rename", renameParams{c.at(q.file, q.mark, 1), q.to}, &edit)
		if q.refused != "" {
			if err == nil || !strings.Contains(err.Error(), q.refused) {
				t.Errorf("%s to %s: %v, not %q", q.mark, q.to, err, q.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s to %s: %v", q.mark, q.to, err)
			continue
		}
		var parts []string
		for _, name := range []string{"base.oct", "derived.oct"} {
			edits := edit.Changes[c.uri(name)]
			if len(edits) == 0 {
				continue
			}
			text := newText(c.texts[name], false)
			lines := name + ":"
			last := -1
			for i := len(edits) - 1; i >= 0; i-- {
				text = text.change(contentChange{&edits[i].Range, edits[i].NewText})
			}
			for _, e := range edits {
				if e.Range.Start.Line != last {
					last = e.Range.Start.Line
					lines += fmt.Sprint(" ", last+1)
				}
			}
			parts = append(parts, lines)
			c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(name), Version: 2}, []contentChange{{nil, text.s}}})
		}
		if got := strings.Join(parts, "; "); got != q.want {
			t.Errorf("%s to %s changes %q, not %q", q.mark, q.to, got, q.want)
		}
		for name := range c.texts {
			if len(edit.Changes[c.uri(name)]) > 0 {
				if d := c.diagnostics(name, 2); len(d) > 0 {
					t.Errorf("%s to %s: %s is wrong: %s", q.mark, q.to, name, d[0].Message)
				}
			}
		}
	}
}

func TestReferences(t *testing.T) {
	c := both(t)
	for _, declared := range []bool{false, true} {
		p := referenceParams{positionParams: c.at("derived.oct", "L | ¦string", 1)}
		p.Context.IncludeDeclaration = declared
		var all []location
		if err := c.call("textDocument/references", p, &all); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range all {
			got = append(got, c.where(l))
		}
		want := "base.oct:41 string derived.oct:13 string"
		if declared {
			want = "base.oct:17 string " + want
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	c := start(t, map[string]string{"base.oct": base})
	for _, q := range []struct{ text, has, hasNot string }{
		{"¦", "schema type arm replace", "u32 pad"},
		{"a¦", "arm", ""},
		{`schema "x" extends "¦`, "base godot-4.4", "arm"},
		{"type T {\n    ¦", "repeat example |", "schema"},
		{"type T {\n    | 0 | 4 | ¦", "u32 bool32 string Message real utf8", "repeat"},
		{"type T {\n    | 0 | 4 | u32 | n = ¦", "count len", "u32"},
		{"type T {\n    | 0 | 4 | u32 | size | \"\"\n    | 4 | N | utf8[¦", "size", "pad u32"},
		{"type T {\n    | 0 | 4 | u32 | size | \"\"\n    | 4 | ¦", "size", "u32 pad"},
		{"type T {\n    | 0 | 4 | u32 | size | \"\" p¦", "pad any check", "size"},
		{"type T {\n    | 0 | 4 | u32 | size | \"\" check ¦", "size", "pad"},
		{"type T {\n    | 0 | 4 | bool32 | b | \"\" any p¦", "pad check", "b"},
		{"schema \"x\" extends \"base\" {\n    ¦", "option keys root", "u32 equal"},
		{"schema \"x\" extends \"base\" {\n    keys {\n        ¦", "equal differ empty", "root"},
		{"schema \"x\" extends \"base\" {\n    keys {\n        differ ¦Ping\n    }\n}", "Ping Point", "equal"},
		{"schema \"x\" extends \"base\" {\n    keys {\n        differ Ping\n    }\n    ¦", "root", "equal"},
		{"schema \"x\" extends \"base\" {\n    option real {\n        single ¦", "f32 u64", "root"},
		{"arm ¦", "Message", "string"},
		{"arm Message ¦", "else", ""},
		{"¦", "import", ""},
		{"import \"¦", "base godot-4.4", "as"},
		{"import \"base\" ¦", "as", "base"},
		{"import \"base\" as b { ¦", "secrets real", "single Ping"},
		{"import \"base\" as b { secrets, real ¦", "single double", "secrets real"},
		{"import \"base\" as b\n\ntype T {\n    | 0 | 4 | ¦", "b u32 Message", "Ping"},
		{"import \"base\" as b\n\ntype T {\n    | 0 | 4 | b.¦", "Message string", "Ping u32 id secrets"},
		{"import \"base\" as b\n\ntype T {\n    | 0 | 4 | b.Mess¦", "Message string", "id"},
		{"import \"base\" as b\n\ntype T {\n    | 0 | 4 | b.Message.¦", "id", "Message"},
		{"type T {\n    | 0 | 8 | string | s | \"\"\n    | 8 | 1 | u8 | n = s.¦", "length text", "s count"},
		{"type T {\n    | 0 | 8 | string(1) | s | \"\"\n    | 8 | 1 | u8 | n | \"\" check s.len¦", "length", "s count"},
		{"import \"base\" as b\n\ntype T {\n    | 0 | 8 | b.string | s | \"\"\n    | s.¦", "length", "s count"},
		{"type T {\n    | 0 | 8 | string | s | \"\"\n    | 8 | 1 | u8 | n = t.¦", "", "length"},
		{"extend Message.¦", "Ping Point Names", "Message"},
		{"extend Message.Ping ¦", "Message", "Point"},
		{"extend Message.Names {\n    | 8 | 4 | u32 | a | \"\"\n    | 9 | 4 | u32 | x = ¦", "number names kind a", ""},
		{"extend string {\n    | 8 | 4 | u32 | x = ¦", "length text", "kind"},
		{"extend ¦", "string Message", "Ping"},
		{"drop Message.¦", "Ping", "string"},
		{"drop Message.Names.¦", "number extra names", "Ping"},
		{"drop string.¦", "length text", "Ping"},
		{"drop ¦", "string Message", "Ping"},
		{"change Message {\n    ¦", "Ping Point", "string"},
		{"type T {\n    requires ¦", "secrets", "Ping"},
		{"type T {\n    example \"00\" with ¦", "secrets single", "Ping"},
		{"type T {\n    example \"00\" is ¦", "Ping Point", "secrets"},
		{"type T {\n    example \"<¦", "Ping Point", "secrets"},
		{"schema \"x\" extends \"godot-4.4\" {\n}\n\nextend Variant.int {\n    example \"<¦", "int Vector2", "wide"},
		{"schema \"x\" extends \"godot-4.4\" {\n}\n\nextend Variant.int {\n    example \"<int ¦", "wide", "int value header"},
		{"type T {\n    example \"<Point> ¦", "", "Ping"},
		{"type T {\n    example \"00\" refused ¦", "truncated text", "Ping"},
		{"encoding e {\n    utf8 ¦", "strict loose", "bom"},
		{"encoding e {\n    ¦", "utf8 bom nul latin1 utf16", "strict"},
		{"type T {\n    caption \"a ¦", "", "u32 Ping"},
		{"type T {\n    // a ¦", "", "u32 Ping"},
	} {
		text := `schema "top" extends "base" {
    root Message
}

` + q.text
		if strings.HasPrefix(q.text, "schema") {
			text = q.text
		}
		name := fmt.Sprintf("c%d.oct", len(c.texts))
		c.open(name, strings.Replace(text, "¦", "", 1))
		before, _, _ := strings.Cut(text, "¦")
		p := positionParams{textDocument{URI: c.uri(name)}, newText(before, false).position(len(before))}
		var items []completionItem
		if err := c.call("textDocument/completion", p, &items); err != nil {
			t.Fatal(err)
		}
		all := map[string]bool{}
		for _, i := range items {
			if all[i.Label] {
				t.Errorf("%q: %s twice", q.text, i.Label)
			}
			all[i.Label] = true
			if i.TextEdit == nil || i.TextEdit.NewText != i.Label || i.TextEdit.Range.End != p.Position {
				t.Errorf("%q: %+v", q.text, i)
			}
		}
		for _, w := range strings.Fields(q.has) {
			if !all[w] {
				t.Errorf("%q lacks %s: %v", q.text, w, all)
			}
		}
		for _, w := range strings.Fields(q.hasNot) {
			if all[w] {
				t.Errorf("%q has %s", q.text, w)
			}
		}
	}
}

// TestCompletionOfEnds: the ends of lists are offered behind a bracket, repeat and map.
func TestCompletionOfEnds(t *testing.T) {
	c := start(t, map[string]string{"base.oct": base})
	for i, q := range []struct {
		text string
		left bool
	}{
		{"    | 0 | N | string[", true},
		{"    repeat ", true},
		{"    map ", false},
	} {
		name := fmt.Sprintf("end%d.oct", i)
		text := "schema \"top\" extends \"base\" {\n    root Message\n}\n\ntype T {\n" + q.text
		c.open(name, text)
		var items []completionItem
		p := positionParams{textDocument{URI: c.uri(name)}, newText(text, false).position(len(text))}
		if err := c.call("textDocument/completion", p, &items); err != nil {
			t.Fatal(err)
		}
		has := func(label string) bool {
			return slices.ContainsFunc(items, func(i completionItem) bool { return i.Label == label })
		}
		if !has("until end") || has("until left() <= N") != q.left {
			t.Errorf("%q: %+v", q.text, items)
		}
	}
}

func TestFormatting(t *testing.T) {
	c := start(t, nil)
	text := strings.Replace(base, "    | 8 | 4 | real | y |", "  |8|4|real|y|", 1)
	c.open("f.oct", text)
	var edits []textEdit
	if err := c.call("textDocument/formatting", documentParams{textDocument{URI: c.uri("f.oct")}}, &edits); err != nil {
		t.Fatal(err)
	}
	if len(edits) != 1 || edits[0].Range.Start.Line != 32 || edits[0].Range.End.Line != 33 {
		t.Errorf("%+v", edits)
	}
	if got := newText(text, false).change(contentChange{&edits[0].Range, edits[0].NewText}); got.s != base {
		t.Errorf("formatted as\n%s", got.s)
	}
	c.open("g.oct", base)
	if err := c.call("textDocument/formatting", documentParams{textDocument{URI: c.uri("g.oct")}}, &edits); err != nil || len(edits) != 0 {
		t.Errorf("%+v %v", edits, err)
	}
	c.open("h.oct", "schema {")
	if err := c.call("textDocument/formatting", documentParams{textDocument{URI: c.uri("h.oct")}}, &edits); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
}

func TestOutline(t *testing.T) {
	c := both(t)
	var all []documentSymbol
	if err := c.call("textDocument/documentSymbol", documentParams{textDocument{URI: c.uri("base.oct")}}, &all); err != nil {
		t.Fatal(err)
	}
	var names []string
	var add func(s []documentSymbol)
	add = func(s []documentSymbol) {
		for _, d := range s {
			names = append(names, d.Name)
			if d.SelectionRange.Start.Line < d.Range.Start.Line || d.SelectionRange.End.Line > d.Range.End.Line {
				t.Errorf("%+v", d)
			}
			add(d.Children)
		}
	}
	add(all)
	if got := strings.Join(names, " "); got != "base string length text Message kind Ping Point x y Names number extra names name" {
		t.Error(got)
	}
}

// A server keeps to the order of a conversation, and holds against messages that
// make no sense.
func TestConversation(t *testing.T) {
	c := start(t, nil)
	c.open("a.oct", base)
	for method, params := range map[string]any{
		"textDocument/hover":      map[string]any{"textDocument": map[string]any{"uri": c.uri("a.oct")}, "position": map[string]any{"line": math.MaxInt32, "character": -5}},
		"textDocument/completion": map[string]any{"textDocument": map[string]any{"uri": c.uri("a.oct")}, "position": map[string]any{"line": 3, "character": math.MaxInt32}},
		"textDocument/definition": map[string]any{"textDocument": map[string]any{"uri": "untitled:Untitled-1"}, "position": map[string]any{"line": 0, "character": 0}},
	} {
		if err := c.call(method, params, nil); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
	for _, uri := range []string{"", "file:///no/such/file.oct", "file:///", "%zz", "http://example.org/a.oct", "file:///dev/zero"} {
		for _, method := range []string{"textDocument/hover", "textDocument/definition", "textDocument/completion", "textDocument/documentSymbol", "textDocument/references"} {
			_ = c.call(method, positionParams{textDocument{URI: uri}, position{}}, nil) // any answer will do
		}
	}
	for _, q := range []struct {
		method string
		params any
		code   int64
	}{
		{"no/such", nil, jsonrpc2.CodeMethodNotFound}, {"textDocument/hover", []int{1}, jsonrpc2.CodeInvalidParams},
		{"textDocument/rename", renameParams{positionParams{textDocument{URI: c.uri("a.oct")}, position{}}, ""}, codeRequestFailed},
		{"initialize", map[string]any{}, 0},
	} {
		err := c.call(q.method, q.params, nil)
		var e *jsonrpc2.Error
		if q.code != 0 && (!errors.As(err, &e) || e.Code != q.code) {
			t.Errorf("%s: %v", q.method, err)
		}
	}
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: "file:///not/open.oct"}, nil})
	c.open("noise.oct", "\xff\x00"+strings.Repeat("{", 100000))
	if d := c.diagnostics("noise.oct", 1); len(d) == 0 {
		t.Error("nothing is wrong with noise")
	}
	if err := c.call("shutdown", nil, nil); err != nil {
		t.Error(err)
	}
	if err := c.call("textDocument/hover", c.at("a.oct", "Ping", 1), nil); err == nil {
		t.Error("an answer after shutdown")
	}
	c.notify("exit", nil)
	if err := <-c.served; err != nil {
		t.Error(err)
	}
}

func TestEndsWithoutShutdown(t *testing.T) {
	c := start(t, nil)
	_ = c.conn.Close()
	if err := <-c.served; !errors.Is(err, ErrNotShutDown) {
		t.Error(err)
	}
}

// Before initialize there is nothing to ask.
func TestNotInitialized(t *testing.T) {
	here, there := net.Pipe()
	go func() { _ = Serve(context.Background(), there) }()
	conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(here, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(
		func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil }))
	defer conn.Close()
	err := conn.Call(context.Background(), "textDocument/hover", positionParams{}, nil)
	var e *jsonrpc2.Error
	if !errors.As(err, &e) || e.Code != codeNotInitialized {
		t.Error(err)
	}
}

func TestText(t *testing.T) {
	x := newText("aä😀b\r\nc\rd\n", false)
	for offset, want := range map[int]position{0: {0, 0}, 1: {0, 1}, 3: {0, 2}, 7: {0, 4}, 8: {0, 5}, 10: {1, 0}, 12: {2, 0}, 14: {3, 0}} {
		if got := x.position(offset); got != want {
			t.Errorf("offset %d is %v, not %v", offset, got, want)
		}
		if got := x.offset(want); got != offset {
			t.Errorf("%v is offset %d, not %d", want, got, offset)
		}
	}
	if got := x.offset(position{0, 99}); got != 8 {
		t.Error(got)
	}
	if got := x.offset(position{0, 3}); got != 3 { // in the middle of a character
		t.Error(got)
	}
	b := newText("ä😀b", true)
	if got := b.position(6); got != (position{0, 6}) {
		t.Error(got)
	}
	if got := newText("abc", false).change(contentChange{&textRange{position{0, 2}, position{0, 1}}, "x"}); got.s != "abxc" {
		t.Error(got.s)
	}
}

// No place in a file, whole or cut off or spoilt, makes a question fail.
func TestEveryPlace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "derived.oct")
	if err := os.WriteFile(filepath.Join(dir, "base.oct"), []byte(base), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{base, derived, "\ufeff" + derived, strings.ReplaceAll(derived, "\n", "\r\n"), base[:len(base)/2], derived[:len(derived)-40],
		strings.ReplaceAll(base, "|", ""), strings.ReplaceAll(base, "}", "{"), strings.ReplaceAll(derived, "base", "derived"), strings.ReplaceAll(base, " ", "\x00"), ""} {
		s := &snapshot{docs: map[string]*document{name: {uri: "file://" + name, name: name, text: newText(text, false)}}, parser: &parser{files: map[string]parsed{}}}
		s.check(name)
		s.documentSymbols(name)
		t16 := s.text(name)
		for at := -1; at <= len(text)+1; at += 1 + len(text)/150 {
			s.hover(name, at)
			s.definition(name, at)
			s.complete(name, max(at-t16.mark(), 0))
			s.references(name, at)
		}
		// The text at a name is the name, after any other text.
		files, err := s.lineage(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range s.index(name, files).Names {
			at := o.Pos.Offset + t16.mark()
			r := t16.span(at, at+len(o.Text))
			if got := text[t16.offset(r.Start):t16.offset(r.End)]; got != o.To.Name {
				t.Errorf("%q is in the place of %q", got, o.To.Name)
			}
		}
	}
}

// Highlighting knows every number type and every name that the language has of itself.
func TestHighlightingKnowsBuiltins(t *testing.T) {
	var g struct {
		Repository map[string]struct{ Match string }
	}
	if err := json.Unmarshal(dsl.TextMate(), &g); err != nil {
		t.Fatal(err)
	}
	types, calls := regexp.MustCompile(g.Repository["type"].Match), regexp.MustCompile(g.Repository["call"].Match)
	for _, typ := range builtin.Types() {
		if types.FindString(typ.Name) != typ.Name {
			t.Errorf("%s is not highlighted", typ.Name)
		}
	}
	for _, f := range builtin.Functions() {
		if !calls.MatchString(f + "(") {
			t.Errorf("%s is not highlighted", f)
		}
	}
}
