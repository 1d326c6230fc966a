// Reading single statements.

package golang

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// readStmt prints the reading of a statement.
func (p *emitter) readStmt(s *model.Stmt, uses map[int]bool, padded bool) {
	if p.g.typed && s.Op.Keeps() {
		p.readCell(s)
		return
	}
	if !p.readPlace(s, uses) && !p.readWord(s, uses) && !p.readLeaf(s) && !p.readParts(s, uses, padded) {
		panic("golang: statement " + s.Op.String())
	}
}

// back prints the position of the number that a statement is about.
func (p *emitter) back(s *model.Stmt) string {
	if s.Back > 0 {
		return fmt.Sprintf("r.before(%d)", s.Back)
	}
	return "r.pos"
}

// readPlace prints a statement about places and regions, and reports whether it is one. Those of a writer print nothing.
func (p *emitter) readPlace(s *model.Stmt, uses map[int]bool) bool {
	g := p.g
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpBits, model.OpSubst, model.OpAbsent, model.OpExpect, model.OpChoose:
		// these write
	case model.OpBase:
		p.f("r.openBase(%d, %d)\n", s.Base, s.Back)
	case model.OpGaps:
		p.f("if !r.readGaps(%d) {\nreturn %s\n}\n", s.Rule, p.none())
	case model.OpClose:
		p.f("if !r.endBase(%d) {\nreturn %s\n}\n", s.Rule, p.none())
	case model.OpSeek:
		c := "nil"
		if s.Align > 0 {
			c = fmt.Sprintf("&chosen{align: %d, any: %t}", s.Align, s.Any)
		}
		p.f("if !r.seek(%d, %s, %d, %d, %s, %t) {\nreturn %s\n}\n", s.Base, p.g.number(s.Expr, "r"), s.Part, s.Rule, c, s.View, p.none())
	case model.OpBack:
		p.f("if !r.back() {\nreturn %s\n}\n", p.none())
	case model.OpPad:
		p.f("if !r.pad(%d, last, %t, %t, %#02x, %d) {\nreturn %s\n}\n", s.Align, s.OrEnd, s.Exact, s.Fill, s.Rule, p.none())
	case model.OpStop:
		p.f("r.stop = %s\n", g.cond(s.Expr, "r"))
	case model.OpEnter:
		v := p.fresh("region")
		p.open = append(p.open, v)
		p.f("%sEnd, %sStart := r.end, r.pos\n_ = %sStart\n", v, v, v)
		p.f("if !r.enter(%s, %d) {\nreturn %s\n}\n", p.g.number(s.Expr, "r"), s.Rule, p.none())
	case model.OpLeave:
		v := p.open[len(p.open)-1]
		p.open = p.open[:len(p.open)-1]
		p.f("if !r.leave(%d) {\nreturn %s\n}\nr.end = %sEnd\n", s.Rule, p.none(), v)
		if p.pads {
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
	case model.OpNote:
		p.f("if !r.note(%d, %d, uint64(r%d), %d) {\nreturn %s\n}\n", s.Base, s.Bytes(), s.Reg, s.Rule, p.none())
	default:
		return false
	}
	return true
}

// readWord prints a statement about a number, a register or a condition, and reports whether it is one.
func (p *emitter) readWord(s *model.Stmt, uses map[int]bool) bool {
	g := p.g
	switch s.Op {
	case model.OpWord:
		if s.Coding != builtin.Fixed {
			reg := "_"
			if uses[s.Reg] {
				reg = fmt.Sprintf("r%d", s.Reg)
			}
			word, args := codingCall(s.Coding)
			p.f("if %s, ok = r.%sNumber(%s, %t, %d); %s", reg, word, args, s.Longer, s.Rule, p.failed())
		} else if g.typed {
			if b := p.bytes(s.Scalar.Width()); uses[s.Reg] {
				p.f("r%d = %s\n", s.Reg, g.load(s.Scalar, s.Swapped, b, "int64", false))
			}
		} else if uses[s.Reg] {
			p.f("if r%d, ok = r.number(%s, %s, %d); %s", s.Reg, scalarConst(s.Scalar), bigConst(s.Swapped), s.Rule, p.failed())
		} else {
			p.f("if _, ok = r.take(%d, %d); %s", s.Scalar.Width(), s.Rule, p.failed())
		}
	case model.OpLet:
		if uses[s.Reg] {
			p.f("r%d = %s\n", s.Reg, p.g.number(s.Expr, "r"))
		}
	case model.OpCheck:
		if s.Unread {
			break
		}
		p.f("if %s {\nreturn r.refuse(ErrValue, %s, %d, \"\", %s)\n}\n", unless(g.cond(s.Expr, "r")), p.back(s), s.Rule, g.refused(s, "r"))
	case model.OpGate:
		p.f("if r.open>>%d&1 == 0 {\nreturn r.refuse(ErrClosed, r.pos, %d, \"\", %q)\n}\n", s.Gate, s.Rule, g.m.Gates[s.Gate]+" are read only where the caller allows it")
	case model.OpSum:
		if s.Needed(uses, false) {
			p.f("r%d = %s\n", s.Reg, sum(s, "r", "r.in"))
		}
	case model.OpTotal:
		if s.Reads(uses) {
			p.f("if len(r.closed.notes) > 0 {\n%sif !r.totals(uint64(%s)) {\nreturn %s\n}\n}\n", totalled(s, "r", uses), p.g.number(s.Expr, "r"), p.none())
		}
	case model.OpCompare:
		if s.Derived {
			x := p.fresh("want")
			p.f("if %s := %s; r%d != %s {\nreturn r.refuse(ErrValue, int(r%d)-%d, %d, \"\", unequalText(%q, int64(r%d), int64(%s)))\n}\n",
				x, p.g.number(s.Expr, "r"), s.Reg, x, s.Place, s.Back, s.Rule, s.Text, s.Reg, x)
			break
		}
		x := p.fresh("want")
		p.f("if %s := %s; r%d != %s {\nreturn r.wrongSum(r%d, %d, %q, r%d, %s)\n}\n", x, p.g.number(s.Expr, "r"), s.Reg, x, s.Place, s.Rule, s.Text, s.Reg, x)
	default:
		return false
	}
	return true
}

// readLeaf prints the reading of a cell without parts, and reports whether the statement is one.
func (p *emitter) readLeaf(s *model.Stmt) bool {
	g := p.g
	switch s.Op {
	case model.OpScalars:
		if s.Coding != builtin.Fixed {
			word, args := codingCall(s.Coding)
			p.f("if c%d, ok = r.%sScalar(%s, %s, %t, %d); %s", s.Cell, word, scalarConst(s.Scalar), args, s.Longer, s.Rule, p.failed())
			break
		}
		p.f("if c%d, ok = r.scalar(%s, %s, %d); %s", s.Cell, scalarConst(s.Scalar), bigConst(s.Swapped), s.Rule, p.failed())
		p.wide(s)
	case model.OpTruth:
		p.f("if c%d, ok = r.truth(%s, %s, %t, %d); %s", s.Cell, scalarConst(s.Scalar), bigConst(s.Swapped), s.Nonzero, s.Rule, p.failed())
	case model.OpTake:
		switch s.Take {
		case builtin.Bool:
			p.f("c%d = makeBool(0, r%d != 0)\n", s.Cell, s.Reg)
		case builtin.Int:
			p.f("c%d = makeInt(0, r%d)\n", s.Cell, s.Reg)
		default:
			p.f("c%d = makeUint(0, uint64(r%d))\n", s.Cell, s.Reg)
		}
		p.wide(s)
	case model.OpArmRef:
		p.f("if c%d, ok = r.name%s(r%d, %s, %d); %s", s.Cell, g.routine[s.Elem], s.Reg, p.back(s), s.Rule, p.failed())
	case model.OpLanes:
		p.f("if c%d, ok = r.lanes(%s, %d, %s, %d); %s", s.Cell, scalarConst(s.Scalar), s.Width, bigConst(s.Swapped), s.Rule, p.failed())
		p.wide(s)
	case model.OpText:
		p.f("if c%d, ok = r.text(&encodings[%d], %s, %d); %s", s.Cell, s.Encoding, p.count(s, 1), s.Rule, p.failed())
		p.over(s)
	case model.OpPacked:
		n := p.count(s, s.Width*s.Scalar.Width())
		p.f("if c%d, ok = r.packed(%s, %d, %s, %s, %d); %s", s.Cell, scalarConst(s.Scalar), s.Width, n, bigConst(s.Swapped), s.Rule, p.failed())
		p.over(s)
		p.wide(s)
	default:
		return false
	}
	return true
}

// readParts prints the reading of a cell with parts, or a condition, and reports whether the statement is one.
func (p *emitter) readParts(s *model.Stmt, uses map[int]bool, padded bool) bool {
	g := p.g
	keys, elems := s.Given()
	switch s.Op {
	case model.OpList:
		if g.fast != nil && s.Elem == g.m.Root {
			p.f("if c%d, ok = r.values(%s, %d, %q); %s", s.Cell, p.g.number(s.Expr, "r"), s.Rule, s.Step, p.failed())
			break
		}
		p.f("if c%d, ok = r.list(%s, %d, %d, %q, %s); %s", s.Cell, p.g.number(s.Expr, "r"), s.Elem.Min, s.Rule, s.Step, g.reads(s.Elem, elems), p.failed())
	case model.OpMap:
		p.f("if c%d, ok = r.pairs(%s, %d, %d, %q, %s, %s); %s", s.Cell, p.g.number(s.Expr, "r"), s.Key.Min+s.Elem.Min, s.Rule, s.Step, g.reads(s.Key, keys), g.reads(s.Elem, elems), p.failed())
	case model.OpRest:
		if s.Spare > 0 {
			p.f("if c%d, ok = r.spare(%d, %d, %q, %s); %s", s.Cell, s.Spare, s.Rule, s.Step, g.reads(s.Elem, elems), p.failed())
			break
		}
		rest := "rest"
		if s.Stops {
			rest = "through"
		}
		p.f("if c%d, ok = r.%s(%d, %q, %s); %s", s.Cell, rest, s.Rule, s.Step, g.reads(s.Elem, elems), p.failed())
	case model.OpCall:
		p.f("if c%d, ok = r.read%s(%s); !ok {\nreturn r.within(\"\", step{name: %q})\n}\n", s.Cell, g.routine[s.Elem], g.arguments(s.Args, "r"), s.Step)
	case model.OpIf:
		p.f("if %s {\n", g.cond(s.Expr, "r"))
		p.readBlock(s.Then, uses, padded)
		if len(s.Else) > 0 {
			before := p.Len()
			p.f("} else {\n")
			inner := p.Len()
			p.readBlock(s.Else, uses, padded)
			if p.Len() == inner { // there was nothing to read
				text := p.String()[:before]
				p.Reset()
				p.WriteString(text)
			}
		}
		p.f("}\n")
	default:
		return false
	}
	return true
}
