// Rows of one type after each other, which a program reads at once as a tuple.

package view

import "github.com/octable/octable/dsl/schema"

// lanesOf returns the rows of tuples by the place of the first.
func lanesOf(s *schema.Schema) map[Place][]*schema.Row {
	out := map[Place][]*schema.Row{}
	for _, b := range s.Bodies() {
		if b.Record == nil || b.Record.Tuple == nil {
			continue
		}
		rows := b.Record.Tuple.Rows
		if at := placeAt(rows[0].Pos); at != nil && len(rows) == len(b.Record.Tuple.Names) {
			out[*at] = rows
		}
	}
	return out
}

// lane returns the row of a number of the tuple that a row begins, or nil.
func (f *format) lane(first *Place, part int) *schema.Row {
	if first == nil || part < 0 || part >= len(f.lanes[*first]) {
		return nil
	}
	return f.lanes[*first][part]
}

// laneAt returns the first row of the tuple that has a row, and which of its numbers it is. For other rows they are the row and -1.
func (f *format) laneAt(at Place) (first Place, part int) {
	for first, rows := range f.lanes {
		for i, r := range rows {
			if p := placeAt(r.Pos); p != nil && *p == at && len(rows) > 1 {
				return first, i
			}
		}
	}
	return at, -1
}
