// Reading, instruction by instruction: one function for each record and arm, which
// says what is wrong, and where.

package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// emitter prints code.
type emitter struct {
	g *generator
	strings.Builder
	names int
	open  []string // variables of the regions that are open
}

func (p *emitter) f(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// fresh returns a name that no other variable of the function has.
func (p *emitter) fresh(base string) string {
	p.names++
	if p.names == 1 {
		return base
	}
	return fmt.Sprintf("%s%d", base, p.names)
}

// readers prints the functions that read.
func (g *generator) readers() string {
	p := &emitter{g: g}
	p.f("// Reading: one function for each record and each arm of a union.\n\npackage octable\n\n")
	for _, r := range g.m.Routines {
		if r.Union == nil {
			p.f("// read%s reads %s.\n", g.routine[r], what(r.Type, r))
			p.f("func (r *reader) read%s(%s) (v Value, ok bool) {\n", g.routine[r], params(r, nil, true))
			p.enter(r)
			p.record(r.Type, r.Body, r.Rule, r)
			p.f("}\n\n")
			continue
		}
		p.union(r)
		for _, a := range r.Union.Arms {
			p.f("// read%s reads what follows the number of %s.\n", g.arm[a], what(a.Type, r))
			p.f("func (r *reader) read%s(%s) (v Value, ok bool) {\n", g.arm[a], params(r, a, true))
			p.record(a.Type, a.Body, a.Rule, nil)
			p.f("}\n\n")
		}
	}
	for _, r := range g.m.NamedUnions() {
		p.f("// name%s returns the type that has a number in %s.\n", g.routine[r], r.Name)
		p.f("func (r *reader) name%s(n int64, at int, rule uint32) (v Value, ok bool) {\nswitch n {\n", g.routine[r])
		for _, a := range r.Union.Arms {
			if !a.Else {
				p.f("case %d: return makeUnit(%s), true\n", int64(a.ID), g.typeConst[a.Type])
			}
		}
		p.f("}\nreturn r.refuse(ErrType, at, rule, \"a known type\", \"number \"+strconv.FormatUint(uint64(n), 10))\n}\n\n")
	}
	return p.String()
}

func what(t *model.Type, r *model.Routine) string {
	switch {
	case t.Name == "":
		return "an element of " + r.Name
	case t.Union != "":
		return t.Union + " " + t.Name
	}
	return t.Name
}

// params returns the registers that a function takes: the arguments of a routine;
// for an arm, those that its statements look at, and the word of the union.
func params(r *model.Routine, a *model.Arm, declare bool) string {
	var out []string
	uses := map[int]bool{}
	if a != nil {
		uses = model.Uses(a.Body, false)
	}
	for i := range r.Args {
		if a == nil || uses[i] {
			out = append(out, fmt.Sprintf("r%d", i))
		}
	}
	if a != nil && r.Union.Word != builtin.NoScalar && uses[r.Union.Reg] {
		out = append(out, fmt.Sprintf("r%d", r.Union.Reg))
	}
	s := strings.Join(out, ", ")
	if declare && s != "" {
		s += " int64"
	}
	return s
}

// enter counts a routine that is entered.
func (p *emitter) enter(r *model.Routine) {
	if r.Nests {
		p.f("if r.depth > r.limit {\nreturn r.tooDeep(%d)\n}\n", r.Rule)
	}
	if p.g.m.CountCalls {
		p.f("if r.calls >= maxNest(r.limit) {\nreturn r.tooManyCalls(%d)\n}\nr.calls++\n", r.Rule)
	}
	if r.Nests {
		p.f("r.depth++\n")
	}
}

// union prints the function that finds the arm.
func (p *emitter) union(r *model.Routine) {
	g, u := p.g, r.Union
	name := "read" + g.routine[r]
	if g.fast != nil && r == g.m.Root {
		name = "all" + g.routine[r]
		p.f("// read%s reads %s: by the loop, unless it has failed.\n", g.routine[r], article(r.Name))
		p.f("func (r *reader) read%s() (v Value, ok bool) {\nif r.exact {\nreturn r.%s()\n}\n", g.routine[r], name)
		p.f("if r.depth > r.limit {\nreturn Value{}, false\n}\nvar cell [1]Value\nr.pos, _ = r.fast%s(r.in[:r.end:r.end], r.pos, cell[:], 0, r.depth)\nreturn cell[0], r.pos >= 0\n}\n\n", g.routine[r])
	}
	p.f("// %s reads %s.\n", name, article(r.Name))
	p.f("func (r *reader) %s(%s) (v Value, ok bool) {\n", name, params(r, nil, true))
	p.enter(r)
	p.f("at := r.pos\n")
	if u.Word != builtin.NoScalar {
		p.f("r%d, ok := r.number(%s, %d)\nif !ok {\nreturn Value{}, false\n}\n", u.Reg, scalarConst(u.Word), u.Rule)
	}
	p.f("n := %s\n", g.number(u.Expr, "r"))
	p.f("switch n {\n")
	other := false
	for _, a := range u.Arms {
		if a.Else {
			p.f("default:\n")
			other = true
		} else {
			p.f("case %d:\n", int64(a.ID))
		}
		p.f("v, ok = r.read%s(%s)\n", g.arm[a], params(r, a, false))
	}
	if !other {
		p.f("default:\nreturn r.refuse(ErrType, at, %d, \"a known type\", \"number \"+strconv.FormatUint(uint64(n), 10))\n", u.Rule)
	}
	p.f("}\n")
	if other {
		s := strings.Replace(p.String(), "at := r.pos\nn := ", "n := ", 1)
		p.Reset()
		p.WriteString(s)
	}
	p.leave(r)
	p.f("return v, ok\n}\n\n")
}

func (p *emitter) leave(r *model.Routine) {
	if r == nil {
		return
	}
	if r.Nests {
		p.f("r.depth--\n")
	}
	if p.g.m.CountCalls {
		p.f("r.calls--\n")
	}
}

func article(name string) string { return "a value of " + name }

// record prints the reading of a record, up to its end.
func (p *emitter) record(t *model.Type, body []*model.Stmt, rule int, r *model.Routine) {
	p.names, p.open = 0, nil
	uses := model.Uses(body, false)
	var regs []string
	args := 0
	if r != nil {
		args = r.Args
	}
	set := map[int]bool{}
	model.Walk(body, func(s *model.Stmt) {
		switch s.Op {
		case model.OpWord, model.OpLet, model.OpMark, model.OpSize:
			set[s.Reg] = true
		}
	})
	for _, i := range sortedKeys(set) {
		if uses[i] && i >= args {
			regs = append(regs, fmt.Sprintf("r%d", i))
		}
	}
	if len(regs) > 0 {
		p.f("var %s int64\n", strings.Join(regs, ", "))
	}
	if len(t.Fields) > 1 {
		for i := range t.Fields {
			p.f("var c%d Value\n", i)
		}
	} else if len(t.Fields) == 1 {
		p.f("var c0 Value\n")
	}
	if hasPad(body) {
		p.f("last := 0\n")
	}
	p.readBlock(body, uses)
	p.leave(r)
	tag := p.g.tag(t)
	switch {
	case len(t.Fields) == 0:
		p.f("return makeUnit(%s), true\n", tag)
	case t.Alone() != nil:
		if t.Tag > 0 {
			p.f("c0.tag = %s\n", tag)
		}
		p.f("return c0, true\n")
	default:
		var cells []string
		for i := range t.Fields {
			cells = append(cells, fmt.Sprintf("c%d", i))
		}
		if slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return f.Alone }) {
			p.f("return r.record(%s, %s, %d, []Value{%s})\n", tag, p.g.info(t), rule, strings.Join(cells, ", "))
		} else {
			p.f("return r.keep(%s, %d, []Value{%s})\n", tag, rule, strings.Join(cells, ", "))
		}
	}
}

func hasPad(body []*model.Stmt) bool {
	pad := false
	model.Walk(body, func(s *model.Stmt) { pad = pad || s.Op == model.OpPad })
	return pad
}

// tag is the constant of a type, or 0.
func (g *generator) tag(t *model.Type) string {
	if t.Tag == 0 {
		return "0"
	}
	return g.typeConst[t]
}

// info is where what is known of a type stands.
func (g *generator) info(t *model.Type) string {
	if t.Tag == 0 {
		return fmt.Sprintf("&element%d", t.Index)
	}
	return fmt.Sprintf("&types[%s]", g.typeConst[t])
}

const failed = "!ok {\nreturn Value{}, false\n}\n"

func (p *emitter) readBlock(block []*model.Stmt, uses map[int]bool) {
	for i, s := range block {
		at := ""
		if s.Sized(false) && s.Op != model.OpLeave && s.Op != model.OpSize && model.Padded(block, i, false) {
			at = p.fresh("at")
			p.f("%s := r.pos\n", at)
		}
		p.readStmt(s, uses)
		if at != "" {
			p.f("last = r.pos - %s\n", at)
		}
		if s.Op == model.OpSize && model.Padded(block, i, false) {
			p.f("last = int(r%d)\n", s.Reg)
		}
	}
}

func (p *emitter) readStmt(s *model.Stmt, uses map[int]bool) {
	g := p.g
	back := "r.pos"
	if s.Back > 0 {
		back = fmt.Sprintf("r.before(%d)", s.Back)
	}
	number := func(e *model.Expr) string { return g.number(e, "r") }
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpSubst, model.OpAbsent:
		// these write
	case model.OpWord:
		if uses[s.Reg] {
			p.f("if r%d, ok = r.number(%s, %d); %s", s.Reg, scalarConst(s.Scalar), s.Rule, failed)
		} else {
			p.f("if _, ok = r.take(%d, %d); %s", s.Scalar.Width(), s.Rule, failed)
		}
	case model.OpLet:
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, number(s.Expr))
		}
	case model.OpCheck:
		p.f("if !(%s) {\nreturn r.refuse(ErrValue, %s, %d, \"\", %q)\n}\n", g.cond(s.Expr, "r"), back, s.Rule, s.Text)
	case model.OpScalars:
		p.f("if c%d, ok = r.scalar(%s, %d); %s", s.Cell, scalarConst(s.Scalar), s.Rule, failed)
		p.wide(s)
	case model.OpTruth:
		p.f("if c%d, ok = r.truth(%s, %t, %d); %s", s.Cell, scalarConst(s.Scalar), s.Nonzero, s.Rule, failed)
	case model.OpTake:
		switch s.Take {
		case builtin.Bool:
			p.f("c%d = makeBool(0, r%d != 0)\n", s.Cell, s.Reg)
		case builtin.Int:
			p.f("c%d = makeInt(0, r%d)\n", s.Cell, s.Reg)
		default:
			p.f("c%d = makeUint(0, uint64(r%d))\n", s.Cell, s.Reg)
		}
	case model.OpArmRef:
		p.f("if c%d, ok = r.name%s(r%d, %s, %d); %s", s.Cell, g.routine[s.Elem], s.Reg, back, s.Rule, failed)
	case model.OpLanes:
		p.f("if c%d, ok = r.lanes(%s, %d, %d); %s", s.Cell, scalarConst(s.Scalar), s.Width, s.Rule, failed)
		p.wide(s)
	case model.OpText:
		p.f("if c%d, ok = r.text(&encodings[%d], %s, %d); %s", s.Cell, s.Encoding, number(s.Expr), s.Rule, failed)
	case model.OpPacked:
		n := fmt.Sprintf("int64((r.end-r.pos)/%d)", s.Width*s.Scalar.Width())
		if s.Expr != nil {
			n = number(s.Expr)
		}
		p.f("if c%d, ok = r.packed(%s, %d, %s, %d); %s", s.Cell, scalarConst(s.Scalar), s.Width, n, s.Rule, failed)
		p.wide(s)
	case model.OpPad:
		p.f("if !r.pad(%d, last, %t, %t, %#02x, %d) {\nreturn Value{}, false\n}\n", s.Align, s.OrEnd, s.Exact, s.Fill, s.Rule)
	case model.OpList:
		if g.fast != nil && s.Elem == g.m.Root {
			p.f("if c%d, ok = r.values(%s, %d, %q); %s", s.Cell, number(s.Expr), s.Rule, s.Step, failed)
			break
		}
		p.f("if c%d, ok = r.list(%s, %d, %d, %q, (*reader).read%s); %s", s.Cell, number(s.Expr), s.Elem.Min, s.Rule, s.Step, g.routine[s.Elem], failed)
	case model.OpMap:
		p.f("if c%d, ok = r.pairs(%s, %d, %d, %q, (*reader).read%s, (*reader).read%s); %s", s.Cell, number(s.Expr), s.Key.Min+s.Elem.Min, s.Rule, s.Step, g.routine[s.Key], g.routine[s.Elem], failed)
	case model.OpRest:
		p.f("if c%d, ok = r.rest(%d, %q, (*reader).read%s); %s", s.Cell, s.Rule, s.Step, g.routine[s.Elem], failed)
	case model.OpCall:
		var args []string
		for _, a := range s.Args {
			args = append(args, number(a))
		}
		p.f("if c%d, ok = r.read%s(%s); !ok {\nreturn r.within(\"\", step{name: %q})\n}\n", s.Cell, g.routine[s.Elem], strings.Join(args, ", "), s.Step)
	case model.OpIf:
		p.f("if %s {\n", g.cond(s.Expr, "r"))
		p.readBlock(s.Then, uses)
		if len(s.Else) > 0 {
			before := p.Len()
			p.f("} else {\n")
			inner := p.Len()
			p.readBlock(s.Else, uses)
			if p.Len() == inner { // there was nothing to read
				text := p.String()[:before]
				p.Reset()
				p.WriteString(text)
			}
		}
		p.f("}\n")
	case model.OpGate:
		p.f("if r.open>>%d&1 == 0 {\nreturn r.refuse(ErrClosed, r.pos, %d, \"\", %q)\n}\n", s.Gate, s.Rule, g.m.Gates[s.Gate]+" are read only where the caller allows it")
	case model.OpEnter:
		v := p.fresh("region")
		p.open = append(p.open, v)
		p.f("%sEnd, %sStart := r.end, r.pos\n_ = %sStart\n", v, v, v)
		p.f("if !r.enter(%s, %d) {\nreturn Value{}, false\n}\n", number(s.Expr), s.Rule)
	case model.OpLeave:
		v := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		p.f("if !r.leave(%d) {\nreturn Value{}, false\n}\nr.end = %sEnd\n", s.Rule, v)
		if strings.Contains(p.String()[strings.LastIndex(p.String(), "func "):], "last := 0") {
			p.f("last = r.pos - %sStart\n", v)
		}
	case model.OpMark:
		if uses[s.Reg] {
			p.f("r%d = int64(r.pos)\n", s.Reg)
		}
	case model.OpSize:
		if uses[s.Reg] {
			p.f("r%d = int64(r.pos) - r%d\n", s.Reg, s.Place)
		}
	default:
		panic("golang: statement " + s.Op.String())
	}
}

// wide marks a number that stands in the wider of two forms.
func (p *emitter) wide(s *model.Stmt) {
	if s.Wide {
		p.f("c%d.form |= formWide\n", s.Cell)
	}
}
