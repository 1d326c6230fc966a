// Views: rows that show bytes of other rows. Their record has no row that a reader accepts in several
// forms.

package schemas

import "fmt"

// shown draws the rows of a record of which views show bytes.
func (b *body) shown(base string) {
	d := b.d
	for k := 1 + d.n(3); k > 0; k-- {
		b.exact("", nil)
	}
	if d.has(fLists) && d.chance(70) {
		b.shownEntries(base)
	}
	if d.chance(60) {
		b.owned("")
	}
	for k := 1 + d.n(2); k > 0; k-- {
		b.view("")
	}
	if d.chance(40) {
		b.exact("", nil)
	}
}

// exact draws a row at a place, or behind the row before it, that has one form.
func (b *body) exact(at string, attrs []string) {
	d, name := b.d, b.name()
	types := []row{{typ: "u8", size: d.each(1)}, {typ: "u16", size: d.each(2)}, {typ: "i16be", size: d.each(2)}, {typ: "bool8", size: d.each(1)},
		{typ: "u8[2]", size: d.each(2)}, {typ: "latin1[3]", size: d.each(3)}}
	if d.has(fDelimited) {
		types = append(types, row{typ: `u8[until "00"]`}, row{typ: `latin1[until "00"]`})
	}
	if d.has(fFloats) {
		types = append(types, row{typ: "f32", size: d.each(4)})
	}
	r := pick(d.source, types...)
	if at != "" && d.chance(25) {
		r = row{typ: pick(d.source, "u8", "latin1") + "[until end]"}
	}
	r.name, r.at, r.attrs = name, at, attrs
	b.store(false)
	b.row(r)
}

// owned draws a row at a place, with its own bytes.
func (b *body) owned(base string) {
	name := b.name()
	at, least := b.exactPlace(base, name), b.rec.least
	b.store(false)
	b.row(row{typ: "u16", size: b.d.each(2), name: name, at: at})
	b.rec.least = least
}

// exactPlace draws the row that holds the place of another row, and returns the place.
func (b *body) exactPlace(base, name string) string {
	holder, value := b.name(), ""
	if b.chooses && name != "" {
		value = b.placed(name)
	} else {
		b.store(false)
	}
	b.least(1)
	b.row(row{typ: "u8", size: b.d.each(1), name: holder, value: value})
	if base != "" {
		base = " from " + base
	}
	return "@" + holder + base
}

// view draws a row that shows bytes of the record, or of one around it that is named.
func (b *body) view(base string) {
	d := b.d
	at, attrs, least := b.exactPlace(base, ""), []string{"view"}, b.rec.least
	if d.has(fOptional) && d.chance(60) {
		flag := b.name()
		b.store(false)
		b.least(1)
		b.row(row{typ: "u8", size: d.each(1), name: flag})
		least = b.rec.least
		attrs = append(attrs, "if "+flag)
	}
	b.exact(at, attrs)
	b.rec.least = least
}

// shownEntries draws a list of records with views.
func (b *body) shownEntries(base string) {
	d, name := b.d, b.name()
	entry := fmt.Sprint("Entry", d.new())
	eb := d.partBody()
	eb.chooses = b.chooses
	eb.exact("", nil)
	eb.view(base)
	if d.chance(30) {
		eb.owned(base)
	}
	d.declare(entry, eb)
	count := b.name()
	b.least(1)
	b.row(row{typ: "u8", size: d.each(1), name: count, value: "count(" + name + ")"})
	b.store(false)
	b.row(row{typ: entry + "[" + count + "]", name: name})
	b.unchecked = len(b.lines)
}
