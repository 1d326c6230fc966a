// Groups of rows with several forms.

package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// forms draws a row with several forms, or one under a condition.
func (b *body) forms() bool {
	d := b.d
	name := b.name()
	kinds := 5
	if d.has(fLists) {
		kinds = 7
	}
	if d.focus == onBitForms && d.chance(60) {
		kinds = 1
	}
	switch d.n(kinds) {
	case 1, 2:
		b.numbered(name)
		return true
	case 5, 6:
		b.countedForms(name)
		return true
	case 3: // a flag that is stored, or that a writer sets
		flag := b.name()
		if d.chance(55) {
			set := d.n(2)
			b.least(1)
			b.row(b.flagBit(fmt.Sprintf("%s = %d any", flag, set)))
			b.know(flag, int64(set))
		} else {
			b.finish(b.flagBit(flag))
			b.know(flag, 0)
		}
		b.by(name, flag, []string{"0", "1"})
		return true
	case 4: // a row under a condition
		kind := b.name()
		b.stored8(kind)
		b.inner++
		r := b.any(name)
		if d.has(fBits) && d.chance(40) {
			r = row{typ: "u16", size: d.each(2), name: name, bits: b.formBits()}
		}
		r.attrs = append(r.attrs, fmt.Sprintf("if %s == %d", kind, d.n(4)))
		b.row(r)
		b.inner--
		b.store(false)
		b.unknown()
		return true
	}
	kind := b.name()
	attrs := d.list(50, fmt.Sprintf("check %s < %d", kind, 4+d.n(3)))
	b.stored8(kind, attrs...)
	selector := kind + d.maybe(30, " & 7")
	b.by(name, selector, b.formIDs(1+d.n(3)))
	return true
}

// countedForms draws an array in two or three forms whose count another field holds.
func (b *body) countedForms(name string) {
	d := b.d
	kind := b.name()
	b.stored8(kind)
	types := []string{"u16"}
	if d.has(fFloats) {
		types = []string{"f32", "f64"}
	}
	b.sized("count", name, func(size string) {
		var texts []string
		for k := range 2 + d.n(2) {
			texts = append(texts, form{ids: fmt.Sprint(k), typ: pick(d.source, types...) + "[" + size + "]"}.String())
		}
		b.inner++
		b.row(row{name: name, typ: fmt.Sprintf("by %s { %s }", kind, strings.Join(texts, ", "))})
		b.inner--
		b.unknown()
	})
	b.store(false)
}

// encodings draws a text in an encoding that a stored number selects. It is the rest of a row whose size a
// field holds, or of a constant length.
func (b *body) encodings() bool {
	d := b.d
	if !d.has(fForms) && !d.chance(30) {
		return false
	}
	name, kind := b.name(), b.name()
	b.stored8(kind)
	var forms []form
	extent := pick(d.source, "until end", "until end", "4")
	for _, id := range b.formIDs(2 + d.n(2)) {
		typ := pick(d.source, append([]string{"utf8"}, builtin.CharsetNames()...)...)
		forms = append(forms, form{ids: id, typ: typ + "[" + extent + "]", doc: d.maybe(20, ` "a form"`)})
	}
	if extent == "4" {
		b.formsRow(row{name: name}, kind, forms)
		b.store(true)
		return true
	}
	b.sized("size", name, func(size string) {
		var texts []string
		for _, f := range forms {
			texts = append(texts, f.String())
		}
		b.inner++
		b.row(row{name: name, typ: fmt.Sprintf("by %s { %s }", kind, strings.Join(texts, ", ")), length: size})
		b.inner--
		b.unknown()
	})
	b.store(true)
	return true
}

// form is a form of a row: its numbers, and its type or the expression of its value.
type form struct {
	ids   string
	typ   string // "" for a form without bytes
	value string
	doc   string
}

func (f form) String() string {
	if f.typ == "" {
		return f.ids + " = " + f.value
	}
	return f.ids + " " + f.typ + f.doc
}

// size returns the bytes of the form, whose type has a constant size.
func (f form) size() int {
	if f.typ == "" {
		return 0
	}
	name, count, list := strings.Cut(strings.TrimSuffix(f.typ, "]"), "[")
	width := max(1, builtin.TypeNamed(name).Scalar.Width()) // a byte of text
	if !list {
		return width
	}
	n, _ := strconv.Atoi(count)
	return width * n
}

// formIDs draws the numbers of forms.
func (b *body) formIDs(n int) []string {
	d := b.d
	var out []string
	for k := range n {
		low := 2 * k
		switch d.n(4) {
		case 1:
			out = append(out, fmt.Sprintf("%d..%d", low, low+1))
		case 2:
			out = append(out, fmt.Sprintf("%d, %d", low+1, low))
		default:
			out = append(out, fmt.Sprint(low+d.n(2)))
		}
	}
	if n > 1 && d.chance(30) {
		out[0], out[1] = out[1], out[0]
	}
	return out
}

// formBits draws bits of a word that fit a byte.
func (b *body) formBits() []string {
	d := b.d
	n := 1 + d.n(4)
	bits := []string{fmt.Sprintf("0..%d %s", n, b.name()), fmt.Sprintf("%d %s", n+1, b.name())}
	return append(bits[:1+d.n(2)], d.list(50, "rest any")...)
}

// by draws the row with the forms that some numbers of a selector select.
func (b *body) by(name, selector string, ids []string) {
	d := b.d
	r := row{name: name}
	sorts := [][]string{{"u8", "u16", "u24", "u32"}}
	if d.has(fSigned) {
		sorts = append(sorts, []string{"i8", "i16", "i32", "i64"})
	}
	if d.has(fFloats) {
		sorts = append(sorts, []string{"f16", "f32", "f64"})
	}
	if d.has(fTruths) {
		sorts = append(sorts, []string{"bool8", "bool16", "bool32"})
	}
	if d.has(fWide) {
		sorts = append(sorts, []string{"u8", "u64"})
	}
	if d.has(fLists) {
		sorts = append(sorts, []string{"u16[3]", "u16[1]", "u16[0]"}, []string{"f32[1]", "f64[2]"}, []string{"u8[2]", "u8[1]"})
	}
	sort := sorts[d.n(len(sorts))]
	if d.likely(onBitForms, 0) {
		sort = sorts[0]
	}
	number := sort[0] == "u8" || sort[0] == "i8"
	if sort[0] == "u8" && d.has(fBits) && d.chance(80) {
		r.bits, number = b.formBits(), false
	}
	var forms []form
	for k, id := range ids {
		typ := pick(d.source, sort...)
		if k > 0 && typ == forms[k-1].typ { // most forms differ in width
			typ = pick(d.source, sort...)
		}
		forms = append(forms, form{ids: id, typ: typ, doc: d.maybe(20, ` "a form"`)})
	}
	if number && d.chance(40) {
		r.attrs = append(r.attrs, fmt.Sprintf("check %s != %d", name, 1+d.n(100)))
	}
	b.formsRow(r, selector, forms)
	b.store(false)
	if number {
		b.know(name, 0)
	}
}

// formsRow draws a row with several forms.
func (b *body) formsRow(r row, selector string, forms []form) {
	var texts, sizes []string
	for _, f := range forms {
		texts = append(texts, f.String())
		if size := fmt.Sprint(f.size()); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	r.typ = fmt.Sprintf("by %s { %s }", selector, strings.Join(texts, ", "))
	b.inner++
	defer func() { b.inner-- }()
	if len(forms) > 1 && len(sizes) == 1 && !slices.ContainsFunc(r.attrs, isPad) {
		r.size = b.d.each(int64(forms[0].size()))
		b.row(r)
		return
	}
	r.length = strings.Join(sizes, " or ")
	b.row(r)
	b.unknown()
}

// numbered draws a row whose form a writer chooses, and the number of the form.
func (b *body) numbered(name string) {
	d := b.d
	number := b.name()
	value := "form(" + name + ")"
	ids := builtin.Ranges{}
	next, most := uint64(d.n(3)), uint64(7)
	var forms []form
	if d.has(fFloats) && d.chance(30) {
		types := []string{"f32", "f64"}
		if d.has(fOddWidths) {
			types = append([]string{"f16"}, types...)
		}
		for k, typ := range types {
			forms = append(forms, form{ids: fmt.Sprint(len(types) - k), typ: typ})
		}
	} else {
		for range 2 + d.n(3) {
			one := builtin.Range{Lo: next, Hi: min(next+uint64(d.n(3)), most)}
			if next = one.Hi + 1; one.Lo <= most {
				ids = append(ids, one)
			}
		}
		forms = b.held(number, ids)
	}
	if d.chance(40) {
		b.row(row{typ: "u16", size: d.each(2), name: b.name(), bits: []string{fmt.Sprintf("%d..%d %s = %s", d.n(8), 11+d.n(5), number, value)}})
		b.least(2)
	} else {
		b.row(row{typ: "u8", size: d.each(1), name: number, value: value})
		b.least(1)
	}
	b.know(number, 0)
	b.chosen(name, number, forms)
}

// chosen draws a row whose form a writer chooses.
func (b *body) chosen(name, selector string, forms []form) {
	d := b.d
	float := strings.HasPrefix(forms[0].typ, "f")
	r := row{name: name}
	if !float && d.chance(50) {
		r.attrs = []string{fmt.Sprintf("check %s != %d", name, 100+d.n(100))}
	}
	if float || d.chance(60) {
		r.attrs = append(r.attrs, "any")
	}
	b.store(false)
	b.formsRow(r, selector, forms)
	if !float && len(r.attrs) > 0 {
		b.know(name, 0)
	}
}

// held draws forms for some numbers: some without bytes, the others wider than those before.
func (b *body) held(selector string, ids builtin.Ranges) (forms []form) {
	d := b.d
	types, value := []string{"u8", "u16", "u32", "u64"}, int64(d.n(3))
	if d.has(fSigned) && d.chance(60) {
		types, value = []string{"i8", "i16", "i32", "i64"}, int64(d.n(9))-6
	}
	if d.has(fOddWidths) {
		types = slices.Insert(types, 2, types[0][:1]+"24")
	}
	last := &ids[len(ids)-1]
	typed := []uint64{last.Hi}
	if last.Lo == last.Hi {
		ids = ids[:len(ids)-1]
	} else {
		last.Hi--
	}
	for _, r := range ids {
		switch n := int64(r.Hi - r.Lo); {
		case n == 0 && len(typed) < len(types)-1 && d.chance(50):
			typed = append(typed, r.Lo)
		case n == 0 && d.chance(50):
			forms = append(forms, form{ids: fmt.Sprint(r.Lo), value: fmt.Sprint(value)})
			value += 1 + int64(d.n(3))
		default:
			x := ref(selector)
			if by := value - int64(r.Lo); by < 0 {
				x = operation(builtin.Sub, x, literal(-by))
			} else if by > 0 {
				x = operation(builtin.Add, x, literal(by))
			}
			forms = append(forms, form{ids: r.String(), value: text(x)})
			value += n + 1 + int64(d.n(3))
		}
	}
	for len(types) > len(typed) {
		k := d.n(len(types))
		types = slices.Delete(types, k, k+1)
	}
	for k, id := range typed {
		forms = append(forms, form{ids: fmt.Sprint(id), typ: types[k]})
	}
	return forms
}
