package schema

import (
	"maps"
	"slices"
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/long"
	"github.com/octable/octable/dsl/schema/schematest"
)

// FuzzResolve resolves texts: no text makes it panic, and every mistake has a place.
func FuzzResolve(f *testing.F) {
	texts := schematest.Texts(f, "testdata/errors")
	for _, name := range long.Part(16, slices.Sorted(maps.Keys(texts))) { // TestErrors has all
		f.Add([]byte(texts[name]))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := dsl.Parse("fuzz.oct", text)
		NewIndex(file, embedded)
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
