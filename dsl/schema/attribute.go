// Attributes: the rules after the cells of a row, after bits and after a block.

package schema

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// attributeName returns the name of an attribute, "" for the mention of an erratum.
func attributeName(a *dsl.Attr) string {
	switch {
	case a.Pad != nil:
		return "pad"
	case a.Any:
		return "any"
	case a.Fill != nil:
		return "fill"
	case a.View:
		return "view"
	case a.Side != "":
		return a.Side
	case a.Check != nil:
		return "check"
	case a.When != nil:
		return "if"
	}
	return ""
}

// checkAttributes reports attributes that mean nothing after a thing, and those that
// have one meaning and are written twice.
func (b *binder) checkAttributes(attrs []*dsl.Attr, thing string, at builtin.Place) {
	seen := map[string]bool{}
	for _, a := range attrs {
		name := attributeName(a)
		if name == "" {
			continue
		}
		if attr := builtin.AttributeNamed(name); attr == nil || attr.At&at == 0 {
			b.errorf(a.Pos, len(name), dsl.CodeArgs, "%s means nothing for %s", name, thing).WithHint("leave it out").
				Remove(b.files[a.Pos.Filename], a.Pos, a.EndPos)
			continue
		}
		if seen[name] && a.Check == nil {
			b.errorf(a.Pos, len(name), dsl.CodeTwice, "%s is given twice", name).WithHint("keep one").
				Remove(b.files[a.Pos.Filename], a.Pos, a.EndPos)
		}
		seen[name] = true
	}
}

// checkBits reports rules that bits of a row, in a place, cannot have.
func (b *binder) checkBits(bf *dsl.BitField, thing string, at builtin.Place) {
	b.checkAttributes(bf.Attrs, thing, at)
	switch {
	case bf.Selects == nil || b.armsOf(bf) != nil && at != 0:
	case b.selectsOption(bf):
		b.name(bf.Selects.Name, dsl.CodeBits, "a bit of a row does not select the option").WithHint("write it in the arms, in braces after the name of the word")
	case b.armsOf(bf) != nil:
		b.name(bf.Selects.Name, dsl.CodeBits, "%s select an arm of the union itself", thing).WithHint("leave `selects %s` out", bf.Selects).
			Remove(b.files[bf.Pos.Filename], bf.Name.End(), bf.Selects.EndPos)
	default:
		b.unknownSelected(bf)
	}
}

// checkNumber reports `any` where a reader has no number that it could ignore. A thing that
// is not a field with a separate number, such as a word of bits, has a name.
func (b *binder) checkNumber(value *dsl.Expr, attrs []*dsl.Attr, thing string) {
	hint := "leave it out"
	if thing == "" && value == nil {
		thing, hint = "a stored field", "leave it out: a reader keeps every value"
	}
	for _, a := range attrs {
		if a.Any && thing != "" {
			b.errorf(a.Pos, len("any"), dsl.CodeArgs, "any means nothing for %s", thing).WithHint("%s", hint).Replace("any", "")
		}
	}
}

// aside returns the attributes of a row without those about its place.
func aside(d *dsl.Row) []*dsl.Attr {
	if d.At == nil {
		return d.Attrs
	}
	return slices.DeleteFunc(slices.Clone(d.Attrs), func(a *dsl.Attr) bool { return a.View })
}

// checkRow reports what the cells and attributes of a row cannot say of its type.
func (s *scope) checkRow(d *dsl.Row, row *Row) {
	t, name := row.Type, row.Type.Name
	digits := coding(name).InDigits()
	if len(d.Bits) > 0 && d.Type.Extent != nil && !digits {
		s.errorf(d.Bits[0].Pos, 1, dsl.CodeBits, "bits are of one integer, and %s[…] is more than one", name).WithHint("give the word a separate row")
	}
	constant := row.Constant != nil
	if d.Text != nil && !constant && len(d.Bits) == 0 {
		s.errorf(d.Text.Pos, len(strconv.Quote(d.Text.Text)), dsl.CodeArgs, "%q is a text, and %s is not one", d.Text.Text, d.Name.Text).
			WithHint("%s", dsl.CodeAdvice(d.Text.Text))
	} else if value := d.Value; value != nil && !constant && len(d.Bits) == 0 && (d.Type.Extent != nil && !digits || t.Form == Text || t.Form == OfRecord || t.Form == OfUnion || t.Form == Number && t.Scalar.IsFloat()) {
		hint := "store the field, or give it an integer type"
		if t.Form == Text {
			hint = "a text that is always the same is in quotation marks: = \"text\""
		}
		s.errorf(value.Pos, 1, dsl.CodeArgs, "a writer computes integers only, and %s is not one", d.Name.Text).WithHint("%s", hint)
	}
	at := builtin.OfRow
	if t.Form == Truth {
		at = builtin.OfTruth
	} else if t.Coding.InDigits() {
		at |= builtin.OfDigits
	}
	if constant {
		s.checkAttributes(aside(d), "a row that is always the same", builtin.OfConstant)
		return
	}
	s.checkAttributes(aside(d), "a row of type "+name, at)
	word := ""
	if len(d.Bits) > 0 {
		word = "a word of bits"
	}
	if (t.Form != Truth || d.Value != nil) && fillOf(d.Attrs) == nil && t.Coding == builtin.Fixed {
		s.checkNumber(d.Value, d.Attrs, word)
	}
	for _, bf := range d.Bits {
		s.checkBits(bf, "bits", builtin.OfBits)
		s.checkNumber(bf.Value, bf.Attrs, "")
	}
}

// attributes binds the attributes of a row that have no expression of a reader or a
// writer.
func (s *scope) attributes(row *Row, d *dsl.Row) {
	row.Mentions = mentions(d.Attrs)
	row.Pad = s.pad(d.Attrs)
	s.fill(row.Type, d)
	for _, a := range d.Attrs {
		switch {
		case a.Any && row.Type.Form == Truth && d.Value == nil:
			row.Nonzero = true
		case a.Any && (fillOf(d.Attrs) == nil || row.Type.Coding.InDigits() || row.Constant != nil):
			row.Type.Longer = row.Type.Coding != builtin.Fixed
			if row.Type.Longer && d.Value == nil {
				break
			}
			row.Any = true
			row.Field.Ignored = true
		}
	}
}

// rowCells binds the declared offset and length of a row.
func (s *scope) rowCells(row *Row, d *dsl.Row) {
	if d.At != nil {
		s.part(row, d)
	}
	for _, a := range d.Attrs {
		if a.View && d.At == nil {
			s.errorf(a.Pos, len("view"), dsl.CodeArgs, "view is for rows with @, and %s is behind the row before it", d.Name.Text).
				WithHint("give the row the place of the bytes that it shows: | @… | … |")
		}
	}
	s.then(func() {
		if d.At == nil {
			row.Offset = s.offset(d.Offset)
		}
		row.Length = s.length(d.Length)
	})
}

// mentions returns the errata at a row, bits, a list or a region.
func mentions(attrs []*dsl.Attr) []*Mention {
	var names []*dsl.Name
	for _, a := range attrs {
		if a.Err != nil {
			names = append(names, a.Err)
		}
	}
	return marks(names)
}

// value binds what a writer computes for a row or for bits.
func (s *scope) value(node Node, value *dsl.Expr) *Expr {
	if value == nil {
		return nil
	}
	bit, bits := node.(*Bit)
	s.whole = fold(value)
	return s.writer(s.whole, !bits || bit.Row != nil)
}

// checks binds the conditions of a row or of bits. The first is that a constant is the
// declared one, unless any other is accepted.
func (s *scope) checks(f *Field, value *Expr, written *dsl.Expr, attrs []*dsl.Attr) []*Check {
	var out []*Check
	if value != nil && f.state.number > 0 && !slices.ContainsFunc(attrs, func(a *dsl.Attr) bool { return a.Any }) {
		if _, constant := value.constant(); constant {
			f.Used = true
			c := same(f, value, written.Text(false))
			s.compared(c.Cond.Args[0], value)
			out = append(out, c)
		}
	}
	for _, a := range attrs {
		if a.Check != nil {
			out = append(out, s.check(a.Check, s.condition(a.Check.Cond, "compare a row with it: check %s == %s", f.Name, a.Check.Cond.Text(false))))
		}
	}
	return out
}

// same returns the condition that a field has a constant, which is written as a text.
func same(f *Field, constant *Expr, text string) *Check {
	cond := binary(builtin.Eq, &Expr{Op: builtin.Ref, Pos: constant.Pos, Name: f.Name, Field: f}, constant)
	return &Check{cond, expected(f.Name + " == " + text)}
}

// check returns a bound condition with its message.
func (s *scope) check(c *dsl.Check, cond *Expr) *Check {
	return &Check{cond, cmp.Or(c.Message.String(), expected(c.Cond.Text(false)))}
}

// expected is the message of a condition that has none.
func expected(condition string) string { return "expected " + condition }

// pad binds padding.
func (b *binder) pad(attrs []*dsl.Attr) *Pad {
	for _, a := range attrs {
		p := a.Pad
		if p == nil {
			continue
		}
		to, ok := parseUint(p.To)
		if !ok || to < 2 || to > 4096 {
			b.errorf(p.To.Pos, len(p.To.Text), dsl.CodeRange, "padding is to a multiple of 2 to 4096 bytes").WithHint("for example: pad 4")
			return &Pad{To: 2}
		}
		out := &Pad{To: int(to), Exact: !p.Any, OrEnd: p.OrEnd}
		if p.With != nil {
			out.Fill = b.delimiter(p.With, "with", `pad 4 with "20"`, 1, 1)[0]
		}
		return out
	}
	return nil
}
