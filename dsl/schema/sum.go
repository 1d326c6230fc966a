// Checksums: the rows that they cover, and when a reader and a writer compute them.

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Sum is a checksum over rows of a record, or over a whole record around the row that holds it.
type Sum struct {
	Of    builtin.Checksum
	Field *Field // that holds it
	Args  []*SumArg
	Base  *Record // that it covers as a whole; nil for rows
	Hole  *Field  // a checksum of a whole record, at any depth in the covered rows; its bytes do not count. The Hole of Base is Field
	With  uint8   // counts in place of each byte of Hole

	hole *dsl.Expr // Hole, as written; nil for Base
}

// SumArg is one argument of a checksum: the rows and lists from one to another.
type SumArg struct {
	From, To *Field // the same field for one row
	Field    *Field // a row of these whose bytes do not count; nil if all do
	With     uint8  // counts in place of each byte of Field
	Hole     bool   // Hole of the checksum is in the rows

	covered []Node // the rows and lists
}

// Place is the offset at which a row or a list begins or ends.
type Place struct {
	Field *Field
	End   bool
}

// SumPart is the bytes between two places.
type SumPart struct {
	From, To Place
	With     int // counts in place of each byte; -1 if the bytes themselves count
}

// SumStep is the moment after the row that holds a checksum, and after rows that it covers.
type SumStep struct {
	Field  *Field // that holds the checksum
	Row    *Row   // of Field
	Verify bool   // a reader compares the checksum here
	Patch  bool   // a writer puts the checksum into the row here
}

// sumExample is an argument list that messages show.
const sumExample = "crc32(type..data)"

// Parts returns the bytes that the checksum covers, in order.
func (s *Sum) Parts() []SumPart {
	var out []SumPart
	for _, a := range s.Args {
		from, to := Place{a.From, false}, Place{a.To, true}
		if f := a.Field; f != nil {
			begin, end := Place{f, false}, Place{f, true}
			if f != a.From {
				out = append(out, SumPart{from, begin, -1})
			}
			out = append(out, SumPart{begin, end, int(a.With)})
			if from = end; f == a.To {
				continue
			}
		}
		out = append(out, SumPart{from, to, -1})
	}
	return out
}

// text prints the arguments.
func (s *Sum) text() string {
	with := func(t, name string, n uint8) string { return fmt.Sprintf("%s with %s as %d", t, name, n) }
	if s.Base != nil {
		return with(s.Base.BaseName(), s.Field.Name, s.With)
	}
	var all []string
	for _, a := range s.Args {
		t := a.From.Name
		if a.To != a.From {
			t += ".." + a.To.Name
		}
		switch {
		case a.Field != nil:
			t = with(t, a.Field.Name, a.With)
		case a.Hole && s.Hole != nil:
			t = with(t, s.Hole.path(), s.With)
		}
		all = append(all, t)
	}
	return strings.Join(all, ", ")
}

// sum returns the checksum in an expression, or nil.
func (e *Expr) sum() *Expr {
	if e == nil || e.Op == builtin.Sum {
		return e
	}
	for _, a := range e.Args {
		if x := a.sum(); x != nil {
			return x
		}
	}
	return nil
}

// checksum binds the rows that a checksum covers.
func (s *scope) checksum(x *Expr, dir direction) *Expr {
	if dir == reading {
		s.name(x.name(), dsl.CodeDirection, "%s is the value of a row, and is not known elsewhere", x.Name).
			WithHint("write it as the value of a row, which a reader then verifies: `crc = %s`", sumExample)
		return mistake(x)
	}
	if len(x.rows) == 0 {
		s.name(x.name(), dsl.CodeArgs, "%s takes rows", x.Name).WithHint("for example: %s", sumExample)
		return mistake(x)
	}
	for _, e := range x.rows {
		arg := &SumArg{}
		if e.Op == "with" {
			n, ok := parseUint(e.Args[2].Num)
			if !ok || n > 255 {
				s.errorf(e.Args[2].Pos, 1, dsl.CodeRange, "a byte is a number up to 255").WithHint("for example: with %s as 0", e.Args[1].Name.Text)
				return mistake(x)
			}
			if arg.With = uint8(n); !s.hole(x, arg, e.Args[1]) {
				return mistake(x)
			}
			e = e.Args[0]
		}
		if base, ok := s.wholeRecord(x, e); ok {
			if base == nil {
				return mistake(x)
			}
			x.Sum.Base, x.Sum.Hole, x.Sum.With = base, arg.Field, arg.With
			return x
		}
		last := e
		if e.Op == ".." {
			e, last = e.Args[0], e.Args[1]
		}
		arg.From, arg.To = s.covered(e), s.covered(last)
		if arg.From == nil || arg.To == nil {
			return mistake(x)
		}
		for _, f := range []*Field{arg.From, arg.To, arg.Field} {
			if f != nil && isPart(f.Node) && (len(x.rows) > 1 || arg.From != arg.To || arg.Field != nil) {
				s.name(e.Name, dsl.CodeArgs, "%s is at the place that a field holds, so a checksum covers it alone", f.Name).
					WithHint("for example: %s(%s)", x.Name, f.Name)
				return mistake(x)
			}
		}
		x.Sum.Args = append(x.Sum.Args, arg)
	}
	return x
}

// wholeRecord returns the record that an argument of a checksum names, or nil after a mistake. It reports
// whether the argument names a record and no row.
func (s *scope) wholeRecord(x *Expr, e *dsl.Expr) (base *Record, ok bool) {
	if e.Name == nil || e.IsCall || s.names[e.Name.Text] != nil {
		return nil, false
	}
	path := pathOf(e.Name)
	if first := path.Names[0].Text; s.names[first] != nil || s.records[first] == nil && s.unions[first] == nil {
		return nil, false
	}
	if len(x.rows) > 1 {
		s.name(e.Name, dsl.CodeArgs, "%s is a whole record, so a checksum covers it alone", e.Name.Text).
			WithHint("for example: %s(%s with %s as 0)", x.Name, e.Name.Text, "crc")
		return nil, true
	}
	return s.recordOf(path, "a checksum covers one record", "to cover", x.Name+"(UNION.ARM with crc as 0)"), true
}

// pathOf returns the path that a name with dots is.
func pathOf(n *dsl.Name) *dsl.Path {
	path, at := &dsl.Path{Pos: n.Pos}, n.Pos
	for _, text := range strings.Split(n.Text, ".") {
		path.Names = append(path.Names, &dsl.Name{Pos: at, Text: text})
		at.Column += len(text) + 1
		at.Offset += len(text) + 1
	}
	return path
}

// hole binds the row that an argument of a checksum leaves out. It is one of the record, or a checksum of
// a whole record inside of the rows.
func (s *scope) hole(x *Expr, arg *SumArg, e *dsl.Expr) bool {
	path := pathOf(e.Name)
	if len(path.Names) == 1 || s.names[e.Name.Text] != nil {
		arg.Field = s.covered(e)
		return arg.Field != nil
	}
	last := len(path.Names) - 1
	name := path.Names[last]
	path.Names = path.Names[:last]
	rec := s.recordOf(path, "a row is in one record", "to leave a row out", "with UNION.ARM."+name.Text+" as 0")
	if rec == nil {
		return false
	}
	if x.Sum.hole != nil {
		s.name(e.Name, dsl.CodeArgs, "a checksum leaves out one row of other records").WithHint("keep one with of a name with dots")
		return false
	}
	x.Sum.hole, x.Sum.With, arg.Hole = e, arg.With, true
	s.last = append(s.last, func() {
		k := slices.IndexFunc(rec.Fields, func(f *Field) bool { return f.Name == name.Text && !f.Param })
		switch {
		case k < 0:
			d := s.name(name, dsl.CodeUnknown, "%s has no row %s", rec.BaseName(), name.Text).WithHint("name a checksum of a record around it")
			s.near(d, name.Text, func() []string {
				var all []string
				for _, f := range rec.Fields {
					all = append(all, f.Name)
				}
				return all
			})
			return
		case rec.Fields[k].Sum == nil || rec.Fields[k].Sum.Base == nil:
			s.name(name, dsl.CodeUnderived, "%s.%s is not a checksum of a containing record; a checksum leaves out only such a row of another record", rec.BaseName(), name.Text).
				WithHint("let the checksum cover the rows before and after it")
			return
		}
		x.Sum.Hole = rec.Fields[k]
		s.index.field(name, x.Sum.Hole)
	})
	return true
}

// covered returns the row or list that an argument of a checksum names, or nil.
func (s *scope) covered(e *dsl.Expr) *Field {
	if e.Name == nil || e.IsCall {
		s.errorf(e.Pos, 1, dsl.CodeArgs, "a checksum takes rows").WithHint("for example: %s", sumExample)
		return nil
	}
	f := s.names[e.Name.Text]
	s.index.field(e.Name, f)
	var d *dsl.Diagnostic
	switch {
	case f == nil:
		d = s.name(e.Name, dsl.CodeUnknown, "there is no row %s", e.Name.Text).WithHint("a checksum covers rows of this record")
		s.near(d, e.Name.Text, s.visible)
		return nil
	case f.isGaps():
		s.name(e.Name, dsl.CodeArgs, "%s has the bytes between other rows, and a checksum covers rows behind each other", f.Name).
			WithHint("name other rows")
		return nil
	case f.isBits():
		s.name(e.Name, dsl.CodeArgs, "%s is bits of a word, and a checksum covers rows", f.Name).WithHint("name the row of the word")
		return nil
	case f.Param || f.Record != s.rec:
		s.name(e.Name, dsl.CodeArgs, "%s is not a row of this record", f.Name).
			WithHint("a checksum covers rows of the record that holds it; put the word of a union and the checksum into a type")
		return nil
	}
	return f
}

// summing binds the checksums of one record.
type summing struct {
	*scope
	spots map[*Field]*spot
	ready map[*Field]*spot // after which a writer has all bytes that a checksum covers
	busy  []*Field         // whose ready is being looked for
	calls map[*Field]*Expr
	forms map[*Field]bool // rows with a condition
}

// sums checks the checksums of a record, and adds the steps that compute them.
func (s *scope) sums() {
	m := &summing{scope: s, spots: map[*Field]*spot{}, ready: map[*Field]*spot{}, calls: map[*Field]*Expr{}, forms: map[*Field]bool{}}
	placed := map[*Expr]bool{}
	var all []*Field
	for _, f := range s.rec.Fields {
		row, ok := f.Node.(*Row)
		if x := f.Derive.sum(); ok && x != nil && len(row.Bits) == 0 {
			placed[x], m.calls[f] = true, x
			all = append(all, f)
		}
	}
	for _, w := range s.written {
		if x := w.x.sum(); x != nil && !placed[x] {
			s.name(x.name(), dsl.CodeUnderived, "a checksum is the value of a whole row, and of one row only").
				WithHint("give the checksum a row without bits and without other forms")
			return
		}
	}
	if len(all) == 0 {
		return
	}
	m.walk(&s.rec.Body, nil)
	for _, f := range all {
		if !m.field(f) {
			return
		}
	}
	for _, x := range s.refs {
		if x.Field.Sum != nil {
			s.name(x.name(), dsl.CodeDirection, "%s is a checksum, which a writer computes last", x.Field.Name).
				WithHint("no expression can use it; a reader verifies it")
			return
		}
	}
	for _, f := range all {
		if m.moment(f) == nil {
			return
		}
	}
	m.steps(all)
}

// walk notes the spots of the rows and lists of a body.
func (m *summing) walk(body *[]Node, in []*level) {
	for i, n := range *body {
		in := append(slices.Clone(in), &level{body, i})
		put := func(f *Field) {
			if m.spots[f] == nil {
				m.spots[f] = &spot{n, len(m.spots), in}
			}
		}
		switch n := n.(type) {
		case *Row:
			put(n.Field)
		case *Forms:
			put(n.Field)
			m.forms[n.Field] = true
		case *List:
			put(n.Field)
		case *If:
			m.walk(&n.Then, in)
			m.walk(&n.Else, in)
		}
	}
}

// field checks the row that holds a checksum, and its expression.
func (m *summing) field(f *Field) bool {
	row, call := f.Node.(*Row), m.calls[f]
	sum, s := call.Sum, row.Type.Scalar
	width := row.Type.bits()
	info := builtin.Sums[sum.Of]
	fail := func(format string, args ...any) *dsl.Diagnostic {
		return m.name(call.name(), dsl.CodeUnderived, format, args...)
	}
	switch {
	case m.forms[f]:
		fail("the row of a checksum cannot have a condition").WithHint("put the row into a block: if … { | … | %s = %s(…) | }", f.Name, call.Name)
		return false
	case row.Type.Form != Number || row.Type.Coding.Varies() || !s.IsInteger() || s.Signed() || s == builtin.Code4 || row.Type.Option != nil:
		fail("a checksum is in a row of an unsigned integer, and %s is %s", f.Name, row.Type.Name).WithHint("give the row a type such as u%d", info.Bits)
		return false
	case m.big() != m.s.Big && info.Word > 1 && sum.Of != builtin.Inet:
		m.errorf(m.space.at.Pos, len(m.space.at.Text)+2, dsl.CodeUnderived, "%s in %s combines words in the order of its schema, and %s has the other one", call.Name, m.rec.Path, m.s.ID).
			WithHint("import it into a schema with the order %s", m.src.Order)
		return false
	case f.Derive == call && info.Bits > width && !info.Cut:
		fail("%s has %d bits, and %s has %d", call.Name, info.Bits, f.Name, width).WithHint("give the row the type u%d, or write %s(…) & %#x", info.Bits, call.Name, Mask(width))
		return false
	case !f.Derive.constantBut(call):
		fail("the value of %s is not a checksum, combined with numbers by + - ^ &", f.Name).WithHint("for example: 0xffff - sum16(first..last)")
		return false
	}
	if base := sum.Base; base != nil {
		switch {
		case sum.Hole != f:
			leaving(m.cycle(f, f.Name, f.Name), m.calls[f].rows[0], f.Name)
			return false
		case base.Total != nil:
			m.cycle(f, f.path(), base.Total.path(), f.path())
			return false
		}
		base.Total = f
	}
	for i, a := range sum.Args {
		from, to, here := m.spots[a.From], m.spots[a.To], m.spots[f]
		for _, x := range []*Field{a.From, a.To, a.Field} {
			if x != nil && !m.spots[x].around(here) {
				fail("%s is not always there if %s is", x.Name, f.Name).
					WithHint("the first and the last row of a checksum are in the block of the checksum's row, or in one around it")
				return false
			}
		}
		switch hole := m.spots[a.Field]; {
		case from.order > to.order:
			d := fail("%s is after %s", a.From.Name, a.To.Name).WithHint("name the first row before the last: %s..%s", a.To.Name, a.From.Name)
			if e := covering(call.rows[i]); e.Op == ".." {
				d.ReplaceAt(e.Args[0].Pos, a.From.Name+".."+a.To.Name, a.To.Name+".."+a.From.Name)
			}
			return false
		case hole != nil && (hole.order < from.order || hole.order > to.order):
			fail("%s is not one of the rows from %s to %s", a.Field.Name, a.From.Name, a.To.Name).WithHint("leave out the with, or extend the range").
				Remove(m.files[call.Pos.Filename], endOf(call.rows[i].Args[0]), endOf(call.rows[i]))
			return false
		}
	}
	if part := sum.part(); part != nil {
		at, here := m.spots[part], m.spots[f]
		if m.forms[part] || !here.around(at) || at.order < here.order {
			fail("%s is not always there, behind %s, if %s is", part.Name, f.Name, f.Name).
				WithHint("put the row of %s before that of %s, into the same block, without a condition", f.Name, part.Name)
			return false
		}
	}
	sum.Field, f.Sum = f, sum
	if width < 64 && (f.Derive != call || info.Bits > width) {
		f.Derive = &Expr{Op: builtin.And, Pos: call.Pos, Args: []*Expr{f.Derive, {Op: builtin.Num, Pos: call.Pos, Num: Mask(width)}}}
	}
	return true
}

// part returns the row at a place that the checksum covers, or nil.
func (s *Sum) part() *Field {
	if len(s.Args) > 0 && isPart(s.Args[0].From.Node) {
		return s.Args[0].From
	}
	return nil
}

// cycle reports that a checksum covers itself, perhaps through others.
func (m *summing) cycle(f *Field, names ...string) *dsl.Diagnostic {
	return m.name(m.calls[f].name(), dsl.CodeCycle, "writing needs a cycle: %s", strings.Join(names, " covers ")).
		WithHint("leave a checksum out of the rows that it covers: `with %s as 0`", names[0])
}

// covering returns an argument of a checksum without the row that it leaves out.
func covering(e *dsl.Expr) *dsl.Expr {
	if e.Op == "with" {
		return e.Args[0]
	}
	return e
}

// endOf returns the place behind an argument of a checksum.
func endOf(e *dsl.Expr) dsl.Pos {
	switch e.Op {
	case "with":
		at := e.Args[2].Num.Pos
		at.Advance(e.Args[2].Num.Text)
		return at
	case "..":
		return e.Args[1].Name.End()
	}
	return e.Name.End()
}

// leaving names the text by which an argument of a checksum leaves out a row.
func leaving(d *dsl.Diagnostic, arg *dsl.Expr, name string) {
	if arg.Op != "with" {
		d.ReplaceAt(endOf(arg), "", " with "+name+" as 0")
	}
}

// constantBut reports whether an expression is numbers and one other expression, combined
// by + - ^ &.
func (e *Expr) constantBut(x *Expr) bool {
	switch e.Op {
	case builtin.Num:
		return true
	case builtin.Sum:
		return e == x
	case builtin.Neg:
		return e.Args[0].constantBut(x)
	case builtin.Add, builtin.Sub, builtin.Xor, builtin.And:
		return e.Args[0].constantBut(x) && e.Args[1].constantBut(x)
	}
	return false
}

// path returns the name of a row with that of its record.
func (f *Field) path() string { return f.Record.BaseName() + "." + f.Name }

// escaping returns the checksums of whole records that are in some nodes, while the records are around
// them.
func (s *Schema) escaping(body ...Node) (out []*Field) {
	for _, f := range s.totals() {
		found := false
		uses(body, func(t *Type) {
			contained(t, func(rec *Record) { found = found || rec == f.Record }, map[*Record]bool{f.Sum.Base: true})
		})
		if found {
			out = append(out, f)
		}
	}
	return out
}

// totals returns the checksums of whole records.
func (s *Schema) totals() (out []*Field) {
	s.bodies(func(_ string, rec *Record) {
		if rec.Total != nil {
			out = append(out, rec.Total)
		}
	})
	return out
}

// summed reports wrong checksums of a record. They cover a checksum of a whole record around them, which
// covers them, or leave out rows that they do not cover.
func (p *prover) summed(rec *Record) {
	for _, f := range rec.Fields {
		switch {
		case f.Sum == nil:
			continue
		case f.Sum.Base != nil && f.Node.(*Row).Type.Big != nil:
			p.r.errorf(f.Pos, len(f.Name), dsl.CodeUnderived, "a checksum of a whole record has one order of bytes, and that of %s is chosen", f.Name).
				WithHint("give the row an order, such as u32be")
			continue
		case f.Sum.Base != nil:
			continue
		}
		found := false
		for i, a := range f.Sum.Args {
			for _, total := range p.s.escaping(a.covered...) {
				if a.Hole && total == f.Sum.Hole {
					found = true
					continue
				}
				d := p.r.errorf(f.Pos, len(f.Name), dsl.CodeCycle, "writing needs a cycle: %s covers %s, which covers %s", f.Name, total.path(), f.Name).
					WithHint("leave it out: `with %s as 0`", total.path())
				leaving(d, f.Derive.sum().rows[i], total.path())
			}
		}
		if e := f.Sum.hole; e != nil && !found && f.Sum.Hole != nil {
			rows := f.Derive.sum().rows
			of := rows[slices.IndexFunc(rows, func(x *dsl.Expr) bool { return x.Op == "with" && x.Args[1] == e })]
			p.r.errorf(e.Pos, len(e.Name.Text), dsl.CodeUnderived, "%s is not in the rows that %s covers", e.Name.Text, f.Name).
				WithHint("leave out the with, or extend the rows").Remove(p.r.files[e.Pos.Filename], endOf(of.Args[0]), endOf(of))
		}
	}
}
