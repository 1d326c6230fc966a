package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
)

// A file with mistakes has the names that resolve in spite of them.
func TestIndexWithMistakes(t *testing.T) {
	const text = `schema "s" { root U gate g "" }
union U by kind {
    | 0 | 4 | u32 | kind | ""
}
arm U 0 A {
    | 4 | 4 | u32 | n = count(list) | ""
    | 8 | missing | u32 | odd | "" if nowhere == 4
    repeat n + unknown as list { | P | 1 | u8 | b | "" check b < n }
    requires g
    requires h
}
arm V 1 B {
    | 0 | 4 | u32 | n | "" check n > 4
}
type T {
`
	f, err := dsl.Parse("s.oct", []byte(text))
	if err == nil {
		t.Fatal("the text has no mistake")
	}
	var got []string
	for _, n := range NewIndex(f, nil).Names {
		if !n.Declares {
			got = append(got, fmt.Sprintf("%d: %s %s of line %d", n.Pos.Line, n.To.Sort, n.Text, n.To.At[0].Line))
		}
	}
	want := []string{
		"1: union U of line 2", "2: field kind of line 3", "5: union U of line 2", "6: field list of line 8",
		"8: field n of line 6", "8: field b of line 8", "8: field n of line 6", "9: gate g of line 1", "13: field n of line 13",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
