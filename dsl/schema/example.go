// Examples: those of a declaration, and of the schemas that a schema extends.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
)

// exampleDecl is an example of a type, a union or an arm.
type exampleDecl struct {
	*dsl.Example
	From          *source // whose file has it
	packet, again []part  // again is nil if a writer makes the same bytes
}

// examples returns the examples in items, and in the blocks of them. The items are of the
// record or union with the path owner.
func (r *resolver) examples(s *source, owner string, items []*dsl.Item) []*exampleDecl {
	var out []*exampleDecl
	read := func(text *dsl.Str) []part {
		parts, err := packet(text)
		if err != nil {
			r.errorf(err.pos, err.width, dsl.CodeExampleBytes, "%s", err.message).WithHint("%s", err.hint)
		}
		return parts
	}
	eachItem(items, func(i *dsl.Item) {
		if i.Example == nil {
			return
		}
		r.signs(i.Example.Value)
		d := &exampleDecl{Example: i.Example, From: s, packet: read(i.Example.Bytes)}
		if i.Example.Again != nil {
			d.again = read(i.Example.Again)
		}
		out = r.addExample(out, owner, d)
	})
	return out
}

// signs reports a name with a sign that is not a number.
func (r *resolver) signs(value *dsl.Literal) {
	dsl.Walk(value, func(node any) bool {
		if l, ok := node.(*dsl.Literal); ok && l.Neg && l.Name != nil && (l.Name.Text != "inf" || len(l.Args) > 0) {
			r.name(l.Name, dsl.CodeArgs, "a number follows -, and %s is not one", l.Name.Text).WithHint("for example: -5, -1.5 or -inf")
		}
		return true
	})
}

// withExamples returns examples of a declaration together with those that a file adds.
func (r *resolver) withExamples(old []*exampleDecl, owner string, added []*exampleDecl) []*exampleDecl {
	out := slices.Clone(old)
	for _, d := range added {
		out = r.addExample(out, owner, d)
	}
	return out
}

// addExample adds an example to others, or puts it in the place of an inherited one with
// the same name.
func (r *resolver) addExample(list []*exampleDecl, owner string, d *exampleDecl) []*exampleDecl {
	i := -1
	if d.Name != nil {
		i = slices.IndexFunc(list, func(o *exampleDecl) bool { return o.Name.String() == d.Name.Text })
	}
	switch {
	case i < 0 && d.Name != nil:
		r.index.declare(d.Name, ExampleName, owner, nil)
		return append(list, d)
	case i < 0:
		return append(list, d)
	case list[i].From == d.From:
		r.name(d.Name, dsl.CodeTwice, "there is an example %s already, in line %d", d.Name.Text, list[i].Pos.Line).WithHint("give one another name")
		return list
	}
	r.index.declare(d.Name, ExampleName, owner, list[i].Name)
	list[i] = d
	return list
}

// dropExample removes an inherited example of a declaration.
func (r *resolver) dropExample(s *source, t *target) {
	t.own(s)
	c, name := t.content(), t.Rest[0]
	if slices.Contains(namesIn(c.Items), name.Text) {
		r.name(name, dsl.CodeTwice, "%s is a row of %s and an example", name.Text, c.Name).
			WithHint("replace the example, extend … { example %s … }, or give it another name", name.Text)
		return
	}
	i := slices.IndexFunc(c.Examples, func(d *exampleDecl) bool { return d.Name.String() == name.Text })
	d := c.Examples[i]
	if d.From == s {
		r.name(name, dsl.CodeExample, "the example %s is in this file, in line %d", name.Text, d.Pos.Line).WithHint("delete that line; drop is for inherited examples")
	}
	r.index.use(name, d.Name)
	c.Examples = slices.Delete(slices.Clone(c.Examples), i, i+1)
}

// exampleNames returns the names of the examples of a declaration.
func exampleNames(list []*exampleDecl) []string {
	var out []string
	for _, d := range list {
		if d.Name != nil {
			out = append(out, d.Name.Text)
		}
	}
	return out
}

// bindExamples binds the examples of all declarations.
func (b *binder) bindExamples() {
	if b.broke == nil {
		b.broke = map[*source]map[*exampleDecl]bool{}
	}
	b.broke[b.src] = map[*exampleDecl]bool{}
	for i, d := range b.src.Types {
		rec := b.s.Records[i]
		b.ownable(d.Examples, "type "+d.Name, rec.Params)
		rec.Examples = b.examplesOf(d.Examples, d.Name, place{rec: rec})
	}
	for i, d := range b.src.Unions {
		u := b.s.Unions[i]
		b.ownable(d.Examples, "union "+d.Name, u.Params)
		u.Examples = b.examplesOf(d.Examples, d.Name, place{union: u})
		for k, a := range d.Arms {
			arm := u.Arms[k]
			b.ownable(a.Examples, "union "+d.Name, u.Params)
			arm.Examples = b.examplesOf(a.Examples, d.Name+"."+a.Name, place{union: u})
		}
	}
}

// ownable reports the examples of a type or a union that takes arguments.
func (b *binder) ownable(list []*exampleDecl, of string, params []*Field) {
	for _, d := range list {
		switch {
		case len(params) == 0 || d.From != b.src:
		case len(params) == 1 && isOrder(params[0]): // the order of the schema
		default:
			b.errorf(d.Pos, len("example"), dsl.CodeArgs, "%s takes arguments, which an example cannot give", of).
				WithHint("move the example to a type that contains it")
		}
	}
}

// examplesOf binds the examples of the declaration with a path. Their values are at a place.
func (b *binder) examplesOf(list []*exampleDecl, path string, at place) []*Example {
	var out []*Example
	for _, d := range list {
		e := &Example{Pos: d.Pos, File: d.Pos.Filename, Name: d.Name.String(), From: d.From.ID, Value: literal(d.Value), Refuse: d.Refuse.String()}
		err := b.example(e, d)
		if err != nil {
			b.brokenExample(d, path, err)
		}
		b.literal(e.Value, at, d.From)
		out = append(out, e)
	}
	return out
}

// strict is the word after with for a reader that refuses bytes which a writer does not make. No
// gate and no choice has this name.
const strict = "strict"

// notStrict reports a gate or a choice with a name that has another meaning in examples.
func (r *resolver) notStrict(n *dsl.Name) {
	if n.Text == strict {
		r.name(n, dsl.CodeTwice, "strict is what a reader is in examples: with strict").WithHint("choose another name")
	}
}

// example binds the bytes of an example, and the names after with.
func (b *binder) example(e *Example, d *exampleDecl) (err *packetError) {
	for _, open := range d.Open {
		if open.Text == strict {
			e.Strict = true
			continue
		}
		c := slices.IndexFunc(b.choices(), func(c *Choice) bool { return c.Name == open.Text })
		switch g := b.s.Gate(open.Text); {
		case g != nil:
			e.Open = append(e.Open, g)
			b.index.use(open, b.src.Gates[g.Index].Name)
		case c >= 0:
			e.Choice = b.choices()[c]
			b.index.use(open, b.src.Option.Choices[c].Name)
		case d.From != b.src: // else a mistake that is reported already
			return &packetError{message: fmt.Sprintf("there is no gate or choice %s", open.Text)}
		}
	}
	if e.Bytes, err = b.render(d.packet, d.From); err == nil && d.again != nil {
		e.Again, err = b.render(d.again, d.From)
	}
	return err
}

func (b *binder) choices() []*Choice {
	if b.s.Option == nil {
		return nil
	}
	return b.s.Option.Choices
}

// brokenExample reports an example that cannot be bound. The error is at its place
// or, if it is inherited, at the schema that broke it.
func (b *binder) brokenExample(d *exampleDecl, path string, err *packetError) {
	if d.From == b.src {
		e := b.errorf(err.pos, err.width, dsl.CodeExampleBytes, "%s", err.message)
		if err.hint != "" {
			e.WithHint("%s", err.hint)
			e.Fix = err.fix
		}
		return
	}
	b.broke[b.src][d] = true
	if b.src.Base != nil && b.src.Base.Root != "" && b.brokenBefore(d) {
		return // which is reported with that schema
	}
	message, hint := Broken(&Example{Pos: d.Pos, Name: d.Name.String(), From: d.From.ID}, path, "cannot be inherited: "+err.message)
	e := b.errorf(b.src.Decl.Pos, len("schema"), dsl.CodeExample, "%s", message).WithHint("%s", hint)
	if d.Name != nil {
		e.ReplaceAt(b.src.Decl.EndPos, "", Dropped(path, d.Name.Text))
	}
}

// brokenBefore reports whether an inherited example cannot be bound in the schema that
// this one extends either.
func (b *binder) brokenBefore(d *exampleDecl) bool {
	if b.broke[b.src.Base] == nil {
		(&resolver{files: b.files, broke: b.broke}).bind(b.src.Base, 0)
	}
	return b.broke[b.src.Base][d]
}

// Broken returns the message and the hint for an inherited example that a schema broke.
// The path is that of the declaration that has it; what is the end of the message.
func Broken(e *Example, path, what string) (message, hint string) {
	if e.Name == "" {
		return fmt.Sprintf("an example of %s (line %d) %s", e.From, e.Pos.Line, what), fmt.Sprintf("name it in %s, so that it can be dropped here", e.From)
	}
	return fmt.Sprintf("the example %q of %s (line %d) %s", e.Name, e.From, e.Pos.Line, what), fmt.Sprintf("write drop %s.%s, or replace it: extend %s { example %s … }", path, e.Name, path, e.Name)
}

// Dropped returns the text that drops an inherited example. Its place is behind the declaration of the schema.
func Dropped(path, name string) string { return "\n\ndrop " + path + "." + name }

// place is the known part of the type of a value.
type place struct {
	union  *Union  // the value is one of its arms, with or without content
	rec    *Record // the value is a record
	list   *List   // the value is a list or a map
	scalar bool    // the value is something else
	steps  int     // records in place of rows that led here
}

// maxInPlace bounds the records that are in place of rows of each other; a record with
// mistakes may contain itself.
const maxInPlace = 64

func placeOf(t *Type) place {
	switch {
	case t == nil:
		return place{} // unreachable: a list with a mistake has been reported
	case t.Form == OfUnion, t.Form == ArmID:
		return place{union: t.Union}
	case t.Form == OfRecord:
		return place{rec: t.Record}
	}
	return place{scalar: true}
}

func (f *Field) place() place {
	switch n := f.Node.(type) {
	case *List:
		return place{list: n}
	case *Row:
		return placeOf(n.Type)
	}
	if f.ArmOf != nil {
		return place{union: f.ArmOf}
	}
	return place{scalar: true}
}

// literal gives the arms in a value the names that they have now. The value was written
// for the schema from. literal notes the names in the index.
func (b *binder) literal(l *Literal, at place, from *source) {
	if l == nil {
		return
	}
	if at.rec != nil {
		b.content(l, at, from)
		return
	}
	switch l.Kind {
	case Named:
		var content *Record
		if d := b.armIn(l.Name, at, from); d != nil {
			b.index.use(&dsl.Name{Pos: l.Pos, Text: l.Name}, d.At)
			l.Name, content = d.Name, b.unions[d.Union].Arm(d.Name).Record
		}
		for _, part := range l.Parts {
			if content != nil {
				b.content(part, place{rec: content}, from)
			} else {
				b.literal(part, place{}, from)
			}
		}
	case Sequence:
		elem := place{scalar: at.scalar}
		if at.list != nil && !at.list.Map {
			elem = placeOf(at.list.Elem)
		}
		for _, part := range l.Parts {
			b.literal(part, elem, from)
		}
	case Pairs:
		key, value := place{}, place{}
		if at.list != nil && at.list.Map {
			key, value = placeOf(at.list.Key), placeOf(at.list.Elem)
		}
		for k := 0; k < len(l.Parts); k += 2 {
			b.literal(l.Parts[k], key, from)
			b.literal(l.Parts[k+1], value, from)
		}
	}
}

// content is literal for the value of a record: its fields, or the one field that it has.
func (b *binder) content(l *Literal, at place, from *source) {
	fields := map[string]*Field{}
	for _, f := range at.rec.Fields {
		fields[f.Name] = f
	}
	named := l.Kind == Pairs
	for k := 0; k < len(l.Parts) && named; k += 2 {
		key := l.Parts[k]
		named = key.Kind == Named && len(key.Parts) == 0 && fields[key.Name] != nil
	}
	switch {
	case named && len(l.Parts) > 0:
		for k := 0; k < len(l.Parts); k += 2 {
			f := fields[l.Parts[k].Name]
			b.index.field(&dsl.Name{Pos: l.Parts[k].Pos, Text: f.Name}, f)
			b.literal(l.Parts[k+1], f.place(), from)
		}
	case len(at.rec.Stored) == 1 && at.steps < maxInPlace:
		next := at.rec.Stored[0].place()
		next.steps = at.steps + 1
		b.literal(l, next, from)
	default:
		b.literal(l, place{}, from)
	}
}

// armIn returns the arm that a name in a value meant in the schema from, or nil. Without
// a known union it is the arm of the first union that had one.
func (b *binder) armIn(name string, at place, from *source) *armDecl {
	switch {
	case at.union != nil:
		return b.src.armSince(at.union.Name, name, from)
	case at.scalar:
		return nil
	}
	for _, u := range from.Unions {
		if d := b.src.armSince(u.Name, name, from); d != nil {
			return d
		}
	}
	return nil
}

func literal(d *dsl.Literal) *Literal {
	if d == nil {
		return nil
	}
	l := &Literal{Pos: d.Pos}
	switch {
	case d.Neg && d.Name != nil: // -inf, or a mistake that is reported
		l.Kind, l.Num = Numeral, "-"+d.Name.Text
	case d.Name != nil:
		l.Kind, l.Name = Named, d.Name.Text
		l.Parts = literals(d.Args)
	case d.Num != nil:
		l.Kind, l.Num = Numeral, d.Num.Text
		if d.Neg {
			l.Num = "-" + l.Num
		}
	case d.Text != nil:
		l.Kind, l.Text = Quoted, d.Text.Text
	case d.IsMap:
		l.Kind = Pairs
		for _, p := range d.Pairs {
			l.Parts = append(l.Parts, literal(p.Key), literal(p.Value))
		}
	default:
		l.Kind = Sequence
		l.Parts = literals(d.Elems)
	}
	return l
}

func literals(ds []*dsl.Literal) []*Literal {
	var out []*Literal
	for _, d := range ds {
		out = append(out, literal(d))
	}
	return out
}
