package dsl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// TestParseTime reads texts that are large, or made to be slow.
func TestParseTime(t *testing.T) {
	const n = 20000
	for name, text := range map[string]string{
		"or":       "const a = 1" + strings.Repeat(" || 1", n),
		"and":      "const a = 1" + strings.Repeat("+1", n),
		"minus":    "const a = " + strings.Repeat("-", n) + "1",
		"not":      "const a = " + strings.Repeat("! ", n) + "1",
		"number":   "const a = " + strings.Repeat("1", 10*n),
		"name":     "const " + strings.Repeat("a", 10*n) + " = 1",
		"open":     "const a = " + strings.Repeat("(", n),
		"closed":   "const a = " + strings.Repeat(")", n),
		"quote":    "const a = " + strings.Repeat(`"\`, n),
		"apos":     "const a = " + strings.Repeat(`'`, n),
		"text":     `schema "` + strings.Repeat(`a`, 10*n) + `" {}`,
		"list":     `arm A 1 B { example "" is A([1` + strings.Repeat(",1", n) + `]) }`,
		"names":    "remove arm" + strings.Repeat(" a", n),
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
		"limit":    "const a = 1" + strings.Repeat("*1", maxTokens/2-2),
		"deep":     "const a = " + strings.Repeat("(", maxDepth) + "1" + strings.Repeat(")", maxDepth),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			f, err := Parse("big.oct", []byte(text))
			checkErrors(t, f, err)
			if err == nil {
				Format(f)
			}
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("%d bytes took %v", len(text), d)
			} else {
				t.Logf("%d bytes: %v", len(text), d)
			}
		})
	}
}
