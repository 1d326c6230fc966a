// Literal types: the compiler gives a register one after a comparison with a constant, and
// refuses comparisons of disjoint types.

package typescript

import (
	"maps"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

// literals returns the values of a number whose printed type is a union of literals. It returns nil
// for the type number.
func (p *printer) literals(e *model.Expr) []int64 {
	switch {
	case e.Bool():
		return []int64{0, 1}
	case e.Op == builtin.Num:
		return []int64{e.Num}
	case e.Op == builtin.Ref:
		return p.known[e.Reg]
	case script.Narrow(e) != e:
		return p.literals(script.Narrow(e))
	case e.Op == model.ExprSelect:
		a, b := p.literals(e.Args[1]), p.literals(e.Args[2])
		if a != nil && b != nil {
			return slices.Concat(a, b)
		}
	}
	return nil
}

// compared prints a small expression for a comparison with others.
func (p *printer) compared(e *model.Expr, others []int64) string {
	s := p.number(e)
	own := p.literals(e)
	if own == nil || others == nil || slices.ContainsFunc(own, func(n int64) bool { return slices.Contains(others, n) }) {
		return s
	}
	return "(" + s + " as number)"
}

// facts returns the literal types of registers after a condition that holds, or does not.
func (p *printer) facts(e *model.Expr, holds bool) map[int][]int64 {
	// only returns the type of a number after a comparison with values: those of them that
	// it has, or those that it has beside them. It is nil if the type stays as it was.
	only := func(x *model.Expr, values []int64, in bool) map[int][]int64 {
		if x.Op != builtin.Ref || p.big[x.Reg] || values == nil {
			return nil
		}
		left := p.known[x.Reg]
		switch {
		case left == nil && in:
			return map[int][]int64{x.Reg: values}
		case in || len(values) == 1:
			left = slices.DeleteFunc(slices.Clone(left), func(n int64) bool { return slices.Contains(values, n) != in })
		}
		if len(left) == 0 {
			return nil
		}
		return map[int][]int64{x.Reg: left}
	}
	both := func(right bool) map[int][]int64 {
		out := map[int][]int64{}
		maps.Copy(out, p.facts(e.Args[1], right))
		maps.Copy(out, p.facts(e.Args[0], right))
		return out
	}
	either := func(right bool) map[int][]int64 {
		a, b, out := p.facts(e.Args[0], right), p.facts(e.Args[1], right), map[int][]int64{}
		for r := range a {
			if b[r] != nil {
				out[r] = slices.Concat(a[r], b[r])
			}
		}
		return out
	}
	switch e.Op {
	case builtin.Not:
		return p.facts(e.Args[0], !holds)
	case builtin.Eq, builtin.Ne:
		in := holds == (e.Op == builtin.Eq)
		out := only(e.Args[0], p.literals(e.Args[1]), in)
		if out == nil {
			out = only(e.Args[1], p.literals(e.Args[0]), in)
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
		return only(e, []int64{0}, !holds)
	}
	return nil
}

// learn adds literal types of registers.
func (p *printer) learn(facts map[int][]int64) {
	if p.known == nil {
		p.known = map[int][]int64{}
	}
	maps.Copy(p.known, facts)
}

// Assume adds the literal types after a condition that holds, or does not.
func (p *printer) Assume(e *model.Expr, holds bool) { p.learn(p.facts(e, holds)) }

// Under calls f with the literal types after a condition that holds, or does not.
func (p *printer) Under(e *model.Expr, holds bool, f func()) {
	before := maps.Clone(p.known)
	p.Assume(e, holds)
	f()
	p.known = before
}

// Settle notes the type of the register that a statement has set, if it is declared with it.
func (p *printer) Settle(s *model.Stmt) {
	v := p.Record.Sets(s)
	if v == nil || v.Field != nil {
		return
	}
	delete(p.known, v.Reg)
	typed := s.Op == model.OpLet || p.Record.Writing && v.Reg == s.Reg && s.Expr != nil
	if typed && p.Record.Variable(v.Name).Once && !p.big[v.Reg] && p.small(s.Expr) {
		if n := p.literals(s.Expr); n != nil {
			p.learn(map[int][]int64{v.Reg: n})
		}
	}
}
