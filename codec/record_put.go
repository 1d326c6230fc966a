// Operations of writing records: the steps of a plan in one list, with jumps for conditions.
//
// An operation is small and does one thing, so that the loop of a writer (record_put_leaf.go) looks at nothing else.
// Neighboring runs become one, whose place is known; registers that nothing reads are not set.

package codec

import (
	"math/bits"

	"github.com/octable/octable/compile/bytecode"
)

// pointerSize is the size of a pointer in bytes.
const pointerSize = bits.UintSize / 8

// putCode is what an operation does.
type putCode uint8

const (
	putFail putCode = iota // Values have to write the record
	putRun                 // make room for off bytes, which are a run
	putAny                 // a move in the order of [moveCode]
	put8
	put16
	put16Big
	put32
	put32Big
	put64
	put64Big
	putSingle
	putSingleBig
	putNarrow // a float64 as a single
	putInt    // an integer that may not fit
	putPair16Big
	putPair32Big
	putPointed    // an integer behind a pointer
	putBytes      // n bytes from a slice that has as many
	putConst      // a number that is known
	putTerms      // a word of bytes and truths
	putLength     // a word of the length of a text or a list, whose bits in mask must be 0
	putWord       // any other word
	putLoad       // a number of the run into a register
	putLoad8      // the same for numbers without a sign
	putLoad16     // …
	putLoad16Big  // …
	putLoad32     // …
	putLoad32Big  // …
	putHead       // a register into the run
	putHold       // place for a number that a patch completes, into reg; 0 into b
	putFit        // register a into the run, and into reg, if it fits
	putPatch      // register b to the place in register a, if it fits
	putPatchSize  // the bytes since the place in register b, less n, to the place in register a, if they fit
	putMark       // the place of the cursor
	putMarkRun    // a place in the run
	putSize       // the bytes since the place in register a, less n
	putSizeRun    // the same up to a place in the run
	putSum        // a checksum
	putSet        // number n
	putPick       // bits of register a
	putAddN       // bits of register a, plus n
	putMulN       // bits of register a, times n
	putEqN        // whether bits of register a are n
	putLessN      // whether bits of register a are less than n
	putLeastN     // whether they are at least n
	putTable      // a number of a table by register a, or an expression of it
	putQuick      // an expression of registers
	putEval       // any expression
	putAdd        // registers a and b
	putSub        // …
	putMul        // …
	putEq         // …
	putMin        // …
	putMax        // …
	putOp2        // any other operation with registers a and b
	putFits       // register a must have at most n bits
	putCheck      // register a must not be 0
	putCheckEq    // bits of register a must be n
	putCheckLess  // bits of register a must be less than n
	putCheckLeast // bits of register a must be at least n
	putCheckTable // a number of a table by register a must not be 0
	putCheckSame  // registers a and b must be equal
	putCheckIn    // register a minus n must be at most mask
	putUnless     // jump by off if register a is 0
	putUnlessEq   // jump by off if bits of register a are not n
	putJump       // jump by off
	putStop       // register a says whether the record ends a list
	putStopTable  // as putStop, with a table
	putStopEq     // bits of register a are n if the record ends a list
	putNil        // a pointer must be nil, and n pointers behind it
	putLeft       // a field must be left out, or not
	putPadding    // padding
	putInner      // a record
	putUnion      // the arm of a union, by the type of the Go value
	putClear      // registers from a up to b become 0
	putText       // a text of n or register a bytes
	putOctets     // bytes, as many
	putElems      // the elements of a slice
	putPairs      // the pairs of a map
	putPart       // any other part
	putEnd        // the end of the list
	putCoded      // a number of a coding: register a, or a move
	putPatchCoded // register b as a number of a coding, at the place in register a. One of varying width is inserted there
	putChoose     // choose a place: its number goes into register reg, and the number that the record has into b
	putPlaces     // a record that rows at places count from, or such a row, begins or ends. It is at the place in register a, of which b has the number
	putTotal      // a checksum that [interp.WritePlaces] computes
	putGaps       // the bytes between rows at places
)

// putOp is an operation.
type putOp struct {
	code   putCode
	scalar bytecode.Scalar
	big    bool
	placed bool  // a part in the run, at off
	check  bool  // of parts: register a or n has the number of parts
	point  bool  // the field is a pointer to the part
	form   uint8 // of scalar and big: see [formBig]
	shift  uint8 // of bits of register a; of a number that must fit with a sign, its bits
	reg    int32 // the register that gets the result, or -1
	a, b   int32 // registers, or -1
	off    int32 // place in the run, bytes of a run, or operations of a jump
	n      int64
	mask   uint64 // of bits of register a; of a number that must fit, the bits that are 0
	at     uintptr
	field  *field
	more   *putMore
}

// putMore is what few operations have.
type putMore struct {
	move     *move
	word     *word
	terms    []putTerm
	expr     *recordExpr
	coding   bytecode.Coding // putCoded, putPatchCoded
	most     uint64          // the highest number of it
	step     *recordStep
	table    *[256]int64
	args     []int32 // registers that a record or the elements of a list get; -1 - k is number k
	given    []uint64
	types    *armTable     // of the union; nil if a call has to find the arm
	factor   uint64        // of types
	enter    *recordPlan   // of a record, of elements or of keys, or the union itself; nil if a call has to find it
	values   *recordPlan   // of pairs
	variants []*recordPlan // instead of enter: by the registers that decide
	decides  []int32
	even     bool // keys and values of pairs are written alike, and are elements at the same distance
	nests    bool // values of enter or values may contain others of the same routine
	flags    putFlags
	size     uintptr // of an element; of a key, if even is true
	top      int     // the number of registers of the record, behind which those of other records begin
}

// putFlags say how a record, the elements of a list or the pairs of a map are written.
type putFlags uint8

const (
	putThrough putFlags = 1 << iota // the last element ends the list
	putArgs                         // elements have arguments
	putNests                        // the depth counts it
	putApart                        // keys and values are not elements at the same distance
)

// putCall is an operation that writes another record, the elements of a slice or the pairs of a map. Go calls nothing for it.
type putCall struct {
	next, n int32 // of a list: the next element, and the number of elements; a pair has two, and a record is one
	base    int32 // where the registers of the record begin
	flags   putFlags
	run     int // where its last run begins
	x       place
	o       putAt
	list    elems
	puts    putAt // the operations of the record, of an element or of a key
}

// putCalls is how many of these can be inside of each other. Go calls a function for more.
const putCalls = 32

// putTerm is a number in a word: a truth, an integer, or a number of parts.
type putTerm struct {
	at    uint32
	shift uint8
	width uint8
	kind  uint8
}

// kinds of terms; others are the bytes of an integer
const (
	termByte   = 1
	termText   = 16
	termList   = 17
	termGather = 18 // width bytes of one bit each

	termPointer = 32 // a bit of the kind: the number is behind a pointer
	termSigned  = 64 // a bit of the kind: the integer and the bits have a sign
)

// formBig in the form of a number says that it is big-endian; the other bits are its bytes. Form 0 has no number.
const formBig = 16
