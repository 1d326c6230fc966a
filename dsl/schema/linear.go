// Linear forms: sums of letters, as offsets and lengths are.

package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// Linear is a number plus multiples of letters.
type Linear struct {
	Num  int64
	Coef map[string]int64 // of each letter; not 0
}

// Constant returns the form of a number.
func Constant(n int64) Linear { return Linear{Num: n} }

// Letter returns the form of one letter.
func Letter(name string) Linear { return Linear{Coef: map[string]int64{name: 1}} }

// Plus returns a plus a multiple of b.
func (a Linear) Plus(b Linear, times int64) Linear {
	out := Linear{Num: a.Num + times*b.Num, Coef: maps.Clone(a.Coef)}
	for letter, k := range b.Coef {
		if out.Coef == nil {
			out.Coef = map[string]int64{}
		}
		if out.Coef[letter] += times * k; out.Coef[letter] == 0 {
			delete(out.Coef, letter)
		}
	}
	return out
}

// Times returns the product, if one of the forms is a number.
func (a Linear) Times(b Linear) (Linear, bool) {
	switch {
	case a.IsNumber():
		return Linear{}.Plus(b, a.Num), true
	case b.IsNumber():
		return Linear{}.Plus(a, b.Num), true
	}
	return Linear{}, false
}

// Equal reports whether two forms are the same for all letters.
func (a Linear) Equal(b Linear) bool { return a.Num == b.Num && maps.Equal(a.Coef, b.Coef) }

// IsNumber reports whether the form has no letter.
func (a Linear) IsNumber() bool { return len(a.Coef) == 0 }

// Alone returns the letter that the form consists of, or "".
func (a Linear) Alone() string {
	if a.Num == 0 && len(a.Coef) == 1 {
		for letter, k := range a.Coef {
			if k == 1 {
				return letter
			}
		}
	}
	return ""
}

// String prints the number, unless it is 0, and the letters in alphabetical order.
func (a Linear) String() string {
	var b strings.Builder
	if a.Num != 0 || a.IsNumber() {
		b.WriteString(strconv.FormatInt(a.Num, 10))
	}
	for _, letter := range slices.Sorted(maps.Keys(a.Coef)) {
		k := a.Coef[letter]
		switch {
		case k < 0:
			b.WriteByte('-')
		case b.Len() > 0:
			b.WriteByte('+')
		}
		b.WriteString(letter)
		if k = max(k, -k); k != 1 {
			b.WriteString("*" + strconv.FormatInt(k, 10))
		}
	}
	return b.String()
}

// Limits of linear forms, so that sums of many do not overflow.
const (
	maxLinear  = 1 << 44 // a number or a multiple
	maxLetters = 200     // letters of one form, and of one record
)

func (a Linear) small() bool {
	within := func(n int64) bool { return -maxLinear < n && n < maxLinear }
	for _, k := range a.Coef {
		if !within(k) {
			return false
		}
	}
	return within(a.Num) && len(a.Coef) <= maxLetters
}

// Linear returns the expression as a linear form, given the form of each letter. It
// reports whether it is one.
func (e *Expr) Linear(letter func(name string) Linear) (Linear, bool) {
	switch e.Op {
	case builtin.Num:
		return Constant(e.Num), !e.bad && 0 <= e.Num && e.Num < 1<<40
	case builtin.Letter:
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
		return out, out.small()
	}
	return Linear{}, false
}
