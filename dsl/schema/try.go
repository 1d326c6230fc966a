// Trying sizes: evaluating what a reader takes of what a writer computed.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Limits of the check of one size.
const (
	maxTry    = 5000 // operations of one evaluation, since definitions may branch
	maxNested = 50   // definitions inside of each other
	maxCases  = 64   // sets of values
)

// trial is the result of trying a size.
type trial struct {
	failed    bool // it cannot be evaluated
	derived   bool // some field in it is computed from the target
	given     bool // it also depends on other values
	wrong     bool // a reader takes got, not want
	want, got int64
}

// try evaluates a size, as a reader does after a writer wrote a value whose target has
// some length, which it must be. A count is the length divided by each. If rows have
// conditions, values are tried for which each of them holds and does not. Of a region the
// length is its bytes.
func (d *deriver) try(size *Expr, target *Field, at way, each int64, lengths []int64, region bool) trial {
	var t trial
	tried := false
	once := func(c *values, n int64) {
		e := &evaluation{d: d, target: target, length: n, each: each, values: c}
		if c.conditions && !e.reached(at) || e.refused(region) {
			return
		}
		e.absent, e.given = false, false
		got := e.eval(size, false, 0)
		if c.given && e.absent {
			return // callers choose arguments for which it is there
		}
		tried, t.failed, t.derived, t.given = true, t.failed || e.failed, t.derived || e.derived, t.given || e.given
		if !t.wrong && got != n {
			t.wrong, t.want, t.got = true, n, got
		}
	}
	all := func(cases []*values) {
		for _, c := range cases {
			for _, n := range lengths {
				if once(c, n); t.failed {
					return
				}
			}
		}
	}
	if all(d.cases(size, at)); !tried {
		all([]*values{{}})
	}
	return t
}

// values are what a caller gives to a writer.
type values struct {
	of         map[question]int64
	conditions bool // rows are there if their conditions hold, else all of them are
	given      bool // some are arguments, which callers restrict
}

// question is what an expression asks: the number of a field or a gate, or what an
// operation gives for it.
type question struct {
	op    builtin.Op
	field *Field
	gate  *Gate
}

// answers returns what a question is tried with, first of all what it is if nothing
// depends on it. Bounds are numbers that it may be compared with.
func (q question) answers(bounds []int64) []int64 {
	lo, hi := int64(0), int64(1)
	switch q.op {
	case builtin.Present:
		return []int64{1, 0}
	case builtin.Ref:
		hi = 1<<63 - 1
		switch n := q.field.Node.(type) {
		case *Bit:
			hi = 1<<min(n.N, 62) - 1
		case *Row:
			if n.Type.Form == Truth {
				hi = 1
			} else if n.Type.Form == Number {
				bits := 8 * n.Type.Scalar.Width()
				if n.Type.Scalar.Signed() {
					lo, bits = -1<<(bits-1), bits-1
				}
				if hi = 1<<min(bits, 62) - 1; n.Type.Coding.Base() > 0 {
					hi = min(hi, int64(min(n.Type.most(), 1<<62)))
				}
			}
		}
	case builtin.Count, builtin.Len, builtin.Size, builtin.Arm:
		hi = 1<<62 - 1
	}
	out := []int64{0}
	for _, b := range append(bounds, 0) {
		for n := b - 1; n <= b+1; n++ {
			if lo <= n && n <= hi && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// cases returns the values to try: those of all fields that decide which rows are there,
// of those that a size is computed from and of the one that has it.
func (d *deriver) cases(size *Expr, at way) []*values {
	s := &search{d: d, seen: map[*Field]bool{}}
	s.expr(size, false)
	for _, st := range at {
		s.expr(st.cond, true)
	}
	if !s.conditions {
		return []*values{{}}
	}
	s.seen = map[*Field]bool{} // definitions that conditions need are gone through again
	for i := 0; i < len(s.conds); i++ {
		s.expr(s.conds[i], true)
	}
	base := &values{of: map[question]int64{}, conditions: true, given: s.given}
	var answers [][]int64
	total := 1
	for _, q := range s.questions {
		a := q.answers(s.bounds)
		answers = append(answers, a)
		base.of[q] = a[0]
		total = min(total*len(a), maxCases+1)
	}
	out := []*values{base}
	for i, q := range s.questions {
		old := out
		if total > maxCases {
			old = out[:1] // one at a time
		}
		for _, v := range old {
			for _, n := range answers[i][1:] {
				c := &values{of: map[question]int64{}, conditions: true, given: s.given}
				for k, x := range v.of {
					c.of[k] = x
				}
				c.of[q] = n
				out = append(out, c)
			}
		}
	}
	return out
}

// search looks for what the rows depend on that a size needs.
type search struct {
	d          *deriver
	seen       map[*Field]bool
	conds      []*Expr
	questions  []question
	bounds     []int64
	conditions bool
	given      bool
}

// expr goes through an expression and the definitions of the fields in it. In a
// condition it notes what the expression asks.
func (s *search) expr(e *Expr, condition bool) {
	switch e.Op {
	case builtin.Num:
		if condition && len(s.bounds) < maxCases && !slices.Contains(s.bounds, e.Num) {
			s.bounds = append(s.bounds, e.Num)
		}
	case builtin.Ref:
		s.field(e.Field, condition)
	case builtin.Count, builtin.Len, builtin.Size, builtin.Present, builtin.Arm, builtin.Outside, builtin.Wide, builtin.Closed:
		if condition {
			s.ask(question{e.Op, e.Field, e.Gate})
		}
	default:
		for _, a := range e.Args {
			s.expr(a, condition)
		}
	}
	s.conditions = s.conditions || condition
}

func (s *search) ask(q question) {
	if !slices.Contains(s.questions, q) {
		s.questions = append(s.questions, q)
	}
}

func (s *search) field(f *Field, condition bool) {
	if f == nil || s.seen[f] {
		return
	}
	s.seen[f] = true
	for _, w := range s.d.ways[f] {
		for _, st := range w {
			s.conditions = true
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
		s.ask(question{op: builtin.Ref, field: f})
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
	unasked bool // some number of a value is not among those that are tried
	failed  bool
	steps   int
}

// reached reports whether the conditions of a way hold, and all that must hold.
func (e *evaluation) reached(at way) bool {
	for _, check := range e.d.checks {
		c := *e
		if c.eval(check.Cond, false, 0) == 0 && !c.failed && !c.unasked {
			return false
		}
	}
	return e.holds(at, 0)
}

// refused reports whether a condition about the target alone does not hold. The length is the
// size of the target if it is a region.
func (e *evaluation) refused(region bool) bool {
	return slices.ContainsFunc(e.d.checks, func(check *Check) bool {
		c := *e
		return (region || !check.Cond.asks(builtin.Size, e.target)) && c.eval(check.Cond, false, 0) == 0 && !c.failed && !c.given && c.derived
	})
}

func (e *evaluation) holds(at way, depth int) bool {
	defer func(given bool) { e.given = given }(e.given)
	for _, st := range at {
		if (e.eval(st.cond, false, depth+1) != 0) != st.want {
			return false
		}
	}
	return true
}

// eval returns the value of an expression, to a reader or in what a writer computes.
func (e *evaluation) eval(x *Expr, writer bool, depth int) int64 {
	if e.steps++; depth > maxNested || e.steps > maxTry || e.failed {
		e.failed = true
		return 0
	}
	switch x.Op {
	case builtin.Num:
		e.failed = e.failed || x.bad
		return x.Num
	case builtin.Ref:
		return e.field(x.Field, writer, depth)
	case builtin.Keep, builtin.Form:
		return e.eval(x.Args[0], writer, depth+1)
	case builtin.Count, builtin.Len, builtin.Size, builtin.Present, builtin.Arm, builtin.Outside, builtin.Wide, builtin.Closed:
		return e.ask(x)
	}
	var n [2]int64
	for i, a := range x.Args {
		if i < len(n) {
			n[i] = e.eval(a, writer, depth+1)
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
	}
	e.given = true
	if n, ok := e.values.of[question{x.Op, x.Field, x.Gate}]; ok {
		return n
	}
	e.unasked = e.unasked || x.Op != builtin.Closed
	if x.Op == builtin.Present {
		return 1
	}
	return 0
}

// field returns the number of a field. It is 0 if the field is not there.
func (e *evaluation) field(f *Field, writer bool, depth int) int64 {
	switch {
	case f == nil:
		e.failed = true
		return 0
	case e.values.conditions && len(e.d.ways[f]) > 0:
		there := slices.ContainsFunc(e.d.ways[f], func(w way) bool { return e.holds(w, depth) })
		if !there {
			e.absent = true
			return 0
		}
	}
	switch row, ok := f.Node.(*Row); {
	case f.Derive != nil:
		return e.eval(f.Derive, true, depth+1)
	case ok && f.Record == nil:
		arm := e.d.rec.Arm
		if arm.Form != nil {
			return e.eval(arm.Form, true, depth+1)
		}
		return int64(arm.FixedID()<<arm.Union.Lo) + e.bits(arm.Bits, depth)
	case ok && f.Index < 0:
		return e.bits(row.Bits, depth)
	}
	e.given = true
	return e.values.of[question{op: builtin.Ref, field: f}]
}

// bits returns the word that a writer makes of bits.
func (e *evaluation) bits(bits []*Bit, depth int) int64 {
	word := int64(0)
	for _, b := range bits {
		word += e.field(b.Field, true, depth) << b.Lo
	}
	return word
}
