// Expressions in operations of writing.

package codec

import (
	"math"
	"reflect"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// number adds the operations of an expression and returns the register that has its number.
func (l *putList) number(e *recordExpr) int32 {
	if e.isRegister() {
		return int32(e.n)
	}
	reg := int32(l.temp)
	l.temp++
	l.let(e, reg)
	return reg
}

// let adds the operations of an expression, whose number goes into a register.
func (l *putList) let(e *recordExpr, reg int32) {
	op := putOp{code: putEval, reg: reg, a: none, b: none, more: &putMore{expr: e}}
	if n, ok := e.number(); ok {
		l.add(putOp{code: putSet, reg: reg, a: none, b: none, n: n})
		return
	}
	if l.table(e, op) {
		return
	}
	if e.short {
		l.short(e, op)
		return
	}
	if t, ok := e.length(); ok {
		l.add(putOp{code: putTerms, reg: reg, a: none, b: none, off: none, more: &putMore{terms: []putTerm{t}}})
		return
	}
	switch {
	case e.lines != nil, e.part != nil, e.op == bytecode.ExprExact, len(e.args) == 0:
	case e.op == bytecode.ExprFit:
		a := l.number(&e.args[0])
		if e.n < 64 {
			l.add(putOp{code: putFits, reg: none, a: a, b: none, n: e.n})
		}
		l.add(putOp{code: putPick, reg: reg, a: a, b: none, mask: ^uint64(0)})
		return
	case e.sum(l, reg):
		return
	case e.withNumber(l, reg):
		return
	case len(e.args) == 2:
		op := putOp{code: putOp2, reg: reg, a: l.number(&e.args[0]), b: l.number(&e.args[1]), mask: uint64(e.op)}
		if code, ok := putsOfTwo[e.op]; ok {
			op.code = code
		}
		l.add(op)
		return
	}
	l.add(op)
}

// length returns the term of a number of parts of a field. It is not ok for another expression.
func (e *recordExpr) length() (t putTerm, ok bool) {
	width := int64(63)
	if e.op == bytecode.ExprFit && !e.short && e.lines == nil {
		width, e = min(width, e.n), &e.args[0]
	}
	if e.op != bytecode.ExprLen && e.op != bytecode.ExprCount || e.part == nil || e.lines != nil || width < 1 || !rawMemory {
		return t, false
	}
	t = e.part.term()
	t.width = uint8(width)
	return t, true
}

// putsOfTwo are the operations on two registers that need no expression.
var putsOfTwo = map[bytecode.ExprOp]putCode{
	bytecode.ExprAdd: putAdd, bytecode.ExprSub: putSub, bytecode.ExprMul: putMul, bytecode.ExprEq: putEq,
	bytecode.ExprMin: putMin, bytecode.ExprMax: putMax,
}

// table adds an expression of one register that has more than one operation. It reports false for another.
func (l *putList) table(e *recordExpr, op putOp) bool {
	regs := e.registers(nil)
	if len(regs) == 0 || slices.ContainsFunc(regs, func(r int32) bool { return r != regs[0] }) || e.hasParts() || e.short && e.lines == nil {
		return false
	}
	op.code, op.a, op.more.table = putTable, regs[0], new([256]int64)
	given := make([]uint64, regs[0]+1)
	for x := range op.more.table {
		given[regs[0]] = uint64(x)
		s := recordScope{regs: given}
		if op.more.table[x] = e.value(&s); s.bad {
			op.more.table[x] = tableLack
		}
	}
	l.add(op)
	return true
}

// tableLack is the number of a table for which the expression has to be computed. That reports that a number does not
// fit.
const tableLack = math.MinInt64

// hasParts reports whether an expression looks at more than registers.
func (e *recordExpr) hasParts() bool {
	return e.part != nil || e.op == bytecode.ExprExact || e.op == bytecode.ExprMore || e.op == bytecode.ExprLeft || slices.ContainsFunc(e.args, func(a recordExpr) bool { return a.hasParts() })
}

// short adds an expression of bits of one register.
func (l *putList) short(e *recordExpr, op putOp) {
	op.code = putQuick
	if e.lines == nil && !e.bits.Floor {
		x := putOp{reg: op.reg, a: int32(e.bits.Reg), b: none, shift: uint8(e.bits.Shift & 63), mask: e.bits.Mask, n: e.than}
		switch {
		case e.op == bytecode.ExprReg && e.n >= 0:
			x.code, x.a, x.shift, x.mask = putPick, int32(e.n), 0, ^uint64(0)
		case e.op == bytecode.ExprReg:
			x.code = putPick
		case e.op == bytecode.ExprAdd:
			x.code = putAddN
		case e.op == bytecode.ExprSub:
			x.code, x.n = putAddN, -e.than
		case e.op == bytecode.ExprMul:
			x.code = putMulN
		case e.op == bytecode.ExprEq:
			x.code = putEqN
		case e.op == bytecode.ExprLt:
			x.code = putLessN
		case e.op == bytecode.ExprGe:
			x.code = putLeastN
		case (e.op == bytecode.ExprLe || e.op == bytecode.ExprGt) && x.n < math.MaxInt64:
			x.code, x.n = putLessN+putCode(truth(e.op == bytecode.ExprGt)), x.n+1
		}
		if x.code != putFail {
			op = x
		}
	}
	l.add(op)
}

// sum adds the operations of a sum with bits of fields. It reports false for another one.
func (e *recordExpr) sum(l *putList, reg int32) bool {
	if e.op != bytecode.ExprAdd {
		return false
	}
	var terms []*recordExpr
	w := word{reg: int(reg), scalar: bytecode.U64}
	e.terms(func(x *recordExpr) {
		if !w.takes(x) {
			terms = append(terms, x)
		}
	})
	if len(w.bits) < 2 || slices.ContainsFunc(terms, func(x *recordExpr) bool { return slices.Contains(x.registers(nil), reg) }) {
		return false
	}
	s := recordStep{words: []word{w}}
	l.words(&s, 0)
	op := &l.ops[len(l.ops)-1]
	op.off = none // into the register alone
	for _, x := range terms {
		l.add(putOp{code: putAdd, reg: reg, a: reg, b: l.number(x)})
	}
	return true
}

// withNumber adds the operations of a sum, a difference or a comparison with a number. It reports false for another one.
func (e *recordExpr) withNumber(l *putList, reg int32) bool {
	if len(e.args) != 2 || e.op != bytecode.ExprAdd && e.op != bytecode.ExprSub && e.op != bytecode.ExprEq {
		return false
	}
	x, number := &e.args[0], &e.args[1]
	if _, ok := x.number(); ok && e.op != bytecode.ExprSub {
		x, number = number, x
	}
	n, ok := number.number()
	if !ok {
		return false
	}
	op := putOp{code: putAddN, reg: reg, a: l.number(x), b: none, mask: ^uint64(0), n: n}
	switch e.op {
	case bytecode.ExprSub:
		op.n = -n
	case bytecode.ExprEq:
		op.code = putEqN
	}
	l.add(op)
	return true
}

// terms calls f for each term of a sum.
func (e *recordExpr) terms(f func(*recordExpr)) {
	if e.op != bytecode.ExprAdd || e.short || e.lines != nil {
		f(e)
		return
	}
	for i := range e.args {
		e.args[i].terms(f)
	}
}

// takes makes a term a part of the word. It reports false if it is no bits of a field.
func (w *word) takes(e *recordExpr) bool {
	if n, ok := e.number(); ok && n >= 0 {
		w.base += uint64(n)
		return true
	}
	shift := uint(0)
	if e.op == bytecode.ExprShl && !e.short && e.lines == nil {
		if n, ok := e.args[1].number(); ok && n&63 == n {
			shift, e = uint(n), &e.args[0]
		}
	}
	if e.op != bytecode.ExprFit || e.short || e.lines != nil || e.n < 1 || e.n+int64(shift) > 62 {
		return false
	}
	leaf := &e.args[0]
	if leaf.op != bytecode.ExprValue || leaf.part == nil || leaf.lines != nil || leaf.fits != bytecode.NoScalar && int(e.n) >= 8*leaf.fits.Width() && leaf.fits.Width() < 8 {
		return false
	}
	p := *leaf.part
	p.width, p.shift = uint(e.n), shift
	w.bits = append(w.bits, p)
	return true
}

// check adds an expression that must not be 0.
func (l *putList) check(e *recordExpr) {
	if n, ok := e.number(); ok {
		if n == 0 {
			l.add(putOp{code: putFail, reg: none, a: none, b: none})
		}
		return
	}
	if op, ok := e.equality(); ok {
		op.code = putCheckEq
		l.add(op)
		return
	}
	if in, ok := rangeOf(e); ok && (!e.short || e.lines != nil) && in.bits.Shift == 0 && in.bits.Mask == ^uint64(0) && !in.bits.Floor {
		l.add(putOp{code: putCheckIn, reg: none, a: int32(in.bits.Reg), b: none, n: int64(in.low - uint64(in.plus)), mask: in.span})
		return
	}
	l.add(putOp{code: putCheck, a: l.number(e), reg: none, b: none})
}

// unless adds a jump that is taken if an expression is 0.
func (l *putList) unless(e *recordExpr) int {
	if op, ok := e.equality(); ok {
		op.code = putUnlessEq
		return l.add(op)
	}
	return l.add(putOp{code: putUnless, a: l.number(e), reg: none, b: none})
}

// equality returns the operands of a comparison of bits of a register with a number.
func (e *recordExpr) equality() (op putOp, ok bool) {
	if !e.short || e.lines != nil || e.op != bytecode.ExprEq || e.bits.Floor {
		return op, false
	}
	return putOp{a: int32(e.bits.Reg), b: none, reg: none, shift: uint8(e.bits.Shift & 63), mask: e.bits.Mask, n: e.than}, true
}

// registers appends the registers that an expression looks at.
func (e *recordExpr) registers(out []int32) []int32 {
	for i := range e.args {
		out = e.args[i].registers(out)
	}
	switch {
	case !e.short || e.lines != nil || e.op == bytecode.ExprNum:
		return out
	case e.op == bytecode.ExprReg && e.n >= 0:
		return append(out, int32(e.n))
	case e.holds != nil: // of arguments
		return out
	}
	return append(out, int32(e.bits.Reg))
}

// sameShort reports whether two expressions of registers are equal.
func (e *recordExpr) sameShort(f *recordExpr) bool {
	return e.short && f.short && reflect.DeepEqual(e, f)
}

// onlyPart returns the node that looks at more than numbers, if it is a number of a field. Other such nodes are equal
// to it.
func (e *recordExpr) onlyPart() *recordExpr {
	if e.part != nil {
		return e
	}
	if e.short {
		return nil
	}
	var found *recordExpr
	for i := range e.args {
		a := &e.args[i]
		if _, ok := a.number(); ok || a.op == bytecode.ExprExact {
			continue
		}
		leaf := a.onlyPart()
		if leaf == nil || found != nil && (leaf.op != found.op || *leaf.part != *found.part || leaf.fits != found.fits) {
			return nil
		}
		found = leaf
	}
	return found
}

// given returns the number of an expression whose only part is a number. It is not ok if a number does not fit.
func (e *recordExpr) given(x int64) (n int64, ok bool) {
	if n, ok := e.number(); ok {
		return n, true
	}
	if e.part != nil {
		return x, true
	}
	if e.op == bytecode.ExprExact {
		return 0, true // plans are for values without widths
	}
	var args [3]int64
	for i := range e.args {
		if args[i], ok = e.args[i].given(x); !ok {
			return 0, false
		}
	}
	switch {
	case e.lines != nil:
		return e.lines.At(args[0]), true
	case e.op == bytecode.ExprFit:
		return args[0], uint64(args[0])>>uint(e.n) == 0
	}
	return e.op.Compute(args[0], args[1], args[2]), true
}

// linesOf returns the lines that give the number of an expression for any number of its leaf, or nil.
func (e *recordExpr) linesOf(leaf *recordExpr) bytecode.Lines {
	if e.op == bytecode.ExprFit && !e.short && e.lines == nil {
		e = &e.args[0]
	}
	fits := leaf.fits == bytecode.NoScalar || leaf.fits.Width() == 8 && leaf.fits.Signed() == leaf.part.signed
	if e.lines == nil || &e.args[0] != leaf || !fits {
		return nil
	}
	return e.lines
}
