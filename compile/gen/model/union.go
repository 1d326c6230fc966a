// Unions: the word that selects an arm, its bits, and the arms.

package model

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// unionBody makes the routine of a union. It has the word that selects an arm, if it reads one, then every
// arm in the order of their numbers.
func (b *builder) unionBody(r *Routine, u *schema.Union) {
	sw := &Switch{}
	r.Union = sw
	reg := slices.Index(u.Params, u.By)
	known := bound{}
	r.Rule = b.rule(u.Pos, u.Name, "")
	if word := u.Word; word != nil {
		r.Rule = b.rule(word.Pos, u.Name+"."+word.Field.Name, word.Doc)
		reg = len(u.Params)
		sw.Word, sw.Swapped, sw.Reg = word.Type.Scalar, word.Type.Swapped, reg
		if word.Type.Big != nil { // the last argument
			sw.Order = &Expr{Op: builtin.Ref, Reg: reg - 1, Max: 1}
		}
		known.lo, known.hi = ScalarBounds(sw.Word)
	} else {
		known = argument(b.bounds, r.Index, reg)
	}
	sw.Rule = r.Rule
	sw.Expr = &Expr{Op: builtin.Ref, Reg: reg, Min: known.lo, Max: known.hi}
	if u.Word != nil && u.By != u.Word.Field {
		sw.Expr = apply(builtin.And, apply(builtin.Shr, sw.Expr, num(int64(u.Lo))), num(schema.Mask(u.N)))
	}
	for _, a := range u.Sorted() {
		t := b.arms[a]
		t.Else = a.Else
		body := b.body(r, u.Params, a.Record, t)
		arm := &Arm{ID: a.ID, IDs: a.IDs, Else: a.Else, Type: t, Rule: body.Rule(a.Pos, "", "")}
		sw.Arms = append(sw.Arms, arm)
		arm.Body = body.whole(arm.Rule, func() {
			if u.Word != nil {
				body.read(body.slots.Reg(u.Word.Field), u.Word.Type.Scalar)
			}
			schema.BuildArm(a, arm.Rule, body)
		})
		body.writes(a)
	}
}

// Subst lets a writer put another value in place of a field.
func (b *body) Subst(f *schema.Field, rule int) {
	b.emit(OpSubst, rule, Stmt{Cell: b.slots.Cell(f), Elem: b.union(f.Union)})
}

// writes notes in the type of an arm what a writer puts in its place. A rule whose condition
// is constant has none, or is left out.
func (b *body) writes(a *schema.Arm) {
	for _, w := range a.Writes {
		out := Write{Absent: w.Absent, Type: b.m.Types[0], Text: w.Text}
		if w.When != nil {
			out.When = schema.Computed(w.When, terms{b})
		}
		if out.When != nil && out.When.Op == builtin.Num {
			if out.When.Num == 0 {
				continue
			}
			out.When = nil
		}
		if w.Arm != nil {
			out.Type = b.arms[w.Arm]
		}
		b.typ.Writes = append(b.typ.Writes, out)
		if out.When == nil {
			break // it decides
		}
	}
}

// Header makes the word of the union, with the number and the bits of the arm.
func (b *body) Header(a *schema.Arm, rule int) {
	word := a.Union.Word
	b.numbers(word.Type, false, rule, func(n number) {
		b.emit(OpHeader, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Reg: b.slots.Reg(word.Field), Expr: schema.Header(a, terms{b})})
	})
}
