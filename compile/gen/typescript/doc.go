// Package typescript generates TypeScript. The result is two modules without
// dependencies, for Node and browsers, that read and write the values of a schema.
//
// Whole numbers of 64 bits are bigint, smaller ones number. An arm of the root's
// union is a value of the language if no other arm needs that value (see
// [model.Type]), and otherwise an object whose $type is the arm's name.
//
// Package script walks the model of a schema. This package has the spellings, with the
// declarations in language.tmpl, and in the folder runtime the code of every module, with
// //gen: lines around the sections that only some schemas need.
package typescript
