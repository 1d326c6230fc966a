// The types of the module.

package typescript

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
		return "boolean"
	case model.Number:
		switch n := s.Scalar(); {
		case n == builtin.Code4:
			return "string"
		case n.Width() == 8 && !n.IsFloat():
			return "bigint"
		}
		return "number"
	case model.Text:
		return g.text()
	case model.Lanes:
		return "[" + strings.TrimSuffix(strings.Repeat("number, ", s.Width), ", ") + "]"
	case model.Packed:
		var all []string
		for _, n := range s.Scalars {
			all = append(all, arrayOf(n))
		}
		return strings.Join(all, " | ")
	case model.List:
		t := g.typeOf(s.Elem)
		if strings.Contains(t, " | ") {
			t = "(" + t + ")"
		}
		return t + "[]"
	case model.Map:
		return "[" + g.typeOf(s.Key) + ", " + g.typeOf(s.Elem) + "][]"
	case model.Union:
		return g.routine[s.Routine]
	case model.Record:
		return g.typeName[s.Type]
	case model.ArmName:
		return g.routine[s.Routine] + "Type"
	}
	return "undefined"
}

// arrayOf is the array that holds numbers of a scalar.
func arrayOf(s builtin.Scalar) string {
	return [...]string{"", "Uint8Array", "Int8Array", "Uint16Array", "Int16Array", "Uint32Array", "Int32Array", "BigUint64Array", "BigInt64Array", "Float32Array", "Float64Array", "Uint32Array"}[s]
}

// natural is the type of an arm that is a value of the language.
func (g *generator) natural(t *model.Type) string {
	if len(t.Fields) == 0 {
		return "null"
	}
	s := t.Fields[0].Shape
	if s.Kind == model.Number && !s.Scalar().IsFloat() {
		return "bigint" // of any width, since number is for others
	}
	return g.typeOf(s)
}

// member is one property of an interface.
type member struct {
	name, typ, doc string
	optional       bool
}

// Members returns the names of the members of an interface.
func Members(t *model.Type) []string { return t.MemberNames(model.Camel, "$type") }

// members are the properties of an object.
func (g *generator) members(t *model.Type) []member {
	names := Members(t)
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		var out []member
		typ := "number"
		if n := f.Shape.Scalar(); n.Width() == 8 && !n.IsFloat() {
			typ = "bigint"
		}
		for i := range f.Shape.Names {
			out = append(out, member{name: names[i], typ: typ})
		}
		return out
	}
	var out []member
	for i, f := range t.Fields {
		out = append(out, member{name: names[i], typ: g.typeOf(f.Shape), doc: f.Doc, optional: f.Optional})
	}
	return out
}

// types prints the interfaces and unions.
func (g *generator) types() {
	done := map[*model.Type]bool{}
	g.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if done[t] || !g.isInterface(t) {
			return
		}
		done[t] = true
		about := "What is in " + t.Called() + "."
		if t.Name == "" {
			about = "An element of " + r.Name + "."
		}
		g.f("%sexport interface %s {\n", comment("", strings.TrimSpace(about+" "+strings.Join(t.Doc, " "))), g.typeName[t])
		if t.Union != "" {
			g.f("  readonly $type: %q;\n", t.Name)
		}
		for _, m := range g.members(t) {
			q, doc := "", m.doc
			if m.optional {
				q = "?"
			}
			g.f("%s  %s%s: %s%s;\n", comment("  ", doc), property(m.name), q, m.typ, orUndefined(m.optional))
		}
		g.f("}\n\n")
	})
	for _, r := range g.m.Routines {
		if r.Union == nil {
			continue
		}
		g.f("%sexport type %s =\n", comment("", g.unionDoc(r)), g.routine[r])
		var names, lines []string
		for _, a := range r.Union.Arms {
			typ := g.typeName[a.Type]
			if a.Type.Natural {
				typ = g.natural(a.Type)
			}
			lines = append(lines, fmt.Sprintf("  | %s", typ))
			names = append(names, fmt.Sprintf("  | %q", a.Type.Name))
		}
		g.f("%s;\n\n", strings.Join(lines, "\n"))
		if slices.Contains(g.m.NamedUnions(), r) {
			g.f("/** The types of %s, by name. */\nexport type %sType =\n%s;\n\n", g.routine[r], g.routine[r], strings.Join(names, "\n"))
		}
	}
	g.makers()
	if g.on["text"] {
		g.f("const encodings = {\n")
		for i, e := range g.m.Encodings {
			g.f("  e%d: { utf8: %q, dropBOM: %t, nul: %q }, // %s\n", i, [...]string{"strict", "loose", "any"}[e.UTF8], e.DropBOM, [...]string{"keep", "stop", "counted"}[e.NUL], e.Name)
		}
		g.f("} satisfies Record<string, Encoding>;\n\n")
	}
}

func orUndefined(optional bool) string {
	if optional {
		return " | undefined"
	}
	return ""
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
		text += " Of the types of the format, " + strings.Join(natural, ", ") + "; the others are objects that say their type in $type."
	}
	return text
}

// makers prints functions that make objects of the arms of the root's union.
func (g *generator) makers() {
	u := g.m.Root.Union
	if u == nil {
		return
	}
	g.f("/** Makes values that are objects: make.%s(…). */\nexport const make = {\n", g.firstObject(u))
	for _, a := range u.Arms {
		t := a.Type
		if t.Natural {
			continue
		}
		var params, sets, later []string
		for _, m := range g.members(t) {
			name := m.name
			if isKeyword(name) {
				name += "_"
			}
			set := name
			if name != m.name {
				set = m.name + ": " + name
			}
			if m.optional {
				later = append(later, fmt.Sprintf("%s?: %s", name, m.typ))
				if set == name {
					set = m.name + ": " + name
				}
				sets = append(sets, fmt.Sprintf("...(%s === undefined ? {} : { %s })", name, set))
				continue
			}
			params = append(params, fmt.Sprintf("%s: %s", name, m.typ))
			sets = append(sets, set)
		}
		list := strings.Join(append(params, later...), ", ")
		g.f("  %s: (%s): %s => ({ %s }),\n", property(t.Name), list, g.typeName[t], strings.Join(append([]string{fmt.Sprintf("$type: %q", t.Name)}, sets...), ", "))
	}
	g.f("};\n\n")
}

func (g *generator) firstObject(u *model.Switch) string {
	for _, a := range u.Arms {
		if !a.Type.Natural && len(a.Type.Fields) > 0 {
			return a.Type.Name
		}
	}
	return "…"
}

func isKeyword(s string) bool {
	switch s {
	case "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum", "export", "extends",
		"false", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "null", "return", "super", "switch", "this", "throw",
		"true", "try", "typeof", "var", "void", "while", "with", "yield", "let", "static", "implements", "interface", "package", "private",
		"protected", "public", "await", "arguments", "eval":
		return true
	}
	return false
}
