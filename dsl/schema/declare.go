// Declarations: what a file adds.

package schema

import (
	"fmt"
	"strings"

	"github.com/octable/octable/dsl"
)

// free reports a name that is declared already.
func (r *resolver) free(s *source, n *dsl.Name) bool {
	what := ""
	switch {
	case s.Type(n.Text) != nil:
		what = "type"
	case s.Union(n.Text) != nil:
		what = "union"
	case s.Encoding(n.Text) != nil:
		what = "encoding"
	case s.constant(n.Text) != nil:
		what = "constant"
	case s.Axis != nil && s.Axis.Name.Text == n.Text:
		what = "axis"
	}
	if what == "" {
		return true
	}
	r.name(n, dsl.CodeTwice, "there is a %s %s already", what, n.Text).
		WithHint("choose another name, or write replace before the declaration to change the one of the extended schema")
	return false
}

func (s *source) constant(name string) *constDecl {
	for _, c := range s.Consts {
		if c.Name.Text == name {
			return c
		}
	}
	return nil
}

func (r *resolver) decl(s *source, d *dsl.Decl) {
	switch {
	case d.Const != nil:
		if r.free(s, d.Const.Name) {
			s.Consts = append(s.Consts, &constDecl{d.Const, d.Doc})
			r.index.declare(d.Const.Name, ConstName, "", nil)
		}
	case d.Encoding != nil:
		if r.free(s, d.Encoding.Name) {
			s.Encodings = append(s.Encodings, &encodingDecl{d.Encoding, d.Doc})
			r.index.declare(d.Encoding.Name, EncodingName, "", nil)
		}
	case d.Erratum != nil:
		if s.Erratum(d.Erratum.Name.Text) != nil {
			r.name(d.Erratum.Name, dsl.CodeTwice, "erratum %s is declared twice", d.Erratum.Name.Text).WithHint("write replace before it to change the one of the extended schema")
			return
		}
		s.Errata = append(s.Errata, d.Erratum)
		r.index.declare(d.Erratum.Name, ErratumName, "", nil)
	case d.Type != nil:
		if !r.free(s, d.Type.Name) {
			r.index.bodyOf(d)
			return
		}
		s.Types = append(s.Types, newType(d.Type, d.Doc))
		r.index.declare(d.Type.Name, TypeName, "", nil)
	case d.Union != nil:
		if !r.free(s, d.Union.Name) {
			r.index.bodyOf(d)
			return
		}
		s.Unions = append(s.Unions, newUnion(d.Union, d.Doc))
		r.index.declare(d.Union.Name, UnionName, "", nil)
	case d.Arm != nil:
		u := r.union(s, d.Arm.Union)
		if u == nil {
			r.index.bodyOf(d)
			return
		}
		if old := u.Arm(d.Arm.Name.Text); old != nil {
			r.name(d.Arm.Name, dsl.CodeTwice, "union %s has an arm %s already, at %s", u.Name, old.Name, lineOf(old.Pos)).
				WithHint("choose another name, or write replace before the declaration")
			r.index.bodyOf(d)
			return
		}
		if a := r.newArm(d.Arm, d.Doc); a != nil {
			u.Arms = append(u.Arms, a)
			r.index.declare(a.At, ArmName, u.Name, nil)
		}
	case d.Change != nil:
		r.change(s, d.Change, d.Doc)
	}
}

func lineOf(p dsl.Pos) string { return fmt.Sprintf("%s:%d", p.Filename, p.Line) }

func newType(t *dsl.Type, doc []string) *typeDecl {
	return &typeDecl{Name: t.Name.Text, At: t.Name, Args: t.Args, Items: t.Items, Doc: doc, Pos: t.Pos}
}

func newUnion(u *dsl.Union, doc []string) *unionDecl {
	return &unionDecl{Name: u.Name.Text, At: u.Name, Args: u.Args, By: u.By, Items: u.Items, Doc: doc, Pos: u.Pos}
}

func (r *resolver) newArm(a *dsl.Arm, doc []string) *armDecl {
	out := &armDecl{Union: a.Union.Text, Name: a.Name.Text, At: a.Name, Label: a.Label.String(), Items: a.Items, Doc: doc, Pos: a.Pos}
	switch {
	case a.ID.Else:
		out.Else = true
	case a.ID.Num != nil:
		id, ok := parseUint(a.ID.Num)
		if !ok {
			r.errorf(a.ID.Pos, len(a.ID.Num.Text), dsl.CodeRange, "%s is not the number of an arm", a.ID.Num.Text).WithHint("a number is a whole one below 2^64")
			return nil
		}
		out.ID = id
	default:
		out.Code, out.ID = a.ID.Code, codeID(a.ID.Code)
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
	if near := dsl.Nearest(n.Text, all); near != "" {
		d.WithHint("did you mean %s?", near)
	} else if len(all) == 0 {
		d.WithHint("the schema declares no %s; declare it, or take this out", what)
	} else if len(all) > 8 {
		d.WithHint("declare it, or take this out")
	} else if len(all) > 0 && len(all) <= 8 {
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
