// Steps: what a reader does with a record, in order.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Builder receives the steps of a record, in the order in which a reader takes them. A
// rule is a number that the builder has given to a place in the schema.
type Builder interface {
	Stop(cond *Expr, rule int) // the record is the last element of a list if the condition holds

	Rule(pos dsl.Pos, name, doc string) int     // of a place; name is that of a field, or ""
	Inside(f *Field, t *Type, rule int) Builder // for the rows of a record in place of a row

	Expect(f *Field, s builtin.Scalar, rule int)           // a writer refuses a value that the scalar does not hold; without one, a value that is not a truth
	Word(row *Row, rule int)                               // a number that the reader keeps, as one or as bits
	Let(f *Field, value *Expr, rule int)                   // a number that follows from others
	Take(f *Field, kind builtin.Kind, wide bool, rule int) // the number of the field is a value: Bool, Uint or Int; wide marks it
	TakeArm(f *Field, u *Union, rule int)                  // the number of the field is an arm
	Value(row *Row, rule int)                              // a value that is not kept as a number
	Member(row *Row, m *Member, rule int)                  // a number in the value of the row
	List(list *List, rule int)
	Spared(list *List, rule int) // a writer refuses a list that a reader would end at another place: see [List.Demands]
	Absent(f *Field, rule int)   // the field has no value

	More(m *More, rule int)  // whether bytes are left
	Left(f *Field, rule int) // how many bytes are left; nothing for a writer
	Either(cond *Expr, rule int, then, other func())
	Check(cond *Expr, message string, rule int)
	Require(g *Gate, rule int)
	Seek(at *Part, rule int, steps func())  // steps at the place of a part
	Gaps(row *Row, rule int)                // the bytes between parts, before the record ends
	Enter(size *Expr, rule int)             // a region begins
	Leave(rule int)                         // and ends
	Sized(f *Field, rule int, steps func()) // steps of which padding that follows, and f unless it is nil, take the size
	Pad(p *Pad, rule int)                   // p may be nil

	Mark(f *Field, rule int)                  // the row or list begins whose size is in the word f.Measured
	Size(f *Field, rule int)                  // and ends
	Patch(f *Field, word *Row, rule int)      // a writer puts its size into the word, which has the form of a row
	Complete(f *Field, value *Expr, rule int) // a writer has the number of bits that hold the size

	Place(p Place, rule int)     // a checksum begins or ends here, or a number that is compared later
	Verify(f *Field, rule int)   // a reader compares a redundant number
	Sum(step *SumStep, rule int) // a checksum is computed
	Note(row *Row, rule int)     // a number was read or written that holds the checksum of a whole record
	Total(f *Field, rule int)    // the checksum of a whole record is computed, behind its last row and part

	Subst(f *Field, rule int) // a writer may put another arm in place of the field's
	Header(a *Arm, rule int)  // a writer writes the word of the arm's union
}

// Build gives a builder the steps of a body.
func Build(body []Node, to Builder) {
	for i, n := range body {
		switch n := n.(type) {
		case *Row:
			if n.At != nil && n.At.Gaps {
				break // BuildEnd
			}
			row := func() { buildRow(n, to) }
			if n.At != nil { // between the same places
				row()
				break
			}
			between(n.Field, n.Pos, n.Doc, to, row)
		case *Forms:
			between(n.Field, n.Rows[0].Pos, n.Rows[0].Doc, to, func() { buildForms(n, to) })
		case *List:
			list := func() { buildList(n, to) }
			if isPart(n) {
				list()
				break
			}
			between(n.Field, n.Pos, n.Doc, to, list)
			if n.Spare != nil {
				buildSpared(n, body[i+1:], to)
				return
			}
		case *SumStep:
			to.Sum(n, to.Rule(n.Row.Pos, n.Field.Name, n.Row.Doc))
		case *If:
			rule := to.Rule(n.Pos, "", "")
			if n.More != nil {
				to.More(n.More, rule)
			}
			to.Either(n.Cond, rule, func() { buildBranch(n.Then, n.Absent[0], n.Pos, to) },
				func() { buildBranch(n.Else, n.Absent[1], n.Pos, to) })
		case *Order:
			if n.Check != nil {
				to.Check(n.Check.Cond, n.Check.Message, to.Rule(n.Pos, "", ""))
			}
		case *Refuse:
			to.Check(&Expr{Op: builtin.Num, Pos: n.Pos}, n.Reason, to.Rule(n.Pos, "", ""))
		case *Require:
			to.Require(n.Gate, to.Rule(n.Pos, "", ""))
		}
	}
}

// BuildEnd gives a builder the steps after the rows of a record.
func BuildEnd(rec *Record, to Builder) {
	for _, f := range rec.Fields {
		if f.Redundant == nil {
			continue
		}
		rule := to.Rule(f.Pos, f.Name, f.Doc)
		verify := func() { to.Verify(f, rule) }
		if f.Redundant.There == nil {
			verify()
		} else {
			to.Either(f.Redundant.There, rule, verify, func() {})
		}
	}
	if row := rec.Gaps; row != nil {
		to.Gaps(row, to.Rule(row.Pos, row.Field.Name, row.Doc))
	}
}

// BuildTotal gives a builder the step after a record whose checksum is in one of its rows. It may also
// be inside of them.
func BuildTotal(rec *Record, to Builder) {
	if f := rec.Total; f != nil {
		to.Total(f, to.Rule(f.Pos, f.Name, f.Doc))
	}
}

// BuildStop gives a builder the step at the end of a record. The record can be the last element of a list.
func BuildStop(rec *Record, to Builder) {
	if stop := rec.stop(); stop != nil {
		to.Stop(stop, to.Rule(stop.Pos, "", ""))
	}
}

// between makes steps at whose begin or end a checksum begins or ends.
func between(f *Field, pos dsl.Pos, doc string, to Builder, steps func()) {
	for i, place := range f.Places {
		if i == 1 {
			steps()
		}
		if place {
			to.Place(Place{f, i == 1}, to.Rule(pos, f.Name, doc))
		}
	}
}

func buildList(n *List, to Builder) {
	f, rule := n.Field, to.Rule(n.Pos, n.Field.Name, n.Doc)
	atPlace(f, n.Row, rule, to, func() {
		bounded(f, n.Row, n.Pad, true, rule, to, func() { to.List(n, rule) })
		buildChecks(n.Checks, rule, to)
	})
}

// buildSpared makes the steps behind a list that ends when few bytes are left.
func buildSpared(n *List, behind []Node, to Builder) {
	s, rule := n.Spare, to.Rule(n.Pos, n.Field.Name, n.Doc)
	steps := func() { Build(behind, to) }
	switch {
	case !s.TooMany && !s.TooFew:
		steps()
		return
	case s.Behind == nil:
		steps()
	default:
		to.Sized(s.Behind, rule, steps)
	}
	to.Spared(n, rule)
}

// atPlace makes the steps of a row, which may be nil, at its place. A writer has its bytes there only
// until the part ends, so checksums of it are computed there.
func atPlace(f *Field, row *Row, rule int, to Builder, steps func()) {
	if row == nil || row.At == nil {
		steps()
		return
	}
	to.Seek(row.At, rule, func() {
		between(f, row.Pos, row.Doc, to, steps)
		for _, s := range row.At.Sums {
			to.Sum(s, to.Rule(s.Row.Pos, s.Field.Name, s.Row.Doc))
		}
	})
}

// BuildArm gives a builder the steps before the rows of an arm. They write the word of its union, and take the arm's
// bits from it.
func BuildArm(a *Arm, rule int, to Builder) {
	for _, f := range a.Stored {
		if f.Union != nil && f.Union.written() {
			to.Subst(f, rule)
		}
	}
	u := a.Union
	if u.Word == nil {
		return
	}
	expectBits(a.Bits, rule, to)
	to.Header(a, rule)
	free := unused(u.Word, a.Bits) &^ (uint64(Mask(u.N)) << u.Lo)
	buildBits(a.Bits, u.Word.Field, to)
	if cond, message := a.idCheck(); cond != nil {
		to.Check(cond, message, rule)
	}
	if u.Closed && free != 0 {
		to.Check(without(u.Word.Field, free), "bits are set that have no meaning here", rule)
	}
	buildChecks(u.Word.Checks, rule, to)
	if slices.ContainsFunc(a.Bits, func(b *Bit) bool { return b.Field.Redundant != nil }) {
		to.Place(Place{u.Word.Field, true}, rule)
	}
}

// written reports whether some arm of a union is written as something else.
func (u *Union) written() bool {
	for _, a := range u.Arms {
		if len(a.Writes) > 0 {
			return true
		}
	}
	return false
}

// buildForms makes the steps of the row that is there.
func buildForms(n *Forms, to Builder) {
	first := n.Rows[0]
	rule := to.Rule(first.Pos, n.Field.Name, first.Doc)
	if n.Check != nil {
		to.Check(n.Check.Cond, n.Check.Message, rule)
	}
	n.choose(n.Rows, rule, to, func(row *Row) { buildRow(row, to) })
}

// choose makes the steps of the first form whose condition holds. Without forms the fields are absent.
func (n *Forms) choose(rows []*Row, rule int, to Builder, steps func(*Row)) {
	switch {
	case len(rows) == 0:
		first := n.Rows[0]
		for _, f := range n.Absent() {
			pos, doc := first.Pos, first.Doc
			if i := slices.IndexFunc(first.Bits, func(b *Bit) bool { return b.Field == f }); i >= 0 {
				pos, doc = first.Bits[i].Pos, first.Bits[i].Doc
			}
			to.Absent(f, to.Rule(pos, f.Name, doc))
		}
	case len(rows) == 1 && n.Total:
		steps(rows[0])
	default:
		to.Either(rows[0].When, rule, func() { steps(rows[0]) }, func() { n.choose(rows[1:], rule, to, steps) })
	}
}

// buildBranch makes the steps of a branch. A field that only the other one has is absent.
func buildBranch(body []Node, absent []*Field, pos dsl.Pos, to Builder) {
	Build(body, to)
	for _, f := range absent {
		to.Absent(f, to.Rule(pos, f.Name, ""))
	}
}

// measured makes steps whose size is in a word before them, if it is in one.
func measured(f *Field, rule int, to Builder, steps func()) {
	if f.Measured != nil {
		to.Mark(f, rule)
	}
	steps()
	if f.Measured == nil {
		return
	}
	to.Size(f, rule)
	row := f.Measured.Node.(*Row)
	if n := row.Field.Forms; n == nil {
		to.Patch(f, row, rule)
	} else {
		n.choose(n.Rows, rule, to, func(word *Row) { to.Patch(f, word, rule) })
	}
	for _, bit := range row.Bits {
		if bit.Field.Measures != nil && bit.Kept() {
			to.Complete(bit.Field, bit.of(row.Field), to.Rule(bit.Pos, bit.Field.Name, bit.Doc))
		}
	}
}

func buildRow(row *Row, to Builder) {
	f := row.Field
	rule := to.Rule(row.Pos, f.Name, row.Doc)
	checks, after := row.demands()
	content := func() {
		switch {
		case row.Inline != nil:
			buildInline(row, rule, to)
		case row.Type.InPlace:
			inner := to.Inside(f, row.Type, rule)
			Build(row.Type.Record.Body, inner)
			BuildEnd(row.Type.Record, inner)
		case row.Words != nil:
			for _, word := range row.Words {
				buildWord(word, rule, to)
				buildChecks(word.Checks, rule, to)
			}
		case row.Kept():
			buildWord(row, rule, to)
		default:
			to.Value(row, rule)
		}
		for _, m := range row.Members {
			to.Member(row, m, rule)
		}
		buildChecks(checks, rule, to)
	}
	atPlace(f, row, rule, to, func() {
		bounded(f, row, row.Pad, row.Words == nil && row.Type.sized(), rule, to, content)
		buildChecks(after, rule, to)
	})
}

// demands returns the conditions of the row. Those in content follow its content, and those in
// after need its size and follow its padding.
func (r *Row) demands() (content, after []*Check) {
	for _, c := range r.Checks {
		if c.Cond.asks(builtin.Size, r.Field) {
			after = append(after, c)
		} else {
			content = append(content, c)
		}
	}
	return content, after
}

// asks reports whether an operation in an expression is of a field.
func (e *Expr) asks(op builtin.Op, f *Field) bool {
	return e.Op == op && e.Field == f || slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.asks(op, f) })
}

// buildInline makes the steps of a number without bytes.
func buildInline(row *Row, rule int, to Builder) {
	f, kind, scalar := row.Field, builtin.Uint, builtin.U64
	if row.Type.Scalar.Signed() {
		kind, scalar = builtin.Int, builtin.I64
	}
	if f.Index >= 0 {
		to.Expect(f, scalar, rule)
	}
	to.Let(f, row.Inline, rule)
	if f.Index >= 0 {
		to.Take(f, kind, false, rule)
	}
}

// bounded makes the steps of a row or a list, in the region of the row if it has one. Sized
// reports whether they are one step that has a size.
func bounded(f *Field, row *Row, pad *Pad, sized bool, rule int, to Builder, content func()) {
	if f.inserts() {
		inserted(f, row, pad, sized, rule, to, content)
		return
	}
	if row == nil || row.Bound == nil {
		sizedIf(f, rule, to, func() {
			measured(f, rule, to, func() { padded(pad, sized, rule, to, content) })
		})
		return
	}
	steps := func() {
		region(row, rule, to, func() { measured(f, rule, to, content) })
	}
	if f.Bytes == nil {
		padded(pad, false, rule, to, steps)
		return
	}
	to.Sized(f.Bytes, rule, steps)
	if row.Stated {
		to.Check(binary(builtin.Eq, &Expr{Op: builtin.Ref, Field: f.Bytes}, row.Bound), f.Name+" does not have the length in its length cell", rule)
	}
	to.Pad(pad, rule)
}

// region makes steps in the region of a row.
func region(row *Row, rule int, to Builder, steps func()) {
	if row.Tail != nil {
		to.Left(row.Tail.Field, rule)
	}
	to.Enter(row.Bound, rule)
	steps()
	to.Leave(rule)
}

// inserted makes the steps of a row or a list behind a number of varying width with its size. A
// writer moves what it has written of it, so nothing else is measured across its end.
func inserted(f *Field, row *Row, pad *Pad, sized bool, rule int, to Builder, content func()) {
	bounded := row != nil && row.Bound != nil
	measured(f, rule, to, func() {
		sizedIf(f, rule, to, func() {
			if !bounded {
				padded(pad, sized, rule, to, content)
				return
			}
			region(row, rule, to, content)
		})
	})
	if bounded {
		to.Pad(pad, rule)
	}
}

// inserts reports whether a number of varying width holds the size of a row or a list.
func (f *Field) inserts() bool {
	if f.Measured == nil {
		return false
	}
	word, ok := f.Measured.Node.(*Row)
	return ok && word.Type.Coding.Varies()
}

// sizedIf makes steps, and measures them if an expression needs the size of the field.
func sizedIf(f *Field, rule int, to Builder, steps func()) {
	if f.Bytes == nil {
		steps()
		return
	}
	to.Sized(f.Bytes, rule, steps)
}

// padded makes steps and the padding after them. A builder measures the steps unless they
// are a single one that has a size.
func padded(p *Pad, sized bool, rule int, to Builder, steps func()) {
	if p == nil || sized {
		steps()
	} else {
		to.Sized(nil, rule, steps)
	}
	to.Pad(p, rule)
}

// sized reports whether a row of the type is one step that has a size.
func (t *Type) sized() bool {
	switch t.Form {
	case Text, Array, OfUnion:
		return true
	}
	return t.Form == OfRecord && !t.InPlace
}

// buildWord makes the steps of a number that is kept.
func buildWord(row *Row, rule int, to Builder) {
	f, t := row.Field, row.Type
	if len(row.Bits) > 0 {
		expectBits(row.Bits, rule, to)
	} else if f.Index >= 0 && t.Form != ArmID {
		to.Expect(f, t.Scalar, rule)
	}
	to.Word(row, rule)
	if f.Sum != nil && f.Sum.Base != nil {
		to.Note(row, rule)
	}
	if t.Form == Truth && !row.Nonzero && !row.Any {
		to.Check(binary(builtin.Le, &Expr{Op: builtin.Ref, Field: f}, &Expr{Op: builtin.Num, Num: 1}), f.Name+" is neither 0 nor 1", rule)
	}
	switch {
	case len(row.Bits) > 0:
		buildBits(row.Bits, f, to)
		if free := unused(row, row.Bits); free != 0 && !row.Rest {
			to.Check(without(f, free), "bits are set that have no meaning", to.Rule(row.Pos, f.Name, ""))
		}
	case f.Index < 0:
	case t.Form == ArmID:
		to.TakeArm(f, t.Union, rule)
	case t.Scalar.Signed():
		to.Take(f, builtin.Int, row.Wide, rule)
	default:
		to.Take(f, builtin.Uint, row.Wide, rule)
	}
}

// expectBits makes the steps by which a writer refuses the values of bits that are not
// numbers or truths. The word says whether a number fits its bits.
func expectBits(bits []*Bit, rule int, to Builder) {
	for _, bit := range bits {
		switch {
		case bit.Field.Index < 0 || bit.Field.ArmOf != nil:
		case bit.N == 1:
			to.Expect(bit.Field, builtin.NoScalar, rule)
		case bit.Signed:
			to.Expect(bit.Field, builtin.I64, rule)
		default:
			to.Expect(bit.Field, builtin.U64, rule)
		}
	}
}

// buildBits makes the steps that bring bits of a word to their fields.
func buildBits(bits []*Bit, word *Field, to Builder) {
	for _, bit := range bits {
		f := bit.Field
		rule := to.Rule(bit.Pos, f.Name, bit.Doc)
		if bit.Kept() {
			to.Let(f, bit.of(word), rule)
		}
		buildChecks(bit.Checks, rule, to)
		switch {
		case f.Index < 0:
		case f.ArmOf != nil:
			to.TakeArm(f, f.ArmOf, rule)
		case bit.N == 1:
			to.Take(f, builtin.Bool, false, rule)
		case bit.Signed:
			to.Take(f, builtin.Int, false, rule)
		default:
			to.Take(f, builtin.Uint, false, rule)
		}
	}
}

// of returns the number in bits of a word.
func (b *Bit) of(word *Field) *Expr {
	x := &Expr{Op: builtin.Ref, Field: word}
	if b.Lo > 0 {
		x = binary(builtin.Shr, x, &Expr{Op: builtin.Num, Num: int64(b.Lo)})
	}
	x = binary(builtin.And, x, &Expr{Op: builtin.Num, Num: Mask(b.N)})
	if half := b.half(); half != 0 {
		sign := &Expr{Op: builtin.Num, Num: half}
		x = binary(builtin.Sub, binary(builtin.Xor, x, sign), sign)
	}
	return x
}

// half returns the number of the highest bit, which is the sign. It returns 0 for unsigned bits, and for all bits of a
// word of 64, whose sign is that of the word.
func (b *Bit) half() int64 {
	if !b.Signed || b.N == 64 {
		return 0
	}
	return 1 << (b.N - 1)
}

// buildChecks makes the steps of the conditions of a row or of bits.
func buildChecks(checks []*Check, rule int, to Builder) {
	for _, c := range checks {
		to.Check(c.Cond, c.Message, rule)
	}
}

// unused returns the bits of a word that none of some fields has.
func unused(word *Row, bits []*Bit) uint64 {
	free := uint64(Mask(8 * word.Type.Scalar.Width()))
	for _, bit := range bits {
		free &^= uint64(Mask(bit.N)) << bit.Lo
	}
	return free
}

// without returns the condition that some bits of a word are zero.
func without(word *Field, bits uint64) *Expr {
	x := binary(builtin.And, &Expr{Op: builtin.Ref, Field: word}, &Expr{Op: builtin.Num, Num: int64(bits)})
	return &Expr{Op: builtin.Not, Args: []*Expr{x}}
}
