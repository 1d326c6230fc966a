// Package builtin describes what the schema language has by itself: scalars, types,
// functions, attributes and the kinds of value.
//
// Each is a value of a table. The checker, the compiler, completion, hover,
// highlighting and the documentation take from the tables what they need. The package
// imports no other package of the project, so that programs that only run compiled
// schemas can use it without the parser.
package builtin
