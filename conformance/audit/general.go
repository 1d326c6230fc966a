package audit

import (
	"slices"
	"strings"

	"github.com/octable/octable/conformance/internal/pattern"
	"github.com/octable/octable/dsl/page"
	"github.com/octable/octable/dsl/schema"
)

// fromTables returns the tables of a schema whose root is not a union. Each type, arm and word of a union
// that the schema's own file declares has one, in the order of the file.
func fromTables(p *page.Page) (*Expectation, error) {
	s := p.Schema
	e := &Expectation{Schema: s.ID, Tables: true}
	bodies := slices.DeleteFunc(s.Bodies(), func(b schema.Body) bool { return b.Pos.Filename != s.Pos.Filename })
	slices.SortStableFunc(bodies, func(a, b schema.Body) int { return a.Pos.Offset - b.Pos.Offset })
	for _, b := range bodies {
		m := sectionMaker{WantSection: WantSection{ID: -1, Title: b.Name, Pos: position(b.Pos)}, page: p, table: -1, whole: true}
		if m.body(b.Nodes, nil); m.rows > maxRows {
			return nil, tooManyRows(s, b.Name, b.Pos)
		}
		if len(m.Subtables) > 0 {
			e.Sections = append(e.Sections, m.WantSection)
		}
	}
	return e, nil
}

// unused returns the types of the schema's own file that no other body contains.
func unused(s *schema.Schema) []*schema.Record {
	used := map[*schema.Record]bool{}
	for _, b := range s.Bodies() {
		schema.Walk(b.Nodes, func(n schema.Node) bool {
			switch n := n.(type) {
			case *schema.Row:
				used[n.Type.Record] = true
			case *schema.List:
				for _, t := range []*schema.Type{n.Key, n.Elem} {
					if t != nil {
						used[t.Record] = true
					}
				}
			}
			return true
		})
	}
	var out []*schema.Record
	for _, r := range s.Records {
		if !used[r] && r.Pos.Filename == s.Pos.Filename {
			out = append(out, r)
		}
	}
	return out
}

// after returns the types among some that are declared after an arm and before the next one.
func after(a *schema.Arm, types []*schema.Record) []*schema.Record {
	next := -1
	for _, other := range a.Union.Arms {
		if other.Pos.Filename == a.Pos.Filename && other.Pos.Offset > a.Pos.Offset && (next < 0 || other.Pos.Offset < next) {
			next = other.Pos.Offset
		}
	}
	var out []*schema.Record
	for _, r := range types {
		if r.Pos.Filename == a.Pos.Filename && r.Pos.Offset > a.Pos.Offset && (next < 0 || r.Pos.Offset < next) {
			out = append(out, r)
		}
	}
	return out
}

// runTables compares the tables of fields alone, in their order.
func (c *comparison) runTables(absent map[string]bool) {
	var want wantRegion
	for i := range c.want.Sections {
		s := &c.want.Sections[i]
		for j := range s.Subtables {
			t := wantTab{table: &s.Subtables[j], section: s}
			c.present(&t, absent)
			want.tables = append(want.tables, t)
		}
	}
	got := gotRegion{Section: &Section{}}
	for _, r := range c.regions {
		got.tables = append(got.tables, r.tables...)
	}
	for i := range got.tables {
		for j := range got.tables[i].rows {
			row := &got.tables[i].rows[j]
			row.cells[2].class = wholeNumber(TypeClass(row.cells[2].readings[0].plain))
			row.cells[2].loose = true
		}
	}
	c.tables(&want, &got)
}

var (
	link    = pattern.New(`<[^>]*>_*|\]\([^)]*\)|\[`)
	word    = pattern.New(`[a-z]+[0-9]*|[0-9]+`)
	numeric = pattern.New(`^([uif]|u?int|float|uint)(8|16|24|32|40|48|64)$`)
)

var classes = map[string]string{
	"float": "Float", "double": "Float", "real": "Float", "ieee": "Float", "single": "Float",
	"bytes": "Bytes", "string": "Bytes", "text": "Bytes", "utf8": "Bytes", "ascii": "Bytes", "blob": "Bytes", "chars": "Bytes",
	"integer": "Integer", "int": "Integer", "uint": "Integer", "unsigned": "Integer", "signed": "Integer",
	"short": "Integer", "long": "Integer", "word": "Integer", "dword": "Integer", "qword": "Integer", "number": "Integer",
	"byte": "Byte", "char": "Byte",
}

// wholeNumber returns the class of numbers for that of a byte, which may be one or raw.
func wholeNumber(class string) string {
	if class == "Byte" {
		return "Integer"
	}
	return class
}

// TypeClass returns the class of the type that a cell names: Integer, Float, Bytes or Byte. It returns "" for
// an unknown type, such as the name of a record.
func TypeClass(cell string) string {
	if n := NamedType(cell); n != nil {
		return n.class()
	}
	text := strings.ToLower(plain(link.ReplaceAllString(cell, " ")))
	class := ""
	for _, w := range word.FindAllString(text, -1) {
		c := classes[w]
		if m := numeric.FindStringSubmatch(w); m != nil {
			if c = "Integer"; m[1] == "f" || m[1] == "float" {
				c = "Float"
			}
		}
		switch {
		case c == "" && (w == "array" || w == "list" || w == "of"):
			return ""
		case class == "" || c == "Bytes" || c == "Float":
			class = c
		}
	}
	return class
}
