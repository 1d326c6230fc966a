// Printing expressions.

package dsl

import (
	"strconv"

	"github.com/octable/octable/dsl/builtin"
)

// Text prints an expression in the one style of the language. If tight is true, arithmetic
// has no spaces, as in offsets and lengths.
func (e *Expr) Text(tight bool) string { return (&printer{limit: -1}).exprText(e, tight) }

func (p *printer) expr(e *Expr) { p.add(p.exprText(e, false)) }

func (p *printer) exprText(e *Expr, tight bool) string {
	switch {
	case e == nil:
		return ""
	case e.Num != nil:
		return p.token(e.Num.Text)
	case e.Code != "":
		return p.token(e.Code)
	case e.Str != nil:
		return p.token(strconv.Quote(e.Str.Text))
	case e.Sub != nil:
		return p.token("(") + p.exprText(e.Sub, tight) + p.token(")")
	case e.Name != nil:
		s := p.token(e.Name.Text)
		if e.IsCall {
			s += p.token("(") + p.exprList(e.Args, tight) + p.token(")")
		}
		return s
	case e.Op == "..":
		return p.exprText(e.Args[0], tight) + p.token("..") + p.exprText(e.Args[1], tight)
	case e.Op == "with":
		return p.exprText(e.Args[0], tight) + " " + p.token("with") + " " + p.exprText(e.Args[1], tight) +
			" " + p.token("as") + " " + p.exprText(e.Args[2], tight)
	case len(e.Args) == 1:
		return p.token(e.Op) + p.exprText(e.Args[0], tight)
	}
	s := p.exprText(e.Args[0], tight)
	return s + p.operator(e.Op, tight) + p.exprText(e.Args[1], tight)
}

func (p *printer) exprList(list []*Expr, tight bool) string {
	s := ""
	for i, e := range list {
		if i > 0 {
			s += p.token(",") + " "
		}
		s += p.exprText(e, tight)
	}
	return s
}

// operator prints an operator between two operands: arithmetic has no spaces if tight.
func (p *printer) operator(op string, tight bool) string {
	if o, _ := builtin.OperatorNamed(op); tight && builtin.Operations[o].Arithmetic() {
		return p.token(op)
	}
	return " " + p.token(op) + " "
}
