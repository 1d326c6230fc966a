// Writing: the other direction of read.go.

package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/dsl/builtin"
)

func (g *generator) writers() {
	for _, r := range g.m.Routines {
		if r.Union == nil {
			g.f("def _write_%s(w: _Writer, v: %s%s) -> None:\n", g.routine[r], g.typeOf(r.Shape), g.params(r, nil, true, true))
			before := g.Len()
			g.enterRoutine("w", r)
			g.writeRecord(r.Type, r.Body, r.Rule)
			g.leaveRoutine("w", r)
			if g.Len() == before {
				g.f("    pass\n")
			}
			g.f("\n\n")
			continue
		}
		for _, a := range r.Union.Arms {
			typ := g.typeName[a.Type]
			if a.Type.Natural {
				typ = g.natural(a.Type)
			}
			v := "v"
			if len(a.Type.Fields) == 0 {
				v = "_"
			}
			self := "w"
			if len(a.Body) == 0 {
				self = "_w"
			}
			g.f("def _write_%s(%s: _Writer, %s: %s%s) -> None:\n", g.arm[a], self, v, typ, g.params(r, a, true, true))
			before := g.Len()
			g.writeRecord(a.Type, a.Body, a.Rule)
			if g.Len() == before {
				g.f("    pass\n")
			}
			g.f("\n\n")
		}
		g.writeUnion(r)
	}
	for _, r := range g.m.Routines {
		if r.Union != nil {
			g.names(r)
		}
	}
	for _, r := range g.m.Routines {
		if r.Union != nil && slices.ContainsFunc(r.Union.Arms, func(a *model.Arm) bool { return len(a.Type.Writes) > 0 }) {
			g.subst(r)
		}
	}
	g.extra()
}

// dispatch prints what to do with a value of each arm.
func (g *generator) dispatch(r *model.Routine, in string, do func(*model.Arm) []string, other []string) {
	word := "if"
	put := func(cond string, lines []string) {
		g.f("%s%s %s:\n", in, word, cond)
		for _, l := range lines {
			g.f("%s    %s\n", in, l)
		}
		word = "elif"
	}
	for _, typ := range []string{"None", "bool", "int", "float", "str", "str | bytes"} {
		for _, a := range r.Union.Arms {
			if !a.Type.Natural || g.natural(a.Type) != typ {
				continue
			}
			switch typ {
			case "None":
				put("v is None", do(a))
			case "str | bytes":
				put("isinstance(v, (str, bytes))", do(a))
			default:
				put("isinstance(v, "+typ+")", do(a))
			}
		}
	}
	for _, a := range r.Union.Arms {
		if !a.Type.Natural {
			put("isinstance(v, "+g.typeName[a.Type]+")", do(a))
		}
	}
	g.f("%selse:\n", in)
	for _, l := range other {
		g.f("%s    %s\n", in, l)
	}
}

func (g *generator) writeUnion(r *model.Routine) {
	u := r.Union
	g.record = &record{}
	g.f("def _write_%s(w: _Writer, v: %s%s) -> None:\n", g.routine[r], g.union[r], g.params(r, nil, true, true))
	g.enterRoutine("w", r)
	var all []string
	if u.Word == builtin.NoScalar {
		g.f("    n = %s\n", g.number(u.Expr, "w"))
		for _, a := range u.Arms {
			if !a.Else {
				all = append(all, fmt.Sprint(int64(a.ID)))
			}
		}
	}
	g.dispatch(r, "    ", func(a *model.Arm) []string {
		var lines []string
		if u.Word == builtin.NoScalar {
			test := fmt.Sprintf("if n != %d:", int64(a.ID))
			if a.Else {
				test = fmt.Sprintf("if n in (%s,):", strings.Join(all, ", "))
			}
			lines = append(lines, test, fmt.Sprintf("    w.fail(\"mismatch\", %d, f\"the arm for number {n}\", %q)", u.Rule, a.Type.Name))
		}
		return append(lines, fmt.Sprintf("_write_%s(w, v%s)", g.arm[a], g.params(r, a, false, true)))
	}, []string{fmt.Sprintf("w.foreign(%d, v)", u.Rule)})
	g.leaveRoutine("w", r)
	g.f("\n\n")
}

// names prints the ways from a value or a name of a union's arm to its number.
func (g *generator) names(r *model.Routine) {
	if slices.Contains(g.m.NamedUnions(), r) {
		g.f("_NUMBERS_%s: dict[str, int] = {name: n for n, name in _NAMES_%s.items()}\n\n\n", strings.ToUpper(g.routine[r]), strings.ToUpper(g.routine[r]))
		g.f("def _name_number_%s(name: object) -> int:\n    \"\"\"The number of a type: 0 for what is no name, -1 for none of the schema.\"\"\"\n", g.routine[r])
		g.f("    return _NUMBERS_%s.get(name, -1) if isinstance(name, str) else 0\n\n\n", strings.ToUpper(g.routine[r]))
	}
	if g.m.Numbered(r) {
		g.f("def _number_%s(v: %s | None) -> int:\n    \"\"\"The number of the type of a value: 0 for no value, -1 for none of the schema.\"\"\"\n", g.routine[r], g.union[r])
		word := "if"
		for _, a := range r.Union.Arms {
			if a.Type.Natural {
				continue
			}
			g.f("    %s isinstance(v, %s):\n        return %d\n", word, g.typeName[a.Type], int64(a.ID))
		}
		for _, a := range r.Union.Arms { // bool before int, which it is one of
			if a.Type.Natural && g.natural(a.Type) == "bool" {
				g.f("    if isinstance(v, bool):\n        return %d\n", int64(a.ID))
			}
		}
		for _, a := range r.Union.Arms {
			if typ := g.natural(a.Type); a.Type.Natural && typ != "bool" && typ != "None" {
				g.f("    if isinstance(v, (%s)):\n        return %d\n", strings.ReplaceAll(typ, " | ", ", "), int64(a.ID))
			}
		}
		g.f("    return 0 if v is None else -1\n\n\n")
	}
}

// subst prints the function that gives what is written in place of a value.
func (g *generator) subst(r *model.Routine) {
	absent, typ := "None", g.union[r]+" | None"
	if hasNone(r) {
		absent, typ = "Absent.ABSENT", g.union[r]+" | Absent"
	}
	g.f("def _subst_%s(v: %s, w: _Writer) -> %s:\n    \"\"\"What is written in place of a value.\"\"\"\n    _ = w\n    for _ in range(4):\n", g.routine[r], typ, typ)
	g.f("        if v is %s:\n            return v\n", absent)
	g.dispatch(r, "        ", func(a *model.Arm) []string {
		if len(a.Type.Writes) == 0 {
			return []string{"return v"}
		}
		return g.substArm(a.Type, absent)
	}, []string{"return v"})
	g.f("    return v\n\n\n")
}

// substArm returns the lines that replace a value of one arm.
func (g *generator) substArm(t *model.Type, absent string) []string {
	g.record = &record{t: t, writing: true}
	var lines []string
	members := g.members(t)
	for _, i := range t.Replaces() {
		x := "v." + members[i].name
		if t.Natural {
			x = "v"
		}
		lines = append(lines, fmt.Sprintf("c%d = %s", i, x))
		if t.Fields[i].Shape.Kind == model.Text {
			lines = append(lines, fmt.Sprintf("t%d = _text_bytes(c%d)", i, i))
		}
	}
	for _, w := range t.Writes {
		in := ""
		if w.When != nil {
			lines = append(lines, "if "+g.cond(w.When, "w")+":")
			in = "    "
		}
		if w.Absent {
			lines = append(lines, in+"return "+absent)
		} else {
			old, text := "v", fmt.Sprintf("%q", w.Text)
			if !w.Type.Natural {
				old, text = "v."+g.members(w.Type)[0].name, fmt.Sprintf("%s(%q)", g.typeName[w.Type], w.Text)
			}
			if w.Type == t {
				lines = append(lines, fmt.Sprintf("%sif %s == %q:", in, old, w.Text), in+"    return v")
			}
			lines = append(lines, in+"v = "+text, in+"continue")
		}
		if w.When == nil {
			return lines
		}
	}
	return append(lines, "return v")
}

func (g *generator) writeRecord(t *model.Type, body []*model.Stmt, rule int) {
	rec := g.begin(t, body, true)
	cells, texts := model.WrittenCells(body)
	if len(t.Fields) > 0 {
		if isClass(t) && t.Union == "" {
			g.f("    if not isinstance(v, %s):\n        w.mismatch(%d, v, \"a value\")\n", g.typeName[t], rule)
		} else if t.Union == "" {
			g.f("    if v is None:\n        w.mismatch(%d, v, \"a value\")\n", rule)
		}
		members := g.members(t)
		for i, f := range t.Fields {
			if !cells[i] {
				continue
			}
			x := "v"
			if rec.named == nil && isClass(t) {
				x = "v." + members[i].name
			}
			if f.Shape.Kind == model.Map {
				if f.Optional {
					g.f("    c%d = %s if %s is None or not _is_pairs(%s) else _merged(%s, lambda k: %s)\n", i, x, x, x, x, g.keyOf(f.Shape.Key, "k", "False"))
				} else {
					g.f("    c%d = _merged(%s, lambda k: %s) if _is_pairs(%s) else %s\n", i, x, g.keyOf(f.Shape.Key, "k", "False"), x, x)
				}
			} else {
				g.f("    c%d = %s\n", i, x)
			}
			if texts[i] {
				g.f("    t%d = _text_bytes(c%d)\n", i, i)
			}
		}
		g.checkTaken(body)
	}
	g.declare()
	g.writeBlock(body, "    ")
}

// checkTaken prints the tests of fields that are written as part of a word.
func (g *generator) checkTaken(body []*model.Stmt) {
	model.Walk(body, func(s *model.Stmt) {
		if s.Op != model.OpTake {
			return
		}
		f, c := g.record.t.Fields[s.Cell], fmt.Sprintf("c%d", s.Cell)
		cond, want := "", ""
		switch g.typeOf(f.Shape) {
		case "bool":
			cond, want = "not isinstance("+c+", bool)", "a bool"
		case "str":
			g.helpers["code"] = true
			cond, want = "not isinstance("+c+", str)", codeWanted
		default:
			cond, want = "not isinstance("+c+", int) or isinstance("+c+", bool)", "an integer"
		}
		if f.Optional {
			cond = fmt.Sprintf("%s is not %s and (%s)", c, g.absent(f), cond)
		}
		g.f("    if %s:\n        w.mismatch(%d, %s, %q)\n", cond, s.Rule, c, want)
		if want == "an integer" && f.Shape.Scalar().Width() == 8 {
			absent := ""
			if f.Optional {
				absent = fmt.Sprintf("%s is not %s and ", c, g.absent(f))
			}
			g.f("    if %snot -1 << 63 <= %s <= _M64:\n        w.fail(\"range\", %d, \"a number that fits %s\", str(%s))\n", absent, c, s.Rule, f.Shape.Scalar(), c)
		}
		if want == codeWanted {
			g.f("    if isinstance(%s, str) and not _is_code(%s):\n        w.fail(\"range\", %d, %q, repr(%s))\n", c, c, s.Rule, want, c)
		}
	})
}

// codeWanted says what a code is, in errors.
const codeWanted = "four letters of one byte each"

func (g *generator) writeBlock(block []*model.Stmt, in string) {
	before := g.Len()
	for i, s := range block {
		at := ""
		if g.record.pad && s.Sized(true) && s.Op != model.OpSize && model.Padded(block, i, true) {
			g.region++
			at = fmt.Sprintf("at%d", g.region)
			g.f("%s%s = w.pos\n", in, at)
		}
		g.writeStmt(s, in)
		if at != "" {
			g.f("%slast = w.pos - %s\n", in, at)
		}
		if g.record.pad && s.Op == model.OpSize && model.Padded(block, i, true) {
			g.f("%slast = r%d\n", in, s.Reg)
		}
	}
	if g.Len() == before && in != "    " {
		g.f("%spass\n", in)
	}
}

func (g *generator) tested(e *model.Expr, rule int, in string) {
	if tests := g.fits(e, "w"); len(tests) > 0 {
		g.f("%sif %s:\n%s    w.fail(\"range\", %d, \"a number that fits its bits\", \"\")\n", in, strings.Join(tests, " or "), in, rule)
	}
}

// ranged prints the test that a number fits a scalar.
func (g *generator) ranged(e *model.Expr, x string, s builtin.Scalar, rule int, in string) {
	if e.Fits(s) || s.Width() == 8 {
		return
	}
	lo, hi := model.ScalarBounds(s)
	g.f("%sif not %d <= %s <= %d:\n%s    w.fail(\"range\", %d, \"a number that fits %s\", str(%s))\n", in, lo, x, hi, in, rule, s, x)
}

func (g *generator) writeStmt(s *model.Stmt, in string) {
	rec := g.record
	p := func(format string, args ...any) { g.f(in+format+"\n", args...) }
	c, reg := fmt.Sprintf("c%d", s.Cell), fmt.Sprintf("r%d", s.Reg)
	kind := func(cond, want string) {
		p("if %s:", cond)
		p("    w.mismatch(%d, %s, %q)", s.Rule, c, want)
	}
	counted := func() {
		if s.Expr != nil {
			g.tested(s.Expr, s.Rule, in)
			p("w.counted(%s, len(%s), %d)", g.number(s.Expr, "w"), c, s.Rule)
		}
	}
	switch s.Op {
	case model.OpTake, model.OpEnter, model.OpLeave:
	case model.OpHeader, model.OpWord:
		if s.Place >= 0 {
			p("r%d = w.room(%d)", s.Place, s.Scalar.Width())
			break
		}
		g.tested(s.Expr, s.Rule, in)
		x := g.number(s.Expr, "w")
		if rec.uses[s.Reg] {
			p("%s = %s", reg, x)
			x = reg
		}
		g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
		p("w.%s(%s)", s.Scalar, x)
	case model.OpLet:
		if rec.uses[s.Reg] {
			g.tested(s.Expr, s.Rule, in)
			p("%s = %s", reg, g.number(s.Expr, "w"))
		}
	case model.OpCheck:
		g.tested(s.Expr, s.Rule, in)
		p("if not (%s):", g.cond(s.Expr, "w"))
		p("    w.fail(\"value\", %d, \"\", %q)", s.Rule, s.Text)
	case model.OpScalars:
		if s.Scalar == builtin.Code4 {
			g.helpers["code"] = true
			kind("not isinstance("+c+", str)", codeWanted)
			p("if not _is_code(%s):", c)
			p("    w.fail(\"range\", %d, %q, repr(%s))", s.Rule, codeWanted, c)
			p("w.code4(_code_number(%s))", c)
			break
		}
		p("w.%s(%s)", s.Scalar, g.checked(s.Scalar, c, s.Rule))
	case model.OpTruth:
		kind("not isinstance("+c+", bool)", "a bool")
		p("w.%s(int(%s))", s.Scalar, c)
	case model.OpArmRef:
		kind(fmt.Sprintf("not isinstance(%s, str) or _name_number_%s(%s) < 0", c, g.routine[s.Elem], c), "the name of a type of the schema")
	case model.OpLanes:
		var xs []string
		if rec.named != nil {
			for _, m := range rec.named {
				xs = append(xs, c+"."+m.name)
			}
		} else {
			kind(fmt.Sprintf("not isinstance(%s, (list, tuple)) or len(%s) != %d", c, c, s.Width), fmt.Sprintf("%d numbers", s.Width))
			for i := range s.Width {
				xs = append(xs, fmt.Sprintf("%s[%d]", c, i))
			}
		}
		var vars []string
		for i, x := range xs {
			p("x%d = %s", i, g.checked(s.Scalar, x, s.Rule))
			vars = append(vars, fmt.Sprintf("x%d", i))
		}
		for _, x := range vars {
			p("w.%s(%s)", s.Scalar, x)
		}
	case model.OpPacked:
		if g.typeOf(rec.t.Fields[s.Cell].Shape) == "bytes" {
			kind(fmt.Sprintf("not isinstance(%s, (bytes, bytearray))", c), "bytes")
			counted()
			p("w.out += %s", c)
			break
		}
		tuples := ""
		if s.Width > 1 {
			tuples = fmt.Sprintf(" or any(not isinstance(x, (list, tuple)) or len(x) != %d for x in %s)", s.Width, c)
		}
		kind(fmt.Sprintf("not isinstance(%s, (list, tuple))%s", c, tuples), fmt.Sprintf("an array of %d × %s", s.Width, s.Scalar))
		counted()
		if s.Width > 1 {
			p("for n in [%s for x in %s for n in x]:", g.checked(s.Scalar, "n", s.Rule), c)
		} else {
			p("for n in [%s for n in %s]:", g.checked(s.Scalar, "n", s.Rule), c)
		}
		p("    w.%s(n)", s.Scalar)
	case model.OpText:
		if g.on["bytesText"] {
			kind("not isinstance("+c+", (str, bytes))", "text")
		} else {
			kind("not isinstance("+c+", str)", "text")
		}
		g.tested(s.Expr, s.Rule, in)
		p("w.text(_E%d, %s, t%d, %s, %d)", s.Encoding, c, s.Cell, g.number(s.Expr, "w"), s.Rule)
	case model.OpPad:
		p("w.pad(%d, last, %d)", s.Align, s.Fill)
	case model.OpList, model.OpRest:
		kind("not isinstance("+c+", (list, tuple))", "a list")
		counted()
		p("w.items(%s, %q, _write_%s)", c, s.Step, g.routine[s.Elem])
	case model.OpMap:
		if rec.t.Fields[s.Cell].Optional {
			kind(c+" is None or not _is_pairs("+c+")", "a list of pairs")
		} else {
			kind("not _is_pairs("+c+")", "a list of pairs")
		}
		counted()
		p("w.pairs(%s, %q, _write_%s, _write_%s)", c, s.Step, g.routine[s.Key], g.routine[s.Elem])
	case model.OpCall:
		args := ""
		for _, a := range s.Args {
			g.tested(a, s.Rule, in)
			args += ", " + g.number(a, "w")
		}
		p("try:")
		if rec.t.Fields[s.Cell].Optional || rec.substituted[s.Cell] {
			p("    if %s is %s:", c, g.absent(rec.t.Fields[s.Cell]))
			p("        w.mismatch(%d, None, \"a value\")", s.Rule)
		}
		p("    _write_%s(w, %s%s)", g.routine[s.Elem], c, args)
		p("except FormatError as e:")
		p("    e.within(\"\", %q)", "."+s.Step)
		p("    raise")
	case model.OpIf:
		g.tested(s.Expr, s.Rule, in)
		p("if %s:", g.cond(s.Expr, "w"))
		g.writeBlock(s.Then, in+"    ")
		if len(s.Else) > 0 {
			p("else:")
			g.writeBlock(s.Else, in+"    ")
		}
	case model.OpAbsent:
		p("if %s is not %s:", c, g.absent(rec.t.Fields[s.Cell]))
		p("    w.fail(\"mismatch\", %d, %q, _describe(%s))", s.Rule, "no value of "+g.m.Rules[s.Rule].Name+" beside the other fields", c)
	case model.OpSubst:
		p("%s = _subst_%s(%s, w)", c, g.routine[s.Elem], c)
	case model.OpGate:
		p("if w.open & %d == 0:", 1<<s.Gate)
		p("    w.fail(\"closed\", %d, \"\", %q)", s.Rule, g.m.Gates[s.Gate]+" are written only where the caller allows it")
	case model.OpMark:
		if rec.uses[s.Reg] {
			p("%s = w.pos", reg)
		}
	case model.OpSize:
		p("%s = w.pos - r%d", reg, s.Place)
	case model.OpPatch:
		g.tested(s.Expr, s.Rule, in)
		x := g.number(s.Expr, "w")
		g.ranged(s.Expr, x, s.Scalar, s.Rule, in)
		if s.Scalar.Width() == 8 && !s.Scalar.Signed() {
			x += " & _M64"
		}
		g.helpers["pack_into"] = true
		p("pack_into(%q, w.out, r%d, %s)", g.format(s.Scalar, 1), s.Place, x)
		if rec.uses[s.Reg] {
			p("%s = %s", reg, x)
		}
	default:
		panic("python: statement " + s.Op.String())
	}
}

// checked prints the test of a number that a caller gave, which gives the number.
func (g *generator) checked(s builtin.Scalar, x string, rule int) string {
	if s.IsFloat() {
		return fmt.Sprintf("w.real(%s, %d)", x, rule)
	}
	lo, hi := model.ScalarBounds(s)
	if s == builtin.U64 {
		return fmt.Sprintf("w.whole(%s, 0, _M64, %d, \"u64\")", x, rule)
	}
	return fmt.Sprintf("w.whole(%s, %d, %d, %d, %q)", x, lo, hi, rule, s.String())
}

// extra prints the functions that were needed on the way, and completes the imports.
func (g *generator) extra() {
	if g.helpers["divide"] {
		g.f("def _quotient(a: int, b: int) -> int:\n    \"\"\"A quotient without its fraction; 0 when dividing by 0.\"\"\"\n    if b == 0:\n        return 0\n    q = abs(a) // abs(b)\n    return q if (a < 0) == (b < 0) else -q\n\n\n")
		g.f("def _remainder(a: int, b: int) -> int:\n    \"\"\"What dividing leaves; 0 when dividing by 0.\"\"\"\n    return 0 if b == 0 else a - b * _quotient(a, b)\n\n\n")
	}
	if g.helpers["length"] {
		g.f("def _length(c: object) -> int:\n    \"\"\"The length of a list; 0 for what has none.\"\"\"\n    return len(cast(\"list[object]\", c)) if isinstance(c, (list, tuple, bytes, bytearray)) else 0\n\n\n")
	}
	if g.helpers["code"] {
		g.f("def _code_number(s: object) -> int:\n    \"\"\"Four letters as a number, the first one lowest; 0 for others.\"\"\"\n    return int.from_bytes(s.encode(\"latin-1\"), \"little\") if isinstance(s, str) and _is_code(s) else 0\n\n\n")
		g.f("def _code_text(n: int) -> str:\n    return n.to_bytes(4, \"little\").decode(\"latin-1\")\n\n\n")
		g.f("def _is_code(s: object) -> bool:\n    \"\"\"Whether something is four letters of one byte each.\"\"\"\n    return isinstance(s, str) and len(s) == 4 and all(c <= \"\\xff\" for c in s)\n\n\n")
	}
	names := []string{"Struct"}
	for _, n := range []string{"iter_unpack", "pack", "pack_into", "unpack", "unpack_from"} {
		if g.helpers[n] || n == "pack" || n == "unpack" {
			names = append(names, n)
		}
	}
	s := strings.Replace(g.String(), "from struct import Struct, pack, unpack\n", "from struct import "+strings.Join(names, ", ")+"\n", 1)
	if g.helpers["length"] && !g.on["maps"] {
		s = strings.Replace(s, "TypeAlias, TypeVar\n", "TypeAlias, TypeVar, cast\n", 1)
	}
	g.Reset()
	g.WriteString(s)
}
