// What changed in a unit, in rows of the schema.

package diff

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// row is one line of a unit: as it is compared, and as it is shown.
type row struct{ key, text string }

// rowsOf returns the lines of a unit: those of the schema, or its instructions
// where no schema is known.
func rowsOf(s *Side, x *unit) []row {
	var plain, full *dsl.Decl
	if s.Schema != nil {
		plain, full = declaration(s, x, false), declaration(s, x, true)
	}
	if plain == nil {
		var out []row
		for _, c := range x.code {
			out = append(out, row{c, c})
		}
		return out
	}
	keys, texts := printed(plain), printed(full)
	if len(keys) != len(texts) {
		texts = keys
	}
	var out []row
	for i := range keys {
		if keys[i] != "}" { // it says nothing by itself
			out = append(out, row{keys[i], texts[i]})
		}
	}
	return out
}

// declaration returns what the schema declares of a unit, without what is not on
// the wire: examples, errata, notes, and descriptions unless they are asked for.
func declaration(s *Side, x *unit, docs bool) *dsl.Decl {
	items := func(list []*dsl.Item) []*dsl.Item { return strip(list, docs) }
	switch x.sort {
	case Arm:
		if u := s.Schema.Union(x.union); u != nil {
			if a := u.Arm(x.name); a != nil {
				return &dsl.Decl{Arm: &dsl.Arm{Union: &dsl.Name{Text: "U"}, ID: &dsl.ArmID{Num: &dsl.Num{Text: "0"}}, Name: &dsl.Name{Text: "A"}, Items: items(a.Items)}}
			}
		}
	case Record:
		if t := s.Schema.Type(x.name); t != nil {
			return &dsl.Decl{Type: &dsl.Type{Name: &dsl.Name{Text: "T"}, Items: items(t.Items)}}
		}
	case Header:
		if u := s.Schema.Union(x.name); u != nil {
			return &dsl.Decl{Union: &dsl.Union{Name: &dsl.Name{Text: "U"}, By: u.By, Items: items(u.Items)}}
		}
	case Text:
		if e := s.Schema.Encoding(x.name); e != nil {
			var rules []*dsl.TextRule
			for _, r := range e.Rules {
				if r.Erratum == nil {
					rules = append(rules, r)
				}
			}
			return &dsl.Decl{Encoding: &dsl.Encoding{Name: &dsl.Name{Text: "E"}, Rules: rules}}
		}
	}
	return nil
}

// strip copies items without what is not on the wire.
func strip(list []*dsl.Item, docs bool) []*dsl.Item {
	doc := func(d *dsl.Str) *dsl.Str {
		if docs {
			return d
		}
		return nil
	}
	attrs := func(list []*dsl.Attr) []*dsl.Attr {
		return slices.DeleteFunc(slices.Clone(list), func(a *dsl.Attr) bool { return a.Err != nil })
	}
	var out []*dsl.Item
	for _, it := range list {
		c := &dsl.Item{Row: it.Row, Bits: it.Bits, Repeat: it.Repeat, Within: it.Within, If: it.If, Let: it.Let, Check: it.Check, Require: it.Require, Writes: it.Writes}
		switch {
		case it.Row != nil:
			r := *it.Row
			r.Doc, r.Attrs = doc(r.Doc), attrs(r.Attrs)
			r.Bits = nil
			for _, b := range it.Row.Bits {
				f := *b
				f.Doc, f.Attrs = doc(f.Doc), attrs(f.Attrs)
				r.Bits = append(r.Bits, &f)
			}
			c.Row = &r
		case it.Bits != nil:
			b := *it.Bits
			b.Doc, b.Attrs = doc(b.Doc), attrs(b.Attrs)
			c.Bits = &b
		case it.Repeat != nil:
			r := *it.Repeat
			r.Doc, r.Attrs, r.Items = doc(r.Doc), attrs(r.Attrs), strip(r.Items, docs)
			c.Repeat = &r
		case it.Within != nil:
			w := *it.Within
			w.Attrs, w.Items = attrs(w.Attrs), strip(w.Items, docs)
			c.Within = &w
		case it.If != nil:
			f := *it.If
			f.Then, f.Else = strip(f.Then, docs), strip(f.Else, docs)
			c.If = &f
		case it.Let == nil && it.Check == nil && it.Require == nil && it.Writes == nil:
			continue
		}
		out = append(out, c)
	}
	return out
}

// printed returns the lines of a declaration between its braces.
func printed(d *dsl.Decl) []string {
	var out []string
	for i, line := range strings.Split(strings.TrimSpace(string(dsl.Format(&dsl.File{Decls: []*dsl.Decl{d}}))), "\n") {
		if line = strings.Join(strings.Fields(line), " "); i > 0 && line != "" {
			out = append(out, line)
		}
	}
	if n := len(out); n > 0 && out[n-1] == "}" {
		out = out[:n-1]
	}
	return out
}

// changedRows returns the rows that only one of two lists has, in their order.
func changedRows(old, new []row) (removed, added []string) {
	// The longest common subsequence; lists are short.
	n, m := len(old), len(new)
	if n*m > 1<<22 {
		n, m = min(n, 1<<11), min(m, 1<<11)
	}
	common := make([][]int, n+1)
	for i := range common {
		common[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if old[i].key == new[j].key {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && old[i].key == new[j].key:
			i, j = i+1, j+1
		case j >= m || i < n && common[i+1][j] >= common[i][j+1]:
			removed = append(removed, old[i].text)
			i++
		default:
			added = append(added, new[j].text)
			j++
		}
	}
	return removed, added
}
