// Groups whose size varies: texts, arrays, lists, maps, and rows up to the end.

package schemas

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// text draws a text with its length.
func (b *body) text() bool {
	name := b.name()
	b.sized("len", name, func(size string) { b.textRow(name, size, nil) })
	return true
}

func (b *body) textRow(name, size string, attrs []string) {
	encoding := pick(b.d.source, append([]string{"utf8"}, b.d.encodings...)...)
	b.store(true)
	b.row(row{typ: encoding + "[" + size + "]", name: name, attrs: append(attrs, b.pad(30)...)})
}

// array draws an array of numbers.
func (b *body) array() bool {
	d := b.d
	name := b.name()
	typ, s, isAxis := b.scalar()
	if isAxis && !d.axis.arrays {
		return false
	}
	if d.has(fFloats) && d.chance(30) && !isAxis {
		s = pick(d.source, builtin.F32, builtin.F64)
		typ = s.String()
	}
	if d.chance(30) {
		n := int64(1 + d.n(4))
		b.finish(row{typ: fmt.Sprintf("%s[%s]", typ, d.number(n)), size: d.sizes(s, isAxis, n), axis: isAxis, name: name, attrs: b.pad(20)})
		return true
	}
	b.sized("count", name, func(size string) {
		b.store(false)
		b.row(row{typ: typ + "[" + size + "]", axis: isAxis, name: name, attrs: b.pad(25)})
	})
	return true
}

// rest draws a row that takes all bytes up to the end.
func (b *body) rest() bool {
	if !b.tail() {
		return false
	}
	typ := "u8"
	if b.d.chance(20) {
		typ = pick(b.d.source, "u16", "i32", "f32")
	}
	if b.d.chance(40) && b.listOf(true) {
		return true
	}
	b.store(false)
	b.row(row{typ: typ + "[rest]", name: b.name()})
	b.end()
	return true
}

// tail reports whether a row here can take all bytes up to the end.
func (b *body) tail() bool {
	if b.element {
		return false
	}
	return b.region > 0 || b.inner == 0 && !b.self.inner && (b.union == nil || !b.union.inner)
}

// end notes that nothing can be after the row before.
func (b *body) end() {
	b.ended = true
	b.take()
}

// take notes that a row takes all bytes up to the end.
func (b *body) take() {
	b.rec.greedy = b.rec.greedy || b.region == 0
	b.self.greedy = b.rec.greedy
	if b.union != nil {
		b.union.greedy = b.union.greedy || b.rec.greedy
	}
}

// tuples draws a list of tuples of numbers.
func (b *body) tuples() bool {
	typ, s, isAxis := b.scalar()
	if b.d.has(fFloats) && b.d.chance(30) && !isAxis {
		s = pick(b.d.source, builtin.F32, builtin.F64)
		typ = s.String()
	}
	width := 1 + b.d.n(3)
	name := b.name()
	b.counted(name, func(head string) {
		b.fixedElements(head, slices.Repeat([]row{{typ: typ, size: b.d.sizes(s, isAxis, 1), axis: isAxis}}, width), nil)
	})
	return true
}

// tuple draws rows that are nothing but numbers of one scalar.
func (b *body) tuple() {
	typ, s, isAxis := b.scalar()
	if b.scaled {
		typ, s, isAxis = b.d.axis.name, b.d.axis.choices[0].scalar, true
	} else if b.d.has(fFloats) && b.d.chance(50) {
		typ, s = "f32", builtin.F32
	}
	for range 2 + b.d.n(3) {
		size := b.d.sizes(s, isAxis, 1)
		b.row(row{typ: typ, size: size, axis: isAxis, name: b.name()})
		b.least(slices.Min(size))
	}
}

// counted draws the count of a list.
func (b *body) counted(name string, use func(head string)) {
	doc := b.d.maybe(20, ` "a drawn list"`)
	if b.d.chance(12) {
		n := 1 + b.d.n(3)
		use(fmt.Sprintf("repeat %d as %s%s", n, name, doc))
		return
	}
	b.sized("count", name, func(size string) { use(fmt.Sprintf("repeat %s as %s%s", size, name, doc)) })
}

// fixedElements draws a list whose elements have one size.
func (b *body) fixedElements(head string, rows []row, attrs []string) {
	d := b.d
	eb := d.newBody(0)
	eb.element, eb.scaled = true, b.scaled
	if b.cur.known && len(b.cur.letters) == 0 {
		eb.cur = b.cur.clone()
		for _, r := range rows {
			for k, n := range r.size {
				eb.cur.i[k] += n
			}
		}
	} else {
		eb.cur.known = false
	}
	for _, r := range rows {
		r.name = eb.name()
		eb.row(r)
	}
	b.store(false)
	b.block(head, b.after(), func() { b.lines = append(b.lines, eb.lines...) })
	b.unknown()
}

// after draws the attributes of a list or region.
func (b *body) after() string {
	out := ""
	for _, a := range b.pad(40) {
		out += " " + a
	}
	if len(b.d.errata) > 0 && b.d.chance(15) {
		out += " ! " + b.d.mention()
	}
	return out
}

// list draws a list of any elements.
func (b *body) list() bool { return b.listOf(false) }

func (b *body) listOf(toEnd bool) bool {
	after := b.after
	if toEnd {
		after = func() string { return "" }
	}
	d := b.d
	if d.nesting > 4 {
		return false
	}
	name := b.name()
	use := func(head string) {
		eb := d.newBody(0)
		eb.element, eb.scaled, eb.cur.known, eb.plain = true, b.scaled, false, b.plain
		d.nesting++
		if !d.has(fRecords) && !d.has(fWordUnions) || d.chance(50) || !eb.one() {
			eb.number()
			eb.items(3)
		}
		d.nesting--
		b.store(false)
		b.block(head, after(), func() { b.lines = append(b.lines, eb.lines...) })
		b.unknown()
	}
	if toEnd {
		b.take() // before its elements are drawn, which could be of this record
		use("repeat to end as " + name)
		b.end()
		return true
	}
	b.counted(name, use)
	return true
}

// one draws a row that is a value of a record or a union of at least a byte, as the only
// one of an element.
func (b *body) one() bool {
	if b.d.has(fWordUnions) && b.d.chance(50) {
		if u := b.d.unionRef(!b.plain); !u.greedy {
			u.inner = true
			b.unionValue(u, nil)
			return true
		}
	}
	r := b.d.recordRef(0, !b.plain, func(r *record) bool { return r.args == 0 && r.least > 0 && !r.greedy && r.movable() })
	if r == nil {
		return false
	}
	b.recordValue(r, nil)
	return true
}

// pairs draws a map.
func (b *body) pairs() bool {
	d := b.d
	if d.nesting > 3 {
		return false
	}
	name := b.name()
	b.sized("count", name, func(size string) {
		eb := d.newBody(0)
		eb.element, eb.scaled, eb.cur.known, eb.plain = true, b.scaled, false, b.plain
		d.nesting++
		for range 2 {
			if !eb.one() {
				typ, s, isAxis := eb.scalar()
				eb.row(row{typ: typ, size: d.sizes(s, isAxis, 1), axis: isAxis, name: eb.name()})
			}
		}
		d.nesting--
		b.store(false)
		b.block(fmt.Sprintf("repeat %s as %s map%s", size, name, d.maybe(20, ` "a map"`)), b.after(), func() { b.lines = append(b.lines, eb.lines...) })
		b.unknown()
	})
	return true
}
