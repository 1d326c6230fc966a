// Package hooks gives package raw access to functions of package codec. They are not part of
// the exported interface, because their signatures name packages interp and bytecode.
package hooks

// Package codec sets these when it is initialized; package raw has their types.
var Value, Wrap, Named, PlainText, Machine, New, ValueOf, Reader, ParsePath any
