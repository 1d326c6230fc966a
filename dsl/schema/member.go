// Members: numbers in the values of records that were read before.

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// Member is a stored number of a row of a record, which expressions name ROW.FIELD.
type Member struct {
	Field *Field // that expressions name; its number is 0 unless the row is there
	Of    *Field // the field of the row's record
	Index int    // the place of the number in the value: of a stored field, or in a tuple
}

// member returns the field of a name such as info.bits, given the field of the row. It
// returns nil if there is a mistake.
func (s *scope) member(x *Expr, base *Field, name string) *Field {
	row, ok := base.Node.(*Row)
	switch {
	case ok && row.Type.unknown():
		return nil
	case !ok || row.Type.Form != OfRecord:
		s.name(x.name(), dsl.CodeArgs, "%s is not a row of a type, so it has no field %s", base.Name, name).
			WithHint("a name with a dot is a row of a type and a number that the type stores")
		return nil
	case !base.state.value:
		s.name(x.name(), dsl.CodeDirection, "%s is not known here, since %s is read later", x.Name, base.Name).
			WithHint("move this after the row of %s", base.Name)
		return nil
	}
	f := newField(x.Name, base.Pos, nil)
	f.state.at, f.state.number = base.state.at, max(base.state.passed, s.moment)
	m := &Member{Field: f}
	s.names[f.Name] = f
	row.Members = append(row.Members, m)
	s.last = append(s.last, func() { s.bindMember(m, row, x.member(name)) })
	return f
}

// noteMember notes a use of a number of a row's record, if an expression names one.
func (s *scope) noteMember(x *Expr, name string) {
	base := strings.TrimSuffix(x.Name, "."+name)
	of := s.sees(base)
	if base == x.Name || of == nil || s.index == nil {
		return
	}
	at := x.member(name)
	s.last = append(s.last, func() {
		if row, ok := of.Node.(*Row); ok && row.Type.Form == OfRecord {
			f, _ := row.Type.Record.member(name)
			s.index.field(at, f)
		}
	})
}

// member returns the name behind the dot of a name such as info.bits.
func (x *Expr) member(name string) *dsl.Name {
	at := &dsl.Name{Pos: x.Pos, Text: name}
	at.Pos.Column += len(x.Name) - len(name)
	at.Pos.Offset += len(x.Name) - len(name)
	return at
}

// member returns the part of a record with a name, and its place in the value, or nil. The part is a field, or a number
// of the tuple.
func (r *Record) member(name string) (*Field, int) {
	if t := r.Tuple; t != nil {
		if k := slices.Index(t.Names, name); k >= 0 {
			return t.Rows[k].Field, k
		}
		return nil, -1
	}
	if k := slices.IndexFunc(r.Fields, func(f *Field) bool { return f.Name == name && !f.Param }); k >= 0 {
		return r.Fields[k], r.Fields[k].Index
	}
	return nil, -1
}

// bindMember finds the number of a member, when all types are bound.
func (s *scope) bindMember(m *Member, row *Row, at *dsl.Name) {
	rec := row.Type.Record
	m.Of, m.Index = rec.member(at.Text)
	fail := func(code dsl.Code, hint, format string, args ...any) {
		m.Of, m.Index = nil, 0
		s.name(at, code, format, args...).WithHint("%s", hint)
	}
	switch {
	case m.Of == nil:
		fail(dsl.CodeUnknown, "the fields are those of the rows of "+rec.Path, "%s has no field %s", rec.Path, at.Text)
	case rec.Tuple != nil:
		if rec.Tuple.Type.Scalar.IsFloat() {
			fail(dsl.CodeDirection, "use an integer", "%s is a float, and expressions are of integers", m.Field.Name)
		}
	case m.Index < 0:
		fail(dsl.CodeDirection, "use a field that "+rec.Path+" stores", "%s of %s is computed by a writer, so it is not in the value", at.Text, rec.Path)
	case m.Of.code():
		fail(dsl.CodeDirection, fmt.Sprintf("give %s of %s the type u32le, which is compared with a code, too", at.Text, rec.Path), "%s is a code, which only its own record compares", m.Field.Name)
	case m.Of.Kind != builtin.Uint && m.Of.Kind != builtin.Int && m.Of.Kind != builtin.Bool:
		fail(dsl.CodeDirection, "use an integer or a truth", "%s is not an integer", m.Field.Name)
	case m.Of.Optional:
		fail(dsl.CodeDirection, "put what needs it into "+rec.Path+", or use a field that is always there", "%s is not always there", m.Field.Name)
	case row.Type.InPlace || !slices.ContainsFunc(rec.Stored, func(f *Field) bool { return f != m.Of && !f.Optional }):
		fail(dsl.CodeDirection, "put the row of "+at.Text+" in place of that of "+strings.TrimSuffix(m.Field.Name, "."+at.Text), "a value of %s may be its only field, so it has no members", rec.Path)
	}
}

// code reports whether a field holds letters.
func (f *Field) code() bool {
	row, ok := f.Node.(*Row)
	return ok && row.Type.Scalar == builtin.Code4
}
