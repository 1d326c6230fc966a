// Package dsl parses and formats the schema language.
//
// A schema describes a binary format the way its documents do, as tables of
// offset, length, type, name and description, and adds what tables cannot say:
// which lengths follow from which contents, what a reader accepts beyond what a
// writer produces, what differs between versions.
//
//	schema "example" {
//	    order little
//	    root  Message
//	}
//
//	type Message {
//	    | 0 | 4 | u32          | length = len(text) | "length in bytes"
//	    | 4 | N | utf8[length] | text               | "the text" pad 4
//	}
//
// LANGUAGE.md is the manual of the language.
//
// The package knows the grammar and nothing of what it means; names, layouts
// and rules are checked by package schema and by the compiler.
//
//   - [Parse] reads a file into a [File]; it reports several errors in one run, and
//     for each what would help.
//   - [Format] prints a [File] in the one style that there is, with every comment.
//   - [Walk] visits the nodes of a tree; [NameAt] finds the name at a place.
//   - [Grammar] is the grammar as EBNF, made from the parser itself.
//   - [TextMate] is the grammar for syntax highlighting in editors.
//   - [Diagnostics] are errors with a code, a place, the line, a caret and advice.
//
// This is the only package that knows the parser library.
package dsl
