// Unreachable rows: those after a node that takes every byte up to the end.

package schema

import (
	"github.com/octable/octable/dsl"
)

// unreachable reports rows for which nothing is left, since a node before them takes
// every byte up to the end. It returns such a node at the end of a body; last is the
// one before the body.
func (s *scope) unreachable(body []Node, last Node) Node {
	tail := Node(nil) // that leaves bytes for the rows behind it in the body
	for _, n := range body {
		pos, end, pad := dsl.Pos{}, Node(nil), (*Pad)(nil)
		switch n := n.(type) {
		case *Row:
			pos, pad = n.Pos, n.Pad
		case *Forms:
			pos = n.Rows[0].Pos
		case *List:
			pos, pad = n.Pos, n.Pad
		case *If:
			then, other := s.unreachable(n.Then, last), s.unreachable(n.Else, last)
			if then != nil && other != nil {
				end = other
			} else if n.More != nil {
				end = n
			}
		}
		if row := rowOf(n); row != nil && row.Tail != nil {
			tail = n
		}
		if (toEnd(n) || tail == n) && pad != nil {
			s.errorf(pos, 1, dsl.CodeArgs, "this takes every byte up to the end, also those of its padding").
				WithHint("leave the padding out, or bound the row with a number or a field in its length cell: | 8 | size | … |")
		}
		if toEnd(n) && !isPart(n) {
			end = n
		}
		if last != nil && pos.Line > 0 {
			s.errorf(pos, 1, dsl.CodeUnreachable, "nothing is left for this: line %d takes every byte up to the end", posOf(last).Line).
				WithHint("put it before that line, or bound that line with a number or a field in its length cell: | 8 | size | … |")
			last = nil
		}
		if end != nil {
			last = end
		}
	}
	if last == nil {
		return tail
	}
	return last
}

// posOf returns the place of a row or a list.
func posOf(n Node) dsl.Pos {
	switch n := n.(type) {
	case *Row:
		return n.Pos
	case *List:
		return n.Pos
	case *If:
		return n.Pos
	}
	return dsl.Pos{} // unreachable: no other node takes every byte
}
