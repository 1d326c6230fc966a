// Records: fields and bodies.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// scope binds one record. Its fields are declared in order; what is to be bound when
// all of them are is kept in first and later, and is bound in that order.
type scope struct {
	*binder
	rec     *Record
	at      *dsl.Name // that declares the record; nil for the element of a list
	names   map[string]*Field
	word    *Row // of the union whose arm the record is, or nil
	first   []func()
	later   []func()
	moment  int            // number of rows, lists and lets that a reader has passed
	written []written      // what a writer computes
	early   []early        // what a writer evaluates as a reader does
	forms   []*Forms       // all forms, in order
	used    []letter       // letters of offsets and lengths
	measure map[*Expr]bool // values of whole rows, which can take sizes of rows
	writes  []*Write       // with conditions
}

// fieldState is what the binder knows of a field while it binds a record.
type fieldState struct {
	number  int  // moment from which a reader has the number, 0 if it has not
	passed  int  // moment after the row or list, 0 if it is not passed
	defined int  // moment at which the let is evaluated
	text    bool // a reader has the text
	at      *dsl.Name
}

func (b *binder) scope(rec *Record) *scope {
	return &scope{binder: b, rec: rec, names: map[string]*Field{}, measure: map[*Expr]bool{}, moment: 1}
}

// record binds a named record.
func (b *binder) record(rec *Record, d *typeDecl) {
	s := b.scope(rec)
	s.at = d.At
	rec.Params = s.arguments(d.Args)
	for _, f := range rec.Params {
		f.Record = rec
	}
	s.bind(d.Items)
}

// arguments declares the arguments of a record or a union.
func (s *scope) arguments(names []*dsl.Name) []*Field {
	var out []*Field
	for _, n := range names {
		f := s.declare(n, nil, nil)
		f.Record, f.Param, f.state.number = nil, true, s.moment
		out = append(out, f)
	}
	return out
}

// bind binds the items of the record.
func (s *scope) bind(items []*dsl.Item) {
	if s.rec.List == nil { // else they are examples of the record around
		s.examples(items)
	}
	s.rec.Tuple = s.tuple(items, 2)
	s.rec.Body = s.body(items)
	if t := s.rec.Tuple; t != nil {
		t.Rows = rowsOf(s.rec.Body)
		s.store(&Field{Pos: t.Rows[0].Pos, Record: s.rec, Kind: builtin.Lanes})
	}
	for _, f := range slices.Concat(s.first, s.later) {
		f()
	}
	s.misused()
	s.unreachable(s.rec.Body, nil)
	s.keepWidths()
	s.sizes()
	s.last = append(s.last, s.tooEarly)
	s.derivations()
	s.conditions()
	for i, f := range s.rec.Stored {
		f.Alone = f.Kind != builtin.None
		for j, g := range s.rec.Stored {
			f.Alone = f.Alone && (i == j || f.Kind != g.Kind)
		}
	}
}

// declare returns a new field with a name.
func (s *scope) declare(name *dsl.Name, doc *dsl.Str, node Node) *Field {
	if old := s.names[name.Text]; old != nil {
		s.name(name, dsl.CodeTwice, "there is a field %s in this record already, in line %d", name.Text, old.Pos.Line).
			WithHint("give one another name; only rows that follow each other, under opposite conditions, share one")
	}
	f := s.field(name, doc, node)
	s.names[f.Name] = f
	s.rec.Fields = append(s.rec.Fields, f)
	return f
}

func (s *scope) field(name *dsl.Name, doc *dsl.Str, node Node) *Field {
	f := &Field{Name: name.Text, Pos: name.Pos, Doc: doc.String(), Record: s.rec, Index: -1, Node: node}
	f.state.at = name
	if s.index != nil {
		s.declaration(f, name)
	}
	return f
}

// declaration notes the declaration of a field in the index.
func (s *scope) declaration(f *Field, name *dsl.Name) {
	if old := s.names[name.Text]; old != nil {
		s.form(name, old)
		return
	}
	sort := FieldName
	if f.Node == nil {
		sort = ArgumentName
	}
	d := s.index.declare(name, sort, s.rec.owner(), nil)
	d.within = s.rec.place()
	if of := s.index.decls[s.at]; of != nil {
		of.Fields = append(of.Fields, d)
	}
}

// form notes a further name of a field in the index.
func (s *scope) form(name *dsl.Name, f *Field) {
	if s.index != nil {
		s.index.form(name, s.index.decls[f.state.at])
	}
}

// store makes a field one of those that values of the record have.
func (s *scope) store(f *Field) {
	f.Index = len(s.rec.Stored)
	s.rec.Stored = append(s.rec.Stored, f)
}

// pass notes that a reader has passed a row or list.
func (s *scope) pass(f *Field) {
	s.moment++
	f.state.passed = s.moment
}

// know notes that a reader has the number of a field.
func (s *scope) know(f *Field) {
	if f.state.number == 0 {
		s.moment++
		f.state.number = s.moment
	}
}

func (s *scope) then(f func()) { s.later = append(s.later, f) }

// body declares the fields of items and returns their nodes.
func (s *scope) body(items []*dsl.Item) []Node {
	var out []Node
	for k := 0; k < len(items); k++ {
		i := items[k]
		switch {
		case i.Row != nil && sameAs(i.Row) != nil:
			out = append(out, s.same(i.Row, &out))
		case i.Row != nil && whenOf(i.Row.Attrs) != nil:
			f, n := s.formsOf(items[k:], &out)
			out = append(out, f)
			k += n - 1
		case i.Row != nil:
			out = append(out, s.row(i.Row, nil))
		case i.Word != nil:
			out = append(out, s.armWord(i.Word, slices.Contains(s.rec.items, i))...)
		case i.Repeat != nil:
			out = append(out, s.list(i.Repeat))
		case i.Within != nil:
			out = append(out, s.region(i.Within))
		case i.If != nil:
			out = append(out, s.branch(i))
		case i.Let != nil:
			out = append(out, s.let(i))
		case i.Refuse != nil:
			out = append(out, &Refuse{Pos: i.Pos, Reason: i.Refuse.Text})
		case i.Require != nil:
			r := &Require{Pos: i.Pos}
			if r.Gate = s.gate(i.Require); r.Gate != nil {
				out = append(out, r)
			}
		default:
			if n := s.note(i); n != nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// note returns the node of an item without meaning for bytes, or nil for an example.
func (s *scope) note(i *dsl.Item) Node {
	switch {
	case i.Caption != nil:
		return &Caption{Pos: i.Pos, Text: i.Caption.Text}
	case i.Says != nil:
		return &Fact{Pos: i.Pos, Text: i.Says.Text}
	case i.Erratum != nil:
		return s.mention(i.Erratum)
	case i.Writes != nil:
		return s.write(i)
	}
	return nil
}

// stored calls f for the stored fields of a body.
func stored(body []Node, f func(*Field)) {
	Walk(body, func(n Node) bool {
		var field *Field
		switch n := n.(type) {
		case *Row:
			if n.Same != nil {
				return false
			}
			field = n.Field
		case *Bit:
			field = n.Field
		case *List:
			field = n.Field
		}
		if field != nil && field.Index >= 0 {
			f(field)
		}
		_, list := n.(*List)
		return !list
	})
}

// optional notes that the fields of a body may be absent.
func optional(body []Node) {
	stored(body, func(f *Field) { f.Optional = true })
}

func (s *scope) region(d *dsl.Within) *Region {
	r := &Region{Pos: d.Pos, Mentions: s.mentions(d.Attrs)}
	s.checkAttributes(d.Attrs, "a region", builtin.OfRegion)
	r.Pad = s.pad(d.Attrs)
	s.then(func() { r.Size = s.regionSize(d.Size) })
	r.Body = s.body(d.Items)
	return r
}

func (s *scope) branch(i *dsl.Item) *If {
	n := &If{Pos: i.Pos, HasElse: len(i.If.Else) > 0}
	s.then(func() { n.Cond = s.reader(i.If.Cond) })
	n.Then, n.Else = s.body(i.If.Then), s.body(i.If.Else)
	s.then(func() {
		for k, other := range [][]Node{n.Else, n.Then} {
			optional(other)
			stored(other, func(f *Field) {
				if !slices.Contains(n.Absent[k], f) {
					n.Absent[k] = append(n.Absent[k], f)
				}
			})
			slices.SortFunc(n.Absent[k], func(a, b *Field) int { return a.Index - b.Index })
		}
	})
	return n
}

func (s *scope) let(i *dsl.Item) *Let {
	n := &Let{Pos: i.Pos}
	n.Field = s.declare(i.Let.Name, nil, n)
	s.then(func() {
		n.Value = s.regionSize(i.Let.Value) // measured follows it to its uses
		n.Field.Let = n.Value
		n.Field.state.defined = s.moment
		s.know(n.Field)
	})
	return n
}
