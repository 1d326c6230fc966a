// Operations of numbers and conditions of records that are read.

package codec

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// put adds the operation of a number that is linear in a register, which goes into another register.
func (l *getList) put(op getOp, reg int32) {
	if op.code, op.reg = getLinear, reg; op.a == none {
		op.code = getSet
	}
	i := l.add(op)
	if op = l.ops[i]; op.a != none && op.times == 1 && op.n == 0 && op.a != reg {
		l.picks[reg] = op
	}
}

// let adds the operation of an expression, whose number goes into a register.
func (l *getList) let(e *recordExpr, reg int32) {
	op := getOp{code: getLinear, reg: reg, a: none, b: none}
	if l.linear(&op, e) {
		if op.times == 1 && op.n == 0 && op.a != none || op.a == none {
			l.put(op, reg)
		} else {
			l.add(op)
		}
		return
	}
	op.a, op.shift, op.mask, op.times, op.n = none, 0, 0, 0, 0
	in, ok := rangeOf(e)
	ok = ok && !slices.ContainsFunc(e.lines, func(x bytecode.Line) bool { return x.Base>>1 != 0 })
	switch {
	case ok:
		l.within(&op, in)
		op.code = getIn
	case e.short:
		op.code, op.base, op.more = getQuick, l.base, &getMore{expr: e}
	case len(e.args) == 2 && e.lines == nil && e.op != bytecode.ExprFit && e.part == nil:
		op.a, op.b, op.mask = l.number(&e.args[0]), l.number(&e.args[1]), uint64(e.op)
		op.code = getOp2
		if code, ok := getsOfTwo[e.op]; ok {
			op.code = code
		}
	default:
		op.code, op.base, op.more = getEval, l.base, &getMore{expr: e}
	}
	l.add(op)
}

// getsOfTwo are the operations on two registers that need no expression.
var getsOfTwo = map[bytecode.ExprOp]getCode{
	bytecode.ExprAdd: getAdd, bytecode.ExprSub: getSub, bytecode.ExprMul: getMul, bytecode.ExprMin: getMin, bytecode.ExprEq: getEqual,
}

// getRange is a condition: bits of a register, with a number added, are in a range.
type getRange struct {
	bits      bytecode.Bits
	plus      int64
	low, span uint64
}

// rangeOf returns the range of a condition. It is not ok for another condition.
func rangeOf(e *recordExpr) (in getRange, ok bool) {
	const most = uint64(1)<<63 - 1
	if in, ok := linesRange(e); ok {
		return in, true
	}
	if !e.isLinear() {
		return in, false
	}
	if in.bits, in.plus = e.bits, e.plus; e.op == bytecode.ExprReg && e.n >= 0 {
		in.bits, in.plus = bytecode.Bits{Reg: uint32(e.n), Mask: ^uint64(0)}, 0
	} else if e.bits.Floor || e.times != 1 {
		return in, false
	}
	switch n := uint64(e.than); e.op {
	case bytecode.ExprReg:
		in.low, in.span = 1, ^uint64(1)
	case bytecode.ExprNe:
		in.low, in.span = n+1, ^uint64(1)
	case bytecode.ExprEq:
		in.low, in.span = n, 0
	case bytecode.ExprGe:
		in.low, in.span = n, most-n
	case bytecode.ExprLe:
		in.low, in.span = most+1, n-most-1
	case bytecode.ExprGt:
		in.low, in.span = n+1, most-n-1
		return in, n != most
	case bytecode.ExprLt:
		in.low, in.span = most+1, n-most-2
		return in, n != most+1
	default:
		return in, false
	}
	return in, true
}

// linesRange is rangeOf for an expression that is constant between some numbers of a register.
func linesRange(e *recordExpr) (in getRange, ok bool) {
	if e.lines == nil || len(e.args) != 1 || !e.args[0].isRegister() {
		return in, false
	}
	var ends []int64 // the numbers where a truth begins or ends
	first, was := int64(math.MinInt64), false
	for _, l := range e.lines {
		if l.Slope != 0 {
			return in, false
		}
		if is := l.Base != 0; is != was {
			ends, was = append(ends, first), is
		}
		first = l.Last + 1
	}
	switch {
	case len(ends) == 1:
		ends = append(ends, math.MinInt64)
	case len(ends) == 3 && ends[0] == math.MinInt64: // two parts that meet if numbers are without a sign
		ends = []int64{ends[2], ends[1]}
	}
	if len(ends) != 2 {
		return in, false
	}
	in.bits = bytecode.Bits{Reg: uint32(e.args[0].n), Mask: ^uint64(0)}
	in.low, in.span = uint64(ends[0]), uint64(ends[1]-ends[0]-1)
	return in, true
}

// isRegister reports whether an expression is the number of a register.
func (e *recordExpr) isRegister() bool {
	return e.isLinear() && e.op == bytecode.ExprReg && e.n != none
}

// isLinear reports whether an expression is bits of a register, or an operation with them, without a table.
func (e *recordExpr) isLinear() bool { return e.short && e.lines == nil && e.holds == nil }

// tabled returns an expression with a table of its truth for the numbers of a byte. It returns e if that has no lines
// of truths.
func (e *recordExpr) tabled() *recordExpr {
	if e.lines == nil || len(e.args) != 1 || !e.args[0].isRegister() {
		return e
	}
	out := *e
	out.n, out.holds = e.args[0].n, new(byteSet)
	for b := range int64(256) {
		if n := e.lines.At(b); n>>1 != 0 {
			return e
		} else {
			out.holds.put(uint64(b), uint64(n))
		}
	}
	return &out
}

// within makes an operation that tests a range.
func (l *getList) within(op *getOp, in getRange) {
	l.pick(op, int32(in.bits.Reg), in.bits.Shift, in.bits.Mask)
	op.n, op.span = int64(in.low-uint64(in.plus)), in.span
}

// same adds a check that two registers are equal, unless they are the same.
func (l *getList) same(a, b int32) {
	x, y := getOp{}, getOp{}
	l.pick(&x, a-l.base, 0, ^uint64(0))
	l.pick(&y, b-l.base, 0, ^uint64(0))
	if x.a != y.a || x.shift != y.shift || x.mask != y.mask {
		l.add(getOp{code: getSame, reg: none, a: a, b: b})
	}
}

// linear makes the number of an operation that of an expression. It reports false if that is not linear in a register.
func (l *getList) linear(op *getOp, e *recordExpr) bool {
	if n, ok := e.number(); ok {
		op.a, op.n = none, n
		return true
	}
	if !e.isLinear() || e.op != bytecode.ExprReg {
		return false
	}
	if e.n >= 0 {
		l.pick(op, int32(e.n), 0, ^uint64(0))
		op.times, op.n = 1, 0
		return true
	}
	if e.bits.Floor || int64(int32(e.times)) != e.times {
		return false
	}
	l.pick(op, int32(e.bits.Reg), e.bits.Shift, e.bits.Mask)
	op.times, op.n = int32(e.times), e.plus
	return true
}

// pick makes the bits of an operation those of a register of the record. If that register has bits of another one, they
// become bits of the other.
func (l *getList) pick(op *getOp, reg int32, shift uint, mask uint64) {
	op.a, op.shift, op.mask = l.base+reg, uint8(shift), mask
	if from, ok := l.picks[op.a]; ok { // beyond the 64th bit the mask is 0
		op.a, op.shift, op.mask = from.a, from.shift+uint8(shift), from.mask>>shift&mask
	}
}

// amount makes the number of an operation that of an expression.
func (l *getList) amount(op *getOp, e *recordExpr) {
	if !l.linear(op, e) {
		op.a, op.mask, op.times, op.n = l.temp(), ^uint64(0), 1, 0
		l.let(e, op.a)
	}
}

// number returns a register that has the number of an expression.
func (l *getList) number(e *recordExpr) int32 {
	if e.isRegister() {
		return l.base + int32(e.n)
	}
	reg := l.temp()
	l.let(e, reg)
	return reg
}

// condition adds an operation that depends on whether an expression is 0, and returns its index. It returns -1 if none
// is needed.
func (l *getList) condition(e *recordExpr, in, holds, other getCode) int {
	op := getOp{code: other, reg: none, a: none, b: none, base: l.base}
	if n, ok := e.number(); ok && other == getCheck && n != 0 {
		return none
	}
	if other == getCheck && e.op == bytecode.ExprBoth && len(e.args) == 2 {
		l.condition(&e.args[0], in, holds, other)
		return l.condition(&e.args[1], in, holds, other)
	}
	op.more = &getMore{expr: e}
	x, ok := rangeOf(e)
	if !ok {
		e = e.tabled()
		op.more.expr = e
	}
	switch {
	case e.holds != nil:
		op.code, op.a = holds, l.base+int32(e.n)
	case ok:
		l.within(&op, x)
		op.code, op.more, op.base = in, nil, 0
	case other == getCheck && !e.short && e.lines == nil && e.op == bytecode.ExprEq && len(e.args) == 2:
		l.same(l.number(&e.args[0]), l.number(&e.args[1]))
		return none
	}
	return l.add(op)
}
