// Spare bytes: lists that end when few bytes are left, which the rows behind them take.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// leftName is the name of the numbers of bytes that a writer compares. No field of a schema can have it.
const leftName = "left()"

// ends notes how a list ends. The condition, which may be nil, is about an element or about the bytes that are left.
func (s *scope) ends(l *List, cond *dsl.Expr) {
	if cond == nil {
		return
	}
	x := fold(cond)
	if l.Last = !x.has(builtin.Remain); l.Last {
		return
	}
	l.Spare = &Spare{Bytes: 1, Last: newField(leftName, cond.Pos, nil), Left: newField(leftName, cond.Pos, nil)}
	n, few := x.fewLeft()
	switch {
	case few && n == 0:
		s.errorf(cond.Pos, len(builtin.Operations[builtin.Remain].Name), dsl.CodeArgs, "a list up to the last byte ends at the end of its region").
			WithHint("write until end")
	case !few:
		s.errorf(cond.Pos, len(builtin.Operations[builtin.Remain].Name), dsl.CodeArgs, "left() is compared with a constant number of bytes, as the whole condition that ends a list").
			WithHint("%s", x.leftAdvice())
	case n < 0 || n > builtin.MaxSpare:
		s.errorf(cond.Pos, len(builtin.Operations[builtin.Remain].Name), dsl.CodeRange, "a list ends when at most 1 to %d bytes are left", builtin.MaxSpare).
			WithHint("correct the number")
	default:
		l.Spare.Bytes = n
	}
}

// has reports whether an expression has an operation.
func (e *Expr) has(op builtin.Op) bool {
	return e.Op == op || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.has(op) })
}

// fewLeft returns the number of a condition that at most some bytes are left, and whether it is one.
func (e *Expr) fewLeft() (n int64, ok bool) {
	if len(e.Args) != 2 || e.Args[0].Op != builtin.Remain || len(e.Args[0].Args) > 0 {
		return 0, false
	}
	n, constant := e.Args[1].constant()
	return n, constant && e.Op == builtin.Le
}

// leftAdvice says how the condition is written that ends a list when few bytes are left.
func (e *Expr) leftAdvice() string {
	if e.Op == builtin.Lt && e.Args[0].Op == builtin.Remain {
		if n, constant := e.Args[1].constant(); constant && n > 1 {
			return fmt.Sprintf("write until left() <= %d", n-1)
		}
	}
	return "for example: until left() <= 24"
}

// spares checks the lists that end when few bytes are left, and finds out what a writer has to compare.
func (p *prover) spares() {
	for _, u := range p.reached {
		for _, body := range u.bodies() {
			p.sparesIn(body, nil)
		}
	}
}

// sparesIn checks the lists of a body. behind is a node with bytes behind the block that has the body, or nil.
func (p *prover) sparesIn(body []Node, behind Node) {
	for i, n := range body {
		rest := body[i+1:]
		switch n := n.(type) {
		case *If:
			after := behind
			if k := slices.IndexFunc(rest, takesBytes); k >= 0 {
				after = rest[k]
			}
			p.sparesIn(n.Then, after)
			p.sparesIn(n.Else, after)
		case *List:
			if n.Spare != nil {
				p.spare(n, rest, behind)
			}
		}
	}
}

// takesBytes reports whether a node may have bytes behind the rows before it.
func takesBytes(n Node) bool { return posOf(n).Line > 0 && !isPart(n) }

// spare checks one list. rest are the nodes behind it in its body, and behind is one behind the block with that body.
func (p *prover) spare(n *List, rest []Node, behind Node) {
	s, name := n.Spare, n.Field.Name
	least := p.fewest(rest)
	size, fixed := p.fixedBody(rest)
	switch {
	case n.Row != nil && (n.Row.Bound != nil || n.Row.At != nil):
		p.r.errorf(n.Pos, 1, dsl.CodeArgs, "no row behind %s is in its region, so no bytes are left for one", name).
			WithHint("let a letter be the length of the list; or write until end")
	case behind != nil:
		p.r.errorf(posOf(behind), 1, dsl.CodeArgs, "the rows behind %s are in other blocks, so a writer cannot count their bytes", name).
			WithHint("put these rows into the block of the list")
	case least > uint64(s.Bytes):
		p.r.errorf(n.Pos, 1, dsl.CodeUnreachable, "the rows behind %s take at least %d bytes, and it ends when at most %d are left", name, least, s.Bytes).
			WithHint("let it end before: until left() <= %d", least)
	}
	s.TooMany = !fixed || size.bytes > s.Bytes
	s.TooFew = sum(p.fewestElement(n), least) <= uint64(s.Bytes)
	if slices.ContainsFunc(rest, takesBytes) {
		s.Behind = newField(leftName, n.Pos, nil)
	}
}

// Demands returns the conditions of a list that ends where a reader ends it. With left they hold for every list that a
// reader has read, too: to it the bytes behind the record are behind the list.
func (n *List) Demands(left bool) (all []*Check) {
	s := n.Spare
	number := func(f *Field) *Expr { return &Expr{Op: builtin.Ref, Pos: n.Pos, Field: f} }
	parts := []*Expr{number(s.Last)}
	if s.Behind != nil {
		parts = append(parts, number(s.Behind))
	}
	if left {
		parts = append(parts, number(s.Left))
	}
	total := func(parts []*Expr) *Expr {
		x := parts[0]
		for _, other := range parts[1:] {
			x = binary(builtin.Add, x, other)
		}
		return x
	}
	most := &Expr{Op: builtin.Num, Pos: n.Pos, Num: s.Bytes}
	if s.TooMany {
		all = append(all, &Check{binary(builtin.Le, total(parts[1:]), most),
			fmt.Sprintf("more than %d bytes are behind %s, which a reader would take for elements; shorten them", s.Bytes, n.Field.Name)})
	}
	if s.TooFew {
		all = append(all, &Check{binary(builtin.Either, &Expr{Op: builtin.Not, Args: parts[:1]}, binary(builtin.Gt, total(parts), most)),
			fmt.Sprintf("at most %d bytes begin with the last element of %s, before which a reader would end; lengthen it", s.Bytes, n.Field.Name)})
	}
	return all
}
