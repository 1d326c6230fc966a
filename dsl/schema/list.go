// Lists, maps and tuples.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

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
		case i.Word != nil && !slices.ContainsFunc(i.Word.Bits, func(b *dsl.BitField) bool { return b.Selects == nil }):
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
