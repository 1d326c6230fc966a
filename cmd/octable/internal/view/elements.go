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
	list, index := old.listIn(int32(q.Node)), -1
	if n := int32(q.Node); old.isElement(n) && old.nodes[n].kind == Value {
		list, index = old.nodes[n].parent, int(old.nodes[n].at)
	}
	if list < 0 {
		return nil, &Error{Code: "value", Message: "this is not a list; choose an element of one"}
	}
	at, ok := old.spotOf(list)
	if !ok {
		return nil, errNotRead
	}
	cells := at.value.Cells()
	switch {
	case index < 0:
		index = len(cells)
	case q.After:
		index += step(at.value) - index%step(at.value)
	default:
		index -= index % step(at.value)
	}
	fresh, err := old.fresh(&old.nodes[list], at.value, index, q)
	if err != nil {
		return nil, err
	}
	v := replaced(old.nodes[at.root].Value, at.cells, func(l interp.Value) interp.Value {
		return l.WithCells(slices.Insert(slices.Clone(cells), index, fresh...))
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

// fresh returns the cells of a new element or pair of a list.
func (p *packet) fresh(x *node, list interp.Value, index int, q InsertParams) ([]interp.Value, error) {
	in := &p.f.program.Code[x.PC]
	cells := list.Cells()
	text := q.Text
	if text == "" && p.f.variants && (list.Kind() == interp.Map || len(cells) == 0) {
		text = "null"
	}
	if list.Kind() == interp.Map {
		if q.Key == "" {
			return nil, &Error{Code: "value", Message: "a pair needs a key"}
		}
		key, err := p.parseValue(in.Element(0), q.Key)
		if err != nil {
			return nil, err
		}
		value, err := p.parseValue(in.Element(1), text)
		return []interp.Value{key, value}, err
	}
	if text == "" && len(cells) > 0 { // a copy of the element beside it
		if q.After {
			index--
		}
		return []interp.Value{cells[min(max(index, 0), len(cells)-1)]}, nil
	}
	v, err := p.parseValue(in.Element(0), text)
	return []interp.Value{v}, err
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
	v := replaced(old.nodes[at.root].Value, cells, func(l interp.Value) interp.Value {
		index -= index % step(l)
		return l.WithCells(slices.Delete(slices.Clone(l.Cells()), index, index+step(l)))
	})
	return s.write(ctx, old, at.root, v, int(old.nodes[n].parent), -1)
}
