// Functions: what expressions can call, and the operators between operands.

package builtin

// Op is an operation of an expression: an operator, a function, or a leaf.
type Op uint8

// The operations.
const (
	Num     Op = iota // a number
	Ref               // a field
	Letter            // a letter of offsets and lengths: a length or a place that depends on content
	Add               // +
	Sub               // -
	Mul               // *
	Div               // /, 0 when dividing by 0
	Mod               // %, 0 when dividing by 0
	And               // & of the bits
	Xor               // ^ of the bits
	Shl               // <<, by the low 6 bits
	Shr               // >>, by the low 6 bits, without sign
	Eq                // ==
	Ne                // !=
	Lt                // <
	Le                // <=
	Gt                // >
	Ge                // >=
	Both              // &&
	Either            // ||
	Neg               // -x
	Not               // !x
	Min               // min(a, b)
	Max               // max(a, b)
	Count             // count(field): elements, pairs, or tuples
	Len               // len(field): bytes of a text
	Size              // size(field): bytes of a row or list
	Arm               // arm(field): number of the arm of a union
	Present           // present(field): whether it has a value
	Closed            // closed(gate): whether the caller has not opened the gate
	Outside           // field outside scalar: whether the scalar cannot hold the number exactly
	Keep              // keep widths: whether the field was read in its wide form; see schema.Expr
	KeepAll           // keep widths: whether the numbers of the record were read in their wide form
	NumOps
)

// Operation describes an operation.
type Operation struct {
	Name   string // the operator's symbol or the function's name
	Params int    // operands
	Call   bool   // it is written as a function call
	Bind   int    // how strongly an operator between two operands binds; 0 for others
	Field  bool   // its operand is the name of a stored field
	Writer bool   // only a writer knows it
	Doc    string // completes "is": its value
}
