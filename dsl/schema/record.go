// Records: fields and bodies.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// scope binds one record. Its fields are declared in order; what is to be bound when
// all of them are is kept in first and later, and is bound in that order.
type scope struct {
	*binder
	rec     *Record
	around  *scope    // of the record around a list, of whose elements the record is; else nil
	given   []*Expr   // the arguments of such elements, as the outer scope has them
	at      *dsl.Name // that declares the record; nil for the element of a list
	names   map[string]*Field
	cells   []string // the letters of offsets and lengths
	word    *Row     // of the union whose arm the record is, or nil
	first   []func()
	later   []func()
	moment  int            // number of rows, lists and lets that a reader has passed
	written []written      // what a writer computes
	early   []early        // what a writer evaluates as a reader does
	forms   []*Forms       // of rows with several, in order
	whole   *Expr          // the value of a field that is bound
	measure map[*Expr]bool // values of rows and of their bits, which can take sizes of rows
	writes  []*Write       // with conditions
	refs    []*Expr        // fields in expressions
	ending  bool           // the condition of the last element of lists of the record is bound
	others  []*otherBranch // of the blocks around the item that is bound, from the outermost to the innermost
}

// otherBranch is the first branch of an if whose second one is bound.
type otherBranch struct {
	body  []Node
	taken map[*Field]bool // lists that the second branch has too
}

// fieldState is what the binder knows of a field while it binds a record.
type fieldState struct {
	number int  // moment from which a reader has the number, 0 if it has not
	passed int  // moment after the row or list, 0 if it is not passed
	value  bool // a reader has the value
	at     *dsl.Name
}

func (b *binder) scope(rec *Record) *scope {
	return &scope{binder: b, rec: rec, names: map[string]*Field{}, measure: map[*Expr]bool{}, moment: 1}
}

// record binds a named record.
func (b *binder) record(rec *Record, d *typeDecl) {
	s := b.scope(rec)
	s.at = d.At
	b.scopes[rec] = s
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
	s.declareItems(items)
	s.finish()
}

// declareItems declares the fields of items.
func (s *scope) declareItems(items []*dsl.Item) {
	if l := s.rec.List; l == nil || !l.Last {
		s.rec.Tuple = s.tuple(items, 2)
	}
	s.rec.Body = s.body(items)
	if t := s.rec.Tuple; t != nil {
		t.Rows = rowsOf(s.rec.Body)
		s.store(&Field{Pos: t.Rows[0].Pos, Record: s.rec, Kind: builtin.Lanes})
	}
}

// finish binds the expressions of the record, whose fields are declared.
func (s *scope) finish() {
	for _, f := range slices.Concat(s.first, s.later) {
		f()
	}
	s.unreachable(s.rec.Body, nil)
	s.formNumbers()
	s.keepWidths()
	s.sizes()
	s.inserted()
	s.placed()
	s.sums()
	s.last = append(s.last, s.tooEarly)
	s.derivations()
	s.conditions()
	for i, f := range s.rec.Stored {
		f.Alone = f.Kind != builtin.None || s.rec.Bare()
		for j, g := range s.rec.Stored {
			f.Alone = f.Alone && (i == j || g.Optional && f.Kind != g.Kind)
		}
	}
}

// Bare reports whether the value of a record is that of its only field, which is of a declared type.
// Such records are elements of a list that ends at no condition, keys and values of a map, and a root
// that takes the order of bytes. The tag of the value is that of the type.
func (r *Record) Bare() bool {
	if r.Name != "" || r.List != nil && r.List.Last || len(r.Stored) != 1 || r.Stored[0].Optional {
		return false
	}
	row, ok := r.Stored[0].Node.(*Row)
	return ok && r.Stored[0].Kind == builtin.None && (row.Type.Form == OfRecord || row.Type.Form == OfUnion)
}

// declare returns a new field with a name.
func (s *scope) declare(name *dsl.Name, doc *dsl.Str, node Node) *Field {
	if old := s.names[name.Text]; old != nil && old.Param {
		s.name(name, dsl.CodeTwice, "%s is an argument already, in line %d", name.Text, old.Pos.Line).
			WithHint("give the field or the argument another name")
	} else if old != nil {
		hint := "give one another name"
		if rowOf(node) != nil && rowOf(old.Node) != nil {
			hint += "; a row with several types lists them: by flag { 0 i32, 1 i64 }"
		}
		s.name(name, dsl.CodeTwice, "there is a field %s in this record already, in line %d", name.Text, old.Pos.Line).WithHint("%s", hint)
	}
	f := s.field(name, doc, node)
	s.names[f.Name] = f
	s.rec.Fields = append(s.rec.Fields, f)
	return f
}

// newField returns a field that is not a part of a record's value; see [scope.store].
func newField(name string, at dsl.Pos, rec *Record) *Field {
	return &Field{Name: name, Pos: at, Record: rec, Index: -1}
}

func (s *scope) field(name *dsl.Name, doc *dsl.Str, node Node) *Field {
	f := newField(name.Text, name.Pos, s.rec)
	f.Doc, f.Node = doc.String(), node
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
	for k, i := range items {
		switch {
		case i.Row != nil && i.Row.At != nil && i.Row.At.Value == nil:
			out = append(out, s.gaps(i.Row, slices.Contains(s.rec.items, i)))
		case i.Row != nil && isMore(whenOf(i.Row.Attrs)):
			out = append(out, s.moreRow(i))
		case i.Row != nil && i.Row.By != nil:
			out = append(out, s.formsOf(i.Row))
		case i.Row != nil && s.isList(i.Row.Type):
			out = append(out, s.listRow(i))
		case i.Row != nil && whenOf(i.Row.Attrs) != nil:
			if k > 0 && items[k-1].Row != nil && items[k-1].Row.Name.Text == i.Row.Name.Text {
				s.again(i.Row)
			} else {
				out = append(out, s.conditional(i.Row))
			}
		case i.Row != nil:
			out = append(out, s.row(i.Row))
		case i.Word != nil:
			out = append(out, s.armWord(i.Word, slices.Contains(s.rec.items, i))...)
		case i.Repeat != nil:
			out = append(out, s.list(i.Repeat))
		case i.If != nil:
			out = append(out, s.branch(i))
		case i.Order != nil:
			out = append(out, s.order(i.Order))
		case i.Refuse != nil:
			out = append(out, &Refuse{Pos: i.Pos, Reason: i.Refuse.Text})
		case i.Require != nil:
			if n := s.require(i); n != nil {
				out = append(out, n)
			}
		case i.Writes != nil:
			out = append(out, s.write(i))
		}
	}
	return out
}

// require binds the demand that a gate is open. If the gate of an import is closed, it is a
// refusal; if it is open, there is no node.
func (s *scope) require(i *dsl.Item) Node {
	closed, imported := s.closed(i.Require)
	switch {
	case imported && closed == 0:
		return nil
	case imported:
		return &Refuse{Pos: i.Pos, Reason: fmt.Sprintf("the import of %s does not open %s", s.src.ID, i.Require.Text)}
	}
	if g := s.gate(i.Require); g != nil {
		return &Require{Pos: i.Pos, Gate: g}
	}
	return nil
}

// stored calls f for the stored fields of a body.
func stored(body []Node, f func(*Field)) {
	Walk(body, func(n Node) bool {
		var field *Field
		switch n := n.(type) {
		case *Row:
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

// has reports whether a body has a stored field.
func has(body []Node, f *Field) bool {
	found := false
	stored(body, func(g *Field) { found = found || g == f })
	return found
}

// optional notes that the fields of a body may be absent.
func optional(body []Node) {
	stored(body, func(f *Field) { f.Optional = true })
}

func (s *scope) branch(i *dsl.Item) *If {
	n := &If{Pos: i.Pos, HasElse: len(i.If.Else) > 0}
	if isMore(i.If.Cond) {
		s.more(n, i.If)
	} else {
		s.then(func() { n.Cond = s.condition(i.If.Cond, sometimes) })
	}
	n.Then = s.body(i.If.Then)
	s.then(func() { haveLists(n.Then, false) })
	s.others = append(s.others, &otherBranch{n.Then, map[*Field]bool{}})
	n.Else = s.body(i.If.Else)
	s.others = s.others[:len(s.others)-1]
	s.then(func() {
		haveLists(n.Then, true)
		for k, other := range [][]Node{n.Else, n.Then} {
			stored(other, func(f *Field) {
				if !has([][]Node{n.Then, n.Else}[k], f) && !slices.Contains(n.Absent[k], f) {
					f.Optional = true
					n.Absent[k] = append(n.Absent[k], f)
				}
			})
			slices.SortFunc(n.Absent[k], func(a, b *Field) int { return a.Index - b.Index })
		}
	})
	return n
}

// haveLists notes whether a reader has the lists of a body. The second branch of an if may have
// lists of the first one.
func haveLists(body []Node, have bool) {
	Walk(body, func(n Node) bool {
		l, list := n.(*List)
		if list {
			l.Field.state.value = have
		}
		return !list
	})
}
