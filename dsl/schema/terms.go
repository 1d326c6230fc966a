// Terms: the expressions of a schema in the form of those who lower it.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Terms makes expressions of a form E. To a reader, a field is a number in a
// register. In what a writer computes, the same field is the value in a cell or what
// that is computed from; see [Read] and [Computed].
type Terms[E any] interface {
	Num(n int64) E
	Reg(f *Field) E                       // the number of the field
	Size(f *Field) E                      // the bytes of a row or a list
	Ask(op builtin.Op, f *Field) E        // Count, Len, Present, Total or Last of the cell
	Equals(f *Field, literal string) E    // whether the cell is that text
	Value(f *Field) E                     // the cell as a number
	Arm(f *Field, u *Union) E             // the number of the cell's arm
	Outside(f *Field, s builtin.Scalar) E // whether the scalar cannot hold the cell
	Wide(f *Field) E                      // whether the cell was read in its wide form
	Keep(wide, declared E) E              // the first if widths are kept, else the second
	Closed(g *Gate) E
	Sum(s *Sum) E // the checksum of the rows
	Apply(op builtin.Op, args ...E) E
	Fit(x E, bits int) E // x, which must have at most some bits
}

// Read returns an expression of the numbers that were read or written so far.
func Read[E any](e *Expr, to Terms[E]) E { return express(e, reading, to) }

// Computed returns an expression of the fields of the value that is written.
func Computed[E any](e *Expr, to Terms[E]) E { return express(e, writing, to) }

// Expected returns the number that a reader expects of a redundant field, after the record. A writer computes it from
// the values and the computed numbers that were read.
func Expected[E any](f *Field, to Terms[E]) E { return express(f.Derive, verifying, to) }

// Written returns the number that a writer puts into a word or into bits.
func Written[E any](f *Field, to Terms[E]) E {
	if row, ok := f.Node.(*Row); ok && (len(row.Bits) > 0 || row.Rest) {
		return Signed(Joined(row.Bits, to), row.Type.Scalar, to)
	}
	if f.Derive != nil {
		return Computed(f.Derive, to)
	}
	return value(f, to)
}

// Begun returns the word of bits that a writer writes before a row whose size is in some of them.
// These bits are 0.
func Begun[E any](row *Row, to Terms[E]) E {
	bits := slices.DeleteFunc(slices.Clone(row.Bits), func(b *Bit) bool { return b.Field.Measures != nil })
	return Signed(Joined(bits, to), row.Type.Scalar, to)
}

// Joined returns the word that a writer computes from bits. It adds them to a number, if one
// is given.
func Joined[E any](bits []*Bit, to Terms[E], number ...E) E {
	parts := number
	for _, bit := range bits {
		x := Written(bit.Field, to)
		if half := bit.half(); half == 0 {
			x = to.Fit(x, bit.N)
		} else { // from 0, as the bits of an unsigned number
			x = to.Apply(builtin.Xor, to.Fit(to.Apply(builtin.Add, x, to.Num(half)), bit.N), to.Num(half))
		}
		if bit.Lo > 0 {
			x = to.Apply(builtin.Shl, x, to.Num(int64(bit.Lo)))
		}
		parts = append(parts, x)
	}
	if len(parts) == 0 {
		return to.Num(0)
	}
	all := parts[0]
	for _, x := range parts[1:] {
		all = to.Apply(builtin.Add, all, x)
	}
	return all
}

// Header returns the word of a union that a writer writes for an arm.
func Header[E any](a *Arm, to Terms[E]) E {
	if a.Form != nil {
		return to.Fit(Computed(a.Form, to), a.Union.N)
	}
	s, id := a.Union.Word.Type.Scalar, a.FixedID()<<a.Union.Lo
	sign := 8*s.Width() - 1
	if id>>sign == 0 && !slices.ContainsFunc(a.Bits, func(b *Bit) bool { return b.Lo+b.N > sign }) {
		return Joined(a.Bits, to, to.Num(int64(id)))
	}
	return Signed(Joined(a.Bits, to, to.Num(int64(id))), s, to)
}

// Signed brings an unsigned word into the range of a scalar.
func Signed[E any](x E, s builtin.Scalar, to Terms[E]) E {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return x
	}
	half := int64(1) << (bits - 1)
	return to.Apply(builtin.Sub, to.Apply(builtin.Xor, x, to.Num(half)), to.Num(half))
}

func express[E any](e *Expr, dir direction, to Terms[E]) E {
	switch e.Op {
	case builtin.Num:
		return to.Num(e.Num)
	case builtin.Ref:
		return reference(e.Field, dir, to)
	case builtin.Count, builtin.Len, builtin.Present, builtin.Total, builtin.Last:
		return to.Ask(e.Op, e.Field)
	case builtin.Arm:
		return to.Arm(e.Field, e.Union)
	case builtin.Outside:
		return to.Outside(e.Field, e.Scalar)
	case builtin.Where: // which a program chooses, and no back end needs
		return to.Num(0) // unreachable: exports refuse places
	case builtin.Form:
		return express(e.Args[0], writing, to)
	case builtin.Size:
		if e.Passed {
			return to.Reg(e.Field.Bytes)
		}
		return to.Size(e.Field)
	case builtin.Closed:
		return to.Closed(e.Gate)
	case builtin.Sum:
		return to.Sum(e.Sum)
	case builtin.Wide:
		return to.Wide(e.Field)
	case builtin.Keep:
		declared := express(e.Args[0], dir, to)
		if dir == verifying {
			return declared // unreachable: a number that keeps its form is not redundant
		}
		return to.Keep(express(e.Args[1], dir, to), declared)
	}
	if literal, ok := e.Literal(); ok {
		equal := to.Equals(e.Args[0].Field, literal)
		if e.Op == builtin.Ne {
			return to.Apply(builtin.Not, equal)
		}
		return equal
	}
	args := make([]E, len(e.Args))
	for i, a := range e.Args {
		args[i] = express(a, dir, to)
	}
	return to.Apply(e.Op, args...)
}

// reference returns the number of a field.
func reference[E any](f *Field, dir direction, to Terms[E]) E {
	switch {
	case dir == reading || f.Param:
	case f.Index >= 0:
		return value(f, to)
	case f.Derive != nil && (dir == writing || f.Sometimes):
		return express(f.Derive, dir, to)
	}
	return to.Reg(f)
}

// value returns the number in the cell of a field.
func value[E any](f *Field, to Terms[E]) E {
	if f.ArmOf != nil {
		return to.Arm(f, f.ArmOf)
	}
	return to.Value(f)
}
