// Package builtin has tables of the built-in parts of the schema language. They are
// scalars, types, functions, attributes and the kinds of value.
//
// The checker, the compiler, completion, hover, highlighting and the documentation read these
// tables. The package imports no other package of the project, so that programs that only run
// compiled schemas can use it without the parser.
package builtin
