// Expressions with the bounds of their numbers.

package model

import (
	"math"
	"math/bits"

	"github.com/octable/octable/dsl/builtin"
)

// Expr is a node of an expression. Numbers are of 64 bits, in two's complement.
type Expr struct {
	Op   builtin.Op
	Num  int64 // ExprNum: the number; ExprFit: how many bits
	Reg  int   // ExprReg
	Cell int   // operations that look at a cell
	// Encoding of Len, Routine of ExprArm (a union), Scalar of ExprOutside, Total and Last, Gate of ExprClosed.
	Encoding int
	Place    int // ExprMember: of the number
	Routine  int
	Scalar   builtin.Scalar
	Gate     int
	Text     string // ExprEquals
	Args     []*Expr

	// Min and Max bound the result, as far as that is known. If they are the
	// bounds of 64 bits, nothing is.
	Min, Max int64
}

// IsNum reports whether the expression is the given number.
func (e *Expr) IsNum(n int64) bool { return e.Op == builtin.Num && e.Num == n }

// Bool reports whether the expression is a condition: 0 or 1.
func (e *Expr) Bool() bool {
	switch e.Op {
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge,
		builtin.Both, builtin.Either, builtin.Not,
		builtin.Present, builtin.Outside, ExprEquals, ExprWide, ExprMore, ExprExact, builtin.Closed:
		return true
	}
	return false
}

// Walk calls f for the node and for all below it.
func (e *Expr) Walk(f func(*Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		a.Walk(f)
	}
}

// OfArray reports whether an expression has a sum or the last number of an array.
func (e *Expr) OfArray() bool {
	found := false
	e.Walk(func(x *Expr) { found = found || x.Op == builtin.Total || x.Op == builtin.Last })
	return found
}

// Exact reports whether an expression can be computed in double precision. No number on the way to the result, nor the
// result, is beyond ±(2^53-1).
func (e *Expr) Exact() bool {
	ok := true
	e.Walk(func(x *Expr) { ok = ok && x.Min >= -MaxExact && x.Max <= MaxExact })
	return ok
}

// MaxExact is the largest integer that double precision tells from its neighbors.
const MaxExact = 1<<53 - 1

// Fits reports whether the result is within a scalar for any input, so
// that a writer need not test it.
func (e *Expr) Fits(s builtin.Scalar) bool {
	lo, hi := ScalarBounds(s)
	return e.Min >= lo && e.Max <= hi && (s != builtin.U64 || e.Min >= 0) || 8*s.Width() == 64
}

// ScalarBounds returns the least and greatest number that a register has after a scalar was read into it. For 64 bits it
// is any number.
func ScalarBounds(s builtin.Scalar) (lo, hi int64) {
	switch n := 8 * s.Width(); {
	case n >= 64 || n == 0:
		return math.MinInt64, math.MaxInt64
	case s.Signed():
		return -1 << (n - 1), 1<<(n-1) - 1
	default:
		return 0, 1<<n - 1
	}
}

// bound is the range of a register.
type bound struct{ lo, hi int64 }

var anything = bound{math.MinInt64, math.MaxInt64}

// inMemory are the bounds of sizes and places.
var inMemory = bound{0, MaxExact}

// or returns the bounds of numbers that are in one of two.
func (w bound) or(v bound) bound { return bound{min(w.lo, v.lo), max(w.hi, v.hi)} }

// finish bounds an expression whose operands are bounded, and returns it simplified. It
// is for all operations but those that depend on a register or a union.
func (e *Expr) finish() *Expr {
	e.Min, e.Max = anything.lo, anything.hi
	e.bound()
	return simplify(e)
}

// bound sets the bounds of the result, if they are known.
func (e *Expr) bound() {
	set, arg := e.setBounds, e.argBounds
	if e.Bool() {
		set(0, 1)
		return
	}
	switch e.Op {
	case builtin.Count, builtin.Len:
		set(0, 1<<32)
	case builtin.Total:
		if e.Scalar.Width() < 4 {
			lo, hi := ScalarBounds(e.Scalar)
			set(lo<<32, hi<<32)
		}
	case builtin.Last:
		lo, hi := ScalarBounds(e.Scalar)
		set(min(lo, 0), hi)
	case ExprFit:
		if e.Num < 64 {
			set(0, 1<<e.Num-1)
		}
	case ExprSelect:
		a, c := arg(1)
		d, f := arg(2)
		set(min(a, d), max(c, f))
	case builtin.Neg:
		if lo, hi := arg(0); lo > math.MinInt64 {
			set(-hi, -lo)
		}
	case builtin.Min:
		a, c := arg(0)
		d, f := arg(1)
		set(min(a, d), min(c, f))
	case builtin.Max:
		a, c := arg(0)
		d, f := arg(1)
		set(max(a, d), max(c, f))
	case builtin.Add, builtin.Sub:
		a, c := arg(0)
		d, f := arg(1)
		if e.Op == builtin.Sub {
			if d == math.MinInt64 {
				return
			}
			d, f = -f, -d
		}
		lo, hi := a+d, c+f
		if (d < 0) == (lo < a) && (f < 0) == (hi < c) {
			set(lo, hi)
		}
	case builtin.Mul:
		a, c := arg(0)
		d, f := arg(1)
		if a >= 0 && d >= 0 {
			if over, hi := bits.Mul64(uint64(c), uint64(f)); over == 0 && hi <= math.MaxInt64 {
				set(a*d, int64(hi))
			}
		}
	case builtin.Div:
		if a, c := arg(0); a >= 0 {
			if d, _ := arg(1); d >= 0 {
				set(0, c)
			}
		}
	case builtin.Mod:
		if a, c := arg(0); a >= 0 {
			if d, f := arg(1); d > 0 {
				set(0, min(c, f-1))
			} else if d == 0 {
				set(0, c)
			}
		}
	default:
		e.boundBits()
	}
}

func (e *Expr) setBounds(lo, hi int64) { e.Min, e.Max = lo, hi }

func (e *Expr) argBounds(i int) (lo, hi int64) { return e.Args[i].Min, e.Args[i].Max }

// boundBits notes the bounds of an operation on bits.
func (e *Expr) boundBits() {
	set, arg := e.setBounds, e.argBounds
	switch e.Op {
	case builtin.And:
		a, c := arg(0)
		d, f := arg(1)
		switch {
		case a >= 0 && d >= 0:
			set(0, min(c, f))
		case d >= 0:
			set(0, f)
		case a >= 0:
			set(0, c)
		}
	case builtin.Xor:
		if a, c := arg(0); a >= 0 {
			if d, f := arg(1); d >= 0 {
				set(0, int64(1)<<bits.Len64(uint64(c|f))-1)
			}
		}
	case builtin.Shl:
		a, c := arg(0)
		if d, f := arg(1); a >= 0 && d >= 0 && f < 63 && c <= math.MaxInt64>>uint(f) {
			set(a<<uint(d), c<<uint(f))
		}
	case builtin.Shr:
		a, c := arg(0)
		switch d, f := arg(1); {
		case d < 0 || f > 63:
		case a >= 0:
			set(a>>uint(f), c>>uint(d))
		case d > 0:
			set(0, int64(uint64(math.MaxUint64)>>uint(d)))
		}
	}
}

// Shifts32 reports whether an expression is a shift that languages with integers of 32 bits do alike. It is a shift of a
// number from 0 by 0 to 31 bits, with a result below 2^31.
func (e *Expr) Shifts32() bool {
	of, by := e.Args[0], e.Args[1]
	return of.Min >= 0 && of.Max <= math.MaxInt32 && by.Min >= 0 && by.Max < 32 && e.Max <= math.MaxInt32
}

// simplify leaves out what does not change a number.
func simplify(e *Expr) *Expr {
	constant := len(e.Args) > 0 && e.Op != ExprFit
	for _, a := range e.Args {
		constant = constant && a.Op == builtin.Num
	}
	if constant && e.Min == e.Max {
		return num(e.Min)
	}
	switch e.Op {
	case builtin.Shl, builtin.Shr, builtin.Add, builtin.Sub:
		if e.Args[1].IsNum(0) {
			return e.Args[0]
		}
	case ExprFit:
		if a := e.Args[0]; e.Num >= 64 || a.Min >= 0 && a.Max <= 1<<e.Num-1 {
			return a
		}
	case builtin.And:
		a, m := e.Args[0], e.Args[1]
		if m.Op == builtin.Num && m.Num >= 0 && m.Num&(m.Num+1) == 0 && a.Min >= 0 && a.Max <= m.Num {
			return a
		}
	case builtin.Both, builtin.Either:
		for i, c := range e.Args {
			other := e.Args[1-i]
			switch {
			case c.Op != builtin.Num:
			case (c.Num != 0) == (e.Op == builtin.Either): // it decides
				return num(e.fixed())
			case other.Bool():
				return other
			}
		}
	case ExprSelect:
		switch c := e.Args[0]; {
		case c.Op == builtin.Num && c.Num != 0:
			return e.Args[1]
		case c.Op == builtin.Num:
			return e.Args[2]
		}
	}
	return e
}

// fixed returns the result of a logical operation that one operand decides.
func (e *Expr) fixed() int64 {
	if e.Op == builtin.Either {
		return 1
	}
	return 0
}

func num(n int64) *Expr { return &Expr{Op: builtin.Num, Num: n, Min: n, Max: n} }
