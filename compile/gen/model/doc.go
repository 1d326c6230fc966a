// Package model is what the back ends of the code generator work from: a compiled
// program as trees of statements, with the types that have to be declared.
//
// [New] builds a [Model] from a program and from the schema that it was compiled from.
// Blocks become lists of statements ([Stmt]). Expressions get bounds of their numbers
// ([Expr]). Each field gets a [Shape], which says what there is to declare for it.
// Names, descriptions and the places of rows are carried along.
//
// A back end prints every statement twice, once for reading and once for writing.
// What each means in either direction is said where instructions are declared, in
// package bytecode, and is the same here: nothing about a format is known to the
// back ends or to this package.
package model
