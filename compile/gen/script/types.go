// Types: declarations of records and unions, and the types of fields.

package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// text is the type of texts: with bytes, if the schema takes malformed ones.
func (g *Module) text() string {
	if g.On["bytesText"] {
		return g.l.Text + " | " + g.l.Bytes
	}
	return g.l.Text
}

// Type returns the type of a shape.
func (g *Module) Type(s *model.Shape) string {
	if t := Around(g.Model, s); t != nil {
		return g.Class[t]
	}
	switch s.Kind {
	case model.Bool:
		return g.l.Bool
	case model.Number:
		return g.l.Scalar(s.Scalar())
	case model.Text:
		return g.text()
	case model.Lanes:
		return g.TupleOf(slices.Repeat([]string{g.lane(s)}, s.Width)...)
	case model.Packed:
		return g.l.Packed(s)
	case model.List:
		return g.l.List(g.Type(s.Elem))
	case model.Map:
		return g.l.List(g.TupleOf(g.Type(s.Key), g.Type(s.Elem)))
	case model.Union:
		return g.Union[s.Routine]
	case model.Record:
		return g.Class[s.Type]
	case model.ArmName:
		return g.Union[s.Routine] + "Type"
	}
	return g.l.Missing
}

// Absent returns the value of a field that is absent.
func (g *Module) Absent(f *model.Field) string { return g.missing(f.Shape) }

func (g *Module) missing(s *model.Shape) string {
	if s.Kind == model.Union && HasNothing(s.Routine) {
		return g.l.Other
	}
	return g.l.Missing
}

// lane returns the type of a number of a tuple. Codes are numbers there.
func (g *Module) lane(s *model.Shape) string {
	if s.Scalar() == builtin.Code4 {
		return g.l.Scalar(builtin.U32)
	}
	return g.l.Scalar(s.Scalar())
}

// OrAbsent returns the type of values of a type, or the absent one.
func (g *Module) OrAbsent(typ, absent string) string {
	kind, _, _ := strings.Cut(absent, ".")
	return typ + " | " + kind
}

// TupleOf returns the type of tuples.
func (g *Module) TupleOf(parts ...string) string {
	return fmt.Sprintf(g.l.Tuple, strings.Join(parts, ", "))
}

// TypeOf returns the type of the values of a routine, or of one of its arms.
func (g *Module) TypeOf(r *model.Routine, a *model.Arm) string {
	switch {
	case a == nil:
		return g.Type(r.Shape)
	case a.Type.Natural:
		return g.Natural(a.Type)
	}
	return g.Class[a.Type]
}

// Natural returns the type of an arm that is a value of the language.
func (g *Module) Natural(t *model.Type) string {
	if len(t.Fields) == 0 {
		return g.l.Nothing
	}
	s := t.Fields[0].Shape
	if s.Kind == model.Number && !s.Scalar().IsFloat() {
		return g.l.Whole // in any width
	}
	return g.Type(s)
}

// CellType returns the type of a field while its record is read or written.
func (g *Module) CellType(cell int) string {
	switch t := g.Record.Type; {
	case g.Record.Named != nil:
		return g.Class[t]
	case t.Natural:
		return g.Natural(t)
	default:
		return g.Type(t.Fields[cell].Shape)
	}
}

// Member is a member of a declared type.
type Member struct {
	Name, Type, Doc string
	Optional        bool
	Absent          string // of an optional member, without a value
}

// Members returns the members of a type.
func (g *Module) Members(t *model.Type) []Member {
	var out []Member
	names := t.MemberNames(g.l.Member, g.l.Taken)
	if Named(t) {
		for i, n := range names {
			out = append(out, Member{Name: n, Type: g.lane(t.Fields[0].Shape), Doc: t.LaneDoc[i]})
		}
		return out
	}
	for i, f := range t.Fields {
		out = append(out, Member{Name: names[i], Type: g.Type(f.Shape), Doc: f.Doc, Optional: f.Optional, Absent: g.Absent(f)})
	}
	return out
}

// Named reports whether a type is a tuple of numbers with names.
func Named(t *model.Type) bool {
	f := t.Alone()
	return f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil
}

// types returns the declarations of records, then of unions.
func (g *Module) types() string {
	var out strings.Builder
	done := map[*model.Type]bool{}
	g.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if done[t] || !Declared(g.Model, t) {
			return
		}
		done[t] = true
		about := "The " + t.About() + "."
		if t.Name == "" {
			about = "An element of " + r.Name + "."
		}
		out.WriteString(g.Row("class", map[string]any{"Name": g.Class[t], "Type": t, "Doc": strings.TrimSpace(about + " " + strings.Join(t.Doc, " ")), "Members": g.Members(t)}) + "\n")
	})
	for _, r := range g.Routines {
		if r.Union == nil {
			continue
		}
		var types, names, natural []string
		for _, a := range r.Union.Arms {
			types, names = append(types, g.TypeOf(r, a)), append(names, Quote(a.Type.Name))
			if a.Type.Natural {
				natural = append(natural, a.Type.Name+" is "+g.Natural(a.Type))
			}
		}
		doc := "A value of the union " + r.Name + "."
		if natural != nil {
			doc += " Of the types of the format, " + strings.Join(natural, ", ") + "; " + g.l.Others + "."
		}
		out.WriteString(g.Row("union", map[string]any{
			"Name": g.Union[r], "Doc": doc, "Types": types, "Names": names, "Named": slices.Contains(g.NamedUnions(), r),
		}) + "\n")
	}
	return out.String()
}
