package dsl

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/long"
)

// schemas are the schemas of this module, and one that has all of the grammar.
func schemas(t testing.TB) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("../spec/*.oct")
	if err != nil || len(names) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = text
	}
	if files["style.oct"], err = os.ReadFile("testdata/format/style.oct"); err != nil {
		t.Fatal(err)
	}
	return files
}

// dump prints a tree without its positions.
func dump(node any) string {
	var b strings.Builder
	var walk func(v reflect.Value, indent string)
	walk = func(v reflect.Value, indent string) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), indent)
			}
		case reflect.Slice:
			for i := range v.Len() {
				fmt.Fprintf(&b, "%s%d:\n", indent, i)
				walk(v.Index(i), indent+" ")
			}
		case reflect.Struct:
			for i, f := range v.Fields() {
				if i.Type == reflect.TypeFor[Pos]() || f.IsZero() {
					continue
				}
				fmt.Fprintf(&b, "%s%s:\n", indent, i.Name)
				walk(f, indent+" ")
			}
		default:
			fmt.Fprintf(&b, "%s%#v\n", indent, v.Interface())
		}
	}
	walk(reflect.ValueOf(node), "")
	return b.String()
}

// significant returns the tokens of a text as Format may spell them.
func significant(text string) string {
	var b strings.Builder
	for _, t := range scan("", text) {
		switch {
		case t.Type == commentToken:
			continue
		case t.Type == stringToken:
			s, _ := strconv.Unquote(t.Value)
			t.Value = strconv.Quote(s)
		case t.Value == "bits":
			t.Value = "bit"
		}
		b.WriteString(t.Value + "\n")
	}
	return b.String()
}

func comments(f *File) []string {
	var list []string
	for _, c := range f.Comments {
		list = append(list, c.Text)
	}
	sort.Strings(list)
	return list
}

// checkFormat checks the laws of Format on a text that is a schema.
func checkFormat(t *testing.T, f *File) []byte {
	t.Helper()
	text := Format(f)
	again, err := ParseFile(f.Name, text)
	if err != nil {
		t.Fatalf("what Format printed does not parse: %v\n--- source\n%s\n--- printed\n%s", err, f.Source, text)
	}
	if want, got := dump(f.Decls)+dump(f.Page), dump(again.Decls)+dump(again.Page); got != want {
		t.Fatalf("another tree after Format\n--- source\n%s\n--- printed\n%s\n--- %s", f.Source, text, firstDifference(want, got))
	}
	if want, got := significant(f.Source), significant(string(text)); f.Source != "" && got != want {
		t.Fatalf("other tokens after Format: %s", firstDifference(want, got))
	}
	if want, got := comments(f), comments(again); !reflect.DeepEqual(got, want) {
		t.Fatalf("other comments after Format: %q, were %q\n--- source\n%s\n--- printed\n%s", got, want, f.Source, text)
	}
	if twice := Format(again); !bytes.Equal(twice, text) {
		t.Fatalf("Format changes what it printed\n--- source\n%s\n--- %s", f.Source, firstDifference(string(text), string(twice)))
	}
	return text
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("line %d:\n%q\n%q\nin\n%s\n--- and\n%s", i+1, x[i], y[i], a, b)
		}
	}
	return fmt.Sprintf("%d lines, then %d:\n%s\n--- and\n%s", len(x), len(y), a, b)
}

func TestFormatSchemas(t *testing.T) {
	for name, text := range schemas(t) {
		t.Run(name, func(t *testing.T) {
			f, err := Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			checkFormat(t, f)
			// The same tokens in another layout, then with comments among them.
			if got, want := Format(respace(t, name, text, false)), Format(f); name != "style.oct" && !equalButBlanks(got, want) {
				t.Error(firstDifference(string(want), string(got)))
			}
			checkFormat(t, respace(t, name, text, true))
		})
	}
}

func equalButBlanks(a, b []byte) bool {
	strip := func(text []byte) string {
		var b strings.Builder
		for line := range strings.Lines(string(text)) {
			if line != "\n" {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	return strip(a) == strip(b)
}

// respace parses the tokens of a text with other space between them.
func respace(t *testing.T, name string, text []byte, withComments bool) *File {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	last := Pos{Line: 1}
	for i, tok := range scan(name, string(text)) {
		switch begins := tok.Pos.Column == 1 && schemaNotation().starts(tok); {
		case tok.Type == commentToken && last.Line == tok.Pos.Line:
			b.WriteString("   ")
		case tok.Type == commentToken, begins:
			b.WriteString("\n")
		case withComments && i%3 == 0:
			fmt.Fprintf(&b, " // comment %d\n\t", i)
		case withComments && i%7 == 0:
			fmt.Fprintf(&b, "\r\n\n\n  // comment %d\n // more\n \n  ", i)
		default:
			b.WriteString([]string{" ", "  ", "\t", "\n\t", " \r\n "}[r.IntN(5)])
		}
		b.WriteString(tok.Value)
		if tok.Type == commentToken || tok.Type == docToken {
			b.WriteString("\n ")
		}
		last = tok.Pos
	}
	f, err := Parse(name, []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return f
}

// TestFormatMutated damages the schemas; where the result is still a schema, the
// laws hold for it.
func TestFormatMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rounds, good := long.Number(2, 5), 0
	for name, text := range schemas(t) {
		list := scan(name, string(text))
		for range rounds {
			changed := string(text)
			tok := list[r.IntN(len(list))]
			other := list[r.IntN(len(list))].Value
			at := tok.Pos.Offset
			switch r.IntN(4) {
			case 0: // leave out a token
				changed = changed[:at] + changed[at+len(tok.Value):]
			case 1: // put another in its place
				changed = changed[:at] + other + changed[at+len(tok.Value):]
			case 2: // end the line
				changed = changed[:at] + " // note\n\n " + changed[at:]
			case 3: // repeat it
				changed = changed[:at] + tok.Value + " " + changed[at:]
			}
			f, err := Parse(name, []byte(changed))
			checkErrors(t, f, err)
			if err == nil {
				good++
				checkFormat(t, f)
			}
		}
	}
	if good == 0 {
		t.Error("no change left a schema")
	}
}

// checkErrors checks that an error is Diagnostics with places in the file.
func checkErrors(t *testing.T, f *File, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var ds Diagnostics
	if !errors.As(err, &ds) || len(ds) == 0 {
		t.Fatalf("the error is not Diagnostics: %#v", err)
	}
	lines := strings.Split(f.Source, "\n")
	for _, d := range ds {
		if d.Code != CodeSyntax || d.Message == "" || d.Pos.Filename != f.Name {
			t.Errorf("%+v", d)
		}
		if d.Pos.Offset < 0 || d.Pos.Offset > len(f.Source) || d.Pos.Line < 1 || d.Pos.Line > len(lines) {
			t.Fatalf("%v: outside of the file", d)
		}
		if n := len([]rune(lines[d.Pos.Line-1])); d.Pos.Column < 1 || d.Pos.Column > n+1 {
			t.Fatalf("%v: column %d of a line of %d", d, d.Pos.Column, n)
		}
	}
	if got := Format(f); string(got) != f.Source {
		t.Error("Format changes a file that could not be read")
	}
}

// TestFormatStyle compares testdata/format/*.oct and *.page with what is printed for them.
func TestFormatStyle(t *testing.T) {
	names, _ := filepath.Glob("testdata/format/*.oct")
	pages, _ := filepath.Glob("testdata/format/*.page")
	names = append(names, pages...)
	if len(names) == 0 {
		t.Fatal("no cases")
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f, err := ParseFile(filepath.Base(name), text)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(name, filepath.Ext(name))+".want", checkFormat(t, f))
		})
	}
}

// TestSpecStyle checks that every schema and page of this module is in the one style. So
// formatting one never changes lines that nobody touched.
func TestSpecStyle(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../spec/*.oct", "../spec/*.page", "../spec/formats/*.oct"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: no schemas: %v", pattern, err)
		}
		names = append(names, some...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := ParseFile(name, text)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := Format(f); !bytes.Equal(got, text) {
			t.Errorf("%s is not as Format prints it: %s", name, firstDifference(string(text), string(got)))
		}
	}
}

// golden compares output with a file. With OCTABLE_UPDATE=1 it writes the file
// instead, and fails, so that the setting is never left on.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(name)
	if err == nil && bytes.Equal(got, want) {
		return
	}
	if os.Getenv("OCTABLE_UPDATE") == "1" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s: written anew", name)
		return
	}
	if err != nil {
		t.Fatalf("%v; OCTABLE_UPDATE=1 writes it", err)
	}
	t.Errorf("%s: %s", name, firstDifference(string(want), string(got)))
}

func TestFormatWithoutSource(t *testing.T) {
	for name, text := range schemas(t) {
		f, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		made := &File{Name: name, Decls: f.Decls}
		again, err := Parse(name, Format(made))
		if err != nil {
			t.Fatal(err)
		}
		if dump(again.Decls) != dump(f.Decls) {
			t.Errorf("%s: another tree", name)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	for _, text := range schemas(b) {
		f, err := Parse("bench.oct", text)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			Format(f)
		}
		return
	}
}
