// Groups of regions with a size.

package schemas

import (
	"fmt"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// within draws a region with its size.
func (b *body) within() bool {
	d := b.d
	if b.region > 1 || b.element && b.region > 0 {
		return false
	}
	fixed := func(k int) (total int64, draw func()) {
		var rows []row
		for range k {
			s := pick(d.source, builtin.U8, builtin.U16, builtin.U32)
			rows = append(rows, row{typ: s.String(), size: d.each(int64(s.Width()))})
			total += int64(s.Width())
		}
		return total, func() {
			for _, r := range rows {
				r.name = b.name()
				b.know(r.name, 0)
				b.store(false)
				b.row(r)
			}
		}
	}
	region := func(size, after string, inner func()) {
		b.region++
		b.inner++
		b.block("within "+size, after, inner)
		b.inner--
		b.region--
		b.ended = false
		b.unknown()
	}
	before, drawBefore := fixed(d.n(3))
	if d.chance(15) {
		if before == 0 {
			return false
		}
		region(fmt.Sprint(before), b.after(), drawBefore)
		return true
	}
	after, drawAfter := fixed(d.n(2))
	name := b.name()
	b.sized("size", name, func(size string) {
		if before+after > 0 {
			size = text(operation(builtin.Add, ref(size), literal(before+after)))
			if strings.ContainsAny(size, " ") && !d.has(fExpressions) {
				size = "(" + size + ")"
			}
		}
		region(size, b.after(), func() {
			drawBefore()
			b.measured(name, after == 0)
			drawAfter()
		})
	})
	return true
}

// measured draws a row or list with a name, whose size varies, at the end of a region or
// before other rows.
func (b *body) measured(name string, last bool) {
	d := b.d
	delete(b.names, name)
	b.names[name] = true
	b.store(false)
	if last && d.has(fRecords) && d.chance(40) {
		if r := d.recordRef(0, false, func(r *record) bool { return r.args == 0 && !r.fixed && !r.open }); r != nil {
			b.row(row{typ: r.name, name: name})
			return
		}
	}
	switch {
	case last && d.chance(70):
		b.row(row{typ: pick(d.source, "u8", "u8", "u16") + "[rest]", name: name})
	case d.has(fWordUnions) && d.chance(70):
		if u := d.unionRef(false); u != nil && !u.greedy {
			b.row(row{typ: u.name, name: name})
			return
		}
		fallthrough
	default:
		b.row(row{typ: pick(d.source, "u8[2]", "u16[3]"), name: name, attrs: []string{"pad 4 any"}})
	}
}
