// Package facts finds out what can happen in a program, and what cannot, by running
// its instructions in thought.
//
// The routines are gone through on every path, in each direction, with sums of
// unknown numbers in place of numbers: the count of a list is an unknown between 0
// and the size of the largest value, a word is the sum of its bit fields, and the
// bits that are taken out of it again are just what was put in. What a condition says
// of an unknown holds on the way behind it. Where a path ends, a check is never
// broken, or a number always fits, that holds for all inputs and values.
//
// What cannot be shown to be impossible is taken as possible.
package facts
