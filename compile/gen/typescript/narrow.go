// Literal types: the compiler gives a register one after a comparison with a constant, and
// refuses comparisons of disjoint types.

package typescript

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// literals returns the values in the type of a number as it is printed, or nil for the type
// number.
func (g *generator) literals(e *model.Expr) []int64 {
	switch {
	case e.Bool():
		return []int64{0, 1}
	case e.Op == builtin.Num:
		return []int64{e.Num}
	case e.Op == builtin.Ref:
		return g.known[e.Reg]
	case e.Op == model.ExprSelect && e.Args[0].Op == model.ExprExact:
		return g.literals(e.Args[2])
	case e.Op == model.ExprSelect:
		a, b := g.literals(e.Args[1]), g.literals(e.Args[2])
		if a != nil && b != nil {
			return slices.Concat(a, b)
		}
	}
	return nil
}

// compared prints a small expression for a comparison with others.
func (g *generator) compared(e *model.Expr, others []int64, side string) string {
	s := g.number(e, side)
	own := g.literals(e)
	if own == nil || others == nil || slices.ContainsFunc(own, func(n int64) bool { return slices.Contains(others, n) }) {
		return s
	}
	return "(" + s + " as number)"
}

// facts returns the literal types of registers after a condition that holds, or does not.
func (g *generator) facts(e *model.Expr, holds bool) map[int][]int64 {
	is := func(x *model.Expr, to []int64) map[int][]int64 {
		if x.Op == builtin.Ref && !g.big[x.Reg] && g.known[x.Reg] == nil && to != nil {
			return map[int][]int64{x.Reg: to}
		}
		return nil
	}
	both := func(right bool) map[int][]int64 {
		out := map[int][]int64{}
		maps.Copy(out, g.facts(e.Args[1], right))
		maps.Copy(out, g.facts(e.Args[0], right))
		return out
	}
	either := func(right bool) map[int][]int64 {
		a, b, out := g.facts(e.Args[0], right), g.facts(e.Args[1], right), map[int][]int64{}
		for r := range a {
			if b[r] != nil {
				out[r] = slices.Concat(a[r], b[r])
			}
		}
		return out
	}
	switch e.Op {
	case builtin.Not:
		return g.facts(e.Args[0], !holds)
	case builtin.Eq, builtin.Ne:
		if holds != (e.Op == builtin.Eq) {
			return nil
		}
		out := is(e.Args[0], g.literals(e.Args[1]))
		if out == nil {
			out = is(e.Args[1], g.literals(e.Args[0]))
		}
		return out
	case builtin.Both:
		if holds {
			return both(true)
		}
		return either(false)
	case builtin.Either:
		if holds {
			return either(true)
		}
		return both(false)
	case builtin.Ref:
		if !holds {
			return is(e, []int64{0})
		}
	}
	return nil
}

// learn adds literal types of registers.
func (g *generator) learn(facts map[int][]int64) {
	if g.known == nil {
		g.known = map[int][]int64{}
	}
	maps.Copy(g.known, facts)
}

// under calls f with the literal types after a condition that holds, or does not.
func (g *generator) under(e *model.Expr, holds bool, f func()) {
	before := maps.Clone(g.known)
	g.learn(g.facts(e, holds))
	f()
	g.known = before
}

// settle notes the type of the register that a statement has set, if it is declared with it.
func (g *generator) settle(s *model.Stmt) {
	for _, v := range g.record.set(s) {
		var r int
		if _, err := fmt.Sscanf(v, "r%d", &r); err != nil {
			continue
		}
		delete(g.known, r)
		typed := s.Op == model.OpLet || g.record.writing && r == s.Reg && s.Expr != nil
		if typed && g.record.consts[v] && !g.big[r] && g.small(s.Expr) {
			if n := g.literals(s.Expr); n != nil {
				g.learn(map[int][]int64{r: n})
			}
		}
	}
}
