// Package compile turns schemas into programs for the interpreter, and checks on
// the way what a schema promises.
//
// The steps, each in a file of its own:
//
//   - load.go finds and parses a schema and those it extends;
//   - layout.go checks every declared offset and length against the sum of what
//     stands before it, also the symbolic ones, for every choice of the axis;
//   - lower.go makes instructions of rows, and body.go keeps the fields of one
//     record while that is done;
//   - expr.go makes the expressions, for readers and for writers;
//   - derive.go checks that what a writer computes is what a reader takes from it.
//
// A program that comes out has passed the verifier. Recognising common arms, so
// that they run fast, is left to the interpreter: it needs no schema.
//
// A program that uses schemas of its own at run time imports this package, and
// with it the parser; the embedded schemas are compiled already (package codec).
package compile
