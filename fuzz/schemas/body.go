// Bodies: the place of the next row, what is known, and the lines.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// cursor is the place of the next row: a sum of letters, a number, and a multiple of the
// number of the element, under each choice of the axis.
type cursor struct {
	known   bool
	letters []string
	n, i    []int64
}

// body draws the items of one record.
type body struct {
	d       *drawer
	lines   []string
	lead    []string // lines that an extending schema can put before the others
	cur     cursor
	letters int
	names   map[string]bool
	nums    []num
	union   *union   // of the arm
	element bool     // it is the element of a list
	scaled  bool     // it can have numbers of the axis
	inner   int      // conditions and regions around
	region  int      // regions around
	plain   bool     // nothing recursive
	written []string // bits in whose place a writer puts another number
	stored  int      // stored fields
	texts   int      // of them, texts
	rec     *record
	self    *record // as others refer to it while it is drawn; nil in an element
	ended   bool    // a row takes all bytes up to the end
}

// newBody returns the body of a record that begins at an offset.
func (d *drawer) newBody(from int64) *body {
	return &body{
		d: d, cur: cursor{known: true, n: d.each(from), i: d.each(0)}, names: map[string]bool{}, scaled: d.axis != nil && d.chance(50),
		rec: &record{fixed: true, size: d.each(0)},
	}
}

var (
	plainNames = strings.Fields("alpha beta gamma delta kind flags count size first second value key data more last")
	oddNames   = append(strings.Fields("if else repeat as to end map within let check says type union arm bit bits with is at "+
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
	from := len(b.lines)
	inner()
	for i := from; i < len(b.lines); i++ {
		b.lines[i] = "    " + b.lines[i]
	}
	b.line("}%s", after)
}

// print prints a place under a choice of the axis.
func (c *cursor) print(choice int) string {
	parts := slices.Clone(c.letters)
	if c.n[choice] != 0 || len(parts) == 0 && c.i[choice] == 0 {
		parts = append(parts, fmt.Sprint(c.n[choice]))
	}
	if c.i[choice] == 1 {
		parts = append(parts, "i")
	} else if c.i[choice] != 0 {
		parts = append(parts, fmt.Sprint("i*", c.i[choice]))
	}
	return strings.Join(parts, "+")
}

// clone returns a copy that shares nothing.
func (c cursor) clone() cursor {
	return cursor{c.known, slices.Clone(c.letters), slices.Clone(c.n), slices.Clone(c.i)}
}

// row is what a row is drawn with.
type row struct {
	typ   string
	size  []int64 // under each choice; nil: it varies
	axis  bool    // its numbers are of the axis
	name  string
	value string
	attrs []string
	bits  []string
}

// place returns the offset of a row, and the attributes with its offsets under other
// choices.
func (b *body) place() (offset string, attrs []string) {
	c := &b.cur
	if !c.known || b.d.chance(8) {
		l := b.letter()
		*c = cursor{true, []string{l}, b.d.each(0), b.d.each(0)}
		return l, nil
	}
	if b.scaled {
		for k, choice := range b.d.axis.choices[1:] {
			rule := choice.offset
			if b.element {
				rule = choice.elem
			}
			moved := rule.a*c.n[0]+rule.b == c.n[k+1] && rule.a*c.i[0] == c.i[k+1] && (rule.a == 1 || len(c.letters) == 0)
			if !moved || b.d.chance(5) {
				attrs = append(attrs, "at "+choice.name+" "+c.print(k+1))
			}
		}
	}
	return c.print(0), attrs
}

// row appends a row and moves the place behind it.
func (b *body) row(r row) {
	padded := slices.ContainsFunc(r.attrs, func(a string) bool { return strings.HasPrefix(a, "pad ") })
	offset, attrs := b.place()
	length := ""
	if r.size != nil && !padded {
		length = fmt.Sprint(r.size[0])
		if r.size[0] > 1 && b.d.chance(3) {
			length = fmt.Sprintf("%d*1+1", r.size[0]-1)
		}
		for k, n := range r.size {
			b.cur.n[k] += n
			b.rec.size[k] += n
		}
	} else {
		length = b.letter()
		b.cur.letters = append(slices.Clone(b.cur.letters), length)
		b.rec.fixed = false
	}
	b.d.budget--
	value := ""
	if r.value != "" {
		value = " = " + r.value
	}
	line := fmt.Sprintf("| %s | %s | %s | %s%s |", offset, length, r.typ, r.name, value)
	if b.d.chance(30) {
		line += ` "a drawn row"`
	}
	attrs = append(r.attrs, attrs...)
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
}

// know makes an integer one that expressions can name.
func (b *body) know(name string, sample int64) {
	b.nums = append(b.nums, num{name, sample, slices.Contains(b.written, name)})
}

// expr returns a drawer of expressions of a reader.
func (b *body) expr() *drawExpr { return &drawExpr{d: b.d, nums: b.nums, reader: true} }

// writer returns a drawer of expressions that a writer can compute, too.
func (b *body) writer() *drawExpr {
	nums := slices.DeleteFunc(slices.Clone(b.nums), func(n num) bool { return n.reader })
	return &drawExpr{d: b.d, nums: nums, reader: true}
}

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

// unknown notes that the size of what is before depends on content.
func (b *body) unknown() { b.cur.known, b.rec.fixed = false, false }

// scalars are the types of numbers that the features of the schema allow.
func (b *body) scalar() (name string, s builtin.Scalar, isAxis bool) {
	d := b.d
	if b.scaled && d.chance(45) {
		return d.axis.name, d.axis.choices[0].scalar, true
	}
	s = pick(d.source, builtin.U8, builtin.U16, builtin.U32)
	switch {
	case d.has(fSigned) && d.chance(40):
		s = pick(d.source, builtin.I8, builtin.I16, builtin.I32, builtin.I64)
	case d.has(fWide) && d.chance(30):
		s = pick(d.source, builtin.U64, builtin.I64)
	case d.has(fCodes) && d.chance(25):
		s = builtin.Code4
	}
	return s.String(), s, false
}

// sizes returns the bytes of numbers under each choice.
func (d *drawer) sizes(s builtin.Scalar, isAxis bool, count int64) []int64 {
	out := d.each(int64(s.Width()) * count)
	if isAxis {
		for k, c := range d.axis.choices {
			out[k] = int64(c.scalar.Width()) * count
		}
	}
	return out
}

func isFloat(d *drawer, s builtin.Scalar, isAxis bool) bool {
	return s.IsFloat() || isAxis && d.axis.sort == 2
}

// items draws groups of items.
func (b *body) items(most int) {
	for k := 0; k < most && !b.ended; k++ {
		if b.d.budget <= 0 || k > 0 && !b.d.chance(80) {
			break
		}
		b.group()
	}
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
