// Package identify finds the version of a format by which bytes were written.
//
// Each candidate reads the bytes, alone and as a stream of values with their lengths before
// them. Candidates with the same result are grouped, and likely groups come first: those that
// take all bytes, then those with ordinary content, then those with the form that a writer
// uses. [Report.Reason] explains the choice.
package identify
