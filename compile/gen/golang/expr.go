// Expressions in Go: numbers are int64, conditions bool.

package golang

import (
	"fmt"
	"math"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// refused returns the description of a condition that does not hold.
func (g *generator) refused(s *model.Stmt, side string) string {
	if len(s.Args) > 0 {
		return fmt.Sprintf("refusedText(%q, int64(%s))", s.Text, g.number(s.Args[0], side))
	}
	return fmt.Sprintf("%q", s.Text)
}

// number prints an expression as an int64.
func (g *generator) number(e *model.Expr, side string) string {
	if e.Bool() {
		return "truth(" + g.cond(e, side) + ")"
	}
	if g.typed && e.OfCell() {
		return g.askTyped(e)
	}
	arg := func(i int) string { return g.number(e.Args[i], side) }
	cell := fmt.Sprintf("c%d", e.Cell)
	switch e.Op {
	case builtin.Num:
		if e.Num == math.MinInt64 {
			return "math.MinInt64"
		}
		return fmt.Sprint(e.Num)
	case builtin.Ref:
		return fmt.Sprintf("r%d", e.Reg)
	case model.ExprFinal:
		return "int64(w.final)"
	case model.ExprLeft:
		if side != "r" {
			return "0"
		}
		return "int64(r.end - r.pos)"
	case builtin.Add, builtin.Sub, builtin.Mul, builtin.And, builtin.Xor:
		if e.Op == builtin.Add && e.Args[0].IsNum(0) {
			return arg(1)
		}
		return "(" + arg(0) + " " + e.Op.String() + " " + arg(1) + ")"
	case builtin.Div, builtin.Mod:
		if d := e.Args[1]; d.Op == builtin.Num && d.Num != 0 {
			return "(" + arg(0) + e.Op.String() + arg(1) + ")"
		}
		g.helpers["divide"] = true
		if e.Op == builtin.Mod {
			return "remainder(" + arg(0) + ", " + arg(1) + ")"
		}
		return "quotient(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Shl, builtin.Shr:
		of, by := arg(0), arg(1)
		if e.Args[0].Op == builtin.Num { // which would have the type of the context
			of = "int64(" + of + ")"
		}
		if n := e.Args[1]; n.Op == builtin.Num {
			by = fmt.Sprint(uint64(n.Num) & 63)
		} else {
			by = "(uint64(" + by + ")&63)"
		}
		if e.Op == builtin.Shl {
			return "(" + of + "<<" + by + ")"
		}
		if e.Args[0].Min >= 0 {
			return "(" + of + ">>" + by + ")"
		}
		return "int64(" + g.unsigned(e.Args[0], side) + ">>" + by + ")"
	case builtin.Neg:
		return "(-" + arg(0) + ")"
	case builtin.Min:
		return "min(" + arg(0) + ", " + arg(1) + ")"
	case builtin.Max:
		return "max(" + arg(0) + ", " + arg(1) + ")"
	case model.ExprSelect:
		if g.typed && e.Args[0].Op == model.ExprExact {
			return arg(2) // widths are not kept
		}
		g.helpers["pick"] = true
		return "pick(" + g.cond(e.Args[0], side) + ", " + arg(1) + ", " + arg(2) + ")"
	case model.ExprFit:
		return arg(0) // which has been tested
	case builtin.Count:
		return "elementCount(" + cell + ")"
	case builtin.Total:
		return "totalOf(" + cell + ")"
	case builtin.Last:
		return "lastOf(" + cell + ")"
	case builtin.Len:
		return g.textLen(e.Encoding, cell)
	case builtin.Arm:
		return fmt.Sprintf("number%s(%s)", g.routine[g.m.Routines[e.Routine]], cell)
	case model.ExprValue:
		return "number(" + cell + ")"
	case model.ExprMember:
		return fmt.Sprintf("memberOf(%s, %d)", cell, e.Place)
	case model.ExprChosen:
		return "int64(w.heldFor(uint64(" + arg(0) + ")))"
	}
	panic("golang: expression " + model.ExprName(e.Op))
}

// textLen prints the bytes that a text takes.
func (g *generator) textLen(encoding int, cell string) string {
	name := "textLen"
	if e := g.m.Encodings[encoding]; g.typed && e.Charset.Verbatim() && e.NUL != schema.NULCounted {
		return "int64(len(" + cell + "))"
	}
	if !g.m.Encodings[encoding].Charset.Verbatim() {
		name = "encodedLen"
	}
	return fmt.Sprintf("%s(&encodings[%d], %s)", name, encoding, cell)
}

// unsigned prints an expression as the uint64 with the same bits.
func (g *generator) unsigned(e *model.Expr, side string) string {
	if e.Op == builtin.Num { // Go converts no negative constant
		return fmt.Sprintf("uint64(%#x)", uint64(e.Num))
	}
	return "uint64(" + g.number(e, side) + ")"
}

// cond prints an expression as a bool.
func (g *generator) cond(e *model.Expr, side string) string {
	num := func(i int) string { return g.number(e.Args[i], side) }
	if e.Op == model.ExprMore && side == "r" {
		return "r.pos < r.end"
	}
	if g.typed && e.OfCell() && e.Bool() {
		return g.condTyped(e)
	}
	switch e.Op {
	case builtin.Num:
		if e.Num != 0 {
			return "true"
		}
		return "false"
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge:
		return num(0) + " " + e.Op.String() + " " + num(1)
	case builtin.Both, builtin.Either:
		return "(" + g.cond(e.Args[0], side) + " " + e.Op.String() + " " + g.cond(e.Args[1], side) + ")"
	case builtin.Not:
		if a := e.Args[0]; !a.Bool() {
			return g.number(a, side) + " == 0"
		}
		return "!(" + g.cond(e.Args[0], side) + ")"
	case builtin.Present, model.ExprMore:
		return fmt.Sprintf("c%d.kind != KindNone", e.Cell)
	case model.ExprEquals:
		return fmt.Sprintf("isText(c%d, %q)", e.Cell, e.Text)
	case builtin.Outside:
		return fmt.Sprintf("w.outside(c%d, %s)", e.Cell, scalarConst(e.Scalar))
	case model.ExprWide:
		return fmt.Sprintf("c%d.Wide()", e.Cell)
	case model.ExprExact:
		if side == "w" && !g.typed {
			return "w.wide"
		}
		return "false"
	case builtin.Closed:
		return fmt.Sprintf("%s.open>>%d&1 == 0", side, e.Gate)
	case model.ExprSelect:
		if e.Args[1].Bool() && e.Args[2].IsNum(0) {
			return "(" + g.cond(e.Args[0], side) + " && " + g.cond(e.Args[1], side) + ")"
		}
	}
	return g.number(e, side) + " != 0"
}

// scalarConst returns the name of a scalar in generated packages.
func scalarConst(s builtin.Scalar) string {
	switch s {
	case builtin.NoScalar:
		return "noScalar"
	case builtin.Code4:
		return "scalarCode"
	}
	return "scalar" + strings.ToUpper(s.String())
}

// codingConst returns the constant of a coding.
func codingConst(c builtin.Coding) string { return "coding" + strings.ToUpper(c.String()) }

// codingCall prints a coding as arguments of functions whose names begin with a word.
func codingCall(c builtin.Coding) (word, args string) {
	switch {
	case c.End() != "":
		return "ended", endedArgs(c)
	case c.InDigits():
		return "digits", digitsArgs(c)
	}
	return "coded", codingConst(c)
}

// endedArgs prints the alphabet and the terminator of digits, and whether they have a sign.
func endedArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %q, %t", c.Alphabet(), c.End(), c.Signed())
}

// digitsArgs prints the alphabet, the number, the side and the fill of digits.
func digitsArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %d, %q, %q", c.Alphabet(), c.Digits(), c.Side(), c.Fill())
}

// bigConst prints whether numbers have their highest byte first.
func bigConst(swapped bool) string {
	if swapped {
		return "!bigEndian"
	}
	return "bigEndian"
}

// fits returns the conditions under which an expression cannot be computed.
func (g *generator) fits(e *model.Expr, side string) []string {
	var out []string
	e.Walk(func(x *model.Expr) {
		if x.Op != model.ExprFit {
			return
		}
		a := x.Args[0]
		if g.typed && g.inBits(a, x.Num) {
			return
		}
		if a.Min >= 0 {
			out = append(out, fmt.Sprintf("%s>>%d != 0", g.number(a, side), x.Num))
		} else {
			out = append(out, fmt.Sprintf("%s>>%d != 0", g.unsigned(a, side), x.Num))
		}
	})
	return out
}

// inBits reports whether the type of a field holds no number of more than n bits.
func (g *generator) inBits(e *model.Expr, n int64) bool {
	if e.Op != model.ExprValue {
		return false
	}
	switch _, s := g.inside(g.cells[e.Cell]); s.Kind {
	case model.Bool:
		return n >= 1
	case model.Number:
		of, ok := integers[numberType(s)]
		return ok && !of.Signed() && int64(8*of.Width()) <= n
	}
	return false
}

// unless prints the condition that another one does not hold.
func unless(cond string) string {
	if rest, ok := strings.CutPrefix(cond, "!("); ok && strings.HasSuffix(rest, ")") {
		depth := 1
		for i, c := range rest {
			switch c {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				if i == len(rest)-1 {
					return rest[:i]
				}
				break
			}
		}
	}
	return "!(" + cond + ")"
}
