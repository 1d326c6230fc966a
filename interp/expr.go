// Expressions, for both directions.

package interp

import (
	"github.com/octable/octable/compile/bytecode"
)

// scope holds the inputs of an expression.
type scope struct {
	m      *Machine
	regs   []uint64
	cells  []Value // when writing
	open   uint8
	exact  bool
	misfit bool     // some number did not fit the bits it is written in
	reader *reading // when reading, else nil
}

// eval computes an expression. The second result is false if a number does not fit
// the bits it is written in; the first is 0 then.
func (s *scope) eval(index uint32) (int64, bool) { return s.run(s.m.p.Exprs[index]) }

func (s *scope) run(e *bytecode.Expr) (x int64, ok bool) {
	x = s.value(e)
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

// apply computes a node from the values of its operands.
func (s *scope) apply(e *bytecode.Expr, a, b, c int64) int64 {
	switch e.Op {
	case bytecode.ExprNum:
		return e.Arg
	case bytecode.ExprReg:
		return int64(s.regs[e.Arg])
	case bytecode.ExprExact:
		return truth(s.exact)
	case bytecode.ExprClosed:
		return truth(s.open>>uint(e.Arg)&1 == 0)
	case bytecode.ExprFit:
		if uint64(a)>>uint(e.Arg) != 0 {
			s.misfit = true
		}
		return a
	}
	if e.Op == bytecode.ExprLeft {
		if s.reader == nil {
			return 0
		}
		return int64(s.reader.end - s.reader.pos)
	}
	if e.Op == bytecode.ExprMore && s.reader != nil {
		return truth(s.reader.pos < s.reader.end)
	}
	if !e.Op.NeedsCells() {
		return e.Op.Compute(a, b, c)
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
		return elementCount(v)
	case bytecode.ExprLen:
		return encodedLen(&s.m.p.Encodings[e.Arg2], v)
	case bytecode.ExprTotal:
		return totalOf(v)
	case bytecode.ExprLast:
		return lastOf(v)
	case bytecode.ExprEquals:
		return truth(isText(v, s.m.p.Strings[e.Arg2]))
	case bytecode.ExprArm:
		if v.kind == None {
			return 0
		}
		if i, ok := s.m.arm(e.Arg2, v.tag); ok {
			return int64(s.m.tables[e.Arg2].Arms[i].ID)
		}
		return none
	case bytecode.ExprPresent, bytecode.ExprMore:
		return truth(v.kind != None)
	case bytecode.ExprValue:
		return number(v)
	case bytecode.ExprOutside:
		if s.exact && v.Scalar() == bytecode.Scalar(e.Arg2) {
			return 0 // also a NaN, which its own form holds
		}
		return truth(outside(v, bytecode.Scalar(e.Arg2)))
	case bytecode.ExprWide:
		return truth(v.Wide())
	}
	return memberOf(v, int(e.Arg2))
}

// memberOf returns the number in a place of a record or a tuple, or 0.
func memberOf(v Value, i int) int64 {
	switch {
	case v.kind == Record && i < int(v.n):
		return number(v.Cells()[i])
	case v.kind == Lanes && i < int(v.n):
		return signExtended(v.Scalar(), v.bits(i))
	}
	return 0 // unreachable: the compiler looks behind the row, which has refused any other value
}

// elementCount returns the number of elements or pairs of a value, and 0 for other kinds.
func elementCount(v Value) int64 {
	switch v.kind {
	case List, Map, Packed:
		return int64(v.n)
	}
	return 0
}

// isText reports whether a value is a text.
func isText(v Value, text string) bool { return v.kind == Text && v.Text() == text }

// totalOf returns the sum of the integers of an array, and 0 for other values.
func totalOf(v Value) (sum int64) {
	if !isIntegers(v) {
		return 0
	}
	if v.Scalar() == bytecode.U8 {
		for _, x := range v.Bytes() {
			sum += int64(x)
		}
		return sum
	}
	for i := range int(v.n) {
		sum += signExtended(v.Scalar(), v.bits(i))
	}
	return sum
}

// lastOf returns the last integer of an array, and 0 for other values.
func lastOf(v Value) int64 {
	if !isIntegers(v) || v.n == 0 {
		return 0
	}
	return signExtended(v.Scalar(), v.bits(int(v.n)-1))
}

// isIntegers reports whether a value is an array of integers.
func isIntegers(v Value) bool {
	return v.kind == Packed && v.Width() == 1 && !v.Scalar().IsFloat()
}

// textLen returns the bytes that a text takes, and 0 for other kinds.
func textLen(enc *bytecode.Encoding, v Value) int64 {
	if v.kind == Text {
		return int64(v.n) + truth(enc.NUL == bytecode.NULCounted)
	}
	return 0
}

// number returns a value as a number: 0 if it is not one, or is a float beyond 64 bits.
func number(v Value) int64 {
	switch {
	case v.kind == Float:
		if f := v.Float(); f >= -1<<63 && f < 1<<63 {
			return int64(f)
		}
	case v.kind < Float:
		return int64(v.u)
	}
	return 0
}
