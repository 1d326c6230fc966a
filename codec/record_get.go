// Operations of reading records: the steps of a plan in one list, with jumps for conditions and with the records inside.
//
// An operation is small and does one thing, so that the loop of a reader (record_get_leaf.go) looks at nothing else; what
// needs calls is in record_get_run.go. Neighboring runs become one, whose bytes are counted once; registers that nothing reads are not set.

package codec

import "github.com/octable/octable/compile/bytecode"

// getCode is what an operation does.
type getCode uint8

const (
	getFail        getCode = iota // Values have to read the record
	getRun                        // off bytes follow, which are a run
	getAny                        // a move, in the order of [moveCode]
	get8                          // …
	get16                         // …
	get16Big                      // …
	get32                         // …
	get32Big                      // …
	get64                         // …
	get64Big                      // …
	getPair16Big                  // …
	getPair32Big                  // …
	getBits                       // bits of a word
	getGather                     // several numbers
	getDouble                     // 16 bytes
	getPointed                    // bits of a word behind a pointer
	getLoad                       // a number of the run into a register
	getLoad8                      // …
	getLoad16                     // …
	getLoad16Big                  // …
	getLoad32                     // …
	getLoad32Big                  // …
	getTake                       // a register into a field
	getTakeBits                   // bits of a register into a field that holds them all
	getSet                        // number n into a register
	getLinear                     // bits of register a, multiplied by times, plus n
	getQuick                      // an expression of registers
	getIn                         // whether bits of register a are from n on, up to span more
	getEqual                      // registers a and b
	getAdd                        // …
	getSub                        // …
	getMul                        // …
	getMin                        // …
	getOp2                        // any other operation with registers a and b
	getEval                       // any expression
	getCheckIn                    // bits of register a must be from n on, up to span more
	getCheckHolds                 // a truth of register a
	getCheck                      // an expression must not be 0
	getSame                       // registers a and b must be equal
	getUnlessIn                   // jump by off if bits of register a are not from n on, up to span more
	getUnlessHolds                // jump by off if a truth of register a is 0
	getUnless                     // jump by off if an expression is 0
	getJump                       // jump by off
	getKeep                       // the place of the run into a register
	getBack                       // the place of the run from a register
	getMark                       // the place of the cursor into a register
	getMarkRun                    // a place in the run into a register
	getSize                       // the bytes since the place in register a
	getSizeRun                    // the same up to a place in the run
	getSum                        // a checksum
	getEnter                      // begin a region of a number of bytes; the end of the one around it into a register
	getLeave                      // end it; register a has the end of the one around it
	getStopIn                     // whether bits of register a are from n on, up to span more, says whether the record ends a list
	getStopHolds                  // a truth of register a does
	getStop                       // an expression does
	getAbsent                     // a field is left out
	getNil                        // a pointer is left out
	getPadding                    // padding
	getFixed                      // n bytes of the run into a slice of bytes
	getText                       // a text
	getBytes                      // bytes into a slice
	getUnion                      // a value of a union, whose registers begin at n. Bits of register a are the number of its arm, unless a is -1. With a size, no operation follows
	getElems                      // a list of elements of variable size; see [elemsRest]
	getInto                       // a value of a union that may contain the record around it
	getPart                       // any other part
	getEnd                        // the end of the operations
	getCoded                      // a number of a coding into a register, or into a field by a move
	getTotal                      // a checksum that [interp.ReadPlaces] computes
	getSigned                     // bits of a word, whose sign is n
)

// getOp is an operation.
type getOp struct {
	code  getCode
	size  uint8 // bytes of a Go value
	shift uint8 // of bits
	form  uint8 // of a word in a run: see [formBig]
	reg   int32 // the register that gets the result, or -1
	a, b  int32 // registers, or -1
	off   int32 // place in the run, bytes of a run, or operations of a jump
	base  int32 // of the registers of the record that more counts from
	times int32
	mask  uint64 // of bits
	n     int64
	span  uint64
	at    uintptr
	field *field
	more  *getMore
}

// getMore is what few operations have.
type getMore struct {
	move   *move
	expr   *recordExpr
	step   *recordStep
	scalar bytecode.Scalar
	big    bool
	longer bool            // getCoded: other forms of the number are accepted
	coding bytecode.Coding // getCoded
	reads  []int32         // registers that the operation reads beside a, b and those of expr
	union  *recordUnion    // getUnion: one that [planReader.leaf] enters, or nil
	first  []getOp         // getElems: the operations of an element of a list without a count, if they are always the same
	own    int             // getElems: where the registers of an element begin in those of the record; -1: behind all
}

// Lists of [getElems], by the size of the operation.
const (
	elemsRest    = 1 // up to the end of the region
	elemsCounted = 2 // of a constant number of elements, or of one in a register
)
