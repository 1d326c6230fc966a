// History: the changes of each file to the schema that it extends, the oldest first.

package schema

import (
	"errors"
	"strings"

	"github.com/octable/octable/dsl"
)

// Loader finds the file of a schema that another one extends.
type Loader func(id string) (*dsl.File, error)

// maxLineage bounds how many schemas may extend one another.
const maxLineage = 64

type resolver struct {
	load  Loader
	files map[string]*dsl.File
	diags dsl.Diagnostics
	index *Index // that names are noted in; nil if nobody needs them
}

func (r *resolver) errorf(pos dsl.Pos, width int, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.diags.Errorf(r.files[pos.Filename], pos, width, code, format, args...)
}

func (r *resolver) name(n *dsl.Name, code dsl.Code, format string, args ...any) *dsl.Diagnostic {
	return r.errorf(n.Pos, len(n.Text), code, format, args...)
}

// file resolves one file; chain holds the ids of the schemas that extend it.
func (r *resolver) file(f *dsl.File, chain []string) *source {
	r.files[f.Name] = f
	var decl *dsl.Schema
	var doc []string
	for _, d := range f.Decls {
		if d.Schema == nil {
			continue
		}
		if decl != nil {
			r.errorf(d.Schema.Pos, 6, dsl.CodeSchema, "a file declares one schema, and %q is declared above", decl.Name.Text).
				WithHint("move it to a file of its own")
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
	}
	s := &source{ID: decl.Name.Text, Order: "little", Files: r.files, File: f, Decl: decl, Doc: doc}
	if decl.Extends != nil {
		if base := r.base(decl, chain); base != nil {
			*s = *base
			s.ID, s.Base, s.File, s.Decl, s.Doc = decl.Name.Text, base, f, decl, doc
			s.Says, s.Refs = nil, nil
			s.Encodings = append([]*encodingDecl(nil), base.Encodings...)
			s.Consts = append([]*constDecl(nil), base.Consts...)
			s.Types = append([]*typeDecl(nil), base.Types...)
			s.Errata = append([]*dsl.Erratum(nil), base.Errata...)
			s.Unions = nil
			for _, u := range base.Unions {
				c := *u
				c.Arms = nil
				for _, a := range u.Arms {
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
		r.decl(s, d)
	}
	r.constants(s, f)
	r.depth(s, decl)
	for _, u := range s.Unions {
		r.arms(s, u, f)
	}
	r.refs(s, f)
	return s
}

func (r *resolver) base(decl *dsl.Schema, chain []string) *source {
	id := decl.Extends.Text
	at := func(format string, args ...any) *dsl.Diagnostic {
		return r.errorf(decl.Extends.Pos, len(id)+2, dsl.CodeExtends, format, args...)
	}
	chain = append(chain, decl.Name.Text)
	for _, c := range chain {
		if c == id {
			at("schema %q extends itself", id).WithHint("%s", circle(chain, id))
			return nil
		}
	}
	if len(chain) > maxLineage {
		at("more than %d schemas extend one another", maxLineage).WithHint("let the schema extend an older one")
		return nil
	}
	if r.load == nil {
		at("schema %q cannot be found", id).WithHint("there is nowhere to look for schemas that others extend")
		return nil
	}
	f, err := r.load(id)
	if err != nil {
		var diags dsl.Diagnostics
		if errors.As(err, &diags) {
			r.diags = append(r.diags, diags...)
			r.broken(decl, id, "they are listed with its file; nothing is taken over from it")
		} else {
			at("schema %q cannot be read: %v", id, err).WithHint("a schema extends one that is part of octable, or a file beside it")
		}
	}
	if f == nil {
		return nil
	}
	return r.file(f, chain)
}

// broken reports that a schema with an id, which a declaration extends, has mistakes.
func (r *resolver) broken(decl *dsl.Schema, id, hint string) {
	r.errorf(decl.Extends.Pos, len(decl.Extends.Text)+2, dsl.CodeExtends, "schema %q has mistakes of its own", id).WithHint("%s", hint)
}

// circle names the schemas by which a schema extends itself.
func circle(chain []string, id string) string {
	for i, c := range chain {
		if c == id {
			chain = chain[i:]
			break
		}
	}
	if len(chain) == 1 {
		return "a schema extends an older one, or none"
	}
	return strings.Join(append(chain, id), " extends ") + "; one of them must not"
}
