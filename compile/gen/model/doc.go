// Package model defines the input of the code generator's back ends. It is a resolved schema as trees of statements,
// with the types that are to be declared.
//
// [New] builds a [Model] from a resolved schema. The rows of a record become a list of
// statements ([Stmt]), which name cells for the fields of its values and registers for
// numbers that are kept. Expressions get bounds of their numbers ([Expr]). Each field
// gets a [Shape], which says what to declare for it. Names, descriptions and the
// places of rows are kept.
//
// A back end prints every statement twice, once for reading and once for writing; [Op]
// defines both directions. The order of the steps of a record is that of [schema.Build],
// which package compile uses too. Only the forms of a step and of its operands differ:
// an instruction refers to tables of the program by numbers, and a statement to nodes
// with bounds, shapes and names.
package model
