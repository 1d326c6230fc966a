// Writing: from a value to bytes.

package reference

import (
	"math"
	"slices"

	"github.com/octable/octable/dsl/builtin"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/interp"
)

// writer is one value that is encoded.
type writer struct {
	*meaning
	out    []byte
	places []int64 // numbers for the places that are chosen
	next   int     // of them
}

func (w *writer) here() int      { return len(w.out) }
func (w *writer) about() int     { return len(w.out) }
func (w *writer) block(f func()) { f() }

// mismatch refuses a value that the schema does not allow.
func (w *writer) mismatch(format string, args ...any) {
	fail(interp.ErrMismatch, len(w.out), format, args...)
}

// must refuses a value unless it is of a kind.
func (w *writer) must(v interp.Value, kind interp.Kind) {
	if v.Kind() != kind {
		w.mismatch("a value of kind %s, found %s", kind, v.Kind())
	}
}

// absent refuses values of fields without a row.
func (w *writer) absent(fields []*schema.Field, f *frame) {
	for _, field := range fields {
		w.must(f.value[field], interp.None)
	}
}

// more returns 1 if the first field of the rows has a value.
func (w *writer) more(first interp.Value) int64 { return truth(first.Kind() != interp.None) }

// put writes a number that a scalar must be able to hold.
func (w *writer) put(s wire, x int64) { w.out = append(w.out, w.fitting(s, x)...) }

// fitting returns the bytes of a number that a scalar must be able to hold.
func (w *writer) fitting(s wire, x int64) []byte {
	if !fits(s.Scalar, x) {
		fail(interp.ErrRange, len(w.out), "a number that fits %s, found %d", s.Scalar, x)
	}
	if s.coding.Base() > 0 && len(digitsOf(s.coding, uint64(x))) > s.coding.Digits() {
		fail(interp.ErrRange, len(w.out), "a number that fits %s, found %d", s.coding, x)
	}
	return w.bytesOf(s, uint64(x))
}

// unit writes a record or a union.
func (w *writer) unit(t *schema.Type, v interp.Value, args []int64) {
	defer w.enter(t)()
	if t.Form == schema.OfUnion {
		w.union(t.Union, v, args)
		return
	}
	f := newFrame(t.Record, t.Record.Params, args)
	w.fields(f, v)
	w.based(f, len(w.out), func() { w.rows(f) })
	w.stop(f.rec, f)
}

// union writes the arm that a value is of. An argument that selects the arm must be its
// number; a word gets the number.
func (w *writer) union(u *schema.Union, v interp.Value, args []int64) {
	f := newFrame(nil, u.Params, args)
	arm := w.tagged(u, v.Tag())
	if arm == nil || u.Word == nil && arm != selected(u, f) {
		w.mismatch("an arm of %s that is selected", u.Name)
	}
	f.rec = arm.Record
	w.fields(f, v)
	w.substitute(f)
	w.based(f, len(w.out), func() {
		w.header(arm, f)
		w.rows(f)
	})
	w.stop(f.rec, f)
}

// header writes the word of the union of an arm.
func (w *writer) header(arm *schema.Arm, f *frame) {
	u := arm.Union
	if u.Word == nil {
		return
	}
	w.expectBits(arm.Bits, f)
	word := arm.ID << u.Lo
	for _, b := range arm.Bits {
		word &^= ones(b.N) << b.Lo
	}
	if word |= w.join(arm.Bits, f); arm.Form != nil {
		word = uint64(w.computed(arm.Form, f))
	}
	w.put(w.wireOf(u.Word.Type, f), int64(word))
	f.number[u.Word.Field] = int64(word)
	w.bits(arm.Bits, f, word)
	if selected(u, f) != arm {
		fail(interp.ErrValue, len(w.out), "bits that give a number of %s", arm.Name)
	}
	w.demand(f, u.Word.Checks...)
}

// rows writes the rows of a record.
func (w *writer) rows(f *frame) {
	if t := f.rec.Tuple; t == nil {
		w.body(f.rec.Body, f)
	} else {
		v := f.value[f.rec.Stored[0]]
		if w.must(v, interp.Lanes); v.Len() != len(t.Names) {
			w.mismatch("%d numbers, found %d", len(t.Names), v.Len())
		}
		s, _ := w.scalar(t.Type, f)
		w.numbers(s, v)
	}
}

// fields takes the values of the stored fields from the value of a record, which must
// have them. A map is written without repeated keys.
func (w *writer) fields(f *frame, v interp.Value) {
	if !f.distribute(v) {
		w.mismatch("the fields of %s, found %s", f.rec.Path, v.Kind())
	}
	for field, v := range f.value {
		if v.Kind() == interp.Map {
			f.value[field] = w.merged(v)
		}
	}
}

// distribute takes the values of the stored fields from the value of a record: all of
// them, or one that represents the record. It reports whether the value is of that form.
func (f *frame) distribute(v interp.Value) bool {
	fields := f.rec.Stored
	n := len(fields)
	switch {
	case n == 0:
	case v.Kind() == interp.Record && v.Len() == n && !(n == 1 && fields[0].Alone && !v.Cells()[0].IsNone()):
		for i, field := range fields {
			f.value[field] = v.At(i)
		}
	case v.Kind() == interp.Unit && n > 1: // all fields are absent
	default:
		field := representative(fields, v)
		if field == nil {
			return false
		}
		f.value[field] = v
	}
	return true
}

// representative returns the field whose value may represent its record and is of the
// kind of a value, or nil. The only field of a record takes a value of any kind.
func representative(fields []*schema.Field, v interp.Value) *schema.Field {
	for _, field := range fields {
		if field.Alone && !v.IsNone() && (len(fields) == 1 || field.Kind == v.Kind() && v.Kind() != interp.Record) {
			return field
		}
	}
	return nil
}

// substitute puts another value in place of fields of an arm whose union says so. The
// other value may itself be replaced, up to four times.
func (w *writer) substitute(f *frame) {
	for _, field := range f.rec.Stored {
		for range 4 {
			write := w.replacement(field.Union, f.value[field])
			if write == nil {
				break
			}
			f.value[field] = interp.Value{}
			if !write.Absent {
				f.value[field] = interp.MakeText(w.Tags[write.Arm.Record], write.Text)
			}
		}
	}
}

// replacement returns the first rule whose condition holds, of the arm that a value is
// of, or nil.
func (w *writer) replacement(u *schema.Union, v interp.Value) *schema.Write {
	if u == nil || v.IsNone() || w.tagged(u, v.Tag()) == nil {
		return nil
	}
	arm := w.tagged(u, v.Tag())
	f := newFrame(arm.Record, nil, nil)
	if !f.distribute(v) {
		return nil
	}
	for _, write := range arm.Writes {
		if write.When == nil || w.computed(write.When, f) != 0 {
			return write
		}
	}
	return nil
}

// join returns the bits of a word that the fields of an arm or a row are. The number of
// each must fit its bits.
func (w *writer) join(bits []*schema.Bit, f *frame) (word uint64) {
	for _, b := range bits {
		x := uint64(w.written(b.Field, f))
		if x&^ones(b.N) != 0 {
			fail(interp.ErrRange, len(w.out), "a number of %d bits", b.N)
		}
		word |= x << b.Lo
	}
	return word
}

// bits notes the numbers in the bits of a word that has been written.
func (w *writer) bits(bits []*schema.Bit, f *frame, word uint64) {
	for _, b := range bits {
		f.number[b.Field] = int64(word >> b.Lo & ones(b.N))
		w.demand(f, b.Checks...)
		if u := b.Field.ArmOf; u != nil && b.Field.Index >= 0 {
			w.armNamed(u, f.value[b.Field])
		}
	}
}

// armNamed refuses a value unless it is an arm of a union that has a number, without content.
func (w *writer) armNamed(u *schema.Union, v interp.Value) {
	w.must(v, interp.Unit)
	if arm := w.tagged(u, v.Tag()); arm == nil || arm.Else {
		w.mismatch("an arm of %s with a number", u.Name)
	}
}

func (w *writer) content(row *schema.Row, f *frame) {
	field, t, v := row.Field, row.Type, f.value[row.Field]
	if t = w.ordering(t, f); delimited(t) {
		w.delimited(t, v, f)
		return
	}
	if row.Inline != nil {
		s := builtin.U64
		if t.Scalar.Signed() {
			s = builtin.I64
		}
		if field.Index >= 0 {
			w.integer(s, v)
		}
		f.number[field] = w.known(row.Inline, f)
		return
	}
	switch t.Form {
	case schema.Number:
		w.numeral(row, f)
	case schema.Truth:
		if field.Index < 0 {
			w.word(field, w.wireOf(t, f), f)
			if x := f.number[field]; x > 1 && !row.Nonzero && !row.Any {
				fail(interp.ErrValue, len(w.out), "0 or 1, found %d", x)
			}
		} else {
			w.must(v, interp.Bool)
			w.put(w.wireOf(t, f), truth(v.Bool()))
		}
	case schema.ArmID:
		w.word(field, w.wireOf(t, f), f)
		if field.Index >= 0 {
			w.armNamed(t.Union, v)
		}
	case schema.Text:
		w.must(v, interp.Text)
		if !writable(t.Encoding, v.Bytes()) {
			fail(interp.ErrText, len(w.out), "text that a reader gets back")
		}
		content := encoded(t.Encoding, v.Bytes())
		w.counted(t.Size, int64(len(content))+terminator(t.Encoding), f)
		w.out = append(w.out, content...)
		w.out = append(w.out, make([]byte, terminator(t.Encoding))...)
	case schema.Array:
		w.array(t, t.Size, v, f)
	case schema.OfRecord, schema.OfUnion:
		if t.InPlace {
			inner := newFrame(t.Record, t.Record.Params, w.arguments(t, f))
			inner.value[t.Record.Stored[0]] = v
			w.body(t.Record.Body, inner)
			return
		}
		args := w.arguments(t, f)
		if v.IsNone() {
			w.mismatch("a value of %s", field.Name)
		}
		w.unit(t, v, args)
	}
}

// word writes the number of a field. If it is the size of a later row or a checksum, a
// place is left for it.
func (w *writer) word(field *schema.Field, s wire, f *frame) {
	if field.Measures != nil || field.Sum != nil {
		f.place[field] = len(w.out)
		if !s.coding.Varies() {
			w.put(s, 0)
		}
		return
	}
	x := int64(0)
	if field.PlaceOf == nil {
		x = w.written(field, f)
	} else {
		x = w.choose(field, f)
	}
	w.put(s, x)
	f.number[field] = x
}

// choose returns the number for a place that the writer chooses, 0 if it is not known yet.
func (w *writer) choose(field *schema.Field, f *frame) int64 {
	f.chosen[field] = w.next
	if w.next++; len(w.places) < w.next {
		w.places = append(w.places, 0)
	}
	return w.places[w.next-1]
}

// measured notes the size of a row or list that begins at an offset, and puts it into its word.
func (w *writer) measured(field *schema.Field, begin int, f *frame) {
	word := field.Measured
	f.size[field] = int64(len(w.out) - begin)
	if word == nil {
		return
	}
	row := word.Node.(*schema.Row)
	s, place := w.wireOf(row.Type, f), f.place[word]
	if len(row.Bits) == 0 {
		f.number[word] = w.written(word, f)
	} else {
		bits := w.join(row.Bits, f)
		f.number[word] = extended(s.Scalar, bits)
		for _, b := range row.Bits {
			f.number[b.Field] = int64(bits >> b.Lo & ones(b.N))
		}
	}
	number := w.fitting(s, f.number[word])
	if s.coding.Varies() {
		w.out = slices.Concat(w.out[:place], number, w.out[place:])
		for i, n := range w.notes {
			if n.begin >= place {
				w.notes[i] = n.moved(len(number))
			}
		}
		return
	}
	copy(w.out[place:], number)
}

// numeral writes a number, or a word that is made of bits.
func (w *writer) numeral(row *schema.Row, f *frame) {
	s, _ := w.scalar(row.Type, f)
	field, v := row.Field, f.value[row.Field]
	switch {
	case len(row.Bits) > 0:
		w.expectBits(row.Bits, f)
		f.place[field] = len(w.out)
		word := w.join(slices.DeleteFunc(slices.Clone(row.Bits), func(b *schema.Bit) bool { return b.Field.Measures != nil }), f)
		f.number[field] = extended(s.Scalar, word)
		w.put(s, f.number[field])
		w.bits(row.Bits, f, word)
	case s.IsFloat():
		w.must(v, interp.Float)
		w.exact(builtin.F64, s.Scalar, math.Float64bits(v.Float()))
		w.out = append(w.out, w.bytesOf(s, converted(builtin.F64, s.Scalar, math.Float64bits(v.Float())))...)
	default:
		if field.Index >= 0 {
			w.integer(s.Scalar, v)
		}
		w.word(field, s, f)
	}
}

// integer refuses a value unless it is an integer that a scalar holds.
func (w *writer) integer(s builtin.Scalar, v interp.Value) {
	switch {
	case v.Kind() != interp.Int && v.Kind() != interp.Uint:
		w.mismatch("an integer, found %s", v.Kind())
	case outside(v, s):
		fail(interp.ErrRange, len(w.out), "a number that fits %s", s)
	}
}

// expectBits refuses values of bits: of one bit unless they are truths, and of several
// unless they are integers that are not negative.
func (w *writer) expectBits(bits []*schema.Bit, f *frame) {
	for _, b := range bits {
		switch v := f.value[b.Field]; {
		case b.Field.Index < 0 || b.Field.ArmOf != nil:
		case b.N == 1:
			w.must(v, interp.Bool)
		default:
			w.integer(builtin.U64, v)
		}
	}
}

// array writes tuples of numbers.
func (w *writer) array(t *schema.Type, count *schema.Expr, v interp.Value, f *frame) {
	s, _ := w.scalar(t, f)
	if w.must(v, interp.Packed); v.Width() != t.Width {
		w.mismatch("tuples of %d numbers, found %d", t.Width, v.Width())
	}
	if count != nil {
		w.counted(count, int64(v.Len()), f)
	}
	w.numbers(s, v)
}

// numbers writes the numbers of a tuple or an array. Real numbers are converted.
func (w *writer) numbers(s wire, v interp.Value) {
	have := v.Scalar()
	if have != s.Scalar && !(have.IsFloat() && s.IsFloat()) {
		w.mismatch("numbers of %s, found %s", s.Scalar, have)
	}
	for i := range v.Len() * elements(v) {
		w.exact(have, s.Scalar, v.LaneBits(i))
		w.out = append(w.out, w.bytesOf(s, converted(have, s.Scalar, v.LaneBits(i)))...)
	}
}

// exact refuses a real number that a scalar does not hold.
func (w *writer) exact(from, to builtin.Scalar, bits uint64) {
	if !holds(from, to, bits) {
		fail(interp.ErrValue, len(w.out), "a number that %s holds exactly", to)
	}
}

// counted refuses a value unless it has the number of parts that a reader will take.
func (w *writer) counted(count *schema.Expr, n int64, f *frame) {
	if x := w.known(count, f); x != n {
		fail(interp.ErrRange, len(w.out), "%d parts, as the fields before it say, found %d", x, n)
	}
}

// pad writes padding of content of a size.
func (w *writer) pad(p *schema.Pad, size int) {
	if p != nil {
		w.out = append(w.out, make([]byte, padding(p, size))...)
	}
}

// region writes content. It must have the bytes of its row if they are not computed from
// it.
func (w *writer) region(row *schema.Row, f *frame, content func()) {
	begin := len(w.out)
	content()
	if !row.Stated {
		return
	}
	if n := w.known(row.Bound, f); n != int64(len(w.out)-begin) {
		fail(interp.ErrValue, len(w.out), "%d bytes, as the length cell says, found %d", n, len(w.out)-begin)
	}
}

// list writes a list, a map, or an array in the form of a list.
func (w *writer) list(n *schema.List, f *frame) {
	v := f.value[n.Field]
	switch {
	case n.Map:
		w.must(v, interp.Map)
	case n.Elem.Form == schema.Array:
		w.array(n.Elem, n.Count, v, f)
		return
	default:
		w.must(v, interp.List)
	}
	if n.Count != nil {
		w.counted(n.Count, int64(v.Len()), f)
	}
	if n.Last && v.Len() == 0 {
		fail(interp.ErrValue, len(w.out), "an element")
	}
	for i, c := range v.Cells() {
		t := units(n)[i%len(units(n))]
		w.unit(t, c, w.arguments(t, f))
		if n.Last && w.stops != (i == v.Len()-1) {
			fail(interp.ErrValue, len(w.out), "the last element, and no other, ends the list")
		}
	}
}
