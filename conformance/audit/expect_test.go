package audit

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octable/octable/compile"
	"github.com/octable/octable/dsl"
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
	e, err := FromSchema(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Every documented schema has as many rows as its page, and a page that says
// what the schema does agrees with it in every form.
func TestFromSchema(t *testing.T) {
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
				if os.Getenv("OCTABLE_LONG") != "1" && n%4 != 0 {
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

// resolve returns the schema in a text, which may extend small.
func resolve(t *testing.T, text string) *schema.Schema {
	t.Helper()
	f, err := dsl.Parse("test.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Resolve(f, func(string) (*dsl.File, error) { return dsl.Parse("small.oct", []byte(small)) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const small = `schema "small" {
    order little
    root V
    says "Padded to 4 bytes."
    erratum E2 said label "max"
    axis real { single f32 double f64 offset (offset - 4) * 2 + 4 length length * 2 }
}
const FOUR = 4
erratum E1 { says "one thing" }
erratum E2 { says "another" }
encoding text { utf8 strict }
type string {
    | 0 | 4 | u32 | length = len(text) | "length"
    | 4 | N | text[length] | text | "text" pad 4 any
}
union V by type {
    | 0 | 4 | u32 | type |
}
arm V 1 two "second" {
    erratum E1 absent said name "Two (unsupported)", label "zwei"
    says "Of the section: 7."
    | FOUR | 4 | u32 | kind = count(list) | "kind" !E1 said offset "8", description "sort"
    caption "For each of them:"
    repeat kind as list {
        | X | L | string | name | "a name"
        | X+L-(4-FOUR) | FOUR*2 | i64 | id |
        | P | 4 | real | x | "X" !E1 absent
        | Q | 1 | bool8 | flag |
        | R | 1 | u8 | byte | "byte"
        | S | 4 | u8[4] | bytes |
        | T | A | V | value | "a value"
        | U | 4 | V.id | sort |
    }
    says "Of the table: 9."
    | Y | 4 | u32 | more = count(values) |
    repeat more as values { | P | N | V | value | "in this same format" }
}
arm V 0 one {
}
`

func TestFromSchemaItems(t *testing.T) {
	e, err := FromSchema(resolve(t, small))
	if err != nil {
		t.Fatal(err)
	}
	row := func(line int, offset, length, class, name, description string) WantRow {
		return WantRow{Offset: offset, Length: length, Type: class, Name: name, Description: description, Pos: fmt.Sprintf("test.oct:%d", line)}
	}
	head := row(22, "4", "4", "Integer", "kind", "kind")
	head.Said = []Said{said("E1", "offset", "8"), said("E1", "description", "sort")}
	x := row(27, "P", "4", "Float", "x", "X")
	x.Absent = "E1"
	want := &Expectation{
		Schema: "small", Facts: []string{"Padded to 4 bytes."},
		Types: []WantType{
			{ID: 0, Name: "one", Pos: "test.oct:38"},
			{ID: 1, Name: "two", Labels: []string{"second"}, Pos: "test.oct:19", Said: []Said{said("E1", "label", "zwei")}},
			{ID: 2, Name: "max", Pos: "test.oct:5", Said: []Said{said("E2", "label", "max")}},
		},
		Sections: []WantSection{
			{ID: 0, Title: "one", Pos: "test.oct:38"},
			{ID: 1, Title: "two", Pos: "test.oct:19", Said: []Said{said("E1", "title", "Two (unsupported)")}, Absent: "E1",
				Facts: []string{"Of the section: 7."},
				Subtables: []WantTable{
					{Rows: []WantRow{head}},
					{Caption: "For each of them:", Facts: []string{"Of the table: 9."}, Rows: []WantRow{
						row(13, "X+0", "4", "Integer", "length", "length"),
						row(14, "X+4", "N", "Bytes", "text", "text"),
						row(26, "X+L-(4-4)", "4*2", "Integer", "id", ""),
						x,
						row(28, "Q", "1", "Integer", "flag", ""),
						row(29, "R", "1", "Byte", "byte", "byte"),
						row(30, "S", "4", "Bytes", "bytes", ""),
						row(31, "T", "A", "<variable>", "value", "a value"),
						row(32, "U", "4", "Integer", "sort", ""),
						row(35, "Y", "4", "Integer", "more", ""),
					}},
				}},
		},
	}
	if got, want := fmt.Sprintf("%+v", e), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}

	// An erratum that the schema no longer has counts nowhere.
	e, err = FromSchema(resolve(t, `schema "later" extends "small" {}
remove erratum E1 E2`))
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", e); len(e.Types) != 2 || regexp.MustCompile(`E[12]\b`).MatchString(text) {
		t.Errorf("errata are left: %s", text)
	}
}

func TestFromSchemaErrors(t *testing.T) {
	change := func(old, new string) *schema.Schema {
		text := strings.Replace(small, old, new, 1)
		if text == small {
			t.Fatalf("%q does not occur", old)
		}
		return resolve(t, text)
	}
	for _, c := range []struct {
		s    *schema.Schema
		want string
	}{
		{nil, "there is no schema"},
		{change("root V", ""), `schema "small" describes no types with numbers`},
		{change("root V", "root string"), "its root is not a union"},
		{resolve(t, `schema "huge" { root V }
union V by type { | 0 | 8 | u64 | type | }
arm V 0xffffffffff0 huge {}`), `test.oct:3: huge of schema "huge" has the number 17592186044400, which no table of type ids has`},
		{change("| P | 4 |", "| P1 | 4 |"), `test.oct:27: the offset "P1" of the row x`},
	} {
		e, err := FromSchema(c.s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, %v; want %q", e, err, c.want)
		}
	}
}

// Schemas of other formats are turned down or turned into an expectation, but do
// no harm; records may even hold themselves.
func TestFromSchemaAny(t *testing.T) {
	for _, id := range []string{"godot-2", "godot-3", "godot-4.4", "pandemonium-5"} {
		if e := expectationOf(t, id); countRows(e) < 80 || !audit(t, string(RenderRST(e)), e).OK() {
			t.Errorf("%s: %d rows", id, countRows(e))
		}
	}
	s := resolve(t, `schema "loop" { root V }
type T { | 0 | 1 | u8 | n = count(list) |
 repeat n as list { | X | N | T | again | } }
union V by type { | 0 | 4 | u32 | type | }
arm V 0 a { | 4 | N | T | t | }
`)
	if _, err := FromSchema(s); err == nil || !strings.Contains(err.Error(), "records that hold themselves") {
		t.Errorf("a record without an end is no table: %v", err)
	}
}
