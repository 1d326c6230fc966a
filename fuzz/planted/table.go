// The table: the type of its rows, and the patch of a row.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octable/octable/fuzz/overlay"
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

// Edit returns the change of a file with the mistake in it. The error says that the
// table is out of date.
func (m *Mistake) Edit(file string) (overlay.Edit, error) {
	if n := strings.Count(file, m.Old); n != 1 {
		return overlay.Edit{}, fmt.Errorf("%s: the old text occurs %d times in %s; correct the table", m.Name, n, m.File)
	}
	at := strings.Index(file, m.Old)
	return overlay.Edit{File: m.File, From: at, To: at + len(m.Old), New: m.New}, nil
}

// plantAll plants mistakes in the files of a module.
func plantAll(root string, mistakes []Mistake) (*overlay.Planted, error) {
	var edits []overlay.Edit
	var errs []error
	for i := range mistakes {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(mistakes[i].File)))
		if err != nil {
			return nil, err
		}
		edit, err := mistakes[i].Edit(string(text))
		edits, errs = append(edits, edit), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return overlay.Plant(root, edits)
}
