// Package export lists what a schema can be exported as: descriptions for tools of
// others, each as far as its language can say it. Each is a package of its own
// that works from the model of package compile/gen/model; one more is one more
// line here.
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
	// Write returns the file, and what of the schema it cannot say, each in a sentence.
	Write func(m *model.Model) (file []byte, cannot []string)
}

// Formats are all formats.
var Formats = []Format{
	{"kaitai", "a Kaitai Struct description, for readers in many languages", kaitai.Schema},
	{"imhex", "a pattern for the hex editor ImHex", imhex.Pattern},
	{"wireshark", "a dissector for Wireshark", wireshark.Dissector},
}
