// Writing by plans: the values of unions of one byte in the loop over operations.

package interp

import (
	"math/bits"
	"unsafe"

	"github.com/octable/octable/interp/memory"
)

// Numbers of a table of bytes by the length of a text. It has the texts of an arm whose byte follows from the length alone,
// which need no form. Bits 0 to 7 are the byte.
const (
	textKnown = 1 << 8 // the number is known
	textStop  = 1 << 9 // the text ends a list
)

// shortTexts is the number of lengths in a table of texts. Longer texts have a form.
const shortTexts = 64

// noteText puts the byte of a text into the table of an arm. The form must write nothing but the byte and the text.
func (a *putArm) noteText(e *putLeaf, number uint64) {
	if number >= uint64(len(a.texts)) || !e.quick || e.op != leafText || !e.plain || e.size != 1 || e.expect != nil || e.fixed && uint64(e.n) != number {
		return
	}
	a.texts[number].Store(uint32(e.word&0xff) | textKnown | uint32(truth(e.stop))*textStop)
}

// leavesGiven returns the plans of a union of one byte by the number of its only argument, 0 or 1. It returns nil if the
// argument decides nothing, or if the values are not written in the loop over operations.
func (m *Machine) leavesGiven(routine, args uint32) (plans []*plan) {
	p := m.plans[routine]
	if p == nil || args != 1 || p.args != 1 || len(p.decides) != 1 {
		return nil
	}
	for x := range uint64(2) {
		q := p.variant(m, []uint64{x})
		if !q.byLeaves() || q.nests {
			return nil
		}
		plans = append(plans, q)
	}
	return plans
}

// leaves writes the values of a list behind pos, with the arms of a union by tag. It returns their end. If stops is true, the
// last value and no other one ends the list. It is not ok if a value needs a call; nothing before pos has changed then.
func leaves(puts []*putArm, list *Value, stops bool, out memory.View, pos, limit int) (end int, ok bool) {
	for k := int(list.n); k > 0; k-- {
		v := (*Value)(unsafe.Add(list.p, (int(list.n)-k)*int(unsafe.Sizeof(Value{}))))
		if int(v.tag) >= len(puts) {
			return pos, false
		}
		arm := puts[v.tag]
		if arm == nil {
			return pos, false
		}
		n, head := int(v.n), uint32(0)
		if v.kind == Text && n < len(arm.texts) {
			head = arm.texts[n].Load()
		}
		if head&textKnown == 0 || stops && (head&textStop != 0) != (k == 1) || pos+n >= limit {
			if pos, ok = arm.leaf(v, stops, k == 1, out, pos, limit); !ok {
				return pos, false
			}
			continue
		}
		out.Store8(pos, uint8(head))
		pos++
		if leafTextOf(memory.At(v.p, n), out, pos, n) != 0 {
			return pos, false
		}
		pos += n
	}
	return pos, true
}

// leafTextOf copies text. It returns 0 if the text is ASCII without NUL. It may write up to four bytes of a shorter text.
func leafTextOf(from, out memory.View, at, n int) (dirty uint64) {
	switch {
	case n >= 8:
		y := from.Load64(n - 8)
		dirty = odd(y)
		for i := 0; i < n-8; i += 8 {
			x := from.Load64(i)
			dirty |= odd(x)
			out.Store64(at+i, x)
		}
		out.Store64(at+n-8, y)
	case n >= 4:
		x, y := from.Load32(0), from.Load32(n-4)
		dirty = odd(uint64(x) | uint64(y)<<32)
		out.Store32(at, x)
		out.Store32(at+n-4, y)
	case n > 0:
		x := uint64(from.Load8(0)) | uint64(from.Load8(n>>1))<<(8*uint(n>>1)) | uint64(from.Load8(n-1))<<(8*uint(n-1))
		dirty = odd(x) & (1<<(8*uint(n)) - 1)
		out.Store32(at, uint32(x))
	}
	return dirty
}

// leaf writes one value of an arm behind pos. It returns its end. It is not ok if the value needs a call.
func (a *putArm) leaf(v *Value, stops, last bool, out memory.View, pos, limit int) (end int, ok bool) {
	cells := unsafe.Pointer(v)
	switch {
	case a.forms == nil || v.kind == None:
		return pos, false
	case a.cells == 0:
	case v.kind != Record:
		if !a.lone {
			return pos, false
		}
	case a.lone || v.n != a.cells:
		return pos, false
	default:
		cells = v.p
	}
	n := uint64(0)
	if c := (*Value)(unsafe.Add(cells, a.at)); a.kinds>>(c.kind&15)&1 != 0 {
		if n = c.u; a.parts {
			n = uint64(c.n)
		}
	} else if a.width {
		return pos, false
	}
	if n >= uint64(len(a.forms)) {
		return pos, false
	}
	e := a.forms[n].Load()
	if e == nil || !e.quick || stops && e.stop != last {
		return pos, false
	}
	length := 0
	if e.op == leafText {
		if length = int(v.n); v.kind != Text || e.fixed && v.n != e.n {
			return pos, false
		}
	}
	if pos+e.size+length > limit {
		return pos, false
	}
	if x := e.expect; x != nil {
		if c := (*Value)(unsafe.Add(cells, int(x.B)*int(unsafe.Sizeof(Value{})))); c.kind != Uint || c.u>>(e.most&63) != 0 {
			return pos, false
		}
	}
	if e.plain {
		out.Store64(pos, e.word)
	} else if !e.numbers(cells, out, pos) {
		return pos, false
	}
	if pos += e.size; e.op != leafText {
		return pos, true
	}
	return pos + length, leafTextOf(memory.At(v.p, length), out, pos, length) == 0
}

// numbers writes the numbers of a form at a place. It reports false if one of them has another kind or too many bits.
func (e *putLeaf) numbers(cells unsafe.Pointer, out memory.View, at int) bool {
	for j := range e.chunks {
		c := &e.chunks[j]
		x, over, other := c.rest, uint64(0), Kind(0)
		for i := range c.bits {
			b := &c.bits[i]
			u := (*Value)(unsafe.Add(cells, b.cell))
			over |= u.u & b.over
			other |= u.kind ^ b.kind
			x |= u.u << (b.left & 63)
		}
		if over != 0 || other != 0 {
			return false
		}
		if c.big {
			x = bits.ReverseBytes64(x)
		}
		out.Store64(at+c.at, x)
	}
	return true
}
