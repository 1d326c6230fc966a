// Pictures of types.

package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// UnknownError says that a schema has no type of a name.
type UnknownError struct {
	Name   string
	Schema string
}

// Error returns the message.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s has no type, union or arm %s", e.Schema, e.Name)
}

// mostParts bounds the parts of a picture: what is behind them is named, and has its pictures.
const mostParts = 24

// mostArms is the number of arms up to which the picture of a union shows their content.
const mostArms = 8

// maker makes the picture of a type.
type maker struct {
	s     *schema.Schema
	p     *Picture
	depth int
}

// Record returns the picture of a record that is no arm.
func Record(s *schema.Schema, r *schema.Record) *Picture {
	m := &maker{s: s, p: &Picture{Title: r.Name}}
	m.body(r.Body)
	return m.p
}

// Union returns the picture of a union: its word, and the content of its arms if they are few.
func Union(s *schema.Schema, u *schema.Union) *Picture {
	m := &maker{s: s, p: &Picture{Title: u.Name}}
	m.union(u)
	return m.p
}

// Arm returns the picture of an arm with the word that it begins with.
func Arm(s *schema.Schema, a *schema.Arm) *Picture {
	m := &maker{s: s, p: &Picture{Title: a.Union.Name + "." + a.Name}}
	m.arm(a)
	return m.p
}

// Type returns the picture of a type, a union, or an arm of one. The name of an arm is Union.Arm, or Arm if
// no union before has an arm of the name. The error is an [*UnknownError].
func Type(s *schema.Schema, name string) (*Picture, error) {
	if r := s.Record(name); r != nil && r.Arm == nil {
		return Record(s, r), nil
	}
	if u := s.Union(name); u != nil {
		return Union(s, u), nil
	}
	var found *schema.Arm
	for _, u := range s.Unions {
		for _, a := range u.Arms {
			if u.Name+"."+a.Name == name || a.Name == name && found == nil {
				found = a
			}
		}
	}
	if found == nil {
		return nil, &UnknownError{name, s.ID}
	}
	return Arm(s, found), nil
}

// Names returns the names of types that [Type] draws, in the order of the schema; arms as Union.Arm.
func Names(s *schema.Schema) []string {
	var out []string
	for _, r := range s.Records {
		out = append(out, r.Name)
	}
	for _, u := range s.Unions {
		out = append(out, u.Name)
		for _, a := range u.Arms {
			out = append(out, u.Name+"."+a.Name)
		}
	}
	return out
}

// part begins a part.
func (m *maker) part(title string) *Part {
	p := &Part{Title: title, Depth: m.depth}
	m.p.Parts = append(m.p.Parts, p)
	return p
}

// cell adds a cell to the last part.
func (m *maker) cell(c *Cell) {
	if len(m.p.Parts) == 0 || m.p.Parts[len(m.p.Parts)-1].Depth != m.depth {
		m.part("")
	}
	p := m.p.Parts[len(m.p.Parts)-1]
	p.Cells = append(p.Cells, c)
}

// union draws the word of a union and, if there are few, the arms.
func (m *maker) union(u *schema.Union) {
	if u.Word != nil {
		c := m.row(u.Word)
		c.Kind = Derived
		if u.By != u.Word.Field {
			c.Kind, c.Bits = Flags, 8*max(c.Bytes, 0)
			c.Flags = spare(c.Bits, []Flag{{Lo: u.Lo, N: u.N, Name: u.By.Name, Doc: "selects the arm"}})
		}
		m.cell(c)
	}
	if len(u.Arms) > mostArms {
		m.cell(&Cell{Kind: Nested, Column: -1, Bytes: Varies, Length: "", Name: "content", Type: fmt.Sprintf("one of %d arms", len(u.Arms))})
		return
	}
	m.depth++
	for _, a := range u.Arms {
		m.part(heading(a))
		m.body(a.Body)
	}
	m.depth--
}

// heading is the title of an arm.
func heading(a *schema.Arm) string {
	if a.Else {
		return a.Name + ", for all other numbers:"
	}
	return a.Name + ", number " + a.IDText() + ":"
}

// arm draws an arm with the word that it begins with.
func (m *maker) arm(a *schema.Arm) {
	if w := a.Union.Word; w != nil {
		c := m.row(w)
		c.Doc = join(c.Doc, heading(a)[len(a.Name)+2:])
		c.Doc = strings.TrimSuffix(c.Doc, ":")
		c.Kind = Derived
		if len(a.Bits) > 0 || a.Union.By != w.Field {
			c.Kind, c.Bits = Flags, 8*max(c.Bytes, 0)
			flags := []Flag{{Lo: a.Union.Lo, N: a.Union.N, Name: a.IDText(), Doc: "the number of " + a.Name}}
			if a.Else {
				flags[0].Name = a.Union.By.Name
			}
			c.Flags = spare(c.Bits, append(flags, flagsOf(a.Bits)...))
		}
		m.cell(c)
	}
	m.body(a.Body)
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func flagsOf(bits []*schema.Bit) []Flag {
	var out []Flag
	for _, b := range bits {
		out = append(out, Flag{Lo: b.Lo, N: b.N, Name: b.Field.Name, Doc: b.Doc})
	}
	return out
}

// spare sorts flags from the highest bit to the lowest. Bits without a name are left out.
func spare(bits int, flags []Flag) []Flag {
	var out []Flag
	for at := bits - 1; at >= 0; at-- {
		for _, f := range flags {
			if f.Lo+f.N-1 == at {
				out = append(out, f)
			}
		}
	}
	return out
}

// words prints expressions as cells of tables have them.
var words = schema.Notation{Tight: true}

// row returns the cell of a row.
func (m *maker) row(r *schema.Row) *Cell {
	c := &Cell{Offset: words.Place(r), Column: -1, Bytes: Varies, Name: r.Field.Name, Type: typeOf(r.Type), Doc: r.Doc}
	if r.Length != nil {
		c.Length = words.Text(r.Length)
	}
	if n, err := strconv.Atoi(c.Offset); err == nil {
		c.Column = n % PerLine
	}
	switch n, err := strconv.Atoi(c.Length); {
	case err == nil:
		c.Bytes = n
	case r.Type.Fixed && r.Inline == nil:
		c.Bytes = int(r.Type.Bytes)
	}
	switch {
	case r.Type.Form == schema.OfRecord || r.Type.Form == schema.OfUnion:
		c.Kind = Nested
	case r.Value != nil || r.Field.Derive != nil:
		c.Kind = Derived
	}
	if r.Value != nil {
		c.Value = schema.Notation{Number: number(r.Type)}.Text(r.Value)
	}
	if len(r.Bits) > 0 && c.Bytes != Varies {
		c.Kind, c.Bits = Flags, 8*c.Bytes
		c.Flags = spare(c.Bits, flagsOf(r.Bits))
	}
	return c
}

// number prints a number of a type.
func number(t *schema.Type) func(*schema.Expr) string {
	return func(e *schema.Expr) string {
		if t.Scalar == builtin.Code4 && e.Name == "" {
			u := uint64(e.Num)
			return "'" + string([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}) + "'"
		}
		if e.Num > 0xffff {
			return fmt.Sprintf("%#x", uint64(e.Num))
		}
		return strconv.FormatInt(e.Num, 10)
	}
}

// typeOf returns the type of a row with its size.
func typeOf(t *schema.Type) string {
	s := t.Name
	switch t.Form {
	case schema.Text, schema.Array:
		if t.Size != nil {
			s += "[" + schema.Notation{}.Text(t.Size) + "]"
		}
	case schema.ArmID:
		s = t.Scalar.String()
	}
	return s
}

// body draws the nodes of a body.
func (m *maker) body(nodes []schema.Node) {
	for _, n := range nodes {
		if len(m.p.Parts) >= mostParts {
			m.cell(&Cell{Kind: Nested, Column: -1, Bytes: Varies, Name: "…", Type: "more rows"})
			return
		}
		switch n := n.(type) {
		case *schema.Row:
			m.plain(n)
		case *schema.Forms:
			m.forms(n)
		case *schema.List:
			m.list(n)
		case *schema.If:
			m.nested("if "+schema.Notation{}.Text(n.Cond)+":", n.Then)
			if n.HasElse {
				m.nested("otherwise:", n.Else)
			}
		case *schema.Order:
			m.part(orderOf(n))
		case *schema.Refuse:
			m.part("refused: " + n.Reason)
		}
	}
}

// orderOf says in which order the bytes of numbers are from here on.
func orderOf(n *schema.Order) string {
	switch {
	case n.By != nil:
		return "numbers from here on: in the order that " + n.By.Name + " selects"
	case n.Big.Num != 0:
		return "numbers from here on: big-endian"
	}
	return "numbers from here on: little-endian"
}

// plain adds a row with its padding.
func (m *maker) plain(r *schema.Row) {
	c := m.row(r)
	if r.At != nil {
		m.part("at " + strings.TrimPrefix(c.Offset, "@") + ":")
		c.Column = 0
		if c.Offset == "@" {
			c.Kind, c.Name, c.Offset = Padding, r.Field.Name, ""
			m.p.Parts[len(m.p.Parts)-1].Title = "between the parts:"
		}
	}
	m.cell(c)
	m.pad(r.Pad)
}

// pad adds padding.
func (m *maker) pad(p *schema.Pad) {
	if p != nil {
		m.cell(&Cell{Kind: Padding, Column: -1, Bytes: Varies, Length: fmt.Sprintf("0 to %d", p.To-1), Name: "padding", Type: fmt.Sprintf("to a multiple of %d bytes", p.To)})
	}
}

// forms draws a row under a condition, or the forms of a row.
func (m *maker) forms(f *schema.Forms) {
	for _, r := range f.Rows {
		if r.Inline != nil {
			continue
		}
		title := "always:"
		if r.When != nil {
			title = "if " + schema.Notation{}.Text(r.When) + ":"
		}
		m.depth++
		m.part(title)
		m.plain(r)
		m.depth--
	}
}

// nested draws a body under a title.
func (m *maker) nested(title string, body []schema.Node) {
	m.depth++
	m.part(title)
	m.body(body)
	m.depth--
}

// list draws a list. It is one cell if its elements have a type with a name, else the rows of an element.
func (m *maker) list(l *schema.List) {
	many := "up to the end"
	switch {
	case l.Count != nil:
		many = schema.Notation{}.Text(l.Count) + " times"
	case l.Last:
		many = "up to the last one"
	case l.Spare != nil:
		many = fmt.Sprintf("until at most %d bytes are left", l.Spare.Bytes)
	}
	if l.Row != nil {
		c := m.row(l.Row)
		c.Kind, c.Bytes, c.Type = Nested, Varies, c.Type+", "+many
		m.cell(c)
		m.pad(l.Pad)
		return
	}
	title := fmt.Sprintf("%s, %s:", l.Field.Name, many)
	if l.Map {
		title = fmt.Sprintf("%s, %s, a key and a value:", l.Field.Name, many)
	}
	m.nested(title, l.Element.Body)
	m.pad(l.Pad)
}
