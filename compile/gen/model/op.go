// Operations of statements and of expressions.

package model

import "github.com/octable/octable/dsl/builtin"

// Op is the operation of a statement, in both directions. A cell is a field of the
// value, and a register a number that is kept.
type Op uint8

// The operations. Stmt says which of its fields each of them has.
const (
	OpHeader  Op = iota // write: the word of the union, with the number and bits of the arm
	OpSubst             // write: the cell may be put in place of by another arm of a union
	OpExpect            // write: refuse a cell that is not a number which the scalar holds; without a scalar, not true or false
	OpWord              // a number, kept in a register
	OpLet               // the register becomes the number of the expression
	OpTake              // read: the cell becomes the number in the register
	OpArmRef            // read: the cell becomes the arm of a union whose number is in the register
	OpCheck             // refuse unless the expression holds
	OpGate              // refuse unless the gate is open
	OpScalars           // a number, kept in a cell
	OpTruth             // true or false, kept in a cell
	OpLanes             // a tuple of numbers, which is the record
	OpText              // text, kept in a cell
	OpPacked            // any number of tuples of numbers, kept in a cell
	OpList              // as many values of a routine as the expression gives, kept in a cell
	OpRest              // values of a routine up to the end of the region, kept in a cell
	OpMap               // as many pairs of values as the expression gives, kept in a cell
	OpCall              // a value of a routine, kept in a cell
	OpAbsent            // the cell has no value
	OpIf                // one of two branches
	OpEnter             // read: the next bytes are a region, up to OpLeave
	OpLeave             // read: refuse unless the region is used up
	OpMark              // the register becomes the place of the cursor
	OpSize              // the register becomes the number of bytes since the place in another one
	OpPatch             // write: a number that was left open, at its place
	OpBits              // write: the register becomes the number of bits of a word whose number is at its place now
	OpPad               // padding
	OpSum               // the register becomes the checksum of parts
	OpStop              // the record stops a list if the expression holds
	OpCompare           // read: refuse unless a register is the number of the expression
	OpBase              // a record begins from which places count, up to OpClose
	OpClose             // the record ends: its parts do not overlap, and zeros are between them
	OpSeek              // a part begins: the cursor goes to a place, up to OpBack
	OpBack              // the part ends: the cursor goes back
	OpGaps              // the bytes that no part has follow, up to OpClose
	OpNote              // the word before it, whose register is given, holds the checksum of a base
	OpTotal             // the base that was closed last is complete: the register becomes its checksum. The words noted for it have, or get, the number of the expression
	OpChoose            // write: the register becomes the number of a place that the writer chooses
	numOps
)

var opNames = [numOps]string{
	OpHeader: "header", OpSubst: "subst", OpExpect: "expect", OpWord: "word", OpLet: "let", OpTake: "take", OpArmRef: "armref",
	OpCheck: "check", OpGate: "gate", OpScalars: "scalars", OpTruth: "truth", OpLanes: "lanes", OpText: "text",
	OpPacked: "packed", OpList: "list", OpRest: "rest", OpMap: "map", OpCall: "call", OpAbsent: "absent", OpIf: "if",
	OpEnter: "enter", OpLeave: "leave", OpMark: "mark", OpSize: "size", OpPatch: "patch", OpBits: "bits", OpPad: "pad",
	OpSum: "sum", OpStop: "stop", OpCompare: "compare",
	OpBase: "base", OpClose: "close", OpSeek: "seek", OpBack: "back", OpGaps: "gaps", OpChoose: "choose",
	OpNote: "note", OpTotal: "total",
}

// String returns the name of the operation.
func (op Op) String() string { return opNames[op] }

// Keeps reports whether reading gives the cell a value.
func (op Op) Keeps() bool {
	switch op {
	case OpScalars, OpTruth, OpTake, OpArmRef, OpLanes, OpText, OpPacked, OpList, OpMap, OpRest, OpCall:
		return true
	}
	return false
}

// Operations of expressions that the language does not have. A reference
// ([builtin.Ref]) is to a register.
const (
	ExprFit    builtin.Op = builtin.NumOps + iota // the operand, which must not be negative and have at most Num bits
	ExprSelect                                    // the second operand if the first is not 0, else the third
	ExprValue                                     // the cell as a number
	ExprWide                                      // 1 if the cell was read in its wide form, else 0
	ExprMore                                      // read: 1 if bytes are left, else 0; write: 1 if the cell has a value, else 0
	ExprMember                                    // the number in a place of the record or tuple in the cell
	ExprExact                                     // 1 if the caller asks to keep widths, else 0
	ExprChosen                                    // write: what the record writes for a place, whose number is the operand
	ExprLeft                                      // read: how many bytes are left; write: 0
	ExprFinal                                     // write: the bytes of the last element of the list before it, which has Spare
	ExprEquals                                    // 1 if the cell is a text that equals Text, else 0
)

// ExprName returns the name of an operation of expressions.
func ExprName(op builtin.Op) string {
	if op < builtin.NumOps {
		return op.String()
	}
	return [...]string{"fit", "?", "value", "wide", "more", "member", "exact", "chosen", "left", "final", "equals"}[op-ExprFit]
}

// OfCell reports whether the operation looks at a cell.
func (e *Expr) OfCell() bool {
	switch e.Op {
	case builtin.Count, builtin.Len, builtin.Arm, builtin.Present, builtin.Outside, builtin.Total, builtin.Last, ExprEquals, ExprValue, ExprWide, ExprMore, ExprMember:
		return true
	}
	return false
}
