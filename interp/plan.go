// Plain forms: the layout of values of a schema for programs that convert between bytes
// and their own memory.

package interp

import (
	"bytes"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/interp/memory"
)

// Form is one plain form of the values of a tag: a header word and the bytes after it.
// All numbers have the lowest byte first.
//
//	Unit          nothing
//	Bool          u32, nonzero is true
//	Int, Uint     the scalar
//	Float         the scalar
//	Lanes         Size bytes: Lanes scalars
//	Text          u32 length, text, padding to 4
//	Packed        u32 count, elements of Size bytes each: Lanes scalars; padding to 4 where Padded
//	List          u32 for the count, values of the same union; or texts, where Texts
//	Map           u32 for the count, pairs of values of the same union
//
// Texts in a List have a length, the text, and padding to 4. Where Counted the
// writer adds a zero byte to each of them and counts it.
type Form struct {
	Kind     Kind
	Head     uint32
	Scalar   bytecode.Scalar
	Lanes    int
	Size     int
	Count    Count
	Padded   bool
	OrEnd    bool // the padding may be missing at the end of the region
	Texts    bool
	Counted  bool
	Encoding int // of text, for [Machine.ReadText] and [Machine.CheckText]
}

// Count says how the number of parts follows from its word.
type Count uint8

// The ways to count.
const (
	CountPlain  = Count(countPlain)  // unchanged
	CountLow31  = Count(countLow31)  // the highest bit is ignored
	CountSigned = Count(countSigned) // a negative count is 0
)

// Of returns the count that a word represents.
func (c Count) Of(w uint32) uint32 {
	switch {
	case c == CountLow31:
		return w & 0x7fffffff
	case c == CountSigned && int32(w) < 0:
		return 0
	}
	return w
}

// ReadForms returns the plain forms in which the program's root may hold values
// of a tag. Values may have other forms too; [Reader] reads them all.
func (m *Machine) ReadForms(tag uint16) []Form {
	u := m.fast[m.p.Root]
	if u == nil || tag == 0 {
		return nil
	}
	var forms []Form
	for h := range uint32(128) {
		head := h & 63
		if h >= 64 {
			if head |= u.flag; u.flag == 0 {
				break
			}
		}
		e := &u.read[head*u.spread>>25]
		if e.op == fastNone || uint16(e.meta) != tag {
			continue
		}
		f := Form{
			Kind: Kind(e.meta >> 16), Head: head, Scalar: bytecode.Scalar(e.meta >> 24 & formScalar),
			Lanes: int(e.lanes), Size: int(e.size), Count: Count(e.count),
			Padded: e.pad != 0, OrEnd: e.pad == 2, Texts: e.op == fastTexts, Encoding: int(e.enc),
		}
		f.Counted = f.Texts && m.p.Encodings[e.enc].NUL == bytecode.NULCounted
		forms = append(forms, f)
	}
	return forms
}

// WriteForm returns the form in which values of a tag are written. For Int and Float, wide is the header word of the form
// with 64 bits, for numbers that do not fit. It is not ok if they have no plain form.
func (m *Machine) WriteForm(tag uint16) (f Form, wide uint32, ok bool) {
	u := m.fast[m.p.Root]
	if u == nil || u.write[uint8(tag)].op == fastNone || u.write[uint8(tag)].tag != tag {
		return f, 0, false
	}
	e := &u.write[uint8(tag)]
	f = Form{
		Kind: e.kind, Head: e.head, Scalar: bytecode.Scalar(e.scalar), Lanes: int(e.lanes), Size: int(e.size),
		Padded: e.pad != 0, Texts: e.op == fastTexts, Encoding: int(e.enc),
	}
	f.Counted = f.Texts && m.p.Encodings[e.enc].NUL == bytecode.NULCounted
	return f, e.wide, true
}

// ReadText returns what bytes of the input mean as text of an encoding. It may
// share the memory of b. ASCII without NUL means itself in every encoding.
func (m *Machine) ReadText(encoding int, b []byte) (text []byte, ok bool) {
	text, _, why := decodeText(&m.p.Encodings[encoding], b)
	return text, why == ""
}

// CheckText reports whether the bytes of text can be written as they are, so that a reader gets them back.
func (m *Machine) CheckText(encoding int, b []byte) bool {
	out, bad, _ := encodeText(&m.p.Encodings[encoding], b)
	return bad < 0 && bytes.Equal(out, b)
}

// CellSize is the number of bytes in [Options.MaxMemory] for a part of a List or Map.
const CellSize = cellSize

// LoadNumber returns a number of the input as 64 bits, signed ones sign-extended. All bytes of it must be there.
func LoadNumber(in memory.View, at int, s bytecode.Scalar, big bool) uint64 {
	return loadWord(in, at, loadForm{s, big})
}

// StoreNumber writes a number that [LoadNumber] returns. There must be room for eight bytes.
func StoreNumber(out memory.View, at int, s bytecode.Scalar, big bool, x uint64) {
	storeWord(out, at, loadForm{s, big}, x)
}

// Fits reports whether a scalar of up to 64 bits holds an integer; of 64 bits it holds any.
func Fits(s bytecode.Scalar, x int64) bool { return fits(s, x) }
