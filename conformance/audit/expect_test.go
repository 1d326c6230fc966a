package audit

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// documented are the schemas that follow a page, with the rows of their pages.
var documented = []struct {
	id            string
	fields, types int
}{
	{"godot-3.2-doc", 88, 28},
	{"godot-3-doc", 90, 28},
	{"pandemonium-doc", 90, 28},
	{"godot-4-doc", 102, 30},
}

func expectationOf(t testing.TB, id string) *Expectation {
	t.Helper()
	s, err := compile.Load(id)
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Load(s, page.Embedded)
	if err != nil {
		t.Fatal(err)
	}
	e, err := FromPage(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestFromPage checks that every documented schema has as many rows as its page. A page with the same content
// as the schema agrees with it in every form.
func TestFromPage(t *testing.T) {
	for _, d := range documented {
		e := expectationOf(t, d.id)
		if got := countRows(e); got != d.fields || len(e.Types) != d.types {
			t.Errorf("%s: %d field rows and %d type rows, want %d and %d", d.id, got, len(e.Types), d.fields, d.types)
		}
		for _, f := range forms {
			fields := d.fields
			if strings.Contains(f.name, "no titles") {
				if e.Sections[1].Absent == "" {
					continue // this page always has its titles
				}
				fields = countRows(withoutAbsent(e))
			}
			r := audit(t, f.render(e), e)
			if !r.OK() {
				t.Errorf("%s, %s:\n%s", d.id, f.name, rendering(r))
			}
			if r.Fields.Accounted != fields || r.Types.Accounted != d.types {
				t.Errorf("%s, %s: %d field rows and %d type rows accounted for, want %d and %d", d.id, f.name, r.Fields.Accounted, r.Types.Accounted, fields, d.types)
			}
		}
		if r := audit(t, string(RenderRST(e.Corrected())), e.Corrected()); !r.OK() {
			t.Errorf("%s, corrected: %s", d.id, rendering(r))
		}
	}
}

// Each number of a page made from a schema is noticed when it changes.
func TestFromSchemaEveryNumber(t *testing.T) {
	for _, d := range documented {
		t.Run(d.id, func(t *testing.T) {
			t.Parallel()
			e := expectationOf(t, d.id)
			text := string(RenderRST(e))
			for n, m := range digitRun.FindAllStringIndex(text, -1) {
				if n%long.Number(12, 1) != 0 {
					continue
				}
				old := text[m[0]:m[1]]
				other := "0" + old
				if v, err := strconv.Atoi(old); err == nil {
					other = fmt.Sprint(v + 4)
				}
				line := 1 + strings.Count(text[:m[0]], "\n")
				r := audit(t, text[:m[0]]+other+text[m[1]:], e)
				if !slices.ContainsFunc(r.Failures(), func(f Entry) bool { return f.Line == line }) {
					t.Errorf("line %d: %s for %s is not noticed there: %s", line, other, old, rendering(r))
				}
			}
		})
	}
}

// No page of one schema passes for that of another.
func TestFromSchemaTellsApart(t *testing.T) {
	for _, d := range documented {
		for _, other := range documented {
			same := d.id == other.id || d.id == "godot-3-doc" && other.id == "pandemonium-doc" || d.id == "pandemonium-doc" && other.id == "godot-3-doc"
			r := audit(t, string(RenderRST(expectationOf(t, d.id))), expectationOf(t, other.id))
			if r.OK() != same {
				t.Errorf("the page of %s against %s: ok is %v", d.id, other.id, r.OK())
			}
		}
	}
}

// resolve returns the schema in a text, which may extend small, with a page.
func resolve(t *testing.T, text, about string) *page.Page {
	t.Helper()
	f, err := dsl.Parse("test.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, func(string) (*dsl.File, error) { return dsl.Parse("small.oct", []byte(small)) })
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.Load(s, func(id string) (*dsl.File, error) {
		switch id {
		case s.ID:
			return dsl.ParsePage("test.page", []byte(about))
		case "small":
			return dsl.ParsePage("small.page", []byte(smallPage))
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const small = `schema "small" {
    order little
    root V
    option real { single f32 double f64 }
}

encoding text { utf8 strict }
type string {
    | 0 | 4 | u32 | length = len(text) | "length"
    | 4 | N | text[length] | text | "text" pad 4 any
}
union V by type {
    | 0 | 4 | u32 | type |
}
arm V 1 two "second" {
    | 4 | 4 | u32 | kind = count(list) | "kind"
    repeat kind as list {
        | X | L | string | name | "a name"
        | X+L-(4-4) | 4*2 | i64 | id |
        | P | 4 | real | x | "X"
        | Q | 1 | bool8 | flag |
        | R | 1 | u8 | byte | "byte"
        | S | 4 | u8[4] | bytes |
        | T | A | V | value | "a value"
        | U | 4 | V.id | sort |
    }
    | Y | 4 | u32 | more = count(values) |
    repeat more as values { | P | N | V | value | "in this same format" }
}
arm V 0 one {
}
`

const smallPage = `page "small" {
    says "Padded to 4 bytes."
    !E2 label "max"
}
erratum E1 { says "one thing" }
erratum E2 { says "another" }
V.two { !E1 absent !E1 name "Two (unsupported)" label "zwei" says "Of the section: 7." }
V.two.kind { !E1 offset "8" description "sort" }
V.two.list {
    caption "A null list:"
    row | 4 | 4 | i32 | zero | "zero" !E1
    caption "For each of them:"
    says "Of the table: 9."
}
V.two.list.x { !E1 absent }
`

func TestFromPageItems(t *testing.T) {
	e, err := FromPage(resolve(t, small, smallPage))
	if err != nil {
		t.Fatal(err)
	}
	row := func(line int, offset, length, class, name, description string) WantRow {
		return WantRow{Offset: offset, Length: length, Type: class, Name: name, Description: description, Pos: fmt.Sprintf("test.oct:%d", line)}
	}
	head := row(16, "4", "4", "Integer", "kind", "kind")
	head.Said = []Said{said("E1", "offset", "8"), said("E1", "description", "sort")}
	x := row(20, "P", "4", "Float", "x", "X")
	x.Absent = "E1"
	zero := row(0, "4", "4", "Integer", "zero", "zero")
	zero.Pos = "test.page:11"
	want := &Expectation{
		Schema: "small", Facts: []string{"Padded to 4 bytes."},
		Types: []WantType{
			{ID: 0, Name: "one", Pos: "test.oct:30"},
			{ID: 1, Name: "two", Labels: []string{"second"}, Pos: "test.oct:15", Said: []Said{said("E1", "label", "zwei")}},
			{ID: 2, Name: "max", Pos: "test.page:3", Said: []Said{said("E2", "label", "max")}},
		},
		Sections: []WantSection{
			{ID: 0, Title: "one", Pos: "test.oct:30"},
			{ID: 1, Title: "two", Pos: "test.oct:15", Said: []Said{said("E1", "title", "Two (unsupported)")}, Absent: "E1",
				Facts: []string{"Of the section: 7."},
				Subtables: []WantTable{
					{Rows: []WantRow{head}},
					{Caption: "A null list:", Rows: []WantRow{zero}},
					{Caption: "For each of them:", Facts: []string{"Of the table: 9."}, Rows: []WantRow{
						row(9, "X+0", "4", "Integer", "length", "length"),
						row(10, "X+4", "N", "Bytes", "text", "text"),
						row(19, "X+L-(4-4)", "4*2", "Integer", "id", ""),
						x,
						row(21, "Q", "1", "Integer", "flag", ""),
						row(22, "R", "1", "Byte", "byte", "byte"),
						row(23, "S", "4", "Bytes", "bytes", ""),
						row(24, "T", "A", "<variable>", "value", "a value"),
						row(25, "U", "4", "Integer", "sort", ""),
						row(27, "Y", "4", "Integer", "more", ""),
					}},
				}},
		},
	}
	if got, want := fmt.Sprintf("%+v", e), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// An erratum that the page drops counts nowhere.
	e, err = FromPage(resolve(t, `schema "later" extends "small" {}`, `page "later" {}
drop E1 E2`))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", e); len(e.Types) != 2 || regexp.MustCompile(`E[12]\b`).MatchString(text) {
		t.Errorf("errata are left: %s", text)
	}
}

func TestFromPageErrors(t *testing.T) {
	change := func(old, new string) *page.Page {
		text := strings.Replace(small, old, new, 1)
		if text == small {
			t.Fatalf("%q does not occur", old)
		}
		return resolve(t, text, smallPage)
	}
	for _, c := range []struct {
		p    *page.Page
		want string
	}{
		{nil, "there is no schema"},
		{resolve(t, `schema "huge" { root V }
union V by type { | 0 | 8 | u64 | type | }
arm V 0xffffffffff0 huge {}`, `page "huge" {}`), `test.oct:3: huge of schema "huge" has the number 0xffffffffff0, which no table of type ids has`},
		{change("| P | 4 |", "| P1 | 4 |"), `test.oct:20: the offset "P1" of the row x`},
	} {
		e, err := FromPage(c.p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v; want %q", e, err, c.want)
		}
	}
}

// TestFromPageAny takes schemas of other formats. They are turned down or turned
// into an expectation, but do no harm. Records may even hold themselves.
func TestFromPageAny(t *testing.T) {
	for _, id := range []string{"godot-2", "godot-3", "godot-4.4", "pandemonium-5"} {
		if e := expectationOf(t, id); countRows(e) < 80 || !audit(t, string(RenderRST(e)), e).OK() {
			t.Errorf("%s: %d rows", id, countRows(e))
		}
	}
	p := resolve(t, `schema "loop" { root V }
type T { | 0 | 1 | u8 | n = count(list) |
 repeat n as list { | X | N | T | again | } }
union V by type { | 0 | 4 | u32 | type | }
arm V 0 a { | 4 | N | T | t | }
`, `page "loop" {}`)
	if _, err := FromPage(p); err == nil || !strings.Contains(err.Error(), "records that hold themselves") {
		t.Errorf("a record without an end is no table: %v", err)
	}
}
