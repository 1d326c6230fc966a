package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// one resolves a schema of one file.
func one(t *testing.T, text string) *Schema {
	t.Helper()
	s, err := files(t, map[string]string{"top": text})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// field returns a field of a record by name.
func field(t *testing.T, rec *Record, name string) *Field {
	t.Helper()
	for _, f := range rec.Fields {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("%s has no field %s", rec.Path, name)
	return nil
}

// TestForms checks that all forms of a row share its field. The number that a writer computes for a flag also
// keeps the width that was read.
func TestForms(t *testing.T) {
	s := one(t, `schema "top" { root U }
union U by kind { | 0 | 4 | u32 | header | { 0..15 kind  rest any } }
arm U 0 int {
    header { 16 wide = form(value) "64 bits" }
    | 4 | 4 or 8 | by wide { 0 i32 "narrow", 1 i64 "wide" } | value | any
    example "00000000 05000000" is int(5)
    | P | 4 | u32 | extra | "more" if wide
}
`)
	a := s.Union("U").Arm("int")
	if names := fmt.Sprint(len(a.Body), len(a.Stored), len(a.Fields)); names != "3 2 4" {
		t.Errorf("nodes, stored fields, fields: %s", names)
	}
	value, wide, extra := field(t, a.Record, "value"), field(t, a.Record, "wide"), field(t, a.Record, "extra")
	forms := a.Body[1].(*Forms)
	if len(forms.Rows) != 2 || !forms.Total || forms.Rows[0].Field != value || forms.Rows[1].Field != value || forms.Rows[0].Wide || !forms.Rows[1].Wide {
		t.Errorf("forms %+v", forms)
	}
	if value.Index != 0 || value.Kind != builtin.Int || value.Optional || !value.Alone || value.Derive != nil || value.Node != Node(forms.Rows[0]) {
		t.Errorf("value %+v", value)
	}
	if extra.Index != 1 || !extra.Optional || extra.Kind != builtin.Uint {
		t.Errorf("extra %+v", extra)
	}
	form := wide.Derive
	if form.Op != builtin.Form || form.Forms != forms || forms.Number != wide || !forms.Any || a.Bits[0].Value != form {
		t.Errorf("form %+v", form)
	}
	keep := form.Args[0]
	if wide.Index != -1 || !wide.Used || keep.Op != builtin.Keep || keep.Args[1].Op != builtin.Either || keep.Args[1].Args[0].Op != builtin.Wide || keep.Args[1].Args[0].Field != value {
		t.Errorf("wide %+v, computed %+v", wide, keep)
	}
	for _, x := range []*Expr{keep.Args[0], keep.Args[1].Args[1]} {
		if x.Op != builtin.Outside || x.Field != value || x.Scalar != builtin.I32 || len(x.Args) != 0 {
			t.Errorf("outside %+v", x)
		}
	}
	if x := forms.Rows[0].When; x.Op != builtin.Not || x.Args[0].Field != wide {
		t.Errorf("condition %+v", x)
	}
	u := s.Union("U")
	if u.By.Name != "kind" || u.Lo != 0 || u.N != 16 || u.Closed || a.Fields[0] != u.Word.Field || u.Word.Bits[0].Field != u.By {
		t.Errorf("union %+v", u)
	}
}

// TestKeptWidths checks that what a writer computes for a flag keeps the width that was read. The flag has to select
// the narrower of two forms.
func TestKeptWidths(t *testing.T) {
	for _, x := range []struct {
		lengths, forms  string
		keeps, inverted bool
	}{
		{"1 or 2", "0 u8, 1 u16", true, false},
		{"2 or 1", "0 u16, 1 u8", true, true},
		{"1 or 2", "0 u8, 1..255 u16", false, false},
	} {
		s := one(t, "schema \"top\" { order little root T }\ntype T {\n    | 0 | 1 | u8 | flag = value > 255 |\n    | 1 | "+x.lengths+" | by flag { "+x.forms+" } | value |\n}\n")
		derive := field(t, s.Record("T"), "flag").Derive
		keeps := derive.Op == builtin.Keep
		if inverted := keeps && derive.Args[1].Op == builtin.Not; keeps != x.keeps || inverted != x.inverted {
			t.Errorf("by flag { %s }: keeps the width %t, inverted %t", x.forms, keeps, inverted)
		}
	}
}

// TestLines: the canonical lines are those about bytes.
func TestLines(t *testing.T) {
	s := one(t, `schema "top" { root T gate g "a gate" }
type T {
    requires g
    order little
    | 0 | 1 | u8 | n | "a number"
    if n > 9 {
        refuse "a number beyond 9"
    }
    example "05" with g is 5
}
`)
	if got := strings.Join(s.Lines(s.Record("T"), false), "; "); got != `requires g; order little; | 0 | 1 | u8 | n |; if n > 9 {; refuse "a number beyond 9"; }` {
		t.Errorf("lines %q", got)
	}
}

// TestElements checks the types of elements. They are a value of a union or a named record, an array of
// numbers, or a record without a name.
func TestElements(t *testing.T) {
	s := one(t, `schema "top" { root T  gate g "a gate" }
type Text { | 0 | 4 | u32 | size = len(text) | | 4 | N | utf8[size] | text | }
type Pair { | 0 | 2 | u16 | a | | 2 | 2 | u16 | b | }
type T {
    | 0 | 2 | u16 | m = count(numbers) |
    repeat m as numbers { | 2+i*4 | 2 | u16 | x | | 4+i*4 | 2 | u16 | y | }
    | Q | 2 | u16 | n = count(texts) | check n < 9
    repeat n as texts { | P | L | Text | element | "a text" }
    | R | 2 | u16 | k = count(map) |
    map k as map { | S | K | Text | key | | S+K | 4 | u32 | value | }
    | V | 2 | u16 | others = count(rest) |
    repeat others as rest { | W | 1 | u8 | a | check a > 0 }
    | A | 4 | Pair | pair | "not one of many"
    | A+4 | B | Text | text | "in place"
    example "00" with g refused truncated
}
`)
	rec := s.Record("T")
	list := func(name string) *List { return field(t, rec, name).Node.(*List) }
	if l := list("texts"); l.Elem.Form != OfRecord || l.Elem.Record != s.Record("Text") || l.Elem.InPlace || l.Count.Field.Name != "n" {
		t.Errorf("texts %+v", l.Elem)
	} else if row := l.Element.Body[0].(*Row); !row.Type.InPlace || row.Doc != "a text" {
		t.Errorf("the row of an element %+v", row)
	}
	if l := list("numbers"); l.Elem.Form != Array || l.Elem.Width != 2 || l.Elem.Scalar != builtin.U16 || l.Field.Kind != builtin.Packed || !slices.Equal(l.Element.Tuple.Names, []string{"x", "y"}) {
		t.Errorf("numbers %+v", l.Elem)
	}
	if l := list("map"); l.Key.Record != s.Record("Text") || l.Elem.Form != OfRecord || l.Elem.Record.Path != "T.map.value" || l.Field.Kind != builtin.Map || len(l.Element.Body) != 2 || len(l.Element.Fields) != 2 {
		t.Errorf("map %+v %+v", l.Key, l.Elem)
	}
	if l := list("rest"); l.Elem.Record != l.Element || l.Element.Path != "T.rest.a" || l.Field.Kind != builtin.List {
		t.Errorf("rest %+v", l.Elem)
	}
	if f := field(t, rec, "text"); f.Kind != builtin.Text || !f.Node.(*Row).Type.InPlace || f.Alone {
		t.Errorf("text %+v", f)
	}
	if f := field(t, rec, "pair"); f.Kind != builtin.None || f.Node.(*Row).Type.InPlace || f.Alone {
		t.Errorf("pair %+v", f)
	}
	if p := s.Record("Pair"); p.Tuple == nil || len(p.Stored) != 1 || p.Stored[0].Kind != builtin.Lanes || len(p.Tuple.Rows) != 2 {
		t.Errorf("Pair %+v", p)
	}
	check := field(t, rec, "n").Node.(*Row).Checks[0].Cond
	if c := check.Args[1]; c.Op != builtin.Num || c.Num != 9 {
		t.Errorf("constant %+v", c)
	}
	e := rec.Examples[0]
	if len(e.Open) != 1 || e.Open[0] != s.Gate("g") || e.Refuse != "truncated" || e.Value != nil || e.Again != nil {
		t.Errorf("example %+v", e)
	}
	if got := strings.Join(s.Lines(s.Record("Pair"), false), "; "); got != "| 0 | 2 | u16 | a |; | 2 | 2 | u16 | b |" {
		t.Errorf("lines %q", got)
	}
}

// TestListsOfBranches: lists of one name in branches inside of branches are of one field.
func TestListsOfBranches(t *testing.T) {
	s := one(t, `schema "branches" { root T }
type Item { | 0 | 1 | u8 | x | }
type T {
    | 0 | 1 | u8 | a |
    | 1 | 1 | u8 | b |
    | 2 | 1 | u8 | n = count(items) |
    if a > 0 {
        if b > 0 {
            repeat n as items { | P | 1 | Item | element | }
        } else {
            | 3 | 2 | u16 | c |
            repeat n as items { | Q | 1 | Item | element | }
        }
    } else {
        | 3 | 4 | u32 | d |
        repeat n as items { | R | 1 | Item | element | }
    }
}
`)
	lists := map[*Field]int{}
	Walk(s.Record("T").Body, func(n Node) bool {
		if l, ok := n.(*List); ok {
			lists[l.Field]++
		}
		return true
	})
	if items := field(t, s.Record("T"), "items"); len(lists) != 1 || lists[items] != 3 {
		t.Errorf("the lists are of %d fields, %d of items", len(lists), lists[items])
	}
}

// TestAbsent: the lists that a branch lacks are in the order of the record.
func TestAbsent(t *testing.T) {
	s := one(t, `schema "absent" { root T }
type T {
    | 0 | 1 | u8 | a |
    if a > 1 {
        repeat 2 as y { | P | 1 | u8 | e | }
        repeat 2 as x { | Q | 1 | u8 | e | }
    } else if a == 0 {
        repeat 2 as x { | R | 1 | u8 | e | }
        repeat 2 as y { | S | 1 | u8 | e | }
    } else {
        | 1 | 2 | u16 | w |
    }
}
`)
	var got []string
	Walk(s.Record("T").Body, func(n Node) bool {
		if n, ok := n.(*If); ok {
			for _, absent := range n.Absent {
				for _, f := range absent {
					got = append(got, f.Name)
				}
				got = append(got, ";")
			}
		}
		return true
	})
	if got := strings.Join(got, " "); got != "w ; ; w ; y x ;" {
		t.Errorf("absent fields are %s", got)
	}
}

// TestChoices checks what depends on the choice of the option.
func TestChoices(t *testing.T) {
	s := one(t, `schema "top" {
    root U
    option real { single f32  double f64 }
}
union U by kind { | 0 | 4 | u32 | header | { 0..15 kind  rest any } }
arm U 0 point {
    header { 16 wide selects real }
    | 4 | 4 | real | x |
    | 8 | 4 | real | y |
    example "00000000 00000000 00000000" with single is point(0, 0)
}
arm U 1 one {
    | 4 | 4   | real | x |
    | 8 | 4   | u32  | y |
}
`)
	if got := s.Choices(); !slices.Equal(got, []string{"single", "double"}) || s.Choice.Name != "single" {
		t.Fatalf("choices %v", got)
	}
	d, err := s.With("double")
	if err != nil || d.Choice.Name != "double" || d == s {
		t.Fatal(err)
	}
	if first, err := d.With(""); err != nil || first != s {
		t.Errorf("the first choice: %v", err)
	}
	if _, err := s.With("half"); err == nil || !strings.Contains(err.Error(), "it has [single double]") {
		t.Error(err)
	}
	for _, c := range []struct {
		s      *Schema
		scalar builtin.Scalar
		on     int64
		begin  string
	}{{s, builtin.F32, 0, "8"}, {d, builtin.F64, 1, "12"}} {
		point := c.s.Union("U").Arm("point")
		typ := point.Tuple.Type
		if typ.Scalar != c.scalar || typ.Narrow != builtin.F32 || typ.Wide != builtin.F64 || typ.Option == nil {
			t.Errorf("%s: %+v", c.s.Choice.Name, typ)
		}
		x := point.Selector.Derive
		if !point.Selector.Selects || x.Op != builtin.Keep || x.Args[1].Op != builtin.Wide || x.Args[1].Field != point.Stored[0] || x.Args[0].Num != c.on {
			t.Errorf("%s: %+v", c.s.Choice.Name, x)
		}
		if e := point.Examples[0]; e.Choice != c.s.Option.Choices[0] || len(e.Open) != 0 {
			t.Errorf("%s: %+v", c.s.Choice.Name, e)
		}
		one := c.s.Union("U").Arm("one")
		if row := one.Body[0].(*Row); row.Type.Scalar != c.scalar || row.Type.Wide.Valid() {
			t.Errorf("%s: %+v", c.s.Choice.Name, row.Type)
		}
		if row := one.Body[1].(*Row); row.Begin != c.begin {
			t.Errorf("%s: %+v", c.s.Choice.Name, row)
		}
	}
}

// TestMeasures checks that a word and the row whose size it holds know each other.
func TestMeasures(t *testing.T) {
	s := one(t, `schema "top" { root T }
type T {
    | 0 | 4   | u32      | n = size(body) + 4 |
    | 4 | n-4 | u8[until end] | body               |
    | n | 4   | u32      | kind               |
}
`)
	rec := s.Record("T")
	n, body := field(t, rec, "n"), field(t, rec, "body")
	if n.Measures != body || body.Measured != n || n.Index != -1 || body.Index != 0 || len(n.Derive.Args[0].Args) != 0 {
		t.Errorf("n %+v, body %+v", n, body)
	}
	if row := body.Node.(*Row); row.Type.Form != Array || row.Type.Size != nil || row.Bound == nil || row.Stated || body.Bytes != nil {
		t.Errorf("body %+v", row)
	}
}

// TestLeadingZeros holds: a number with leading zeros is decimal.
func TestLeadingZeros(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "007": 7, "010": 10, "09": 9, "0_1_0": 10, "0x010": 16, "0X1F": 31, "18446744073709551615": 1<<64 - 1} {
		if got, ok := parseUint(&dsl.Num{Text: text}); got != want || !ok {
			t.Errorf("%s is %d, %v; want %d", text, got, ok, want)
		}
	}
	if _, ok := parseUint(&dsl.Num{Text: "18446744073709551616"}); ok {
		t.Error("2^64 is taken for a number of 64 bits")
	}
}

// TestOrders checks which rows have the other order of bytes than the schema.
func TestOrders(t *testing.T) {
	for order, swapped := range map[string]string{"little": "b", "big": "c"} {
		s := one(t, `schema "top" { order `+order+` root T }
type T {
    | 0 | 2 | u16      | a |
    | 2 | 4 | u32be    | b |
    | 6 | 3 | u24le    | c |
    | 9 | 4 | code4    | d |
    | 13 | 1 | u8      | e |
}
`)
		for _, n := range s.Record("T").Body {
			row := n.(*Row)
			if got, want := row.Type.Swapped, row.Field.Name == swapped; got != want {
				t.Errorf("order %s: %s is swapped: %t", order, row.Field.Name, got)
			}
		}
	}
	for _, name := range []string{"u8be", "code4le", "bool16be", "utf8be"} {
		_, err := files(t, map[string]string{"top": `schema "top" { root T }
type T { | 0 | N | ` + name + ` | a | }
`})
		if err == nil || !strings.Contains(err.Error(), "there is no type "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
