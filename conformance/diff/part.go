// The point at which two readings of a packet diverge, and the change that is the cause.

package diff

import (
	"errors"

	"github.com/octable/octable/interp"
)

// step is one thing that a reader does with a packet.
type step struct {
	event  interp.EventKind
	failed *interp.Error // the last step of a packet that is refused
	at, n  int
	unit   *unit // that the row belongs to
	arm    *unit // of a header: where it leads to
	number uint64
	value  interp.Value
	text   int // of a row of text: its encoding, plus 1
	header bool
	inside *around
}

// around are the units that a step is inside of.
type around struct {
	unit *unit
	up   *around
}

// steps returns what a side does with a packet. They are valid until the side
// reads again.
func (s *Side) steps(b []byte) []step {
	var out []step
	var at *around
	s.tracer.Observe(interp.ObserverFunc(func(e *interp.Event) {
		if !e.Outline() {
			return
		}
		x := step{event: e.Kind, at: e.Offset, n: e.Len, number: e.Number, value: e.Value}
		switch e.Kind {
		case interp.Open:
			at = &around{s.units.byRule[e.Rule], at}
			return
		case interp.Close:
			x.unit = at.unit
			if u := s.units.byTag[e.Value.Tag()]; u != nil {
				x.unit = u
			}
			at = at.up
			x.inside = at
		case interp.Row:
			x.inside = at
			if s.units.word[e.Rule] != nil && e.Derived {
				x.header, x.unit = true, at.unit
				if x.arm = s.chosen(e.Rule, e.Number); x.arm != nil {
					at.unit = x.arm
				}
				break
			}
			x.unit = s.units.unit(e.Rule, at.unit)
			if enc, ok := s.units.text[e.Rule]; ok && e.Value.Kind() == interp.Text {
				x.text = int(enc) + 1
			}
		default:
			x.unit, x.inside = s.units.unit(e.Rule, at.unit), at
		}
		out = append(out, x)
	}))
	_, _, err := s.tracer.Read(b)
	var failed *interp.Error
	if errors.As(err, &failed) {
		x := step{failed: failed, at: failed.Offset, inside: at}
		if r := s.units.rules[failed.Rule]; r != nil {
			x.unit = s.units.byRule[r]
			if enc, ok := s.units.text[r]; ok {
				x.text = int(enc) + 1
			}
		}
		out = append(out, x)
	}
	return out
}

// cause returns the key of the change at which two readings part, and whether
// there is a change at all. If a writer of one side produced the packet, the
// steps of that side come first.
func (p *pairs) cause(a, b []step, newWrites bool) (key string, explained bool) {
	i := 0
	for i < len(a) && i < len(b) && p.alike(&a[i], &b[i]) {
		i++
	}
	var x, y *step
	if i < len(a) {
		x = &a[i]
	}
	if i < len(b) {
		y = &b[i]
	}
	if newWrites {
		x, y = y, x
	}
	try := func(u *unit) bool {
		if u == nil || p.changes[u.key] == nil {
			return false
		}
		key = u.key
		return true
	}
	for _, s := range []*step{x, y} {
		if s != nil && s.failed != nil && s.failed.Kind == interp.ErrDepth && p.limits["depth"] != nil {
			return "limit depth", true
		}
	}
	if x != nil && y != nil && x.header && y.header {
		for _, arm := range []*unit{x.arm, y.arm} {
			if arm != nil && p.changes[arm.key] != nil && !onlyRenamed(p.changes[arm.key]) {
				return arm.key, true
			}
		}
	}
	if x != nil && y != nil && x.text > 0 && y.text > 0 {
		enc := p.new.units.byKey["encoding "+p.new.Program.Encodings[textOf(x, y, newWrites)].Name]
		if try(enc) {
			return key, true
		}
	}
	for _, s := range []*step{x, y} {
		if s == nil {
			continue
		}
		if try(s.unit) || try(s.arm) || p.headerOf(s.unit, try) {
			return key, true
		}
		for in := s.inside; in != nil; in = in.up {
			if try(in.unit) || p.headerOf(in.unit, try) {
				return key, true
			}
		}
	}
	if u := p.numbered(a, b, x, y); try(u) {
		return key, true
	}
	for _, name := range []string{"byte order", "root", "gates"} {
		if p.limits[name] != nil {
			return "limit " + name, true
		}
	}
	for _, s := range []*step{x, y} {
		if s != nil && s.unit != nil {
			return s.unit.key, false
		}
	}
	return "", false
}

// numbered returns a type that was added, removed or renumbered. The steps at which two
// readings part name it by its number. The types of elements are named so.
func (p *pairs) numbered(a, b []step, x, y *step) *unit {
	moved := func(u *unit) bool { return u != nil && p.changes[u.key] != nil && !onlyRenamed(p.changes[u.key]) }
	for _, s := range []*step{x, y} {
		if s == nil {
			continue
		}
		for _, side := range []*Side{p.new, p.old} {
			if s.failed == nil {
				if u := side.mentioned(s.value); moved(u) {
					return u
				}
				continue
			}
			if s.failed.Kind != interp.ErrType {
				continue
			}
			// The number is in the row before.
			for _, steps := range [][]step{a, b} {
				for k := range steps {
					if r := &steps[k]; r.event == interp.Row && r.failed == nil && r.at == s.failed.Offset {
						for _, u := range side.units.all {
							if u.sort == Arm && u.id == r.number && moved(u) {
								return u
							}
						}
					}
				}
			}
		}
	}
	return nil
}

// mentioned returns the first type that a value holds as its number alone.
func (s *Side) mentioned(v interp.Value) *unit {
	switch v.Kind() {
	case interp.Unit:
		return s.units.byTag[v.Tag()]
	case interp.Record, interp.List, interp.Map:
		for _, c := range v.Cells() {
			if u := s.mentioned(c); u != nil {
				return u
			}
		}
	}
	return nil
}

// headerOf tries what the union of an arm says for all of its arms.
func (p *pairs) headerOf(u *unit, try func(*unit) bool) bool {
	return u != nil && u.sort == Arm && try(p.new.units.byKey["union "+u.union])
}

func onlyRenamed(c *Change) bool { return len(c.Kinds) == 1 && c.Kinds[0] == Renamed }

// textOf returns the number of the encoding of the new side.
func textOf(x, y *step, newWrites bool) int {
	if newWrites {
		return x.text - 1
	}
	return y.text - 1
}

// alike reports whether both sides do the same.
func (p *pairs) alike(x, y *step) bool {
	if x.event != y.event || (x.failed == nil) != (y.failed == nil) || x.at != y.at || x.n != y.n || x.number != y.number || keyOf(x.unit) != keyOf(y.unit) {
		return false
	}
	if x.failed != nil {
		return x.failed.Kind == y.failed.Kind
	}
	return keyOf(x.arm) == keyOf(y.arm) && sameValue(p.old, x.value, p.new, y.value)
}

func keyOf(u *unit) string {
	if u == nil {
		return ""
	}
	return u.key
}
