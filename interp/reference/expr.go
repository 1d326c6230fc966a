// Expressions: what a reader knows, and what a writer computes.

package reference

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// known computes an expression of numbers that have been read or written.
func (m *meaning) known(e *schema.Expr, f *frame) int64 { return m.compute(e, f, false) }

// computed computes an expression of a writer, in which stored fields are their values.
func (m *meaning) computed(e *schema.Expr, f *frame) int64 { return m.compute(e, f, true) }

// compute computes an expression. A writer's expression takes a field from the value of
// the record.
func (m *meaning) compute(e *schema.Expr, f *frame, writer bool) int64 {
	v := f.value[e.Field]
	switch e.Op {
	case builtin.Num:
		return e.Num
	case builtin.Ref:
		if writer {
			return m.toWrite(e.Field, f)
		}
		return f.number[e.Field]
	case builtin.Count:
		if k := v.Kind(); k == interp.List || k == interp.Map || k == interp.Packed {
			return int64(v.Len())
		}
		return 0
	case builtin.Len:
		if v.Kind() == interp.Text {
			return int64(v.Len()) + terminator(e.Field.Text)
		}
		return 0
	case builtin.Size:
		return f.size[e.Field]
	case builtin.Arm:
		return m.armNumber(e.Union, v)
	case builtin.Present:
		return truth(v.Kind() != interp.None)
	case builtin.Closed:
		return truth(m.Open>>e.Gate.Index&1 == 0)
	case builtin.Outside:
		return truth(outside(v, e.Scalar))
	case builtin.Keep, builtin.KeepAll:
		if m.KeepWidths {
			return truth(v.Wide() || e.Op == builtin.Keep && outside(v, e.Scalar))
		}
		return m.compute(e.Args[0], f, writer)
	}
	a, b := m.compute(e.Args[0], f, writer), int64(0)
	if len(e.Args) > 1 {
		b = m.compute(e.Args[1], f, writer)
	}
	return operate(e.Op, a, b)
}

// operate computes an operation on one or two numbers. Sums, differences and products
// wrap around. A condition is 1 if it holds, else 0.
func operate(op builtin.Op, a, b int64) int64 {
	switch op {
	case builtin.Add:
		return a + b
	case builtin.Sub:
		return a - b
	case builtin.Mul:
		return a * b
	case builtin.Div, builtin.Mod: // rounded towards 0; both are 0 if b is 0
		switch {
		case b == 0:
			return 0
		case op == builtin.Div:
			return a / b
		}
		return a - a/b*b
	case builtin.And:
		return a & b
	case builtin.Xor:
		return a ^ b
	case builtin.Shl:
		return int64(uint64(a) << (b & 63))
	case builtin.Shr:
		return int64(uint64(a) >> (b & 63))
	case builtin.Neg:
		return -a
	case builtin.Min, builtin.Max:
		if a < b == (op == builtin.Min) {
			return a
		}
		return b
	}
	return truth(map[builtin.Op]bool{
		builtin.Eq: a == b, builtin.Ne: a != b,
		builtin.Lt: a < b, builtin.Le: a <= b, builtin.Gt: a > b, builtin.Ge: a >= b,
		builtin.Both: a != 0 && b != 0, builtin.Either: a != 0 || b != 0, builtin.Not: a == 0,
	}[op])
}

func truth(c bool) int64 {
	if c {
		return 1
	}
	return 0
}

// toWrite returns the number of a field in what a writer computes: that of its value if
// it is stored, else what it is computed from. Other numbers are those written before.
func (m *meaning) toWrite(field *schema.Field, f *frame) int64 {
	switch {
	case field.Param:
	case field.Index >= 0:
		return m.numberOf(field, f)
	case field.Let != nil:
		return m.computed(field.Let, f)
	case field.Derive != nil:
		return m.computed(field.Derive, f)
	}
	return f.number[field]
}

// written returns the number that a writer puts into the row or the bits of a field.
func (m *meaning) written(field *schema.Field, f *frame) int64 {
	if field.Derive != nil {
		return m.computed(field.Derive, f)
	}
	return m.numberOf(field, f)
}

// numberOf returns the number in the value of a stored field. It is 0 if the value is
// not a number.
func (m *meaning) numberOf(field *schema.Field, f *frame) int64 {
	v := f.value[field]
	if field.ArmOf != nil {
		return m.armNumber(field.ArmOf, v)
	}
	switch v.Kind() {
	case interp.Bool, interp.Int, interp.Uint:
		return v.Int()
	case interp.Float:
		return int64(v.Float())
	}
	return 0
}

// armNumber returns the number of the arm that a value is of: 0 if there is no value,
// and -1 if it is not one of the union.
func (m *meaning) armNumber(u *schema.Union, v interp.Value) int64 {
	if v.Kind() == interp.None {
		return 0
	}
	if a := m.tagged(u, v.Tag()); a != nil {
		return int64(a.ID)
	}
	return -1
}

// outside reports whether a scalar cannot hold the number in a value exactly.
func outside(v interp.Value, s builtin.Scalar) bool {
	switch v.Kind() {
	case interp.Float:
		return s == builtin.F32 && float64(float32(v.Float())) != v.Float()
	case interp.Int:
		return !fits(s, v.Int()) || !s.Signed() && v.Int() < 0
	case interp.Uint, interp.Bool:
		return !fits(s, v.Int()) || s.Signed() && v.Int() < 0
	}
	return false
}
