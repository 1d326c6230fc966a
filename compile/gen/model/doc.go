// Package model is what the back ends of the code generator work from: a compiled
// program without its jumps, stacks and cells.
//
// [New] makes a [Model] of a program and of the schema that it was compiled from.
// Routines become structured statements, in which conditions have branches
// ([Stmt]); expressions become trees whose numbers have known bounds ([Expr]);
// and each field gets a [Shape], which says what there is to declare for it.
// Names, descriptions and the places of rows are carried along.
//
// A back end prints every statement twice, once for reading and once for writing.
// What each means in either direction is said where instructions are declared, in
// package bytecode, and is the same here: nothing about a format is known to the
// back ends or to this package.
package model
