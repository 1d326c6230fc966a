// Expressions in Python: numbers are int, cut to 64 bits where they could be more.

package python

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// number prints an expression as an int.
func (g *generator) number(e *model.Expr, side string) string {
	if e.Bool() {
		return "int(" + g.cond(e, side) + ")"
	}
	arg := func(i int) string { return g.number(e.Args[i], side) }
	cut := func(s string) string {
		if e.Exact() {
			return s
		}
		return "_i64" + s
	}
	switch e.Op {
	case builtin.Num:
		return fmt.Sprint(e.Num)
	case builtin.Ref:
		return fmt.Sprintf("r%d", e.Reg)
	case builtin.Add, builtin.Sub, builtin.Mul:
		return cut("(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")")
	case builtin.Div:
		g.helpers["divide"] = true
		return cut("(_quotient(" + arg(0) + ", " + arg(1) + "))")
	case builtin.Mod:
		g.helpers["divide"] = true
		return "_remainder(" + arg(0) + ", " + arg(1) + ")"
	case builtin.And, builtin.Xor:
		return "(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")"
	case builtin.Shl:
		if e.Args[1].Op == builtin.Num {
			return cut(fmt.Sprintf("(%s << %d)", arg(0), uint64(e.Args[1].Num)&63))
		}
		return cut("(" + arg(0) + " << (" + arg(1) + " & 63))")
	case builtin.Shr:
		by := "(" + arg(1) + " & 63)"
		if e.Args[1].Op == builtin.Num {
			by = fmt.Sprint(uint64(e.Args[1].Num) & 63)
		}
		if e.Args[0].Min >= 0 {
			return "(" + arg(0) + " >> " + by + ")"
		}
		return "_i64((" + arg(0) + " & _M64) >> " + by + ")"
	case builtin.Neg:
		return cut("(-" + arg(0) + ")")
	case builtin.Min:
		return "min(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Max:
		return "max(" + arg(0) + ", " + arg(1) + ")"
	case model.ExprSelect:
		if e.Args[0].Op == model.ExprExact {
			return arg(2)
		}
		return "(" + arg(1) + " if " + g.cond(e.Args[0], side) + " else " + arg(2) + ")"
	case model.ExprFit:
		return arg(0) // which has been tested
	case builtin.Count:
		g.helpers["length"] = true
		return fmt.Sprintf("_length(c%d)", e.Cell)
	case builtin.Len:
		n := fmt.Sprintf("len(t%d)", e.Cell)
		if !g.record.writing {
			n = fmt.Sprintf("len(_text_bytes(c%d))", e.Cell)
		}
		if g.m.Encodings[e.Encoding].NUL == schema.NULCounted {
			return "(" + n + " + 1)"
		}
		return n
	case builtin.Arm:
		r := g.m.Routines[e.Routine]
		if g.record.t.Fields[e.Cell].Shape.Kind == model.ArmName {
			return fmt.Sprintf("_name_number_%s(c%d)", g.routine[r], e.Cell)
		}
		return fmt.Sprintf("_number_%s(c%d)", g.routine[r], e.Cell)
	case model.ExprValue:
		return g.value(e.Cell)
	}
	panic("python: expression " + model.ExprName(e.Op))
}

// value is a field as a number.
func (g *generator) value(cell int) string {
	f := g.record.t.Fields[cell]
	c := fmt.Sprintf("c%d", cell)
	switch g.typeOf(f.Shape) {
	case "bool":
		return "int(" + c + " is True)"
	case "str":
		g.helpers["code"] = true
		return "_code_number(" + c + ")"
	case "int":
		if f.Optional {
			c = "(" + c + " or 0)"
		}
		if f.Shape.Scalar().Width() == 8 {
			return "_i64(" + c + ")"
		}
		return c
	case "float":
		return "int(" + c + ")"
	}
	return "0"
}

// cond prints an expression as a bool.
func (g *generator) cond(e *model.Expr, side string) string {
	num := func(i int) string { return g.number(e.Args[i], side) }
	switch e.Op {
	case builtin.Num:
		if e.Num != 0 {
			return "True"
		}
		return "False"
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge:
		return num(0) + " " + e.Op.String() + " " + num(1)
	case builtin.Both:
		return "(" + g.cond(e.Args[0], side) + " and " + g.cond(e.Args[1], side) + ")"
	case builtin.Either:
		return "(" + g.cond(e.Args[0], side) + " or " + g.cond(e.Args[1], side) + ")"
	case builtin.Not:
		if a := e.Args[0]; !a.Bool() {
			return g.number(a, side) + " == 0"
		}
		return "not (" + g.cond(e.Args[0], side) + ")"
	case builtin.Present:
		return fmt.Sprintf("c%d is not %s", e.Cell, g.absent(g.record.t.Fields[e.Cell]))
	case builtin.Outside:
		return g.outside(e)
	case model.ExprWide, model.ExprExact:
		return "False" // widths are not kept
	case builtin.Closed:
		return fmt.Sprintf("%s.open & %d == 0", side, 1<<e.Gate)
	case model.ExprSelect:
		if e.Args[0].Op == model.ExprExact {
			return g.cond(e.Args[2], side)
		}
		if e.Args[1].Bool() && e.Args[2].IsNum(0) {
			return "(" + g.cond(e.Args[0], side) + " and " + g.cond(e.Args[1], side) + ")"
		}
	}
	return g.number(e, side) + " != 0"
}

func (g *generator) outside(e *model.Expr) string {
	f := g.record.t.Fields[e.Cell]
	c := fmt.Sprintf("c%d", e.Cell)
	if f.Shape.Kind == model.Number && f.Shape.Scalar().IsFloat() {
		if e.Scalar == builtin.F32 {
			return fmt.Sprintf("isinstance(%s, (int, float)) and _single(%s) != %s", c, c, c)
		}
		return "False"
	}
	lo, hi := model.ScalarBounds(e.Scalar)
	if e.Scalar == builtin.U64 {
		return fmt.Sprintf("isinstance(%s, int) and %s < 0", c, c)
	}
	return fmt.Sprintf("isinstance(%s, int) and not %d <= %s <= %d", c, lo, c, hi)
}

// fits returns the conditions under which an expression cannot be computed.
func (g *generator) fits(e *model.Expr, side string) []string {
	var out []string
	var walk func(*model.Expr)
	walk = func(x *model.Expr) {
		if x.Op == model.ExprSelect && x.Args[0].Op == model.ExprExact {
			walk(x.Args[2])
			return
		}
		for _, a := range x.Args {
			walk(a)
		}
		if x.Op != model.ExprFit {
			return
		}
		a := x.Args[0]
		switch {
		case a.Op == builtin.Num && a.Num >= 0 && a.Num < 1<<x.Num, a.Bool():
		default:
			out = append(out, fmt.Sprintf("not 0 <= %s < %d", g.number(a, side), uint64(1)<<x.Num))
		}
	}
	walk(e)
	return out
}
