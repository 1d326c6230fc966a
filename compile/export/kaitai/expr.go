// Expressions: numbers that every language of Kaitai Struct computes alike.

package kaitai

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// condition returns an expression that is true or false.
func (w *writer) condition(t *ktype, e *model.Expr, vals values) string {
	s := w.expr(t, e, vals)
	if e.Bool() {
		return s
	}
	return paren(s) + " != 0"
}

// paren puts an expression in parentheses unless it is a name or is in some already.
func paren(s string) string {
	if !strings.ContainsAny(s, " ?") || inside(s) {
		return s
	}
	return "(" + s + ")"
}

// inside reports whether the parenthesis at the beginning is closed at the end.
func inside(s string) bool {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i == len(s)-1 && c == ')'
		}
	}
	return false
}

func not(s string) string {
	if rest, ok := strings.CutPrefix(s, "not "); ok && inside(rest) {
		return rest[1 : len(rest)-1]
	}
	return "not (" + s + ")"
}

var infix = map[builtin.Op]string{
	builtin.Add: "+", builtin.Sub: "-", builtin.Mul: "*", builtin.Div: "/", builtin.Mod: "%",
	builtin.And: "&", builtin.Xor: "^", builtin.Shl: "<<", builtin.Shr: ">>",
	builtin.Eq: "==", builtin.Ne: "!=", builtin.Lt: "<", builtin.Le: "<=", builtin.Gt: ">", builtin.Ge: ">=",
	builtin.Both: "and", builtin.Either: "or",
}

// number returns an expression that is a number.
func (w *writer) number(t *ktype, e *model.Expr, vals values) string {
	s := w.expr(t, e, vals)
	if e.Bool() {
		return "(" + s + " ? 1 : 0)"
	}
	return s
}

// expr returns an expression: a number, or true or false if e is a condition.
func (w *writer) expr(t *ktype, e *model.Expr, vals values) string {
	number := func(i int) string {
		if a := e.Args[i]; a.Op == builtin.Len && len(e.Args) == 2 && e.Bool() && e.Args[1-i].IsNum(0) {
			if v := vals.texts[a.Cell]; !v.isMarked() {
				return t.ref(v) // a text without characters has no bytes
			}
		}
		return w.number(t, e.Args[i], vals)
	}
	truth := func(i int) string { return w.condition(t, e.Args[i], vals) }
	switch e.Op {
	case builtin.Num:
		if e.Num < -model.MaxExact || e.Num > model.MaxExact {
			w.missing.Add(fmt.Sprintf("the number %d, which is beyond 2^53", e.Num))
		}
		return strconv.FormatInt(e.Num, 10)
	case builtin.Ref:
		return t.ref(vals.regs[e.Reg])
	case builtin.Not:
		return not(truth(0))
	case builtin.Both, builtin.Either:
		return "(" + paren(truth(0)) + " " + infix[e.Op] + " " + paren(truth(1)) + ")"
	case builtin.Neg:
		w.comparable(e)
		return "(0 - " + number(0) + ")"
	case builtin.Min:
		w.comparable(e)
		return fmt.Sprintf("(%s < %s ? %s : %s)", number(0), number(1), number(0), number(1))
	case builtin.Max:
		w.comparable(e)
		return fmt.Sprintf("(%s > %s ? %s : %s)", number(0), number(1), number(0), number(1))
	case model.ExprSelect:
		return fmt.Sprintf("(%s ? %s : %s)", paren(truth(0)), number(1), number(2))
	case model.ExprFit:
		return number(0)
	case model.ExprLeft:
		return "_io.size - _io.pos"
	case model.ExprMore:
		return "_io.pos < _io.size"
	case builtin.Closed:
		return "false"
	case model.ExprEquals:
		v := vals.texts[w.equality(e.Cell, e.Text)]
		if v != nil && v.equals != "" {
			return v.equals
		}
		return t.ref(v) + " == 1"
	case builtin.Len:
		if vals.texts[e.Cell].inLetters() {
			w.missing.Add("the length in bytes of a text that may end before its last byte or begin with a byte order mark")
		}
		return t.ref(vals.texts[e.Cell])
	case builtin.Count:
		if n := w.counts[e.Cell]; n != nil && known(n, vals) {
			return w.number(t, n, vals)
		}
	case builtin.And:
		for i, a := range e.Args {
			if a.Op == builtin.Num {
				return w.masked(e.Args[1-i], number(1-i), a.Num)
			}
		}
		w.bits(e)
	case builtin.Xor:
		w.bits(e)
	case builtin.Shl, builtin.Shr:
		n := e.Args[1]
		if n.Op != builtin.Num || n.Num&63 > 52 {
			if e.Shifts32() {
				break
			}
			w.missing.Add("a shift by more than 52 bits, or by another number of bits than a constant with a result of more than 31 bits")
			return "0"
		}
		by := "*"
		if e.Op == builtin.Shr {
			if by = "/"; e.Args[0].Min < 0 && !unsigned64(e.Args[0]) {
				w.missing.Add("a shift of a negative number")
			}
		}
		w.comparable(e)
		return fmt.Sprintf("(%s %s %d)", paren(number(0)), by, int64(1)<<(n.Num&63))
	case builtin.Div, builtin.Mod:
		return w.divide(e, number(0), number(1))
	}
	if op, ok := infix[e.Op]; ok {
		w.comparable(e)
		return "(" + number(0) + " " + op + " " + number(1) + ")"
	}
	w.missing.Add("the operation " + model.ExprName(e.Op) + " in an expression")
	return "0"
}

// known reports whether the type that is written has the registers of an expression.
func known(e *model.Expr, vals values) bool {
	all := true
	e.Walk(func(x *model.Expr) { all = all && (x.Op != builtin.Ref || vals.regs[x.Reg] != nil) })
	return all
}

// comparable notes that an expression has numbers that some of Kaitai's languages round.
func (w *writer) comparable(e *model.Expr) {
	e.Walk(func(x *model.Expr) {
		exact := func(x *model.Expr) bool { return x.Min >= -model.MaxExact && x.Max <= model.MaxExact }
		switch {
		case exact(x):
		case x.Op == builtin.Mul || x.Op == builtin.Shl || len(x.Args) > 0 && !slices.ContainsFunc(x.Args, func(a *model.Expr) bool { return !exact(a) }):
			w.missing.Add("a computed number that may be beyond 2^53")
		default:
			w.cannot.Add(rounded)
		}
	})
}

// rounded is about numbers of 64 bits.
const rounded = "Numbers beyond 2^53 in conditions and lengths: JavaScript rounds them, and those from 2^63 on count as negative only in octable."

// bits requires operands that an operation of 32 bits takes, which is that of JavaScript.
func (w *writer) bits(e *model.Expr) {
	for _, a := range e.Args {
		if !int32s(a) {
			w.missing.Add(fmt.Sprintf("the operation %v on numbers of more than 32 bits with a sign", e.Op))
		}
	}
}

// int32s reports whether an expression has only numbers of 32 bits with a sign.
func int32s(e *model.Expr) bool { return e.Min >= math.MinInt32 && e.Max <= math.MaxInt32 }

// unsigned64 reports whether an expression is a register that may hold an unsigned number
// of 64 bits. Kaitai has such numbers.
func unsigned64(e *model.Expr) bool { return e.Op == builtin.Ref && e.Min == math.MinInt64 }

// masked returns x & mask: the sum of the runs of bits that the mask has. & itself is of 32
// bits, with a sign, in JavaScript.
func (w *writer) masked(x *model.Expr, text string, mask int64) string {
	if mask == -1 {
		return text
	}
	switch {
	case x.Min >= 0 && x.Max <= math.MaxInt32 && mask >= 0:
		return fmt.Sprintf("(%s & %d)", text, mask&math.MaxInt32)
	case int32s(x) && mask >= 0 && mask <= math.MaxInt32:
		return fmt.Sprintf("(%s & %d)", text, mask)
	}
	if x.Min < 0 && !unsigned64(x) {
		w.missing.Add("bits of a number that may be negative")
		return "0"
	}
	w.comparable(x)
	var runs []string
	rest := uint64(mask)
	if x.Max < math.MaxInt64 { // bits that the number does not have
		rest &= 1<<bits.Len64(uint64(x.Max)) - 1
	}
	for lo := bits.TrailingZeros64(rest); rest != 0; lo = bits.TrailingZeros64(rest) {
		n := bits.TrailingZeros64(^(rest >> lo))
		rest &^= (1<<n - 1) << lo
		if lo > 52 {
			w.missing.Add("bits above the lowest 53 of a number")
			return "0"
		}
		run := paren(text)
		if lo > 0 {
			run = fmt.Sprintf("(%s / %d)", run, int64(1)<<lo)
		}
		if lo+n < 64 && n < 53 {
			run = fmt.Sprintf("(%s %% %d)", run, int64(1)<<n)
		}
		if lo > 0 {
			run = fmt.Sprintf("(%s * %d)", run, int64(1)<<lo)
		}
		runs = append(runs, run)
	}
	switch len(runs) {
	case 0:
		return "0"
	case 1:
		return runs[0]
	}
	return "(" + strings.Join(runs, " + ") + ")"
}

// divide returns a quotient, or a remainder with the sign of the dividend; both are 0 for
// the divisor 0. Kaitai's operations are used for positive numbers only: languages differ
// in others.
func (w *writer) divide(e *model.Expr, a, b string) string {
	w.comparable(e)
	x, y := e.Args[0], e.Args[1]
	magnitude := func(e *model.Expr, text string) string {
		if e.Min >= 0 {
			return paren(text)
		}
		return fmt.Sprintf("(%s < 0 ? 0 - %s : %s)", paren(text), paren(text), paren(text))
	}
	out := fmt.Sprintf("(%s %s %s)", magnitude(x, a), infix[e.Op], magnitude(y, b))
	negative := ""
	if x.Min < 0 {
		negative = paren(a) + " < 0"
	}
	if y.Min < 0 && e.Op == builtin.Div {
		if negative == "" {
			negative = paren(b) + " < 0"
		} else {
			negative = fmt.Sprintf("((%s < 0 and %s >= 0) or (%s >= 0 and %s < 0))", paren(a), paren(b), paren(a), paren(b))
		}
	}
	if negative != "" {
		out = fmt.Sprintf("(%s ? 0 - %s : %s)", negative, out, out)
	}
	if y.Min <= 0 && y.Max >= 0 {
		out = fmt.Sprintf("(%s == 0 ? 0 : %s)", paren(b), out)
	}
	return out
}
