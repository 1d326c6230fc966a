// Numbers of varying width and in digits.

package corrupt

import (
	"iter"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// Coded returns packets, each with one number of varying width or in digits replaced. The replacements are 0, the
// numbers that a condition of the routine compares with, and one more and one less than these and than the number.
// With one more, the bytes after the number are also there twice, as it may be that of elements.
func (e *Engine) Coded(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w := &work{e: e, b: b, yield: func(c Change) bool { return yield(c.Packet) }}
		w.events, w.regions, _ = e.trace(b)
		for i := range w.events {
			ev := &w.events[i]
			if ev.Kind != interp.Row || ev.PC < 0 {
				continue
			}
			c := e.p.Code[ev.PC].Coding()
			if c == builtin.Fixed {
				continue
			}
			now := ev.Number
			if k := ev.Value.Kind(); k == interp.Int || k == interp.Uint {
				now = uint64(ev.Value.Int())
			}
			numbers := append(e.numbers(ev.PC), 0, int64(now-1), int64(now+1))
			slices.Sort(numbers)
			for _, n := range slices.Compact(numbers) {
				if c.Holds(uint64(n)) {
					with := interp.AppendNumber(nil, c, uint64(n))
					w.put(NotAllowed, ev, ev.Rule, ev.Offset, ev.Len, with...)
					w.inRegions(NotAllowed, ev, ev.Offset, ev.Len, with)
					if uint64(n) == now+1 {
						w.report(NotAllowed, ev, ev.Rule, ev.Offset, ev.Len, slices.Concat(b[:ev.Offset], with, b[ev.End():], b[ev.End():]))
					}
				}
			}
			if w.done {
				return
			}
		}
	}
}
