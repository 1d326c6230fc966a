// Writing: the functions of records and their statements.

package script

import (
	"fmt"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/interp"
)

// writers prints the functions that write.
func (g *Module) writers() {
	g.each(g.writeUnion, g.writer)
	for _, r := range g.Routines {
		if r.Union != nil {
			g.numbers(r)
		}
	}
	for _, r := range g.ReplacedUnions() {
		g.subst(r)
	}
}

// writer prints the function that writes a record, or an arm if there is one.
func (g *Module) writer(r *model.Routine, a *model.Arm) {
	g.begin(r, a, true)
	params := g.declared([]Param{{"w", g.l.Writer}, {"v", g.TypeOf(r, a)}}, g.params(r, a, true))
	g.function(g.Fn("write", g.Record.name), params, g.l.Void, "", func() {
		if a == nil {
			g.enter(r)
		}
		if len(g.Record.Type.Fields) > 0 {
			g.cells()
		}
		g.declare()
		g.block(g.Record.Body, false)
		if a == nil {
			g.leave(r)
		}
	})
}

// cells prints the cells of a record that is written.
func (g *Module) cells() {
	rec, t := g.Record, g.Record.Type
	if t.Union == "" {
		g.Mismatch(g.p.NotRecord(t), rec.rule, "v", "a value")
	}
	cells, texts := model.WrittenCells(rec.Body)
	members := g.Members(t)
	for i, f := range t.Fields {
		if !cells[i] {
			continue
		}
		x := "v"
		if rec.Named == nil && Declared(g.Model, t) {
			x += g.l.Access(members[i].Name)
		}
		if f.Shape.Kind == model.Map && Around(g.Model, f.Shape) == nil {
			pairs := g.Fn("is", "pairs") + "(" + x + ")"
			if f.Optional {
				pairs = g.present(x, f) + g.l.And + pairs
			}
			x = g.choose(pairs, g.merged(f.Shape, x), x)
		}
		if rec.replaced[i] {
			g.Do(g.l.Typed, Cell(i), x, g.OrAbsent(g.Type(f.Shape), g.Absent(f)))
		} else {
			g.Do(g.l.Let, Cell(i), x)
		}
		printed := map[string]bool{}
		for _, e := range texts[i] {
			if name := g.textName(i, e); !printed[name] {
				printed[name] = true
				g.Do(g.l.Let, name, g.bytes(i, e))
			}
		}
	}
}

// write prints a statement in writing.
func (g *Module) write(s *model.Stmt) {
	rec, c := g.Record, Cell(s.Cell)
	f := func() *model.Field { return rec.Type.Fields[s.Cell] }
	kind := func(cond, want string) { g.Mismatch(cond, s.Rule, c, want) }
	keys, elems := s.Given()
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave:
	case model.OpNote:
		g.Do("w.note(%d, %d)", s.Base, s.Bytes())
	case model.OpChoose:
		g.Set(Reg(s.Reg), "w.choose()")
	case model.OpExpect:
		if s.Scalar == builtin.NoScalar {
			kind(fmt.Sprintf(g.l.NotBool, c), "a bool")
		} else {
			g.p.Expect(s)
		}
		rec.tested[s.Cell] = true
	case model.OpHeader, model.OpWord:
		g.writeWord(s)
	case model.OpScalars:
		g.p.WriteNumber(s)
	case model.OpTruth:
		kind(fmt.Sprintf(g.l.NotBool, c), "a bool")
		g.p.Write(s, g.p.PutBool(s, c))
	case model.OpArmRef:
		kind(g.p.NoArm(s), "the name of a type of the schema")
	case model.OpLanes:
		g.writeLanes(s)
	case model.OpPacked:
		g.writePacked(s)
	case model.OpText:
		g.writeText(s)
	case model.OpPad:
		g.Do("w.pad(%d, last, %d)", s.Align, s.Fill)
	case model.OpList, model.OpRest:
		kind(fmt.Sprintf(g.l.NotList, c), "a list")
		g.counted(s, fmt.Sprintf(g.l.Length, c))
		if s.Stops {
			g.Do("w.through(%d, %s, %q, %s)", s.Rule, c, s.Step, g.element(s.Elem, elems, s.Rule))
			break
		}
		if s.Spare > 0 {
			g.Do("w.spare(%s, %q, %s)", c, s.Step, g.element(s.Elem, elems, s.Rule))
			break
		}
		g.Do("w.items(%s, %q, %s)", c, s.Step, g.element(s.Elem, elems, s.Rule))
	case model.OpMap:
		cond := fmt.Sprintf(g.l.Not, g.Fn("is", "pairs")+"("+c+")")
		if f().Optional {
			cond = g.absent(c, f()) + g.l.Or + cond
		}
		kind(cond, "a list of pairs")
		g.counted(s, fmt.Sprintf(g.l.Length, c))
		g.Do("w.pairs(%s, %q, %s, %s)", c, s.Step, g.element(s.Key, keys, s.Rule), g.element(s.Elem, elems, s.Rule))
	case model.OpAbsent:
		g.Refuse(g.present(c, f()), "mismatch", "", s.Rule, "no value of "+g.Rules[s.Rule].Name+" beside the other fields", g.Fn("describe")+"("+c+")")
	case model.OpSubst:
		g.Do("%s = %s(%s, w)", c, g.Fn("subst", g.Function[s.Elem]), c)
	case model.OpPatch:
		g.tested(s.Expr, s.Rule)
		x := g.p.Print(s.Expr)
		g.ranged(s.Expr, x, s.Scalar, s.Rule)
		g.p.Patch(s, x)
		if rec.Uses[s.Reg] {
			g.Set(Reg(s.Reg), g.p.Kept(s))
		}
	default:
		panic(g.l.Target + ": statement " + s.Op.String())
	}
}

// counted prints the comparison of a number of elements with the count that the schema gives.
func (g *Module) counted(s *model.Stmt, n string) {
	if s.Expr != nil {
		g.tested(s.Expr, s.Rule)
		g.Do("w.counted(%s, %s, %d)", g.p.Print(s.Expr), n, s.Rule)
	}
}

// writeLanes prints the writing of a tuple, which has named fields or is a list.
func (g *Module) writeLanes(s *model.Stmt) {
	c := Cell(s.Cell)
	var lanes []string
	for _, m := range g.Record.Named {
		lanes = append(lanes, c+g.l.Access(m.Name))
	}
	if lanes == nil {
		n := fmt.Sprintf(g.l.Length, c)
		g.Mismatch(fmt.Sprintf(g.l.NotList, c)+g.l.Or+n+g.l.Unequal+fmt.Sprint(s.Width), s.Rule, c, fmt.Sprintf("%d numbers", s.Width))
		for i := range s.Width {
			lanes = append(lanes, fmt.Sprintf("%s[%d]", c, i))
		}
	}
	g.p.WriteLanes(s, lanes)
}

// writePacked prints the writing of an array of numbers.
func (g *Module) writePacked(s *model.Stmt) {
	c := Cell(s.Cell)
	cond, count := g.p.NotPacked(s)
	want := interp.ArrayOf(s.Width, s.Scalar)
	g.Mismatch(cond, s.Rule, c, want)
	if s.End == nil {
		g.counted(s, count)
	}
	end := g.delimit(s, g.Fn("octets")+"("+c+")")
	g.p.WritePacked(s)
	end()
}

// writeText prints the writing of a text.
func (g *Module) writeText(s *model.Stmt) {
	c := Cell(s.Cell)
	format := g.l.NotText[0]
	if g.On["bytesText"] {
		format = g.l.NotText[1]
	}
	g.Mismatch(fmt.Sprintf(format, c), s.Rule, c, "text")
	text := g.textName(s.Cell, s.Encoding)
	n := fmt.Sprintf(g.l.Length, text)
	if s.Expr != nil && s.End == nil {
		g.tested(s.Expr, s.Rule)
		n = g.p.Print(s.Expr)
	}
	end := g.delimit(s, text)
	g.Do("w.text(%s, %s, %s, %s, %d)", g.encoding(s), c, text, n, s.Rule)
	end()
}

// writeWord prints the writing of a number that is kept in a register, or leaves room.
func (g *Module) writeWord(s *model.Stmt) {
	if s.Place >= 0 {
		room := s.Scalar.Width()
		if s.Coding != builtin.Fixed {
			room = s.Coding.Width()
		}
		if call := fmt.Sprintf("w.room(%d)", room); g.Record.Uses[s.Place] {
			g.Set(Reg(s.Place), call)
		} else { // the row that has the size is never there
			g.Do("%s", call)
		}
		return
	}
	g.tested(s.Expr, s.Rule)
	x := g.p.Print(s.Expr)
	used := g.Record.Uses[s.Reg]
	early := !used || g.p.Cuts(s)
	if early {
		g.ranged(s.Expr, x, s.Scalar, s.Rule)
	}
	if used {
		x = Reg(s.Reg)
		g.Set(x, g.p.Kept(s))
	}
	if !early {
		g.ranged(s.Expr, x, s.Scalar, s.Rule)
	}
	g.p.Write(s, g.p.Put(s, x))
}
