// Unknowns: spans of numbers, and linear forms of numbers that are not known.

package reach

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// span is the numbers from lo to hi.
type span struct{ lo, hi int64 }

var (
	anything = span{math.MinInt64, math.MaxInt64}
	boolean  = span{0, 1}
)

func (s span) empty() bool                { return s.lo > s.hi }
func (s span) has(n int64) bool           { return s.lo <= n && n <= s.hi }
func (s span) within(t span) bool         { return s.lo >= t.lo && s.hi <= t.hi }
func (s span) meet(t span) span           { return span{max(s.lo, t.lo), min(s.hi, t.hi)} }
func (s span) join(t span) span           { return span{min(s.lo, t.lo), max(s.hi, t.hi)} }
func (s span) single() (n int64, ok bool) { return s.lo, s.lo == s.hi }

func (s span) String() string {
	if s.lo == s.hi {
		return fmt.Sprint(s.lo)
	}
	return fmt.Sprintf("from %d to %d", s.lo, s.hi)
}

// low returns the numbers of n bits.
func low(n int64) span {
	if n >= 63 {
		return span{0, math.MaxInt64}
	}
	return span{0, 1<<n - 1}
}

// scalarSpan returns the numbers that a scalar holds, as registers have them.
func scalarSpan(s bytecode.Scalar) span {
	n := 8 * s.Width()
	switch {
	case n == 64:
		return anything
	case s.Signed():
		return span{-1 << (n - 1), 1<<(n-1) - 1}
	}
	return low(int64(n))
}

// unknown is a number that is not known. Two with the same key are the same number.
type unknown struct {
	key  string
	span span
	// The parts of a condition, by which it is used if it holds or does not.
	op   bytecode.ExprOp
	args []*sum
	// It is the question of an expression about a cell.
	asks  bool
	cell  int64
	union uint32
}

// sum is a linear form of unknowns.
type sum = schema.LinearOf[*unknown]

func constant(c int64) *sum { return &sum{Num: c} }

func just(u *unknown) *sum { return &sum{Coef: map[*unknown]int64{u: 1}} }

// keyOf returns a text that is equal for equal sums.
func keyOf(s *sum) string { return s.Text(func(u *unknown) string { return u.key }) }

// way is what is known on one path.
type way struct {
	spans map[*unknown]span   // of unknowns of which more is known than everywhere
	gaps  map[*unknown][]span // what unknowns are not, inside of their spans; replaced as a whole
}

func (w *way) clone() way { return way{maps.Clone(w.spans), w.gaps} }

func (w *way) spanOf(u *unknown) span {
	if s, ok := w.spans[u]; ok {
		return s
	}
	return u.span
}

// span returns the numbers that a sum can be.
func (w *way) span(s *sum) span {
	out := span{s.Num, s.Num}
	for u, k := range s.Coef {
		r := w.spanOf(u)
		a, b := builtin.SaturatedMul(k, r.lo), builtin.SaturatedMul(k, r.hi)
		out.lo, out.hi = builtin.SaturatedAdd(out.lo, min(a, b)), builtin.SaturatedAdd(out.hi, max(a, b))
	}
	return out
}

// exclude says that a number is in none of some ranges; those above 2^62 are ignored. It returns false if that cannot be.
func (w *way) exclude(s *sum, numbers builtin.Ranges) bool {
	u := s.Alone()
	if u == nil || len(numbers) == 0 {
		return true
	}
	gaps := slices.Clone(w.gaps[u])
	for _, r := range numbers {
		if r.Hi <= 1<<62 {
			gaps = append(gaps, span{int64(r.Lo), int64(r.Hi)})
		}
	}
	all := map[*unknown][]span{u: gaps}
	for other, gaps := range w.gaps {
		if other != u {
			all[other] = gaps
		}
	}
	w.gaps = all
	return w.limit(s, anything)
}

// trimmed returns a span of an unknown without gaps at its ends.
func (w *way) trimmed(u *unknown, r span) span {
	for again := true; again && !r.empty(); {
		again = false
		for _, gap := range w.gaps[u] {
			if gap.has(r.lo) {
				r.lo, again = gap.hi+1, true
			}
			if gap.has(r.hi) {
				r.hi, again = gap.lo-1, true
			}
		}
	}
	return r
}

// settled returns a sum with the numbers that are known on the way put in.
func (w *way) settled(s *sum) *sum {
	out := *s
	for u := range s.Coef {
		if n, ok := w.spanOf(u).single(); ok {
			// u - n is 0.
			out = out.Plus(sum{Num: -n, Coef: map[*unknown]int64{u: 1}}, -s.Coef[u])
		}
	}
	return &out
}

// exact reports whether a sum is computed without going beyond 64 bits.
func exact(s span) bool { return s.lo > math.MinInt64/2 && s.hi < math.MaxInt64/2 }

// plus returns a + k*b.
func plus(a, b *sum, k int64) *sum {
	out := a.Plus(*b, k)
	return &out
}

// cut parts a sum at bit n: high*2^n + low, where low is surely below 2^n and not
// negative.
func (w *way) cut(s *sum, n int64) (high, lower *sum, ok bool) {
	if n < 0 || n > 61 {
		return nil, nil, false
	}
	unit := int64(1) << n
	high, lower = &sum{Num: s.Num >> n, Coef: map[*unknown]int64{}}, &sum{Num: s.Num & (unit - 1), Coef: map[*unknown]int64{}}
	for u, k := range s.Coef {
		if k%unit == 0 {
			high.Coef[u] = k / unit
		} else {
			lower.Coef[u] = k
		}
	}
	return high, lower, w.span(lower).within(span{0, unit - 1})
}

// holds makes a condition hold, or not, on a way. It returns false if that
// cannot be.
func (w *way) holds(s *sum, yes bool) bool {
	r := w.span(s)
	if yes && r == (span{0, 0}) || !yes && !r.has(0) {
		return false
	}
	u := s.Alone()
	if u == nil {
		return true
	}
	if yes {
		switch {
		case r.lo == 0:
			r.lo = 1
		case r.hi == 0:
			r.hi = -1
		}
	} else {
		r = span{}
	}
	if r.empty() {
		return false
	}
	w.spans[u] = r
	switch u.op {
	case bytecode.ExprNot:
		return w.holds(u.args[0], !yes)
	case bytecode.ExprBoth:
		return w.both(u.args[0], u.args[1], true, yes)
	case bytecode.ExprEither:
		return w.both(u.args[0], u.args[1], false, !yes)
	case bytecode.ExprEq, bytecode.ExprNe, bytecode.ExprLt, bytecode.ExprLe, bytecode.ExprGt, bytecode.ExprGe:
		return w.compare(u.op, plus(u.args[0], u.args[1], -1), yes)
	case bytecode.ExprSelect:
		return w.either(func(w *way) bool { return w.holds(u.args[0], true) && w.holds(u.args[1], yes) },
			func(w *way) bool { return w.holds(u.args[0], false) && w.holds(u.args[2], yes) })
	}
	return true
}

// both makes two conditions both be as asked, or not both. It returns false if that
// cannot be.
func (w *way) both(a, b *sum, asked, yes bool) bool {
	switch {
	case yes:
		return w.holds(a, asked) && w.holds(b, asked)
	case w.surely(a, asked):
		return w.holds(b, !asked)
	case w.surely(b, asked):
		return w.holds(a, !asked)
	}
	return true
}

// surely reports whether a condition holds, or does not, in every case.
func (w *way) surely(s *sum, yes bool) bool {
	r := w.span(s)
	if yes && !r.has(0) || !yes && r == (span{}) {
		return true
	}
	u := s.Alone()
	if u == nil {
		return false
	}
	switch u.op {
	case bytecode.ExprNot:
		return w.surely(u.args[0], !yes)
	case bytecode.ExprEq, bytecode.ExprNe, bytecode.ExprLt, bytecode.ExprLe, bytecode.ExprGt, bytecode.ExprGe:
		op := opposite[u.op]
		if !yes {
			op = u.op
		}
		return against(op, w.span(plus(u.args[0], u.args[1], -1))).empty()
	}
	return false
}

// either learns what is so both where the one thing holds and where the other does. It
// returns false if neither can be.
func (w *way) either(one, other func(w *way) bool) bool {
	a, b := w.clone(), w.clone()
	switch first, second := one(&a), other(&b); {
	case first && second:
		for u, s := range a.spans {
			w.spans[u] = s.join(b.spanOf(u))
		}
		return true
	case second:
		a = b
	case !first:
		return false
	}
	maps.Copy(w.spans, a.spans)
	return true
}

var opposite = map[bytecode.ExprOp]bytecode.ExprOp{
	bytecode.ExprEq: bytecode.ExprNe, bytecode.ExprNe: bytecode.ExprEq, bytecode.ExprLt: bytecode.ExprGe,
	bytecode.ExprGe: bytecode.ExprLt, bytecode.ExprGt: bytecode.ExprLe, bytecode.ExprLe: bytecode.ExprGt,
}

// against returns the numbers that compare with 0 in a way, within a span.
func against(op bytecode.ExprOp, r span) span {
	switch op {
	case bytecode.ExprEq:
		return r.meet(span{})
	case bytecode.ExprNe:
		if r.lo == 0 {
			r.lo = 1
		}
		if r.hi == 0 {
			r.hi = -1
		}
	case bytecode.ExprLt:
		r.hi = min(r.hi, -1)
	case bytecode.ExprLe:
		r.hi = min(r.hi, 0)
	case bytecode.ExprGt:
		r.lo = max(r.lo, 1)
	case bytecode.ExprGe:
		r.lo = max(r.lo, 0)
	}
	return r
}

// compare makes a difference, which is not cut to 64 bits, compare with 0 in a way, or not.
func (w *way) compare(op bytecode.ExprOp, d *sum, yes bool) bool {
	if !yes {
		op = opposite[op]
	}
	return w.limit(d, against(op, w.span(d)))
}

// limit makes a sum be in a span. It returns false if that cannot be.
func (w *way) limit(s *sum, to span) bool {
	to = to.meet(w.span(s))
	if to.empty() {
		return false
	}
	if len(s.Coef) != 1 || !exact(to) || !exact(span{s.Num, s.Num}) {
		return true
	}
	for u, k := range s.Coef {
		r := w.spanOf(u)
		switch k {
		case 1:
			r = r.meet(span{builtin.SaturatedAdd(to.lo, -s.Num), builtin.SaturatedAdd(to.hi, -s.Num)})
		case -1:
			r = r.meet(span{builtin.SaturatedAdd(s.Num, -to.hi), builtin.SaturatedAdd(s.Num, -to.lo)})
		}
		if r = w.trimmed(u, r); r.empty() {
			return false
		}
		w.spans[u] = r
	}
	return true
}
