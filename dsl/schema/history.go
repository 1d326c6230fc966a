// History: the changes of each file to the schema that it extends, the oldest first.

package schema

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Loader finds the file of a schema that another one extends or imports.
type Loader func(id string) (*dsl.File, error)

// maxLineage bounds how many schemas may extend and import one another.
const maxLineage = 64

type resolver struct {
	load  Loader
	root  string // the root of the schema in place of the declared one; "" is that
	files map[string]*dsl.File
	diags dsl.Diagnostics
	index *Index                            // that names are noted in; nil if nobody needs them
	broke map[*source]map[*exampleDecl]bool // inherited examples that cannot be bound, of schemas that are bound
	gone  []gone                            // names that records lose in the file that is read

	imported map[string]*source // by id: the schemas that are imported
	firsts   bool               // imports are bound for the first choices of their options
}

// link is a schema that extends or imports the next one.
type link struct {
	id, verb string
}

func (r *resolver) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.diags.Errorf(r.files[pos.Filename], pos, width, code, format, args...)
}

func (r *resolver) name(n *dsl.Name, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.errorf(n.Pos, len(n.Text), code, format, args...)
}

// file resolves one file; chain holds the schemas that extend or import it.
func (r *resolver) file(f *dsl.File, chain []link) *source {
	r.files[f.Name] = f
	var decl *dsl.Schema
	var doc []string
	for _, d := range f.Decls {
		if d.Schema == nil {
			continue
		}
		if decl != nil {
			r.errorf(d.Schema.Pos, 6, dsl.CodeSchema, "a file declares one schema, and %q is declared above", decl.Name.Text).
				WithHint("move it to a separate file")
			continue
		}
		decl, doc = d.Schema, d.Doc
	}
	if decl == nil {
		r.diags.Errorf(f, dsl.Pos{Filename: f.Name, Line: 1, Column: 1}, 0, dsl.CodeSchema, "the file declares no schema").
			WithHint(`begin it with: schema "name" { root … }`)
		if r.index == nil {
			return nil
		}
		decl = &dsl.Schema{Name: &dsl.Str{}}
	} else {
		r.named(decl)
	}
	s := &source{ID: decl.Name.Text, Order: "little", Files: r.files, File: f, Decl: decl, Doc: doc}
	if decl.Extends != nil {
		if base := r.other(decl.Extends, append(chain, link{decl.Name.Text, "extends"})); base != nil {
			*s = *base
			s.ID, s.Role, s.Base, s.File, s.Decl, s.Doc = decl.Name.Text, builtin.FormatRole, base, f, decl, doc
			s.Imports = slices.Clone(base.Imports)
			s.Encodings = append([]*encodingDecl(nil), base.Encodings...)
			s.Types = append([]*typeDecl(nil), base.Types...)
			s.Unions = nil
			for _, u := range base.Unions {
				c := *u
				c.Arms, c.Gone = nil, slices.Clone(u.Gone)
				for _, a := range u.Arms {
					if slices.Contains(u.Gone, a) {
						continue
					}
					b := *a
					b.Was = a.Name
					c.Arms = append(c.Arms, &b)
				}
				s.Unions = append(s.Unions, &c)
			}
		}
	}
	r.props(s, decl)
	for _, d := range f.Decls {
		if d.Import != nil {
			r.imports(s, d.Import, append(chain, link{decl.Name.Text, "imports"}))
		}
	}
	for _, d := range f.Decls {
		r.decl(s, d)
	}
	r.stillUsed(s)
	for _, u := range s.Unions {
		u.bury()
		r.arms(s, u, f)
	}
	r.refs(s, f)
	return s
}

var idText = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// named reports an id that other schemas, files and packages cannot have as their name.
func (r *resolver) named(decl *dsl.Schema) {
	id := decl.Name.Text
	if idText.MatchString(id) {
		return
	}
	e := r.errorf(decl.Name.Pos, len(id)+2, dsl.CodeSchema, "%q is no id; an id begins with a letter or a digit of ASCII, and has these, '.', '_' and '-' after it", id)
	if better := strings.Trim(regexp.MustCompile(`[^A-Za-z0-9._]+`).ReplaceAllString(id, "-"), "-._"); better != "" {
		e.WithHint(`write schema "%s", and the name for readers as title`, better)
	}
}

// other resolves the schema that the last one of a chain extends or imports, or returns nil
// after an error.
func (r *resolver) other(name *dsl.Str, chain []link) *source {
	id, verb := name.Text, chain[len(chain)-1].verb
	at := func(format string, args ...any) *dsl.Diagnostic {
		return r.errorf(name.Pos, len(id)+2, dsl.CodeExtends, format, args...)
	}
	for i, l := range chain {
		if l.id == id {
			at("schema %q %s itself", id, verb).WithHint("%s", circle(chain[i:], id))
			return nil
		}
	}
	if len(chain) > maxLineage {
		if verb == "imports" {
			at("more than %d schemas import one another", maxLineage).WithHint("let the schema import an inner one")
		} else {
			at("more than %d schemas extend one another", maxLineage).WithHint("let the schema extend an older one")
		}
		return nil
	}
	if r.load == nil {
		at("schema %q cannot be found", id).WithHint("there is nowhere to look for schemas that others %s", map[string]string{"extends": "extend", "imports": "import"}[verb])
		return nil
	}
	f, err := r.load(id)
	if err != nil {
		var diags dsl.Diagnostics
		if errors.As(err, &diags) {
			r.diags = append(r.diags, diags...)
			r.broken(name, id, "they are listed with its file; nothing is taken over from it")
		} else {
			at("schema %q cannot be read: %v", id, err).WithHint("a schema %s one that is part of octable, or a file beside it", verb)
		}
	}
	if f == nil {
		return nil
	}
	return r.file(f, chain)
}

// broken reports that a schema with an id has mistakes. A declaration extends or imports it
// by the name, directly or through others.
func (r *resolver) broken(name *dsl.Str, id, hint string) {
	r.errorf(name.Pos, len(name.Text)+2, dsl.CodeExtends, "schema %q itself has mistakes", id).WithHint("%s", hint)
}

// circle names the schemas by which a schema extends or imports itself.
func circle(chain []link, id string) string {
	if len(chain) == 1 {
		if chain[0].verb == "imports" {
			return "its types are known without a prefix"
		}
		return "a schema extends an older one, or none"
	}
	var text strings.Builder
	for _, l := range chain {
		text.WriteString(l.id + " " + l.verb + " ")
	}
	return text.String() + id + "; one of them must not"
}
