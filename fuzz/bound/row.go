// Rows, their bits and attributes.

package bound

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// row checks the cells and the attributes of a row.
func (c *checker) row(n *schema.Row, d *dsl.Row) {
	c.place(n, d)
	c.length(n, d)
	c.same(n.Pos, "the number of a form", n.Inline, c.values[n.Pos])
	if d.Type != nil {
		c.bounds(n, d)
		c.typ(n, d.Type)
	}
	c.pad(n.Pos, n.Pad, d.Attrs)
	free, filled, computed := false, false, d.Value != nil
	if d.Text != nil || n.Constant != nil {
		c.always(n, d)
		return
	}
	digits := d.Type != nil && digitBits[d.Type.Name.Text] != nil && !d.Type.ID
	if digits {
		c.digits(n, d.Type, d.Attrs)
	}
	for _, a := range d.Attrs {
		switch {
		case a.When != nil && n.When == nil && isMore(a.When.Cond): // of the block that has the row
		case a.When != nil:
			c.same(n.Pos, "the condition", n.When, a.When.Cond)
		}
		free = free || a.Any && c.form[n] == nil
		if a.Fill != nil && !digits {
			c.delimiter(n.Pos, "the byte that fills the row", n.Type.Fill, a.Fill)
			filled = true
		}
	}
	if filled {
		if n.Type.FillAny != free {
			c.errorf(n.Pos, "whether a reader accepts any bytes after %s: %v", n.Field.Name, n.Type.FillAny)
		}
		free = false
	}
	if coded := digits || d.Type != nil && codings[d.Type.Name.Text] != ""; coded || n.Type.Longer {
		if n.Type.Longer != (coded && free) {
			c.errorf(n.Pos, "whether a reader accepts longer numbers of %s: %v", n.Field.Name, n.Type.Longer)
		}
		free = free && computed
	}
	truth := n.Type.Form == schema.Truth && !computed
	if n.Any != (free && !truth) || n.Nonzero != (free && truth) {
		c.errorf(n.Pos, "whether a reader accepts any number of %s: %v", n.Field.Name, n.Any)
	}
	attrs := d.Attrs
	if c.form[n] != nil { // any is about the forms
		attrs = slices.DeleteFunc(slices.Clone(attrs), func(a *dsl.Attr) bool { return a.Any })
	}
	c.checks(n.Pos, c.declared(n), d.Name, d.Value, attrs)
	if len(d.Bits) == 0 {
		c.computed(n.Pos, n.Field, d.Value, d.Attrs)
		c.kind(n, d)
		return
	}
	taken, ignore := uint64(0), false
	k := 0
	for _, b := range c.bitsOf(n, d) {
		if b.Rest {
			ignore = true
			continue
		}
		if k < len(n.Bits) {
			c.bit(n.Bits[k], b)
			c.computed(b.Pos, n.Bits[k].Field, b.Value, b.Attrs)
			if n.Bits[k].Field.Name != b.Name.Text {
				c.errorf(b.Pos, "%s is bound to %s", b.Name.Text, n.Bits[k].Field.Name)
			}
		}
		k++
		lo, count := bitRange(b.Lo, b.Hi)
		m := (uint64(1)<<count - 1) << lo
		if taken&m != 0 {
			c.errorf(b.Pos, "%s overlaps other bits and is accepted", b.Name.Text)
		}
		taken |= m
	}
	if k != len(n.Bits) {
		c.errorf(n.Pos, "the word has %d fields of bits, not %d", k, len(n.Bits))
	}
	if n.Rest != ignore {
		c.errorf(n.Pos, "whether a reader ignores other bits: %v", n.Rest)
	}
}

// always checks a row that is always the same.
func (c *checker) always(n *schema.Row, d *dsl.Row) {
	want, fill := "", ""
	size := int(Number(d.Type.Extent.Count.Num))
	free := false
	for _, a := range d.Attrs {
		free = free || a.Any
		if a.When != nil {
			c.same(n.Pos, "the condition", n.When, a.When.Cond)
		}
		if a.Fill != nil {
			b, _ := a.Fill.Bytes()
			fill = string(b)
		}
	}
	switch {
	case d.Text == nil:
		number := (&world{}).expr(d.Value)
		for len(want) < size*n.Type.Scalar.Width() {
			want += string([]byte{byte(number)}) // the bytes of 0, of -1, or of a number of one byte
		}
	case d.Type.Name.Text == "u8":
		b, _ := d.Text.Bytes()
		want = string(b)
	default:
		b, _ := n.Type.Encoding.Charset.Encode(d.Text.Text)
		want = string(b)
		if n.Type.Encoding.NUL == schema.NULCounted {
			want += "\x00"
		}
	}
	if fill != "" {
		want += strings.Repeat(fill, size-len(want))
	}
	got := ""
	for _, w := range n.Words {
		number, width := uint64(w.Value.Num), w.Type.Scalar.Width()
		for i := range width {
			got += string([]byte{byte(number >> (8 * i))})
		}
		if w.Any != free || (len(w.Checks) == 0) != free || w.Type.Swapped != (c.s.Big && width > 1) {
			c.errorf(n.Pos, "a part of %s accepts any bytes: %v; it is in the other order: %v", n.Field.Name, w.Any, w.Type.Swapped)
		}
		for _, check := range w.Checks {
			if e := check.Cond; e.Op != builtin.Eq || e.Args[0].Field != w.Field || e.Args[1].Num != w.Value.Num || w.Field.Derive != w.Value {
				c.errorf(n.Pos, "a part of %s is compared with another number", n.Field.Name)
			}
		}
	}
	if got != want || string(n.Constant) != want {
		c.errorf(n.Pos, "%s has the bytes %x in %x, not %x", n.Field.Name, n.Constant, got, want)
	}
}

// place checks the offset cell of a row.
func (c *checker) place(n *schema.Row, d *dsl.Row) {
	c.same(n.Pos, "the offset", n.Offset, d.Offset)
	if (n.At != nil) != (d.At != nil) {
		c.errorf(n.Pos, "the row is at a place: %v; it is written: %v", n.At != nil, d.At != nil)
	}
	if n.At == nil || d.At == nil {
		return
	}
	c.same(n.Pos, "the place", n.At.Value, d.At.Value)
	if n.At.Gaps != (d.At.Value == nil) {
		c.errorf(n.Pos, "the row has the bytes between others: %v", n.At.Gaps)
	}
	if view := slices.ContainsFunc(d.Attrs, func(a *dsl.Attr) bool { return a.View }); n.At.View != view {
		c.errorf(n.Pos, "the row is a view: %v; it is written: %v", n.At.View, view)
	}
	if base := d.At.Base; base != nil && base.String() != n.At.Base.BaseName() {
		c.errorf(n.Pos, "the place counts from %s, not from %s", n.At.Base.BaseName(), base)
	} else if base == nil && n.At.Base != n.Field.Record {
		c.errorf(n.Pos, "the place counts from %s, not from the record of the row", n.At.Base.BaseName())
	}
}

// bitsOf returns the bits of a row in the text. Those that an extending schema replaces or
// drops are not among them.
func (c *checker) bitsOf(n *schema.Row, d *dsl.Row) []*dsl.BitField {
	if c.s.Base() == nil {
		return d.Bits
	}
	var out []*dsl.BitField
	for _, bit := range n.Bits {
		if b, ok := c.nodes[bit.Pos].(*dsl.BitField); ok {
			out = append(out, b)
		}
	}
	for _, b := range d.Bits {
		if b.Rest {
			out = append(out, b)
		}
	}
	return out
}

// area reports whether a row has a region of a constant size, which it may have.
func (c *checker) area(n *schema.Row) bool {
	size, constant := n.Length.Linear(schema.Letter)
	return constant && size.IsNumber() && n.Bound.Op == builtin.Num && n.Bound.Num == size.Num
}

// named reports whether an expression names a field.
func (c *checker) named(e *dsl.Expr) bool {
	named := false
	dsl.Walk(e, func(node any) bool {
		if e, ok := node.(*dsl.Expr); ok && e.Name != nil && !e.IsCall {
			row, _, _ := strings.Cut(e.Name.Text, ".")
			named = named || c.fields[row]
		}
		return true
	})
	return named
}

// bounds checks the region of a row. A row has one if its length cell names a field, unless
// text or an array determines the number of bytes.
func (c *checker) bounds(n *schema.Row, d *dsl.Row) {
	if c.tail(n, d) {
		return
	}
	if !c.named(d.Length) {
		number := n.Length != nil && n.Length.Op == builtin.Num
		if n.Bound != nil && (n.Type.Fixed || !c.area(n)) || n.Bound == nil && number && n.Type.Form != schema.Number && !n.Type.Fixed && len(n.Bits) == 0 {
			c.errorf(n.Pos, "whether a number bounds %s: %v", n.Field.Name, n.Bound != nil)
		}
		return
	}
	if n.Bound != nil {
		c.same(n.Pos, "the size of the region", n.Bound, d.Length)
		return
	}
	x := d.Type.Extent
	if x == nil || x.Count == nil {
		c.errorf(n.Pos, "%s has no region, and its type no length", n.Field.Name)
		return
	}
	each := 1
	if n.Type.Form == schema.Array {
		each = n.Type.Scalar.Width() * n.Type.Width
		if n.Type.Option != nil {
			each = n.Type.Option.Choices[0].Scalar.Width()
		}
	}
	size := &dsl.Expr{Op: "*", Args: []*dsl.Expr{x.Count, {Num: &dsl.Num{Text: strconv.Itoa(each)}}}}
	for seed := range uint64(worlds) {
		w := &world{seed: seed}
		if w.expr(size) != w.expr(d.Length) {
			c.errorf(n.Pos, "%s has no region, but its length is not that of its type", n.Field.Name)
			return
		}
	}
}

// bitRange returns the lowest bit and the number of bits.
func bitRange(lo, hi *dsl.Num) (int, int) {
	if hi == nil {
		return int(Number(lo)), 1
	}
	return int(Number(lo)), int(Number(hi)-Number(lo)) + 1
}

func (c *checker) bit(n *schema.Bit, d *dsl.BitField) {
	if at, count := bitRange(d.Lo, d.Hi); n.Lo != at || n.N != count {
		c.errorf(n.Pos, "%s has %d bits from %d, not %d from %d", n.Field.Name, count, at, n.N, n.Lo)
	}
	if n.Signed != d.Signed {
		c.errorf(n.Pos, "whether %s is signed: %v", n.Field.Name, n.Signed)
	}
	c.checks(n.Pos, n.Checks, d.Name, d.Value, d.Attrs)
}

// selectsArm checks bits that select an arm of a union.
func (c *checker) selectsArm(n *schema.Bit, d *dsl.BitField, u *schema.Union) {
	if d.Selects == nil || d.Selects.Path() != u.Name || n.Field.Index < 0 || n.Field.Derive != nil {
		c.errorf(n.Pos, "%s selects an arm of %s", n.Field.Name, u.Name)
	}
}

// checks compares the conditions of a field with those of the text. These are that a
// constant is the declared one, and each check.
func (c *checker) checks(pos dsl.Pos, got []*schema.Check, name *dsl.Name, value *dsl.Expr, attrs []*dsl.Attr) {
	var want []*dsl.Expr
	if value != nil && !slices.ContainsFunc(attrs, func(a *dsl.Attr) bool { return a.Any }) && c.constant(value) {
		want = append(want, &dsl.Expr{Op: "==", Args: []*dsl.Expr{{Name: name}, value}})
	}
	for _, a := range attrs {
		if a.Check != nil {
			want = append(want, a.Check.Cond)
		}
	}
	if len(got) != len(want) {
		c.errorf(pos, "there are %d conditions, not %d", len(want), len(got))
		return
	}
	for i := range want {
		c.same(pos, "a condition that must hold", got[i].Cond, want[i])
	}
}

// constant reports whether an expression has no name.
func (c *checker) constant(e *dsl.Expr) bool {
	constant := true
	dsl.Walk(e, func(n any) bool {
		if e, ok := n.(*dsl.Expr); ok && e.Name != nil {
			constant = constant && e.IsCall && len(e.Args) == 2
		}
		return true
	})
	return constant
}

// computed checks what a writer computes for a field.
func (c *checker) computed(pos dsl.Pos, f *schema.Field, value *dsl.Expr, attrs []*dsl.Attr) {
	if f.Sum != nil { // the row holds the lowest bits
		c.sum(pos, f, value)
		return
	}
	c.same(pos, "what a writer computes for "+f.Name, f.Derive, value)
}

// sum compares a checksum with that of the text, and checks that there are steps for it. A
// reader compares it unless it accepts any, and a writer writes it once.
func (c *checker) sum(pos dsl.Pos, f *schema.Field, value *dsl.Expr) {
	row := f.Node.(*schema.Row)
	mask := uint64(1)<<(8*row.Type.Scalar.Width()) - 1
	if row.Type.Coding != builtin.Fixed { // see digits
		mask = uint64(1)<<row.Type.Coding.Bits() - 1
	}
	for seed := range uint64(worlds) {
		w := &world{seed: seed}
		if got, want := w.resolved(f.Derive), w.expr(value); uint64(got)&mask != uint64(want)&mask {
			c.errorf(pos, "%s is the checksum %s", f.Name, text(f.Derive))
			return
		}
	}
	if base := f.Sum.Base; base != nil {
		if base.Total != f || f.Sum.Hole != f {
			c.errorf(pos, "%s is not the checksum of %s", f.Name, base.BaseName())
		}
		return
	}
	verified, patched := 0, 0
	count := func(s *schema.SumStep) {
		if s.Field == f {
			verified += int(truth(s.Verify))
			patched += int(truth(s.Patch))
		}
	}
	schema.Walk(f.Record.Body, func(n schema.Node) bool {
		var row *schema.Row
		switch n := n.(type) {
		case *schema.SumStep:
			count(n)
		case *schema.Row:
			row = n
		case *schema.List:
			row = n.Row
		}
		if row != nil && row.At != nil {
			for _, s := range row.At.Sums {
				count(s)
			}
		}
		return true
	})
	if patched != 1 || verified != int(truth(!row.Any)) {
		c.errorf(pos, "%s is compared %d times and written %d times", f.Name, verified, patched)
	}
}

func (c *checker) pad(pos dsl.Pos, p *schema.Pad, attrs []*dsl.Attr) {
	var d *dsl.Pad
	for _, a := range attrs {
		if a.Pad != nil {
			d = a.Pad
		}
	}
	if (p == nil) != (d == nil) {
		c.errorf(pos, "padding is bound: %v; it is written: %v", p != nil, d != nil)
		return
	}
	if d == nil {
		return
	}
	if int64(p.To) != Number(d.To) || p.Exact == d.Any || p.OrEnd != d.OrEnd {
		c.errorf(pos, "the padding is another one")
	}
	fill := ""
	if d.With != nil || p.Fill != 0 {
		fill = string([]byte{p.Fill})
	}
	c.delimiter(pos, "the byte of the padding", fill, d.With)
}

// delimiter checks the bytes that end text or bytes.
func (c *checker) delimiter(pos dsl.Pos, what, got string, d *dsl.Str) {
	want := ""
	if d != nil {
		want = strings.ReplaceAll(d.Text, " ", "")
	}
	if fmt.Sprintf("%x", got) != strings.ToLower(want) {
		c.errorf(pos, "%s is %x, not %s", what, got, want)
	}
}

// tail checks the region of a row whose length cell is end-N, and reports whether the cell is one.
func (c *checker) tail(n *schema.Row, d *dsl.Row) bool {
	ends := n.At == nil && !c.fields["end"] && d.Length.Name == nil
	if ends {
		ends = false
		dsl.Walk(d.Length, func(node any) bool {
			e, ok := node.(*dsl.Expr)
			ends = ends || ok && e.Name != nil && !e.IsCall && e.Name.Text == "end"
			return true
		})
	}
	if ends != (n.Tail != nil) {
		c.errorf(n.Pos, "whether %s goes up to some bytes before the end: %v", n.Field.Name, n.Tail != nil)
	}
	if n.Tail != nil {
		c.same(n.Pos, "the size of the region", n.Bound, d.Length)
	}
	return ends
}
