package compile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema"
	"github.com/octable/octable/spec"
)

// FuzzCompile takes the text of a schema through every step up to a verified
// program: none panics, and what is wrong has a place.
func FuzzCompile(f *testing.F) {
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
		s, err := schema.Resolve(file, embedded)
		if err != nil {
			_ = err.Error()
			return
		}
		for _, choice := range Choices(s) {
			p, err := Schema(s, choice)
			switch {
			case err != nil:
				for _, d := range err.(dsl.Diagnostics) {
					checkDiagnostic(t, d)
				}
			case p == nil:
				t.Error("no program and no error")
			}
		}
	})
}
