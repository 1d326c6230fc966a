// Package vectors defines the files of the conformance suite: JSON files of cases with the
// required results of an implementation, one for each schema and precision, and a file of
// packets that versions of a format read differently.
package vectors
