// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Expect makes a writer refuse a value that is not of a kind.
func (b *body) Expect(f *schema.Field, s builtin.Scalar, rule int) {
	flags := uint32(0)
	if s == builtin.NoScalar {
		s, flags = builtin.U8, bytecode.ExpectTruth
	}
	b.emit(bytecode.Expect, rule, uint32(s), b.cellOf(f), flags)
}

// Word makes a number that is kept in a register.
func (b *body) Word(row *schema.Row, rule int) {
	f, reg := row.Field, b.reg(row.Field)
	value, place := uint32(bytecode.None), uint32(bytecode.None)
	switch {
	case len(row.Bits) > 0 && f.Measures != nil:
		value = b.add(schema.Begun(row, terms{b}))
		b.emit(bytecode.Mark, rule, uint32(b.slots.Sizes(f).Place))
	case f.Measures != nil:
		place = uint32(b.slots.Sizes(f).Place)
	case f.Sum != nil && f.Sum.Base != nil: // settle puts the number there
		value = b.add(bytecode.Num(0))
	case f.Sum != nil:
		place = uint32(b.slots.Kept(f))
	case f.PlaceOf != nil:
		number := b.slots.New()
		b.emit(bytecode.Choose, rule, uint32(b.slots.Kept(f)), uint32(number))
		value = b.add(bytecode.Reg(number))
	default:
		value = b.add(schema.Written(f, terms{b}))
	}
	b.selected(row.Type, rule, func(scalar uint32) { b.emit(bytecode.Word, rule, scalar, reg, value, place) })
}

// selected emits an instruction for the scalar of a type, as numbers does, without a mark.
func (b *body) selected(t *schema.Type, rule int, emit func(scalar uint32)) {
	b.numbers(t, false, rule, func(scalar uint32) { emit(scalar &^ bytecode.FlagWide) })
}

// Let makes a number that follows from others.
func (b *body) Let(f *schema.Field, value *schema.Expr, rule int) {
	expr := b.expr(value)
	b.emit(bytecode.Let, rule, b.reg(f), expr)
	if _, row := f.Node.(*schema.Row); row {
		b.width = 0 // its form has no bytes
	}
}

// Take makes the number of a field a value.
func (b *body) Take(f *schema.Field, kind builtin.Kind, wide bool, rule int) {
	b.emit(bytecode.Take, rule, b.cellOf(f), b.reg(f), bytecode.Taking(kind, wide))
}

// TakeArm makes the number of a field an arm.
func (b *body) TakeArm(f *schema.Field, u *schema.Union, rule int) {
	b.emit(bytecode.ArmRef, rule, b.cellOf(f), b.reg(f), b.union(u), b.width)
}

// Mark notes the beginning of a row whose size is in a word before it.
func (b *body) Mark(f *schema.Field, rule int) {
	b.emit(bytecode.Mark, rule, uint32(b.slots.Sizes(f.Measured).Size))
}

// Size takes the size of a row that is in a word before it.
func (b *body) Size(f *schema.Field, rule int) {
	reg := uint32(b.slots.Sizes(f.Measured).Size)
	b.emit(bytecode.Size, rule, reg, reg)
}

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, row *schema.Row, rule int) {
	word := f.Measured
	b.selected(row.Type, rule, func(scalar uint32) {
		b.emit(bytecode.Patch, rule, scalar, uint32(b.slots.Sizes(word).Place), b.add(schema.Written(word, terms{b})), b.reg(word))
	})
}

// Complete makes the number of bits that hold a size.
func (b *body) Complete(f *schema.Field, value *schema.Expr, rule int) { b.Let(f, value, rule) }

// Place notes the offset at which a checksum begins or ends.
func (b *body) Place(p schema.Place, rule int) {
	b.emit(bytecode.Mark, rule, uint32(b.slots.Kept(p)))
}

// Verify makes a reader compare a redundant number.
func (b *body) Verify(f *schema.Field, rule int) {
	r := f.Redundant
	b.emit(bytecode.Compare, rule, b.reg(f), b.add(schema.Expected(f, terms{b})), uint32(b.slots.Kept(r.At)), bytecode.CompareValue|uint32(r.Back)<<1)
}

// Note notes a number that holds the checksum of a whole record.
func (b *body) Note(row *schema.Row, rule int) {
	f := row.Field
	b.selected(row.Type, rule, func(scalar uint32) {
		b.emit(bytecode.Note, rule, scalar, b.text(f.Sum.Base.BaseName()), b.reg(f))
	})
}

// Total computes the checksum of a whole record. A reader compares it with the numbers that are noted for it, and a
// writer puts it there.
func (b *body) Total(f *schema.Field, rule int) {
	flags := uint32(0)
	if f.Node.(*schema.Row).Any {
		flags = bytecode.SettleAny
	}
	b.emit(bytecode.Total, rule, uint32(b.slots.Kept(f.Sum)), uint32(f.Sum.Of), uint32(f.Sum.With))
	b.selected(f.Node.(*schema.Row).Type, rule, func(scalar uint32) {
		b.emit(bytecode.Settle, rule, scalar, b.add(schema.Written(f, terms{b})), flags)
	})
}

// Sum computes a checksum, which a reader compares with its word and a writer puts there.
func (b *body) Sum(step *schema.SumStep, rule int) {
	f, flags := step.Field, uint32(0)
	if !step.Verify {
		flags |= bytecode.SumWrite
	}
	if !step.Patch {
		flags |= bytecode.SumRead
	}
	var args []uint32
	for _, p := range f.Sum.Parts() {
		args = append(args, b.add(bytecode.Reg(b.slots.Kept(p.From))), b.add(bytecode.Reg(b.slots.Kept(p.To))), b.add(bytecode.Num(int64(p.With))))
	}
	b.p.Args = append(b.p.Args, args)
	if hole := f.Sum.Hole; hole != nil {
		b.emit(bytecode.Holes, rule, b.text(hole.Sum.Base.BaseName()), uint32(f.Sum.With))
	}
	b.emit(bytecode.Sum, rule, uint32(b.slots.Kept(f.Sum)), uint32(f.Sum.Of), uint32(len(b.p.Args)-1), flags)
	if step.Verify {
		b.emit(bytecode.Compare, rule, b.reg(f), b.add(schema.Written(f, terms{b})), uint32(b.slots.Kept(schema.Place{Field: f})))
	}
	if step.Patch {
		b.selected(step.Row.Type, rule, func(scalar uint32) {
			b.emit(bytecode.Patch, rule, scalar, uint32(b.slots.Kept(f)), b.add(schema.Written(f, terms{b})), b.reg(f))
		})
	}
}
