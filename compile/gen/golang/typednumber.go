// Numbers of typed packages: conversions, bounds and conditions.

package golang

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// bounded reports whether a number is known to fit a scalar.
func (g *generator) bounded(x string, s builtin.Scalar) bool {
	ids := g.bounds[x]
	return ids != nil && len(ids.Without(holding(s))) == 0
}

// integers has the scalar with the numbers of each Go type for integers.
var integers = map[string]builtin.Scalar{
	"uint8": builtin.U8, "uint16": builtin.U16, "uint32": builtin.U32, "uint64": builtin.U64,
	"int8": builtin.I8, "int16": builtin.I16, "int32": builtin.I32, "int64": builtin.I64,
}

// outsideOf prints the condition that a scalar does not hold a whole number of a type. It is ""
// if the scalar holds all of them.
func outsideOf(typ string, s builtin.Scalar, x string) string {
	switch {
	case typ == "Integer":
		return fmt.Sprintf("%s.outside(%s)", primary(x), scalarConst(s))
	case typ == "Code":
		typ = "uint32"
	}
	of := integers[typ]
	if of.Signed() == s.Signed() && of.Width() <= s.Width() || !of.Signed() && s.Signed() && of.Width() < s.Width() {
		return ""
	}
	if of.Signed() {
		return fmt.Sprintf("outsideInt(int64(%s), %s)", x, scalarConst(s))
	}
	return fmt.Sprintf("outsideUint(uint64(%s), %s)", x, scalarConst(s))
}

// putReal prints the appending of a real number.
func (p *emitter) putReal(s *model.Stmt, x, typ string) {
	switch {
	case s.Scalar == builtin.F32 && typ == "float32":
		p.put(builtin.U32, s.Swapped, "math.Float32bits("+x+")")
	case s.Scalar == builtin.F32:
		p.put(builtin.U32, s.Swapped, "narrow("+x+")")
	case s.Scalar == builtin.F64:
		p.put(builtin.U64, s.Swapped, "math.Float64bits("+x+")")
	default:
		f := x
		if typ == "float32" {
			f = "widen(math.Float32bits(" + x + "))"
		}
		p.append("half(out, %s, %s, %d)", f, bigConst(s.Swapped), s.Rule)
	}
}

// putNumber prints the appending of a number of a tuple or an array. Its type is that of the
// scalar or holds more.
func (p *emitter) putNumber(s *model.Stmt, x, typ string) {
	if s.Scalar == builtin.F16 && typ == "float32" {
		p.append("halfOf(out, %s, %s, %d)", x, bigConst(s.Swapped), s.Rule)
		return
	}
	if s.Scalar.IsFloat() {
		p.putReal(s, x, typ)
		return
	}
	if cond := outsideOf(typ, s.Scalar, x); cond != "" {
		p.f("if %s {\n%s}\n", cond, p.refuse("misfit(%d, %s, textOf(%s))", s.Rule, scalarConst(s.Scalar), x))
	}
	p.put(s.Scalar, s.Swapped, x)
}

// writeLanes prints the writing of a tuple of numbers.
func (p *emitter) writeLanes(s *model.Stmt, at place) {
	typ := numberType(at.shape)
	for i := range s.Width {
		x := fmt.Sprintf("%s[%d]", primary(at.x), i)
		if p.tuple != "" {
			x = "x." + p.lanes[i]
		}
		p.putNumber(s, x, typ)
	}
}

// writePacked prints the writing of an array of numbers.
func (p *emitter) writePacked(s *model.Stmt, at place) {
	x := at.x
	p.present(s, interp.ArrayOf(s.Width, s.Scalar))
	if n := p.fixed(s); n > 0 && p.run != nil && p.run.at < p.runEnd {
		p.f("if len(%s) != %d {\n%s}\n", x, n, p.refuse("counted(%d, %d, int64(len(%s)))", s.Rule, n, x))
		p.f("*(*[%[1]d]byte)(%[2]s) = [%[1]d]byte(%[3]s)\n", n, p.bytes(n), x)
		return
	}
	if s.End == nil {
		p.countTyped(s, x)
	}
	fill := p.delimit(s)
	switch {
	case isBytes(at.shape):
		p.f("out = append(out, %s...)\n", x)
	case p.storable(s, numberType(at.shape)):
		size := s.Width * s.Scalar.Width()
		b, row, i := p.fresh("b"), p.fresh("row"), p.fresh("i")
		p.f("out = more(out, %[2]d*len(%[3]s))\n%[1]s := out[len(out)-%[2]d*len(%[3]s):]\nfor %[4]s := range %[3]s {\n%[5]s := %[1]s[%[2]d*%[4]s:][:%[2]d]\n", b, size, x, i, row)
		p.run, p.runEnd = &fixedRun{name: row}, size
		p.putNumbers(s, at, fmt.Sprintf("%s[%s]", primary(x), i))
		p.f("}\n")
	default:
		p.f("for i := range %s {\n", x)
		p.putNumbers(s, at, primary(x)+"[i]")
		p.f("}\n")
	}
	p.f("%s", fill)
}

// storable reports whether every number of a type is stored as a number of a fixed width.
func (p *emitter) storable(s *model.Stmt, typ string) bool {
	return !s.Scalar.Odd() && s.Scalar != builtin.F16 && (s.Scalar.IsFloat() || outsideOf(typ, s.Scalar, "") == "")
}

// putNumbers prints the appending of an element of an array.
func (p *emitter) putNumbers(s *model.Stmt, at place, x string) {
	if s.Width == 1 {
		p.putNumber(s, x, numberType(at.shape))
		return
	}
	for k := range s.Width {
		p.putNumber(s, fmt.Sprintf("%s[%d]", x, k), numberType(at.shape))
	}
}

// askTyped prints the number that an operation gives for a cell.
func (g *generator) askTyped(e *model.Expr) string {
	at := g.cells[e.Cell]
	x, s := g.inside(at)
	switch e.Op {
	case builtin.Count:
		switch s.Kind {
		case model.List, model.Map, model.Packed:
			return at.orZero(g.known, "int64(len("+x+"))")
		}
		return "0"
	case builtin.Total, builtin.Last:
		if s.Kind != model.Packed {
			return "0"
		}
		return at.orZero(g.known, e.Op.String()+"Of("+x+")")
	case builtin.Len:
		if s.Kind != model.Text {
			return "0"
		}
		return at.orZero(g.known, g.textLen(e.Encoding, x))
	case builtin.Arm:
		if s.Kind == model.ArmName {
			return at.orZero(g.known, primary(x)+".number()")
		}
		return fmt.Sprintf("number%s(%s)", g.routine[g.m.Routines[e.Routine]], x)
	case model.ExprMember:
		return at.orZero(g.known, g.member(at, e.Place))
	}
	return g.valueOf(at) // model.ExprValue
}

// orZero prints a number of a place, or 0 if its field is absent.
func (p place) orZero(known map[string]bool, number string) string {
	if !p.pointer || known[p.field] {
		return number
	}
	return fmt.Sprintf("func() int64 {\nif %s == nil {\nreturn 0\n}\nreturn %s\n}()", p.field, number)
}

// member prints a number in the record or tuple in a place.
func (g *generator) member(at place, i int) string {
	t := g.record(at.shape)
	x := primary(at.x)
	if lanesOf(t) != nil {
		return g.valueOf(place{x: x + "." + g.fieldNames(t)[i], shape: &model.Shape{Kind: model.Number, Scalars: lanesOf(t).Scalars}})
	}
	return g.valueOf(g.placeIn(x, t, i))
}

// valueOf prints the value of a place as a number.
func (g *generator) valueOf(at place) string {
	x, s := g.inside(at)
	switch s.Kind {
	case model.Bool:
		return at.orZero(g.known, "truth("+x+")")
	case model.Number:
		switch {
		case s.Scalar().IsFloat():
			return at.orZero(g.known, "numberOf(float64("+x+"))")
		case isInteger(s):
			return at.orZero(g.known, "int64("+primary(x)+".Bits)")
		}
		return at.orZero(g.known, "int64("+x+")")
	}
	return "0"
}

// condTyped prints a condition about a cell.
func (g *generator) condTyped(e *model.Expr) string {
	at := g.cells[e.Cell]
	x, s := g.inside(at)
	switch e.Op {
	case builtin.Present, model.ExprMore:
		if at.absent || s.Kind == model.Union {
			return at.field + " != nil"
		}
		return "true"
	case model.ExprWide:
		return "false" // widths are not kept
	}
	cond := "false"
	switch {
	case e.Op == model.ExprEquals:
		if s.Kind == model.Text {
			cond = fmt.Sprintf("%s == %q", x, e.Text)
		}
	case s.Kind == model.Number: // builtin.Outside
		cond = g.outsideNumber(numberType(s), e.Scalar, x)
	}
	if at.pointer && cond != "false" {
		return "(" + at.field + " != nil && " + cond + ")"
	}
	return cond
}

// outsideNumber prints the condition that a scalar does not hold a number of a type exactly.
func (g *generator) outsideNumber(typ string, s builtin.Scalar, x string) string {
	switch {
	case strings.HasPrefix(typ, "float") && s == builtin.F16:
		if typ == "float32" {
			x = "widen(math.Float32bits(" + x + "))"
		}
		return "outsideHalf(" + x + ")"
	case typ == "float64" && s == builtin.F32:
		return fmt.Sprintf("outsideSingle(%s)", x)
	case typ == "float32" && s == builtin.F32:
		return fmt.Sprintf("%s != %s", x, x) // not a number
	case strings.HasPrefix(typ, "float"):
		return "false"
	}
	if cond := outsideOf(typ, s, x); cond != "" {
		return cond
	}
	return "false"
}

// typedNumbers prints the functions that return the numbers of the arms of unions.
func (p *emitter) typedNumbers(r *model.Routine) {
	g := p.g
	p.f("// number%s returns the number of the type of a value of %s: 0 for nil, -1 for a type\n// that the union does not have.\n", g.routine[r], r.Name)
	p.f("func number%s(x %s) int64 {\nswitch x.(type) {\ncase nil:\nreturn 0\n", g.routine[r], g.union[r])
	for _, a := range r.Union.Arms {
		p.f("case %s: return %d\n", g.goType[a.Type], int64(a.ID))
	}
	p.f("}\nreturn -1\n}\n\n")
}
