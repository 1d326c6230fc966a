// Items: the lines of a text as a tree.

package asm

import (
	"bytes"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/notation"
	"github.com/octable/octable/interp/segment"
)

// item is a line or a block of a text.
type item struct {
	kind     segment.Kind
	pc       int // the instruction of the row; -1 for the packet, elements and raw bytes
	routine  uint32
	arm      int // of the union that the item is, or is in, or -1
	offset   int // of the bytes; -1 if they are behind those of the item before
	pos      int // in the text
	bytes    []byte
	shown    bool // the bytes are written beside the value
	claimed  bool // the text says that a writer computes them
	value    interp.Value
	err      error // why the bytes have no value
	number   uint64
	children []*item

	node   *segment.Node // disassembler: that the item was made of
	writer *segment.Node // that a writer has in its place, or nil
	want   *uint64       // the right number, if a writer does not say it
}

// items makes the lines of a packet.
func (a *Assembler) items(p *segment.Packet) (root *item, rest []*item) {
	wrong := map[*segment.Node]*uint64{}
	for i := range p.Wrong {
		wrong[p.Wrong[i].Leaf] = &p.Wrong[i].Want
	}
	if p.Root != nil {
		root = a.item(p, p.Root, -1, wrong)
	}
	for _, n := range p.Rest {
		rest = append(rest, a.item(p, n, -1, wrong))
	}
	return root, rest
}

// item makes the line or the block of a node in an arm.
func (a *Assembler) item(p *segment.Packet, n *segment.Node, arm int, wrong map[*segment.Node]*uint64) *item {
	if n.Kind == segment.Value {
		arm = n.Arm
	}
	it := &item{kind: n.Kind, pc: n.PC, routine: n.Routine, arm: arm, offset: n.Offset, value: n.Value, number: n.Number, node: n, want: wrong[n]}
	if n.Kind.Leaf() {
		it.bytes = p.Bytes[n.Offset:n.End()]
		it.shown = !a.plain(it)
	}
	for _, c := range n.Children {
		it.children = append(it.children, a.item(p, c, arm, wrong))
	}
	return it
}

// plain reports whether the bytes of a row are those of its value in the text.
func (a *Assembler) plain(it *item) bool {
	if it.pc < 0 {
		return false
	}
	in := &a.p.Code[it.pc]
	switch in.Op {
	case bytecode.Pad:
		return false
	case bytecode.Word, bytecode.Union:
		b, ok := interp.AppendWord(nil, a.p, it.pc, it.number)
		return ok && bytes.Equal(b, it.bytes)
	}
	text, ok := a.valueText(nil, it)
	if !ok {
		return false
	}
	var v interp.Value
	typ, cell := a.cell(it)
	s, n, err := notation.ParsePart(string(text))
	if err == nil {
		v, err = a.n.BuildField(typ, cell, s)
	}
	if err != nil || n != len(text) {
		return false // unreachable: the notation reads the text that it prints
	}
	b, err := a.m.AppendRow(nil, it.pc, v)
	return err == nil && bytes.Equal(b, it.bytes)
}

// align notes, for each item, the node of the writer's packet that is in its place.
func align(it *item, n *segment.Node) {
	if it.kind == segment.Value && (it.routine != n.Routine || it.arm != n.Arm) {
		return
	}
	it.writer = n
	if it.kind == segment.List {
		if len(it.children) == len(n.Children) {
			for i, c := range it.children {
				align(c, n.Children[i])
			}
		}
		return
	}
	at := map[int]*segment.Node{}
	for _, c := range n.Children {
		at[c.PC] = c
	}
	for _, c := range it.children {
		switch w := at[c.pc]; {
		case w == nil || c.pc < 0 || w.Kind.Leaf() != c.kind.Leaf():
		case c.kind == segment.Value || c.kind == segment.List:
			align(c, w)
		default:
			c.writer = w
		}
	}
}
