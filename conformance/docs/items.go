// The section of one type: its rows as tables, and what else the schema says.

package docs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// documentHead is the head of tables in pages that follow a document, fieldHead of others.
var (
	documentHead = []string{"Offset", "Len", "Type", "Description"}
	fieldHead    = []string{"Offset", "Len", "Type", "Name", "Description"}
)

// maker makes the blocks of one type.
type maker struct {
	b      *builder
	out    []Block
	rows   [][]Text  // of the table that is being made
	at     []dsl.Pos // of rows
	after  []Block   // for after the table
	bits   [][]Text  // flags in the header
	bitsAt []dsl.Pos
	behind bool // the next row is after a list
	deep   int  // records in records
	count  int  // rows in all
	double bool // some row is of a real whose precision the header tells
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
		out = append(out, Paragraph{plain("Flags in the header:")}, Table{Head: []string{"Bits", "Name", "Description"}, Rows: m.bits, At: m.bitsAt})
	}
	return append(out, m.out...), m.double
}

// flush ends the table that is being made.
func (m *maker) flush() {
	if m.rows != nil {
		m.out = append(m.out, Table{fieldHead, m.rows, m.at})
	}
	m.out = append(m.out, m.after...)
	m.rows, m.at, m.after = nil, nil, nil
}

func (m *maker) caption(t Text) {
	m.flush()
	m.behind = false
	m.out = append(m.out, Paragraph{capitalText(t)})
}

func (m *maker) say(t Text) { m.after = append(m.after, Paragraph{sentence(t)}) }

// part adds a separate body under a caption.
func (m *maker) part(caption Text, body []schema.Node, base []string) {
	m.caption(caption)
	m.body(body, base)
	m.flush()
}

// body adds the nodes of a body. The base holds the offsets of the rows of records
// that they are in.
func (m *maker) body(nodes []schema.Node, base []string) {
	for _, n := range nodes {
		if forms, ok := n.(*schema.Forms); ok && forms.Check != nil {
			m.say(join(plain("A packet is refused if "), m.b.condition(forms.Check.Cond, false)))
		}
	}
	nodes = lines(nodes)
	for i := 0; i < len(nodes); i++ {
		switch n := nodes[i].(type) {
		case *schema.Bit:
			m.bit(n)
		case *schema.Row:
			switch {
			case n.When == nil:
				m.noted(n.Pos, func() { m.row(n, base, nil) })
			case alternative(nodes, n):
				m.caption(join(plain("If "), m.b.condition(n.When, true), plain(":")))
				m.noted(n.Pos, func() { m.row(n, base, nil) })
				for i+1 < len(nodes) && m.b.sameWhen(nodes[i+1], n) {
					i++
					other := nodes[i].(*schema.Row)
					m.noted(other.Pos, func() { m.row(other, base, nil) })
				}
				m.flush()
			default:
				m.noted(n.Pos, func() { m.row(n, base, m.b.condition(n.When, true)) })
			}
		case *schema.List:
			m.noted(n.Pos, func() { m.list(n, base) })
		case *schema.If:
			m.part(join(plain("If "), m.b.condition(n.Cond, true), plain(":")), n.Then, base)
			if n.HasElse {
				m.part(join(plain("If "), m.b.condition(n.Cond, false), plain(":")), n.Else, base)
			}
		case *schema.Order:
			m.caption(m.b.order(n))
		case *schema.Refuse:
			m.say(plain("A packet is refused: " + n.Reason))
		case *schema.Require:
			m.say(join(plain("This form is read and written only if the caller allows it: "), plain(gate(n.Gate))))
		case *schema.Write:
			m.write(n)
		}
	}
}

// noted adds a row or a list with the captions and sentences that the page notes about it.
func (m *maker) noted(at dsl.Pos, add func()) {
	note := m.b.opt.Page.Note(at)
	for _, b := range note.Before {
		if b.Row == nil {
			m.caption(plain(b.Caption))
		}
	}
	add()
	for _, text := range note.Says {
		m.say(plain(text))
	}
}

// lines returns a body with the rows of forms in place of the forms.
func lines(body []schema.Node) []schema.Node {
	var out []schema.Node
	for _, n := range body {
		if forms, ok := n.(*schema.Forms); ok {
			for _, row := range forms.Rows {
				out = append(out, row)
			}
		} else {
			out = append(out, n)
		}
	}
	return out
}

// alternative reports whether another row with a condition is at the same offset.
// Such rows are separate tables; others say in their description when they are
// there.
func alternative(nodes []schema.Node, row *schema.Row) bool {
	return slices.ContainsFunc(nodes, func(n schema.Node) bool {
		other, ok := n.(*schema.Row)
		return ok && other != row && other.When != nil && place(other) == place(row)
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
	rules := []Text{m.b.written(x.Value, x.N == 1), redundant(x.Field)}
	if x.Field.Selects {
		rules = []Text{plain("set by builds with double precision")}
	}
	rules = append(rules, m.b.bitRules(x)...)
	m.bitsAt = append(m.bitsAt, x.Pos)
	m.bits = append(m.bits, []Text{bitsText(x), code(x.Field.Name), meaning(x.Doc, rules...)})
}

// bitRules returns the sentences about reading and writing bits.
func (b *builder) bitRules(x *schema.Bit) []Text {
	rules := b.rules(x.Any, x.Checks)
	if x.Signed {
		rules = append([]Text{plain("signed, in two's complement")}, rules...)
	}
	return rules
}

// rules returns the sentences about reading and writing a number.
func (b *builder) rules(any bool, checks []*schema.Check) []Text {
	var out []Text
	if any {
		out = append(out, plain("readers take any number"))
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
		if n := e.Args[1].Num; n > 0xfff && !b.letters { // most often a signature
			return fmt.Sprintf("%#x", n)
		}
		return b.expr(e.Args[1])
	}
	return ""
}

// delimiter says where text or bytes end, unless their length says it.
func delimiter(t *schema.Type) string {
	end, unit := t.Delimiter()
	one, all := "byte", "bytes"
	if unit > 1 {
		one, all = "code unit", "code units"
	}
	switch {
	case t.Until != "":
		return fmt.Sprintf("followed by the %s % x, which it does not hold", all, end)
	case t.Fill != "" && t.FillAny:
		return fmt.Sprintf("ends before the first %s % x, after which readers take any bytes", one, end)
	case t.Fill != "" && unit > 1:
		return fmt.Sprintf("filled with bytes %x; it does not end with the code unit % x", t.Fill, end)
	case t.Fill != "":
		return fmt.Sprintf("filled with bytes %x, with which it does not end", t.Fill)
	case t.Form == schema.Text && t.ToEnd():
		return "up to the end"
	}
	return ""
}

func padding(p *schema.Pad) Text {
	text := fmt.Sprintf("padded to a multiple of %d bytes", p.To)
	switch {
	case p.Exact && p.Fill == 0:
		text += " with zeros"
	case p.Exact:
		text += fmt.Sprintf(" with bytes %02x", p.Fill)
	case p.Fill != 0:
		text += fmt.Sprintf(", by a writer with bytes %02x", p.Fill)
	}
	if p.OrEnd {
		text += "; at the end of the region or of the input the padding may be missing"
	}
	return plain(text)
}

// row adds a row, or the rows of a record.
func (m *maker) row(r *schema.Row, base []string, when Text) {
	if m.count++; m.count > maxRows {
		return
	}
	base = behind(base, r)
	if t := r.Type; t.Form == schema.OfRecord && m.b.inline[t.Record.Name] && m.deep < 8 {
		m.deep++
		m.body(t.Record.Body, base)
		m.deep--
		return
	}
	m.b.letters = r.Type.Scalar == builtin.Code4
	defer func() { m.b.letters = false }()
	var rules []Text
	switch {
	case r.Constant != nil && r.Any:
		rules = append(rules, join(plain("written as "), code(schema.Notation{}.Text(r.Value)), plain("; readers take any bytes")))
	case r.Constant != nil:
		rules = append(rules, join(plain("must be "), code(schema.Notation{}.Text(r.Value))))
	case len(r.Bits) == 0 && !slices.ContainsFunc(r.Checks, func(c *schema.Check) bool { return m.b.fixed(c) != "" }):
		rules = append(rules, m.b.written(r.Value, false), redundant(r.Field))
	}
	if r.Inline != nil {
		rules = append(rules, join(plain("the number is "), code(m.b.expr(r.Inline))))
	}
	if r.Type.Form == schema.Truth && !strings.ContainsAny(r.Doc, "01") {
		rules = append(rules, plain("0 is false, 1 is true"))
	}
	if r.Nonzero {
		rules = append(rules, plain("readers take any other number for true as well"))
	}
	rules = append(rules, m.b.rules(r.Any && r.Constant == nil, r.Checks)...)
	if r.Bound != nil {
		rules = append(rules, m.b.region(r))
	}
	if text := delimiter(r.Type); text != "" && (r.Constant == nil || r.Type.Fill != "" && !r.Any) {
		rules = append(rules, plain(text))
	}
	if r.At != nil && r.At.Gaps {
		rules = append(rules, plain("the bytes that no other row has"))
	}
	if r.Pad != nil {
		rules = append(rules, padding(r.Pad))
	}
	rules = append(rules, viewed(r))
	if len(when) > 0 {
		rules = append(rules, join(plain("only if "), when))
	}
	m.double = m.double || r.Type.Option != nil && r.Type.Option == m.b.s.Option
	row := []Text{plain(strings.Join(base, "+")), plain(cell(r.Length)), m.b.typeText(r.Type), code(r.Field.Name), meaning(r.Doc, rules...)}
	for _, old := range m.rows { // names and subnames in one table
		if old[0].String() == row[0].String() && old[4].String() == row[4].String() {
			return
		}
	}
	m.add(row, r.Pos)
	if len(r.Bits) > 0 {
		m.after = append(m.after, m.wordBits(r)...)
	}
}

// wordBits is the table of the bits of a word.
func (m *maker) wordBits(r *schema.Row) []Block {
	var rows [][]Text
	var at []dsl.Pos
	for _, x := range r.Bits {
		rules := m.b.bitRules(x)
		if len(x.Checks) == 0 {
			rules = append([]Text{m.b.written(x.Value, x.N == 1), redundant(x.Field)}, rules...)
		}
		at = append(at, x.Pos)
		rows = append(rows, []Text{bitsText(x), code(x.Field.Name), meaning(x.Doc, rules...)})
	}
	if r.Rest {
		at = append(at, r.Pos)
		rows = append(rows, []Text{plain("others"), nil, plain("Ignored when reading, written as 0")})
	}
	return []Block{
		Paragraph{join(plain("The bits of "), code(r.Field.Name), plain(" at "+place(r)+":"))},
		Table{[]string{"Bits", "Name", "Description"}, rows, at},
	}
}

func (m *maker) list(l *schema.List, base []string) {
	if l.Row != nil {
		m.listRow(l, base)
		return
	}
	what := "of the " + l.Field.Name
	switch {
	case l.Last:
		m.caption(join(plain("Then, up to the first one for which "), m.b.condition(l.Element.Stop, true), plain(", for each "+what+":")))
	case l.Spare != nil:
		m.caption(join(plain(fmt.Sprintf("Then, until at most %d bytes are left, for each %s:", l.Spare.Bytes, what))))
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
	for _, rule := range m.b.rules(false, l.Checks) {
		m.say(rule)
	}
	m.flush()
	m.behind = true
}

// add adds a row to the table. The first one after a list begins a table.
func (m *maker) add(row []Text, at dsl.Pos) {
	if m.behind {
		m.caption(plain("After them:"))
	}
	m.rows, m.at = append(m.rows, row), append(m.at, at)
}

// listRow adds the row of a list.
func (m *maker) listRow(l *schema.List, base []string) {
	if m.count++; m.count > maxRows {
		return
	}
	var rules []Text
	if l.Count != nil {
		rules = append(rules, join(code(m.b.expr(l.Count)), plain(" of them")))
	} else if l.Last {
		rules = append(rules, join(plain("up to the first one for which "), m.b.condition(l.Elem.Stop(), true)))
	} else if l.Spare != nil {
		rules = append(rules, plain(fmt.Sprintf("until at most %d bytes are left", l.Spare.Bytes)))
	} else if l.Row.Bound == nil {
		rules = append(rules, plain("up to the end"))
	}
	if l.Row.Bound != nil {
		rules = append(rules, m.b.region(l.Row))
	}
	if l.Pad != nil {
		rules = append(rules, padding(l.Pad))
	}
	rules = append(rules, viewed(l.Row))
	rules = append(rules, m.b.rules(false, l.Checks)...)
	base = behind(base, l.Row)
	m.add([]Text{
		plain(strings.Join(base, "+")), plain(cell(l.Row.Length)), join(plain("List of "), m.b.typeText(l.Elem)), code(l.Field.Name), meaning(l.Doc, rules...),
	}, l.Pos)
}

// indexed reports whether offsets of rows depend on the index of the element.
func indexed(body []schema.Node) bool {
	return slices.ContainsFunc(lines(body), func(n schema.Node) bool {
		row, ok := n.(*schema.Row)
		return ok && row.At == nil && strings.Contains("+"+cell(row.Offset)+"*", "+i*")
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
		t = join(t, plain(" if "), m.b.condition(w.When, true))
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
	case t.Form == schema.Text:
		return plain("Text")
	case t.Form == schema.Array && t.Scalar.Width() == 1:
		return plain("Bytes")
	case t.Form == schema.Truth:
		return plain("Integer")
	case t.Form == schema.Array:
		return plain(scalarType(t.Scalar) + "s" + b.ordered(t))
	case t.Form == schema.Number:
		return plain(scalarType(t.Scalar) + b.ordered(t))
	}
	return plain(t.Name)
}

// order says in which order the bytes of the numbers in the rows after it are.
func (b *builder) order(n *schema.Order) Text {
	switch {
	case n.By != nil:
		return join(plain("The highest byte of the numbers from here on is first if "), b.condition(n.Big, true), plain(", else the lowest."))
	case n.Big.Num != 0:
		return plain("The numbers from here on have their highest byte first (big-endian).")
	}
	return plain("The numbers from here on have their lowest byte first (little-endian).")
}

// digitNames has the words for the digits of each kind.
var digitNames = map[builtin.Coding]string{
	builtin.Octal: "octal", builtin.Decimal: "decimal", builtin.SDecimal: "decimal", builtin.Hex: "lowercase hexadecimal", builtin.HexUpper: "uppercase hexadecimal",
}

// digitsText says how many digits a number has, and which bytes are after them.
func digitsText(c builtin.Coding) string {
	if end := c.End(); end != "" {
		return fmt.Sprintf(", %s digits, then % x", digitNames[c.Kind()], end)
	}
	text := fmt.Sprintf(", %d %s digits", c.Digits(), digitNames[c.Kind()])
	if c.Digits() == 1 {
		text = strings.TrimSuffix(text, "s")
	}
	switch c.Side() {
	case builtin.Left:
		text += " or fewer, with spaces after them"
	case builtin.Right:
		text += " or fewer, with spaces before them"
	}
	if fill := c.Fill(); fill != "" {
		text += fmt.Sprintf(", then % x", fill)
	}
	return text
}

// ordered says how a number is written, if that is not as in the rest of the schema.
func (b *builder) ordered(t *schema.Type) string {
	big, fixed := b.s.Big != t.Swapped, true
	if t.Big != nil {
		big, fixed = b.orders.of(b.s, t.Big)
	}
	switch {
	case !fixed:
		return ", in the chosen order"
	case t.Coding.Base() > 0:
		return digitsText(t.Coding)
	case t.Coding != builtin.Fixed:
		return ", " + t.Coding.String()
	case big == b.s.Big:
		return ""
	case b.s.Big:
		return ", little-endian"
	}
	return ", big-endian"
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
	if a.Else {
		return "others"
	}
	return a.IDText()
}
