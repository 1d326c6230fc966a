// Package interp executes programs: it decodes, encodes and generates values.
//
// A [Machine] is a verified program, ready to run and safe for concurrent use. A [Reader]
// decodes with it and a [Writer] encodes. Both are for one goroutine at a time; if they are
// used again, they allocate nothing once they have grown. A [Generator] draws values from
// choices: any bytes give a value that can be written, for property tests and fuzzing.
//
// Every instruction has one meaning for reading and one for writing, which are
// side by side in reading.go and writing.go; generating is writing with fields that
// are drawn when they are first looked at. Two faster ways are prepared when a
// Machine is made, both from the plain forms that package bytecode finds:
//
//   - Common arms of unions of a u32 word have one operation each in the loops of
//     fastread.go and fastwrite.go. fuse.go makes their tables.
//   - Records of any shape, and unions of them, have plans: lists of operations with
//     resolved operands, in plan_make.go, plan_read.go and plan_write.go.
//
// A plan is made of the wide form of a record ([bytecode.Program.Wide]). Operations of a plan are: runs of fields of
// fixed size, texts, arrays, lists and maps with a count, lists up to the end or up to a record that ends them, regions,
// marks, sizes, checksums, words that follow from what is written behind them, conditions, and calls with arguments.
// Numbers may be in either order of bytes. These choices are made when a plan is made, not when it runs:
//
//   - An argument that is 0 or 1 and that a condition looks at, such as the order of the bytes, has a plan for each number.
//   - The word of 8 bits of a union has a plan for each number, in which counts and conditions on it are decided.
//   - A word of bits, or of the number of a cell, is a column like a field.
//   - The arm of a union by an argument is found in a table.
//
// A plan leaves at the first instruction that has no operation: those of bases and parts, and text of character sets whose
// bytes are not the text. Expressions are functions that are compiled when the machine is made (compute.go), those of
// registers alone without a scope (compute_regs.go).
//
// Both pass anything that is not plain to the instructions, with the position, the cells and
// the registers. Neither reports errors: the instructions read such an input again, or write
// such a value again. So the instructions define the meaning of the format, and find the place
// and the cause of an error. [NewUnfused] makes a machine that runs the instructions alone;
// tests compare the two.
//
// An [Observer] of a Reader or Writer receives every value, row and instruction of a
// run as an [Event]; a [Coverage] is one. An observed run uses the instructions only.
//
// The package knows no format. Values are of general kinds ([Kind]) and carry
// tags whose numbers the embedding program chooses.
package interp
