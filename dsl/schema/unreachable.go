// Unreachable rows: those after a node that takes every byte up to the end.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
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
		if leaves(n) {
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

// leaves reports whether a row or a list leaves bytes for the rows behind it in its body. They go up to the end of the
// region around it.
func leaves(n Node) bool {
	list, ok := n.(*List)
	row := rowOf(n)
	return ok && list.Spare != nil || row != nil && row.Tail != nil
}

// posOf returns the place of a node that has bytes.
func posOf(n Node) dsl.Pos {
	switch n := n.(type) {
	case *Row:
		return n.Pos
	case *Forms:
		return n.Pos
	case *List:
		return n.Pos
	case *If:
		return n.Pos
	}
	return dsl.Pos{} // unreachable: no other node has bytes
}

// second reports a list of elements that take every byte up to the end in all of their values. Only one of them is
// ever read.
func (p *prover) second(n *List, takers map[*Record]*Record) {
	if n.Last {
		return // its condition ends it
	}
	var all *Record
	for _, rec := range n.Elem.records() {
		if all = takerOf(rec, takers); all == nil {
			return
		}
	}
	if all == nil {
		return
	}
	d := p.r.errorf(n.Pos, 1, dsl.CodeUnreachable, "nothing is left for a second element of %s: %s takes every byte up to the end", n.Field.Name, all.Path)
	if n.Row == nil {
		d.WithHint("bound the row that does so with a number or a field in its length cell: | 8 | size | … |")
		return
	}
	d.WithHint("bound each element by a field before it, in a type with a length: | 0 | 2 | u16 | size = size(%s) | | 2 | size | %s | %[1]s |", "content", n.Elem.Name)
}

// stranded reports rows with bytes behind a row of a type that takes every byte up to the end.
// The type does so in all of its values, or in those of an arm that any packet may have.
func (p *prover) stranded() {
	takers := map[*Record]*Record{}
	for _, u := range p.reached {
		for _, body := range u.bodies() {
			Walk(body, func(n Node) bool {
				switch n := n.(type) {
				case *If:
					p.behind(n.Then, false, takers)
					p.behind(n.Else, false, takers)
				case *List:
					p.second(n, takers)
					return false
				}
				return true
			})
			p.behind(body, true, takers)
		}
	}
}

// behind reports the rows of a body that are behind one which takes every byte. always says
// that no condition decides whether the body is there.
func (p *prover) behind(body []Node, always bool, takers map[*Record]*Record) {
	for i, n := range body {
		row, ok := n.(*Row)
		if !ok {
			continue
		}
		all := taker(row, always, takers)
		if all == nil {
			continue
		}
		rest := body[i+1:]
		next := slices.IndexFunc(rest, func(n Node) bool { return p.fewest([]Node{n}) > 0 })
		if next < 0 {
			continue
		}
		hint := "bound " + row.Field.Name + " with a number or a field in its length cell: | 8 | size | … |"
		if size, fixed := p.fixedBody(rest); fixed {
			hint = fmt.Sprintf("let %s end before this: write end-%d in its length cell", row.Field.Name, size.bytes)
		}
		which := fmt.Sprintf(" if %s is %s, which", row.Field.Name, all.Path)
		switch {
		case row.Type.Record == all:
			which = ": " + all.Path
		case !slices.Contains(row.Type.records(), all):
			which = fmt.Sprintf(" if %s contains %s, which", row.Field.Name, all.Path)
		}
		p.r.errorf(posOf(rest[next]), 1, dsl.CodeUnreachable, "nothing is left for this%s takes every byte up to the end", which).WithHint("%s", hint)
	}
}

// taker returns the record that takes every byte up to the end in all values of a row, or nil.
// If any packet may have the number of an arm, the values of that arm are enough.
func taker(row *Row, always bool, takers map[*Record]*Record) *Record {
	if row.Bound != nil || isPart(row) {
		return nil
	}
	free := false // the number is any
	if u := row.Type.Union; row.Type.Form == OfUnion {
		free = u.Word != nil || always && anyNumber(row.Type.Args[slices.Index(u.Params, u.By)])
	}
	var found *Record
	for _, rec := range row.Type.records() {
		t := takerOf(rec, takers)
		if t == nil && !free {
			return nil
		}
		if t != nil && found == nil {
			found = t
		}
	}
	return found
}

// takerOf returns the record that takes every byte up to the end in all values of a record, or
// nil. It is the record itself or one inside of it.
func takerOf(rec *Record, takers map[*Record]*Record) *Record {
	if found, ok := takers[rec]; ok {
		return found
	}
	takers[rec] = nil // for a record that contains itself
	for _, n := range rec.Body {
		if _, refused := n.(*Refuse); refused {
			return nil
		}
		if !isPart(n) && toEnd(n) {
			takers[rec] = rec
		} else if row, ok := n.(*Row); ok && takers[rec] == nil {
			takers[rec] = taker(row, false, takers)
		}
	}
	return takers[rec]
}

// anyNumber reports whether an argument is the number of a row that is always there. The row
// must hold what a packet has.
func anyNumber(x *Expr) bool {
	if x.Op != builtin.Ref {
		return false
	}
	row, ok := x.Field.Node.(*Row)
	return ok && x.Field.Record != nil && x.Field.Derive == nil && !x.Field.Sometimes && len(row.Checks) == 0
}
