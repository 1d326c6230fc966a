// Fields that hold the size of another field.

package schemas

import (
	"fmt"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// sizedOrStored draws a size of numbers that are not computed from the field, or what holds it.
// Such a size is small. The samples give 0, or 1 for a text, which may need a byte.
func (b *body) sizedOrStored(function, field string, use func(size string)) {
	d := b.d
	if !d.has(fStored) || len(b.nums) == 0 || !d.chance(35) {
		b.sized(function, field, use)
		return
	}
	b.stored++
	n := pick(d.source, b.nums...)
	least := int64(0)
	if function == "len" {
		least = 1
	}
	more := operation(builtin.Sub, ref(n.name), d.constantOf(n.sample-least))
	if least == 0 && d.chance(50) {
		use(text(operation(builtin.And, more, literal(7))))
		return
	}
	use(text(operation(builtin.Min, operation(builtin.Max, more, literal(least)), literal(5))))
}

// sized draws what holds the size of a field, and calls use with the expression of it.
func (b *body) sized(function, field string, use func(size string)) {
	d := b.d
	b.stored++ // so that the field is not the only one
	if function == "size" {
		use = b.afterwards(use)
	} else if b.between < 2 && d.chance(15) {
		use = b.apart(use)
	}
	call := &schema.Expr{Op: must(builtin.FunctionNamed(function)), Field: &schema.Field{Name: field}}
	defer b.have(call.Op, field, 0)
	holder := b.name()
	scalar := pick(d.source, "u8", "u16", "u32")
	if d.has(fSigned) && d.chance(20) {
		scalar = pick(d.source, "i8", "i16", "i32")
	} else if d.has(fWide) && d.chance(20) {
		scalar = pick(d.source, "u64", "i64")
	} else if d.has(fOddWidths) && d.chance(30) {
		scalar = pick(d.source, "u24", "i24", "u40", "u48", "u56")
	}
	s, _ := builtin.ScalarNamed(scalar)
	plain := func(value *schema.Expr, sample int64) {
		if b.varyingSize(function, holder, value, sample) || b.digitsSize(function, holder, value, sample) {
			return
		}
		b.least(int64(s.Width()))
		b.know(holder, sample)
		r := row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: holder, value: text(value)}
		if function != "size" {
			r.attrs = b.limit(holder)
		}
		b.row(r)
	}
	k := int64(1 + d.n(8))
	kinds := 8
	if !d.has(fExpressions) {
		kinds = 3
	}
	kind := d.n(kinds)
	if d.has(fBits) && d.chance(25) {
		kind = 3
	}
	switch {
	case function != "size":
	case d.has(fForms) && d.chance(15):
		kind = 6
	case kind == 7:
		kind = 0
	}
	switch kind {
	case 1:
		plain(operation(builtin.Add, call, literal(k)), k)
		use(text(operation(builtin.Sub, ref(holder), literal(k))))
	case 2:
		plain(operation(builtin.Mul, call, literal(k)), 0)
		use(text(operation(builtin.Div, ref(holder), literal(k))))
	case 3: // in bits
		b.sizeBits(holder, call, use)
	case 4:
		plain(operation(builtin.Xor, call, literal(k)), k)
		use(text(operation(builtin.Xor, ref(holder), literal(k))))
	case 5:
		plain(operation(builtin.Shl, call, literal(k)), 0)
		use(text(operation(builtin.Shr, ref(holder), literal(k))))
	case 6: // in several forms
		if function == "size" {
			b.sizeByForm(holder, operation(builtin.Add, call, literal(k)), k)
			use(text(operation(builtin.Sub, ref(holder), literal(k))))
			return
		}
		b.sizeForms(holder, call)
		use(holder)
	case 7: // in two words
		high := b.name()
		b.row(row{typ: "u8", size: d.each(1), name: holder, value: text(operation(builtin.And, call, literal(15)))})
		b.row(row{typ: "u16", size: d.each(2), name: high, value: text(operation(builtin.Shr, call, literal(4)))})
		b.least(3)
		b.know(holder, 0)
		b.know(high, 0)
		use(text(operation(builtin.Add, operation(builtin.Shl, ref(high), literal(4)), ref(holder))))
	default:
		plain(call, 0)
		use(holder)
	}
}

// afterwards returns a function that draws a row whose size a writer has only after the row. No condition before that
// can use the numbers that hold it.
func (b *body) afterwards(use func(size string)) func(size string) {
	known := len(b.nums)
	return func(size string) {
		b.lateSum()
		held := b.nums[known:]
		b.nums = b.nums[:known:known]
		use(size)
		b.nums = append(b.nums, held...)
		b.unchecked = len(b.lines)
	}
}

// apart returns a function that draws other rows first. These may be rows of sizes that numbers hold, as in a header
// that has all of them.
func (b *body) apart(use func(size string)) func(size string) {
	return func(size string) {
		b.between++
		for range 1 + b.d.n(3) {
			if b.d.has(fTexts) && b.d.chance(50) {
				b.text()
			} else {
				b.number()
			}
		}
		b.between--
		use(size)
	}
}

// sizeOfBoth draws a size in bits of a word. It also draws a number that holds it together with
// the size of a later row.
func (b *body) sizeOfBoth() {
	d := b.d
	b.stored++
	first, second, holder, both := b.name(), b.name(), b.name(), b.name()
	size := func(of string) *schema.Expr {
		return &schema.Expr{Op: builtin.Size, Field: &schema.Field{Name: of}}
	}
	b.sizeBits(holder, size(first), b.afterwards(func(length string) {
		value := operation(builtin.Add, size(second), operation(builtin.Mul, ref(holder), literal(int64(1+d.n(4)))))
		b.least(4)
		b.row(row{typ: "u32", size: d.each(4), name: both, value: text(value)})
		b.boundedRow(row{name: first, length: length})
		b.boundedRow(row{name: second, length: text(operation(builtin.Sub, ref(both), value.Args[1]))})
	}))
	b.know(both, 0)
}

// sizeBits draws a word with a size in some of its bits. The other bits are a field, a
// number that a writer computes, or unused.
func (b *body) sizeBits(holder string, call *schema.Expr, use func(size string)) {
	d := b.d
	s, n, at := builtin.U16, pick(d.source, 12, 4, 3, 2), 12
	if d.chance(35) {
		s, n, at = builtin.U8, min(n, 4), 5
	}
	width := int64(s.Width())
	r := row{typ: d.ordered(s), size: d.each(width), name: b.name()}
	lo := 4 * d.n(2)
	size := fmt.Sprintf("%d..%d %s = %s", lo, lo+n-1, holder, text(call))
	if lo > 0 {
		at = 0
	}
	other := fmt.Sprintf("%d..%d %s", at, at+2, b.name())
	rest := d.list(50, "rest any")
	whole := d.chance(50)
	switch kind := d.n(3); {
	case kind == 1:
		name, k := b.name(), 1+d.n(7)
		other = fmt.Sprintf("%d..%d %s = %d", at, at+2, name, k) + d.maybe(50, " any")
		whole = whole && lo > 0
	case kind == 2 || lo == 0 && whole:
		other, rest = "", d.list(60, "rest any")
	default:
		other += d.maybe(50, ` "more"`)
		b.stored++
	}
	if whole {
		size += " any"
	}
	r.bits = []string{size}
	if other != "" {
		r.bits = append(r.bits, other)
	}
	r.bits = append(r.bits, rest...)
	b.least(width)
	b.row(r)
	b.know(holder, 0)
	switch {
	case whole && lo > 0:
		use(fmt.Sprintf("%s >> %d", r.name, lo))
	case whole:
		use(r.name)
	default:
		use(holder)
	}
}

// sizeForms draws the two forms of a holder of a size, and the flag that selects one.
func (b *body) sizeForms(holder string, call *schema.Expr) {
	d := b.d
	flag := b.name()
	value := fmt.Sprintf("%s > %s", text(call), pick(d.source, "255", "3", "100"))
	var attrs []string
	if d.chance(40) {
		value, attrs = "form("+holder+")", d.list(50, "any")
	}
	r := row{typ: "u8", size: d.each(1), name: b.name(), bits: []string{fmt.Sprintf("0 %s = %s", flag, value)}}
	b.least(1)
	b.row(r)
	b.formsRow(row{name: holder, value: text(call), attrs: attrs}, flag, []form{{ids: "0", typ: "u8"}, {ids: "1", typ: "u32"}})
	b.know(flag, 0)
	b.know(holder, 0)
}

// sizeByForm draws a holder of a size that a writer has only after a later row. A stored number selects its form.
func (b *body) sizeByForm(holder string, value *schema.Expr, sample int64) {
	d := b.d
	kind := b.name()
	ids := []string{"0", "1"}
	if d.chance(50) {
		b.finish(b.flagBit(kind))
		b.know(kind, 0)
	} else {
		b.stored8(kind)
		ids = b.formIDs(1 + d.n(3))
	}
	types := []string{"u8", "u16", "u32"}
	if d.has(fOddWidths) {
		types = append(types, "u24")
	}
	r := row{name: holder, value: text(value)}
	if d.has(fBits) && d.chance(30) {
		r = row{name: b.name(), bits: []string{fmt.Sprintf("0..6 %s = %s", holder, text(value))}}
		r.bits = append(r.bits, d.list(50, "7 "+b.name())...)
		r.bits = append(r.bits, d.list(50, "rest any")...)
	}
	var forms []form
	for _, id := range ids {
		forms = append(forms, form{ids: id, typ: pick(d.source, types...)})
	}
	b.formsRow(r, kind, forms)
	b.know(holder, sample)
}

// limit draws a condition of a word that holds a size.
func (b *body) limit(name string) []string {
	if b.d.has(fMusts) && b.d.chance(15) {
		return []string{fmt.Sprintf("check %s <= %d", name, 100+b.d.n(100))}
	}
	return b.musts(5)
}

func must[T any](x T, _ bool) T { return x }
