// Checks of numbers in a run of one record, which are part of the row of the run.

package interp

import (
	"math"
	"slices"

	"github.com/octable/octable/compile/bytecode"
)

// fillCheck is bits of a run whose number must be in a range. If it has up to eight bits, it must be in a set, too.
type fillCheck struct {
	fill
	least uint64 // signed numbers may be compared as unsigned ones, from the least one on
	span  uint64 // the greatest one less the least one
	set   *numberSet
}

// numberSet is a set of numbers of eight bits.
type numberSet [4]uint64

// holds reports whether a number passes the check.
func (c *fillCheck) holds(x uint64) bool {
	return x-c.least <= c.span && (c.set == nil || c.set[x>>6&3]>>(x&63)&1 != 0)
}

// checked reports whether there is a check.
func (r *fills) checked() bool {
	return len(r.checks) > 0 || r.other != nil && r.other.checked()
}

// checkRun makes a check of the record a part of the run that has its number. It reports false if it needs a row.
func (c *planner) checkRun(out *readSteps, list []bytecode.Step, i int) bool {
	e := c.m.p.Exprs[list[i].A]
	if reg, ok := oneRegister(e); ok && c.checkFill(out, e, reg) {
		return true
	}
	reg, size := c.sizeBefore(list, i)
	if size == nil || e.Any(func(x *bytecode.Expr) bool { return x.Op == bytecode.ExprReg && uint32(x.Arg) != reg }) {
		return false
	}
	from, ok := oneRegister(size)
	return ok && c.checkFill(out, substituted(e, reg, size), from)
}

// substituted returns an expression with another one in place of a register.
func substituted(e *bytecode.Expr, reg uint32, by *bytecode.Expr) *bytecode.Expr {
	if e.Op == bytecode.ExprReg && uint32(e.Arg) == reg {
		return by
	}
	x := *e
	x.Args = slices.Clone(e.Args)
	for i, arg := range e.Args {
		x.Args[i] = substituted(arg, reg, by)
	}
	return &x
}

// oneRegister returns the register that an expression consists of, besides numbers and operations on them.
func oneRegister(e *bytecode.Expr) (reg uint32, ok bool) {
	reg, ok = e.Subject()
	return reg, ok && !e.Any(func(x *bytecode.Expr) bool {
		return x.Op.Takes() == 0 && x.Op != bytecode.ExprNum && x.Op != bytecode.ExprReg || x.Op == bytecode.ExprFit
	})
}

// checkFill makes a condition on a register a part of the run that gives it its number. It reports false if none does, or
// if the condition is neither a range nor on a number of up to eight bits.
func (c *planner) checkFill(out *readSteps, e *bytecode.Expr, reg uint32) bool {
	if c.once[reg] != 1 {
		return false
	}
	for i := len(out.rows) - 1; i >= 0; i-- {
		if out.rows[i].op != rowRun {
			continue
		}
		for r := &out.rows[i].fills; r != nil; r = r.other {
			k := slices.IndexFunc(r.regs, func(f fill) bool { return f.to == reg })
			if k < 0 {
				continue
			}
			check := fillCheck{fill: r.regs[k], span: math.MaxUint64}
			if width := 64 - check.right; width <= 8 {
				check.set = setOf(e, 1<<width)
			} else if least, most, ok := rangeOf(e); ok {
				check.least, check.span = uint64(least), uint64(most)-uint64(least)
			} else {
				return false
			}
			r.checks = append(r.checks, check)
			return true
		}
	}
	return false
}

// setOf returns the numbers below n for which a condition on one register holds.
func setOf(e *bytecode.Expr, n int) *numberSet {
	var s numberSet
	for x := range n {
		if holds, ok := e.Fold(func(*bytecode.Expr) (int64, bool) { return int64(x), true }); ok && holds != 0 {
			s[x>>6] |= 1 << (x & 63)
		}
	}
	return &s
}

// rangeOf returns the range of numbers for which a condition on one register holds. It is not ok if they are not known to
// be a range.
func rangeOf(e *bytecode.Expr) (least, most int64, ok bool) {
	if e.Op == bytecode.ExprBoth {
		a, b, ok := rangeOf(e.Args[0])
		c, d, ok2 := rangeOf(e.Args[1])
		least, most = max(a, c), min(b, d)
		return least, most, ok && ok2 && least <= most
	}
	if len(e.Args) != 2 || e.Args[0].Op != bytecode.ExprReg {
		return 0, 0, false
	}
	n, ok := e.Args[1].Constant()
	if !ok {
		return 0, 0, false
	}
	switch e.Op {
	case bytecode.ExprEq:
		return n, n, true
	case bytecode.ExprLe:
		return math.MinInt64, n, true
	case bytecode.ExprGe:
		return n, math.MaxInt64, true
	}
	return 0, 0, false
}
