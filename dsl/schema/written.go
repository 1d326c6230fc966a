// Written values: what a writer computes for fields that are not stored.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// written is an expression that a writer computes at a moment.
type written struct {
	x      *Expr
	moment int
}

// derive notes what a writer computes for a field in a row. The other forms of a field
// must compute the same as the first.
func (s *scope) derive(f *Field, value, write *Expr, pos dsl.Pos, other bool) {
	if write != nil {
		value = write
	}
	if !other {
		f.Derive = value
	} else if !value.equal(f.Derive) {
		s.differently(pos, f)
	}
}

// keepWidths wraps what a writer computes for the flags that select between two forms
// of a row, so that they also obey a caller who keeps widths.
func (s *scope) keepWidths() {
	for _, forms := range s.forms {
		for k := range len(forms.Rows) - 1 {
			first, second := forms.Rows[k], forms.Rows[k+1]
			condition, narrow := second.When, first
			if !first.When.opposite(condition) {
				continue
			}
			if condition.Op == builtin.Not {
				condition, narrow = condition.Args[0], second
			}
			t := narrow.Type
			if condition.Op != builtin.Ref || condition.Field.Derive == nil || forms.Field.Index < 0 || t.Form != Number && t.Form != Array || !t.Scalar.Valid() {
				continue
			}
			flag := condition.Field
			flag.Derive = &Expr{Op: builtin.Keep, Pos: first.Pos, Field: forms.Field, Scalar: t.Scalar, Args: []*Expr{flag.Derive}}
		}
	}
	if flag := s.rec.Selector; flag != nil {
		for _, f := range s.rec.Stored {
			if f.selected() {
				flag.Derive = &Expr{Op: builtin.KeepAll, Pos: flag.Pos, Field: f, Args: []*Expr{flag.Derive}}
				break
			}
		}
	}
}

// selected reports whether the record's selector selects the scalar of the field.
func (f *Field) selected() bool {
	var t *Type
	switch n := f.Node.(type) {
	case *Row:
		t = n.Type
	case *List:
		t = n.Elem
	case nil:
		t = f.Record.Tuple.Type // the tuple of the record has no node
	}
	return t != nil && t.Narrow != builtin.NoScalar
}

// sizes binds the words that hold the size of a row after them.
func (s *scope) sizes() {
	for _, f := range s.rec.Fields {
		row, ok := f.Node.(*Row)
		if !ok || f.Derive == nil {
			continue
		}
		var taken []*Expr
		sizesIn(f.Derive, &taken)
		if len(taken) == 0 {
			continue
		}
		if len(taken) > 1 {
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "a word can hold the size of one row, not of %d", len(taken)).WithHint("put the rows into a type, and take the size of the row that holds it")
			continue
		}
		target := taken[0].Field
		switch {
		case row.Type.Form == Truth:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "%s is a truth, which holds no size", f.Name).
				WithHint("give the row an integer type")
		case target == nil || target.state.passed <= f.state.passed:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "the size that %s holds is of a row that is not after it in this record", f.Name).
				WithHint("a writer measures what it writes after the word; put the word before that row")
		case target.Measured != nil:
			s.errorf(row.Pos, 1, dsl.CodeUnderived, "the size of %s is in %s already", target.Name, target.Measured.Name).
				WithHint("keep one of the words")
		default:
			f.Measures, target.Measured = target, f
		}
	}
}

// early is an expression that a writer evaluates at a moment, as a reader does.
type early struct {
	x      *Expr
	moment int
	of     *Type // that it is an argument of, or nil
	index  int   // of the argument
}

// needed reports whether a number that depends on the expression is used.
func (e *early) needed() bool {
	switch {
	case e.of == nil:
		return true
	case e.of.Form == OfRecord:
		return e.index >= len(e.of.Record.Params) || e.of.Record.Params[e.index].Used
	}
	u := e.of.Union
	return e.index >= len(u.Params) || u.Params[e.index].Used || u.Params[e.index] == u.By
}

// tooEarly reports expressions that a writer evaluates before it has the size that a word
// in them holds.
func (s *scope) tooEarly() {
	for _, e := range s.early {
		if e.needed() {
			s.unmeasured(e.x, e.moment, nil, map[*Field]bool{})
		}
	}
}

// unmeasured reports the first word in an expression, and in lets that it names, whose
// size a writer does not have at a moment. It reports whether there is one. At is the
// name in the expression that led to x, or nil.
func (s *scope) unmeasured(x *Expr, moment int, at *Expr, seen map[*Field]bool) bool {
	if f := x.Field; x.Op == builtin.Ref && f != nil && !seen[f] {
		seen[f] = true
		if at == nil {
			at = x
		}
		switch {
		case f.Let != nil:
			return s.unmeasured(f.Let, f.state.defined, at, seen)
		case f.Measures != nil && f.Measures.state.passed > moment:
			s.name(at.name(), dsl.CodeDirection, "a writer has the size in %s only after %s", f.Name, f.Measures.Name).
				WithHint("put the condition after %s; only the size of a region may use %s before", f.Measures.Name, f.Name)
			return true
		}
	}
	return slices.ContainsFunc(x.Args, func(a *Expr) bool { return s.unmeasured(a, moment, at, seen) })
}

func sizesIn(x *Expr, out *[]*Expr) {
	if x.Op == builtin.Size {
		*out = append(*out, x)
		return
	}
	for _, a := range x.Args {
		sizesIn(a, out)
	}
}

// derivations checks what a writer computes together with all that it is computed from.
func (s *scope) derivations() {
	for _, w := range s.written {
		s.expand(w.x, writing, w.moment)
	}
	for _, w := range s.written {
		var taken []*Expr
		sizesIn(w.x, &taken)
		for _, x := range taken {
			x.Args = nil
		}
	}
}

// The limits of one expression, together with what it is computed from.
const (
	maxDepth = 100
	maxSteps = 1000
)

// expansion visits an expression and, if a writer computes it, what the fields in it
// are computed from.
type expansion struct {
	*scope
	dir    direction
	moment int
	steps  int
	failed bool
}

// expand reports an expression that is too long or defined by itself, or that a writer
// cannot compute at a moment.
func (s *scope) expand(x *Expr, dir direction, moment int) {
	e := &expansion{scope: s, dir: dir, moment: moment}
	e.visit(x, 0, s.measure[x])
}

// visit visits an expression; row reports whether it is in the value of a whole row.
func (e *expansion) visit(x *Expr, depth int, row bool) {
	if e.failed {
		return
	}
	if depth > maxDepth || e.steps > maxSteps {
		e.failed = true
		e.errorf(x.Pos, 1, dsl.CodeArgs, "the expression is too long, or defined by itself").WithHint("follow the names in it: one of them must not lead back here")
		return
	}
	e.steps++
	switch x.Op {
	case builtin.Ref:
		if e.dir == writing {
			e.field(x, depth)
		}
		return
	case builtin.Size:
		if !row {
			e.failed = true
			name := x.Args[0].name()
			e.name(name, dsl.CodeUnderived, "the size of %s is known only in the value of a whole row that is before it", name.Text).
				WithHint("write it as the value of a row above that of %s", name.Text)
		}
		return
	}
	for _, a := range x.Args {
		e.visit(a, depth+1, row)
	}
}

// field visits what a field is computed from.
func (e *expansion) field(x *Expr, depth int) {
	f := x.Field
	switch {
	case f.Index >= 0 && f.Derive != nil:
		e.failed = true
		e.name(x.name(), dsl.CodeDirection, "a writer puts another number in place of %s, so nothing that it writes is computed from it", f.Name).WithHint("use the expression after write in place of the name")
	case f.Param || f.Index >= 0:
	case f.Let != nil:
		e.visit(f.Let, depth+1, false)
	case f.Derive != nil:
		e.visit(f.Derive, depth+1, false)
	case f.state.number == 0 || f.state.number > e.moment:
		e.failed = true
		e.name(x.name(), dsl.CodeDirection, "%s is not a number that a writer knows here", f.Name).WithHint("use a field that is stored, or computed from stored fields")
	}
}
