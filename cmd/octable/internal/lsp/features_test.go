package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everything is the range of a whole document.
var everything = textRange{End: position{Line: 1 << 20}}

func TestCodeActions(t *testing.T) {
	c := both(t)
	for i, step := range []struct{ from, to, title string }{
		{"L | string", "L | strnig", "Replace strnig by string"},
		{"| 8 | 4 | real | y", "| 9 | 4 | real | y", "Replace 9 by 8"},
		{"| 4 | 4 | real | x", "| 4 | 5 | real | x", "Replace 5 by 4"},
		{"arm Message 1 Point", "amr Message 1 Point", "Replace amr by arm"},
		{"| 8 | 4 | real | y |", "| 8 | 4 | real | y", "Insert |"},
		{"is Point(1, 2)", "is Point(1, 3)", ""},
		{"", "", ""},
	} {
		text := strings.Replace(base, step.from, step.to, 1)
		c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri("base.oct"), Version: 2 + i}, []contentChange{{nil, text}}})
		told := c.diagnostics("base.oct", 2+i)
		if (len(told) > 0) != (step.to != "") {
			t.Fatalf("%s: %+v", step.to, told)
		}
		var actions []codeAction
		if err := c.call("textDocument/codeAction", rangeParams{textDocument{URI: c.uri("base.oct")}, everything}, &actions); err != nil {
			t.Fatal(err)
		}
		if step.title == "" {
			if len(actions) > 0 {
				t.Errorf("%s: %+v", step.to, actions)
			}
			continue
		}
		if len(actions) == 0 || actions[0].Title != step.title || actions[0].Kind != quickFix || actions[0].Diagnostics[0].Range != told[0].Range {
			t.Errorf("%s: %+v", step.to, actions)
			continue
		}
		for _, e := range actions[0].Edit.Changes[c.uri("base.oct")] {
			text = newText(text, false).change(contentChange{&e.Range, e.NewText}).s
		}
		if text != base {
			t.Errorf("%s: after the fix\n%s", step.to, text)
		}
		var none []codeAction
		if err := c.call("textDocument/codeAction", rangeParams{textDocument{URI: c.uri("base.oct")}, textRange{}}, &none); err != nil || len(none) > 0 {
			t.Errorf("%s: at the beginning of the file: %+v, %v", step.to, none, err)
		}
	}
}

func TestSemanticTokens(t *testing.T) {
	c := both(t)
	var got semanticTokens
	if err := c.call("textDocument/semanticTokens/full", documentParams{textDocument{URI: c.uri("base.oct")}}, &got); err != nil || len(got.Data)%5 != 0 {
		t.Fatalf("%d numbers, %v", len(got.Data), err)
	}
	words := map[string][]string{}
	at, lines := position{}, newText(base, false)
	for d := range slices.Chunk(got.Data, 5) {
		if d[0] > 0 {
			at.Character = 0
		}
		at.Line, at.Character = at.Line+d[0], at.Character+d[1]
		from := lines.offset(at)
		text := base[from:lines.offset(position{at.Line, at.Character + d[2]})]
		sort := legend.Types[d[3]]
		for i, m := range legend.Modifiers {
			if d[4]>>i&1 != 0 {
				sort += " " + m
			}
		}
		if !slices.Contains(words[text], sort) {
			words[text] = append(words[text], sort)
		}
	}
	for text, want := range map[string]string{
		"// A format to try things with.": "comment", "/// Text with its length.": "comment documentation",
		"schema": "keyword", "2": "number", "u32": "type defaultLibrary",
		"string": "type declaration, type", "Message": "enum, enum declaration", "Point": "enumMember declaration, enumMember",
		"length": "property declaration, property", "len": "function defaultLibrary", "N": "variable declaration",
		`"the text – größe 😀"`: "string", "real": "type declaration, type", "secrets": "variable declaration", "count": "function defaultLibrary",
	} {
		if got := strings.Join(words[text], ", "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestFoldingRanges(t *testing.T) {
	c := start(t, nil)
	c.open("x.oct", "// One.\n// Two.\n\n/// Three.\ntype T {\n    | 0 | 1 | u8 | n | { // Four.\n        0 a\n        // Five.\n        // Six.\n    }\n}\n")
	var got []foldingRange
	if err := c.call("textDocument/foldingRange", documentParams{textDocument{URI: c.uri("x.oct")}}, &got); err != nil {
		t.Fatal(err)
	}
	if want := "[{0 1 comment} {7 8 comment} {5 8 } {4 9 }]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestInlayHints(t *testing.T) {
	c := both(t)
	const x = "schema \"x\" {\n    root T\n    order little\n}\n\ntype T {\n    | 0  | 1 | u8 | n = len(t) |\n    | 1 | 1 | u8 | k = count(z) |\n    | 2 | N | utf8[n] | t |\n    | X | M | u16[k] | z |\n}\n"
	c.open("x.oct", x)
	c.open("lists.oct", "schema \"lists\" { root T }\ntype T {\n    | 0 | 1 | u8 | n = count(p) |\n    | 1 | M | P[n] | p |\n    | Q | R | V[until end] | v |\n}\ntype P {\n    | 0 | 2 | u16 | x |\n}\ntype V {\n    | 0 | 1 | u8 | n = count(u) |\n    | 1 | L | V[n] | u |\n}\n")
	c.open("wrong.oct", strings.Replace(x, "utf8[n]", "utf8[m]", 1))
	for _, q := range []struct {
		file  string
		in    textRange
		hints string
	}{
		{"base.oct", everything, "18:11 = length, padded to 4, 40:15 = 4 bytes or more"},
		{"base.oct", textRange{position{19, 0}, position{40, 15}}, "40:15 = 4 bytes or more"},
		{"derived.oct", everything, "12:15 = 4 bytes or more"},
		{"x.oct", everything, "8:11 = n, 9:7 = 2+N, 9:11 = 2*k"},
		{"lists.oct", everything, "3:11 = 2*n, 4:7 = 1+M, 4:11 = until end, 11:11 = n times 1 byte or more"},
		{"wrong.oct", everything, ""},
	} {
		var got []inlayHint
		if err := c.call("textDocument/inlayHint", rangeParams{textDocument{URI: c.uri(q.file)}, q.in}, &got); err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, h := range got {
			all = append(all, fmt.Sprintf("%d:%d %s", h.Position.Line, h.Position.Character, h.Label))
		}
		if strings.Join(all, ", ") != q.hints {
			t.Errorf("%s: %q, want %q", q.file, all, q.hints)
		}
	}
}

func TestWorkspaceSymbols(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/base.oct", ".git/hidden.oct", "note.txt"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(base), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := &server{workspace: workspace{docs: map[string]*document{}, parser: &parser{files: map[string]parsed{}}}, folders: []string{dir}}
	for query, want := range map[string]string{"": "base string Message Ping Point Names", "PT": "Point", "s g": "", "msg": "Message"} {
		got, err := s.workspaceSymbols(call{}, workspaceSymbolParams{query})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, one := range got.([]workspaceSymbol) {
			names = append(names, one.Name)
			if !strings.HasSuffix(one.Location.URI, "/a/base.oct") || one.ContainerName != "base" {
				t.Errorf("%+v", one)
			}
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%q: %s, want %s", query, names, want)
		}
	}
}

// TestDescribe describes types, functions and checksums, and no other names.
func TestDescribe(t *testing.T) {
	for name, want := range map[string]string{
		"crc32": "`crc32(first..last)`: the CRC-32", "count": "`count(list)`", "u16": "2 bytes", "frobnicate": "",
	} {
		if got := describe(name); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
