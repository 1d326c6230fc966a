// Rows and lists that take the bytes up to the end of a region, or up to those of the rows behind them.

package schemas

import "fmt"

// rest draws a row that takes all bytes up to the end.
func (b *body) rest() bool {
	if !b.tail() {
		return false
	}
	typ := "u8"
	if b.d.chance(20) {
		typ = pick(b.d.source, "u16", "i32", "f32")
	}
	if b.d.chance(45) {
		return b.tailed()
	}
	if b.d.chance(40) && b.listOf(true) {
		return true
	}
	b.store(false)
	b.row(row{typ: typ + "[until end]", name: b.name()})
	b.rec.fills = map[string]int64{"u8": 1, "u16": 2}[typ]
	b.end()
	return true
}

// tailed draws a row that takes all bytes up to those of the rows behind it, and these rows.
func (b *body) tailed() bool {
	d := b.d
	b.take() // before the row is drawn, which could be of this record
	content, behind := b.name(), b.name()
	var rows []row
	switch d.n(3) {
	case 0:
		rows = []row{{typ: "u8", size: d.each(1), name: behind}}
	case 1:
		rows = []row{{typ: "u16", size: d.each(2), name: behind}, {typ: "u8", size: d.each(1), name: b.name()}}
	default:
		rows = []row{{typ: "u32", size: d.each(4), name: behind}}
		if d.has(fSums) && d.chance(50) {
			rows[0].value = "crc32(" + content + ")"
		}
	}
	n := int64(0)
	for _, r := range rows {
		n += r.size[0]
	}
	b.boundedRow(row{name: content, length: fmt.Sprint("end-", n)})
	for _, r := range rows {
		if r.value == "" {
			b.store(false)
		}
		b.least(r.size[0])
		b.row(r)
	}
	b.end()
	return true
}

// tail reports whether a row here can take all bytes up to the end.
func (b *body) tail() bool {
	if b.element {
		return false
	}
	return b.inner == 0 && !b.more && !b.self.inner && (b.union == nil || !b.union.inner)
}

// end notes that nothing can be after the row before.
func (b *body) end() {
	b.ended = true
	b.take()
}

// take notes that a row takes all bytes up to the end.
func (b *body) take() {
	b.rec.greedy = true
	b.self.greedy = b.rec.greedy
	if b.union != nil {
		b.union.greedy = b.union.greedy || b.rec.greedy
	}
}

// spared draws a list that ends when few bytes are left, and the row that takes them.
func (b *body) spared(typ, args, name string) {
	d := b.d
	width := 1 << d.n(3)
	few := width + d.n(3)
	b.row(row{typ: fmt.Sprintf("%s[until left() <= %d]%s", typ, few, args), name: name})
	b.unchecked = len(b.lines)
	b.store(false)
	b.least(int64(width))
	b.row(row{typ: fmt.Sprintf("u%d", 8*width), size: d.each(int64(width)), name: b.name()})
	b.end()
}
