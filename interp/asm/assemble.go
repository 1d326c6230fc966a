// Assembling: the bytes of items.

package asm

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
)

// maxPacket bounds a packet whose lines have places.
const maxPacket = 1 << 30

// Assemble returns the packet of a text. The error, if any, is an [*Error].
func (a *Assembler) Assemble(text []byte) ([]byte, error) {
	b, _, err := a.assemble(text, nil)
	return b, err
}

// Stale returns the lines with = whose number or padding is not what a writer computes. They are in the
// order of the text, and kept as they are written.
func (a *Assembler) Stale(text []byte) []*Error {
	_, root, err := a.assemble(text, nil)
	if err != nil || root == nil {
		return nil
	}
	var out []*Error
	var visit func(it *item)
	visit = func(it *item) {
		if it.claimed && it.writer != nil && !bytes.Equal(it.bytes, it.writer.Bytes()) {
			name := a.scope(it.routine, it.arm).names[it.pc]
			in := &a.p.Code[it.pc]
			if in.Op == bytecode.Pad {
				out = append(out, errorAt(string(text), it.pos, "%s is not the padding that a writer computes; leave the line out to compute it", name))
			} else {
				out = append(out, errorAt(string(text), it.pos, "%s = %s, but a writer computes %s; leave the line out to compute it, or write %s %s",
					name, wordText(in.Scalar(), it.number), wordText(in.Scalar(), it.writer.Number), name, wordText(in.Scalar(), it.number)))
			}
		}
		for _, c := range it.children {
			visit(c)
		}
	}
	visit(root)
	return out
}

// assemble is Assemble, and returns the lines with what a writer has in their places; nil for an exact text.
// The packet that the writer is likely to encode may be given, so that it is not read again.
func (a *Assembler) assemble(text []byte, likely *segment.Packet) (b []byte, root *item, err error) {
	h, err := parseHeader(string(text))
	if err != nil {
		return nil, nil, err
	}
	p := &parser{a: a, text: string(text), pos: h.end}
	root, rest := p.packet()
	if p.err != nil {
		return nil, nil, p.err
	}
	if h.exact || root == nil {
		b, err = a.concatenated(p.text, root, rest)
		return b, nil, err
	}
	v, err := a.compose(p.text, root)
	if err != nil {
		return nil, nil, err
	}
	w := a.written(v, Options{}.run(h.open), likely)
	if w == nil {
		return nil, nil, a.refused(p.text, root, v, Options{}.run(h.open))
	}
	e := &edits{text: p.text, out: w.Bytes}
	align(root, w.Root)
	e.item(root, 0)
	for _, it := range rest {
		e.put(it, len(w.Bytes), 0)
	}
	b, err = e.apply()
	return b, root, err
}

// refused returns the error of a writer, at the line that it is about.
func (a *Assembler) refused(text string, root *item, v interp.Value, opt interp.Options) error {
	f := &finder{p: a.p, root: root, at: root}
	_, err := a.m.AppendObserved(nil, v, opt, f)
	return errorAt(text, f.at.pos, "a writer refuses the lines: %v; change or add a line, or write exact behind the schema and all lines", err)
}

// finder is an observer of a writer that finds the line of an error.
type finder struct {
	p     *bytecode.Program
	root  *item
	open  []*item // blocks of the values around
	calls []int   // for each: the instruction that is run, and the number of values that it has written
	parts []int
	at    *item // that the error is about
}

// Event follows the values that are written.
func (f *finder) Event(e *interp.Event) {
	switch e.Kind {
	case interp.Open:
		it := f.root
		if n := len(f.open) - 1; n >= 0 {
			it = f.open[n].part(f.calls[n], f.parts[n])
			f.parts[n]++
		}
		f.open, f.calls, f.parts = append(f.open, it), append(f.calls, -1), append(f.parts, 0)
	case interp.Close:
		n := len(f.open) - 1
		f.open, f.calls, f.parts = f.open[:n], f.calls[:n], f.parts[:n]
	case interp.Before:
		f.calls[len(f.calls)-1], f.parts[len(f.parts)-1] = e.PC, 0
	case interp.Failed:
		if n := len(f.open) - 1; n >= 0 {
			f.at = f.open[n]
		}
		for _, c := range f.at.children {
			if c.pc >= 0 && &f.p.Rules[f.p.Code[c.pc].Rule] == e.Rule {
				f.at = c
				break
			}
		}
	}
}

// part returns the block of a value that an instruction writes: element i of a list, or a record.
func (it *item) part(pc, i int) *item {
	for _, c := range it.children {
		switch {
		case c.pc != pc:
		case c.kind != segment.List:
			return c
		case i < len(c.children):
			return c.children[i]
		}
	}
	return it // unreachable: each value that is written has a block in the text
}

// concatenated returns the bytes of items one behind the other, or at their places.
func (a *Assembler) concatenated(text string, root *item, rest []*item) (out []byte, err error) {
	cursor := 0
	var put func(it *item)
	put = func(it *item) {
		if it.offset >= 0 {
			cursor = it.offset
		}
		if n := cursor + len(it.bytes); n > maxPacket && err == nil {
			err = errorAt(text, it.pos, "the packet would have more than %d bytes", maxPacket)
		} else if n > len(out) && err == nil {
			out = append(out, make([]byte, n-len(out))...)
		}
		if err != nil {
			return
		}
		cursor += copy(out[cursor:], it.bytes)
		for _, c := range it.children {
			put(c)
		}
	}
	if root != nil {
		put(root)
	}
	for _, it := range rest {
		put(it)
	}
	return out, err
}

// compose returns the value of a block.
func (a *Assembler) compose(text string, it *item) (interp.Value, error) {
	s := a.scope(it.routine, it.arm)
	if s.fields < 0 {
		return interp.Value{}, errorAt(text, it.pos, "the arm is not known; write exact in the first line and all lines")
	}
	cells := make([]interp.Value, a.p.Routines[it.routine].Cells)
	cells = cells[:max(len(cells), len(a.p.Types[a.p.Code[s.fields].B].Fields))]
	for _, c := range it.children {
		if c.pc < 0 {
			continue
		}
		in := &a.p.Code[c.pc]
		cell := in.Cell()
		var v interp.Value
		var err error
		switch c.kind {
		case segment.Value:
			v, err = a.compose(text, c)
		case segment.List:
			v, err = a.list(text, c, in)
		case segment.Field:
			if v, err = c.value, c.err; in.Op == bytecode.Word {
				take, _ := segment.Taken(a.p, c.pc)
				cell, v = a.p.Code[take].Cell(), interp.Taken(&a.p.Code[take], c.number)
			}
			if err != nil {
				err = errorAt(text, c.pos, "the bytes are no value of the row: %v; write a value before them", err)
			}
		case segment.Cell:
			v = c.value
		default:
			continue
		}
		if err != nil {
			return v, err
		}
		cells[cell] = v
	}
	return a.m.Compose(a.p.End(s.fields), cells), nil
}

// list returns the value of the elements of a list or a map.
func (a *Assembler) list(text string, it *item, in *bytecode.Instr) (interp.Value, error) {
	var cells []interp.Value
	for _, c := range it.children {
		v, err := a.compose(text, c)
		if err != nil {
			return v, err
		}
		cells = append(cells, v)
	}
	switch {
	case in.Op == bytecode.Map && len(cells)%2 == 1:
		return interp.Value{}, errorAt(text, it.pos, "the last key of the map has no value; add a block that begins with value")
	case in.Op == bytecode.Map:
		return interp.MakeMap(0, cells), nil
	}
	return interp.MakeList(0, cells), nil
}

// edits are the changes of the packet of a writer that make it the packet of a text.
type edits struct {
	text string
	out  []byte
	list []edit
	err  error
}

// edit replaces bytes.
type edit struct {
	from, to int
	with     []byte
	order    int
	pos      int
}

// put replaces n bytes of the writer by those of an item.
func (e *edits) put(it *item, from, n int) {
	e.list = append(e.list, edit{from, from + n, it.bytes, len(e.list), it.pos})
}

// item replaces the bytes of the rows of an item. It returns the end of the last row, which
// is undefined for an item without rows.
func (e *edits) item(it *item, at int) int {
	switch {
	case it.kind.Leaf() && it.writer != nil:
		e.put(it, it.writer.Offset, it.writer.Len)
		return it.writer.End()
	case it.kind.Leaf():
		e.put(it, at, 0)
	case it.kind != segment.Cell && it.writer == nil && e.err == nil:
		e.err = errorAt(e.text, it.pos, "a writer makes another packet of these lines; write exact in the first line and all lines")
	case it.writer != nil && it.kind != segment.Cell:
		at = it.writer.Offset
	}
	for _, c := range it.children {
		at = e.item(c, at)
	}
	if it.writer != nil && it.kind != segment.Cell {
		at = max(at, it.writer.End())
	}
	return at
}

// apply returns the changed packet.
func (e *edits) apply() ([]byte, error) {
	slices.SortStableFunc(e.list, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.order, b.order))
	})
	if e.err != nil {
		return nil, e.err
	}
	var out []byte
	at := 0
	last := edit{from: -1}
	for _, x := range e.list {
		switch {
		case bytes.Equal(x.with, e.out[x.from:x.to]): // no change
			continue
		case x.from >= at:
		case x.from == last.from && x.to == last.to && bytes.Equal(x.with, last.with): // a part that is there twice
			continue
		default:
			return nil, errorAt(e.text, x.pos, "the bytes of this line are those of another line, too, which differs")
		}
		out = append(append(out, e.out[at:x.from]...), x.with...)
		at, last = x.to, x
	}
	return append(out, e.out[at:]...), nil
}
