// Cells of records: what code written by hand fills and checks.

package value

import (
	"encoding/binary"
	"errors"
	"unsafe"
)

// More forms of numbers.
const (
	U16 uint8 = 3
	U32 uint8 = 5
	U64 uint8 = 7
)

// Errors of cells that are to be written.
var (
	ErrKind  = errors.New("a value is of another kind or type")
	ErrRange = errors.New("a number does not fit")
)

// Byte returns a number of one byte.
func Byte(b byte) Value { return Value{U: uint64(b), Kind: Uint, Form: U8} }

// Big16 returns a number of two bytes, the highest byte first.
func Big16(b []byte) Value {
	return Value{U: uint64(binary.BigEndian.Uint16(b)), Kind: Uint, Form: U16}
}

// Big32 returns a number of four bytes, the highest byte first.
func Big32(b []byte) Value {
	return Value{U: uint64(binary.BigEndian.Uint32(b)), Kind: Uint, Form: U32}
}

// Bits returns a number that octable computes, such as bits of a word: it has no form.
func Bits[T uint8 | uint16 | uint32](x T) Value { return Value{U: uint64(x), Kind: Uint} }

// Flag returns a bit of a word as a Bool.
func Flag[T uint16 | uint32](word T, bit uint) Value {
	return Value{U: uint64(word >> bit & 1), Kind: Bool}
}

// TextOf returns a Text that shares the memory of b.
func TextOf(tag uint16, b []byte) Value {
	if len(b) == 0 {
		return Value{Tag: tag, Kind: Text}
	}
	return Value{P: unsafe.Pointer(unsafe.SliceData(b)), N: uint32(len(b)), Tag: tag, Kind: Text}
}

// BytesOf returns an array of bytes that shares the memory of b.
func BytesOf(tag uint16, b []byte) Value { return MakePacked(tag, U8, 1, b) }

// Fields returns the cells of a record of n fields.
func Fields(v *Value, tag uint16, n uint32) ([]Value, error) {
	if v.Kind != Record || v.Tag != tag || v.N != n {
		return nil, ErrKind
	}
	return unsafe.Slice((*Value)(v.P), n), nil
}

// Numbers checks that cells are integers of at most a size.
func Numbers(c []Value, most uint64) error {
	for i := range c {
		if c[i].Kind != Uint && c[i].Kind != Int {
			return ErrKind
		}
		if c[i].U > most {
			return ErrRange
		}
	}
	return nil
}

// Flags returns Bools as bits of a word, the first one at bit first and the others below.
func Flags(c []Value, first int) (word uint64, err error) {
	for i := range c {
		if c[i].Kind != Bool || c[i].U > 1 {
			return 0, ErrKind
		}
		word |= c[i].U << (first - i)
	}
	return word, nil
}

// Array returns the bytes of an array of bytes.
func Array(v *Value, tag uint16) ([]byte, error) {
	if v.Kind != Packed || v.Tag != tag || v.Form != U8 || v.U != 1<<LanesShift {
		return nil, ErrKind
	}
	return unsafe.Slice((*byte)(v.P), v.N), nil
}
