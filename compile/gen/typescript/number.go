// Numbers are number if no number on the way to the result can be beyond the integers that
// it holds exactly, and bigint, cut to 64 bits, otherwise.

package typescript

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

// small reports whether an expression can be computed with number.
func (p *printer) small(e *model.Expr) bool {
	if e.Bool() {
		return true // its parts decide for themselves
	}
	if e.Op == builtin.Ref {
		return !p.big[e.Reg]
	}
	switch e.Op {
	case model.ExprValue:
		return p.CellType(e.Cell) != "bigint"
	case model.ExprMember:
		return p.MemberOf(e).Type != "bigint"
	}
	if e.Min < -model.MaxExact || e.Max > model.MaxExact {
		return false
	}
	for _, a := range e.Args {
		if !p.small(a) {
			return false
		}
	}
	const word = 1 << 32
	switch a := e.Args; e.Op {
	case model.ExprSelect:
		if n := script.Narrow(e); n != e {
			return p.small(n)
		}
	case builtin.And:
		if m := a[1]; m.Op == builtin.Num {
			return m.Num >= 0 && m.Num < word
		}
		return a[0].Min >= 0 && a[0].Max < word && a[1].Min >= 0 && a[1].Max < word
	case builtin.Xor:
		return a[0].Min >= 0 && a[0].Max < word && a[1].Min >= 0 && a[1].Max < word
	case builtin.Shl, builtin.Shr:
		return e.Shifts32() || a[1].Op == builtin.Num && a[1].Num >= 0 && a[1].Num < 53 && (e.Op == builtin.Shl || a[0].Min >= 0)
	}
	return true
}

// operators holds the formats of operators on numbers that TypeScript lacks or cuts to 32 bits.
var operators = map[builtin.Op]string{
	builtin.Div: "quotient(%s, %s)", builtin.Mod: "remainder(%s, %s)",
	builtin.And: "((%s & %s) >>> 0)", builtin.Xor: "((%s ^ %s) >>> 0)",
	builtin.Shl: "(%s << %s)", builtin.Shr: "(%s >>> %s)",
	builtin.Min: "Math.min(%s, %s)", builtin.Max: "Math.max(%s, %s)",
}

// number prints an expression as a number; it must be small.
func (p *printer) number(e *model.Expr) string {
	switch e.Op {
	case builtin.And:
		switch m := e.Args[1]; {
		case m.IsNum(0xffffffff):
			return "(" + p.number(e.Args[0]) + " >>> 0)"
		case m.Op == builtin.Num && m.Num <= 0x7fffffff:
			return fmt.Sprintf("(%s & %#x)", p.number(e.Args[0]), m.Num)
		}
	case builtin.Shl, builtin.Shr:
		of, by := e.Args[0], e.Args[1]
		switch n := uint(by.Num); {
		case by.Op != builtin.Num: // an operation of 32 bits
		case e.Op == builtin.Shr && of.Max < 1<<32 && n < 32:
			return fmt.Sprintf("(%s >>> %d)", p.number(of), n)
		case e.Op == builtin.Shr:
			return fmt.Sprintf("Math.floor(%s / %d)", p.number(of), int64(1)<<n)
		case of.Op == builtin.Num:
			return fmt.Sprint(of.Num << n)
		default:
			return fmt.Sprintf("(%s * %d)", p.number(of), int64(1)<<n)
		}
	}
	return p.Operation(e, operators, p.number)
}

// bigOperators holds the formats of operators on bigint that TypeScript lacks or does not
// cut to 64 bits.
var bigOperators = map[builtin.Op]string{
	builtin.Add: "BigInt.asIntN(64, %s + %s)", builtin.Sub: "BigInt.asIntN(64, %s - %s)", builtin.Mul: "BigInt.asIntN(64, %s * %s)",
	builtin.Neg: "BigInt.asIntN(64, -%s)", builtin.Div: "BigInt.asIntN(64, bigQuotient(%s, %s))", builtin.Mod: "bigRemainder(%s, %s)",
	builtin.Shl: "BigInt.asIntN(64, %s << (%s & 63n))", builtin.Shr: "BigInt.asIntN(64, BigInt.asUintN(64, %s) >> (%s & 63n))",
	builtin.Min: "minBig(%s, %s)", builtin.Max: "maxBig(%s, %s)",
}

// bigint prints an expression as a bigint of 64 bits.
func (p *printer) bigint(e *model.Expr) string {
	switch {
	case e.Op == builtin.Num:
		return fmt.Sprintf("%dn", e.Num)
	case p.small(e):
		return "BigInt(" + p.number(e) + ")"
	case e.Op == builtin.Ref || e.Op == model.ExprValue || e.Op == model.ExprMember:
		return "BigInt.asIntN(64, " + p.Operation(e, nil, nil) + ")"
	}
	return p.Operation(e, bigOperators, p.bigint)
}

// Print prints an expression in the kind that it has.
func (p *printer) Print(e *model.Expr) string {
	if p.small(e) {
		return p.number(e)
	}
	return p.bigint(e)
}

// Kept prints the expression of a statement as the register that it sets holds it.
func (p *printer) Kept(s *model.Stmt) string {
	switch {
	case p.big[s.Reg]:
		return p.bigint(s.Expr)
	case p.small(s.Expr):
		return p.number(s.Expr)
	}
	return "Number(" + p.bigint(s.Expr) + ")"
}

// Argument prints an argument of a routine.
func (p *printer) Argument(e *model.Expr, exact bool) string {
	switch {
	case exact && p.small(e):
		return p.number(e)
	case exact:
		return "Number(" + p.bigint(e) + ")"
	}
	return p.bigint(e)
}

// Literal prints a number in the kind of an expression.
func (p *printer) Literal(n int64, e *model.Expr) string {
	if p.small(e) {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dn", n)
}

// Compare prints a comparison.
func (p *printer) Compare(op builtin.Op, a, b *model.Expr) string {
	word := " " + op.String() + " "
	if op == builtin.Eq || op == builtin.Ne {
		word = " " + op.String() + "= "
	}
	switch {
	case !p.small(a) || !p.small(b):
		return p.bigint(a) + word + p.bigint(b)
	case op == builtin.Eq || op == builtin.Ne:
		return p.compared(a, p.literals(b)) + word + p.number(b)
	}
	return p.number(a) + word + p.number(b)
}

// Wide prints the condition that a number does not fit its bits.
func (p *printer) Wide(e *model.Expr, bits int64) string {
	if !p.small(e) || bits >= 53 {
		return fmt.Sprintf("BigInt.asUintN(64, %s) >> %dn !== 0n", p.bigint(e), bits)
	}
	v := p.number(e)
	out := fmt.Sprintf("%s >= %d", v, int64(1)<<bits)
	if e.Min < 0 {
		out = v + " < 0 || " + out
	}
	return out
}

// Beyond prints the condition that a number is out of a range.
func (p *printer) Beyond(e *model.Expr, x string, lo, hi int64) string {
	return fmt.Sprintf("%s < %s || %s > %s", x, p.Literal(lo, e), x, p.Literal(hi, e))
}

// Outside prints the condition that a field does not fit a scalar.
func (p *printer) Outside(e *model.Expr) string {
	f, c := p.Record.Type.Fields[e.Cell], script.Cell(e.Cell)
	cond := p.outside(e, f, c)
	if f.Optional && cond != "false" {
		return "(" + c + " !== undefined && " + cond + ")"
	}
	return cond
}

func (p *printer) outside(e *model.Expr, f *model.Field, c string) string {
	lo, hi := model.ScalarBounds(e.Scalar)
	switch typ := p.CellType(e.Cell); {
	case typ == "number" && f.Shape.Scalar().IsFloat():
		if e.Scalar == builtin.F16 {
			return fmt.Sprintf("halfBits(Number(%s)) < 0", c)
		}
		if e.Scalar == builtin.F32 {
			return fmt.Sprintf("Math.fround(Number(%s)) !== %s", c, c)
		}
		return "false"
	case typ == "bigint" && e.Scalar.Width() == 8:
		if e.Scalar.Signed() {
			return c + " > 0x7fffffffffffffffn"
		}
		return c + " < 0n"
	case typ == "bigint":
		return fmt.Sprintf("(%s < %dn || %s > %dn)", c, lo, c, hi)
	case e.Scalar.Width() == 8:
		if e.Scalar.Signed() {
			return "false"
		}
		return c + " < 0"
	}
	return fmt.Sprintf("(%s < %d || %s > %d)", c, lo, c, hi)
}

// Count prints the number of elements of a field.
func (p *printer) Count(cell int) string {
	x, s := p.Inside(cell)
	n := "lengthOf(" + x + ")"
	if s.Kind == model.Packed && s.Width > 1 {
		return fmt.Sprintf("Math.floor(%s / %d)", n, s.Width)
	}
	return n
}

// Integers prints the sum or the last of the integers of a field.
func (p *printer) Integers(e *model.Expr) string {
	x, _ := p.Inside(e.Cell)
	x = e.Op.String() + "Of(" + x + ")"
	if p.small(e) {
		return "Number(" + x + ")"
	}
	return x
}

// Member prints a number in a record as a number.
func (p *printer) Member(typ, x string) string {
	if typ == "boolean" {
		return "(" + x + " ? 1 : 0)"
	}
	return x
}

// Value prints a field as a number.
func (p *printer) Value(cell int) string {
	f, c := p.Record.Type.Fields[cell], script.Cell(cell)
	switch p.CellType(cell) {
	case "boolean":
		return "(" + c + " === true ? 1 : 0)"
	case "string":
		return "codeNumber(" + c + ")"
	case "bigint":
		switch {
		case !p.Record.Tested(cell):
			return "bigOf(" + c + ")"
		case f.Optional:
			return "(" + c + " ?? 0n)"
		}
		return c
	case "number":
		switch {
		case f.Shape.Scalar().IsFloat():
			return "truncated(" + c + ")"
		case !p.Record.Tested(cell):
			return "wholeOf(" + c + ")"
		case f.Optional:
			return "(" + c + " ?? 0)"
		}
		return c
	}
	return "0"
}
