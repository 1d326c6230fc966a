// Linear forms: sums of letters, as offsets and lengths are.

package schema

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// LinearOf is a linear form: a number plus multiples of variables.
type LinearOf[V comparable] struct {
	Num  int64
	Coef map[V]int64 // of each variable; not 0
}

// Linear is a linear form of letters.
type Linear = LinearOf[string]

// Constant returns the form of a number.
func Constant(n int64) Linear { return Linear{Num: n} }

// Letter returns the form of one letter.
func Letter(name string) Linear { return Linear{Coef: map[string]int64{name: 1}} }

// Plus returns a plus a multiple of b. Numbers beyond 64 bits become the nearest one of
// 64 bits.
func (a LinearOf[V]) Plus(b LinearOf[V], times int64) LinearOf[V] {
	out := LinearOf[V]{builtin.SaturatedAdd(a.Num, builtin.SaturatedMul(times, b.Num)), maps.Clone(a.Coef)}
	for v, k := range b.Coef {
		if out.Coef == nil {
			out.Coef = make(map[V]int64, len(b.Coef))
		}
		if out.Coef[v] = builtin.SaturatedAdd(out.Coef[v], builtin.SaturatedMul(times, k)); out.Coef[v] == 0 {
			delete(out.Coef, v)
		}
	}
	return out
}

// Times returns the product, if one of the forms is a number.
func (a LinearOf[V]) Times(b LinearOf[V]) (LinearOf[V], bool) {
	switch {
	case a.IsNumber():
		return LinearOf[V]{}.Plus(b, a.Num), true
	case b.IsNumber():
		return LinearOf[V]{}.Plus(a, b.Num), true
	}
	return LinearOf[V]{}, false
}

// Equal reports whether two forms are the same for all variables.
func (a LinearOf[V]) Equal(b LinearOf[V]) bool { return a.Num == b.Num && maps.Equal(a.Coef, b.Coef) }

// IsNumber reports whether the form has no variable.
func (a LinearOf[V]) IsNumber() bool { return len(a.Coef) == 0 }

// Alone returns the variable that the form consists of, or the zero V.
func (a LinearOf[V]) Alone() (none V) {
	if a.Num == 0 && len(a.Coef) == 1 {
		for v, k := range a.Coef {
			if k == 1 {
				return v
			}
		}
	}
	return none
}

// Text prints the number, unless it is 0, and the variables in the order of their names. A negative number is behind them.
func (a LinearOf[V]) Text(name func(V) string) string {
	var b strings.Builder
	if a.Num > 0 || a.IsNumber() {
		b.WriteString(strconv.FormatInt(a.Num, 10))
	}
	vars := slices.Collect(maps.Keys(a.Coef))
	if len(vars) > 1 {
		slices.SortFunc(vars, func(x, y V) int { return strings.Compare(name(x), name(y)) })
	}
	for _, v := range vars {
		k := a.Coef[v]
		switch {
		case k < 0:
			b.WriteByte('-')
		case b.Len() > 0:
			b.WriteByte('+')
		}
		b.WriteString(name(v))
		if k = max(k, -k); k != 1 {
			b.WriteString("*" + strconv.FormatInt(k, 10))
		}
	}
	if a.Num < 0 && !a.IsNumber() {
		b.WriteString(strconv.FormatInt(a.Num, 10))
	}
	return b.String()
}

// String prints a form whose variables are letters, or print themselves.
func (a LinearOf[V]) String() string { return a.Text(func(v V) string { return fmt.Sprint(v) }) }

// Limits of linear forms, so that sums of many do not overflow.
const (
	maxLinear  = 1 << 44 // a number or a multiple
	maxLetters = 200     // letters of one form, and of one record
)

// Small reports whether a form is within the limits.
func (a LinearOf[V]) Small() bool {
	within := func(n int64) bool { return -maxLinear < n && n < maxLinear }
	for _, k := range a.Coef {
		if !within(k) {
			return false
		}
	}
	return within(a.Num) && len(a.Coef) <= maxLetters
}

// Linear returns the expression as a linear form, given the form of each letter
// or field. It reports whether it is one.
func (e *Expr) Linear(letter func(name string) Linear) (Linear, bool) {
	switch e.Op {
	case builtin.Num:
		return Constant(e.Num), !e.bad && 0 <= e.Num && e.Num < 1<<40
	case builtin.Letter, builtin.Ref:
		return letter(e.Name), true
	case builtin.Add, builtin.Sub, builtin.Mul:
		a, ok := e.Args[0].Linear(letter)
		b, ok2 := e.Args[1].Linear(letter)
		if !ok || !ok2 {
			return Linear{}, false
		}
		var out Linear
		switch e.Op {
		case builtin.Add:
			out = a.Plus(b, 1)
		case builtin.Sub:
			out = a.Plus(b, -1)
		default:
			if out, ok = a.Times(b); !ok {
				return Linear{}, false
			}
		}
		return out, out.Small()
	}
	return Linear{}, false
}
