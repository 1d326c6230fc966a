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
		value = b.add(signed(b.join(nil, row.Bits), row.Type.Scalar))
	case f.Measures != nil:
		s := sizes{place: b.newReg(), size: b.newReg()}
		b.size[f] = s
		place = s.place
	default:
		value = b.add(b.written(f))
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
	b.emit(bytecode.Mark, rule, b.size[f.Measured].size)
}

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, rule int) {
	word := f.Measured
	s := b.size[word]
	b.emit(bytecode.Size, rule, s.size, s.size)
	b.selected(word.Node.(*schema.Row).Type, rule, func(scalar uint32) {
		b.emit(bytecode.Patch, rule, scalar, s.place, b.add(b.written(word)), b.reg(word))
	})
}

// join adds bits to those that a writer has computed before, which are nil at first.
func (b *body) join(all *bytecode.Expr, bits []*schema.Bit) *bytecode.Expr {
	for _, bit := range bits {
		e := fit(b.written(bit.Field), bit.N)
		if bit.Lo > 0 {
			e = apply(builtin.Shl, e, bytecode.Num(int64(bit.Lo)))
		}
		if all == nil {
			all = e
		} else {
			all = apply(builtin.Add, all, e)
		}
	}
	if all == nil {
		return bytecode.Num(0)
	}
	return all
}

// signed brings an unsigned word into the range of a signed scalar.
func signed(e *bytecode.Expr, s builtin.Scalar) *bytecode.Expr {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return e
	}
	half := bytecode.Num(1 << (bits - 1))
	return apply(builtin.Sub, apply(builtin.Xor, e, half), half.Clone())
}
