// Package segment maps the bytes of a packet to the rows of its schema.
//
//	func Read(m *interp.Machine, b []byte, opt interp.Options) *Packet
//	func (p *Packet) At(offset int) *Node   // the leaf that owns a byte
//	func (p *Packet) Spans() []Span         // all bytes in order, each with its leaf
//	func (p *Packet) All() iter.Seq[*Node]  // all nodes, outer before inner
//
// A packet is a tree. Inner nodes are values and the lists and maps in them. Leaves are runs of
// bytes: the bytes of a field, a number that a writer computes, a word of bits, padding, the bytes between
// parts, or bytes that no row explains. Each byte belongs to exactly one leaf. A part that is read
// twice has its leaves twice; the later ones are Shared and own no bytes. A cell is a field without
// separate bytes, such as the bits of a word before it.
//
// A damaged packet has the nodes that were read before the error. The bytes after them are Raw.
// After a wrong checksum, or another number that a reader compares with what a writer computes, reading
// continues as if the packet had the right one: see [Packet.Wrong]. A [Resumer] continues after other errors, too.
//
// The package is a client of the events of interp. It knows programs only, and no format.
package segment

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Kind is the kind of a [Node].
type Kind uint8

// The kinds of node. Those from Field on are leaves.
const (
	Value   Kind = iota // a value of a routine: a record or an arm of a union
	List                // the elements of a list, or the keys and values of a map in turn
	Cell                // a field without separate bytes
	Field               // the bytes of a field
	Derived             // a number that a writer computes: a length, count, checksum or type
	Bits                // a word that holds several fields, or fields and derived numbers
	Padding             // padding
	Gap                 // bytes between the parts of a record
	Raw                 // bytes that no row explains: after an error, or left over
)

// String returns the kind as one word.
func (k Kind) String() string {
	return [...]string{"value", "list", "cell", "field", "derived", "bits", "padding", "gap", "raw"}[k]
}

// Leaf reports whether nodes of the kind have bytes.
func (k Kind) Leaf() bool { return k >= Field }

// Node is a part of a packet.
type Node struct {
	Kind     Kind
	Offset   int            // of the first byte
	Len      int            // number of bytes; Value, List: up to the end of the last node inside
	Name     string         // of the row: its last name. "" for Gap and Raw
	Label    string         // Value: its step in the path, such as .name, [3], ["key"], .key(0)
	Path     string         // Value: its path. Others: that of the value they are in
	Rule     *bytecode.Rule // the row of the schema: File, Line, Name, Doc. nil for Gap and Raw
	PC       int            // the instruction that has the node; -1 if none has
	Routine  uint32         // the routine of the instruction; Value: of the value
	Arm      int            // Value: the arm of its union that was read, or -1
	Value    interp.Value   // the value that was read, or None
	Number   uint64         // Derived, Bits: the number
	Done     bool           // Value, List: it was read to its end
	Shared   bool           // the bytes belong to an earlier leaf
	Parent   *Node
	Children []*Node

	packet  *Packet
	skipped *pass // of a Raw node: the region whose bytes were not read after an error
	grafted bool
}

// Bytes returns the bytes of a leaf.
func (n *Node) Bytes() []byte { return n.packet.Bytes[n.Offset:n.End():n.End()] }

// End returns the offset behind the last byte.
func (n *Node) End() int { return n.Offset + n.Len }

// Packet is the tree of a packet.
type Packet struct {
	Bytes []byte
	Root  *Node         // the outermost value; nil if there is no value at all
	Rest  []*Node       // Gap and Raw leaves, in the order of their offsets
	Value interp.Value  // of the packet, if Err is nil
	Used  int           // bytes of the value and its parts, or those read before the error
	Err   *interp.Error // the error that ends reading
	Wrong []Mismatch    // numbers that differ from what a writer computes, in the order in which they were found

	m     *interp.Machine
	spans []Span
}

// Mismatch is a checksum, or another number that follows from the rest of the packet, that is wrong.
type Mismatch struct {
	Leaf *Node         // that holds it
	Want uint64        // the right number
	Err  *interp.Error // the error of a reader
}

// Span is a run of bytes of one leaf.
type Span struct {
	From, To int
	Leaf     *Node
}

// Machine returns the machine that read the packet.
func (p *Packet) Machine() *interp.Machine { return p.m }

// Spans returns the bytes of the packet in order: each is in one span. Spans have at least one byte.
func (p *Packet) Spans() []Span { return p.spans }

// At returns the leaf that a byte belongs to, or nil if the packet has no such byte.
func (p *Packet) At(offset int) *Node {
	i, ok := slices.BinarySearchFunc(p.spans, offset, func(s Span, at int) int {
		switch {
		case at < s.From:
			return 1
		case at >= s.To:
			return -1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return p.spans[i].Leaf
}

// All yields all nodes in the order of reading, then the rest.
func (p *Packet) All() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if p.Root != nil && !p.Root.walk(yield) {
			return
		}
		for _, n := range p.Rest {
			if !yield(n) {
				return
			}
		}
	}
}

// Leaves yields all leaves in the order of reading, then the rest.
func (p *Packet) Leaves() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for n := range p.All() {
			if n.Kind.Leaf() && !yield(n) {
				return
			}
		}
	}
}

func (n *Node) walk(yield func(*Node) bool) bool {
	stack := []*Node{n}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !yield(n) {
			return false
		}
		for _, c := range slices.Backward(n.Children) {
			stack = append(stack, c)
		}
	}
	return true
}

// maxWrong bounds the wrong numbers after which reading continues.
const maxWrong = 64

// Read reads the packet at the beginning of b. The nodes keep b, which must not be changed.
func Read(m *interp.Machine, b []byte, opt interp.Options) *Packet {
	p, _ := ReadContext(context.Background(), m, b, opt, 0)
	return p
}

// ReadContext is Read that ends with the error of the context when that ends. Of a packet with more than most
// nodes it returns those, with the error [interp.ErrLimit]; 0 is no limit.
func ReadContext(ctx context.Context, m *interp.Machine, b []byte, opt interp.Options, most int) (*Packet, error) {
	p, _, err := read(ctx, &lenient{m: m}, b, opt, most)
	if err != nil {
		return nil, err
	}
	p.share()
	return p, nil
}

// read makes the nodes of a packet, but no spans.
func read(ctx context.Context, l *lenient, b []byte, opt interp.Options, most int) (*Packet, *tracer, error) {
	p := &Packet{Bytes: b, m: l.m}
	facts := factsOf(l.m.Program())
	input := b
	for {
		t := &tracer{p: l.m.Program(), rest: l.rest, facts: facts, ctx: ctx, most: most, at: -1}
		v, used, err := t.decode(l.m, input, opt)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		p.Root, p.Value, p.Used, p.Err = t.root, v, used, nil
		if err != nil {
			errors.As(err, &p.Err)
			p.Value, p.Used = interp.Value{}, t.cursor
			if fixed, ok := t.repaired(input); ok && len(p.Wrong) < maxWrong {
				p.Wrong = append(p.Wrong, Mismatch{t.failed, t.want, p.Err})
				input = fixed
				continue
			}
		}
		for _, n := range t.open {
			n.Len = max(0, t.cursor-n.Offset)
		}
		p.relocate()
		p.translate(l.origin, t)
		return p, t, nil
	}
}

// translate replaces instructions by those of the program that they were made of.
func (p *Packet) translate(origin []int, t *tracer) {
	if origin == nil {
		return
	}
	for n := range p.All() {
		if n.PC >= 0 {
			n.PC = origin[n.PC]
		}
	}
	if t.at >= 0 {
		t.at = origin[t.at]
	}
	for i := range t.regions {
		t.regions[i].pc = origin[t.regions[i].pc]
	}
}

// relocate replaces what was read of repaired bytes by what the packet has.
func (p *Packet) relocate() {
	if len(p.Wrong) == 0 {
		return
	}
	at := map[[2]int]*Node{}
	for n := range p.All() {
		at[[2]int{n.Offset, n.PC}] = n
	}
	for i := range p.Wrong {
		w := &p.Wrong[i]
		number := w.Leaf.Number
		if w.Leaf = at[[2]int{w.Leaf.Offset, w.Leaf.PC}]; w.Leaf != nil {
			w.Leaf.Number = number
		}
	}
	p.Wrong = slices.DeleteFunc(p.Wrong, func(c Mismatch) bool { return c.Leaf == nil })
}

// share decides which leaf owns each byte, and adds the leaves of the bytes that none has.
func (p *Packet) share() {
	var leaves []*Node
	for n := range p.All() {
		n.packet = p
		if n.Kind.Leaf() {
			leaves = append(leaves, n)
		}
	}
	owned := intervals{}
	for _, n := range leaves {
		if n.Len == 0 {
			continue
		}
		free := owned.add(n.Offset, n.End())
		n.Shared = len(free) == 0
		for _, f := range free {
			p.spans = append(p.spans, Span{f[0], f[1], n})
		}
	}
	used := p.Used
	if p.Err != nil {
		used = 0 // what comes next is not known
	}
	for _, f := range owned.add(0, len(p.Bytes)) {
		for _, f := range [][2]int{{f[0], max(f[0], min(f[1], used))}, {max(f[0], min(f[1], used)), f[1]}} {
			if f[0] == f[1] {
				continue
			}
			n := &Node{Kind: Raw, Offset: f[0], Len: f[1] - f[0], PC: -1, Arm: -1, packet: p}
			if f[1] <= used {
				n.Kind = Gap
			}
			p.Rest = append(p.Rest, n)
			p.spans = append(p.spans, Span{f[0], f[1], n})
		}
	}
	slices.SortFunc(p.spans, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	slices.SortFunc(p.Rest, func(a, b *Node) int { return cmp.Compare(a.Offset, b.Offset) })
}

// intervals are disjoint runs of bytes that do not touch, in order.
type intervals [][2]int

// add adds a run, and returns the parts of it that were not there.
func (s *intervals) add(from, to int) (free [][2]int) {
	list := *s
	first, _ := slices.BinarySearchFunc(list, from, func(r [2]int, at int) int { return cmp.Compare(r[1], at) })
	last, at := first, from
	joined := [2]int{from, to}
	for ; last < len(list) && list[last][0] <= to; last++ {
		if list[last][0] > at {
			free = append(free, [2]int{at, list[last][0]})
		}
		at = max(at, list[last][1])
		joined = [2]int{min(joined[0], list[last][0]), max(joined[1], list[last][1])}
	}
	if at < to {
		free = append(free, [2]int{at, to})
	}
	*s = slices.Replace(list, first, last, joined)
	return free
}

// lastName returns the last part of the name of a row.
func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
