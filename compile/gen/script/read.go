// Reading: the functions of records and their statements.

package script

import (
	"fmt"
	"math"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// readers prints the functions that read.
func (g *Module) readers() { g.each(g.readUnion, g.reader) }

// reader prints the function that reads a record, or an arm if there is one.
func (g *Module) reader(r *model.Routine, a *model.Arm) {
	g.begin(r, a, false)
	params := g.declared([]Param{{"r", g.l.Reader}}, g.params(r, a, false))
	g.function(g.Fn("read", g.Record.name), params, g.TypeOf(r, a), "", func() {
		if a == nil {
			g.enter(r)
		}
		g.declare()
		g.block(g.Record.Body, false)
		if a == nil {
			g.leave(r)
		}
		switch t := g.Record.Type; {
		case len(t.Fields) == 0 && t.Natural:
			g.Do("return %s", g.l.Nothing)
		case g.Record.Named != nil || t.Alone() != nil && !Declared(g.Model, t):
			g.Do("return c0")
		default:
			g.spend()
			g.p.Construct(t)
		}
	})
}

// spend prints the memory that a record counts for, unless one field represents it.
func (g *Module) spend() {
	t, rule := g.Record.Type, g.Record.rule
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

// read prints a statement in reading.
func (g *Module) read(s *model.Stmt) {
	rec, c, r := g.Record, Cell(s.Cell), Reg(s.Reg)
	call := g.p.Read(s)
	keys, elems := s.Given()
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpSubst, model.OpAbsent, model.OpExpect, model.OpChoose:
	case model.OpWord:
		if rec.Uses[s.Reg] {
			g.Set(r, g.p.Word(s, call))
		} else if s.Coding != builtin.Fixed {
			g.Do("%s", call)
		} else {
			g.Do("r.take(%d, %d)", s.Scalar.Width(), s.Rule)
		}
	case model.OpNote:
		g.Do("r.note(%d, %d, %s, %d)", s.Base, s.Bytes(), r, s.Rule)
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
		g.Set(c, fmt.Sprintf("r.text(%s, %s, %d)", g.encoding(s), g.count(s, "r.end - r.pos"), s.Rule))
		g.over(s)
	case model.OpPacked:
		g.p.ReadPacked(s, g.count(s, fmt.Sprintf(g.l.Quotient, "(r.end - r.pos)", s.Width*s.Scalar.Width())))
		g.over(s)
	case model.OpPad:
		g.Do("r.pad(%d, last, %s, %s, %d, %d)", s.Align, g.Boolean(s.OrEnd), g.Boolean(s.Exact), s.Fill, s.Rule)
	case model.OpList:
		g.Set(c, fmt.Sprintf("r.items(%s, %d, %d, %q, %s)", g.p.Print(s.Expr), least(s.Elem.Min), s.Rule, s.Step, g.element(s.Elem, elems, s.Rule)))
	case model.OpMap:
		g.Set(c, fmt.Sprintf("r.pairs(%s, %d, %d, %q, %s, %s)", g.p.Print(s.Expr), least(s.Key.Min+s.Elem.Min), s.Rule, s.Step, g.element(s.Key, keys, s.Rule), g.element(s.Elem, elems, s.Rule)))
	case model.OpRest:
		if s.Spare > 0 {
			g.Set(c, fmt.Sprintf("r.spare(%d, %d, %q, %s)", s.Spare, s.Rule, s.Step, g.element(s.Elem, elems, s.Rule)))
			break
		}
		rest := "rest"
		if s.Stops {
			rest = "through"
		}
		g.Set(c, fmt.Sprintf("r.%s(%d, %q, %s)", rest, s.Rule, s.Step, g.element(s.Elem, elems, s.Rule)))
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
