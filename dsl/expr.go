// Expressions: numbers, names, sums and conditions.

package dsl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/octable/octable/dsl/builtin"
)

// Expr is an expression. Exactly one of Num, Code, Str, Name, Op and Sub is set. How strongly
// operators bind is in the table of operations of package builtin. An argument of a checksum
// may be a range, whose Op is "..", and may leave out a field: Op "with", and the operands
// range, field and number. The name of a type or a field in it may have dots.
type Expr struct {
	Pos    Pos
	Num    *Num    // a number
	Code   string  // a code of letters, with its quotes
	Str    *Str    // the second operand of == or !=
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
	b.WriteString("Expr = Operand (Operator (Operand | Str))* . // a text after == and != only\n")
	b.WriteString(`Operand = ("-" | "!")? (Num | <code> | Call | ("(" Expr ")")) .` + "\n")
	b.WriteString(`Call = Name (("." Name) | ("(" (Arg ("," Arg)*)? ")"))? .` + "\n")
	b.WriteString(`Arg = Expr (".." Name)? ("with" Path "as" Num)? . // ranges and "with" only in checksums` + "\n")
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

// Names reports whether an expression has a name that is not that of a function.
func (e *Expr) Names() bool {
	return e != nil && (e.Name != nil && !e.IsCall || e.Sub.Names() || slices.ContainsFunc(e.Args, (*Expr).Names))
}

// Calls reports whether an expression has a call of a function.
func (e *Expr) Calls(function string) bool {
	return e != nil && (e.IsCall && e.Name.Text == function || e.Sub.Calls(function) ||
		slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.Calls(function) }))
}

// Alone reports whether an expression is a number or a code without an operation.
func (e *Expr) Alone() bool { return e.Num != nil || e.Code != "" || e.Sub != nil && e.Sub.Alone() }

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
	if t.Value != "if" {
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

// beginsOperand reports whether an operand can begin with a token. Values of different
// sorts of tokens are never equal.
func beginsOperand(t *lexer.Token) bool {
	switch t.Type {
	case numberToken, codeToken, identToken:
		return true
	}
	return t.Value == "(" || t.Value == "-" || t.Value == "!"
}

// parseExpr reads operands with operators between them whose Bind is at least a number.
func parseExpr(lex *lexer.PeekingLexer, least int) (*Expr, error) {
	x, err := parseOperand(lex)
	most := math.MaxInt
	for err == nil {
		op, ok := builtin.OperatorNamed(lex.Peek().Value)
		if !ok {
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
		if t := lex.Peek(); t.Type == stringToken && (op == builtin.Eq || op == builtin.Ne) {
			lex.Next()
			right = &Expr{Pos: t.Pos, Str: &Str{Pos: t.Pos, Text: t.Value}}
		} else {
			right, err = parseExpr(lex, o.Bind+1)
		}
		x = &Expr{Pos: x.Pos, Op: o.Name, Args: []*Expr{x, right}}
	}
	return x, err
}

func parseOperand(lex *lexer.PeekingLexer) (*Expr, error) {
	t := lex.Peek()
	if t.Value != "-" && t.Value != "!" {
		return parsePrimary(lex)
	}
	lex.Next()
	x, err := parsePrimary(lex)
	return &Expr{Pos: t.Pos, Op: t.Value, Args: []*Expr{x}}, err
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
		x.Name = &Name{Pos: t.Pos, Text: t.Value + parseMember(lex, t)}
		if lex.Peek().Value == "(" {
			lex.Next()
			x.IsCall = true
			return x, x.parseArgs(lex)
		}
	case t.Value == "(":
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

// parseMember reads a dot and a name directly after a name, if they are there.
func parseMember(lex *lexer.PeekingLexer, name *lexer.Token) string {
	begin, dot := lex.MakeCheckpoint(), lex.Peek()
	if dot.Value != "." || dot.Pos.Offset != name.Pos.Offset+len(name.Value) {
		return ""
	}
	lex.Next()
	if t := lex.Peek(); t.Type == identToken && t.Pos.Offset == dot.Pos.Offset+1 {
		return "." + lex.Next().Value
	}
	lex.LoadCheckpoint(begin)
	return ""
}

// parseArgs reads the arguments of a call, after its opening parenthesis.
func (e *Expr) parseArgs(lex *lexer.PeekingLexer) error {
	for lex.Peek().Value != ")" || len(e.Args) > 0 {
		a, err := parseArg(lex)
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

// parseArg reads an argument of a call. It is an expression or, in a checksum, a range of
// rows, and a field that does not count.
func parseArg(lex *lexer.PeekingLexer) (*Expr, error) {
	x, err := parseExpr(lex, 1)
	if err == nil && lex.Peek().Value == ".." {
		lex.Next()
		var last *Expr
		last, err = parseToken(lex, identToken)
		x = &Expr{Pos: x.Pos, Op: "..", Args: []*Expr{x, last}}
	}
	if err != nil || lex.Peek().Value != "with" {
		return x, err
	}
	lex.Next()
	x = &Expr{Pos: x.Pos, Op: "with", Args: []*Expr{x}}
	field, err := parseToken(lex, identToken)
	if err == nil {
		for more := "."; more != ""; field.Name.Text += more {
			more = parseMember(lex, &lexer.Token{Value: field.Name.Text, Pos: field.Pos})
		}
		err = expect(lex, "as")
	}
	if err != nil {
		return x, err
	}
	n, err := parseToken(lex, numberToken)
	x.Args = append(x.Args, field, n)
	return x, err
}

// parseToken reads a name or a number, whose token is of a type.
func parseToken(lex *lexer.PeekingLexer, token lexer.TokenType) (*Expr, error) {
	if t := lex.Peek(); t.Type != token {
		return nil, participle.Errorf(t.Pos, "unexpected token %q", t.Value)
	} else if token == numberToken {
		return &Expr{Pos: t.Pos, Num: &Num{Pos: t.Pos, Text: lex.Next().Value}}, nil
	} else {
		return &Expr{Pos: t.Pos, Name: &Name{Pos: t.Pos, Text: lex.Next().Value}}, nil
	}
}

// expect reads a sign or a word.
func expect(lex *lexer.PeekingLexer, sign string) error {
	t := lex.Peek()
	if t.Value != sign {
		return participle.Errorf(t.Pos, "unexpected token %q", t.Value)
	}
	lex.Next()
	return nil
}
