// Package reach decides by symbolic execution which points of a program are reachable.
//
// The routines are executed on every path, in each direction, with linear forms of
// unknowns in place of numbers: the count of a list is an unknown between 0 and the
// size of the largest value, a word is the sum of its bit fields, and the bits that are
// extracted from it are those that were put in. A condition limits the unknowns on the
// path behind it. If a path ends, a check always holds, or a number always fits, that is
// so for all inputs and values.
//
// Partial evaluation in bytecode.Program.Plain gives up on the first step that is not
// plain. Package reach accepts every program, tracks the range of each unknown, and must
// not report anything possible as impossible. The interpreter does not import it, so that
// a mistake in one does not hide in the other.
//
// What cannot be shown to be impossible is taken as possible.
package reach
