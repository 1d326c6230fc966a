package schema

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
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

const base = `schema "base" !E1 {
    title "Base"
    order big
    root  V
    depth 32
    gate  g
}
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

// TestChanges checks that a change has an effect in the schema that declares it. It has none in the schema that this
// one extends.
func TestChanges(t *testing.T) {
	s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" {
    order little
}
change V { a first 2 "A" b 1 }
/// Another null.
replace arm V 0 null { | 4 | 4 | u32 | zero | | 8 | 4 | u32 | more | }
extend V.first V.b !E2 { requires g }
arm V 3 c {}
drop T
replace encoding text { utf8 loose }
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
	if b := s.Union("V").Arm("b"); len(s.Mentions) != 0 || len(s.Base().Mentions) != 1 || len(b.Mentions) != 1 || b.Mentions[0].Name != "E2" {
		t.Errorf("errata %v, of an arm %v", s.Mentions, b.Mentions)
	}
	if s.Record("T") != nil || s.Base().Record("T") == nil || s.Encoding("text").Charset != builtin.UTF8Loose {
		t.Error("a change is missing, or shows in the base")
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
	for _, lines := range []string{"a b 2 b a 1", "b a 1 a b 2"} {
		s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" {}
change V { ` + lines + ` }
`})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := arms(s), `0 null "nil" 1, 2 b "" 1, 1 a "bee" 1`; got != want {
			t.Errorf("change V { %s }: arms %s, want %s", lines, got, want)
		}
	}
}

// Rows, lists and bits of a block take the place of those with their names.
func TestMerge(t *testing.T) {
	const old = `schema "base" { root T }
type T {
    | 0 | 1 | u8 | flags | {
        0     a
        1     b
        rest  any
    }
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list {
        | 2+i*2 | 1 | u8 | x | check x != 0
        | 3+i*2 | 1 | u8 | y | check y != 0
    }
    if a {
        | P | 1 | u8 | in |
    } else {
        | P | 1 | u8 | out |
    }
    example one "0000 00" is {a: false, b: false, list: [], out: 0}
    example two "0000 00" is {a: false, b: false, list: [], out: 0}
}
`
	for changes, want := range map[string]string{
		`extend T { | P | 2 | u16 | in | }`:                                       `flags{0 1 rest} n list{x y} if{in:u16} else{out:u8}`,
		`extend T { | Q | 1 | u8 | z | }`:                                         `flags{0 1 rest} n list{x y} if{in:u8} else{out:u8} z`,
		`extend T { | 1 | 1 | u8 | z | | 2 | 1 | u8 | n = count(list) | }`:        `flags{0 1 rest} z n list{x y} if{in:u8} else{out:u8}`,
		`extend T { flags { 1..2 b 3 c } }`:                                       `flags{0 1 3 rest} n list{x y} if{in:u8} else{out:u8}`,
		`extend T.list { | 2+i*2 | 1 | u8 | z | | 3+i*2 | 1 | u8 | y | }`:         `flags{0 1 rest} n list{x z y} if{in:u8} else{out:u8}`,
		`drop T.b T.list.x T.in T.two`:                                            `flags{0 rest} n list{y} if{} else{out:u8}`,
		`drop T.in T.out`:                                                         `flags{0 1 rest} n list{x y}`,
		`extend T { if b { | P | 1 | u8 | out | } else { | P | 1 | u8 | in | } }`: `flags{0 1 rest} n list{x y} if{out:u8} else{in:u8}`,
		`extend T { repeat n as list { | 2+i | 1 | u8 | z | } }`:                  `flags{0 1 rest} n list{z} if{in:u8} else{out:u8}`,
	} {
		f, err := dsl.Parse("top.oct", []byte("schema \"top\" extends \"base\" {}\n"+changes+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		r := &resolver{files: map[string]*dsl.File{}, load: func(string) (*dsl.File, error) { return dsl.Parse("base.oct", []byte(old)) }}
		src := r.file(f, nil)
		if len(r.diags) > 0 {
			t.Errorf("%s: %v", changes, r.diags)
			continue
		}
		if got := shape(src.Type("T").Items); got != want {
			t.Errorf("%s: %s, want %s", changes, got, want)
		}
		if got := shape(src.Base.Type("T").Items); got != `flags{0 1 rest} n list{x y} if{in:u8} else{out:u8}` {
			t.Errorf("%s changes the extended schema: %s", changes, got)
		}
	}
}

// shape prints names of items.
func shape(items []*dsl.Item) string {
	var out []string
	for _, i := range items {
		switch {
		case i.Row != nil && len(i.Row.Bits) > 0:
			var bits []string
			for _, b := range i.Row.Bits {
				if b.Rest {
					bits = append(bits, "rest")
				} else {
					bits = append(bits, b.Lo.Text)
				}
			}
			out = append(out, i.Row.Name.Text+"{"+strings.Join(bits, " ")+"}")
		case i.Row != nil && (i.Row.Name.Text == "in" || i.Row.Name.Text == "out"):
			out = append(out, i.Row.Name.Text+":"+i.Row.Type.Name.Text)
		case i.Row != nil:
			out = append(out, i.Row.Name.Text)
		case i.Repeat != nil:
			out = append(out, i.Repeat.Name.Text+"{"+shape(i.Repeat.Items)+"}")
		case i.If != nil:
			out = append(out, "if{"+shape(i.If.Then)+"} else{"+shape(i.If.Else)+"}")
		}
	}
	return strings.Join(out, " ")
}

// A dropped arm refuses its number until another arm has it or its name.
func TestDroppedArm(t *testing.T) {
	texts := map[string]string{"base": base, "mid": `schema "mid" extends "base" {}
drop V.a V.b T
`}
	texts["base"] = strings.Replace(base, "y | !E1 }", "y | !E1 example \"00000002 00000001\" is b(1) }", 1)
	for changes, want := range map[string]string{
		``:                                  `0 null "nil" 1, 1 a "" 1, 2 b "bee" 1`,
		`arm V 2 c { | 4 | 2 | u16 | x | }`: `0 null "nil" 1, 2 c "" 1, 1 a "" 1`,
		`arm V 1 b { | 4 | 2 | u16 | x | }`: `0 null "nil" 1, 1 b "" 1`,
		`arm V else c {}`:                   ``,
	} {
		texts["top"] = "schema \"top\" extends \"mid\" {}\n" + changes + "\n"
		s, err := files(t, texts)
		if want == "" {
			if err == nil || strings.Contains(err.Error(), "no arm for") {
				t.Errorf("%s: %v", changes, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := arms(s); got != want {
			t.Errorf("%s: arms %s, want %s", changes, got, want)
		}
		if a := s.Union("V").Arm("a"); a != nil {
			refuse, ok := a.Body[0].(*Refuse)
			if !ok || refuse.Reason != "mid has no a" || len(a.Examples) > 0 || refuse.Pos.Filename != "mid.oct" {
				t.Errorf("%s: %+v", changes, a.Body[0])
			}
		}
	}
}

// A dropped arm of several numbers refuses those that no other arm has.
func TestDroppedRanges(t *testing.T) {
	texts := map[string]string{
		"base": `schema "base" { root V order little }
union V by n { | 0 | 1 | u8 | n | }
arm V 0, 3..9 a { n { 0..3 low } }
arm V 1..2 b { n { 0..1 low } }
`,
		"mid": `schema "mid" extends "base" {}
drop V.a
`,
		"top": `schema "top" extends "mid" {}
arm V 4 c {}
arm V 6..11 d { n { 0..3 low } }
`,
	}
	s, err := files(t, texts)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := arms(s), `1..2 b "" 1, 4 c "" 0, 6..11 d "" 1, 0, 3, 5 a "" 1`; got != want {
		t.Errorf("arms %s, want %s", got, want)
	}
}

// A schema with another root has the examples of types that its root does not contain.
func TestExamplesOfOtherRoots(t *testing.T) {
	s, err := files(t, map[string]string{"base": base, "top": `schema "top" extends "base" { root Pair }
type Pair { | 0 | 4 | u32 | n | | 4 | N | V | v | }
`})
	if err != nil {
		t.Fatal(err)
	}
	if e := s.Union("V").Arm("null").Examples; len(e) != 1 || e[0].From != "base" {
		t.Errorf("%v", e)
	}
	if all := s.Packets(); len(all) != 0 {
		t.Errorf("packets of Pair % x", all)
	}
}

// No schema is returned if there are mistakes.
func TestMistakes(t *testing.T) {
	s, err := files(t, map[string]string{"top": `schema "top" extends "nothing" { root T }
type T {}
type T {}
`})
	var ds dsl.Diagnostics
	if !errors.As(err, &ds) || len(ds) != 2 || ds[0].Code != dsl.CodeExtends || ds[1].Code != dsl.CodeTwice || s != nil {
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
		f, err := dsl.Parse("c.oct", []byte("type T { | 0 | 8 | u64 | c = "+text+" | }"))
		if err != nil {
			continue
		}
		got, ok := fold(f.Decls[0].Type.Items[0].Row.Value).constant()
		if !ok {
			t.Errorf("%s is not constant", text)
			continue
		}
		if got != want {
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

// TestManyImports checks that the number of imports is bounded, also of those through others. So
// is the length of a chain of them.
func TestManyImports(t *testing.T) {
	text := func(id string, imports ...string) string {
		out := fmt.Sprintf("schema %q {\n    root T\n}\n\ntype T {\n    | 0 | 1 | u8 | n |\n}\n", id)
		for i, other := range imports {
			out += fmt.Sprintf("import %q as i%d\n", other, i)
		}
		return out
	}
	load := func(id string) (*dsl.File, error) {
		var k, n int
		if _, err := fmt.Sscanf(id, "chain%d", &n); err == nil {
			return dsl.Parse(id+".oct", []byte(text(id, fmt.Sprint("chain", n+1))))
		}
		if _, err := fmt.Sscanf(id, "tree%d_%d", &k, &n); err != nil || k == 0 {
			return dsl.Parse(id+".oct", []byte(text(id)))
		}
		return dsl.Parse(id+".oct", []byte(text(id, fmt.Sprintf("tree%d_%d", k-1, 2*n), fmt.Sprintf("tree%d_%d", k-1, 2*n+1))))
	}
	for top, want := range map[string]string{
		text("x", "chain0"):                        "more than 64 schemas import one another",
		text("x", "tree4_0", "tree4_1"):            "",
		text("x", "tree4_0", "tree4_1", "tree1_0"): "x.oct:10:8: E206: the schema has 65 imports with those of the schemas that it imports; at most 64 are allowed",
	} {
		if got := diagnose(t, "x.oct", []byte(top), load); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s\nis refused with %s, not %s", top, got, want)
		}
	}
}
