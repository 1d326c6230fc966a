// The place of a node in the value of a packet.

package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
)

// spot is the place of a value in the value of a packet.
type spot struct {
	root  int32 // the node of the value of the packet, or of a value of a stream
	cells []int // at each step the cell of the value before
	value interp.Value
}

// spotOf returns the place of the value of a node. It is false if the node holds no value, or the packet was not
// read to its end.
func (p *packet) spotOf(n int32) (s spot, ok bool) {
	chain := []int32{n}
	for p.nodes[n].parent != 0 || p.nodes[n].kind != Value {
		if n = p.nodes[n].parent; n == 0 {
			return s, false
		}
		chain = append(chain, n)
	}
	slices.Reverse(chain)
	if p.nodes[n].cut {
		return s, false
	}
	s = spot{root: n, value: p.nodes[n].value}
	for i := 1; i < len(chain); i++ {
		if !p.enter(&s, chain[i-1], chain[i]) {
			return s, false
		}
	}
	return s, true
}

// enter goes from the value of a node to that of a node directly inside of it.
func (p *packet) enter(s *spot, around, n int32) bool {
	x := &p.nodes[n]
	if x.kind == Row {
		if s.value.Kind() == x.value.Kind() && s.value.Kind() != interp.Record {
			return true // the value is represented by the row
		}
		return p.field(s, lastName(x.rule.Name)) && s.value.Kind() == x.value.Kind()
	}
	if x.kind != Value || x.cut {
		return false
	}
	name, rest := splitLabel(x.label)
	switch {
	case name != "":
		if !p.field(s, name) {
			return false
		}
	case rest != "" && s.value.Kind() == interp.Record:
		i := slices.IndexFunc(s.value.Cells(), func(c interp.Value) bool { return c.Kind() == interp.List || c.Kind() == interp.Map })
		if i < 0 {
			return false
		}
		s.into(i)
	}
	if rest == "" {
		return true
	}
	at, ok := p.element(s.value, around, n, name, rest)
	if ok {
		s.into(at)
	}
	return ok
}

// into goes to a cell.
func (s *spot) into(i int) { s.cells, s.value = append(s.cells, i), s.value.At(i) }

// field goes to a field of a record, which may be represented by the field itself.
func (p *packet) field(s *spot, name string) bool {
	t := p.f.notation.Type(s.value)
	if t == nil {
		return false
	}
	for i := range t.Fields {
		if t.Fields[i].Name != name {
			continue
		}
		switch {
		case notation.Alone(t, s.value) == i:
			return true
		case s.value.Kind() == interp.Record && i < s.value.Len():
			s.into(i)
			return true
		}
	}
	return len(t.Fields) == 0 && s.value.Kind() != interp.Record
}

// element returns the cell of an element, a key or the value of a pair.
func (p *packet) element(list interp.Value, around, n int32, name, rest string) (int, bool) {
	if list.Kind() == interp.List {
		i, err := strconv.Atoi(strings.Trim(rest, "[]"))
		return i, err == nil && i >= 0 && i < list.Len()
	}
	if list.Kind() != interp.Map {
		return 0, false
	}
	at := -1
	for _, c := range p.parts(around) { // keys and values take turns
		if other, last := splitLabel(p.nodes[c].label); p.nodes[c].kind == Value && other == name && last != "" {
			at++
		}
		if c == n {
			return at, at >= 0 && at < len(list.Cells())
		}
	}
	return 0, false
}

// splitLabel splits the path from a parent into the name of a field and the element of it: .names[3], .key(0).
func splitLabel(label string) (name, rest string) {
	if !strings.HasPrefix(label, ".") || strings.HasPrefix(label, ".key(") {
		return "", label
	}
	end := strings.IndexAny(label[1:], ".[")
	if end < 0 {
		return label[1:], ""
	}
	return label[1 : 1+end], label[1+end:]
}

// lastName returns the name of a row without that of its type.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// isElement reports whether a node is an element of a list, or a key or value of a map.
func (p *packet) isElement(n int32) bool {
	x := &p.nodes[n]
	_, rest := splitLabel(x.label)
	return x.kind == Value && rest != "" && x.parent != 0
}

// listOf returns the list or map that a value holds: itself, or the only one in its record.
func listOf(v interp.Value) (list interp.Value, cells []int) {
	if v.Kind() == interp.Record {
		at := -1
		for i, c := range v.Cells() {
			if c.Kind() == interp.List || c.Kind() == interp.Map {
				if at >= 0 {
					return interp.Value{}, nil
				}
				at = i
			}
		}
		if at >= 0 {
			return v.At(at), []int{at}
		}
	}
	if v.Kind() == interp.List || v.Kind() == interp.Map {
		return v, []int{}
	}
	return interp.Value{}, nil
}

// replaced returns a value with the part at a place replaced.
func replaced(v interp.Value, cells []int, change func(interp.Value) interp.Value) interp.Value {
	if len(cells) == 0 {
		return change(v)
	}
	all := slices.Clone(v.Cells())
	all[cells[0]] = replaced(all[cells[0]], cells[1:], change)
	return v.WithCells(all)
}
