// Reading the list at the end of the outermost record from a stream, element by element.

package interp

import (
	"fmt"
	"io"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// Records reads the elements of the list that is the last row of the outermost record. It keeps
// the bytes of one element, and of a block of input around it. See [Machine.Records].
type Records struct {
	RecordOptions
	r      *Reader
	from   io.Reader
	head   bytecode.Program
	pc     int // of the list
	list   *bytecode.Instr
	args   []uint64
	count  int64 // elements, or -1
	index  int
	begun  bool
	done   bool
	eof    bool
	failed error // of the io.Reader, for when its bytes have been read
	buf    []byte
	pos    int   // of the next element in buf
	base   int64 // of buf in the input
}

// RecordOptions are the choices of a [Records].
type RecordOptions struct {
	MaxBytes int  // of an element
	Reuse    bool // an element is valid until the next one is read
	Trailing bool // bytes behind the list are left alone
}

// blockBytes is how many bytes of input are read at a time.
const blockBytes = 64 << 10

// Records returns the elements of the list at the end of what from has. The error says why the schema has none.
func (m *Machine) Records(from io.Reader, opt Options, own RecordOptions) (*Records, error) {
	p := m.p
	root := &p.Routines[p.Root]
	first := int(root.Start)
	if p.Code[first].Op != bytecode.Fields {
		return nil, fmt.Errorf("%s is not a record that ends with a list", root.Name)
	}
	if m.parts {
		return nil, fmt.Errorf("%s has rows at places that may be anywhere in the input; decode the whole input", p.Schema)
	}
	pc := none
	for at, in := range p.Instrs(p.Inner(first)[0]) {
		if pc = none; in.Op == bytecode.List || in.Op == bytecode.Rest || in.Op == bytecode.Through {
			pc = at
		}
	}
	if pc < 0 {
		return nil, fmt.Errorf("the last row of %s is not a list; decode the whole input", root.Name)
	}
	x := &Records{RecordOptions: own, r: m.NewReader(opt), from: from, head: *p, pc: pc, list: &p.Code[pc], count: none}
	x.head.Code = slices.Clone(p.Code)
	x.head.Code[pc] = bytecode.Instr{Op: bytecode.Done, A: p.Code[first].B, Rule: p.Code[pc].Rule}
	x.buf = make([]byte, 0, blockBytes)
	return x, nil
}

// Next returns the next element. The error is io.EOF after the last one, an [*Error] whose place is counted
// from the beginning of the input, or an error of the io.Reader. There is nothing after an error.
func (x *Records) Next() (v Value, err error) {
	if !x.begun {
		if _, err := x.attempt(x.begin); err != nil {
			return Value{}, err
		}
		x.begun = true
	}
	switch {
	case x.done || x.count >= 0 && int64(x.index) >= x.count:
		return Value{}, x.end()
	case x.list.Op == bytecode.Rest && x.pos == len(x.buf): // at the end of the input: see attempt
		return Value{}, io.EOF
	}
	if v, err = x.attempt(x.element); err == nil {
		x.index++
	}
	return v, err
}

// Offset returns the place of the next element in the input, and Index its number.
func (x *Records) Offset() int64 { return x.base + int64(x.pos) }

// Index returns the number of elements that have been read.
func (x *Records) Index() int { return x.index }

// end refuses bytes behind the last element.
func (x *Records) end() error {
	if x.Trailing || x.pos == len(x.buf) { // at the end of the input: see attempt
		return io.EOF
	}
	g := x.start()
	g.fail(ErrTrailing, x.pos, x.list.Rule, "the end of the input", "more bytes")
	return x.located(g.err)
}

// attempt calls f with more and more bytes until the result does not depend on those that follow. f reads at
// the beginning of the block's rest. The next element begins in the block, or the input ends.
func (x *Records) attempt(f func(g *reading) (Value, bool)) (Value, error) {
	for {
		g := x.start()
		v, ok := f(g)
		// A result that depends on the last byte may change if there are more.
		final := x.eof || g.pos < len(x.buf) && (ok || g.err.Kind != ErrTruncated || g.end < len(x.buf))
		switch {
		case g.pos-x.pos > x.MaxBytes || !final && len(x.buf)-x.pos > x.MaxBytes:
			g.err = nil
			g.fail(ErrLimit, x.pos, x.list.Rule, fmt.Sprintf("an element of at most %d bytes", x.MaxBytes), "a longer one")
			return Value{}, x.located(g.err)
		case final && ok:
			x.pos = g.pos
			return v, nil
		case final:
			return Value{}, x.located(g.err)
		}
		if err := x.more(); err != nil {
			return Value{}, err
		}
	}
}

// start prepares a reading of the rest of the block by the instructions.
func (x *Records) start() *reading {
	r := x.r
	g := &r.run
	r.keys.forget()
	if x.Reuse {
		r.slab.reset(len(x.buf))
	}
	*g = reading{r: r, m: r.m, p: r.m.p, in: x.buf, pos: x.pos, end: len(x.buf), limit: r.m.depth(&r.opt), memory: none, steps: r.m.steps(len(x.buf)),
		regs: g.regs[:0], cells: g.cells[:0], path: g.path[:0]}
	if r.opt.MaxMemory > 0 {
		g.memory = r.opt.MaxMemory
	}
	return g
}

// begin reads the rows before the list.
func (x *Records) begin(g *reading) (Value, bool) {
	root := &g.p.Routines[g.p.Root]
	g.p = &x.head
	g.regs, g.cells = extend(g.regs, int(root.Regs)), extend(g.cells, int(root.Cells))
	v, ok := g.code(int(root.Start), 0, 0)
	g.p = g.m.p
	if !ok {
		return v, false
	}
	x.args = append(x.args[:0], passed(g.p, x.pc, g.regs)...)
	if x.list.Op == bytecode.List {
		if x.count = g.eval(x.list.A, 0, 0); x.count < 0 {
			return v, g.enough(x.count, 1, x.list.Rule)
		}
	}
	return v, true
}

// element reads an element.
func (x *Records) element(g *reading) (Value, bool) {
	routine := x.list.A
	if x.list.Op == bytecode.List {
		routine = x.list.B
	}
	if len(x.args) == 0 && x.list.Op != bytecode.Through { // by its plan, which knows of no errors
		g.fast = true
		x.r.fast.depth, x.r.fast.inside = 0, false
		if v, ok := g.value(routine, nil); ok {
			return v, true
		}
		g = x.start()
	}
	field := &g.p.Types[g.p.Code[g.p.Routines[g.p.Root].Start].B]
	g.path = append(intoField(g.path, field, x.list.Cell()), step{index: x.index})
	v, ok := g.routine(routine, x.args)
	x.done = ok && x.list.Op == bytecode.Through && g.stop
	return v, ok
}

// more reads more bytes behind the block. It drops those before the next element.
func (x *Records) more() error {
	if len(x.buf) == cap(x.buf) {
		rest := x.buf[x.pos:]
		next := x.buf[:0]
		if !x.Reuse || 2*len(rest) > cap(x.buf) {
			next = make([]byte, 0, max(blockBytes, 2*len(rest)))
		}
		if !x.Reuse {
			x.r.slab.release()
			x.r.slab.reset(blockBytes)
		}
		x.base += int64(x.pos)
		x.buf, x.pos = next[:copy(next[:len(rest)], rest)], 0
	}
	for range 100 {
		if x.failed != nil {
			return x.failed
		}
		n, err := x.from.Read(x.buf[len(x.buf):cap(x.buf)])
		x.buf = x.buf[:len(x.buf)+n]
		if err == io.EOF {
			x.eof = true
			return nil
		}
		if x.failed = err; n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}

// located returns an error whose place is counted from the beginning of the input.
func (x *Records) located(e *Error) error {
	e.Offset += int(x.base)
	x.done, x.count = true, 0
	return e
}
