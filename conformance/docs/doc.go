// Package docs makes the documentation page of a schema: the header, the table of
// types, a section with tables of offset, length, type and description for each of
// them, text and other rules, and what changed since the schema before.
//
// [Build] makes a [Page], which knows nothing of markup; [Page.WriteRST],
// [Page.WriteMarkdown] and [Page.WriteHTML] print it. The content of the tables is
// the schema's; sentences that no table can say come from the notes of package
// spec. Every type is shown in bytes, beside what they mean: these are packets
// that the codec has just read.
//
// A schema that follows a document ("-doc") gives that document again, mistakes
// included, in the same sections and tables: package audit accounts for every row
// of it.
package docs
