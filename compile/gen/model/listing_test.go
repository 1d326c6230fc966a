// A listing of a model, as tests compare it.

package model_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// listing prints what a model says of its types and routines.
func listing(m *model.Model) string {
	l := &lister{m: m}
	l.f("model %s, choice %q, depth %d, root %s, gates %q, calls counted %t\n", m.Schema, m.Choice, m.Depth, m.Root.Name, m.Gates, m.CountCalls)
	for _, t := range m.Types {
		l.f("\ntype %d %q", t.Tag, t.Called())
		if t.Union != "" {
			l.f(" of %s %s else %t natural %t", t.Union, cmp.Or(t.IDs.String(), "0"), t.Else, t.Natural)
		}
		if t.Keys != (model.Keys{}) {
			l.f(" keys %+v", t.Keys)
		}
		l.f("%s\n", docOf(t.Doc))
		for _, f := range t.Fields {
			l.f("\t%s %s", f.Name, shapeOf(f.Shape))
			if f.Alone {
				l.f(" alone")
			}
			if f.Optional {
				l.f(" optional")
			}
			l.f("%s\n", docOf([]string{f.Doc}))
		}
		for _, w := range t.Writes {
			l.f("\twrites absent %t %s %q when %s\n", w.Absent, w.Type.Name, w.Text, l.expr(w.When))
		}
	}
	for _, r := range m.Routines {
		l.f("\nroutine %s, %d arguments, exact %v, nests %t, at least %d bytes: %s\n", r.Name, r.Args, r.Exact, r.Nests, r.Min, shapeOf(r.Shape))
		if r.Union == nil {
			l.block(r.Body, "\t")
			continue
		}
		l.f("\tby %s of %s r%d\n", l.expr(r.Union.Expr), r.Union.Word, r.Union.Reg)
		for _, a := range r.Union.Arms {
			l.f("\tarm %d else %t %s, needs %v\n", a.ID, a.Else, a.Type.Name, a.Registers(r))
			l.block(a.Body, "\t\t")
		}
	}
	return l.String()
}

type lister struct {
	strings.Builder
	m *model.Model
}

func (l *lister) f(format string, args ...any) { fmt.Fprintf(l, format, args...) }

func docOf(doc []string) string {
	if s := strings.TrimSpace(strings.Join(doc, " ")); s != "" {
		return " // " + s
	}
	return ""
}

// block prints statements, one to a line, with what is not zero.
func (l *lister) block(block []*model.Stmt, indent string) {
	for _, s := range block {
		l.f("%s%s", indent, s.Op)
		part := func(when bool, format string, args ...any) {
			if when {
				l.f(" "+format, args...)
			}
		}
		part(s.Scalar != 0, "%s", s.Scalar)
		part(s.Wide, "wide")
		part(s.Width != 0, "by %d", s.Width)
		part(slices.Contains([]model.Op{model.OpWord, model.OpHeader, model.OpLet, model.OpMark, model.OpSize, model.OpPatch, model.OpTake, model.OpArmRef}, s.Op), "r%d", s.Reg)
		part(s.Place >= 0, "place r%d", s.Place)
		part(s.Op.Keeps() || s.Op == model.OpAbsent || s.Op == model.OpSubst || s.Op == model.OpExpect, "cell %d", s.Cell)
		part(s.Expr != nil, "%s", l.expr(s.Expr))
		part(s.Key != nil, "keys %s", name(s.Key))
		part(s.Elem != nil, "of %s", name(s.Elem))
		for _, a := range s.Args {
			part(true, "(%s)", l.expr(a))
		}
		part(s.Text != "", "%q", s.Text)
		part(s.Nonzero, "nonzero")
		part(s.Op == model.OpTake, "kind %d", s.Take)
		part(s.Align != 0, "to %d with %d", s.Align, s.Fill)
		part(s.OrEnd, "or end")
		part(s.Exact, "exact")
		part(s.Op == model.OpGate, "%d", s.Gate)
		part(s.Op == model.OpText, "encoding %d", s.Encoding)
		part(s.Step != "", "step %s", s.Step)
		part(s.Back != 0, "back %d", s.Back)
		l.f("\n")
		if s.Op == model.OpIf {
			l.block(s.Then, indent+"\t")
			l.f("%selse\n", indent)
			l.block(s.Else, indent+"\t")
		}
	}
}

func name(r *model.Routine) string {
	if r == nil {
		return ""
	}
	return r.Name
}

// expr prints an expression in prefix form, with the bounds of what is not a number
// where any are known.
func (l *lister) expr(e *model.Expr) string {
	if e == nil {
		return "always"
	}
	switch e.Op {
	case builtin.Num:
		return fmt.Sprint(e.Num)
	case builtin.Ref:
		return fmt.Sprintf("r%d", e.Reg)
	}
	out := "(" + model.ExprName(e.Op)
	if e.Op == builtin.Outside { // which the language does not name
		out += "outside"
	}
	if e.OfCell() {
		out += fmt.Sprintf(" cell %d", e.Cell)
	}
	if e.Op == builtin.Arm {
		out += " of " + l.m.Routines[e.Routine].Name
	}
	if e.Op == builtin.Outside {
		out += " " + e.Scalar.String()
	}
	for _, a := range e.Args {
		out += " " + l.expr(a)
	}
	return out + ")"
}

func shapeOf(s *model.Shape) string {
	if s == nil {
		return "none"
	}
	switch s.Kind {
	case model.Unit:
		return "unit"
	case model.Bool:
		return "bool"
	case model.Number:
		return fmt.Sprintf("number %v", s.Scalars)
	case model.Text:
		return fmt.Sprintf("text %d", s.Encoding)
	case model.Lanes:
		return fmt.Sprintf("%d lanes %v %q", s.Width, s.Scalars, s.Names)
	case model.Packed:
		return fmt.Sprintf("packed %d lanes %v", s.Width, s.Scalars)
	case model.List:
		return "list of " + shapeOf(s.Elem)
	case model.Map:
		return "map of " + shapeOf(s.Key) + " to " + shapeOf(s.Elem)
	case model.Union:
		return "union " + s.Routine.Name
	case model.Record:
		return "record " + s.Type.Name
	case model.ArmName:
		return "name of an arm of " + s.Routine.Name
	}
	return fmt.Sprintf("kind %d", s.Kind)
}
