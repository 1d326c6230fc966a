// Wrong schemas: changes after which the resolver must refuse a schema.

package schemas

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/fuzz/bound"
)

// wrong is a change of a syntax tree that makes the schema wrong.
type wrong struct {
	about string
	line  int
	apply func()
}

// refused checks that the resolver refuses the schema after each of some changes that make
// it wrong. The text of the last file is changed; those that it extends stay.
func (d *Drawn) refused(r *rand.Rand, n int) error {
	top, err := d.parse(d.Top())
	if err != nil {
		return err
	}
	sorts := map[string][]int{} // by what they are about, so that rare ones are tried
	for i, w := range wrongs(top, d.areas()) {
		sorts[w.about] = append(sorts[w.about], i)
	}
	names := slices.Sorted(maps.Keys(sorts))
	for range min(n, len(names)) {
		sort := sorts[names[r.IntN(len(names))]]
		file, err := parse(d.Top()) // to be changed
		if err != nil {
			return err
		}
		w := wrongs(file, d.areas())[sort[r.IntN(len(sort))]]
		w.apply()
		files := append(d.Files[:len(d.Files)-1:len(d.Files)-1], File{d.Top().ID, string(dsl.Format(file))})
		if Resolve(files).Err == nil {
			return fmt.Errorf("the resolver accepts the schema with %s in line %d:\n%s", w.about, w.line, files[len(files)-1].Text)
		}
	}
	return nil
}

// areas returns the lines of rows whose length is that of a region, which may be longer.
func (d *Drawn) areas() map[int]bool {
	lines := map[int]bool{}
	if d.Schema == nil {
		return lines
	}
	for _, body := range d.Schema.Bodies() {
		schema.Walk(body.Nodes, func(n schema.Node) bool {
			if l, ok := n.(*schema.List); ok && l.Row != nil {
				n = l.Row
			}
			if row, ok := n.(*schema.Row); ok {
				_, area := row.Area()
				lines[row.Pos.Line] = lines[row.Pos.Line] || area
			}
			return true
		})
	}
	return lines
}

// wrongs returns all changes of a file, but for those of the lengths of regions.
func wrongs(file *dsl.File, areas map[int]bool) []wrong {
	var out []wrong
	add := func(pos dsl.Pos, about string, apply func()) {
		out = append(out, wrong{about, pos.Line, apply})
	}
	bits := map[string][2]int64{} // the lowest and the highest that select the arms of a union
	dsl.Walk(file, func(node any) bool {
		switch n := node.(type) {
		case *dsl.Union:
			for _, i := range n.Items {
				if i.Row != nil {
					for _, b := range i.Row.Bits {
						if !b.Rest && b.Hi != nil {
							bits[n.Name.Text] = [2]int64{bound.Number(b.Lo), bound.Number(b.Hi)}
						}
					}
				}
			}
		case *dsl.Arm:
			if k, ok := bits[n.Union.Text]; ok {
				wrongArm(n, k[0], k[1], add)
			}
			wrongItems(n.Items, add)
		case *dsl.Type:
			wrongItems(n.Items, add)
		case *dsl.Repeat:
			sizes(n.Items, add)
		case *dsl.Row:
			wrongRow(n, areas[n.Pos.Line], add)
		}
		return true
	})
	return out
}

// wrongItems adds the changes of the items of a type or an arm.
func wrongItems(items []*dsl.Item, add func(dsl.Pos, string, func())) {
	conditional(items, add)
	lengths(items, add)
	sizes(items, add)
}

// wrongArm adds the changes of an arm that bits from lo to hi select.
func wrongArm(n *dsl.Arm, lo, hi int64, add func(dsl.Pos, string, func())) {
	if id := n.IDs[0]; id.Num != nil {
		add(n.Pos, "a number of an arm that its bits cannot hold", func() { id.Num.Text, id.High = strconv.FormatInt(1<<(hi-lo+1), 10), nil })
	}
	if len(n.IDs) > 1 || n.IDs[0].High != nil || n.IDs[0].Else {
		return // bits of it may be in the number
	}
	for _, i := range n.Items {
		if i.Word != nil {
			b := i.Word.Bits[0]
			add(b.Pos, "a bit that selects the arm", func() { b.Lo, b.Hi = &dsl.Num{Text: strconv.FormatInt(hi, 10)}, nil })
		}
	}
}

// wrongRow adds the changes of a row, whose length may be that of a region.
func wrongRow(n *dsl.Row, area bool, add func(dsl.Pos, string, func())) {
	if x := written(n.Offset); x != nil {
		add(n.Pos, "one more in an offset", func() { x.Text = plus(x, 1) })
	}
	if x := written(n.Length); x != nil && !area {
		add(n.Pos, "one more in a length", func() { x.Text = plus(x, 1) })
	}
	if n.By != nil {
		id := n.By.Forms[0].IDs[0]
		for _, other := range n.By.Forms[1:] {
			add(n.Pos, "a number of two forms", func() { *id = *other.IDs[0] })
		}
		return
	}
	if t := builtin.TypeNamed(n.Type.Path()); t != nil && t.Coding.Base() > 0 && n.Type.Extent.Until != nil {
		add(n.Pos, "a terminator that begins with a digit", func() { n.Type.Extent.Until.Text = "30" })
	}
	for i, b := range n.Bits {
		for _, other := range n.Bits[i+1:] {
			if !b.Rest && !other.Rest {
				add(b.Pos, "bits of two fields", func() { b.Lo, b.Hi = other.Lo, other.Hi })
			}
		}
	}
}

// sizes adds, for rows and lists whose size is computed from them, other sizes.
func sizes(items []*dsl.Item, add func(dsl.Pos, string, func())) {
	from, numbers := sources{}, map[string]bool{}
	checked := checkedNames(items)
	var walk func(items []*dsl.Item)
	walk = func(items []*dsl.Item) {
		for _, i := range items {
			switch {
			case i.Word != nil:
				from.bits(i.Word.Bits)
			case i.Row != nil:
				r := i.Row
				from.add(r.Name.Text, r.Value)
				from.bits(r.Bits)
				for _, b := range r.Bits {
					from.add(r.Name.Text, b.Value)
				}
				for _, name := range checked {
					delete(from, name) // no count may pass the check, so that no size is wrong
				}
				if r.Type != nil && r.Type.Extent != nil && from.has(r.Type.Extent.Count, r.Name.Text) {
					oneOff(r.Pos, "brackets", &r.Type.Extent.Count, add)
				}
				if r.By != nil && numbers[r.By.Selector.Name.String()] {
					laterForms(r, from, add)
				}
				numbers[r.Name.Text] = r.Computed() == nil && r.Type != nil && len(r.Bits) == 0
			case i.Repeat != nil:
				if n := i.Repeat; from.has(n.Extent.Count, n.Name.Text) {
					oneOff(n.Pos, "a count", &n.Extent.Count, add)
				}
			case i.If != nil:
				if decides(i.If.Cond) { // no packet has the rows of a branch that is never taken
					walk(i.If.Then)
					walk(i.If.Else)
				}
			}
		}
	}
	walk(items)
}

// decides reports whether a condition is a name or a call, or compares one with a number. Others may be the same for all
// packets, as `x % 1 > 3` is.
func decides(e *dsl.Expr) bool {
	for e.Sub != nil {
		e = e.Sub
	}
	if e.Name != nil {
		return true
	}
	op, ok := builtin.OperatorNamed(e.Op)
	return ok && builtin.Operations[op].Compares() && e.Args[0].Name != nil && e.Args[1].Num != nil
}

// checkedNames returns the names in the checks of items.
func checkedNames(items []*dsl.Item) (out []string) {
	dsl.Walk(items, func(node any) bool {
		if check, ok := node.(*dsl.Check); ok {
			dsl.Walk(check, func(node any) bool {
				if x, ok := node.(*dsl.Expr); ok && x.Name != nil {
					out = append(out, x.Name.Text)
				}
				return true
			})
		}
		return true
	})
	return out
}

// laterForms adds counts that are right in the first form of a row only. The forms have counts that are computed from
// the row, and the number of the first one is 0.
func laterForms(r *dsl.Row, from sources, add func(dsl.Pos, string, func())) {
	if id := r.By.Forms[0].IDs[0]; id.Num == nil || bound.Number(id.Num) != 0 {
		return
	}
	for _, form := range r.By.Forms[1:] {
		if form.Type == nil || form.Type.Extent == nil || !from.has(form.Type.Extent.Count, r.Name.Text) {
			continue
		}
		count := &form.Type.Extent.Count
		add(form.Pos, "its number added to the count of a form", func() {
			*count = &dsl.Expr{Op: "+", Args: []*dsl.Expr{{Sub: *count}, r.By.Selector}}
		})
	}
}

// sources are the fields that each computed field is computed from.
type sources map[string][]string

// add notes the fields on which the value of a computed field depends. It leaves out integers from which the value is
// computed, since they say nothing about their size.
func (s sources) add(name string, value *dsl.Expr) {
	dsl.Walk(value, func(node any) bool {
		if x, ok := node.(*dsl.Expr); ok && x.IsCall && len(x.Args) == 1 && x.Args[0].Name != nil && x.Name.Text != "sum" && x.Name.Text != "last" {
			s[name] = append(s[name], x.Args[0].Name.Text)
		}
		return true
	})
}

func (s sources) bits(bits []*dsl.BitField) {
	for _, b := range bits {
		s.add(b.Name.String(), b.Value)
	}
}

// has reports whether an expression names a field that is computed from another one.
func (s sources) has(e *dsl.Expr, name string) bool {
	found := false
	dsl.Walk(e, func(node any) bool {
		x, ok := node.(*dsl.Expr)
		found = found || ok && x.Name != nil && !x.IsCall && slices.Contains(s[x.Name.Text], name)
		return !found
	})
	return found
}

// oneOff adds an expression plus 1 and minus 1.
func oneOff(pos dsl.Pos, in string, e **dsl.Expr, add func(dsl.Pos, string, func())) {
	by := func(op string) func() {
		return func() { *e = &dsl.Expr{Op: op, Args: []*dsl.Expr{{Sub: *e}, numeral("1")}} }
	}
	add(pos, "one more in "+in, by("+"))
	add(pos, "one less in "+in, by("-"))
}

// lengths adds, for a row whose length cell is a field that a writer computes from the row,
// other lengths.
func lengths(items []*dsl.Item, add func(dsl.Pos, string, func())) {
	from := map[string]string{} // the row that a field is computed from
	for _, i := range items {
		if i.Row == nil {
			continue
		}
		r := i.Row
		if x := r.Value; x != nil && x.IsCall && len(x.Args) == 1 {
			from[r.Name.Text] = x.Args[0].Name.String()
		}
		if name := r.Length.Name.String(); name != "" && from[name] == r.Name.Text {
			oneOff(r.Pos, "a length cell", &r.Length, add)
		}
	}
}

// conditional adds another offset for a row after one under a condition. The row would have
// it if the row before it were always there.
func conditional(items []*dsl.Item, add func(dsl.Pos, string, func())) {
	for k := 0; k+1 < len(items); k++ {
		first, next := items[k].Row, items[k+1].Row
		if first == nil || next == nil || next.At != nil || first.Name.Text == next.Name.Text || k > 0 && items[k-1].Row != nil && items[k-1].Row.Name.Text == first.Name.Text {
			continue
		}
		when := false
		for _, a := range first.Attrs {
			when = when || a.When != nil
		}
		at, length := written(first.Offset), written(first.Length)
		if when && at != nil && length != nil && bound.Number(length) > 0 {
			add(next.Pos, "the offset that a row has only if the one before it is there", func() {
				next.Offset = numeral(plus(at, bound.Number(length)))
			})
		}
	}
}

// written returns the number that an expression consists of, or nil.
func written(e *dsl.Expr) *dsl.Num {
	if e == nil {
		return nil
	}
	return e.Num
}

func plus(n *dsl.Num, k int64) string { return strconv.FormatInt(bound.Number(n)+k, 10) }
