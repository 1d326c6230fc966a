// Bodies: the place of the next row, what is known, and the lines.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// cursor is the place of the next row under the first choice of the option. It is a sum of letters, a number,
// and a multiple of the number of the element.
type cursor struct {
	known   bool
	letters []string
	n, i    int64
}

// body draws the items of one record.
type body struct {
	d         *drawer
	lines     []string
	cur       cursor
	letters   int
	names     map[string]bool
	nums      []num
	calls     []callExpr // functions of fields that a reader has
	union     *union     // of the arm
	element   bool       // it is the element of a list
	scaled    bool       // it can have numbers of the option
	inner     int        // conditions around
	plain     bool       // nothing recursive
	stored    int        // stored fields
	texts     int        // of them, texts
	rec       *record
	self      *record  // as others refer to it while it is drawn; nil in an element
	ended     bool     // a row takes all bytes up to the end
	between   int      // sizes whose parts follow the rows at hand
	unchecked int      // lines up to the last row that can have no check behind it
	rows      []string // in no block
	covering  bool     // rows are drawn that a checksum before them covers
	more      bool     // rows follow those that are drawn
	chooses   bool     // a writer chooses the places of its rows with @
}

// newBody returns the body of a record that begins at an offset.
func (d *drawer) newBody(from int64) *body {
	return &body{
		d: d, cur: cursor{known: true, n: from}, names: map[string]bool{}, scaled: d.option != nil && d.chance(50),
		rec: &record{fixedSize: fixedSize{true, d.each(0)}},
	}
}

// Names of fields. A size that begins with the name "until" is the end of a list.
var (
	plainNames = strings.Fields("alpha beta gamma delta kind flags count size first second value key data more last")
	oddNames   = append(strings.Fields("if else repeat as end map let check says type union arm bit bits with is at "+
		"class def func import self return None true int string len2 _x X9 iffy"), append(builtin.Functions(), builtin.AttributeWords()...)...)
	scalarNames = func() []string {
		var all []string
		for _, t := range builtin.Types() {
			all = append(all, t.Name)
		}
		return all
	}()
)

// name returns a new name of a field.
func (b *body) name() string {
	list := plainNames
	if b.d.has(fOddNames) && b.d.chance(60) {
		list = append(oddNames, scalarNames...)
	}
	base := list[b.d.n(len(list))]
	name := base
	for k := 2; b.names[name]; k++ {
		name = fmt.Sprint(base, "_", k)
	}
	b.names[name] = true
	return name
}

// letter returns a new letter.
func (b *body) letter() string {
	const letters = "NPQRSTUVWXYZ"
	b.letters++
	if k := b.letters - 1; k < len(letters) {
		return letters[k : k+1]
	}
	return fmt.Sprint("L", b.letters)
}

// line appends a line.
func (b *body) line(format string, args ...any) {
	b.lines = append(b.lines, fmt.Sprintf(format, args...))
}

// block appends a block of lines; after is behind its brace.
func (b *body) block(head, after string, inner func()) {
	b.line("%s {", head)
	from, calls := len(b.lines), b.calls
	inner()
	b.calls = calls[:len(calls):len(calls)]
	for i := from; i < len(b.lines); i++ {
		b.lines[i] = "    " + b.lines[i]
	}
	b.line("}%s", after)
}

// String prints a place.
func (c *cursor) String() string {
	parts := slices.Clone(c.letters)
	if c.n != 0 || len(parts) == 0 && c.i == 0 {
		parts = append(parts, fmt.Sprint(c.n))
	}
	if c.i == 1 {
		parts = append(parts, "i")
	} else if c.i != 0 {
		parts = append(parts, fmt.Sprint("i*", c.i))
	}
	return strings.Join(parts, "+")
}

// clone returns a copy that shares nothing.
func (c cursor) clone() cursor {
	return cursor{c.known, slices.Clone(c.letters), c.n, c.i}
}

// row is what a row is drawn with.
type row struct {
	typ    string
	size   []int64 // under each choice; nil: it varies
	length string  // of fields; "" for a number or a letter
	option bool    // its numbers are of the option
	name   string
	value  string
	attrs  []string
	bits   []string
	at     string // the place that a field holds; "" for a row behind the one before it
}

func isPad(attr string) bool { return strings.HasPrefix(attr, "pad ") }

// place returns the offset of a row.
func (b *body) place() string {
	if c := &b.cur; !c.known || b.d.chance(8) {
		l := b.letter()
		*c = cursor{known: true, letters: []string{l}}
	}
	return b.cur.String()
}

// row appends a row and moves the place behind it.
func (b *body) row(r row) {
	if r.at != "" {
		before, size := b.cur.clone(), b.rec.fixedSize.clone()
		defer func() {
			b.cur = before
			b.rec.fixedSize = size
		}()
	}
	if size := b.d.unionSize(r.typ); size != nil && r.size == nil && r.length == "" && b.d.chance(60) {
		r.size = size
	}
	padded := slices.ContainsFunc(r.attrs, isPad)
	offset := r.at
	if r.at == "" {
		offset = b.place()
	}
	length := ""
	switch {
	case r.length != "":
		length = r.length
		b.rec.fixed = false
		if linearLength.MatchString(length) && !padded {
			b.cur.letters = append(slices.Clone(b.cur.letters), length)
		} else {
			b.cur.known = false
		}
	case r.size != nil && !padded:
		length = fmt.Sprint(r.size[0])
		if r.size[0] > 1 && b.d.chance(3) {
			length = fmt.Sprintf("%d*1+1", r.size[0]-1)
		}
		b.cur.n += r.size[0]
		for k, n := range r.size {
			b.rec.size[k] += n
		}
	default:
		length = b.letter()
		b.cur.letters = append(slices.Clone(b.cur.letters), length)
		b.rec.fixed = false
	}
	b.d.budget--
	if b.inner == 0 && r.at == "" && !slices.Contains(b.rows, r.name) {
		b.rows = append(b.rows, r.name)
	}
	value := ""
	if r.value != "" {
		value = " = " + r.value
	}
	line := fmt.Sprintf("| %s | %s | %s | %s%s |", offset, length, r.typ, r.name, value)
	if b.d.chance(30) {
		line += ` "a drawn row"`
	}
	attrs := slices.Clip(r.attrs)
	if len(b.d.errata) > 0 && b.d.chance(15) {
		attrs = append(attrs, "! "+b.d.mention())
	}
	if len(r.bits) > 0 {
		line += " {"
		for _, bit := range r.bits {
			line += "\n        " + bit
		}
		line += "\n    }"
	}
	for _, a := range attrs {
		line += " " + a
	}
	b.line("%s", line)
	if r.size != nil && !padded && b.d.has(fMusts) && b.d.chance(65) && slices.Min(r.size) == slices.Max(r.size) {
		b.have(builtin.Size, r.name, r.size[0])
	}
}

// know makes an integer one that expressions can name.
func (b *body) know(name string, sample int64) {
	b.nums = append(b.nums, num{name, sample})
}

// have makes a function of a field one that expressions after the field can call.
func (b *body) have(op builtin.Op, field string, sample int64) {
	b.calls = append(b.calls, callExpr{op: op, field: field, sample: sample})
}

// expr returns a drawer of expressions of a reader.
func (b *body) expr() *drawExpr { return &drawExpr{d: b.d, nums: b.nums, reader: true, more: b.calls} }

// store notes a stored field; text is set if it is a text.
func (b *body) store(text bool) {
	b.stored++
	if text {
		b.texts++
	}
}

// least notes bytes that every value has.
func (b *body) least(n int64) {
	if b.inner == 0 {
		b.rec.least += n
	}
}

func (s fixedSize) clone() fixedSize { return fixedSize{s.fixed, slices.Clone(s.size)} }

// unknown notes that the size of what is before depends on content.
func (b *body) unknown() { b.cur.known, b.rec.fixed = false, false }

// scalars are the types of numbers that the features of the schema allow.
func (b *body) scalar() (name string, s builtin.Scalar, isOption bool) {
	d := b.d
	if d.likely(onOddSigned, 0) {
		s = pick(d.source, odd[1][:]...)
		return d.ordered(s), s, false
	}
	if b.scaled && d.chance(45) {
		return d.option.name, d.option.choices[0].scalar, true
	}
	s = pick(d.source, builtin.U8, builtin.U16, builtin.U32)
	switch {
	case d.has(fSigned) && d.chance(40):
		s = pick(d.source, builtin.I8, builtin.I16, builtin.I32, builtin.I64)
	case d.has(fWide) && d.chance(30):
		s = pick(d.source, builtin.U64, builtin.I64)
	case d.has(fCodes) && d.chance(25):
		s = builtin.Code4
	case d.has(fOddWidths) && d.chance(30):
		s = pick(d.source, odd[0][:]...)
		if d.has(fSigned) {
			s = pick(d.source, odd[1][:]...)
		}
	}
	return d.ordered(s), s, false
}

// ordered returns the name of a scalar, at times with an order of bytes.
func (d *drawer) ordered(s builtin.Scalar) string {
	if s.Width() > 1 && s != builtin.Code4 && d.has(fOrders) && d.chance(40) {
		return s.String() + pick(d.source, "be", "le")
	}
	return s.String()
}

// sizes returns the bytes of numbers under each choice.
func (d *drawer) sizes(s builtin.Scalar, isOption bool, count int64) []int64 {
	out := d.each(int64(s.Width()) * count)
	if isOption {
		for k, c := range d.option.choices {
			out[k] = int64(c.scalar.Width()) * count
		}
	}
	return out
}

func isFloat(d *drawer, s builtin.Scalar, isOption bool) bool {
	return s.IsFloat() || isOption && d.option.sort == 2
}

// items draws groups of items.
func (b *body) items(most int) {
	if b.d.has(fBodyOrders) && b.d.chance(75) {
		b.order()
	}
	for k := 0; k < most && !b.ended; k++ {
		if b.d.budget <= 0 || k > 0 && !b.d.chance(80) {
			break
		}
		b.group()
	}
	b.lastSum()
}

// group draws one group of those whose feature the schema has.
func (b *body) group() {
	var able []func(*body) bool
	for _, g := range groups {
		if b.d.has(g.feature) {
			able = append(able, g.draw)
		}
	}
	for range 4 {
		if able[b.d.n(len(able))](b) {
			return
		}
	}
	(*body).number(b)
}
