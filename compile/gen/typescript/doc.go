// Package typescript generates TypeScript: one module without dependencies, for
// Node and browsers, that reads and writes the values of a schema.
//
// Whole numbers of 64 bits are bigint, smaller ones number. An arm of the root's
// union is a value of the language where there is one that no other arm needs (see
// [model.Type]), and otherwise an object whose $type is the arm's name.
//
// What depends on the schema is printed from its model; what every module needs is
// in the folder runtime, with //gen: lines around what only some schemas need.
package typescript
