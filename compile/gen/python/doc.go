// Package python generates Python, a typed package for Python 3.11 and later. The package reads and writes the
// values of a schema. It needs nothing but the standard library.
//
// An arm of the root's union is a value of the language if no other arm needs that
// value (see [model.Type]), and otherwise a dataclass.
//
// Package script walks the model of a schema. This package has the spellings, with the
// declarations in language.tmpl, and in the folder runtime the code of every module, with
// #gen: lines around the sections that only some schemas need.
package python
