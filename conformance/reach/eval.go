// Symbolic evaluation of expressions.

package reach

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// evaluation is one expression being computed at an instruction.
type evaluation struct {
	w    *walk
	pc   int
	expr uint32
	next int // number of the next node
	// cell returns what is known of a cell.
	cell func(x *bytecode.Expr) *sum
}

// eval computes an expression, and notes which way each of its nodes can go. It
// returns false if the number is refused on every way.
func (w *walk) eval(pc int, expr uint32) (*sum, bool) {
	return w.compute(pc, expr, w.p.Exprs[expr])
}

func (w *walk) compute(pc int, expr uint32, x *bytecode.Expr) (*sum, bool) {
	w.steps += x.Size() / 16
	e := &evaluation{w: w, pc: pc, expr: expr, cell: w.cell}
	return e.node(x, true)
}

// note says that a node can go a way.
func (e *evaluation) note(k int, yes, live bool) {
	site := interp.SiteNo
	if yes {
		site = interp.SiteYes
	}
	at := place{e.w.d, e.pc, site, k, e.expr}
	if live {
		e.w.can[at] = true
	} else {
		e.w.idle[at] = true
	}
}

// noteTruth notes the ways that a condition can go.
func (e *evaluation) noteTruth(k int, s *sum, live bool) *sum {
	r := e.w.way.span(s)
	if r != (span{}) {
		e.note(k, true, live)
	}
	if r.has(0) {
		e.note(k, false, live)
	}
	return s
}

// fresh is an unknown that depends on an operation and its operands.
func (e *evaluation) fresh(op bytecode.ExprOp, s span, args ...*sum) *sum {
	key := op.String()
	for _, a := range args {
		key += "(" + keyOf(a) + ")"
	}
	return just(e.w.unknown(key, s, op, args...))
}

// node computes a node of the expression. Only notes differ if the node is not live:
// its number is not used on this way.
func (e *evaluation) node(x *bytecode.Expr, live bool) (*sum, bool) {
	if x.Op == bytecode.ExprSelect {
		return e.choose(x, live)
	}
	var args [2]*sum
	for i, a := range x.Args {
		s, ok := e.node(a, live)
		if !ok {
			return nil, false
		}
		args[i] = s
	}
	k := e.next
	e.next++
	switch len(x.Args) {
	case 0:
		return e.leaf(x, k, live), true
	case 1:
		return e.one(x, k, args[0], live)
	}
	return e.two(x, k, args[0], args[1], live), true
}

// choose computes a choice between two operands.
func (e *evaluation) choose(x *bytecode.Expr, live bool) (*sum, bool) {
	k := e.next + x.Size() - 1
	c, ok := e.node(x.Args[0], live)
	if !ok {
		return nil, false
	}
	way := &e.w.way
	r := way.span(c)
	first, second := r != (span{}), r.has(0)
	e.noteTruth(k, c, live)
	a, ok := e.node(x.Args[1], live && first)
	if !ok {
		return nil, false
	}
	b, ok := e.node(x.Args[2], live && second)
	e.next = k + 1
	switch {
	case !ok:
		return nil, false
	case !second || keyOf(a) == keyOf(b):
		return a, true
	case !first:
		return b, true
	}
	return e.fresh(x.Op, way.span(a).join(way.span(b)), c, a, b), true
}

func (e *evaluation) leaf(x *bytecode.Expr, k int, live bool) *sum {
	switch x.Op {
	case bytecode.ExprNum:
		return constant(x.Arg)
	case bytecode.ExprReg:
		return e.w.way.regs[x.Arg]
	case bytecode.ExprExact:
		if !e.w.s.Widths {
			return e.noteTruth(k, constant(0), live)
		}
		return e.noteTruth(k, just(e.w.unknown("exact", boolean, 0)), live)
	case bytecode.ExprClosed:
		if !e.w.s.Gates {
			return e.noteTruth(k, constant(1), live)
		}
		return e.noteTruth(k, just(e.w.unknown(fmt.Sprint("closed", x.Arg), boolean, 0)), live)
	case bytecode.ExprLeft:
		if e.w.d == interp.Writing {
			return constant(0)
		}
		return just(e.w.unknown(fmt.Sprint("left", e.pc), span{0, builtin.MaxLeast}, 0))
	default:
		s := e.cell(x)
		switch x.Op {
		case bytecode.ExprPresent, bytecode.ExprOutside, bytecode.ExprWide, bytecode.ExprMore:
			e.noteTruth(k, s, live)
		}
		return s
	}
}

func (e *evaluation) one(x *bytecode.Expr, k int, a *sum, live bool) (*sum, bool) {
	way := &e.w.way
	r := way.span(a)
	switch x.Op {
	case bytecode.ExprNeg:
		if s := plus(constant(0), a, -1); exact(way.span(s)) {
			return s, true
		}
	case bytecode.ExprNot:
		switch {
		case r == (span{}):
			return e.noteTruth(k, constant(1), live), true
		case !r.has(0):
			return e.noteTruth(k, constant(0), live), true
		}
		return e.noteTruth(k, e.fresh(x.Op, boolean, a), live), true
	case bytecode.ExprFit:
		if x.Arg >= 64 {
			return a, true
		}
		to := low(x.Arg)
		e.w.seen(place{e.w.d, e.pc, interp.SiteNo, k, e.expr}, r)
		if !r.meet(to).empty() {
			e.note(k, true, live)
		}
		if !r.within(to) {
			e.note(k, false, live)
			e.w.refuses = true
		}
		if !way.limit(a, to) {
			return nil, false
		}
		if way.span(a).within(to) {
			return a, true
		}
		return e.fresh(x.Op, to.meet(r), a), true
	}
	return e.fresh(x.Op, anything, a), true
}

// two returns the result of an operation on two numbers.
func (e *evaluation) two(x *bytecode.Expr, k int, a, b *sum, live bool) *sum {
	switch x.Op {
	case bytecode.ExprMin, bytecode.ExprMax:
		return e.extreme(x.Op, k, a, b, live)
	case bytecode.ExprEq, bytecode.ExprNe, bytecode.ExprLt, bytecode.ExprLe, bytecode.ExprGt, bytecode.ExprGe:
		return e.compare(x.Op, k, a, b, live)
	case bytecode.ExprBoth, bytecode.ExprEither:
		return e.junction(x.Op, k, a, b, live)
	}
	if s := e.linear(x.Op, a, b); s != nil {
		return s
	}
	if s := e.divided(x.Op, a, b); s != nil {
		return s
	}
	return e.fresh(x.Op, anything, a, b)
}

// linear returns a sum or a product with a constant as a linear form, or nil.
func (e *evaluation) linear(op bytecode.ExprOp, a, b *sum) *sum {
	way := &e.w.way
	ra := way.span(a)
	n, known := way.span(b).single()
	switch op {
	case bytecode.ExprAdd, bytecode.ExprSub:
		sign := int64(1)
		if op == bytecode.ExprSub {
			sign = -1
		}
		if s := plus(a, b, sign); exact(way.span(s)) {
			return s
		}
	case bytecode.ExprMul:
		if m, ok := ra.single(); ok && !known {
			a, n, known = b, m, true
		}
		if s := plus(constant(0), a, n); known && exact(way.span(s)) {
			return s
		}
	case bytecode.ExprShl:
		if known && n >= 0 && n < 62 {
			if s := plus(constant(0), a, 1<<n); exact(way.span(s)) {
				return s
			}
		}
	}
	return nil
}

// divided returns a quotient or a remainder of a number that is not negative, or some of its bits. It
// returns nil if nothing is known of the result.
func (e *evaluation) divided(op bytecode.ExprOp, a, b *sum) *sum {
	way := &e.w.way
	ra, rb := way.span(a), way.span(b)
	n, known := rb.single()
	switch op {
	case bytecode.ExprDiv:
		if known && n > 0 && ra.lo >= 0 {
			if n&(n-1) == 0 {
				if high, _, ok := way.cut(a, int64(log2(n))); ok {
					return high
				}
			}
			return e.fresh(op, span{ra.lo / n, ra.hi / n}, a, b)
		}
	case bytecode.ExprMod:
		if known && n > 0 && ra.lo >= 0 {
			if n&(n-1) == 0 {
				if _, lower, ok := way.cut(a, int64(log2(n))); ok {
					return lower
				}
			}
			return e.fresh(op, span{0, min(n-1, ra.hi)}, a, b)
		}
	case bytecode.ExprShr:
		if known && n >= 0 && n < 64 && ra.lo >= 0 {
			if high, _, ok := way.cut(a, n); ok {
				return high
			}
			return e.fresh(op, span{ra.lo >> n, ra.hi >> n}, a, b)
		}
		if known && n > 0 && n < 64 {
			return e.fresh(op, low(64-n), a, b)
		}
	case bytecode.ExprAnd:
		if m, ok := ra.single(); ok && !known {
			a, ra, n, known = b, rb, m, true
		}
		if known && n >= 0 {
			if n&(n+1) == 0 {
				if ra.within(span{0, n}) {
					return a
				}
				if _, lower, ok := way.cut(a, int64(log2(n+1))); n < 1<<61 && ok {
					return lower
				}
			}
			return e.fresh(op, span{0, n}, a, constant(n))
		}
		if ra.lo >= 0 && rb.lo >= 0 {
			return e.fresh(op, span{0, min(ra.hi, rb.hi)}, a, b)
		}
	}
	return nil
}

// extreme returns the smaller or the larger of two numbers.
func (e *evaluation) extreme(op bytecode.ExprOp, k int, a, b *sum, live bool) *sum {
	way := &e.w.way
	ra, rb := way.span(a), way.span(b)
	d := way.span(plus(a, b, -1))
	first, second := d.lo <= 0, d.hi > 0
	if op == bytecode.ExprMax {
		first, second = d.hi >= 0, d.lo < 0
	}
	e.w.seen(place{e.w.d, e.pc, interp.SiteNo, k, e.expr}, d)
	if first {
		e.note(k, true, live)
	}
	if second {
		e.note(k, false, live)
	}
	switch {
	case !second:
		return a
	case !first:
		return b
	case op == bytecode.ExprMin:
		return e.fresh(op, span{min(ra.lo, rb.lo), min(ra.hi, rb.hi)}, a, b)
	}
	return e.fresh(op, span{max(ra.lo, rb.lo), max(ra.hi, rb.hi)}, a, b)
}

// compare returns the truth of a comparison.
func (e *evaluation) compare(op bytecode.ExprOp, k int, a, b *sum, live bool) *sum {
	way := &e.w.way
	d := way.span(plus(a, b, -1))
	yes := !against(op, d).empty()
	no := !against(opposite[op], d).empty()
	if yes && no && len(way.gaps) > 0 {
		one, other := way.clone(), way.clone()
		yes, no = one.compare(op, plus(a, b, -1), true), other.compare(op, plus(a, b, -1), false)
	}
	switch {
	case !no:
		return e.noteTruth(k, constant(1), live)
	case !yes:
		return e.noteTruth(k, constant(0), live)
	}
	return e.noteTruth(k, e.fresh(op, boolean, a, b), live)
}

// junction returns whether both or either of two conditions hold.
func (e *evaluation) junction(op bytecode.ExprOp, k int, a, b *sum, live bool) *sum {
	way := &e.w.way
	ra, rb := way.span(a), way.span(b)
	sure := func(r span) bool { return !r.has(0) }
	never := func(r span) bool { return r == span{} }
	both := op == bytecode.ExprBoth
	switch {
	case both && (never(ra) || never(rb)), !both && never(ra) && never(rb):
		return e.noteTruth(k, constant(0), live)
	case both && sure(ra) && sure(rb), !both && (sure(ra) || sure(rb)):
		return e.noteTruth(k, constant(1), live)
	}
	// One condition may contradict the other.
	if then := way.clone(); !then.holds(a, both) || !then.holds(b, both) {
		n := int64(1)
		if both {
			n = 0
		}
		return e.noteTruth(k, constant(n), live)
	}
	return e.noteTruth(k, e.fresh(op, boolean, a, b), live)
}

func log2(n int64) (k int) {
	for ; n > 1; n >>= 1 {
		k++
	}
	return k
}
