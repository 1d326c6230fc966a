// Derivations: a reader gets back what a writer computes.
//
// A writer computes fields from others, such as a length from a text, and a reader
// takes sizes from them. That the size is the right one again is tried for many sizes
// and, if rows have conditions, for values under which each condition holds and does not.
// Expressions are sums, products, bounds and comparisons, so a few values find a mistake.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
)

// derive checks what a writer computes for every record and every element of a list.
func (p *prover) derive() {
	p.s.bodies(func(_ string, rec *Record) { p.deriveRecord(rec) })
}

func (p *prover) deriveRecord(rec *Record) {
	d := &deriver{p: p, rec: rec, ways: map[*Field][]way{}}
	d.each(rec.Body, nil, d.locate)
	d.each(rec.Body, nil, d.node)
	d.measures()
	d.unused()
}

// deriver checks one record.
type deriver struct {
	p      *prover
	rec    *Record
	ways   map[*Field][]way // of fields that are not always there
	checks []*Check         // conditions that must hold
}

// way is the conditions under which a row is reached.
type way []step

type step struct {
	cond *Expr
	want bool
}

func (w way) and(cond *Expr, want bool) way { return append(slices.Clone(w), step{cond, want}) }

// each calls f for every node of a body and of its blocks, with the conditions under
// which it is reached. The rows of forms come after the forms.
func (d *deriver) each(body []Node, at way, f func(n Node, at way)) {
	for _, n := range body {
		if row, ok := n.(*Row); ok && row.Same != nil {
			continue
		}
		f(n, at)
		switch n := n.(type) {
		case *Forms:
			at := at
			for i, r := range n.Rows {
				if n.Total && i == len(n.Rows)-1 {
					f(r, at)
					break
				}
				f(r, at.and(r.When, true))
				at = at.and(r.When, false)
			}
		case *Region:
			d.each(n.Body, at, f)
		case *If:
			d.each(n.Then, at.and(n.Cond, true), f)
			d.each(n.Else, at.and(n.Cond, false), f)
		}
	}
}

// locate notes the conditions under which the fields of a node are there, and the
// conditions that must hold.
func (d *deriver) locate(n Node, at way) {
	put := func(f *Field) {
		if len(at) > 0 {
			d.ways[f] = append(d.ways[f], at)
		}
	}
	switch n := n.(type) {
	case *Row:
		put(n.Field)
		d.checks = append(d.checks, n.Checks...)
		for _, b := range n.Bits {
			put(b.Field)
			d.checks = append(d.checks, b.Checks...)
		}
	case *Bit:
		d.checks = append(d.checks, n.Checks...)
	case *List:
		put(n.Field)
	case *Let:
		put(n.Field)
	}
}

// node checks the sizes of texts, arrays, lists and regions.
func (d *deriver) node(n Node, at way) {
	switch n := n.(type) {
	case *Row:
		if t := n.Type; t.Size != nil {
			if _, fixed := t.Size.constant(); t.Form == Text {
				d.size(t.Size, n.Field, at, "len", "length")
			} else if t.Form == Array && !fixed {
				d.size(t.Size, n.Field, at, "count", "count")
			}
		}
	case *List:
		if n.Count != nil {
			if _, fixed := n.Count.constant(); !fixed {
				d.size(n.Count, n.Field, at, "count", "count")
			}
		}
		d.p.deriveRecord(n.Element)
	case *Region:
		d.region(n, at)
	}
}

// size checks a size: the elements or bytes that a reader takes, given what a writer
// computed for a number of them.
func (d *deriver) size(size *Expr, target *Field, at way, function, word string) {
	t := d.try(size, target, at, 0, []int64{0, 1, 2, 3, 4, 7, 255, 256, 65535, 65536, 1<<31 - 1})
	switch {
	case t.failed: // reported with the name
	case !t.derived:
		d.p.r.errorf(size.Pos, 1, dsl.CodeUnderived, "a writer cannot compute this %s of %s: none of the fields in it is computed from %s", word, target.Name, target.Name).
			WithHint("give the field that holds it a value, for example: | … | u32 | length = %s(%s) |", function, target.Name)
	case t.wrong:
		d.p.r.errorf(size.Pos, 1, dsl.CodeInverse, "where the %s of %s is %d, a writer computes fields from which a reader takes %d", word, target.Name, t.want, t.got).
			WithHint("the size here must be the inverse of what the fields are computed from")
	}
}

// region checks the size of a region: a writer cannot know it unless it is computed
// from the one row of the region whose size varies.
func (d *deriver) region(region *Region, at way) {
	fixed, varies := int64(0), []*Field(nil)
	for _, n := range region.Body {
		switch n := n.(type) {
		case *Row:
			if size, ok := d.p.rowSize(n); n.Same != nil {
				continue
			} else if ok {
				fixed += size
			} else {
				varies = append(varies, n.Field)
			}
		case *Forms:
			varies = append(varies, n.Field)
		case *List:
			varies = append(varies, n.Field)
		case *If, *Region:
			varies = append(varies, nil)
		}
	}
	target, lengths := (*Field)(nil), []int64{0, 1, 7, 256, 65536}
	if len(varies) == 0 {
		lengths = lengths[:1]
	} else {
		target = varies[0]
	}
	t := d.try(region.Size, target, at, fixed, lengths)
	switch pos := region.Size.Pos; {
	case t.failed: // reported with the name
	case len(varies) > 1:
		d.p.r.errorf(pos, 1, dsl.CodeUnderived, "a writer cannot compute the size of this region: the sizes of %d parts of it vary", len(varies)).
			WithHint("put them into a type, and take the size of the row that holds it")
	case len(varies) == 1 && !t.derived:
		d.p.r.errorf(pos, 1, dsl.CodeUnderived, "a writer cannot compute the size of this region: none of the fields in it is computed from a row in it").
			WithHint("give the field that holds it a value, for example: | … | u32 | length = size(ROW) |")
	case t.wrong:
		d.p.r.errorf(pos, 1, dsl.CodeInverse, "the rows of this region have %d byte%s where a reader takes it to have %d", t.want, plural(int(t.want)), t.got).
			WithHint("the size here must be the inverse of what the fields are computed from")
	}
}

// measures reports words that hold the size of a row but are not on every way to it: a
// writer would have no place for the size.
func (d *deriver) measures() {
	for _, f := range d.rec.Fields {
		if f.Measures != nil && !follows(d.rec.Body, f, f.Measures) {
			d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "%s holds the size of %s, but is not always there if that is", f.Name, f.Measures.Name).
				WithHint("put the word before that row, without a condition or under the same one")
		}
	}
}

// follows reports whether every way through a body to f has another field before it.
func follows(body []Node, before, f *Field) bool {
	for i, n := range body {
		row, ok := n.(*Row)
		if ok && row.Field == before && row.Same == nil {
			return declares(body[i+1:], f)
		}
		switch n := n.(type) {
		case *Region:
			if declares(n.Body, before) {
				return follows(slices.Concat(n.Body, body[i+1:]), before, f)
			}
		case *If:
			for _, branch := range [][]Node{n.Then, n.Else} {
				if declares(branch, before) {
					return follows(branch, before, f)
				}
			}
		}
	}
	return false
}

// declares reports whether a body has a field, without elements of lists.
func declares(body []Node, f *Field) bool {
	found := false
	Walk(body, func(n Node) bool {
		switch n := n.(type) {
		case *Row:
			found = found || n.Field == f && n.Same == nil
		case *List:
			found = found || n.Field == f
			return false
		}
		return !found
	})
	return found
}

// unused reports fields that a writer computes and a reader does not look at.
func (d *deriver) unused() {
	for _, diag := range d.p.r.diags {
		if diag.Code == dsl.CodeUnknown || diag.Code == dsl.CodeArgs {
			return // a use may be misspelt
		}
	}
	checked := map[*Field]bool{}
	Walk(d.rec.Body, func(n Node) bool {
		switch n := n.(type) {
		case *Row:
			checked[n.Field] = checked[n.Field] || len(n.Checks) > 0
		case *Bit:
			checked[n.Field] = checked[n.Field] || len(n.Checks) > 0
		}
		return true
	})
	for _, f := range d.rec.Fields {
		if f.Derive != nil && !f.Used && !f.Ignored && !f.Selects && !checked[f] {
			d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeInverse, "a writer computes %s, but a reader neither uses nor checks it", f.Name).
				WithHint("add `any` to accept any number, or `check …` to check it")
		}
	}
}
