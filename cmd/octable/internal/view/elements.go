// Inserting and removing elements.

package view

import (
	"context"
	"fmt"
	"slices"

	"github.com/octable/octable/interp"
)

// insert inserts an element into a list or a pair into a map.
func (s *Service) insert(ctx context.Context, q InsertParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	if err := old.check(q.Node, -1); err != nil {
		return nil, err
	}
	n := int32(q.Node)
	at, ok := old.spotOf(n)
	if !ok {
		return nil, errNotRead
	}
	list, index, beside := interp.Value{}, 0, n
	cells := at.cells
	if old.isElement(n) && len(cells) > 0 {
		cells, index = cells[:len(cells)-1], cells[len(cells)-1]
		list = old.nodes[at.root].value
		for _, c := range cells {
			list = list.At(c)
		}
		if list.Kind() == interp.Map {
			index -= index % 2
		}
		if q.After {
			index += step(list)
		}
	} else {
		var inner []int
		if list, inner = listOf(at.value); inner == nil {
			return nil, &Error{Code: "value", Message: "this is not a list; choose an element of one"}
		}
		cells = append(slices.Clone(cells), inner...)
		index, beside = len(list.Cells()), old.lastElement(n)
	}
	fresh, err := old.fresh(list, beside, index, q)
	if err != nil {
		return nil, err
	}
	v := replaced(old.nodes[at.root].value, cells, func(l interp.Value) interp.Value {
		return l.WithCells(slices.Insert(slices.Clone(l.Cells()), index, fresh...))
	})
	return s.write(ctx, old, at.root, v, q.Node, -1)
}

// step is how many cells an element has.
func step(list interp.Value) int {
	if list.Kind() == interp.Map {
		return 2
	}
	return 1
}

// lastElement returns the node of the last element of a list, or -1.
func (p *packet) lastElement(n int32) int32 {
	for _, c := range slices.Backward(p.parts(n)) {
		if p.isElement(c) {
			return c
		}
	}
	return -1
}

// fresh returns the cells of a new element or pair, at a place beside that of a node.
func (p *packet) fresh(list interp.Value, beside int32, index int, q InsertParams) ([]interp.Value, error) {
	routine := p.f.program.Root
	if beside >= 0 {
		routine = p.nodes[beside].routine
	} else if !p.f.variants {
		return nil, &Error{Code: "value", Message: "the list is empty, so its elements are not known; edit the value around it"}
	}
	if list.Kind() == interp.Map {
		if q.Key == "" {
			return nil, &Error{Code: "value", Message: "a pair needs a key"}
		}
		key, err := p.parseValue(routine, q.Key)
		if err != nil {
			return nil, err
		}
		text := q.Text
		if text == "" {
			text = "null"
		}
		value, err := p.parseValue(routine, text)
		return []interp.Value{key, value}, err
	}
	if q.Text != "" {
		v, err := p.parseValue(routine, q.Text)
		return []interp.Value{v}, err
	}
	cells := list.Cells()
	if len(cells) == 0 {
		if !p.f.variants {
			return nil, &Error{Code: "value", Message: "the list is empty; write the element"}
		}
		v, err := p.parseValue(routine, "null")
		return []interp.Value{v}, err
	}
	i := index - 1
	if !q.After {
		i = index
	}
	return []interp.Value{cells[min(max(i, 0), len(cells)-1)]}, nil
}

// remove removes an element or a pair.
func (s *Service) remove(ctx context.Context, q NodeParams) (*Packet, error) {
	old, err := s.packet(q.Packet)
	if err != nil {
		return nil, err
	}
	if err := old.check(q.Node, -1); err != nil {
		return nil, err
	}
	n := int32(q.Node)
	at, ok := old.spotOf(n)
	if !ok {
		return nil, errNotRead
	}
	if !old.isElement(n) || len(at.cells) == 0 {
		return nil, &Error{Code: "value", Message: fmt.Sprintf("%s is not an element of a list; only elements can be removed", old.item(q.Node, -1).Label)}
	}
	cells, index := at.cells[:len(at.cells)-1], at.cells[len(at.cells)-1]
	v := replaced(old.nodes[at.root].value, cells, func(l interp.Value) interp.Value {
		index -= index % step(l)
		return l.WithCells(slices.Delete(slices.Clone(l.Cells()), index, index+step(l)))
	})
	return s.write(ctx, old, at.root, v, int(old.nodes[n].parent), -1)
}
