// Package cover measures how much of a schema a set of runs has reached.
//
// The points of a program are everything that can happen at its instructions, in
// each direction: that they run, each way that a branch can go, each condition of
// an expression, each reason to refuse. The interpreter notes which of them a run
// reaches ([interp.Coverage]); a [Map] says of each what it is in words and which
// row of the schema it belongs to, and counts.
//
// Some points can never be reached: a number of two bits is not 4, and what one
// check refuses no later one sees. Others are reached only by runs with options that
// are not measured ([Setup]). A Map leaves both out of the count, each with the
// reason, which package reach computes from the program; nothing is left out by hand.
// So 100 % is everything that can happen.
package cover
