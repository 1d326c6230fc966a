// Package identify finds the version of a format by which bytes were written.
//
// Each candidate reads the bytes, alone and as a stream of values with their
// lengths before them. Those with the same result are together, the likely
// ones first: a reading that takes all bytes before one that leaves some over, one
// of ordinary content before one of numbers that nobody uses, one that a writer
// would have written so before one that it would not. [Report.Reason] says what
// decided.
package identify
