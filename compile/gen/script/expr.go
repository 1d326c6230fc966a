// Expressions and conditions.

package script

import (
	"fmt"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// arithmetic holds the formats of operators that most languages have.
var arithmetic = map[builtin.Op]string{
	builtin.Add: "(%s + %s)", builtin.Sub: "(%s - %s)", builtin.Mul: "(%s * %s)", builtin.Neg: "(-%s)",
	builtin.And: "(%s & %s)", builtin.Xor: "(%s ^ %s)",
}

// Operation prints an expression as a number. print prints the operands. formats holds the
// formats of operators that are missing in arithmetic or differ from it.
func (g *Module) Operation(e *model.Expr, formats map[builtin.Op]string, print func(*model.Expr) string) string {
	if e.Bool() {
		return fmt.Sprintf(g.l.Number, g.Cond(e))
	}
	switch e.Op {
	case builtin.Num:
		return fmt.Sprint(e.Num)
	case builtin.Ref:
		return Reg(e.Reg)
	case model.ExprSelect:
		if Narrow(e) != e {
			return print(Narrow(e))
		}
		return "(" + g.choose(g.Cond(e.Args[0]), print(e.Args[1]), print(e.Args[2])) + ")"
	case model.ExprFit:
		return print(e.Args[0]) // it was tested
	case builtin.Count:
		return g.p.Count(e.Cell)
	case builtin.Total, builtin.Last:
		if _, s := g.Inside(e.Cell); s.Kind != model.Packed {
			return g.p.Literal(0, e)
		}
		return g.p.Integers(e)
	case builtin.Len:
		return g.length(e)
	case builtin.Arm:
		r := g.Function[g.Routines[e.Routine]]
		if g.Record.Type.Fields[e.Cell].Shape.Kind == model.ArmName {
			return g.Fn("name", "number", r) + "(" + Cell(e.Cell) + ")"
		}
		return g.Fn("number", r) + "(" + Cell(e.Cell) + ")"
	case model.ExprValue:
		return g.p.Value(e.Cell)
	case model.ExprMember:
		m := g.MemberOf(e)
		return g.p.Member(m.Type, Cell(e.Cell)+g.l.Access(m.Name))
	case model.ExprFinal:
		return "w.final"
	case model.ExprLeft:
		if g.Record.Writing {
			return "0"
		}
		return "(r.end - r.pos)"
	case model.ExprChosen:
		return "w.chosen(" + Reg(e.Args[0].Reg) + ")"
	}
	var operands []any
	for _, a := range e.Args {
		operands = append(operands, print(a))
	}
	format, ok := formats[e.Op]
	if !ok {
		format = arithmetic[e.Op]
	}
	return fmt.Sprintf(format, operands...)
}

// Narrow returns the expression of a choice between widths that applies: widths are not
// kept. It returns other expressions.
func Narrow(e *model.Expr) *model.Expr {
	if e.Op == model.ExprSelect && e.Args[0].Op == model.ExprExact {
		return Narrow(e.Args[2])
	}
	return e
}

// choose prints one of two expressions.
func (g *Module) choose(cond, yes, no string) string {
	return fmt.Sprintf(g.l.Choose, cond, yes, no)
}

// length prints the number of bytes of a text, 0 if it is absent.
func (g *Module) length(e *model.Expr) string {
	text := g.textName(e.Cell, e.Encoding)
	if !g.Record.Writing {
		text = g.bytes(e.Cell, e.Encoding)
	}
	n := fmt.Sprintf(g.l.Length, text)
	if g.Encodings[e.Encoding].NUL != schema.NULCounted {
		return n
	}
	n = "(" + n + " + 1)"
	if f := g.Record.Type.Fields[e.Cell]; f.Optional { // an absent text has no NUL
		return "(" + g.choose(g.present(Cell(e.Cell), f), n, "0") + ")"
	}
	return n
}

// textName returns the name of the bytes of a text that is written.
func (g *Module) textName(cell, encoding int) string {
	if g.Encodings[encoding].Charset.Verbatim() {
		return fmt.Sprintf("t%d", cell)
	}
	return fmt.Sprintf("t%d_%d", cell, encoding)
}

// MemberOf returns the member of a record that an expression names.
func (g *Module) MemberOf(e *model.Expr) Member {
	return g.Members(g.Record.Type.Fields[e.Cell].Shape.Type)[e.Place]
}

// bytes prints the bytes of a text in an encoding.
func (g *Module) bytes(cell, encoding int) string {
	if g.Encodings[encoding].Charset.Verbatim() {
		return g.Fn("text", "bytes") + "(" + Cell(cell) + ")"
	}
	return g.Fn("charset", "bytes") + "(" + fmt.Sprintf(g.l.Encoding, encoding) + ", " + Cell(cell) + ")"
}

// Cond prints an expression as a condition.
func (g *Module) Cond(e *model.Expr) string {
	switch e.Op {
	case builtin.Num:
		return g.Boolean(e.Num != 0)
	case builtin.Eq, builtin.Ne, builtin.Lt, builtin.Le, builtin.Gt, builtin.Ge:
		return g.p.Compare(e.Op, e.Args[0], e.Args[1])
	case builtin.Both, builtin.Either:
		left, right, word := g.Cond(e.Args[0]), "", g.l.And
		if e.Op == builtin.Either {
			word = g.l.Or
		}
		g.p.Under(e.Args[0], e.Op == builtin.Both, func() { right = g.Cond(e.Args[1]) })
		return "(" + left + word + right + ")"
	case builtin.Not:
		if !e.Args[0].Bool() {
			return g.p.Compare(builtin.Eq, e.Args[0], &model.Expr{Op: builtin.Num})
		}
		return g.not(g.Cond(e.Args[0]))
	case model.ExprMore:
		if !g.Record.Writing {
			return "r.pos < r.end"
		}
		return g.present(Cell(e.Cell), g.Record.Type.Fields[e.Cell])
	case builtin.Present:
		return g.present(Cell(e.Cell), g.Record.Type.Fields[e.Cell])
	case model.ExprEquals:
		x, s := g.Inside(e.Cell)
		if s.Kind != model.Text {
			return g.Boolean(false)
		}
		return fmt.Sprintf(g.l.Same, x, Quote(e.Text))
	case builtin.Outside:
		return g.p.Outside(e)
	case model.ExprWide, model.ExprExact:
		return g.Boolean(false) // widths are not kept
	case builtin.Closed:
		return g.closed(e.Gate)
	case model.ExprSelect:
		if Narrow(e) != e {
			return g.Cond(Narrow(e))
		}
		if e.Args[1].Bool() && e.Args[2].IsNum(0) {
			return "(" + g.Cond(e.Args[0]) + g.l.And + g.Cond(e.Args[1]) + ")"
		}
	}
	return g.p.Compare(builtin.Ne, e, &model.Expr{Op: builtin.Num})
}

func (g *Module) not(cond string) string { return fmt.Sprintf(g.l.Not, "("+cond+")") }

func (g *Module) closed(gate int) string {
	return fmt.Sprintf(g.l.Closed, g.Record.side, 1<<gate)
}

// present prints the condition that a value of a field is there.
func (g *Module) present(x string, f *model.Field) string {
	return fmt.Sprintf(g.l.IsNot, x, g.Absent(f))
}

// absent prints the condition that a value of a field is not there.
func (g *Module) absent(x string, f *model.Field) string {
	return fmt.Sprintf(g.l.Is, x, g.Absent(f))
}

// tested prints the error that a number does not fit its bits, if an expression has such.
func (g *Module) tested(e *model.Expr, rule int) {
	if !g.Record.Writing || e == nil {
		return
	}
	var conds []string
	var walk func(*model.Expr)
	walk = func(x *model.Expr) {
		x = Narrow(x)
		for _, a := range x.Args {
			walk(a)
		}
		if x.Op != model.ExprFit {
			return
		}
		if a := x.Args[0]; !a.Bool() && (a.Op != builtin.Num || a.Num < 0 || a.Num >= 1<<x.Num) {
			conds = append(conds, g.p.Wide(a, x.Num))
		}
	}
	walk(e)
	if conds != nil {
		g.Refuse(strings.Join(conds, g.l.Or), "range", "", rule, "a number that fits its bits", `""`)
	}
}

// ranged prints the error that a number, printed as x, does not fit a scalar.
func (g *Module) ranged(e *model.Expr, x string, s builtin.Scalar, rule int) {
	if e.Fits(s) || s.Width() == 8 {
		return
	}
	lo, hi := model.ScalarBounds(s)
	g.Refuse(g.p.Beyond(e, x, lo, hi), "range", "", rule, "a number that fits "+s.String(), fmt.Sprintf(g.l.String, x))
}
