// Package bound checks the resolved tree of a schema against its text.
package bound

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// Check checks that the resolved tree says the same as the text. Every expression has the
// number of the syntax tree for any numbers of its names, and every row, bit, list, arm and
// encoding has its cells and attributes. Reference and interpreter both start from the resolved
// tree, so their agreement does not show that. The types of imports are not checked: the files
// are those of the schema, and of those that it extends. The error names the place.
func Check(files []*dsl.File, s *schema.Schema) error {
	c := &checker{s: s, nodes: map[dsl.Pos]any{}, form: map[*schema.Row]*schema.Forms{}, values: map[dsl.Pos]*dsl.Expr{}}
	for _, f := range files {
		dsl.Walk(f, c.syntax)
	}
	c.declarations(files)
	for _, r := range s.Records {
		if !strings.Contains(r.Name, ".") {
			c.record(r, r.Fields)
		}
	}
	for _, u := range s.Unions {
		if !strings.Contains(u.Name, ".") {
			c.union(u)
		}
	}
	return errors.Join(c.errs...)
}

// checker is one check of a schema.
type checker struct {
	s      *schema.Schema
	nodes  map[dsl.Pos]any // nodes of the syntax tree
	fields map[string]bool // of the record at hand
	arm    *schema.Arm     // of the record at hand; nil outside of unions
	form   map[*schema.Row]*schema.Forms
	values map[dsl.Pos]*dsl.Expr // of forms without bytes
	errs   []error
}

// syntax notes a node of the syntax tree.
func (c *checker) syntax(n any) bool {
	switch n := n.(type) {
	case *dsl.Row:
		c.nodes[n.Pos] = n
		if n.By != nil {
			for _, form := range n.By.Forms {
				c.nodes[form.Pos], c.values[form.Pos] = n.In(form), form.Value
			}
		}
	case *dsl.BitField:
		c.nodes[n.Pos] = n
	case *dsl.Repeat:
		c.nodes[n.Pos] = n
	case *dsl.Item:
		if n.Refuse != nil || n.If != nil {
			c.nodes[n.Pos] = n
		}
	case *dsl.Attr:
		c.nodes[n.Pos] = n
	case *dsl.Order:
		c.nodes[n.Pos] = n
	case *dsl.Arm:
		c.nodes[n.Pos] = n
	case *dsl.Decl:
		for _, p := range n.Drop {
			last := p.Names[len(p.Names)-1]
			c.nodes[last.Pos] = last
		}
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
func (c *checker) same(pos dsl.Pos, what string, x *schema.Expr, e *dsl.Expr) {
	if (x == nil) != (e == nil) {
		c.errorf(pos, "%s is in the resolved schema: %v; it is in the text: %v", what, x != nil, e != nil)
		return
	}
	if e == nil {
		return
	}
	for seed := range uint64(worlds) {
		w := &world{seed: seed}
		if want, got := w.expr(e), w.resolved(x); want != got {
			c.errorf(pos, "%s is %d by the text of the schema, and %d in the resolved schema, for the same numbers", what, want, got)
			return
		}
	}
}

// declarations checks encodings and properties.
func (c *checker) declarations(files []*dsl.File) {
	big := false
	for _, f := range files {
		for _, d := range f.Decls {
			if d.Encoding != nil {
				c.encoding(d.Encoding)
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

// ids checks the numbers of an arm.
func (c *checker) ids(a *schema.Arm, ids []*dsl.ID) {
	within := func(lo, hi int64) bool {
		return slices.ContainsFunc(a.IDs, func(r builtin.Range) bool { return r.Lo <= uint64(lo) && uint64(hi) <= r.Hi })
	}
	declared, bound, lowest := uint64(0), uint64(0), uint64(0)
	for i, d := range ids {
		lo := int64(0)
		switch {
		case d.Else:
			if !a.Else {
				c.errorf(a.Pos, "arm %s is not for all other numbers", a.Name)
			}
			return
		case d.Num != nil:
			lo = Number(d.Num)
		default:
			lo = code(d.Code)
		}
		hi := lo
		if d.High != nil {
			hi = Number(d.High)
		}
		if declared += uint64(hi-lo) + 1; !within(lo, hi) {
			c.errorf(a.Pos, "arm %s has the numbers %s, not %d..%d", a.Name, a.IDText(), lo, hi)
		}
		if i == 0 || uint64(lo) < lowest {
			lowest = uint64(lo)
		}
	}
	for _, r := range a.IDs {
		bound += r.Hi - r.Lo + 1
	}
	if a.Else || bound != declared || lowest != a.ID {
		c.errorf(a.Pos, "arm %s has %d numbers from %d, else: %v; not %d from %d", a.Name, bound, a.ID, a.Else, declared, lowest)
	}
}

// encoding checks a declared encoding, if no later one replaces it.
func (c *checker) encoding(d *dsl.Encoding) {
	e := c.s.Encoding(d.Name.Text)
	if e == nil || e.Pos != d.Pos {
		return
	}
	want := schema.Encoding{}
	for _, r := range d.Rules() {
		switch rule := r.Name.Text + " " + r.Word.String(); rule {
		case "utf8 loose":
			want.Charset = builtin.UTF8Loose
		case "utf8 unchecked":
			want.Charset = builtin.UTF8Unchecked
		case "utf8 strict":
			want.Charset = builtin.UTF8Strict
		case "bom drop", "bom keep":
			want.DropBOM = rule == "bom drop"
		case "nul stop":
			want.NUL = schema.NULStop
		case "nul counted":
			want.NUL = schema.NULCounted
		case "nul keep":
			want.NUL = schema.NULKeep
		default:
			want.Charset = charsetNamed(r.Name.Text, c.s.Big)
		}
	}
	if want.Charset != e.Charset || want.DropBOM != e.DropBOM || want.NUL != e.NUL {
		c.errorf(d.Pos, "encoding %s has other rules", e.Name)
	}
}

// charsetNamed returns the character set of a rule of an encoding.
func charsetNamed(name string, big bool) builtin.Charset {
	switch {
	case name == "ascii":
		return builtin.ASCII
	case name == "latin1":
		return builtin.Latin1
	case name == "macroman":
		return builtin.MacRoman
	case name == "windows1252":
		return builtin.Windows1252
	case name == "cp437":
		return builtin.CP437
	case name == "utf16be" || name == "utf16" && big:
		return builtin.UTF16Big
	}
	return builtin.UTF16Little
}

// union checks a union and its arms.
func (c *checker) union(u *schema.Union) {
	if u.Word != nil {
		d, _ := c.nodes[u.Word.Pos].(*dsl.Row)
		c.wordChecks(u, d.Attrs)
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
			c.ids(a, d.IDs)
			c.order(a.Record, d.Items)
		}
		c.arm = a
		c.record(a.Record, a.Fields)
	}
	c.arm = nil
}

// wordChecks checks the conditions of the word of a union. The bits that select the arm are
// written out in them.
func (c *checker) wordChecks(u *schema.Union, attrs []*dsl.Attr) {
	got := u.Word.Checks
	for _, a := range attrs {
		switch {
		case a.Check == nil:
			continue
		case len(got) == 0:
			c.errorf(u.Word.Pos, "a condition of the word is not bound")
			return
		case !writtenOut(got[0].Cond, a.Check.Cond):
			c.same(u.Word.Pos, "a condition of the word", got[0].Cond, a.Check.Cond)
		}
		got = got[1:]
	}
	if len(got) > 0 {
		c.errorf(u.Word.Pos, "%d conditions of the word are not written", len(got))
	}
}

// order checks the stored fields of a record against the order of its items.
func (c *checker) order(rec *schema.Record, items []*dsl.Item) {
	if rec.Tuple != nil {
		return
	}
	want := c.storedNames(items)
	var got []string
	for _, f := range rec.Stored {
		got = append(got, f.Name)
	}
	if !slices.Equal(want, got) {
		c.errorf(rec.Pos, "the values of %s have the fields %s, not %s", rec.Path, strings.Join(want, ", "), strings.Join(got, ", "))
	}
}

// storedNames returns the names of the stored fields of items, in their order.
func (c *checker) storedNames(items []*dsl.Item) []string {
	var out []string
	add := func(n *dsl.Name) {
		if !slices.Contains(out, n.Text) {
			out = append(out, n.Text)
		}
	}
	dsl.Walk(&dsl.Type{Items: items}, func(n any) bool {
		switch n := n.(type) {
		case *dsl.Row:
			for _, b := range n.Bits {
				if !b.Rest && b.Value == nil {
					add(b.Name)
				}
			}
			if n.Computed() == nil && len(n.Bits) == 0 {
				add(n.Name)
			}
		case *dsl.Word:
			for _, b := range n.Bits {
				if b.Value == nil && (b.Selects == nil || c.s.Union(b.Selects.Path()) != nil) {
					add(b.Name)
				}
			}
		case *dsl.Repeat:
			add(n.Name)
			return false
		}
		return true
	})
	return out
}

// branches checks that the fields of one branch are absent in the other.
func (c *checker) branches(n *schema.If, d *dsl.If) {
	then, other := c.storedNames(d.Then), c.storedNames(d.Else)
	without := func(names, have []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(have, name) })
	}
	for k, want := range [][]string{without(other, then), without(then, other)} {
		var got []string
		for _, f := range n.Absent[k] {
			if got = append(got, f.Name); !f.Optional {
				c.errorf(n.Pos, "%s is absent in a branch and not optional", f.Name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			c.errorf(n.Pos, "branch %d has no fields %s, not %s", k, strings.Join(got, ", "), strings.Join(want, ", "))
		}
	}
}

// record checks the nodes of a record. fields are those that expressions can name, beside those of the record around
// it.
func (c *checker) record(rec *schema.Record, fields []*schema.Field) {
	outer := c.fields
	c.fields = map[string]bool{}
	maps.Copy(c.fields, outer)
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
				if u := n.Field.ArmOf; u != nil {
					c.selectsArm(n, d, u)
				} else if d.Selects == nil {
					c.computed(n.Pos, n.Field, d.Value, d.Attrs)
				}
				c.bit(n, d)
			}
		case *schema.List:
			if n.Row != nil {
				c.listRow(n)
				return false
			}
			d := c.nodes[n.Pos].(*dsl.Repeat)
			c.same(n.Pos, "the count", n.Count, d.Extent.Count)
			if !c.spare(n, d.Extent.Cond) {
				c.stop(n.Pos, n.Last, n.Element.Stop, d.Extent.Cond)
			}
			c.pad(n.Pos, n.Pad, d.Attrs)
			c.checks(n.Pos, n.Checks, nil, nil, d.Attrs)
			c.outer(n)
			c.record(n.Element, n.Element.Fields)
			return false
		case *schema.If:
			if row, ok := c.nodes[n.Pos].(*dsl.Row); ok { // a list
				for _, a := range row.Attrs {
					if a.When != nil {
						c.same(n.Pos, "the condition", n.Cond, a.When.Cond)
					}
				}
				break
			}
			d := c.nodes[n.Pos].(*dsl.Item).If
			c.same(n.Pos, "the condition", n.Cond, d.Cond)
			if (len(n.Then) > 0) != (len(d.Then) > 0) || (len(n.Else) > 0) != (len(d.Else) > 0) {
				c.errorf(n.Pos, "a branch lacks its rows, or has others")
			} else if c.s.Base() == nil {
				c.branches(n, d)
			}
		case *schema.Order:
			c.byteOrder(n, c.nodes[n.Pos].(*dsl.Order))
		case *schema.Refuse:
			ok := false
			switch d := c.nodes[n.Pos].(type) {
			case *dsl.Item:
				ok = d.Refuse.Text == n.Reason
			case *dsl.Name: // of a dropped arm
				ok = strings.HasSuffix(n.Reason, " has no "+d.Text)
			}
			if !ok {
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

// text prints an expression.
func text(e *schema.Expr) string { return schema.Notation{}.Text(e) }

// caseRange returns the numbers of a case of an order.
func caseRange(d *dsl.ID) (lo, hi uint64) {
	if d.Num == nil {
		lo = uint64(code(d.Code))
		return lo, lo
	}
	lo = uint64(Number(d.Num))
	if d.High == nil {
		return lo, lo
	}
	return lo, uint64(Number(d.High))
}

// byteOrder checks an order of bytes for the numbers near those of its cases.
func (c *checker) byteOrder(n *schema.Order, d *dsl.Order) {
	if d.By == nil {
		if n.By != nil || n.Big.Op != builtin.Num || (n.Big.Num != 0) != (d.Fixed == "big") {
			c.errorf(n.Pos, "the order is not %s", d.Fixed)
		}
		return
	}
	if n.By == nil || n.By.Name != d.By.Text {
		c.errorf(n.Pos, "the order is not by %s", d.By.Text)
		return
	}
	order := func(v int64) string {
		for _, x := range d.Cases {
			lo, hi := caseRange(x.ID)
			if lo <= uint64(v) && uint64(v) <= hi {
				return x.Order
			}
		}
		return ""
	}
	for _, x := range d.Cases {
		lo, hi := caseRange(x.ID)
		for _, v := range []int64{int64(lo), int64(hi), int64(lo) - 1, int64(hi) + 1} {
			want := order(v)
			if want == "" {
				if n.Check != nil && formula(n.Check.Cond, v) != 0 {
					c.errorf(n.Pos, "the order accepts %d", v)
				}
				continue
			}
			if got := formula(n.Big, v) != 0; got != (want == "big") || n.Check != nil && formula(n.Check.Cond, v) == 0 {
				c.errorf(n.Pos, "the order of %d is not %s", v, want)
			}
		}
	}
}
