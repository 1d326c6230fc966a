// Numbers of forms: which form of a row a writer chooses for a value.

package schema

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// formNumber binds form(f): the number of the form in which a value is written.
func (s *scope) formNumber(x, arg *Expr) *Expr {
	f := s.names[arg.Name]
	s.index.field(arg.name(), f)
	switch {
	case x != s.whole:
		s.name(x.name(), dsl.CodeArgs, "form(%s) is the whole value of a field", arg.Name).
			WithHint("for example: wide = form(%s), and the row "+byExample, arg.Name, arg.Name)
	case f == nil:
		d := s.name(arg.name(), dsl.CodeUnknown, "there is no field %s", arg.Name).WithHint("form takes a row with several forms")
		s.near(d, arg.Name, s.visible)
	case f.Forms == nil:
		s.name(arg.name(), dsl.CodeArgs, "%s has one form", arg.Name).
			WithHint("form takes a row with several forms: "+byExample, arg.Name)
	default:
		x.Field, x.Forms, x.Args = f, f.Forms, nil
		return x
	}
	return mistake(x)
}

// formNumbers computes the numbers of forms from the values of their fields.
func (s *scope) formNumbers() {
	for _, n := range s.forms {
		var x *Expr
		for _, f := range n.computed {
			if n.Selector.Op == builtin.Ref && n.Selector.Field == f {
				n.Number, x = f, f.Derive
				continue
			}
			if *f.Derive = *mistake(f.Derive); n.Selector.bad {
				continue
			}
			s.errorf(f.Pos, len(f.Name), dsl.CodeInverse, "%s has the number of a form of %s, but does not select the form", f.Name, n.Field.Name).
				WithHint("write the row of %s with `by %s { … }`", n.Field.Name, f.Name)
		}
		if x == nil && s.ofArm(n) {
			x = &Expr{Op: builtin.Form, Pos: n.Pos, Field: n.Field, Forms: n}
			n.Arm = s.rec.Arm
			n.Arm.Form = x
		}
		if x == nil {
			s.unchosen(n)
			continue
		}
		if !s.ordered(n, x.Pos) {
			n.Number, n.Arm = nil, nil
			*x = *mistake(x)
			continue
		}
		if len(n.Rows) > 2 {
			for _, row := range n.Rows {
				row.Wide = false // one mark does not say which form a value had
			}
		}
		x.Args = []*Expr{n.number(x.Pos)}
		if !n.Any {
			s.shortest(n)
		}
	}
}

// ofArm reports whether the forms determine the number of the arm. The arm has several numbers,
// the word of the union selects the form, and the row is always there.
func (s *scope) ofArm(n *Forms) bool {
	a := s.rec.Arm
	return a != nil && a.Several() && !a.Else && a.Form == nil && a.named() == 0 && s.word != nil && a.Union.By == s.word.Field &&
		n.Selector.Op == builtin.Ref && n.Selector.Field == s.word.Field && slices.Contains(a.Body, Node(n))
}

// unchosen reports what forms cannot have whose number is stored.
func (s *scope) unchosen(n *Forms) {
	if n.any != nil {
		s.errorf(n.any.Pos, len("any"), dsl.CodeArgs, "any means nothing for %s, since no writer computes its form from it", n.Field.Name).
			WithHint("leave it out, or give the field that selects the form the value form(%s)", n.Field.Name).Replace("any", "")
	}
	for _, row := range n.Rows {
		if row.Inline != nil && !row.Inline.bad {
			d := s.errorf(row.Pos, 1, dsl.CodeInverse, "%s has a form without bytes, but no writer computes the form from it", n.Field.Name).
				WithHint("give the field that selects the form the value form(%s)", n.Field.Name)
			if f := n.Selector.Field; n.Selector.Op == builtin.Ref && f != nil && f.Derive == nil {
				d.ReplaceAt(f.Pos, f.Name, f.Name+" = form("+n.Field.Name+")")
			}
			return
		}
	}
}

// ordered reports whether a number can be computed for the form of each value. Each form has
// one number for each value that it holds, and holds some value that no form before it holds.
func (s *scope) ordered(n *Forms, pos dsl.Pos) bool {
	at := &dsl.Name{Pos: pos, Text: "form"}
	var before builtin.Ranges
	for k, row := range n.Rows {
		t := row.Type
		switch {
		case t.Form != Number || len(row.Bits) > 0:
			s.name(at, dsl.CodeArgs, "form(%s) needs forms that are numbers", n.Field.Name).WithHint("store the number of the form, or compute it from stored fields")
			return false
		case !t.Scalar.Valid() || len(row.IDs) == 0 || row.Inline != nil && row.Inline.bad:
			return false // of an unknown type
		case row.Inline == nil && row.IDs.Several():
			s.errorf(row.Pos, 1, dsl.CodeInverse, "the number of form %s of %s is not determined: it has several", t.Name, n.Field.Name).
				WithHint("give the form one number")
			return false
		case t.Scalar.IsFloat() && row.Inline != nil:
			return false // reported
		case t.Scalar.IsFloat():
			if k > 0 && t.width() <= n.Rows[k-1].Type.width() {
				s.never(n, row)
				return false
			}
			continue
		}
		held := row.held()
		switch left := held.Without(before); {
		case row.Inline != nil && k == len(n.Rows)-1:
			s.errorf(row.Pos, 1, dsl.CodeInverse, "the last form of %s has no bytes", n.Field.Name).
				WithHint("put it before the forms with types, of which the last holds every number")
			return false
		case len(held.Without(n.Rows[len(n.Rows)-1].widest())) > 0:
			s.errorf(row.Pos, 1, dsl.CodeRange, "the form of %s has numbers that its last form does not hold", n.Field.Name).
				WithHint("correct the number of the form, or its value")
			return false
		case len(left) == 0:
			s.never(n, row)
			return false
		}
		before = builtin.Join(append(before, held...)...)
	}
	return true
}

// never reports a form that no writer chooses.
func (s *scope) never(n *Forms, row *Row) {
	name := row.Type.Name
	if row.Inline != nil {
		name = "= " + Notation{}.Text(row.Inline)
	}
	s.errorf(row.Pos, 1, dsl.CodeInverse, "no value is written in the form %s of %s, since forms are tried in order", name, n.Field.Name).
		WithHint("put narrow forms before wide ones")
}

// number returns the number of the first form that holds the value.
func (n *Forms) number(pos dsl.Pos) *Expr {
	if slices.ContainsFunc(n.Rows, func(r *Row) bool { return r.Inline != nil }) {
		return n.inlineNumber(pos)
	}
	var sum, before *Expr
	last := int64(n.Rows[0].IDs[0].Lo)
	if last != 0 {
		sum = &Expr{Op: builtin.Num, Pos: pos, Num: last}
	}
	for k, row := range n.Rows[1:] {
		x := &Expr{Op: builtin.Outside, Pos: pos, Field: n.Field, Scalar: n.Rows[k].Type.Scalar}
		switch {
		case n.Field.Index >= 0 && n.Any && len(n.Rows) == 2:
			x = n.keep(x, x.Scalar, false)
		case n.Field.Index < 0:
			x = &Expr{Op: builtin.Not, Pos: pos, Args: []*Expr{n.among(n.Rows[k].held())}}
		}
		if before != nil && row.Type.Scalar.IsFloat() {
			x = binary(builtin.Both, before, x) // f16 holds NaN, but f32 does not
		}
		before = x
		next := int64(row.IDs[0].Lo)
		if len(n.Rows) == 2 && last == 1 && next == 0 {
			return &Expr{Op: builtin.Not, Pos: pos, Args: []*Expr{x}}
		}
		if step := next - last; step != 1 {
			x = binary(builtin.Mul, x, &Expr{Op: builtin.Num, Pos: pos, Num: step})
		}
		if sum == nil {
			sum = x
		} else {
			sum = binary(builtin.Add, sum, x)
		}
		last = next
	}
	if sum == nil {
		return &Expr{Op: builtin.Num, Pos: pos}
	}
	return sum
}

// inlineNumber returns the number of the first form that holds the value, if some form has no
// bytes. It is the number of the last form plus, for each other form, the difference from it
// times whether it is the first that holds the value.
func (n *Forms) inlineNumber(pos dsl.Pos) *Expr {
	rows := n.Rows[:len(n.Rows)-1]
	last := n.Rows[len(rows)]
	sum := last.numberOf(n, pos, 0)
	var before builtin.Ranges
	for _, row := range rows {
		held := row.held()
		x := binary(builtin.Mul, n.among(held.Without(before)), row.numberOf(n, pos, last.base()))
		sum = binary(builtin.Add, sum, x)
		before = builtin.Join(append(before, held...)...)
	}
	return sum
}

// base returns the number of the form for the value 0.
func (r *Row) base() int64 {
	if r.Inline == nil || r.Inline.Op == builtin.Num {
		return int64(r.IDs[0].Lo)
	}
	return -r.offset()
}

// offset returns what the value of a form without bytes has more than its number.
func (r *Row) offset() int64 {
	switch x := r.Inline; x.Op {
	case builtin.Add:
		return x.Args[1].Num
	case builtin.Sub:
		return -x.Args[1].Num
	}
	return 0
}

// numberOf returns the number of the form for the value of the field, less some number.
func (r *Row) numberOf(n *Forms, pos dsl.Pos, less int64) *Expr {
	base := &Expr{Op: builtin.Num, Pos: pos, Num: r.base() - less}
	if r.Inline == nil || r.Inline.Op == builtin.Num {
		return base
	}
	op := builtin.Add
	if base.Num < 0 {
		op, base.Num = builtin.Sub, -base.Num
	}
	return binary(op, &Expr{Op: builtin.Ref, Pos: pos, Name: n.Field.Name, Field: n.Field}, base)
}

// shortest lets a reader refuse a number in a form if an earlier form holds it.
func (s *scope) shortest(n *Forms) {
	if n.Rows[0].Type.Scalar.IsFloat() {
		s.errorf(n.Pos, 1, dsl.CodeArgs, "a reader takes a float in any of its forms").
			WithHint("write `any` after the row of %s", n.Field.Name).ReplaceAt(n.end, "", " any")
		return
	}
	var before builtin.Ranges
	for _, row := range n.Rows {
		held := row.held()
		if !slices.Equal(held.Without(before), held) {
			n.Field.Used = true
			holds := n.among(before)
			row.Checks = append(row.Checks, &Check{Cond: &Expr{Op: builtin.Not, Pos: holds.Pos, Args: []*Expr{holds}}, Message: n.Field.Name + " has a shorter form"})
		}
		before = builtin.Join(append(before, held...)...)
	}
}

// held returns the integers that a form holds, in two's complement. Those of 64 bits without
// sign are up to 2^63.
func (r *Row) held() builtin.Ranges {
	if r.Inline == nil {
		return r.widest()
	}
	if r.Inline.Op == builtin.Num {
		return builtin.Integers(r.Inline.Num, r.Inline.Num)
	}
	var out []builtin.Range
	for _, ids := range r.IDs {
		if ids.Hi>>63 != 0 {
			return builtin.Integers(math.MinInt64, math.MaxInt64) // more than any type holds
		}
		out = append(out, builtin.Integers(int64(ids.Lo)+r.offset(), int64(ids.Hi)+r.offset())...)
	}
	return builtin.Join(out...)
}

// widest returns the integers that the type of a row holds, in two's complement.
func (r *Row) widest() builtin.Ranges {
	bits := 8 * r.Type.Scalar.Width()
	switch {
	case r.Type.Scalar.Signed():
		hi := Mask(bits - 1)
		return builtin.Integers(-hi-1, hi)
	case bits == 64:
		return builtin.Integers(0, math.MaxInt64)
	}
	return builtin.Integers(0, Mask(bits))
}

// among returns the condition that the number of the field is in a set, which is not empty.
func (n *Forms) among(ids builtin.Ranges) *Expr {
	return among(&Expr{Op: builtin.Ref, Pos: n.Pos, Name: n.Field.Name, Field: n.Field}, ids.Signed())
}
