// Package generated compares generated code with the interpreter. It runs the conformance suite
// and the laws of this package; package fuzz/differential runs it on inputs that coverage of
// the schema guides.
//
// Generated Go is built into one program for all schemas ([Go]), which compares in its
// own process and also talks the conformance protocol. Modules in other languages
// ([TypeScript], [Python]) are loaded by a program in the language, the peer, which
// answers requests line by line: it decodes bytes and shows the value, encodes a value
// that it is shown, or does both. Values are shown in JSON as they are in the language,
// not as they are in the format:
//
//	null, true, false      the same
//	{"i": "5"}             a whole number
//	{"f": "3ff8…"}         any other number, by its bits in double precision
//	{"s": "text"}          a string
//	{"u": "0061dcff"}      a string that is no Unicode, by its units of UTF-16
//	{"p": ["f32", "…"]}    an array of numbers, by its bytes with the lowest first
//	[…]                    a list
//	{"o": {"x": …}}        an object, without properties that are absent
//
// A [Dialect] says what a value of the format is in the language, so that the peer
// itself needs to know nothing of either. The same dialect makes a value of the format
// of what a peer shows ([Shower.Read]), so that a peer is an implementation of the
// conformance protocol ([Modules]) without code for it.
package generated
