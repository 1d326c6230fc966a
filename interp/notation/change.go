// Values with one part changed.

package notation

import (
	"errors"
	"fmt"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Verb is a kind of change.
type Verb uint8

// The kinds of change.
const (
	Set    Verb = iota // a part gets another value
	Add                // a list gets an element before that of the path, or behind the last one; a map gets a key
	Delete             // an element or a key is removed, a field becomes absent
)

// Change is a change of one part of a value. A step of the path is a string, the name of a field or a key; an int,
// the place of an element, from the end if it is negative, or a key; or nil, the place behind the last element.
type Change struct {
	Verb  Verb
	Path  []any
	Value Source   // not for Delete
	Steps []string // the path for messages

	Old, New interp.Value // set by Apply: the part before and after, or None
}

// place is a part of a value by the schema: what a routine reads, or a field.
type place struct {
	routine uint32 // bytecode.None for a field
	typ     uint32
	field   int
}

// Apply returns a value of the program's root with a change. The value does not change.
func (n *Notation) Apply(v interp.Value, c *Change) (interp.Value, error) {
	b := builder{n: n, p: n.p, tries: maxTries}
	if len(c.Path) == 0 && c.Verb != Set {
		return v, errors.New("the path of an element, a key or a field is needed")
	}
	return b.change(v, place{routine: n.p.Root}, c, 0)
}

// build makes the value of a place.
func (b *builder) build(at place, s Source) (interp.Value, error) {
	if at.routine != bytecode.None {
		return b.routine(at.routine, s)
	}
	return b.field(at.typ, at.field, s)
}

// change returns a part of a value that is at step i of the path with the change.
func (b *builder) change(v interp.Value, at place, c *Change, i int) (interp.Value, error) {
	if i == len(c.Path) {
		part, err := b.build(at, c.Value)
		c.Old, c.New = v, part
		return part, err
	}
	name, named := c.Path[i].(string)
	typ, own := b.n.types[v.Tag()]
	own = own && v.Tag() != 0
	if own {
		at = place{routine: bytecode.None, typ: typ, field: Alone(&b.p.Types[typ], v)}
	}
	t := &b.p.Types[typ]
	alone := own && at.field >= 0
	if alone && v.Kind() != interp.Map && named && t.Fields[at.field].Name == name {
		// the field that represents its record
		part, err := b.change(v.WithTag(0), at, c, i+1)
		return part.WithTag(v.Tag()), err
	}
	switch v.Kind() {
	case interp.List:
		return b.element(v, at, c, i)
	case interp.Map:
		return b.pair(v, at, c, i)
	case interp.Packed, interp.Lanes:
		if !named {
			return b.lane(v, c, i)
		}
	}
	if !named || !own {
		return v, c.missing(i, "it has no parts with names")
	}
	f := fieldOf(t, name)
	if f < 0 || v.Kind() != interp.Record || f >= v.Len() {
		return v, c.missing(i, fmt.Sprintf("its fields are %s", b.shape(typ)))
	}
	at.field = f
	cells := slices.Clone(v.Cells())
	last := i == len(c.Path)-1
	switch {
	case last && c.Verb == Add && !cells[f].IsNone():
		return v, fmt.Errorf("the field %s is there; leave add out to set it", c.Steps[i])
	case last && c.Verb == Delete:
		c.Old, cells[f] = cells[f], interp.Value{}
		return v.WithCells(cells), nil
	}
	part, err := b.change(cells[f], at, c, i+1)
	cells[f] = part
	return v.WithCells(cells), err
}

func (c *Change) missing(i int, why string) error {
	if i == 0 {
		return fmt.Errorf("%s is not in the value; %s", c.Steps[i], why)
	}
	return fmt.Errorf("%s is not in %s; %s", c.Steps[i], c.Steps[i-1], why)
}

// elements returns the routines of the elements of a list, or of the keys and values of a map. It takes them from the
// instructions of its field.
func (b *builder) elements(at place) (first, second uint32, ok bool) {
	var forms []*bytecode.Instr
	if at.routine == bytecode.None && at.field >= 0 {
		forms = b.n.fields[at.typ][at.field].forms
	}
	for _, in := range forms {
		switch in.Op {
		case bytecode.List:
			return in.B, 0, true
		case bytecode.Rest, bytecode.Through, bytecode.Spare:
			return in.A, 0, true
		case bytecode.Map:
			return in.B, in.D, true
		}
	}
	return 0, 0, false // unreachable: lists and maps are in fields, whose types have tags
}

// element changes an element of a list.
func (b *builder) element(v interp.Value, at place, c *Change, i int) (interp.Value, error) {
	routine, _, ok := b.elements(at)
	n, isPlace := c.Path[i].(int)
	cells := slices.Clone(v.Cells())
	if n < 0 {
		n += len(cells)
	}
	last := i == len(c.Path)-1
	adds := last && c.Verb == Add
	if c.Path[i] == nil && adds {
		n, isPlace = len(cells), true
	} else if n >= len(cells) {
		isPlace = false
	}
	if !ok || !isPlace || n < 0 {
		return v, c.missing(i, fmt.Sprintf("the list has %d elements, from [0] on", len(cells)))
	}
	switch {
	case adds:
		part, err := b.routine(routine, c.Value)
		c.New = part
		return v.WithCells(slices.Insert(cells, n, part)), err
	case last && c.Verb == Delete:
		c.Old = cells[n]
		return v.WithCells(slices.Delete(cells, n, n+1)), nil
	}
	part, err := b.change(cells[n], place{routine: routine}, c, i+1)
	cells[n] = part
	return v.WithCells(cells), err
}

// pair changes a value of a map, of which the last key counts if keys are equal.
func (b *builder) pair(v interp.Value, at place, c *Change, i int) (interp.Value, error) {
	keys, values, ok := b.elements(at)
	if !ok || c.Path[i] == nil {
		return v, c.missing(i, "a map has keys; name one")
	}
	cells := slices.Clone(v.Cells())
	found := -1
	for k := 0; k+1 < len(cells); k += 2 {
		if isKey(cells[k], c.Path[i]) {
			found = k
		}
	}
	last := i == len(c.Path)-1
	switch {
	case last && c.Verb == Add && found >= 0:
		return v, fmt.Errorf("the key %s is there; leave add out to set it", c.Steps[i])
	case last && c.Verb == Add:
		text, _, _ := ParsePart(keyText(c.Path[i]))
		key, err := b.routine(keys, text)
		if err != nil {
			return v, err
		}
		part, err := b.routine(values, c.Value)
		c.New = part
		return v.WithCells(append(cells, key, part)), err
	case found < 0:
		return v, c.missing(i, "there is no such key")
	case last && c.Verb == Delete:
		c.Old = cells[found+1]
		return v.WithCells(slices.Delete(cells, found, found+2)), nil
	}
	part, err := b.change(cells[found+1], place{routine: values}, c, i+1)
	cells[found+1] = part
	return v.WithCells(cells), err
}

// isKey reports whether a key of a map is the one of a step. A key may be a record of one field.
func isKey(key interp.Value, step any) bool {
	switch step := step.(type) {
	case string:
		return key.Kind() == interp.Text && key.Text() == step
	case int:
		switch key.Kind() {
		case interp.Int:
			return key.Int() == int64(step)
		case interp.Uint:
			return step >= 0 && key.Uint() == uint64(step)
		}
	}
	return false
}

// keyText returns the notation of a key.
func keyText(step any) string {
	if s, ok := step.(string); ok {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprint(step)
}

// lane changes a number of an array of numbers, or of a tuple.
func (b *builder) lane(v interp.Value, c *Change, i int) (interp.Value, error) {
	size := v.Scalar().Width()
	if v.Kind() == interp.Packed {
		size *= v.Width()
	}
	data := slices.Clone(v.Bytes())
	n, isPlace := c.Path[i].(int)
	if n < 0 {
		n += len(data) / size
	}
	adds := c.Verb == Add
	if c.Path[i] == nil && adds {
		n, isPlace = len(data)/size, true
	} else if n >= len(data)/size {
		isPlace = false
	}
	switch {
	case !isPlace || n < 0:
		return v, c.missing(i, fmt.Sprintf("there are %d numbers, from [0] on", len(data)/size))
	case i != len(c.Path)-1 || v.Kind() == interp.Packed && v.Width() > 1:
		return v, c.missing(i, "only single numbers are changed; set all of it")
	case v.Kind() == interp.Lanes && c.Verb != Set:
		return v, c.missing(i, "the number of its numbers is fixed")
	}
	var fresh []byte
	if c.Verb != Delete {
		var err error
		if fresh, err = lane(nil, v.Scalar(), v.Scalar(), c.Value); err != nil {
			return v, err
		}
		c.New = interp.MakeLanes(0, v.Scalar(), fresh)
	}
	end := (n + 1) * size
	if adds {
		end = n * size
	} else {
		c.Old = interp.MakeLanes(0, v.Scalar(), slices.Clone(data[n*size:end]))
	}
	data = slices.Concat(data[:n*size], fresh, data[end:])
	if v.Kind() == interp.Lanes {
		return interp.MakeLanes(v.Tag(), v.Scalar(), data), nil
	}
	return interp.MakePacked(v.Tag(), v.Scalar(), v.Width(), data), nil
}
