// Binding: from the declarations of a schema to its tree, for one choice of its axis.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// binder makes the tree of a schema. First every declaration gets its node, so that
// names can be bound in any order; then each record gets its fields, and then its
// expressions.
type binder struct {
	*resolver
	src       *source
	s         *Schema
	records   map[string]*Record
	unions    map[string]*Union
	encodings map[string]*Encoding
	errata    map[string]*Erratum
	params    map[string]int           // how many arguments records and unions take
	inPlace   map[*Record]*dsl.TypeRef // the type of the one stored row of records that are stored in place
	last      []func()                 // checks of records that need all others
}

// bind makes the tree of a schema for a choice of its axis.
func (r *resolver) bind(src *source, choice int) *binder {
	b := &binder{
		resolver: r, src: src,
		s:         &Schema{ID: src.ID, Title: src.Title, Source: src.Source, Doc: src.Doc, Pos: src.Decl.Pos, File: src.File.Name, Big: src.Order == "big", Depth: src.Depth, src: src},
		records:   map[string]*Record{},
		unions:    map[string]*Union{},
		encodings: map[string]*Encoding{},
		errata:    map[string]*Erratum{},
		params:    map[string]int{},
		inPlace:   map[*Record]*dsl.TypeRef{},
	}
	b.properties(choice)
	b.nodes()
	b.findInPlace()
	for i, d := range src.Types {
		b.record(b.s.Records[i], d)
	}
	for i, d := range src.Unions {
		b.union(b.s.Unions[i], d)
	}
	for _, f := range b.last {
		f()
	}
	b.root()
	b.s.Equal, b.s.Differ = b.keys(src.Equal), b.keys(src.Differ)
	b.s.Exact, b.s.Apart = b.keys(src.Exact), b.keys(src.Apart)
	return b
}

// properties binds the declarations of the schema itself, and those that bodies mention.
func (b *binder) properties(choice int) {
	s, src := b.s, b.src
	for _, says := range src.Says {
		s.Facts = append(s.Facts, says.Text)
	}
	for _, d := range src.Errata {
		e := &Erratum{Name: d.Name.Text, Pos: d.Pos, In: d.In.String(), Says: d.Says.String(), Engine: d.Engine.String(), Here: d.Here.String()}
		s.Errata = append(s.Errata, e)
		b.errata[e.Name] = e
	}
	for _, ref := range src.Refs {
		s.Mentions = append(s.Mentions, b.mention(ref))
	}
	for i, g := range src.Gates {
		s.Gates = append(s.Gates, &Gate{Name: g.Name.Text, Doc: g.Doc.String(), Index: i, Pos: g.Pos})
	}
	for _, d := range src.Consts {
		s.Consts = append(s.Consts, &Const{Name: d.Name.Text, Value: src.values[d.Name.Text].num, Doc: d.Doc, Pos: d.Pos})
	}
	if src.Axis != nil {
		s.Axis = &Axis{Name: src.Axis.Name.Text, Pos: src.Axis.Pos}
		for i, d := range src.Axis.Choices {
			scalar, _ := builtin.ScalarNamed(d.Scalar.Text)
			c := &Choice{Name: d.Name.Text, Pos: d.Pos, Index: i, Scalar: scalar}
			c.Offset, c.Length, c.Elem = b.cell(d.Offset, nil, "offset"), b.cell(d.Length, nil, "length"), b.cell(d.Elem, nil, "offset")
			s.Axis.Choices = append(s.Axis.Choices, c)
		}
		s.Choice = s.Axis.Choices[choice]
	}
	for _, d := range src.Encodings {
		e := b.encoding(d)
		s.Encodings = append(s.Encodings, e)
		b.encodings[e.Name] = e
	}
	if b.encodings["utf8"] == nil {
		b.encodings["utf8"] = &Encoding{Name: "utf8"}
	}
}

func (b *binder) encoding(d *encodingDecl) *Encoding {
	e := &Encoding{Name: d.Name.Text, Doc: d.Doc, Pos: d.Pos}
	for _, rule := range d.Rules {
		switch {
		case rule.UTF8 != "":
			e.UTF8 = map[string]UTF8{"strict": UTF8Strict, "loose": UTF8Loose, "unchecked": UTF8Unchecked}[rule.UTF8]
		case rule.BOM != "":
			e.DropBOM = rule.BOM == "drop"
		case rule.NUL != "":
			e.NUL = map[string]NUL{"keep": NULKeep, "stop": NULStop, "counted": NULCounted}[rule.NUL]
		case rule.Erratum != nil:
			e.Mentions = append(e.Mentions, b.mention(rule.Erratum))
		}
	}
	return e
}

// nodes makes an empty node for every record, union and arm.
func (b *binder) nodes() {
	for _, d := range b.src.Types {
		rec := &Record{Name: d.Name, Path: d.Name, Doc: d.Doc, Pos: d.Pos, items: d.Items}
		b.s.Records = append(b.s.Records, rec)
		b.records[d.Name] = rec
		b.params[d.Name] = len(d.Args)
	}
	for _, d := range b.src.Unions {
		u := &Union{Name: d.Name, Doc: d.Doc, Pos: d.Pos, items: d.Items}
		for _, a := range d.Arms {
			arm := &Arm{Union: u, ID: a.ID, Code: a.Code, Else: a.Else, Label: a.Label, Was: a.Was}
			arm.Record = &Record{Name: a.Name, Path: a.Name, Doc: a.Doc, Pos: a.Pos, Arm: arm, items: a.Items}
			u.Arms = append(u.Arms, arm)
		}
		b.s.Unions = append(b.s.Unions, u)
		b.unions[d.Name] = u
		b.params[d.Name] = len(d.Args)
	}
}

// findInPlace finds the records of one stored field, which is stored in the place of
// the record. It reports those that contain nothing but themselves.
func (b *binder) findInPlace() {
	rows := map[string]*dsl.TypeRef{}
	for _, d := range b.src.Types {
		if row := single(d.Items); row != nil && len(d.Args) == 0 {
			rows[d.Name] = row.Type
		}
	}
	done := map[string]bool{}
	for _, d := range b.src.Types {
		path := map[string]bool{}
		for name := d.Name; !done[name]; {
			done[name], path[name] = true, true
			t := rows[name]
			if t == nil || t.Size != nil || t.ID {
				break
			}
			next := t.Name.Text
			if path[next] {
				b.errorf(t.Pos, len(next), dsl.CodeNoProgress, "no value of type %s ends: it always contains another", name).
					WithHint("a record that contains itself needs a way to end: a union, or a list that may be empty")
				delete(rows, name)
			}
			if rows[next] == nil {
				break
			}
			name = next
		}
	}
	for name, t := range rows {
		b.inPlace[b.records[name]] = t
	}
}

// single returns the one stored row of a record that is stored in place of it, or nil.
func single(items []*dsl.Item) *dsl.Row {
	var found *dsl.Row
	for _, i := range items {
		switch {
		case i.Row != nil && sameAs(i.Row) != nil:
		case i.Row != nil && len(i.Row.Bits) > 0:
			return nil
		case i.Row != nil && i.Row.Value != nil:
		case i.Row != nil:
			if found != nil {
				return nil
			}
			found = i.Row
		case i.Erratum != nil, i.Says != nil, i.Caption != nil, i.Example != nil:
		default:
			return nil
		}
	}
	return found
}

// root binds the outermost value.
func (b *binder) root() {
	name := b.src.Root
	if name == "" {
		return
	}
	at := &dsl.Name{Text: name, Pos: b.src.Decl.Pos}
	for _, p := range b.src.Decl.Props {
		if p.Root != nil {
			at = p.Root
			b.typeName(at, false)
		}
	}
	params := 0
	switch u, rec := b.unions[name], b.records[name]; {
	case u != nil:
		b.s.Root, params = &Type{Form: OfUnion, Name: name, Pos: at.Pos, Union: u}, len(u.Params)
	case rec != nil:
		b.s.Root, params = &Type{Form: OfRecord, Name: name, Pos: at.Pos, Record: rec}, len(rec.Params)
	default:
		d := b.name(at, dsl.CodeUnknown, "there is no type or union %s to be the root", name).WithHint("declare it, or name another")
		b.near(d, name, func() []string { return b.src.declared("union", "type") })
	}
	if params > 0 {
		b.name(at, dsl.CodeArgs, "the root takes no arguments, and %s takes %d", name, params).
			WithHint("nothing before the root could give them; let another type be the root")
	}
}

// keys returns the arms that a rule for equal keys names.
func (b *binder) keys(names []string) []*Arm {
	var out []*Arm
	for _, name := range names {
		found := false
		for _, u := range b.s.Unions {
			for _, a := range u.Sorted() {
				if a.Name == name {
					out = append(out, a)
					found = true
				}
			}
		}
		if !found {
			b.unknownKey(name)
		}
	}
	return out
}

// unknownKey reports a name in a rule for equal keys that is not an arm, at its place
// or, in a schema that takes the rule over, at the declaration of the schema.
func (b *binder) unknownKey(name string) {
	at, width := b.src.Decl.Pos, len("schema")
	for _, p := range b.src.Decl.Props {
		for _, list := range [][]*dsl.Name{p.Equal, p.Differ, p.Exact, p.Apart} {
			for _, n := range list {
				if n.Text == name {
					at, width = n.Pos, len(name)
				}
			}
		}
	}
	d := b.errorf(at, width, dsl.CodeUnknown, "the rule for equal keys names %s, which is not an arm", name).WithHint("leave it out, or correct the name")
	b.near(d, name, func() []string { return b.src.declared("arm") })
}

// near gives a mistake the hint that a name may be misspelt, if one is near. Beyond a
// number of mistakes it does not, since that takes longer than all else.
func (r *resolver) near(d *dsl.Diagnostic, name string, all func() []string) {
	if len(r.diags) > maxNear {
		return
	}
	if near := dsl.Nearest(name, all()); near != "" {
		d.WithHint("did you mean %s?", near)
	}
}

// axis reports the mistakes of an axis, without which no row has a size.
func (r *resolver) axis(axis *dsl.Axis) {
	first := builtin.NoScalar
	for i, ch := range axis.Choices {
		for _, other := range axis.Choices[:i] {
			if other.Name.Text == ch.Name.Text {
				r.name(ch.Name, dsl.CodeTwice, "axis %s has two choices %s", axis.Name.Text, ch.Name.Text).WithHint("give each its own name")
				break
			}
		}
		s, ok := builtin.ScalarNamed(ch.Scalar.Text)
		switch {
		case !ok:
			d := r.name(ch.Scalar, dsl.CodeUnknown, "there is no scalar %s", ch.Scalar.Text).WithHint("an axis represents a number such as f32")
			r.near(d, ch.Scalar.Text, scalarNames)
		case first == builtin.NoScalar:
			first = s
		case first.IsFloat() != s.IsFloat() || first.Signed() != s.Signed():
			r.name(ch.Scalar, dsl.CodeArgs, "%s is another sort of number than %s, so one value cannot be written as both", ch.Scalar.Text, first).
				WithHint("the choices of an axis are all floats, all signed or all unsigned")
		}
	}
}

func scalarNames() []string {
	var all []string
	for _, t := range builtin.Types() {
		if !t.Truth && !t.Text {
			all = append(all, t.Name)
		}
	}
	return all
}

// mention binds a mention of an erratum.
func (b *binder) mention(ref *dsl.ErrRef) *Mention {
	if e := b.src.Erratum(ref.Name.Text); e != nil {
		b.index.use(ref.Name, e.Name)
	}
	m := &Mention{Erratum: b.errata[ref.Name.Text], Name: ref.Name.Text, Pos: ref.Pos, Absent: ref.Absent}
	for _, said := range ref.Said {
		m.Said = append(m.Said, Said{Cell: said.Cell, Text: said.Text.Text})
	}
	return m
}
