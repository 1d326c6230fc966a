package schema

import (
	"testing"

	"github.com/octable/octable/dsl"
	"github.com/octable/octable/dsl/schema/schematest"
)

// FuzzResolve resolves texts: no text makes it panic, and every mistake has a place.
func FuzzResolve(f *testing.F) {
	for _, text := range schematest.Texts(f, "testdata/errors") {
		f.Add([]byte(text))
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
