// Writing, instruction by instruction: the other direction of read.go.

package golang

import (
	"fmt"
	"maps"
	"slices"
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

// set prints that a register gets a number. It notes what the register holds from here on if nothing else sets it.
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
