// Package mutants changes programs as mistakes of implementations would, and finds
// the test cases that notice each change.
//
// A [Mutant] is a program with one such mistake, in reading or in writing. The interpreter runs
// it, so a mutant can represent a whole implementation. Mistakes that no program can have, such
// as integers that go through doubles, are changes of values in a run, which the interpreter
// makes ([interp.Event.Settable]).
//
// A [Bench] holds cases: bytes to read and values to write. It tries mutants on
// those cases that run what was changed, and says which of them tell the mutant
// from the original. A mutant that no case can tell is equivalent; [Equivalent]
// proves it from the program where it can.
//
// Nothing in here knows the format: mutants come from the instructions of any
// program.
package mutants
