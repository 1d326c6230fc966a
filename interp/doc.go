// Package interp runs programs: one engine for both directions, and a third.
//
// A [Machine] is a verified program, ready to run and safe for concurrent use.
// A [Reader] decodes with it and a [Writer] encodes; both can be reused, so that
// nothing is allocated once they have grown, and are for one goroutine at a time.
// A [Generator] draws values from choices: any bytes give a value that can be
// written, which is what property tests and fuzzing start from.
//
// Every instruction has one meaning for reading and one for writing, which stand
// side by side in reading.go and writer.go; generating is writing with fields that
// are drawn when they are first looked at. Common arms of unions are recognised
// when a Machine is made and run by the faster loops of fastread.go and
// fastwrite.go, which leave to the instructions whatever is not plain: so the
// instructions define what the format means, and an input that the fast loop
// cannot read is read again by them, which also finds where and why it is wrong.
//
// An [Observer] of a Reader or Writer receives every value, row and instruction of a
// run as an [Event]; a [Coverage] is one. An observed run uses the instructions only.
//
// The package knows no format. Values are of general kinds ([Kind]) and carry
// tags whose numbers the embedding program chooses.
package interp
