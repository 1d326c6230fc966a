// Operands: each index is in its table, and each expression uses registers that are set.

package bytecode

import (
	"github.com/octable/octable/dsl/builtin"
)

// exprs checks that expressions are trees of operations with their operands.
func (v *verifier) exprs() error {
	for i, e := range v.p.Exprs {
		steps := 0
		var check func(e *Expr, depth int) error
		check = func(e *Expr, depth int) error {
			if e == nil {
				return v.fail(-1, "expression %d lacks an operation", i)
			}
			if e.Op >= numExprOps {
				return v.fail(-1, "expression %d has operation %d, which does not exist", i, e.Op)
			}
			if steps++; steps > MaxSteps {
				return v.fail(-1, "expression %d has more than %d operations", i, MaxSteps)
			}
			if depth > MaxExprDepth {
				return v.fail(-1, "expression %d is nested more than %d deep", i, MaxExprDepth)
			}
			if len(e.Args) != e.Op.Takes() {
				return v.fail(-1, "expression %d has %d operands for %s; it takes %d", i, len(e.Args), e.Op, e.Op.Takes())
			}
			kinds := e.Op.operands()
			if kinds[0] == NoOperand && e.Arg != 0 || kinds[1] == NoOperand && e.Arg2 != 0 {
				return v.fail(-1, "expression %d has an argument for %s, which has none", i, e.Op)
			}
			if e.Op == ExprFit && (e.Arg < 1 || e.Arg > 64) {
				return v.fail(-1, "expression %d is to fit %d bits; at least 1 and at most 64 are allowed", i, e.Arg)
			}
			for _, x := range e.Args {
				if err := check(x, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		if err := check(e, 1); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) union(routine uint32) bool {
	if uint64(routine) >= uint64(len(v.p.Routines)) {
		return false
	}
	op := v.p.Code[v.p.Routines[routine].Start].Op
	return op == Union || op == Switch
}

func (v *verifier) operand(pc int, kind Operand, x uint32, r *Routine, cells uint32) error {
	p := v.p
	limit := uint64(1) << 32
	what := ""
	switch kind {
	case NoOperand:
		limit, what = 1, "operand"
	case OpReg:
		limit, what = uint64(r.Regs), "register"
	case OpRegOpt:
		if x == None {
			return nil
		}
		limit, what = uint64(r.Regs), "register"
	case OpCell:
		limit, what = uint64(cells), "cell"
	case OpExpr, OpExprOpt:
		if kind == OpExprOpt && x == None {
			return nil
		}
		return v.expr(pc, x, int(r.Regs), int(cells))
	case OpScalar:
		return v.scalar(pc, x)
	case OpWidth:
		return v.scalar(pc, x&^FlagWide)
	case OpLaneCount:
		if x == 0 || x > builtin.MaxWidth {
			return v.fail(pc, "%d numbers in a tuple; at least 1 and at most %d are allowed", x, builtin.MaxWidth)
		}
	case OpCount:
		limit, what = uint64(r.Cells)+1, "number of cells"
	case OpType:
		limit, what = uint64(len(p.Types)), "type"
	case OpRoutine:
		limit, what = uint64(len(p.Routines)), "routine"
	case OpTable, OpTableArm: // checked with the blocks
	case OpFill:
		limit, what = 2*FillAny, "fill"
	case OpString:
		limit, what = uint64(len(p.Strings)), "text"
	case OpEncoding, OpEncodingOpt:
		if kind == OpEncodingOpt && x == None {
			return nil
		}
		limit, what = uint64(len(p.Encodings)), "encoding"
	case OpArgs:
		limit, what = uint64(len(p.Args)), "argument list"
	case OpGate:
		limit, what = uint64(len(p.Gates)), "gate"
	case OpFlags:
		limit, what = 256, "flags"
	case OpSum:
		limit, what = uint64(builtin.NumChecksums), "checksum"
	case OpPassed:
		if x == 0 {
			return v.fail(pc, "pass gives no registers")
		}
	case OpSpare:
		if x < 1 || x > builtin.MaxSpare {
			return v.fail(pc, "%d bytes are left at the end of a list; at least 1 and at most %d are allowed", x, builtin.MaxSpare)
		}
	case OpAlignOpt:
		if x < 1 || x > 4096 {
			return v.fail(pc, "alignment %d; at least 1 and at most 4096 are allowed", x)
		}
	case OpAlign:
		if x < 2 || x > 4096 {
			return v.fail(pc, "alignment %d; at least 2 and at most 4096 are allowed", x)
		}
	case OpBack:
		if x > MaxBack {
			return v.fail(pc, "the row of an error begins %d bytes before the cursor; at most %d are allowed", x, MaxBack)
		}
	}
	if uint64(x) >= limit {
		return v.fail(pc, "%s %d does not exist", what, x)
	}
	return nil
}

// scalar checks an operand that is a scalar. A coding has the scalar of its numbers and no
// order of bytes, and only words, their patches and single numbers have one.
func (v *verifier) scalar(pc int, x uint32) error {
	s, c, op := Scalar(x&0xff), codingOf(x), v.p.Code[pc].Op
	switch {
	case !s.Valid() || !c.Valid() || x&FlagOrdered != 0 && op != Union && op != Header:
		return v.fail(pc, "scalar %d does not exist", x)
	case x&FlagOrdered != 0 && x&FlagSwapped != 0:
		return v.fail(pc, "the order of the word of a union is fixed and chosen")
	case c == builtin.Fixed && x&FlagLonger != 0:
		return v.fail(pc, "%s has one width, so a reader cannot accept another", s)
	case c != builtin.Fixed && (s != c.Scalar() || x&FlagSwapped != 0):
		return v.fail(pc, "%s is not a number of %s", s, c)
	case c != builtin.Fixed && op != Word && op != Patch && op != Scalars && op != Note && op != Settle:
		return v.fail(pc, "%s takes numbers without a coding, not %s", op, c)
	}
	return nil
}

// expr checks what an expression refers to, for a record with some registers and
// cells.
func (v *verifier) expr(pc int, index uint32, regs, cells int) error {
	p := v.p
	if uint64(index) >= uint64(len(p.Exprs)) {
		return v.fail(pc, "expression %d does not exist", index)
	}
	bad := false
	p.Exprs[index].Walk(func(e *Expr) {
		switch {
		case e.Op == ExprReg:
			bad = bad || e.Arg < 0 || e.Arg >= int64(regs)
		case e.Op == ExprClosed:
			bad = bad || e.Arg < 0 || e.Arg >= int64(len(p.Gates))
		case e.Op.NeedsCells():
			bad = bad || e.Arg < 0 || e.Arg >= int64(cells)
		}
		switch e.Op {
		case ExprLen:
			bad = bad || uint64(e.Arg2) >= uint64(len(p.Encodings))
		case ExprEquals:
			bad = bad || uint64(e.Arg2) >= uint64(len(p.Strings))
		case ExprOutside:
			bad = bad || e.Arg2 > 255 || !Scalar(e.Arg2).Valid()
		case ExprArm:
			bad = bad || !v.union(e.Arg2)
		case ExprMember:
			bad = bad || e.Arg2 >= MaxCells
		}
	})
	if bad {
		return v.fail(pc, "expression %d refers to something that does not exist", index)
	}
	return nil
}
