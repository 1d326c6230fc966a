// Package vectors holds the conformance suite: plain JSON files of cases that say
// what an implementation of the format has to do, one file for each schema and
// precision, and a file of packets that versions of the format read differently.
package vectors
