// Expressions: what a reader knows, and what a writer computes.

package reference

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// use is what an expression is computed for.
type use uint8

const (
	reading   use = iota // a condition, a size or an argument: numbers that have been read or written
	writing              // a number that is written: stored fields are their values
	verifying            // a number that a reader compares: stored fields are their values, and computed ones what was read
)

// known computes an expression of numbers that have been read or written.
func (m *walk) known(e *schema.Expr, f *frame) int64 { return m.compute(e, f, reading) }

// computed computes an expression of a writer, in which stored fields are their values.
func (m *walk) computed(e *schema.Expr, f *frame) int64 { return m.compute(e, f, writing) }

// compute computes an expression for a use.
func (m *walk) compute(e *schema.Expr, f *frame, to use) int64 {
	v := f.value[e.Field]
	switch e.Op {
	case builtin.Num:
		return e.Num
	case builtin.Ref:
		return m.operand(e.Field, f, to)
	case builtin.Count:
		return int64(v.Len()) * truth(v.Kind() == interp.Packed || sequence(v.Kind()))
	case builtin.Total:
		return m.integers(v, 0)
	case builtin.Last:
		return m.integers(v, v.Len()-1)
	case builtin.Match:
		return m.match(e.Field, v)
	case builtin.Len:
		if v.Kind() != interp.Text {
			return 0
		}
		return int64(len(encoded(e.Field.Text, v.Bytes()))) + terminator(e.Field.Text)
	case builtin.Size:
		return f.size[e.Field]
	case builtin.Arm:
		return m.armNumber(e.Union, v)
	case builtin.Present:
		return truth(v.Kind() != interp.None)
	case builtin.Sum:
		return m.checksum(e.Sum, f)
	case builtin.Closed:
		return truth(m.Open>>e.Gate.Index&1 == 0)
	case builtin.Form:
		return m.formOf(e.Forms, f)
	case builtin.Outside:
		return truth(m.outside(v, e.Scalar))
	case builtin.Wide:
		return truth(v.Wide())
	case builtin.Keep:
		return m.compute(e.Args[truth(m.KeepWidths && to == writing)], f, to)
	}
	var args [2]int64
	for i, a := range e.Args {
		args[i] = m.compute(a, f, to)
	}
	return operations[e.Op](args[0], args[1])
}

// operations has the result of each operation on one or two numbers. Sums, differences and products
// wrap around, and quotients are rounded towards 0. A condition is 1 if it holds, else 0.
var operations = map[builtin.Op]func(a, b int64) int64{
	builtin.Add:    func(a, b int64) int64 { return a + b },
	builtin.Sub:    func(a, b int64) int64 { return a - b },
	builtin.Mul:    func(a, b int64) int64 { return a * b },
	builtin.Div:    func(a, b int64) int64 { return divided(a, b) },
	builtin.Mod:    func(a, b int64) int64 { return truth(b != 0) * (a - b*divided(a, b)) },
	builtin.Neg:    func(a, _ int64) int64 { return -a },
	builtin.And:    func(a, b int64) int64 { return a & b },
	builtin.Xor:    func(a, b int64) int64 { return a ^ b },
	builtin.Shl:    func(a, b int64) int64 { return int64(uint64(a) << (b & 63)) },
	builtin.Shr:    func(a, b int64) int64 { return int64(uint64(a) >> (b & 63)) },
	builtin.Min:    func(a, b int64) int64 { return min(a, b) },
	builtin.Max:    func(a, b int64) int64 { return max(a, b) },
	builtin.Eq:     func(a, b int64) int64 { return truth(a == b) },
	builtin.Ne:     func(a, b int64) int64 { return truth(a != b) },
	builtin.Lt:     func(a, b int64) int64 { return truth(a < b) },
	builtin.Le:     func(a, b int64) int64 { return truth(a <= b) },
	builtin.Gt:     func(a, b int64) int64 { return truth(a > b) },
	builtin.Ge:     func(a, b int64) int64 { return truth(a >= b) },
	builtin.Both:   func(a, b int64) int64 { return truth(a != 0 && b != 0) },
	builtin.Either: func(a, b int64) int64 { return truth(a != 0 || b != 0) },
	builtin.Not:    func(a, _ int64) int64 { return truth(a == 0) },
}

// divided returns a quotient: 0 if the divisor is.
func divided(a, b int64) int64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func truth(c bool) int64 {
	if c {
		return 1
	}
	return 0
}

// operand returns the number of a field in an expression. For a writer it is that of its value if
// it is stored, else what it is computed from. A reader compares computed numbers that were read,
// but for those that are there under a condition only.
func (m *walk) operand(field *schema.Field, f *frame, to use) int64 {
	switch {
	case to == reading || field.Param:
	case field.Index >= 0:
		return m.numberOf(field, f)
	case field.Derive != nil && (to == writing || field.Sometimes):
		return m.compute(field.Derive, f, to)
	}
	return f.number[field]
}

// written returns the number that a writer puts into the row or the bits of a field.
func (m *walk) written(field *schema.Field, f *frame) int64 {
	if field.Derive != nil {
		return m.computed(field.Derive, f)
	}
	return m.numberOf(field, f)
}

// numberOf returns the number in the value of a stored field. It is 0 if the value is
// not a number, or is a float beyond 64 bits.
func (m *walk) numberOf(field *schema.Field, f *frame) int64 {
	v := f.value[field]
	if field.ArmOf != nil {
		return m.armNumber(field.ArmOf, v)
	}
	switch v.Kind() {
	case interp.Bool, interp.Int, interp.Uint:
		return v.Int()
	case interp.Float:
		if f := v.Float(); f >= -1<<63 && f < 1<<63 {
			return int64(f)
		}
	}
	return 0
}

// integers returns the sum of the integers of an array from one on, and 0 for other values.
func (m *walk) integers(v interp.Value, from int) (sum int64) {
	if v.Kind() != interp.Packed || v.Width() != 1 || v.Scalar().IsFloat() {
		return 0
	}
	for i := max(from, 0); i < v.Len(); i++ {
		sum += extended(v.Scalar(), v.LaneBits(i))
	}
	return sum
}

// match returns the number of the text of a row among those that it is compared with, or 0.
func (m *walk) match(f *schema.Field, v interp.Value) int64 {
	if v.Kind() != interp.Text {
		return 0
	}
	return int64(slices.Index(f.Texts, v.Text())) + 1
}

// memberOf returns the number in a place of a record or a tuple.
func memberOf(v interp.Value, i int) int64 {
	if v.Kind() == interp.Lanes {
		return extended(v.Scalar(), v.LaneBits(i))
	}
	return v.At(i).Int()
}

// formOf returns the number of the first form that holds the value of the field. If widths are
// kept, the wider one of two forms with bytes is for values that were read in it.
func (m *walk) formOf(n *schema.Forms, f *frame) int64 {
	v, number := f.value[n.Field], m.written(n.Field, f)
	inline := slices.ContainsFunc(n.Rows, func(r *schema.Row) bool { return r.Inline != nil })
	if m.KeepWidths && n.Any && len(n.Rows) == 2 && !inline && v.Wide() {
		return int64(n.Rows[1].IDs[0].Lo)
	}
	selector := n.Selector.Field
	defer func(x int64) { f.number[selector] = x }(f.number[selector]) // it is tried with the number of each form
	for k, row := range n.Rows {
		id := row.IDs[0].Lo
		if row.Inline != nil {
			if row.Inline.Op != builtin.Num {
				f.number[selector] = 0
				id = uint64(number - m.known(row.Inline, f))
			}
			f.number[selector] = int64(id)
			if within(row.IDs, id) && m.known(row.Inline, f) == number {
				return int64(id)
			}
			continue
		}
		if n.Field.Index < 0 || inline { // the number is compared, also that of a value of another kind
			if v = interp.MakeUint(0, uint64(number)); row.Type.Scalar.Signed() {
				v = interp.MakeInt(0, number)
			}
		}
		if k == len(n.Rows)-1 || !m.outside(v, row.Type.Scalar) {
			return int64(id)
		}
	}
	return 0 // unreachable: the last form has a type
}

// armNumber returns the number of the arm to which a value belongs. It returns 0 if there is no
// value, and -1 if the arm is not one of the union.
func (m *walk) armNumber(u *schema.Union, v interp.Value) int64 {
	if v.Kind() == interp.None {
		return 0
	}
	if a := m.tagged(u, v.Tag()); a != nil {
		return int64(a.ID)
	}
	return -1
}

// outside reports whether a scalar cannot hold the number in a value exactly. If widths are
// kept, the scalar that a number was read in holds it, also a NaN.
func (m *walk) outside(v interp.Value, s builtin.Scalar) bool {
	return !(m.KeepWidths && v.Scalar() == s) && outside(v, s)
}

// outside reports whether a scalar cannot hold the number in a value exactly.
func outside(v interp.Value, s builtin.Scalar) bool {
	switch k := v.Kind(); {
	case k == interp.Float && s.IsFloat():
		bits := math.Float64bits(v.Float())
		out, ok := converted(bits, builtin.F64, s)
		return !ok || double(s, out) != bits || s == builtin.F32 && math.IsNaN(v.Float())
	case k == interp.Int || k == interp.Uint || k == interp.Bool:
		return !fits(s, v.Int()) || v.Int() < 0 && s.Signed() != (k == interp.Int)
	}
	return false
}
