// Numbers of conditions: packets and values that have the numbers with which conditions compare.

package damage

import (
	"iter"
	"slices"

	"github.com/octable/octable/interp"
)

// Numbers returns a packet with each number that the routine of an instruction reads, in turn, replaced by each number that
// a condition of the routine compares with, and by one more and less.
func (e *Engine) Numbers(b []byte, pc int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		r, numbers := &e.p.Routines[e.p.RoutineAt(pc)], e.numbers(pc)
		w := &work{e: e, b: b, yield: func(c Change) bool { return yield(c.Packet) }}
		w.events, _, _ = e.trace(b)
		for i := range w.events {
			ev := &w.events[i]
			if found := e.find(ev); found != nil && found.scalar.Width() == ev.Len && int64(r.Start) <= int64(ev.PC) && int64(ev.PC) < int64(r.End) {
				w.compared(ev, found, numbers)
			}
		}
	}
}

// Renumbered returns v with each of its numbers, in turn, replaced by each number that a condition in the routine of an
// instruction compares with, and by one more and less.
func (e *Engine) Renumbered(v interp.Value, pc int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		numbers := e.numbers(pc)
		for _, n := range nodes(v) {
			if n.v.Kind() != interp.Int && n.v.Kind() != interp.Uint {
				continue
			}
			for _, x := range numbers {
				w := interp.MakeInt(n.v.Tag(), x)
				if n.v.Kind() == interp.Uint {
					w = interp.MakeUint(n.v.Tag(), uint64(x))
				}
				if !yield(replace(v, n.path, w)) {
					return
				}
			}
		}
	}
}

// numbers returns the numbers that conditions in the routine of an instruction compare with, and one more and less.
func (e *Engine) numbers(pc int) (all []int64) {
	r := &e.p.Routines[e.p.RoutineAt(pc)]
	for i := r.Start; i < r.End; i++ {
		for _, n := range e.p.Compared(&e.p.Code[i]) {
			all = append(all, n-1, n, n+1)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// compared replaces the parts of the word of a row by numbers.
func (w *work) compared(ev *interp.Event, found *word, numbers []int64) {
	for _, p := range found.parts {
		most := p.mask() >> p.shift
		for _, n := range numbers {
			x := uint64(n)
			if n < 0 {
				x &= most
			}
			if x <= most {
				w.put(NotAllowed, ev, ev.Rule, ev.Offset, ev.Len, w.scalar(ev, found.scalar, ev.Number&^p.mask()|x<<p.shift)...)
			}
		}
	}
}
