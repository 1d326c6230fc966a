// Expressions of schemas in words.

package docs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// precedence is how strongly operators bind.
var precedence = map[schema.NodeOp]int{"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, schema.OpOutside: 3,
	"+": 4, "-": 4, "^": 4, "*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5}

// expr prints an expression; tight is without blanks, for offsets and lengths.
func (b *builder) expr(e *dsl.Expr, tight bool) string {
	return b.node(schema.Fold(e), tight, 0)
}

func (b *builder) node(n *schema.Node, tight bool, level int) string {
	blank := " "
	if tight {
		blank = ""
	}
	switch n.Op {
	case schema.OpNum:
		if b.letters {
			return letters(uint64(n.Num))
		}
		if !tight && (n.Num > 0xffff || n.Num < -0xffff) {
			return fmt.Sprintf("%#x", uint64(n.Num))
		}
		return strconv.FormatInt(n.Num, 10)
	case schema.OpName:
		if v, ok := b.s.Constant(n.Name.Text); ok {
			return strconv.FormatInt(v, 10)
		}
		return n.Name.Text
	case schema.OpNeg:
		return "-" + b.node(n.Args[0], tight, 9)
	case schema.OpNot:
		return "!" + b.node(n.Args[0], tight, 9)
	case schema.OpCall:
		var args []string
		for _, a := range n.Args {
			args = append(args, b.node(a, tight, 0))
		}
		return n.Name.Text + "(" + strings.Join(args, ", ") + ")"
	case schema.OpOutside:
		return b.node(n.Args[0], tight, 4) + " does not fit " + scalarWords(n.Name.Text)
	}
	p := precedence[n.Op]
	text := b.node(n.Args[0], tight, p) + blank + string(n.Op) + blank + b.node(n.Args[1], tight, p+1)
	if p < level {
		return "(" + text + ")"
	}
	return text
}

// letters returns a number as the four letters that it stands for.
func letters(u uint64) string {
	return "'" + string([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}) + "'"
}

// scalarWords says what a scalar is.
func scalarWords(name string) string {
	s, ok := bytecode.ScalarNamed(name)
	switch {
	case !ok:
		return name
	case s == bytecode.F32:
		return "single precision"
	case s == bytecode.F64:
		return "double precision"
	case s.Signed():
		return fmt.Sprintf("%d bits with sign", 8*s.Width())
	}
	return fmt.Sprintf("%d bits without sign", 8*s.Width())
}

// condition says in words when something is there. Flags are the bits that are
// either set or not.
func (b *builder) condition(n *schema.Node, flags map[string]bool, holds bool) Text {
	switch {
	case n.Op == schema.OpNot:
		return b.condition(n.Args[0], flags, !holds)
	case n.Op == schema.OpName && flags[n.Name.Text]:
		if holds {
			return join(code(n.Name.Text), plain(" is set"))
		}
		return join(code(n.Name.Text), plain(" is not set"))
	case (n.Op == "!=" || n.Op == "==") && n.Args[1].Op == schema.OpNum:
		word := " is "
		if (n.Op == "!=") == holds {
			word = " is not "
		}
		return join(code(b.node(n.Args[0], false, 4)), plain(word+b.node(n.Args[1], false, 4)))
	case n.Op == "&&" && holds:
		return join(b.condition(n.Args[0], flags, true), plain(" and "), b.condition(n.Args[1], flags, true))
	case n.Op == "||" && !holds:
		return join(b.condition(n.Args[0], flags, false), plain(" and "), b.condition(n.Args[1], flags, false))
	case n.Op == "||" && holds:
		return join(b.condition(n.Args[0], flags, true), plain(" or "), b.condition(n.Args[1], flags, true))
	}
	if n.Op == schema.OpCall && n.Name.Text == "closed" && len(n.Args) == 1 {
		word := " are not allowed"
		if !holds {
			word = " are allowed"
		}
		return plain(b.node(n.Args[0], false, 0) + word)
	}
	if n.Op == schema.OpOutside {
		word := " does not fit "
		if !holds {
			word = " fits "
		}
		return join(code(b.node(n.Args[0], false, 4)), plain(word+scalarWords(n.Name.Text)))
	}
	if holds {
		return join(code(b.node(n, false, 0)), plain(" holds"))
	}
	return join(code(b.node(n, false, 0)), plain(" does not hold"))
}

// written says what a writer puts into a field or flag.
func (b *builder) written(e *dsl.Expr, flag bool) Text {
	if e == nil {
		return nil
	}
	n := schema.Fold(e)
	switch {
	case n.Op == schema.OpNum:
		return plain("written as " + b.node(n, false, 0))
	case n.Op == schema.OpCall && n.Name.Text == "present" && len(n.Args) == 1:
		return join(plain("set where there is "), code(b.node(n.Args[0], false, 0)))
	case n.Op == schema.OpCall && n.Name.Text == "arm" && len(n.Args) == 1:
		return join(plain("the number of the form of "), code(b.node(n.Args[0], false, 0)))
	case n.Op == schema.OpCall && (n.Name.Text == "count" || n.Name.Text == "len" || n.Name.Text == "size"):
		return nil // the description says what it counts
	case flag:
		return join(plain("set where "), b.condition(n, nil, true))
	}
	return join(plain("written as "), code(b.node(n, false, 0)))
}

// capital begins a sentence.
func capital(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

func capitalText(t Text) Text {
	if len(t) == 0 || t[0].Style != Plain {
		return t
	}
	out := append(Text(nil), t...)
	out[0].Text = capital(out[0].Text)
	return out
}

// sentence is a text with a full stop.
func sentence(t Text) Text {
	t = capitalText(t)
	if s := strings.TrimSpace(t.String()); s == "" || strings.HasSuffix(s, ".") || strings.HasSuffix(s, ":") {
		return t
	}
	return join(t, plain("."))
}
