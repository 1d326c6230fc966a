// Expressions in Go: numbers are int64, conditions bool.

package golang

import (
	"fmt"
	"math"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/compile/gen/model"
)

// number prints an expression as an int64.
func (g *generator) number(e *model.Expr, side string) string {
	if e.Bool() {
		return "one(" + g.cond(e, side) + ")"
	}
	arg := func(i int) string { return g.number(e.Args[i], side) }
	cell := fmt.Sprintf("c%d", e.Cell)
	switch e.Op {
	case bytecode.ExprNum:
		if e.Num == math.MinInt64 {
			return "math.MinInt64"
		}
		return fmt.Sprint(e.Num)
	case bytecode.ExprReg:
		return fmt.Sprintf("r%d", e.Reg)
	case bytecode.ExprAdd, bytecode.ExprSub, bytecode.ExprMul, bytecode.ExprAnd, bytecode.ExprXor:
		return "(" + arg(0) + e.Op.String() + arg(1) + ")"
	case bytecode.ExprDiv, bytecode.ExprMod:
		if d := e.Args[1]; d.Op == bytecode.ExprNum && d.Num != 0 {
			return "(" + arg(0) + e.Op.String() + arg(1) + ")"
		}
		g.helpers["divide"] = true
		if e.Op == bytecode.ExprMod {
			return "remainder(" + arg(0) + ", " + arg(1) + ")"
		}
		return "quotient(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprShl, bytecode.ExprShr:
		by := arg(1)
		if n := e.Args[1]; n.Op == bytecode.ExprNum {
			by = fmt.Sprint(uint64(n.Num) & 63)
		} else {
			by = "(uint64(" + by + ")&63)"
		}
		if e.Op == bytecode.ExprShl {
			return "(" + arg(0) + "<<" + by + ")"
		}
		if e.Args[0].Min >= 0 {
			return "(" + arg(0) + ">>" + by + ")"
		}
		return "int64(uint64(" + arg(0) + ")>>" + by + ")"
	case bytecode.ExprNeg:
		return "(-" + arg(0) + ")"
	case bytecode.ExprMin:
		return "min(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprMax:
		return "max(" + arg(0) + ", " + arg(1) + ")"
	case bytecode.ExprSelect:
		g.helpers["pick"] = true
		return "pick(" + g.cond(e.Args[0], side) + ", " + arg(1) + ", " + arg(2) + ")"
	case bytecode.ExprFit:
		return arg(0) // which has been tested
	case bytecode.ExprCount:
		return "count(" + cell + ")"
	case bytecode.ExprLen:
		return fmt.Sprintf("textLen(&encodings[%d], %s)", e.Encoding, cell)
	case bytecode.ExprArm:
		return fmt.Sprintf("number%s(%s)", g.routine[g.m.Routines[e.Routine]], cell)
	case bytecode.ExprValue:
		return "number(" + cell + ")"
	}
	panic("golang: expression " + e.Op.String())
}

// cond prints an expression as a bool.
func (g *generator) cond(e *model.Expr, side string) string {
	num := func(i int) string { return g.number(e.Args[i], side) }
	switch e.Op {
	case bytecode.ExprNum:
		if e.Num != 0 {
			return "true"
		}
		return "false"
	case bytecode.ExprEq, bytecode.ExprNe, bytecode.ExprLt, bytecode.ExprLe, bytecode.ExprGt, bytecode.ExprGe:
		return num(0) + " " + e.Op.String() + " " + num(1)
	case bytecode.ExprBoth, bytecode.ExprEither:
		return "(" + g.cond(e.Args[0], side) + " " + e.Op.String() + " " + g.cond(e.Args[1], side) + ")"
	case bytecode.ExprNot:
		if a := e.Args[0]; !a.Bool() {
			return g.number(a, side) + " == 0"
		}
		return "!(" + g.cond(e.Args[0], side) + ")"
	case bytecode.ExprPresent:
		return fmt.Sprintf("c%d.kind != KindNone", e.Cell)
	case bytecode.ExprOutside:
		return fmt.Sprintf("outside(c%d, %s)", e.Cell, scalarConst(e.Scalar))
	case bytecode.ExprWide:
		return fmt.Sprintf("c%d.Wide()", e.Cell)
	case bytecode.ExprExact:
		if side == "w" {
			return "w.wide"
		}
		return "false"
	case bytecode.ExprClosed:
		return fmt.Sprintf("%s.open>>%d&1 == 0", side, e.Gate)
	case bytecode.ExprSelect:
		if e.Args[1].Bool() && e.Args[2].IsNum(0) {
			return "(" + g.cond(e.Args[0], side) + " && " + g.cond(e.Args[1], side) + ")"
		}
	}
	return g.number(e, side) + " != 0"
}

var scalarConsts = [...]string{"noScalar", "scalarU8", "scalarI8", "scalarU16", "scalarI16", "scalarU32", "scalarI32", "scalarU64", "scalarI64", "scalarF32", "scalarF64", "scalarCode"}

func scalarConst(s bytecode.Scalar) string { return scalarConsts[s] }

// fits returns the conditions under which an expression cannot be computed.
func (g *generator) fits(e *model.Expr, side string) []string {
	var out []string
	e.Walk(func(x *model.Expr) {
		if x.Op != bytecode.ExprFit {
			return
		}
		a := x.Args[0]
		if a.Min >= 0 {
			out = append(out, fmt.Sprintf("%s>>%d != 0", g.number(a, side), x.Num))
		} else {
			out = append(out, fmt.Sprintf("uint64(%s)>>%d != 0", g.number(a, side), x.Num))
		}
	})
	return out
}
