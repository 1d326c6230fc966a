package schema

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/spec"
)

// FuzzResolve resolves texts: no text makes it panic, and every mistake has a place.
func FuzzResolve(f *testing.F) {
	for _, id := range spec.IDs() {
		_, text, _ := spec.Source(id)
		f.Add(text)
	}
	names, _ := filepath.Glob("testdata/errors/*.oct")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := dsl.Parse("fuzz.oct", text)
		if err != nil {
			t.Skip()
		}
		s, err := Resolve(file, embedded)
		switch {
		case err != nil:
			for _, d := range err.(dsl.Diagnostics) {
				checkDiagnostic(t, d)
			}
		case s == nil:
			t.Error("no schema and no error")
		}
	})
}
