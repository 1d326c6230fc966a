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
	U24
	I24
	U40
	I40
	U48
	I48
	F16
	U56
	I56
	numScalars
)

type scalarInfo struct {
	name   string
	width  int
	signed bool // a two's complement integer
	float  bool // an IEEE 754 number
}

var scalars = [numScalars]scalarInfo{
	NoScalar: {name: "none"},
	U8:       {name: "u8", width: 1},
	I8:       {name: "i8", width: 1, signed: true},
	U16:      {name: "u16", width: 2},
	I16:      {name: "i16", width: 2, signed: true},
	U32:      {name: "u32", width: 4},
	I32:      {name: "i32", width: 4, signed: true},
	U64:      {name: "u64", width: 8},
	I64:      {name: "i64", width: 8, signed: true},
	F32:      {name: "f32", width: 4, float: true},
	F64:      {name: "f64", width: 8, float: true},
	Code4:    {name: "code4", width: 4},
	U24:      {name: "u24", width: 3},
	I24:      {name: "i24", width: 3, signed: true},
	U40:      {name: "u40", width: 5},
	I40:      {name: "i40", width: 5, signed: true},
	U48:      {name: "u48", width: 6},
	I48:      {name: "i48", width: 6, signed: true},
	F16:      {name: "f16", width: 2, float: true},
	U56:      {name: "u56", width: 7},
	I56:      {name: "i56", width: 7, signed: true},
}

// Scalars returns every scalar in the order of their numbers.
func Scalars() []Scalar {
	var all []Scalar
	for s := U8; s < numScalars; s++ {
		all = append(all, s)
	}
	return all
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
func (s Scalar) IsFloat() bool { return s < numScalars && scalars[s].float }

// Signed reports whether the number is a two's complement integer.
func (s Scalar) Signed() bool { return s < numScalars && scalars[s].signed }

// Held returns the narrowest scalar that processors compute with and that holds all
// numbers of s. It is of the sort of s.
func (s Scalar) Held() Scalar {
	switch s {
	case U24:
		return U32
	case I24:
		return I32
	case U40, U48, U56:
		return U64
	case I40, I48, I56:
		return I64
	case F16:
		return F32
	}
	return s
}

// Odd reports whether no number of a processor has the width of the scalar.
func (s Scalar) Odd() bool {
	w := s.Width()
	return w&(w-1) != 0
}
