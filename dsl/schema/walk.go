// Walking bodies: every node of a record, in order.

package schema

import (
	"cmp"
	"slices"

	"github.com/octable/octable/dsl"
)

// Walk calls f for every node of a body in order. It goes into a node if f
// returns true for it. Inside are the rows of [Forms], the bits of a [Row], the
// body of a [List]'s element, both branches of an [If], and mentions. A record or
// a union that a row is of is not inside the row.
func Walk(body []Node, f func(Node) bool) {
	for _, n := range body {
		if !f(n) {
			continue
		}
		switch n := n.(type) {
		case *Row:
			mentioned(n.Mentions, f)
			for _, b := range n.Bits {
				Walk([]Node{b}, f)
			}
		case *Forms:
			for _, row := range n.Rows {
				Walk([]Node{row}, f)
			}
		case *Bit:
			mentioned(n.Mentions, f)
		case *List:
			Walk(n.Element.Body, f)
			mentioned(n.Mentions, f)
		case *If:
			Walk(n.Then, f)
			Walk(n.Else, f)
		}
	}
}

func mentioned(list []*Mention, f func(Node) bool) {
	for _, m := range list {
		f(m)
	}
}

// EachMention calls f for every mention of an erratum in a body. First are those about
// the body as a whole, for which at is nil. The others are at the last [Row] or [Bit]
// before them in the same item of the body.
func (b *Body) EachMention(f func(m *Mention, at Node)) {
	for _, m := range b.Mentions {
		f(m, nil)
	}
	for i := range b.Nodes {
		var at Node
		Walk(b.Nodes[i:i+1], func(n Node) bool {
			switch n := n.(type) {
			case *Row, *Bit:
				at = n
			case *Mention:
				f(n, at)
			}
			return true
		})
	}
}

// Sorted returns the arms by number, the one for all other numbers last.
func (u *Union) Sorted() []*Arm {
	return slices.SortedStableFunc(slices.Values(u.Arms), func(a, b *Arm) int {
		switch {
		case a.Else == b.Else:
			return cmp.Compare(a.ID, b.ID)
		case b.Else:
			return -1
		}
		return 1
	})
}

// Body is the content of a record, a union or an arm.
type Body struct {
	Name     string
	Type     string // the record or the union of whose values the examples are
	Pos      dsl.Pos
	Record   *Record // nil for a union
	Nodes    []Node
	Examples []*Example
	Mentions []*Mention // about the body as a whole
}

// Packets returns the bytes of the examples of the root. These are packets of the schema unless an example is refused.
func (s *Schema) Packets() (all [][]byte) {
	for _, b := range s.Bodies() {
		if b.Type != s.Root.Name {
			continue
		}
		for _, e := range b.Examples {
			all = append(all, e.Bytes)
		}
	}
	return all
}

// Bodies returns those of the named records, then of each union and its arms, in the
// order of declaration.
func (s *Schema) Bodies() []Body {
	var out []Body
	for _, r := range s.Records {
		out = append(out, Body{r.Name, r.Name, r.Pos, r, r.Body, r.Examples, r.Mentions})
	}
	for _, u := range s.Unions {
		out = append(out, Body{u.Name, u.Name, u.Pos, nil, u.Body, u.Examples, u.Mentions})
		for _, a := range u.Arms {
			out = append(out, Body{a.Name, u.Name, a.Pos, a.Record, a.Body, a.Examples, a.Mentions})
		}
	}
	return out
}

// Rewritten returns the bytes that a writer writes for the value of an example.
func (e *Example) Rewritten() []byte {
	if e.Again == nil {
		return e.Bytes
	}
	return e.Again
}
