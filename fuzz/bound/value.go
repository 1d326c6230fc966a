// The value of an expression, from the syntax tree alone.

package bound

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math/bits"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// world gives numbers to names, so that two trees of one expression can be compared. It
// shares no code with package schema: a mistake there is not repeated here.
type world struct {
	seed uint64
}

// of returns the number of something that a reader or a writer knows.
func (w *world) of(what string) int64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, w.seed))
	h.Write([]byte(what))
	x := bits.RotateLeft64(h.Sum64()*0x9e3779b97f4a7c15, 31)
	switch x % 8 {
	case 0, 1:
		return 0
	case 2:
		return 1
	case 3:
		return -int64(x >> 8 % 300)
	case 4:
		return int64(x)
	}
	return int64(x >> 8 % 300)
}

func truth(c bool) int64 {
	if c {
		return 1
	}
	return 0
}

// apply computes an operator.
func apply(symbol string, a, b int64) int64 {
	switch symbol {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/", "%":
		switch {
		case b == 0:
			return 0
		case symbol == "/":
			return a / b
		}
		return a % b
	case "&":
		return a & b
	case "^":
		return a ^ b
	case "<<":
		return a << (b & 63)
	case ">>":
		return int64(uint64(a) >> (b & 63))
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "&&":
		return truth(a != 0 && b != 0)
	case "||":
		return truth(a != 0 || b != 0)
	case "min":
		return min(a, b)
	case "max":
		return max(a, b)
	}
	panic("unknown operator " + symbol)
}

// expr returns the number of an expression in the source.
func (w *world) expr(e *dsl.Expr) int64 {
	switch {
	case e.Num != nil:
		return Number(e.Num)
	case e.Code != "":
		return code(e.Code)
	case e.Sub != nil:
		return w.expr(e.Sub)
	case e.IsCall && checksum(e.Name.Text):
		var args []string
		for _, a := range e.Args {
			args = append(args, argument(a))
		}
		return w.of(e.Name.Text + "(" + strings.Join(args, ", ") + ")")
	case e.IsCall && len(e.Args) == 0:
		return w.of(e.Name.Text + "()")
	case e.IsCall && len(e.Args) == 1:
		return w.of(e.Name.Text + "(" + e.Args[0].Name.Text + ")")
	case e.IsCall && e.Name.Text == "place":
		return w.of(fmt.Sprintf("place(%s, %d)", e.Args[0].Name.Text, w.expr(e.Args[1])))
	case e.IsCall:
		return apply(e.Name.Text, w.expr(e.Args[0]), w.expr(e.Args[1]))
	case e.Name != nil:
		return w.of(e.Name.Text)
	case len(e.Args) == 2 && e.Args[1].Str != nil:
		return apply(e.Op, w.textual(e.Args[0], e.Args[1].Str.Text), 1)
	case len(e.Args) == 2:
		return apply(e.Op, w.expr(e.Args[0]), w.expr(e.Args[1]))
	case e.Op == "-":
		return -w.expr(e.Args[0])
	}
	return truth(w.expr(e.Args[0]) == 0)
}

// textual returns 1 or 0 for the comparison of a field with a text.
func (w *world) textual(field *dsl.Expr, text string) int64 {
	for field.Sub != nil {
		field = field.Sub
	}
	return w.of(field.Name.Text+" as text "+text) & 1
}

// checksum reports whether a function is a checksum.
func checksum(name string) bool {
	_, ok := builtin.ChecksumNamed(name)
	return ok
}

// argument prints an argument of a checksum.
func argument(e *dsl.Expr) string {
	switch e.Op {
	case "with":
		return fmt.Sprintf("%s with %s as %d", argument(e.Args[0]), argument(e.Args[1]), Number(e.Args[2].Num))
	case "..":
		return e.Args[0].Name.Text + ".." + e.Args[1].Name.Text
	}
	return e.Name.Text + ".." + e.Name.Text
}

// arguments prints those of a checksum of the resolved tree.
func arguments(s *schema.Sum) string {
	with := func(name string, n uint8) string { return fmt.Sprintf(" with %s..%s as %d", name, name, n) }
	if s.Base != nil {
		name := s.Base.BaseName()
		return name + ".." + name + with(s.Field.Name, s.With)
	}
	var all []string
	for _, a := range s.Args {
		text := a.From.Name + ".." + a.To.Name
		if a.Field != nil {
			text += with(a.Field.Name, a.With)
		}
		if a.Hole {
			text += with(s.Hole.Record.BaseName()+"."+s.Hole.Name, s.With)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// Name returns the name that an expression consists of, or "".
func Name(e *dsl.Expr) string {
	if e == nil || e.IsCall {
		return ""
	}
	return e.Name.String()
}

// Number returns a number as a schema writes it: decimal or hexadecimal.
func Number(n *dsl.Num) int64 {
	text := strings.ReplaceAll(n.Text, "_", "")
	base := 10
	if hex, ok := strings.CutPrefix(strings.ToLower(text), "0x"); ok {
		text, base = hex, 16
	}
	u, err := strconv.ParseUint(text, base, 64)
	if err != nil {
		panic(err)
	}
	return int64(u)
}

// code returns the number of letters: they are in a packet in the order of the text.
func code(letters string) int64 {
	b := [8]byte{}
	copy(b[:], strings.Trim(letters, "'"))
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// resolved returns the number of an expression of the resolved tree.
func (w *world) resolved(e *schema.Expr) int64 {
	if text, ok := e.Literal(); ok {
		return apply(e.Op.String(), w.of(e.Args[0].Field.Name+" as text "+text)&1, 1)
	}
	switch e.Op {
	case builtin.Num:
		return e.Num
	case builtin.Ref:
		return w.of(e.Field.Name)
	case builtin.Letter:
		return w.of(e.Name)
	case builtin.Closed:
		if e.Gate != nil { // not in a cell
			return w.of("closed(" + e.Gate.Name + ")")
		}
	case builtin.Keep:
		return w.resolved(e.Args[0])
	case builtin.Sum:
		return w.of(e.Sum.Of.String() + "(" + arguments(e.Sum) + ")")
	case builtin.Neg:
		return -w.resolved(e.Args[0])
	case builtin.Not:
		return truth(w.resolved(e.Args[0]) == 0)
	case builtin.Where:
		if e.Num > 0 {
			return w.of(fmt.Sprintf("place(%s, %d)", e.Field.Name, e.Num))
		}
	}
	if e.Field != nil {
		return w.of(e.Op.String() + "(" + e.Field.Name + ")")
	}
	if len(e.Args) == 1 { // in a cell
		return w.of(e.Op.String() + "(" + e.Args[0].Name + ")")
	}
	return apply(e.Op.String(), w.resolved(e.Args[0]), w.resolved(e.Args[1]))
}

// isMore reports whether a condition is that bytes are left.
func isMore(e *dsl.Expr) bool { return e.IsCall && e.Name.Text == "more" }
