// Reading: from bytes to a value.

package reference

import (
	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// reader is one input that is decoded.
type reader struct {
	*meaning
	in     []byte
	pos    int
	end    int // of the innermost region
	before int // bytes of the number directly before pos, 0 if something else is there
	memory int // bytes that may still be taken if MaxMemory is set
	work   int // bytes that may still be read in parts
}

func (r *reader) here() int  { return r.pos }
func (r *reader) about() int { return r.pos - r.before }

// block reads what is there under a condition. A condition after it is not about a
// number before it or in it.
func (r *reader) block(f func()) {
	f()
	r.before = 0
}

// absent has no meaning for a reader: fields without a row have no value.
func (r *reader) absent([]*schema.Field, *frame) {}

// more returns 1 if bytes are left.
func (r *reader) more(interp.Value) int64 { return truth(r.left() > 0) }

func (r *reader) left() int { return r.end - r.pos }

// take returns the next n elements of a size.
func (r *reader) take(n int64, size int) []byte {
	if n < 0 || n > int64(r.left()/size) {
		fail(interp.ErrTruncated, r.pos, "%d × %d bytes, found %d", n, size, r.left())
	}
	b := r.in[r.pos : r.pos+int(n)*size]
	r.pos += len(b)
	r.before = 0
	return b
}

// number takes the bits of a scalar.
func (r *reader) number(s wire) uint64 {
	switch {
	case s.coding.Varies():
		return uint64(r.coded(s))
	case s.coding != builtin.Fixed:
		return r.digits(s)
	}
	return r.bitsOf(s, r.take(1, s.Width()))
}

// word takes a number that conditions can be about.
func (r *reader) word(s wire) int64 {
	x := extended(s.Scalar, r.number(s))
	r.follow(s)
	return x
}

// follow notes that conditions can be about the number directly before, if it has one width.
func (r *reader) follow(s wire) {
	if r.before = s.Width(); s.coding != builtin.Fixed {
		r.before = 0
	}
}

// spend counts the memory of some values.
func (r *reader) spend(values int) {
	if r.MaxMemory > 0 {
		if r.memory -= 24 * values; r.memory < 0 {
			fail(interp.ErrLimit, r.pos, "memory for %d values", values)
		}
	}
}

// unit reads a record or a union.
func (r *reader) unit(t *schema.Type, args []int64) interp.Value {
	defer r.enter(t)()
	r.before = 0
	if t.Form == schema.OfUnion {
		return r.union(t.Union, args)
	}
	return r.record(newFrame(t.Record, t.Record.Params, args), r.pos)
}

// union reads the word of a union, if it has one, and the arm that is selected.
func (r *reader) union(u *schema.Union, args []int64) interp.Value {
	f, begin := newFrame(nil, u.Params, args), r.pos
	if u.Word != nil {
		f.number[u.Word.Field] = r.word(r.wireOf(u.Word.Type, f))
	}
	arm := selected(u, f)
	if arm == nil {
		fail(interp.ErrType, begin, "the number of an arm of %s", u.Name)
	}
	f.rec = arm.Record
	if u.Word != nil {
		f.span[u.Word.Field] = span{begin, r.pos}
		r.bits(arm.Bits, f, f.number[u.Word.Field])
		if u.Closed {
			r.zeros(u.Word.Type.Scalar, f.number[u.Word.Field], arm.Bits, ones(u.N)<<u.Lo)
		}
		r.demand(f, u.Word.Checks...)
		for _, b := range arm.Bits {
			if b.Field.Redundant != nil {
				r.before = 0
			}
		}
	}
	return r.record(f, begin)
}

// record reads the rows of a record that begins at an offset, and returns its value: one without content if it
// stores nothing; the value of the one field that is present, if that may represent the
// record; else the values of all fields.
func (r *reader) record(f *frame, begin int) interp.Value {
	rec, tag := f.rec, r.Tags[f.rec]
	if rec.Tuple != nil {
		s, wide := r.scalar(rec.Tuple.Type, f)
		b := r.take(1, s.Width()*len(rec.Tuple.Names))
		f.value[rec.Stored[0]] = interp.MakeLanes(0, s.Scalar, r.little(s, b)).WithWide(wide)
	} else {
		r.based(f, begin, func() {
			r.body(rec.Body, f)
			r.redundant(rec, f)
		})
	}
	r.stop(rec, f)
	var all []interp.Value
	var present []*schema.Field
	for _, field := range rec.Stored {
		all = append(all, f.value[field])
		if !f.value[field].IsNone() {
			present = append(present, field)
		}
	}
	switch {
	case len(all) == 0:
		return interp.MakeUnit(tag)
	case len(present) == 1 && present[0].Alone:
		return f.value[present[0]].WithTag(tag)
	}
	r.spend(len(all))
	return interp.MakeRecord(tag, all)
}

// redundant compares the numbers of a record that a reader does not need with those that a writer
// computes.
func (r *reader) redundant(rec *schema.Record, f *frame) {
	for _, field := range rec.Fields {
		d := field.Redundant
		if d == nil || d.There != nil && r.known(d.There, f) == 0 {
			continue
		}
		if want := r.compute(field.Derive, f, verifying); f.number[field] != want {
			at := f.span[d.At.Field].begin
			if d.At.End {
				at = f.span[d.At.Field].end
			}
			fail(interp.ErrValue, at-d.Back, "%d, found %d", want, f.number[field])
		}
	}
}

// bits takes the fields in the bits of a word.
func (r *reader) bits(bits []*schema.Bit, f *frame, word int64) {
	for _, b := range bits {
		x := uint64(word) >> b.Lo & ones(b.N)
		f.number[b.Field] = int64(x)
		r.demand(f, b.Checks...)
		switch {
		case b.Field.Index < 0:
		case b.Field.ArmOf != nil:
			f.value[b.Field] = r.armNamed(b.Field.ArmOf, x)
		case b.N == 1:
			f.value[b.Field] = interp.MakeBool(0, x != 0)
		default:
			f.value[b.Field] = interp.MakeUint(0, x)
		}
	}
}

// armNamed returns the arm of a union that has a number, without content.
func (r *reader) armNamed(u *schema.Union, number uint64) interp.Value {
	arm := armOf(u, number, false)
	if arm == nil {
		fail(interp.ErrType, r.about(), "the number of an arm of %s", u.Name)
	}
	return interp.MakeUnit(r.Tags[arm.Record])
}

// zeros refuses a word in which bits are set that no field has, except those given.
func (r *reader) zeros(s builtin.Scalar, word int64, bits []*schema.Bit, except uint64) {
	free := ones(8*s.Width()) &^ except
	for _, b := range bits {
		free &^= ones(b.N) << b.Lo
	}
	if uint64(word)&free != 0 {
		fail(interp.ErrValue, r.about(), "zeros in the bits %#x", free)
	}
}

// measured notes the size of a row or list that begins at an offset.
func (r *reader) measured(field *schema.Field, begin int, f *frame) {
	f.size[field] = int64(r.pos - begin)
	if field.Bytes != nil {
		r.before = 0
	}
}

func (r *reader) content(row *schema.Row, f *frame) {
	field, t := row.Field, row.Type
	if t = r.ordering(t, f); delimited(t) {
		f.value[field] = r.delimited(t, f)
		return
	}
	if row.Inline != nil {
		r.before = 0
		f.number[field] = r.known(row.Inline, f)
		if field.Index >= 0 {
			f.value[field] = interp.MakeUint(0, uint64(f.number[field]))
			if t.Scalar.Signed() {
				f.value[field] = interp.MakeInt(0, f.number[field])
			}
		}
		return
	}
	switch t.Form {
	case schema.Number:
		r.numeral(row, f)
	case schema.Truth:
		r.truth(row, f)
	case schema.ArmID:
		f.number[field] = r.word(r.wireOf(t, f))
		if field.Index >= 0 {
			f.value[field] = r.armNamed(t.Union, uint64(f.number[field]))
		}
	case schema.Text:
		begin := r.pos
		text, bad := decoded(t.Encoding, r.take(r.known(t.Size, f), 1))
		if bad >= 0 {
			fail(interp.ErrText, begin+bad, "a character")
		}
		f.value[field] = interp.MakeText(0, string(text))
	case schema.Array:
		f.value[field] = r.array(t, t.Size, f, row.Wide)
	case schema.OfRecord, schema.OfUnion:
		if t.InPlace {
			inner := newFrame(t.Record, t.Record.Params, r.arguments(t, f))
			r.body(t.Record.Body, inner)
			r.redundant(t.Record, inner)
			f.value[field] = inner.value[t.Record.Stored[0]]
		} else {
			f.value[field] = r.unit(t, r.arguments(t, f))
			r.before = 0
		}
	}
}

// numeral reads a number, or a word that is made of bits.
func (r *reader) numeral(row *schema.Row, f *frame) {
	s, wide := r.scalar(row.Type, f)
	field := row.Field
	if len(row.Bits) > 0 {
		f.number[field] = r.word(s)
		r.bits(row.Bits, f, f.number[field])
		if !row.Rest {
			r.zeros(s.Scalar, f.number[field], row.Bits, 0)
		}
		return
	}
	bits := r.number(s)
	f.number[field] = extended(s.Scalar, bits)
	if needed(field) && row.Type.Narrow == builtin.NoScalar {
		r.follow(s)
	}
	if field.Index >= 0 {
		f.value[field] = numeral(s.Scalar, bits).WithWide(wide || row.Wide)
	}
}

// needed reports whether the number of a row is used, so that a condition after it can be
// about it.
func needed(field *schema.Field) bool { return field.Index < 0 || field.Used || field.Derive != nil }

// truth reads a number that is 0 for false. For true it is 1, or any other number if the
// row says so. A computed truth is a number, which may be any if the row says so.
func (r *reader) truth(row *schema.Row, f *frame) {
	begin, field := r.pos, row.Field
	x := r.number(r.wireOf(row.Type, f))
	if x > 1 && !row.Nonzero && !row.Any {
		fail(interp.ErrValue, begin, "0 or 1")
	}
	if field.Index < 0 {
		f.number[field] = int64(x)
		r.before = row.Type.Scalar.Width()
		return
	}
	f.value[field] = interp.MakeBool(0, x != 0)
}

// array reads tuples of numbers, as many as count says or as are left.
func (r *reader) array(t *schema.Type, count *schema.Expr, f *frame, wide bool) interp.Value {
	s, wider := r.scalar(t, f)
	size := s.Width() * t.Width
	n := int64(r.left() / size)
	if count != nil {
		n = r.known(count, f)
	}
	return interp.MakePacked(0, s.Scalar, t.Width, r.little(s, r.take(n, size))).WithWide(wide || wider)
}

// pad reads padding of content of a size.
func (r *reader) pad(p *schema.Pad, size int) {
	if p == nil {
		return
	}
	at, n := r.pos, padding(p, size)
	if n > r.left() && p.OrEnd && r.end == len(r.in) {
		n = r.left()
	}
	for i, b := range r.take(int64(n), 1) {
		if p.Exact && b != 0 {
			fail(interp.ErrValue, at+i, "padding of 0x00")
		}
	}
}

// region reads content that uses up the bytes of its row.
func (r *reader) region(row *schema.Row, f *frame, content func()) {
	size := r.known(row.Bound, f)
	if size < 0 || size > int64(r.left()) {
		fail(interp.ErrTruncated, r.pos, "a region of %d bytes, found %d", size, r.left())
	}
	end := r.end
	r.before = 0
	r.end = r.pos + int(size)
	content()
	if r.pos < r.end {
		fail(interp.ErrTrailing, r.pos, "the end of the region")
	}
	r.end, r.before = end, 0
}

// list reads a list, a map, or an array in the form of a list.
func (r *reader) list(n *schema.List, f *frame) {
	switch {
	case n.Map:
		f.value[n.Field] = interp.MakeMap(0, r.cells(n, f))
	case n.Elem.Form == schema.Array:
		f.value[n.Field] = r.array(n.Elem, n.Count, f, false)
	default:
		f.value[n.Field] = interp.MakeList(0, r.cells(n, f))
	}
	r.before = 0
}

// cells reads the units of a list: as many elements as the count says, or up to the end.
// A count is compared with the bytes that are left before the first element.
func (r *reader) cells(n *schema.List, f *frame) (cells []interp.Value) {
	if n.Count == nil {
		for n.Last || r.left() > 0 {
			r.spend(1)
			cells = append(cells, r.unit(n.Elem, r.arguments(n.Elem, f)))
			if n.Last && r.stops {
				break
			}
		}
		return cells
	}
	count, bytes := r.known(n.Count, f), uint64(0)
	for _, t := range units(n) {
		bytes += least(t)
	}
	if count < 0 || uint64(count) > uint64(r.left())/bytes {
		fail(interp.ErrTruncated, r.pos, "%d elements of at least %d bytes, found %d", count, bytes, r.left())
	}
	r.spend(len(units(n)) * int(count))
	for range count {
		for _, t := range units(n) {
			cells = append(cells, r.unit(t, r.arguments(t, f)))
		}
	}
	return cells
}
