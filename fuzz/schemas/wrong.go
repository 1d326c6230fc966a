// Wrong schemas: changes after which the resolver must refuse a schema.

package schemas

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/octable/octable/dsl"
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
	consts := map[string]bool{}
	for _, f := range d.Files {
		other, err := d.parse(f)
		if err != nil {
			return err
		}
		dsl.Walk(other, func(node any) bool {
			if n, ok := node.(*dsl.Const); ok {
				consts[n.Name.Text] = true
			}
			return true
		})
	}
	sorts := map[string][]int{} // by what they are about, so that rare ones are tried
	for i, w := range wrongs(top, consts) {
		sorts[w.about] = append(sorts[w.about], i)
	}
	names := slices.Sorted(maps.Keys(sorts))
	for range min(n, len(names)) {
		sort := sorts[names[r.IntN(len(names))]]
		file, err := parse(d.Top()) // to be changed
		if err != nil {
			return err
		}
		w := wrongs(file, consts)[sort[r.IntN(len(sort))]]
		w.apply()
		files := append(d.Files[:len(d.Files)-1:len(d.Files)-1], File{d.Top().ID, string(dsl.Format(file))})
		if Resolve(files).Err == nil {
			return fmt.Errorf("the resolver accepts the schema with %s in line %d:\n%s", w.about, w.line, files[len(files)-1].Text)
		}
	}
	return nil
}

// wrongs returns all changes of a file, given the names of constants.
func wrongs(file *dsl.File, consts map[string]bool) []wrong {
	var out []wrong
	depends := func(e *dsl.Expr) bool { // on a field
		found := false
		dsl.Walk(e, func(node any) bool {
			x, ok := node.(*dsl.Expr)
			found = found || ok && x.Name != nil && !x.IsCall && !consts[x.Name.Text]
			return !found
		})
		return found
	}
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
			conditional(n.Items, add)
		case *dsl.Type:
			conditional(n.Items, add)
		case *dsl.Row:
			wrongRow(n, depends, add)
		case *dsl.Repeat:
			if n.Count != nil && depends(n.Count) {
				add(n.Pos, "one more in a count", func() { n.Count = more(n.Count) })
				add(n.Pos, "one less in a count", func() { n.Count = less(n.Count) })
			}
		case *dsl.Within:
			if !depends(n.Size) {
				break
			}
			add(n.Pos, "one more in a size", func() { n.Size = more(n.Size) })
			add(n.Pos, "one less in a size", func() { n.Size = less(n.Size) })
		}
		return true
	})
	return out
}

// wrongArm adds the changes of an arm that bits from lo to hi select.
func wrongArm(n *dsl.Arm, lo, hi int64, add func(dsl.Pos, string, func())) {
	if n.ID.Num != nil {
		add(n.Pos, "a number of an arm that its bits cannot hold", func() { n.ID.Num.Text = strconv.FormatInt(1<<(hi-lo+1), 10) })
	}
	for _, i := range n.Items {
		if i.Word != nil {
			b := i.Word.Bits[0]
			add(b.Pos, "a bit that selects the arm", func() { b.Lo, b.Hi = &dsl.Num{Text: strconv.FormatInt(hi, 10)}, nil })
		}
	}
}

// wrongRow adds the changes of a row.
func wrongRow(n *dsl.Row, depends func(*dsl.Expr) bool, add func(dsl.Pos, string, func())) {
	if x := written(n.Offset); x != nil {
		add(n.Pos, "one more in an offset", func() { x.Text = plus(x, 1) })
	}
	if x := written(n.Length); x != nil {
		add(n.Pos, "one more in a length", func() { x.Text = plus(x, 1) })
	}
	if s := n.Type.Size; s != nil && bound.Name(s) != "rest" && depends(s) {
		add(n.Pos, "one more in brackets", func() { n.Type.Size = more(s) })
		add(n.Pos, "one less in brackets", func() { n.Type.Size = less(s) })
	}
	for i, b := range n.Bits {
		for _, other := range n.Bits[i+1:] {
			if !b.Rest && !other.Rest {
				add(b.Pos, "bits of two fields", func() { b.Lo, b.Hi = other.Lo, other.Hi })
			}
		}
	}
}

// conditional adds, for a row after one under a condition, the offset that it would have if
// the row before it were always there.
func conditional(items []*dsl.Item, add func(dsl.Pos, string, func())) {
	for k := 0; k+1 < len(items); k++ {
		first, next := items[k].Row, items[k+1].Row
		if first == nil || next == nil || first.Name.Text == next.Name.Text || k > 0 && items[k-1].Row != nil && items[k-1].Row.Name.Text == first.Name.Text {
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

// more and less return an expression plus and minus 1.
func more(e *dsl.Expr) *dsl.Expr { return changed(e, "+") }
func less(e *dsl.Expr) *dsl.Expr { return changed(e, "-") }

func changed(e *dsl.Expr, op string) *dsl.Expr {
	return &dsl.Expr{Op: op, Args: []*dsl.Expr{{Sub: e}, numeral("1")}}
}

// written returns the number that an expression consists of, or nil.
func written(e *dsl.Expr) *dsl.Num {
	if e == nil {
		return nil
	}
	return e.Num
}

func plus(n *dsl.Num, k int64) string { return strconv.FormatInt(bound.Number(n)+k, 10) }
