// Checks of declarations after history: arms against each other, and names in examples.

package schema

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// arms checks a union's arms against each other. It reports for the file that
// made them so, not for files that merely extend it.
func (r *resolver) arms(s *source, u *unionDecl, f *dsl.File) {
	byName := map[string]*armDecl{}
	for _, a := range u.Arms {
		if old := byName[a.Name]; old != nil {
			pos, width := a.Pos, len("arm")
			if line := changing(f, u.Name, a.Name); line != nil {
				pos, width = line.Name().Pos, len(a.Name)
			}
			r.errorf(pos, width, dsl.CodeTwice, "union %s has two arms %s, with the numbers %s and %s", u.Name, a.Name, old.IDText(), a.IDText()).WithHint("give one of them another name")
		}
		byName[a.Name] = a
	}
	var all []builtin.Range
	var other *armDecl
	codes := false
	for _, a := range u.Arms {
		if a.Else {
			if other != nil {
				r.errorf(a.Pos, 3, dsl.CodeArm, "union %s has two else arms, %s and %s", u.Name, other.Name, a.Name).WithHint("keep one: it is for every number that no arm has")
			}
			other = a
			continue
		}
		if old, id := u.sharing(a); old != nil {
			pos, width := a.Pos, len("arm")
			if pos.Filename != f.Name {
				pos, width = s.Decl.Pos, len("schema")
			}
			if line := changing(f, u.Name, a.Name); line != nil && line.ID != nil {
				pos, width = line.ID.Pos, len(line.ID.Text)
			}
			text := numberText(id, a.hex || old.hex)
			if a.Code != "" || old.Code != "" {
				text = codeText(id)
			}
			r.errorf(pos, width, dsl.CodeArm, "arms %s and %s of union %s both have number %s", old.Name, a.Name, u.Name, text).
				WithHint("give one of them another number")
			continue
		}
		all = append(all, a.IDs...)
		codes = codes || a.Code != "" // they need not follow one another
	}
	if other != nil || len(all) == 0 || codes || u.Broken {
		return
	}
	if missing, lo, hi := gaps(all, inHex(u.Arms)); missing != "" {
		pos, width := u.Pos, len("union")
		if pos.Filename != f.Name {
			pos, width = s.Decl.Pos, len("schema")
		}
		r.errorf(pos, width, dsl.CodeArm, "union %s has no arm for %s between %s and %s", u.Name, missing, numberText(lo, inHex(u.Arms)), numberText(hi, inHex(u.Arms))).
			WithHint("add the arms, an arm with refuse for numbers that the document reserves, or an else arm for all others")
	}
}

// sharing returns an arm before another one that has a number of it, and the number, or nil.
func (u *unionDecl) sharing(a *armDecl) (*armDecl, uint64) {
	for _, old := range u.Arms {
		if old == a {
			break
		}
		for _, r := range a.IDs {
			if n, shared := old.IDs.Shared(r); shared {
				return old, n
			}
		}
	}
	return nil, 0
}

// gaps returns the lowest and the highest number of some ranges. The text has the numbers
// between them that are in no range. The text is empty if there is no gap.
func gaps(all []builtin.Range, hex bool) (text string, lo, hi uint64) {
	ids := builtin.Join(all...)
	lo, hi = ids[0].Lo, ids[len(ids)-1].Hi
	var out []string
	for i := range len(ids) - 1 {
		if len(out) == 8 {
			return strings.Join(out, ", ") + ", …", lo, hi
		}
		out = append(out, builtin.Range{Lo: ids[i].Hi + 1, Hi: ids[i+1].Lo - 1}.Text(hex))
	}
	return strings.Join(out, ", "), lo, hi
}

// changing returns the line of a change after which an arm has a name, or nil.
func changing(f *dsl.File, union, name string) *dsl.NewArm {
	for _, d := range f.Decls {
		if d.Change == nil || d.Change.Union.Text != union {
			continue
		}
		for _, a := range d.Change.Arms {
			if a.Name().Text == name {
				return a
			}
		}
	}
	return nil
}

// refs checks the names in the with of examples. They are gates that are open, and the
// choice that an example is about.
func (r *resolver) refs(s *source, f *dsl.File) {
	open := s.declared("gate", "choice")
	dsl.Walk(f, func(node any) bool {
		if n, ok := node.(*dsl.Example); ok {
			for _, name := range n.Open {
				if name.Text != strict && !slices.Contains(open, name.Text) {
					r.unknown(name, "gate or choice", open)
				}
			}
		}
		return true
	})
}

// eachItem calls f for items and those in their blocks.
func eachItem(items []*dsl.Item, f func(*dsl.Item)) {
	for _, i := range items {
		f(i)
		switch {
		case i.Repeat != nil:
			eachItem(i.Repeat.Items, f)
		case i.If != nil:
			eachItem(i.If.Then, f)
			eachItem(i.If.Else, f)
		}
	}
}
