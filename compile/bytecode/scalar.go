// Scalars and kinds: names from the tables of the language.

package bytecode

import "github.com/octable/octable/dsl/builtin"

// Scalar is the wire form of one number. It is an operand of instructions, and tuples
// and arrays of numbers remember it.
type Scalar = builtin.Scalar

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
)

// ScalarNamed returns the scalar with the name that schemas use for it.
func ScalarNamed(name string) (Scalar, bool) { return builtin.ScalarNamed(name) }

// Kind is the shape of a value.
type Kind = builtin.Kind
