// Writing: the other direction of read.go.

package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
)

func (g *generator) writers() {
	for _, r := range g.m.Routines {
		if r.Union == nil {
			g.f("function write%s(w: Writer, v: %s%s): void {\n", g.routine[r], g.typeOf(r.Shape), g.params(r, nil, true, true))
			g.enterRoutine("w", r)
			g.writeRecord(r, r.Type, r.Body, r.Rule)
			g.leaveRoutine("w", r)
			g.f("}\n\n")
			continue
		}
		g.writeUnion(r)
		for _, a := range r.Union.Arms {
			typ := g.typeName[a.Type]
			if a.Type.Natural {
				typ = g.natural(a.Type)
			}
			v := "v"
			if len(a.Type.Fields) == 0 {
				v = "_"
			}
			g.f("function write%s(w: Writer, %s: %s%s): void {\n", g.arm[a], v, typ, g.params(r, a, true, true))
			if len(a.Body) == 0 {
				g.f("  void w;\n")
			}
			g.writeRecord(r, a.Type, a.Body, a.Rule)
			g.f("}\n\n")
		}
	}
	for _, r := range g.m.Routines {
		if r.Union == nil {
			continue
		}
		g.names(r)
	}
	for _, r := range g.m.Routines {
		if r.Union != nil && slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return len(a.Type.Writes) > 0 }) {
			g.subst(r)
		}
	}
	g.extra()
}

// names prints the ways from a value or a name of a union's arm to its number.
func (g *generator) names(r *model.Routine) {
	if slices.Contains(g.m.NamedUnions(), r) {
		g.f("const numbers%s: Readonly<Record<string, number>> = {\n", g.routine[r])
		for _, a := range r.Union.Arms {
			if !a.Else {
				g.f("  %s: %d,\n", property(a.Type.Name), a.ID)
			}
		}
		g.f("};\n\n/** The number of a type: 0 for no value, -1 for none of the schema. */\nfunction name%sNumber(name: unknown): number {\n  if (name === undefined) return 0;\n", g.routine[r])
		g.f("  return typeof name === \"string\" && Object.hasOwn(numbers%s, name) ? numbers%s[name]! : -1;\n}\n\n", g.routine[r], g.routine[r])
	}
	if g.m.Numbered(r) {
		g.f("/** The number of the type of a value: 0 for no value, -1 for none of the schema. */\nfunction number%s(v: %s | undefined): number {\n  if (v === undefined) return 0;\n", g.routine[r], g.routine[r])
		g.dispatch(r, "v", "  ", func(a *model.Arm) string { return fmt.Sprintf("return %d;", a.ID) }, "return -1;")
		g.f("}\n\n")
	}
}

// dispatch prints what to do with a value of each arm.
func (g *generator) dispatch(r *model.Routine, v, in string, do func(*model.Arm) string, other string) {
	run := do
	do = func(a *model.Arm) string { return strings.ReplaceAll(run(a), "\n", "\n"+in+"    ") }
	cases := map[string]*model.Arm{}
	var objects []*model.Arm
	for _, a := range r.Union.Arms {
		if a.Type.Natural {
			cases[g.natural(a.Type)] = a
		} else {
			objects = append(objects, a)
		}
	}
	before := ""
	if a := cases["null"]; a != nil {
		g.f("%sif (%s === null) {\n%s  %s\n", in, v, in, do(a))
		before = in + "} else "
	}
	if a := cases["string | Uint8Array"]; a != nil {
		if before == "" {
			before = in
		}
		g.f("%sif (%s instanceof Uint8Array) {\n%s  %s\n", before, v, in, do(a))
		cases["string"] = a
		before = in + "} else "
	}
	if before != "" {
		g.f("%s{\n", before)
		defer g.f("%s}\n", in)
		in += "  "
	}
	g.f("%sswitch (typeof %s) {\n", in, v)
	for _, t := range []string{"boolean", "bigint", "number", "string"} {
		if a := cases[t]; a != nil {
			g.f("%s  case %q:\n%s    %s\n", in, t, in, do(a))
			if !leaves(do(a)) {
				g.f("%s    break;\n", in)
			}
		}
	}
	if len(objects) > 0 {
		null := ""
		if cases["null"] == nil {
			null = fmt.Sprintf("%s    if (%s === null) {\n%s      %s\n%s    }\n", in, v, in, other, in)
		}
		g.f("%s  case \"object\":\n%s%s    switch (%s.$type) {\n", in, null, in, v)
		for _, a := range objects {
			g.f("%s      case %q:\n%s        %s\n", in, a.Type.Name, in, do(a))
			if !leaves(do(a)) {
				g.f("%s        break;\n", in)
			}
		}
		g.f("%s      default:\n%s        %s\n%s    }\n", in, in, other, in)
		if !leaves(other) {
			g.f("%s    break;\n", in)
		}
	}
	g.f("%s  default:\n%s    %s\n%s}\n", in, in, other, in)
}

func (g *generator) writeUnion(r *model.Routine) {
	u := r.Union
	g.big = map[int]bool{}
	for i, exact := range r.Exact {
		g.big[i] = !exact
	}
	g.f("function write%s(w: Writer, v: %s%s): void {\n", g.routine[r], g.routine[r], g.params(r, nil, true, true))
	g.enterRoutine("w", r)
	var all []string
	suffix := ""
	if u.Word == builtin.NoScalar {
		g.f("  const n = %s;\n", g.any(u.Expr, "w"))
		if !g.small(u.Expr) {
			suffix = "n"
		}
		for _, a := range u.Arms {
			if !a.Else {
				all = append(all, fmt.Sprintf("n === %d%s", a.ID, suffix))
			}
		}
	}
	g.dispatch(r, "v", "  ", func(a *model.Arm) string {
		test := ""
		if u.Word == builtin.NoScalar {
			wrong := fmt.Sprintf("w.fail(\"mismatch\", %d, `the arm for number ${n}`, %q)", u.Rule, a.Type.Name)
			if a.Else {
				test = fmt.Sprintf("if (%s) %s;\n", strings.Join(all, " || "), wrong)
			} else {
				test = fmt.Sprintf("if (n !== %d%s) %s;\n", a.ID, suffix, wrong)
			}
		}
		return fmt.Sprintf("%swrite%s(w, v%s);", test, g.arm[a], g.params(r, a, false, true))
	}, fmt.Sprintf("w.foreign(%d, v);", u.Rule))
	g.leaveRoutine("w", r)
	g.f("}\n\n")
}

// subst prints the function that gives what is written in place of a value.
func (g *generator) subst(r *model.Routine) {
	name := g.routine[r]
	g.f("/** What is written in place of a value. */\nfunction subst%s(v: %s | undefined%s): %s | undefined {\n", name, name, g.substParam(r), name)
	g.f("  for (let i = 0; i < 4 && v !== undefined; i++) {\n")
	g.dispatch(r, "v", "    ", func(a *model.Arm) string {
		if len(a.Type.Writes) == 0 {
			return "return v;"
		}
		return g.substArm(a.Type)
	}, "return v;")
	g.f("  }\n  return v;\n}\n\n")
}

// substArm returns the block that replaces a value of one arm.
func (g *generator) substArm(t *model.Type) string {
	g.record = &record{t: t, consts: map[string]bool{}}
	var b strings.Builder
	b.WriteString("{\n")
	members := g.members(t)
	for _, i := range t.Replaces() {
		x := "v." + members[i].name
		if t.Natural {
			x = "v"
		}
		fmt.Fprintf(&b, "  const c%d = %s;\n", i, x)
	}
	for _, w := range t.Writes {
		in := "  "
		if w.When != nil {
			fmt.Fprintf(&b, "  if (%s) {\n", g.cond(w.When, "w"))
			in = "    "
		}
		if w.Absent {
			b.WriteString(in + "return undefined;\n")
		} else {
			old, text := "v", fmt.Sprintf("%q", w.Text)
			if !w.Type.Natural {
				m := g.members(w.Type)[0].name
				old, text = "v."+m, fmt.Sprintf("{ $type: %q, %s: %q }", w.Type.Name, m, w.Text)
			}
			if w.Type == t {
				fmt.Fprintf(&b, "%sif (%s === %q) return v;\n", in, old, w.Text)
			}
			fmt.Fprintf(&b, "%sv = %s;\n%scontinue;\n", in, text, in)
		}
		if w.When == nil {
			b.WriteString("}")
			return b.String()
		}
		b.WriteString("  }\n")
	}
	b.WriteString("  return v;\n}")
	return b.String()
}

// leaves reports whether the last of some statements is a return or a continue.
func leaves(statements string) bool {
	lines := strings.Split(strings.TrimRight(statements, "\n }"), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return strings.HasPrefix(last, "return") || strings.HasPrefix(last, "continue")
}

// substParam is the writer, where what is written depends on the gates.
func (g *generator) substParam(r *model.Routine) string {
	if g.needsWriter(r) {
		return ", w: Writer"
	}
	return ""
}

func (g *generator) needsWriter(r *model.Routine) bool {
	found := false
	for _, a := range r.Union.Arms {
		for _, w := range a.Type.Writes {
			w.When.Walk(func(x *model.Expr) { found = found || x.Op == builtin.Closed })
		}
	}
	return found
}

func (g *generator) writeRecord(r *model.Routine, t *model.Type, body []*model.Stmt, rule int) {
	rec := g.begin(r, t, body, true)
	cells, texts := model.WrittenCells(body)
	if len(t.Fields) > 0 {
		if !t.Natural && t.Union == "" {
			if g.isInterface(t) {
				g.f("  if (typeof v !== \"object\" || v === null) w.mismatch(%d, v, \"a value\");\n", rule)
			} else {
				g.f("  if (v === undefined) w.mismatch(%d, v, \"a value\");\n", rule)
			}
		}
		members := g.members(t)
		for i, f := range t.Fields {
			if !cells[i] {
				continue
			}
			x := "v"
			if rec.named == nil && g.isInterface(t) {
				x = "v." + members[i].name
				if p := property(members[i].name); p != members[i].name {
					x = "v[" + p + "]"
				}
			}
			let := "const"
			typ := ""
			if g.substituted(body, i) {
				let, typ = "let", ": "+g.typeOf(f.Shape)+" | undefined"
			}
			if f.Shape.Kind == model.Map {
				key := func(s *model.Shape, x, inside string) string { return g.keyOf(s, x, inside) }
				present := ""
				if f.Optional {
					present = x + " !== undefined && "
				}
				g.f("  const c%d = %sisPairs(%s) ? merged(%s, (k) => %s) : %s;\n", i, present, x, x, key(f.Shape.Key, "k", "false"), x)
			} else {
				g.f("  %s c%d%s = %s;\n", let, i, typ, x)
			}
			if texts[i] {
				g.f("  const t%d = textBytes(c%d);\n", i, i)
			}
		}
		g.checkTaken(body, rule)
	}
	g.declare(r.Args)
	g.writeBlock(body, "  ")
}

// substituted reports whether a cell may be replaced.
func (g *generator) substituted(body []*model.Stmt, cell int) bool {
	found := false
	model.Walk(body, func(s *model.Stmt) { found = found || s.Op == model.OpSubst && s.Cell == cell })
	return found
}

// checkTaken prints the tests of fields that are written as part of a word.
func (g *generator) checkTaken(body []*model.Stmt, rule int) {
	model.Walk(body, func(s *model.Stmt) {
		if s.Op != model.OpTake {
			return
		}
		f, c := g.record.t.Fields[s.Cell], fmt.Sprintf("c%d", s.Cell)
		test := ""
		switch g.typeOf(f.Shape) {
		case "boolean":
			test = fmt.Sprintf("if (typeof %s !== \"boolean\") w.mismatch(%d, %s, \"a boolean\");", c, s.Rule, c)
		case "bigint":
			test = fmt.Sprintf("w.big(%s, %d);", c, s.Rule)
		case "string":
			g.helpers["code"] = true
			test = fmt.Sprintf("checkCode(w, %s, %d);", c, s.Rule)
		default:
			test = fmt.Sprintf("w.integer(%s, %d);", c, s.Rule)
		}
		if f.Optional {
			test = fmt.Sprintf("if (%s !== undefined) { %s }", c, test)
		}
		g.f("  %s\n", test)
	})
}

func (g *generator) writeBlock(block []*model.Stmt, in string) {
	for i, s := range block {
		at := ""
		if g.record.pad && s.Sized(true) && s.Op != model.OpSize && model.Padded(block, i, true) {
			g.region++
			at = fmt.Sprintf("at%d", g.region)
			g.f("%sconst %s = w.pos;\n", in, at)
		}
		g.writeStmt(s, in)
		g.settle(s)
		if at != "" {
			g.f("%slast = w.pos - %s;\n", in, at)
		}
		if g.record.pad && s.Op == model.OpSize && model.Padded(block, i, true) {
			g.f("%slast = r%d;\n", in, s.Reg)
		}
	}
}

func (g *generator) tested(e *model.Expr, rule int, in string) {
	if tests := g.fits(e, "w"); len(tests) > 0 {
		g.f("%sif (%s) w.fail(\"range\", %d, \"a number that fits its bits\", \"\");\n", in, strings.Join(tests, " || "), rule)
	}
}

// ranged prints the test that a number fits a scalar.
func (g *generator) ranged(e *model.Expr, x string, s builtin.Scalar, rule int, in string) {
	if e.Fits(s) && s.Width() < 8 || s.Width() == 8 {
		return
	}
	lo, hi := model.ScalarBounds(s)
	n := ""
	if !g.small(e) {
		n = "n"
	}
	g.f("%sif (%s < %d%s || %s > %d%s) w.fail(\"range\", %d, \"a number that fits %s\", String(%s));\n", in, x, lo, n, x, hi, n, rule, s, x)
}

// put prints the writing of a number.
func (g *generator) put(s builtin.Scalar, e *model.Expr, x, in string) {
	switch {
	case s.Width() == 8 && g.small(e):
		x = "BigInt(" + x + ")"
	case s.Width() < 8 && !g.small(e):
		x = "Number(" + x + ")"
	}
	g.f("%sw.%s(%s);\n", in, s, x)
}

func (g *generator) writeStmt(s *model.Stmt, in string) {
	rec := g.record
	p := func(format string, args ...any) { g.f(in+format+"\n", args...) }
	c := fmt.Sprintf("c%d", s.Cell)
	reg := g.assign(fmt.Sprintf("r%d", s.Reg))
	counted := func(n string) {
		if s.Expr != nil {
			g.tested(s.Expr, s.Rule, in)
			p("w.counted(%s, %s, %d);", g.any(s.Expr, "w"), n, s.Rule)
		}
	}
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave:
	case model.OpHeader, model.OpWord:
		if s.Place >= 0 {
			p("%sw.room(%d);", g.assign(fmt.Sprintf("r%d", s.Place)), s.Scalar.Width())
			break
		}
		g.tested(s.Expr, s.Rule, in)
		x := g.any(s.Expr, "w")
		if rec.uses[s.Reg] {
			cut := !g.big[s.Reg] && !g.small(s.Expr) // tested before it becomes a number
			if cut {
				g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
			}
			p("%s%s;", reg, g.register(s, "w"))
			x = fmt.Sprintf("r%d", s.Reg)
			if !cut {
				g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
			}
			if g.big[s.Reg] {
				if s.Scalar.Width() < 8 {
					x = "Number(" + x + ")"
				}
			} else if s.Scalar.Width() == 8 {
				x = "BigInt(" + x + ")"
			}
			p("w.%s(%s);", s.Scalar, x)
			break
		}
		g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
		g.put(s.Scalar, s.Expr, x, in)
	case model.OpLet:
		if rec.uses[s.Reg] {
			g.tested(s.Expr, s.Rule, in)
			p("%s%s;", reg, g.register(s, "w"))
		}
	case model.OpCheck:
		g.tested(s.Expr, s.Rule, in)
		p("if (!(%s)) w.fail(\"value\", %d, \"\", %q);", g.cond(s.Expr, "w"), s.Rule, s.Text)
		g.learn(g.facts(s.Expr, true))
	case model.OpScalars:
		g.writeScalar(s, c, in)
	case model.OpTruth:
		p("if (typeof %s !== \"boolean\") w.mismatch(%d, %s, \"a bool\");", c, s.Rule, c)
		if s.Scalar.Width() == 8 {
			p("w.%s(%s ? 1n : 0n);", s.Scalar, c)
		} else {
			p("w.%s(%s ? 1 : 0);", s.Scalar, c)
		}
	case model.OpArmRef:
		p("if (name%sNumber(%s) < 0 || %s === undefined) w.mismatch(%d, %s, `a type of schema ${schema}`);", g.routine[s.Elem], c, c, s.Rule, c)
	case model.OpLanes:
		var xs []string
		if rec.named != nil {
			for _, m := range rec.named {
				xs = append(xs, c+"."+m.name)
			}
		} else {
			p("if (!Array.isArray(%s) || %s.length !== %d) w.mismatch(%d, %s, \"%d numbers\");", c, c, s.Width, s.Rule, c, s.Width)
			for i := range s.Width {
				xs = append(xs, fmt.Sprintf("%s[%d]", c, i))
			}
		}
		for _, x := range xs {
			g.checkNumber(s.Scalar, s.Scalar.Width() == 8 && !s.Scalar.IsFloat(), x, s.Rule, in)
		}
		for _, x := range xs {
			p("w.%s(%s);", s.Scalar, x)
		}
	case model.OpPacked:
		g.writePacked(s, c, in, counted)
	case model.OpText:
		bytes := ""
		if g.on["bytesText"] {
			bytes = fmt.Sprintf(" && !(%s instanceof Uint8Array)", c)
		}
		p("if (typeof %s !== \"string\"%s) w.mismatch(%d, %s, \"text\");", c, bytes, s.Rule, c)
		g.tested(s.Expr, s.Rule, in)
		p("w.text(encodings.e%d, %s, t%d, %s, %d);", s.Encoding, c, s.Cell, g.any(s.Expr, "w"), s.Rule)
	case model.OpPad:
		p("w.pad(%d, last, %d);", s.Align, s.Fill)
	case model.OpList, model.OpRest:
		p("if (!Array.isArray(%s)) w.mismatch(%d, %s, \"a list\");", c, s.Rule, c)
		counted(c + ".length")
		p("w.list(%s, %q, write%s);", c, s.Step, g.routine[s.Elem])
	case model.OpMap:
		undefined := ""
		if rec.t.Fields[s.Cell].Optional {
			undefined = c + " === undefined || "
		}
		p("if (%s!isPairs(%s)) w.mismatch(%d, %s, \"a list of pairs\");", undefined, c, s.Rule, c)
		counted(c + ".length")
		p("w.pairs(%s, %q, write%s, write%s);", c, s.Step, g.routine[s.Key], g.routine[s.Elem])
	case model.OpCall:
		for _, a := range s.Args {
			g.tested(a, s.Rule, in)
		}
		p("try {")
		p("  if (%s === undefined) w.mismatch(%d, %s, \"a value\");", c, s.Rule, c)
		p("  write%s(w, %s%s);", g.routine[s.Elem], c, g.args(s, "w"))
		p("} catch (e) {")
		p("  within(e, \"\", %q);", "."+s.Step)
		p("}")
	case model.OpIf:
		g.tested(s.Expr, s.Rule, in)
		p("if (%s) {", g.cond(s.Expr, "w"))
		g.under(s.Expr, true, func() { g.writeBlock(s.Then, in+"  ") })
		if len(s.Else) > 0 {
			p("} else {")
			g.under(s.Expr, false, func() { g.writeBlock(s.Else, in+"  ") })
		}
		p("}")
	case model.OpAbsent:
		p("if (%s !== undefined) w.fail(\"mismatch\", %d, %q, describe(%s));", c, s.Rule, "no value of "+g.m.Rules[s.Rule].Name+" beside the other fields", c)
	case model.OpSubst:
		arg := ""
		if g.needsWriter(s.Elem) {
			arg = ", w"
		}
		p("%s = subst%s(%s%s);", c, g.routine[s.Elem], c, arg)
	case model.OpGate:
		p("if ((w.open & %d) === 0) w.fail(\"closed\", %d, \"\", %q);", 1<<s.Gate, s.Rule, g.m.Gates[s.Gate]+" are written only where the caller allows it")
	case model.OpMark:
		if rec.uses[s.Reg] {
			p("%sw.pos;", reg)
		}
	case model.OpSize:
		p("%sw.pos - r%d;", reg, s.Place)
	case model.OpPatch:
		g.tested(s.Expr, s.Rule, in)
		x := g.any(s.Expr, "w")
		g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
		y := x
		if s.Scalar.Width() == 8 && g.small(s.Expr) {
			y = "BigInt(" + x + ")"
		} else if s.Scalar.Width() < 8 && !g.small(s.Expr) {
			y = "Number(" + x + ")"
		}
		p("w.view.%s(r%d, %s%s);", strings.Replace(viewGet(s.Scalar), "get", "set", 1), s.Place, y, order(s.Scalar))
		if rec.uses[s.Reg] {
			p("%s%s;", reg, g.register(s, "w"))
		}
	default:
		panic("typescript: statement " + s.Op.String())
	}
}

// checkNumber prints the tests of a number that a caller gave.
func (g *generator) checkNumber(s builtin.Scalar, big bool, x string, rule int, in string) {
	lo, hi := model.ScalarBounds(s)
	switch {
	case s.IsFloat():
		g.f("%sw.number(%s, %d);\n", in, x, rule)
		return
	case big:
		g.f("%sw.big(%s, %d);\n", in, x, rule)
	default:
		g.f("%sw.integer(%s, %d);\n", in, x, rule)
	}
	switch {
	case s == builtin.U64:
		g.f("%sw.whole(%s, 0n, 0xffffffffffffffffn, %d, \"u64\");\n", in, x, rule)
	case s == builtin.I64:
		g.f("%sw.whole(%s, -0x8000000000000000n, 0x7fffffffffffffffn, %d, \"i64\");\n", in, x, rule)
	default:
		g.f("%sw.whole(%s, %d, %d, %d, %q);\n", in, x, lo, hi, rule, s.String())
	}
}

func (g *generator) writeScalar(s *model.Stmt, c, in string) {
	if s.Scalar == builtin.Code4 {
		g.helpers["code"] = true
		g.f("%scheckCode(w, %s, %d);\n%sw.code4(codeNumber(%s));\n", in, c, s.Rule, in, c)
		return
	}
	big := g.cellType(g.record.t.Fields[s.Cell]) == "bigint"
	g.checkNumber(s.Scalar, big, c, s.Rule, in)
	switch {
	case big && s.Scalar.Width() < 8:
		c = "Number(" + c + ")"
	case !big && s.Scalar.Width() == 8 && !s.Scalar.IsFloat():
		c = "BigInt(" + c + ")"
	}
	g.f("%sw.%s(%s);\n", in, s.Scalar, c)
}

func (g *generator) writePacked(s *model.Stmt, c, in string, counted func(string)) {
	shape := g.record.t.Fields[s.Cell].Shape
	var tests []string
	for _, n := range shape.Scalars {
		tests = append(tests, fmt.Sprintf("%s instanceof %s", c, arrayOf(n)))
	}
	width := ""
	n := c + ".length"
	if s.Width > 1 {
		width = fmt.Sprintf(" || %s.length %% %d !== 0", c, s.Width)
		n = fmt.Sprintf("%s.length / %d", c, s.Width)
	}
	g.f("%sif (!(%s)%s) w.mismatch(%d, %s, \"an array of %d × %s\");\n", in, strings.Join(tests, " || "), width, s.Rule, c, s.Width, s.Scalar)
	counted(n)
	if len(shape.Scalars) > 1 && s.Scalar.IsFloat() {
		g.f("%sif (%s instanceof %s) {\n%s  for (const x of %s) w.%s(x);\n%s} else {\n%s  appendNumbers(w, %s, %d, %t);\n%s}\n", in, c, other(shape, s.Scalar), in, c, s.Scalar, in, in, c, s.Scalar.Width(), s.Scalar == builtin.Code4, in)
	} else {
		g.f("%sappendNumbers(w, %s, %d, %t);\n", in, c, s.Scalar.Width(), s.Scalar == builtin.Code4)
	}
	g.helpers["numbers"] = true
}

func other(shape *model.Shape, s builtin.Scalar) string {
	for _, n := range shape.Scalars {
		if n != s {
			return arrayOf(n)
		}
	}
	return ""
}

// What expressions ask of the fields of the record being printed.

func (g *generator) shapeOf(cell int) *model.Shape { return g.record.t.Fields[cell].Shape }

// bigCell reports whether a field is a bigint.
func (g *generator) bigCell(cell int) bool {
	return g.cellType(g.record.t.Fields[cell]) == "bigint"
}

func (g *generator) count(cell int) string {
	g.helpers["length"] = true
	n := fmt.Sprintf("lengthOf(c%d)", cell)
	if s := g.shapeOf(cell); s.Kind == model.Packed && s.Width > 1 {
		return fmt.Sprintf("Math.floor(%s / %d)", n, s.Width)
	}
	return n
}

func (g *generator) length(e *model.Expr) string {
	n := fmt.Sprintf("t%d.length", e.Cell)
	if !g.record.writing {
		n = fmt.Sprintf("textBytes(c%d).length", e.Cell)
	}
	if g.m.Encodings[e.Encoding].NUL == schema.NULCounted {
		return "(" + n + " + 1)"
	}
	return n
}

func (g *generator) value(cell int) string {
	f := g.record.t.Fields[cell]
	c := fmt.Sprintf("c%d", cell)
	switch g.cellType(f) {
	case "boolean":
		return "(" + c + " === true ? 1 : 0)"
	case "string":
		g.helpers["code"] = true
		return "codeNumber(" + c + ")"
	case "bigint":
		if f.Optional {
			return "(" + c + " ?? 0n)"
		}
		return c
	case "number":
		if f.Shape.Scalar().IsFloat() {
			return "Math.trunc(" + c + ")"
		}
		if f.Optional {
			return "(" + c + " ?? 0)"
		}
		return c
	}
	return "0"
}

func (g *generator) armNumber(e *model.Expr) string {
	r := g.m.Routines[e.Routine]
	if g.shapeOf(e.Cell).Kind == model.ArmName {
		return fmt.Sprintf("name%sNumber(c%d)", g.routine[r], e.Cell)
	}
	return fmt.Sprintf("number%s(c%d)", g.routine[r], e.Cell)
}

func (g *generator) outside(e *model.Expr) string {
	f := g.record.t.Fields[e.Cell]
	c := fmt.Sprintf("c%d", e.Cell)
	lo, hi := model.ScalarBounds(e.Scalar)
	switch typ := g.cellType(f); {
	case typ == "number" && f.Shape.Scalar().IsFloat():
		if e.Scalar == builtin.F32 {
			return fmt.Sprintf("Math.fround(Number(%s)) !== %s", c, c)
		}
		return "false"
	case typ == "bigint" && e.Scalar.Width() == 8:
		if e.Scalar.Signed() {
			return fmt.Sprintf("%s > 0x7fffffffffffffffn", c)
		}
		return fmt.Sprintf("%s < 0n", c)
	case typ == "bigint":
		return fmt.Sprintf("(%s < %dn || %s > %dn)", c, lo, c, hi)
	case e.Scalar.Width() == 8:
		if e.Scalar.Signed() {
			return "false"
		}
		return fmt.Sprintf("%s < 0", c)
	}
	return fmt.Sprintf("(%s < %d || %s > %d)", c, lo, c, hi)
}

// extra prints the functions that were needed on the way.
func (g *generator) extra() {
	if g.helpers["quotient"] {
		g.f("/** A quotient without its fraction; 0 when dividing by 0. */\nfunction quotient(a: number, b: number): number {\n  return b === 0 ? 0 : Math.trunc(a / b);\n}\n\n")
	}
	if g.helpers["remainder"] {
		g.f("/** What dividing leaves; 0 when dividing by 0. */\nfunction remainder(a: number, b: number): number {\n  return b === 0 ? 0 : a %% b;\n}\n\n")
	}
	if g.helpers["bigQuotient"] {
		g.f("/** A quotient without its fraction; 0 when dividing by 0. */\nfunction bigQuotient(a: bigint, b: bigint): bigint {\n  return b === 0n ? 0n : a / b;\n}\n\n")
	}
	if g.helpers["bigRemainder"] {
		g.f("/** What dividing leaves; 0 when dividing by 0. */\nfunction bigRemainder(a: bigint, b: bigint): bigint {\n  return b === 0n ? 0n : a %% b;\n}\n\n")
	}
	for name, op := range map[string]string{"min": "<", "max": ">"} {
		if g.helpers[name] {
			g.f("function %sBig(a: bigint, b: bigint): bigint {\n  return a %s b ? a : b;\n}\n\n", name, op)
		}
	}
	if g.helpers["length"] {
		g.f("/** The length of a list or array; 0 for others. */\nfunction lengthOf(c: { readonly length: number } | null | undefined): number {\n  return c?.length ?? 0;\n}\n\n")
	}
	if g.helpers["numbers"] {
		g.f(`/** Writes the numbers of an array. */
function appendNumbers(w: Writer, c: ArrayBufferView, width: number, letters: boolean): void {
  const b = new Uint8Array(c.buffer, c.byteOffset, c.byteLength);
  if (width === 1 || (letters || little) === nativeLittle) {
    w.append(b);
    return;
  }
  const out = b.slice();
  swapBytes(out, width);
  w.append(out);
}

`)
	}
	if g.helpers["code"] {
		g.f(`/** Four letters as a number, the first one lowest; 0 for others. */
function codeNumber(s: unknown): number {
  if (!isCode(s)) return 0;
  return s.charCodeAt(0) + s.charCodeAt(1) * 0x100 + s.charCodeAt(2) * 0x10000 + s.charCodeAt(3) * 0x1000000;
}

function codeText(n: number): string {
  return String.fromCharCode(n & 0xff, (n >>> 8) & 0xff, (n >>> 16) & 0xff, n >>> 24);
}

/** Whether something is four letters of one byte each. */
function isCode(s: unknown): s is string {
  return typeof s === "string" && /^[\x00-\xff]{4}$/.test(s);
}

function checkCode(w: Writer, s: unknown, rule: number): void {
  const want = "four letters of one byte each";
  if (typeof s !== "string") w.mismatch(rule, s, want);
  else if (!isCode(s)) w.fail("range", rule, want, JSON.stringify(s));
}

`)
	}
}
