// Lists: of records and unions, of pairs, and of tuples of numbers.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/schema"
)

// list makes a list.
func (b *body) list(n *schema.List) {
	f := n.Field
	rule := b.at(n.Pos, f.Name, n.Doc)
	b.mark(f, rule)
	switch {
	case n.Map:
		b.emit(bytecode.Map, rule, b.expr(n.Count), b.routineOf(n.Key), b.cellOf(f), b.routineOf(n.Elem))
	case n.Elem.Form == schema.Array:
		b.packed(n.Elem, b.exprOrNone(n.Count), f, false, b.at(n.Pos, f.Name, n.Element.Tuple.Rows[0].Doc))
	case n.Count == nil:
		b.emit(bytecode.Rest, rule, b.routineOf(n.Elem), b.cellOf(f))
	default:
		b.emit(bytecode.List, rule, b.expr(n.Count), b.routineOf(n.Elem), b.cellOf(f))
	}
	b.pad(n.Pad, rule)
	b.patch(f, rule)
}
