// Types of rows.

package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// scalar returns the scalar of a type name, and the option if it is that of the option.
func (b *binder) scalar(name string) (scalar builtin.Scalar, option *Option) {
	if t := builtin.TypeNamed(name); t != nil && !t.Truth && !t.Text {
		return t.Scalar, nil
	}
	if b.option != nil && b.option.Name == name {
		return b.choice.Scalar, b.option
	}
	return builtin.NoScalar, nil
}

// swapped reports whether numbers of a type have another order of bytes than the schema that is
// resolved. The type is given by its name and scalar.
func (b *binder) swapped(name string, scalar builtin.Scalar) bool {
	if t := builtin.TypeNamed(name); t != nil && t.Order != builtin.AsSchema {
		return (t.Order == builtin.Big) != b.s.Big
	}
	return b.big() != b.s.Big && scalar.Width() > 1 && scalar != builtin.Code4 && coding(name) == builtin.Fixed
}

// Params returns the parameters of the record or the union of the type, nil for other types.
func (t *Type) Params() []*Field {
	switch {
	case t.Record != nil:
		return t.Record.Params
	case t.Union != nil:
		return t.Union.Params
	}
	return nil
}

// In returns a type whose numbers have an order of bytes, given that of the schema.
func (t *Type) In(big, schema bool) *Type {
	out := *t
	out.Big, out.Swapped = nil, big != schema
	if t.Form == Text {
		out.Encoding = t.Encoding.In(big)
	}
	return &out
}

// coding returns the coding of the numbers that a type name is of.
func coding(name string) builtin.Coding {
	if t := builtin.TypeNamed(name); t != nil {
		return t.Coding
	}
	return builtin.Fixed
}

// digits returns the coding of numbers in digits, with the default fill. It returns Fixed if
// there is a mistake.
func (b *binder) digits(d *dsl.TypeRef, name string) builtin.Coding {
	kind := coding(name)
	if d.ID {
		return builtin.Fixed // unreachable: typeOf has reported it
	}
	if d.Extent != nil && d.Extent.Cond != nil { // until reports it
		return builtin.Fixed
	}
	if d.Extent != nil && d.Extent.Until != nil {
		return b.endedDigits(d, kind)
	}
	if kind.Signed() {
		b.name(d.Name, dsl.CodeArgs, "%s needs a terminator", name).WithHint("for example: %s[until \"0d0a\"]; numbers of one width are unsigned: decimal[8]", name)
		return builtin.Fixed
	}
	if d.Extent == nil || d.Extent.Count == nil {
		b.name(d.Name, dsl.CodeArgs, "%s needs a number of bytes or a terminator", name).WithHint("for example: %s[8] or %s[until \"0d0a\"]", name, name)
		return builtin.Fixed
	}
	width, constant := fold(d.Extent.Count).constant()
	if !constant || width < 1 || width > builtin.MaxDigits {
		b.errorf(d.Extent.Count.Pos, 1, dsl.CodeRange, "%s has a constant number of bytes, from 1 to %d", name, builtin.MaxDigits).WithHint("for example: %s[8]", name)
		return builtin.Fixed
	}
	c, ok := builtin.InDigits(kind, int(width), kind.DefaultFill())
	if !ok { // of one byte
		c, _ = builtin.InDigits(kind, int(width), "")
	}
	return c
}

// endedDigits returns the coding of numbers in digits before a terminator; Fixed if there is a mistake.
func (b *binder) endedDigits(d *dsl.TypeRef, kind builtin.Coding) builtin.Coding {
	end := d.Extent.Until
	bytes, err := end.Bytes()
	c, ok := builtin.Ended(kind, string(bytes))
	switch {
	case err == nil && ok:
		return c
	case err == nil && len(bytes) > builtin.MaxEnd:
		b.errorf(end.Pos, len(end.Text)+2, dsl.CodeRange, "the terminator of a number has at most %d bytes", builtin.MaxEnd).
			WithHint("end the number with the first of them, and read the others in a row of u8 with a value after it")
	case err == nil && len(bytes) > 0:
		b.errorf(end.Pos, len(end.Text)+2, dsl.CodeRange, "the terminator of %s begins neither with a digit of its base nor with a minus sign", kind).
			WithHint("for example: %s[until \"0d0a\"]", kind)
	default:
		b.delimiter(end, "until", fmt.Sprintf("%s[until \"0d0a\"]", kind), builtin.MaxEnd, 1)
	}
	return builtin.Fixed
}

// truth returns the scalar in which a type of truths is stored.
func truth(name string) builtin.Scalar {
	if t := builtin.TypeNamed(name); t != nil && t.Truth {
		return t.Scalar
	}
	return builtin.NoScalar
}

// typeOf binds the type of a row without the expressions in it, and reports what it
// cannot be.
func (b *binder) typeOf(d *dsl.TypeRef, row string) *Type {
	name := d.Path()
	t := &Type{Name: name, Pos: d.Pos}
	scalar, option := b.scalar(name)
	truth, text := truth(name), b.encodings[name]
	union, rec := b.unions[name], b.records[name]
	b.typeName(d, option != nil)
	switch {
	case d.ID:
		t.Form, t.Scalar, t.Union = ArmID, builtin.U32, union
		t.Swapped = b.of(d).swapped("", t.Scalar)
	case d.Extent != nil && text != nil:
		t.Form, t.Encoding = Text, text
	case coding(name).InDigits():
		t.Coding = b.digits(d, name)
		t.Scalar = t.Coding.Scalar()
	case d.Extent != nil && scalar.Valid():
		t.Form, t.Scalar, t.Option, t.Swapped, t.Width = Array, scalar, option, b.swapped(name, scalar), 1
	case truth.Valid():
		t.Form, t.Scalar, t.Swapped = Truth, truth, b.swapped("", truth)
	case scalar.Valid():
		t.Scalar, t.Option, t.Swapped, t.Coding = scalar, option, b.swapped(name, scalar), coding(name)
	case union != nil:
		t.Form, t.Union = OfUnion, union
	case rec != nil:
		t.Form, t.Record = OfRecord, rec
		t.InPlace = b.inPlace[rec].t != nil && len(d.Args) == 0
	}
	if t.Union != nil {
		t.Name = t.Union.Name
	} else if t.Record != nil {
		t.Name = t.Record.Name
	}
	t.Until = b.until(t, d)
	known := *t
	*t = Type{Name: name, Pos: d.Pos} // if there is a mistake
	isText, isScalar, isTruth := text != nil, scalar.Valid(), truth.Valid()
	switch {
	case d.ID && union == nil && (isScalar || isTruth || rec != nil || isText):
		b.name(d.Name, dsl.CodeArgs, "%s is not a union, so it has no numbers of arms", name).WithHint("write %s alone, or the name of a union before .id", name).Replace(name+".id", name)
	case d.ID && union == nil:
		b.unknownType(d)
	case d.ID && (d.Extent != nil || len(d.Args) > 0):
		b.name(d.Name, dsl.CodeArgs, "the number of an arm has neither a length nor arguments").WithHint("write %s.id", name)
	case d.ID && union.first(listed) != nil:
		b.name(d.Name, dsl.CodeInverse, "%s.id has no number for arm %s, which has several", name, union.first(listed).Name).WithHint("store the number in a row of an integer type")
	case d.Extent != nil && isTruth:
		b.name(d.Name, dsl.CodeArgs, "%s has no length in brackets", name).
			WithHint("write a list: repeat … as %s { | … | … | %s | … | }", row, name)
	case d.Extent != nil && (union != nil || rec != nil || coding(name).Varies()):
		b.name(d.Name, dsl.CodeArgs, "a list is not one of several forms").WithHint("put it into a block: if … { | … | … | %s[…] | %s | }", name, row)
	case d.Extent == nil && isText:
		b.name(d.Name, dsl.CodeArgs, "text needs a length").WithHint("write %[1]s[…] with a number of bytes, %[1]s[until \"00\"] or %[1]s[until end]", name)
	case len(d.Args) > 0 && (isScalar || isTruth || isText):
		b.errorf(d.Args[0].Pos, 1, dsl.CodeArgs, "%s takes no arguments", name).WithHint("types and unions of the schema take arguments; write a length in brackets")
	case coding(name).InDigits() && known.Coding == builtin.Fixed: // which digits reported
	case !isScalar && !isTruth && !isText && union == nil && rec == nil:
		b.unknownType(d)
	default:
		*t = known
	}
	return t
}

// typeName notes the name of a type in the index.
func (b *binder) typeName(d *dsl.TypeRef, option bool) {
	if b.index == nil {
		return
	}
	n, src := d.Name, b.src
	if d.Import != nil {
		m := b.src.imports(d.Import.Text)
		if m == nil {
			return
		}
		b.index.use(d.Import, m.Name)
		if src = m.Src; src == nil {
			return
		}
	}
	if option {
		b.index.use(n, src.Option.Name)
	} else if t := src.Type(n.Text); t != nil {
		b.index.use(n, t.At)
	} else if u := src.Union(n.Text); u != nil {
		b.index.use(n, u.At)
	} else if e := src.Encoding(n.Text); e != nil && d.Import == nil {
		b.index.use(n, e.Name)
	}
}

// unknown reports whether there is a mistake in a type, which is reported.
func (t *Type) unknown() bool { return t.Form == Number && !t.Scalar.Valid() }

// unknownType reports the name of a type that is not declared.
func (b *binder) unknownType(ref *dsl.TypeRef) {
	if ref.Import != nil {
		b.unknownImported(ref)
		return
	}
	n := ref.Name
	d := b.name(n, dsl.CodeUnknown, "there is no type %s", n.Text).
		WithHint("a type is a scalar such as u32, an encoding with a length in brackets, a type, a union or an option of the schema")
	if advice := foreignTypes[strings.ToLower(n.Text)]; advice != "" {
		d.WithHint("%s", advice)
	}
	for _, m := range b.src.Imports {
		if m.Src != nil && slices.Contains(m.Src.declared("type", "union"), n.Text) {
			d.Suggest(n.Text, m.Name.Text+"."+n.Text)
			return
		}
	}
	declared := func() []string { return b.src.declared("type", "union", "encoding") }
	if t := builtin.Synonym(n.Text); t != nil && len(b.diags) <= maxNear &&
		!slices.ContainsFunc(declared(), func(name string) bool { return strings.EqualFold(name, n.Text) }) {
		if t.Text && t.Name == "utf8" {
			d.WithHint(`text has an encoding and a length in bytes, as in utf8[n], or an end, as in utf8[until "00"]`)
			if strings.EqualFold(n.Text, "char") && ref.Extent == nil {
				d.WithHint("a letter is a text of one byte, ascii[1], or a number, u8")
			}
		} else {
			d.Suggest(n.Text, t.Name)
		}
		return
	}
	b.near(d, n.Text, func() []string {
		var all []string
		for _, t := range slices.Concat(builtin.Types(), builtin.OrderedTypes()) {
			all = append(all, t.Name)
		}
		all = append(all, declared()...)
		if b.option != nil {
			all = append(all, b.option.Name)
		}
		return all
	})
}

// scalarOf sets the scalar of a type of numbers to that of the choice. If the record has a bit
// that selects the form of the option, it also sets the two scalars that the bit selects
// between.
func (s *scope) scalarOf(t *Type) {
	t.Scalar, t.Option = s.scalar(t.Name)
	t.Swapped = s.swapped(t.Name, t.Scalar)
	if t.Coding != builtin.Fixed {
		t.Scalar = t.Coding.Scalar()
	}
	if t.Option != nil && s.rec.Selector != nil {
		t.Narrow, t.Wide = t.Option.Choices[0].Scalar, t.Option.Choices[1].Scalar
	}
}

// typeOperands binds the length and the arguments of a type.
func (s *scope) typeOperands(t *Type, d *dsl.TypeRef) {
	if t.Form == Number && t.Scalar.Valid() || t.Form == Array {
		s.scalarOf(t)
	}
	if d.Extent != nil && d.Extent.Count != nil && (t.Form == Text || t.Form == Array) {
		t.Size = s.reader(d.Extent.Count)
	}
	if t.Form == OfUnion || t.Form == OfRecord {
		s.typeArguments(t, d)
	}
}

// typeArguments binds the arguments of a record or a union.
func (s *scope) typeArguments(t *Type, d *dsl.TypeRef) {
	params := s.params[d.Path()]
	if len(d.Args) != params {
		hint := "write them in parentheses after the name, in the order of the declaration"
		if params == 0 {
			hint = "leave them out"
		}
		s.name(d.Name, dsl.CodeArgs, "%s takes %d argument%s, not %d", t.Name, params, plural(params), len(d.Args)).WithHint("%s", hint)
	}
	if params > builtin.MaxParams {
		s.name(d.Name, dsl.CodeArgs, "at most %d arguments are allowed, and %s takes %d", builtin.MaxParams, t.Name, params).WithHint("let it read some of them itself")
	}
	for i, a := range d.Args {
		t.Args = append(t.Args, s.argument(a, t, i))
	}
}

// kindOf returns the kind of the values of a type, or None if it varies.
func (b *binder) kindOf(d *dsl.TypeRef) builtin.Kind {
	name := d.Path()
	scalar, _ := b.scalar(name)
	switch {
	case d.ID:
		return builtin.None
	case d.Extent != nil && b.encodings[name] != nil:
		return builtin.Text
	case d.Extent != nil && !coding(name).InDigits():
		return builtin.Packed
	case truth(name).Valid():
		return builtin.Bool
	case scalar.IsFloat():
		return builtin.Float
	case scalar.Signed():
		return builtin.Int
	case scalar.Valid():
		return builtin.Uint
	}
	if rec := b.records[name]; rec != nil && b.unions[name] == nil && b.inPlace[rec].t != nil {
		in := b.inPlace[rec]
		return in.b.kindOf(in.t)
	}
	return builtin.None
}

// integersOf returns the scalar of a type that is an array of integers, NoScalar for other types.
func (b *binder) integersOf(d *dsl.TypeRef) builtin.Scalar {
	if d.Extent != nil {
		scalar, option := b.scalar(d.Path())
		if option != nil {
			return builtin.NoScalar
		}
		return integer(scalar)
	}
	in := b.inPlace[b.records[d.Path()]] // as its value is an array
	return in.b.integersOf(in.t)
}

// integer returns a scalar if it is of integers, else NoScalar.
func integer(s builtin.Scalar) builtin.Scalar {
	if s.IsFloat() || s == builtin.Code4 {
		return builtin.NoScalar
	}
	return s
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
