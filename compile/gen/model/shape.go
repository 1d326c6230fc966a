// Shapes: what there is to declare for a field.

package model

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// shapes finds the shape of each field from the statements that read it.
func (b *builder) shapes() error {
	b.m.Each(func(_ *Routine, t *Type, body []*Stmt) {
		Walk(body, func(s *Stmt) {
			if s.Op == OpAbsent {
				t.Fields[s.Cell].Optional = true
			}
		})
		set := assigned(body)
		for i, f := range t.Fields {
			f.Optional = f.Optional || !set[i]
		}
	})
	for _, r := range b.m.Routines {
		switch {
		case r.Union != nil:
			r.Shape = &Shape{Kind: Union, Routine: r}
		case r.transparent():
			r.Shape = &Shape{} // that of the field, below
		default:
			r.Shape = &Shape{Kind: Record, Type: r.Type, Routine: r}
		}
	}
	for _, r := range b.m.Routines {
		if r.Union != nil {
			for _, a := range r.Union.Arms {
				b.fields(a.Type, a.Body)
			}
		} else {
			b.fields(r.Type, r.Body)
		}
	}
	if err := b.endless(); err != nil {
		return err
	}
	// A record that its only field represents has the shape of the field. It may be that
	// of another such record, so this is done until nothing changes.
	for range b.m.Routines {
		for _, t := range b.m.Types {
			for _, f := range t.Fields {
				f.Shape = b.common(b.forms[f])
			}
		}
		for _, r := range b.m.Routines {
			if r.transparent() {
				*r.Shape = *r.Type.Fields[0].Shape
				if !r.Type.Bare() {
					r.Shape.Type = r.Type
				}
			}
		}
	}
	return nil
}

// assigned returns the cells that statements set on every way through them.
func assigned(block []*Stmt) map[int]bool {
	out := map[int]bool{}
	for _, s := range block {
		switch {
		case s.Op.Keeps():
			out[s.Cell] = true
		case s.Op == OpIf:
			yes, no := assigned(s.Then), assigned(s.Else)
			for c := range yes {
				out[c] = out[c] || no[c]
			}
		}
	}
	return out
}

// transparent reports whether the values of a routine are those of a record's only
// field.
func (r *Routine) transparent() bool {
	return r.Union == nil && r.Type.Alone() != nil && r.Type.Lanes == nil
}

// endless returns an error if a record contains itself and nothing else, which
// would be a type without an end.
func (b *builder) endless() error {
	owner := map[*Shape]*Routine{}
	for _, r := range b.m.Routines {
		if r.transparent() {
			owner[r.Shape] = r
		}
	}
	const open, done = 1, 2
	state := map[*Shape]int{}
	var visit func(s *Shape) error
	visit = func(s *Shape) error {
		r := owner[s]
		switch {
		case s == nil || state[s] == done:
			return nil
		case state[s] == open:
			return &Unsupported{Target: "generated code", Parts: []string{fmt.Sprintf("record %s, which holds %s and nothing else; give it a second field, or put a union between", r.Name, r.Name)}}
		}
		state[s] = open
		parts := []*Shape{s.Key, s.Elem}
		if r != nil {
			parts = []*Shape{r.Type.Fields[0].Shape}
		}
		for _, p := range parts {
			if err := visit(p); err != nil {
				return err
			}
		}
		state[s] = done
		return nil
	}
	for _, r := range b.m.Routines {
		if err := visit(r.Shape); err != nil {
			return err
		}
	}
	return nil
}

// fields notes the shapes of the forms of the fields of a type, and sets the descriptions
// of their rows. If a record is in place of a row, the description is that of the record's
// row. Until the shapes of all records are known, a field has that of its first form.
func (b *builder) fields(t *Type, body []*Stmt) {
	described := map[*Field]bool{}
	Walk(body, func(s *Stmt) {
		if !s.Op.Keeps() {
			return
		}
		f := t.Fields[s.Cell]
		if doc := b.docs[s.Rule]; doc != "" && f.Name != "" && !described[f] {
			f.Doc, described[f] = doc, true
		}
		b.forms[f] = append(b.forms[f], b.shape(t, s, body))
	})
	for _, f := range t.Fields {
		if b.forms[f] == nil { // no way leads to it
			b.forms[f] = []*Shape{{Kind: Unit}}
		}
		f.Shape = b.forms[f][0]
	}
}

// common returns the shape of a field with forms of some shapes. These differ in nothing but
// their scalars, and the result has all of them.
func (b *builder) common(forms []*Shape) *Shape {
	if len(forms) == 1 {
		return forms[0]
	}
	out := *forms[0]
	out.Scalars = slices.Clone(out.Scalars)
	for _, s := range forms[1:] {
		for _, x := range s.Scalars {
			if !slices.Contains(out.Scalars, x) {
				out.Scalars = append(out.Scalars, x)
			}
		}
	}
	b.prefer(&out)
	return &out
}

// prefer puts first the scalar that is written unless something asks for another. For whole
// numbers it is the widest, which holds all others. For other numbers it is that of the choice:
// the narrow one, unless the schema is resolved for the wider one.
func (b *builder) prefer(s *Shape) {
	if len(s.Scalars) < 2 {
		return
	}
	wide := s.Kind == Number
	if !wide && s.Scalars[0].IsFloat() {
		wide = b.wideByDefault()
	}
	slices.SortStableFunc(s.Scalars, func(x, y builtin.Scalar) int {
		if wide {
			return y.Width() - x.Width()
		}
		return x.Width() - y.Width()
	})
}

// wideByDefault reports whether the choice of the option is the wider float.
func (b *builder) wideByDefault() bool {
	return b.s.Choice != nil && b.s.Choice.Scalar == builtin.F64
}

func (b *builder) shape(t *Type, s *Stmt, body []*Stmt) *Shape {
	switch s.Op {
	case OpScalars:
		return &Shape{Kind: Number, Scalars: []builtin.Scalar{s.Scalar}}
	case OpTruth:
		return &Shape{Kind: Bool}
	case OpTake:
		if s.Take == builtin.Bool {
			return &Shape{Kind: Bool}
		}
		return &Shape{Kind: Number, Scalars: []builtin.Scalar{taken(s, body)}}
	case OpArmRef:
		return &Shape{Kind: ArmName, Routine: s.Elem}
	case OpLanes:
		return &Shape{Kind: Lanes, Scalars: []builtin.Scalar{s.Scalar}, Width: s.Width, Names: t.Lanes}
	case OpText:
		return &Shape{Kind: Text, Encoding: s.Encoding}
	case OpPacked:
		return &Shape{Kind: Packed, Scalars: []builtin.Scalar{s.Scalar}, Width: s.Width}
	case OpList, OpRest:
		return &Shape{Kind: List, Elem: s.Elem.Shape}
	case OpMap:
		return &Shape{Kind: Map, Key: s.Key.Shape, Elem: s.Elem.Shape}
	}
	return s.Elem.Shape // Call
}

// taken returns the scalar of the numbers in the register that a statement keeps in a cell. It
// is that of the last word before the statement, or the narrowest one for the numbers of a let.
func taken(s *Stmt, body []*Stmt) builtin.Scalar {
	scalars := []builtin.Scalar{builtin.U64, builtin.U32, builtin.U16, builtin.U8}
	if s.Take == builtin.Int {
		scalars = []builtin.Scalar{builtin.I64, builtin.I32, builtin.I16, builtin.I8}
	}
	out, passed := scalars[0], false
	Walk(body, func(x *Stmt) {
		if passed = passed || x == s; passed || x.Reg != s.Reg {
			return
		}
		switch x.Op {
		case OpWord, OpHeader:
			out = x.Scalar
		case OpLet:
			out = scalars[0]
			for _, n := range scalars[1:] {
				if x.Expr.Fits(n) {
					out = n
				}
			}
		}
	})
	return out
}

// natural marks arms of the root's union for which languages have built-in values. It marks the
// first arm without content, and the first each with true or false, with a whole number, with
// another number, and with text.
func (b *builder) natural() {
	u := b.m.Root.Union
	if u == nil {
		return
	}
	seen := map[string]bool{}
	for _, a := range u.Arms {
		if a.Else {
			continue
		}
		what := ""
		switch f := a.Type.Alone(); {
		case len(a.Type.Fields) == 0:
			what = "unit"
		case f == nil || f.Optional:
		case f.Shape.Kind == Bool:
			what = "bool"
		case f.Shape.Kind == Text:
			what = "text"
		case f.Shape.Kind == Number && f.Shape.Scalar().IsFloat():
			what = "real"
		case f.Shape.Kind == Number && f.Shape.Scalar().Signed():
			what = "int"
		}
		if what != "" && !seen[what] {
			seen[what] = true
			a.Type.Natural = true
		}
	}
}
