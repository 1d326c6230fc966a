// The instruction set, declared once.

package bytecode

import (
	"slices"

	"github.com/octable/octable/dsl/builtin"
)

// Op is an operation code.
type Op uint8

// The operations. The table below says what each does in both directions.
const (
	Fields Op = iota
	Subst
	Header
	Union
	Switch
	Arm
	Word
	Let
	Check
	Scalars
	Truth
	Take
	ArmRef
	Lanes
	Text
	Packed
	Pad
	List
	Map
	Rest
	Call
	If
	Else
	End
	Absent
	Gate
	Enter
	Leave
	Mark
	Size
	Patch
	Done
	Expect
	Sum
	Compare
	Pass
	Until
	Filled
	Stop
	Through
	Base
	Close
	Seek
	Back
	Choose
	Chosen
	Gaps
	Note
	Holes
	Total
	Settle
	Spare
	numOps
)

// Operand is the sort of an operand of an instruction, and thereby says what
// values it may have.
type Operand uint8

// The sorts of operand.
const (
	NoOperand     Operand = iota
	OpReg                 // a register
	OpRegOpt              // a register, or None
	OpCell                // a cell
	OpExpr                // an expression
	OpExprOpt             // an expression, or None
	OpScalar              // a Scalar, plus FlagSwapped, FlagOrdered and the coding in the bits above it
	OpWidth               // as OpScalar, plus FlagWide
	OpLaneCount           // 1 to 255
	OpCount               // number of cells of the record
	OpType                // a Type
	OpRoutine             // a Routine
	OpTable               // a Table
	OpTableArm            // an arm of the table of the enclosing union or switch
	OpString              // a text of the program
	OpEncoding            // an Encoding
	OpArgs                // a list of expressions
	OpGate                // a gate
	OpFlags               // bits whose meaning is the instruction's
	OpAlign               // 2 to 4096
	OpBack                // a number of bytes before the cursor, 0 to 8
	OpSum                 // a checksum
	OpEncodingOpt         // an Encoding, or None for bytes
	OpFill                // a byte, plus FillAny in the bits above it
	OpPassed              // number of registers
	OpAlignOpt            // 1 to 4096
	OpSpare               // a number of bytes, 1 to 65535
)

// None is an operand that is left out.
const None = 1<<32 - 1

// FlagWide marks a number as the wider of two forms that a row can have.
const FlagWide = 1 << 8

// FillAny marks a row whose content ends before the first byte that fills it, and any bytes may follow. Other content ends
// before the last run of these bytes.
const FillAny = 1 << 8

// FlagOrdered marks the word of a union whose order of bytes is in the register before that of the word. The highest
// byte is first unless the register is 0.
const FlagOrdered = 1 << 8

// FlagSwapped marks numbers whose bytes are in the other order than those of the program.
const FlagSwapped = 1 << 9

// FlagLonger marks numbers of a coding that a reader accepts in other forms. These have
// more bytes than necessary, or other digits.
const FlagLonger = 1 << 10

// codingShift is the lowest of the bits of an operand that hold a Coding, which has all bits above it.
const codingShift = 11

// Flags of instructions.
const (
	PadOrEnd     = 1 << 0 // Pad: padding may be missing at the end of the region
	PadExact     = 1 << 1 // Pad: a reader refuses other bytes than the fill
	TruthNonzero = 1 << 0 // Truth: a reader takes every nonzero number for true
	DoneAlone    = 1 << 0 // Done: a field that is alone represents the record
	ExpectTruth  = 1 << 0 // Expect: the cell is true or false
	SumWrite     = 1 << 0 // Sum: a reader does not need it
	SumRead      = 1 << 1 // Sum: a writer does not need it
	ChosenAny    = 1 << 0 // Chosen: a reader accepts any place
	SettleAny    = 1 << 0 // Settle: a reader accepts any number
	SeekView     = 1 << 0 // Seek: other instructions write the bytes
	CompareValue = 1 << 0 // Compare: of a number that follows from others; the bits above are the bytes from it to its place
	TakeBool     = 0      // Take: the register is true or false
	TakeUint     = 1      // Take: the register is an unsigned number
	TakeInt      = 2      // Take: the register is a signed number
	TakeWideUint = 3      // Take: as TakeUint, in the wider of two forms
	TakeWideInt  = 4      // Take: as TakeInt, in the wider of two forms
)

var ops = [numOps]struct {
	name     string
	operands [4]Operand
	doc      string
}{
	Fields: {"fields", [4]Operand{OpCount, OpType},
		"begin a record with n cells, up to its done; write: take the cells from the value"},
	Subst: {"subst", [4]Operand{OpCell, OpRoutine},
		"read: nothing; write: put in place of the cell what its arm says is written instead"},
	Header: {"header", [4]Operand{OpScalar, OpReg, OpExpr},
		"read: nothing, the union has read the word; write: the word computed by the expression"},
	Union: {"union", [4]Operand{OpScalar, OpReg, OpExpr, OpTable},
		"read: a word into the register, then run the arm whose number the expression gives; write: run the arm of the value; its arms follow, up to its end"},
	Switch: {"switch", [4]Operand{NoOperand, NoOperand, OpExpr, OpTable},
		"run the arm whose number the expression gives; write: the value must be of that arm; its arms follow, up to its end"},
	Arm: {"arm", [4]Operand{OpTableArm},
		"begin an arm of the table, up to the next arm or the end of the union"},
	Word: {"word", [4]Operand{OpScalar, OpReg, OpExprOpt, OpRegOpt},
		"read: a number into the register; write: the number computed by the expression; with a second register, zeros whose place it keeps for patch, none for a number of varying width"},
	Let: {"let", [4]Operand{OpReg, OpExpr},
		"the register becomes what the expression gives"},
	Check: {"check", [4]Operand{OpExpr, OpString, OpBack},
		"refuse with the text unless the expression holds; read: the offset of the error is n bytes before the cursor"},
	Scalars: {"scalar", [4]Operand{OpWidth, OpCell},
		"a number, kept in the cell"},
	Truth: {"truth", [4]Operand{OpScalar, OpCell, OpFlags},
		"a number that is 0 or 1, kept in the cell as false or true"},
	Take: {"take", [4]Operand{OpCell, OpReg, OpFlags},
		"read: the register, kept in the cell; write: nothing, a word has written it"},
	ArmRef: {"armref", [4]Operand{OpCell, OpReg, OpRoutine, OpBack},
		"read: the register names an arm of the union, kept in the cell; the offset of an error is n bytes before the cursor; write: nothing, a word has written it"},
	Lanes: {"lanes", [4]Operand{OpWidth, OpLaneCount, OpCell},
		"a tuple: n numbers of the width, kept in the cell"},
	Text: {"text", [4]Operand{OpEncoding, OpExpr, OpCell},
		"as many bytes of text as the expression gives, kept in the cell"},
	Packed: {"packed", [4]Operand{OpWidth, OpLaneCount, OpExprOpt, OpCell},
		"as many tuples of numbers as the expression gives, or as fit before the end, kept in the cell"},
	Pad: {"pad", [4]Operand{OpAlign, OpFlags, OpFlags},
		"padding that makes the last text, array, list or region a multiple of the alignment; write: the fill byte"},
	List: {"list", [4]Operand{OpExpr, OpRoutine, OpCell},
		"as many values of the routine as the expression gives, kept in the cell"},
	Map: {"map", [4]Operand{OpExpr, OpRoutine, OpCell, OpRoutine},
		"as many pairs of values of two routines as the expression gives, kept in the cell"},
	Rest: {"rest", [4]Operand{OpRoutine, OpCell},
		"values of the routine up to the end of the region, kept in the cell"},
	Call: {"call", [4]Operand{OpRoutine, OpCell, OpArgs},
		"one value of the routine, which gets the arguments in its first registers, kept in the cell"},
	If: {"if", [4]Operand{OpExpr},
		"run the instructions up to its else or end if the expression holds, and those from its else to its end otherwise"},
	Else: {"else", [4]Operand{},
		"begin the other branch of an if"},
	End: {"end", [4]Operand{},
		"end an if, a union or a switch"},
	Absent: {"absent", [4]Operand{OpCell},
		"read: the cell has no value; write: refuse a value in the cell"},
	Gate: {"gate", [4]Operand{OpGate},
		"refuse unless the caller has opened the gate"},
	Enter: {"enter", [4]Operand{OpExpr},
		"read: the next n bytes, as the expression gives, are a region, up to its leave; write: nothing"},
	Leave: {"leave", [4]Operand{},
		"read: refuse unless the region is used up; write: nothing"},
	Mark: {"mark", [4]Operand{OpReg},
		"the register becomes the place of the cursor"},
	Size: {"size", [4]Operand{OpReg, OpReg},
		"the register becomes the number of bytes since the place in the second"},
	Patch: {"patch", [4]Operand{OpScalar, OpReg, OpExpr, OpReg},
		"read: nothing; write: puts the number of the expression at the place in the register, and inserts it if its width varies; the last register gets the number"},
	Done: {"done", [4]Operand{OpType, OpFlags},
		"end the routine; read: the cells become a value of the type"},
	Expect: {"expect", [4]Operand{OpScalar, OpCell, OpFlags},
		"read: nothing; write: refuse a cell that is not a number which the scalar holds, or not true or false"},
	Sum: {"sum", [4]Operand{OpReg, OpSum, OpArgs, OpFlags},
		"the register becomes the checksum of parts of the input or the output; each part is two places and the number that each byte of it counts as, or -1"},
	Compare: {"compare", [4]Operand{OpReg, OpExpr, OpReg, OpFlags},
		"read: refuse, at the place in the second register less some bytes, unless the first register is what the expression gives; write: nothing"},
	Pass: {"pass", [4]Operand{OpReg, OpPassed},
		"the elements of the list that follows get n registers, from the register on, in their first registers"},
	Stop: {"stop", [4]Operand{OpExpr},
		"the record ends a list if the expression holds"},
	Through: {"through", [4]Operand{OpRoutine, OpCell},
		"values of the routine up to and with the first one that ends the list, kept in the cell; write: refuse a list that another value ends, or none"},
	Base: {"base", [4]Operand{OpString, OpBack},
		"begin a record that parts count from, up to its close; read: it begins n bytes before the cursor, and ends with the region"},
	Close: {"close", [4]Operand{},
		"read: refuse parts that overlap, and bytes other than 0 between them unless gaps is before; write: put the parts in their places, with zeros or the gaps between, and refuse parts that overlap; the cursor is at the last end"},
	Seek: {"seek", [4]Operand{OpString, OpExpr, OpString, OpFlags},
		"run the instructions up to its back at the place that the expression gives, counted from the record of the name; parts of the type that follows may be in the same place; write: what they write is kept for the close of the record. A view takes no bytes: close compares them"},
	Back: {"back", [4]Operand{},
		"the cursor becomes what it was before the seek"},
	Choose: {"choose", [4]Operand{OpReg, OpReg},
		"read: nothing; write: the first register becomes the number of a place that the writer chooses, and the second what the record writes for it"},
	Chosen: {"chosen", [4]Operand{OpReg, OpAlignOpt, OpFlags},
		"the writer chooses the place of the part that follows, whose number is in the register: the next multiple of the alignment behind the rows of its record and the parts before it; read: the part must be there, unless any place is accepted"},
	Gaps: {"gaps", [4]Operand{OpCell},
		"the bytes that no part of the record has, directly before its close, kept in the cell without zeros at their end, unless some are behind the last part; read: up to the end of the region; write: refuse zeros at the end that are not behind the last part"},
	Note: {"note", [4]Operand{OpScalar, OpString, OpReg},
		"the word before it, whose register is given, holds the checksum of the record of the name; settle looks at it when the record is complete"},
	Holes: {"holes", [4]Operand{OpString, OpFlags},
		"in the checksum that follows, each byte of the words that are noted for the record of the name counts as a number"},
	Total: {"total", [4]Operand{OpReg, OpSum, OpFlags},
		"the register becomes the checksum of the bytes of the record that close has ended; each byte of the words that are noted for it counts as a number"},
	Settle: {"settle", [4]Operand{OpScalar, OpExpr, OpFlags},
		"read: refuse words that were noted for the record and are not what the expression gives, unless any number is accepted; write: put the number into them"},
	Spare: {"spare", [4]Operand{OpRoutine, OpCell, OpSpare, OpReg},
		"values of the routine until at most n bytes are left in the region, kept in the cell; the register becomes the number of bytes of the last one, 0 without one"},
	Until: {"until", [4]Operand{OpEncodingOpt, OpString, OpCell},
		"text, or bytes without an encoding, up to the first occurrence of the bytes, which follow it, or up to the end of the region if there are no such bytes; kept in the cell"},
	Filled: {"filled", [4]Operand{OpEncodingOpt, OpExpr, OpCell, OpFill},
		"as many bytes as the expression gives: text, or bytes without an encoding, kept in the cell, then the byte that fills them; read: the content ends before the last run of this byte, or before the first one and any bytes if it is marked so"},
}

// String returns the operation's name in listings.
func (o Op) String() string {
	if o >= numOps {
		return "invalid"
	}
	return ops[o].name
}

// Doc returns what the operation does when reading and when writing.
func (o Op) Doc() string {
	if o >= numOps {
		return ""
	}
	return ops[o].doc
}

// Operands returns the sorts of the operands A to D.
func (o Op) Operands() [4]Operand {
	if o >= numOps {
		return [4]Operand{}
	}
	return ops[o].operands
}

// Ops returns every operation, for documentation.
func Ops() []Op {
	out := make([]Op, numOps)
	for i := range out {
		out[i] = Op(i)
	}
	return out
}

// Instr is one instruction.
type Instr struct {
	Op         Op
	A, B, C, D uint32
	Rule       uint32 // index into Program.Rules: the schema row it was made from
}

// Element returns the routine of element i of a list. The elements of a map are its keys and values in turn.
func (in *Instr) Element(i int) uint32 {
	switch {
	case in.Op == Map && i%2 == 1:
		return in.D
	case in.Op == Map, in.Op == List:
		return in.B
	}
	return in.A
}

// Cell returns the cell that an instruction gives a value in reading and takes it from
// in writing, or None.
func (in *Instr) Cell() uint32 {
	switch in.Op {
	case Scalars, Truth, Rest, Through, Spare, Call:
		return in.B
	case Take, ArmRef, Gaps:
		return in.A
	case Lanes, Text, List, Map, Until, Filled:
		return in.C
	case Packed:
		return in.D
	}
	return None
}

// Scalar returns the scalar of the numbers of an instruction whose first operand is one.
func (in *Instr) Scalar() Scalar { return Scalar(in.A & 0xff) }

// Swapped reports whether the bytes of these numbers are in the other order than those of
// the program.
func (in *Instr) Swapped() bool { return in.A&FlagSwapped != 0 }

// Ordered reports whether a register has the order of the bytes of the word of a union.
func (in *Instr) Ordered() bool {
	return (in.Op == Union || in.Op == Header) && in.A&FlagOrdered != 0
}

// Coded returns the operand of an instruction for numbers of a coding. Longer makes a reader
// accept other forms of a number.
func Coded(c Coding, longer bool) uint32 {
	a := uint32(c.Scalar()) | uint32(c)<<codingShift
	if longer {
		a |= FlagLonger
	}
	return a
}

// Coding returns the coding of the numbers of an instruction, Fixed if its first operand is
// no scalar.
func (in *Instr) Coding() Coding {
	switch ops[in.Op].operands[0] {
	case OpScalar, OpWidth:
		return codingOf(in.A)
	}
	return builtin.Fixed
}

// Coded reports whether numbers of an instruction whose first operand is a scalar have a
// coding.
func (in *Instr) Coded() bool { return in.A>>codingShift != 0 }

// Varies reports whether the width of the numbers of an instruction depends on the number.
func (in *Instr) Varies() bool { return in.Coding().Varies() }

// Width returns the bytes of a number of an instruction, 0 if they depend on the number.
func (in *Instr) Width() int {
	if c := in.Coding(); c != builtin.Fixed {
		return c.Width()
	}
	return in.Scalar().Width()
}

// codingOf returns the coding in an operand.
func codingOf(a uint32) Coding { return Coding(a >> codingShift) }

// Longer reports whether a reader accepts other forms of the numbers of a coding.
func (in *Instr) Longer() bool { return in.A&FlagLonger != 0 }

// Least returns the fewest bytes of a number of an instruction.
func (in *Instr) Least() int {
	if c := in.Coding(); c != builtin.Fixed {
		return c.Least()
	}
	return max(1, in.Scalar().Width())
}

// special reports whether an instruction has numbers that plans do not load and store.
func (in *Instr) special() bool {
	switch ops[in.Op].operands[0] {
	case OpScalar, OpWidth:
		s := in.Scalar()
		return s.Odd() || s == F16 || in.Swapped() || in.Ordered() || in.Coding() != builtin.Fixed
	}
	return false
}

// Taking returns the operand of a Take that gives a value of a kind, Bool, Uint or Int. Wide
// marks it as the wider of two forms.
func Taking(kind Kind, wide bool) uint32 { return uint32(slices.Index(takes[:], take{kind, wide})) }

// Taken returns the kind of the value that a Take gives, and whether it is marked as wide.
func (in *Instr) Taken() (kind Kind, wide bool) { return takes[in.C].kind, takes[in.C].wide }

type take struct {
	kind Kind
	wide bool
}

var takes = [...]take{
	TakeBool: {kind: builtin.Bool}, TakeUint: {kind: builtin.Uint}, TakeInt: {kind: builtin.Int},
	TakeWideUint: {builtin.Uint, true}, TakeWideInt: {builtin.Int, true},
}

// ExprOp is an operation of an expression. Its operands and its result are 64-bit
// numbers.
type ExprOp uint8

// The operations of expressions.
const (
	ExprNum ExprOp = iota // the number Arg
	ExprReg               // register Arg
	ExprAdd
	ExprSub
	ExprMul
	ExprDiv // 0 when dividing by 0
	ExprMod // 0 when dividing by 0
	ExprAnd
	ExprXor
	ExprShl // by the low 6 bits
	ExprShr // by the low 6 bits, without sign
	ExprEq
	ExprNe
	ExprLt
	ExprLe
	ExprGt
	ExprGe
	ExprBoth
	ExprEither
	ExprNeg
	ExprNot
	ExprMin
	ExprMax
	ExprSelect  // c a b: a when c holds, else b
	ExprCount   // number of elements or pairs of cell Arg; a reader must have read it
	ExprLen     // bytes that text cell Arg takes with encoding Arg2; a reader must have read it
	ExprArm     // number of the arm of cell Arg in the union of routine Arg2, 0 if absent. A reader must have read it
	ExprPresent // whether cell Arg has a value; a reader must have read it
	ExprValue   // write only: cell Arg as a number
	ExprOutside // write only: whether scalar Arg2 cannot hold cell Arg exactly
	ExprWide    // write only: whether cell Arg asks for the wider form
	ExprExact   // write only: whether the caller asks to keep widths
	ExprClosed  // whether gate Arg is closed
	ExprFit     // the number, which must be of at most Arg bits and not negative
	ExprMember  // the number in place Arg2 of the record or tuple in cell Arg; a reader must have read it
	ExprMore    // whether bytes are left to a reader; write: whether cell Arg has a value
	ExprLeft    // how many bytes are left to a reader; write: 0
	ExprTotal   // sum of the integers of array cell Arg; a reader must have read it
	ExprLast    // last integer of array cell Arg; a reader must have read it
	ExprEquals  // whether cell Arg is text that equals string Arg2; a reader must have read it
	numExprOps
)

// exprOps describes the operations of expressions. An operation on numbers that the
// language has too takes its name, operands and description from there.
var exprOps = [numExprOps]struct {
	of   builtin.Op // the operation of the language, or Num
	cell bool       // it looks at a cell
	args [2]Operand // Arg and Arg2
	name string     // if the language has no such operation
	n    int        // operands
	doc  string
}{
	ExprNum:     {args: [2]Operand{opNumber}, doc: "the number"},
	ExprReg:     {args: [2]Operand{OpReg}, name: "r", doc: "the number in the register"},
	ExprAdd:     {of: builtin.Add},
	ExprSub:     {of: builtin.Sub},
	ExprMul:     {of: builtin.Mul},
	ExprDiv:     {of: builtin.Div},
	ExprMod:     {of: builtin.Mod},
	ExprAnd:     {of: builtin.And},
	ExprXor:     {of: builtin.Xor},
	ExprShl:     {of: builtin.Shl},
	ExprShr:     {of: builtin.Shr},
	ExprEq:      {of: builtin.Eq},
	ExprNe:      {of: builtin.Ne},
	ExprLt:      {of: builtin.Lt},
	ExprLe:      {of: builtin.Le},
	ExprGt:      {of: builtin.Gt},
	ExprGe:      {of: builtin.Ge},
	ExprBoth:    {of: builtin.Both},
	ExprEither:  {of: builtin.Either},
	ExprNeg:     {of: builtin.Neg},
	ExprNot:     {of: builtin.Not},
	ExprMin:     {of: builtin.Min},
	ExprMax:     {of: builtin.Max},
	ExprSelect:  {name: "?", n: 3, doc: "the second number if the first is not 0, else the third"},
	ExprCount:   {cell: true, args: [2]Operand{OpCell}, name: "count", doc: "the number of elements or pairs of the cell, which a reader has read"},
	ExprLen:     {cell: true, args: [2]Operand{OpCell, OpEncoding}, name: "len", doc: "the bytes that the cell's text takes, which a reader has read"},
	ExprArm:     {cell: true, args: [2]Operand{OpCell, OpRoutine}, name: "arm", doc: "the number of the arm in the union of the cell, which a reader has read, 0 if it is absent"},
	ExprPresent: {cell: true, args: [2]Operand{OpCell}, name: "present", doc: "1 if the cell, which a reader has read, has a value, else 0"},
	ExprValue:   {cell: true, args: [2]Operand{OpCell}, name: "value", doc: "write: the cell as a number"},
	ExprOutside: {cell: true, args: [2]Operand{OpCell, OpScalar}, name: "outside", doc: "write: 1 if the scalar cannot hold the cell exactly, else 0"},
	ExprWide:    {cell: true, args: [2]Operand{OpCell}, name: "wide", doc: "write: 1 if the cell was read in its wide form, else 0"},
	ExprExact:   {name: "exact", doc: "write: 1 if the caller asks to keep widths, else 0"},
	ExprClosed:  {args: [2]Operand{OpGate}, name: "closed", doc: "1 if the gate is closed, else 0"},
	ExprFit:     {args: [2]Operand{opBits}, name: "fit", n: 1, doc: "the number, which must not be negative and have at most that number of bits"},
	ExprMember:  {cell: true, args: [2]Operand{OpCell, opNumber}, name: "member", doc: "the number in a place of the record or tuple in the cell, which a reader has read, 0 if it is absent"},
	ExprMore:    {cell: true, args: [2]Operand{OpCell}, name: "more", doc: "read: 1 if bytes are left in the region, else 0; write: 1 if the cell has a value, else 0"},
	ExprLeft:    {name: "left", doc: "read: the bytes that are left in the region; write: 0"},
	ExprTotal:   {cell: true, args: [2]Operand{OpCell}, name: "sum", doc: "the sum of the integers of the array in the cell, which a reader has read, 0 for other values"},
	ExprLast:    {cell: true, args: [2]Operand{OpCell}, name: "last", doc: "the last integer of the array in the cell, which a reader has read, 0 for other values"},
	ExprEquals:  {cell: true, args: [2]Operand{OpCell, OpString}, name: "equals", doc: "1 if the text in the cell, which a reader has read, is that text, 0 also for other values"},
}

// language returns the operation of the language that an operation on numbers is.
func (o ExprOp) language() *builtin.Operation { return &builtin.Operations[exprOps[o].of] }

// name returns the operator or the function of an operation.
func (o ExprOp) name() string {
	if exprOps[o].of != builtin.Num {
		return o.language().Name
	}
	return exprOps[o].name
}

// NeedsCells reports whether the operation looks at cells, which are known
// only to a writer when a word is computed.
func (o ExprOp) NeedsCells() bool { return o < numExprOps && exprOps[o].cell }

// Takes returns how many operands the operation has.
func (o ExprOp) Takes() int {
	if o >= numExprOps {
		return 0
	}
	return exprOps[o].n + o.language().Params
}
