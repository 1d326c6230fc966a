// Package cover measures how much of a schema a set of runs has reached.
//
// The points of a program are the events that can happen at its instructions, in each
// direction: an instruction runs, a branch is taken or not, a condition of an expression is
// true or false, an input is refused. The interpreter notes the points that a run reaches
// ([interp.Coverage]). A [Map] describes each point, names its row of the schema, and counts.
//
// Some points are unreachable: a number of two bits is not 4, and a later check never sees a
// value that an earlier one refuses. Others are reached only by runs with options that are not
// measured ([Setup]). A Map leaves out both, each with the reason that package reach computes
// from the program. So 100 % means every reachable point.
package cover
