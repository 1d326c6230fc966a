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
const K = 4
union U by kind {
    | 0 | 4 | u32 | kind | ""
}
arm U 0 A {
    | 4 | 4 | u32 | n = count(list) | ""
    | 8 | missing | u32 | odd | "" if nowhere == K
    repeat n + unknown as list { | P | 1 | u8 | b | "" check b < K }
    requires g
    requires h
}
arm V 1 B {
    | 0 | 4 | u32 | n | "" check n > K
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
		"1: union U of line 3", "3: field kind of line 4", "6: union U of line 3", "7: field list of line 9", "8: constant K of line 2",
		"9: field n of line 7", "9: field b of line 9", "9: constant K of line 2", "10: gate g of line 1",
		"14: field n of line 14", "14: constant K of line 2",
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
}
