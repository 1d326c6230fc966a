// Checks before any instruction is made: what rows may say, records that would
// never end, and rows that nothing is left for.

package compile

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

// check reports what is wrong with the schema row by row. It returns false where
// instructions cannot be made.
func (c *compiler) check() bool {
	before := len(c.diags)
	for _, t := range c.s.Types {
		c.checkItems(t.Items, nil)
	}
	for _, u := range c.s.Unions {
		for _, i := range u.Items {
			if i.Row != nil {
				c.checkWord(i.Row)
			}
		}
		for _, a := range u.Arms {
			c.checkItems(a.Items, nil)
		}
	}
	c.checkRecords()
	return len(c.diags) == before
}

// checkAxis checks the choices of the axis, without which no row has a size.
func (c *compiler) checkAxis() bool {
	if c.axis == nil {
		return true
	}
	first := bytecode.NoScalar
	for i, ch := range c.axis.Choices {
		for _, other := range c.axis.Choices[:i] {
			if other.Name.Text == ch.Name.Text {
				c.errorf(ch.Name.Pos, len(ch.Name.Text), dsl.CodeTwice, "axis %s has two choices %s", c.axis.Name.Text, ch.Name.Text).WithHint("give each its own name")
				break
			}
		}
		s, ok := bytecode.ScalarNamed(ch.Scalar.Text)
		switch {
		case !ok:
			d := c.errorf(ch.Scalar.Pos, len(ch.Scalar.Text), dsl.CodeUnknown, "there is no scalar %s", ch.Scalar.Text).WithHint("an axis stands for a number such as f32")
			if near := c.near(ch.Scalar.Text, scalarNames); near != "" {
				d.WithHint("did you mean %s?", near)
			}
		case first == bytecode.NoScalar:
			first = s
		case first.IsFloat() != s.IsFloat() || first.Signed() != s.Signed():
			c.errorf(ch.Scalar.Pos, len(ch.Scalar.Text), dsl.CodeArgs, "%s is another sort of number than %s, so one value cannot be written as both", ch.Scalar.Text, first).
				WithHint("the choices of an axis are all floats, all signed or all unsigned")
		}
	}
	return len(c.diags) == 0
}

func scalarNames() []string {
	var all []string
	for s := bytecode.U8; s.Valid(); s++ {
		all = append(all, s.String())
	}
	return all
}

// checkWord checks the row of the word by which a union tells its arms apart.
func (c *compiler) checkWord(row *dsl.Row) {
	const hint = "a writer takes the word from the arm that it writes"
	if row.Value != nil {
		c.errorf(row.Value.Pos, 1, dsl.CodeArgs, "the word of a union is not computed").WithHint(hint)
	}
	c.checkAttrs(row.Attrs, "the word of a union", func(*dsl.Attr) bool { return false })
	for _, bf := range row.Bits {
		c.checkAttrs(bf.Attrs, "bits of the word of a union", func(*dsl.Attr) bool { return false })
	}
}

// checkItems checks the items of a body and of the blocks in it. After the item
// last, if there is one, nothing is left to read; such an item is returned.
func (c *compiler) checkItems(items []*dsl.Item, last *dsl.Item) *dsl.Item {
	items = solid(items)
	ofBits := func(a *dsl.Attr) bool { return a.Must != nil || a.Write != nil || a.Read == "any" }
	ofBlock := func(a *dsl.Attr) bool { return a.Pad != nil }
	for k, i := range items {
		if last != nil && (i.Row != nil || i.Repeat != nil || i.Within != nil) {
			c.errorf(i.Pos, 1, dsl.CodeUnreachable, "nothing is left for this: line %d takes every byte up to the end", last.Pos.Line).
				WithHint("put it before that line, or limit that line with within SIZE { … }")
			last = nil
		}
		var end *dsl.Item
		switch {
		case i.Row != nil:
			end = c.checkRow(i, items[:k])
		case i.Bits != nil:
			c.checkAttrs(i.Bits.Attrs, "bits", ofBits)
		case i.Repeat != nil:
			c.checkAttrs(i.Repeat.Attrs, "a list", ofBlock)
			c.checkItems(i.Repeat.Items, nil)
			if i.Repeat.ToEnd {
				end = i
			}
		case i.Within != nil:
			c.checkAttrs(i.Within.Attrs, "a region", ofBlock)
			c.checkItems(i.Within.Items, nil)
		case i.If != nil:
			then, other := c.checkItems(i.If.Then, last), c.checkItems(i.If.Else, last)
			if then != nil && other != nil {
				end = other
			}
		}
		if end != nil {
			last = end
		}
	}
	return last
}

// checkRow checks what one row says; before it stand other items.
func (c *compiler) checkRow(i *dsl.Item, before []*dsl.Item) (last *dsl.Item) {
	row, t := i.Row, i.Row.Type
	name, width := t.Name.Text, len(t.Name.Text)
	scalar, truth := c.scalar(name) != bytecode.NoScalar, truthWidth(name) != bytecode.NoScalar
	union, rec, text := c.s.Union(name) != nil, c.s.Type(name) != nil, c.encoding0(name)
	switch {
	case t.ID && !union && (scalar || truth || rec || text):
		c.errorf(t.Pos, width, dsl.CodeArgs, "%s is no union, so it has no numbers of arms", name).WithHint("write %s alone, or the name of a union before .id", name)
	case t.ID && (t.Size != nil || len(t.Args) > 0):
		c.errorf(t.Pos, width, dsl.CodeArgs, "the number of an arm has neither a length nor arguments").WithHint("write %s.id", name)
	case t.Size != nil && (union || rec || truth):
		c.errorf(t.Pos, width, dsl.CodeArgs, "only numbers and text have a length in brackets, and %s is neither", name).
			WithHint("write a list: repeat … as %s { | … | … | %s | … | }", row.Name.Text, name)
	case t.Size == nil && text:
		c.errorf(t.Pos, width, dsl.CodeArgs, "text needs a length").WithHint("write %s[…] with a number of bytes", name)
	case len(t.Args) > 0 && (scalar || truth || text):
		c.errorf(t.Args[0].Pos, 1, dsl.CodeArgs, "%s takes no arguments", name).WithHint("types and unions of the schema take arguments; a length stands in brackets")
	}
	if len(row.Bits) > 0 && t.Size != nil {
		c.errorf(row.Bits[0].Pos, 1, dsl.CodeBits, "bits are of one integer, and %s[…] is more than one", name).WithHint("give the word a row of its own")
	}
	value := row.Value
	for _, a := range row.Attrs {
		if a.Write != nil {
			value = a.Write
		}
	}
	if value != nil && len(row.Bits) == 0 && (t.Size != nil || text || rec || union && !t.ID || c.scalar(name).IsFloat()) {
		c.errorf(value.Pos, 1, dsl.CodeArgs, "a writer computes integers only, and %s is none", row.Name.Text).WithHint("store the field, or give it an integer type")
	}
	c.checkAttrs(row.Attrs, "a row of type "+name, func(a *dsl.Attr) bool {
		if a.At != nil {
			c.checkAt(a.At)
		}
		return a.Read != "nonzero" || truth
	})
	for _, bf := range row.Bits {
		c.checkAttrs(bf.Attrs, "bits", func(a *dsl.Attr) bool { return a.Must != nil || a.Write != nil || a.Read == "any" })
	}
	when := whenOf(row.Attrs)
	if when != nil {
		for k := len(before) - 1; k >= 0 && before[k].Row != nil && before[k].Row.Name.Text == row.Name.Text; k-- {
			if other := whenOf(before[k].Row.Attrs); other != nil && same(schema.Fold(other), schema.Fold(when)) {
				c.errorf(when.Pos, 1, dsl.CodeUnreachable, "%s has another form under the same condition, in line %d", row.Name.Text, before[k].Pos.Line).
					WithHint("one of the forms is read where the condition holds; let this one have the opposite")
			}
		}
	} else if t.Size != nil && isRest(t.Size) {
		return i
	}
	return nil
}

// isRest reports whether the length of an array is all that is left.
func isRest(e *dsl.Expr) bool {
	n := schema.Fold(e)
	return n.Op == schema.OpName && n.Name.Text == "rest"
}

// checkAt checks the name in an offset that is given for one choice.
func (c *compiler) checkAt(a *dsl.At) {
	if choices := Choices(c.s); !slices.Contains(choices, a.Choice.Text) {
		d := c.errorf(a.Choice.Pos, len(a.Choice.Text), dsl.CodeUnknown, "there is no choice %s", a.Choice.Text)
		if near := c.near(a.Choice.Text, func() []string { return choices }); near != "" {
			d.WithHint("did you mean %s?", near)
		} else {
			d.WithHint("at names a choice of the axis of the schema")
		}
	}
}

// checkAttrs reports attributes that mean nothing where they stand.
func (c *compiler) checkAttrs(attrs []*dsl.Attr, where string, allowed func(*dsl.Attr) bool) {
	for _, a := range attrs {
		if a.Err != nil || allowed(a) {
			continue
		}
		what := ""
		switch {
		case a.Pad != nil:
			what = "pad"
		case a.Read != "":
			what = "read " + a.Read
		case a.Write != nil:
			what = "write"
		case a.Must != nil:
			what = "must"
		case a.When != nil:
			what = "when"
		case a.At != nil:
			what = "at"
		case a.Same != nil:
			what = "same"
		}
		c.errorf(a.Pos, len(what), dsl.CodeArgs, "%s means nothing for %s", what, where).WithHint("leave it out")
	}
}

// checkRecords reports records of one field that are, in the end, written in place
// of themselves, and so would have no bytes but their own.
func (c *compiler) checkRecords() {
	done := map[*schema.Type]bool{}
	for _, t := range c.s.Types {
		path := map[*schema.Type]bool{}
		for t != nil && !done[t] {
			done[t], path[t] = true, true
			row := single(t.Items)
			if row == nil || len(t.Args) > 0 || row.Type.Size != nil || row.Type.ID {
				break
			}
			next := c.s.Type(row.Type.Name.Text)
			if next != nil && path[next] {
				c.errorf(row.Type.Pos, len(row.Type.Name.Text), dsl.CodeNoProgress, "no value of type %s ends: it always contains another", t.Name).
					WithHint("a record that contains itself needs a way to end: a union, or a list that may be empty")
			}
			t = next
		}
	}
}
