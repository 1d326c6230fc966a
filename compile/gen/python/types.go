// The types of the module.

package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// typeOf is the type of a shape.
func (g *generator) typeOf(s *model.Shape) string {
	switch s.Kind {
	case model.Bool:
		return "bool"
	case model.Number:
		switch n := s.Scalar(); {
		case n == builtin.Code4:
			return "str"
		case n.IsFloat():
			return "float"
		}
		return "int"
	case model.Text:
		return g.text()
	case model.Lanes:
		return tuple(s)
	case model.Packed:
		switch {
		case s.Width == 1 && s.Scalar() == builtin.U8:
			return "bytes"
		case s.Width == 1:
			return "list[" + numberType(s.Scalar()) + "]"
		}
		return "list[" + tuple(s) + "]"
	case model.List:
		return "list[" + g.typeOf(s.Elem) + "]"
	case model.Map:
		return "list[tuple[" + g.typeOf(s.Key) + ", " + g.typeOf(s.Elem) + "]]"
	case model.Union:
		return g.union[s.Routine]
	case model.Record:
		return g.typeName[s.Type]
	case model.ArmName:
		return g.union[s.Routine] + "Type"
	}
	return "None"
}

func numberType(s builtin.Scalar) string {
	if s.IsFloat() {
		return "float"
	}
	return "int"
}

func tuple(s *model.Shape) string {
	return "tuple[" + strings.TrimSuffix(strings.Repeat(numberType(s.Scalar())+", ", s.Width), ", ") + "]"
}

// natural is the type of an arm that is a value of the language.
func (g *generator) natural(t *model.Type) string {
	if len(t.Fields) == 0 {
		return "None"
	}
	return g.typeOf(t.Fields[0].Shape)
}

// property is one field of a class.
type property struct {
	name, typ, doc string
	optional       bool
	absent         string // what an optional one is without a value
}

// Members returns the names of the fields of a class.
func Members(t *model.Type) []string { return t.MemberNames(member, "TYPE") }

// members are the fields of a class.
func (g *generator) members(t *model.Type) []property {
	names := Members(t)
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		var out []property
		for i := range f.Shape.Names {
			out = append(out, property{name: names[i], typ: numberType(f.Shape.Scalar())})
		}
		return out
	}
	var out []property
	for i, f := range t.Fields {
		out = append(out, property{name: names[i], typ: g.typeOf(f.Shape), doc: f.Doc, optional: f.Optional, absent: g.absent(f)})
	}
	return out
}

// absent is what stands for a field without a value: None, unless that is a value.
func (g *generator) absent(f *model.Field) string {
	if f.Shape.Kind == model.Union && hasNone(f.Shape.Routine) {
		return "Absent.ABSENT"
	}
	return "None"
}

// hasNone reports whether None is a value of a union.
func hasNone(r *model.Routine) bool {
	return slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return a.Type.Natural && len(a.Type.Fields) == 0 })
}

// optionalType is the type of a field that may have no value.
func optionalType(m property) string {
	if m.absent == "None" {
		return m.typ + " | None"
	}
	return m.typ + " | Absent"
}

// types prints the classes and unions.
func (g *generator) types() {
	absent := slices.ContainsFunc(g.m.Routines, func(r *model.Routine) bool {
		return r.Union != nil && hasNone(r) && slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return len(a.Type.Writes) > 0 })
	})
	for _, t := range g.m.Types {
		for _, f := range t.Fields {
			absent = absent || f.Optional && g.absent(f) != "None"
		}
	}
	if absent {
		g.f("class Absent(Enum):\n    \"\"\"No value, where None is one.\"\"\"\n\n    ABSENT = 0\n\n\n")
		s := strings.Replace(g.String(), "from math import inf\n", "from enum import Enum\nfrom math import inf\n", 1)
		g.Reset()
		g.WriteString(s)
	}
	done := map[*model.Type]bool{}
	g.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if done[t] || !isClass(t) {
			return
		}
		done[t] = true
		about := "What is in " + t.Called() + "."
		if t.Name == "" {
			about = "An element of " + r.Name + "."
		}
		g.f("@dataclass(slots=True)\nclass %s:\n%s\n", g.typeName[t], docstring("    ", about+" "+strings.Join(t.Doc, " ")))
		if t.Union != "" {
			g.f("    TYPE: ClassVar[str] = %q\n\n", t.Name)
		}
		var later []property
		print := func(m property) {
			typ, value := m.typ, ""
			if m.optional {
				typ, value = optionalType(m), " = "+m.absent
			}
			g.f("    %s: %s%s\n%s", m.name, typ, value, docstring("    ", m.doc))
		}
		for _, m := range g.members(t) {
			if m.optional {
				later = append(later, m)
			} else {
				print(m)
			}
		}
		for _, m := range later {
			print(m)
		}
		g.f("\n\n")
	})
	for _, r := range g.m.Routines {
		if r.Union == nil {
			continue
		}
		var all, names []string
		for _, a := range r.Union.Arms {
			if a.Type.Natural {
				all = append(all, g.natural(a.Type))
			} else {
				all = append(all, g.typeName[a.Type])
			}
			names = append(names, fmt.Sprintf("%q", a.Type.Name))
		}
		g.f("%s: TypeAlias = %q\n%s\n", g.union[r], strings.Join(all, " | "), docstring("", g.unionDoc(r)))
		if slices.Contains(g.m.NamedUnions(), r) {
			g.f("%sType: TypeAlias = Literal[\n    %s,\n]\n\"\"\"The types of %s, by name.\"\"\"\n\n", g.union[r], strings.Join(names, ",\n    "), g.union[r])
		}
	}
	if g.on["text"] {
		for i, e := range g.m.Encodings {
			drop := "False"
			if e.DropBOM {
				drop = "True"
			}
			g.f("_E%d = _Encoding(%q, %s, %q)  # %s\n", i, [...]string{"strict", "loose", "any"}[e.UTF8], drop, [...]string{"keep", "stop", "counted"}[e.NUL], e.Name)
		}
		g.f("\n")
	}
}

func (g *generator) unionDoc(r *model.Routine) string {
	var natural []string
	for _, a := range r.Union.Arms {
		if a.Type.Natural {
			natural = append(natural, fmt.Sprintf("%s is %s", a.Type.Name, g.natural(a.Type)))
		}
	}
	text := "A value of " + r.Name + "."
	if len(natural) > 0 {
		text += " Of the types of the format, " + strings.Join(natural, ", ") + "; each of the others is a class."
	}
	return text
}
