// Package bound checks the resolved tree of a schema against its text.
package bound

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Check checks that the resolved tree says what the text says: every expression has the
// number of the syntax tree for any numbers of its names, and every row, bit, list, arm
// and encoding has its cells and attributes. Reference and interpreter both start from the
// resolved tree, so their agreement does not show that. The error names the place.
func Check(files []*dsl.File, s *schema.Schema) error {
	c := &checker{s: s, nodes: map[dsl.Pos]any{}, consts: map[string]*dsl.Expr{}}
	for _, f := range files {
		dsl.Walk(f, c.syntax)
	}
	c.declarations(files)
	for _, r := range s.Records {
		c.record(r, r.Fields)
	}
	for _, u := range s.Unions {
		c.union(u)
	}
	return errors.Join(c.errs...)
}

// checker is one check of a schema.
type checker struct {
	s      *schema.Schema
	nodes  map[dsl.Pos]any // nodes of the syntax tree
	consts map[string]*dsl.Expr
	fields map[string]bool // of the record at hand
	errs   []error
}

// syntax notes a node of the syntax tree.
func (c *checker) syntax(n any) bool {
	switch n := n.(type) {
	case *dsl.Row:
		c.nodes[n.Pos] = n
	case *dsl.BitField:
		c.nodes[n.Pos] = n
	case *dsl.Repeat:
		c.nodes[n.Pos] = n
	case *dsl.Within:
		c.nodes[n.Pos] = n
	case *dsl.Item:
		if n.Let != nil || n.Refuse != nil || n.If != nil {
			c.nodes[n.Pos] = n
		}
	case *dsl.Attr:
		c.nodes[n.Pos] = n
	case *dsl.Const:
		c.consts[n.Name.Text] = n.Value
	case *dsl.Arm:
		c.nodes[n.Pos] = n
	}
	return true
}

func (c *checker) errorf(pos dsl.Pos, format string, args ...any) {
	if len(c.errs) < 5 {
		c.errs = append(c.errs, fmt.Errorf("%s:%d: %s", pos.Filename, pos.Line, fmt.Sprintf(format, args...)))
	}
}

// worlds are the numbers that expressions are compared for.
const worlds = 6

// same compares an expression of the resolved tree with its syntax.
func (c *checker) same(pos dsl.Pos, what string, x *schema.Expr, e *dsl.Expr, cell bool) {
	if (x == nil) != (e == nil) {
		c.errorf(pos, "%s is bound: %v; it is written: %v", what, x != nil, e != nil)
		return
	}
	if e == nil {
		return
	}
	for seed := range uint64(worlds) {
		w := &world{seed: seed, consts: c.consts, fields: c.fields}
		if cell {
			w.fields = nil
		}
		if want, got := w.expr(e), w.resolved(x); want != got {
			c.errorf(pos, "%s is %d as it is written, and %d as it is bound", what, want, got)
			return
		}
	}
}

// declarations checks constants, encodings and properties.
func (c *checker) declarations(files []*dsl.File) {
	for _, k := range c.s.Consts {
		if e := c.consts[k.Name]; e == nil {
			c.errorf(k.Pos, "constant %s is not declared", k.Name)
		} else if want := (&world{consts: c.consts}).expr(e); want != k.Value {
			c.errorf(k.Pos, "constant %s is %d, not %d", k.Name, want, k.Value)
		}
	}
	big := false
	for _, f := range files {
		for _, d := range f.Decls {
			e := d.Encoding
			if d.Change != nil && d.Change.Replace != nil {
				e = d.Change.Replace.Encoding
			}
			if e != nil {
				c.encoding(e)
			}
			if d.Schema == nil {
				continue
			}
			for _, p := range d.Schema.Props {
				if p.Order != "" {
					big = p.Order == "big"
				}
			}
		}
	}
	if big != c.s.Big {
		c.errorf(c.s.Pos, "the order is big: %v, not %v", big, c.s.Big)
	}
}

// encoding checks a declared encoding, if no later one replaces it.
func (c *checker) encoding(d *dsl.Encoding) {
	e := c.s.Encoding(d.Name.Text)
	if e == nil || e.Pos != d.Pos {
		return
	}
	want := schema.Encoding{}
	for _, r := range d.Rules {
		switch {
		case r.UTF8 == "loose":
			want.UTF8 = schema.UTF8Loose
		case r.UTF8 == "unchecked":
			want.UTF8 = schema.UTF8Unchecked
		case r.UTF8 != "":
			want.UTF8 = schema.UTF8Strict
		case r.BOM != "":
			want.DropBOM = r.BOM == "drop"
		case r.NUL == "stop":
			want.NUL = schema.NULStop
		case r.NUL == "counted":
			want.NUL = schema.NULCounted
		case r.NUL != "":
			want.NUL = schema.NULKeep
		}
	}
	if want.UTF8 != e.UTF8 || want.DropBOM != e.DropBOM || want.NUL != e.NUL {
		c.errorf(d.Pos, "encoding %s has other rules", e.Name)
	}
}

// union checks a union and its arms.
func (c *checker) union(u *schema.Union) {
	if u.Word != nil {
		d, _ := c.nodes[u.Word.Pos].(*dsl.Row)
		closed, width := false, 8*scalarWidth[d.Type.Name.Text]
		lo, n := 0, width
		for _, b := range d.Bits {
			if !b.Rest {
				lo, n = bitRange(b.Lo, b.Hi)
				closed = true
			}
		}
		for _, b := range d.Bits {
			closed = closed && !b.Rest
		}
		if u.Lo != lo || u.N != n || u.Closed != closed {
			c.errorf(u.Pos, "union %s is selected by %d bits from %d, closed: %v; not %d bits from %d, closed: %v", u.Name, n, lo, closed, u.N, u.Lo, u.Closed)
		}
	}
	for _, a := range u.Arms {
		if d, ok := c.nodes[a.Pos].(*dsl.Arm); ok && a.Name == d.Name.Text && c.s.Base() == nil {
			id := int64(0)
			if d.ID.Num != nil {
				id = Number(d.ID.Num)
			} else if d.ID.Code != "" {
				id = code(d.ID.Code)
			}
			if int64(a.ID) != id || a.Else != d.ID.Else {
				c.errorf(a.Pos, "arm %s has number %d, not %d", a.Name, id, a.ID)
			}
			c.order(a.Record, d.Items)
		}
		c.record(a.Record, a.Fields)
	}
}

// order checks the stored fields of a record against the order of its items.
func (c *checker) order(rec *schema.Record, items []*dsl.Item) {
	if rec.Tuple != nil {
		return
	}
	var want []string
	add := func(n *dsl.Name) {
		if !slices.Contains(want, n.Text) {
			want = append(want, n.Text)
		}
	}
	dsl.Walk(&dsl.Type{Items: items}, func(n any) bool {
		switch n := n.(type) {
		case *dsl.Row:
			same := slices.ContainsFunc(n.Attrs, func(a *dsl.Attr) bool { return a.Same != nil })
			for _, b := range n.Bits {
				if !b.Rest && b.Value == nil && !same {
					add(b.Name)
				}
			}
			if n.Value == nil && len(n.Bits) == 0 && !same {
				add(n.Name)
			}
		case *dsl.Word:
			for _, b := range n.Bits {
				if b.Value == nil && b.Selects == nil {
					add(b.Name)
				}
			}
		case *dsl.Repeat:
			add(n.Name)
			return false
		}
		return true
	})
	var got []string
	for _, f := range rec.Stored {
		got = append(got, f.Name)
	}
	if !slices.Equal(want, got) {
		c.errorf(rec.Pos, "the values of %s have the fields %s, not %s", rec.Path, strings.Join(want, ", "), strings.Join(got, ", "))
	}
}

// record checks the nodes of a record; fields are those that expressions can name.
func (c *checker) record(rec *schema.Record, fields []*schema.Field) {
	outer := c.fields
	c.fields = map[string]bool{}
	for _, f := range fields {
		c.fields[f.Name] = true
	}
	c.tuple(rec)
	schema.Walk(rec.Body, func(n schema.Node) bool {
		switch n := n.(type) {
		case *schema.Row:
			if d, ok := c.nodes[n.Pos].(*dsl.Row); ok {
				c.row(n, d)
			} else {
				c.errorf(n.Pos, "the row is not in the text")
			}
		case *schema.Forms:
			c.forms(n)
		case *schema.Bit:
			if d, ok := c.nodes[n.Pos].(*dsl.BitField); ok {
				if d.Selects == nil {
					c.computed(n.Pos, n.Field, d.Value, d.Attrs)
				}
				c.bit(n, d.Lo, d.Hi, d.Name, d.Value, d.Attrs)
			}
		case *schema.List:
			d := c.nodes[n.Pos].(*dsl.Repeat)
			c.same(n.Pos, "the count", n.Count, d.Count, false)
			c.pad(n.Pos, n.Pad, d.Attrs)
			c.record(n.Element, n.Element.Fields)
			return false
		case *schema.Region:
			d := c.nodes[n.Pos].(*dsl.Within)
			c.same(n.Pos, "the size", n.Size, d.Size, false)
			c.pad(n.Pos, n.Pad, d.Attrs)
		case *schema.If:
			d := c.nodes[n.Pos].(*dsl.Item).If
			c.same(n.Pos, "the condition", n.Cond, d.Cond, false)
			if (len(n.Then) > 0) != (len(d.Then) > 0) || (len(n.Else) > 0) != (len(d.Else) > 0) {
				c.errorf(n.Pos, "a branch lacks its rows, or has others")
			}
		case *schema.Let:
			c.same(n.Pos, n.Field.Name, n.Value, c.nodes[n.Pos].(*dsl.Item).Let.Value, false)
		case *schema.Refuse:
			if c.nodes[n.Pos].(*dsl.Item).Refuse.Text != n.Reason {
				c.errorf(n.Pos, "the reason is %q", n.Reason)
			}
		}
		return true
	})
	c.fields = outer
}

// tuple checks that the numbers of a tuple have one type.
func (c *checker) tuple(rec *schema.Record) {
	if rec.Tuple == nil {
		return
	}
	for _, row := range rec.Tuple.Rows {
		if d := c.nodes[row.Pos].(*dsl.Row); d.Type.Name.Text != rec.Tuple.Type.Name {
			c.errorf(row.Pos, "%s is a %s in a tuple of %s", row.Field.Name, d.Type.Name.Text, rec.Tuple.Type.Name)
		}
	}
}

// row checks the cells and the attributes of a row.
func (c *checker) row(n *schema.Row, d *dsl.Row) {
	c.same(n.Pos, "the offset", n.Offset, d.Offset, true)
	c.same(n.Pos, "the length", n.Length, d.Length, true)
	c.typ(n, d.Type)
	c.pad(n.Pos, n.Pad, d.Attrs)
	free, computed := false, d.Value != nil
	for _, a := range d.Attrs {
		switch {
		case a.When != nil && n.Same == nil:
			c.same(n.Pos, "the condition", n.When, a.When.Cond, false)
		case a.Write != nil:
			computed = true
		}
		free = free || a.Any
	}
	truth := n.Type.Form == schema.Truth && !computed
	if n.Any != (free && !truth) || n.Nonzero != (free && truth) {
		c.errorf(n.Pos, "whether a reader accepts any number of %s: %v", n.Field.Name, n.Any)
	}
	if n.Same != nil {
		return
	}
	c.checks(n.Pos, n.Checks, d.Name, d.Value, d.Attrs)
	if len(d.Bits) == 0 {
		c.computed(n.Pos, n.Field, d.Value, d.Attrs)
		c.kind(n, d)
		return
	}
	taken, ignore := uint64(0), false
	k := 0
	for _, b := range d.Bits {
		if b.Rest {
			ignore = true
			continue
		}
		if k < len(n.Bits) {
			c.bit(n.Bits[k], b.Lo, b.Hi, b.Name, b.Value, b.Attrs)
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
	all := uint64(1)<<(8*scalarWidth[d.Type.Name.Text]) - 1
	if n.Closed != (!ignore && taken != all) {
		c.errorf(n.Pos, "whether a reader refuses other bits: %v", n.Closed)
	}
}

// scalarWidth has the bytes of every scalar.
var scalarWidth = map[string]int{"u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8, "code4": 4}

// bitRange returns the lowest bit and the number of bits.
func bitRange(lo, hi *dsl.Num) (int, int) {
	if hi == nil {
		return int(Number(lo)), 1
	}
	return int(Number(lo)), int(Number(hi)-Number(lo)) + 1
}

func (c *checker) bit(n *schema.Bit, lo, hi *dsl.Num, name *dsl.Name, value *dsl.Expr, attrs []*dsl.Attr) {
	if at, count := bitRange(lo, hi); n.Lo != at || n.N != count {
		c.errorf(n.Pos, "%s has %d bits from %d, not %d from %d", n.Field.Name, count, at, n.N, n.Lo)
	}
	c.checks(n.Pos, n.Checks, name, value, attrs)
}

// musts checks the conditions without a message: that a constant is the declared one, and
// those that are written.
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
		c.same(pos, "a condition that must hold", got[i].Cond, want[i], false)
	}
}

// constant reports whether an expression has no name but those of constants.
func (c *checker) constant(e *dsl.Expr) bool {
	constant := true
	dsl.Walk(e, func(n any) bool {
		if e, ok := n.(*dsl.Expr); ok && e.Name != nil && (c.fields[e.Name.Text] || c.consts[e.Name.Text] == nil) {
			constant = constant && e.IsCall && len(e.Args) == 2
		}
		return true
	})
	return constant
}

// computed checks what a writer computes for a field.
func (c *checker) computed(pos dsl.Pos, f *schema.Field, value *dsl.Expr, attrs []*dsl.Attr) {
	for _, a := range attrs {
		if a.Write != nil {
			value = a.Write
		}
	}
	c.same(pos, "what a writer computes for "+f.Name, f.Derive, value, false)
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
}

// typ checks the type of a row.
func (c *checker) typ(n *schema.Row, d *dsl.TypeRef) {
	t, name := n.Type, d.Name.Text
	if t.Name != name {
		c.errorf(n.Pos, "the type of %s is %s, not %s", n.Field.Name, name, t.Name)
	}
	if axis := c.s.Axis; axis != nil && axis.Name == name && (t.Form == schema.Number || t.Form == schema.Array) {
		if t.Scalar != c.s.Choice.Scalar {
			c.errorf(n.Pos, "%s is %s under %s, not %s", name, c.s.Choice.Scalar, c.s.Choice.Name, t.Scalar)
		}
		if t.Narrow != builtin.NoScalar && (t.Narrow != axis.Choices[0].Scalar || t.Wide != axis.Choices[1].Scalar) {
			c.errorf(n.Pos, "the bit selects between %s and %s, not %s and %s", axis.Choices[0].Scalar, axis.Choices[1].Scalar, t.Narrow, t.Wide)
		}
	} else if width := scalarWidth[name]; width > 0 && !d.ID && (t.Scalar.String() != name || t.Form != schema.Number && t.Form != schema.Array) {
		c.errorf(n.Pos, "%s is bound to another type", name)
	}
	if d.Size != nil && t.Size != nil {
		c.same(n.Pos, "the number in brackets", t.Size, d.Size, false)
	}
	if t.Size == nil && d.Size != nil && Name(d.Size) != "rest" || t.Size != nil && d.Size == nil {
		c.errorf(n.Pos, "the number in brackets is bound: %v; it is written: %v", t.Size != nil, d.Size != nil)
	}
	if len(t.Args) != len(d.Args) {
		c.errorf(n.Pos, "%s has %d arguments, not %d", name, len(d.Args), len(t.Args))
		return
	}
	for i := range d.Args {
		c.same(n.Pos, "an argument", t.Args[i], d.Args[i], false)
	}
	if t.Form == schema.OfRecord && t.Record.Name != name || t.Form == schema.OfUnion && t.Union.Name != name {
		c.errorf(n.Pos, "%s is bound to another type", name)
	}
}

// kind checks the kind of the value of a stored number that has one form.
func (c *checker) kind(n *schema.Row, d *dsl.Row) {
	if n.Field.Index < 0 || n.When != nil || d.Type.ID || d.Type.Size != nil {
		return
	}
	name := d.Type.Name.Text
	if axis := c.s.Axis; axis != nil && axis.Name == name {
		name = c.s.Choice.Scalar.String()
	}
	if want, ok := kindOf(name); ok && n.Field.Kind != want {
		c.errorf(n.Pos, "a value of %s is of kind %s, not %s", name, want, n.Field.Kind)
	}
}

// kindOf returns the kind of the values of a type that the language has.
func kindOf(name string) (builtin.Kind, bool) {
	switch {
	case scalarWidth[name] > 0:
		return map[byte]builtin.Kind{'u': builtin.Uint, 'c': builtin.Uint, 'i': builtin.Int, 'f': builtin.Float}[name[0]], true
	case strings.HasPrefix(name, "bool"):
		return builtin.Bool, true
	}
	return builtin.None, false
}

// forms checks what is said of the forms of a field together.
func (c *checker) forms(n *schema.Forms) {
	rows := n.Rows
	if len(rows) == 1 {
		if n.Total {
			c.errorf(rows[0].Pos, "%s is taken to be always there", n.Field.Name)
		}
		return
	}
	// The last two conditions are opposite if they are so by their text.
	a, b := rows[len(rows)-2].When, rows[len(rows)-1].When
	opposite := text(a) == "!"+text(b) || text(b) == "!"+text(a) ||
		text(a) == "!("+text(b)+")" || text(b) == "!("+text(a)+")"
	if opposite != n.Total {
		c.errorf(rows[0].Pos, "whether one of the forms of %s is always there: %v", n.Field.Name, n.Total)
	}
	narrowest := 8
	width := func(r *schema.Row) int {
		if r.Type.Form != schema.Number && r.Type.Form != schema.Array {
			return 0
		}
		return r.Type.Scalar.Width()
	}
	kinds := map[builtin.Kind]bool{}
	for _, r := range rows {
		narrowest = min(narrowest, width(r))
		if k, ok := kindOf(r.Type.Scalar.String()); ok && r.Type.Form == schema.Number {
			kinds[k] = true
		}
	}
	for _, r := range rows {
		if r.Wide != (width(r) > narrowest) {
			c.errorf(r.Pos, "whether this is a wide form of %s: %v", n.Field.Name, r.Wide)
		}
	}
	if len(kinds) > 1 && n.Field.Kind != builtin.None {
		c.errorf(rows[0].Pos, "the forms of %s are of several kinds, and the field is of %s", n.Field.Name, n.Field.Kind)
	}
	c.keep(n)
}

// keep checks the scalar that a flag asks about if a writer keeps widths: the one of the
// form for 0.
func (c *checker) keep(n *schema.Forms) {
	for k := range len(n.Rows) - 1 {
		first, second := n.Rows[k], n.Rows[k+1]
		ref, narrow := second.When, first
		if ref.Op == builtin.Not {
			ref, narrow = ref.Args[0], second
		}
		if ref.Op == builtin.Ref && ref.Field.Derive != nil && ref.Field.Derive.Op == builtin.Keep && ref.Field.Derive.Field == n.Field && len(n.Rows) == 2 {
			if got := ref.Field.Derive.Scalar; got != narrow.Type.Scalar {
				c.errorf(n.Rows[0].Pos, "the narrow form of %s is %s, not %s", n.Field.Name, narrow.Type.Scalar, got)
			}
		}
	}
}

// text prints an expression.
func text(e *schema.Expr) string { return schema.Notation{}.Text(e) }
