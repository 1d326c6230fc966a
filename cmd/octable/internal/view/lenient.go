// Reading after an error: by a program without the check that failed.

package view

import (
	"context"
	"fmt"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
	"github.com/octable/octable/interp/segment"
)

// maxResumed is the most errors of a value after which reading goes on, besides wrong checksums.
const maxResumed = 16

// resume reads a value as far as possible. If a value is refused whose bytes are known, such as a number that the schema
// does not allow, reading goes on after it. It returns the errors in their order, the last of which
// may have ended reading.
func (f *format) resume(ctx context.Context, b []byte, opt interp.Options) (p *segment.Packet, faults []*interp.Error, err error) {
	m := f.machine()
	var off []int // instructions that check nothing
	if p, err = segment.ReadContext(ctx, m, b, opt, MaxNodes); err != nil {
		return nil, nil, err
	}
	for p.Err != nil && len(off) < maxResumed {
		pc := -1
		_, _, _ = m.DecodeObserved(b, opt, interp.ObserverFunc(func(e *interp.Event) {
			if e.Kind == interp.Failed {
				pc = e.PC
			}
		}))
		if pc < 0 || slices.Contains(off, pc) {
			break
		}
		off = append(off, pc)
		next, ok := f.without(off)
		if !ok {
			break
		}
		again, err := segment.ReadContext(ctx, next, b, opt, MaxNodes)
		if err != nil {
			return nil, nil, err
		}
		if again.Err != nil && again.Err.Offset <= p.Err.Offset && again.Used <= p.Used {
			break
		}
		faults = append(faults, p.Err)
		p, m = again, next
	}
	if p.Err != nil {
		faults = append(faults, p.Err)
	}
	return p, faults, nil
}

// maxLenient is how many machines of [format.without] are kept.
const maxLenient = 32

// without returns a machine whose program accepts what some instructions refuse. The result is false if the
// last of them does not know how many bytes to skip.
func (f *format) without(off []int) (*interp.Machine, bool) {
	key := fmt.Sprint(off)
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.lenient[key]; m != nil {
		return m, true
	}
	p := *f.program // rules are shared: nodes of all programs have the same
	p.Code, p.Tables = slices.Clone(p.Code), slices.Clone(p.Tables)
	p.Exprs, p.Encodings = slices.Clone(p.Exprs), slices.Clone(p.Encodings)
	for _, pc := range off {
		if !accept(&p, &p.Code[pc]) {
			return nil, false
		}
	}
	strict := f.machine()
	m, err := interp.New(&p, func(i int, _ *bytecode.Type) uint16 { return strict.Tag(i) })
	if err != nil {
		return nil, false
	}
	if f.lenient == nil || len(f.lenient) >= maxLenient {
		f.lenient = map[string]*interp.Machine{}
	}
	f.lenient[key] = m
	return m, true
}

// accept changes an instruction so that a reader accepts what it refuses.
func accept(p *bytecode.Program, in *bytecode.Instr) bool {
	expr := func(x *bytecode.Expr) uint32 {
		p.Exprs = append(p.Exprs, x)
		return uint32(len(p.Exprs) - 1)
	}
	switch in.Op {
	case bytecode.Check:
		in.A = expr(bytecode.Num(1))
	case bytecode.Compare:
		in.B = expr(bytecode.Reg(int(in.A)))
	case bytecode.Pad:
		in.B &^= bytecode.PadExact
	case bytecode.Truth:
		in.C |= bytecode.TruthNonzero
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
