// Expressions and their values for the samples.

package schemas

import (
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// num is an integer that an expression can name.
type num struct {
	name   string
	sample int64
}

// drawExpr draws expressions of numbers and the integers that are known.
type drawExpr struct {
	d      *drawer
	nums   []num
	reader bool       // gates can be asked
	more   []callExpr // functions of a writer
}

// callExpr is the call of a function of a field, with its value for the samples.
type callExpr struct {
	op     builtin.Op
	field  string
	scalar builtin.Scalar
	other  string // Eq, Ne: what the text in the field, which is another one for the samples, is compared with
	sample int64
}

// literal returns the expression of a number.
func literal(n int64) *schema.Expr { return &schema.Expr{Op: builtin.Num, Num: n} }

func ref(name string) *schema.Expr { return &schema.Expr{Op: builtin.Ref, Name: name} }

func operation(op builtin.Op, args ...*schema.Expr) *schema.Expr {
	return &schema.Expr{Op: op, Args: args}
}

// asDrawn prints numbers as they were drawn.
var asDrawn = schema.Notation{Number: func(e *schema.Expr) string {
	if e.Name != "" {
		return e.Name
	}
	return fmt.Sprint(e.Num)
}}

func text(e *schema.Expr) string { return asDrawn.Text(e) }

// binary are the operators between two numbers, from the table of operations.
var binary = func() []builtin.Op {
	var all []builtin.Op
	for op := range builtin.NumOps {
		if o := builtin.Operations[op]; o.Params == 2 && !o.Writer {
			all = append(all, op)
		}
	}
	return all
}()

// draw draws an expression, and returns its value for the samples. Its operations are
// inside of each other up to a depth.
func (x *drawExpr) draw(depth int) (*schema.Expr, int64) {
	s := x.d.source
	if depth <= 0 || !s.chance(60) {
		return x.leaf()
	}
	switch s.n(8) {
	case 6:
		a, v := x.draw(depth - 1)
		op := pick(s, builtin.Neg, builtin.Not)
		v, _ = op.Apply(v, 0)
		return operation(op, a), v
	case 7:
		return x.call()
	}
	op := binary[s.n(len(binary))]
	a, v := x.draw(depth - 1)
	b, w := x.draw(depth - 1)
	v, _ = op.Apply(v, w)
	return operation(op, a, b), v
}

func (x *drawExpr) leaf() (*schema.Expr, int64) {
	s := x.d.source
	if k := s.n(4); k > 0 && len(x.nums) > 0 {
		n := x.nums[len(x.nums)-1-s.n(len(x.nums))]
		return ref(n.name), n.sample
	}
	if x.d.has(fCodes) && s.chance(10) {
		return &schema.Expr{Op: builtin.Num, Name: "'A'"}, 'A'
	}
	if s.chance(5) {
		return x.edge()
	}
	n := pick[int64](s, 0, 1, 2, 3, 5, 7, 10, 255, 256, 1000, 65535, 1<<31-1)
	if n < 1000 {
		n = (n + int64(s.n(4))) % 1000
	}
	return &schema.Expr{Op: builtin.Num, Num: n, Name: x.d.number(n)}, n
}

// edge draws an operation on numbers at the edge of its rule. It is a shift that fills up with zeros or by
// more than the bits of a number, or a division by 0.
func (x *drawExpr) edge() (*schema.Expr, int64) {
	s := x.d.source
	n := 1 + int64(s.n(1000))
	op, a, by := builtin.Shr, x.d.constantOf(-n), 1+int64(s.n(63))
	switch v := -n; s.n(4) {
	case 1:
		op, by = pick(s, builtin.Shl, builtin.Shr), by+64
		v, _ = op.Apply(v, by)
		return operation(op, a, literal(by)), v
	case 2:
		op, a, by = pick(s, builtin.Mod, builtin.Div), literal(n), 0
		v, _ = op.Apply(n, 0)
		return operation(op, a, literal(by)), v
	default:
		v, _ = op.Apply(v, by)
		return operation(op, a, literal(by)), v
	}
}

// call draws the call of a function, or outside.
func (x *drawExpr) call() (*schema.Expr, int64) {
	if x.reader && len(x.d.gates) > 0 && x.d.likely(onGates, 50) {
		return &schema.Expr{Op: builtin.Closed, Gate: &schema.Gate{Name: pick(x.d.source, x.d.gates...)}}, 1
	}
	if len(x.more) == 0 {
		return x.leaf()
	}
	return x.called(pick(x.d.source, x.more...))
}

// called returns the call of a function, or the comparison of a text.
func (x *drawExpr) called(c callExpr) (*schema.Expr, int64) {
	if c.other != "" {
		match := &schema.Expr{Op: builtin.Match, Field: &schema.Field{Name: c.field, Texts: []string{c.other}}}
		return operation(c.op, match, literal(1)), c.sample
	}
	return &schema.Expr{Op: c.op, Field: &schema.Field{Name: c.field}, Scalar: c.scalar}, c.sample
}

// condition draws a condition that holds for the samples if must is set.
func (x *drawExpr) condition(must bool) string {
	depth := 1
	if x.d.has(fExpressions) {
		depth = 3
	}
	e, _ := x.truth(depth, must)
	return text(e)
}

// truth draws a condition with its value.
func (x *drawExpr) truth(depth int, must bool) (*schema.Expr, int64) {
	s := x.d.source
	if depth > 1 && s.chance(40) {
		a, v := x.truth(depth-1, must)
		b, w := x.truth(depth-1, must && s.chance(50))
		op := builtin.Either
		if v != 0 && w != 0 {
			op = pick(s, builtin.Both, builtin.Either)
		} else if !must {
			op = pick(s, builtin.Either, builtin.Both)
		}
		v, _ = op.Apply(v, w)
		return operation(op, a, b), v
	}
	if i := slices.IndexFunc(x.more, func(c callExpr) bool { return c.other != "" && (!must || c.sample != 0) }); i >= 0 && x.reader && s.chance(40) {
		return x.called(x.more[i])
	}
	e, v := x.draw(depth)
	if x.reader && (len(x.more) > 0 && s.chance(20) || len(x.d.gates) > 0 && x.d.likely(onGates, 0)) {
		e, v = x.call()
	}
	op := pick(s, builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge)
	var other int64
	switch {
	case !must:
		other = pick[int64](s, 0, 1, 2, 3, 100)
	case op == builtin.Eq:
		other = v
	case op == builtin.Ne, op == builtin.Lt:
		other = v + 1 + int64(s.n(100))
	case op == builtin.Le:
		other = v + int64(s.n(100))
	case op == builtin.Gt:
		other = v - 1 - int64(s.n(3))
	default:
		other = v - int64(s.n(3))
	}
	holds, _ := op.Apply(v, other)
	if must && holds == 0 { // it is beyond 64 bits
		op, other, holds = builtin.Eq, v, 1
	}
	return operation(op, e, x.d.constantOf(other)), holds
}

// constantOf returns an expression of a number, in a drawn notation.
func (d *drawer) constantOf(n int64) *schema.Expr {
	switch {
	case n >= 0:
		return &schema.Expr{Op: builtin.Num, Num: n, Name: d.number(n)}
	case n == math.MinInt64:
		return &schema.Expr{Op: builtin.Num, Num: n, Name: "0x8000_0000_0000_0000"}
	}
	return operation(builtin.Neg, literal(-n))
}
