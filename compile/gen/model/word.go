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
	s := Stmt{Reg: b.slots.Reg(f), Place: -1}
	switch {
	case len(row.Bits) > 0:
		s.Expr = schema.Signed(schema.Joined(row.Bits, terms{b}), row.Type.Scalar, terms{b})
	case f.Measures != nil:
		s.Place = b.slots.Measure(f).Place
		b.known[s.Place] = inMemory
	default:
		s.Expr = schema.Written(f, terms{b})
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
	reg := b.slots.Reg(f)
	b.emit(OpLet, rule, Stmt{Reg: reg, Expr: e})
	b.known[reg] = bound{e.Min, e.Max}
}

// Take makes the number of a field a value.
func (b *body) Take(f *schema.Field, kind builtin.Kind, rule int) {
	b.emit(OpTake, rule, Stmt{Cell: b.slots.Cell(f), Reg: b.slots.Reg(f), Take: kind})
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

// Patch puts the size of a row into the word before it.
func (b *body) Patch(f *schema.Field, rule int) {
	word := f.Measured
	kept := b.slots.Sizes(word)
	b.emit(OpSize, rule, Stmt{Reg: kept.Size, Place: kept.Size})
	b.known[kept.Size] = inMemory
	reg := b.slots.Reg(word)
	b.numbers(word.Node.(*schema.Row).Type, false, rule, func(scalar builtin.Scalar, _ bool) {
		b.emit(OpPatch, rule, Stmt{Scalar: scalar, Place: kept.Place, Expr: schema.Written(word, terms{b}), Reg: reg})
		b.read(reg, scalar)
	})
}
