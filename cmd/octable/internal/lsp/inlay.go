// Inlay hints: what the letters in the cells of rows represent.

package lsp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

func (s *server) inlayHints(_ call, params rangeParams) (any, error) {
	p := s.place(positionParams{TextDocument: params.TextDocument})
	return p.letters(params.Range), nil
}

// letters returns hints for the letters that rows in a range declare. After an offset the hint is the sum of
// the rows before it, after a length the size of the type. There are no hints in a schema with mistakes.
func (p *place) letters(in textRange) []inlayHint {
	out := []inlayHint{}
	files, err := p.lineage(p.name)
	if err != nil {
		return out
	}
	h := &describer{x: p.index(p.name, files), snapshot: p.snapshot, name: p.name}
	if !h.compiled() {
		return out
	}
	add := func(after dsl.Pos, text, label, tooltip string) {
		at := p.span(after.Offset, after.Offset+len(text))
		if label != "" && overlap(at, in) {
			out = append(out, inlayHint{at.End, "= " + label, tooltip, true})
		}
	}
	declares := func(e *dsl.Expr) bool {
		n := h.x.at(e.Pos.Offset)
		return n != nil && n.Declares && n.To.Sort == schema.LetterName && n.Pos.Offset == e.Pos.Offset && n.Text == e.Text(true)
	}
	for row, r := range h.rows() {
		if row.Offset != nil && declares(row.Offset) {
			add(row.Offset.Pos, row.Offset.Text(true), r.Begin, "the offset: the sum of the rows before")
		}
		if declares(row.Length) {
			label, tooltip := h.size(row, r)
			add(row.Length.Pos, row.Length.Text(true), label, tooltip)
		}
	}
	slices.SortFunc(out, func(a, b inlayHint) int {
		return cmp.Or(cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Character, b.Position.Character))
	})
	return out
}

// rows returns the resolved rows of a file by their syntax.
func (h *describer) rows() map[*dsl.Row]*schema.Row {
	at := rowsOf(h.schema)
	out := map[*dsl.Row]*schema.Row{}
	dsl.Walk(h.x.file(), func(node any) bool {
		if row, ok := node.(*dsl.Row); ok && at[row.Pos] != nil {
			out[row] = at[row.Pos]
		}
		return true
	})
	return out
}

// rowsOf returns the rows of a schema by their places.
func rowsOf(s *schema.Schema) map[dsl.Pos]*schema.Row {
	at := map[dsl.Pos]*schema.Row{}
	for _, b := range s.Bodies() {
		schema.Walk(b.Nodes, func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Row:
				at[n.Pos] = n
			case *schema.List:
				if n.Row != nil {
					at[n.Pos] = n.Row
					return false
				}
			}
			return true
		})
	}
	return at
}

// size returns the length of a row in bytes, as a formula or a range, and a tooltip.
func (h *describer) size(row *dsl.Row, r *schema.Row) (label, tooltip string) {
	switch {
	case row.Type.Extent != nil && row.Type.Extent.End:
		label = "until end"
	case row.Type.Extent != nil && row.Type.Extent.Until != nil:
		label = fmt.Sprintf("until %q", row.Type.Extent.Until.Text)
	case row.Type.Extent != nil && row.Type.Extent.Cond != nil:
		label = "until " + row.Type.Extent.Cond.Text(false)
	case row.Type.Extent != nil:
		label = h.elements(row, r)
	case r.Type.Coding != builtin.Fixed:
		label = bytecode.Bounds{Min: 1, Max: builtin.MaxCoded}.String()
	case r.Type.Union != nil:
		label = h.bounds(r.Type.Union.Name)
	case r.Type.Record != nil:
		label = h.bounds(r.Type.Record.Name)
	}
	if r.Pad != nil && label != "" {
		label += fmt.Sprintf(", padded to %d", r.Pad.To)
	}
	return label, "the length in bytes"
}

// elements returns the length of an array, a list or a text with a number of elements.
func (h *describer) elements(row *dsl.Row, r *schema.Row) string {
	count, width, bounds := row.Type.Extent.Count.Text(false), int64(1), ""
	switch t := r.Type; {
	case t.Coding.InDigits(): // a number in digits
	case t.Coding != builtin.Fixed:
		bounds = bytecode.Bounds{Min: 1, Max: builtin.MaxCoded}.String()
	case t.Form == schema.Array:
		width = int64(t.Scalar.Width())
	case (t.Record != nil || t.Union != nil) && t.Fixed:
		width = t.Bytes
	case t.Union != nil:
		bounds = h.bounds(t.Union.Name)
	case t.Record != nil:
		bounds = h.bounds(t.Record.Name)
	}
	if (width > 1 || bounds != "") && strings.ContainsAny(count, " +-*/") {
		count = "(" + count + ")"
	}
	switch {
	case bounds != "":
		return count + " times " + bounds
	case width > 1:
		return fmt.Sprintf("%d*%s", width, count)
	}
	return count
}
