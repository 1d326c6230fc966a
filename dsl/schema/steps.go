// Steps: what a reader does with a record, in order.

package schema

import (
	"cmp"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Builder receives the steps of a record, in the order in which a reader takes them. A
// rule is a number that the builder has given to a place in the schema.
type Builder interface {
	Rule(pos dsl.Pos, name, doc string) int // of a place; name is that of a field, or ""
	Inside(f *Field, rec *Record) Builder   // for the rows of a record in place of a row

	Word(row *Row, rule int)                    // a number that the reader keeps, as one or as bits
	Let(f *Field, value *Expr, rule int)        // a number that follows from others
	Take(f *Field, kind builtin.Kind, rule int) // the number of the field is a value: Bool, Uint or Int
	TakeArm(f *Field, u *Union, rule int)       // the number of the field is an arm
	Value(row *Row, rule int)                   // a value that is not kept as a number
	List(list *List, rule int)
	Absent(f *Field, rule int) // the field has no value

	Either(cond *Expr, rule int, then, other func())
	Check(cond *Expr, message string, rule int)
	Require(g *Gate, rule int)
	Enter(size *Expr, rule int)   // a region begins
	Leave(rule int)               // and ends
	Sized(rule int, steps func()) // steps of which padding that follows takes the size
	Pad(p *Pad, rule int)         // p may be nil

	Mark(f *Field, rule int)  // the row or list begins whose size is in the word f.Measured
	Patch(f *Field, rule int) // and ends

	Subst(f *Field, rule int) // a writer may put another arm in place of the field's
	Header(a *Arm, rule int)  // a writer writes the word of the arm's union
}

// Build gives a builder the steps of a body.
func Build(body []Node, to Builder) {
	for _, n := range body {
		switch n := n.(type) {
		case *Row:
			if n.Same == nil {
				buildRow(n, to)
			}
		case *Forms:
			buildForms(n, to)
		case *List:
			f, rule := n.Field, to.Rule(n.Pos, n.Field.Name, n.Doc)
			measured(f, rule, to, func() {
				padded(n.Pad, true, rule, to, func() { to.List(n, rule) })
			})
		case *Region:
			rule := to.Rule(n.Pos, "region", "")
			padded(n.Pad, false, rule, to, func() {
				to.Enter(n.Size, rule)
				Build(n.Body, to)
				to.Leave(rule)
			})
		case *If:
			to.Either(n.Cond, to.Rule(n.Pos, "", ""), func() { buildBranch(n.Then, n.Absent[0], n.Pos, to) },
				func() { buildBranch(n.Else, n.Absent[1], n.Pos, to) })
		case *Let:
			to.Let(n.Field, n.Value, to.Rule(n.Pos, n.Field.Name, ""))
		case *Refuse:
			to.Check(&Expr{Op: builtin.Num, Pos: n.Pos}, n.Reason, to.Rule(n.Pos, "", ""))
		case *Require:
			to.Require(n.Gate, to.Rule(n.Pos, "", ""))
		}
	}
}

// BuildArm gives a builder the steps before the rows of an arm: those that write the
// word of its union, and that take the arm's bits from it.
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
	to.Header(a, rule)
	free := unused(u.Word, a.Bits) &^ (uint64(Mask(u.N)) << u.Lo)
	buildBits(a.Bits, u.Word.Field, to)
	if u.Closed && free != 0 {
		to.Check(without(u.Word.Field, free), "bits are set that have no meaning here", rule)
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

// buildForms makes the steps of the first row whose condition holds. A field that only
// other rows have is absent.
func buildForms(n *Forms, to Builder) {
	first := n.Rows[0]
	rule := to.Rule(first.Pos, n.Field.Name, first.Doc)
	absent := func(row *Row) {
		for _, f := range n.Absent(row) {
			to.Absent(f, to.Rule(first.Pos, f.Name, first.Doc))
		}
	}
	row := func(row *Row) {
		buildRow(row, to)
		absent(row)
	}
	var form func(rows []*Row)
	form = func(rows []*Row) {
		switch {
		case len(rows) == 0:
			absent(nil)
		case len(rows) == 1 && n.Total:
			row(rows[0])
		default:
			to.Either(rows[0].When, rule, func() { row(rows[0]) }, func() { form(rows[1:]) })
		}
	}
	form(n.Rows)
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
	if f.Measured != nil {
		to.Patch(f, rule)
	}
}

func buildRow(row *Row, to Builder) {
	f := row.Field
	rule := to.Rule(row.Pos, f.Name, row.Doc)
	measured(f, rule, to, func() {
		padded(row.Pad, row.Type.sized(), rule, to, func() {
			switch {
			case row.Type.InPlace:
				Build(row.Type.Record.Body, to.Inside(f, row.Type.Record))
			case row.Kept():
				buildWord(row, rule, to)
			default:
				to.Value(row, rule)
			}
			buildChecks(f, row.Checks, row.Doc, rule, to)
		})
	})
}

// padded makes steps and the padding after them. A builder measures the steps unless they
// are a single one that has a size.
func padded(p *Pad, sized bool, rule int, to Builder, steps func()) {
	if p == nil || sized {
		steps()
	} else {
		to.Sized(rule, steps)
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
	to.Word(row, rule)
	if t.Form == Truth && !row.Nonzero && !row.Any {
		to.Check(binary(builtin.Le, &Expr{Op: builtin.Ref, Field: f}, &Expr{Op: builtin.Num, Num: 1}), f.Name+" is neither 0 nor 1", rule)
	}
	switch {
	case len(row.Bits) > 0:
		buildBits(row.Bits, f, to)
		if free := unused(row, row.Bits); free != 0 && row.Closed {
			pos := row.Pos
			if row.RestAt.Line > 0 {
				pos = row.RestAt
			}
			to.Check(without(f, free), "bits are set that have no meaning", to.Rule(pos, f.Name, ""))
		}
	case f.Index < 0:
	case t.Form == ArmID:
		to.TakeArm(f, t.Union, rule)
	case t.Scalar.Signed():
		to.Take(f, builtin.Int, rule)
	default:
		to.Take(f, builtin.Uint, rule)
	}
}

// buildBits makes the steps that bring bits of a word to their fields.
func buildBits(bits []*Bit, word *Field, to Builder) {
	for _, bit := range bits {
		f := bit.Field
		rule := to.Rule(bit.Pos, f.Name, bit.Doc)
		if bit.Kept() {
			x := &Expr{Op: builtin.Ref, Field: word}
			if bit.Lo > 0 {
				x = binary(builtin.Shr, x, &Expr{Op: builtin.Num, Num: int64(bit.Lo)})
			}
			to.Let(f, binary(builtin.And, x, &Expr{Op: builtin.Num, Num: Mask(bit.N)}), rule)
		}
		buildChecks(f, bit.Checks, bit.Doc, rule, to)
		switch {
		case f.Index < 0:
		case bit.N == 1:
			to.Take(f, builtin.Bool, rule)
		default:
			to.Take(f, builtin.Uint, rule)
		}
	}
}

// buildChecks makes the steps of the conditions of a row or of bits.
func buildChecks(f *Field, checks []*Check, doc string, rule int, to Builder) {
	for _, c := range checks {
		to.Check(c.Cond, cmp.Or(c.Message, doc, f.Name+" has a number that is not allowed"), rule)
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
