// Linear forms: a constant and multiples of unknowns.

package facts

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
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
	// What a condition is made of, so that it can be used where it holds or does not.
	op   bytecode.ExprOp
	args []*sum
	// Where it is what an expression asks of a cell.
	asks  bool
	cell  int64
	union uint32
}

// sum is a constant and multiples of unknowns, in the order of their keys.
type sum struct {
	c     int64
	terms []term
}

type term struct {
	k int64 // not 0
	u *unknown
}

func constant(c int64) *sum { return &sum{c: c} }

func just(u *unknown) *sum { return &sum{terms: []term{{1, u}}} }

// key is the same for sums that are the same.
func (s *sum) key() string {
	var b strings.Builder
	fmt.Fprint(&b, s.c)
	for _, t := range s.terms {
		fmt.Fprintf(&b, "+%d*%s", t.k, t.u.key)
	}
	return b.String()
}

// only returns the unknown that a sum is, and what is added to it.
func (s *sum) only() (u *unknown, ok bool) {
	if len(s.terms) == 1 && s.terms[0].k == 1 && s.c == 0 {
		return s.terms[0].u, true
	}
	return nil, false
}

// saturated arithmetic: what does not fit is as far as one can go.
func addTo(a, b int64) int64 {
	c := a + b
	if a > 0 && b > 0 && c < 0 {
		return math.MaxInt64
	}
	if a < 0 && b < 0 && c >= 0 {
		return math.MinInt64
	}
	return c
}

func mulBy(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		if (a < 0) != (b < 0) {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	if (a < 0) != (b < 0) {
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// way is what is known on one path.
type way struct {
	spans map[*unknown]span // of unknowns of which more is known than everywhere
}

func (w *way) clone() way { return way{maps.Clone(w.spans)} }

func (w *way) spanOf(u *unknown) span {
	if s, ok := w.spans[u]; ok {
		return s
	}
	return u.span
}

// span returns the numbers that a sum can be.
func (w *way) span(s *sum) span {
	out := span{s.c, s.c}
	for _, t := range s.terms {
		u := w.spanOf(t.u)
		a, b := mulBy(t.k, u.lo), mulBy(t.k, u.hi)
		out.lo, out.hi = addTo(out.lo, min(a, b)), addTo(out.hi, max(a, b))
	}
	return out
}

// settled returns a sum with the numbers that are known on the way put in.
func (w *way) settled(s *sum) *sum {
	out := &sum{c: s.c}
	for _, t := range s.terms {
		if n, ok := w.spanOf(t.u).single(); ok {
			out.c = addTo(out.c, mulBy(t.k, n))
		} else {
			out.terms = append(out.terms, t)
		}
	}
	return out
}

// exact reports whether a sum is computed without going beyond 64 bits.
func exact(s span) bool { return s.lo > math.MinInt64/2 && s.hi < math.MaxInt64/2 }

// plus returns a + k*b.
func plus(a, b *sum, k int64) *sum {
	out := &sum{c: addTo(a.c, mulBy(k, b.c))}
	all := slices.Clone(a.terms)
	for _, t := range b.terms {
		t.k = mulBy(t.k, k)
		if i := slices.IndexFunc(all, func(x term) bool { return x.u == t.u }); i >= 0 {
			all[i].k = addTo(all[i].k, t.k)
			continue
		}
		all = append(all, t)
	}
	for _, t := range all {
		if t.k != 0 {
			out.terms = append(out.terms, t)
		}
	}
	slices.SortFunc(out.terms, func(x, y term) int { return strings.Compare(x.u.key, y.u.key) })
	return out
}

// cut parts a sum at bit n: high*2^n + low, where low is surely below 2^n and not
// negative.
func (w *way) cut(s *sum, n int64) (high, lower *sum, ok bool) {
	if n < 0 || n > 61 {
		return nil, nil, false
	}
	unit := int64(1) << n
	high, lower = &sum{c: s.c >> n}, &sum{c: s.c & (unit - 1)}
	for _, t := range s.terms {
		if t.k%unit == 0 {
			t.k /= unit
			high.terms = append(high.terms, t)
		} else {
			lower.terms = append(lower.terms, t)
		}
	}
	return high, lower, w.span(lower).within(span{0, unit - 1})
}

// holds makes a condition hold, or not, on a way. It returns false where that
// cannot be.
func (w *way) holds(s *sum, yes bool) bool {
	r := w.span(s)
	if yes && r == (span{0, 0}) || !yes && !r.has(0) {
		return false
	}
	u, ok := s.only()
	if !ok {
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

// both makes two conditions both be as asked, or not both. It returns false where that
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

// surely reports whether a condition holds, or does not, whatever else is so.
func (w *way) surely(s *sum, yes bool) bool {
	r := w.span(s)
	if yes && !r.has(0) || !yes && r == (span{}) {
		return true
	}
	u, ok := s.only()
	if !ok {
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
// returns false where neither can be.
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

// limit makes a sum be in a span. It returns false where that cannot be.
func (w *way) limit(s *sum, to span) bool {
	to = to.meet(w.span(s))
	if to.empty() {
		return false
	}
	if len(s.terms) != 1 || !exact(to) || !exact(span{s.c, s.c}) {
		return true
	}
	t := s.terms[0]
	u := w.spanOf(t.u)
	switch t.k {
	case 1:
		u = u.meet(span{addTo(to.lo, -s.c), addTo(to.hi, -s.c)})
	case -1:
		u = u.meet(span{addTo(s.c, -to.hi), addTo(s.c, -to.lo)})
	}
	if u.empty() {
		return false
	}
	w.spans[t.u] = u
	return true
}
