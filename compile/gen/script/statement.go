// Statements that both directions have.

package script

import (
	"fmt"
	"slices"

	"github.com/octable/octable/compile/gen/model"
)

// block prints statements, with the sizes that padding goes by.
func (g *Module) block(block []*model.Stmt) {
	rec := g.Record
	at, place := "", rec.side+".pos"
	for i, s := range block {
		kept := rec.pad && model.Padded(block, i, rec.Writing)
		sized := kept && s.Sized(rec.Writing) && s.Op != model.OpLeave && s.Op != model.OpSize
		if sized {
			at = rec.Place()
			g.Do(g.l.Let, at, place)
		}
		g.statement(s)
		g.p.Settle(s)
		switch {
		case sized:
			g.Set("last", place+" - "+at)
		case kept && s.Op == model.OpSize:
			g.Set("last", Reg(s.Reg))
		}
	}
}

// statement prints a statement that is much the same in both directions.
func (g *Module) statement(s *model.Stmt) {
	rec, r := g.Record, Reg(s.Reg)
	switch s.Op {
	case model.OpLet:
		if rec.Uses[s.Reg] {
			g.tested(s.Expr, s.Rule)
			g.Set(r, g.p.Kept(s))
		}
	case model.OpCheck:
		g.tested(s.Expr, s.Rule)
		g.Refuse(g.not(g.Cond(s.Expr)), "value", back(s), s.Rule, "", Quote(s.Text))
		g.p.Assume(s.Expr, true)
	case model.OpIf:
		g.tested(s.Expr, s.Rule)
		var otherwise func()
		if slices.ContainsFunc(s.Else, func(s *model.Stmt) bool { return rec.Writing || s.Reads(rec.Uses) }) {
			otherwise = func() { g.p.Under(s.Expr, false, func() { g.block(s.Else) }) }
		}
		g.If(g.Cond(s.Expr), func() { g.p.Under(s.Expr, true, func() { g.block(s.Then) }) }, otherwise)
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
	case model.OpCall:
		g.called(s)
	default:
		if rec.Writing {
			g.write(s)
		} else {
			g.read(s)
		}
	}
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
	args := ""
	for i, a := range s.Args {
		g.tested(a, s.Rule)
		args += ", " + g.p.Argument(a, s.Elem.Exact[i])
	}
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

// encoding prints the encoding of a text.
func (g *Module) encoding(s *model.Stmt) string { return fmt.Sprintf(g.l.Encoding, s.Encoding) }
