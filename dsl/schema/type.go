// Types of rows.

package schema

import (
	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/builtin"
)

// scalar returns the scalar of a type name, and whether it is that of the axis.
func (b *binder) scalar(name string) (scalar builtin.Scalar, axis bool) {
	if s, ok := builtin.ScalarNamed(name); ok {
		return s, false
	}
	if b.s.Axis != nil && b.s.Axis.Name == name {
		return b.s.Choice.Scalar, true
	}
	return builtin.NoScalar, false
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
	name := d.Name.Text
	t := &Type{Name: name, Pos: d.Pos}
	scalar, axis := b.scalar(name)
	truth, text := truth(name), b.encodings[name]
	union, rec := b.unions[name], b.records[name]
	b.typeName(d.Name, axis)
	switch {
	case d.ID:
		t.Form, t.Scalar, t.Union = ArmID, builtin.U32, union
	case d.Size != nil && text != nil:
		t.Form, t.Encoding = Text, text
	case d.Size != nil && scalar.Valid():
		t.Form, t.Scalar, t.Axis, t.Width = Array, scalar, axis, 1
	case truth.Valid():
		t.Form, t.Scalar = Truth, truth
	case scalar.Valid():
		t.Scalar, t.Axis = scalar, axis
	case union != nil:
		t.Form, t.Union = OfUnion, union
	case rec != nil:
		t.Form, t.Record = OfRecord, rec
		t.InPlace = b.inPlace[rec] != nil && len(d.Args) == 0
	}
	known := *t
	*t = Type{Name: name, Pos: d.Pos} // if there is a mistake
	isText, isScalar, isTruth := text != nil, scalar.Valid(), truth.Valid()
	switch {
	case d.ID && union == nil && (isScalar || isTruth || rec != nil || isText):
		b.name(d.Name, dsl.CodeArgs, "%s is not a union, so it has no numbers of arms", name).WithHint("write %s alone, or the name of a union before .id", name)
	case d.ID && union == nil:
		b.unknownType(d.Name)
	case d.ID && (d.Size != nil || len(d.Args) > 0):
		b.name(d.Name, dsl.CodeArgs, "the number of an arm has neither a length nor arguments").WithHint("write %s.id", name)
	case d.Size != nil && (union != nil || rec != nil || isTruth):
		b.name(d.Name, dsl.CodeArgs, "only numbers and text have a length in brackets, and %s is neither", name).
			WithHint("write a list: repeat … as %s { | … | … | %s | … | }", row, name)
	case d.Size == nil && isText:
		b.name(d.Name, dsl.CodeArgs, "text needs a length").WithHint("write %s[…] with a number of bytes", name)
	case len(d.Args) > 0 && (isScalar || isTruth || isText):
		b.errorf(d.Args[0].Pos, 1, dsl.CodeArgs, "%s takes no arguments", name).WithHint("types and unions of the schema take arguments; write a length in brackets")
	case !isScalar && !isTruth && !isText && union == nil && rec == nil:
		b.unknownType(d.Name)
	default:
		*t = known
	}
	return t
}

// typeName notes the name of a type in the index.
func (b *binder) typeName(n *dsl.Name, axis bool) {
	if b.index == nil {
		return
	}
	if axis {
		b.index.use(n, b.src.Axis.Name)
	} else if t := b.src.Type(n.Text); t != nil {
		b.index.use(n, t.At)
	} else if u := b.src.Union(n.Text); u != nil {
		b.index.use(n, u.At)
	} else if e := b.src.Encoding(n.Text); e != nil {
		b.index.use(n, e.Name)
	}
}

// unknownType reports the name of a type that is not declared.
func (b *binder) unknownType(n *dsl.Name) {
	d := b.name(n, dsl.CodeUnknown, "there is no type %s", n.Text).
		WithHint("a type is a scalar such as u32, an encoding with a length in brackets, a type, a union or an axis of the schema")
	b.near(d, n.Text, func() []string {
		var all []string
		for _, t := range builtin.Types() {
			all = append(all, t.Name)
		}
		all = append(all, b.src.declared("type", "union", "encoding")...)
		if b.s.Axis != nil {
			all = append(all, b.s.Axis.Name)
		}
		return all
	})
}

// scalarOf sets the scalars of a type of numbers: that of the choice and, if the record
// has a bit that selects the form of the axis, those that it selects between.
func (s *scope) scalarOf(t *Type) {
	t.Scalar, t.Axis = s.scalar(t.Name)
	if t.Axis && s.rec.Selector != nil {
		t.Narrow, t.Wide = s.s.Axis.Choices[0].Scalar, s.s.Axis.Choices[1].Scalar
	}
}

// typeOperands binds the length and the arguments of a type.
func (s *scope) typeOperands(t *Type, d *dsl.TypeRef) {
	if t.Form == Number && t.Scalar.Valid() || t.Form == Array {
		s.scalarOf(t)
	}
	if d.Size != nil && (t.Form == Text || t.Form == Array) {
		switch {
		case !s.isRest(d.Size):
			t.Size = s.reader(d.Size)
		case t.Form == Text:
			s.name(d.Name, dsl.CodeArgs, "text needs a length").WithHint("u8[rest] takes all bytes that are left")
		}
	}
	if t.Form != OfUnion && t.Form != OfRecord {
		return
	}
	params := s.params[t.Name]
	if len(d.Args) != params {
		s.name(d.Name, dsl.CodeArgs, "%s takes %d argument%s, not %d", t.Name, params, plural(params), len(d.Args)).WithHint("write them in parentheses after the name, in the order of the declaration")
	}
	if params > builtin.MaxParams {
		s.name(d.Name, dsl.CodeArgs, "at most %d arguments are allowed, and %s takes %d", builtin.MaxParams, t.Name, params).WithHint("let it read some of them itself")
	}
	for i, a := range d.Args {
		t.Args = append(t.Args, s.argument(a, t, i))
	}
}

// isRest reports whether the length of an array is all that is left.
func (s *scope) isRest(e *dsl.Expr) bool {
	x := fold(e)
	return x.Op == builtin.Ref && x.Name == builtin.Rest.Name && s.names[x.Name] == nil
}

// kindOf returns the kind of the values of a type, or None if it varies.
func (b *binder) kindOf(d *dsl.TypeRef) builtin.Kind {
	name := d.Name.Text
	scalar, _ := b.scalar(name)
	switch {
	case d.ID:
		return builtin.None
	case d.Size != nil && b.encodings[name] != nil:
		return builtin.Text
	case d.Size != nil:
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
	if rec := b.records[name]; rec != nil && b.unions[name] == nil && b.inPlace[rec] != nil {
		return b.kindOf(b.inPlace[rec])
	}
	return builtin.None
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
