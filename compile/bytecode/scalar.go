// Scalars and kinds: names from the tables of the language.

package bytecode

import "github.com/octable/octable/dsl/builtin"

// Scalar is the wire form of one number. It is an operand of instructions, and tuples
// and arrays of numbers remember it.
type Scalar = builtin.Scalar

// Coding is the way in which a number is written in bytes.
type Coding = builtin.Coding

// The scalars.
const (
	NoScalar = builtin.NoScalar
	U8       = builtin.U8
	I8       = builtin.I8
	U16      = builtin.U16
	I16      = builtin.I16
	U32      = builtin.U32
	I32      = builtin.I32
	U64      = builtin.U64
	I64      = builtin.I64
	F32      = builtin.F32
	F64      = builtin.F64
	Code4    = builtin.Code4
	U24      = builtin.U24
	I24      = builtin.I24
	U40      = builtin.U40
	I40      = builtin.I40
	U48      = builtin.U48
	I48      = builtin.I48
	F16      = builtin.F16
	U56      = builtin.U56
	I56      = builtin.I56
)

// The codings, and the most bytes and digits of a number of one.
const (
	LEB128   = builtin.LEB128
	SLEB128  = builtin.SLEB128
	Zigzag   = builtin.Zigzag
	VLQ      = builtin.VLQ
	BER      = builtin.BER
	Octal    = builtin.Octal
	Decimal  = builtin.Decimal
	Hex      = builtin.Hex
	HexUpper = builtin.HexUpper
	QUIC     = builtin.QUIC
	EBML     = builtin.EBML
	MaxCoded = builtin.MaxCoded

	MaxDigits = builtin.MaxDigits

	CompactSize = builtin.CompactSize
	SDecimal    = builtin.SDecimal
)

// ScalarNamed returns the scalar with the name that schemas use for it.
func ScalarNamed(name string) (Scalar, bool) { return builtin.ScalarNamed(name) }

// Kind is the shape of a value.
type Kind = builtin.Kind
