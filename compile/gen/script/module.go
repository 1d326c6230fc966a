// Modules: their names and sections.

package script

import (
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Module is a module while it is printed.
type Module struct {
	*model.Model
	l      *Language
	p      Printer
	On     map[string]bool // features of the schema, see [model.Model.Features]
	Record *Record         // whose functions are printed

	Class    map[*model.Type]string    // names of the types that are declared
	Union    map[*model.Routine]string // names of their types
	Function map[*model.Routine]string // names of routines as parts of the names of functions
	Arm      map[*model.Arm]string     // likewise, of arms
	table    *table
	out      *strings.Builder
}

// New returns the module of a model, with its names and without text.
func New(l *Language, m *model.Model) *Module {
	g := &Module{Model: m, l: l, On: m.Features(), out: &strings.Builder{}}
	g.name()
	g.p = l.New(g)
	return g
}

// Generate returns the files of a model: the module of the schema and the runtime.
func Generate(l *Language, m *model.Model) ([]model.File, error) {
	g := New(l, m)
	text, err := l.Files.ReadFile("language.tmpl")
	if err != nil {
		return nil, err
	}
	body := ""
	g.table = parse(string(text), g.functions(func(code string) bool { return uses(body, code) }))
	types, readers, writers := g.types(), g.Capture(g.readers), g.Capture(g.writers)
	if g.On["maps"] {
		writers += g.Capture(g.keys)
	}
	data := map[string]any{
		"G": g, "Root": g.Function[g.Root], "Types": types, "Readers": readers, "Writers": writers, "Helpers": g.helpers(),
		"Gates": g.OptionNames(l.Member, l.Option...),
	}
	texts, imports, public := l.divide(l.Tidy(g.Row("module", data)), l.Tidy(g.Row("runtime", data)))
	var files []model.File
	for i, name := range l.FileNames {
		body = l.Grammar.NotCode.ReplaceAllString(texts[i], " ")
		data["Runtime"], data["Imports"], data["Public"] = i > 0, imports, public
		files = append(files, model.File{Name: name, Text: []byte(l.Tidy(g.Row("header", data) + "\n" + texts[i]))})
	}
	return files, nil
}

// functions returns the functions of the table. uses reports whether the module has some code.
func (g *Module) functions(uses func(code string) bool) template.FuncMap {
	all := template.FuncMap{
		"bit":      func(i int) int { return 1 << i },
		"bool":     g.Boolean,
		"doc":      g.l.Doc,
		"join":     strings.Join,
		"lines":    func(s string) string { return s },
		"nul":      func(e *schema.Encoding) string { return [...]string{"keep", "stop", "counted"}[e.NUL] },
		"orAbsent": g.OrAbsent,
		"q":        Quote,
		"section":  g.section,
		"type":     g.Type,
		"upper":    strings.ToUpper,
		"uses":     uses,
		"utf8":     func(e *schema.Encoding) string { return charsetName(e.Charset) },
		"table":    func(e *schema.Encoding) string { return upperText(e.Charset) },
	}
	if g.l.Funcs != nil {
		maps.Copy(all, g.l.Funcs(g.p, uses))
	}
	return all
}

// About names the format.
func (g *Module) About() string {
	if g.Title == "" {
		return "The format of schema " + g.Schema
	}
	return g.Title
}

// Lost describes what values do not keep of the bytes; it is empty for a schema without such numbers.
func (g *Module) Lost() string {
	const widths = "In which of several widths a number was written is not kept"
	switch widened, floats := g.On["widths"], g.On["floats"]; {
	case widened && floats:
		return "\n\n" + widths + ", nor " + g.l.Unkept + "."
	case widened:
		return "\n\n" + widths + "."
	case floats:
		return "\n\nA value does not keep " + g.l.Unkept + "."
	}
	return ""
}

// section returns a part of the runtime without what the schema does not need.
func (g *Module) section(name string) string {
	b, err := g.l.Files.ReadFile("runtime/" + name + g.l.Suffix)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(model.Sections(string(b), g.l.Mark, g.On), "TEXT", g.text())
}

func (g *Module) name() {
	g.Union, g.Function = map[*model.Routine]string{}, map[*model.Routine]string{}
	g.Class, g.Arm = map[*model.Type]string{}, map[*model.Arm]string{}
	types, functions := model.Unique{}, model.Unique{}
	for _, n := range strings.Fields(g.l.Reserved) {
		types[n] = true
	}
	for _, r := range g.Routines {
		g.Function[r] = functions.Name(g.l.Routine(r.Name))
		if r.Union != nil {
			g.Union[r] = types.Name(model.Pascal(r.Name))
			types[g.Union[r]+"Type"] = true
		}
	}
	for r, a := range g.arms() {
		g.Arm[a] = functions.Name(g.l.Join(g.Function[r], g.l.Routine(a.Type.Name)))
	}
	g.Each(func(r *model.Routine, t *model.Type, _ []*model.Stmt) {
		if g.Class[t] == "" && Declared(g.Model, t) {
			g.Class[t] = types.Name(model.TypeName(t, r))
		}
	})
}

// arms yields every arm of the unions.
func (g *Module) arms() func(yield func(*model.Routine, *model.Arm) bool) {
	return func(yield func(*model.Routine, *model.Arm) bool) {
		for _, r := range g.Routines {
			if r.Union == nil {
				continue
			}
			for _, a := range r.Union.Arms {
				if !yield(r, a) {
					return
				}
			}
		}
	}
}

// Declared reports whether a type is declared: an arm without a value of the language, or
// a record. A record with one field and without a name is the field, and so is one of a text or a number
// in another one.
func Declared(m *model.Model, t *model.Type) bool {
	f := t.Alone()
	switch {
	case t.Union != "":
		return !t.Natural
	case f == nil || t.Lanes != nil || t == m.Root.Type && !t.Bare():
		return true
	}
	switch f.Shape.Kind {
	case model.Lanes, model.Packed, model.List, model.Map:
		return t.Name != ""
	}
	return false
}

// Around returns the record that is declared around the values of a shape, or nil. The shape is that
// of its only field.
func Around(m *model.Model, s *model.Shape) *model.Type {
	if s.Type == nil || s.Kind == model.Record || !Declared(m, s.Type) {
		return nil
	}
	return s.Type
}

// inside returns a value, and its shape, without the records around it. access prints a member of a value.
func (g *Module) inside(x string, s *model.Shape, access func(x, name string) string) (string, *model.Shape) {
	for t := Around(g.Model, s); t != nil; t = Around(g.Model, s) {
		x, s = access(x, g.Members(t)[0].Name), t.Fields[0].Shape
	}
	return x, s
}

// Inside returns a cell that may have any value, and its shape, without the records around it.
func (g *Module) Inside(cell int) (string, *model.Shape) {
	return g.inside(Cell(cell), g.Record.Type.Fields[cell].Shape, g.l.Inner)
}

// HasNothing reports whether a union has the value of the language for nothing.
func HasNothing(r *model.Routine) bool {
	return slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return a.Type.Natural && len(a.Type.Fields) == 0 })
}

// charsetName returns the name of a character set in a generated module.
func charsetName(c builtin.Charset) string {
	switch c {
	case builtin.UTF8Strict:
		return "strict"
	case builtin.UTF8Loose:
		return "loose"
	case builtin.UTF8Unchecked:
		return "any"
	}
	return c.String()
}

// upperText returns the characters of the bytes from 0x80 on.
func upperText(c builtin.Charset) string {
	var out []rune
	for _, x := range c.Upper() {
		out = append(out, rune(x))
	}
	return string(out)
}
