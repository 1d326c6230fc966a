// When checksums are computed: the places of rows, and the steps between them.

package schema

import (
	"cmp"
	"slices"

	"github.com/octable/octable/dsl"
)

// spot is the place of a row, a list or a checksum in a record.
type spot struct {
	node  Node
	order int      // among all rows and lists
	in    []*level // the blocks around it, the innermost last
}

// level is a block of a record and an item of it.
type level struct {
	body *[]Node
	item int
}

// around reports whether something is in the block of another thing, or in a block around
// that.
func (a *spot) around(b *spot) bool {
	n := len(a.in)
	return n <= len(b.in) && a.in[n-1].body == b.in[n-1].body
}

// covers reports whether the bytes of a row count in a checksum.
func (m *summing) covers(sum *Sum, f *Field) bool {
	at := m.spots[f]
	return slices.ContainsFunc(sum.Args, func(a *SumArg) bool {
		return f != a.Field && m.spots[a.From].order <= at.order && at.order <= m.spots[a.To].order
	})
}

// moment returns the last row or list after which a writer has all bytes that a checksum
// covers. It returns nil after a mistake.
func (m *summing) moment(f *Field) *spot {
	if at := m.ready[f]; at != nil {
		return at
	}
	if i := slices.Index(m.busy, f); i >= 0 {
		var names []string
		for _, f := range append(m.busy[i:], f) {
			names = append(names, f.Name)
		}
		m.cycle(f, names...)
		return nil
	}
	m.busy = append(m.busy, f)
	last := m.verified(f)
	for _, other := range m.rec.Fields {
		at := m.spots[other]
		switch {
		case at == nil || !m.covers(f.Sum, other):
			continue
		case other.Sum != nil && other.Sum.Base != nil:
			m.cycle(f, other.Name, f.Name, other.Name)
			return nil
		case other.Sum != nil:
			at = m.moment(other)
		case other.Measures != nil:
			at = m.spots[other.Measures]
		}
		if at == nil {
			return nil
		}
		last = later(last, at)
	}
	m.busy = m.busy[:len(m.busy)-1]
	if m.item(f, last) < 0 {
		m.name(m.calls[f].name(), dsl.CodeUnderived, "a writer has the bytes of %s only after the condition under which %s is there", m.calls[f].Name, f.Name).
			WithHint("put the row of %s after the rows that it covers, and after those whose sizes are in them", f.Name)
		return nil
	}
	m.ready[f] = last
	return last
}

// verified returns the last row or list after which a reader has all bytes of a checksum.
func (m *summing) verified(f *Field) *spot {
	last := m.spots[f]
	for _, a := range f.Sum.Args {
		last = later(last, m.spots[a.To])
	}
	return last
}

func later(a, b *spot) *spot {
	if b.order > a.order {
		return b
	}
	return a
}

// item returns the item of the block of a field's row in which something is. It returns -1
// if that is not in the block.
func (m *summing) item(f *Field, at *spot) int {
	own := m.spots[f]
	if !own.around(at) {
		return -1
	}
	return at.in[len(own.in)-1].item
}

// steps adds the steps that compute checksums to the blocks of their rows. A checksum that
// another one covers is computed before it.
func (m *summing) steps(all []*Field) {
	rank := map[*Field]int{}
	var visit func(f *Field) int
	visit = func(f *Field) int {
		if rank[f] == 0 {
			n := 1
			for _, other := range all {
				if other != f && m.covers(f.Sum, other) {
					n = max(n, visit(other)+1)
				}
			}
			rank[f] = n
		}
		return rank[f]
	}
	type point struct {
		body *[]Node
		item int
		step *SumStep
	}
	var points []point
	for _, f := range all {
		row, own := f.Node.(*Row), m.spots[f].in
		if f.Sum.Base != nil {
			continue // when the record is complete
		}
		for _, a := range f.Sum.Args {
			for other, at := range m.spots {
				alone := a.From == other && a.To == other
				if m.spots[a.From].order <= at.order && at.order <= m.spots[a.To].order && (alone || !isPart(at.node)) {
					a.covered = append(a.covered, at.node)
				}
			}
		}
		if part := f.Sum.part(); part != nil {
			at := rowOf(part.Node).At
			at.Sums = append(at.Sums, &SumStep{f, row, !row.Any, true})
			continue
		}
		body := own[len(own)-1].body
		verify, patch := m.item(f, m.verified(f)), m.item(f, m.ready[f])
		if verify == patch {
			points = append(points, point{body, patch, &SumStep{f, row, !row.Any, true}})
			continue
		}
		if !row.Any {
			points = append(points, point{body, verify, &SumStep{f, row, true, false}})
		}
		points = append(points, point{body, patch, &SumStep{f, row, false, true}})
	}
	for _, f := range all {
		visit(f)
		for _, p := range f.Sum.Parts() {
			p.From.Field.mark(p.From)
			p.To.Field.mark(p.To)
		}
		if f.Sum.Base == nil {
			f.mark(Place{f, false}) // where an error is
		}
	}
	// Later items first, so that those before them keep their places.
	slices.SortStableFunc(points, func(a, b point) int {
		return cmp.Or(cmp.Compare(b.item, a.item), cmp.Compare(rank[b.step.Field], rank[a.step.Field]), cmp.Compare(m.spots[b.step.Field].order, m.spots[a.step.Field].order))
	})
	for _, p := range points {
		*p.body = slices.Insert(*p.body, p.item+1, Node(p.step))
	}
}

// mark notes that a reader and a writer need a place of a row or a list.
func (f *Field) mark(p Place) {
	if p.End {
		f.Places[1] = true
	} else {
		f.Places[0] = true
	}
}
