// Symbolic execution of routines: every path, in each direction.

package facts

import (
	"fmt"
	"maps"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Setup says what the runs may be like that facts are about. What only other runs
// can do is taken as impossible. The zero Setup is for runs with the default
// options, which write values of the shapes that the schema has.
type Setup struct {
	// Gates is set where runs come with gates open and closed; else all gates are
	// closed.
	Gates bool
	// Widths is set where some runs keep widths; see interp.Options.
	Widths bool
	// Memory is set where some runs have a limit on memory.
	Memory bool
	// Depths is set where some runs have another limit on levels than the schema's.
	Depths bool
	// Shapes is set where values to be written may be of any shape: other kinds,
	// missing fields, numbers of another sort. Else they have the shapes of values
	// that are read, with any numbers and texts: in each field a value of its kind, and
	// values in fields that have some together. Or they are of types that the root's
	// union does not have.
	Shapes bool
	// ReadBack is set where nothing is written but what was read before, with the same
	// options, by a program as the compiler makes them: one that writes each field as it
	// is read, under the same conditions. The other fields are as for reading.
	ReadBack bool
	// Size is how many bytes or parts a value or input can have; 0 is 16 Mi.
	Size int64
}

// Everything is the Setup of runs with every option and any value.
var Everything = Setup{Gates: true, Widths: true, Memory: true, Depths: true, Shapes: true}

// maxSteps is how many instructions of one routine are gone through, on all paths
// together, before it is taken that everything can happen in it.
const maxSteps = 1 << 17

// place is a point without its index.
type place struct {
	d    interp.Direction
	pc   int
	site interp.Site
	n    int
	expr uint32
}

// context is what is known where a routine is called.
type context struct {
	called bool
	args   []span
	// arm is set where, writing, the first argument is always the number of the
	// value's own arm.
	arm bool
	// nothing is set where, writing, there may be no value.
	nothing bool
}

// shape is how records of a type are read, or can be written.
type shape struct{ alone, fields, repeats bool }

// cellSet are the cells of a record that have a value together.
type cellSet struct {
	typ   uint32
	cells [bytecode.MaxCells / 64]uint64
}

func setOf(typ uint32, cells map[uint32]bool) cellSet {
	s := cellSet{typ: typ}
	for c := range cells {
		s.cells[c/64] |= 1 << (c % 64)
	}
	return s
}

func (s *cellSet) has(cell uint32) bool {
	return cell < bytecode.MaxCells && s.cells[cell/64]>>(cell%64)&1 == 1
}

func (s cellSet) within(t cellSet) bool {
	for i := range s.cells {
		if s.cells[i]&^t.cells[i] != 0 {
			return false
		}
	}
	return s.typ == t.typ
}

// field is a cell of the records of a type.
type field struct{ typ, cell uint32 }

// arm is a type of a union.
type arm struct{ union, typ uint32 }

// numbers are those that a field can have, or of parts that it can have, as it is read.
type numbers struct {
	span
	grown int // how often it had to be made larger
}

// Facts is what is known of a program. It does not change.
type Facts struct {
	p *bytecode.Program
	s Setup
	// all is what can happen with every option and any value; nil where that is s.
	all *Facts

	can    map[place]bool // what can happen
	idle   map[place]bool // what can happen and makes no difference
	ranges map[place]span // what numbers there are where a point depends on it
	gaveUp [2][]bool      // of each direction and routine: there are too many paths

	contexts [2][]context
	shapes   []shape // of each done
	sets     map[cellSet]bool
	consumes []bool // of each routine: at its end the region is used up
	maps     []bool // of each routine: what is read can be a map
	got      map[field]numbers
	left     map[arm]bool    // arms of which some values are written as they are, behind every subst
	texts    map[uint32]span // of each type: how long the texts are that are put in place of values
	regions  bool            // there are any
	nested   []bool          // of each routine: values can be nested too deeply there
	framed   []bool          // of each routine: records can be
	deepest  bool            // a value can end at the last level that is allowed
}

// Of returns the facts of a machine's program.
func Of(m *interp.Machine, s Setup) *Facts {
	if s.Size <= 0 {
		s.Size = 16 << 20
	}
	p := m.Program()
	wide := Everything
	wide.Size = 1 << 40
	f := &Facts{p: p, s: s, shapes: make([]shape, len(p.Code)), consumes: make([]bool, len(p.Routines)), maps: make([]bool, len(p.Routines)), sets: map[cellSet]bool{}, got: map[field]numbers{},
		left: map[arm]bool{}, texts: map[uint32]span{}}
	for i := range f.consumes {
		f.consumes[i] = true
	}
	for d := range f.contexts {
		f.contexts[d] = make([]context, len(p.Routines))
		f.contexts[d][p.Root] = context{called: true, nothing: true}
	}
	for i := range p.Code {
		f.regions = f.regions || p.Code[i].Op == bytecode.Enter
	}
	f.depths()
	if s != wide {
		f.all = Of(m, wide)
	}
	for {
		f.can, f.idle, f.ranges = map[place]bool{}, map[place]bool{}, map[place]span{}
		changed := false
		for _, d := range []interp.Direction{interp.Reading, interp.Writing} {
			f.gaveUp[d] = make([]bool, len(p.Routines))
			for i := range p.Routines {
				if f.contexts[d][i].called && f.routine(d, uint32(i)) {
					changed = true
				}
			}
		}
		if !changed {
			return f
		}
	}
}

// walk is one routine being gone through in one direction.
type walk struct {
	*Facts
	d       interp.Direction
	index   uint32
	way     path
	known   map[string]*unknown
	steps   int
	changed bool // something that other routines depend on
	ends    bool // on all paths so far the region is used up at the end

	probed  int // an instruction at which probe is called, before and after it is run
	probe   func(after bool)
	refuses bool // an expression may have been refused

	finishes bool // a path that runs the probed instruction reaches the end
}

// path is the state on one path.
type path struct {
	way
	regs    []*sum
	there   map[uint32]bool // cells that have a value; writing, that have to
	maps    map[uint32]bool // reading: cells whose value can be a map
	typ     uint32          // of the record
	last    *sum            // bytes of the last text, array, list or region; nil is any number
	used    bool            // the region is used up
	outside []bool          // used of the regions outside
	read    *cellSet        // writing what was read: the cells that have a value
	met     bool            // the probed instruction was run
}

func (p *path) fork() path {
	q := *p
	q.spans = maps.Clone(p.spans)
	q.regs = slices.Clone(p.regs)
	q.there = maps.Clone(p.there)
	q.maps = maps.Clone(p.maps)
	q.outside = slices.Clone(p.outside)
	return q
}

// routine goes through a routine, and reports whether others have to be gone
// through again.
func (f *Facts) routine(d interp.Direction, index uint32) bool {
	w := f.walk(d, index)
	start := int(f.p.Routines[index].Start)
	if !w.back() {
		if f.nested[index] {
			w.mark(start, interp.SiteTooDeep)
		}
		if f.framed[index] {
			w.mark(start, interp.SiteTooNested)
		}
	}
	w.body()
	if w.steps > maxSteps {
		f.gaveUp[d][index] = true
		// every routine that it calls may get anything
		for pc := start; pc < int(f.p.Routines[index].End); pc++ {
			for _, callee := range f.p.Code[pc].Calls() {
				w.element(callee)
			}
		}
		w.ends = false
	}
	if d == interp.Reading && f.consumes[index] && !w.ends {
		f.consumes[index], w.changed = false, true
	}
	return w.changed
}

// walk returns a walk at the beginning of a routine.
func (f *Facts) walk(d interp.Direction, index uint32) *walk {
	r := &f.p.Routines[index]
	w := &walk{Facts: f, d: d, index: index, known: map[string]*unknown{}, ends: true, probed: -1}
	w.way = path{way: way{spans: map[*unknown]span{}}, there: map[uint32]bool{}, maps: map[uint32]bool{}}
	for i := range r.Regs {
		if int(i) < len(f.contexts[d][index].args) {
			s := f.contexts[d][index].args[i]
			w.way.regs = append(w.way.regs, just(w.unknown(fmt.Sprint("arg", i), s, 0)))
			if n, ok := s.single(); ok {
				w.way.regs[i] = constant(n)
			}
			continue
		}
		w.way.regs = append(w.way.regs, constant(0))
	}
	return w
}

// back reports whether it is being written what was read before.
func (w *walk) back() bool { return w.d == interp.Writing && w.s.ReadBack }

func (w *walk) mark(pc int, s interp.Site)         { w.can[place{w.d, pc, s, 0, 0}] = true }
func (w *walk) markN(pc int, s interp.Site, n int) { w.can[place{w.d, pc, s, n, 0}] = true }

// seen notes the numbers that there are at a place.
func (w *walk) seen(at place, r span) {
	if old, ok := w.ranges[at]; ok {
		r = r.join(old)
	}
	w.ranges[at] = r
}

// unknown returns the unknown with a key.
func (w *walk) unknown(key string, s span, op bytecode.ExprOp, args ...*sum) *unknown {
	u, ok := w.known[key]
	if !ok {
		// keys of keys would double with every step
		u = &unknown{key: fmt.Sprint("#", len(w.known)), span: s, op: op, args: args}
		w.known[key] = u
	}
	// The same expression of the same unknowns may be known better on another path.
	u.span = u.span.join(s)
	return u
}

// number returns a new number that an instruction makes.
func (w *walk) number(pc int, s span) *sum { return just(w.unknown(fmt.Sprint("at", pc), s, 0)) }

// size is the numbers that there can be of bytes or parts.
func (w *walk) size() span { return span{0, w.s.Size} }

// count is the numbers that there can be of bytes or parts of one value.
func (w *walk) count() span { return w.size().meet(low(32)) }

// cell returns what an expression asks of a cell.
func (w *walk) cell(e *bytecode.Expr) *sum {
	of := func(s span) *sum {
		u := w.unknown(fmt.Sprintf("%s%d.%d.%d", e.Op, w.way.typ, e.Arg, e.Arg2), s, e.Op)
		u.asks, u.cell, u.union = true, e.Arg, e.Arg2
		return just(u)
	}
	if w.back() && w.way.read != nil && e.Op != bytecode.ExprPresent {
		if !w.way.read.has(uint32(e.Arg)) {
			return constant(0)
		}
		switch got, ok := w.got[field{w.way.typ, uint32(e.Arg)}]; {
		case e.Op == bytecode.ExprOutside && w.readAs(uint32(e.Arg), bytecode.Scalar(e.Arg2)):
			return constant(0)
		case e.Op == bytecode.ExprCount && ok:
			return of(got.span.meet(w.count()))
		case e.Op == bytecode.ExprValue && ok:
			return of(got.span)
		case e.Op == bytecode.ExprLen && !w.asIs(w.index, w.way.typ):
			n := w.texts[w.way.typ]
			if w.p.Encodings[e.Arg2].NUL == bytecode.NULCounted {
				n = span{n.lo + 1, n.hi + 1}
			}
			return of(n)
		}
	}
	switch e.Op {
	case bytecode.ExprCount:
		return of(w.count())
	case bytecode.ExprLen:
		s := w.count()
		if w.p.Encodings[e.Arg2].NUL == bytecode.NULCounted {
			s.lo++
			s.hi++
		}
		if w.s.Shapes {
			s.lo = 0 // of what is no text
		}
		return of(s)
	case bytecode.ExprArm:
		return of(w.arms(uint32(e.Arg), e.Arg2))
	case bytecode.ExprPresent, bytecode.ExprWide:
		return of(boolean)
	case bytecode.ExprOutside:
		if w.fits(w.field(uint32(e.Arg)), bytecode.Scalar(e.Arg2)) {
			return constant(0)
		}
		return of(boolean)
	case bytecode.ExprValue:
		if w.field(uint32(e.Arg)) == interp.Bool && !w.s.Shapes {
			return of(boolean)
		}
	}
	return of(anything)
}

// absent makes of cells without a value what is asked of them: nothing.
func (w *walk) absent() {
	for u, s := range maps.Clone(w.way.spans) {
		if !u.asks || u.op != bytecode.ExprPresent || s != (span{}) {
			continue
		}
		for _, other := range w.known {
			if other.asks && other.cell == u.cell {
				w.way.spans[other] = span{}
			}
		}
	}
}

// field returns the kind of a cell's values, or None where it can be any.
func (w *walk) field(cell uint32) interp.Kind {
	if w.s.Shapes || int(w.way.typ) >= len(w.p.Types) {
		return interp.None
	}
	if fields := w.p.Types[w.way.typ].Fields; int(cell) < len(fields) {
		return fields[cell].Kind
	}
	return interp.None
}

// fits reports whether a scalar holds every value of a kind.
func (w *walk) fits(k interp.Kind, s bytecode.Scalar) bool {
	return k == interp.Float && s == bytecode.F64 || k == interp.Int && s == bytecode.I64 || k == interp.Uint && s == bytecode.U64
}

// arms returns the numbers that the arm of a cell can have in a union.
func (w *walk) arms(cell, union uint32) span {
	s := span{}
	if w.foreign(union) {
		s.lo = -1
	}
	t, _ := w.p.UnionTable(union)
	for _, a := range t.Arms {
		s.hi = max(s.hi, int64(min(a.ID, 1<<62)))
		if a.ID >= 1<<62 {
			return anything
		}
	}
	return s
}

// foreign reports whether there are values that are of no arm of a union.
func (w *walk) foreign(union uint32) bool {
	return w.s.Shapes || union == w.p.Root && !w.s.ReadBack
}

// call notes that a routine is called.
func (w *walk) call(callee uint32, args []*sum, arm bool) {
	c := &w.contexts[w.d][callee]
	next := context{called: true, arm: arm && (!c.called || c.arm), nothing: c.nothing}
	for i := range int(w.p.Routines[callee].Args) {
		s := anything
		if i < len(args) {
			s = w.way.span(args[i])
		}
		if c.called {
			s = s.join(c.args[i])
		}
		next.args = append(next.args, s)
	}
	if !c.called || c.arm != next.arm || !slices.Equal(c.args, next.args) {
		*c, w.changed = next, true
	}
}

// element notes that a routine is called for what may be no value: unlike an
// instruction that calls one for a field, those that do so for elements do not look.
func (w *walk) element(callee uint32) {
	w.call(callee, nil, false)
	if c := &w.contexts[w.d][callee]; !c.nothing {
		c.nothing, w.changed = true, true
	}
}

// body executes the routine on all paths.
func (w *walk) body() { w.run(w.p.Body(w.index), func() {}) }

// run executes a block on all paths, and calls then at the end of each.
func (w *walk) run(b bytecode.Block, then func()) {
	for pc, in := range w.p.Instrs(b) {
		if !w.begin(pc) {
			return
		}
		var ok bool
		switch in.Op {
		case bytecode.Let:
			s, fit := w.eval(pc, in.B)
			if ok = fit; ok {
				w.way.regs[in.A] = s
			}
		case bytecode.Check:
			ok = w.check(pc, in)
		case bytecode.If:
			w.branch(pc, in, func() { w.run(bytecode.Block{First: w.p.Close(pc) + 1, Last: b.Last}, then) })
			return
		case bytecode.Gate:
			if !w.back() {
				w.mark(pc, interp.SiteClosed)
			}
			if ok = w.s.Gates; ok {
				w.mark(pc, interp.SiteOpen)
			}
		case bytecode.Union, bytecode.Switch:
			w.union(pc, in)
			return
		case bytecode.Fields:
			w.record(pc, in)
			return
		case bytecode.Mark:
			w.way.regs[in.A], ok = w.number(pc, w.size()), true
		case bytecode.Size:
			w.way.regs[in.A], ok = w.number(pc, w.size()), true
			if w.d == interp.Writing {
				w.way.last = w.way.regs[in.A]
			}
		case bytecode.Pad:
			w.pad(pc, in)
			ok = true
		default:
			ok = w.bytes(pc, in)
		}
		if !ok {
			return
		}
		if pc == w.probed {
			w.probe(true)
		}
		if in.Op == bytecode.Enter {
			w.run(w.p.Inner(pc)[0], func() {
				leave := w.p.End(pc)
				if w.begin(leave) && w.bytes(leave, &w.p.Code[leave]) {
					w.run(bytecode.Block{First: leave + 1, Last: b.Last}, then)
				}
			})
			return
		}
	}
	then()
}

// begin notes that an instruction is run. It returns false if there are too many paths.
func (w *walk) begin(pc int) bool {
	if w.steps > maxSteps {
		return false
	}
	w.steps++
	w.mark(pc, interp.SiteRun)
	if pc == w.probed {
		w.way.met = true
		if w.p.Code[pc].Op != bytecode.Union {
			w.probe(false)
		}
	}
	return true
}

// bytes executes an instruction that reads or writes. It returns false if the path ends
// there.
func (w *walk) bytes(pc int, in *bytecode.Instr) bool {
	if w.d == interp.Reading {
		return w.read(pc, in)
	}
	return w.write(pc, in)
}

// record executes a record, from its fields to its done.
func (w *walk) record(pc int, in *bytecode.Instr) {
	content := func() {
		w.run(w.p.Inner(pc)[0], func() {
			if done := w.p.End(pc); w.begin(done) {
				w.done(done, &w.p.Code[done])
			}
		})
	}
	ok := w.bytes(pc, in)
	if w.back() {
		w.written(in.B, content)
		return
	}
	if pc == w.probed {
		w.probe(true)
	}
	if ok {
		content()
	}
}

func (w *walk) check(pc int, in *bytecode.Instr) bool {
	s, ok := w.eval(pc, in.A)
	if !ok {
		return false
	}
	if w.way.span(s).has(0) {
		w.mark(pc, interp.SiteRefused)
	}
	return w.way.holds(s, true)
}

// branch executes an if, and what follows it on each path.
func (w *walk) branch(pc int, in *bytecode.Instr, then func()) {
	s, ok := w.eval(pc, in.A)
	if !ok {
		return
	}
	before, sites := w.way, [2]interp.Site{interp.SiteHeld, interp.SiteJumped}
	for i, inner := range w.p.Inner(pc) {
		yes := i == 0
		w.way = before.fork()
		if r := w.way.span(s); yes && r == (span{}) || !yes && !r.has(0) || !w.way.holds(s, yes) {
			continue
		}
		w.absent()
		w.mark(pc, sites[i])
		w.run(inner, then)
	}
}

// soleArm reports whether there is one arm, and the number is always that of the arm.
func soleArm(arms []bytecode.TableArm, number span) bool {
	return len(arms) == 1 && !arms[0].Else && arms[0].ID <= 1<<62 && number == span{int64(arms[0].ID), int64(arms[0].ID)}
}

// union executes the arms of a union or switch.
func (w *walk) union(pc int, in *bytecode.Instr) {
	arms := w.p.Tables[in.D].Arms
	var id *sum
	if w.d == interp.Reading && in.Op == bytecode.Union {
		w.mark(pc, interp.SiteShort)
		w.way.regs[in.B] = w.number(pc, scalarSpan(bytecode.Scalar(in.A)))
	}
	if pc == w.probed && in.Op == bytecode.Union {
		w.probe(false) // which may look at the number
	}
	if c := &w.contexts[w.d][w.index]; w.d == interp.Writing && w.foreign(w.index) && (!c.arm || len(c.args) == 0 || c.args[0].lo < 0) {
		w.mark(pc, interp.SiteForeign)
	}
	if w.d == interp.Reading || in.Op == bytecode.Switch {
		var ok bool
		if id, ok = w.eval(pc, in.C); !ok {
			return
		}
	}
	own := w.contexts[w.d][w.index].arm
	if w.d == interp.Writing && in.Op == bytecode.Switch && !own && !soleArm(arms, w.way.span(id)) {
		w.mark(pc, interp.SiteOtherArm)
	}
	before := w.way
	others, numbers := false, 0
	inner := w.p.Inner(pc)
	for i, a := range arms {
		w.way = before.fork()
		switch {
		case w.back() && !w.comes(w.index, a.Type):
			continue
		case id == nil:
		case a.Else:
			// some number must be none of the others'
			if r := w.way.span(id); !exact(r) || r.hi-r.lo >= int64(numbers) {
				others = true
			}
			if !others {
				continue
			}
		default:
			if a.ID > 1<<62 {
				if r := w.way.span(id); r != anything {
					continue
				}
				break
			}
			n := int64(a.ID)
			if !w.way.span(id).has(n) {
				continue
			}
			numbers++
			w.way.limit(id, span{n, n})
		}
		w.markN(pc, interp.SiteArm, i)
		w.run(inner[i], func() {})
	}
	if w.d == interp.Reading && (len(arms) == 0 || !arms[len(arms)-1].Else) {
		at := place{w.d, pc, interp.SiteUnknown, 0, 0}
		r := before.span(id)
		w.seen(at, r)
		if !exact(r) || r.hi-r.lo >= int64(numbers) {
			w.can[at] = true
		}
	}
}

// pad marks the sizes of padding that there can be.
func (w *walk) pad(pc int, in *bytecode.Instr) {
	n := int64(in.A)
	step, rest := int64(1), int64(0)
	if w.way.last != nil {
		last := w.way.settled(w.way.last)
		step = n
		for _, k := range last.Coef {
			step = gcd(step, k)
		}
		rest = ((-last.Num)%step + step) % step
	}
	some := false
	for k := rest; k < n; k += step {
		w.markN(pc, interp.SitePadded, int(k))
		some = some || k > 0
	}
	w.seen(place{w.d, pc, interp.SitePadded, 0, 0}, span{rest, step})
	if w.d == interp.Writing || !some {
		return
	}
	if in.B&bytecode.PadOrEnd == 0 || w.regions {
		w.mark(pc, interp.SiteShort)
	}
	w.mark(pc, interp.SitePadEnd)
	w.mark(pc, interp.SitePadOther)
	w.mark(pc, interp.SiteRefused)
}

func gcd(a, b int64) int64 {
	if b < 0 {
		b = -b
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// parts marks how many parts there can be.
func (w *walk) parts(pc int, n *sum) {
	r := w.size()
	if n != nil {
		r = w.way.span(n).meet(span{0, 1 << 62})
	}
	w.seen(place{w.d, pc, interp.SiteEmpty, 0, 0}, r)
	if r.has(0) {
		w.mark(pc, interp.SiteEmpty)
	}
	if w.p.Code[pc].Op == bytecode.Text {
		if r.hi > 0 {
			w.mark(pc, interp.SiteSeveral)
		}
		return
	}
	if r.has(1) {
		w.mark(pc, interp.SiteSingle)
	}
	if r.hi > 1 {
		w.mark(pc, interp.SiteSeveral)
	}
}

func (w *walk) done(pc int, in *bytecode.Instr) {
	w.finishes = w.finishes || w.way.met
	if w.d == interp.Writing {
		if !w.s.ReadBack {
			w.alone(pc, in)
		}
		return
	}
	w.ends = w.ends && w.way.used
	fields := w.p.Types[in.A].Fields
	n, cell, alone := 0, uint32(0), false
	for i, f := range fields {
		if w.way.there[uint32(i)] {
			n++
			cell, alone = uint32(i), f.Alone
		}
	}
	if set := setOf(in.A, w.way.there); !w.sets[set] {
		w.sets[set], w.changed = true, true
	}
	s := w.shapes[pc]
	for cell := range w.way.maps {
		s.repeats = s.repeats || w.way.there[cell]
	}
	if n == 1 && alone && in.B&bytecode.DoneAlone != 0 {
		w.mark(pc, interp.SiteAlone)
		s.alone = true
		if w.way.maps[cell] && !w.maps[w.index] {
			w.maps[w.index], w.changed = true, true
		}
	} else {
		w.mark(pc, interp.SiteFields)
		w.mark(pc, interp.SiteMemory)
		s.fields = true
	}
	if s != w.shapes[pc] {
		w.shapes[pc], w.changed = s, true
	}
}

// written calls then with each set of fields that records of a type have when read.
func (w *walk) written(typ uint32, then func()) {
	before := w.way
	for set := range w.sets {
		if set.typ == typ {
			w.way = before.fork()
			w.way.read = &set
			for cell := range uint32(len(w.p.Types[typ].Fields)) {
				n := int64(set.cells[cell/64] >> (cell % 64) & 1)
				w.way.spans[w.ask(bytecode.ExprPresent, cell)] = span{n, n}
			}
			then()
		}
	}
}

// isRead reports whether there are values of a type that are read to their end.
func (w *walk) isRead(typ uint32) bool {
	for set := range w.sets {
		if set.typ == typ {
			return true
		}
	}
	return false
}

// comes reports whether values of an arm are written: as they are, or in place of others.
func (w *walk) comes(union, typ uint32) bool {
	_, put := w.texts[typ]
	return put || w.isRead(typ) && w.asIs(union, typ)
}

// asIs reports whether values of an arm are written unchanged. They are not if every
// call of the union may be for a value that a subst has replaced.
func (w *walk) asIs(union, typ uint32) bool {
	if w.left[arm{union, typ}] || union == w.p.Root {
		return true
	}
	var replaced []uint32 // cells of the record that a subst may replace
	for pc := range w.p.Code {
		in := &w.p.Code[pc]
		switch {
		case in.Op == bytecode.Fields:
			replaced = nil
		case in.Op == bytecode.Subst && in.B == union:
			replaced = append(replaced, in.A)
		}
		if slices.Contains(in.Calls(), union) && (in.Op != bytecode.Call || !slices.Contains(replaced, in.B)) {
			return true
		}
	}
	return false
}

// alone notes which records can be written that have but one field.
func (w *walk) alone(pc int, in *bytecode.Instr) {
	need := len(w.way.there)
	for i, f := range w.p.Types[in.A].Fields {
		if f.Alone && (need == 0 || need == 1 && w.way.there[uint32(i)]) && !w.shapes[pc].alone {
			w.shapes[pc].alone, w.changed = true, true
		}
	}
}
