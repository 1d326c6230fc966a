// Numbers of conditions: packets and values that have the numbers with which conditions compare.

package corrupt

import (
	"bytes"
	"iter"
	"slices"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// Numbers returns packets, each with one number that the routine of an instruction reads replaced. The replacements are the
// numbers that a condition of the routine compares with, and one more and one less. Arrays of integers are replaced as by
// [Engine.Integers].
func (e *Engine) Numbers(b []byte, pc int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		r, numbers := &e.p.Routines[e.p.RoutineAt(pc)], e.numbers(pc)
		w := &work{e: e, b: b, yield: func(c Change) bool { return yield(c.Packet) }}
		w.events, _, _ = e.trace(b)
		for i := range w.events {
			ev := &w.events[i]
			if int64(ev.PC) < int64(r.Start) || int64(ev.PC) >= int64(r.End) {
				continue
			}
			if found := e.find(ev); found != nil && found.scalar.Width() == ev.Len {
				w.compared(ev, found, numbers)
			}
			if isIntegers(ev.Value) && e.takesIntegers(pc) {
				for all := range integers(ev.Value, numbers) {
					var b []byte
					for _, x := range all {
						b = append(b, w.scalar(ev, ev.Value.Scalar(), x)...)
					}
					w.put(NotAllowed, ev, ev.Rule, ev.Offset, len(b), b...)
				}
			}
		}
	}
}

// Renumbered returns copies of v, each with one of its numbers replaced. The replacements are the numbers that a
// condition in the routine of an instruction compares with, and one more and one less.
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

// Integers returns copies of v, each with one of its arrays of integers replaced. The last integer of the new array, or its
// sum, is a number that a condition in the routine of an instruction compares with, or one more or less. It yields nothing
// unless a condition of the routine takes the sum or the last integer of an array.
func (e *Engine) Integers(v interp.Value, pc int) iter.Seq[interp.Value] {
	return func(yield func(interp.Value) bool) {
		if !e.takesIntegers(pc) {
			return
		}
		for _, n := range nodes(v) {
			if !isIntegers(n.v) {
				continue
			}
			for all := range integers(n.v, e.numbers(pc)) {
				var b []byte
				for _, x := range all {
					b = append(b, ordered(n.v.Scalar(), x, false)...)
				}
				if !yield(replace(v, n.path, interp.MakePacked(n.v.Tag(), n.v.Scalar(), 1, b))) {
					return
				}
			}
		}
	}
}

// isIntegers reports whether a value is an array of integers that is not empty.
func isIntegers(v interp.Value) bool {
	return v.Kind() == interp.Packed && v.Width() == 1 && v.Len() > 0 && !v.Scalar().IsFloat()
}

// integers returns arrays of as many integers as v has. The last integer, or the sum, of an array is each of some
// numbers. The integers of a sum are as large as they can be, from the first on.
func integers(v interp.Value, numbers []int64) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		s, last := v.Scalar(), v.Len()-1
		for _, n := range numbers {
			if !interp.Fits(s, n) {
				continue
			}
			all := make([]uint64, last+1)
			for i := range all {
				all[i] = v.LaneBits(i)
			}
			if all[last] = uint64(n); !yield(all) {
				return
			}
		}
		bits := 8 * s.Width()
		if s.Signed() {
			bits--
		}
		most := int64(1)<<min(62, bits) - 1
		for _, n := range numbers {
			all := make([]uint64, last+1)
			for i := range all[:last] {
				all[i] = uint64(min(max(n, 0), most))
				n -= int64(all[i])
			}
			if all[last] = uint64(n); interp.Fits(s, n) && !yield(all) {
				return
			}
		}
	}
}

// takesIntegers reports whether a condition takes the sum or the last integer of an array. The condition is in the
// routine of an instruction.
func (e *Engine) takesIntegers(pc int) bool {
	r := &e.p.Routines[e.p.RoutineAt(pc)]
	return slices.ContainsFunc(e.p.Code[r.Start:r.End], func(in bytecode.Instr) bool {
		return (in.Op == bytecode.Check || in.Op == bytecode.If || in.Op == bytecode.Stop) && e.p.Exprs[in.A].Any(func(x *bytecode.Expr) bool {
			return x.Op == bytecode.ExprTotal || x.Op == bytecode.ExprLast
		})
	})
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

// pairedWords is how many words of a packet [Engine.Pairs] changes.
const pairedWords = 32

// Pairs returns packets in which two words that hold the same number are one more. A check may ask for equal numbers.
func (e *Engine) Pairs(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		w := &work{e: e, b: b}
		events, _, _ := e.trace(b)
		words := slices.DeleteFunc(events, func(ev interp.Event) bool {
			return ev.PC < 0 || e.p.Code[ev.PC].Op != bytecode.Word || e.p.Code[ev.PC].Coded() || e.p.Code[ev.PC].Scalar().Width() != ev.Len
		})
		words = words[:min(len(words), pairedWords)]
		for i := range words {
			for j := range words[:i] {
				if words[i].Number != words[j].Number {
					continue
				}
				out := bytes.Clone(b)
				for _, ev := range []*interp.Event{&words[i], &words[j]} {
					copy(out[ev.Offset:], w.scalar(ev, e.p.Code[ev.PC].Scalar(), ev.Number+1))
				}
				if !yield(out) {
					return
				}
			}
		}
	}
}
