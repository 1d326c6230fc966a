// Registers of operations of reading and of writing: which are read behind an operation, and which before they are set. Their bits.

package codec

import "slices"

// regSet is a set of registers.
type regSet []uint64

func (s regSet) has(r int32) bool { return r >= 0 && s[r>>6]>>(r&63)&1 != 0 }
func (s regSet) add(r int32)      { s[r>>6] |= 1 << (r & 63) }
func (s regSet) remove(r int32)   { s[r>>6] &^= 1 << (r & 63) }

// byteSet is a set of numbers below 256.
type byteSet [4]uint64

func (s *byteSet) has(n uint64) bool   { return s.bit(n) != 0 }
func (s *byteSet) bit(n uint64) uint64 { return s[n>>6] >> (n & 63) & 1 }
func (s *byteSet) put(n, bit uint64)   { s[n>>6] |= bit << (n & 63) }

// bitsAt returns the bits of a word from shift on that are in a mask.
func bitsAt(word uint64, shift uint8, mask uint64) uint64 { return word >> (shift & 63) & mask }

// extended returns the number of bits whose highest one, half, is a sign.
func extended(x, half uint64) uint64 { return (x ^ half) - half }

// registerOp is an operation of a list, in which jumps lead forward.
type registerOp[O any] interface {
	*O
	target(i int) (to int, ok bool) // the operation that operation i jumps to
	jump(by int)                    // sets that
	always() bool                   // it jumps without a condition
	pure() bool                     // it does nothing but set registers
	sets() []int32                  // registers
	reads() []int32
}

// registersIn returns the number of registers of operations.
func registersIn[O any, P registerOp[O]](ops []O) (n int) {
	for i := range ops {
		for _, r := range append(P(&ops[i]).reads(), P(&ops[i]).sets()...) {
			n = max(n, int(r)+1)
		}
	}
	return n
}

// liveAfter returns the registers that are read behind each operation. Those in keep are read behind all.
func liveAfter[O any, P registerOp[O]](ops []O, keep []int32) []regSet {
	n := registersIn[O, P](ops)
	for _, r := range keep {
		n = max(n, int(r)+1)
	}
	before := make([]regSet, len(ops)+1)
	out := make([]regSet, len(ops))
	before[len(ops)] = make(regSet, n>>6+1)
	for _, r := range keep {
		before[len(ops)].add(r)
	}
	for i := len(ops) - 1; i >= 0; i-- {
		op := P(&ops[i])
		after := slices.Clone(before[i+1])
		if to, ok := op.target(i); ok {
			if op.always() {
				clear(after)
			}
			for k, bits := range before[to] {
				after[k] |= bits
			}
		}
		out[i] = after
		if op.pure() && !slices.ContainsFunc(op.sets(), after.has) {
			before[i] = after
			continue
		}
		before[i] = slices.Clone(after)
		for _, r := range op.sets() {
			before[i].remove(r)
		}
		for _, r := range op.reads() {
			before[i].add(r)
		}
	}
	return out
}

// withoutDead returns the operations that are not dead.
func withoutDead[O any, P registerOp[O]](ops []O, dead []bool) []O {
	place := make([]int, len(ops)+1)
	var out []O
	for i := range ops {
		if place[i] = len(out); !dead[i] {
			out = append(out, ops[i])
		}
	}
	place[len(ops)] = len(out)
	for i := range ops {
		if to, ok := P(&ops[i]).target(i); ok && !dead[i] {
			P(&out[place[i]]).jump(place[to] - place[i] - 1)
		}
	}
	return out
}

// readsUnset reports whether operations may read a register before they set it. Arguments are set before, and the register
// given, unless it is negative.
func readsUnset[O any, P registerOp[O]](ops []O, args, given int) bool {
	set := make(regSet, max(registersIn[O, P](ops), args, given+1)>>6+1)
	for r := range args {
		set.add(int32(r))
	}
	if given >= 0 {
		set.add(int32(given))
	}
	from := map[int]regSet{} // registers that are set before the operations that jumps go to
	reached := true
	for i := range ops {
		op := P(&ops[i])
		if other, ok := from[i]; ok && reached {
			for k := range set {
				set[k] &= other[k]
			}
		} else if ok {
			set, reached = other, true
		}
		if slices.ContainsFunc(op.reads(), func(r int32) bool { return !set.has(r) }) {
			return true
		}
		for _, r := range op.sets() {
			set.add(r)
		}
		if to, ok := op.target(i); ok {
			at := slices.Clone(set)
			if other, ok := from[to]; ok {
				for k := range at {
					at[k] &= other[k]
				}
			}
			from[to], reached = at, !op.always()
		}
	}
	return false
}
