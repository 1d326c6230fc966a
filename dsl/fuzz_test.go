package dsl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octable/octable/dsl/long"
)

func seeds(f *testing.F) {
	for _, text := range schemas(f) {
		f.Add(text)
		for _, decl := range strings.SplitAfter(string(text), "\n}\n") {
			f.Add([]byte(decl))
		}
	}
	names, _ := filepath.Glob("testdata/*/*.oct")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

// FuzzParse asks that Parse returns soon, and that errors have a place.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		begin := time.Now()
		file, err := Parse("fuzz.oct", text)
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("%d bytes took %v", len(text), d)
		}
		checkErrors(t, file, err)
		if err != nil {
			_ = err.Error()
		}
	})
}

// FuzzFormat asks for the laws of Format.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse("fuzz.oct", text)
		if err != nil {
			t.Skip()
		}
		checkFormat(t, file)
	})
}

// TestParseLarge reads texts that are large, or made to be slow. A parser whose time is not
// linear exceeds the time limit of the test.
func TestParseLarge(t *testing.T) {
	n := long.Number(2000, 20000)
	for name, text := range map[string]string{
		"or":       "type T { if 1" + strings.Repeat(" || 1", n),
		"and":      "type T { if 1" + strings.Repeat("+1", n),
		"minus":    "type T { if " + strings.Repeat("-", n) + "1",
		"not":      "type T { if " + strings.Repeat("! ", n) + "1",
		"number":   "type T { if " + strings.Repeat("1", 10*n),
		"name":     "type " + strings.Repeat("a", 10*n) + " {}",
		"open":     "type T { if " + strings.Repeat("(", n),
		"closed":   "type T { if " + strings.Repeat(")", n),
		"quote":    "type T { if " + strings.Repeat(`"\`, n),
		"apos":     "type T { if " + strings.Repeat(`'`, n),
		"text":     `schema "` + strings.Repeat(`a`, 10*n) + `" {}`,
		"list":     `arm A 1 B { example "" is A([1` + strings.Repeat(",1", n) + `]) }`,
		"names":    "drop" + strings.Repeat(" a", n),
		"decls":    strings.Repeat("type T {}\n", n),
		"broken":   strings.Repeat("type T {\n", n),
		"wrong":    strings.Repeat("wrong\n", n),
		"mixed":    strings.Repeat("type T {}\nwrong x {\n", n/2),
		"doc":      strings.Repeat("/// doc\n", n),
		"comments": strings.Repeat("// c\n", n),
		"open doc": "type T {\n" + strings.Repeat("/// doc\n", n),
		"rows":     "type T {\n" + strings.Repeat("| 0 | 4 | u32 | x | \"x\"\n", n/6) + "}\n",
		"bad rows": "type T {\n" + strings.Repeat("| 0 | 4 | u32 x | \"x\"\n", n/6) + "}\n",
		"garbage":  strings.Repeat("\xff\x01", n),
		"zero":     strings.Repeat("\x00", n),
		"limit":    "type T { if 1" + strings.Repeat("*1", maxTokens/2-5) + " { } }",
		"deep":     "type T { if " + strings.Repeat("(", maxDepth-1) + "1" + strings.Repeat(")", maxDepth-1) + " { } }",
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Parse("big.oct", []byte(text))
			checkErrors(t, f, err)
			if err == nil {
				Format(f)
			}
		})
	}
}
