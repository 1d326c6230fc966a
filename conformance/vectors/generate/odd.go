// Values that do not go together, and types that cannot be written.

package generate

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// foreignTag is that of a type that the program does not have.
func (g *model) foreignTag() (uint16, bool) {
	known := map[uint16]bool{}
	for i := range g.p.Types {
		known[g.m.Tag(i)] = true
	}
	for _, t := range []codec.Type{godot.CallableType, godot.PackedVector4iArray, godot.ProjectionType, godot.Nil} {
		if !known[uint16(t)] {
			return uint16(t), true
		}
	}
	return 0, false
}

// foreign adds, where a field names a type, one that the schema does not have.
func (c *candidates) foreign(s seed, full interp.Value, p place, rule *bytecode.Rule) {
	for _, pc := range c.types[p.typ].cells[p.cell].ops {
		if tag, ok := c.foreignTag(); ok && c.p.Code[pc].Op == bytecode.ArmRef {
			c.vary(s, c.replace(c.p.Root, full, p.path, interp.MakeUnit(tag)), rule,
				variation{what: "foreign", about: "a type of another version, " + codec.Type(tag).String(), flags: []string{"foreign"}, keep: true})
		}
	}
}

// mixed adds values with a field of one shape in the place of that of another. Examples are the number of one arm beside a
// value of another, and two forms at once.
func (c *candidates) mixed() {
	type field struct {
		shape string
		value interp.Value
	}
	known := map[[2]int][]field{}
	at := func(p place) [2]int { return [2]int{p.typ, p.cell} }
	for _, s := range c.seedList {
		c.walk(c.p.Root, c.full(s), func(p place) {
			if !p.hole && !p.inner && len(c.p.Types[p.typ].Fields) > 1 {
				known[at(p)] = append(known[at(p)], field{s.name, p.value})
			}
		})
	}
	done := map[[2]int]int{}
	for _, s := range c.seedList {
		full := c.full(s)
		c.walkCells(full, func(p place) {
			if field := c.p.Types[p.typ].Fields[p.cell]; field.Alone && len(c.p.Types[p.typ].Fields) > 1 {
				start := p.path[:len(p.path)-1]
				if cells := c.open(p.typ, c.at(c.p.Root, full, start)); !cells[p.cell].IsNone() {
					v := c.replace(c.p.Root, full, start, cells[p.cell].WithTag(c.m.Tag(p.typ)))
					c.vary(s, v, c.fieldRule(p), variation{what: "alone", flags: []string{"mixed"}, about: "this field without the others of its record"})
				}
			}
			for _, other := range known[at(p)] {
				if other.shape == s.name || done[at(p)] > 12 {
					continue
				}
				done[at(p)]++
				v := c.replace(c.p.Root, full, p.path, other.value)
				if _, err := c.m.Append(nil, v, interp.Options{Open: s.open}); err == nil {
					continue // another shape
				}
				c.vary(s, v, c.fieldRule(p), variation{what: join("of", other.shape), flags: []string{"mixed"},
					about: "a field as in a value with " + other.shape + ", which does not go with the others"})
			}
		})
	}
}

// walkCells calls f for every field of the records of a value, those that are absent
// included.
func (c *candidates) walkCells(v interp.Value, f func(place)) {
	done := map[string]bool{}
	c.walk(c.p.Root, v, func(p place) {
		start := p.path[:len(p.path)-1]
		key := fmt.Sprint(start)
		if p.hole || p.inner || done[key] {
			return
		}
		done[key] = true
		for i := range c.types[p.typ].cells {
			if len(c.types[p.typ].cells[i].ops) == 0 {
				continue
			}
			q := p
			q.cell, q.path = i, append(append([]int(nil), start...), i)
			f(q)
		}
	})
}

// unmade adds the arms of the root union of which there is no value. It tries to
// read and to write one.
func (c *candidates) unmade() {
	t, ok := c.p.UnionTable(c.p.Root)
	if !ok {
		return
	}
	made := map[int]bool{}
	for _, s := range c.seedList {
		made[s.typ] = true
	}
	for _, a := range t.Arms {
		typ := int(a.Type)
		if made[typ] || a.Else {
			continue
		}
		k := candidate{typ: typ, rule: c.typeRule(typ), flags: []string{"foreign"}, keep: true, about: "a type of which the document does not say how it is written"}
		k.what, k.value = "refused", interp.MakeUnit(c.m.Tag(typ))
		c.add(k)
		b, err := c.m.Append(nil, c.seedList[0].value, interp.Options{})
		if packet, err2 := c.traceBytes(c.seedList[0].typ, 0, b); err == nil && err2 == nil && len(packet.rows) > 0 {
			k.what, k.value, k.bytes = "read", interp.Value{}, c.patch(packet, &packet.rows[0], a.ID)
			c.add(k)
		}
	}
}

// unrefused returns a machine for the program without refusals. It keeps those without which the program would be unsafe, such
// as that of a type without bytes in a list.
func (c *candidates) unrefused(refusals map[int]bool) (*interp.Machine, error) {
	dropped := map[int]bool{}
	some := func(pc int, _ *bytecode.Instr) bool { return dropped[pc] }
	maps.Copy(dropped, refusals)
	if m, err := c.without(some); err == nil {
		return m, nil
	}
	clear(dropped)
	for _, pc := range slices.Sorted(maps.Keys(refusals)) {
		dropped[pc] = true
		if _, err := c.without(some); err != nil {
			delete(dropped, pc)
		}
	}
	return c.without(some)
}

// barredDraws is how many values are drawn to find one of each type that is always refused.
const barredDraws = 4000

// barred adds packets and values with types inside of others that are always refused. For each type they are the smallest
// ones that are drawn and written without these refusals. An implementation that does not refuse the type takes the whole
// packet.
func (c *candidates) barred() error {
	types, refusals := map[int]bool{}, map[int]bool{}
	for t := range c.types {
		for pc, in := range c.p.Instrs(c.fields(t)) {
			if in.Op == bytecode.Check {
				if n, ok := c.p.Exprs[in.A].Constant(); ok && n == 0 {
					types[t], refusals[pc] = true, true
				}
			}
		}
	}
	if root, ok := c.p.UnionTable(c.p.Root); ok {
		for _, a := range root.Arms { // see unmade
			delete(types, int(a.Type))
		}
	}
	if len(types) == 0 {
		return nil
	}
	m, err := c.unrefused(refusals)
	if err != nil {
		return err
	}
	open := c.gates()[len(c.gates())-1]
	gen, err := m.NewGenerator(interp.GenerateOptions{Open: open, MaxBytes: 256})
	if err != nil {
		return err
	}
	best := map[int]candidate{}
	r := rand.New(rand.NewPCG(1, 2))
	for range barredDraws {
		choices := make(interp.Choices, 1+r.IntN(32))
		for i := range choices {
			choices[i] = byte(r.Uint32())
		}
		v, _ := gen.Generate(choices)
		b, err := m.Append(nil, v, interp.Options{Open: open})
		if err != nil {
			continue
		}
		c.part = func(routine uint32, part interp.Value) {
			t := c.typeOf(routine, part)
			if old, ok := best[t]; types[t] && (!ok || len(b) < len(old.bytes)) {
				best[t] = candidate{typ: t, rule: c.typeRule(t), bytes: b, value: v, open: open, flags: []string{"foreign"}, keep: true,
					about: "a type that is always refused, in a value that is otherwise right"}
			}
		}
		c.walk(c.p.Root, v, func(place) {})
		c.part = nil
	}
	for _, t := range slices.Sorted(maps.Keys(best)) {
		read, write := best[t], best[t]
		read.what, read.value = "barred", interp.Value{}
		write.what, write.bytes, write.flags = "barred-refused", nil, []string{"foreign", "write"}
		c.add(read)
		c.add(write)
	}
	return nil
}

// foreignRoot adds a value of a type that the schema does not have.
func (c *candidates) foreignRoot() {
	t, ok := c.p.UnionTable(c.p.Root)
	tag, ok2 := c.foreignTag()
	if !ok || !ok2 {
		return
	}
	v := interp.MakeUnit(tag)
	switch codec.Type(tag) {
	case godot.PackedVector4iArray:
		v = interp.MakePacked(tag, bytecode.I32, 4, nil)
	case godot.ProjectionType:
		v = interp.MakeLanes(tag, bytecode.F32, make([]byte, 64))
	}
	first := int(t.Arms[0].Type)
	c.add(candidate{typ: first, rule: c.rule(int(c.p.Routines[c.p.Root].Start)), what: "foreign-refused", value: v, keep: true,
		about: "a value of a type of another version, " + codec.Type(tag).String(), flags: []string{"foreign", "write"}})
}
