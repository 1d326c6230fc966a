// Groups: items that belong together.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// groups are what bodies are drawn from. A function returns false if the group has no
// place there.
var groups []struct {
	feature feature
	draw    func(*body) bool
}

func init() {
	add := func(f feature, draw func(*body) bool) {
		groups = append(groups, struct {
			feature feature
			draw    func(*body) bool
		}{f, draw})
	}
	add(always, (*body).number)
	add(fTruths, (*body).truth)
	add(fFloats, (*body).float)
	add(fComputed, (*body).computed)
	add(fBits, (*body).word)
	add(fTexts, (*body).text)
	add(fLists, (*body).array)
	add(fLists, (*body).list)
	add(fTuples, (*body).tuples)
	add(fMaps, (*body).pairs)
	add(fRest, (*body).rest)
	add(fRecords, (*body).inner0)
	add(fWordUnions, (*body).unionRow)
	add(fUnions, (*body).cases)
	add(fArmIDs, (*body).armID)
	add(fRegions, (*body).within)
	add(fIfs, (*body).branch)
	add(fOptional, (*body).optional)
	add(fForms, (*body).forms)
	add(fLets, (*body).let)
	add(fChecks, (*body).check)
	add(fGates, (*body).gate)
	add(fNotes, (*body).note)
	add(fErrata, (*body).note)
	add(fRecursion, (*body).recursion)
}

// musts draws conditions that hold for the samples.
func (b *body) musts(percent int) []string {
	if !b.d.has(fMusts) || !b.d.chance(percent) {
		return nil
	}
	out := []string{"must " + b.expr().condition(true)}
	if b.d.chance(15) {
		out = append(out, "must "+b.expr().condition(true))
	}
	return out
}

// pad draws padding.
func (b *body) pad(percent int) []string {
	d := b.d
	if !d.has(fPads) || !d.chance(percent) {
		return nil
	}
	return []string{"pad " + d.number(int64(pick(d.source, 2, 4, 3, 8, 16))) + d.maybe(40, " fill "+d.number(int64(d.n(256)))) + d.maybe(30, " exact") + d.maybe(20, " or end")}
}

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
			r.attrs = append(r.attrs, "must "+r.name+" == 'RIFF'")
		}
		b.know(r.name, sample)
		r.attrs = append(r.attrs, b.musts(80)...)
	case d.has(fWrite) && d.chance(50):
		e, v := b.masked(2, int64(1)<<min(8*s.Width()-1, 31)-1)
		sample = v
		r.attrs = append(r.attrs, "write "+text(e), "read any")
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

// finish appends a row with a stored field.
func (b *body) finish(r row) {
	b.store(false)
	if r.size != nil {
		b.least(slices.Min(r.size))
	}
	before := b.cur.clone()
	known := len(b.lines)
	b.row(r)
	if b.d.has(fSame) && b.d.chance(40) && r.size != nil {
		cells := strings.SplitN(b.lines[known], "|", 5)
		b.line("|%s|%s|%s| %s | same %s", cells[1], cells[2], cells[3], b.name(), r.name)
	}
	_ = before
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
		r.attrs = append(r.attrs, "read nonzero")
	}
	if len(b.nums) > 0 {
		r.attrs = append(r.attrs, b.musts(10)...)
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
		r.attrs = []string{"must " + text(operation(builtin.Eq, ref(r.name), e))}
	} else {
		r.attrs = []string{"read any"}
	}
	b.least(slices.Min(r.size))
	b.row(r)
	return true
}

// computedTruth draws a row of a truth that a writer computes.
func (b *body) computedTruth() bool {
	d := b.d
	r := row{typ: "bool8", size: d.each(1), name: b.name()}
	v := int64(d.n(2))
	r.value = fmt.Sprint(v)
	b.know(r.name, v)
	r.attrs = []string{pick(d.source, "read any", fmt.Sprintf("must %s == %d", r.name, v), "read nonzero must "+fmt.Sprintf("%s == %d", r.name, v), "must 1 == 1")}
	b.least(1)
	b.row(r)
	return true
}

// word draws a word of bits.
func (b *body) word() bool {
	d := b.d
	s := pick(d.source, builtin.U8, builtin.U16, builtin.U32)
	if d.has(fSigned) && d.chance(30) {
		s = pick(d.source, builtin.I8, builtin.I16, builtin.I64)
	} else if d.has(fWide) && d.chance(30) {
		s = builtin.U64
	}
	r := row{typ: s.String(), size: d.each(int64(s.Width())), name: b.name()}
	names, samples := b.bits(&r, 8*s.Width(), nil, 1+d.n(4))
	b.least(int64(s.Width()))
	r.attrs = append(r.attrs, b.pad(8)...)
	b.row(r)
	for k, n := range names {
		b.know(n, samples[k])
	}
	if s == builtin.U8 || s == builtin.U16 || s == builtin.U32 {
		if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(b.written, n) }) {
			b.written = append(b.written, r.name)
		}
		b.know(r.name, b.wordSample(r))
	}
	return true
}

// sampleBits are the samples of the words of bits.
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

// bits draws fields in the bits of a word, after those that are given. A comment holds the
// place and the sample of each.
func (b *body) bits(r *row, width int, given []string, most int) (names []string, samples []int64) {
	d := b.d
	at := 0
	for _, g := range given {
		r.bits = append(r.bits, fmt.Sprintf("%d %s // 0 0", at, g))
		at++
	}
	for k := 0; k < most && at < width; k++ {
		at += d.n(3)
		n := 1 + d.n(min(8, max(1, width-at)))
		if at+n > width {
			break
		}
		name, sample, line := b.bit(n)
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
	if d.chance(60) || len(r.bits) == 0 {
		r.bits = append(r.bits, "rest "+pick(d.source, "zero", "ignore"))
	}
	return names, samples
}

// bit draws a field of n bits: its name, its sample, and what is after its number.
func (b *body) bit(n int) (name string, sample int64, line string) {
	d := b.d
	name = b.name()
	line = name
	doc := d.maybe(20, ` "some bits"`)
	switch {
	case d.has(fComputed) && d.chance(30):
		e, v := b.masked(2, int64(1)<<n-1)
		rule := " read any"
		if d.chance(50) {
			rule = " must " + text(operation(builtin.Eq, ref(name), e))
		}
		return name, v, line + " = " + text(e) + doc + rule
	case d.has(fMusts) && d.chance(30):
		sample = int64(d.n(2))
		x := b.expr()
		x.nums = append(slices.Clone(x.nums), num{name: name, sample: sample}, num{name: name, sample: sample})
		line += doc + " must " + x.condition(true)
	case d.has(fWrite) && d.chance(30):
		e, v := b.masked(1, int64(1)<<n-1)
		sample = v
		line += doc + " write " + text(e) + " read any"
		b.written = append(b.written, name)
	default:
		line += doc
	}
	if len(d.errata) > 0 && d.chance(10) {
		line += " ! " + d.mention()
	}
	b.stored++
	return name, sample, line
}

// sized draws what holds the size of a field, and calls use with the expression of it.
func (b *body) sized(function, field string, use func(size string)) {
	d := b.d
	b.stored++              // so that the field is not the only one
	if function == "size" { // which a writer has only after the row: no condition before that can use it
		known, inner := len(b.nums), use
		use = func(size string) {
			held := b.nums[known:]
			b.nums = b.nums[:known:known]
			inner(size)
			b.nums = append(b.nums, held...)
		}
	}
	call := &schema.Expr{Op: must(builtin.FunctionNamed(function)), Field: &schema.Field{Name: field}}
	holder := b.name()
	scalar := pick(d.source, "u8", "u16", "u32")
	if d.has(fSigned) && d.chance(20) {
		scalar = pick(d.source, "i8", "i16", "i32")
	} else if d.has(fWide) && d.chance(20) {
		scalar = pick(d.source, "u64", "i64")
	}
	s, _ := builtin.ScalarNamed(scalar)
	plain := func(value *schema.Expr, sample int64) {
		b.least(int64(s.Width()))
		b.know(holder, sample)
		r := row{typ: scalar, size: d.each(int64(s.Width())), name: holder, value: text(value)}
		if function != "size" {
			r.attrs = b.limit(holder)
		}
		b.row(r)
	}
	k := int64(1 + d.n(8))
	kinds := 9
	if !d.has(fExpressions) {
		kinds = 3
	}
	kind := d.n(kinds)
	if function == "size" && (kind == 3 || kind >= 7) {
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
		r := row{typ: "u16", size: d.each(2), name: b.name()}
		lo := 4 * d.n(2)
		r.bits = []string{fmt.Sprintf("%d..%d %s = %s", lo, lo+11, holder, text(call)), fmt.Sprintf("%d..%d %s", 12-3*lo, 14-3*lo, b.name()) + d.maybe(50, ` "more"`), "rest " + pick(d.source, "zero", "ignore")}
		whole := lo > 0 && d.chance(50)
		if whole {
			r.bits[0] += " read any"
		}
		b.stored++
		b.least(2)
		b.row(r)
		b.know(holder, 0)
		if whole {
			use(fmt.Sprintf("%s >> %d", r.name, lo))
			break
		}
		use(holder)
	case 4:
		plain(operation(builtin.Xor, call, literal(k)), k)
		use(text(operation(builtin.Xor, ref(holder), literal(k))))
	case 5:
		plain(operation(builtin.Shl, call, literal(k)), 0)
		use(text(operation(builtin.Shr, ref(holder), literal(k))))
	case 6:
		plain(operation(builtin.Add, call, literal(k)), k)
		let := b.name()
		b.line("let %s = %s - %d", let, holder, k)
		if function != "size" { // of which a writer evaluates the let too early for conditions
			b.know(let, 0)
		}
		use(let)
	case 7: // in two forms
		flag := b.name()
		limit := pick(d.source, "255", "3", "100")
		r := row{typ: "u8", size: d.each(1), name: b.name(), bits: []string{fmt.Sprintf("0 %s = %s > %s", flag, text(call), limit), "rest zero"}}
		b.least(1)
		b.row(r)
		here := b.cur.clone()
		b.row(row{typ: "u8", size: d.each(1), name: holder, value: text(call), attrs: []string{"when !" + flag}})
		b.cur = here
		b.row(row{typ: "u32", size: d.each(4), name: holder, value: text(call), attrs: []string{"when " + flag}})
		b.unknown()
		b.know(flag, 0)
		b.know(holder, 0)
		use(holder)
	case 8: // in two words
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

// limit draws a condition of a word that holds a size.
func (b *body) limit(name string) []string {
	if b.d.has(fMusts) && b.d.chance(15) {
		return []string{fmt.Sprintf("must %s <= %d", name, 100+b.d.n(100))}
	}
	return b.musts(5)
}

func must[T any](x T, _ bool) T { return x }

// text draws a text with its length.
func (b *body) text() bool {
	name := b.name()
	b.sized("len", name, func(size string) { b.textRow(name, size, nil) })
	return true
}

func (b *body) textRow(name, size string, attrs []string) {
	encoding := pick(b.d.source, append([]string{"utf8"}, b.d.encodings...)...)
	b.store(true)
	b.row(row{typ: encoding + "[" + size + "]", name: name, attrs: append(attrs, b.pad(30)...)})
}

// array draws an array of numbers.
func (b *body) array() bool {
	d := b.d
	name := b.name()
	typ, s, isAxis := b.scalar()
	if isAxis && !d.axis.arrays {
		return false
	}
	if d.has(fFloats) && d.chance(30) && !isAxis {
		s = pick(d.source, builtin.F32, builtin.F64)
		typ = s.String()
	}
	if d.chance(30) {
		n := int64(1 + d.n(4))
		b.finish(row{typ: fmt.Sprintf("%s[%s]", typ, d.number(n)), size: d.sizes(s, isAxis, n), axis: isAxis, name: name, attrs: b.pad(20)})
		return true
	}
	b.sized("count", name, func(size string) {
		b.store(false)
		b.row(row{typ: typ + "[" + size + "]", axis: isAxis, name: name, attrs: b.pad(25)})
	})
	return true
}

// rest draws a row that takes all bytes up to the end.
func (b *body) rest() bool {
	if !b.tail() {
		return false
	}
	typ := "u8"
	if b.d.chance(20) {
		typ = pick(b.d.source, "u16", "i32", "f32")
	}
	if b.d.chance(40) && b.listOf(true) {
		return true
	}
	b.store(false)
	b.row(row{typ: typ + "[rest]", name: b.name()})
	b.end()
	return true
}

// tail reports whether a row here can take all bytes up to the end.
func (b *body) tail() bool {
	if b.element {
		return false
	}
	return b.region > 0 || b.inner == 0 && !b.self.inner && (b.union == nil || !b.union.inner)
}

// end notes that nothing can be after the row before.
func (b *body) end() {
	b.ended = true
	b.take()
}

// take notes that a row takes all bytes up to the end.
func (b *body) take() {
	b.rec.greedy = b.rec.greedy || b.region == 0
	b.self.greedy = b.rec.greedy
	if b.union != nil {
		b.union.greedy = b.union.greedy || b.rec.greedy
	}
}

// tuples draws a list of tuples of numbers.
func (b *body) tuples() bool {
	typ, s, isAxis := b.scalar()
	if b.d.has(fFloats) && b.d.chance(30) && !isAxis {
		s = pick(b.d.source, builtin.F32, builtin.F64)
		typ = s.String()
	}
	width := 1 + b.d.n(3)
	name := b.name()
	b.counted(name, func(head string) {
		b.fixedElements(head, slices.Repeat([]row{{typ: typ, size: b.d.sizes(s, isAxis, 1), axis: isAxis}}, width), nil)
	})
	return true
}

// tuple draws rows that are nothing but numbers of one scalar.
func (b *body) tuple() {
	typ, s, isAxis := b.scalar()
	if b.scaled {
		typ, s, isAxis = b.d.axis.name, b.d.axis.choices[0].scalar, true
	} else if b.d.has(fFloats) && b.d.chance(50) {
		typ, s = "f32", builtin.F32
	}
	for range 2 + b.d.n(3) {
		size := b.d.sizes(s, isAxis, 1)
		b.row(row{typ: typ, size: size, axis: isAxis, name: b.name()})
		b.least(slices.Min(size))
	}
}

// counted draws the count of a list.
func (b *body) counted(name string, use func(head string)) {
	doc := b.d.maybe(20, ` "a drawn list"`)
	if b.d.chance(12) {
		n := 1 + b.d.n(3)
		use(fmt.Sprintf("repeat %d as %s%s", n, name, doc))
		return
	}
	b.sized("count", name, func(size string) { use(fmt.Sprintf("repeat %s as %s%s", size, name, doc)) })
}

// fixedElements draws a list whose elements have one size.
func (b *body) fixedElements(head string, rows []row, attrs []string) {
	d := b.d
	eb := d.newBody(0)
	eb.element, eb.scaled = true, b.scaled
	if b.cur.known && len(b.cur.letters) == 0 {
		eb.cur = b.cur.clone()
		for _, r := range rows {
			for k, n := range r.size {
				eb.cur.i[k] += n
			}
		}
	} else {
		eb.cur.known = false
	}
	for _, r := range rows {
		r.name = eb.name()
		eb.row(r)
	}
	b.store(false)
	b.block(head, b.after(), func() { b.lines = append(b.lines, eb.lines...) })
	b.unknown()
}

// after draws the attributes of a list or region.
func (b *body) after() string {
	out := ""
	for _, a := range b.pad(40) {
		out += " " + a
	}
	if len(b.d.errata) > 0 && b.d.chance(15) {
		out += " ! " + b.d.mention()
	}
	return out
}

// list draws a list of any elements.
func (b *body) list() bool { return b.listOf(false) }

func (b *body) listOf(toEnd bool) bool {
	after := b.after
	if toEnd {
		after = func() string { return "" }
	}
	d := b.d
	if d.nesting > 4 {
		return false
	}
	name := b.name()
	use := func(head string) {
		eb := d.newBody(0)
		eb.element, eb.scaled, eb.cur.known, eb.plain = true, b.scaled, false, b.plain
		d.nesting++
		if !d.has(fRecords) && !d.has(fWordUnions) || d.chance(50) || !eb.one() {
			eb.number()
			eb.items(3)
		}
		d.nesting--
		b.store(false)
		b.block(head, after(), func() { b.lines = append(b.lines, eb.lines...) })
		b.unknown()
	}
	if toEnd {
		b.take() // before its elements are drawn, which could be of this record
		use("repeat to end as " + name)
		b.end()
		return true
	}
	b.counted(name, use)
	return true
}

// one draws a row that is a value of a record or a union of at least a byte, as the only
// one of an element.
func (b *body) one() bool {
	if b.d.has(fWordUnions) && b.d.chance(50) {
		if u := b.d.unionRef(!b.plain); !u.greedy {
			u.inner = true
			b.unionValue(u, nil)
			return true
		}
	}
	r := b.d.recordRef(0, !b.plain, func(r *record) bool { return r.args == 0 && r.least > 0 && !r.greedy && r.movable() })
	if r == nil {
		return false
	}
	b.recordValue(r, nil)
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
		eb := d.newBody(0)
		eb.element, eb.scaled, eb.cur.known, eb.plain = true, b.scaled, false, b.plain
		d.nesting++
		for range 2 {
			if !eb.one() {
				typ, s, isAxis := eb.scalar()
				eb.row(row{typ: typ, size: d.sizes(s, isAxis, 1), axis: isAxis, name: eb.name()})
			}
		}
		d.nesting--
		b.store(false)
		b.block(fmt.Sprintf("repeat %s as %s map%s", size, name, d.maybe(20, ` "a map"`)), b.after(), func() { b.lines = append(b.lines, eb.lines...) })
		b.unknown()
	})
	return true
}

// recordValue draws a row that is a value of a record.
func (b *body) recordValue(r *record, attrs []string) {
	typ := r.name
	if r.args > 0 {
		var args []string
		for range r.args {
			e, _ := b.expr().draw(1)
			args = append(args, text(e))
		}
		typ += "(" + strings.Join(args, ", ") + ")"
	}
	out := row{typ: typ, name: b.name(), attrs: attrs}
	if r.fixed && !r.open {
		out.size = r.size
	}
	if !r.greedy {
		out.attrs = append(out.attrs, b.pad(15)...)
	}
	b.store(r.text)
	b.least(r.least)
	b.row(out)
	if r.greedy {
		b.end()
	}
}

// inner0 draws a row that is a value of a record.
func (b *body) inner0() bool {
	tail := b.tail()
	r := b.d.recordRef(b.d.args(), false, func(r *record) bool { return r.movable() && (!r.greedy || tail && b.d.chance(30)) })
	if r == nil {
		return false
	}
	b.recordValue(r, nil)
	return true
}

// args draws a number of arguments.
func (d *drawer) args() int {
	if d.has(fArgs) && d.chance(60) {
		return 1 + d.n(3)
	}
	return 0
}

// unionValue draws a row that is a value of a union without arguments.
func (b *body) unionValue(u *union, attrs []string) string {
	name := b.name()
	b.store(false)
	b.least(u.least)
	b.row(row{typ: u.name, name: name, attrs: append(attrs, b.pad(10)...)})
	return name
}

// unionRow draws a row that is a value of a union that reads its own word.
func (b *body) unionRow() bool {
	u := b.d.unionRef(false)
	if u == nil || u.greedy {
		return false
	}
	name := b.unionValue(u, nil)
	if b.d.has(fComputed) && b.d.chance(30) {
		b.row(row{typ: "u64", size: b.d.each(8), name: b.name(), value: "arm(" + name + ")", attrs: []string{"read any"}})
	}
	return true
}

// recursion draws a list, or an optional row, of a union or record that is being drawn.
func (b *body) recursion() bool {
	if b.plain || b.element {
		return false
	}
	type open struct {
		name  string
		inner *bool
	}
	var all []open
	for _, u := range b.d.unions {
		if u.open && u.word && !u.greedy {
			all = append(all, open{u.name, &u.inner})
		}
	}
	for _, r := range b.d.records {
		if r.open && r.args == 0 && !r.greedy {
			all = append(all, open{r.name, &r.inner})
		}
	}
	if len(all) == 0 {
		return false
	}
	one := pick(b.d.source, all...)
	*one.inner = true
	typ := one.name
	if b.d.chance(60) {
		name := b.name()
		b.sized("count", name, func(size string) {
			eb := b.d.newBody(0)
			eb.element, eb.scaled, eb.cur.known = true, b.scaled, false
			eb.row(row{typ: typ, name: eb.name()})
			b.store(false)
			b.block(fmt.Sprintf("repeat %s as %s", size, name), b.after(), func() { b.lines = append(b.lines, eb.lines...) })
			b.unknown()
		})
		return true
	}
	flag, name := b.name(), b.name()
	b.row(row{typ: "u8", size: b.d.each(1), name: flag, value: "present(" + name + ")"})
	b.least(1)
	b.know(flag, 0)
	b.store(false)
	b.row(row{typ: typ, name: name, attrs: []string{"when " + flag}})
	b.unknown()
	return true
}

// armID draws a row that is the number of an arm.
func (b *body) armID() bool {
	u := b.d.anyUnion()
	if u == nil || len(u.ids) == 0 {
		return false
	}
	b.finish(row{typ: u.name + ".id", size: b.d.each(4), name: b.name()})
	return true
}

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
		b.row(row{typ: pick(d.source, "u8[2]", "u16[3]"), name: name, attrs: []string{"pad 4"}})
	}
}

// branch draws rows under a condition.
func (b *body) branch() bool {
	d := b.d
	if b.inner > 2 {
		return false
	}
	cond := b.expr().condition(d.chance(40))
	here := b.cur.clone()
	b.inner++
	var nums []num
	known := len(b.nums)
	b.block("if "+cond, "", func() { b.items(3) })
	ended := b.ended
	nums = append(nums, b.nums[known:]...)
	if d.chance(50) {
		b.cur, b.ended = here, false
		b.nums = b.nums[:known:known]
		b.block("else", "", func() { b.items(2) })
		ended = ended || b.ended
		nums = append(nums, b.nums[known:]...)
	}
	b.inner--
	b.ended = ended
	b.unknown()
	b.nums = b.nums[:known:known]
	if d.chance(40) { // they are 0 where they are absent
		for _, n := range nums {
			b.know(n.name, 0)
		}
	}
	return true
}

// optional draws a field that a flag announces.
func (b *body) optional() bool {
	d := b.d
	flag, name := b.name(), b.name()
	call := "present(" + name + ")"
	switch d.n(4) {
	case 1:
		b.row(row{typ: "u8", size: d.each(1), name: b.name(), bits: []string{fmt.Sprintf("%d %s = %s", d.n(8), flag, call), "rest " + pick(d.source, "zero", "ignore")}})
	case 2:
		b.row(row{typ: "bool8", size: d.each(1), name: flag, value: call})
	default:
		typ := pick(d.source, "u8", "u16", "u32")
		s, _ := builtin.ScalarNamed(typ)
		b.row(row{typ: typ, size: d.each(int64(s.Width())), name: flag, value: call})
	}
	b.least(1)
	b.know(flag, 0)
	cond := pick(d.source, flag, flag+" != 0", flag+" == 1")
	b.store(false)
	b.inner++
	r := b.any(name)
	if d.chance(50) {
		r.attrs = append(r.attrs, "when "+cond)
		b.row(r)
	} else {
		b.block("if "+cond, "", func() {
			b.row(r)
			if d.chance(40) {
				b.items(2)
			}
		})
	}
	b.inner--
	b.unknown()
	return true
}

// any draws a row of any type that needs no other row.
func (b *body) any(name string) row {
	d := b.d
	switch d.n(5) {
	case 3:
		if r := d.recordRef(0, false, func(r *record) bool { return d.has(fRecords) && r.args == 0 && !r.greedy && r.movable() }); r != nil {
			out := row{typ: r.name, name: name}
			if r.fixed {
				out.size = r.size
			}
			return out
		}
	case 4:
		if u := d.unionRef(false); d.has(fWordUnions) && u != nil && !u.greedy {
			return row{typ: u.name, name: name}
		}
	case 2:
		if d.has(fFloats) {
			return row{typ: "f32", size: d.each(4), name: name}
		}
		if d.has(fTruths) {
			return row{typ: "bool8", size: d.each(1), name: name, attrs: d.list(30, "read nonzero")}
		}
	case 1:
		if d.has(fTruths) {
			return row{typ: "bool16", size: d.each(2), name: name}
		}
	}
	typ, s, isAxis := b.scalar()
	return row{typ: typ, size: d.sizes(s, isAxis, 1), axis: isAxis, name: name}
}

// forms draws several forms of one field.
func (b *body) forms() bool {
	d := b.d
	name := b.name()
	var conds []string
	total := false
	switch d.n(4) {
	case 1: // a flag that is computed from the number
		flag := b.name()
		narrow, wide := pick(d.source, "u8", "u16", "u32"), "u64"
		if d.has(fSigned) {
			narrow, wide = pick(d.source, "i8", "i16", "i32"), "i64"
		} else if d.has(fFloats) && d.chance(50) {
			narrow, wide = "f32", "f64"
		}
		value := name + " outside " + narrow
		if d.chance(50) {
			b.row(row{typ: "u8", size: d.each(1), name: flag, value: value})
		} else {
			b.row(row{typ: "u16", size: d.each(2), name: b.name(), bits: []string{fmt.Sprintf("%d %s = %s", d.n(16), flag, value), "rest zero"}})
		}
		b.least(1)
		b.know(flag, 0)
		b.store(false)
		here := b.twice(name, flag, narrow, wide)
		_ = here
		return true
	case 2: // a flag that is stored
		flag := b.name()
		b.row(row{typ: "u8", size: d.each(1), name: b.name(), bits: []string{fmt.Sprintf("%d %s", d.n(8), flag), "rest " + pick(d.source, "ignore", "zero")}})
		b.stored++
		b.know(flag, 0)
		conds, total = []string{"!" + flag, flag}, true
	default: // a number
		kind := b.name()
		attrs := d.list(50, fmt.Sprintf("must %s < %d", kind, 2+d.n(3)))
		b.row(row{typ: "u8", size: d.each(1), name: kind, attrs: attrs})
		b.stored++
		b.know(kind, 0)
		for k := range 1 + d.n(3) {
			conds = append(conds, fmt.Sprintf("%s == %d", kind, k+d.n(2)*3))
		}
	}
	b.least(1)
	b.store(false)
	b.inner++
	var here cursor
	numbers := true
	bitName := ""
	for k, cond := range conds {
		if slices.Contains(conds[:k], cond) {
			break
		}
		r := b.any(name)
		if d.has(fBits) && bitName == "" && k == 0 && d.chance(50) {
			bitName = b.name()
		}
		if bitName != "" { // words of bits
			s := pick(d.source, builtin.U8, builtin.U16, builtin.U32)
			n := 1 + d.n(4)
			r = row{typ: s.String(), size: d.each(int64(s.Width())), name: name, bits: []string{fmt.Sprintf("0..%d %s", n, bitName), fmt.Sprintf("%d %s", n+1, b.name()), "rest zero"}}
			if d.chance(30) {
				r.bits = r.bits[:1]
			}
		}
		_, scalar := builtin.ScalarNamed(r.typ)
		numbers = numbers && scalar && r.typ[0] != 'f'
		r.attrs = append(r.attrs, "when "+cond)
		if k > 0 {
			b.cur = here.clone()
			if d.has(fNotes) && d.chance(20) {
				b.note()
			}
		}
		at := len(b.lines)
		letters := b.letters
		b.row(r)
		if k == 0 {
			here = b.formPlace(b.lines[at], letters)
		}
	}
	b.inner--
	b.unknown()
	if numbers && (total || d.chance(30)) {
		b.know(name, 0)
	}
	return true
}

// formPlace returns the place of the row of a line, for the other forms.
func (b *body) formPlace(line string, _ int) cursor {
	c := b.cur.clone()
	offset := strings.TrimSpace(strings.SplitN(line, "|", 3)[1])
	return cursor{true, []string{offset}, b.d.each(0), slices.Repeat([]int64{0}, len(c.n))}
}

// twice draws two forms of a number that a flag selects.
func (b *body) twice(name, flag, narrow, wide string) cursor {
	var here cursor
	types, signs := []string{narrow, wide}, []string{"!", ""}
	if b.d.chance(40) {
		slices.Reverse(types)
		slices.Reverse(signs)
	}
	for k, typ := range types {
		s, _ := builtin.ScalarNamed(typ)
		if k == 1 {
			b.cur = here.clone()
		}
		at := len(b.lines)
		b.row(row{typ: typ, size: b.d.each(int64(s.Width())), name: name, attrs: []string{"when " + signs[k] + flag}})
		if k == 0 {
			here = b.formPlace(b.lines[at], 0)
		}
	}
	b.unknown()
	return here
}

func (b *body) let() bool {
	name := b.name()
	e, v := b.writer().draw(3)
	b.line("let %s = %s", name, text(e))
	b.know(name, v)
	return true
}

func (b *body) check() bool {
	b.line("check %s %q", b.expr().condition(true), "the numbers do not fit")
	return true
}

// gate draws the demand that a gate is open, under a condition that seldom holds.
func (b *body) gate() bool {
	if b.inner == 0 && b.union == nil || !b.d.chance(60) {
		b.rec.fixed = false
		b.line("if %s {", b.expr().condition(false))
		b.line("    requires %s", pick(b.d.source, b.d.gates...))
		b.line("}")
		return true
	}
	b.line("requires %s", pick(b.d.source, b.d.gates...))
	return true
}

func (b *body) note() bool {
	d := b.d
	switch k := d.n(3); {
	case len(d.errata) > 0 && (k == 2 || !d.has(fNotes)):
		b.line("erratum %s", d.mention())
	case k == 1:
		b.line("says %q", "A sentence.")
	default:
		b.line("caption %q", "A table:")
	}
	return true
}
