// Reading: one function for each record and arm.

package python

import (
	"fmt"
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
	named   []property // where the record is a tuple of numbers with names
	pad     bool

	declared    map[int]bool // cells with a type of their own
	substituted map[int]bool // cells that may be replaced before they are written
}

func (g *generator) begin(t *model.Type, body []*model.Stmt, writing bool) *record {
	rec := &record{t: t, body: body, uses: model.Uses(body, writing), writing: writing, declared: map[int]bool{}, substituted: map[int]bool{}}
	if f := t.Alone(); f != nil && f.Shape.Kind == model.Lanes && f.Shape.Names != nil {
		rec.named = g.members(t)
	}
	model.Walk(body, func(s *model.Stmt) {
		rec.pad = rec.pad || s.Op == model.OpPad
		if s.Op == model.OpSubst {
			rec.substituted[s.Cell] = true
		}
	})
	g.record, g.region, g.regions = rec, 0, nil
	return rec
}

func (g *generator) readers() {
	for _, r := range g.m.Routines {
		if r.Union == nil {
			g.f("def _read_%s(r: _Reader%s) -> %s:\n", g.routine[r], g.params(r, nil, true, false), g.typeOf(r.Shape))
			g.enterRoutine("r", r)
			g.readRecord(r.Type, r.Body, r.Rule, r)
			g.f("\n\n")
			continue
		}
		g.readUnion(r)
		for _, a := range r.Union.Arms {
			typ := g.typeName[a.Type]
			if a.Type.Natural {
				typ = g.natural(a.Type)
			}
			self := "r"
			if len(a.Type.Fields) == 0 && !slices.ContainsFunc(a.Body, func(s *model.Stmt) bool { return s.Op != model.OpHeader }) {
				self = "_"
			}
			g.f("def _read_%s(%s: _Reader%s) -> %s:\n", g.arm[a], self, g.params(r, a, true, false), typ)
			g.readRecord(a.Type, a.Body, a.Rule, nil)
			g.f("\n\n")
		}
	}
	for _, r := range g.m.Routines {
		if r.Union == nil || !slices.Contains(g.m.NamedUnions(), r) {
			continue
		}
		g.f("_NAMES_%s: dict[int, %sType] = {\n", strings.ToUpper(g.routine[r]), g.union[r])
		for _, a := range r.Union.Arms {
			if !a.Else {
				g.f("    %d: %q,\n", a.ID, a.Type.Name)
			}
		}
		g.f("}\n\n\ndef _name_%s(n: int, at: int, rule: int) -> %sType:\n    \"\"\"The type that has a number.\"\"\"\n", g.routine[r], g.union[r])
		g.f("    name = _NAMES_%s.get(n)\n    if name is None:\n        raise FormatError(\"type\", at, rule, \"a known type\", f\"number {n & _M64}\")\n    return name\n\n\n", strings.ToUpper(g.routine[r]))
	}
}

// params returns the registers that a function takes.
func (g *generator) params(r *model.Routine, a *model.Arm, declare, writing bool) string {
	uses := map[int]bool{}
	if a != nil {
		uses = model.Uses(a.Body, writing)
	}
	out := ""
	add := func(i int) {
		out += fmt.Sprintf(", r%d", i)
		if declare {
			out += ": int"
		}
	}
	for i := range r.Args {
		if a == nil || uses[i] {
			add(i)
		}
	}
	if a != nil && !writing && r.Union.Word != builtin.NoScalar && uses[r.Union.Reg] {
		add(r.Union.Reg)
	}
	return out
}

func boolean(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func (g *generator) enterRoutine(side string, r *model.Routine) {
	if r.Nests || g.m.CountCalls {
		g.f("    %s.enter_routine(%s, %d)\n", side, boolean(r.Nests), r.Rule)
	}
}

func (g *generator) leaveRoutine(side string, r *model.Routine) {
	if r != nil && (r.Nests || g.m.CountCalls) {
		g.f("    %s.leave_routine(%s)\n", side, boolean(r.Nests))
	}
}

// word prints the reading of a number that steers, as one of 64 bits.
func word(s builtin.Scalar, rule int) string {
	x := fmt.Sprintf("r.%s(%d)", s, rule)
	if s == builtin.U64 {
		x = "_i64(" + x + ")"
	}
	return x
}

func (g *generator) readUnion(r *model.Routine) {
	u := r.Union
	g.record = &record{}
	g.f("def _read_%s(r: _Reader%s) -> %s:\n", g.routine[r], g.params(r, nil, true, false), g.union[r])
	g.enterRoutine("r", r)
	other := u.Arms[len(u.Arms)-1].Else
	if !other {
		g.f("    at = r.pos\n")
	}
	if u.Word != builtin.NoScalar {
		g.f("    r%d = %s\n", u.Reg, word(u.Word, u.Rule))
	}
	g.f("    n = %s\n    v: %s\n    match n:\n", g.number(u.Expr, "r"), g.union[r])
	for _, a := range u.Arms {
		if a.Else {
			g.f("        case _:\n")
		} else {
			g.f("        case %d:\n", int64(a.ID))
		}
		g.f("            v = _read_%s(r%s)\n", g.arm[a], g.params(r, a, false, false))
	}
	if !other {
		g.f("        case _:\n            raise FormatError(\"type\", at, %d, \"a known type\", f\"number {n & _M64}\")\n", u.Rule)
	}
	g.leaveRoutine("r", r)
	g.f("    return v\n\n\n")
}

// declare prints the variables that are set in branches.
func (g *generator) declare() {
	rec := g.record
	done := map[string]bool{}
	var walk func(block []*model.Stmt, inside bool)
	walk = func(block []*model.Stmt, inside bool) {
		for _, s := range block {
			if v := fmt.Sprintf("r%d", s.Reg); s.Op == model.OpPatch && rec.writing && rec.uses[s.Reg] && !done[v] { // it is 0 before that
				done[v] = true
				g.f("    %s = 0\n", v)
			}
			if inside {
				cell := fmt.Sprintf("c%d", s.Cell)
				switch s.Op {
				case model.OpWord, model.OpLet, model.OpMark, model.OpSize:
					if v := fmt.Sprintf("r%d", s.Reg); rec.uses[s.Reg] && !done[v] {
						done[v] = true
						g.f("    %s = 0\n", v)
					}
				default:
					if s.Op.Keeps() && !rec.writing && rec.t.Fields[s.Cell].Optional && !done[cell] {
						done[cell], rec.declared[s.Cell] = true, true
						m := g.members(rec.t)[s.Cell]
						g.f("    %s: %s = %s\n", cell, optionalType(m), m.absent)
					}
				}
			}
			walk(s.Then, true)
			walk(s.Else, true)
		}
	}
	walk(rec.body, false)
	if !rec.writing {
		for i, f := range rec.t.Fields {
			if f.Shape.Kind == model.Unit {
				g.f("    c%d = %s\n", i, g.absent(f))
			}
		}
	}
	if rec.pad {
		g.f("    last = 0\n")
	}
}

func (g *generator) readRecord(t *model.Type, body []*model.Stmt, rule int, r *model.Routine) {
	rec := g.begin(t, body, false)
	g.declare()
	g.readBlock(body, "    ")
	g.leaveRoutine("r", r)
	switch {
	case len(t.Fields) == 0 && t.Natural:
		g.f("    return None\n")
	case rec.named != nil || t.Alone() != nil && !isClass(t):
		g.f("    return c0\n")
	default:
		g.spendRecord(t, rule)
		var parts []string
		for i, m := range g.members(t) {
			parts = append(parts, fmt.Sprintf("%s=c%d", m.name, i))
		}
		g.f("    return %s(%s)\n", g.typeName[t], strings.Join(parts, ", "))
	}
}

// spendRecord prints what a record counts for, unless a field stands for it alone.
func (g *generator) spendRecord(t *model.Type, rule int) {
	if f := t.Alone(); len(t.Fields) == 0 || f != nil {
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
				conds = append(conds, fmt.Sprintf("c%d is %s", k, g.absent(other)))
				possible = possible && other.Optional
			}
		}
		if f.Optional {
			conds = append(conds, fmt.Sprintf("c%d is not %s", i, g.absent(f)))
		}
		if possible {
			alone = append(alone, "("+strings.Join(conds, " and ")+")")
		}
	}
	if len(alone) > 0 {
		g.f("    if not (%s):\n        r.spend(%d, %d)\n", strings.Join(alone, " or "), len(t.Fields), rule)
	} else {
		g.f("    r.spend(%d, %d)\n", len(t.Fields), rule)
	}
}

func (g *generator) readBlock(block []*model.Stmt, in string) {
	before := g.Len()
	for i, s := range block {
		at := ""
		if g.record.pad && s.Sized(false) && s.Op != model.OpLeave && s.Op != model.OpSize && model.Padded(block, i, false) {
			g.region++
			at = fmt.Sprintf("at%d", g.region)
			g.f("%s%s = r.pos\n", in, at)
		}
		g.readStmt(s, in)
		if at != "" {
			g.f("%slast = r.pos - %s\n", in, at)
		}
		if g.record.pad && s.Op == model.OpSize && model.Padded(block, i, false) {
			g.f("%slast = r%d\n", in, s.Reg)
		}
	}
	if g.Len() == before && in != "    " {
		g.f("%spass\n", in)
	}
}

func (g *generator) readStmt(s *model.Stmt, in string) {
	rec := g.record
	cell, reg := fmt.Sprintf("c%d", s.Cell), fmt.Sprintf("r%d", s.Reg)
	back := "r.pos"
	if s.Back > 0 {
		back = fmt.Sprintf("r.before(%d)", s.Back)
	}
	p := func(format string, args ...any) { g.f(in+format+"\n", args...) }
	switch s.Op {
	case model.OpHeader, model.OpPatch, model.OpSubst, model.OpAbsent:
	case model.OpWord:
		if rec.uses[s.Reg] {
			p("%s = %s", reg, word(s.Scalar, s.Rule))
		} else {
			p("r.take(%d, %d)", s.Scalar.Width(), s.Rule)
		}
	case model.OpLet:
		if rec.uses[s.Reg] {
			p("%s = %s", reg, g.number(s.Expr, "r"))
		}
	case model.OpCheck:
		p("if not (%s):", g.cond(s.Expr, "r"))
		p("    raise FormatError(\"value\", %s, %d, \"\", %q)", back, s.Rule, s.Text)
	case model.OpScalars:
		x := fmt.Sprintf("r.%s(%d)", s.Scalar, s.Rule)
		if s.Scalar == builtin.Code4 {
			g.helpers["code"] = true
			x = "_code_text(" + x + ")"
		}
		p("%s = %s", cell, x)
	case model.OpTruth:
		p("%s = r.truth(r.%s(%d), %d, %s, %d)", cell, s.Scalar, s.Rule, s.Scalar.Width(), boolean(s.Nonzero), s.Rule)
	case model.OpTake:
		x := reg
		switch g.typeOf(rec.t.Fields[s.Cell].Shape) {
		case "bool":
			x += " != 0"
		case "str":
			g.helpers["code"] = true
			x = "_code_text(" + x + ")"
		default:
			if s.Take == builtin.Uint && rec.t.Fields[s.Cell].Shape.Scalar().Width() == 8 {
				x += " & _M64"
			}
		}
		p("%s = %s", cell, x)
	case model.OpArmRef:
		p("%s = _name_%s(%s, %s, %d)", cell, g.routine[s.Elem], reg, back, s.Rule)
	case model.OpLanes:
		x := fmt.Sprintf("unpack_from(%q, r.data, r.take(%d, %d))", g.format(s.Scalar, s.Width), s.Width*s.Scalar.Width(), s.Rule)
		g.helpers["unpack_from"] = true
		if rec.named != nil {
			p("%s = %s(*%s)", cell, g.typeName[rec.t], x)
		} else {
			p("%s: %s = %s", cell, g.typeOf(rec.t.Fields[s.Cell].Shape), x)
		}
	case model.OpText:
		p("%s = r.text(_E%d, %s, %d)", cell, s.Encoding, g.number(s.Expr, "r"), s.Rule)
	case model.OpPacked:
		w := s.Scalar.Width()
		n := fmt.Sprintf("(r.end - r.pos) // %d", s.Width*w)
		if s.Expr != nil {
			n = g.number(s.Expr, "r")
		}
		x := fmt.Sprintf("r.packed(%s, %d, %d, %d)", n, s.Width, w, s.Rule)
		annotation := func(typ string) string {
			if rec.declared[s.Cell] {
				return ""
			}
			return ": " + typ
		}
		switch typ := g.typeOf(rec.t.Fields[s.Cell].Shape); {
		case typ == "bytes":
			p("%s = bytes(%s)", cell, x)
		case s.Width == 1:
			g.helpers["iter_unpack"] = true
			p("%s%s = [x for (x,) in iter_unpack(%q, %s)]", cell, annotation(typ), g.format(s.Scalar, 1), x)
		default:
			g.helpers["iter_unpack"] = true
			p("%s%s = list(iter_unpack(%q, %s))", cell, annotation(typ), g.format(s.Scalar, s.Width), x)
		}
	case model.OpPad:
		p("r.pad(%d, last, %s, %s, %d, %d)", s.Align, boolean(s.OrEnd), boolean(s.Exact), s.Fill, s.Rule)
	case model.OpList:
		p("%s = r.items(%s, %d, %d, %q, _read_%s)", cell, g.number(s.Expr, "r"), s.Elem.Min, s.Rule, s.Step, g.routine[s.Elem])
	case model.OpMap:
		p("%s = r.pairs(%s, %d, %d, %q, _read_%s, _read_%s)", cell, g.number(s.Expr, "r"), s.Key.Min+s.Elem.Min, s.Rule, s.Step, g.routine[s.Key], g.routine[s.Elem])
	case model.OpRest:
		p("%s = r.rest(%d, %q, _read_%s)", cell, s.Rule, s.Step, g.routine[s.Elem])
	case model.OpCall:
		args := ""
		for _, a := range s.Args {
			args += ", " + g.number(a, "r")
		}
		p("try:")
		p("    %s = _read_%s(r%s)", cell, g.routine[s.Elem], args)
		p("except FormatError as e:")
		p("    e.within(\"\", %q)", "."+s.Step)
		p("    raise")
	case model.OpIf:
		p("if %s:", g.cond(s.Expr, "r"))
		g.readBlock(s.Then, in+"    ")
		if slices.ContainsFunc(s.Else, func(s *model.Stmt) bool { return s.Reads(rec.uses) }) {
			p("else:")
			g.readBlock(s.Else, in+"    ")
		}
	case model.OpGate:
		p("if r.open & %d == 0:", 1<<s.Gate)
		p("    raise FormatError(\"closed\", r.pos, %d, \"\", %q)", s.Rule, g.m.Gates[s.Gate]+" are read only where the caller allows it")
	case model.OpEnter:
		g.region++
		g.regions = append(g.regions, g.region)
		p("end%d = r.end", g.region)
		if rec.pad {
			p("start%d = r.pos", g.region)
		}
		p("r.enter(%s, %d)", g.number(s.Expr, "r"), s.Rule)
	case model.OpLeave:
		n := g.regions[len(g.regions)-1]
		g.regions = g.regions[:len(g.regions)-1]
		p("r.leave(%d)", s.Rule)
		p("r.end = end%d", n)
		if rec.pad {
			p("last = r.pos - start%d", n)
		}
	case model.OpMark:
		if rec.uses[s.Reg] {
			p("%s = r.pos", reg)
		}
	case model.OpSize:
		if rec.uses[s.Reg] {
			p("%s = r.pos - r%d", reg, s.Place)
		}
	default:
		panic("python: statement " + s.Op.String())
	}
}

// format is the format of package struct for so many numbers.
func (g *generator) format(s builtin.Scalar, n int) string {
	order := "<"
	if g.m.Big && s != builtin.Code4 {
		order = ">"
	}
	letter := [...]string{"", "B", "b", "H", "h", "I", "i", "Q", "q", "f", "d", "I"}[s]
	if n == 1 {
		return order + letter
	}
	return fmt.Sprintf("%s%d%s", order, n, letter)
}
