// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package compile

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// word makes a number that is kept in a register.
func (b *body) word(row *schema.Row, rule uint32) {
	f, reg := row.Field, b.reg(row.Field)
	if f.Measures != nil {
		s := sizes{place: b.newReg(), size: b.newReg()}
		b.size[f] = s
		b.selected(row.Type, rule, func(scalar uint32) {
			b.emit(bytecode.Word, rule, scalar, reg, bytecode.None, s.place)
		})
		return
	}
	b.selected(row.Type, rule, func(scalar uint32) {
		b.emit(bytecode.Word, rule, scalar, reg, b.add(b.written(f)), bytecode.None)
	})
}

// selected emits an instruction for the scalar of a type, as numbers does, without a mark.
func (b *body) selected(t *schema.Type, rule uint32, emit func(scalar uint32)) {
	b.numbers(t, false, rule, func(scalar uint32) { emit(scalar &^ bytecode.FlagWide) })
}

// mark notes the beginning of a row whose size is in a word before it.
func (b *body) mark(f *schema.Field, rule uint32) {
	if f.Measured != nil {
		b.emit(bytecode.Mark, rule, b.size[f.Measured].size)
	}
}

// patch puts the size of a row into the word before it.
func (b *body) patch(f *schema.Field, rule uint32) {
	word := f.Measured
	if word == nil {
		return
	}
	s := b.size[word]
	b.emit(bytecode.Size, rule, s.size, s.size)
	b.selected(word.Node.(*schema.Row).Type, rule, func(scalar uint32) {
		b.emit(bytecode.Patch, rule, scalar, s.place, b.add(b.written(word)), b.reg(word))
	})
}

// bits makes a word that is made of fields.
func (b *body) bits(row *schema.Row, rule uint32) {
	f, scalar := row.Field, row.Type.Scalar
	var all *bytecode.Expr
	for _, bit := range row.Bits {
		all = b.join(all, bit)
	}
	if all == nil {
		all = bytecode.Num(0)
	}
	b.emit(bytecode.Word, rule, uint32(scalar), b.reg(f), b.add(signed(all, scalar)), bytecode.None)
	b.takeBits(row.Bits, b.reg(f))
	if free := free(row); free != 0 && row.Closed {
		pos := row.Pos
		if row.RestAt.Line > 0 {
			pos = row.RestAt
		}
		b.refuse(b.at(pos, f.Name, ""), b.add(without(b.reg(f), free)), "bits are set that have no meaning")
	}
}

// free returns the bits of a word that no field has.
func free(row *schema.Row) uint64 {
	free := uint64(mask(8 * row.Type.Scalar.Width()))
	for _, bit := range row.Bits {
		free &^= uint64(mask(bit.N)) << bit.Lo
	}
	return free
}

// mask returns the number whose lowest bits are set, and no others.
func mask(bits int) int64 {
	if bits >= 64 {
		return -1
	}
	return 1<<bits - 1
}

// join adds bits to those that a writer has computed before, which are nil at first.
func (b *body) join(before *bytecode.Expr, bit *schema.Bit) *bytecode.Expr {
	e := apply(builtin.Shl, fit(b.written(bit.Field), bit.N), bytecode.Num(int64(bit.Lo)))
	if before == nil {
		return e
	}
	return apply(builtin.Add, before, e)
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

// without returns the condition that some bits of a register are zero.
func without(reg uint32, bits uint64) *bytecode.Expr {
	return apply(builtin.Not, apply(builtin.And, bytecode.Reg(int(reg)), bytecode.Num(int64(bits))))
}

// takeBits brings the bits of a word to their registers and cells.
func (b *body) takeBits(bits []*schema.Bit, word uint32) {
	for _, bit := range bits {
		f := bit.Field
		rule := b.at(bit.Pos, f.Name, bit.Doc)
		if bit.Kept() {
			e := bytecode.Reg(int(word))
			if bit.Lo > 0 {
				e = apply(builtin.Shr, e, bytecode.Num(int64(bit.Lo)))
			}
			b.emit(bytecode.Let, rule, b.reg(f), b.add(apply(builtin.And, e, bytecode.Num(mask(bit.N)))))
		}
		b.musts(f, bit.Must, rule, bit.Doc)
		if stored(f) {
			how := uint32(bytecode.TakeUint)
			if bit.N == 1 {
				how = bytecode.TakeBool
			}
			b.emit(bytecode.Take, rule, b.cellOf(f), b.reg(f), how)
		}
	}
}
