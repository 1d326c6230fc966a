// The source text of declarations that generated Go code has too.

package interp

import "embed"

// Source holds the files whose declarations the Go back end copies into generated
// packages. A comment //gen:skip at the end of a line excludes the line from the copy.
//
//go:embed charset.go coding.go delimit.go error.go expr.go fields.go keys.go machine.go memory.go number.go note.go part.go reading.go text.go value.go writer.go writing.go
var Source embed.FS
