// Constants: rows of text or of several numbers whose bytes are always the same.

package schema

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// maxConstant bounds the bytes of a row that is always the same.
const maxConstant = 512

// isConstant reports whether a row is always the same. It has a text as its value, or is an array with one number for all.
func isConstant(d *dsl.Row, t *Type) bool {
	switch {
	case len(d.Bits) > 0:
		return false
	case d.Text != nil:
		return t.Form == Text || t.Form == Array
	case d.Value == nil || t.Form != Array:
		return false
	}
	_, constant := fold(d.Value).constant()
	return constant
}

// constant binds a row that is always the same.
func (s *scope) constant(row *Row, d *dsl.Row) {
	row.Value = &Expr{Op: builtin.Num, Pos: d.Computed().Pos, text: d.Text}
	if d.Value != nil {
		row.Value = s.value(row, d.Value)
	}
	bytes := s.constantBytes(row, d)
	row.Constant = append(row.Constant, bytes...)
	for len(bytes) > 0 {
		n := min(len(bytes), 4)
		if n == 3 {
			n = 2
		}
		row.Words = append(row.Words, s.constantWord(row, bytes[:n]))
		bytes = bytes[n:]
	}
}

// constantWord returns a row with some bytes of a constant as one number, whose lowest byte is first.
func (s *scope) constantWord(row *Row, bytes []byte) *Row {
	value := &Expr{Op: builtin.Num, Pos: row.Value.Pos}
	for i, b := range bytes {
		value.Num |= int64(b) << (8 * i)
	}
	scalar := builtin.TypeNamed("u" + strconv.Itoa(8*len(bytes))).Scalar
	word := &Row{Pos: row.Pos, Doc: row.Doc, Value: value, Any: row.Any,
		Type: &Type{Name: scalar.String(), Pos: row.Type.Pos, Scalar: scalar, Swapped: s.s.Big && len(bytes) > 1, Fixed: true, Bytes: int64(len(bytes))}}
	f := newField(row.Field.Name, row.Field.Pos, s.rec)
	f.Doc, f.Node, f.Derive, f.Ignored = row.Field.Doc, word, value, row.Any
	word.Field = f
	if !row.Any {
		f.Used = true
		word.Checks = []*Check{same(f, value, Notation{}.Text(row.Value))}
	}
	return word
}

// constantBytes returns the bytes of a row that is always the same. They are nil if there is a mistake.
func (s *scope) constantBytes(row *Row, d *dsl.Row) []byte {
	t, value := row.Type, d.Computed()
	if d.Type.Extent.Count == nil {
		all := value.Str.String() + t.Until
		s.errorf(value.Pos, 1, dsl.CodeArgs, "the length of %s is not constant, and its bytes are", d.Name.Text).
			WithHint("write the number of bytes in brackets: | %d | %s[%d] | %s = %q |", len(all), d.Type.Path(), len(all), d.Name.Text, all)
		return nil
	}
	n, constant := fold(d.Type.Extent.Count).constant()
	switch {
	case !constant:
		s.errorf(d.Type.Extent.Count.Pos, 1, dsl.CodeArgs, "the length of %s is not constant, and its bytes are", d.Name.Text).
			WithHint("write a number in brackets")
		return nil
	case t.Narrow != builtin.NoScalar:
		s.errorf(d.Type.Pos, len(t.Name), dsl.CodeArgs, "a bit selects the width of %s, and %s is always the same", t.Name, d.Name.Text).
			WithHint("store it, or give it another type")
		return nil
	case n < 1 || n > maxConstant/int64(max(t.Scalar.Width(), 1)):
		s.errorf(d.Type.Extent.Count.Pos, 1, dsl.CodeRange, "a row that is always the same has 1 to %d bytes", maxConstant).
			WithHint("store it with a condition, such as check sum(%s) == 0, or write several rows", d.Name.Text)
		return nil
	case t.Form == Array && d.Text == nil:
		return s.constantNumbers(t, d, int(n))
	case t.Form == Array:
		return s.constantHex(t, d, int(n))
	}
	return s.constantText(t, d, int(n))
}

// constantNumbers returns the bytes of an array of equal numbers.
func (s *scope) constantNumbers(t *Type, d *dsl.Row, n int) (out []byte) {
	number, _ := fold(d.Value).constant()
	width := t.Scalar.Width()
	lo, hi := int64(0), uint64(Mask(8*width))
	if t.Scalar.Signed() {
		lo, hi = -1<<(8*width-1), hi>>1
	}
	wire := uint64(number) & uint64(Mask(8*width))
	switch {
	case t.Fill != "":
		fill := fillOf(d.Attrs)
		s.errorf(fill.Pos, len("fill"), dsl.CodeArgs, "fill means nothing for numbers that are always the same").WithHint("leave it out").
			Remove(s.files[fill.Pos.Filename], fill.Pos, fill.EndPos)
	case number != 0 && t.Scalar.IsFloat():
		s.errorf(d.Value.Pos, 1, dsl.CodeArgs, "numbers of %s that are always the same are 0", d.Type.Path()).WithHint("store the row")
	case number < lo, number >= 0 && uint64(number) > hi:
		s.errorf(d.Value.Pos, 1, dsl.CodeRange, "%s does not hold %d", d.Type.Path(), number).WithHint("correct the number")
	case bits.ReverseBytes64(wire)>>(64-8*width) != wire:
		s.errorf(d.Value.Pos, 1, dsl.CodeArgs, "numbers of several bytes that are always the same have equal bytes in either order, such as 0").
			WithHint("write a row for each number: %s = %s", d.Type.Path(), d.Value.Text(false))
	default:
		for range n {
			for i := range width {
				out = append(out, byte(wire>>(8*i)))
			}
		}
		return out
	}
	return nil
}

// constantHex returns bytes in hexadecimal.
func (s *scope) constantHex(t *Type, d *dsl.Row, n int) (out []byte) {
	text := d.Text
	out, err := text.Bytes()
	switch {
	case t.Scalar != builtin.U8 || t.Option != nil:
		s.errorf(text.Pos, len(text.Text)+2, dsl.CodeArgs, "%s has numbers, and %q is a text", d.Name.Text, text.Text).
			WithHint("bytes in hexadecimal are a row of u8: u8[4] = \"0d0a1a0a\"")
	case err != nil:
		s.errorf(text.Pos, len(text.Text)+2, dsl.CodeArgs, "the bytes of %s are in hexadecimal, two digits for each", d.Name.Text).
			WithHint("text has an encoding: ascii[%d] = %q", n, text.Text)
	case len(out) > n, len(out) < n && t.Fill == "":
		s.errorf(text.Pos, len(text.Text)+2, dsl.CodeRange, "the row has %d byte%s, and the constant %d", n, plural(n), len(out)).
			WithHint("write u8[%d]; fill \"00\" after the row fills a longer one", len(out))
	default:
		return append(out, strings.Repeat(t.Fill, n-len(out))...)
	}
	return nil
}

// constantText returns the bytes of a text, and those that fill its row.
func (s *scope) constantText(t *Type, d *dsl.Row, n int) (out []byte) {
	e, text := t.Encoding, d.Text
	wrong := func(message, hint string, a ...any) {
		s.errorf(text.Pos, len(strconv.Quote(text.Text)), dsl.CodeRange, "%s", message).WithHint(hint, a...)
	}
	out, ok := e.Charset.Encode(text.Text)
	if e.NUL == NULCounted {
		out = append(out, 0)
	}
	fill := n - len(out)
	switch {
	case e.AsSchema:
		s.errorf(d.Type.Pos, len(t.Name), dsl.CodeArgs, "the bytes of %s depend on the order of the schema, and %s is always the same", t.Name, d.Name.Text).
			WithHint("write utf16le or utf16be")
	case !ok:
		wrong(fmt.Sprintf("%s does not have all characters of %q", t.Name, text.Text), "use another encoding, or bytes in hexadecimal: u8[%d]", n)
	case fill < 0 || fill > 0 && t.Fill == "":
		wrong(fmt.Sprintf("the row has %d byte%s, and the text %d", n, plural(n), len(out)), "write %s[%d]; fill \"00\" after the row fills a longer one", t.Name, len(out))
	default:
		return append(out, strings.Repeat(t.Fill, fill)...)
	}
	return nil
}
