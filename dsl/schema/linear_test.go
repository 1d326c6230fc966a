package schema

import (
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// linearOf returns the linear form of an expression of letters.
func linearOf(t *testing.T, text string) (Linear, bool) {
	t.Helper()
	f, err := dsl.Parse("linear.oct", []byte("type T { if "+text+" { } }"))
	if err != nil {
		t.Fatal(err)
	}
	x := fold(f.Decls[0].Type.Items[0].If.Cond)
	var letters func(x *Expr)
	letters = func(x *Expr) {
		if x.Op == builtin.Ref {
			x.Op = builtin.Letter
		}
		for _, a := range x.Args {
			letters(a)
		}
	}
	letters(x)
	return x.Linear(Letter)
}

func TestLinear(t *testing.T) {
	for text, want := range map[string]string{
		"8":                   "8",
		"X + 8":               "8+X",
		"8 + i * 12":          "8+i*12",
		"(X + 1) * 3 - Y":     "3+X*3-Y",
		"X - X":               "0",
		"2 * 3 * (X - Y) - 1": "X*6-Y*6-1",
		"X * Y":               "",
		"X / 2":               "",
		"1099511627776":       "", // 2^40
		"1099511627775 * 9":   "9895604649975",
		"1099511627775 * 99":  "",
	} {
		l, ok := linearOf(t, text)
		if ok != (want != "") || ok && l.String() != want {
			t.Errorf("%s: %s, %v; want %q", text, l, ok, want)
		}
	}
	a, _ := linearOf(t, "X * 2 + 1 - X")
	b, _ := linearOf(t, "1 + X")
	if !a.Equal(b) || a.Alone() != "" || Letter("X").Alone() != "X" || a.Plus(Constant(1), -1).Alone() != "X" || !b.Plus(b, -1).IsNumber() {
		t.Errorf("%s and %s", a, b)
	}
}
