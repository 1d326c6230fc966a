// Checks of declarations after history: arms against each other, mentions of errata, and
// names in examples.

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
				r.errorf(a.Pos, 3, dsl.CodeArm, "union %s has two else arms, %s and %s", u.Name, other.Name, a.Name).WithHint("keep one: it is for every number that no arm has")
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

// refs checks that every erratum that the file mentions is declared, and the names in
// the with of its examples: gates that are open, and the choice that an example is about.
func (r *resolver) refs(s *source, f *dsl.File) {
	erratum := func(e *dsl.ErrRef) {
		if e != nil && s.Erratum(e.Name.Text) == nil {
			r.unknown(e.Name, "erratum", s.declared("erratum"))
		}
	}
	open := s.declared("gate", "choice")
	for _, p := range s.Decl.Props {
		erratum(p.Erratum)
	}
	for _, d := range f.Decls {
		for _, rule := range rulesOf(d) {
			erratum(rule.Erratum)
		}
		eachItem(itemsOf(d), func(i *dsl.Item) {
			erratum(i.Erratum)
			eachAttr(i, func(a *dsl.Attr) { erratum(a.Err) })
			if i.Example == nil {
				return
			}
			for _, n := range i.Example.Open {
				if !slices.Contains(open, n.Text) {
					r.unknown(n, "gate or choice", open)
				}
			}
		})
	}
}

// rulesOf returns the rules of the encoding that a declaration declares or replaces.
func rulesOf(d *dsl.Decl) []*dsl.TextRule {
	switch {
	case d.Encoding != nil:
		return d.Encoding.Rules
	case d.Change != nil && d.Change.Replace != nil && d.Change.Replace.Encoding != nil:
		return d.Change.Replace.Encoding.Rules
	}
	return nil
}

// itemsOf returns the items of a declaration.
func itemsOf(d *dsl.Decl) []*dsl.Item {
	if d.Change != nil {
		switch c := d.Change; {
		case c.Extend != nil:
			return c.Extend.Items
		case c.Replace != nil:
			return itemsOf(&dsl.Decl{Type: c.Replace.Type, Union: c.Replace.Union, Arm: c.Replace.Arm})
		}
	}
	switch {
	case d.Type != nil:
		return d.Type.Items
	case d.Union != nil:
		return d.Union.Items
	case d.Arm != nil:
		return d.Arm.Items
	}
	return nil
}

// eachItem calls f for items and those in their blocks.
func eachItem(items []*dsl.Item, f func(*dsl.Item)) {
	for _, i := range items {
		f(i)
		switch {
		case i.Repeat != nil:
			eachItem(i.Repeat.Items, f)
		case i.Within != nil:
			eachItem(i.Within.Items, f)
		case i.If != nil:
			eachItem(i.If.Then, f)
			eachItem(i.If.Else, f)
		}
	}
}

// eachAttr calls f for the attributes of an item and of bits in it.
func eachAttr(i *dsl.Item, f func(*dsl.Attr)) {
	attrs := func(list []*dsl.Attr) {
		for _, a := range list {
			f(a)
		}
	}
	bits := func(list []*dsl.BitField) {
		for _, b := range list {
			attrs(b.Attrs)
		}
	}
	switch {
	case i.Row != nil:
		attrs(i.Row.Attrs)
		bits(i.Row.Bits)
	case i.Word != nil:
		bits(i.Word.Bits)
	case i.Repeat != nil:
		attrs(i.Repeat.Attrs)
	case i.Within != nil:
		attrs(i.Within.Attrs)
	}
}
