// Package differential finds what implementations of a format do otherwise than its
// schema says, and otherwise than each other.
//
// A [Target] is asked, over the conformance protocol, to read packets and to write
// values that come from a source guided by the coverage of the schema (package
// inputs). What it does otherwise is a [Finding]: a wrong value, something accepted
// or refused wrongly, a crash, a hang, too much memory. Findings of the same cause,
// which is a row of the schema and what is wrong with it, are one; each is made as
// small as it gets, by way of the choices that its value is drawn from and then of
// its bytes, is asked once more of a fresh process, and explained.
//
// [Run] does this for several targets at once, within limits of time and findings;
// a [Corpus] is a folder in which findings stay, from where [Suite] makes
// conformance vectors of them. [Known] are differences that are known, with the
// reason for each.
package differential
