// Rows that are there if bytes are left: if more().

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// isMore reports whether a condition, which may be nil, is more().
func isMore(e *dsl.Expr) bool {
	if e == nil {
		return false
	}
	x := fold(e)
	return x.Op == builtin.More && len(x.Args) == 0
}

// IsMore reports whether the number of the field is whether bytes are left.
func (f *Field) IsMore() bool { return f.Name == moreName }

// moreName is the name of such a field. No field of a schema can have it.
const moreName = "more()"

// moreRow binds a row or a list that is there if bytes are left, as a block.
func (s *scope) moreRow(i *dsl.Item) *If {
	row := *i.Row
	at := slices.IndexFunc(row.Attrs, func(a *dsl.Attr) bool { return a.When != nil })
	cond := row.Attrs[at].When.Cond
	row.Attrs = slices.Delete(slices.Clone(row.Attrs), at, at+1)
	return s.branch(&dsl.Item{Pos: row.Pos, If: &dsl.If{Pos: row.Pos, Cond: cond, Then: []*dsl.Item{{Pos: row.Pos, Row: &row, EndPos: i.EndPos}}}})
}

// more binds the condition that bytes are left. A writer knows it by the first field of the
// block that is there whenever the block is.
func (s *scope) more(n *If, d *dsl.If) {
	f := newField(moreName, d.Cond.Pos, s.rec)
	f.Used = true
	n.More = &More{Field: f}
	n.Cond = &Expr{Op: builtin.Ref, Pos: d.Cond.Pos, Name: f.Name, Field: f}
	s.then(func() {
		f.state.number = s.moment
		for _, inner := range n.Then {
			if _, block := inner.(*If); !block && n.More.Of == nil {
				n.More.Of = always(inner)
			}
		}
		switch {
		case n.HasElse:
			s.errorf(d.Cond.Pos, len("more"), dsl.CodeUnreachable, "nothing is left for the rows behind else").
				WithHint("leave them out, or bound the rows with a field in a length cell")
		case n.More.Of == nil:
			s.errorf(d.Cond.Pos, len("more"), dsl.CodeUnderived, "a writer cannot find out whether these rows are there: none of them is always stored").
				WithHint("begin with a row that is stored and unconditional")
		default:
			f.Derive = &Expr{Op: builtin.Present, Pos: d.Cond.Pos, Field: n.More.Of}
		}
	})
}

// always returns the first stored field that a row or a list always has, or nil.
func always(n Node) *Field {
	if f, ok := n.(*Forms); ok && !f.Total {
		return nil
	}
	var first *Field
	stored([]Node{n}, func(f *Field) {
		if first == nil {
			first = f
		}
	})
	return first
}
