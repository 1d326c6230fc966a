// Canonical lines: the text of declarations without items that are not about bytes.

package schema

import (
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
)

// Lines returns the canonical text of what a [*Record], [*Arm], [*Union] or [*Encoding] declares. There is one string
// for each line, without the indentation, the name, and the closing brace. The condition that ends a list of the record is
// behind its rows. Examples, notes and errata are left out, and descriptions unless docs is set.
func (s *Schema) Lines(x any, docs bool) []string {
	d := &dsl.Decl{}
	switch x := x.(type) {
	case *Record:
		d.Type = &dsl.Type{Name: &dsl.Name{Text: "T"}, Items: strip(x.items, docs)}
	case *Arm:
		return s.Lines(x.Record, docs)
	case *Union:
		d.Union = &dsl.Union{Name: &dsl.Name{Text: "U"}, By: x.decl.By, Items: strip(x.items, docs)}
	case *Encoding:
		d.Encoding = &dsl.Encoding{Name: &dsl.Name{Text: "E"}}
		if x.decl != nil {
			d.Encoding.Words = x.decl.Words
		}
	default:
		return nil // unreachable: nothing else has lines
	}
	var out []string
	text := strings.TrimSpace(string(dsl.Format(&dsl.File{Decls: []*dsl.Decl{d}})))
	for i, line := range strings.Split(text, "\n") {
		if line = strings.Join(strings.Fields(line), " "); i > 0 && line != "" {
			out = append(out, line)
		}
	}
	if n := len(out); n > 0 && out[n-1] == "}" {
		out = out[:n-1]
	}
	if r, ok := x.(*Record); ok && r.stop() != nil {
		out = append(out, "until "+Notation{}.Text(r.stop()))
	}
	return out
}

// strip copies items without those that are not about bytes.
func strip(items []*dsl.Item, docs bool) []*dsl.Item {
	doc := func(d *dsl.Str) *dsl.Str {
		if docs {
			return d
		}
		return nil
	}
	attrs := func(list []*dsl.Attr) []*dsl.Attr {
		return slices.DeleteFunc(slices.Clone(list), func(a *dsl.Attr) bool { return a.Err != nil })
	}
	bits := func(list []*dsl.BitField) (out []*dsl.BitField) {
		for _, b := range list {
			f := *b
			f.Doc, f.Attrs = doc(f.Doc), attrs(f.Attrs)
			out = append(out, &f)
		}
		return out
	}
	var out []*dsl.Item
	for _, it := range items {
		c := &dsl.Item{Row: it.Row, Word: it.Word, Repeat: it.Repeat, If: it.If, Order: it.Order, Refuse: it.Refuse, Require: it.Require, Writes: it.Writes}
		switch {
		case it.Row != nil:
			r := *it.Row
			r.Doc, r.Attrs = doc(r.Doc), attrs(r.Attrs)
			r.Bits = bits(r.Bits)
			c.Row = &r
		case it.Word != nil:
			c.Word = &dsl.Word{Name: it.Word.Name, Bits: bits(it.Word.Bits)}
		case it.Repeat != nil:
			r := *it.Repeat
			r.Doc, r.Attrs, r.Items = doc(r.Doc), attrs(r.Attrs), strip(r.Items, docs)
			c.Repeat = &r
		case it.If != nil:
			f := *it.If
			f.Then, f.Else = strip(f.Then, docs), strip(f.Else, docs)
			c.If = &f
		case it.Order == nil && it.Refuse == nil && it.Require == nil && it.Writes == nil:
			continue
		}
		out = append(out, c)
	}
	return out
}
