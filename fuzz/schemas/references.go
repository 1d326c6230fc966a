// Groups that refer to records and unions.

package schemas

import (
	"fmt"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

// recordValue draws a row that is a value of a record, and returns its name.
func (b *body) recordValue(r *record) string {
	out := row{typ: r.name + b.arguments(r), name: b.name()}
	if r.fixed && !r.open {
		out.size = r.size
	}
	if !r.greedy {
		out.attrs = append(b.pad(15), b.ofElement(out.name)...)
	}
	b.store(r.text)
	b.least(r.least)
	b.row(out)
	if r.greedy {
		b.end()
	}
	if b.d.has(fMembers) && !r.open && len(r.always) > 1 { // one alone may represent the record
		for range 1 + b.d.n(2) {
			m := pick(b.d.source, r.always...)
			b.know(out.name+"."+m.name, m.sample)
		}
	}
	return out.name
}

// members draws a row of a record with at least two numbers, which expressions after it can
// name.
func (b *body) members() bool {
	d := b.d
	usable := func(r *record) bool { return len(r.always) > 1 && r.args == 0 && !r.greedy && !r.open }
	var all []*record
	for _, r := range d.records {
		if usable(r) {
			all = append(all, r)
		}
	}
	if len(all) == 0 || d.chance(30) {
		if d.nesting > 3 || d.budget <= 0 {
			return false
		}
		r := d.record(0, true)
		if !usable(r) {
			return false
		}
		all = append(all, r)
	}
	r := all[d.n(len(all))]
	name := b.recordValue(r)
	m := pick(d.source, r.always...)
	x := operation(builtin.Sub, ref(name+"."+m.name), d.constantOf(m.sample))
	switch d.n(10) {
	case 0, 1, 2, 3, 4, 5, 6:
		b.boundedRow(row{name: b.name(), length: pick(d.source, name+"."+m.name, "("+text(x)+") & 15")})
	case 7:
		b.store(false)
		b.row(row{typ: "u8[" + text(operation(builtin.And, x, literal(7))) + "]", name: b.name()})
	case 8:
		b.finish(row{typ: "u16", size: d.each(2), name: b.name(), attrs: []string{"check " + text(operation(builtin.Lt, x, literal(1000)))}})
	default:
		b.least(1)
		b.row(row{typ: "u8", size: d.each(1), name: b.name(), value: text(operation(builtin.And, x, literal(255))), attrs: d.list(50, "any")})
	}
	return true
}

// arguments draws the arguments of a record, in parentheses if there are some.
func (b *body) arguments(r *record) string {
	if r.args == 0 {
		return ""
	}
	var args []string
	for range r.args {
		e, _ := b.expr().draw(1)
		if b.d.chance(40) { // a negative number has more than 32 bits
			e = operation(builtin.Sub, e, literal(int64(1+b.d.n(9))))
		}
		args = append(args, text(e))
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// recordRow draws a row that is a value of a record, declared or new.
func (b *body) recordRow() bool {
	tail := b.tail()
	r := b.d.recordRef(b.d.args(), false, func(r *record) bool { return !r.greedy || tail && b.d.chance(30) })
	if r == nil {
		return false
	}
	b.recordValue(r)
	return true
}

// args draws a number of arguments.
func (d *drawer) args() int {
	if d.has(fArgs) && d.chance(60) {
		return 1 + d.n(3)
	}
	return 0
}

// unionValue draws a row that is a value of a union without arguments, and returns its name.
func (b *body) unionValue(u *union) string {
	name := b.name()
	b.store(false)
	b.least(u.least)
	attrs := b.pad(10)
	if !u.several && b.element && b.d.has(fMusts) && b.d.chance(30) {
		attrs = append(attrs, fmt.Sprintf("check arm(%s) != %d", name, b.d.n(9)))
	}
	b.row(row{typ: u.name, name: name, attrs: append(attrs, b.ofElement(name)...)})
	return name
}

// ofElement draws a condition of a value in an element.
func (b *body) ofElement(name string) []string {
	if !b.element {
		return nil
	}
	return b.asks(name, "size")
}

// unionRow draws a row that is a value of a union that reads its own word.
func (b *body) unionRow() bool {
	u := b.d.unionRef(false)
	if u == nil || u.greedy {
		return false
	}
	name := b.unionValue(u)
	switch {
	case b.d.has(fComputed) && !u.several && b.d.chance(30):
		b.row(row{typ: "u64", size: b.d.each(8), name: b.name(), value: "arm(" + name + ")", attrs: b.d.list(60, "any")})
	case b.d.has(fComputed) && u.several && !u.other && b.d.chance(30):
		b.row(row{typ: "u8", size: b.d.each(1), name: b.name(), attrs: []string{fmt.Sprintf("if arm(%s) %s %d", name, pick(b.d.source, "<", "==", "!="), b.d.n(9))}})
	}
	return true
}

// recursion draws a list, or an optional row, of a union or record that is being drawn. If first is set, it
// is the first record, perhaps the root, if there is one.
func (b *body) recursion(first bool) bool {
	if b.plain || b.element || b.d.taken() {
		return false
	}
	var all []string
	for _, u := range b.d.unions {
		if u.open && u.word {
			all = append(all, u.name)
		}
	}
	for _, r := range b.d.records {
		if r.open && r.args == 0 {
			if all = append(all, r.name); first {
				all = all[len(all)-1:]
				break
			}
		}
	}
	if len(all) == 0 {
		return false
	}
	typ := pick(b.d.source, all...)
	b.d.nest()
	if b.d.chance(60) {
		name := b.name()
		b.sized("count", name, func(size string) {
			eb := b.newElement()
			r := row{typ: typ, name: eb.name()}
			if b.d.has(fRegions) && b.d.chance(30) {
				eb.sized("size", r.name, func(size string) {
					r.length = size
					eb.row(r)
				})
			} else {
				eb.row(r)
			}
			b.repeat(fmt.Sprintf("repeat %s as %s", size, name), 0, eb, b.after(name))
		})
		return true
	}
	flag, name := b.name(), b.name()
	b.presence(flag, name)
	b.store(false)
	b.row(row{typ: typ, name: name, attrs: []string{"if " + flag}})
	b.unknown()
	return true
}

// armID draws a row that is the number of an arm.
func (b *body) armID() bool {
	u := b.d.anyUnion()
	if u == nil || len(u.ids) == 0 || u.several {
		return false
	}
	b.finish(row{typ: u.name + ".id", size: b.d.each(4), name: b.name()})
	return true
}
