// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package model

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Expect makes a writer refuse a value that is not of a kind.
func (b *body) Expect(f *schema.Field, s builtin.Scalar, rule int) {
	b.emit(OpExpect, rule, Stmt{Scalar: s, Cell: b.slots.Cell(f)})
}

// Word makes a number that is kept in a register.
func (b *body) Word(row *schema.Row, rule int) {
	f := row.Field
	s := Stmt{Reg: b.slots.Reg(f), Place: -1, Coding: row.Type.Coding, Longer: row.Type.Longer}
	switch {
	case len(row.Bits) > 0 && f.Measures != nil:
		place := b.slots.Sizes(f).Place
		b.known[place] = inMemory
		b.emit(OpMark, rule, Stmt{Reg: place})
		s.Expr = schema.Begun(row, terms{b})
	case f.Measures != nil:
		s.Place = b.slots.Sizes(f).Place
		b.known[s.Place] = inMemory
	case f.Sum != nil && f.Sum.Base != nil: // OpTotal puts the number there
		s.Expr = terms{b}.Num(0)
	case f.Sum != nil:
		s.Place = b.slots.Kept(f)
		b.known[s.Place] = inMemory
	case f.PlaceOf != nil:
		place := b.slots.Kept(f)
		b.known[place] = inMemory
		b.emit(OpChoose, rule, Stmt{Reg: place})
		s.Expr = (&Expr{Op: ExprChosen, Args: []*Expr{terms{b}.register(place)}}).finish()
	default:
		s.Expr = schema.Written(f, terms{b})
	}
	b.numbers(row.Type, false, rule, func(n number) {
		s.Scalar, s.Swapped = n.scalar, n.swapped
		b.emit(OpWord, rule, s)
		b.read(s.Reg, n.scalar)
	})
}

// Let makes a number that follows from others.
func (b *body) Let(f *schema.Field, value *schema.Expr, rule int) {
	e := b.expr(value)
	reg := b.slots.Reg(f)
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: e})
	b.known[reg] = bound{e.Min, e.Max}
	if _, row := f.Node.(*schema.Row); row {
		b.width = 0 // its form has no bytes
	}
}

// Member makes a number in the value of a row.
func (b *body) Member(row *schema.Row, m *schema.Member, rule int) {
	reg, e := b.slots.Reg(m.Field), terms{b}.cell(ExprMember, row.Field)
	e.Place = m.Index
	b.known[reg] = anything
	switch n := m.Of.Node.(type) {
	case *schema.Bit:
		if b.known[reg] = (bound{0, 1<<min(n.N, 62) - 1}); n.Signed {
			b.known[reg] = bound{-1 << (n.N - 1), 1<<(n.N-1) - 1}
		}
	case *schema.Row:
		if t := n.Type; t.Form == schema.Number && t.Option == nil {
			lo, hi := ScalarBounds(t.Scalar)
			b.known[reg] = bound{lo, hi}
		} else if t.Form == schema.Truth {
			b.known[reg] = bound{0, 1}
		}
	}
	e.Min, e.Max = b.known[reg].lo, b.known[reg].hi
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: e})
}

// More makes the number that says whether bytes are left.
func (b *body) More(m *schema.More, rule int) {
	reg := b.slots.Reg(m.Field)
	b.known[reg] = bound{0, 1}
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: terms{b}.cell(ExprMore, m.Of)})
}

// Left makes the number of bytes that are left.
func (b *body) Left(f *schema.Field, rule int) {
	reg := b.slots.Reg(f)
	b.known[reg] = inMemory
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: &Expr{Op: ExprLeft, Min: inMemory.lo, Max: inMemory.hi}})
}

// Take makes the number of a field a value.
func (b *body) Take(f *schema.Field, kind builtin.Kind, wide bool, rule int) {
	b.emit(OpTake, rule, Stmt{Cell: b.slots.Cell(f), Reg: b.slots.Reg(f), Take: kind, Wide: wide})
}

// TakeArm makes the number of a field an arm.
func (b *body) TakeArm(f *schema.Field, u *schema.Union, rule int) {
	b.emit(OpArmRef, rule, Stmt{Cell: b.slots.Cell(f), Reg: b.slots.Reg(f), Elem: b.union(u), Back: b.width})
}

// Mark notes the beginning of a row whose size is in a word before it.
func (b *body) Mark(f *schema.Field, rule int) {
	reg := b.slots.Sizes(f.Measured).Size
	b.emit(OpMark, rule, Stmt{Reg: reg})
	b.known[reg] = inMemory
}

// Size takes the size of a row that is in a word before it.
func (b *body) Size(f *schema.Field, rule int) {
	reg := b.slots.Sizes(f.Measured).Size
	b.emit(OpSize, rule, Stmt{Reg: reg, Place: reg})
	b.known[reg] = inMemory
}

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, row *schema.Row, rule int) {
	word, t := f.Measured, row.Type
	reg, place := b.slots.Reg(word), b.slots.Sizes(word).Place
	b.numbers(t, false, rule, func(n number) {
		b.emit(OpPatch, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Coding: t.Coding, Place: place, Expr: schema.Written(word, terms{b}), Reg: reg})
		b.read(reg, n.scalar)
	})
}

// Complete makes the number of bits that hold a size.
func (b *body) Complete(f *schema.Field, value *schema.Expr, rule int) {
	e, reg := b.expr(value), b.slots.Reg(f)
	b.emit(OpBits, rule, Stmt{Reg: reg, Expr: e})
	b.known[reg] = bound{e.Min, e.Max}
}

// Place notes the offset at which a checksum begins or ends.
func (b *body) Place(p schema.Place, rule int) {
	reg := b.slots.Kept(p)
	b.emit(OpMark, rule, Stmt{Reg: reg, OfSum: true})
	b.known[reg] = inMemory
}

// Verify makes a reader compare a redundant number.
func (b *body) Verify(f *schema.Field, rule int) {
	r := f.Redundant
	b.emit(OpCompare, rule, Stmt{Reg: b.slots.Reg(f), Expr: schema.Expected(f, terms{b}), Place: b.slots.Kept(r.At), Back: r.Back, Text: f.Name, Derived: true})
}

// Note notes a number that holds the checksum of a whole record.
func (b *body) Note(row *schema.Row, rule int) {
	f := row.Field
	b.numbers(row.Type, false, rule, func(n number) {
		b.emit(OpNote, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Coding: row.Type.Coding, Base: b.named(f.Sum.Base.BaseName()), Reg: b.slots.Reg(f), Any: row.Any})
	})
}

// Total computes the checksum of a whole record. A reader compares it with the numbers that are noted for it, and a
// writer puts it there.
func (b *body) Total(f *schema.Field, rule int) {
	row, reg := f.Node.(*schema.Row), b.slots.Kept(f.Sum)
	b.known[reg] = bound{0, 1<<builtin.Sums[f.Sum.Of].Bits - 1}
	b.numbers(row.Type, false, rule, func(n number) {
		b.emit(OpTotal, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Coding: row.Type.Coding, Reg: reg, Sum: f.Sum.Of, Fill: f.Sum.With, Any: row.Any, Expr: schema.Written(f, terms{b})})
	})
}

// Sum computes a checksum, which a reader compares with its word and a writer puts there.
func (b *body) Sum(step *schema.SumStep, rule int) {
	f := step.Field
	s := Stmt{Reg: b.slots.Kept(f.Sum), Sum: f.Sum.Of, Unread: !step.Verify, Unset: !step.Patch}
	for _, p := range f.Sum.Parts() {
		s.Parts = append(s.Parts, Part{b.slots.Kept(p.From), b.slots.Kept(p.To), p.With})
	}
	if hole := f.Sum.Hole; hole != nil {
		s.Holes, s.Base, s.Fill = true, b.named(hole.Sum.Base.BaseName()), f.Sum.With
	}
	b.emit(OpSum, rule, s)
	b.known[s.Reg] = bound{0, 1<<builtin.Sums[f.Sum.Of].Bits - 1}
	reg := b.slots.Reg(f)
	if step.Verify {
		b.emit(OpCompare, rule, Stmt{Reg: reg, Expr: schema.Written(f, terms{b}), Place: b.slots.Kept(schema.Place{Field: f}), Text: f.Name})
	}
	if step.Patch {
		b.numbers(step.Row.Type, false, rule, func(n number) {
			b.emit(OpPatch, rule, Stmt{Scalar: n.scalar, Swapped: n.swapped, Coding: step.Row.Type.Coding, Place: b.slots.Kept(f), Expr: schema.Written(f, terms{b}), Reg: reg})
			b.read(reg, n.scalar)
		})
	}
}
