package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// expressions returns the conditions of a row, in order.
func expressions(t *testing.T, list []string) []*Expr {
	t.Helper()
	var text strings.Builder
	text.WriteString("schema \"text\" { root T gate g }\ntype T {\n| 0 | 4 | u32 | a |\n| 4 | 4 | u32 | b |\n")
	for _, e := range list {
		fmt.Fprintf(&text, " check %s \"\"\n", e)
	}
	f, err := dsl.Parse("text.oct", []byte(text.String()+"}"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Expr
	for _, c := range s.Record("T").Body[1].(*Row).Checks {
		out = append(out, c.Cond)
	}
	return out
}

// TestNotation prints expressions that have only the parentheses that they need.
func TestNotation(t *testing.T) {
	list := []string{
		"a", "7 + 0", "-a", "!a", "-(a + b)", "!(a == b)", "-a * b",
		"a + b * 2", "(a + b) * 2", "a - b - 2", "a - (b - 2)", "a + (b + 2)", "a * (b / 2) % 3",
		"a << 2 & 255", "a ^ b >> 1", "(a ^ b) >> 1",
		"a == b + 1", "(a == b) == 1", "a == (b < 1)", "-(-a)", "!(!a)", "!(-a)", "a < 3 || b >= 4 && a != b", "(a || b) && a", "!(a && b)",
		"min(a, b + 1)", "max(min(a, 1), -b)", "closed(g) || a",
	}
	for i, e := range expressions(t, list) {
		if got := (Notation{}).Text(e); got != list[i] {
			t.Errorf("%s is printed as %s", list[i], got)
		}
	}
	for i, e := range expressions(t, []string{"8 + a * 12", "a - (b - 5)", "min(a, b + 1)"}) {
		want := []string{"8+a*12", "a-(b-5)", "min(a, b+1)"}[i]
		if got := (Notation{Tight: true}).Text(e); got != want {
			t.Errorf("the tight text is %s, want %s", got, want)
		}
	}
	named := Notation{Number: func(e *Expr) string {
		return fmt.Sprintf("%#x", e.Num)
	}}
	if got := named.Text(expressions(t, []string{"a + 5 * 16"})[0]); got != "a + 0x5 * 0x10" {
		t.Errorf("numbers are printed in %s", got)
	}
}

// TestNotationOutside prints a condition that only a writer computes.
func TestNotationOutside(t *testing.T) {
	e := &Expr{Op: builtin.Outside, Field: &Field{Name: "value"}, Scalar: builtin.I32}
	not := &Expr{Op: builtin.Not, Args: []*Expr{e}}
	if got := (Notation{}).Text(not); got != "!(value does not fit i32)" {
		t.Error(got)
	}
	form := &Expr{Op: builtin.Form, Field: e.Field, Args: []*Expr{e}}
	if got := (Notation{}).Text(form); got != "form(value)" {
		t.Error(got)
	}
}

// TestNumberOf reads tokens as numbers: decimal, hexadecimal, and codes of letters.
func TestNumberOf(t *testing.T) {
	for text, want := range map[string]uint64{"7": 7, "010": 10, "0x1_0": 16, "'abcd'": 'a' | 'b'<<8 | 'c'<<16 | 'd'<<24} {
		if n, ok := NumberOf(text); n != want || !ok {
			t.Errorf("%s is %#x, %v; want %#x", text, n, ok, want)
		}
	}
	if n, ok := NumberOf("0x"); ok {
		t.Errorf("0x is %d", n)
	}
}
