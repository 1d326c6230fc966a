// Changes: what a file does to the schema that it extends.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

func (r *resolver) change(s *source, d *dsl.Decl) {
	if s.Base == nil {
		r.name(changed(d), dsl.CodeExtends, "this schema extends none, so there is nothing to change").
			WithHint(`write schema "%s" extends "…", or declare instead of changing`, s.ID)
		r.index.bodyOf(d)
		return
	}
	switch {
	case d.Replace:
		r.replace(s, d)
	case d.Extend != nil:
		r.extend(s, d)
	case d.Drop != nil:
		for _, p := range d.Drop {
			r.drop(s, p)
		}
	case d.Change != nil:
		if u := r.union(s, d.Change.Union); u != nil {
			r.newArms(u, d.Change.Arms)
		}
	}
}

// changed returns the first name of what a declaration changes.
func changed(d *dsl.Decl) *dsl.Name {
	switch {
	case d.Extend != nil:
		return d.Extend.Paths[0].Names[0]
	case d.Drop != nil:
		return d.Drop[0].Names[0]
	case d.Change != nil:
		return d.Change.Union
	case d.Encoding != nil:
		return d.Encoding.Name
	case d.Type != nil:
		return d.Type.Name
	case d.Union != nil:
		return d.Union.Name
	}
	return d.Arm.Name
}

// target is what a path names: a type, a union, or an arm of a union.
type target struct {
	Type  *typeDecl
	Union *unionDecl // also of an arm
	Arm   *armDecl
	Rest  []*dsl.Name // the names of a part of it; empty for all of it
}

// find returns what a path names, or nil after an error.
func (r *resolver) find(s *source, p *dsl.Path) *target {
	first, rest := p.Names[0], p.Names[1:]
	if t := s.Type(first.Text); t != nil {
		r.index.use(first, t.At)
		return &target{Type: t, Rest: rest}
	}
	u := s.Union(first.Text)
	if m := s.imports(first.Text); u == nil && m != nil {
		r.index.use(first, m.Name)
		r.name(first, dsl.CodeExtends, "the types of import %s cannot be changed here", first.Text).
			WithHint("change them in a schema that extends %q, and import that one", m.Schema.Text)
		return nil
	}
	if u == nil {
		r.unknown(first, "type or union", s.declared("type", "union"))
		return nil
	}
	r.index.use(first, u.At)
	if len(rest) == 0 {
		return &target{Union: u}
	}
	if name := rest[0].Text; u.Arm(name) == nil && (slices.Contains(exampleNames(u.Examples), name) || slices.Contains(namesIn(u.Items), name)) {
		return &target{Union: u, Rest: rest}
	}
	a := r.arm(u, rest[0])
	if a == nil {
		return nil
	}
	return &target{Union: u, Arm: a, Rest: rest[1:]}
}

// name returns the path of the declaration.
func (t *target) name() string {
	switch {
	case t.Type != nil:
		return t.Type.Name
	case t.Arm != nil:
		return t.Union.Name + "." + t.Arm.Name
	}
	return t.Union.Name
}

// content returns the content of the declaration.
func (t *target) content() *content {
	switch {
	case t.Type != nil:
		return &t.Type.content
	case t.Arm != nil:
		return &t.Arm.content
	}
	return &t.Union.content
}

// lists returns the items of the list at a path of names, each of a list in the list before. If
// a name is not that of a list, it also returns the name.
func (t *target) lists(names []*dsl.Name) ([]*dsl.Item, *dsl.Name) {
	items := t.content().Items
	for _, n := range names {
		l := listNamed(items, n.Text)
		if l == nil {
			return items, n
		}
		items = l.Items
	}
	return items, nil
}

// place returns the path of the record that a list in lists has, and its place.
func (t *target) place(names []*dsl.Name) (string, dsl.Pos) {
	c := t.content()
	owner, pos, items := c.Name, c.Pos, c.Items
	for _, n := range names {
		l := listNamed(items, n.Text)
		owner, pos, items = owner+"."+n.Text, l.Pos, l.Items
	}
	return owner, pos
}

// extend merges the items of a block with those of declarations.
func (r *resolver) extend(s *source, d *dsl.Decl) {
	if first := d.Extend.Paths[0]; first.String() == "arm" && len(d.Extend.Paths) > 1 && s.Type("arm") == nil && s.Union("arm") == nil {
		r.name(first.Names[0], dsl.CodeUnknown, "arm is not a word of the language here").WithHint("%s", dsl.Replacement("extend arm"))
		r.index.bodyOf(d)
		return
	}
	owner := d.Extend.Paths[0].Names[len(d.Extend.Paths[0].Names)-1].Text
	added := r.examples(s, owner, d.Extend.Items)
	if len(added) > 0 && len(d.Extend.Paths) > 1 {
		r.errorf(added[0].Pos, len("example"), dsl.CodeExample, "an example belongs to one arm, and this block extends %d", len(d.Extend.Paths)).
			WithHint("move it to a block that extends only its arm")
		added = nil
	}
	found := false
	for _, p := range d.Extend.Paths {
		t := r.find(s, p)
		if t == nil || !r.extends(t, p, d.Extend, len(added) > 0) {
			continue
		}
		found = true
		t.own(s)
		c := t.content()
		c.Examples = r.withExamples(c.Examples, owner, added)
		if c.Marks = slices.Concat(d.Extend.Marks, c.Marks); len(d.Extend.Paths) == 1 && len(t.Rest) == 0 {
			c.Doc = orDoc(d.Doc, c.Doc)
		}
		c.Items = inside(c.Items, t.Rest, func(old []*dsl.Item) []*dsl.Item {
			new := r.merge(old, d.Extend.Items)
			for _, name := range namesIn(old) {
				if !slices.Contains(namesIn(new), name) {
					r.gone = append(r.gone, gone{t, t.Rest, name, p.Names[len(p.Names)-1]})
				}
			}
			return new
		})
	}
	if !found {
		r.index.bodyOf(d)
	}
}

// extends reports whether a block can extend what a path names.
func (r *resolver) extends(t *target, p *dsl.Path, block *dsl.Extend, examples bool) bool {
	items, wrong := t.lists(t.Rest)
	last := p.Names[len(p.Names)-1]
	switch {
	case wrong != nil && slices.Contains(namesIn(items), wrong.Text):
		r.name(wrong, dsl.CodeArgs, "%s is not a list", p).WithHint("to replace it, write extend %s { … } with an item of that name", t.name())
		return false
	case wrong != nil:
		d := r.name(wrong, dsl.CodeUnknown, "%s has no list %s", before(p, wrong), wrong.Text).WithHint("a type, a union, an arm or a list is extended")
		r.near(d, wrong.Text, func() []string { return namesIn(items) })
		return false
	case len(t.Rest) > 0 && examples:
		r.name(last, dsl.CodeArgs, "an element of a list has no examples").WithHint("write them for %s", t.name())
		return false
	case len(t.Rest) > 0 && len(block.Marks) > 0:
		r.name(last, dsl.CodeArgs, "an erratum cannot be added to a list").WithHint("add it to %s", t.name())
		return false
	}
	ok := true
	for _, i := range block.Items {
		if i.Word == nil || t.Arm != nil && len(t.Rest) == 0 {
			continue
		}
		w := i.Word.Name
		var rows []string
		for _, row := range rowsWithBits(items) {
			rows = append(rows, row.Name.Text)
		}
		if !slices.Contains(rows, w.Text) {
			d := r.name(w, dsl.CodeUnknown, "%s has no row %s with bits", p, w.Text).WithHint("bits in braces replace or add bits of an inherited row")
			r.near(d, w.Text, func() []string { return rows })
			ok = false
		}
	}
	return ok
}

// gone is a name that a record has lost by a change. Without a name, it is a declaration
// that is dropped.
type gone struct {
	of   *target
	path []*dsl.Name // lists
	name string
	at   *dsl.Name // of the change
}

// stillUsed reports names that are lost and still used, after all changes.
func (r *resolver) stillUsed(s *source) {
	for _, g := range r.gone {
		t := g.of.now(s)
		switch {
		case t == nil && g.name == "":
			if n := s.uses(g.of); n != nil {
				r.name(g.at, dsl.CodeUnknown, "%s is dropped, but %s still uses it", g.of.name(), lineOf(n.Pos)).WithHint("replace or drop what uses it")
			}
		case t == nil || g.name == "":
		default:
			items, wrong := t.lists(g.path)
			if wrong != nil || slices.Contains(namesIn(items), g.name) {
				continue
			}
			if n := use(items, g.name); n != nil {
				r.name(g.at, dsl.CodeUnknown, "%s loses %s, but %s still uses it", t.name(), g.name, lineOf(n.Pos)).
					WithHint("replace what uses it too: extend %s { … }", t.name())
			}
		}
	}
	r.gone = nil
}

// uses returns a name by which a declaration of the schema uses another one, or nil.
func (s *source) uses(t *target) *dsl.Name {
	var found *dsl.Name
	look := func(items []*dsl.Item) {
		for _, i := range items {
			dsl.Walk(i, func(node any) bool {
				switch n := node.(type) {
				case *dsl.TypeRef:
					if found == nil && t.Arm == nil && n.Path() == t.name() {
						found = n.Name
					}
				case *dsl.Writes:
					if found == nil && t.Arm != nil && n.Arm.String() == t.Arm.Name {
						found = n.Arm
					}
				}
				return found == nil
			})
		}
	}
	for _, d := range s.Types {
		look(d.Items)
	}
	for _, u := range s.Unions {
		for _, a := range u.Arms {
			if t.Arm == nil || u.Name == t.Union.Name {
				look(a.Items)
			}
		}
	}
	return found
}

// now returns what has the name of the declaration after all changes, or nil.
func (t *target) now(s *source) *target {
	if t.Type != nil {
		if d := s.Type(t.Type.Name); d != nil {
			return &target{Type: d}
		}
		return nil
	}
	u := s.Union(t.Union.Name)
	switch {
	case u == nil:
		return nil
	case t.Arm == nil:
		return &target{Union: u} // unreachable: nothing of the word of a union is dropped
	}
	if a := u.Arm(t.Arm.Name); a != nil {
		return &target{Union: u, Arm: a}
	}
	return nil
}

// own replaces the declaration by a copy that no other schema has.
func (t *target) own(s *source) {
	switch {
	case t.Type != nil:
		c := *t.Type
		s.Types[slices.Index(s.Types, t.Type)] = &c
		t.Type = &c
	case t.Arm != nil:
		c := *t.Arm
		t.Union.put(&c)
		t.Arm = &c
	}
}

// newArms gives arms new names, numbers and labels, all at once.
func (r *resolver) newArms(u *unionDecl, lines []*dsl.NewArm) {
	before := &unionDecl{content: content{Name: u.Name}, Arms: slices.Clone(u.Arms)}
	seen := map[string]bool{}
	for _, line := range lines {
		a := r.arm(before, line.Old)
		if a == nil {
			continue
		}
		if line.New == nil && line.ID == nil && line.Label == nil {
			r.name(line.Old, dsl.CodeArgs, "arm %s gets neither a new name nor a new number", a.Name).WithHint("write %s NewName, or %s 1, or leave it out", a.Name, a.Name)
		}
		if seen[a.Name] {
			r.name(line.Old, dsl.CodeTwice, "arm %s is changed twice here", a.Name).WithHint("write one line: %s NewName 1 \"label\"", a.Name)
			continue
		}
		seen[a.Name] = true
		b := *a
		if line.New != nil {
			b.Name, b.At = line.New.Text, line.New
			r.index.rename(line.New, a.At)
		}
		if line.ID != nil {
			id, ok := parseUint(line.ID)
			if !ok {
				r.errorf(line.ID.Pos, len(line.ID.Text), dsl.CodeRange, "%s is not the number of an arm", line.ID.Text).WithHint("a number is a whole one below 2^64")
				continue
			}
			if a.Else || a.IDs.Several() {
				r.errorf(line.ID.Pos, len(line.ID.Text), dsl.CodeArgs, "arm %s does not have one number, which could be changed", a.Name).WithHint("replace the arm: replace arm %s %s %s { … }", u.Name, line.ID.Text, b.Name)
				continue
			}
			b.IDs, b.Code, b.hex = builtin.Ranges{builtin.One(id)}, "", isHex(line.ID)
		}
		if line.Label != nil {
			b.Label = line.Label.Text
		}
		u.Arms[slices.Index(u.Arms, a)] = &b
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

// replace gives a declaration of the extended schema a new body.
func (r *resolver) replace(s *source, d *dsl.Decl) {
	switch {
	case d.Encoding != nil:
		for i, e := range s.Encodings {
			if e.Name.Text == d.Encoding.Name.Text {
				s.Encodings[i] = &encodingDecl{d.Encoding, orDoc(d.Doc, e.Doc)}
				r.index.declare(d.Encoding.Name, EncodingName, "", e.Name)
				return
			}
		}
		r.unknown(d.Encoding.Name, "encoding", s.declared("encoding"))
	case d.Type != nil:
		for i, t := range s.Types {
			if t.Name == d.Type.Name.Text {
				s.Types[i] = newType(d.Type, orDoc(d.Doc, t.Doc))
				s.Types[i].Examples = r.examples(s, t.Name, d.Type.Items)
				r.index.declare(d.Type.Name, TypeName, "", t.At)
				return
			}
		}
		r.index.bodyOf(d)
		r.unknown(d.Type.Name, "type", s.declared("type"))
	case d.Union != nil:
		if old := s.Union(d.Union.Name.Text); old == nil {
			r.unknown(d.Union.Name, "union", s.declared("union"))
			r.index.bodyOf(d)
		} else {
			r.index.declare(d.Union.Name, UnionName, "", old.At)
			u := newUnion(d.Union, orDoc(d.Doc, old.Doc))
			u.Arms, u.Gone, u.Examples = old.Arms, old.Gone, r.examples(s, u.Name, d.Union.Items)
			*old = *u
		}
	case d.Arm != nil:
		u := r.union(s, d.Arm.Union)
		if u == nil {
			r.index.bodyOf(d)
			return
		}
		old := r.arm(u, d.Arm.Name)
		if old == nil {
			r.index.bodyOf(d)
			return
		}
		if a := r.newArm(d.Arm, orDoc(d.Doc, old.Doc)); a != nil {
			r.index.declare(a.At, ArmName, u.Name, old.At)
			if a.Label == "" {
				a.Label = old.Label
			}
			a.Was, a.Examples = old.Was, r.examples(s, a.Name, a.Items)
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

// drop takes what a path names out of the schema.
func (r *resolver) drop(s *source, p *dsl.Path) {
	switch t := r.find(s, p); {
	case t == nil:
	case len(t.Rest) == 1 && slices.Contains(exampleNames(t.content().Examples), t.Rest[0].Text):
		r.dropExample(s, t)
	case len(t.Rest) > 0:
		r.dropItem(s, t, p)
	default:
		r.gone = append(r.gone, gone{of: t, at: p.Names[len(p.Names)-1]})
		switch {
		case t.Arm != nil:
			t.Union.Arms = remove(t.Union.Arms, t.Arm)
			t.Union.Gone = append(t.Union.Gone, r.refused(s, t.Arm, p))
		case t.Union != nil:
			s.Unions = remove(s.Unions, t.Union)
		default:
			s.Types = remove(s.Types, t.Type)
		}
	}
}

// refused returns an arm in place of one that is dropped. It refuses every packet.
func (r *resolver) refused(s *source, a *armDecl, p *dsl.Path) *armDecl {
	at := p.Names[len(p.Names)-1].Pos
	c := *a
	c.Marks, c.Examples, c.Doc, c.Pos = nil, nil, nil, at
	c.Items = []*dsl.Item{{Pos: at, Refuse: &dsl.Str{Pos: at, Text: fmt.Sprintf("%s has no %s", s.ID, a.Name)}}}
	return &c
}

// bury adds the arms that are dropped, with those of their numbers that are free, if their
// names are. A number without an arm is that of the else arm if there is one.
func (u *unionDecl) bury() {
	for i, a := range u.Gone {
		if slices.ContainsFunc(u.Arms, func(b *armDecl) bool { return b.Else || b.Name == a.Name }) {
			continue
		}
		var taken builtin.Ranges
		for _, b := range u.Arms {
			taken = append(taken, b.IDs...)
		}
		free := a.IDs.Without(builtin.Join(taken...))
		if free == nil && !a.Else {
			continue
		}
		if !slices.Equal(free, a.IDs) {
			c := *a
			c.IDs = free
			a = &c
			u.Gone[i] = a
		}
		u.Arms = append(u.Arms, a)
	}
}

// before returns a path up to one of its names.
func before(p *dsl.Path, n *dsl.Name) string {
	return (&dsl.Path{Names: p.Names[:slices.Index(p.Names, n)]}).String()
}

// dropItem removes a row, bits or a list of a record.
func (r *resolver) dropItem(s *source, t *target, p *dsl.Path) {
	path, last := t.Rest[:len(t.Rest)-1], t.Rest[len(t.Rest)-1]
	items, wrong := t.lists(path)
	if wrong == nil && !slices.Contains(namesIn(items), last.Text) {
		wrong = last
	}
	switch {
	case wrong != nil && wrong != last:
		d := r.name(wrong, dsl.CodeUnknown, "%s has no list %s", before(p, wrong), wrong.Text).WithHint("only lists contain rows")
		if !slices.Contains(namesIn(items), wrong.Text) {
			r.near(d, wrong.Text, func() []string { return namesIn(items) })
		}
		return
	case wrong != nil:
		d := r.name(wrong, dsl.CodeUnknown, "%s has no row, bits, list or example %s", before(p, wrong), wrong.Text).WithHint("name one, or leave it out")
		r.near(d, wrong.Text, func() []string {
			all := namesIn(items)
			if len(path) == 0 {
				all = append(all, exampleNames(t.content().Examples)...)
			}
			return all
		})
		return
	case t.Type == nil && t.Arm == nil:
		r.name(last, dsl.CodeArgs, "%s selects the arm, so it cannot be dropped", p).WithHint("replace it: extend %s { | … | %s | … }", t.name(), last.Text)
		return
	}
	t.own(s)
	owner, within := t.place(path)
	eachName(items, func(n *dsl.Name) {
		if n.Text == last.Text {
			r.index.dropped(last, n, owner, within)
		}
	})
	c := t.content()
	c.Items = inside(c.Items, path, func(items []*dsl.Item) []*dsl.Item {
		for _, row := range rowsWithBits(items) {
			if !slices.ContainsFunc(row.Bits, func(b *dsl.BitField) bool { return !b.Rest && b.Name.Text != last.Text }) {
				r.name(last, dsl.CodeBits, "%s has no other bits than %s", row.Name.Text, last.Text).WithHint("drop or replace the row %s", row.Name.Text)
			}
		}
		left := dropNamed(items, last.Text)
		for _, name := range namesIn(items) {
			if !slices.Contains(namesIn(left), name) {
				r.gone = append(r.gone, gone{t, path, name, last})
			}
		}
		return left
	})
}

// remove returns a list without one of its elements.
func remove[T comparable](list []T, e T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return x == e })
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
		case "gate":
			for _, g := range s.Gates {
				all = append(all, g.Name.Text)
			}
		case "choice":
			if s.Option != nil {
				for _, c := range s.Option.Choices {
					all = append(all, c.Name.Text)
				}
			}
		}
	}
	return all
}
