// The section of one type: its rows as tables, and what else the schema says.

package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
)

var fieldHead = []string{"Offset", "Len", "Type", "Description"}

// maker makes the blocks of one type.
type maker struct {
	b      *builder
	out    []Block
	rows   [][]Text        // of the table that is being made
	after  []Block         // for after the table
	flags  map[string]bool // bits that are set or not
	bits   [][]Text        // flags in the header
	deep   int             // records in records
	count  int             // rows in all
	double bool            // some row is of a real whose precision the header tells
}

// maxRows bounds the rows of a section.
const maxRows = 2000

// items returns the blocks of items, and whether some rows depend on the precision
// that the header tells.
func (b *builder) items(items []*dsl.Item) ([]Block, bool) {
	m := &maker{b: b, flags: map[string]bool{}}
	m.findFlags(items)
	m.items(items, nil)
	m.flush()
	var out []Block
	if m.bits != nil {
		out = append(out, Paragraph{plain("Flags in the header:")}, Table{[]string{"Bits", "Name", "Description"}, m.bits})
	}
	return append(out, m.out...), m.double
}

// findFlags notes the names of single bits.
func (m *maker) findFlags(items []*dsl.Item) {
	for _, it := range items {
		switch {
		case it.Bits != nil && it.Bits.Hi == nil:
			m.flags[it.Bits.Name.Text] = true
		case it.Row != nil:
			for _, f := range it.Row.Bits {
				if f.Name != nil && f.Hi == nil {
					m.flags[f.Name.Text] = true
				}
			}
		case it.If != nil:
			m.findFlags(it.If.Then)
			m.findFlags(it.If.Else)
		}
	}
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

// items adds items. The base holds the offsets of the rows of records that they
// stand in.
func (m *maker) items(items []*dsl.Item, base []string) {
	for i := 0; i < len(items); i++ {
		it := items[i]
		switch {
		case it.Bits != nil:
			m.bit(it.Bits)
		case it.Row != nil:
			when := attr(it.Row, func(a *dsl.Attr) bool { return a.When != nil })
			if when == nil {
				m.row(it.Row, base, nil)
				break
			}
			// Rows at one place of which one is there are tables of their own;
			// others say in their description when they are there.
			if alternatives(items, i) {
				m.caption(join(plain("Where "), m.b.condition(schema.Fold(when.When), m.flags, true), plain(":")))
				m.row(it.Row, base, nil)
				for i+1 < len(items) && items[i+1].Row != nil && sameWhen(m.b, items[i+1].Row, when) {
					i++
					m.row(items[i].Row, base, nil)
				}
				m.flush()
				break
			}
			m.row(it.Row, base, m.b.condition(schema.Fold(when.When), m.flags, true))
		case it.Repeat != nil:
			m.repeat(it.Repeat, base)
		case it.Within != nil:
			m.caption(join(plain("In the next "), code(m.b.expr(it.Within.Size, false)), plain(" bytes, which it must fill:")))
			m.items(it.Within.Items, base)
			m.flush()
		case it.If != nil:
			cond := schema.Fold(it.If.Cond)
			m.caption(join(plain("Where "), m.b.condition(cond, m.flags, true), plain(":")))
			m.items(it.If.Then, base)
			m.flush()
			if it.If.Else != nil {
				m.caption(join(plain("Where "), m.b.condition(cond, m.flags, false), plain(":")))
				m.items(it.If.Else, base)
				m.flush()
			}
		case it.Let != nil:
			m.flush()
			m.out = append(m.out, Paragraph{join(plain("Let "), code(it.Let.Name.Text), plain(" be "), code(m.b.expr(it.Let.Value, false)), plain("."))})
		case it.Check != nil:
			m.say(join(plain("A packet is refused unless "), code(m.b.expr(it.Check.Cond, false)), plain(": "+it.Check.Message.Text)))
		case it.Require != nil:
			m.say(join(plain("This form is read and written only where the caller allows it: "), plain(m.b.gate(it.Require.Text))))
		case it.Writes != nil:
			m.writes(it.Writes)
		case it.Caption != nil:
			m.caption(plain(it.Caption.Text))
		case it.Says != nil:
			m.say(plain(it.Says.Text))
		}
	}
}

// attr returns the first attribute of a row that is asked for, or nil.
func attr(r *dsl.Row, want func(*dsl.Attr) bool) *dsl.Attr {
	for _, a := range r.Attrs {
		if want(a) {
			return a
		}
	}
	return nil
}

func sameWhen(b *builder, r *dsl.Row, when *dsl.Attr) bool {
	other := attr(r, func(a *dsl.Attr) bool { return a.When != nil })
	return other != nil && b.expr(other.When, false) == b.expr(when.When, false)
}

// alternatives reports whether a row with a condition stands at the same place as
// another one with a condition.
func alternatives(items []*dsl.Item, at int) bool {
	offset := func(r *dsl.Row) string { return (&builder{s: &schema.Schema{}}).expr(r.Offset, true) }
	for i, it := range items {
		if i != at && it.Row != nil && attr(it.Row, func(a *dsl.Attr) bool { return a.When != nil }) != nil && offset(it.Row) == offset(items[at].Row) {
			return true
		}
	}
	return false
}

func bitsText(lo, hi *dsl.Num) Text {
	if hi == nil {
		return plain(lo.Text)
	}
	return plain(lo.Text + " to " + hi.Text)
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

func (m *maker) bit(x *dsl.Bits) {
	var rules []Text
	switch {
	case x.Selects != nil:
		rules = append(rules, plain("set by builds with double precision"))
	default:
		rules = append(rules, m.b.written(x.Value, x.Hi == nil))
	}
	rules = append(rules, m.rules(x.Attrs)...)
	m.bits = append(m.bits, []Text{bitsText(x.Lo, x.Hi), code(x.Name.Text), meaning(x.Doc.String(), rules...)})
}

// rules are the sentences of attributes.
func (m *maker) rules(attrs []*dsl.Attr) []Text {
	var out []Text
	for _, a := range attrs {
		switch {
		case a.Read == "nonzero":
			out = append(out, plain("readers take any other number for true as well"))
		case a.Read == "any":
			out = append(out, plain("readers take any number"))
		case a.Write != nil:
			out = append(out, join(plain("written as "), code(m.b.expr(a.Write, false))))
		case a.Must != nil && m.b.fixed(a.Must) != "":
			out = append(out, plain("must be "+m.b.fixed(a.Must)))
		case a.Must != nil:
			out = append(out, join(plain("refused unless "), code(m.b.expr(a.Must, false))))
		case a.Pad != nil:
			out = append(out, padding(a.Pad))
		}
	}
	return out
}

// fixed returns the number that a condition asks of a field, "" where it asks for
// something else.
func (b *builder) fixed(e *dsl.Expr) string {
	n := schema.Fold(e)
	if n.Op == "==" && n.Args[0].Op == schema.OpName && n.Args[1].Op == schema.OpNum {
		return b.node(n.Args[1], false, 0)
	}
	return ""
}

func padding(p *dsl.Pad) Text {
	text := "padded to a multiple of " + p.To.Text + " bytes"
	if p.Fill != nil && p.Fill.Text != "0" {
		text += " with bytes of " + p.Fill.Text
	}
	if p.Exact {
		text += ", which must be just these"
	}
	if p.OrEnd {
		text += "; at the end of the input the padding may be missing"
	}
	return plain(text)
}

// row adds a row, or the rows of a record.
func (m *maker) row(r *dsl.Row, base []string, when Text) {
	if m.count++; m.count > maxRows {
		return
	}
	same := attr(r, func(a *dsl.Attr) bool { return a.Same != nil })
	if same != nil {
		return // another row reads these bytes
	}
	offset, length := m.b.expr(r.Offset, true), m.b.expr(r.Length, true)
	if t := m.b.s.Type(r.Type.Name.Text); t != nil && !m.b.inline[t.Name] {
		// a record with a section of its own
	} else if t != nil && m.deep < 8 {
		m.deep++
		m.items(t.Items, append(base[:len(base):len(base)], offset))
		m.deep--
		return
	}
	m.b.letters = m.b.scalar(r.Type) == bytecode.Code4
	defer func() { m.b.letters = false }()
	rules := m.rules(r.Attrs)
	must := attr(r, func(a *dsl.Attr) bool { return a.Must != nil && m.b.fixed(a.Must) != "" })
	if len(r.Bits) == 0 && !derived(r.Value) && must == nil {
		rules = append([]Text{m.b.written(r.Value, false)}, rules...)
	}
	if len(when) > 0 {
		rules = append(rules, join(plain("only where "), when))
	}
	if m.b.s.Axis(r.Type.Name.Text) != nil {
		m.double = true
	}
	doc := r.Doc.String()
	if doc == "" {
		doc = r.Name.Text
	}
	row := []Text{
		plain(strings.Join(append(base[:len(base):len(base)], offset), "+")),
		plain(length),
		m.b.typeText(r.Type),
		meaning(doc, rules...),
	}
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

// derived reports whether a value is a length or a count that the description says.
func derived(e *dsl.Expr) bool {
	if e == nil {
		return true
	}
	n := schema.Fold(e)
	return n.Op == schema.OpCall && (n.Name.Text == "count" || n.Name.Text == "len" || n.Name.Text == "size")
}

// wordBits is the table of the bits of a word.
func (m *maker) wordBits(r *dsl.Row) []Block {
	var rows [][]Text
	for _, f := range r.Bits {
		if f.Rest != "" {
			what := "ignored when reading, written as 0"
			if f.Rest == "zero" {
				what = "must be 0"
			}
			rows = append(rows, []Text{plain("others"), nil, plain(capital(what))})
			continue
		}
		rules := []Text{}
		must := slices.ContainsFunc(f.Attrs, func(a *dsl.Attr) bool { return a.Must != nil })
		if !derived(f.Value) && !must {
			rules = append(rules, m.b.written(f.Value, f.Hi == nil))
		}
		rules = append(rules, m.rules(f.Attrs)...)
		rows = append(rows, []Text{bitsText(f.Lo, f.Hi), code(f.Name.Text), meaning(f.Doc.String(), rules...)})
	}
	return []Block{
		Paragraph{join(plain("The bits of "), code(r.Name.Text), plain(" at "+m.b.expr(r.Offset, true)+":"))},
		Table{[]string{"Bits", "Name", "Description"}, rows},
	}
}

func (m *maker) repeat(r *dsl.Repeat, base []string) {
	what := "of the " + r.Name.Text
	switch {
	case r.ToEnd:
		m.caption(join(plain("Then, up to the end, for each " + what + ":")))
	case r.Map:
		m.caption(join(plain("Then, "), code(m.b.expr(r.Count, false)), plain(" times, a pair of key and value:")))
	case indexed(m.b, r.Items):
		m.caption(join(plain("Then, "), code(m.b.expr(r.Count, false)), plain(" times, where "), code("i"), plain(" is 0 for the first:")))
	default:
		m.caption(join(plain("Then, "), code(m.b.expr(r.Count, false)), plain(" times, for each "+what+":")))
	}
	m.items(r.Items, base)
	for _, a := range r.Attrs {
		if a.Pad != nil {
			m.say(join(plain("All of them together are "), padding(a.Pad)))
		}
	}
	m.flush()
}

// indexed reports whether offsets of rows depend on the index of the element.
func indexed(b *builder, items []*dsl.Item) bool {
	for _, it := range items {
		if it.Row != nil && strings.Contains("+"+b.expr(it.Row.Offset, true)+"*", "+i*") {
			return true
		}
	}
	return false
}

func (m *maker) writes(w *dsl.Writes) {
	var t Text
	if w.Absent {
		t = plain("A writer leaves it out")
	} else {
		t = join(plain("A writer puts "), code(w.Arm.Text))
		if w.Text != nil {
			t = join(t, plain(" "), code(`"`+w.Text.Text+`"`))
		}
		t = join(t, plain(" in its place"))
	}
	if w.When != nil {
		t = join(t, plain(" where "), m.b.condition(schema.Fold(w.When), m.flags, true))
	}
	m.say(t)
}

// scalar is the form of the numbers in a row, where it holds some.
func (b *builder) scalar(t *dsl.TypeRef) bytecode.Scalar {
	name := t.Name.Text
	if a := b.s.Axis(name); a != nil {
		name = a.Choices[0].Scalar.Text
	}
	s, _ := bytecode.ScalarNamed(name)
	return s
}

// typeText is the word for what stands in a row.
func (b *builder) typeText(t *dsl.TypeRef) Text {
	name, scalar := t.Name.Text, b.scalar(t)
	isScalar := scalar.Valid()
	switch {
	case t.ID:
		return plain("Unsigned integer")
	case b.s.Union(name) != nil && name == b.s.Root:
		return plain("<variable>")
	case b.anchors[name] != "":
		return Text{{Style: Link, Text: name, Ref: b.anchors[name]}}
	case b.s.Union(name) != nil || b.s.Type(name) != nil:
		return plain(name)
	case name == "utf8", b.s.Encoding(name) != nil, isScalar && scalar.Width() == 1 && t.Size != nil:
		return plain("Bytes")
	case isScalar && t.Size != nil:
		return join(b.typeText(&dsl.TypeRef{Name: &dsl.Name{Text: name}}), plain("s"))
	case scalar == bytecode.Code4:
		return plain("4 letters")
	case isScalar && scalar.IsFloat():
		return plain("Float")
	case scalar == bytecode.U8:
		return plain("Byte")
	case isScalar && !scalar.Signed():
		return plain("Unsigned integer")
	}
	return plain("Integer")
}

// gate is what a gate lets through, in words.
func (b *builder) gate(name string) string {
	if i := b.s.Gate(name); i >= 0 {
		if d := b.s.Gates[i].Doc.String(); d != "" {
			return d
		}
	}
	return name
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
