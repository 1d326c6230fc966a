package notation

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp"
)

// A Source is a value in another form: a part of a text, of JSON, or of a Go value. The form of
// a field says which of its methods are called. False, as the last result, means that the source
// is something else.
type Source interface {
	// Errorf returns an error about this place.
	Errorf(format string, args ...any) error
	// String describes the source in a few words.
	String() string
	// Absent reports whether the source says that there is no value.
	Absent() bool
	// Value returns a value that needs no building.
	Value() (interp.Value, bool)
	// Arm returns the name of an arm and what follows it.
	Arm() (name string, args []Source, ok bool)
	// Fields returns names with their values.
	Fields() ([]Member, bool)
	// List returns elements.
	List() ([]Source, bool)
	// Pairs returns keys and values in turn.
	Pairs() ([]Source, bool)
	Bool() (value, ok bool)
	// Whole returns an integer of 64 bits, sign-extended if it is negative.
	Whole() (bits uint64, negative, ok bool)
	// Real returns the bits of a real number in a scalar.
	Real(s bytecode.Scalar) (bits uint64, ok bool)
	Text() (string, bool)
	// Bytes returns the content of an array of bytes that is not a list.
	Bytes() ([]byte, bool)
}

// Member is a field of a [Source].
type Member struct {
	Name string
	Source
}

// Flag is a [Source] that may be a Go bool beside the content of other arms. If it is true, an arm without content is there.
type Flag interface{ Flag() bool }

// Renamer is a [Source] that may have the name of a Go field. Renamed returns the change by which it has a known name, or "".
type Renamer interface {
	Renamed(name string, known func(name string) bool) string
}

// bare reports whether nothing follows the name of an arm that has no content.
func bare(args []Source) bool {
	if len(args) != 1 {
		return len(args) == 0
	}
	f, ok := args[0].(Flag)
	return ok && f.Flag()
}

// Build returns the value of a source.
func (n *Notation) Build(s Source) (interp.Value, error) {
	b := builder{n: n, p: n.p, tries: maxTries}
	return b.routine(n.p.Root, s)
}

// maxTries bounds the attempts to read fields in several forms.
const maxTries = 1 << 22

// builder makes one value.
type builder struct {
	n     *Notation
	p     *bytecode.Program
	nest  int
	tries int
}

// routine makes a value of a routine.
func (b *builder) routine(index uint32, s Source) (v interp.Value, err error) {
	index = b.p.Bare(index)
	b.nest++
	b.tries--
	if b.nest > 2*MaxNest || b.tries < 0 {
		return v, s.Errorf("the value is nested more than %d levels deep, or there are more than %d ways to read it", MaxNest, maxTries)
	}
	defer func() { b.nest-- }()
	table, union := b.p.UnionTable(index)
	if v, ok := s.Value(); ok {
		if !union && v.Tag() == b.n.m.Tag(int(b.n.records[index])) || union && b.armOf(table, func(t uint32) bool { return b.n.m.Tag(int(t)) == v.Tag() }) >= 0 {
			return v, nil
		}
		return v, s.Errorf("%s is not a value of %s", s, b.p.Routines[index].Name)
	}
	if !union {
		return b.record(b.n.records[index], s)
	}
	name, args, ok := s.Arm()
	if !ok {
		return v, s.Errorf("%s is not a value of %s; begin it with the name of an arm: %s", s, b.p.Routines[index].Name, b.arms(table))
	}
	typ := b.armOf(table, func(t uint32) bool { return b.p.Types[t].Name == name })
	if typ < 0 {
		return v, s.Errorf("%s has no arm %s; its arms are %s", b.p.Routines[index].Name, name, b.arms(table))
	}
	return b.arm(uint32(typ), s, args)
}

// armOf returns the type of the first arm of a table that a function accepts, or -1.
func (b *builder) armOf(t *bytecode.Table, accepts func(typ uint32) bool) int {
	for i := range t.Arms {
		if accepts(t.Arms[i].Type) {
			return int(t.Arms[i].Type)
		}
	}
	return -1
}

// arms lists names of arms for a message.
func (b *builder) arms(t *bytecode.Table) string {
	var names []string
	for i := range t.Arms {
		names = append(names, b.p.Types[t.Arms[i].Type].Name)
	}
	return interp.ClipList(names)
}

// arm makes a value of an arm. The numbers of a tuple or an array may follow its name directly.
func (b *builder) arm(typ uint32, s Source, args []Source) (v interp.Value, err error) {
	t := &b.p.Types[typ]
	switch {
	case len(t.Fields) == 0 && bare(args):
		return interp.MakeUnit(b.n.m.Tag(int(typ))), nil
	case len(args) == 1:
		if v, err = b.record(typ, args[0]); err == nil {
			return v, nil
		}
	case len(t.Fields) == 0:
		return v, args[0].Errorf("%s has no content", t.Name)
	}
	numbers := err
	for i, f := range t.Fields {
		for _, in := range b.n.fields[typ][i].forms {
			if f.Alone && (in.Op == bytecode.Lanes || in.Op == bytecode.Packed || isContent(in)) {
				if v, numbers = b.numbers(in, b.n.fields[typ][i].exact(in), s, args); numbers == nil {
					return v.WithTag(b.n.m.Tag(int(typ))), nil
				}
			}
		}
	}
	switch {
	case len(args) == 1:
		return v, err
	case numbers != nil:
		return v, numbers
	case len(args) == 0:
		return v, s.Errorf("%s needs its content: %s", t.Name, b.shape(typ))
	}
	return v, args[1].Errorf("%s takes one value, not %d", t.Name, len(args))
}

// shape describes the fields of a type.
func (b *builder) shape(typ uint32) string {
	var names []string
	for _, f := range b.p.Types[typ].Fields {
		names = append(names, f.Name+": …")
	}
	return "{" + interp.ClipList(names) + "}"
}

// record makes a value of a type, of its fields or of the field that represents it.
func (b *builder) record(typ uint32, s Source) (v interp.Value, err error) {
	t := &b.p.Types[typ]
	tag := b.n.m.Tag(int(typ))
	members, named := s.Fields()
	unknown := slices.IndexFunc(members, func(m Member) bool { return fieldOf(t, m.Name) < 0 })
	switch {
	case len(t.Fields) == 0:
		if !named || len(members) > 0 {
			return v, s.Errorf("%s has no content; write {} and not %s", b.n.names[typ], s)
		}
		return interp.MakeUnit(tag), nil
	case named && unknown < 0 && (len(members) > 0 || !hasMap(t) || !isPairs(s)):
		return b.fields(typ, members)
	case named && len(t.Lanes) > 0:
		return b.tuple(typ, s, members)
	}
	for i, f := range t.Fields {
		if !f.Alone {
			continue
		}
		v, problem := b.field(typ, i, s)
		if problem == nil {
			return b.alone(typ, v), nil
		}
		if err == nil {
			err = problem
		}
	}
	switch {
	case s.Absent():
		return interp.MakeRecord(tag, make([]interp.Value, len(t.Fields))), nil
	case named && unknown >= 0 && (err == nil || !hasMap(t)):
		advice := ""
		if r, ok := members[unknown].Source.(Renamer); ok {
			advice = r.Renamed(members[unknown].Name, func(name string) bool { return fieldOf(t, name) >= 0 })
		}
		return v, members[unknown].Errorf("%s has no field %s; its fields are %s%s", b.n.names[typ], members[unknown].Name, b.shape(typ), advice)
	case err == nil:
		return v, s.Errorf("%s is not the fields of %s: %s", s, b.n.names[typ], b.shape(typ))
	}
	return v, err
}

// tuple makes a tuple of numbers with names.
func (b *builder) tuple(typ uint32, s Source, members []Member) (v interp.Value, err error) {
	t := &b.p.Types[typ]
	numbers := make([]Source, len(t.Lanes))
	for _, m := range members {
		i := slices.Index(t.Lanes, m.Name)
		switch {
		case i < 0:
			return v, m.Errorf("%s has no number %s; its numbers are %s", b.n.names[typ], m.Name, interp.ClipList(t.Lanes))
		case numbers[i] != nil:
			return v, m.Errorf("the number %s is in the value twice", m.Name)
		}
		numbers[i] = m.Source
	}
	for i, n := range numbers {
		if n == nil {
			return v, s.Errorf("%s needs the number %s", b.n.names[typ], t.Lanes[i])
		}
	}
	f := &b.n.fields[typ][0]
	for _, in := range f.forms {
		if v, err = b.numbers(in, f.exact(in), s, numbers); err == nil {
			return v.WithTag(b.n.m.Tag(int(typ))), nil
		}
	}
	return v, err
}

func fieldOf(t *bytecode.Type, name string) int {
	return slices.IndexFunc(t.Fields, func(f bytecode.Field) bool { return f.Name == name })
}

// fields makes a record of named fields. As in reading, one field alone may represent it.
func (b *builder) fields(typ uint32, members []Member) (v interp.Value, err error) {
	t := &b.p.Types[typ]
	tag := b.n.m.Tag(int(typ))
	cells := make([]interp.Value, len(t.Fields))
	seen := make([]bool, len(t.Fields))
	present, last := 0, 0
	for _, m := range members {
		i := fieldOf(t, m.Name)
		if seen[i] {
			return v, m.Errorf("the field %s is in the value twice", m.Name)
		}
		seen[i] = true
		if m.Absent() && b.n.fields[typ][i].absent { // not a record without values
			continue
		}
		if cells[i], err = b.field(typ, i, m.Source); err != nil && m.Absent() {
			continue
		} else if err != nil {
			return v, err
		}
		present, last = present+1, i
	}
	if present == 1 && t.Fields[last].Alone {
		return b.alone(typ, cells[last]), nil
	}
	return interp.MakeRecord(tag, cells), nil
}

// alone returns the value of a field that represents the record of a type. A bare type has the tag of its field.
func (b *builder) alone(typ uint32, v interp.Value) interp.Value {
	if b.p.Types[typ].Bare() {
		return v
	}
	return v.WithTag(b.n.m.Tag(int(typ)))
}

// field makes the value of field i of a type.
func (b *builder) field(typ uint32, i int, s Source) (v interp.Value, err error) {
	f := &b.n.fields[typ][i]
	name := cmp.Or(b.p.Types[typ].Fields[i].Name, b.p.Types[typ].Name) // the numbers of a tuple have no name together
	if len(f.forms) == 0 {
		return v, s.Errorf("%s has no value that can be written", name) // unreachable: a row reads each field
	}
	if v, ok := s.Value(); ok && v.Tag() == 0 {
		return v, nil
	}
	if v, ok, err := b.number(f, name, s); ok || err != nil {
		return v, err
	}
	for _, in := range f.forms {
		v, problem := b.form(in, f.exact(in), name, s)
		if problem == nil {
			return v, nil
		}
		if err == nil || err == errForm {
			err = problem
		}
	}
	if err == errForm {
		err = s.Errorf("%s is not a value of %s, which is %s", s, name, f.describe())
	}
	return v, err
}

// errForm says that a source is not of a form.
var errForm = errors.New("another form")

// number makes a number of a field. False means that it is not of numbers, or that the source
// is no number.
func (b *builder) number(f *field, name string, s Source) (v interp.Value, ok bool, err error) {
	var kinds [interp.Record + 1]bool
	scalar, scalars := bytecode.NoScalar, 0
	real := bytecode.NoScalar
	for _, in := range f.forms {
		switch in.Op {
		case bytecode.Truth:
			kinds[interp.Bool] = true
		case bytecode.Take:
			kind, _ := in.Taken()
			kinds[kind] = true
			scalars++
		case bytecode.Scalars:
			scalars++
			switch scalar = in.Scalar(); {
			case scalar.IsFloat():
				kinds[interp.Float] = true
				if real == bytecode.NoScalar || scalar.Width() > real.Width() {
					real = scalar
				}
			case scalar.Signed():
				kinds[interp.Int] = true
			default:
				kinds[interp.Uint] = true
			}
		}
	}
	if scalars > 1 {
		scalar = bytecode.NoScalar
	}
	if text, is := s.Text(); is && (f.letters || slices.ContainsFunc(f.forms, ofCode)) {
		if !f.letters {
			scalar = bytecode.Code4
		}
		if len(text) != 4 {
			return v, false, s.Errorf("%s is 4 letters, not %d", name, len(text))
		}
		bits := uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24
		return integer(interp.Uint, scalar, bits), true, nil
	}
	if x, is := s.Bool(); is && kinds[interp.Bool] {
		return interp.MakeBool(0, x), true, nil
	}
	bits, negative, whole := s.Whole()
	switch {
	case whole && kinds[interp.Int] && (negative || !kinds[interp.Uint]):
		if !negative && bits > math.MaxInt64 {
			return v, false, s.Errorf("%s is beyond 64 bits with a sign, which %s has", s, name)
		}
		return integer(interp.Int, scalar, bits), true, nil
	case whole && kinds[interp.Uint]:
		if negative {
			return v, false, s.Errorf("%s is negative, and %s has no sign", s, name)
		}
		return integer(interp.Uint, scalar, bits), true, nil
	case kinds[interp.Float]:
		number, is := s.Real(real)
		if !is {
			break
		}
		if v = interp.MakeFloat(0, interp.RealOf(real, number)); scalar != bytecode.NoScalar {
			v = interp.MakeScalar(0, scalar, number)
		}
		return v, true, nil
	}
	return v, false, nil
}

// integer makes an integer as a reader makes it of a scalar, if that is known.
func integer(kind interp.Kind, s bytecode.Scalar, bits uint64) interp.Value {
	switch {
	case s != bytecode.NoScalar:
		return interp.MakeScalar(0, s, bits)
	case kind == interp.Int:
		return interp.MakeInt(0, int64(bits))
	}
	return interp.MakeUint(0, bits)
}

// isContent reports whether an instruction reads an array of bytes that ends before a delimiter, or
// the bytes between parts.
func isContent(in *bytecode.Instr) bool {
	return in.Op == bytecode.Gaps || (in.Op == bytecode.Until || in.Op == bytecode.Filled) && in.A == bytecode.None
}

// form makes what an instruction reads. Exact is the scalar whose real numbers it must not round. The
// error is errForm if the source is of another form.
func (b *builder) form(in *bytecode.Instr, exact bytecode.Scalar, name string, s Source) (v interp.Value, err error) {
	switch {
	case in.Op == bytecode.Lanes, in.Op == bytecode.Packed, isContent(in):
		if _, ok := s.List(); !ok {
			if _, ok := s.Bytes(); !ok {
				return v, errForm
			}
		}
		return b.numbers(in, exact, s, []Source{s})
	case in.Op == bytecode.Text, in.Op == bytecode.Until, in.Op == bytecode.Filled:
		if text, ok := s.Text(); ok {
			return interp.MakeText(0, text), nil
		}
	case in.Op == bytecode.ArmRef:
		table, _ := b.p.UnionTable(in.C)
		if arm, args, ok := s.Arm(); ok && bare(args) {
			if typ := b.armOf(table, func(t uint32) bool { return b.p.Types[t].Name == arm }); typ >= 0 {
				return interp.MakeUnit(b.n.m.Tag(typ)), nil
			}
		}
		return v, s.Errorf("%s, for %s, is not the name of an arm of %s: %s", s, name, b.p.Routines[in.C].Name, b.arms(table))
	case in.Op == bytecode.List:
		return b.list(in.B, s)
	case in.Op == bytecode.Rest, in.Op == bytecode.Through, in.Op == bytecode.Spare:
		return b.list(in.A, s)
	case in.Op == bytecode.Map:
		return b.pairs(in, s)
	case in.Op == bytecode.Call:
		return b.routine(in.A, s)
	}
	return v, errForm
}

func (b *builder) list(elem uint32, s Source) (v interp.Value, err error) {
	elems, ok := s.List()
	if !ok {
		return v, errForm
	}
	cells := make([]interp.Value, len(elems))
	for i, e := range elems {
		if cells[i], err = b.routine(elem, e); err != nil {
			return v, err
		}
	}
	return interp.MakeList(0, cells), nil
}

func (b *builder) pairs(in *bytecode.Instr, s Source) (v interp.Value, err error) {
	pairs, ok := s.Pairs()
	if !ok {
		return v, errForm
	}
	cells := make([]interp.Value, len(pairs))
	for i, part := range pairs {
		if cells[i], err = b.routine([]uint32{in.B, in.D}[i%2], part); err != nil {
			return v, err
		}
	}
	return interp.MakeMap(0, cells), nil
}

// numbers makes a tuple or an array. Its numbers are in a list, or follow the name of an arm.
func (b *builder) numbers(in *bytecode.Instr, exact bytecode.Scalar, s Source, args []Source) (v interp.Value, err error) {
	scalar, width := in.Scalar(), 1
	if isContent(in) {
		scalar = bytecode.U8
	} else if in.Op == bytecode.Packed {
		width = int(in.B)
	}
	if len(args) == 1 {
		if raw, ok := args[0].Bytes(); ok && scalar == bytecode.U8 && width == 1 && in.Op != bytecode.Lanes {
			return interp.MakePacked(0, scalar, 1, raw), nil
		}
		if inner, ok := args[0].List(); ok && (width == 1 || len(inner) == 0 || isList(inner[0]) || isFields(inner[0])) {
			args = inner
		}
	}
	if in.Op == bytecode.Lanes && len(args) != int(in.B) {
		return v, s.Errorf("there should be %d numbers, not %d", in.B, len(args))
	}
	out := make([]byte, 0, len(args)*width*scalar.Width())
	for _, e := range args {
		if width == 1 {
			out, err = lane(out, scalar, exact, e)
		} else if parts, ok := e.List(); !ok {
			err = e.Errorf("an element is a list of %d numbers, not %s", width, e)
		} else if len(parts) != width {
			err = e.Errorf("an element is a list of %d numbers, not of %d", width, len(parts))
		} else {
			for _, part := range parts {
				if out, err = lane(out, scalar, exact, part); err != nil {
					break
				}
			}
		}
		if err != nil {
			return v, err
		}
	}
	if in.Op == bytecode.Lanes {
		return interp.MakeLanes(0, scalar, out), nil
	}
	return interp.MakePacked(0, scalar, width, out), nil
}

func isPairs(s Source) bool {
	_, ok := s.Pairs()
	return ok
}

func isFields(s Source) bool {
	_, ok := s.Fields()
	return ok
}

func isList(s Source) bool {
	_, ok := s.List()
	return ok
}

// lane appends a number to little-endian bytes. It refuses to round a real number of the scalar exact.
func lane(out []byte, scalar bytecode.Scalar, exact bytecode.Scalar, s Source) ([]byte, error) {
	if text, ok := s.Text(); ok && scalar == bytecode.Code4 && len(text) == 4 {
		return append(out, text...), nil
	}
	var bits uint64
	ok := false
	switch {
	case scalar.IsFloat():
		bits, ok = s.Real(scalar)
		if full, _ := s.Real(exact); exact != scalar && math.Float64bits(interp.RealOf(scalar, bits)) != math.Float64bits(interp.RealOf(exact, full)) {
			ok = false
		}
	default:
		var negative bool
		bits, negative, ok = s.Whole()
		n := 8 * scalar.Width()
		switch {
		case scalar.Signed() && negative:
			ok = ok && int64(bits) >= -1<<(n-1)
		case scalar.Signed():
			ok = ok && bits>>(n-1) == 0
		default:
			ok = ok && !negative && (n == 64 || bits>>n == 0)
		}
	}
	if !ok {
		return nil, s.Errorf("%s is not a number that %s holds", s, scalar)
	}
	for range scalar.Width() {
		out = append(out, byte(bits))
		bits >>= 8
	}
	return out, nil
}

// describe says what a field is.
func (f *field) describe() string {
	var words []string
	add := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	for _, in := range f.forms {
		switch {
		case f.letters, ofCode(in):
			add("4 letters in quotes")
		case in.Op == bytecode.Truth:
			add("true or false")
		case in.Op == bytecode.Take:
			if kind, _ := in.Taken(); kind == interp.Bool {
				add("true or false")
				continue
			}
			add("an integer")
		case in.Op == bytecode.Scalars && in.Scalar().IsFloat():
			add("a number (%s)", in.Scalar())
		case in.Op == bytecode.Scalars:
			add("an integer (%s)", in.Scalar())
		case in.Op == bytecode.Lanes:
			add("a list of %d numbers (%s)", in.B, in.Scalar())
		case isContent(in):
			add("a list of bytes")
		case in.Op == bytecode.Packed:
			add("a list of numbers (%s)", in.Scalar())
		case in.Op == bytecode.Text, in.Op == bytecode.Until, in.Op == bytecode.Filled:
			add("a text in quotes")
		case in.Op == bytecode.Map:
			add("pairs of keys and values")
		default: // records and arms have their own errors
			add("a list")
		}
	}
	return strings.Join(words, " or ")
}

// BuildField returns the value of field i of a type.
func (n *Notation) BuildField(typ uint32, i int, s Source) (interp.Value, error) {
	b := builder{n: n, p: n.p, tries: maxTries}
	return b.field(typ, i, s)
}
