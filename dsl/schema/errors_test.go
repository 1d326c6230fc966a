package schema

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
	"github.com/octable/octable/spec"
)

// beside loads schemas from the folder of the cases, then the embedded ones.
func beside(id string) (*dsl.File, error) {
	name := id + ".oct"
	if text, err := os.ReadFile(filepath.Join("testdata", "errors", "base", name)); err == nil {
		return dsl.Parse(name, text)
	}
	return embedded(id)
}

// embedded loads one of the project's schemas.
func embedded(id string) (*dsl.File, error) {
	name, text, ok := spec.Source(id)
	if !ok {
		if near := builtin.Nearest(id, spec.IDs()); near != "" {
			return nil, fmt.Errorf("there is no schema %q; did you mean %q?", id, near)
		}
		return nil, fmt.Errorf("there is no schema %q", id)
	}
	return dsl.Parse(name, text)
}

// diagnose returns the mistakes of a schema.
func diagnose(t testing.TB, name string, text []byte, load Loader) string {
	t.Helper()
	f, err := dsl.Parse(name, text)
	if err == nil {
		_, err = Resolve(f, load)
	}
	if err == nil {
		return ""
	}
	var ds dsl.Diagnostics
	if !errors.As(err, &ds) || len(ds) == 0 {
		t.Fatalf("the error is not Diagnostics: %#v", err)
	}
	for _, d := range ds {
		checkDiagnostic(t, d)
	}
	return ds.Error() + "\n"
}

// checkDiagnostic checks the form of an error. It has a place and a sentence without capital and full stop,
// and its caret is in the line.
func checkDiagnostic(t testing.TB, d *dsl.Diagnostic) {
	t.Helper()
	if d.Message == "" || strings.HasSuffix(d.Message, ".") || d.Code == "" {
		t.Errorf("%+v", d)
	}
	if d.Pos.Filename == "" || d.Pos.Line < 1 || d.Pos.Column < 1 || d.Line == "" && d.Pos.Column > 1 {
		t.Errorf("no place: %+v", d)
	}
	if n := len([]rune(d.Line)); d.Pos.Column > n+1 || d.Width > 0 && d.Pos.Column-1+d.Width > len(d.Line)+1 {
		t.Errorf("column %d, width %d of a line of %d: %v", d.Pos.Column, d.Width, n, d)
	}
}

var codeInText = regexp.MustCompile(`\b(E[234][0-9][0-9]): `)

// TestErrors compares the mistakes in the schemas in testdata/errors with those that each expects. The name of a file begins with the code that it is about.
func TestErrors(t *testing.T) {
	names, _ := filepath.Glob("testdata/errors/*.oct")
	cases := map[string]int{}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".oct")
		t.Run(base, func(t *testing.T) {
			var got string
			schematest.Case(t, name, func(text []byte) string {
				got = diagnose(t, filepath.Base(name), text, beside)
				return got
			})
			if code := base[:4]; code != "none" && !strings.Contains(got, code+": ") {
				t.Errorf("no %s is reported:\n%s", code, got)
			} else if code == "none" && got != "" {
				t.Errorf("there is nothing wrong with it:\n%s", got)
			}
			for _, m := range codeInText.FindAllStringSubmatch(got, -1) {
				cases[m[1]]++
			}
		})
	}
	for _, code := range []dsl.Code{
		dsl.CodeUnknown, dsl.CodeTwice, dsl.CodeExtends, dsl.CodeArgs, dsl.CodeSchema, dsl.CodeRange, dsl.CodeArm,
		dsl.CodeOffset, dsl.CodeLength, dsl.CodeBits, dsl.CodeNoProgress, dsl.CodeUnreachable,
		dsl.CodeUnderived, dsl.CodeInverse, dsl.CodeDirection, dsl.CodeCycle,
	} {
		if n := cases[string(code)]; n < 2 {
			t.Errorf("%d cases for %s", n, code)
		}
	}
}

// TestFixes: a diagnostic has the text that leaves a name out of a list, and what separates it.
func TestFixes(t *testing.T) {
	const schema = "schema \"x\" {\n    root U\n    keys {\n        %s\n    }\n}\nunion U by n {\n    | 0 | 1 | u8 | n |\n}\narm U 0 a {}\n"
	for _, c := range []struct{ wrong, right string }{
		{"equal b", ""},
		{"equal b, a", "equal a"},
		{"equal a, b", "equal a"},
		{"equal b, a, a", "equal a, a"},
	} {
		text := fmt.Sprintf(schema, c.wrong)
		f, err := dsl.Parse("x.oct", []byte(text))
		if err == nil {
			_, err = Resolve(f, nil)
		}
		var ds dsl.Diagnostics
		if !errors.As(err, &ds) || ds[0].Fix == nil {
			t.Errorf("%s: %v", c.wrong, err)
			continue
		}
		at := ds[0].Fix.At.Offset
		if got, ok := strings.CutPrefix(text[at:], ds[0].Fix.Old); !ok || strings.Join(strings.Fields(text[:at]+ds[0].Fix.New+got), " ") != strings.Join(strings.Fields(fmt.Sprintf(schema, c.right)), " ") {
			t.Errorf("%s: after the fix at %v\n%s", c.wrong, ds[0].Fix.At, text[:at]+ds[0].Fix.New+got)
		}
	}
}

// TestErrorsOfMany checks that large schemas, and those made to be slow, take
// no long time. They may be correct or have mistakes.
func TestErrorsOfMany(t *testing.T) {
	many, arms := long.Number(1600, 4900), long.Number(2000, 7000)
	const head = "schema \"many\" { order little root T }\n"
	rows := func(n int, row string) string { // many types of 100 rows
		var b strings.Builder
		for i := range n {
			if i%100 == 0 {
				if i > 0 {
					b.WriteString("}\n")
				}
				fmt.Fprintf(&b, "type T%d {\n", i/100)
			}
			fmt.Fprintf(&b, row+"\n", i, i%100)
		}
		return b.String() + "}\n"
	}
	var uses, list, adds strings.Builder
	for i := range 100 {
		fmt.Fprintf(&uses, "| T%d | N%d | T%d | t%d |\n", i, i, i, i)
	}
	for i := range arms {
		fmt.Fprintf(&list, "arm U %d a%d {}\n", arms-i, i)
	}
	for i := range 60 {
		fmt.Fprintf(&adds, "type D%d { | 0 | N | D%d | a | | X | N2 | D%d | b | }\n", i, i+1, i+1)
	}
	var doubles, letters strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubles, "| %d | 4 | u32 | l%d = l%d + l%d | any\n", 4*i, i, i+1, i+1)
	}
	for i := range 2500 {
		fmt.Fprintf(&letters, " + L%d", i)
	}
	for name, text := range map[string]string{
		"offsets":  head + rows(many, "| %[1]d%[2]d | 4 | u32 | r%[2]d |") + "type T {\n" + uses.String() + "}",
		"types":    head + rows(many, "| %[2]d*4 | 4 | utf99 | r%[1]d |") + "type T {\n" + uses.String() + "}",
		"names":    head + rows(many, "| 0 | N | u8[nameless%[2]d] | r%[2]d |") + "type T {\n" + uses.String() + "}",
		"doubled":  head + rows(many, "| %[2]d*4 | 4 | u32 | r%[1]d%[2]d |") + strings.Repeat("type T { | 0 | 4 | u32 | x | }\n", 2500),
		"arms":     strings.Replace(head, "root T", "root U", 1) + "union U by t { | 0 | 4 | u32 | t | }\n" + list.String() + "arm U 0 zero {}",
		"same arm": strings.Replace(head, "root T", "root U", 1) + "union U by t { | 0 | 4 | u32 | t | }\n" + strings.Repeat("arm U 0 zero {}\n", arms),
		"records":  head + adds.String() + "type D60 { | 0 | 4 | u32 | x | }\ntype T { | 0 | N | D0 | x | }",
		"doubles":  head + "type T {\n" + doubles.String() + "| 240 | 4 | u32 | l60 |\n}",
		"cycle":    head + "type T {\n" + doubles.String() + "| 240 | 4 | u32 | l60 = l0 |\n}",
		"letters":  head + "type T { | 0" + letters.String() + " | 4 | u32 | x | }",
		"unknown":  head + strings.Repeat("arm Union 1 a {}\n", 300) + "union Unoin by t { | 0 | 1 | u8 | t | }\ntype T { | 0 | 4 | u32 | x | }",
		"conditions": head + "type T {\n| 0 | 1 | u8 | a |\n| 1 | 1 | u8 | b | if a > 5" + strings.Repeat(" && a != 7", 90) +
			"\nif b > 5" + strings.Repeat(" && b != 7", 90) + " {\n| P | 1 | u8 | n = count(list) |\nrepeat n as list { | Q | 2 | u16 | x | }\n}\n}",
		"checks": head + "type T {\n" + strings.Repeat("check 1 == 1 \"x\"\n", 3000) + "}",
	} {
		t.Run(name, func(t *testing.T) {
			// work that doubles with each line would not end before the tests are stopped
			got := diagnose(t, "many.oct", []byte(text), nil)
			t.Logf("%d bytes: %d lines, %.300s", len(text), strings.Count(got, "\n"), got)
		})
	}
}
