// Package draft writes a schema from the tables of a document.
//
// Package audit reads the tables. [New] writes a row of a schema for each row of a table of
// fields, with a name made of the description, and a page with what the document says in
// other words. What the document does not say, such as the sign of a number or the row that
// holds a length, is guessed, and each guess is a comment that begins with [Mark] and names
// the line of the document. "octable check" lists these comments.
//
// The schema has no errors: New resolves it, and writes a row that has one in a simpler way
// until no problem is left. The audit of the document against the schema passes: New runs it,
// and notes on the page each cell that the schema says in another way, as an erratum.
package draft
