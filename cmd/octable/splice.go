// Changes of single values in the bytes of a packet.

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/codec"
	"github.com/octable/octable/codec/godot"
	"github.com/octable/octable/codec/raw"
	"github.com/octable/octable/interp"
)

// part is a value with its place in a packet.
type part struct {
	from, to int
	value    interp.Value
	parts    []*part
	words    []int // offsets of the numbers of 4 bytes that are directly in the value
}

// partsOf decodes a packet with the places of all its values.
func (c *editCommand) partsOf(b []byte) (*part, error) {
	root := &part{}
	open := []*part{root}
	_, _, err := raw.Machine(c.codec).DecodeObserved(b, c.reading(), interp.ObserverFunc(func(e *interp.Event) {
		around := open[len(open)-1]
		switch e.Kind {
		case interp.Open:
			p := &part{from: e.Offset}
			around.parts = append(around.parts, p)
			open = append(open, p)
		case interp.Close:
			around.value, around.to = e.Value, e.End()
			open = open[:len(open)-1]
		case interp.Row:
			if e.Derived && e.Len == 4 {
				around.words = append(around.words, e.Offset)
			}
		}
	}))
	if err != nil {
		return nil, err
	}
	if len(root.parts) != 1 {
		return nil, errors.New("the packet is not one value")
	}
	return root.parts[0], nil
}

// content returns the list or map of a container, and what else is in its record.
func content(v interp.Value) (list interp.Value, field int) {
	if v.Kind() == interp.Record {
		for i, f := range v.Cells() {
			if f.Kind() == interp.List || f.Kind() == interp.Map {
				return f, i
			}
		}
	}
	return v, -1
}

// elements returns the elements of a container, or its keys and values in turn. Others are before
// them: the types of a typed container.
func (p *part) elements() ([]*part, bool) {
	list, _ := content(p.value)
	n := len(list.Cells())
	if raw.Wrap(p.value).Type() == godot.PackedStringArray {
		return nil, false // its elements are texts, not Variants
	}
	if k := list.Kind(); k != interp.List && k != interp.Map || n > len(p.parts) {
		return nil, false
	}
	return p.parts[len(p.parts)-n:], true
}

// describe names the type of a value for messages.
func (p *part) describe() string { return raw.Wrap(p.value).Name() }

// find returns the place of a step in the elements of a container. In a map it is the place of the value. Of equal keys
// it is the last, which engines keep.
func (p *part) find(s step) (int, error) {
	list, _ := content(p.value)
	elements, ok := p.elements()
	if !ok || list.Len() > 0 && len(elements) == 0 {
		return 0, fmt.Errorf("%s is in %s, which has no keys and elements to change; set all of it", s.text, p.describe())
	}
	if list.Kind() == interp.List {
		i, whole := s.key.AsInt()
		if i < 0 {
			i += int64(len(elements))
		}
		if s.name || s.end || !whole || i < 0 || i >= int64(len(elements)) {
			return 0, fmt.Errorf("%s is not in %s, which has %s from [0] on", s.text, p.describe(), count(len(elements), "element", "elements"))
		}
		return int(i), nil
	}
	found, names := p.keys(s)
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	want, _ := s.key.AsString()
	return 0, fmt.Errorf("there is no key %s%s", s.text, meant(want, names, ""))
}

// keys returns the places of the values in a map whose key is the one of a step. It also returns the names of all keys.
func (p *part) keys(s step) (found []int, names []string) {
	elements, _ := p.elements()
	want, _ := s.key.AsString()
	for i := 0; i+1 < len(elements); i += 2 {
		key := raw.Wrap(elements[i].value)
		same := !s.name && !s.end && codec.Equal(key, s.key)
		if text, ok := key.AsString(); ok && (key.Type() == godot.String || key.Type() == godot.StringNameType) {
			same = same || s.name && text == want
			names = append(names, text)
		}
		if same {
			found = append(found, i+1)
		}
	}
	return found, names
}

// fits returns an error if a typed container does not take the value of an edit.
func (e *edit) fits(around []*part) error {
	owner := around[len(around)-1]
	if e.verb == "set" && len(around) > 1 {
		owner = around[len(around)-2]
	}
	if _, ok := owner.elements(); !ok || e.verb == "delete" || len(e.keys) == 0 {
		return nil
	}
	// Only the check of types is of interest: other errors are reported with the change.
	step := e.keys[min(len(around)-1+btoi(e.verb == "add"), len(e.keys))-1]
	_, err := raw.Wrap(owner.value).With(step, e.value)
	if errors.Is(err, codec.ErrMismatch) {
		return fmt.Errorf("%s is %s, which the elements of this typed %s cannot be", clip(e.text, 40), e.value.Name(), owner.describe())
	}
	return nil
}

// lanes are the names of numbers in math types.
var lanes = map[godot.Type]string{
	godot.Vector2Type: "xy", godot.Vector2iType: "xy", godot.Vector3Type: "xyz", godot.Vector3iType: "xyz",
	godot.Vector4Type: "xyzw", godot.Vector4iType: "xyzw", godot.QuaternionType: "xyzw", godot.ColorType: "rgba",
}

// compound reports whether a value has parts that are no Variants.
func (p *part) compound() bool {
	k := p.value.Kind()
	return k == interp.Lanes || k == interp.Packed || raw.Wrap(p.value).Type() == godot.PackedStringArray
}

// with returns the value with the part changed that the steps of an edit from k on mean.
func (p *part) with(e *edit, k int) (codec.Value, error) {
	path := slices.Clone(e.keys[k:])
	v := raw.Wrap(p.value)
	for i, x := range path {
		if name, ok := x.(string); ok && len(name) == 1 {
			if n := strings.Index(lanes[v.At(path[:i]...).Type()], name); n >= 0 {
				path[i] = n
			}
		}
	}
	whole, err := v.Set(path, e.value)
	switch {
	case errors.Is(err, codec.ErrMismatch):
		err = fmt.Errorf("%s is %s, which cannot be a part of %s, or does not fit", clip(e.text, 40), e.value.Name(), p.describe())
	case err != nil:
		err = fmt.Errorf("%s is not in %s, which has %s from [0] on", codec.Path(e.keys[k:]), p.describe(), count(v.Len(), "element", "elements"))
	}
	return whole, err
}

// change makes a change in a packet, and prints it with -n.
func (c *editCommand) change(b []byte, text string) ([]byte, error) {
	e, err := parseEdit(c.codec, text)
	if err == nil {
		err = e.variant(c.codec)
	}
	if err != nil {
		return nil, err
	}
	if e.verb != "set" && len(e.steps) == 0 {
		return nil, fmt.Errorf("%s needs the path of a key or an element", e.verb)
	}
	root, err := c.partsOf(b)
	if err != nil {
		return nil, err
	}
	at, around := root, []*part{root}
	var places []int
	steps := e.steps
	if e.verb == "add" {
		steps = steps[:len(steps)-1]
	}
	for k, s := range steps {
		i, err := at.find(s)
		if err != nil {
			if at.compound() && e.verb == "set" {
				// a number of a Vector2 or an element of a packed array, which is set as a whole
				if e.value, err = at.with(e, k); err == nil {
					break
				}
			}
			return nil, err
		}
		elements, _ := at.elements()
		at = elements[i]
		places, around = append(places, i), append(around, at)
	}
	if err := e.fits(around); err != nil {
		return nil, err
	}
	var fresh []byte
	if e.verb != "delete" {
		if fresh, err = c.codec.Encode(e.value); err != nil {
			return nil, err
		}
	}
	var out []byte
	var want interp.Value
	switch e.verb {
	case "set":
		out = slices.Concat(b[:at.from], fresh, b[at.to:])
		want = replaced(root.value, places, func(interp.Value) interp.Value { return raw.Value(e.value) })
		c.show(e.path, at.from, raw.Wrap(at.value), e.value)
	case "delete":
		owner, i := around[len(around)-2], places[len(places)-1]
		elements, _ := owner.elements()
		first := i
		if list, _ := content(owner.value); list.Kind() == interp.Map {
			first = i - 1 // the key
			if found, _ := owner.keys(steps[len(steps)-1]); len(found) > 1 {
				return nil, fmt.Errorf("the key %s is there %d times; set all of the Dictionary", steps[len(steps)-1].text, len(found))
			}
		}
		out = slices.Concat(b[:elements[first].from], b[at.to:])
		err = owner.recount(out, -1)
		want = replaced(root.value, places[:len(places)-1], func(v interp.Value) interp.Value {
			return withCells(v, func(cells []interp.Value) []interp.Value { return slices.Delete(cells, first, i+1) })
		})
		c.show(e.path, elements[first].from, raw.Wrap(at.value), codec.Value{})
	default:
		out, want, err = c.add(b, e, root, at, places, fresh)
	}
	if err != nil {
		return nil, err
	}
	got, used, err := c.codec.Decode(out)
	if err != nil {
		return nil, fmt.Errorf("%s does not fit there: %w", e.path, err)
	}
	if used != len(out) && used != len(out)-(len(b)-root.to) || !codec.Equal(got, raw.Wrap(want)) {
		return nil, fmt.Errorf("%s cannot be changed without other bytes; print the value with decode, change it and write it with encode", e.path)
	}
	return out, nil
}

// add adds a key or an element to a container.
func (c *editCommand) add(b []byte, e *edit, root, at *part, places []int, fresh []byte) ([]byte, interp.Value, error) {
	last := e.steps[len(e.steps)-1]
	list, _ := content(at.value)
	elements, ok := at.elements()
	if !ok {
		return nil, root.value, fmt.Errorf("%s has no keys and elements; set all of it", at.describe())
	}
	i, offset := len(elements), at.to
	cells := []interp.Value{raw.Value(e.value)}
	if list.Kind() == interp.Map {
		if last.end {
			return nil, root.value, errors.New("a Dictionary has no end; name the key")
		}
		if _, err := at.find(last); err == nil {
			return nil, root.value, fmt.Errorf("the key %s is there; leave add out to set it", last.text)
		}
		key, err := c.codec.Encode(last.key)
		if err != nil {
			return nil, root.value, err
		}
		fresh = slices.Concat(key, fresh)
		cells = []interp.Value{raw.Value(last.key), raw.Value(e.value)}
	} else if !last.end {
		var err error
		if i, err = at.find(last); err != nil {
			return nil, root.value, err
		}
		offset = elements[i].from
	}
	out := slices.Concat(b[:offset], fresh, b[offset:])
	if err := at.recount(out, 1); err != nil {
		return nil, root.value, err
	}
	c.show(e.path, offset, codec.Value{}, e.value)
	return out, replaced(root.value, places, func(v interp.Value) interp.Value {
		return withCells(v, func(old []interp.Value) []interp.Value { return slices.Insert(old, i, cells...) })
	}), nil
}

// recount adds to the number of elements of a container. Its highest bit is a flag in some versions.
func (p *part) recount(b []byte, change int) error {
	list, _ := content(p.value)
	for _, at := range slices.Backward(p.words) {
		word := binary.LittleEndian.Uint32(b[at:])
		if n := word &^ (1 << 31); int(n) == list.Len() {
			binary.LittleEndian.PutUint32(b[at:], word&(1<<31)|uint32(int(n)+change))
			return nil
		}
	}
	return fmt.Errorf("%s has no count of its elements", p.describe())
}

// withCells returns a container with other elements.
func withCells(v interp.Value, change func([]interp.Value) []interp.Value) interp.Value {
	list, field := content(v)
	list = list.WithCells(change(slices.Clone(list.Cells())))
	if field < 0 {
		return list
	}
	fields := slices.Clone(v.Cells())
	fields[field] = list
	return v.WithCells(fields)
}

// replaced returns a value with the part at some places replaced.
func replaced(v interp.Value, places []int, change func(interp.Value) interp.Value) interp.Value {
	if len(places) == 0 {
		return change(v)
	}
	return withCells(v, func(cells []interp.Value) []interp.Value {
		cells[places[0]] = replaced(cells[places[0]], places[1:], change)
		return cells
	})
}

// show prints a change with -n, and says if the type of a value becomes another one.
func (c *editCommand) show(path string, at int, before, after codec.Value) {
	both := before.Type() != godot.Invalid && after.Type() != godot.Invalid
	if both && before.Type() != after.Type() {
		fmt.Fprintf(c.stderr, "octable: %s was %s and is %s now\n", path, before.Name(), after.Name())
	}
	if !c.dry {
		return
	}
	fmt.Fprintf(c.stdout, "@ %s, byte %d\n", path, at)
	for i, v := range []codec.Value{before, after} {
		if v.Type() == godot.Invalid {
			continue
		}
		text, err := c.codec.AppendText(nil, v, "")
		if err != nil {
			text = []byte(message(err))
		}
		for line := range bytes.Lines(append(text, '\n')) {
			fmt.Fprintf(c.stdout, "%c %s", "-+"[i], line)
		}
	}
}
