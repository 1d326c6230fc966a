// Trying sizes: evaluating what a reader takes of what a writer computed.

package schema

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Limits of the check of one size.
const (
	maxTry   = 5000   // operations of one evaluation, since definitions may branch
	maxCases = 500000 // evaluations for one schema
)

// trial is the result of trying a size.
type trial struct {
	failed    bool // it cannot be evaluated
	derived   bool // some field in it is computed from the target
	given     bool // it also depends on other values
	wrong     bool // a reader takes got, not want
	want, got int64
}

// try evaluates a size, as a reader does after a writer wrote a value. The target of the
// value has some length, which the size must be. A count is the length divided by each.
// If rows have conditions, values are tried for which each of them holds and does not. Of
// a region the length is its bytes.
//
// Values are chosen when an evaluation asks for them, so conditions that do not hold end it
// before what they hide is asked for.
func (d *deriver) try(size *Expr, target *Field, at way, each int64, lengths []int64, region bool) trial {
	s := d.search(size, at)
	if !region {
		lengths = s.lengths(lengths, each)
	}
	t, tried := trial{}, false
	once := func(length int64) *question {
		e := &evaluation{d: d, target: target, length: length, each: each, values: &s.values}
		if s.conditions && !e.reached(at) || e.open == nil && e.refused(region) {
			return e.open
		}
		e.absent, e.given = false, false
		got := e.eval(size, false)
		if e.open != nil || s.given && e.absent {
			return e.open // callers choose arguments for which it is there
		}
		tried, t.failed, t.derived, t.given = true, t.failed || e.failed, t.derived || e.derived, t.given || e.given
		if !t.wrong && got != length {
			t.wrong, t.want, t.got = true, length, got
		}
		return nil
	}
	var visit func(length int64)
	visit = func(length int64) {
		if t.failed || t.wrong && t.derived || d.p.cases > maxCases {
			return
		}
		d.p.cases++
		if q := once(length); q != nil {
			for _, n := range q.answers(s.bounds[*q]) {
				s.of[*q] = n
				visit(length)
			}
			delete(s.of, *q)
		}
	}
	for _, length := range lengths {
		visit(length)
	}
	if d.p.cases > maxCases && !t.failed && !(t.wrong && t.derived) {
		d.p.r.errorf(size.Pos, 1, dsl.CodeInverse, "the sizes up to that of %s depend on more than %d combinations of values", target.Name, maxCases).
			WithHint("let fewer conditions decide which of the fields in a size are there")
	}
	if !tried {
		s.values = values{}
		for _, length := range lengths {
			once(length)
		}
	}
	return t
}

// values are what a caller gives to a writer.
type values struct {
	of         map[question]int64
	asked      []question // what conditions ask
	conditions bool       // rows are there if their conditions hold, else all of them are
	given      bool       // some are arguments, which callers restrict
}

// question is what an expression asks. It is the number of a field or a gate, or
// what an operation gives for it.
type question struct {
	op    builtin.Op
	field *Field
	gate  *Gate
}

// answers returns what a question is tried with, first of all what it is if nothing
// depends on it. Bounds are the numbers that [search] found for it.
func (q question) answers(bounds []int64) []int64 {
	lo, hi := int64(0), int64(1)
	switch q.op {
	case builtin.Present:
		return []int64{1, 0}
	case builtin.Ref:
		hi = math.MaxInt64
		switch n := q.field.Node.(type) {
		case *Bit:
			hi = greatest(n.N)
		case *Row:
			if n.Type.Form == Truth {
				hi = 1 // unreachable: expressions are of integers
			} else if n.Type.Form == Number {
				bits := 8 * n.Type.Scalar.Width()
				if n.Type.Scalar.Signed() {
					lo, bits = -1<<(bits-1), bits-1
				}
				if hi = greatest(bits); n.Type.Coding != builtin.Fixed {
					hi = int64(min(n.Type.most(), uint64(hi)))
				}
			}
		}
	case builtin.Count, builtin.Len, builtin.Size, builtin.Arm:
		hi = math.MaxInt64
	case builtin.Match:
		hi = int64(len(q.field.Texts))
	case builtin.Total, builtin.Last:
		lo, hi = math.MinInt64, math.MaxInt64
	}
	out := []int64{0}
	for _, n := range bounds {
		if lo <= n && n <= hi && n != 0 {
			out = append(out, n)
		}
	}
	return out
}

// greatest returns the greatest number of some bits that an expression can have.
func greatest(bits int) int64 { return math.MaxInt64 >> max(0, 63-bits) }

// search finds what decides which rows are there that a size needs, and the row that has it.
func (d *deriver) search(size *Expr, at way) *search {
	s := &search{d: d, values: values{of: map[question]int64{}}, seen: map[*Field]bool{}, bounds: map[question][]int64{}}
	s.expr(size, false)
	for _, st := range at {
		s.condition(st.cond)
	}
	for i := 0; i < len(s.conds); i++ {
		s.condition(s.conds[i])
	}
	for q, b := range s.bounds {
		slices.Sort(b)
		s.bounds[q] = slices.Compact(b)
	}
	return s
}

// search looks for what the rows depend on that a size needs.
type search struct {
	values
	d       *deriver
	seen    map[*Field]bool
	conds   []*Expr
	bounds  map[question][]int64 // -1, 1 and the numbers of the conditions that ask a question, with their neighbors
	numbers []int64              // of the condition that is gone through
	asks    []question           // by it
}

// lengths adds the numbers that conditions compare with, and their neighbors.
func (s *search) lengths(out []int64, each int64) []int64 {
	first := out
	for _, q := range s.asked {
		for _, b := range s.bounds[q] {
			if uint64(b) < 1<<31 && b%each == 0 && !slices.Contains(first, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// condition goes through a condition and the definitions of the fields in it.
func (s *search) condition(cond *Expr) {
	s.conditions, s.seen, s.numbers, s.asks = true, map[*Field]bool{}, nil, nil
	s.expr(cond, true)
	for _, q := range s.asks {
		if !slices.Contains(s.asked, q) {
			s.asked = append(s.asked, q)
			s.bounds[q] = append(s.bounds[q], -1, 1)
		}
		for _, n := range s.numbers {
			s.bounds[q] = append(s.bounds[q], n-1, n, n+1)
		}
	}
}

// expr goes through an expression and the definitions of the fields in it. In a
// condition it notes what the expression asks.
func (s *search) expr(e *Expr, condition bool) {
	switch e.Op {
	case builtin.Num:
		s.numbers = append(s.numbers, e.Num)
	case builtin.Ref:
		s.field(e.Field, condition)
	case builtin.Count, builtin.Len, builtin.Size, builtin.Present, builtin.Arm, builtin.Outside, builtin.Wide, builtin.Closed, builtin.Total, builtin.Last, builtin.Match:
		if condition {
			s.asks = append(s.asks, question{e.Op, e.Field, e.Gate})
		}
	default:
		for _, a := range e.Args {
			s.expr(a, condition)
		}
	}
}

func (s *search) field(f *Field, condition bool) {
	if f == nil || s.seen[f] {
		return
	}
	s.seen[f] = true
	for _, w := range s.d.ways[f] {
		for _, st := range w {
			if !slices.Contains(s.conds, st.cond) {
				s.conds = append(s.conds, st.cond)
			}
		}
	}
	switch {
	case f.Derive != nil:
		s.expr(f.Derive, condition)
	case condition:
		s.given = s.given || f.Param
		s.asks = append(s.asks, question{op: builtin.Ref, field: f})
	}
}

// evaluation computes expressions for a value whose target has some length.
type evaluation struct {
	d       *deriver
	target  *Field
	length  int64
	each    int64 // bytes of an element that count counts
	values  *values
	derived bool // some field was computed from the target
	absent  bool // some field was not there
	given   bool // some number was neither constant nor computed from the target
	unasked bool // some number is not among those that are tried
	failed  bool
	open    *question // what must be chosen to go on
	steps   int
}

// reached reports whether the conditions of a way hold, and all that must hold. A check of a number that no
// condition asks for holds for some value of it.
func (e *evaluation) reached(at way) bool {
	if !e.holds(at) {
		return false
	}
	for _, check := range e.d.checks {
		c := *e
		c.unasked = false
		holds := c.eval(check.Cond, false) != 0
		if e.open = c.open; e.open != nil || !holds && !c.failed && !c.unasked {
			return false
		}
	}
	return true
}

// refused reports whether a condition about the target alone does not hold. The length is the
// size of the target if it is a region.
func (e *evaluation) refused(region bool) bool {
	return slices.ContainsFunc(e.d.checks, func(check *Check) bool {
		c := *e
		return (region || !check.Cond.asks(builtin.Size, e.target)) && c.eval(check.Cond, false) == 0 && !c.failed && !c.given && c.derived
	})
}

func (e *evaluation) holds(at way) bool {
	defer func(given bool) { e.given = given }(e.given)
	for _, st := range at {
		if (e.eval(st.cond, false) != 0) != st.want || e.open != nil {
			return false
		}
	}
	return true
}

// eval returns the value of an expression, to a reader or in what a writer computes.
func (e *evaluation) eval(x *Expr, writer bool) int64 {
	if e.steps++; e.steps > maxTry {
		e.failed = true
	}
	if e.failed || e.open != nil {
		return 0
	}
	switch x.Op {
	case builtin.Num:
		e.failed = e.failed || x.bad
		return x.Num
	case builtin.Ref:
		return e.field(x.Field, writer)
	case builtin.Keep, builtin.Form:
		return e.eval(x.Args[0], writer)
	case builtin.Count, builtin.Len, builtin.Size, builtin.Present, builtin.Arm, builtin.Outside, builtin.Wide, builtin.Closed, builtin.Total, builtin.Last, builtin.Match:
		return e.ask(x)
	}
	var n [2]int64
	for i, a := range x.Args {
		if i < len(n) {
			n[i] = e.eval(a, writer)
		}
	}
	out, ok := x.Op.Apply(n[0], n[1])
	e.failed = e.failed || !ok
	return out
}

// ask returns what an operation gives for a value. A reader that has the value gets the same.
func (e *evaluation) ask(x *Expr) int64 {
	switch x.Op {
	case builtin.Count, builtin.Len, builtin.Size:
		e.failed = e.failed || x.Field == nil
		if x.Field != nil && x.Field == e.target {
			e.derived = true
			if x.Op == builtin.Count {
				return e.length / e.each
			}
			return e.length
		}
	case builtin.Present:
		if x.Field == e.target { // a row without a value has no size
			return 1
		}
	}
	n, asked := e.answer(question{x.Op, x.Field, x.Gate})
	if !asked && x.Op == builtin.Present {
		return 1
	}
	return n
}

// answer returns what was chosen for a question, and whether conditions ask it.
func (e *evaluation) answer(q question) (n int64, asked bool) {
	e.given = true
	if n, ok := e.values.of[q]; ok {
		return n, true
	}
	if !slices.Contains(e.values.asked, q) {
		e.unasked = true
		return 0, false
	}
	e.open = &q
	return 0, true
}

// field returns the number of a field. It is 0 if the field is not there.
func (e *evaluation) field(f *Field, writer bool) int64 {
	switch {
	case f == nil:
		e.failed = true // unreachable: a field with a mistake has been reported
		return 0
	case e.values.conditions && len(e.d.ways[f]) > 0:
		there := slices.ContainsFunc(e.d.ways[f], e.holds)
		if !there {
			e.absent = true
			return 0
		}
	}
	switch row, ok := f.Node.(*Row); {
	case f.Derive != nil:
		return e.eval(f.Derive, true)
	case ok && f.Record == nil:
		arm := e.d.rec.Arm
		if arm.Form != nil {
			return e.eval(arm.Form, true)
		}
		return int64(arm.FixedID()<<arm.Union.Lo) + e.bits(arm.Bits)
	case ok && f.Index < 0:
		return e.bits(row.Bits)
	}
	n, _ := e.answer(question{op: builtin.Ref, field: f})
	return n
}

// bits returns the word that a writer computes from bits.
func (e *evaluation) bits(bits []*Bit) int64 {
	word := int64(0)
	for _, b := range bits {
		word += e.field(b.Field, true) << b.Lo
	}
	return word
}
