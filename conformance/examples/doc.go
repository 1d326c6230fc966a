// Package examples runs the examples in schemas. An example has bytes, and the
// value that they represent or the reason why they are refused. It is a test in
// both directions, written beside the rows that it is about.
//
// [Run] runs those of one schema. Values are in the notation of package
// [github.com/octable/octable/interp/notation].
package examples
