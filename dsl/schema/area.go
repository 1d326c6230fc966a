// Areas: rows whose content varies inside of a constant number of bytes.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Area returns the bytes of the region of a row whose length cell is a number.
func (row *Row) Area() (bytes int64, ok bool) {
	if row == nil || row.Bound == nil || row.Bound.Op != builtin.Num {
		return 0, false
	}
	return row.Bound.Num, true
}

// bindArea makes the number in the length cell of a row the size of its region. The row has no constant size. These have
// no region: a row whose bytes are computed from a size, if that is not nil; a number of varying width; the bytes between
// parts; and content with numbers of the option, whose lengths are declared for one choice.
func (row *Row) bindArea(size *Expr) {
	if row.Bound != nil || row.Length == nil || size != nil || row.Type.Form == Number {
		return
	}
	n, ok := row.Length.Linear(Letter)
	if !ok || !n.IsNumber() || n.Num < 1 || n.Num > maxSize {
		return
	}
	if row.At != nil && row.At.Gaps || row.Type.Option != nil || hasOption(row.Type) {
		return
	}
	row.Bound, row.Stated = &Expr{Op: builtin.Num, Pos: row.Length.Pos, Num: n.Num}, true
	row.Field.measure()
}

// bindArea makes the number in the length cell of a list the size of its region. It does not if the list has that size
// anyway. The elements of the list may have one size.
func (l *List) bindArea(fixed bool) {
	switch {
	case l.Row == nil:
	case fixed:
		l.Row.bindArea(l.Count)
	default:
		l.Row.bindArea(nil)
	}
}

// derived reports whether the size of the region of a row is that of fields. A writer may compute these from the row.
func (row *Row) derived() bool {
	_, area := row.Area()
	return row.Bound != nil && row.Tail == nil && !area
}

// hasOption reports whether a number of the option is inside of a type.
func hasOption(t *Type) (found bool) {
	contained(t, func(rec *Record) {
		Walk(rec.Body, func(n Node) bool {
			if row := rowOf(n); row != nil && row.Type.Option != nil {
				found = true
			}
			return true
		})
	}, map[*Record]bool{})
	return found
}

// contentOf returns the size of a row or a list up to the end of its region. The results are the bytes of each
// element, 1 if they vary, and the fewest bytes of the content.
func (p *prover) contentOf(node Node) (each int64, least uint64) {
	list, ok := node.(*List)
	if !ok {
		t := node.(*Row).Type
		switch {
		case t.Form == Array:
			each = int64(t.Scalar.Width() * t.Width)
		case t.Form == Text:
			each = int64(t.Encoding.Charset.Unit())
		}
		return max(each, 1), p.fewestOf(t)
	}
	size, fixed := p.element(list)
	if !fixed || size.bytes == 0 {
		size.bytes = 1
	}
	return size.bytes, p.fewestElements(list)
}

// areas reports rows whose content does not fit into the bytes of their length cell.
func (p *prover) areas() {
	for _, body := range p.s.Bodies() {
		Walk(body.Nodes, func(node Node) bool {
			row := rowOf(node)
			n, ok := row.Area()
			if !ok {
				return true
			}
			each, least := p.contentOf(node)
			switch {
			case least > uint64(n):
				p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %d bytes long, but its content takes %d or more", body.Name, row.Field.Name, n, least).
					WithHint("correct the length or the type")
			case n%each != 0:
				p.r.errorf(row.Length.Pos, 1, dsl.CodeLength, "%s.%s is declared %d bytes long, but each element takes %d", body.Name, row.Field.Name, n, each).
					WithHint("correct the length or the type")
			}
			return true
		})
	}
}
