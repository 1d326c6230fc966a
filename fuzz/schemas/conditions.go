// Groups under a condition: branches, optional fields, and forms of a field.

package schemas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl/builtin"
)

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
		b.row(row{typ: "u8", size: d.each(1), name: b.name(), bits: append([]string{fmt.Sprintf("%d %s = %s", d.n(8), flag, call)}, d.list(50, "rest any")...)})
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
	return true
}

// any draws a row of any type that needs no other row.
func (b *body) any(name string) row {
	d := b.d
	kind := d.n(5)
	if d.has(fWrites) && b.union != nil && d.chance(50) { // a writer may put nothing in its place
		kind = 4
	}
	switch kind {
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
			return row{typ: "bool8", size: d.each(1), name: name, attrs: d.list(30, "any")}
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
			b.row(row{typ: "u16", size: d.each(2), name: b.name(), bits: []string{fmt.Sprintf("%d %s = %s", d.n(16), flag, value)}})
		}
		b.least(1)
		b.know(flag, 0)
		b.store(false)
		b.twice(name, flag, narrow, wide)
		return true
	case 2: // a flag that is stored
		flag := b.name()
		b.row(row{typ: "u8", size: d.each(1), name: b.name(), bits: append([]string{fmt.Sprintf("%d %s", d.n(8), flag)}, d.list(50, "rest any")...)})
		b.stored++
		b.know(flag, 0)
		conds, total = []string{"!" + flag, flag}, true
	default: // a number
		kind := b.name()
		attrs := d.list(50, fmt.Sprintf("check %s < %d", kind, 2+d.n(3)))
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
			r = row{typ: s.String(), size: d.each(int64(s.Width())), name: name, bits: []string{fmt.Sprintf("0..%d %s", n, bitName), fmt.Sprintf("%d %s", n+1, b.name())}}
			if d.chance(30) {
				r.bits = r.bits[:1]
			}
		}
		_, scalar := builtin.ScalarNamed(r.typ)
		numbers = numbers && scalar && r.typ[0] != 'f'
		r.attrs = append(r.attrs, "if "+cond)
		if k > 0 {
			b.cur = here.clone()
			if d.has(fNotes) && d.chance(20) {
				b.note()
			}
		}
		at := len(b.lines)
		b.row(r)
		if k == 0 {
			here = b.formPlace(b.lines[at])
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
func (b *body) formPlace(line string) cursor {
	offset := strings.TrimSpace(strings.SplitN(line, "|", 3)[1])
	return cursor{true, []string{offset}, b.d.each(0), slices.Repeat([]int64{0}, len(b.cur.n))}
}

// twice draws two forms of a number that a flag selects.
func (b *body) twice(name, flag, narrow, wide string) {
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
		b.row(row{typ: typ, size: b.d.each(int64(s.Width())), name: name, attrs: []string{"if " + signs[k] + flag}})
		if k == 0 {
			here = b.formPlace(b.lines[at])
		}
	}
	b.unknown()
}
