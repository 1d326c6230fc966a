// Expressions that are lines of one number: words that depend on a length, and comparisons.

package bytecode

import (
	"math"
	"slices"
)

// Line gives an expression for the numbers after the last one of the line before, up to the last one.
type Line struct {
	Last        int64
	Slope, Base int64
}

// Lines are the lines of an expression, for all numbers.
type Lines []Line

// At returns what the expression is for a number.
func (l Lines) At(x int64) int64 {
	for i := range l {
		if x <= l[i].Last {
			return x*l[i].Slope + l[i].Base
		}
	}
	return 0
}

// Lines returns the lines of an expression that looks at one number. The number is a register or one of a cell, such as
// the header word that depends on a length. The lines are between the numbers that it is compared with. It returns nil
// for others.
func (e *Expr) Lines() (lines Lines, leaf *Expr) {
	var ends []int64
	if d := degree(e, &leaf, &ends); d == bent || leaf == nil || len(ends) == 0 || len(ends) > 32 {
		return nil, nil
	}
	slices.Sort(ends)
	ends = append(slices.Compact(ends), math.MaxInt64)
	at := func(x int64) int64 {
		n, _ := e.Fold(func(*Expr) (int64, bool) { return x, true })
		return n
	}
	first := int64(math.MinInt64)
	for _, last := range slices.Compact(ends) {
		s := Line{Last: last}
		if first < last {
			s.Slope = at(first+1) - at(first)
		}
		s.Base = at(first) - s.Slope*first
		if n := len(lines); n > 0 && lines[n-1].Slope == s.Slope && lines[n-1].Base == s.Base {
			lines[n-1].Last = last
		} else {
			lines = append(lines, s)
		}
		first = last + 1
	}
	return lines, leaf
}

// bent is the degree of an expression that is no line between numbers.
const bent = -1

// degree returns 0 for an expression that is constant between some numbers of its one leaf. It returns 1 for one that
// is a line, and bent for others. It appends the last number of each part.
func degree(e *Expr, leaf **Expr, ends *[]int64) int {
	switch e.Op {
	case ExprNum:
		return 0
	case ExprValue, ExprCount, ExprLen, ExprReg:
		if *leaf != nil && !e.Equal(*leaf) {
			return bent
		}
		*leaf = e
		return 1
	case ExprNot:
		if degree(e.Args[0], leaf, ends) != 0 {
			return bent
		}
		return 0
	}
	if len(e.Args) != 2 {
		return bent
	}
	a, b := degree(e.Args[0], leaf, ends), degree(e.Args[1], leaf, ends)
	n, constant := e.Args[1].Constant()
	switch {
	case a == bent || b == bent:
		return bent
	case e.Op == ExprAdd || e.Op == ExprSub:
		return max(a, b)
	case e.Op == ExprMul && a+b <= 1:
		return a + b
	case (e.Op == ExprBoth || e.Op == ExprEither) && a+b == 0:
		return 0
	case !constant || a == 1 && e.Args[0] != *leaf && !e.Args[0].Equal(*leaf):
		return bent
	}
	if n == math.MinInt64 || n == math.MaxInt64 {
		return bent
	}
	switch e.Op {
	case ExprEq, ExprNe:
		*ends = append(*ends, n-1, n)
	case ExprLt, ExprGe:
		*ends = append(*ends, n-1)
	case ExprLe, ExprGt:
		*ends = append(*ends, n)
	default:
		return bent
	}
	return 0
}
