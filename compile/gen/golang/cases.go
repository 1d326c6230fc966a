// Numbers that depend on cases: sums of terms, of which at most one counts.

package golang

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// cases prints the computation of the number of a word by cases. The head of a row of several forms is a sum
// of products with conditions. It reports whether the number is such a sum, and no two conditions hold at
// once.
func (p *emitter) cases(s *model.Stmt) bool {
	var terms []*model.Expr // the last one first
	e := s.Expr.Args[0]
	for e.Op == builtin.Add && e.Args[1].Op == builtin.Mul && e.Args[1].Args[0].Bool() {
		terms = append(terms, e.Args[1])
		e = e.Args[0]
	}
	if len(terms) < 2 {
		return false
	}
	of, all := "", builtin.Ranges(nil)
	for _, t := range terms {
		x, ids, ok := p.g.holdsFor(t.Args[0])
		if !ok || of != "" && of != x || !slices.Equal(ids.Without(all), ids) {
			return false
		}
		of, all = x, builtin.Join(append(slices.Clone(all), ids...)...)
	}
	p.f("r%d = %s\nswitch n := %s; {\n", s.Reg, p.g.number(e, "w"), typedNumber(of))
	for _, t := range slices.Backward(terms) {
		_, ids, _ := p.g.holdsFor(t.Args[0])
		p.f("case %s:\nr%d += %s\n", among(ids), s.Reg, p.g.number(t.Args[1], "w"))
	}
	p.f("}\n")
	return true
}

// holdsFor returns the numbers for which a condition holds, and what they are compared with.
func (g *generator) holdsFor(e *model.Expr) (of string, ids builtin.Ranges, ok bool) {
	switch e.Op {
	case builtin.Eq, builtin.Le, builtin.Ge:
		n := e.Args[1]
		if n.Op != builtin.Num {
			return "", nil, false
		}
		lo, hi := n.Num, n.Num
		if e.Op == builtin.Le {
			lo = math.MinInt64
		} else if e.Op == builtin.Ge {
			hi = math.MaxInt64
		}
		return g.number(e.Args[0], "w"), builtin.Integers(lo, hi), true
	case builtin.Not:
		if !e.Args[0].Bool() {
			return "", nil, false
		}
		of, ids, ok := g.holdsFor(e.Args[0])
		return of, builtin.Integers(math.MinInt64, math.MaxInt64).Without(ids), ok
	case builtin.Both, builtin.Either:
		a, first, ok := g.holdsFor(e.Args[0])
		b, second, ok2 := g.holdsFor(e.Args[1])
		if !ok || !ok2 || a != b {
			return "", nil, false
		}
		if e.Op == builtin.Either {
			return a, builtin.Join(append(slices.Clone(first), second...)...), true
		}
		return a, first.Without(first.Without(second)), true
	}
	return "", nil, false
}

// bitField is a number in some bits of another one.
type bitField struct {
	of        string
	at, width int64
}

// bitFields returns the numbers that a sum puts into separate bits, each of which is tested to fit.
func (g *generator) bitFields(e *model.Expr) (all []bitField) {
	switch e.Op {
	case builtin.Add:
		return append(g.bitFields(e.Args[0]), g.bitFields(e.Args[1])...)
	case model.ExprFit:
		return []bitField{{of: g.number(e.Args[0], "w"), width: e.Num}}
	case builtin.Shl:
		if x, n := e.Args[0], e.Args[1]; x.Op == model.ExprFit && n.Op == builtin.Num {
			return []bitField{{of: g.number(x.Args[0], "w"), at: n.Num, width: x.Num}}
		}
	}
	return nil
}

// fieldIn returns the number in the bits that an expression takes out of a register. It returns "" if that is not
// known.
func (g *generator) fieldIn(e *model.Expr) string {
	if e.Op != builtin.And || e.Args[1].Op != builtin.Num {
		return ""
	}
	x, at := e.Args[0], int64(0)
	if x.Op == builtin.Shr && x.Args[1].Op == builtin.Num {
		x, at = x.Args[0], x.Args[1].Num
	}
	if x.Op != builtin.Ref {
		return ""
	}
	for _, f := range g.filled[x.Reg] {
		if f.at == at && e.Args[1].Num == 1<<f.width-1 {
			return f.of
		}
	}
	return ""
}
