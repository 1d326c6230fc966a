// Rows.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

func whenOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.When != nil {
			return a.When.Cond
		}
	}
	return nil
}

// row binds a row of a new field.
func (s *scope) row(d *dsl.Row) *Row {
	row := &Row{Pos: d.Pos, Doc: d.Doc.String(), Type: s.typeOf(d.Type, d.Name.Text)}
	s.digitsForm(row.Type, d)
	s.declareBits(row, d)
	row.Field = s.declare(d.Name, d.Doc, row)
	f := row.Field
	if isConstant(d, row.Type) {
		row.Constant = []byte{}
	}
	s.checkRow(d, row)
	s.rowCells(row, d)
	s.attributes(row, d)
	s.kind(f, row, d)
	s.then(func() {
		s.typeOperands(row.Type, d.Type)
		if row.At != nil || !s.tail(row) {
			s.bound(row, d)
		}
		if row.Constant != nil {
			s.constant(row, d)
			s.pass(f)
			return
		}
		row.Value = s.value(row, d.Value)
		if len(d.Bits) == 0 {
			s.derive(f, row.Value)
		}
		s.bitValues(row, d)
		if row.isNumber() {
			s.know(f)
		}
		f.state.value = true
		s.bitNumbers(row, d)
		row.Checks = s.checks(f, row.Value, d.Value, d.Attrs)
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
func (s *scope) kind(f *Field, row *Row, d *dsl.Row) {
	kind, text, union, armOf := s.kindOf(d.Type), (*Encoding)(nil), (*Union)(nil), (*Union)(nil)
	switch row.Type.Form {
	case Text:
		text = row.Type.Encoding
	case OfUnion:
		union = row.Type.Union
	case ArmID:
		armOf = row.Type.Union
	}
	stored := d.Computed() == nil && len(d.Bits) == 0
	if !stored {
		kind = builtin.None
	}
	f.Kind, f.Text, f.Union, f.ArmOf = kind, text, union, armOf
	if kind == builtin.Packed {
		f.Integers = s.integersOf(d.Type)
	}
	if stored && s.rec.Tuple == nil {
		s.store(f)
	}
}
