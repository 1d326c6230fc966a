// Merging: items that an extend block adds to a record, and items that drop removes.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
)

// eachName calls f for the names that the items of a record declare. These are names of rows,
// bits and lists, but not those in the elements of lists.
func eachName(items []*dsl.Item, f func(*dsl.Name)) {
	bits := func(list []*dsl.BitField) {
		for _, b := range list {
			if b.Name != nil {
				f(b.Name)
			}
		}
	}
	for _, i := range items {
		switch {
		case i.Row != nil:
			f(i.Row.Name)
			bits(i.Row.Bits)
		case i.Word != nil:
			bits(i.Word.Bits)
		case i.Repeat != nil:
			f(i.Repeat.Name)
		case i.If != nil:
			eachName(i.If.Then, f)
			eachName(i.If.Else, f)
		}
	}
}

// namesIn returns the names that the items of a record declare.
func namesIn(items []*dsl.Item) []string {
	var all []string
	eachName(items, func(n *dsl.Name) { all = append(all, n.Text) })
	return all
}

// placed returns the names of the rows and lists of an item. An item with such names has a
// place among the rows of its record.
func placed(i *dsl.Item) map[string]bool {
	names := map[string]bool{}
	switch {
	case i.Row != nil:
		names[i.Row.Name.Text] = true
	case i.Repeat != nil:
		names[i.Repeat.Name.Text] = true
	case i.If != nil:
		for _, list := range [][]*dsl.Item{i.If.Then, i.If.Else} {
			for _, inner := range list {
				for name := range placed(inner) {
					names[name] = true
				}
			}
		}
	}
	return names
}

// replaced returns the names of old items whose place an item takes: those of its rows, bits
// and lists.
func replaced(i *dsl.Item) map[string]bool {
	names := map[string]bool{}
	eachName([]*dsl.Item{i}, func(n *dsl.Name) { names[n.Text] = true })
	return names
}

// merge returns the items of a record together with those of an extend block. An item with
// the name of an old one takes its place. Other rows, lists and blocks go before the next
// item of the block that replaces one, or else to the end. Everything else goes first.
func (r *resolver) merge(old, added []*dsl.Item) []*dsl.Item {
	m := &merger{items: old}
	var first, next []*dsl.Item
	seen := map[string]bool{}
	for _, i := range added {
		names := replaced(i)
		switch {
		case i.Example != nil:
		case i.Word != nil:
			first = append(first, m.word(i)...)
		case i.Row == nil && i.Repeat == nil && i.If == nil:
			first = append(first, i)
		default:
			for name := range names {
				if seen[name] {
					r.errorf(i.Pos, 1, dsl.CodeTwice, "this block gives %s twice", name).WithHint("keep one of them")
				}
				seen[name] = true
			}
			next = append(next, i)
			if m.replace(names, next) {
				next = nil
			}
		}
	}
	return slices.Concat(first, m.items, next)
}

// merger replaces items of a record. It changes copies.
type merger struct {
	items []*dsl.Item
}

// replace puts items in the place of the first item with one of some names, and removes the
// others. It reports whether there is one. The last of the new items has the names.
func (m *merger) replace(names map[string]bool, put []*dsl.Item) bool {
	block, done := put[len(put)-1].If != nil, false
	m.items = edit(m.items, func(i *dsl.Item) []*dsl.Item {
		old := placed(i)
		if i.If != nil && !(block && subset(old, names)) || !intersect(old, names) {
			return []*dsl.Item{i}
		}
		if done {
			return nil
		}
		done = true
		return put
	})
	return done
}

// word replaces bits of a row, or of the word of a union, by those with the same names. It
// returns an item with the bits of the union's word that replace none.
func (m *merger) word(w *dsl.Item) []*dsl.Item {
	row := false
	m.items = edit(m.items, func(i *dsl.Item) []*dsl.Item {
		if i.Row == nil || i.Row.Name.Text != w.Word.Name.Text || len(i.Row.Bits) == 0 {
			return []*dsl.Item{i}
		}
		row = true
		c, r := *i, *i.Row
		r.Bits, _ = replaceBits(r.Bits, w.Word.Bits, true)
		c.Row = &r
		return []*dsl.Item{&c}
	})
	if row {
		return nil
	}
	rest := w.Word.Bits
	m.items = edit(m.items, func(i *dsl.Item) []*dsl.Item {
		if i.Word == nil || i.Word.Name.Text != w.Word.Name.Text {
			return []*dsl.Item{i}
		}
		c, word := *i, *i.Word
		word.Bits, rest = replaceBits(word.Bits, rest, false)
		c.Word = &word
		return []*dsl.Item{&c}
	})
	if len(rest) == 0 {
		return nil
	}
	c, word := *w, *w.Word
	word.Bits = rest
	c.Word = &word
	return []*dsl.Item{&c}
}

// replaceBits replaces bits of old by those of the same names in by. The others of by are added
// if add is set, and otherwise returned as rest.
func replaceBits(old, by []*dsl.BitField, add bool) (bits, rest []*dsl.BitField) {
	bits = slices.Clone(old)
	for _, b := range by {
		i := slices.IndexFunc(bits, func(o *dsl.BitField) bool { return o.Rest == b.Rest && o.Name.String() == b.Name.String() })
		switch {
		case i >= 0:
			bits[i] = b
		case add && len(bits) > 0 && bits[len(bits)-1].Rest:
			bits = slices.Insert(bits, len(bits)-1, b)
		case add:
			bits = append(bits, b)
		default:
			rest = append(rest, b)
		}
	}
	return bits, rest
}

// edit returns the items of a record with each, also in blocks, replaced by the result of f.
// A block without items is removed.
func edit(items []*dsl.Item, f func(*dsl.Item) []*dsl.Item) []*dsl.Item {
	var out []*dsl.Item
	for _, i := range items {
		for _, j := range f(i) {
			if j == i && i.If != nil {
				c, branch := *i, *i.If
				branch.Then, branch.Else = edit(branch.Then, f), edit(branch.Else, f)
				if len(branch.Then)+len(branch.Else) == 0 && len(i.If.Then)+len(i.If.Else) > 0 {
					continue
				}
				c.If = &branch
				j = &c
			}
			out = append(out, j)
		}
	}
	return out
}

// dropNamed returns the items of a record without the rows, bits and lists of a name.
func dropNamed(items []*dsl.Item, name string) []*dsl.Item {
	is := func(b *dsl.BitField) bool { return b.Name.String() == name }
	return edit(items, func(i *dsl.Item) []*dsl.Item {
		c := *i
		switch {
		case i.If == nil && placed(i)[name]:
			return nil
		case i.Row != nil && slices.ContainsFunc(i.Row.Bits, is):
			row := *i.Row
			row.Bits = slices.DeleteFunc(slices.Clone(row.Bits), is)
			c.Row = &row
		case i.Word != nil && slices.ContainsFunc(i.Word.Bits, is):
			word := *i.Word
			if word.Bits = slices.DeleteFunc(slices.Clone(word.Bits), is); len(word.Bits) == 0 {
				return nil
			}
			c.Word = &word
		default:
			return []*dsl.Item{i}
		}
		return []*dsl.Item{&c}
	})
}

// rowsWithBits returns the rows of a record that have bits.
func rowsWithBits(items []*dsl.Item) []*dsl.Row {
	var all []*dsl.Row
	edit(items, func(i *dsl.Item) []*dsl.Item {
		if i.Row != nil && len(i.Row.Bits) > 0 {
			all = append(all, i.Row)
		}
		return []*dsl.Item{i}
	})
	return all
}

func subset(a, b map[string]bool) bool {
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return len(a) > 0
}

func intersect(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// listNamed returns the list with a name, or nil.
func listNamed(items []*dsl.Item, name string) *dsl.Repeat {
	for _, i := range items {
		switch {
		case i.Repeat != nil && i.Repeat.Name.Text == name:
			return i.Repeat
		case i.If != nil:
			for _, branch := range [][]*dsl.Item{i.If.Then, i.If.Else} {
				if found := listNamed(branch, name); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// inside returns the items of a record with the items of an inner list changed by f. The path
// has the names of the lists that lead to it. Without a path f changes the items themselves.
func inside(items []*dsl.Item, path []*dsl.Name, f func([]*dsl.Item) []*dsl.Item) []*dsl.Item {
	if len(path) == 0 {
		return f(items)
	}
	return edit(items, func(i *dsl.Item) []*dsl.Item {
		if i.Repeat == nil || i.Repeat.Name.Text != path[0].Text {
			return []*dsl.Item{i}
		}
		c, l := *i, *i.Repeat
		l.Items = inside(l.Items, path[1:], f)
		c.Repeat = &l
		return []*dsl.Item{&c}
	})
}

// use returns the first name in expressions of a record's items that means the field with
// a name, or nil. The letters of cells in an element of a list are a separate scope.
func use(items []*dsl.Item, name string) *dsl.Name {
	var found *dsl.Name
	cells := map[any]bool{}
	var visit func(node any) bool
	visit = func(node any) bool {
		if found != nil || cells[node] {
			return false
		}
		switch n := node.(type) {
		case *dsl.Repeat:
			if slices.Contains(namesIn(n.Items), name) {
				if n.Extent.Cond == nil {
					dsl.Walk(n.Extent, visit)
				}
				return false
			}
			eachItem(n.Items, func(i *dsl.Item) {
				if i.Row != nil {
					cells[i.Row.Offset], cells[i.Row.Length] = true, true
				}
			})
		case *dsl.Example:
			return false
		case *dsl.TypeRef:
			if n.Extent != nil && n.Extent.Cond != nil { // whose names are fields of the type
				cells[n.Extent] = true
			}
		case *dsl.Expr:
			if n.Name != nil && !n.IsCall && n.Name.Text == name {
				found = n.Name
			}
		}
		return true
	}
	for _, i := range items {
		dsl.Walk(i, visit)
	}
	return found
}
