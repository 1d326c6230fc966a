// Lists, maps and tuples.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// list binds a list and the record of its elements.
func (s *scope) list(d *dsl.Repeat) *List {
	l := &List{Pos: d.Pos, Doc: d.Doc.String(), Map: d.Map, Mentions: mentions(d.Attrs)}
	if !d.Map {
		s.ends(l, d.Extent.Cond)
	}
	s.listField(l, d.Name, d.Doc)
	s.checkAttributes(d.Attrs, "a list", builtin.OfList)
	s.endsInBytes(l, d.Extent)
	l.Pad = s.pad(d.Attrs)
	path := s.rec.Path + "." + d.Name.Text
	switch {
	case d.Map:
		s.listKind(l, builtin.Map)
		s.pairs(l, d, path)
	default:
		if tuple := s.tuple(d.Items, 1); tuple != nil && !l.Last && l.Spare == nil {
			s.listKind(l, builtin.Packed)
			l.Element = s.element(l, path, d.Pos, d.Items).rec
			tuple.Rows = rowsOf(l.Element.Body)
			if scalar, option := s.scalar(tuple.Type.Name); len(tuple.Names) == 1 && option == nil {
				l.Field.Integers = integer(scalar)
			}
			l.Element.Tuple = tuple
			l.Elem = &Type{Form: Array, Name: tuple.Type.Name, Pos: tuple.Type.Pos, Width: len(tuple.Names)}
			s.then(func() { s.scalarOf(l.Elem) })
			break
		}
		s.listKind(l, builtin.List)
		inner := s.elements(l, d, path)
		if l.Last {
			inner.then(func() { inner.rec.Stop = inner.reader(d.Extent.Cond) })
		}
	}
	s.then(func() {
		if d.Extent.Count != nil {
			l.Count = s.reader(d.Extent.Count)
		}
		s.passList(l, d.Attrs)
	})
	return l
}

// isList reports whether a type is a list. Its elements are values of a record or a union,
// or numbers of varying width.
func (b *binder) isList(t *dsl.TypeRef) bool {
	return t != nil && t.Extent != nil && !t.ID && (b.records[t.Path()] != nil || b.unions[t.Path()] != nil || coding(t.Path()).Varies())
}

// listRow binds a row that is a list. With a condition it is a block with the row in it.
func (s *scope) listRow(i *dsl.Item) Node {
	if when := whenOf(i.Row.Attrs); when != nil {
		row := *i.Row
		row.Attrs = nil
		for _, a := range i.Row.Attrs {
			switch {
			case a.When == nil:
				row.Attrs = append(row.Attrs, a)
			case a.When.Cond != when:
				s.errorf(a.Pos, len("if"), dsl.CodeTwice, "if is given twice").WithHint("keep one").Remove(s.files[a.Pos.Filename], a.Pos, a.EndPos)
			}
		}
		return s.branch(&dsl.Item{Pos: i.Pos, If: &dsl.If{Pos: i.Pos, Cond: when, Then: []*dsl.Item{{Pos: i.Pos, Row: &row}}}})
	}
	d := i.Row
	l := &List{Pos: d.Pos, Doc: d.Doc.String(), Mentions: mentions(d.Attrs)}
	s.ends(l, d.Type.Extent.Cond)
	s.listField(l, d.Name, d.Doc)
	s.listKind(l, builtin.List)
	attrs, longer := aside(d), false
	if coding(d.Type.Name.Text).Varies() {
		exact := slices.DeleteFunc(slices.Clone(attrs), func(a *dsl.Attr) bool { return a.Any })
		attrs, longer = exact, len(exact) < len(attrs)
	}
	s.checkAttributes(attrs, "a list", builtin.OfList)
	s.endsInBytes(l, d.Type.Extent)
	if value := d.Computed(); value != nil {
		s.errorf(value.Pos, 1, dsl.CodeArgs, "a writer computes integers only, and %s is not one", d.Name.Text).WithHint("store the field, or give it an integer type")
	}
	if len(d.Bits) > 0 {
		s.errorf(d.Bits[0].Pos, 1, dsl.CodeBits, "bits are of one integer, and %s[…] is a list", d.Type.Path()).WithHint("give the word a separate row")
	}
	element := *d.Type
	element.Extent = nil
	l.Elem = s.typeOf(&element, d.Name.Text)
	l.Elem.InPlace = false
	l.Element = &Record{Path: s.rec.Path + "." + d.Name.Text, Pos: d.Pos, List: l}
	number := l.Elem // of an element of varying width
	if number.Coding != builtin.Fixed {
		number.Longer = longer
		l.Elem = &Type{Form: OfRecord, Name: number.Name, Pos: number.Pos, Record: l.Element}
	}
	l.Pad = s.pad(d.Attrs)
	l.Row = &Row{Field: l.Field, Pos: d.Pos, Doc: l.Doc, Type: l.Elem}
	s.rowCells(l.Row, d)
	f := &Field{Name: d.Name.Text, Pos: d.Name.Pos, Record: l.Element, Kind: s.kindOf(&element)}
	f.Alone = f.Kind != builtin.None
	row := &Row{Field: f, Pos: d.Pos, Type: number}
	f.Node, f.state.at = row, d.Name
	l.Element.Fields, l.Element.Stored, l.Element.Body = []*Field{f}, []*Field{f}, []Node{row}
	s.then(func() {
		row.Offset, row.Length = l.Row.Offset, l.Row.Length
		if number.Coding == builtin.Fixed {
			s.typeArguments(l.Elem, &element)
		}
		if d.Type.Extent.Count != nil {
			l.Count = s.reader(d.Type.Extent.Count)
		}
		if tail := l.Row.At == nil && s.tail(l.Row); !tail && l.Row.Length.Named() {
			l.Row.Bound = s.regionSize(d.Length) // unless it is the size of the elements; see layout
		} else if !tail && d.Type.Extent.Count == nil && !l.Last {
			l.Row.bindArea(nil)
		}
		s.passList(l, d.Attrs)
	})
	if l.Last {
		s.last = append(s.last, func() { s.stop(l.Elem, d.Type) })
	}
	return l
}

// passList notes that a reader has passed a list, and binds the conditions after it.
func (s *scope) passList(l *List, attrs []*dsl.Attr) {
	l.Field.state.value = true
	s.pass(l.Field)
	l.Checks = s.checks(l.Field, nil, nil, attrs)
}

// endsInBytes reports a list that ends before a terminator, unless it is a map, which needs a
// count. The list then has one element.
func (s *scope) endsInBytes(l *List, e *dsl.Extent) {
	if e.Until == nil {
		return
	}
	l.Count = &Expr{Op: builtin.Num, Pos: e.Pos, Num: 1}
	if !l.Map {
		s.errorf(e.Until.Pos, len(e.Until.Text)+2, dsl.CodeArgs, "a list does not end before a terminator").
			WithHint("write the number of its elements, or `until end`")
	}
}

// listField declares the field of a list. If the list is in the second branch of an if whose
// first one has a list of the name, it is a form of that field. Then both are of one field.
func (s *scope) listField(l *List, name *dsl.Name, doc *dsl.Str) {
	for _, other := range slices.Backward(s.others) {
		first := listIn(other.body, name.Text)
		if first == nil || other.taken[first.Field] {
			continue
		}
		other.taken[first.Field] = true
		l.Field = first.Field
		s.form(name, l.Field)
		s.then(func() {
			if !first.sameElements(l) {
				s.name(name, dsl.CodeArgs, "the lists %s of both branches have different elements", name.Text).
					WithHint("let their elements be of one type or union, or of numbers of one type: | … | … | TYPE[…] | %s |", name.Text)
			}
		})
		return
	}
	l.Field = s.declare(name, doc, l)
	s.store(l.Field)
}

// listKind notes the kind of the values of a list.
func (s *scope) listKind(l *List, kind builtin.Kind) {
	if l.Field.Node == Node(l) {
		l.Field.Kind = kind
	}
}

// listIn returns the list with a name in a body, without elements of lists, or nil.
func listIn(body []Node, name string) *List {
	var found *List
	Walk(body, func(n Node) bool {
		l, ok := n.(*List)
		if ok && l.Field.Name == name {
			found = l
		}
		return !ok
	})
	return found
}

// sameElements reports whether two lists have elements of the same type.
func (l *List) sameElements(m *List) bool {
	same := func(a, b *Type) bool {
		if a == nil || b == nil {
			return a == b
		}
		record := a.Record == b.Record || a.Name == b.Name && coding(a.Name) != builtin.Fixed
		return a.Form == b.Form && a.Union == b.Union && record && a.Width == b.Width && (a.Form != Array || a.Name == b.Name)
	}
	if l.Elem.Form == Array && m.Elem.Form == Array && !slices.Equal(l.Element.Tuple.Names, m.Element.Tuple.Names) {
		return false
	}
	return l.Map == m.Map && same(l.Key, m.Key) && same(l.Elem, m.Elem)
}

// elements binds the elements of a list that is neither a map nor an array of numbers.
func (s *scope) elements(l *List, d *dsl.Repeat, path string) *scope {
	var rows []*dsl.Row
	plain := true
	for _, i := range d.Items {
		switch {
		case i.Row != nil:
			rows = append(rows, i.Row)
		default:
			plain = false
		}
	}
	pos := d.Pos
	if plain && len(rows) == 1 && !l.Last {
		path += "." + rows[0].Name.Text
		pos = rows[0].Pos
		l.Elem = s.plain(rows[0])
	}
	inner := s.element(l, path, pos, d.Items)
	l.Element = inner.rec
	if l.Elem == nil {
		l.Elem = inner.asType(pos)
	} else {
		s.then(func() { s.typeArguments(l.Elem, rows[0].Type) })
	}
	return inner
}

// pairs binds the keys and values of a map.
func (s *scope) pairs(l *List, d *dsl.Repeat, path string) {
	l.Element = &Record{Path: path, Pos: d.Pos, List: l, items: d.Items}
	if d.Extent.Count == nil {
		l.Count = &Expr{Op: builtin.Num, Pos: d.Pos, Num: 1}
		s.errorf(d.Pos, 6, dsl.CodeArgs, "a map needs a count").WithHint("write map COUNT as %s { … }", d.Name.Text)
	}
	if len(d.Items) != 2 || d.Items[0].Row == nil || d.Items[1].Row == nil {
		s.errorf(d.Pos, 6, dsl.CodeArgs, "an element of a map is two rows, the key and the value").WithHint("use repeat for other elements")
		l.Key = &Type{Form: OfRecord, Pos: d.Pos, Record: l.Element}
		l.Elem = l.Key
		return
	}
	for k, i := range d.Items {
		t := s.plain(i.Row)
		inner := s.element(l, path+"."+i.Row.Name.Text, i.Row.Pos, d.Items[k:k+1])
		rec := inner.rec
		if t == nil {
			t = inner.asType(i.Row.Pos)
		} else {
			s.then(func() { s.typeArguments(t, i.Row.Type) })
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

// plain returns the type of an element that is nothing but a value, or nil. The value
// is that of a union or of a named record.
func (s *scope) plain(d *dsl.Row) *Type {
	t := d.Type
	if t == nil || d.At != nil || t.Extent != nil || s.namesField(d.Length) || t.ID || d.Computed() != nil || len(d.Bits) > 0 || slices.ContainsFunc(d.Attrs, func(a *dsl.Attr) bool { return a.Err == nil }) {
		return nil
	}
	if u := s.unions[t.Path()]; u != nil {
		return &Type{Form: OfUnion, Name: u.Name, Pos: t.Pos, Union: u}
	}
	if rec := s.records[t.Path()]; rec != nil {
		return &Type{Form: OfRecord, Name: rec.Name, Pos: t.Pos, Record: rec}
	}
	return nil
}

// element declares the record of the elements of a list. Its expressions are bound at the
// list, when the fields before it in the record around it are known.
func (s *scope) element(l *List, path string, pos dsl.Pos, items []*dsl.Item) *scope {
	inner := s.binder.scope(&Record{Path: path, Pos: pos, List: l, items: items})
	inner.around = s
	inner.declareItems(items)
	s.then(inner.finish)
	return inner
}

// asType returns the type of the elements whose record the scope binds.
func (s *scope) asType(pos dsl.Pos) *Type {
	t := &Type{Form: OfRecord, Pos: pos, Record: s.rec}
	s.around.then(func() { t.Args = s.given })
	return t
}

// namesField reports whether a cell names a field of the record or of one around it.
func (s *scope) namesField(e *dsl.Expr) bool {
	return e != nil && (e.Name != nil && !e.IsCall && s.sees(e.Name.Text) != nil || s.namesField(e.Sub) || slices.ContainsFunc(e.Args, s.namesField))
}

// rowsOf returns the rows of a body that has no blocks.
func rowsOf(body []Node) []*Row {
	var out []*Row
	for _, n := range body {
		if row, ok := n.(*Row); ok {
			out = append(out, row)
		}
	}
	return out
}

// tuple returns the numbers of items that are only stored numbers of one scalar. It returns nil
// if they are something else or fewer than least.
func (s *scope) tuple(items []*dsl.Item, least int) *Tuple {
	t := &Tuple{}
	for _, i := range items {
		switch {
		case i.Example != nil, i.Writes != nil:
		case i.Row != nil:
			r := i.Row
			if r.At != nil || r.By != nil || r.Computed() != nil || r.Length.Names() || len(r.Bits) > 0 || r.Type.Extent != nil || r.Type.ID || len(r.Type.Args) > 0 ||
				slices.ContainsFunc(r.Attrs, func(a *dsl.Attr) bool { return a.Err == nil }) {
				return nil
			}
			name := r.Type.Path()
			if scalar, _ := s.scalar(name); !scalar.Valid() || coding(name) != builtin.Fixed || t.Type != nil && t.Type.Name != name {
				return nil
			}
			if t.Type == nil {
				t.Type = &Type{Name: name, Pos: r.Type.Pos}
			}
			t.Names = append(t.Names, r.Name.Text)
		case i.Word != nil && !slices.ContainsFunc(i.Word.Bits, func(b *dsl.BitField) bool { return b.Selects == nil || s.armsOf(b) != nil }):
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
