// Words: rows that are numbers, and the bits of them that are fields.

package reference

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// numeral walks a row that is a number, and returns its value. The value is a truth, the arm that
// it names, or the number. A condition after it can be about it only if its number is used.
func (m *walk) numeral(row *schema.Row, f *frame, v interp.Value) interp.Value {
	field, t, s := row.Field, row.Type, m.wire(row.Type, f)
	stored, kind := field.Index >= 0, s.Scalar
	if row.Inline != nil { // it has no bytes here
		if kind = builtin.U64; t.Scalar.Signed() {
			kind = builtin.I64
		}
	}
	switch {
	case !m.writes || !stored || t.Form == schema.ArmID:
	case t.Form == schema.Truth:
		m.must(v, interp.Bool)
	case s.IsFloat():
		m.must(v, interp.Float)
	default:
		m.integer(kind, v)
	}
	switch {
	case row.Inline != nil:
		m.before = 0
		f.number[field] = m.known(row.Inline, f)
	case s.IsFloat() && m.writes:
		m.number(s, int64(m.exactly(math.Float64bits(v.Float()), builtin.F64, kind)))
	default:
		m.word(row, s, f)
	}
	x := f.number[field]
	if t.Form == schema.Truth { // a reader takes another number than 0 and 1 if the row says so
		m.need(uint64(x) <= 1 || row.Nonzero || row.Any, interp.ErrValue, m.about(), "0 or 1, found %d", x)
	}
	if len(row.Bits) > 0 {
		return v
	}
	switch {
	case !stored:
	case t.Form == schema.ArmID:
		v = m.armNamed(t.Union, uint64(x), v)
	case m.writes:
	case t.Form == schema.Truth:
		v = interp.MakeBool(0, x != 0)
	default:
		v = numeral(kind, uint64(x)).WithWide(s.wide || row.Wide)
	}
	used := !stored || t.Form == schema.ArmID || t.Form == schema.Number && (field.Used || field.Derive != nil)
	if !used || t.Narrow != builtin.NoScalar {
		m.before = 0
	}
	return v
}

// integer refuses a value unless it is an integer that a scalar holds.
func (m *walk) integer(s builtin.Scalar, v interp.Value) {
	m.need(v.Kind() == interp.Int || v.Kind() == interp.Uint, interp.ErrMismatch, m.pos, "an integer, found %s", v.Kind())
	m.need(!outside(v, s), interp.ErrRange, m.pos, "a number that fits %s", s)
}

// later reports whether a writer knows the number of a field only after its row. The number is
// the size of a later row, its place, or a checksum.
func later(field *schema.Field) bool {
	return field.Measures != nil || field.Sum != nil || field.PlaceOf != nil
}

// word walks the number of a row, and its bits. If a writer knows the number later only, the word
// is 0 until the writer has learned it, and has no bytes if their number varies. In conditions
// the size of a row and a checksum are 0 up to the end of what they are of.
func (m *walk) word(row *schema.Row, s wire, f *frame) {
	field := row.Field
	if m.writes {
		x := m.composed(row, f, false)
		whole, known := x, true
		if later(field) || slices.ContainsFunc(row.Bits, func(b *schema.Bit) bool { return later(b.Field) }) {
			f.word[field] = m.words
			m.words++
			if whole, known = m.learned[f.word[field]]; !known {
				whole = x
			}
		}
		begin, content := m.pos, whole
		if field.PlaceOf != nil && !s.holds(whole) { // the places of other parts follow from it nevertheless
			if content = 0; m.refused == nil {
				m.refused = m.failure(interp.ErrRange, m.pos, "a number that fits %s, found %d", s.Scalar, whole)
			}
		}
		if known || !s.coding.Varies() {
			m.number(s, content)
		}
		if word, waits := f.word[field]; waits && s.coding.Varies() {
			m.open[word] = m.pos - begin
		}
		if f.number[field] = x; field.PlaceOf != nil {
			f.number[field] = whole
		}
	} else {
		f.number[field] = m.number(s, 0)
	}
	m.bits(row.Bits, f, f.number[field])
	unused := uint64(f.number[field]) & free(s.Scalar, row.Bits)
	m.need(m.writes || len(row.Bits) == 0 || row.Rest || unused == 0, interp.ErrValue, m.about(), "zeros in the bits %#x", unused)
}

// composed returns the number that a writer puts into a row: that of its field or of its bits. If
// not all, what is known later is 0.
func (m *walk) composed(row *schema.Row, f *frame, all bool) int64 {
	switch {
	case len(row.Bits) > 0:
		return extended(row.Type.Scalar, m.join(row.Bits, f, all))
	case all || !later(row.Field):
		return m.written(row.Field, f)
	}
	return 0
}

// learn notes the number of a word that was begun before. The next walk puts it into the word.
func (m *walk) learn(row *schema.Row, x int64, f *frame) {
	delete(m.open, f.word[row.Field])
	m.fitting(m.wire(row.Type, f), x)
	f.number[row.Field] = x
	m.learned[f.word[row.Field]] = x
}

// join returns the bits of a word that the fields of an arm or a row are. Values of one bit are
// truths, of several integers, and the number of each must fit its bits.
func (m *walk) join(bits []*schema.Bit, f *frame, all bool) (word uint64) {
	for _, b := range bits {
		switch v := f.value[b.Field]; {
		case b.Field.Index < 0 || b.Field.ArmOf != nil:
		case b.N == 1:
			m.must(v, interp.Bool)
		case b.Signed:
			m.integer(builtin.I64, v)
		default:
			m.integer(builtin.U64, v)
		}
	}
	for _, b := range bits {
		if all || !later(b.Field) {
			x := m.written(b.Field, f)
			bits := uint64(x) & ones(b.N)
			m.need(x == numberOf(b, bits), interp.ErrRange, m.pos, "a number of %d bits", b.N)
			word |= bits << b.Lo
		}
	}
	return word
}

// bits takes the fields in the bits of a word.
func (m *walk) bits(bits []*schema.Bit, f *frame, word int64) {
	for _, b := range bits {
		x := bitsOf(b, word)
		number := numberOf(b, x)
		f.number[b.Field] = number
		m.demand(f, b.Checks...)
		switch {
		case b.Field.Index < 0:
		case b.Field.ArmOf != nil:
			f.value[b.Field] = m.armNamed(b.Field.ArmOf, x, f.value[b.Field])
		case m.writes:
		case b.N == 1:
			f.value[b.Field] = interp.MakeBool(0, x != 0)
		case b.Signed:
			f.value[b.Field] = interp.MakeInt(0, number)
		default:
			f.value[b.Field] = interp.MakeUint(0, x)
		}
	}
}

// bitsOf returns the bits of a field in a word.
func bitsOf(b *schema.Bit, word int64) uint64 { return uint64(word) >> b.Lo & ones(b.N) }

// numberOf returns the number that the bits of a field hold. The highest bit of a signed one counts as negative.
func numberOf(b *schema.Bit, bits uint64) int64 {
	if b.Signed && bits>>(b.N-1) != 0 {
		bits |= ^ones(b.N)
	}
	return int64(bits)
}

// free returns the bits of a scalar that no field has.
func free(s builtin.Scalar, bits []*schema.Bit) uint64 {
	out := ones(8 * s.Width())
	for _, b := range bits {
		out &^= ones(b.N) << b.Lo
	}
	return out
}

// armNamed returns the arm of a union that a number names, without content. A writer refuses a
// value unless it is such an arm.
func (m *walk) armNamed(u *schema.Union, number uint64, v interp.Value) interp.Value {
	arm := armOf(u, number, false)
	if m.writes {
		m.must(v, interp.Unit)
		arm = m.tagged(u, v.Tag())
		m.need(arm != nil && !arm.Else, interp.ErrMismatch, m.pos, "an arm of %s with a number", u.Name)
	}
	m.need(arm != nil, interp.ErrType, m.about(), "the number of an arm of %s", u.Name)
	return interp.MakeUnit(m.Tags[arm.Record])
}
