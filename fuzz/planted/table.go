// The table: the type of its rows, and the patch of a row.

package main

import (
	"fmt"
	"slices"
	"strings"
)

// Mistake is a change of one place of the source that makes octable wrong.
type Mistake struct {
	Name   string // package and subject, such as interp/region-bound
	File   string // from the root of the module
	Old    string // text that occurs once in the file
	New    string // text in its place
	Effect string // the consequence, for a schema that reaches it
	Missed string // reason that drawing schemas does not find it in time; "" if it does
}

// All returns the mistakes of every part, in the order of the tables.
func All() []Mistake {
	return slices.Concat(schemaMistakes, compileMistakes, bytecodeMistakes, interpMistakes, planMistakes)
}

// Patch returns the text of a file with the mistake in it. The error says that the
// table is out of date.
func (m *Mistake) Patch(file string) (string, error) {
	if n := strings.Count(file, m.Old); n != 1 {
		return "", fmt.Errorf("%s: the old text occurs %d times in %s; correct the table", m.Name, n, m.File)
	}
	return strings.Replace(file, m.Old, m.New, 1), nil
}
