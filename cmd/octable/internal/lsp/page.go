// Pages: what documents say beside a schema.

package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// schemaFile returns the name of the schema file beside a page, or of a schema itself.
func schemaFile(name string) string {
	if base, ok := strings.CutSuffix(name, ".page"); ok {
		return base + ".oct"
	}
	return name
}

// pages finds pages as the commands do: beside a file, and then among those of octable.
func (s *snapshot) pages(name, own string) page.Loader {
	return func(id string) (*dsl.File, error) {
		if filepath.IsAbs(name) {
			beside := filepath.Join(filepath.Dir(name), filepath.Base(id)+".page")
			if id == own {
				beside = page.Path(schemaFile(name))
			}
			if source, err := s.source(beside); err == nil {
				return s.parse(beside, source)
			}
		}
		if file, source, ok := spec.Page(id); ok {
			return s.parse(file, string(source))
		}
		return nil, nil
	}
}

// besides returns the resolved schema that a page is beside, or nil if there is no file.
func (s *snapshot) besides(name string) (*schema.Schema, error) {
	file := schemaFile(name)
	source, err := s.source(file)
	if err != nil {
		return nil, nil
	}
	f, err := s.parse(file, source)
	if err != nil {
		return nil, fmt.Errorf("the schema beside the page cannot be read: %s", firstOf(err))
	}
	resolved, err := schema.Resolve(f, s.loader(file))
	if err != nil {
		return nil, fmt.Errorf("the schema beside the page has mistakes: %s", firstOf(err))
	}
	return resolved, nil
}

// checkPage returns the mistakes of a page.
func (s *snapshot) checkPage(name string, f *dsl.File) error {
	sch, err := s.besides(name)
	switch {
	case err != nil:
		return err
	case sch == nil:
		_, err = page.Library(f, s.pages(name, ""))
	default:
		_, err = page.Load(sch, s.pages(name, sch.ID))
	}
	return err
}

// undeclared returns the marks of errata in a schema that no page declares. A page with
// mistakes is checked in its own file.
func (s *snapshot) undeclared(name string, sch *schema.Schema) error {
	p, err := page.Load(sch, s.pages(name, sch.ID))
	if err != nil {
		return nil
	}
	return p.Undeclared().Err()
}

// marks returns the names of errata in a file: where they are declared, dropped and marked.
func marks(f *dsl.File) []*dsl.Name {
	var out []*dsl.Name
	dsl.Walk(f, func(node any) bool {
		switch n := node.(type) {
		case *dsl.Schema:
			out = append(out, n.Marks...)
		case *dsl.Encoding:
			out = append(out, n.Marks...)
		case *dsl.Type:
			out = append(out, n.Marks...)
		case *dsl.Union:
			out = append(out, n.Marks...)
		case *dsl.Arm:
			out = append(out, n.Marks...)
		case *dsl.Extend:
			out = append(out, n.Marks...)
		case *dsl.Attr:
			if n.Err != nil {
				out = append(out, n.Err)
			}
		case *dsl.PageDecl:
			out = append(out, n.Drop...)
		case *dsl.PageMark:
			out = append(out, n.Name)
		case *dsl.Erratum:
			out = append(out, n.Name)
		}
		return true
	})
	return out
}

// nameAround returns the name of a list at an offset, or nil.
func nameAround(list []*dsl.Name, offset int) *dsl.Name {
	i := slices.IndexFunc(list, func(n *dsl.Name) bool { return n.Pos.Offset <= offset && offset <= n.Pos.Offset+len(n.Text) })
	if i < 0 {
		return nil
	}
	return list[i]
}

// errata returns the errata that the pages of a file declare, by name, the newest of each.
func (s *snapshot) errata(name string) map[string]*dsl.Erratum {
	out := map[string]*dsl.Erratum{}
	seen := map[string]bool{}
	var add func(f *dsl.File, load page.Loader)
	add = func(f *dsl.File, load page.Loader) {
		if f == nil || seen[f.Name] {
			return
		}
		seen[f.Name] = true
		for _, d := range f.Page {
			if d.Page != nil && d.Page.Extends != nil {
				base, _ := load(d.Page.Extends.Text)
				add(base, load)
			}
		}
		for _, d := range f.Page {
			if d.Erratum != nil {
				out[d.Erratum.Name.Text] = d.Erratum
			}
		}
	}
	file := name
	if dsl.IsPage(name) {
		file = schemaFile(name)
	}
	if files, err := s.lineage(file); err == nil {
		for i, f := range files {
			decl := schemaOf(f)
			if decl == nil {
				continue
			}
			own := ""
			if i == len(files)-1 {
				own = decl.Name.Text
			}
			load := s.pages(name, own)
			p, _ := load(decl.Name.Text)
			add(p, load)
		}
	}
	if dsl.IsPage(name) {
		if source, err := s.source(name); err == nil {
			f, _ := s.parse(name, source)
			add(f, s.pages(name, ""))
		}
	}
	return out
}

// erratumText describes an erratum in Markdown.
func erratumText(e *dsl.Erratum) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**, erratum", e.Name.Text)
	for _, part := range []struct {
		name string
		text *dsl.Str
	}{{"in", e.In}, {"the document says", e.Says}, {"engines", e.Engine}, {"here", e.Here}} {
		if part.text != nil {
			fmt.Fprintf(&b, "  \n*%s*: %s", part.name, markdown(part.text.Text))
		}
	}
	fmt.Fprintf(&b, "\n\n*declared at %s:%d*", filepath.Base(e.Pos.Filename), e.Pos.Line)
	return b.String()
}

// erratumAt returns the erratum whose name is at an offset of a file, and the name.
func (s *snapshot) erratumAt(name string, offset int) (*dsl.Erratum, *dsl.Name) {
	source, err := s.source(name)
	if err != nil {
		return nil, nil
	}
	f, _ := s.parse(name, source)
	n := nameAround(marks(f), offset)
	if n == nil {
		return nil, nil
	}
	return s.errata(name)[n.Text], n
}

// pathAt returns the declaration that a path of a page names up to an offset. It also returns
// the index of the schema that has it, and the name at the offset.
func (s *snapshot) pathAt(name string, offset int) (*schema.Declaration, *index, *dsl.Name) {
	source, err := s.source(name)
	if err != nil || !dsl.IsPage(name) {
		return nil, nil, nil
	}
	f, _ := s.parse(name, source)
	for _, d := range f.Page {
		if d.Note == nil {
			continue
		}
		for _, p := range d.Note.Paths {
			n := nameAround(p.Path.Names, offset)
			files, err := s.lineage(schemaFile(name))
			if n == nil || err != nil {
				continue
			}
			x := s.index(schemaFile(name), files)
			return x.path(p.Path.Names[:slices.Index(p.Path.Names, n)+1]), x, n
		}
	}
	return nil, nil, nil
}

// path returns the declaration that names separated by dots name. It is a type, a union,
// an arm, or a field of one of them. The result is nil for a field of a list's element.
func (x *index) path(names []*dsl.Name) *schema.Declaration {
	d := x.find(names[0].Text, schema.TypeName, schema.UnionName)
	for _, n := range names[1:] {
		if d == nil {
			return nil
		}
		all := d.Fields
		if d.Sort == schema.UnionName {
			all = append(x.arms(d.Name), all...)
		}
		i := slices.IndexFunc(all, func(d *schema.Declaration) bool { return d.Name == n.Text })
		if i < 0 {
			return nil
		}
		d = all[i]
	}
	return d
}

// hoverPage describes the erratum, or the part of the schema in a path, at an offset.
func (s *snapshot) hoverPage(name string, offset int) (text string, at *dsl.Name) {
	if e, n := s.erratumAt(name, offset); e != nil {
		return erratumText(e), n
	}
	if d, x, n := s.pathAt(name, offset); d != nil {
		h := &describer{x: x, snapshot: s, name: schemaFile(name)}
		return h.declaration(d), n
	}
	return "", nil
}

// completePage adds what may be written in a page behind the words before it on its line.
func (c *completer) completePage(before string) {
	words := strings.Fields(before)
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1]
	}
	indented := strings.HasPrefix(before, " ") || strings.HasPrefix(before, "\t")
	switch {
	case strings.HasSuffix(before, "!"), strings.HasPrefix(before, "drop "):
		c.errata()
	case before == "":
		c.words("declaration", "page", "erratum", "drop")
		c.symbols(schema.UnionName, schema.TypeName)
	case !indented && strings.HasSuffix(last, "."):
		c.parts(strings.Split(strings.TrimSuffix(last, "."), "."))
	case strings.HasPrefix(last, "!"):
		c.words("what the document lacks or says", "absent", "offset", "length", "type", "name", "description", "label")
	case c.in("erratum") && indented:
		c.words("text", "says", "engine", "here")
	case last == "" || last == "{":
		c.words("remark", "caption", "says", "row")
	}
}

// parts adds what a path may go on with.
func (c *completer) parts(names []string) {
	if c.x == nil {
		return
	}
	var path []*dsl.Name
	for _, n := range names {
		path = append(path, &dsl.Name{Text: n})
	}
	if d := c.x.path(path); d != nil {
		if d.Sort == schema.UnionName {
			c.arms(d.Name)
		}
		c.declarations(slices.Clone(d.Fields))
	}
}

// errata adds the errata that the pages of the file declare.
func (c *completer) errata() {
	all := c.snapshot.errata(c.name)
	var names []string
	for n := range all {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	for _, n := range names {
		c.add(n, itemConstant, "erratum", markdown(all[n].Says.String()))
	}
}
