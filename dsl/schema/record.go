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
	names   map[string]*Field
	word    *Row // of the union whose arm the record is, or nil
	first   []func()
	later   []func()
	moment  int            // number of rows, lists and lets that a reader has passed
	written []written      // what a writer computes
	forms   []*Forms       // all forms, in order
	used    []letter       // letters of offsets and lengths
	measure map[*Expr]bool // values of whole rows, which can take sizes of rows
	writes  []*Write       // with conditions
}

// fieldState is what the binder knows of a field while it binds a record.
type fieldState struct {
	number int  // moment from which a reader has the number, 0 if it has not
	passed int  // moment after the row or list, 0 if it is not passed
	text   bool // a reader has the text
}

func (b *binder) scope(rec *Record) *scope {
	return &scope{binder: b, rec: rec, names: map[string]*Field{}, measure: map[*Expr]bool{}, moment: 1}
}

// record binds a named record.
func (b *binder) record(rec *Record, d *typeDecl) {
	s := b.scope(rec)
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
	return &Field{Name: name.Text, Pos: name.Pos, Doc: doc.String(), Record: s.rec, Index: -1, Node: node}
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
		case i.Bits != nil:
			out = append(out, s.armBits(i.Bits, slices.Contains(s.rec.items, i)))
		case i.Repeat != nil:
			out = append(out, s.list(i.Repeat))
		case i.Within != nil:
			out = append(out, s.region(i.Within))
		case i.If != nil:
			out = append(out, s.branch(i))
		case i.Let != nil:
			out = append(out, s.let(i))
		case i.Check != nil:
			c := &Check{Pos: i.Pos, Message: i.Check.Message.String()}
			s.then(func() { c.Cond = s.reader(i.Check.Cond) })
			out = append(out, c)
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
		return s.write(i.Writes)
	}
	return nil
}

// isNote reports whether an item has no meaning for bytes.
func isNote(i *dsl.Item) bool {
	return i.Caption != nil || i.Says != nil || i.Erratum != nil || i.Example != nil || i.Writes != nil || i.Row != nil && sameAs(i.Row) != nil
}

func whenOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.When != nil {
			return a.When
		}
	}
	return nil
}

// sameAs returns the field whose bytes a row documents a second time, or nil.
func sameAs(row *dsl.Row) *dsl.Name {
	for _, a := range row.Attrs {
		if a.Same != nil {
			return a.Same
		}
	}
	return nil
}

// same binds a row that documents the bytes of another one beside it.
func (s *scope) same(d *dsl.Row, beside *[]Node) *Row {
	row := &Row{Pos: d.Pos, Doc: d.Doc.String()}
	row.Field = s.field(d.Name, d.Doc, row)
	row.Type = s.typeOf(d.Type, d.Name.Text)
	s.rowCells(row, d)
	s.attributes(row, d)
	s.then(func() {
		s.typeOperands(row.Type, d.Type)
		name := sameAs(d)
		var all []string
		var find func(body []Node, here bool) *Row
		find = func(body []Node, here bool) *Row {
			for _, n := range body {
				var rows []*Row
				switch n := n.(type) {
				case *Row:
					rows = []*Row{n}
				case *Forms:
					rows = n.Rows
				case *If:
					if found := find(slices.Concat(n.Then, n.Else), false); found != nil {
						return found
					}
				}
				for _, other := range rows {
					if other == row {
						continue
					}
					if other.Field.Name == name.Text {
						return other
					}
					if here {
						all = append(all, other.Field.Name)
					}
				}
			}
			return nil
		}
		if row.Same = find(*beside, true); row.Same == nil {
			row.Same = row
			d := s.name(name, dsl.CodeUnknown, "there is no row %s in this table that %s could be the same as", name.Text, row.Field.Name).
				WithHint("name a row beside this one, or in an if beside it")
			s.near(d, name.Text, func() []string { return all })
		}
	})
	return row
}

// row binds a row, which is of a new field, or of the field of the forms it is in.
func (s *scope) row(d *dsl.Row, forms *Forms) *Row {
	row := &Row{Pos: d.Pos, Doc: d.Doc.String(), Type: s.typeOf(d.Type, d.Name.Text)}
	s.declareBits(row, d, forms)
	if forms != nil && len(forms.Rows) > 0 {
		row.Field = forms.Field
	} else {
		row.Field = s.declare(d.Name, d.Doc, row)
	}
	f := row.Field
	s.checkRow(d, row)
	s.rowCells(row, d)
	s.attributes(row, d)
	s.sort(f, row, d, forms)
	s.then(func() {
		s.typeOperands(row.Type, d.Type)
		row.Value, row.Write = s.value(row, d.Value, d.Attrs)
		if len(d.Bits) == 0 {
			s.derive(f, row.Value, row.Write, row.Pos, forms != nil && row != forms.Rows[0])
		}
		s.bitValues(row, d)
		if row.isNumber() {
			s.know(f)
		}
		f.state.text = f.state.text || row.Type.Form == Text
		s.bitNumbers(row, d)
		row.Must = s.musts(d.Attrs)
		s.pass(f)
	})
	return row
}

// isNumber reports whether a reader has the row as a number.
func (r *Row) isNumber() bool {
	switch r.Type.Form {
	case ArmID:
		return true
	case Number:
		return r.Field.Index < 0 || !r.Type.Scalar.IsFloat()
	case Truth:
		return r.Field.Index < 0
	}
	return false
}

// sort notes in a field the sort of value that a row of it has.
func (s *scope) sort(f *Field, row *Row, d *dsl.Row, forms *Forms) {
	kind, text, union, armOf := s.kindOf(d.Type), (*Encoding)(nil), (*Union)(nil), (*Union)(nil)
	switch row.Type.Form {
	case Text:
		text = row.Type.Encoding
	case OfUnion:
		union = row.Type.Union
	case ArmID:
		armOf = row.Type.Union
	}
	stored := d.Value == nil && len(d.Bits) == 0
	if !stored {
		kind = builtin.None
	}
	if forms != nil && len(forms.Rows) > 0 {
		// The other forms may be of other sorts.
		if f.Kind != kind {
			f.Kind = builtin.None
		}
		if f.Text != text {
			f.Text = nil
		}
		if f.Union != union {
			f.Union = nil
		}
		if f.ArmOf != armOf {
			f.ArmOf = nil
		}
		if stored != (f.Index >= 0) {
			s.differently(row.Pos, f)
		}
		return
	}
	f.Kind, f.Text, f.Union, f.ArmOf = kind, text, union, armOf
	if stored && s.rec.Tuple == nil {
		s.store(f)
	}
}

// differently reports forms of one field that a writer computes differently.
func (s *scope) differently(pos dsl.Pos, f *Field) {
	s.errorf(pos, 1, dsl.CodeInverse, "the forms of %s are computed differently", f.Name).
		WithHint("a field has one value in all its forms; give each form the same value")
}

// formsOf binds the row at the beginning of items together with the rows after it that
// are other forms of the same field, and returns how many items they are.
func (s *scope) formsOf(items []*dsl.Item, beside *[]Node) (*Forms, int) {
	n := 1
	for k := 1; k < len(items); k++ {
		i := items[k]
		if isNote(i) {
			continue
		}
		if i.Row == nil || i.Row.Name.Text != items[0].Row.Name.Text || whenOf(i.Row.Attrs) == nil {
			break
		}
		n = k + 1
	}
	forms := &Forms{}
	var conditions []*dsl.Expr
	for _, i := range items[:n] {
		if i.Row == nil || sameAs(i.Row) != nil {
			if i.Row != nil {
				forms.Body = append(forms.Body, s.same(i.Row, beside))
			} else if note := s.note(i); note != nil {
				forms.Body = append(forms.Body, note)
			}
			continue
		}
		when := whenOf(i.Row.Attrs)
		conditions = append(conditions, when)
		k := len(forms.Rows)
		s.then(func() { s.condition(forms, k, when) })
		row := s.row(i.Row, forms)
		forms.Field = row.Field
		forms.Rows = append(forms.Rows, row)
		forms.Body = append(forms.Body, row)
	}
	narrowest := forms.Rows[0].Type.width()
	for _, row := range forms.Rows {
		narrowest = min(narrowest, row.Type.width())
	}
	for _, row := range forms.Rows {
		row.Wide = row.Type.width() > narrowest
	}
	s.then(func() {
		last := len(forms.Rows) - 1
		forms.Total = last > 0 && forms.Rows[last-1].When.opposite(forms.Rows[last].When)
		if !forms.Total {
			optional(forms.Body)
		}
	})
	s.forms = append(s.forms, forms)
	return forms, n
}

// width returns the bytes of the numbers in a row, 0 if it has no scalar.
func (t *Type) width() int {
	if t.Form == Number || t.Form == Array {
		return t.Scalar.Width()
	}
	return 0
}

// condition binds the condition of form k, and compares it with those before.
func (s *scope) condition(forms *Forms, k int, when *dsl.Expr) {
	row := forms.Rows[k]
	row.When = s.reader(when)
	for j := k - 1; j >= 0; j-- {
		if forms.Rows[j].When.equal(row.When) {
			s.errorf(when.Pos, 1, dsl.CodeUnreachable, "%s has another form under the same condition, in line %d", row.Field.Name, forms.Rows[j].Pos.Line).
				WithHint("one of the forms is read where the condition holds; let this one have the opposite")
		}
	}
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
	s.then(func() { r.Size = s.reader(d.Size) })
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
		n.Value = s.reader(i.Let.Value)
		n.Field.Let = n.Value
		s.know(n.Field)
	})
	return n
}

// list binds a list and the record of its elements.
func (s *scope) list(d *dsl.Repeat) *List {
	l := &List{Pos: d.Pos, Doc: d.Doc.String(), Map: d.Map, Mentions: s.mentions(d.Attrs)}
	l.Field = s.declare(d.Name, d.Doc, l)
	s.store(l.Field)
	s.checkAttributes(d.Attrs, "a list", builtin.OfList)
	l.Pad = s.pad(d.Attrs)
	path := s.rec.Path + "." + d.Name.Text
	switch {
	case d.Map:
		l.Field.Kind = builtin.Map
		s.pairs(l, d, path)
	default:
		l.Field.Kind = builtin.List
		if tuple := s.tuple(d.Items, 1); tuple != nil {
			l.Field.Kind = builtin.Packed
			l.Element = s.element(l, path, d.Pos, d.Items)
			tuple.Rows = rowsOf(l.Element.Body)
			l.Element.Tuple = tuple
			l.Elem = &Type{Form: Array, Name: tuple.Type.Name, Pos: tuple.Type.Pos, Width: len(tuple.Names)}
			s.then(func() { s.scalarOf(l.Elem) })
			break
		}
		s.elements(l, d, path)
	}
	s.then(func() {
		if d.Count != nil {
			l.Count = s.reader(d.Count)
		}
		s.pass(l.Field)
	})
	return l
}

// elements binds the elements of a list that is neither a map nor an array of numbers.
func (s *scope) elements(l *List, d *dsl.Repeat, path string) {
	var rows []*dsl.Row
	plain := true
	for _, i := range d.Items {
		switch {
		case i.Row != nil:
			rows = append(rows, i.Row)
		case i.Erratum != nil || i.Says != nil || i.Caption != nil:
		default:
			plain = false
		}
	}
	pos := d.Pos
	if plain && len(rows) == 1 {
		path += "." + rows[0].Name.Text
		pos = rows[0].Pos
		l.Elem = s.plain(rows[0])
	}
	l.Element = s.element(l, path, pos, d.Items)
	if l.Elem == nil {
		l.Elem = &Type{Form: OfRecord, Pos: pos, Record: l.Element}
	}
}

// pairs binds the keys and values of a map.
func (s *scope) pairs(l *List, d *dsl.Repeat, path string) {
	l.Element = &Record{Path: path, Pos: d.Pos, List: l, items: d.Items}
	if d.ToEnd {
		s.errorf(d.Pos, 6, dsl.CodeArgs, "a map needs a count").WithHint("write repeat COUNT as %s map { … }", d.Name.Text)
	}
	if len(d.Items) != 2 || d.Items[0].Row == nil || d.Items[1].Row == nil {
		s.errorf(d.Pos, 6, dsl.CodeArgs, "an element of a map is two rows, the key and the value").WithHint("use a list without map for other elements")
		l.Key = &Type{Form: OfRecord, Pos: d.Pos, Record: l.Element}
		l.Elem = l.Key
		return
	}
	for k, i := range d.Items {
		t := s.plain(i.Row)
		rec := s.element(l, path+"."+i.Row.Name.Text, i.Row.Pos, d.Items[k:k+1])
		if t == nil {
			t = &Type{Form: OfRecord, Pos: i.Row.Pos, Record: rec}
		}
		if k == 0 {
			l.Key = t
		} else {
			l.Elem = t
		}
		l.Element.Fields = append(l.Element.Fields, rec.Fields...)
		l.Element.Body = append(l.Element.Body, rec.Body...)
	}
}

// plain returns the type of an element that is nothing but a value of a union or of a
// named record, or nil.
func (s *scope) plain(d *dsl.Row) *Type {
	t := d.Type
	if len(t.Args) > 0 || t.Size != nil || t.ID || d.Value != nil || len(d.Bits) > 0 || slices.ContainsFunc(d.Attrs, func(a *dsl.Attr) bool { return a.Err == nil }) {
		return nil
	}
	if u := s.unions[t.Name.Text]; u != nil && s.params[u.Name] == 0 {
		return &Type{Form: OfUnion, Name: t.Name.Text, Pos: t.Pos, Union: u}
	}
	if rec := s.records[t.Name.Text]; rec != nil && s.params[rec.Name] == 0 {
		return &Type{Form: OfRecord, Name: t.Name.Text, Pos: t.Pos, Record: rec}
	}
	return nil
}

// element binds the record of the elements of a list. It has no field of the record
// around it.
func (s *scope) element(l *List, path string, pos dsl.Pos, items []*dsl.Item) *Record {
	rec := &Record{Path: path, Pos: pos, List: l, items: items}
	s.binder.scope(rec).bind(items)
	return rec
}

// rowsOf returns the rows of a body that has no blocks.
func rowsOf(body []Node) []*Row {
	var out []*Row
	for _, n := range body {
		if row, ok := n.(*Row); ok && row.Same == nil {
			out = append(out, row)
		}
	}
	return out
}

// tuple returns the numbers of items that are nothing but stored numbers of one
// scalar, or nil if they are something else or fewer than a number of them.
func (s *scope) tuple(items []*dsl.Item, least int) *Tuple {
	t := &Tuple{}
	for _, i := range items {
		switch {
		case isNote(i):
		case i.Row != nil:
			r := i.Row
			if r.Value != nil || len(r.Bits) > 0 || r.Type.Size != nil || r.Type.ID || len(r.Type.Args) > 0 ||
				slices.ContainsFunc(r.Attrs, func(a *dsl.Attr) bool { return a.Err == nil && a.At == nil }) {
				return nil
			}
			name := r.Type.Name.Text
			if scalar, _ := s.scalar(name); !scalar.Valid() || t.Type != nil && t.Type.Name != name {
				return nil
			}
			if t.Type == nil {
				t.Type = &Type{Name: name, Pos: r.Type.Pos}
			}
			t.Names = append(t.Names, r.Name.Text)
		case i.Bits != nil && i.Bits.Selects != nil:
		default:
			return nil
		}
	}
	if len(t.Names) < least {
		return nil
	}
	s.then(func() { s.scalarOf(t.Type) })
	return t
}

// unreachable reports rows for which nothing is left, since a node before them takes
// every byte up to the end. It returns such a node at the end of a body; last is the
// one before the body.
func (s *scope) unreachable(body []Node, last Node) Node {
	for _, n := range body {
		pos, end := dsl.Pos{}, Node(nil)
		switch n := n.(type) {
		case *Row:
			if n.Same != nil {
				continue
			}
			pos = n.Pos
			if n.Type.Form == Array && n.Type.Size == nil {
				end = n
			}
		case *Forms:
			pos = n.Rows[0].Pos
		case *List:
			pos = n.Pos
			if n.Count == nil && !n.Map {
				end = n
			}
		case *Region:
			pos = n.Pos
			s.unreachable(n.Body, nil)
		case *If:
			then, other := s.unreachable(n.Then, last), s.unreachable(n.Else, last)
			if then != nil && other != nil {
				end = other
			}
		}
		if last != nil && pos.Line > 0 {
			s.errorf(pos, 1, dsl.CodeUnreachable, "nothing is left for this: line %d takes every byte up to the end", posOf(last).Line).
				WithHint("put it before that line, or limit that line with within SIZE { … }")
			last = nil
		}
		if end != nil {
			last = end
		}
	}
	return last
}

// posOf returns the place of a row or a list.
func posOf(n Node) dsl.Pos {
	switch n := n.(type) {
	case *Row:
		return n.Pos
	case *List:
		return n.Pos
	}
	return dsl.Pos{}
}
