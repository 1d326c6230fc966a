// Groups of fields in the bits of a word.

package schemas

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// word draws a word of bits.
func (b *body) word() bool {
	d := b.d
	s := pick(d.source, builtin.U8, builtin.U16, builtin.U32)
	if d.has(fSigned) && d.chance(50) {
		s = pick(d.source, builtin.I8, builtin.I16, builtin.I32, builtin.I64)
	} else if d.has(fWide) && d.chance(30) {
		s = builtin.U64
	} else if d.has(fOddWidths) && d.chance(30) {
		s = pick(d.source, append(odd[0][:], odd[1][:]...)...)
	}
	r := row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: b.name()}
	names, samples := b.bits(&r, 8*s.Width(), 1+d.n(4))
	b.least(int64(s.Width()))
	r.attrs = append(r.attrs, b.pad(8)...)
	b.row(r)
	for k, n := range names {
		if !d.likely(onRedundantBits, 0) { // a field that is used is not redundant
			b.know(n, samples[k])
		}
	}
	if s == builtin.U8 || s == builtin.U16 || s == builtin.U32 {
		b.know(r.name, b.wordSample(r))
	}
	return true
}

// wordSample returns the sample of a word from those of its fields.
func (b *body) wordSample(r row) int64 {
	var v int64
	for _, bit := range r.bits {
		var at, sample int64
		if n, _ := fmt.Sscanf(bit[strings.LastIndex(bit, "//")+1:], "/ %d %d", &at, &sample); n == 2 {
			v += sample << at
		}
	}
	return v
}

// bits draws fields in the bits of a word. A comment holds the place and the sample of each.
func (b *body) bits(r *row, width, most int) (names []string, samples []int64) {
	d := b.d
	at := 0
	for k := 0; k < most && at < width; k++ {
		at += d.n(3)
		n := 1 + d.n(min(8, max(1, width-at)))
		if at+n > width {
			break
		}
		name, sample, line := "", int64(0), ""
		if u, needs := b.selected(width - at); u != nil {
			n, name, sample = needs, b.name(), u.ids[0]
			line = name + " selects " + u.name + d.maybe(20, ` "an arm"`)
			b.stored++
		} else {
			name, sample, line = b.bit(n)
		}
		bit := fmt.Sprint(at)
		if n > 1 || d.chance(5) {
			bit = fmt.Sprintf("%d..%d", at, at+n-1)
		}
		r.bits = append(r.bits, fmt.Sprintf("%s %s // %d %d", bit, line, at, sample))
		names, samples = append(names, name), append(samples, sample)
		at += n
	}
	if len(r.bits) > 1 && d.chance(20) {
		slices.Reverse(r.bits)
	}
	if d.chance(30) || len(r.bits) == 0 {
		r.bits = append(r.bits, "rest any")
	}
	return names, samples
}

// selected returns a union of which bits, at most a number, select an arm, and how many; or nil.
func (b *body) selected(most int) (u *union, n int) {
	d := b.d
	if !d.has(fArmIDs) || !d.chance(95) {
		return nil, 0
	}
	if u = d.anyUnion(); u == nil || len(u.ids) == 0 || u.several {
		return nil, 0
	}
	least := bits.Len64(uint64(slices.Max(u.ids))) + 1 // an older schema may have a higher number
	if n = min(least+d.n(3), most); u.open && u.word {
		n, least = u.bits, u.bits
	}
	if least > most {
		return nil, 0
	}
	return u, n
}

// bit draws a field of n bits: its name, its sample, and what is after its number.
func (b *body) bit(n int) (name string, sample int64, line string) {
	d := b.d
	name = b.name()
	line = name
	doc := d.maybe(20, ` "some bits"`)
	if n > 1 && d.has(fSigned) && d.chance(25) {
		line += " signed"
		n-- // samples are not negative
	}
	switch {
	case d.has(fComputed) && d.likely(onRedundantBits, 45):
		e, v := b.masked(2, int64(1)<<n-1)
		rule := " any"
		if d.likely(onRedundantBits, 60) {
			rule = ""
		} else if d.chance(50) {
			rule = " check " + text(operation(builtin.Eq, ref(name), e))
		}
		return name, v, line + " = " + text(e) + doc + rule
	case d.has(fMusts) && d.chance(30):
		sample = int64(d.n(2))
		x := b.expr()
		x.nums = append(slices.Clone(x.nums), num{name: name, sample: sample}, num{name: name, sample: sample})
		line += doc + " check " + x.condition(true)
	default:
		line += doc
	}
	if len(d.errata) > 0 && d.chance(10) {
		line += " ! " + d.mention()
	}
	b.stored++
	return name, sample, line
}
