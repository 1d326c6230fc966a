// Unions: the word that selects an arm, its bits, and the arms.

package model

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// unionBody makes the routine of a union: the word that selects an arm, if it reads
// one, then every arm in the order of their numbers.
func (b *builder) unionBody(r *Routine, u *schema.Union) {
	sw := &Switch{}
	r.Union = sw
	reg := slices.Index(u.Params, u.By)
	known := bound{}
	r.Rule = b.rule(u.Pos, u.Name, "")
	if word := u.Word; word != nil {
		r.Rule = b.rule(word.Pos, u.Name+"."+word.Field.Name, word.Doc)
		reg = len(u.Params)
		sw.Word, sw.Reg = word.Type.Scalar, reg
		known.lo, known.hi = ScalarBounds(sw.Word)
	} else {
		known = argument(b.bounds, r.Index, reg)
	}
	sw.Rule = r.Rule
	sw.Expr = &Expr{Op: bytecode.ExprReg, Reg: reg, Min: known.lo, Max: known.hi}
	if u.Word != nil && u.By != u.Word.Field {
		sw.Expr = apply(builtin.And, apply(builtin.Shr, sw.Expr, num(int64(u.Lo))), num(mask(u.N)))
	}
	for _, a := range u.Sorted() {
		t := b.arms[a]
		t.Else = a.Else
		body := b.body(r, u.Params, a.Record, t)
		arm := &Arm{ID: a.ID, Else: a.Else, Type: t, Rule: body.at(a.Pos, "", "")}
		sw.Arms = append(sw.Arms, arm)
		arm.Body = body.whole(func() {
			if u.Word != nil {
				body.read(body.reg(u.Word.Field), u.Word.Type.Scalar)
			}
			body.substitutions(arm.Rule)
			if u.Word != nil {
				body.header(a, arm.Rule)
			}
		})
		body.writes(a)
	}
}

// substitutions lets a writer put another value in place of fields whose union says so.
func (b *body) substitutions(rule int) {
	for _, f := range b.rec.Stored {
		if f.Union != nil && slices.ContainsFunc(f.Union.Arms, func(a *schema.Arm) bool { return len(a.Writes) > 0 }) {
			b.emit(bytecode.Subst, rule, Stmt{Cell: b.cellOf(f), Elem: b.union(f.Union)})
		}
	}
}

// writes notes in the type of an arm what a writer puts in its place.
func (b *body) writes(a *schema.Arm) {
	for _, w := range a.Writes {
		out := Write{Absent: w.Absent, Type: b.m.Types[0], Text: w.Text}
		if w.When != nil {
			out.When = b.tree(w.When, writing)
		}
		if w.Arm != nil {
			out.Type = b.arms[w.Arm]
		}
		b.typ.Writes = append(b.typ.Writes, out)
	}
}

// header writes the word of the union, with the number and the bits of the arm, and
// takes the bits from the word that the union has read.
func (b *body) header(a *schema.Arm, rule int) {
	u := a.Union
	word, scalar := b.reg(u.Word.Field), u.Word.Type.Scalar
	all := num(int64(a.ID << u.Lo))
	free := uint64(mask(8*scalar.Width())) &^ (uint64(mask(u.N)) << u.Lo)
	for _, bit := range a.Bits {
		all = apply(builtin.Add, all, b.shifted(bit))
		free &^= uint64(mask(bit.N)) << bit.Lo
	}
	b.emit(bytecode.Header, rule, Stmt{Scalar: scalar, Reg: word, Expr: all})
	b.takeBits(a.Bits, word)
	if u.Closed && free != 0 {
		b.refuse(rule, b.without(word, free), "bits are set that have no meaning here")
	}
}
