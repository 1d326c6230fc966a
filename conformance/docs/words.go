// Expressions of schemas in words.

package docs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// region says which bytes the region of a row or a list has.
func (b *builder) region(row *schema.Row) Text {
	switch {
	case row.Tail == nil:
		return join(plain("must fill "), code(b.expr(row.Bound)), plain(" bytes"))
	case row.Tail.Bytes == 1:
		return plain("takes all bytes but the last one")
	}
	return plain(fmt.Sprintf("takes all bytes but the last %d", row.Tail.Bytes))
}

// expr prints an expression.
func (b *builder) expr(e *schema.Expr) string {
	return schema.Notation{Number: b.literal}.Text(e)
}

// literal prints a number: a constant in decimal, a large number in hexadecimal.
func (b *builder) literal(e *schema.Expr) string {
	switch {
	case e.Name != "":
		return strconv.FormatInt(e.Num, 10)
	case b.letters:
		return letters(uint64(e.Num))
	case e.Num > 0xffff || e.Num < -0xffff:
		return fmt.Sprintf("%#x", uint64(e.Num))
	}
	return strconv.FormatInt(e.Num, 10)
}

// cell prints an offset or a length.
func cell(e *schema.Expr) string { return schema.Notation{Tight: true}.Text(e) }

// place returns the offset of a row.
func place(r *schema.Row) string { return schema.Notation{Tight: true}.Place(r) }

// viewed says that a row is a view, if it is one.
func viewed(r *schema.Row) Text {
	if r.At == nil || !r.At.View {
		return nil
	}
	return plain("these bytes are those of other rows")
}

// behind returns the offsets of which that of a row in other records is the sum. A place that a
// field holds does not count from the rows around it.
func behind(base []string, r *schema.Row) []string {
	if r.At != nil {
		base = nil
	}
	return append(base[:len(base):len(base)], place(r))
}

// letters returns a number as the four letters that it represents.
func letters(u uint64) string {
	return "'" + string([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}) + "'"
}

// scalarWords names a scalar.
func scalarWords(s builtin.Scalar) string {
	switch {
	case s == builtin.F16:
		return "half precision"
	case s == builtin.F32:
		return "single precision"
	case s == builtin.F64:
		return "double precision"
	case s.Signed():
		return fmt.Sprintf("%d bits with sign", 8*s.Width())
	}
	return fmt.Sprintf("%d bits without sign", 8*s.Width())
}

// condition returns in words that a condition holds, or that it does not hold.
func (b *builder) condition(e *schema.Expr, holds bool) Text {
	word := func(yes, no string) Text {
		if holds {
			return plain(yes)
		}
		return plain(no)
	}
	if flag, ok := bitOf(e); ok && flag.N == 1 {
		return join(code(e.Name), word(" is set", " is not set"))
	}
	switch e.Op {
	case builtin.Ref:
		if e.Field.IsMore() {
			return word("bytes are left", "no byte is left")
		}
	case builtin.Not:
		return b.condition(e.Args[0], !holds)
	case builtin.Eq, builtin.Ne:
		if e.Args[1].Op == builtin.Num && e.Args[1].Name == "" {
			is := word(" is ", " is not ")
			if e.Op == builtin.Ne {
				is = word(" is not ", " is ")
			}
			to := b.expr(e.Args[1])
			if literal, ok := e.Literal(); ok {
				to = strconv.Quote(literal)
			}
			return join(code(b.expr(e.Args[0])), is, plain(to))
		}
	case builtin.Both:
		if lo, hi := e.Args[0], e.Args[1]; lo.Op == builtin.Ge && hi.Op == builtin.Le && lo.Args[0] == hi.Args[0] {
			return join(code(b.expr(lo.Args[0])), word(" is ", " is not "), plain(b.expr(lo.Args[1])+" to "+b.expr(hi.Args[1])))
		}
		if holds {
			return join(b.condition(e.Args[0], true), plain(" and "), b.condition(e.Args[1], true))
		}
	case builtin.Either:
		return join(b.condition(e.Args[0], holds), word(" or ", " and "), b.condition(e.Args[1], holds))
	case builtin.Closed:
		return join(plain(e.Gate.Name), word(" are not allowed", " are allowed"))
	case builtin.Form, builtin.Keep:
		return b.condition(e.Args[0], holds)
	case builtin.Outside:
		return join(code(e.Field.Name), word(" does not fit ", " fits "), plain(scalarWords(e.Scalar)))
	}
	return join(code(b.expr(e)), word(" holds", " does not hold"))
}

// bitOf returns the bits whose number an expression is.
func bitOf(e *schema.Expr) (*schema.Bit, bool) {
	if e.Op != builtin.Ref {
		return nil, false
	}
	bit, ok := e.Field.Node.(*schema.Bit)
	return bit, ok
}

// redundant returns that a reader compares a number that it does not need.
func redundant(f *schema.Field) Text {
	if f.Redundant == nil {
		return nil
	}
	return plain("compared by a reader")
}

// written describes the number that a writer puts into a field or flag. It returns nothing for a length or a
// count, which the description of the field explains.
func (b *builder) written(e *schema.Expr, flag bool) Text {
	switch {
	case e == nil || counts(e):
		return nil
	case e.Op == builtin.Num && e.Name == "":
		return plain("written as " + b.expr(e))
	case sums(e):
		return join(plain("the checksum "), code(b.expr(e)), plain(", which a reader compares"))
	case e.Op == builtin.Form && !flag:
		return join(plain("the number of the first form that holds "), code(e.Field.Name))
	case e.Op == builtin.Present:
		return join(plain("set if there is "), code(e.Field.Name))
	case e.Op == builtin.Arm:
		return join(plain("the number of the form of "), code(e.Field.Name))
	case flag:
		return join(plain("set if "), b.condition(e, true))
	}
	return join(plain("written as "), code(b.expr(e)))
}

// counts reports whether a value is a length or a count.
func counts(e *schema.Expr) bool {
	return e.Op == builtin.Count || e.Op == builtin.Len || e.Op == builtin.Size
}

// sums reports whether a value is a checksum.
func sums(e *schema.Expr) bool { return e.Op == builtin.Sum || slices.ContainsFunc(e.Args, sums) }

// notWord matches the beginning of a text that is a name, such as draft-ietf-opsawg-pcap or e_ident.
var notWord = regexp.MustCompile(`^[a-z]+(?:-[a-z]+-|[0-9_./A-Z])`)

// capital begins a sentence. A name keeps its letters.
func capital(s string) string {
	r := []rune(s)
	if len(r) == 0 || notWord.MatchString(s) {
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
