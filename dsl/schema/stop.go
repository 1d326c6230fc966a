// Conditions that end lists: the last element is the first one for which one holds.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// stop binds the condition of a list whose elements are values of a declared type. It names the
// fields of a record, or the word of a union.
func (b *binder) stop(t *Type, d *dsl.TypeRef) {
	var at **Expr
	var s *scope
	switch cond := d.Extent.Cond; {
	case t.Form == OfRecord && t.Record.List != nil: // numbers of varying width
		b.noCondition(t, d)
		return
	case t.Form == OfRecord:
		at, s = &t.Record.Stop, b.scopes[t.Record]
		if t.Record.Tuple != nil {
			b.errorf(cond.Pos, 1, dsl.CodeArgs, "values of %s are tuples, whose numbers no condition names", t.Name).
				WithHint("write the rows in the list: repeat until … as NAME { | … | }")
			return
		}
	case t.Form == OfUnion && t.Union.Word == nil:
		b.errorf(cond.Pos, 1, dsl.CodeArgs, "an argument selects the arm of %s, so no condition is about its elements", t.Name).
			WithHint("a condition names the fields of a type, or the word of a union")
		return
	case t.Form == OfUnion:
		at, s = &t.Union.Stop, b.wordScope(t.Union)
	default:
		return // unreachable: a list of other types does not end at a condition
	}
	mistakes := len(b.diags)
	s.ending = true
	x := s.bits(fold(d.Extent.Cond), t.Union)
	x = s.resolve(x, reading)
	s.expand(x, reading, s.moment)
	s.ending = false
	if old := *at; len(b.diags) > mistakes {
		return
	} else if old != nil && !old.same(x) {
		b.errorf(d.Extent.Cond.Pos, 1, dsl.CodeTwice, "a list of %s ends at another condition in line %d", t.Name, old.Pos.Line).
			WithHint("all lists of a type end at one condition; put the value into a separate type")
		return
	}
	*at = x
}

// wordScope returns a scope with the arguments and the word of a union.
func (b *binder) wordScope(u *Union) *scope {
	s := b.scope(&Record{Path: u.Name, Fields: append(slices.Clone(u.Params), u.Word.Field)})
	for _, f := range s.rec.Fields {
		s.names[f.Name] = f
	}
	if u.By != nil {
		s.rec.Fields = append(s.rec.Fields, u.By)
	}
	return s
}

// bits writes out the bits that select the arm of a union, which may be nil, in an expression.
func (s *scope) bits(x *Expr, u *Union) *Expr {
	if u != nil && u.By != u.Word.Field && x.Op == builtin.Ref && x.Name == u.By.Name {
		s.index.field(x.name(), u.By) // before that of the word at the same place
		word := &Expr{Op: builtin.Ref, Pos: x.Pos, Name: u.Word.Field.Name}
		return binary(builtin.And, binary(builtin.Shr, word, &Expr{Op: builtin.Num, Pos: x.Pos, Num: int64(u.Lo)}), &Expr{Op: builtin.Num, Pos: x.Pos, Num: Mask(u.N)})
	}
	for i, a := range x.Args {
		x.Args[i] = s.bits(a, u)
	}
	return x
}

// same reports whether two expressions are the same tree.
func (e *Expr) same(o *Expr) bool {
	return e.Op == o.Op && e.Num == o.Num && e.Field == o.Field && e.Gate == o.Gate && e.Union == o.Union && slices.EqualFunc(e.Args, o.Args, (*Expr).same)
}

// Stop returns the condition that the last element of a list of a type fulfils. It is nil if
// lists of the type end otherwise.
func (t *Type) Stop() *Expr {
	if t.Form == OfUnion {
		return t.Union.Stop
	}
	return t.Record.Stop
}

// stop returns the condition at the end of a record, or nil.
func (r *Record) stop() *Expr {
	if r.Arm != nil {
		return r.Arm.Union.Stop
	}
	return r.Stop
}
