// Terms: the expressions of a schema in the form of those who lower it.

package schema

import "github.com/octable/octable/dsl/builtin"

// Terms makes expressions of a form E. The same field is a number in a register to a
// reader and, in what a writer computes, the value in a cell or what that is computed
// from; see [Read] and [Computed].
type Terms[E any] interface {
	Num(n int64) E
	Reg(f *Field) E                       // the number of the field
	Size(f *Field) E                      // the bytes of a row or a list
	Ask(op builtin.Op, f *Field) E        // Count, Len or Present of the cell
	Value(f *Field) E                     // the cell as a number
	Arm(f *Field, u *Union) E             // the number of the cell's arm
	Outside(f *Field, s builtin.Scalar) E // whether the scalar cannot hold the cell
	Wide(f *Field) E                      // whether the cell was read in its wide form
	Keep(wide, declared E) E              // the first if widths are kept, else the second
	Closed(g *Gate) E
	Apply(op builtin.Op, args ...E) E
	Fit(x E, bits int) E // x, which must have at most some bits
}

// Read returns an expression of the numbers that were read or written so far.
func Read[E any](e *Expr, to Terms[E]) E { return express(e, false, to) }

// Computed returns an expression of the fields of the value that is written.
func Computed[E any](e *Expr, to Terms[E]) E { return express(e, true, to) }

// Written returns the number that a writer puts into a word or into bits.
func Written[E any](f *Field, to Terms[E]) E {
	if f.Derive != nil {
		return Computed(f.Derive, to)
	}
	return value(f, to)
}

// Joined returns the word that a writer makes of bits. It adds them to a number, if one
// is given.
func Joined[E any](bits []*Bit, to Terms[E], number ...E) E {
	parts := number
	for _, bit := range bits {
		x := to.Fit(Written(bit.Field, to), bit.N)
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

// Signed brings an unsigned word into the range of a scalar.
func Signed[E any](x E, s builtin.Scalar, to Terms[E]) E {
	bits := 8 * s.Width()
	if !s.Signed() || bits == 64 {
		return x
	}
	half := int64(1) << (bits - 1)
	return to.Apply(builtin.Sub, to.Apply(builtin.Xor, x, to.Num(half)), to.Num(half))
}

func express[E any](e *Expr, writing bool, to Terms[E]) E {
	switch e.Op {
	case builtin.Num:
		return to.Num(e.Num)
	case builtin.Ref:
		return reference(e.Field, writing, to)
	case builtin.Count, builtin.Len, builtin.Present:
		return to.Ask(e.Op, e.Field)
	case builtin.Arm:
		return to.Arm(e.Field, e.Union)
	case builtin.Outside:
		return to.Outside(e.Field, e.Scalar)
	case builtin.Size:
		return to.Size(e.Field)
	case builtin.Closed:
		return to.Closed(e.Gate)
	case builtin.Keep:
		wide := to.Apply(builtin.Either, to.Wide(e.Field), to.Outside(e.Field, e.Scalar))
		return to.Keep(wide, express(e.Args[0], writing, to))
	case builtin.KeepAll:
		return to.Keep(to.Wide(e.Field), express(e.Args[0], writing, to))
	}
	args := make([]E, len(e.Args))
	for i, a := range e.Args {
		args[i] = express(a, writing, to)
	}
	return to.Apply(e.Op, args...)
}

// reference returns the number of a field.
func reference[E any](f *Field, writing bool, to Terms[E]) E {
	switch {
	case !writing || f.Param:
	case f.Index >= 0:
		return value(f, to)
	case f.Let != nil:
		return Computed(f.Let, to)
	case f.Derive != nil:
		return Computed(f.Derive, to)
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
