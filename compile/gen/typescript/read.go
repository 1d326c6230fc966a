// Reading: one function for each record and arm.

package typescript

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

// record is what is known of the record whose functions are being printed.
type record struct {
	t       *model.Type
	body    []*model.Stmt
	uses    map[int]bool
	writing bool
	named   []member // where the record is a tuple of numbers with names
	consts  map[string]bool
	pad     bool
}

// begin prepares for the functions of a record.
func (g *generator) begin(r *model.Routine, t *model.Type, body []*model.Stmt, writing bool) *record {
	rec := &record{t: t, body: body, uses: model.Uses(body, writing), writing: writing, consts: map[string]bool{}}
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		rec.named = g.members(t)
	}
	g.big = map[int]bool{}
	for i, exact := range r.Exact {
		g.big[i] = !exact
	}
	if r.Union != nil && r.Union.Word != builtin.NoScalar {
		g.big[r.Union.Reg] = r.Union.Word.Width() == 8
	}
	g.record, g.known = rec, nil
	// A register is bigint where any statement sets it to one.
	for range 2 {
		model.Walk(body, func(s *model.Stmt) {
			switch s.Op {
			case model.OpWord, model.OpHeader, model.OpPatch:
				g.big[s.Reg] = g.big[s.Reg] || s.Scalar.Width() == 8
			case model.OpLet:
				g.big[s.Reg] = g.big[s.Reg] || !g.small(s.Expr)
			}
			rec.pad = rec.pad || s.Op == model.OpPad
		})
	}
	g.region, g.regions = 0, nil
	rec.single()
	return rec
}

// single finds the registers and cells that are set once and outside of branches.
func (rec *record) single() {
	sets := map[string]int{}
	note := func(s *model.Stmt, n int) {
		for _, v := range rec.set(s) {
			sets[v] += n
		}
	}
	for _, s := range rec.body {
		note(s, 1)
		if s.Op == model.OpPatch { // it is 0 before that
			note(s, 1)
		}
		model.Walk(s.Then, func(s *model.Stmt) { note(s, 2) })
		model.Walk(s.Else, func(s *model.Stmt) { note(s, 2) })
	}
	for v, n := range sets {
		rec.consts[v] = n == 1
	}
}

// set returns the variables that a statement sets.
func (rec *record) set(s *model.Stmt) []string {
	reg, cell := fmt.Sprintf("r%d", s.Reg), fmt.Sprintf("c%d", s.Cell)
	switch s.Op {
	case model.OpWord, model.OpHeader:
		if s.Place >= 0 && rec.writing {
			return []string{fmt.Sprintf("r%d", s.Place)}
		}
		if rec.writing || s.Op == model.OpWord {
			return []string{reg}
		}
	case model.OpLet, model.OpMark, model.OpSize:
		return []string{reg}
	case model.OpPatch:
		if rec.writing {
			return []string{reg}
		}
	default:
		if s.Op.Keeps() && !rec.writing {
			return []string{cell}
		}
	}
	return nil
}

// assign begins the setting of a variable.
func (g *generator) assign(v string) string {
	if g.record.consts[v] {
		return "const " + v + " = "
	}
	return v + " = "
}

func (g *generator) readers() {
	for _, r := range g.m.Routines {
		if r.Union == nil {
			g.f("function read%s(r: Reader%s): %s {\n", g.routine[r], g.params(r, nil, true, false), g.typeOf(r.Shape))
			g.enterRoutine("r", r)
			g.readRecord(r, r.Type, r.Body, r.Rule, true)
			g.f("}\n\n")
			continue
		}
		g.readUnion(r)
		for _, a := range r.Union.Arms {
			typ := g.typeName[a.Type]
			if a.Type.Natural {
				typ = g.natural(a.Type)
			}
			args := g.params(r, a, true, false)
			g.f("function read%s(r: Reader%s): %s {\n", g.arm[a], args, typ)
			g.readRecord(r, a.Type, a.Body, a.Rule, false)
			g.f("}\n\n")
		}
	}
	for _, r := range g.m.Routines {
		if r.Union == nil || !slices.Contains(g.m.NamedUnions(), r) {
			continue
		}
		g.f("/** The type that has a number. */\nfunction name%s(n: number | bigint, at: number, rule: number): %sType {\n  switch (Number(n)) {\n", g.routine[r], g.routine[r])
		for _, a := range r.Union.Arms {
			if !a.Else {
				g.f("    case %d:\n      return %q;\n", a.ID, a.Type.Name)
			}
		}
		g.f("  }\n  return fail(\"type\", at, rule, \"a known type\", `number ${BigInt.asUintN(64, BigInt(n))}`);\n}\n\n")
	}
}

// params returns the registers that a function takes.
func (g *generator) params(r *model.Routine, a *model.Arm, declare, writing bool) string {
	uses := map[int]bool{}
	if a != nil {
		uses = model.Uses(a.Body, writing)
	}
	out := ""
	add := func(i int, big bool) {
		out += fmt.Sprintf(", r%d", i)
		if declare && big {
			out += ": bigint"
		} else if declare {
			out += ": number"
		}
	}
	for i := range r.Args {
		if a == nil || uses[i] {
			add(i, !r.Exact[i])
		}
	}
	if a != nil && !writing && r.Union.Word != builtin.NoScalar && uses[r.Union.Reg] {
		add(r.Union.Reg, r.Union.Word.Width() == 8)
	}
	return out
}

func (g *generator) enterRoutine(side string, r *model.Routine) {
	if r.Nests || g.m.CountCalls {
		g.f("  %s.enterRoutine(%t, %d);\n", side, r.Nests, r.Rule)
	}
}

func (g *generator) leaveRoutine(side string, r *model.Routine) {
	if r.Nests || g.m.CountCalls {
		g.f("  %s.leaveRoutine(%t);\n", side, r.Nests)
	}
}

func (g *generator) readUnion(r *model.Routine) {
	u := r.Union
	g.big = map[int]bool{}
	for i, exact := range r.Exact {
		g.big[i] = !exact
	}
	g.f("function read%s(r: Reader%s): %s {\n", g.routine[r], g.params(r, nil, true, false), g.routine[r])
	g.enterRoutine("r", r)
	other := u.Arms[len(u.Arms)-1].Else
	if !other {
		g.f("  const at = r.pos;\n")
	}
	if u.Word != builtin.NoScalar {
		g.big[u.Reg] = u.Word.Width() == 8
		g.f("  const r%d = r.%s(%d);\n", u.Reg, u.Word, u.Rule)
	}
	g.f("  const n = %s;\n  let v: %s;\n  switch (n) {\n", g.any(u.Expr, "r"), g.routine[r])
	suffix := ""
	if !g.small(u.Expr) {
		suffix = "n"
	}
	for _, a := range u.Arms {
		if a.Else {
			g.f("    default:\n")
		} else {
			g.f("    case %d%s:\n", a.ID, suffix)
		}
		g.f("      v = read%s(r%s);\n      break;\n", g.arm[a], g.params(r, a, false, false))
	}
	if !other {
		g.f("    default:\n      return fail(\"type\", at, %d, \"a known type\", `number ${BigInt.asUintN(64, BigInt(n))}`);\n", u.Rule)
	}
	g.f("  }\n")
	g.leaveRoutine("r", r)
	g.f("  return v;\n}\n\n")
}

// declare prints the variables that are not constant.
func (g *generator) declare(args int) {
	rec := g.record
	done := map[string]bool{}
	model.Walk(rec.body, func(s *model.Stmt) {
		for _, v := range rec.set(s) {
			if done[v] || rec.consts[v] {
				continue
			}
			done[v] = true
			var i int
			if _, err := fmt.Sscanf(v, "c%d", &i); err == nil {
				f := rec.t.Fields[i]
				typ := g.cellType(f)
				if f.Optional {
					typ += " | undefined"
				}
				g.f("  let %s: %s;\n", v, typ)
				continue
			}
			if _, err := fmt.Sscanf(v, "r%d", &i); err == nil && rec.uses[i] && i >= args {
				if g.big[i] {
					g.f("  let %s = 0n;\n", v)
				} else {
					g.f("  let %s = 0;\n", v)
				}
			}
		}
	})
	if !rec.writing {
		for i, f := range rec.t.Fields {
			if f.Shape.Kind == model.Unit {
				g.f("  const c%d = undefined;\n", i)
			}
		}
	}
	if rec.pad {
		g.f("  let last = 0;\n")
	}
}

// cellType is the type of a field while its record is read.
func (g *generator) cellType(f *model.Field) string {
	if g.record.named != nil {
		return g.typeName[g.record.t]
	}
	if g.record.t.Natural {
		return g.natural(g.record.t)
	}
	return g.typeOf(f.Shape)
}

func (g *generator) readRecord(r *model.Routine, t *model.Type, body []*model.Stmt, rule int, leave bool) {
	rec := g.begin(r, t, body, false)
	args := r.Args
	g.declare(args)
	g.readBlock(body, "  ")
	if leave {
		g.leaveRoutine("r", r)
	}
	switch {
	case len(t.Fields) == 0 && t.Natural:
		g.f("  return null;\n")
	case len(t.Fields) == 0:
		g.f("  return { %s };\n", strings.Join(g.typeMark(t), ""))
	case rec.named != nil || t.Alone() != nil && !g.isInterface(t):
		g.f("  return c0;\n")
	default:
		g.spendRecord(t, rule)
		parts := g.typeMark(t)
		var optional []int
		for i, m := range g.members(t) {
			if m.optional {
				optional = append(optional, i)
				continue
			}
			parts = append(parts, fmt.Sprintf("%s: c%d", property(m.name), i))
		}
		if len(optional) == 0 {
			g.f("  return { %s };\n", strings.Join(parts, ", "))
			break
		}
		g.f("  const v: %s = { %s };\n", g.typeName[t], strings.Join(parts, ", "))
		for _, i := range optional {
			g.f("  if (c%d !== undefined) v.%s = c%d;\n", i, g.members(t)[i].name, i)
		}
		g.f("  return v;\n")
	}
}

func (g *generator) typeMark(t *model.Type) []string {
	if t.Union == "" {
		return nil
	}
	return []string{fmt.Sprintf("$type: %q", t.Name)}
}

// spendRecord prints what a record counts for, unless a field stands for it alone.
func (g *generator) spendRecord(t *model.Type, rule int) {
	if f := t.Alone(); f != nil {
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
				conds = append(conds, fmt.Sprintf("c%d === undefined", k))
				possible = possible && other.Optional
			}
		}
		if f.Optional {
			conds = append(conds, fmt.Sprintf("c%d !== undefined", i))
		}
		if possible {
			alone = append(alone, "("+strings.Join(conds, " && ")+")")
		}
	}
	if len(alone) > 0 {
		g.f("  if (!(%s)) r.spend(%d, %d);\n", strings.Join(alone, " || "), len(t.Fields), rule)
	} else {
		g.f("  r.spend(%d, %d);\n", len(t.Fields), rule)
	}
}

func (g *generator) readBlock(block []*model.Stmt, in string) {
	for i, s := range block {
		at := ""
		if g.record.pad && s.Sized(false) && s.Op != model.OpLeave && s.Op != model.OpSize && model.Padded(block, i, false) {
			g.region++
			at = fmt.Sprintf("at%d", g.region)
			g.f("%sconst %s = r.pos;\n", in, at)
		}
		g.readStmt(s, in)
		g.settle(s)
		if at != "" {
			g.f("%slast = r.pos - %s;\n", in, at)
		}
		if g.record.pad && s.Op == model.OpSize && model.Padded(block, i, false) {
			g.f("%slast = r%d;\n", in, s.Reg)
		}
	}
}

func (g *generator) readStmt(s *model.Stmt, in string) {
	rec := g.record
	cell := g.assign(fmt.Sprintf("c%d", s.Cell))
	reg := g.assign(fmt.Sprintf("r%d", s.Reg))
	back := "r.pos"
	if s.Back > 0 {
		back = fmt.Sprintf("r.before(%d)", s.Back)
	}
	p := func(format string, args ...any) { g.f(in+format+"\n", args...) }
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpSubst, model.OpAbsent:
	case model.OpWord:
		if rec.uses[s.Reg] {
			x := fmt.Sprintf("r.%s(%d)", s.Scalar, s.Rule)
			if g.big[s.Reg] && s.Scalar.Width() < 8 {
				x = "BigInt(" + x + ")"
			}
			p("%s%s;", reg, x)
		} else {
			p("r.take(%d, %d);", s.Scalar.Width(), s.Rule)
		}
	case model.OpLet:
		if rec.uses[s.Reg] {
			p("%s%s;", reg, g.register(s, "r"))
		}
	case model.OpCheck:
		p("if (!(%s)) fail(\"value\", %s, %d, \"\", %q);", g.cond(s.Expr, "r"), back, s.Rule, s.Text)
		g.learn(g.facts(s.Expr, true))
	case model.OpScalars:
		x := fmt.Sprintf("r.%s(%d)", s.Scalar, s.Rule)
		want := g.cellType(rec.t.Fields[s.Cell])
		switch {
		case want == "bigint" && s.Scalar.Width() < 8:
			x = "BigInt(" + x + ")"
		case s.Scalar == builtin.Code4:
			g.helpers["code"] = true
			x = "codeText(" + x + ")"
		}
		p("%s%s;", cell, x)
	case model.OpTruth:
		p("%sr.truth(r.%s(%d), %d, %t, %d);", cell, s.Scalar, s.Rule, s.Scalar.Width(), s.Nonzero, s.Rule)
	case model.OpTake:
		want := g.typeOf(rec.t.Fields[s.Cell].Shape)
		x := fmt.Sprintf("r%d", s.Reg)
		switch {
		case s.Take == builtin.Bool && g.big[s.Reg]:
			x += " !== 0n"
		case s.Take == builtin.Bool:
			x += " !== 0"
		case want == "bigint" && !g.big[s.Reg]:
			x = "BigInt(" + x + ")"
		case want == "string":
			g.helpers["code"] = true
			x = "codeText(" + x + ")"
		case want == "number" && g.big[s.Reg]:
			x = "Number(" + x + ")"
		}
		p("%s%s;", cell, x)
	case model.OpArmRef:
		p("%sname%s(r%d, %s, %d);", cell, g.routine[s.Elem], s.Reg, back, s.Rule)
	case model.OpLanes:
		g.region++
		at := fmt.Sprintf("at%d", g.region)
		p("const %s = r.take(%d, %d);", at, s.Width*s.Scalar.Width(), s.Rule)
		var xs []string
		for i := range s.Width {
			x := fmt.Sprintf("r.view.%s(%s%s%s)", viewGet(s.Scalar), at, plus(i*s.Scalar.Width()), order(s.Scalar))
			if rec.named != nil {
				x = property(rec.named[i].name) + ": " + x
			}
			xs = append(xs, x)
		}
		if rec.named != nil {
			if v := fmt.Sprintf("c%d", s.Cell); rec.consts[v] {
				cell = fmt.Sprintf("const %s: %s = ", v, g.typeName[rec.t])
			}
			p("%s{ %s };", cell, strings.Join(append(g.typeMark(rec.t), xs...), ", "))
		} else {
			if v := fmt.Sprintf("c%d", s.Cell); rec.consts[v] {
				cell = fmt.Sprintf("const %s: %s = ", v, g.typeOf(rec.t.Fields[s.Cell].Shape))
			}
			p("%s[%s];", cell, strings.Join(xs, ", "))
		}
	case model.OpText:
		p("%sr.text(encodings.e%d, %s, %d);", cell, s.Encoding, g.any(s.Expr, "r"), s.Rule)
	case model.OpPacked:
		w := s.Scalar.Width()
		n := fmt.Sprintf("Math.floor((r.end - r.pos) / %d)", s.Width*w)
		if s.Expr != nil {
			n = g.any(s.Expr, "r")
		}
		swap := "false"
		if w > 1 {
			swap = "little !== nativeLittle"
			if s.Scalar == builtin.Code4 {
				swap = "!nativeLittle"
			}
		}
		p("%snew %s(r.packed(%s, %d, %d, %s, %d));", cell, arrayOf(s.Scalar), n, s.Width, w, swap, s.Rule)
	case model.OpPad:
		p("r.pad(%d, last, %t, %t, %d, %d);", s.Align, s.OrEnd, s.Exact, s.Fill, s.Rule)
	case model.OpList:
		p("%sr.list(%s, %d, %d, %q, read%s);", cell, g.any(s.Expr, "r"), minBytes(s.Elem.Min), s.Rule, s.Step, g.routine[s.Elem])
	case model.OpMap:
		p("%sr.pairs(%s, %d, %d, %q, read%s, read%s);", cell, g.any(s.Expr, "r"), minBytes(s.Key.Min+s.Elem.Min), s.Rule, s.Step, g.routine[s.Key], g.routine[s.Elem])
	case model.OpRest:
		p("%sr.rest(%d, %q, read%s);", cell, s.Rule, s.Step, g.routine[s.Elem])
	case model.OpCall:
		v := fmt.Sprintf("c%d", s.Cell)
		if rec.consts[v] { // it is set inside of a block
			p("let %s: %s;", v, g.typeOf(s.Elem.Shape))
		}
		p("try {")
		p("  %s = read%s(r%s);", v, g.routine[s.Elem], g.args(s, "r"))
		p("} catch (e) {")
		p("  within(e, \"\", %q);", "."+s.Step)
		p("}")
	case model.OpIf:
		p("if (%s) {", g.cond(s.Expr, "r"))
		g.under(s.Expr, true, func() { g.readBlock(s.Then, in+"  ") })
		if slices.ContainsFunc(s.Else, func(s *model.Stmt) bool { return s.Reads(rec.uses) }) {
			p("} else {")
			g.under(s.Expr, false, func() { g.readBlock(s.Else, in+"  ") })
		}
		p("}")
	case model.OpGate:
		p("if ((r.open & %d) === 0) fail(\"closed\", r.pos, %d, \"\", %q);", 1<<s.Gate, s.Rule, g.m.Gates[s.Gate]+" are read only where the caller allows it")
	case model.OpEnter:
		g.region++
		g.regions = append(g.regions, g.region)
		p("const end%d = r.end;", g.region)
		if rec.pad {
			p("const start%d = r.pos;", g.region)
		}
		p("r.enter(%s, %d);", g.any(s.Expr, "r"), s.Rule)
	case model.OpLeave:
		n := g.regions[len(g.regions)-1]
		g.regions = g.regions[:len(g.regions)-1]
		p("r.leave(%d);", s.Rule)
		p("r.end = end%d;", n)
		if rec.pad {
			p("last = r.pos - start%d;", n)
		}
	case model.OpMark:
		if rec.uses[s.Reg] {
			p("%sr.pos;", reg)
		}
	case model.OpSize:
		if rec.uses[s.Reg] {
			p("%sr.pos - r%d;", reg, s.Place)
		}
	default:
		panic("typescript: statement " + s.Op.String())
	}
}

// minBytes is a number of bytes that a number can hold.
func minBytes(n uint64) uint64 { return min(n, math.MaxInt32) }

func (g *generator) args(s *model.Stmt, side string) string {
	out := ""
	for i, a := range s.Args {
		if s.Elem.Exact[i] {
			out += ", " + g.number(a, side)
		} else {
			out += ", " + g.bigint(a, side)
		}
	}
	return out
}

func plus(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" + %d", n)
}

// viewGet is the method of DataView that reads a scalar.
func viewGet(s builtin.Scalar) string {
	return [...]string{"", "getUint8", "getInt8", "getUint16", "getInt16", "getUint32", "getInt32", "getBigUint64", "getBigInt64", "getFloat32", "getFloat64", "getUint32"}[s]
}

// order is the argument of such a method that says which byte is first.
func order(s builtin.Scalar) string {
	switch {
	case s.Width() == 1:
		return ""
	case s == builtin.Code4:
		return ", true"
	}
	return ", little"
}
