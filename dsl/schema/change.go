// Changes: what a file does to the schema that it extends.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
)

func (r *resolver) change(s *source, c *dsl.Change, doc []string) {
	if s.Base == nil {
		r.errorf(c.Pos, 6, dsl.CodeExtends, "this schema extends none, so there is nothing to change").
			WithHint(`write schema "%s" extends "…", or declare instead of changing`, s.ID)
		r.index.bodyOf(&dsl.Decl{Change: c})
		return
	}
	switch {
	case c.Replace != nil:
		r.replace(s, c.Replace, doc)
	case c.Extend != nil:
		u := r.union(s, c.Extend.Union)
		if u == nil {
			r.index.bodyOf(&dsl.Decl{Change: c})
			return
		}
		for _, n := range c.Extend.Arms {
			if a := r.arm(u, n); a != nil {
				b := *a
				b.Items = append(append([]*dsl.Item(nil), c.Extend.Items...), a.Items...)
				u.put(&b)
			}
		}
	case c.Remove != nil:
		for _, n := range c.Remove.Names {
			r.remove(s, c.Remove.Kind, n)
		}
	case c.Renumber != nil:
		u := r.union(s, c.Renumber.Union)
		if u == nil {
			return
		}
		for _, line := range c.Renumber.Lines {
			id, ok := parseUint(line.ID)
			if !ok {
				r.errorf(line.ID.Pos, len(line.ID.Text), dsl.CodeRange, "%s is not the number of an arm", line.ID.Text).WithHint("a number is a whole one below 2^64")
				continue
			}
			if a := r.arm(u, line.Name); a != nil {
				b := *a
				b.ID = id
				u.put(&b)
			}
		}
	case c.Rename != nil:
		u := r.union(s, c.Rename.Union)
		if u == nil {
			return
		}
		r.rename(u, c.Rename.Lines)
	}
}

// rename gives arms new names, one after the other. Of two arms with a name, a line is about
// the one that no line before it renamed, so two arms can exchange their names.
func (r *resolver) rename(u *unionDecl, lines []*dsl.NewName) {
	renamed := map[*armDecl]bool{}
	for _, line := range lines {
		of := &unionDecl{Name: u.Name, Arms: slices.DeleteFunc(slices.Clone(u.Arms), func(a *armDecl) bool { return renamed[a] })}
		if of.Arm(line.Old.Text) == nil {
			of = u
		}
		a := r.arm(of, line.Old)
		if a == nil {
			continue
		}
		b := *a
		b.Name, b.At = line.New.Text, line.New
		r.index.rename(line.New, a.At)
		if line.Label != nil {
			b.Label = line.Label.Text
		}
		u.Arms[slices.Index(u.Arms, a)] = &b
		renamed[&b] = true
	}
}

// put takes the place of the arm with the same name.
func (u *unionDecl) put(a *armDecl) {
	for i := range u.Arms {
		if u.Arms[i].Name == a.Name {
			u.Arms[i] = a
		}
	}
}

func (r *resolver) replace(s *source, c *dsl.Replace, doc []string) {
	switch {
	case c.Encoding != nil:
		for i, e := range s.Encodings {
			if e.Name.Text == c.Encoding.Name.Text {
				s.Encodings[i] = &encodingDecl{c.Encoding, orDoc(doc, e.Doc)}
				r.index.declare(c.Encoding.Name, EncodingName, "", e.Name)
				return
			}
		}
		r.unknown(c.Encoding.Name, "encoding", s.declared("encoding"))
	case c.Type != nil:
		for i, t := range s.Types {
			if t.Name == c.Type.Name.Text {
				s.Types[i] = newType(c.Type, orDoc(doc, t.Doc))
				r.index.declare(c.Type.Name, TypeName, "", t.At)
				return
			}
		}
		r.index.bodyOf(&dsl.Decl{Type: c.Type})
		r.unknown(c.Type.Name, "type", s.declared("type"))
	case c.Union != nil:
		if old := s.Union(c.Union.Name.Text); old == nil {
			r.unknown(c.Union.Name, "union", s.declared("union"))
			r.index.bodyOf(&dsl.Decl{Union: c.Union})
		} else {
			r.index.declare(c.Union.Name, UnionName, "", old.At)
			u := newUnion(c.Union, orDoc(doc, old.Doc))
			u.Arms = old.Arms
			*old = *u
		}
	case c.Erratum != nil:
		for i, e := range s.Errata {
			if e.Name.Text == c.Erratum.Name.Text {
				s.Errata[i] = c.Erratum
				r.index.declare(c.Erratum.Name, ErratumName, "", e.Name)
				return
			}
		}
		r.unknown(c.Erratum.Name, "erratum", s.declared("erratum"))
	case c.Arm != nil:
		u := r.union(s, c.Arm.Union)
		if u == nil {
			r.index.bodyOf(&dsl.Decl{Arm: c.Arm})
			return
		}
		old := r.arm(u, c.Arm.Name)
		if old == nil {
			r.index.bodyOf(&dsl.Decl{Arm: c.Arm})
			return
		}
		if a := r.newArm(c.Arm, orDoc(doc, old.Doc)); a != nil {
			r.index.declare(a.At, ArmName, u.Name, old.At)
			if a.Label == "" {
				a.Label = old.Label
			}
			a.Was = old.Was
			u.put(a)
		}
	}
}

func orDoc(doc, old []string) []string {
	if len(doc) > 0 {
		return doc
	}
	return old
}

func (r *resolver) remove(s *source, kind string, n *dsl.Name) {
	switch kind {
	case "arm":
		for _, u := range s.Unions {
			for i, a := range u.Arms {
				if a.Name == n.Text {
					r.index.use(n, a.At)
					u.Arms = append(u.Arms[:i:i], u.Arms[i+1:]...)
					return
				}
			}
		}
	case "type":
		for i, t := range s.Types {
			if t.Name == n.Text {
				r.index.use(n, t.At)
				s.Types = append(s.Types[:i:i], s.Types[i+1:]...)
				return
			}
		}
	case "union":
		for i, u := range s.Unions {
			if u.Name == n.Text {
				r.index.use(n, u.At)
				s.Unions = append(s.Unions[:i:i], s.Unions[i+1:]...)
				return
			}
		}
	case "erratum":
		for i, e := range s.Errata {
			if e.Name.Text == n.Text {
				r.index.use(n, e.Name)
				s.Errata = append(s.Errata[:i:i], s.Errata[i+1:]...)
				return
			}
		}
	}
	r.unknown(n, kind, s.declared(kind))
}

// declared returns the names of the declarations of some kinds.
func (s *source) declared(kinds ...string) []string {
	var all []string
	for _, kind := range kinds {
		switch kind {
		case "union":
			for _, u := range s.Unions {
				all = append(all, u.Name)
			}
		case "arm":
			for _, u := range s.Unions {
				for _, a := range u.Arms {
					all = append(all, a.Name)
				}
			}
		case "type":
			for _, t := range s.Types {
				all = append(all, t.Name)
			}
		case "encoding":
			for _, e := range s.Encodings {
				all = append(all, e.Name.Text)
			}
		case "const":
			for _, c := range s.Consts {
				all = append(all, c.Name.Text)
			}
		case "erratum":
			for _, e := range s.Errata {
				all = append(all, e.Name.Text)
			}
		case "gate":
			for _, g := range s.Gates {
				all = append(all, g.Name.Text)
			}
		case "choice":
			if s.Axis != nil {
				for _, c := range s.Axis.Choices {
					all = append(all, c.Name.Text)
				}
			}
		}
	}
	return all
}
