// Functions: what expressions can call, and the operators between operands.

package builtin

import "slices"

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
	Form              // form(field): the number of the form that the value is written in
	Outside           // whether a scalar cannot hold the number in a field exactly; see schema.Expr
	Wide              // whether the number in a field was read in its wide form
	Keep              // the second operand if the caller keeps widths, else the first
	Sum               // a checksum of rows: see Sums
	Where             // place(part): the place of a part
	More              // more(): whether bytes are left
	Total             // sum(field): the sum of the integers of an array
	Last              // last(field): the last integer of an array
	Match             // which of some texts a field equals: the number of the text, 0 if none
	Remain            // left(): how many bytes are left
	NumOps
)

// Operation describes an operation.
type Operation struct {
	Name   string // the operator's symbol or the function's name; "" for others
	Params int    // operands
	More   int    // operands that can follow them
	Call   bool   // it is written as a function call
	Bind   int    // how strongly an operator between two operands binds; 0 for others
	Field  bool   // its operand is the name of a stored field
	Writer bool   // a reader does not know it before the field or row that it is of
	Usage  string // of a function: a call, with words for its operands
	Doc    string // completes "is": its value
}

// Operations describes every operation.
var Operations = [NumOps]Operation{
	Num:     {Doc: "a number"},
	Ref:     {Doc: "the number in a field"},
	Letter:  {Doc: "a length or a place that depends on content"},
	Add:     {Name: "+", Params: 2, Bind: 4, Doc: "the sum"},
	Sub:     {Name: "-", Params: 2, Bind: 4, Doc: "the difference"},
	Mul:     {Name: "*", Params: 2, Bind: 5, Doc: "the product"},
	Div:     {Name: "/", Params: 2, Bind: 5, Doc: "the quotient without its fraction, 0 if the divisor is 0"},
	Mod:     {Name: "%", Params: 2, Bind: 5, Doc: "the remainder with the sign of the dividend, 0 if the divisor is 0"},
	And:     {Name: "&", Params: 2, Bind: 5, Doc: "the bits that both numbers have"},
	Xor:     {Name: "^", Params: 2, Bind: 4, Doc: "the bits that one of the numbers has and the other does not"},
	Shl:     {Name: "<<", Params: 2, Bind: 5, Doc: "the number shifted to the left by the low 6 bits of the other"},
	Shr:     {Name: ">>", Params: 2, Bind: 5, Doc: "the number shifted to the right by the low 6 bits of the other, with zeros shifted in"},
	Eq:      {Name: "==", Params: 2, Bind: 3, Doc: "1 if the numbers are equal, else 0"},
	Ne:      {Name: "!=", Params: 2, Bind: 3, Doc: "1 if the numbers differ, else 0"},
	Lt:      {Name: "<", Params: 2, Bind: 3, Doc: "1 if the first number is smaller, else 0"},
	Le:      {Name: "<=", Params: 2, Bind: 3, Doc: "1 if the first number is not larger, else 0"},
	Gt:      {Name: ">", Params: 2, Bind: 3, Doc: "1 if the first number is larger, else 0"},
	Ge:      {Name: ">=", Params: 2, Bind: 3, Doc: "1 if the first number is not smaller, else 0"},
	Both:    {Name: "&&", Params: 2, Bind: 2, Doc: "1 if no number is 0, else 0"},
	Either:  {Name: "||", Params: 2, Bind: 1, Doc: "1 if a number is not 0, else 0"},
	Neg:     {Name: "-", Params: 1, Doc: "the number with the other sign"},
	Not:     {Name: "!", Params: 1, Doc: "1 if the number is 0, else 0"},
	Min:     {Name: "min", Params: 2, Call: true, Usage: "min(a, b)", Doc: "the smaller number"},
	Max:     {Name: "max", Params: 2, Call: true, Usage: "max(a, b)", Doc: "the larger number"},
	Count:   {Name: "count", Params: 1, Call: true, Field: true, Writer: true, Usage: "count(list)", Doc: "the number of elements of a list or an array; a writer computes it, and a reader knows it after the list"},
	Len:     {Name: "len", Params: 1, Call: true, Field: true, Writer: true, Usage: "len(text)", Doc: "the bytes that a text takes, without padding; a writer computes it, and a reader knows it after the text"},
	Size:    {Name: "size", Params: 1, Call: true, Writer: true, Usage: "size(row)", Doc: "the bytes that a row takes, padding included; a writer computes that of a later row, and a reader knows it after the row"},
	Arm:     {Name: "arm", Params: 1, Call: true, Field: true, Writer: true, Usage: "arm(field)", Doc: "the number of the arm that a value of a union is; a writer computes it, and a reader knows it after the field"},
	Present: {Name: "present", Params: 1, Call: true, Field: true, Writer: true, Usage: "present(field)", Doc: "1 if the field has a value, else 0; a writer computes it, and a reader knows it after the field"},
	Closed:  {Name: "closed", Params: 1, Call: true, Usage: "closed(gate)", Doc: "1 if the caller has not given the permission, else 0"},
	Form:    {Name: "form", Params: 1, Call: true, Writer: true, Usage: "form(row)", Doc: "the number of the first form of a row that holds its value; a writer computes it"},
	Outside: {Params: 1, Writer: true, Doc: "1 if a scalar cannot hold the number in a stored field exactly, else 0"},
	Wide:    {Params: 1, Writer: true, Doc: "1 if the number in a stored field was read in its wide form, else 0"},
	Keep:    {Params: 2, Writer: true, Doc: "the second number if widths are kept, else the first"},
	Sum:     {Writer: true, Doc: "the checksum of rows"},
	Where:   {Name: "place", Params: 1, More: 1, Call: true, Writer: true, Usage: "place(row)", Doc: "the place that a writer gives a later row with @, counted from its base; a multiple of 16 with place(row, 16)"},
	More:    {Name: "more", Call: true, Usage: "more()", Doc: "1 if bytes are left in the region or the packet, else 0; it is the whole condition of rows at the end of a record, which a writer writes if their first field has a value"},
	Total:   {Name: "sum", Params: 1, Call: true, Field: true, Writer: true, Usage: "sum(array)", Doc: "the sum of the integers of an array, 0 if it is empty or absent; a writer computes it, and a reader knows it after the array"},
	Last:    {Name: "last", Params: 1, Call: true, Field: true, Writer: true, Usage: "last(array)", Doc: "the last integer of an array, 0 if it is empty or absent; a writer computes it, and a reader knows it after the array"},
	Remain:  {Name: "left", Call: true, Usage: "left()", Doc: "the bytes that are left in the region or the packet; it is only in the end of a list that leaves bytes for the rows behind it: TYPE[until left() <= 24]"},
	Match:   {Params: 1, Field: true, Writer: true, Doc: "the number of the text that a field equals, 0 if it equals no such text"},
}

// FunctionNamed returns the operation that a call names: Sum for every checksum.
func FunctionNamed(name string) (Op, bool) {
	if _, ok := ChecksumNamed(name); ok {
		return Sum, true
	}
	for op := range NumOps {
		if o := &Operations[op]; o.Call && o.Name == name {
			return op, true
		}
	}
	return NumOps, false
}

// Usage returns a call of a function with words for its operands, and what its value is.
func Usage(name string) (call, value string, ok bool) {
	if c, ok := ChecksumNamed(name); ok {
		value := Sums[c].Doc
		if crc := Sums[c].CRC; crc != nil {
			value += ": " + crc.String()
		}
		return name + "(first..last)", value + "; a writer computes it, and a reader compares it", true
	}
	op, ok := FunctionNamed(name)
	if !ok {
		return "", "", false
	}
	return Operations[op].Usage, Operations[op].Doc, true
}

// Functions returns the names of all functions in alphabetical order.
func Functions() []string {
	all := Checksums()
	for op := range NumOps {
		if Operations[op].Call {
			all = append(all, Operations[op].Name)
		}
	}
	slices.Sort(all)
	return all
}

// OperatorNamed returns the operation of an operator between two operands.
func OperatorNamed(symbol string) (Op, bool) {
	for op := range NumOps {
		if o := &Operations[op]; o.Bind > 0 && o.Name == symbol {
			return op, true
		}
	}
	return NumOps, false
}

// Compares reports whether an operation compares two numbers.
func (o *Operation) Compares() bool { return o.Bind == Operations[Eq].Bind }

// Arithmetic reports whether an operation is an operator that gives a number, not a
// condition.
func (o *Operation) Arithmetic() bool { return o.Bind > Operations[Eq].Bind }

// String returns the operator's symbol or the function's name.
func (op Op) String() string {
	if op >= NumOps {
		return "invalid"
	}
	return Operations[op].Name
}
