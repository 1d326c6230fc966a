// Package compile turns schemas into programs for the interpreter, and checks on
// the way what a schema promises.
//
// The steps, each in a file of its own:
//
//   - load.go finds and parses a schema and those it extends;
//   - layout.go checks every declared offset and length against the sum of what
//     stands before it, also the symbolic ones, for every choice of the axis;
//   - check.go reports what must not be carried further: names, constants, records
//     without an end;
//   - lower.go begins and ends routines; union.go, rows.go and blocks.go make their
//     instructions, declare.go gives fields their cells beforehand, and body.go keeps
//     what is known of one record meanwhile;
//   - expr.go makes the expressions, for readers and for writers;
//   - derive.go checks that what a writer computes is what a reader takes from it.
//
// A program that comes out has passed the verifier. Recognising common arms, so
// that they run fast, is left to the interpreter: it needs no schema.
//
// A program that uses schemas of its own at run time imports this package, and
// with it the parser; the embedded schemas are compiled already (package codec).
package compile
