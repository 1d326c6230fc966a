// Writing single statements.

package golang

import (
	"fmt"
	"math"
	"strconv"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

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

// typedNumber prints a number as an int64 if it is a constant, which has no type otherwise.
func typedNumber(x string) string {
	if _, err := strconv.ParseInt(x, 10, 64); err == nil || x == "math.MinInt64" {
		return "int64(" + x + ")"
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

// coded prints the bytes of a number of a coding after others. It first refuses what the coding
// does not hold.
func (p *emitter) coded(s *model.Stmt, out, x string) string {
	c := s.Coding
	switch {
	case c.End() != "":
		return fmt.Sprintf("appendEnded(%s, %s, %s)", out, endedArgs(c), x)
	case !c.InDigits():
		if !c.Holds(math.MaxUint64) {
			p.require("atMost(%d, %s, %d)", c.Most(), x, s.Rule)
		}
		return fmt.Sprintf("appendCoded(%s, %s, %s)", out, codingConst(c), x)
	}
	if !c.Holds(math.MaxUint64) {
		p.require("inDigits(%q, %d, %s, %d)", c.Alphabet(), c.Digits(), x, s.Rule)
	}
	return fmt.Sprintf("appendDigits(%s, %s, %s)", out, digitsArgs(c), x)
}

// numberOf prints an expression of a writer.
func (p *emitter) numberOf(e *model.Expr) string { return p.g.number(e, "w") }

// kind prints the test that a cell is of a kind.
func (p *emitter) kind(s *model.Stmt, kind, want string) {
	p.f("if c%d.kind != %s {\nreturn w.mismatch(%d, c%d, %q)\n}\n", s.Cell, kind, s.Rule, s.Cell, want)
}

// counted prints the test that a cell has as many elements as its count says.
func (p *emitter) counted(s *model.Stmt) {
	if s.Expr == nil {
		return
	}
	p.tested(s.Expr, s.Rule)
	p.f("if n := int64(%s); n != int64(c%d.n) {\nreturn w.counted(%d, n, int64(c%d.n))\n}\n", p.numberOf(s.Expr), s.Cell, s.Rule, s.Cell)
}

// writeStmt prints the writing of a statement.
func (p *emitter) writeStmt(s *model.Stmt, uses map[int]bool, padded bool) {
	for _, a := range s.Args {
		p.tested(a, s.Rule)
	}
	if p.g.typed && s.Op != model.OpTake && (s.Op.Keeps() || s.Op == model.OpExpect || s.Op == model.OpAbsent || s.Op == model.OpSubst) {
		p.writeCell(s)
		return
	}
	if !p.writePlace(s, uses) && !p.writeWord(s, uses) && !p.writeLeaf(s) && !p.writeParts(s, uses, padded) {
		panic("golang: statement " + s.Op.String())
	}
}

// writePlace prints a statement about places, and reports whether it is one. Those of a reader print nothing.
func (p *emitter) writePlace(s *model.Stmt, uses map[int]bool) bool {
	g := p.g
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
		p.require("seek(%d, %s, %d, %d, %s, %t, %t)", s.Base, p.numberOf(s.Expr), s.Part, s.Rule, c, s.Last, s.View)
	case model.OpBack:
		p.do("back()")
		if g.typed {
			p.f("out = w.out\n")
		}
	case model.OpChoose:
		p.f("r%d = int64(w.choose())\n", s.Reg)
	case model.OpPad:
		p.f("%[1]s = padded(%[1]s, %[2]d, last, %#02[3]x)\n", p.out(), s.Align, s.Fill)
	case model.OpStop:
		p.f("%s = %s\n", p.stops(), g.cond(s.Expr, "w"))
	case model.OpMark:
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, p.place())
		}
	case model.OpSize:
		p.f("r%d = int64(len(%s)) - r%d\n", s.Reg, p.out(), s.Place)
	case model.OpNote:
		p.require("note(%d, %d, %d)", s.Base, s.Bytes(), s.Rule)
	default:
		return false
	}
	return true
}

// writeWord prints a statement about a number, a register or a condition, and reports whether it is one.
func (p *emitter) writeWord(s *model.Stmt, uses map[int]bool) bool {
	g := p.g
	switch s.Op {
	case model.OpHeader, model.OpWord:
		if s.Place >= 0 {
			if uses[s.Place] { // else the row that has the size is never there
				p.f("r%d = %s\n", s.Place, p.place())
			}
			switch {
			case s.Coding == builtin.Fixed:
				p.put(s.Scalar, s.Swapped, "0")
			case s.Coding.InDigits():
				p.f("%[1]s = appendDigits(%[1]s, %[2]s, 0)\n", p.out(), digitsArgs(s.Coding))
			}
			break
		}
		whole := g.typed && uses[s.Reg] && s.Expr.Op == model.ExprFit && !hasFit(s.Expr.Args[0])
		if !whole {
			p.tested(s.Expr, s.Rule)
		}
		x := p.numberOf(s.Expr)
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
			p.f("%s := %s\n", v, g.int64(s.Expr, "w"))
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
			x := p.numberOf(s.Expr)
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
		p.f("if %s {\n%s}\n", unless(g.cond(s.Expr, "w")), p.refuse("fail(ErrValue, %d, \"\", %s)", s.Rule, g.refused(s, "w")))
	case model.OpGate:
		p.f("if w.open>>%d&1 == 0 {\n%s}\n", s.Gate, p.refuse("fail(ErrClosed, %d, \"\", %q)", s.Rule, g.m.Gates[s.Gate]+" are written only where the caller allows it"))
	case model.OpSum:
		if s.Needed(uses, true) {
			p.f("r%d = %s\n", s.Reg, sum(s, "w", p.out()))
		}
	case model.OpTotal:
		p.total(s, uses)
	case model.OpPatch:
		p.tested(s.Expr, s.Rule)
		x := p.fresh("n")
		p.f("%s := %s\n", x, g.int64(s.Expr, "w"))
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
		return false
	}
	return true
}

// writeLeaf prints the writing of a cell without parts, or a test of it. It reports whether the statement is one of
// these.
func (p *emitter) writeLeaf(s *model.Stmt) bool {
	g := p.g
	switch s.Op {
	case model.OpExpect:
		if s.Scalar == builtin.NoScalar {
			p.kind(s, "KindBool", "a bool")
		} else {
			p.require("integer(%s, c%d, %d)", scalarConst(s.Scalar), s.Cell, s.Rule)
		}
	case model.OpScalars:
		if s.Coding != builtin.Fixed {
			p.require("integer(%s, c%d, %d)", scalarConst(s.Scalar), s.Cell, s.Rule)
			p.f("w.out = %s\n", p.coded(s, "w.out", fmt.Sprintf("c%d.u", s.Cell)))
			break
		}
		p.try("scalar(%s, c%d, %s, %d)", scalarConst(s.Scalar), s.Cell, bigConst(s.Swapped), s.Rule)
	case model.OpTruth:
		p.kind(s, "KindBool", "a bool")
		p.put(s.Scalar, s.Swapped, fmt.Sprintf("c%d.u&1", s.Cell))
	case model.OpArmRef:
		p.kind(s, "KindUnit", "a type")
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
			p.counted(s)
		} else {
			p.f("if c%d.scalar() != %s {\nreturn w.mismatch(%d, c%d, \"numbers of u8\")\n}\n", s.Cell, scalarConst(s.Scalar), s.Rule, s.Cell)
		}
		fill := p.delimit(s)
		p.try("numbers(%s, c%d, %s, %d)", scalarConst(s.Scalar), s.Cell, bigConst(s.Swapped), s.Rule)
		p.f("%s", fill)
	case model.OpText:
		p.kind(s, "KindText", "text")
		n := p.g.length(s)
		if s.Expr != nil && s.End == nil {
			p.tested(s.Expr, s.Rule)
			n = p.numberOf(s.Expr)
		}
		fill := p.delimit(s)
		p.try("text(&encodings[%d], c%d, %s, %d)", s.Encoding, s.Cell, n, s.Rule)
		p.f("%s", fill)
	case model.OpAbsent:
		p.f("if c%d.kind != KindNone {\nreturn w.fail(ErrMismatch, %d, %q, describe(c%d))\n}\n", s.Cell, s.Rule, "no value of "+g.m.Rules[s.Rule].Name+" beside the other fields", s.Cell)
	case model.OpSubst:
		p.f("w.subst%s(&c%d)\n", g.routine[s.Elem], s.Cell)
	default:
		return false
	}
	return true
}

// writeParts prints the writing of a cell with parts, or a condition, and reports whether the statement is one.
func (p *emitter) writeParts(s *model.Stmt, uses map[int]bool, padded bool) bool {
	g := p.g
	keys, elems := s.Given()
	switch s.Op {
	case model.OpList, model.OpRest:
		p.kind(s, "KindList", "a list")
		p.counted(s)
		if s.Stops {
			p.try("through(%d, c%d, %q, %s)", s.Rule, s.Cell, s.Step, g.writes(s.Elem, elems))
			break
		}
		if s.Spare > 0 {
			p.try("spare(c%d, %q, %s)", s.Cell, s.Step, g.writes(s.Elem, elems))
			break
		}
		p.try("list(c%d, %q, %s)", s.Cell, s.Step, g.writes(s.Elem, elems))
	case model.OpMap:
		p.kind(s, "KindMap", "a map")
		p.counted(s)
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
	default:
		return false
	}
	return true
}

// delimit prints the checks of content that ends before bytes. It returns the statements that
// write these bytes after it.
func (p *emitter) delimit(s *model.Stmt) (after string) {
	e := s.End
	if e == nil {
		return ""
	}
	p.require("ends(%s, %q, %d, %t, %d)", p.g.content(s), e.Bytes, e.Unit, e.Last, s.Rule)
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
