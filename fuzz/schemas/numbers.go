// Groups of single numbers and truths, stored or computed.

package schemas

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// number draws a row that stores an integer.
func (b *body) number() bool {
	d := b.d
	typ, s, isOption := b.scalar()
	if isFloat(d, s, isOption) {
		return b.floatRow(typ, s, isOption)
	}
	r := row{typ: typ, size: d.sizes(s, isOption, 1), option: isOption, name: b.name()}
	sample := int64(0)
	switch {
	case d.has(fMusts) && d.chance(40):
		sample = pick[int64](d.source, 0, 1, 3, 100)
		if s == builtin.Code4 {
			sample = 'R' | 'I'<<8 | 'F'<<16 | 'F'<<24
			r.attrs = append(r.attrs, "check "+r.name+" == 'RIFF'")
		}
		b.know(r.name, sample)
		r.attrs = append(r.attrs, b.musts(80)...)
	default:
		b.know(r.name, sample)
	}
	r.attrs = append(r.attrs, b.pad(12)...)
	b.finish(r)
	if b.inner == 0 && s != builtin.Code4 {
		b.rec.always = append(b.rec.always, num{r.name, sample})
	}
	return true
}

// masked draws an expression of at least 0 and at most a mask.
func (b *body) masked(depth int, mask int64) (*schema.Expr, int64) {
	e, v := b.expr().draw(depth)
	if e.Op == builtin.Num && v <= mask || v >= 0 && v <= mask && b.d.chance(15) {
		return e, v
	}
	return operation(builtin.And, e, literal(mask)), v & mask
}

// truth draws a row that stores a truth.
func (b *body) truth() bool {
	d := b.d
	if d.chance(25) {
		return b.computedTruth()
	}
	typ := pick(d.source, "bool8", "bool16", "bool32")
	width := int64(builtin.TypeNamed(typ).Scalar.Width())
	r := row{typ: typ, size: d.each(width), name: b.name()}
	if d.chance(25) {
		r.attrs = append(r.attrs, "any")
	}
	if len(b.nums) > 0 {
		r.attrs = append(r.attrs, b.musts(25)...)
	}
	r.attrs = append(r.attrs, b.pad(85)...)
	b.finish(r)
	return true
}

func (b *body) float() bool {
	s := b.d.real()
	return b.floatRow(b.d.ordered(s), s, false)
}

// real draws a scalar of reals.
func (d *drawer) real() builtin.Scalar {
	if d.has(fHalves) && d.chance(40) {
		return builtin.F16
	}
	return pick(d.source, builtin.F32, builtin.F64)
}

func (b *body) floatRow(typ string, s builtin.Scalar, isOption bool) bool {
	b.finish(row{typ: typ, size: b.d.sizes(s, isOption, 1), option: isOption, name: b.name(), attrs: b.pad(8)})
	return true
}

// computed draws a row that a writer computes from what is before it.
func (b *body) computed() bool {
	d := b.d
	if d.has(fTruths) && d.chance(50) {
		return b.computedTruth()
	}
	r := row{name: b.name()}
	typ, s, isOption := b.scalar()
	if isFloat(d, s, isOption) {
		return false
	}
	r.typ, r.size, r.option = typ, d.sizes(s, isOption, 1), isOption
	bits := 8*slices.Min(r.size) - 1
	e, v := b.masked(3, int64(1)<<min(bits, 40)-1)
	if s.Signed() && !isOption && bits < 40 && d.chance(25) { // at times one too large
		if other, w := b.masked(2, int64(1)<<bits); w == 0 {
			e, v = other, w
		}
	}
	if s == builtin.Code4 && d.chance(80) {
		e, v = &schema.Expr{Op: builtin.Num, Name: "'WAVE'"}, 'W'|'A'<<8|'V'<<16|'E'<<24
	}
	r.value = text(e)
	b.know(r.name, v)
	switch d.n(10) {
	case 0, 1, 2, 3:
		r.attrs = []string{"check " + text(operation(builtin.Eq, ref(r.name), e))}
	case 4, 5, 6:
		r.attrs = []string{"any"}
	}
	b.least(slices.Min(r.size))
	b.row(r)
	return true
}

// ahead draws a row that a writer computes from the number after it.
func (b *body) ahead() bool {
	d := b.d
	if len(b.rows) > 0 && d.likely(onSizesBehind, 25) {
		b.sizeBehind()
		return true
	}
	holder, field, before := b.name(), b.name(), b.nums
	if d.chance(30) {
		b.sizeAhead(holder, field)
		return true
	}
	b.nums = []num{{name: field}}
	e, v := b.masked(2, 1<<16-1)
	after := b.nums
	b.nums = before
	b.row(row{typ: "u16", size: d.each(2), name: holder, value: text(e), attrs: d.list(60, "any")})
	b.least(2)
	s := pick(d.source, builtin.U8, builtin.U32)
	b.finish(row{typ: s.String(), size: d.each(int64(s.Width())), name: field})
	b.nums = append(b.nums, after...)
	b.know(holder, v)
	return true
}

// sizeAhead draws a number that holds the size of a row without a length cell, with its padding.
func (b *body) sizeAhead(holder, field string) {
	d := b.d
	size := &schema.Expr{Op: builtin.Size, Field: &schema.Field{Name: field}}
	b.row(row{typ: "u16", size: d.each(2), name: holder, value: text(size), attrs: d.list(30, "any")})
	b.least(2)
	r := row{typ: `u8[until "00"]`, name: field, attrs: b.pad(60)}
	if d.chance(50) {
		n := int64(1 + d.n(7))
		r.typ, r.size = fmt.Sprintf("u8[%d]", n), d.each(n)
	}
	b.least(1)
	b.store(false)
	b.row(r)
	b.unchecked = len(b.lines)
}

// sizeBehind draws a number that holds the sizes of rows before it.
func (b *body) sizeBehind() {
	d := b.d
	size := func() *schema.Expr {
		return &schema.Expr{Op: builtin.Size, Field: &schema.Field{Name: b.rows[d.n(len(b.rows))]}}
	}
	e := size()
	if d.has(fExpressions) && d.chance(50) {
		e = operation(builtin.Add, e, pick(d.source, size(), literal(int64(d.n(9)))))
	}
	name, s := b.name(), pick(d.source, builtin.U32, builtin.U64)
	b.row(row{typ: s.String(), size: d.each(int64(s.Width())), name: name, value: text(e), attrs: d.list(30, "any")})
	b.least(int64(s.Width()))
	if d.chance(30) {
		b.know(name, 0)
	}
}

// computedTruth draws a row of a truth that a writer computes.
func (b *body) computedTruth() bool {
	d := b.d
	r := row{typ: "bool8", size: d.each(1), name: b.name()}
	v := int64(d.n(2))
	r.value = fmt.Sprint(v)
	b.know(r.name, v)
	r.attrs = []string{pick(d.source, "any", fmt.Sprintf("check %s == %d", r.name, v), "any check "+fmt.Sprintf("%s == %d", r.name, v), "check 1 == 1")}
	b.least(1)
	b.row(r)
	return true
}
