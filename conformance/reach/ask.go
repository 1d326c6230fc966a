// Questions about numbers at an instruction.

package reach

import (
	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// visit executes the routine of an instruction. It calls ask on every path that
// reaches the instruction, before and after it. It returns nil if there are too many
// paths.
func (f *Facts) visit(d interp.Direction, pc int, ask func(w *walk, after bool)) *walk {
	index := f.p.RoutineAt(pc)
	if f.gaveUp[d][index] {
		return nil
	}
	own := *f // notes of this execution are discarded
	own.can, own.idle, own.ranges = map[place]bool{}, map[place]bool{}, map[place]span{}
	w := own.walk(d, index)
	w.probed = pc
	w.probe = func(after bool) {
		before := w.way
		w.way = before.fork()
		ask(w, after)
		w.way = before
	}
	if f.contexts[d][index].called {
		w.body()
	}
	if w.steps > maxSteps {
		return nil
	}
	return w
}

// Same reports whether two expressions give the same number, and neither is refused.
// That holds wherever they are computed in place of instruction pc.
func (f *Facts) Same(d interp.Direction, pc int, a, b *bytecode.Expr) bool {
	same := true
	return f.visit(d, pc, func(w *walk, after bool) {
		if after || !same {
			return
		}
		w.refuses = false
		before := w.way
		w.way = before.fork()
		x, okX := w.compute(pc, 0, a)
		w.way = before.fork()
		y, okY := w.compute(pc, 0, b)
		w.way = before
		same = okX && okY && !w.refuses && keyOf(w.way.settled(x)) == keyOf(w.way.settled(y))
	}) != nil && same
}

// Never reports whether an expression is 0 wherever instruction pc is run.
func (f *Facts) Never(d interp.Direction, pc int, x *bytecode.Expr) bool {
	never := true
	return f.visit(d, pc, func(w *walk, after bool) {
		if after || !never {
			return
		}
		s, ok := w.compute(pc, 0, x)
		never = !ok || w.way.span(s) == span{}
	}) != nil && never
}

// Fits reports whether an expression is never refused, and always fits a scalar.
// The expression is computed in place of instruction pc.
func (f *Facts) Fits(d interp.Direction, pc int, x *bytecode.Expr, s bytecode.Scalar) bool {
	fits := true
	return f.visit(d, pc, func(w *walk, after bool) {
		if after || !fits {
			return
		}
		w.refuses = false
		n, ok := w.compute(pc, 0, x)
		fits = ok && !w.refuses && w.way.span(n).within(scalarSpan(s))
	}) != nil && fits
}

// Multiple reports whether the last text, array, list or region always has a multiple of n
// bytes. It asks before instruction pc is run, or after.
func (f *Facts) Multiple(d interp.Direction, pc int, after bool, n int64) bool {
	all := true
	return f.visit(d, pc, func(w *walk, then bool) {
		if then != after || !all {
			return
		}
		if w.way.last == nil {
			all = false
			return
		}
		last := w.way.settled(w.way.last)
		for _, k := range last.Coef {
			all = all && k%n == 0
		}
		all = all && last.Num%n == 0
	}) != nil && all
}

// Finishes reports whether some path through instruction pc reaches the end of its
// routine.
func (f *Facts) Finishes(d interp.Direction, pc int) bool {
	w := f.visit(d, pc, func(*walk, bool) {})
	return w == nil || w.finishes
}

// UsesAll reports whether reading a value always takes all bytes of the input.
func (f *Facts) UsesAll() bool { return f.consumes[f.p.Root] }
