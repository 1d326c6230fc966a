// Package gentest holds generated modules of other languages against the
// interpreter, for the tests of back ends.
//
// A module is loaded by a program in its language, the peer, which answers requests
// line by line: it decodes bytes and shows the value, encodes a value that it is
// shown, or does both. Values are shown in JSON as they are in the language, not as
// they are in the format:
//
//	null, true, false      the same
//	{"i": "5"}             a whole number
//	{"f": "3ff8…"}         any other number, by its bits in double precision
//	{"s": "text"}          a string
//	{"p": ["f32", "…"]}    an array of numbers, by its bytes with the lowest first
//	[…]                    a list
//	{"o": {"x": …}}        an object, without properties that are absent
//
// A [Dialect] says what a value of the format is in the language, so that the peer
// itself needs to know nothing of either.
package gentest
