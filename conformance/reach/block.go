// Symbolic execution of blocks of instructions.

package reach

import (
	"fmt"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// call notes that a routine is called.
func (w *walk) call(callee uint32, args []*sum, arm bool) {
	c := &w.contexts[w.d][callee]
	next := context{called: true, arm: arm && (!c.called || c.arm), nothing: c.nothing, sure: w.way.sure, grown: c.grown + 1}
	if c.called {
		next.sure = min(next.sure, c.sure)
	}
	for i := range int(w.p.Routines[callee].Args) {
		s := anything
		if i < len(args) {
			s = w.way.span(args[i])
		}
		if c.called {
			s = s.join(c.args[i])
			if c.grown > maxGrown && s != c.args[i] {
				s = anything
			}
		}
		next.args = append(next.args, s)
	}
	if !c.called || c.arm != next.arm || c.sure != next.sure || !slices.Equal(c.args, next.args) {
		*c, w.changed = next, true
	}
}

// elements notes that a list calls the routines of its elements. A writer also calls them for
// an element without a value, which it does not refuse before the call as it does for a field.
func (w *walk) elements(pc int, in *bytecode.Instr) {
	from, _ := w.p.Passed(pc)
	for _, callee := range in.Calls() {
		args := w.way.regs[from:][:w.p.Routines[callee].Args]
		from += uint32(len(args))
		w.call(callee, args, false)
		if w.d == interp.Writing {
			w.nothing(callee)
		}
	}
}

// nothing notes that a routine may be called without a value.
func (w *walk) nothing(callee uint32) {
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
		case bytecode.Stop:
			_, ok = w.eval(pc, in.A)
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
			n := w.number(pc, w.size())
			if w.d == interp.Reading && w.ofRegion(pc, in) {
				n = w.way.left
			}
			w.way.regs[in.A], ok = n, true
			if w.d == interp.Writing {
				w.way.last = w.way.regs[in.A]
			}
		case bytecode.Pad:
			w.pad(pc, in)
			ok = true
		case bytecode.Sum:
			w.way.regs[in.A], ok = w.number(pc, low(int64(builtin.Sums[in.B].Bits))), true
		case bytecode.Total:
			w.way.regs[in.A], ok = w.number(pc, low(int64(builtin.Sums[in.B].Bits))), true
		case bytecode.Choose:
			if ok = true; w.d == interp.Writing {
				w.way.regs[in.A] = w.number(pc, anything)
				w.way.regs[in.B] = just(w.unknown(fmt.Sprint("held", pc), anything, 0))
			}
		case bytecode.Note, bytecode.Holes, bytecode.Chosen:
			ok = true
		case bytecode.Settle:
			if ok = true; w.d == interp.Writing || in.C&bytecode.SettleAny == 0 {
				_, ok = w.eval(pc, in.B)
			}
			if w.d == interp.Reading && in.C&bytecode.SettleAny == 0 {
				w.mark(pc, interp.SiteRefused)
			}
		case bytecode.Compare:
			if ok = true; w.d == interp.Reading {
				w.mark(pc, interp.SiteRefused)
				_, ok = w.eval(pc, in.B)
			}
		default:
			ok = w.bytes(pc, in)
		}
		if !ok {
			return
		}
		if pc == w.probed {
			w.probe(true)
		}
		switch in.Op {
		case bytecode.Enter, bytecode.Base, bytecode.Seek:
			w.run(w.p.Inner(pc)[0], func() {
				end := w.p.End(pc)
				if w.begin(end) && w.bytes(end, &w.p.Code[end]) {
					w.run(bytecode.Block{First: end + 1, Last: b.Last}, then)
				}
			})
			return
		}
	}
	then()
}

// ofRegion reports whether a size is the number of bytes of the region before it.
func (w *walk) ofRegion(pc int, in *bytecode.Instr) bool {
	if w.p.Code[pc-1].Op != bytecode.Leave {
		return false
	}
	enter := pc - 2
	for w.p.Code[enter].Op != bytecode.Enter || w.p.End(enter) != pc-1 {
		enter--
	}
	mark := &w.p.Code[enter-1]
	return mark.Op == bytecode.Mark && mark.A == in.B
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

func (w *walk) check(pc int, in *bytecode.Instr) bool {
	s, ok := w.eval(pc, in.A)
	if !ok {
		return false
	}
	if w.d == interp.Reading && w.p.Spared(pc) {
		return true
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
	return len(arms) == 1 && !arms[0].Else && arms[0].IDs == nil && arms[0].ID <= 1<<62 && number == span{int64(arms[0].ID), int64(arms[0].ID)}
}

// shared returns the span of the numbers of an arm that are in another span, and how many
// they are. far reports whether the arm also has numbers above 2^62, which are in the span
// if it is not limited.
func shared(ids builtin.Ranges, in span) (s span, n int64, far bool) {
	for _, r := range ids {
		if r.Hi > 1<<62 {
			far = far || in == anything
		}
		lo, hi := max(int64(min(r.Lo, 1<<62)), in.lo), min(int64(min(r.Hi, 1<<62)), in.hi)
		if lo > hi || r.Lo > 1<<62 {
			continue
		}
		if n == 0 {
			s.lo = lo
		}
		s.hi = hi
		n = builtin.SaturatedAdd(n, hi-lo+1)
	}
	return s, n, far
}

// named returns the numbers of the arms that say which they have.
func named(arms []bytecode.TableArm) (out builtin.Ranges) {
	for _, a := range arms {
		if !a.Else {
			out = append(out, a.Numbers()...)
		}
	}
	return out
}

// between returns the numbers between those of an arm.
func between(ids builtin.Ranges) builtin.Ranges {
	ids = builtin.Join(ids...)
	return builtin.Ranges{{Lo: ids[0].Lo, Hi: ids[len(ids)-1].Hi}}.Without(ids)
}

// union executes the arms of a union or switch.
func (w *walk) union(pc int, in *bytecode.Instr) {
	arms := w.p.Tables[in.D].Arms
	var id *sum
	if w.d == interp.Reading && in.Op == bytecode.Union {
		n := w.start(in)
		w.mark(pc, interp.SiteShort)
		w.spend(n)
		w.way.regs[in.B] = w.number(pc, scalarSpan(in.Scalar()))
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
	others, numbers := false, int64(0)
	inner := w.p.Inner(pc)
	for i, a := range arms {
		w.way = before.fork()
		switch {
		case w.back() && !w.comes(w.index, a.Type):
			continue
		case id == nil:
		case a.Else:
			// some number must differ from all numbers of the others
			if r := w.way.span(id); !exact(r) || r.hi-r.lo >= numbers {
				others = true
			}
			if !others || !w.way.exclude(id, named(arms)) {
				continue
			}
		default:
			own, n, far := shared(a.Numbers(), w.way.span(id))
			if n == 0 && !far {
				continue
			}
			if numbers += n; !far {
				w.way.limit(id, own)
				w.way.exclude(id, between(a.Numbers()))
			}
		}
		w.markN(pc, interp.SiteArm, i)
		w.run(inner[i], func() {})
	}
	if w.d == interp.Reading && (len(arms) == 0 || !arms[len(arms)-1].Else) {
		at := place{w.d, pc, interp.SiteUnknown, 0, 0}
		r := before.span(id)
		w.seen(at, r)
		if !exact(r) || r.hi-r.lo >= numbers {
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
	w.mark(pc, interp.SiteShort)
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
