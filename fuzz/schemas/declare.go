// Declarations: records and unions.

package schemas

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// decl is one declaration.
type decl struct {
	kind  string // encoding, type, union or arm
	name  string
	union string // of an arm
	id    string // of an arm
	label string // of an arm
	after string // behind the name
	marks string // errata, behind all of these
	doc   []string
	lead  []string // lines of an arm that an extending schema can put before the others
	body  []string
}

// text prints the declaration; word is replace or "".
func (d *decl) text(word string) string {
	head := d.kind + " " + d.name
	if d.kind == "arm" {
		head = fmt.Sprintf("arm %s %s %s", d.union, d.id, d.name)
		if d.label != "" {
			head += " " + d.label
		}
	}
	if word != "" {
		head = word + " " + head
	}
	head += d.after + d.marks
	out := strings.Join(append(slices.Clone(d.doc), head), "\n")
	lines := slices.Concat(d.lead, d.body)
	if len(lines) == 0 {
		return out + " {}\n"
	}
	return out + " {\n    " + strings.Join(lines, "\n    ") + "\n}\n"
}

// union is what others need to know of a declared union.
type union struct {
	name   string
	word   bool  // it reads the word that selects the arm
	width  int64 // of the word
	open   bool
	args   int
	ids    []int64
	other  bool // it has an else arm
	arms   []string
	least  int64
	greedy bool
	header string // the name of the word
	inner  bool   // it can be inside of itself
	text   bool   // its first arm holds one text
	// variant is set if the arms have forms that a reader and a writer have loops for.
	variant bool
	whole   bool   // the word is the number of the arm
	lo      int    // the lowest bit of the number in the word
	bits    int    // of the number
	stop    string // the condition that ends lists of it; "" before one is drawn
	// several is set if some arm has several numbers, or the word's else arm all others.
	several bool
	// closed is set if the else arm is refused.
	closed bool
	// size is the bytes of the arms behind the word, once one is drawn that is not refused. It is fixed if they are the same.
	size *fixedSize
}

// arm notes the bytes of an arm behind the word.
func (u *union) arm(s fixedSize) {
	if u.size == nil {
		u.size = &s
	}
	u.size.fixed = u.size.fixed && s.fixed && slices.Equal(u.size.size, s.size)
}

// unionSize returns the bytes of a row under each choice if its type is a union. The arms of the union must have one
// size.
func (d *drawer) unionSize(typ string) []int64 {
	name, _, _ := strings.Cut(typ, "(")
	i := slices.IndexFunc(d.unions, func(u *union) bool { return u.name == name })
	if i < 0 || d.unions[i].open || d.unions[i].size == nil || !d.unions[i].size.fixed {
		return nil
	}
	size := slices.Clone(d.unions[i].size.size)
	for k := range size {
		size[k] += d.unions[i].width
	}
	return size
}

// record declares a record with some arguments.
func (d *drawer) record(args int, plain bool) *record {
	r := &record{name: fmt.Sprint(pick(d.source, "Record", "File", "Chunk", "Item"), d.new()), args: args, open: true}
	d.records = append(d.records, r)
	b := d.newBody(0)
	b.plain, b.self = plain, r
	var params []string
	for range args {
		name := b.name()
		params = append(params, name)
		b.know(name, 0)
	}
	dc := &decl{kind: "type", name: r.name, marks: d.marks(), doc: d.doc()}
	if args > 0 {
		dc.after = "(" + strings.Join(params, ", ") + ")"
	}
	d.nesting++
	if d.has(fTuples) && d.chance(30) || d.has(fMembers) && d.chance(45) || d.nesting > 1 && d.likely(onTupleMembers, 0) {
		b.tuple()
	} else {
		if d.has(fRegions) && d.chance(25) {
			b.bounded()
		}
		if d.has(fMembers) && d.chance(50) {
			b.number()
			b.number()
		}
		if d.nesting > 1 && d.likely(onTextRecords, 0) {
			b.textBehind(d.n(3))
		} else if d.nesting > 1 && d.likely(onPoints, 0) {
			for range 1 + d.n(4) {
				pick(d.source, (*body).float, (*body).float, (*body).number)(b)
			}
		} else if d.has(fIfs) && d.chance(15) {
			b.number()
			b.branches(true)
		} else if d.has(fLists) && d.chance(12) {
			b.number()
			b.tuplesOf(b.constant)
		} else {
			b.focused(false)
			b.items(6)
			b.focused(true)
		}
	}
	d.nesting--
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	b.rec.name, b.rec.args = r.name, args
	b.rec.text = b.stored == 2 && b.texts == 1
	b.rec.nums = b.nums[args:]
	*r = *b.rec
	return r
}

// recordRef returns a record that fits: one that is declared, or a new one. With open set
// it may be one that is being drawn.
func (d *drawer) recordRef(args int, open bool, fits func(*record) bool) *record {
	var all []*record
	open = open && d.has(fRecursion) && !d.taken()
	for _, r := range d.records {
		if (!r.open || open && r.args == 0 && r.least > 0) && fits(r) {
			all = append(all, r)
		}
	}
	if len(all) > 0 && (d.chance(50) || d.nesting > 3 || d.budget <= 0) {
		r := all[d.n(len(all))]
		if r.open {
			d.nest()
		}
		return r
	}
	if d.nesting > 3 || d.budget <= 0 {
		return nil
	}
	if r := d.record(args, false); fits(r) {
		return r
	}
	return nil
}

// nest notes that each record and union that is being drawn can be inside of itself with rows behind it. So none of
// them can go on up to the end.
func (d *drawer) nest() {
	for _, r := range d.records {
		r.inner = r.inner || r.open
	}
	for _, u := range d.unions {
		u.inner = u.inner || u.open
	}
}

// taken reports whether a record or union that is being drawn goes on up to the end. Then none around it can be
// inside of it.
func (d *drawer) taken() bool {
	return slices.ContainsFunc(d.records, func(r *record) bool { return r.open && r.greedy }) ||
		slices.ContainsFunc(d.unions, func(u *union) bool { return u.open && u.greedy })
}

// unionRef returns a union that reads its own word: one that is declared, or a new one.
// With open set it may be one that is being drawn.
func (d *drawer) unionRef(open bool) *union {
	var all []*union
	open = open && d.has(fRecursion) && !d.taken()
	for _, u := range d.unions {
		if u.word && (!u.open || open) {
			all = append(all, u)
		}
	}
	if len(all) > 0 && (d.chance(70) || d.nesting > 2 || d.budget <= 0) {
		u := all[d.n(len(all))]
		if u.open {
			d.nest()
		}
		return u
	}
	if d.nesting > 3 && len(all) == 0 {
		d.budget = max(d.budget, 1)
	}
	return d.wordUnion()
}

// anyUnion returns a union that is declared, or nil.
func (d *drawer) anyUnion() *union {
	if len(d.unions) == 0 {
		return nil
	}
	return pick(d.source, d.unions...)
}

// wordUnion declares a union that reads the word that selects the arm.
func (d *drawer) wordUnion() *union {
	u := &union{name: fmt.Sprint(pick(d.source, "Variant", "Value", "Any"), d.new()), word: true, open: true}
	d.unions = append(d.unions, u)
	codes := d.has(fCodes) && d.chance(40)
	typ, width := "u8", int64(1)
	switch k := d.n(4); {
	case codes:
		typ, width = "code4", 4
	case k == 1:
		typ, width = "u16", 2
	case k == 2:
		typ, width = "u32", 4
	case k == 3 && d.has(fSigned):
		typ, width = pick(d.source, "i16", "i32"), 4
		if typ == "i16" {
			width = 2
		}
	case k == 3 && d.has(fWide):
		typ, width = "u64", 8
	case k == 0 && d.has(fOddWidths):
		typ, width = "u24", 3
	}
	if d.likely(onVariants, 0) {
		typ, width, u.variant = "u32", 4, true
	} else if s, _ := builtin.ScalarNamed(typ); !codes {
		typ = d.ordered(s)
	}
	u.least, u.width = width, width
	b := d.newBody(0)
	b.scaled = false
	by := b.name()
	dc := &decl{kind: "union", name: u.name, marks: d.marks(), doc: d.doc()}
	r := row{typ: typ, size: d.each(width), name: by}
	free, ids := 0, int64(1)<<min(8*width-1, 20)
	u.bits = int(8 * width)
	if d.has(fBits) && !codes || u.variant && d.chance(85) {
		r.name = b.name()
		lo, rest := d.n(3), 35
		n := 2 + d.n(4)
		if u.variant {
			lo, n, rest = 0, 8, 90
		}
		r.bits = []string{fmt.Sprintf("%d..%d %s%s", lo, lo+n-1, by, d.maybe(30, ` "number"`))}
		r.bits = append(r.bits, d.list(rest, "rest any")...)
		free, ids = lo+n, int64(1)<<n
		u.lo, u.bits = lo, n
	}
	if d.chance(30) && (!u.variant || d.chance(30)) {
		r.attrs = append(r.attrs, fmt.Sprintf("check %s != %d", by, pick(d.source, 1, 3, 200))+d.maybe(30, ` "not allowed"`))
	}
	dc.after = " by " + by
	u.header, u.whole = r.name, len(r.bits) == 0
	b.row(r)
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	first := pick[int64](d.source, 0, 1, 5)
	if first+4 > ids {
		first = 0
	}
	arms := min(1+d.n(5), int(ids-first))
	if u.variant {
		arms += 2
	}
	if !codes && d.has(fIDs) && d.likely(onArmForms, 60) {
		d.severalArms(u, first, ids, arms, width, free)
		u.open = false
		return u
	}
	for k := range arms {
		id := armID{text: d.number(first + int64(k)), sample: first + int64(k)}
		if codes {
			id.text = []string{"'LIST'", "'a'", "'data'", "'x y '", "'0'", "'ab'"}[k]
		} else {
			u.ids = append(u.ids, id.sample)
		}
		d.arm(u, id, width, free, int(8*width), k == 0)
	}
	u.open = false
	return u
}

// armID is the numbers of an arm.
type armID struct {
	text    string
	sample  int64          // one of them
	named   int            // bits of the number, from the lowest on, that are a field of the arm
	refused bool           // the arm is refused
	forms   builtin.Ranges // the numbers, if they select the form of a row
}

// numbers returns the numbers of an arm with the bits in which they differ.
func (d *drawer) numbers(ids builtin.Ranges) armID {
	out := armID{sample: int64(ids[0].Lo), named: bits.Len64(ids.Varying())}
	var text []string
	for _, r := range ids {
		one := d.number(int64(r.Lo))
		if r.Hi != r.Lo || d.chance(5) {
			one += ".." + d.number(int64(r.Hi))
		}
		text = append(text, one)
	}
	if d.chance(30) {
		slices.Reverse(text)
	}
	out.text = strings.Join(text, ", ")
	return out
}

// severalArms declares arms of a union that reads its own word, of which some have several
// numbers. The numbers go from first to limit-1.
func (d *drawer) severalArms(u *union, first, limit int64, arms int, width int64, free int) {
	u.several = true
	var all []builtin.Ranges
	next := uint64(first)
	if d.chance(8) { // all numbers are of the arm for all others
		arms = 0
	}
	for len(all) < arms && next < uint64(limit) {
		last := min(next+uint64(d.n(9)), uint64(limit)-1)
		if last > next+1 && d.chance(40) { // the next arm is between two numbers of this one
			all = append(all, builtin.Ranges{builtin.One(next), {Lo: next + 2, Hi: last}}, builtin.Ranges{builtin.One(next + 1)})
		} else {
			all = append(all, builtin.Ranges{{Lo: next, Hi: last}})
		}
		next = last + 1
	}
	for k, ids := range all {
		id := d.numbers(ids)
		if u.whole && ids.Several() && (d.has(fForms) || d.chance(50)) {
			id.named, id.forms = 0, ids
		}
		id.refused = k > 0 && d.chance(15)
		d.arm(u, id, width, free, int(8*width), k == 0)
	}
	if next < uint64(limit) && (arms == 0 || d.chance(40)) {
		u.other = true
		d.arm(u, armID{text: "else", sample: int64(next), named: u.bits}, width, free, int(8*width), arms == 0)
	}
}

// arm declares an arm.
func (d *drawer) arm(u *union, id armID, from int64, free, width int, plain bool) {
	sample := id.sample
	b := d.newBody(from)
	b.union, b.plain = u, plain
	b.self = &record{}
	b.rec.least = from
	if u.word {
		b.names[u.header] = true
		if u.whole {
			b.know(u.header, sample)
		}
	}
	name := fmt.Sprint(pick(d.source, "arm", "Point", "list", "None"), d.new())
	dc := &decl{kind: "arm", union: u.name, name: name, id: id.text, marks: d.marks(), doc: d.doc()}
	if d.chance(55) {
		dc.label = fmt.Sprintf("%q", "label of "+name)
	}
	if u.args > 0 {
		for k := range u.args {
			p := fmt.Sprint("arg", k)
			b.names[p] = true
			if k == 0 {
				b.know(p, sample)
			} else {
				b.know(p, 0)
			}
		}
	}
	if free > 0 && d.has(fSelects) && d.option != nil && len(d.option.choices) > 1 && free < width && d.chance(75) {
		b.line("%s { %d %s selects %s }", u.header, free, b.name(), d.option.name)
		free++
		b.scaled = true
	}
	dc.lead, b.lines = b.lines, nil
	if id.refused {
		b.line("refuse %q", "numbers of "+name)
		dc.body = b.lines
		d.decls = append(d.decls, dc)
		u.arms = append(u.arms, name)
		return
	}
	if id.named > 0 {
		at := fmt.Sprint(u.lo)
		if id.named > 1 {
			at = fmt.Sprintf("%d..%d", u.lo, u.lo+id.named-1)
		}
		number := b.name()
		b.line("%s { %s %s%s }", u.header, at, number, d.maybe(30, ` "number"`))
		b.know(number, sample&(int64(1)<<min(id.named, 62)-1))
		b.stored++
	}
	if id.forms != nil {
		forms := b.held(u.header, slices.Clone(id.forms))
		b.chosen(b.name(), u.header, forms)
	}
	var later []string
	unions := false
	if !u.variant || d.chance(30) {
		later, free, unions = b.headerBits(u, free, width)
	}
	b.more = len(later) > 0
	if d.has(fWrites) && len(u.arms) > 0 && d.chance(60) {
		b.writes(u)
	}
	b.content(u, name, free, len(later) > 0, unions)
	for k := 0; k < len(later); k += 2 {
		r := b.any(later[k+1])
		r.attrs = append(r.attrs, "if "+later[k])
		b.store(false)
		b.row(r)
		b.unknown()
	}
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	u.arm(b.rec.fixedSize)
	u.arms = append(u.arms, name)
	u.greedy = u.greedy || b.rec.greedy
	d.keys = append(d.keys, name)
}

// headerBits draws the bits of the word of a union that are free. It returns the flags of rows at the end of the arm with the names of
// the rows, the first bit that is left, and whether a value of a union is selected by the bits.
func (b *body) headerBits(u *union, from, width int) (later []string, free int, unions bool) {
	d := b.d
	free = from
	for free > 0 && free < width && d.chance(50) {
		n := 1 + d.n(3)
		if free+n > width {
			break
		}
		if of, needs := b.selected(width - free); of != nil {
			name := b.name()
			b.line("%s { %d..%d %s selects %s }", u.header, free, free+needs-1, name, of.name)
			b.stored++
			b.know(name, of.ids[0])
			free += needs
			unions = true
			continue
		}
		bits := fmt.Sprint(free)
		if n > 1 {
			bits = fmt.Sprintf("%d..%d", free, free+n-1)
		}
		free += n
		if n == 1 && d.chance(40) { // a flag of a row at the end
			flag, field := b.name(), b.name()
			b.line("%s { %s %s = present(%s)%s }", u.header, bits, flag, field, d.maybe(30, ` "has it"`))
			later = append(later, flag, field)
			continue
		}
		n0, s0, line := b.bit(n)
		b.line("%s { %s %s }", u.header, bits, line)
		b.know(n0, s0)
	}
	return later, free, unions
}

// content draws the rows of an arm between its bits and the rows with flags.
func (b *body) content(u *union, name string, free int, later, unions bool) {
	d := b.d
	d.nesting++
	if b.plain && u.word && d.has(fWrites) {
		b.text()
		u.text = b.stored == 2 && !later // as in record
	} else if d.has(fKeys) && !later && d.chance(15) {
		b.finish(row{typ: pick(d.source, "u8", "bool8"), size: d.each(1), name: b.name()})
		b.text()
		if !unions {
			d.hollow = append(d.hollow, name)
		}
	} else if (d.has(fTuples) || b.scaled) && len(b.lines) == 0 && d.chance(40) {
		b.tuple()
	} else if u.variant && len(b.lines) == 0 && d.chance(93) {
		b.variant(free)
	} else if d.nesting < 5 {
		b.items(5)
	}
	d.nesting--
}

// writes draws rules for what a writer puts in place of the arm. Those after the first apply
// if its condition does not hold.
func (b *body) writes(u *union) {
	d := b.d
	for range 1 + d.n(2) {
		when := ""
		switch {
		case len(d.gates) > 0 && d.chance(40):
			when = " if closed(" + pick(d.source, d.gates...) + ")"
		case d.chance(50): // a number of the arm
			r := row{typ: "u8", size: d.each(1), name: b.name()}
			r.attrs = []string{"check " + r.name + " < 250"} // so that it is not part of a tuple
			b.finish(r)
			b.know(r.name, 0)
			x := &drawExpr{d: d, nums: b.nums[len(b.nums)-1:]}
			when = " if " + x.condition(d.chance(50))
		}
		instead := "absent"
		if u.text {
			instead = pick(d.source, instead, u.arms[0]+` "text"`, u.arms[0])
		}
		b.line("writes %s%s", instead, when)
		if when == "" {
			return
		}
	}
}

// cases draws a row that is a value of a union whose arm an argument selects.
func (b *body) cases() bool {
	d := b.d
	if d.nesting > 3 {
		return false
	}
	u := d.argUnion()
	bounded := d.has(fRegions) && d.chance(40)
	if u == nil || u.greedy && !bounded && !b.tail() {
		return false
	}
	kind, name := b.name(), b.name()
	typ := pick(d.source, "u8", "u16", "u32")
	width := map[string]int64{"u8": 1, "u16": 2, "u32": 4}[typ]
	if len(u.ids) == 0 { // codes
		typ, width = "code4", 4
	}
	arg := kind
	sample := int64(0)
	if len(u.ids) > 0 {
		sample = u.ids[0]
	}
	switch {
	case !u.several && (!u.other || u.closed) && d.chance(50):
		k := int64(d.n(3))
		value := "arm(" + name + ")"
		if k > 0 && typ != "code4" {
			value += fmt.Sprint(" + ", k)
			arg = fmt.Sprint(kind, " - ", k)
			sample += k
		}
		b.row(row{typ: typ, size: d.each(width), name: kind, value: value})
	default:
		var attrs []string
		if len(u.ids) > 0 && !u.other {
			attrs = []string{fmt.Sprintf("check %s >= %d && %s <= %d", kind, u.ids[0], kind, u.ids[len(u.ids)-1])}
		}
		b.row(row{typ: typ, size: d.each(width), name: kind, attrs: attrs})
		b.store(false)
	}
	b.least(width)
	b.know(kind, sample)
	for range u.args - 1 {
		e, _ := b.expr().draw(1)
		arg += ", " + text(e)
	}
	b.store(false)
	r := row{typ: fmt.Sprintf("%s(%s)", u.name, arg), name: name}
	if bounded {
		b.sized("size", name, func(size string) {
			r.length = size
			b.row(r)
		})
		return true
	}
	b.row(r)
	if u.greedy {
		b.end()
	}
	return true
}

// argUnion returns a union whose arm an argument selects.
func (d *drawer) argUnion() *union {
	for _, u := range d.unions {
		if !u.word && !u.open && d.chance(60) {
			return u
		}
	}
	u := &union{name: fmt.Sprint(pick(d.source, "Body", "Content"), d.new()), open: true, args: 1}
	if d.has(fArgs) {
		u.args += d.n(2)
	}
	d.unions = append(d.unions, u)
	var params []string
	for k := range u.args {
		params = append(params, fmt.Sprint("arg", k))
	}
	dc := &decl{kind: "union", name: u.name, after: "(" + strings.Join(params, ", ") + ") by arg0", marks: d.marks(), doc: d.doc()}
	d.decls = append(d.decls, dc)
	codes := d.has(fCodes) && d.chance(40)
	u.other = d.has(fCases) && d.chance(70)
	step := int64(1)
	if u.other {
		step = int64(1 + d.n(4))
	}
	several := u.other && d.has(fIDs)
	first, arms := pick[int64](d.source, 0, 1, 5), 1+d.n(4)
	if u.other && d.chance(15) { // no arm but else
		arms = 0
	}
	for k := range arms {
		id := armID{text: d.number(first + int64(k)*step), sample: first + int64(k)*step}
		switch {
		case codes:
			id = armID{text: []string{"'LIST'", "'fmt '", "'data'", "'x'"}[k]}
			if d.has(fIDs) && d.chance(40) {
				id.text += []string{", 'aaaa'", ", 'b', 'cc'", ", 'dddd'", ", 'e'"}[k]
				u.several = true
			}
		case several:
			high := id.sample + int64(d.n(int(step)))
			id = d.numbers(builtin.Ranges{{Lo: uint64(id.sample), Hi: uint64(high)}})
			u.ids = append(u.ids, id.sample, high)
			u.several = u.several || high > id.sample
		default:
			u.ids = append(u.ids, id.sample)
		}
		id.named = 0 // the number is stored outside of the union
		d.arm(u, id, 0, 0, 0, false)
	}
	if u.other {
		u.closed = d.chance(30)
		d.arm(u, armID{text: "else", sample: 99, refused: u.closed}, 0, 0, 0, false)
	}
	u.open = false
	return u
}

// severalIDs reports whether an arm may have several numbers.
func severalIDs(d *decl) bool { return d.id == "else" || strings.ContainsAny(d.id, ".,") }
