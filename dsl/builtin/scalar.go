// Scalars: the fixed-width numbers a schema row can hold.

package builtin

// Scalar is the wire form of one number: its width in bytes and how its bits
// are read. It is used as an operand of instructions and is remembered by
// values that consist of several numbers, so that they know their layout.
type Scalar uint8

// The scalars. Order matters only in that it is saved in program files.
const (
	NoScalar Scalar = iota
	U8
	I8
	U16
	I16
	U32
	I32
	U64
	I64
	F32
	F64
	Code4 // four bytes that are letters, such as the chunk ids of RIFF; order on the wire is never swapped
	numScalars
)

type scalarInfo struct {
	name  string
	width int
}

var scalars = [numScalars]scalarInfo{
	NoScalar: {"none", 0},
	U8:       {"u8", 1},
	I8:       {"i8", 1},
	U16:      {"u16", 2},
	I16:      {"i16", 2},
	U32:      {"u32", 4},
	I32:      {"i32", 4},
	U64:      {"u64", 8},
	I64:      {"i64", 8},
	F32:      {"f32", 4},
	F64:      {"f64", 8},
	Code4:    {"code4", 4},
}

// ScalarNamed returns the scalar with the name that schemas use for it.
func ScalarNamed(name string) (Scalar, bool) {
	for s := U8; s < numScalars; s++ {
		if scalars[s].name == name {
			return s, true
		}
	}
	return NoScalar, false
}

// Valid reports whether s is one of the declared scalars.
func (s Scalar) Valid() bool { return s > NoScalar && s < numScalars }

// String returns the name that schemas use.
func (s Scalar) String() string {
	if s >= numScalars {
		return "invalid"
	}
	return scalars[s].name
}

// Width is the number of bytes on the wire.
func (s Scalar) Width() int {
	if s >= numScalars {
		return 0
	}
	return scalars[s].width
}

// IsInteger reports whether the bits are a whole number.
func (s Scalar) IsInteger() bool { return s.Valid() && !s.IsFloat() }

// IsFloat reports whether the bits are an IEEE 754 number.
func (s Scalar) IsFloat() bool { return s == F32 || s == F64 }

// Signed reports whether the number is a two's complement integer.
func (s Scalar) Signed() bool { return s == I8 || s == I16 || s == I32 || s == I64 }
