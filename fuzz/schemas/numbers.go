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
	typ, s, isAxis := b.scalar()
	if isFloat(d, s, isAxis) {
		return b.floatRow(typ, s, isAxis)
	}
	r := row{typ: typ, size: d.sizes(s, isAxis, 1), axis: isAxis, name: b.name()}
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
	case d.has(fWrite) && d.chance(50):
		e, v := b.masked(2, int64(1)<<min(8*s.Width()-1, 31)-1)
		sample = v
		r.attrs = append(r.attrs, "write "+text(e), "any")
		b.nums = append(b.nums, num{r.name, sample, true})
	default:
		b.know(r.name, sample)
	}
	r.attrs = append(r.attrs, b.pad(12)...)
	b.finish(r)
	return true
}

// masked draws an expression of at least 0 and at most a mask.
func (b *body) masked(depth int, mask int64) (*schema.Expr, int64) {
	e, v := b.writer().draw(depth)
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
	r.attrs = append(r.attrs, b.pad(40)...)
	b.finish(r)
	return true
}

func (b *body) float() bool {
	s := pick(b.d.source, builtin.F32, builtin.F64)
	return b.floatRow(s.String(), s, false)
}

func (b *body) floatRow(typ string, s builtin.Scalar, isAxis bool) bool {
	b.finish(row{typ: typ, size: b.d.sizes(s, isAxis, 1), axis: isAxis, name: b.name(), attrs: b.pad(8)})
	return true
}

// computed draws a row that a writer computes from what is before it.
func (b *body) computed() bool {
	d := b.d
	if d.has(fTruths) && d.chance(35) {
		return b.computedTruth()
	}
	r := row{name: b.name()}
	typ, s, isAxis := b.scalar()
	if isFloat(d, s, isAxis) {
		return false
	}
	r.typ, r.size, r.axis = typ, d.sizes(s, isAxis, 1), isAxis
	bits := 8*slices.Min(r.size) - 1
	e, v := b.masked(3, int64(1)<<min(bits, 40)-1)
	if s == builtin.Code4 && d.chance(80) {
		e, v = &schema.Expr{Op: builtin.Num, Name: "'WAVE'"}, 'W'|'A'<<8|'V'<<16|'E'<<24
	}
	r.value = text(e)
	b.know(r.name, v)
	if d.chance(60) {
		r.attrs = []string{"check " + text(operation(builtin.Eq, ref(r.name), e))}
	} else {
		r.attrs = []string{"any"}
	}
	b.least(slices.Min(r.size))
	b.row(r)
	return true
}

// ahead draws a row that a writer computes from the number after it, or from a let of that.
func (b *body) ahead() bool {
	d := b.d
	holder, field, before := b.name(), b.name(), b.nums
	b.nums = []num{{name: field}}
	line := ""
	if d.has(fLets) && d.chance(60) {
		name := b.name()
		e, v := b.writer().draw(2)
		line = fmt.Sprintf("let %s = %s", name, text(e))
		b.nums = []num{{name: name, sample: v}}
	}
	e, v := b.masked(2, 1<<16-1)
	after := b.nums
	b.nums = before
	b.row(row{typ: "u16", size: d.each(2), name: holder, value: text(e), attrs: []string{"any"}})
	b.least(2)
	s := pick(d.source, builtin.U8, builtin.U32)
	b.finish(row{typ: s.String(), size: d.each(int64(s.Width())), name: field})
	if line != "" {
		b.line("%s", line)
	}
	b.nums = append(b.nums, after...)
	b.know(holder, v)
	return true
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
