// Walking bodies: every node of a record, in order.

package schema

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// Walk calls f for every node of a body in order, and for the nodes inside a node
// if f returns true for it. Inside are the rows and notes of [Forms], the bits of a
// [Row], the body of a [List]'s element, of a [Region], both branches of an [If], and
// mentions. A record or a union that a row is of is not inside the row.
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
			Walk(n.Body, f)
		case *Bit:
			mentioned(n.Mentions, f)
		case *List:
			Walk(n.Element.Body, f)
			mentioned(n.Mentions, f)
		case *Region:
			Walk(n.Body, f)
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

// Mentions calls f for every mention of an erratum in a body. The mention is at the
// last [Row] or [Bit] before it in the same item of the body. Without one, it is
// about the record as a whole, and at is nil.
func Mentions(body []Node, f func(m *Mention, at Node)) {
	for i := range body {
		var at Node
		Walk(body[i:i+1], func(n Node) bool {
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

// Body is what a record, a union or an arm declares.
type Body struct {
	Name     string
	Pos      dsl.Pos
	Record   *Record // nil for a union
	Nodes    []Node
	Examples []*Example
}

// Bodies returns those of the named records, then of each union and its arms, in the
// order of declaration.
func (s *Schema) Bodies() []Body {
	var out []Body
	for _, r := range s.Records {
		out = append(out, Body{r.Name, r.Pos, r, r.Body, r.Examples})
	}
	for _, u := range s.Unions {
		out = append(out, Body{u.Name, u.Pos, nil, u.Body, nil})
		for _, a := range u.Arms {
			out = append(out, Body{a.Name, a.Pos, a.Record, a.Body, a.Examples})
		}
	}
	return out
}

// Packet returns the bytes of an example.
func (e *Example) Packet() ([]byte, error) { return hexBytes(e.Bytes) }

// Rewritten returns the bytes that a writer makes of the value of an example.
func (e *Example) Rewritten() ([]byte, error) {
	if e.Again == nil {
		return e.Packet()
	}
	return hexBytes(*e.Again)
}

func hexBytes(s string) ([]byte, error) {
	return hex.DecodeString(strings.Join(strings.Fields(s), ""))
}
