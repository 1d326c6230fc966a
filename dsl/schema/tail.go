// Tails: rows that go up to some bytes before the end of the region around them.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// endName is the name in a length cell for the bytes up to the end of the region. A field may have that name instead.
const endName = "end"

// Tail describes the rows after a row whose length cell is end-N.
type Tail struct {
	Field *Field // the bytes that are left at the row
	Bytes int64  // of the rows after it
}

// tail binds the length cell end-N of a row or a list. It reports whether the cell is one.
func (s *scope) tail(row *Row) bool {
	cell, ok := row.Length.Linear(Letter)
	if !ok || row.Length.Named() || len(cell.Coef) != 1 || cell.Coef[endName] != 1 || cell.Num >= 0 {
		return false
	}
	f := newField(endName, row.Length.Pos, nil)
	f.Used, f.state.number = true, s.moment
	row.Tail = &Tail{f, -cell.Num}
	row.Bound = binary(builtin.Sub, &Expr{Op: builtin.Ref, Pos: row.Length.Pos, Name: endName, Field: f}, &Expr{Op: builtin.Num, Pos: row.Length.Pos, Num: -cell.Num})
	return true
}

// tail reports a row that ends more or fewer bytes before the end than the rows behind it take. That is so under some
// choice of the option.
func (p *prover) tail(name string, row *Row, behind []Node) {
	if row == nil || row.Tail == nil {
		return
	}
	size, fixed := p.fixedBody(behind)
	n := row.Tail.Bytes
	switch {
	case !fixed:
		p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s ends %d bytes before the end, but the size of the rows behind it depends on their content", name, row.Field.Name, n).
			WithHint("put rows of a fixed size behind it, or bound it with a field in its length cell")
	case size.bytes != n || size.first != n:
		p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s ends %d bytes before the end, but the rows behind it take %d", name, row.Field.Name, n, size.bytes).
			WithHint("correct the length cell or the rows behind it")
	}
}
