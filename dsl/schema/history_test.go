package schema

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/octable/octable/dsl"
)

// files resolves the schema "top" of some files by id.
func files(t *testing.T, texts map[string]string) (*Schema, error) {
	t.Helper()
	load := func(id string) (*dsl.File, error) {
		text, ok := texts[id]
		if !ok {
			return nil, fmt.Errorf("there is no %s", id)
		}
		return dsl.Parse(id+".oct", []byte(text))
	}
	f, err := load("top")
	if err != nil {
		t.Fatal(err)
	}
	return Resolve(f, load)
}

const base = `schema "base" {
    title "Base"
    order big
    root  V
    depth DEEP * 2
    gate  g
    says  "of the base"
    erratum E1
}
const DEEP = 16
erratum E1 { says "one" }
encoding text { utf8 strict }
type T { | 0 | 4 | u32 | x | }
/// All values.
union V by type { | 0 | 4 | u32 | type | }
/// Nothing.
arm V 0 null "nil" { example "00000000" is null }
arm V 1 a { | 4 | 4 | u32 | x | }
arm V 2 b "bee" { | 4 | 4 | u32 | y | !E1 }
`

func arms(s *Schema) string {
	var out []string
	for _, a := range s.Union("V").Arms {
		out = append(out, fmt.Sprintf("%s %s %q %d", a.IDText(), a.Name, a.Label, len(a.items)))
	}
	return strings.Join(out, ", ")
}

// What a schema changes shows in it, and not in the one that it extends.
func TestChanges(t *testing.T) {
	s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" {
    order little
    says  "of the top"
}
rename V { a first "A" }
renumber V { first 2 b 1 }
/// Another null.
replace arm V 0 null { | 4 | 4 | u32 | zero | | 8 | 4 | u32 | more | }
extend arm V first b { says "x" }
arm V 3 c {}
remove type T
replace erratum E1 { says "other" }
replace encoding text { utf8 loose }
const WIDE = DEEP + 1
`})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := arms(s), `0 null "nil" 2, 2 first "A" 2, 1 b "bee" 2, 3 c "" 0`; got != want {
		t.Errorf("arms %s, want %s", got, want)
	}
	if got, want := arms(s.Base()), `0 null "nil" 1, 1 a "" 1, 2 b "bee" 1`; got != want {
		t.Errorf("arms of the base %s, want %s", got, want)
	}
	if s.Big || !s.Base().Big || s.Title != "Base" || s.Root.Union != s.Union("V") || s.Depth != 32 || s.Gate("g").Index != 0 || s.Gate("h") != nil {
		t.Errorf("properties: %+v", s)
	}
	if len(s.Facts) != 1 || s.Facts[0] != "of the top" || len(s.Mentions) != 0 || len(s.Base().Mentions) != 1 {
		t.Errorf("says %v, errata %v", s.Facts, s.Mentions)
	}
	if s.Record("T") != nil || s.Base().Record("T") == nil || s.Erratum("E1").Says != "other" || s.Base().Erratum("E1").Says != "one" || s.Encoding("text").UTF8 != UTF8Loose {
		t.Error("a change is missing, or shows in the base")
	}
	if len(s.Consts) != 2 || s.Consts[1].Name != "WIDE" || s.Consts[1].Value != 17 || len(s.Base().Consts) != 1 {
		t.Errorf("constants %v, in the base %v", s.Consts, s.Base().Consts)
	}
	if was := []string{s.Union("V").Arm("first").Was, s.Union("V").Arm("null").Was, s.Union("V").Arm("c").Was}; was[0] != "a" || was[1] != "null" || was[2] != "" {
		t.Errorf("names in the base: %q", was)
	}
	if doc := s.Union("V").Arm("null").Doc; len(doc) != 1 || !strings.Contains(doc[0], "Another") {
		t.Errorf("doc %q", doc)
	}
	var line []string
	for _, one := range s.Lineage() {
		line = append(line, one.ID)
	}
	if got := strings.Join(line, " "); got != "base top" || s.Line("base.oct", 2) != `title "Base"` || s.Line("other.oct", 1) != "" {
		t.Errorf("lineage %s, line %q", got, s.Line("base.oct", 2))
	}
	if a := s.Union("V").ByID(2); a == nil || a.Name != "first" || s.Union("V").ByID(9) != nil {
		t.Errorf("arm 2 is %v", a)
	}
}

// Arms may change their places with each other, as long as each has its own in the end.
func TestExchange(t *testing.T) {
	for _, lines := range []string{"a c b a c b", "a b b a", "b a a b"} {
		s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" {}
renumber V { a 2 b 1 }
rename V { ` + lines + ` }
`})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := arms(s), `0 null "nil" 1, 2 b "" 1, 1 a "bee" 1`; got != want {
			t.Errorf("rename V { %s }: arms %s, want %s", lines, got, want)
		}
	}
}

// No schema is returned if there are mistakes.
func TestMistakes(t *testing.T) {
	s, err := files(t, map[string]string{"top": `schema "top" extends "nothing" { root T }
type T { | 0 | 4 | u32 | x | }
const A = B
`})
	var ds dsl.Diagnostics
	if !errors.As(err, &ds) || len(ds) != 2 || ds[0].Code != dsl.CodeExtends || ds[1].Code != dsl.CodeUnknown || s != nil {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := files(t, map[string]string{"top": `type T {}`}); s != nil || err == nil {
		t.Errorf("%v, %v", s, err)
	}
}

// A long line of schemas is fine, an endless one is an error.
func TestLineage(t *testing.T) {
	texts := map[string]string{"top": `schema "top" extends "s0" {}`}
	for i := range 50 {
		texts[fmt.Sprint("s", i)] = fmt.Sprintf(`schema "s%d" extends "s%d" {}`, i, i+1)
	}
	texts["s50"] = base
	if s, err := files(t, texts); err != nil || len(s.Lineage()) != 52 {
		t.Errorf("%v", err)
	}
	for i := range 200 {
		texts[fmt.Sprint("s", i)] = fmt.Sprintf(`schema "s%d" extends "s%d" {}`, i, i+1)
	}
	if _, err := files(t, texts); err == nil || !strings.Contains(err.Error(), "more than 64 schemas") {
		t.Errorf("%v", err)
	}
	// A file that declares another name than the one it was loaded by.
	if _, err := files(t, map[string]string{"top": `schema "top" extends "x" {}`, "x": `schema "y" extends "x" {}`}); err == nil {
		t.Error("a schema that extends itself under another name is accepted")
	}
}

func TestConstants(t *testing.T) {
	for text, want := range map[string]int64{
		"1 + 2 * 3":             7,
		"(1 + 2) * 3":           9,
		"-1":                    -1,
		"0x10 - 007":            9,
		"1_000":                 1000,
		"7 / 2 + 7 % 4":         6,
		"1 / 0":                 0,
		"1 << 4 | 1":            0, // no operator
		"0xff & 0x3c":           0x3c,
		"5 ^ 1":                 4,
		"3 > 2 && 2 >= 2":       1,
		"1 == 2 || !1":          0,
		"18446744073709551615":  -1,
		"'RIFF'":                0x46464952,
		"1 << 64":               1,
		"0xffffffffffffffff>>1": 1<<63 - 1,
	} {
		f, err := dsl.Parse("c.oct", []byte("schema \"c\" {}\nconst C = "+text+"\nconst D = C"))
		if err != nil {
			continue
		}
		s, err := Resolve(f, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := s.Consts[1].Value; got != want {
			t.Errorf("%s is %d; want %d", text, got, want)
		}
	}
}

// A schema may be used from several goroutines, also for the first time.
func TestConcurrently(t *testing.T) {
	s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" {}`})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if one, err := s.With(""); err != nil || one.Base() == nil || one.Base().Union("V") == nil || len(one.Lineage()) != 2 {
				t.Error(one, err)
			}
		})
	}
	wg.Wait()
}

func TestCodeID(t *testing.T) {
	if codeID("'RIFF'") != 0x46464952 || codeID("'a'") != 0x61 {
		t.Error("the first letter is the lowest byte")
	}
}
