// Rounding of floats in keys: a writer compares keys as they are written.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Rounding says whether a writer writes floats in single precision, to which it rounds them.
type Rounding struct {
	Usual    bool // without kept widths
	Kept     bool // with kept widths; for selected floats if one of them was read in the second scalar of the option
	Selected bool // a bit of the arm selects their scalar
}

// Rounding returns the rounding of numbers of a type: those of a row, or of the tuple or the list of a record, for
// which row is nil. A row of several forms is not rounded if they have several precisions and a number that varies selects
// one of them.
func (r *Record) Rounding(t *Type, row *Row) Rounding {
	var n *Forms
	if row != nil {
		n = formsWith(r.Body, row)
	}
	single := t.Scalar == builtin.F32
	out := Rounding{single, single, false}
	if t.Narrow != builtin.NoScalar {
		out = Rounding{r.usual(t) == builtin.F32, t.Wide == builtin.F32, true}
	}
	if n == nil || !r.mixed(n) {
		return out
	}
	if n.Selector != nil && n.Selector.Op == builtin.Ref {
		if x, ok := n.Selector.Field.usual(); ok { // kept widths choose a form that holds the number
			return Rounding{Usual: out.Usual && row.IDs.Contains(uint64(x))}
		}
	}
	return Rounding{} // another number selects the precision
}

// With returns the rounding of a field that has two forms.
func (r Rounding) With(other Rounding) Rounding {
	return Rounding{r.Usual || other.Usual, r.Kept || other.Kept, r.Selected || other.Selected}
}

// usual returns the scalar of a type that a writer without kept widths writes.
func (r *Record) usual(t *Type) builtin.Scalar {
	if t.Narrow == builtin.NoScalar {
		return t.Scalar
	}
	if x, _ := r.Selector.usual(); x != 0 {
		return t.Wide
	}
	return t.Narrow
}

// usual returns the number that a writer without kept widths computes for a field in any case.
func (f *Field) usual() (int64, bool) {
	x := f.Derive
	if x == nil {
		return 0, false
	}
	if x.Op == builtin.Keep {
		x = x.Args[0]
	}
	return x.constant()
}

// formsWith returns the forms that a row is one of, or nil.
func formsWith(nodes []Node, row *Row) *Forms {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Forms:
			if slices.Contains(n.Rows, row) {
				return n
			}
		case *If:
			if x := formsWith(slices.Concat(n.Then, n.Else), row); x != nil {
				return x
			}
		}
	}
	return nil
}

// mixed reports whether forms of a record have several scalars of numbers.
func (r *Record) mixed(n *Forms) bool {
	var all []builtin.Scalar
	for _, row := range n.Rows {
		if t := row.Type; t.Form == Number || t.Form == Array {
			all = append(all, r.usual(t))
		}
	}
	slices.Sort(all)
	return len(slices.Compact(all)) > 1
}
