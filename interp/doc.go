// Package interp runs programs: one engine for both directions, and a third.
//
// A [Machine] is a verified program, ready to run and safe for concurrent use.
// A [Reader] decodes with it and a [Writer] encodes; both can be reused, so that
// nothing is allocated once they have grown, and are for one goroutine at a time.
// A [Generator] draws values from choices: any bytes give a value that can be
// written, which is what property tests and fuzzing start from.
//
// Every instruction has one meaning for reading and one for writing, which are
// side by side in reading.go and writer.go; generating is writing with fields that
// are drawn when they are first looked at. Two faster ways are prepared when a
// Machine is made, both from the plain forms that package bytecode finds:
//
//   - Common arms of unions of a u32 word have one operation each in the loops of
//     fastread.go and fastwrite.go. fuse.go makes their tables.
//   - Records of any shape, and unions of them, have plans: lists of operations with
//     resolved operands, in plan_make.go, plan_read.go and plan_write.go.
//
// Both leave to the instructions what is not plain, with the position, the cells and
// the registers that they have. Neither knows errors: an input that they cannot read is
// read again by the instructions, and a value that they cannot write is written again.
// So the instructions define what the format means, and find where and why something
// is wrong. [NewUnfused] makes a machine that runs the instructions alone; tests compare the two.
//
// An [Observer] of a Reader or Writer receives every value, row and instruction of a
// run as an [Event]; a [Coverage] is one. An observed run uses the instructions only.
//
// The package knows no format. Values are of general kinds ([Kind]) and carry
// tags whose numbers the embedding program chooses.
package interp
