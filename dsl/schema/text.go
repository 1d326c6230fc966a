// Printing expressions.

package schema

import (
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// Notation is a way to print expressions. The zero Notation is that of the schema
// language.
type Notation struct {
	Tight  bool                 // no blanks around operators, as in cells of tables
	Number func(e *Expr) string // prints a number; nil prints it in decimal
}

// Text prints an expression, with the parentheses that it needs.
func (n Notation) Text(e *Expr) string { return n.text(e, 0) }

// Place prints the offset cell of a row.
func (n Notation) Place(r *Row) string {
	if r.At == nil {
		return n.Text(r.Offset)
	}
	if r.At.Value == nil {
		return "@"
	}
	s := "@" + n.Text(r.At.Value)
	if r.At.Named {
		s += " from " + r.At.Base.BaseName()
	}
	return s
}

// text prints an expression as an operand of an operator that binds with a strength.
func (n Notation) text(e *Expr, bind int) string {
	op := &builtin.Operations[e.Op]
	switch {
	case e.Op == builtin.Num && e.text != nil:
		return strconv.Quote(e.text.Text)
	case e.Op == builtin.Num && n.Number != nil:
		return n.Number(e)
	case e.Op == builtin.Num:
		return parentheses(strconv.FormatInt(e.Num, 10), bind == unary && e.Num < 0)
	case e.Op == builtin.Ref, e.Op == builtin.Letter:
		return e.Name
	case e.Op == builtin.Match:
		return e.Field.Name
	case e.textual():
		text, _ := e.Literal()
		return parentheses(e.Args[0].Field.Name+" "+op.Name+" "+strconv.Quote(text), bind > comparison)
	case e.Op == builtin.Neg, e.Op == builtin.Not:
		return parentheses(op.Name+n.text(e.Args[0], unary), bind == unary)
	case e.Op == builtin.Outside:
		return parentheses(e.Field.Name+" does not fit "+e.Scalar.String(), bind > 0)
	case e.Op == builtin.Sum:
		return e.Sum.Of.String() + "(" + e.Sum.text() + ")"
	case op.Call:
		return op.Name + "(" + n.operands(e) + ")"
	}
	left := op.Bind
	if left == comparison {
		left++ // which do not follow each other without parentheses
	}
	text := ""
	switch {
	case n.Tight:
		text = n.text(e.Args[0], left) + op.Name + n.text(e.Args[1], op.Bind+1)
	default:
		text = n.text(e.Args[0], left) + " " + op.Name + " " + n.text(e.Args[1], op.Bind+1)
	}
	return parentheses(text, op.Bind < bind)
}

// textual reports whether an expression compares a text with a literal.
func (e *Expr) textual() bool {
	return (e.Op == builtin.Eq || e.Op == builtin.Ne) && e.Args[0].Op == builtin.Match
}

// Literal returns the text with which a comparison compares a row of text; false means that it compares numbers.
func (e *Expr) Literal() (string, bool) {
	if !e.textual() {
		return "", false
	}
	return e.Args[0].Field.Texts[e.Args[1].Num-1], true
}

// The strengths with which comparisons, and signs and negations, bind.
const (
	comparison = 3
	unary      = 6
)

func parentheses(text string, needed bool) string {
	if needed {
		return "(" + text + ")"
	}
	return text
}

// operands prints what a function is called with.
func (n Notation) operands(e *Expr) string {
	switch {
	case e.Op == builtin.Where && e.Num > 0:
		return e.Field.Name + ", " + strconv.FormatInt(e.Num, 10)
	case e.Field != nil:
		return e.Field.Name
	case e.Gate != nil:
		return e.Gate.Name
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, n.text(a, 0))
	}
	return strings.Join(args, ", ")
}
