// The generic value: what decoding makes and encoding takes.

package interp

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/octable/octable/compile/bytecode"
	"github.com/octable/octable/dsl/builtin"
)

// Kind is the shape of a [Value]. The names of a format, such as those of its records
// and tuples, are in its tag, which the interpreter does not interpret.
type Kind = builtin.Kind

// The kinds of value.
const (
	None   = builtin.None   // no value: an optional field that is absent
	Unit   = builtin.Unit   // a value that has no content beyond its tag
	Bool   = builtin.Bool   // true or false
	Int    = builtin.Int    // a signed integer of up to 64 bits
	Uint   = builtin.Uint   // an unsigned integer of up to 64 bits
	Float  = builtin.Float  // an IEEE 754 number
	Text   = builtin.Text   // bytes that are text
	Lanes  = builtin.Lanes  // a fixed number of equal scalars, such as a vector
	Packed = builtin.Packed // a counted array of equal scalars, or of equal tuples of them
	List   = builtin.List   // a counted sequence of values
	Map    = builtin.Map    // a counted sequence of pairs of values, in order
	Record = builtin.Record // named fields, some of which may be None
)

// Value is one decoded or constructed value, 24 bytes, to be passed by copy.
// The zero Value is None.
//
// A Value that came from decoding points into the memory that the decoder was
// given or has made for it; it is valid as long as that memory is not changed.
// Its bytes are never written through it. Values are immutable, so they may be
// shared between goroutines.
type Value struct {
	p    unsafe.Pointer // text, lanes (over 8 bytes), packed: bytes; list, map, record: cells; nil when empty
	u    uint64         // scalars: the bits; lanes of up to 8 bytes: the bytes, first byte lowest
	n    uint32         // text: bytes; lanes: lanes; packed: elements; list, record: cells; map: pairs
	tag  uint16         // number of the arm or record of the schema
	kind Kind
	form uint8 // low 5 bits: the scalar of numbers; then flags
}

// Parts of form and u.
const (
	formScalar   = 0x1f // the scalar of numbers
	formWide     = 0x20 // the input had the wider of two forms
	formRepeats  = 0x40 // map: some key is repeated
	formDistinct = 0x80 // map: no key is repeated
	widthShift   = 56   // packed: u holds the numbers of an element from this bit on
)

// Kind returns the shape of v.
func (v Value) Kind() Kind { return v.kind }

// Tag returns the number of the arm or record of the schema to which v belongs. The numbering
// is that of the [Machine] that made v.
func (v Value) Tag() uint16 { return v.tag }

// WithTag returns v under another tag.
func (v Value) WithTag(tag uint16) Value { v.tag = tag; return v }

// IsNone reports whether v is the absent value.
func (v Value) IsNone() bool { return v.kind == None }

// Wide reports whether v is of the wider of the two forms of its row in the schema. These have
// 64 and 32 bits. The value was read so, or is marked to be written so.
func (v Value) Wide() bool { return v.form&formWide != 0 }

// WithWide returns v marked to be written in the wider form, or not. It has an
// effect only where the writer keeps widths; see [Options].
func (v Value) WithWide(wide bool) Value {
	v.form &^= formWide
	if wide {
		v.form |= formWide
	}
	return v
}

// Scalar returns the form of the numbers in v. For an Int, Uint or Float it is the form in
// which it was read, NoScalar if it was constructed. For Lanes and Packed it is the form of
// each lane.
func (v Value) Scalar() bytecode.Scalar { return bytecode.Scalar(v.form & formScalar) }

// Bool returns the value of a Bool. For numbers it reports whether v is not 0.
func (v Value) Bool() bool { return v.u != 0 }

// Int returns an integer as signed. A number beyond the range of int64 wraps around.
func (v Value) Int() int64 { return int64(v.u) }

// Uint returns the 64 bits of an integer. A negative number wraps around.
func (v Value) Uint() uint64 { return v.u }

// Float returns the value of a Float.
func (v Value) Float() float64 { return math.Float64frombits(v.u) }

// Len returns the number of parts of v. They are bytes of a Text, lanes, elements of a Packed or List,
// pairs of a Map, fields of a Record. It is 0 for other kinds.
func (v Value) Len() int {
	if v.kind < Text {
		return 0
	}
	return int(v.n)
}

// Text returns the text of a Text value, and "" for other kinds. It shares memory with v.
func (v Value) Text() string {
	if v.kind != Text || v.n == 0 {
		return ""
	}
	return unsafe.String((*byte)(v.p), int(v.n))
}

// Width returns the number of lanes in each element of a Packed value, or the number of lanes
// of Lanes.
func (v Value) Width() int {
	switch v.kind {
	case Packed:
		return int(v.u >> widthShift)
	case Lanes:
		return int(v.n)
	}
	return 0
}

// size returns how many bytes the numbers of a Lanes or Packed value take.
func (v Value) size() int {
	return int(v.n) * v.stride()
}

// stride returns the bytes from one element of Packed, or lane of Lanes, to the next.
func (v Value) stride() int {
	w := v.Scalar().Width()
	if v.kind == Packed {
		w *= int(v.u >> widthShift)
	}
	return w
}

// Bytes returns the bytes of a Text, or the numbers of a Packed or Lanes value as little-endian
// bytes. It returns nil for other kinds. The caller must not change them. They share memory
// with v, except for lanes of up to 8 bytes, which are copied.
func (v Value) Bytes() []byte {
	switch v.kind {
	case Text:
		if v.n == 0 {
			return nil
		}
		return unsafe.Slice((*byte)(v.p), int(v.n))
	case Packed:
		if v.n == 0 {
			return nil
		}
		return unsafe.Slice((*byte)(v.p), v.size())
	case Lanes:
		n := v.size()
		if n > 8 {
			return unsafe.Slice((*byte)(v.p), n)
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v.u)
		return b[:n:n]
	}
	return nil
}

// numbers returns how many numbers a Lanes or Packed value holds, and 0 for other kinds.
func (v Value) numbers() int {
	switch v.kind {
	case Packed:
		return int(v.n) * int(v.u>>widthShift)
	case Lanes:
		return int(v.n)
	}
	return 0
}

// LaneBits returns lane i of a Lanes value, or number i of a Packed one. The result has the bits
// of its scalar. Numbers are counted over all elements. The result is 0 when i is out of range.
func (v Value) LaneBits(i int) uint64 {
	if i < 0 || i >= v.numbers() {
		return 0
	}
	return v.bits(i)
}

// LaneFloat returns lane i (see LaneBits) as a number; integers are converted.
func (v Value) LaneFloat(i int) float64 {
	if i < 0 || i >= v.numbers() {
		return 0
	}
	return v.float(i)
}

// LaneInt returns lane i (see LaneBits) as a signed integer, sign-extended from
// the width of its scalar. Floats give their bits.
func (v Value) LaneInt(i int) int64 { return signExtended(v.Scalar(), v.LaneBits(i)) }

// bits returns number i of a Lanes or Packed value, which has it, as the bits of its
// scalar.
func (v Value) bits(i int) uint64 {
	w := v.Scalar().Width()
	if v.kind == Lanes && v.size() <= 8 {
		bits := v.u >> (8 * w * i)
		if w < 8 {
			bits &= 1<<(8*w) - 1
		}
		return bits
	}
	b := unsafe.Slice((*byte)(unsafe.Add(v.p, i*w)), w)
	switch w {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return joined(b, false)
}

// float returns number i of a Lanes or Packed value, which has it; integers are converted.
func (v Value) float(i int) float64 {
	bits := v.bits(i)
	switch s := v.Scalar(); {
	case s == bytecode.F32:
		return float64(math.Float32frombits(uint32(bits)))
	case s == bytecode.F64:
		return math.Float64frombits(bits)
	case s == bytecode.F16:
		return widenHalf(uint16(bits))
	case s.Signed():
		return float64(signExtended(s, bits))
	}
	return float64(bits)
}

// Cells returns the children of v. They are the elements of a List, the keys and values of a
// Map in turn, or the fields of a Record; nil for other kinds. The caller must not change them.
func (v Value) Cells() []Value {
	n := int(v.n)
	switch v.kind {
	case Map:
		n *= 2
	case List, Record:
	default:
		return nil
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*Value)(v.p), n)
}

// At returns child i of [Value.Cells], or None if i is out of range.
func (v Value) At(i int) Value {
	cells := v.Cells()
	if i < 0 || i >= len(cells) {
		return Value{}
	}
	return cells[i]
}

// MakeUnit returns a value without content.
func MakeUnit(tag uint16) Value { return Value{kind: Unit, tag: tag} }

// MakeBool returns a Bool.
func MakeBool(tag uint16, b bool) Value {
	v := Value{kind: Bool, tag: tag}
	if b {
		v.u = 1
	}
	return v
}

// MakeInt returns an Int.
func MakeInt(tag uint16, i int64) Value { return Value{kind: Int, tag: tag, u: uint64(i)} }

// MakeUint returns a Uint.
func MakeUint(tag uint16, u uint64) Value { return Value{kind: Uint, tag: tag, u: u} }

// MakeFloat returns a Float. The payload of a NaN is kept.
func MakeFloat(tag uint16, f float64) Value {
	return Value{kind: Float, tag: tag, u: math.Float64bits(f)}
}

// MakeScalar returns the number that the bits of a scalar represent, as a reader makes it. The
// bits of a signed integer are sign-extended.
func MakeScalar(tag uint16, s bytecode.Scalar, bits uint64) Value {
	return scalarValue(s, bits).WithTag(tag)
}

// MakeText returns a Text that shares the memory of s. Text of 4 GiB or more gives no
// value, which no writer takes.
func MakeText(tag uint16, s string) Value {
	if uint64(len(s)) > math.MaxUint32 {
		return Value{}
	}
	v := Value{kind: Text, tag: tag, n: uint32(len(s))}
	if len(s) > 0 {
		v.p = unsafe.Pointer(unsafe.StringData(s))
	}
	return v
}

// MakeLanes returns a tuple of the scalars in b, which are little-endian. It shares
// the memory of b if that is over 8 bytes long.
func MakeLanes(tag uint16, s bytecode.Scalar, b []byte) Value {
	v := Value{kind: Lanes, tag: tag, form: uint8(s), n: uint32(len(b) / s.Width())}
	if len(b) <= 8 {
		var w [8]byte
		copy(w[:], b)
		v.u = binary.LittleEndian.Uint64(w[:])
	} else {
		v.p = unsafe.Pointer(unsafe.SliceData(b))
	}
	return v
}

// MakePacked returns an array of elements of width scalars each, from little-endian
// bytes, whose memory it shares. Bytes beyond the last whole element are left out.
// More than 2^32-1 elements give no value, which no writer takes.
func MakePacked(tag uint16, s bytecode.Scalar, width int, b []byte) Value {
	n := len(b) / (s.Width() * width)
	if uint64(n) > math.MaxUint32 {
		return Value{}
	}
	v := Value{kind: Packed, tag: tag, form: uint8(s), u: uint64(width) << widthShift, n: uint32(n)}
	if n > 0 {
		v.p = unsafe.Pointer(unsafe.SliceData(b))
	}
	return v
}

// MakeList returns a List of cells, which it shares.
func MakeList(tag uint16, cells []Value) Value {
	return makeCells(List, tag, cells)
}

// MakeMap returns a Map of pairs: cells holds key, value, key, value …, and is
// shared. An odd last cell is left out.
func MakeMap(tag uint16, cells []Value) Value {
	return makeCells(Map, tag, cells)
}

// MakeRecord returns a Record with the given fields, which it shares.
func MakeRecord(tag uint16, cells []Value) Value {
	return makeCells(Record, tag, cells)
}

// WithCells returns v with other cells, which it shares. The result is a List or a Map if v is
// one, and else a Record.
func (v Value) WithCells(cells []Value) Value {
	kind := Record
	if v.kind == List || v.kind == Map {
		kind = v.kind
	}
	return makeCells(kind, v.tag, cells).WithWide(v.Wide())
}

// makeCells returns a List, Map or Record of cells, which it shares. An odd last cell
// of a Map is left out.
func makeCells(kind Kind, tag uint16, cells []Value) Value {
	n := len(cells)
	if kind == Map {
		n /= 2
	}
	v := Value{kind: kind, tag: tag, n: uint32(n)}
	if n > 0 {
		v.p = unsafe.Pointer(unsafe.SliceData(cells))
	}
	return v
}

// Identical reports whether two values agree in everything that can be asked of them, and their
// cells do. The scalar as which a single number was read is compared only if scalars is true.
//
// Other relations are wider on purpose: keys of maps ([Machine.SameKey]), values as users
// compare them (codec.Equal), results that show no mistake (package mutants), results of other
// implementations (package vectors), and values of two schemas (package diff).
func Identical(a, b Value, scalars bool) bool {
	if a.Kind() != b.Kind() || a.Tag() != b.Tag() || a.Wide() != b.Wide() ||
		a.Len() != b.Len() || a.Width() != b.Width() || a.Uint() != b.Uint() || !bytes.Equal(a.Bytes(), b.Bytes()) {
		return false
	}
	if (scalars || a.Kind() == Lanes || a.Kind() == Packed) && a.Scalar() != b.Scalar() {
		return false
	}
	x, y := a.Cells(), b.Cells()
	for i := range x {
		if !Identical(x[i], y[i], scalars) {
			return false
		}
	}
	return true
}
