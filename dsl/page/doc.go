// Package page reads pages: files with what documents say beside a schema.
//
// A page has no effect on bytes, and compilers never read one. It holds the sentences and
// captions of a document, rows that the document has in addition, and errata: where the
// document differs from the schema. Package dsl has the syntax; this package finds the page
// of a schema ([Load]) and binds its paths to the parts of the schema.
//
// A page extends the page of the schema that its schema extends, or the one that it names.
// Notes follow the parts that they are about: a part that a later schema replaces loses
// them, a renamed arm keeps them.
package page
