// Rows with several forms.

package bound

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp/boundary"
)

// length checks the length of a row, which is one of those of its forms.
func (c *checker) length(n *schema.Row, d *dsl.Row) {
	if len(d.Others) == 0 {
		c.same(n.Pos, "the length", n.Length, d.Length)
		return
	}
	for _, e := range d.Lengths() {
		if e.Num != nil && n.Length.Op == builtin.Num && Number(e.Num) == n.Length.Num || Name(e) != "" && Name(e) == n.Length.Name {
			return
		}
	}
	if !slices.ContainsFunc(d.Lengths(), func(e *dsl.Expr) bool { return e.Num == nil && Name(e) == "" }) {
		c.errorf(n.Pos, "the length of a form of %s is not in its cell", n.Field.Name)
	}
}

// forms checks the forms of a row.
func (c *checker) forms(n *schema.Forms) {
	d, _ := c.nodes[n.Pos].(*dsl.Row)
	if d == nil || (d.By != nil) != (n.Selector != nil) || n.Total != (d.By != nil) {
		c.errorf(n.Pos, "%s is taken for a row with several forms, or is not", n.Field.Name)
		return
	}
	if d.By == nil {
		return
	}
	c.same(n.Pos, "the number of the form", n.Selector, d.By.Selector)
	if len(n.Rows) != len(d.By.Forms) {
		c.errorf(n.Pos, "%s has %d forms, not %d", n.Field.Name, len(n.Rows), len(d.By.Forms))
		return
	}
	for _, r := range n.Rows {
		c.form[r] = n
	}
	for seed := range uint64(4 * worlds) {
		w := &world{seed: seed}
		c.selected(n, d, w, w.expr(d.By.Selector))
	}
	c.total(n, d)
	narrowest := 8
	width := func(r *schema.Row) int {
		if r.Type.Form != schema.Number && r.Type.Form != schema.Array {
			return 0
		}
		return r.Type.Scalar.Width()
	}
	for _, r := range n.Rows {
		narrowest = min(narrowest, width(r))
	}
	for _, r := range n.Rows {
		if r.Wide != (width(r) > narrowest && r.Inline == nil && (n.Number == nil && n.Arm == nil || len(n.Rows) == 2)) {
			c.errorf(r.Pos, "whether this is a wide form of %s: %v", n.Field.Name, r.Wide)
		}
	}
	if flag := c.kept(n, d); flag != nil {
		c.keep(n, flag)
	}
	c.number(n)
}

// selected checks the conditions of forms for one number of the selector.
func (c *checker) selected(n *schema.Forms, d *dsl.Row, w *world, number int64) {
	some := false
	for k, form := range d.By.Forms {
		has := hasNumber(form, uint64(number))
		some = some || has
		flag := n.Rows[k].When == n.Selector || n.Rows[k].When.Op == builtin.Not
		if holds := w.resolved(n.Rows[k].When) != 0; holds != has && !(flag && uint64(number) > 1) {
			c.errorf(form.Pos, "whether %d selects this form of %s: %v", number, n.Field.Name, holds)
		}
	}
	if n.Check != nil && (w.resolved(n.Check.Cond) != 0) != some {
		c.errorf(n.Pos, "whether %s has a form for %d: %v", n.Field.Name, number, !some)
	}
}

// hasNumber reports whether a form has a number.
func hasNumber(form *dsl.Form, number uint64) bool {
	return slices.ContainsFunc(form.IDs, func(id *dsl.ID) bool {
		lo, hi := caseRange(id)
		return lo <= number && number <= hi
	})
}

// total checks that forms without a check of their number have every number that a reader may
// find. It tries the numbers beside those of forms, up to the greatest one of the selector.
func (c *checker) total(n *schema.Forms, d *dsl.Row) {
	most, known := c.most(n.Selector)
	if n.Check != nil || !known {
		return
	}
	arm := c.arm
	if arm != nil && (arm.Else || n.Selector.Op != builtin.Ref || arm.Union.By != n.Selector.Field) {
		arm = nil
	}
	for _, form := range d.By.Forms {
		for _, id := range form.IDs {
			lo, hi := caseRange(id)
			for _, number := range []uint64{lo - 1, hi + 1} {
				found := slices.ContainsFunc(d.By.Forms, func(f *dsl.Form) bool { return hasNumber(f, number) })
				if !found && number <= most && (arm == nil || arm.IDs.Contains(number)) {
					c.errorf(n.Pos, "no form of %s has %d, which a reader accepts", n.Field.Name, number)
				}
			}
		}
	}
}

// most returns the greatest number of a selector. It knows the number of a field that is stored
// without a sign and not in digits, and of such a field with a mask.
func (c *checker) most(e *schema.Expr) (uint64, bool) {
	if e.Op == builtin.And && e.Args[1].Op == builtin.Num {
		return uint64(e.Args[1].Num), true
	}
	if e.Op != builtin.Ref {
		return 0, false
	}
	width := 0
	switch node := e.Field.Node.(type) {
	case *schema.Bit:
		if d, ok := c.nodes[node.Pos].(*dsl.BitField); ok {
			_, width = bitRange(d.Lo, d.Hi)
		}
	case *schema.Row:
		if d, ok := c.nodes[node.Pos].(*dsl.Row); ok && d.Type != nil && d.Type.Name != nil && strings.HasPrefix(d.Type.Name.Text, "u") {
			width = 8 * scalarWidth[d.Type.Name.Text]
		}
	}
	return 1<<width - 1, width > 0
}

// kept returns the flag in a bit that selects one of two forms of a stored number, or nil. The
// bit must have a constant and "any".
func (c *checker) kept(n *schema.Forms, d *dsl.Row) *schema.Field {
	if n.Selector.Op != builtin.Ref || len(n.Rows) != 2 || n.Field.Index < 0 || n.Rows[0].Type.Form != schema.Number {
		return nil
	}
	bit, ok := n.Selector.Field.Node.(*schema.Bit)
	if !ok || slices.ContainsFunc(d.By.Forms, func(f *dsl.Form) bool { return f.Type == nil || len(f.IDs) > 1 || f.IDs[0].High != nil }) {
		return nil
	}
	written, ok := c.nodes[bit.Pos].(*dsl.BitField)
	if !ok || written.Value == nil || written.Value.Num == nil || !slices.ContainsFunc(written.Attrs, func(a *dsl.Attr) bool { return a.Any }) {
		return nil
	}
	return n.Selector.Field
}

// keep checks the number that a writer that keeps widths puts into a computed flag. The flag
// selects one of two forms of different widths. It must be the number of the wide form if the
// narrow one cannot hold the value.
func (c *checker) keep(n *schema.Forms, flag *schema.Field) {
	narrow, wide := n.Rows[0], n.Rows[1]
	if narrow.Type.Scalar.Width() > wide.Type.Scalar.Width() {
		narrow, wide = wide, narrow
	}
	first := int64(narrow.IDs[0].Lo)
	if narrow.Type.Scalar.Width() == wide.Type.Scalar.Width() || first+int64(wide.IDs[0].Lo) != 1 {
		return
	}
	if flag.Derive.Op != builtin.Keep {
		c.errorf(n.Pos, "%s does not keep the width of %s", flag.Name, n.Field.Name)
		return
	}
	for bits := range int64(4) {
		wide, outside := bits&1, bits>>1
		var eval func(e *schema.Expr) int64
		eval = func(e *schema.Expr) int64 {
			switch {
			case e.Op == builtin.Wide && e.Field == n.Field:
				return wide
			case e.Op == builtin.Outside && e.Field == n.Field && e.Scalar == narrow.Type.Scalar:
				return outside
			case e.Op == builtin.Not:
				return 1 - eval(e.Args[0])
			case e.Op == builtin.Either:
				return eval(e.Args[0]) | eval(e.Args[1])
			}
			return -1
		}
		if want := (wide | outside) ^ first; eval(flag.Derive.Args[1]) != want {
			c.errorf(n.Pos, "%s is not %d for a wide %s: %d, which is outside of %s: %d", flag.Name, want, n.Field.Name, wide, narrow.Type.Scalar, outside)
			return
		}
	}
}

// numbers returns the numbers around which the scalars of forms change.
func numbers() (all []int64) {
	for _, s := range []builtin.Scalar{builtin.U8, builtin.I8, builtin.U16, builtin.I16, builtin.U32, builtin.I32, builtin.U64, builtin.I64} {
		for _, x := range boundary.Integers(s) {
			all = append(all, int64(x.Number))
		}
	}
	return all
}

// number checks the number of the form of a value, which is that of the first form that holds
// it. It also checks that a reader refuses the value in later forms unless it accepts any.
func (c *checker) number(n *schema.Forms) {
	var number *schema.Expr
	switch {
	case n.Number != nil:
		number = n.Number.Derive
	case n.Arm != nil:
		number = n.Arm.Form
	default:
		return
	}
	for _, v := range numbers() {
		first := len(n.Rows) - 1
		want := int64(n.Rows[first].IDs[0].Lo)
		for k := first; k >= 0; k-- {
			row := n.Rows[k]
			switch {
			case row.Type.Scalar.IsFloat():
				return
			case row.Inline == nil && fits(row.Type.Scalar.String(), v):
				first, want = k, int64(row.IDs[0].Lo)
			case row.Inline != nil:
				for _, ids := range row.IDs {
					for id := ids.Lo; id <= ids.Hi; id++ {
						if formula(row.Inline, int64(id)) == v {
							first, want = k, int64(id)
						}
					}
				}
			}
		}
		if got := formula(number.Args[0], v); got != want {
			c.errorf(n.Pos, "the number of the form of %s for %d is %d, not %d", n.Field.Name, v, got, want)
		}
		for k, row := range n.Rows {
			checks := len(row.Checks) - len(c.declared(row))
			if checks > 0 && formula(row.Checks[len(row.Checks)-1].Cond, v) != 0 != (first >= k) {
				c.errorf(row.Pos, "whether a reader takes %d in this form of %s", v, n.Field.Name)
			}
			if n.Any && checks > 0 {
				c.errorf(row.Pos, "a reader does not take every form of %s", n.Field.Name)
			}
		}
	}
}

// declared returns the checks of a row without the one that no earlier form holds the value.
func (c *checker) declared(n *schema.Row) []*schema.Check {
	f, last := c.form[n], len(n.Checks)-1
	if f != nil && last >= 0 && n.Checks[last].Cond.Pos == f.Pos {
		return n.Checks[:last]
	}
	return n.Checks
}

// fits reports whether an integer scalar holds a number.
func fits(scalar string, v int64) bool {
	bits := 8 * scalarWidth[scalar]
	if scalar[0] == 'i' {
		return v>>(bits-1) == 0 || v>>(bits-1) == -1
	}
	return bits == 64 || uint64(v)>>bits == 0
}

// formula returns the number of an expression about a value.
func formula(e *schema.Expr, v int64) int64 {
	switch e.Op {
	case builtin.Num:
		return e.Num
	case builtin.Ref:
		return v
	case builtin.Keep:
		return formula(e.Args[0], v)
	case builtin.Outside:
		return truth(!fits(e.Scalar.String(), v))
	case builtin.Not:
		return truth(formula(e.Args[0], v) == 0)
	}
	return apply(e.Op.String(), formula(e.Args[0], v), formula(e.Args[1], v))
}
