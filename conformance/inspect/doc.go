// Package inspect shows packets: the bytes beside what they mean, as a tree of the
// values in them and of the rows of the schema that they were read by.
//
// A [Viewer] knows a program and, if there is one, the schema that it was
// compiled from. A [Sheet] shows bytes with it, for a terminal, for a page, or as
// plain text: a [Painter] decides how the styles look.
package inspect
