// Writing Go types: the other direction of typedread.go.

package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

// typedCells prints the beginning of the writing of a record. It merges repeated keys of maps, and copies the
// fields that a writer replaces.
func (p *emitter) typedCells(t *model.Type, body []*model.Stmt, rule int) {
	g := p.g
	if t.Alone() != nil && g.cells[0].shape.Kind == model.Union && g.record(g.cells[0].shape) == nil {
		p.f("if %s == nil {\n%s}\n", g.cells[0].x, p.refuse("missing(%d, \"a value\")", rule))
	}
	used := usesCells(body)
	local := map[int]bool{}
	model.Walk(body, func(s *model.Stmt) {
		if s.Op == model.OpSubst {
			local[s.Cell] = true
		}
	})
	for i := range g.cells {
		at := &g.cells[i]
		_, s := g.inside(*at)
		if s.Kind == model.Map && used[i] && g.record(at.shape) == nil {
			merged := g.merged(s, at.x)
			if distinct := g.distinctTexts(s); distinct != "" {
				p.f("c%d := %s\nif len(c%[1]d) > fewKeys || !%[3]s(c%[1]d) {\nc%[1]d = %[4]s\n}\n", i, at.x, distinct, merged)
			} else {
				p.f("c%d := %s\n", i, merged)
			}
			at.x, at.field = fmt.Sprintf("c%d", i), fmt.Sprintf("c%d", i)
		} else if local[i] {
			p.f("c%d := %s\n", i, at.x)
			at.x, at.field = fmt.Sprintf("c%d", i), fmt.Sprintf("c%d", i)
		}
	}
}

// stored returns the bytes of a statement that always writes as many, or 0. Its number is of a scalar that the
// processor has.
func (p *emitter) stored(s *model.Stmt) int {
	if s.Scalar.Odd() || s.Scalar == builtin.F16 || s.Coding != builtin.Fixed {
		return 0
	}
	switch s.Op {
	case model.OpWord, model.OpHeader, model.OpScalars, model.OpTruth:
		return s.Scalar.Width()
	case model.OpLanes:
		return s.Width * s.Scalar.Width()
	case model.OpPacked:
		return p.fixed(s)
	}
	return 0
}

// silent reports whether a statement between others writes nothing.
func silent(s *model.Stmt) bool {
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave, model.OpCompare, model.OpLet, model.OpCheck, model.OpExpect, model.OpAbsent, model.OpMark:
		return true
	}
	return false
}

// room prints the making of room for the fixed statements that begin a block, if there are
// several of them.
func (p *emitter) room(block []*model.Stmt) {
	if p.run != nil && p.run.at < p.runEnd || p.stored(block[0]) == 0 {
		return
	}
	total, n := 0, 0
	for _, s := range block {
		size := p.stored(s)
		if size == 0 && !silent(s) {
			break
		}
		if size > 0 {
			total, n = total+size, n+1
			if s.Op == model.OpLanes {
				n += s.Width - 1
			}
		}
	}
	if n < 2 {
		return
	}
	p.run, p.runEnd = &fixedRun{name: p.fresh("b")}, total
	p.f("out = more(out, %[2]d)\n%[1]s := out[len(out)-%[2]d:]\n", p.run.name, total)
}

// ahead returns how many bytes the output has room for that are not written yet.
func (p *emitter) ahead() int {
	if p.run == nil {
		return 0
	}
	return p.runEnd - p.run.at
}

// placed prints the output without the room that is not used yet.
func (p *emitter) placed() string {
	if n := p.ahead(); n > 0 {
		return fmt.Sprintf("out[:len(out)-%d]", n)
	}
	return "out"
}

// refuseTyped prints the return after a call. The call refuses the value, or adds a step to the path of an error.
// In the loop over plain elements it ends the loop.
func (p *emitter) refuseTyped(call string) string {
	if p.plain {
		return "break\n"
	}
	calls := slices.Clone(p.steps)
	if call != "" {
		calls = append([]string{call}, calls...)
	}
	if len(calls) == 0 {
		return "return nil, false\n"
	}
	last := len(calls) - 1
	for i := range last {
		if calls[i] == calls[i+1] { // two records with fields of the same name
			return strings.Join(calls[:last], "\n") + "\nreturn nil, " + calls[last] + "\n"
		}
	}
	return "return nil, " + strings.Join(calls, " || ") + "\n"
}

// append prints the appending of what a call returns, whose first argument is the output, or which refuses the value.
func (p *emitter) append(call string, args ...any) {
	p.f("if out, ok = w.%s; !ok {\n%s}\n", fmt.Sprintf(call, args...), p.refuseTyped(""))
}

// written prints what ends a function that writes, unless its statements are inside of another one.
func (p *emitter) written() {
	if !p.inside {
		p.f("return out, true\n")
	}
}

// stops returns the variable that says that an element ends its list.
func (p *emitter) stops() string {
	if p.stop != "" {
		return p.stop
	}
	return "w.stop"
}

// place prints where the next byte is written.
func (p *emitter) place() string {
	if n := p.ahead(); n > 0 {
		return fmt.Sprintf("int64(len(out)-%d)", n)
	}
	return fmt.Sprintf("int64(len(%s))", p.out())
}

// writeTypedArm prints the writing of an arm of a union: here if it is short, else by its function.
func (p *emitter) writeTypedArm(r *model.Routine, a *model.Arm) {
	g := p.g
	if isShort(a) {
		x := "&y"
		switch {
		case !g.inStruct(a.Type):
			x = fmt.Sprintf("%s(y)", g.paramType(r, a))
		case g.isBoxed(a.Type):
			x = fmt.Sprintf("(*%s)(held(x))", g.paramType(r, a))
		}
		was, begin := p.inside, p.Len()
		p.inside, p.value = true, !g.inStruct(a.Type)
		p.writeRecord(a.Type, a.Body, a.Rule, nil)
		p.inside, p.value = was, false
		p.replace(begin, func(text string) string { return declareIfUsed("x", x, text) + text })
		return
	}
	x := "&y"
	switch {
	case g.isBoxed(a.Type):
		x = fmt.Sprintf("(*%s)(held(x))", g.paramType(r, a))
	case !g.inStruct(a.Type):
		p.f("z := %s(y)\n", g.paramType(r, a))
		x = "&z"
	}
	call := fmt.Sprintf("write%s(out, %s)", g.arm[a], listedAfter(x, writeParams(r, a, false)))
	if p.returns(r) {
		p.f("return w.%s\n", call)
		return
	}
	p.append("%s", call)
}

// returns reports whether the function of a union ends with that of an arm.
func (p *emitter) returns(r *model.Routine) bool {
	return !p.inside && !r.Nests && !p.g.m.CountCalls
}

// isShort reports whether an arm is written where its union is.
func isShort(a *model.Arm) bool {
	n := 0
	model.Walk(a.Body, func(*model.Stmt) { n++ })
	return n <= largestInside
}

// store prints the writing of a number into the room for it.
func (p *emitter) store(s builtin.Scalar, swapped bool, x string) {
	w := s.Width()
	b := p.bytes(w)
	switch {
	case s == builtin.Code4:
		p.f("binary.LittleEndian.PutUint32(%s, uint32(%s))\n", b, x)
	case w == 1:
		p.f("%s = byte(%s)\n", strings.Replace(b+"[0]", ":][0]", "]", 1), x)
	default:
		p.f("%s.PutUint%d(%s, uint%d(%s))\n", p.g.orderOf(swapped), 8*w, b, 8*w, x)
	}
}

// present prints the error about a field that is absent.
func (p *emitter) present(s *model.Stmt, want string) {
	if at := p.g.cells[s.Cell]; at.absent {
		p.f("if %s == nil {\n%s}\n", at.field, p.refuse("missing(%d, %q)", s.Rule, want))
		if at.pointer {
			p.g.known[at.field] = true
		}
	}
}

// writeCell prints the writing of a statement from a field.
func (p *emitter) writeCell(s *model.Stmt) {
	g := p.g
	at := g.cells[s.Cell]
	x := at.x
	keys, elems := s.Given()
	switch s.Op {
	case model.OpExpect:
		if s.Scalar == builtin.NoScalar {
			p.present(s, "a bool")
		} else {
			p.present(s, "an integer")
			p.within(s, x)
		}
	case model.OpScalars:
		want := "an integer"
		if s.Scalar.IsFloat() {
			want = "a float"
		}
		p.present(s, want)
		if s.Scalar.IsFloat() {
			p.putReal(s, x, numberType(at.shape))
			break
		}
		p.within(s, x)
		x = g.whole(at)
		if s.Coding != builtin.Fixed {
			p.f("out = %s\n", p.coded(s, "out", fmt.Sprintf("uint64(%s)", x)))
			break
		}
		p.put(s.Scalar, s.Swapped, x)
	case model.OpTruth:
		p.present(s, "a bool")
		p.put(s.Scalar, s.Swapped, "truth("+x+")")
	case model.OpArmRef:
		p.present(s, "a type")
		p.f("if %s.number() < 0 {\n%s}\n", primary(x), p.refuse("fail(ErrMismatch, %d, \"a type of schema \"+Schema, %s.String())", s.Rule, primary(x)))
	case model.OpLanes:
		p.writeLanes(s, at)
	case model.OpPacked:
		p.writePacked(s, at)
	case model.OpText:
		p.present(s, "text")
		n := g.length(s)
		if s.Expr != nil && s.End == nil {
			p.tested(s.Expr, s.Rule)
			n = g.number(s.Expr, "w")
		}
		fill := p.delimit(s)
		if keeps(g.m.Encodings[s.Encoding]) {
			if s.Expr != nil && s.End == nil && !p.counts(s.Expr, x) {
				v := p.fresh("n")
				p.f("if %s := int64(%s); %s != int64(len(%s)) {\n%s}\n", v, n, v, x, p.refuse("counted(%d, %s, int64(len(%s)))", s.Rule, v, x))
			}
			p.f("out = append(out, %s...)\n%s", x, fill)
			break
		}
		if enc := g.m.Encodings[s.Encoding]; enc.Charset.IsUTF16() || enc.NUL == schema.NULCounted || s.Expr != nil && s.End == nil && !p.measures(s, x) {
			p.append("text(out, &encodings[%d], %s, %s, %d)", s.Encoding, x, n, s.Rule)
		} else {
			if s.Expr != nil && s.End == nil {
				n = g.values[s.Expr.Reg]
			}
			p.f("if out, ok = appendPlain(out, %s); !ok {\n", x)
			p.append("text(out, &encodings[%d], %s, %s, %d)", s.Encoding, x, n, s.Rule)
			p.f("}\n")
		}
		p.f("%s", fill)
	case model.OpList, model.OpRest:
		p.present(s, "a list")
		p.countTyped(s, x)
		p.writeList(s, x, elems)
	case model.OpMap:
		p.present(s, "a map")
		p.countTyped(s, x)
		i := p.fresh("i")
		e := fmt.Sprintf("%s[%s]", primary(x), i)
		p.loop(i, x, func() {
			p.writeElement(s, s.Key, keys, "&"+e+".Key", fmt.Sprintf("index: %s, pair: true", i))
			p.writeElement(s, s.Elem, elems, "&"+e+".Value", fmt.Sprintf("index: %s, pair: true, key: keyText(%s.Key)", i, e))
		})
	case model.OpCall:
		if at.absent || at.shape.Kind == model.Union && g.record(at.shape) == nil {
			steps := p.steps
			p.steps = append([]string{fmt.Sprintf("w.within(\"\", step{name: %q})", s.Step)}, steps...)
			p.f("if %s == nil {\n%s}\n", at.field, p.refuse("missing(%d, \"a value\")", s.Rule))
			p.steps = steps
		}
		p.writeInto(s.Elem, s.Args, at.address(), fmt.Sprintf("within(\"\", step{name: %q})", s.Step), "w.stop")
	case model.OpAbsent:
		if at.absent {
			p.f("if %s != nil {\n%s}\n", at.field, p.refuse("fail(ErrMismatch, %d, %q, \"a value\")", s.Rule, "no value of "+g.m.Rules[s.Rule].Name+" beside the other fields"))
		}
	case model.OpSubst:
		p.f("w.subst%s(&%s)\n", g.routine[s.Elem], x)
	}
}

// measures reports whether the number of bytes of a text is known to be that which a reader takes.
func (p *emitter) measures(s *model.Stmt, x string) bool {
	return p.counts(s.Expr, x) || s.Expr.Op == builtin.Ref && p.g.values[s.Expr.Reg] == p.g.textLen(s.Encoding, x)
}

// writeList prints the writing of the elements of a list.
func (p *emitter) writeList(s *model.Stmt, x string, args []*model.Expr) {
	g := p.g
	if strings.Contains(x, ".") { // a field, which each element would load again
		list := p.fresh("list")
		p.f("%s := %s\n", list, x)
		x = list
	}
	i := p.fresh("i")
	e := fmt.Sprintf("%s[%s]", primary(x), i)
	if s.Stops {
		p.f("if len(%s) == 0 {\n%s}\n", x, p.refuse("fail(ErrValue, %d, \"an element that ends the list\", \"no element\")", s.Rule))
	}
	if g.writtenSize(s) > 0 {
		p.f("for %[1]s, n := 0, 0; %[1]s < len(%[2]s); %[1]s++ {\nif out, n = w.plain%[3]s(out, %[4]s[%[1]s:]); n > 0 {\n%[1]s += n - 1\ncontinue\n}\n", i, x, g.routine[s.Elem], primary(x))
		p.writeElements(s, x, args, i, e)
		p.f("}\n")
		return
	}
	begin := ""
	if s.Spare > 0 {
		begin = p.fresh("begin")
		p.f("%s := len(out)\n", begin)
	}
	p.loop(i, x, func() {
		if begin != "" {
			p.f("%s = len(out)\n", begin)
		}
		p.writeElements(s, x, args, i, e)
	})
	if begin != "" {
		p.f("w.final = len(out) - %s\n", begin)
	}
}

// loop prints a loop over x with the index i, which the body need not use.
func (p *emitter) loop(i, x string, body func()) {
	at := p.Len()
	p.f("for %s := range %s {\n", i, x)
	begin := p.Len()
	body()
	if code := p.String(); !regexp.MustCompile(`\b` + i + `\b`).MatchString(p.g.shown(code[begin:])) {
		p.Reset()
		p.f("%sfor range %s {\n%s", code[:at], x, code[begin:])
	}
	p.f("}\n")
}

// writeElements prints the body of the loop over the elements e of the list x.
func (p *emitter) writeElements(s *model.Stmt, x string, args []*model.Expr, i, e string) {
	g := p.g
	step := fmt.Sprintf("within(%q, step{index: %s})", s.Step, i)
	stop := "w.stop"
	if s.Stops && g.isOnce(s.Elem) && (s.Elem.Union == nil || !slices.ContainsFunc(s.Elem.Union.Arms, func(a *model.Arm) bool { return !isShort(a) })) {
		stop = p.fresh("stop")
		p.f("%s := false\n", stop)
	} else if s.Stops {
		p.f("w.stop = false\n")
	}
	p.writeInto(s.Elem, args, "&"+e, step, stop)
	if s.Stops {
		steps := p.steps
		p.steps = append([]string{"w." + step}, steps...)
		p.f("if %s != (%s == len(%s)-1) {\n%s}\n", stop, i, x, p.refuse("fail(ErrValue, %d, \"the last element, and no other, to end the list\", \"element \"+strconv.Itoa(%s))", s.Rule, i))
		p.steps = steps
	}
}

// writeInto prints the writing of a value by its routine. An error in it gets a step.
func (p *emitter) writeInto(r *model.Routine, args []*model.Expr, from, step, stop string) {
	if p.g.isOnce(r) {
		p.writeHere(r, args, from, step, stop)
		return
	}
	p.f("if out, ok = w.write%s(%s); !ok {\n%s}\n", p.g.routine[r], p.g.arguments(args, "w", "out", from), p.lost("%s", step))
}

func (p *emitter) writeElement(s *model.Stmt, r *model.Routine, args []*model.Expr, from, path string) {
	p.writeInto(r, args, from, fmt.Sprintf("within(%q, step{%s})", s.Step, path), "w.stop")
}

// largestOnce is how many statements a routine has at most that is written where its only value is.
const largestOnce = 32

// isOnce reports whether the values of a routine are written by the function of the only record that has one.
func (g *generator) isOnce(r *model.Routine) bool {
	if g.once == nil {
		uses := map[*model.Routine]int{g.m.Root: 2}
		g.m.Each(func(_ *model.Routine, _ *model.Type, body []*model.Stmt) {
			model.Walk(body, func(s *model.Stmt) {
				uses[s.Elem]++
				uses[s.Key]++
			})
		})
		g.once = map[*model.Routine]bool{}
		for _, r := range g.m.Routines {
			g.once[r] = uses[r] == 1 && !r.Nests && g.statements(r) <= largestOnce
		}
	}
	return g.once[r]
}

// statements returns how many statements the function of a routine has.
func (g *generator) statements(r *model.Routine) (n int) {
	count := func(*model.Stmt) { n++ }
	if r.Union == nil {
		model.Walk(r.Body, count)
		return n
	}
	for _, a := range r.Union.Arms {
		if n++; isShort(a) {
			model.Walk(a.Body, count)
		}
	}
	return n
}

// writeHere prints the writing of a value of a routine into the function of another one.
func (p *emitter) writeHere(r *model.Routine, args []*model.Expr, from, step, stop string) {
	g := p.g
	back := p.outer()
	var given []string
	for _, a := range args {
		given = append(given, g.int64(a, "w"))
	}
	p.f("{\n")
	begin := p.Len()
	p.inside, p.value, p.stop, p.steps = true, false, stop, append([]string{"w." + step}, p.steps...)
	p.writeEnter(r)
	if r.Union != nil {
		p.writeArms(r)
	} else {
		p.writeRecord(r.Type, r.Body, r.Rule, r)
	}
	p.replace(begin, func(text string) string {
		var params, values []string
		for i, x := range given {
			if reg := fmt.Sprintf("r%d", i); usesVariable(reg, text) {
				params, values = append(params, reg), append(values, x)
			}
		}
		decl := ""
		if len(params) > 0 {
			decl = fmt.Sprintf("var %s int64 = %s\n", strings.Join(params, ", "), strings.Join(values, ", "))
		}
		return decl + declareIfUsed("x", from, text) + g.hide(text)
	})
	p.f("}\n")
	back()
}

// outer returns a function that goes back to the record that is printed now.
func (p *emitter) outer() (back func()) {
	g := p.g
	inside, steps, stop, run, runEnd, tuple, lanes, value := p.inside, p.steps, p.stop, p.run, p.runEnd, p.tuple, p.lanes, p.value
	cells, known, values, sets, sums, bounds, regs := g.cells, g.known, g.values, g.sets, g.sums, g.bounds, g.regs
	return func() {
		p.inside, p.steps, p.stop, p.run, p.runEnd, p.tuple, p.lanes, p.value = inside, steps, stop, run, runEnd, tuple, lanes, value
		g.cells, g.known, g.values, g.sets, g.sums, g.bounds, g.regs = cells, known, values, sets, sums, bounds, regs
	}
}

// counts reports whether a number is known to be that of the elements or bytes of a value.
func (p *emitter) counts(e *model.Expr, x string) bool {
	return e.Op == builtin.Ref && p.g.values[e.Reg] == "int64(len("+x+"))"
}

// countTyped prints the test that there are as many elements as a reader takes.
func (p *emitter) countTyped(s *model.Stmt, x string) {
	if s.Expr == nil {
		return
	}
	p.tested(s.Expr, s.Rule)
	if e := s.Expr; e.Op == builtin.Count && e.Cell == s.Cell || p.counts(e, x) {
		return
	}
	n := p.fresh("n")
	p.f("if %s := %s; %s != int64(len(%s)) {\n%s}\n", n, p.g.int64(s.Expr, "w"), n, x, p.refuse("counted(%d, %s, int64(len(%s)))", s.Rule, n, x))
}

// whole prints the number in a place as one that Go converts to other integers.
func (g *generator) whole(at place) string {
	if isInteger(at.shape) {
		return primary(at.x) + ".Bits"
	}
	return at.x
}

// within prints the test that a scalar holds the whole number in a field, unless its type does.
func (p *emitter) within(s *model.Stmt, x string) {
	cond := outsideOf(numberType(p.g.cells[s.Cell].shape), s.Scalar, x)
	if cond != "" && !p.g.bounded("int64("+x+")", s.Scalar) {
		p.f("if %s {\n%s}\n", cond, p.refuse("misfit(%d, %s, textOf(%s))", s.Rule, scalarConst(s.Scalar), x))
	}
}

// typedSubst prints the function that replaces values of a union.
func (p *emitter) typedSubst(r *model.Routine) {
	g := p.g
	p.f("// subst%s replaces a value by what is written instead of it.\n", g.routine[r])
	p.f("func (w *writer) subst%s(c *%s) {\nfor range 4 {\nswitch x := (*c).(type) {\n", g.routine[r], g.union[r])
	for _, a := range r.Union.Arms {
		if len(a.Type.Writes) == 0 {
			continue
		}
		g.cells = g.places(a.Type)
		for i := range g.cells { // the variable of the switch is a value
			at := &g.cells[i]
			if at.x == "*x" {
				at.x, at.field = "x", "x"
			}
		}
		p.f("case %s:\n", g.goType[a.Type])
		if len(a.Type.Replaces()) == 0 {
			p.f("_ = x\n")
		}
		p.replacements(a.Type, "nil", func(w *model.Write) {
			value := fmt.Sprintf("%s(%q)", g.goType[w.Type], w.Text)
			if g.inStruct(w.Type) {
				value = fmt.Sprintf("%s{%q}", g.goType[w.Type], w.Text)
			}
			p.f("*c = %s\ncontinue\n", value)
		})
	}
	p.f("default:\n_ = x\nreturn\n}\n}\n}\n\n")
	g.cells = nil
}
