// Reading after an error: by a program without the check that failed, or without the content of a region.

package segment

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Resumer reads packets as far as possible. After an error reading continues
//
//   - behind a field of known size, such as a number that the schema does not allow;
//   - behind a region, such as data after its length, that has any error in it, or more bytes than its rows take.
//
// The nodes that were read before the error stay. It may be used by any number of goroutines.
type Resumer struct {
	strict *interp.Machine

	mu       sync.Mutex
	machines map[string]*lenient
}

// NewResumer returns a Resumer for the program of a machine.
func NewResumer(m *interp.Machine) *Resumer { return &Resumer{strict: m} }

// maxResumed is the most errors of a value after which reading continues, besides wrong checksums.
const maxResumed = 16

// pass is an instruction that checks nothing, or an enter whose region is skipped at an offset.
type pass struct {
	pc     int
	offset int // of the content of the region; -1 for other instructions
}

// lenient is a machine that accepts some errors.
type lenient struct {
	m      *interp.Machine
	origin []int        // of each instruction, the one of the strict program; -1 for those that were added. nil if no one was added
	rest   map[int]pass // added instructions that take the bytes that are left in a region
}

// Read is [ReadContext] that continues after errors. It returns the errors in the order of reading, the last of
// which may have ended it: then it is the Err of the packet.
func (r *Resumer) Read(ctx context.Context, b []byte, opt interp.Options, most int) (*Packet, []*interp.Error, error) {
	p, t, err := read(ctx, &lenient{m: r.strict}, b, opt, most)
	if err != nil {
		return nil, nil, err
	}
	var faults []*interp.Error
	var passes []pass
	kept := map[pass][]*Node{} // the nodes of regions before their errors
	for p.Err != nil && len(faults) < maxResumed {
		next, err := r.retry(ctx, p, t, passes, kept, opt, most)
		if err != nil {
			return nil, nil, err
		}
		if next == nil {
			break
		}
		faults = append(faults, p.Err)
		p, t, passes = next.packet, next.tracer, next.passes
	}
	if p.Err != nil {
		faults = append(faults, p.Err)
	}
	p.m = r.strict
	p.share()
	return p, faults, nil
}

// attempt is a reading that accepts some errors.
type attempt struct {
	packet *Packet
	tracer *tracer
	passes []pass
}

// retry reads a packet again without the error that ended reading. It leaves out the check, or else the rest of the
// region around it. The result is nil if neither gets any further.
func (r *Resumer) retry(ctx context.Context, p *Packet, t *tracer, passes []pass, kept map[pass][]*Node, opt interp.Options, most int) (*attempt, error) {
	var tries []pass
	if t.at >= 0 {
		tries = append(tries, pass{t.at, -1})
	}
	if n := len(t.regions); n > 0 {
		tries = append(tries, t.regions[n-1].pass)
		kept[t.regions[n-1].pass] = t.regions[n-1].read
	}
	for _, x := range tries {
		if slices.Contains(passes, x) {
			continue
		}
		next := append(slices.Clone(passes), x)
		l, ok := r.without(next)
		if !ok {
			continue
		}
		again, ahead, err := read(ctx, l, p.Bytes, opt, most)
		if err != nil {
			return nil, err
		}
		if x.offset < 0 && again.Err != nil && again.Err.Offset <= p.Err.Offset && again.Used <= p.Used {
			continue
		}
		if n := len(ahead.regions); n > 0 {
			ahead.regions[n-1].read = graft(ahead.regions[n-1].read, kept)
		}
		if again.Root != nil {
			graft([]*Node{again.Root}, kept)
		}
		return &attempt{again, ahead, next}, nil
	}
	return nil, nil
}

// graft returns nodes with those that were read before an error in front of the bytes skipped after it. It does the
// same inside of them.
func graft(list []*Node, kept map[pass][]*Node) []*Node {
	if slices.ContainsFunc(list, func(n *Node) bool { return n.skipped != nil }) {
		list = joined(list, kept)
	}
	for _, n := range list {
		if !n.grafted {
			n.grafted = true
			n.Children = graft(n.Children, kept)
		}
	}
	return list
}

// joined is [graft] of the nodes of one list, without those inside of them.
func joined(list []*Node, kept map[pass][]*Node) (out []*Node) {
	for _, n := range list {
		if n.skipped == nil {
			out = append(out, n)
			continue
		}
		end := n.End()
		for _, k := range kept[*n.skipped] {
			k.Parent = n.Parent
			n.Offset = min(max(n.Offset, k.End()), end)
			out = append(out, k)
		}
		if n.Len = end - n.Offset; n.Len > 0 {
			out = append(out, n)
		}
	}
	return out
}

// maxMachines is how many machines of [Resumer.without] are kept.
const maxMachines = 32

// without returns a machine whose program accepts some errors. The result is false if the last of the instructions
// does not know how many bytes to skip.
func (r *Resumer) without(passes []pass) (*lenient, bool) {
	key := fmt.Sprint(passes)
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.machines[key]; l != nil {
		return l, true
	}
	p := *r.strict.Program() // rules are shared: nodes of all programs have the same
	p.Code, p.Tables = slices.Clone(p.Code), slices.Clone(p.Tables)
	p.Routines, p.Exprs, p.Encodings = slices.Clone(p.Routines), slices.Clone(p.Exprs), slices.Clone(p.Encodings)
	l := &lenient{}
	skipped := map[int][]int{} // offsets, by enter
	ends := map[int]bool{}     // leaves
	for _, x := range passes {
		switch in := &p.Code[x.pc]; {
		case x.offset >= 0:
			skipped[x.pc] = append(skipped[x.pc], x.offset)
		case in.Op == bytecode.Leave:
			ends[x.pc] = true
		case !accept(&p, in):
			return nil, false
		}
	}
	if len(skipped)+len(ends) > 0 {
		l.insert(&p, skipped, ends)
	}
	m, err := interp.NewUnfused(&p, func(i int, _ *bytecode.Type) uint16 { return r.strict.Tag(i) })
	if err != nil { // no register is left, for example
		return nil, false
	}
	l.m = m
	if r.machines == nil || len(r.machines) >= maxMachines {
		r.machines = map[string]*lenient{}
	}
	r.machines[key] = l
	return l, true
}

// add appends an expression.
func add(p *bytecode.Program, x *bytecode.Expr) uint32 {
	p.Exprs = append(p.Exprs, x)
	return uint32(len(p.Exprs) - 1)
}

// accept changes an instruction so that a reader accepts what it refuses.
func accept(p *bytecode.Program, in *bytecode.Instr) bool {
	switch in.Op {
	case bytecode.Check:
		in.A = add(p, bytecode.Num(1))
	case bytecode.Compare:
		in.B = add(p, bytecode.Reg(int(in.A)))
	case bytecode.Pad:
		in.B &^= bytecode.PadExact
	case bytecode.Truth:
		in.C |= bytecode.TruthNonzero
	case bytecode.ArmRef:
		*in = bytecode.Instr{Op: bytecode.Absent, A: in.A, Rule: in.Rule}
	case bytecode.Text, bytecode.Until, bytecode.Filled:
		if in.A == bytecode.None {
			return false
		}
		p.Encodings = append(p.Encodings, bytecode.Encoding{Name: "latin1", Charset: builtin.Latin1})
		in.A = uint32(len(p.Encodings) - 1)
	default:
		return false
	}
	return true
}

// insert makes regions that are skipped at some offsets, and regions that take more bytes than their rows:
//
//	enter … leave   becomes   enter; mark r; if r != offset …; else; packed; end; leave
//	leave           becomes   packed; leave
//
// The bytes of packed get a node, and its cell keeps its value; see tracer.
func (l *lenient) insert(p *bytecode.Program, skipped map[int][]int, ends map[int]bool) {
	var code []bytecode.Instr
	put := func(in bytecode.Instr, origin int) {
		code, l.origin = append(code, in), append(l.origin, origin)
	}
	l.rest = map[int]pass{}
	old, routine := slices.Clone(p.Routines), 0
	take := func(rule uint32, x pass) {
		l.rest[len(code)] = x
		put(bytecode.Instr{Op: bytecode.Packed, A: uint32(bytecode.U8), B: 1, C: bytecode.None, D: 0, Rule: rule}, -1)
	}
	leaves := map[int]bool{} // of skipped regions
	for pc, in := range p.Code {
		r := &p.Routines[routine]
		if pc == int(old[routine].Start) {
			r.Start = uint32(len(code))
		}
		if leaves[pc] {
			put(bytecode.Instr{Op: bytecode.Else, Rule: in.Rule}, -1)
			take(in.Rule, pass{l.enter(p, pc), 0})
			put(bytecode.Instr{Op: bytecode.End, Rule: in.Rule}, -1)
		}
		if ends[pc] {
			take(in.Rule, pass{-1, 0})
		}
		put(in, pc)
		if offsets := skipped[pc]; offsets != nil {
			reg := r.Regs
			r.Regs++
			leaves[p.End(pc)] = true
			var all *bytecode.Expr
			for _, o := range offsets {
				x := bytecode.Apply(bytecode.ExprNe, bytecode.Reg(int(reg)), bytecode.Num(int64(o)))
				if all != nil {
					x = bytecode.Apply(bytecode.ExprBoth, all, x)
				}
				all = x
			}
			put(bytecode.Instr{Op: bytecode.Mark, A: reg, Rule: in.Rule}, -1)
			put(bytecode.Instr{Op: bytecode.If, A: add(p, all), Rule: in.Rule}, -1)
		}
		if pc+1 == int(old[routine].End) {
			r.End = uint32(len(code))
			routine++
		}
	}
	p.Code = code
}

// enter returns the instruction that begins the region which a leave ends.
func (l *lenient) enter(p *bytecode.Program, leave int) int {
	for pc := leave - 1; pc >= 0; pc-- {
		if p.Code[pc].Op == bytecode.Enter && p.End(pc) == leave {
			return pc
		}
	}
	panic("segment: a leave without its enter")
}
