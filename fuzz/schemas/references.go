// Groups that refer to records and unions.

package schemas

import (
	"fmt"
	"strings"
)

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
		b.row(row{typ: "u64", size: b.d.each(8), name: b.name(), value: "arm(" + name + ")", attrs: []string{"any"}})
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
	b.row(row{typ: typ, name: name, attrs: []string{"if " + flag}})
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
