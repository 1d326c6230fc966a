// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Word makes a number that is kept in a register.
func (b *body) Word(row *schema.Row, rule int) {
	f, reg := row.Field, b.reg(row.Field)
	value, place := uint32(bytecode.None), uint32(bytecode.None)
	switch {
	case len(row.Bits) > 0:
		value = b.add(schema.Signed(schema.Joined(row.Bits, terms{b}), row.Type.Scalar, terms{b}))
	case f.Measures != nil:
		place = uint32(b.slots.Measure(f).Place)
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
}

// Take makes the number of a field a value.
func (b *body) Take(f *schema.Field, kind builtin.Kind, rule int) {
	how := map[builtin.Kind]uint32{builtin.Bool: bytecode.TakeBool, builtin.Uint: bytecode.TakeUint, builtin.Int: bytecode.TakeInt}[kind]
	b.emit(bytecode.Take, rule, b.cellOf(f), b.reg(f), how)
}

// TakeArm makes the number of a field an arm.
func (b *body) TakeArm(f *schema.Field, u *schema.Union, rule int) {
	b.emit(bytecode.ArmRef, rule, b.cellOf(f), b.reg(f), b.union(u), b.width)
}

// Mark notes the beginning of a row whose size is in a word before it.
func (b *body) Mark(f *schema.Field, rule int) {
	b.emit(bytecode.Mark, rule, uint32(b.slots.Sizes(f.Measured).Size))
}

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, rule int) {
	word := f.Measured
	s := b.slots.Sizes(word)
	b.emit(bytecode.Size, rule, uint32(s.Size), uint32(s.Size))
	b.selected(word.Node.(*schema.Row).Type, rule, func(scalar uint32) {
		b.emit(bytecode.Patch, rule, scalar, uint32(s.Place), b.add(schema.Written(word, terms{b})), b.reg(word))
	})
}
