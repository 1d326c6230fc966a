// Typed packages, whose values have a Go type for each type of the schema: the types and their names.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// reserved are the exported names of every typed package.
var reserved = []string{"Append", "Code", "CodeOf", "Decode", "Decoder", "DefaultDepth", "Encode", "Error", "Integer", "Options", "Pair", "Program", "Schema",
	"ErrTruncated", "ErrType", "ErrText", "ErrValue", "ErrClosed", "ErrDepth", "ErrLimit", "ErrNotCanonical", "ErrTrailing", "ErrChecksum", "ErrMismatch", "ErrRange"}

// nameTyped chooses the names of types and routines.
func (g *generator) nameTyped() {
	g.union, g.armName = map[*model.Routine]string{}, map[*model.Routine]string{}
	taken := model.Unique{}
	for _, n := range reserved {
		taken[n] = true
	}
	g.nameRoutines()
	for _, r := range g.m.Routines {
		if r.Union != nil {
			g.union[r] = taken.Name(model.Pascal(r.Name), model.Pascal(r.Name)+"Union")
		}
	}
	g.m.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if g.goType[t] == "" && (r.Union != nil || g.declared(t)) {
			g.goType[t] = taken.Name(model.TypeName(t, r))
		}
	})
	for _, r := range g.m.NamedUnions() {
		g.armName[r] = taken.Name(g.union[r]+"Type", g.union[r]+"Name")
		for _, a := range r.Union.Arms {
			if !a.Else {
				g.typeConst[a.Type] = taken.Name(g.armName[r] + model.Pascal(a.Type.Name))
			}
		}
	}
	g.gate = Gates(g.m)
}

// declared reports whether a record has a struct. An element of a list that its only field
// represents has the type of the field.
func (g *generator) declared(t *model.Type) bool {
	f := t.Alone()
	return t.Name != "" || f == nil || f.Shape.Kind == model.Lanes && f.Shape.Names != nil
}

// record returns the record with a struct whose values have a shape, or nil.
func (g *generator) record(s *model.Shape) *model.Type {
	if s.Type != nil && (s.Kind == model.Record || g.declared(s.Type)) {
		return s.Type
	}
	return nil
}

// inStruct reports whether the only field of an arm is in a struct. Other arms are defined
// types of what they hold.
func (g *generator) inStruct(t *model.Type) bool {
	f := t.Alone()
	if f == nil || g.record(f.Shape) != nil {
		return true
	}
	switch s := f.Shape; s.Kind {
	case model.Bool, model.Text, model.Packed, model.List, model.Map:
		return false
	case model.Number:
		return s.Scalar() == builtin.Code4 || isInteger(s)
	case model.Lanes:
		return s.Names != nil
	}
	return true
}

// isInteger reports whether no integer type of Go holds all numbers of a shape.
func isInteger(s *model.Shape) bool {
	return s.Kind != model.Map && slices.Contains(s.Scalars, builtin.U64) && slices.ContainsFunc(s.Scalars, builtin.Scalar.Signed)
}

// numberType returns the Go type of the numbers of a shape.
func numberType(s *model.Shape) string {
	has := func(is func(builtin.Scalar) bool) bool { return slices.ContainsFunc(s.Scalars, is) }
	width := 0
	signed := has(builtin.Scalar.Signed)
	for _, x := range s.Scalars {
		w := x.Held().Width()
		if signed && !x.Signed() && !x.IsFloat() { // one bit more
			w = min(8, 2*w)
		}
		width = max(width, w)
	}
	switch {
	case s.Scalar() == builtin.Code4:
		return "Code"
	case isInteger(s):
		return "Integer"
	case has(builtin.Scalar.IsFloat):
		return fmt.Sprintf("float%d", max(32, 8*width))
	case signed:
		return fmt.Sprintf("int%d", 8*width)
	}
	return fmt.Sprintf("uint%d", 8*width)
}

// typeOf returns the Go type of a shape.
func (g *generator) typeOf(s *model.Shape) string {
	if t := g.record(s); t != nil {
		return g.goType[t]
	}
	switch s.Kind {
	case model.Bool:
		return "bool"
	case model.Number:
		return numberType(s)
	case model.Text:
		return "string"
	case model.Lanes:
		return fmt.Sprintf("[%d]%s", s.Width, numberType(s))
	case model.Packed:
		if isBytes(s) {
			return "[]byte"
		}
		if s.Width == 1 {
			return "[]" + numberType(s)
		}
		return fmt.Sprintf("[][%d]%s", s.Width, numberType(s))
	case model.List:
		return "[]" + g.typeOf(s.Elem)
	case model.Map:
		return fmt.Sprintf("[]Pair[%s, %s]", g.typeOf(s.Key), g.typeOf(s.Elem))
	case model.Union:
		return g.union[s.Routine]
	case model.ArmName:
		return g.armName[s.Routine]
	}
	return "struct{}" // a field without a form
}

// isBytes reports whether an array is of bytes.
func isBytes(s *model.Shape) bool {
	return s.Kind == model.Packed && s.Width == 1 && len(s.Scalars) == 1 && s.Scalar() == builtin.U8
}

// isNilable reports whether nil represents the absent value of a shape. Others have pointers.
func (g *generator) isNilable(s *model.Shape) bool {
	return g.record(s) == nil && (s.Kind == model.List || s.Kind == model.Map || s.Kind == model.Packed || s.Kind == model.Union)
}

// fieldType returns the Go type of a field of a struct.
func (g *generator) fieldType(f *model.Field) string {
	typ := g.typeOf(f.Shape)
	if f.Optional && !g.isNilable(f.Shape) {
		return "*" + typ
	}
	return typ
}

// paramType returns the type of what a routine reads and writes. For an arm that is a defined
// type it is the type that this is defined by.
func (g *generator) paramType(r *model.Routine, a *model.Arm) string {
	switch {
	case a == nil && r.Union != nil:
		return g.union[r]
	case a == nil:
		return g.typeOf(r.Shape)
	case g.inStruct(a.Type):
		return g.goType[a.Type]
	}
	return g.typeOf(a.Type.Alone().Shape)
}

// place is where a cell is in the Go value.
type place struct {
	field   string // the field, or the whole value
	x       string // its value: what the pointer of an optional field points to
	shape   *model.Shape
	pointer bool
	absent  bool // it may be absent
}

// places returns where the cells of a type are. x is a pointer to the value.
func (g *generator) places(t *model.Type) []place {
	whole := t.Union != "" && !g.inStruct(t) || t.Union == "" && !g.declared(t)
	if whole || lanesOf(t) != nil { // the numbers of a tuple are the fields
		return []place{{field: "*x", x: "*x", shape: t.Alone().Shape}}
	}
	var out []place
	for i := range t.Fields {
		out = append(out, g.placeIn("x", t, i))
	}
	return out
}

// placeIn returns the place of field i of the struct of a type.
func (g *generator) placeIn(x string, t *model.Type, i int) place {
	f := t.Fields[i]
	p := place{field: x + "." + g.fieldNames(t)[i], shape: f.Shape, absent: f.Optional}
	p.x = p.field
	if f.Optional && !g.isNilable(f.Shape) {
		p.pointer, p.x = true, "*"+p.field
	}
	return p
}

// inside returns the value inside of a place, and its shape. It goes into the structs of
// records that their only fields represent.
func (g *generator) inside(p place) (x string, s *model.Shape) {
	x, s = p.x, p.shape
	for t := g.record(s); t != nil && s.Kind != model.Record; t = g.record(s) {
		x, s = primary(x)+"."+g.fieldNames(t)[0], t.Alone().Shape
	}
	return x, s
}

// address returns a pointer to the value of a place.
func (p place) address() string {
	if p.x[0] == '*' {
		return p.x[1:]
	}
	return "&" + p.x
}

// lanesOf returns the shape of a tuple of numbers with names, or nil.
func lanesOf(t *model.Type) *model.Shape {
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil && t.Lanes != nil {
		return f.Shape
	}
	return nil
}

// fieldNames returns the names of the fields of a struct.
func (g *generator) fieldNames(t *model.Type) []string {
	return t.MemberNames(exported, "String")
}

// typedTypes prints the types of the schema.
func (g *generator) typedTypes() string {
	p := &emitter{g: g}
	done := map[*model.Type]bool{}
	for _, r := range g.m.Routines {
		if r.Union == nil {
			if g.record(r.Shape) == r.Type && !done[r.Type] {
				done[r.Type] = true
				p.declare(r.Type, r, g.goType[r.Type])
			}
			continue
		}
		p.unionType(r)
	}
	for _, r := range g.m.NamedUnions() {
		p.armNames(r)
	}
	return p.String()
}

// unionType prints the interface of a union and the types of its arms.
func (p *emitter) unionType(r *model.Routine) {
	g := p.g
	name := g.union[r]
	var arms []string
	for _, a := range r.Union.Arms {
		arms = append(arms, "["+g.goType[a.Type]+"]")
	}
	types := "It has no types."
	if len(arms) > 0 {
		types = "It is " + listed(arms, "or") + "."
	}
	p.f("%s", comment("", name+" is a value of the union "+r.Name+". "+types))
	p.f("type %s interface{ is%s() }\n\n", name, name)
	for _, a := range r.Union.Arms {
		t := a.Type
		if g.inStruct(t) {
			p.declare(t, r, g.goType[t])
		} else {
			p.f("%s", docOf(g.goType[t], "is the "+t.About()+with(t, t.Alone()), t))
			p.f("type %s %s\n\n", g.goType[t], g.typeOf(t.Alone().Shape))
			p.stringer(g.goType[t])
		}
		p.f("func (%s) is%s() {}\n\n", g.goType[t], name)
	}
}

// listed joins words.
func listed(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}

func (p *emitter) stringer(name string) {
	p.f("func (x %s) String() string { return textOf(x) }\n\n", name)
}

// declare prints the struct of a record or arm.
func (p *emitter) declare(t *model.Type, r *model.Routine, name string) {
	g := p.g
	intro := "is the " + t.About()
	if t.Name == "" {
		intro = "is an element of " + r.Name
	}
	p.f("%s", docOf(name, intro, t))
	names := g.fieldNames(t)
	if s := lanesOf(t); s != nil {
		p.tupleType(name, names, numberType(s), t)
	} else if len(t.Fields) == 0 {
		p.f("type %s struct{}\n\n", name)
	} else {
		p.f("type %s struct {\n", name)
		for i, f := range t.Fields {
			doc := f.Doc
			if f.Optional {
				doc = strings.TrimPrefix(doc+"; nil if it is absent", "; ")
			}
			p.f("%s %s%s\n", names[i], g.fieldType(f), lineComment(doc))
		}
		p.f("}\n\n")
	}
	p.stringer(name)
}

// tupleType prints the struct of a tuple of numbers, in one line if no row has a description.
func (p *emitter) tupleType(name string, names []string, number string, t *model.Type) {
	if strings.Join(t.LaneDoc, "") == "" {
		p.f("type %s struct{ %s %s }\n\n", name, strings.Join(names, ", "), number)
		return
	}
	p.f("type %s struct {\n", name)
	for i, n := range names {
		p.f("%s %s%s\n", n, number, lineComment(t.LaneDoc[i]))
	}
	p.f("}\n\n")
}

// armNames prints the type of the names of a union's arms.
func (p *emitter) armNames(r *model.Routine) {
	g := p.g
	name := g.armName[r]
	p.f("%s", comment("", name+" is the number of a type of "+r.Name+"."))
	p.f("type %s uint64\n\nconst (\n", name)
	for _, a := range r.Union.Arms {
		if !a.Else {
			p.f("%s %s = %d%s\n", g.typeConst[a.Type], name, a.ID, lineComment(a.Type.Name))
		}
	}
	p.f(")\n\nfunc (x %s) String() string { return x.text() }\n\nfunc (x %s) text() string {\nswitch x {\n", name, name)
	for _, a := range r.Union.Arms {
		if !a.Else {
			p.f("case %s: return %q\n", g.typeConst[a.Type], a.Type.Name)
		}
	}
	p.f("}\nreturn strconv.FormatUint(uint64(x), 10)\n}\n\n")
	p.f("// number returns the number in the format, or -1 if there is no such type.\nfunc (x %s) number() int64 {\nswitch x {\n", name)
	var all []string
	for _, a := range r.Union.Arms {
		if !a.Else {
			all = append(all, g.typeConst[a.Type])
		}
	}
	if len(all) > 0 {
		p.f("case %s: return int64(x)\n", strings.Join(all, ", "))
	}
	p.f("}\nreturn -1\n}\n\n")
}

// Types are the Go types of a schema's values.
type Types struct {
	Root string                 // what Decode returns
	Of   map[*model.Type]string // structs of records, and arms of unions
}

// TypesOf returns the types of the package of a schema, or nil if its values are of the type Value.
func TypesOf(m *model.Model) *Types {
	if m.IsVariant() {
		return nil
	}
	g := newGenerator(m, model.Options{})
	g.nameTyped()
	return &Types{Root: g.paramType(m.Root, nil), Of: g.goType}
}
