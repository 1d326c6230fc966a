// Package value is a copy of the layout of octable's generic value, 24 bytes. Its fields are
// exported, so that the hand-written references can build the same value without package
// interp.
package value

import (
	"bytes"
	"encoding/binary"
	"math"
	"unsafe"
)

// Kinds of value: see package interp.
const (
	None uint8 = iota
	Unit
	Bool
	Int
	Uint
	Float
	Text
	Lanes
	Packed
	List
	Map
	Record
)

// Forms of a number, and flags beside them in [Value.Form].
const (
	U8  uint8 = 1
	I32 uint8 = 6
	I64 uint8 = 8
	F32 uint8 = 9
	F64 uint8 = 10

	ScalarMask uint8 = 0x0f
	Wide       uint8 = 0x10 // the wire had the wider of two forms
	Repeats    uint8 = 0x20 // map: some key occurs twice
	Distinct   uint8 = 0x40 // map: known to have no key twice

	LanesShift = 56 // packed: lanes per element are in the top byte of U
)

// Width returns the bytes that one number of a form takes.
func Width(form uint8) int {
	switch form & ScalarMask {
	case U8:
		return 1
	case I32, F32:
		return 4
	case I64, F64:
		return 8
	}
	return 0
}

// Value is one value. Its tag is one more than the type id in Godot 4.
type Value struct {
	P    unsafe.Pointer
	U    uint64
	N    uint32
	Tag  uint16
	Kind uint8
	Form uint8
}

// Text returns the text of a Text.
func (v *Value) Text() string {
	if v.N == 0 {
		return ""
	}
	return unsafe.String((*byte)(v.P), int(v.N))
}

// Cells returns the children of a List, Map or Record.
func (v *Value) Cells() []Value {
	n := int(v.N)
	if v.Kind == Map {
		n *= 2
	}
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*Value)(v.P), n)
}

// Size returns how many bytes the numbers of Lanes or Packed take.
func (v *Value) Size() int {
	n := int(v.N) * Width(v.Form)
	if v.Kind == Packed {
		n *= int(v.U >> LanesShift)
	}
	return n
}

// Bytes returns the numbers of Lanes or Packed in little-endian order.
func (v *Value) Bytes() []byte {
	n := v.Size()
	if n == 0 {
		return nil
	}
	if v.Kind == Lanes && n <= 8 {
		return binary.LittleEndian.AppendUint64(nil, v.U)[:n]
	}
	return unsafe.Slice((*byte)(v.P), n)
}

// MakeUnit, MakeBool, MakeInt, MakeFloat, MakeText, MakeLanes, MakePacked and
// MakeCells are the constructors of package interp under its names.
func MakeUnit(tag uint16) Value { return Value{Kind: Unit, Tag: tag} }

// MakeBool returns a Bool.
func MakeBool(tag uint16, b bool) Value {
	v := Value{Kind: Bool, Tag: tag}
	if b {
		v.U = 1
	}
	return v
}

// MakeInt returns an Int.
func MakeInt(tag uint16, i int64) Value { return Value{Kind: Int, Tag: tag, U: uint64(i)} }

// MakeFloat returns a Float.
func MakeFloat(tag uint16, f float64) Value {
	return Value{Kind: Float, Tag: tag, U: math.Float64bits(f)}
}

// MakeText returns a Text that shares the memory of s.
func MakeText(tag uint16, s string) Value {
	v := Value{Kind: Text, Tag: tag, N: uint32(len(s))}
	if len(s) > 0 {
		v.P = unsafe.Pointer(unsafe.StringData(s))
	}
	return v
}

// MakeLanes returns a tuple of numbers.
func MakeLanes(tag uint16, form uint8, b []byte) Value {
	v := Value{Kind: Lanes, Tag: tag, Form: form, N: uint32(len(b) / Width(form))}
	if len(b) <= 8 {
		var w [8]byte
		copy(w[:], b)
		v.U = binary.LittleEndian.Uint64(w[:])
	} else {
		v.P = unsafe.Pointer(unsafe.SliceData(b))
	}
	return v
}

// MakePacked returns an array of tuples of numbers.
func MakePacked(tag uint16, form uint8, lanes int, b []byte) Value {
	v := Value{Kind: Packed, Tag: tag, Form: form, U: uint64(lanes) << LanesShift}
	v.N = uint32(len(b) / (Width(form) * lanes))
	if v.N > 0 {
		v.P = unsafe.Pointer(unsafe.SliceData(b))
	}
	return v
}

// MakeCells returns a List, Map or Record.
func MakeCells(kind uint8, tag uint16, cells []Value) Value {
	n := len(cells)
	if kind == Map {
		n /= 2
	}
	v := Value{Kind: kind, Tag: tag, N: uint32(n)}
	if n > 0 {
		v.P = unsafe.Pointer(unsafe.SliceData(cells))
	}
	return v
}

// Same reports whether two values say the same, widths and all, wherever their
// bytes lie.
func Same(a, b *Value) bool {
	if a.Kind != b.Kind || a.Tag != b.Tag || a.N != b.N || a.Form != b.Form {
		return false
	}
	switch a.Kind {
	case Text:
		return a.Text() == b.Text()
	case Lanes:
		return bytes.Equal(a.Bytes(), b.Bytes())
	case Packed:
		return a.U == b.U && bytes.Equal(a.Bytes(), b.Bytes())
	case List, Map, Record:
		x, y := a.Cells(), b.Cells()
		for i := range x {
			if !Same(&x[i], &y[i]) {
				return false
			}
		}
		return true
	}
	return a.U == b.U
}
