// Groups of rows that a field bounds.

package schemas

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// bounded draws a row whose length cell is computed from its size. The cell may also be
// computed from numbers that a writer compares with its size.
func (b *body) bounded() bool {
	d := b.d
	if d.has(fBits) && d.has(fExpressions) && d.likely(onSizesOfBoth, 10) {
		b.sizeOfBoth()
		return true
	}
	if d.has(fPads) && d.chance(25) {
		b.constantBound()
		return true
	}
	if d.likely(onAreas, 15) {
		b.area()
		return true
	}
	name := b.name()
	if !d.chance(25) {
		b.sized("size", name, func(size string) { b.boundedRow(row{name: name, length: size}) })
		return true
	}
	holder := b.name()
	s := pick(d.source, builtin.U8, builtin.U16, builtin.I16)
	b.finish(row{typ: s.String(), size: d.each(int64(s.Width())), name: holder})
	b.know(holder, 0)
	size := holder
	if d.has(fExpressions) && d.chance(40) {
		e, _ := b.expr().draw(1)
		size = "(" + holder + " + (" + text(e) + ")) & 15" // no constant, which the row might not fill
	}
	b.boundedRow(row{name: name, length: size})
	return true
}

// constantBound draws a row of constant size, and the number before it that holds the size.
func (b *body) constantBound() {
	d := b.d
	typ, n := "u8", int64(1+d.n(7))
	if d.chance(50) {
		s := pick(d.source, builtin.U16, builtin.U32)
		typ, n = s.String(), int64(s.Width())
	} else if n > 1 {
		typ = fmt.Sprintf("u8[%d]", n)
	}
	holder := b.name()
	b.row(row{typ: "u8", size: d.each(1), name: holder, value: fmt.Sprint(n)})
	b.know(holder, n)
	b.least(1 + n)
	b.store(false)
	b.row(row{typ: typ, length: holder, name: b.name(), attrs: b.pad(75)})
}

// area draws a row whose content takes a constant number of bytes.
func (b *body) area() {
	d := b.d
	width := pick(d.source, 1, 1, 2)
	typ, n := fmt.Sprintf("u%d[until end]", 8*width), int64(width)*(1+int64(d.n(9)))
	fills := func(r *record) bool { return r.args == 0 && r.fills > 0 && r.least > 0 }
	if other := d.recordRef(0, false, fills); other != nil && d.has(fRecords) && !d.has(fOption) && d.chance(70) {
		typ, n = other.name, other.least+other.fills*int64(d.n(5))
	}
	name := b.name()
	b.store(false)
	b.least(n)
	r := row{typ: typ, size: d.each(n), name: name, attrs: b.pad(25)}
	if len(r.attrs) > 0 {
		r.length = fmt.Sprint(n) // no letter, which bounds nothing
	}
	b.row(r)
}

// boundedRow draws a row with a name and a length cell.
func (b *body) boundedRow(r row) {
	d := b.d
	switch {
	case d.has(fRecords) && d.chance(40):
		if other := d.recordRef(0, false, func(r *record) bool { return r.args == 0 }); other != nil {
			r.typ = other.name
			b.least(other.least)
		}
	case d.has(fWordUnions) && d.chance(50):
		if u := d.unionRef(false); u != nil {
			r.typ = u.name
			b.least(u.least)
		}
	case d.chance(10):
		b.sized("len", r.name, func(size string) {
			r.typ = "utf8[" + size + "]"
		})
	case d.chance(10):
		r.typ = pick(d.source, "u8", "u32", "u8[3]")
	}
	if r.typ == "" {
		r.typ = pick(d.source, "u8", "u8", "u16", "f32") + "[until end]"
	}
	if !strings.HasPrefix(r.length, "end-") {
		r.attrs = b.pad(25)
	}
	b.store(false)
	b.row(r)
}

// linearLength matches lengths that are linear forms of a field.
var linearLength = regexp.MustCompile(`^\w+( - \d+|\*\d+)?$`)

// bound draws the length of text or an array, as a field says it, or nothing.
func (b *body) bound(size string, each int) string {
	if !b.d.has(fRegions) || !b.d.chance(40) || strings.ContainsAny(size, "&,") { // of other fields, which may be constant
		return ""
	}
	if each == 1 {
		return size
	}
	if !regexp.MustCompile(`^\w+$`).MatchString(size) {
		size = "(" + size + ")"
	}
	return fmt.Sprintf("%s*%d", size, each)
}
