// Expressions: the fields and functions that they name.
//
// A name is the number of a field that a reader has read or, in what a writer
// computes, the field of the value that is written.

package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// direction is who evaluates an expression.
type direction uint8

const (
	reading   direction = iota // a reader, and a writer after it has written the same
	writing                    // a writer, from the value that it writes
	verifying                  // a reader that compares what a writer computes
)

// reader binds an expression of fields that have been read.
func (s *scope) reader(e *dsl.Expr) *Expr {
	x := s.regionSize(e)
	s.early = append(s.early, early{x: x, moment: s.moment})
	return x
}

// condition binds a condition of a reader and a writer, and refuses a number alone. It also refuses a
// number alone behind a comparison, as in n == 1 || 2, which holds for every n.
func (s *scope) condition(e *dsl.Expr, hint string, args ...any) *Expr {
	if e.Alone() {
		s.alone(e).WithHint(hint, args...)
	}
	for x := e; x.Op == "||" || x.Op == "&&"; x = x.Args[0] {
		left := x.Args[0]
		if left.Op == x.Op {
			left = left.Args[1]
		}
		if x.Args[1].Alone() && (left.Op == "==" || left.Op == "!=") {
			number := x.Args[1].Text(false)
			compared := fmt.Sprintf("%s %s %s", left.Args[0].Text(false), left.Op, number)
			s.alone(x.Args[1]).WithHint("compare again: %s %s %s", left.Text(false), x.Op, compared).Replace(number, compared)
		}
	}
	return s.reader(e)
}

func (s *scope) alone(e *dsl.Expr) *dsl.Diagnostic {
	text := e.Text(false)
	return s.errorf(e.Pos, utf8.RuneCountInString(text), dsl.CodeArgs, "%s is a number that nothing is compared with", text)
}

// argument binds the argument with an index of a type.
func (s *scope) argument(e *dsl.Expr, t *Type, index int) *Expr {
	x := s.regionSize(e)
	s.early = append(s.early, early{x, s.moment, t, index})
	s.last = append(s.last, func() {
		if u := t.Union; t.Form == OfUnion && u.Word == nil && u.By != nil && index < len(u.Params) && u.By == u.Params[index] {
			s.selector(x, u)
		}
	})
	return x
}

// regionSize binds the size of a region. It is the only expression of a reader that a
// writer does not evaluate.
func (s *scope) regionSize(e *dsl.Expr) *Expr {
	x := s.resolve(fold(e), reading)
	s.expand(x, reading, s.moment)
	return x
}

// writer binds what a writer computes. The value of a row, or of bits of a row, may take the
// size of another row.
func (s *scope) writer(e *Expr, row bool) *Expr {
	x := s.resolve(e, writing)
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
	case x.Op == builtin.Sum:
		return s.checksum(x, dir)
	case x.Op == strayRange:
		s.errorf(x.Pos, 1, dsl.CodeArgs, "a range of rows is an argument of a checksum only").
			WithHint("for example: %s", sumExample)
		return mistake(x)
	case x.Op == unknownFunction || builtin.Operations[x.Op].Call:
		return s.call(x, dir)
	case (x.Op == builtin.Eq || x.Op == builtin.Ne) && x.Args[0].Op == builtin.Match:
		return s.textual(x, dir)
	}
	for i, a := range x.Args {
		x.Args[i] = s.resolve(a, dir)
	}
	if x.Op == builtin.Eq || x.Op == builtin.Ne {
		s.compared(x.Args[0], x.Args[1])
		s.compared(x.Args[1], x.Args[0])
	}
	return x
}

// compared reports a code that is compared with a number that never equals it.
func (s *scope) compared(number, code *Expr) {
	if number.Op == builtin.Ref && number.Field != nil && code.code != "" {
		s.last = append(s.last, func() { s.equals(number.Field, code.Pos, len(code.code), code.code, builtin.One(codeID(code.code))) }) // when orders are known
	}
}

// selected is compared for the number of a form or of an order.
func (s *scope) selected(number *Expr, id *dsl.ID) {
	s.compared(number, &Expr{Op: builtin.Num, Pos: id.Pos, code: id.Code})
}

// selector is compared for an argument that selects the arm of a union.
func (s *scope) selector(number *Expr, u *Union) {
	if number.Op != builtin.Ref || number.Field == nil {
		return
	}
	for _, a := range u.Arms {
		if a.Code != "" && !s.equals(number.Field, number.Pos, len(number.Name), a.Code, a.IDs...) {
			return
		}
	}
}

func (s *scope) ref(x *Expr, dir direction) *Expr {
	f := s.names[x.Name]
	base, name, dotted := strings.Cut(x.Name, ".")
	switch {
	case f != nil:
	case dotted && s.names[base] != nil:
		if f = s.member(x, s.names[base], name); f == nil {
			return mistake(x)
		}
	case s.around.sees(base) != nil:
		f = s.capture(x)
	}
	if f == nil {
		d := s.name(x.name(), dsl.CodeUnknown, "there is no field %s", x.Name)
		hint := "names here are fields of this element and of the records around it"
		if s.ending {
			hint = fmt.Sprintf("names here are fields of %s, of which the elements are", s.rec.Path)
		} else if s.around == nil {
			hint = "names here are fields of this record"
		}
		if call, _, ok := builtin.Usage(x.Name); ok {
			hint += fmt.Sprintf("; the function %s is written %s", x.Name, call)
		}
		if x.Name == "end" {
			d.WithHint("in a length cell end-N is N bytes before the end, and N is a number; if a field holds N, take the bytes of the region as an argument: size-N")
			return mistake(x)
		}
		if slices.Contains(s.cells, x.Name) {
			d.WithHint("%s is a letter, whose number nothing holds; name the fields of which it consists, or write size(ROW)", x.Name)
			return mistake(x)
		}
		switch strings.ToLower(base) {
		case "this", "self":
			hint = "a field of this record is written without it: " + name
		case "parent", "_parent", "_root":
			hint = "a type gets numbers of the record around it as arguments: type T(n) { … }, used as T(n)"
		case "remaining", "available":
			hint = "a list that leaves bytes for the rows behind it ends with left(): TYPE[until left() <= 24]"
		case "filesize", "file_size":
			hint = "no name has the size of the packet; a size is of rows: size = size(body), with the rows behind it in the type of body"
		}
		if x.Name == "true" || x.Name == "false" {
			hint = "a truth is a condition by itself: FIELD or !FIELD"
		}
		s.last = append(s.last, func() { // when the words of unions are known
			if row := s.unionBy(x.Name); row != nil {
				d.WithHint("%s is of the union %s; the number of the arm of %s is arm(%[3]s)", x.Name, row.Type.Name, row.Field.Name)
			}
		})
		d.WithHint("%s", hint)
		if x.Name == "rest" {
			d.WithHint("%s", dsl.Replacement("[rest]")).Replace(x.Name, "until end")
			return mistake(x)
		}
		s.near(d, x.Name, s.visible)
		return mistake(x)
	}
	x.Field = f
	s.index.field(x.name(), f)
	s.noteMember(x, name)
	s.refs = append(s.refs, x)
	if dir == reading {
		f.Used = true
		if f.state.number == 0 {
			s.unread(x)
			return mistake(x)
		}
	}
	return x
}

// sees returns the field that a name is of in an expression, or nil. It looks in the record and
// in those around it.
func (s *scope) sees(name string) *Field {
	for ; s != nil; s = s.around {
		if f := s.names[name]; f != nil {
			return f
		}
	}
	return nil
}

// capture makes a field of a record around a list an argument of the elements of the list. It
// returns the argument.
func (s *scope) capture(x *Expr) *Field {
	if len(s.rec.Params) == builtin.MaxParams {
		s.name(x.name(), dsl.CodeArgs, "elements of %s use more than %d fields of the records around them", s.rec.Path, builtin.MaxParams).
			WithHint("put some of the rows into a type with arguments")
	}
	given := s.around.ref(&Expr{Op: builtin.Ref, Pos: x.Pos, Name: x.Name}, reading)
	s.around.early = append(s.around.early, early{x: given, moment: s.around.moment})
	outer := s.around.sees(x.Name)
	if outer == nil { // a member with a mistake
		base, _, _ := strings.Cut(x.Name, ".")
		outer = s.sees(base)
	}
	f := newField(x.Name, outer.Pos, s.rec)
	f.Doc, f.Param = outer.Doc, true
	f.state.at, f.state.number = outer.state.at, 1
	s.names[f.Name] = f
	s.rec.Fields = slices.Insert(s.rec.Fields, len(s.rec.Params), f)
	s.rec.Params = append(s.rec.Params, f)
	s.given = append(s.given, given)
	return f
}

// visible returns the names that an expression can use.
func (s *scope) visible() []string {
	var all []string
	for ; s != nil; s = s.around {
		for _, f := range s.rec.Fields {
			all = append(all, f.Name)
		}
	}
	return all
}

// stored returns the names of the fields that are in the value of the record.
func (s *scope) stored() []string {
	var all []string
	for _, f := range s.rec.Stored {
		all = append(all, f.Name)
	}
	return all
}

// unread reports a field that a reader does not have as a number.
func (s *scope) unread(x *Expr) {
	f, sort := x.Field, x.Field.sort()
	if row := rowOf(f.Node); row != nil && (row.Type.Form == OfRecord || row.Type.Form == OfUnion) {
		hint := "use an integer that is read before this place"
		if row.Type.Form == OfRecord {
			hint += ", or a field of the value: " + f.Name + ".NAME"
		}
		s.name(x.name(), dsl.CodeDirection, "%s is a value of %s, and expressions are of integers", f.Name, row.Type.Name).WithHint("%s", hint)
		return
	}
	if row := rowOf(f.Node); row != nil && row.Constant != nil {
		s.name(x.name(), dsl.CodeDirection, "%s is always the same, and expressions are of integers", f.Name).
			WithHint("leave the condition out: a reader refuses other bytes")
		return
	}
	if f.Index < 0 || f.isBits() || sort == "" {
		d := s.name(x.name(), dsl.CodeDirection, "%s is not known here, since it is read later", f.Name).WithHint("use a field that is before this place, or move this after the row of %s", f.Name)
		if f.Name == endName {
			d.WithHint("give the field another name: end-N is the bytes up to the end only if no field has the name")
		}
		return
	}
	hint := "use an integer that is read before this place"
	switch f.Kind {
	case builtin.Text:
		hint = fmt.Sprintf("a text is compared with == or !=, as in %s == \"text\", or counted: len(%[1]s)", f.Name)
		if row := rowOf(f.Node); row != nil && row.Type.Size != nil {
			if n, ok := row.Type.Size.constant(); ok && 0 < n && n <= 8 {
				hint += "; " + dsl.CodeAdvice("ABCDEFGH"[:n])
			}
		}
	case builtin.Bool:
		hint = "give it a value that a writer computes, such as present(ROW)"
		if row := rowOf(f.Node); row != nil && row.Type.Form == Truth {
			hint += fmt.Sprintf(", or make it a bit of a number: | … | %s | of_%s { 0 %[2]s }", row.Type.Scalar, f.Name)
		}
	}
	s.name(x.name(), dsl.CodeDirection, "%s is %s, and expressions are of integers", f.Name, sort).WithHint("%s", hint)
}

// sort names the kind of a field that is not an integer; it is empty for an integer.
func (f *Field) sort() string {
	return map[builtin.Kind]string{
		builtin.Bool: "a truth", builtin.Float: "a float", builtin.Text: "text", builtin.Lanes: "a tuple",
		builtin.Packed: "an array", builtin.List: "a list", builtin.Map: "a map", builtin.None: "a separate value",
	}[f.Kind]
}

func (f *Field) isBits() bool {
	_, ok := f.Node.(*Bit)
	return ok
}

// arguments returns how many arguments a function takes, as text: least, and up to more that can be left out.
func arguments(least, more int) string {
	if more > 0 {
		return fmt.Sprintf("%d or %d arguments", least, least+more)
	}
	return fmt.Sprintf("%d argument%s", least, plural(least))
}

func (s *scope) call(x *Expr, dir direction) *Expr {
	if x.Op == unknownFunction {
		all := builtin.Functions()
		d := s.name(x.name(), dsl.CodeUnknown, "there is no function %s", x.Name).WithHint("there are: %s", strings.Join(all, ", "))
		if advice := foreignFunctions[x.Name]; advice != "" {
			d.WithHint("%s", advice)
			return mistake(x)
		}
		s.near(d, x.Name, func() []string { return all })
		return mistake(x)
	}
	if x.Op == builtin.More {
		s.name(x.name(), dsl.CodeArgs, "more() is the whole condition of rows, and no part of another expression").
			WithHint("for example: if more() { … }")
		return mistake(x)
	}
	if x.Op == builtin.Remain {
		s.name(x.name(), dsl.CodeArgs, "left() is in the end of a list, and in no other expression").
			WithHint("for example: TYPE[until left() <= 24]; rows for which bytes may be left are after if more()")
		return mistake(x)
	}
	function := &builtin.Operations[x.Op]
	if len(x.Args) < function.Params || len(x.Args) > function.Params+function.More {
		s.name(x.name(), dsl.CodeArgs, "%s takes %s, not %d", x.Name, arguments(function.Params, function.More), len(x.Args)).
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
	if f := s.names[arg.Name]; f != nil && f.isGaps() {
		s.index.field(arg.name(), f)
		s.name(arg.name(), dsl.CodeArgs, "%s has the bytes between other rows, which expressions do not use", arg.Name).
			WithHint("give these bytes a row with a separate place")
		return mistake(x)
	}
	if x.Op == builtin.Closed {
		if closed, ok := s.closed(arg.name()); ok {
			return &Expr{Op: builtin.Num, Pos: x.Pos, Num: closed}
		}
		if x.Gate = s.gate(arg.name()); x.Gate == nil {
			return mistake(x)
		}
		x.Args = nil
		return x
	}
	if x.Op == builtin.Form {
		return s.formNumber(x, arg)
	}
	if x.Op == builtin.Where {
		return s.placeCall(x, arg, dir)
	}
	x.Field = s.names[arg.Name]
	s.index.field(arg.name(), x.Field)
	if x.Op == builtin.Size && dir == writing {
		if x.Field == nil && s.around.sees(arg.Name) == nil {
			s.near(s.name(arg.name(), dsl.CodeUnknown, "there is no row or list %s to take the size of", arg.Name), arg.Name, s.visible)
			return mistake(x)
		}
		return x // of which sizes reports the mistakes
	}
	if x.Op == builtin.Size {
		return s.bytes(x, arg)
	}
	return s.property(x, arg, dir)
}

// textual binds a comparison of a row of text with a text, which becomes one of two numbers.
func (s *scope) textual(x *Expr, dir direction) *Expr {
	match, literal := x.Args[0], x.Args[1]
	arg, text := match.Args[0], literal.text.Text
	if arg.Op != builtin.Ref {
		s.errorf(literal.Pos, len(strconv.Quote(text)), dsl.CodeArgs, "a text is compared with a row of text").WithHint("for example: name == %q", text)
		return mistake(x)
	}
	f := s.names[arg.Name]
	s.index.field(arg.name(), f)
	base, member, dotted := strings.Cut(arg.Name, ".")
	switch {
	case f == nil && dotted && (s.names[base] != nil || s.around.sees(base) != nil):
		s.name(arg.name(), dsl.CodeArgs, "a text is compared only in its own record, and %s is in that of %s", member, base).
			WithHint("put the rows of its type in place of %s, or compare a number such as a code or a length", base)
		return mistake(x)
	case f == nil && s.around.sees(arg.Name) != nil:
		s.name(arg.name(), dsl.CodeUnknown, "%s is text of a record around the list", arg.Name).
			WithHint("compare it there: give the elements a type with an argument, TYPE[n](%s == %q)", arg.Name, text)
		return mistake(x)
	case f == nil:
		s.near(s.name(arg.name(), dsl.CodeUnknown, "there is no field %s", arg.Name), arg.Name, s.visible)
		return mistake(x)
	case f.Text == nil || f.Index < 0:
		row := rowOf(f.Node)
		if row != nil && row.Type.unknown() {
			return mistake(x)
		}
		d := s.name(arg.name(), dsl.CodeArgs, "%s is not text, so it is not compared with %q", f.Name, text)
		if row != nil && row.Type.Form == Number {
			d.WithHint("%s", dsl.CodeAdvice(text))
		} else {
			d.WithHint("compare a row of text in this record")
		}
		return mistake(x)
	case text == "":
		s.errorf(literal.Pos, 2, dsl.CodeArgs, "a text is compared with one that has characters").WithHint("a text without characters: len(%s) == 0", f.Name)
		return mistake(x)
	case dir == reading && !f.state.value:
		s.name(arg.name(), dsl.CodeDirection, "%s is not known here, since it is read later", f.Name).WithHint("move this after the row of %s", f.Name)
		return mistake(x)
	}
	s.last = append(s.last, func() { // when the forms of rows are known
		if why := f.never(text); why != "" && f.Forms == nil {
			s.errorf(literal.Pos, len(strconv.Quote(text)), dsl.CodeUnreachable, "%s never equals %q", f.Name, text).WithHint("%s", why)
		}
	})
	match.Field, match.Args = f, nil
	at := slices.Index(f.Texts, text)
	if at < 0 {
		at, f.Texts = len(f.Texts), append(f.Texts, text)
	}
	literal.Num = int64(at + 1)
	return x
}

// never says why a row of text does not hold a text. It is empty if the row may hold it.
func (f *Field) never(text string) string {
	if !utf8.ValidString(text) {
		return "the characters of a text are written as UTF-8 or, as numbers, with \\u"
	}
	t, size, fixed := rowOf(f.Node).Type, int64(0), false
	if t.Size != nil {
		size, fixed = t.Size.constant()
	}
	bytes, ok := t.Encoding.Charset.Encode(text)
	switch n := int64(len(bytes)); {
	case !ok:
		return fmt.Sprintf("%s has other characters", t.Encoding.Charset.Title())
	case fixed && (n > size || n < size && t.Fill == ""):
		return fmt.Sprintf("the row has %d bytes, and the text %d", size, n)
	case t.Until != "" && t.Encoding.Charset.Unit() == 1 && strings.Contains(string(bytes), t.Until):
		return "the text ends before the first of these bytes"
	}
	return ""
}

// bytes binds the size of a row or a list that a reader has passed.
func (s *scope) bytes(x, arg *Expr) *Expr {
	f := x.Field
	switch {
	case f != nil && (f.Record == nil || f.isBits()):
		s.name(arg.name(), dsl.CodeArgs, "%s is neither a row nor a list, so it has no size", arg.Name).
			WithHint("size takes a row or a list of this record")
		return mistake(x)
	case f == nil:
		d := s.name(arg.name(), dsl.CodeUnknown, "there is no row or list %s to take the size of", arg.Name)
		if s.around.sees(arg.Name) != nil {
			d.WithHint("%s is of a record around the list; let a field before the list hold its size", arg.Name)
		} else {
			s.near(d, arg.Name, s.visible)
		}
		return mistake(x)
	case !f.state.value:
		s.late(x, arg)
		return mistake(x)
	}
	f.measure()
	x.Args, x.Passed = nil, true
	return x
}

// measure makes a reader and a writer keep the bytes of a row or a list.
func (f *Field) measure() {
	if f.Bytes == nil {
		f.Bytes = newField(f.Name, f.Pos, f.Record)
	}
}

// late reports a function of a field that a reader does not have.
func (s *scope) late(x, arg *Expr) {
	s.name(x.name(), dsl.CodeDirection, "%s(%s) is not known here, since %s is read later", x.Name, arg.Name, arg.Name).
		WithHint("use a field that holds it before this place, or move this after the row of %s", arg.Name)
}

// property binds a function of a stored field.
func (s *scope) property(x, arg *Expr, dir direction) *Expr {
	f := x.Field
	if f == nil || f.Index < 0 {
		d := s.name(arg.name(), dsl.CodeUnknown, "there is no stored field %s to take the %s of", arg.Name, x.Name)
		if s.around.sees(arg.Name) != nil {
			d.WithHint("%s is of a record around the list; let a field before the list hold its %s", arg.Name, x.Name)
			return mistake(x)
		}
		d.WithHint("%s takes a field that is part of the value", x.Name)
		if f == nil {
			s.near(d, arg.Name, s.stored)
		}
		return mistake(x)
	}
	switch {
	case dir == writing:
	case !f.state.value:
		s.late(x, arg)
		return mistake(x)
	case x.Op == builtin.Count && f.Kind == builtin.Map:
		s.name(x.name(), dsl.CodeDirection, "count(%s) is known to a writer only, since it merges pairs with the same key", arg.Name).
			WithHint("use the field that holds the count of %s", arg.Name)
		return mistake(x)
	}
	switch x.Op {
	case builtin.Count:
		if f.Kind != builtin.List && f.Kind != builtin.Map && f.Kind != builtin.Packed {
			d := s.name(arg.name(), dsl.CodeArgs, "%s is neither a list nor an array, so it has no count", f.Name).WithHint("count takes a list: repeat, or a type with brackets")
			if f.Text != nil {
				d.WithHint("len(%s) is the number of its bytes", f.Name).ReplaceAt(x.Pos, x.Name, "len")
			}
			return mistake(x)
		}
	case builtin.Len:
		if f.Text == nil {
			s.name(arg.name(), dsl.CodeArgs, "%s is not text, so it has no len", f.Name).WithHint("count(%s) is the number of its elements", f.Name).
				ReplaceAt(x.Pos, x.Name, "count")
			return mistake(x)
		}
		if n := f.Forms; n != nil && n.encodings() > 1 {
			s.name(arg.name(), dsl.CodeArgs, "%s is text in %d encodings, so it has no len", f.Name, n.encodings()).WithHint("size(%s) is the number of bytes of its row", f.Name).
				ReplaceAt(x.Pos, x.Name, "size")
			return mistake(x)
		}
	case builtin.Total, builtin.Last:
		if !f.Integers.Valid() {
			s.name(arg.name(), dsl.CodeArgs, "%s is not an array of integers, so it has no %s", f.Name, x.Name).
				WithHint("%s takes an array whose integers have one width, such as u8[n] or u16[until end]", x.Name)
			return mistake(x)
		}
	case builtin.Arm:
		if f.Union == nil {
			s.name(arg.name(), dsl.CodeArgs, "%s is not a union, so it has no arm", f.Name).WithHint("arm takes a field whose type is a union")
			return mistake(x)
		}
		x.Union = f.Union
		if a := x.Union.first(func(a *Arm) bool { return a.unnumbered(dir) }); a != nil {
			s.name(arg.name(), dsl.CodeInverse, "the number of %s is not determined: arm %s of union %s has more than one", f.Name, a.Name, x.Union.Name).
				WithHint("store the number in a field, without a value")
			return mistake(x)
		}
	}
	x.Args = nil
	return x
}

// gate returns a gate by name; it reports one that the schema does not declare.
func (b *binder) gate(n *dsl.Name) *Gate {
	if g := b.s.Gate(n.Text); g != nil && b.open == nil {
		b.index.use(n, b.src.Gates[g.Index].Name)
		return g
	}
	d := b.name(n, dsl.CodeUnknown, "there is no gate %s", n.Text).WithHint("declare it in the schema: gate %s \"…\"", n.Text)
	b.near(d, n.Text, func() []string { return b.src.declared("gate") })
	return nil
}

// offset binds a declared offset. Its names are fields of the record, and letters.
func (s *scope) offset(e *dsl.Expr) *Expr {
	x := fold(e)
	s.letters(x, func(name string) *Field { return s.names[name] })
	return x
}

// length binds a declared length. Its names are fields, also of records around a list, and letters.
func (s *scope) length(e *dsl.Expr) *Expr {
	x := fold(e)
	s.letters(x, s.sees)
	return x
}

// letters binds the names of a cell. A field, or the row of a member, is a letter that has its number.
func (s *scope) letters(x *Expr, field func(name string) *Field) {
	if x.Op == builtin.Ref {
		x.Op = builtin.Letter
		row, _, dotted := strings.Cut(x.Name, ".")
		switch x.Field = field(row); {
		case x.Field != nil:
			s.index.field(x.name(), x.Field)
		case dotted:
			d := s.name(x.name(), dsl.CodeUnknown, "there is no field %s", x.Name).WithHint("a name with a dot is a row of a type and a number that the type stores")
			s.near(d, row, s.visible)
		default:
			s.index.letter(s, x.name())
			s.cells = append(s.cells, x.Name)
		}
	}
	for _, a := range x.Args {
		s.letters(a, field)
	}
}

// bound binds the length cell of a row that names fields: the size of its region. The
// row has none if its type has that size anyway.
func (s *scope) bound(row *Row, d *dsl.Row) {
	if row.Type.ToEnd() {
		row.bindArea(nil)
	}
	if !row.Length.Named() {
		return
	}
	x, scalar := s.regionSize(d.Length), row.Type.Scalar
	if row.Type.Option != nil {
		scalar = row.Type.Option.Choices[0].Scalar // for which lengths are declared
	}
	size, ok := row.Type.linear(scalar)
	cell, ok2 := x.Linear(Letter)
	if !ok || !ok2 || !size.Equal(cell) {
		row.Bound = x
	}
}

// Named reports whether an offset or a length names a field.
func (e *Expr) Named() bool {
	return e != nil && (e.Op == builtin.Letter && e.Field != nil || slices.ContainsFunc(e.Args, (*Expr).Named))
}

// linear returns the bytes of text or of an array of a scalar as a linear form of fields.
// It reports whether they are one.
func (t *Type) linear(scalar builtin.Scalar) (Linear, bool) {
	if t.Size == nil {
		return Linear{}, false
	}
	each := int64(1)
	if t.Form == Array {
		each = int64(scalar.Width() * t.Width)
	}
	n, ok := t.Size.Linear(Letter)
	n = Constant(0).Plus(n, each)
	return n, ok && n.Small()
}

func (r *resolver) tooLarge(x *Expr) {
	r.errorf(x.Pos, 1, dsl.CodeRange, "the number does not fit 64 bits").WithHint("numbers are whole ones below 2^64")
}
