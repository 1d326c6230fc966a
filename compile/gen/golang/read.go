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
	pads  bool     // the function has a variable for the size of the last row
	open  []string // variables of the regions that are open

	// Of typed packages.
	run    *fixedRun // the fixed rows that are read
	runEnd int       // its bytes
	inside bool      // the function of a union or list reads or writes the arm or element
	value  bool      // x is the value that is written, instead of a pointer to it
	plain  bool      // the loop over plain elements writes, which reports no errors
	steps  []string  // calls that add steps to the path of an error of what is written inside
	stop   string    // the variable that says that an element ends its list
	tuple  string    // the struct of the tuple of numbers that is read or written
	lanes  []string  // its fields
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
			p.signature("read"+g.routine[r], g.readType(r, nil), params(r, nil, true))
			p.enter(r)
			p.record(r.Type, r.Body, r.Rule, r)
			p.f("}\n\n")
			if g.typed {
				p.plainElements(r)
			}
			continue
		}
		p.union(r)
		for _, a := range r.Union.Arms {
			p.f("// read%s reads what follows the number of %s.\n", g.arm[a], what(a.Type, r))
			p.signature("read"+g.arm[a], g.readType(r, a), params(r, a, true))
			p.record(a.Type, a.Body, a.Rule, nil)
			p.f("}\n\n")
		}
	}
	for _, r := range g.m.NamedUnions() {
		p.f("// name%s returns the type that has a number in %s.\n", g.routine[r], r.Name)
		name, fail := "Value", "return r.refuse"
		if g.typed {
			name, fail = g.armName[r], "return 0, r.fail"
		}
		p.f("func (r *reader) name%s(n int64, at int, rule uint32) (v %s, ok bool) {\nswitch n {\n", g.routine[r], name)
		for _, a := range r.Union.Arms {
			if a.Else {
				continue
			}
			value := g.typeConst[a.Type]
			if !g.typed {
				value = "makeUnit(" + value + ")"
			}
			p.f("case %d: return %s, true\n", int64(a.ID), value)
		}
		p.f("}\n%s(ErrType, at, rule, \"a known type\", \"number \"+numberText(uint64(n)))\n}\n\n", fail)
	}
	return p.String()
}

// readType returns the type of what a function reads, "Value" if it returns that.
func (g *generator) readType(r *model.Routine, a *model.Arm) string {
	if g.typed {
		return g.paramType(r, a)
	}
	return "Value"
}

// signature prints the beginning of a function that reads a type.
func (p *emitter) signature(name, typ, params string) {
	if !p.g.typed {
		p.f("func (r *reader) %s(%s) (v Value, ok bool) {\n", name, params)
		return
	}
	if params != "" {
		params = ", " + params
	}
	p.f("func (r *reader) %s(x *%s%s) (ok bool) {\n", name, typ, params)
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

// params returns the registers that a function takes. For a routine they are its arguments. For
// an arm they are those that its statements use, and the word of the union.
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
	p.signature(name, g.readType(r, nil), params(r, nil, true))
	p.enter(r)
	other := slices.ContainsFunc(u.Arms, func(a *model.Arm) bool { return a.Else })
	if !other {
		p.f("at := r.pos\n")
	}
	if u.Word != builtin.NoScalar {
		switch {
		case u.Order != nil:
			p.f("r%d, ok := r.number(%s, r%d != 0, %d)\nif %s", u.Reg, scalarConst(u.Word), u.Order.Reg, u.Rule, p.failed())
		case g.typed:
			p.f("b := r.next(%d)\nif b == nil {\nreturn r.cut(%d, %d)\n}\nr%d := %s\n", u.Word.Width(), u.Word.Width(), u.Rule, u.Reg, g.load(u.Word, u.Swapped, "b", "int64", false))
		default:
			p.f("r%d, ok := r.number(%s, %s, %d)\nif %s", u.Reg, scalarConst(u.Word), bigConst(u.Swapped), u.Rule, p.failed())
		}
	}
	p.f("n := %s\n", g.number(u.Expr, "r"))
	listed := u.Listed()
	if listed {
		p.f("switch {\n")
	} else {
		p.f("switch n {\n")
	}
	for _, a := range u.Arms {
		switch {
		case a.Else:
			p.f("default:\n")
		case listed:
			p.f("case %s:\n", among(a.IDs))
		default:
			p.f("case %d:\n", int64(a.ID))
		}
		if g.typed {
			p.readArm(r, a)
			continue
		}
		p.f("v, ok = r.read%s(%s)\n", g.arm[a], params(r, a, false))
	}
	if !other {
		p.f("default:\nreturn r.refuse(ErrType, at, %d, \"a known type\", \"number \"+numberText(uint64(n)))\n", u.Rule)
	}
	p.f("}\n")
	p.leave(r)
	if g.typed {
		p.f("return true\n}\n\n")
		return
	}
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
	if p.g.typed {
		body = joined(body)
	}
	uses := model.Uses(body, false)
	args := 0
	if r != nil {
		args = r.Args
	}
	p.registers(setIn(body), uses, args)
	if p.cellsOf(t); p.g.typed {
		p.typedHead()
	} else {
		for i := range t.Fields {
			p.f("var c%d Value\n", i)
		}
	}
	if p.pads = hasPad(body); p.pads {
		p.f("last := 0\n")
	}
	p.readBlock(body, uses, false)
	p.leave(r)
	if p.g.typed {
		p.typedEnd(t, rule)
		return
	}
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

// registers declares the registers that are set and used, but for the arguments.
func (p *emitter) registers(set, uses map[int]bool, args int) {
	var regs []string
	for _, i := range sortedKeys(set) {
		if uses[i] && i >= args {
			regs = append(regs, fmt.Sprintf("r%d", i))
		}
	}
	if len(regs) > 0 {
		p.f("var %s int64\n", strings.Join(regs, ", "))
	}
}

// cellsOf sets the places of the cells of a record.
func (p *emitter) cellsOf(t *model.Type) {
	p.run, p.tuple, p.lanes = nil, "", nil
	if g := p.g; g.typed {
		g.cells = g.places(t)
		if p.value {
			g.cells[0].x, g.cells[0].field = "x", "x"
		}
		if lanesOf(t) != nil {
			p.tuple, p.lanes = g.goType[t], g.fieldNames(t)
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

// info is the variable that describes a type.
func (g *generator) info(t *model.Type) string {
	if t.Tag == 0 {
		return fmt.Sprintf("&element%d", t.Index)
	}
	return fmt.Sprintf("&types[%s]", g.typeConst[t])
}

// failed prints what follows the if of a call that may fail.
func (p *emitter) failed() string { return "!ok {\nreturn " + p.none() + "\n}\n" }

// none prints the results of a function that has failed.
func (p *emitter) none() string {
	if p.g.typed {
		return "false"
	}
	return "Value{}, false"
}

func (p *emitter) readBlock(block []*model.Stmt, uses map[int]bool, after bool) {
	for i, s := range block {
		if p.g.typed {
			p.begin(block[i:], uses)
		}
		at, size := "", 0
		padded := model.Padded(block, i, after, false)
		if s.Sized(false) && s.Op != model.OpLeave && s.Op != model.OpSize && padded {
			if p.g.typed {
				size = p.fixed(s)
			}
			if size == 0 {
				at = p.fresh("at")
				p.f("%s := r.pos\n", at)
			}
		}
		p.readStmt(s, uses, padded)
		if at != "" {
			p.f("last = r.pos - %s\n", at)
		}
		if size > 0 { // the cursor is behind the run that the statement is in
			p.f("last = %d\n", size)
		}
		if s.Op == model.OpSize && padded {
			p.f("last = int(r%d)\n", s.Reg)
		}
	}
}

// arguments prints the arguments of a routine after other ones. side is the variable of the
// reader or the writer.
func (g *generator) arguments(args []*model.Expr, side string, list ...string) string {
	for _, a := range args {
		list = append(list, g.number(a, side))
	}
	return strings.Join(list, ", ")
}

// reads prints the function that reads an element of a list, which gets arguments.
func (g *generator) reads(r *model.Routine, args []*model.Expr) string {
	if len(args) == 0 {
		return "(*reader).read" + g.routine[r]
	}
	return fmt.Sprintf("func(r *reader) (Value, bool) { return r.read%s(%s) }", g.routine[r], g.arguments(args, "r"))
}

// count prints the number of elements of a size that a reader takes for text or an array. If
// it ends before bytes, they are looked for first.
func (p *emitter) count(s *model.Stmt, size int) string {
	switch {
	case s.End == nil && s.Expr == nil:
		return fmt.Sprintf("int64((r.end-r.pos)/%d)", size)
	case s.End == nil:
		return p.g.number(s.Expr, "r")
	}
	n := p.fresh("n")
	call := fmt.Sprintf("until(%q, %d, %d)", s.End.Bytes, s.End.Unit, s.Rule)
	if s.End.Fill {
		call = fmt.Sprintf("filled(%s, %q, %t, %d)", p.g.number(s.Expr, "r"), s.End.Bytes, s.End.Last, s.Rule)
	}
	p.f("%s := r.%s\nif %s < 0 {\nreturn %s\n}\n", n, call, n, p.none())
	return n
}

// over prints the step over the bytes that end content.
func (p *emitter) over(s *model.Stmt) {
	if s.End == nil {
		return
	}
	if s.End.Zero {
		p.f("if bytes.IndexByte(r.in[r.begin:r.pos], 0) >= 0 {\nreturn r.refuse(ErrValue, r.begin, %d, %q, \"\")\n}\n", s.Rule, "text without a zero byte, which ends it before its row is filled")
	}
	if s.End.Check {
		p.f("if !ends(%s, %q, %d, %t) {\nreturn r.refuse(ErrValue, r.begin, %d, lacking(\"text\", %[2]q, %[4]t), \"\")\n}\n", p.g.content(s), s.End.Bytes, s.End.Unit, s.End.Last, s.Rule)
	}
	p.f("if _, ok = r.take(r.tail, %d); %s", s.Rule, p.failed())
}

// sumOf prints the checksum of bytes.
func sumOf(s *model.Stmt, bytes string) string {
	switch c, low := s.CRC(); {
	case c == nil:
		return fmt.Sprintf("sum%s(%s)", model.Pascal(s.Sum.String()), bytes)
	case low:
		return fmt.Sprintf("crcLow(%s, %#x, %#x, %#x)", bytes, c.Low(), c.LowInit(), c.Xor)
	default:
		return fmt.Sprintf("crcHigh(%s, %d, %#x, %#x, %#x)", bytes, c.Bits, c.Poly, c.Init, c.Xor)
	}
}

// sum prints a checksum of the bytes that a side, the reader or the writer, has.
func sum(s *model.Stmt, side, bytes string) string {
	p := s.Parts[0]
	one := len(s.Parts) == 1 && p.With < 0
	if s.Holes {
		from, to := "0", "len("+bytes+")"
		if one {
			from, to = fmt.Sprintf("int(r%d)", p.From), fmt.Sprintf("int(r%d)", p.To)
		}
		bytes = fmt.Sprintf("without(%s, %s, %s, notesOf(%s.bases, %d), %d)", bytes, from, to, side, s.Base, s.Fill)
		if one {
			return sumOf(s, bytes)
		}
	}
	if one {
		return sumOf(s, fmt.Sprintf("%s[r%d:r%d]", bytes, p.From, p.To))
	}
	spans := bytes
	for _, p := range s.Parts {
		spans += fmt.Sprintf(", span{r%d, r%d, %d}", p.From, p.To, p.With)
	}
	return sumOf(s, fmt.Sprintf("covered(&%s.summed, %s)", side, spans))
}

// wide marks a number that is stored in the wider of two forms.
func (p *emitter) wide(s *model.Stmt) {
	if s.Wide {
		p.f("c%d.form |= formWide\n", s.Cell)
	}
}
