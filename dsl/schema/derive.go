// Derivations: a reader gets back what a writer computes.
//
// A writer computes fields from others, such as a length from a text, and a reader
// takes sizes from them. That the size is the right one again is tried for many sizes
// and, if rows have conditions, for values under which each condition holds and does not.
// Expressions are sums, products, bounds and comparisons, so a few values find a mistake.

package schema

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// derive checks what a writer computes for every record and every element of a list.
func (p *prover) derive() {
	p.s.bodies(func(_ string, rec *Record) { p.deriveRecord(rec) })
}

func (p *prover) deriveRecord(rec *Record) {
	d := &deriver{p: p, rec: rec, ways: map[*Field][]way{}}
	if rec.Arm != nil && rec.Arm.Union.Word != nil {
		d.checks = append(d.checks, rec.Arm.Union.Word.Checks...)
	}
	d.each(rec.Body, nil, d.locate)
	d.each(rec.Body, nil, d.node)
	d.measures()
	d.redundant()
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

// each calls f for every node of a body and of its blocks. It passes the conditions
// under which the node is reached. The rows of forms come after the forms.
func (d *deriver) each(body []Node, at way, f func(n Node, at way)) {
	for _, n := range body {
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
	row := func(n *Row) {
		put(n.Field)
		d.checks = append(d.checks, n.Checks...)
		for _, b := range n.Bits {
			put(b.Field)
			d.checks = append(d.checks, b.Checks...)
		}
	}
	switch n := n.(type) {
	case *Forms:
		if n.Check != nil {
			d.checks = append(d.checks, n.Check)
		}
		if n.Total {
			row(n.Rows[0])
		}
	case *Row:
		if n.IDs == nil { // not a form of several
			row(n)
		}
	case *Bit:
		d.checks = append(d.checks, n.Checks...)
	case *List:
		put(n.Field)
		d.checks = append(d.checks, n.Checks...)
	}
}

// node checks the sizes of texts, arrays, lists, and the regions of rows.
func (d *deriver) node(n Node, at way) {
	switch n := n.(type) {
	case *Row:
		if t := n.Type; t.Size != nil {
			if _, fixed := t.Size.constant(); t.Fill != "" {
				d.filled(t, n.Field, at)
			} else if t.Form == Text {
				d.size(t.Size, n.Field, at, int64(t.Encoding.Charset.Unit()), "length")
			} else if t.Form == Array && !fixed {
				d.size(t.Size, n.Field, at, 1, "count")
			}
		}
		if n.derived() {
			size, fixed := d.p.typeSize(n.Type)
			each := int64(1)
			if !fixed && n.Type.Form == Array {
				each = int64(n.Type.Scalar.Width() * n.Type.Width)
			} else if !fixed && n.Type.Form == Text {
				each = int64(n.Type.Encoding.Charset.Unit())
			}
			d.bound(n, at, each, size, fixed)
		}
	case *List:
		if n.Count != nil {
			if _, fixed := n.Count.constant(); !fixed {
				if t := d.size(n.Count, n.Field, at, 1, "count"); n.Map && !t.failed && !t.derived {
					d.p.r.errorf(n.Count.Pos, 1, dsl.CodeUnderived, "a writer cannot compute this count of %s: none of the fields in it is computed from %s", n.Field.Name, n.Field.Name).
						WithHint("a writer merges pairs with the same key, so give the field a value: | … | u32 | length = count(%s) |", n.Field.Name)
				}
			}
		}
		if n.Row == nil {
			d.p.deriveRecord(n.Element)
		} else if n.Row.derived() && !slices.ContainsFunc(n.Elem.records(), func(rec *Record) bool { return rec.Base }) { // see bounded
			each, fixed := d.p.typeSize(n.Elem)
			if !fixed || each == 0 { // without bytes, which is reported
				each = 1
			}
			d.bound(n.Row, at, each, 0, false)
		}
	}
}

// filled reports the length of a row with fill if a writer computes it from the content. Then
// nothing is left to fill.
func (d *deriver) filled(t *Type, target *Field, at way) {
	if out := d.try(t.Size, target, at, 1, lengths(1), false); !out.failed && out.derived {
		d.p.r.errorf(t.Size.Pos, 1, dsl.CodeInverse, "the length of %s is computed from it, so nothing is left to fill", target.Name).
			WithHint("leave `fill` out, or store the length: | … | u16 | length |")
	}
}

// size checks a size, the number of elements or bytes that a reader takes. A reader must get
// back the number from which a writer computed the fields of the size; the number is a multiple
// of each. A writer compares a size of other fields with the value.
func (d *deriver) size(size *Expr, target *Field, at way, each int64, word string) trial {
	t := d.try(size, target, at, 1, lengths(each), false)
	if !t.failed && t.derived && t.wrong {
		d.p.r.errorf(size.Pos, 1, dsl.CodeInverse, "if the %s of %s is %d, a writer computes fields from which a reader computes %d", word, target.Name, t.want, t.got).
			WithHint("the size here must be the inverse of what the fields are computed from")
	}
	return t
}

// lengths returns numbers of bytes to try, which are multiples of some bytes each.
func lengths(each int64) []int64 {
	out := []int64{0, 1, 2, 7, 255, 256, 65536, 1<<31 - 1}
	for i := range out {
		out[i] *= each
	}
	return out
}

// bound checks the size of a row's region. The content of the region has a fixed size, or
// is elements of some bytes each. If the size is not computed from the row alone, a writer
// compares it with the bytes of the row.
func (d *deriver) bound(row *Row, at way, each, size int64, fixed bool) {
	all := lengths(each)
	if fixed {
		all = []int64{size * each}
	}
	out := d.try(row.Bound, row.Field, at, each, all, true)
	if out.given {
		row.Stated = true
		row.Field.measure()
		d.p.r.measuredLater(row.Bound, row.Field.state.passed)
	}
	if !out.failed && out.wrong && !out.given {
		e := d.p.r.errorf(row.Bound.Pos, 1, dsl.CodeInverse, "%s has %d byte%s, but its length cell is %d", row.Field.Name, out.want, plural(int(out.want)), out.got).
			WithHint("the cell must be the inverse of what its fields are computed from: `size = size(%s) + 4` and the cell `size-4`", row.Field.Name)
		for _, n := range []int64{2, 4, 8, 16} {
			if t := d.try(row.Bound, row.Field, at, each*n, lengths(each*n), true); !fixed && !t.failed && !t.wrong {
				e.WithHint("a size that is no multiple of %d is lost; add a condition to the row: check size(%s) %% %[1]d == 0", each*n, row.Field.Name)
				break
			}
		}
	}
}

// measures reports words that hold the size of a row but are not on every path to it. A writer
// would have no place for the size.
func (d *deriver) measures() {
	for _, f := range d.rec.Fields {
		if f.Measures == nil {
			continue
		}
		d.later(f)
		if f.isBits() {
			continue // of which the word is one of the fields
		}
		switch {
		case f.Forms != nil && d.formOfSize(f.Forms):
		case !follows(d.rec.Body, f, f.Measures):
			hint := "put the word before that row, without a condition or under the same one"
			if d.twice(f.Measures) {
				hint = "put the word before the `if`, or give the lists of its branches different names"
			}
			d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "%s holds the size of %s, but is not always there if that is", f.Name, f.Measures.Name).
				WithHint("%s", hint)
		case f.Measures.inserts():
			d.inserted(f)
		}
	}
}

// twice reports whether both branches of a condition have a list of the field.
func (d *deriver) twice(f *Field) bool {
	lists := 0
	Walk(d.rec.Body, func(n Node) bool {
		l, ok := n.(*List)
		if ok && l.Field == f {
			lists++
		}
		return !ok
	})
	return lists > 1
}

// formOfSize reports forms of a size without bytes, and forms that a writer chooses only when it has the size.
func (d *deriver) formOfSize(n *Forms) bool {
	f := n.Field
	if n.Number != nil || n.Arm != nil {
		d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "the form of %s follows from the size of %s, which a writer has only after that row", f.Name, f.Measures.Name).
			WithHint("store the number that selects the form; or give %s a type of varying width such as leb128 or ber", f.Name)
		return true
	}
	for _, row := range n.Rows {
		if row.Inline != nil {
			d.p.r.errorf(row.Pos, 1, dsl.CodeUnderived, "%s has no bytes in this form, so a writer has no place for the size of %s", f.Name, f.Measures.Name).
				WithHint("give the form a type; or give %s a type of varying width such as leb128 or ber", f.Name)
			return true
		}
	}
	return false
}

// later reports a size that a writer needs for another one, but does not always have before.
func (d *deriver) later(f *Field) {
	var visit func(e *Expr)
	visit = func(e *Expr) {
		if g := e.Field; e.Op == builtin.Ref && g.Measures != nil && g.Derive != nil && g != f && g.Measures.state.passed <= f.Measures.state.passed {
			body := blockOf(d.rec.Body, g.Measures)
			at := slices.IndexFunc(body, func(n Node) bool { return isOf(n, g.Measures) })
			if g.Measures != f.Measures && (at < 0 || !declares(body[at+1:], f.Measures)) {
				d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "%s needs the size of %s in %s, but %s is not always before %s", f.Name, g.Measures.Name, g.Name, g.Measures.Name, f.Measures.Name).
					WithHint("put %s before %s without a condition, or into the same block", g.Measures.Name, f.Measures.Name)
			}
		}
		for _, a := range e.Args {
			visit(a)
		}
	}
	if f.Derive != nil {
		visit(f.Derive)
	}
}

// inserted reports rows that prevent a writer from inserting a number of varying width. Such a
// number holds the size of a row, and is written before it when the size is known. That row must
// always be there, and no place may be noted after the number, since it would move.
func (d *deriver) inserted(f *Field) {
	body := blockOf(d.rec.Body, f)
	at := slices.IndexFunc(body, func(n Node) bool { return isOf(n, f) })
	to := slices.IndexFunc(body, func(n Node) bool { return isOf(n, f.Measures) })
	if to < 0 {
		d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "%s holds the size of %s, which is not always there if %s is", f.Name, f.Measures.Name, f.Name).
			WithHint("put both into one block: if … { | … | … | %s | %s | | … | %s | … | %s | }", f.Node.(*Row).Type.Name, f.Name, f.Name, f.Measures.Name)
		return
	}
	if isPart(body[to]) {
		d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "%s is at the place that a field holds, so %s, whose width varies, cannot hold its size", f.Measures.Name, f.Name).
			WithHint("give %s an integer type of one width", f.Name)
		return
	}
	if row := rowOf(body[to]); row != nil && row.Stated {
		d.p.r.errorf(row.Bound.Pos, 1, dsl.CodeUnderived, "the length cell of %s has stored fields, so %s, whose width varies, cannot hold its size", f.Measures.Name, f.Name).
			WithHint("let the cell depend on %s alone, or give %s an integer type of one width", f.Name, f.Name)
		return
	}
	if f.Places[1] {
		d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "the end of %s is not known before %s, on whose size its width depends", f.Name, f.Measures.Name).
			WithHint("give %s an integer type of one width, or let the checksum end with %s or with a row before %s", f.Name, f.Measures.Name, f.Name)
		return
	}
	for _, n := range body[at+1 : to] {
		if list, ok := n.(*List); ok && list.Spare != nil {
			d.p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "the bytes behind %s are not known before %s, whose width depends on the size of %s", list.Field.Name, f.Name, f.Measures.Name).
				WithHint("give %s an integer type of one width, or put it behind %s", f.Name, list.Field.Name)
			return
		}
	}
	for _, other := range d.rec.Fields {
		k := slices.IndexFunc(body[at+1:to+1], func(n Node) bool { return declares([]Node{n}, other) })
		if k < 0 {
			continue
		}
		pending := other.Sum != nil || other.Measures != nil && declares(body[to:], other.Measures)
		if pending || other.Places[0] || other.Places[1] && other != f.Measures {
			hint := fmt.Sprintf("put this row before %s or after %s", f.Name, f.Measures.Name)
			if other == f.Measures {
				hint = "let the checksum begin with " + f.Name
			}
			d.p.r.errorf(other.Pos, len(other.Name), dsl.CodeUnderived, "the place of %s is not known before %s, whose width depends on the size of %s", other.Name, f.Name, f.Measures.Name).
				WithHint("give %s an integer type of one width, or %s", f.Name, hint)
			return
		}
	}
}

// blockOf returns the body or the block that has the row of a field.
func blockOf(body []Node, f *Field) []Node {
	for _, n := range body {
		if isOf(n, f) {
			return body
		}
		if n, ok := n.(*If); ok {
			for _, branch := range [][]Node{n.Then, n.Else} {
				if in := blockOf(branch, f); in != nil {
					return in
				}
			}
		}
	}
	return nil
}

// rowOf returns the row of a node, or nil.
func rowOf(n Node) *Row {
	switch n := n.(type) {
	case *Row:
		return n
	case *List:
		return n.Row
	}
	return nil
}

// isOf reports whether a node is the row or the list of a field. That is there whenever the
// nodes beside it are.
func isOf(n Node, f *Field) bool {
	switch n := n.(type) {
	case *Row:
		return n.Field == f
	case *Forms:
		return n.Total && n.Field == f
	case *List:
		return n.Field == f
	}
	return false
}

// follows reports whether every way through a body to f has another field before it.
func follows(body []Node, before, f *Field) bool {
	for i, n := range body {
		if isOf(n, before) {
			return declares(body[i+1:], f)
		}
		if n, ok := n.(*If); ok {
			for _, branches := range [][2][]Node{{n.Then, n.Else}, {n.Else, n.Then}} { // the other one may have a list of the same name
				if declares(branches[0], before) {
					return follows(branches[0], before, f) && !declares(branches[1], f)
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
			found = found || n.Field == f
		case *List:
			found = found || n.Field == f
			return false
		}
		return !found
	})
	return found
}

// redundant notes the numbers that a writer computes and a reader does not need. A reader
// compares them after the record.
func (d *deriver) redundant() {
	at := map[*Field]Place{} // of bits: their word
	checked := map[*Field]bool{}
	if a := d.rec.Arm; a != nil {
		for _, b := range a.Bits {
			at[b.Field] = Place{a.Union.Word.Field, true}
		}
	}
	Walk(d.rec.Body, func(n Node) bool {
		switch n := n.(type) {
		case *Row:
			checked[n.Field] = checked[n.Field] || len(n.Checks) > 0
			for _, b := range n.Bits {
				checked[b.Field] = checked[b.Field] || len(b.Checks) > 0
				at[b.Field] = Place{n.Field, false}
			}
		case *Bit:
			checked[n.Field] = checked[n.Field] || len(n.Checks) > 0
		}
		return true
	})
	for _, f := range d.rec.Fields {
		f.Sometimes = len(d.ways[f]) > 0
	}
	for _, f := range d.rec.Fields {
		if f.Derive == nil || f.Derive.sum() != nil || f.Derive.bad || f.Used || f.Ignored || f.Selects || checked[f] {
			continue
		}
		f.Redundant = &Redundant{At: Place{f, false}, There: d.there(f)}
		if word, ok := at[f]; ok {
			f.Redundant.At = word
			if word.End {
				f.Redundant.Back = word.Field.Node.(*Row).Type.Scalar.Width()
			}
		}
		f.kept = true
		keepParts(f.Derive, map[*Field]bool{})
		f.Redundant.At.Field.mark(f.Redundant.At)
	}
}

// there returns the condition under which a field is there, or nil.
func (d *deriver) there(f *Field) *Expr {
	var any *Expr
	for _, w := range d.ways[f] {
		var all *Expr
		for _, st := range w {
			c := st.cond
			if !st.want {
				c = &Expr{Op: builtin.Not, Pos: c.Pos, Args: []*Expr{c}}
			}
			if all != nil {
				c = binary(builtin.Both, all, c)
			}
			all = c
		}
		if any != nil {
			all = binary(builtin.Either, any, all) // unreachable: a computed row is in one place
		}
		any = all
	}
	return any
}

// keepParts notes that a reader keeps the bits that an expression names. A computed number that names itself is a
// mistake, which is reported elsewhere.
func keepParts(e *Expr, seen map[*Field]bool) {
	if f := e.Field; e.Op == builtin.Ref && f.Derive != nil && !f.kept && !seen[f] {
		seen[f] = true
		f.kept = !f.Sometimes
		keepParts(f.Derive, seen)
	}
	for _, a := range e.Args {
		keepParts(a, seen)
	}
}
