// Package kaitai writes a schema as a Kaitai Struct description (.ksy), from which
// that project's compiler makes readers in a dozen languages, and its viewers show
// packets.
//
// Kaitai describes reading. What a description cannot say is returned beside it,
// and stands at its top: how values are written, limits, and some rules of text.
package kaitai
