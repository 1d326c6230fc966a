// Declarations: records and unions, and the split of a schema into one that extends another.

package schemas

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// decl is one declaration.
type decl struct {
	kind  string // encoding, const, erratum, type, union or arm
	name  string
	union string // of an arm
	id    string // of an arm
	label string // of an arm
	after string // behind the name
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
	head += d.after
	out := strings.Join(append(slices.Clone(d.doc), head), "\n")
	if d.kind == "const" {
		return out + "\n"
	}
	lines := slices.Concat(d.lead, d.body)
	if len(lines) == 0 {
		return out + " {}\n"
	}
	return out + " {\n    " + strings.Join(lines, "\n    ") + "\n}\n"
}

// union is what others need to know of a declared union.
type union struct {
	name   string
	word   bool // it reads the word that selects the arm
	open   bool
	args   int
	ids    []int64
	other  bool // it has an else arm
	arms   []string
	least  int64
	greedy bool
	header string // the name of the word
	inner  bool   // it is in a list of its own arms
	text   bool   // its first arm holds one text
	whole  bool   // the word is the number of the arm
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
	dc := &decl{kind: "type", name: r.name, doc: d.doc()}
	if args > 0 {
		dc.after = "(" + strings.Join(params, ", ") + ")"
	}
	d.nesting++
	if d.has(fTuples) && d.chance(30) {
		b.tuple()
	} else {
		b.items(6)
	}
	d.nesting--
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	b.rec.name, b.rec.args = r.name, args
	b.rec.text = b.stored == 2 && b.texts == 1
	*r = *b.rec
	return r
}

// recordRef returns a record that fits: one that is declared, or a new one. With open set
// it may be one that is being drawn.
func (d *drawer) recordRef(args int, open bool, fits func(*record) bool) *record {
	var all []*record
	for _, r := range d.records {
		if (!r.open || open && d.has(fRecursion) && r.args == 0 && r.least > 0) && fits(r) {
			all = append(all, r)
		}
	}
	if len(all) > 0 && (d.chance(50) || d.nesting > 3 || d.budget <= 0) {
		return all[d.n(len(all))]
	}
	if d.nesting > 3 || d.budget <= 0 {
		return nil
	}
	if r := d.record(args, false); fits(r) {
		return r
	}
	return nil
}

// unionRef returns a union that reads its own word: one that is declared, or a new one.
// With open set it may be one that is being drawn.
func (d *drawer) unionRef(open bool) *union {
	var all []*union
	for _, u := range d.unions {
		if u.word && (!u.open || open && d.has(fRecursion)) {
			all = append(all, u)
		}
	}
	if len(all) > 0 && (d.chance(70) || d.nesting > 2 || d.budget <= 0) {
		return all[d.n(len(all))]
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
	}
	u.least = width
	b := d.newBody(0)
	b.scaled = false
	by := b.name()
	dc := &decl{kind: "union", name: u.name, doc: d.doc()}
	r := row{typ: typ, size: d.each(width), name: by}
	free, ids := 0, int64(1)<<min(8*width-1, 20)
	if d.has(fBits) && !codes {
		r.name = b.name()
		lo := d.n(3)
		n := 2 + d.n(4)
		r.bits = []string{fmt.Sprintf("%d..%d %s%s", lo, lo+n-1, by, d.maybe(30, ` "number"`))}
		r.bits = append(r.bits, d.list(35, "rest any")...)
		free, ids = lo+n, int64(1)<<n
	}
	dc.after = " by " + by
	if d.has(fNotes) && d.chance(30) {
		b.note()
	}
	u.header, u.whole = r.name, len(r.bits) == 0
	b.row(r)
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	first := pick[int64](d.source, 0, 1, 5)
	if first+4 > ids {
		first = 0
	}
	arms := min(1+d.n(5), int(ids-first))
	for k := range arms {
		id := d.number(first + int64(k))
		if codes {
			id = []string{"'LIST'", "'a'", "'data'", "'x y '", "'0'", "'ab'"}[k]
		} else {
			u.ids = append(u.ids, first+int64(k))
		}
		d.arm(u, id, first+int64(k), width, free, int(8*width), k == 0)
	}
	u.open = false
	return u
}

// arm declares an arm.
func (d *drawer) arm(u *union, id string, sample, from int64, free, width int, plain bool) {
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
	dc := &decl{kind: "arm", union: u.name, name: name, id: id, doc: d.doc()}
	if d.chance(40) {
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
	if d.has(fNotes) || d.has(fErrata) {
		if d.chance(30) {
			b.note()
		}
	}
	if free > 0 && d.has(fSelects) && d.axis != nil && len(d.axis.choices) > 1 && free < width && d.chance(75) {
		b.line("%s { %d %s selects %s }", u.header, free, b.name(), d.axis.name)
		free++
		b.scaled = true
	}
	dc.lead, b.lines = b.lines, nil
	var later []string
	for free > 0 && free < width && d.chance(50) {
		n := 1 + d.n(3)
		if free+n > width {
			break
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
	if d.has(fWrites) && len(u.arms) > 0 && d.chance(80) {
		when := ""
		switch {
		case len(d.gates) > 0 && d.chance(40):
			when = " if closed(" + pick(d.source, d.gates...) + ")"
		case d.chance(50): // a number of the arm
			r := row{typ: "u8", size: d.each(1), name: b.name()}
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
	}
	d.nesting++
	if plain && u.word && d.has(fWrites) {
		b.text()
		u.text = b.stored == 2 && len(later) == 0 // as in record
	} else if (d.has(fTuples) || b.scaled) && len(b.lines) == 0 && d.chance(40) {
		b.tuple()
	} else if d.nesting < 5 {
		b.items(5)
	}
	d.nesting--
	for k := 0; k < len(later); k += 2 {
		r := b.any(later[k+1])
		if b.ended {
			b.cur.known = false
		}
		r.attrs = append(r.attrs, "if "+later[k])
		b.store(false)
		b.row(r)
		b.unknown()
	}
	dc.body = b.lines
	d.decls = append(d.decls, dc)
	u.arms = append(u.arms, name)
	u.greedy = u.greedy || b.rec.greedy
	d.keys = append(d.keys, name)
}

// cases draws a row that is a value of a union whose arm an argument selects.
func (b *body) cases() bool {
	d := b.d
	if d.nesting > 3 {
		return false
	}
	u := d.argUnion(b)
	if u == nil || u.greedy && !b.tail() {
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
	case d.chance(50):
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
	b.row(row{typ: fmt.Sprintf("%s(%s)", u.name, arg), name: name})
	if u.greedy {
		b.end()
	}
	return true
}

// argUnion returns a union whose arm an argument selects.
func (d *drawer) argUnion(_ *body) *union {
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
	dc := &decl{kind: "union", name: u.name, after: "(" + strings.Join(params, ", ") + ") by arg0", doc: d.doc()}
	if d.has(fNotes) && d.chance(30) {
		dc.body = []string{`says "An argument selects the arm."`}
	}
	d.decls = append(d.decls, dc)
	codes := d.has(fCodes) && d.chance(40)
	u.other = d.has(fCases) && d.chance(70)
	step := int64(1)
	if u.other {
		step = int64(1 + d.n(4))
	}
	first, arms := pick[int64](d.source, 0, 1, 5), 1+d.n(4)
	if u.other && d.chance(15) { // no arm but else
		arms = 0
	}
	for k := range arms {
		id := first + int64(k)*step
		word := d.number(id)
		if codes {
			word, id = []string{"'LIST'", "'fmt '", "'data'", "'x'"}[k], 0
		} else {
			u.ids = append(u.ids, id)
		}
		d.arm(u, word, id, 0, 0, 0, false)
	}
	if u.other {
		d.arm(u, "else", 99, 0, 0, 0, false)
	}
	u.open = false
	return u
}

// files prints the schema, split if it extends another one.
func (d *drawer) files() []File {
	top := part{id: "drawn", props: append(slices.Clone(d.props), "root "+d.root), decls: d.decls}
	d.whole = top.file()
	var out []File
	for k := range 2 {
		if !d.has(fExtends) || k > 0 && !d.chance(40) {
			break
		}
		base := d.split(&top, fmt.Sprint("drawn", k))
		out = append([]File{top.file()}, out...)
		top = base
	}
	out = append([]File{top.file()}, out...)
	// An extended schema has a root only if it, and those between, resolve by themselves.
	for k := range len(out) - 1 {
		rooted := slices.Clone(out)
		rooted[k].Text = strings.Replace(rooted[k].Text, " {\n", " {\n    root "+d.root+"\n", 1)
		valid := d.chance(60)
		for last := k + 1; valid && last < len(out); last++ {
			valid = Resolve(rooted[:last]).Err == nil
		}
		if valid {
			out = rooted
			break // those after it have the same root
		}
	}
	return out
}

// part is one file of a drawn schema.
type part struct {
	id, extends string
	props       []string
	changes     []string // what it does to the schema that it extends
	decls       []*decl
}

func (p *part) file() File { return File{p.id, print(p.id, p.extends, p.props, p.decls, p.changes)} }

// split moves declarations of a schema, in other forms or as they are, to one that it then
// extends, and returns that one. Together they are the schema as it was.
func (d *drawer) split(top *part, id string) part {
	base := part{id: id, extends: top.extends, changes: top.changes}
	top.extends, top.changes = id, nil
	var props []string
	for _, p := range top.props {
		word, _, _ := strings.Cut(p, " ")
		switch word {
		case "order", "axis", "gate", "title", "depth":
			if word == "gate" || word == "axis" || d.chance(50) {
				base.props = append(base.props, p)
				continue
			}
		}
		props = append(props, p)
	}
	var decls []*decl
	var renames, renumbers, changes []string
	mine := map[string]bool{} // unions of the extending schema
	swapped := map[*decl]bool{}
	moved := false // a constant is
	for i, dc := range top.decls {
		keep := func() { base.decls = append(base.decls, dc) }
		other := func(change func(*decl)) *decl {
			old := *dc
			old.doc = nil
			change(&old)
			base.decls = append(base.decls, &old)
			return &old
		}
		move := func() { decls = append(decls, dc) }
		how := d.n(10)
		switch dc.kind {
		case "const":
			if moved = moved || how >= 7; moved { // those after it may use it
				move()
			} else {
				keep()
			}
		case "erratum", "encoding", "type":
			switch {
			case how < 4:
				keep()
			case how < 8:
				other(func(old *decl) {
					old.body = map[string][]string{"erratum": {`says "Something else."`}, "encoding": {"utf8 unchecked", "nul stop"}, "type": {"| 0 | 1 | u8 | old |"}}[dc.kind]
					if dc.kind == "erratum" {
						old.after = ""
					}
				})
				changes = append(changes, dc.text("replace"))
			case dc.kind == "erratum":
				keep()
			default:
				move()
			}
		case "union":
			switch {
			case how < 6:
				keep()
			case how < 8:
				other(func(old *decl) { old.body = append(slices.Clone(old.body), `says "It is replaced."`) })
				changes = append(changes, dc.text("replace"))
			default:
				mine[dc.name] = true
				move()
			}
		case "arm":
			number := dc.id != "else" && dc.id[0] != '\''
			switch {
			case mine[dc.union]:
				move()
			case swapped[dc]: // in the extended schema already, with another number
			case how < 2:
				keep()
			case how < 4:
				other(func(old *decl) { old.lead, old.body = nil, nil })
				changes = append(changes, dc.text("replace"))
			case how < 6:
				old := other(func(old *decl) {
					old.name = "Old" + old.name
					if d.chance(75) {
						old.label = ""
					}
				})
				line := fmt.Sprintf("rename %s { %s %s", dc.union, old.name, dc.name)
				if dc.label != "" && old.label != dc.label {
					line += " " + dc.label
				}
				renames = append(renames, line+" }")
			case how < 8 && number:
				var next *decl
				for _, b := range top.decls[i+1:] {
					if b.kind == "arm" && b.union == dc.union && b.id != "else" {
						next = b
						break
					}
				}
				if next == nil {
					keep()
					continue
				}
				swapped[next] = true
				other(func(old *decl) { old.id = next.id })
				twin := *next
				twin.id = dc.id
				base.decls = append(base.decls, &twin)
				renumbers = append(renumbers, fmt.Sprintf("renumber %s { %s %s %s %s }", dc.union, dc.name, dc.id, next.name, next.id))
			case how >= 8:
				lead := dc.lead
				other(func(old *decl) { old.lead = nil })
				if len(lead) > 0 || d.chance(30) {
					changes = append(changes, fmt.Sprintf("extend arm %s %s {\n    %s\n}\n", dc.union, dc.name, strings.Join(lead, "\n    ")))
				}
			default:
				keep()
			}
		}
	}
	gone := fmt.Sprint("Gone", d.new())
	switch d.n(5) {
	case 1:
		base.decls = append(base.decls, &decl{kind: "type", name: gone, body: []string{"| 0 | 1 | u8 | x |"}})
		changes = append(changes, "remove type "+gone)
	case 2:
		base.decls = append(base.decls, &decl{kind: "union", name: gone, after: " by x", body: []string{"| 0 | 1 | u8 | x |"}})
		base.decls = append(base.decls, &decl{kind: "arm", union: gone, name: gone, id: "0"})
		changes = append(changes, "remove union "+gone)
	case 3:
		base.decls = append(base.decls, &decl{kind: "erratum", name: gone}, &decl{kind: "erratum", name: gone + "b"})
		changes = append(changes, "remove erratum "+gone+" "+gone+"b")
	case 4:
		if u := pickUnion(d, base.decls); u != nil {
			arm := &decl{kind: "arm", union: u.name, name: gone, id: d.freeID(base.decls, u.name)}
			at := 1 + slices.Index(base.decls, u)
			base.decls = slices.Insert(base.decls, at+d.n(len(base.decls)-at+1), arm)
			changes = append(changes, "remove arm "+gone)
		}
	}
	top.props, top.decls = props, decls
	top.changes = slices.Concat(renames, renumbers, changes)
	return base
}

// pickUnion returns one of the unions that are declared, or nil.
func pickUnion(d *drawer, decls []*decl) *decl {
	var all []*decl
	for _, dc := range decls {
		if dc.kind == "union" {
			all = append(all, dc)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return pick(d.source, all...)
}

// freeID returns the number after the highest number of an arm.
func (d *drawer) freeID(decls []*decl, union string) string {
	id := int64(0)
	for _, dc := range decls {
		if dc.kind != "arm" || dc.union != union || dc.id == "else" {
			continue
		}
		if dc.id[0] == '\'' {
			return fmt.Sprintf("'G%d'", d.new())
		}
		n, _ := strconv.ParseInt(strings.TrimPrefix(strings.TrimPrefix(dc.id, "0x"), "0X"), map[bool]int{true: 16, false: 10}[strings.HasPrefix(dc.id, "0x")], 64)
		id = max(id, n+1)
	}
	return fmt.Sprint(id)
}

func print(id, extends string, props []string, decls []*decl, changes []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "schema %q", id)
	if extends != "" {
		fmt.Fprintf(&out, " extends %q", extends)
	}
	out.WriteString(" {\n")
	for _, p := range props {
		out.WriteString("    " + p + "\n")
	}
	out.WriteString("}\n\n")
	for _, c := range changes {
		out.WriteString(c + "\n\n")
	}
	for _, dc := range decls {
		out.WriteString(dc.text("") + "\n")
	}
	return out.String()
}
