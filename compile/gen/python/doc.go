// Package python generates Python: one typed module for Python 3.11 and later, with
// nothing but the standard library, that reads and writes the values of a schema.
//
// An arm of the root's union is a value of the language where there is one that no
// other arm needs (see [model.Type]), and otherwise a dataclass.
//
// What depends on the schema is printed from its model; what every module needs is
// in the folder runtime, with #gen: lines around what only some schemas need.
package python
