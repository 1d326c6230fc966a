// Observers: one stream of events for both directions.
//
// A run reports to one [Observer] each value, each row of bytes and each instruction,
// and each error. Inspection, coverage, planted changes and the description of a
// difference (Canonical) are observers; so are the clients of other packages. An
// observer is set on a Reader or Writer by Observe, or for one call by DecodeObserved
// or AppendObserved. It is not an option: options say what a run does.
//
// Events come in the order of the run. Open and Close enclose a value. Before begins
// an instruction, and exactly one of Row, Padding, Branch, Arm, Close and After ends
// it, unless Failed ends the run. Between them are, if the instruction has them, the
// value that is to be written (Operand), its expressions (Computed), the number of its
// parts (Parts), the replacements of a value (Replaced) and the events of the values
// inside it. A union that reads its word reports this row first. When writing, a
// number that is patched later is a Row of the patch, with the place and the final
// number.
//
// An observer may assign Value in the events that [Event.Settable] reports: the run
// continues with that value.
//
// An observed run uses the instructions, not the fast loops. The two dispatch loops
// have these hooks only, each behind a comparison with nil: before and after an
// instruction, the word of a union that is read, the operand that is written, and the
// number of parts before they are written. All else is in this file: it looks up by the
// operands of the instruction what there is to report. There is one Event per Reader or
// Writer, so observing allocates nothing per event. The path is computed when it is
// asked for.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// Direction is reading or writing.
type Direction uint8

// The directions.
const (
	Reading Direction = iota
	Writing
	numDirections
)

// String returns "read" or "write".
func (d Direction) String() string {
	if d == Writing {
		return "write"
	}
	return "read"
}

// Observer receives the events of runs. The event is valid during the call only.
type Observer interface{ Event(e *Event) }

// ObserverFunc is a function that is an [Observer].
type ObserverFunc func(e *Event)

// Event calls f.
func (f ObserverFunc) Event(e *Event) { f(e) }

// EventKind is the kind of an [Event].
type EventKind uint8

// The kinds of event. The comments name the fields that have a meaning beside PC,
// Routine, Rule and Offset.
const (
	Open     EventKind = iota // a value begins; writing: Value
	Close                     // it ends: Len, Value; PC is its done
	Row                       // a row of the schema: Len, and Value or Number; Derived
	Padding                   // padding bytes: Len, which is 0 if the input ends before the padding
	Before                    // an instruction is about to be run
	After                     // an instruction was run that no other kind is for: Len, Value of its cell
	Branch                    // an if was run: N is 1 if its condition holds, 0 otherwise
	Arm                       // a union or switch was run: N is the arm of its table
	Operand                   // writing: Value is about to be written
	Computed                  // an expression was computed: Expr, and Number, its result
	Parts                     // N elements or pairs follow, or N bytes of padding, of which the input has Len
	Replaced                  // writing: rule N of those of the union's arms replaces the value of a cell
	Failed                    // the run ends with Err; Expr is the expression whose number does not fit, or None
)

// Event is one step of a run.
type Event struct {
	Kind    EventKind
	Dir     Direction
	PC      int            // the instruction; -1 if the run ends without regard to one
	Routine uint32         // the routine of the instruction
	Rule    *bytecode.Rule // the schema row of the instruction; Open, Close: of the value
	Offset  int            // of the first byte, in the input or in the output of this call
	Len     int            // number of bytes
	Value   Value          // reading: the value that was read; writing: the value that is written
	Number  uint64         // Row: the number if there is no Value; Computed: the result
	Derived bool           // Row: the number is not a value but a header word, length, count or set of flags
	N       int            // see EventKind; -1 if the instruction has not reported a number yet
	Expr    uint32         // Computed, Failed
	Err     *Error         // Failed
	Depth   int            // number of values around the value
	Limit   int            // greatest Depth that the options allow

	m             *Machine
	r             *reading
	w             *writing
	scope         scope // Computed
	regs0, cells0 int
	path          string // of an event that was kept
}

// Outline reports whether the event is Open, Close, Row or Padding. These show the value
// and its bytes without the instructions.
func (e *Event) Outline() bool { return e.Kind <= Padding }

// End returns the offset behind the last byte.
func (e *Event) End() int { return e.Offset + e.Len }

// Settable reports whether the run continues with the Value that an observer assigns. It
// replaces the Value that a reader has read, or that a writer will write.
func (e *Event) Settable() bool {
	if e.Dir == Writing {
		return e.Kind == Operand
	}
	return e.Kind == Close || e.Kind == Row && !e.Derived
}

// Path returns the place of the event in the value, such as .entities[3]["pos"].
func (e *Event) Path() string {
	switch {
	case e.r != nil:
		return pathText(e.r.path)
	case e.w != nil:
		return pathText(e.w.path)
	}
	return e.path
}

// Bytes returns the bytes of the event: of the input, or of the output so far.
func (e *Event) Bytes() []byte {
	switch {
	case e.r != nil:
		return e.r.in[e.Offset:e.End():e.End()]
	case e.w != nil:
		return e.w.out[e.w.base+e.Offset : e.w.base+e.End() : e.w.base+e.End()]
	}
	return nil
}

// Registers returns the registers of the routine.
func (e *Event) Registers() []uint64 {
	n := int(e.m.p.Routines[e.Routine].Regs)
	switch {
	case e.r != nil:
		return first(e.r.regs[e.regs0:], n)
	case e.w != nil:
		return first(e.w.regs[e.regs0:], n)
	}
	return nil
}

// Cells returns the cells of the routine.
func (e *Event) Cells() []Value {
	n := int(e.m.p.Routines[e.Routine].Cells)
	switch {
	case e.r != nil:
		return first(e.r.cells[e.cells0:], n)
	case e.w != nil:
		return first(e.w.cells[e.cells0:], n)
	}
	return nil
}

// first returns the first n of s, or all if there are fewer. A routine that is refused
// before it begins has none yet.
func first[T any](s []T, n int) []T { return s[:min(n, len(s))] }

// Keep returns a copy that is valid after the call. It has the path, but no bytes,
// registers and cells.
func (e *Event) Keep() Event {
	k := *e
	k.path, k.r, k.w, k.scope = e.Path(), nil, nil, scope{}
	return k
}

// Observe makes o the observer of the calls to come; nil ends observation.
func (r *Reader) Observe(o Observer) {
	r.obs = nil
	if o != nil {
		r.obs = &listener{o: o, e: Event{m: r.m, r: &r.run}}
	}
	r.prepare()
}

// Observe makes o the observer of the calls to come; nil ends observation.
func (w *Writer) Observe(o Observer) {
	w.obs = nil
	if o != nil {
		w.obs = &listener{o: o, e: Event{m: w.m, w: &w.run, Dir: Writing}}
	}
	w.prepare()
}

// listener is the observer of a run, and the event that it is given.
type listener struct {
	o Observer
	e Event
}

// place is the part of an event that is the instruction's, while those of a value
// inside it are run.
type place struct {
	pc, offset, n, depth int
	routine              uint32
	regs0, cells0        int
}

func (l *listener) place() place {
	e := &l.e
	return place{e.PC, e.Offset, e.N, e.Depth, e.Routine, e.regs0, e.cells0}
}

// enter goes to the first instruction of a routine.
func (l *listener) enter(routine uint32, offset, depth, limit, regs0, cells0 int) {
	e := &l.e
	e.Routine, e.Depth, e.Limit, e.regs0, e.cells0 = routine, depth, limit, regs0, cells0
	l.begin(int(e.m.p.Routines[routine].Start), offset)
}

// back returns to the instruction that a value was inside of.
func (l *listener) back(at place) {
	e := &l.e
	e.PC, e.Offset, e.N, e.Depth, e.Routine, e.regs0, e.cells0 = at.pc, at.offset, at.n, at.depth, at.routine, at.regs0, at.cells0
	l.clear()
	if at.pc >= 0 {
		e.Rule = &e.m.p.Rules[e.m.p.Code[at.pc].Rule]
	}
}

// begin goes to an instruction.
func (l *listener) begin(pc, offset int) {
	e := &l.e
	e.PC, e.Offset, e.N = pc, offset, none
	e.Rule = &e.m.p.Rules[e.m.p.Code[pc].Rule]
	l.clear()
}

func (l *listener) clear() {
	e := &l.e
	e.Value, e.Number, e.Derived, e.Expr = Value{}, 0, false, bytecode.None
}

// send reports an event that ends at an offset.
func (l *listener) send(kind EventKind, end int) {
	l.e.Kind, l.e.Len = kind, end-l.e.Offset
	l.o.Event(&l.e)
}

// close reports the end of a value, which is that of the row that it began with.
func (l *listener) close(begin, end int) {
	e := &l.e
	e.Offset = begin
	e.Rule = l.valueRule()
	l.send(Close, end)
}

// valueRule returns the row of the first instruction of the routine.
func (l *listener) valueRule() *bytecode.Rule {
	p := l.e.m.p
	return &p.Rules[p.Code[p.Routines[l.e.Routine].Start].Rule]
}

// computed reports the result of an expression.
func (l *listener) computed(expr uint32, s scope, x int64) {
	e := &l.e
	e.Expr, e.scope = expr, s
	number := e.Number
	e.Number = uint64(x)
	l.send(Computed, e.Offset)
	e.Expr, e.scope, e.Number = bytecode.None, scope{}, number
}

// settled reports that a word got the checksum of a base.
func (l *listener) settled(n note, begin int, x uint64) {
	e := &l.e
	rule, offset := e.Rule, e.Offset
	e.Rule, e.Offset, e.Number, e.Derived = &e.m.p.Rules[n.rule], begin, x, true
	l.send(Row, begin+n.to-n.from)
	e.Rule, e.Offset, e.Number, e.Derived = rule, offset, 0, false
}

// failed reports an error. The expression, unless it is None, has a number that does
// not fit.
func (l *listener) failed(err *Error, expr uint32, end int) {
	l.e.Err, l.e.Expr = err, expr
	l.send(Failed, max(end, l.e.Offset))
	l.e.Err = nil
}

// parts reports how many parts an instruction has, of which the input has some bytes.
func (l *listener) parts(n, bytes int) {
	l.e.N = n
	l.send(Parts, l.e.Offset+bytes)
}

// replaced reports that rule k of an arm of a union replaces a value.
func (l *listener) replaced(t *bytecode.Table, arm, k int) {
	for _, a := range t.Arms[:arm] {
		k += len(l.e.m.p.Types[a.Type].Writes)
	}
	l.e.N = k
	l.send(Replaced, l.e.Offset)
}

// ended returns the kind of event that ends the instruction when the next one is known. It
// completes the event as far as this does not depend on the direction.
func (l *listener) ended(next, end int, regs []uint64) EventKind {
	e := &l.e
	in := &e.m.p.Code[e.PC]
	switch in.Op {
	case bytecode.Union, bytecode.Switch:
		e.N = int(e.m.p.Code[next].A)
		return Arm
	case bytecode.If:
		e.N = int(truth(next == e.PC))
		return Branch
	case bytecode.Pad:
		if e.N > 0 || end > e.Offset {
			return Padding
		}
	case bytecode.Word:
		if e.Dir == Writing && (e.m.p.Completed(e.PC) || e.m.p.Code[e.PC+1].Op == bytecode.Note) {
			return After // the patch, or settle, reports it
		}
		e.Number, e.Derived = regs[in.B], true
		return Row
	case bytecode.Scalars, bytecode.Truth, bytecode.Lanes, bytecode.Text, bytecode.Packed, bytecode.Until, bytecode.Filled, bytecode.Gaps:
		return Row
	}
	return After
}

// cellOf has the operand of each operation that is a cell, plus 1.
var cellOf = func() (at [64]uint8) {
	for _, op := range bytecode.Ops() {
		for k, sort := range op.Operands() {
			if sort == bytecode.OpCell {
				at[op] = uint8(k) + 1
			}
		}
	}
	return at
}()

// valueCell returns the cell that an instruction reads into or writes from.
func valueCell(in *bytecode.Instr) (cell uint32, ok bool) {
	switch cellOf[in.Op] {
	case 1:
		return in.A, true
	case 2:
		return in.B, true
	case 3:
		return in.C, true
	case 4:
		return in.D, true
	}
	return 0, false
}

// observed runs the instructions of a routine between the events that its value begins
// and that it ends.
func (g *reading) observed(index uint32, regs0, cells0 int) (Value, bool) {
	l, r, begin := g.obs, &g.p.Routines[index], g.pos
	at := l.place()
	l.enter(index, begin, g.depth-int(truth(r.Nests)), g.limit, regs0, cells0)
	l.send(Open, begin)
	v, ok := g.code(int(r.Start), regs0, cells0)
	if ok {
		l.e.Value = v
		l.close(begin, g.pos)
		v = l.e.Value
	}
	l.back(at)
	return v, ok
}

// before reports that an instruction is about to be run.
func (g *reading) before(pc int) {
	g.obs.begin(pc, g.pos)
	g.obs.send(Before, g.pos)
}

// word reports the word of a union.
func (g *reading) word(x uint64) {
	l := g.obs
	l.e.Number, l.e.Derived = x, true
	l.send(Row, g.pos)
	l.clear()
}

// after reports that an instruction was run. A cell gets the value of the event.
func (g *reading) after(next int) {
	l := g.obs
	kind := l.ended(next, g.pos, g.regs[l.e.regs0:])
	if op := g.p.Code[l.e.PC].Op; op == bytecode.Seek || op == bytecode.Back { // the cursor is elsewhere
		l.send(kind, l.e.Offset)
		return
	}
	if c, ok := valueCell(&g.p.Code[l.e.PC]); ok {
		cell := l.e.cells0 + int(c)
		l.e.Value = g.cells[cell]
		l.send(kind, g.pos)
		g.cells[cell] = l.e.Value
		return
	}
	l.send(kind, g.pos)
}

// observed runs the instructions of a routine between the events that its value begins
// and that it ends.
func (g *writing) observed(index uint32, v Value, regs0, cells0 int) bool {
	l, begin := g.obs, len(g.out)-g.base
	at := l.place()
	l.enter(index, begin, g.depth-int(truth(g.p.Routines[index].Nests)), g.limit, regs0, cells0)
	l.e.Value = v
	l.send(Open, begin)
	ok := g.code(index, int(g.p.Routines[index].Start), v, regs0, cells0)
	if ok {
		l.e.Value = v
		l.close(begin, len(g.out)-g.base)
	}
	l.back(at)
	return ok
}

// before reports that an instruction is about to be run.
func (g *writing) before(pc int) {
	g.obs.begin(pc, len(g.out)-g.base)
	g.obs.send(Before, len(g.out)-g.base)
}

// operand reports a value that is about to be written and returns the value to write.
func (g *writing) operand(v Value) Value { return *g.cellOperand(&v) }

// cellOperand is operand for the value of a cell, which remains as it was.
func (g *writing) cellOperand(v *Value) *Value {
	g.obs.e.Value = *v
	g.obs.send(Operand, len(g.out)-g.base)
	return &g.obs.e.Value
}

// after reports that an instruction was run.
func (g *writing) after(next int) {
	l, end := g.obs, len(g.out)-g.base
	regs := g.regs[l.e.regs0:]
	kind := l.ended(next, end, regs)
	switch in := &g.p.Code[l.e.PC]; in.Op {
	case bytecode.Back, bytecode.Gaps: // its bytes are written later
		end = l.e.Offset
	case bytecode.Header: // the word of the union, in which a reader reports it
		l.e.Rule = l.valueRule()
		l.e.Number, l.e.Derived = regs[in.B], true
		kind = Row
	case bytecode.Patch: // the row of the word whose place is in the register
		if word, ok := g.p.Patched(l.e.PC); ok {
			l.e.Rule = &g.p.Rules[g.p.Code[word].Rule]
		}
		l.e.Offset = int(regs[in.B]) - g.base
		end = l.e.Offset + numberSize(in, regs[in.D])
		l.e.Number, l.e.Derived = regs[in.D], true
		kind = Row
	case bytecode.Subst, bytecode.List, bytecode.Map, bytecode.Rest, bytecode.Through, bytecode.Spare, bytecode.Call:
		c, _ := valueCell(in)
		l.e.Value = g.cells[l.e.cells0+int(c)]
	}
	l.send(kind, end)
}
