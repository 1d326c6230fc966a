// Package export lists the formats of export. They are descriptions of a schema for
// other tools, as complete as the tool's language allows. Each format is a package
// that works from the model of package compile/gen/model. A new one adds a line here.
package export

import (
	"github.com/octable/octable/compile/export/imhex"
	"github.com/octable/octable/compile/export/kaitai"
	"github.com/octable/octable/compile/export/wireshark"
	"github.com/octable/octable/compile/gen/model"
)

// Format is a language that schemas can be exported to.
type Format struct {
	Name  string // as the command takes it
	Title string // what it is, in words
	// Write returns the file, and notes on rules of the schema that it does not check.
	// The error is a [*model.Unsupported] if the file would misread input.
	Write func(m *model.Model) (file []byte, cannot []string, err error)
}

// Formats are all formats.
var Formats = []Format{
	{"kaitai", "a Kaitai Struct description, for readers in many languages", kaitai.Schema},
	{"imhex", "a pattern for the hex editor ImHex", imhex.Pattern},
	{"wireshark", "a dissector for Wireshark", wireshark.Dissector},
}
