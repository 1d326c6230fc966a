// The section of one type: its rows as tables, and what else the schema says.

package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

var fieldHead = []string{"Offset", "Len", "Type", "Description"}

// maker makes the blocks of one type.
type maker struct {
	b      *builder
	out    []Block
	rows   [][]Text // of the table that is being made
	after  []Block  // for after the table
	bits   [][]Text // flags in the header
	deep   int      // records in records
	count  int      // rows in all
	double bool     // some row is of a real whose precision the header tells
}

// maxRows bounds the rows of a section.
const maxRows = 2000

// rows returns the blocks of a body, and whether some rows depend on the precision
// that the header tells.
func (b *builder) rows(body []schema.Node) ([]Block, bool) {
	m := &maker{b: b}
	m.body(body, nil)
	m.flush()
	var out []Block
	if m.bits != nil {
		out = append(out, Paragraph{plain("Flags in the header:")}, Table{[]string{"Bits", "Name", "Description"}, m.bits})
	}
	return append(out, m.out...), m.double
}

// flush ends the table that is being made.
func (m *maker) flush() {
	if m.rows != nil {
		m.out = append(m.out, Table{fieldHead, m.rows})
	}
	m.out = append(m.out, m.after...)
	m.rows, m.after = nil, nil
}

func (m *maker) caption(t Text) {
	m.flush()
	m.out = append(m.out, Paragraph{capitalText(t)})
}

func (m *maker) say(t Text) { m.after = append(m.after, Paragraph{sentence(t)}) }

// part adds a body of its own under a caption.
func (m *maker) part(caption Text, body []schema.Node, base []string) {
	m.caption(caption)
	m.body(body, base)
	m.flush()
}

// body adds the nodes of a body. The base holds the offsets of the rows of records
// that they are in.
func (m *maker) body(nodes []schema.Node, base []string) {
	nodes = lines(nodes)
	for i := 0; i < len(nodes); i++ {
		switch n := nodes[i].(type) {
		case *schema.Bit:
			m.bit(n)
		case *schema.Row:
			switch {
			case n.When == nil:
				m.row(n, base, nil)
			case alternative(nodes, n):
				m.caption(join(plain("Where "), m.b.condition(n.When, true), plain(":")))
				m.row(n, base, nil)
				for i+1 < len(nodes) && m.b.sameWhen(nodes[i+1], n) {
					i++
					m.row(nodes[i].(*schema.Row), base, nil)
				}
				m.flush()
			default:
				m.row(n, base, m.b.condition(n.When, true))
			}
		case *schema.List:
			m.list(n, base)
		case *schema.Region:
			m.part(join(plain("In the next "), code(m.b.expr(n.Size)), plain(" bytes, which it must fill:")), n.Body, base)
		case *schema.If:
			m.part(join(plain("Where "), m.b.condition(n.Cond, true), plain(":")), n.Then, base)
			if n.HasElse {
				m.part(join(plain("Where "), m.b.condition(n.Cond, false), plain(":")), n.Else, base)
			}
		case *schema.Let:
			m.flush()
			m.out = append(m.out, Paragraph{join(plain("Let "), code(n.Field.Name), plain(" be "), code(m.b.expr(n.Value)), plain("."))})
		case *schema.Refuse:
			m.say(plain("A packet is refused: " + n.Reason))
		case *schema.Require:
			m.say(join(plain("This form is read and written only where the caller allows it: "), plain(gate(n.Gate))))
		case *schema.Write:
			m.write(n)
		case *schema.Caption:
			m.caption(plain(n.Text))
		case *schema.Fact:
			m.say(plain(n.Text))
		}
	}
}

// lines returns a body with the rows and notes of forms in place of the forms.
func lines(body []schema.Node) []schema.Node {
	var out []schema.Node
	for _, n := range body {
		if forms, ok := n.(*schema.Forms); ok {
			out = append(out, forms.Body...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// alternative reports whether another row with a condition is at the same offset.
// Such rows are tables of their own; others say in their description when they are
// there.
func alternative(nodes []schema.Node, row *schema.Row) bool {
	return slices.ContainsFunc(nodes, func(n schema.Node) bool {
		other, ok := n.(*schema.Row)
		return ok && other != row && other.When != nil && cell(other.Offset) == cell(row.Offset)
	})
}

func (b *builder) sameWhen(n schema.Node, row *schema.Row) bool {
	other, ok := n.(*schema.Row)
	return ok && other.When != nil && b.expr(other.When) == b.expr(row.When)
}

func bitsText(b *schema.Bit) Text {
	if b.N == 1 {
		return plain(fmt.Sprint(b.Lo))
	}
	return plain(fmt.Sprintf("%d to %d", b.Lo, b.Lo+b.N-1))
}

// meaning is a description and what readers and writers do besides.
func meaning(doc string, more ...Text) Text {
	t := plain(capital(doc))
	for _, x := range more {
		if len(x) == 0 {
			continue
		}
		if t.String() != "" {
			t = join(t, plain("; "))
			t = join(t, x)
		} else {
			t = capitalText(x)
		}
	}
	return t
}

func (m *maker) bit(x *schema.Bit) {
	rules := []Text{m.b.written(x.Value, x.N == 1)}
	if x.Field.Selects {
		rules = []Text{plain("set by builds with double precision")}
	}
	rules = append(rules, m.b.bitRules(x)...)
	m.bits = append(m.bits, []Text{bitsText(x), code(x.Field.Name), meaning(x.Doc, rules...)})
}

// bitRules returns the sentences about reading and writing bits.
func (b *builder) bitRules(x *schema.Bit) []Text { return b.rules(x.Any, x.Write, x.Checks) }

// rules returns the sentences about reading and writing a number.
func (b *builder) rules(any bool, write *schema.Expr, checks []*schema.Check) []Text {
	var out []Text
	if any {
		out = append(out, plain("readers take any number"))
	}
	if write != nil {
		out = append(out, join(plain("written as "), code(b.expr(write))))
	}
	for _, c := range checks {
		if n := b.fixed(c); n != "" {
			out = append(out, plain("must be "+n))
		} else {
			out = append(out, join(plain("refused unless "), code(b.expr(c.Cond))))
		}
	}
	return out
}

// fixed returns the number that a condition asks of a field, "" if it asks for
// something else.
func (b *builder) fixed(c *schema.Check) string {
	if e := c.Cond; e.Op == builtin.Eq && e.Args[0].Op == builtin.Ref && e.Args[1].Op == builtin.Num && e.Args[1].Name == "" {
		return b.expr(e.Args[1])
	}
	return ""
}

func padding(p *schema.Pad) Text {
	text := fmt.Sprintf("padded to a multiple of %d bytes", p.To)
	if p.Exact {
		text += " with zeros"
	}
	if p.OrEnd {
		text += "; at the end of the input the padding may be missing"
	}
	return plain(text)
}

// row adds a row, or the rows of a record.
func (m *maker) row(r *schema.Row, base []string, when Text) {
	if m.count++; m.count > maxRows || r.Same != nil {
		return // another row reads the same bytes
	}
	base = append(base[:len(base):len(base)], cell(r.Offset))
	if t := r.Type; t.Form == schema.OfRecord && m.b.inline[t.Record.Name] && m.deep < 8 {
		m.deep++
		m.body(t.Record.Body, base)
		m.deep--
		return
	}
	m.b.letters = r.Type.Scalar == builtin.Code4
	defer func() { m.b.letters = false }()
	var rules []Text
	if len(r.Bits) == 0 && !slices.ContainsFunc(r.Checks, func(c *schema.Check) bool { return m.b.fixed(c) != "" }) {
		rules = append(rules, m.b.written(r.Value, false))
	}
	if r.Nonzero {
		rules = append(rules, plain("readers take any other number for true as well"))
	}
	rules = append(rules, m.b.rules(r.Any, r.Write, r.Checks)...)
	if r.Pad != nil {
		rules = append(rules, padding(r.Pad))
	}
	if len(when) > 0 {
		rules = append(rules, join(plain("only where "), when))
	}
	m.double = m.double || r.Type.Axis
	doc := r.Doc
	if doc == "" {
		doc = r.Field.Name
	}
	row := []Text{plain(strings.Join(base, "+")), plain(cell(r.Length)), m.b.typeText(r.Type), meaning(doc, rules...)}
	for _, old := range m.rows { // names and subnames in one table
		if old[0].String() == row[0].String() && old[3].String() == row[3].String() {
			return
		}
	}
	m.rows = append(m.rows, row)
	if len(r.Bits) > 0 {
		m.after = append(m.after, m.wordBits(r)...)
	}
}

// wordBits is the table of the bits of a word.
func (m *maker) wordBits(r *schema.Row) []Block {
	var rows [][]Text
	for _, x := range r.Bits {
		rules := m.b.bitRules(x)
		if len(x.Checks) == 0 {
			rules = append([]Text{m.b.written(x.Value, x.N == 1)}, rules...)
		}
		rows = append(rows, []Text{bitsText(x), code(x.Field.Name), meaning(x.Doc, rules...)})
	}
	if r.RestAt.Line > 0 {
		rest := "Ignored when reading, written as 0"
		if r.Closed {
			rest = "Must be 0"
		}
		rows = append(rows, []Text{plain("others"), nil, plain(rest)})
	}
	return []Block{
		Paragraph{join(plain("The bits of "), code(r.Field.Name), plain(" at "+cell(r.Offset)+":"))},
		Table{[]string{"Bits", "Name", "Description"}, rows},
	}
}

func (m *maker) list(l *schema.List, base []string) {
	what := "of the " + l.Field.Name
	switch {
	case l.Count == nil:
		m.caption(join(plain("Then, up to the end, for each " + what + ":")))
	case l.Map:
		m.caption(join(plain("Then, "), code(m.b.expr(l.Count)), plain(" times, a pair of key and value:")))
	case indexed(l.Element.Body):
		m.caption(join(plain("Then, "), code(m.b.expr(l.Count)), plain(" times, where "), code("i"), plain(" is 0 for the first:")))
	default:
		m.caption(join(plain("Then, "), code(m.b.expr(l.Count)), plain(" times, for each "+what+":")))
	}
	m.body(l.Element.Body, base)
	if l.Pad != nil {
		m.say(join(plain("All of them together are "), padding(l.Pad)))
	}
	m.flush()
}

// indexed reports whether offsets of rows depend on the index of the element.
func indexed(body []schema.Node) bool {
	return slices.ContainsFunc(lines(body), func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && strings.Contains("+"+cell(row.Offset)+"*", "+i*")
	})
}

func (m *maker) write(w *schema.Write) {
	var t Text
	if w.Absent {
		t = plain("A writer leaves it out")
	} else {
		t = join(plain("A writer puts "), code(w.Arm.Name))
		if w.Text != "" {
			t = join(t, plain(" "), code(`"`+w.Text+`"`))
		}
		t = join(t, plain(" in its place"))
	}
	if w.When != nil {
		t = join(t, plain(" where "), m.b.condition(w.When, true))
	}
	m.say(t)
}

// typeText is the word for the type of a row.
func (b *builder) typeText(t *schema.Type) Text {
	switch {
	case t.Form == schema.ArmID:
		return plain("Unsigned integer")
	case t.Union != nil && t.Union == b.s.Root.Union:
		return plain("<variable>")
	case b.anchors[t.Name] != "":
		return Text{{Style: Link, Text: t.Name, Ref: b.anchors[t.Name]}}
	case t.Form == schema.Text, t.Form == schema.Array && t.Scalar.Width() == 1:
		return plain("Bytes")
	case t.Form == schema.Truth:
		return plain("Integer")
	case t.Form == schema.Array:
		return plain(scalarType(t.Scalar) + "s")
	case t.Form == schema.Number:
		return plain(scalarType(t.Scalar))
	}
	return plain(t.Name)
}

// scalarType is the word for a number.
func scalarType(s builtin.Scalar) string {
	switch {
	case s == builtin.Code4:
		return "4 letters"
	case s.IsFloat():
		return "Float"
	case s == builtin.U8:
		return "Byte"
	case s.Signed():
		return "Integer"
	}
	return "Unsigned integer"
}

// gate is what a gate lets through, in words.
func gate(g *schema.Gate) string {
	if g.Doc != "" {
		return g.Doc
	}
	return g.Name
}

// number is the number of an arm as readers write it.
func number(a *schema.Arm) string {
	switch {
	case a.Else:
		return "others"
	case a.Code != "":
		return a.Code
	}
	return fmt.Sprint(a.ID)
}
