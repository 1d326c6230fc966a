// Delimiters: the bytes that text and bytes end before.

package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// maxDelimiter bounds the bytes of a terminator.
const maxDelimiter = 8

// Delimited reports whether text or bytes end before a terminator or before bytes that fill their row. Text that ends
// with the region is delimited, too.
func (t *Type) Delimited() bool {
	return t.Until != "" || t.Fill != "" || t.Form == Text && t.Size == nil
}

// ToEnd reports whether text or an array takes every byte up to the end of its region.
func (t *Type) ToEnd() bool {
	return (t.Form == Text || t.Form == Array) && t.Size == nil && t.Until == ""
}

// delimiter returns the bytes of a delimiter, or zero bytes if there is a mistake. A word says what it is for. The
// content consists of code units of some bytes, and so does the delimiter.
func (b *binder) delimiter(d *dsl.Str, word, example string, most, unit int) string {
	out, err := d.Bytes()
	if err == nil && len(out) > 0 && len(out) <= most && len(out)%unit == 0 {
		return string(out)
	}
	number := "is 1 byte"
	if unit > 1 {
		number = fmt.Sprintf("are %d to %d bytes, whole units of %d bytes,", unit, most, unit)
	} else if most > 1 {
		number = "are 1 to " + strconv.Itoa(most) + " bytes"
	}
	b.errorf(d.Pos, len(d.Text)+2, dsl.CodeRange, "after %s there %s in hexadecimal", word, number).
		WithHint("for example: %s", example)
	return strings.Repeat("\x00", unit)
}

// Delimiter returns the bytes that text or bytes end before, and the number of bytes of their code units. The delimiter
// begins after a number of whole units. end is "" without a delimiter. The content ends before the first delimiter, or before
// those at the end of the row if it is filled without FillAny.
func (t *Type) Delimiter() (end string, unit int) {
	if unit = 1; t.Form == Text {
		unit = t.Encoding.Charset.Unit()
	}
	return t.Until + strings.Repeat(t.Fill, unit), unit
}

// until returns the terminator of a type, or "" if it has none.
func (b *binder) until(t *Type, d *dsl.TypeRef) string {
	if d.Extent != nil && d.Extent.Cond != nil && t.Form != OfRecord && t.Form != OfUnion {
		b.noCondition(t, d)
		return "\x00"
	}
	if d.Extent != nil && d.Extent.End {
		b.counted(t, d.Name, "goes on to the end of its region")
	}
	if d.Extent == nil || d.Extent.Until == nil || coding(d.Path()) != builtin.Fixed { // digits have it in their coding
		return ""
	}
	if t.Form == Array && (t.Scalar != builtin.U8 || t.Option != nil) {
		b.name(d.Name, dsl.CodeArgs, "%s does not end before a terminator", d.Name.Text).
			WithHint("text and u8 do: u8[until %q]; give %s a count", d.Extent.Until.Text, d.Name.Text)
		return "\x00"
	}
	b.counted(t, d.Name, "ends before a terminator")
	_, unit := t.Delimiter()
	example := d.Name.Text + `[until "` + strings.Repeat("00", unit) + `"]`
	return b.delimiter(d.Extent.Until, "until", example, maxDelimiter, unit)
}

// noCondition reports a condition that ends a list of elements without names.
func (b *binder) noCondition(t *Type, d *dsl.TypeRef) {
	e := b.errorf(d.Extent.Cond.Pos, 1, dsl.CodeArgs, "%s does not end at a condition", d.Name.Text)
	if n, few := fold(d.Extent.Cond).fewLeft(); few {
		e.WithHint("let its length cell leave the bytes: | 8 | end-%d | %s[until end] | … |", n, d.Name.Text)
		return
	}
	if t.Form == Text || t.Scalar == builtin.U8 && t.Option == nil || coding(d.Path()).Base() > 0 {
		e.WithHint("it ends before bytes, which are digits in quotation marks: %s[until \"00\"]", d.Name.Text)
		return
	}
	e.WithHint("lists of a type or a union do: TYPE[until x == 0]; text and u8 end before bytes: u8[until \"00\"]")
}

// counted reports text whose encoding adds a zero byte, although it ends in another way.
func (b *binder) counted(t *Type, name *dsl.Name, end string) {
	if t.Form == Text && t.Encoding.NUL == NULCounted {
		b.name(name, dsl.CodeArgs, "%s counts a zero byte at the end of a text, and this text %s", t.Encoding.Name, end).
			WithHint("store its length: %s[length], or use an encoding without `nul counted`", name.Text)
	}
}

// fill binds the byte that fills a row.
func (s *scope) fill(t *Type, d *dsl.Row) {
	fill := fillOf(d.Attrs)
	switch {
	case fill == nil || t.Coding.InDigits(): // digits have it in their coding
		return
	case t.Form != Text && (t.Form != Array || t.Scalar != builtin.U8 || t.Option != nil) || d.Type.Extent.Count == nil:
		s.errorf(fill.Pos, len("fill"), dsl.CodeArgs, "fill means nothing for a row of type %s", d.Type).
			WithHint("text and u8 of a length in brackets are filled: u8[16]")
		return
	}
	s.counted(t, d.Type.Name, "ends before the bytes that fill it")
	t.Fill = s.delimiter(fill.Fill, "fill", `fill "00"`, 1, 1)
	for _, a := range d.Attrs {
		t.FillAny = t.FillAny || a.Any
	}
}

// digitsForm binds the bytes after the digits of a number, and the side that the digits are at.
func (s *scope) digitsForm(t *Type, d *dsl.Row) {
	if !t.Coding.InDigits() {
		return
	}
	for _, a := range d.Attrs {
		switch {
		case a.Side == "":
		case t.Coding.Side() != builtin.NoSide && string(t.Coding.Side()) != a.Side:
			s.errorf(a.Pos, len(a.Side), dsl.CodeTwice, "the digits are at one side of their row, left or right").WithHint("keep one").
				Remove(s.files[a.Pos.Filename], a.Pos, a.EndPos)
		default:
			t.Coding = t.Coding.At(builtin.Side(a.Side))
		}
	}
	if fill := fillOf(d.Attrs); fill != nil {
		s.digitsFill(t, fill)
	}
}

// digitsFill binds the bytes after the digits of a number.
func (s *scope) digitsFill(t *Type, fill *dsl.Attr) {
	b, err := fill.Fill.Bytes()
	c, ok := builtin.InDigits(t.Coding.Kind(), t.Coding.Width(), string(b))
	if err != nil || !ok {
		s.errorf(fill.Fill.Pos, len(fill.Fill.Text)+2, dsl.CodeRange, "after the digits of %s there are at most %d zero bytes and spaces in hexadecimal, which leave a digit", t.Coding, builtin.MaxDigitsFill).
			WithHint("for example: fill \"0020\", or fill \"\" for digits alone")
		return
	}
	t.Coding, t.Scalar = c.At(t.Coding.Side()), c.Scalar()
}

// fillOf returns the attribute with the byte that fills a row, or nil.
func fillOf(attrs []*dsl.Attr) *dsl.Attr {
	for _, a := range attrs {
		if a.Fill != nil {
			return a
		}
	}
	return nil
}
