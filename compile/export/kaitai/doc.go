// Package kaitai writes a schema as a Kaitai Struct description (.ksy). That project's compiler makes readers in a dozen
// languages from it, and its viewers show packets.
//
// Kaitai describes reading. Rules that a description cannot express are returned with
// it, and listed in the comment at its top: writing of values, limits, and some rules of text.
package kaitai
