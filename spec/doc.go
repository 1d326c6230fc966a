// Package spec embeds the schemas of the project.
//
// Each file declares one schema, which may extend another and then says only what
// differs. [IDs] lists them, [Source] finds the text of one.
//
// # As implemented
//
// These follow the engines, byte by byte:
//
//	godot-2          Godot 1.0 to 2.1
//	godot-3.0        3.0, which writes every int in 64 bits
//	godot-3          3.1 to 3.6
//	godot-4.0        4.0 to 4.2
//	godot-4.3        4.3, with typed arrays
//	godot-4.4        4.4 and later, with typed dictionaries
//	pandemonium-3.5  Pandemonium 3.5 to 3.7
//	pandemonium-3.8  3.8 to 4.9
//	pandemonium-5    5.0 and later
//
// Each of these extends the one before; Pandemonium leaves the line at godot-3.
//
// # As documented
//
// These follow the pages that describe the format, row by row, where the pages do
// not contradict themselves:
//
//	godot-3.2-doc    the page of Godot 3.2, in English and in part in Ukrainian
//	godot-3-doc      the page of 3.3 and later
//	pandemonium-doc  the page of Pandemonium
//	godot-4-doc      the page of Godot 4.0
//
// No engine writes what some of them say. Every difference has a number in
// errata.page, and the rows that it is about name the number.
//
// # Pages
//
// A file ID.page holds what documents say beside the schema ID: sentences, captions,
// cells that differ, and errata. [Page] finds the text of one; package dsl/page reads
// it. Pages have no effect on bytes.
//
// # Beside them
//
//	framing          the length before a value in files and streams
//	framing-big      the same in a file or stream that is big-endian
//	ntp, wave        formats of other documents, in formats
//
// The folder formats also has cbor, dns, midi, msgpack, pcap, png and wasm, which [Source] finds and [IDs] does not
// list. Package conformance/formats holds all of them against files of other programs.
//
// In next a version that does not exist goes from the change of a schema
// to code, documents and a passing suite. The folder notes has sentences for the
// documentation pages of schemas, which no table can say.
//
// A schema inherits the examples of the schema that it extends. The words of arms in
// their bytes, such as <int wide>, have the numbers and bits of each schema. Examples
// that do not hold any more are replaced or dropped by name.
package spec

//go:generate go run ../cmd/octable picture -o pictures/string.svg Variant.String
