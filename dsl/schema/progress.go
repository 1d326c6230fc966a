// Progress: every value ends, and uses up its input.

package schema

import (
	"slices"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// unit is a record or a union that is read by itself: not in place of a row.
type unit struct {
	record *Record
	union  *Union
}

func (t *Type) unit() unit { return unit{t.Record, t.Union} }

func (u unit) name() string {
	if u.union != nil {
		return u.union.Name
	}
	return u.record.Path
}

func (u unit) pos() dsl.Pos {
	switch {
	case u.union == nil:
		return u.record.Pos
	case u.union.Word != nil:
		return u.union.Word.Pos
	}
	return u.union.Pos
}

// bodies returns what a unit consists of: the arms of a union, or one record.
func (u unit) bodies() [][]Node {
	if u.union == nil {
		return [][]Node{u.record.Body}
	}
	var out [][]Node
	for _, a := range u.union.Sorted() {
		out = append(out, a.Body)
	}
	return out
}

// reachable returns the units that the root of the schema contains, itself first.
func (s *Schema) reachable() []unit {
	if s.Root == nil {
		return nil
	}
	units := []unit{s.Root.unit()}
	seen := map[unit]bool{units[0]: true}
	for i := 0; i < len(units); i++ {
		for _, body := range units[i].bodies() {
			uses(body, func(t *Type) {
				if u := t.unit(); !seen[u] {
					seen[u] = true
					units = append(units, u)
				}
			})
		}
	}
	return units
}

// uses calls f for every type of a body that is a unit. A record in place that contains itself, which is a mistake, is looked at once.
func uses(body []Node, f func(*Type)) {
	var in func(body []Node)
	var seen []*Record
	named := func(t *Type) {
		switch {
		case t.Form == OfRecord && t.InPlace:
			if !slices.Contains(seen, t.Record) {
				seen = append(seen, t.Record)
				in(t.Record.Body)
			}
		case t.Form == OfRecord, t.Form == OfUnion, t.Form == ArmID:
			f(t)
		}
	}
	in = func(body []Node) {
		Walk(body, func(n Node) bool {
			switch n := n.(type) {
			case *Row:
				named(n.Type)
			case *Bit:
				if u := n.Field.ArmOf; u != nil {
					named(&Type{Form: ArmID, Union: u})
				}
			case *List:
				if n.Key != nil {
					named(n.Key)
				}
				named(n.Elem)
				return false
			}
			return true
		})
	}
	in(body)
}

// progress reports values that need not end, and lists and recursions that need not use
// up a byte.
func (p *prover) progress() {
	units := p.reached
	p.least = map[unit]uint64{}
	for _, u := range units {
		p.least[u] = endless
	}
	p.minima(units, false)
	p.minima(slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return p.least[u] != endless }), true)
	for _, u := range units {
		switch n := p.least[u]; {
		case n == endless:
			p.endless(u.pos(), "no value of %s ends: it always contains another", u.name())
			return
		case n > builtin.MaxLeast:
			p.tooMuch(u.pos(), 0, "a value of %s takes at least %d bytes; at most %d are allowed", u.name(), n, uint64(builtin.MaxLeast))
			return
		}
	}
	p.areas()
	if p.elements(units) {
		p.recursion(units)
	}
	for _, u := range units {
		if u.union != nil {
			u.union.Least = p.least[u]
		} else {
			u.record.Least = p.least[u]
		}
	}
	nests(units)
}

// nests marks the units that count towards the depth. It marks the root if that
// can contain itself, else every unit that can.
func nests(units []unit) {
	inside := map[unit][]unit{}
	for _, u := range units {
		for _, body := range u.bodies() {
			uses(body, func(t *Type) {
				if t.Form != ArmID { // which has no content
					inside[u] = append(inside[u], t.unit())
				}
			})
		}
	}
	for i, u := range units {
		seen, work := map[unit]bool{}, slices.Clone(inside[u])
		for len(work) > 0 && !seen[u] {
			last := work[len(work)-1]
			work = work[:len(work)-1]
			if !seen[last] {
				seen[last] = true
				work = append(work, inside[last]...)
			}
		}
		if u.union != nil {
			u.union.Nests = seen[u]
		} else {
			u.record.Nests = seen[u]
		}
		if i == 0 && seen[u] {
			return
		}
	}
}

// minima computes the fewest bytes of units, as a fixed point from above. Arms that are always refused
// have no values, so they count for a union only if refused is set: it has no other arm that ends.
func (p *prover) minima(units []unit, refused bool) {
	for changed := true; changed; {
		changed = false
		for _, u := range units {
			if n := p.fewestUnit(u, refused); n < p.least[u] {
				p.least[u], changed = n, true
			}
		}
	}
}

func (p *prover) fewestUnit(u unit, refused bool) uint64 {
	least, head := uint64(endless), uint64(0)
	for _, body := range u.bodies() {
		if refused || u.union == nil || !refuses(body) {
			least = min(least, p.fewest(body))
		}
	}
	if u.union != nil && u.union.Word != nil {
		head = p.width(u.union.Word.Type)
	}
	return sum(head, least)
}

// refuses reports whether a body refuses every packet outside of its blocks. It has refuse, or a
// condition that never holds.
func refuses(body []Node) bool {
	never := func(c *Check) bool {
		n, constant := c.Cond.constant()
		return constant && n == 0
	}
	return slices.ContainsFunc(body, func(n Node) bool {
		switch n := n.(type) {
		case *Refuse:
			return true
		case *Row:
			in := n.Type.Form == OfRecord && n.Type.InPlace && n.When == nil && refuses(n.Type.Record.Body)
			return in || slices.ContainsFunc(n.Checks, never)
		case *Bit:
			return slices.ContainsFunc(n.Checks, never)
		case *List:
			return slices.ContainsFunc(n.Checks, never)
		}
		return false
	})
}

func (p *prover) endless(pos dsl.Pos, format string, args ...any) {
	p.r.errorf(pos, 0, dsl.CodeNoProgress, format, args...).
		WithHint("every element of a list, and every step of a recursion, must use up at least one byte, and must be able to end")
}

// elements reports lists whose elements may take no bytes, so that a small input could
// have many.
func (p *prover) elements(units []unit) bool {
	ok := true
	for _, u := range units {
		for _, body := range u.bodies() {
			Walk(body, func(n Node) bool {
				if n, block := n.(*If); block && n.More != nil && ok && p.fewest(n.Then) == 0 {
					p.r.errorf(n.Pos, 0, dsl.CodeNoProgress, "the rows under more() may take no bytes, so a reader does not find them").
						WithHint("put a row that takes a byte into the block, or write the rows without the condition")
					ok = false
				}
				list, is := n.(*List)
				if is && ok && p.fewestElement(list) == 0 {
					p.r.errorf(list.Pos, 0, dsl.CodeNoProgress, "an element of the list may take no bytes, so a count is not bounded by the input").
						WithHint("put a row that takes a byte into the element; a size that a field or an argument gives may be 0")
					ok = false
				}
				return !is
			})
		}
	}
	return ok
}

// recursion reports units that may contain themselves before a byte is used up.
func (p *prover) recursion(units []unit) {
	const open, done = 1, 2
	state := map[unit]int{}
	var visit func(u unit) bool
	visit = func(u unit) bool {
		switch state[u] {
		case open:
			p.endless(u.pos(), "%s can contain itself without using up a byte", u.name())
			return false
		case done:
			return true
		}
		state[u] = open
		ok := true
		if u.union == nil || u.union.Word == nil {
			for _, body := range u.bodies() {
				p.idle(body, func(inner unit) { ok = ok && visit(inner) })
			}
		}
		state[u] = done
		return ok
	}
	for _, u := range units {
		if !visit(u) {
			return
		}
	}
}

// idle calls f for every unit that a body may contain before a byte is used up. It
// reports whether the body may end before one is.
func (p *prover) idle(body []Node, f func(unit)) bool {
	of := func(t *Type) bool {
		switch {
		case t.Form == OfRecord && t.InPlace:
			return p.idle(t.Record.Body, f)
		case t.Form == OfRecord, t.Form == OfUnion:
			f(t.unit())
		}
		return p.fewestOf(t) == 0
	}
	for _, n := range body {
		ends := true
		if isPart(n) { // whose content does not have the record
			continue
		}
		switch n := n.(type) {
		case *Row:
			ends = of(n.Type)
		case *Forms:
			ends = !n.Total
			for _, row := range n.Rows {
				ends = of(row.Type) || row.Inline != nil || ends
			}
		case *List:
			if n.Elem.Form != Array {
				if n.Key == nil || of(n.Key) {
					of(n.Elem)
				}
			}
			ends = p.fewest([]Node{n}) == 0
		case *If:
			then := p.idle(n.Then, f)
			ends = p.idle(n.Else, f) || then
		}
		if !ends {
			return false
		}
	}
	return true
}
