// The value of an expression, from the syntax tree alone.

package bound

import (
	"encoding/binary"
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
	seed   uint64
	consts map[string]*dsl.Expr
	fields map[string]bool // names that are fields here, not constants
	depth  int
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

// expr returns the number of an expression as it is written.
func (w *world) expr(e *dsl.Expr) int64 {
	switch {
	case e.Num != nil:
		return Number(e.Num)
	case e.Code != "":
		return code(e.Code)
	case e.Sub != nil:
		return w.expr(e.Sub)
	case e.IsCall && len(e.Args) == 1:
		return w.of(e.Name.Text + "(" + e.Args[0].Name.Text + ")")
	case e.IsCall:
		return apply(e.Name.Text, w.expr(e.Args[0]), w.expr(e.Args[1]))
	case e.Name != nil:
		if c := w.consts[e.Name.Text]; c != nil && !w.fields[e.Name.Text] && w.depth < 100 {
			inner := &world{seed: w.seed, consts: w.consts, depth: w.depth + 1}
			return inner.expr(c)
		}
		return w.of(e.Name.Text)
	case e.Op == "outside":
		return w.of(e.Args[0].Name.Text + " outside " + e.Args[1].Name.Text)
	case len(e.Args) == 2:
		return apply(e.Op, w.expr(e.Args[0]), w.expr(e.Args[1]))
	case e.Op == "-":
		return -w.expr(e.Args[0])
	}
	return truth(w.expr(e.Args[0]) == 0)
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
	switch e.Op {
	case builtin.Num:
		return e.Num
	case builtin.Ref:
		return w.of(e.Field.Name)
	case builtin.Letter:
		return w.of(e.Name)
	case builtin.Closed:
		return w.of("closed(" + e.Gate.Name + ")")
	case builtin.Outside:
		return w.of(e.Field.Name + " outside " + e.Scalar.String())
	case builtin.Keep, builtin.KeepAll:
		return w.resolved(e.Args[0])
	case builtin.Neg:
		return -w.resolved(e.Args[0])
	case builtin.Not:
		return truth(w.resolved(e.Args[0]) == 0)
	}
	if e.Field != nil {
		return w.of(e.Op.String() + "(" + e.Field.Name + ")")
	}
	return apply(e.Op.String(), w.resolved(e.Args[0]), w.resolved(e.Args[1]))
}
