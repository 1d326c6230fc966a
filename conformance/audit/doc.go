// Package audit reads a document that describes a binary format in tables. It
// accounts for every row of those tables against a schema.
//
// The document is the "Binary serialization API" page of the Godot manual,
// in any of the forms in which copies of it are found, or any other document
// with tables of offset, length and description. The other side is an
// [Expectation]: what a schema says, in the words of the document. [FromPage]
// fills it from a resolved schema and its page; nothing else here knows how
// schemas are written.
//
// There are three steps:
//
//	expectation, err := audit.FromPage(p)      // the schema in the page's terms
//	doc, err := audit.Parse("page.rst", text)  // the document as rows and prose
//	report := audit.Compare(doc, expectation)  // one entry for every row
//	if !report.OK() {                          // anything left over is a failure
//		report.WriteText(os.Stderr)
//	}
//
// # What Parse reads
//
// A document is an introduction, which holds the table of type ids, and
// sections headed "5: Vector2". A section holds prose and tables of fields
// with the columns offset, length, type and description. Parse finds them in
// reStructuredText (grid tables), in the same text with a printed number
// before each line, in grid tables that were joined into one line, and in
// pages that were scraped one cell a line, with or without "|" at the end of
// the cells and with or without section titles. The forms may be mixed.
// Simple tables of reStructuredText and tables of Markdown and HTML may have
// other usual headings, such as size and meaning, and more columns. They may
// lack types; offsets, if each row is behind the one before; and lengths that
// follow from the types or from the first and the last byte of each row. A
// table of names and types, most of which have a length, may lack both.
//
// Nothing that holds a number is thrown away: what is not a table or a title
// is prose, and what looks like a broken table is a [Problem]. The only
// exceptions are numbers that came with the scraping: printed line numbers
// and a file size such as "25 KiB" at the top.
//
// # How Compare decides
//
// Cells are compared by what they say, not as strings:
//
//   - Offsets and lengths are linear expressions: "4+X" equals "X+4", and
//     the range "8..8+length*4" equals "8+i*4", element i of it.
//   - A description is the sequence of its numbers, the sequence of the axis
//     letters in it (X, Y, Z, W) and the set of its key words (glossary.json
//     lists them). So a schema need not copy the page's sentences, but a
//     changed number or an X in the place of a Y is noticed.
//   - Prose is the sequence of its numbers; the schema states them in
//     other sentences ([Expectation.Facts], [WantSection.Facts],
//     [WantTable.Facts], [WantTable.Caption]). Numbers are all runs of
//     digits, also within names such as ENCODE_FLAG_64, and the words zero
//     and two to ten. "one" is no number, as it often is a pronoun.
//   - Cells in Ukrainian are translated by glossary.json. A translation that
//     says something else than the original carries the id of an erratum.
//
// If a document is wrong the schema says what it should have said, and
// the row carries a [Said] for the erratum with what the document does say.
// The document then has to say exactly that, or the comparison fails: an
// erratum is a fact about the document like any other. If some copies of
// a page lack rows or titles, these carry an erratum in an Absent field; a
// document has all rows of an erratum or none.
package audit
