// Rows of several forms: a number selects the form of the row behind it. A writer selects once, and knows in each
// case what the number is.

package golang

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// numberCase is a case of a number: the condition, what the number is, and what is written behind it.
type numberCase struct {
	ids    builtin.Ranges // numbers that it holds for
	cond   string         // the condition of the first of two cases, if it is about no number
	number offset
	then   []*model.Stmt
}

// offset is a constant, or the number that cases are about and a constant.
type offset struct {
	of    bool
	plus  int64
	known bool
}

// writeForms prints the writing of a number that begins a block and of the choice behind it by cases. It reports
// whether the number has cases that decide the choice.
func (p *emitter) writeForms(block []*model.Stmt, uses map[int]bool) bool {
	g := p.g
	if len(block) < 2 || p.ahead() > 0 {
		return false
	}
	s, choice := block[0], block[1]
	if s.Op != model.OpWord && s.Op != model.OpHeader || s.Place >= 0 || s.Coding != builtin.Fixed || s.Scalar.Signed() || s.Scalar.IsFloat() || s.Scalar.Odd() || choice.Op != model.OpIf {
		return false
	}
	of, forms := g.forms(s)
	for i := range forms {
		f := &forms[i]
		set := f.set()
		if outside := set.Without(holding(s.Scalar)); len(set) == 0 || len(outside) > 0 {
			return false
		}
		then, ok := g.decided(choice, s.Reg, set)
		if !ok {
			return false
		}
		f.then = then
	}
	if len(forms) < 2 {
		return false
	}
	p.printForms(s, of, forms, uses)
	return true
}

// forms returns the number of which a statement writes a case, and the cases. It returns no cases if its
// expression is not a sum of terms with conditions about one number.
func (g *generator) forms(s *model.Stmt) (of string, all []numberCase) {
	e := s.Expr
	if e.Op == model.ExprFit {
		e = e.Args[0]
	}
	if hasFit(e) {
		return "", nil
	}
	all = []numberCase{{ids: builtin.Integers(math.MinInt64, math.MaxInt64)}}
	var terms []*model.Expr // of each case
	values := [][]*model.Expr{nil}
	for e.Op == builtin.Add {
		t := e.Args[1]
		if t.Op == model.ExprSelect && t.Args[0].Op == model.ExprExact {
			t = t.Args[2] // widths are not kept
		}
		if !t.Bool() && !(t.Op == builtin.Mul && t.Args[0].Bool()) {
			break
		}
		terms, e = append(terms, t), e.Args[0]
	}
	for _, t := range terms {
		cond, value := t, (*model.Expr)(nil)
		if !t.Bool() {
			cond, value = t.Args[0], t.Args[1]
		}
		x, ids, ok := g.holdsFor(cond)
		if !ok && len(terms) == 1 && (value == nil || value.Op == builtin.Num) {
			other := g.sumOf(e, "")
			one := offset{plus: 1, known: true}
			if value != nil {
				one = g.sumOf(value, "")
			}
			return "", []numberCase{{cond: g.cond(cond, "w"), number: other.add(one, 1)}, {number: other}}
		}
		if !ok || of != "" && of != x || len(all) > 16 {
			return "", nil
		}
		of = x
		var split []numberCase
		var given [][]*model.Expr
		for i, f := range all {
			without := f.ids.Without(ids)
			if with := f.ids.Without(without); len(with) > 0 {
				split, given = append(split, numberCase{ids: with}), append(given, append(slices.Clone(values[i]), value))
			}
			if len(without) > 0 {
				split, given = append(split, numberCase{ids: without}), append(given, values[i])
			}
		}
		all, values = split, given
	}
	if len(terms) == 0 || strings.Contains(of, "\n") {
		return "", nil
	}
	var out []numberCase
	for i, f := range all {
		if strings.HasPrefix(of, "int64(len(") {
			f.ids = f.ids.Without(builtin.Integers(math.MinInt64, -1))
		}
		if len(f.ids) == 0 {
			continue
		}
		f.number = g.sumOf(e, of)
		for _, v := range values[i] {
			one := offset{plus: 1, known: true}
			if v != nil {
				one = g.sumOf(v, of)
			}
			f.number = f.number.add(one, 1)
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b numberCase) int {
		return cmp.Compare(int64(a.ids.Signed()[0].Lo), int64(b.ids.Signed()[0].Lo))
	})
	return of, out
}

// sumOf returns what an expression is, if it is a constant or adds one to a number.
func (g *generator) sumOf(e *model.Expr, of string) offset {
	switch e.Op {
	case builtin.Num:
		return offset{plus: e.Num, known: true}
	case builtin.Add, builtin.Sub:
		by := int64(1)
		if e.Op == builtin.Sub {
			by = -1
		}
		return g.sumOf(e.Args[0], of).add(g.sumOf(e.Args[1], of), by)
	case builtin.Ref:
		if x, ok := g.sums[e.Reg]; ok {
			return x
		}
	}
	return offset{of: true, known: g.number(e, "w") == of}
}

// add returns a sum and another one, or less another one if by is negative.
func (x offset) add(y offset, by int64) offset {
	const most = 1 << 40
	ok := x.known && y.known && !(x.of && y.of) && !(y.of && by < 0) && x.plus < most && x.plus > -most && y.plus < most && y.plus > -most
	return offset{of: x.of || y.of, plus: x.plus + by*y.plus, known: ok}
}

// set returns the numbers that a case writes, or nil if they are not known.
func (f *numberCase) set() builtin.Ranges {
	if !f.number.known {
		return nil
	}
	if !f.number.of {
		return builtin.Integers(f.number.plus, f.number.plus)
	}
	ids := f.ids.Signed()
	lo, hi := int64(ids[0].Lo), int64(ids[0].Hi)
	if len(ids) > 1 || lo < -1<<40 || hi > 1<<40 {
		return nil
	}
	return builtin.Integers(lo+f.number.plus, hi+f.number.plus)
}

// holding returns the numbers that a scalar holds.
func holding(s builtin.Scalar) builtin.Ranges {
	bits := 8 * s.Width()
	switch {
	case bits == 64:
		return builtin.Integers(math.MinInt64, math.MaxInt64)
	case s.Signed():
		return builtin.Integers(-1<<(bits-1), 1<<(bits-1)-1)
	}
	return builtin.Integers(0, 1<<bits-1)
}

// decided returns the statements of a choice that are run for some numbers in a register. It is not ok if it depends
// on the number, or on anything else.
func (g *generator) decided(s *model.Stmt, reg int, numbers builtin.Ranges) (then []*model.Stmt, ok bool) {
	for {
		of, ids, ok := g.holdsFor(s.Expr)
		if !ok || of != fmt.Sprintf("r%d", reg) {
			return nil, false
		}
		switch out := numbers.Without(ids); {
		case len(out) == 0:
			return s.Then, true
		case !slices.Equal(out, numbers):
			return nil, false
		case len(s.Else) != 1 || s.Else[0].Op != model.OpIf:
			return s.Else, true
		}
		s = s.Else[0]
	}
}

// printForms prints the cases of a number.
func (p *emitter) printForms(s *model.Stmt, of string, forms []numberCase, uses map[int]bool) {
	g := p.g
	sums, bounds := g.sums, g.bounds
	next := true // each case begins where the one before ends
	for i := range forms {
		ids := forms[i].ids.Signed()
		next = next && len(ids) == 1 && (i == 0 || ids[0].Lo == forms[i-1].ids.Signed()[0].Hi+1)
	}
	if of != "" {
		p.f("switch n := %s; {\n", typedNumber(of))
	}
	var held []map[int]string
	for i, f := range forms {
		switch {
		case f.cond != "":
			p.f("if %s {\n", f.cond)
		case of == "":
			p.f("} else {\n")
		case i == len(forms)-1:
			p.f("default:\n")
		case next:
			p.f("case n <= %d:\n", int64(f.ids.Signed()[0].Hi))
		default:
			p.f("case %s:\n", among(f.ids))
		}
		begin := p.Len()
		x := fmt.Sprint(f.number.plus)
		if f.number.of {
			x = strings.TrimSuffix(strings.Replace(fmt.Sprintf("n + %d", f.number.plus), "+ -", "- ", 1), " + 0")
		}
		g.sums, g.bounds, g.regs = maps.Clone(sums), map[string]builtin.Ranges{of: f.ids}, map[int]string{}
		if g.sums == nil {
			g.sums = map[int]offset{}
		}
		g.sums[s.Reg], g.of = f.number, of
		p.room(append([]*model.Stmt{s}, f.then...))
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, x)
		}
		p.put(s.Scalar, s.Swapped, x)
		p.writeBlock(f.then, uses, false)
		held = append(held, g.regs)
		p.replace(begin, func(text string) string {
			for reg, x := range g.regs {
				if x == of && of != "" {
					text = inPlaceOf(fmt.Sprintf("r%d", reg), "n", text)
				}
			}
			return text
		})
	}
	p.f("}\n")
	g.sums, g.bounds, g.regs = sums, bounds, nil
	for reg, x := range held[0] {
		if !slices.ContainsFunc(held, func(h map[int]string) bool { return h[reg] != x }) {
			g.values[reg] = x
		}
	}
}
