// Declarations: what a file adds.

package schema

import (
	"fmt"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// free reports a name that is declared already. The declaration begins at a place.
func (r *resolver) free(s *source, n *dsl.Name, at dsl.Pos) bool {
	what, old := "", n.Pos
	switch {
	case s.Type(n.Text) != nil:
		what, old = "a type", s.Type(n.Text).Pos
	case s.Union(n.Text) != nil:
		what, old = "a union", s.Union(n.Text).Pos
	case s.Encoding(n.Text) != nil:
		what, old = "an encoding", s.Encoding(n.Text).Pos
	case s.Option != nil && s.Option.Name.Text == n.Text:
		what = "an option"
	case s.imports(n.Text) != nil:
		what = "an import"
	}
	if what == "" {
		return true
	}
	r.taken(r.name(n, dsl.CodeTwice, "there is %s %s already", what, n.Text), old, at)
	return false
}

// taken gives the advice for a declaration whose name another one at an old place has. One of the extended
// schema can be replaced.
func (r *resolver) taken(d *dsl.Diagnostic, old, at dsl.Pos) {
	if old.Filename == at.Filename {
		d.WithHint("choose another name")
		return
	}
	d.WithHint("write replace before the declaration to change the one of the extended schema, or choose another name").
		ReplaceAt(at, "", "replace ")
}

func (r *resolver) decl(s *source, d *dsl.Decl) {
	switch {
	case d.Replace, d.Extend != nil, d.Drop != nil, d.Change != nil:
		r.change(s, d)
	case d.Encoding != nil:
		if r.free(s, d.Encoding.Name, d.Encoding.Pos) {
			s.Encodings = append(s.Encodings, &encodingDecl{d.Encoding, d.Doc})
			r.index.declare(d.Encoding.Name, EncodingName, "", nil)
		}
	case d.Type != nil:
		if !r.free(s, d.Type.Name, d.Type.Pos) {
			r.index.bodyOf(d)
			return
		}
		t := newType(d.Type, d.Doc)
		t.Examples = r.examples(s, t.Name, t.Items)
		s.Types = append(s.Types, t)
		r.index.declare(d.Type.Name, TypeName, "", nil)
	case d.Union != nil:
		if !r.free(s, d.Union.Name, d.Union.Pos) {
			r.index.bodyOf(d)
			return
		}
		u := newUnion(d.Union, d.Doc)
		u.Examples = r.examples(s, u.Name, u.Items)
		s.Unions = append(s.Unions, u)
		r.index.declare(d.Union.Name, UnionName, "", nil)
	case d.Arm != nil:
		u := r.union(s, d.Arm.Union)
		if u == nil {
			r.index.bodyOf(d)
			return
		}
		if old := u.Arm(d.Arm.Name.Text); old != nil {
			r.taken(r.name(d.Arm.Name, dsl.CodeTwice, "union %s has an arm %s already, at %s", u.Name, old.Name, lineOf(old.Pos)), old.Pos, d.Arm.Pos)
			r.index.bodyOf(d)
			return
		}
		a := r.newArm(d.Arm, d.Doc)
		if u.Broken = u.Broken || a == nil; a != nil {
			a.Examples = r.examples(s, a.Name, a.Items)
			u.Arms = append(u.Arms, a)
			r.index.declare(a.At, ArmName, u.Name, nil)
		}
	}
}

func lineOf(p dsl.Pos) string { return fmt.Sprintf("%s:%d", p.Filename, p.Line) }

func newType(t *dsl.Type, doc []string) *typeDecl {
	return &typeDecl{content: content{Name: t.Name.Text, At: t.Name, Marks: t.Marks, Items: t.Items, Doc: doc, Pos: t.Pos}, Args: t.Args}
}

func newUnion(u *dsl.Union, doc []string) *unionDecl {
	return &unionDecl{content: content{Name: u.Name.Text, At: u.Name, Marks: u.Marks, Items: u.Items, Doc: doc, Pos: u.Pos}, Args: u.Args, By: u.By}
}

func (r *resolver) newArm(a *dsl.Arm, doc []string) *armDecl {
	out := &armDecl{content: content{Name: a.Name.Text, At: a.Name, Marks: a.Marks, Items: a.Items, Doc: doc, Pos: a.Pos}, Union: a.Union.Text, Label: a.Label.String()}
	if !r.ids(out, a.IDs) {
		return nil
	}
	return out
}

func (r *resolver) union(s *source, n *dsl.Name) *unionDecl {
	if u := s.Union(n.Text); u != nil {
		r.index.use(n, u.At)
		return u
	}
	r.unknown(n, "union", s.declared("union"))
	return nil
}

// maxNear bounds the diagnostics that suggest a name.
const maxNear = 200

func (r *resolver) unknown(n *dsl.Name, what string, all []string) {
	d := r.name(n, dsl.CodeUnknown, "there is no %s %s", what, n.Text)
	if len(r.diags) > maxNear {
		return // the search for a name takes long, and nobody reads that many hints
	}
	if near := builtin.Nearest(n.Text, all); near != "" {
		d.Suggest(n.Text, near)
	} else if len(all) == 0 {
		d.WithHint("the schema declares no %s; declare it, or take this out", what)
	} else if len(all) > 8 {
		d.WithHint("declare it, or take this out")
	} else {
		d.WithHint("there is %s", strings.Join(all, ", "))
	}
}

func (r *resolver) arm(u *unionDecl, n *dsl.Name) *armDecl {
	if a := u.Arm(n.Text); a != nil {
		r.index.use(n, a.At)
		return a
	}
	var all []string
	for _, a := range u.Arms {
		all = append(all, a.Name)
	}
	r.unknown(n, "arm of union "+u.Name+" named", all)
	return nil
}
