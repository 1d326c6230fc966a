package dsl

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestReplacements: a diagnostic has no replacement if the text is not at the places that it is told.
func TestReplacements(t *testing.T) {
	f := &File{Name: "a.oct", Source: "type A {\n| 0  | 4 | u32 | n |\n| 4 "}
	at := func(file string, line, column, offset int) Pos {
		return Pos{Filename: file, Line: line, Column: column, Offset: offset}
	}
	begin, end := at("a.oct", 2, 1, 9), at("a.oct", 2, 5, 13)
	for name, c := range map[string]struct {
		change func(d *Diagnostic) *Diagnostic
		old    string
		ok     bool
	}{
		"text":                  {func(d *Diagnostic) *Diagnostic { return d.Remove(f, begin, end) }, "| 0", true},
		"no file":               {func(d *Diagnostic) *Diagnostic { return d.Remove(nil, begin, end) }, "", false},
		"another file":          {func(d *Diagnostic) *Diagnostic { return d.Remove(f, at("b.oct", 2, 1, 9), end) }, "", false},
		"an end in another":     {func(d *Diagnostic) *Diagnostic { return d.Remove(f, begin, at("b.oct", 2, 5, 13)) }, "", false},
		"an end before it":      {func(d *Diagnostic) *Diagnostic { return d.Remove(f, end, begin) }, "", false},
		"an end behind a file":  {func(d *Diagnostic) *Diagnostic { return d.Remove(f, begin, at("a.oct", 4, 1, 99)) }, "", false},
		"a cell":                {func(d *Diagnostic) *Diagnostic { d.Pos = at("a.oct", 2, 3, 11); return d.ReplaceCell("1") }, "0", true},
		"a column behind a row": {func(d *Diagnostic) *Diagnostic { d.Pos = at("a.oct", 2, 99, 11); return d.ReplaceCell("1") }, "", false},
		"a cell without an end": {func(d *Diagnostic) *Diagnostic {
			d.Pos, d.Line = at("a.oct", 3, 3, 30), "| 4 "
			return d.ReplaceCell("1")
		}, "", false},
	} {
		d := c.change(&Diagnostic{Pos: begin, Line: f.Line(2)})
		if (d.Fix != nil) != c.ok || c.ok && d.Fix.Old != c.old {
			t.Errorf("%s: %+v", name, d.Fix)
		}
	}
	if f.Line(0) != "" || f.Line(4) != "" || f.Line(3) != "| 4 " || (&File{Source: "x"}).Line(1) != "x" {
		t.Errorf("lines %q, %q, %q", f.Line(0), f.Line(3), f.Line(4))
	}
	d := &Diagnostic{Pos: Pos{Filename: "a.oct"}, Code: CodeSyntax, Message: "it is empty"}
	if got := d.Error(); got != "a.oct: E101: it is empty" {
		t.Errorf("a diagnostic of a file is %q", got)
	}
}

// TestManyErrors: errors after the first ones, which are explained by trials, have a hint as well.
func TestManyErrors(t *testing.T) {
	var text strings.Builder
	for i := range maxTrials + 2 {
		fmt.Fprintf(&text, "type T%d {\n    repaet 1 as x {}\n}\n", i)
	}
	_, err := Parse("many.oct", []byte(text.String()))
	var all Diagnostics
	if !errors.As(err, &all) || len(all) != maxTrials+2 {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.Hint != "did you mean `repeat`?" || d.Fix == nil || d.Fix.New != "repeat" {
			t.Errorf("%v", d)
		}
	}
	_, err = Parse("large.oct", []byte(strings.Repeat(" ", maxSource+1)))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the file has %d bytes; a schema has at most %d", maxSource+1, maxSource)) {
		t.Errorf("a large file: %v", err)
	}
	_, err = Parse("tokens.oct", []byte("type T { if 1"+strings.Repeat("+1", maxTokens/2)+" { } }"))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the declaration has more than %d words and signs", maxTokens)) {
		t.Errorf("a long declaration: %v", err)
	}
	_, err = Parse("foreign.oct", []byte("replace struct A {}\n"))
	if err == nil || !strings.Contains(err.Error(), "did you mean `type`?") {
		t.Errorf("a foreign word: %v", err)
	}
}
