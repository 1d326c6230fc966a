package dsl

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/dsl/schema/schematest"
)

// TestErrors compares the errors in testdata/errors/*.oct and *.page with those that each expects.
func TestErrors(t *testing.T) {
	names, _ := filepath.Glob("testdata/errors/*.oct")
	pages, _ := filepath.Glob("testdata/errors/*.page")
	if len(names) < 25 || len(pages) < 5 {
		t.Fatalf("%d and %d cases", len(names), len(pages))
	}
	names = append(names, pages...)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			schematest.Case(t, name, func(text []byte) string {
				f, err := ParseFile(filepath.Base(name), text)
				checkErrors(t, f, err)
				if err != nil {
					return err.Error() + "\n"
				}
				checkFormat(t, f)
				return ""
			})
		})
	}
}

// TestFixes applies the replacements of diagnostics: the text without its error is the result.
func TestFixes(t *testing.T) {
	const old, now = "| 0 | 4 | u32 | n | ", "type A {\n    | 0 | 4 | u32 | n | check n == 1\n}\n"
	for _, c := range []struct{ wrong, right string }{
		{"type A {\n    " + old + "must n == 1\n}\n", now},
		{"type A {\n    " + old + "when x\n}\n", "type A {\n    " + old + "if x\n}\n"},
		{"type A {\n    " + old + "read any\n}\n", "type A {\n    " + old + "any\n}\n"},
		{"type A {\n    " + old + "{\n        0 a\n        rest ignore\n    }\n}\n", "type A {\n    " + old + "{\n        0 a\n        rest any\n    }\n}\n"},
		{"type A {\n    " + old + "{\n        0 a\n        rest zero\n    }\n}\n", "type A {\n    " + old + "{\n        0 a\n    }\n}\n"},
		{"type A {\n    | 0 | 4 | u32 | n\n    | 4 | 4 | u32 | m |\n}\n", "type A {\n    | 0 | 4 | u32 | n |\n    | 4 | 4 | u32 | m |\n}\n"},
		{"type A {\n    | 0 | 4 | u32[n | m |\n}\n", "type A {\n    | 0 | 4 | u32[n] | m |\n}\n"},
		{"struct A {\n}\n", "type A {\n}\n"},
	} {
		_, err := Parse("a.oct", []byte(c.wrong))
		var ds Diagnostics
		if !errors.As(err, &ds) || len(ds) != 1 || ds[0].Fix == nil {
			t.Errorf("%s: %v", c.wrong, err)
			continue
		}
		got, ok := strings.CutPrefix(c.wrong[ds[0].Pos.Offset:], ds[0].Fix.Old)
		if got = c.wrong[:ds[0].Pos.Offset] + ds[0].Fix.New + got; !ok {
			t.Errorf("%s: there is no %q", c.wrong, ds[0].Fix.Old)
			continue
		}
		if f, err := Parse("a.oct", []byte(got)); err != nil || string(Format(f)) != mustFormat(t, c.right) {
			t.Errorf("%s: after the fix\n%s%v", c.wrong, got, err)
		}
	}
}

func mustFormat(t *testing.T, text string) string {
	f, err := Parse("a.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return string(Format(f))
}
