// Expressions in TypeScript. Numbers are number where nothing on the way to the
// result can be beyond what that holds exactly, and bigint, cut to 64 bits, where it can.

package typescript

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// small reports whether an expression can be computed with number.
func (g *generator) small(e *model.Expr) bool {
	if e.Bool() {
		return true // which its parts decide for themselves
	}
	if e.Op == builtin.Ref {
		return !g.big[e.Reg]
	}
	if e.Op == model.ExprValue {
		return !g.bigCell(e.Cell)
	}
	if e.Min < -model.MaxExact || e.Max > model.MaxExact {
		return false
	}
	for _, a := range e.Args {
		if !g.small(a) {
			return false
		}
	}
	const word = 1 << 32
	switch a := e.Args; e.Op {
	case model.ExprSelect:
		if a[0].Op == model.ExprExact {
			return g.small(a[2])
		}
	case builtin.And:
		if m := a[1]; m.Op == builtin.Num {
			return m.Num >= 0 && m.Num < word
		}
		return a[0].Min >= 0 && a[0].Max < word && a[1].Min >= 0 && a[1].Max < word
	case builtin.Xor:
		return a[0].Min >= 0 && a[0].Max < word && a[1].Min >= 0 && a[1].Max < word
	case builtin.Shl:
		return a[1].Op == builtin.Num && a[1].Num >= 0 && a[1].Num < 53
	case builtin.Shr:
		return a[1].Op == builtin.Num && a[1].Num >= 0 && a[1].Num < 53 && a[0].Min >= 0
	}
	return true
}

// number prints an expression as a number, which must be small.
func (g *generator) number(e *model.Expr, side string) string {
	if e.Bool() {
		return "(" + g.cond(e, side) + " ? 1 : 0)"
	}
	arg := func(i int) string { return g.number(e.Args[i], side) }
	switch e.Op {
	case builtin.Num:
		return fmt.Sprint(e.Num)
	case builtin.Ref:
		return fmt.Sprintf("r%d", e.Reg)
	case builtin.Add, builtin.Sub, builtin.Mul:
		return "(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")"
	case builtin.Div:
		g.helpers["quotient"] = true
		return "quotient(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Mod:
		g.helpers["remainder"] = true
		return "remainder(" + arg(0) + ", " + arg(1) + ")"
	case builtin.And:
		m := e.Args[1]
		switch {
		case m.IsNum(0xffffffff):
			return "(" + arg(0) + " >>> 0)"
		case m.Op == builtin.Num && m.Num <= 0x7fffffff:
			return fmt.Sprintf("(%s & %#x)", arg(0), m.Num)
		}
		return "((" + arg(0) + " & " + arg(1) + ") >>> 0)"
	case builtin.Xor:
		return "((" + arg(0) + " ^ " + arg(1) + ") >>> 0)"
	case builtin.Shl:
		if e.Args[0].Op == builtin.Num {
			return fmt.Sprint(e.Args[0].Num << uint(e.Args[1].Num))
		}
		return fmt.Sprintf("(%s * %d)", arg(0), int64(1)<<uint(e.Args[1].Num))
	case builtin.Shr:
		n := e.Args[1].Num
		if e.Args[0].Max < 1<<32 && n < 32 {
			return fmt.Sprintf("(%s >>> %d)", arg(0), n)
		}
		return fmt.Sprintf("Math.floor(%s / %d)", arg(0), int64(1)<<uint(n))
	case builtin.Neg:
		return "(-" + arg(0) + ")"
	case builtin.Min:
		return "Math.min(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Max:
		return "Math.max(" + arg(0) + ", " + arg(1) + ")"
	case model.ExprSelect:
		if e.Args[0].Op == model.ExprExact {
			return arg(2)
		}
		return "(" + g.cond(e.Args[0], side) + " ? " + arg(1) + " : " + arg(2) + ")"
	case model.ExprFit:
		return arg(0) // which has been tested
	case builtin.Count:
		return g.count(e.Cell)
	case builtin.Len:
		return g.length(e)
	case builtin.Arm:
		return g.armNumber(e)
	case model.ExprValue:
		return g.value(e.Cell)
	}
	panic("typescript: expression " + model.ExprName(e.Op))
}

// bigint prints an expression as a bigint of 64 bits.
func (g *generator) bigint(e *model.Expr, side string) string {
	if e.Op == builtin.Num {
		return fmt.Sprintf("%dn", e.Num)
	}
	if g.small(e) {
		return "BigInt(" + g.number(e, side) + ")"
	}
	arg := func(i int) string { return g.bigint(e.Args[i], side) }
	cut := func(s string) string { return "BigInt.asIntN(64, " + s + ")" }
	switch e.Op {
	case builtin.Ref:
		return fmt.Sprintf("BigInt.asIntN(64, r%d)", e.Reg)
	case builtin.Add, builtin.Sub, builtin.Mul:
		return cut(arg(0) + " " + e.Op.String() + " " + arg(1))
	case builtin.And, builtin.Xor:
		return "(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")"
	case builtin.Div:
		g.helpers["bigQuotient"] = true
		return cut("bigQuotient(" + arg(0) + ", " + arg(1) + ")")
	case builtin.Mod:
		g.helpers["bigRemainder"] = true
		return "bigRemainder(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Shl:
		return cut(arg(0) + " << (" + arg(1) + " & 63n)")
	case builtin.Shr:
		return cut("BigInt.asUintN(64, " + arg(0) + ") >> (" + arg(1) + " & 63n)")
	case builtin.Neg:
		return cut("-" + arg(0))
	case builtin.Min, builtin.Max:
		g.helpers[e.Op.String()] = true
		return e.Op.String() + "Big(" + arg(0) + ", " + arg(1) + ")"
	case model.ExprSelect:
		if e.Args[0].Op == model.ExprExact {
			return arg(2)
		}
		return "(" + g.cond(e.Args[0], side) + " ? " + arg(1) + " : " + arg(2) + ")"
	case model.ExprFit:
		return arg(0)
	case model.ExprValue:
		return "BigInt.asIntN(64, " + g.value(e.Cell) + ")"
	}
	panic("typescript: expression " + model.ExprName(e.Op))
}

// any prints an expression as whichever it is.
func (g *generator) any(e *model.Expr, side string) string {
	if g.small(e) {
		return g.number(e, side)
	}
	return g.bigint(e, side)
}

// register prints the expression of a statement as the register that it sets holds it.
func (g *generator) register(s *model.Stmt, side string) string {
	switch {
	case g.big[s.Reg]:
		return g.bigint(s.Expr, side)
	case g.small(s.Expr):
		return g.number(s.Expr, side)
	}
	return "Number(" + g.bigint(s.Expr, side) + ")"
}

// cond prints an expression as a boolean.
func (g *generator) cond(e *model.Expr, side string) string {
	switch e.Op {
	case builtin.Num:
		return fmt.Sprint(e.Num != 0)
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge:
		op := e.Op.String()
		if op == "==" || op == "!=" {
			op += "="
		}
		a, b := e.Args[0], e.Args[1]
		if g.small(a) && g.small(b) {
			if len(op) == 3 {
				return g.compared(a, g.literals(b), side) + " " + op + " " + g.number(b, side)
			}
			return g.number(a, side) + " " + op + " " + g.number(b, side)
		}
		return g.bigint(a, side) + " " + op + " " + g.bigint(b, side)
	case builtin.Both, builtin.Either:
		left, right := g.cond(e.Args[0], side), ""
		g.under(e.Args[0], e.Op == builtin.Both, func() { right = g.cond(e.Args[1], side) })
		return "(" + left + " " + e.Op.String() + " " + right + ")"
	case builtin.Not:
		if a := e.Args[0]; !a.Bool() {
			if g.small(a) {
				return g.compared(a, []int64{0}, side) + " === 0"
			}
			return g.bigint(a, side) + " === 0n"
		}
		return "!(" + g.cond(e.Args[0], side) + ")"
	case builtin.Present:
		return fmt.Sprintf("c%d !== undefined", e.Cell)
	case builtin.Outside:
		return g.outside(e)
	case model.ExprWide, model.ExprExact:
		return "false" // widths are not kept
	case builtin.Closed:
		return fmt.Sprintf("(%s.open & %d) === 0", side, 1<<e.Gate)
	case model.ExprSelect:
		if e.Args[0].Op == model.ExprExact {
			return g.cond(e.Args[2], side)
		}
		if e.Args[1].Bool() && e.Args[2].IsNum(0) {
			return "(" + g.cond(e.Args[0], side) + " && " + g.cond(e.Args[1], side) + ")"
		}
	}
	if g.small(e) {
		return g.compared(e, []int64{0}, side) + " !== 0"
	}
	return g.bigint(e, side) + " !== 0n"
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
		case a.Op == builtin.Num && a.Num >= 0 && a.Num < 1<<x.Num:
		case g.small(a) && x.Num < 53:
			v := g.number(a, side)
			if a.Min >= 0 {
				out = append(out, fmt.Sprintf("%s >= %d", v, int64(1)<<x.Num))
			} else {
				out = append(out, fmt.Sprintf("%s < 0 || %s >= %d", v, v, int64(1)<<x.Num))
			}
		default:
			out = append(out, fmt.Sprintf("BigInt.asUintN(64, %s) >> %dn !== 0n", g.bigint(a, side), x.Num))
		}
	}
	walk(e)
	return out
}
