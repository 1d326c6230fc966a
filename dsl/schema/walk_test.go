package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octable/octable/dsl"
)

const walked = `schema "walked" { root V }
union V by low {
    | 0 | 1 | u8 | word | { rest any  0..3 low !E1 }
}
arm V 2 two !E2 {
    word { 4 wide }
    | 1 | 1 or 2 | by wide { 0 u8, 1 u16 } | x | !E1
    | A | 1 | u8 | n | { 0..7 k !E2 }
}
arm V 1 one {
    | 1 | 1 | u8 | n = count(list) |
    repeat n as list {
        if 1 == 1 { | P | 1 | u8 | y | !E2 }
        | Q | N | u16 | z | pad 4 any !E1
    }
}
`

// TestWalk visits nodes in order, and mentions after the rows that they are at.
func TestWalk(t *testing.T) {
	f, err := dsl.Parse("walked.oct", []byte(walked))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Resolve(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	var bodies, nodes, mentions []string
	for _, b := range s.Bodies() {
		bodies = append(bodies, b.Name)
		Walk(b.Nodes, func(n Node) bool {
			name := strings.TrimPrefix(fmt.Sprintf("%T", n), "*schema.")
			switch n := n.(type) {
			case *Row:
				name += " " + n.Field.Name
			case *Bit:
				name += " " + n.Field.Name
			}
			nodes = append(nodes, name)
			return true
		})
		b.EachMention(func(m *Mention, at Node) {
			row := ""
			switch at := at.(type) {
			case *Row:
				row = "." + at.Field.Name
			case *Bit:
				row = "." + at.Field.Name
			}
			mentions = append(mentions, m.Name+" "+b.Name+row)
		})
	}
	want := func(what string, got []string, want string) {
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s are\n%s\nwant\n%s", what, got, want)
		}
	}
	want("bodies", bodies, "V, two, one")
	want("nodes", nodes, "Row word, Bit low, Mention, "+
		"Bit wide, Forms, Row x, Mention, Row x, Row n, Bit k, Mention, "+
		"Row n, List, If, Row y, Mention, Row z, Mention")
	want("mentions", mentions, "E1 V.low, E2 two, E1 two.x, E2 two.k, E2 one.y, E1 one.z")
	var sorted []string
	for _, a := range s.Union("V").Sorted() {
		sorted = append(sorted, a.Name)
	}
	if !slices.Equal(sorted, []string{"one", "two"}) {
		t.Errorf("the arms by number are %v", sorted)
	}
}
