// Expressions, for both directions.

package interp

import (
	"math"

	"github.com/octable/octable/compile/bytecode"
)

// scope is what an expression can look at.
type scope struct {
	m     *Machine
	regs  []uint64
	cells []Value // when writing
	open  uint8
	exact bool
	watch *watch
}

// eval computes an expression. The second result is false where a number does
// not fit the bits it is written in.
func (s *scope) eval(index uint32) (int64, bool) { return s.run(s.m.p.Exprs[index]) }

func (s *scope) run(expr bytecode.Expr) (int64, bool) {
	var stack [bytecode.MaxStack]int64
	n := 0
	push := func(x int64) { stack[n] = x; n++ }
	truth := func(b bool) {
		if b {
			push(1)
		} else {
			push(0)
		}
	}
	watch := s.watch
	for k, e := range expr {
		if watch != nil {
			watch.step(expr, k, stack[:n])
		}
		switch e.Op {
		case bytecode.ExprNum:
			push(e.Arg)
			continue
		case bytecode.ExprReg:
			push(int64(s.regs[e.Arg]))
			continue
		case bytecode.ExprExact:
			truth(s.exact)
			continue
		case bytecode.ExprClosed:
			truth(s.open>>uint(e.Arg)&1 == 0)
			continue
		case bytecode.ExprFit:
			if x := uint64(stack[n-1]); e.Arg < 64 && x>>uint(e.Arg) != 0 {
				return 0, false
			}
			continue
		case bytecode.ExprNeg:
			stack[n-1] = -stack[n-1]
			continue
		case bytecode.ExprNot:
			n--
			truth(stack[n] == 0)
			continue
		case bytecode.ExprSelect:
			n -= 2
			if stack[n-1] != 0 {
				stack[n-1] = stack[n]
			} else {
				stack[n-1] = stack[n+1]
			}
			continue
		}
		if e.Op.NeedsCells() {
			if int(e.Arg) >= len(s.cells) {
				push(0) // reading: the cells are not known yet
				continue
			}
			push(s.cell(e, s.cells[e.Arg]))
			continue
		}
		n--
		a, b := stack[n-1], stack[n]
		n--
		switch e.Op {
		case bytecode.ExprAdd:
			push(a + b)
		case bytecode.ExprSub:
			push(a - b)
		case bytecode.ExprMul:
			push(a * b)
		case bytecode.ExprDiv:
			if b == 0 {
				a, b = 0, 1
			}
			push(a / b)
		case bytecode.ExprMod:
			if b == 0 {
				a, b = 0, 1
			}
			push(a % b)
		case bytecode.ExprAnd:
			push(a & b)
		case bytecode.ExprXor:
			push(a ^ b)
		case bytecode.ExprShl:
			push(a << (uint64(b) & 63))
		case bytecode.ExprShr:
			push(int64(uint64(a) >> (uint64(b) & 63)))
		case bytecode.ExprEq:
			truth(a == b)
		case bytecode.ExprNe:
			truth(a != b)
		case bytecode.ExprLt:
			truth(a < b)
		case bytecode.ExprLe:
			truth(a <= b)
		case bytecode.ExprGt:
			truth(a > b)
		case bytecode.ExprGe:
			truth(a >= b)
		case bytecode.ExprBoth:
			truth(a != 0 && b != 0)
		case bytecode.ExprEither:
			truth(a != 0 || b != 0)
		case bytecode.ExprMin:
			push(min(a, b))
		case bytecode.ExprMax:
			push(max(a, b))
		}
	}
	if watch != nil {
		watch.step(expr, len(expr), stack[:n])
	}
	return stack[0], true
}

// cell computes what an expression asks of a cell.
func (s *scope) cell(e bytecode.ExprInstr, v Value) int64 {
	yes := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch e.Op {
	case bytecode.ExprCount:
		switch v.kind {
		case List, Map, Packed:
			return int64(v.n)
		}
	case bytecode.ExprLen:
		if v.kind == Text {
			return int64(v.n) + yes(s.m.p.Encodings[e.Arg2].NUL == bytecode.NULCounted)
		}
	case bytecode.ExprArm:
		if v.kind == None {
			return 0
		}
		if a, ok := s.m.arm(e.Arg2, v.tag); ok {
			return int64(a.ID)
		}
		return -1
	case bytecode.ExprPresent:
		return yes(v.kind != None)
	case bytecode.ExprValue:
		if v.kind == Float {
			return int64(v.Float())
		}
		if v.kind <= Float {
			return int64(v.u)
		}
	case bytecode.ExprOutside:
		return yes(outside(v, bytecode.Scalar(e.Arg2)))
	case bytecode.ExprWide:
		return yes(v.Wide())
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
