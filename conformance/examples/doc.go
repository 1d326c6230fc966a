// Package examples runs the examples in schemas: bytes, and the value that they
// stand for or the reason why they are refused. An example is a test in both
// directions, written beside the rows that it is about.
//
// [Run] runs those of one schema; [Printer] prints values the way examples write
// them, for schemas of any format.
package examples
