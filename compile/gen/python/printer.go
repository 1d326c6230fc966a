// Numbers in Python: int, cut to 64 bits if they could be more.

package python

import (
	"fmt"
	"math"
	"strings"

	"github.com/octable/octable/compile/gen/model"
	"github.com/octable/octable/compile/gen/script"
	"github.com/octable/octable/dsl/builtin"
)

type printer struct {
	*script.Module
	script.Hooks
}

// operators holds the formats of operators that are functions in Python.
var operators = map[builtin.Op]string{
	builtin.Div: "(_quotient(%s, %s))", builtin.Mod: "_remainder(%s, %s)",
	builtin.Min: "min(%s, %s)", builtin.Max: "max(%s, %s)",
}

// Print prints a number.
func (p *printer) Print(e *model.Expr) string {
	s := ""
	switch e.Op {
	case builtin.Shl, builtin.Shr:
		by := p.Print(e.Args[1])
		if n := e.Args[1]; n.Op == builtin.Num {
			by = fmt.Sprint(uint64(n.Num) & 63)
		} else if n.Min < 0 || n.Max > 63 {
			by = "(" + by + " & 63)"
		}
		a := p.Print(e.Args[0])
		switch {
		case e.Op == builtin.Shl:
			s = "(" + a + " << " + by + ")"
		case e.Args[0].Min >= 0:
			return "(" + a + " >> " + by + ")"
		default:
			return "_i64((" + a + " & _M64) >> " + by + ")"
		}
	default:
		s = p.Operation(e, operators, p.Print)
	}
	switch e.Op {
	case builtin.Add, builtin.Sub, builtin.Mul, builtin.Div, builtin.Neg, builtin.Shl:
		if !e.Exact() {
			return "_i64" + s
		}
	}
	return s
}

func (p *printer) Kept(s *model.Stmt) string              { return p.Print(s.Expr) }
func (p *printer) Argument(e *model.Expr, _ bool) string  { return p.Print(e) }
func (p *printer) Literal(n int64, _ *model.Expr) string  { return fmt.Sprint(n) }
func (p *printer) Register(int) string                    { return "int" }
func (p *printer) Put(_ *model.Stmt, x string) string     { return x }
func (p *printer) PutBool(_ *model.Stmt, c string) string { return "int(" + c + ")" }
func (p *printer) Cuts(*model.Stmt) bool                  { return false }
func (p *printer) Compare(op builtin.Op, a, b *model.Expr) string {
	return p.Print(a) + " " + op.String() + " " + p.Print(b)
}

// Count prints the number of elements of a field.
func (p *printer) Count(cell int) string {
	x, _ := p.Inside(cell)
	return "_length(" + x + ")"
}

// Integers prints the sum or the last of the integers of a field.
func (p *printer) Integers(e *model.Expr) string {
	x, _ := p.Inside(e.Cell)
	return "_" + e.Op.String() + "(" + x + ")"
}

// Wide prints the condition that a number does not fit its bits.
func (p *printer) Wide(e *model.Expr, bits int64) string {
	return fmt.Sprintf("not 0 <= %s < %d", p.Print(e), uint64(1)<<bits)
}

// Beyond prints the condition that a number is out of a range.
func (p *printer) Beyond(_ *model.Expr, x string, lo, hi int64) string {
	return fmt.Sprintf("not %d <= %s <= %d", lo, x, hi)
}

// Value prints a field as a number.
func (p *printer) Value(cell int) string {
	f, c := p.Record.Type.Fields[cell], script.Cell(cell)
	switch p.CellType(cell) {
	case "bool":
		return "int(" + c + " is True)"
	case "str":
		return "_code_number(" + c + ")"
	case "int", "float":
		if f.Shape.Scalar().IsFloat() {
			return "_truncated(" + c + ")"
		}
		if !p.Record.Tested(cell) {
			return "_number(" + c + ")"
		}
		if f.Optional {
			c = "(" + c + " or 0)"
		}
		if f.Shape.Scalar().Width() == 8 {
			return "_i64(" + c + ")"
		}
		return c
	}
	return "0"
}

// Member prints a number in a record as a number.
func (p *printer) Member(typ, x string) string {
	if typ == "bool" {
		return "int(" + x + ")"
	}
	return "_i64(" + x + ")"
}

// Outside prints the condition that a field does not fit a scalar.
func (p *printer) Outside(e *model.Expr) string {
	s, c := p.Record.Type.Fields[e.Cell].Shape, script.Cell(e.Cell)
	lo, hi := model.ScalarBounds(e.Scalar)
	switch {
	case s.Kind == model.Number && s.Scalar().IsFloat():
		if e.Scalar == builtin.F16 {
			return fmt.Sprintf("isinstance(%s, (int, float)) and _beyond_half(%s)", c, c)
		}
		if e.Scalar == builtin.F32 {
			return fmt.Sprintf("isinstance(%s, (int, float)) and _single(%s) != %s", c, c, c)
		}
		return "False"
	case e.Scalar == builtin.U64:
		return fmt.Sprintf("isinstance(%s, int) and %s < 0", c, c)
	}
	return fmt.Sprintf("isinstance(%s, int) and not %d <= %s <= %d", c, lo, c, hi)
}

// Declare declares a variable that is set in branches.
func (p *printer) Declare(v *script.Variable) {
	switch {
	case !v.Early:
	case v.Field == nil:
		p.Do("%s = 0", v.Name)
	case v.Field.Optional:
		absent := p.Absent(v.Field)
		p.Do("%s: %s = %s", v.Name, p.OrAbsent(p.Type(v.Field.Shape), absent), absent)
	}
}

// annotation returns the type of a cell that has no declaration.
func (p *printer) annotation(s *model.Stmt) string {
	if v := p.Record.Variable(script.Cell(s.Cell)); v.Early && v.Field.Optional {
		return ""
	}
	return ": " + p.CellType(s.Cell)
}

// Word prints the number of a word as one of 64 bits.
func (p *printer) Word(s *model.Stmt, call string) string {
	if s.Scalar == builtin.U64 {
		return "_i64(" + call + ")"
	}
	return call
}

// Number prints the number of a field.
func (p *printer) Number(s *model.Stmt, call string) string {
	if s.Scalar == builtin.Code4 {
		return "_code_text(" + call + ")"
	}
	return call
}

// Take prints the value of a field that is part of a word.
func (p *printer) Take(s *model.Stmt) string {
	r := script.Reg(s.Reg)
	switch p.CellType(s.Cell) {
	case "bool":
		return r + " != 0"
	case "str":
		return "_code_text(" + r + ")"
	}
	if s.Take == builtin.Uint && p.Record.Type.Fields[s.Cell].Shape.Scalar().Width() == 8 {
		return r + " & _M64"
	}
	return r
}

func (p *printer) ReadLanes(s *model.Stmt) {
	c := script.Cell(s.Cell)
	if special(s.Scalar) {
		n, size := p.Record.Place(), s.Width*s.Scalar.Width()
		p.Do("%s = %s", n, p.numbers(s, fmt.Sprintf("r.data[r.take(%d, %d) : r.pos]", size, s.Rule)))
		var lanes []string
		for i := range s.Width {
			lanes = append(lanes, fmt.Sprintf("%s[%d]", n, i))
		}
		if p.Record.Named != nil {
			p.Do("%s = %s(%s)", c, p.Class[p.Record.Type], strings.Join(lanes, ", "))
		} else {
			p.Do("%s: %s = (%s,)", c, p.CellType(s.Cell), strings.Join(lanes, ", "))
		}
		return
	}
	x := fmt.Sprintf("unpack_from(%s, r.data, r.take(%d, %d))", p.format(s, s.Width), s.Width*s.Scalar.Width(), s.Rule)
	if p.Record.Named != nil {
		p.Do("%s = %s(*%s)", c, p.Class[p.Record.Type], x)
	} else {
		p.Do("%s: %s = %s", c, p.CellType(s.Cell), x)
	}
}

func (p *printer) ReadPacked(s *model.Stmt, n string) {
	c := script.Cell(s.Cell)
	x := fmt.Sprintf("r.packed(%s, %d, %d, %d)", n, s.Width, s.Scalar.Width(), s.Rule)
	switch {
	case special(s.Scalar) && s.Width == 1:
		p.Do("%s%s = %s", c, p.annotation(s), p.numbers(s, x))
	case special(s.Scalar):
		var tuple []string
		for i := range s.Width {
			tuple = append(tuple, fmt.Sprintf("n[i + %d]", i))
		}
		p.Do("n = %s", p.numbers(s, x))
		p.Do("%s%s = [(%s) for i in range(0, len(n), %d)]", c, p.annotation(s), strings.Join(tuple, ", "), s.Width)
	case p.CellType(s.Cell) == "bytes":
		p.Do("%s = bytes(%s)", c, x)
	case s.Width == 1:
		p.Do("%s%s = [x for (x,) in iter_unpack(%s, %s)]", c, p.annotation(s), p.format(s, 1), x)
	default:
		p.Do("%s%s = list(iter_unpack(%s, %s))", c, p.annotation(s), p.format(s, s.Width), x)
	}
}

// order prints the order of the bytes of a number.
func (p *printer) order(s *model.Stmt) string {
	if p.Big != s.Swapped {
		return `"big"`
	}
	return `"little"`
}

// Read prints the reading of a number.
func (p *printer) Read(s *model.Stmt) string {
	take := fmt.Sprintf("r.take(%d, %d)", s.Scalar.Width(), s.Rule)
	switch {
	case s.Coding.End() != "":
		return fmt.Sprintf("r.ended_digits(%s, %s, %d)", p.endedArgs(s.Coding), p.Boolean(s.Longer), s.Rule)
	case s.Coding.InDigits():
		return fmt.Sprintf("r.digits(%s, %s, %d)", digitsArgs(s.Coding), p.Boolean(s.Longer), s.Rule)
	case s.Coding != builtin.Fixed:
		return fmt.Sprintf("r.coded(%q, %s, %d)", s.Coding, p.Boolean(s.Longer), s.Rule)
	case !s.Swapped:
		return fmt.Sprintf("r.%s(%d)", s.Scalar, s.Rule)
	case s.Scalar == builtin.F16:
		return fmt.Sprintf("_half(unpack_from(%s, r.data, %s)[0])", p.form(builtin.U16, true, 1), take)
	case special(s.Scalar):
		return fmt.Sprintf("int.from_bytes(r.data[%s : r.pos], %s, signed=%s)", take, p.order(s), p.Boolean(s.Scalar.Signed()))
	}
	return fmt.Sprintf("unpack_from(%s, r.data, %s)[0]", p.format(s, 1), take)
}

// Write prints the writing of a number.
func (p *printer) Write(s *model.Stmt, x string) { p.Do("%s", p.written(s, x)) }

func (p *printer) written(s *model.Stmt, x string) string {
	switch {
	case s.Coding.InDigits():
		return fmt.Sprintf("w.digits(%s, %s, %d)", digitsArgs(s.Coding), x, s.Rule)
	case s.Coding != builtin.Fixed:
		return "w.out += " + p.varying(s, x)
	case !s.Swapped:
		return fmt.Sprintf("w.%s(%s)", s.Scalar, x)
	case s.Scalar == builtin.F16:
		return fmt.Sprintf("w.out += pack(%s, _half_bits(%s))", p.form(builtin.U16, true, 1), x)
	case special(s.Scalar):
		return "w.out += " + p.bytes(s, x)
	case s.Scalar == builtin.U64:
		x = "(" + x + ") & _M64"
	case s.Scalar == builtin.I64:
		x = "_i64(" + x + ")"
	case s.Scalar == builtin.F32:
		return fmt.Sprintf("w.out += _pack_single(%s, %s)", p.format(s, 1), x)
	}
	return fmt.Sprintf("w.out += pack(%s, %s)", p.format(s, 1), x)
}

// atMost prints a number that is tested if its coding has fewer than 64 bits.
func atMost(s *model.Stmt, x string) string {
	if s.Coding.Holds(math.MaxUint64) {
		return x
	}
	return fmt.Sprintf("w.at_most(%d, %s, %d)", s.Coding.Most(), x, s.Rule)
}

// varying prints the bytes of a number of varying width.
func (p *printer) varying(s *model.Stmt, x string) string {
	if s.Coding.End() != "" {
		return fmt.Sprintf("_ended(%s, %s)", p.endedArgs(s.Coding), x)
	}
	return fmt.Sprintf("_coded(%q, %s)", s.Coding, atMost(s, x))
}

// endedArgs prints the alphabet and the terminator of digits, and whether they have a sign.
func (p *printer) endedArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %s, %s", c.Alphabet(), octets(c.End()), p.Boolean(c.Signed()))
}

// digitsArgs prints the alphabet, the number, the side and the fill of digits.
func digitsArgs(c builtin.Coding) string {
	return fmt.Sprintf("%q, %d, %q, b%q", c.Alphabet(), c.Digits(), c.Side(), c.Fill())
}

// bytes prints the bytes of a whole number.
func (p *printer) bytes(s *model.Stmt, x string) string {
	return fmt.Sprintf("(%s).to_bytes(%d, %s, signed=%s)", x, s.Scalar.Width(), p.order(s), p.Boolean(s.Scalar.Signed()))
}

// special reports whether package struct has no format for a scalar, or one that loses bits.
func special(s builtin.Scalar) bool { return s.Held() != s }

// numbers prints the list of the numbers of such a scalar in bytes.
func (p *printer) numbers(s *model.Stmt, bytes string) string {
	if s.Scalar == builtin.F16 {
		return fmt.Sprintf("_halves(%s, %s)", bytes, p.form(builtin.U16, s.Swapped, 1))
	}
	return fmt.Sprintf("_whole_numbers(%s, %d, %s, %s)", bytes, s.Scalar.Width(), p.order(s), p.Boolean(s.Scalar.Signed()))
}

// Construct returns an object of a class.
func (p *printer) Construct(t *model.Type) {
	var parts []string
	for i, m := range p.Members(t) {
		parts = append(parts, fmt.Sprintf("%s=c%d", m.Name, i))
	}
	p.Do("return %s(%s)", p.Class[t], strings.Join(parts, ", "))
}

// codeWanted describes a code in errors.
const codeWanted = "four letters of one byte each"

// Expect prints the tests of a number that is written as part of a word.
func (p *printer) Expect(s *model.Stmt) {
	c := script.Cell(s.Cell)
	if p.CellType(s.Cell) != "str" {
		p.Do("%s", p.checked(s, c))
		return
	}
	p.Mismatch("not isinstance("+c+", str)", s.Rule, c, codeWanted)
	p.Refuse("not _is_code("+c+")", "range", "", s.Rule, codeWanted, "repr("+c+")")
}

// checked prints the number that a caller gave, which is tested.
func (p *printer) checked(s *model.Stmt, x string) string {
	if s.Scalar == builtin.F16 {
		return fmt.Sprintf("w.half(%s, %d)", x, s.Rule)
	}
	if s.Scalar.IsFloat() {
		return fmt.Sprintf("w.real(%s, %d)", x, s.Rule)
	}
	lo, hi := model.ScalarBounds(s.Scalar)
	if s.Scalar == builtin.U64 {
		return fmt.Sprintf("w.whole(%s, 0, _M64, %d, \"u64\")", x, s.Rule)
	}
	return fmt.Sprintf("w.whole(%s, %d, %d, %d, %q)", x, lo, hi, s.Rule, s.Scalar)
}

func (p *printer) WriteNumber(s *model.Stmt) {
	c := script.Cell(s.Cell)
	if s.Scalar == builtin.Code4 {
		p.Expect(s)
		p.Do("w.code4(_code_number(%s))", c)
		return
	}
	p.Write(s, p.checked(s, c))
}

// WriteLanes tests that all lanes are numbers, then writes them. A number that half precision does not hold is
// refused in its own place.
func (p *printer) WriteLanes(s *model.Stmt, lanes []string) {
	for i, x := range lanes {
		if s.Scalar == builtin.F16 {
			p.Do("x%d = w.real(%s, %d)", i, x, s.Rule)
		} else {
			p.Do("x%d = %s", i, p.checked(s, x))
		}
	}
	for i := range lanes {
		x := fmt.Sprintf("x%d", i)
		if s.Scalar == builtin.F16 {
			x = p.checked(s, x)
		}
		p.Write(s, x)
	}
}

// NotPacked prints the condition that a field is not an array, and the count of its elements.
func (p *printer) NotPacked(s *model.Stmt) (cond, count string) {
	c := script.Cell(s.Cell)
	if p.CellType(s.Cell) == "bytes" {
		return fmt.Sprintf("not isinstance(%s, (bytes, bytearray))", c), "len(" + c + ")"
	}
	cond = fmt.Sprintf("not isinstance(%s, (list, tuple))", c)
	if s.Width > 1 {
		cond += fmt.Sprintf(" or any(not isinstance(x, (list, tuple)) or len(x) != %d for x in %s)", s.Width, c)
	}
	return cond, "len(" + c + ")"
}

func (p *printer) WritePacked(s *model.Stmt) {
	c := script.Cell(s.Cell)
	switch {
	case p.CellType(s.Cell) == "bytes":
		p.Do("w.out += %s", c)
		return
	case s.Width > 1:
		p.Do("for n in [%s for x in %s for n in x]:", p.checked(s, "n"), c)
	default:
		p.Do("for n in [%s for n in %s]:", p.checked(s, "n"), c)
	}
	p.Do("    %s", p.written(s, "n"))
}

// Patch prints the writing of a number that was left open.
func (p *printer) Patch(s *model.Stmt, x string) {
	if c := s.Coding; c.InDigits() {
		p.Do("w.out[r%d : r%d + %d] = w.in_digits(%s, %s, %d)", s.Place, s.Place, c.Width(), digitsArgs(c), x, s.Rule)
		return
	}
	if s.Coding != builtin.Fixed {
		number := p.varying(s, x)
		if p.On["totals"] {
			p.Do("w.insert(r%d, %s)", s.Place, number)
			return
		}
		p.Do("w.out[r%d:r%d] = %s", s.Place, s.Place, number)
		return
	}
	if special(s.Scalar) {
		p.Do("w.out[r%d : r%d + %d] = %s", s.Place, s.Place, s.Scalar.Width(), p.bytes(s, x))
		return
	}
	if s.Scalar.Width() == 8 && !s.Scalar.Signed() {
		x += " & _M64"
	}
	p.Do("pack_into(%s, w.out, r%d, %s)", p.format(s, 1), s.Place, x)
}

// NotRecord prints the condition that a value is not one of a record.
func (p *printer) NotRecord(t *model.Type) string {
	if script.Declared(p.Model, t) {
		return "not isinstance(v, " + p.Class[t] + ")"
	}
	return "v is " + p.Absent(t.Alone())
}

// NoArm prints the condition that a field is not the name of an arm.
func (p *printer) NoArm(s *model.Stmt) string {
	c := script.Cell(s.Cell)
	return fmt.Sprintf("not isinstance(%s, str) or %s(%s) < 0", c, p.Fn("name", "number", p.Function[s.Elem]), c)
}

// Text prints an object with a text.
func (p *printer) Text(t *model.Type, _, text string) string { return p.Class[t] + "(" + text + ")" }

// Dispatch prints a chain of conditions on the class of v.
func (p *printer) Dispatch(arms []*script.Case, other func()) {
	word := "if"
	for _, a := range arms {
		cond := "isinstance(v, " + a.Type + ")"
		switch a.Type {
		case "None":
			cond = "v is None"
		case "str | bytes":
			cond = "isinstance(v, (str, bytes))"
		}
		p.Do("%s %s:", word, cond)
		p.Block(a.Do)
		word = "elif"
	}
	p.Do("else:")
	p.Block(other)
}
