// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package model

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// word makes a number that is kept in a register.
func (b *body) word(row *schema.Row, rule int) {
	f := row.Field
	s := Stmt{Reg: b.reg(f), Place: -1}
	if f.Measures != nil {
		kept := sizes{place: b.newReg(), size: b.newReg()}
		b.size[f] = kept
		s.Place = kept.place
		b.known[kept.place] = inMemory
	} else {
		s.Expr = b.written(f)
	}
	b.numbers(row.Type, false, rule, func(scalar bytecode.Scalar, _ bool) {
		s.Scalar = scalar
		b.emit(bytecode.Word, rule, s)
		b.read(s.Reg, scalar)
	})
}

// mark notes where a row begins whose size is in a word before it.
func (b *body) mark(f *schema.Field, rule int) {
	if f.Measured != nil {
		reg := b.size[f.Measured].size
		b.emit(bytecode.Mark, rule, Stmt{Reg: reg})
		b.known[reg] = inMemory
	}
}

// patch puts the size of a row into the word before it.
func (b *body) patch(f *schema.Field, rule int) {
	word := f.Measured
	if word == nil {
		return
	}
	kept := b.size[word]
	b.emit(bytecode.Size, rule, Stmt{Reg: kept.size, Place: kept.size})
	b.known[kept.size] = inMemory
	reg := b.reg(word)
	b.numbers(word.Node.(*schema.Row).Type, false, rule, func(scalar bytecode.Scalar, _ bool) {
		b.emit(bytecode.Patch, rule, Stmt{Scalar: scalar, Place: kept.place, Expr: b.written(word), Reg: reg})
		b.read(reg, scalar)
	})
}

// bits makes a word that is made of fields.
func (b *body) bits(row *schema.Row, rule int) {
	f, scalar := row.Field, row.Type.Scalar
	all := num(0)
	for i, bit := range row.Bits {
		if e := b.shifted(bit); i == 0 {
			all = e
		} else {
			all = apply(builtin.Add, all, e)
		}
	}
	reg := b.reg(f)
	b.emit(bytecode.Word, rule, Stmt{Scalar: scalar, Reg: reg, Expr: signed(all, scalar), Place: -1})
	b.read(reg, scalar)
	b.takeBits(row.Bits, reg)
	free := uint64(mask(8 * scalar.Width()))
	for _, bit := range row.Bits {
		free &^= uint64(mask(bit.N)) << bit.Lo
	}
	if free != 0 && row.Closed {
		pos := row.Pos
		if row.RestAt.Line > 0 {
			pos = row.RestAt
		}
		b.refuse(b.at(pos, f.Name, ""), b.without(reg, free), "bits are set that have no meaning")
	}
}

// mask returns the number whose lowest bits are set, and no others.
func mask(bits int) int64 {
	if bits >= 64 {
		return -1
	}
	return 1<<bits - 1
}

// shifted returns the number that a writer puts into bits, at their place in the word.
func (b *body) shifted(bit *schema.Bit) *Expr {
	fit := (&Expr{Op: bytecode.ExprFit, Num: int64(bit.N), Args: []*Expr{b.written(bit.Field)}}).finish()
	return apply(builtin.Shl, fit, num(int64(bit.Lo)))
}

// signed brings an unsigned word into the range of a signed scalar.
func signed(e *Expr, s bytecode.Scalar) *Expr {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return e
	}
	half := int64(1) << (bits - 1)
	return apply(builtin.Sub, apply(builtin.Xor, e, num(half)), num(half))
}

// without returns the condition that a register has none of some bits.
func (b *body) without(reg int, bits uint64) *Expr {
	return apply(builtin.Not, apply(builtin.And, b.register(reg), num(int64(bits))))
}

// takeBits brings the bits of a word to their registers and cells.
func (b *body) takeBits(bits []*schema.Bit, word int) {
	for _, bit := range bits {
		f := bit.Field
		rule := b.at(bit.Pos, f.Name, bit.Doc)
		if bit.Kept() {
			e := apply(builtin.Shr, b.register(word), num(int64(bit.Lo)))
			b.let(rule, b.reg(f), apply(builtin.And, e, num(mask(bit.N))))
		}
		b.musts(f, bit.Must, rule, bit.Doc)
		if stored(f) {
			take := bytecode.TakeUint
			if bit.N == 1 {
				take = bytecode.TakeBool
			}
			b.emit(bytecode.Take, rule, Stmt{Cell: b.cellOf(f), Reg: b.reg(f), Take: take})
		}
	}
}
