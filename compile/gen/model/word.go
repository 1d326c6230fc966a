// Words: numbers that are kept in a register, their bits, and words that get the size
// of a later row.

package model

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Word makes a number that is kept in a register.
func (b *body) Word(row *schema.Row, rule int) {
	f := row.Field
	s := Stmt{Reg: b.reg(f), Place: -1}
	switch {
	case len(row.Bits) > 0:
		s.Expr = signed(b.join(nil, row.Bits), row.Type.Scalar)
	case f.Measures != nil:
		kept := sizes{place: b.newReg(), size: b.newReg()}
		b.size[f] = kept
		s.Place = kept.place
		b.known[kept.place] = inMemory
	default:
		s.Expr = b.written(f)
	}
	b.numbers(row.Type, false, rule, func(scalar builtin.Scalar, _ bool) {
		s.Scalar = scalar
		b.emit(OpWord, rule, s)
		b.read(s.Reg, scalar)
	})
}

// Let makes a number that follows from others.
func (b *body) Let(f *schema.Field, value *schema.Expr, rule int) {
	e := b.expr(value)
	reg := b.reg(f)
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: e})
	b.known[reg] = bound{e.Min, e.Max}
}

// Take makes the number of a field a value.
func (b *body) Take(f *schema.Field, kind builtin.Kind, rule int) {
	b.emit(OpTake, rule, Stmt{Cell: b.cellOf(f), Reg: b.reg(f), Take: kind})
}

// TakeArm makes the number of a field an arm.
func (b *body) TakeArm(f *schema.Field, u *schema.Union, rule int) {
	b.emit(OpArmRef, rule, Stmt{Cell: b.cellOf(f), Reg: b.reg(f), Elem: b.union(u), Back: b.width})
}

// Mark notes the beginning of a row whose size is in a word before it.
func (b *body) Mark(f *schema.Field, rule int) {
	reg := b.size[f.Measured].size
	b.emit(OpMark, rule, Stmt{Reg: reg})
	b.known[reg] = inMemory
}

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, rule int) {
	word := f.Measured
	kept := b.size[word]
	b.emit(OpSize, rule, Stmt{Reg: kept.size, Place: kept.size})
	b.known[kept.size] = inMemory
	reg := b.reg(word)
	b.numbers(word.Node.(*schema.Row).Type, false, rule, func(scalar builtin.Scalar, _ bool) {
		b.emit(OpPatch, rule, Stmt{Scalar: scalar, Place: kept.place, Expr: b.written(word), Reg: reg})
		b.read(reg, scalar)
	})
}

// join adds bits to those that a writer has computed before, which are nil at first.
func (b *body) join(all *Expr, bits []*schema.Bit) *Expr {
	for _, bit := range bits {
		fit := (&Expr{Op: ExprFit, Num: int64(bit.N), Args: []*Expr{b.written(bit.Field)}}).finish()
		e := apply(builtin.Shl, fit, num(int64(bit.Lo)))
		if all == nil {
			all = e
		} else {
			all = apply(builtin.Add, all, e)
		}
	}
	if all == nil {
		return num(0)
	}
	return all
}

// signed brings an unsigned word into the range of a signed scalar.
func signed(e *Expr, s builtin.Scalar) *Expr {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return e
	}
	half := int64(1) << (bits - 1)
	return apply(builtin.Sub, apply(builtin.Xor, e, num(half)), num(half))
}
