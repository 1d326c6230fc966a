// Lists.

package bound

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// listRow checks a row that is a list.
func (c *checker) listRow(n *schema.List) {
	d, ok := c.nodes[n.Pos].(*dsl.Row)
	if !ok || d.Type.Extent == nil {
		c.errorf(n.Pos, "the list is not in the text")
		return
	}
	c.place(n.Row, d)
	c.same(n.Pos, "the length", n.Row.Length, d.Length)
	c.same(n.Pos, "the count", n.Count, d.Type.Extent.Count)
	if !c.spare(n, d.Type.Extent.Cond) {
		c.stop(n.Pos, n.Last, n.Elem.Stop(), d.Type.Extent.Cond)
	}
	c.pad(n.Pos, n.Pad, d.Attrs)
	c.checks(n.Pos, n.Checks, nil, nil, d.Attrs)
	element := n.Elem.Record != nil && n.Elem.Record.Name == d.Type.Path() || n.Elem.Union != nil && n.Elem.Union.Name == d.Type.Path()
	if codings[d.Type.Name.Text] != "" {
		row := n.Element.Body[0].(*schema.Row)
		any := slices.ContainsFunc(d.Attrs, func(a *dsl.Attr) bool { return a.Any })
		element = n.Elem.Record == n.Element && row.Type.Coding.String() == d.Type.Name.Text && row.Type.Longer == any
	}
	if !element {
		c.errorf(n.Pos, "%s is a list of another type", n.Field.Name)
	}
	c.arguments(n.Pos, n.Elem, d.Type)
	switch named := c.named(d.Length); {
	case c.tail(n.Row, d):
	case n.Row.Bound != nil && named:
		c.same(n.Pos, "the size of the region", n.Row.Bound, d.Length)
	case n.Row.Bound != nil && c.area(n.Row):
	case n.Row.Bound != nil || named && (!n.Elem.Fixed || n.Count == nil):
		c.errorf(n.Pos, "whether a field bounds %s: %v", n.Field.Name, n.Row.Bound != nil)
	}
}

// spare checks the number of bytes that are left when a list ends. It reports whether the list ends so.
func (c *checker) spare(n *schema.List, d *dsl.Expr) bool {
	left := d.Calls("left")
	if left != (n.Spare != nil) || left && d.Text(false) != fmt.Sprintf("left() <= %d", n.Spare.Bytes) {
		c.errorf(n.Pos, "the bytes that are left at the end of %s are others", n.Field.Name)
	}
	return left
}

// stop checks the condition of the last element of a list. The bits that select the arm of a
// union are written out in it.
func (c *checker) stop(pos dsl.Pos, last bool, got *schema.Expr, d *dsl.Expr) {
	if last != (d != nil) {
		c.errorf(pos, "the list ends at a condition: %v; it is written: %v", last, d != nil)
	}
	if d != nil && !writtenOut(got, d) {
		c.same(pos, "the condition of the last element", got, d)
	}
}

// writtenOut reports whether an expression has more operations and names than its text.
func writtenOut(got *schema.Expr, d *dsl.Expr) bool {
	n := 0
	dsl.Walk(d, func(node any) bool {
		if e, ok := node.(*dsl.Expr); ok && (e.Op != "" || e.Name != nil) {
			n++
		}
		return true
	})
	var count func(e *schema.Expr) int
	count = func(e *schema.Expr) int {
		n := 0
		if e.Op != builtin.Num {
			n = 1
		}
		for _, a := range e.Args {
			n += count(a)
		}
		return n
	}
	return count(got) > n
}

// outer checks that the arguments of the elements of a list are the fields that its elements name. Elements
// of a declared type name them as its arguments.
func (c *checker) outer(l *schema.List) {
	types := []*schema.Type{l.Elem}
	if l.Map {
		types = []*schema.Type{l.Key, l.Elem}
	}
	for i, t := range types {
		if t.Form == schema.Array {
			continue
		}
		if t.Form == schema.OfUnion || t.Record.Name != "" {
			if d, ok := c.nodes[l.Element.Body[i].(*schema.Row).Pos].(*dsl.Row); ok {
				c.arguments(l.Pos, t, d.Type)
			}
			continue
		}
		args, params := t.Args, t.Record.Params
		if givesOrder(t) {
			args, params = args[:len(args)-1], params[:len(params)-1]
		}
		same := slices.EqualFunc(args, params, func(a *schema.Expr, p *schema.Field) bool {
			return a.Op == builtin.Ref && a.Field.Name == p.Name && (a.Field.Param || a.Field.Pos == p.Pos)
		})
		if !same {
			c.errorf(l.Pos, "the elements of %s get other fields than they name", l.Field.Name)
		}
	}
}
