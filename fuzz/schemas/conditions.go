// Groups under a condition: branches and optional fields.

package schemas

import (
	"fmt"
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// branch draws rows under a condition.
func (b *body) branch() bool { return b.branches(b.d.chance(25)) }

// branches draws rows under a condition. If the blocks are alike, they have one size.
func (b *body) branches(alike bool) bool {
	d := b.d
	if b.inner > 2 {
		return false
	}
	cond := b.expr().condition(d.chance(40))
	if d.chance(15) { // a number, which may be negative, but is no constant alone
		if e, _ := b.expr().draw(1); e.Op != builtin.Num {
			cond = text(e)
		}
	}
	here, before := b.cur.clone(), b.rec.fixedSize.clone()
	empty := fixedSize{true, before.size}
	b.rec.fixedSize = empty.clone()
	b.inner++
	var nums []num
	known := len(b.nums)
	both, same, rest := func() {}, false, b.items
	if alike {
		bytes := pick(d.source, 1, 2, 3, 4, 8)
		rest = func(int) { b.filling(bytes) }
	} else {
		both, same = b.bothBranches()
	}
	b.block("if "+cond, "", func() {
		both()
		rest(3)
	})
	ended, then := b.ended, b.rec.fixedSize.clone()
	nums = append(nums, b.nums[known:]...)
	b.rec.fixedSize = empty.clone()
	if same || alike || d.chance(50) {
		b.cur, b.ended = here, false
		b.nums = b.nums[:known:known]
		b.block("else", "", func() {
			both()
			rest(2)
		})
		ended = ended || b.ended
		nums = append(nums, b.nums[known:]...)
	}
	b.inner--
	b.ended = ended
	other := b.rec.fixedSize.clone()
	if fixed := then.fixed && other.fixed && slices.Equal(then.size, other.size); fixed && here.known {
		b.cur = here
		b.cur.n += then.size[0] - before.size[0]
		b.rec.fixed = before.fixed
	} else {
		b.unknown()
		b.rec.fixed = before.fixed && fixed
	}
	b.nums = b.nums[:known:known]
	if d.chance(40) { // they are 0 if they are absent
		for _, n := range nums {
			b.know(n.name, 0)
		}
	}
	return true
}

// filling draws numbers that take some bytes.
func (b *body) filling(bytes int) {
	d := b.d
	for types := []string{"u8", "u16", "u32"}; bytes > 0; {
		typ := pick(d.source, types...)
		s, _ := builtin.ScalarNamed(typ)
		if s.Width() <= bytes {
			b.finish(row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: b.name()})
			bytes -= s.Width()
		} else {
			types = types[:1]
		}
	}
}

// bothBranches returns a drawer of a list that both branches have.
func (b *body) bothBranches() (draw func(), is bool) {
	d := b.d
	if !d.has(fLists) || !d.has(fRecords) && !d.has(fWordUnions) || d.nesting > 4 || !d.chance(60) {
		return func() {}, false
	}
	typ, args, each := b.elementType()
	if typ == "" {
		return func() {}, false
	}
	name := b.name()
	return func() {
		b.sized("count", name, func(size string) {
			b.store(false)
			if args != "" || d.chance(50) {
				b.row(row{typ: typ + "[" + size + "]" + args, name: name, attrs: b.pad(25)})
				b.unchecked = len(b.lines)
				return
			}
			eb := b.newElement()
			eb.row(row{typ: typ, size: each, name: eb.name()})
			b.repeat(fmt.Sprintf("repeat %s as %s", size, name), 0, eb, b.after(name))
		})
	}, true
}

// optional draws a field that a flag announces.
func (b *body) optional() bool {
	d := b.d
	flag, name := b.name(), b.name()
	call := "present(" + name + ")"
	switch d.n(4) {
	case 1:
		b.row(b.flagBit(flag + " = " + call))
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
		r.attrs = append(r.attrs, "if "+cond)
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
	b.have(builtin.Present, name, 0)
	return true
}

// ifMore draws rows that are there if bytes are left.
func (b *body) ifMore() bool {
	d := b.d
	if !b.tail() {
		return false
	}
	b.take() // before the rows are drawn, which could be of this record
	r := row{typ: "u16", size: d.each(2), name: b.name()}
	b.store(false)
	b.inner++
	if d.chance(40) {
		r.attrs = append(r.attrs, "if more()")
		b.row(r)
	} else {
		b.block("if more()", "", func() {
			b.row(r)
			b.know(r.name, 0)
			if d.chance(60) {
				b.items(2)
			}
			if d.chance(50) {
				b.row(row{typ: "u8", size: d.each(1), name: b.name(), attrs: []string{"if more()"}})
				b.store(false)
			}
		})
	}
	b.inner--
	b.unknown()
	b.end()
	return true
}

// absentNumber draws a number under a condition, and an array of that length. The array is empty if the number is
// absent.
func (b *body) absentNumber() bool {
	d := b.d
	flag, length, name := b.name(), b.name(), b.name()
	b.stored8(flag)
	s := pick(d.source, builtin.U8, builtin.U16)
	cond := pick(d.source, flag+" != 0", flag+" & 1 == 1", flag+" < 100")
	b.inner++
	b.row(row{typ: d.ordered(s), size: d.each(int64(s.Width())), name: length, attrs: []string{"if " + cond}})
	b.inner--
	b.store(false)
	b.unknown()
	b.know(length, 0)
	b.store(false)
	b.row(row{typ: fmt.Sprintf("%s[%s & %d]", pick(d.source, "u8", "u16"), length, pick(d.source, 3, 7)), name: name, attrs: b.pad(15)})
	return true
}

// presence draws a byte that a writer computes from the presence of a field.
func (b *body) presence(flag, name string) {
	b.row(row{typ: "u8", size: b.d.each(1), name: flag, value: "present(" + name + ")"})
	b.least(1)
	b.know(flag, 0)
}

// flagBit draws a byte in which one bit is a field.
func (b *body) flagBit(field string) row {
	d := b.d
	return row{typ: "u8", size: d.each(1), name: b.name(), bits: append([]string{fmt.Sprintf("%d %s", d.n(8), field)}, d.list(50, "rest any")...)}
}

// any draws a row of any type that needs no other row.
func (b *body) any(name string) row {
	d := b.d
	kind := d.n(5)
	if d.has(fWrites) && b.union != nil && d.chance(50) { // a writer may put nothing in its place
		kind = 4
	}
	if d.likely(onOptionalTruths, 0) {
		kind = 1
	}
	switch kind {
	case 3:
		if r := d.recordRef(0, false, func(r *record) bool { return d.has(fRecords) && r.args == 0 && !r.greedy }); r != nil {
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
			return row{typ: "bool8", size: d.each(1), name: name, attrs: d.list(30, "any")}
		}
	case 1:
		if d.has(fTruths) {
			return row{typ: "bool16", size: d.each(2), name: name}
		}
	}
	if d.has(fCodings) && d.chance(30) {
		return row{typ: d.coding().String(), name: name, attrs: d.list(40, "any")}
	}
	if d.has(fDigits) && d.chance(30) {
		r, _ := b.digits(0, name)
		return r
	}
	typ, s, isOption := b.scalar()
	return row{typ: typ, size: d.sizes(s, isOption, 1), option: isOption, name: name}
}
