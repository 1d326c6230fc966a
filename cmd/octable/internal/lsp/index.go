// Which declaration each name of a file stands for.

package lsp

import (
	"fmt"
	"slices"
	"sort"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// kind is what a symbol is.
type kind string

const (
	kindSchema   kind = "schema"
	kindType     kind = "type"
	kindUnion    kind = "union"
	kindArm      kind = "arm"
	kindConst    kind = "constant"
	kindEncoding kind = "encoding"
	kindGate     kind = "gate"
	kindAxis     kind = "axis"
	kindChoice   kind = "choice"
	kindErratum  kind = "erratum"
	kindArgument kind = "argument"
	kindField    kind = "field"
	kindLetter   kind = "letter"
)

// symbol is something that has a name.
type symbol struct {
	kind  kind
	name  string
	key   string // the same for the same symbol in all files
	owner string // what a field, an argument, a letter, an arm or a choice belongs to
	sites []site // where it is declared, then where other files replace it
	node  any    // the last declaration of all, in the tree
	doc   []string
	body  *body // of a type, a union or an arm
}

// site is a place in a file.
type site struct {
	file string
	at   int // offset in bytes
	len  int
}

// occurrence is a name in a file, and what it stands for.
type occurrence struct {
	site
	*symbol
	declares bool
}

// body is the names that are known in one record.
type body struct {
	id      string
	name    string // as rows are called: String, or Object.properties
	fields  map[string]*symbol
	letters map[string]*symbol
	lists   map[string]*body // of the elements of lists, by name
	stored  []*symbol        // fields that are not computed
	union   *body            // of an arm: what its union declares
}

func newBody(id, name string, union *body) *body {
	return &body{id: id, name: name, fields: map[string]*symbol{}, letters: map[string]*symbol{}, lists: map[string]*body{}, union: union}
}

func (b *body) field(name string) *symbol {
	if b == nil {
		return nil
	}
	if f := b.fields[name]; f != nil {
		return f
	}
	return b.union.field(name)
}

// index is what the names of one file, the last of a lineage, stand for.
type index struct {
	file    *dsl.File
	symbols map[string]*symbol // by kind and name; arms by union, too
	before  map[string]*symbol // as the extended schema has them
	occ     []occurrence       // of the last file, in order
	noting  bool               // the names of this file are noted
}

// newIndex reads a lineage, the oldest file first.
func newIndex(files []*dsl.File) *index { return readLineage(files, false) }

// readLineage is newIndex; with all, the occurrences are those in all files, in no
// order.
func readLineage(files []*dsl.File, all bool) *index {
	x := &index{symbols: map[string]*symbol{}}
	for i, f := range files {
		x.file, x.noting = f, all || i == len(files)-1
		x.before = map[string]*symbol{}
		for k, s := range x.symbols {
			x.before[k] = s
		}
		for _, d := range f.Decls {
			x.declare(d)
		}
		if x.noting {
			for _, d := range f.Decls {
				x.uses(d)
			}
		}
	}
	if !all {
		sort.SliceStable(x.occ, func(i, j int) bool { return x.occ[i].at < x.occ[j].at })
		x.occ = slices.CompactFunc(x.occ, func(a, b occurrence) bool { return a.at == b.at })
	}
	return x
}

// at returns the name at an offset, which may be just behind it.
func (x *index) at(offset int) *occurrence {
	for i := range x.occ {
		if o := &x.occ[i]; o.at <= offset && offset <= o.at+o.len {
			if i+1 < len(x.occ) && x.occ[i+1].at == offset {
				return &x.occ[i+1]
			}
			return o
		}
	}
	return nil
}

func symbolKey(k kind, name string) string { return string(k) + " " + name }
func armKey(union, name string) string     { return "arm " + union + "." + name }

// find returns a symbol of one of some kinds, as it is now or was before this file.
func (x *index) find(name string, kinds ...kind) *symbol {
	for _, symbols := range []map[string]*symbol{x.symbols, x.before} {
		for _, k := range kinds {
			if s := symbols[symbolKey(k, name)]; s != nil {
				return s
			}
		}
	}
	return nil
}

func (x *index) arm(union, name string) *symbol {
	if s := x.symbols[armKey(union, name)]; s != nil {
		return s
	}
	return x.before[armKey(union, name)]
}

// anyArm finds an arm by its name, of any union.
func (x *index) anyArm(name string) *symbol {
	var found *symbol
	for key, s := range x.symbols {
		if s.kind == kindArm && s.name == name && key == armKey(s.owner, name) && (found == nil || s.owner < found.owner) {
			found = s
		}
	}
	return found
}

func (x *index) siteOf(n *dsl.Name) site { return site{x.file.Name, n.Pos.Offset, len(n.Text)} }

// note says that a name stands for a symbol.
func (x *index) note(n *dsl.Name, s *symbol, declares bool) {
	if x.noting && n != nil && s != nil {
		x.occ = append(x.occ, occurrence{x.siteOf(n), s, declares})
	}
}

// add declares a symbol. Where one is replaced, it stays the same symbol.
func (x *index) add(key string, k kind, n *dsl.Name, owner string, node any, doc []string) *symbol {
	if n == nil {
		return &symbol{kind: k, node: node}
	}
	at := x.siteOf(n)
	s := &symbol{kind: k, name: n.Text, owner: owner, node: node, doc: doc}
	if old := x.symbols[key]; old != nil {
		s.key, s.body = old.key, old.body
		s.sites = append(slices.Clone(old.sites), at)
		if len(doc) == 0 {
			s.doc = old.doc
		}
	} else {
		s.key = fmt.Sprintf("%s %s at %s:%d", k, n.Text, at.file, at.at)
		s.sites = []site{at}
	}
	x.symbols[key] = s
	x.note(n, s, true)
	return s
}

// declare takes what a declaration declares or changes.
func (x *index) declare(d *dsl.Decl) {
	switch {
	case d.Schema != nil:
		x.schema(d.Schema)
	case d.Const != nil:
		x.add(symbolKey(kindConst, d.Const.Name.Text), kindConst, d.Const.Name, "", d.Const, d.Doc)
	case d.Encoding != nil:
		x.add(symbolKey(kindEncoding, d.Encoding.Name.Text), kindEncoding, d.Encoding.Name, "", d.Encoding, d.Doc)
	case d.Erratum != nil:
		x.add(symbolKey(kindErratum, d.Erratum.Name.Text), kindErratum, d.Erratum.Name, "", d.Erratum, d.Doc)
	case d.Type != nil:
		x.addType(d.Type, d.Doc)
	case d.Union != nil:
		x.addUnion(d.Union, d.Doc)
	case d.Arm != nil:
		x.addArm(d.Arm, d.Doc)
	case d.Change != nil:
		x.change(d.Change, d.Doc)
	}
}

func (x *index) schema(s *dsl.Schema) {
	for _, p := range s.Props {
		switch {
		case p.Gate != nil:
			x.add(symbolKey(kindGate, p.Gate.Name.Text), kindGate, p.Gate.Name, "", p.Gate, nil)
		case p.Axis != nil:
			x.add(symbolKey(kindAxis, p.Axis.Name.Text), kindAxis, p.Axis.Name, "", p.Axis, nil)
			for _, c := range p.Axis.Choices {
				x.add(symbolKey(kindChoice, c.Name.Text), kindChoice, c.Name, p.Axis.Name.Text, c, nil)
			}
		}
	}
}

func (x *index) bodyID(pos dsl.Pos) string { return fmt.Sprintf("%s:%d", x.file.Name, pos.Offset) }

func (x *index) addType(t *dsl.Type, doc []string) {
	s := x.add(symbolKey(kindType, t.Name.Text), kindType, t.Name, "", t, doc)
	s.body = newBody(x.bodyID(t.Pos), t.Name.Text, nil)
	x.arguments(s.body, t.Args)
	x.fields(s.body, t.Items)
}

func (x *index) addUnion(u *dsl.Union, doc []string) {
	s := x.add(symbolKey(kindUnion, u.Name.Text), kindUnion, u.Name, "", u, doc)
	s.body = newBody(x.bodyID(u.Pos), u.Name.Text, nil)
	x.arguments(s.body, u.Args)
	x.fields(s.body, u.Items)
}

func (x *index) addArm(a *dsl.Arm, doc []string) {
	s := x.add(armKey(a.Union.Text, a.Name.Text), kindArm, a.Name, a.Union.Text, a, doc)
	var union *body
	if u := x.find(a.Union.Text, kindUnion); u != nil {
		union = u.body
	}
	s.body = newBody(x.bodyID(a.Pos), a.Name.Text, union)
	x.fields(s.body, a.Items)
}

func (x *index) change(c *dsl.Change, doc []string) {
	switch {
	case c.Replace != nil:
		x.declare(&dsl.Decl{Doc: doc, Encoding: c.Replace.Encoding, Type: c.Replace.Type, Union: c.Replace.Union, Erratum: c.Replace.Erratum, Arm: c.Replace.Arm})
	case c.Extend != nil:
		for _, n := range c.Extend.Arms {
			s := x.arm(c.Extend.Union.Text, n.Text)
			x.note(n, s, false)
			if s != nil && s.body != nil {
				x.fields(s.body, c.Extend.Items)
			}
		}
	case c.Remove != nil:
		for _, n := range c.Remove.Names {
			if c.Remove.Kind == "arm" {
				s := x.anyArm(n.Text)
				x.note(n, s, false)
				if s != nil {
					delete(x.symbols, armKey(s.owner, s.name))
				}
				continue
			}
			x.note(n, x.find(n.Text, kind(c.Remove.Kind)), false)
			delete(x.symbols, symbolKey(kind(c.Remove.Kind), n.Text))
		}
	case c.Renumber != nil:
		for _, l := range c.Renumber.Lines {
			x.note(l.Name, x.arm(c.Renumber.Union.Text, l.Name.Text), false)
		}
	case c.Rename != nil:
		x.rename(c.Rename)
	}
}

// rename makes new symbols of arms: the new name is one of this file.
func (x *index) rename(r *dsl.Rename) {
	renamed := map[string]*symbol{}
	for _, l := range r.Lines {
		old := x.arm(r.Union.Text, l.Old.Text)
		x.note(l.Old, old, false)
		if old == nil {
			continue
		}
		delete(x.symbols, armKey(r.Union.Text, l.Old.Text))
		at := x.siteOf(l.New)
		renamed[l.New.Text] = &symbol{kind: kindArm, name: l.New.Text, owner: r.Union.Text, node: old.node, doc: old.doc, body: old.body,
			key: fmt.Sprintf("%s %s at %s:%d", kindArm, l.New.Text, at.file, at.at), sites: []site{at}}
		x.note(l.New, renamed[l.New.Text], true)
	}
	for name, s := range renamed {
		x.symbols[armKey(r.Union.Text, name)] = s
	}
}

func (x *index) arguments(b *body, args []*dsl.Name) {
	for _, a := range args {
		x.addField(b, a, kindArgument, a)
	}
}

// addField declares a field of a body. Rows that are forms of one field share it.
func (x *index) addField(b *body, n *dsl.Name, k kind, node any) {
	if n == nil {
		return
	}
	s := b.fields[n.Text]
	if s == nil {
		s = &symbol{kind: k, name: n.Text, owner: b.name, key: b.id + "." + n.Text, node: node}
		b.fields[n.Text] = s
	}
	s.sites = append(s.sites, x.siteOf(n))
	x.note(n, s, true)
	if len(s.sites) == 1 && isStored(node) {
		b.stored = append(b.stored, s)
	}
}

// isStored reports whether a field is part of the value, and not computed from it.
func isStored(node any) bool {
	switch n := node.(type) {
	case *dsl.Row:
		return n.Value == nil && len(n.Bits) == 0
	case *dsl.BitField:
		return n.Value == nil
	case *dsl.Bits:
		return n.Value == nil
	case *dsl.Repeat:
		return true
	}
	return false
}

// fields declares the fields of items.
func (x *index) fields(b *body, items []*dsl.Item) {
	for _, i := range items {
		switch {
		case i.Row != nil:
			x.addField(b, i.Row.Name, kindField, i.Row)
			for _, bf := range i.Row.Bits {
				x.addField(b, bf.Name, kindField, bf)
			}
		case i.Bits != nil:
			x.addField(b, i.Bits.Name, kindField, i.Bits)
		case i.Let != nil:
			x.addField(b, i.Let.Name, kindField, i.Let)
		case i.Repeat != nil:
			x.addField(b, i.Repeat.Name, kindField, i.Repeat)
			inner := newBody(x.bodyID(i.Repeat.Pos), b.name+"."+i.Repeat.Name.Text, nil)
			b.lists[i.Repeat.Name.Text] = inner
			x.fields(inner, i.Repeat.Items)
		case i.Within != nil:
			x.fields(b, i.Within.Items)
		case i.If != nil:
			x.fields(b, i.If.Then)
			x.fields(b, i.If.Else)
		}
	}
}

// uses notes the names that a declaration of the last file uses.
func (x *index) uses(d *dsl.Decl) {
	switch {
	case d.Schema != nil:
		x.schemaUses(d.Schema)
	case d.Const != nil:
		x.expr(d.Const.Value, nil, false)
	case d.Encoding != nil:
		for _, r := range d.Encoding.Rules {
			x.erratum(r.Erratum)
		}
	case d.Type != nil:
		if s := x.find(d.Type.Name.Text, kindType); s != nil {
			x.items(s.body, d.Type.Items, nil)
		}
	case d.Union != nil:
		if s := x.find(d.Union.Name.Text, kindUnion); s != nil {
			x.note(d.Union.By, s.body.field(d.Union.By.Text), false)
			x.items(s.body, d.Union.Items, nil)
		}
	case d.Arm != nil:
		x.note(d.Arm.Union, x.find(d.Arm.Union.Text, kindUnion), false)
		if s := x.arm(d.Arm.Union.Text, d.Arm.Name.Text); s != nil {
			x.items(s.body, d.Arm.Items, s)
		}
	case d.Change != nil:
		x.changeUses(d.Change)
	}
}

func (x *index) changeUses(c *dsl.Change) {
	switch {
	case c.Replace != nil:
		x.uses(&dsl.Decl{Encoding: c.Replace.Encoding, Type: c.Replace.Type, Union: c.Replace.Union, Erratum: c.Replace.Erratum, Arm: c.Replace.Arm})
	case c.Extend != nil:
		x.note(c.Extend.Union, x.find(c.Extend.Union.Text, kindUnion), false)
		for _, n := range c.Extend.Arms {
			if s := x.arm(c.Extend.Union.Text, n.Text); s != nil {
				x.items(s.body, c.Extend.Items, s)
			}
		}
	case c.Renumber != nil:
		x.note(c.Renumber.Union, x.find(c.Renumber.Union.Text, kindUnion), false)
	case c.Rename != nil:
		x.note(c.Rename.Union, x.find(c.Rename.Union.Text, kindUnion), false)
	}
}

func (x *index) schemaUses(s *dsl.Schema) {
	for _, p := range s.Props {
		x.erratum(p.Erratum)
		x.expr(p.Depth, nil, false)
		if p.Root != nil {
			x.note(p.Root, x.find(p.Root.Text, kindUnion, kindType), false)
		}
		for _, list := range [][]*dsl.Name{p.Equal, p.Differ, p.Exact, p.Apart} {
			for _, n := range list {
				x.note(n, x.anyArm(n.Text), false)
			}
		}
		if p.Axis != nil {
			for _, c := range p.Axis.Choices {
				for _, e := range []*dsl.Expr{c.Offset, c.Length, c.Elem} {
					x.expr(e, nil, false)
				}
			}
		}
	}
}

func (x *index) erratum(e *dsl.ErrRef) {
	if e != nil {
		x.note(e.Name, x.find(e.Name.Text, kindErratum), false)
	}
}

// items notes the names in items of a body; of is the arm that they are of, if any.
func (x *index) items(b *body, items []*dsl.Item, of *symbol) {
	for _, i := range items {
		switch {
		case i.Row != nil:
			x.row(b, i.Row)
		case i.Bits != nil:
			if i.Bits.Selects != nil {
				x.note(i.Bits.Selects, x.find(i.Bits.Selects.Text, kindAxis), false)
			}
			x.expr(i.Bits.Value, b, false)
			x.attrs(b, i.Bits.Attrs)
		case i.Repeat != nil:
			x.expr(i.Repeat.Count, b, false)
			x.attrs(b, i.Repeat.Attrs)
			if inner := b.lists[i.Repeat.Name.Text]; inner != nil {
				x.items(inner, i.Repeat.Items, of)
			}
		case i.Within != nil:
			x.expr(i.Within.Size, b, false)
			x.attrs(b, i.Within.Attrs)
			x.items(b, i.Within.Items, of)
		case i.If != nil:
			x.expr(i.If.Cond, b, false)
			x.items(b, i.If.Then, of)
			x.items(b, i.If.Else, of)
		case i.Let != nil:
			x.expr(i.Let.Value, b, false)
		case i.Check != nil:
			x.expr(i.Check.Cond, b, false)
		case i.Require != nil:
			x.note(i.Require, x.find(i.Require.Text, kindGate), false)
		case i.Writes != nil:
			x.expr(i.Writes.When, b, false)
			if i.Writes.Arm != nil && of != nil {
				x.note(i.Writes.Arm, x.arm(of.owner, i.Writes.Arm.Text), false)
			}
		case i.Example != nil:
			for _, n := range i.Example.Open {
				x.note(n, x.find(n.Text, kindGate, kindChoice), false)
			}
			if i.Example.Value != nil {
				x.literal(i.Example.Value, b)
			}
		case i.Erratum != nil:
			x.erratum(i.Erratum)
		}
	}
}

func (x *index) row(b *body, r *dsl.Row) {
	x.expr(r.Offset, b, true)
	x.expr(r.Length, b, true)
	x.note(r.Type.Name, x.find(r.Type.Name.Text, kindAxis, kindType, kindUnion, kindEncoding), false)
	x.expr(r.Type.Size, b, false)
	for _, a := range r.Type.Args {
		x.expr(a, b, false)
	}
	x.expr(r.Value, b, false)
	x.attrs(b, r.Attrs)
	for _, bf := range r.Bits {
		x.expr(bf.Value, b, false)
		x.attrs(b, bf.Attrs)
	}
}

func (x *index) attrs(b *body, attrs []*dsl.Attr) {
	for _, a := range attrs {
		x.erratum(a.Err)
		for _, e := range []*dsl.Expr{a.Write, a.Must, a.When} {
			x.expr(e, b, false)
		}
		if a.At != nil {
			x.note(a.At.Choice, x.find(a.At.Choice.Text, kindChoice), false)
			x.expr(a.At.Offset, b, true)
		}
		if a.Same != nil {
			x.note(a.Same, b.field(a.Same.Text), false)
		}
	}
}

// expr notes the names in an expression. One of offsets and lengths holds letters
// beside constants.
func (x *index) expr(e *dsl.Expr, b *body, letters bool) {
	if e == nil {
		return
	}
	dsl.Walk(e, func(node any) bool {
		c, ok := node.(*dsl.Call)
		if !ok {
			return true
		}
		name := c.Name.Text
		function, _ := builtin.FunctionNamed(name)
		switch {
		case c.IsCall && function == builtin.Closed:
			for _, a := range c.Args {
				dsl.Walk(a, func(node any) bool {
					if n, ok := node.(*dsl.Name); ok {
						x.note(n, x.find(n.Text, kindGate), false)
					}
					return true
				})
			}
			return false
		case c.IsCall:
		case letters:
			x.letter(c.Name, b)
		default:
			s := b.field(name)
			if s == nil {
				s = x.find(name, kindConst)
			}
			x.note(c.Name, s, false)
		}
		return true
	})
}

// letter is a letter that stands for a place or a length: new, or known already.
func (x *index) letter(n *dsl.Name, b *body) {
	s := b.letters[n.Text]
	if s == nil {
		if c := x.find(n.Text, kindConst); c != nil {
			x.note(n, c, false)
			return
		}
		s = &symbol{kind: kindLetter, name: n.Text, owner: b.name, key: b.id + " letter " + n.Text, sites: []site{x.siteOf(n)}}
		b.letters[n.Text] = s
		x.note(n, s, true)
		return
	}
	x.note(n, s, false)
}

// literal notes the names in the value of an example: those of arms, and of fields of
// the record that b is the body of, or in a list of such records.
func (x *index) literal(l *dsl.Literal, b *body) {
	switch {
	case l.Name != nil:
		s := x.anyArm(l.Name.Text)
		x.note(l.Name, s, false)
		inner := (*body)(nil)
		if s != nil {
			inner = s.body
		}
		for _, a := range l.Args {
			x.literal(a, inner)
		}
	case l.IsList:
		if b != nil && len(b.stored) == 1 {
			b = x.content(b.stored[0], b) // the one field of a record may stand for it
		}
		for _, e := range l.Elems {
			x.literal(e, b)
		}
	}
	for _, p := range l.Pairs {
		field := (*symbol)(nil)
		if p.Key.Name != nil && len(p.Key.Args) == 0 {
			field = b.field(p.Key.Name.Text)
		}
		if field == nil {
			x.literal(p.Key, nil)
			x.literal(p.Value, nil)
			continue
		}
		x.note(p.Key.Name, field, false)
		inner := x.content(field, b)
		if _, list := field.node.(*dsl.Repeat); list {
			for _, e := range p.Value.Elems {
				x.literal(e, inner)
			}
			if !p.Value.IsList {
				x.literal(p.Value, inner)
			}
			continue
		}
		x.literal(p.Value, inner)
	}
}

// content is the body of what a field holds, or of the elements of a list, where
// that is a record.
func (x *index) content(field *symbol, b *body) *body {
	record := func(r *dsl.Row) *body {
		if s := x.find(r.Type.Name.Text, kindType); s != nil {
			return s.body
		}
		return nil
	}
	switch n := field.node.(type) {
	case *dsl.Repeat:
		var rows []*dsl.Row
		for _, i := range n.Items {
			if i.Row != nil {
				rows = append(rows, i.Row)
			}
		}
		if len(rows) == 1 {
			if inner := record(rows[0]); inner != nil {
				return inner // the elements are what the row holds
			}
		}
		return b.lists[n.Name.Text]
	case *dsl.Row:
		return record(n)
	}
	return nil
}
