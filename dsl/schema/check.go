// Checks of what came out: arms against each other, mentions of errata, gates of
// examples.

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// arms checks a union's arms against each other. It reports for the file that
// made them so, not for files that merely extend it.
func (r *resolver) arms(s *source, u *unionDecl, f *dsl.File) {
	byName := map[string]*armDecl{}
	for _, a := range u.Arms {
		if old := byName[a.Name]; old != nil {
			pos, width := a.Pos, len("arm")
			if n := renamed(f, u.Name, a.Name); n != nil {
				pos, width = n.Pos, len(n.Text)
			}
			r.errorf(pos, width, dsl.CodeTwice, "union %s has two arms %s, with the numbers %s and %s", u.Name, a.Name, old.IDText(), a.IDText()).WithHint("give one of them another name")
		}
		byName[a.Name] = a
	}
	byID := map[uint64]*armDecl{}
	var lo, hi uint64
	var other *armDecl
	first, codes := true, false
	for _, a := range u.Arms {
		if a.Else {
			if other != nil {
				r.errorf(a.Pos, 3, dsl.CodeArm, "union %s has two else arms, %s and %s", u.Name, other.Name, a.Name).WithHint("keep one: it stands for every number that no arm has")
			}
			other = a
			continue
		}
		if old := byID[a.ID]; old != nil {
			pos, width := a.Pos, len("arm")
			if pos.Filename != f.Name {
				pos, width = s.Decl.Pos, len("schema")
			}
			if n := renumbered(f, u.Name, a.Name); n != nil {
				pos, width = n.Pos, len(n.Text)
			}
			r.errorf(pos, width, dsl.CodeArm, "arms %s and %s of union %s both have number %s", old.Name, a.Name, u.Name, a.IDText()).
				WithHint("renumber one of them")
			continue
		}
		byID[a.ID] = a
		if first || a.ID < lo {
			lo = a.ID
		}
		if first || a.ID > hi {
			hi = a.ID
		}
		first = false
		codes = codes || a.Code != "" // they need not follow one another
	}
	if other != nil || first || codes {
		return
	}
	if missing := hi - lo + 1 - uint64(len(byID)); missing > 0 {
		var ids []string
		for id := lo; id < hi && len(ids) < 8; id++ {
			if byID[id] == nil {
				ids = append(ids, fmt.Sprint(id))
			}
		}
		if missing > uint64(len(ids)) {
			ids = append(ids, "…")
		}
		pos, width := u.Pos, len("union")
		if pos.Filename != f.Name {
			pos, width = s.Decl.Pos, len("schema")
		}
		r.errorf(pos, width, dsl.CodeArm, "union %s has no arm for %s between %d and %d", u.Name, strings.Join(ids, ", "), lo, hi).
			WithHint("add the arms, or an else arm for every number without one")
	}
}

// renamed returns the new name that a file gives to an arm, or nil.
func renamed(f *dsl.File, union, name string) *dsl.Name {
	for _, d := range f.Decls {
		if c := d.Change; c != nil && c.Rename != nil && c.Rename.Union.Text == union {
			for _, line := range c.Rename.Lines {
				if line.New.Text == name {
					return line.New
				}
			}
		}
	}
	return nil
}

// renumbered returns the number that a file gives to an arm of another schema, or nil.
func renumbered(f *dsl.File, union, name string) *dsl.Num {
	for _, d := range f.Decls {
		if c := d.Change; c != nil && c.Renumber != nil && c.Renumber.Union.Text == union {
			for _, line := range c.Renumber.Lines {
				if line.Name.Text == name {
					return line.ID
				}
			}
		}
	}
	return nil
}

// idText returns the number of an arm as a schema writes it.
func idText(id uint64, code string, isElse bool) string {
	switch {
	case isElse:
		return "else"
	case code != "":
		return code
	}
	return fmt.Sprint(id)
}

func (a *armDecl) IDText() string { return idText(a.ID, a.Code, a.Else) }

// refs checks that every erratum that the file mentions is declared.
func (r *resolver) refs(s *source, f *dsl.File) {
	check := func(e *dsl.ErrRef) {
		if e != nil && s.Erratum(e.Name.Text) == nil {
			r.unknown(e.Name, "erratum", s.declared("erratum"))
		}
	}
	for _, p := range s.Decl.Props {
		check(p.Erratum)
	}
	for _, d := range f.Decls {
		for _, e := range errRefs(d) {
			check(e)
		}
	}
	r.examples(s, f)
}

// examples checks the names in the with of the examples of a file: gates that are
// open, and choices that the example is about.
func (r *resolver) examples(s *source, f *dsl.File) {
	all := s.declared("gate", "choice")
	dsl.Walk(f, func(node any) bool {
		switch n := node.(type) {
		case *dsl.Example:
			for _, open := range n.Open {
				if !slices.Contains(all, open.Text) {
					r.unknown(open, "gate or choice", all)
				}
			}
			return false
		case *dsl.Expr, *dsl.Row, *dsl.Bits:
			return false
		}
		return true
	})
}

// ErrRefs returns every mention of an erratum in a declaration, in order.
func errRefs(d *dsl.Decl) []*dsl.ErrRef {
	var out []*dsl.ErrRef
	attrs := func(as []*dsl.Attr) {
		for _, a := range as {
			if a.Err != nil {
				out = append(out, a.Err)
			}
		}
	}
	var items func([]*dsl.Item)
	items = func(is []*dsl.Item) {
		for _, i := range is {
			switch {
			case i.Erratum != nil:
				out = append(out, i.Erratum)
			case i.Row != nil:
				attrs(i.Row.Attrs)
				for _, b := range i.Row.Bits {
					attrs(b.Attrs)
				}
			case i.Bits != nil:
				attrs(i.Bits.Attrs)
			case i.Repeat != nil:
				items(i.Repeat.Items)
				attrs(i.Repeat.Attrs)
			case i.Within != nil:
				items(i.Within.Items)
				attrs(i.Within.Attrs)
			case i.If != nil:
				items(i.If.Then)
				items(i.If.Else)
			}
		}
	}
	enc := func(e *dsl.Encoding) {
		for _, rule := range e.Rules {
			if rule.Erratum != nil {
				out = append(out, rule.Erratum)
			}
		}
	}
	switch {
	case d.Encoding != nil:
		enc(d.Encoding)
	case d.Type != nil:
		items(d.Type.Items)
	case d.Union != nil:
		items(d.Union.Items)
	case d.Arm != nil:
		items(d.Arm.Items)
	case d.Change != nil && d.Change.Extend != nil:
		items(d.Change.Extend.Items)
	case d.Change != nil && d.Change.Replace != nil:
		c := d.Change.Replace
		switch {
		case c.Encoding != nil:
			enc(c.Encoding)
		case c.Type != nil:
			items(c.Type.Items)
		case c.Union != nil:
			items(c.Union.Items)
		case c.Arm != nil:
			items(c.Arm.Items)
		}
	}
	return out
}
