// Values of registers in operations of writing: one that is known is not computed again.

package codec

import (
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// putValue is the way a value is computed: an operation, the values of its registers, and its numbers.
type putValue struct {
	code  putCode
	shift uint8
	a, b  int
	off   int32
	n     int64
	mask  uint64
	epoch int // of the cursor and the run
}

// putValues are the values of registers.
type putValues struct {
	of     map[int32]int    // by register
	holder map[int]int32    // a register that has a value
	known  map[putValue]int // values that were computed
	last   int
	epoch  int
}

// forget forgets all values, for a place that is reached in more than one way.
func (v *putValues) forget() {
	v.of, v.holder, v.known = map[int32]int{}, map[int]int32{}, map[putValue]int{}
}

// get returns the value of a register.
func (v *putValues) get(r int32) int {
	if r < 0 {
		return 0
	}
	n, ok := v.of[r]
	if !ok {
		v.last++
		n = v.last
		v.of[r], v.holder[n] = n, r
	}
	return n
}

// set notes that a register has a value.
func (v *putValues) set(r int32, n int) {
	v.of[r] = n
	if h, ok := v.holder[n]; !ok || v.of[h] != n {
		v.holder[n] = r
	}
}

// first returns the register that has the value of r for the longest time.
func (v *putValues) first(r int32) int32 {
	if r < 0 {
		return r
	}
	n := v.get(r)
	if h := v.holder[n]; v.of[h] == n {
		return h
	}
	v.holder[n] = r
	return r
}

// share replaces operations whose value a register has by a copy of the register, and reads the first register that has
// a value.
func (l *putList) share() {
	v := putValues{}
	v.forget()
	targets := l.targets()
	for i := range l.ops {
		op := &l.ops[i]
		if targets[i] {
			v.forget()
		}
		a := op.a
		op.a = v.first(op.a)
		if op.code == putTable && a != op.a {
			op.more = &putMore{expr: new(op.more.expr.reading(op.a)), table: op.more.table}
		}
		if !op.setsB() {
			op.b = v.first(op.b)
		}
		if m := op.more; m != nil && len(m.args) > 0 {
			m.args = slices.Clone(m.args)
			for k, r := range m.args {
				m.args[k] = v.first(r)
			}
		}
		if op.moves() {
			v.epoch++
		}
		if op.code == putTerms && op.off < 0 {
			l.again(i, targets, &v)
			continue
		}
		value := putValue{code: op.code, shift: op.shift, a: v.get(op.a), off: op.off, n: op.n, mask: op.mask}
		switch op.code {
		case putMark, putMarkRun:
			value.epoch = v.epoch
		case putSize, putSizeRun:
			value.epoch = v.epoch
		case putPick, putAddN, putMulN, putEqN, putLessN, putLeastN, putSet:
		case putAdd, putSub, putMul, putEq, putMin, putMax, putOp2:
			value.b = v.get(op.b)
		default:
			value = putValue{}
		}
		if op.isCopy() {
			v.set(op.reg, v.get(op.a))
			continue
		}
		n, known := v.known[value]
		if h := v.holder[n]; known && value.code != putFail && v.of[h] == n && h != op.reg {
			if op.code != putMark && op.code != putMarkRun || op.b == none {
				*op = putOp{code: putPick, reg: op.reg, a: h, b: none, mask: ^uint64(0)}
				v.set(op.reg, n)
				continue
			}
		}
		v.last++
		for _, r := range op.sets() {
			v.of[r] = v.last
			v.holder[v.last] = op.sets()[0]
		}
		switch {
		case value.code == putFail:
			for k, r := range op.sets() { // registers that have different values
				if k > 0 {
					v.last++
				}
				v.of[r], v.holder[v.last] = v.last, r
			}
		case len(op.sets()) > 0:
			v.known[value] = v.last
		}
	}
}

// again gives a register to an operation before operation i that computes the same word.
func (l *putList) again(i int, targets []bool, v *putValues) {
	op := &l.ops[i]
	v.last++
	v.of[op.reg], v.holder[v.last] = v.last, op.reg
	for k := i - 1; k >= 0; k-- {
		before := &l.ops[k]
		if _, ok := before.target(k); ok || targets[k+1] || before.touches(op.reg) {
			return
		}
		if before.code == putTerms && before.reg < 0 && before.n == op.n && slices.Equal(before.more.terms, op.more.terms) {
			before.reg = op.reg
			*op = putOp{code: putPick, reg: op.reg, a: op.reg, b: none, mask: ^uint64(0)}
			return
		}
	}
}

// trust drops checks of lengths that are bits of a word of the same length.
func (l *putList) trust() {
	targets := l.targets()
	for i := range l.ops {
		op := &l.ops[i]
		if !op.check || op.a == none || op.code != putText && op.code != putOctets {
			continue
		}
		from, shift, mask := l.setter(i, op.a, targets), uint8(0), ^uint64(0)
		if from >= 0 && l.ops[from].code == putPick {
			pick := &l.ops[from]
			shift, mask = pick.shift, pick.mask
			from = l.setter(from, pick.a, targets)
		}
		if from < 0 || l.ops[from].code != putTerms || !l.ops[from].hasLength(uint32(op.at), shift, mask) {
			continue
		}
		op.check, op.a = false, none
	}
}

// settle gives the arguments of records that are known as numbers.
func (l *putList) settle() {
	targets := l.targets()
	for i := range l.ops {
		m := l.ops[i].more
		if m == nil {
			continue
		}
		for k, r := range m.args {
			if r < 0 {
				continue
			}
			if from := l.setter(i, r, targets); from >= 0 && l.ops[from].code == putSet {
				m.args, m.given = slices.Clone(m.args), append(slices.Clip(m.given), uint64(l.ops[from].n))
				m.args[k] = -int32(len(m.given))
			}
		}
	}
}

// setter returns the operation before operation i that always sets a register, or -1.
func (l *putList) setter(i int, r int32, targets []bool) int {
	for k := i - 1; k >= 0 && !targets[k+1]; k-- {
		if _, ok := l.ops[k].target(k); ok {
			return none
		}
		if slices.Contains(l.ops[k].sets(), r) {
			return k
		}
	}
	return none
}

// hasLength reports whether bits of a word are the length of the text or list at a place.
func (op *putOp) hasLength(at uint32, shift uint8, mask uint64) bool {
	found, others := false, uint64(op.n)
	for _, t := range op.more.terms {
		bits := (uint64(1)<<(t.width&63) - 1) << (t.shift & 63)
		if (t.kind == termText || t.kind == termList) && t.at == at && !found {
			if found = t.shift == shift && mask&bits>>(shift&63) == bits>>(shift&63); found {
				mask &= ^uint64(0) >> (shift & 63)
				continue
			}
		}
		if others&bits != 0 {
			return false // a sum with a carry
		}
		others |= bits
	}
	return found && others&(mask<<(shift&63)) == 0
}

// touches reports whether an operation reads or sets a register.
func (op *putOp) touches(r int32) bool {
	return slices.Contains(op.sets(), r) || slices.Contains(op.reads(), r)
}

// isCopy reports whether an operation copies a register.
func (op *putOp) isCopy() bool {
	return op.code == putPick && op.shift == 0 && op.mask == ^uint64(0)
}

// moves reports whether an operation moves the cursor or begins another run.
func (op *putOp) moves() bool {
	switch op.code {
	case putRun, putBack, putPadding, putInner, putText, putOctets, putElems, putPairs, putSumPatch, putCoded, putPatchCoded, putPart:
		return true
	}
	return false
}

// reading returns an expression of a single register that reads another one.
func (e *recordExpr) reading(r int32) recordExpr {
	out := *e
	if out.bits.Reg = uint32(r); out.op == bytecode.ExprReg && out.n >= 0 || out.holds != nil {
		out.n = int64(r)
	}
	out.args = slices.Clone(e.args)
	for i := range out.args {
		out.args[i] = out.args[i].reading(r)
	}
	return out
}
