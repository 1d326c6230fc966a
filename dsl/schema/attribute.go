// Attributes: the rules after the cells of a row, after bits and after a block.

package schema

import (
	"slices"

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
	case a.Write != nil:
		return "write"
	case a.Check != nil:
		return "check"
	case a.When != nil:
		return "if"
	case a.At != nil:
		return "at"
	case a.Same != nil:
		return "same"
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
			b.errorf(a.Pos, len(name), dsl.CodeArgs, "%s means nothing for %s", name, thing).WithHint("leave it out")
			continue
		}
		key := name
		if a.At != nil {
			key += " " + a.At.Choice.Text
		}
		if seen[key] && a.Check == nil {
			b.errorf(a.Pos, len(name), dsl.CodeTwice, "%s is given twice", key).WithHint("keep one")
		}
		seen[key] = true
	}
}

// checkBits reports rules that bits of a row, in a place, cannot have.
func (b *binder) checkBits(bf *dsl.BitField, thing string, at builtin.Place) {
	b.checkAttributes(bf.Attrs, thing, at)
	if bf.Selects != nil {
		b.name(bf.Selects, dsl.CodeBits, "a bit of a row does not select the axis").WithHint("write it in the arms, in braces after the name of the word")
	}
}

// checkNumber reports rules for the number that a writer writes, and for the one that a
// reader ignores, if the writer writes the number of a stored value. A thing that is not a
// field with a number of its own, such as a word of bits, has a name.
func (b *binder) checkNumber(value *dsl.Expr, attrs []*dsl.Attr, thing string) {
	written := value != nil || writeOf(attrs) != nil
	for _, a := range attrs {
		name, of, hint := attributeName(a), thing, "leave it out"
		switch {
		case a.Write == nil && !a.Any || of == "" && a.Any && written:
			continue
		case of == "" && a.Any:
			of, hint = "a stored field", "leave it out: a reader keeps every value"
		case of == "" && value == nil:
			continue
		case of == "":
			of, hint = "a computed field", "leave it out, or leave out the value: one of them is what a writer writes"
		}
		b.errorf(a.Pos, len(name), dsl.CodeArgs, "%s means nothing for %s", name, of).WithHint("%s", hint)
	}
}

// checkRow reports what the cells and attributes of a row cannot say of its type.
func (s *scope) checkRow(d *dsl.Row, row *Row) {
	t, name := row.Type, row.Type.Name
	if len(d.Bits) > 0 && d.Type.Size != nil {
		s.errorf(d.Bits[0].Pos, 1, dsl.CodeBits, "bits are of one integer, and %s[…] is more than one", name).WithHint("give the word a row of its own")
	}
	value := d.Value
	if w := writeOf(d.Attrs); w != nil {
		value = w
	}
	if value != nil && len(d.Bits) == 0 && (d.Type.Size != nil || t.Form == Text || t.Form == OfRecord || t.Form == OfUnion || t.Form == Number && t.Scalar.IsFloat()) {
		s.errorf(value.Pos, 1, dsl.CodeArgs, "a writer computes integers only, and %s is not one", d.Name.Text).WithHint("store the field, or give it an integer type")
	}
	at := builtin.OfRow
	if t.Form == Truth {
		at = builtin.OfTruth
	}
	s.checkAttributes(d.Attrs, "a row of type "+name, at)
	word := ""
	if len(d.Bits) > 0 {
		word = "a word of bits"
	}
	if sameAs(d) == nil && (t.Form != Truth || d.Value != nil) {
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
	row.Mentions = s.mentions(d.Attrs)
	row.Pad = s.pad(d.Attrs)
	for _, a := range d.Attrs {
		switch {
		case a.Any && row.Type.Form == Truth && d.Value == nil && writeOf(d.Attrs) == nil:
			row.Nonzero = true
		case a.Any:
			row.Any = true
			row.Field.Ignored = true
		case a.At != nil:
			s.choiceOf(a.At.Choice)
			if row.Moved == nil {
				row.Moved = map[string]*Expr{}
			}
			s.then(func() { row.Moved[a.At.Choice.Text] = s.cell(a.At.Offset, s, "offset") })
		}
	}
}

// choiceOf reports the name of a choice that the axis does not have.
func (b *binder) choiceOf(n *dsl.Name) {
	choices := b.src.declared("choice")
	if i := slices.Index(choices, n.Text); i >= 0 {
		b.index.use(n, b.src.Axis.Choices[i].Name)
		return
	}
	d := b.name(n, dsl.CodeUnknown, "there is no choice %s", n.Text).WithHint("at names a choice of the axis of the schema")
	b.near(d, n.Text, func() []string { return choices })
}

// rowCells binds the declared offset and length of a row.
func (s *scope) rowCells(row *Row, d *dsl.Row) {
	s.then(func() {
		row.Offset, row.Length = s.cell(d.Offset, s, "offset"), s.cell(d.Length, s, "length")
	})
}

func (b *binder) mentions(attrs []*dsl.Attr) []*Mention {
	var out []*Mention
	for _, a := range attrs {
		if a.Err != nil {
			out = append(out, b.mention(a.Err))
		}
	}
	return out
}

// value binds what a writer computes for a row or for bits: the value, and the number
// that it puts in place of the one that was read.
func (s *scope) value(node Node, value *dsl.Expr, attrs []*dsl.Attr) (computed, write *Expr) {
	_, whole := node.(*Row)
	if value != nil {
		computed = s.writer(value, whole)
	}
	if w := writeOf(attrs); w != nil {
		write = s.writer(w, whole)
	}
	return computed, write
}

// writeOf returns the number that a writer puts in place of the one that was read, or nil.
func writeOf(attrs []*dsl.Attr) *dsl.Expr {
	for _, a := range attrs {
		if a.Write != nil {
			return a.Write
		}
	}
	return nil
}

// checks binds the conditions of a row or of bits. The first is that a constant is the
// declared one, unless any other is accepted.
func (s *scope) checks(f *Field, value *Expr, attrs []*dsl.Attr) []*Check {
	var out []*Check
	if value != nil && f.state.number > 0 && !slices.ContainsFunc(attrs, func(a *dsl.Attr) bool { return a.Any }) {
		if _, constant := value.constant(); constant {
			f.Used = true
			cond := &Expr{Op: builtin.Eq, Pos: value.Pos, Args: []*Expr{{Op: builtin.Ref, Pos: value.Pos, Name: f.Name, Field: f}, value}}
			out = append(out, &Check{Cond: cond})
		}
	}
	for _, a := range attrs {
		if a.Check != nil {
			out = append(out, &Check{Cond: s.reader(a.Check.Cond), Message: a.Check.Message.String()})
		}
	}
	return out
}

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
		return &Pad{To: int(to), Exact: !p.Any, OrEnd: p.OrEnd}
	}
	return nil
}
