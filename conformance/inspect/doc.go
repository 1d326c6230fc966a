// Package inspect shows packets: the bytes beside their meaning. The meaning is a tree of the
// values and of the rows of the schema that read them.
//
// A [Viewer] knows a program and, if there is one, the schema that it was
// compiled from. A [Sheet] shows bytes with it, for a terminal, for a page, or as
// plain text: a [Painter] decides how the styles look.
package inspect
