// Rows.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// isNote reports whether an item has no meaning for bytes.
func isNote(i *dsl.Item) bool {
	return i.Caption != nil || i.Says != nil || i.Erratum != nil || i.Example != nil || i.Writes != nil || i.Row != nil && sameAs(i.Row) != nil
}

func whenOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.When != nil {
			return a.When.Cond
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
		rows := rowsBeside(*beside, row)
		for _, other := range append(rows, rowsInIfs(*beside)...) {
			if other.Field.Name == name.Text {
				s.index.field(name, other.Field)
				row.Same = other
				return
			}
		}
		row.Same = row
		e := s.name(name, dsl.CodeUnknown, "there is no row %s in this table that %s could be the same as", name.Text, row.Field.Name).
			WithHint("name a row beside this one, or in an if beside it")
		s.near(e, name.Text, func() []string {
			var all []string
			for _, other := range rows {
				all = append(all, other.Field.Name)
			}
			return all
		})
	})
	return row
}

// rowsBeside returns the rows of a body and of forms in it, but one.
func rowsBeside(body []Node, but *Row) []*Row {
	var out []*Row
	for _, n := range body {
		switch n := n.(type) {
		case *Row:
			out = append(out, n)
		case *Forms:
			out = append(out, n.Rows...)
		}
	}
	return slices.DeleteFunc(out, func(r *Row) bool { return r == but })
}

// rowsInIfs returns the rows of the branches in a body.
func rowsInIfs(body []Node) []*Row {
	var out []*Row
	for _, n := range body {
		if n, ok := n.(*If); ok {
			branches := slices.Concat(n.Then, n.Else)
			out = append(append(out, rowsBeside(branches, nil)...), rowsInIfs(branches)...)
		}
	}
	return out
}

// row binds a row, which is of a new field, or of the field of the forms it is in.
func (s *scope) row(d *dsl.Row, forms *Forms) *Row {
	row := &Row{Pos: d.Pos, Doc: d.Doc.String(), Type: s.typeOf(d.Type, d.Name.Text)}
	s.declareBits(row, d, forms)
	if forms != nil && len(forms.Rows) > 0 {
		row.Field = forms.Field
		s.form(d.Name, row.Field)
	} else {
		row.Field = s.declare(d.Name, d.Doc, row)
	}
	f := row.Field
	s.checkRow(d, row)
	s.rowCells(row, d)
	s.attributes(row, d)
	s.kind(f, row, d, forms)
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
		row.Checks = s.checks(f, row.Value, d.Attrs)
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

// kind notes in a field the kind of value that a row of it has.
func (s *scope) kind(f *Field, row *Row, d *dsl.Row, forms *Forms) {
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
