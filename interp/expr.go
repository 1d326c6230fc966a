// Expressions, for both directions.

package interp

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
)

// scope holds the inputs of an expression.
type scope struct {
	m      *Machine
	regs   []uint64
	cells  []Value // when writing
	open   uint8
	exact  bool
	watch  *watch
	node   int  // of a watched run: number of the next node
	misfit bool // some number did not fit the bits it is written in
}

// eval computes an expression. The second result is false if a number does not fit
// the bits it is written in; the first is 0 then.
func (s *scope) eval(index uint32) (int64, bool) { return s.run(s.m.p.Exprs[index]) }

func (s *scope) run(e *bytecode.Expr) (x int64, ok bool) {
	if s.watch == nil {
		x = s.value(e)
	} else {
		x = s.watched(e)
	}
	if s.misfit {
		return 0, false
	}
	return x, true
}

// value computes a node and its operands.
func (s *scope) value(e *bytecode.Expr) int64 {
	var args [3]int64
	for i, x := range e.Args {
		switch x.Op { // without a call
		case bytecode.ExprNum:
			args[i] = x.Arg
		case bytecode.ExprReg:
			args[i] = int64(s.regs[x.Arg])
		default:
			args[i] = s.value(x)
		}
	}
	return s.apply(e, args[0], args[1], args[2])
}

// watched computes a node and its operands, and notes the outcome of each that has
// two. It stops at a number that does not fit.
func (s *scope) watched(e *bytecode.Expr) int64 {
	var args [3]int64
	for i, x := range e.Args {
		if args[i] = s.watched(x); s.misfit {
			return 0
		}
	}
	x := s.apply(e, args[0], args[1], args[2])
	switch {
	case truthful(e.Op):
		s.watch.outcome(s.node, x != 0)
	case e.Op == bytecode.ExprSelect:
		s.watch.outcome(s.node, args[0] != 0)
	case e.Op == bytecode.ExprMin:
		s.watch.outcome(s.node, args[0] <= args[1])
	case e.Op == bytecode.ExprMax:
		s.watch.outcome(s.node, args[0] >= args[1])
	case e.Op == bytecode.ExprFit:
		s.watch.outcome(s.node, !s.misfit)
	}
	s.node++
	return x
}

// apply computes a node from the values of its operands.
func (s *scope) apply(e *bytecode.Expr, a, b, c int64) int64 {
	switch e.Op {
	case bytecode.ExprNum:
		return e.Arg
	case bytecode.ExprReg:
		return int64(s.regs[e.Arg])
	case bytecode.ExprAdd:
		return a + b
	case bytecode.ExprSub:
		return a - b
	case bytecode.ExprMul:
		return a * b
	case bytecode.ExprDiv:
		if b == 0 {
			return 0
		}
		return a / b
	case bytecode.ExprMod:
		if b == 0 {
			return 0
		}
		return a % b
	case bytecode.ExprAnd:
		return a & b
	case bytecode.ExprXor:
		return a ^ b
	case bytecode.ExprShl:
		return a << (uint64(b) & 63)
	case bytecode.ExprShr:
		return int64(uint64(a) >> (uint64(b) & 63))
	case bytecode.ExprEq:
		return truth(a == b)
	case bytecode.ExprNe:
		return truth(a != b)
	case bytecode.ExprLt:
		return truth(a < b)
	case bytecode.ExprLe:
		return truth(a <= b)
	case bytecode.ExprGt:
		return truth(a > b)
	case bytecode.ExprGe:
		return truth(a >= b)
	case bytecode.ExprBoth:
		return truth(a != 0 && b != 0)
	case bytecode.ExprEither:
		return truth(a != 0 || b != 0)
	case bytecode.ExprNeg:
		return -a
	case bytecode.ExprNot:
		return truth(a == 0)
	case bytecode.ExprMin:
		return min(a, b)
	case bytecode.ExprMax:
		return max(a, b)
	case bytecode.ExprSelect:
		if a != 0 {
			return b
		}
		return c
	case bytecode.ExprExact:
		return truth(s.exact)
	case bytecode.ExprClosed:
		return truth(s.open>>uint(e.Arg)&1 == 0)
	case bytecode.ExprFit:
		if e.Arg < 64 && uint64(a)>>uint(e.Arg) != 0 {
			s.misfit = true
		}
		return a
	}
	if int(e.Arg) < len(s.cells) { // when reading, cells are not known
		return s.cell(e, s.cells[e.Arg])
	}
	return 0
}

// truth returns 1 for true and 0 for false.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// cell computes a node about a cell.
func (s *scope) cell(e *bytecode.Expr, v Value) int64 {
	switch e.Op {
	case bytecode.ExprCount:
		switch v.kind {
		case List, Map, Packed:
			return int64(v.n)
		}
	case bytecode.ExprLen:
		if v.kind == Text {
			return int64(v.n) + truth(s.m.p.Encodings[e.Arg2].NUL == bytecode.NULCounted)
		}
	case bytecode.ExprArm:
		if v.kind == None {
			return 0
		}
		if i, ok := s.m.arm(e.Arg2, v.tag); ok {
			return int64(s.m.tables[e.Arg2].Arms[i].ID)
		}
		return -1
	case bytecode.ExprPresent:
		return truth(v.kind != None)
	case bytecode.ExprValue:
		if v.kind == Float {
			return int64(v.Float())
		}
		if v.kind <= Float {
			return int64(v.u)
		}
	case bytecode.ExprOutside:
		return truth(outside(v, bytecode.Scalar(e.Arg2)))
	case bytecode.ExprWide:
		return truth(v.Wide())
	}
	return 0
}

// outside reports whether a scalar cannot hold a number exactly.
func outside(v Value, s bytecode.Scalar) bool {
	if v.kind == Float {
		f := v.Float()
		return s == bytecode.F32 && float64(float32(f)) != f
	}
	bits := 8 * s.Width()
	switch {
	case bits == 64 && s.Signed():
		return v.kind == Uint && v.u > math.MaxInt64
	case bits == 64:
		return v.kind == Int && int64(v.u) < 0
	case s.Signed() && v.kind != Uint:
		i := int64(v.u)
		return i < -1<<(bits-1) || i >= 1<<(bits-1)
	case s.Signed():
		return v.u>>(bits-1) != 0
	}
	return v.u>>bits != 0 // a negative Int has its highest bit set
}
