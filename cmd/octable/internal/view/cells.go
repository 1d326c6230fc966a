// The place of a node in the value of a packet.

package view

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
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
	var chain []int32
	for ; n != 0; n = p.nodes[n].parent {
		chain = append(chain, n)
	}
	slices.Reverse(chain)
	if len(chain) == 0 || p.nodes[chain[0]].kind != Value || p.nodes[chain[0]].cut() || p.gaps[chain[0]] {
		return s, false
	}
	s = spot{root: chain[0], value: p.nodes[chain[0]].Value}
	for _, n := range chain[1:] {
		if !p.enter(&s, n) {
			return s, false
		}
	}
	return s, true
}

// enter goes from the value of a node to that of a node directly inside of it.
func (p *packet) enter(s *spot, n int32) bool {
	x := &p.nodes[n]
	switch x.kind {
	case Value, List, Row, Cell:
	default:
		return false
	}
	if p.nodes[x.parent].kind == List {
		if int(x.at) >= len(s.value.Cells()) {
			return false
		}
		s.into(int(x.at))
		return true
	}
	if x.PC < 0 {
		return false
	}
	cell := p.f.program.Code[x.PC].Cell()
	switch {
	case cell == bytecode.None:
		return false
	case p.f.program.InBare(int(x.PC)):
		return true
	}
	t := p.f.notation.Type(s.value)
	switch alone := t != nil && notation.Alone(t, s.value) == int(cell); {
	case alone, s.value.Kind() != interp.Record:
		return true // the field represents the record
	case int(cell) < len(s.value.Cells()):
		s.into(int(cell))
		return true
	}
	return false
}

// into goes to a cell.
func (s *spot) into(i int) { s.cells, s.value = append(s.cells, i), s.value.At(i) }

// isElement reports whether a node is an element of a list, or a key or value of a map.
func (p *packet) isElement(n int32) bool { return n > 0 && p.nodes[p.nodes[n].parent].kind == List }

// listIn returns the node of the list that a node is, or of the only one directly inside of it. It is -1 if there is
// none.
func (p *packet) listIn(n int32) int32 {
	if p.nodes[n].kind == List {
		return n
	}
	found := int32(-1)
	if p.nodes[n].kind == Value && n != 0 {
		for c := n + 1; c < p.nodes[n].next; c = p.nodes[c].next {
			if p.nodes[c].kind == List {
				if found >= 0 {
					return -1
				}
				found = c
			}
		}
	}
	return found
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
