// Proofs: what holds for a bound schema before it is used.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// prove reports the mistakes of a schema whose names are bound. It checks
// offsets and lengths (layout.go), that a reader gets back what a writer computes
// (derive.go), that a program for the schema is small enough (limit.go), and that values
// end and use up their input (progress.go). It sets Fixed and Bytes of every [Type].
//
// The binder calls it once for each choice, also if it has found mistakes. An
// expression with a mistake is a bad Num, an unknown type a Number without a scalar.
func (r *resolver) prove(s *Schema) {
	p := &prover{r: r, s: s, sizes: map[*Record]*fixedSize{}}
	p.layout()
	p.derive()
	p.records()
	p.writes()
	for _, step := range []func(){p.units, p.places, p.progress, p.stranded, p.spares} {
		if len(r.diags) == 0 {
			step()
		}
	}
}

// prover proves a schema for one choice of its option.
type prover struct {
	r       *resolver
	s       *Schema
	sizes   map[*Record]*fixedSize // bytes of records, nil if they depend on content
	reached []unit                 // that the root contains
	least   map[unit]uint64        // fewest bytes
	cases   int                    // values with which sizes were tried
}

// writes reports arms that a writer puts in place of another one although they hold
// something other than one text.
func (p *prover) writes() {
	const hint = "name an arm with one text, or write absent"
	for _, u := range p.s.Unions {
		for _, a := range u.Arms {
			for _, w := range a.Writes {
				if w.Arm == nil {
					continue
				}
				if len(w.Arm.Stored) != 1 || w.Arm.Stored[0].Text == nil {
					p.r.errorf(w.Pos, 6, dsl.CodeArgs, "%s.%s does not hold one text", u.Name, w.Arm.Name).WithHint(hint)
				} else if text := w.Arm.Stored[0]; !w.Arm.possible(text) {
					p.r.errorf(w.Pos, 6, dsl.CodeArgs, "%s.%s does not hold the text, since %s is never there", u.Name, w.Arm.Name, text.Name).WithHint(hint)
				}
			}
		}
	}
}

// possible reports whether some row of a field can be there: its conditions are not false for all values.
func (rec *Record) possible(f *Field) bool {
	found := false
	(*deriver)(nil).each(rec.Body, nil, func(n Node, at way) {
		never := slices.ContainsFunc(at, func(s step) bool {
			n, constant := s.cond.constant()
			return constant && (n != 0) != s.want
		})
		row, ok := n.(*Row)
		found = found || ok && row.Field == f && !never
	})
	return found
}

// bodies calls f for every named record and every arm.
func (s *Schema) bodies(f func(name string, rec *Record)) {
	for _, rec := range s.Records {
		f(rec.Name, rec)
	}
	for _, u := range s.Unions {
		for _, a := range u.Arms {
			f(a.Name, a.Record)
		}
	}
}

// constant returns the value of an expression of numbers only.
func (e *Expr) constant() (int64, bool) {
	if e.Op == builtin.Num {
		return e.Num, !e.bad
	}
	var x [2]int64
	for i, a := range e.Args {
		n, ok := a.constant()
		if !ok || i == len(x) {
			return 0, false
		}
		x[i] = n
	}
	return e.Op.Apply(x[0], x[1])
}
