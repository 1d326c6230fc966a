// Forms: rows of one field under conditions.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
)

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
		for _, row := range forms.Rows {
			for _, f := range forms.Absent(row) {
				f.Optional = true
			}
		}
	})
	s.forms = append(s.forms, forms)
	return forms, n
}

// Absent returns the stored fields that other forms have and a row lacks: bits that its
// word does not have. If row is nil, no form is there, and all of them are absent.
func (forms *Forms) Absent(row *Row) []*Field {
	var here, out []*Field
	if row != nil {
		stored([]Node{row}, func(f *Field) { here = append(here, f) })
	}
	for _, other := range forms.Rows {
		stored([]Node{other}, func(f *Field) {
			if !slices.Contains(here, f) && !slices.Contains(out, f) {
				out = append(out, f)
			}
		})
	}
	slices.SortFunc(out, func(a, b *Field) int { return a.Index - b.Index })
	return out
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
