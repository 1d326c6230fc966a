// Unions: the functions that choose an arm, and those about names and numbers of arms.

package script

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// Case is an arm in a function that distinguishes values of a union.
type Case struct {
	Routine *model.Routine
	Arm     *model.Arm
	Type    string // of the values
	Do      func() // prints the statements
}

// dispatch prints a case for each arm. Those that are values of the language are first,
// from nothing over truth values and numbers to text. other is for foreign values.
func (g *Module) dispatch(r *model.Routine, do func(*model.Arm), other func()) {
	var cases []*Case
	for _, a := range r.Union.Arms {
		cases = append(cases, &Case{r, a, g.TypeOf(r, a), func() { do(a) }})
	}
	slices.SortStableFunc(cases, func(a, b *Case) int { return cmp.Compare(order(a.Arm.Type), order(b.Arm.Type)) })
	g.p.Dispatch(cases, other)
}

// order returns the place of an arm among the cases.
func order(t *model.Type) int {
	switch {
	case !t.Natural:
		return 5
	case len(t.Fields) == 0:
		return 0
	}
	switch s := t.Fields[0].Shape; s.Kind {
	case model.Bool:
		return 1
	case model.Number:
		if !s.Scalar().IsFloat() {
			return 2
		}
		return 3
	}
	return 4
}

// optional returns the absent value of a union, and the type with it.
func (g *Module) optional(r *model.Routine) (absent, typ string) {
	absent = g.missing(r.Shape)
	return absent, g.OrAbsent(g.Union[r], absent)
}

// readUnion prints the function that reads a union, and that of the names of arms.
func (g *Module) readUnion(r *model.Routine) {
	u := r.Union
	g.begin(r, nil, false)
	params := g.declared([]Param{{"r", g.l.Reader}}, r.Arguments())
	g.function(g.Fn("read", g.Function[r]), params, g.Union[r], "", func() {
		g.enter(r)
		known := u.Arms[len(u.Arms)-1].Else
		if !known {
			g.Do(g.l.Let, "at", "r.pos")
		}
		if hasWord(u) {
			s := word(u)
			read := g.p.Read(s)
			if u.Order != nil {
				big, little := *s, *s
				big.Swapped, little.Swapped = !g.Big, g.Big
				read = "(" + fmt.Sprintf(g.l.Choose, g.Cond(u.Order), g.p.Read(&big), g.p.Read(&little)) + ")"
			}
			g.Do(g.l.Let, Reg(u.Reg), g.p.Word(s, read))
		}
		g.Do(g.l.Let, "n", g.p.Print(u.Expr))
		var cases []map[string]any
		for _, a := range u.Arms {
			cases = append(cases, map[string]any{
				"Else": a.Else, "Number": g.p.Literal(int64(a.ID), u.Expr), "Among": g.among(u, a.IDs), "Several": a.IDs.Several(), "Call": call(g.Fn("read", g.Arm[a]), "r", a.Registers(r)),
			})
		}
		g.Raw(g.Row("switch", map[string]any{"Type": g.Union[r], "Cases": cases, "Known": known, "Listed": u.Listed(), "Rule": u.Rule}))
		g.leave(r)
		g.Do("return v")
	})
	if slices.Contains(g.NamedUnions(), r) {
		g.Raw(g.Row("names", map[string]any{"Name": g.Function[r], "Type": g.Union[r] + "Type", "Arms": u.Arms}) + "\n")
	}
}

// writeUnion prints the function that writes a union.
func (g *Module) writeUnion(r *model.Routine) {
	u := r.Union
	g.begin(r, nil, true)
	params := g.declared([]Param{{"w", g.l.Writer}, {"v", g.Union[r]}}, r.Arguments())
	g.function(g.Fn("write", g.Function[r]), params, g.l.Void, "", func() {
		g.enter(r)
		known := u.Known()
		if hasWord(u) {
			known = nil
		}
		if known != nil {
			g.Do(g.l.Let, "n", g.p.Print(u.Expr))
		}
		g.dispatch(r, func(a *model.Arm) {
			if known != nil {
				cond := "n" + g.l.Unequal + g.p.Literal(int64(a.ID), u.Expr)
				switch {
				case a.Else:
					cond = g.among(u, known)
				case a.IDs.Several():
					cond = fmt.Sprintf(g.l.Not, "("+g.among(u, a.IDs)+")")
				}
				g.When(cond, "w.fail(\"mismatch\", %d, %s, %q)", u.Rule, fmt.Sprintf(g.l.Template, "the arm for number "), a.Type.Name)
			}
			g.Do("%s", call(g.Fn("write", g.Arm[a]), "w, v", g.params(r, a, true)))
		}, func() { g.Do("w.foreign(%d, v)", u.Rule) })
		g.leave(r)
	})
}

// among returns the condition that the number n of a union is in one of some ranges.
func (g *Module) among(u *model.Switch, ids builtin.Ranges) string {
	n := func(id uint64) string { return g.p.Literal(int64(id), u.Expr) }
	return model.Among(ids.Signed(), func(id uint64) string { return "n" + g.l.Equal + n(id) },
		func(lo, hi uint64) string { return "n >= " + n(lo) + g.l.And + "n <= " + n(hi) }, g.l.Or)
}

// numbers prints the function that returns the number of a value's arm, if a writer works
// with it.
func (g *Module) numbers(r *model.Routine) {
	if !g.Numbered(r) {
		return
	}
	absent, typ := g.optional(r)
	doc := "The number of the type of a value: 0 for no value, -1 for none of the schema."
	of, result := &model.Expr{Op: builtin.Arm, Min: -1}, g.l.Int
	for _, a := range r.Union.Arms {
		if of.Max = max(of.Max, int64(a.ID)); a.ID > model.MaxExact {
			result = g.l.Whole
		}
		if int64(a.ID) < 0 {
			of.Min = math.MinInt64
		}
	}
	number := func(n int64) string { return "return " + g.p.Literal(n, of) }
	g.function(g.Fn("number", g.Function[r]), []Param{{"v", typ}}, result, doc, func() {
		g.When(fmt.Sprintf(g.l.Is, "v", absent), "%s", number(0))
		g.dispatch(r, func(a *model.Arm) { g.Do("%s", number(int64(a.ID))) }, func() { g.Do("%s", number(-1)) })
	})
}

// subst prints the function that returns the value that is written in place of another.
func (g *Module) subst(r *model.Routine) {
	absent, typ := g.optional(r)
	g.function(g.Fn("subst", g.Function[r]), []Param{{"v", typ}, {"w", g.l.Writer}}, typ, "What is written in place of a value.", func() {
		g.Raw(g.l.Repeat + "\n")
		g.Block(func() {
			g.When(fmt.Sprintf(g.l.Is, "v", absent), "return v")
			g.dispatch(r, func(a *model.Arm) { g.substArm(a.Type, absent) }, func() { g.Do("return v") })
		})
		g.Raw(g.l.Close)
		g.Do("return v")
	})
}

// substArm prints the statements that replace a value of one arm.
func (g *Module) substArm(t *model.Type, absent string) {
	g.Record = &Record{Type: t, side: "w"}
	for _, i := range t.Replaces() {
		x := "v"
		if !t.Natural {
			x += g.l.Access(g.Members(t)[i].Name)
		}
		g.Do(g.l.Let, Cell(i), x)
	}
	for _, w := range t.Writes {
		put := func() {
			if w.Absent {
				g.Do("return %s", absent)
				return
			}
			member, value := "v", Quote(w.Text)
			if !w.Type.Natural {
				name := g.Members(w.Type)[0].Name
				member, value = member+g.l.Access(name), g.p.Text(w.Type, name, value)
			}
			if w.Type == t {
				g.When(member+g.l.Equal+Quote(w.Text), "return v")
			}
			g.Do("v = %s", value)
			g.Do("continue")
		}
		if w.When == nil {
			put()
			return
		}
		g.If(g.Cond(w.When), put, nil)
	}
	g.Do("return v")
}
