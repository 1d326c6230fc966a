package page_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// schemas are by id; each extends the one before.
var schemas = map[string]string{
	"one": `schema "one" !E1 { root V }
union V by kind { | 0 | 4 | u32 | word | { 0..15 kind  rest any } }
arm V 0 int !E2 {
    word { 16 wide = form(value) }
    | 4 | 4 or 8 | by wide { 0 i32, 1 i64 } | value | any
}
arm V 1 list {
    | 4 | 4 | u32 | count = count(items) | "count" !E3
    repeat count as items {
        | P | 1 | u8 | flags | { 0 low  1..7 high }
        | Q | N | T  | t |
    }
    if count != 0 {
        | R | 1 | u8 | last |
    }
}
arm V 2 other { | 4 | 4 | u32 | x | }
type T { | 0 | 1 | u8 | n = len(s) | | 1 | N | utf8[n] | s | }
type Many { | 0 | 1 | u8 | aa | | 1 | 1 | u8 | bb | | 2 | 1 | u8 | cc | | 3 | 1 | u8 | dd | | 4 | 1 | u8 | ee | | 5 | 1 | u8 | ff | | 6 | 1 | u8 | gg | | 7 | 1 | u8 | hh | | 8 | 1 | u8 | ii | }
`,
	"two": `schema "two" extends "one" {}
change V { int number }
replace arm V 2 other { | 4 | 4 | u32 | x | }
`,
	"three": `schema "three" extends "two" !E1 {}
`,
}

func loader(texts map[string]string) page.Loader {
	return func(id string) (*dsl.File, error) {
		text, ok := texts[id]
		if !ok {
			return nil, nil
		}
		return dsl.ParsePage(id+".page", []byte(text))
	}
}

func resolve(t *testing.T, id string) *schema.Schema {
	t.Helper()
	parse := func(id string) (*dsl.File, error) { return dsl.Parse(id+".oct", []byte(schemas[id])) }
	f, err := parse(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, parse)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// marks lists the marks of a page in the form NAME PLACE.
func marks(p *page.Page) string {
	var out []string
	for _, m := range p.About() {
		out = append(out, m.Name)
	}
	for _, b := range p.Schema.Bodies() {
		p.EachMark(&b, func(m *page.Mark, at schema.Node) {
			name := b.Name
			switch at := at.(type) {
			case *schema.Row:
				name += "." + at.Field.Name
			case *schema.Bit:
				name += "." + at.Field.Name
			case *schema.List:
				name += "." + at.Field.Name
			}
			for _, s := range m.Said {
				name += fmt.Sprintf(" %s %q", s.Cell, s.Text)
			}
			if m.Absent {
				name += " absent"
			}
			out = append(out, m.Name+" "+name)
		})
	}
	return strings.Join(out, ", ")
}

var pages = map[string]string{
	"errata": `page "errata" {}
erratum E1 in "the manual" { says "one" engine "two" here "three" }
erratum E2 { says "one" }
erratum E3 { says "one" }
erratum E4 { says "one" }
`,
	"one": `page "one" extends "errata" {
    says "First."
    says "Second."
    !E4 label "max"
}
V.int V.list { !E3 absent }
V.int.wide { !E2 name "big" type "bit" }
V.int.value.1 { caption "In 64 bits:" }
V.list { says "Of the arm." }
V.list.items { caption "A null item:" row | 0 | 1 | u8 | zero | "zero" !E4 caption "Each item:" says "After it." }
V.list.items.flags.high { !E2 }
V.other { !E2 }
V.word.kind { !E1 }
T.s { says "A text." }
`,
	"three": `page "three" { !E2 }
drop E3
V.number.wide { !E4 }
V.list.items { says "Replaced." }
`,
}

// TestLoad binds pages along a history.
func TestLoad(t *testing.T) {
	for _, c := range []struct{ id, says, marks string }{
		{"one", "First. Second.", `E1, E4 label "max", E1 V.kind, ` +
			`E2 int, E3 int absent, E2 int.wide name "big" type "bit", ` +
			`E3 list absent, E3 list.count, E4 list, E2 list.high, E2 other`},
		{"two", "First. Second.", `E1 V.kind, E2 number, E3 number absent, E2 number.wide name "big" type "bit", ` +
			`E3 list absent, E3 list.count, E4 list, E2 list.high`},
		{"three", "First. Second.", `E1, E2, E1 V.kind, E2 number, E2 number.wide name "big" type "bit", E4 number.wide, ` +
			`E4 list, E2 list.high`},
	} {
		p, err := page.Load(resolve(t, c.id), loader(pages))
		if err != nil {
			t.Fatal(err)
		}
		if says := strings.Join(p.Says, " "); says != c.says {
			t.Errorf("%s says %q", c.id, says)
		}
		if got := strings.ReplaceAll(marks(p), `E4, E1 V`, `E4 label "max", E1 V`); got != c.marks {
			t.Errorf("%s marks\n%s\nwant\n%s", c.id, got, c.marks)
		}
		list := p.Schema.Union("V").Arm("list")
		if n := p.Note(list.Pos); strings.Join(n.Says, " ") != "Of the arm." {
			t.Errorf("%s: the arm says %q", c.id, n.Says)
		}
		items := p.Note(list.Body[1].(*schema.List).Pos)
		if len(items.Before) != 3 || items.Before[0].Caption != "A null item:" || items.Before[1].Row.Name != "zero" || items.Before[2].Caption != "Each item:" {
			t.Errorf("%s: before the list %+v", c.id, items.Before)
		}
		if want := map[string]string{"three": "Replaced."}[c.id]; strings.Join(items.Says, " ") != want && (want != "" || items.Says[0] != "After it.") {
			t.Errorf("%s: the list says %q", c.id, items.Says)
		}
		forms := p.Schema.Union("V").Arms[0].Body[1].(*schema.Forms)
		if p.Note(forms.Rows[0].Pos).Before != nil || p.Note(forms.Rows[1].Pos).Before[0].Caption != "In 64 bits:" {
			t.Errorf("%s: the forms have %+v", c.id, p.Note(forms.Rows[0].Pos))
		}
		if err := p.Undeclared().Err(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoPage: a schema without pages has an empty one, and its marks are undeclared.
func TestNoPage(t *testing.T) {
	p, err := page.Load(resolve(t, "one"), loader(nil))
	if err != nil || marks(p) != "" || len(p.Errata) != 0 {
		t.Fatal(err, marks(p))
	}
	got := p.Undeclared().Error()
	for _, want := range []string{"one.oct:1:15: E201: no page declares the erratum E1", "one.oct:3:14", "one.oct:8:53", "declare it in a page"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	if p, err := page.Load(resolve(t, "three"), loader(pages)); err != nil || p.Undeclared() != nil {
		t.Error("an erratum that is declared", err, p.Undeclared())
	}
	var none *page.Page
	none.EachMark(&schema.Body{}, func(*page.Mark, schema.Node) { t.Error("a mark of no page") })
	if none.About() != nil || none.Erratum("E1") != nil || none.Note(dsl.Pos{}) == nil {
		t.Error("a nil page has no parts")
	}
}

// TestMistakes reports a mistake with its place and what to do.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: E205: the file declares no page`},
		{`page "two" {}`, `1:6: E205: the page is of "two", and beside the schema "one"`},
		{"page \"one\" {}\npage \"one\" {}", `2:1: E205: a file declares one page`},
		{`page "one" extends "none" {}`, `1:20: E203: page "none" cannot be found`},
		{`page "one" extends "circle" {}`, `page "circle" extends itself`},
		{`page "one" extends "noted" {}`, `page "noted" has notes about a schema that this one does not extend`},
		{`page "one" { !E1 }`, `1:15: E201: there is no erratum E1`},
		{"page \"one\" {}\nerratum E10 {}\nV.int { !E1 }", `did you mean E10?`},
		{"page \"one\" {}\nerratum E1 {}\nerratum E1 {}", `3:9: E202: erratum E1 is declared already, at one.page:2`},
		{"page \"one\" {}\nerratum E1 {}\ndrop E1 E2\n", `3:9: E201: there is no erratum E2`},
		{"page \"one\" {}\nerratum E1 {}\ndrop E1\nV.int { !E1 }", `the page drops it`},
		{"page \"one\" {}\nW.int {}", `2:1: E201: there is no type or union W`},
		{"page \"one\" {}\nV.itn {}", `did you mean int?`},
		{"page \"one\" {}\nV.int.valeu {}", "2:7: E201: int has no row, list or bits valeu\n    V.int.valeu {}\n          ^~~~~\n    hint: did you mean value?"},
		{"page \"one\" {}\nV.list.items.count {}", `there is flags, t`},
		{"page \"one\" {}\nV.list.items.flags.t {}", `flags has no row, list or bits t`},
		{"page \"one\" {}\nV.int.value.2 {}", `2:13: E201: value has no form 2`},
		{"page \"one\" {}\nV.list.count.0 {}", `count has no form 0`},
		{"page \"one\" {}\nV.int { caption \"x\" }", `2:9: E204: caption means nothing for an arm`},
		{"page \"one\" { caption \"x\" }", `caption means nothing for a page as a whole`},
		{"page \"one\" {}\nV.int.wide { row | 0 | 1 | u8 | x | }", `row means nothing for bits`},
		{"page \"one\" {}\nV.list.count { row | 0 | 1 | u9 | x | }", `there is no scalar, encoding or union u9`},
		{"page \"one\" {}\nV.list.count { row | 0 | 1 | by n { 0 u8, 1 u16 } | x | }", `2:30: E204: a row of a document has one type`},
		{"page \"one\" {}\nMany.item {}", `a path names a type or a union, then an arm, rows, lists and bits inside it`},
		{`page "one" extends "broken" {}`, `broken.page:1:4: E101`},
		{"page \"one\" {}\nV.list.count { row | 0 | 1 | u8 | x | pad 4 }", `a row of a document has marks of errata and no other rules`},
	} {
		texts := map[string]string{"one": c.text, "circle": `page "circle" extends "circle" {}`, "noted": "page \"noted\" {}\nV {}", "broken": "pge"}
		_, err := page.Load(resolve(t, "one"), loader(texts))
		var diags dsl.Diagnostics
		if !errors.As(err, &diags) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngives %v\nwant %s", c.text, err, c.want)
		}
	}
	if _, err := page.Load(resolve(t, "one"), func(string) (*dsl.File, error) { return nil, os.ErrPermission }); !errors.Is(err, os.ErrPermission) {
		t.Errorf("an error of the loader: %v", err)
	}
}

// TestLibrary binds a page without a schema.
func TestLibrary(t *testing.T) {
	f, err := loader(pages)("errata")
	if err != nil {
		t.Fatal(err)
	}
	if p, err := page.Library(f, loader(pages)); err != nil || len(p.Errata) != 4 || p.Erratum("E1").Engine != "two" {
		t.Errorf("%v, %v", p, err)
	}
	f, _ = dsl.ParsePage("x.page", []byte("page \"x\" {}\nV.int {}"))
	if _, err := page.Library(f, loader(nil)); err == nil || !strings.Contains(err.Error(), "2:1: E205: there is no schema beside the page") {
		t.Errorf("notes without a schema: %v", err)
	}
}

// TestBeside finds pages in the folder of a schema, and then those of octable.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.oct")
	f, err := dsl.Parse(file, []byte(schemas["one"]))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine.page"), []byte(`page "one" extends "errata" { says "Mine." }`), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := page.Load(s, page.Beside(s))
	if err != nil || strings.Join(p.Says, "") != "Mine." || p.Erratum("E80") == nil {
		t.Errorf("the page beside the schema: %+v, %v", p, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "errata.page"), []byte(`page "errata" {}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if p, err := page.Load(s, page.Beside(s)); err != nil || len(p.Errata) != 0 {
		t.Errorf("another page in the folder: %+v, %v", p, err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "errata.page")), os.Mkdir(filepath.Join(dir, "errata.page"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if p, err := page.Load(s, page.Beside(s)); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder in place of a page: %+v, %v", p, err)
	}
}

// TestBrokenBase: a page without a schema that extends a page with mistakes has their error.
func TestBrokenBase(t *testing.T) {
	f, err := dsl.ParsePage("library.page", []byte(`page "library" extends "broken" {}`))
	if err != nil {
		t.Fatal(err)
	}
	var diags dsl.Diagnostics
	if _, err := page.Library(f, loader(map[string]string{"broken": "pge"})); !errors.As(err, &diags) || diags[0].Pos.Filename != "broken.page" {
		t.Errorf("a base with mistakes: %v", err)
	}
}

// TestRows binds rows of a document that are of each sort of type. It also binds a page that extends the page of the
// schema before.
func TestRows(t *testing.T) {
	parse := func(id string) (*dsl.File, error) { return dsl.Parse(id+".oct", []byte(sorts[id])) }
	f, err := parse("sorts")
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, parse)
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Load(s, loader(sortPages))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range p.Note(s.Record("T").Body[0].(*schema.Row).Pos).Before {
		r := b.Row
		text := fmt.Sprintf("%s at %q: %d %v", r.Name, r.Offset, r.Type.Form, r.Type.Scalar)
		if r.Type.Coding != builtin.Fixed {
			text += fmt.Sprint(" ", r.Type.Coding)
		}
		if r.Type.Union != nil {
			text += " " + r.Type.Union.Name
		}
		got = append(got, text)
	}
	want := []string{
		fmt.Sprintf(`a at "": %d u8`, schema.Number),
		fmt.Sprintf(`b at "0": %d u8`, schema.Truth),
		fmt.Sprintf(`c at "0": %d none`, schema.Text),
		fmt.Sprintf(`d at "0": %d u16 decimal[3]`, schema.Number),
		fmt.Sprintf(`e at "0": %d u8 decimal`, schema.Number),
		fmt.Sprintf(`f at "0": %d u8 decimal`, schema.Number),
		fmt.Sprintf(`g at "0": %d u16`, schema.Array),
		fmt.Sprintf(`h at "0": %d none U`, schema.OfUnion),
		fmt.Sprintf(`i at "0": %d none`, schema.Text),
		fmt.Sprintf(`j at "0": %d f32`, schema.Number),
		fmt.Sprintf(`k at "0": %d i64 sdecimal[until "0d0a"]`, schema.Number),
		fmt.Sprintf(`l at "0": %d u8 hex`, schema.Number),
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("rows\n%s\nwant\n%s", a, b)
	}
	if len(p.Says) != 1 || p.Says[0] != "Of the first." {
		t.Errorf("the page says %q", p.Says)
	}
}

var sorts = map[string]string{
	"first": `schema "first" { root T
    option real { single f32, double f64 }
}
encoding old { latin1 }
union U by t { | 0 | 1 | u8 | t | }
arm U 0 zero {}
type T { | 0 | 1 | u8 | n | }
`,
	"sorts": `schema "sorts" extends "first" {}
`,
}

var sortPages = map[string]string{
	"first": `page "first" { says "Of the first." }
`,
	"sorts": `page "sorts" extends "first" {}
T.n {
    row | @ | 1 | u8 | a |
    row | 0 | 1 | bool8 | b |
    row | 0 | 3 | utf8[3] | c |
    row | 0 | 3 | decimal[3] | d |
    row | 0 | 3 | decimal[40] | e |
    row | 0 | n | decimal[n] | f |
    row | 0 | 4 | u16[2] | g |
    row | 0 | n | U | h |
    row | 0 | n | old[n] | i |
    row | 0 | 4 | real | j |
    row | 0 | n | sdecimal[until "0d 0a"] | k |
    row | 0 | n | hex[until "66"] | l |
}
`,
}
