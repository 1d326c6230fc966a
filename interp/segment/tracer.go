// Reading: the tree of the events of a run.

package segment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// tracer is an observer that makes the tree of a packet.
type tracer struct {
	p      *bytecode.Program
	facts  *facts
	root   *Node
	open   []*Node // the nodes around the cursor
	calls  []int   // the instructions that the open values were called by
	pc     int
	cursor int // behind the bytes that were read last
	last   int64

	failed *Node // the word with the wrong number
	want   uint64

	at      int          // the instruction that failed, or -1
	regions []region     // around the cursor
	rest    map[int]pass // instructions that take the bytes that are left in a region
	held    interp.Value // of the cell that such an instruction would set

	ctx    context.Context
	events int
	nodes  int
	most   int // nodes; 0 is no limit
}

// region is a region that is being read.
type region struct {
	pass
	owner *Node   // the value whose rows it has
	index int     // of the first node of the region among the children of owner
	read  []*Node // those that were read before an error
}

// stopped ends a run from its observer.
type stopped struct{ err error }

// checkEvery is how many events are between looks at the context.
const checkEvery = 1 << 12

// decode runs the tracer. It stops when the context ends, or when there are too many nodes.
func (t *tracer) decode(m *interp.Machine, b []byte, opt interp.Options) (v interp.Value, used int, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stopped)
			if !ok {
				panic(r)
			}
			err = s.err
		}
	}()
	return m.DecodeObserved(b, opt, t)
}

// Event adds a node to the tree.
func (t *tracer) Event(e *interp.Event) {
	if t.events++; t.events%checkEvery == 0 && t.ctx.Err() != nil {
		panic(stopped{t.ctx.Err()})
	}
	if t.most > 0 && t.nodes >= t.most {
		panic(stopped{&interp.Error{Kind: interp.ErrLimit, Offset: t.cursor, Path: e.Path(), Rule: *e.Rule, Expected: fmt.Sprintf("at most %d parts", t.most), Found: "more"}})
	}
	switch e.Kind {
	case interp.Before:
		t.pc = e.PC
		switch t.p.Code[e.PC].Op {
		case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
			t.push(t.node(e, List))
		}
		if _, ok := t.rest[e.PC]; ok {
			t.held = e.Cells()[t.p.Code[e.PC].Cell()]
		}
	case interp.Open:
		n := t.node(e, Value)
		if n.PC = -1; len(t.open) > 0 {
			n.PC = t.pc
			n.Label = lastStep(t.open[len(t.open)-1].Path, n.Path)
		}
		t.calls = append(t.calls, t.pc)
		t.push(n)
	case interp.Close:
		n := t.pop(e.Value)
		n.Offset, n.Len = e.Offset, max(0, e.Len)
		t.pc = t.calls[len(t.calls)-1]
		t.calls = t.calls[:len(t.calls)-1]
	case interp.Arm:
		t.open[len(t.open)-1].Arm = e.N
	case interp.Computed:
		t.last = int64(e.Number)
	case interp.Row:
		t.row(e)
	case interp.Padding:
		if e.Len > 0 {
			t.leaf(e, Padding)
		}
	case interp.After:
		t.after(e)
	case interp.Failed:
		t.fault(e)
	}
}

func (t *tracer) node(e *interp.Event, kind Kind) *Node {
	return &Node{Kind: kind, Offset: e.Offset, Len: e.Len, Name: lastName(e.Rule.Name), Path: e.Path(), Rule: e.Rule, PC: e.PC, Routine: e.Routine, Arm: -1,
		Value: e.Value, Number: e.Number}
}

// add puts a node into the innermost open one.
func (t *tracer) add(n *Node) {
	t.nodes++
	if len(t.open) == 0 {
		t.root = n
		return
	}
	n.Parent = t.open[len(t.open)-1]
	n.Parent.Children = append(n.Parent.Children, n)
}

func (t *tracer) push(n *Node) {
	t.add(n)
	t.open = append(t.open, n)
}

func (t *tracer) pop(v interp.Value) *Node {
	n := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	n.Value, n.Done = v, true
	return n
}

func (t *tracer) leaf(e *interp.Event, kind Kind) {
	n := t.node(e, kind)
	t.cursor = n.End()
	t.add(n)
}

func (t *tracer) row(e *interp.Event) {
	in := &t.p.Code[e.PC]
	if x, ok := t.rest[e.PC]; ok {
		t.left(e, x)
		return
	}
	switch {
	case in.Op == bytecode.Gaps:
		t.add(t.node(e, Cell))
	case e.Derived:
		t.leaf(e, t.facts.words[e.PC])
	default:
		t.leaf(e, Field)
	}
}

// left adds a node for the bytes that were left in a region. The cell keeps its value.
func (t *tracer) left(e *interp.Event, x pass) {
	e.Value = t.held
	n := &Node{Kind: Raw, Offset: e.Offset, Len: e.Len, Path: e.Path(), PC: -1, Arm: -1}
	if x.pc >= 0 {
		n.skipped = &pass{x.pc, e.Offset}
	} else if n.Len == 0 {
		return
	}
	t.cursor = n.End()
	t.add(n)
}

// after ends a list, and adds a cell that an instruction without bytes has set.
func (t *tracer) after(e *interp.Event) {
	in := &t.p.Code[e.PC]
	switch in.Op {
	case bytecode.Enter:
		owner := t.open[len(t.open)-1]
		t.regions = append(t.regions, region{pass: pass{e.PC, e.Offset}, owner: owner, index: len(owner.Children)})
	case bytecode.Leave:
		t.regions = t.regions[:len(t.regions)-1]
	case bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare:
		n := t.pop(e.Value)
		n.Len = max(0, e.End()-n.Offset)
	case bytecode.Take, bytecode.ArmRef:
		n := t.node(e, Cell)
		n.Len = 0
		for _, own := range t.facts.own[e.PC].words {
			if w := t.word(own); w != nil && w.Kind == Field {
				w.Value = e.Value // the word is the field
				return
			}
		}
		t.add(n)
	}
}

// word returns the leaf of an instruction in the innermost value, or nil.
func (t *tracer) word(pc int) *Node {
	for _, n := range slices.Backward(t.open[len(t.open)-1].Children) {
		if n.PC == pc && n.Kind.Leaf() {
			return n
		}
	}
	return nil
}

// fault notes the right number if the error is about one that a writer computes.
func (t *tracer) fault(e *interp.Event) {
	if e.PC < 0 || len(t.open) == 0 {
		return // unreachable: any limit of depth allows the root, and only a program by hand never ends
	}
	t.at = e.PC
	if n := len(t.regions); n > 0 {
		x := &t.regions[n-1]
		x.read = slices.Clone(x.owner.Children[x.index:])
	}
	switch in := &t.p.Code[e.PC]; in.Op {
	case bytecode.Compare:
		t.want = t.number(e, in.B)
		for _, n := range slices.Backward(t.open[len(t.open)-1].Children) {
			if n.Kind.Leaf() && n.PC >= 0 && t.p.Code[n.PC].Op == bytecode.Word && t.p.Code[n.PC].B == in.A {
				t.failed = n
				return
			}
		}
	case bytecode.Settle:
		t.want = t.number(e, in.B)
		for _, n := range slices.Backward(t.leaves()) {
			if n.Offset == e.Err.Offset && n.PC >= 0 && t.p.Code[n.PC].Op == bytecode.Word {
				t.failed = n
				return
			}
		}
	}
}

// number returns the number of an expression that was computed last.
func (t *tracer) number(e *interp.Event, expr uint32) uint64 {
	switch x := t.p.Exprs[expr]; x.Op {
	case bytecode.ExprNum:
		return uint64(x.Arg) // unreachable: a constant has a check, and no comparison
	case bytecode.ExprReg:
		return e.Registers()[x.Arg]
	}
	return uint64(t.last)
}

func (t *tracer) leaves() []*Node {
	var out []*Node
	t.root.walk(func(n *Node) bool {
		if n.Kind.Leaf() {
			out = append(out, n)
		}
		return true
	})
	return out
}

// repaired returns the bytes with the right number in the place of the wrong one.
func (t *tracer) repaired(b []byte) ([]byte, bool) {
	if t.failed == nil {
		return nil, false
	}
	number, ok := interp.AppendWord(nil, t.p, t.failed.PC, t.want)
	if !ok || len(number) != t.failed.Len {
		return nil, false
	}
	fixed := slices.Clone(b)
	copy(fixed[t.failed.Offset:], number)
	return fixed, true
}

// lastStep returns the part of a path beyond that of the node around it. The middle of
// paths with very many steps is left out, so one need not begin with the other.
func lastStep(around, path string) string {
	if rest, ok := strings.CutPrefix(path, around); ok {
		return rest
	}
	return path[max(strings.LastIndexByte(path, '['), strings.LastIndexByte(path, '.'), 0):]
}
