// Groups whose size varies: texts, arrays, lists and maps.

package schemas

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// text draws a text with its length.
func (b *body) text() bool {
	name := b.name()
	b.sizedOrStored("len", name, func(size string) { b.textRow(name, size, nil) })
	return true
}

func (b *body) textRow(name, size string, attrs []string) {
	encoding, pad := pick(b.d.source, append([]string{"utf8"}, b.d.encodings...)...), 30
	if b.d.likely(onCountedTexts, 0) {
		encoding, pad = b.d.encodings[0], 85
	} else if b.d.likely(onTextRecords, 0) || b.d.likely(onVariants, 0) {
		pad = 85
	} else if b.d.has(fCharsets) && b.d.chance(50) {
		encoding = pick(b.d.source, builtin.CharsetNames()...)
	}
	b.store(true)
	b.row(row{typ: encoding + "[" + size + "]", length: b.bound(size, 1), name: name, attrs: append(attrs, b.pad(pad)...)})
	if size[0] > '9' { // a text of a constant length never equals one of another length
		b.equality(name, encoding)
	}
}

// equality lets expressions compare a text with some others.
func (b *body) equality(name, encoding string) {
	for range 1 + b.d.n(2) {
		other := pick(b.d.source, "k", "key", "zz", "q\"r")
		if encoding != "ascii" && !slices.Contains(b.d.encodings, encoding) && b.d.chance(20) {
			other = "é"
		}
		call := callExpr{op: pick(b.d.source, builtin.Eq, builtin.Ne), field: name, other: other}
		if call.op == builtin.Ne {
			call.sample = 1
		}
		b.calls = append(b.calls, call)
	}
}

// textBehind draws some numbers, a length, and the text behind it. Plans read and write such a record in
// one step.
func (b *body) textBehind(numbers int) {
	d := b.d
	for range numbers {
		if d.has(fFloats) && d.chance(40) {
			b.float()
		} else {
			b.number()
		}
	}
	length, name := b.name(), b.name()
	s := pick(d.source, builtin.U32, builtin.U8, builtin.U16)
	b.least(int64(s.Width()))
	b.stored++
	b.row(row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: length, value: "len(" + name + ")"})
	b.know(length, 0)
	b.textRow(name, length, nil)
}

// variant draws the rows of an arm of a union behind a word of 32 bits. It draws one of the forms for which a reader and a
// writer have loops. Bits of the word from free on are not taken.
func (b *body) variant(free int) {
	d := b.d
	switch k := d.n(10); {
	case k == 1:
		b.finish(row{typ: "bool32", size: d.each(4), name: b.name(), attrs: d.list(60, "any")})
	case k < 4 && free > 0:
		wide, name := b.name(), b.name()
		b.line("%s { %d %s = form(%s) }", b.union.header, max(16, free), wide, name)
		b.store(false)
		b.least(4)
		types, form := pick(d.source, "0 i32, 1 i64", "0 i32, 1 i64", "0 f32, 1 f64"), d.maybe(85, " any")
		if types[2] == 'f' { // a reader takes reals in any form
			form = " any"
		}
		b.line("| 4 | 4 or 8 | by %s { %s } | %s |%s", wide, types, name, form)
		b.unknown()
	case k < 4:
		s := pick(d.source, builtin.I32, builtin.I64, builtin.F32, builtin.F64, builtin.U64)
		b.finish(row{typ: s.String(), size: d.each(int64(s.Width())), name: b.name()})
	case k == 4:
		b.variants()
	case k == 5:
		b.items(3)
	case k < 8:
		name := b.name()
		count := b.length32("count", name)
		typ := pick(d.source, "u8", "u8", "u16", "i32", "f32", "f64")
		b.store(false)
		b.row(row{typ: typ + "[" + count + "]", name: name, attrs: b.pad(75)})
	default:
		name := b.name()
		b.textRow(name, b.length32("len", name), nil)
	}
}

// length32 draws a word of 32 bits that holds the length of a field, and returns its name.
func (b *body) length32(function, field string) (name string) {
	name = b.name()
	b.stored++
	b.row(row{typ: "u32", size: b.d.each(4), name: name, value: function + "(" + field + ")"})
	b.least(4)
	b.know(name, 0)
	return name
}

// variants draws a list of values of the union of the arm. It draws another list if the arm can hold none.
func (b *body) variants() {
	d := b.d
	if b.plain || d.taken() {
		b.listRow()
		return
	}
	d.nest()
	name := b.name()
	typ := b.union.name
	count := ""
	if d.chance(50) {
		count = b.length32("count", name)
	} else {
		count = b.name()
		bits := []string{fmt.Sprintf("0..30 %s = count(%s)", count, name), fmt.Sprintf("31 %s = 0 any", b.name())}
		b.row(row{typ: "u32", size: d.each(4), name: b.name(), bits: bits})
		b.least(4)
		b.know(count, 0)
	}
	b.store(false)
	if d.chance(70) {
		b.row(row{typ: typ + "[" + count + "]", name: name})
		b.unchecked = len(b.lines)
		return
	}
	eb := b.newElement()
	for range 2 {
		eb.row(row{typ: typ, name: eb.name()})
	}
	b.block(fmt.Sprintf("map %s as %s", count, name), "", func() { b.lines = append(b.lines, eb.lines...) })
	b.unknown()
}

// delimited draws text or bytes that end before a terminator, before bytes that fill their
// row, or at the end.
func (b *body) delimited() bool {
	d := b.d
	text, typ := d.has(fTexts) && d.likely(onUnits, 60), "u8"
	if text {
		typ = pick(d.source, append([]string{"utf8"}, d.uncounted...)...)
	}
	ends := []string{"00", "00", "0a", "ff", "0d 0a", "00 00", "61 62 61"}
	if text && d.has(fCharsets) && d.likely(onUnits, 50) {
		typ = pick(d.source, "ascii", "latin1", "macroman", "windows1252", "cp437")
		if d.likely(onUnits, 40) {
			typ, ends = pick(d.source, "utf16", "utf16be", "utf16le"), []string{"0000", "0000", "0a00", "0061", "0d00 0a00", "6100 6200 6100"}
		}
	}
	if text && d.likely(onTextToEnd, 15) && b.tail() {
		if d.has(fCharsets) && d.chance(30) {
			typ = pick(d.source, "utf16", "utf16be", "utf16le")
		}
		b.store(true)
		b.row(row{typ: typ + "[until end]", name: b.name()})
		b.end()
		return true
	}
	if !d.likely(onFills, 45) {
		end := pick(d.source, ends...)
		b.store(text)
		b.least(int64(len(end)+1) / 3)
		name := b.name()
		b.row(row{typ: fmt.Sprintf("%s[until %q]", typ, end), name: name, attrs: b.pad(25)})
		if text {
			b.equality(name, typ)
		}
		return true
	}
	fill := []string{fmt.Sprintf("fill %q", pick(d.source, "00", "20", "ff")) + d.maybe(40, " any")}
	if d.chance(45) {
		n := int64(d.n(12))
		b.store(text)
		b.least(n)
		b.row(row{typ: fmt.Sprintf("%s[%s]", typ, d.number(n)), size: d.each(n), name: b.name(), attrs: append(fill, b.pad(20)...)})
		return true
	}
	holder := b.name()
	b.stored8(holder)
	size := pick(d.source, holder, holder+" + 2", holder+" / 2")
	b.store(text)
	b.row(row{typ: typ + "[" + size + "]", length: b.bound(size, 1), name: b.name(), attrs: append(fill, b.pad(20)...)})
	return true
}

// array draws an array of numbers.
func (b *body) array() bool {
	d := b.d
	name := b.name()
	typ, s, isOption := b.scalar()
	if d.has(fFloats) && d.chance(30) && !isOption {
		s = d.real()
		typ = d.ordered(s)
	}
	integers := !isOption && !s.IsFloat() && s != builtin.Code4
	if d.chance(30) {
		n := int64(1 + d.n(4))
		b.finish(row{typ: fmt.Sprintf("%s[%s]", typ, d.number(n)), size: d.sizes(s, isOption, n), option: isOption, name: name, attrs: b.pad(20)})
		b.have(builtin.Count, name, n)
		if integers {
			b.afterIntegers(name)
		}
		return true
	}
	if d.has(fCodings) && d.chance(60) {
		typ = pick(d.source, builtin.Codings()...).String()
		b.sizedOrStored("count", name, func(size string) {
			b.store(false)
			b.row(row{typ: typ + "[" + size + "]", name: name, attrs: append(d.list(40, "any"), b.pad(25)...)})
			b.unchecked = len(b.lines)
		})
		return true
	}
	if integers && d.chance(25) {
		b.totalRow(name)
	}
	b.sizedOrStored("count", name, func(size string) {
		r := row{typ: typ + "[" + size + "]", option: isOption, name: name, attrs: b.pad(25)}
		if !isOption { // whose width depends on the choice
			r.length = b.bound(size, s.Width())
		}
		if integers {
			r.attrs = append(r.attrs, b.asks(name, "sum", "last")...)
		}
		b.store(false)
		b.row(r)
	})
	if integers {
		b.afterIntegers(name)
	}
	return true
}

// totalRow draws a number that is computed from the integers of an array.
func (b *body) totalRow(array string) {
	d := b.d
	call := &schema.Expr{Op: pick(d.source, builtin.Total, builtin.Last), Field: &schema.Field{Name: array}}
	s, value := builtin.I64, call
	if !d.has(fWide) || d.chance(60) {
		s, value = builtin.U16, operation(builtin.And, call, literal(pick[int64](d.source, 255, 65535)))
	}
	holder := b.name()
	b.least(int64(s.Width()))
	b.row(row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: holder, value: text(value)})
	b.know(holder, 0)
}

// afterIntegers draws numbers that are computed from the integers of an array before them. It also draws bytes that are
// counted by them.
func (b *body) afterIntegers(array string) {
	d := b.d
	b.have(builtin.Total, array, 0)
	b.have(builtin.Last, array, 0)
	if d.chance(20) {
		b.totalRow(array)
	}
	if d.has(fStored) && d.chance(40) {
		call := &schema.Expr{Op: pick(d.source, builtin.Total, builtin.Last), Field: &schema.Field{Name: array}}
		b.store(false)
		b.row(row{typ: "u8[" + text(operation(builtin.And, call, literal(7))) + "]", name: b.name()})
	}
}

// tuples draws a list of tuples of numbers.
func (b *body) tuples() bool { return b.tuplesOf(b.counted) }

// tuplesOf draws a list of tuples of numbers, whose number counted draws.
func (b *body) tuplesOf(counted func(name string, use func(head string, n int64))) bool {
	typ, s, isOption := b.scalar()
	if b.d.has(fFloats) && b.d.chance(30) && !isOption {
		s = b.d.real()
		typ = s.String()
	}
	width := 1 + b.d.n(3)
	name := b.name()
	counted(name, func(head string, n int64) {
		eb := b.newElement()
		if b.cur.known && len(b.cur.letters) == 0 {
			eb.cur = b.cur.clone()
			eb.cur.i += b.d.sizes(s, isOption, int64(width))[0]
		}
		for range width {
			eb.row(row{typ: typ, size: b.d.sizes(s, isOption, 1), option: isOption, name: eb.name()})
		}
		b.repeat(head, n, eb, b.after(name))
	})
	return true
}

// tuple draws rows that are nothing but numbers of one scalar.
func (b *body) tuple() {
	typ, s, isOption := b.scalar()
	if b.scaled {
		typ, s, isOption = b.d.option.name, b.d.option.choices[0].scalar, true
	} else if b.d.has(fFloats) && b.d.chance(50) {
		typ, s = "f32", builtin.F32
	}
	for range 2 + b.d.n(3) {
		size := b.d.sizes(s, isOption, 1)
		name := b.name()
		b.row(row{typ: typ, size: size, option: isOption, name: name})
		b.least(slices.Min(size))
		if s != builtin.Code4 && !isFloat(b.d, s, isOption) {
			b.rec.always = append(b.rec.always, num{name: name})
		}
	}
}

// counted draws the count of a list. The number of elements is 0 if it is not constant.
func (b *body) counted(name string, use func(head string, n int64)) {
	if b.d.chance(12) {
		b.constant(name, use)
		return
	}
	doc := b.d.maybe(20, ` "a drawn list"`)
	b.sizedOrStored("count", name, func(size string) { use(fmt.Sprintf("repeat %s as %s%s", size, name, doc), 0) })
}

// constant draws a list of a constant number of elements.
func (b *body) constant(name string, use func(head string, n int64)) {
	n := 1 + b.d.n(3)
	use(fmt.Sprintf("repeat %d as %s%s", n, name, b.d.maybe(20, ` "a drawn list"`)), int64(n))
}

// newElement returns the body of the elements of a list, whose place is not known. It may see
// fields of the bodies around it.
func (b *body) newElement() *body {
	eb := b.d.newBody(0)
	eb.element, eb.scaled, eb.plain, eb.cur.known = true, b.scaled, b.plain, false
	if b.d.has(fOuter) && b.d.chance(85) {
		eb.names = maps.Clone(b.names)
		eb.nums = slices.Clone(b.nums[max(0, len(b.nums)-6):])
	}
	return eb
}

// repeat appends a list of n elements that are drawn. n is 0 if the number is not constant; after is the text behind
// its brace.
func (b *body) repeat(head string, n int64, element *body, after string) {
	b.store(false)
	b.block(head, after, func() { b.lines = append(b.lines, element.lines...) })
	if n == 0 || !element.rec.fixed || strings.Contains(after, " pad ") {
		b.unknown()
		return
	}
	b.cur.n += n * element.rec.size[0]
	for k, size := range element.rec.size {
		b.rec.size[k] += n * size
	}
}

// asks draws a condition of a list about itself, which holds for a list without elements.
func (b *body) asks(name string, functions ...string) []string {
	if !b.d.has(fMusts) || !b.d.chance(45) {
		return nil
	}
	return []string{fmt.Sprintf("check %s(%s) %s", pick(b.d.source, functions...), name, pick(b.d.source, "< 300", "!= 7", "% 3 != 2", ">= 0"))}
}

// after draws the attributes of a list.
func (b *body) after(name string) string {
	out := ""
	for _, a := range slices.Concat(b.pad(40), b.asks(name, "count", "size", "present")) {
		out += " " + a
	}
	if len(b.d.errata) > 0 && b.d.chance(15) {
		out += " ! " + b.d.mention()
	}
	return out
}

// list draws a list of any elements.
func (b *body) list() bool { return b.listOf(false) }

// listOf draws a list of any elements, with toEnd one of all elements up to the end.
func (b *body) listOf(toEnd bool) bool {
	d := b.d
	if d.nesting > 4 {
		return false
	}
	name := b.name()
	use := func(head string, n int64) {
		eb := b.newElement()
		d.nesting++
		if !d.has(fRecords) && !d.has(fWordUnions) || d.chance(50) || !eb.one() {
			eb.number()
			eb.items(3)
		}
		d.nesting--
		after := ""
		if !toEnd {
			after = b.after(name)
		}
		b.repeat(head, n, eb, after)
	}
	if toEnd {
		b.take() // before its elements are drawn, which could be of this record
		use("repeat until end as "+name, 0)
		b.end()
		return true
	}
	b.counted(name, use)
	return true
}

// elementType returns a record or a union of at least a byte, for elements in a row. It also returns its arguments, and its
// size under each choice if it is fixed. The type is empty if no type fits.
func (b *body) elementType() (typ, args string, size []int64) {
	if b.d.has(fWordUnions) && b.d.chance(50) {
		if u := b.d.unionRef(!b.plain); u != nil && !u.greedy {
			return u.name, "", nil
		}
	}
	r := b.elementRef()
	if r == nil {
		return "", "", nil
	}
	args = b.arguments(r)
	if r.fixed && !r.open {
		return r.name, args, r.size
	}
	return r.name, args, nil
}

// elementRef returns a record of at least a byte for elements of a list, or nil. It takes
// arguments only if elements can.
func (b *body) elementRef() *record {
	args := 0
	if b.d.has(fOuter) {
		if args = b.d.args(); b.d.likely(onMapArguments, 40) {
			args = max(args, 1)
		}
	}
	return b.d.recordRef(args, !b.plain, func(r *record) bool {
		return (r.args == 0 || b.d.has(fOuter)) && r.least > 0 && !r.greedy
	})
}

// listRow draws a row that is a list of values of a record or a union.
func (b *body) listRow() bool {
	d := b.d
	if d.nesting > 4 || !d.has(fRecords) && !d.has(fWordUnions) {
		return false
	}
	name := b.name()
	typ, args, each := b.elementType()
	region := (d.focus == onRegionLists || d.focus == onAbsentNumbers) && d.chance(85)
	switch {
	case typ == "":
		return false
	case !region && d.chance(25) && d.stop(typ) != "":
		b.store(false)
		b.row(row{typ: fmt.Sprintf("%s[until %s]%s", typ, d.stop(typ), args), name: name, attrs: append(b.pad(25), b.asks(name, "count", "size")...)})
		b.have(builtin.Count, name, 1)
		b.unchecked = len(b.lines)
	case !region && d.chance(20):
		n := 1 + d.n(3)
		r := row{typ: fmt.Sprintf("%s[%s]%s", typ, d.number(int64(n)), args), name: name, attrs: b.pad(15)}
		for _, size := range each {
			r.size = append(r.size, int64(n)*size)
		}
		if !d.has(fOptional) || d.chance(60) {
			b.store(false)
			b.row(r)
			break
		}
		flag := b.name()
		b.presence(flag, name)
		b.store(false)
		r.attrs = append(r.attrs, "if "+flag)
		b.row(r)
		b.unknown()
	case b.tail() && d.chance(30):
		b.take()
		b.store(false)
		if d.chance(50) {
			b.spared(typ, args, name)
			return true
		}
		b.row(row{typ: typ + "[until end]" + args, name: name, attrs: b.asks(name, "count", "size")})
		b.unchecked = len(b.lines)
		b.end()
		return true
	case d.has(fRegions) && (region || d.chance(50)):
		b.sized("size", name, func(size string) {
			b.store(false)
			b.row(row{typ: typ + "[until end]" + args, length: size, name: name, attrs: append(b.pad(25), b.asks(name, "count", "size")...)})
			b.unchecked = len(b.lines)
		})
	default:
		b.sizedOrStored("count", name, func(size string) {
			r := row{typ: typ + "[" + size + "]" + args, name: name, attrs: b.pad(25)}
			if each != nil {
				r.length = b.bound(size, int(each[0]))
			}
			b.store(false)
			b.row(r)
			b.unchecked = len(b.lines)
		})
	}
	return true
}

// stop returns the condition that ends lists of a record or a union, or "". It
// holds for the sample of the type.
func (d *drawer) stop(typ string) string {
	for _, r := range d.records {
		if r.name == typ && r.stop == "" && !r.open && len(r.nums) > 0 {
			r.stop = ending((&drawExpr{d: d, nums: r.nums, reader: true}).condition(true))
		}
		if r.name == typ {
			return r.stop
		}
	}
	for _, u := range d.unions {
		if u.name == typ && u.stop == "" && u.word && len(u.ids) > 0 {
			number := u.header
			if !u.whole {
				number = fmt.Sprintf("%s >> %d & %d", u.header, u.lo, int64(1)<<u.bits-1)
			}
			u.stop = ending(fmt.Sprintf("%s == %d", number, u.ids[0]))
		}
		if u.name == typ {
			return u.stop
		}
	}
	return ""
}

// ending returns a condition after until, in parentheses if it begins with the word end.
func ending(cond string) string {
	if rest, ok := strings.CutPrefix(cond, "end"); ok && (rest == "" || !strings.ContainsAny(rest[:1], "_0123456789")) {
		return "(" + cond + ")"
	}
	return cond
}

// through draws a list up to an element for which a condition holds.
func (b *body) through() bool {
	d := b.d
	if d.nesting > 4 {
		return false
	}
	name, eb := b.name(), b.newElement()
	d.nesting++
	eb.number()
	eb.items(2)
	d.nesting--
	if eb.ended {
		return false
	}
	b.repeat(fmt.Sprintf("repeat until %s as %s", ending(eb.expr().condition(true)), name), 0, eb, b.after(name))
	b.have(builtin.Count, name, 1)
	return true
}

// one draws a row that is the only one of an element. It is a value of a record or a union of at least a byte.
func (b *body) one() bool {
	if b.d.has(fWordUnions) && b.d.focus != onMapArguments && b.d.chance(50) {
		if u := b.d.unionRef(!b.plain); !u.greedy {
			b.unionValue(u)
			return true
		}
	}
	r := b.elementRef()
	if r == nil {
		return false
	}
	b.recordValue(r)
	return true
}

// pairs draws a map.
func (b *body) pairs() bool {
	d := b.d
	if d.nesting > 3 {
		return false
	}
	name := b.name()
	b.sized("count", name, func(size string) {
		eb := b.newElement()
		d.nesting++
		known := len(eb.nums)
		for range 2 {
			eb.nums, eb.calls = eb.nums[:known:known], nil // a value cannot name its key
			if !eb.one() {
				typ, s, isOption := eb.scalar()
				eb.row(row{typ: typ, size: d.sizes(s, isOption, 1), option: isOption, name: eb.name(), attrs: eb.musts(30)})
			}
		}
		d.nesting--
		b.repeat(fmt.Sprintf("map %s as %s%s", size, name, d.maybe(20, ` "a map"`)), 0, eb, "")
	})
	b.calls = b.calls[:len(b.calls)-1] // a reader has no count of pairs
	return true
}
