// Package schema is the meaning of syntax trees: a schema with all that it takes
// over from the ones it extends.
//
// [Resolve] applies the changes of each file to the schema it extends, from the
// oldest on, checks that every name is declared once and every change has
// something to change, and returns what a compiler, a documentation generator or
// an audit works with: types, unions and their arms, encodings, constants and
// errata, each with the file and line that it came from.
//
// What the rows mean (offsets, lengths, derivation) is checked by the compiler.
package schema
