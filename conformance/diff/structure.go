// Comparing two programs unit by unit.

package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// pairs are the units of both sides and what changed from one to the other.
type pairs struct {
	old, new *Side
	changes  map[string]*Change // by the key of a unit
	order    []string           // of the keys, as the new schema has them
	limits   map[string]*Change // by name
	wide     bool               // some change is not about a type: every type may show it
}

func pair(old, new *Side) *pairs {
	p := &pairs{old: old, new: new, changes: map[string]*Change{}, limits: map[string]*Change{}}
	p.findRenamed()
	p.identify()
	for _, x := range new.units.all {
		p.compare(old.units.byKey[x.key], x)
	}
	for _, x := range old.units.all {
		if new.units.byKey[x.key] == nil {
			p.compare(x, nil)
		}
	}
	p.foldHeaders()
	p.compareLimits()
	for _, c := range p.changes {
		p.wide = p.wide || c.Sort != Arm
	}
	return p
}

// foldHeaders makes one change of what a union says for all of its arms. The rows
// of these arms are unchanged.
func (p *pairs) foldHeaders() {
	for _, x := range p.new.units.all {
		old := p.old.units.byKey[x.key]
		c := p.changes[x.key]
		if x.sort != Arm || old == nil || c == nil || !slices.Equal(c.Kinds, []Kind{Rewritten}) || p.old.Schema == nil || p.new.Schema == nil {
			continue
		}
		header := "union " + x.union
		a, b := p.old.units.byKey["union "+old.union], p.new.units.byKey[header]
		if a == nil || b == nil {
			continue
		}
		if sameRows(rowsOf(p.old, old), rowsOf(p.new, x)) && !sameRows(rowsOf(p.old, a), rowsOf(p.new, b)) {
			delete(p.changes, x.key)
			p.order = slices.DeleteFunc(p.order, func(k string) bool { return k == x.key })
			if p.changes[header] == nil {
				h := &Change{Sort: Header, Kinds: []Kind{Rewritten}, Old: named(a), New: named(b), key: header}
				h.Removed, h.Added = changedRows(rowsOf(p.old, a), rowsOf(p.new, b))
				p.changes[header] = h
				p.order = append(p.order, header)
			}
		}
	}
}

func sameRows(a, b []row) bool {
	return slices.EqualFunc(a, b, func(x, y row) bool { return x.key == y.key })
}

// findRenamed gives arms that differ only in their names the same key.
func (p *pairs) findRenamed() {
	for _, x := range p.new.units.all {
		if x.sort != Arm || p.old.units.byKey[x.key] != nil {
			continue
		}
		for _, y := range p.old.units.all {
			if y.sort == Arm && p.new.units.byKey[y.key] == nil && y.union == x.union && y.id == x.id && y.other == x.other && slices.Equal(x.code, y.code) {
				delete(p.new.units.byKey, x.key)
				x.key = y.key
				p.new.units.byKey[x.key] = x
				break
			}
		}
	}
}

// identify numbers the meanings of tags, alike on both sides.
func (p *pairs) identify() {
	numbers := map[string]int{}
	for _, s := range []*Side{p.old, p.new} {
		s.same = map[uint16]int{}
		for tag, t := range s.types {
			key := "record " + t.Name
			if x := s.units.byTag[tag]; x != nil {
				key = x.key
			} else if t.Union != "" {
				key = "arm " + t.Union + " " + s.known(t)
			}
			if numbers[key] == 0 {
				numbers[key] = len(numbers) + 1
			}
			s.same[tag] = numbers[key]
		}
	}
}

func named(x *unit) *Name {
	if x == nil {
		return nil
	}
	return &Name{Name: x.name, Union: x.union, ID: x.id}
}

// compare notes what changed from one unit to another, either of which may be nil.
func (p *pairs) compare(old, new *unit) {
	c := &Change{Old: named(old), New: named(new)}
	x := new
	switch {
	case old == nil:
		c.Kinds = []Kind{Added}
	case new == nil:
		c.Kinds, x = []Kind{Removed}, old
	default:
		if old.id != new.id || old.other != new.other {
			c.Kinds = append(c.Kinds, Renumbered)
		}
		if old.name != new.name {
			c.Kinds = append(c.Kinds, Renamed)
		}
		if !slices.Equal(old.code, new.code) {
			kind := Rewritten
			if old.sort == Text {
				kind = Changed
			}
			c.Kinds = append(c.Kinds, kind)
		}
	}
	if c.Kinds == nil || (old == nil || new == nil) && !p.apart(x) {
		return
	}
	c.Sort, c.key = x.sort, x.key
	var before, after []row
	if old != nil {
		before = rowsOf(p.old, old)
	}
	if new != nil {
		after = rowsOf(p.new, new)
	}
	if old == nil || new == nil || slices.Contains(c.Kinds, Rewritten) || slices.Contains(c.Kinds, Changed) {
		c.Removed, c.Added = changedRows(before, after)
		if len(c.Removed)+len(c.Added) == 0 && old != nil && new != nil {
			// The rows are the same and mean something else: a constant, a choice
			// of the option, a number of a type that they name.
			c.Removed, c.Added = changedRows(rowsOf(&Side{}, old), rowsOf(&Side{}, new))
			for _, list := range [][]string{c.Removed, c.Added} {
				for i := range list {
					list[i] = "instruction: " + list[i]
				}
			}
		}
	}
	p.changes[x.key] = c
	p.order = append(p.order, x.key)
}

// apart reports whether a unit that only one side has is a change by itself.
// Such a unit is an arm of a union that both have. A record, an encoding or a
// union is a part of the change of those that use it.
func (p *pairs) apart(x *unit) bool {
	union := "union " + x.union
	return x.sort == Arm && p.old.units.byKey[union] != nil && p.new.units.byKey[union] != nil
}

// compareLimits notes what changed of the programs as wholes.
func (p *pairs) compareLimits() {
	a, b := p.old.Program, p.new.Program
	limit := func(name, old, new string) {
		if old == new {
			return
		}
		p.limits[name] = &Change{Sort: Limit, Kinds: []Kind{Changed}, Old: &Name{Name: name}, New: &Name{Name: name}, About: []string{old + " → " + new}, key: "limit " + name}
		p.order = append(p.order, "limit "+name)
		p.changes["limit "+name] = p.limits[name]
	}
	order := map[bool]string{false: "lowest byte first", true: "highest byte first"}
	limit("byte order", order[a.Big], order[b.Big])
	limit("depth", fmt.Sprintf("%d levels", a.Depth), fmt.Sprintf("%d levels", b.Depth))
	limit("root", a.Routines[a.Root].Name, b.Routines[b.Root].Name)
	gates := func(p *bytecode.Program) string {
		if len(p.Gates) == 0 {
			return "none"
		}
		return strings.Join(p.Gates, ", ")
	}
	limit("gates", gates(a), gates(b))
	limit("equal keys", p.old.keys(), p.new.keys())
}

// keys says in words which keys of a map are equal.
func (s *Side) keys() string {
	var parts []string
	for rule, types := range s.Program.Keys {
		var names []string
		for _, t := range types {
			names = append(names, s.known(&s.Program.Types[t]))
		}
		slices.Sort(names)
		if names != nil {
			parts = append(parts, builtin.KeyRule(rule).Brief()+": "+strings.Join(names, ", "))
		}
	}
	if parts == nil {
		return "numbers by value, all else by its content"
	}
	return strings.Join(parts, "; ")
}
