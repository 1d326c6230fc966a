// Statements that depend on the kinds of numbers, and objects.

package typescript

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

type printer struct {
	*script.Module
	big   map[int]bool    // registers of the record that are bigint
	known map[int][]int64 // literal types of registers, see [printer.literals]
}

// Begin finds the registers of the record that are bigint: those that any statement sets to
// one.
func (p *printer) Begin() {
	r := p.Record.Routine
	p.big, p.known = map[int]bool{}, nil
	for i, exact := range r.Exact {
		p.big[i] = !exact
	}
	if r.Union != nil && r.Union.Word != builtin.NoScalar {
		p.big[r.Union.Reg] = wide(r.Union.Word)
	}
	for range 2 {
		model.Walk(p.Record.Body, func(s *model.Stmt) {
			switch s.Op {
			case model.OpWord, model.OpHeader, model.OpPatch:
				p.big[s.Reg] = p.big[s.Reg] || wide(s.Scalar)
			case model.OpLet, model.OpBits:
				p.big[s.Reg] = p.big[s.Reg] || !p.small(s.Expr)
			}
		})
	}
}

// Register returns the type of a register.
func (p *printer) Register(reg int) string {
	if p.big[reg] {
		return "bigint"
	}
	return "number"
}

// Declare declares a variable that is not constant.
func (p *printer) Declare(v *script.Variable) {
	switch {
	case v.Field != nil:
		typ := p.CellType(v.Field.Index)
		if v.Field.Optional {
			typ = p.OrAbsent(typ, p.Absent(v.Field))
		}
		p.Do("let %s: %s", v.Name, typ)
	case p.big[v.Reg]:
		p.Do("let %s = 0n", v.Name)
	default:
		p.Do("let %s = 0", v.Name)
	}
}

// Word prints the number of a word as its register holds it.
func (p *printer) Word(s *model.Stmt, call string) string {
	if p.big[s.Reg] && !wide(s.Scalar) {
		return "BigInt(" + call + ")"
	}
	return call
}

// Number prints the number of a field.
func (p *printer) Number(s *model.Stmt, call string) string {
	switch {
	case s.Scalar == builtin.Code4:
		return "codeText(" + call + ")"
	case p.CellType(s.Cell) == "bigint" && !wide(s.Scalar):
		return "BigInt(" + call + ")"
	}
	return call
}

// Take prints the value of a field that is part of a word.
func (p *printer) Take(s *model.Stmt) string {
	r := script.Reg(s.Reg)
	switch want := p.CellType(s.Cell); {
	case s.Take == builtin.Bool && p.big[s.Reg]:
		return r + " !== 0n"
	case s.Take == builtin.Bool:
		return p.compared(&model.Expr{Op: builtin.Ref, Reg: s.Reg}, []int64{0}) + " !== 0"
	case want == "bigint" && !p.big[s.Reg]:
		return "BigInt(" + r + ")"
	case want == "bigint" && s.Take == builtin.Uint: // the register may hold the bits of a signed number
		return "BigInt.asUintN(64, " + r + ")"
	case want == "string":
		return "codeText(" + r + ")"
	case want == "number" && p.big[s.Reg]:
		return "Number(" + r + ")"
	}
	return r
}

func (p *printer) ReadLanes(s *model.Stmt) {
	at := p.Record.Place()
	p.Do("const %s = r.take(%d, %d)", at, s.Width*s.Scalar.Width(), s.Rule)
	var lanes []string
	for i := range s.Width {
		place := at
		if i > 0 {
			place = fmt.Sprintf("%s + %d", at, i*s.Scalar.Width())
		}
		x := numberAt(s, place)
		if p.Record.Named != nil {
			x = property(p.Record.Named[i].Name) + ": " + x
		}
		lanes = append(lanes, x)
	}
	value := "[" + strings.Join(lanes, ", ") + "]"
	typ := p.Type(p.Record.Type.Fields[s.Cell].Shape)
	if p.Record.Named != nil {
		value, typ = object(p.Record.Type, lanes), p.Class[p.Record.Type]
	}
	if c := script.Cell(s.Cell); p.Record.Variable(c).Once {
		p.Do("const %s: %s = %s", c, typ, value)
	} else {
		p.Do("%s = %s", c, value)
	}
}

// object prints an object of a type with properties.
func object(t *model.Type, parts []string) string {
	if t.Union != "" {
		parts = slices.Insert(parts, 0, fmt.Sprintf("$type: %q", t.Name))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (p *printer) ReadPacked(s *model.Stmt, n string) {
	w := s.Scalar.Width()
	if special(s.Scalar) {
		at := p.Record.Place()
		p.Do("const %s = r.claim(%s, %d, %d)", at, n, s.Width*w, s.Rule)
		x := numberAt(s, fmt.Sprintf("%s + %d * i", at, w))
		p.Set(script.Cell(s.Cell), fmt.Sprintf("%s.from({ length: (r.pos - %s) / %d }, (_, i) => %s)", arrayOf(s.Scalar), at, w, x))
		return
	}
	swap := "little !== nativeLittle"
	switch {
	case w == 1:
		swap = "false"
	case s.Scalar == builtin.Code4:
		swap = "!nativeLittle"
	case s.Swapped:
		swap = "little === nativeLittle"
	}
	p.Set(script.Cell(s.Cell), fmt.Sprintf("new %s(r.packed(%s, %d, %d, %s, %d))", arrayOf(s.Scalar), n, s.Width, w, swap, s.Rule))
}

// Construct returns an object.
func (p *printer) Construct(t *model.Type) {
	var parts, optional []string
	for i, m := range p.Members(t) {
		if m.Optional {
			optional = append(optional, fmt.Sprintf("if (c%d !== undefined) v%s = c%d", i, access(m.Name), i))
		} else {
			parts = append(parts, fmt.Sprintf("%s: c%d", property(m.Name), i))
		}
	}
	if optional == nil {
		p.Do("return %s", object(t, parts))
		return
	}
	p.Do("const v: %s = %s", p.Class[t], object(t, parts))
	for _, set := range optional {
		p.Do("%s", set)
	}
	p.Do("return v")
}

// viewed returns the name of a scalar in the methods of DataView and in typed arrays.
func viewed(s builtin.Scalar) string {
	return [...]string{"", "Uint8", "Int8", "Uint16", "Int16", "Uint32", "Int32", "BigUint64", "BigInt64", "Float32", "Float64", "Uint32"}[ArrayScalar(s)]
}

// ArrayScalar returns the scalar of the typed array that holds numbers of a scalar.
func ArrayScalar(s builtin.Scalar) builtin.Scalar {
	if special(s) && s.Held().Width() == 8 && !wide(s) {
		return builtin.F64
	}
	return s.Held()
}

// wide reports whether a number does not hold every integer of a scalar exactly, so that its type is bigint.
func wide(s builtin.Scalar) bool { return s.Width() > 6 && !s.IsFloat() }

// special reports whether a DataView has no methods for a scalar.
func special(s builtin.Scalar) bool { return s.Held() != s }

// numberAt prints the number at a place.
func numberAt(s *model.Stmt, place string) string {
	switch {
	case !special(s.Scalar):
		return fmt.Sprintf("r.view.get%s(%s%s)", viewed(s.Scalar), place, order(s))
	case s.Scalar == builtin.F16:
		return fmt.Sprintf("halfAt(r.view, %s%s)", place, order(s))
	case wide(s.Scalar):
		return fmt.Sprintf("wideAt(r.view, %s, %t%s)", place, s.Scalar.Signed(), order(s))
	case s.Scalar.Signed():
		return fmt.Sprintf("signedAt(r.view, %s, %d%s)", place, s.Scalar.Width(), order(s))
	}
	return fmt.Sprintf("bytesAt(r.view, %s, %d%s)", place, s.Scalar.Width(), order(s))
}

// Read prints the reading of a number.
func (p *printer) Read(s *model.Stmt) string {
	if s.Coding.InDigits() {
		call := fmt.Sprintf("r.digits(%s, %t, %d)", digitsArgs(s.Coding), s.Longer, s.Rule)
		if !wide(s.Scalar) {
			return "Number(" + call + ")"
		}
		return call
	}
	if s.Coding.End() != "" {
		return fmt.Sprintf("r.endedDigits(%s, %t, %d)", endedArgs(s.Coding), s.Longer, s.Rule)
	}
	if s.Coding != builtin.Fixed {
		return fmt.Sprintf("r.coded(%q, %t, %d)", s.Coding, s.Longer, s.Rule)
	}
	return fmt.Sprintf("r.%s(%d%s)", s.Scalar, s.Rule, swapped(s))
}

// Write prints the writing of a number.
func (p *printer) Write(s *model.Stmt, x string) {
	if s.Coding.InDigits() {
		p.Do("w.append(w.digits(%s, BigInt(%s), %d))", digitsArgs(s.Coding), x, s.Rule)
		return
	}
	if s.Coding != builtin.Fixed {
		p.Do("w.append(Uint8Array.from(%s))", varying(s, x))
		return
	}
	p.Do("w.%s(%s%s)", s.Scalar, x, swapped(s))
}

// atMost prints a number that is tested if its coding has fewer than 64 bits.
func atMost(s *model.Stmt, x string) string {
	if s.Coding.Holds(math.MaxUint64) {
		return x
	}
	return fmt.Sprintf("w.atMost(%dn, %s, %d)", s.Coding.Most(), x, s.Rule)
}

// varying prints the bytes of a number of varying width.
func varying(s *model.Stmt, x string) string {
	if s.Coding.End() != "" {
		return fmt.Sprintf("endedBytes(%s, %s)", endedArgs(s.Coding), x)
	}
	return fmt.Sprintf("codedBytes(%q, %s)", s.Coding, atMost(s, x))
}

// endedArgs prints the alphabet and the terminator of digits, and whether they have a sign.
func endedArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %s, %t", c.Alphabet(), octets(c.End()), c.Signed())
}

// digitsArgs prints the alphabet, the number, the side and the fill of digits.
func digitsArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %d, %q, %s", c.Alphabet(), c.Digits(), c.Side(), strings.ReplaceAll(strconv.Quote(c.Fill()), `\x00`, `\u0000`))
}

// swapped prints the last argument of a method of the reader or the writer.
func swapped(s *model.Stmt) string {
	if s.Swapped {
		return ", !little"
	}
	return ""
}

// order returns the last argument of a method of a DataView.
func order(s *model.Stmt) string {
	if s.Scalar.Width() == 1 {
		return ""
	}
	return ", " + low(s)
}

// low prints whether the lowest byte of a number is first.
func low(s *model.Stmt) string {
	switch {
	case s.Scalar == builtin.Code4:
		return "true"
	case s.Swapped:
		return "!little"
	}
	return "little"
}

// Expect prints the tests of a number that is written as part of a word.
func (p *printer) Expect(s *model.Stmt) {
	c := script.Cell(s.Cell)
	if p.CellType(s.Cell) == "string" {
		p.Do("checkCode(w, %s, %d)", c, s.Rule)
		return
	}
	p.check(s, p.CellType(s.Cell) == "bigint", c)
}

// Cuts reports whether the register of a statement is number, and its expression bigint.
func (p *printer) Cuts(s *model.Stmt) bool { return !p.big[s.Reg] && !p.small(s.Expr) }

// Put prints the number of a statement, printed as x, for a method of the writer. x is the
// register of the statement or its expression.
func (p *printer) Put(s *model.Stmt, x string) string {
	big := !p.small(s.Expr)
	if x == script.Reg(s.Reg) {
		big = p.big[s.Reg]
	}
	return as(s.Scalar, big, x)
}

// as prints a number as a scalar, which is bigint or not.
func as(s builtin.Scalar, big bool, x string) string {
	switch {
	case big && s.Width() <= 6:
		return "Number(" + x + ")"
	case !big && wide(s):
		return "BigInt(" + x + ")"
	}
	return x
}

// PutBool prints a truth value for a method of the writer.
func (p *printer) PutBool(s *model.Stmt, c string) string {
	if wide(s.Scalar) {
		return c + " ? 1n : 0n"
	}
	return c + " ? 1 : 0"
}

// check prints the tests of a number that a caller gave.
func (p *printer) check(s *model.Stmt, big bool, x string) {
	kind := "integer"
	switch {
	case s.Scalar == builtin.F16:
		p.Do("w.half(%s, %d)", x, s.Rule)
		return
	case s.Scalar.IsFloat():
		p.Do("w.number(%s, %d)", x, s.Rule)
		return
	case big:
		kind = "big"
	}
	p.Do("w.%s(%s, %d)", kind, x, s.Rule)
	p.Do("%s", whole(s, x))
}

// whole prints the test that a scalar holds a number.
func whole(s *model.Stmt, x string) string {
	lo, hi := model.ScalarBounds(s.Scalar)
	switch {
	case s.Scalar == builtin.U64:
		return fmt.Sprintf("w.whole(%s, 0n, 0xffffffffffffffffn, %d, \"u64\")", x, s.Rule)
	case s.Scalar == builtin.I64:
		return fmt.Sprintf("w.whole(%s, -0x8000000000000000n, 0x7fffffffffffffffn, %d, \"i64\")", x, s.Rule)
	case wide(s.Scalar):
		return fmt.Sprintf("w.whole(%s, %dn, %dn, %d, %q)", x, lo, hi, s.Rule, s.Scalar)
	}
	return fmt.Sprintf("w.whole(%s, %d, %d, %d, %q)", x, lo, hi, s.Rule, s.Scalar)
}

func (p *printer) WriteNumber(s *model.Stmt) {
	c := script.Cell(s.Cell)
	if s.Scalar == builtin.Code4 {
		p.Do("checkCode(w, %s, %d)", c, s.Rule)
		p.Do("w.code4(codeNumber(%s))", c)
		return
	}
	big := p.CellType(s.Cell) == "bigint"
	p.check(s, big, c)
	p.Write(s, as(s.Scalar, big, c))
}

// WriteLanes tests that all lanes are numbers, then writes them. A number that half precision does not hold is
// refused in its own place.
func (p *printer) WriteLanes(s *model.Stmt, lanes []string) {
	for _, x := range lanes {
		if s.Scalar == builtin.F16 {
			p.Do("w.number(%s, %d)", x, s.Rule)
		} else {
			p.check(s, scalar(s.Scalar) == "bigint", x)
		}
	}
	for _, x := range lanes {
		if s.Scalar == builtin.F16 {
			p.check(s, false, x)
		}
		p.Write(s, x)
	}
}

// NotPacked prints the condition that a field is not an array, and the count of its elements.
func (p *printer) NotPacked(s *model.Stmt) (cond, count string) {
	c := script.Cell(s.Cell)
	var tests []string
	for _, n := range p.Record.Type.Fields[s.Cell].Shape.Scalars {
		if test := c + " instanceof " + arrayOf(n); !slices.Contains(tests, test) { // f16 and f32 have one array
			tests = append(tests, test)
		}
	}
	cond, count = "!("+strings.Join(tests, " || ")+")", c+".length"
	if s.Width > 1 {
		cond += fmt.Sprintf(" || %s.length %% %d !== 0", c, s.Width)
		count += fmt.Sprintf(" / %d", s.Width)
	}
	return cond, count
}

func (p *printer) WritePacked(s *model.Stmt) {
	c, shape := script.Cell(s.Cell), p.Record.Type.Fields[s.Cell].Shape
	append := func() { p.Do("appendNumbers(w, %s, %d, %s)", c, s.Scalar.Width(), low(s)) }
	each := func() { p.Do("for (const x of %s) w.%s(x%s)", c, s.Scalar, swapped(s)) }
	if special(s.Scalar) {
		if s.Scalar == builtin.F16 {
			p.Do("for (const x of %s) w.half(x, %d)", c, s.Rule)
		} else {
			p.Do("for (const x of %s) %s", c, whole(s, "x"))
		}
		each()
		return
	}
	other := slices.IndexFunc(shape.Scalars, func(n builtin.Scalar) bool { return n != s.Scalar })
	if other < 0 || !s.Scalar.IsFloat() {
		append()
		return
	}
	p.If(c+" instanceof "+arrayOf(shape.Scalars[other]), each, append)
}

// Patch prints the writing of a number that was left open.
func (p *printer) Patch(s *model.Stmt, x string) {
	x = as(s.Scalar, !p.small(s.Expr), x)
	if s.Coding.InDigits() {
		p.Do("w.bytes.set(w.digits(%s, BigInt(%s), %d), r%d)", digitsArgs(s.Coding), x, s.Rule, s.Place)
		return
	}
	if s.Coding != builtin.Fixed {
		p.Do("w.insert(r%d, %s)", s.Place, varying(s, x))
		return
	}
	if special(s.Scalar) {
		if wide(s.Scalar) {
			p.Do("putWide(w.view, r%d, %s%s)", s.Place, x, order(s))
			return
		}
		p.Do("putBytes(w.view, r%d, %d, %s%s)", s.Place, s.Scalar.Width(), x, order(s))
		return
	}
	p.Do("w.view.set%s(r%d, %s%s)", viewed(s.Scalar), s.Place, x, order(s))
}

// NotRecord prints the condition that a value is not one of a record.
func (p *printer) NotRecord(t *model.Type) string {
	if script.Declared(p.Model, t) {
		return `typeof v !== "object" || v === null`
	}
	return "v === undefined"
}

// NoArm prints the condition that a field is not the name of an arm.
func (p *printer) NoArm(s *model.Stmt) string {
	c := script.Cell(s.Cell)
	return fmt.Sprintf("%s(%s) < 0 || %s === undefined", p.Fn("name", "number", p.Function[s.Elem]), c, c)
}

// Text prints an object with a text.
func (p *printer) Text(t *model.Type, member, text string) string {
	return object(t, []string{property(member) + ": " + text})
}

// Dispatch prints conditions for null and bytes, then a switch over the types of others and
// one over $type.
func (p *printer) Dispatch(arms []*script.Case, other func()) {
	types := func() { p.types(arms, other) }
	if i := slices.IndexFunc(arms, func(a *script.Case) bool { return a.Type == "string | Uint8Array" }); i >= 0 {
		bytes, inner := arms[i].Do, types
		types = func() { p.If("v instanceof Uint8Array", bytes, inner) }
	}
	if arms[0].Type == "null" {
		p.If("v === null", arms[0].Do, types)
	} else {
		types()
	}
}

// types prints the switch over the types of values that are not null and not bytes.
func (p *printer) types(arms []*script.Case, other func()) {
	p.Raw("switch (typeof v) {\n")
	p.Block(func() {
		for len(arms) > 0 && arms[0].Arm.Type.Natural {
			if kind, _, _ := strings.Cut(arms[0].Type, " "); kind != "null" {
				p.branch(fmt.Sprintf("case %q", kind), arms[0].Do)
			}
			arms = arms[1:]
		}
		if len(arms) > 0 {
			p.branch(`case "object"`, func() { p.objects(arms, other) })
		}
		p.branch("default", other)
	})
	p.Raw("}\n")
}

// objects prints the switch over objects.
func (p *printer) objects(arms []*script.Case, other func()) {
	if !script.HasNothing(arms[0].Routine) {
		p.If("v === null", other, nil)
	}
	p.Raw("switch (v.$type) {\n")
	p.Block(func() {
		for _, a := range arms {
			p.branch(fmt.Sprintf("case %q", a.Arm.Type.Name), a.Do)
		}
		p.branch("default", other)
	})
	p.Raw("}\n")
}

// branch prints a branch of a switch, in braces if it declares something.
func (p *printer) branch(label string, do func()) {
	text := p.Capture(do)
	p.Raw(label + ":\n")
	p.Block(func() {
		if strings.HasPrefix(text, "const ") {
			p.Raw("{\n")
			p.Block(func() { p.Raw(text) })
			p.Raw("}\n")
		} else {
			p.Raw(text)
		}
		if label != "default" && !leaves(text) {
			p.Do("break")
		}
	})
}

// leaves reports whether the last of some statements is a return or a continue.
func leaves(statements string) bool {
	lines := strings.Split(strings.TrimRight(statements, "\n }"), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	return strings.HasPrefix(last, "return") || strings.HasPrefix(last, "continue")
}

// most is the number of fields up to which the function that makes an arm has a parameter for each.
const most = 3

// makers returns the arms of all unions that are objects, as names and functions that make them.
func (p *printer) makers() (all [][2]string) {
	for _, r := range p.Routines {
		if r.Union == nil {
			continue
		}
		for _, a := range r.Union.Arms {
			if !a.Type.Natural {
				all = append(all, [2]string{p.Class[a.Type], p.maker(a.Type)})
			}
		}
	}
	return all
}

// maker prints the function that makes an object of an arm.
func (p *printer) maker(t *model.Type) string {
	name, members := p.Class[t], p.Members(t)
	if len(members) > most && !script.Named(t) {
		return fmt.Sprintf("%s: (fields: Omit<%s, \"$type\">): %s => ({ $type: %q, ...fields })", name, name, name, t.Name)
	}
	var params, optional, parts []string
	for _, m := range members {
		name := parameter(m.Name)
		part := property(m.Name) + ": " + name
		switch {
		case m.Optional:
			optional = append(optional, name+"?: "+m.Type)
			part = fmt.Sprintf("...(%s === undefined ? {} : { %s })", name, part)
		default:
			params = append(params, name+": "+m.Type)
			if name == m.Name {
				part = name
			}
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("%s: (%s): %s => (%s)", name, strings.Join(append(params, optional...), ", "), name, object(t, parts))
}
