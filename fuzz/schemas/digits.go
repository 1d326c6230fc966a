// Groups of numbers in digits.

package schemas

import (
	"fmt"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// digits draws the coding of numbers in digits that holds a number, as the beginning of a row.
func (b *body) digits(most uint64, name string) (r row, c builtin.Coding) {
	d := b.d
	kind := pick(d.source, builtin.DigitCodings()...)
	fill := kind.DefaultFill()
	own := d.chance(50)
	if own {
		fill = pick(d.source, "", "\x00", " ", "\x00 ", " \x00", "   ")
	}
	for width := 1 + d.n(12); ; width++ {
		c, ok := builtin.InDigits(kind, width, fill)
		if !ok || !c.Holds(most) {
			continue
		}
		r := row{typ: fmt.Sprintf("%s[%s]", kind, d.number(int64(width))), size: d.each(int64(width)), name: name, attrs: d.list(40, "any")}
		if own || width == 1 {
			r.attrs = append(r.attrs, fmt.Sprintf("fill %q", fmt.Sprintf("%x", fill)))
		}
		if side := pick(d.source, builtin.Sides[:]...); side != builtin.NoSide {
			r.attrs = append(r.attrs, string(side))
			c = c.At(side)
		}
		b.least(int64(width))
		return r, c
	}
}

// inDigits draws a number in digits: stored, computed, or with fields in its bits.
func (b *body) inDigits() bool {
	d := b.d
	switch kind := d.n(6); {
	case kind < 3 && d.has(fBits):
		r, c := b.digits(7, b.name())
		names, samples := b.bits(&r, c.Bits(), 1+d.n(4))
		r.attrs = append(r.attrs, b.pad(8)...)
		b.row(r)
		for k, n := range names {
			b.know(n, samples[k])
		}
		return true
	case kind == 3 && d.has(fComputed):
		e, v := b.masked(3, 1<<12-1)
		r, _ := b.digits(1<<12-1, b.name())
		r.value = text(e)
		b.know(r.name, v)
		b.row(r)
		return true
	default:
		r, _ := b.digits(0, b.name())
		if d.chance(60) { // else expressions do not name it
			b.know(r.name, 0)
			r.attrs = append(r.attrs, b.musts(25)...)
		}
		r.attrs = append(r.attrs, b.pad(12)...)
		b.store(false)
		b.row(r)
	}
	return true
}

// digitsSize draws a number in digits that holds a size, and reports whether the schema has
// such numbers.
func (b *body) digitsSize(function, holder string, value *schema.Expr, sample int64) bool {
	d := b.d
	if !d.has(fDigits) || !d.chance(50) {
		return false
	}
	r, _ := b.digits(1<<10, holder)
	r.value = text(value)
	b.know(holder, sample)
	if function != "size" {
		r.attrs = append(r.attrs, b.limit(holder)...)
	}
	b.row(r)
	return true
}
