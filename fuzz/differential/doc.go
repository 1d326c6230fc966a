// Package differential finds differences between implementations of a format and its schema,
// and between implementations.
//
// A [Target] reads packets and writes values over the conformance protocol. Coverage of the
// schema guides the source of these inputs (package inputs). A difference is a [Finding]: a
// wrong value, an input that is accepted or refused wrongly, a crash, a hang, too much memory.
// Findings with the same row and the same fault are one. Each is minimized, first by the
// choices of its value and then by its bytes, repeated in a fresh process, and explained.
//
// [Run] does this for several targets at once, within limits of time and findings;
// a [Corpus] is a folder in which findings stay, from where [Suite] makes
// conformance vectors of them. [Known] are differences that are known, with the
// reason for each.
package differential
