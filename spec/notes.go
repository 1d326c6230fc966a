// Notes on schemas: sentences for documentation pages.

package spec

import "embed"

// notes hold what no table can say, for the pages that package conformance/docs
// makes. Lines that begin with @ say what the lines after them are about; those of
// a schema hold for the ones that extend it, unless these have their own.
//
//go:embed notes/*.txt
var notes embed.FS

// Notes returns the notes on a schema.
func Notes(id string) (text []byte, ok bool) {
	text, err := notes.ReadFile("notes/" + id + ".txt")
	return text, err == nil
}
