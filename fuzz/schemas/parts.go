// Rows at places that fields hold.

package schemas

import (
	"fmt"

	"github.com/octable/octable/dsl/builtin"
)

// parts draws a row that is a record from which places count.
func (b *body) parts() bool {
	d := b.d
	if d.nesting > 3 || d.has(fRecursion) { // with which the content of a row might have the row
		return false
	}
	base, name := d.base(), b.name()
	b.sized("size", name, func(size string) {
		b.store(false)
		b.row(row{typ: base, length: size, name: name, attrs: b.pad(15)})
	})
	return true
}

// base declares a record from which places count.
func (d *drawer) base() string {
	name := fmt.Sprint("Base", d.new())
	b := d.partBody()
	b.chooses = d.chance(45)
	if d.focus != onTotals && d.likely(onViews, 30) {
		b.shown(name)
		d.declare(name, b)
		return name
	}
	for k := 1 + d.n(3); k > 0; k-- {
		switch {
		case d.chance(35):
			b.group()
		case d.has(fLists) && d.chance(40):
			b.entries(name)
		case d.chance(25):
			b.part(name)
		default:
			b.part("")
		}
	}
	b.part("")
	if d.has(fSums) && d.likely(onTotals, 80) {
		b.total(name)
	}
	keeps := !b.chooses && d.chance(65)
	if d.chance(25) {
		b.lastPart(keeps)
	}
	if d.chance(40) {
		b.group()
	}
	if keeps {
		b.store(false)
		b.row(row{typ: "u8[until end]", name: b.name(), at: "@"})
	}
	d.declare(name, b)
	return name
}

// lastPart draws a row at a place that goes up to the end of the record. The record may keep the
// bytes between its rows.
func (b *body) lastPart(keeps bool) {
	types := []string{"u8", "utf8", "u16"}
	if keeps { // with no row of which a part could be left
		types = types[:2]
	}
	name := b.name()
	at, least := b.placeOf("", name), b.rec.least
	b.store(false)
	b.row(row{typ: pick(b.d.source, types...) + "[until end]", name: name, at: at})
	b.rec.least = least
}

// partBody returns the body of a record that no other record refers to.
func (d *drawer) partBody() *body {
	b := d.newBody(0)
	b.plain, b.more, b.self = true, true, &record{}
	d.nesting++
	return b
}

// declare declares the record whose body was drawn.
func (d *drawer) declare(name string, b *body) {
	d.nesting--
	d.decls = append(d.decls, &decl{kind: "type", name: name, marks: d.marks(), doc: d.doc(), body: b.lines})
}

// entries draws a list of records with rows at places that count from a record around them.
func (b *body) entries(base string) {
	d, name := b.d, b.name()
	if d.chance(40) {
		b.counted(name, func(head string, n int64) {
			eb := b.newElement()
			eb.plain, eb.more, eb.chooses = true, true, b.chooses
			eb.part(base)
			b.repeat(head, n, eb, b.after(name))
		})
		return
	}
	entry := fmt.Sprint("Entry", d.new())
	eb := d.partBody()
	eb.chooses = b.chooses
	for range 1 + d.n(2) {
		eb.part(base)
	}
	if d.chance(50) {
		eb.number()
	}
	d.declare(entry, eb)
	at := ""
	if d.chance(40) {
		at = b.placeOf("", name)
	}
	b.sizedOrStored("count", name, func(size string) {
		b.store(false)
		b.row(row{typ: entry + "[" + size + "]", name: name, at: at, attrs: b.pad(15)})
		b.unchecked = len(b.lines)
	})
}

// placeOf draws the row that holds the place of another row, and returns the place.
func (b *body) placeOf(base, name string) string {
	d, holder := b.d, b.name()
	s := pick(d.source, builtin.U8, builtin.U16, builtin.U16, builtin.U32)
	value, at := "", "@"+holder
	var attrs []string
	if b.chooses {
		value, attrs = b.placed(name), d.list(40, "any")
	}
	if d.has(fExpressions) {
		switch k := 1 + d.n(3); d.n(4) {
		case 0:
			if at += fmt.Sprint(" + ", k); b.chooses {
				value += fmt.Sprint(" - ", k)
			}
		case 1:
			if !b.chooses {
				at = "@2 * " + holder + " + 1"
			}
		}
	}
	r := row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: holder, value: value, attrs: attrs}
	if b.chooses {
		b.least(int64(s.Width()))
		b.row(r)
	} else {
		b.finish(r)
	}
	if base != "" {
		at += " from " + base
	}
	return at
}

// placed draws what a writer computes for the place of a row, some at a multiple of a number.
func (b *body) placed(name string) string {
	if b.d.chance(40) {
		return fmt.Sprintf("place(%s, %d)", name, pick(b.d.source, 2, 4, 3, 16, 1))
	}
	return "place(" + name + ")"
}

// part draws a row at a place that counts from the record, or from one around it that is named.
func (b *body) part(base string) {
	d := b.d
	name := b.name()
	at := b.placeOf(base, name)
	summed := d.has(fSums) && d.chance(30)
	if summed {
		of := d.checksum()
		b.sumRow(of, b.name(), of.String()+"("+name+")")
	}
	least := b.rec.least
	defer func() { b.rec.least = least }()
	switch k := d.n(6); {
	case k == 0 && d.has(fLists):
		b.sizedOrStored("count", name, func(size string) {
			least = b.rec.least
			b.store(false)
			b.row(row{typ: pick(d.source, "u8", "u16") + "[" + size + "]", name: name, at: at, attrs: b.pad(20)})
		})
		return
	case k == 1 && d.has(fRegions) && !d.has(fCodings): // a number of varying width does not hold the size
		b.sized("size", name, func(size string) {
			least = b.rec.least
			b.boundedRow(row{name: name, length: size, at: at})
		})
		return
	case k == 2 && d.has(fDelimited):
		b.store(false)
		b.row(row{typ: pick(d.source, "u8", "utf8") + `[until "00"]`, name: name, at: at, attrs: b.pad(20)})
		return
	case k == 3 && d.has(fLists) && (d.has(fRecords) || d.has(fWordUnions)):
		if typ, args, _ := b.elementType(); typ != "" {
			b.sizedOrStored("count", name, func(size string) {
				least = b.rec.least
				b.store(false)
				b.row(row{typ: typ + "[" + size + "]" + args, name: name, at: at, attrs: b.pad(20)})
				b.unchecked = len(b.lines)
			})
			return
		}
	}
	r := b.any(name)
	if r.at = at; d.has(fOptional) && !b.chooses && !summed && d.chance(70) {
		flag := b.name()
		b.presence(flag, name)
		least = b.rec.least
		r.attrs = append(r.attrs, "if "+flag)
	}
	b.store(false)
	b.row(r)
}
