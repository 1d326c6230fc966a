// Imports: types of other schemas, under a prefix.

package schema

import (
	"maps"
	"slices"

	"github.com/octable/octable/dsl"
)

// maxImports bounds the imports of a schema together with those of the schemas that it
// imports.
const maxImports = 64

// importDecl is an import with its settings.
type importDecl struct {
	Name   *dsl.Name
	Schema *dsl.Str // the id
	Src    *source  // nil if it has mistakes
	Choice int      // of its option
	Open   map[string]bool
}

// imports returns the import with a prefix, or nil.
func (s *source) imports(prefix string) *importDecl {
	for _, m := range s.Imports {
		if m.Name.Text == prefix {
			return m
		}
	}
	return nil
}

// countImports returns the number of imports, with those of the schemas that are imported.
func (s *source) countImports() int {
	n := len(s.Imports)
	for _, m := range s.Imports {
		if m.Src != nil {
			n += m.Src.countImports()
		}
	}
	return n
}

// imports adds an import to a schema.
func (r *resolver) imports(s *source, d *dsl.Import, chain []link) {
	if !r.free(s, d.Name, d.Pos) {
		return
	}
	m := &importDecl{Name: d.Name, Schema: d.Schema, Src: r.imported[d.Schema.Text], Open: map[string]bool{}}
	r.index.declare(d.Name, ImportName, "", nil)
	if m.Src == nil {
		if m.Src = r.other(d.Schema, chain); m.Src != nil {
			if r.imported == nil {
				r.imported = map[string]*source{}
			}
			r.imported[d.Schema.Text] = m.Src
		}
	}
	s.Imports = append(s.Imports, m)
	if m.Src == nil {
		return
	}
	if n := s.countImports(); n > maxImports {
		r.errorf(d.Schema.Pos, len(d.Schema.Text)+2, dsl.CodeRange, "the schema has %d imports with those of the schemas that it imports; at most %d are allowed", n, maxImports).
			WithHint("let it import fewer schemas")
		s.Imports = s.Imports[:len(s.Imports)-1]
		return
	}
	seen := map[string]bool{}
	for _, set := range d.Settings {
		if seen[set.Name.Text] {
			r.name(set.Name, dsl.CodeTwice, "%s is set twice", set.Name.Text).WithHint("keep one")
		}
		seen[set.Name.Text] = true
		if set.Choice == nil {
			r.openGate(m, set.Name)
		} else {
			r.choose(m, set)
		}
	}
}

// bad reports the imports of a schema whose used declarations have mistakes.
func (r *resolver) bad(src *source) {
	for _, m := range src.Imports {
		if m.Src != nil && slices.ContainsFunc(r.diags, func(d *dsl.Diagnostic) bool { return m.Src.has(d.Pos.Filename) }) {
			r.broken(m.Schema, m.Src.ID, "they are listed with its file")
		}
	}
}

// chooses reports whether an import has another choice than the first one of its option.
func (s *source) chooses() bool {
	return slices.ContainsFunc(s.Imports, func(m *importDecl) bool { return m.Choice > 0 || m.Src != nil && m.Src.chooses() })
}

// importedLayout returns the mistakes in imports under the first choices of their options, whose
// offsets and lengths their rows have.
func (r *resolver) importedLayout(src *source) dsl.Diagnostics {
	r.diags, r.firsts = nil, true
	r.prove(r.bind(src, 0).s)
	r.firsts = false
	return slices.DeleteFunc(r.diags, func(d *dsl.Diagnostic) bool {
		return !slices.ContainsFunc(src.Imports, func(m *importDecl) bool { return m.Src != nil && m.Src.has(d.Pos.Filename) })
	})
}

// has reports whether the schema, or one that it extends or imports, is in a file.
func (s *source) has(file string) bool {
	return s.File.Name == file || s.Base != nil && s.Base.has(file) ||
		slices.ContainsFunc(s.Imports, func(m *importDecl) bool { return m.Src != nil && m.Src.has(file) })
}

// openGate opens a gate of an import.
func (r *resolver) openGate(m *importDecl, n *dsl.Name) {
	if g := m.Src.gateName(n.Text); g != nil {
		r.index.use(n, g)
		m.Open[n.Text] = true
		return
	}
	d := r.name(n, dsl.CodeUnknown, "schema %q has no gate %s", m.Src.ID, n.Text)
	if o := m.Src.Option; o != nil && o.Name.Text == n.Text {
		d.WithHint("%s is its option; write a choice after it: %s %s", n.Text, n.Text, o.Choices[0].Name.Text).Replace(n.Text, n.Text+" "+o.Choices[0].Name.Text)
		return
	}
	d.WithHint("leave it out; a gate that is not named is closed")
	r.near(d, n.Text, func() []string { return m.Src.declared("gate") })
}

// choose sets the option of an import.
func (r *resolver) choose(m *importDecl, set *dsl.Setting) {
	o := m.Src.Option
	if o == nil || o.Name.Text != set.Name.Text {
		d := r.name(set.Name, dsl.CodeUnknown, "schema %q has no option %s", m.Src.ID, set.Name.Text).WithHint("leave it out; separate the names of gates by commas")
		if o != nil {
			r.near(d, set.Name.Text, func() []string { return []string{o.Name.Text} })
		}
		return
	}
	r.index.use(set.Name, o.Name)
	for i, c := range o.Choices {
		if c.Name.Text == set.Choice.Text {
			r.index.use(set.Choice, c.Name)
			m.Choice = i
			return
		}
	}
	d := r.name(set.Choice, dsl.CodeUnknown, "option %s has no choice %s", o.Name.Text, set.Choice.Text).WithHint("name one of its choices")
	r.near(d, set.Choice.Text, func() []string { return m.Src.declared("choice") })
}

// space is what the names in the declarations of one schema mean. They are those of the
// schema that is resolved, or those of an import.
type space struct {
	src     *source
	at      *dsl.Str           // the id of an import
	prefix  string             // of the names of its declarations in the tree, with a point; "" for the schema that is resolved
	open    map[string]bool    // the gates of an import that are open; nil for the schema that is resolved
	option  *Option            // nil without an option
	choice  *Choice            // of the option
	imports map[string]*binder // by prefix
	used    map[string]bool    // the types and unions of an import that are bound
}

// importAll makes the binders of the imports. Only what the schema uses of them is bound.
func (b *binder) importAll() {
	b.space.imports = map[string]*binder{}
	for _, m := range b.src.Imports {
		if m.Src == nil {
			continue
		}
		c := b.resolver.binder(b.s, space{src: m.Src, at: m.Schema, prefix: b.prefix + m.Name.Text + ".", open: m.Open, used: map[string]bool{}})
		c.inPlace, c.sets, c.scopes = b.inPlace, b.sets, b.scopes
		choice := m.Choice
		if b.firsts {
			choice = 0
		}
		c.properties(choice)
		c.importAll()
		b.space.imports[m.Name.Text] = c
	}
}

// of returns the binder of the schema that declares a type.
func (b *binder) of(d *dsl.TypeRef) *binder {
	if d.Import != nil && b.space.imports[d.Import.Text] != nil {
		return b.space.imports[d.Import.Text]
	}
	return b
}

// spaces returns the binder and those of all imports.
func (b *binder) spaces() []*binder {
	out := []*binder{b}
	for _, name := range slices.Sorted(maps.Keys(b.space.imports)) {
		out = append(out, b.space.imports[name].spaces()...)
	}
	return out
}

// take notes that declarations use those of imports.
func (b *binder) take(items []*dsl.Item) {
	for _, i := range items {
		dsl.Walk(i, func(node any) bool {
			t, ok := node.(*dsl.TypeRef)
			switch {
			case !ok:
			case t.Import == nil:
				b.takeNamed(t.Name.Text)
			case b.space.imports[t.Import.Text] != nil:
				b.space.imports[t.Import.Text].takeNamed(t.Name.Text)
			}
			return true
		})
	}
}

// takeAll notes what the declarations of the schema use.
func (b *binder) takeAll() {
	for _, d := range b.src.Types {
		b.take(d.Items)
	}
	for _, d := range b.src.Unions {
		b.takeUnion(d)
	}
}

// takeNamed notes that a type or a union of an import is used.
func (b *binder) takeNamed(name string) {
	if b.used == nil || b.used[name] {
		return
	}
	b.used[name] = true
	if t := b.src.Type(name); t != nil {
		b.take(t.Items)
	} else if u := b.src.Union(name); u != nil {
		b.takeUnion(u)
	}
}

func (b *binder) takeUnion(d *unionDecl) {
	b.take(d.Items)
	for _, a := range d.Arms {
		b.take(a.Items)
	}
}

// takes reports whether a declaration is bound.
func (b *binder) takes(name string) bool { return b.used == nil || b.used[name] }

// join makes the declarations of the imports known under their prefixes.
func (b *binder) join() {
	for prefix, c := range b.space.imports {
		for _, d := range c.src.Types {
			if c.used[d.Name] {
				b.records[prefix+"."+d.Name], b.params[prefix+"."+d.Name] = c.records[d.Name], len(d.Args)
			}
		}
		for _, d := range c.src.Unions {
			if c.used[d.Name] {
				b.unions[prefix+"."+d.Name], b.params[prefix+"."+d.Name] = c.unions[d.Name], len(d.Args)
			}
		}
	}
}

// unknownImported reports the name of a type that an import does not declare.
func (b *binder) unknownImported(d *dsl.TypeRef) {
	m := b.src.imports(d.Import.Text)
	switch {
	case m == nil:
		e := b.name(d.Import, dsl.CodeUnknown, "there is no import %s", d.Import.Text).WithHint(`declare it: import "schema" as %s`, d.Import.Text)
		b.near(e, d.Import.Text, func() []string {
			var all []string
			for _, m := range b.src.Imports {
				all = append(all, m.Name.Text)
			}
			return all
		})
	case m.Src != nil: // else its mistake is reported
		e := b.name(d.Name, dsl.CodeUnknown, "schema %q has no type or union %s", m.Src.ID, d.Name.Text).WithHint("name a type or a union that it declares or inherits")
		b.near(e, d.Name.Text, func() []string { return m.Src.declared("type", "union") })
	}
}

// big reports whether numbers of the declarations have their highest byte first.
func (sp *space) big() bool { return sp.src.Order == "big" }

// computed returns the choice if it is not the first one, for which cells are declared.
func (sp *space) computed() string {
	if sp.choice == nil || sp.choice.Index == 0 {
		return ""
	}
	return " if " + sp.option.Name + " is " + sp.choice.Name
}

// closed returns 1 if a gate of the import is closed, else 0. It reports whether the gate
// is one of an import.
func (b *binder) closed(n *dsl.Name) (int64, bool) {
	if b.open == nil {
		return 0, false
	}
	g := b.src.gateName(n.Text)
	if g == nil {
		return 0, false
	}
	b.index.use(n, g)
	if b.open[n.Text] {
		return 0, true
	}
	return 1, true
}
