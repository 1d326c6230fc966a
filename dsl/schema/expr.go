// Expressions: the fields, constants and functions that they name.
//
// A name is the number of a field that a reader has read or, in what a writer
// computes, the field of the value that is written.

package schema

import (
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// direction is who evaluates an expression.
type direction uint8

const (
	reading direction = iota // a reader, and a writer after it has written the same
	writing                  // a writer, from the value that it writes
)

// reader binds an expression of fields that have been read.
func (s *scope) reader(e *dsl.Expr) *Expr {
	x := s.regionSize(e)
	s.early = append(s.early, early{x: x, moment: s.moment})
	return x
}

// argument binds the argument with an index of a type.
func (s *scope) argument(e *dsl.Expr, t *Type, index int) *Expr {
	x := s.regionSize(e)
	s.early = append(s.early, early{x, s.moment, t, index})
	return x
}

// regionSize binds the size of a region. It is the only expression of a reader that a
// writer does not evaluate.
func (s *scope) regionSize(e *dsl.Expr) *Expr {
	x := s.resolve(fold(e), reading)
	s.expand(x, reading, s.moment)
	return x
}

// writer binds what a writer computes. If it is the value of a whole row it may take
// the size of another one.
func (s *scope) writer(e *dsl.Expr, row bool) *Expr {
	x := s.resolve(fold(e), writing)
	if row {
		s.measure[x] = true
	}
	s.written = append(s.written, written{x, s.moment})
	return x
}

// mistake returns a number in place of an expression with a mistake.
func mistake(x *Expr) *Expr { return &Expr{Op: builtin.Num, Pos: x.Pos, Name: x.Name, bad: true} }

// resolve binds the names of an expression.
func (s *scope) resolve(x *Expr, dir direction) *Expr {
	switch {
	case x.Op == builtin.Num:
		if x.bad {
			s.tooLarge(x)
		}
		return x
	case x.Op == builtin.Ref:
		return s.ref(x, dir)
	case x.Op == builtin.Outside:
		return s.outside(x, dir)
	case x.Op == unknownFunction || builtin.Operations[x.Op].Call:
		return s.call(x, dir)
	}
	for i, a := range x.Args {
		x.Args[i] = s.resolve(a, dir)
	}
	return x
}

func (s *scope) ref(x *Expr, dir direction) *Expr {
	f := s.names[x.Name]
	if f == nil {
		if v, ok := s.src.Constant(x.Name); ok {
			s.index.constants(s.src, x)
			x.Op, x.Num = builtin.Num, v
			return x
		}
		d := s.name(x.name(), dsl.CodeUnknown, "there is no field or constant %s", x.Name).
			WithHint("names here are fields of this record, and constants")
		s.near(d, x.Name, s.visible)
		return mistake(x)
	}
	x.Field = f
	s.index.field(x.name(), f)
	if dir == reading {
		f.Used = true
		if f.state.number == 0 {
			s.unread(x)
			return mistake(x)
		}
	}
	return x
}

// visible returns the names that an expression can use.
func (s *scope) visible() []string {
	var all []string
	for _, f := range s.rec.Fields {
		all = append(all, f.Name)
	}
	return append(all, s.src.declared("const")...)
}

// unread reports a field that a reader does not have as a number.
func (s *scope) unread(x *Expr) {
	f := x.Field
	sort := map[builtin.Kind]string{
		builtin.Bool: "a truth", builtin.Float: "a float", builtin.Text: "text", builtin.Lanes: "a tuple",
		builtin.Packed: "an array", builtin.List: "a list", builtin.Map: "a map", builtin.None: "a value of its own",
	}[f.Kind]
	if f.Index < 0 || f.isBits() || sort == "" {
		s.name(x.name(), dsl.CodeDirection, "%s is not known here, since it is read later", f.Name).WithHint("use a field that is before this place, or move this after the row of %s", f.Name)
		return
	}
	s.name(x.name(), dsl.CodeDirection, "%s is %s, and expressions are of integers", f.Name, sort).WithHint("use an integer that is read before this place")
}

func (f *Field) isBits() bool {
	_, ok := f.Node.(*Bit)
	return ok
}

func (s *scope) call(x *Expr, dir direction) *Expr {
	if x.Op == unknownFunction {
		all := builtin.Functions()
		d := s.name(x.name(), dsl.CodeUnknown, "there is no function %s", x.Name).WithHint("there are: %s", strings.Join(all, ", "))
		s.near(d, x.Name, func() []string { return all })
		return mistake(x)
	}
	function := &builtin.Operations[x.Op]
	if len(x.Args) != function.Params {
		s.name(x.name(), dsl.CodeArgs, "%s takes %d argument%s, not %d", x.Name, function.Params, plural(function.Params), len(x.Args)).
			WithHint("for example: %s(%s)", x.Name, []string{"", "x", "x, 1"}[function.Params])
		return mistake(x)
	}
	if function.Params == 2 {
		for i, a := range x.Args {
			x.Args[i] = s.resolve(a, dir)
		}
		return x
	}
	arg := x.Args[0]
	if arg.Op != builtin.Ref {
		s.name(x.name(), dsl.CodeArgs, "%s takes the name of a field", x.Name).WithHint("for example: %s(x)", x.Name)
		return mistake(x)
	}
	if x.Op == builtin.Closed {
		if x.Gate = s.gate(arg.name()); x.Gate == nil {
			return mistake(x)
		}
		x.Args = nil
		return x
	}
	x.Field = s.names[arg.Name]
	s.index.field(arg.name(), x.Field)
	if x.Op == builtin.Size {
		return x // of which sizes reports the mistakes
	}
	return s.property(x, arg, dir)
}

// property binds a function of a stored field.
func (s *scope) property(x, arg *Expr, dir direction) *Expr {
	f := x.Field
	if f == nil || f.Index < 0 {
		d := s.name(arg.name(), dsl.CodeUnknown, "there is no stored field %s to take the %s of", arg.Name, x.Name)
		s.near(d, arg.Name, s.visible)
		return mistake(x)
	}
	if dir == reading && !(x.Op == builtin.Len && f.state.text) {
		s.name(x.name(), dsl.CodeDirection, "%s(%s) is known to a writer only", x.Name, arg.Name).
			WithHint("use the field that holds it: a reader takes it from there, and a writer has written it")
		return mistake(x)
	}
	switch x.Op {
	case builtin.Count:
		if f.Kind != builtin.List && f.Kind != builtin.Map && f.Kind != builtin.Packed {
			d := s.name(arg.name(), dsl.CodeArgs, "%s is neither a list nor an array, so it has no count", f.Name).WithHint("count takes what repeat or a type with brackets declares")
			if f.Text != nil {
				d.WithHint("len(%s) is the number of its bytes", f.Name)
			}
			return mistake(x)
		}
	case builtin.Len:
		if f.Text == nil {
			s.name(arg.name(), dsl.CodeArgs, "%s is not text, so it has no len", f.Name).WithHint("count(%s) is the number of its elements", f.Name)
			return mistake(x)
		}
	case builtin.Arm:
		if f.Union == nil {
			s.name(arg.name(), dsl.CodeArgs, "%s is not a union, so it has no arm", f.Name).WithHint("arm takes a field whose type is a union")
			return mistake(x)
		}
		x.Union = f.Union
	}
	x.Args = nil
	return x
}

// outside binds a test whether a scalar can hold the number in a field.
func (s *scope) outside(x *Expr, dir direction) *Expr {
	left, right := x.Args[0], x.Args[1]
	if left.Op == builtin.Ref {
		x.Field = s.names[left.Name]
		s.index.field(left.name(), x.Field)
	}
	if right.Op == builtin.Ref {
		x.Scalar, _ = builtin.ScalarNamed(right.Name)
	}
	if x.Field == nil || x.Field.Index < 0 || !x.Scalar.Valid() || dir == reading {
		s.errorf(x.Pos, 1, dsl.CodeArgs, "outside needs a stored field before it and a scalar after it, in a computed value").
			WithHint("for example: value outside i32")
		return mistake(x)
	}
	x.Args = nil
	return x
}

// gate returns a gate by name; it reports one that the schema does not declare.
func (b *binder) gate(n *dsl.Name) *Gate {
	if g := b.s.Gate(n.Text); g != nil {
		b.index.use(n, b.src.Gates[g.Index].Name)
		return g
	}
	d := b.name(n, dsl.CodeUnknown, "there is no gate %s", n.Text).WithHint("declare it in the schema: gate %s \"…\"", n.Text)
	b.near(d, n.Text, func() []string { return b.src.declared("gate") })
	return nil
}

// cell binds a declared offset or length, or a rule of the axis for one. Its names are
// constants and letters. A letter cannot be the name of a field of the record s, which
// is nil for a rule of the axis.
func (b *binder) cell(e *dsl.Expr, s *scope, sort string) *Expr {
	if e == nil {
		return nil
	}
	x := fold(e)
	b.letters(x, s, sort)
	return x
}

func (b *binder) letters(x *Expr, s *scope, sort string) {
	if x.Op == builtin.Ref {
		rule := s == nil && x.Name == sort // the number that a rule of the axis changes
		if v, ok := b.src.Constant(x.Name); ok && !rule {
			b.index.constants(b.src, x)
			x.Op, x.Num = builtin.Num, v
			return
		}
		x.Op = builtin.Letter
		if s != nil {
			b.index.letter(s, x.name())
			s.used = append(s.used, letter{x, sort})
		}
	}
	for _, a := range x.Args {
		b.letters(a, s, sort)
	}
}

// letter is a letter in a cell.
type letter struct {
	x    *Expr
	sort string // offset or length
}

// misused reports letters that are the names of fields of the record.
func (s *scope) misused() {
	for _, l := range s.used {
		if s.names[l.x.Name] == nil {
			continue
		}
		d := s.name(l.x.name(), dsl.CodeOffset, "%s is a field of this record, and a field as %s is not supported", l.x.Name, map[string]string{"offset": "an offset", "length": "a length"}[l.sort])
		if free := s.freeLetter(); free != "" {
			d.WithHint("write a letter that is not the name of a field, such as %s", free)
		}
	}
}

// freeLetter returns a letter that the record does not use, or "".
func (s *scope) freeLetter() string {
	taken := map[string]bool{}
	for _, l := range s.used {
		taken[l.x.Name] = true
	}
	for _, name := range strings.Split("NXYZKLMABCDEFGHJOPQRSTUVW", "") {
		if _, constant := s.src.Constant(name); !constant && !taken[name] && s.names[name] == nil {
			return name
		}
	}
	return ""
}
