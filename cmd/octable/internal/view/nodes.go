// The nodes of a packet: one for each value, row and padding that a reader reports.

package view

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// node is a value, a row, or bytes that no row has read. Nodes are in the order of the run: those inside of
// node i are i+1 up to next.
type node struct {
	parent, next int32
	from, to     int32
	kind         Kind
	cut          bool   // a value that was not read to its end
	elided       bool   // further parts have no nodes, since there are too many
	label        string // path from the parent
	routine      uint32
	rule         *bytecode.Rule
	value        interp.Value
	number       uint64 // of a row without a value
}

// MaxNodes is the most nodes of a packet. The bytes of what is beyond them are one leaf.
const MaxNodes = 2 << 20

// tracer is an observer that collects nodes.
type tracer struct {
	ctx    context.Context
	f      *format
	nodes  []node
	base   int // offset of the value in the packet
	open   []opened
	hidden int // values without nodes around the event
	events int
	cursor int // after the last row
}

// opened is a value that is being read.
type opened struct {
	node  int32
	steps int // of its path
}

// stopped ends a run whose context has ended.
type stopped struct{ err error }

// checkEvery is how many events pass between looks at the context.
const checkEvery = 4096

// Event adds a node.
func (t *tracer) Event(e *interp.Event) {
	if t.events++; t.events%checkEvery == 0 {
		if err := t.ctx.Err(); err != nil {
			panic(stopped{err})
		}
	}
	if !e.Outline() {
		return
	}
	around := t.open[len(t.open)-1]
	if t.hidden > 0 || len(t.nodes) >= MaxNodes && e.Kind != interp.Close {
		t.nodes[around.node].elided = true
		switch e.Kind {
		case interp.Open:
			t.hidden++
		case interp.Close:
			t.hidden--
		}
		return
	}
	if e.Kind == interp.Close {
		n := &t.nodes[around.node]
		n.value, n.to, n.cut = e.Value, int32(t.base+e.End()), false
		n.from = int32(t.base + e.Offset)
		n.next = int32(len(t.nodes))
		t.open = t.open[:len(t.open)-1]
		return
	}
	if e.Kind == interp.Padding && e.Len == 0 {
		return
	}
	label, steps := e.PathFrom(around.steps)
	index := int32(len(t.nodes))
	n := node{parent: around.node, next: index + 1, from: int32(t.base + e.Offset), to: int32(t.base + e.End()), label: label,
		routine: e.Routine, rule: e.Rule, value: e.Value, number: e.Number}
	switch e.Kind {
	case interp.Open:
		n.kind, n.cut = Value, true
		t.open = append(t.open, opened{index, steps})
	case interp.Padding:
		n.kind = Padding
	default:
		n.kind = t.f.rowKind(e.Rule, e.Derived)
	}
	if e.Kind != interp.Open {
		t.cursor = int(n.to)
	}
	t.nodes = append(t.nodes, n)
}

// tree is what is known of the bytes of a packet.
type tree struct {
	nodes  []node // 0 is the root
	leaves []leaf
	errors []Fault
	odd    *Fault
	value  interp.Value // of a packet that is no stream, if it was read
	read   bool         // value is set
	used   int          // bytes of value
}

// newTree reads bytes and makes their nodes and leaves.
func newTree(ctx context.Context, f *format, b []byte, o Options) (t *tree, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stopped)
			if !ok {
				panic(r)
			}
			t, err = nil, &Error{Code: "time", Message: "the packet takes too long to read: " + s.err.Error()}
		}
	}()
	tr := &tracer{ctx: ctx, f: f, nodes: []node{{kind: Value, to: int32(len(b))}}}
	t = &tree{}
	if o.Framed == "" {
		end := t.packet(tr, b, 0, o)
		tr.rest(t, b, end, len(b))
	} else {
		t.stream(tr, b, o)
	}
	t.nodes = tr.nodes
	t.nodes[0].next = int32(len(t.nodes))
	t.divide(len(b))
	return t, nil
}

// packet reads the value at an offset, and returns the offset behind it.
func (t *tree) packet(tr *tracer, b []byte, base int, o Options) int {
	tr.base, tr.cursor, tr.hidden = base, base, 0
	tr.open = append(tr.open[:0], opened{})
	reader := tr.f.machine().NewReader(o.reading())
	reader.Observe(tr)
	v, used, err := reader.Read(b)
	for _, o := range tr.open[1:] { // what an error has cut
		n := &tr.nodes[o.node]
		n.to, n.next = int32(max(tr.cursor, int(n.from))), int32(len(tr.nodes))
	}
	if err == nil {
		if o.Framed == "" {
			t.value, t.read, t.used = v, true, used
		}
		reader.Observe(nil)
		if odd := reader.Canonical(b, v, used); odd != nil && t.odd == nil {
			t.odd = tr.f.fault(odd, base)
		}
		return base + used
	}
	t.errors = append(t.errors, *tr.f.fault(err, base))
	return tr.cursor
}

// stream reads values after their lengths. It goes on after a value that cannot be read.
func (t *tree) stream(tr *tracer, b []byte, o Options) {
	order := binary.ByteOrder(binary.LittleEndian)
	if o.Framed == "big" {
		order = binary.BigEndian
	}
	at := 0
	for k := 0; len(b)-at >= 4; k++ {
		n := int(order.Uint32(b[at:]))
		if n > len(b)-at-4 {
			t.errors = append(t.errors, Fault{Kind: "truncated", Offset: at, Message: fmt.Sprintf("byte %d: the length is %d, but %d bytes follow", at, n, len(b)-at-4),
				Expected: fmt.Sprintf("%d bytes", n), Found: fmt.Sprintf("%d bytes", len(b)-at-4), Hint: hints["truncated"]})
			break
		}
		index := int32(len(tr.nodes))
		tr.nodes = append(tr.nodes, node{next: index + 1, from: int32(at), to: int32(at + 4), kind: Frame, label: fmt.Sprintf("length %d", k), number: uint64(n)})
		first := len(tr.nodes)
		errors := len(t.errors)
		end := t.packet(tr, b[at+4:at+4+n], at+4, o)
		if first < len(tr.nodes) {
			tr.nodes[first].label = fmt.Sprintf("[%d]", k)
		}
		if len(t.errors) > errors {
			t.errors[errors].Resumed = true
		}
		tr.rest(t, b, end, at+4+n)
		at += 4 + n
	}
	if at < len(b) {
		tr.nodes = append(tr.nodes, node{next: int32(len(tr.nodes)) + 1, from: int32(at), to: int32(len(b)), kind: Unread})
	}
}

// rest adds the bytes behind a value.
func (tr *tracer) rest(t *tree, b []byte, from, to int) {
	if from >= to {
		return
	}
	kind := Trailing
	if len(t.errors) > 0 && !t.errors[len(t.errors)-1].Resumed {
		kind = Unread
	}
	_ = b
	tr.nodes = append(tr.nodes, node{next: int32(len(tr.nodes)) + 1, from: int32(from), to: int32(to), kind: kind})
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
