// Groups of numbers of varying width.

package schemas

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// coding draws a coding of varying width.
func (d *drawer) coding() builtin.Coding {
	if d.chance(65) {
		return pick(d.source, builtin.Codings()...)
	}
	for {
		if c, ok := builtin.Ended(pick(d.source, builtin.EndedCodings()...), pick(d.source, "\r\n", ":", "\x00", "\n", " ", "e", "::", ";")); ok {
			return c
		}
	}
}

// varying draws a number of varying width: stored, computed, or with fields in its bits.
func (b *body) varying() bool {
	d := b.d
	coding := d.coding()
	r := row{typ: coding.String(), name: b.name()}
	b.least(int64(coding.Least()))
	switch kind := d.n(6); {
	case d.has(fBits) && (kind < 3 || d.likely(onVaryingBits, 0)):
		names, samples := b.bits(&r, 64, 1+d.n(4))
		r.attrs = append(d.list(50, "any"), b.pad(8)...)
		b.row(r)
		for k, n := range names {
			b.know(n, samples[k])
		}
		return true
	case kind == 3 && d.has(fComputed):
		e, v := b.masked(3, 1<<40-1)
		r.value = text(e)
		b.know(r.name, v)
		switch d.n(3) {
		case 0:
			r.attrs = []string{"check " + text(operation(builtin.Eq, ref(r.name), e))}
		case 1:
			r.attrs = []string{"any"}
		}
		b.row(r)
		return true
	case d.chance(60): // else expressions do not name it
		b.know(r.name, 0)
		r.attrs = b.musts(25)
	}
	r.attrs = append(append(r.attrs, d.list(40, "any")...), b.pad(12)...)
	b.store(false)
	b.row(r)
	return true
}

// varyingSize draws a number of varying width that holds a size, and reports whether the
// schema has such numbers.
func (b *body) varyingSize(function, holder string, value *schema.Expr, sample int64) bool {
	d := b.d
	if !d.has(fCodings) || !d.chance(65) {
		return false
	}
	coding := d.coding()
	b.least(int64(coding.Least()))
	b.know(holder, sample)
	r := row{typ: coding.String(), name: holder, value: text(value), attrs: d.list(40, "any")}
	if function != "size" {
		r.attrs = append(r.attrs, b.limit(holder)...)
	}
	b.row(r)
	if function == "size" { // no value names the size of a number that is inserted later
		b.rows = slices.DeleteFunc(b.rows, func(name string) bool { return name == holder })
	}
	return true
}
