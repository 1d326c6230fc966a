// Expressions in Python: numbers are int, cut to 64 bits where they could be more.

package python

import (
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
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
	case bytecode.ExprNum:
		return fmt.Sprint(e.Num)
	case bytecode.ExprReg:
		return fmt.Sprintf("r%d", e.Reg)
	case bytecode.ExprAdd, bytecode.ExprSub, bytecode.ExprMul:
		return cut("(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")")
	case bytecode.ExprDiv:
		g.helpers["divide"] = true
		return cut("(_quotient(" + arg(0) + ", " + arg(1) + "))")
	case bytecode.ExprMod:
		g.helpers["divide"] = true
		return "_remainder(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprAnd, bytecode.ExprXor:
		return "(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")"
	case bytecode.ExprShl:
		if e.Args[1].Op == bytecode.ExprNum {
			return cut(fmt.Sprintf("(%s << %d)", arg(0), uint64(e.Args[1].Num)&63))
		}
		return cut("(" + arg(0) + " << (" + arg(1) + " & 63))")
	case bytecode.ExprShr:
		by := "(" + arg(1) + " & 63)"
		if e.Args[1].Op == bytecode.ExprNum {
			by = fmt.Sprint(uint64(e.Args[1].Num) & 63)
		}
		if e.Args[0].Min >= 0 {
			return "(" + arg(0) + " >> " + by + ")"
		}
		return "_i64((" + arg(0) + " & _M64) >> " + by + ")"
	case bytecode.ExprNeg:
		return cut("(-" + arg(0) + ")")
	case bytecode.ExprMin:
		return "min(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprMax:
		return "max(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprSelect:
		if e.Args[0].Op == bytecode.ExprExact {
			return arg(2)
		}
		return "(" + arg(1) + " if " + g.cond(e.Args[0], side) + " else " + arg(2) + ")"
	case bytecode.ExprFit:
		return arg(0) // which has been tested
	case bytecode.ExprCount:
		g.helpers["length"] = true
		return fmt.Sprintf("_length(c%d)", e.Cell)
	case bytecode.ExprLen:
		n := fmt.Sprintf("len(t%d)", e.Cell)
		if !g.record.writing {
			n = fmt.Sprintf("len(_text_bytes(c%d))", e.Cell)
		}
		if g.m.Encodings[e.Encoding].NUL == schema.NULCounted {
			return "(" + n + " + 1)"
		}
		return n
	case bytecode.ExprArm:
		r := g.m.Routines[e.Routine]
		if g.record.t.Fields[e.Cell].Shape.Kind == model.ArmName {
			return fmt.Sprintf("_name_number_%s(c%d)", g.routine[r], e.Cell)
		}
		return fmt.Sprintf("_number_%s(c%d)", g.routine[r], e.Cell)
	case bytecode.ExprValue:
		return g.value(e.Cell)
	}
	panic("python: expression " + e.Op.String())
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
	case bytecode.ExprNum:
		if e.Num != 0 {
			return "True"
		}
		return "False"
	case bytecode.ExprEq, bytecode.ExprNe, bytecode.ExprLt, bytecode.ExprLe, bytecode.ExprGt, bytecode.ExprGe:
		return num(0) + " " + e.Op.String() + " " + num(1)
	case bytecode.ExprBoth:
		return "(" + g.cond(e.Args[0], side) + " and " + g.cond(e.Args[1], side) + ")"
	case bytecode.ExprEither:
		return "(" + g.cond(e.Args[0], side) + " or " + g.cond(e.Args[1], side) + ")"
	case bytecode.ExprNot:
		if a := e.Args[0]; !a.Bool() {
			return g.number(a, side) + " == 0"
		}
		return "not (" + g.cond(e.Args[0], side) + ")"
	case bytecode.ExprPresent:
		return fmt.Sprintf("c%d is not %s", e.Cell, g.absent(g.record.t.Fields[e.Cell]))
	case bytecode.ExprOutside:
		return g.outside(e)
	case bytecode.ExprWide, bytecode.ExprExact:
		return "False" // widths are not kept
	case bytecode.ExprClosed:
		return fmt.Sprintf("%s.open & %d == 0", side, 1<<e.Gate)
	case bytecode.ExprSelect:
		if e.Args[0].Op == bytecode.ExprExact {
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
		if e.Scalar == bytecode.F32 {
			return fmt.Sprintf("isinstance(%s, (int, float)) and _single(%s) != %s", c, c, c)
		}
		return "False"
	}
	lo, hi := model.ScalarBounds(e.Scalar)
	if e.Scalar == bytecode.U64 {
		return fmt.Sprintf("isinstance(%s, int) and %s < 0", c, c)
	}
	return fmt.Sprintf("isinstance(%s, int) and not %d <= %s <= %d", c, lo, c, hi)
}

// fits returns the conditions under which an expression cannot be computed.
func (g *generator) fits(e *model.Expr, side string) []string {
	var out []string
	var walk func(*model.Expr)
	walk = func(x *model.Expr) {
		if x.Op == bytecode.ExprSelect && x.Args[0].Op == bytecode.ExprExact {
			walk(x.Args[2])
			return
		}
		for _, a := range x.Args {
			walk(a)
		}
		if x.Op != bytecode.ExprFit {
			return
		}
		a := x.Args[0]
		switch {
		case a.Op == bytecode.ExprNum && a.Num >= 0 && a.Num < 1<<x.Num, a.Bool():
		default:
			out = append(out, fmt.Sprintf("not 0 <= %s < %d", g.number(a, side), uint64(1)<<x.Num))
		}
	}
	walk(e)
	return out
}
