// Writing, instruction by instruction: the other direction of read.go.

package golang

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// writers prints the functions that write.
func (g *generator) writers() string {
	p := &emitter{g: g}
	p.f("// Writing: one function for each record and each arm of a union.\n\npackage octable\n\n")
	for _, r := range g.m.Routines {
		if r.Union == nil {
			p.f("// write%s writes %s.\n", g.routine[r], what(r.Type, r))
			p.writeSignature("write"+g.routine[r], r, nil)
			p.writeEnter(r)
			p.writeRecord(r.Type, r.Body, r.Rule, r)
			p.f("}\n\n")
			if g.typed {
				p.writePlain(r)
			}
			continue
		}
		p.writeUnion(r)
		for _, a := range r.Union.Arms {
			p.f("// write%s writes %s, and the number of its arm if the number is before it.\n", g.arm[a], what(a.Type, r))
			p.writeSignature("write"+g.arm[a], r, a)
			p.writeRecord(a.Type, a.Body, a.Rule, nil)
			p.f("}\n\n")
		}
	}
	for _, r := range g.armNumbers() {
		if g.typed {
			p.typedNumbers(r)
			continue
		}
		p.f("// number%s returns the number of a value's type in %s: 0 for no value, -1 for\n// one of another kind.\n", g.routine[r], r.Name)
		p.f("func number%s(v Value) int64 {\nif v.kind == KindNone {\nreturn 0\n}\nswitch v.tag {\n", g.routine[r])
		for _, a := range r.Union.Arms {
			p.f("case %s: return %d\n", g.typeConst[a.Type], int64(a.ID))
		}
		p.f("}\nreturn -1\n}\n\n")
	}
	for _, r := range g.m.ReplacedUnions() {
		if g.typed {
			p.typedSubst(r)
		} else {
			p.subst(r)
		}
	}
	if g.helpers["divide"] {
		p.f("// quotient divides; by 0 it gives 0.\nfunc quotient(a, b int64) int64 {\nif b == 0 {\nreturn 0\n}\nreturn a / b\n}\n\n")
		p.f("// remainder is what dividing leaves; by 0 it gives 0.\nfunc remainder(a, b int64) int64 {\nif b == 0 {\nreturn 0\n}\nreturn a %% b\n}\n\n")
	}
	if g.helpers["pick"] {
		p.f("// pick returns a where the condition holds, else b.\nfunc pick(c bool, a, b int64) int64 {\nif c {\nreturn a\n}\nreturn b\n}\n\n")
	}
	return p.String()
}

// writeSignature prints the beginning of a function that writes a value. In typed packages it takes the output
// and returns it with what it has appended, so that the output is in registers.
func (p *emitter) writeSignature(name string, r *model.Routine, a *model.Arm) {
	value, result := "v Value", "bool"
	if p.g.typed {
		value, result = "out []byte, x *"+p.g.paramType(r, a), "(_ []byte, ok bool)"
	}
	if params := writeParams(r, a, true); params != "" {
		value += ", " + params
	}
	p.f("func (w *writer) %s(%s) %s {\n", name, value, result)
}

// writeParams returns the arguments that a function takes beside the value.
func writeParams(r *model.Routine, a *model.Arm, declare bool) string {
	var out []string
	uses := map[int]bool{}
	if a != nil {
		uses = model.Uses(a.Body, true)
	}
	for i := range r.Args {
		if a == nil || uses[i] {
			out = append(out, fmt.Sprintf("r%d", i))
		}
	}
	s := strings.Join(out, ", ")
	if declare && s != "" {
		s += " int64"
	}
	return s
}

// listedAfter puts arguments behind the first one.
func listedAfter(first, others string) string {
	if others == "" {
		return first
	}
	return first + ", " + others
}

// among prints the condition that n is in one of some ranges.
func among(ids builtin.Ranges) string {
	return model.Among(ids.Signed(), func(id uint64) string { return fmt.Sprintf("n == %d", int64(id)) },
		func(lo, hi uint64) string { return fmt.Sprintf("n >= %d && n <= %d", int64(lo), int64(hi)) }, " || ")
}

// armNumbers returns the unions whose arms' numbers are written.
func (g *generator) armNumbers() []*model.Routine {
	var out []*model.Routine
	add := func(r *model.Routine) {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	expr := func(e *model.Expr) {
		e.Walk(func(x *model.Expr) {
			if x.Op == builtin.Arm {
				add(g.m.Routines[x.Routine])
			}
		})
	}
	g.m.Each(func(_ *model.Routine, t *model.Type, body []*model.Stmt) {
		for _, w := range t.Writes {
			expr(w.When)
		}
		model.Walk(body, func(s *model.Stmt) {
			s.Exprs(true, expr)
			if s.Op == model.OpArmRef {
				add(s.Elem)
			}
		})
	})
	return out
}

// writeEnter counts a routine that is entered.
func (p *emitter) writeEnter(r *model.Routine) {
	if r.Nests {
		p.f("if w.depth > w.limit {\n%s}\n", p.refuse("tooDeep(%d)", r.Rule))
	}
	if p.g.m.CountCalls {
		p.f("if w.calls >= maxNest(w.limit) {\n%s}\nw.calls++\n", p.refuse("tooManyCalls(%d)", r.Rule))
	}
	if r.Nests {
		p.f("w.depth++\n")
	}
}

func (p *emitter) writeLeave(r *model.Routine) {
	if r == nil {
		return
	}
	if r.Nests {
		p.f("w.depth--\n")
	}
	if p.g.m.CountCalls {
		p.f("w.calls--\n")
	}
}

func (p *emitter) writeUnion(r *model.Routine) {
	g := p.g
	name := "write" + g.routine[r]
	if g.fast != nil && r == g.m.Root {
		name = "all" + g.routine[r]
		p.f("// write%s writes %s: by the loop, unless it has failed.\n", g.routine[r], article(r.Name))
		p.f("func (w *writer) write%s(v Value) bool {\nif w.exact {\nreturn w.%s(v)\n}\n", g.routine[r], name)
		p.f("if w.depth > w.limit {\nreturn false\n}\ncell := [1]Value{v}\nb, pos := w.fast%s(w.out[:cap(w.out)], len(w.out), cell[:], w.depth)\nif pos >= 0 {\nw.out = b[:pos]\n}\nreturn pos >= 0\n}\n\n", g.routine[r])
	}
	p.f("// %s writes %s.\n", name, article(r.Name))
	p.writeSignature(name, r, nil)
	p.writeEnter(r)
	p.names = 0
	p.writeArms(r)
	p.f("}\n\n")
}

// writeArms prints the selection of the arm of a value, and its writing.
func (p *emitter) writeArms(r *model.Routine) {
	g, u := p.g, r.Union
	all := u.Known()
	if u.Word == builtin.NoScalar && all != nil {
		p.f("n := %s\n", g.number(u.Expr, "w"))
	}
	begin := p.Len()
	if !g.typed {
		p.f("ok := false\nswitch v.tag {\n")
	}
	for _, a := range u.Arms {
		if g.typed {
			p.f("case %s:\n", g.goType[a.Type])
		} else {
			p.f("case %s:\n", g.typeConst[a.Type])
		}
		if u.Word == builtin.NoScalar {
			other := p.refuse("fail(ErrMismatch, %d, \"the arm for number \"+strconv.FormatInt(n, 10), %q)", u.Rule, a.Type.Name)
			if a.Else {
				if len(all) > 0 {
					p.f("if %s {\n%s}\n", among(all), other)
				}
			} else if a.IDs.Several() {
				p.f("if !(%s) {\n%s}\n", among(a.IDs), other)
			} else {
				p.f("if n != %d {\n%s}\n", int64(a.ID), other)
			}
		}
		if g.typed {
			p.writeTypedArm(r, a)
		} else {
			p.f("ok = w.write%s(%s)\n", g.arm[a], listedAfter("v", writeParams(r, a, false)))
		}
	}
	if g.typed {
		p.f("default:\n%s}\n", p.refuse("foreign(%d, *x)", u.Rule))
		p.replace(begin, func(text string) string {
			if usesVariable("y", text) {
				return "switch y := (*x).(type) {\n" + text
			}
			return "switch (*x).(type) {\n" + text
		})
		p.writeLeave(r)
		if len(u.Arms) == 0 || !p.returns(r) || slices.ContainsFunc(u.Arms, isShort) { // else each case returns
			p.written()
		}
		return
	}
	p.f("default:\n%s}\n", p.refuse("foreign(%d, v)", u.Rule))
	p.writeLeave(r)
	p.f("return ok\n")
}

// writeRecord prints the writing of a record.
func (p *emitter) writeRecord(t *model.Type, body []*model.Stmt, rule int, r *model.Routine) {
	g := p.g
	if !p.inside {
		p.names = 0
	}
	if g.typed {
		body = joined(inPlace(body, zeroWords(body)))
	}
	uses := model.Uses(body, true)
	args := 0
	if r != nil {
		args = r.Args
	}
	begin := p.Len()
	p.registers(assigned(body), uses, args)
	cells := usesCells(body)
	p.cellsOf(t)
	g.known, g.values, g.sets, g.filled = map[string]bool{}, map[int]string{}, timesSet(body), map[int][]bitField{}
	g.sums, g.bounds, g.regs = nil, nil, nil
	switch n := len(t.Fields); {
	case n == 0:
	case g.typed:
		p.typedCells(t, body, rule)
	case t.Alone() != nil:
		p.f("if v.kind == KindNone {\nreturn w.mismatch(%d, v, \"a value\")\n}\n", rule)
		switch {
		case cells[0] && t.Bare():
			p.f("c0 := v\n")
		case cells[0]:
			p.f("c0 := sole(v)\n")
		}
		if t.Fields[0].Shape.Kind == model.Map {
			p.f("w.keys.merge(&c0)\n")
		}
	default:
		p.f("var cells [%d]Value\nif !w.fields(%s, v, cells[:], %d) {\nreturn false\n}\n", n, g.info(t), rule)
		for i := range n {
			if cells[i] {
				p.f("c%d := cells[%d]\n", i, i)
			}
		}
	}
	if hasPad(body) {
		p.f("last := 0\n")
	}
	p.writeBlock(body, uses, false)
	p.writeLeave(r)
	if g.typed {
		p.replace(begin, withoutUnused)
		p.written()
	} else {
		p.f("return true\n")
	}
}

// usesCells returns the cells that writing looks at.
func usesCells(body []*model.Stmt) map[int]bool {
	out := map[int]bool{}
	uses := model.Uses(body, true)
	model.Walk(body, func(s *model.Stmt) {
		switch s.Op {
		case model.OpScalars, model.OpTruth, model.OpArmRef, model.OpLanes, model.OpText, model.OpPacked,
			model.OpList, model.OpMap, model.OpRest, model.OpCall, model.OpAbsent, model.OpSubst, model.OpExpect:
			out[s.Cell] = true
		case model.OpLet, model.OpBits:
			if !uses[s.Reg] && !hasFit(s.Expr) {
				return
			}
		}
		s.Exprs(true, func(e *model.Expr) {
			e.Walk(func(x *model.Expr) {
				if x.OfCell() {
					out[x.Cell] = true
				}
			})
		})
	})
	return out
}

func hasFit(e *model.Expr) bool {
	fit := false
	e.Walk(func(x *model.Expr) { fit = fit || x.Op == model.ExprFit })
	return fit
}

func (p *emitter) writeBlock(block []*model.Stmt, uses map[int]bool, after bool) {
	known := p.g.known
	p.g.known = maps.Clone(known)
	defer func() { p.g.known = known }()
	for i := 0; i < len(block); i++ {
		s := block[i]
		padded := model.Padded(block, i, after, true)
		if p.g.typed && !padded && i+1 < len(block) && !model.Padded(block, i+1, after, true) && p.writeForms(block[i:], uses) {
			i++
			continue
		}
		if p.g.typed {
			p.room(block[i:])
		}
		at, size := "", 0
		if s.Sized(true) && s.Op != model.OpSize && padded {
			if p.g.typed {
				size = p.stored(s)
			}
			if size == 0 {
				at = p.fresh("at")
				p.f("%s := len(%s)\n", at, p.out())
			}
		}
		p.writeStmt(s, uses, padded)
		if at != "" {
			p.f("last = len(%s) - %s\n", p.out(), at)
		}
		if size > 0 { // the end of the output is behind the run that the statement is in
			p.f("last = %d\n", size)
		}
		if s.Op == model.OpSize && padded {
			p.f("last = int(r%d)\n", s.Reg)
		}
	}
}

// set prints that a register gets a number, and notes what it holds from here on if nothing else sets it.
func (p *emitter) set(reg int, x string) {
	if x != fmt.Sprintf("r%d", reg) {
		p.f("r%d = %s\n", reg, x)
	}
	if p.g.sets[reg] == 1 {
		p.g.values[reg] = x
	} else if p.g.regs != nil {
		p.g.regs[reg] = x
	}
}

// timesSet returns how many statements set each register.
func timesSet(body []*model.Stmt) map[int]int {
	times := map[int]int{}
	model.Walk(body, func(s *model.Stmt) {
		one := *s
		one.Then, one.Else = nil, nil
		for reg := range assigned([]*model.Stmt{&one}) {
			times[reg]++
		}
	})
	return times
}

// tested prints the tests that an expression can be computed.
func (p *emitter) tested(e *model.Expr, rule int) {
	if tests := p.g.fits(e, "w"); len(tests) > 0 {
		p.f("if %s {\n%s}\n", strings.Join(tests, " || "), p.refuse("unfit(%d)", rule))
	}
}

// put prints the appending of a number.
func (p *emitter) put(s builtin.Scalar, swapped bool, x string) {
	x = unsigned(s, x)
	if p.run != nil && p.run.at < p.runEnd {
		p.store(s, swapped, x)
		return
	}
	out := p.out()
	switch w := s.Width(); {
	case s == builtin.Code4:
		p.f("%[1]s = binary.LittleEndian.AppendUint32(%[1]s, uint32(%[2]s))\n", out, x)
	case swapped || s.Odd():
		p.f("%[1]s = appendScalar(%[1]s, %[2]s, uint64(%[3]s), %[4]s)\n", out, scalarConst(s), x, bigConst(swapped))
	case w == 1:
		p.f("%[1]s = append(%[1]s, byte(%[2]s))\n", out, x)
	default:
		p.f("%[1]s = order.AppendUint%[2]d(%[1]s, uint%[2]d(%[3]s))\n", out, 8*w, x)
	}
}

// unsigned prints a number that a conversion makes the bits of a scalar. Go does not convert a
// constant of another sign.
func unsigned(s builtin.Scalar, x string) string {
	if n, err := strconv.ParseInt(x, 10, 64); err == nil {
		return fmt.Sprint(uint64(n) << (64 - 8*s.Width()) >> (64 - 8*s.Width()))
	}
	return x
}

// ranged prints the test that a number fits a scalar.
func (p *emitter) ranged(e *model.Expr, x string, s builtin.Scalar, rule int) {
	if e.Fits(s) || p.g.bounded(p.g.number(e, "w"), s) {
		return
	}
	cond := fmt.Sprintf("!fits(%s, %s)", scalarConst(s), x)
	if p.g.typed && !s.Signed() {
		cond = fmt.Sprintf("%s>>%d != 0", x, 8*s.Width())
	}
	p.f("if %s {\n%s}\n", cond, p.refuse("outOfRange(%d, %s, %s)", rule, scalarConst(s), x))
}

// coded prints the bytes of a number of a coding after others. It first refuses what the digits
// do not hold.
func (p *emitter) coded(s *model.Stmt, out, x string) string {
	c := s.Coding
	if c.Base() == 0 {
		return fmt.Sprintf("appendCoded(%s, %s, %s)", out, codingConst(c), x)
	}
	if !c.Holds(math.MaxUint64) {
		p.require("inDigits(%d, %d, %s, %d)", c.Base(), c.Digits(), x, s.Rule)
	}
	return fmt.Sprintf("appendDigits(%s, %s, %s)", out, digitsArgs(c), x)
}

// writes prints the function that writes an element of a list, which gets arguments.
func (g *generator) writes(r *model.Routine, args []*model.Expr) string {
	if len(args) == 0 {
		return "(*writer).write" + g.routine[r]
	}
	return fmt.Sprintf("func(w *writer, v Value) bool { return w.write%s(%s) }", g.routine[r], g.arguments(args, "w", "v"))
}

// out is the variable with the output: the writer's, or in typed packages that of the function.
func (p *emitter) out() string {
	if p.g.typed {
		return "out"
	}
	return "w.out"
}

// refuse prints the return after a method of the writer, which refuses the value.
func (p *emitter) refuse(call string, args ...any) string {
	call = fmt.Sprintf(call, args...)
	if p.g.typed {
		return p.refuseTyped("w.at(" + p.placed() + ")." + call)
	}
	return "return w." + call + "\n"
}

// lost prints the return after a call that has failed, whose error gets a step.
func (p *emitter) lost(call string, args ...any) string {
	call = "w." + fmt.Sprintf(call, args...)
	if p.g.typed {
		return p.refuseTyped(call)
	}
	return "return " + call + "\n"
}

// do prints a call of a method of the writer that refuses nothing.
func (p *emitter) do(call string, args ...any) {
	w := "w."
	if p.g.typed {
		w = "w.at(out)."
	}
	p.f(w+call+"\n", args...)
}

// require prints a call of a method of the writer that may refuse the value, and writes nothing.
func (p *emitter) require(call string, args ...any) {
	call = fmt.Sprintf(call, args...)
	if p.g.typed {
		p.f("if !w.at(out).%s {\n%s}\n", call, p.refuseTyped(""))
		return
	}
	p.f("if !w.%s {\nreturn false\n}\n", call)
}

// try prints a call of a method of the writer that writes, or refuses the value.
func (p *emitter) try(call string, args ...any) {
	call = fmt.Sprintf(call, args...)
	if p.g.typed {
		p.f("if !w.at(out).%s {\n%s}\nout = w.out\n", call, p.refuseTyped(""))
		return
	}
	p.f("if !w.%s {\nreturn false\n}\n", call)
}

func (p *emitter) writeStmt(s *model.Stmt, uses map[int]bool, padded bool) {
	g := p.g
	number := func(e *model.Expr) string { return g.number(e, "w") }
	kind := func(kind, want string) {
		p.f("if c%d.kind != %s {\nreturn w.mismatch(%d, c%d, %q)\n}\n", s.Cell, kind, s.Rule, s.Cell, want)
	}
	counted := func() {
		if s.Expr == nil {
			return
		}
		p.tested(s.Expr, s.Rule)
		p.f("if n := int64(%s); n != int64(c%d.n) {\nreturn w.counted(%d, n, int64(c%d.n))\n}\n", number(s.Expr), s.Cell, s.Rule, s.Cell)
	}
	keys, elems := s.Given()
	for _, a := range s.Args {
		p.tested(a, s.Rule)
	}
	if g.typed && s.Op != model.OpTake && (s.Op.Keeps() || s.Op == model.OpExpect || s.Op == model.OpAbsent || s.Op == model.OpSubst) {
		p.writeCell(s)
		return
	}
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave, model.OpCompare:
		// these read
	case model.OpBase:
		p.do("openBase(%d)", s.Base)
	case model.OpGaps:
		p.do("keepGaps(%d)", s.Rule)
	case model.OpClose:
		p.try("closeBase(%d)", s.Rule)
	case model.OpSeek:
		c := "nil"
		if s.Align > 0 {
			c = fmt.Sprintf("&chosen{id: int(r%d), align: %d}", s.Reg, s.Align)
		}
		p.tested(s.Expr, s.Rule)
		p.require("seek(%d, %s, %d, %d, %s, %t, %t)", s.Base, number(s.Expr), s.Part, s.Rule, c, s.Last, s.View)
	case model.OpBack:
		p.do("back()")
		if g.typed {
			p.f("out = w.out\n")
		}
	case model.OpChoose:
		p.f("r%d = int64(w.choose())\n", s.Reg)
	case model.OpExpect:
		if s.Scalar == builtin.NoScalar {
			kind("KindBool", "a bool")
		} else {
			p.require("integer(%s, c%d, %d)", scalarConst(s.Scalar), s.Cell, s.Rule)
		}
	case model.OpHeader, model.OpWord:
		if s.Place >= 0 {
			p.f("r%d = %s\n", s.Place, p.place())
			switch {
			case s.Coding == builtin.Fixed:
				p.put(s.Scalar, s.Swapped, "0")
			case s.Coding.Base() > 0:
				p.f("%[1]s = appendDigits(%[1]s, %[2]s, 0)\n", p.out(), digitsArgs(s.Coding))
			}
			break
		}
		whole := g.typed && uses[s.Reg] && s.Expr.Op == model.ExprFit && !hasFit(s.Expr.Args[0])
		if !whole {
			p.tested(s.Expr, s.Rule)
		}
		x := number(s.Expr)
		switch {
		case whole && p.cases(s):
			p.f("if uint64(r%d)>>%d != 0 {\n%s}\n", s.Reg, s.Expr.Num, p.refuse("unfit(%d)", s.Rule))
			x = fmt.Sprintf("r%d", s.Reg)
		case whole: // it is computed once
			p.f("if r%d = %s; uint64(r%d)>>%d != 0 {\n%s}\n", s.Reg, x, s.Reg, s.Expr.Num, p.refuse("unfit(%d)", s.Rule))
			x = fmt.Sprintf("r%d", s.Reg)
		case uses[s.Reg]:
			p.set(s.Reg, x)
			x = fmt.Sprintf("r%d", s.Reg)
		case !s.Expr.Fits(s.Scalar):
			v := p.fresh("n")
			p.f("%s := %s\n", v, x)
			x = v
		}
		if uses[s.Reg] && g.typed && g.sets[s.Reg] == 1 {
			g.filled[s.Reg] = g.bitFields(s.Expr)
		}
		p.ranged(s.Expr, x, s.Scalar, s.Rule)
		if s.Coding != builtin.Fixed {
			p.f("%s = %s\n", p.out(), p.coded(s, p.out(), fmt.Sprintf("uint64(%s)", unsigned(s.Scalar, x))))
			break
		}
		p.put(s.Scalar, s.Swapped, x)
	case model.OpLet, model.OpBits:
		if uses[s.Reg] || hasFit(s.Expr) {
			p.tested(s.Expr, s.Rule)
		}
		if uses[s.Reg] {
			x := number(s.Expr)
			if of := g.fieldIn(s.Expr); of != "" {
				x = of
			}
			if is := g.sumOf(s.Expr, g.of); g.sums != nil && is == (offset{of: true, known: true}) {
				x = g.of
			}
			p.set(s.Reg, x)
		}
	case model.OpCheck:
		p.tested(s.Expr, s.Rule)
		p.f("if %s {\n%s}\n", unless(g.cond(s.Expr, "w")), p.refuse("fail(ErrValue, %d, \"\", %q)", s.Rule, s.Text))
	case model.OpScalars:
		if s.Coding != builtin.Fixed {
			p.require("integer(%s, c%d, %d)", scalarConst(s.Scalar), s.Cell, s.Rule)
			p.f("w.out = %s\n", p.coded(s, "w.out", fmt.Sprintf("c%d.u", s.Cell)))
			break
		}
		p.try("scalar(%s, c%d, %s, %d)", scalarConst(s.Scalar), s.Cell, bigConst(s.Swapped), s.Rule)
	case model.OpTruth:
		kind("KindBool", "a bool")
		p.put(s.Scalar, s.Swapped, fmt.Sprintf("c%d.u&1", s.Cell))
	case model.OpArmRef:
		kind("KindUnit", "a type")
		other := ""
		for _, a := range s.Elem.Union.Arms {
			if a.Else {
				other = fmt.Sprintf(" || c%d.tag == %s", s.Cell, g.typeConst[a.Type])
			}
		}
		p.f("if number%s(c%d) < 0%s {\nreturn w.fail(ErrMismatch, %d, \"a type of schema \"+Schema, \"type \"+strconv.Itoa(int(c%d.tag)))\n}\n", g.routine[s.Elem], s.Cell, other, s.Rule, s.Cell)
	case model.OpLanes:
		p.try("lanes(%s, %d, c%d, %s, %d)", scalarConst(s.Scalar), s.Width, s.Cell, bigConst(s.Swapped), s.Rule)
	case model.OpPacked:
		p.require("packed(%s, %d, c%d, %d)", scalarConst(s.Scalar), s.Width, s.Cell, s.Rule)
		if s.End == nil {
			counted()
		} else {
			p.f("if c%d.scalar() != %s {\nreturn w.mismatch(%d, c%d, \"numbers of u8\")\n}\n", s.Cell, scalarConst(s.Scalar), s.Rule, s.Cell)
		}
		fill := p.delimit(s)
		p.try("numbers(%s, c%d, %s, %d)", scalarConst(s.Scalar), s.Cell, bigConst(s.Swapped), s.Rule)
		p.f("%s", fill)
	case model.OpText:
		kind("KindText", "text")
		n := p.g.length(s)
		if s.Expr != nil && s.End == nil {
			p.tested(s.Expr, s.Rule)
			n = number(s.Expr)
		}
		fill := p.delimit(s)
		p.try("text(&encodings[%d], c%d, %s, %d)", s.Encoding, s.Cell, n, s.Rule)
		p.f("%s", fill)
	case model.OpPad:
		p.f("%[1]s = padded(%[1]s, %[2]d, last, %#02[3]x)\n", p.out(), s.Align, s.Fill)
	case model.OpList, model.OpRest:
		kind("KindList", "a list")
		counted()
		if s.Stops {
			p.try("through(%d, c%d, %q, %s)", s.Rule, s.Cell, s.Step, g.writes(s.Elem, elems))
			break
		}
		p.try("list(c%d, %q, %s)", s.Cell, s.Step, g.writes(s.Elem, elems))
	case model.OpStop:
		p.f("%s = %s\n", p.stops(), g.cond(s.Expr, "w"))
	case model.OpMap:
		kind("KindMap", "a map")
		counted()
		p.try("pairs(c%d, %q, %s, %s)", s.Cell, s.Step, g.writes(s.Key, keys), g.writes(s.Elem, elems))
	case model.OpCall:
		p.f("if c%d.kind == KindNone {\nw.mismatch(%d, c%d, \"a value\")\nreturn w.within(\"\", step{name: %q})\n}\n", s.Cell, s.Rule, s.Cell, s.Step)
		p.f("if !w.write%s(%s) {\nreturn w.within(\"\", step{name: %q})\n}\n", g.routine[s.Elem], g.arguments(s.Args, "w", fmt.Sprintf("c%d", s.Cell)), s.Step)
	case model.OpIf:
		p.tested(s.Expr, s.Rule)
		regs := g.regs
		g.regs = nil // what a branch sets is not known behind it
		for reg := range assigned([]*model.Stmt{s}) {
			delete(regs, reg)
		}
		p.f("if %s {\n", g.cond(s.Expr, "w"))
		p.writeBlock(s.Then, uses, padded)
		for !padded && len(s.Else) == 1 && s.Else[0].Op == model.OpIf && len(g.fits(s.Else[0].Expr, "w")) == 0 {
			s = s.Else[0]
			p.f("} else if %s {\n", g.cond(s.Expr, "w"))
			p.writeBlock(s.Then, uses, padded)
		}
		if len(s.Else) > 0 {
			p.f("} else {\n")
			p.writeBlock(s.Else, uses, padded)
		}
		p.f("}\n")
		g.regs = regs
	case model.OpAbsent:
		p.f("if c%d.kind != KindNone {\nreturn w.fail(ErrMismatch, %d, %q, describe(c%d))\n}\n", s.Cell, s.Rule, "no value of "+g.m.Rules[s.Rule].Name+" beside the other fields", s.Cell)
	case model.OpSubst:
		p.f("w.subst%s(&c%d)\n", g.routine[s.Elem], s.Cell)
	case model.OpGate:
		p.f("if w.open>>%d&1 == 0 {\n%s}\n", s.Gate, p.refuse("fail(ErrClosed, %d, \"\", %q)", s.Rule, g.m.Gates[s.Gate]+" are written only where the caller allows it"))
	case model.OpMark:
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, p.place())
		}
	case model.OpSize:
		p.f("r%d = int64(len(%s)) - r%d\n", s.Reg, p.out(), s.Place)
	case model.OpSum:
		if s.Needed(uses, true) {
			p.f("r%d = %s\n", s.Reg, sum(s, "w", p.out()))
		}
	case model.OpNote:
		p.require("note(%d, %d, %d)", s.Base, s.Bytes(), s.Rule)
	case model.OpTotal:
		p.total(s, uses)
	case model.OpPatch:
		p.tested(s.Expr, s.Rule)
		x := p.fresh("n")
		p.f("%s := %s\n", x, number(s.Expr))
		p.ranged(s.Expr, x, s.Scalar, s.Rule)
		if s.Coding.Varies() {
			insert := "%[1]s = slices.Insert(%[1]s, int(r%[2]d), %[3]s...)\n"
			if g.on["totals"] {
				insert = "%[1]s = w.insert(%[1]s, int(r%[2]d), %[3]s)\n"
			}
			p.f(insert, p.out(), s.Place, p.coded(s, "nil", fmt.Sprintf("uint64(%s)", x)))
		} else {
			p.storeAt(s, fmt.Sprintf("r%d", s.Place), x)
		}
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, x)
		}
	default:
		panic("golang: statement " + s.Op.String())
	}
}

// delimit prints the checks of content that ends before bytes. It returns the statements that
// write these bytes after it.
func (p *emitter) delimit(s *model.Stmt) (after string) {
	e := s.End
	if e == nil {
		return ""
	}
	p.require("ends(%s, %q, %d)", p.g.content(s), e.Bytes, s.Rule)
	if !e.Fill {
		return fmt.Sprintf("%[1]s = append(%[1]s, %[2]q...)\n", p.out(), e.Bytes)
	}
	p.tested(s.Expr, s.Rule)
	n := p.fresh("fill")
	p.f("%s := %s - %s\n", n, p.g.number(s.Expr, "w"), p.g.length(s))
	p.require("fills(%s, %s, %d)", n, p.g.length(s), s.Rule)
	return fmt.Sprintf("%[1]s = filled(%[1]s, %[2]s, %#02[3]x)\n", p.out(), n, e.Bytes[0])
}

// length prints the number of bytes of the content of a text or an array of bytes.
func (g *generator) length(s *model.Stmt) string {
	cell := fmt.Sprintf("c%d", s.Cell)
	if g.typed {
		cell = g.cells[s.Cell].x
	}
	switch {
	case s.Op == model.OpText && !g.m.Encodings[s.Encoding].Charset.Verbatim():
		return g.textLen(s.Encoding, cell)
	case g.typed:
		return "int64(len(" + cell + "))"
	}
	return "int64(" + cell + ".n)"
}

// content prints the bytes of a text or an array of bytes.
func (g *generator) content(s *model.Stmt) string {
	cell := fmt.Sprintf("c%d", s.Cell)
	if g.typed {
		cell = g.cells[s.Cell].x
	}
	switch {
	case s.Op == model.OpText && !g.m.Encodings[s.Encoding].Charset.Verbatim():
		return fmt.Sprintf("contentOf(&encodings[%d], %s)", s.Encoding, cell)
	case g.typed && s.Op == model.OpText:
		return "bytesOf(" + cell + ")"
	case g.typed:
		return cell
	}
	return cell + ".Bytes()"
}
