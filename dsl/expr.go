// Expressions: numbers, names, sums and conditions.

package dsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/octable/octable/dsl/builtin"
)

// Expr is an expression. Exactly one of Num, Code, Name, Op and Sub is set. How strongly
// operators bind is in the table of operations of package builtin.
type Expr struct {
	Pos    Pos
	Num    *Num    // a number
	Code   string  // a code of letters, with its quotes
	Name   *Name   // a name, or a function if IsCall is true
	IsCall bool    // the name has parentheses after it
	Op     string  // an operator before its operand, or between its operands
	Args   []*Expr // the operands of an operator, or the arguments of a function
	Sub    *Expr   // an expression in parentheses
}

// exprGrammar is the part of the grammar that [Expr.Parse] and [When.Parse] read.
var exprGrammar = func() string {
	levels := map[int][]string{}
	var binds []int
	for _, o := range builtin.Operations {
		if o.Bind == 0 {
			continue
		}
		if levels[o.Bind] == nil {
			binds = append(binds, o.Bind)
		}
		levels[o.Bind] = append(levels[o.Bind], fmt.Sprintf("%q", o.Name))
	}
	slices.Sort(binds)
	var b strings.Builder
	b.WriteString("When = \"if\" Expr . // without { after it\n")
	b.WriteString("Expr = Operand (Operator Operand)* .\n")
	b.WriteString(`Operand = ("-" | "!")? (Num | <code> | Call | ("(" Expr ")")) .` + "\n")
	b.WriteString(`Call = Name ("(" (Expr ("," Expr)*)? ")")? .` + "\n")
	b.WriteString("Operator = // each line binds more strongly than the one before; comparisons are not chained\n")
	for i, bind := range binds {
		b.WriteString("    ")
		if i > 0 {
			b.WriteString("| ")
		}
		b.WriteString(strings.Join(levels[bind], " | ") + "\n")
	}
	b.WriteString("    .")
	return b.String()
}()

// Parse reads an expression. It implements [participle.Parseable].
func (e *Expr) Parse(lex *lexer.PeekingLexer) error {
	if !beginsOperand(lex.Peek()) {
		return participle.NextMatch
	}
	x, err := parseExpr(lex, 1)
	if err == nil {
		*e = *x
	}
	return err
}

// Parse reads a condition of a row. It implements [participle.Parseable].
func (w *When) Parse(lex *lexer.PeekingLexer) error {
	begin, t := lex.MakeCheckpoint(), lex.Peek()
	if t.Type != identToken || t.Value != "if" {
		return participle.NextMatch
	}
	lex.Next()
	cond, err := parseExpr(lex, 1)
	if err != nil {
		return err
	}
	if lex.Peek().Value == "{" {
		lex.LoadCheckpoint(begin)
		return participle.NextMatch
	}
	w.Pos, w.Cond = t.Pos, cond
	return nil
}

func beginsOperand(t *lexer.Token) bool {
	switch t.Type {
	case numberToken, codeToken, identToken:
		return true
	}
	return t.Type == opToken && (t.Value == "(" || t.Value == "-" || t.Value == "!")
}

// parseExpr reads operands with operators between them that bind at least so strongly.
func parseExpr(lex *lexer.PeekingLexer, least int) (*Expr, error) {
	x, err := parseOperand(lex)
	most := 1 << 10
	for err == nil {
		t := lex.Peek()
		op, ok := builtin.OperatorNamed(t.Value)
		if !ok || t.Type != opToken && t.Type != identToken {
			break
		}
		o := &builtin.Operations[op]
		if o.Bind < least || o.Bind > most {
			break
		}
		if o.Compares() {
			most = o.Bind - 1
		}
		lex.Next()
		var right *Expr
		right, err = parseExpr(lex, o.Bind+1)
		x = &Expr{Pos: x.Pos, Op: o.Name, Args: []*Expr{x, right}}
	}
	return x, err
}

func parseOperand(lex *lexer.PeekingLexer) (*Expr, error) {
	t := lex.Peek()
	x := &Expr{Pos: t.Pos}
	if t.Type == opToken && (t.Value == "-" || t.Value == "!") {
		lex.Next()
		inner, err := parsePrimary(lex)
		x.Op, x.Args = t.Value, []*Expr{inner}
		return x, err
	}
	return parsePrimary(lex)
}

func parsePrimary(lex *lexer.PeekingLexer) (*Expr, error) {
	t := lex.Peek()
	x := &Expr{Pos: t.Pos}
	switch {
	case t.Type == numberToken:
		lex.Next()
		x.Num = &Num{Pos: t.Pos, Text: t.Value}
	case t.Type == codeToken:
		lex.Next()
		x.Code = t.Value
	case t.Type == identToken:
		lex.Next()
		x.Name = &Name{Pos: t.Pos, Text: t.Value}
		if lex.Peek().Value == "(" && lex.Peek().Type == opToken {
			lex.Next()
			x.IsCall = true
			return x, x.parseArgs(lex)
		}
	case t.Type == opToken && t.Value == "(":
		lex.Next()
		var err error
		if x.Sub, err = parseExpr(lex, 1); err == nil {
			err = expect(lex, ")")
		}
		return x, err
	default:
		return x, participle.Errorf(t.Pos, "unexpected token %q", t.Value)
	}
	return x, nil
}

// parseArgs reads the arguments of a call, after its opening parenthesis.
func (e *Expr) parseArgs(lex *lexer.PeekingLexer) error {
	for lex.Peek().Value != ")" || len(e.Args) > 0 {
		a, err := parseExpr(lex, 1)
		if err != nil {
			return err
		}
		e.Args = append(e.Args, a)
		if lex.Peek().Value != "," {
			break
		}
		lex.Next()
	}
	return expect(lex, ")")
}

// expect reads a sign.
func expect(lex *lexer.PeekingLexer, sign string) error {
	t := lex.Peek()
	if t.Type != opToken || t.Value != sign {
		return participle.Errorf(t.Pos, "unexpected token %q", t.Value)
	}
	lex.Next()
	return nil
}
