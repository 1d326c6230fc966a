package lsp

import (
	"strings"
	"testing"
)

const paged = `schema "paged" { root V }
union V by kind !E1 { | 0 | 1 | u8 | kind | }
arm V 0 one { | 1 | 1 | u8 | n | "a number" !E2 }
`

const about = `page "paged" {}
erratum E1 { says "One says." }
erratum E2 { says "Two says." }
V.one { !E1 }
V.one.n { caption "A table:" !E2 absent }
`

// TestPage has the server check, explain and complete a page and the marks of its schema.
func TestPage(t *testing.T) {
	c := start(t, map[string]string{"paged.oct": paged, "paged.page": about})
	c.open("paged.oct", paged)
	c.open("paged.page", about)
	for _, name := range []string{"paged.oct", "paged.page"} {
		if d := c.diagnostics(name, 1); len(d) > 0 {
			t.Errorf("%s: %v", name, d)
		}
	}
	for _, q := range []struct {
		file, mark, want, at string
	}{
		{"paged.oct", "!¦E2", "Two says.", "paged.page 2 E2"},
		{"paged.page", "!¦E1", "One says.", "paged.page 1 E1"},
		{"paged.page", "V.one.¦n {", "a number", "paged.oct 2 n"},
		{"paged.page", "V.¦one {", "arm of V", "paged.oct 2 one"},
	} {
		var h hover
		if err := c.call("textDocument/hover", c.at(q.file, q.mark, 1), &h); err != nil || !strings.Contains(h.Contents.Value, q.want) {
			t.Errorf("%s %s: %v\n%s", q.file, q.mark, err, h.Contents.Value)
		}
		var l location
		if err := c.call("textDocument/definition", c.at(q.file, q.mark, 1), &l); err != nil || !strings.Contains(l.URI, strings.Fields(q.at)[0]) {
			t.Errorf("%s %s is declared at %+v, %v", q.file, q.mark, l, err)
		}
	}
	var all []documentSymbol
	if err := c.call("textDocument/documentSymbol", documentParams{textDocument{URI: c.uri("paged.page")}}, &all); err != nil || len(all) != 5 || all[4].Name != "V.one.n" {
		t.Errorf("the outline is %+v, %v", all, err)
	}
	for _, q := range []struct{ name, text, want string }{
		{"paged.page", about + "V.¦", "one"},
		{"paged.page", about + "V.one.¦", "n"},
		{"paged.page", about + "V { ¦ }", "caption"},
		{"paged.page", about + "V {\n    !¦\n}", "E2"},
		{"paged.oct", paged + "arm V 1 two !¦", "E1"},
	} {
		c.open(q.name, strings.Replace(q.text, "¦", "", 1))
		var items []completionItem
		if err := c.call("textDocument/completion", positionParams{textDocument{URI: c.uri(q.name)}, positionOf(q.text)}, &items); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, i := range items {
			found = found || i.Label == q.want
		}
		if !found {
			t.Errorf("%q is not in what completes %q: %+v", q.want, q.text, items)
		}
	}
	c.open("wrong.page", "page \"wrong\" extends \"errata\" {}\nV {}\n")
	if d := c.diagnostics("wrong.page", 1); len(d) != 1 || d[0].Code != "E205" || d[0].Range.Start.Line != 1 {
		t.Errorf("a page without a schema: %+v", d)
	}
	c.open("marked.oct", strings.Replace(paged, "paged", "marked", 1))
	if d := c.diagnostics("marked.oct", 1); len(d) != 2 || d[0].Code != "E201" || !strings.Contains(d[0].Message, "no page declares the erratum") {
		t.Errorf("marks without a page: %+v", d)
	}
}

// positionOf returns the place of the mark in a text.
func positionOf(text string) position {
	before, _, _ := strings.Cut(text, "¦")
	return position{strings.Count(before, "\n"), len(before) - strings.LastIndex(before, "\n") - 1}
}
