// Statements that both directions have.

package script

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// block prints statements, with the sizes that padding goes by. after is as for
// [model.Padded].
func (g *Module) block(block []*model.Stmt, after bool) {
	rec := g.Record
	at, place, tested := "", rec.side+".pos", maps.Clone(rec.tested)
	for i, s := range block {
		kept := rec.pad && model.Padded(block, i, after, rec.Writing)
		sized := kept && s.Sized(rec.Writing) && s.Op != model.OpLeave && s.Op != model.OpSize
		if sized {
			at = rec.Place()
			g.Do(g.l.Let, at, place)
		}
		g.statement(s, kept)
		g.p.Settle(s)
		switch {
		case sized:
			g.Set("last", place+" - "+at)
		case kept && s.Op == model.OpSize:
			g.Set("last", Reg(s.Reg))
		}
	}
	rec.tested = tested
}

// statement prints a statement that is much the same in both directions. kept is whether
// padding may go by its size.
func (g *Module) statement(s *model.Stmt, kept bool) {
	rec, r := g.Record, Reg(s.Reg)
	switch s.Op {
	case model.OpLet, model.OpBits:
		if rec.Uses[s.Reg] && (s.Op == model.OpLet || rec.Writing) {
			g.tested(s.Expr, s.Rule)
			g.Set(r, g.p.Kept(s))
		}
	case model.OpCheck:
		if s.Unread && !rec.Writing {
			break
		}
		g.tested(s.Expr, s.Rule)
		g.Refuse(g.not(g.Cond(s.Expr)), "value", back(s), s.Rule, "", g.refused(s))
		g.p.Assume(s.Expr, true)
	case model.OpStop:
		g.tested(s.Expr, s.Rule)
		g.Do("%s.stop = %s", rec.side, g.Cond(s.Expr))
	case model.OpIf:
		g.tested(s.Expr, s.Rule)
		var otherwise func()
		if slices.ContainsFunc(s.Else, func(s *model.Stmt) bool { return rec.Writing || s.Reads(rec.Uses) }) {
			otherwise = func() { g.p.Under(s.Expr, false, func() { g.block(s.Else, kept) }) }
		}
		g.If(g.Cond(s.Expr), func() { g.p.Under(s.Expr, true, func() { g.block(s.Then, kept) }) }, otherwise)
	case model.OpGate:
		done := "read"
		if rec.Writing {
			done = "written"
		}
		g.Refuse(g.closed(s.Gate), "closed", "r.pos", s.Rule, "", Quote(g.Gates[s.Gate]+" are "+done+" only where the caller allows it"))
	case model.OpMark:
		if rec.Uses[s.Reg] {
			g.Set(r, rec.side+".pos")
		}
	case model.OpSize:
		if rec.Uses[s.Reg] {
			g.Set(r, rec.side+".pos - "+Reg(s.Place))
		}
	case model.OpSum:
		if s.Needed(rec.Uses, rec.Writing) {
			g.Set(r, g.sum(s))
		}
	case model.OpTotal:
		g.total(s)
	case model.OpCompare:
		if !rec.Writing {
			g.compare(s)
		}
	case model.OpCall:
		g.called(s)
	case model.OpBase:
		back := s.Back
		if rec.Writing {
			back = 0 // the record begins with its number
		}
		g.Do("%s.base(%d, %d)", rec.side, s.Base, back)
	case model.OpGaps:
		g.Do("%s.gaps(%d)", rec.side, s.Rule)
	case model.OpClose:
		g.Do("%s.close(%d)", rec.side, s.Rule)
	case model.OpSeek:
		g.seek(s)
	case model.OpBack:
		g.Do("%s.back()", rec.side)
	default:
		if rec.Writing {
			g.write(s)
		} else {
			g.read(s)
		}
	}
}

// seek prints the beginning of a part. If a writer chooses its place, the last argument is how a
// reader takes other places, or the number of the place of a writer.
func (g *Module) seek(s *model.Stmt) {
	rec, more := g.Record, ""
	if rec.Writing {
		more = ", " + g.Boolean(s.Last)
	}
	more += ", " + g.Boolean(s.View)
	if s.Align > 0 {
		last := Reg(s.Reg)
		if !rec.Writing {
			last = g.Boolean(s.Any)
		}
		more += fmt.Sprintf(", %d, %s", s.Align, last)
	}
	g.tested(s.Expr, s.Rule)
	g.Do("%s.seek(%d, %s, %d, %d%s)", rec.side, s.Base, g.p.Print(s.Expr), s.Part, s.Rule, more)
}

// sum returns the checksum of parts of the input or the output.
func (g *Module) sum(s *model.Stmt) string {
	bytes := g.Record.side + "." + g.l.Input
	if g.Record.Writing {
		bytes = g.Record.side + "." + g.l.Output
	}
	if s.Holes {
		bytes = fmt.Sprintf("%s.holed(%d, %d)", g.Record.side, s.Base, s.Fill)
	}
	var parts []string
	for _, p := range s.Parts {
		parts = append(parts, fmt.Sprintf(g.l.Part, Reg(p.From), Reg(p.To), p.With))
	}
	return g.sumOf(s, g.Fn("covered")+"("+bytes+", ["+strings.Join(parts, ", ")+"])")
}

// sumOf prints the checksum of bytes.
func (g *Module) sumOf(s *model.Stmt, bytes string) string {
	switch c, low := s.CRC(); {
	case c == nil:
		return g.Fn(append([]string{"sum"}, strings.Split(s.Sum.String(), "_")...)...) + "(" + bytes + ")"
	case low:
		return fmt.Sprintf("%s(%s, %#x, %#x, %#x)", g.Fn("crc", "low"), bytes, c.Low(), c.LowInit(), c.Xor)
	default:
		return fmt.Sprintf("%s(%s, %d, %#x, %#x, %#x)", g.Fn("crc", "high"), bytes, c.Bits, c.Poly, c.Init, c.Xor)
	}
}

// total prints the checksum of the base that was closed last. A writer writes it once more, and moves
// these bytes to the words that were noted.
func (g *Module) total(s *model.Stmt) {
	rec := g.Record
	if !rec.Writing && s.Any {
		return
	}
	g.Set(Reg(s.Reg), g.sumOf(s, fmt.Sprintf("%s.totalled(%d)", rec.side, s.Fill)))
	if !rec.Writing {
		g.Do("r.totals(%s)", g.p.Print(s.Expr))
		return
	}
	word := *s
	word.Op, word.Place, word.Reg = model.OpWord, -1, -1
	g.writeWord(&word)
	g.Do("w.totals(%d)", s.Bytes())
}

// compare prints the refusal of a redundant number, or of a checksum, that is not the computed one.
func (g *Module) compare(s *model.Stmt) {
	lo, hi := model.ScalarBounds(builtin.U64)
	reg := &model.Expr{Op: builtin.Ref, Reg: s.Reg, Min: lo, Max: hi}
	kind, text, at := "checksum", g.Fn("sum", "text"), Reg(s.Place)
	if s.Back > 0 {
		at += fmt.Sprintf(" - %d", s.Back)
	}
	if s.Derived {
		kind, text = "value", g.Fn("unequal", "text")
	}
	found := fmt.Sprintf("%s(%s, %s, %s)", text, Quote(s.Text), Reg(s.Reg), g.p.Print(s.Expr))
	g.Refuse(g.p.Compare(builtin.Ne, reg, s.Expr), kind, at, s.Rule, "", found)
}

// back is the place of the row that a statement is about, in reading.
func back(s *model.Stmt) string {
	if s.Back > 0 {
		return fmt.Sprintf("r.before(%d)", s.Back)
	}
	return "r.pos"
}

// called prints the call of a routine.
func (g *Module) called(s *model.Stmt) {
	rec, c := g.Record, Cell(s.Cell)
	args := g.arguments(s.Elem, s.Args, s.Rule)
	name := g.Function[s.Elem]
	if v := rec.vars[c]; v != nil && v.Once {
		v.Once = false
		g.p.Declare(v)
	}
	g.Raw(g.l.Try + "\n")
	g.Block(func() {
		f := rec.Type.Fields[s.Cell]
		switch {
		case !rec.Writing:
			g.Set(c, g.Fn("read", name)+"(r"+args+")")
		case f.Optional || rec.replaced[s.Cell] || g.l.Loose:
			g.Mismatch(g.absent(c, f), s.Rule, c, "a value")
			fallthrough
		default:
			g.Do("%s(w, %s%s)", g.Fn("write", name), c, args)
		}
	})
	g.Raw(fmt.Sprintf(g.l.Catch, Quote("."+s.Step)))
}

// arguments prints the arguments of a routine, each after a comma.
func (g *Module) arguments(r *model.Routine, args []*model.Expr, rule int) string {
	text := ""
	for i, a := range args {
		g.tested(a, rule)
		text += ", " + g.p.Argument(a, r.Exact[i])
	}
	return text
}

// element prints the function that reads or writes an element of a list, which gets arguments.
func (g *Module) element(r *model.Routine, args []*model.Expr, rule int) string {
	verb, params := "read", "r"
	if g.Record.Writing {
		verb, params = "write", "w, v"
	}
	name := g.Fn(verb, g.Function[r])
	if len(args) == 0 {
		return name
	}
	return fmt.Sprintf(g.l.Closure, params, name+"("+params+g.arguments(r, args, rule)+")")
}

// encoding prints the encoding of a text.
func (g *Module) encoding(s *model.Stmt) string { return fmt.Sprintf(g.l.Encoding, s.Encoding) }
