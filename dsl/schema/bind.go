// Binding: from the declarations of a schema to its tree, for one choice of its option.

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// binder makes the tree of a schema. First every declaration gets its node, so that
// names can be bound in any order; then each record gets its fields, and then its
// expressions.
type binder struct {
	*resolver
	space
	s         *Schema
	records   map[string]*Record
	unions    map[string]*Union
	encodings map[string]*Encoding
	params    map[string]int         // how many arguments records and unions take
	inPlace   map[*Record]inPlace    // of records that are stored in place
	bases     map[string]bool        // types from which parts count
	bodies    []func()               // bind the records and the unions
	own       []*Union               // without those of imports
	sets      map[textType]*Encoding // of the language, also for imports
	last      []func()               // checks of records that need all others
	scopes    map[*Record]*scope     // of the declared records
}

// textType is an encoding of the language.
type textType struct {
	name string
	set  builtin.Charset
}

// inPlace is the type of the one stored row of a record that is stored in place. It has
// the binder that knows its name.
type inPlace struct {
	t *dsl.TypeRef
	b *binder
}

// binder returns a binder of a schema for the names of a space.
func (r *resolver) binder(s *Schema, sp space) *binder {
	return &binder{
		resolver: r, space: sp, s: s,
		records:   map[string]*Record{},
		unions:    map[string]*Union{},
		encodings: map[string]*Encoding{},
		params:    map[string]int{},
		inPlace:   map[*Record]inPlace{},
		bases:     map[string]bool{},
		sets:      map[textType]*Encoding{},
		scopes:    map[*Record]*scope{},
	}
}

// bind makes the tree of a schema for a choice of its option.
func (r *resolver) bind(src *source, choice int) *binder {
	s := &Schema{ID: src.ID, Title: src.Title, Source: src.Source, Role: src.Role, Doc: src.Doc, Pos: src.Decl.Pos, End: src.Decl.EndPos, File: src.File.Name, Big: src.Order == "big", Depth: src.Depth, src: src}
	s.Mentions = marks(src.Decl.Marks)
	for i, g := range src.Gates {
		s.Gates = append(s.Gates, &Gate{Name: g.Name.Text, Doc: g.Doc.String(), Index: i, Pos: g.Pos})
	}
	b := r.binder(s, space{src: src})
	b.properties(choice)
	s.Option, s.Choice = b.option, b.choice
	b.importAll()
	b.takeAll()
	all := b.spaces()
	for _, c := range all {
		c.nodes()
	}
	for _, c := range all {
		c.join()
	}
	for _, c := range all {
		c.findInPlace()
	}
	for _, c := range all {
		for _, f := range c.bodies {
			f()
		}
	}
	b.orders()
	for _, c := range all {
		for i := 0; i < len(c.last); i++ { // some add others
			c.last[i]()
		}
	}
	b.bindExamples()
	b.root()
	for _, c := range all {
		for rule, names := range c.src.Keys {
			s.Keys[rule] = append(s.Keys[rule], c.keys(builtin.KeyRule(rule), names)...)
		}
	}
	return b
}

// properties binds the option and the encodings, which bodies mention.
func (b *binder) properties(choice int) {
	src := b.src
	if src.Option != nil {
		b.option = &Option{Name: src.Option.Name.Text, Pos: src.Option.Pos}
		for i, d := range src.Option.Choices {
			scalar, _ := builtin.ScalarNamed(d.Scalar.Text)
			b.option.Choices = append(b.option.Choices, &Choice{Name: d.Name.Text, Pos: d.Pos, Index: i, Scalar: scalar})
		}
		b.choice = b.option.Choices[choice]
	}
	for _, d := range src.Encodings {
		e := b.encoding(d)
		b.s.Encodings = append(b.s.Encodings, e)
		b.encodings[d.Name.Text] = e
	}
	for _, t := range builtin.Types() {
		if t.Text && b.encodings[t.Name] == nil {
			set, _ := builtin.CharsetNamed(t.Name, b.big())
			e := Encoding{Name: t.Name, Charset: set, AsSchema: t.Name == "utf16"}
			key := textType{t.Name, set}
			if b.sets[key] == nil {
				b.sets[key] = &e
			}
			b.encodings[t.Name] = b.sets[key]
		}
	}
}

func (b *binder) encoding(d *encodingDecl) *Encoding {
	e := &Encoding{Name: b.prefix + d.Name.Text, decl: d, Doc: d.Doc, Pos: d.Pos, Mentions: marks(d.Marks)}
	var bom, nul dsl.TextRule
	for _, r := range (&dsl.Encoding{Words: d.Words}).Rules() {
		word := ""
		if rule := builtin.TextRuleNamed(r.Name.Text); rule != nil {
			if word = b.textWord(rule, r); word == "" {
				continue
			}
		}
		switch r.Name.Text {
		case "utf8":
			e.Charset = map[string]builtin.Charset{"strict": builtin.UTF8Strict, "loose": builtin.UTF8Loose, "unchecked": builtin.UTF8Unchecked}[word]
		case "bom":
			e.DropBOM, bom = word == "drop", r
		case "nul":
			e.NUL = map[string]NUL{"keep": NULKeep, "stop": NULStop, "counted": NULCounted}[word]
			nul = r
		default:
			e.Charset, e.AsSchema = b.charset(r.Name), r.Name.Text == "utf16"
		}
	}
	switch {
	case e.DropBOM && !e.Charset.Verbatim():
		b.name(d.Name, dsl.CodeArgs, "encoding %s drops a byte order mark of UTF-8, and its text is %s", e.Name, e.Charset.Title()).WithHint("leave `bom drop` out").Remove(b.files[d.Pos.Filename], bom.Name.Pos, bom.Word.End())
	case e.NUL != NULKeep && e.Charset.IsUTF16():
		b.name(d.Name, dsl.CodeArgs, "encoding %s has a rule for zero bytes, and half of its characters in UTF-16 have one", e.Name).
			WithHint("leave `nul` out, and store the length of the text").Remove(b.files[d.Pos.Filename], nul.Name.Pos, nul.Word.End())
	}
	return e
}

// textWord returns the word of a rule for text, or "" if it is missing or unknown.
func (b *binder) textWord(rule *builtin.TextRule, r dsl.TextRule) string {
	names := rule.Names()
	hint := fmt.Sprintf("after %s there is %s or %s", rule.Name, strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
	switch {
	case r.Word == nil:
		b.name(r.Name, dsl.CodeArgs, "%s lacks its word", rule.Name).WithHint("%s", hint)
	case rule.Word(r.Word.Text) == nil:
		d := b.name(r.Word, dsl.CodeUnknown, "%s is not a rule of %s", r.Word.Text, rule.Name).WithHint("%s", hint)
		b.near(d, r.Word.Text, rule.Names)
	default:
		return r.Word.Text
	}
	return ""
}

// charset returns the character set of a rule.
func (b *binder) charset(n *dsl.Name) builtin.Charset {
	set, ok := builtin.CharsetNamed(n.Text, b.big())
	if !ok {
		d := b.name(n, dsl.CodeUnknown, "there is no character set %s", n.Text).WithHint("the character sets are utf8, with strict, loose or unchecked after it, %s", strings.Join(builtin.CharsetNames(), ", "))
		b.near(d, n.Text, builtin.CharsetNames)
	}
	return set
}

// nodes makes an empty node for every record, union and arm that is bound.
func (b *binder) nodes() {
	for _, d := range b.src.Types {
		if !b.takes(d.Name) {
			continue
		}
		name := b.prefix + d.Name
		rec := &Record{Name: name, Path: name, Doc: d.Doc, Pos: d.Pos, Mentions: marks(d.Marks), items: d.Items, computed: b.computed()}
		b.s.Records = append(b.s.Records, rec)
		b.records[d.Name] = rec
		b.params[d.Name] = len(d.Args)
		b.bodies = append(b.bodies, func() { b.record(rec, d) })
	}
	for _, d := range b.src.Unions {
		if !b.takes(d.Name) {
			continue
		}
		u := &Union{Name: b.prefix + d.Name, Doc: d.Doc, Pos: d.Pos, Mentions: marks(d.Marks), items: d.Items, decl: d, computed: b.computed()}
		for _, a := range d.Arms {
			arm := &Arm{Union: u, IDs: a.IDs, Code: a.Code, Else: a.Else, hex: a.hex, Label: a.Label, Was: a.Was}
			if !a.Else {
				arm.ID = a.IDs[0].Lo
			}
			arm.Record = &Record{Name: a.Name, Path: a.Name, Doc: a.Doc, Pos: a.Pos, Arm: arm, Mentions: marks(a.Marks), items: a.Items}
			u.Arms = append(u.Arms, arm)
		}
		b.s.Unions = append(b.s.Unions, u)
		b.own = append(b.own, u)
		b.unions[d.Name] = u
		b.params[d.Name] = len(d.Args)
		b.bodies = append(b.bodies, func() { b.union(u, d) })
	}
}

// findInPlace finds the records of one stored field, which is stored in the place of
// the record. It reports those that contain nothing but themselves.
func (b *binder) findInPlace() {
	rows := map[string]*dsl.TypeRef{}
	whole := map[string]bool{} // types with the checksum of a record
	for _, d := range b.src.Types {
		whole[d.Name] = b.basesOf(d.Items)
	}
	for _, d := range b.src.Unions {
		for _, a := range d.Arms {
			b.basesOf(a.Items)
		}
	}
	for _, d := range b.src.Types {
		if row := single(d.Items); b.takes(d.Name) && row != nil && len(d.Args) == 0 && !b.isList(row.Type) && !b.bases[d.Name] && !whole[d.Name] {
			rows[d.Name] = row.Type
		}
	}
	done := map[string]bool{}
	for _, d := range b.src.Types {
		path := map[string]bool{}
		for name := d.Name; !done[name]; {
			done[name], path[name] = true, true
			t := rows[name]
			if t == nil || t.Extent != nil || t.ID {
				break
			}
			next := t.Path()
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
		b.inPlace[b.records[name]] = inPlace{t, b}
	}
}

// single returns the one stored row of a record that is stored in place of it, or nil.
func single(items []*dsl.Item) *dsl.Row {
	var found *dsl.Row
	for _, i := range items {
		switch {
		case i.Row != nil && (len(i.Row.Bits) > 0 || i.Row.At != nil || i.Row.By != nil && i.Row.Computed() == nil):
			return nil
		case i.Row != nil && i.Row.Computed() != nil:
		case i.Row != nil:
			if found != nil {
				return nil
			}
			found = i.Row
		case i.Example != nil:
		default:
			return nil
		}
	}
	return found
}

// rootOf returns the name of the outermost value of a schema, "" if it has none.
func (r *resolver) rootOf(src *source) string {
	if r.root != "" {
		return r.root
	}
	return src.Root
}

// root binds the outermost value.
func (b *binder) root() {
	name := b.rootOf(b.src)
	if name == "" {
		return
	}
	at := &dsl.Name{Text: name, Pos: b.src.Decl.Pos}
	for _, p := range b.src.Decl.Props {
		if p.Root != nil {
			at = p.Root
			b.typeName(&dsl.TypeRef{Name: at}, false)
		}
	}
	params := 0
	switch u, rec := b.unions[name], b.records[name]; {
	case u != nil:
		b.s.Root, params = &Type{Form: OfUnion, Name: name, Pos: at.Pos, Union: u}, len(u.Params)
	case rec != nil:
		b.s.Root, params = &Type{Form: OfRecord, Name: name, Pos: at.Pos, Record: rec}, len(rec.Params)
	default:
		d := b.name(at, dsl.CodeUnknown, "there is no type or union %s for the root", name).WithHint("declare it, or name another")
		b.near(d, name, func() []string { return b.src.declared("union", "type") })
	}
	if b.s.Root != nil && givenOrder(b.s.Root) {
		b.s.Root, params = b.rootInOrder(b.s.Root), params-1
	}
	if params > 0 {
		b.name(at, dsl.CodeArgs, "the root takes no arguments, and %s takes %d", name, params).
			WithHint("nothing before the root could give them; let another type be the root")
	}
}

// keys returns the arms that a rule for keys names.
func (b *binder) keys(rule builtin.KeyRule, names []string) []*Arm {
	var out []*Arm
	for _, name := range names {
		found := false
		for _, u := range b.own {
			for _, a := range u.Sorted() {
				if a.Name != name {
					continue
				}
				out = append(out, a)
				found = true
				if rule == builtin.KeyEmpty && !a.hasFlags() {
					at, width, list := b.keyName(rule, name)
					d := b.errorf(at, width, dsl.CodeArgs, "%s is for arms of numbers beside texts, arrays, lists or maps, all of them always there, and %s is not one", rule, name).
						WithHint("leave the arm out")
					b.withoutKey(d, list, name)
				}
			}
		}
		if !found && b.used == nil {
			at, width, list := b.keyName(rule, name)
			d := b.errorf(at, width, dsl.CodeUnknown, "the rule %s for keys names %s, which is not an arm", rule, name).WithHint("leave it out, or correct the name")
			b.withoutKey(d, list, name)
			b.near(d, name, func() []string { return b.src.declared("arm") })
		}
	}
	return out
}

// keyName returns the place and the width of a name in a rule for keys. In a schema that
// takes the rule over, they are those of its declaration, and the list of names is nil.
func (b *binder) keyName(rule builtin.KeyRule, name string) (at dsl.Pos, width int, list *dsl.KeyRule) {
	at, width = b.src.Decl.Pos, len("schema")
	for _, p := range b.src.Decl.Props {
		if p.Keys == nil {
			continue
		}
		for _, k := range p.Keys.Rules {
			for _, n := range k.Arms {
				if n.Text == name && k.Rule.Text == rule.String() {
					at, width, list = n.Pos, len(name), k
				}
			}
		}
	}
	return at, width, list
}

// withoutKey names the text that leaves an arm out of a rule for keys.
func (b *binder) withoutKey(d *dsl.Diagnostic, list *dsl.KeyRule, name string) {
	if list == nil {
		return // unreachable: a name in a rule is in a property of the schema
	}
	from, to := list.Pos, list.EndPos
	i := slices.IndexFunc(list.Arms, func(n *dsl.Name) bool { return n.Text == name })
	switch {
	case i > 0:
		from, to = list.Arms[i-1].End(), list.Arms[i].End()
	case len(list.Arms) > 1:
		from, to = list.Arms[0].Pos, list.Arms[1].Pos
	}
	d.Remove(b.files[from.Filename], from, to)
}

// hasFlags reports whether the values of an arm are numbers beside texts, arrays, lists or
// maps. All of them are always there, so values without content can differ.
func (a *Arm) hasFlags() bool {
	numbers, content := 0, 0
	for _, f := range a.Stored {
		if f.Optional {
			return false
		}
		switch f.Kind {
		case builtin.Bool, builtin.Int, builtin.Uint, builtin.Float:
			numbers++
		case builtin.Text, builtin.Packed, builtin.List, builtin.Map:
			content++
		default:
			return false
		}
	}
	return numbers > 0 && content > 0
}

// near gives a mistake the hint that a name may be misspelt, if one is near. Beyond a
// number of mistakes it does not, since that takes longer than all else.
func (r *resolver) near(d *dsl.Diagnostic, name string, all func() []string) {
	if len(r.diags) > maxNear {
		return
	}
	if near := builtin.Nearest(name, all()); near != "" {
		d.Suggest(name, near)
	}
}

// checkOption reports the mistakes of an option, without which no row has a size.
func (r *resolver) checkOption(option *dsl.Option) {
	first := builtin.NoScalar
	for i, ch := range option.Choices {
		for _, other := range option.Choices[:i] {
			if other.Name.Text == ch.Name.Text {
				r.name(ch.Name, dsl.CodeTwice, "option %s has two choices %s", option.Name.Text, ch.Name.Text).WithHint("give each its own name")
				break
			}
		}
		s, ok := builtin.ScalarNamed(ch.Scalar.Text)
		switch {
		case !ok:
			d := r.name(ch.Scalar, dsl.CodeUnknown, "there is no scalar %s", ch.Scalar.Text).WithHint("an option represents a number such as f32")
			r.near(d, ch.Scalar.Text, scalarNames)
		case first == builtin.NoScalar:
			first = s
		case first.IsFloat() != s.IsFloat() || first.Signed() != s.Signed():
			r.name(ch.Scalar, dsl.CodeArgs, "%s is another sort of number than %s, so one value cannot be written as both", ch.Scalar.Text, first).
				WithHint("the choices of an option are all floats, all signed or all unsigned")
		}
	}
}

func scalarNames() []string {
	var all []string
	for _, t := range builtin.Types() {
		if !t.Truth && !t.Text && t.Coding == builtin.Fixed {
			all = append(all, t.Name)
		}
	}
	return all
}

// marks returns the errata of a declaration.
func marks(names []*dsl.Name) []*Mention {
	var out []*Mention
	for _, n := range names {
		out = append(out, &Mention{Name: n.Text, Pos: n.Pos})
	}
	return out
}
