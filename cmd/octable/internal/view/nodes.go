// The nodes of a packet: those of package segment, numbered.

package view

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
)

// node is a part of a packet. Nodes are in the order of the run: those inside of node i are i+1 up to next. Node 0 is
// the packet, around its values.
type node struct {
	*segment.Node
	kind         Kind
	parent, next int32
	at           int32 // index among the parts of the parent
	from, to     int32
}

// cut reports whether a value or a list was not read to its end.
func (x *node) cut() bool { return (x.kind == Value || x.kind == List) && !x.Done }

// MaxNodes is the most nodes of a value.
const MaxNodes = 2 << 20

// tree holds the nodes and leaves of a packet, and its errors.
type tree struct {
	nodes  []node
	leaves []leaf
	errors []Fault
	odd    *Fault         // the first byte that a writer would not write
	value  interp.Value   // of a packet that is no stream, if it was read
	read   bool           // value is set
	gaps   map[int32]bool // values at the root in which bytes were not read

	// While it is made:
	reader  *interp.Reader          // for all values of a stream
	numbers map[*segment.Node]int32 // of the leaves of a value
}

// leaf is bytes of a node.
type leaf struct{ from, to, node int32 }

// newTree reads bytes and makes their nodes and leaves.
func newTree(ctx context.Context, f *format, b []byte, o Options) (*tree, error) {
	t := &tree{nodes: []node{{Node: &segment.Node{Kind: segment.Value, PC: -1, Done: true}, kind: Value, to: int32(len(b))}}, reader: f.machine().NewReader(o.reading()), numbers: map[*segment.Node]int32{}}
	var err error
	if o.Framed == "" {
		err = t.packet(ctx, f, b, 0, o)
	} else {
		err = t.stream(ctx, f, b, o)
	}
	if err != nil {
		return nil, &Error{Code: "time", Message: "the packet takes too long to read"}
	}
	t.nodes[0].next = int32(len(t.nodes))
	at := make([]int32, len(t.nodes)) // the parts of each node so far
	for i := 1; i < len(t.nodes); i++ {
		x := &t.nodes[i]
		x.at = at[x.parent]
		at[x.parent]++
	}
	t.reader, t.numbers = nil, nil
	return t, nil
}

// packet reads a value that begins at an offset.
func (t *tree) packet(ctx context.Context, f *format, b []byte, base int, o Options) error {
	p, faults, err := f.resumer.Read(ctx, b, o.reading(), MaxNodes)
	if err != nil {
		return err
	}
	clear(t.numbers)
	kind := Trailing
	if p.Err != nil {
		kind = Unread
	}
	rest := p.Rest
	before := func(end int) { // the bytes at the root that no row has
		for len(rest) > 0 && rest[0].Offset < end {
			k := kind
			if rest[0].Kind == segment.Gap {
				k = Gap
			}
			t.numbers[rest[0]] = t.add(rest[0], k, 0, base)
			rest = rest[1:]
		}
	}
	if p.Root != nil {
		before(p.Root.Offset)
		t.walk(f, p.Root, 0, base)
	}
	before(len(b))
	for _, s := range p.Spans() {
		t.leaves = append(t.leaves, leaf{int32(base + s.From), int32(base + s.To), t.numbers[s.Leaf]})
	}
	for _, w := range p.Wrong {
		fault := f.fault(w.Err, base)
		fault.Resumed = true
		t.errors = append(t.errors, *fault)
	}
	for _, e := range faults {
		fault := f.fault(e, base)
		fault.Resumed = e != p.Err
		t.errors = append(t.errors, *fault)
	}
	slices.SortStableFunc(t.errors, func(a, b Fault) int { return a.Offset - b.Offset })
	if len(faults) > 0 {
		return nil
	}
	if o.Framed == "" {
		t.value, t.read = p.Value, true
	}
	if t.odd == nil {
		if odd := t.reader.Canonical(b, p.Value, p.Used); odd != nil {
			t.odd = f.fault(odd, base)
		}
	}
	return nil
}

// add adds a node without those inside of it.
func (t *tree) add(n *segment.Node, kind Kind, parent int32, base int) int32 {
	i := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{Node: n, kind: kind, parent: parent, next: i + 1, from: int32(base + n.Offset), to: int32(base + n.End())})
	return i
}

// walk adds a node and those inside of it.
func (t *tree) walk(f *format, n *segment.Node, parent int32, base int) {
	last := int32(len(t.nodes)) - 1
	if x := &t.nodes[last]; n.Kind == segment.Derived && x.parent == parent && int(x.to) == base+n.Offset && f.viewer.Continues(x.Rule, n.Rule) {
		x.to, t.numbers[n] = int32(base+n.End()), last
		return
	}
	i := t.add(n, kinds[n.Kind], parent, base)
	if n.Kind == segment.Raw {
		t.skipped(i)
	}
	if n.Kind.Leaf() {
		t.numbers[n] = i
	}
	if n.Kind == segment.Derived && f.viewer.HasBits(n.Rule) {
		t.nodes[i].kind = Flags
	}
	for _, c := range n.Children {
		t.walk(f, c, i, base)
	}
	t.nodes[i].next = int32(len(t.nodes))
}

// skipped notes that a value at the root has bytes that were not read.
func (t *tree) skipped(n int32) {
	for t.nodes[n].parent != 0 {
		n = t.nodes[n].parent
	}
	if t.gaps == nil {
		t.gaps = map[int32]bool{}
	}
	t.gaps[n] = true
}

// kinds are the kinds of the nodes of package segment.
var kinds = map[segment.Kind]Kind{segment.Value: Value, segment.List: List, segment.Cell: Cell, segment.Field: Row, segment.Derived: Derived, segment.Bits: Flags,
	segment.Padding: Padding, segment.Gap: Gap, segment.Raw: Unread}

// stream reads values after their lengths. It goes on after a value that cannot be read.
func (t *tree) stream(ctx context.Context, f *format, b []byte, o Options) error {
	own := func(kind Kind, from, to int) {
		i := t.add(&segment.Node{Kind: segment.Raw, Offset: from, Len: to - from, PC: -1}, kind, 0, 0)
		t.leaves = append(t.leaves, leaf{int32(from), int32(to), i})
	}
	at := 0
	for len(b)-at >= 4 {
		n := int(o.order().Uint32(b[at:]))
		if n < 0 || n > len(b)-at-4 {
			t.errors = append(t.errors, Fault{Kind: "truncated", Offset: at, Message: fmt.Sprintf("byte %d: the length is %d, but %d bytes follow", at, n, len(b)-at-4),
				Expected: bytesText(n), Found: bytesText(len(b) - at - 4), Hint: hints["truncated"]})
			break
		}
		own(Frame, at, at+4)
		t.nodes[len(t.nodes)-1].Number = uint64(n)
		first := len(t.errors)
		if err := t.packet(ctx, f, b[at+4:at+4+n], at+4, o); err != nil {
			return err
		}
		at += 4 + n
		if len(t.nodes) == cap(t.nodes) { // room for the rest of the stream if it is as what was read, but for four times that at most
			more := min(3, float64(len(b)-at)/float64(at))
			t.nodes = slices.Grow(t.nodes, int(more*float64(len(t.nodes))))
			t.leaves = slices.Grow(t.leaves, int(more*float64(len(t.leaves))))
		}
		for i := first; i < len(t.errors) && at < len(b); i++ {
			t.errors[i].Resumed = true
		}
	}
	if at < len(b) {
		own(Unread, at, len(b))
	}
	return nil
}

// order returns the order of lengths of a stream.
func (o Options) order() binary.ByteOrder {
	if o.Framed == "big" {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// hints say what to do about errors.
var hints = map[string]string{
	"truncated": "The bytes end within this row. Add the missing bytes, or make the length or count that asks for them smaller.",
	"type":      "No arm has this number. Another version of the schema may have it; see the proposed versions.",
	"text":      "The bytes are not valid in the encoding of the row. Change the text, or its length.",
	"value":     "The schema allows other values here. Change the bytes, or choose the version that allows them.",
	"closed":    "The schema reads this form only if the caller allows it. Turn on full objects to read it.",
	"depth":     "Values may be nested less deeply than this.",
	"limit":     "The count or length is greater than the bytes that are left allow.",
	"checksum":  "The bytes that the checksum is about have changed. Use the canonical form to compute it.",
	"trailing":  "The value ends before the bytes do.",
	"canonical": "Readers accept this, but a writer makes other bytes. Use the canonical form to get them.",
}

// fault returns an error as a place. Offsets of the error count from base.
func (f *format) fault(err error, base int) *Fault {
	var e *interp.Error
	if !errors.As(err, &e) {
		return &Fault{Kind: "limit", Offset: base, Message: err.Error()}
	}
	moved := *e
	moved.Offset += base
	out := &Fault{Kind: e.Word(), Offset: moved.Offset, Path: e.Path, Message: moved.Error(), Expected: e.Expected, Found: e.Found, Hint: hints[e.Word()], Rule: e.Rule.Name}
	if e.Rule.Name != "" {
		out.Row = placeOf(&e.Rule)
	}
	return out
}

// placeOf returns the line that a row of the schema is at.
func placeOf(r *bytecode.Rule) *Place {
	if r == nil || r.Line == 0 {
		return nil
	}
	return &Place{r.File, int(r.Line)}
}

// reading are the options of reading as the interpreter has them.
func (o Options) reading() interp.Options {
	out := interp.Options{MaxMemory: maxMemory}
	if o.Objects {
		out.Open = 0xff
	}
	return out
}

// maxMemory is the most memory for the values of a packet.
const maxMemory = 1 << 30
