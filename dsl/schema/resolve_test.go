package schema

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// resolved resolves a schema that may extend others.
func resolved(t *testing.T, text string, others map[string]string) *Schema {
	t.Helper()
	load := func(id string) (*dsl.File, error) { return dsl.Parse(id+".oct", []byte(others[id])) }
	f, err := dsl.Parse("main.oct", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Resolve(f, load)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRooted: a schema is resolved for each choice of its option, also with another root.
func TestRooted(t *testing.T) {
	s := resolved(t, `schema "main" {
    root U
    option real { single f32, double f64 }
}
type T(n) { | 0 | 1 | u8 | x | check n == x }
type V {
    | 0 | 4 | real | y |
    | 4 | 1 | u8 | n = count(list) |
    | 5 | 1 | u8 | k |
    if k == 1 { repeat n as list { | P | 1 | u8 | a | } } else { repeat n as list { | P | 1 | u8 | a | } }
}
type U { | 0 | 4 | real | x | | 4 | N | V | v | }
`, nil)
	double, err := s.With("double")
	if err != nil || double.Choice.Name != "double" {
		t.Fatal(double, err)
	}
	if v, err := double.Rooted("V"); err != nil || v.Choice.Name != "double" || v.Root.Name != "V" {
		t.Errorf("V as the root: %v", err)
	}
	var all dsl.Diagnostics
	if _, err := double.Rooted("T"); !errors.As(err, &all) || !strings.Contains(err.Error(), "the root takes no arguments") {
		t.Errorf("T as the root: %v", err)
	}
	if _, err := s.With("triple"); err == nil || !strings.Contains(err.Error(), "it has [single double]") {
		t.Errorf("an unknown choice: %v", err)
	}
	plain := resolved(t, "schema \"plain\" { root T }\ntype T { | 0 | 1 | u8 | x | }\n", nil)
	if _, err := plain.With("single"); err == nil || !strings.Contains(err.Error(), "it has no option") {
		t.Errorf("a choice of no option: %v", err)
	}
}

// TestFiles lists the files of a schema: its own first, then those of others by name.
func TestFiles(t *testing.T) {
	s := resolved(t, "schema \"main\" extends \"old\" {}\nimport \"zlib\" as z\nextend T { | 1 | 1 | z.Z | z | }\n", map[string]string{
		"old":  "schema \"old\" { root T }\nimport \"abc\" as a\ntype T { | 0 | 1 | a.A | x | }\n",
		"abc":  "schema \"abc\" {}\ntype A { | 0 | 1 | u8 | x | }\n",
		"zlib": "schema \"zlib\" {}\ntype Z { | 0 | 1 | u8 | x | }\n",
	})
	for range 20 { // a map has no order
		var names []string
		for _, f := range s.Files() {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != "main.oct abc.oct old.oct zlib.oct" {
			t.Errorf("files %s", got)
		}
	}
	f, err := dsl.Parse("main.oct", []byte("schema \"main\" extends \"old\" {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var all dsl.Diagnostics
	if _, err := Resolve(f, nil); !errors.As(err, &all) || all[0].Code != dsl.CodeExtends || !strings.Contains(err.Error(), "there is nowhere to look for schemas that others extend") {
		t.Errorf("a schema that is looked for nowhere: %v", err)
	}
}

// TestTextOrders: a type whose text is in UTF-16 has the order of each use of it.
func TestTextOrders(t *testing.T) {
	const types = `encoding wide { utf16 }
type T {
    | 0 | N | Name | first |
    | N | 1 | u8 | data |
    order by data { 1 little, 2 big }
    | P | M | Name | name |
    order big
    | Q | 1 | u8 | n = len(text) |
    | Q+1 | n | wide[n] | text |
}
type Name {
    | 0 | 1 | u8 | n = len(text) |
    | 1 | n | wide[n] | text |
}
`
	for _, big := range []bool{false, true} {
		order := map[bool]string{false: "little", true: "big"}[big]
		s := resolved(t, fmt.Sprintf("schema \"main\" { order %s root T }\n%s", order, types), nil)
		first := s.Record("T").Body[0].(*Row).Type
		if len(first.Args) != 1 || first.Args[0].Op != builtin.Num || first.Args[0].Num != map[bool]int64{false: 0, true: 1}[big] {
			t.Errorf("%s: a use before the order has the arguments %v", order, first.Args)
		}
		rows := s.Record("T").Body
		if text := rows[len(rows)-1].(*Row).Type; text.Encoding.Charset != builtin.UTF16(true) {
			t.Errorf("%s: a text behind a fixed order is in %s", order, text.Encoding.Charset.Title())
		}
	}
}

// TestPlaceText prints a place with the number that it is a multiple of.
func TestPlaceText(t *testing.T) {
	if got := (Notation{}).Text(&Expr{Op: builtin.Where, Num: 4, Field: &Field{Name: "x"}}); got != "place(x, 4)" {
		t.Errorf("a place is printed as %s", got)
	}
	if p := (&Type{Form: Number}).Params(); p != nil {
		t.Errorf("a number has the parameters %v", p)
	}
}
