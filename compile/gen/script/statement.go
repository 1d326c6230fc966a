// Statements, and the functions that read and write records.

package script

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
)

// block prints statements, with the sizes that padding goes by.
func (g *Module) block(block []*model.Stmt) {
	rec := g.Record
	at, place := "", rec.Side()+".pos"
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
			g.Set(r, rec.Side()+".pos")
		}
	case model.OpSize:
		if rec.Uses[s.Reg] {
			g.Set(r, rec.Side()+".pos - "+Reg(s.Place))
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

// read prints a statement in reading.
func (g *Module) read(s *model.Stmt) {
	rec, c, r := g.Record, Cell(s.Cell), Reg(s.Reg)
	call := fmt.Sprintf("r.%s(%d)", s.Scalar, s.Rule)
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpSubst, model.OpAbsent:
	case model.OpWord:
		if rec.Uses[s.Reg] {
			g.Set(r, g.p.Word(s, call))
		} else {
			g.Do("r.take(%d, %d)", s.Scalar.Width(), s.Rule)
		}
	case model.OpScalars:
		g.Set(c, g.p.Number(s, call))
	case model.OpTruth:
		g.Set(c, fmt.Sprintf("r.truth(%s, %d, %s, %d)", call, s.Scalar.Width(), g.Boolean(s.Nonzero), s.Rule))
	case model.OpTake:
		g.Set(c, g.p.Take(s))
	case model.OpArmRef:
		g.Set(c, fmt.Sprintf("%s(%s, %s, %d)", g.Fn("name", g.Function[s.Elem]), r, back(s), s.Rule))
	case model.OpLanes:
		g.p.ReadLanes(s)
	case model.OpText:
		g.Set(c, fmt.Sprintf("r.text(%s, %s, %d)", g.encoding(s), g.p.Print(s.Expr), s.Rule))
	case model.OpPacked:
		g.p.ReadPacked(s)
	case model.OpPad:
		g.Do("r.pad(%d, last, %s, %s, %d, %d)", s.Align, g.Boolean(s.OrEnd), g.Boolean(s.Exact), s.Fill, s.Rule)
	case model.OpList:
		g.Set(c, fmt.Sprintf("r.items(%s, %d, %d, %q, %s)", g.p.Print(s.Expr), least(s.Elem.Min), s.Rule, s.Step, g.Fn("read", g.Function[s.Elem])))
	case model.OpMap:
		g.Set(c, fmt.Sprintf("r.pairs(%s, %d, %d, %q, %s, %s)", g.p.Print(s.Expr), least(s.Key.Min+s.Elem.Min), s.Rule, s.Step, g.Fn("read", g.Function[s.Key]), g.Fn("read", g.Function[s.Elem])))
	case model.OpRest:
		g.Set(c, fmt.Sprintf("r.rest(%d, %q, %s)", s.Rule, s.Step, g.Fn("read", g.Function[s.Elem])))
	case model.OpEnter:
		n := rec.next()
		rec.regions = append(rec.regions, n)
		g.Do(g.l.Let, fmt.Sprintf("end%d", n), "r.end")
		if rec.pad {
			g.Do(g.l.Let, fmt.Sprintf("start%d", n), "r.pos")
		}
		g.Do("r.enter(%s, %d)", g.p.Print(s.Expr), s.Rule)
	case model.OpLeave:
		n := rec.regions[len(rec.regions)-1]
		rec.regions = rec.regions[:len(rec.regions)-1]
		g.Do("r.leave(%d)", s.Rule)
		g.Do("r.end = end%d", n)
		if rec.pad {
			g.Do("last = r.pos - start%d", n)
		}
	default:
		panic(g.l.Target + ": statement " + s.Op.String())
	}
}

// least is a number of bytes that a number of any language holds.
func least(n uint64) uint64 { return min(n, math.MaxInt32) }

func (g *Module) encoding(s *model.Stmt) string { return fmt.Sprintf(g.l.Encoding, s.Encoding) }

// write prints a statement in writing.
func (g *Module) write(s *model.Stmt) {
	rec, c := g.Record, Cell(s.Cell)
	f := func() *model.Field { return rec.Type.Fields[s.Cell] }
	kind := func(cond, want string) { g.Mismatch(cond, s.Rule, c, want) }
	counted := func(n string) {
		if s.Expr != nil {
			g.tested(s.Expr, s.Rule)
			g.Do("w.counted(%s, %s, %d)", g.p.Print(s.Expr), n, s.Rule)
		}
	}
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave:
	case model.OpHeader, model.OpWord:
		g.writeWord(s)
	case model.OpScalars:
		g.p.WriteNumber(s)
	case model.OpTruth:
		kind(fmt.Sprintf(g.l.NotBool, c), "a bool")
		g.Do("w.%s(%s)", s.Scalar, g.p.PutBool(s, c))
	case model.OpArmRef:
		kind(g.p.NoArm(s), "the name of a type of the schema")
	case model.OpLanes:
		var lanes []string
		for _, m := range rec.Named {
			lanes = append(lanes, c+g.l.Access(m.Name))
		}
		if lanes == nil {
			n := fmt.Sprintf(g.l.Length, c)
			kind(fmt.Sprintf(g.l.NotList, c)+g.l.Or+n+g.l.Unequal+fmt.Sprint(s.Width), fmt.Sprintf("%d numbers", s.Width))
			for i := range s.Width {
				lanes = append(lanes, fmt.Sprintf("%s[%d]", c, i))
			}
		}
		g.p.WriteLanes(s, lanes)
	case model.OpPacked:
		cond, count := g.p.NotPacked(s)
		want := fmt.Sprintf("an array of %d × %s", s.Width, s.Scalar)
		kind(cond, want)
		counted(count)
		g.p.WritePacked(s)
	case model.OpText:
		format := g.l.NotText[0]
		if g.On["bytesText"] {
			format = g.l.NotText[1]
		}
		kind(fmt.Sprintf(format, c), "text")
		g.tested(s.Expr, s.Rule)
		g.Do("w.text(%s, %s, t%d, %s, %d)", g.encoding(s), c, s.Cell, g.p.Print(s.Expr), s.Rule)
	case model.OpPad:
		g.Do("w.pad(%d, last, %d)", s.Align, s.Fill)
	case model.OpList, model.OpRest:
		kind(fmt.Sprintf(g.l.NotList, c), "a list")
		counted(fmt.Sprintf(g.l.Length, c))
		g.Do("w.items(%s, %q, %s)", c, s.Step, g.Fn("write", g.Function[s.Elem]))
	case model.OpMap:
		cond := fmt.Sprintf(g.l.Not, g.Fn("is", "pairs")+"("+c+")")
		if f().Optional {
			cond = g.absent(c, f()) + g.l.Or + cond
		}
		kind(cond, "a list of pairs")
		counted(fmt.Sprintf(g.l.Length, c))
		g.Do("w.pairs(%s, %q, %s, %s)", c, s.Step, g.Fn("write", g.Function[s.Key]), g.Fn("write", g.Function[s.Elem]))
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

// writeWord prints the writing of a number that is kept in a register, or leaves room.
func (g *Module) writeWord(s *model.Stmt) {
	if s.Place >= 0 {
		g.Set(Reg(s.Place), fmt.Sprintf("w.room(%d)", s.Scalar.Width()))
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
	g.Do("w.%s(%s)", s.Scalar, g.p.Put(s, x))
}

// readers prints the functions that read.
func (g *Module) readers() {
	for _, r := range g.Routines {
		if r.Union == nil {
			g.reader(r, nil)
			continue
		}
		g.readUnion(r)
		for _, a := range r.Union.Arms {
			g.reader(r, a)
		}
	}
}

// reader prints the function that reads a record, or an arm if there is one.
func (g *Module) reader(r *model.Routine, a *model.Arm) {
	g.begin(r, a, false)
	name, rule := g.Function[r], r.Rule
	if a != nil {
		name, rule = g.Arm[a], a.Rule
	}
	params := g.declared([]Param{{"r", g.l.Reader}}, g.params(r, a, false))
	g.function(g.Fn("read", name), params, g.TypeOf(r, a), "", func() {
		if a == nil {
			g.enter(r)
		}
		g.declare()
		g.block(g.Record.Body)
		if a == nil {
			g.leave(r)
		}
		switch t := g.Record.Type; {
		case len(t.Fields) == 0 && t.Natural:
			g.Do("return %s", g.l.Nothing)
		case g.Record.Named != nil || t.Alone() != nil && !Declared(t):
			g.Do("return c0")
		default:
			g.spend(t, rule)
			g.p.Construct(t)
		}
	})
}

// spend prints the memory that a record counts for, unless one field represents it.
func (g *Module) spend(t *model.Type, rule int) {
	if len(t.Fields) == 0 || t.Alone() != nil {
		return
	}
	var alone []string
	for i, f := range t.Fields {
		if !f.Alone {
			continue
		}
		var conds []string
		possible := true
		for k, other := range t.Fields {
			if k != i {
				conds = append(conds, g.absent(Cell(k), other))
				possible = possible && other.Optional
			}
		}
		if f.Optional {
			conds = append(conds, g.present(Cell(i), f))
		}
		if possible {
			alone = append(alone, "("+strings.Join(conds, g.l.And)+")")
		}
	}
	if alone == nil {
		g.Do("r.spend(%d, %d)", len(t.Fields), rule)
		return
	}
	g.When(g.not(strings.Join(alone, g.l.Or)), "r.spend(%d, %d)", len(t.Fields), rule)
}

// writers prints the functions that write.
func (g *Module) writers() {
	for _, r := range g.Routines {
		if r.Union == nil {
			g.writer(r, nil)
			continue
		}
		g.writeUnion(r)
		for _, a := range r.Union.Arms {
			g.writer(r, a)
		}
	}
	for _, r := range g.Routines {
		if r.Union != nil {
			g.numbers(r)
		}
	}
	for _, r := range g.Routines {
		if r.Union != nil && slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return len(a.Type.Writes) > 0 }) {
			g.subst(r)
		}
	}
}

// writer prints the function that writes a record, or an arm if there is one.
func (g *Module) writer(r *model.Routine, a *model.Arm) {
	g.begin(r, a, true)
	name, rule := g.Function[r], r.Rule
	if a != nil {
		name, rule = g.Arm[a], a.Rule
	}
	params := g.declared([]Param{{"w", g.l.Writer}, {"v", g.TypeOf(r, a)}}, g.params(r, a, true))
	g.function(g.Fn("write", name), params, g.l.Void, "", func() {
		if a == nil {
			g.enter(r)
		}
		if len(g.Record.Type.Fields) > 0 {
			g.cells(rule)
		}
		g.declare()
		g.block(g.Record.Body)
		if a == nil {
			g.leave(r)
		}
	})
}

// cells prints the cells of a record that is written, and the tests of those that are
// written as part of a word.
func (g *Module) cells(rule int) {
	rec, t := g.Record, g.Record.Type
	if t.Union == "" {
		g.Mismatch(g.p.NotRecord(t), rule, "v", "a value")
	}
	cells, texts := model.WrittenCells(rec.Body)
	members := g.Members(t)
	for i, f := range t.Fields {
		if !cells[i] {
			continue
		}
		x := "v"
		if rec.Named == nil && Declared(t) {
			x += g.l.Access(members[i].Name)
		}
		if f.Shape.Kind == model.Map {
			pairs := g.Fn("is", "pairs") + "(" + x + ")"
			if f.Optional {
				pairs = g.present(x, f) + g.l.And + pairs
			}
			x = g.choose(pairs, g.Fn("merged")+"("+x+", "+fmt.Sprintf(g.l.Lambda, g.keyOf(f.Shape.Key, "k", false))+")", x)
		}
		if rec.replaced[i] {
			g.Do(g.l.Typed, Cell(i), x, g.OrAbsent(g.Type(f.Shape), g.Absent(f)))
		} else {
			g.Do(g.l.Let, Cell(i), x)
		}
		if texts[i] {
			g.Do(g.l.Let, fmt.Sprintf("t%d", i), g.bytes(i))
		}
	}
	model.Walk(rec.Body, func(s *model.Stmt) {
		if s.Op == model.OpTake {
			g.p.CheckTaken(s)
		}
	})
}
