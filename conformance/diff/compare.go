// The comparison as a whole.

package diff

import (
	"fmt"
	"slices"
	"sort"

	"github.com/octable/octable/dsl/schema"
)

// Compare finds what changes from one side to the other.
func Compare(old, new *Side) *Report {
	if old.Program.Hash() == new.Program.Hash() {
		return &Report{Old: old.info(), New: new.info(), Changes: []Change{}}
	}
	return find(pair(old, new))
}

// find finds the effects of changes, and changes that nobody knew of.
func find(p *pairs) *Report {
	old, new := p.old, p.new
	r := &Report{Old: old.info(), New: new.info(), Changes: []Change{}}
	s := &search{p: p, old: old, new: new, found: map[effect]*witness{}, unknown: map[string]*unit{}, tries: map[outcome]*tried{}}
	for _, open := range []bool{false, true} {
		if open && len(old.Program.Gates)+len(new.Program.Gates) == 0 {
			break
		}
		s.gates(open)
		s.run()
	}
	r.Packets = s.packets
	for key, x := range s.unknown {
		p.changes["? "+key] = &Change{Sort: Other, Kinds: []Kind{Unexplained}, Old: named(x), New: named(x), key: key}
		p.order = append(p.order, "? "+key)
	}
	for _, key := range p.order {
		c := p.changes[key]
		s.effects(c)
		r.Changes = append(r.Changes, *c)
	}
	r.sort()
	return r
}

// Schemas compares two schemas under every choice of their options. If one lacks
// the choice of the other, its first choice is used. Effects that only a further choice
// shows are marked with its name.
func Schemas(oldName string, old *schema.Schema, newName string, new *schema.Schema) (*Report, error) {
	choices := new.Choices()
	for _, c := range old.Choices() {
		if !slices.Contains(choices, c) {
			choices = append(choices, c)
		}
	}
	if len(choices) > 1 {
		choices = slices.DeleteFunc(choices, func(c string) bool { return c == "" })
	}
	has := func(s *schema.Schema, choice string) string {
		if slices.Contains(s.Choices(), choice) {
			return choice
		}
		return ""
	}
	var all *Report
	for i, choice := range choices {
		a, err := NewSide(oldName, old, has(old, choice))
		if err != nil {
			return nil, err
		}
		b, err := NewSide(newName, new, has(new, choice))
		if err != nil {
			return nil, err
		}
		r := Compare(a, b)
		if i == 0 {
			all = r
			continue
		}
		all.add(r, choice)
	}
	all.sort()
	return all, nil
}

func (s *Side) info() SideInfo {
	return SideInfo{Name: s.Name, Schema: s.Program.Schema, Title: s.Program.Title, Choice: s.Program.Choice, Program: s.Program.Hash()}
}

// effects puts what was found of a change into it.
func (s *search) effects(c *Change) {
	c.Class = Compatible
	c.Effects = []Effect{}
	if !onlyRenamed(c) {
		c.Class = Unseen
	}
	for _, class := range Classes {
		w := s.found[effect{c.key, class}]
		if w == nil || class == Unwritten && c.Class.Breaks() {
			continue // what damage does follows from what has been said
		}
		if len(c.Effects) == 0 {
			c.Class = class
		}
		open := uint8(0)
		if w.open {
			open = 0xff
		}
		e := Effect{Class: class, Packet: w.packet, Rewritten: w.rewritten, By: w.by, Objects: w.open}
		e.Old, e.New = s.old.reading(w.packet, open), s.new.reading(w.packet, open)
		if e.Old == e.New && w.rewritten == nil { // names distinguish them
			e.Old.Value, e.New.Value = s.old.namedText(w.packet, open), s.new.namedText(w.packet, open)
		}
		if w.rewritten != nil && c.key == "limit equal keys" {
			e.Old = s.old.reading(w.rewritten, open)
		}
		e.Shortest = s.shortest(c.key, class, w)
		c.Effects = append(c.Effects, e)
	}
}

// shortest reports whether no packet that shows an effect can be shorter. Its type, and the
// type for which the other side takes it, have no shorter packets.
func (s *search) shortest(key string, class Class, w *witness) bool {
	writer, reader := s.new, s.old
	if w.by == "old" {
		writer, reader = s.old, s.new
	}
	x := writer.units.byKey[key]
	if !class.Breaks() || x == nil || x.sort != Arm || x.nested || x.other {
		return false
	}
	least := x.min
	if v, _, err := reader.machine.Decode(w.packet, s.options()); err == nil {
		if as := reader.units.byTag[v.Tag()]; as != nil {
			least = max(least, as.min)
		}
	}
	return uint64(len(w.packet)) == least
}

// add takes over what another report, of another choice, has beyond this one.
func (r *Report) add(other *Report, choice string) {
	r.Packets += other.Packets
	r.Old.Choice, r.New.Choice = "", ""
	for _, c := range other.Changes {
		at := slices.IndexFunc(r.Changes, func(x Change) bool { return x.key == c.key && x.Sort == c.Sort })
		for i := range c.Effects {
			c.Effects[i].Choice = choice
		}
		if at < 0 {
			c.About = append(c.About, fmt.Sprintf("only under the choice %s", choice))
			r.Changes = append(r.Changes, c)
			continue
		}
		known := &r.Changes[at]
		for _, e := range c.Effects {
			if !slices.ContainsFunc(known.Effects, func(x Effect) bool { return x.Class == e.Class }) {
				known.Effects = append(known.Effects, e)
			}
		}
		sort.SliceStable(known.Effects, func(i, k int) bool { return rank(known.Effects[i].Class) < rank(known.Effects[k].Class) })
		if len(known.Effects) > 0 {
			known.Class = known.Effects[0].Class
		}
		if known.Class.Breaks() {
			known.Effects = slices.DeleteFunc(known.Effects, func(e Effect) bool { return e.Class == Unwritten })
		}
	}
}

// sort puts limits first, then types by their numbers.
func (r *Report) sort() {
	place := map[Sort]int{Limit: 0, Header: 1, Text: 2, Record: 3, Arm: 4, Other: 5}
	number := func(c *Change) (union string, id uint64) {
		if c.New != nil {
			return c.New.Union, c.New.ID
		}
		return c.Old.Union, c.Old.ID
	}
	sort.SliceStable(r.Changes, func(i, k int) bool {
		x, y := &r.Changes[i], &r.Changes[k]
		if place[x.Sort] != place[y.Sort] {
			return place[x.Sort] < place[y.Sort]
		}
		xu, xi := number(x)
		yu, yi := number(y)
		if xu != yu || x.Sort != Arm {
			return xu < yu || xu == yu && x.Title() < y.Title()
		}
		return xi < yi || xi == yi && x.New == nil && y.New != nil
	})
}
