// Parts: rows at a place that a field holds, counted from the beginning of a record.

package schema

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Part is the place of a row that is not behind the rows before it.
type Part struct {
	Pos   dsl.Pos
	Value *Expr      // bytes from the first byte of Base
	Base  *Record    // that parts count from, also of an arm; nil after a mistake
	Named bool       // the row names Base; else it is the record that has the row
	Place *Field     // that holds the place, if a writer chooses it; else nil
	Align int        // of which the place that a writer chooses is a multiple
	Any   bool       // a reader accepts other places than those that a writer chooses
	Type  string     // of the row; parts of one type may share a place
	Last  bool       // the row goes up to the end of Base, so that no byte of Base is behind it
	Sums  []*SumStep // the checksums that cover the row
	Gaps  bool       // the row has the bytes that no other row of Base has; Value is nil
	View  bool       // the row shows bytes that other rows have
}

// BaseName returns the name by which places count from the record.
func (r *Record) BaseName() string {
	if r.Arm != nil {
		return r.Arm.Union.Name + "." + r.Name
	}
	return r.Path
}

// Based reports whether a reader and a writer note where the record begins and ends.
func (r *Record) Based() bool { return r.Base || r.Total != nil }

// unit returns what is read by itself and has the record: its union, if it is of an arm.
func (r *Record) unit() unit {
	if r.Arm != nil {
		return unit{union: r.Arm.Union}
	}
	return unit{record: r}
}

// part binds the place of a row.
func (s *scope) part(row *Row, d *dsl.Row) {
	p := &Part{Pos: d.At.Pos, Base: s.rec, Type: row.Type.Name}
	if d.Type.Extent != nil {
		p.Type += "[]"
	}
	row.At = p
	for _, a := range d.Attrs {
		p.View = p.View || a.View
	}
	if value := d.Computed(); value != nil {
		s.errorf(value.Pos, 1, dsl.CodeArgs, "%s is at the place that a field holds, so its number is stored", d.Name.Text).
			WithHint("leave the value out, or put the row behind the rows before it")
	}
	s.then(func() { p.Value = s.reader(d.At.Value) })
	switch from := d.At.Base; {
	case from != nil:
		p.Base, p.Named = s.baseOf(from), true
	case s.rec.List != nil:
		s.errorf(d.At.Pos, 1, dsl.CodeArgs, "an element of a list has no length, so no place in it is known").
			WithHint("write the record that the place counts from: @offset from TYPE")
		p.Base = nil
	}
	if p.Base != nil {
		p.Base.Base = true
	}
}

// gaps binds a row of the bytes that no other row of the record has. Whole reports whether it is in
// no block.
func (s *scope) gaps(d *dsl.Row, whole bool) *Row {
	fail := func(pos dsl.Pos, format string, args ...any) *dsl.Diagnostic {
		return s.errorf(pos, 1, dsl.CodeArgs, format, args...)
	}
	t := d.Type
	if t == nil || t.Path() != "u8" || t.ID || t.Extent == nil || !t.Extent.End || len(t.Args) > 0 || len(d.Others) > 0 || d.Computed() != nil || len(d.Bits) > 0 {
		fail(d.Pos, "%s has the bytes between the rows with @, which are stored bytes", d.Name.Text).
			WithHint("write | @ | N | u8[until end] | %s | with a letter that is new", d.Name.Text)
		t = &dsl.TypeRef{Pos: d.Pos, Name: &dsl.Name{Pos: d.Pos, Text: "u8"}, Extent: &dsl.Extent{Pos: d.Pos, End: true}}
	}
	if s.namesField(d.Length) {
		fail(d.Length.Pos, "the length of the bytes between rows with @ cannot be stored").WithHint("write a letter that is new: | @ | N | …")
	}
	s.checkAttributes(d.Attrs, "the bytes between rows", 0)
	row := &Row{Pos: d.Pos, Doc: d.Doc.String(), Type: s.typeOf(t, d.Name.Text), At: &Part{Pos: d.At.Pos, Base: s.rec, Gaps: true}}
	row.Field, row.Mentions = s.declare(d.Name, d.Doc, row), mentions(d.Attrs)
	row.Field.Kind = builtin.Packed
	s.store(row.Field)
	switch {
	case s.rec.List != nil || !whole:
		fail(d.At.Pos, "the bytes between rows are those of a whole record").WithHint("put the row into a type or an arm, outside of blocks")
	case s.rec.Gaps != nil:
		s.name(d.Name, dsl.CodeTwice, "%s has the bytes between the rows already, in line %d", s.rec.Gaps.Field.Name, s.rec.Gaps.Pos.Line).WithHint("keep one of the rows")
	default:
		s.rec.Gaps = row
	}
	s.then(func() { row.Length = s.length(d.Length) })
	return row
}

// isGaps reports whether the field has the bytes between the parts of its record.
func (f *Field) isGaps() bool {
	row, ok := f.Node.(*Row)
	return ok && row.At != nil && row.At.Gaps
}

// placeCall binds the place of a part.
func (s *scope) placeCall(x, arg *Expr, dir direction) *Expr {
	x.Field = s.names[arg.Name]
	s.index.field(arg.name(), x.Field)
	switch {
	case dir == reading:
		s.name(x.name(), dsl.CodeDirection, "place is the value of a row, and is not known elsewhere").
			WithHint("use the field that holds the place")
		return mistake(x)
	case x.Field != nil && isPart(x.Field.Node) && rowOf(x.Field.Node).At.View:
		s.name(arg.name(), dsl.CodeArgs, "%s is a view of bytes that other rows have, so a writer does not choose its place", arg.Name).
			WithHint("store the place, or take that of the row which has the bytes")
		return mistake(x)
	case x.Field == nil || !isPart(x.Field.Node): // that of gaps is reported before
		s.name(arg.name(), dsl.CodeArgs, "place takes a row with @ of this record, and %s is not one", arg.Name).
			WithHint("for example: offset = place(data), and a row | @offset | … | data |")
		return mistake(x)
	}
	if len(x.Args) == 2 {
		n, ok := x.Args[1].constant()
		if !ok || n < 1 || n > 4096 {
			s.errorf(x.Args[1].Pos, 1, dsl.CodeRange, "places are multiples of 1 to 4096 bytes").WithHint("for example: place(%s, 16)", arg.Name)
			return mistake(x)
		}
		x.Num = n
	}
	x.Args = nil
	return x
}

// where returns the place in what a writer computes, or nil.
func (e *Expr) where() *Expr {
	if e == nil || e.Op == builtin.Where {
		return e
	}
	for _, a := range e.Args {
		if x := a.where(); x != nil {
			return x
		}
	}
	return nil
}

// placed binds the rows that hold the places of parts, which a writer chooses.
func (s *scope) placed() {
	holders := map[*Field]bool{}
	for _, f := range s.rec.Fields {
		x := f.Derive.where()
		if x == nil {
			continue
		}
		holders[f] = true
		row, ok := f.Node.(*Row)
		target := x.Field
		fail := func(format string, args ...any) *dsl.Diagnostic {
			return s.name(x.name(), dsl.CodeUnderived, format, args...)
		}
		switch {
		case !ok || len(row.Bits) > 0 || f.Forms != nil || row.At != nil || row.Type.Form != Number || row.Type.Coding != builtin.Fixed ||
			!row.Type.Scalar.IsInteger() || row.Type.Scalar == builtin.Code4 || row.Type.Option != nil:
			fail("a place is in a row of an integer of one width, and %s is not one", f.Name).WithHint("give the row a type such as u32")
			continue
		case !ahead(s.rec.Body, f, target):
			fail("%s is not always there, behind %s, if %s is", target.Name, f.Name, f.Name).
				WithHint("put the row of %s before that of %s, into the same block, without a condition", f.Name, target.Name)
			continue
		}
		at := rowOf(target.Node).At
		if at.Place != nil {
			fail("the place of %s is in %s already", target.Name, at.Place.Name).WithHint("keep one of the rows")
			continue
		}
		if !inverse(f, at.Value) {
			s.otherPlace(fail("a reader takes another place from %s than a writer computes for it", f.Name), f, target, at)
			continue
		}
		at.Place, at.Any, at.Align, f.PlaceOf = f, row.Any, int(x.Num), target
	}
	if len(holders) == 0 {
		return
	}
	own := map[*Expr]bool{} // in cells of parts
	var mark func(e *Expr)
	mark = func(e *Expr) {
		own[e] = true
		for _, a := range e.Args {
			mark(a)
		}
	}
	for _, part := range partsIn(s.rec) {
		if part.Place != nil || part.View {
			mark(part.Value)
		}
	}
	for _, x := range s.refs {
		if holders[x.Field] && !own[x] {
			s.name(x.name(), dsl.CodeDirection, "%s is a place, which a writer chooses last", x.Field.Name).
				WithHint("only the cells of the row at this place, and of views, can use it")
			return
		}
	}
}

// otherPlace gives the advice for a place that is not the inverse of what a writer computes for a field. It
// gives the cell that is.
func (s *scope) otherPlace(d *dsl.Diagnostic, f, target *Field, at *Part) {
	cell := "@" + f.Name
	switch x := f.Derive; {
	case x.Op == builtin.Where:
	case (x.Op == builtin.Sub || x.Op == builtin.Add) && x.Args[0].Op == builtin.Where && x.Args[1].where() == nil:
		sign := builtin.Add
		if x.Op == builtin.Add {
			sign = builtin.Sub
		}
		cell = "@" + Notation{Tight: true}.Text(&Expr{Op: sign, Args: []*Expr{{Op: builtin.Ref, Name: f.Name}, x.Args[1]}})
	default:
		d.WithHint("let the value be place(%s), or that place plus or minus a number", target.Name)
		return
	}
	d.WithHint("write the cell %s", cell)
	if file := s.files[at.Pos.Filename]; file != nil {
		old, _, _ := strings.Cut(file.Source[at.Pos.Offset:], "|")
		old, _, _ = strings.Cut(old, " from ")
		d.ReplaceAt(at.Pos, strings.TrimSpace(old), cell)
	}
}

// ahead reports whether a row is followed by a part that is there whenever it is.
func ahead(body []Node, f, part *Field) bool {
	block := blockOf(body, f)
	from := slices.IndexFunc(block, func(n Node) bool { return isOf(n, f) })
	to := slices.IndexFunc(block, func(n Node) bool { return isOf(n, part) })
	return from >= 0 && from < to
}

// inverse reports whether the expression of a place undoes the computation of a field from the place. For
// example, the field is f = place(x) - a, and the place f + a.
func inverse(f *Field, at *Expr) bool {
	sum, ok := at.Linear(Letter)
	d, rest := f.Derive, Constant(0)
	switch {
	case d.Op == builtin.Where:
	case (d.Op == builtin.Sub || d.Op == builtin.Add) && d.Args[0].Op == builtin.Where && d.Args[1].where() == nil:
		var linear bool
		rest, linear = d.Args[1].Linear(Letter)
		ok = ok && linear
		if d.Op == builtin.Add {
			rest = Constant(0).Plus(rest, -1)
		}
	default:
		return false
	}
	return ok && sum.Equal(rest.Plus(Letter(f.Name), 1))
}

// baseOf returns the record from which places count that a path names, or nil.
func (b *binder) baseOf(path *dsl.Path) *Record {
	return b.recordOf(path, "places count from one record", "to count from", "@offset from UNION.ARM")
}

// recordOf returns the record that a path names, or nil. Messages say why there is one record, what it
// is named for, and show the name of an arm.
func (b *binder) recordOf(path *dsl.Path, one, use, example string) *Record {
	at, name := path.Names[0], path.String()
	u := b.unions[at.Text]
	switch {
	case len(path.Names) == 1 && b.records[name] != nil:
		b.typeName(&dsl.TypeRef{Pos: at.Pos, Name: at}, false)
		return b.records[name]
	case len(path.Names) == 1 && u != nil:
		b.name(at, dsl.CodeArgs, "%s is a union, and %s", name, one).
			WithHint("name the arm: %s", strings.Replace(example, "UNION", name, 1))
		return nil
	case len(path.Names) == 2 && u != nil:
		b.typeName(&dsl.TypeRef{Pos: at.Pos, Name: at}, false)
		for _, a := range u.Arms {
			if a.Name == path.Names[1].Text {
				return a.Record
			}
		}
		d := b.name(path.Names[1], dsl.CodeUnknown, "union %s has no arm %s", at.Text, path.Names[1].Text).WithHint("name one of its arms")
		b.near(d, path.Names[1].Text, func() []string {
			var all []string
			for _, a := range u.Arms {
				all = append(all, a.Name)
			}
			return all
		})
		return nil
	}
	d := b.name(at, dsl.CodeUnknown, "there is no type %s %s", name, use).WithHint("name a type of this schema, or an arm as UNION.ARM")
	b.near(d, at.Text, func() []string { return b.src.declared("type", "union") })
	return nil
}

// basesOf notes the types from which parts count, and those that checksums cover. They are not stored
// in place of a row. It reports whether there are such checksums.
func (b *binder) basesOf(items []*dsl.Item) (sums bool) {
	names := b.src.declared("type", "union")
	for _, i := range items {
		dsl.Walk(i, func(node any) bool {
			if at, ok := node.(*dsl.At); ok && at.Base != nil && len(at.Base.Names) == 1 {
				b.bases[at.Base.Names[0].Text] = true
			}
			if x, ok := node.(*dsl.Expr); ok && x.IsCall {
				if _, sum := builtin.ChecksumNamed(x.Name.Text); sum && len(x.Args) == 1 {
					a := x.Args[0]
					if a.Op == "with" {
						a = a.Args[0]
					}
					if a.Name != nil && slices.Contains(names, strings.Split(a.Name.Text, ".")[0]) {
						b.bases[a.Name.Text], sums = true, true
					}
				}
			}
			return true
		})
	}
	return sums
}

// places checks the parts that the root contains. They must be inside of their bases, whose lengths must be
// known, and their content must not contain the record that has them.
func (p *prover) places() {
	p.s.bodies(func(_ string, rec *Record) {
		if rec.Gaps != nil && !rec.Base {
			p.r.errorf(rec.Gaps.Pos, 1, dsl.CodeArgs, "no row with @ counts from %s, so there is nothing between", rec.Path).
				WithHint("leave the row out, or put it into the record from which places count")
		}
	})
	if p.s.Root == nil {
		return
	}
	var records []*Record
	seen := map[*Record]bool{}
	contained(p.s.Root, func(rec *Record) { records = append(records, rec) }, seen)
	counts := func(rec *Record) bool { return rec.Based() || len(partsIn(rec)) > 0 }
	if !slices.ContainsFunc(records, counts) && len(p.s.totals()) == 0 {
		return
	}
	open := openEnded(records)
	filled := map[*Record]bool{} // bases that have parts with separate bytes
	for _, rec := range records {
		p.summed(rec)
		p.bounded(rec)
		for _, at := range partsIn(rec) {
			p.ends(rec, at)
			if at.View {
				p.viewed(at)
			} else {
				filled[at.Base] = true
			}
			if at.Last = toEnd(at.node); !at.Last && takesAll(at.node, open) {
				p.r.errorf(at.Pos, 1, dsl.CodeArgs, "the row takes every byte up to the end of %s, also those of other parts", at.Base.Path).
					WithHint("let its length cell name a field that holds the length: | @… | size | … |")
			}
			if row := rowOf(at.node); at.Last && at.Base.Gaps != nil && row.Type.Form == Array && row.Type.Scalar.Width() > 1 {
				p.r.errorf(at.Pos, 1, dsl.CodeArgs, "the row goes up to the end, so bytes that are not a whole %s may be left", row.Type.Scalar).
					WithHint("let its length cell name a field that holds the length: | @… | size | … |")
			}
		}
	}
	for _, rec := range records {
		if filled[rec] && open[rec] {
			p.r.errorf(rec.Pos, 1, dsl.CodeArgs, "%s takes every byte up to its end, so no place is left for rows with @", rec.Path).
				WithHint("give the row that ends with its region a length")
		}
	}
	p.enclosed(records)
	p.mixed(records)
}

// mixed reports bases of which some places are stored, and others a writer chooses.
func (p *prover) mixed(records []*Record) {
	chosen := map[*Record]*Part{}
	for _, rec := range records {
		for _, at := range partsIn(rec) {
			if at.Place != nil {
				chosen[at.Base] = at.Part
			}
		}
	}
	for _, rec := range records {
		if rec.Gaps != nil && chosen[rec] != nil {
			p.r.errorf(rec.Gaps.Pos, 1, dsl.CodeArgs, "a writer chooses the places in %s, with zeros between", rec.Path).
				WithHint("leave the row out, or store the places")
		}
		for _, at := range partsIn(rec) {
			if at.Place == nil && !at.View && chosen[at.Base] != nil {
				p.r.errorf(at.Pos, 1, dsl.CodeArgs, "this place is stored, and a writer chooses others in %s", at.Base.Path).
					WithHint("let a row hold each place: offset = place(row); or store all of them")
			}
		}
	}
}

// openEnded returns those of some records whose rows, without parts, take every byte up to the end
// of their region.
func openEnded(records []*Record) map[*Record]bool {
	open := map[*Record]bool{}
	for changed := true; changed; {
		changed = false
		for _, rec := range records {
			Walk(rec.Body, func(n Node) bool {
				if !isPart(n) && takesAll(n, open) && !open[rec] {
					open[rec], changed = true, true
				}
				_, list := n.(*List)
				return !list
			})
		}
	}
	return open
}

// toEnd reports whether a row or a list has no length, count or condition that ends it. It then goes up to
// the end of the region around it. A length cell makes another region, so a row with one does not.
func toEnd(n Node) bool {
	row := rowOf(n)
	if list, ok := n.(*List); ok {
		return list.Count == nil && !list.Last && list.Spare == nil && !list.Map && (row == nil || row.Bound == nil)
	}
	return row != nil && row.Bound == nil && row.Type.ToEnd()
}

// takesAll reports whether a row or a list takes every byte up to the end of the region around it. open has
// the records that do.
func takesAll(n Node, open map[*Record]bool) bool {
	if n, ok := n.(*If); ok && n.More != nil {
		return true
	}
	row, t := rowOf(n), (*Type)(nil)
	if row != nil {
		t = row.Type
	}
	list, isList := n.(*List)
	switch {
	case leaves(n):
		return true
	case row != nil && row.Bound != nil:
		return false
	case toEnd(n):
		return true
	case isList:
		t = list.Elem
	case row == nil:
		return false
	}
	return slices.ContainsFunc(t.records(), func(rec *Record) bool {
		return open[rec] || t.InPlace && slices.ContainsFunc(rec.Body, func(n Node) bool { return takesAll(n, open) })
	})
}

// contained calls f for the records of a type, and for those inside of them, once for each.
func contained(t *Type, f func(*Record), seen map[*Record]bool) {
	visit := func(rec *Record) {
		if seen[rec] {
			return
		}
		seen[rec] = true
		f(rec)
		uses(rec.Body, func(t *Type) { contained(t, f, seen) })
	}
	switch t.Form {
	case OfRecord:
		visit(t.Record)
	case OfUnion:
		for _, a := range t.Union.Arms {
			visit(a.Record)
		}
	}
}

// isPart reports whether a node is a part, or has the bytes between parts. It takes no bytes behind
// the rows before it.
func isPart(n Node) bool {
	if forms, ok := n.(*Forms); ok {
		n = forms.Rows[0]
	}
	row := rowOf(n)
	return row != nil && row.At != nil
}

// partRow is a part with its row or list.
type partRow struct {
	*Part
	node Node
}

// partsIn returns the parts of a record, without those of elements of lists.
func partsIn(rec *Record) []partRow {
	var out []partRow
	Walk(rec.Body, func(n Node) bool {
		if row := rowOf(n); row != nil && row.At != nil && row.At.Base != nil && !row.At.Gaps {
			out = append(out, partRow{row.At, n})
		}
		_, list := n.(*List)
		return !list
	})
	return out
}

// bounded reports uses of bases in a record whose bytes no length cell gives.
func (p *prover) bounded(rec *Record) {
	use := func(t *Type, row *Row) {
		if row != nil && row.Bound != nil {
			return
		}
		for _, base := range t.records() {
			if !base.Base {
				continue
			}
			hint := "write what the places count from, such as @offset from " + rec.BaseName()
			if row == nil {
				hint = "let elements have a row with their length, of a type from which places count: | 0 | size | Rows | rows |; or " + hint
			}
			if row != nil {
				hint = "let the length cell name the field that holds the length: | … | size | " + t.Name + " | … |; or " + hint
			}
			p.r.errorf(t.Pos, len(t.Name), dsl.CodeArgs, "places count from %s, whose length is not known here", base.Path).WithHint("%s", hint)
		}
	}
	Walk(rec.Body, func(n Node) bool {
		switch n := n.(type) {
		case *Row:
			use(n.Type, n)
		case *List:
			for _, t := range []*Type{n.Key, n.Elem} {
				if t != nil {
					use(t, nil)
				}
			}
			return false
		}
		return true
	})
}

// records returns the record of a type, or those of the arms of its union.
func (t *Type) records() []*Record {
	switch t.Form {
	case OfRecord:
		return []*Record{t.Record}
	case OfUnion:
		var out []*Record
		for _, a := range t.Union.Arms {
			out = append(out, a.Record)
		}
		return out
	}
	return nil
}

// ends reports a part whose content has the record that the part is in: a reader need not end.
func (p *prover) ends(rec *Record, part partRow) {
	again := false
	uses([]Node{part.node}, func(t *Type) {
		contained(t, func(inner *Record) { again = again || inner.unit() == rec.unit() }, map[*Record]bool{})
	})
	if again {
		p.r.errorf(part.Pos, 1, dsl.CodeNoProgress, "%s, which has this row, can be in the content of the row, so that a reader need not end", rec.Path).
			WithHint("put records that contain each other one behind the other, without @")
	}
}

// enclosed reports parts that are not always inside of their bases.
func (p *prover) enclosed(records []*Record) {
	type need struct {
		pos  dsl.Pos
		base *Record
		why  string
	}
	needs := map[*Record][]need{} // one for each base that is outside of a record
	for changed := true; changed; {
		changed = false
		for _, rec := range records {
			var found []need
			for _, at := range partsIn(rec) {
				found = append(found, need{at.Pos, at.Base, "the place counts from"})
			}
			for _, f := range rec.Fields {
				if f.Sum != nil && f.Sum.Base != nil {
					found = append(found, need{f.Pos, f.Sum.Base, "the checksum covers"})
				}
			}
			uses(rec.Body, func(t *Type) {
				for _, inner := range t.records() {
					found = append(found, needs[inner]...)
				}
			})
			for _, at := range found {
				if at.base != rec && !slices.ContainsFunc(needs[rec], func(q need) bool { return q.base == at.base }) {
					needs[rec], changed = append(needs[rec], at), true
				}
			}
		}
	}
	for _, root := range p.s.Root.records() {
		for _, at := range needs[root] {
			p.r.errorf(at.pos, 1, dsl.CodeArgs, "%s %s, and the row is not always inside of one", at.why, at.base.Path).
				WithHint("use the record that has the row inside of %s only, or name another record", at.base.Path)
		}
	}
}
