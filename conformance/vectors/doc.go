// Package vectors defines the files of the conformance suite. For each schema and precision there is a JSON
// file of cases with the required results of an implementation. One more file has packets that versions of a
// format read differently.
package vectors
