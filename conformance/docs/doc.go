// Package docs makes the documentation page of a schema. The page has the header, the table of
// types, a section for each of them with tables of offset, length, type and description, text
// and other rules, and the changes since the schema before.
//
// [Build] makes a [Page] without markup; [Page.WriteRST], [Page.WriteMarkdown] and
// [Page.WriteHTML] print it. Tables come from the schema, and sentences from the notes of
// package spec. Each type has a packet that the codec has read, with the meaning of its bytes.
//
// A schema with the role document gives that document again, mistakes included, in the same
// sections and tables: package audit accounts for every row of it.
package docs
