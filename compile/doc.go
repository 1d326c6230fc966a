// Package compile lowers resolved schemas to programs.
//
// The schema that it gets is a tree in which every name is bound, every expression is
// typed, and everything is proved that a program needs; see package schema. So there
// are no mistakes to report here: each node of the tree becomes the same few
// instructions in every place, and one function makes them. A program that the verifier
// refuses is a defect of the proofs or of this package.
//
// Begin with program.go. [Schema] makes the tables of types, then the routine of the
// root, then each routine that another one calls. A routine is a [schema.Union] or a
// [schema.Record] that is neither an arm nor in place of a row. union.go makes the word
// of a union and its arms; record.go the instructions that begin and end a record; row.go
// and word.go those of the steps in it; expr.go the expressions. [schema.Build] walks the
// body of a record and calls the methods of a body in row.go and word.go, in the order in
// which a reader takes the steps.
//
// There are three data structures. The lowering holds the program and the numbers of
// the entries of its tables. A body is one record while its instructions are made: the
// registers of its fields and of the words that get the size of a later row. A field is
// in one register, in however many forms it is read, and in the cell that is its place
// among the stored fields. The rows of a record in place of a row are a separate
// body, which takes registers from the body around it and has one cell, that of the row.
//
// A program is a list of instructions with blocks in it (see package bytecode), so a step
// with steps inside emits what begins its block, the steps, and what ends it.
//
// A program that uses custom schemas at run time imports this package, and with it
// the parser; the embedded schemas are compiled already (package codec). load.go finds
// schemas, and those that they extend.
package compile
